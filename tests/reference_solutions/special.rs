//! Special functions of the closed forms, by methods that know nothing of mechanics.
//!
//! Source: [Abramowitz & Stegun 1964] *Handbook of Mathematical Functions*; sections with each function.

use std::f64::consts::FRAC_PI_2;

/// Rounds of the arithmetic-geometric mean; it converges quadratically.
const ROUNDS: usize = 8;

/// K(m), the complete elliptic integral of the first kind of parameter m = k² (17.6.3).
pub fn complete_elliptic(m: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - m).sqrt());
    for _ in 0..ROUNDS {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    FRAC_PI_2 / a
}

/// am(u | m), the amplitude of Jacobi's functions: sn = sin am, cn = cos am (16.4).
pub fn amplitude(u: f64, m: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - m).sqrt());
    let mut ratios = [0.0; ROUNDS];
    for ratio in &mut ratios {
        let c = 0.5 * (a - b);
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
        *ratio = c / a;
    }
    let start = u * a * f64::from(1 << ROUNDS);
    ratios
        .iter()
        .rev()
        .fold(start, |phi, ratio| 0.5 * (phi + (ratio * phi.sin()).asin()))
}

/// L₀(x) … L_n(x), Laguerre's polynomials by their recurrence (22.7.12).
pub fn laguerre(n: usize, x: f64) -> Vec<f64> {
    let mut l = vec![1.0, 1.0 - x];
    for k in 1..n {
        let next = ((2 * k + 1) as f64 - x) * l[k] - k as f64 * l[k - 1];
        l.push(next / (k + 1) as f64);
    }
    l
}

/// Table 17.1.
#[test]
fn complete_elliptic_integrals_are_those_of_the_table() {
    assert!((complete_elliptic(0.5) - 1.854_074_677_301_37).abs() < 1e-14);
    assert!((complete_elliptic(0.75) - 2.156_515_647_499_64).abs() < 1e-14);
    assert_eq!(complete_elliptic(0.0), FRAC_PI_2);
}

/// am(u) solves φ′² = 1 − m sin² φ; a quarter period leads to π/2.
#[test]
fn the_amplitude_solves_its_differential_equation() {
    for m in [0.1, 0.5, 0.75, 0.99] {
        assert!((amplitude(complete_elliptic(m), m) - FRAC_PI_2).abs() < 1e-14);
        for u in [-1.3, 0.2, 0.9, 2.5, 7.0] {
            let h = 1e-3;
            let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(|k| amplitude(u + k * h, m));
            let slope = (a - 8.0 * b + 8.0 * c - d) / (12.0 * h);
            let expected = (1.0 - m * amplitude(u, m).sin().powi(2)).sqrt();
            assert!((slope - expected).abs() < 1e-10, "{m} {u}");
        }
    }
}

/// L₂ = (x² − 4x + 2)/2, L₃ = (−x³ + 9x² − 18x + 6)/6 (table 22.10).
#[test]
fn laguerre_polynomials_are_those_of_the_table() {
    let x = 0.7_f64;
    let l = laguerre(3, x);
    assert!((l[2] - (x * x - 4.0 * x + 2.0) / 2.0).abs() < 1e-15);
    assert!((l[3] - (6.0 - 18.0 * x + 9.0 * x * x - x.powi(3)) / 6.0).abs() < 1e-15);
}
