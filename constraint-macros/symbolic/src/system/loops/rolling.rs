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
    /// Which rows have the same shape, and where they stand.
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

/// What acts on each coordinate, with its families.
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
    /// b, which is given
    Given,
    /// Ċ
    Rate,
    /// The first, where a variation is solved for behind it.
    Variation,
    /// The first, where all columns of a linearisation are solved for behind it.
    Columns,
    /// The first, and beside it that of the adjoint equations.
    Adjoint,
    /// C, and beside it what counts of its correction.
    PlaceCorrection,
    /// Ċ, and beside it the same.
    VelocityCorrection,
}

impl Side {
    /// Whether one over the pivots is asked for again.
    pub(super) fn is_solved_again(self) -> bool {
        matches!(self, Side::Rate | Side::Variation | Side::Columns)
    }
}

/// The derivation at work.
pub struct Rolling<'a> {
    pub(super) derivation: &'a mut Derivation,
    pub(super) system: &'a mut System,
    pub(super) rows: Families,
    /// M⁻¹ h
    pub(super) free: Loads,
    /// What enters b in units of force: M⁻¹ h where the load falls, W h elsewhere.
    pub(super) forced: Loads,
    pub(super) falls: Vec<bool>,
    /// W, the inverse masses in units of the common one, with their families.
    pub(super) ratios: Vec<ExprId>,
    pub(super) ratio_families: Families,
    /// Where elimination keeps W of a velocity, if its mass is an element of an array.
    pub(super) weights: Vec<Option<usize>>,
    /// w, the common inverse mass.
    pub(super) common: ExprId,
    /// Rows that speak of one coordinate, the later first.
    pub(super) coupled: BTreeSet<(usize, usize)>,
    pub(super) elimination: Elimination,
    pub(super) derived: BTreeMap<usize, Row>,
    pub(super) shared: Shared,
}

/// What rows make for all stages.
#[derive(Default)]
pub(super) struct Shared {
    /// Per family, over the leaves of its first row.
    pub(super) of: Vec<Vec<ExprId>>,
    /// Per row, where its values begin.
    pub(super) first: Vec<usize>,
    /// What is the same at many rows or velocities: a gradient by it is summed before its own slopes count.
    pub(super) sums: Vec<ExprId>,
    /// The leaves that all items share, and where they stand in a tangent.
    pub(super) leaves: Vec<(SymbolId, Varied, usize)>,
    /// How leaves move along the tangent, as leaves.
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
        let falls: Vec<bool> = pairs.map(|(&a, &b)| size(a) < size(b)).collect();
        let forced = (0..n).map(|i| if falls[i] { free[i] } else { pushed[i] });
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
            falls,
            ratios,
            ratio_families,
            weights,
            common,
            elimination: Elimination::default(),
            derived: BTreeMap::new(),
            shared: Shared::default(),
        }
    }

    /// A row, derived when it is first asked for.
    pub(super) fn row(&mut self, r: usize) -> &Row {
        if !self.derived.contains_key(&r) {
            // The family's first member has been checked.
            let mut ignored = Diagnostics::default();
            let row = self.derivation.system_row(self.system, r, &mut ignored);
            self.derived.insert(r, row);
        }
        &self.derived[&r]
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
