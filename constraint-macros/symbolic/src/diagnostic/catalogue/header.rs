//! The struct, its attributes and parameters, and the coordinates between bars.

use crate::diagnostic::spelling::closest;
use crate::diagnostic::wording::helped;
use crate::diagnostic::{Diagnostic, SourceRange};

messages! {
    /// `pub enum …`
    not_a_struct: "expected `struct`" => "write `struct Name;` or `struct Name { length: Real }`";
    /// `struct ;`
    expected_struct_name: "the struct has no name" =>
        "write `struct Name;` or `struct Name { length: Real }`";
    /// `struct Name<T>`
    user_generics: "the struct takes no generics of its own" =>
        "remove them: a struct with parameters is already generic over its scalar";
    /// `struct Name(f64);`
    tuple_struct: "parameters need names" => "write `struct Name { length: Real }`";
    /// `struct Name |x| …`
    unit_struct_without_semicolon: "a struct without parameters ends in `;`" =>
        "write `struct Name;`";
    /// `struct Name { a: Real };`
    semicolon_after_fields: "`;` after the parameters" => "remove it";
    /// `#![…]`
    inner_attribute: "an inner attribute is not allowed here" => "write `#[…]`";
    /// `struct Name; x*x`
    expected_coordinates: "the coordinates are missing" =>
        "write them between bars, as in `|x, y| x^2 + y^2 == 1`";
    /// `|| …`
    no_coordinates: "there are no coordinates between the bars" => "write `|x, y|`";
    /// `|x, y x^2`
    unclosed_coordinates: "the list of coordinates does not end" => "close it with `|`";
    /// `|x y|`, `{ a: Real b: Real }`
    expected_comma: "expected `,`";
    /// `{ length }`
    parameter_without_type(name: &str): "the parameter `{name}` has no type" =>
        "write `{name}: Real`, `{name}: Vector2` or `{name}: Vector3`";
    /// `{ length: Real = 1 }`
    parameter_default: "a parameter has no default here" =>
        "set the value when you construct the struct";
    /// `|s in 0..=1|`
    coordinate_domain: "a coordinate of `constraint!` has no domain" => "remove the range";
    /// `Time` as a parameter.
    time_as_parameter: "time is not a parameter" =>
        "declare it among the coordinates, as in `|p: Point2, t: Time|`";
    /// A second `Time`.
    second_time(first: &str): "the time is already declared as `{first}`";
    /// A name that is already declared.
    duplicate_name(name: &str): "the name `{name}` is already in use" => "choose another name";
    /// `coordinate t;` of a system
    name_of_the_time: "`t` is the time" => "choose another name";
    /// `#[derivatives(q)]`, `#[derivatives = "q"]`
    derivatives_of_some: "`derivatives` takes no arguments: derivatives by all variables are generated" =>
        "write `#[derivatives]`";
    /// `#[derivatives]` before a struct of bodies
    derivatives_between_bodies:
        "derivatives of a constraint between bodies are not generated: its force rotates with the bodies" =>
        "write the bodies and the constraint in a `system!` with `#[derivatives]`, or remove the attribute";
}

/// `constraint!()`
pub fn empty_input() -> Diagnostic {
    helped(
        SourceRange::call_site(),
        "there is no equation here",
        "write an equation, as in `constraint!(x^2 + y^2 == 1)`",
    )
}

/// `|x, (y)|`
pub fn expected_declaration(range: SourceRange, parameter: bool) -> Diagnostic {
    let (what, form) = if parameter {
        ("parameter", "length: Real")
    } else {
        ("coordinate", "x")
    };
    helped(
        range,
        format!("expected the name of a {what}"),
        format!("write `{form}`"),
    )
}

/// An unknown type; `found` is empty unless it is a single name.
pub fn unknown_type(range: SourceRange, found: &str, parameter: bool) -> Diagnostic {
    let message = match found {
        "" => "this type is not part of the language".to_owned(),
        _ => format!("the type `{found}` is not part of the language"),
    };
    let known = if parameter {
        &["Real", "Vector2", "Vector3"][..]
    } else {
        &["Point2", "Point3", "Time", "Rigid2", "Rigid3"]
    };
    let help = match (parameter, found) {
        (true, "Point2") => "write `Vector2`".to_owned(),
        (true, "Point3") => "write `Vector3`".to_owned(),
        (true, "f32" | "f64" | "T") => "write `Real`".to_owned(),
        (true, "Rigid2" | "Rigid3") => {
            format!("a body cannot be a parameter: declare it between the bars, as in `|a: {found}|`")
        }
        (false, "Vector2") => "write `Point2`".to_owned(),
        (false, "Vector3") => "write `Point3`".to_owned(),
        (false, "f32" | "f64" | "T") => {
            "remove it: a coordinate without a type is a number".to_owned()
        }
        _ => match (closest(found, known), parameter) {
            (Some(name), _) => format!("did you mean `{name}`?"),
            (None, true) => "a parameter is `Real`, `Vector2` or `Vector3`".to_owned(),
            (None, false) => {
                "a coordinate is `Point2`, `Point3`, `Rigid2`, `Rigid3`, `Time`, or a number without a type".to_owned()
            }
        },
    };
    helped(range, message, help)
}

/// `{ g: 9 }`; in a system, a parameter may have a type and a value.
pub fn value_for_type(range: SourceRange, name: &str, in_system: bool) -> Diagnostic {
    let help = if in_system {
        format!("write `{name}: Real = …`: the type, then the value")
    } else {
        format!("write `{name}: Real`, and set its value when you construct the struct")
    };
    helped(range, "expected a type, found a number", help)
}

/// A keyword, `_`, or a constant as a name.
pub fn reserved_name(range: SourceRange, name: &str) -> Diagnostic {
    let what = match name {
        "PI" | "TAU" | "E" => "a constant",
        "_" => "not a name",
        _ => "a Rust keyword",
    };
    helped(range, format!("`{name}` is {what}"), "choose another name")
}
