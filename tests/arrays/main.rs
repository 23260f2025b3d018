//! Arrays in `system!` against the same systems written out name by name: bit for bit.

mod bound;
mod by_name;
mod grids;

use constraint_runtime::prelude::*;

/// Numbers between -1 and 1, the same for ever.
fn noise(i: usize) -> f64 {
    (12.9898 * i as f64 + 4.1).sin()
}

/// Checks that two systems move alike, bit for bit.
fn check_alike<const Q: usize, const V: usize, A, B>(
    one: &A,
    other: &B,
    q: &SVector<f64, Q>,
    v: &SVector<f64, V>,
) where
    A: System<f64, Q = SVector<f64, Q>, V = SVector<f64, V>>,
    B: System<f64, Q = A::Q, V = A::V, Rows = A::Rows>,
    A::Rows: PartialEq + core::fmt::Debug,
{
    assert_eq!(one.acceleration(0.0, q, v), other.acceleration(0.0, q, v));
    assert_eq!(one.multipliers(0.0, q, v), other.multipliers(0.0, q, v));
    assert_eq!(one.applied(0.0, q, v), other.applied(0.0, q, v));
    assert_eq!(one.kinematics(0.0, q, v), other.kinematics(0.0, q, v));
    assert_eq!(
        one.kinetic_energy(0.0, q, v),
        other.kinetic_energy(0.0, q, v)
    );
    assert_eq!(one.potential_energy(0.0, q), other.potential_energy(0.0, q));
    assert_eq!(one.constraint(0.0, q), other.constraint(0.0, q));
    assert_eq!(one.bias(0.0, q, v), other.bias(0.0, q, v));
}
