//! The derivation of a constraint for people: formulas as text and MathML, with what they cost.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::tokens::Tokens;
use crate::certify::Certificate;
use crate::constraint::{Derived, Quantity};
use crate::expr::{CollectVec, ExprId, Map, PushEach, SymbolId};
use crate::formula::listing::{self, Listing};
use crate::formula::printed::Printed;
use crate::formula::{Equation, Formula, Statement, mathml, text};
use crate::function::constraint::{DERIVATIVES, table};
use crate::function::{self, Argument, Dimension, Entry, Row, Shape};
use crate::model::{Arm, Body};
use crate::schedule::OperationCount;
use crate::solve::indexed;
use crate::syntax::ast::name_of;

/// At most about this many symbols are written per quantity.
pub(super) const BUDGET: usize = 400;

/// The costs of functions, by their names.
pub(super) type Costs = Map<&'static str, OperationCount>;

/// The name of the entry of body-fixed vectors in the world.
const ARMS: &str = "arms";

/// The derivation of a type, in the order of the theory.
pub struct Derivation {
    /// Formulas and costs of the functions; then the arms.
    pub entries: Vec<Entry>,
    /// The formulas of all functions, with the definitions at the end.
    equations: Vec<Equation>,
    /// The definitions.
    listing: Listing,
    /// The body-fixed vectors in the world.
    arms: Vec<Equation>,
}

impl Derivation {
    /// Reads the formulas.
    pub fn new(derived: &Derived, costs: &Costs) -> Derivation {
        let reader = Reader {
            derived,
            printed: Printed::new(&derived.model),
        };
        let table = table(!derived.model.bodies.is_empty());
        let told: Vec<_> = told(table).collect_vec();
        let mut listing = reader.list(&told);
        let mut results = std::mem::take(&mut listing.results).into_iter();
        let mut equations = Vec::new();
        let told = told.into_iter().map(|row| {
            let own = results.by_ref().take(reader.roots(&[row]).len());
            let among_all = reader.equations(row, own.collect_vec());
            let entry = reader.entry(row, &among_all, &listing);
            equations.push_each(among_all);
            entry
        });
        let told: Vec<Entry> = told.collect_vec();
        // λ = λ says nothing; its meaning is among the definitions.
        equations.retain(|it| it.formula != it.symbol);
        let arms = reader.arms();
        let told_of_arms = Statement::Equations(arms.clone(), Listing::default());
        let of_arms = (!arms.is_empty()).then(|| Entry::without_symbol(ARMS, told_of_arms));
        let all = table.iter().chain(&DERIVATIVES);
        let entries = entries(all, told, |row| row.symbol.to_owned(), costs, of_arms);
        Derivation {
            entries,
            equations,
            listing,
            arms,
        }
    }

    /// An addition to a type's documentation: text for hovers; where rustdoc runs, MathML, which
    /// `source`, the tokens of the call, expands to then and only then.
    pub fn type_docs(&self, source: &TokenStream) -> TokenStream {
        let equations = self.equations.iter().map(Equation::text);
        let definitions = text::definitions(&self.listing);
        let arms = self.arms.iter().map(Equation::text);
        let text: Vec<String> = equations.chain(definitions).chain(arms).collect_vec();
        let functions = self.entries.iter().filter(|entry| entry.name != ARMS);
        let mathml = quote!(derivation_mathml!(#source));
        type_docs(("", &text.join("\n")), &mathml, ("", functions))
    }

    /// The derivation as MathML in Markdown.
    pub fn mathml(&self) -> String {
        let equations = self.equations.iter().map(Equation::mathml);
        let definitions = mathml::definitions(&self.listing);
        let arms = self.arms.iter().map(Equation::mathml);
        let blocks: Vec<String> = equations.chain(definitions).chain(arms).collect_vec();
        page("", &blocks)
    }

    /// The formula and the cost of a function.
    pub fn method_docs(&self, name: &str) -> String {
        let entry = self.entries.iter().find(|entry| entry.name == name);
        entry.map_or_else(String::new, method_docs)
    }
}

/// The functions of a table that have formulas.
pub(super) fn told<Q>(table: &[Row<Q>]) -> impl Iterator<Item = &Row<Q>> {
    table.iter().filter(|row| !row.counted)
}

/// The costs of functions, by their names.
pub(super) fn costs(functions: &[function::Function<'_>]) -> Costs {
    let cost = |function: &function::Function<'_>| (function.signature.name, function.body.cost());
    functions.iter().map(cost).collect()
}

/// All that a derivation has to say: the formulas that are `told`, with their costs, the functions of the table that
/// are counted alone, and what no function computes.
pub(super) fn entries<'t, Q: 't>(
    table: impl IntoIterator<Item = &'t Row<Q>>,
    told: Vec<Entry>,
    symbol: impl Fn(&Row<Q>) -> String,
    costs: &Costs,
    beside: impl IntoIterator<Item = Entry>,
) -> Vec<Entry> {
    // An entry without a symbol only serves others.
    let counted = table.into_iter().filter(|row| {
        let name = row.signature.name;
        row.counted && !row.symbol.is_empty() && told.iter().all(|entry| entry.name != name)
    });
    let counted = counted.filter_map(|row| {
        let cost = costs.get(row.signature.name)?;
        Some(Entry::counted(row.signature.name, symbol(row), *cost))
    });
    let counted: Vec<Entry> = counted.collect_vec();
    let told = told.into_iter().map(|entry| {
        let cost = costs.get(entry.name).copied().unwrap_or_default();
        Entry { cost, ..entry }
    });
    told.chain(counted).chain(beside).collect_vec()
}

// ---- reading ------------------------------------------------------------------------------------

/// The source of formulas.
struct Reader<'a> {
    derived: &'a Derived,
    /// The names for people.
    printed: Printed,
}

type Function = Row<&'static [Quantity]>;

impl Reader<'_> {
    fn quantities(rows: &[&Function]) -> Vec<Quantity> {
        rows.iter()
            .flat_map(|row| row.quantity)
            .copied()
            .collect_vec()
    }

    fn roots(&self, rows: &[&Function]) -> Vec<ExprId> {
        let quantities = Self::quantities(rows).into_iter();
        quantities
            .flat_map(|it| self.derived.expressions(it))
            .collect_vec()
    }

    fn list(&self, rows: &[&Function]) -> Listing {
        let model = &self.derived.model;
        let mut names = self.printed.names(model).into_owned();
        for quantity in Self::quantities(rows) {
            names.push_each(multiplier_names(self.derived, &self.printed, quantity));
        }
        let symbol = |symbol: SymbolId| self.printed.leaf(model, symbol);
        let budget = BUDGET * rows.len();
        listing::list(&model.graph, &symbol, &names, &self.roots(rows), budget)
    }

    /// `C`, `β(q, v)` where the user has a `β`; `f̂(m)` where it belongs to the one particle.
    fn symbol(&self, row: &Function) -> String {
        let given = |argument| row.signature.arguments.contains(&argument);
        if given(Argument::Mass) {
            format!("{}({})", row.symbol, self.printed.particle())
        } else if given(Argument::Velocities) {
            self.printed.result(row.symbol, "q, v")
        } else {
            self.printed.result(row.symbol, "q")
        }
    }

    /// The results of a function: one equation, or one for each body.
    fn equations(&self, row: &Function, results: Vec<Formula>) -> Vec<Equation> {
        let model = &self.derived.model;
        let (n, m) = (model.coordinate_count(), model.rows.len());
        let columns = match row.signature.result {
            Shape::Blocks(..) => return self.blocks(row, &results),
            Shape::Matrix(_, Dimension::Rows) if m == 1 => 0,
            Shape::Matrix(_, Dimension::Rows) => m,
            // A force is one row.
            Shape::Matrix(..) | Shape::Vector(Dimension::Coordinates) => n,
            _ => 0,
        };
        vec![Equation::new(self.symbol(row), results, columns)]
    }

    /// `J_a = …`, body by body.
    fn blocks(&self, row: &Function, results: &[Formula]) -> Vec<Equation> {
        let model = &self.derived.model;
        let width = model.body_velocities();
        let block = |(index, body): (usize, &Body)| {
            let own = results
                .chunks(width)
                .skip(index)
                .step_by(model.bodies.len());
            let symbol = format!("{}_{}", row.symbol, name_of(&body.name));
            let symbol = self.printed.result(&symbol, "q");
            Equation::new(symbol, own.flatten().cloned().collect_vec(), width)
        };
        model.bodies.iter().enumerate().map(block).collect_vec()
    }

    /// A function by itself: its formula among those of all if that needs none of their definitions.
    fn entry(&self, row: &Function, among_all: &[Equation], all: &Listing) -> Entry {
        let needs = |(name, _): &(String, Formula)| {
            among_all
                .iter()
                .any(|it| it.formula.contains(name.as_str()))
        };
        if all.omitted == 0 && !all.definitions.iter().any(needs) {
            return entry(row, among_all.to_vec(), Listing::default());
        }
        let mut alone = self.list(&[row]);
        let results = std::mem::take(&mut alone.results);
        entry(row, self.equations(row, results), alone)
    }

    /// `a_r1 = R_a ( r1.x   r1.y   r1.z )`, arm by arm.
    fn arms(&self) -> Vec<Equation> {
        let model = &self.derived.model;
        let symbol = |symbol: SymbolId| self.printed.leaf(model, symbol);
        let arm = |arm: &Arm| {
            let body = name_of(&model.bodies[arm.body].name);
            let fixed = listing::list(&model.graph, &symbol, &[], &arm.fixed, BUDGET);
            let rotation = self.printed.result(&format!("R_{body}"), "q");
            let symbol = self.printed.arm(model, arm);
            Equation::new(symbol, fixed.results, arm.fixed.len()).times(rotation)
        };
        model.arms.iter().map(arm).collect_vec()
    }
}

/// Equations with the definitions that they need.
fn entry(row: &Function, mut equations: Vec<Equation>, listing: Listing) -> Entry {
    // Blocks bring their own symbols.
    let single = !matches!(row.signature.result, Shape::Blocks(..));
    let (symbol, statement) = match equations.pop() {
        Some(only) if single => (only.symbol.clone(), Statement::Formula(only, listing)),
        last => {
            equations.push_each(last);
            (String::new(), Statement::Equations(equations, listing))
        }
    };
    Entry {
        name: row.signature.name,
        symbol,
        statement,
        ..Entry::default()
    }
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
        let name = if particle {
            format!("{letter}({})", printed.particle())
        } else {
            printed.result(&letter, "q, v")
        };
        (*unknown, name)
    };
    unknowns.map(name).collect_vec()
}

/// Equations as text for hovers, behind a sentence if there is one; where rustdoc runs, those that a macro of the
/// runtime makes; then what functions cost.
pub(super) fn type_docs<'a>(
    (introduction, equations): (&str, &str),
    mathml: &TokenStream,
    (conclusion, entries): (&str, impl IntoIterator<Item = &'a Entry>),
) -> TokenStream {
    let plain = format!("\n# Derivation\n\n{introduction}```text\n{equations}\n```");
    let (mut attributes, mut cost) = (Tokens::default(), Tokens::default());
    attributes.list(doc_lines(&plain), |out, line| _ = out.append(line));
    lines(&mut cost, &format!("{conclusion}{}", cost_table(entries)));
    quote! {
        #[cfg_attr(not(doc), #attributes)]
        #[cfg_attr(doc, doc = ::constraint_runtime::__private::#mathml)]
        #cost
    }
}

/// An addition to the documentation of a type whose functions are certified.
pub(super) fn certified(
    certificate: &Certificate,
    functions: &[function::Function<'_>],
) -> TokenStream {
    let line = certificate.in_words(functions);
    line.map_or_else(TokenStream::new, |line| quote!(#[doc = ""] #[doc = #line]))
}

/// Blocks of MathML in Markdown, behind a sentence if there is one.
pub(super) fn page(introduction: &str, blocks: &[String]) -> String {
    let (style, blocks) = (mathml::STYLE, blocks.join("\n\n"));
    format!("\n# Derivation\n\n<style>\n{style}</style>\n\n{introduction}{blocks}\n")
}

/// The costs of functions, without those that cost nothing.
fn cost_table<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> String {
    let entries = entries.into_iter().filter(|entry| entry.cost.total() > 0);
    let row = |entry: &Entry| format!("| `{}` | {} |\n", entry.name, entry.cost);
    let rows: String = entries.map(row).collect();
    if rows.is_empty() {
        return rows;
    }
    format!("\n| function | cost |\n|---|---|\n{rows}")
}

/// The formula and the cost of a function; without a formula what it is, and without that nothing.
pub(super) fn method_docs(entry: &Entry) -> String {
    match (&entry.statement, &entry.symbol[..]) {
        (Statement::Nothing, "") => String::new(),
        (Statement::Nothing, symbol) => format!("{symbol}: {}.", entry.cost),
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
