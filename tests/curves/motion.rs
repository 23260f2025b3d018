//! Beads on tracks: the tests that E. Neumann names in *Roller Coaster* (myPhysicsLab.com), the tautochrone, and the events of a roller coaster.

use std::cell::Cell;
use std::f64::consts::{FRAC_PI_2, PI};

use constraint_runtime::curve::Seams;
use constraint_runtime::prelude::*;
use constraint_runtime::tracks::*;

const G: f64 = 9.81;

/// Neumann's sensitive test. The apex of `Circle` is s = 0 exactly, so there gravity has no part along r′.
#[test]
fn released_exactly_at_the_apex_it_never_crosses() {
    let bead = || {
        Particle::new(1.0)
            .along(Circle { r: 1.0 })
            .under_gravity([0.0, -G])
    };
    let rest = State::new(0.0, [0.0], [0.0]);
    let mut run = Simulation::new(bead(), rest, DormandPrince::new(1e-12, 1e-12)).unwrap();
    run.run_until(1000.0).unwrap();
    assert_eq!(run.state().q[0], 0.0);
}

/// A hair beside it the bead falls, comes round almost to the apex, and falls back: for all of 1,000 s.
#[test]
fn released_beside_the_apex_it_never_crosses() {
    let bead = Particle::new(1.0)
        .along(Circle { r: 1.0 })
        .under_gravity([0.0, -G]);
    let rest = State::new(0.0, [1e-4], [0.0]);
    let turns = Cell::new(0);
    let mut run = Simulation::new(bead, rest, DormandPrince::new(1e-13, 1e-13))
        .unwrap()
        .on(
            Crossing::Either,
            |state| state.v[0],
            |_| {
                turns.set(turns.get() + 1);
                Then::Continue
            },
        );
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    run.run_until_with(1000.0, |state| {
        least = least.min(state.q[0]);
        most = most.max(state.q[0]);
    })
    .unwrap();
    assert!(least > 0.0 && most < 2.0 * PI, "{least} {most}");
    assert!(least < 1.1e-4 && most > 2.0 * PI - 1.1e-4, "{least} {most}");
    assert!(turns.get() > 100, "{}", turns.get());
}

/// The text's own circle, whose apex is the float nearest to π/2: 6·10⁻¹⁷ beside it the bead falls too.
#[test]
fn released_at_the_float_nearest_to_the_apex_it_falls_to_one_side() {
    let bead = Particle::new(1.0)
        .along(UnitCircle)
        .under_gravity([0.0, -G]);
    let rest = State::new(0.0, [FRAC_PI_2], [0.0]);
    let mut run = Simulation::new(bead, rest, DormandPrince::new(1e-13, 1e-13)).unwrap();
    run.run_until(30.0).unwrap();
    let s = run.state().q[0];
    assert!((s - FRAC_PI_2).abs() < 2.0 * PI, "{s}");
}

/// π √(r/g) from anywhere.
#[test]
fn descents_of_the_tautochrone_take_the_same_time() {
    let r = 0.7;
    let exact = PI * (r / G).sqrt();
    for i in 1..=20 {
        let start = -PI * f64::from(i) / 21.0;
        let bead = Particle::new(1.0)
            .along(Cycloid { r })
            .under_gravity([0.0, -G]);
        let start = State::new(0.0, [start], [0.0]);
        let mut run = Simulation::new(bead, start, DormandPrince::new(1e-13, 1e-13))
            .unwrap()
            .until(Crossing::Rising, |state| state.q[0]);
        assert_eq!(run.run_until(10.0), Ok(Arrival::Event(0)));
        let time = run.state().t;
        assert!((time - exact).abs() < 1e-10, "{time} from {i}, not {exact}");
    }
}

/// On a straight, −b v alone: the speed falls as e^(−b t/m).
#[test]
fn damping_is_that_of_the_exponential() {
    curve! { struct Straight; |s in -100..=100| [3*s, 4*s] }
    let (m, b) = (2.0_f64, 0.6_f64);
    let bead = Particle::new(m).along(Straight).damped(0.2).damped(b - 0.2);
    let start = State::new(0.0, [0.0], [1.5]);
    let mut run = Simulation::new(bead, start, DormandPrince::new(1e-12, 1e-12)).unwrap();
    run.run_until(2.0).unwrap();
    let exact = 1.5 * (-b * 2.0 / m).exp();
    assert!((run.state().v[0] - exact).abs() < 1e-11);
}

// ---- events -------------------------------------------------------------------------------------

/// Faster than the hill is high: out of the left valley, over the end.
fn towards_the_end() -> Bead<f64, Hump, impl constraint_runtime::Load<f64, 2>, 2> {
    Particle::new(1.0).along(Hump).under_gravity([0.0, -G])
}

const FAST: f64 = 3.0;

#[test]
fn at_the_end_of_the_track_a_bead_stops() {
    let start = State::new(0.0, [1.0], [FAST]);
    let mut run = Simulation::new(towards_the_end(), start, DormandPrince::new(1e-11, 1e-11))
        .unwrap()
        .until(Crossing::Rising, |state| state.q[0] - 2.5);
    assert_eq!(run.run_until(10.0), Ok(Arrival::Event(0)));
    assert!((run.state().q[0] - 2.5).abs() < 1e-14 && run.state().v[0] > 0.0);
}

/// The same without the event is an error, not a bead in the air.
#[test]
fn without_an_event_the_end_of_the_track_is_an_error() {
    let start = State::new(0.0, [1.0], [FAST]);
    let mut run =
        Simulation::new(towards_the_end(), start, DormandPrince::new(1e-11, 1e-11)).unwrap();
    let refused = run.run_until(10.0).unwrap_err();
    assert!(matches!(refused, Error::OutOfRange { .. }), "{refused}");
    assert!(run.state().q[0] <= 2.5);
}

/// Buffers at both ends give the bead back with its energy.
#[test]
fn at_the_ends_of_the_track_a_bead_bounces() {
    let bounces = Cell::new(0);
    let bounce = |state: &mut State<SVector<f64, 1>>| {
        state.v = -state.v;
        bounces.set(bounces.get() + 1);
        Then::Continue
    };
    let start = State::new(0.0, [1.0], [2.0 * FAST]);
    let bead = towards_the_end();
    let mut run = Simulation::new(bead, start, DormandPrince::new(1e-12, 1e-12))
        .unwrap()
        .on(Crossing::Rising, |state| state.q[0] - 2.5, bounce)
        .on(Crossing::Falling, |state| state.q[0] + 2.5, bounce);
    let before = run.energy();
    run.run_until(20.0).unwrap();
    assert!((run.energy() / before - 1.0).abs() < 1e-9);
    assert!(bounces.get() > 10, "{}", bounces.get());
}

/// A bead on top of a ball of radius r leaves it at the angle of cos φ = 2/3.
#[test]
fn a_one_sided_track_is_left_where_its_force_changes_sides() {
    let bead = Particle::new(1.3)
        .along(Circle { r: 2.0 })
        .under_gravity([0.0, -G]);
    let rail = bead.clone();
    let outwards = move |state: &State<SVector<f64, 1>>| {
        let force = rail
            .track_force(state.t, state.q[0], state.v[0])
            .expect("no cusp");
        force.dot(&rail.position(state.q[0]).normalize())
    };
    let start = State::new(0.0, [1e-6], [0.0]);
    let mut run = Simulation::new(bead, start, DormandPrince::new(1e-13, 1e-15))
        .unwrap()
        .until(Crossing::Falling, outwards);
    assert_eq!(run.run_until(100.0), Ok(Arrival::Event(0)));
    // Energy: ½ v² = g r (cos 10⁻⁶ − cos φ), and v² = g r cos φ there.
    let angle = run.state().q[0];
    assert!((angle.cos() - 2.0 / 3.0).abs() < 1e-11, "{}", angle.cos());
}

/// Past the lowest point of the circle, once each half period; both of two marks within one step are met.
#[test]
fn crossings_are_counted_and_none_is_missed() {
    let bead = Particle::new(1.0)
        .along(Circle { r: 1.0 })
        .under_gravity([0.0, -G]);
    let start = State::new(0.0, [PI - 0.5], [0.0]);
    let (middle, left, right) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let count = |counter: &Cell<u32>| {
        counter.set(counter.get() + 1);
        Then::Continue
    };
    // Steps of a fifth of the period, through marks 0.02 apart.
    let mut run = Simulation::new(
        bead,
        start,
        DormandPrince::new(1e-4, 1e-4).with_longest_step(0.4),
    )
    .unwrap()
    .on(
        Crossing::Either,
        |state| state.q[0] - PI,
        |_| count(&middle),
    )
    .on(
        Crossing::Either,
        |state| state.q[0] - PI + 0.01,
        |_| count(&left),
    )
    .on(
        Crossing::Either,
        |state| state.q[0] - PI - 0.01,
        |_| count(&right),
    );
    // Half a period of 0.5 rad: π √(r/g) (1 + φ²/16 + …) = 1.0189 s; 20.2 of them, from a turning point.
    run.run_until(20.2 * 1.0189).unwrap();
    assert_eq!((middle.get(), left.get(), right.get()), (20, 20, 20));
}

// ---- seams --------------------------------------------------------------------------------------

/// The energy that a bead let go at `start` has lost after `time`, all its seams crossed.
fn lost<C, I>(curve: C, start: f64, method: I, time: f64) -> f64
where
    C: Curve<f64, 2> + Copy,
    I: Integrator<Scalar = f64>,
{
    let bead = Particle::new(1.0).along(curve).under_gravity([0.0, -G]);
    let seams = Seams::of(&curve).unwrap();
    let mut run = Simulation::new(bead, State::new(0.0, [start], [0.0]), method)
        .unwrap()
        .on(
            Crossing::Either,
            |state| seams.distance(state.q[0]),
            |state| seams.cross(state),
        );
    let before = run.energy();
    run.run_until(time).unwrap();
    before - run.energy()
}

/// On two straights the acceleration is constant but for its jump at the corner: these methods are exact.
#[test]
fn across_a_corner_fixed_steps_keep_the_energy() {
    for h in [0.1, 0.03, 0.01] {
        for start in [-2.0, 1.3, -0.7] {
            let by_rk4 = lost(Corner, start, Rk4::new(h), 10.0);
            let by_rattle = lost(Corner, start, Rattle::new(h), 10.0);
            for lost in [by_rk4, by_rattle] {
                assert!(lost.abs() < 1e-11, "{lost:e} from {start} by steps of {h}");
            }
        }
    }
}

/// Halving the step divides what is lost by 2⁴ at least, wherever the steps happen to meet the seams.
#[track_caller]
fn fixed_steps_keep_their_order<C: Curve<f64, 2> + Copy>(curve: C, start: f64, time: f64) {
    for i in 0..10 {
        let start = start + 0.01 * f64::from(i);
        let [coarse, middle, fine] =
            [0.02, 0.01, 0.005].map(|h| lost(curve, start, Rk4::new(h), time));
        for (larger, smaller) in [(coarse, middle), (middle, fine)] {
            let order = (larger / smaller).log2();
            assert!(
                order > 3.9,
                "order {order} from {start}: {larger:e}, {smaller:e}"
            );
        }
    }
}

/// A corner between two parabolas: the acceleration jumps by about g, and |r′| from ½ to 1.
#[test]
fn across_a_bent_corner_fixed_steps_keep_their_order() {
    curve! {
        #[derive(Clone, Copy)]
        struct Bent;
        |s in -3..=3| {
            let x = s - 1/10;
            [s, if x > 0 { x + x^2/3 } else { x^2/5 - x/2 }]
        }
    }
    fixed_steps_keep_their_order(Bent, -1.9, 7.9);
}

/// Straights and semicircles: the curvature jumps four times a round.
#[test]
fn round_the_oval_fixed_steps_keep_their_order() {
    fixed_steps_keep_their_order(Oval { r: 0.6, l: 0.9 }, 1.5, 9.0);
}

#[test]
fn through_the_loop_fixed_steps_keep_their_order() {
    fixed_steps_keep_their_order(LoopTheLoop, -2.8, 9.0);
}
