//! M, found from the kinetic energy and factored.

use alloc::vec;
use alloc::vec::Vec;

use super::Constrained;
use crate::error::Error;
use crate::linalg::ldlt::{factor_dense, scale, substitute, substitute_transposed};
use crate::real::Real;
use crate::vector::Vector;

/// M, factored.
pub(crate) struct MassMatrix<T> {
    factors: Vec<T>,
    d_inv: Vec<T>,
}

impl<T: Real> MassMatrix<T> {
    /// M = ∂²T/∂v²: T is of second degree in v.
    pub(super) fn of<S: Constrained<T> + ?Sized>(
        system: &S,
        t: T,
        q: &S::Q,
        v: &S::V,
    ) -> Result<Self, Error> {
        let n = v.entries().len();
        let energy = |v: &S::V| system.kinetic_energy(t, q, v);
        let rest = energy(&v.zeros_like());
        let alone: Vec<T> = (0..n).map(|i| energy(&unit(v, i)) - rest).collect();
        let mut factors = vec![T::zero(); n * n];
        for i in 0..n {
            for k in 0..=i {
                let mut both = unit(v, i);
                both[k] += T::one();
                factors[i * n + k] = energy(&both) - rest - alone[i] - alone[k];
            }
        }
        Self::factored(factors, n, S::Rows::LEN.unwrap_or(0))
    }

    /// Factors M, whose rows are counted after those of the constraints.
    pub(crate) fn factored(mut factors: Vec<T>, n: usize, rows: usize) -> Result<Self, Error> {
        let diagonal: Vec<T> = (0..n).map(|i| factors[i * n + i]).collect();
        let mut d_inv = diagonal.clone();
        factor_dense(&mut factors, &mut d_inv, &diagonal, rows)?;
        Ok(Self { factors, d_inv })
    }

    /// Replaces b by M⁻¹ b.
    pub(crate) fn solve(&self, b: &mut [T]) {
        substitute(&self.factors, b);
        scale(b, &self.d_inv);
        substitute_transposed(&self.factors, b);
    }
}

/// One in the entry `i`, zero in the others.
pub(crate) fn unit<X: Vector>(like: &X, i: usize) -> X {
    let mut unit = like.zeros_like();
    unit[i] = Real::lit(1.0);
    unit
}
