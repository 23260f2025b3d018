//! A derivation as steps, each with its rule, as a document in several languages.
//!
//! What is said is that of [`Entry`]: the same that the generated type's `DERIVATION` holds.

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
use crate::call::Derived;
use crate::formula::{Form, Statement};
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
    /// How its formula differs from the computed one.
    pub form: Form,
}

impl Explanation {
    /// All that there is to say.
    pub fn new(title: String, derived: &Derived) -> Explanation {
        let is_counted = |entry: &Entry| matches!(entry.statement, Statement::Nothing);
        let derived = derived.derivation();
        let entries = derived.entries();
        let entries = match derived.system() {
            Some(system) => lagrange::among(system, entries),
            None => entries.into_iter().map(|it| (it, Form::Computed)).collect(),
        };
        let (counted, told): (Vec<_>, Vec<_>) =
            entries.into_iter().partition(|it| is_counted(&it.0));
        let subject = Subject::of(derived);
        let step = |(entry, form): (Entry, Form)| Step {
            rule: rule(entry.name, &subject),
            entry,
            form,
        };
        Explanation {
            title,
            steps: told.into_iter().map(step).collect(),
            counted: counted.into_iter().map(|(entry, _)| entry).collect(),
        }
    }
}

impl Step {
    /// The sentences on it, formulas between backticks.
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
