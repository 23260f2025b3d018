//! Curves: their domain, their points, and the seams between pieces.

use crate::diagnostic::wording::{helped, plain};
use crate::diagnostic::{Diagnostic, SourceRange};

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
    /// `#[joined]`, `#[joined(2)]`
    joined_tolerance(most: f64):
        "`joined` takes one number greater than 0 and no greater than {most}" =>
        "write the largest gap between the pieces, relative to the curve's extent: `#[joined(1e-5)]`";
}

/// `curve! {}`
pub fn empty_curve() -> Diagnostic {
    helped(
        SourceRange::call_site(),
        "there is no curve here",
        "write one, as in `struct Circle; |s in 0..=TAU| [cos(s), sin(s)]`",
    )
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
