//! Steps that leave the constraints behind: what is found there by projection is no motion.

use constraint_runtime::prelude::*;

constraint! { struct Rod { l: Real } |x, y| hypot(x, y) == l }
constraint! { struct Circle { r: Real } |x, y| x^2 + y^2 == r^2 }

system! {
    struct ThreeRods { l: Real = 1, g: Real = 9.81 }
    particle bead[3]: Point2 { mass: 1 }
    constraint anchor: norm(bead[0]) == l;
    for i in 1..3 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
    for i in 0..3 { potential g*bead[i].y; }
}

/// Refused, and the state still that at the start.
fn is_refused<I: Integrator<Scalar = f64> + std::fmt::Debug, S, const Q: usize>(
    system: S,
    start: State<SVector<f64, Q>>,
    method: I,
) where
    S: System<f64, Q = SVector<f64, Q>, V = SVector<f64, Q>>,
{
    let told = format!("{method:?}");
    let mut run = Simulation::new(system, start, method).unwrap();
    let error = run.run_until(1.0).unwrap_err();
    assert!(
        matches!(error, Error::ProjectionDiverged { .. }),
        "{told} from {start:?}: {error}"
    );
    assert_eq!(*run.state(), start, "{told}");
}

#[test]
fn a_pendulum_that_turns_a_thousand_radians_a_step_is_refused() {
    // In any place and unit.
    for unit in [1e-100, 1.0, 1e40] {
        for angle in [0.0, 0.3, 2.0] {
            let (s, c) = f64::sin_cos(angle);
            let start = State::new(0.0, [s * unit, -c * unit], [1e5 * c * unit, 1e5 * s * unit]);
            let g = [0.0, -9.81 * unit];
            let rod = || Particle::new(1.0).on(Rod { l: unit }).under_gravity(g);
            let circle = || Particle::new(1.0).on(Circle { r: unit }).under_gravity(g);
            is_refused(rod(), start, Rk4::new(0.01));
            is_refused(circle(), start, Rk4::new(0.01));
            is_refused(rod(), start, SemiImplicitEuler::new(0.01));
            is_refused(circle(), start, SemiImplicitEuler::new(0.01));
            is_refused(circle(), start, Rattle::new(0.01));
        }
    }
}

#[test]
fn three_rods_that_turn_by_two_radians_a_step_are_refused() {
    let bead = std::array::from_fn(|i| Point2::new(0.0, -1.0 - i as f64));
    let velocity = std::array::from_fn(|i| Vector2::new(100.0 * (i + 1) as f64, 0.0));
    let start = State::new(
        0.0,
        ThreeRodsCoordinates { bead },
        ThreeRodsVelocities { bead: velocity },
    );
    is_refused(ThreeRods::default(), start, SemiImplicitEuler::new(0.02));
    let mut run = Simulation::new(ThreeRods::default(), start, Rk4::new(0.02)).unwrap();
    let mut last = *run.state();
    while run.state().t < 2.0 {
        match run.step() {
            Ok(_) => assert!(run.drift() < 1e-12, "{:e}", run.drift()),
            Err(error) => {
                assert!(matches!(error, Error::ProjectionDiverged { .. }), "{error}");
                assert_eq!(*run.state(), last);
                return;
            }
        }
        last = *run.state();
    }
}

#[test]
fn steps_that_turn_by_less_are_taken() {
    for angle in [0.01, 0.1, 0.5] {
        let start = State::new(0.0, [0.0, -1.0], [angle / 0.01, 0.0]);
        let rod = Particle::new(1.0).on(Rod { l: 1.0 });
        let mut run = Simulation::new(rod, start, SemiImplicitEuler::new(0.01)).unwrap();
        run.run_until(1.0).unwrap();
        let rod = Particle::new(1.0).on(Circle { r: 1.0 });
        let mut run = Simulation::new(rod, start, Rk4::new(0.01)).unwrap();
        run.run_until(1.0).unwrap();
        assert!(run.drift() < 1e-15);
    }
}

#[test]
fn what_starts_from_rest_or_off_the_constraint_is_projected() {
    // Within half the digits of the constraint: the first steps, which lead nowhere yet, put that right.
    for start in [[0.0, -1.0 - 1e-8], [1.0 + 1e-8, 0.0]] {
        for g in [0.0, -9.81, -1e-200] {
            let rod = Particle::new(1.0)
                .on(Rod { l: 1.0 })
                .under_gravity([0.0, g]);
            let start = State::new(0.0, start, [0.0, 0.0]);
            let mut run = Simulation::new(rod, start, Rk4::new(0.01)).unwrap();
            run.run_until(1.0).unwrap();
            assert!(run.drift() < 1e-15);
        }
    }
    // An anchor far from the origin, and a bob there: nothing in the state tells how C rounds.
    constraint! { struct Anchored { a: Vector2, l: Real } |p: Point2| norm(p - a) == l }
    let a = Vector2::new(0.3, 0.7);
    let bob = Particle::new(1.0).on(Anchored {
        a,
        l: a.norm() * (1.0 + 1e-16),
    });
    let start = State::new(0.0, [0.0, 0.0], [0.0, 0.0]);
    let mut run = Simulation::new(bob.under_gravity(a), start, Rk4::new(0.01)).unwrap();
    run.run_until(10.0).unwrap();
    assert!(run.drift() < 1e-15 && run.state().q.norm() < 1e-14);
}

/// A lane that has come to its end has moved nowhere, and is not far from there.
#[test]
fn a_lane_that_waits_does_not_refuse_the_steps_of_another() {
    use simba::simd::{SimdValue, WideF64x4};
    constraint! { struct Ring { r: Real } |x, y| x^2 + y^2 == r^2 }
    let [zero, one, g] = [0.0, 1.0, -9.81].map(WideF64x4::splat);
    let ring = Particle::new(one).on(Ring { r: one });
    let start = State::new(zero, [one, zero], [zero, zero]);
    let method = Rk4::new(WideF64x4::splat(0.1));
    let mut run = Simulation::new(ring.under_gravity([zero, g]), start, method).unwrap();
    let ends = [0.0, 0.05, 0.3, 0.6];
    run.run_until(WideF64x4::from(ends)).unwrap();
    assert_eq!(run.state().t, WideF64x4::from(ends));
    assert_eq!(run.state().q.x.extract(0), 1.0);
    assert!(run.state().q.x.extract(3) < 0.5);
}
