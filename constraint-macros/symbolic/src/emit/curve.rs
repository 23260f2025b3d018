//! The generated items of a curve: struct, `impl Curve`, derivation.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::derivation::{self, BUDGET};
use super::interface::{Interface, scalar_of};
use super::language::{self, Language};
use super::tokens::Tokens;
use super::{items, stub};
use crate::curve::{Derived, Quantity, describe};
use crate::diagnostic::Diagnostics;
use crate::expr::{ExprId, SymbolId};
use crate::formula::listing::{self, Listing};
use crate::formula::printed::Printed;
use crate::formula::{latex, mathml, text};
use crate::function::curve::{TABLE, functions, names};
use crate::function::leaves::local;
use crate::function::{Entry, Function, Row};
use crate::syntax::ast::{Curve, ExprKind};

/// The items of a derived curve.
pub fn curve(derived: &Derived, shim: &TokenStream, source: &TokenStream) -> TokenStream {
    let model = &derived.curve.model;
    let Some(item) = &model.item else {
        return TokenStream::new();
    };
    let names = names(model);
    let functions = functions(derived, &names);
    let entries = entries(derived, &functions);
    let (name, scalar, dimension) = (&item.name, scalar_of(&item.name), derived.dimension());
    let docs = type_docs(derived, &entries, source);
    let structure = items::structure(Some(item), name, &docs, &model.parameters, &scalar);
    let interface = interface(&scalar, dimension).reading(model, &names, &quote!(self));
    let mut methods = Tokens::default();
    for (function, entry) in functions.iter().zip(&entries) {
        interface.method(&mut methods, function, &derivation::method_docs(entry));
    }
    methods.quoted(&joined(derived).unwrap_or_default());
    let (generic, implements) = (!model.parameters.is_empty(), implements(&scalar, dimension));
    let derivation = derivation(derived, entries);
    let block = items::implementation(name, generic, &implements, methods, &derivation);
    quote!(#shim #structure #block)
}

/// The functions of a curve in another language, by name.
pub fn curve_functions(
    derived: &Derived,
    language: &dyn Language,
) -> BTreeMap<&'static str, String> {
    let (model, names) = (&derived.curve.model, names(&derived.curve.model));
    let interface = interface(&local("T"), derived.dimension());
    let interface = interface.reading(model, &names, &quote!(self));
    language::functions(language, &interface, &functions(derived, &names))
}

/// The errors, and items of the right names and shapes, so that one mistake gives one error.
pub fn curve_stub(
    tree: Option<&Curve>,
    diagnostics: &Diagnostics,
    shim: &TokenStream,
) -> TokenStream {
    let errors = diagnostics.to_tokens();
    let Some(tree) = tree else {
        return quote!(#errors);
    };
    let (header, structure) = (&tree.header, stub::structure(&tree.header));
    let (scalar, dimension) = (scalar_of(&header.name), stub_dimension(tree));
    let methods = interface(&scalar, dimension).stubs(&TABLE);
    let (generic, implements) = (
        !header.parameters.is_empty(),
        implements(&scalar, dimension),
    );
    let block = items::implementation(&header.name, generic, &implements, methods, []);
    quote!(#errors #shim #structure #block)
}

/// 3 where the points are written as a list of three, 2 otherwise.
fn stub_dimension(tree: &Curve) -> usize {
    let mut body = &tree.body;
    while let ExprKind::Block(block) = &body.kind {
        body = &block.value;
    }
    match &body.kind {
        ExprKind::List(items) if items.len() == 3 => 3,
        _ => 2,
    }
}

/// `rt::Curve<T, 2>`
fn implements(scalar: &Ident, dimension: usize) -> TokenStream {
    let dimension = Literal::usize_unsuffixed(dimension);
    quote!(rt::Curve<#scalar, #dimension>)
}

/// What the functions of a curve share.
fn interface<'a>(scalar: &Ident, dimension: usize) -> Interface<'a> {
    let sizes = [dimension, dimension, 0, 0];
    Interface::new(scalar, sizes, quote!(rt::Cusp))
}

/// How far apart pieces may be, where it is stated.
fn joined(derived: &Derived) -> Option<TokenStream> {
    let joined = Literal::f64_unsuffixed(derived.curve.joined?);
    Some(quote! {
        #[inline]
        fn joined(&self) -> ::core::primitive::f64 {
            #joined
        }
    })
}

// ---- derivation ---------------------------------------------------------------------------------

/// The quantity that a function's formula is of.
fn quantity(row: &Row<&[Quantity]>) -> Option<Quantity> {
    use Quantity::{Acceleration, DampedAcceleration, Piece};
    match row.quantity {
        [Piece] => None,
        [it] | [.., it @ (Acceleration | DampedAcceleration)] => Some(*it),
        _ => None,
    }
}

/// Symbols and quantities of the derivation, in the order of the theory; that of a damped s̈ stands with its function.
fn told() -> impl Iterator<Item = (&'static str, Quantity)> {
    let told = TABLE
        .iter()
        .filter_map(|row| Some((row.symbol, quantity(row)?)));
    told.filter(|(_, quantity)| *quantity != Quantity::DampedAcceleration)
}

/// What is said of every function.
fn entries(derived: &Derived, functions: &[Function<'_>]) -> Vec<Entry> {
    let printed = Printed::new(&derived.curve.model);
    let entry = |(row, function): (&Row<&[Quantity]>, &Function<'_>)| {
        let formula = quantity(row).map(|it| formula(derived, &printed, it));
        let [text, latex] = formula.unwrap_or_default();
        Entry {
            name: row.signature.name,
            symbol: symbol(derived, &printed, row.symbol),
            text,
            latex,
            cost: function.body.cost(),
        }
    };
    TABLE.iter().zip(functions).map(entry).collect()
}

/// The entries of `DERIVATION`: those with formulas first.
fn derivation(derived: &Derived, entries: Vec<Entry>) -> Vec<Entry> {
    let (mut all, mut counted) = (Vec::new(), Vec::new());
    for (row, entry) in TABLE.iter().zip(entries) {
        match quantity(row) {
            Some(Quantity::DampedAcceleration) | None if !entry.symbol.is_empty() => {
                counted.push(Entry::counted(entry.name, "", entry.cost));
            }
            Some(_) => all.push(entry),
            None => {}
        }
    }
    all.extend(counted);
    all.push(Entry::words("continuity", describe(derived)));
    all
}

/// `r`, or `r(s)` where a field is called `r`; the domain is that of the parameter, whatever it is called.
fn symbol(derived: &Derived, printed: &Printed, symbol: &str) -> String {
    let parameter = derived.curve.parameter();
    match symbol {
        "s" => parameter,
        "s̈" if parameter.chars().count() == 1 => format!("{parameter}\u{308}"),
        "s̈" => format!("{parameter}_ddot"),
        _ => printed.result(symbol, &parameter),
    }
}

/// The right-hand side, as text and as LaTeX.
fn formula(derived: &Derived, printed: &Printed, quantity: Quantity) -> [String; 2] {
    let listing = list(derived, printed, &[quantity]);
    let columns = match (quantity, &listing.results[..]) {
        (Quantity::Domain, [start, end]) => {
            let (a, b) = (latex::expression(start), latex::expression(end));
            let text = format!("{} ..= {}", text::expression(start), text::expression(end));
            return [text, format!(r"{a} \ldots {b}")];
        }
        (_, [_]) => 0,
        _ => derived.dimension(),
    };
    [
        text::whole(&listing, columns),
        latex::whole(&listing, columns),
    ]
}

fn list(derived: &Derived, printed: &Printed, quantities: &[Quantity]) -> Listing {
    let model = &derived.curve.model;
    let symbol = |symbol: SymbolId| printed.leaf(model, symbol);
    let roots = quantities.iter().flat_map(|&q| expressions(derived, q));
    let roots: Vec<ExprId> = roots.collect();
    let budget = BUDGET * quantities.len();
    listing::list(&model.graph, &symbol, &model.names, &roots, budget)
}

/// A quantity of all pieces, in the last form: the one that has been simplified, which reads best.
fn expressions(derived: &Derived, quantity: Quantity) -> Vec<ExprId> {
    let whole = &derived.whole;
    let form = whole.forms.last();
    form.map_or_else(Vec::new, |form| derived.expressions(whole, quantity, form))
}

/// What the type's documentation gains.
fn type_docs(derived: &Derived, entries: &[Entry], source: &TokenStream) -> TokenStream {
    let own = TABLE.iter().zip(entries);
    let own = own.filter(|(row, _)| told().any(|(_, told)| quantity(row) == Some(told)));
    let equations: Vec<String> = own.map(|(_, entry)| entry.equation()).collect();
    let text = format!("{}, {}", equations.join("\n"), describe(derived));
    // What takes no s costs nothing to speak of, and pieces are told apart by seams alone.
    let counted = TABLE.iter().zip(entries);
    let counted = counted.filter(|(row, _)| !matches!(row.signature.name, "domain" | "piece"));
    let mathml = quote!(curve_mathml!(#source));
    derivation::type_docs(&text, &mathml, counted.map(|(_, entry)| entry))
}

/// The derivation of a curve as the MathML that rustdoc shows.
pub fn curve_mathml(derived: &Derived) -> String {
    let printed = Printed::new(&derived.curve.model);
    let quantities: Vec<Quantity> = told().map(|(_, quantity)| quantity).collect();
    let listing = list(derived, &printed, &quantities);
    let mut results = listing.results.iter();
    let equation = |(name, quantity): (&str, Quantity)| {
        let size = expressions(derived, quantity).len();
        let results: Vec<_> = results.by_ref().take(size).cloned().collect();
        let formula = match &results[..] {
            [single] => mathml::expression(single),
            _ => mathml::matrix(&[results]),
        };
        mathml::equation(&mathml::symbol(&symbol(derived, &printed, name)), &formula)
    };
    let equations: Vec<String> = told().map(equation).collect();
    let definitions = mathml::definitions(&listing);
    let blocks: Vec<String> = equations.into_iter().chain(definitions).collect();
    format!("\n# Derivation\n\n{}\n", blocks.join("\n\n"))
}
