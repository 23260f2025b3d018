//! Rattle: on the constraint by construction, symmetric, with its energy error bounded.

use crate::by_hand::*;
use core::cell::Cell;

use approx::assert_relative_eq;
use constraint_runtime::Properties;
use constraint_runtime::prelude::*;

const G: [f64; 2] = [0.0, -9.81];

#[test]
fn every_state_is_on_the_constraint_whatever_the_stabilisation() {
    for stabilization in [Stabilization::default(), Stabilization::None] {
        let pendulum = Particle::new(2.0).on(Circle).under_gravity(G);
        let start = State::new(0.0, [1.0, 0.0], [0.0, 0.0]);
        let mut run = Simulation::new(pendulum, start, Rattle::new(0.01))
            .unwrap()
            .with_stabilization(stabilization);
        run.run_until_with(20.0, |state| {
            assert!((0.5 * (state.q.norm_squared() - 1.0)).abs() < 1e-15);
            assert!(state.q.dot(&state.v).abs() < 1e-14);
        })
        .unwrap();
    }
}

#[test]
fn a_run_goes_back_the_way_it_came() {
    // Symmetric: with the velocity turned round, the same steps lead back to the start.
    let there_and_back = |start: State<SVector<f64, 4>>| {
        let run_from = |start| {
            let pendulum = Particle::new(1.0).on(DoublePendulum);
            let pendulum = pendulum.under(|_, _, _| [0.0, -9.81, 0.0, -9.81].into());
            let mut run = Simulation::new(pendulum, start, Rattle::new(0.02)).unwrap();
            run.run_until(start.t + 1.0).unwrap();
            *run.state()
        };
        let there = run_from(start);
        run_from(State::new(0.0, there.q, -there.v)).q
    };
    let start = State::new(0.0, [1.0, 0.0, 1.0, 1.0], [0.0; 4]);
    assert_relative_eq!(there_and_back(start), start.q, epsilon = 1e-11);
}

#[test]
fn a_mass_that_depends_on_the_coordinate_leaves_the_method_symmetric() {
    let run_from = |start| {
        let mut run = Simulation::new(Hump { damping: 0.0 }, start, Rattle::new(0.02)).unwrap();
        run.run_until(start.t + 2.0).unwrap();
        *run.state()
    };
    let start = State::new(0.0, [0.2], [0.0]);
    let there = run_from(start);
    assert_relative_eq!(
        run_from(State::new(0.0, there.q, -there.v)).q,
        start.q,
        epsilon = 1e-11
    );
}

#[test]
fn damping_takes_energy_out_at_its_rate() {
    // A damped free bead on the circle: ω = ω₀ exp(−ct/m).
    let bead = Particle::new(2.0).on(Circle).under(|_, _, v| -0.5 * v);
    let start = State::new(0.0, [1.0, 0.0], [0.0, 3.0]);
    let mut run = Simulation::new(bead, start, Rattle::new(1e-3)).unwrap();
    run.run_until(4.0).unwrap();
    assert_relative_eq!(
        run.state().v.norm(),
        3.0 * (-1.0_f64).exp(),
        max_relative = 1e-6
    );
}

#[test]
fn a_step_too_long_is_an_error_and_the_last_state_survives() {
    // With h/2 times the damping rate above one, the second kick cannot be found by iteration.
    let bead = Particle::new(1.0).on(Circle).under(|_, _, v| -50.0 * v);
    let start = State::new(0.0, [1.0, 0.0], [0.0, 1.0]);
    let mut run = Simulation::new(bead, start, Rattle::new(0.1)).unwrap();
    let error = run.step().unwrap_err();
    assert!(
        matches!(
            error,
            Error::KickDiverged {
                time: Some(0.0),
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(*run.state(), start);
    // No λ leads back onto a circle that has been left this far.
    let bead = Particle::new(1.0).on(Circle);
    let mut run = Simulation::new(bead, start, Rattle::new(10.0)).unwrap();
    let error = run.step().unwrap_err();
    assert!(matches!(error, Error::ProjectionDiverged { .. }), "{error}");
}

/// A straight guide that turns by two radians in a step: the directions of the start lead away from where it is.
#[test]
fn a_guide_that_turns_too_far_in_a_step_is_refused() {
    constraint! { struct Guide { omega: Real } |x, y, t: Time| x*sin(omega*t) == y*cos(omega*t) }
    for (omega, h) in [(2.0, 1.0), (2e3, 1e-3), (3.0, 1.0)] {
        let bead = Particle::new(1.0).on(Guide { omega });
        let start = State::new(0.0, [1.0, 0.0], [0.0, omega]);
        let mut run = Simulation::new(bead, start, Rattle::new(h)).unwrap();
        let error = run.step().unwrap_err();
        assert!(matches!(error, Error::ProjectionDiverged { .. }), "{error}");
        assert_eq!(*run.state(), start);
    }
}

system! {
    /// A bead on a wire that moves up and down, with drag.
    struct Moving { c: Real = 0.3, w: Real = 0.2 }
    coordinate s;
    particle bead = [s, s^2/3 + w*sin(t)] { mass: 1 }
    force s: -c*velocity(s);
    gravity [0, -9.81];
}

/// Part of T is the wire's, whatever the bead does: changes of its velocity are not looked for in differences of T.
#[test]
fn a_place_that_moves_with_time_is_as_good_as_any() -> Result<(), Error> {
    for (c, w) in [(0.0, 0.2), (0.3, 0.2), (2.0, 0.2), (0.3, 5.0)] {
        for i in 0..50 {
            let start = State::new(0.0, [0.04 * f64::from(i) - 1.0], [0.3]);
            let end = |h| {
                let mut run = Simulation::new(Moving { c, w }, start, Rattle::new(h))?;
                run.run_until(2.0)?;
                Ok::<f64, Error>(run.coordinates().s)
            };
            let mut exact =
                Simulation::new(Moving { c, w }, start, DormandPrince::new(1e-8, 1e-8))?;
            exact.run_until(2.0)?;
            let exact = exact.coordinates().s;
            // Order 2.
            let off = (end(0.01)? - exact).abs();
            assert!(off <= 2e-2, "{c} {w} {i}: {off}");
        }
    }
    Ok(())
}

/// Two atoms on a spring, by hand; counts how often their forces are computed.
#[derive(Default)]
struct Counted {
    forces: Cell<usize>,
}

impl Dynamics<f64> for Counted {
    type Q = SVector<f64, 2>;
    type V = SVector<f64, 2>;
    type Coordinates = Self::Q;
    type Velocities = Self::V;

    const PROPERTIES: Properties = Properties {
        forces_ignore_velocity: true,
        ..Properties::NONE
    };

    fn acceleration(&self, _t: f64, q: &Self::Q, _v: &Self::V) -> Result<Self::V, Error> {
        self.forces.set(self.forces.get() + 1);
        let pull = q.y - q.x - 1.0;
        Ok([pull, -pull].into())
    }
    fn kinetic_energy(&self, _t: f64, _q: &Self::Q, v: &Self::V) -> f64 {
        0.5 * v.norm_squared()
    }
    fn potential_energy(&self, _t: f64, q: &Self::Q) -> f64 {
        0.5 * (q.y - q.x - 1.0).powi(2)
    }
}

impl Unconstrained for Counted {}

#[test]
fn forces_that_ignore_velocities_are_computed_once_a_step() {
    let start = State::new(0.0, [0.0, 1.5], [0.0, 0.0]);
    let mut run = Simulation::new(Counted::default(), start, Rattle::new(0.1)).unwrap();
    run.step().unwrap();
    let first = run.system().forces.get();
    for _ in 0..100 {
        run.step().unwrap();
    }
    assert_eq!(run.system().forces.get() - first, 100);
}

#[test]
fn a_state_that_an_event_changed_has_forces_of_its_own() {
    let start = State::new(0.0, [0.0, 1.5], [0.0, 0.0]);
    let run = Simulation::new(Counted::default(), start, Rattle::new(0.1)).unwrap();
    let mut run = run.on(
        Crossing::Rising,
        |state| state.t - 0.55,
        |state| {
            state.q.y += 0.25;
            Then::Stop
        },
    );
    run.run_until(1.0).unwrap();
    let moved = *run.state();
    run.step().unwrap();
    let mut fresh = Simulation::new(Counted::default(), moved, Rattle::new(0.1)).unwrap();
    fresh.step().unwrap();
    assert_eq!(run.state(), fresh.state());
}

system! {
    /// Two rigid molecules of different principal moments, which turn about themselves, pulled by forces at their arms.
    struct Molecules { m: Real = 2, stretch: Real = 0.7 }
    body molecule[2]: Rigid3 { mass: m, inertia: [0.1, 0.3, 0.2] }
    input pull[2]: Vector3;
    for i in 0..2 { force at(molecule[i], [0.4, 0, 0.2]): pull[i]; }
}

system! {
    /// The atoms of a rigid dumb-bell, pulled each.
    struct Dumbbell { m: Real = 2 }
    particle atom[2]: Point3 { mass: m }
    input pull[2]: Vector3;
    for i in 0..2 { force atom[i]: pull[i]; }
    constraint bond: norm(atom[1] - atom[0]) == 1;
}

/// Gyroscopic torques depend on v and are found by iteration; the caller's forces are not computed again for them.
#[test]
fn forces_of_the_place_alone_are_computed_once_a_step() {
    let count = Cell::new(0);
    let pull = |_: f64, q: &MoleculesCoordinates| {
        count.set(count.get() + 1);
        MoleculesInputs {
            pull: [0, 1].map(|i| -q.molecule[i].translation.vector),
        }
    };
    let place = |x: f64| Rigid3::from_parts(Vector3::new(x, 0.0, 0.0).into(), Default::default());
    let spin = |x: f64| Twist3 {
        linear: Vector3::new(0.0, x, 0.0),
        angular: Vector3::new(1.0, 2.0, x),
    };
    let start = State::new(
        0.0,
        MoleculesCoordinates {
            molecule: [place(1.0), place(-1.0)],
        },
        MoleculesVelocities {
            molecule: [spin(0.5), spin(-0.5)],
        },
    );
    let molecules = Molecules::default();
    let mut held = Simulation::new(molecules.driven_by(pull), start, Rattle::new(0.01)).unwrap();
    held.step().unwrap();
    let first = count.get();
    for _ in 0..100 {
        held.step().unwrap();
    }
    assert_eq!(count.get() - first, 100);
    // The same steps as those of a law that is asked at every evaluation.
    let law = |t: f64, q: &MoleculesCoordinates, _: &MoleculesVelocities| pull(t, q);
    let mut asked =
        Simulation::new(molecules.controlled_by(law), start, Rattle::new(0.01)).unwrap();
    for _ in 0..101 {
        asked.step().unwrap();
    }
    assert_eq!(held.state(), asked.state());
}

#[test]
fn forces_on_atoms_with_bonds_are_computed_once_a_step() {
    let count = Cell::new(0);
    let pull = |_: f64, q: &DumbbellCoordinates| {
        count.set(count.get() + 1);
        DumbbellInputs {
            pull: [-q.atom[0].coords, -3.0 * q.atom[1].coords],
        }
    };
    let start = State::new(
        0.0,
        [0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
        [0.0, 0.2, 0.0, 0.0, -0.3, 0.4],
    );
    let dumbbell = Dumbbell::default();
    let mut held = Simulation::new(dumbbell.driven_by(pull), start, Rattle::new(0.01)).unwrap();
    held.step().unwrap();
    let first = count.get();
    for _ in 0..100 {
        held.step().unwrap();
    }
    assert_eq!(count.get() - first, 100);
    assert!(held.drift() < 1e-14);
    // The kick by iteration, of a law that might depend on v, leads to the same motion up to rounding.
    let law = |t: f64, q: &DumbbellCoordinates, _: &DumbbellVelocities| pull(t, q);
    let mut asked = Simulation::new(dumbbell.controlled_by(law), start, Rattle::new(0.01)).unwrap();
    for _ in 0..101 {
        asked.step().unwrap();
    }
    assert_relative_eq!(held.state().q, asked.state().q, epsilon = 1e-13);
    assert_relative_eq!(held.state().v, asked.state().v, epsilon = 1e-13);
}

/// Which expressions of `system!` are known not to read velocities.
#[test]
fn generated_forces_say_if_they_ignore_velocities() {
    fn ignores<S: Dynamics<f64>>(_: &S) -> bool {
        S::PROPERTIES.forces_ignore_velocity
    }
    system! { struct Springs { k: Real = 3 } particle p[2]: Point2 { mass: 1 } potential k*norm_squared(p[1] - p[0])/2; }
    system! { struct Dragged { c: Real = 3 } particle p: Point2 { mass: 1 } dissipation c*norm_squared(velocity(p))/2; }
    system! { struct Spinning { m: Real = 1 } body b: Rigid3 { mass: m, inertia: [1, 2, 3] } gravity [0, 0, -9.81]; }
    system! { struct Sphere { m: Real = 1 } body b: Rigid3 { mass: m, inertia: [2, 2, 2] } gravity [0, 0, -9.81]; }
    system! { struct Angles { m: Real = 1 } coordinate a, b; particle p = [sin(a), cos(a) + sin(b)] { mass: m } }
    assert!(ignores(&Springs::default()));
    assert!(ignores(&Sphere::default()));
    assert!(!ignores(&Dragged::default()));
    assert!(!ignores(&Spinning::default()));
    assert!(!ignores(&Angles::default()));
    let held = Dumbbell::default().with_inputs(DumbbellInputs::default());
    let driven = Dumbbell::default().controlled_by(|_, _, _| DumbbellInputs::default());
    assert!(ignores(&held) && !ignores(&driven));
    let bead = Particle::new(1.0).on(Circle).under_gravity(G);
    assert!(ignores(&bead) && !ignores(&bead.under(|_, _, v| -v)));
}
