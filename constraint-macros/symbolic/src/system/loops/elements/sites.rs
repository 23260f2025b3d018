//! Sites: an element with the rows of its joints, or a joint with the velocities of its elements. A kernel is made for the
//! first site of a kind, and reads for the others what the same leaves are there.

use super::super::leaves::leaves;
use super::super::routine::{Array, Signature, Slot};
use super::contribution::{Contributions, Found, LiveSet};
use super::derivation::{Elements, Kinds};
use super::structure::Site;
use crate::expr::{CollectVec, ExprId, Map, Node, SymbolId, sort};

impl Elements<'_> {
    /// The kinds of sites.
    pub(super) fn kinds_of(count: usize, sign: impl Fn(usize) -> Signature) -> Kinds {
        let mut kinds = Kinds::default();
        let mut known: Map<Vec<usize>, usize> = Map::default();
        for site in 0..count {
            let Signature { words, slots } = sign(site);
            let next = kinds.first.len();
            let kind = *known.entry(words).or_insert(next);
            if kind == next {
                kinds.first.push(site);
            }
            kinds.of.push(kind);
            kinds.slots.push(slots);
        }
        kinds
    }

    /// The places that a site's expressions speak of.
    pub(super) fn slots_at(&self, at: Site) -> &[Slot] {
        match at {
            Site::Element(e) => &self.kinds.slots[e],
            Site::Joint(j) => &self.kinds_of_joints.slots[j],
        }
    }

    /// Its velocities.
    pub(super) fn columns_at(&self, at: Site) -> Vec<usize> {
        let columns = |e: usize| self.structure.elements[e].columns.clone();
        match at {
            Site::Element(e) => columns(e),
            Site::Joint(j) => {
                let elements = self.structure.joints[j].elements.iter();
                elements.flat_map(|&e| columns(e)).collect_vec()
            }
        }
    }

    /// Its rows.
    pub(super) fn rows_at(&self, at: Site) -> Vec<usize> {
        match at {
            Site::Element(e) => self.rows_of(e),
            Site::Joint(j) => self.structure.joints[j].rows.clone().collect_vec(),
        }
    }

    /// Roots with the leaves that they read, for the first site of a kind.
    pub(super) fn live_set(&mut self, first: Site, roots: Vec<ExprId>) -> LiveSet {
        let graph = &self.derivation.graph;
        let (shape, slots) = self.shapes.of(graph, &leaves(graph, self.system), &roots);
        let all = self.slots_at(first);
        let place = |slot: &Slot| all.iter().position(|other| other == slot);
        let mut found: Vec<Found> = slots
            .iter()
            .filter_map(place)
            .map(Found::Slot)
            .collect_vec();
        let mut reads = self.reads_of(&slots);
        let leaves = graph.reachable(roots.iter().copied()).into_iter();
        let others = leaves.filter_map(|id| match *graph.node(id) {
            Node::Symbol(symbol) => Some((symbol, self.found_of(first, symbol)?)),
            _ => None,
        });
        let mut others: Vec<_> = others
            .map(|(symbol, (array, at))| (at, array, symbol))
            .collect_vec();
        sort(&mut others);
        for (at, array, symbol) in others {
            reads.push((symbol, array, found.len()));
            found.push(at);
        }
        LiveSet {
            shape,
            found,
            reads,
            roots,
        }
    }

    /// The array and the place of a leaf that is no slot.
    fn found_of(&self, first: Site, symbol: SymbolId) -> Option<(Array, Found)> {
        if let Some(direction) = self.direction_of.get(&symbol) {
            let all = self.directions(first);
            let place = all.iter().position(|it| it == direction)?;
            return Some((Array::Tangent(direction.0), Found::Direction(place)));
        }
        self.found.get(&symbol).copied()
    }

    /// The indices of the leaves of a set for one site.
    pub(super) fn indices(
        &self,
        used: &LiveSet,
        contributions: &Contributions,
        at: Site,
    ) -> Vec<usize> {
        self.indices_at(used.found.iter().copied(), contributions, at)
    }

    /// Where the elimination keeps W of a velocity.
    pub(super) fn weight_of(&self, column: usize) -> Option<usize> {
        let diagonal = self.diagonal.as_ref().filter(|_| self.panels.is_none());
        diagonal?.weights[column]
    }

    pub(super) fn indices_at(
        &self,
        found: impl Iterator<Item = Found>,
        contributions: &Contributions,
        at: Site,
    ) -> Vec<usize> {
        let (columns, rows) = (self.columns_at(at), self.rows_at(at));
        let (n, m) = (self.system.coordinates.len(), self.rows.of.len());
        let column = |k: usize| self.column_of(self.directions(at)[k]);
        let index = found.map(|found| match found {
            Found::Slot(k) => self.slots_at(at)[k].index(),
            Found::Row(a) => rows[a],
            Found::Unknown(a) => self.unknown(rows[a]),
            Found::Column(k) => columns[k],
            Found::Weight(k) => self.weight_of(columns[k]).unwrap_or_default(),
            Found::Sum(number) => number,
            Found::Shared(a, k) => self.shared_place(rows[a]) + k,
            Found::Direction(k) => self.directions(at)[k].1,
            Found::MotionEntry(k, c) => column(k) * n + columns[c],
            Found::SideEntry(k, a) => column(k) * n + rows[a],
            Found::MultiplierEntry(k, a) => column(k) * m + rows[a],
            Found::Position(k) => match at {
                Site::Element(e) => self.structure.elements[e].positions[k],
                Site::Joint(_) => k,
            },
            Found::Value(number) => match at {
                Site::Element(e) => contributions.place(e, number),
                Site::Joint(_) => number,
            },
        });
        index.collect_vec()
    }
}
