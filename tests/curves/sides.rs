//! Tracks with one side: a bead slides, leaves and lands, against mechanics by hand.

use constraint_runtime::RowMode;
use constraint_runtime::prelude::*;
use constraint_runtime::tracks::{Circle, Ellipse, Hump};

use super::random::Random;

/// Without gravity friction decelerates a bead inside a loop, v̇ = −μ v²/r, in both directions and from either side of the curve.
#[test]
fn a_bead_in_a_loop_is_decelerated() -> Result<(), Error> {
    let (r, mu, speed, end): (f64, _, _, _) = (2.0, 0.3, 1.5, 1.0);
    for sign in [1.0, -1.0] {
        let inside = OneSidedTrack::left_of(Circle { r })?.with_friction(mu);
        let bead = Particle::new(0.7).bounded_by(inside);
        let start = State::new(0.0, [r, 0.0], [0.0, sign * speed]);
        let mut run = ContactSimulation::new(bead, start, DormandPrince::new(1e-9, 1e-9))?;
        run.run_until(end)?;
        let State { q, v, .. } = run.state();
        let expected = speed / (1.0 + mu * speed * end / r);
        assert!((v.norm() - expected).abs() < 1e-8, "{v} {expected}");
        assert!((q.norm() - r).abs() < 1e-12);
        let force = 0.7 * v.norm_squared() / r;
        assert!((run.contact_forces()?[0] - force).abs() < 1e-9);
    }
    Ok(())
}

/// Faster than √(g r) over the top of the hump, with r = 3/7, a bead takes off, and lands where (7/6) x² − (1/6) x⁴ = g x²/(2 v²).
#[test]
fn a_bead_leaves_the_hump_and_lands() -> Result<(), Error> {
    let g = 9.81_f64;
    let radius = 3.0 / 7.0;
    for (speed, flies) in [(3.0, true), ((0.99 * g * radius).sqrt(), false)] {
        let above = OneSidedTrack::left_of(Hump)?.with_friction(0.1);
        let bead = Particle::new(1.0)
            .bounded_by(above)
            .under_gravity([0.0, -g]);
        let start = State::new(0.0, [0.0, 3.0], [speed, 0.0]);
        let mut run = ContactSimulation::new(bead, start, DormandPrince::new(1e-8, 1e-8))?;
        let mode = if flies {
            RowMode::Open
        } else {
            RowMode::Forward
        };
        assert_eq!(run.modes(), [mode]);
        if flies {
            let mut landed = 0.0;
            run.run_until_with(0.7, |event| landed = event.time)?;
            let expected = (7.0 - 3.0 * g / (speed * speed)).sqrt();
            assert!(
                (speed * landed - expected).abs() < 1e-9,
                "{}",
                speed * landed
            );
            assert_eq!(run.modes(), [RowMode::Forward]);
        }
    }
    Ok(())
}

/// G v and its derivative along a straight motion, against differences of the gap and of G v.
#[test]
fn rates_are_derivatives_of_the_gap() -> Result<(), Error> {
    let ellipse = Ellipse { a: 2.0, b: 1.0 };
    let sides = [
        OneSidedTrack::left_of(ellipse)?,
        OneSidedTrack::right_of(ellipse)?,
    ];
    let mut random = Random::new(7);
    for side in &sides {
        for _ in 0..8 {
            let mut draw = |size: f64| random.between(-size, size);
            let angle = draw(3.0);
            let out = 1.0 + draw(0.2);
            let q = Vector2::new(2.0 * out * angle.cos(), out * angle.sin());
            let v = Vector2::new(draw(1.0), draw(1.0));
            let h = 1e-4;
            let [after, before] = [h, -h].map(|h| q + v * h);
            let rates = side.one_sided_rates(0.0, &q, &v);
            let slope = (side.gaps(0.0, &after)[0] - side.gaps(0.0, &before)[0]) / (2.0 * h);
            assert!((slope - rates[0]).abs() < 1e-6, "{slope} {rates}");
            let [more, less] = [after, before].map(|q| side.one_sided_rates(0.0, &q, &v));
            let slopes = (more - less) / (2.0 * h);
            let bias = side.one_sided_bias(0.0, &q, &v);
            assert!((slopes - bias).norm() < 1e-5, "{slopes} {bias}");
        }
    }
    // A point is as far from the curve on one side as it is on the wrong side of the other.
    let q = Vector2::new(0.3, 0.4);
    let [left, right] = [0, 1].map(|i| sides[i].gaps(0.0, &q)[0]);
    assert!(left > 0.0 && left == -right);
    Ok(())
}

/// Beyond its ends a track goes on straight.
#[test]
fn a_track_goes_on_beyond_its_ends() -> Result<(), Error> {
    let above = OneSidedTrack::left_of(Hump)?;
    let end: Vector2<f64> = Hump.position(2.5);
    let along: Vector2<f64> = Hump.tangent(2.5);
    let q = end + along;
    let v = Vector2::new(1.0, 2.0);
    assert!(above.gaps(0.0, &q)[0].abs() < 1e-14);
    assert_eq!(above.one_sided_bias(0.0, &q, &v), Vector2::zeros());
    Ok(())
}
