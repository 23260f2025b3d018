//! The order in which the rows of a sparse symmetric matrix are eliminated.

use std::collections::BTreeSet;

/// Least degree first; among equals the one whose elimination subtree is lowest, so that independent
/// pivots overlap in the processor.
pub fn elimination_order(
    n: usize,
    off_diagonal: impl IntoIterator<Item = (usize, usize)>,
) -> Vec<usize> {
    let mut neighbours: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); n];
    for (i, j) in off_diagonal {
        neighbours[i].insert(j);
        neighbours[j].insert(i);
    }
    let mut height = vec![0usize; n];
    let rank = |neighbours: &[BTreeSet<usize>], height: &[usize], i: usize| {
        (neighbours[i].len(), height[i], i)
    };
    let mut left: BTreeSet<_> = (0..n).map(|i| rank(&neighbours, &height, i)).collect();
    let mut order = Vec::with_capacity(n);
    while let Some((.., k)) = left.pop_first() {
        order.push(k);
        let around = std::mem::take(&mut neighbours[k]);
        for &i in &around {
            left.remove(&rank(&neighbours, &height, i));
            neighbours[i].remove(&k);
            neighbours[i].extend(around.iter().copied().filter(|&j| j != i));
            height[i] = height[i].max(height[k] + 1);
        }
        left.extend(around.iter().map(|&i| rank(&neighbours, &height, i)));
    }
    order
}
