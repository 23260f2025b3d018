//! Requirements on M: every coordinate has inertia, and M is positive definite for every state.

use super::Derivation;
use crate::check;
use crate::diagnostic::{Diagnostics, SourceRange, system as messages};
use crate::diff::gradient;
use crate::expr::{CollectVec, ExprId, Set, SortedMap};
use crate::model::System;
use crate::solve::{Sparse, SparseRow};

/// Blocks of M with more coordinates than this are not searched for dependent rows.
const LARGEST_SEARCHED: usize = 12;

/// The blocks of coordinates that M couples.
pub(super) fn blocks(mass: &Sparse) -> Vec<Vec<usize>> {
    let mut block_of: Vec<usize> = (0..mass.n).collect_vec();
    let root = |block_of: &[usize], mut i: usize| {
        while block_of[i] != i {
            i = block_of[i];
        }
        i
    };
    for &(i, j) in mass.entries.keys() {
        let (a, b) = (root(&block_of, i), root(&block_of, j));
        block_of[a.max(b)] = a.min(b);
    }
    let mut blocks: SortedMap<usize, Vec<usize>> = SortedMap::new();
    for i in 0..mass.n {
        blocks.entry(root(&block_of, i)).or_default().push(i);
    }
    blocks.into_values().collect_vec()
}

/// Every coordinate needs inertia.
pub(super) fn check_inertia(
    system: &System,
    derivation: &Derivation,
    diagnostics: &mut Diagnostics,
) {
    let mut reported = None;
    for (i, coordinate) in system.coordinates.iter().enumerate() {
        let array = coordinate.name.split(['[', '.']).next();
        let bare = derivation.mass.get(i, i).is_none() && !derivation.massless.contains(&i);
        if bare && reported != array {
            reported = array;
            let name = array.unwrap_or(&coordinate.name);
            diagnostics.push(messages::without_inertia(coordinate.range, name));
        }
    }
}

impl Derivation {
    /// Reports terms that make M negative or singular for every state. If a parameter's value decides, the check is
    /// left to the start of a run.
    pub(super) fn check_definite(&mut self, system: &System, diagnostics: &mut Diagnostics) {
        for i in 0..self.mass.n {
            let entry = self.mass.get(i, i).filter(|_| self.kinetic[i]);
            if entry.is_some_and(|entry| self.is_negative(entry)) {
                let range = self.negative_term(system, i);
                diagnostics.push(messages::kinetic_negative(range));
                return;
            }
        }
        self.check_regular(system, diagnostics);
    }

    pub(super) fn check_regular(&mut self, system: &System, diagnostics: &mut Diagnostics) {
        for block in blocks(&self.mass) {
            if !(2..=LARGEST_SEARCHED).contains(&block.len()) {
                continue;
            }
            let row = |&i: &usize| {
                let entries = block.iter().enumerate();
                entries
                    .filter_map(|(k, &j)| Some((k, self.mass.get(i, j)?)))
                    .collect_vec()
            };
            let rows: Vec<SparseRow> = block.iter().map(row).collect_vec();
            if let Some((dependent, _)) = check::dependence(&self.graph, &rows) {
                let coordinate = &system.coordinates[block[dependent]];
                let singular = messages::without_own_inertia(coordinate.range, &coordinate.name);
                diagnostics.push(singular);
            }
        }
    }

    /// For each coordinate: true if a constraint contains it.
    pub(super) fn constrained(&self, system: &System) -> Vec<bool> {
        let n = self.mass.n;
        let roots = system.model.rows.iter().map(|row| row.root);
        let mut leaves: Set<ExprId> = self.graph.reachable(roots).into_iter().collect();
        // A place may depend on earlier places.
        for &(leaf, place) in system.places.iter().rev() {
            if leaves.contains(&leaf) {
                leaves.extend(self.graph.reachable([place]));
            }
        }
        let coordinates = system.coordinates.iter().take(n);
        let is_contained = |id: ExprId| leaves.contains(&id);
        coordinates
            .map(|it| is_contained(it.velocity) || it.position.is_some_and(is_contained))
            .collect_vec()
    }

    pub(super) fn is_negative(&mut self, id: ExprId) -> bool {
        let opposite = self.graph.neg(id);
        self.graph.is_positive(opposite)
    }

    /// The kinetic energy that makes diagonal entry i of M negative, otherwise the coordinate's declaration.
    fn negative_term(&mut self, system: &System, i: usize) -> SourceRange {
        for &(kinetic, range) in &system.kinetic {
            let velocity = system.coordinates[i].velocity;
            let momentum = gradient(&mut self.graph, kinetic, &[velocity])[0];
            let entry = gradient(&mut self.graph, momentum, &[velocity])[0];
            if self.is_negative(entry) {
                return range;
            }
        }
        system.coordinates[i].range
    }
}
