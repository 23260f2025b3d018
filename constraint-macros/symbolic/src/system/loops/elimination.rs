//! The order in which rows go, and the places of what that leaves.

use std::collections::{BTreeMap, BTreeSet};

use super::families::Families;
use crate::expr::Map;
use crate::solve::elimination_order;

/// The elimination of the rows, as indices alone.
#[derive(Default)]
pub(super) struct Elimination {
    pub(super) order: Vec<usize>,
    /// Per row: later rows that it updates, in the order of elimination.
    pub(super) later: Vec<Vec<usize>>,
    /// Couplings that are there from the beginning.
    pub(super) coupled: BTreeSet<(usize, usize)>,
    /// The place of an entry of L.
    pub(super) lower: Map<(usize, usize), usize>,
    /// The place of an update to an entry off the diagonal.
    pub(super) fill: Map<(usize, usize), usize>,
}

impl Elimination {
    pub(super) fn of(rows: &Families) -> Elimination {
        let n = rows.of.len();
        let mut by_coordinate: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for r in 0..n {
            for c in rows.coordinates(r) {
                by_coordinate.entry(c).or_default().push(r);
            }
        }
        let mut coupled = BTreeSet::new();
        for rows in by_coordinate.values() {
            for (i, &a) in rows.iter().enumerate() {
                coupled.extend(rows[..i].iter().map(|&b| key(a, b)));
            }
        }
        Elimination::along(n, coupled)
    }

    /// The same of anything else that is coupled in pairs, of which the first number is the larger.
    pub(super) fn along(n: usize, coupled: BTreeSet<(usize, usize)>) -> Elimination {
        let order = elimination_order(n, coupled.iter().copied());
        let mut position = vec![0; n];
        for (step, &row) in order.iter().enumerate() {
            position[row] = step;
        }
        let mut later: Vec<BTreeSet<(usize, usize)>> = vec![BTreeSet::new(); n];
        let first = |a: usize, b: usize| {
            if position[a] < position[b] {
                (a, b)
            } else {
                (b, a)
            }
        };
        for &(a, b) in &coupled {
            let (a, b) = first(a, b);
            later[a].insert((position[b], b));
        }
        let (mut lower, mut fill) = (Map::default(), Map::default());
        for &k in &order {
            let below: Vec<usize> = later[k].iter().map(|&(_, i)| i).collect();
            for (a, &i) in below.iter().enumerate() {
                let next = lower.len();
                lower.insert((i, k), next);
                for &j in &below[..a] {
                    let (first, second) = first(i, j);
                    later[first].insert((position[second], second));
                    let next = fill.len();
                    fill.entry(key(i, j)).or_insert(next);
                }
            }
        }
        let later = later.into_iter();
        Elimination {
            later: later
                .map(|set| set.into_iter().map(|(_, i)| i).collect())
                .collect(),
            order,
            coupled,
            lower,
            fill,
        }
    }
}

pub(super) fn key(a: usize, b: usize) -> (usize, usize) {
    (a.max(b), a.min(b))
}
