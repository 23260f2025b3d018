//! The order in which rows go, and the places of what that leaves.

use super::routine::Families;
use crate::expr::{CollectVec, Map, SortedMap, SortedSet};
use crate::solve::{self, Panels, columns, least_degree_order, neighbours, order_from_one_end};

/// The elimination of the rows one by one, as indices alone.
#[derive(Clone, Default)]
pub(super) struct Elimination {
    pub(super) order: Vec<usize>,
    /// Per row: later rows that it updates, in the order of elimination.
    pub(super) later: Vec<Vec<usize>>,
    /// The place of an entry of L.
    pub(super) lower: Map<(usize, usize), usize>,
    /// The place of an update to an entry off the diagonal.
    pub(super) fill: Map<(usize, usize), usize>,
}

impl Elimination {
    /// Of what is coupled in pairs, from one end where that leaves no more to multiply than least degree: what stands
    /// at a place is then made when it is eliminated, in one loop.
    pub(super) fn along(n: usize, coupled: SortedSet<(usize, usize)>) -> Elimination {
        let neighbours = neighbours(n, coupled);
        let orders = [order_from_one_end, least_degree_order].map(|order| order(&neighbours));
        let order = solve::fewest_products(&neighbours, orders);
        Elimination::of(&neighbours, order, usize::MAX).unwrap_or_default()
    }

    /// Of rows that are solved for all together: none is taken off another.
    pub(super) fn together(n: usize) -> Elimination {
        Elimination {
            order: (0..n).collect_vec(),
            later: vec![Vec::new(); n],
            ..Elimination::default()
        }
    }

    /// In an order; `None` where a row is coupled with more than so many later ones.
    pub(super) fn of(
        neighbours: &[Vec<usize>],
        order: Vec<usize>,
        most: usize,
    ) -> Option<Elimination> {
        let columns = columns(neighbours, &order);
        if columns.iter().any(|column| column.len() > most) {
            return None;
        }
        let mut elimination = Elimination {
            later: vec![Vec::new(); order.len()],
            ..Elimination::default()
        };
        for (&k, column) in order.iter().zip(&columns) {
            let below: Vec<usize> = column.iter().map(|&step| order[step]).collect_vec();
            for (a, &i) in below.iter().enumerate() {
                let next = elimination.lower.len();
                elimination.lower.insert((i, k), next);
                for &j in &below[..a] {
                    let next = elimination.fill.len();
                    elimination.fill.entry(key(i, j)).or_insert(next);
                }
            }
            elimination.later[k] = below;
        }
        elimination.order = order;
        Some(elimination)
    }
}

/// The pairs of rows that speak of one coordinate, the later one first.
pub(super) fn coupled(rows: &Families) -> SortedSet<(usize, usize)> {
    let mut by_coordinate: SortedMap<usize, Vec<usize>> = SortedMap::new();
    for r in 0..rows.of.len() {
        for c in rows.records(r) {
            by_coordinate.entry(c).or_default().push(r);
        }
    }
    let mut coupled = SortedSet::new();
    for rows in by_coordinate.values() {
        for (i, &a) in rows.iter().enumerate() {
            coupled.extend(rows[..i].iter().map(|&b| key(a, b)));
        }
    }
    coupled
}

/// About the operations that the elimination of all rows takes, entry by entry; not counted on beyond `limit`.
pub(in crate::system) fn elimination_cost(rows: &Families, limit: usize) -> usize {
    let mut sharing: SortedMap<usize, usize> = SortedMap::new();
    for r in 0..rows.of.len() {
        for c in rows.records(r) {
            *sharing.entry(c).or_default() += 1;
        }
    }
    // Rows that share a coordinate are all coupled.
    let dense = sharing.into_values().max().unwrap_or(0).pow(3) / 3;
    if dense > limit {
        return dense;
    }
    Panels::of(&neighbours(rows.of.len(), coupled(rows))).operations
}

pub(super) fn key(a: usize, b: usize) -> (usize, usize) {
    (a.max(b), a.min(b))
}
