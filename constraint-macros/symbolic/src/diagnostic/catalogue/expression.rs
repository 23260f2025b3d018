//! Operators, numbers, blocks and lists.

use crate::diagnostic::wording::{helped, plain};
use crate::diagnostic::{Diagnostic, SourceRange};

messages! {
    /// An operator in the place of an operand.
    operator_without_operand(sign: &str): "`{sign}` has nothing on its left";
    /// `+x`
    unary_plus: "`+` has nothing on its left" => "remove it";
    /// `x**2`
    double_star: "`**` is not an operator" => "write `^` for a power";
    /// `x = 1`
    single_equals: "`=` is not a relation" => "write `==`";
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

/// Where relations are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In an `if`, or anywhere else where no row can be.
    Condition,
    /// A row of `constraint!`.
    Row,
    /// A `constraint` of `system!`.
    Constraint,
}

impl Place {
    /// The help for relations that hold together, by context.
    pub(super) fn together(self, equalities: bool) -> &'static str {
        match (self, equalities) {
            (Place::Condition, true) => "combine two with `&&`, as in `a == b && b == c`",
            (Place::Condition, false) => "combine two with `&&`, as in `a < b && b < c`",
            (_, true) => "write one row for each, as in `[a == b, b == c]`",
            (Place::Row, false) => "write one row for each, as in `[a <= b, b <= c]`",
            (Place::Constraint, false) => {
                "write a statement for each, as in `constraint low: a <= b;` and `constraint high: b <= c;`"
            }
        }
    }
}

/// `a == b == c`, `0 <= a <= 1`
pub fn chained_comparison(range: SourceRange, equalities: bool, place: Place) -> Diagnostic {
    helped(
        range,
        "relations cannot be chained",
        place.together(equalities),
    )
}

/// `x != 1`
pub fn not_equal(range: SourceRange, row: bool) -> Diagnostic {
    let help = if row {
        "write `==`; to keep to one side, write `>=` or `<=`"
    } else {
        "write `!(a == b)`"
    };
    helped(range, "`!=` is not a relation", help)
}

/// `0,5`, by its parts; `None` unless digits are on both sides of the comma.
pub fn decimal_comma(range: SourceRange, whole: &str, fraction: &str) -> Option<Diagnostic> {
    let is_digit = |c: char| c.is_ascii_digit();
    let digits = fraction.strip_suffix(fraction.trim_start_matches(is_digit))?;
    let is_number = !digits.is_empty() && whole.chars().all(is_digit);
    is_number.then(|| {
        let help = format!("write `{whole}.{digits}`");
        helped(range, "the decimal mark is a point", help)
    })
}

/// A string, a character, …
pub fn not_a_number(range: SourceRange, text: &str) -> Diagnostic {
    match text.chars().count() {
        0..=30 => plain(range, format!("`{text}` is not a number")),
        _ => plain(range, "this is not a number"),
    }
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
