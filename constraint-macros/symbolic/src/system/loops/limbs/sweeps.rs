//! The sweeps through trunk and limbs: there and back for forces, once more for accelerations.

use super::super::leaves::scratch;
use super::super::routine::{Array, Routine};
use super::equal::{Cut, Kind};
use super::stages::{Block, leaves_for};
use crate::dynamics::{self, Back, Equations, Frame, Given, Inertia, Motion, Pair, accelerations};
use crate::expr::{CollectVec, ExprId, Graph, Map, MapEach, Node, Number, PushEach, Set, SymbolId};
use crate::families::constants;
use crate::model::{Model, Role, System};
use crate::solve::Sparse;

/// What the trunk leaves for limbs, and for itself;
const OF_TRUNK: Array = Array::Prepared;
/// what limbs leave for themselves;
const OF_LIMB: Array = Array::Moving;
/// and what they leave for the trunk, in sums.
const SUMS: Array = Array::Sums;

/// A routine in the making.
pub(super) struct Sweeps<'a> {
    pub system: &'a mut System,
    pub equations: &'a Equations,
    pub cut: &'a Cut,
}

/// The motion that the trunk hands to limbs.
struct Carried {
    /// Of all links of the trunk.
    motions: Vec<Motion>,
    /// That of the base, in leaves,
    base: Motion,
    /// which have these values.
    leaves: Vec<(ExprId, ExprId)>,
}

/// A limb back to the trunk.
struct Inward {
    block: Block,
    /// The forces that its velocities take.
    forces: Vec<ExprId>,
    /// The load and the inertia that hang on the trunk.
    load: Pair,
    inertia: Inertia,
}

/// Results of the limbs that the trunk takes as one.
struct Hung {
    load: Pair,
    inertia: Inertia,
    /// The leaves of sums, with their places.
    leaves: Vec<(ExprId, usize)>,
}

impl Sweeps<'_> {
    fn graph(&mut self) -> &mut Graph {
        &mut self.system.model.graph
    }

    /// M a − h, or M a of accelerations alone.
    pub fn forces(&mut self, moves: bool) -> Routine {
        let (n, frames) = (self.equations.applied.len(), &self.equations.frames);
        let Model { graph, symbols, .. } = &mut self.system.model;
        let given = accelerations(graph, symbols, n);
        let own = dynamics::all_turned(graph, frames, &given, Frame::own);
        let given = match moves {
            true => Given::AcceleratedMotion(&own),
            false => Given::Acceleration(&own),
        };
        let carried = self.carried(given);
        let kinds = self.cut.kinds.iter();
        let mut limbs: Vec<Inward> = kinds
            .map(|it| self.inward(it, &carried, given))
            .collect_vec();
        let hung = self.hung(&mut limbs);
        let forces = self.trunk_forces(&carried, &hung, given);
        let mut all = vec![self.graph().zero(); n];
        for (i, force) in forces {
            all[i] = force;
        }
        let world = dynamics::all_turned(self.graph(), frames, &all, Frame::world);
        let mut trunk = self.taking(&hung);
        for i in self.of_trunk(n) {
            trunk.set(world[i], Array::Output, |_| i);
        }
        let mut blocks = Vec::new();
        for (kind, limb) in self.cut.kinds.iter().zip(limbs) {
            let mut block = limb.block;
            for (k, force) in limb.forces.into_iter().enumerate() {
                block.set(force, Array::Output, |item| kind.limbs[item].columns[k]);
            }
            blocks.push((block, None));
        }
        self.finished(carried, blocks, trunk, &[], false)
    }

    /// v̇; of a step in own frames q̇, and v̇ there.
    pub fn motion(&mut self, own: bool) -> Option<Routine> {
        let n = self.equations.applied.len();
        let given = Given::Motion;
        let carried = self.carried(given);
        let kinds = self.cut.kinds.iter();
        let mut limbs: Vec<Inward> = kinds
            .map(|it| self.inward(it, &carried, given))
            .collect_vec();
        let kinds = self.cut.kinds.iter().zip(&mut limbs);
        let backs: Vec<Back> = kinds.map(|it| self.eliminated(it.0, it.1)).collect_vec();
        let hung = self.hung(&mut limbs);
        let forces = self.trunk_forces(&carried, &hung, given);
        let (mut x, mut base, back) = self.trunk_moves(n, forces, &hung)?;
        let lifts = leaves_for(self.system, "lift", base.as_flattened_mut());
        let mut trunk = self.taking(&hung);
        for (number, pivot) in back.pivots() {
            trunk.check(self.graph(), pivot, |_| number);
        }
        let mut blocks = Vec::new();
        for ((kind, limb), back) in self.cut.kinds.iter().zip(limbs).zip(backs) {
            let later = self.outward(kind, &back, base, (&mut x, own));
            blocks.push((limb.block, Some(later)));
        }
        self.trunk_results(&mut trunk, &x, own);
        Some(self.finished(carried, blocks, trunk, &lifts, own))
    }

    /// The motion of the trunk.
    fn carried(&mut self, given: Given<'_>) -> Carried {
        let motions = self.cut.trunk.motions(self.graph(), given);
        let mut base = motions[self.cut.base].clone();
        let leaves = leaves_for(self.system, "base", base.expressions_mut());
        Carried {
            motions,
            base,
            leaves,
        }
    }

    /// The forces that a limb takes, and the load on the trunk.
    fn inward(&mut self, kind: &Kind, carried: &Carried, given: Given<'_>) -> Inward {
        let block = Block::of_limbs(self.system, kind);
        let limb = &kind.limbs[0];
        let graph = self.graph();
        let motions = limb.tree.motions_after(graph, &carried.base, given);
        let (forces, load) = limb.tree.loaded(graph, &motions, &[]);
        let total = |graph: &mut Graph, (k, &column): (usize, &usize)| {
            let mut terms = match given.accelerations() {
                Some(all) => vec![(graph.mul(limb.mass[k], all[column]), Number::ONE)],
                None => Vec::new(),
            };
            terms.push_each(
                given
                    .has_motion()
                    .then_some((limb.applied[k], Number::MINUS_ONE)),
            );
            let own = forces.iter().filter(|it| it.0 == column);
            terms.push_each(own.map(|it| (it.1, Number::ONE)));
            graph.sum(&terms)
        };
        let columns = limb.columns.iter().enumerate();
        let forces = columns.map(|it| total(graph, it)).collect_vec();
        let mut inward = Inward {
            block,
            forces,
            load,
            inertia: Inertia::none(graph),
        };
        if let Some(all) = given.accelerations() {
            inward.reads_accelerations(graph, kind, all);
        }
        inward
    }

    /// Eliminates the velocities of a limb; the load is that of all that hangs there then.
    fn eliminated(&mut self, kind: &Kind, inward: &mut Inward) -> Back {
        let limb = &kind.limbs[0];
        let n = self.equations.applied.len();
        let graph = self.graph();
        let mut rest = Sparse {
            n,
            ..Sparse::default()
        };
        let mut h = vec![graph.zero(); n];
        for (k, &column) in limb.columns.iter().enumerate() {
            rest.add(graph, column, column, limb.mass[k]);
            h[column] = graph.neg(inward.forces[k]);
        }
        let back = limb.tree.back(graph, (&rest, &h), &[]);
        for (number, pivot) in back.pivots() {
            let place = limb.columns.iter().position(|&it| it == number);
            let column = |item: usize| kind.limbs[item].columns[place.unwrap_or(0)];
            inward.block.check(graph, pivot, column);
        }
        let load = &back.load;
        inward.load =
            [0, 1].map_each(|k| [0, 1, 2].map_each(|i| graph.add(inward.load[k][i], load[k][i])));
        inward.inertia = back.inertia.clone();
        back
    }

    /// The sums over the limbs, as leaves; there is none of a quantity that is zero in all limbs.
    fn hung(&mut self, limbs: &mut [Inward]) -> Hung {
        let Model { graph, symbols, .. } = &mut self.system.model;
        let mut leaf = scratch(symbols);
        let (mut load, mut inertia) = (limbs[0].load, limbs[0].inertia.clone());
        let places = load.as_flattened_mut().iter_mut();
        let mut leaves = Vec::new();
        for (place, sum) in places.chain(inertia.expressions_mut()).enumerate() {
            *sum = graph.zero();
            for limb in &mut *limbs {
                let value = limb.hangs(place);
                if graph.is_zero(value) {
                    continue;
                }
                if leaves
                    .last()
                    .is_none_or(|it: &(ExprId, usize)| it.1 != place)
                {
                    *sum = leaf(graph, "sum").1;
                    leaves.push((*sum, place));
                }
                limb.block.add(value, SUMS, place);
            }
        }
        Hung {
            load,
            inertia,
            leaves,
        }
    }

    /// The forces that the velocities of the trunk take, and all others but those of limbs.
    fn trunk_forces(
        &mut self,
        carried: &Carried,
        hung: &Hung,
        given: Given<'_>,
    ) -> Vec<(usize, ExprId)> {
        let Some(recursion) = &self.equations.recursion else {
            return Vec::new();
        };
        let n = recursion.applied.len();
        let graph = &mut self.system.model.graph;
        let loads = [(self.cut.base, hung.load)];
        let (forces, _) = self.cut.trunk.loaded(graph, &carried.motions, &loads);
        let mut terms = match given.accelerations() {
            Some(all) => recursion.mass.products(graph, all),
            None => vec![Vec::new(); n],
        };
        for (terms, &applied) in terms.iter_mut().zip(&recursion.applied) {
            terms.push_each(given.has_motion().then_some((applied, Number::MINUS_ONE)));
        }
        for (column, force) in forces {
            terms[column].push((force, Number::ONE));
        }
        let own = self.of_trunk(n).into_iter();
        let graph = self.graph();
        own.map(|i| (i, graph.sum(&terms[i]))).collect_vec()
    }

    /// The accelerations of the trunk, and that of the link that limbs hang on.
    fn trunk_moves(
        &mut self,
        n: usize,
        forces: Vec<(usize, ExprId)>,
        hung: &Hung,
    ) -> Option<(Vec<ExprId>, Pair, Back)> {
        let rest = &self.equations.recursion.as_ref()?.mass;
        let Cut { trunk, base, .. } = self.cut;
        let graph = &mut self.system.model.graph;
        let zero = graph.zero();
        let (mut h, mut x) = (vec![zero; n], vec![zero; n]);
        let moved = trunk.columns();
        for (i, force) in forces {
            h[i] = graph.neg(force);
            if !moved.contains(&i) {
                x[i] = graph.div(h[i], rest.get(i, i)?);
            }
        }
        let inertias = [(*base, hung.inertia.clone())];
        let back = trunk.back(graph, (rest, &h), &inertias);
        let motions = trunk.forth(graph, &back, [[zero; 3]; 2], &mut x);
        Some((x, motions[*base], back))
    }

    /// The accelerations of limbs, after that of the trunk.
    fn outward(
        &mut self,
        kind: &Kind,
        back: &Back,
        base: Pair,
        (x, own): (&mut [ExprId], bool),
    ) -> Block {
        let mut block = Block::of_limbs(self.system, kind);
        let limb = &kind.limbs[0];
        limb.tree.forth(&mut self.system.model.graph, back, base, x);
        for (k, &column) in limb.columns.iter().enumerate() {
            if own && let Some(place) = self.place(column) {
                let velocity = self.system.coordinates[column].velocity;
                let places = kind.limbs.iter().map(|it| self.place(it.columns[k]));
                let places: Vec<usize> = places.map(|it| it.unwrap_or(place)).collect_vec();
                block.set(velocity, Array::Output, |item| places[item]);
            }
            let array = if own {
                Array::Multipliers
            } else {
                Array::Output
            };
            block.set(x[column], array, |item| kind.limbs[item].columns[k]);
        }
        block
    }

    /// Writes the accelerations of the trunk.
    fn trunk_results(&mut self, trunk: &mut Block, x: &[ExprId], own: bool) {
        let Equations {
            frames, stepped, ..
        } = self.equations;
        let graph = &mut self.system.model.graph;
        if !own {
            let world = dynamics::all_turned(graph, frames, x, Frame::world);
            for i in self.of_trunk(x.len()) {
                trunk.set(world[i], Array::Output, |_| i);
            }
            return;
        }
        let solved = |frame: &&Frame| !frames.iter().any(|it| it.body == frame.body);
        let others: Vec<Frame> = stepped.iter().filter(solved).cloned().collect_vec();
        let x = dynamics::all_turned(graph, &others, x, Frame::own);
        for i in self.of_trunk(x.len()) {
            trunk.set(x[i], Array::Multipliers, |_| i);
        }
    }

    /// Writes the rates of all coordinates but those of limbs, which are made of components in own frames already.
    fn trunk_rates(&self, trunk: &mut Block) {
        let limbs: Vec<Option<usize>> = self.cut.columns().map(|it| self.place(it)).collect_vec();
        for (place, &rate) in self.equations.own_kinematics.iter().enumerate() {
            if !limbs.contains(&Some(place)) {
                trunk.set(rate, Array::Output, |_| place);
            }
        }
    }

    /// The place of a coordinate among all.
    fn place(&self, column: usize) -> Option<usize> {
        let Model { graph, symbols, .. } = &self.system.model;
        let position = self.system.coordinates[column].position?;
        let Node::Symbol(symbol) = graph.node(position) else {
            return None;
        };
        match symbols[symbol.index()].role {
            Role::Coordinate(place) => Some(place),
            _ => None,
        }
    }

    /// The velocities that are none of limbs.
    fn of_trunk(&self, n: usize) -> Vec<usize> {
        let of_limbs: Vec<usize> = self.cut.columns().collect_vec();
        (0..n).filter(|i| !of_limbs.contains(i)).collect_vec()
    }

    /// A block of the trunk that takes what hangs on it.
    fn taking(&mut self, hung: &Hung) -> Block {
        let mut trunk = Block::of_trunk();
        for &(leaf, place) in &hung.leaves {
            trunk.read(&self.system.model.graph, leaf, SUMS, |_| place);
        }
        trunk
    }

    /// All blocks in order, each reading what earlier ones leave.
    fn finished(
        &mut self,
        carried: Carried,
        mut limbs: Vec<(Block, Option<Block>)>,
        mut trunk: Block,
        lifts: &[(ExprId, ExprId)],
        own: bool,
    ) -> Routine {
        let system = &mut *self.system;
        let mut first = Block::of_trunk();
        let (mut given, mut known) = (0.., Map::default());
        for &(leaf, value) in &carried.leaves {
            let place = given.next().unwrap_or(0);
            first.set(value, OF_TRUNK, |_| place);
            known.insert(value, leaf);
            let inward = limbs.iter_mut().map(|it| &mut it.0);
            for block in inward.chain([&mut trunk]) {
                block.read(&system.model.graph, leaf, OF_TRUNK, |_| place);
            }
        }
        for &(leaf, value) in lifts {
            let place = given.next().unwrap_or(0);
            trunk.set(value, OF_TRUNK, |_| place);
            for block in limbs.iter_mut().filter_map(|it| it.1.as_mut()) {
                block.read(&system.model.graph, leaf, OF_TRUNK, |_| place);
            }
        }
        trunk.substitute(&mut system.model.graph, &known);
        if own {
            own_spins(self.system, self.equations, [&mut first, &mut trunk]);
            self.trunk_rates(&mut trunk);
        }
        let system = &mut *self.system;
        first.hand_on(&mut trunk, system, (OF_TRUNK, given.start));
        let mut kept = 0;
        for (inward, outward) in &mut limbs {
            if let Some(outward) = outward {
                kept += inward.hand_on(outward, system, (OF_LIMB, kept));
            }
        }
        let (inward, outward): (Vec<_>, Vec<_>) = limbs.into_iter().unzip();
        let blocks = [first].into_iter().chain(inward).chain([trunk]);
        let mut routine = Routine::default();
        for block in blocks.chain(outward.into_iter().flatten()) {
            block.append(system, &mut routine);
        }
        take_out(system, &mut routine, &carried);
        routine
    }
}

/// Computes once what no round of a loop changes: of parameters, and of the motion of the trunk.
fn take_out(system: &mut System, routine: &mut Routine, carried: &Carried) {
    let Model { graph, symbols, .. } = &mut system.model;
    let symbol = |id: ExprId| match graph.node(id) {
        Node::Symbol(symbol) => Some(*symbol),
        _ => None,
    };
    let leaves = carried.leaves.iter().enumerate();
    let given = leaves.filter_map(|(place, it)| Some((symbol(it.0)?, OF_TRUNK, place)));
    let given: Vec<(SymbolId, Array, usize)> = given.collect_vec();
    let reads = routine.kernels.iter().flat_map(|it| &it.reads);
    let read: Set<SymbolId> = reads.map(|it| it.0).collect();
    let roots = routine.kernels.iter().flat_map(|it| it.roots.clone());
    let varies = constants::varying_with(graph, roots, |it| {
        read.contains(&it) && given.iter().all(|known| known.0 != it)
    });
    let new_leaf = &mut scratch(symbols);
    constants::take_out_after(routine, graph, (varies, &given), 1, new_leaf);
}

/// Components of ω in own frames in the place of those in the world.
fn own_spins(system: &mut System, equations: &Equations, blocks: [&mut Block; 2]) {
    let velocities = system.coordinates.iter().map(|it| it.velocity);
    let velocities: Vec<ExprId> = velocities.collect_vec();
    let graph = &mut system.model.graph;
    let map = dynamics::of_own_spins(graph, &equations.stepped, &velocities);
    blocks.into_iter().for_each(|it| it.substitute(graph, &map));
}

impl Inward {
    fn reads_accelerations(&mut self, graph: &Graph, kind: &Kind, all: &[ExprId]) {
        for (k, &column) in kind.limbs[0].columns.iter().enumerate() {
            let place = |item: usize| kind.limbs[item].columns[k];
            self.block
                .read(graph, all[column], Array::Acceleration, place);
        }
    }

    /// An entry of the load, or of the inertia.
    fn hangs(&mut self, place: usize) -> ExprId {
        let load = self.load.as_flattened();
        match place.checked_sub(load.len()) {
            None => load[place],
            Some(place) => self
                .inertia
                .expressions_mut()
                .nth(place)
                .map_or(load[0], |it| *it),
        }
    }
}
