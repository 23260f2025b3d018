//! The messages of parts in `system!`, as those of the [`catalogue`](super::catalogue).

use super::spelling::{closest, other_joint};
use super::wording::{helped, listed};
use super::{Diagnostic, SourceRange};
use crate::expr::CollectVec;

messages! {
    /// `part Leg;`
    without_parameters(part: &str): "the part `{part}` has no parameters" =>
        "write them in braces; without parameters, write `part {part} {{}} {{ … }}`";
    /// `part Leg { l: Real }` without statements
    without_body(part: &str): "the part `{part}` has no statements" =>
        "write them in braces after its parameters, as in `part {part} {{ l: Real }} {{ … }}`";
    /// `leg: Leg;`
    use_without_values(part: &str): "the parameters of `{part}` are missing" =>
        "write their values in braces, as in `leg: {part} {{ l: 2 }}`, or `leg: {part} {{}}`";
    /// `part Foot { } { … }` within a part or a `for`
    nested: "a part cannot be declared inside another statement" =>
        "write it before the part or the `for` that uses it";
    /// `input u;` in a part
    statement_inside(word: &str): "`{word}` belongs to the system, not to a part" =>
        "write it before the part, and pass the values that the part needs as parameters";
    /// `part Leg { … }`, and no leg
    unused(part: &str): "the part `{part}` is never used" =>
        "use it, as in `leg: {part} {{ … }}`, or remove it";
    /// `leg: Leg { … }` in `part Leg`
    of_itself(part: &str): "`{part}` contains itself" =>
        "write a part for the repeated unit, and use it several times in a `for`";
    /// `leg: Leg { … }` before `part Leg`
    not_yet_declared(part: &str): "`{part}` is declared after its use" => "move the part before this line";
    /// `bob: Rigid2 { mass: m }`
    use_of_a_type(ty: &str, word: &str): "`{ty}` is not a part" =>
        "write `{word}` before the name";
    /// `leg: Leg { l: 1, l: 2 }`
    value_twice(name: &str): "`{name}` is given twice" => "remove one of the two";
    /// `norm(leg)` of a part
    part_as_value(name: &str, part: &str): "`{name}` is a `{part}`, not a value" =>
        "write one of its members, as in `{name}.foot`";
    /// `part Leg { l: f64 }`
    parameter_type(ty: &str): "a parameter of a part cannot be a `{ty}`" =>
        "write `Real`, `Vector2`, `Vector3`, `Rigid2`, `Rigid3`, or an array of them";
    /// `leg: Leg { trunk: x }`
    parameter_kind(name: &str, expected: &str, found: &str): "`{name}` is {expected}, found {found}" =>
        "write a value of the declared kind";
    /// `a: Chain { n: 3 } b: Chain { n: 4 }`
    unlike_uses(part: &str): "the arrays in `{part}` have different lengths in different uses" =>
        "all uses share one struct: write the same lengths, or a second part";
    /// Parts of parts of parts
    too_large(part: &str, limit: usize):
        "this use of `{part}` is too large: more than {limit} names, numbers and operations would take the compiler 3 GB of memory" =>
        "nested parts multiply: use fewer of them, or fewer levels";
    /// `grid[2][2][2][2]: Leg { … }`
    too_many_indices(found: usize): "nested parts have at most 3 indices in total, found {found}" =>
        "number the elements of the last two in a row, as in `[4*i + j]`";
}

messages! {
    /// `joint knee { a: thigh }`
    joint_without_kind: "the joint has no type" =>
        "write its type, as in `joint knee: Hinge { a: thigh, b: shank, … }`";
    /// `joint knee: Hinge;`
    joint_without_values(joint: &str): "the bodies and parameters of `{joint}` are missing" =>
        "write them in braces, as in `joint knee: {joint} {{ a: thigh, b: shank, … }}`";
    /// `joint knee: Hinge { r1: [0, 0, 1] }`
    joint_without_body(joint: &str): "`{joint}` connects no body" =>
        "write `a` or `b` or both; the one left out is the ground";
}

/// `leg: Leg { }`
pub fn missing_values(range: SourceRange, part: &str, names: &[String]) -> Diagnostic {
    let all: Vec<&str> = names.iter().map(String::as_str).collect_vec();
    let (have, them) = if let [_] = all[..] {
        ("has no value", "it")
    } else {
        ("have no values", "them")
    };
    let all_listed = listed(&all, "and");
    let first = all.first().copied().unwrap_or_default();
    helped(
        range,
        format!("{all_listed} of `{part}` {have}"),
        format!("write {them} in the braces, as in `{first}: …`"),
    )
}

/// `joint knee: Hnge { … }`
pub fn unknown_joint(range: SourceRange, name: &str, space: bool, known: &[&str]) -> Diagnostic {
    let help = match (other_joint(name, space), closest(name, known)) {
        (Some(other), _) => format!("write `{other}`"),
        (None, Some(meant)) => format!("did you mean `{meant}`?"),
        (None, None) => format!("the library has {}", listed(known, "and")),
    };
    let place = if space { "of space" } else { "of the plane" };
    let message = format!("the library has no joint `{name}` between bodies {place}");
    helped(range, message, help)
}

/// `leg: Lge { … }`
pub fn unknown(
    range: SourceRange,
    name: &str,
    declared: &[&str],
    library: impl Iterator<Item = &'static str>,
) -> Diagnostic {
    let library: Vec<&str> = library.collect_vec();
    let help = match (closest(name, &[declared, &library].concat()), declared) {
        (Some(meant), _) => format!("did you mean `{meant}`?"),
        (None, []) => format!(
            "declare it first, as in `part {name} {{ l: Real }} {{ … }}`; the library has {}",
            listed(&library, "and")
        ),
        (None, _) => format!("the declared parts are {}", listed(declared, "and")),
    };
    helped(range, format!("there is no part `{name}`"), help)
}

/// `leg: Leg { length: 1 }`
pub fn unknown_parameter(range: SourceRange, part: &str, name: &str, known: &[&str]) -> Diagnostic {
    let help = match (closest(name, known), known) {
        (Some(meant), _) => format!("did you mean `{meant}`?"),
        (None, []) => "it has none".to_owned(),
        (None, _) => format!("it has {}", listed(known, "and")),
    };
    helped(range, format!("`{part}` has no parameter `{name}`"), help)
}

/// `joint knee: Hinge { …, limits: [0, 1] }`
pub fn unknown_parameter_of_joint(
    range: SourceRange,
    joint: &str,
    name: &str,
    known: &[&str],
) -> Diagnostic {
    let help = match name {
        "limits" | "limit" | "range" | "lower" | "upper" | "low" | "high" | "min" | "max"
        | "stop" | "stops" => {
            "write rows of one side, as in `constraint stop: angle <= 1;`, on a coordinate or an expression of the bodies; \
             only joints of a `World` have limits"
        }
        "damping" | "damper" | "viscosity" => {
            "write `dissipation c/2*velocity(x)^2;`, for a rotation with the difference of two `angular_velocity(…)`"
        }
        "stiffness" | "spring" => "write a `potential` of the bodies",
        "motor" | "speed" | "torque" | "effort" => {
            "write `motor drive: angular_velocity(b) == speed { most: bound };`, in space along the axis, or a `torque` on each body"
        }
        "friction" => {
            "write `motor brake: angular_velocity(b) == 0 { most: bound };`, in space along the axis"
        }
        _ => return unknown_parameter(range, joint, name, known),
    };
    helped(range, format!("`{joint}` has no parameter `{name}`"), help)
}

/// `leg[2].fot`
pub fn not_offered(range: SourceRange, part: &str, name: &str, offered: &[&str]) -> Diagnostic {
    let help = match (closest(name, offered), offered) {
        (Some(meant), _) => format!("did you mean `{meant}`?"),
        (None, []) => "it declares no names".to_owned(),
        (None, _) => format!("it has {}", listed(offered, "and")),
    };
    helped(range, format!("`{part}` has no member `{name}`"), help)
}
