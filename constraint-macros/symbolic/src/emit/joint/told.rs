//! The derivation of a constraint between bodies for people: formulas, definitions, arms, costs.

use super::super::derivation::{self, BUDGET};
use super::super::tokens::Tokens;
use super::Method;
use crate::constraint::{Derived, Quantity};
use crate::expr::{ExprId, SymbolId};
use crate::formula::Formula;
use crate::formula::listing::{self, Listing};
use crate::formula::printed::Printed;
use crate::formula::{latex, text};
use crate::function::Entry;
use crate::model::{Arm, Body};
use crate::schedule::{OperationCount, Program};
use crate::syntax::ast::name_of;

/// The derivation for people.
pub(super) struct Told {
    /// Everything at once, what is shared told at the end; then the arms.
    whole: String,
    /// Formulas and costs of the functions, formulas first; then the arms.
    pub entries: Vec<Entry>,
}

/// Method and quantity, in the order of the theory.
const TOLD: [(&str, Quantity); 5] = [
    ("value", Quantity::Value),
    ("jacobian", Quantity::Jacobian),
    ("rate", Quantity::Rate),
    ("bias", Quantity::Bias),
    ("delassus", Quantity::Delassus),
];

impl Told {
    /// Reads the formulas; the programs tell what they cost.
    pub fn new(joint: &Derived, programs: &[(&Method, Program)]) -> Told {
        let printed = Printed::new(&joint.model);
        let cost = |name: &str| {
            let program = programs.iter().find(|(it, _)| it.name == name);
            program.map_or_else(OperationCount::default, |(_, program)| program.count)
        };
        let formulas = TOLD.map(|(name, quantity)| {
            let listing = list(joint, &printed, &[quantity]);
            Entry {
                name,
                cost: cost(name),
                ..entry(joint, &printed, quantity, &listing)
            }
        });
        let others = programs.iter().map(|(it, _)| it.name);
        let others = others.filter(|name| TOLD.iter().all(|(told, _)| told != name));
        let others = others.map(|name| Entry::counted(name, "", cost(name)));
        let arms = arms(joint, &printed);
        let whole = whole(joint, &printed, &arms);
        let arms = (!arms.is_empty()).then(|| Entry::words("arms", arms.join("\n")));
        Told {
            whole,
            entries: formulas.into_iter().chain(others).chain(arms).collect(),
        }
    }

    /// What the type's documentation gains.
    pub fn type_docs(&self, programs: &[(&Method, Program)]) -> Tokens {
        let mut text = format!("\n# Derivation\n\n```text\n{}\n```\n", self.whole);
        let entry = |name| self.entries.iter().find(|entry| entry.name == name);
        let entries = programs.iter().filter_map(|(it, _)| entry(it.name));
        text += &derivation::cost_table(entries);
        lines(&text)
    }

    /// The documentation of a method.
    pub fn method_docs(&self, method: &str) -> Tokens {
        match self.entries.iter().find(|entry| entry.name == method) {
            Some(entry) if entry.text.is_empty() => lines(&format!("{}.", entry.cost)),
            Some(entry) => lines(&derivation::method_docs(entry)),
            None => Tokens::default(),
        }
    }
}

/// All equations, then the definitions they share, then the arms.
fn whole(joint: &Derived, printed: &Printed, arms: &[String]) -> String {
    let listing = list(joint, printed, &TOLD.map(|(_, quantity)| quantity));
    let mut results = &listing.results[..];
    let mut text = Vec::new();
    for (_, quantity) in TOLD {
        let count = joint.expressions(quantity).len();
        let (own, rest) = results.split_at(count);
        text.push(equations(joint, printed, quantity, own));
        results = rest;
    }
    text.extend(text::definitions(&listing));
    text.extend(arms.iter().cloned());
    text.join("\n")
}

/// A quantity by itself, with the definitions it needs; J one block per body, `J_a = …`.
fn entry(joint: &Derived, printed: &Printed, quantity: Quantity, listing: &Listing) -> Entry {
    let (symbol, columns) = match quantity {
        Quantity::Jacobian => {
            let blocks = blocks(joint, printed, &listing.results);
            let latex = blocks.iter().map(|(symbol, block, columns)| {
                let symbol = latex::symbol(symbol);
                format!("{symbol} = {}", latex::formula(block, *columns))
            });
            let latex: Vec<String> = latex.chain(latex::definitions(listing)).collect();
            let text = equations(joint, printed, quantity, &listing.results);
            let definitions = text::definitions(listing).join("\n          ");
            let text = match &definitions[..] {
                "" => text,
                definitions => format!("{text}\n    where {definitions}"),
            };
            return Entry {
                text,
                latex: latex.join(r",\; "),
                ..Entry::default()
            };
        }
        _ => symbol_and_columns(joint, quantity),
    };
    Entry {
        symbol: printed.result(symbol, "q"),
        text: text::whole(listing, columns),
        latex: latex::whole(listing, columns),
        ..Entry::default()
    }
}

fn symbol_and_columns(joint: &Derived, quantity: Quantity) -> (&'static str, usize) {
    match (quantity, joint.model.rows.len()) {
        (Quantity::Delassus, 1) => ("K", 0),
        (Quantity::Delassus, rows) => ("K", rows),
        (Quantity::Rate, _) => ("Ċ", 0),
        (Quantity::Bias, _) => ("β", 0),
        _ => ("C", 0),
    }
}

/// The blocks of J, with their symbols and numbers of columns.
fn blocks(
    joint: &Derived,
    printed: &Printed,
    results: &[Formula],
) -> Vec<(String, Vec<Formula>, usize)> {
    let model = &joint.model;
    let width = model.body_velocities();
    let block = |(index, body): (usize, &Body)| {
        let chunks = results.chunks(width).skip(index);
        let chunks = chunks.step_by(model.bodies.len());
        let symbol = printed.result(&format!("J_{}", name_of(&body.name)), "q");
        (symbol, chunks.flatten().cloned().collect(), width)
    };
    model.bodies.iter().enumerate().map(block).collect()
}

/// `C = …`, definitions left out.
fn equations(
    joint: &Derived,
    printed: &Printed,
    quantity: Quantity,
    results: &[Formula],
) -> String {
    let equation = |symbol: &str, results: &[Formula], columns: usize| {
        let formula = text::formula(results, columns);
        let indent = " ".repeat(symbol.chars().filter(|c| !is_mark(*c)).count() + 3);
        format!(
            "{symbol} = {}",
            formula.replace('\n', &format!("\n{indent}"))
        )
    };
    let (symbol, columns) = match quantity {
        Quantity::Jacobian => {
            let blocks = blocks(joint, printed, results).into_iter();
            let blocks = blocks.map(|(symbol, block, columns)| equation(&symbol, &block, columns));
            return blocks.collect::<Vec<_>>().join("\n");
        }
        _ => symbol_and_columns(joint, quantity),
    };
    equation(&printed.result(symbol, "q"), results, columns)
}

/// Whether a character only marks the one before it.
fn is_mark(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}

fn list(joint: &Derived, printed: &Printed, quantities: &[Quantity]) -> Listing {
    let model = &joint.model;
    let roots = quantities.iter();
    let roots = roots.flat_map(|&it| joint.expressions(it));
    let roots: Vec<ExprId> = roots.collect();
    let symbol = |symbol: SymbolId| printed.leaf(model, symbol);
    let budget = BUDGET * quantities.len();
    listing::list(&model.graph, &symbol, &model.names, &roots, budget)
}

/// `a_r1 = R_a ( r1.x   r1.y   r1.z )`, arm by arm.
fn arms(joint: &Derived, printed: &Printed) -> Vec<String> {
    let model = &joint.model;
    let symbol = |symbol: SymbolId| printed.leaf(model, symbol);
    let line = |arm: &Arm| {
        let listing = listing::list(&model.graph, &symbol, &[], &arm.fixed, BUDGET);
        let vector = text::formula(&listing.results, arm.fixed.len());
        let body = name_of(&model.bodies[arm.body].name);
        let turn = printed.result(&format!("R_{body}"), "q");
        format!("{} = {turn} {vector}", printed.arm(model, arm))
    };
    model.arms.iter().map(line).collect()
}

/// Documentation, line by line.
fn lines(docs: &str) -> Tokens {
    let mut tokens = Tokens::default();
    derivation::lines(&mut tokens, docs);
    tokens
}
