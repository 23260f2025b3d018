//! The generated items of a constraint, on points or between bodies.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::bodies;
use super::derivation::{Derivation, certified, costs};
use super::interface::{Interface, Reports, scalar_of};
use super::items::{implementations, structure, wrap};
#[cfg(feature = "export")]
use super::language::{self, Exported, Language};
use super::tokens::Tokens;
use super::undefined::OF_STATE;
use crate::certify::Certificate;
use crate::constraint::{Derived, Quantity};
use crate::expr::{Map, MapEach};
use crate::function::leaves::Names;
#[cfg(feature = "export")]
use crate::function::leaves::local;
use crate::function::undefined::{named, numbered};
use crate::function::{Entry, Function, Trait};
use crate::model::{Coordinate, Model};
use crate::syntax::bare_name;

/// The derivation as the MathML that rustdoc shows.
pub fn mathml(derived: &Derived) -> String {
    // The text next to it has the costs.
    Derivation::new(derived, &Map::default()).mathml()
}

/// All that is said of a constraint, with what its functions cost.
pub fn constraint_derivation(
    derived: &Derived,
    _: &Names,
    functions: Vec<Function<'_>>,
) -> Vec<Entry> {
    Derivation::new(derived, &costs(&functions)).entries
}

/// The items of a derived constraint: for the bare form, a block whose value is the constraint.
pub fn constraint(
    derived: &Derived,
    (names, functions, certificate): (&Names, &[Function<'_>], &Certificate),
    shim: &TokenStream,
    source: &TokenStream,
) -> TokenStream {
    let model = &derived.model;
    let item = model.item.as_ref();
    let name = item.map_or_else(bare_name, |item| item.name.clone());
    let derivation = Derivation::new(derived, &costs(functions));
    let mut docs = derivation.type_docs(source);
    docs.extend(certified(certificate, functions));
    let scalar = &scalar_of(&name);
    let structure = structure(item, &name, &docs, &model.parameters, scalar);
    let (sizes, varied) = (sizes(model), model.varied());
    let mut interface = interface(scalar, sizes, varied).reading(model, names, &quote!(self));
    interface.undefined = [false, true].map_each(|it| derived.undefined.is_in_motion(it));
    interface.revealed = [false, true].map(|it| derived.undefined.revealed_rows(it));
    let (mut members, mut derivatives) = (opening(scalar, sizes), Tokens::default());
    members.quoted(if model.bodies.is_empty() {
        coordinate_names(&model.coordinates)
    } else {
        holonomic(&derived.holonomic)
    });
    for function in functions {
        let docs = derivation.method_docs(function.signature.name);
        let of = match function.of_trait {
            Trait::Derivatives => &mut derivatives,
            _ => &mut members,
        };
        interface.method(of, function, &docs);
    }
    if model.bodies.is_empty() && functions.iter().any(|it| interface.judges(it)) {
        let row = numbered(model.rows.len());
        let places = named(model, &derived.undefined, &row);
        interface.check_defined(&mut members, OF_STATE, places, || {
            let leaf = |symbol| names.leaf(symbol);
            derived.program(&[Quantity::Undefined], &leaf)
        });
    }
    let requested = model.derivatives();
    let derivatives = requested.map(|_| (varies(scalar, sizes, varied), derivatives));
    let traits = [(implements(scalar, sizes), members)];
    let traits = traits.into_iter().chain(derivatives);
    let generic = !model.parameters.is_empty();
    let block = implementations(&name, generic, traits, &derivation.entries);
    let is_named = item.is_some_and(|item| item.named);
    wrap(is_named, &name, &quote!(#shim #structure #block))
}

/// The functions of a constraint in another language.
#[cfg(feature = "export")]
pub fn constraint_functions(
    derived: &Derived,
    (names, functions): (&Names, &[Function<'_>]),
    language: &dyn Language,
) -> Exported {
    let model = &derived.model;
    let interface = interface(&local("T"), sizes(model), model.varied());
    let interface = interface.reading(model, names, &quote!(self));
    language::functions(language, &interface, functions)
}

/// On points N, N, M and no bodies; between bodies the velocities of each, M and how many they are.
fn sizes(model: &Model) -> [usize; 4] {
    let (n, rows) = (model.coordinate_count(), model.rows.len());
    match model.bodies.len() {
        0 => [n, n, rows, 0],
        bodies => [0, model.body_velocities(), rows, bodies],
    }
}

/// `rt::Constraint<T, 2, 1>`, `rt::BodyConstraint<T, 6, 2, 1>`
pub(super) fn implements(scalar: &Ident, sizes: [usize; 4]) -> TokenStream {
    let [n, d, m, bodies] = sizes.map(Literal::usize_unsuffixed);
    match sizes {
        [.., 0] => quote!(rt::Constraint<#scalar, #n, #m>),
        _ => quote!(rt::BodyConstraint<#scalar, #d, #bodies, #m>),
    }
}

/// `rt::ForceDerivatives<T, 2, 1, 3>`
pub(super) fn varies(scalar: &Ident, [n, _, m, _]: [usize; 4], varied: usize) -> TokenStream {
    let [n, m, p] = [n, m, varied].map(Literal::usize_unsuffixed);
    quote!(rt::ForceDerivatives<#scalar, #n, #m, #p>)
}

/// The beginning of an implementation, also of a stub.
pub(super) fn opening(scalar: &Ident, sizes: [usize; 4]) -> Tokens {
    match sizes {
        [.., 0] => Tokens::default(),
        [_, d, ..] => {
            let body = bodies::pose(d, scalar);
            quote!(type Body = #body;).into()
        }
    }
}

/// Which rows are relations of positions.
fn holonomic(rows: &[bool]) -> TokenStream {
    let m = Literal::usize_unsuffixed(rows.len());
    quote!(const HOLONOMIC: [bool; #m] = [#(#rows),*];)
}

/// The coordinates by name, for messages.
fn coordinate_names(coordinates: &[Coordinate]) -> TokenStream {
    let names = coordinates.iter().flat_map(|coordinate| {
        let components: &[&str] = match coordinate.shape.len() {
            1 => &[""],
            2 => &[".x", ".y"],
            _ => &[".x", ".y", ".z"],
        };
        let name = |component| format!("{}{component}", coordinate.name);
        components.iter().map(name)
    });
    quote!(const NAMES: &'static [&'static str] = &[#(#names),*];)
}

/// The interface of the functions of a constraint with so many parameters.
pub(super) fn interface<'a>(scalar: &Ident, sizes: [usize; 4], varied: usize) -> Interface<'a> {
    let mut interface = Interface::new(scalar, sizes, quote!(rt::Singular));
    interface.varied[1] = varied;
    interface.reports = match sizes {
        [.., 0] => Reports::Row,
        _ => Reports::Index,
    };
    interface
}
