//! Vectors in space.

use crate::expr::{ExprId, Graph, MapEach, Number};

/// Its components.
pub type Vector = [ExprId; 3];

/// Linear and angular components: of a motion, or force and torque.
pub type Pair = [Vector; 2];

pub fn sum<const N: usize>(graph: &mut Graph, vectors: [&Vector; N]) -> Vector {
    [0, 1, 2].map_each(|i| graph.sum(&vectors.map_each(|it| (it[i], Number::ONE))))
}

pub fn sum_of_pairs<const N: usize>(graph: &mut Graph, pairs: [&Pair; N]) -> Pair {
    [0, 1].map_each(|k| sum(graph, pairs.map_each(|it| &it[k])))
}

pub fn scaled(graph: &mut Graph, by: ExprId, vector: &Vector) -> Vector {
    vector.map_each(|it| graph.mul(by, it))
}

/// The axes that follow an axis.
pub fn others(axis: usize) -> [usize; 2] {
    [(axis + 1) % 3, (axis + 2) % 3]
}
