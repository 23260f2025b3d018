//! All messages with their help: the finding, then the remedy; lower case, no final stop.

use std::fmt;

use super::spelling::{closest, other_word};
use super::{Diagnostic, SourceRange};
use crate::expr::Number;

fn plain(range: impl Into<SourceRange>, message: impl Into<String>) -> Diagnostic {
    Diagnostic {
        range: range.into(),
        message: message.into(),
        help: None,
    }
}

pub(super) fn helped(
    range: impl Into<SourceRange>,
    message: impl Into<String>,
    help: impl Into<String>,
) -> Diagnostic {
    Diagnostic {
        help: Some(help.into()),
        ..plain(range, message)
    }
}

// ---- syntax: the header -------------------------------------------------------------------------

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

// ---- syntax: curves -----------------------------------------------------------------------------

messages! {
    /// `|s in 0..=1| …` without a struct
    curve_without_struct: "a curve needs a name" => "write `struct Name;` before `|s in 0..=1|`";
    /// `struct Name; [s, s^2]`, `||`
    expected_curve_parameter: "the parameter of the curve is missing" =>
        "write it between bars with its domain, as in `|s in 0..=1|`";
    /// `|s in 0..=1 [s, s^2]`
    unclosed_curve_parameter: "the domain of the curve does not end" => "close it with `|`";
    /// `|s, t in 0..=1|`, `|s in 0..=1, t in 0..=1|`
    second_curve_parameter: "a curve has one parameter" =>
        "declare other variables as fields, as in `struct Name { length: Real }`";
    /// `|s|`, `|s in 1|`
    expected_domain(name: &str): "`{name}` has no domain" => "write `{name} in 0..=1`";
    /// `|s in 0..1|`
    half_open_domain: "a curve's domain includes both ends" => "write `..=`";
}

/// `curve! {}`
pub fn empty_curve() -> Diagnostic {
    helped(
        SourceRange::call_site(),
        "there is no curve here",
        "write one, as in `struct Circle; |s in 0..=TAU| [cos(s), sin(s)]`",
    )
}

// ---- model: curves ------------------------------------------------------------------------------

messages! {
    /// `|s in 0..=s|`
    domain_of_itself(name: &str): "the domain of `{name}` depends on `{name}`" =>
        "write numbers, constants and fields of the struct";
    /// `cos(s)` as a curve.
    curve_of_numbers: "a curve consists of points, found a number" =>
        "write a vector, as in `[s, s^2]`";
    /// `[s]`, `[s, s, s, s]` as a curve.
    curve_size(found: usize): "a point has two or three coordinates, found {found}";
    /// `x^2 + y^2 == 1` as a curve.
    curve_relation: "a curve is not an equation" =>
        "write its points, as in `[cos(s), sin(s)]`; equations belong to `constraint!`";
    /// `[1, 2]`
    curve_without_parameter(name: &str): "this is a single point: it does not depend on `{name}`";
    /// r′ = 0 inside the domain.
    cusp(name: &str, at: f64): "the curve has a cusp: its tangent vanishes at {name} = {at}" =>
        "end the domain there, or choose a parameter whose tangent does not vanish";
    /// `#[derivatives(q)]`, `#[derivatives = "q"]`
    derivatives_of_some: "`derivatives` takes no arguments: derivatives by all variables are generated" =>
        "write `#[derivatives]`";
    /// `#[derivatives]` before a struct of bodies
    derivatives_between_bodies:
        "derivatives of a constraint between bodies are not generated: its force rotates with the bodies" =>
        "write the bodies and the constraint in a `system!` with `#[derivatives]`, or remove the attribute";
    /// `#[joined]`, `#[joined(2)]`
    joined_tolerance(most: f64):
        "`joined` takes one number greater than 0 and no greater than {most}" =>
        "write the largest gap between the pieces, relative to the curve's extent: `#[joined(1e-5)]`";
}

/// `|s in 1..=0|`, `|s in 1..=1|`
pub fn empty_domain(range: SourceRange, start: f64, end: f64) -> Diagnostic {
    if start > end {
        helped(
            range,
            format!("the domain is reversed: {start} is greater than {end}"),
            "write the smaller end first",
        )
    } else {
        plain(range, format!("the domain contains only {start}"))
    }
}

/// Pieces that do not meet; `part` is the gap over the curve's extent.
pub fn jump(range: SourceRange, name: &str, at: f64, gap: f64, part: f64) -> Diagnostic {
    let mut help = "make both branches give the same point there".to_owned();
    if part < 1e-3 {
        let stated = 10f64.powf(part.log10().ceil());
        help += &format!(
            ", or, if they meet up to the digits of rounded constants, write `#[joined({stated:e})]` before the struct"
        );
    }
    let gap = if gap < 1e-3 {
        format!("{gap:.1e}")
    } else {
        gap.to_string()
    };
    helped(
        range,
        format!("the pieces do not meet: the curve jumps by {gap} at {name} = {at}"),
        help,
    )
}

// ---- syntax: expressions ------------------------------------------------------------------------

messages! {
    /// An operator in the place of an operand.
    operator_without_operand(sign: &str): "`{sign}` has nothing on its left";
    /// `+x`
    unary_plus: "`+` has nothing on its left" => "remove it";
    /// `x**2`
    double_star: "`**` is not an operator" => "write `^` for a power";
    /// `x = 1`
    single_equals: "`=` is not a relation" => "write `==`";
    /// `x != 1`
    not_equal: "`!=` is not a relation" => "write `!(a == b)`";
    /// `x y`, `(a)(b)`
    missing_operator: "an operator is missing before this" => "write `a*b` for a product";
    /// `x > 0 ? a : b`
    ternary: "there is no `? :` here" => "write `if condition { a } else { b }`";
    /// `1f64`
    number_suffix(number: &str): "a number has no suffix here" => "write `{number}`";
    /// `0x10`
    number_radix: "numbers are decimal here" => "write it with the digits 0 to 9";
    /// `{ x; }`, `x;`
    semicolon: "`;` after an expression" => "remove it";
    /// `[x; y]`
    semicolon_in_list: "`;` in a list" => "write `,`";
    /// `x, y` outside a list.
    comma: "`,` outside a list" =>
        "write vectors and several equations in brackets, as in `[a, b]`";
    /// A token that no rule accepts.
    unexpected(text: &str): "unexpected `{text}`";
    /// A `let` outside a block.
    let_outside_block: "`let` outside a block" => "write `{ let d = …; expression }`";
    /// A `let` without an end.
    let_without_semicolon(word: &str): "expected `;` before this" => "write `{word} d = …;`";
    /// `let d: f64 = …`
    let_annotation(word: &str): "a `{word}` has no type here" => "write `{word} d = …;`";
    /// `let mut`, `let (a, b)`
    let_pattern: "a `let` binds one name to one value here" => "write `let d = …;`";
    /// `let d;`
    let_without_value(word: &str): "expected `=` and a value" => "write `{word} d = …;`";
    /// `{ let d = x; }`, `{}`
    block_without_value: "this block has no value" => "end it with an expression without `;`";
    /// `if x > 0 { x }`
    if_without_else: "this `if` has no `else`" => "write `if … { a } else { b }`";
    /// `if x > 0 y else z`
    if_without_block: "expected a block in braces" => "write `if … { a } else { b }`";
    /// Nesting beyond the limit.
    too_deep: "the expression is nested too deeply" =>
        "name parts of it in a block: `{ let part = …; … }`";
    /// More expressions than the limit, with calls and loops expanded.
    too_large(limit: usize):
        "this is too large: at most {limit} names, numbers and operations can be lowered" =>
        "name repeated subexpressions with `let`, or split it into several types";
    /// Too large to be compiled in reasonable time.
    too_large_to_derive(found: usize, limit: usize, factor: usize, instead: &str):
        "this is too large: {found} coordinates, terms, factors and arguments; at most {limit} can be derived" =>
        "a factor of a long product counts as {factor}; {instead}";
}

/// A missing expression.
pub fn expected_expression(range: SourceRange, after: Option<&str>) -> Diagnostic {
    match after {
        Some(sign) => plain(range, format!("expected an expression after `{sign}`")),
        None => plain(range, "expected an expression"),
    }
}

/// `a == b == c`
pub fn chained_comparison(range: SourceRange, equalities: bool) -> Diagnostic {
    let help = if equalities {
        "write one row for each, as in `[a == b, b == c]`"
    } else {
        "combine two with `&&`, as in `a < b && b < c`"
    };
    helped(range, "relations cannot be chained", help)
}

/// A string, a character, …
pub fn not_a_number(range: SourceRange, text: &str) -> Diagnostic {
    match text.chars().count() {
        0..=30 => plain(range, format!("`{text}` is not a number")),
        _ => plain(range, "this is not a number"),
    }
}

// ---- model: names -------------------------------------------------------------------------------

messages! {
    /// `time` where the time is called `t`.
    time_by_another_name(name: &str, time: &str): "`{name}` is not declared" =>
        "write `{time}`, which is the time here";
    /// `x(y + 1)` with a declared name `x`.
    call_of_a_name(name: &str): "`{name}` is not a function" => "write `{name}*(…)` for a product";
    /// `p.x()`
    component_as_method(name: &str): "`{name}` is a component, not a function" => "write `.{name}`";
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

// ---- model: shapes ------------------------------------------------------------------------------

messages! {
    /// A comparison used as a number.
    condition_as_value: "a comparison is not a value" =>
        "use it in `if … { a } else { b }`; a relation is allowed only at the top level";
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

// ---- model: values ------------------------------------------------------------------------------

messages! {
    /// `1/0`
    division_by_zero: "this divides by zero";
    /// `(-2)^x`
    power_of_negative: "a negative number has real powers only for integer exponents" =>
        "write a positive number, or a constant integer exponent";
    /// A literal beyond the range of `f64`.
    number_too_large: "this number is out of range";
    /// `x^9999999999`
    exponent_too_large(limit: i32): "a constant exponent must lie between -{limit} and {limit}";
    /// `powi(x, y)`, `powi(x, 0.5)`
    powi_exponent: "`powi` takes an integer exponent" => "write `x^y` or `powf(x, y)`";
}

/// The reason why a constant is not a real number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// (−8)^(1/3)
    FractionalPower,
    /// Any other: ln(−1), 10^1000.
    Other,
}

/// A constant without a value in `f64`.
pub fn not_finite(range: SourceRange, value: Number, cause: Cause) -> Diagnostic {
    let nearest = value.to_f64();
    match cause {
        Cause::FractionalPower if nearest.is_nan() => helped(
            range,
            "a negative number has no real fractional power",
            "write `cbrt(x)` for a cube root",
        ),
        _ if nearest.is_nan() => plain(range, "this constant is not a real number"),
        _ if nearest.is_infinite() => plain(range, "this constant is not finite"),
        _ => plain(
            range,
            format!("this constant is {value}, which is too small for an `f64`"),
        ),
    }
}

/// `x^1000*1e308`, whose slope has a constant of 1e311; `what` names the derived quantity.
pub fn constant_beyond(range: SourceRange, what: &str, value: Number) -> Diagnostic {
    let found = match value.to_f64() {
        nearest if nearest.is_nan() => "which is not a real number".to_owned(),
        _ if !value.is_finite() => "which is not finite".to_owned(),
        nearest => {
            let size = if nearest == 0.0 { "small" } else { "large" };
            format!("{value}, which is too {size} for an `f64`")
        }
    };
    helped(
        range,
        format!("{what} has a constant {found}"),
        "choose other units, or make the number a parameter",
    )
}

/// Unit symbols that are rarely used as names; shorter ones, as `m`, are treated as factors.
const UNITS: [&str; 18] = [
    "rad", "kg", "mg", "mm", "cm", "dm", "km", "ms", "us", "ns", "Hz", "kHz", "rpm", "Nm", "kN",
    "Pa", "kPa", "MPa",
];

/// `2x`, `2 x`, `2(x + 1)`, `45 deg`, `2π`
pub fn missing_multiplication(range: SourceRange, number: &str, factor: &str) -> Diagnostic {
    match factor {
        "deg" | "degree" | "degrees" => helped(
            range,
            "numbers have no units here, and angles are in radians",
            format!("write `{number}.to_radians()`"),
        ),
        unit if UNITS.contains(&unit) => helped(
            range,
            "numbers have no units here",
            format!(
                "write `{number}`, and use consistent units for all quantities, for example SI"
            ),
        ),
        _ => {
            let factor = if factor == "π" { "PI" } else { factor };
            helped(
                range,
                format!("a `*` is missing after `{number}`"),
                format!("write `{number}*{factor}`"),
            )
        }
    }
}

// ---- model: rows --------------------------------------------------------------------------------

messages! {
    /// `x < 1` at the top.
    inequality: "a strict inequality is not a constraint" =>
        "write `<=` or `>=` for a constraint of one side, as in `foot.y >= 0`";
    /// `y >= 0` without a struct.
    side_without_struct: "a constraint of one side needs a struct" =>
        "write `constraint! { struct Floor; |x, y| y >= 0 }`";
    /// `|a: Rigid2| at(a, [0, 0]).y >= 0`, or `>=` in a list of rows of `system!`.
    side_of_bodies: "a constraint of one side is not written here" =>
        "write one relation in `system!`, as in `constraint floor: foot.y >= 0;`";
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
    /// `&&`, `||`, `!` at the top.
    condition_as_row: "a condition is not a constraint" =>
        "write one row for each relation, as in `[a == b, c == d]`";
    /// `[]`
    no_rows: "there are no equations in these brackets" => "write one or more, as in `[a == b, c]`";
    /// A row whose J is identically zero.
    row_without_gradient: "this equation has no gradient: no coordinate changes its value" =>
        "steps such as `signum` cannot constrain anything";
    /// A row whose J is a combination of those before it.
    dependent_row(number: usize):
        "row {number} depends on the rows before it: its gradient is a combination of theirs" =>
        "remove it, or write an independent equation";
}

messages! {
    /// `π` if no name is `π`
    pi_by_letter: "`π` is not declared" => "write `PI`";
    /// `x·y`
    dot_in_a_name(name: &str, product: &str): "`{name}` is one name: Rust reads `·` as a letter" => "write `{product}`";
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

// ---- model: bodies ------------------------------------------------------------------------------

messages! {
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

/// `at(p, r)` with a `p` that is not a body
pub fn expected_body(range: SourceRange, bodies: &[String]) -> Diagnostic {
    let help = match bodies {
        [] => "declare it, as in `struct Name; |a: Rigid3, b: Rigid3| …`".to_owned(),
        [only] => format!("the body is `{only}`"),
        many => format!("the bodies are {}", listed(many, "and")),
    };
    helped(range, "expected the name of a body", help)
}

/// `a`, `b` and `c`, or another word instead of "and".
pub(super) fn listed(names: &[impl fmt::Display], and: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} {and} {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
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

// ---- generated code -----------------------------------------------------------------------------

messages! {
    /// A program that does not compute the user's formulas.
    refuted(function: &str):
        "the code of `{function}` differs from the equations: this is a bug in the macro, not in your input" =>
        "please report it with this input; until it is fixed, implement the trait by hand";
    /// A panic of the engine.
    failed: "the macro failed on this input: this is a bug in the macro, not in your input" =>
        "please report it with this input";
}
