//! The derivation of a constraint for people: formulas as text and MathML, with what they cost.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::tokens::Tokens;
use crate::constraint::{Derived, Quantity};
use crate::expr::{ExprId, SymbolId};
use crate::formula::Formula;
use crate::formula::listing::{self, Listing};
use crate::formula::printed::Printed;
use crate::formula::{latex, mathml, text};
use crate::function::Entry;
use crate::schedule::OperationCount;
use crate::solve::indexed;

/// At most about this many symbols are written per quantity.
pub(super) const BUDGET: usize = 400;

/// One quantity, written out.
pub struct Quoted {
    /// By itself.
    pub entry: Entry,
    /// As part of the whole derivation, whose definitions stand at its end.
    shared: Vec<Formula>,
    /// The same as text.
    formula: String,
    /// The results as a matrix of so many columns; 0: a column that is a plain formula for one row.
    columns: usize,
}

/// The derivation of a type, in the order of the theory.
pub struct Derivation {
    /// C, J, Ċ, J̇, β, λ, f̂, and f̂ of one particle.
    pub entries: Vec<Quoted>,
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
            let formula = text::formula(&shared, columns);
            let whole = listing
                .definitions
                .iter()
                .all(|(name, _)| !formula.contains(name));
            let symbol = match quantity {
                Quantity::ParticleForce => format!("{symbol}({arguments})"),
                _ => printed.result(symbol, arguments),
            };
            let (text, latex) = if whole && listing.omitted == 0 {
                (formula.clone(), latex::formula(&shared, columns))
            } else {
                let alone = list(derived, &printed, &[quantity]);
                (text::whole(&alone, columns), latex::whole(&alone, columns))
            };
            let entry = Entry {
                name,
                symbol,
                text,
                latex,
                cost: count(quantity).unwrap_or_default(),
            };
            Quoted {
                entry,
                formula,
                shared,
                columns,
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
        let equations = self.told().map(Quoted::equation);
        let definitions = text::definitions(&self.listing);
        let text: Vec<String> = equations.chain(definitions).collect();
        let mathml = quote!(derivation_mathml!(#source));
        type_docs(
            &text.join("\n"),
            &mathml,
            self.entries.iter().map(|it| &it.entry),
        )
    }

    /// The derivation as MathML in Markdown.
    pub fn mathml(&self) -> String {
        let equations = self.told().map(Quoted::mathml);
        let definitions = mathml::definitions(&self.listing);
        let blocks: Vec<String> = equations.chain(definitions).collect();
        format!("\n# Derivation\n\n{}\n", blocks.join("\n\n"))
    }

    /// λ = λ says nothing; its meaning stands among the definitions.
    fn told(&self) -> impl Iterator<Item = &Quoted> {
        let told = |it: &&Quoted| it.formula != it.entry.symbol;
        self.entries.iter().filter(told)
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

fn rows_of(results: &[Formula], columns: usize) -> Vec<Vec<Formula>> {
    results
        .chunks(columns.max(1))
        .map(<[Formula]>::to_vec)
        .collect()
}

impl Quoted {
    /// `C = …` with the definitions of all left out.
    fn equation(&self) -> String {
        let symbol = &self.entry.symbol;
        format!("{symbol} = {}", self.formula.replace('\n', "\n    "))
    }

    fn mathml(&self) -> String {
        let formula = match (self.columns, &self.shared[..]) {
            (0, [single]) => mathml::expression(single),
            _ => mathml::matrix(&rows_of(&self.shared, self.columns)),
        };
        mathml::equation(&mathml::symbol(&self.entry.symbol), &formula)
    }
}

/// Equations as text for hovers; where rustdoc runs, those that a macro of the runtime makes; then what functions cost.
pub(super) fn type_docs<'a>(
    equations: &str,
    mathml: &TokenStream,
    entries: impl IntoIterator<Item = &'a Entry>,
) -> TokenStream {
    let plain = format!("\n# Derivation\n\n```text\n{equations}\n```");
    let (mut attributes, mut cost) = (Tokens::default(), Tokens::default());
    attributes.list(doc_lines(&plain), |out, line| _ = out.append(line));
    lines(&mut cost, &cost_table(entries));
    quote! {
        #[cfg_attr(not(doc), #attributes)]
        #[cfg_attr(doc, doc = ::constraint_runtime::__private::#mathml)]
        #cost
    }
}

/// What functions cost.
pub(super) fn cost_table<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> String {
    let row = |entry: &Entry| format!("| `{}` | {} |\n", entry.name, entry.cost);
    let rows: String = entries.into_iter().map(row).collect();
    format!("\n| function | cost |\n|---|---|\n{rows}")
}

/// The formula and the cost of a function; without a formula what it is, and without that nothing.
pub(super) fn method_docs(entry: &Entry) -> String {
    match (&entry.text[..], &entry.symbol[..]) {
        ("", "") => String::new(),
        ("", symbol) => format!("{symbol}: {}.", entry.cost),
        _ => format!("```text\n{}\n```\n{}.", entry.equation(), entry.cost),
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

/// `pub const DERIVATION`, of the type for one scalar.
pub(super) fn constant<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> TokenStream {
    let lines = entries.into_iter().map(Entry::line);
    quote! {
        /// The derivation as data; the same for every scalar.
        pub const DERIVATION: rt::Derivation = rt::Derivation { written: &[#(#lines),*] };
    }
}
