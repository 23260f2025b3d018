//! Generated systems against mechanics: Lagrange's equations by differences, exact motions, orders, errors.

use crate::lagrange::{check_lagrange, jacobian, scattered, slope};
use crate::models::*;
use approx::{assert_abs_diff_eq, assert_relative_eq};
use constraint_runtime::make_consistent;
use constraint_runtime::prelude::*;
use constraint_runtime::tracks;
use constraint_runtime::verify;

// ---- the equations, by differences --------------------------------------------------------------

/// J against the slopes of C, β against that of Ċ along the motion, C̈ = 0 with the generated v̇.
///
/// `holonomic` is whether C is more than zero.
fn check_rows<S, const N: usize, const M: usize>(system: &S, holonomic: bool)
where
    S: System<f64, Q = SVector<f64, N>, V = SVector<f64, N>, Rows = SVector<f64, M>>,
{
    for seed in 0..5 {
        let (t, q) = (0.3, scattered::<N>(f64::from(seed)) * 1.5);
        let v = scattered::<N>(f64::from(seed) + 0.5);
        let jacobian = jacobian(system, t, &q);
        for i in 0..N {
            let column = if holonomic {
                slope(|x| {
                    let mut q = q;
                    q[i] += x;
                    system.constraint(t, &q)
                })
            } else {
                slope(|x| {
                    let mut v = v;
                    v[i] += x;
                    system.constraint_rate(t, &q, &v)
                })
            };
            assert_abs_diff_eq!(jacobian.column(i).into_owned(), column, epsilon = 1e-8);
        }
        if holonomic {
            let rate = slope(|x| system.constraint(t + x, &(q + v * x)));
            assert_abs_diff_eq!(system.constraint_rate(t, &q, &v), rate, epsilon = 1e-8);
        }
        let bias = slope(|x| system.constraint_rate(t + x, &(q + v * x), &v));
        assert_abs_diff_eq!(system.bias(t, &q, &v), bias, epsilon = 1e-7);
        let acceleration = system.acceleration(t, &q, &v).unwrap();
        let second_rate = jacobian * acceleration + system.bias(t, &q, &v);
        assert_abs_diff_eq!(second_rate, SVector::zeros(), epsilon = 1e-9);
        let sizes = system.row_sizes(t, &q);
        for i in 0..M {
            let parts = jacobian.row(i).transpose().component_mul(&q);
            assert_relative_eq!(sizes[i], parts.lp_norm(1), max_relative = 1e-12);
        }
    }
}

/// No other forces.
fn none<const N: usize>(_q: &SVector<f64, N>, _v: &SVector<f64, N>) -> SVector<f64, N> {
    SVector::zeros()
}

#[test]
fn rows_are_what_differences_say() {
    check_rows(&Rods::default(), true);
    check_rows(&Chain::default(), true);
    check_rows(&RolledChain::default(), true);
    check_rows(&SliderCrank::default(), true);
    check_rows(&CrankAndRocker::default(), true);
    check_rows(&Scissors::default(), true);
    check_rows(&TurningWire::default(), true);
    check_rows(&Sleigh::default(), false);
}

#[test]
fn accelerations_satisfy_lagranges_equations() {
    check_lagrange(&Rods::default(), none);
    check_lagrange(&Angles::default(), none);
    check_lagrange(&CrankAndRocker::default(), none);
    check_lagrange(&Scissors::default(), none);
    check_lagrange(&SphericalPendulum::default(), none);
    check_lagrange(&TurningHoop::default(), none);
    check_lagrange(&Torus::default(), none);
    check_lagrange(&Arm::default(), none);
    check_lagrange(&Telescope::default(), none);
    check_lagrange(&Sleigh::default(), none);
    check_lagrange(&TurningWire::default(), none);
    check_lagrange(&LemniscateBead::default(), none);
    check_lagrange(&CycloidBeads::default(), none);
    let weight = |_: &_, _: &_| SVector::from_fn(|i, _| if i % 2 == 1 { -G } else { 0.0 });
    check_lagrange(&Chain::default(), none);
    check_lagrange(&RolledChain::default(), weight);
    let damped = SliderCrank {
        c: 0.7,
        ..Default::default()
    };
    check_lagrange(&damped, |_, v| SVector::<f64, 2>::new(0.0, -0.7 * v[1]));
    let pushed = CartPole::default().with_inputs(CartPoleInputs { push: 4.0 });
    check_lagrange(&pushed, |_, _| SVector::<f64, 2>::new(4.0, 0.0));
}

/// The equations of textbooks: spherical pendulum, bead in a turning hoop, and on a torus (with its metric
/// (R + r cos)² dφ² + r² dθ²); the arm's are those of Spong, Hutchinson, Vidyasagar, Robot Modeling and Control, for
/// masses at the ends of the links.
#[test]
fn accelerations_are_those_of_textbooks() {
    for seed in 0..5 {
        let [a, b]: [f64; 2] = (scattered::<2>(f64::from(seed)) * 1.5).into();
        let [v, w]: [f64; 2] = scattered::<2>(f64::from(seed) + 0.5).into();
        let ((sa, ca), (sb, cb)) = (a.sin_cos(), b.sin_cos());
        let (q, rates) = (Vector2::new(a, b), Vector2::new(v, w));

        let pendulum = SphericalPendulum::default();
        let expected = [sa * ca * w * w - G / 0.8 * sa, -2.0 * v * w * ca / sa];
        let found = pendulum.acceleration(0.3, &q, &rates).unwrap();
        assert_relative_eq!(found, Vector2::from(expected), max_relative = 1e-13);

        let hoop = TurningHoop::default();
        let expected = sa * (25.0 * ca - G / 0.8);
        let found = hoop.acceleration(0.3, &[a].into(), &[v].into()).unwrap();
        assert_relative_eq!(found[0], expected, max_relative = 1e-13);

        let reach = 1.5 + 0.4 * cb;
        let expected = [
            2.0 * 0.4 * sb * v * w / reach,
            -(sb * reach * v * v + G * cb) / 0.4,
        ];
        let found = Torus::default().acceleration(0.3, &q, &rates).unwrap();
        assert_relative_eq!(found, Vector2::from(expected), max_relative = 1e-12);

        let [m1, m2, l1, l2] = [1.0, 2.0, 1.0, 0.8];
        let mixed = m2 * (l2 * l2 + l1 * l2 * cb);
        let mass = SMatrix::<f64, 2, 2>::new(
            m1 * l1 * l1 + m2 * (l1 * l1 + 2.0 * l1 * l2 * cb + l2 * l2),
            mixed,
            mixed,
            m2 * l2 * l2,
        );
        let turned = m2 * l1 * l2 * sb;
        let weight = m2 * l2 * G * (a + b).cos();
        let forces = Vector2::new(
            turned * (2.0 * v * w + w * w) - (m1 + m2) * l1 * G * ca - weight,
            -turned * v * v - weight,
        );
        let expected = mass.lu().solve(&forces).unwrap();
        let arm = Arm::default();
        let found = arm.acceleration(0.3, &q, &rates).unwrap();
        assert_relative_eq!(found, expected, max_relative = 1e-11);

        let asked = Vector2::new(a - w, b + v);
        let found = arm.inverse_dynamics(0.3, &q, &rates, &asked).unwrap();
        assert_relative_eq!(found, mass * asked - forces, max_relative = 1e-13);
        let found = arm.applied(0.3, &q, &rates).unwrap();
        assert_relative_eq!(found, forces, max_relative = 1e-13);
        let found = arm.mass_matrix(0.3, &q);
        assert_relative_eq!(found.as_slice(), mass.as_slice(), max_relative = 1e-13);
    }
}

/// What `curve!` derives for a bead under a force, its weight here, is what `system!` does; the lemniscate's crossing
/// and ends included.
#[test]
fn a_bead_moves_in_a_system_as_on_its_curve() {
    let (bead, track) = (LemniscateBead::default(), tracks::Lemniscate { a: 1.5 });
    let weight = Vector2::new(0.0, -2.0 * G);
    for k in 0..64 {
        let s = std::f64::consts::TAU * f64::from(k) / 64.0;
        let expected = track.acceleration(s, 1.7, &weight, 2.0).unwrap();
        let found = bead.acceleration(0.0, &[s].into(), &[1.7].into()).unwrap();
        assert_abs_diff_eq!(found[0], expected, epsilon = 1e-13);
    }
}

/// Where a track has no length, as a lemniscate of size zero, nothing is divided by it.
#[test]
fn a_track_of_size_zero_is_an_error() {
    let point = LemniscateBead {
        a: 0.0,
        ..Default::default()
    };
    let error = point.acceleration(0.0, &[0.3].into(), &[1.0].into());
    assert!(
        matches!(error, Err(Error::SingularMass { .. })),
        "{error:?}"
    );
}

/// T of the spherical pendulum is ½ m l² (θ̇² + sin² θ φ̇²).
#[test]
fn kinetic_energy_is_that_of_textbooks() {
    let (q, v) = (Vector2::new(0.7, 0.4), Vector2::new(-1.3, 2.1));
    let turning = 0.7_f64.sin() * 2.1;
    let expected = 0.5 * 2.0 * 0.64 * (1.3 * 1.3 + turning * turning);
    let found = SphericalPendulum::default().kinetic_energy(0.0, &q, &v);
    assert_relative_eq!(found, expected, max_relative = 1e-13);
}

// ---- motion -------------------------------------------------------------------------------------

/// The rods at these angles and rates.
fn rods_at([a, b]: [f64; 2], [a_dot, b_dot]: [f64; 2]) -> State<SVector<f64, 4>> {
    let Rods { l1, l2, .. } = Rods::<f64>::default();
    let arm = |l: f64, angle: f64| Vector2::new(l * angle.sin(), -l * angle.cos());
    let swing = |l: f64, angle: f64, rate: f64| Vector2::new(angle.cos(), angle.sin()) * (l * rate);
    let (upper, v_upper) = (arm(l1, a), swing(l1, a, a_dot));
    State::new(
        0.0,
        RodsCoordinates {
            upper: upper.into(),
            lower: (upper + arm(l2, b)).into(),
        },
        RodsVelocities {
            upper: v_upper,
            lower: v_upper + swing(l2, b, b_dot),
        },
    )
}

const START: [f64; 2] = [0.8, 0.8];
const SPIN: [f64; 2] = [0.0, 0.0];
const END: f64 = 1.0;

/// The rods' motion by the other form, to rounding.
fn rods_end() -> SVector<f64, 4> {
    let start = State::new(0.0, START, SPIN);
    let mut run =
        Simulation::new(Angles::default(), start, DormandPrince::new(1e-14, 1e-14)).unwrap();
    run.run_until(END).unwrap();
    rods_at(run.state().q.into(), [0.0; 2]).q
}

fn rods_error<I: Integrator<Scalar = f64>>(
    integrator: I,
    stabilization: Stabilization<f64>,
) -> f64 {
    let start = rods_at(START, SPIN);
    let mut run = Simulation::new(Rods::default(), start, integrator)
        .unwrap()
        .with_stabilization(stabilization);
    run.run_until(END).unwrap();
    (run.state().q - rods_end()).norm()
}

/// A bead on the turning wire runs outwards: r = cosh ω t + sinh ω t/ω.
fn wire_error<I: Integrator<Scalar = f64>>(
    integrator: I,
    stabilization: Stabilization<f64>,
) -> f64 {
    let wire = TurningWire::default();
    let start = State::new(0.0, [1.0, 0.0], [1.0, wire.omega]);
    let mut run = Simulation::new(wire, start, integrator)
        .unwrap()
        .with_stabilization(stabilization);
    run.run_until(END).unwrap();
    let turn = wire.omega * END;
    let (r, (sin, cos)) = (turn.cosh() + turn.sinh() / wire.omega, turn.sin_cos());
    (run.state().q - SVector::<f64, 2>::new(r * cos, r * sin)).norm()
}

type ErrorOf<I> = fn(I, Stabilization<f64>) -> f64;

fn assert_order<I: Integrator<Scalar = f64>>(
    integrator: fn(f64) -> I,
    steps: [u32; 2],
    errors: &[ErrorOf<I>],
) {
    let order = f64::from(integrator(0.1).order());
    let feedback = Stabilization::Baumgarte {
        alpha: 2.0,
        beta: 2.0,
    };
    for stabilization in [Stabilization::default(), feedback, Stabilization::None] {
        for error in errors {
            let [coarse, fine] =
                steps.map(|n| error(integrator(END / f64::from(n)), stabilization));
            let observed = (coarse / fine).log(f64::from(steps[1]) / f64::from(steps[0]));
            assert!(
                (observed - order).abs() < 0.1,
                "{stabilization:?}: order {observed} from {coarse:e} and {fine:e}"
            );
        }
    }
}

#[test]
fn semi_implicit_euler_has_order_one() {
    assert_order(
        SemiImplicitEuler::new,
        [4000, 8000],
        &[rods_error, wire_error],
    );
}

#[test]
fn rattle_has_order_two() {
    assert_order(Rattle::new, [500, 1000], &[rods_error, wire_error]);
}

#[test]
fn rk4_has_order_four() {
    assert_order(Rk4::new, [200, 400], &[rods_error, wire_error]);
}

#[test]
fn dormand_prince_has_order_five() {
    // The rods' error is small from the start: it fades into rounding before its order shows.
    let long_steps = |h| DormandPrince::new(0.0, 1.0).with_longest_step(h);
    assert_order(long_steps, [50, 100], &[wire_error]);
}

#[test]
fn energy_goes_where_the_dissipation_takes_it() {
    // dE/dt = −2 R = −c ẋ².
    let crank = SliderCrank::<f64> {
        c: 0.7,
        ..Default::default()
    };
    let start = State::new(0.0, [0.0, 3.5], [4.0, 0.0]);
    let mut run = Simulation::new(crank, start, Rk4::new(1e-3)).unwrap();
    let (initial, mut lost) = (run.energy(), 0.0);
    for _ in 0..2000 {
        let before = run.velocities().x.powi(2);
        run.step().unwrap();
        lost += 0.5e-3 * crank.c * (before + run.velocities().x.powi(2));
    }
    assert!(lost > 1.0);
    assert_relative_eq!(run.energy(), initial - lost, max_relative = 1e-6);
}

#[test]
fn feedback_decays_critically() {
    // C̈ + 2 α Ċ + α² C = 0 from C₀ at Ċ = 0: C = C₀ (1 + α t) e^{−α t}. C₀ is what a start may be off.
    let (alpha, off) = (4.0, 1e-8);
    let mut start = rods_at(START, [0.0; 2]);
    start.q *= 1.0 + off;
    let mut run = Simulation::new(Rods::default(), start, Rk4::new(2.5e-4))
        .unwrap()
        .with_stabilization(Stabilization::Baumgarte { alpha, beta: alpha });
    let initial = Rods::default().constraint(0.0, &start.q);
    for _ in 0..4000 {
        run.step().unwrap();
        let State { t, q, .. } = run.state();
        let expected = initial * ((1.0 + alpha * t) * (-alpha * t).exp());
        assert_abs_diff_eq!(
            Rods::default().constraint(*t, q),
            expected,
            epsilon = 1e-3 * off
        );
    }
}

// ---- consistent states --------------------------------------------------------------------------

/// uᵀ M w, from the kinetic energy.
fn product<S, const N: usize, const M: usize>(
    system: &S,
    q: &SVector<f64, N>,
    u: &SVector<f64, N>,
    w: &SVector<f64, N>,
) -> f64
where
    S: System<f64, Q = SVector<f64, N>, V = SVector<f64, N>, Rows = SVector<f64, M>>,
{
    let energy = |v: SVector<f64, N>| system.kinetic_energy(0.0, q, &v);
    energy(u + w) - energy(*u) - energy(*w)
}

/// The consistent state is on C = 0 and Ċ = 0, and its velocity is the nearest one in the metric of M: what
/// was changed has no part along any admissible velocity.
fn check_consistent<S, const N: usize, const M: usize>(system: &S, q: SVector<f64, N>)
where
    S: System<f64, Q = SVector<f64, N>, V = SVector<f64, N>, Rows = SVector<f64, M>>,
{
    let v = scattered::<N>(0.7);
    let state = make_consistent(system, State::new(0.0, q, v)).unwrap();
    assert!(system.constraint(0.0, &state.q).amax() < 1e-14);
    assert!(system.constraint_rate(0.0, &state.q, &state.v).amax() < 1e-14);
    let change = state.v - v;
    assert!(change.norm() > 1e-3);
    for seed in 0..5 {
        let w = scattered::<N>(f64::from(seed));
        let rate = jacobian(system, 0.0, &state.q) * w;
        let admissible = w - system.correction(0.0, &state.q, &rate).unwrap();
        assert!((jacobian(system, 0.0, &state.q) * admissible).amax() < 1e-13);
        assert_abs_diff_eq!(
            product(system, &state.q, &admissible, &change),
            0.0,
            epsilon = 1e-12
        );
    }
}

#[test]
fn states_are_made_consistent() {
    check_consistent(
        &Rods::default(),
        rods_at(START, SPIN).q + scattered::<4>(0.2) * 0.1,
    );
    let hanging = SVector::<f64, 16>::from_fn(|i, _| {
        if i % 2 == 0 {
            0.0
        } else {
            -0.25 * (i + 1) as f64
        }
    });
    check_consistent(&Chain::default(), hanging + scattered::<16>(0.2) * 0.1);
    check_consistent(
        &RolledChain::default(),
        hanging + scattered::<16>(0.2) * 0.1,
    );
    check_consistent(&SliderCrank::default(), SVector::<f64, 2>::new(0.7, 3.0));
    check_consistent(&Sleigh::default(), SVector::<f64, 3>::new(1.0, -2.0, 0.4));
}

#[test]
fn what_is_out_of_reach_is_an_error() {
    // The slider is farther off than crank and rod together reach, on either side.
    let broken = SliderCrank {
        r: 1.0,
        l: -0.5,
        ..Default::default()
    };
    let state = State::new(0.0, [0.7, 3.0], [0.0, 0.0]);
    let error = make_consistent(&broken, state).unwrap_err();
    assert!(error.to_string().contains("`rod`"), "{error}");
}

// ---- errors -------------------------------------------------------------------------------------

/// The chain held out level, at rest.
fn level() -> State<SVector<f64, 16>> {
    let bead = std::array::from_fn(|i| Point2::new(0.5 * (i + 1) as f64, 0.0));
    State::new(0.0, ChainCoordinates { bead }, ChainVelocities::default())
}

#[test]
fn masses_are_checked() {
    for mass in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let rods = Rods {
            m2: mass,
            ..Default::default()
        };
        let refused = Simulation::new(rods, rods_at(START, SPIN), Rk4::new(0.1)).unwrap_err();
        let found = match refused {
            Error::InvalidMass { mass: found } => found,
            Error::InvalidParameter {
                parameter: "m2",
                value: found,
            } if !found.is_finite() => found,
            _ => panic!("{refused}"),
        };
        assert_eq!(found.to_bits(), mass.to_bits());
    }
}

#[test]
fn an_inconsistent_start_names_its_row() {
    let mut start = level();
    for i in 3..8 {
        start.q[2 * i] += 0.2;
    }
    let refused = Simulation::new(Chain::default(), start, Rk4::new(0.1)).unwrap_err();
    let Error::InconsistentPosition { row, value, .. } = refused else {
        panic!("{refused}");
    };
    assert_eq!((row.index, row.name), (3, Some("link[3]")));
    assert_relative_eq!(value, 0.2, max_relative = 1e-12);
    assert!(
        refused
            .to_string()
            .starts_with("the start violates constraint `link[3]` by 0.2")
    );

    let mut start = level();
    start.v[14] = -0.5;
    let refused = Simulation::new(Chain::default(), start, Rk4::new(0.1)).unwrap_err();
    let Error::InconsistentVelocity { row, rate, .. } = refused else {
        panic!("{refused}");
    };
    assert_eq!((row.name, rate), (Some("link[7]"), -0.5));
}

#[test]
fn a_sideways_start_names_the_blade() {
    let start = State::new(0.0, [0.0; 3], [0.0, 1.0, 0.0]);
    let refused = Simulation::new(Sleigh::default(), start, Rk4::new(0.1)).unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("the rate of constraint `blade` by 1 (allowed"),
        "{refused}"
    );
}

#[test]
fn a_start_that_is_no_number_is_refused() {
    let mut start = level();
    start.q[5] = f64::NAN;
    let refused = Simulation::new(Chain::default(), start, Rk4::new(0.1)).unwrap_err();
    assert!(
        matches!(refused, Error::NonFinite { index: 5, .. }),
        "{refused}"
    );
}

system! {
    /// A parallelogram of rods: at its change points, where all rods are in line, two motions meet.
    pub struct Parallelogram { m: Real = 1 }

    particle a: Point2 { mass: m }
    particle b: Point2 { mass: m }
    constraint crank: norm_squared(a) == 1;
    constraint coupler: norm_squared(b - a) == 4;
    constraint rocker: norm_squared(b - [2, 0]) == 1;
}

#[test]
fn a_singular_configuration_names_its_rows() {
    let in_line = SVector::<f64, 4>::new(1.0, 0.0, 3.0, 0.0);
    let v = SVector::zeros();
    let linkage = Parallelogram::default();
    assert_eq!(linkage.constraint(0.0, &in_line).amax(), 0.0);
    let error = linkage.acceleration(0.0, &in_line, &v).unwrap_err();
    let Error::Singular { row, .. } = error else {
        panic!("{error}");
    };
    // Row by row the elimination comes to the last of the three that depend on each other.
    let name = linkage.row_name(row.index).unwrap();
    assert!(["crank", "coupler", "rocker"].contains(&name));
    let start = State::new(0.0, in_line, v);
    let error = Simulation::new(linkage, start, Rk4::new(0.1))
        .unwrap()
        .step()
        .unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with(&format!("constraint `{name}` is singular at t = 0")),
        "{error}"
    );
}

system! {
    /// A bead on two wires that cross, which is on neither in the crossing.
    pub struct CrossedWires { m: Real = 1 }

    particle p: Point2 { mass: m }
    constraint wires: p.x * p.y == 0;
}

#[test]
fn the_last_good_state_survives_a_singular_one() {
    // Numbers of few bits: the bead gets to the crossing exactly.
    let start = State::new(0.0, [1.0, 0.0], [-1.0, 0.0]);
    let integrator = SemiImplicitEuler::new(0.125);
    let mut run = Simulation::new(CrossedWires::default(), start, integrator).unwrap();
    let error = run.run_until(10.0).unwrap_err();
    let last = State::new(0.875, [0.125, 0.0], [-1.0, 0.0]);
    assert_eq!(*run.state(), last);
    let Error::Singular { row, time, .. } = error else {
        panic!("{error}");
    };
    assert_eq!((row.name, time), (Some("wires"), Some(0.875)));
}

system! {
    /// A bead under a force that ends, as a number, at t = 1.
    pub struct Fading { m: Real = 1 }

    particle p: Point2 { mass: m }
    constraint wire: p.y == p.x^2;
    force p: [sqrt(1 - t), 0];
}

/// Runs into t = 1 and beyond; the error has to name the fault, not what comes of it.
fn check_fading<I: Integrator<Scalar = f64>>(integrator: I, stabilization: Stabilization<f64>) {
    let start = State::new(0.0, [0.0; 2], [0.0; 2]);
    let mut run = Simulation::new(Fading::<f64>::default(), start, integrator)
        .unwrap()
        .with_stabilization(stabilization);
    let error = run.run_until(10.0).unwrap_err();
    let place = "1 − t > 0 does not hold in the forces";
    assert!(
        matches!(error, Error::Corner { place: it, time: Some(t) } if it == place && t <= 1.125),
        "{error}"
    );
    let State { t, q, v } = *run.state();
    assert!((0.5..=1.125).contains(&t), "{t}");
    assert!(q.norm().is_finite() && v.norm().is_finite() && run.drift() < 0.1);
}

#[test]
fn the_last_good_state_survives_a_force_that_is_no_number() {
    let feedback = Stabilization::Baumgarte {
        alpha: 2.0,
        beta: 2.0,
    };
    for stabilization in [Stabilization::default(), feedback, Stabilization::None] {
        check_fading(SemiImplicitEuler::new(0.125), stabilization);
        check_fading(Rk4::new(0.125), stabilization);
        check_fading(Rattle::new(0.125), stabilization);
    }
}

#[test]
fn a_singular_mass_matrix_is_an_error() {
    // On the vertical the turn moves nothing.
    let error =
        SphericalPendulum::default().acceleration(0.0, &[0.0, 0.3].into(), &[0.1, 0.2].into());
    assert!(
        matches!(error, Err(Error::SingularMass { .. })),
        "{error:?}"
    );
    let start = State::new(0.0, [0.0, 0.3], [0.1, 0.2]);
    let error = Simulation::new(SphericalPendulum::default(), start, Rk4::new(0.1))
        .unwrap()
        .step()
        .unwrap_err();
    let message = "the mass matrix is singular at `turn` at t = 0: pivot 0";
    assert_eq!(error.to_string(), message);
}

/// Of a length that is zero the coordinate is told, since no mass is.
#[test]
fn a_coordinate_without_inertia_is_told_at_the_start() {
    let arm = Arm {
        l2: 0.0,
        ..Default::default()
    };
    let start = State::new(0.0, [1.0, 0.0], [0.0, 0.0]);
    let error = Simulation::new(arm, start, Rk4::new(0.1)).unwrap_err();
    let message = "the mass matrix is singular at `elbow`: pivot 0";
    assert_eq!(error.to_string(), message);
}

#[test]
fn every_kind_of_system_is_right_about_itself() {
    verify!(Rods::<f64>::default());
    verify!(Angles::<f64>::default());
    verify!(Chain::<f64>::default());
    verify!(RolledChain::<f64>::default());
    verify!(CrankAndRocker::<f64>::default());
    verify!(Scissors::<f64>::default());
    verify!(SliderCrank::<f64>::default());
    verify!(Sleigh::<f64>::default());
    verify!(TurningWire::<f64>::default());
    verify!(SphericalPendulum::<f64>::default());
    verify!(TurningHoop::<f64>::default());
    verify!(Torus::<f64>::default());
    verify!(Arm::<f64>::default());
    verify!(Telescope::<f64>::default());
    verify!(LemniscateBead::<f64>::default());
    verify!(CycloidBeads::<f64>::default());
}
