//! The sources of leaves in generated functions: arguments and fields.
//!
//! Input: what a type declares. Output: the list of parameters of any [`Signature`], its type of result, and where
//! each leaf stands.

use std::cell::RefCell;
use std::rc::Rc;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use super::bindings::{Arguments, any_of, are_read, reads_inputs};
use super::bodies;
use super::tables::Tables;
use super::tokens::Tokens;
use crate::code::Field;
use crate::expr::{CollectVec, Map, MapEach, Number, Set};
use crate::function::constraint;
use crate::function::leaves::{Names, local};
use crate::function::system::TANGENT;
use crate::function::{Argument, Dimension, Row, Shape, Signature};
use crate::model::{Inertial, Model, Parameter, Role, Shape as Components, Symbol};
use crate::system::loops::routine::Array;

/// The interface that the functions of one type share.
pub(super) struct Interface<'a> {
    /// The leaves and their roles; none in a stub.
    pub symbols: &'a [Symbol],
    /// Their identifiers.
    pub leaves: &'a [Ident],
    /// The scalar type, `T`.
    pub scalar: Ident,
    /// The arguments that functions may have.
    pub arguments: Vec<Given>,
    /// The fields of `self` that leaves are read from.
    pub fields: Vec<Part>,
    /// The places of arrays that are parameters or inputs.
    pub indexed: Map<Array, Rc<Field>>,
    /// The sizes, in the order of [`Dimension`].
    pub sizes: [usize; 4],
    /// The numbers of inputs and parameters.
    pub varied: [usize; 2],
    /// The number of outputs.
    pub outputs: usize,
    /// The rows of one side.
    pub sides: usize,
    /// The inertial parameters and base parameters.
    pub inertial: Inertial,
    /// Whether vectors are on the heap.
    pub large: bool,
    /// Whether derivatives are refused at corners.
    pub has_corners: bool,
    /// Whether v̇ and λ, and their derivatives, may not be finite at some states.
    pub undefined: [bool; 2],
    /// The same of outputs.
    pub undefined_outputs: [bool; 2],
    /// The same of what rows of one side are solved with.
    pub undefined_sides: [bool; 2],
    /// Rows with places at which the same holds unless their pivots are checked.
    pub revealed: [Vec<usize>; 2],
    /// What reports results that are not finite.
    pub reports: Reports,
    /// The name of each body's part in arguments that hold one for each.
    pub bodies: &'a [Vec<(Argument, Ident)>],
    /// The coordinates that guards beyond those of the rows are about, by name.
    pub coordinates: Vec<String>,
    /// The error of functions that fail, `rt::Error`.
    pub error: TokenStream,
    /// The numbers that members of families differ by.
    pub numbers: &'a [Number],
    /// The tables from which loops read indices.
    pub tables: RefCell<Tables>,
    symbol_of: Map<Role, usize>,
}

/// What turns the first number that is not finite into an error.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reports {
    /// `rt::undefined`, by the state of a system.
    State,
    /// `rt::undefined_row`, of a constraint on points.
    Row,
    /// The number of the result, which is that of a row, of a constraint between bodies.
    Index,
    /// The number alone, of a curve.
    Value,
}

/// An argument of the type's functions.
pub(super) struct Given {
    /// Which one it is.
    pub argument: Argument,
    /// Its name.
    pub name: Ident,
    /// Its type.
    pub ty: Tokens,
    /// The leaves that it holds.
    pub holds: Holds,
}

/// The structure of an argument that holds leaves.
pub(super) enum Holds {
    /// It is the leaf of that role.
    Leaf(Role),
    /// A vector, by reference.
    Vector(Vec<Role>),
    /// A struct of its own, by reference, that becomes a vector.
    Named(Vec<Role>),
    /// A function of two vectors that gives it.
    Law(Vec<Role>),
    /// None: it is a closure that takes the entries of matrices.
    Nothing,
    /// A struct of the runtime's, by reference: its type, and its fields.
    Fields(Shape, Vec<Part>),
    /// An array of references, one for each body: what each is called, and its parts.
    Bodies(Vec<(Ident, Vec<Part>)>),
}

/// Adjacent leaves.
pub(super) struct Part {
    /// Their place.
    pub place: TokenStream,
    /// As what.
    pub layout: Layout,
    /// The roles of the components.
    pub roles: Vec<Role>,
}

impl Part {
    /// The same of a body with that name.
    pub fn of(&self, body: &Ident) -> Part {
        let field: TokenStream = self.place.clone().into_iter().skip(1).collect();
        Part {
            place: quote!(#body #field),
            layout: self.layout,
            roles: self.roles.clone(),
        }
    }
}

/// The layout of adjacent leaves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// A number.
    Number,
    /// A vector.
    Vector,
    /// A symmetric matrix of so many rows, of which one triangle is read, row by row from the diagonal on.
    Symmetric(usize),
}

impl Layout {
    /// Of a parameter or an input.
    pub fn of(shape: Components) -> Layout {
        match shape {
            Components::Scalar => Layout::Number,
            Components::Plane | Components::Space => Layout::Vector,
        }
    }
}

impl<'a> Interface<'a> {
    /// Of a stub, which reads nothing.
    pub fn new(scalar: &Ident, sizes: [usize; 4], error: TokenStream) -> Interface<'a> {
        Interface {
            symbols: &[],
            leaves: &[],
            scalar: scalar.clone(),
            arguments: Vec::new(),
            fields: Vec::new(),
            indexed: Map::default(),
            coordinates: Vec::new(),
            bodies: &[],
            sizes,
            varied: [0; 2],
            outputs: 0,
            sides: 0,
            inertial: Inertial::default(),
            large: false,
            has_corners: false,
            undefined: [false; 2],
            undefined_outputs: [false; 2],
            undefined_sides: [false; 2],
            revealed: Default::default(),
            reports: Reports::State,
            error,
            numbers: &[],
            tables: RefCell::default(),
            symbol_of: Map::default(),
        }
    }

    /// The same with arguments, and parameters that are fields of `owner`.
    pub fn reading(mut self, model: &'a Model, names: &'a Names, owner: &TokenStream) -> Self {
        let roles = model.symbols.iter().enumerate();
        self.symbol_of = roles.map(|(i, symbol)| (symbol.role, i)).collect();
        (self.symbols, self.leaves) = (&model.symbols, &names.leaves);
        self.bodies = &names.bodies;
        let given = |(argument, name): &(Argument, Ident)| Given {
            argument: *argument,
            name: name.clone(),
            ty: self.type_of_argument(*argument),
            holds: match self.holds(*argument) {
                Holds::Fields(shape, _) => Holds::Fields(shape, self.fields_of(shape, name)),
                holds => holds,
            },
        };
        self.arguments = names.arguments.iter().map(given).collect_vec();
        self.fields = fields(&model.parameters, owner);
        self
    }

    /// The identifier of a role's leaf.
    pub fn leaf(&self, role: Role) -> Option<&Ident> {
        self.leaves.get(*self.symbol_of.get(&role)?)
    }

    fn holds(&self, argument: Argument) -> Holds {
        let [coordinates, velocities, rows, bodies] = self.sizes;
        match argument {
            Argument::Coordinates
            | Argument::Velocities
            | Argument::InverseMasses
            | Argument::Forces
                if bodies > 0 =>
            {
                Holds::Bodies(self.parts(argument))
            }
            Argument::Time => Holds::Leaf(Role::Time),
            Argument::Mass => Holds::Leaf(Role::Mass),
            Argument::Damping => Holds::Leaf(Role::Damping),
            Argument::Parameter => Holds::Leaf(Role::Coordinate(0)),
            Argument::Rate => Holds::Leaf(Role::Velocity(0)),
            Argument::Coordinates => Holds::Vector(roles(Role::Coordinate, coordinates)),
            Argument::Velocities => Holds::Vector(roles(Role::Velocity, velocities)),
            Argument::InverseMasses => Holds::Vector(roles(Role::InverseMass, velocities)),
            Argument::Forces => Holds::Vector(roles(Role::Force, velocities)),
            Argument::RightHandSide => Holds::Vector(roles(Role::RightHandSide, rows)),
            Argument::Accelerations => Holds::Vector(roles(Role::Acceleration, velocities)),
            Argument::AccelerationAdjoint => {
                Holds::Vector(roles(Role::AccelerationAdjoint, velocities))
            }
            Argument::MultiplierAdjoint => Holds::Vector(roles(Role::MultiplierAdjoint, rows)),
            Argument::CorrectionAdjoint => {
                Holds::Vector(roles(Role::CorrectionAdjoint, velocities))
            }
            Argument::OutputAdjoint => Holds::Named(roles(Role::OutputAdjoint, self.outputs)),
            Argument::SideForces => Holds::Vector(roles(Role::SideForce, self.sides)),
            Argument::SideAdjoint => Holds::Vector(roles(Role::SideAdjoint, self.sides)),
            Argument::ForceAdjoint => Holds::Vector(roles(Role::ForceAdjoint, velocities)),
            Argument::Tangent => Holds::Fields(TANGENT, Vec::new()),
            Argument::ForceTangent => Holds::Fields(constraint::TANGENT, Vec::new()),
            Argument::Multipliers => Holds::Vector(roles(Role::Reaction, rows)),
            Argument::Entries => Holds::Nothing,
            Argument::ForceLaw => Holds::Law(roles(Role::Force, velocities)),
        }
    }

    /// The fields of a tangent with their places.
    fn fields_of(&self, shape: Shape, owner: &Ident) -> Vec<Part> {
        let Shape::Record(record) = shape else {
            return Vec::new();
        };
        let mut first = 0;
        let part = |&(name, field): &(&str, Shape)| {
            let (entries, name) = (self.entries(field), local(name));
            let roles = first..first + entries;
            first = roles.end;
            Part {
                place: quote!(#owner.#name),
                layout: match field {
                    Shape::Scalar => Layout::Number,
                    _ => Layout::Vector,
                },
                roles: roles.map(Role::Tangent).collect_vec(),
            }
        };
        record.fields.iter().map(part).collect_vec()
    }

    /// The names of the bodies in an argument, and the parts that it holds of each.
    fn parts(&self, argument: Argument) -> Vec<(Ident, Vec<Part>)> {
        let d = self.size(Dimension::Velocities);
        let part = |(body, names): (usize, &Vec<(Argument, Ident)>)| {
            let (_, name) = names.iter().find(|(it, _)| *it == argument)?;
            Some((name.clone(), bodies::parts(argument, body, d, name)))
        };
        self.bodies
            .iter()
            .enumerate()
            .filter_map(part)
            .collect_vec()
    }

    /// The parameter of an argument.
    pub fn given(&self, argument: Argument) -> Option<&Given> {
        self.arguments.iter().find(|it| it.argument == argument)
    }

    /// The name of an argument.
    pub fn name(&self, argument: Argument) -> Ident {
        let given = self.given(argument);
        given.map_or_else(|| local("_"), |given| given.name.clone())
    }

    /// A name that no leaf and no argument has.
    pub fn local(&self, name: &str) -> Ident {
        let mut name = name.to_owned();
        let arguments = || self.arguments.iter().map(|given| &given.name);
        while self.leaves.iter().chain(arguments()).any(|it| *it == name) {
            name.push('_');
        }
        local(&name)
    }

    pub fn size(&self, dimension: Dimension) -> usize {
        match dimension {
            Dimension::States => 2 * self.size(Dimension::Velocities),
            Dimension::Inputs => self.varied[0],
            Dimension::Parameters => self.varied[1],
            Dimension::Outputs => self.outputs,
            Dimension::Inertial => self.inertial.names.len(),
            Dimension::Base => self.inertial.base.len(),
            Dimension::Sides => self.sides,
            _ => self.sizes[dimension as usize],
        }
    }

    /// The number of entries of a result.
    pub fn entries(&self, shape: Shape) -> usize {
        match shape {
            Shape::Scalar => 1,
            Shape::Vector(n) => self.size(n),
            Shape::Matrix(m, n) => self.size(m) * self.size(n),
            Shape::Blocks(m, n) => self.size(m) * self.size(n) * self.size(Dimension::Bodies),
            Shape::Tuple(parts) => parts.iter().map(|&part| self.entries(part)).sum(),
            Shape::Record(record) => {
                let fields = record.fields.iter();
                fields.map(|&(_, field)| self.entries(field)).sum()
            }
            Shape::Array(length, part) => length * self.entries(*part),
            Shape::Range => 2,
            Shape::Outputs => self.outputs,
        }
    }
}

// ---- signatures ---------------------------------------------------------------------------------

impl Interface<'_> {
    /// `rt::SVector<T, 2>`
    pub fn type_of(&self, out: &mut Tokens, shape: Shape) {
        match shape {
            Shape::Scalar => _ = out.ident(self.scalar.clone()),
            Shape::Vector(n) => self.vector(out, self.size(n)),
            Shape::Matrix(m, n) => {
                let kind = if self.large {
                    "SparseMatrix"
                } else {
                    "SMatrix"
                };
                self.generic(out, kind, &[m, n].map_each(|n| self.size(n)));
            }
            Shape::Blocks(m, n) => {
                let block = |out: &mut Tokens| self.type_of(out, Shape::Matrix(m, n));
                array(out, block, self.size(Dimension::Bodies));
            }
            Shape::Tuple(parts) => {
                let part = |out: &mut Tokens, part: &Shape| self.type_of(out, *part);
                out.parentheses(|out| _ = out.list(parts, part));
            }
            Shape::Record(record) => {
                let sizes = record.sizes.iter().map(|&size| self.size(size));
                self.generic(out, record.name, &sizes.collect_vec());
            }
            Shape::Array(length, part) => array(out, |out| self.type_of(out, *part), length),
            Shape::Range => {
                let scalar = &self.scalar;
                out.quoted(quote!(::core::ops::RangeInclusive<#scalar>));
            }
            Shape::Outputs => _ = out.quoted(quote!(Self::Outputs)),
        }
    }

    /// `rt::SMatrix<T, 2, 1>`
    pub fn generic(&self, out: &mut Tokens, name: &str, sizes: &[usize]) {
        out.runtime(name).punct('<').ident(self.scalar.clone());
        for &size in sizes {
            out.punct(',').literal(Literal::usize_unsuffixed(size));
        }
        out.punct('>');
    }

    /// `T`, `&rt::SVector<T, 2>`, `[&rt::Rigid3<T>; 2]`
    fn type_of_argument(&self, argument: Argument) -> Tokens {
        let mut out = Tokens::default();
        match self.holds(argument) {
            Holds::Leaf(_) => _ = out.ident(self.scalar.clone()),
            Holds::Vector(roles) => self.vector(out.punct('&'), roles.len()),
            Holds::Law(roles) => {
                let mut vector = Tokens::default();
                self.generic(&mut vector, "SVector", &[roles.len()]);
                let vector: TokenStream = vector.into();
                out.quoted(quote!(impl FnOnce(&#vector, &#vector) -> #vector));
            }
            Holds::Nothing => {
                let scalar = &self.scalar;
                out.quoted(quote!(&mut impl ::core::ops::FnMut(rt::DescriptorMatrix, usize, usize, #scalar)));
            }
            Holds::Fields(shape, _) => self.type_of(out.punct('&'), shape),
            Holds::Named(_) => _ = out.quoted(quote!(&Self::Outputs)),
            Holds::Bodies(_) => {
                let [_, d, _, bodies] = self.sizes;
                let part = bodies::type_of_part(argument, d, &self.scalar);
                array(&mut out, |out| _ = out.punct('&').quoted(part), bodies);
            }
        }
        out
    }

    /// `fn name(&self, t: T, _q: &rt::SVector<T, 2>) -> T`; arguments without leaves that are `read` begin with an
    /// underscore.
    pub fn signature(&self, out: &mut Tokens, signature: &Signature, read: &Set<Role>) {
        self.signature_failing(out, signature, read, &self.error);
    }

    /// The same with an error of its own.
    pub fn signature_failing(
        &self,
        out: &mut Tokens,
        signature: &Signature,
        read: &Set<Role>,
        error: &TokenStream,
    ) {
        out.word("fn").word(signature.name).parentheses(|out| {
            out.punct('&').word("self");
            self.parameters(out, signature.arguments, read);
        });
        self.returns(out, signature, error);
    }

    /// `-> Result<T, rt::Error>`
    fn returns(&self, out: &mut Tokens, signature: &Signature, error: &TokenStream) {
        out.joint('-', '>');
        if !signature.fails {
            return self.type_of(out, signature.result);
        }
        self.type_of(out.word("Result").punct('<'), signature.result);
        out.punct(',').quoted(error.clone()).punct('>');
    }

    /// `, t: T, _q: &rt::SVector<T, 2>`
    pub fn parameters(&self, out: &mut Tokens, arguments: &[Argument], read: &Set<Role>) {
        for argument in arguments {
            if let Some(given) = self.given(*argument) {
                let name = if given.holds.is_read(read) || reads_inputs(read) {
                    given.name.clone()
                } else {
                    format_ident!("_{}", given.name, span = Span::mixed_site())
                };
                out.punct(',').binding(name).punct(':').paste(&given.ty);
            }
        }
    }

    /// Functions without names of arguments, and without bodies.
    pub fn stubs<'r, Q: 'r>(&self, rows: impl IntoIterator<Item = &'r Row<Q>>) -> Tokens {
        let stub = |row: &Row<Q>| {
            let signature = &row.signature;
            let name = local(signature.name);
            let types = signature.arguments.iter();
            let types = types.map(|argument| self.type_of_argument(*argument));
            let mut returns = Tokens::default();
            self.returns(&mut returns, signature, &self.error);
            quote!(fn #name(&self #(, _: #types)*) #returns { ::core::unreachable!() })
        };
        let stubs: TokenStream = rows.into_iter().map(stub).collect();
        stubs.into()
    }
}

/// `[T; 2]`
fn array(out: &mut Tokens, element: impl FnOnce(&mut Tokens), length: usize) {
    out.brackets(|out| {
        element(out);
        out.punct(';').literal(Literal::usize_unsuffixed(length));
    });
}

impl Holds {
    /// The leaves of a vector of the language: all numbers of what it has no other values for.
    pub fn numbers(&self, kind: Arguments) -> Option<Vec<Role>> {
        let all = |parts: &[Part]| -> Vec<Role> {
            parts.iter().flat_map(|it| it.roles.clone()).collect_vec()
        };
        match self {
            Holds::Vector(roles) | Holds::Named(roles) => Some(roles.clone()),
            Holds::Law(roles) if kind.is_flat => Some(roles.clone()),
            Holds::Fields(_, parts) if kind.is_flat => Some(all(parts)),
            Holds::Bodies(bodies) if kind.is_flat => {
                Some(bodies.iter().flat_map(|it| all(&it.1)).collect_vec())
            }
            _ => None,
        }
    }

    fn is_read(&self, read: &Set<Role>) -> bool {
        match self {
            Holds::Leaf(role) => read.contains(role),
            Holds::Nothing => true,
            Holds::Vector(roles) | Holds::Named(roles) | Holds::Law(roles) => any_of(roles, read),
            Holds::Fields(_, parts) => are_read(parts, read),
            Holds::Bodies(bodies) => bodies.iter().any(|(_, parts)| are_read(parts, read)),
        }
    }
}

/// The parameters of a type as fields of `owner`.
fn fields(parameters: &[Parameter], owner: &TokenStream) -> Vec<Part> {
    let field = |(index, parameter): (usize, &Parameter)| {
        let name = &parameter.name;
        let role = |component| Role::Parameter {
            parameter: index,
            component,
        };
        elements(
            &quote!(#owner.#name),
            parameter.shape,
            &parameter.lengths,
            &role,
        )
    };
    parameters.iter().enumerate().flat_map(field).collect_vec()
}

/// The components of a field that is an array, each as an array of its own; `array` is called with their numbers.
pub(super) fn indexed(
    field: &TokenStream,
    shape: Components,
    lengths: &[usize],
    array: impl Fn(usize) -> Array,
) -> Vec<(Array, Rc<Field>)> {
    if lengths.is_empty() {
        return Vec::new();
    }
    let component = |component| {
        let field = Field {
            place: field.clone(),
            lengths: lengths.to_vec(),
            component: (shape != Components::Scalar).then_some(component),
        };
        (array(component), Rc::new(field))
    };
    (0..shape.len()).map(component).collect_vec()
}

/// An array of arrays as one.
pub(super) fn flattened(array: TokenStream, lengths: &[usize]) -> TokenStream {
    (1..lengths.len()).fold(array, |array, _| quote!(#array.as_flattened()))
}

/// A field, or each element of an array of them; roles are given to its scalars in order.
pub(super) fn elements(
    field: &TokenStream,
    shape: Components,
    lengths: &[usize],
    role: &dyn Fn(usize) -> Role,
) -> Vec<Part> {
    let index = |places: Vec<TokenStream>, &length: &usize| -> Vec<TokenStream> {
        let indexed = places.iter().flat_map(|place| {
            let indices = (0..length).map(Literal::usize_unsuffixed);
            indices.map(move |i| quote!(#place[#i]))
        });
        indexed.collect_vec()
    };
    let places = lengths.iter().fold(vec![field.clone()], index);
    let part = |(i, place)| Part {
        place,
        layout: Layout::of(shape),
        roles: (i * shape.len()..(i + 1) * shape.len())
            .map(role)
            .collect_vec(),
    };
    places.into_iter().enumerate().map(part).collect_vec()
}

/// `count` roles of a kind, from the first.
pub(super) fn roles(role: fn(usize) -> Role, count: usize) -> Vec<Role> {
    (0..count).map(role).collect_vec()
}

/// The type parameter of a generated type: `T`, unless that is the type's own name.
pub(super) fn scalar_of(type_name: &Ident) -> Ident {
    let name = if type_name == "T" { "Scalar" } else { "T" };
    Ident::new(name, Span::mixed_site())
}
