//! The generated items of a constraint between bodies: struct, `impl BodyConstraint`, derivation.

mod inputs;
mod told;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use self::inputs::Inputs;
use self::told::Told;
use super::derivation;
use super::interface::scalar_of;
use super::items::{structure, wrap};
use super::rust::{self, Spelling};
use super::scope;
use super::tokens::Tokens;
use crate::constraint::{Derived, Quantity};
use crate::expr::SymbolId;
use crate::function::leaves::Unique;
use crate::function::leaves::{local, snake};
use crate::model::{Model, Shape};
use crate::schedule::Program;
use crate::syntax::ast::name_of;

/// The shape of a method's result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Returns {
    Rows,
    Blocks,
    Square,
    Everything,
    TryRows,
}

/// One method of the trait.
struct Method {
    name: &'static str,
    quantities: &'static [Quantity],
    returns: Returns,
    /// The arguments between `q` and the end.
    arguments: &'static [&'static str],
}

const METHODS: [Method; 9] = {
    use Quantity::{Bias, Delassus, Impulses, Jacobian, Multipliers, Rate, Solution, Value};
    const fn method(
        name: &'static str,
        quantities: &'static [Quantity],
        returns: Returns,
        arguments: &'static [&'static str],
    ) -> Method {
        Method {
            name,
            quantities,
            returns,
            arguments,
        }
    }
    [
        method("value", &[Value], Returns::Rows, &[]),
        method("jacobian", &[Jacobian], Returns::Blocks, &[]),
        method("rate", &[Rate], Returns::Rows, &["v"]),
        method("bias", &[Bias], Returns::Rows, &["v"]),
        method("delassus", &[Delassus], Returns::Square, &["w"]),
        method(
            "rows",
            &[Value, Jacobian, Rate, Bias, Delassus],
            Returns::Everything,
            &["v", "w"],
        ),
        method("solve", &[Solution], Returns::TryRows, &["w", "b"]),
        method("impulses", &[Impulses], Returns::TryRows, &["v", "w"]),
        method(
            "multipliers",
            &[Multipliers],
            Returns::TryRows,
            &["v", "w", "f"],
        ),
    ]
};

/// The identifiers of one expansion.
struct Names {
    /// Per symbol.
    leaves: Vec<Ident>,
    heads: Vec<Heads>,
    scalar: Ident,
}

/// What a body itself, its velocity, its weight and its force are called before they are taken apart.
struct Heads {
    q: Ident,
    v: Ident,
    w: Ident,
    f: Ident,
}

impl Heads {
    /// The user's own identifier for the body where it can stand; ours never meet it.
    fn new(unique: &mut Unique, body: &Ident) -> Heads {
        let own = *body == snake(&name_of(body));
        let q = match own {
            true => body.clone(),
            false => local(&unique.name(&name_of(body))),
        };
        let mut ours = |prefix: &str| local(&unique.name(&format!("{prefix}_{q}")));
        let (v, w, f) = (ours("v"), ours("inverse"), ours("f"));
        Heads { q, v, w, f }
    }
}

impl Names {
    fn new(model: &Model, type_name: &Ident) -> Names {
        let arguments = ["q", "v", "w", "f", "b", "t"].map(str::to_owned);
        let mut unique = Unique::beside(arguments);
        let bodies = model.bodies.iter();
        let heads = bodies.map(|body| Heads::new(&mut unique, &body.name));
        let heads = heads.collect();
        let symbols = model.symbols.iter();
        let leaves = symbols.map(|symbol| local(&unique.name(&symbol.name)));
        Names {
            leaves: leaves.collect(),
            heads,
            scalar: scalar_of(type_name),
        }
    }
}

/// The numbers that the types are made of.
struct Sizes {
    velocities: Literal,
    bodies: Literal,
    rows: Literal,
}

/// The items of a derived joint.
pub fn joint(joint: &Derived, shim: &TokenStream) -> TokenStream {
    let model = &joint.model;
    let Some(item) = &model.item else {
        return TokenStream::new();
    };
    let names = Names::new(model, &item.name);
    let methods = METHODS
        .iter()
        .filter(|method| joint.is_closed() || method.returns != Returns::TryRows);
    let leaf_name = |symbol: SymbolId| names.leaves[symbol.index()].to_string();
    let programs: Vec<(&Method, Program)> = methods
        .map(|method| (method, joint.program(method.quantities, &leaf_name)))
        .collect();
    let told = Told::new(joint, &programs);
    let docs: TokenStream = told.type_docs(&programs).into();
    let structure = structure(
        Some(item),
        &item.name,
        &docs,
        &model.parameters,
        &names.scalar,
    );
    let implementation = implementation(joint, &names, &programs, &told);
    let default = (!model.parameters.is_empty()).then(|| quote!(<f64>));
    let (own, constant) = (
        scope::inside(&item.name),
        derivation::constant(&told.entries),
    );
    let impls = quote! {
        #implementation

        #[automatically_derived]
        impl #own #default {
            #constant
        }
    };
    let block = scope::block(&item.name, !model.parameters.is_empty(), &impls);
    wrap(item.named, &item.name, &quote!(#shim #structure #block))
}

fn implementation(
    joint: &Derived,
    names: &Names,
    programs: &[(&Method, Program)],
    told: &Told,
) -> TokenStream {
    let model = &joint.model;
    let Some(item) = &model.item else {
        return TokenStream::new();
    };
    let (own, scalar) = (scope::inside(&item.name), &names.scalar);
    let arguments = (!model.parameters.is_empty()).then(|| quote!(<#scalar>));
    let sizes = Sizes {
        velocities: Literal::usize_unsuffixed(model.body_velocities()),
        bodies: Literal::usize_unsuffixed(model.bodies.len()),
        rows: Literal::usize_unsuffixed(model.rows.len()),
    };
    let Sizes {
        velocities,
        bodies,
        rows,
    } = &sizes;
    let body = body_type(model, scalar);
    let holonomic = &joint.holonomic;
    let methods = programs
        .iter()
        .map(|(method, program)| self::method(model, names, &sizes, method, program, told));
    quote! {
        #[automatically_derived]
        impl<#scalar: rt::Real> rt::BodyConstraint<#scalar, #velocities, #bodies, #rows> for #own #arguments {
            type Body = #body;

            const HOLONOMIC: [bool; #rows] = [#(#holonomic),*];

            #(#methods)*
        }
    }
}

fn in_space(model: &Model) -> bool {
    model.bodies.iter().any(|body| body.shape == Shape::Space)
}

pub(super) fn body_type(model: &Model, scalar: &Ident) -> TokenStream {
    match in_space(model) {
        true => quote!(rt::Rigid3<#scalar>),
        false => quote!(rt::Rigid2<#scalar>),
    }
}

fn method(
    model: &Model,
    names: &Names,
    sizes: &Sizes,
    method: &Method,
    program: &Program,
    told: &Told,
) -> TokenStream {
    let scalar = &names.scalar;
    let leaf = |symbol: SymbolId| names.leaves[symbol.index()].clone();
    let spelling = Spelling {
        leaf: &leaf,
        scalar,
        coordinate: &|_| None,
    };
    let body = rust::body(program, &spelling);
    let inputs = Inputs {
        model,
        names,
        used: program.inputs(),
    };
    let bindings = inputs.bindings();
    let parameters = inputs.parameters(sizes, method.arguments);
    let (result, returned) = result(model, sizes, scalar, method.returns, &body.outputs);
    let name = format_ident!("{}", method.name, span = Span::mixed_site());
    let statements = body.statements;
    let docs = told.method_docs(method.name);
    quote! {
        #docs
        #[inline]
        fn #name(&self, #parameters) -> #returned {
            #bindings
            #statements
            #result
        }
    }
}

/// The value of a method and its type.
fn result(
    model: &Model,
    sizes: &Sizes,
    scalar: &Ident,
    returns: Returns,
    outputs: &[Tokens],
) -> (TokenStream, TokenStream) {
    let Sizes {
        velocities,
        bodies,
        rows,
    } = sizes;
    let m = model.rows.len();
    let vector = |outputs: &[Tokens]| quote!([#(#outputs),*].into());
    let rows_type = quote!(rt::SVector<#scalar, #rows>);
    match returns {
        Returns::Rows => (vector(outputs), rows_type),
        Returns::TryRows => {
            let vector = vector(outputs);
            (
                quote!(Ok(#vector)),
                quote!(Result<#rows_type, rt::Singular>),
            )
        }
        Returns::Blocks => (
            blocks(model, outputs),
            quote!([rt::SMatrix<#scalar, #rows, #velocities>; #bodies]),
        ),
        // Symmetric, so rows are columns.
        Returns::Square => (
            square(m, outputs),
            quote!(rt::SMatrix<#scalar, #rows, #rows>),
        ),
        Returns::Everything => {
            let (value, rest) = outputs.split_at(m);
            let (jacobian, rest) = rest.split_at(m * model.body_velocities() * model.bodies.len());
            let (rate, rest) = rest.split_at(m);
            let (bias, delassus) = rest.split_at(m);
            let (value, rate, bias) = (vector(value), vector(rate), vector(bias));
            let (jacobian, delassus) = (blocks(model, jacobian), square(m, delassus));
            let everything = quote! {
                rt::BodyRows {
                    value: #value,
                    jacobian: #jacobian,
                    rate: #rate,
                    bias: #bias,
                    delassus: #delassus,
                }
            };
            let ty = quote!(rt::BodyRows<#scalar, #velocities, #bodies, #rows>);
            (everything, ty)
        }
    }
}

fn square(n: usize, outputs: &[Tokens]) -> TokenStream {
    let columns = outputs.chunks(n).map(|column| quote!([#(#column),*]));
    quote!([#(#columns),*].into())
}

/// J as one matrix per body, by columns.
fn blocks(model: &Model, outputs: &[Tokens]) -> TokenStream {
    let per_body = model.body_velocities();
    let width = per_body * model.bodies.len();
    let column = |k: usize| {
        let entries = outputs.iter().skip(k).step_by(width);
        quote!([#(#entries),*])
    };
    let blocks = (0..model.bodies.len()).map(|body| {
        let columns = (0..per_body).map(|k| column(body * per_body + k));
        quote!([#(#columns),*].into())
    });
    quote!([#(#blocks),*])
}
