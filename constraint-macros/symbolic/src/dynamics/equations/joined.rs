//! Squares of sines and cosines combined in M, h and the rows, if that is cheaper.

use super::Derivation;
use super::rows::Row;
use super::stated::Equations;
use crate::expr::{CollectVec, ExprId, Graph, Number, PushEach, Together};
use crate::schedule::{self, Root};

impl Derivation {
    /// Combines squares of sines and cosines in M and h: in entries where that is cheaper, or in all of them if that
    /// costs less in total, because they share the remaining terms; or those of two angles as well.
    pub(super) fn join(&mut self) {
        let graph = &mut self.graph;
        let applied = self.applied.iter().map(|terms| graph.sum(terms));
        let applied: Vec<ExprId> = applied.collect_vec();
        let all: Vec<ExprId> = self
            .mass
            .entries
            .values()
            .copied()
            .chain(applied)
            .collect_vec();
        let forms = joined_forms(graph, &all);
        let mut joined = cheapest(graph, forms, &[]).into_iter();
        for (entry, joined) in self.mass.entries.values_mut().zip(&mut joined) {
            *entry = joined;
        }
        self.mass.entries.retain(|_, entry| !graph.is_zero(*entry));
        self.applied = joined
            .map(|joined| vec![(joined, Number::ONE)])
            .collect_vec();
    }
}

impl Equations {
    /// Combines squares of sines and cosines in the rows, and those of two angles if angles are few and that costs
    /// less: separately for C, for Ċ, and for the equations that are solved, which are computed together with M and h.
    pub(super) fn join_rows(&mut self, graph: &mut Graph) {
        let rows = self.rows.iter();
        let all: Vec<ExprId> = rows.flat_map(Row::all).collect_vec();
        if !graph.has_few_angles(&all) {
            return;
        }
        let resisting = self.mass.entries.values().copied();
        let shared: Vec<ExprId> = resisting.chain(self.applied.iter().copied()).collect_vec();
        self.join_in(graph, |row| vec![&mut row.value], &[]);
        self.join_in(graph, |row| vec![&mut row.rate], &[]);
        self.join_in(graph, Row::solved_mut, &shared);
    }

    fn join_in(
        &mut self,
        graph: &mut Graph,
        part: impl Fn(&mut Row) -> Vec<&mut ExprId>,
        shared: &[ExprId],
    ) {
        let mut entries: Vec<&mut ExprId> = self.rows.iter_mut().flat_map(part).collect_vec();
        let plain: Vec<ExprId> = entries.iter().map(|entry| **entry).collect_vec();
        let mut forms = vec![plain.clone()];
        forms.push_each(joined_forms(graph, &plain));
        let joined = cheapest(graph, forms, shared);
        for (entry, joined) in entries.iter_mut().zip(joined) {
            **entry = joined;
        }
    }
}

/// Expressions with squares of sines and cosines combined: in each where that is cheaper, in all, and, if there are few
/// angles, with those of two angles as well.
fn joined_forms(graph: &mut Graph, all: &[ExprId]) -> Vec<Vec<ExprId>> {
    let each = all.iter();
    let each = each.map(|&id| graph.joined(id, |g, id| cost(g, &[id])));
    let each: Vec<ExprId> = each.collect_vec();
    let everywhere = all.iter().map(|&id| graph.joined_everywhere(id));
    let mut forms = vec![each, everywhere.collect_vec()];
    if graph.has_few_angles(all) {
        forms.push_each(Together::ALL.map(|together| {
            let pairs = all.iter().map(|&id| graph.joined_in_pairs(id, together));
            let pairs: Vec<ExprId> = pairs.collect_vec();
            graph.sharing_sums(&pairs)
        }));
    }
    forms
}

/// The form that is cheapest when computed together with `shared`; ties go to the first.
fn cheapest(graph: &Graph, mut forms: Vec<Vec<ExprId>>, shared: &[ExprId]) -> Vec<ExprId> {
    forms.dedup();
    if forms.len() < 2 {
        return forms.pop().unwrap_or_default();
    }
    let price = |form: &Vec<ExprId>| cost(graph, &[form, shared].concat());
    let best = forms.into_iter().min_by_key(price);
    best.unwrap_or_default()
}

/// Estimated time of computing expressions.
pub(super) fn cost(graph: &Graph, ids: &[ExprId]) -> u32 {
    let roots: Vec<Root> = ids.iter().copied().map(Root::Output).collect_vec();
    schedule::count(graph, &roots).weight()
}
