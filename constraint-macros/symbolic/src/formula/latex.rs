//! Formulas as LaTeX for mathematics mode (amsmath): `-\frac{m v_{x}^{2} + 50 f_{y}}{x^{2} + 2500}`.

use super::listing::Listing;
use super::name::{applied, greek, numbered, parse, sum_of};
use super::{Branch, Formula, Level, omission, rows_of, signed};
use crate::expr::{CollectVec, Comparison, Function};
use crate::syntax::symbol::{is_digit, plain_digits};

/// A formula.
pub fn expression(formula: &Formula) -> String {
    match formula {
        Formula::Number(digits) => digits.clone(),
        Formula::Symbol(name) => symbol(name),
        Formula::Sum(terms) => signed(terms, "-", at_least),
        Formula::Product(factors) => product(factors),
        Formula::Fraction {
            numerator,
            denominator,
        } => format!(
            r"\frac{{{}}}{{{}}}",
            expression(numerator),
            expression(denominator)
        ),
        Formula::Power { base, exponent } => power(base, exponent),
        Formula::Root {
            degree: 3,
            radicand,
        } => format!(r"\sqrt[3]{{{}}}", expression(radicand)),
        Formula::Root { radicand, .. } => format!(r"\sqrt{{{}}}", expression(radicand)),
        Formula::Absolute(inner) => format!(r"\left|{}\right|", expression(inner)),
        Formula::Call {
            function,
            arguments,
        } => call(*function, "", arguments),
        Formula::Cases {
            branches,
            otherwise,
        } => cases(branches, otherwise),
        Formula::Truth(value) => format!(r"\text{{{value}}}"),
        Formula::Compare(comparison, a, b) => {
            let (a, b) = (at_least(Level::Sum, a), at_least(Level::Sum, b));
            format!("{a} {} {b}", relation(*comparison))
        }
        Formula::And(parts) => connect(parts, r" \land ", Level::And),
        Formula::Or(parts) => connect(parts, r" \lor ", Level::Or),
        Formula::Not(inner) => format!(r"\lnot {}", at_least(Level::Atom, inner)),
        Formula::Range(a, b) => format!(r"{} \ldots {}", expression(a), expression(b)),
        Formula::Omitted => r"\ldots".to_string(),
    }
}

/// A name with its subscripts: `v_a.x` becomes `v_{a,x}`, `omega` becomes `\omega`.
pub fn symbol(name: &str) -> String {
    if let Some((function, arguments, component)) = applied(name) {
        let arguments: Vec<String> = arguments.into_iter().map(symbol).collect_vec();
        let below = match component {
            "" => String::new(),
            component => format!("_{{{}}}", word(component)),
        };
        return format!("{}({}){below}", symbol(function), arguments.join(","));
    }
    if let Some((before, sign, behind)) = sum_of(name) {
        let sign = if sign == '−' { '-' } else { sign };
        return format!("{} {sign} {}", symbol(before), symbol(behind));
    }
    let name = parse(name);
    let base = match name.accent {
        Some(accent) if accent.above => format!("{}{{{}}}", accent.latex, word(name.base)),
        Some(accent) => word(name.base) + accent.latex,
        None => word(name.base),
    };
    if name.subscripts.is_empty() {
        return base;
    }
    // Most are a single letter without a number.
    if let [only] = name.subscripts[..]
        && only.len() == 1
    {
        return format!("{base}_{{{}}}", word(only));
    }
    let below = |(part, number): &(&str, Option<String>)| match number {
        Some(number) => format!("{}_{{{number}}}", word(part)),
        None => word(part),
    };
    let subscripts: Vec<String> = numbered(&name.subscripts).iter().map(below).collect_vec();
    format!("{base}_{{{}}}", subscripts.join(","))
}

/// A matrix in parentheses.
pub fn matrix<R: AsRef<[Formula]>>(rows: &[R]) -> String {
    let row = |row: &R| {
        let cells: Vec<String> = row.as_ref().iter().map(expression).collect_vec();
        cells.join(" & ")
    };
    let rows: Vec<String> = rows.iter().map(row).collect_vec();
    format!(r"\begin{{pmatrix}} {} \end{{pmatrix}}", rows.join(r" \\ "))
}

/// A single formula, or a matrix with this many columns; 0 for a column.
pub fn formula(results: &[Formula], columns: usize) -> String {
    match (columns, results) {
        (0, [single]) => expression(single),
        _ => matrix(&rows_of(results, columns)),
    }
}

/// The results of a listing, then the definitions that they use.
pub fn whole(listing: &Listing, columns: usize) -> String {
    formula(&listing.results, columns) + &meanings(listing)
}

/// The definitions of a listing, for use after the results.
pub fn meanings(listing: &Listing) -> String {
    match &definitions(listing)[..] {
        [] => String::new(),
        definitions => format!(r" \quad\text{{where }} {}", definitions.join(r",\; ")),
    }
}

/// The definitions of a listing as equations, and the number of omitted operations.
pub fn definitions(listing: &Listing) -> Vec<String> {
    let lines = listing.definitions.iter();
    let marker = (listing.omitted > 0).then(|| {
        let words = omission(listing.omitted).replace('…', "");
        format!(r"\ldots\text{{{words}}}")
    });
    lines
        .map(|(name, formula)| format!("{} = {}", symbol(name), expression(formula)))
        .chain(marker)
        .collect_vec()
}

/// A Greek letter, a single letter in italics, a number, or an upright word.
fn word(word: &str) -> String {
    if word.len() == 1 && word != "_" {
        return word.to_owned();
    }
    if let Some((name, _)) = greek(word) {
        return format!(r"\{name}");
    }
    if !word.is_ascii() && word.chars().all(is_digit) {
        return plain_digits(word);
    }
    let plain = word.chars().count() == 1 || word.bytes().all(|b| b.is_ascii_digit());
    match word {
        "∞" => r"\infty".to_string(),
        "…" => r"\ldots".to_string(),
        "_" => r"\_".to_string(),
        // Accented letters need text mode.
        _ if !word.is_ascii() => format!(r"\text{{{}}}", word.replace('_', r"\_")),
        _ if plain => word.to_string(),
        _ => format!(r"\mathrm{{{}}}", word.replace('_', r"\_")),
    }
}

fn at_least(least: Level, formula: &Formula) -> String {
    let text = expression(formula);
    if formula.level() < least {
        bracketed(&text)
    } else {
        text
    }
}

fn bracketed(text: &str) -> String {
    format!(r"\left({text}\right)")
}

fn product(factors: &[Formula]) -> String {
    let mut text = String::new();
    for (index, factor) in factors.iter().enumerate() {
        if index > 0 {
            let apart = factor.is_word() || factors[index - 1].is_word();
            text.push_str(if factor.starts_with_digit() {
                r" \cdot "
            } else if apart {
                r" \, "
            } else {
                " "
            });
        }
        text.push_str(&at_least(Level::Fraction, factor));
    }
    text
}

/// sin(x)² is written sin² x by convention.
fn power(base: &Formula, exponent: &Formula) -> String {
    let raised = format!("^{{{}}}", expression(exponent));
    match base {
        Formula::Call {
            function,
            arguments,
        } if matches!(exponent.as_whole(), Some((false, _))) => call(*function, &raised, arguments),
        Formula::Root { .. } | Formula::Call { .. } => bracketed(&expression(base)) + &raised,
        _ => at_least(Level::Atom, base) + &raised,
    }
}

fn call(function: Function, raised: &str, arguments: &[Formula]) -> String {
    let arguments: Vec<String> = arguments.iter().map(expression).collect_vec();
    let arguments = bracketed(&arguments.join(", "));
    format!("{}{raised}{arguments}", function.row().latex)
}

fn relation(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Lt => "<",
        Comparison::Le => r"\le",
        Comparison::Gt => ">",
        Comparison::Ge => r"\ge",
        Comparison::Eq => "=",
    }
}

fn cases(branches: &[Branch], otherwise: &Formula) -> String {
    let mut text = String::from(r"\begin{cases} ");
    for branch in branches {
        let (value, condition) = (expression(&branch.value), expression(&branch.condition));
        text.push_str(&format!(r"{value} & \text{{if }} {condition} \\ "));
    }
    let otherwise = expression(otherwise);
    text.push_str(&format!(r"{otherwise} & \text{{otherwise}} \end{{cases}}"));
    text
}

fn connect(parts: &[Formula], sign: &str, own: Level) -> String {
    let parts: Vec<String> = parts.iter().map(|part| at_least(own, part)).collect_vec();
    parts.join(sign)
}
