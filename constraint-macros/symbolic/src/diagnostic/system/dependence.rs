//! Rates, and dependences that are not allowed: a mass on coordinates, a potential on velocities.

use crate::diagnostic::wording::helped;
use crate::diagnostic::{Diagnostic, SourceRange};

messages! {
    /// `x_dot`; `rate` is the correct spelling.
    rate_by_name(name: &str, rate: &str): "`{name}` is not declared" =>
        "write the rate as `{rate}`";
    /// `rate(x)`, `der(x)`
    rate_by_another_word(name: &str): "there is no function `{name}`" =>
        "write `velocity(x)` for the rate of a position or of a coordinate";
    /// `velocity(u)` of an input, `velocity(velocity(p))`
    no_velocity(found: &str): "{found} has no velocity here" =>
        "write the velocity of an expression of coordinates, parameters and `t`";
}

/// A potential with velocities, a mass with coordinates, …; `name` is the offending dependence, `u[3].x`.
pub fn mentions(range: SourceRange, what: &str, found: &str, name: &str) -> Diagnostic {
    if found == "an input" {
        let message = format!("{what} must not depend on the input `{name}`");
        return helped(range, message, instead_of_input(what, name));
    }
    let help = match (what, found) {
        ("a mass" | "a moment of inertia", _) => "use only parameters and numbers",
        ("an axis", _) => {
            "use only parameters and numbers; for a rotating axis, write a product of poses"
        }
        ("a potential", "a velocity") => "write a `force` or a `dissipation` instead",
        ("gravity", "a velocity" | "a coordinate") => {
            "write a `force` or a `potential` for a field that depends on position"
        }
        _ => "use only coordinates, parameters and `t`",
    };
    helped(range, format!("{what} must not depend on {found}"), help)
}

/// The remedy for an input in a place where none is allowed.
fn instead_of_input(what: &str, name: &str) -> String {
    match what {
        "a potential" => {
            format!("write `force y: -{name};` for `potential {name}*y;`, or make it a parameter")
        }
        "a dissipation" => format!(
            "write `force y: -{name}*velocity(y);` for `dissipation {name}/2*velocity(y)^2;`, or make it a parameter"
        ),
        "a constraint" | "a position" | "a pose" => {
            format!("the rates of an input are not known: {}", moved(name))
        }
        _ => "let the input act through a `force`, or make it a parameter".to_owned(),
    }
}

/// Declarations of things that have rates.
fn moved(name: &str) -> String {
    if name.contains(['.', '[']) {
        return "declare positions or coordinates that a `force` moves, or write a function of `t` and parameters".to_owned();
    }
    format!(
        "replace it by `input push; coordinate {name}; kinetic velocity({name})^2/2; force {name}: push;` for a motion driven \
         by an input, or by `let {name} = 1 - t/2;` for a prescribed function of time"
    )
}

/// `input u with rate;`
pub fn input_with_rate(range: SourceRange, name: &str) -> Diagnostic {
    helped(range, "an input has no rate", moved(name))
}
