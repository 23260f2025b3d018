//! Large systems in loops: every family of rows is derived once, every kind of elimination step is written once.
//!
//! ```text
//! rows ─ families ─┬─ elimination: the order, and the places of L and of what fills in
//!                  │        ↓
//!                  ├─ step: one row goes ────────────╮
//!                  └─ solution: substitution,        ├─ routine: kernels at places ─ rerolling: loops
//!                     v̇, λ, Jᵀλ of the unknowns ─────╯     ─ scalar replacement
//! ```

pub(super) mod bodies;
mod elimination;
pub(super) mod leaves;
pub(super) mod numbers;
mod panels;
mod projected;
mod responses;
pub mod routine;
mod rows;
mod sensitivity;
pub(super) mod separate;
mod signatures;
mod solution;
mod step;
mod unsolved;

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::Diagnostics;
use crate::dynamics::{self, Derivation, Row};
use crate::expr::{ExprId, Graph, Map, Node, Number, SymbolId};
use crate::model::System;
use crate::solve::{self, Panels, Quantity, common_mass, divide_terms};
use elimination::Elimination;

pub(super) use elimination::elimination_cost;
use leaves::{leaves, scratch};
use routine::{Array, Families, Read, Routine};
use sensitivity::Shared;

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

/// A step is written down that updates so many later rows at most,
const MOST_LATER: usize = 8;
/// and the steps of all loops in about so many operations: what fits the instruction cache of 32 KB twice.
const MOST_WRITTEN: usize = 2400;

/// What acts on each coordinate, with its families.
struct Loads {
    values: Vec<ExprId>,
    families: Families,
}

/// The right-hand side of an elimination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
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
    fn is_solved_again(self) -> bool {
        matches!(self, Side::Rate | Side::Variation | Side::Columns)
    }
}

/// The derivation at work.
pub struct Rolling<'a> {
    derivation: &'a mut Derivation,
    system: &'a mut System,
    rows: Families,
    /// M⁻¹ h
    free: Loads,
    /// What enters b in units of force: M⁻¹ h where the load falls, W h elsewhere.
    forced: Loads,
    falls: Vec<bool>,
    /// W, the inverse masses in units of the common one, with their families.
    ratios: Vec<ExprId>,
    ratio_families: Families,
    /// Where elimination keeps W of a velocity, if its mass is an element of an array.
    weights: Vec<Option<usize>>,
    /// w, the common inverse mass.
    common: ExprId,
    /// Rows that speak of one coordinate, the later first.
    coupled: BTreeSet<(usize, usize)>,
    elimination: Elimination,
    derived: BTreeMap<usize, Row>,
    shared: Shared,
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

    /// All routines; mistakes in rows are reported.
    pub fn all(mut self, diagnostics: &mut Diagnostics) -> Rolled {
        for r in self.rows.first.clone() {
            let row = self.derivation.system_row(self.system, r, diagnostics);
            self.derived.insert(r, row);
        }
        let panels = self.plan();
        let mut routines = match &panels {
            Some(panels) => self.by_panels(panels),
            None => self.by_steps(),
        };
        let reps = self.rows.first.clone();
        let rows = reps.into_iter().map(|r| (r, self.row(r).clone()));
        let rows: Vec<(usize, Row)> = rows.collect();
        let row_sizes = |rolling: &mut Rolling<'_>, row: &Row| {
            let graph = &mut rolling.derivation.graph;
            dynamics::size(graph, rolling.system, &row.jacobian)
        };
        routines.extend([
            (Quantity::Value, self.per_row(|_, row| row.value)),
            (Quantity::Rate, self.per_row(|_, row| row.rate)),
            (Quantity::Bias, self.per_row(|_, row| row.bias)),
            (Quantity::RowSizes, self.per_row(row_sizes)),
            (Quantity::Jacobian, self.jacobian()),
            (Quantity::Responses, self.responses()),
            (Quantity::Free, self.free()),
        ]);
        let potential = Routine::potential_energy(self.derivation, self.system);
        routines.insert(Quantity::PotentialEnergy, potential);
        routines.extend(self.of_coordinates());
        if super::sensitivity::are_asked(self.system) && panels.is_none() {
            routines.extend(self.sensitivities());
        }
        routines.values_mut().for_each(Routine::compact);
        let columns = (0..self.rows.of.len()).map(|r| self.columns_like(r, &rows));
        Rolled {
            columns: columns.collect(),
            routines,
            rows,
            families: self.rows.clone(),
            lower: self.elimination.lower.len(),
            panels,
        }
    }

    /// What M and h tell.
    fn of_coordinates(&mut self) -> [(Quantity, Routine); 3] {
        let kinetic = rows::kinetic_terms(self.derivation, self.system);
        let Derivation {
            graph,
            mass,
            applied,
            ..
        } = &mut *self.derivation;
        let applied: Vec<ExprId> = applied.iter().map(|terms| graph.sum(terms)).collect();
        rows::of_coordinates(graph, self.system, &kinetic, mass, &applied)
    }

    /// Decides how rows are eliminated: one by one, where few kinds of steps repeat, with the order of the fewest
    /// operations or from both ends; else in panels.
    fn plan(&mut self) -> Option<Panels> {
        let neighbours = solve::neighbours(self.rows.of.len(), self.coupled.iter().copied());
        let orders = [solve::least_degree_order, solve::order_from_both_ends];
        for order in orders {
            let steps = Elimination::of(&neighbours, order(&neighbours), MOST_LATER);
            let Some(steps) = steps else { continue };
            self.elimination = steps;
            if self.written_steps() <= MOST_WRITTEN {
                return None;
            }
        }
        self.elimination = Elimination::default();
        Some(Panels::of(&neighbours))
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

    /// J′ of a row at a coordinate.
    fn entry(&mut self, r: usize, coordinate: usize) -> Option<ExprId> {
        let row = self.row(r).scaled.jacobian.iter();
        row.copied()
            .find_map(|(c, entry)| (c == coordinate).then_some(entry))
    }

    /// The columns of a row of J, in the order of those of its family's first row.
    fn columns_like(&self, r: usize, first: &[(usize, Row)]) -> Vec<usize> {
        let (other, row) = &first[self.rows.of[r]];
        let there: Vec<usize> = self.rows.records(*other).collect();
        let here: Vec<usize> = self.rows.records(r).collect();
        let place = |column| there.iter().position(|&it| it == column);
        let columns = row.jacobian.iter();
        columns
            .filter_map(|&(c, _)| Some(here[place(c)?]))
            .collect()
    }

    fn scratch(&mut self, name: &str) -> (SymbolId, ExprId) {
        scratch(&mut self.system.model.symbols)(&mut self.derivation.graph, name)
    }
}

impl Rolling<'_> {
    fn minus(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let terms = [(a, Number::ONE), (b, Number::MINUS_ONE)];
        self.derivation.graph.sum(&terms)
    }

    fn read(&mut self, reads: &mut Vec<Read>, name: &str, array: Array, place: usize) -> ExprId {
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
