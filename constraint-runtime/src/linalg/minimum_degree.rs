//! The order of elimination for blocks that are stored one by one, and the blocks that fill in.
//!
//! Two nodes are neighbours if they share a block. Eliminating a node makes its remaining neighbours neighbours of one
//! another. The next node is always one with the fewest neighbours, and among several the one whose degree has been
//! this low for the longest time: a chain is then eliminated from both ends at once, without any fill.
//!
//! # Source
//! A. George, J. W. H. Liu, *The evolution of the minimum degree ordering algorithm*, SIAM Review 31, 1989.

use alloc::collections::BTreeSet;
use alloc::collections::BinaryHeap;
use alloc::{vec, vec::Vec};
use core::cmp::Reverse;

/// One elimination: the node, and the later ones that it has a block with, in order of elimination.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Elimination {
    pub(crate) node: usize,
    pub(crate) below: Vec<usize>,
}

/// The eliminations of `nodes` nodes; each of `cliques` lists nodes that share blocks.
pub(crate) fn minimum_degree(nodes: usize, cliques: &[Vec<usize>]) -> Vec<Elimination> {
    let mut neighbours = graph(nodes, cliques);
    let mut queue = BinaryHeap::new();
    let mut arrivals = 0_usize..;
    let mut arrive = |queue: &mut BinaryHeap<_>, degree: usize, node: usize| {
        queue.push(Reverse((degree, arrivals.next(), node)));
    };
    for (node, neighbours) in neighbours.iter().enumerate() {
        arrive(&mut queue, neighbours.len(), node);
    }
    let mut done = vec![false; nodes];
    let mut eliminations = Vec::with_capacity(nodes);
    while let Some(Reverse((degree, _, node))) = queue.pop() {
        // A node whose degree has changed since is in the queue once more.
        if done[node] || degree != neighbours[node].len() {
            continue;
        }
        done[node] = true;
        let below: Vec<usize> = core::mem::take(&mut neighbours[node]).into_iter().collect();
        for &it in &below {
            let before = neighbours[it].len();
            neighbours[it].remove(&node);
            neighbours[it].extend(below.iter().filter(|&&other| other != it));
            if neighbours[it].len() != before {
                arrive(&mut queue, neighbours[it].len(), it);
            }
        }
        eliminations.push(Elimination { node, below });
    }
    sort_by_elimination(&mut eliminations);
    eliminations
}

fn graph(nodes: usize, cliques: &[Vec<usize>]) -> Vec<BTreeSet<usize>> {
    let mut neighbours = vec![BTreeSet::new(); nodes];
    for clique in cliques {
        for &node in clique {
            neighbours[node].extend(clique.iter().filter(|&&other| other != node));
        }
    }
    neighbours
}

fn sort_by_elimination(eliminations: &mut [Elimination]) {
    let mut step_of = vec![0; eliminations.len()];
    for (step, elimination) in eliminations.iter().enumerate() {
        step_of[elimination.node] = step;
    }
    for elimination in eliminations {
        elimination.below.sort_by_key(|&node| step_of[node]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(eliminations: &[Elimination]) -> Vec<usize> {
        eliminations.iter().map(|it| it.node).collect()
    }

    fn blocks(eliminations: &[Elimination]) -> usize {
        eliminations.iter().map(|it| it.below.len()).sum()
    }

    #[test]
    fn a_chain_is_eliminated_from_both_ends_without_fill() {
        let cliques: Vec<Vec<usize>> = (0..5).map(|i| vec![i, i + 1]).collect();
        let eliminations = minimum_degree(6, &cliques);
        assert_eq!(order(&eliminations), [0, 5, 1, 4, 2, 3]);
        assert_eq!(blocks(&eliminations), 5);
        assert_eq!(eliminations[2].below, [2]);
    }

    /// Three arms of two joints at one body: the joints at the body are coupled, no other block arises.
    #[test]
    fn a_tree_fills_only_at_its_branches() {
        let cliques = [vec![0, 2, 4], vec![0, 1], vec![2, 3], vec![4, 5]];
        let eliminations = minimum_degree(6, &cliques);
        assert_eq!(order(&eliminations)[..3], [1, 3, 5]);
        assert_eq!(blocks(&eliminations), 3 + 3);
    }

    /// A ring of n joints fills one block for each of the n − 3 joints eliminated first.
    #[test]
    fn a_ring_fills_as_many_blocks_as_it_must() {
        let cliques: Vec<Vec<usize>> = (0..7).map(|i| vec![i, (i + 1) % 7]).collect();
        assert_eq!(blocks(&minimum_degree(7, &cliques)), 7 + 4);
    }

    #[test]
    fn joints_without_neighbours_are_eliminated_too() {
        let eliminations = minimum_degree(3, &[vec![0], vec![]]);
        assert_eq!(order(&eliminations), [0, 1, 2]);
        assert_eq!(blocks(&eliminations), 0);
    }
}
