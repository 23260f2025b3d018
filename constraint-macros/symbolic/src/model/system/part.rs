//! Parts: sub-models that are declared once and unfolded at each use, in a scope of their own.
//!
//! A use lowers the statements of its part, with its parameters bound to values of the surroundings. Its declarations
//! are known outside as members, `leg[2].thigh`; all members of one name form an array, as `thigh[2]` would.

mod alike;
mod around;
mod parameters;
mod uses;

use crate::expr::{CollectVec, SortedMap};
use std::rc::Rc;

use proc_macro2::Ident;

pub(super) use self::around::Within;
pub use self::around::{Around, key};
pub(super) use self::uses::Open;
use super::super::Shape;
use super::super::names::Names;
use super::super::value::{Members, Value};
use super::elements::ElementKind;
use super::functions::Functions;
use super::lower::AllNames;
use super::statements::SystemBuilder;
use crate::diagnostic::catalogue::{self, Declarable, Kind};
use crate::diagnostic::{SourceRange, part};
use crate::syntax;
use crate::syntax::ast::{Expr, ExprKind, name_of};
use crate::syntax::statement::{self, Part, PartUse};

/// Type of a member of a part.
#[derive(Clone, Debug)]
pub enum MemberType {
    /// A number, a vector or a condition.
    Value(Kind),
    /// A body of the plane or of space.
    Body(Shape),
    /// A part of this name.
    Part(String),
    /// An array of members.
    Array(Box<MemberType>),
}

/// A declared part.
#[derive(Debug)]
pub(super) struct Definition {
    part: Part,
    /// The names and functions in scope at the declaration.
    names: Rc<Names>,
    functions: Functions,
    /// The number of parts declared before it, which it may use.
    order: usize,
    used: bool,
    /// Size of a use; `None` before the first.
    size: Option<usize>,
    /// Whether a mistake in its statements has been reported.
    broken: bool,
}

/// Limit on the indices of a name, including those of the enclosing parts.
const MAX_INDICES: usize = 6;

impl SystemBuilder<'_> {
    /// Whether a statement is outside of all parts; otherwise reported.
    pub fn outside_parts(&mut self, range: SourceRange, word: &str) -> bool {
        let outside = self.within.is_empty();
        if !outside {
            self.lowering.report(part::statement_inside(range, word));
        }
        outside
    }

    /// Records a part with the names visible to it.
    pub fn declare_part(&mut self, part: &Part, range: SourceRange) {
        if !self.within.is_empty() || !self.indices.is_empty() {
            self.lowering.report(part::nested(range));
            return;
        }
        let name = name_of(&part.name);
        let definition = Definition {
            part: part.clone(),
            names: self.lowering.names.captured(),
            functions: self.lowering.functions(),
            order: self.parts.len(),
            used: false,
            size: None,
            broken: part.body.is_none(),
        };
        if self.parts.insert(name.clone(), definition).is_some() {
            let range = part.name.span().into();
            self.lowering
                .report(catalogue::duplicate_name(range, &name));
        }
    }

    /// Reports parts without a use, unless there are other mistakes, which may be the cause.
    pub fn close_unused_parts(&mut self) {
        if !self.lowering.diagnostics.is_empty() {
            return;
        }
        let unused = self.parts.values().filter(|it| !it.used);
        let unused: Vec<Ident> = unused.map(|it| it.part.name.clone()).collect_vec();
        for name in unused {
            let diagnostic = part::unused(name.span().into(), &name_of(&name));
            self.lowering.report(diagnostic);
        }
    }

    /// Whether a use is the next element of an array, not a whole array: in a `for`, after an earlier element, and at
    /// `link[0]: …`, which cannot be an array because it would have no elements.
    fn is_element(&self, declared: &statement::Declared) -> bool {
        let zero = |bracket: &Expr| matches!(&bracket.kind, ExprKind::Number(it) if it == "0");
        let first = !declared.brackets.is_empty() && declared.brackets.iter().all(zero);
        first || !self.indices.is_empty() || self.growing.contains_key(&name_of(&declared.name))
    }

    /// `leg: Leg { … }`, an array `leg[6]: Leg { … }`, or the next element of one.
    pub fn use_part(&mut self, it: &PartUse) {
        let Some(part) = self.part_called(&it.part) else {
            return self.lowering.bind(&it.declared.name, Value::Poison);
        };
        if !self.has_few_indices(&it.declared) {
            return self.lowering.bind(&it.declared.name, Value::Poison);
        }
        if self.is_element(&it.declared) {
            let kind = ElementKind::Part(name_of(&it.part));
            if let Some(indices) = self.next_element(&it.declared, kind) {
                let value = self.uses(it, &part, &[], &mut indices.clone());
                let name = name_of(&it.declared.name);
                if let Value::Poison = value {
                    // The remaining rounds are skipped: their number is not known here.
                    return self.lowering.names.shadow(&name, Value::Poison);
                }
                self.lowering.names.push_element(&name, &indices, value);
            }
            return;
        }
        let lengths = self.lowering.lengths(&it.declared.brackets);
        let value = if self.is_free(&it.declared.name) {
            self.uses(it, &part, &lengths, &mut Vec::new())
        } else {
            Value::Poison
        };
        self.lowering.bind(&it.declared.name, value);
    }

    /// One part or arrays of equal parts; poison if they are too large.
    fn uses(
        &mut self,
        it: &PartUse,
        part: &str,
        lengths: &[usize],
        indices: &mut Vec<usize>,
    ) -> Value {
        let elements = lengths
            .iter()
            .fold(1, |all, &it| usize::saturating_mul(all, it));
        if !self.open_uses(it, part, elements) {
            return Value::Poison;
        }
        let value = self.instances(it, part, lengths, indices);
        self.close_uses();
        value
    }

    /// One part, or arrays of equal ones.
    fn instances(
        &mut self,
        it: &PartUse,
        part: &str,
        lengths: &[usize],
        indices: &mut Vec<usize>,
    ) -> Value {
        let Some((&length, inner)) = lengths.split_first() else {
            return self.instance(it, part, indices.clone());
        };
        let mut elements = Vec::new();
        for i in 0..length {
            indices.push(i);
            elements.push(self.instances(it, part, inner, indices));
            indices.pop();
        }
        Value::Array(Rc::new(elements))
    }

    /// The name of a part that may be used here; otherwise reported.
    fn part_called(&mut self, name: &Ident) -> Option<String> {
        let (text, range) = (name_of(name), name.span().into());
        let user = self.within.last().map(|within| name_of(&within.part));
        let order = user.as_ref().and_then(|user| self.parts.get(user));
        let order = order.map_or(usize::MAX, |user| user.order);
        let diagnostic = match self.parts.get_mut(&text) {
            Some(part) if part.order < order => {
                part.used = true;
                return Some(text);
            }
            Some(part) => {
                part.used = true;
                part::of_itself(range, &text)
            }
            None if self.later_parts.contains(&text) => {
                // Only the order of the declarations is wrong.
                part::not_yet_declared(range, &text)
            }
            None => match text.as_str() {
                "Point2" | "Point3" => part::use_of_a_type(range, &text, "particle"),
                "Rigid2" | "Rigid3" => part::use_of_a_type(range, &text, "body"),
                "Real" => part::use_of_a_type(range, &text, "coordinate"),
                _ => {
                    let known: Vec<&str> = self.parts.keys().map(String::as_str).collect_vec();
                    part::unknown(range, &text, &known, syntax::library_parts())
                }
            },
        };
        self.lowering.report(diagnostic);
        None
    }

    /// Lowers the statements of a part for one use, and returns its names.
    fn instance(&mut self, it: &PartUse, part: &str, indices: Vec<usize>) -> Value {
        let size = self.size();
        let values = self.values(it);
        let Some(definition) = self.parts.get(part).filter(|part| !part.broken) else {
            return Value::Poison;
        };
        let inner = Names::of_part(Rc::clone(&definition.names));
        let functions = definition.functions.clone();
        let part = definition.part.clone();
        let outer_names = std::mem::replace(&mut self.lowering.names, inner);
        let outer_functions = self.lowering.exchange_functions(functions);
        let outer_indices = std::mem::take(&mut self.indices);
        let outer_growing = std::mem::take(&mut self.growing);
        self.within.push(Within {
            field: it.declared.name.clone(),
            part: part.name.clone(),
            indices,
        });
        self.lowering.set_prefix(self.prefix());

        self.bind_parameters(it, &part.parameters, values, part::unknown_parameter);
        let before = self.lowering.diagnostics.iter().count();
        let body = part.body.as_deref().unwrap_or_default();
        let declared = self.lowering.exchange_declared(AllNames::by(body));
        let inside = Declarable::Part(name_of(&part.name));
        let outside = std::mem::replace(&mut self.lowering.declarable, inside);
        self.statements(body);
        self.close_growing();
        self.lowering.exchange_declared(declared);
        self.lowering.declarable = outside;
        let broken = self.lowering.diagnostics.iter().count() > before;

        self.within.pop();
        self.lowering.set_prefix(self.prefix());
        self.growing = outer_growing;
        self.indices = outer_indices;
        self.lowering.exchange_functions(outer_functions);
        let names = std::mem::replace(&mut self.lowering.names, outer_names);
        let (name, members) = (name_of(&part.name), names.into_own());
        self.remember_types(&name, &members);
        if let Some(definition) = self.parts.get_mut(&name).filter(|_| broken) {
            definition.broken = true;
            return Value::Poison;
        }
        self.measure(&name, size);
        Value::Part(Rc::new(Members {
            part: name,
            members,
        }))
    }

    /// Records the types of a part's members for the shim.
    fn remember_types(&mut self, part: &str, members: &SortedMap<String, Value>) {
        if !self.system.parts.contains_key(part) {
            let types = members.iter();
            let types = types.map(|(name, value)| (name.clone(), self.type_of(value)));
            let types = types.collect_vec();
            self.system.parts.insert(part.to_owned(), types);
        }
    }

    fn type_of(&self, value: &Value) -> MemberType {
        match value {
            Value::Body(_) | Value::Pose(_) => MemberType::Body(self.shape_of_body(value)),
            Value::Part(members) => MemberType::Part(members.part.clone()),
            Value::Array(elements) => {
                let first = elements.first().unwrap_or(&Value::Poison);
                MemberType::Array(Box::new(self.type_of(first)))
            }
            value => MemberType::Value(value.kind().unwrap_or(Kind::Scalar)),
        }
    }

    /// Whether names inside this use stay within the limit on indices; otherwise reported.
    fn has_few_indices(&mut self, declared: &statement::Declared) -> bool {
        let indices = self.indices_around().len() + declared.brackets.len();
        let few = indices <= MAX_INDICES - syntax::MAX_INDICES;
        if !few {
            let range = declared.indices();
            self.lowering.report(part::too_many_indices(range, indices));
        }
        few
    }
}

/// The names of all parts, at any depth.
pub(super) fn names(statements: &[statement::Statement]) -> Vec<String> {
    let parts = statements
        .iter()
        .filter_map(|statement| match &statement.kind {
            statement::StatementKind::Part(part) => Some(name_of(&part.name)),
            _ => None,
        });
    parts.collect_vec()
}
