//! A derivation as a page: formulas in MathML, which browsers render without a library.

use super::words::{self, entities as escaped};
use super::{Explanation, Step};
use crate::formula::mathml;

const STYLE: &str = include_str!("page.css");

/// A whole page, without external resources.
pub fn page(content: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Derivation</title>\n<style>\n{STYLE}{}</style>\n</head>\n<body>\n<main>\n{content}</main>\n</body>\n</html>\n",
        mathml::STYLE
    )
}

/// A section.
pub fn section(explanation: &Explanation) -> String {
    let steps: String = explanation.steps.iter().map(step).collect();
    let counted = explanation.counted.iter();
    let row = |name: &str, symbol: &str, cost: &str| {
        format!(
            "<tr><td><code>{}</code></td><td>{}</td><td>{cost}</td></tr>\n",
            escaped(name),
            escaped(symbol)
        )
    };
    let rows: String = counted
        .map(|it| row(it.name, &it.symbol, &it.cost.to_string()))
        .collect();
    let counted = if rows.is_empty() {
        rows
    } else {
        format!("<h2>Other functions, cost only</h2>\n<table>\n{rows}</table>\n")
    };
    format!(
        "<h1>{}</h1>\n<ol>\n{steps}</ol>\n{counted}",
        escaped(&explanation.title)
    )
}

fn step(step: &Step) -> String {
    let rule = match step.rule.text {
        "" => String::new(),
        text => format!(" <span class=\"rule\">{}</span>", escaped(text)),
    };
    let content = match step.words() {
        Some(words) => format!("<p>{}.</p>\n", escaped(words)),
        None => step.entry.statement.mathml().join("\n") + "\n",
    };
    let prose = match &step.prose()[..] {
        "" => String::new(),
        prose => format!("<p>{}</p>\n", words::html(prose)),
    };
    let cost = step.cost();
    let cost = cost.map(|cost| format!("<p class=\"cost\">{cost}</p>\n"));
    format!(
        "<li>\n<h2>{}{rule}</h2>\n{prose}{content}{}</li>\n",
        escaped(step.rule.title),
        cost.unwrap_or_default()
    )
}
