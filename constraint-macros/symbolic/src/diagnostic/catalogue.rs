//! Every message and every help: what was found, then what to write; lower case, no final stop.

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

/// `constraint!()`
pub fn empty_input() -> Diagnostic {
    helped(
        SourceRange::call_site(),
        "there is no equation here",
        "write an equation, as in `constraint!(x^2 + y^2 == 1)`",
    )
}

/// `pub enum …`
pub fn not_a_struct(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "expected `struct`",
        "write `struct Name;` or `struct Name { length: Real }`",
    )
}

/// `struct ;`
pub fn expected_struct_name(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "the struct has no name",
        "write `struct Name;` or `struct Name { length: Real }`",
    )
}

/// `struct Name<T>`
pub fn user_generics(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "the struct takes no generics of its own",
        "remove them: a struct with parameters is generic over its scalar already",
    )
}

/// `struct Name(f64);`
pub fn tuple_struct(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "parameters need names",
        "write `struct Name { length: Real }`",
    )
}

/// `struct Name |x| …`
pub fn unit_struct_without_semicolon(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "a struct without parameters ends in `;`",
        "write `struct Name;`",
    )
}

/// `struct Name { a: Real };`
pub fn semicolon_after_fields(range: SourceRange) -> Diagnostic {
    helped(range, "`;` after the parameters", "remove it")
}

/// `#![…]`
pub fn inner_attribute(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "an inner attribute has no place here",
        "write `#[…]`",
    )
}

/// `struct Name; x*x`
pub fn expected_coordinates(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "the coordinates are missing",
        "write them between bars, as in `|x, y| x^2 + y^2 == 1`",
    )
}

/// `|| …`
pub fn no_coordinates(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "there are no coordinates between the bars",
        "write `|x, y|`",
    )
}

/// `|x, y x^2`
pub fn unclosed_coordinates(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "the list of coordinates does not end",
        "close it with `|`",
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

/// `|x y|`, `{ a: Real b: Real }`
pub fn expected_comma(range: SourceRange) -> Diagnostic {
    plain(range, "expected `,`")
}

/// `{ length }`
pub fn parameter_without_type(range: SourceRange, name: &str) -> Diagnostic {
    helped(
        range,
        format!("the parameter `{name}` has no type"),
        format!("write `{name}: Real`, `{name}: Vector2` or `{name}: Vector3`"),
    )
}

/// `{ length: Real = 1 }`
pub fn parameter_default(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "a parameter has no default here",
        "give the value where the struct is built",
    )
}

/// `|s in 0..=1|`
pub fn coordinate_domain(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "a coordinate of `constraint!` has no domain",
        "remove the range",
    )
}

/// An unknown type; `found` is empty for anything but a single name.
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
            format!("a body is no parameter: declare it between the bars, as in `|a: {found}|`")
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

/// `{ g: 9 }`; in a system, a parameter may have a value besides its type.
pub fn value_for_type(range: SourceRange, name: &str, in_system: bool) -> Diagnostic {
    let help = if in_system {
        format!("write `{name}: Real = …`: the type, then the value")
    } else {
        format!("write `{name}: Real`, and give its value where the struct is built")
    };
    helped(range, "a number stands in the place of a type", help)
}

/// `Time` as a parameter.
pub fn time_as_parameter(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "time is not a parameter",
        "declare it among the coordinates, as in `|p: Point2, t: Time|`",
    )
}

/// A second `Time`.
pub fn second_time(range: SourceRange, first: &str) -> Diagnostic {
    plain(range, format!("the time is `{first}` already"))
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

/// A name that is declared already.
pub fn duplicate_name(range: SourceRange, name: &str) -> Diagnostic {
    helped(
        range,
        format!("the name `{name}` is taken already"),
        "choose another name",
    )
}

// ---- syntax: curves -----------------------------------------------------------------------------

/// `curve! {}`
pub fn empty_curve() -> Diagnostic {
    helped(
        SourceRange::call_site(),
        "there is no curve here",
        "write one, as in `struct Circle; |s in 0..=TAU| [cos(s), sin(s)]`",
    )
}

/// `|s in 0..=1| …` without a struct
pub fn curve_without_struct(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "a curve needs a name",
        "write `struct Name;` before `|s in 0..=1|`",
    )
}

/// `struct Name; [s, s^2]`, `||`
pub fn expected_curve_parameter(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "the parameter of the curve is missing",
        "write it between bars with its domain, as in `|s in 0..=1|`",
    )
}

/// `|s in 0..=1 [s, s^2]`
pub fn unclosed_curve_parameter(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "the domain of the curve does not end",
        "close it with `|`",
    )
}

/// `|s, t in 0..=1|`, `|s in 0..=1, t in 0..=1|`
pub fn second_curve_parameter(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "a curve has one parameter",
        "declare what else it depends on as a field, as in `struct Name { length: Real }`",
    )
}

/// `|s|`, `|s in 1|`
pub fn expected_domain(range: SourceRange, name: &str) -> Diagnostic {
    helped(
        range,
        format!("`{name}` has no domain"),
        format!("write `{name} in 0..=1`"),
    )
}

/// `|s in 0..1|`
pub fn half_open_domain(range: SourceRange) -> Diagnostic {
    helped(range, "a curve's domain holds both its ends", "write `..=`")
}

// ---- model: curves ------------------------------------------------------------------------------

/// `|s in 0..=s|`
pub fn domain_of_itself(range: SourceRange, name: &str) -> Diagnostic {
    helped(
        range,
        format!("the domain of `{name}` depends on `{name}`"),
        "write numbers, constants and fields of the struct",
    )
}

/// `|s in 1..=0|`, `|s in 1..=1|`
pub fn empty_domain(range: SourceRange, start: f64, end: f64) -> Diagnostic {
    if start > end {
        helped(
            range,
            format!("the domain is reversed: {start} lies after {end}"),
            "write its lesser end first",
        )
    } else {
        plain(range, format!("the domain holds nothing but {start}"))
    }
}

/// `cos(s)` as a curve.
pub fn curve_of_numbers(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "a curve consists of points, found a number",
        "write a vector, as in `[s, s^2]`",
    )
}

/// `[s]`, `[s, s, s, s]` as a curve.
pub fn curve_size(range: SourceRange, found: usize) -> Diagnostic {
    plain(
        range,
        format!("a point has two or three coordinates, found {found}"),
    )
}

/// `x^2 + y^2 == 1` as a curve.
pub fn curve_relation(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "a curve is no equation",
        "write its points, as in `[cos(s), sin(s)]`; equations belong to `constraint!`",
    )
}

/// `[1, 2]`
pub fn curve_without_parameter(range: SourceRange, name: &str) -> Diagnostic {
    plain(
        range,
        format!("this is a single point: it does not change with `{name}`"),
    )
}

/// r′ = 0 inside the domain.
pub fn cusp(range: SourceRange, name: &str, at: f64) -> Diagnostic {
    helped(
        range,
        format!("the curve has a cusp: its tangent vanishes at {name} = {at}"),
        "end the domain there, or choose a parameter that does not stop",
    )
}

/// Pieces that do not meet; `part` is the gap over the curve's extent.
pub fn jump(range: SourceRange, name: &str, at: f64, gap: f64, part: f64) -> Diagnostic {
    let mut help = "let both branches give the same point there".to_owned();
    if part < 1e-3 {
        let stated = 10f64.powf(part.log10().ceil());
        help += &format!(
            ", or, where they meet to the digits of printed constants, write `#[joined({stated:e})]` before the struct"
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

/// `#[joined]`, `#[joined(2)]`
pub fn joined_tolerance(range: SourceRange, most: f64) -> Diagnostic {
    helped(
        range,
        format!("`joined` takes one number greater than 0 and no greater than {most}"),
        "write how far apart the pieces may be, as a part of the curve's extent: `#[joined(1e-5)]`",
    )
}

// ---- syntax: expressions ------------------------------------------------------------------------

/// Nothing where an expression belongs.
pub fn expected_expression(range: SourceRange, after: Option<&str>) -> Diagnostic {
    match after {
        Some(sign) => plain(range, format!("expected an expression after `{sign}`")),
        None => plain(range, "expected an expression"),
    }
}

/// An operator where an operand belongs.
pub fn operator_without_operand(range: SourceRange, sign: &str) -> Diagnostic {
    plain(range, format!("`{sign}` has nothing on its left"))
}

/// `+x`
pub fn unary_plus(range: SourceRange) -> Diagnostic {
    helped(range, "`+` has nothing on its left", "remove it")
}

/// `x**2`
pub fn double_star(range: SourceRange) -> Diagnostic {
    helped(range, "`**` is not an operator", "write `^` for a power")
}

/// `x = 1`
pub fn single_equals(range: SourceRange) -> Diagnostic {
    helped(range, "`=` is not a relation", "write `==`")
}

/// `x != 1`
pub fn not_equal(range: SourceRange) -> Diagnostic {
    helped(range, "`!=` is not a relation", "write `!(a == b)`")
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

/// `2x`, `2 x`, `2(x + 1)`
pub fn missing_multiplication(range: SourceRange, number: &str, factor: &str) -> Diagnostic {
    helped(
        range,
        format!("a `*` is missing after `{number}`"),
        format!("write `{number}*{factor}`"),
    )
}

/// `x y`, `(a)(b)`
pub fn missing_operator(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "an operator is missing before this",
        "write `a*b` for a product",
    )
}

/// `x > 0 ? a : b`
pub fn ternary(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "there is no `? :` here",
        "write `if condition { a } else { b }`",
    )
}

/// `1f64`
pub fn number_suffix(range: SourceRange, number: &str) -> Diagnostic {
    helped(
        range,
        "a number has no suffix here",
        format!("write `{number}`"),
    )
}

/// `0x10`
pub fn number_radix(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "numbers are decimal here",
        "write it with the digits 0 to 9",
    )
}

/// A string, a character, …
pub fn not_a_number(range: SourceRange, text: &str) -> Diagnostic {
    match text.chars().count() {
        0..=30 => plain(range, format!("`{text}` is not a number")),
        _ => plain(range, "this is not a number"),
    }
}

/// `{ x; }`, `x;`
pub fn semicolon(range: SourceRange) -> Diagnostic {
    helped(range, "`;` after an expression", "remove it")
}

/// `[x; y]`
pub fn semicolon_in_list(range: SourceRange) -> Diagnostic {
    helped(range, "`;` in a list", "write `,`")
}

/// `x, y` where no list is.
pub fn comma(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "`,` outside a list",
        "write vectors and several equations in brackets, as in `[a, b]`",
    )
}

/// A token that fits nowhere.
pub fn unexpected(range: SourceRange, text: &str) -> Diagnostic {
    plain(range, format!("unexpected `{text}`"))
}

/// A `let` outside a block.
pub fn let_outside_block(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "`let` outside a block",
        "write `{ let d = …; expression }`",
    )
}

/// A `let` that does not end.
pub fn let_without_semicolon(range: SourceRange, word: &str) -> Diagnostic {
    helped(
        range,
        "expected `;` before this",
        format!("write `{word} d = …;`"),
    )
}

/// `let d: f64 = …`
pub fn let_annotation(range: SourceRange, word: &str) -> Diagnostic {
    helped(
        range,
        format!("a `{word}` has no type here"),
        format!("write `{word} d = …;`"),
    )
}

/// `let mut`, `let (a, b)`
pub fn let_pattern(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "a `let` gives one name to one value here",
        "write `let d = …;`",
    )
}

/// `let d;`
pub fn let_without_value(range: SourceRange, word: &str) -> Diagnostic {
    helped(
        range,
        "expected `=` and a value",
        format!("write `{word} d = …;`"),
    )
}

/// `{ let d = x; }`, `{}`
pub fn block_without_value(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "this block has no value",
        "end it in an expression without `;`",
    )
}

/// `if x > 0 { x }`
pub fn if_without_else(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "this `if` has no `else`",
        "write `if … { a } else { b }`",
    )
}

/// `if x > 0 y else z`
pub fn if_without_block(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "expected a block in braces",
        "write `if … { a } else { b }`",
    )
}

/// Nesting beyond the limit.
pub fn too_deep(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "the expression is nested too deeply",
        "name parts of it in a block: `{ let part = …; … }`",
    )
}

/// More expressions than the limit, calls and loops written out.
pub fn too_large(range: SourceRange, limit: usize) -> Diagnostic {
    helped(
        range,
        format!("this is too large: at most {limit} names, numbers and operations can be lowered"),
        "give what is used several times a name with `let`, or split it into several types",
    )
}

/// More than can be compiled in reasonable time.
pub fn too_large_to_derive(
    range: impl Into<SourceRange>,
    found: usize,
    limit: usize,
    factor: usize,
    instead: &str,
) -> Diagnostic {
    helped(
        range,
        format!(
            "this is too large: {found} coordinates, terms, factors and arguments; at most {limit} can be derived"
        ),
        format!("a factor of a long product counts as {factor}; {instead}"),
    )
}

/// Rust that is not part of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The constructs have the names that Rust gives them.
pub enum Foreign {
    Closure,
    Cast,
    Macro,
    Path,
    Reference,
    Dereference,
    Question,
    Range,
    Index,
    TupleField,
    Tuple,
    Remainder,
    Bits,
    Assignment,
    Arrow,
    Attribute,
    Lifetime,
    Turbofish,
    Boolean,
    Loop,
    Match,
    IfLet,
    StructLiteral,
    Keyword,
}

/// `as f64`, `&x`, `|x| x`, `x?`, …
pub fn foreign(range: SourceRange, construct: Foreign, text: &str) -> Diagnostic {
    let (what, help) = match construct {
        Foreign::Closure => (
            "`|` is not an operator",
            "write `abs(x)` or `norm(p)` for absolute values; `||` joins conditions",
        ),
        Foreign::Cast => (
            "there are no casts here",
            "remove `as`: every number is real",
        ),
        Foreign::Macro => ("there are no macros here", "write the expression itself"),
        Foreign::Path => (
            "there are no paths here",
            "write the name alone, as in `PI` or `sin(x)`",
        ),
        Foreign::Reference => ("there are no references here", "remove `&`"),
        Foreign::Dereference => ("`*` has nothing on its left", "write `a*b` for a product"),
        Foreign::Question => ("there is no `?` here", "remove it"),
        Foreign::Range => ("there are no ranges here", "write a number"),
        Foreign::Index => (
            "there is no indexing here",
            "write `p.x`, `p.y` or `p.z` for a component",
        ),
        Foreign::TupleField => ("components have names here", "write `.x`, `.y` or `.z`"),
        Foreign::Tuple => (
            "there are no tuples here",
            "write vectors and rows in brackets, as in `[a, b]`",
        ),
        Foreign::Remainder => (
            "`%` is not an operator",
            "write the equation without remainders: they have jumps",
        ),
        Foreign::Bits => (
            "there are no bit operations here",
            "`^` is the power, `&&` and `||` join conditions",
        ),
        Foreign::Assignment => (
            "there are no assignments here",
            "write `{ let name = …; expression }`",
        ),
        Foreign::Arrow => ("there are no arrows here", "remove it"),
        Foreign::Attribute => ("there are no attributes in expressions", "remove it"),
        Foreign::Lifetime => ("there are no lifetimes or labels here", "remove it"),
        Foreign::Turbofish => (
            "there are no type arguments here",
            "remove them: every number is real",
        ),
        Foreign::Boolean => (
            "conditions are comparisons here",
            "write one, as in `x > 0`",
        ),
        Foreign::Loop => (
            "there are no loops here",
            "write each row, as in `[a == b, c == d]`",
        ),
        Foreign::Match => ("there is no `match` here", "write `if … { a } else { b }`"),
        Foreign::IfLet => (
            "there is no `if let` here",
            "write `if a > b { c } else { d }`",
        ),
        Foreign::StructLiteral => (
            "there are no struct literals here",
            "write a vector, as in `[a, b]`",
        ),
        Foreign::Keyword => (
            "",
            "expressions are made of names, numbers, operators, functions, `if` and `let`",
        ),
    };
    match what {
        "" => helped(
            range,
            format!("the keyword `{text}` has no meaning here"),
            help,
        ),
        _ => helped(range, what, help),
    }
}

// ---- model: names -------------------------------------------------------------------------------

/// A name that nothing declares; `open`: it could be declared as a coordinate.
pub fn unknown_name(range: SourceRange, name: &str, candidates: &[&str], open: bool) -> Diagnostic {
    let message = format!("`{name}` is not declared");
    let help = match closest(name, candidates) {
        Some(found) => format!("did you mean `{found}`?"),
        None if !open => format!("declare it as a field of the struct, as in `{name}: Real`"),
        None if matches!(name, "t" | "time") => {
            format!("declare it among the coordinates, as `{name}: Time`")
        }
        None => format!("declare it among the coordinates, or as a parameter `{name}: Real`"),
    };
    helped(range, message, help)
}

/// A name that the bars before an equation without a struct do not declare.
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

/// `time` where the time is called `t`.
pub fn time_by_another_name(range: SourceRange, name: &str, time: &str) -> Diagnostic {
    helped(
        range,
        format!("`{name}` is not declared"),
        format!("write `{time}`: that is the time here"),
    )
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

/// A call of something unknown.
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

/// `x(y + 1)` where `x` is a name.
pub fn call_of_a_name(range: SourceRange, name: &str) -> Diagnostic {
    helped(
        range,
        format!("`{name}` is not a function"),
        format!("write `{name}*(…)` for a product"),
    )
}

/// `p.x()`
pub fn component_as_method(range: SourceRange, name: &str) -> Diagnostic {
    helped(
        range,
        format!("`{name}` is a component, not a function"),
        format!("write `.{name}`"),
    )
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

/// What other languages call our functions.
fn other_word(name: &str) -> Option<&'static str> {
    Some(match name {
        "log" => "write `ln(x)`, `log2(x)` or `log10(x)`",
        "arcsin" => "write `asin(x)`",
        "arccos" => "write `acos(x)`",
        "arctan" => "write `atan(x)`",
        "arctan2" => "write `atan2(y, x)`",
        "sqr" | "square" => "write `x^2`",
        "sgn" | "sign" => "write `signum(x)`",
        "fabs" | "magnitude" => "write `abs(x)` for a number, `norm(p)` for a vector",
        "length" | "len" => "write `norm(p)`",
        "distance" | "dist" => "write `norm(b - a)`",
        "power" => "write `x^n`",
        "cot" => "write `1/tan(x)`",
        "sec" => "write `1/cos(x)`",
        "csc" => "write `1/sin(x)`",
        "vec2" | "vec3" | "Vector2" | "Vector3" | "Point2" | "Point3" => "write `[a, b]`",
        "floor" | "ceil" | "round" | "trunc" | "fract" | "mod" | "rem_euclid" => {
            "a constraint must not jump; write it without rounding"
        }
        "exp2" => "write `2^x`",
        "mul_add" => "write `a*b + c`",
        _ => return None,
    })
}

/// The candidate that the name was most likely meant to be.
pub(super) fn closest<'a>(name: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let lower = name.to_lowercase();
    if let Some(same) = candidates.iter().find(|c| c.to_lowercase() == lower) {
        return Some(same);
    }
    let length = name.chars().count();
    let allowed = match length {
        0..=2 => return None,
        3..=5 => 1,
        _ => 2,
    };
    if length > 40 {
        return None;
    }
    let distances = candidates.iter().map(|c| (edit_distance(name, c), *c));
    // `coss` is `cos` with a letter too many rather than `cross` without one.
    let best = distances.min_by_key(|&(distance, c)| (distance, !name.starts_with(c)))?;
    (best.0 <= allowed).then_some(best.1)
}

/// Insertions, deletions, replacements and exchanges of neighbours that lead from one to the other.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut next = vec![i];
        for j in 1..=b.len() {
            let replaced = row[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(row[j] + 1).min(next[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                let exchanged: &Vec<usize> = &before;
                least = least.min(exchanged[j - 2] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

// ---- model: shapes ------------------------------------------------------------------------------

/// What an expression is, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One number.
    Scalar,
    /// Two or three of them.
    Vector(usize),
    /// True or false.
    Condition,
}

impl Kind {
    fn words(self) -> String {
        match self {
            Kind::Scalar => "a number".to_owned(),
            Kind::Vector(n) => format!("a vector of {n} components"),
            Kind::Condition => "a condition".to_owned(),
        }
    }
}

/// A vector or a condition where a number belongs.
pub fn expected_scalar(range: SourceRange, found: Kind) -> Diagnostic {
    match found {
        Kind::Condition => condition_as_value(range),
        _ => helped(
            range,
            format!("expected a number, found {}", found.words()),
            "take a component, as in `p.x`, or `norm(p)`",
        ),
    }
}

/// A number where a vector belongs.
pub fn expected_vector(range: SourceRange, found: Kind) -> Diagnostic {
    helped(
        range,
        format!("expected a vector, found {}", found.words()),
        "write `[a, b]`, or `[a, b, c]` in space",
    )
}

/// A comparison whose truth is used as a number.
pub fn condition_as_value(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "a comparison is not a value",
        "use it in `if … { a } else { b }`; a relation stands at the top",
    )
}

/// A number where a condition belongs.
pub fn expected_condition(range: SourceRange, found: Kind) -> Diagnostic {
    helped(
        range,
        format!("expected a comparison, found {}", found.words()),
        "write one, as in `x > 0`",
    )
}

/// Vectors and numbers, or vectors of two sizes, in one sum, relation or choice.
pub fn shape_mismatch(range: SourceRange, first: Kind, second: Kind) -> Diagnostic {
    let message = format!("expected {}, found {}", first.words(), second.words());
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

/// `a*b` with two vectors.
pub fn product_of_vectors(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "vectors have several products",
        "write `dot(a, b)` or `cross(a, b)`",
    )
}

/// `a/b` with a vector b.
pub fn division_by_vector(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "division by a vector",
        "divide by a number, as in `a/norm(b)`",
    )
}

/// `p^2`
pub fn power_of_vector(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "a vector has no powers",
        "write `norm_squared(p)` for its square",
    )
}

/// A vector function that is only defined in the plane.
pub fn only_in_the_plane(range: SourceRange, name: &str) -> Diagnostic {
    helped(
        range,
        format!("`{name}` is defined in the plane only"),
        "write `cross(axis, p)` in space",
    )
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

/// `[[0, 0], [1, 0]]` as a value.
pub fn list_of_vectors(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "a list of vectors is no value",
        "give each of them a name of its own, as in `let a = [0, 0];`",
    )
}

/// `x.y` of a number, `p.z` in the plane, `p.foo`.
pub fn unknown_component(
    range: SourceRange,
    name: &str,
    of: Kind,
    is_function: bool,
) -> Diagnostic {
    let message = format!("{} has no component `{name}`", of.words());
    match (is_function, of) {
        (true, _) => helped(range, message, format!("write `.{name}()`")),
        (false, Kind::Vector(2)) => helped(range, message, "the components are `x` and `y`"),
        (false, Kind::Vector(_)) => helped(range, message, "the components are `x`, `y` and `z`"),
        (false, _) => plain(range, message),
    }
}

// ---- model: values ------------------------------------------------------------------------------

/// Why a constant is not a real number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// (−8)^(1/3)
    FractionalPower,
    /// Everything else: ln(−1), 10^1000.
    Other,
}

/// A constant that no `f64` stands for.
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

/// `1/0`
pub fn division_by_zero(range: SourceRange) -> Diagnostic {
    plain(range, "this divides by zero")
}

/// `(-2)^x`
pub fn power_of_negative(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "a negative number has real powers for whole exponents only",
        "write a positive number, or a constant whole exponent",
    )
}

/// `x^1000*1e308`, whose slope has a constant of 1e311; `what` follows from the text.
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
        "write it in other units, or make the number a parameter",
    )
}

/// A literal beyond the range of `f64`.
pub fn number_too_large(range: SourceRange) -> Diagnostic {
    plain(range, "this number is out of range")
}

/// `x^9999999999`
pub fn exponent_too_large(range: SourceRange, limit: i32) -> Diagnostic {
    plain(
        range,
        format!("a constant exponent must lie between -{limit} and {limit}"),
    )
}

/// `powi(x, y)`, `powi(x, 0.5)`
pub fn powi_exponent(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "`powi` takes a whole number as its exponent",
        "write `x^y` or `powf(x, y)`",
    )
}

// ---- model: rows --------------------------------------------------------------------------------

/// `x < 1` at the top.
pub fn inequality(range: SourceRange) -> Diagnostic {
    helped(range, "an inequality is not a constraint", "write `==`")
}

/// `&&`, `||`, `!` at the top.
pub fn condition_as_row(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "a condition is not a constraint",
        "write one row for each relation, as in `[a == b, c == d]`",
    )
}

/// `[]`
pub fn no_rows(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "there are no equations in these brackets",
        "write one or more, as in `[a == b, c]`",
    )
}

/// A row without coordinates; `constant` is what it folds to, if it does.
pub fn row_without_coordinate(range: SourceRange, constant: Option<String>) -> Diagnostic {
    let message = "this equation depends on no coordinate";
    match constant {
        Some(value) => helped(range, message, format!("it reduces to `{value} == 0`")),
        None => helped(
            range,
            message,
            "parameters and time alone cannot constrain anything",
        ),
    }
}

/// A row whose J is identically zero.
pub fn row_without_gradient(range: impl Into<SourceRange>) -> Diagnostic {
    helped(
        range,
        "this equation has no gradient: no coordinate changes its value",
        "steps such as `signum` cannot constrain anything",
    )
}

/// A row whose J is a combination of those before it.
pub fn dependent_row(range: impl Into<SourceRange>, number: usize) -> Diagnostic {
    helped(
        range,
        format!(
            "row {number} depends on the rows before it: its gradient is a combination of theirs"
        ),
        "remove it, or write an independent equation",
    )
}

// ---- model: bodies ------------------------------------------------------------------------------

/// `|a: Rigid3, x|`
pub fn coordinate_among_bodies(range: SourceRange, name: &str) -> Diagnostic {
    helped(
        range,
        format!("`{name}` is no body, and bodies share a constraint with bodies only"),
        format!("declare `{name}: Rigid2` or `{name}: Rigid3`, or make it a parameter"),
    )
}

/// `|a: Rigid3, b: Rigid2|`
pub fn bodies_of_two_spaces(range: SourceRange, first: &str) -> Diagnostic {
    plain(
        range,
        format!("the bodies of a constraint live in one space, and that of `{first}` is another"),
    )
}

/// `norm(a)` of a body
pub fn body_as_value(range: SourceRange, name: &str) -> Diagnostic {
    helped(
        range,
        format!("`{name}` is a body, not a vector"),
        format!("write `at({name}, r)` for a point of it, `dir({name}, u)` for a direction"),
    )
}

/// `at(p, r)` of anything but a body
pub fn expected_body(range: SourceRange, bodies: &[String]) -> Diagnostic {
    let help = match bodies {
        [] => "declare it, as in `struct Name; |a: Rigid3, b: Rigid3| …`".to_owned(),
        [only] => format!("the body is `{only}`"),
        many => format!("the bodies are {}", listed(many)),
    };
    helped(range, "expected the name of a body", help)
}

/// `a`, `b` and `c`
fn listed(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
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
        format!(
            "a vector fixed to `{body}` has {size} components, found {}",
            found.words()
        ),
        format!("write `[{zeros}]`, or a parameter of type `{parameter}`"),
    )
}

/// `velocity(x)` where there are no bodies
pub fn velocity_without_bodies(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "only bodies have a `velocity` in `constraint!`",
        "declare a body, as in `struct Name; |a: Rigid3| …`",
    )
}

/// `velocity(velocity(p))`
pub fn velocity_of_velocity(range: SourceRange) -> Diagnostic {
    plain(range, "a velocity has no velocity")
}

/// `norm(velocity(p)) == 1`
pub fn not_affine_in_velocities(range: SourceRange) -> Diagnostic {
    helped(
        range,
        "this relation is not affine in the velocities",
        "a constraint of velocities is a sum of velocities with factors that depend on positions alone",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_names_find_their_neighbours_and_short_names_none() {
        let names = ["x", "y", "length", "omega", "PI"];
        let table = [
            ("lenght", Some("length")),
            ("omgea", Some("omega")),
            ("pi", Some("PI")),
            ("X", Some("x")),
            ("z", None),
            ("mass", None),
        ];
        for (name, expected) in table {
            assert_eq!(closest(name, &names), expected, "{name}");
        }
        assert_eq!(closest("coss", &["cross", "cos"]), Some("cos"));
    }
}
