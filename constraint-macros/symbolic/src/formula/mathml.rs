//! Formulas as presentation MathML, which browsers render without a library.
//!
//! [`expression`], [`symbol`] and [`matrix`] return one element each; [`equation`] joins two of them into
//! a block on one line of a doc comment, inside which Markdown is not parsed.

use super::listing::Listing;
use super::name::{applied, greek, numbered, parse, sum_of};
use super::{Branch, Formula, Level, Term, omission, relation, rows_of};
use crate::expr::{CollectVec, Function};
use crate::syntax::symbol::{is_digit, plain_digits};

/// Draws brackets around tall contents as borders, because operators stretch only in mathematical fonts.
pub const STYLE: &str = include_str!("mathml.css");

/// A formula as one element.
pub fn expression(formula: &Formula) -> String {
    match formula {
        Formula::Number(digits) => number(digits),
        Formula::Symbol(name) => symbol(name),
        Formula::Sum(terms) => sum(terms),
        Formula::Product(factors) => product(factors),
        Formula::Fraction {
            numerator,
            denominator,
        } => element("mfrac", &(expression(numerator) + &expression(denominator))),
        Formula::Power { base, exponent } => power(base, exponent),
        Formula::Root {
            degree: 3,
            radicand,
        } => element("mroot", &(expression(radicand) + &number("3"))),
        Formula::Root { radicand, .. } => element("msqrt", &expression(radicand)),
        Formula::Absolute(inner) => fenced("|", &expression(inner), "|"),
        Formula::Call {
            function,
            arguments,
        } => call(function_name(*function), arguments),
        Formula::Cases {
            branches,
            otherwise,
        } => cases(branches, otherwise),
        Formula::Truth(value) => text(&value.to_string()),
        Formula::Compare(comparison, a, b) => {
            let sign = operator(&relation(*comparison).to_string());
            row(&[at_least(Level::Sum, a), sign, at_least(Level::Sum, b)].concat())
        }
        Formula::And(parts) => connect(parts, "∧", Level::And),
        Formula::Or(parts) => connect(parts, "∨", Level::Or),
        Formula::Not(inner) => row(&(operator("¬") + &at_least(Level::Atom, inner))),
        Formula::Range(a, b) => row(&[expression(a), operator("…"), expression(b)].concat()),
        Formula::Omitted => operator("…"),
    }
}

/// A name with its subscripts as one element.
pub fn symbol(name: &str) -> String {
    if let Some((function, arguments, component)) = applied(name) {
        let arguments: Vec<String> = arguments.into_iter().map(symbol).collect_vec();
        let arguments = fenced("(", &arguments.join(&operator(",")), ")");
        let whole = row(&(symbol(function) + &arguments));
        return match component {
            "" => whole,
            component => element("msub", &(whole + &word(component))),
        };
    }
    if let Some((before, sign, behind)) = sum_of(name) {
        let sign = operator(sign.encode_utf8(&mut [0; 4]));
        return row(&(symbol(before) + &sign + &symbol(behind)));
    }
    let name = parse(name);
    let base = match name.accent {
        Some(accent) if accent.above => over(&word(name.base), accent.sign),
        Some(accent) => element("msup", &(word(name.base) + &operator(accent.sign))),
        None => word(name.base),
    };
    if name.subscripts.is_empty() {
        return base;
    }
    let below = |(part, number): &(&str, Option<String>)| match number {
        Some(digits) => element("msub", &(word(part) + &self::number(digits))),
        None => word(part),
    };
    let subscripts: Vec<String> = numbered(&name.subscripts).iter().map(below).collect_vec();
    let subscripts = match &subscripts[..] {
        [only] => only.clone(),
        several => row(&several.join(&operator(","))),
    };
    element("msub", &(base + &subscripts))
}

/// A matrix in parentheses as one element.
pub fn matrix<R: AsRef<[Formula]>>(rows: &[R]) -> String {
    let cell = |cell: &Formula| element("mtd", &expression(cell));
    let cells = |row: &R| row.as_ref().iter().map(cell).collect::<String>();
    let rows: String = rows.iter().map(|row| element("mtr", &cells(row))).collect();
    fenced("(", &element("mtable", &rows), ")")
}

/// A single formula, or a matrix with this many columns; 0 for a column.
pub fn formula(results: &[Formula], columns: usize) -> String {
    match (columns, results) {
        (0, [single]) => expression(single),
        _ => matrix(&rows_of(results, columns)),
    }
}

/// The block `left = right` on one line; both sides are elements.
pub fn equation(left: &str, right: &str) -> String {
    block(&row(&[left, &operator("="), right].concat()))
}

/// The definitions of a listing as blocks, and the number of omitted operations.
pub fn definitions(listing: &Listing) -> Vec<String> {
    let lines = listing.definitions.iter();
    let marker = (listing.omitted > 0).then(|| block(&text(&omission(listing.omitted))));
    lines
        .map(|(name, formula)| equation(&symbol(name), &expression(formula)))
        .chain(marker)
        .collect_vec()
}

/// A `div`, because Markdown is parsed inside unknown tags such as `math` but not inside a `div`. Fractions of adjacent
/// blocks do not touch, and each long block scrolls separately.
fn block(content: &str) -> String {
    format!(
        r#"<div style="margin: 0.5em 0; padding: 0.25em 0; overflow: auto hidden"><math display="block">{content}</math></div>"#
    )
}

/// A letter with a mark above it.
fn over(letter: &str, mark: &str) -> String {
    format!(r#"<mover accent="true">{letter}{}</mover>"#, operator(mark))
}

fn element(tag: &str, content: &str) -> String {
    format!("<{tag}>{content}</{tag}>")
}

fn row(content: &str) -> String {
    element("mrow", content)
}

fn number(digits: &str) -> String {
    element("mn", &escape(digits))
}

fn operator(sign: &str) -> String {
    element("mo", &escape(sign))
}

fn text(words: &str) -> String {
    element("mtext", &escape(words))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

fn fenced(open: &str, content: &str, close: &str) -> String {
    let fenced = [&operator(open), content, &operator(close)].concat();
    if !["<mfrac>", "<mtable>"]
        .iter()
        .any(|it| content.contains(it))
    {
        return row(&fenced);
    }
    let class = if open == "(" { "tall paren" } else { "tall" };
    format!(r#"<mrow class="{class}">{fenced}</mrow>"#)
}

fn word(word: &str) -> String {
    if word.chars().all(is_digit) {
        return number(&plain_digits(word));
    }
    match greek(word) {
        Some((_, letter)) => element("mi", &letter.to_string()),
        None => element("mi", &escape(word)),
    }
}

fn at_least(least: Level, formula: &Formula) -> String {
    let content = expression(formula);
    if formula.level() < least {
        fenced("(", &content, ")")
    } else {
        content
    }
}

fn sum(terms: &[Term]) -> String {
    let mut content = String::new();
    for (index, term) in terms.iter().enumerate() {
        match (index, term.negative) {
            (0, false) => {}
            (_, false) => content.push_str(&operator("+")),
            (_, true) => content.push_str(&operator("−")),
        }
        content.push_str(&at_least(Level::Fraction, &term.formula));
    }
    row(&content)
}

fn product(factors: &[Formula]) -> String {
    let mut content = String::new();
    for (index, factor) in factors.iter().enumerate() {
        if index > 0 {
            // U+2062, the invisible times, adds space around factors of several letters.
            let apart = is_long(factor) || is_long(&factors[index - 1]);
            content.push_str(&if factor.starts_with_digit() {
                operator("·")
            } else if apart {
                "<mo lspace=\"0.17em\" rspace=\"0\">\u{2062}</mo>".to_owned()
            } else {
                operator("\u{2062}")
            });
        }
        content.push_str(&at_least(Level::Fraction, factor));
    }
    row(&content)
}

/// Whether a factor is a word or the name of a function.
fn is_long(factor: &Formula) -> bool {
    match factor {
        Formula::Call { .. } => true,
        Formula::Power { base, .. } => is_long(base),
        _ => factor.is_word(),
    }
}

/// sin(x)² is written sin² x by convention.
fn power(base: &Formula, exponent: &Formula) -> String {
    let raised = |base: String| element("msup", &(base + &expression(exponent)));
    match base {
        Formula::Call {
            function,
            arguments,
        } if matches!(exponent.as_whole(), Some((false, _))) => {
            call(raised(function_name(*function)), arguments)
        }
        Formula::Root { .. } | Formula::Call { .. } => raised(fenced("(", &expression(base), ")")),
        Formula::Symbol(name) => raised_symbol(&symbol(name), &expression(exponent)),
        _ => raised(at_least(Level::Atom, base)),
    }
}

/// Places an exponent above the subscript of a name, not after it.
fn raised_symbol(symbol: &str, exponent: &str) -> String {
    let subscripted = symbol.strip_prefix("<msub>");
    match subscripted.and_then(|inside| inside.strip_suffix("</msub>")) {
        Some(inside) => element("msubsup", &format!("{inside}{exponent}")),
        None => element("msup", &format!("{symbol}{exponent}")),
    }
}

fn call(name: String, arguments: &[Formula]) -> String {
    let arguments: Vec<String> = arguments.iter().map(expression).collect_vec();
    // U+2061 is the application of a function.
    let apply = operator("\u{2061}");
    row(&[
        name,
        apply,
        fenced("(", &arguments.join(&operator(",")), ")"),
    ]
    .concat())
}

/// From the LaTeX command: `\log_{10}` is log with the subscript 10, `\operatorname{sgn}` is sgn.
fn function_name(function: Function) -> String {
    let plain = function.row().latex.replace(r"\operatorname", "");
    let plain = plain.replace(['\\', '{', '}'], "");
    match plain.split_once('_') {
        Some((name, below)) => element("msub", &(element("mi", &escape(name)) + &word(below))),
        None => element("mi", &escape(&plain)),
    }
}

fn cases(branches: &[Branch], otherwise: &Formula) -> String {
    let line = |value: &Formula, condition: &str| {
        let cells = element("mtd", &expression(value)) + &element("mtd", condition);
        element("mtr", &cells)
    };
    let mut lines: String = branches
        .iter()
        .map(|branch| {
            line(
                &branch.value,
                &(text("if\u{a0}") + &expression(&branch.condition)),
            )
        })
        .collect();
    lines.push_str(&line(otherwise, &text("otherwise")));
    let cases = operator("{") + &element("mtable", &lines);
    format!(r#"<mrow class="cases">{cases}</mrow>"#)
}

fn connect(parts: &[Formula], sign: &str, own: Level) -> String {
    let parts: Vec<String> = parts.iter().map(|part| at_least(own, part)).collect_vec();
    row(&parts.join(&operator(sign)))
}
