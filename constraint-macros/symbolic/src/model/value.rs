//! Values of lowered expressions.

use std::rc::Rc;

use super::pose::Pose;
use crate::diagnostic::catalogue::Kind;
use crate::expr::{CollectVec, ExprId, SortedMap};

/// A scalar, a vector, or another thing that an expression can denote.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// One number.
    Scalar(ExprId),
    /// Two or three numbers.
    Vector(Vec<ExprId>),
    /// A boolean.
    Condition(ExprId),
    /// Body number `i`. Only a name denotes a body, and only the functions of bodies accept it.
    Body(usize),
    /// A pose, or a body whose pose is a function of coordinates; the functions of bodies accept both.
    Pose(Rc<Pose>),
    /// The elements of an indexed name. An array is not itself a value.
    Array(Rc<Vec<Value>>),
    /// The declarations of a part. A part is not itself a value.
    Part(Rc<Members>),
    /// Result of a reported mistake; expressions that contain it report nothing more.
    Poison,
}

/// The members of a part at one use.
#[derive(Debug)]
pub(super) struct Members {
    /// Name of the part in its declaration.
    pub part: String,
    pub members: SortedMap<String, Value>,
}

impl Value {
    /// The value of a name, or nested arrays of such values with these lengths, the outermost first. `make` gets the name of
    /// each element, as `a[2]`, in order.
    pub fn of_elements(
        name: &str,
        lengths: &[usize],
        make: &mut dyn FnMut(&str) -> Value,
    ) -> Value {
        let Some((&length, inner)) = lengths.split_first() else {
            return make(name);
        };
        let element = |i| Value::of_elements(&format!("{name}[{i}]"), inner, make);
        Value::Array(Rc::new((0..length).map(element).collect_vec()))
    }

    /// A scalar if there is one component, otherwise a vector.
    pub fn of_components(components: Vec<ExprId>) -> Value {
        match components[..] {
            [scalar] => Value::Scalar(scalar),
            _ => Value::Vector(components),
        }
    }

    /// Adds an element to an array or to one of its inner arrays, creating that if needed.
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

    /// Its kind, unless unknown.
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

    /// Its scalars; none if it has no scalar components.
    pub fn components(&self) -> &[ExprId] {
        match self {
            Value::Scalar(id) | Value::Condition(id) => std::slice::from_ref(id),
            Value::Vector(components) => components,
            Value::Array(_) | Value::Part(_) | Value::Body(_) | Value::Pose(_) | Value::Poison => {
                &[]
            }
        }
    }

    /// The value with every scalar replaced.
    pub fn map(&self, mut each: impl FnMut(ExprId) -> ExprId) -> Value {
        match self {
            Value::Scalar(id) => Value::Scalar(each(*id)),
            Value::Vector(components) => {
                Value::Vector(components.iter().map(|&id| each(id)).collect_vec())
            }
            _ => Value::Poison,
        }
    }
}
