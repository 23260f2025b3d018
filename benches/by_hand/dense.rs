//! Networks of rods by a linear algebra library: dense static matrices, Cholesky.

use constraint_runtime::nalgebra::{SMatrix, SVector};

use super::rods::{Bead, Rods, end};

/// J, W and β assembled, J W Jᵀ multiplied out and factored by nalgebra.
#[derive(Clone, Copy, Debug)]
pub struct Dense<const M: usize>(pub Rods<M>);

impl<const M: usize> Dense<M> {
    /// v̇ of the beads.
    pub fn acceleration<const Q: usize>(
        &self,
        q: &SVector<f64, Q>,
        v: &SVector<f64, Q>,
    ) -> SVector<f64, Q> {
        let mut j = SMatrix::<f64, M, Q>::zeros();
        let mut bias = SVector::<f64, M>::zeros();
        for (row, [from, to]) in self.0.ends.into_iter().enumerate() {
            let d = end(q, to, 1.0) - end(q, from, 1.0);
            bias[row] = (end(v, to, 0.0) - end(v, from, 0.0)).norm_squared();
            for (bead, sign) in [(from, -1.0), (to, 1.0)] {
                if let Bead::Free(i) = bead {
                    j[(row, 2 * i)] = sign * d.x;
                    j[(row, 2 * i + 1)] = sign * d.y;
                }
            }
        }
        solve(&self.0, &j, &bias)
    }
}

/// W (f + Jᵀ λ) with (J W Jᵀ) λ = −β − J W f.
pub(super) fn solve<const Q: usize, const M: usize>(
    rods: &Rods<M>,
    j: &SMatrix<f64, M, Q>,
    bias: &SVector<f64, M>,
) -> SVector<f64, Q> {
    let w = SVector::<f64, Q>::repeat(1.0 / rods.m);
    let mut weighted = *j;
    for (mut column, w) in weighted.column_iter_mut().zip(w.iter()) {
        column *= *w;
    }
    let f = rods.force();
    let delassus = weighted * j.transpose();
    let factor = delassus.cholesky().expect("the rods are independent");
    let lambda = factor.solve(&-(bias + weighted * f));
    w.component_mul(&(f + j.tr_mul(&lambda)))
}
