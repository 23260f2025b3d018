//! Systems with bodies in loops.
//!
//! What a body and its joints give to J M⁻¹ Jᵀ is made of that body: so the matrix is put together element by element,
//! and eliminated joint by joint, whose rows go together.
//!
//! ```text
//! forwards, along the order of elimination; bodies before the first of their joints:
//!   body e     R, M⁻¹h and arms once          → Kᵢⱼ = Jᵢ W Jⱼᵀ for its joints i, j, what it gives to their
//!                                               right-hand sides, and what its motion is made of
//!   joint j    A = Σ K − what is taken off    → A⁻¹ by one reciprocal, L, z = A⁻¹ r
//! backwards; bodies after the last of their joints:
//!   joint j    x = z − Σ Lᵀ x
//!   body e     v̇ = M⁻¹h + W Jᵀ x
//! ```
//! Of a chain a round of the loop forwards is a body and its joint: K stays in registers, and while one joint waits for
//! its reciprocal the next body is made.

mod again;
mod assembly;
mod blocks;
mod elements;
mod inverse;
mod quantities;
mod responses;
mod structure;

use std::collections::BTreeMap;

use super::Rolled;
use super::leaves::{leaves, reads_of, scratch};
use super::routine::{Array, Families, Read, Routine, Signature, Slot};
use crate::diagnostic::Diagnostics;
use crate::dynamics::{Derivation, Row};
use crate::expr::{ExprId, Graph, Map, Number, SymbolId};
use crate::families::Shapes;
use crate::families::scalar_replacement;
use crate::model::System;
use crate::solve::{Quantity, Sparse};
use assembly::Moved;
use blocks::Eliminated;
use structure::Structure;

/// What is solved for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// −β − J M⁻¹ h
    Acceleration,
    /// b, which is given
    Given,
    /// Ċ; once velocities are moved by that, −β − J M⁻¹ h
    Rate,
}

/// What is made of the unknowns, body by body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Motion {
    /// v̇ = M⁻¹ h + W Jᵀ λ
    Acceleration,
    /// q̇ and v̇ in the bodies' own frames
    OwnSlope,
    /// Jᵀ λ
    Force,
    /// W Jᵀ x
    Correction,
    /// v − W Jᵀ x, and v̇ there
    Projected,
    /// Nothing.
    None,
}

/// What one routine computes.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    side: Side,
    motion: Motion,
    /// Where λ goes.
    multipliers: Option<Array>,
}

/// Kernels of bodies and joints are large: loops pay from two rounds on.
const FEWEST_ROUNDS: usize = 2;

/// The pools of leaves that elements share.
const UNKNOWNS: usize = 0;
const KEPT: usize = 1;
const ACCELERATIONS: usize = 2;
const NAMES: [&str; 3] = ["x", "kept", "a"];

/// The derivation at work.
pub(in crate::system) struct Bodies<'a> {
    derivation: &'a mut Derivation,
    system: &'a mut System,
    rows: Families,
    structure: Structure,
    /// h, velocity by velocity, with its families.
    applied: Vec<ExprId>,
    applied_families: Families,
    /// The entries of M, with their families.
    masses: Vec<(usize, usize)>,
    mass_families: Families,
    /// M⁻¹, where M is not diagonal.
    inverse: Option<Sparse>,
    kinds: Kinds,
    /// The number of entries of L.
    lower: usize,
    shapes: Shapes<Array>,
    /// Leaves by what they are read for: unknowns by their rows among an element's own, what was kept by its place, and
    /// accelerations that are given by their columns.
    /// Elements share them, so that kernels are known again that differ in nothing else.
    pooled: [Vec<(SymbolId, ExprId)>; 3],
    derived: BTreeMap<usize, Row>,
    /// The elimination of −β − J M⁻¹ h, which most quantities ask for.
    eliminated: Option<Eliminated>,
}

/// Elements of one kind share what is made of them.
#[derive(Default)]
struct Kinds {
    /// By element its kind, and the places that it speaks of.
    of: Vec<usize>,
    slots: Vec<Vec<Slot>>,
    /// By kind its first element.
    first: Vec<usize>,
}

impl<'a> Bodies<'a> {
    /// Prepares what all routines share; `None` where M couples what was declared apart.
    pub fn new(
        derivation: &'a mut Derivation,
        system: &'a mut System,
        rows: Families,
    ) -> Option<Bodies<'a>> {
        let structure = Structure::of(system, &rows);
        let masses: Vec<(usize, usize)> = derivation.mass.entries.keys().copied().collect();
        let inverse = derivation.inverse(system);
        let coupled = |&(i, j): &(usize, usize)| structure.element_of(i) != structure.element_of(j);
        if masses.iter().any(coupled) || (inverse.is_none() && !derivation.mass.is_diagonal()) {
            return None;
        }
        // Which factors the entries of a row share depends on the frames that they are in.
        let framed = |&slot: &Slot| {
            let body = structure.elements[structure.element_of_slot(slot)?].body?;
            let mut frames = derivation.frames().iter();
            Some(frames.any(|frame| frame.body == body))
        };
        let rows = rows.split_by(|slots| slots.iter().map(framed).collect::<Vec<_>>());
        let graph = &mut derivation.graph;
        let applied = derivation.applied.iter().map(|terms| graph.sum(terms));
        let applied: Vec<ExprId> = applied.collect();
        let entries: Vec<ExprId> = derivation.mass.entries.values().copied().collect();
        let mut bodies = Bodies {
            applied_families: Families::of(graph, &leaves(graph, system), &applied),
            mass_families: Families::of(graph, &leaves(graph, system), &entries),
            derivation,
            system,
            rows,
            structure,
            applied,
            masses,
            inverse,
            kinds: Kinds::default(),
            lower: 0,
            shapes: Shapes::default(),
            pooled: Default::default(),
            derived: BTreeMap::new(),
            eliminated: None,
        };
        bodies.kinds = bodies.kinds();
        Some(bodies)
    }

    fn kinds(&self) -> Kinds {
        let mut kinds = Kinds::default();
        let mut known: Map<Vec<usize>, usize> = Map::default();
        for e in 0..self.structure.elements.len() {
            let Signature { words, slots } = self.sign_element(e);
            let next = kinds.first.len();
            let kind = *known.entry(words).or_insert(next);
            if kind == next {
                kinds.first.push(e);
            }
            kinds.of.push(kind);
            kinds.slots.push(slots);
        }
        kinds
    }

    /// Elements prepare, joints are eliminated and substituted, elements move.
    fn solved(&mut self, wanted: Wanted) -> Routine {
        let prepared = self.prepared(wanted);
        let mut routine = Routine::default();
        let mut places = self.forwards(&mut routine, &prepared, wanted);
        let moved = (wanted, wanted.motion, (|it| &it.outputs) as Moved);
        self.backwards(&mut routine, &prepared, &mut places, moved);
        if wanted.motion == Motion::Projected {
            self.move_again(&mut routine, &prepared, &mut places, wanted);
        }
        let (graph, model) = (&mut self.derivation.graph, &mut self.system.model);
        scalar_replacement::replace(&mut routine, 0, graph, &mut scratch(&mut model.symbols));
        routine.compact();
        routine
    }

    /// All routines; mistakes in rows are reported. `None` where what differs from row to row is not seen in them.
    pub fn all(mut self, diagnostics: &mut Diagnostics) -> Option<Rolled> {
        for r in self.rows.first.clone() {
            let row = self.derivation.system_row(self.system, r, diagnostics);
            self.derived.insert(r, row);
        }
        let wanted = |side, motion, multipliers| Wanted {
            side,
            motion,
            multipliers,
        };
        let (forward, given) = (Side::Acceleration, Side::Given);
        let mut asked = vec![
            (
                Quantity::Acceleration,
                wanted(forward, Motion::Acceleration, None),
            ),
            (
                Quantity::AccelerationAndMultipliers,
                wanted(forward, Motion::Acceleration, Some(Array::Multipliers)),
            ),
            (Quantity::Force, wanted(forward, Motion::Force, None)),
            (
                Quantity::Multipliers,
                wanted(forward, Motion::None, Some(Array::Output)),
            ),
            (
                Quantity::Correction,
                wanted(given, Motion::Correction, None),
            ),
            (
                Quantity::ProjectedMotion,
                wanted(Side::Rate, Motion::Projected, None),
            ),
        ];
        // What steps carry in its own frame.
        if self.system.inertias.iter().any(|it| it.frame.is_some()) {
            asked.push((Quantity::OwnSlope, wanted(forward, Motion::OwnSlope, None)));
        }
        let mut routines: BTreeMap<Quantity, Routine> = BTreeMap::new();
        for (quantity, wanted) in asked {
            let routine = self.solved(wanted);
            routines.insert(quantity, routine);
        }
        self.state(&mut routines);
        let mut rows = self.first_rows();
        self.write_out_arms(&mut routines, &mut rows);
        let columns = (0..self.rows.of.len()).map(|r| self.columns_like(r, &rows));
        let columns = columns.collect();
        let complete = self.reads_everything(&routines);
        complete.then(|| Rolled {
            columns,
            lower: self.lower,
            routines,
            rows,
            families: self.rows.clone(),
            panels: None,
        })
    }

    /// A row, derived when it is first asked for.
    fn row(&mut self, r: usize) -> &Row {
        if !self.derived.contains_key(&r) {
            // The family's first member has been checked.
            let mut ignored = Diagnostics::default();
            let row = self.derivation.system_row(self.system, r, &mut ignored);
            self.derived.insert(r, row);
        }
        &self.derived[&r]
    }

    fn graph(&mut self) -> &mut Graph {
        &mut self.derivation.graph
    }

    fn scratch(&mut self, name: &str) -> (SymbolId, ExprId) {
        scratch(&mut self.system.model.symbols)(&mut self.derivation.graph, name)
    }

    /// A leaf that elements share.
    fn pooled(&mut self, pool: usize, number: usize) -> (SymbolId, ExprId) {
        while self.pooled[pool].len() <= number {
            let leaf = self.scratch(NAMES[pool]);
            self.pooled[pool].push(leaf);
        }
        self.pooled[pool][number]
    }

    fn reads_of(&self, slots: &[Slot]) -> Vec<Read> {
        reads_of(&self.derivation.graph, self.system, slots)
    }

    /// What an element is, and its joints: all that what is made of it depends on.
    fn sign_element(&self, e: usize) -> Signature {
        let element = &self.structure.elements[e];
        let mut signature = Signature::default();
        let own = structure::own_slots(&self.derivation.graph, self.system, element);
        signature.words.extend([element.columns.len(), own.len()]);
        own.into_iter().for_each(|slot| signature.slot(slot));
        for c in element.columns.clone() {
            signature.member(&self.applied_families, c);
        }
        self.sign_mass(&mut signature, e);
        for &number in &element.joints {
            let joint = &self.structure.joints[number];
            let part = joint.elements.iter().position(|&it| it == e);
            let count = joint.elements.len();
            signature
                .words
                .extend([joint.rows.len(), count, part.unwrap_or(count)]);
            for r in joint.rows.clone() {
                signature.member(&self.rows, r);
            }
        }
        signature
    }

    /// M at an element.
    fn sign_mass(&self, signature: &mut Signature, e: usize) {
        let columns = &self.structure.elements[e].columns;
        let from = |c: usize| self.masses.partition_point(|&(i, _)| i < c);
        for entry in from(columns.start)..from(columns.end) {
            let (i, j) = self.masses[entry];
            let start = columns.start;
            signature.words.extend([i - start, j - start]);
            signature.member(&self.mass_families, entry);
        }
    }

    /// Σ of products, term by term.
    fn dot(&mut self, pairs: impl IntoIterator<Item = (ExprId, ExprId)>) -> ExprId {
        let graph = &mut self.derivation.graph;
        let terms = pairs.into_iter();
        let terms: Vec<_> = terms.map(|(a, b)| (graph.mul(a, b), Number::ONE)).collect();
        graph.sum(&terms)
    }
}
