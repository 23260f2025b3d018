//! Rotations, applied factor by factor: one about an axis of coordinates, then a constant one.

use super::symmetric::Symmetric;
use super::vector::{Vector, others};
use crate::expr::{CollectVec, ExprId, Graph, MapEach, Number, PushEach};

/// The columns of a rotation.
type Columns = [Vector; 3];

/// R = fixed · moving
#[derive(Clone, Debug)]
pub struct Turn {
    /// The columns of a constant rotation; `None` for 1.
    fixed: Option<Columns>,
    moving: Moving,
}

#[derive(Clone, Debug)]
enum Moving {
    None,
    /// About an axis of coordinates.
    About {
        axis: usize,
        cos: ExprId,
        sin: ExprId,
    },
    General(Columns),
}

impl Turn {
    /// 1
    pub fn none() -> Turn {
        Turn {
            fixed: None,
            moving: Moving::None,
        }
    }

    /// The rotation with these columns, which moves or not.
    pub fn new(graph: &mut Graph, axes: Columns, moves: bool) -> Turn {
        let (zero, one) = (graph.zero(), graph.number(Number::ONE));
        let unit = |k: usize| [0, 1, 2].map_each(|i| if i == k { one } else { zero });
        if axes == [0, 1, 2].map_each(unit) {
            return Turn::none();
        }
        if !moves {
            return Turn {
                fixed: Some(axes),
                moving: Moving::None,
            };
        }
        let about = (0..3).find(|&k| axes[k] == unit(k));
        let moving = about.map_or(Moving::General(axes), |axis| {
            let [i, j] = others(axis);
            Moving::About {
                axis,
                cos: axes[i][i],
                sin: axes[i][j],
            }
        });
        Turn {
            fixed: None,
            moving,
        }
    }

    /// All its expressions.
    pub fn expressions_mut(&mut self) -> Vec<&mut ExprId> {
        let mut all: Vec<&mut ExprId> = match &mut self.moving {
            Moving::None => Vec::new(),
            Moving::About { cos, sin, .. } => vec![cos, sin],
            Moving::General(columns) => columns.as_flattened_mut().iter_mut().collect_vec(),
        };
        let fixed = self.fixed.iter_mut();
        all.push_each(fixed.flat_map(|it| it.as_flattened_mut()));
        all
    }

    /// How it moves: two turns with the same are equal but for their expressions, once both are [general](Turn::generalized).
    pub fn word(&self) -> usize {
        match self.moving {
            Moving::None => 3,
            Moving::About { axis, .. } => axis,
            Moving::General(_) => 4,
        }
    }

    /// Whether there is a constant rotation.
    pub fn is_general(&self) -> bool {
        self.fixed.is_some()
    }

    /// The same with a constant rotation, be it 1.
    pub fn generalized(mut self, graph: &mut Graph) -> Turn {
        let units = [0, 1, 2].map_each(|k| self.fixed_column(graph, k));
        self.fixed = Some(units);
        self
    }

    /// The axis of coordinates about which it turns, the same in both frames up to the constant rotation.
    pub fn axis(&self) -> Option<usize> {
        match self.moving {
            Moving::About { axis, .. } => Some(axis),
            _ => None,
        }
    }

    /// Whether it is constant.
    pub fn is_fixed(&self) -> bool {
        matches!(self.moving, Moving::None)
    }

    /// `self` after a constant rotation: `before · self`.
    pub fn after(&self, graph: &mut Graph, before: &Turn) -> Turn {
        let fixed = match (&before.fixed, &self.fixed) {
            (None, fixed) | (fixed, None) => *fixed,
            (Some(_), Some(columns)) => Some(columns.map_each(|column| before.out(graph, &column))),
        };
        let moving = self.moving.clone();
        Turn { fixed, moving }.absorbed(graph)
    }

    /// The same, a constant rotation about the axis of the moving one as a part of that.
    fn absorbed(self, graph: &mut Graph) -> Turn {
        let (Some(columns), Moving::About { axis, cos, sin }) = (&self.fixed, &self.moving) else {
            return self;
        };
        let (zero, one) = (graph.zero(), graph.number(Number::ONE));
        if columns[*axis] != [0, 1, 2].map_each(|i| if i == *axis { one } else { zero }) {
            return self;
        }
        let [i, j] = others(*axis);
        let turned = [*cos, *sin];
        let opposite = graph.neg(*sin);
        let [cosine, sine] = [columns[i][i], columns[i][j]];
        Turn {
            fixed: None,
            moving: Moving::About {
                axis: *axis,
                cos: graph.dot(&[cosine, sine], &[*cos, opposite]),
                sin: graph.dot(&[sine, cosine], &turned),
            },
        }
    }

    /// Column k of the constant rotation: the axis of a rotation about axis k, in the frame before it.
    pub fn fixed_column(&self, graph: &mut Graph, k: usize) -> Vector {
        let (zero, one) = (graph.zero(), graph.number(Number::ONE));
        let unit = [0, 1, 2].map_each(|i| if i == k { one } else { zero });
        self.fixed.map_or(unit, |columns| columns[k])
    }

    /// The constant rotation alone.
    pub fn fixed_out(&self, graph: &mut Graph, u: &Vector) -> Vector {
        match &self.fixed {
            None => *u,
            Some(columns) => combined(graph, columns, u),
        }
    }

    /// R u: from its own frame to the frame before it.
    pub fn out(&self, graph: &mut Graph, u: &Vector) -> Vector {
        let moved = match &self.moving {
            Moving::None => *u,
            Moving::About { axis, cos, sin } => about(graph, (*axis, *cos, *sin), u, Number::ONE),
            Moving::General(columns) => combined(graph, columns, u),
        };
        match &self.fixed {
            None => moved,
            Some(columns) => combined(graph, columns, &moved),
        }
    }

    /// Rᵀ x
    pub fn own(&self, graph: &mut Graph, x: &Vector) -> Vector {
        let x = match &self.fixed {
            None => *x,
            Some(columns) => columns.map_each(|column| graph.dot(&column, x)),
        };
        match &self.moving {
            Moving::None => x,
            Moving::About { axis, cos, sin } => {
                about(graph, (*axis, *cos, *sin), &x, Number::MINUS_ONE)
            }
            Moving::General(columns) => columns.map_each(|column| graph.dot(&column, &x)),
        }
    }

    /// R S Rᵀ
    pub fn out_symmetric(&self, graph: &mut Graph, s: &Symmetric) -> Symmetric {
        let moved = match &self.moving {
            Moving::None => s.clone(),
            Moving::About { axis, cos, sin } => s.turned_about(graph, *axis, *cos, *sin),
            Moving::General(columns) => s.turned(graph, columns),
        };
        match &self.fixed {
            None => moved,
            Some(columns) => moved.turned(graph, columns),
        }
    }
}

/// The rotation about an axis, or the opposite one.
fn about(
    graph: &mut Graph,
    (axis, cos, sin): (usize, ExprId, ExprId),
    u: &Vector,
    sign: Number,
) -> Vector {
    let [i, j] = others(axis);
    let [ci, cj] = [i, j].map_each(|k| graph.mul(cos, u[k]));
    let [si, sj] = [i, j].map_each(|k| graph.mul(sin, u[k]));
    let mut turned = *u;
    turned[i] = graph.sum(&[(ci, Number::ONE), (sj, -sign)]);
    turned[j] = graph.sum(&[(cj, Number::ONE), (si, sign)]);
    turned
}

/// Σ uₖ columnₖ
fn combined(graph: &mut Graph, columns: &Columns, u: &Vector) -> Vector {
    [0, 1, 2].map_each(|i| graph.dot(&columns.map_each(|column| column[i]), u))
}
