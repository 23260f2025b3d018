//! The rows of constraints: C, Ċ, J and β.

use super::Derivation;
use crate::diagnostic::{Diagnostics, catalogue, system as messages};
use crate::dynamics::frame::{self, Frame};
use crate::expr::{CollectVec, ExprId, Function, Graph, Node, Number, PushEach};
use crate::model::{System, SystemCoordinate};
use crate::schedule::Meaning;
use crate::solve::{ScaledRow, SparseRow};

/// One scalar constraint.
#[derive(Clone, Debug)]
pub struct Row {
    /// True for a constraint on positions; the others are relations Φ(q, v, t) = 0.
    pub holonomic: bool,
    /// C; zero for a relation between velocities.
    pub value: ExprId,
    /// Ċ, or Φ.
    pub rate: ExprId,
    /// ∂Ċ/∂v
    pub jacobian: SparseRow,
    /// The Jacobian with bodies in their own frames.
    pub own: SparseRow,
    /// C̈ − J v̇
    pub bias: ExprId,
    /// `own`, scaled for the solution.
    pub scaled: ScaledRow,
}

impl Row {
    /// All expressions.
    pub fn expressions_mut(&mut self) -> impl Iterator<Item = &mut ExprId> {
        let entries = self.jacobian.iter_mut().chain(&mut self.own);
        let entries = entries
            .chain(&mut self.scaled.jacobian)
            .map(|(_, entry)| entry);
        let scaled = [&mut self.scaled.bias, &mut self.scaled.content];
        let own = [&mut self.value, &mut self.rate, &mut self.bias];
        own.into_iter().chain(scaled).chain(entries)
    }

    /// The expressions from which accelerations and multipliers are computed.
    pub fn solved_mut(&mut self) -> Vec<&mut ExprId> {
        let entries = self.jacobian.iter_mut().chain(&mut self.own);
        let entries = entries.chain(&mut self.scaled.jacobian);
        let entries = entries.map(|(_, entry)| entry);
        let bias = [&mut self.bias, &mut self.scaled.bias];
        bias.into_iter().chain(entries).collect_vec()
    }

    /// All expressions before scaling.
    pub fn all(&self) -> Vec<ExprId> {
        let entries = self.jacobian.iter().map(|&(_, entry)| entry);
        [self.value, self.rate, self.bias]
            .into_iter()
            .chain(entries)
            .collect_vec()
    }
}

impl Row {
    /// The meanings of its expressions as those of row `r`.
    pub fn meanings(
        &self,
        graph: &Graph,
        r: usize,
        coordinates: &[SystemCoordinate],
    ) -> Vec<(ExprId, Meaning)> {
        let mut meanings = vec![
            (self.value, Meaning::Value(r)),
            (self.rate, Meaning::Rate(r)),
            (self.bias, Meaning::Bias(r)),
            (self.scaled.bias, Meaning::Bias(r)),
        ];
        meanings.push_each(length(graph, self.value, r).into_iter().flatten());
        let entries = [&self.jacobian, &self.own, &self.scaled.jacobian];
        let entries = entries.into_iter().flatten();
        meanings.push_each(entries.filter_map(|&(i, entry)| {
            let coordinate = coordinates.get(i)?.symbol(graph)?;
            Some((entry, Meaning::Slope(r, coordinate)))
        }));
        meanings
    }
}

/// The only root of C and its argument: a length and its square if the argument is a sum of squares.
fn length(graph: &Graph, value: ExprId, r: usize) -> Option<[(ExprId, Meaning); 2]> {
    let radicand = |id: ExprId| match graph.node(id) {
        Node::Call(Function::Sqrt, radicand) => Some((id, radicand[0])),
        _ => None,
    };
    let terms = match graph.node(value) {
        Node::Sum { terms, .. } => &terms[..],
        _ => return None,
    };
    let mut roots = terms.iter().filter_map(|&(term, _)| radicand(term));
    let (root, squared) = roots.next()?;
    if roots.next().is_some() {
        return None;
    }
    let square = |&(term, number): &(ExprId, Number)| {
        let factors = match graph.node(term) {
            Node::Product(factors) => &factors[..],
            _ => return false,
        };
        number.is_one() && matches!(factors, [(_, 2)])
    };
    let is_length = match graph.node(squared) {
        Node::Sum { constant, terms } => constant.is_zero() && terms.iter().all(square),
        _ => false,
    };
    let names = if is_length {
        [Meaning::Length(r), Meaning::LengthSquared(r)]
    } else {
        [Meaning::Root(r), Meaning::Radicand(r)]
    };
    Some([(root, names[0]), (squared, names[1])])
}

impl Derivation {
    /// All rows.
    pub fn rows(&mut self, system: &System, diagnostics: &mut Diagnostics) -> Vec<Row> {
        let rows = 0..system.model.rows.len();
        rows.map(|r| self.system_row(system, r, diagnostics))
            .collect_vec()
    }

    /// One row of the model.
    pub fn system_row(&mut self, system: &System, r: usize, diagnostics: &mut Diagnostics) -> Row {
        let range = system.model.rows[r].range;
        let mut row = self.row(system.model.rows[r].root);
        row.scaled = ScaledRow::new(&mut self.graph, &row.own, row.bias, true);
        if row
            .jacobian
            .iter()
            .any(|&(_, j)| self.depends_on_velocity(j))
            && !row.holonomic
        {
            diagnostics.push(messages::not_affine(range));
        }
        if row.jacobian.is_empty() {
            diagnostics.push(catalogue::row_without_gradient(range));
        }
        row
    }

    /// The rate of an expression.
    pub fn rate(&mut self, id: ExprId) -> ExprId {
        self.motion.first(&mut self.graph, id)
    }

    /// The row of one expression, not scaled.
    pub fn row(&mut self, root: ExprId) -> Row {
        let holonomic = !self.depends_on_velocity(root);
        let (value, rate, bias) = if holonomic {
            let rate = self.motion.first(&mut self.graph, root);
            (root, rate, self.motion.second(&mut self.graph, root))
        } else {
            (
                self.graph.zero(),
                root,
                self.motion.first(&mut self.graph, root),
            )
        };
        let (jacobian, own) = self.jacobian(root);
        let scaled = ScaledRow::plain(&mut self.graph, &own, bias);
        Row {
            holonomic,
            value,
            rate,
            jacobian,
            own,
            bias,
            scaled,
        }
    }

    /// The row of J of one expression, and the same with bodies in their own frames.
    pub fn jacobian(&mut self, root: ExprId) -> (SparseRow, SparseRow) {
        if self.depends_on_velocity(root) {
            let jacobian = self.slopes(root, |d| &d.velocities);
            let own = frame::turned(&mut self.graph, &self.frames, &jacobian, Frame::own);
            return (jacobian, own);
        }
        let slopes = self.slopes(root, |d| &d.positions);
        let slopes = self.without_places(slopes);
        (self.columns(&slopes, false), self.columns(&slopes, true))
    }
}

/// Σᵢ |Jᵢ qᵢ|, the size of the terms of a row. A rotation counts as one radian.
pub fn size(graph: &mut Graph, system: &System, row: &SparseRow) -> ExprId {
    let part = |&(i, entry): &(usize, ExprId)| {
        let part = match system.coordinates[i].position {
            Some(position) => graph.mul(entry, position),
            None => entry,
        };
        (graph.call(Function::Abs, &[part]), Number::ONE)
    };
    let parts: Vec<_> = row.iter().map(part).collect_vec();
    graph.sum(&parts)
}
