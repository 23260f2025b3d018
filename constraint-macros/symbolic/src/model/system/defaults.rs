//! The values of parameters: one for all elements of an array, or a list of them.

use super::super::value::Value;
use super::statements::SystemBuilder;
use crate::diagnostic::system;
use crate::expr::{CollectVec, ExprId, Number, PushEach};
use crate::syntax::ast::{Expr, ExprKind, Header};

/// Required shape of a default: the scalars of an element, and the lengths of the arrays around it.
#[derive(Clone, Copy)]
struct Wanted<'a> {
    scalars: usize,
    lengths: &'a [usize],
}

impl SystemBuilder<'_> {
    /// The values of the parameters.
    pub fn defaults(&mut self, header: &Header) {
        let parameters = self.lowering.model.parameters.clone();
        for (declaration, parameter) in header.parameters.iter().zip(&parameters) {
            let wanted = Wanted {
                scalars: parameter.shape.len(),
                lengths: &parameter.lengths,
            };
            let default = declaration.default.as_ref();
            let values = default.and_then(|default| self.default(default, wanted));
            self.system.defaults.push(values);
        }
    }

    /// The numbers of all elements.
    fn default(&mut self, default: &Expr, wanted: Wanted<'_>) -> Option<Vec<f64>> {
        let value = match wanted.lengths {
            [] => self.lowering.value(default),
            _ => self.lowering.listed(default),
        };
        let components = self.filled(&value, default, wanted)?;
        let graph = self.lowering.graph();
        let numbers = components.iter().map(|&id| graph.as_number(id));
        let numbers: Option<Vec<f64>> = numbers.map(|n| n.map(Number::to_f64)).collect();
        if numbers.is_none() {
            let diagnostic = system::default_not_constant(default.range);
            self.lowering.report(diagnostic);
        }
        numbers
    }

    /// The components of all elements; the value of one element is used for each.
    fn filled(&mut self, value: &Value, written: &Expr, wanted: Wanted<'_>) -> Option<Vec<ExprId>> {
        let Wanted { scalars, lengths } = wanted;
        let inner = |lengths| Wanted { scalars, lengths };
        let entries = match (value, lengths) {
            (Value::Poison, _) => return None,
            (Value::Array(entries), [_, ..]) => Some(entries.to_vec()),
            // Two or three numbers are a vector; here they are a list of numbers.
            (Value::Vector(entries), [_]) if scalars == 1 => {
                Some(entries.iter().map(|&id| Value::Scalar(id)).collect_vec())
            }
            _ => None,
        };
        if let (Some(entries), [length, rest @ ..]) = (&entries, lengths) {
            if entries.len() != *length {
                let diagnostic = system::default_length(written.range, entries.len(), *length);
                self.lowering.report(diagnostic);
                return None;
            }
            let mut filled = Vec::new();
            for (i, entry) in entries.iter().enumerate() {
                filled.push_each(self.filled(entry, entry_of(written, i), inner(rest))?);
            }
            return Some(filled);
        }
        if value.components().len() != scalars {
            let diagnostic = system::default_shape(written.range, scalars, lengths);
            self.lowering.report(diagnostic);
            return None;
        }
        let elements = lengths.iter().product();
        Some(value.components().repeat(elements))
    }
}

/// The syntax of one entry of a list; the list itself if it is a name.
fn entry_of(list: &Expr, i: usize) -> &Expr {
    match &list.kind {
        ExprKind::List(entries) => entries.get(i).unwrap_or(list),
        _ => list,
    }
}
