//! A derivation as steps, each with its rule, as a document in several languages.
//!
//! Its statements are those of [`Entry`], as in the generated type's `DERIVATION`.

pub mod html;
mod lagrange;
pub mod latex;
pub mod markdown;
mod prose;
mod rules;
mod subject;
pub mod text;
mod words;

pub use self::rules::{Rule, rule};
pub use self::subject::Subject;
use crate::compile::Certified;
use crate::expr::CollectVec;
use crate::formula::{Form, Statement};
use crate::function::Entry;

/// The derivation of one call.
#[derive(Debug)]
pub struct Explanation {
    /// `system Rods`
    pub title: String,
    /// The quantities with a statement, in the order of the theory.
    pub steps: Vec<Step>,
    /// The quantities of which only the cost is known.
    pub counted: Vec<Entry>,
}

/// One quantity of the derivation.
#[derive(Debug)]
pub struct Step {
    /// Its title and rule.
    pub rule: Rule,
    /// Its statement and cost.
    pub entry: Entry,
    /// The difference between its formula and the computed one.
    pub form: Form,
}

impl Explanation {
    /// Explains a derivation.
    pub fn new(title: String, certified: Certified<'_>) -> Explanation {
        let is_counted = |entry: &Entry| matches!(entry.statement, Statement::Nothing);
        let derived = certified.derivation();
        let entries = certified.entries();
        let entries = match derived.system() {
            Some(system) => lagrange::among(system, entries),
            None => entries
                .into_iter()
                .map(|it| (it, Form::Computed))
                .collect_vec(),
        };
        let (counted, stated): (Vec<_>, Vec<_>) =
            entries.into_iter().partition(|it| is_counted(&it.0));
        let subject = Subject::of(derived);
        let step = |(entry, form): (Entry, Form)| Step {
            rule: rule(entry.name, &subject),
            entry,
            form,
        };
        Explanation {
            title,
            steps: stated.into_iter().map(step).collect_vec(),
            counted: counted.into_iter().map(|(entry, _)| entry).collect_vec(),
        }
    }
}

impl Step {
    /// The sentences on the quantity, formulas between backticks.
    pub fn prose(&self) -> String {
        [&self.rule.prose, self.form.note()]
            .join(" ")
            .trim()
            .to_owned()
    }

    /// The same without backticks.
    pub fn plain_prose(&self) -> String {
        words::plain(&self.prose())
    }

    /// The cost of computing it; `None` if no function does.
    pub fn cost(&self) -> Option<String> {
        (self.entry.cost.total() > 0).then(|| self.entry.cost.to_string())
    }

    /// Its statement in words, if it has no formula.
    pub fn words(&self) -> Option<&str> {
        match &self.entry.statement {
            Statement::Words(words) => Some(words),
            _ => None,
        }
    }
}
