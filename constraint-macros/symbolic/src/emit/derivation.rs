//! The derivation of a constraint for people: formulas as text and MathML, with what they cost.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::tokens::Tokens;
use crate::constraint::{Derived, Quantity};
use crate::expr::{ExprId, SymbolId};
use crate::formula::Formula;
use crate::formula::listing::{self, Listing};
use crate::formula::printed::Printed;
use crate::formula::{mathml, text};
use crate::schedule::OperationCount;
use crate::solve::indexed;

/// At most about this many symbols are written per quantity.
pub(super) const BUDGET: usize = 400;

/// One quantity, written out.
pub struct Entry {
    /// The method that computes it, a field of `DERIVATION`.
    pub name: &'static str,
    /// C, J, …
    symbol: String,
    /// The right-hand side alone, the definitions it needs on lines of their own.
    pub text: String,
    /// As part of the whole derivation, whose definitions stand at its end.
    shared: Vec<Formula>,
    /// The same as text.
    formula: String,
    /// The results as a matrix of so many columns; 0: a column that is a plain formula for one row.
    columns: usize,
    /// What computing it alone costs.
    pub count: OperationCount,
}

/// The derivation of a type, in the order of the theory.
pub struct Derivation {
    /// C, J, Ċ, J̇, β, λ, f̂, and f̂ of one particle.
    pub entries: Vec<Entry>,
    /// Everything at once.
    listing: Listing,
}

impl Derivation {
    /// Reads the formulas; `count` tells what the programs cost.
    pub fn new(
        derived: &Derived,
        count: &dyn Fn(Quantity) -> Option<OperationCount>,
    ) -> Derivation {
        let (n, m) = (derived.model.coordinate_count(), derived.model.rows.len());
        let printed = Printed::new(&derived.model);
        let quantities: [(&str, &str, &str, Quantity, usize); 8] = [
            ("value", "C", "q", Quantity::Value, 0),
            ("jacobian", "J", "q", Quantity::Jacobian, n),
            ("rate", "Ċ", "q, v", Quantity::Rate, 0),
            ("jacobian_dot", "J̇", "q, v", Quantity::JacobianDot, n),
            ("bias", "β", "q, v", Quantity::Bias, 0),
            ("multipliers", "λ", "q, v", Quantity::Multipliers, 0),
            ("force", "f̂", "q, v", Quantity::Force, n),
            (
                "particle_force",
                "f̂",
                printed.particle(),
                Quantity::ParticleForce,
                n,
            ),
        ];
        let listing = list(derived, &printed, &quantities.map(|it| it.3));
        let mut results = listing.results.iter().cloned();
        let entries = quantities.map(|(name, symbol, arguments, quantity, columns)| {
            // A force is one row, all else has one per constraint.
            let rows = if is_force(quantity) { 1 } else { m };
            let shared: Vec<Formula> = results.by_ref().take(rows * columns.max(1)).collect();
            let formula = formula_of(&shared, columns);
            let whole = listing
                .definitions
                .iter()
                .all(|(name, _)| !formula.contains(name));
            Entry {
                name,
                symbol: match quantity {
                    Quantity::ParticleForce => format!("{symbol}({arguments})"),
                    _ => printed.result(symbol, arguments),
                },
                text: if whole && listing.omitted == 0 {
                    formula.clone()
                } else {
                    text_of(&list(derived, &printed, &[quantity]), columns)
                },
                formula,
                shared,
                columns,
                count: count(quantity).unwrap_or_default(),
            }
        });
        Derivation {
            entries: entries.into(),
            listing,
        }
    }

    /// What a type's documentation gains: text for hovers; where rustdoc runs, MathML, which
    /// `source`, the tokens of the call, expands to then and only then.
    pub fn type_docs(&self, source: &TokenStream) -> TokenStream {
        let equations = self.told().map(Entry::equation);
        let definitions = text::definitions(&self.listing);
        let text: Vec<String> = equations.chain(definitions).collect();
        let plain = format!("\n# Derivation\n\n```text\n{}\n```", text.join("\n"));
        let (mut attributes, mut cost) = (Tokens::default(), Tokens::default());
        attributes.list(doc_lines(&plain), |out, line| _ = out.append(line));
        lines(&mut cost, &self.cost_table());
        quote! {
            #[cfg_attr(not(doc), #attributes)]
            #[cfg_attr(doc, doc = ::constraint_runtime::__private::derivation_mathml!(#source))]
            #cost
        }
    }

    /// The derivation as MathML in Markdown.
    pub fn mathml(&self) -> String {
        let equations = self.told().map(Entry::mathml);
        let definitions = mathml::definitions(&self.listing);
        let blocks: Vec<String> = equations.chain(definitions).collect();
        format!("\n# Derivation\n\n{}\n", blocks.join("\n\n"))
    }

    /// λ = λ says nothing; its meaning stands among the definitions.
    fn told(&self) -> impl Iterator<Item = &Entry> {
        let told = |entry: &&Entry| entry.formula != entry.symbol;
        self.entries.iter().filter(told)
    }

    fn cost_table(&self) -> String {
        let row = |entry: &Entry| format!("| `{}` | {} |\n", entry.name, entry.count);
        let rows: String = self.entries.iter().map(row).collect();
        format!("\n| function | cost |\n|---|---|\n{rows}")
    }
}

fn list(derived: &Derived, printed: &Printed, quantities: &[Quantity]) -> Listing {
    let model = &derived.model;
    let mut names = model.names.clone();
    for &quantity in quantities {
        names.extend(multiplier_names(derived, printed, quantity));
    }
    let symbol = |symbol: SymbolId| printed.leaf(model, symbol);
    let roots: Vec<ExprId> = quantities
        .iter()
        .flat_map(|&quantity| derived.expressions(quantity))
        .collect();
    listing::list(
        &model.graph,
        &symbol,
        &names,
        &roots,
        BUDGET * quantities.len(),
    )
}

/// f̂ is written with λ, or with μ = λ·content where the rows were divided by a content; `(m)` stands
/// after it where it belongs to the one particle.
fn multiplier_names(
    derived: &Derived,
    printed: &Printed,
    quantity: Quantity,
) -> Vec<(ExprId, String)> {
    let (multipliers, particle) = match quantity {
        Quantity::Force => (Quantity::Multipliers, false),
        Quantity::ParticleForce => (Quantity::ParticleMultipliers, true),
        _ => return Vec::new(),
    };
    let Some(solved) = derived.computed(multipliers) else {
        return Vec::new();
    };
    let count = solved.unknowns.len();
    let unknowns = solved.unknowns.iter().zip(&solved.outputs).enumerate();
    let name = |(i, (unknown, multiplier)): (usize, (&ExprId, &ExprId))| {
        let letter = if unknown == multiplier { "λ" } else { "μ" };
        let letter = indexed(letter, i, count);
        let name = match particle {
            true => format!("{letter}({})", printed.particle()),
            false => printed.result(&letter, "q, v"),
        };
        (*unknown, name)
    };
    unknowns.map(name).collect()
}

fn is_force(quantity: Quantity) -> bool {
    matches!(quantity, Quantity::Force | Quantity::ParticleForce)
}

/// The results, then the definitions they need.
pub(super) fn text_of(listing: &Listing, columns: usize) -> String {
    let mut text = formula_of(&listing.results, columns);
    for (i, line) in text::definitions(listing).iter().enumerate() {
        text.push_str(if i == 0 { "\nwhere " } else { "\n      " });
        text.push_str(line);
    }
    text
}

/// One formula as it is, more of them as a matrix of so many columns.
pub(super) fn formula_of(results: &[Formula], columns: usize) -> String {
    match (columns, results) {
        (0, [single]) => text::expression(single),
        _ => text::matrix(&rows_of(results, columns)),
    }
}

fn rows_of(results: &[Formula], columns: usize) -> Vec<Vec<Formula>> {
    results
        .chunks(columns.max(1))
        .map(<[Formula]>::to_vec)
        .collect()
}

impl Entry {
    /// `C = …`, continuation lines indented.
    fn equation(&self) -> String {
        format!("{} = {}", self.symbol, self.formula.replace('\n', "\n    "))
    }

    fn mathml(&self) -> String {
        let formula = match (self.columns, &self.shared[..]) {
            (0, [single]) => mathml::expression(single),
            _ => mathml::matrix(&rows_of(&self.shared, self.columns)),
        };
        mathml::equation(&mathml::symbol(&self.symbol), &formula)
    }

    /// The documentation of the method.
    pub fn method_docs(&self, out: &mut Tokens) {
        let text = self.text.replace('\n', "\n    ");
        lines(
            out,
            &format!("```text\n{} = {text}\n```\n{}.", self.symbol, self.count),
        );
    }
}

/// One attribute per line, as `///` makes them.
pub(super) fn lines(out: &mut Tokens, docs: &str) {
    for line in doc_lines(docs) {
        out.punct('#').brackets(|out| _ = out.append(line));
    }
}

/// `doc = " …"` for every line.
fn doc_lines(docs: &str) -> impl Iterator<Item = Tokens> {
    let head: Tokens = quote!(doc =).into();
    docs.lines().map(move |line| {
        let mut tokens = head.clone();
        tokens.literal(Literal::string(&format!(" {line}")));
        tokens
    })
}

/// `Derivation { value: "…", … }`
pub fn constant(entries: &[Entry], runtime: &TokenStream) -> TokenStream {
    let mut formulas = Tokens::default();
    for entry in entries.iter().filter(|entry| entry.name != "rate") {
        let formula = formulas.word(entry.name).punct(':');
        formula.literal(Literal::string(&entry.text)).punct(',');
    }
    let of: Tokens = quote!(#runtime::OperationCount::of).into();
    let mut counts = Tokens::default();
    counts.list(entries, |out, entry| {
        out.word(entry.name).punct(':').paste(&of);
        out.parentheses(|out| _ = out.brackets(|out| count(out, entry.count)));
    });
    quote! {
        #runtime::Derivation {
            #formulas
            operations: #runtime::Operations { #counts },
        }
    }
}

pub(super) fn count(out: &mut Tokens, count: OperationCount) {
    let OperationCount {
        add,
        sub,
        mul,
        div,
        sqrt,
        call,
    } = count;
    let counts = [add, sub, mul, div, sqrt, call].map(Literal::u32_unsuffixed);
    out.list(counts, |out, count| _ = out.literal(count));
}
