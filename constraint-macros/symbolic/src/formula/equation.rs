//! An equation `symbol = formula`, in every language of formulas.

use super::{Formula, latex, mathml, text};
use crate::expr::CollectVec;

/// `symbol = results` or `symbol = factor results`, without the definitions that they use.
#[derive(Clone, Debug)]
pub struct Equation {
    /// The left-hand side.
    pub symbol: String,
    /// The right-hand side as text.
    pub formula: String,
    /// Symbol of a matrix that multiplies the right-hand side from the left.
    factor: Option<String>,
    /// The entries of the right-hand side.
    results: Vec<Formula>,
    /// Number of columns if the results are a matrix; 0 for a column, printed as a plain formula if it has one row.
    columns: usize,
}

impl Equation {
    /// `symbol = results`, with this many columns; 0 for a column, printed as a plain formula if it has one row.
    pub fn new(symbol: String, results: Vec<Formula>, columns: usize) -> Equation {
        Equation {
            symbol,
            formula: text::formula(&results, columns),
            factor: None,
            results,
            columns,
        }
    }

    /// The same with the symbol of a matrix before the right-hand side.
    pub fn times(self, factor: String) -> Equation {
        Equation {
            formula: format!("{factor} {}", self.formula),
            factor: Some(factor),
            ..self
        }
    }

    /// The same on one line of text: `[x, y]`.
    pub fn listed(self) -> Equation {
        let each: Vec<String> = self.results.iter().map(text::expression).collect_vec();
        Equation {
            formula: format!("[{}]", each.join(", ")),
            columns: self.results.len(),
            ..self
        }
    }

    /// `C = …`; rows of a matrix on separate lines.
    pub fn text(&self) -> String {
        equation(&self.symbol, &self.formula)
    }

    /// The right-hand side as LaTeX.
    pub fn latex_formula(&self) -> String {
        let factor = self.factor.iter();
        let factor = factor.map(|factor| latex::symbol(factor) + " ");
        factor.collect::<String>() + &latex::formula(&self.results, self.columns)
    }

    /// As LaTeX.
    pub fn latex(&self) -> String {
        format!("{} = {}", latex::symbol(&self.symbol), self.latex_formula())
    }

    /// As a block of MathML.
    pub fn mathml(&self) -> String {
        let factor = self.factor.iter().map(|factor| mathml::symbol(factor));
        let formula = factor.collect::<String>() + &mathml::formula(&self.results, self.columns);
        mathml::equation(&mathml::symbol(&self.symbol), &formula)
    }
}

/// `symbol = formula`; the rows of a matrix are aligned, definitions are indented by four spaces.
pub fn equation(symbol: &str, formula: &str) -> String {
    let width = symbol.chars().filter(|c| !is_mark(*c)).count() + " = ".len();
    let mut text = format!("{symbol} = ");
    for (i, line) in formula.lines().enumerate() {
        let indent = match i {
            0 => 0,
            _ if line.starts_with("( ") => width,
            _ => 4,
        };
        if i > 0 {
            text.push('\n');
        }
        text += &" ".repeat(indent);
        text += line;
    }
    text
}

/// Whether a character is a mark on the one before it.
fn is_mark(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}
