//! The derivation of a constraint between bodies for people: formulas, definitions, arms, costs.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::derivation::{self, BUDGET, formula_of};
use super::super::rust::local;
use super::super::tokens::Tokens;
use super::Method;
use crate::constraint::{Derived, Quantity};
use crate::expr::{ExprId, SymbolId};
use crate::formula::Formula;
use crate::formula::listing::{self, Listing};
use crate::formula::printed::Printed;
use crate::formula::text;
use crate::model::{Arm, Body};
use crate::schedule::{OperationCount, Program};
use crate::syntax::ast::name_of;

/// The derivation for people.
pub(super) struct Told {
    /// Everything at once, what is shared told at the end; then the arms.
    whole: String,
    arms: String,
    /// Method and formula, each with what it needs.
    formulas: Vec<(&'static str, String)>,
    counts: Vec<(&'static str, OperationCount)>,
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
        let alone = |(name, quantity)| {
            let listing = list(joint, &printed, &[quantity]);
            let mut text = equations(joint, &printed, quantity, &listing.results);
            for (i, line) in text::definitions(&listing).iter().enumerate() {
                text.push_str(if i == 0 {
                    "\n    where "
                } else {
                    "\n          "
                });
                text.push_str(line);
            }
            (name, text)
        };
        let arms = arms(joint, &printed);
        Told {
            whole: whole(joint, &printed, &arms),
            arms: arms.join("\n"),
            formulas: TOLD.into_iter().map(alone).collect(),
            counts: programs
                .iter()
                .map(|(it, program)| (it.name, program.count))
                .collect(),
        }
    }

    /// What the type's documentation gains.
    pub fn type_docs(&self) -> Tokens {
        let mut text = format!("\n# Derivation\n\n```text\n{}\n```\n\n", self.whole);
        text += "| function | cost |\n|---|---|\n";
        for (name, count) in &self.counts {
            text += &format!("| `{name}` | {count} |\n");
        }
        lines(&text)
    }

    /// The documentation of a method.
    pub fn method_docs(&self, method: &str) -> Tokens {
        let count = self.counts.iter().find(|(name, _)| *name == method);
        let count = count.map_or_else(String::new, |(_, count)| format!("{count}."));
        let formula = self.formulas.iter().find(|(name, _)| *name == method);
        match formula {
            Some((_, formula)) => lines(&format!("```text\n{formula}\n```\n{count}")),
            None => lines(&count),
        }
    }

    /// `BodyDerivation { value: "…", … }`
    pub fn constant(&self) -> TokenStream {
        let arms = &self.arms;
        let formulas = self.formulas.iter().map(|(name, formula)| {
            let name = local(name);
            quote!(#name: #formula)
        });
        let counted = [
            "value",
            "jacobian",
            "rate",
            "bias",
            "delassus",
            "rows",
            "impulses",
            "multipliers",
        ];
        let counts = counted.map(|name| {
            let count = self.counts.iter().find(|(other, _)| *other == name);
            let count = count.map_or_else(OperationCount::default, |(_, count)| *count);
            let name = local(name);
            let mut numbers = Tokens::default();
            derivation::count(&mut numbers, count);
            quote!(#name: rt::OperationCount::of([#numbers]))
        });
        quote! {
            rt::BodyDerivation {
                arms: #arms,
                #(#formulas,)*
                operations: rt::BodyOperations { #(#counts),* },
            }
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

/// `C = …`; J one block per body, `J_a = …`.
fn equations(
    joint: &Derived,
    printed: &Printed,
    quantity: Quantity,
    results: &[Formula],
) -> String {
    let model = &joint.model;
    let rows = model.rows.len();
    let equation = |symbol: &str, results: &[Formula], columns: usize| {
        let symbol = printed.result(symbol, "q");
        let formula = formula_of(results, columns);
        let indent = " ".repeat(symbol.chars().filter(|c| !is_mark(*c)).count() + 3);
        format!(
            "{symbol} = {}",
            formula.replace('\n', &format!("\n{indent}"))
        )
    };
    match quantity {
        Quantity::Jacobian => {
            let width = model.body_velocities();
            let block = |(index, body): (usize, &Body)| {
                let chunks = results.chunks(width).skip(index);
                let block: Vec<Formula> = chunks
                    .step_by(model.bodies.len())
                    .flatten()
                    .cloned()
                    .collect();
                equation(&format!("J_{}", name_of(&body.name)), &block, width)
            };
            let blocks: Vec<String> = model.bodies.iter().enumerate().map(block).collect();
            blocks.join("\n")
        }
        Quantity::Delassus if rows > 1 => equation("K", results, rows),
        Quantity::Delassus => equation("K", results, 0),
        Quantity::Rate => equation("Ċ", results, 0),
        Quantity::Bias => equation("β", results, 0),
        _ => equation("C", results, 0),
    }
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
        let vector = formula_of(&listing.results, arm.fixed.len());
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
