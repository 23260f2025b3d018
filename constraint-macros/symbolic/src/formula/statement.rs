//! The formulas or words for one quantity, in every language of formulas.

use super::listing::Listing;
use super::{Equation, latex, mathml, text};
use crate::expr::CollectVec;

/// A formula, several, or words.
#[derive(Clone, Debug, Default)]
pub enum Statement {
    /// Neither: only the cost is printed.
    #[default]
    Nothing,
    /// Words.
    Words(String),
    /// The right-hand side of an equation, with the definitions that it uses.
    Formula(Equation, Listing),
    /// Equations with the definitions that they use.
    Equations(Vec<Equation>, Listing),
    /// Separate equations, each with its own definitions; the string is the sign, `=` or a colon, between the quantity's
    /// symbol and the equations.
    Lines(&'static str, Vec<(Equation, Listing)>),
}

impl Statement {
    /// Plain text with definitions on separate lines.
    pub fn text(&self) -> String {
        match self {
            Statement::Nothing => String::new(),
            Statement::Words(words) => words.clone(),
            Statement::Formula(equation, listing) => {
                equation.formula.clone() + &text::meanings(listing)
            }
            Statement::Equations(equations, listing) => {
                let equations: Vec<String> = equations.iter().map(Equation::text).collect_vec();
                let meanings = text::meanings(listing).replace('\n', "\n    ");
                equations.join("\n") + &meanings
            }
            Statement::Lines(sign, lines) => {
                let line = |(equation, listing): &(Equation, Listing)| {
                    let formula = equation.formula.clone() + &text::meanings(listing);
                    let formula = formula.replace('\n', "\n    ");
                    format!("{}{sign} {formula}", equation.symbol)
                };
                lines.iter().map(line).collect_vec().join("\n")
            }
        }
    }

    /// LaTeX for mathematics mode; empty if there are no formulas.
    pub fn latex(&self) -> String {
        match self {
            Statement::Nothing | Statement::Words(_) => String::new(),
            Statement::Formula(equation, listing) => {
                equation.latex_formula() + &latex::meanings(listing)
            }
            Statement::Equations(equations, listing) => {
                let equations: Vec<String> = equations.iter().map(Equation::latex).collect_vec();
                equations.join(r",\; ") + &latex::meanings(listing)
            }
            Statement::Lines(sign, lines) => {
                let line = |(equation, listing): &(Equation, Listing)| {
                    let symbol = latex::symbol(&equation.symbol);
                    let formula = equation.latex_formula() + &latex::meanings(listing);
                    format!("{symbol} &{} {formula}", sign.trim_start())
                };
                let lines: Vec<String> = lines.iter().map(line).collect_vec();
                format!(r"\begin{{aligned}} {} \end{{aligned}}", lines.join(r" \\ "))
            }
        }
    }

    /// Equations as LaTeX with their left-hand sides, then the definitions that they use; empty if there are no
    /// formulas.
    pub fn latex_lines(&self) -> Vec<String> {
        self.lines(Equation::latex, latex::definitions)
    }

    /// Blocks of MathML with left-hand sides; empty if there are no formulas.
    pub fn mathml(&self) -> Vec<String> {
        self.lines(Equation::mathml, mathml::definitions)
    }

    fn lines(
        &self,
        equation: fn(&Equation) -> String,
        definitions: fn(&Listing) -> Vec<String>,
    ) -> Vec<String> {
        let all = |equations: &[Equation], listing: &Listing| -> Vec<String> {
            let equations = equations.iter().map(equation);
            equations.chain(definitions(listing)).collect_vec()
        };
        match self {
            Statement::Nothing | Statement::Words(_) => Vec::new(),
            Statement::Formula(one, listing) => all(std::slice::from_ref(one), listing),
            Statement::Equations(equations, listing) => all(equations, listing),
            Statement::Lines(_, lines) => {
                let lines = lines.iter();
                let lines =
                    lines.flat_map(|(one, listing)| all(std::slice::from_ref(one), listing));
                lines.collect_vec()
            }
        }
    }
}
