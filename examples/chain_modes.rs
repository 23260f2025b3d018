//! How a chain of 64 links swings: the zeros of Laguerre's polynomial L₆₄ give its frequencies.
//!
//! With tension (n − j) m g in link j, small swings of n equal beads on links of length l obey, counted from the free
//! end, (k + 1) (x_{k+1} − x_k) − k (x_k − x_{k−1}) = −(ω² l/g) x_k: the recurrence of L_k(ω² l/g). Since the upper
//! end is fixed, L_n(ω² l/g) = 0. The program does not use this: `equilibrium` finds the hanging chain,
//! `#[derivatives]` linearises v̇ there, in loops over the links, and `modes` returns the frequencies and shapes.
//!
//! Checks: all 64 frequencies are those of the zeros, computed both as eigenvalues of Jacobi's matrix and by the
//! recurrence; the shapes are the polynomials themselves.
//! Lengths are in metres, times in seconds, masses in kilograms.
//!
//! # Source
//! D. Bernoulli, *Theoremata de oscillationibus corporum filo flexili connexorum et catenae verticaliter suspensae* (1738).
//! G. H. Golub, J. H. Welsch, *Calculation of Gauss quadrature rules*, Mathematics of Computation 23 (1969): Jacobi's matrix.

use std::error::Error;

use constraint_runtime::Vector;
use constraint_runtime::nalgebra::DMatrix;
use constraint_runtime::prelude::*;
use constraint_runtime::{equilibrium, modes};

const LINKS: usize = 64;

system! {
    /// Beads on links, the first from the origin.
    #[derivatives]
    pub struct Chain { m: Real = 0.1, l: Real = 0.05, g: Real = 9.81 }

    particle bead[64]: Point2 { mass: m }
    constraint link[0]: norm(bead[0]) == l;
    for i in 1..64 { constraint link[i]: norm(bead[i] - bead[i - 1]) == l; }
    gravity [0, -g];
}

/// Prints the slowest and the fastest swings, and draws the slowest.
pub fn main() -> Result<(), Box<dyn Error>> {
    let chain = Chain::<f64>::default();
    // Hung a little askew.
    let bead = std::array::from_fn(|i| {
        let length = chain.l * (i + 1) as f64;
        Point2::new(0.02, -1.0).map(|x| length * x)
    });
    let start = State::new(0.0, ChainCoordinates { bead }, ChainVelocities::default());
    let rest = equilibrium(&chain, start)?;
    let found = modes(&chain, &rest)?;
    assert!(found.is_stable() && found.len() == LINKS);

    println!("mode  ω in rad/s   Laguerre zero");
    let zeros = zeros_of_laguerre();
    for (i, (mode, &zero)) in found.iter().zip(&zeros).enumerate() {
        let (omega, expected) = (mode.angular_frequency(), (zero * chain.g / chain.l).sqrt());
        if i < 4 || i + 2 > LINKS {
            println!("{:>4}{omega:>12.7}{expected:>15.7}", i + 1);
        }
        assert!((omega / expected - 1.0).abs() < 1e-9, "{omega} {expected}");
        compare_shape(mode.shape.entries(), zero);
    }
    for mode in &found[..3] {
        draw(mode.shape.entries());
    }
    Ok(())
}

/// The zeros of L_n in order: eigenvalues of the matrix with 2 k + 1 on the diagonal and k + 1 next to it.
fn zeros_of_laguerre() -> Vec<f64> {
    let jacobi = DMatrix::from_fn(LINKS, LINKS, |i, k| match i.abs_diff(k) {
        0 => (2 * i + 1) as f64,
        1 => i.max(k) as f64,
        _ => 0.0,
    });
    let mut zeros: Vec<f64> = jacobi.symmetric_eigenvalues().iter().copied().collect();
    zeros.sort_by(f64::total_cmp);
    zeros
}

/// L_0(x) to L_n(x).
fn laguerre(x: f64) -> Vec<f64> {
    let mut values = vec![1.0, 1.0 - x];
    for k in 1..LINKS {
        let (k, [before, last]) = (
            k as f64,
            [values[values.len() - 2], values[values.len() - 1]],
        );
        values.push(((2.0 * k + 1.0 - x) * last - k * before) / (k + 1.0));
    }
    values
}

/// Checks that the deflections of a mode's beads are the polynomials, L₀ for the lowest, and that no bead moves up or down.
fn compare_shape(shape: &[f64], zero: f64) {
    let expected = laguerre(zero);
    let aside = |k: usize| shape[2 * (LINKS - 1 - k)];
    let (mut along, mut size) = (0.0, [0.0, 0.0]);
    for (k, expected) in expected.iter().take(LINKS).enumerate() {
        along += aside(k) * expected;
        size[0] += aside(k).powi(2);
        size[1] += expected.powi(2);
    }
    // The cosine between both.
    let cosine = along.abs() / (size[0] * size[1]).sqrt();
    assert!((cosine - 1.0).abs() < 1e-9, "{cosine}");
    let up = shape
        .iter()
        .skip(1)
        .step_by(2)
        .fold(0.0, |most: f64, y| most.max(y.abs()));
    assert!(up < 1e-6 * size[0].sqrt(), "{up}");
}

/// A line of text for every fourth bead.
fn draw(shape: &[f64]) {
    let widest = shape.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    println!();
    for x in shape.iter().step_by(8) {
        let column = (20.0 + 18.0 * x / widest).round() as usize;
        println!("{:>column$}", "o");
    }
}
