//! Syntax tree of a curve to its model: one coordinate, the components of r(s), the ends of the domain.

use super::Model;
use super::lower::Lowering;
use super::value::Value;
use crate::diagnostic::catalogue::{self, Declarable};
use crate::diagnostic::{Diagnostics, SourceRange};
use crate::expr::{ExprId, MapEach};
use crate::syntax::ast::{self, Domain, Expr, ExprKind, name_of};

/// A curve, as far as its expressions can be checked without evaluating them.
#[derive(Clone, Debug)]
pub struct Curve {
    /// One scalar coordinate, the parameter; the rows are the components of r.
    pub model: Model,
    /// The ends of the domain.
    pub domain: [ExprId; 2],
    /// Source range of the points.
    pub range: SourceRange,
    /// Permitted distance between pieces where they meet, as a fraction of the curve's extent, if stated.
    pub joined: Option<f64>,
}

impl Curve {
    /// The parameter's name.
    pub fn parameter(&self) -> String {
        let name = self.model.coordinates.first().map(|c| name_of(&c.name));
        name.unwrap_or_default()
    }
}

/// The model of a tree, or `None` if there are mistakes (reported to `diagnostics`).
pub fn lower_curve(tree: &ast::Curve, diagnostics: &mut Diagnostics) -> Option<Curve> {
    let mut lowering = Lowering::new(diagnostics, Some(&tree.header));
    lowering.declarable = Declarable::Field;
    lowering.declare(&tree.header);
    let domain = tree.domain.as_ref().and_then(|it| lowering.domain(it));
    lowering.points(&tree.body);
    let instead = "implement `Curve` by hand";
    super::check::size(&lowering.model, instead, lowering.diagnostics);
    let Lowering {
        model, diagnostics, ..
    } = lowering;
    let curve = Curve {
        model,
        domain: domain?,
        range: tree.body.range,
        joined: tree.joined,
    };
    diagnostics.is_empty().then_some(curve)
}

impl Lowering<'_> {
    fn domain(&mut self, domain: &Domain) -> Option<[ExprId; 2]> {
        let ends =
            [&domain.start, &domain.end].map_each(|end| Some((self.scalar(end)?, end.range)));
        let [Some(start), Some(end)] = ends else {
            return None;
        };
        for (end, range) in [start, end] {
            if let Some(name) = self.parameter_within(end) {
                self.report(catalogue::domain_of_itself(range, &name));
                return None;
            }
        }
        let graph = self.graph();
        if let (Some(a), Some(b)) = (graph.as_number(start.0), graph.as_number(end.0)) {
            let (a, b) = (a.to_f64(), b.to_f64());
            if a >= b {
                self.report(catalogue::empty_domain(domain.range, a, b));
                return None;
            }
        }
        Some([start.0, end.0])
    }

    /// The parameter's name, if the expression contains it.
    fn parameter_within(&mut self, id: ExprId) -> Option<String> {
        let name = name_of(&self.model.coordinates.first()?.name);
        let parameter = self.names.get(&name)?.components().first().copied()?;
        let contains = self.graph().reachable([id]).contains(&parameter);
        contains.then_some(name)
    }

    fn points(&mut self, body: &Expr) {
        let range = body.range;
        match &body.innermost().kind {
            ExprKind::Compare(relation, ..) => {
                self.report(catalogue::curve_relation(relation.range));
                return;
            }
            ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Not(_) => {
                self.report(catalogue::curve_relation(range));
                return;
            }
            ExprKind::List(items) if !(2..=3).contains(&items.len()) => {
                // A broken item has been reported and may cover several coordinates.
                if !items.iter().any(|it| matches!(it.kind, ExprKind::Error)) {
                    self.report(catalogue::curve_size(range, items.len()));
                }
                return;
            }
            _ => {}
        }
        match self.value(body) {
            Value::Scalar(_) => {
                self.report(catalogue::curve_of_numbers(range));
            }
            points => self.push_rows(&points, range),
        }
    }
}
