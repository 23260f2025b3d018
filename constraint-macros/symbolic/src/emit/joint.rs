//! The generated items of a constraint between bodies: struct, `impl BodyConstraint`, derivation.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use super::derivation::{self, BUDGET, formula_of};
use super::formula::Formula;
use super::items::structure;
use super::listing::{self, Listing};
use super::rust::{self, Spelling, local, snake};
use super::text;
use super::tokens::Tokens;
use crate::expr::{ExprId, Set, SymbolId};
use crate::joint::{self, Arms, Joint, Quantity};
use crate::model::{Arm, Body, Model, Parameter, Role, Shape};
use crate::schedule::{OperationCount, Program};
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
    scalar: Ident,
}

impl Names {
    fn new(model: &Model, type_name: &Ident) -> Names {
        let arguments = ["q", "v", "w", "f", "b", "t"].map(str::to_owned);
        let heads = model.bodies.iter().flat_map(|body| {
            let name = name_of(&body.name);
            ["v", "inverse", "f"].map(|prefix| snake(&format!("{prefix}_{name}")))
        });
        // The bodies' own names are the user's identifiers, so ours never meet them.
        let mut taken: Set<String> = arguments.into_iter().chain(heads).collect();
        let leaves = model.symbols.iter().map(|symbol| {
            let mut name = snake(&symbol.name);
            while !taken.insert(name.clone()) {
                name.push('_');
            }
            local(&name)
        });
        let scalar = if type_name == "T" { "Scalar" } else { "T" };
        Names {
            leaves: leaves.collect(),
            scalar: Ident::new(scalar, Span::mixed_site()),
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
pub fn joint(joint: &Joint, shim: &TokenStream) -> TokenStream {
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
        .map(|method| {
            (
                method,
                joint.program(method.quantities, Arms::Turned, &leaf_name),
            )
        })
        .collect();
    let told = Told::new(joint, &programs);
    let docs: TokenStream = told.type_docs().into();
    let structure = structure(
        Some(item),
        &item.name,
        &docs,
        &model.parameters,
        &names.scalar,
    );
    let implementation = implementation(joint, &names, &programs, &told);
    let default = (!model.parameters.is_empty()).then(|| quote!(<f64>));
    let (name, constant) = (&item.name, told.constant());
    quote! {
        #shim
        #structure

        const _: () = {
            use ::constraint_runtime::__private as rt;

            #implementation

            #[automatically_derived]
            impl #name #default {
                /// The derivation as data; the same for every scalar.
                pub const DERIVATION: rt::BodyDerivation = #constant;
            }
        };
    }
}

fn implementation(
    joint: &Joint,
    names: &Names,
    programs: &[(&Method, Program)],
    told: &Told,
) -> TokenStream {
    let model = &joint.model;
    let Some(item) = &model.item else {
        return TokenStream::new();
    };
    let (name, scalar) = (&item.name, &names.scalar);
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
    let holonomic = &joint.equations.holonomic;
    let methods = programs
        .iter()
        .map(|(method, program)| self::method(model, names, &sizes, method, program, told));
    quote! {
        #[automatically_derived]
        #[allow(clippy::all, clippy::pedantic)]
        impl<#scalar: rt::Real> rt::BodyConstraint<#scalar, #velocities, #bodies, #rows> for #name #arguments {
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
        runtime: &quote!(rt),
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

/// What a program reads, and how the method comes by it.
struct Inputs<'a> {
    model: &'a Model,
    names: &'a Names,
    used: Set<SymbolId>,
}

impl Inputs<'_> {
    /// The identifiers of the leaves with such roles, in the order of their symbols, `None` where not read.
    fn leaves(&self, wanted: impl Fn(Role) -> bool) -> Vec<Option<&Ident>> {
        let symbols = self.model.symbols.iter().enumerate();
        let found = symbols.filter(|(_, symbol)| wanted(symbol.role));
        let leaf = |(i, _): (usize, _)| {
            let used = self.used.contains(&SymbolId::new(i));
            used.then(|| &self.names.leaves[i])
        };
        found.map(leaf).collect()
    }

    fn reads(&self, wanted: impl Fn(Role) -> bool) -> bool {
        self.leaves(wanted).iter().any(Option::is_some)
    }

    /// `let [x, _]: [T; 2] = source.into();`, or nothing where no component is read.
    fn unpack(&self, source: &TokenStream, leaves: &[Option<&Ident>]) -> Option<TokenStream> {
        if leaves.iter().all(Option::is_none) {
            return None;
        }
        let (scalar, n) = (&self.names.scalar, Literal::usize_unsuffixed(leaves.len()));
        let pattern = pattern(leaves);
        Some(quote!(let #pattern: [#scalar; #n] = #source.into();))
    }

    fn bindings(&self) -> TokenStream {
        let mut bindings = self.parameter_bindings();
        bindings.extend(self.family("q", Role::Coordinate, |body| self.places(body)));
        let velocities = |body: usize| self.flat(body, "v", Role::Velocity);
        bindings.extend(self.family("v", Role::Velocity, velocities));
        let weights = self.weights();
        bindings.extend(weights);
        let forces = |body: usize| self.flat(body, "f", Role::Force);
        bindings.extend(self.family("f", Role::Force, forces));
        let right = self.leaves(|role| matches!(role, Role::RightHandSide(_)));
        let source = local("b");
        bindings.extend(self.unpack(&quote!((*#source)), &right));
        bindings
    }

    fn parameter_bindings(&self) -> TokenStream {
        let parameters = self.model.parameters.iter().enumerate();
        let binding = |(index, parameter): (usize, &Parameter)| {
            let field = &parameter.name;
            let leaves = self.leaves(|role| match role {
                Role::Parameter { parameter, .. } => parameter == index,
                _ => false,
            });
            match leaves[..] {
                [leaf] => leaf.map(|leaf| quote!(let #leaf = self.#field;)),
                _ => self.unpack(&quote!(self.#field), &leaves),
            }
        };
        parameters.filter_map(binding).collect()
    }

    /// `let [a, b] = q;`, then what is unpacked from each.
    fn family(
        &self,
        argument: &str,
        role: fn(usize) -> Role,
        unpacked: impl Fn(usize) -> Option<TokenStream>,
    ) -> TokenStream {
        let mut each = TokenStream::new();
        let mut heads = Vec::new();
        for index in 0..self.model.bodies.len() {
            let unpacked = unpacked(index);
            heads.push(match unpacked {
                Some(_) => {
                    let head = self.head(index, argument, role);
                    quote!(#head)
                }
                None => quote!(_),
            });
            each.extend(unpacked);
        }
        if each.is_empty() {
            return each;
        }
        let argument = local(argument);
        quote!(let [#(#heads),*] = #argument; #each)
    }

    /// The user's name for the body itself, ours for its velocity, weight and force.
    fn head(&self, body: usize, argument: &str, role: fn(usize) -> Role) -> Ident {
        let name = &self.model.bodies[body].name;
        match role(0) {
            Role::Coordinate(_) => name.clone(),
            Role::InverseMass(_) => local(&format!("inverse_{}", name_of(name))),
            _ => local(&format!("{argument}_{}", name_of(name))),
        }
    }

    fn places(&self, index: usize) -> Option<TokenStream> {
        let body: &Body = &self.model.bodies[index];
        let name = &body.name;
        let (linear, turn) = (body.position.len(), body.rotation.len());
        let leaves = self.flat_leaves(index, linear + turn, Role::Coordinate);
        let (place, turn) = leaves.split_at(linear);
        let place = self.unpack(&quote!(#name.translation.vector), place);
        let turn = match turn[..] {
            [re, im] => {
                let parts = [(re, quote!(re)), (im, quote!(im))];
                let parts = parts.iter().filter_map(|(leaf, part)| {
                    leaf.map(|leaf| quote!(let #leaf = #name.rotation.#part;))
                });
                Some(parts.collect()).filter(|tokens: &TokenStream| !tokens.is_empty())
            }
            _ => self.unpack(&quote!(#name.rotation.coords), turn),
        };
        (place.is_some() || turn.is_some()).then(|| quote!(#place #turn))
    }

    /// `let [v_a_x, …] = (*v_a).into();`
    fn flat(&self, body: usize, argument: &str, role: fn(usize) -> Role) -> Option<TokenStream> {
        let leaves = self.flat_leaves(body, self.model.body_velocities(), role);
        let head = self.head(body, argument, role);
        self.unpack(&quote!((*#head)), &leaves)
    }

    fn flat_leaves(
        &self,
        body: usize,
        count: usize,
        role: fn(usize) -> Role,
    ) -> Vec<Option<&Ident>> {
        let range = body * count..(body + 1) * count;
        self.leaves(|found| range.clone().any(|i| found == role(i)))
    }

    /// `let [inverse_a, inverse_b] = w;`, then masses and inertias.
    fn weights(&self) -> TokenStream {
        self.family("w", Role::InverseMass, |body| {
            let head = self.head(body, "w", Role::InverseMass);
            let mass = self.leaves(|role| role == Role::InverseMass(body));
            let mass = mass.first().copied().flatten();
            let mass = mass.map(|mass| quote!(let #mass = #head.mass;));
            let inertia = self.inertia(body, &head);
            (mass.is_some() || inertia.is_some()).then(|| quote!(#mass #inertia))
        })
    }

    fn inertia(&self, body: usize, head: &Ident) -> Option<TokenStream> {
        if !in_space(self.model) {
            let leaf = self.leaves(|role| role == Role::InverseInertia(body));
            let leaf = leaf.first().copied().flatten()?;
            return Some(quote!(let #leaf = #head.inertia;));
        }
        let leaves = self.flat_leaves(body, 6, Role::InverseInertia);
        let [xx, xy, xz, yy, yz, zz] = leaves[..] else {
            return None;
        };
        if leaves.iter().all(Option::is_none) {
            return None;
        }
        let columns = [[xx, xy, xz], [None, yy, yz], [None, None, zz]];
        let columns = columns.iter().map(|column| pattern(column));
        let scalar = &self.names.scalar;
        Some(quote!(let [#(#columns),*]: [[#scalar; 3]; 3] = #head.inertia.into();))
    }

    /// The parameter list; those not read begin with an underscore.
    fn parameters(&self, sizes: &Sizes, arguments: &[&str]) -> TokenStream {
        let scalar = &self.names.scalar;
        let Sizes {
            velocities,
            bodies,
            rows,
        } = sizes;
        let spelled = |name: &str, read: bool| match read {
            true => local(name),
            false => local(&format!("_{name}")),
        };
        let time = self.leaves(|role| role == Role::Time);
        let time = time.first().copied().flatten().cloned();
        let t = time.unwrap_or_else(|| spelled("t", false));
        let q = spelled("q", self.reads(|role| matches!(role, Role::Coordinate(_))));
        let body = body_type(self.model, scalar);
        let inverse_mass = match in_space(self.model) {
            true => quote!(rt::InverseMass3<#scalar>),
            false => quote!(rt::InverseMass2<#scalar>),
        };
        let flat = quote!([&rt::SVector<#scalar, #velocities>; #bodies]);
        let rest = arguments.iter().map(|&argument| {
            let (read, ty): (fn(Role) -> bool, TokenStream) = match argument {
                "v" => (|role| matches!(role, Role::Velocity(_)), flat.clone()),
                "w" => (
                    |role| matches!(role, Role::InverseMass(_) | Role::InverseInertia(_)),
                    quote!([&#inverse_mass; #bodies]),
                ),
                "b" => (
                    |role| matches!(role, Role::RightHandSide(_)),
                    quote!(&rt::SVector<#scalar, #rows>),
                ),
                _ => (|role| matches!(role, Role::Force(_)), flat.clone()),
            };
            let name = spelled(argument, self.reads(read));
            quote!(#name: #ty)
        });
        quote!(#t: #scalar, #q: [&#body; #bodies] #(, #rest)*)
    }
}

fn pattern(leaves: &[Option<&Ident>]) -> TokenStream {
    let leaves = leaves
        .iter()
        .map(|leaf| leaf.as_ref().map_or(quote!(_), |leaf| quote!(#leaf)));
    quote!([#(#leaves),*])
}

/// The derivation for people.
struct Told {
    /// Everything at once, what is shared told at the end; then the arms.
    whole: String,
    arms: String,
    /// Method and formula, each with what it needs.
    formulas: Vec<(&'static str, String)>,
    counts: Vec<(&'static str, OperationCount)>,
}

/// Method and quantity, in the order of the theory.
const TOLD: [(&str, Quantity); 5] = [
    ("value", Quantity::Value),
    ("jacobian", Quantity::Jacobian),
    ("rate", Quantity::Rate),
    ("bias", Quantity::Bias),
    ("delassus", Quantity::Delassus),
];

impl Told {
    fn new(joint: &Joint, programs: &[(&Method, Program)]) -> Told {
        let alone = |(name, quantity)| {
            let listing = list(joint, &[quantity]);
            let mut text = equations(joint, quantity, &listing.results);
            for (i, line) in text::definitions(&listing).iter().enumerate() {
                text.push_str(if i == 0 {
                    "\n    where "
                } else {
                    "\n          "
                });
                text.push_str(line);
            }
            (name, text)
        };
        let arms = arms(joint);
        Told {
            whole: whole(joint, &arms),
            arms: arms.join("\n"),
            formulas: TOLD.into_iter().map(alone).collect(),
            counts: programs
                .iter()
                .map(|(it, program)| (it.name, program.count))
                .collect(),
        }
    }

    fn type_docs(&self) -> Tokens {
        let mut text = format!("\n# Derivation\n\n```text\n{}\n```\n\n", self.whole);
        text += "| function | cost |\n|---|---|\n";
        for (name, count) in &self.counts {
            text += &format!("| `{name}` | {count} |\n");
        }
        lines(&text)
    }

    fn method_docs(&self, method: &str) -> Tokens {
        let count = self.counts.iter().find(|(name, _)| *name == method);
        let count = count.map_or_else(String::new, |(_, count)| format!("{count}."));
        let formula = self.formulas.iter().find(|(name, _)| *name == method);
        match formula {
            Some((_, formula)) => lines(&format!("```text\n{formula}\n```\n{count}")),
            None => lines(&count),
        }
    }

    /// `BodyDerivation { value: "…", … }`
    fn constant(&self) -> TokenStream {
        let arms = &self.arms;
        let formulas = self.formulas.iter().map(|(name, formula)| {
            let name = local(name);
            quote!(#name: #formula)
        });
        let counted = [
            "value",
            "jacobian",
            "rate",
            "bias",
            "delassus",
            "rows",
            "impulses",
            "multipliers",
        ];
        let counts = counted.map(|name| {
            let count = self.counts.iter().find(|(other, _)| *other == name);
            let count = count.map_or_else(OperationCount::default, |(_, count)| *count);
            let name = local(name);
            let mut numbers = Tokens::default();
            derivation::count(&mut numbers, count);
            quote!(#name: rt::OperationCount::of([#numbers]))
        });
        quote! {
            rt::BodyDerivation {
                arms: #arms,
                #(#formulas,)*
                operations: rt::BodyOperations { #(#counts),* },
            }
        }
    }
}

/// All equations, then the definitions they share, then the arms.
fn whole(joint: &Joint, arms: &[String]) -> String {
    let listing = list(joint, &TOLD.map(|(_, quantity)| quantity));
    let mut results = &listing.results[..];
    let mut text = Vec::new();
    for (_, quantity) in TOLD {
        let Some(form) = joint.equations.forms.first() else {
            continue;
        };
        let count = joint::expressions(quantity, &joint.equations, form).len();
        let (own, rest) = results.split_at(count);
        text.push(equations(joint, quantity, own));
        results = rest;
    }
    text.extend(text::definitions(&listing));
    text.extend(arms.iter().cloned());
    text.join("\n")
}

/// `C = …`; J one block per body, `J_a = …`.
fn equations(joint: &Joint, quantity: Quantity, results: &[Formula]) -> String {
    let model = &joint.model;
    let rows = model.rows.len();
    let equation = |symbol: &str, results: &[Formula], columns: usize| {
        let formula = formula_of(results, columns);
        let indent = " ".repeat(symbol.chars().filter(|c| !is_mark(*c)).count() + 3);
        format!(
            "{symbol} = {}",
            formula.replace('\n', &format!("\n{indent}"))
        )
    };
    match quantity {
        Quantity::Jacobian => {
            let width = model.body_velocities();
            let block = |(index, body): (usize, &Body)| {
                let chunks = results.chunks(width).skip(index);
                let block: Vec<Formula> = chunks
                    .step_by(model.bodies.len())
                    .flatten()
                    .cloned()
                    .collect();
                equation(&format!("J_{}", name_of(&body.name)), &block, width)
            };
            let blocks: Vec<String> = model.bodies.iter().enumerate().map(block).collect();
            blocks.join("\n")
        }
        Quantity::Delassus if rows > 1 => equation("K", results, rows),
        Quantity::Delassus => equation("K", results, 0),
        Quantity::Rate => equation("Ċ", results, 0),
        Quantity::Bias => equation("β", results, 0),
        _ => equation("C", results, 0),
    }
}

/// Whether a character only marks the one before it.
fn is_mark(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}

fn list(joint: &Joint, quantities: &[Quantity]) -> Listing {
    let model = &joint.model;
    let Some(form) = joint.equations.forms.first() else {
        return Listing::default();
    };
    let roots = quantities.iter();
    let roots = roots.flat_map(|&it| joint::expressions(it, &joint.equations, form));
    let roots: Vec<ExprId> = roots.collect();
    let symbol = |symbol: SymbolId| model.symbols[symbol.index()].name.clone();
    let budget = BUDGET * quantities.len();
    listing::list(&model.graph, &symbol, &model.names, &roots, budget)
}

/// `a_r1 = R_a ( r1.x   r1.y   r1.z )`, arm by arm.
fn arms(joint: &Joint) -> Vec<String> {
    let model = &joint.model;
    let symbol = |symbol: SymbolId| model.symbols[symbol.index()].name.clone();
    let line = |arm: &Arm| {
        let listing = listing::list(&model.graph, &symbol, &[], &arm.fixed, BUDGET);
        let vector = formula_of(&listing.results, arm.fixed.len());
        let body = name_of(&model.bodies[arm.body].name);
        format!("{} = R_{body} {vector}", arm.label)
    };
    model.arms.iter().map(line).collect()
}

/// Documentation, line by line.
fn lines(docs: &str) -> Tokens {
    let mut tokens = Tokens::default();
    derivation::lines(&mut tokens, docs);
    tokens
}
