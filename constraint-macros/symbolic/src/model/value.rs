//! What an expression is lowered to.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::pose::Pose;
use crate::diagnostic::catalogue::Kind;
use crate::expr::ExprId;

/// A scalar, or the scalars that make a vector.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// One number.
    Scalar(ExprId),
    /// Two or three.
    Vector(Vec<ExprId>),
    /// A boolean.
    Condition(ExprId),
    /// Number `i` of the bodies; only a name means one, and only the functions of bodies take it.
    Body(usize),
    /// A body whose pose is told by coordinates, or a pose alone; the functions of bodies take it as well.
    Pose(Rc<Pose>),
    /// The elements of an indexed name, which are no value together.
    Array(Rc<Vec<Value>>),
    /// What a part declares, which is no value together.
    Part(Rc<Members>),
    /// The result of a mistake that has been reported; nothing made of it is reported again.
    Poison,
}

/// The names of a part that is in use.
#[derive(Debug)]
pub(super) struct Members {
    /// What the part is called where it is declared.
    pub part: String,
    pub members: BTreeMap<String, Value>,
}

impl Value {
    /// A value of a name, or arrays of them of these lengths, the outermost first: `make` is told the names of the
    /// elements, as `a[2]`, in order.
    pub fn of_elements(
        name: &str,
        lengths: &[usize],
        make: &mut dyn FnMut(&str) -> Value,
    ) -> Value {
        let Some((&length, inner)) = lengths.split_first() else {
            return make(name);
        };
        let element = |i| Value::of_elements(&format!("{name}[{i}]"), inner, make);
        Value::Array(Rc::new((0..length).map(element).collect()))
    }

    /// Scalars as the value of that many.
    pub fn of_components(components: Vec<ExprId>) -> Value {
        match components[..] {
            [scalar] => Value::Scalar(scalar),
            _ => Value::Vector(components),
        }
    }

    /// Adds an element to an array, or to one of its arrays, which may be new.
    pub fn push(&mut self, indices: &[usize], element: Value) {
        let (Value::Array(elements), Some((&first, inner))) = (self, indices.split_first()) else {
            return;
        };
        let elements = Rc::make_mut(elements);
        if inner.is_empty() {
            return elements.push(element);
        }
        if first == elements.len() {
            elements.push(Value::Array(Rc::default()));
        }
        if let Some(array) = elements.get_mut(first) {
            array.push(inner, element);
        }
    }

    /// What it is, unless it is unknown.
    pub fn kind(&self) -> Option<Kind> {
        match self {
            Value::Scalar(_) => Some(Kind::Scalar),
            Value::Vector(components) => Some(Kind::Vector(components.len())),
            Value::Condition(_) => Some(Kind::Condition),
            Value::Array(_) | Value::Part(_) | Value::Body(_) | Value::Pose(_) | Value::Poison => {
                None
            }
        }
    }

    /// Whether it is a body, or an array of bodies.
    pub fn holds_bodies(&self) -> bool {
        match self {
            Value::Body(_) | Value::Pose(_) => true,
            Value::Array(elements) => elements.first().is_some_and(Value::holds_bodies),
            _ => false,
        }
    }

    /// The scalars it is made of.
    pub fn components(&self) -> &[ExprId] {
        match self {
            Value::Scalar(id) | Value::Condition(id) => std::slice::from_ref(id),
            Value::Vector(components) => components,
            Value::Array(_) | Value::Part(_) | Value::Body(_) | Value::Pose(_) | Value::Poison => {
                &[]
            }
        }
    }

    /// A value of the same shape.
    pub fn map(&self, mut each: impl FnMut(ExprId) -> ExprId) -> Value {
        match self {
            Value::Scalar(id) => Value::Scalar(each(*id)),
            Value::Vector(components) => {
                Value::Vector(components.iter().map(|&id| each(id)).collect())
            }
            _ => Value::Poison,
        }
    }
}
