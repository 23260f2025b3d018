//! The adaptive integrator: against its authors' own figures, and where it must refuse.

use std::cell::Cell;

use crate::by_hand::*;
use approx::assert_relative_eq;
use constraint_runtime::prelude::*;
use num_dual::Dual64;
use simba::simd::{SimdValue, WideF64x4};

/// A system that counts the evaluations of its acceleration.
struct Counted<S> {
    system: S,
    evaluations: Cell<usize>,
    energies: Cell<usize>,
}

impl<S> Counted<S> {
    fn new(system: S) -> Self {
        let evaluations = Cell::new(0);
        Self {
            system,
            evaluations,
            energies: Cell::new(0),
        }
    }
}

impl<S: System<f64>> Dynamics<f64> for Counted<S> {
    type Q = S::Q;
    type V = S::V;
    type Coordinates = S::Coordinates;
    type Velocities = S::Velocities;
    fn acceleration(&self, t: f64, q: &S::Q, v: &S::V) -> Result<S::V, Error> {
        self.evaluations.set(self.evaluations.get() + 1);
        self.system.acceleration(t, q, v)
    }
    fn kinetic_energy(&self, t: f64, q: &S::Q, v: &S::V) -> f64 {
        self.energies.set(self.energies.get() + 1);
        self.system.kinetic_energy(t, q, v)
    }
    fn potential_energy(&self, t: f64, q: &S::Q) -> f64 {
        self.system.potential_energy(t, q)
    }
    fn kinematics(&self, t: f64, q: &S::Q, v: &S::V) -> S::Q {
        self.system.kinematics(t, q, v)
    }
}

impl<S: System<f64>> System<f64> for Counted<S> {}

impl<S: System<f64>> Constrained<f64> for Counted<S> {
    type Rows = S::Rows;
    type Jacobian = S::Jacobian;
    type Multipliers = S::Multipliers;

    fn multipliers(&self, t: f64, q: &S::Q, v: &S::V) -> Result<S::Rows, Error> {
        self.system.multipliers(t, q, v)
    }
    fn constraint_force(&self, t: f64, q: &S::Q, v: &S::V) -> Result<S::V, Error> {
        self.system.constraint_force(t, q, v)
    }
    fn constraint(&self, t: f64, q: &S::Q) -> S::Rows {
        self.system.constraint(t, q)
    }
    fn constraint_rate(&self, t: f64, q: &S::Q, v: &S::V) -> S::Rows {
        self.system.constraint_rate(t, q, v)
    }
    fn jacobian(&self, t: f64, q: &S::Q) -> S::Jacobian {
        self.system.jacobian(t, q)
    }
    fn bias(&self, t: f64, q: &S::Q, v: &S::V) -> S::Rows {
        self.system.bias(t, q, v)
    }
    fn correction(&self, t: f64, q: &S::Q, b: &S::Rows) -> Result<S::V, Error> {
        self.system.correction(t, q, b)
    }
}

/// Moon, earth and a satellite, in the frame that turns with the first two.
struct Arenstorf;

impl Dynamics<f64> for Arenstorf {
    type Q = SVector<f64, 2>;
    type V = SVector<f64, 2>;
    type Coordinates = Vector2<f64>;
    type Velocities = Vector2<f64>;
    fn acceleration(
        &self,
        _t: f64,
        q: &Vector2<f64>,
        v: &Vector2<f64>,
    ) -> Result<Vector2<f64>, Error> {
        let moon = 0.012277471;
        let earth = 1.0 - moon;
        let (from_earth, from_moon) = (q + Vector2::new(moon, 0.0), q - Vector2::new(earth, 0.0));
        let pull = from_earth * (earth / from_earth.norm().powi(3))
            + from_moon * (moon / from_moon.norm().powi(3));
        Ok(q + 2.0 * Vector2::new(v.y, -v.x) - pull)
    }
    fn kinetic_energy(&self, _t: f64, _q: &Vector2<f64>, v: &Vector2<f64>) -> f64 {
        0.5 * v.norm_squared()
    }
    fn potential_energy(&self, _t: f64, _q: &Vector2<f64>) -> f64 {
        0.0
    }
}

impl Unconstrained for Arenstorf {}

/// What DOPRI5 prints for this orbit at rtol = atol = 1e-7, by its driver DR_DOPRI5 in the appendix
/// of Hairer, Nørsett, Wanner, *Solving Ordinary Differential Equations I*: time, place and number
/// of steps until then.
const DOPRI5: [(f64, [f64; 2], usize); 8] = [
    (2.0, [-0.579_878_141_1, 0.609_077_525_1], 60),
    (4.0, [-0.198_333_527_0, 1.137_638_086], 73),
    (6.0, [-0.473_574_394_3, 0.223_906_811_8], 91),
    (8.0, [-1.174_553_350, -0.275_946_698_2], 110),
    (10.0, [-0.839_807_346_6, 0.446_830_226_8], 122),
    (12.0, [0.013_147_124_68, -0.838_575_149_9], 145),
    (14.0, [-0.603_112_950_4, -0.991_259_803_1], 159),
    (16.0, [0.242_711_099_9, -0.389_994_883_3], 177),
];
const DOPRI5_STEPS: usize = 216;
const DOPRI5_EVALUATIONS: usize = 1442;
const PERIOD: f64 = 17.065_216_560_157_963;

/// DOPRI5's first step at rtol = atol = 1e-7, which has a unit of time: section II.4 of the same book.
fn dopri5_first_step(start: &State<SVector<f64, 2>>) -> f64 {
    let slope = |q: &Vector2<f64>, v: &Vector2<f64>| {
        (*v, Arenstorf.acceleration(0.0, q, v).expect("is regular"))
    };
    let norm = |q: &Vector2<f64>, v: &Vector2<f64>| {
        let part = |x: f64, y: f64| (x / (1e-7 + 1e-7 * y.abs())).powi(2);
        let sum = q.zip_map(&start.q, part).sum() + v.zip_map(&start.v, part).sum();
        (sum / 4.0).sqrt()
    };
    let State { q, v, .. } = start;
    let (q_dot, v_dot) = slope(q, v);
    let (size, speed) = (norm(q, v), norm(&q_dot, &v_dot));
    let h = 0.01 * size / speed;
    let (q_ahead, v_ahead) = slope(&(q + q_dot * h), &(v + v_dot * h));
    let bend = norm(&(q_ahead - q_dot), &(v_ahead - v_dot)) / h;
    (0.01 / speed.max(bend)).powf(0.2).min(100.0 * h)
}

#[test]
fn the_arenstorf_orbit_runs_as_in_dopri5() {
    let start = State::new(0.0, [0.994, 0.0], [0.0, -2.001_585_106_379_082_5]);
    let orbit = Counted::new(Arenstorf);
    let method = DormandPrince::new(1e-7, 1e-7).with_first_step(dopri5_first_step(&start));
    let mut run = Simulation::new(orbit, start, method).unwrap();
    let (mut steps, mut shown) = (0_usize, DOPRI5.iter().peekable());
    // The last step, which is cut to end at the period, differs.
    while run.state().t < 16.5 {
        run.step().unwrap();
        steps += 1;
        while let Some((t, place, dopri5)) = shown.next_if(|(t, ..)| *t <= run.state().t) {
            let found = run.interpolant().unwrap().state_at(*t).q;
            // Rounding grows along this orbit: to 1e-10 at first, to 1e-8 in the end.
            assert_relative_eq!(found, Vector2::from(*place), epsilon = 1e-7);
            assert_eq!(steps, *dopri5, "t = {t}");
        }
    }
    run.run_until_with(PERIOD, |_| steps += 1).unwrap();
    assert!(shown.next().is_none());
    assert!(steps.abs_diff(DOPRI5_STEPS) <= 1, "{steps} steps");
    let evaluations = run.system().evaluations.get();
    assert!(
        evaluations.abs_diff(DOPRI5_EVALUATIONS) <= 12,
        "{evaluations}"
    );
    assert_relative_eq!(run.state().q, start.q, epsilon = 1e-5);
}

mod steps {
    use super::*;

    fn pendulum() -> Counted<impl System<f64, Q = SVector<f64, 2>, V = SVector<f64, 2>>> {
        Counted::new(Particle::new(1.0).on(Circle).under_gravity([0.0, -9.81]))
    }

    fn level() -> State<SVector<f64, 2>> {
        State::new(0.0, [1.0, 0.0], [0.0, 0.0])
    }

    #[test]
    fn the_last_slope_is_used_again_under_every_stabilisation() {
        let feedback = Stabilization::Baumgarte {
            alpha: 5.0,
            beta: 5.0,
        };
        for stabilization in [Stabilization::default(), feedback, Stabilization::None] {
            let mut run = Simulation::new(pendulum(), level(), DormandPrince::new(1e-6, 1e-6))
                .unwrap()
                .with_stabilization(stabilization);
            let mut attempts = Vec::new();
            run.step().unwrap();
            // Two to start with, then six for each attempt.
            let mut before = run.system().evaluations.get();
            assert_eq!(before, 2 + 6);
            for _ in 0..50 {
                run.step().unwrap();
                let now = run.system().evaluations.get();
                attempts.push(now - before);
                before = now;
            }
            assert!(attempts.iter().all(|n| n % 6 == 0), "{attempts:?}");
            assert!(
                attempts.iter().filter(|n| **n == 6).count() > 40,
                "{attempts:?}"
            );
        }
    }

    #[test]
    fn after_a_rejection_no_step_grows() {
        // A pendulum that gets a blow every second: steps run into it that are too long.
        let blows = |t: f64, _: &Vector2<f64>, _: &Vector2<f64>| {
            let since = t.rem_euclid(1.0) - 0.5;
            Vector2::new(0.0, -9.81 - 500.0 * (-1e4 * since * since).exp())
        };
        // One that has no force beyond a time: a step that is short enough may have no error to speak of.
        let ends = |t: f64, _: &Vector2<f64>, _: &Vector2<f64>| {
            Vector2::new(0.0, if t < 10.0 { -9.81 } else { f64::NAN })
        };
        assert!(rejections_without_growth(Particle::new(1.0).on(Circle).under(blows)) > 10);
        assert!(rejections_without_growth(Particle::new(1.0).on(Circle).under(ends)) > 10);
    }

    /// Runs a pendulum for 20 s, or as far as it comes, and counts its steps of several attempts.
    fn rejections_without_growth(
        pendulum: impl System<f64, Q = SVector<f64, 2>, V = SVector<f64, 2>>,
    ) -> usize {
        let method = DormandPrince::new(1e-6, 1e-6);
        let mut run = Simulation::new(Counted::new(pendulum), level(), method).unwrap();
        run.step().unwrap();
        let mut evaluations = run.system().evaluations.get();
        let (mut rejections, mut rejected, mut before) = (0, false, f64::INFINITY);
        while run.state().t < 20.0 {
            let t = run.state().t;
            if run.step().is_err() {
                break;
            }
            let (length, now) = (run.state().t - t, run.system().evaluations.get());
            // Times have a rounding of their own.
            let most = before + 4.0 * f64::EPSILON * t;
            assert!(!rejected || length <= most, "{length} after {before}");
            rejected = now - evaluations > 6;
            rejections += usize::from(rejected);
            (evaluations, before) = (now, length);
        }
        rejections
    }

    /// At rest in the origin, under a force that sets in at the time `t0` and rises by 10²⁰ a second.
    struct SettingIn {
        t0: f64,
    }

    impl Dynamics<f64> for SettingIn {
        type Q = SVector<f64, 1>;
        type V = SVector<f64, 1>;
        type Coordinates = SVector<f64, 1>;
        type Velocities = SVector<f64, 1>;
        fn acceleration(
            &self,
            t: f64,
            _q: &SVector<f64, 1>,
            _v: &SVector<f64, 1>,
        ) -> Result<SVector<f64, 1>, Error> {
            Ok([1e20 * (t - self.t0).max(0.0)].into())
        }
        fn kinetic_energy(&self, _t: f64, _q: &SVector<f64, 1>, v: &SVector<f64, 1>) -> f64 {
            0.5 * v.x * v.x
        }
        fn potential_energy(&self, _t: f64, _q: &SVector<f64, 1>) -> f64 {
            0.0
        }
    }

    impl Unconstrained for SettingIn {}

    /// Where nothing moves, one looks ahead by h₀ for d₂ = |f(t₀ + h₀) − f(t₀)|/h₀, 10²⁰/√2 in the mean over the two
    /// entries; with 97/120000 (ω h)⁵ = 0.01 for ω² = d₂, the first step changes y by about what is allowed.
    #[test]
    fn the_first_step_looks_ahead_in_time() {
        for t0 in [0.0, 2.0, -3.0] {
            let start = State::new(t0, [0.0], [0.0]);
            let method = DormandPrince::new(0.0, 1.0);
            let mut run = Simulation::new(SettingIn { t0 }, start, method).unwrap();
            run.step().unwrap();
            let exact = (0.01 * 120_000.0 / 97.0_f64).powf(0.2) / (1e20 / 2.0_f64.sqrt()).sqrt();
            // Time has its own rounding.
            assert_relative_eq!(run.state().t - t0, exact, max_relative = 1e-4);
        }
    }

    /// Only where a coordinate turns round, a correction is more than a small part of its way.
    #[test]
    fn projection_asks_for_no_energies_of_steps_that_go_on() {
        let mut run = Simulation::new(pendulum(), level(), Rk4::new(0.001)).unwrap();
        let before = run.system().energies.get();
        run.run_until(10.0).unwrap();
        // Three for a correction, of ten thousand or so; y turns at the bottom, both at the ends.
        let asked = run.system().energies.get() - before;
        assert!(asked < 300, "{asked}");
    }

    #[test]
    fn projection_leaves_rounding_only() {
        let mut run = Simulation::new(pendulum(), level(), DormandPrince::new(1e-6, 1e-6)).unwrap();
        run.run_until_with(20.0, |state| {
            assert!((0.5 * (state.q.norm_squared() - 1.0)).abs() < 1e-15);
            assert!(state.q.dot(&state.v).abs() < 1e-14);
        })
        .unwrap();
        assert_eq!(run.state().t, 20.0);
    }

    #[test]
    fn a_time_is_reached_exactly_without_a_tiny_step() {
        let mut run = Simulation::new(pendulum(), level(), DormandPrince::new(1e-8, 1e-8)).unwrap();
        for end in [0.1, 0.3, 0.30001, 2.0, 7.3] {
            let mut times = vec![run.state().t];
            run.run_until_with(end, |state| times.push(state.t))
                .unwrap();
            assert_eq!(run.state().t, end);
            let lengths: Vec<_> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
            if let [.., before, last] = lengths[..] {
                assert!(last > 0.2 * before, "{lengths:?}");
            }
        }
    }

    #[test]
    fn a_cut_step_does_not_shorten_those_that_follow() {
        let steps = |ends: &[f64]| {
            let method = DormandPrince::new(1e-6, 1e-6);
            let mut run = Simulation::new(pendulum(), level(), method).unwrap();
            let mut steps = 0;
            for end in ends {
                run.run_until_with(*end, |_| steps += 1).unwrap();
            }
            steps
        };
        assert!(steps(&[2.0, 2.000001, 4.0]) <= steps(&[4.0]) + 3);
    }

    #[test]
    fn the_first_step_may_be_given() {
        let method = DormandPrince::new(1e-3, 1e-3);
        let mut run = Simulation::new(pendulum(), level(), method.with_first_step(1e-3)).unwrap();
        run.step().unwrap();
        assert_eq!(run.state().t, 1e-3);
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let refused = Simulation::new(pendulum(), level(), method.with_first_step(bad)).err();
            assert!(
                matches!(refused, Some(Error::InvalidStepSize { .. })),
                "{bad}: {refused:?}"
            );
        }
    }

    #[test]
    fn no_step_is_longer_than_asked() {
        let method = DormandPrince::new(1e-3, 1e-3).with_longest_step(0.01);
        let mut run = Simulation::new(pendulum(), level(), method).unwrap();
        let mut before = 0.0;
        run.run_until_with(1.0, |state| {
            assert!(state.t - before < 0.010_001);
            before = state.t;
        })
        .unwrap();
    }

    #[test]
    fn states_between_two_steps_lie_on_the_motion() {
        // A free bead turns about the unit circle with angular speed 1.
        let start = State::new(0.0, [1.0, 0.0], [0.0, 1.0]);
        let bead = Particle::new(1.0).on(Circle);
        let mut run = Simulation::new(bead, start, DormandPrince::new(1e-9, 1e-9)).unwrap();
        run.run_until(1.0).unwrap();
        run.step().unwrap();
        let motion = run.interpolant().unwrap();
        assert_eq!(motion.start_time(), 1.0);
        assert_eq!(motion.state_at(motion.end_time()), *run.state());
        for theta in [0.1, 0.5, 0.9] {
            let t: f64 = 1.0 + theta * (motion.end_time() - 1.0);
            let exact = Vector2::new(t.cos(), t.sin());
            assert_relative_eq!(motion.state_at(t).q, exact, epsilon = 2e-8);
        }
    }
}

mod refusals {
    use super::*;

    fn pendulum(method: DormandPrince<f64>) -> Result<(), Error> {
        let start = State::new(0.0, [1.0, 0.0], [0.0, 0.0]);
        Simulation::new(Particle::new(1.0).on(Circle), start, method).map(drop)
    }

    #[test]
    fn a_tolerance_must_be_positive_and_finite() {
        for bad in [-1e-6, f64::NAN, f64::INFINITY] {
            for method in [DormandPrince::new(bad, 1e-6), DormandPrince::new(1e-6, bad)] {
                let error = pendulum(method).unwrap_err();
                assert!(matches!(error, Error::InvalidTolerance { .. }), "{error}");
            }
        }
        let error = pendulum(DormandPrince::new(0.0, 0.0)).unwrap_err();
        let message = "tolerance 0 leaves no error to allow: a relative or an absolute tolerance must be positive";
        assert_eq!(error.to_string(), message);
        for bad in [0.0, -1.0, f64::NAN] {
            let method = DormandPrince::new(1e-6, 1e-6).with_longest_step(bad);
            let error = pendulum(method).unwrap_err();
            assert!(matches!(error, Error::InvalidStepSize { .. }), "{error}");
        }
        pendulum(DormandPrince::new(1e-6, 0.0)).unwrap();
    }

    /// q̈ = 6 q² from q = 1, q̇ = 2 runs as q = (1 − t)⁻²: infinite at t = 1.
    struct BlowUp;

    impl Dynamics<f64> for BlowUp {
        type Q = SVector<f64, 1>;
        type V = SVector<f64, 1>;
        type Coordinates = SVector<f64, 1>;
        type Velocities = SVector<f64, 1>;
        fn acceleration(
            &self,
            _t: f64,
            q: &SVector<f64, 1>,
            _v: &SVector<f64, 1>,
        ) -> Result<SVector<f64, 1>, Error> {
            Ok([6.0 * q.x * q.x].into())
        }
        fn kinetic_energy(&self, _t: f64, _q: &SVector<f64, 1>, v: &SVector<f64, 1>) -> f64 {
            0.5 * v.x * v.x
        }
        fn potential_energy(&self, _t: f64, q: &SVector<f64, 1>) -> f64 {
            -2.0 * q.x.powi(3)
        }
    }

    impl Unconstrained for BlowUp {}

    #[test]
    fn a_singularity_in_finite_time_ends_in_an_underflow() {
        let start = State::new(0.0, [1.0], [2.0]);
        let mut run = Simulation::new(BlowUp, start, DormandPrince::new(1e-8, 1e-8)).unwrap();
        let error = run.run_until(2.0).unwrap_err();
        let Error::StepSizeUnderflow {
            time: Some(time), ..
        } = error
        else {
            panic!("{error}")
        };
        assert_relative_eq!(time, 1.0, epsilon = 1e-6);
        assert_eq!(run.state().t, time);
        assert!(run.state().q.x > 1e10 && run.state().q.x.is_finite());
        assert!(run.step().is_err() && run.state().t == time);
    }

    #[test]
    fn a_force_that_is_not_finite_is_approached_and_then_reported() {
        let bead = Particle::new(1.0)
            .on(Circle)
            .under(|t, _, _| Vector2::new(0.0, if t < 0.75 { -9.81 } else { f64::NAN }));
        let start = State::new(0.0, [1.0, 0.0], [0.0, 0.0]);
        let mut run = Simulation::new(bead, start, DormandPrince::new(1e-8, 1e-8)).unwrap();
        let error = run.run_until(2.0).unwrap_err();
        let Error::NonFinite {
            quantity,
            time: Some(time),
            ..
        } = error
        else {
            panic!("{error}")
        };
        assert_eq!(quantity, constraint_runtime::Quantity::Force);
        assert!(time < 0.75 && time > 0.75 - 1e-12, "{time}");
        assert_eq!(run.state().t, time);
    }

    #[test]
    fn a_step_that_is_rejected_again_and_again_is_given_up() {
        // The force jumps right after the start, and no step is short enough for this tolerance.
        let bead = Particle::new(1.0)
            .on(Circle)
            .under(|t, _, _| Vector2::new(0.0, if t > 0.0 { -9.81 } else { 0.0 }));
        let start = State::new(0.0, [1.0, 0.0], [0.0, 0.0]);
        let mut run = Simulation::new(bead, start, DormandPrince::new(0.0, 1e-140)).unwrap();
        let error = run.run_until(0.5).unwrap_err();
        assert!(matches!(error, Error::TooManyRejections { .. }), "{error}");
        assert_eq!(*run.state(), start);
    }

    /// A bead on a circle whose damping has the wrong sign: it turns faster and faster.
    fn pushed(
        most_steps: usize,
    ) -> Simulation<impl System<f64, Q = SVector<f64, 2>, V = SVector<f64, 2>>, DormandPrince<f64>>
    {
        let bead = Particle::new(1.0).on(Circle).under(|_, _, v| v * 3.0);
        let start = State::new(0.0, [1.0, 0.0], [0.0, 1.0]);
        let method = DormandPrince::new(1e-6, 1e-6).with_most_steps(most_steps);
        Simulation::new(bead, start, method).unwrap()
    }

    #[test]
    fn a_motion_that_explodes_ends_with_its_steps() {
        let mut run = pushed(300);
        let mut taken = 0;
        let error = run.run_until_with(50.0, |_| taken += 1).unwrap_err();
        let Error::TooManySteps {
            steps: 300,
            step_size,
            target: 50.0,
            time: Some(time),
        } = error
        else {
            panic!("{error}")
        };
        assert_eq!((taken, run.state().t), (300, time));
        // The speed is exp(3 t): what is left of the run would take many times more steps.
        assert_relative_eq!(
            run.state().v.norm(),
            (3.0 * time).exp(),
            max_relative = 1e-3
        );
        assert!(
            step_size > 0.0 && (50.0 - time) / step_size > 3e3,
            "{error}"
        );
    }

    #[test]
    fn steps_are_counted_towards_each_time_anew() {
        let mut run = pushed(40);
        for end in 1..=4 {
            run.run_until(f64::from(end) * 0.25).unwrap();
        }
        for _ in 0..100 {
            run.step().unwrap();
        }
        let time = run.state().t;
        assert!(matches!(
            run.run_until(9.0),
            Err(Error::TooManySteps { .. })
        ));
        assert!(run.state().t > time);
    }

    #[test]
    fn a_singular_start_is_reported_at_once() {
        let start = State::new(0.0, [0.0, 0.0], [0.0, 0.0]);
        let bead = Counted::new(Particle::new(1.0).on(CrossingLines));
        let mut run = Simulation::new(bead, start, DormandPrince::new(1e-8, 1e-8)).unwrap();
        assert!(matches!(run.step().unwrap_err(), Error::Singular { .. }));
        assert_eq!(run.system().evaluations.get(), 1);
    }
}

mod scalars {
    use super::*;

    fn end<T: Real>(x: T) -> State<SVector<T, 2>> {
        let bead = Particle::new(T::one())
            .on(Parabola)
            .under_gravity([T::zero(), T::lit(-9.81)]);
        let start = State::new(
            T::zero(),
            [x, -x * x / T::lit(100.0)],
            [T::zero(), T::zero()],
        );
        let method = DormandPrince::new(T::lit(1e-6), T::lit(1e-6));
        let mut run = Simulation::new(bead, start, method).unwrap();
        run.run_until(T::lit(3.0)).unwrap();
        *run.state()
    }

    #[test]
    fn lanes_choose_their_own_steps() {
        let starts = [1.0, -20.0, 30.0, 70.0];
        let wide = end(WideF64x4::from(starts));
        for (lane, start) in starts.into_iter().enumerate() {
            assert_eq!(wide.t.extract(lane), 3.0);
            let alone = end(start);
            assert_relative_eq!(wide.q.x.extract(lane), alone.q.x, max_relative = 1e-5);
        }
    }

    #[test]
    fn single_precision_and_dual_numbers_run_too() {
        let double = end(30.0_f64).q.x;
        assert_relative_eq!(f64::from(end(30.0_f32).q.x), double, max_relative = 1e-4);
        let (d, dual) = (1e-3, end(Dual64::from(30.0).derivative()).q.x);
        assert_relative_eq!(dual.re, double, max_relative = 1e-12);
        let difference = (end(30.0 + d).q.x - end(30.0 - d).q.x) / (2.0 * d);
        assert_relative_eq!(dual.eps, difference, max_relative = 1e-4);
    }
}

system! {
    /// A weight on a spring: x = cos t.
    #[derivatives]
    struct Oscillator { k: Real = 1 }
    coordinate x;
    particle p = [x, 0] { mass: 1 }
    potential k/2*x^2;
}

system! {
    /// The same, and another weight that rests far away.
    #[derivatives]
    struct Accompanied { k: Real = 1 }
    coordinate x;
    coordinate far;
    particle p = [x, 0] { mass: 1 }
    particle o = [far, 1] { mass: 1 }
    potential k/2*x^2;
}

/// Errors of x and of its speed after 20 s by both methods, with their names.
fn errors<S: System<f64> + Clone>(
    system: &S,
    start: &State<S::Q, S::V>,
    rtol: f64,
    atol: f64,
) -> [(f64, String); 2] {
    fn error<S: System<f64> + Clone, I: Integrator<Scalar = f64> + std::fmt::Debug + Clone>(
        system: &S,
        start: &State<S::Q, S::V>,
        method: I,
    ) -> (f64, String) {
        let run = Simulation::new(system.clone(), start.clone(), method.clone());
        let mut run = run.expect("a start");
        let reached = run.run_until(20.0);
        reached.unwrap_or_else(|error| panic!("{method:?}: {error}"));
        let State { q, v, .. } = run.state();
        let (place, speed) = (q[0] - 20.0_f64.cos(), v[0] + 20.0_f64.sin());
        (place.abs().max(speed.abs()), format!("{method:?}"))
    }
    [
        error(system, start, Radau5::new(rtol, atol)),
        error(system, start, DormandPrince::new(rtol, atol)),
    ]
}

fn combinations() -> impl Iterator<Item = (f64, f64)> {
    let tolerances = [1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-13];
    let all = tolerances.into_iter();
    all.flat_map(move |rtol| tolerances.map(|atol| (rtol, atol)))
}

/// Errors after 20 s are those of a few steps at what the tolerances allow, whichever of both decides: a tighter one of
/// them never makes them larger than the other one allows.
#[test]
fn every_combination_of_tolerances_is_held() {
    let start = State::new(0.0, [1.0], [0.0]);
    for (rtol, atol) in combinations() {
        let allowed = 30.0 * (rtol + atol) + 1e-12;
        for (error, method) in errors(&Oscillator::default(), &start, rtol, atol) {
            assert!(error <= allowed, "{method} errs by {error:e}");
        }
    }
}

/// What rests far away loosens nothing: it counts in the mean over all entries, which it makes smaller by √2, as an error
/// of zero. Errors of order 5 are estimated by those of order 3, and may grow by (√2)^(3/2).
#[test]
fn what_rests_far_away_loosens_no_tolerance() {
    for far in [1e3, 1e6, 1e9] {
        let start = State::new(0.0, [1.0, far], [0.0; 2]);
        for (rtol, atol) in combinations() {
            let allowed = 30.0 * 2.0_f64.powf(0.75) * (rtol + atol) + 1e-12;
            for (error, method) in errors(&Accompanied::default(), &start, rtol, atol) {
                assert!(
                    error <= allowed,
                    "{method}, {far:e} away, errs by {error:e}"
                );
            }
        }
    }
}
