//! The reverse Cuthill–McKee order of a graph, which brings neighbours close together, for matrices stored as bands.
//!
//! # Source
//! J. A. George, J. W. H. Liu, *An implementation of a pseudoperipheral node finder*, ACM Trans. Math. Softw. 5, 1979.

use alloc::collections::BTreeSet;
use alloc::{vec, vec::Vec};

/// The node at each place of the order.
pub(crate) fn reverse_cuthill_mckee(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::with_capacity(neighbours.len());
    let mut seen = vec![false; neighbours.len()];
    for node in 0..neighbours.len() {
        if !seen[node] {
            let end = peripheral(neighbours, node);
            let (reached, ..) = breadth_first(neighbours, end);
            reached.iter().for_each(|&node| seen[node] = true);
            order.extend(reached);
        }
    }
    order.reverse();
    order
}

/// A node at an end of the component of `node`: no node is farther from it than it is from that one.
fn peripheral(neighbours: &[Vec<usize>], node: usize) -> usize {
    let (mut end, mut depth) = (node, 0);
    loop {
        let (reached, distance, first) = breadth_first(neighbours, end);
        if distance <= depth {
            return end;
        }
        depth = distance;
        let farthest = reached[first..].iter().copied();
        end = farthest
            .min_by_key(|&node| neighbours[node].len())
            .unwrap_or(end);
    }
}

/// The nodes that are reached, those with fewer neighbours first, the distance of the last ones, and the index where
/// those begin.
fn breadth_first(neighbours: &[Vec<usize>], start: usize) -> (Vec<usize>, usize, usize) {
    let mut seen = BTreeSet::from([start]);
    let mut reached = vec![start];
    let (mut distance, mut first) = (0, 0);
    loop {
        let next = reached.len();
        for at in first..next {
            let node = reached[at];
            let new = reached.len();
            let fresh = neighbours[node].iter().copied();
            reached.extend(fresh.filter(|&other| seen.insert(other)));
            reached[new..].sort_by_key(|&node| neighbours[node].len());
        }
        if reached.len() == next {
            return (reached, distance, first);
        }
        (distance, first) = (distance + 1, next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain whose links are numbered anyhow, and a ring, which is folded in the middle.
    #[test]
    fn neighbours_come_close_together() {
        let node = |i: usize| (37 * i) % 101;
        let mut neighbours = vec![Vec::new(); 101];
        for i in 0..100 {
            neighbours[node(i)].push(node(i + 1));
            neighbours[node(i + 1)].push(node(i));
        }
        let band = |neighbours: &[Vec<usize>]| {
            let order = reverse_cuthill_mckee(neighbours);
            let mut at = vec![0; order.len()];
            order.iter().enumerate().for_each(|(i, &node)| at[node] = i);
            let all = neighbours.iter().enumerate();
            all.flat_map(|(i, of)| of.iter().map(move |&j| (i, j)))
                .map(|(i, j)| at[i].abs_diff(at[j]))
                .max()
        };
        assert_eq!(band(&neighbours), Some(1));
        neighbours[node(0)].push(node(100));
        neighbours[node(100)].push(node(0));
        assert_eq!(band(&neighbours), Some(2));
    }
}
