//! The generated items of a curve: struct, `impl Curve`, derivation.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::derivation::{self, BUDGET, costs, told};
use super::interface::{Interface, Reports, scalar_of};
#[cfg(feature = "export")]
use super::language::{self, Exported, Language};
use super::tokens::Tokens;
use super::{items, stub};
use crate::certify::Certificate;
use crate::curve::{Derived, Quantity, describe};
use crate::diagnostic::Diagnostics;
use crate::expr::{CollectVec, ExprId, MapEach, SymbolId};
use crate::formula::listing::{self, Listing};
use crate::formula::printed::Printed;
use crate::formula::{Equation, Formula, Statement, mathml};
use crate::function::curve::{DERIVATIVES, TABLE};
use crate::function::leaves::Names;
#[cfg(feature = "export")]
use crate::function::leaves::local;
use crate::function::undefined::named;
use crate::function::{Argument, Entry, Function, Row, Shape, Trait};
use crate::syntax::ast::{Curve, ExprKind};

/// The items of a derived curve.
pub fn curve(
    derived: &Derived,
    (names, functions, certificate): (&Names, &[Function<'_>], &Certificate),
    shim: &TokenStream,
    source: &TokenStream,
) -> TokenStream {
    let model = &derived.curve.model;
    let Some(item) = &model.item else {
        return TokenStream::new();
    };
    let entries = entries(derived, functions);
    let (name, scalar, dimension) = (&item.name, scalar_of(&item.name), derived.dimension());
    let mut docs = type_docs(derived, &entries, source);
    docs.extend(derivation::certified(certificate, functions));
    let structure = items::structure(Some(item), name, &docs, &model.parameters, &scalar);
    let varied = model.varied();
    let mut interface = interface(&scalar, dimension, varied).reading(model, names, &quote!(self));
    interface.undefined = [false, true].map_each(|it| derived.undefined.is_in_curve(it));
    let (mut methods, mut derivatives) = (Tokens::default(), Tokens::default());
    for (function, entry) in functions.iter().zip(&entries) {
        let of = match function.of_trait {
            Trait::Derivatives => &mut derivatives,
            _ => &mut methods,
        };
        interface.method(of, function, &derivation::method_docs(entry));
    }
    methods.quoted(joined(derived).unwrap_or_default());
    let places = named(model, &derived.undefined, &|_| String::new());
    interface.check_defined(&mut methods, &[Argument::Parameter], places, || {
        derived.program_of_places(&|symbol| names.leaf(symbol))
    });
    let requested = item.derivatives;
    let derivatives = requested.map(|_| (varies(&scalar, dimension, varied), derivatives));
    let traits = [(implements(&scalar, dimension), methods)];
    let traits = traits.into_iter().chain(derivatives);
    let (generic, derivation) = (varied > 0, whole(derived, functions, &entries));
    let block = items::implementations(name, generic, traits, &derivation);
    quote!(#shim #structure #block)
}

/// The functions of a curve in another language.
#[cfg(feature = "export")]
pub fn curve_functions(
    derived: &Derived,
    (names, functions): (&Names, &[Function<'_>]),
    language: &dyn Language,
) -> Exported {
    let model = &derived.curve.model;
    let interface = interface(&local("T"), derived.dimension(), model.varied());
    let interface = interface.reading(model, names, &quote!(self));
    language::functions(language, &interface, functions)
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
    let varied = stub::varied(header);
    let interface = interface(&scalar, dimension, varied);
    let derivatives = header.derivatives.map(|_| {
        let implements = varies(&scalar, dimension, varied);
        (implements, interface.stubs(&DERIVATIVES))
    });
    let traits = [(implements(&scalar, dimension), interface.stubs(&TABLE))];
    let traits = traits.into_iter().chain(derivatives);
    let block = items::implementations(&header.name, varied > 0, traits, []);
    quote!(#shim #errors #structure #block)
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

/// `rt::CurveDerivatives<T, 2, 1>`
fn varies(scalar: &Ident, dimension: usize, varied: usize) -> TokenStream {
    let [dimension, p] = [dimension, varied].map(Literal::usize_unsuffixed);
    quote!(rt::CurveDerivatives<#scalar, #dimension, #p>)
}

/// The interface of the functions of a curve with so many parameters.
fn interface<'a>(scalar: &Ident, dimension: usize, varied: usize) -> Interface<'a> {
    let sizes = [dimension, dimension, 0, 0];
    let mut interface = Interface::new(scalar, sizes, quote!(rt::Cusp));
    interface.varied[1] = varied;
    interface.reports = Reports::Value;
    interface
}

/// The largest gap between pieces, if one is declared.
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

type Told = Row<&'static [Quantity]>;

/// The documentation of each function.
fn entries(derived: &Derived, functions: &[Function<'_>]) -> Vec<Entry> {
    let printed = Printed::new(&derived.curve.model);
    let rows = TABLE.iter().chain(&DERIVATIVES);
    let entry = |(row, function): (&Told, &Function<'_>)| {
        // That of a damped s̈ is documented at its function only.
        let damped = row.quantity.contains(&Quantity::DampedAcceleration);
        let formula = (damped || !row.counted).then(|| formula(derived, &printed, row));
        Entry {
            name: row.signature.name,
            symbol: symbol(derived, &printed, row.symbol),
            statement: formula.unwrap_or_default(),
            cost: function.body.cost(),
        }
    };
    let own = |function: &Function<'_>| {
        let mut rows = rows.clone();
        rows.find(|row| row.signature.name == function.signature.name)
    };
    let pairs = functions.iter().filter_map(|it| Some((own(it)?, it)));
    pairs.map(entry).collect_vec()
}

/// All that is said of a curve.
pub fn curve_derivation(derived: &Derived, _: &Names, functions: Vec<Function<'_>>) -> Vec<Entry> {
    whole(derived, &functions, &entries(derived, &functions))
}

/// The functions that have a formula, the costs of the others, and how pieces meet.
fn whole(derived: &Derived, functions: &[Function<'_>], entries: &[Entry]) -> Vec<Entry> {
    let told = TABLE.iter().zip(entries).filter(|(row, _)| !row.counted);
    let told = told.map(|(_, entry)| entry.clone()).collect_vec();
    let printed = Printed::new(&derived.curve.model);
    let symbol = |row: &Told| symbol(derived, &printed, row.symbol);
    let continuity = Entry::without_symbol("continuity", Statement::Words(describe(derived)));
    let table = TABLE.iter().chain(&DERIVATIVES);
    derivation::entries(table, told, symbol, &costs(functions), [continuity])
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

/// The right-hand side.
fn formula(derived: &Derived, printed: &Printed, row: &Told) -> Statement {
    let mut listing = list(derived, printed, &[row]);
    let results = std::mem::take(&mut listing.results);
    Statement::Formula(equation(derived, printed, row, results), listing)
}

/// A number, a row of components, or a range.
fn equation(derived: &Derived, printed: &Printed, row: &Told, results: Vec<Formula>) -> Equation {
    let symbol = symbol(derived, printed, row.symbol);
    let columns = if results.len() == 1 { 0 } else { results.len() };
    match (row.signature.result, <[Formula; 2]>::try_from(results)) {
        (Shape::Range, Ok(ends)) => {
            let [start, end] = ends.map(Box::new);
            Equation::new(symbol, vec![Formula::Range(start, end)], 0)
        }
        (_, Ok(two)) => Equation::new(symbol, two.into(), columns),
        (_, Err(results)) => Equation::new(symbol, results, columns),
    }
}

fn list(derived: &Derived, printed: &Printed, rows: &[&Told]) -> Listing {
    let model = &derived.curve.model;
    let symbol = |symbol: SymbolId| printed.leaf(model, symbol);
    let roots = rows.iter().flat_map(|row| expressions(derived, row));
    let roots: Vec<ExprId> = roots.collect_vec();
    let budget = BUDGET * rows.len();
    let names = printed.names(model);
    listing::list(&model.graph, &symbol, &names, &roots, budget)
}

/// The result of a function for all pieces, in the last form: the one that has been simplified, which reads best.
fn expressions(derived: &Derived, row: &Told) -> Vec<ExprId> {
    let whole = &derived.whole;
    let last = whole.forms.last().zip(row.quantity.last());
    last.map_or_else(Vec::new, |(form, &it)| derived.expressions(whole, it, form))
}

/// An addition to the type's documentation.
fn type_docs(derived: &Derived, entries: &[Entry], source: &TokenStream) -> TokenStream {
    let told = TABLE.iter().zip(entries).filter(|(row, _)| !row.counted);
    let equations: Vec<String> = told.map(|(_, entry)| entry.equation()).collect_vec();
    let text = format!("{}, {}", equations.join("\n"), describe(derived));
    // Functions without s cost next to nothing, and seams alone separate pieces.
    let counted = entries.iter();
    let counted = counted.filter(|entry| !matches!(entry.name, "domain" | "piece"));
    derivation::type_docs(("", &text), &quote!(curve_mathml!(#source)), ("", counted))
}

/// The derivation of a curve as the MathML that rustdoc shows.
pub fn curve_mathml(derived: &Derived) -> String {
    let printed = Printed::new(&derived.curve.model);
    let listing = list(derived, &printed, &told(&TABLE).collect_vec());
    let mut results = listing.results.iter();
    let equation = |row: &Told| {
        let size = expressions(derived, row).len();
        let results = results.by_ref().take(size).cloned().collect_vec();
        equation(derived, &printed, row, results).mathml()
    };
    let equations: Vec<String> = told(&TABLE).map(equation).collect_vec();
    let definitions = mathml::definitions(&listing);
    let blocks: Vec<String> = equations.into_iter().chain(definitions).collect_vec();
    derivation::page("", &blocks)
}
