//! Relations as constraints, on points and between bodies.

use super::expression::Place;
use super::shape::Kind;
use crate::diagnostic::wording::{helped, listed};
use crate::diagnostic::{Diagnostic, SourceRange};

messages! {
    /// `x < 1` at the top.
    inequality: "a strict inequality is not a constraint" =>
        "write `<=` or `>=` for a constraint of one side, as in `foot.y >= 0`";
    /// `y >= 0` without a struct.
    side_without_struct: "a constraint of one side needs a struct" =>
        "write `constraint! { struct Floor; |x, y| y >= 0 }`";
    /// `|a: Rigid2| at(a, [0, 0]).y >= 0`
    side_of_bodies: "a constraint of one side is not written here" =>
        "write one relation in `system!`, as in `constraint floor: foot.y >= 0;`";
    /// `constraint c: [x >= 0, x <= 1];`, `constraint c: { let d = norm(p); d <= 1 };`
    side_among_rows: "a constraint of one side is a statement of its own" =>
        "write a statement for each, as in `constraint low: a <= b;` and `constraint high: b <= c;`, and a `let` before them";
    /// `|x, y| [x == 0, y >= 0]`
    row_among_sides: "rows of two sides and of one do not mix in `constraint!`" =>
        "write a `system!` with a `constraint` for each";
    /// `#[derivatives]` before a struct with `y >= 0`
    derivatives_of_sides: "constraints of one side have no derivatives here" =>
        "remove `#[derivatives]`, or write a `system!` with it";
    /// `|x, y| y == x { friction: 1 }` without a struct
    properties_elsewhere: "these properties belong to no constraint that is decided at run time" =>
        "write them behind a relation of a `constraint!` with a struct and points, or of a `constraint` in `system!`";
    /// `max(0, -y) == 0`
    row_of_one_side: "this equation holds in a whole region, where its gradient is 0 and no force can act" =>
        "for contact write one relation with `>=` or `<=` in `system!`, as in `constraint floor: foot.y >= 0;`";
    /// `x^2 == 0`, `norm(p) == 0`
    row_at_an_extreme: "the two sides of this equation touch but never cross: where they are equal, the gradient is 0 or \
         undefined, and no force can act" =>
        "equate the inner expressions, as in `x == 0` for `x^2 == 0`, `a == b` for `norm(a - b) == 0`";
    /// `[]`
    no_rows: "there are no equations in these brackets" => "write one or more, as in `[a == b, c]`";
    /// A row whose J is identically zero.
    row_without_gradient: "this equation has no gradient: no coordinate changes its value" =>
        "steps such as `signum` cannot constrain anything";
    /// A row whose J is a combination of those before it.
    dependent_row(number: usize):
        "row {number} depends on the rows before it: its gradient is a combination of theirs" =>
        "remove it, or write an independent equation";
    /// `|a: Rigid3, x|`
    coordinate_among_bodies(name: &str):
        "`{name}` is not a body; a constraint between bodies has no other coordinates" =>
        "declare `{name}: Rigid2` or `{name}: Rigid3`, or make it a parameter";
    /// `|a: Rigid3, b: Rigid2|`
    bodies_of_two_spaces(first: &str):
        "all bodies of a constraint must be of the plane or all of space, and `{first}` differs";
    /// `norm(a)` of a body
    body_as_value(name: &str): "`{name}` is a body, not a vector" =>
        "write `at({name}, r)` for a point of it, `dir({name}, u)` for a direction";
    /// `velocity(x)` without bodies
    velocity_without_bodies: "in `constraint!`, only bodies have a `velocity`" =>
        "declare a body, as in `struct Name; |a: Rigid3| …`";
    /// `velocity(velocity(p))`
    velocity_of_velocity: "the velocity of a velocity is not available";
    /// `norm(velocity(p)) == 1`
    not_affine_in_velocities: "this relation is not affine in the velocities" =>
        "write a sum of velocities whose factors depend only on positions";
}

/// How a condition is composed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Composed {
    /// `a && b`
    And,
    /// `a || b`
    Or,
    /// `!a`
    Not,
}

/// `&&`, `||`, `!` in the place of a row; `equalities` if all its relations are.
pub fn condition_as_row(
    range: SourceRange,
    composed: Composed,
    equalities: bool,
    place: Place,
) -> Diagnostic {
    let help = match (composed, equalities) {
        (Composed::And, _) => place.together(equalities),
        (Composed::Or, true) => "write a product, as in `(a - b)*(c - d) == 0`",
        (Composed::Or, false) => "write the larger of the two, as in `max(a - b, c - d) >= 0`",
        (Composed::Not, true) => "write `a == b`; to keep to one side, write `a >= b` or `a <= b`",
        (Composed::Not, false) => "write the opposite, as in `a >= b` for `!(a < b)`",
    };
    helped(range, "a condition is not a constraint", help)
}

/// A row without coordinates; `constant` is its value if it folds to one.
pub fn row_without_coordinate(range: SourceRange, constant: Option<String>) -> Diagnostic {
    let message = "this equation does not depend on any coordinate";
    match constant {
        Some(value) => helped(range, message, format!("it reduces to `{value} == 0`")),
        None => helped(
            range,
            message,
            "parameters and time alone cannot constrain anything",
        ),
    }
}

/// `at(p, r)` with a `p` that is not a body
pub fn expected_body(range: SourceRange, bodies: &[String]) -> Diagnostic {
    let help = match bodies {
        [] => "declare it, as in `struct Name; |a: Rigid3, b: Rigid3| …`".to_owned(),
        [only] => format!("the body is `{only}`"),
        many => format!("the bodies are {}", listed(many, "and")),
    };
    helped(range, "expected the name of a body", help)
}

/// `at(a, [0, 0])` in space, `at(a, 1)`
pub fn body_fixed_vector(range: SourceRange, found: Kind, body: &str, size: usize) -> Diagnostic {
    let parameter = match size {
        2 => "Vector2",
        _ => "Vector3",
    };
    let zeros = vec!["0"; size].join(", ");
    helped(
        range,
        format!("a vector fixed to `{body}` has {size} components, found {found}"),
        format!("write `[{zeros}]`, or a parameter of type `{parameter}`"),
    )
}
