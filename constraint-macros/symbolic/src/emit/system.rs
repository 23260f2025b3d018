//! The generated items of a system: what [`system_items`](super::system_items) declares, `impl System` and the constants.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::derivation::{self, BUDGET, text_of};
use super::leaves::{self, Unique};
use super::rolled::{self, RESERVED, RolledBody};
use super::rust::{self, Body, Spelling, local};
use super::system_items::{Items, count};
use super::tokens::Tokens;
use crate::expr::{ExprId, Map, Set, SymbolId};
use crate::formula::listing::{self, Listing};
use crate::formula::printed::Printed;
use crate::model::{Declared, Role, RowName, Shape, System};
use crate::schedule::{OperationCount, Program};
use crate::system::rolled::Array;
use crate::system::{Derived, Quantity, Row, Solution};

/// The items of a derived system.
pub fn system(derived: &Derived, shim: &TokenStream) -> TokenStream {
    let Some(writer) = Writer::new(derived) else {
        return TokenStream::new();
    };
    let programs = writer.programs();
    let docs = writer.type_docs(&programs);
    let default = writer.items.default_values();
    let structure = writer.items.structure(&docs, default.is_some());
    let [points, conversions] = writer.items.points();
    let [inputs, held] = writer.items.inputs().unwrap_or_default();
    let implementation = writer.implementation(&programs);
    let constants = writer.constants(&programs);
    let block = writer
        .items
        .block(&quote!(#default #conversions #held #implementation #constants));
    quote! {
        #shim
        #structure
        #points
        #inputs
        #block
    }
}

/// Everything that the parts of one expansion share.
pub(super) struct Writer<'a> {
    pub derived: &'a Derived,
    pub system: &'a System,
    pub items: Items<'a>,
    /// Per symbol.
    pub leaves: Vec<Ident>,
    /// Where each role stands among the symbols.
    symbol_of: Map<Role, usize>,
    /// The arguments `t`, `q`, `v`, `b`.
    pub arguments: [Ident; 4],
    /// The names for people.
    printed: Printed,
}

/// A method's computation.
enum Written {
    /// Written out.
    Straight(Program),
    /// Written out up to the normal equations, solved at run time, and written out from there.
    LeastSquares(Program, Program),
    /// In loops.
    Rolled(RolledBody),
}

impl Written {
    fn count(&self) -> OperationCount {
        match self {
            Written::Straight(program) => program.count,
            Written::LeastSquares(before, after) => before.count + after.count,
            Written::Rolled(body) => body.count,
        }
    }
}

/// The shape of a method's result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Returns {
    Rows,
    Matrix,
    Scalar,
    TryCoordinates,
    TryRows,
    /// q̇
    Places,
    /// q̇ and v̇
    TrySlope,
}

impl Returns {
    /// The result and its type, within `Ok` and `Result` where the method may fail.
    fn wrap(self, result: TokenStream, ty: TokenStream) -> (TokenStream, TokenStream) {
        match self {
            Returns::TryRows | Returns::TryCoordinates | Returns::TrySlope => {
                (quote!(Ok(#result)), quote!(Result<#ty, rt::Error>))
            }
            _ => (result, ty),
        }
    }
}

/// Name, quantity, arguments after t, and shape.
type Method = (&'static str, Quantity, &'static str, Returns);

const METHODS: [Method; 11] = [
    (
        "acceleration",
        Quantity::Acceleration,
        "qv",
        Returns::TryCoordinates,
    ),
    ("multipliers", Quantity::Multipliers, "qv", Returns::TryRows),
    (
        "constraint_force",
        Quantity::Force,
        "qv",
        Returns::TryCoordinates,
    ),
    ("constraint", Quantity::Constraint, "q", Returns::Rows),
    ("constraint_rate", Quantity::Rate, "qv", Returns::Rows),
    ("jacobian", Quantity::Jacobian, "q", Returns::Matrix),
    ("row_sizes", Quantity::RowSizes, "q", Returns::Rows),
    ("bias", Quantity::Bias, "qv", Returns::Rows),
    (
        "correction",
        Quantity::Correction,
        "qb",
        Returns::TryCoordinates,
    ),
    (
        "kinetic_energy",
        Quantity::KineticEnergy,
        "qv",
        Returns::Scalar,
    ),
    (
        "potential_energy",
        Quantity::PotentialEnergy,
        "q",
        Returns::Scalar,
    ),
];

/// A quantity as the derivation calls it.
fn symbol(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::Acceleration => "v̇",
        Quantity::OwnSlope => "q̇ and v̇ with bodies in their own frames",
        Quantity::Free => "M⁻¹ h",
        Quantity::Impulses => "J, M⁻¹ Jᵀ",
        Quantity::Multipliers => "λ",
        Quantity::Force => "Jᵀ λ",
        Quantity::Constraint => "C",
        Quantity::Rate => "Ċ",
        Quantity::Jacobian => "J",
        Quantity::RowSizes => "Σᵢ |Jᵢ qᵢ|",
        Quantity::Bias => "β",
        Quantity::Correction => "M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ b",
        Quantity::KineticEnergy => "T",
        Quantity::PotentialEnergy => "V",
        Quantity::MassMatrix | Quantity::Quadratic => "M",
        Quantity::Applied => "h",
        Quantity::Kinematics => "q̇",
        Quantity::Masses => "m",
        Quantity::Inertias => "I",
        Quantity::Delassus
        | Quantity::NormalEquations
        | Quantity::ForceEquations
        | Quantity::OwnNormalEquations
        | Quantity::CorrectionEquations => "J M⁻¹ Jᵀ",
    }
}

/// What turns velocities into rates of coordinates, where those differ.
const KINEMATICS: Method = ("kinematics", Quantity::Kinematics, "qv", Returns::Places);

/// Both rates, as stages of a step need them.
const OWN_SLOPE: Method = ("own_slope", Quantity::OwnSlope, "qv", Returns::TrySlope);

/// What would be without constraints.
const FREE: Method = (
    "free_acceleration",
    Quantity::Free,
    "qv",
    Returns::TryCoordinates,
);

impl<'a> Writer<'a> {
    fn new(derived: &'a Derived) -> Option<Writer<'a>> {
        let system = &derived.system;
        let items = Items::new(system)?;
        let mut unique = Unique::beside(RESERVED.map(str::to_owned));
        let symbols = system.model.symbols.iter();
        let leaves = symbols.map(|symbol| unique.leaf(&system.model, symbol.role, &symbol.name));
        let leaves: Vec<Ident> = leaves.collect();
        let time = system
            .model
            .symbols
            .iter()
            .position(|s| s.role == Role::Time);
        let time = time.map(|time| leaves[time].clone());
        let mut arguments = ["t", "q", "v", "b"].map(|name| local(&unique.name(name)));
        arguments[0] = time.unwrap_or_else(|| arguments[0].clone());
        let roles = system.model.symbols.iter().enumerate();
        let symbol_of = roles.map(|(i, symbol)| (symbol.role, i)).collect();
        Some(Writer {
            derived,
            system,
            items,
            leaves,
            symbol_of,
            arguments,
            printed: Printed::new(&system.model),
        })
    }

    fn programs(&self) -> Vec<Written> {
        METHODS.iter().map(|method| self.written(method)).collect()
    }

    fn written(&self, &(_, quantity, _, returns): &Method) -> Written {
        let name = |symbol: SymbolId| self.leaves[symbol.index()].to_string();
        let straight = |quantity| self.derived.program(&[quantity], &name);
        match self.derived.routine(quantity) {
            None => match self.derived.normal(quantity) {
                Some(normal) => Written::LeastSquares(straight(normal), straight(quantity)),
                None => Written::Straight(straight(quantity)),
            },
            Some(routine) => {
                let out = local("out");
                let output = (returns != Returns::Scalar).then_some(&out);
                Written::Rolled(rolled::routine(self, routine, output))
            }
        }
    }

    /// The names of parameters, arguments and arrays.
    pub fn reserved(&self) -> Set<String> {
        let symbols = self.system.model.symbols.iter().zip(&self.leaves);
        let outside =
            |role: Role| matches!(role, Role::Parameter { .. } | Role::Time | Role::Input(_));
        let names = symbols.filter(|(symbol, _)| outside(symbol.role));
        let names = names.map(|(_, leaf)| leaf.to_string());
        let arguments = self.arguments.iter().map(Ident::to_string);
        names
            .chain(arguments)
            .chain(RESERVED.map(str::to_owned))
            .collect()
    }

    /// The numbers of entries of L and of the fill-in.
    pub fn sizes(&self) -> (usize, usize) {
        match &self.derived.solution {
            Solution::Rolled(rolled) => (rolled.lower, rolled.fill),
            Solution::Unrolled(_) => (0, 0),
        }
    }
}

// ---- impl System --------------------------------------------------------------------------------

impl Writer<'_> {
    fn implementation(&self, programs: &[Written]) -> TokenStream {
        let methods = METHODS.iter().zip(programs);
        let methods = methods.map(|(method, program)| self.method(method, program));
        let (row_name, names, validate) = (self.row_name(), self.items.names(), self.validate());
        let normalize = self.items.normalize();
        let turns = normalize.is_some();
        let kinematics = turns.then(|| self.method(&KINEMATICS, &self.written(&KINEMATICS)));
        let impulses = self.impulses();
        let (own_frames, own_slope) = (self.own_frames(), self.own_slope());
        let admits = self.admits();
        let body = quote!(#own_frames #(#methods)* #impulses #kinematics #own_slope #normalize #row_name #names #validate #admits);
        self.items.implementation(&body)
    }

    /// Where the bodies stand that steps tell in their own frames; nothing where there are none.
    fn own_frames(&self) -> Option<TokenStream> {
        let runs = self.derived.own_frames();
        let literals = runs.iter().map(|run| {
            let [turn, spin, bodies] = [run.turn, run.spin, run.count].map(count);
            quote!(rt::OwnFrames { turn: #turn, spin: #spin, count: #bodies })
        });
        let literals: Vec<TokenStream> = literals.collect();
        (!literals.is_empty())
            .then(|| quote!(const OWN_FRAMES: &'static [rt::OwnFrames] = &[#(#literals),*];))
    }

    fn own_slope(&self) -> Option<TokenStream> {
        let told = !self.derived.expressions(Quantity::OwnSlope).is_empty();
        told.then(|| self.method(&OWN_SLOPE, &self.written(&OWN_SLOPE)))
    }

    /// What impulses are swept by; nothing where there are no constraints, or where they are solved in loops.
    fn impulses(&self) -> Option<TokenStream> {
        let blocks = self.derived.blocks();
        if blocks.is_empty() {
            return None;
        }
        let free = self.method(&FREE, &self.written(&FREE));
        let name = |symbol: SymbolId| self.leaves[symbol.index()].to_string();
        let program = self.derived.program(&[Quantity::Impulses], &name);
        let read = self.read(&program);
        let (bindings, parameters) = (self.bindings(&read), self.method_parameters("q", &read));
        let Body {
            statements,
            outputs,
            ..
        } = self.body(&program);
        // What is computed stands in braces: a name of the user's may be `rows`.
        let (rows, entries) = (local("rows"), local("entries"));
        let mut end = 0;
        let mut part = |length: usize| {
            let start = count(end);
            end += length;
            let end = count(end);
            quote!(&#entries[#start..#end])
        };
        let pushes = blocks.iter().map(|block| {
            let velocities = block.velocities.iter().copied().map(count);
            let (jacobian, weighted) = (part(block.jacobian.len()), part(block.weighted.len()));
            quote!(#rows.push(&[#(#velocities),*], #jacobian, #weighted);)
        });
        let pushes: Vec<TokenStream> = pushes.collect();
        let docs = format!(" {}: {}.", symbol(Quantity::Impulses), program.count);
        let (scalar, length) = (&self.items.scalar, count(outputs.len()));
        Some(quote! {
            #free

            #[doc = #docs]
            fn impulse_rows(
                &self,
                #parameters,
                #rows: &mut rt::ImpulseRows<#scalar>
            ) -> Result<(), rt::Error> {
                let #entries: [#scalar; #length] = {
                    #bindings
                    #statements
                    [#(#outputs),*]
                };
                #(#pushes)*
                Ok(())
            }
        })
    }

    fn method(&self, method: &Method, program: &Written) -> TokenStream {
        let &(name, quantity, arguments, returns) = method;
        let count = program.count();
        let (normal, program) = match program {
            Written::Straight(program) => (None, program),
            Written::LeastSquares(normal, program) => (Some(normal), program),
            Written::Rolled(body) => return self.rolled_method(method, body),
        };
        let mut read = self.read(program);
        let multipliers = normal.map(|normal| {
            let multipliers = self.multipliers(normal, &read);
            read.extend(self.read(normal));
            multipliers
        });
        let bindings = self.bindings(&read);
        let body = self.body(program);
        let statements = &body.statements;
        let (result, returned) = self.result(returns, &body);
        let parameters = self.method_parameters(arguments, &read);
        let symbol = symbol(quantity);
        let docs = match normal {
            None => format!(" {symbol}: {count}."),
            Some(_) => format!(" {symbol}: {count}, and least squares."),
        };
        let name = local(name);
        quote! {
            #[doc = #docs]
            #[inline]
            fn #name(&self, #parameters) -> #returned {
                #bindings
                #multipliers
                #statements
                #result
            }
        }
    }

    /// `let [lambda_0, _]: [T; 2] = { … rt::least_squares(…)? }.into();`
    fn multipliers(&self, normal: &Program, read: &Set<Role>) -> TokenStream {
        let m = self.derived.rows();
        let Body {
            statements,
            outputs,
            ..
        } = self.body(normal);
        let (lower, right) = outputs.split_at(m * (m + 1) / 2);
        let entry = |i: usize, j: usize| &lower[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)];
        let columns = (0..m).map(|j| {
            let column = (0..m).map(|i| entry(i, j));
            quote!([#(#column),*])
        });
        let solved = quote!({
            #statements
            rt::least_squares([#(#columns),*].into(), [#(#right),*].into())?
        });
        let bound = self.unpack(&solved, m, Role::Multiplier, read);
        // Where no multiplier is read, nothing pushes; the equations still have to make sense.
        bound.unwrap_or_else(|| quote!(#solved;))
    }

    /// A method whose computation is loops over arrays.
    fn rolled_method(&self, method: &Method, body: &RolledBody) -> TokenStream {
        let &(name, quantity, arguments, returns) = method;
        let mut read = body.read.clone();
        for &array in &body.arguments {
            read.insert(match array {
                Array::Position => Role::Coordinate(0),
                Array::Velocity => Role::Velocity(0),
                _ => Role::RightHandSide(0),
            });
        }
        let parameters = self.method_parameters(arguments, &read);
        let bindings = self.bindings(&body.read);
        let (scalar, ty) = (&self.items.scalar, self.type_of(returns));
        let (out, result) = (local("out"), local("result"));
        let (begin, view) = match returns {
            Returns::Scalar => (quote!(let mut #out = #scalar::lit(0.0);), None),
            _ => (
                quote!(let mut #result = <#ty>::zeros();),
                Some(quote!(let #out = #result.as_mut_slice();)),
            ),
        };
        let given = match returns {
            Returns::Scalar => quote!(#out),
            _ => quote!(#result),
        };
        let (given, returned) = returns.wrap(given, ty);
        let docs = format!(" {}: {}.", symbol(quantity), body.count);
        let (name, statements) = (local(name), &body.statements);
        quote! {
            #[doc = #docs]
            fn #name(&self, #parameters) -> #returned {
                #bindings
                #begin
                #view
                #statements
                #given
            }
        }
    }

    fn body(&self, program: &Program) -> Body {
        let leaf = |symbol: SymbolId| self.leaves[symbol.index()].clone();
        let coordinate = |row: usize| {
            let beyond = row.checked_sub(self.derived.rows())?;
            Some(self.system.coordinates.get(beyond)?.name.clone())
        };
        let spelling = Spelling {
            leaf: &leaf,
            scalar: &self.items.scalar,
            runtime: &quote!(rt),
            coordinate: &coordinate,
        };
        rust::body(program, &spelling)
    }

    fn result(&self, returns: Returns, body: &Body) -> (TokenStream, TokenStream) {
        let outputs = &body.outputs;
        let result = match returns {
            Returns::Scalar => quote!(#(#outputs)*),
            Returns::Matrix => {
                let (rows, columns) = (self.derived.rows(), self.system.coordinates.len());
                let by_column = (0..columns).map(|j| {
                    let column = (0..rows).map(|i| &outputs[i * columns + j]);
                    quote!([#(#column),*])
                });
                quote!([#(#by_column),*].into())
            }
            Returns::TrySlope => {
                let (rates, accelerations) = outputs.split_at(self.system.scalars());
                quote!(([#(#rates),*].into(), [#(#accelerations),*].into()))
            }
            _ => quote!([#(#outputs),*].into()),
        };
        returns.wrap(result, self.type_of(returns))
    }

    /// What a method computes, whether or not it may fail.
    fn type_of(&self, returns: Returns) -> TokenStream {
        let (scalar, n, m) = (&self.items.scalar, self.items.n(), self.items.m());
        match returns {
            Returns::Rows | Returns::TryRows => quote!(rt::SVector<#scalar, #m>),
            Returns::TryCoordinates => quote!(rt::SVector<#scalar, #n>),
            Returns::Matrix => quote!(rt::SMatrix<#scalar, #m, #n>),
            Returns::Scalar => quote!(#scalar),
            Returns::Places => self.places(),
            Returns::TrySlope => {
                let places = self.places();
                quote!((#places, rt::SVector<#scalar, #n>))
            }
        }
    }

    /// The flat vector of the coordinates.
    fn places(&self) -> TokenStream {
        let (scalar, q) = (&self.items.scalar, self.items.q());
        quote!(rt::SVector<#scalar, #q>)
    }

    /// The roles that a program reads.
    fn read(&self, program: &Program) -> Set<Role> {
        leaves::roles_read(&self.system.model, program)
    }

    /// The parameter list; those not read begin with an underscore.
    fn method_parameters(&self, arguments: &str, read: &Set<Role>) -> TokenStream {
        let (scalar, n, m) = (&self.items.scalar, self.items.n(), self.items.m());
        let coordinates = self.system.coordinates.len();
        let any = |role: fn(usize) -> Role, n: usize| (0..n).any(|i| read.contains(&role(i)));
        let [t, q, v, b] = &self.arguments;
        let spelled = |ident: &Ident, read: bool| match read {
            true => ident.clone(),
            false => format_ident!("_{ident}"),
        };
        let t = spelled(t, read.contains(&Role::Time));
        let rest = arguments.chars().map(|argument| match argument {
            'q' => {
                let q = spelled(q, any(Role::Coordinate, self.system.scalars()));
                let places = self.places();
                quote!(#q: &#places)
            }
            'v' => {
                let v = spelled(v, any(Role::Velocity, coordinates));
                quote!(#v: &rt::SVector<#scalar, #n>)
            }
            _ => {
                let b = spelled(b, any(Role::RightHandSide, self.derived.rows()));
                quote!(#b: &rt::SVector<#scalar, #m>)
            }
        });
        quote!(#t: #scalar, #(#rest),*)
    }

    /// `let m = self.m;`, `let [x, _] = (*q).into();`
    fn bindings(&self, read: &Set<Role>) -> TokenStream {
        let [_, q, v, b] = &self.arguments;
        let n = self.system.coordinates.len();
        let vectors = [
            self.unpack(
                &quote!((*#q)),
                self.system.scalars(),
                Role::Coordinate,
                read,
            ),
            self.unpack(&quote!((*#v)), n, Role::Velocity, read),
            self.unpack(
                &quote!((*#b)),
                self.derived.rows(),
                Role::RightHandSide,
                read,
            ),
        ];
        let owner = self.owner();
        let parameters = self.items.parameters.iter().enumerate();
        let parameters = parameters.filter_map(|(parameter, declared)| {
            let field = &declared.name;
            let role = |component| Role::Parameter {
                parameter,
                component,
            };
            if declared.shape == Shape::Scalar {
                let leaf = self.leaf(role(0)).filter(|_| read.contains(&role(0)))?;
                return Some(quote!(let #leaf = #owner.#field;));
            }
            self.unpack(&quote!(#owner.#field), declared.shape.len(), role, read)
        });
        let mut first = 0;
        let inputs = self.system.inputs.iter().map(|declared| {
            let start = first;
            first += declared.scalars();
            self.input(declared, start, read)
        });
        quote!(#(#parameters)* #(#inputs)* #(#vectors)*)
    }

    /// What is read of one input, whose first component has number `start`.
    fn input(&self, declared: &Declared, start: usize, read: &Set<Role>) -> TokenStream {
        let (field, size) = (&declared.name, declared.shape.len());
        let source = quote!(self.inputs.#field);
        let unpack = |source: &TokenStream, start: usize, length: usize| {
            self.unpack(source, length, |i| Role::Input(start + i), read)
        };
        match (declared.count, declared.shape) {
            (None, Shape::Scalar) => {
                let role = Role::Input(start);
                let leaf = self.leaf(role).filter(|_| read.contains(&role));
                leaf.map(|leaf| quote!(let #leaf = #source;))
                    .unwrap_or_default()
            }
            (Some(count), Shape::Plane | Shape::Space) => {
                let element = |i: usize| {
                    let index = self::count(i);
                    unpack(&quote!(#source[#index]), start + i * size, size)
                };
                (0..count).filter_map(element).collect()
            }
            _ => unpack(&source, start, declared.scalars()).unwrap_or_default(),
        }
    }

    /// What has the parameters as its fields.
    fn owner(&self) -> TokenStream {
        match self.system.inputs.is_empty() {
            true => quote!(self),
            false => quote!(self.system),
        }
    }

    fn leaf(&self, role: Role) -> Option<&Ident> {
        self.leaves.get(*self.symbol_of.get(&role)?)
    }

    /// `let [x, _] = source.into();`, or nothing where no component is read.
    fn unpack(
        &self,
        source: &TokenStream,
        length: usize,
        role: impl Fn(usize) -> Role,
        read: &Set<Role>,
    ) -> Option<TokenStream> {
        let leaf = |role| self.leaf(role).filter(|_| read.contains(&role));
        let leaves: Vec<Option<&Ident>> = (0..length).map(role).map(leaf).collect();
        leaves::unpack(&self.items.scalar, source, &leaves)
    }

    fn row_name(&self) -> TokenStream {
        let (own, generic) = (&self.items.own, self.items.generic_f64());
        quote! {
            fn row_name(&self, row: usize) -> Option<&'static str> {
                <#own #generic>::CONSTRAINTS.get(row).copied()
            }
        }
    }

    fn validate(&self) -> TokenStream {
        let name = |symbol: SymbolId| self.leaves[symbol.index()].to_string();
        let checked = [Quantity::Masses, Quantity::Inertias];
        let program = self.derived.program(&checked, &name);
        let bindings = self.bindings(&self.read(&program));
        let Body {
            statements,
            outputs,
            ..
        } = self.body(&program);
        let owner = self.owner();
        let parameters = self.items.parameters.iter().map(|declared| {
            let (field, name) = (&declared.name, declared.name.to_string());
            match declared.shape {
                Shape::Scalar => quote!(rt::check_parameter(#name, &[#owner.#field])?;),
                _ => quote!(rt::check_parameter(#name, #owner.#field.as_slice())?;),
            }
        });
        let equations = &self.derived.equations;
        let (masses, rest) = outputs.split_at(equations.masses.len());
        let (inert, mut rest) = rest.split_at(equations.inert.len());
        let coordinates = equations
            .inert
            .iter()
            .map(|&i| &self.system.coordinates[i].name);
        let inertias = equations.inertias.iter().map(|inertia| {
            let own = rest.split_off(..inertia.len()).unwrap_or_default();
            match own {
                [moment] => quote!(rt::check_moment(#moment)?;),
                [_, _, _] => quote!(rt::check_moments([#(#own),*])?;),
                _ => quote!(rt::check_lower_triangle([#(#own),*])?;),
            }
        });
        quote! {
            fn validate(&self) -> Result<(), rt::Error> {
                #(#parameters)*
                #bindings
                #statements
                #(rt::check_mass(#masses)?;)*
                #(rt::check_inertia_of(#coordinates, #inert)?;)*
                #(#inertias)*
                Ok(())
            }
        }
    }
}

impl Writer<'_> {
    /// Where a kinetic energy may make M indefinite: that it does not.
    fn admits(&self) -> Option<TokenStream> {
        let quadratic = &self.derived.equations.quadratic;
        if quadratic.is_empty() {
            return None;
        }
        let name = |symbol: SymbolId| self.leaves[symbol.index()].to_string();
        let program = self.derived.program(&[Quantity::Quadratic], &name);
        let read = self.read(&program);
        let (bindings, parameters) = (self.bindings(&read), self.method_parameters("q", &read));
        let Body {
            statements,
            outputs,
            ..
        } = self.body(&program);
        let n = quadratic.len();
        let entry = |i: usize, j: usize| &outputs[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)];
        let rows = (0..n).map(|i| {
            let row = (0..n).map(|j| entry(i, j));
            quote!([#(#row),*])
        });
        let names = quadratic.iter().map(|&i| &self.system.coordinates[i].name);
        Some(quote! {
            fn admits(&self, #parameters) -> Result<(), rt::Error> {
                #bindings
                #statements
                rt::check_mass_matrix([#(#names),*], [#(#rows),*])
            }
        })
    }
}

// ---- constants and documentation ----------------------------------------------------------------

impl Writer<'_> {
    fn constants(&self, programs: &[Written]) -> TokenStream {
        let (own, generic, m) = (&self.items.own, self.items.generic_f64(), self.items.m());
        let names = self.constraint_names();
        let derivation = self.derivation(programs);
        quote! {
            #[automatically_derived]
            impl #own #generic {
                /// The names of the constraint rows.
                pub const CONSTRAINTS: [&'static str; #m] = #names;

                /// The derivation as data; the same for every scalar.
                pub const DERIVATION: rt::SystemDerivation = #derivation;
            }
        }
    }

    /// Names as they are, or, where very many, made of families when compiled.
    fn constraint_names(&self) -> TokenStream {
        let rows = &self.system.rows;
        if rows.len() <= 64 {
            let names = rows.iter().map(ToString::to_string);
            return quote!([#(#names),*]);
        }
        let families = families(rows).into_iter().map(|(row, first, length)| {
            let (base, suffix) = (&row.base, &row.suffix);
            let (first, length) = (count(first), count(length));
            let indexed = row.index.is_some();
            quote!(rt::RowFamily { base: #base, indexed: #indexed, first: #first, length: #length, suffix: #suffix })
        });
        let (m, longest) = (
            self.items.m(),
            rows.iter().map(|r| r.to_string().len()).max(),
        );
        let longest = count(longest.unwrap_or(0));
        quote! {{
            const BYTES: &[([u8; #longest], usize); #m] = &rt::row_names(&[#(#families),*]);
            rt::as_strings(BYTES)
        }}
    }

    fn list(&self, roots: &[ExprId]) -> Listing {
        let model = &self.system.model;
        let symbol = |symbol: SymbolId| self.printed.leaf(model, symbol);
        listing::list(&model.graph, &symbol, &model.names, roots, BUDGET)
    }

    /// Field, symbol and text of what is told.
    fn told(&self) -> Vec<(&'static str, String, String)> {
        let n = self.system.coordinates.len();
        let told: [(&str, Quantity, usize); 7] = [
            ("kinetic_energy", Quantity::KineticEnergy, 0),
            ("potential_energy", Quantity::PotentialEnergy, 0),
            ("mass_matrix", Quantity::MassMatrix, n),
            ("applied", Quantity::Applied, 0),
            ("constraint", Quantity::Constraint, 0),
            ("jacobian", Quantity::Jacobian, n),
            ("bias", Quantity::Bias, 0),
        ];
        told.map(|(field, quantity, columns)| {
            let symbol = self.symbol(quantity);
            let text = match &self.derived.solution {
                Solution::Rolled(_) => self.text_of_families(quantity),
                Solution::Unrolled(_) => self.text(quantity, columns),
            };
            (field, symbol, text)
        })
        .into()
    }

    /// The letter of a quantity, told from the user's names.
    fn symbol(&self, quantity: Quantity) -> String {
        let arguments = match quantity {
            Quantity::KineticEnergy | Quantity::Applied | Quantity::Bias => "q, v",
            _ => "q",
        };
        self.printed.result(symbol(quantity), arguments)
    }

    fn text(&self, quantity: Quantity, columns: usize) -> String {
        let (n, m) = (self.system.coordinates.len(), self.derived.rows());
        let entries = match quantity {
            Quantity::MassMatrix => n * n,
            Quantity::Jacobian => n * m,
            Quantity::Applied => n,
            Quantity::KineticEnergy | Quantity::PotentialEnergy => 1,
            _ => m,
        };
        match entries {
            0 => "none".to_owned(),
            1..=MOST_ENTRIES => text_of(&self.list(&self.derived.expressions(quantity)), columns),
            _ => format!("{entries} entries"),
        }
    }

    /// One line per family: the first of its rows.
    fn text_of_families(&self, quantity: Quantity) -> String {
        let line = |(r, row): (usize, &Row)| {
            let roots = match quantity {
                Quantity::Constraint => vec![row.value],
                Quantity::Bias => vec![row.bias],
                _ => row.jacobian.iter().map(|&(_, entry)| entry).collect(),
            };
            let text = text_of(&self.list(&roots), 0).replace('\n', "\n    ");
            format!("{}: {text}", self.system.rows[r])
        };
        match quantity {
            Quantity::Constraint | Quantity::Jacobian | Quantity::Bias => {
                let lines: Vec<String> = self.derived.shown_rows().map(line).collect();
                lines.join("\n")
            }
            Quantity::MassMatrix => "diagonal".to_owned(),
            _ => "a sum over families".to_owned(),
        }
    }

    fn derivation(&self, programs: &[Written]) -> TokenStream {
        let fields = self.told().into_iter().map(|(field, _, text)| {
            let field = local(field);
            quote!(#field: #text)
        });
        let solver = self.solver();
        let counts = METHODS.iter().zip(programs).map(|((name, ..), program)| {
            let name = local(name);
            let mut counts = Tokens::default();
            derivation::count(&mut counts, program.count());
            quote!(#name: rt::OperationCount::of([#counts]))
        });
        quote! {
            rt::SystemDerivation {
                #(#fields,)*
                solver: #solver,
                operations: rt::SystemOperations { #(#counts),* },
            }
        }
    }

    /// How v̇ is found, in words.
    fn solver(&self) -> String {
        let (n, m) = (self.system.coordinates.len(), self.derived.rows());
        let mass = match self.derived.equations.mass.is_diagonal() {
            true => "M is diagonal",
            false if self.derived.equations.inverse.is_some() => "M by its bodies' own axes",
            false => "M by sparse LDLᵀ",
        };
        let least_squares = self.derived.normal(Quantity::Acceleration).is_some();
        let carried = &self.derived.equations.carried;
        let mass = match carried.len() {
            0 => mass.to_owned(),
            n => format!("{mass} with Jᵀ D J for {n} that constraints carry"),
        };
        let rows = match m {
            _ if least_squares => format!("λ of {m} rows by least squares at run time"),
            0 => "no constraints".to_owned(),
            1 => "λ by one division".to_owned(),
            _ => format!("J M⁻¹ Jᵀ of {m} rows by sparse LDLᵀ"),
        };
        let form = match &self.derived.solution {
            Solution::Unrolled(_) => "every operation written out".to_owned(),
            Solution::Rolled(rolled) => {
                let entries = rolled.lower;
                format!(
                    "loops over {} families of rows, {entries} entries of L",
                    rolled.rows.len()
                )
            }
        };
        let counted = match self.system.model.bodies.is_empty() {
            true => "coordinates",
            false => "velocities",
        };
        format!("{form}: {n} {counted}, {mass}, {rows}")
    }

    fn type_docs(&self, programs: &[Written]) -> TokenStream {
        let equations = self.told().into_iter().filter(|(.., text)| text != "none");
        let equations = equations
            .map(|(_, symbol, text)| format!("{symbol} = {}", text.replace('\n', "\n    ")));
        let equations: Vec<String> = equations.collect();
        let row = |((name, ..), program): (&Method, &Written)| {
            format!("| `{name}` | {} |\n", program.count())
        };
        let costs: String = METHODS.iter().zip(programs).map(row).collect();
        let letters = [
            Quantity::MassMatrix,
            Quantity::Applied,
            Quantity::Jacobian,
            Quantity::Multipliers,
            Quantity::Bias,
        ];
        let [m, h, j, lambda, beta] = letters.map(|quantity| self.symbol(quantity));
        let docs = format!(
            "\n# Derivation\n\n{m} v̇ = {h} + {j}ᵀ {lambda}, {j} v̇ = −{beta}.\n\n```text\n{}\n```\n\n{}.\n\n| function | cost |\n|---|---|\n{costs}",
            equations.join("\n"),
            self.solver(),
        );
        let lines = docs.lines().map(|line| format!(" {line}"));
        quote!(#(#[doc = #lines])*)
    }
}

/// Matrices of more entries are not written out.
const MOST_ENTRIES: usize = 256;

/// Runs of rows that differ in their index alone: the first of them, its index, and how many.
fn families(rows: &[RowName]) -> Vec<(RowName, usize, usize)> {
    let mut families: Vec<(RowName, usize, usize)> = Vec::new();
    for row in rows {
        let index = row.index.unwrap_or(0);
        match families.last_mut() {
            Some((known, first, length))
                if known.base == row.base
                    && known.suffix == row.suffix
                    && row.index.is_some()
                    && index == *first + *length =>
            {
                *length += 1;
            }
            _ => families.push((row.clone(), index, 1)),
        }
    }
    families
}
