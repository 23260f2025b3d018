//! Vectors in space.

use crate::expr::{ExprId, Graph, Number};

/// Its components.
pub type Vector = [ExprId; 3];

/// Linear and angular components: of a motion, or force and torque.
pub type Pair = [Vector; 2];

pub fn sum<const N: usize>(graph: &mut Graph, vectors: [&Vector; N]) -> Vector {
    [0, 1, 2].map(|i| graph.sum(&vectors.map(|it| (it[i], Number::ONE))))
}

pub fn sum_of_pairs<const N: usize>(graph: &mut Graph, pairs: [&Pair; N]) -> Pair {
    [0, 1].map(|k| sum(graph, pairs.map(|it| &it[k])))
}

pub fn scaled(graph: &mut Graph, by: ExprId, vector: &Vector) -> Vector {
    vector.map(|it| graph.mul(by, it))
}

/// The axes that follow an axis.
pub fn others(axis: usize) -> [usize; 2] {
    [(axis + 1) % 3, (axis + 2) % 3]
}
