//! Numbers, vectors and conditions, each in the place of another.

use std::fmt;

use crate::diagnostic::wording::{helped, plain};
use crate::diagnostic::{Diagnostic, SourceRange};

messages! {
    /// A comparison used as a number.
    condition_as_value: "a comparison is not a value" =>
        "use it as the condition of `if … { a } else { b }`; an equation has this on one side, as in `y == if … { a } else { b }`";
    /// `a*b` with two vectors.
    product_of_vectors: "vectors have several products" => "write `dot(a, b)` or `cross(a, b)`";
    /// `a/b` with a vector b.
    division_by_vector: "division by a vector" => "divide by a number, as in `a/norm(b)`";
    /// `p^2`
    power_of_vector: "a vector has no powers" => "write `norm_squared(p)` for its square";
    /// A vector function that is defined only in the plane.
    only_in_the_plane(name: &str): "`{name}` is defined in the plane only" =>
        "write `cross(axis, p)` in space";
    /// `[[0, 0], [1, 0]]` as a value.
    list_of_vectors: "a list of vectors is not a value" =>
        "give each of them its own name, as in `let a = [0, 0];`";
    /// A number in the place of a vector.
    expected_vector(found: Kind): "expected a vector, found {found}" =>
        "write `[a, b]`, or `[a, b, c]` in space";
    /// A number in the place of a condition.
    expected_condition(found: Kind): "expected a comparison, found {found}" =>
        "write one, as in `x > 0`";
}

/// Type of an expression, in messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One number.
    Scalar,
    /// A vector of this length.
    Vector(usize),
    /// True or false.
    Condition,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Scalar => f.write_str("a number"),
            Kind::Vector(n) => write!(f, "a vector of {n} components"),
            Kind::Condition => f.write_str("a condition"),
        }
    }
}

/// A vector or a condition in the place of a number.
pub fn expected_scalar(range: SourceRange, found: Kind) -> Diagnostic {
    match found {
        Kind::Condition => condition_as_value(range),
        _ => helped(
            range,
            format!("expected a number, found {found}"),
            "take a component, as in `p.x`, or `norm(p)`",
        ),
    }
}

/// Vectors and numbers, or vectors of two sizes, in one sum, relation or choice.
pub fn shape_mismatch(range: SourceRange, first: Kind, second: Kind) -> Diagnostic {
    let message = format!("expected {first}, found {second}");
    match (first, second) {
        (Kind::Vector(2), Kind::Scalar) => helped(range, message, "write `[a, b]`"),
        (Kind::Vector(_), Kind::Scalar) => helped(range, message, "write `[a, b, c]`"),
        (Kind::Scalar, Kind::Vector(_)) => helped(
            range,
            message,
            "take a component, as in `p.x`, or `norm(p)`",
        ),
        (Kind::Vector(2), Kind::Vector(_)) => {
            helped(range, message, "write two components, as in `[a, b]`")
        }
        (Kind::Vector(3), Kind::Vector(_)) => {
            helped(range, message, "write three components, as in `[a, b, c]`")
        }
        _ => plain(range, message),
    }
}

/// `norm(x)` of a number.
pub fn norm_of_number(range: SourceRange, name: &str) -> Diagnostic {
    let instead = match name {
        "norm" => "abs(x)",
        "norm_squared" => "x^2",
        _ => "signum(x)",
    };
    helped(
        range,
        format!("`{name}` takes a vector, found a number"),
        format!("write `{instead}`"),
    )
}

/// `[a]`, `[a, b, c, d]` as a vector.
pub fn vector_size(range: SourceRange, found: usize) -> Diagnostic {
    let help = match found {
        0 => "write `[a, b]` or `[a, b, c]`",
        1 => "remove the brackets",
        _ => "write one row for each component, as in `[a == b, c == d]`",
    };
    helped(
        range,
        format!("a vector has two or three components, found {found}"),
        help,
    )
}

/// `x.y` of a number, `p.z` in the plane, `p.foo`.
pub fn unknown_component(
    range: SourceRange,
    name: &str,
    of: Kind,
    is_function: bool,
) -> Diagnostic {
    let message = format!("{of} has no component `{name}`");
    match (is_function, of) {
        (true, _) => helped(range, message, format!("write `.{name}()`")),
        (false, Kind::Vector(2)) => helped(range, message, "the components are `x` and `y`"),
        (false, Kind::Vector(_)) => helped(range, message, "the components are `x`, `y` and `z`"),
        (false, _) => plain(range, message),
    }
}
