//! Tracks whose pieces meet to the digits of printed constants: the loop and the spiral of E. Neumann's *Roller Coaster*,
//! myPhysicsLab.com, with the constants of its program.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use constraint_runtime::curve::{Continuity, Seams, seams};
use constraint_runtime::prelude::*;

const G: f64 = 9.81;

curve! {
    /// Down a parabola, once round a circle, up another parabola; the circle's constants have six digits.
    #[joined(1e-5)]
    #[derive(Clone, Copy)]
    pub struct PrintedLoop;
    |t in -3..=8| {
        let turned = 3.46334 + 0.321751;
        if t < 1/2 {
            [t, (t + 1)^2 + 1/2]
        } else if t < 1/2 + turned {
            let angle = t - 1/2 - 0.321751;
            [0.527046*cos(angle), 0.527046*sin(angle) + 2.41667 + 1/2]
        } else {
            [t - turned - 1, (t - turned - 2)^2 + 1/2]
        }
    }
}

curve! {
    /// An arc, a drop, an arc, a straight, the spiral r = φ/8, a diagonal, an arc: closed, of six-digit constants.
    #[joined(1e-4)]
    #[derive(Clone, Copy)]
    pub struct PrintedSpiral;
    |t in 0..=3*PI/4 + PI/2 + 5.67378 + 0.601809 - 1 + 0.122489 + 2.50287 + 25.9566 - 4.91318
        + sqrt(2)*(2.20424 + 2.50287) - 1| {
        let left = -2.50287;
        let top = 5.67378;
        let low = -0.601809;
        let end_of_drop = PI/2 + top - (low + 1);
        let end_of_arc = end_of_drop + PI/2;
        let inside = end_of_arc + 0.122489 - left;
        let outside = inside + 25.9566 - 4.91318;
        let end_of_diagonal = outside + sqrt(2)*(2.20424 - left) - 1;
        if t < PI/2 {
            [left - sin(t), top + cos(t)]
        } else if t < end_of_drop {
            [left - 1, top - (t - PI/2)]
        } else if t < end_of_arc {
            [left - cos(t - end_of_drop), low + 1 - sin(t - end_of_drop)]
        } else if t < inside {
            [left + t - end_of_arc, low]
        } else if t < outside {
            let angle = t - inside + 4.91318;
            [angle/8*cos(angle), angle/8*sin(angle)]
        } else if t < end_of_diagonal {
            let along = (t - outside)/sqrt(2);
            [2.20424 - along, 2.38089 + along]
        } else {
            let angle = PI/4 + t - end_of_diagonal;
            [left + cos(angle), top + sin(angle)]
        }
    }
}

/// r on the far side of a place less r on the near side.
fn step_at<C: Curve<f64, 2>>(curve: &C, s: f64) -> Vector2<f64> {
    curve.position(s.next_up()) - curve.position(s.next_down())
}

#[test]
fn gaps_of_printed_constants_are_seams_and_no_errors() -> Result<(), Error> {
    let places = seams(&PrintedLoop)?;
    assert_eq!(places.len(), 2);
    // The speed |r′| jumps from √10 to the radius.
    assert!(places.iter().all(|it| it.continuity == Continuity::C0));
    let (sine, cosine) = 0.321751_f64.sin_cos();
    let by_hand = Vector2::new(0.527046 * cosine - 0.5, 2.41667 - 0.527046 * sine - 2.25);
    assert!((step_at(&PrintedLoop, 0.5) - by_hand).norm() < 1e-14);
    assert!((3e-6..4e-6).contains(&by_hand.norm()), "{by_hand}");

    let places = seams(&PrintedSpiral)?;
    // Six between the pieces, and where it closes.
    assert_eq!(places.len(), 7);
    assert!(Curve::<f64, 2>::is_closed(&PrintedSpiral));
    let smooth = [0, 1, 2, 5, 6].map(|i: usize| places[i].continuity);
    assert!(smooth.iter().all(|it| *it >= Continuity::C1), "{smooth:?}");
    let gaps = places[..6].iter();
    // The printed outer end of the spiral lies 0.15 mm beside its diagonal.
    let most = gaps.map(|seam| step_at(&PrintedSpiral, seam.parameter).norm());
    let most = most.fold(0.0, f64::max);
    assert!((1e-4..2e-4).contains(&most), "{most}");
    assert!(
        PrintedSpiral::DERIVATION
            .entry("continuity")
            .text
            .ends_with("to 1e-4 of its extent")
    );
    Ok(())
}

/// A bead on a track, and the energy that it has in one place and the next.
fn ride<C: Curve<f64, 2> + Copy>(
    curve: C,
    start: [f64; 2],
    until: f64,
    mut visit: impl FnMut(f64, f64),
) -> Result<(), Error> {
    let bead = Particle::new(2.0).along(curve).under_gravity([0.0, -G]);
    let (meter, seams) = (bead.clone(), Seams::of(&curve)?);
    let start = State::new(0.0, [start[0]], [start[1]]);
    let mut run = Simulation::new(bead, start, DormandPrince::new(1e-12, 1e-12))?.on(
        Crossing::Either,
        |state| seams.distance(state.q[0]),
        |state| seams.cross(state),
    );
    run.run_until_with(until, |state| {
        let energy = meter.kinetic_energy(state.t, &state.q, &state.v)
            + meter.potential_energy(state.t, &state.q);
        visit(state.q[0], energy);
    })?;
    Ok(())
}

#[test]
fn a_gap_is_its_weight_times_its_height_and_comes_back() -> Result<(), Error> {
    // From rest above the loop, through all of it, to rest, and back again.
    let ends = 0.5 + 3.46334 + 0.321751;
    let steps = [0.5, ends].map(|s| 2.0 * G * step_at(&PrintedLoop, s).y);
    let before = 2.0 * G * PrintedLoop.position(-2.9).y;
    let mut seen = [0_usize; 3];
    ride(PrintedLoop, [-2.9, 0.0], 20.0, |s, energy| {
        let piece = usize::from(s > 0.5) + usize::from(s > ends);
        let expected = before + steps[..piece].iter().sum::<f64>();
        seen[piece] += 1;
        let off = energy - expected;
        assert!(off.abs() < 1e-8, "{off:e} at {s}");
    })?;
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
    // Seen, not rounding: the gaps are worth 65 µJ each, one way and the other.
    assert!(steps.iter().all(|step| step.abs() > 5e-5), "{steps:?}");
    Ok(())
}

#[test]
fn round_a_closed_track_gaps_add_up() -> Result<(), Error> {
    let domain = Curve::<f64, 2>::domain(&PrintedSpiral);
    let period = domain.end() - domain.start();
    let places = seams(&PrintedSpiral)?;
    let gaps = places[..6].iter();
    let a_turn: f64 = gaps
        .map(|it| 2.0 * G * step_at(&PrintedSpiral, it.parameter).y)
        .sum();
    // From the top, fast enough to come round.
    let mut turns = 0;
    let mut before = None;
    ride(PrintedSpiral, [0.1, 1.0], 60.0, |s, energy| {
        let whole = (s / period).floor();
        // In the first piece of every turn.
        if s - whole * period < FRAC_PI_2 {
            let start: f64 = *before.get_or_insert(energy);
            let gained = energy - start;
            assert!(
                (gained - whole * a_turn).abs() < 1e-8,
                "{gained} after {whole}"
            );
            turns = turns.max(whole as usize);
        }
    })?;
    assert!(turns >= 3, "{turns}");
    assert!(a_turn.abs() > 1e-7, "{a_turn:e}");
    Ok(())
}

#[test]
fn lengths_leave_gaps_out() -> Result<(), Error> {
    // ∫√(1 + 4u²) du, of y = u² from the apex.
    let parabola = |u: f64| 0.5 * u * (1.0 + 4.0 * u * u).sqrt() + 0.25 * (2.0 * u).asinh();
    let turned = 3.46334 + 0.321751;
    let after = |t: f64| t - turned - 2.0;
    let expected = parabola(1.5) - parabola(-2.0) + 0.527046 * turned + parabola(after(8.0))
        - parabola(after(0.5 + turned));
    let measured = ArcLength::new(&PrintedLoop)?;
    assert!((measured.length() / expected - 1.0).abs() < 1e-14);

    // ∫√(1 + φ²)/8 dφ, of the spiral.
    let spiral = |p: f64| (p * (1.0 + p * p).sqrt() + p.asinh()) / 16.0;
    let straights =
        5.67378 + 0.601809 - 1.0 + 0.122489 + 2.50287 + 2_f64.sqrt() * (2.20424 + 2.50287) - 1.0;
    let expected =
        PI + FRAC_PI_4 + FRAC_PI_2 + straights + spiral(25.9566) - spiral(4.91318) - FRAC_PI_2;
    let measured = ArcLength::new(&PrintedSpiral)?;
    assert!(
        (measured.length() / expected - 1.0).abs() < 1e-13,
        "{} {expected}",
        measured.length()
    );
    Ok(())
}

#[test]
fn the_nearest_point_is_found_beside_a_gap() -> Result<(), Error> {
    let measured = ArcLength::new(&PrintedLoop)?;
    for (i, s) in [(-1.0, 0.5), (1.0, 0.5), (-1.0, 4.285091), (1.0, 4.285091)] {
        // A point 1 mm off the track, 2 µm before or after the seam.
        let s: f64 = s + i * 2e-6;
        let tangent = PrintedLoop.tangent(s).normalize();
        let point = PrintedLoop.position(s) + 1e-3 * Vector2::new(-tangent.y, tangent.x);
        let found = measured.nearest(&point)?;
        let mut least = f64::INFINITY;
        for k in 0..400_001 {
            let near = s + (f64::from(k) - 200_000.0) * 1e-9;
            least = least.min((PrintedLoop.position(near) - point).norm());
        }
        assert!(
            found.distance <= least + 1e-15,
            "{} {least}",
            found.distance
        );
    }
    Ok(())
}
