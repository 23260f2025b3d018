//! Formulas as plain text with Unicode superscripts: `−(m v_x² + 50 f_y)/(x² + 2500)`.
//!
//! A space multiplies and binds tighter than `/`, which appears at most once in a term; `·` separates
//! numbers. Brackets are used only if omitting them would change the meaning.

use super::listing::Listing;
use super::{Branch, Formula, Level, omission, relation, rows_of, signed};
use crate::expr::CollectVec;

/// A formula on one line.
pub fn expression(formula: &Formula) -> String {
    match formula {
        Formula::Number(text) | Formula::Symbol(text) => text.clone(),
        Formula::Sum(terms) => signed(terms, "−", at_least),
        Formula::Product(factors) => product(factors),
        Formula::Fraction {
            numerator,
            denominator,
        } => fraction(numerator, denominator),
        Formula::Power { base, exponent } => power(base, exponent),
        Formula::Root { degree, radicand } => {
            let sign = if *degree == 3 { '∛' } else { '√' };
            format!("{sign}({})", expression(radicand))
        }
        Formula::Absolute(inner) => absolute(&expression(inner)),
        Formula::Call {
            function,
            arguments,
        } => {
            let arguments: Vec<String> = arguments.iter().map(expression).collect_vec();
            format!("{}({})", function.row().name, arguments.join(", "))
        }
        Formula::Cases {
            branches,
            otherwise,
        } => cases(branches, otherwise),
        Formula::Truth(value) => value.to_string(),
        Formula::Compare(comparison, a, b) => {
            let (a, b) = (at_least(Level::Sum, a), at_least(Level::Sum, b));
            format!("{a} {} {b}", relation(*comparison))
        }
        Formula::And(parts) => connect(parts, " and ", Level::And),
        Formula::Or(parts) => connect(parts, " or ", Level::Or),
        Formula::Not(inner) => format!("not {}", at_least(Level::Atom, inner)),
        Formula::Range(a, b) => format!("{} ..= {}", expression(a), expression(b)),
        Formula::Omitted => "…".to_string(),
    }
}

/// A matrix, one line per row: `( 2 x   100 )`.
pub fn matrix<R: AsRef<[Formula]>>(rows: &[R]) -> String {
    let cells = rows.iter().map(|row| row.as_ref().iter().map(expression));
    let mut cells: Vec<Vec<String>> = cells.map(Iterator::collect).collect_vec();
    if cells.len() > 1 {
        align(&mut cells);
    }
    let lines = cells.iter().map(|row| format!("( {} )", row.join("   ")));
    lines.collect_vec().join("\n")
}

/// Pads the cells of each column to one width.
fn align(rows: &mut [Vec<String>]) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |cell: &String| cell.chars().count();
    for column in 0..columns {
        let cells = rows.iter().filter_map(|row| row.get(column));
        let widest = cells.map(width).max().unwrap_or(0);
        for cell in rows.iter_mut().filter_map(|row| row.get_mut(column)) {
            let missing = widest - width(cell);
            cell.push_str(&" ".repeat(missing));
        }
    }
}

/// A single formula, or a matrix with this many columns; 0 for a column.
pub fn formula(results: &[Formula], columns: usize) -> String {
    match (columns, results) {
        (0, [single]) => expression(single),
        _ => matrix(&rows_of(results, columns)),
    }
}

/// The results of a listing, then the definitions that they use on separate lines.
pub fn whole(listing: &Listing, columns: usize) -> String {
    formula(&listing.results, columns) + &meanings(listing)
}

/// The definitions of a listing on separate lines, for use after the results.
pub fn meanings(listing: &Listing) -> String {
    let lines = definitions(listing).into_iter().enumerate();
    let line = |(i, line)| match i {
        0 => format!("\nwhere {line}"),
        _ => format!("\n      {line}"),
    };
    lines.map(line).collect()
}

/// The definitions of a listing, one per line, and the number of omitted operations.
pub fn definitions(listing: &Listing) -> Vec<String> {
    let lines = listing.definitions.iter();
    let marker = (listing.omitted > 0).then(|| omission(listing.omitted));
    lines
        .map(|(name, formula)| format!("{name} = {}", expression(formula)))
        .chain(marker)
        .collect_vec()
}

/// Cases have their own braces.
fn level(formula: &Formula) -> Level {
    match formula.level() {
        Level::Cases => Level::Atom,
        level => level,
    }
}

/// The formula, in brackets if it binds more loosely than `least`.
fn at_least(least: Level, formula: &Formula) -> String {
    if level(formula) < least {
        format!("({})", expression(formula))
    } else {
        expression(formula)
    }
}

fn product(factors: &[Formula]) -> String {
    let mut text = String::new();
    for (index, factor) in factors.iter().enumerate() {
        let factor = at_least(Level::Power, factor);
        if index > 0 {
            let dotted = factor.as_bytes().first().is_some_and(u8::is_ascii_digit);
            text.push(if dotted { '·' } else { ' ' });
        }
        text.push_str(&factor);
    }
    text
}

fn fraction(numerator: &Formula, denominator: &Formula) -> String {
    let (above, below) = (
        at_least(Level::Product, numerator),
        at_least(Level::Power, denominator),
    );
    format!("{above}/{below}")
}

fn power(base: &Formula, exponent: &Formula) -> String {
    let base = at_least(Level::Atom, base);
    match exponent.as_whole() {
        Some((negative, digits)) => {
            let sign = if negative { "⁻" } else { "" };
            let raised: String = digits.chars().map(superscript).collect();
            format!("{base}{sign}{raised}")
        }
        None => format!("{base}^{}", at_least(Level::Atom, exponent)),
    }
}

fn superscript(digit: char) -> char {
    match digit {
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        other => other,
    }
}

/// Nested bars would be illegible.
fn absolute(inner: &str) -> String {
    if inner.contains('|') {
        format!("abs({inner})")
    } else {
        format!("|{inner}|")
    }
}

fn cases(branches: &[Branch], otherwise: &Formula) -> String {
    let mut text = String::from("{ ");
    for branch in branches {
        let (value, condition) = (expression(&branch.value), expression(&branch.condition));
        text.push_str(&format!("{value} if {condition}, "));
    }
    text.push_str(&format!("{} otherwise }}", expression(otherwise)));
    text
}

fn connect(parts: &[Formula], word: &str, own: Level) -> String {
    let parts: Vec<String> = parts.iter().map(|part| at_least(own, part)).collect_vec();
    parts.join(word)
}
