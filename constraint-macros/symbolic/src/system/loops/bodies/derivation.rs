//! The derivation of loops over bodies at work: what all its routines share.

use std::collections::BTreeMap;

use super::super::leaves::{leaves, reads_of, scratch};
use super::super::rolling::row;
use super::super::routine::{Array, Families, Read, Signature, Slot, Varied};
use super::contribution::Found;
use super::places::Eliminated;
use super::structure::{self, Structure};
use crate::dynamics::{Derivation, Row};
use crate::expr::{ExprId, Graph, Map, Number, SymbolId};
use crate::families::Shapes;
use crate::model::System;
use crate::solve::Sparse;

/// The right-hand side of an elimination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// −β − J M⁻¹ h
    Acceleration,
    /// b, an argument
    Given,
    /// C
    Value,
    /// Ċ; then, at the projected velocities, −β − J M⁻¹ h
    Rate,
    /// −β − J M⁻¹ h, followed by another solution
    Variation,
}

impl Side {
    /// Whether a later solution needs A⁻¹.
    pub(super) fn needs_inverses(self) -> bool {
        matches!(self, Side::Value | Side::Rate | Side::Variation)
    }
}

/// The result that follows from the unknowns, body by body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Motion {
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
    /// δv̇ along a tangent
    Variation,
    /// The gradient of what these equations solve for
    Gradient(Solved),
    /// All slopes of v̇, and of λ where these are asked for
    Columns { multipliers: bool },
    /// Nothing.
    None,
}

/// The equations that are differentiated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Solved {
    /// v̇ and λ of the equations of motion.
    Motion,
    /// The correction of C.
    PlaceCorrection,
    /// The correction of Ċ.
    VelocityCorrection,
}

/// The purpose of one routine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pub(super) side: Side,
    pub(super) motion: Motion,
    /// Where λ goes.
    pub(super) multipliers: Option<Array>,
}

/// Kernels of bodies and joints are large: loops pay from two rounds on.
pub(super) const FEWEST_ROUNDS: usize = 2;

/// Leaves that elements share, by what they stand for: kernels that differ in nothing else are equal then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pool {
    /// Unknowns, by the row among an element's own.
    Unknown,
    /// Values that were kept, by their number.
    Kept,
    /// Accelerations that are given, by the velocity among an element's own,
    Acceleration,
    /// accelerations that were solved for, in the frame of the solution,
    Motion,
    /// accelerations without the unknowns that are solved for next, or the weights of the equations of motion,
    Load,
    /// weights of accelerations in a gradient,
    Counted,
    /// weights of a correction.
    CountedCorrection,
    /// Slopes that were kept, by their number.
    Slope,
    /// The second unknowns, by the row,
    Second,
    /// and weights of multipliers in a gradient.
    CountedMultiplier,
}

impl Pool {
    /// The name of its leaves, the array that they are read from, and where.
    fn row(self) -> (&'static str, Array, fn(usize) -> Found) {
        match self {
            Pool::Unknown => ("x", Array::Solution, Found::Row),
            Pool::Kept => ("kept", Array::Moving, Found::Value),
            Pool::Acceleration => ("a", Array::Acceleration, Found::Column),
            Pool::Motion => ("u", Array::Motion, Found::Column),
            Pool::Load => ("f", Array::Load, Found::Column),
            Pool::Counted => ("v_dot_bar", Array::AccelerationAdjoint, Found::Column),
            Pool::CountedCorrection => ("w_bar", Array::CorrectionAdjoint, Found::Column),
            Pool::Slope => ("slope", Array::Slopes, Found::Value),
            Pool::Second => ("y", Array::SolutionBeside, Found::Row),
            Pool::CountedMultiplier => ("lambda_bar", Array::MultiplierAdjoint, Found::Row),
        }
    }
}

/// The derivation at work.
pub(in crate::system) struct Bodies<'a> {
    pub(super) derivation: &'a mut Derivation,
    pub(super) system: &'a mut System,
    pub(super) rows: Families,
    pub(super) structure: Structure,
    /// h, velocity by velocity, with its families.
    pub(super) applied: Vec<ExprId>,
    pub(super) applied_families: Families,
    /// The entries of M, with their families.
    pub(super) masses: Vec<(usize, usize)>,
    pub(super) mass_families: Families,
    /// M⁻¹, where M is not diagonal.
    pub(super) inverse: Option<Sparse>,
    pub(super) kinds: Kinds,
    /// The number of entries of L.
    pub(super) lower: usize,
    pub(super) shapes: Shapes<Array>,
    pub(super) pooled: BTreeMap<(Pool, usize), ExprId>,
    /// Where the leaves that are read from neither q nor v nor parameters are found.
    pub(super) found: Map<SymbolId, (Array, Found)>,
    /// How leaves move along a tangent, as leaves, by the place in it; and the other way round.
    pub(super) changes: BTreeMap<(Varied, usize), ExprId>,
    pub(super) direction_of: Map<SymbolId, (Varied, usize)>,
    pub(super) derived: BTreeMap<usize, Row>,
    /// The elimination of −β − J M⁻¹ h, which most quantities ask for.
    pub(super) eliminated: Option<Eliminated>,
}

/// Elements of one kind share their contributions.
#[derive(Default)]
pub(super) struct Kinds {
    /// By element its kind, and the places that it speaks of.
    pub(super) of: Vec<usize>,
    pub(super) slots: Vec<Vec<Slot>>,
    /// By kind its first element.
    pub(super) first: Vec<usize>,
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
            pooled: BTreeMap::new(),
            found: Map::default(),
            changes: BTreeMap::new(),
            direction_of: Map::default(),
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

    /// A row, derived when it is first needed.
    pub(super) fn row(&mut self, r: usize) -> &Row {
        row(self.derivation, self.system, &mut self.derived, r)
    }

    pub(super) fn graph(&mut self) -> &mut Graph {
        &mut self.derivation.graph
    }

    pub(super) fn scratch(&mut self, name: &str) -> (SymbolId, ExprId) {
        scratch(&mut self.system.model.symbols)(&mut self.derivation.graph, name)
    }

    /// A leaf that elements share.
    pub(super) fn pooled(&mut self, pool: Pool, number: usize) -> ExprId {
        if let Some(&leaf) = self.pooled.get(&(pool, number)) {
            return leaf;
        }
        let (name, array, found) = pool.row();
        let (symbol, leaf) = self.scratch(name);
        self.pooled.insert((pool, number), leaf);
        self.found.insert(symbol, (array, found(number)));
        leaf
    }

    pub(super) fn reads_of(&self, slots: &[Slot]) -> Vec<Read> {
        reads_of(&self.derivation.graph, self.system, slots)
    }

    /// The signature of an element with its joints: all that its contribution depends on.
    pub(super) fn sign_element(&self, e: usize) -> Signature {
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
    pub(super) fn sign_mass(&self, signature: &mut Signature, e: usize) {
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
    pub(super) fn dot(&mut self, pairs: impl IntoIterator<Item = (ExprId, ExprId)>) -> ExprId {
        let graph = &mut self.derivation.graph;
        let terms = pairs.into_iter();
        let terms: Vec<_> = terms.map(|(a, b)| (graph.mul(a, b), Number::ONE)).collect();
        graph.sum(&terms)
    }
}
