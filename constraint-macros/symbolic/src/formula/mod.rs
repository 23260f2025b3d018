//! A formula as a mathematician writes it: the tree that all renderers share.
//!
//! Invariant: a tree is small and shallow, because [`list`](listing::list) cuts shared and large
//! expressions into definitions; the renderers may therefore recurse.

mod equation;
mod joined;
pub mod latex;
pub mod listing;
pub mod mathml;
mod name;
pub mod printed;
mod reading;
mod statement;
pub mod text;

pub use equation::{Equation, equation};
pub use joined::{Form, readable};
pub use statement::Statement;

use crate::expr::{CollectVec, Comparison, Function};

/// A formula. Renderers decide about brackets and spelling, never about mathematics.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// Digits, possibly with a decimal point: `100`, `9.81`.
    Number(String),
    /// A leaf or the name of a definition: `x`, `v_x`, `d.x`.
    Symbol(String),
    /// Terms with their signs; a single negative term is a negation.
    Sum(Vec<Term>),
    /// Factors of a product.
    Product(Vec<Formula>),
    /// A quotient.
    Fraction {
        /// Above the bar.
        numerator: Box<Formula>,
        /// Below the bar.
        denominator: Box<Formula>,
    },
    /// baseᵉ
    Power {
        /// The base.
        base: Box<Formula>,
        /// The exponent.
        exponent: Box<Formula>,
    },
    /// √ or ∛.
    Root {
        /// 2 or 3.
        degree: u32,
        /// The number under the root.
        radicand: Box<Formula>,
    },
    /// |a|
    Absolute(Box<Formula>),
    /// f(a, b)
    Call {
        /// The function.
        function: Function,
        /// Its arguments.
        arguments: Vec<Formula>,
    },
    /// The value of the first branch whose condition holds.
    Cases {
        /// Conditions with their values, in order.
        branches: Vec<Branch>,
        /// The value if no condition holds.
        otherwise: Box<Formula>,
    },
    /// A boolean constant.
    Truth(bool),
    /// A relation between two formulas.
    Compare(Comparison, Box<Formula>, Box<Formula>),
    /// All of the conditions.
    And(Vec<Formula>),
    /// Any of the conditions.
    Or(Vec<Formula>),
    /// The opposite condition.
    Not(Box<Formula>),
    /// An interval that includes its ends.
    Range(Box<Formula>, Box<Formula>),
    /// A part that was omitted for its size.
    Omitted,
}

/// A term of a sum.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// Whether the term is subtracted.
    pub negative: bool,
    /// The term without its sign.
    pub formula: Formula,
}

/// A branch of [`Formula::Cases`].
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// The condition of the branch.
    pub condition: Formula,
    /// Its value.
    pub value: Formula,
}

/// Precedence of the outermost operation of a formula, loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Cases,
    Or,
    And,
    Not,
    Compare,
    Sum,
    Fraction,
    Product,
    Power,
    Atom,
}

impl Formula {
    /// A whole number.
    fn whole(value: impl std::fmt::Display) -> Formula {
        Formula::Number(value.to_string())
    }

    /// numerator/denominator
    fn fraction(numerator: Formula, denominator: Formula) -> Formula {
        Formula::Fraction {
            numerator: Box::new(numerator),
            denominator: Box::new(denominator),
        }
    }

    /// baseᵉ, with b¹ = b.
    fn power(base: Formula, exponent: Formula) -> Formula {
        if exponent.as_whole() == Some((false, "1")) {
            return base;
        }
        Formula::Power {
            base: Box::new(base),
            exponent: Box::new(exponent),
        }
    }

    /// −formula
    fn negative(formula: Formula) -> Formula {
        Formula::Sum(vec![Term {
            negative: true,
            formula,
        }])
    }

    /// The precedence of the outermost operation.
    fn level(&self) -> Level {
        match self {
            Formula::Cases { .. } => Level::Cases,
            Formula::Or(_) => Level::Or,
            Formula::And(_) => Level::And,
            Formula::Not(_) => Level::Not,
            Formula::Compare(..) | Formula::Range(..) => Level::Compare,
            Formula::Sum(_) => Level::Sum,
            Formula::Fraction { .. } => Level::Fraction,
            Formula::Product(_) => Level::Product,
            Formula::Power { .. } => Level::Power,
            _ => Level::Atom,
        }
    }

    /// Whether its first character is a digit, which must not follow a number directly.
    fn starts_with_digit(&self) -> bool {
        match self {
            Formula::Number(_) => true,
            Formula::Power { base, .. } => matches!(**base, Formula::Number(_)),
            Formula::Fraction { numerator, .. } => numerator.starts_with_digit(),
            _ => false,
        }
    }

    /// Whether it is a word, possibly with an exponent, which must not touch an adjacent letter.
    fn is_word(&self) -> bool {
        match self {
            Formula::Symbol(name) => name::is_word(name),
            Formula::Power { base, .. } => base.is_word(),
            _ => false,
        }
    }

    /// The digits of a whole number with its sign (true for negative); `None` for other formulas.
    fn as_whole(&self) -> Option<(bool, &str)> {
        match self {
            Formula::Number(digits) if digits.bytes().all(|b| b.is_ascii_digit()) => {
                Some((false, digits))
            }
            Formula::Sum(terms) => match &terms[..] {
                [term] if term.negative => {
                    term.formula.as_whole().map(|(_, digits)| (true, digits))
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// The sign of a relation.
fn relation(comparison: Comparison) -> char {
    match comparison {
        Comparison::Lt => '<',
        Comparison::Le => '≤',
        Comparison::Gt => '>',
        Comparison::Ge => '≥',
        Comparison::Eq => '=',
    }
}

/// A sum on one line.
fn signed(terms: &[Term], minus: &str, at_least: fn(Level, &Formula) -> String) -> String {
    let term = |(index, term): (usize, &Term)| {
        let sign = match (index, term.negative) {
            (0, false) => String::new(),
            (0, true) => minus.to_owned(),
            (_, false) => " + ".to_owned(),
            (_, true) => format!(" {minus} "),
        };
        sign + &at_least(Level::Fraction, &term.formula)
    };
    terms.iter().enumerate().map(term).collect()
}

/// The rows of a matrix with this many columns.
fn rows_of(results: &[Formula], columns: usize) -> Vec<&[Formula]> {
    results.chunks(columns.max(1)).collect_vec()
}

/// The last line of a listing with omitted operations.
fn omission(operations: usize) -> String {
    match operations {
        1 => "… (1 more operation)".to_string(),
        n => format!("… ({n} more operations)"),
    }
}
