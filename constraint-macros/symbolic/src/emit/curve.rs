//! The generated items of a curve: struct, `impl Curve`, derivation.

use std::cell::RefCell;
use std::rc::Rc;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use super::derivation::{self, BUDGET};
use super::interface::{self, scalar_of};
use super::rust::{self, Body, Spelling};
use super::tokens::Tokens;
use super::{items, scope, stub};
use crate::curve::{Derived, Piece, Pieces, Quantity, describe};
use crate::diagnostic::Diagnostics;
use crate::expr::{ExprId, Map, Set, SymbolId};
use crate::formula::listing::{self, Listing};
use crate::formula::printed::Printed;
use crate::formula::{latex, mathml, text};
use crate::function::Entry;
use crate::function::leaves::Unique;
use crate::function::leaves::local;
use crate::function::roles_read;
use crate::model::{Model, Role, Shape};
use crate::schedule::{Op, OperationCount, Program, Statement, ValueId};
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
    let constant = derivation::constant(&writer.entries());
    let own = scope::inside(name);
    let impls = quote! {
        #[automatically_derived]
        impl<#scalar: rt::Real> rt::Curve<#scalar, #dimension> for #own #arguments {
            #methods
        }

        #[automatically_derived]
        impl #own #default {
            #constant
        }
    };
    let block = scope::block(name, generic, &impls);
    quote!(#shim #structure #block)
}

/// The derivation of a curve as the MathML that rustdoc shows.
pub fn curve_mathml(derived: &Derived) -> String {
    let printed = Printed::new(&derived.curve.model);
    let (listing, sizes) = told(derived, &printed);
    let mut results = listing.results.iter();
    let equation = |(&(_, symbol, _), size): (&Told, &usize)| {
        let results: Vec<_> = results.by_ref().take(*size).cloned().collect();
        let formula = match &results[..] {
            [single] => mathml::expression(single),
            _ => mathml::matrix(&[results]),
        };
        mathml::equation(
            &mathml::symbol(&result(derived, &printed, symbol)),
            &formula,
        )
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

/// `r`, or `r(s)` where a field is called `r`; the domain is that of the parameter, whatever it is called.
fn result(derived: &Derived, printed: &Printed, symbol: &str) -> String {
    let parameter = derived.curve.parameter();
    match symbol {
        "s" => parameter,
        "s̈" if parameter.chars().count() == 1 => format!("{parameter}\u{308}"),
        "s̈" => format!("{parameter}_ddot"),
        _ => printed.result(symbol, &parameter),
    }
}

/// All of it in one listing, and how many results belong to each quantity.
fn told(derived: &Derived, printed: &Printed) -> (Listing, Vec<usize>) {
    let quantities = TOLD.map(|(_, _, quantity)| quantity);
    let size = |q| expressions(derived, q).len();
    let sizes = quantities.map(size);
    (list(derived, printed, &quantities), sizes.to_vec())
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

/// The identifiers of one expansion.
struct Names {
    /// Per symbol.
    leaves: Vec<Ident>,
    force: Ident,
    /// Whether the parameter is where a condition holds.
    here: Ident,
    acceleration: Ident,
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
            here: local(&unique.name("here")),
            acceleration: local(&unique.name("acceleration")),
            scalar: scalar_of(type_name),
        }
    }
}

/// A piece, by its place in memory, and what is asked of it.
type Asked = (*const Piece, Vec<Quantity>);

struct Writer<'a> {
    derived: &'a Derived,
    model: &'a Model,
    names: Names,
    printed: Printed,
    /// Those made so far, by what they are for: bodies, their documentation and tables ask for the same.
    programs: RefCell<Map<Asked, Rc<Program>>>,
}

impl<'a> Writer<'a> {
    fn new(derived: &'a Derived, name: &Ident) -> Writer<'a> {
        let model = &derived.curve.model;
        Writer {
            derived,
            model,
            names: Names::new(model, name),
            printed: Printed::new(model),
            programs: RefCell::default(),
        }
    }

    fn program(&self, piece: &Piece, quantities: &[Quantity]) -> Rc<Program> {
        let key = (std::ptr::from_ref(piece), quantities.to_vec());
        let mut programs = self.programs.borrow_mut();
        let program = programs.entry(key).or_insert_with(|| {
            let symbol_name = |symbol| self.leaf(symbol);
            Rc::new(self.derived.program(piece, quantities, &symbol_name))
        });
        Rc::clone(program)
    }

    fn leaf(&self, symbol: SymbolId) -> String {
        self.names.leaves[symbol.index()].to_string()
    }

    fn body(&self, program: &Program) -> Body {
        let Body {
            statements: [statements],
            outputs,
        } = self.body_in_parts(program, |_| 0);
        Body {
            statements,
            outputs,
        }
    }

    fn body_in_parts<const N: usize>(
        &self,
        program: &Program,
        part: impl Fn(&Statement) -> usize,
    ) -> Body<[Tokens; N]> {
        let leaf = |symbol: SymbolId| self.names.leaves[symbol.index()].clone();
        let spelling = Spelling {
            leaf: &leaf,
            scalar: &self.names.scalar,
            coordinate: &|_| None,
        };
        rust::body_in_parts(program, &spelling, part)
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

    /// `let a = self.a;`, `let [[g_x, _]] = self.g.data.0;`
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

    /// `let [[x, _]] = source.data.0;`, or nothing where no component is read.
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
        interface::unpack(source, &leaves)
    }
}

// ---- pieces -------------------------------------------------------------------------------------

/// The body of a method, the roles it reads, and what its dearest way through costs.
struct Code {
    tokens: TokenStream,
    read: Set<Role>,
    count: OperationCount,
}

impl Writer<'_> {
    /// Each piece in a branch of its own, where that saves anything.
    ///
    /// Branches that all lanes agree on are taken; lanes that do not agree are selected from all pieces. Of a
    /// single number nothing remains of the latter.
    fn code(
        &self,
        quantities: impl Fn(&Piece) -> Vec<Quantity>,
        write: impl Fn(&Program, &Set<Role>) -> (TokenStream, TokenStream),
    ) -> Code {
        let whole = self.program(&self.derived.whole, &quantities(&self.derived.whole));
        let written = |program: &Program| {
            let read = self.read(program);
            let (statements, result) = write(program, &read);
            (read, statements, result)
        };
        let (mut read, statements, result) = written(&whole);
        let mut branches = TokenStream::new();
        let mut count = whole.count;
        if let Some(pieces) = self.branches(&whole, &quantities) {
            branches = self.branch(&pieces, &mut read, &written);
            count = self.dearest(&pieces);
        }
        let tokens = quote!(#branches #statements #result);
        Code {
            tokens,
            read,
            count,
        }
    }

    /// The programs of the pieces, where none costs more than that of all at once, and some less.
    fn branches(
        &self,
        whole: &Program,
        quantities: impl Fn(&Piece) -> Vec<Quantity>,
    ) -> Option<Pieces<Rc<Program>>> {
        let pieces = self.derived.pieces.as_ref()?;
        let mut saves = false;
        let programs = pieces.try_map(&mut |piece| {
            let program = self.program(piece, &quantities(piece));
            saves |= program.weight() < whole.weight();
            (program.weight() <= whole.weight()).then_some(program)
        });
        programs.filter(|_| saves)
    }

    /// `if rt::all(here) { …; return …; } if rt::none(here) { …; return …; }`
    fn branch(
        &self,
        pieces: &Pieces<Rc<Program>>,
        read: &mut Set<Role>,
        written: &impl Fn(&Program) -> (Set<Role>, TokenStream, TokenStream),
    ) -> TokenStream {
        match pieces {
            Pieces::One(program) => {
                let (roles, statements, result) = written(program);
                read.extend(roles);
                quote!(#statements return #result;)
            }
            Pieces::Either {
                condition,
                branches,
            } => {
                let decision = self.decision(*condition);
                read.extend(self.read(&decision));
                let Body {
                    statements,
                    outputs,
                    ..
                } = self.body(&decision);
                let [then, otherwise] =
                    [0, 1].map(|branch| self.branch(&branches[branch], read, written));
                let here = &self.names.here;
                quote! {
                    #statements
                    let #here = #(#outputs)*;
                    if rt::all(#here) { #then }
                    if rt::none(#here) { #otherwise }
                }
            }
        }
    }

    fn decision(&self, condition: ExprId) -> Program {
        self.derived
            .decision(condition, &|symbol| self.leaf(symbol))
    }

    /// What the dearest way through the branches costs, decisions included.
    fn dearest(&self, pieces: &Pieces<Rc<Program>>) -> OperationCount {
        match pieces {
            Pieces::One(program) => program.count,
            Pieces::Either {
                condition,
                branches,
            } => {
                let [a, b] = [0, 1].map(|branch| self.dearest(&branches[branch]));
                let dearer = if b.weight() > a.weight() { b } else { a };
                self.decision(*condition).count + dearer
            }
        }
    }

    /// What quantities cost.
    fn cost(&self, quantities: &[Quantity]) -> OperationCount {
        let quantities = |_: &Piece| quantities.to_vec();
        let whole = self.program(&self.derived.whole, &quantities(&self.derived.whole));
        self.branches(&whole, quantities)
            .map_or(whole.count, |pieces| self.dearest(&pieces))
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
        let joined = self.joined();
        quote!(#(#vectors)* #jet #curvature #domain #piece #joined #acceleration #under)
    }

    /// Only where it is stated.
    fn joined(&self) -> Option<TokenStream> {
        let joined = Literal::f64_unsuffixed(self.derived.curve.joined?);
        Some(quote! {
            #[inline]
            fn joined(&self) -> ::core::primitive::f64 {
                #joined
            }
        })
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
        result: impl Fn(&[Tokens]) -> TokenStream,
    ) -> TokenStream {
        let code = self.code(
            |_| quantities.to_vec(),
            |program, _| {
                let body = self.body(program);
                let (statements, result) = (body.statements, result(&body.outputs));
                (quote!(#statements), result)
            },
        );
        let (s, scalar) = (
            self.argument(Role::Coordinate(0), &code.read),
            &self.names.scalar,
        );
        let docs = self.docs(name, code.count);
        let (parameters, tokens) = (self.parameters(&code.read), code.tokens);
        let name = local(name);
        quote! {
            #docs
            #[inline]
            fn #name(&self, #s: #scalar) -> #returned {
                #parameters
                #tokens
            }
        }
    }

    fn domain(&self) -> TokenStream {
        let program = self.program(&self.derived.whole, &[Quantity::Domain]);
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
        let source = &self.names.force;
        let code = self.code(
            |piece| self.checked(piece, &[], Quantity::Acceleration),
            |program, read| {
                let force = |_: &[Tokens]| quote!(#source);
                self.accelerated(program, 0, read, force)
            },
        );
        let [s, rate, mass] = [Role::Coordinate(0), Role::Velocity(0), Role::Mass]
            .map(|role| self.argument(role, &code.read));
        let docs = self.docs("acceleration", self.cost(&[Quantity::Acceleration]));
        let (parameters, tokens) = (self.parameters(&code.read), code.tokens);
        let (scalar, vector) = (&self.names.scalar, self.vector());
        quote! {
            #docs
            #[inline]
            fn acceleration(
                &self, #s: #scalar, #rate: #scalar, #source: &#vector, #mass: #scalar
            ) -> Result<#scalar, rt::Cusp> {
                #parameters
                #tokens
            }
        }
    }

    /// The place and the velocity are computed first, then the force is asked for, then s̈.
    fn acceleration_under(&self) -> TokenStream {
        let given = [Quantity::Position, Quantity::Velocity];
        let length = self.derived.dimension();
        let source = &self.names.force;
        let code = self.code(
            |piece| self.checked(piece, &given, Quantity::DampedAcceleration),
            |program, read| {
                let force = |given: &[Tokens]| {
                    let (place, velocity) = given.split_at(length);
                    quote!(#source(&[#(#place),*].into(), &[#(#velocity),*].into()))
                };
                self.accelerated(program, 2 * length, read, force)
            },
        );
        let roles = [
            Role::Coordinate(0),
            Role::Velocity(0),
            Role::Mass,
            Role::Damping,
        ];
        let [s, rate, mass, damping] = roles.map(|role| self.argument(role, &code.read));
        let docs = self.docs("acceleration_under", code.count);
        let (parameters, tokens) = (self.parameters(&code.read), code.tokens);
        let (scalar, vector) = (&self.names.scalar, self.vector());
        quote! {
            #docs
            #[inline]
            fn acceleration_under(
                &self, #s: #scalar, #rate: #scalar, #mass: #scalar, #damping: #scalar,
                #source: impl FnOnce(&#vector, &#vector) -> #vector,
            ) -> Result<#scalar, rt::Cusp> {
                #parameters
                #tokens
            }
        }
    }

    /// What tells whether r′ vanishes where it might, then `given`, and the acceleration.
    fn checked(&self, piece: &Piece, given: &[Quantity], acceleration: Quantity) -> Vec<Quantity> {
        let regular = self.derived.is_regular(piece);
        let check = (!regular).then_some(Quantity::Regularity);
        let rest = given.iter().copied().chain([acceleration]);
        check.into_iter().chain(rest).collect()
    }

    /// The statements up to s̈, and s̈; `force` is the force, of the `given` outputs before s̈.
    ///
    /// Whether r′ vanishes is asked first, unless that would part a sine from its cosine, which are computed together
    /// in less time than apart; then of a result that is not finite only: where r′ vanishes, s̈ is a number over 0.
    fn accelerated(
        &self,
        program: &Program,
        given: usize,
        read: &Set<Role>,
        force: impl Fn(&[Tokens]) -> TokenStream,
    ) -> (TokenStream, TokenStream) {
        let checks = program.outputs.len() - given - 1;
        let first = checks > 0 && !program.parts_sine_and_cosine(0);
        let Body {
            statements: [checked, before, after],
            outputs,
        } = self.body_in_parts(program, self.order(program, first));
        let (metric, outputs) = outputs.split_at(checks);
        let (given, result) = outputs.split_at(given);
        let check = quote!(#(rt::check_tangent(#metric)?;)*);
        let early = first.then_some(&check);
        let force = self.unpack(&force(given), self.derived.dimension(), Role::Force, read);
        let statements = quote!(#checked #early #before #force #after);
        let result = quote!(#(#result)*);
        if first || checks == 0 {
            return (statements, quote!(Ok(#result)));
        }
        let acceleration = &self.names.acceleration;
        let statements = quote! {
            #statements
            let #acceleration = #result;
            if !rt::is_finite(#acceleration) {
                #check
            }
        };
        (statements, quote!(Ok(#acceleration)))
    }

    /// The part of a statement: 0 where the check needs it, if that comes first; 2 where it needs the force; else 1.
    fn order(&self, program: &Program, check_first: bool) -> impl Fn(&Statement) -> usize {
        let checked = program.needed_for(check_first.then_some(0));
        let forced = self.forced(program);
        let part = move |value: ValueId| match (checked[value.index()], forced[value.index()]) {
            (true, _) => 0,
            (false, true) => 2,
            (false, false) => 1,
        };
        move |statement| match statement {
            Statement::Let { value, .. } => part(*value),
            Statement::SinCos { sine, cosine, .. } => part(sine.0).min(part(cosine.0)),
            Statement::Guard(guard) => part(guard.pivot),
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
        roles_read(&self.model.symbols, program)
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
        let [text, _] = self.formula(quantity);
        let symbol = result(self.derived, &self.printed, symbol);
        format!("{symbol} = {}", text.replace('\n', "\n    "))
    }

    /// The right-hand side, as text and as LaTeX.
    fn formula(&self, quantity: Quantity) -> [String; 2] {
        let listing = list(self.derived, &self.printed, &[quantity]);
        let columns = match (quantity, &listing.results[..]) {
            (Quantity::Domain, [start, end]) => {
                let (a, b) = (latex::expression(start), latex::expression(end));
                let text = format!("{} ..= {}", text::expression(start), text::expression(end));
                return [text, format!(r"{a} \ldots {b}")];
            }
            (_, [_]) => 0,
            _ => self.derived.dimension(),
        };
        [
            text::whole(&listing, columns),
            latex::whole(&listing, columns),
        ]
    }

    fn type_docs(&self, source: &TokenStream) -> TokenStream {
        let equations = TOLD.map(|(_, symbol, quantity)| self.equation(symbol, quantity));
        let (equations, continuity) = (equations.join("\n"), describe(self.derived));
        let plain = format!("\n# Derivation\n\n```text\n{equations}, {continuity}\n```");
        let plain = plain.lines().map(|line| format!(" {line}"));
        let row = |(name, quantities): &(&str, &[Quantity])| {
            format!("| `{name}` | {} |\n", self.cost(quantities))
        };
        let rows: String = COSTS.iter().map(row).collect();
        let cost = lines(&format!("\n| function | cost |\n|---|---|\n{rows}"));
        quote! {
            #[cfg_attr(not(doc), #(doc = #plain),*)]
            #[cfg_attr(doc, doc = ::constraint_runtime::__private::curve_mathml!(#source))]
            #cost
        }
    }

    /// Formulas and costs, in the order of the theory.
    fn entries(&self) -> Vec<Entry> {
        let cost = |name: &str| {
            let row = COSTS.iter().find(|(other, _)| *other == name);
            row.map_or_else(OperationCount::default, |(_, quantities)| {
                self.cost(quantities)
            })
        };
        let formulas = TOLD.map(|(name, symbol, quantity)| {
            let [text, latex] = self.formula(quantity);
            let symbol = result(self.derived, &self.printed, symbol);
            Entry {
                name,
                symbol,
                text,
                latex,
                cost: cost(name),
            }
        });
        let others = COSTS.iter().map(|(name, _)| *name);
        let others = others.filter(|name| TOLD.iter().all(|(told, ..)| told != name));
        let others = others.map(|name| Entry::counted(name, "", cost(name)));
        let continuity = Entry::words("continuity", describe(self.derived));
        let formulas = formulas.into_iter().chain(others);
        formulas.chain([continuity]).collect()
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
    let (generic, scalar) = (!tree.header.parameters.is_empty(), scalar_of(name));
    let (arguments, default) = (
        generic.then(|| quote!(<#scalar>)),
        generic.then(|| quote!(<f64>)),
    );
    let dimension = literal(stub_dimension(tree));
    let vector = quote!(rt::SVector<#scalar, #dimension>);
    let methods = ["position", "tangent", "second_derivative"].map(|method| {
        let method = local(method);
        quote!(fn #method(&self, _: #scalar) -> #vector { ::core::unreachable!() })
    });
    let (own, derivation) = (scope::inside(name), derivation::constant([]));
    let impls = quote! {
        impl<#scalar: rt::Real> rt::Curve<#scalar, #dimension> for #own #arguments {
            #(#methods)*
            fn domain(&self) -> ::core::ops::RangeInclusive<#scalar> { ::core::unreachable!() }
        }

        impl #own #default {
            #derivation
        }
    };
    let block = scope::block(name, generic, &impls);
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
