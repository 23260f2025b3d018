//! Symmetric matrices.

use super::vector::{Vector, others};
use crate::expr::{ExprId, Graph, MapEach, Number};

/// A symmetric matrix: xx, xy, xz, yy, yz, zz.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetric(pub [ExprId; 6]);

/// Index of an entry.
fn at(i: usize, j: usize) -> usize {
    let (i, j) = (i.min(j), i.max(j));
    [0, 3, 5][i] + j - i
}

impl Symmetric {
    pub fn from(entry: impl FnMut((usize, usize)) -> ExprId) -> Symmetric {
        Symmetric([(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)].map_each(entry))
    }

    /// Entry (i, j).
    pub fn get(&self, i: usize, j: usize) -> ExprId {
        self.0[at(i, j)]
    }

    /// Removes S_kk.
    pub fn clear(&mut self, zero: ExprId, k: usize) {
        self.0[at(k, k)] = zero;
    }

    /// Removes row and column k.
    pub fn clear_axis(&mut self, zero: ExprId, k: usize) {
        (0..3).for_each(|i| self.0[at(i, k)] = zero);
    }

    /// S x
    pub fn times(&self, graph: &mut Graph, x: &Vector) -> Vector {
        [0, 1, 2].map_each(|i| graph.dot(&[0, 1, 2].map_each(|j| self.get(i, j)), x))
    }

    /// R S Rᵀ, R with these columns.
    pub fn turned(&self, graph: &mut Graph, columns: &[Vector; 3]) -> Symmetric {
        let row = |i: usize| columns.map_each(|column| column[i]);
        let half = [0, 1, 2].map_each(|i| self.times(graph, &row(i)));
        Symmetric::from(|(i, j)| graph.dot(&half[i], &row(j)))
    }

    /// R S Rᵀ for a rotation about an axis of coordinates: with w = c (Sᵢᵢ − Sⱼⱼ) − 2 s Sᵢⱼ, Sᵢᵢ becomes Sⱼⱼ + c w, Sⱼⱼ
    /// becomes Sᵢᵢ − c w, and Sᵢⱼ + s w their product.
    pub fn turned_about(
        &self,
        graph: &mut Graph,
        axis: usize,
        cos: ExprId,
        sin: ExprId,
    ) -> Symmetric {
        let [i, j] = others(axis);
        let [ii, jj, ij] = [self.get(i, i), self.get(j, j), self.get(i, j)];
        let difference = graph.sub(ii, jj);
        let doubled = graph.scale(ij, Number::integer(2));
        let [plus, minus] = [graph.mul(cos, difference), graph.mul(sin, doubled)];
        let w = graph.sub(plus, minus);
        let [along, across] = [cos, sin].map_each(|it| graph.mul(it, w));
        let [ki, kj] = [self.get(axis, i), self.get(axis, j)];
        let [c_ki, c_kj] = [ki, kj].map_each(|it| graph.mul(cos, it));
        let [s_ki, s_kj] = [ki, kj].map_each(|it| graph.mul(sin, it));
        let mut turned = self.clone();
        turned.0[at(i, i)] = graph.add(jj, along);
        turned.0[at(j, j)] = graph.sub(ii, along);
        turned.0[at(i, j)] = graph.add(ij, across);
        turned.0[at(axis, i)] = graph.sub(c_ki, s_kj);
        turned.0[at(axis, j)] = graph.add(s_ki, c_kj);
        turned
    }

    pub fn plus(&self, graph: &mut Graph, other: &Symmetric) -> Symmetric {
        Symmetric::from(|(i, j)| graph.add(self.get(i, j), other.get(i, j)))
    }
}
