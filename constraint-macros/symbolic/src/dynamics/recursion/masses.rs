//! The mass of a link: m, its first moments s = Σ m r and its second moments S = Σ m r rᵀ about the origin of its frame.

use super::symmetric::Symmetric;
use super::turn::Turn;
use super::vector::{Vector, scaled, sum};
use crate::expr::{ExprId, Graph, MapEach, Number};

/// m, s and S.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Masses {
    pub mass: ExprId,
    pub first: Vector,
    pub second: Symmetric,
}

impl Masses {
    pub fn none(zero: ExprId) -> Masses {
        Masses {
            mass: zero,
            first: [zero; 3],
            second: Symmetric([zero; 6]),
        }
    }

    /// Of a body about its centre of mass: S = ½ tr I − I. In the plane any S does with Sxx + Syy = I.
    pub fn of_body(graph: &mut Graph, mass: ExprId, tensor: &[Vec<ExprId>]) -> Masses {
        let zero = graph.zero();
        let entry = |i: usize, j: usize| match tensor.len() {
            1 if (i, j) == (2, 2) => tensor[0][0],
            1 => zero,
            _ => tensor[i][j],
        };
        let trace = [0, 1, 2].map_each(|i| (entry(i, i), Number::HALF));
        let second = Symmetric::from(|(i, j)| {
            let inertia = (entry(i, j), Number::MINUS_ONE);
            if i != j {
                return graph.sum(&[inertia]);
            }
            graph.sum(&[&trace[..], &[inertia]].concat())
        });
        Masses {
            mass,
            first: [zero; 3],
            second,
        }
    }

    /// A rod on the axis along `unit`: m, its first and its second moment along it.
    pub fn rod(graph: &mut Graph, [mass, first, second]: [ExprId; 3], unit: &Vector) -> Masses {
        Masses {
            mass,
            first: scaled(graph, first, unit),
            second: Symmetric::from(|(i, j)| {
                let square = graph.mul(unit[i], unit[j]);
                graph.mul(second, square)
            }),
        }
    }

    pub fn plus(&self, graph: &mut Graph, other: &Masses) -> Masses {
        Masses {
            mass: graph.add(self.mass, other.mass),
            first: sum(graph, [&self.first, &other.first]),
            second: self.second.plus(graph, &other.second),
        }
    }

    /// About the origin from which the present one is at `place`: S + s pᵀ + p sᵀ + m p pᵀ.
    pub fn moved(&self, graph: &mut Graph, place: &Vector) -> Masses {
        let weighted = scaled(graph, self.mass, place);
        let first = sum(graph, [&self.first, &weighted]);
        let second = Symmetric::from(|(i, j)| {
            // The new first moments contain m p.
            let [a, b] = [
                graph.mul(first[i], place[j]),
                graph.mul(place[i], self.first[j]),
            ];
            let terms = [self.second.get(i, j), a, b].map_each(|it| (it, Number::ONE));
            graph.sum(&terms)
        });
        Masses {
            mass: self.mass,
            first,
            second,
        }
    }

    /// In the frame before the link, about its origin.
    pub fn out(&self, graph: &mut Graph, turn: &Turn, place: &Vector) -> Masses {
        let turned = Masses {
            mass: self.mass,
            first: turn.out(graph, &self.first),
            second: turn.out_symmetric(graph, &self.second),
        };
        turned.moved(graph, place)
    }
}
