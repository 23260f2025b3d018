//! Squares of sines and cosines joined in M, h and the rows, where that is cheaper.

use super::Derivation;
use super::rows::Row;
use super::stated::Equations;
use crate::expr::{ExprId, Graph, Number, Together};
use crate::schedule::{self, Root};

impl Derivation {
    /// Squares of sines and cosines joined in M and h: entry by entry where that pays, or everywhere if that costs
    /// less for all of them, which share what is left; or those of two angles as well.
    pub(super) fn join(&mut self) {
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
}

impl Equations {
    /// Squares of sines and cosines joined in the rows, and those of two angles, where angles are few and that costs
    /// less: for C, for Ċ, and for all that is solved, which stands beside M and h.
    pub(super) fn join_rows(&mut self, graph: &mut Graph) {
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
pub(super) fn cost(graph: &Graph, ids: &[ExprId]) -> u32 {
    let roots: Vec<Root> = ids.iter().copied().map(Root::Output).collect();
    schedule::count(graph, &roots).weight()
}
