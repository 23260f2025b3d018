//! A derivation as steps, each with its rule, as a document in several languages.
//!
//! What is said is that of [`Entry`]: the same that the generated type's `DERIVATION` holds.

pub mod html;
mod lagrange;
pub mod latex;
pub mod markdown;
mod rules;
pub mod text;

pub use self::rules::{Rule, rule};
use crate::call::Derived;
use crate::formula::Statement;
use crate::function::Entry;

/// What follows from one call.
#[derive(Debug)]
pub struct Explanation {
    /// `system Rods`
    pub title: String,
    /// What is said, in the order of the theory.
    pub steps: Vec<Step>,
    /// What is only counted.
    pub counted: Vec<Entry>,
}

/// One thing that follows.
#[derive(Debug)]
pub struct Step {
    /// What it is, and where it comes from.
    pub rule: Rule,
    /// What is said of it.
    pub entry: Entry,
}

impl Explanation {
    /// All that there is to say.
    pub fn new(title: String, derived: &Derived) -> Explanation {
        let is_counted = |entry: &Entry| matches!(entry.statement, Statement::Nothing);
        let entries = match derived {
            Derived::System(system) => lagrange::among(system, derived.entries()),
            _ => derived.entries(),
        };
        let (counted, told): (Vec<Entry>, Vec<Entry>) = entries.into_iter().partition(is_counted);
        let bodies = !derived.model().bodies.is_empty();
        let step = |entry: Entry| Step {
            rule: rule(entry.name, bodies),
            entry,
        };
        Explanation {
            title,
            steps: told.into_iter().map(step).collect(),
            counted,
        }
    }
}

impl Step {
    /// What computing it costs; nothing where no function does.
    pub fn cost(&self) -> Option<String> {
        (self.entry.cost.total() > 0).then(|| self.entry.cost.to_string())
    }

    /// What it says in words, where that is all.
    pub fn words(&self) -> Option<&str> {
        match &self.entry.statement {
            Statement::Words(words) => Some(words),
            _ => None,
        }
    }
}
