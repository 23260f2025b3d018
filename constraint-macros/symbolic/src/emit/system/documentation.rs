//! The derivation of a system for people, and its constants.

use proc_macro2::TokenStream;
use quote::quote;

use super::Writer;
use super::fields::count;
use crate::emit::derivation::{self, BUDGET};
use crate::expr::{CollectVec, ExprId, Graph, PushEach, SymbolId};
use crate::formula::listing::{self, Listing};
use crate::formula::{self, Equation, Form, Statement};
use crate::function::system::{TABLE, documented, trait_of};
use crate::function::{self, Argument, Dimension, Entry, Shape, Trait};
use crate::model::{Named, RowName};
use crate::system::{Limbs, Quantity, Row, Solution};

type Told = function::Row<Quantity>;

/// More names than this are no constant: the compiler's time for those grows with the square of their number.
const MOST_NAMES: usize = 4096;

impl Writer<'_> {
    pub(super) fn constants(&self) -> TokenStream {
        let (own, generic, m) = (&self.items.own, self.items.generic_f64(), self.items.m());
        let names = self.constraint_names().map(|names| {
            quote! {
                /// The names of the constraint rows.
                pub const CONSTRAINTS: [&'static str; #m] = #names;
            }
        });
        let derivation = derivation::constant(&self.entries());
        quote! {
            impl #own #generic {
                #names

                #derivation
            }
        }
    }

    /// Names as they are, or, where many, made of families when compiled; nothing where that takes the compiler long.
    fn constraint_names(&self) -> Option<TokenStream> {
        let rows = &self.system.rows;
        if rows.len() <= 64 {
            let names = rows.iter().map(ToString::to_string);
            return Some(quote!([#(#names),*]));
        }
        if rows.len() > MOST_NAMES {
            return None;
        }
        let families = self.row_families();
        let (m, longest) = (
            self.items.m(),
            rows.iter().map(|r| r.to_string().len()).max(),
        );
        let longest = count(longest.unwrap_or(0));
        Some(quote! {{
            const BYTES: &[([u8; #longest], usize); #m] = &rt::row_names(&#families);
            rt::as_strings(BYTES)
        }})
    }

    /// `[rt::RowFamily { … }, …]`
    fn row_families(&self) -> TokenStream {
        let families = families(&self.system.rows).into_iter().map(|family| {
            let RowFamily { base, index, length, suffixes } = family;
            let (first, length) = (count(index.unwrap_or(0)), count(length));
            let indexed = index.is_some();
            quote!(rt::RowFamily { base: #base, indexed: #indexed, first: #first, length: #length, suffixes: &[#(#suffixes),*] })
        });
        quote!([#(#families),*])
    }

    /// The name of a row, for messages.
    pub(super) fn row_name(&self) -> TokenStream {
        let (own, generic) = (&self.items.own, self.items.generic_f64());
        let name = if self.system.rows.len() > MOST_NAMES {
            let families = self.row_families();
            quote!(rt::row_name(&#families, row))
        } else {
            quote!(<#own #generic>::CONSTRAINTS.get(row).copied())
        };
        quote! {
            fn row_name(&self, row: usize) -> Option<&'static str> {
                #name
            }
        }
    }

    pub(super) fn list(&self, roots: &[ExprId]) -> Listing {
        self.list_in(&self.system.model.graph, roots)
    }

    fn list_in(&self, graph: &Graph, roots: &[ExprId]) -> Listing {
        let model = &self.system.model;
        let symbol = |symbol: SymbolId| self.printed.leaf(model, symbol);
        let names = self.printed.names(model);
        listing::list(graph, &symbol, &names, roots, BUDGET)
    }

    /// Formulas and costs: what moves, then what constrains it.
    pub(super) fn entries(&self) -> Vec<Entry> {
        let solver = Entry::without_symbol("solver", Statement::Words(self.solver()));
        let symbol = |row: &Told| row.symbol.to_owned();
        let costs = derivation::costs(&self.functions);
        let entries = derivation::entries(&TABLE, self.told(), symbol, &costs, [solver]);
        let documented = |entry: Entry| Entry {
            name: documented(entry.name),
            ..entry
        };
        entries.into_iter().map(documented).collect_vec()
    }

    /// Formulas without costs; nothing if there are none.
    fn told(&self) -> Vec<Entry> {
        let of = |of_trait| {
            let rows = derivation::told(&TABLE);
            rows.filter(move |row| trait_of(row.quantity) == of_trait)
        };
        let (of_motion, of_rows) = (of(Trait::Motion), of(Trait::Rows));
        let entry = |row: &Told| {
            let moving = row.signature.arguments.contains(&Argument::Velocities);
            let arguments = if moving { "q, v" } else { "q" };
            let symbol = self.printed.result(row.symbol, arguments);
            let statement = match &self.derived.solution {
                Solution::Rolled(_) => self.families(row)?,
                Solution::Unrolled(_) => self.formula(row, &symbol)?,
            };
            Some(Entry {
                name: row.signature.name,
                symbol,
                statement,
                ..Entry::default()
            })
        };
        let formulas = of_motion.chain(of_rows).filter_map(entry);
        let formulas = formulas.chain(self.sliding_told());
        formulas.chain(self.outputs_told()).collect_vec()
    }

    /// A − μ B and A + μ B of the rows with friction.
    fn sliding_told(&self) -> Option<Entry> {
        let roots = self.derived.expressions(Quantity::Sliding);
        let rubbing = &self.derived.equations.rubbing;
        let named = rubbing.iter().flat_map(|&[gap, _]| {
            let name = &self.system.one_sided[gap].name;
            ["forward", "backward"].map(|direction| format!("{name}.{direction}"))
        });
        let lines = named.zip(&roots);
        let lines: Vec<_> = lines
            .map(|(symbol, &root)| self.equation(symbol, &[root], 0))
            .collect_vec();
        (!lines.is_empty()).then(|| Entry::without_symbol("sliding", Statement::Lines(" =", lines)))
    }

    /// The outputs as they were written, λ and v̇ by their symbols; of an array the first element.
    fn outputs_told(&self) -> Option<Entry> {
        let outputs = &self.system.outputs;
        let line = |named: &Named| {
            let first = *named.places.first()?;
            let element = first..first + named.element.scalars();
            let index: String = named.first.iter().map(|i| format!("[{i}]")).collect();
            let symbol = format!("{}{index}", named.name);
            Some(self.value(symbol, &self.derived.equations.outputs[element]))
        };
        let lines: Vec<_> = outputs.iter().filter_map(line).collect_vec();
        (!lines.is_empty()).then(|| Entry::without_symbol("outputs", Statement::Lines(" =", lines)))
    }

    /// A number, or a vector as it is written where it takes one line.
    fn value(&self, symbol: String, components: &[ExprId]) -> (Equation, Listing) {
        let each = components.iter().map(|&id| self.list(&[id]));
        let each: Vec<Listing> = each.collect_vec();
        let alone = |it: &Listing| it.definitions.is_empty() && it.omitted == 0;
        if components.len() == 1 || !each.iter().all(alone) {
            return self.equation(symbol, components, 0);
        }
        let results = each.into_iter().flat_map(|it| it.results).collect_vec();
        let equation = Equation::new(symbol, results, 0).listed();
        (equation, Listing::default())
    }

    fn equation(&self, symbol: String, roots: &[ExprId], columns: usize) -> (Equation, Listing) {
        let mut listing = self.list(roots);
        let results = std::mem::take(&mut listing.results);
        (Equation::new(symbol, results, columns), listing)
    }

    /// The right-hand side; of a large matrix the number of its entries.
    fn formula(&self, row: &Told, symbol: &str) -> Option<Statement> {
        let (n, m) = (self.system.coordinates.len(), self.derived.rows());
        let size = |dimension| if dimension == Dimension::Rows { m } else { n };
        let (entries, columns) = match row.signature.result {
            Shape::Matrix(rows, columns) => (size(rows) * size(columns), size(columns)),
            Shape::Vector(rows) => (size(rows), 0),
            _ => (1, 0),
        };
        match entries {
            0 => None,
            1..=MOST_ENTRIES => {
                let roots = self.derived.expressions(row.quantity);
                let (equation, listing) = self.equation(symbol.to_owned(), &roots, columns);
                Some(Statement::Formula(equation, listing))
            }
            _ => Some(Statement::Words(format!("{entries} entries"))),
        }
    }

    /// One line per family: the first of its rows.
    fn families(&self, told: &Told) -> Option<Statement> {
        let quantity = told.quantity;
        if self.derived.rows() == 0 && trait_of(quantity) == Trait::Rows {
            return None;
        }
        let line = |(r, row): (usize, &Row)| {
            let roots = match quantity {
                Quantity::Value => vec![row.value],
                Quantity::Bias => vec![row.bias],
                _ => row.jacobian.iter().map(|&(_, entry)| entry).collect_vec(),
            };
            self.equation(self.system.rows[r].to_string(), &roots, 0)
        };
        let words = match quantity {
            Quantity::Value | Quantity::Jacobian | Quantity::Bias => {
                let lines = self.derived.shown_rows().map(line).collect_vec();
                return Some(Statement::Lines(":", lines));
            }
            Quantity::MassMatrix if self.derived.equations.mass.is_diagonal() => "diagonal",
            Quantity::MassMatrix if self.derived.rows() == 0 => "blocks on the diagonal",
            Quantity::MassMatrix => "blocks on the diagonal, one for each body",
            _ => "a sum over families",
        };
        Some(Statement::Words(words.to_owned()))
    }

    /// The method of solution for v̇, in words.
    fn solver(&self) -> String {
        let (n, m) = (self.system.coordinates.len(), self.derived.rows());
        let by_limbs = &self.derived.limbs.routines;
        let mass = match self.derived.equations.mass.is_diagonal() {
            true => "M is diagonal",
            false if by_limbs.contains_key(&Quantity::Acceleration) => "v̇ by articulated bodies",
            false if self.derived.equations.inverse.is_some() => {
                "M inverted in the bodies' own frames"
            }
            false => "M by sparse LDLᵀ",
        };
        let least_squares = self.derived.normal(Quantity::Acceleration).is_some();
        let massless = &self.derived.equations.massless;
        let mass = match massless.len() {
            0 => mass.to_owned(),
            n => format!("{mass} with Jᵀ D J for {n} without inertia of their own"),
        };
        let rows = match m {
            _ if least_squares => format!("λ of {m} rows by least squares at run time"),
            0 => "no constraints".to_owned(),
            1 => "λ by one division".to_owned(),
            _ => format!("J M⁻¹ Jᵀ of {m} rows by sparse LDLᵀ"),
        };
        let form = match &self.derived.solution {
            Solution::Unrolled(_) => self.of_limbs(),
            Solution::Rolled(_) if m == 0 => "Loops over equal blocks of M".to_owned(),
            Solution::Rolled(rolled) => {
                let eliminated = match &rolled.panels {
                    Some(panels) => {
                        let [count, blocks] = [panels.rows.len(), panels.blocks()];
                        format!(
                            "L of {blocks} blocks in {count} panels of four rows, driven by tables"
                        )
                    }
                    None => format!("{} entries of L", rolled.lower),
                };
                format!(
                    "Loops over {} families of rows, {eliminated}",
                    rolled.rows.len()
                )
            }
        };
        let counted = match (self.system.model.bodies.is_empty(), n) {
            (true, 1) => "coordinate",
            (true, _) => "coordinates",
            (false, _) => "velocities",
        };
        format!("{form}: {n} {counted}, {mass}, {rows}")
    }

    /// What is in loops over limbs.
    fn of_limbs(&self) -> String {
        let Limbs { routines, count } = &self.derived.limbs;
        let of = [
            (Quantity::Acceleration, "v̇"),
            (Quantity::MassTimes, "M a"),
            (Quantity::InverseDynamics, "M a − h"),
        ];
        let in_loops = of.iter().filter(|it| routines.contains_key(&it.0));
        let in_loops: Vec<&str> = in_loops.map(|it| it.1).collect_vec();
        match in_loops.is_empty() {
            true => "Every operation is written out".to_owned(),
            false => format!(
                "Loops over {count} equal limbs for {}, all else written out",
                in_loops.join(", ")
            ),
        }
    }

    /// An addition to the type's documentation: text for hovers; where rustdoc runs, MathML.
    pub(super) fn type_docs(&self, source: &TokenStream) -> TokenStream {
        let equations: Vec<String> = self.told().iter().map(Entry::equation).collect_vec();
        let costs = self.functions.iter().map(|function| {
            let cost = function.body.cost();
            Entry::counted(documented(function.signature.name), String::new(), cost)
        });
        let costs: Vec<Entry> = costs.collect_vec();
        let page = match self.system.options.of_points {
            true => quote!(derivation_mathml!(#source)),
            false => quote!(system_mathml!(#source)),
        };
        let base = self.base_parameters().unwrap_or_default();
        derivation::type_docs(
            (&self.introduction(), &equations.join("\n")),
            &page,
            (&format!("\n{}.\n{base}", self.solver()), &costs),
        )
    }

    /// The derivation as MathML in Markdown.
    pub(super) fn mathml(&self) -> String {
        let mut graph = self.system.model.graph.clone();
        let (mut blocks, mut notes) = (Vec::new(), Vec::new());
        for entry in self.told() {
            let (entry, form) = self.as_read(entry, &mut graph);
            match &entry.statement {
                Statement::Words(words) => blocks.push(format!("{}: {words}.", entry.symbol)),
                statement => blocks.push_each(statement.mathml()),
            }
            if form != Form::Computed && !notes.contains(&form.note()) {
                notes.push(form.note());
            }
        }
        blocks.push_each(notes.into_iter().map(str::to_owned));
        derivation::page(&self.introduction(), &blocks)
    }

    /// A formula in the form that is shortest to read.
    fn as_read(&self, entry: Entry, graph: &mut Graph) -> (Entry, Form) {
        let row = TABLE.iter().find(|row| row.signature.name == entry.name);
        let (Statement::Formula(..), Some(row)) = (&entry.statement, row) else {
            return (entry, Form::Computed);
        };
        let roots = self.derived.expressions(row.quantity);
        let list = |graph: &Graph, root| self.list_in(graph, &[root]);
        let readable = formula::readable(graph, &roots, list);
        let form = Form::of(graph, &roots, &readable);
        let mut listing = self.list_in(graph, &readable);
        if form == Form::Computed || listing.omitted > 0 {
            return (entry, Form::Computed);
        }
        let columns = match row.signature.result {
            Shape::Matrix(..) => self.system.coordinates.len(),
            _ => 0,
        };
        let results = std::mem::take(&mut listing.results);
        let equation = Equation::new(entry.symbol.clone(), results, columns);
        let statement = Statement::Formula(equation, listing);
        (Entry { statement, ..entry }, form)
    }

    /// `M v̇ = h + Jᵀ λ, J v̇ = −β.`
    fn introduction(&self) -> String {
        let letters = [
            ("M", "q"),
            ("h", "q, v"),
            ("J", "q"),
            ("λ", "q"),
            ("β", "q, v"),
        ];
        let [m, h, j, lambda, beta] =
            letters.map(|(symbol, arguments)| self.printed.result(symbol, arguments));
        let sliding = match self.derived.equations.rubbing.is_empty() {
            true => "",
            false => SLIDING,
        };
        if self.derived.rows() == 0 {
            return format!("{m} v̇ = {h}.{sliding}\n\n");
        }
        format!("{m} v̇ = {h} + {j}ᵀ {lambda}, {j} v̇ = −{beta}.{sliding}\n\n")
    }
}

/// The meaning of the formulas of rows with friction.
const SLIDING: &str = " While a contact slides forward or backward, with all others open, ∂g̈/∂λ of its gap g is A ∓ μ B. \
                       Where that is not positive, Coulomb's law has several motions or none (Painlevé).";

/// Matrices of more entries are not written out.
const MOST_ENTRIES: usize = 256;

/// Constraints that differ in their index alone.
struct RowFamily<'a> {
    base: &'a str,
    /// The first index, where there is one.
    index: Option<usize>,
    /// The number of constraints.
    length: usize,
    /// The text after the index, row by row of one constraint or of one part.
    suffixes: Vec<String>,
}

impl<'a> RowFamily<'a> {
    /// The rows of one constraint.
    fn of_one(rows: &'a [RowName]) -> RowFamily<'a> {
        RowFamily {
            base: &rows[0].base,
            index: rows[0].index,
            length: 1,
            suffixes: rows
                .iter()
                .map(|row| format!("{}{}", row.member, row.suffix))
                .collect_vec(),
        }
    }

    fn is_followed_by(&self, next: &RowFamily<'_>) -> bool {
        let index = self.index.map(|first| first + self.length);
        index.is_some()
            && (index, self.base, &self.suffixes) == (next.index, next.base, &next.suffixes)
    }
}

/// Runs of constraints that differ in their index alone.
fn families(rows: &[RowName]) -> Vec<RowFamily<'_>> {
    let mut families: Vec<RowFamily<'_>> = Vec::new();
    for rows in rows.chunk_by(|a, b| (&a.base, a.index) == (&b.base, b.index)) {
        let next = RowFamily::of_one(rows);
        match families.last_mut() {
            Some(family) if family.is_followed_by(&next) => family.length += 1,
            _ => families.push(next),
        }
    }
    families
}
