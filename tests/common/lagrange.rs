//! Lagrange's equations by differences, from the energies that a system tells.

use approx::assert_abs_diff_eq;
use constraint_runtime::prelude::*;

/// A number between −1 and 1 for every i, without pattern.
pub fn scattered<const N: usize>(seed: f64) -> SVector<f64, N> {
    SVector::from_fn(|i, _| (12.9 * (i as f64 + 1.0) + 78.2 * seed).sin())
}

/// The slope of f at 0 by central differences of order 4: with h = 10⁻³, exact to about 10⁻¹¹.
pub fn slope<const N: usize>(f: impl Fn(f64) -> SVector<f64, N>) -> SVector<f64, N> {
    let h = 1e-3;
    ((f(h) - f(-h)) * 8.0 - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h)
}

/// J as a matrix, which a system without rows has none of.
pub fn jacobian<S, const N: usize, const M: usize>(
    system: &S,
    t: f64,
    q: &SVector<f64, N>,
) -> SMatrix<f64, M, N>
where
    S: System<f64, Q = SVector<f64, N>, V = SVector<f64, N>, Rows = SVector<f64, M>>,
{
    let entries = system.jacobian(t, q);
    SMatrix::from_fn(|i, k| entries[(i, k)])
}

/// Lagrange's equations d/dt ∂T/∂v − ∂T/∂q + ∂V/∂q = Q + Jᵀ λ, from the generated T and V by differences.
pub fn check_lagrange<S, const N: usize, const M: usize>(
    system: &S,
    other_forces: impl Fn(&SVector<f64, N>, &SVector<f64, N>) -> SVector<f64, N>,
) where
    S: System<f64, Q = SVector<f64, N>, V = SVector<f64, N>, Rows = SVector<f64, M>>,
{
    let unit = |i: usize| SVector::<f64, N>::from_fn(|j, _| if i == j { 1.0 } else { 0.0 });
    for seed in 0..5 {
        let (t, q) = (0.3, scattered::<N>(f64::from(seed)) * 1.5);
        let v = scattered::<N>(f64::from(seed) + 0.5);
        // T is quadratic in v: differences of momenta are exact but for rounding.
        let momentum = |t: f64, q: &SVector<f64, N>, v: &SVector<f64, N>| {
            SVector::<f64, N>::from_fn(|i, _| {
                let shifted = |x: f64| system.kinetic_energy(t, q, &(v + unit(i) * x));
                0.5 * (shifted(1.0) - shifted(-1.0))
            })
        };
        let lagrangian = |q: &SVector<f64, N>| {
            SVector::<f64, 1>::new(system.kinetic_energy(t, q, &v) - system.potential_energy(t, q))
        };
        let (acceleration, lambda) = system.acceleration_and_multipliers(t, &q, &v).unwrap();
        let rate = slope(|x| momentum(t + x, &(q + v * x), &(v + acceleration * x)));
        let pull = SVector::<f64, N>::from_fn(|i, _| slope(|x| lagrangian(&(q + unit(i) * x)))[0]);
        let force = system.constraint_force(t, &q, &v).unwrap();
        assert_abs_diff_eq!(
            force,
            jacobian(system, t, &q).transpose() * lambda,
            epsilon = 1e-9
        );
        let (projected, there) = system.projected_motion(t, &q, &v).unwrap();
        let change = system
            .correction(t, &q, &system.constraint_rate(t, &q, &v))
            .unwrap();
        assert_abs_diff_eq!(projected, v - change, epsilon = 1e-11);
        let expected = system.acceleration(t, &q, &projected).unwrap();
        assert_abs_diff_eq!(there, expected, epsilon = 1e-9);
        let missing = system.inverse_dynamics(t, &q, &v, &acceleration).unwrap();
        assert_abs_diff_eq!(missing, force, epsilon = 1e-11);
        let resisting = system.mass_matrix(t, &q) * v;
        let found = system.mass_times(t, &q, &v);
        assert_abs_diff_eq!(found.as_slice(), resisting.as_slice(), epsilon = 1e-12);
        assert_abs_diff_eq!(rate, pull + other_forces(&q, &v) + force, epsilon = 1e-6);
    }
}
