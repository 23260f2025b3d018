//! Small oscillations of a hanging chain of n equal links with the mass in the joints.
//!
//! The normal frequencies are ω² = (g/l) x with x the zeros of Laguerre's polynomial L_n, and in that mode the
//! k-th bead from the free end swings with the amplitude L_k(x).
//!
//! Source: [Bernoulli 1733] D. Bernoulli, *Theoremata de oscillationibus corporum filo flexili connexorum et
//! catenae verticaliter suspensae*, Comm. Acad. Sci. Petrop. 6, 108–122 (n = 2, 3 and the limit); zeros from
//! [Abramowitz & Stegun 1964] table 25.9.

use constraint_runtime::prelude::*;

use crate::special::laguerre;
use crate::{G, assert_absolute};

system! {
    /// Eight links.
    struct Chain { m: Real = 0.3, l: Real = 0.5, g: Real = 9.81 }

    particle bead[8]: Point2 { mass: m }

    constraint anchor: norm(bead[0]) == l;
    for i in 1..8 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
    for i in 0..8 { force bead[i]: [0, -m*g]; }
}

const N: usize = 8;
const L: f64 = 0.5;

/// Table 25.9, n = 8.
const ZEROS: [f64; N] = [
    0.170_279_632_305,
    0.903_701_776_799,
    2.251_086_629_866,
    4.266_700_170_288,
    7.045_905_402_393,
    10.758_516_010_181,
    15.740_678_641_278,
    22.863_131_736_889,
];

/// The beads in the mode `x` with the largest amplitude `size`, at rest and on the constraints.
fn displaced(x: f64, size: f64) -> ([f64; 2 * N], [f64; N]) {
    let polynomials = &laguerre(N, x)[..N];
    let largest = polynomials
        .iter()
        .fold(0.0, |most: f64, l| most.max(l.abs()));
    let shape = std::array::from_fn(|i| size / largest * polynomials[N - 1 - i]);
    let mut q = [0.0; 2 * N];
    let mut last = [0.0, 0.0];
    for i in 0..N {
        let dx: f64 = shape[i] - last[0];
        last = [shape[i], last[1] - (L * L - dx * dx).sqrt()];
        q[2 * i..2 * i + 2].copy_from_slice(&last);
    }
    (q, shape)
}

#[test]
fn the_zeros_are_zeros() {
    for x in ZEROS {
        let polynomials = laguerre(N, x);
        // The twelfth decimal of the largest zero.
        assert_absolute(polynomials[N], 0.0, 1e-8);
    }
}

#[test]
fn every_mode_is_driven_back_with_its_frequency() {
    let size = 1e-6;
    for x in ZEROS {
        let (q, shape) = displaced(x, size);
        let chain = Chain::default();
        let a = chain
            .acceleration(0.0, &q.into(), &SVector::zeros())
            .unwrap();
        for (bead, amplitude) in shape.iter().enumerate() {
            // What is left out is smaller by the square of the displacement.
            let scale = G / L * x;
            assert_absolute(a[2 * bead], -scale * amplitude, 1e-8 * scale * size);
        }
    }
}

#[test]
fn the_slowest_mode_returns_after_its_period() {
    let size = 1e-5;
    let (q, shape) = displaced(ZEROS[0], size);
    let omega = (G / L * ZEROS[0]).sqrt();
    let start = State::new(0.0, q, [0.0; 2 * N]);
    let mut run = Simulation::new(Chain::default(), start, Rk4::new(2e-3)).unwrap();
    for t in [0.4, 1.0, std::f64::consts::TAU / omega] {
        run.run_until(t).unwrap();
        for (bead, amplitude) in shape.iter().enumerate() {
            let expected = amplitude * (omega * t).cos();
            assert_absolute(run.state().q[2 * bead], expected, 1e-6 * size);
        }
    }
}
