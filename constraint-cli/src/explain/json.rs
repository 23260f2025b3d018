//! Derivations as data.

use constraint_symbolic::explanation::{Explanation, Rule, Subject, rule};
use constraint_symbolic::function::Entry;
use constraint_symbolic::schedule::OperationCount;
use serde::Serialize;

#[derive(Serialize)]
struct Derivation {
    title: String,
    steps: Vec<Step>,
}

#[derive(Serialize)]
struct Step {
    name: &'static str,
    title: &'static str,
    rule: &'static str,
    prose: String,
    symbol: String,
    text: String,
    latex: String,
    mathml: Vec<String>,
    operations: Operations,
}

#[derive(Serialize)]
struct Operations {
    total: u32,
    add: u32,
    sub: u32,
    mul: u32,
    div: u32,
    sqrt: u32,
    call: u32,
}

impl From<OperationCount> for Operations {
    fn from(count: OperationCount) -> Operations {
        let [add, sub, mul, div, sqrt, call] = count.kinds().map(|(n, _)| n);
        let total = count.total();
        Operations {
            total,
            add,
            sub,
            mul,
            div,
            sqrt,
            call,
        }
    }
}

impl Step {
    fn new((title, rule, prose): (&'static str, &'static str, String), entry: &Entry) -> Step {
        Step {
            name: entry.name,
            title,
            rule,
            prose,
            symbol: entry.symbol.clone(),
            text: entry.statement.text(),
            latex: entry.statement.latex(),
            mathml: entry.statement.mathml(),
            operations: entry.cost.into(),
        }
    }
}

/// A list of all, each a list of steps; functions with only a cost come last.
pub fn explanations(explanations: &[Explanation]) -> String {
    let derivations = explanations.iter().map(|explanation| {
        let stated = explanation.steps.iter();
        let stated = stated.map(|step| {
            let Rule { title, text, .. } = step.rule;
            Step::new((title, text, step.plain_prose()), &step.entry)
        });
        let counted = explanation.counted.iter();
        let counted = counted.map(|entry| {
            let Rule { title, text, .. } = rule(entry.name, &Subject::default());
            Step::new((title, text, String::new()), entry)
        });
        Derivation {
            title: explanation.title.clone(),
            steps: stated.chain(counted).collect(),
        }
    });
    let derivations: Vec<Derivation> = derivations.collect();
    serde_json::to_string_pretty(&derivations).unwrap_or_default() + "\n"
}
