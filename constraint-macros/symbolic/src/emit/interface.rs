//! How generated functions come by their leaves: arguments, fields, and the `let`s that take them apart.
//!
//! Input: what a type declares. Output: the list of parameters of any [`Signature`], its type of result, and the
//! bindings of what a program reads.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use super::tokens::Tokens;
use crate::expr::{Map, Set};
use crate::function::leaves::local;
use crate::function::{Argument, Dimension, Row, Shape, Signature};
use crate::model::{Parameter, Role, Shape as Components, Symbol};

/// What the functions of one type share.
pub(super) struct Interface<'a> {
    /// The leaves and their roles; none in a stub.
    pub symbols: &'a [Symbol],
    /// Their identifiers.
    pub leaves: &'a [Ident],
    /// The scalar type, `T`.
    pub scalar: Ident,
    /// What every function may be given.
    pub arguments: Vec<Given>,
    /// The fields of `self` that leaves are read from.
    pub fields: Vec<Part>,
    /// The numbers of coordinates, of velocities and of rows.
    pub sizes: [usize; 3],
    /// What guards beyond those of the rows are about, by name.
    pub coordinates: Vec<String>,
    /// What functions give back that fail, `rt::Error`.
    pub error: TokenStream,
    symbol_of: Map<Role, usize>,
}

/// An argument of the type's functions.
pub(super) struct Given {
    /// Which one it is.
    pub argument: Argument,
    /// What it is called.
    pub name: Ident,
    /// Its type.
    pub ty: Tokens,
    /// The leaves that it holds.
    pub holds: Holds,
}

/// How an argument holds leaves.
pub(super) enum Holds {
    /// It is the leaf of that role.
    Leaf(Role),
    /// A vector, by reference.
    Vector(Vec<Role>),
    /// A function of two vectors that gives it.
    Law(Vec<Role>),
}

/// Leaves that stand together.
pub(super) struct Part {
    /// Where they stand: a number, or a vector.
    pub place: TokenStream,
    /// Whether it is a number.
    pub single: bool,
    /// The roles of its components.
    pub roles: Vec<Role>,
}

impl<'a> Interface<'a> {
    /// Without arguments and fields.
    pub fn new(
        symbols: &'a [Symbol],
        leaves: &'a [Ident],
        scalar: &Ident,
        sizes: [usize; 3],
        error: TokenStream,
    ) -> Interface<'a> {
        let roles = symbols.iter().enumerate();
        Interface {
            symbols,
            leaves,
            scalar: scalar.clone(),
            arguments: Vec::new(),
            fields: Vec::new(),
            coordinates: Vec::new(),
            sizes,
            error,
            symbol_of: roles.map(|(i, symbol)| (symbol.role, i)).collect(),
        }
    }

    /// The identifier of a role's leaf.
    pub fn leaf(&self, role: Role) -> Option<&Ident> {
        self.leaves.get(*self.symbol_of.get(&role)?)
    }

    /// Gives the functions these arguments.
    pub fn give(&mut self, names: &[(Argument, Ident)]) {
        let given = |(argument, name): &(Argument, Ident)| {
            let holds = self.holds(*argument);
            Given {
                argument: *argument,
                name: name.clone(),
                ty: self.type_of_holding(&holds).into(),
                holds,
            }
        };
        self.arguments = names.iter().map(given).collect();
    }

    fn holds(&self, argument: Argument) -> Holds {
        let [coordinates, velocities, rows] = self.sizes;
        match argument {
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
            Argument::ForceLaw => Holds::Law(roles(Role::Force, velocities)),
        }
    }

    /// What it is given as an argument.
    pub fn given(&self, argument: Argument) -> Option<&Given> {
        self.arguments.iter().find(|it| it.argument == argument)
    }

    /// What an argument is called.
    pub fn name(&self, argument: Argument) -> Ident {
        let given = self.given(argument);
        given.map_or_else(|| local("_"), |given| given.name.clone())
    }

    /// A name of ours that no leaf has.
    pub fn local(&self, name: &str) -> Ident {
        let mut name = name.to_owned();
        while self.leaves.iter().any(|leaf| *leaf == name) {
            name.push('_');
        }
        local(&name)
    }

    pub fn size(&self, dimension: Dimension) -> usize {
        let [coordinates, velocities, rows] = self.sizes;
        match dimension {
            Dimension::Coordinates => coordinates,
            Dimension::Velocities => velocities,
            Dimension::Rows => rows,
        }
    }

    /// How many numbers a result is made of.
    pub fn entries(&self, shape: Shape) -> usize {
        match shape {
            Shape::Scalar => 1,
            Shape::Vector(n) => self.size(n),
            Shape::Matrix(m, n) => self.size(m) * self.size(n),
            Shape::Tuple(parts) => parts.iter().map(|&part| self.entries(part)).sum(),
            Shape::Array(length, part) => length * self.entries(*part),
            Shape::Range => 2,
        }
    }
}

// ---- signatures ---------------------------------------------------------------------------------

impl Interface<'_> {
    /// `rt::SVector<T, 2>`
    pub fn type_of(&self, shape: Shape) -> TokenStream {
        let scalar = &self.scalar;
        let length = |dimension| Literal::usize_unsuffixed(self.size(dimension));
        match shape {
            Shape::Scalar => quote!(#scalar),
            Shape::Vector(n) => {
                let n = length(n);
                quote!(rt::SVector<#scalar, #n>)
            }
            Shape::Matrix(m, n) => {
                let [m, n] = [m, n].map(length);
                quote!(rt::SMatrix<#scalar, #m, #n>)
            }
            Shape::Tuple(parts) => {
                let parts = parts.iter().map(|&part| self.type_of(part));
                quote!((#(#parts),*))
            }
            Shape::Array(length, part) => {
                let (part, length) = (self.type_of(*part), Literal::usize_unsuffixed(length));
                quote!([#part; #length])
            }
            Shape::Range => quote!(::core::ops::RangeInclusive<#scalar>),
        }
    }

    /// `T`, `&rt::SVector<T, 2>`
    fn type_of_holding(&self, holds: &Holds) -> TokenStream {
        let (scalar, length) = (&self.scalar, Literal::usize_unsuffixed(holds.roles().len()));
        let vector = quote!(rt::SVector<#scalar, #length>);
        match holds {
            Holds::Leaf(_) => quote!(#scalar),
            Holds::Vector(_) => quote!(&#vector),
            Holds::Law(_) => quote!(impl FnOnce(&#vector, &#vector) -> #vector),
        }
    }

    /// `fn name(&self, t: T, _q: &rt::SVector<T, 2>) -> T`; arguments without leaves that are `read` begin with an
    /// underscore.
    pub fn signature(&self, out: &mut Tokens, signature: &Signature, read: &Set<Role>) {
        out.word("fn").word(signature.name).parentheses(|out| {
            out.punct('&').word("self");
            self.parameters(out, signature.arguments, read);
        });
        let ty = self.type_of(signature.result);
        out.joint('-', '>');
        if signature.fails {
            let error = &self.error;
            out.quoted(&quote!(Result<#ty, #error>));
        } else {
            out.quoted(&ty);
        }
    }

    /// `, t: T, _q: &rt::SVector<T, 2>`
    pub fn parameters(&self, out: &mut Tokens, arguments: &[Argument], read: &Set<Role>) {
        for argument in arguments {
            if let Some(given) = self.given(*argument) {
                let is_read = given.holds.roles().iter().any(|role| read.contains(role));
                let name = match is_read || reads_inputs(read) {
                    true => given.name.clone(),
                    false => format_ident!("_{}", given.name, span = Span::mixed_site()),
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
            let types = types.map(|argument| self.type_of_holding(&self.holds(*argument)));
            let (mut ty, error) = (self.type_of(signature.result), &self.error);
            if signature.fails {
                ty = quote!(Result<#ty, #error>);
            }
            quote!(fn #name(&self #(, _: #types)*) -> #ty { ::core::unreachable!() })
        };
        let stubs: TokenStream = rows.into_iter().map(stub).collect();
        stubs.into()
    }
}

impl Holds {
    fn roles(&self) -> &[Role] {
        match self {
            Holds::Leaf(role) => std::slice::from_ref(role),
            Holds::Vector(roles) | Holds::Law(roles) => roles,
        }
    }
}

// ---- bindings -----------------------------------------------------------------------------------

impl Interface<'_> {
    /// `let given = self.inputs.at(t, q, v);`, where inputs are read.
    pub fn inputs(&self, out: &mut Tokens, signature: &Signature, read: &Set<Role>) {
        if !reads_inputs(read) {
            return;
        }
        let arguments = [Argument::Time, Argument::Coordinates, Argument::Velocities];
        let [t, q, v] = arguments.map(|argument| self.name(argument));
        let (scalar, given) = (&self.scalar, local("given"));
        let v = match signature.name {
            // Who gives inputs is told velocities of the world.
            "own_slope" => {
                quote!(&rt::in_world(<Self as rt::Dynamics<#scalar>>::OWN_FRAMES, #q, #v))
            }
            _ => quote!(#v),
        };
        out.word("let").binding(given).punct('=');
        out.quoted(&quote!(self.inputs.at(#t, #q, #v);));
    }

    /// `let m = self.m; let [[x, _]] = q.data.0;`
    pub fn bindings(&self, out: &mut Tokens, arguments: &[Argument], read: &Set<Role>) {
        for part in &self.fields {
            self.unpack(out, part, read);
        }
        for given in arguments.iter().filter_map(|it| self.given(*it)) {
            if let Holds::Vector(roles) = &given.holds {
                self.unpack_vector(out, roles, read, |out| _ = out.ident(given.name.clone()));
            }
        }
    }

    fn unpack(&self, out: &mut Tokens, part: &Part, read: &Set<Role>) {
        let place = |out: &mut Tokens| _ = out.quoted(&part.place);
        if !part.single {
            return self.unpack_vector(out, &part.roles, read, place);
        }
        let leaf = part.roles.iter().find(|role| read.contains(*role));
        if let Some(leaf) = leaf.and_then(|&role| self.leaf(role)) {
            place(out.word("let").binding(leaf.clone()).punct('='));
            out.punct(';');
        }
    }

    /// `let [[x, _]] = place.data.0;`, or nothing where no component is read.
    pub fn unpack_vector(
        &self,
        out: &mut Tokens,
        roles: &[Role],
        read: &Set<Role>,
        place: impl FnOnce(&mut Tokens),
    ) {
        if !roles.iter().any(|role| read.contains(role)) {
            return;
        }
        let component = |out: &mut Tokens, role: &Role| {
            let leaf = self.leaf(*role).filter(|_| read.contains(role));
            match leaf {
                Some(leaf) => _ = out.binding(leaf.clone()),
                None => _ = out.word("_"),
            }
        };
        out.word("let").brackets(|out| {
            out.brackets(|out| _ = out.list(roles, component));
        });
        place(out.punct('='));
        out.punct('.').word("data").punct('.');
        out.literal(Literal::usize_unsuffixed(0)).punct(';');
    }
}

fn reads_inputs(read: &Set<Role>) -> bool {
    read.iter().any(|role| matches!(role, Role::Input(_)))
}

/// The parameters of a type as fields of `owner`.
pub(super) fn fields(parameters: &[Parameter], owner: &TokenStream) -> Vec<Part> {
    let field = |(index, parameter): (usize, &Parameter)| {
        let name = &parameter.name;
        let role = |component| Role::Parameter {
            parameter: index,
            component,
        };
        Part {
            place: quote!(#owner.#name),
            single: parameter.shape == Components::Scalar,
            roles: (0..parameter.shape.len()).map(role).collect(),
        }
    };
    parameters.iter().enumerate().map(field).collect()
}

/// `count` roles of a kind, from the first.
pub(super) fn roles(role: fn(usize) -> Role, count: usize) -> Vec<Role> {
    (0..count).map(role).collect()
}

/// The type parameter of a generated type: `T`, unless that is the type's own name.
pub(super) fn scalar_of(type_name: &Ident) -> Ident {
    let name = if type_name == "T" { "Scalar" } else { "T" };
    Ident::new(name, Span::mixed_site())
}

/// `let [[x, _]] = source.data.0;`, or nothing where no component is read.
pub(super) fn unpack(source: &TokenStream, leaves: &[Option<&Ident>]) -> Option<TokenStream> {
    if leaves.iter().all(Option::is_none) {
        return None;
    }
    let pattern = pattern(leaves);
    Some(quote!(let [#pattern] = #source.data.0;))
}

/// `[x, _]`
pub(super) fn pattern(leaves: &[Option<&Ident>]) -> TokenStream {
    let leaves = leaves.iter().map(|leaf| match leaf {
        Some(leaf) => quote!(#leaf),
        None => quote!(_),
    });
    quote!([#(#leaves),*])
}
