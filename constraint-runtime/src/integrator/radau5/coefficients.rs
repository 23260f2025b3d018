//! Coefficients of Radau IIA of three stages, and the polynomials through its stages.

use super::super::step_control::ErrorOfTurns;
use crate::real::Real;
use crate::vector::Vector;

/// √6
pub(super) const ROOT: f64 = 2.449_489_742_783_178;

/// Times of the stages, in steps.
pub(super) const C: [f64; 3] = [(4.0 - ROOT) / 10.0, (4.0 + ROOT) / 10.0, 1.0];

/// Weights of the slopes in the stages; the last stage is the end of the step.
pub(super) const A: [[f64; 3]; 3] = [
    [
        (88.0 - 7.0 * ROOT) / 360.0,
        (296.0 - 169.0 * ROOT) / 1800.0,
        (-2.0 + 3.0 * ROOT) / 225.0,
    ],
    [
        (296.0 + 169.0 * ROOT) / 1800.0,
        (88.0 + 7.0 * ROOT) / 360.0,
        (-2.0 - 3.0 * ROOT) / 225.0,
    ],
    [(16.0 - ROOT) / 36.0, (16.0 + ROOT) / 36.0, 1.0 / 9.0],
];

/// A⁻¹
pub(super) const INVERSE: [[f64; 3]; 3] = [
    [
        2.0 + ROOT / 2.0,
        -1.2 + 29.0 * ROOT / 30.0,
        0.4 - 4.0 * ROOT / 15.0,
    ],
    [
        -1.2 - 29.0 * ROOT / 30.0,
        2.0 - ROOT / 2.0,
        0.4 + 4.0 * ROOT / 15.0,
    ],
    [-1.0 + 8.0 * ROOT / 3.0, -1.0 - 8.0 * ROOT / 3.0, 5.0],
];

/// T of T⁻¹ A⁻¹ T = (γ, 0, 0; 0, α, −β; 0, β, α), RADAU5's.
pub(super) const FROM_DIAGONAL: [[f64; 3]; 3] = [
    [
        9.123_239_487_089_295e-2,
        -0.141_255_295_020_954_2,
        -3.002_919_410_514_742_4e-2,
    ],
    [
        0.241_717_932_707_107,
        0.204_129_352_293_799_94,
        0.382_942_112_757_261_9,
    ],
    [0.966_048_182_615_093, 1.0, 0.0],
];

/// T⁻¹
pub(super) const TO_DIAGONAL: [[f64; 3]; 3] = [
    [
        4.325_579_890_063_155,
        0.339_199_251_815_809_85,
        0.541_770_539_935_874_9,
    ],
    [
        -4.178_718_591_551_905,
        -0.327_682_820_761_062_37,
        0.476_623_554_500_550_44,
    ],
    [
        -0.502_872_634_945_786_9,
        2.571_926_949_855_605,
        -0.596_039_204_828_224_9,
    ],
];

/// γ
pub(super) const GAMMA: f64 = 3.637_834_252_744_496;
/// α and β
pub(super) const PAIR: [f64; 2] = [2.681_082_873_627_752, 3.050_430_199_247_411];

/// Weights of the stages' slopes in h/γ (ẏ₀ + Σⱼ eⱼ ẏⱼ), the difference to a result of order 3; they sum up to −1.
pub(super) const ERROR: [f64; 3] = [-1.0 / 3.0 - ROOT / 2.0, -1.0 / 3.0 + ROOT / 2.0, -1.0 / 3.0];

/// Σⱼ eⱼ cⱼ³ / (3! γ)
pub(super) const ERROR_OF_TURNS: ErrorOfTurns = ErrorOfTurns {
    factor: 0.1 / 6.0 / GAMMA,
    power: 4,
};

/// Σⱼ wⱼ xⱼ
pub(super) fn weighted<T: Real>(weights: [T; 3], x: impl Fn(usize) -> T) -> T {
    weights[0] * x(0) + weights[1] * x(1) + weights[2] * x(2)
}

/// The same of vectors.
pub(super) fn combined<T: Real, X: Vector<Scalar = T>>(weights: [T; 3], x: &[X; 3]) -> X {
    x[0].like(|i| weighted(weights, |j| x[j][i]))
}

/// Lagrange's polynomial that is one at the time of one stage and zero at those of the others: (θ² − sum θ + product) scale.
pub(super) struct Basis {
    sum: f64,
    product: f64,
    scale: f64,
}

pub(super) fn basis(j: usize) -> Basis {
    let (own, a, b) = (C[j], C[(j + 1) % 3], C[(j + 2) % 3]);
    Basis {
        sum: a + b,
        product: a * b,
        scale: 1.0 / ((own - a) * (own - b)),
    }
}

impl Basis {
    pub(super) fn value(&self, theta: f64) -> f64 {
        ((theta - self.sum) * theta + self.product) * self.scale
    }

    /// From 1 to `end`.
    pub(super) fn integral<T: Real>(&self, end: T) -> T {
        let [scale, sum, product] = [self.scale, self.sum, self.product].map(T::lit);
        let primitive = |x: T| ((x * T::lit(1.0 / 3.0) - sum * T::lit(0.5)) * x + product) * x;
        (primitive(end) - primitive(T::one())) * scale
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{Matrix3, Vector3};

    use super::*;

    fn matrix(rows: [[f64; 3]; 3]) -> Matrix3<f64> {
        Matrix3::from_fn(|i, j| rows[i][j])
    }

    #[test]
    fn the_stages_integrate_parabolas_and_the_end_polynomials_of_degree_four() {
        for power in 1..=5 {
            for (i, row) in A.iter().enumerate() {
                let sum: f64 = (0..3).map(|j| row[j] * C[j].powi(power - 1)).sum();
                let exact = C[i].powi(power) / f64::from(power);
                let holds = (sum - exact).abs() < 1e-15;
                assert_eq!(holds, power <= 3 || i == 2, "stage {i}, power {power}");
            }
        }
    }

    #[test]
    fn the_inverse_is_brought_to_diagonal_form() {
        let (from, to, inverse) = (matrix(FROM_DIAGONAL), matrix(TO_DIAGONAL), matrix(INVERSE));
        assert!((matrix(A) * inverse - Matrix3::identity()).amax() < 1e-14);
        assert!((to * from - Matrix3::identity()).amax() < 1e-14);
        let [alpha, beta] = PAIR;
        let diagonal = Matrix3::new(GAMMA, 0.0, 0.0, 0.0, alpha, -beta, 0.0, beta, alpha);
        assert!((to * inverse * from - diagonal).amax() < 1e-13);
    }

    /// RADAU5's own weights of the zᵢ, DD1 to DD3, times A.
    #[test]
    fn the_estimate_is_that_of_radau5_and_of_order_three() {
        let theirs = Vector3::new(
            -(13.0 + 7.0 * ROOT) / 3.0,
            (-13.0 + 7.0 * ROOT) / 3.0,
            -1.0 / 3.0,
        );
        let ours = matrix(A).transpose() * theirs;
        assert!((ours - Vector3::from(ERROR)).amax() < 1e-14);
        let moment = |power: i32| (0..3).map(|j| ERROR[j] * C[j].powi(power)).sum::<f64>();
        assert!((moment(0) + 1.0).abs() < 1e-14);
        assert!(moment(1).abs() < 1e-14 && moment(2).abs() < 1e-14);
        let factor = moment(3).abs() / 6.0 / GAMMA;
        assert!((factor - ERROR_OF_TURNS.factor).abs() < 1e-15);
    }

    #[test]
    fn lagrange_polynomials_are_one_at_their_own_stage_and_integrate_to_the_weights() {
        for i in 0..3 {
            for j in 0..3 {
                let own = if i == j { 1.0 } else { 0.0 };
                assert!((basis(j).value(C[i]) - own).abs() < 1e-14);
            }
            // From 1 back to 0, and its derivative by a difference.
            assert!((basis(i).integral(0.0) + A[2][i]).abs() < 1e-14);
        }
    }
}
