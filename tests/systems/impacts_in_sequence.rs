//! Impacts one after the other, which need not end: their limits, by hand.
//!
//! Source: S. McNamara, W. R. Young, *Inelastic collapse and clumping in a one-dimensional granular medium*, Physics of
//! Fluids A 4 (1992): three equal balls collide without end if the restitution is below 7 − 4 √3.

use constraint_runtime::prelude::*;
use constraint_runtime::{ContactLaws, ImpactLaw, Impacts};

use super::random::Random;

system! {
    /// Balls of one diameter on a line.
    struct Line { m: [Real; 4], d: Real, e: [Real; 3] }
    coordinate x[4];
    kinetic sum(i in 0..4: m[i]/2*velocity(x[i])^2);
    constraint gap[i in 0..3]: x[i + 1] - x[i] >= d { restitution: e[i] };
}

type Run = ContactSimulation<f64, Line<f64>, Rk4<f64>>;

fn run(line: Line<f64>, x: [f64; 4], v: [f64; 4], impact: ImpactLaw) -> Result<Run, Error> {
    let laws = ContactLaws {
        impact,
        impacts: Impacts::InSequence,
        ..ContactLaws::default()
    };
    let start = State::new(0.0, x, v);
    let mut run = ContactSimulation::with_laws(line, start, Rk4::new(0.05), laws)?;
    run.run_until(3.0)?;
    Ok(run)
}

/// Without restitution no gap opens, so that all move with the velocity of their centre in the end, whichever meets the row
/// first, and however the masses differ.
#[test]
fn impacts_without_restitution_reach_their_limit() -> Result<(), Error> {
    let starts = [
        ([-1.0, 1.0, 2.0, 3.0], [1.0, 0.0, 0.0, 0.0]),
        ([0.0, 1.0, 2.0, 3.5], [0.0, 0.0, 0.0, -1.0]),
        ([-0.5, 1.0, 2.0, 3.5], [1.0, 0.0, 0.0, -1.0]),
        ([0.0, 1.0, 2.0, 3.0], [3.0, 2.0, 1.0, -1.0]),
        ([-1.0, 0.0, 2.0, 3.0], [1.0, 1.0, 0.0, 0.0]),
        // Seen from a train.
        ([-1.0, 1.0, 2.0, 3.0], [1001.0, 1000.0, 1000.0, 1000.0]),
    ];
    for m in [[1.0; 4], [1.0, 100.0, 0.01, 3.0], [0.01, 1e3, 1.0, 50.0]] {
        for (x, v) in starts {
            for impact in [ImpactLaw::Moreau, ImpactLaw::Newton, ImpactLaw::Poisson] {
                let line = Line {
                    m,
                    d: 1.0,
                    e: [0.0; 3],
                };
                let after = run(line, x, v, impact)?.state().v;
                let total = m.iter().zip(v).map(|(m, v)| m * v).sum::<f64>();
                let common = total / m.iter().sum::<f64>();
                let size = v.iter().fold(0.0, |most: f64, v| v.abs().max(most));
                let off = after.add_scalar(-common).amax();
                assert!(off < 1e-12 * size, "{m:?} {v:?}: {after}, not {common}");
            }
        }
    }
    Ok(())
}

/// Three equal balls: pairs collide in turn, without end and with one velocity as the limit below 7 − 4 √3, otherwise until
/// no gap closes.
#[test]
fn three_balls_collapse_below_the_published_restitution() -> Result<(), Error> {
    let threshold = 7.0 - 4.0 * 3.0_f64.sqrt();
    for e in [0.0, 0.05, threshold - 1e-3, 0.1, 0.2, 0.5, 0.9, 1.0] {
        let mut by_hand = [1.0_f64, 0.0, 0.0];
        let mut impacts = 0;
        while let Some(i) = (0..2).find(|&i| by_hand[i] - by_hand[i + 1] > 1e-13) {
            let [a, b] = [by_hand[i], by_hand[i + 1]];
            let (mean, half) = ((a + b) / 2.0, e * (a - b) / 2.0);
            (by_hand[i], by_hand[i + 1]) = (mean - half, mean + half);
            impacts += 1;
        }
        let line = Line {
            m: [1.0; 4],
            d: 0.0,
            e: [e; 3],
        };
        let after = run(
            line,
            [0.0, 0.0, 0.0, 9.0],
            [1.0, 0.0, 0.0, 0.0],
            ImpactLaw::Moreau,
        )?;
        let after = after.state().v;
        let expected = match e < threshold {
            true => [1.0 / 3.0; 3],
            false => by_hand,
        };
        assert_eq!(e < threshold, impacts > 12, "{e}: {impacts}");
        for (found, expected) in after.iter().zip(expected) {
            assert!(
                (found - expected).abs() < 1e-12,
                "{e}: {after}, not {expected}"
            );
        }
        assert_eq!(after[3], 0.0);
    }
    Ok(())
}

/// Whatever the masses and the restitution of each gap, the momentum stays, the energy does not rise, and no gap closes
/// in the end; nothing ends the run.
#[test]
fn sequences_keep_the_momentum_and_add_no_energy() -> Result<(), Error> {
    let mut random = Random::new(3);
    for case in 0..60 {
        let mut draw = |most: f64| random.between(0.0, most);
        let m = core::array::from_fn(|_| 10.0_f64.powf(draw(4.0) - 2.0));
        let e = core::array::from_fn(|_| if case % 2 == 0 { 0.0 } else { draw(1.0) });
        let mut x = [0.0; 4];
        for i in 1..4 {
            x[i] = x[i - 1]
                + if case % 3 == 0 {
                    draw(2.0).floor() / 4.0
                } else {
                    0.0
                };
        }
        let v: [f64; 4] = core::array::from_fn(|_| draw(8.0).floor() / 4.0 - 1.0);
        let after = run(Line { m, d: 0.0, e }, x, v, ImpactLaw::Moreau)?
            .state()
            .v;
        let sum = |of: fn(f64, f64) -> f64, v: &[f64]| -> f64 {
            m.iter().zip(v).map(|(&m, &v)| of(m, v)).sum()
        };
        let scale = sum(|m, v| m * v.abs(), &v);
        let change = sum(|m, v| m * v, after.as_slice()) - sum(|m, v| m * v, &v);
        assert!(change.abs() <= 1e-13 * scale, "{case}: {change}");
        let energy = |v: &[f64]| sum(|m, v| m * v * v / 2.0, v);
        assert!(
            energy(after.as_slice()) <= energy(&v) * (1.0 + 1e-13),
            "{case}"
        );
    }
    Ok(())
}
