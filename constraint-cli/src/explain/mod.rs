//! `constraint explain`: a derivation as steps, in five languages.
//!
//! What is said is the engine's: each step is an entry of what the generated type's `DERIVATION` holds.

mod html;
mod json;
mod latex;
mod markdown;
mod rules;
mod text;

use constraint_symbolic::emit;
use constraint_symbolic::formula::Statement;
use constraint_symbolic::function::Entry;

use self::rules::{Rule, rule};
use crate::arguments::{Explain, Format};
use crate::failure::Failure;
use crate::model::{self, Derived};
use crate::write;

/// What follows from one call.
struct Derivation {
    /// `system Rods`
    title: String,
    /// What is said, in the order of the theory.
    steps: Vec<Step>,
    /// What is only counted.
    counted: Vec<Entry>,
}

/// One thing that follows.
struct Step {
    /// What it is, and where it comes from.
    rule: Rule,
    /// What is said of it.
    entry: Entry,
}

/// Prints the derivations of all calls.
pub fn explain(arguments: &Explain) -> Result<(), Failure> {
    let (source, calls) = model::read(&arguments.input)?;
    let derivation = |call: &model::Call| {
        let derived = call.derive(&source)?;
        Ok(Derivation::new(call.title(), &derived))
    };
    let derivations = calls.iter().map(derivation);
    let derivations: Vec<Derivation> = derivations.collect::<Result<_, Failure>>()?;
    let text = written(&derivations, &arguments.format);
    write(&text, arguments.output.as_deref())
}

fn written(derivations: &[Derivation], format: &Format) -> String {
    let all = |one: fn(&Derivation) -> String| {
        let each = derivations.iter().map(one);
        each.collect::<Vec<String>>().join("\n")
    };
    if format.latex {
        latex::document(&all(latex::derivation))
    } else if format.markdown {
        all(markdown::derivation)
    } else if format.html {
        html::page(&all(html::derivation))
    } else if format.json {
        json::derivations(derivations)
    } else {
        all(text::derivation)
    }
}

impl Derivation {
    fn new(title: String, derived: &Derived) -> Derivation {
        let entries = match derived {
            Derived::Constraint(derived) => emit::constraint_derivation(derived),
            Derived::Curve(derived) => emit::curve_derivation(derived),
            Derived::System(derived) => emit::system_derivation(derived),
        };
        let is_counted = |entry: &Entry| matches!(entry.statement, Statement::Nothing);
        let (counted, told): (Vec<Entry>, Vec<Entry>) = entries.into_iter().partition(is_counted);
        let bodies = derived.has_bodies();
        let step = |entry: Entry| Step {
            rule: rule(entry.name, bodies),
            entry,
        };
        Derivation {
            title,
            steps: told.into_iter().map(step).collect(),
            counted,
        }
    }
}

impl Step {
    /// What computing it costs; nothing where no function does.
    fn cost(&self) -> Option<String> {
        (self.entry.cost.total() > 0).then(|| self.entry.cost.to_string())
    }

    /// What it says in words, where that is all.
    fn words(&self) -> Option<&str> {
        match &self.entry.statement {
            Statement::Words(words) => Some(words),
            _ => None,
        }
    }
}
