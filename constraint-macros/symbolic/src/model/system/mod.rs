//! The model of `system!`: coordinates, masses, loads and constraints.
//!
//! `lower_system` builds it from the syntax tree, repetitions written out; `system::derive` reads it.

mod acting;
mod defaults;
mod elements;
mod functions;
mod gravity;
mod indices;
mod inertia;
mod joint;
mod lower;
mod moving;
mod named;
mod one_sided;
mod output;
mod part;
mod posed;
mod rates;
mod shim;
mod statements;
mod totals;

pub(in crate::model) use lower::Scope;
pub use lower::lower_system;
pub use named::{Element, Named};
pub use one_sided::{Friction, OneSided};
pub use part::{Around, MemberType, key};
pub(super) use shim::{joints, statements};
pub use shim::{sided_shim, system_shim};

use std::ops::Range;

use proc_macro2::{Ident, TokenStream};

use self::elements::Own;
use super::{Link, Model, Shape};
use crate::diagnostic::SourceRange;
use crate::diagnostic::catalogue::Kind;
use crate::expr::{CollectVec, ExprId, Graph, Number, SortedMap, SymbolId};
use crate::syntax::ast::name_of;

/// Type of an argument of a user's function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A number, a vector or a condition.
    Value(Kind),
    /// A body of the plane or of space.
    Body(Shape),
}

/// A system, as far as its expressions can be checked without evaluating them.
#[derive(Clone, Debug)]
pub struct System {
    /// Struct, parameters, graph and leaves; its rows are those of all constraints.
    pub model: Model,
    /// Default values of the parameters' components, if the user gave them.
    pub defaults: Vec<Option<Vec<f64>>>,
    /// Declared names with their own coordinates, in order.
    pub declared: Vec<Declared>,
    /// The flat velocities, each with its coordinate and its printed name.
    pub coordinates: Vec<Coordinate>,
    /// Values that the caller supplies, in order.
    pub inputs: Vec<Declared>,
    /// Leaves that replace components of places while forces are collected, with their definitions.
    pub places: Vec<(ExprId, ExprId)>,
    /// The point masses.
    pub masses: Vec<PointMass>,
    /// Inertias of the bodies, in the order of `model.bodies`; bodies with mistakes have none.
    pub inertias: Vec<Inertia>,
    /// The bodies whose poses are functions of coordinates.
    pub posed: Vec<PosedBody>,
    /// The factors of poses, each after the one that it is relative to.
    pub links: Vec<Link>,
    /// Forces with the points they act on.
    pub forces: Vec<Force>,
    /// Torques, and forces along other rates.
    pub rate_forces: Vec<RateForce>,
    /// Acceleration of free fall, where `gravity` states it.
    pub gravity: Vec<ExprId>,
    /// Whether it depends on inputs: then weights are the last of the forces, otherwise the last terms of V.
    pub gravity_is_driven: bool,
    /// V, term by term.
    pub potential: Vec<ExprId>,
    /// R of Rayleigh, term by term.
    pub dissipation: Vec<ExprId>,
    /// Additional kinetic energy besides that of the masses, term by term.
    pub kinetic: Vec<(ExprId, SourceRange)>,
    /// The outputs, in order.
    pub outputs: Vec<Named>,
    /// Components of the outputs, one output after the other; λ and v̇ in them are leaves.
    pub observed: Vec<ExprId>,
    /// How the components of the outputs move, if that is requested; `None` for one that has no Jacobian.
    pub tasks: Vec<Option<Task>>,
    /// The constraints of one side.
    pub one_sided: Vec<OneSided>,
    /// The constraints that are named fields of the multipliers.
    pub constraints: Vec<Named>,
    /// The user's documentation of fields, `#[doc = …]`, by their names.
    pub docs: SortedMap<String, TokenStream>,
    /// The names of the rows.
    pub rows: Vec<RowName>,
    /// The shapes of the arguments of the user's functions.
    pub signatures: SortedMap<String, Vec<Argument>>,
    /// The names and types of members, by part.
    pub parts: SortedMap<String, Vec<(String, MemberType)>>,
    /// Numbers in which members of families differ, for systems written in loops.
    pub numbers: Vec<Number>,
    /// The inertial parameters of the links, if they are requested.
    pub inertial: Inertial,
    /// The user's settings.
    pub options: Options,
}

/// The rate of an output, affine in the velocities: ẏ, or y itself where it is a velocity.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// J v + ∂y/∂t
    pub rate: ExprId,
    /// Its derivative at v̇ = 0.
    pub bias: ExprId,
}

/// The inertial parameters of the links of a tree of posed bodies.
#[derive(Clone, Debug, Default)]
pub struct Inertial {
    /// `link.m`
    pub names: Vec<String>,
    /// Those whose columns of the regressor are independent.
    pub base: Vec<usize>,
}

/// One degree of freedom.
#[derive(Clone, Debug)]
pub struct Coordinate {
    /// q; a component of an angular velocity is the rate of no coordinate.
    pub position: Option<ExprId>,
    /// v
    pub velocity: ExprId,
    /// For people: `x1`, `bead[3].x`.
    pub name: String,
    /// Where it was declared.
    pub range: SourceRange,
}

impl Coordinate {
    /// The leaf that has its name: the position, or the velocity of a coordinate without position.
    pub fn symbol(&self, graph: &Graph) -> Option<SymbolId> {
        graph.as_symbol(self.position.unwrap_or(self.velocity))
    }
}

/// A declared name: a number, a point or a body, or an array of them.
#[derive(Clone, Debug)]
pub struct Declared {
    /// The user's identifier, with the user's span.
    pub name: Ident,
    /// Scalar, plane or space.
    pub shape: Shape,
    /// Whether it is a body, which has a place and a rotation.
    pub body: bool,
    /// The parts around it, the outermost first.
    pub around: Vec<Around>,
    /// The lengths of an array, the outermost first; those of the enclosing parts come first.
    pub lengths: Vec<usize>,
}

impl Declared {
    fn new(name: &Ident, Own { shape, body }: Own, lengths: Vec<usize>) -> Declared {
        Declared {
            name: name.clone(),
            shape,
            body,
            around: Vec::new(),
            lengths,
        }
    }

    /// Its name with indices, missing ones left empty: `leg[2].bead[]`.
    pub fn spelled(&self, indices: &[usize]) -> String {
        let mut indices = indices.iter();
        let mut bracket = move || match indices.next() {
            Some(index) => format!("[{index}]"),
            None => "[]".to_owned(),
        };
        let mut name = String::new();
        let mut known = 0;
        for around in &self.around {
            known += around.indices;
            name.push_str(&name_of(&around.field));
            name.extend((0..around.indices).map(|_| bracket()));
            name.push('.');
        }
        name.push_str(&name_of(&self.name));
        name.extend((known..self.lengths.len()).map(|_| bracket()));
        name
    }

    /// The number of elements; 1 for a single name.
    pub fn elements(&self) -> usize {
        self.lengths.iter().product()
    }

    /// The number of scalars.
    pub fn scalars(&self) -> usize {
        self.element_scalars() * self.elements()
    }

    /// The number of velocities.
    pub fn velocities(&self) -> usize {
        self.element_velocities() * self.elements()
    }

    /// The number of scalars of one element.
    pub fn element_scalars(&self) -> usize {
        self.shape.len() + self.rotation().0
    }

    /// The number of velocities of one element.
    pub fn element_velocities(&self) -> usize {
        self.shape.len() + self.rotation().1
    }

    /// Lengths of a rotation and of an angular velocity.
    fn rotation(&self) -> (usize, usize) {
        match (self.body, self.shape) {
            (true, Shape::Plane) => (2, 1),
            (true, Shape::Space) => (4, 3),
            _ => (0, 0),
        }
    }
}

/// A mass at a point.
#[derive(Clone, Debug)]
pub struct PointMass {
    /// m
    pub mass: ExprId,
    /// r(q, t)
    pub place: Vec<ExprId>,
    /// Source range of the mass.
    pub range: SourceRange,
}

/// Mass and inertia of a body.
#[derive(Clone, Debug)]
pub struct Inertia {
    /// Index into the model's bodies.
    pub body: usize,
    /// m
    pub mass: ExprId,
    /// I in the body's frame: 1×1 in the plane, 3×3 and symmetric in space.
    pub tensor: Vec<Vec<ExprId>>,
    /// Index of the moment I₀ = Iₖₖ in I = I₀ 1 + Σ Dₖₗ eₖ eₗᵀ, chosen so that D has the fewest rows.
    pub common: usize,
    /// The numbers k and axes eₖ, in the world, of the rows of D that are not zero.
    pub axes: Vec<(usize, [ExprId; 3])>,
    /// All three axes in the world, for a body of space whose moments differ.
    pub frame: Option<[[ExprId; 3]; 3]>,
}

impl Inertia {
    /// The moments, if the axes are principal; otherwise the lower triangle, row by row.
    pub fn independent_entries(graph: &Graph, tensor: &[Vec<ExprId>]) -> Vec<ExprId> {
        let n = tensor.len();
        let lower = (0..n).flat_map(|i| (0..=i).map(move |j| (i, j)));
        let coupled = |&(i, j): &(usize, usize)| i != j && !graph.is_zero(tensor[i][j]);
        let principal = !lower.clone().any(|place| coupled(&place));
        let places = lower.filter(|(i, j)| !principal || i == j);
        places.map(|(i, j)| tensor[i][j]).collect_vec()
    }
}

/// Mass and inertia of a body whose pose is a function of coordinates. Rates are affine in v; accelerations are at v̇ = 0.
#[derive(Clone, Debug)]
pub struct PosedBody {
    /// Its name with indices: `leg[2].shank`.
    pub name: String,
    /// m
    pub mass: ExprId,
    /// Source range of the mass.
    pub range: SourceRange,
    /// I in the body's frame: 1×1 in the plane, 3×3 and symmetric in space.
    pub tensor: Vec<Vec<ExprId>>,
    /// The centre of mass in the world.
    pub place: Vec<ExprId>,
    /// ṗ in any frame, also a rotating one; `acceleration` must be p̈ in the same frame.
    pub velocity: Vec<ExprId>,
    /// p̈ at v̇ = 0
    pub acceleration: Vec<ExprId>,
    /// ω in the body's frame.
    pub spin: Vec<ExprId>,
    /// ω̇ at v̇ = 0 in the body's frame.
    pub spin_rate: Vec<ExprId>,
    /// The last factor of its pose; `None` for the world.
    pub link: Option<usize>,
    /// The axes of the body's frame in the world.
    pub axes: Vec<Vec<ExprId>>,
}

impl PosedBody {
    /// All expressions.
    pub fn expressions_mut(&mut self) -> impl Iterator<Item = &mut ExprId> {
        let parts = [&mut self.place, &mut self.velocity, &mut self.acceleration];
        let parts = parts
            .into_iter()
            .chain([&mut self.spin, &mut self.spin_rate]);
        let parts = parts.flatten().chain(self.tensor.iter_mut().flatten());
        parts.chain([&mut self.mass])
    }
}

/// A torque on a body, or a force along a rate, such as friction along a slip: its power is value·rate, hence the
/// generalized force (∂rate/∂v)ᵀ value.
#[derive(Clone, Debug)]
pub struct RateForce {
    /// ω in the world, or any expression of first degree in the velocities.
    pub rate: Vec<ExprId>,
    /// τ, or F
    pub value: Vec<ExprId>,
    /// The target, for messages.
    pub range: SourceRange,
}

/// A force and the point, or the coordinate, on which it acts.
#[derive(Clone, Debug)]
pub struct Force {
    /// r(q, t)
    pub place: Vec<ExprId>,
    /// F
    pub value: Vec<ExprId>,
}

/// `link[3].x` or `across[2][3].x`, split into its components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowName {
    /// `link`, `across[2]`
    pub base: String,
    /// The last index: `3`
    pub index: Option<usize>,
    /// `.knee` of `leg[3].knee`, or empty
    pub member: String,
    /// `.x`, or empty
    pub suffix: String,
}

impl System {
    /// A system without masses and forces, for a single constraint.
    pub fn bare(model: Model, coordinates: Vec<Coordinate>) -> System {
        System {
            model,
            coordinates,
            defaults: Vec::new(),
            declared: Vec::new(),
            inputs: Vec::new(),
            places: Vec::new(),
            masses: Vec::new(),
            inertias: Vec::new(),
            posed: Vec::new(),
            links: Vec::new(),
            gravity: Vec::new(),
            gravity_is_driven: false,
            forces: Vec::new(),
            rate_forces: Vec::new(),
            potential: Vec::new(),
            dissipation: Vec::new(),
            kinetic: Vec::new(),
            outputs: Vec::new(),
            one_sided: Vec::new(),
            constraints: Vec::new(),
            observed: Vec::new(),
            tasks: Vec::new(),
            docs: SortedMap::new(),
            rows: Vec::new(),
            signatures: SortedMap::new(),
            parts: SortedMap::new(),
            numbers: Vec::new(),
            inertial: Inertial::default(),
            options: Options::default(),
        }
    }

    /// The declaration of input `i`, and the index of the scalar within it.
    pub fn input(&self, i: usize) -> Option<(usize, usize)> {
        let mut first = 0;
        for (input, declared) in self.inputs.iter().enumerate() {
            let next = first + declared.scalars();
            if i < next {
                return Some((input, i - first));
            }
            first = next;
        }
        None
    }

    /// Whether all forces derive from the potential V.
    pub fn has_potential_forces(&self) -> bool {
        self.forces.is_empty()
            && self.rate_forces.is_empty()
            && self.dissipation.is_empty()
            && self.inputs.is_empty()
    }

    /// The rows of one side: gaps, then slips.
    pub fn sides(&self) -> usize {
        let slips = self.one_sided.iter().filter(|it| it.friction.is_some());
        self.one_sided.len() + slips.count()
    }

    /// The number of velocities.
    pub fn velocities(&self) -> usize {
        self.declared.iter().map(Declared::velocities).sum()
    }

    /// The number of scalars among the inputs.
    pub fn given(&self) -> usize {
        self.inputs.iter().map(Declared::scalars).sum()
    }

    /// Q, the number of coordinates.
    pub fn scalars(&self) -> usize {
        self.declared.iter().map(Declared::scalars).sum()
    }
}

impl RowName {
    /// The rows of each constraint.
    pub fn constraints(names: &[RowName]) -> Vec<Range<usize>> {
        let mut end = 0;
        let constraints = names.chunk_by(RowName::is_with).map(|names| {
            let first = end;
            end += names.len();
            first..end
        });
        constraints.collect_vec()
    }

    /// Whether two rows belong to one constraint.
    pub fn is_with(&self, other: &RowName) -> bool {
        (&self.base, self.index, &self.member) == (&other.base, other.index, &other.member)
    }
}

impl std::fmt::Display for RowName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.base)?;
        if let Some(index) = self.index {
            write!(f, "[{index}]")?;
        }
        f.write_str(&self.member)?;
        f.write_str(&self.suffix)
    }
}

/// Spelling of the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solver {
    /// Every operation written out.
    Unrolled,
    /// Loops over families of rows.
    Rolled,
}

/// The user's settings of the solver.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// `#[solver(…)]`
    pub solver: Option<Solver>,
    /// `#[redundant(least_squares)]`
    pub redundant: bool,
    /// `#[derivatives]`
    pub derivatives: Option<SourceRange>,
    /// `#[task_space]`
    pub task_space: Option<SourceRange>,
    /// `#[regressor]`
    pub regressor: Option<SourceRange>,
    /// The first constraint of one side.
    pub one_sided: Option<SourceRange>,
    /// Whether it is the system of the points of a `constraint!`.
    pub of_points: bool,
}

impl Options {
    /// Whether loops are refused.
    pub fn is_written_out(&self) -> bool {
        self.solver == Some(Solver::Unrolled)
            || self.redundant
            || self.regressor.is_some()
            || self.one_sided.is_some()
    }
}
