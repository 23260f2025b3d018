//! Parts in `system!`, those of another crate too, against the same systems written out with arrays, joints of the library against the runtime's types.

mod across;
mod alike;
mod joints;
mod laws;

use constraint_runtime::prelude::*;

/// Numbers between -1 and 1, the same for ever.
fn noise(i: usize) -> f64 {
    (12.9898 * i as f64 + 4.1).sin()
}

/// Checks that two systems move alike but for the order in which sums are taken, and cost the same.
fn check_alike<const Q: usize, const V: usize, const M: usize, A, B>(
    one: &A,
    other: &B,
    q: &SVector<f64, Q>,
    v: &SVector<f64, V>,
) where
    A: System<f64, Q = SVector<f64, Q>, V = SVector<f64, V>, Rows = SVector<f64, M>>,
    B: System<f64, Q = A::Q, V = A::V, Rows = A::Rows>,
{
    close(
        one.acceleration(0.0, q, v).unwrap(),
        other.acceleration(0.0, q, v).unwrap(),
    );
    close(
        one.multipliers(0.0, q, v).unwrap(),
        other.multipliers(0.0, q, v).unwrap(),
    );
    close(one.constraint(0.0, q), other.constraint(0.0, q));
    close(one.bias(0.0, q, v), other.bias(0.0, q, v));
    let energy = |kinetic, potential| SVector::from([kinetic, potential]);
    close(
        energy(one.kinetic_energy(0.0, q, v), one.potential_energy(0.0, q)),
        energy(
            other.kinetic_energy(0.0, q, v),
            other.potential_energy(0.0, q),
        ),
    );
}

fn close<const N: usize>(one: SVector<f64, N>, other: SVector<f64, N>) {
    let scale = 1.0 + other.norm();
    assert!((one - other).norm() <= 1e-12 * scale, "{one}{other}");
}
