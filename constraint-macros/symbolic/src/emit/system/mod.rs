//! The generated items of a system: what [`items`] declares, `impl System` and the constants.

mod checks;
mod corners;
mod defaults;
mod documentation;
mod fields;
mod implementations;
mod impulses;
mod items;
mod named;
mod nested;
mod regressor;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use self::fields::count;
use self::items::Items;
use super::derivation;
use super::heap;
use super::interface::{self, Interface};
#[cfg(feature = "export")]
use super::language::{self, Exported, Language};
use crate::certify::Certificate;
use crate::diagnostic::Diagnostics;
use crate::emit::tokens::Tokens;
use crate::emit::undefined::OF_STATE;
use crate::expr::{CollectVec, MapEach, PushEach, SymbolId};
use crate::formula::printed::Printed;
use crate::function::leaves::Names;
use crate::function::leaves::local;
use crate::function::system::{PROJECTED_MOTION, functions, methods, names};
use crate::function::undefined::named_places;
#[cfg(feature = "tools")]
use crate::function::{Argument, Body, Shape, Signature};
use crate::function::{Entry, Function, Trait};
use crate::model::{Parameter, Role, System};
use crate::syntax::ast::Header;
use crate::system::loops::routine::Array;
use crate::system::{Derived, Quantity};

/// From how many velocities on sparse matrices of Newton's method take less than dense ones.
const SPARSE_FROM: usize = 24;

/// All that is said of a system, with what its functions cost.
pub fn system_derivation<'a>(
    derived: &'a Derived,
    names: &'a Names,
    functions: Vec<Function<'a>>,
) -> Vec<Entry> {
    let writer = Writer::with(derived, names, functions);
    writer.map_or_else(Vec::new, |writer| writer.entries())
}

/// The derivation as the MathML that rustdoc shows.
pub fn system_mathml(derived: &Derived) -> String {
    let names = names(&derived.system);
    let writer = Writer::new(derived, &names);
    writer.map_or_else(String::new, |writer| writer.mathml())
}

/// M of systems that are written out; others compute it by products.
const INERTIA: &str = "joint_space_inertia";

/// The items of a derived system.
pub fn system(
    derived: &Derived,
    (names, functions, certificate): (&Names, Vec<Function<'_>>, &Certificate),
    shim: &TokenStream,
    source: &TokenStream,
) -> TokenStream {
    let Some(writer) = Writer::with(derived, names, functions) else {
        return TokenStream::new();
    };
    let mut docs = writer.type_docs(source);
    docs.extend(derivation::certified(certificate, &writer.functions));
    let default = writer.items.default_values();
    let structure = writer.items.structure(&docs, default.is_some());
    let default = default.or_else(|| writer.items.without_default(without_value(derived)));
    let methods = [
        writer.dynamics(),
        writer.rows(),
        writer.outputs(),
        writer.derivatives(),
        writer.output_derivatives(),
        writer.task_space(),
        writer.descriptor(),
        writer.one_sided(),
        writer.one_sided_derivatives(),
    ];
    let constants = writer.constants();
    let regressor = writer.regressor();
    let tables = writer.interface.tables.take();
    let tables = tables.items(writer.interface.numbers);
    let constants = quote!(#tables #default #constants #regressor);
    writer.items.all(shim, &structure, methods, &constants)
}

fn without_value(derived: &Derived) -> impl Iterator<Item = &Parameter> {
    let System {
        model, defaults, ..
    } = &derived.system;
    let parameters = model.parameters.iter().zip(defaults);
    let missing = parameters.filter(|(_, values)| values.is_none());
    missing.map(|(parameter, _)| parameter)
}

/// The functions of a system in another language.
#[cfg(feature = "export")]
pub fn system_functions(
    derived: &Derived,
    (names, functions): (&Names, &[Function<'_>]),
    language: &dyn Language,
) -> Exported {
    let interface = interface(&derived.system, &local("T"), names, &quote!(self));
    language::functions(language, &interface, functions)
}

/// The functions that move a system, in another language, and, under the name `places`, a list of the points where its
/// masses are, which no equation contains.
#[cfg(feature = "tools")]
pub fn system_motion(
    derived: &Derived,
    (names, functions): (&Names, &[Function<'_>]),
    language: &dyn Language,
) -> Exported {
    let interface = interface(&derived.system, &local("T"), names, &quote!(self));
    let mut exported = language::functions(language, &interface, functions);
    if let Some(places) = places(derived, names) {
        let places = language::functions(language, &interface, &[places]);
        exported.functions.extend(places.functions);
    }
    exported
}

#[cfg(feature = "tools")]
fn places<'a>(derived: &Derived, names: &Names) -> Option<Function<'a>> {
    const POINTS: [&Shape; 2] = [
        &Shape::Array(2, &Shape::Scalar),
        &Shape::Array(3, &Shape::Scalar),
    ];
    let (size, program) = derived.places(&|symbol| names.leaf(symbol));
    let point = POINTS.get(size.checked_sub(2)?)?;
    Some(Function {
        signature: Signature {
            name: "places",
            arguments: &[Argument::Time, Argument::Coordinates],
            result: Shape::Array(program.outputs.len() / size, point),
            fails: false,
        },
        symbol: "r",
        of_trait: Trait::Motion,
        body: Body::Straight(program),
    })
}

/// The errors, and items of the right names and shapes as far as they are known, so that one mistake gives
/// one error. `parsed` is `None` where there is not even a struct.
pub fn system_stub(
    parsed: Option<(&Header, &System)>,
    diagnostics: &Diagnostics,
    shim: &TokenStream,
) -> TokenStream {
    let errors = diagnostics.to_tokens();
    let named = parsed.and_then(|(header, system)| Some((header, system, Items::new(system)?)));
    let Some((header, system, items)) = named else {
        return quote!(#shim #errors);
    };
    // Every parameter has a value, even if a wrong one.
    let mut parameters = header.parameters.iter();
    let given = parameters.all(|parameter| parameter.default.is_some());
    let default = given.then(|| items.default(&quote!(::core::unreachable!())));
    let structure = items.structure(&TokenStream::new(), default.is_some());
    let declared = header.parameters.iter().zip(items.parameters);
    let missing = declared.filter(|(declared, _)| declared.default.is_none());
    let default = default.or_else(|| items.without_default(missing.map(|(_, it)| it)));
    let names = names(system);
    let interface = interface(system, &items.scalar, &names, &owner(system));
    let traits = [
        Trait::Motion,
        Trait::Rows,
        Trait::Outputs,
        Trait::Derivatives,
        Trait::OutputDerivatives,
        Trait::TaskSpace,
        Trait::Descriptor,
        Trait::OneSided,
        Trait::OneSidedDerivatives,
    ];
    let methods = traits.map(|of_trait| interface.stubs(methods(of_trait)));
    let (own, generic, m) = (&items.own, items.generic_f64(), items.m());
    let rows = system.rows.iter().map(ToString::to_string);
    let derivation = derivation::constant([]);
    let constants = quote! {
        #default

        impl #own #generic {
            pub const CONSTRAINTS: [&'static str; #m] = [#(#rows),*];
            #derivation
        }
    };
    items.all(&quote!(#shim #errors), &structure, methods, &constants)
}

/// Everything that the parts of one expansion share.
struct Writer<'a> {
    derived: &'a Derived,
    system: &'a System,
    items: Items<'a>,
    names: &'a Names,
    interface: Interface<'a>,
    functions: Vec<Function<'a>>,
    /// The names for people.
    printed: Printed,
}

impl<'a> Writer<'a> {
    /// `None` of a system without a name.
    fn new(derived: &'a Derived, names: &'a Names) -> Option<Writer<'a>> {
        Writer::with(derived, names, functions(derived, names))
    }

    /// Of functions that have been listed.
    fn with(
        derived: &'a Derived,
        names: &'a Names,
        functions: Vec<Function<'a>>,
    ) -> Option<Writer<'a>> {
        let system = &derived.system;
        let items = Items::new(system)?;
        let mut interface = interface(system, &items.scalar, names, &owner(system));
        interface.has_corners = !derived.expressions(Quantity::Corners).is_empty();
        let undefined = &derived.undefined;
        interface.undefined = [false, true].map_each(|it| undefined.is_in_motion(it));
        interface.undefined_outputs = [false, true].map_each(|it| undefined.is_in_outputs(it));
        interface.undefined_sides = [false, true].map_each(|it| undefined.is_in_sides(it));
        Some(Writer {
            interface,
            printed: Printed::new(&system.model),
            functions,
            names,
            derived,
            system,
            items,
        })
    }
}

impl Writer<'_> {
    /// The implementation of `Dynamics`.
    fn dynamics(&self) -> Tokens {
        let mut out = Tokens::default();
        out.quoted(self.properties().unwrap_or_default());
        self.functions(&mut out, Trait::Motion);
        if self.interface.large && self.system.model.bodies.is_empty() {
            out.items(self.interface.plain_kinematics());
        }
        out.items(self.linearization().unwrap_or_default());
        if self.system.options.derivatives.is_some() && self.system.rows.is_empty() {
            out.items(self.written_descriptor());
        }
        out.items(self.items.normalize().unwrap_or_default());
        out.items(self.items.names());
        self.validate(&mut out);
        self.admits(&mut out);
        self.interface
            .check_defined(&mut out, OF_STATE, named_places(self.derived), || {
                let leaf = |symbol| self.leaf(symbol);
                self.derived.program(&[Quantity::Undefined], &leaf)
            });
        out
    }

    /// What is known of the system beyond its equations: `const PROPERTIES: rt::Properties = …;`
    fn properties(&self) -> Option<TokenStream> {
        let mut known = Tokens::default();
        known.quoted(self.own_frames().unwrap_or_default());
        if let Some(room) = self.interface.room(&self.functions) {
            let room = count(room);
            known.quoted(quote!(room: #room,));
        }
        if self.is_sparse() {
            known.quoted(quote!(sparse: true,));
        }
        if self.system.has_potential_forces() {
            known.quoted(quote!(conservative_forces: true,));
        }
        known.quoted(self.forces_ignore_velocity().unwrap_or_default());
        if self.writes("jvp") {
            known.quoted(quote!(linearizes: true,));
        }
        let mut functions = self.functions.iter();
        let rows = !self.system.rows.is_empty();
        if rows && functions.any(|function| function.signature.name == PROJECTED_MOTION) {
            known.quoted(quote!(projects_motion: true,));
        }
        let known: TokenStream = known.into();
        (!known.is_empty()).then(|| {
            quote! {
                const PROPERTIES: rt::Properties = rt::Properties {
                    #known
                    ..rt::Properties::NONE
                };
            }
        })
    }

    /// Declares h, up to its inputs, a function of t and q alone.
    fn forces_ignore_velocity(&self) -> Option<TokenStream> {
        let (_, applied) = self.derived.equations.of_motion();
        let reads = self.system.model.mentions_velocity(applied.iter().copied());
        let given = self.items.inputs_ignore_velocity();
        (!reads).then(|| quote!(forces_ignore_velocity: #given,))
    }

    /// The implementation of `System`.
    fn rows(&self) -> Tokens {
        let mut out = Tokens::default();
        if !self.system.rows.is_empty() {
            self.functions(&mut out, Trait::Rows);
            if self.system.options.derivatives.is_some() {
                out.items(self.written_descriptor());
            }
            self.impulses(&mut out);
            out.items(self.row_name());
        }
        out
    }

    /// The implementation of the outputs.
    fn outputs(&self) -> Tokens {
        let mut out = Tokens::default();
        self.functions(&mut out, Trait::Outputs);
        out
    }

    /// The implementation of the derivatives of the motion.
    fn derivatives(&self) -> Tokens {
        let mut out = Tokens::default();
        self.functions(&mut out, Trait::Derivatives);
        if !self.writes("jvp") {
            return out;
        }
        self.corners(&mut out);
        if !self.writes("linearize") {
            let docs = " One `vjp` for each row.";
            out.items(self.of_state(
                docs,
                "linearize",
                "linearized_by_gradients",
                &quote!(Self::Linearization),
            ));
        }
        if !self.writes("linearize_with_multipliers") {
            let both = quote!((Self::Linearization, Self::MultiplierLinearization));
            let name = "linearize_with_multipliers";
            out.items(if self.system.rows.is_empty() {
                let docs = " There are no multipliers.";
                self.of_state(docs, name, "linearized_without_rows", &both)
            } else {
                let docs = " One `vjp` for each row.";
                self.of_state(
                    docs,
                    name,
                    "linearized_with_multipliers_by_gradients",
                    &both,
                )
            });
        }
        out
    }

    /// The implementation of the derivatives of outputs.
    fn output_derivatives(&self) -> Tokens {
        let mut out = Tokens::default();
        self.functions(&mut out, Trait::OutputDerivatives);
        if self.writes("outputs_jvp") && !self.writes("linearize_with_outputs") {
            let docs = " One `jvp` and one `outputs_jvp` for each column.";
            let both = quote!((Self::Linearization, Self::OutputLinearization));
            let of = "linearized_with_outputs_by_tangents";
            out.items(self.of_state(docs, "linearize_with_outputs", of, &both));
        }
        out
    }

    /// The implementation of how outputs move.
    fn task_space(&self) -> Tokens {
        let mut out = Tokens::default();
        self.functions(&mut out, Trait::TaskSpace);
        let mut functions = self.functions.iter();
        let is_asked = self.system.options.task_space.is_some();
        if is_asked && !functions.any(|it| it.signature.name == INERTIA) {
            out.items(self.items.inertia_by_products());
        }
        out.items(self.without_jacobian().unwrap_or_default());
        out
    }

    /// The implementation of the rows of one side.
    fn one_sided(&self) -> Tokens {
        let mut out = Tokens::default();
        self.functions(&mut out, Trait::OneSided);
        if self.system.options.one_sided.is_some() && self.system.rows.is_empty() {
            let (scalar, k) = (&self.items.scalar, count(self.system.sides()));
            out.quoted(quote! {
                #[doc = " There are no constraints of two sides."]
                fn one_sided_reactions(
                    &self,
                    _: #scalar,
                    _: &Self::Q,
                ) -> Result<Self::Reactions, rt::Error> {
                    Ok(rt::matrix([[]; #k]))
                }
            });
        }
        out
    }

    /// The implementation of their derivatives.
    fn one_sided_derivatives(&self) -> Tokens {
        let mut out = Tokens::default();
        self.functions(&mut out, Trait::OneSidedDerivatives);
        out
    }

    /// The places of outputs that have no Jacobian, where there are any.
    fn without_jacobian(&self) -> Option<TokenStream> {
        let tasks = self.system.tasks.iter().enumerate();
        let without = tasks.filter(|(_, task)| task.is_none());
        let without: Vec<_> = without.map(|(place, _)| count(place)).collect_vec();
        (!without.is_empty())
            .then(|| quote!(const WITHOUT_JACOBIAN: &'static [usize] = &[#(#without),*];))
    }

    /// The linearised equations, entry by entry.
    fn descriptor(&self) -> Tokens {
        let mut out = Tokens::default();
        self.functions(&mut out, Trait::Descriptor);
        out
    }

    /// Whether there is a program or loops for a function.
    fn writes(&self, name: &str) -> bool {
        let mut functions = self.functions.iter();
        functions.any(|it| it.signature.name == name)
    }

    /// A function of the state that the runtime makes of others.
    fn of_state(&self, docs: &str, name: &str, of: &str, result: &TokenStream) -> TokenStream {
        let scalar = &self.items.scalar;
        let [t, q, v] = ["t", "q", "v"].map(local);
        let [name, of] = [name, of].map(|it| Ident::new(it, Span::call_site()));
        quote! {
            #[doc = #docs]
            fn #name(
                &self,
                #t: #scalar,
                #q: &Self::Q,
                #v: &Self::V,
            ) -> Result<#result, rt::Error> {
                rt::#of(self, #t, #q, #v)
            }
        }
    }

    /// The implementation of the descriptor pair for implicit methods, if derivatives are requested.
    fn linearization(&self) -> Option<TokenStream> {
        if !self.writes("jvp") {
            return None;
        }
        let scalar = &self.items.scalar;
        let [t, q, v, by_q, by_v] = ["t", "q", "v", "by_q", "by_v"].map(local);
        Some(quote! {
            fn write_linearization(
                &self,
                #t: #scalar,
                #q: &Self::Q,
                #v: &Self::V,
                #by_q: &mut [Self::V],
                #by_v: &mut [Self::V],
            ) -> Result<(), rt::Error> {
                rt::write_linearized(self, (#t, #q, #v), #by_q, #by_v)
            }
        })
    }

    /// Whether implicit methods eliminate the entries of the descriptor pair, which takes less than dense matrices.
    ///
    /// Redundant rows leave λ open, which no elimination of rows and velocities together decides.
    fn is_sparse(&self) -> bool {
        let options = &self.system.options;
        options.derivatives.is_some()
            && !options.redundant
            && self.system.velocities() >= SPARSE_FROM
    }

    /// The descriptor pair as implicit methods and the search for equilibria read it.
    fn written_descriptor(&self) -> TokenStream {
        let scalar = &self.items.scalar;
        let [t, q, v, a, lambda, entry] = ["t", "q", "v", "a", "lambda", "entry"].map(local);
        let (name, taken, given) = if self.system.rows.is_empty() {
            let none = quote!(&rt::SVector::<#scalar, 0>::zeros());
            (quote!(write_unconstrained_descriptor), None, none)
        } else {
            let taken = quote!(#lambda: &Self::Rows,);
            (quote!(write_descriptor), Some(taken), quote!(#lambda))
        };
        quote! {
            fn #name(
                &self,
                #t: #scalar,
                #q: &Self::Q,
                #v: &Self::V,
                #a: &Self::V,
                #taken
                #entry: &mut impl FnMut(rt::DescriptorMatrix, usize, usize, #scalar),
            ) {
                rt::Descriptor::descriptor(self, #t, #q, #v, #a, #given, #entry);
            }
        }
    }

    fn functions(&self, out: &mut Tokens, of_trait: Trait) {
        let functions = self.functions.iter();
        for function in functions.filter(|function| function.of_trait == of_trait) {
            let docs = format!("{}: {}.", function.symbol, function.body.cost_in_words());
            self.interface.method(out, function, &docs);
        }
    }

    /// The places of bodies that steps have in their own frames; nothing if there are none.
    fn own_frames(&self) -> Option<TokenStream> {
        let runs = self.derived.own_frames();
        let literals = runs.iter().map(|run| {
            let [turn, spin, bodies] = [run.turn, run.spin, run.count].map(count);
            quote!(rt::OwnFrames { turn: #turn, spin: #spin, count: #bodies })
        });
        let literals: Vec<TokenStream> = literals.collect_vec();
        (!literals.is_empty()).then(|| quote!(own_frames: &[#(#literals),*],))
    }

    fn leaf(&self, symbol: SymbolId) -> String {
        self.names.leaf(symbol)
    }
}

/// The interface of a system's functions; `owner` has the parameters as its fields.
fn interface<'a>(
    system: &'a System,
    scalar: &Ident,
    names: &'a Names,
    owner: &TokenStream,
) -> Interface<'a> {
    let rows = system.rows.len();
    let sizes = [system.scalars(), system.velocities(), rows, 0];
    let mut interface = Interface::new(scalar, sizes, quote!(rt::Error));
    interface.varied = [system.given(), system.model.varied()];
    interface.outputs = system.observed.len();
    interface.sides = system.sides();
    interface.inertial = system.inertial.clone();
    interface.numbers = &system.numbers;
    interface.large = sizes.into_iter().any(heap::is_large);
    let mut interface = interface.reading(&system.model, names, owner);
    let coordinates = system.coordinates.iter();
    interface.coordinates = coordinates.map(|it| it.name.clone()).collect_vec();
    let mut first = 0;
    let given = local("given");
    for (number, declared) in system.inputs.iter().enumerate() {
        let (field, role) = (&declared.name, |i| Role::Input(first + i));
        let parts = interface::elements(
            &quote!(#given.#field),
            declared.shape,
            &declared.lengths,
            &role,
        );
        interface.fields.push_each(parts);
        let array = |component| Array::Input(number, component);
        let indexed = interface::indexed(
            &quote!(#given.#field),
            declared.shape,
            &declared.lengths,
            array,
        );
        interface.indexed.extend(indexed);
        first += declared.scalars();
    }
    for (number, declared) in system.model.parameters.iter().enumerate() {
        let (name, array) = (&declared.name, |c| Array::Parameter(number, c));
        let (field, lengths) = (quote!(#owner.#name), &declared.lengths);
        let indexed = interface::indexed(&field, declared.shape, lengths, array);
        interface.indexed.extend(indexed);
    }
    interface
}

/// The owner of the parameters.
fn owner(system: &System) -> TokenStream {
    if system.inputs.is_empty() {
        quote!(self)
    } else {
        quote!(self.system)
    }
}
