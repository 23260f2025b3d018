//! Parameters of parts: the values of a use, checked against the declared types.

use crate::expr::{CollectVec, SortedMap, SortedSet};

use proc_macro2::Ident;

use super::super::super::Shape;
use super::super::super::value::Value;
use super::super::statements::SystemBuilder;
use crate::diagnostic::catalogue::Kind;
use crate::diagnostic::{Diagnostic, SourceRange, closest, part};
use crate::syntax::ast::{Annotation, Declaration, Expr, ExprKind, name_of};
use crate::syntax::statement::PartUse;

/// The message about a parameter, by the name of the part, its own, and those that the part has.
type UnknownParameter = fn(SourceRange, &str, &str, &[&str]) -> Diagnostic;

impl SystemBuilder<'_> {
    /// The values that a use gives, lowered in its own scope.
    pub(in super::super) fn values(&mut self, it: &PartUse) -> SortedMap<String, Value> {
        let mut values = SortedMap::new();
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
    pub(in super::super) fn bind_parameters(
        &mut self,
        it: &PartUse,
        parameters: &[Declaration],
        mut values: SortedMap<String, Value>,
        unknown: UnknownParameter,
    ) {
        let name = name_of(&it.part);
        let known: Vec<String> = parameters.iter().map(|it| name_of(&it.name)).collect_vec();
        let known: Vec<&str> = known.iter().map(String::as_str).collect_vec();
        let mut meant = SortedSet::new();
        for (given, _) in &it.values {
            let text = name_of(given);
            if !known.contains(&&text[..]) {
                let range = given.span().into();
                self.lowering.report(unknown(range, &name, &text, &known));
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
            .collect_vec();
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

    pub(in super::super) fn shape_of_body(&self, body: &Value) -> Shape {
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
