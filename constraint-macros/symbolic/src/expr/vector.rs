//! Products of vectors, component by component.

use super::{ExprId, Graph, Number};
use crate::expr::{CollectVec, MapEach};

impl Graph {
    /// Σ aᵢ bᵢ
    pub fn dot(&mut self, a: &[ExprId], b: &[ExprId]) -> ExprId {
        let pairs = a.iter().zip(b);
        let terms: Vec<_> = pairs
            .map(|(&a, &b)| (self.mul(a, b), Number::ONE))
            .collect_vec();
        self.sum(&terms)
    }

    /// a×b in space.
    pub fn cross(&mut self, a: [ExprId; 3], b: [ExprId; 3]) -> [ExprId; 3] {
        [(1, 2), (2, 0), (0, 1)].map_each(|(m, n)| {
            let (plus, minus) = (self.mul(a[m], b[n]), self.mul(a[n], b[m]));
            self.sub(plus, minus)
        })
    }
}
