//! M, h and the rows: the parts of Lagrange's equations of the first and of the second kind.
//!
//! ```text
//! point masses   M = Σ m (∂r/∂q)ᵀ ∂r/∂q,   h = −Σ m (∂r/∂q)ᵀ r̈₀        r̈₀: r̈ at v̇ = 0
//! kinetic T      M = ∂²T/∂v²,              h = ∂T/∂q − d/dt ∂T/∂v at v̇ = 0
//! bodies         M = m 1 and I = Σ Iₖₗ eₖ eₗᵀ,  h = −ω×(I ω)        eₖ: the body's axes in the world
//! posed bodies   with the rates from `posed.rs`
//! forces         h = Σ (∂r/∂q)ᵀ F − ∂V/∂q − ∂R/∂v
//! ```
//! A coordinate without a mass of its own may be determined by constraints, like the parameter of a curve that guides a
//! particle: M v̇ = h + Jᵀλ and J v̇ = −β have one solution, though M has no inverse. With any D > 0 the same v̇ and λ
//! solve (M + Jᵀ D J) v̇ = h − Jᵀ D β + Jᵀ λ, whose matrix has an inverse wherever the solution is unique. This M and h
//! enter the elimination; projections, which solve for J v, change only by a constant.
//! No rotation is differentiated: body-fixed arms r are leaves that move with ω×r, and a force F on an arm becomes
//! the torque r×F on ω. The definitions of arms are substituted at the end.

mod checks;
mod descriptor;
mod joined;
mod masses;
mod massless;
mod posed;
mod recursive;
mod regressor;
mod rows;
mod sides;
mod stated;
mod tasks;

pub use self::descriptor::{Entry, Matrix};
pub use self::masses::is_of_declared;
pub use self::regressor::{Combination, Regressor, add_multiple};
pub use self::rows::{Row, size};
pub use self::stated::{Equations, Recursion, Required, definitions};

use std::rc::Rc;

use self::checks::{blocks, check_inertia};
use self::masses::inverse;
use super::frame::{self, Frame, all_frames, framed, frames, kinematics};
use crate::diagnostic::{Diagnostics, system as messages};
use crate::diff::{Taylor, gradient};
use crate::dynamics::recursion::Unconstrained;
use crate::expr::{
    CollectVec, ExprId, Graph, Map, Node, Number, PushEach, SortedMap, SymbolId, sort,
};
use crate::kinematics;
use crate::model::{Inertia, Role, System};
use crate::solve::{Collected, Sparse, SparseRow};

/// A derivation in progress.
pub struct Derivation {
    /// All expressions.
    pub graph: Graph,
    /// Derivatives along the motion q, v.
    motion: Taylor,
    /// The index of a leaf: coordinates first, then arms component by component, then places.
    positions: Map<ExprId, usize>,
    /// The body-fixed arms, component by component.
    arms: Vec<ArmComponent>,
    /// The definitions of places.
    places: Vec<ExprId>,
    /// Derivatives of places with respect to coordinates and arms.
    place_rows: Vec<SparseRow>,
    /// The bodies whose equations are solved in their own frames.
    frames: Vec<Frame>,
    /// Their arms: the index of the frame, and u.
    framed: SortedMap<usize, (usize, [ExprId; 3])>,
    velocities: Map<ExprId, usize>,
    /// M
    pub mass: Sparse,
    /// For each coordinate: true if its diagonal entry is positive whenever the masses are.
    known_positive: Vec<bool>,
    /// For each coordinate: true if a kinetic energy contributes to M there.
    kinetic: Vec<bool>,
    /// The coordinates without inertia that constraints determine.
    pub massless: Vec<usize>,
    /// M and h before the rows are added.
    unaugmented: Option<(Sparse, Vec<ExprId>)>,
    /// h, term by term
    pub applied: Vec<Vec<(ExprId, Number)>>,
    /// M a − h by recursion, where a tree of bodies has one.
    required: Option<Required>,
    /// How it is found.
    recursion: Option<Recursion>,
    /// M⁻¹ h by articulated bodies, without rows.
    unconstrained: Option<Unconstrained>,
}

/// The independent entries of each tensor of inertia, each tensor once.
fn inertias(graph: &mut Graph, system: &System) -> Vec<Vec<ExprId>> {
    let tensors = system.inertias.iter().map(|it| &it.tensor);
    let tensors = tensors.chain(system.posed.iter().map(|it| &it.tensor));
    let entries = tensors.map(|it| Inertia::independent_entries(graph, it));
    let mut inertias: Vec<Vec<ExprId>> = entries.collect_vec();
    sort(&mut inertias);
    inertias.dedup();
    inertias
}

/// The masses, each once.
fn masses(system: &System) -> Vec<ExprId> {
    let mut masses: Vec<ExprId> = system.masses.iter().map(|mass| mass.mass).collect_vec();
    masses.push_each(system.inertias.iter().map(|inertia| inertia.mass));
    masses.push_each(system.posed.iter().map(|body| body.mass));
    sort(&mut masses);
    masses.dedup();
    masses
}

/// Those of the leaves that an expression contains, in the order of their numbers.
fn contained(graph: &Graph, root: ExprId, leaves: &Map<ExprId, usize>) -> Vec<(usize, ExprId)> {
    let reachable = graph.reachable([root]).into_iter();
    let contained = reachable.filter_map(|id| Some((*leaves.get(&id)?, id)));
    let mut contained: Vec<(usize, ExprId)> = contained.collect_vec();
    sort(&mut contained);
    contained
}

/// ∂root/∂leaf
fn slopes_by(graph: &mut Graph, root: ExprId, contained: &[(usize, ExprId)]) -> SparseRow {
    let variables: Vec<ExprId> = contained.iter().map(|&(_, id)| id).collect_vec();
    let slopes = gradient(graph, root, &variables);
    let pairs = contained.iter().zip(slopes);
    pairs
        .map(|(&(i, _), slope)| (i, slope))
        .filter(|&(_, slope)| !graph.is_zero(slope))
        .collect_vec()
}

/// One component of an arm.
struct ArmComponent {
    /// Index of the arm in the model.
    arm: usize,
    component: usize,
    /// The column of v where its body's ω begins.
    first: usize,
    /// All components.
    vector: Rc<[ExprId]>,
}

/// Derives masses and forces, and reports mistakes. The graph is moved out of the model until `finish`.
pub fn begin(system: &mut System, diagnostics: &mut Diagnostics) -> Derivation {
    let mut derivation = Derivation::new(system);
    derivation.check_rates(system, diagnostics);
    derivation.check_slips(system, diagnostics);
    derivation.equations_of_motion(system, diagnostics);
    // After a mistake, a missing kinetic energy could make coordinates appear to be without inertia.
    if diagnostics.is_empty() {
        let constrained = derivation.constrained(system);
        let bare = |&i: &usize| derivation.mass.get(i, i).is_none() && constrained[i];
        derivation.massless = (0..constrained.len()).filter(bare).collect_vec();
        check_inertia(system, &derivation, diagnostics);
    }
    if diagnostics.is_empty() {
        derivation.check_definite(system, diagnostics);
    }
    derivation
}

/// Whose masses and weights.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Among {
    All,
    /// All but those of posed bodies.
    NotPosed,
}

impl Derivation {
    /// M and h.
    fn masses_and_forces(&mut self, system: &System, of: Among, diagnostics: &mut Diagnostics) {
        self.bodies(system);
        self.point_masses(system);
        if of == Among::All {
            self.posed_bodies(system);
        }
        self.kinetic(system, diagnostics);
        self.forces(system, of);
        self.push_poses_on();
    }

    /// M⁻¹, if M consists of separate blocks of bodies and is not diagonal.
    pub fn inverse(&mut self, system: &System) -> Option<Sparse> {
        if !self.massless.is_empty() {
            return None;
        }
        let (graph, frames) = (&mut self.graph, &self.frames);
        inverse(graph, system, &self.velocities, &self.mass, frames)
    }

    /// The bodies whose equations are solved in their own frames.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The motion of all leaves; the graph is moved out of the model until it is returned.
    pub fn new(system: &mut System) -> Derivation {
        let mut graph = std::mem::replace(&mut system.model.graph, Graph::new());
        let coordinates = || system.coordinates.iter().enumerate();
        let n = system.coordinates.len();
        let (zero, one) = (graph.zero(), graph.number(Number::ONE));
        let seeds = system
            .coordinates
            .iter()
            .filter_map(|c| Some((c.position?, c.velocity, zero)));
        let mut motion = Taylor::new(seeds);
        let velocities: Map<ExprId, usize> = coordinates().map(|(i, c)| (c.velocity, i)).collect();
        let mut symbols = system.model.symbols.iter();
        if let Some(time) = symbols.position(|symbol| symbol.role == Role::Time) {
            let leaf = graph.symbol(SymbolId::new(time));
            motion.seed(leaf, one, zero);
        }
        let arms = arms(system, &velocities);
        for arm in &system.model.arms {
            let spin = &system.model.bodies[arm.body].angular_velocity;
            motion.seed_arm(spin, &arm.leaves);
        }
        for &(leaf, place) in &system.places {
            let (first, second) = (
                motion.first(&mut graph, place),
                motion.second(&mut graph, place),
            );
            motion.seed(leaf, first, second);
        }
        let places = system.places.iter().map(|&(leaf, _)| leaf);
        let leaves = system.model.arms.iter().flat_map(|arm| &arm.leaves);
        let leaves = leaves.copied().chain(places).enumerate();
        let leaves = leaves.map(|(k, leaf)| (leaf, n + k));
        let positions = coordinates().filter_map(|(i, c)| Some((c.position?, i)));
        let positions = positions.chain(leaves).collect();
        let frames = frames(&graph, system, &velocities);
        let mut derivation = Derivation {
            graph,
            motion,
            positions,
            places: system.places.iter().map(|&(_, place)| place).collect_vec(),
            applied: vec![Vec::new(); n + arms.len() + system.places.len()],
            arms,
            place_rows: Vec::new(),
            framed: framed(system, &frames),
            frames,
            velocities,
            mass: Sparse {
                n,
                ..Sparse::default()
            },
            known_positive: vec![false; n],
            kinetic: vec![false; n],
            massless: Vec::new(),
            unaugmented: None,
            required: None,
            recursion: None,
            unconstrained: None,
        };
        for k in 0..derivation.places.len() {
            let slopes = derivation.slopes(derivation.places[k], |d| &d.positions);
            let row = derivation.without_places(slopes);
            derivation.place_rows.push(row);
        }
        derivation
    }

    /// Derivatives with respect to coordinates and arms, from those with respect to coordinates, arms and places.
    fn without_places(&mut self, slopes: SparseRow) -> SparseRow {
        let first = self.mass.n + self.arms.len();
        if slopes.iter().all(|&(i, _)| i < first) {
            return slopes;
        }
        let mut row = Collected::default();
        for (i, slope) in slopes {
            match i.checked_sub(first) {
                None => row.add(i, slope),
                Some(place) => {
                    for &(j, entry) in &self.place_rows[place] {
                        row.add(j, self.graph.mul(slope, entry));
                    }
                }
            }
        }
        row.summed(&mut self.graph)
    }

    /// The columns of v, from derivatives with respect to coordinates and arms; `own` for components in the bodies' own
    /// frames.
    fn columns(&mut self, slopes: &SparseRow, own: bool) -> SparseRow {
        let n = self.mass.n;
        let mut row = Collected::default();
        let mut pushes: SortedMap<usize, [ExprId; 3]> = SortedMap::new();
        for &(i, slope) in slopes {
            let Some(k) = i.checked_sub(n) else {
                row.add(i, slope);
                continue;
            };
            let ArmComponent {
                arm,
                component,
                first,
                vector,
            } = &self.arms[k];
            if own && self.framed.contains_key(arm) {
                let zero = self.graph.zero();
                pushes.entry(*arm).or_insert([zero; 3])[*component] = slope;
                continue;
            }
            for &(j, entry) in &kinematics::slopes(&mut self.graph, vector)[*component] {
                row.add(first + j, self.graph.mul(slope, entry));
            }
        }
        for (arm, push) in pushes {
            let (frame, fixed) = self.framed[&arm];
            let frame = &self.frames[frame];
            let push = frame.own(&mut self.graph, push);
            let torque = self.graph.cross(fixed, push);
            for (i, torque) in frame.columns.into_iter().zip(torque) {
                row.add(i, torque);
            }
        }
        row.summed(&mut self.graph)
    }

    /// Transfers forces on places to the leaves that they depend on, the last place first; then those on
    /// arms, as torques.
    fn push_poses_on(&mut self) {
        let first = self.mass.n + self.arms.len();
        for k in (0..self.places.len()).rev() {
            let pushed = std::mem::take(&mut self.applied[first + k]);
            let total = self.graph.sum(&pushed);
            for (i, slope) in self.slopes(self.places[k], |d| &d.positions) {
                let push = self.graph.mul(slope, total);
                self.push(i, push, Number::ONE);
            }
        }
        let n = self.mass.n;
        let on_arms = n..first;
        let pushed = on_arms.map(|i| {
            let pushed = std::mem::take(&mut self.applied[i]);
            (i, self.graph.sum(&pushed))
        });
        let mut pushed: SparseRow = pushed.collect_vec();
        pushed.retain(|&(_, push)| !self.graph.is_zero(push));
        for (i, push) in self.columns(&pushed, true) {
            self.push(i, push, Number::ONE);
        }
        self.applied.truncate(n);
    }

    /// All equations, with the graph moved back into the model. With `in_loops`, quantities that loops compute (sums
    /// over all bodies, rotations body by body) are omitted.
    pub fn finish(mut self, system: &mut System, rows: Vec<Row>, in_loops: bool) -> Equations {
        let kinetic = if in_loops {
            self.graph.zero()
        } else {
            self.kinetic_energy(system)
        };
        let graph = &mut self.graph;
        let applied = self
            .applied
            .iter()
            .map(|terms| graph.sum(terms))
            .collect_vec();
        let row_sizes = rows.iter();
        let row_sizes = row_sizes.map(|row| size(graph, system, &row.jacobian));
        let row_sizes = row_sizes.collect_vec();
        let potential: Vec<_> = system
            .potential
            .iter()
            .map(|&v| (v, Number::ONE))
            .collect_vec();
        let potential = graph.sum(&potential);
        let masses = masses(system);
        let must_be_positive = self.must_be_positive(system, &masses);
        let quadratic = self.quadratic(&must_be_positive);
        let graph = &mut self.graph;
        let inertias = inertias(graph, system);
        let zero = graph.zero();
        let stepped = all_frames(system, &self.velocities);
        let [kinematics, own_kinematics] = if in_loops {
            Default::default()
        } else {
            [&[], &stepped[..]].map(|frames| kinematics(graph, system, frames))
        };
        let inverse = self.inverse(system);
        let (output_jacobian, output_bias) = self.tasks(system);
        let (sides, [coefficients, gap_sizes]) = self.sides(system);
        let rubbing = self.rubbing(system);
        let requested = system.options.regressor.filter(|_| !in_loops);
        let regressor = requested.and_then(|_| self.regressor(system));
        let mut equations = Equations {
            mass: self.mass,
            inverse,
            applied,
            frames: self.frames,
            stepped,
            kinematics,
            own_kinematics,
            rows,
            sides,
            coefficients,
            gap_sizes,
            rubbing,
            row_sizes,
            outputs: system.observed.clone(),
            output_jacobian,
            output_bias,
            kinetic,
            potential,
            masses,
            must_be_positive,
            inertias,
            massless: self.massless,
            unaugmented: self.unaugmented,
            required: self.required,
            recursion: self.recursion,
            unconstrained: self.unconstrained,
            regressor,
            quadratic,
            known_positive: self.known_positive,
            zero,
        };
        equations.substitute(&mut self.graph, system, in_loops);
        if !in_loops {
            equations.join_rows(&mut self.graph);
        }
        system.model.graph = self.graph;
        equations
    }

    /// The coordinates of the blocks of M that depend on kinetic energies, and are not known to be positive otherwise.
    fn quadratic(&self, must_be_positive: &[usize]) -> Vec<usize> {
        let blocks = blocks(&self.mass).into_iter();
        let open = blocks.filter(|block| match block[..] {
            [i] => self.kinetic[i] && !must_be_positive.contains(&i) && !self.known_positive[i],
            _ => block.iter().any(|&i| self.kinetic[i]),
        });
        open.flatten().collect_vec()
    }

    /// The coordinates with a constant diagonal entry of M, other than a mass alone, that must be positive.
    fn must_be_positive(&self, system: &System, masses: &[ExprId]) -> Vec<usize> {
        let constant = |i: &usize| {
            let entry = self.mass.get(*i, *i);
            let constant = entry.filter(|&id| is_constant(&self.graph, system, id));
            !self.known_positive[*i] && constant.is_some_and(|id| !masses.contains(&id))
        };
        (0..self.known_positive.len())
            .filter(constant)
            .collect_vec()
    }

    /// Expressions that are checked to be positive before a run: masses, and constant diagonal entries of M.
    pub fn positive(&self, system: &System) -> Vec<ExprId> {
        let masses = masses(system);
        let constant = self.must_be_positive(system, &masses).into_iter();
        let constant: Vec<ExprId> = constant.filter_map(|i| self.mass.get(i, i)).collect_vec();
        masses.into_iter().chain(constant).collect_vec()
    }

    /// True if the diagonal entry of M at a coordinate is positive whenever the masses are.
    pub fn is_known_positive(&self, coordinate: usize) -> bool {
        self.known_positive[coordinate]
    }

    /// The blocks of coordinates that M couples.
    pub fn blocks(&self) -> Vec<Vec<usize>> {
        blocks(&self.mass)
    }

    /// ∂root/∂leaf for the leaves of a family that the expression contains, by coordinate.
    fn slopes(
        &mut self,
        root: ExprId,
        family: fn(&Derivation) -> &Map<ExprId, usize>,
    ) -> SparseRow {
        let leaves = family(self);
        let contained = contained(&self.graph, root, leaves);
        self.slopes_by(root, contained)
    }

    /// ∂root/∂leaf for given leaves.
    fn slopes_in(&mut self, root: ExprId, leaves: &Map<ExprId, usize>) -> SparseRow {
        let contained = contained(&self.graph, root, leaves);
        self.slopes_by(root, contained)
    }

    fn slopes_by(&mut self, root: ExprId, contained: Vec<(usize, ExprId)>) -> SparseRow {
        if contained.is_empty() {
            return SparseRow::new();
        }
        slopes_by(&mut self.graph, root, &contained)
    }

    fn push(&mut self, i: usize, value: ExprId, coefficient: Number) {
        if !self.graph.is_zero(value) {
            self.applied[i].push((value, coefficient));
        }
    }

    // ---- forces ---------------------------------------------------------------------------------

    /// Reports forces along expressions that are not of first degree in the velocities.
    fn check_rates(&mut self, system: &System, diagnostics: &mut Diagnostics) {
        for force in &system.rate_forces {
            let affine = force.rate.iter().all(|&rate| {
                let slopes = self.slopes(rate, |d| &d.velocities);
                slopes
                    .iter()
                    .all(|&(_, slope)| !self.depends_on_velocity(slope))
            });
            if !affine {
                diagnostics.push(messages::rate_not_affine(force.range));
            }
        }
    }

    fn forces(&mut self, system: &System, of: Among) {
        let weights = match of {
            Among::NotPosed if !system.gravity.is_empty() => system.posed.len(),
            _ => 0,
        };
        let (forces, potential) = match system.gravity_is_driven {
            true => (weights, 0),
            false => (0, weights),
        };
        let forces = &system.forces[..system.forces.len() - forces];
        let potential = &system.potential[..system.potential.len() - potential];
        for force in &system.rate_forces {
            let mut columns = Collected::default();
            for (&rate, &value) in force.rate.iter().zip(&force.value) {
                for (i, slope) in self.slopes(rate, |d| &d.velocities) {
                    columns.add(i, self.graph.mul(slope, value));
                }
            }
            let force = columns.summed(&mut self.graph);
            for (i, value) in frame::turned(&mut self.graph, &self.frames, &force, Frame::own) {
                self.push(i, value, Number::ONE);
            }
        }
        for force in forces {
            for (&component, &value) in force.place.iter().zip(&force.value) {
                for (i, slope) in self.slopes(component, |d| &d.positions) {
                    let push = self.graph.mul(slope, value);
                    self.push(i, push, Number::ONE);
                }
            }
        }
        for &term in potential {
            for (i, slope) in self.slopes(term, |d| &d.positions) {
                self.push(i, slope, Number::MINUS_ONE);
            }
        }
        for &term in &system.dissipation {
            let slopes = self.slopes(term, |d| &d.velocities);
            for (i, slope) in frame::turned(&mut self.graph, &self.frames, &slopes, Frame::own) {
                self.push(i, slope, Number::MINUS_ONE);
            }
        }
    }
}

/// The components of all arms.
fn arms(system: &System, velocities: &Map<ExprId, usize>) -> Vec<ArmComponent> {
    let arms = system.model.arms.iter().enumerate();
    let components = arms.flat_map(|(number, arm)| {
        let first = velocities[&system.model.bodies[arm.body].angular_velocity[0]];
        let vector: Rc<[ExprId]> = arm.leaves[..].into();
        (0..vector.len()).map(move |component| ArmComponent {
            arm: number,
            component,
            first,
            vector: vector.clone(),
        })
    });
    components.collect_vec()
}

/// True if an expression contains only parameters.
fn is_constant(graph: &Graph, system: &System, id: ExprId) -> bool {
    let parameter = |symbol: SymbolId| {
        let role = system.model.symbols[symbol.index()].role;
        matches!(role, Role::Parameter { .. } | Role::Number(_))
    };
    let reachable = graph.reachable([id]).into_iter();
    let mut symbols = reachable.filter_map(|id| match graph.node(id) {
        Node::Symbol(symbol) => Some(*symbol),
        _ => None,
    });
    symbols.all(parameter)
}
