//! What systems tell by name: outputs against mechanics by hand, differences along the motion, and λ and v̇ themselves.

use approx::{assert_abs_diff_eq, assert_relative_eq};
use constraint_runtime::make_consistent;
use constraint_runtime::prelude::*;

/// Numbers between -1 and 1, the same for ever.
fn noise(i: usize) -> f64 {
    (12.9898 * i as f64 + 4.1).sin()
}

system! {
    pub struct Pendulum { m: Real = 2, l: Real = 0.7, g: Real = 9.81 }
    particle bob: Point2 { mass: m }
    constraint rod: norm(bob) == l;
    gravity [0, -g];
    output tension = -multiplier(rod);
    output felt = acceleration(bob) + [0, g];
}

/// The rod pulls with m (g cos θ + l θ̇²), and nothing but the rod acts on what falls.
#[test]
fn the_tension_of_a_pendulum_is_that_of_the_textbook() -> Result<(), Error> {
    let pendulum = Pendulum::<f64>::default();
    let Pendulum { m, l, g } = pendulum;
    for i in 0..20 {
        let (angle, rate) = (3.0 * noise(i), 4.0 * noise(i + 20));
        let (sin, cos) = angle.sin_cos();
        let q = Vector2::new(l * sin, -l * cos);
        let v = Vector2::new(cos, sin) * (l * rate);
        let PendulumOutputs { tension, felt } = pendulum.outputs(0.0, &q, &v)?;
        let expected = m * (g * cos + l * rate * rate);
        assert_relative_eq!(tension, expected, max_relative = 1e-12, epsilon = 1e-12);
        assert_abs_diff_eq!(felt, -q / l * (tension / m), epsilon = 1e-12);
    }
    Ok(())
}

system! {
    /// All kinds of places, in the plane.
    pub struct Crane { m: Real = 2, l: Real = 0.7, moment: Real = 0.4, g: Real = 9.81 }
    input push;
    coordinate x, angle;
    gravity [0, -g];
    particle carriage = [x, x^2] { mass: 3 }
    particle hand = [x + l*sin(angle), -l*cos(angle)] { mass: m }
    particle bead[i in 0..4]: Point2 { mass: m*(i + 1) }
    body plate: Rigid2 { mass: m/2, inertia: moment }
    force x: push;
    constraint anchor: norm(bead[0] - at(plate, [l, l])) == l;
    constraint link[i in 1..4]: norm(bead[i] - bead[i - 1]) == l;
    constraint held: at(plate, [0, l]) == hand;
    output place = hand + [t, 0];
    output rate = velocity(hand + [t, 0]);
    output change = acceleration(hand + [t, 0]);
    output corner = at(plate, [l, 2*l]);
    output corner_rate = velocity(at(plate, [l, 2*l]));
    output corner_change = acceleration(at(plate, [l, 2*l]));
    output spin = angular_velocity(plate);
    output spin_change = angular_acceleration(plate);
    output pull[i in 1..4] = -multiplier(link[i]);
    output hold = multiplier(held);
    output driven = push*velocity(x);
    output stretch[i in 0..2][j in 0..3] = dot(bead[j + 1] - bead[j], [i, 1 - i]);
}

fn crane() -> CraneWithInputs {
    Crane::default().with_inputs(CraneInputs { push: 3.0 })
}

fn crane_state(
    crane: &CraneWithInputs,
) -> Result<State<SVector<f64, 14>, SVector<f64, 13>>, Error> {
    let mut q = SVector::<f64, 14>::from_fn(|i, _| i as f64 / 6.0 + noise(i) / 4.0);
    crane.normalize(&mut q);
    let v = SVector::<f64, 13>::from_fn(|i, _| noise(i + 40) / 4.0);
    make_consistent(crane, State::new(0.25, q, v))
}

#[test]
fn rates_and_accelerations_are_differences_along_the_motion() -> Result<(), Error> {
    let crane = crane();
    let start = crane_state(&crane)?;
    let h = 1e-4;
    let run = Simulation::new(crane, start, Rk4::new(h))?;
    let mut run = run.with_stabilization(Stabilization::None);
    let mut told = vec![run.outputs()?];
    for _ in 0..2 {
        run.step()?;
        told.push(run.outputs()?);
    }
    let [before, now, after] = [&told[0], &told[1], &told[2]];
    let near = |found: Vector2<f64>, a: Vector2<f64>, b: Vector2<f64>| {
        assert_abs_diff_eq!(found, (b - a) / (2.0 * h), epsilon = 1e-5);
    };
    near(now.rate, before.place, after.place);
    near(now.change, before.rate, after.rate);
    near(now.corner_rate, before.corner, after.corner);
    near(now.corner_change, before.corner_rate, after.corner_rate);
    let spin_change = (after.spin - before.spin) / (2.0 * h);
    assert_abs_diff_eq!(now.spin_change, spin_change, epsilon = 1e-5);
    Ok(())
}

#[test]
fn outputs_are_made_of_the_multipliers_and_of_the_state() -> Result<(), Error> {
    let crane = crane();
    let state = crane_state(&crane)?;
    let State { t, q, v } = &state;
    let told = crane.outputs(*t, q, v)?;
    let lambda = crane.multipliers(*t, q, v)?;
    let row = |name: &str| {
        Crane::<f64>::CONSTRAINTS
            .iter()
            .position(|it| *it == name)
            .unwrap()
    };
    for i in 1..4 {
        let expected = -lambda[row(&format!("link[{i}]"))];
        assert_relative_eq!(told.pull[i], expected, max_relative = 1e-9);
    }
    assert_relative_eq!(told.hold.x, lambda[row("held.x")], max_relative = 1e-9);
    assert_relative_eq!(told.hold.y, lambda[row("held.y")], max_relative = 1e-9);
    assert_eq!(told.driven, 3.0 * v[0]);
    let bead = CraneCoordinates::from(*q).bead;
    for j in 0..3 {
        let apart = bead[j + 1] - bead[j];
        assert_eq!([told.stretch[0][j], told.stretch[1][j]], [apart.y, apart.x]);
    }
    Ok(())
}

#[test]
fn multipliers_have_the_names_of_their_rows() -> Result<(), Error> {
    let crane = crane();
    let run = Simulation::new(crane, crane_state(&crane)?, Rk4::new(1e-3))?;
    let lambda = run.multipliers()?;
    let named = [
        lambda.anchor,
        lambda.link[1],
        lambda.link[2],
        lambda.link[3],
        lambda.held.x,
        lambda.held.y,
    ];
    assert_eq!(SVector::from(named), lambda.flat);
    assert_eq!(lambda[2], lambda.flat[2]);
    Ok(())
}

system! {
    /// Rows of two names in turns, of three numbers each, and indices in no order.
    pub struct Rows { l: Real = 1 }
    particle p[3]: Point3 { mass: 1 }
    particle q[3]: Point3 { mass: 1 }
    for i in 0..3 {
        constraint level[2*i]: p[i].z == l;
        constraint pair[i]: [p[i].x - q[i].x, p[i].y - q[i].y];
    }
    constraint turn: [q[0].z == 0, q[1].z == 0, q[2].z == 0, q[0].x == p[1].y];
    output fourth = multiplier(turn[3]);
    output first = multiplier(pair[0]);
}

#[test]
fn rows_that_are_no_array_stay_in_the_flat_vector() -> Result<(), Error> {
    let start = State::new(0.0, [0.0; 18], [0.0; 18]);
    let start = make_consistent(&Rows::default(), start)?;
    let run = Simulation::new(Rows::default(), start, Rk4::new(1e-3))?;
    let lambda = run.multipliers()?;
    // `level` has the indices 0, 2 and 4.
    let RowsMultipliers { pair, turn } = *lambda;
    assert_eq!(pair[2], [lambda[7], lambda[8]]);
    assert_eq!(turn, [lambda[9], lambda[10], lambda[11], lambda[12]]);
    let told = run.outputs()?;
    assert_eq!(
        (told.fourth, told.first),
        (lambda[12], [lambda[1], lambda[2]].into())
    );
    Ok(())
}

/// The same chain in loops and written out; `$($output)*` stands at the end of both.
macro_rules! chains {
    ($looped:ident, $written:ident $outputs:tt) => {
        chains!(@ rolled $looped $outputs);
        chains!(@ unrolled $written $outputs);
    };
    (@ $option:ident $name:ident { $($output:tt)* }) => {
        system! {
            #[solver($option)]
            pub struct $name { m: [Real; 30] = 0.3, k: Real = 2, l: Real = 0.5, g: Real = 9.81 }
            gravity [0, -g];
            particle bead[i in 0..30]: Point2 { mass: m[i] }
            constraint anchor: norm(bead[0]) == l;
            constraint link[i in 1..30]: norm(bead[i] - bead[i - 1]) == l;
            dissipation k*norm_squared(velocity(bead[29]));
            $($output)*
        }
    };
}
chains!(Looped, Written {
    output pull[i in 1..30] = -multiplier(link[i]);
    output anchor = multiplier(anchor);
    output change[i in 0..30] = acceleration(bead[i]) + [0, g];
    output kick = m[3]*norm(acceleration(bead[3]));
    output length[i in 1..30] = norm(bead[i] - bead[i - 1]);
    output brake = -k*velocity(bead[29]);
});
chains!(@ rolled LoopedPulls { output pull[i in 1..30] = -multiplier(link[i]); });
chains!(LoopedPlaces, WrittenPlaces {
    output tip = bead[29];
    output speed[i in 0..30] = norm(velocity(bead[i]));
});
chains!(Silent, SilentWritten {});

#[test]
fn outputs_in_loops_are_those_written_out() -> Result<(), Error> {
    let m = core::array::from_fn(|i| 1.5 + noise(i));
    let looped = Looped {
        m,
        ..Looped::default()
    };
    let written = Written {
        m,
        ..Written::default()
    };
    let q = SVector::<f64, 60>::from_fn(|i, _| i as f64 / 3.0 + noise(i) / 4.0);
    let v = SVector::<f64, 60>::from_fn(|i, _| noise(i + 40));
    let (a, b) = (looped.outputs(0.0, &q, &v)?, written.outputs(0.0, &q, &v)?);
    let near = |a: f64, b: f64| assert_relative_eq!(a, b, max_relative = 1e-9, epsilon = 1e-9);
    for i in 1..30 {
        near(a.pull[i], b.pull[i]);
        assert_eq!(a.length[i], b.length[i]);
    }
    for i in 0..30 {
        near(a.change[i].x, b.change[i].x);
        near(a.change[i].y, b.change[i].y);
    }
    near(a.kick, b.kick);
    near(a.anchor, b.anchor);
    assert_eq!(a.brake, b.brake);
    let lambda = looped.acceleration_and_multipliers(0.0, &q, &v)?.1;
    assert_eq!((a.anchor, a.pull[7]), (lambda[0], -lambda[7]));
    let pulls = LoopedPulls {
        m,
        ..LoopedPulls::default()
    }
    .outputs(0.0, &q, &v)?;
    near(pulls.pull[29], a.pull[29]);
    let places = LoopedPlaces {
        m,
        ..LoopedPlaces::default()
    }
    .outputs(0.0, &q, &v)?;
    assert_eq!(places.tip, Vector2::new(q[58], q[59]));
    Ok(())
}

fn cost(derivation: Derivation, name: &str) -> u32 {
    derivation.entry(name).cost.total()
}

#[test]
fn outputs_cost_what_they_ask_for() {
    // Places and velocities alone: 30 times two squares, a sum and a root.
    assert_eq!(cost(LoopedPlaces::<f64>::DERIVATION, "outputs"), 30 * 4);
    assert_eq!(cost(WrittenPlaces::<f64>::DERIVATION, "outputs"), 30 * 4);
    let both = cost(Written::<f64>::DERIVATION, "acceleration_and_multipliers");
    let told = cost(Written::<f64>::DERIVATION, "outputs");
    assert!(told < both + 29 * 7 + 30 * 2 + 10, "{told} and {both}");
    for name in [
        "acceleration",
        "multipliers",
        "acceleration_and_multipliers",
        "correction",
    ] {
        let [with, without] =
            [Looped::<f64>::DERIVATION, Silent::<f64>::DERIVATION].map(|it| cost(it, name));
        assert_eq!(with, without, "{name} in loops");
        let [with, without] =
            [Written::<f64>::DERIVATION, SilentWritten::<f64>::DERIVATION].map(|it| cost(it, name));
        assert_eq!(with, without, "{name}");
    }
}

system! {
    #[redundant(least_squares)]
    pub struct Held { m: Real = 2, g: Real = 10 }
    particle p: Point2 { mass: m }
    gravity [0, -g];
    constraint left: p.y == 0;
    constraint right: 2*p.y == 0;
    output load = multiplier(left) + 2*multiplier(right);
    output change = acceleration(p);
    output place = p;
}

system! {
    /// Two rods that say the same where the bead stands between them.
    pub struct Between { m: Real = 2 }
    particle p: Point2 { mass: m }
    constraint left: norm_squared(p - [1, 0]) == 1;
    constraint right: norm_squared(p + [1, 0]) == 1;
    output place = p;
}

#[test]
fn rows_that_follow_from_others_share_what_outputs_tell() -> Result<(), Error> {
    let told = Held::<f64>::default().outputs(0.0, &Vector2::zeros(), &Vector2::zeros())?;
    assert_relative_eq!(told.load, 20.0, max_relative = 1e-14);
    assert_abs_diff_eq!(told.change, Vector2::zeros(), epsilon = 1e-14);
    // Nothing is solved where nothing is asked for that would have to be.
    let (between, zero) = (Between::<f64>::default(), Vector2::zeros());
    assert!(between.acceleration(0.0, &zero, &zero).is_err());
    assert_eq!(between.outputs(0.0, &zero, &zero)?.place, zero);
    Ok(())
}

system! {
    pub struct Top { a: Real = 1, c: Real = 2 }
    body top: Rigid3 { mass: 1, inertia: [a, a, c] }
    torque top: [1, 2, 3];
    output change = angular_acceleration(top);
    output tip = acceleration(at(top, [0, 0, 1]));
}

/// Unturned and at rest, ω̇ = I⁻¹ τ, and the tip moves with ω̇×r.
#[test]
fn a_body_tells_its_angular_acceleration() -> Result<(), Error> {
    let rest = TopCoordinates::default().into();
    let told = Top::<f64>::default().outputs(0.0, &rest, &SVector::zeros())?;
    assert_eq!(told.change, Vector3::new(1.0, 2.0, 1.5));
    assert_eq!(told.tip, told.change.cross(&Vector3::z()));
    Ok(())
}

#[test]
fn outputs_are_told_as_they_were_written() {
    let told = Pendulum::<f64>::DERIVATION.entry("outputs");
    assert_eq!(
        told.text,
        "tension = −lambda_rod\nfelt = [a_bob.x, g + a_bob.y]"
    );
}
