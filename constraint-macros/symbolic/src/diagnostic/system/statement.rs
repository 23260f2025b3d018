//! The forms of statements: declarations, functions, constants, fields.

use crate::diagnostic::spelling::{closest, other_statement};
use crate::diagnostic::wording::{helped, listed};
use crate::diagnostic::{Diagnostic, SourceRange};

messages! {
    /// `system! { coordinate x; }`
    without_struct: "a system begins with its struct" =>
        "write `struct Name;` or `struct Name { m: Real = 1 }` first";
    /// `potential m*g*y` without its end
    missing_semicolon(word: &str): "this `{word}` does not end" => "write `;` after it";
    /// `#[inline] coordinate x;`
    attribute_of_statement: "only documentation may precede a statement" =>
        "write `/// …`, or move the attribute before the `struct`";
    /// `constraint norm(p) == 1;`, `fn wire(s) [s, 0];`
    expected_sign(sign: &str, usage: &str): "expected `{sign}`" => "write `{usage}`";
    /// `const N = m;`
    const_not_constant: "a `const` must be a number known at compile time" =>
        "write a number, or use `let` for any other expression";
    /// `coordinate 3;`
    expected_name: "expected a name" => "write an identifier, as in `x`";
    /// `coordinate p: Point2;`
    typed_coordinate: "a coordinate of a system is a number" =>
        "write `particle p: Point2 { mass: m }` for a point";
    /// `coordinate angle { mass: 1 };`, `coordinate angle {};`
    coordinate_without_symbol: "a coordinate takes only a `symbol`" =>
        "write `{ symbol: \"θ\" }`, or remove the braces";
    /// `coordinate angle { symbol: theta };`
    symbol_without_quotes: "a symbol is written in quotes" => "write `symbol: \"θ\"`";
    /// `coordinate angle { symbol: "θ + 1" };`
    symbol_unreadable(text: &str): "`{text}` is not a symbol" =>
        "write a letter or a short word, with subscripts if needed, as in `\"θ\"`, `\"θ₁\"` or `\"phi_a\"`";
    /// `coordinate a { symbol: "θ" }, b { symbol: "theta" };`
    symbol_taken(symbol: &str, other: &str): "the symbol `{symbol}` is taken by `{other}`" =>
        "choose another one: readers could not distinguish the two";
    /// `fn wire = …`
    function_without_arguments(name: &str): "the function `{name}` has no arguments" =>
        "write `fn {name}(s) = …;`, or `let {name} = …;` for a name";
    /// `fn f(x) { … }`, `fn f(x) -> T`
    function_with_body: "a function is one expression" => "write `fn name(s) = expression;`";
    /// `fn f(x: f64)`
    typed_argument: "arguments have no types" => "write their names alone, with commas between";
    /// `input u = 3;`
    input_with_value(name: &str): "an input has no default value" =>
        "write `input {name};` and supply its value with `.with_inputs(…)`; for a constant, declare a parameter, `{name}: Real = …`";
    /// `particle a: Point2 { mass: m };`
    semicolon_after_braces: "`;` after the braces" => "remove it";
    /// `for i in 1..8 constraint …`
    for_without_block: "expected the statements to repeat" => "write them in braces";
    /// More than the limit.
    too_large(limit: usize):
        "this is too large: more than {limit} names, numbers and operations would take the compiler 3 GB of memory" =>
        "make the ranges smaller";
    /// A default that is not a number.
    default_not_constant: "a default must be a number" =>
        "write a number, or set the parameter when you construct the system";
    /// `fn f(x) = f(x) + 1;`
    function_not_yet_declared(name: &str): "`{name}` is not declared before this function" =>
        "a function may call the functions declared before it, but not itself";
    /// Calls of functions nested deeper than recursion allows.
    calls_too_deep(depth: usize, limit: usize):
        "with this call the function is {depth} expressions deep after inlining; the limit is {limit}" =>
        "pass the inner value as an argument: `let inner = f(x);`, then `g(inner)`";
    /// `{ mass: 1, mass: 2 }`
    field_twice(field: &str): "`{field}` is given twice" => "remove one";
}

/// `system! {}`
pub fn empty_system() -> Diagnostic {
    helped(
        SourceRange::call_site(),
        "there is no system here",
        "write `struct Name;`, then coordinates or particles",
    )
}

/// `forse bead: [0, 1];`; `statements` are the keywords that begin one.
pub fn expected_statement(
    range: SourceRange,
    found: Option<&str>,
    statements: &[&str],
) -> Diagnostic {
    let message = match found {
        Some(word) => format!("`{word}` does not begin a statement"),
        None => "expected a statement".to_owned(),
    };
    let other = found.and_then(other_statement);
    let help = match (other, found.and_then(|word| closest(word, statements))) {
        (Some(other), _) => other.to_owned(),
        (None, Some(word)) => format!("did you mean `{word}`?"),
        (None, None) => format!("a statement begins with {}", listed(statements, "or")),
    };
    helped(range, message, help)
}

/// `input u: Point2;`
pub fn input_type(range: SourceRange, found: &str) -> Diagnostic {
    let message = match found {
        "" | "[" => "this is not a type of an input".to_owned(),
        _ => format!("`{found}` is not a type of an input"),
    };
    let help = match found {
        "Point2" => "write `Vector2`",
        "Point3" => "write `Vector3`",
        "[" => "write the lengths after the name, as in `u[3]: Vector2`",
        "f32" | "f64" | "T" => "write `Real`, or nothing: an input without a type is a number",
        _ => "an input is `Vector2`, `Vector3`, or a number without a type",
    };
    helped(range, message, help)
}

/// `particle a: Point2 { m: 1 }`
pub fn unknown_field(range: SourceRange, owner: &str, found: &str, known: &[&str]) -> Diagnostic {
    helped(
        range,
        format!("a {owner} has no field `{found}`"),
        format!("write {}", listed(known, "and")),
    )
}
