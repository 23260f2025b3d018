//! The validated model: names, shapes and roles, and the expression graph of the constraint.
//!
//! `lower` builds it from the syntax tree; `derive` reads it. Everything here refers to expressions by
//! [`ExprId`] and to inputs by [`SymbolId`]; source positions stay in the rows and names.

mod arithmetic;
mod body;
mod builtin;
mod check;
mod choices;
mod curve;
mod declarations;
mod lower;
mod names;
mod pose;
#[cfg(feature = "tools")]
pub mod scalars;
mod shim;
mod smooth;
mod spline;
mod system;
mod value;

pub use body::{Arm, Body};
pub use builtin::all_names as function_names;
pub use curve::{Curve, lower_curve};
pub use lower::lower;
pub use pose::{Link, Rates};
pub use shim::{curve_shim, shim, words_for_ides};
pub use system::{
    Around, Coordinate as SystemCoordinate, Declared, Element, Force, Friction, Inertia, Inertial,
    Named, OneSided, Options, PointMass, PosedBody, RateForce, RowName, Solver, System, Task, key,
    lower_system, sided_shim, system_shim,
};

use proc_macro2::{Ident, TokenStream};

use crate::diagnostic::SourceRange;
use crate::expr::{CollectVec, ExprId, Graph, SymbolId};

/// Meaning of a leaf of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The time coordinate.
    Time,
    /// Scalar coordinate number `i` (points are flattened, time is not counted).
    Coordinate(usize),
    /// The velocity of coordinate `i`; of bodies, entry `i` of all (v, ω).
    Velocity(usize),
    /// Entry `component` of body-fixed vector `arm`, turned into the world frame.
    Arm {
        /// Index into [`Model::arms`].
        arm: usize,
        /// x, y, z in order.
        component: usize,
    },
    /// The inverse mass of coordinate or body `i`.
    InverseMass(usize),
    /// Entry `i` of the bodies' inverse inertias: one per body in the plane, xx, xy, xz, yy, yz, zz in space.
    InverseInertia(usize),
    /// The external force on coordinate `i`; of bodies, entry `i` of all (force, torque).
    Force(usize),
    /// Entry `i` of a given right-hand side.
    RightHandSide(usize),
    /// Entry `i` of given accelerations.
    Acceleration(usize),
    /// Entry `i` of (δt, δq, δv, δu, δp), of a constraint of (δt, δq, δv, δw, δf, δp).
    Tangent(usize),
    /// Adjoint of entry `i` of f̂: its weight in a gradient.
    ForceAdjoint(usize),
    /// Adjoint of entry `i` of v̇.
    AccelerationAdjoint(usize),
    /// Adjoint of multiplier `i`.
    MultiplierAdjoint(usize),
    /// Adjoint of entry `i` of a correction.
    CorrectionAdjoint(usize),
    /// Adjoint of component `i` of the outputs.
    OutputAdjoint(usize),
    /// The force on row `i` of one side.
    SideForce(usize),
    /// Adjoint of row `i` of one side.
    SideAdjoint(usize),
    /// A component of a place that other coordinates determine; its definition is substituted at the end.
    Place,
    /// A value that one round of a loop passes to another.
    Scratch,
    /// Multiplier `i` of the rows as solved; computed at run time if rows may be redundant.
    Multiplier(usize),
    /// Entry `i`, column by column, of the pseudo-inverse of J W Jᵀ; computed at run time.
    PseudoInverse(usize),
    /// Input `i` of a system, supplied by the caller.
    Input(usize),
    /// λ of row `i`, used in an output.
    Reaction(usize),
    /// One of the system's numbers.
    Number(usize),
    /// The mass of the one particle that all coordinates belong to.
    Mass,
    /// The coefficient of linear damping of the bead on a curve.
    Damping,
    /// Component `component` of parameter `parameter`.
    Parameter {
        /// Index into [`Model::parameters`].
        parameter: usize,
        /// 0 for scalars; x, y, z in order for vectors; of arrays, element after element.
        component: usize,
    },
}

/// A leaf of the graph: its role and the name it is printed under.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Meaning of the leaf.
    pub role: Role,
    /// For people: `x`, `a.x`, `length`.
    pub name: String,
    /// The symbol that formulas print instead of the name, if the user gives one.
    pub shown: Option<String>,
}

impl Symbol {
    /// Appends a symbol to the list.
    pub fn add(symbols: &mut Vec<Symbol>, role: Role, name: String) -> SymbolId {
        symbols.push(Symbol {
            role,
            name,
            shown: None,
        });
        SymbolId::new(symbols.len() - 1)
    }

    /// The text that formulas print.
    pub fn printed(&self) -> &str {
        self.shown.as_ref().unwrap_or(&self.name)
    }
}

/// The shape of a coordinate or a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One number (`Real`, or a coordinate without a type).
    Scalar,
    /// `Point2` / `Vector2`: x, y.
    Plane,
    /// `Point3` / `Vector3`: x, y, z.
    Space,
}

impl Shape {
    /// The number of scalars.
    #[allow(clippy::len_without_is_empty)] // No shape is empty.
    pub fn len(self) -> usize {
        match self {
            Shape::Scalar => 1,
            Shape::Plane => 2,
            Shape::Space => 3,
        }
    }
}

/// A declared coordinate, before it is flattened.
#[derive(Clone, Debug)]
pub struct Coordinate {
    /// The user's identifier, with the user's span.
    pub name: Ident,
    /// Scalar, plane or space.
    pub shape: Shape,
}

/// A field of the generated struct.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Attributes and docs, passed through.
    pub attributes: TokenStream,
    /// The field's visibility, passed through.
    pub visibility: TokenStream,
    /// The user's identifier.
    pub name: Ident,
    /// `Real`, `Vector2` or `Vector3`; of an array that of its elements.
    pub shape: Shape,
    /// The lengths of an array, the outermost first.
    pub lengths: Vec<usize>,
}

impl Parameter {
    /// The number of scalars.
    pub fn scalars(&self) -> usize {
        self.shape.len() * self.lengths.iter().product::<usize>()
    }
}

/// The header of the generated item; [`Model::item`] is `None` for an equation without a header.
#[derive(Clone, Debug)]
pub struct GeneratedType {
    /// Attributes and docs, passed through; `derive`s already merged away into `derives`.
    pub attributes: TokenStream,
    /// Paths that the user wants to derive, in order.
    pub derives: Vec<TokenStream>,
    /// Source of `#[derivatives]`, if the user writes it.
    pub derivatives: Option<SourceRange>,
    /// The item's visibility.
    pub visibility: TokenStream,
    /// The type's name.
    pub name: Ident,
    /// Whether the user gave the name; an item without one is the value of an expression.
    pub named: bool,
}

/// One scalar equation `root = 0`.
#[derive(Clone, Debug)]
pub struct Row {
    /// The left-hand side.
    pub root: ExprId,
    /// The smallest source range that wrote it.
    pub range: SourceRange,
    /// Whether it was written as `a == b`. An expression alone may be a function whose value and derivatives are wanted.
    pub is_relation: bool,
}

/// Source text of an expression.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// Its source range.
    pub range: SourceRange,
    /// Identifies the text by the address of its syntax tree, so that all rounds of a loop and all calls share it.
    pub text: usize,
}

/// A spline at an argument.
#[derive(Clone, Debug)]
pub struct SplineValue {
    /// The value of the spline.
    pub value: ExprId,
    /// Its first and second derivative with respect to its argument.
    pub slopes: [ExprId; 2],
    /// `spline`, `spline2`, or the user's function that returns the spline.
    pub name: String,
    /// The argument at which it is evaluated.
    pub argument: ExprId,
    /// Identifies the list of ordinates; equal for all evaluations written by one text, as in [`Origin::text`].
    pub text: usize,
}

/// A constraint, checked: everything the derivation needs.
#[derive(Clone, Debug)]
pub struct Model {
    /// The generated struct; `None` for `constraint!(expression)`.
    pub item: Option<GeneratedType>,
    /// Its fields.
    pub parameters: Vec<Parameter>,
    /// The declared coordinates in order, time excluded.
    pub coordinates: Vec<Coordinate>,
    /// The bodies that a joint connects; empty for a constraint on points.
    pub bodies: Vec<Body>,
    /// The body-fixed vectors in the rows, each once.
    pub arms: Vec<Arm>,
    /// The identifier of the time coordinate.
    pub time: Option<Ident>,
    /// All expressions.
    pub graph: Graph,
    /// Source text of each expression by [index](ExprId::index): the first that created it. Derived expressions have none.
    pub origins: Vec<Origin>,
    /// The leaves: `symbols[id.index()]`.
    pub symbols: Vec<Symbol>,
    /// Names given by the user's `let`s: the expression and its name (vectors as `d.x`, `d.y`).
    pub names: Vec<(ExprId, String)>,
    /// Values of splines. Formulas print their names, not their pieces.
    pub splines: Vec<SplineValue>,
    /// The constraint rows.
    pub rows: Vec<Row>,
}

impl Model {
    /// N, the number of scalar coordinates.
    pub fn coordinate_count(&self) -> usize {
        self.coordinates.iter().map(|c| c.shape.len()).sum()
    }

    /// The number of scalars among the parameters.
    pub fn varied(&self) -> usize {
        self.parameters.iter().map(Parameter::scalars).sum()
    }

    /// The leaf of each scalar parameter; zero if nothing depends on it.
    pub fn varied_leaves(&mut self) -> Vec<ExprId> {
        let parameters = self.parameters.iter().enumerate();
        let roles = parameters.flat_map(|(parameter, it)| {
            (0..it.scalars()).map(move |component| Role::Parameter {
                parameter,
                component,
            })
        });
        let roles: Vec<Role> = roles.collect_vec();
        roles.into_iter().map(|role| self.leaf(role)).collect_vec()
    }

    /// The leaf of a role; zero if there is none.
    pub fn leaf(&mut self, role: Role) -> ExprId {
        let place = self.symbols.iter().position(|it| it.role == role);
        match place {
            Some(place) => self.graph.symbol(SymbolId::new(place)),
            None => self.graph.zero(),
        }
    }

    /// `#[derivatives]`
    pub fn derivatives(&self) -> Option<SourceRange> {
        self.item.as_ref()?.derivatives
    }

    /// Adds a leaf.
    pub fn add_leaf(&mut self, role: Role, name: String) -> ExprId {
        let symbol = Symbol::add(&mut self.symbols, role, name);
        self.graph.symbol(symbol)
    }

    /// Adds leaves `b_0`, `b_1`, …
    pub fn add_leaves(&mut self, count: usize, role: fn(usize) -> Role, name: &str) -> Vec<ExprId> {
        let leaf = |i| self.add_leaf(role(i), format!("{name}_{i}"));
        (0..count).map(leaf).collect_vec()
    }
}
