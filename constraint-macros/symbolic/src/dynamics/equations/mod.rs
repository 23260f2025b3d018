//! M, h and the rows: what Lagrange's equations of the first and of the second kind are made of.
//!
//! ```text
//! point masses   M = Σ m (∂r/∂q)ᵀ ∂r/∂q,   h = −Σ m (∂r/∂q)ᵀ r̈₀        r̈₀: r̈ at v̇ = 0
//! kinetic T      M = ∂²T/∂v²,              h = ∂T/∂q − d/dt ∂T/∂v at v̇ = 0
//! bodies         M = m 1 and I = Σ Iₖₗ eₖ eₗᵀ,  h = −ω×(I ω)        eₖ: the body's axes in the world
//! posed bodies   of the rates that `posed.rs` tells
//! forces         h = Σ (∂r/∂q)ᵀ F − ∂V/∂q − ∂R/∂v
//! ```
//! A coordinate without a mass of its own may be carried by constraints, as the parameter of a curve that a particle
//! is held on: M v̇ = h + Jᵀλ and J v̇ = −β have one solution, though M has no inverse. With any D > 0 the same v̇ and λ
//! solve (M + Jᵀ D J) v̇ = h − Jᵀ D β + Jᵀ λ, whose matrix has an inverse where they do; that is the M and the h that
//! are solved with, and projections, which ask for J v, are moved by a constant.
//! No rotation is differentiated: body-fixed arms r are leaves that move with ω×r, and what pushes them, F, is
//! handed on to ω as r×F. The definitions of arms are substituted at the end.

mod carried;
mod checks;
mod descriptor;
mod masses;
mod posed;
mod rows;

pub use self::descriptor::{Entry, Matrix};
pub use self::rows::{Row, size};

use std::collections::BTreeMap;
use std::rc::Rc;

use self::checks::{blocks, check_inertia};
use self::masses::inverse;
use super::frame::{self, Frame, all_frames, framed, frames, kinematics};
use super::rotation;
use crate::diagnostic::Diagnostics;
use crate::diff::{Taylor, gradient};
use crate::expr::{ExprId, Graph, Map, Node, Number, SymbolId, Together};
use crate::kinematics;
use crate::model::{Inertia, Role, System};
use crate::schedule::{self, Root};
use crate::solve::{Collected, Sparse, SparseRow};

/// Everything derived from the model.
#[derive(Clone, Debug)]
pub struct Equations {
    /// M, like h and M⁻¹ with bodies told in their own frames.
    pub mass: Sparse,
    /// M⁻¹, where M is made of separate blocks of bodies, and not diagonal.
    pub inverse: Option<Sparse>,
    /// h
    pub applied: Vec<ExprId>,
    /// The bodies that are told in their own frames.
    pub frames: Vec<Frame>,
    /// The bodies that steps carry there: all whose moments differ.
    pub stepped: Vec<Frame>,
    /// q̇ = N(q) v; empty where that is v itself.
    pub kinematics: Vec<ExprId>,
    /// The same where the leaves of ω stand for that in the frames.
    pub own_kinematics: Vec<ExprId>,
    /// The constraints.
    pub rows: Vec<Row>,
    /// Σᵢ |Jᵢ qᵢ| of each row
    pub row_sizes: Vec<ExprId>,
    /// What the caller is told by name; λ and v̇ in it stand as leaves.
    pub outputs: Vec<ExprId>,
    /// T
    pub kinetic: ExprId,
    /// V
    pub potential: ExprId,
    /// The masses, which must be positive.
    pub masses: Vec<ExprId>,
    /// The coordinates where a constant entry on the diagonal of M must be positive.
    pub must_be_positive: Vec<usize>,
    /// The inertias of bodies: one moment, three, or the lower triangle of a matrix, row by row.
    pub inertias: Vec<Vec<ExprId>>,
    /// The coordinates without inertia of their own that constraints carry: M and h hold Jᵀ D J and −Jᵀ D β then.
    pub carried: Vec<usize>,
    /// M and h without that, where there are any.
    uncarried: Option<(Sparse, Vec<ExprId>)>,
    /// The coordinates of the part of M that kinetic energies enter and that the parameters' signs do not settle.
    pub quadratic: Vec<usize>,
    /// Per coordinate: M is positive there as long as the masses are.
    pub known_positive: Vec<bool>,
    /// 0
    pub zero: ExprId,
}

/// The derivation at work.
pub struct Derivation {
    /// All expressions.
    pub graph: Graph,
    /// q and v moved with.
    motion: Taylor,
    /// The coordinate of a leaf; arms, component by component, then places are counted after the coordinates.
    positions: Map<ExprId, usize>,
    /// The body-fixed arms, component by component.
    arms: Vec<ArmComponent>,
    /// What places are.
    places: Vec<ExprId>,
    /// The slopes of places in coordinates and arms.
    place_rows: Vec<SparseRow>,
    /// The bodies that are told in their own frames.
    frames: Vec<Frame>,
    /// Their arms: the frame, and u.
    framed: BTreeMap<usize, (usize, [ExprId; 3])>,
    velocities: Map<ExprId, usize>,
    /// M
    pub mass: Sparse,
    /// Per coordinate: whether its diagonal entry is positive as long as the masses are.
    known_positive: Vec<bool>,
    /// Per coordinate: whether a kinetic energy enters M there.
    kinetic: Vec<bool>,
    /// The coordinates without inertia of their own that constraints carry.
    pub carried: Vec<usize>,
    /// M and h as they were before.
    uncarried: Option<(Sparse, Vec<ExprId>)>,
    /// h, term by term
    pub applied: Vec<Vec<(ExprId, Number)>>,
}

/// The masses, each once.
fn masses(system: &System) -> Vec<ExprId> {
    let mut masses: Vec<ExprId> = system.masses.iter().map(|mass| mass.mass).collect();
    masses.extend(system.inertias.iter().map(|inertia| inertia.mass));
    masses.extend(system.posed.iter().map(|body| body.mass));
    masses.sort();
    masses.dedup();
    masses
}

/// Definitions to substitute for the arms and places in `roots`, and the names of the arms.
pub fn definitions(
    graph: &mut Graph,
    system: &System,
    roots: &[ExprId],
) -> (Map<ExprId, ExprId>, Vec<(ExprId, String)>) {
    let (mut map, names) = rotation::arms(&system.model, graph, roots);
    // A place is made of leaves that stand for earlier ones at most.
    for &(leaf, place) in &system.places {
        map = graph.substitute([place], map);
        map.insert(leaf, map[&place]);
    }
    (map, names)
}

/// The leaves among some that an expression contains, in the order of their numbers.
fn contained(graph: &Graph, root: ExprId, leaves: &Map<ExprId, usize>) -> Vec<(usize, ExprId)> {
    let reachable = graph.reachable([root]).into_iter();
    let contained = reachable.filter_map(|id| Some((*leaves.get(&id)?, id)));
    let mut contained: Vec<(usize, ExprId)> = contained.collect();
    contained.sort_unstable();
    contained
}

/// One component of an arm.
struct ArmComponent {
    /// Which arm of the model.
    arm: usize,
    component: usize,
    /// The column of v where its body's ω begins.
    first: usize,
    /// All components.
    vector: Rc<[ExprId]>,
}

/// Masses and forces derived; mistakes are reported. The graph is out of the model until `finish`.
pub fn begin(system: &mut System, diagnostics: &mut Diagnostics) -> Derivation {
    let mut derivation = Derivation::new(system);
    derivation.bodies(system);
    derivation.point_masses(system);
    derivation.posed_bodies(system);
    derivation.kinetic(system, diagnostics);
    derivation.forces(system);
    derivation.push_poses_on();
    derivation.join();
    // Half a kinetic energy would leave coordinates without inertia that have one.
    if diagnostics.is_empty() {
        let constrained = derivation.constrained(system);
        let bare = |&i: &usize| derivation.mass.get(i, i).is_none() && constrained[i];
        derivation.carried = (0..constrained.len()).filter(bare).collect();
        check_inertia(system, &derivation, diagnostics);
    }
    if diagnostics.is_empty() {
        derivation.check_definite(system, diagnostics);
    }
    derivation
}

impl Derivation {
    /// M⁻¹, where M is made of separate blocks of bodies, and not diagonal.
    pub fn inverse(&mut self, system: &System) -> Option<Sparse> {
        if !self.carried.is_empty() {
            return None;
        }
        let (graph, frames) = (&mut self.graph, &self.frames);
        inverse(graph, system, &self.velocities, &self.mass, frames)
    }

    /// The bodies that are told in their own frames.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// How everything moves; the graph is out of the model until it is given back.
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
            places: system.places.iter().map(|&(_, place)| place).collect(),
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
            carried: Vec::new(),
            uncarried: None,
        };
        for k in 0..derivation.places.len() {
            let slopes = derivation.slopes(derivation.places[k], |d| &d.positions);
            let row = derivation.without_places(slopes);
            derivation.place_rows.push(row);
        }
        derivation
    }

    /// Slopes in coordinates and arms of what has the given slopes in those and in places.
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

    /// The columns of v of what has the given slopes in coordinates and arms; `own` where bodies are to be told
    /// in their own frames.
    fn columns(&mut self, slopes: &SparseRow, own: bool) -> SparseRow {
        let n = self.mass.n;
        let mut row = Collected::default();
        let mut pushes: BTreeMap<usize, [ExprId; 3]> = BTreeMap::new();
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

    /// What pushes the places, handed on to what they depend on, the last place first; then what pushes the
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
        let mut pushed: SparseRow = pushed.collect();
        pushed.retain(|&(_, push)| !self.graph.is_zero(push));
        for (i, push) in self.columns(&pushed, true) {
            self.push(i, push, Number::ONE);
        }
        self.applied.truncate(n);
    }

    /// Squares of sines and cosines joined in M and h: entry by entry where that pays, or everywhere if that costs
    /// less for all of them, which share what is left; or those of two angles as well.
    fn join(&mut self) {
        let graph = &mut self.graph;
        let applied = self.applied.iter().map(|terms| graph.sum(terms));
        let applied: Vec<ExprId> = applied.collect();
        let all: Vec<ExprId> = self.mass.entries.values().copied().chain(applied).collect();
        let ways = ways_to_join(graph, &all);
        let mut joined = cheapest(graph, ways, &[]).into_iter();
        for (entry, joined) in self.mass.entries.values_mut().zip(&mut joined) {
            *entry = joined;
        }
        self.mass.entries.retain(|_, entry| !graph.is_zero(*entry));
        self.applied = joined.map(|joined| vec![(joined, Number::ONE)]).collect();
    }

    /// Everything, and the graph back in the model. Where loops compute it, what is summed over all that moves, or turned
    /// body by body, is left to them.
    pub fn finish(mut self, system: &mut System, rows: Vec<Row>, in_loops: bool) -> Equations {
        let kinetic = if in_loops {
            self.graph.zero()
        } else {
            self.kinetic_energy(system)
        };
        let graph = &mut self.graph;
        let applied = self.applied.iter().map(|terms| graph.sum(terms)).collect();
        let row_sizes = rows.iter();
        let row_sizes = row_sizes.map(|row| size(graph, system, &row.jacobian));
        let row_sizes = row_sizes.collect();
        let potential: Vec<_> = system.potential.iter().map(|&v| (v, Number::ONE)).collect();
        let potential = graph.sum(&potential);
        let masses = masses(system);
        let must_be_positive = self.must_be_positive(system, &masses);
        let blocks = blocks(&self.mass).into_iter();
        let open = blocks.filter(|block| match block[..] {
            [i] => self.kinetic[i] && !must_be_positive.contains(&i) && !self.known_positive[i],
            _ => block.iter().any(|&i| self.kinetic[i]),
        });
        let quadratic = open.flatten().collect();
        let tensors = system.inertias.iter().map(|it| &it.tensor);
        let tensors = tensors.chain(system.posed.iter().map(|it| &it.tensor));
        let graph = &mut self.graph;
        let mut inertias: Vec<Vec<ExprId>> = tensors.map(|it| Inertia::told(graph, it)).collect();
        inertias.sort();
        inertias.dedup();
        let zero = graph.zero();
        let stepped = all_frames(system, &self.velocities);
        let [kinematics, own_kinematics] = if in_loops {
            Default::default()
        } else {
            [&[], &stepped[..]].map(|frames| kinematics(graph, system, frames))
        };
        let inverse = self.inverse(system);
        let mut equations = Equations {
            mass: self.mass,
            inverse,
            applied,
            frames: self.frames,
            stepped,
            kinematics,
            own_kinematics,
            rows,
            row_sizes,
            outputs: system.observed.clone(),
            kinetic,
            potential,
            masses,
            must_be_positive,
            inertias,
            carried: self.carried,
            uncarried: self.uncarried,
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

    /// The coordinates where a constant entry on the diagonal of M, not a mass alone, must be positive.
    fn must_be_positive(&self, system: &System, masses: &[ExprId]) -> Vec<usize> {
        let constant = |i: &usize| {
            let entry = self.mass.get(*i, *i);
            let constant = entry.filter(|&id| is_constant(&self.graph, system, id));
            !self.known_positive[*i] && constant.is_some_and(|id| !masses.contains(&id))
        };
        (0..self.known_positive.len()).filter(constant).collect()
    }

    /// What is checked to be positive before a run: masses, and constant entries on the diagonal of M.
    pub fn positive(&self, system: &System) -> Vec<ExprId> {
        let masses = masses(system);
        let constant = self.must_be_positive(system, &masses).into_iter();
        let constant: Vec<ExprId> = constant.filter_map(|i| self.mass.get(i, i)).collect();
        masses.into_iter().chain(constant).collect()
    }

    /// Whether M is positive at a coordinate as long as the masses are.
    pub fn is_known_positive(&self, coordinate: usize) -> bool {
        self.known_positive[coordinate]
    }

    /// The coordinates that M couples, block by block.
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

    /// The same for leaves that are told.
    fn slopes_in(&mut self, root: ExprId, leaves: &Map<ExprId, usize>) -> SparseRow {
        let contained = contained(&self.graph, root, leaves);
        self.slopes_by(root, contained)
    }

    fn slopes_by(&mut self, root: ExprId, contained: Vec<(usize, ExprId)>) -> SparseRow {
        if contained.is_empty() {
            return SparseRow::new();
        }
        let variables: Vec<ExprId> = contained.iter().map(|&(_, id)| id).collect();
        let slopes = gradient(&mut self.graph, root, &variables);
        let pairs = contained.iter().zip(slopes);
        pairs
            .map(|(&(i, _), slope)| (i, slope))
            .filter(|&(_, slope)| !self.graph.is_zero(slope))
            .collect()
    }

    fn push(&mut self, i: usize, value: ExprId, coefficient: Number) {
        if !self.graph.is_zero(value) {
            self.applied[i].push((value, coefficient));
        }
    }

    // ---- forces ---------------------------------------------------------------------------------

    fn forces(&mut self, system: &System) {
        for torque in &system.torques {
            let mut columns = Collected::default();
            for (&spin, &torque) in torque.spin.iter().zip(&torque.value) {
                for (i, slope) in self.slopes(spin, |d| &d.velocities) {
                    columns.add(i, self.graph.mul(slope, torque));
                }
            }
            let torque = columns.summed(&mut self.graph);
            for (i, value) in frame::turned(&mut self.graph, &self.frames, &torque, Frame::own) {
                self.push(i, value, Number::ONE);
            }
        }
        for force in &system.forces {
            for (&component, &value) in force.place.iter().zip(&force.value) {
                for (i, slope) in self.slopes(component, |d| &d.positions) {
                    let push = self.graph.mul(slope, value);
                    self.push(i, push, Number::ONE);
                }
            }
        }
        for &term in &system.potential {
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
    components.collect()
}

/// Expressions with squares of sines and cosines joined, one by one where that pays, or everywhere; and where angles are
/// few, with those of two angles as well.
fn ways_to_join(graph: &mut Graph, all: &[ExprId]) -> Vec<Vec<ExprId>> {
    let each = all.iter();
    let each = each.map(|&id| graph.joined(id, |g, id| cost(g, &[id])));
    let each: Vec<ExprId> = each.collect();
    let everywhere = all.iter().map(|&id| graph.joined_everywhere(id));
    let mut ways = vec![each, everywhere.collect()];
    if graph.has_few_angles(all) {
        ways.extend(Together::ALL.map(|together| {
            let pairs = all.iter().map(|&id| graph.joined_in_pairs(id, together));
            let pairs: Vec<ExprId> = pairs.collect();
            graph.sharing_sums(&pairs)
        }));
    }
    ways
}

/// The cheapest way to write the same expressions beside others, the first among equals.
fn cheapest(graph: &Graph, mut ways: Vec<Vec<ExprId>>, beside: &[ExprId]) -> Vec<ExprId> {
    ways.dedup();
    if ways.len() < 2 {
        return ways.pop().unwrap_or_default();
    }
    let price = |way: &Vec<ExprId>| cost(graph, &[way, beside].concat());
    let best = ways.into_iter().min_by_key(price);
    best.unwrap_or_default()
}

/// A rough time of computing expressions.
fn cost(graph: &Graph, ids: &[ExprId]) -> u32 {
    let roots: Vec<Root> = ids.iter().copied().map(Root::Output).collect();
    schedule::count(graph, &roots).weight()
}

/// Whether an expression is made of parameters alone.
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

impl Equations {
    /// M and h of M v̇ = h + Jᵀλ, bodies in their own frames: what resists and what is applied, without constraints.
    pub fn of_motion(&self) -> (&Sparse, &[ExprId]) {
        match &self.uncarried {
            Some((mass, applied)) => (mass, applied),
            None => (&self.mass, &self.applied),
        }
    }

    /// The constant entries on the diagonal of M that must be positive, the masses left out.
    pub fn inertias_of_coordinates(&self) -> impl Iterator<Item = ExprId> {
        self.must_be_positive
            .iter()
            .filter_map(|&i| self.mass.get(i, i))
    }

    /// The coordinates where a diagonal mass matrix may be singular.
    pub fn needs_guard(&self) -> Vec<usize> {
        let needs_guard = |&i: &usize| {
            let entry = self.mass.get(i, i);
            let needs_guard = entry.is_some_and(|entry| !self.masses.contains(&entry));
            needs_guard && !self.known_positive[i] && !self.must_be_positive.contains(&i)
        };
        if self.mass.is_diagonal() {
            (0..self.known_positive.len()).filter(needs_guard).collect()
        } else {
            Vec::new()
        }
    }

    /// Squares of sines and cosines joined in the rows, and those of two angles, where angles are few and that costs
    /// less: for C, for Ċ, and for all that is solved, which stands beside M and h.
    fn join_rows(&mut self, graph: &mut Graph) {
        let rows = self.rows.iter();
        let all: Vec<ExprId> = rows.flat_map(Row::all).collect();
        if !graph.has_few_angles(&all) {
            return;
        }
        let resisting = self.mass.entries.values().copied();
        let beside: Vec<ExprId> = resisting.chain(self.applied.iter().copied()).collect();
        self.join_in(graph, |row| vec![&mut row.value], &[]);
        self.join_in(graph, |row| vec![&mut row.rate], &[]);
        self.join_in(graph, Row::solved_mut, &beside);
    }

    fn join_in(
        &mut self,
        graph: &mut Graph,
        part: impl Fn(&mut Row) -> Vec<&mut ExprId>,
        beside: &[ExprId],
    ) {
        let mut entries: Vec<&mut ExprId> = self.rows.iter_mut().flat_map(part).collect();
        let plain: Vec<ExprId> = entries.iter().map(|entry| **entry).collect();
        let mut ways = vec![plain.clone()];
        ways.extend(ways_to_join(graph, &plain));
        let joined = cheapest(graph, ways, beside);
        for (entry, joined) in entries.iter_mut().zip(joined) {
            **entry = joined;
        }
    }

    /// Substitutes the places and the rotated arms for their leaves.
    fn substitute(&mut self, graph: &mut Graph, system: &mut System, in_loops: bool) {
        if system.places.is_empty() && system.model.arms.is_empty() {
            return;
        }
        let frames = self.frames.iter().chain(&self.stepped);
        let axes = frames.flat_map(|frame| frame.axes.as_flattened());
        let axes: Vec<ExprId> = axes.copied().filter(|_| !in_loops).collect();
        let mut all: Vec<&mut ExprId> = self.outputs.iter_mut().collect();
        if !in_loops {
            all.extend(self.mass.entries.values_mut());
            let inverse = self.inverse.iter_mut();
            all.extend(inverse.flat_map(|inverse| inverse.entries.values_mut()));
            all.extend(&mut self.applied);
            if let Some((mass, applied)) = &mut self.uncarried {
                all.extend(mass.entries.values_mut().chain(applied));
            }
            all.extend(&mut self.row_sizes);
            all.extend([&mut self.kinetic, &mut self.potential]);
            all.extend(self.rows.iter_mut().flat_map(Row::expressions_mut));
        }
        let mut names = std::mem::take(&mut system.model.names);
        all.extend(names.iter_mut().map(|(id, _)| id));
        let roots = all.iter().map(|id| **id);
        let places = system.places.iter().map(|&(_, place)| place);
        let roots: Vec<ExprId> = roots.chain(places).chain(axes).collect();
        let (mut map, arm_names) = definitions(graph, system, &roots);
        map = graph.substitute(all.iter().map(|id| **id), map);
        all.into_iter().for_each(|id| *id = map[id]);
        for frames in [&mut self.frames, &mut self.stepped] {
            frame::substitute(frames, &map);
        }
        names.extend(arm_names);
        system.model.names = names;
    }
}
