//! Networks of rods by automatic differentiation: C alone is written, num-dual gives J and β.

use constraint_runtime::nalgebra::SVector;
use num_dual::{Dual2_64, DualNum, DualSVec64};

use super::dense::solve;
use super::rods::{Bead, Rods};

/// J by forward duals over all coordinates, β by second duals along v, then nalgebra.
#[derive(Clone, Copy, Debug)]
pub struct Differentiated<const M: usize>(pub Rods<M>);

impl<const M: usize> Differentiated<M> {
    /// v̇ of the beads.
    pub fn acceleration<const Q: usize>(
        &self,
        q: &SVector<f64, Q>,
        v: &SVector<f64, Q>,
    ) -> SVector<f64, Q> {
        let (_, j) = num_dual::jacobian(|q| self.rows::<DualSVec64<Q>, Q>(&q), q);
        let along = self.rows(&q.zip_map(v, |q, v| Dual2_64::new(q, v, 0.0)));
        solve(&self.0, &j, &along.map(|c| c.v2))
    }

    /// C: half the squared length of each rod. Its constant part has no derivative.
    pub fn rows<D, const Q: usize>(&self, q: &SVector<D, Q>) -> SVector<D, M>
    where
        D: DualNum<Primitive = f64> + Copy,
    {
        let place = |bead| match bead {
            Bead::Free(i) => (q[2 * i], q[2 * i + 1]),
            Bead::Fixed(x, y) => (D::from(x), D::from(y)),
        };
        SVector::from_fn(|row, _| {
            let [a, b] = self.0.ends[row].map(place);
            ((b.0 - a.0).powi(2) + (b.1 - a.1).powi(2)) * 0.5
        })
    }
}
