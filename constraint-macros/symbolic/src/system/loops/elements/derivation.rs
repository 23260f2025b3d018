//! The derivation of loops over elements and joints at work: what all its routines share.

use super::super::definitions::Definitions;
use super::super::leaves::{leaves, reads_of, scratch};
use super::super::routine::{Array, Families, Read, Routine, Signature, Slot, Varied};
use super::contribution::Found;
use super::diagonal::Diagonal;
use super::places::{Eliminated, Places};
use super::structure::{self, LARGEST_BLOCK, Site, Structure};
use crate::diagnostic::Diagnostics;
use crate::dynamics::{Derivation, Row};
use crate::expr::{CollectVec, ExprId, Graph, Map, MapEach, Number, PushEach, SortedMap, SymbolId};
use crate::families::rerolling::MIN_ROUNDS;
use crate::families::{Order, Shapes};
use crate::model::System;
use crate::solve::{Panels, Sparse};

/// The right-hand side of an elimination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Side {
    /// −β − J M⁻¹ h
    Acceleration,
    /// −β/w − J W h, whose unknowns are λ and not wλ
    Force,
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
    /// Whether forces take part.
    pub(super) fn has_loads(self) -> bool {
        matches!(self, Side::Acceleration | Side::Force | Side::Variation)
    }

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

impl Motion {
    /// Whether it is a derivative.
    pub(super) fn is_varied(self) -> bool {
        matches!(
            self,
            Motion::Variation | Motion::Gradient(_) | Motion::Columns { .. }
        )
    }
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

/// Kernels of elements and joints are large: loops pay from two rounds on.
const FEWEST_ROUNDS: usize = 2;

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
    /// accelerations without the unknowns that are solved for next, or the weights of the equations of motion (without W where
    /// joints pull),
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
    /// W where it is kept, by the velocity.
    Weight,
    /// What that row of a site shares, by its number.
    Shared(usize),
}

impl Pool {
    /// The name of its leaves, the array that they are read from, and where.
    fn row(self, number: usize) -> (&'static str, Array, Found) {
        let (name, array, found): (_, _, fn(usize) -> Found) = match self {
            Pool::Unknown => ("x", Array::Solution, Found::Unknown),
            Pool::Kept => ("kept", Array::Moving, Found::Value),
            Pool::Acceleration => ("a", Array::Acceleration, Found::Column),
            Pool::Motion => ("u", Array::Motion, Found::Column),
            Pool::Load => ("f", Array::Load, Found::Column),
            Pool::Counted => ("v_dot_bar", Array::AccelerationAdjoint, Found::Column),
            Pool::CountedCorrection => ("w_bar", Array::CorrectionAdjoint, Found::Column),
            Pool::Shared(row) => return ("made", Array::Shared, Found::Shared(row, number)),
            Pool::Weight => ("weight", Array::Weight, Found::Weight),
            Pool::Slope => ("slope", Array::Slopes, Found::Value),
            Pool::Second => ("y", Array::SolutionBeside, Found::Unknown),
            Pool::CountedMultiplier => ("lambda_bar", Array::MultiplierAdjoint, Found::Row),
        };
        (name, array, found(number))
    }
}

/// The derivation at work.
pub(in crate::system) struct Elements<'a> {
    pub(super) derivation: &'a mut Derivation,
    pub(super) system: &'a mut System,
    pub(super) rows: Families,
    pub(super) structure: Structure,
    /// What stands for places.
    pub(super) definitions: Definitions,
    /// M; like h, with the definitions of places put in.
    pub(super) mass: Sparse,
    /// Coordinates that M couples.
    pub(super) blocks: Vec<Vec<usize>>,
    /// Values that must be positive, which is checked before a run.
    pub(super) positive: Vec<ExprId>,
    /// h, velocity by velocity, with its families.
    pub(super) applied: Vec<ExprId>,
    pub(super) applied_families: Families,
    /// The entries of M, with their families.
    pub(super) masses: Vec<(usize, usize)>,
    pub(super) mass_families: Families,
    /// M⁻¹, where M is that of bodies alone.
    pub(super) inverse: Option<Sparse>,
    /// A diagonal M; joints compute their parts of J M⁻¹ Jᵀ and of right-hand sides themselves then, and elements otherwise.
    pub(super) diagonal: Option<Diagonal>,
    pub(super) kinds: Kinds,
    /// Of joints that compute their parts themselves.
    pub(super) kinds_of_joints: Kinds,
    /// The blocks of all rows, where these are solved for together.
    pub(super) panels: Option<Panels>,
    /// The number of entries of L.
    pub(super) lower: usize,
    pub(super) shapes: Shapes<Array>,
    pub(super) pooled: SortedMap<(Pool, usize), ExprId>,
    /// Where the leaves that are read from neither q nor v nor parameters are found.
    pub(super) found: Map<SymbolId, (Array, Found)>,
    /// How leaves move along a tangent, as leaves, by the place in it; and the other way round.
    pub(super) changes: SortedMap<(Varied, usize), ExprId>,
    pub(super) direction_of: Map<SymbolId, (Varied, usize)>,
    pub(super) shared: Shared,
    pub(super) derived: SortedMap<usize, Row>,
    /// The elimination of −β − J M⁻¹ h, which most quantities ask for, where elements compute their parts.
    pub(super) eliminated: Option<Eliminated>,
    /// Eliminations where joints compute their parts, by their right-hand sides.
    pub(super) begun: SortedMap<Side, (Routine, Places)>,
}

/// Values that rows share with later stages.
#[derive(Default)]
pub(super) struct Shared {
    /// Per family, over the leaves of its first row.
    pub(super) of: Vec<Vec<ExprId>>,
    /// Per row, where its values begin.
    pub(super) first: Vec<usize>,
    /// Whether they are made of a tangent.
    pub(super) is_along: bool,
    /// Values that are the same for many rows or velocities: gradients by them are summed before they are differentiated.
    pub(super) sums: Vec<ExprId>,
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

impl<'a> Elements<'a> {
    /// Prepares what all routines share; `None` where M couples too much.
    pub fn new(
        derivation: &'a mut Derivation,
        system: &'a mut System,
        rows: Families,
        mut definitions: Definitions,
    ) -> Option<Elements<'a>> {
        let elements = structure::elements(&derivation.graph, system, &derivation.mass)?;
        let inverse = derivation.inverse(system);
        let (blocks, positive) = (derivation.blocks(), derivation.positive(system));
        let mut mass = derivation.mass.clone();
        let graph = &mut derivation.graph;
        let applied = derivation.applied.iter().map(|terms| graph.sum(terms));
        let mut applied: Vec<ExprId> = applied.collect_vec();
        definitions.put_in(graph, mass.entries.values_mut().chain(&mut applied));
        let entries: Vec<ExprId> = mass.entries.values().copied().collect_vec();
        let applied_families = Families::of(graph, &leaves(graph, system), &applied);
        let mass_families = Families::of(graph, &leaves(graph, system), &entries);
        let is_constant = |entry: usize| mass_families.records(entry).next().is_none();
        let at_joints = system.model.bodies.is_empty()
            && mass.is_diagonal()
            && (0..entries.len()).all(is_constant);
        let most = if at_joints { 1 } else { LARGEST_BLOCK };
        let structure = Structure::of(elements, system, &rows, most);
        // Which factors the entries of a row share depends on the frames that they are in, and what ω is read as in a step on
        // those that the step is in.
        let framed = |&slot: &Slot| {
            let body = structure.elements[structure.element_of_slot(slot)?].body?;
            let mut frames = derivation.frames().iter();
            let mut inertias = system.inertias.iter();
            let is_stepped = inertias.any(|it| it.body == body && it.frame.is_some());
            Some((frames.any(|frame| frame.body == body), is_stepped))
        };
        let rows = rows.split_by(|slots| slots.iter().map(framed).collect_vec());
        let masses = mass.entries.keys().copied().collect_vec();
        let diagonal = at_joints.then(|| Diagonal::of(derivation, system, &mass, &applied));
        let mut elements = Elements {
            applied_families,
            mass_families,
            derivation,
            system,
            rows,
            structure,
            definitions,
            mass,
            blocks,
            positive,
            applied,
            masses,
            inverse,
            diagonal,
            kinds: Kinds::default(),
            kinds_of_joints: Kinds::default(),
            panels: None,
            lower: 0,
            shapes: Shapes::default(),
            pooled: SortedMap::new(),
            found: Map::default(),
            changes: SortedMap::new(),
            direction_of: Map::default(),
            shared: Shared::default(),
            derived: SortedMap::new(),
            eliminated: None,
            begun: SortedMap::new(),
        };
        let count = elements.structure.elements.len();
        elements.kinds = Elements::kinds_of(count, |e| elements.sign_element(e));
        if at_joints {
            let count = elements.structure.joints.len();
            elements.kinds_of_joints = Elements::kinds_of(count, |j| elements.sign_joint(j, true));
        }
        Some(elements)
    }

    /// A row, derived when it is first needed.
    pub(super) fn row(&mut self, r: usize) -> &Row {
        // The family's first member has been checked.
        let mut ignored = Diagnostics::default();
        self.checked_row(r, &mut ignored)
    }

    /// The same with its mistakes.
    pub(super) fn checked_row(&mut self, r: usize, diagnostics: &mut Diagnostics) -> &Row {
        let (derivation, system) = (&mut self.derivation, &self.system);
        self.derived.entry(r).or_insert_with(|| {
            let mut row = derivation.system_row(system, r, diagnostics);
            let expressions = row.expressions_mut();
            self.definitions.put_in(&mut derivation.graph, expressions);
            row
        })
    }

    /// Whether joints compute their parts themselves.
    pub(super) fn at_joints(&self) -> bool {
        self.diagonal.is_some()
    }

    /// Loops of fewer rounds are written out; where rows are solved for together, no site waits for another.
    pub(super) fn order(&self) -> Order {
        match (&self.panels, &self.diagonal) {
            (Some(_), _) => Order::Any,
            (None, Some(_)) => Order::Pushed(MIN_ROUNDS),
            (None, None) => Order::Pushed(FEWEST_ROUNDS),
        }
    }

    /// The order of rows that are computed for themselves.
    pub(super) fn order_of_rows(&self) -> Order {
        match self.panels {
            Some(_) => Order::Any,
            None => Order::Pushed(MIN_ROUNDS),
        }
    }

    /// Sites as they go backwards; where rows are solved for together, joints follow in a stage of their own.
    pub(super) fn backwards_order(&self) -> Vec<Site> {
        match self.panels {
            Some(_) => (0..self.structure.elements.len())
                .map(Site::Element)
                .collect_vec(),
            None => self.structure.backwards(),
        }
    }

    /// The place of the unknown of a row.
    pub(super) fn unknown(&self, r: usize) -> usize {
        self.panels.as_ref().map_or(r, |it| it.unknown(r))
    }

    /// w, the unit of unknowns.
    pub(super) fn common(&mut self) -> ExprId {
        match &self.diagonal {
            Some(diagonal) => diagonal.common,
            None => self.graph().number(Number::ONE),
        }
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
        let (name, array, found) = pool.row(number);
        let (symbol, leaf) = self.scratch(name);
        self.pooled.insert((pool, number), leaf);
        self.found.insert(symbol, (array, found));
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
        signature
            .words
            .push_each([element.columns.len(), own.len()]);
        own.into_iter().for_each(|slot| signature.slot(slot));
        for &c in &element.columns {
            signature.member(&self.applied_families, c);
        }
        self.sign_mass(&mut signature, e);
        for &number in &element.joints {
            let joint = &self.structure.joints[number];
            let part = joint.elements.iter().position(|&it| it == e);
            let count = joint.elements.len();
            signature
                .words
                .push_each([joint.rows.len(), count, part.unwrap_or(count)]);
            for r in joint.rows.clone() {
                signature.member(&self.rows, r);
                // The last element has the terms of several, and which these are depends on whose each slot is.
                let slots = self.rows.slots[r].iter();
                let elements = slots.filter_map(|&slot| self.structure.element_of_slot(slot));
                let number = |e: usize| joint.elements.iter().position(|&it| it == e);
                signature.words.push_each(elements.filter_map(number));
            }
        }
        signature
    }

    /// M at an element.
    pub(super) fn sign_mass(&self, signature: &mut Signature, e: usize) {
        let element = &self.structure.elements[e];
        let from = |c: usize| self.masses.partition_point(|&(i, _)| i < c);
        for &c in &element.columns {
            let is_positive = self.derivation.is_known_positive(c);
            signature.words.push(usize::from(is_positive));
            for entry in from(c)..from(c + 1) {
                let (i, j) = self.masses[entry];
                let places = [i, j].map_each(|c| element.place(c));
                signature.words.push_each(places);
                signature.member(&self.mass_families, entry);
            }
        }
    }

    /// Σ of products, term by term.
    pub(super) fn dot(&mut self, pairs: impl IntoIterator<Item = (ExprId, ExprId)>) -> ExprId {
        let graph = &mut self.derivation.graph;
        let terms = pairs.into_iter();
        let terms: Vec<_> = terms
            .map(|(a, b)| (graph.mul(a, b), Number::ONE))
            .collect_vec();
        graph.sum(&terms)
    }
}
