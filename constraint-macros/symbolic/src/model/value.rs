//! What an expression is lowered to.

use std::rc::Rc;

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
    /// The elements of an indexed name, which are no value together.
    Array(Rc<Vec<Value>>),
    /// The result of a mistake that has been reported; nothing made of it is reported again.
    Poison,
}

impl Value {
    /// What it is, unless it is unknown.
    pub fn kind(&self) -> Option<Kind> {
        match self {
            Value::Scalar(_) => Some(Kind::Scalar),
            Value::Vector(components) => Some(Kind::Vector(components.len())),
            Value::Condition(_) => Some(Kind::Condition),
            Value::Array(_) | Value::Body(_) | Value::Poison => None,
        }
    }

    /// The scalars it is made of.
    pub fn components(&self) -> &[ExprId] {
        match self {
            Value::Scalar(id) | Value::Condition(id) => std::slice::from_ref(id),
            Value::Vector(components) => components,
            Value::Array(_) | Value::Body(_) | Value::Poison => &[],
        }
    }

    /// A value of the same shape.
    pub fn map(&self, mut each: impl FnMut(ExprId) -> ExprId) -> Value {
        match self {
            Value::Scalar(id) => Value::Scalar(each(*id)),
            Value::Vector(components) => {
                Value::Vector(components.iter().map(|&id| each(id)).collect())
            }
            Value::Condition(_) | Value::Array(_) | Value::Body(_) | Value::Poison => Value::Poison,
        }
    }
}
