//! Parts: sub-models that are declared once and unfolded at each use, in a scope of their own.
//!
//! A use lowers the statements of its part, with its parameters bound to values of the surroundings. Its declarations
//! are known outside as members, `leg[2].thigh`; all members of one name form an array, as `thigh[2]` would.

mod uses;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use proc_macro2::Ident;

pub(super) use self::uses::Open;
use super::super::Shape;
use super::super::names::Names;
use super::super::value::{Members, Value};
use super::Declared;
use super::elements::{ElementKind, Own};
use super::lower::Functions;
use super::statements::SystemBuilder;
use crate::diagnostic::catalogue::{self, Declarable, Kind};
use crate::diagnostic::{SourceRange, closest, part};
use crate::syntax;
use crate::syntax::ast::{Annotation, Declaration, Expr, ExprKind, name_of};
use crate::syntax::statement::{self, Part, PartUse};

/// A part around a name: `leg` of `leg[2].thigh`.
#[derive(Clone, Debug)]
pub struct Around {
    /// Name of the use.
    pub field: Ident,
    /// Name of the declared part.
    pub part: Ident,
    /// Number of its indices.
    pub indices: usize,
}

/// The name of a field among those of all parts, `leg.thigh` of `leg[2].thigh`.
pub fn key<'a>(path: impl Iterator<Item = &'a Ident>) -> String {
    path.map(name_of).collect::<Vec<_>>().join(".")
}

/// A part around a name, at one use.
#[derive(Clone, Debug)]
pub(super) struct Within {
    field: Ident,
    part: Ident,
    indices: Vec<usize>,
}

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

impl Within {
    /// `leg[2].`
    fn prefix(&self) -> String {
        let indices: String = self.indices.iter().map(|i| format!("[{i}]")).collect();
        format!("{}{indices}.", name_of(&self.field))
    }
}

// ---- names and the parts around them ------------------------------------------------------------

impl SystemBuilder<'_> {
    /// The name of a declaration as seen from outside: `leg[2].thigh`.
    pub fn full_name(&self, name: &str) -> String {
        format!("{}{name}", self.prefix())
    }

    fn prefix(&self) -> String {
        self.within.iter().map(Within::prefix).collect()
    }

    /// The name of a field among those of all parts: `leg.thigh`.
    pub fn key(&self, name: &Ident) -> String {
        key(self.within.iter().map(|it| &it.field).chain([name]))
    }

    /// The parts around the statement, the outermost first.
    pub fn around(&self) -> Vec<Around> {
        let around = self.within.iter().map(|within| Around {
            field: within.field.clone(),
            part: within.part.clone(),
            indices: within.indices.len(),
        });
        around.collect()
    }

    /// The indices of all parts around the statement.
    pub fn indices_around(&self) -> Vec<usize> {
        let indices = self.within.iter().flat_map(|within| &within.indices);
        indices.copied().collect()
    }

    /// The number of a name's field among all declarations; the field grows with each part that has it.
    pub fn field(&mut self, name: &Ident, own: Own) -> usize {
        let next = self.system.declared.len();
        if self.within.is_empty() {
            let declared = Declared::new(name, own, Vec::new());
            self.system.declared.push(declared);
            return next;
        }
        let field = *self.fields.entry(self.key(name)).or_insert(next);
        let indices = self.indices_around();
        if field == next {
            let mut declared = Declared::new(name, own, vec![0; indices.len()]);
            declared.around = self.around();
            self.system.declared.push(declared);
        }
        let known = &mut self.system.declared[field].lengths;
        for (length, index) in known.iter_mut().zip(&indices) {
            *length = (*length).max(index + 1);
        }
        field
    }

    /// Sets the lengths of a field, after those of the enclosing parts.
    pub fn end_lengths(&mut self, field: usize, lengths: &[usize]) {
        let declared = &mut self.system.declared[field];
        let around: usize = declared.around.iter().map(|it| it.indices).sum();
        declared.lengths.truncate(around);
        declared.lengths.extend(lengths);
    }
}

// ---- declarations and uses ----------------------------------------------------------------------

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
        let unused: Vec<Ident> = unused.map(|it| it.part.name.clone()).collect();
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
                    let known: Vec<&str> = self.parts.keys().map(String::as_str).collect();
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

        self.bind_parameters(it, &part.parameters, values);
        let before = self.lowering.diagnostics.iter().count();
        let inside = Declarable::Part(name_of(&part.name));
        let outside = std::mem::replace(&mut self.lowering.declarable, inside);
        self.statements(part.body.as_deref().unwrap_or_default());
        self.close_growing();
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
    fn remember_types(&mut self, part: &str, members: &BTreeMap<String, Value>) {
        if !self.system.parts.contains_key(part) {
            let types = members.iter();
            let types = types.map(|(name, value)| (name.clone(), self.type_of(value)));
            let types = types.collect();
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

    /// The values that a use gives, lowered in its own scope.
    pub(super) fn values(&mut self, it: &PartUse) -> BTreeMap<String, Value> {
        let mut values = BTreeMap::new();
        for (name, value) in &it.values {
            let value = self.given(value);
            if values.insert(name_of(name), value).is_some() {
                let diagnostic = part::value_twice(name.span().into(), &name_of(name));
                self.lowering.report(diagnostic);
            }
        }
        values
    }

    /// A value of a parameter; may be a list, a body, an array or a part.
    fn given(&mut self, value: &Expr) -> Value {
        match value.kind {
            ExprKind::List(_) => self.lowering.listed(value),
            _ => self.lowering.any(value),
        }
    }

    /// Binds the parameters of a part to their values, in the scope of the part.
    pub(super) fn bind_parameters(
        &mut self,
        it: &PartUse,
        parameters: &[Declaration],
        mut values: BTreeMap<String, Value>,
    ) {
        let name = name_of(&it.part);
        let known: Vec<String> = parameters.iter().map(|it| name_of(&it.name)).collect();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let mut meant = BTreeSet::new();
        for (given, _) in &it.values {
            let text = name_of(given);
            if !known.contains(&&text[..]) {
                let range = given.span().into();
                self.lowering
                    .report(part::unknown_parameter(range, &name, &text, &known));
                meant.extend(closest(&text, &known));
            }
        }
        let (given, left): (Vec<_>, Vec<_>) = parameters
            .iter()
            .partition(|parameter| values.contains_key(&name_of(&parameter.name)));
        let (derived, missing): (Vec<_>, Vec<_>) = left
            .into_iter()
            .partition(|parameter| parameter.default.is_some());
        // A name that is misspelt has a value.
        let missing_names = missing.iter().map(|it| name_of(&it.name));
        let missing_names: Vec<String> = missing_names
            .filter(|it| !meant.contains(&it[..]))
            .collect();
        if !missing_names.is_empty() {
            let range = it.part.span().into();
            let diagnostic = part::missing_values(range, &name, &missing_names);
            self.lowering.report(diagnostic);
        }
        // Defaults may use given parameters, and missing ones too.
        for parameter in given.into_iter().chain(missing).chain(derived) {
            let text = name_of(&parameter.name);
            let value = match (values.remove(&text), &parameter.default) {
                (Some(value), _) => {
                    let mut given = it.values.iter();
                    let given = given.find(|(name, _)| name_of(name) == text);
                    let range = given.map_or(it.part.span().into(), |(_, given)| given.range);
                    self.checked(parameter, value, range)
                }
                (None, Some(default)) => {
                    let value = self.given(default);
                    self.checked(parameter, value, default.range)
                }
                (None, None) => Value::Poison,
            };
            let listed = matches!(value, Value::Vector(_))
                && matches!(parameter.annotation, Annotation::Array(..));
            self.lowering.bind(&parameter.name, value);
            if listed {
                self.lowering.names.mark_list(&text);
            }
        }
    }

    /// The value of a parameter, if it has the declared type.
    fn checked(&mut self, parameter: &Declaration, value: Value, range: SourceRange) -> Value {
        let (ty, lengths) = match &parameter.annotation {
            Annotation::Type(ty) => (ty, Vec::new()),
            Annotation::Array(ty, lengths) => (ty, self.lowering.lengths(lengths)),
            Annotation::Missing | Annotation::Invalid => return Value::Poison,
        };
        let Some(expected) = Expected::of(ty) else {
            let (range, name) = (ty.span().into(), name_of(ty));
            return self.lowering.report(part::parameter_type(range, &name));
        };
        if self.is_array_of(&value, expected, &lengths) {
            return value;
        }
        let expected = in_words(&expected.in_words(), &lengths);
        let found = self.kind_in_words(&value);
        let name = name_of(&parameter.name);
        self.lowering
            .report(part::parameter_kind(range, &name, &expected, &found))
    }

    fn is_array_of(&self, value: &Value, expected: Expected, lengths: &[usize]) -> bool {
        match (value, lengths.split_first()) {
            (Value::Poison, _) => true,
            (Value::Array(elements), Some((&length, inner))) => {
                let mut each = elements.iter();
                elements.len() == length && each.all(|it| self.is_array_of(it, expected, inner))
            }
            // A list of two or three numbers is also a vector.
            (Value::Vector(numbers), Some((&length, []))) => {
                expected == Expected::Value(Kind::Scalar) && numbers.len() == length
            }
            (Value::Body(_) | Value::Pose(_), None) => {
                expected == Expected::Body(self.shape_of_body(value))
            }
            (value, None) => value
                .kind()
                .is_some_and(|kind| expected == Expected::Value(kind)),
            _ => false,
        }
    }

    pub(super) fn shape_of_body(&self, body: &Value) -> Shape {
        match self.lowering.place_of_body(body).map_or(0, <[_]>::len) {
            3 => Shape::Space,
            _ => Shape::Plane,
        }
    }

    fn kind_in_words(&self, value: &Value) -> String {
        match value {
            Value::Body(_) | Value::Pose(_) => Expected::Body(self.shape_of_body(value)).in_words(),
            Value::Part(members) => format!("a `{}`", members.part),
            Value::Array(elements) => format!("an array of {}", elements.len()),
            value => match value.kind() {
                Some(kind) => kind.to_string(),
                None => "unknown".to_owned(),
            },
        }
    }
}

// ---- alike in all uses --------------------------------------------------------------------------

/// Limit on the indices of a name, including those of the enclosing parts.
const MAX_INDICES: usize = 6;

/// Fields of each use of each part, with their names and lengths.
type Shapes = BTreeMap<String, BTreeMap<String, BTreeSet<(String, Vec<usize>)>>>;

impl SystemBuilder<'_> {
    /// Reports uses of a part with different fields, because all uses share one struct.
    pub fn compare_uses(&mut self) {
        if !self.lowering.diagnostics.is_empty() {
            return;
        }
        let system = &self.system;
        let mut found = vec![0; system.declared.len()];
        for &owner in &self.owners_of_velocities {
            if let Some(found) = found.get_mut(owner) {
                *found += 1;
            }
        }
        for (declared, found) in system.declared.iter().zip(found) {
            if let Some(around) = declared.around.first()
                && found != declared.velocities()
            {
                let part = around.part.clone();
                return self.report_unlike(&part);
            }
        }
        let mut shapes = [Shapes::new(), Shapes::new(), Shapes::new()];
        for it in &system.declared {
            add_shape(&mut shapes[0], &it.around, &it.name, &it.lengths);
        }
        for (shapes, named) in shapes[1..]
            .iter_mut()
            .zip([&system.constraints, &system.outputs])
        {
            for it in named {
                add_shape(shapes, &it.around, &it.name, &it.lengths);
            }
        }
        let mut uses = shapes.iter().flatten();
        let unlike = uses.find(|(_, uses)| {
            let mut uses = uses.values();
            let first = uses.next();
            uses.any(|it| Some(it) != first)
        });
        let part = unlike.and_then(|(part, _)| self.parts.get(part));
        if let Some(part) = part.map(|part| part.part.name.clone()) {
            self.report_unlike(&part);
        }
    }

    fn report_unlike(&mut self, part: &Ident) {
        let diagnostic = part::unlike_uses(part.span().into(), &name_of(part));
        self.lowering.report(diagnostic);
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

fn add_shape(shapes: &mut Shapes, around: &[Around], name: &Ident, lengths: &[usize]) {
    let mut known = 0;
    for (depth, part) in around.iter().enumerate() {
        known += part.indices;
        let inside = key(around[depth + 1..].iter().map(|it| &it.field).chain([name]));
        let uses = shapes.entry(name_of(&part.part)).or_default();
        let path = key(around[..=depth].iter().map(|it| &it.field));
        let fields = uses.entry(path).or_default();
        fields.insert((inside, lengths[known..].to_vec()));
    }
}

/// Type of a parameter of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Value(Kind),
    Body(Shape),
}

impl Expected {
    fn of(ty: &Ident) -> Option<Expected> {
        Some(match ty.to_string().as_str() {
            "Real" => Expected::Value(Kind::Scalar),
            "Vector2" | "Point2" => Expected::Value(Kind::Vector(2)),
            "Vector3" | "Point3" => Expected::Value(Kind::Vector(3)),
            "Rigid2" => Expected::Body(Shape::Plane),
            "Rigid3" => Expected::Body(Shape::Space),
            _ => return None,
        })
    }

    fn in_words(self) -> String {
        match self {
            Expected::Value(kind) => kind.to_string(),
            Expected::Body(Shape::Space) => "a body of space".to_owned(),
            Expected::Body(_) => "a body of the plane".to_owned(),
        }
    }
}

/// `an array of 3, each a number`
fn in_words(element: &str, lengths: &[usize]) -> String {
    let arrays = lengths
        .iter()
        .map(|length| format!("an array of {length}, each "));
    format!("{}{element}", arrays.collect::<String>())
}

/// The names of all parts, at any depth.
pub(super) fn names(statements: &[statement::Statement]) -> Vec<String> {
    let parts = statements
        .iter()
        .filter_map(|statement| match &statement.kind {
            statement::StatementKind::Part(part) => Some(name_of(&part.name)),
            _ => None,
        });
    parts.collect()
}
