//! The derivation of loops at work: what all routines of a system of points share.

use std::collections::{BTreeMap, BTreeSet};

use super::elimination::{self, Elimination};
use super::leaves::{leaves, scratch};
use super::routine::{Array, Families, Read, Routine, Varied};
use crate::diagnostic::Diagnostics;
use crate::dynamics::{Derivation, Row};
use crate::expr::{ExprId, Graph, Map, Node, Number, SymbolId};
use crate::model::System;
use crate::solve::{Panels, Quantity, common_mass, divide_terms};

/// Everything that a rolled system computes.
#[derive(Clone, Debug)]
pub struct Rolled {
    /// The loops of every quantity.
    pub routines: BTreeMap<Quantity, Routine>,
    /// The families of rows of one shape, and the places of their members.
    pub families: Families,
    /// The families' first rows, with their equations.
    pub rows: Vec<(usize, Row)>,
    /// By row the columns of J, in the order of those of its family's first row.
    pub columns: Vec<Vec<usize>>,
    /// The number of entries of L.
    pub lower: usize,
    /// The blocks in which rows are eliminated by tables, where not one by one.
    pub panels: Option<Panels>,
}

/// The load of each coordinate, with the families of loads.
pub(super) struct Loads {
    pub(super) values: Vec<ExprId>,
    pub(super) families: Families,
}

/// The right-hand side of an elimination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// −β′ − J′ M⁻¹ h, whose unknowns are wλ
    Acceleration,
    /// −β′/w − J′ W h, whose unknowns are λ
    Force,
    /// b, an argument
    Given,
    /// Ċ
    Rate,
    /// That of `Acceleration`, followed by a variation.
    Variation,
    /// That of `Acceleration`, followed by all columns of a linearisation.
    Columns,
    /// That of `Acceleration`, and as a second one that of the adjoint equations.
    Adjoint,
    /// C, and as a second one the adjoint of its correction.
    PlaceCorrection,
    /// Ċ, and as a second one the adjoint of its correction.
    VelocityCorrection,
}

impl Side {
    /// Whether a later solution needs the reciprocals of the pivots.
    pub(super) fn needs_reciprocals(self) -> bool {
        matches!(self, Side::Rate | Side::Variation | Side::Columns)
    }
}

/// A row, derived when it is first needed.
pub(super) fn row<'a>(
    derivation: &mut Derivation,
    system: &System,
    derived: &'a mut BTreeMap<usize, Row>,
    r: usize,
) -> &'a Row {
    derived.entry(r).or_insert_with(|| {
        // The family's first member has been checked.
        let mut ignored = Diagnostics::default();
        derivation.system_row(system, r, &mut ignored)
    })
}

/// The derivation, and what all routines share.
pub struct Rolling<'a> {
    pub(super) derivation: &'a mut Derivation,
    pub(super) system: &'a mut System,
    pub(super) rows: Families,
    /// M⁻¹ h
    pub(super) free: Loads,
    /// The loads in right-hand sides in units of force: M⁻¹ h of loads by acceleration, W h of others.
    pub(super) forced: Loads,
    /// Per coordinate, whether M⁻¹ h is the shorter expression, such as g instead of m g.
    pub(super) by_acceleration: Vec<bool>,
    /// W, the inverse masses in units of the common one, with their families.
    pub(super) ratios: Vec<ExprId>,
    pub(super) ratio_families: Families,
    /// The place of W of a velocity in its array, if its mass is an element of an array.
    pub(super) weights: Vec<Option<usize>>,
    /// w, the common inverse mass.
    pub(super) common: ExprId,
    /// Pairs of rows with a coordinate in common, the later first.
    pub(super) coupled: BTreeSet<(usize, usize)>,
    pub(super) elimination: Elimination,
    pub(super) derived: BTreeMap<usize, Row>,
    pub(super) shared: Shared,
}

/// Values of rows that several stages use.
#[derive(Default)]
pub(super) struct Shared {
    /// Per family, over the leaves of its first row.
    pub(super) of: Vec<Vec<ExprId>>,
    /// Per row, where its values begin.
    pub(super) first: Vec<usize>,
    /// Values that are the same for many rows or velocities: gradients by them are summed before they are differentiated.
    pub(super) sums: Vec<ExprId>,
    /// The leaves that all items share, and their places in a tangent.
    pub(super) leaves: Vec<(SymbolId, Varied, usize)>,
    /// The changes of leaves along the tangent, as leaves.
    pub(super) changes: Map<SymbolId, (SymbolId, ExprId)>,
}

impl<'a> Rolling<'a> {
    /// Prepares what all routines share; the mass matrix must be diagonal.
    pub fn new(
        derivation: &'a mut Derivation,
        system: &'a mut System,
        rows: Families,
    ) -> Rolling<'a> {
        let n = system.coordinates.len();
        let graph = &mut derivation.graph;
        let one = graph.number(Number::ONE);
        let mass = |i: usize| derivation.mass.get(i, i).unwrap_or(one);
        let masses: Vec<ExprId> = (0..n).map(mass).collect();
        let applied = (0..n).map(|i| graph.sum(&derivation.applied[i]));
        let applied: Vec<ExprId> = applied.collect();
        let pairs = applied.iter().zip(&masses);
        let free: Vec<ExprId> = pairs.map(|(&h, &m)| divide_terms(graph, h, m)).collect();
        let (common, ratios) = common_mass(graph, &masses);
        let pairs = applied.iter().zip(&ratios);
        let pushed: Vec<ExprId> = pairs.map(|(&h, &ratio)| graph.mul(ratio, h)).collect();
        let size = |id: ExprId| graph.reachable([id]).len();
        let pairs = free.iter().zip(&pushed);
        let by_acceleration: Vec<bool> = pairs.map(|(&a, &b)| size(a) < size(b)).collect();
        let forced = (0..n).map(|i| {
            if by_acceleration[i] {
                free[i]
            } else {
                pushed[i]
            }
        });
        let loads = |values: Vec<ExprId>| Loads {
            families: Families::of(graph, &leaves(graph, system), &values),
            values,
        };
        let (forced, free) = (loads(forced.collect()), loads(free));
        let ratio_families = Families::of(graph, &leaves(graph, system), &ratios);
        let weights = weights(graph, &ratios, &ratio_families);
        Rolling {
            coupled: elimination::coupled(&rows),
            derivation,
            system,
            rows,
            free,
            forced,
            by_acceleration,
            ratios,
            ratio_families,
            weights,
            common,
            elimination: Elimination::default(),
            derived: BTreeMap::new(),
            shared: Shared::default(),
        }
    }

    /// A row, derived when it is first needed.
    pub(super) fn row(&mut self, r: usize) -> &Row {
        row(self.derivation, self.system, &mut self.derived, r)
    }

    /// J′ of a row at a coordinate.
    pub(super) fn entry(&mut self, r: usize, coordinate: usize) -> Option<ExprId> {
        let row = self.row(r).scaled.jacobian.iter();
        row.copied()
            .find_map(|(c, entry)| (c == coordinate).then_some(entry))
    }

    pub(super) fn scratch(&mut self, name: &str) -> (SymbolId, ExprId) {
        scratch(&mut self.system.model.symbols)(&mut self.derivation.graph, name)
    }

    pub(super) fn minus(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let terms = [(a, Number::ONE), (b, Number::MINUS_ONE)];
        self.derivation.graph.sum(&terms)
    }

    pub(super) fn read(
        &mut self,
        reads: &mut Vec<Read>,
        name: &str,
        array: Array,
        place: usize,
    ) -> ExprId {
        let (symbol, leaf) = self.scratch(name);
        reads.push((symbol, array, place));
        leaf
    }
}

/// The first velocity of the same W, where that is one over an element of an array.
fn weights(graph: &Graph, ratios: &[ExprId], families: &Families) -> Vec<Option<usize>> {
    let is_element = |id: ExprId| matches!(graph.node(id), Node::Symbol(_));
    let mut first: Map<ExprId, usize> = Map::default();
    let weight = |(c, &ratio): (usize, &ExprId)| match graph.node(ratio) {
        Node::Product(factors) if !families.slots[c].is_empty() => match factors[..] {
            [(mass, -1)] if is_element(mass) => Some(*first.entry(ratio).or_insert(c)),
            _ => None,
        },
        _ => None,
    };
    ratios.iter().enumerate().map(weight).collect()
}
