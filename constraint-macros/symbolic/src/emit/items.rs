//! The generated items: struct, `impl Constraint`, derivation.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use super::derivation::{self, Derivation, Entry};
use super::rust::{self, Spelling, local, snake};
use crate::compile::{Derived, Quantity};
use crate::expr::{Map, Set, SymbolId};
use crate::model::{Item, Model, Parameter, Role, Shape};
use crate::schedule::{Op, Program};

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
}

impl Names {
    fn new(model: &Model, type_name: &Ident) -> Names {
        let mut taken: Set<String> = Set::default();
        let mut unique = |wanted: &str| {
            let mut name = snake(wanted);
            while !taken.insert(name.clone()) {
                name.push('_');
            }
            name
        };
        let mut leaves: Vec<Option<Ident>> = vec![None; model.symbols.len()];
        let users = |role: &Role| {
            matches!(
                role,
                Role::Time | Role::Coordinate(_) | Role::Parameter { .. }
            )
        };
        let order = model.symbols.iter().enumerate();
        for (i, symbol) in order.clone().filter(|(_, symbol)| users(&symbol.role)) {
            let name = unique(&symbol.name);
            let own = model.identifier(symbol.role).filter(|ident| *ident == name);
            leaves[i] = Some(own.unwrap_or_else(|| local(&name)));
        }
        let [q, v, w, f, b, m, t] =
            ["q", "v", "w", "f", "b", "m", "t"].map(|name| local(&unique(name)));
        for (i, symbol) in order.filter(|(_, symbol)| !users(&symbol.role)) {
            leaves[i] = Some(match symbol.role {
                Role::Mass => m.clone(),
                _ => local(&unique(&symbol.name)),
            });
        }
        let leaves = leaves
            .into_iter()
            .map(|leaf| leaf.unwrap_or_else(|| t.clone()))
            .collect();
        let scalar = if type_name == "T" { "Scalar" } else { "T" };
        let scalar = Ident::new(scalar, Span::mixed_site());
        Names {
            leaves,
            q,
            v,
            w,
            f,
            b,
            m,
            t,
            scalar,
            runtime: runtime_alias(),
        }
    }
}

/// Inside the `const` block that holds our impl, where it is imported under this name.
fn runtime_alias() -> TokenStream {
    quote!(rt)
}

impl Model {
    /// The user's own identifier of a scalar leaf.
    fn identifier(&self, role: Role) -> Option<Ident> {
        match role {
            Role::Time => self.time.clone(),
            Role::Coordinate(index) => {
                let mut first = 0;
                for coordinate in &self.coordinates {
                    if first == index && coordinate.shape == Shape::Scalar {
                        return Some(coordinate.name.clone());
                    }
                    first += coordinate.shape.len();
                }
                None
            }
            Role::Parameter { parameter, .. } => {
                let parameter = self.parameters.get(parameter)?;
                (parameter.shape == Shape::Scalar).then(|| parameter.name.clone())
            }
            _ => None,
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

/// The items of a derived constraint: for the bare form, a block whose value is the constraint.
pub fn constraint(derived: &Derived, shim: &TokenStream, source: &TokenStream) -> TokenStream {
    let model = &derived.model;
    let bare = Ident::new("Constraint", Span::mixed_site());
    let name = model.item.as_ref().map_or(bare, |item| item.name.clone());
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
    let structure = structure(
        model.item.as_ref(),
        &name,
        &docs,
        &model.parameters,
        &names.scalar,
    );
    let methods = METHODS.iter().zip(&programs);
    let methods = methods.map(|(row, program)| method(model, &names, entries, row, program));
    let (scalar, runtime) = (&names.scalar, &names.runtime);
    let generic = !model.parameters.is_empty();
    let arguments = generic.then(|| quote!(<#scalar>));
    let default = generic.then(|| quote!(<f64>));
    let constant = derivation::constant(entries, runtime);
    let items = quote! {
        #structure

        const _: () = {
            use ::constraint_runtime::__private as #runtime;

            #[automatically_derived]
            #[allow(clippy::all, clippy::pedantic)]
            impl<#scalar: #runtime::Real> #runtime::Constraint<#scalar, #n, #m> for #name #arguments {
                #(#methods)*
            }

            #[automatically_derived]
            impl #name #default {
                /// The derivation as data; the same for every scalar.
                pub const DERIVATION: #runtime::Derivation = #constant;
            }
        };
    };
    wrap(model.item.is_some(), &name, shim, &items)
}

fn wrap(named: bool, name: &Ident, shim: &TokenStream, items: &TokenStream) -> TokenStream {
    if named {
        quote!(#shim #items)
    } else {
        quote!({ #shim #items #name })
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
        #visibility struct #name<#scalar: #runtime::Real = f64> { #(#fields),* }
    }
}

/// Clone, Copy, Debug and PartialEq, then what the user asks for besides.
fn derives(item: Option<&Item>) -> TokenStream {
    let ours = ["Clone", "Copy", "Debug", "PartialEq"];
    let theirs = item
        .map_or(&[][..], |item| &item.derives)
        .iter()
        .filter(|path| {
            let last = path.to_string();
            !ours.contains(&last.rsplit("::").next().unwrap_or(&last).trim())
        });
    let ours = ours.map(|name| format_ident!("{name}", span = Span::mixed_site()));
    quote!(#[derive(#(#ours,)* #(#theirs),*)])
}

fn method(
    model: &Model,
    names: &Names,
    entries: &[Entry],
    &(method, _, returns, arguments): &(&str, Quantity, Returns, &[&str]),
    program: &Program,
) -> TokenStream {
    let leaf = |symbol: SymbolId| names.leaves[symbol.index()].clone();
    let spelling = Spelling {
        leaf: &leaf,
        scalar: &names.scalar,
        runtime: &names.runtime,
    };
    let body = rust::body(program, &spelling);
    let inputs = Inputs::of(model, names, program);
    let bindings = inputs.bindings(model, names);
    let parameters = inputs.parameters(model, names, arguments);
    let (rows, columns) = (model.rows.len(), model.coordinate_count());
    let (result, returned) = result(names, returns, rows, columns, &body.outputs);
    let name = format_ident!("{method}", span = Span::mixed_site());
    let statements = body.statements;
    let docs = entries
        .iter()
        .find(|entry| entry.name == method)
        .map(Entry::method_docs);
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

fn result(
    names: &Names,
    returns: Returns,
    rows: usize,
    columns: usize,
    outputs: &[TokenStream],
) -> (TokenStream, TokenStream) {
    let (scalar, runtime) = (&names.scalar, &names.runtime);
    let (m, n) = (count(rows), count(columns));
    let vector = quote!([#(#outputs),*].into());
    match returns {
        Returns::Rows => (vector, quote!(#runtime::SVector<#scalar, #m>)),
        Returns::TryRows => {
            let ty = quote!(#runtime::SVector<#scalar, #m>);
            (quote!(Ok(#vector)), quote!(Result<#ty, #runtime::Singular>))
        }
        Returns::TryCoordinates => {
            let ty = quote!(#runtime::SVector<#scalar, #n>);
            (quote!(Ok(#vector)), quote!(Result<#ty, #runtime::Singular>))
        }
        Returns::Matrix => {
            let by_column = (0..columns).map(|j| {
                let column = (0..rows).map(|i| &outputs[i * columns + j]);
                quote!([#(#column),*])
            });
            (
                quote!([#(#by_column),*].into()),
                quote!(#runtime::SMatrix<#scalar, #m, #n>),
            )
        }
    }
}

/// The role of entry i of a vector argument.
type Family = fn(usize) -> Role;

/// The leaves that a program reads.
struct Inputs(Map<Role, Ident>);

impl Inputs {
    fn of(model: &Model, names: &Names, program: &Program) -> Inputs {
        let mut used = Map::default();
        let mut stack: Vec<_> = program.outputs.clone();
        for statement in &program.statements {
            use crate::schedule::Statement::{Guard, Let, SinCos};
            match statement {
                Let { value, .. } => stack.push(*value),
                SinCos { argument, .. } => stack.push(*argument),
                Guard {
                    pivot, diagonal, ..
                } => stack.extend([*pivot, *diagonal]),
            }
        }
        let mut seen = Set::default();
        while let Some(value) = stack.pop() {
            if seen.insert(value) {
                let op = &program.values[value.index()];
                if let Op::Input(symbol) = op {
                    let index = symbol.index();
                    used.insert(model.symbols[index].role, names.leaves[index].clone());
                }
                op.for_each_operand(|operand| stack.push(operand));
            }
        }
        Inputs(used)
    }

    /// The identifier of a role's leaf where it is read.
    fn leaf(&self, role: Role) -> Option<&Ident> {
        self.0.get(&role)
    }

    /// `let [x, _] = (*q).into();`, or nothing where no component is read.
    fn unpack(
        &self,
        names: &Names,
        source: &TokenStream,
        roles: impl Iterator<Item = Role>,
    ) -> Option<TokenStream> {
        let leaves: Vec<Option<&Ident>> = roles.map(|role| self.leaf(role)).collect();
        if leaves.iter().all(Option::is_none) {
            return None;
        }
        let (scalar, n) = (&names.scalar, count(leaves.len()));
        let pattern = leaves
            .iter()
            .map(|leaf| leaf.as_ref().map_or(quote!(_), |leaf| quote!(#leaf)));
        Some(quote!(let [#(#pattern),*]: [#scalar; #n] = #source.into();))
    }

    fn bindings(&self, model: &Model, names: &Names) -> TokenStream {
        let (n, m) = (model.coordinate_count(), model.rows.len());
        let families: [(&Ident, Family, usize); 5] = [
            (&names.q, Role::Coordinate, n),
            (&names.v, Role::Velocity, n),
            (&names.w, Role::InverseMass, n),
            (&names.f, Role::Force, n),
            (&names.b, Role::RightHandSide, m),
        ];
        let vectors = families.iter().filter_map(|&(source, role, count)| {
            self.unpack(names, &quote!((*#source)), (0..count).map(role))
        });
        let parameters = model
            .parameters
            .iter()
            .enumerate()
            .filter_map(|(index, parameter)| {
                let field = &parameter.name;
                let role = |component| Role::Parameter {
                    parameter: index,
                    component,
                };
                if parameter.shape == Shape::Scalar {
                    let leaf = self.leaf(role(0))?;
                    return Some(quote!(let #leaf = self.#field;));
                }
                self.unpack(
                    names,
                    &quote!(self.#field),
                    (0..parameter.shape.len()).map(role),
                )
            });
        quote!(#(#parameters)* #(#vectors)*)
    }

    /// The parameter list; those not read begin with an underscore.
    fn parameters(&self, model: &Model, names: &Names, arguments: &[&str]) -> TokenStream {
        let (scalar, runtime) = (&names.scalar, &names.runtime);
        let (n, m) = (count(model.coordinate_count()), count(model.rows.len()));
        let reads = |role: Family, count: usize| (0..count).any(|i| self.leaf(role(i)).is_some());
        let spelled = |ident: &Ident, read: bool| {
            if read {
                ident.clone()
            } else {
                format_ident!("_{ident}", span = Span::mixed_site())
            }
        };
        let columns = model.coordinate_count();
        let q = spelled(&names.q, reads(Role::Coordinate, columns));
        let t = self
            .leaf(Role::Time)
            .cloned()
            .unwrap_or_else(|| spelled(&names.t, false));
        let rest = arguments.iter().map(|argument| match *argument {
            "m" => {
                let m = spelled(&names.m, self.leaf(Role::Mass).is_some());
                quote!(#m: #scalar)
            }
            "b" => {
                let b = spelled(&names.b, reads(Role::RightHandSide, model.rows.len()));
                quote!(#b: &#runtime::SVector<#scalar, #m>)
            }
            other => {
                let (ident, role): (&Ident, Family) = match other {
                    "v" => (&names.v, Role::Velocity),
                    "w" => (&names.w, Role::InverseMass),
                    _ => (&names.f, Role::Force),
                };
                let ident = spelled(ident, reads(role, columns));
                quote!(#ident: &#runtime::SVector<#scalar, #n>)
            }
        });
        quote!(#t: #scalar, #q: &#runtime::SVector<#scalar, #n> #(, #rest)*)
    }
}
