//! The generated items of a curve: struct, `impl Curve`, derivation.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use super::derivation::{self, BUDGET, text_of};
use super::leaves::{self, Unique, scalar_of};
use super::listing::{self, Listing};
use super::rust::{self, Body, Spelling, local};
use super::tokens::Tokens;
use super::{items, mathml, stub, text};
use crate::curve::{Derived, Quantity, describe};
use crate::diagnostic::Diagnostics;
use crate::expr::{ExprId, Set, SymbolId};
use crate::model::{Model, Role, Shape};
use crate::schedule::{Op, OperationCount, Program, Statement};
use crate::syntax::ast::{Curve, ExprKind};

/// The items of a derived curve.
pub fn curve(derived: &Derived, shim: &TokenStream, source: &TokenStream) -> TokenStream {
    let model = &derived.curve.model;
    let Some(item) = &model.item else {
        return TokenStream::new();
    };
    let writer = Writer::new(derived, &item.name);
    let docs = writer.type_docs(source);
    let scalar = &writer.names.scalar;
    let structure = items::structure(Some(item), &item.name, &docs, &model.parameters, scalar);
    let (name, dimension) = (&item.name, literal(derived.dimension()));
    let generic = !model.parameters.is_empty();
    let (arguments, default) = (
        generic.then(|| quote!(<#scalar>)),
        generic.then(|| quote!(<f64>)),
    );
    let methods = writer.methods();
    let constant = writer.constant();
    quote! {
        #shim
        #structure

        const _: () = {
            use ::constraint_runtime::__private as rt;

            #[automatically_derived]
            #[allow(clippy::all, clippy::pedantic)]
            impl<#scalar: rt::Real> rt::Curve<#scalar, #dimension> for #name #arguments {
                #methods
            }

            #[automatically_derived]
            impl #name #default {
                /// The derivation as data; the same for every scalar.
                pub const DERIVATION: rt::CurveDerivation = #constant;
            }
        };
    }
}

/// The derivation of a curve as the MathML that rustdoc shows.
pub fn curve_mathml(derived: &Derived) -> String {
    let (listing, sizes) = told(derived);
    let mut results = listing.results.iter();
    let equation = |(&(_, symbol, _), size): (&Told, &usize)| {
        let results: Vec<_> = results.by_ref().take(*size).cloned().collect();
        let formula = match &results[..] {
            [single] => mathml::expression(single),
            _ => mathml::matrix(&[results]),
        };
        mathml::equation(&mathml::symbol(symbol), &formula)
    };
    let equations: Vec<String> = TOLD.iter().zip(&sizes).map(equation).collect();
    let definitions = mathml::definitions(&listing);
    let blocks: Vec<String> = equations.into_iter().chain(definitions).collect();
    format!("\n# Derivation\n\n{}\n", blocks.join("\n\n"))
}

/// Field of `DERIVATION`, symbol, quantity.
type Told = (&'static str, &'static str, Quantity);

/// What the derivation tells, in the order of the theory.
const TOLD: [Told; 6] = [
    ("position", "r", Quantity::Position),
    ("tangent", "r′", Quantity::Tangent),
    ("second_derivative", "r″", Quantity::SecondDerivative),
    ("curvature", "κ", Quantity::Curvature),
    ("acceleration", "s̈", Quantity::Acceleration),
    ("domain", "s", Quantity::Domain),
];

/// All of it in one listing, and how many results belong to each quantity.
fn told(derived: &Derived) -> (Listing, Vec<usize>) {
    let quantities = TOLD.map(|(_, _, quantity)| quantity);
    let form = derived.forms.last();
    let sizes = quantities.map(|q| form.map_or(0, |form| derived.expressions(q, form).len()));
    (list(derived, &quantities), sizes.to_vec())
}

fn list(derived: &Derived, quantities: &[Quantity]) -> Listing {
    let model = &derived.curve.model;
    // The last form is the one that has been simplified, which reads best.
    let Some(form) = derived.forms.last() else {
        return Listing::default();
    };
    let symbol = |symbol: SymbolId| model.symbols[symbol.index()].name.clone();
    let expressions = quantities.iter().map(|&q| derived.expressions(q, form));
    let roots: Vec<ExprId> = expressions.flatten().collect();
    let budget = BUDGET * quantities.len();
    listing::list(&model.graph, &symbol, &model.names, &roots, budget)
}

/// The identifiers of one expansion.
struct Names {
    /// Per symbol.
    leaves: Vec<Ident>,
    force: Ident,
    scalar: Ident,
}

impl Names {
    fn new(model: &Model, type_name: &Ident) -> Names {
        let mut unique = Unique::default();
        let symbols = model.symbols.iter();
        let leaves = symbols.map(|symbol| unique.leaf(model, symbol.role, &symbol.name));
        Names {
            leaves: leaves.collect(),
            force: local(&unique.name("f")),
            scalar: scalar_of(type_name),
        }
    }
}

struct Writer<'a> {
    derived: &'a Derived,
    model: &'a Model,
    names: Names,
}

impl<'a> Writer<'a> {
    fn new(derived: &'a Derived, name: &Ident) -> Writer<'a> {
        let model = &derived.curve.model;
        Writer {
            derived,
            model,
            names: Names::new(model, name),
        }
    }

    fn program(&self, quantities: &[Quantity]) -> Program {
        let name = |symbol: SymbolId| self.names.leaves[symbol.index()].to_string();
        self.derived.program(quantities, &name)
    }

    /// The program; what needs the force stands apart.
    fn body(&self, program: &Program) -> Body {
        let leaf = |symbol: SymbolId| self.names.leaves[symbol.index()].clone();
        let spelling = Spelling {
            leaf: &leaf,
            scalar: &self.names.scalar,
            runtime: &quote!(rt),
            coordinate: &|_| None,
        };
        let forced = self.forced(program);
        rust::body_in_two(program, &spelling, |statement| match statement {
            Statement::Let { value, .. } => forced[value.index()],
            Statement::SinCos { argument, .. } => forced[argument.index()],
            Statement::Guard(guard) => forced[guard.pivot.index()],
        })
    }

    /// The identifier of a role's leaf, with an underscore in front where the program does not read it.
    fn argument(&self, role: Role, read: &Set<Role>) -> Ident {
        let symbols = self.model.symbols.iter().zip(&self.names.leaves);
        let mut leaf = symbols.filter(|(symbol, _)| symbol.role == role);
        let leaf = leaf
            .next()
            .map_or_else(|| local("s"), |(_, leaf)| leaf.clone());
        match read.contains(&role) {
            true => leaf,
            false => format_ident!("_{leaf}", span = Span::mixed_site()),
        }
    }

    fn vector(&self) -> TokenStream {
        let (scalar, dimension) = (&self.names.scalar, literal(self.derived.dimension()));
        quote!(rt::SVector<#scalar, #dimension>)
    }

    /// `let a = self.a;`, `let [g_x, _] = self.g.into();`
    fn parameters(&self, read: &Set<Role>) -> TokenStream {
        let parameters = self.model.parameters.iter().enumerate();
        let bindings = parameters.filter_map(|(parameter, declared)| {
            let field = &declared.name;
            let role = |component| Role::Parameter {
                parameter,
                component,
            };
            if declared.shape == Shape::Scalar {
                let leaf = read
                    .contains(&role(0))
                    .then(|| self.argument(role(0), read))?;
                return Some(quote!(let #leaf = self.#field;));
            }
            self.unpack(&quote!(self.#field), declared.shape.len(), role, read)
        });
        bindings.collect()
    }

    /// `let [x, _] = source.into();`, or nothing where no component is read.
    fn unpack(
        &self,
        source: &TokenStream,
        length: usize,
        role: impl Fn(usize) -> Role,
        read: &Set<Role>,
    ) -> Option<TokenStream> {
        let leaves: Vec<Option<Ident>> = (0..length)
            .map(role)
            .map(|role| read.contains(&role).then(|| self.argument(role, read)))
            .collect();
        let leaves: Vec<Option<&Ident>> = leaves.iter().map(Option::as_ref).collect();
        leaves::unpack(&self.names.scalar, source, &leaves)
    }
}

// ---- methods ------------------------------------------------------------------------------------

/// Method, quantity, for those that take s alone and give back a vector.
const VECTORS: [(&str, Quantity); 3] = [
    ("position", Quantity::Position),
    ("tangent", Quantity::Tangent),
    ("second_derivative", Quantity::SecondDerivative),
];

/// The outputs of `jet`.
const JET: [Quantity; 3] = [
    Quantity::Position,
    Quantity::Tangent,
    Quantity::SecondDerivative,
];

impl Writer<'_> {
    fn methods(&self) -> TokenStream {
        let vectors = VECTORS.map(|(name, quantity)| self.vector_method(name, quantity));
        let (jet, curvature, domain) = (self.jet(), self.curvature(), self.domain());
        let piece = self.piece();
        let (acceleration, under) = (self.acceleration(), self.acceleration_under());
        quote!(#(#vectors)* #jet #curvature #domain #piece #acceleration #under)
    }

    fn vector_method(&self, name: &str, quantity: Quantity) -> TokenStream {
        let vector = self.vector();
        self.method(
            name,
            &[quantity],
            &vector,
            |outputs| quote!([#(#outputs),*].into()),
        )
    }

    fn jet(&self) -> TokenStream {
        let (vector, dimension) = (self.vector(), self.derived.dimension());
        self.method("jet", &JET, &quote!([#vector; 3]), |outputs| {
            let vectors = outputs.chunks(dimension);
            let vectors = vectors.map(|vector| quote!([#(#vector),*].into()));
            quote!([#(#vectors),*])
        })
    }

    fn curvature(&self) -> TokenStream {
        self.number("curvature", Quantity::Curvature)
    }

    /// Only where there is more than one.
    fn piece(&self) -> Option<TokenStream> {
        let single = self.model.graph.as_number(self.derived.piece).is_some();
        (!single).then(|| self.number("piece", Quantity::Piece))
    }

    fn number(&self, name: &str, quantity: Quantity) -> TokenStream {
        let scalar = &self.names.scalar;
        self.method(
            name,
            &[quantity],
            &quote!(#scalar),
            |outputs| quote!(#(#outputs)*),
        )
    }

    /// `fn name(&self, s: T) -> returned { … }`
    fn method(
        &self,
        name: &str,
        quantities: &[Quantity],
        returned: &TokenStream,
        result: impl FnOnce(&[Tokens]) -> TokenStream,
    ) -> TokenStream {
        let program = self.program(quantities);
        let read = self.read(&program);
        let Body {
            statements,
            outputs,
            ..
        } = self.body(&program);
        let result = result(&outputs);
        let (s, scalar) = (
            self.argument(Role::Coordinate(0), &read),
            &self.names.scalar,
        );
        let (docs, parameters) = (self.docs(name, program.count), self.parameters(&read));
        let name = local(name);
        quote! {
            #docs
            #[inline]
            fn #name(&self, #s: #scalar) -> #returned {
                #parameters
                #statements
                #result
            }
        }
    }

    fn domain(&self) -> TokenStream {
        let program = self.program(&[Quantity::Domain]);
        let Body {
            statements,
            outputs,
            ..
        } = self.body(&program);
        let parameters = self.parameters(&self.read(&program));
        let (docs, scalar) = (self.docs("domain", program.count), &self.names.scalar);
        quote! {
            #docs
            #[inline]
            fn domain(&self) -> ::core::ops::RangeInclusive<#scalar> {
                #parameters
                #statements
                ::core::ops::RangeInclusive::new(#(#outputs),*)
            }
        }
    }

    fn acceleration(&self) -> TokenStream {
        let quantities = [Quantity::Metric, Quantity::Acceleration];
        let program = self.program(&quantities[usize::from(self.derived.is_regular())..]);
        let cost = self.program(&quantities[1..]).count;
        let read = self.read(&program);
        let Body {
            statements,
            later,
            outputs,
        } = self.body(&program);
        let [s, rate, mass] = [Role::Coordinate(0), Role::Velocity(0), Role::Mass]
            .map(|role| self.argument(role, &read));
        let (docs, parameters) = (self.docs("acceleration", cost), self.parameters(&read));
        let (scalar, vector, source) = (&self.names.scalar, self.vector(), &self.names.force);
        let length = self.derived.dimension();
        let force = self.unpack(&quote!((*#source)), length, Role::Force, &read);
        let (check, result) = check(&outputs);
        quote! {
            #docs
            #[inline]
            fn acceleration(
                &self, #s: #scalar, #rate: #scalar, #source: &#vector, #mass: #scalar
            ) -> Result<#scalar, rt::Cusp> {
                #parameters
                #statements
                #check
                #force
                #later
                Ok(#result)
            }
        }
    }

    /// The place and the velocity are computed first, then the force is asked for, then s̈.
    fn acceleration_under(&self) -> TokenStream {
        let mut quantities = vec![Quantity::Position, Quantity::Velocity];
        if !self.derived.is_regular() {
            quantities.push(Quantity::Metric);
        }
        quantities.push(Quantity::DampedAcceleration);
        let program = self.program(&quantities);
        let read = self.read(&program);
        let Body {
            statements,
            later,
            outputs,
        } = self.body(&program);
        let length = self.derived.dimension();
        let (vectors, rest) = outputs.split_at(2 * length);
        let (place, velocity) = vectors.split_at(length);
        let roles = [
            Role::Coordinate(0),
            Role::Velocity(0),
            Role::Mass,
            Role::Damping,
        ];
        let [s, rate, mass, damping] = roles.map(|role| self.argument(role, &read));
        let parameters = self.parameters(&read);
        let docs = self.docs("acceleration_under", program.count);
        let (scalar, vector, source) = (&self.names.scalar, self.vector(), &self.names.force);
        let called = quote!(#source(&[#(#place),*].into(), &[#(#velocity),*].into()));
        let force = self.unpack(&called, length, Role::Force, &read);
        let (check, result) = check(rest);
        quote! {
            #docs
            #[inline]
            fn acceleration_under(
                &self, #s: #scalar, #rate: #scalar, #mass: #scalar, #damping: #scalar,
                #source: impl FnOnce(&#vector, &#vector) -> #vector,
            ) -> Result<#scalar, rt::Cusp> {
                #parameters
                #statements
                #check
                #force
                #later
                Ok(#result)
            }
        }
    }

    /// For every value: does it need the force?
    fn forced(&self, program: &Program) -> Vec<bool> {
        let mut forced = vec![false; program.values.len()];
        // Operands come before their users.
        for (i, op) in program.values.iter().enumerate() {
            let mut found = match op {
                Op::Input(symbol) => {
                    matches!(self.model.symbols[symbol.index()].role, Role::Force(_))
                }
                _ => false,
            };
            op.for_each_operand(|operand| found |= forced[operand.index()]);
            forced[i] = found;
        }
        forced
    }

    /// The roles that a program reads.
    fn read(&self, program: &Program) -> Set<Role> {
        leaves::roles_read(self.model, program)
    }
}

/// `rt::check_tangent(metric)?;` where the metric is among the outputs, and the result.
fn check(outputs: &[Tokens]) -> (TokenStream, TokenStream) {
    match outputs {
        [metric, result] => (quote!(rt::check_tangent(#metric)?;), quote!(#result)),
        _ => (TokenStream::new(), quote!(#(#outputs)*)),
    }
}

fn lines(docs: &str) -> Tokens {
    let mut tokens = Tokens::default();
    derivation::lines(&mut tokens, docs);
    tokens
}

fn literal(n: usize) -> Literal {
    Literal::usize_unsuffixed(n)
}

// ---- derivation ---------------------------------------------------------------------------------

impl Writer<'_> {
    fn docs(&self, method: &str, count: OperationCount) -> Tokens {
        let formulas: Vec<String> = match method {
            "jet" => Vec::new(),
            "acceleration_under" => vec![self.equation("s̈", Quantity::DampedAcceleration)],
            _ => {
                let told = TOLD.iter().filter(|(name, ..)| *name == method);
                told.map(|&(_, symbol, quantity)| self.equation(symbol, quantity))
                    .collect()
            }
        };
        match &formulas[..] {
            [] if method == "piece" => Tokens::default(),
            [] => lines(&format!("r, r′ and r″ at once: {count}.")),
            formulas => lines(&format!("```text\n{}\n```\n{count}.", formulas.join("\n"))),
        }
    }

    fn equation(&self, symbol: &str, quantity: Quantity) -> String {
        let text = self.text(quantity);
        format!("{symbol} = {}", text.replace('\n', "\n    "))
    }

    /// The right-hand side.
    fn text(&self, quantity: Quantity) -> String {
        let listing = list(self.derived, &[quantity]);
        match (quantity, &listing.results[..]) {
            (Quantity::Domain, [start, end]) => {
                format!("{} ..= {}", text::expression(start), text::expression(end))
            }
            (_, [_]) => text_of(&listing, 0),
            _ => text_of(&listing, self.derived.dimension()),
        }
    }

    fn type_docs(&self, source: &TokenStream) -> TokenStream {
        let equations = TOLD.map(|(_, symbol, quantity)| self.equation(symbol, quantity));
        let (equations, continuity) = (equations.join("\n"), describe(self.derived));
        let plain = format!("\n# Derivation\n\n```text\n{equations}, {continuity}\n```");
        let plain = plain.lines().map(|line| format!(" {line}"));
        let row = |(name, quantities): &(&str, &[Quantity])| {
            format!("| `{name}` | {} |\n", self.program(quantities).count)
        };
        let rows: String = COSTS.iter().map(row).collect();
        let cost = lines(&format!("\n| function | cost |\n|---|---|\n{rows}"));
        quote! {
            #[cfg_attr(not(doc), #(doc = #plain),*)]
            #[cfg_attr(doc, doc = ::constraint_runtime::__private::curve_mathml!(#source))]
            #cost
        }
    }

    /// `CurveDerivation { position: "…", … }`
    fn constant(&self) -> TokenStream {
        let formulas = TOLD.map(|(name, _, quantity)| {
            let (name, formula) = (local(name), self.text(quantity));
            quote!(#name: #formula)
        });
        let counts = COSTS.map(|(name, quantities)| {
            let (name, count) = (local(name), self.program(quantities).count);
            let mut numbers = Tokens::default();
            derivation::count(&mut numbers, count);
            quote!(#name: rt::OperationCount::of([#numbers]))
        });
        let continuity = describe(self.derived);
        quote! {
            rt::CurveDerivation {
                #(#formulas,)*
                continuity: #continuity,
                operations: rt::CurveOperations { #(#counts),* },
            }
        }
    }
}

/// Method and what it computes.
const COSTS: [(&str, &[Quantity]); 7] = [
    ("position", &[Quantity::Position]),
    ("tangent", &[Quantity::Tangent]),
    ("second_derivative", &[Quantity::SecondDerivative]),
    ("jet", &JET),
    ("curvature", &[Quantity::Curvature]),
    ("acceleration", &[Quantity::Acceleration]),
    (
        "acceleration_under",
        &[
            Quantity::Position,
            Quantity::Velocity,
            Quantity::DampedAcceleration,
        ],
    ),
];

// ---- stub ---------------------------------------------------------------------------------------

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
    let structure = stub::structure(&tree.header);
    let name = &tree.header.name;
    let generic = !tree.header.parameters.is_empty();
    let (arguments, default) = (generic.then(|| quote!(<T>)), generic.then(|| quote!(<f64>)));
    let dimension = literal(stub_dimension(tree));
    let vector = quote!(rt::SVector<T, #dimension>);
    let methods = ["position", "tangent", "second_derivative"].map(|method| {
        let method = local(method);
        quote!(fn #method(&self, _: T) -> #vector { ::core::unreachable!() })
    });
    quote! {
        #errors
        #shim
        #structure

        const _: () = {
            use ::constraint_runtime::__private as rt;

            impl<T: rt::Real> rt::Curve<T, #dimension> for #name #arguments {
                #(#methods)*
                fn domain(&self) -> ::core::ops::RangeInclusive<T> { ::core::unreachable!() }
            }

            impl #name #default {
                pub const DERIVATION: rt::CurveDerivation = rt::CurveDerivation::EMPTY;
            }
        };
    }
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
