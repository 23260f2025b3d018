//! The generated items: struct, `impl Constraint`, derivation.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use super::derivation::{self, Derivation, Quoted};
use super::interface::scalar_of;
use super::joint::joint;
use super::rust::{self, Spelling};
use super::scope;
use super::tokens::Tokens;
use crate::constraint::{Derived, Quantity};
use crate::expr::{Map, SymbolId};
use crate::function::leaves::Unique;
use crate::function::leaves::local;
use crate::model::{Coordinate, Item, Model, Parameter, Role, Shape};
use crate::schedule::Program;
use crate::syntax::bare_name;

/// The identifiers of one expansion.
struct Names {
    /// Per symbol.
    leaves: Vec<Ident>,
    q: Ident,
    v: Ident,
    w: Ident,
    f: Ident,
    b: Ident,
    m: Ident,
    t: Ident,
    scalar: Ident,
    runtime: TokenStream,
    types: Types,
}

impl Names {
    fn new(model: &Model, type_name: &Ident) -> Names {
        let mut unique = Unique::default();
        let mut leaves: Vec<Option<Ident>> = vec![None; model.symbols.len()];
        let users = |role: &Role| {
            matches!(
                role,
                Role::Time | Role::Coordinate(_) | Role::Parameter { .. }
            )
        };
        let order = model.symbols.iter().enumerate();
        for (i, symbol) in order.clone().filter(|(_, symbol)| users(&symbol.role)) {
            leaves[i] = Some(unique.leaf(model, symbol.role, &symbol.name));
        }
        let [q, v, w, f, b, m, t] =
            ["q", "v", "w", "f", "b", "m", "t"].map(|name| local(&unique.name(name)));
        for (i, symbol) in order.filter(|(_, symbol)| !users(&symbol.role)) {
            leaves[i] = Some(match symbol.role {
                Role::Mass => m.clone(),
                _ => local(&unique.name(&symbol.name)),
            });
        }
        let leaves = leaves
            .into_iter()
            .map(|leaf| leaf.unwrap_or_else(|| t.clone()))
            .collect();
        let scalar = scalar_of(type_name);
        let runtime = quote!(rt);
        Names {
            leaves,
            q,
            v,
            w,
            f,
            b,
            m,
            t,
            types: Types::new(model, &scalar, &runtime),
            scalar,
            runtime,
        }
    }
}

/// The types of arguments and results.
struct Types {
    coordinates: Tokens,
    rows: Tokens,
    matrix: Tokens,
    tried_rows: Tokens,
    tried_coordinates: Tokens,
}

impl Types {
    fn new(model: &Model, scalar: &Ident, rt: &TokenStream) -> Types {
        let (n, m) = (count(model.coordinate_count()), count(model.rows.len()));
        let coordinates = quote!(#rt::SVector<#scalar, #n>);
        let rows = quote!(#rt::SVector<#scalar, #m>);
        Types {
            matrix: quote!(#rt::SMatrix<#scalar, #m, #n>).into(),
            tried_rows: quote!(Result<#rows, #rt::Singular>).into(),
            tried_coordinates: quote!(Result<#coordinates, #rt::Singular>).into(),
            coordinates: coordinates.into(),
            rows: rows.into(),
        }
    }

    fn of(&self, returns: Returns) -> &Tokens {
        match returns {
            Returns::Rows => &self.rows,
            Returns::Matrix => &self.matrix,
            Returns::TryRows => &self.tried_rows,
            Returns::TryCoordinates => &self.tried_coordinates,
        }
    }
}

/// The derivation as the MathML that rustdoc shows.
pub fn mathml(derived: &Derived) -> String {
    // Costs stand in the text beside it.
    Derivation::new(derived, &|_| None).mathml()
}

/// The shape of a method's result.
#[derive(Clone, Copy)]
enum Returns {
    Rows,
    Matrix,
    TryRows,
    TryCoordinates,
}

/// Name, quantity, shape, and the arguments between `q` and the end.
const METHODS: [(&str, Quantity, Returns, &[&str]); 9] = [
    ("value", Quantity::Value, Returns::Rows, &[]),
    ("jacobian", Quantity::Jacobian, Returns::Matrix, &[]),
    ("rate", Quantity::Rate, Returns::Rows, &["v"]),
    (
        "jacobian_dot",
        Quantity::JacobianDot,
        Returns::Matrix,
        &["v"],
    ),
    ("bias", Quantity::Bias, Returns::Rows, &["v"]),
    (
        "multipliers",
        Quantity::Multipliers,
        Returns::TryRows,
        &["v", "w", "f"],
    ),
    (
        "force",
        Quantity::Force,
        Returns::TryCoordinates,
        &["v", "w", "f"],
    ),
    (
        "particle_force",
        Quantity::ParticleForce,
        Returns::TryCoordinates,
        &["v", "m", "f"],
    ),
    ("solve", Quantity::Solution, Returns::TryRows, &["w", "b"]),
];

/// The coordinates by name, for messages.
fn coordinate_names(coordinates: &[Coordinate], runtime: &TokenStream) -> TokenStream {
    let names = coordinates.iter().map(|coordinate| {
        let base = coordinate.name.to_string();
        let components: &[&str] = match coordinate.shape.len() {
            1 => &[""],
            2 => &[".x", ".y"],
            _ => &[".x", ".y", ".z"],
        };
        quote!(#runtime::Names::of(#base, &[#(#components),*]))
    });
    quote! {
        fn names(&self) -> &'static [#runtime::Names] {
            const { &[#(#names),*] }
        }
    }
}

/// The items of a derived constraint: for the bare form, a block whose value is the constraint.
pub fn constraint(derived: &Derived, shim: &TokenStream, source: &TokenStream) -> TokenStream {
    let model = &derived.model;
    if !model.bodies.is_empty() {
        return joint(derived, shim);
    }
    let item = model.item.as_ref();
    let name = item.map_or_else(bare_name, |item| item.name.clone());
    let names = Names::new(model, &name);
    let (n, m) = (count(model.coordinate_count()), count(model.rows.len()));
    let leaf_name = |symbol: SymbolId| names.leaves[symbol.index()].to_string();
    let programs = METHODS.map(|(_, quantity, ..)| derived.program(&[quantity], &leaf_name));
    let counts = |quantity| {
        METHODS
            .iter()
            .zip(&programs)
            .find(|(row, _)| row.1 == quantity)
            .map(|(_, program)| program.count)
    };
    let derivation = Derivation::new(derived, &counts);
    let entries = &derivation.entries;
    let docs = derivation.type_docs(source);
    let structure = structure(item, &name, &docs, &model.parameters, &names.scalar);
    let mut methods = Tokens::default();
    for (row, program) in METHODS.iter().zip(&programs) {
        method(&mut methods, model, &names, entries, row, program);
    }
    let (scalar, runtime) = (&names.scalar, &names.runtime);
    methods.quoted(&coordinate_names(&model.coordinates, runtime));
    let locals = scope::Bound::of(methods.bound());
    let methods = Group::new(Delimiter::Brace, methods.into());
    let generic = !model.parameters.is_empty();
    let arguments = generic.then(|| quote!(<#scalar>));
    let default = generic.then(|| quote!(<f64>));
    let constant = derivation::constant(entries.iter().map(|it| &it.entry));
    let own = scope::inside(&name);
    let impls = quote! {
        #[automatically_derived]
        impl<#scalar: #runtime::Real> #runtime::Constraint<#scalar, #n, #m> for #own #arguments #methods

        #[automatically_derived]
        impl #own #default {
            #constant
        }
    };
    let block = scope::block_binding(locals, &name, generic, &impls);
    let named = item.is_some_and(|item| item.named);
    wrap(named, &name, &quote!(#shim #structure #block))
}

/// The items, or, of the bare form, a block whose value is the constraint.
pub(super) fn wrap(named: bool, name: &Ident, items: &TokenStream) -> TokenStream {
    match named {
        true => items.clone(),
        false => quote!({ #items #name }),
    }
}

fn count(n: usize) -> Literal {
    Literal::usize_unsuffixed(n)
}

pub(super) fn structure(
    item: Option<&Item>,
    name: &Ident,
    docs: &TokenStream,
    parameters: &[Parameter],
    scalar: &Ident,
) -> TokenStream {
    let runtime = quote!(::constraint_runtime::__private);
    let derives = derives(item);
    let attributes = item.map(|item| &item.attributes);
    let visibility = item.map(|item| &item.visibility);
    if parameters.is_empty() {
        return quote! { #attributes #docs #derives #visibility struct #name; };
    }
    let fields = parameters.iter().map(|parameter| {
        let Parameter {
            attributes,
            visibility,
            name,
            shape,
        } = parameter;
        let ty = match shape {
            Shape::Scalar => quote!(#scalar),
            Shape::Plane => quote!(#runtime::Vector2<#scalar>),
            Shape::Space => quote!(#runtime::Vector3<#scalar>),
        };
        quote!(#attributes #visibility #name: #ty)
    });
    quote! {
        #attributes
        #docs
        #derives
        #visibility struct #name<#scalar: #runtime::Real = ::core::primitive::f64> { #(#fields),* }
    }
}

/// Clone, Copy, Debug and PartialEq, then what the user asks for besides.
fn derives(item: Option<&Item>) -> TokenStream {
    let theirs = item.map_or(&[][..], |item| &item.derives).iter();
    let ours = ["Clone", "Copy", "Debug", "PartialEq"];
    let theirs = theirs.filter(|path| !ours.iter().any(|name| is_path_to(path, name)));
    let ours = derived();
    quote!(#[derive(#ours, #(#theirs),*)])
}

/// What every generated type derives, whatever else is called so where it stands.
pub(super) fn derived() -> TokenStream {
    quote!(
        ::core::clone::Clone,
        ::core::marker::Copy,
        ::core::fmt::Debug,
        ::core::cmp::PartialEq
    )
}

/// Whether a path ends in the name.
pub(super) fn is_path_to(path: &TokenStream, name: &str) -> bool {
    let path = path.to_string();
    path.rsplit("::").next().unwrap_or(&path).trim() == name
}

fn method(
    out: &mut Tokens,
    model: &Model,
    names: &Names,
    entries: &[Quoted],
    &(method, _, returns, arguments): &(&str, Quantity, Returns, &[&str]),
    program: &Program,
) {
    let leaf = |symbol: SymbolId| names.leaves[symbol.index()].clone();
    let spelling = Spelling {
        leaf: &leaf,
        scalar: &names.scalar,
        coordinate: &|_| None,
    };
    let body = rust::body(program, &spelling);
    let inputs = Inputs::of(model, names, program);
    if let Some(it) = entries.iter().find(|it| it.entry.name == method) {
        derivation::lines(out, &derivation::method_docs(&it.entry));
    }
    out.punct('#').brackets(|out| _ = out.word("inline"));
    out.word("fn").word(method).parentheses(|out| {
        out.punct('&').word("self");
        inputs.parameters(out, model, names, arguments);
    });
    out.joint('-', '>').paste(names.types.of(returns));
    out.group(Delimiter::Brace, |out| {
        inputs.bindings(out, model, names);
        out.append(body.statements);
        result(out, returns, model.coordinate_count(), &body.outputs);
    });
}

/// `[a, b].into()`, columns first for a matrix, within `Ok` where the method may fail.
fn result(out: &mut Tokens, returns: Returns, columns: usize, outputs: &[Tokens]) {
    match returns {
        Returns::Rows => converted(out, |out| listed(out, outputs)),
        Returns::TryRows | Returns::TryCoordinates => {
            out.word("Ok");
            out.parentheses(|out| converted(out, |out| listed(out, outputs)));
        }
        Returns::Matrix => converted(out, |out| {
            out.list(0..columns, |out, j| {
                out.brackets(|out| listed(out, outputs.iter().skip(j).step_by(columns)));
            });
        }),
    }
}

fn listed<'a>(out: &mut Tokens, items: impl IntoIterator<Item = &'a Tokens>) {
    out.list(items, |out, item| _ = out.paste(item));
}

/// `[…].into()`
fn converted(out: &mut Tokens, entries: impl FnOnce(&mut Tokens)) {
    out.brackets(entries);
    out.punct('.').word("into").parentheses(|_| {});
}

/// The role of entry i of a vector argument.
type Family = fn(usize) -> Role;

/// The leaves that a program reads.
struct Inputs(Map<Role, Ident>);

impl Inputs {
    fn of(model: &Model, names: &Names, program: &Program) -> Inputs {
        let leaf = |symbol: SymbolId| {
            let index = symbol.index();
            (model.symbols[index].role, names.leaves[index].clone())
        };
        Inputs(program.inputs().into_iter().map(leaf).collect())
    }

    /// The identifier of a role's leaf where it is read.
    fn leaf(&self, role: Role) -> Option<&Ident> {
        self.0.get(&role)
    }

    /// `let [x, _]: [T; 2] = source.into();`, or nothing where no component is read.
    fn unpack(
        &self,
        out: &mut Tokens,
        names: &Names,
        source: impl FnOnce(&mut Tokens),
        roles: impl Iterator<Item = Role>,
    ) {
        let leaves: Vec<Option<&Ident>> = roles.map(|role| self.leaf(role)).collect();
        if leaves.iter().all(Option::is_none) {
            return;
        }
        out.word("let").brackets(|out| {
            out.list(&leaves, |out, leaf| match leaf {
                Some(leaf) => _ = out.binding((*leaf).clone()),
                None => _ = out.word("_"),
            });
        });
        out.punct(':').brackets(|out| {
            let scalar = out.ident(names.scalar.clone());
            scalar.punct(';').literal(count(leaves.len()));
        });
        source(out.punct('='));
        out.punct('.').word("into").parentheses(|_| {}).punct(';');
    }

    fn bindings(&self, out: &mut Tokens, model: &Model, names: &Names) {
        for (index, parameter) in model.parameters.iter().enumerate() {
            let field = |out: &mut Tokens| {
                out.word("self").punct('.').ident(parameter.name.clone());
            };
            let role = |component| Role::Parameter {
                parameter: index,
                component,
            };
            if parameter.shape != Shape::Scalar {
                self.unpack(out, names, field, (0..parameter.shape.len()).map(role));
            } else if let Some(leaf) = self.leaf(role(0)) {
                field(out.word("let").binding(leaf.clone()).punct('='));
                out.punct(';');
            }
        }
        let (n, m) = (model.coordinate_count(), model.rows.len());
        let families: [(&Ident, Family, usize); 5] = [
            (&names.q, Role::Coordinate, n),
            (&names.v, Role::Velocity, n),
            (&names.w, Role::InverseMass, n),
            (&names.f, Role::Force, n),
            (&names.b, Role::RightHandSide, m),
        ];
        for (vector, role, count) in families {
            let pointee = |out: &mut Tokens| {
                out.parentheses(|out| _ = out.punct('*').ident(vector.clone()));
            };
            self.unpack(out, names, pointee, (0..count).map(role));
        }
    }

    /// The parameters after `self`; the names of those not read begin with an underscore.
    fn parameters(&self, out: &mut Tokens, model: &Model, names: &Names, arguments: &[&str]) {
        let types = &names.types;
        let (n, m) = (model.coordinate_count(), model.rows.len());
        let reads = |role: Family, count: usize| (0..count).any(|i| self.leaf(role(i)).is_some());
        let vector = |out: &mut Tokens, ident: &Ident, role: Family, count: usize, ty: &Tokens| {
            let name = spelled(ident, reads(role, count));
            out.punct(',').binding(name).punct(':').punct('&').paste(ty);
        };
        let scalar = |out: &mut Tokens, ident: Ident| {
            let name = out.punct(',').binding(ident);
            name.punct(':').ident(names.scalar.clone());
        };
        let time = self.leaf(Role::Time).cloned();
        scalar(out, time.unwrap_or_else(|| spelled(&names.t, false)));
        vector(out, &names.q, Role::Coordinate, n, &types.coordinates);
        for argument in arguments {
            match *argument {
                "m" => scalar(out, spelled(&names.m, self.leaf(Role::Mass).is_some())),
                "b" => vector(out, &names.b, Role::RightHandSide, m, &types.rows),
                "v" => vector(out, &names.v, Role::Velocity, n, &types.coordinates),
                "w" => vector(out, &names.w, Role::InverseMass, n, &types.coordinates),
                _ => vector(out, &names.f, Role::Force, n, &types.coordinates),
            }
        }
    }
}

fn spelled(ident: &Ident, read: bool) -> Ident {
    match read {
        true => ident.clone(),
        false => format_ident!("_{ident}", span = Span::mixed_site()),
    }
}
