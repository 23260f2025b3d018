//! Beads on tracks that swing for long: E. Neumann's tests of *Roller Coaster* (myPhysicsLab.com).
//! Each turns 1,000 times.

use constraint_runtime::curve::Seams;
use constraint_runtime::prelude::*;
use constraint_runtime::tracks::*;

const G: f64 = 9.81;
const TURNS: usize = 1000;

/// Heights at so many turning points after a release at rest, by the adaptive method.
fn turning_heights<C: Curve<f64, 2> + Copy>(curve: C, start: f64, count: usize) -> Vec<f64> {
    let bead = Particle::new(1.0).along(curve).under_gravity([0.0, -G]);
    let height = |s: f64| bead.position(s).y;
    let heights = std::cell::RefCell::new(Vec::new());
    let start = State::new(0.0, [start], [0.0]);
    let seams = Seams::of(&curve).unwrap();
    let mut run = Simulation::new(bead.clone(), start, DormandPrince::new(1e-13, 1e-13))
        .unwrap()
        .on(
            Crossing::Either,
            |state| seams.distance(state.q[0]),
            |state| seams.cross(state),
        )
        .on(
            Crossing::Either,
            |state| state.v[0],
            |state| {
                heights.borrow_mut().push(height(state.q[0]));
                if heights.borrow().len() < count {
                    Then::Continue
                } else {
                    Then::Stop
                }
            },
        );
    run.run_until(1e5).unwrap();
    heights.into_inner()
}

#[track_caller]
fn returns_to_its_height<C: Curve<f64, 2> + Copy>(curve: C, start: f64) {
    let height = curve.position(start).y;
    let heights = turning_heights(curve, start, TURNS);
    assert_eq!(heights.len(), TURNS);
    for (i, found) in heights.iter().enumerate() {
        assert!(
            (found - height).abs() < 1e-9,
            "turning point {i}: {found}, not {height}"
        );
    }
}

/// Neumann: "It shouldn't gain or lose height at the moment that it reverses direction."
#[test]
fn on_the_hump_every_turning_point_is_as_high_as_the_start() {
    returns_to_its_height(Hump, -2.4);
}

#[test]
fn on_the_circle_every_turning_point_is_as_high_as_the_start() {
    returns_to_its_height(Circle { r: 1.0 }, 0.3);
}

#[test]
fn on_the_lemniscate_every_turning_point_is_as_high_as_the_start() {
    returns_to_its_height(Lemniscate { a: 1.5 }, 0.5);
}

/// Straights and semicircles: the curvature jumps four times a round.
#[test]
fn on_the_oval_every_turning_point_is_as_high_as_the_start() {
    returns_to_its_height(Oval { r: 0.6, l: 0.9 }, 1.5);
}

/// Two straights that meet in a corner.
#[test]
fn on_the_corner_every_turning_point_is_as_high_as_the_start() {
    returns_to_its_height(Corner, -1.0);
}

#[test]
fn energy_drifts_by_less_than_1e_10_in_as_many_seconds_as_turns() {
    let bead = Particle::new(2.0)
        .along(LoopTheLoop)
        .under_gravity([0.0, -G]);
    // From above the loop: over and over through all of the track.
    let start = State::new(0.0, [-2.9], [0.0]);
    let seams = Seams::of(&LoopTheLoop).unwrap();
    let mut run = Simulation::new(bead, start, DormandPrince::new(1e-13, 1e-13))
        .unwrap()
        .on(
            Crossing::Either,
            |state| seams.distance(state.q[0]),
            |state| seams.cross(state),
        );
    let (before, mut most) = (run.energy(), 0.0_f64);
    let meter = run.system().clone();
    run.run_until_with(TURNS as f64, |state| {
        let energy = meter.kinetic_energy(state.t, &state.q, &state.v)
            + meter.potential_energy(state.t, &state.q);
        most = most.max((energy / before - 1.0).abs());
    })
    .unwrap();
    assert!(most < 1e-10, "{most:e}");
}
