//! Names that are not declared, and functions with other arguments than they take.

use crate::diagnostic::spelling::{closest, other_word};
use crate::diagnostic::wording::helped;
use crate::diagnostic::{Diagnostic, SourceRange};

messages! {
    /// `time` where the time is called `t`.
    time_by_another_name(name: &str, time: &str): "`{name}` is not declared" =>
        "write `{time}`, which is the time here";
    /// `force p: [0, 1]; particle p: Point2 { mass: m }`
    declared_later(name: &str): "`{name}` is declared after its use" => "move its declaration before this line";
    /// `x(y + 1)` with a declared name `x`.
    call_of_a_name(name: &str): "`{name}` is not a function" => "write `{name}*(…)` for a product";
    /// `p.x()`
    component_as_method(name: &str): "`{name}` is a component, not a function" => "write `.{name}`";
    /// `π` if no name is `π`
    pi_by_letter: "`π` is not declared" => "write `PI`";
    /// `x·y`
    dot_in_a_name(name: &str, product: &str): "`{name}` is one name: Rust reads `·` as a letter" => "write `{product}`";
}

/// Places where a missing name could be declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Declarable {
    /// The coordinates, or the fields of the struct.
    Anywhere,
    /// The fields of the struct.
    Field,
    /// The fields of the struct, or the statements that declare coordinates.
    InSystem,
    /// The parameters of the part of this name.
    Part(String),
}

/// An undeclared name.
pub fn unknown_name(
    range: SourceRange,
    name: &str,
    candidates: &[&str],
    declarable: &Declarable,
) -> Diagnostic {
    let message = format!("`{name}` is not declared");
    let help = match (closest(name, candidates), declarable) {
        (Some(found), _) => format!("did you mean `{found}`?"),
        (None, Declarable::Field) if matches!(name, "t" | "time") => {
            "a curve does not move: write a `constraint!` with `t: Time` for one that does, or declare a field of the struct, `t: Real`"
                .to_owned()
        }
        (None, Declarable::Field) => {
            format!("declare it as a field of the struct, as in `{name}: Real`")
        }
        (None, Declarable::InSystem) => format!(
            "declare it before this line: as a field of the struct, `{name}: Real`, or as a `coordinate`, a `particle` or a `body`"
        ),
        (None, Declarable::Part(part)) => format!(
            "declare it before the part, or pass it as a parameter, as in `part {part} {{ {name}: Real }}`"
        ),
        (None, Declarable::Anywhere) if matches!(name, "t" | "time") => {
            format!("declare it among the coordinates, as `{name}: Time`")
        }
        (None, Declarable::Anywhere) => {
            format!("declare it among the coordinates, or as a parameter `{name}: Real`")
        }
    };
    helped(range, message, help)
}

/// An undeclared name in an equation with bars but without a struct.
pub fn unknown_name_between_bars(
    range: SourceRange,
    name: &str,
    candidates: &[&str],
) -> Diagnostic {
    let help = match closest(name, candidates) {
        Some(found) => format!("did you mean `{found}`?"),
        None if matches!(name, "t" | "time") => {
            format!("declare it between the bars, as `{name}: Time`")
        }
        None => format!(
            "declare it between the bars, or, if it is a parameter, name the constraint: `struct Name {{ {name}: Real }}`"
        ),
    };
    helped(range, format!("`{name}` is not declared"), help)
}

/// A function's name without its arguments.
pub fn function_without_arguments(range: SourceRange, usage: &str) -> Diagnostic {
    let name = usage.split('(').next().unwrap_or(usage);
    helped(
        range,
        format!("`{name}` is a function"),
        format!("write `{usage}`"),
    )
}

/// A call of an unknown function.
pub fn unknown_function(range: SourceRange, name: &str, candidates: &[&str]) -> Diagnostic {
    let help = match (other_word(name), closest(name, candidates)) {
        (Some(other), _) => other.to_owned(),
        (None, Some(found)) => format!("did you mean `{found}`?"),
        (None, None) => {
            "the functions are those of `f64`, and `dot`, `cross`, `norm`, `normalize`".to_owned()
        }
    };
    helped(range, format!("there is no function `{name}`"), help)
}

/// A wrong number of arguments.
pub fn wrong_arity(range: SourceRange, usage: &str, expected: &str, found: usize) -> Diagnostic {
    let name = usage.split('(').next().unwrap_or(usage);
    helped(
        range,
        format!("`{name}` takes {expected}, found {found}"),
        format!("write `{usage}`"),
    )
}
