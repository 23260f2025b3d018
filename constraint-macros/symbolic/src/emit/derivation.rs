//! The derivation of a constraint for people: formulas as text and MathML, with what they cost.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::formula::Formula;
use super::listing::{self, Listing};
use super::{mathml, text};
use crate::compile::{Derived, Forms, Quantity};
use crate::expr::{ExprId, SymbolId};
use crate::schedule::OperationCount;

/// At most about this many symbols are written per quantity.
const BUDGET: usize = 400;

/// One quantity, written out.
pub struct Entry {
    /// The method that computes it, a field of `DERIVATION`.
    pub name: &'static str,
    /// C, J, …
    symbol: &'static str,
    listing: Listing,
    /// The results as a matrix of so many columns; 0: a column that is a plain formula for one row.
    columns: usize,
    /// What computing it alone costs.
    pub count: OperationCount,
}

/// The derivation, in the order of the theory, with the costs of the programs.
pub fn entries(
    derived: &Derived,
    count: &dyn Fn(Quantity) -> Option<OperationCount>,
) -> Vec<Entry> {
    let n = derived.model.coordinate_count();
    let rows: [(&str, &str, Quantity, usize); 8] = [
        ("value", "C", Quantity::Value, 0),
        ("jacobian", "J", Quantity::Jacobian, n),
        ("rate", "Ċ", Quantity::Rate, 0),
        ("jacobian_dot", "J̇", Quantity::JacobianDot, n),
        ("bias", "β", Quantity::Bias, 0),
        ("multipliers", "λ", Quantity::Multipliers, 0),
        ("force", "f̂", Quantity::Force, n),
        ("particle_force", "f̂(m)", Quantity::ParticleForce, n),
    ];
    let entry = |(name, symbol, quantity, columns)| Entry {
        name,
        symbol,
        listing: list(derived, quantity),
        columns,
        count: count(quantity).unwrap_or_default(),
    };
    rows.into_iter().map(entry).collect()
}

fn list(derived: &Derived, quantity: Quantity) -> Listing {
    let model = &derived.model;
    let Some(form) = derived.forms.first() else { return Listing::default() };
    let mut names = model.names.clone();
    names.extend(multiplier_names(derived, quantity, form));
    let symbol = |symbol: SymbolId| model.symbols[symbol.index()].name.clone();
    let roots = derived.expressions(quantity, form);
    listing::list(&model.graph, &symbol, &names, &roots, BUDGET)
}

/// f̂ is written with λ, or with μ = λ·content where the rows were divided by a content.
fn multiplier_names(derived: &Derived, quantity: Quantity, form: &Forms) -> Vec<(ExprId, String)> {
    let solved = match (quantity, derived.solved(quantity, form)) {
        (Quantity::Force | Quantity::ParticleForce, Some(solved)) => solved,
        _ => return Vec::new(),
    };
    let unknowns = solved.unknowns.iter().zip(&solved.multipliers).enumerate();
    let name = |(i, (unknown, multiplier)): (usize, (&ExprId, &ExprId))| {
        let letter = if unknown == multiplier { "λ" } else { "μ" };
        (*unknown, crate::dynamics::indexed(letter, i, solved.unknowns.len()))
    };
    unknowns.map(name).collect()
}

impl Entry {
    fn rows(&self) -> Vec<Vec<Formula>> {
        self.listing.results.chunks(self.columns.max(1)).map(<[Formula]>::to_vec).collect()
    }

    /// The right-hand side, its definitions on lines of their own.
    pub fn text(&self) -> String {
        let formula = match (self.columns, &self.listing.results[..]) {
            (0, [single]) => text::expression(single),
            _ => text::matrix(&self.rows()),
        };
        let definitions = text::definitions(&self.listing);
        let lines = definitions.iter().enumerate().map(|(i, line)| {
            let lead = if i == 0 { "where" } else { "     " };
            format!("{lead} {line}")
        });
        [formula].into_iter().chain(lines).collect::<Vec<_>>().join("\n")
    }

    /// `C = …` with continuation lines indented.
    pub fn equation(&self) -> String {
        format!("{} = {}", self.symbol, self.text().replace('\n', "\n    "))
    }

    fn mathml(&self) -> String {
        let formula = match (self.columns, &self.listing.results[..]) {
            (0, [single]) => mathml::expression(single),
            _ => mathml::matrix(&self.rows()),
        };
        let equation = mathml::equation(&mathml::symbol(self.symbol), &formula);
        [equation].into_iter().chain(mathml::definitions(&self.listing)).collect()
    }
}

/// The lines a type's documentation gains: text for hovers, MathML where rustdoc runs.
pub fn type_docs(entries: &[Entry]) -> TokenStream {
    let equations: Vec<String> = entries.iter().map(Entry::equation).collect();
    let plain = format!("\n# Derivation\n\n```text\n{}\n```\n", equations.join("\n"));
    let mathml: Vec<String> = entries.iter().map(Entry::mathml).collect();
    let pretty = format!("\n# Derivation\n\n{}\n", mathml.join("\n\n"));
    let cost = format!("\n{}", cost_table(entries));
    let plain = plain.lines().map(|line| format!(" {line}"));
    let cost = lines(&cost);
    quote! {
        #[cfg_attr(not(doc), #(doc = #plain),*)]
        #[cfg_attr(doc, doc = #pretty)]
        #cost
    }
}

fn cost_table(entries: &[Entry]) -> String {
    let rows = entries.iter().map(|entry| format!("| `{}` | {} |\n", entry.name, entry.count));
    format!("| function | cost |\n|---|---|\n{}", rows.collect::<String>())
}

/// The documentation of one method.
pub fn method_docs(entry: &Entry) -> TokenStream {
    let docs = format!("```text\n{}\n```\n{}.", entry.equation(), entry.count);
    lines(&docs)
}

/// One attribute per line, as `///` makes them.
fn lines(docs: &str) -> TokenStream {
    docs.lines().map(|line| format!(" {line}")).map(|line| quote!(#[doc = #line])).collect()
}

/// `Derivation { value: "…", … }`
pub fn constant(entries: &[Entry], runtime: &TokenStream) -> TokenStream {
    let is_formula = |name: &str| !matches!(name, "rate" | "particle_force");
    let formulas = entries.iter().filter(|entry| is_formula(entry.name)).map(|entry| {
        let (name, formula) = (super::rust::local(entry.name), entry.text());
        quote!(#name: #formula)
    });
    let counts = entries.iter().map(|entry| {
        let (name, count) = (super::rust::local(entry.name), count(entry.count, runtime));
        quote!(#name: #count)
    });
    quote! {
        #runtime::Derivation {
            #(#formulas,)*
            operations: #runtime::Operations { #(#counts),* },
        }
    }
}

fn count(count: OperationCount, runtime: &TokenStream) -> TokenStream {
    let OperationCount { add, sub, mul, div, sqrt, call } = count;
    let [add, sub, mul, div, sqrt, call] =
        [add, sub, mul, div, sqrt, call].map(Literal::u32_unsuffixed);
    quote! {
        #runtime::OperationCount { add: #add, sub: #sub, mul: #mul, div: #div, sqrt: #sqrt, call: #call }
    }
}
