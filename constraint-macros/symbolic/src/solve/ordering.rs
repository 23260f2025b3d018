//! The order in which the rows of a sparse symmetric matrix are eliminated.

use std::cmp::Reverse;

use crate::expr::{CollectVec, SortedSet, sort, sort_by_key};

use super::dissection;

/// Minimum degree; ties go to the row with the lowest elimination subtree, so that independent pivots
/// overlap in the processor.
pub fn least_degree_order(neighbours: &[Vec<usize>]) -> Vec<usize> {
    least_degree(neighbours, &vec![0; neighbours.len()])
}

/// Alternating from a row at the rim and the one farthest from it, by distance: repetition along a structure becomes
/// repetition along the order, and both halves overlap in the processor.
pub fn order_from_both_ends(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let rows = order_from_one_end(neighbours);
    let (first, second) = rows.split_at(rows.len().div_ceil(2));
    let mut second = second.iter().rev();
    let turns = first
        .iter()
        .flat_map(|&row| [Some(row), second.next().copied()]);
    turns.flatten().collect_vec()
}

/// From a row at the rim, by distance: repetition along a structure becomes repetition along the order.
pub fn order_from_one_end(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let distances = dissection::distances_from_rim(neighbours);
    let mut rows: Vec<usize> = (0..neighbours.len()).collect_vec();
    sort_by_key(&mut rows, |&row| (distances[row], row));
    rows
}

/// Minimum degree or nested dissection, whichever needs fewer products.
pub fn dissected_order(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let stages = [vec![0; neighbours.len()], dissection::stages(neighbours)];
    let orders = stages.map(|stage| least_degree(neighbours, &stage));
    fewest_products(neighbours, orders)
}

/// The order with the fewest products; ties go to the first.
pub fn fewest_products(neighbours: &[Vec<usize>], orders: [Vec<usize>; 2]) -> Vec<usize> {
    let [first, second] = orders;
    let [a, b] = [&first, &second].map(|order| products(&columns(neighbours, order)));
    if b < a { second } else { first }
}

/// For each row the others that it is coupled with, in ascending order.
pub fn neighbours(
    n: usize,
    off_diagonal: impl IntoIterator<Item = (usize, usize)>,
) -> Vec<Vec<usize>> {
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (i, j) in off_diagonal {
        neighbours[i].push(j);
        neighbours[j].push(i);
    }
    neighbours.iter_mut().for_each(|rows| sort(rows));
    neighbours
}

/// Minimum degree within each stage.
fn least_degree(neighbours: &[Vec<usize>], stage: &[usize]) -> Vec<usize> {
    let n = neighbours.len();
    let mut neighbours = neighbours.to_vec();
    let mut height = vec![0usize; n];
    // The least rank is the last key, which is removed without moving the others.
    let rank = |neighbours: &[Vec<usize>], height: &[usize], i: usize| {
        Reverse((stage[i], neighbours[i].len(), height[i], i))
    };
    let mut left: SortedSet<_> = (0..n).map(|i| rank(&neighbours, &height, i)).collect();
    let mut order = Vec::with_capacity(n);
    while let Some(Reverse((.., k))) = left.pop_last() {
        order.push(k);
        let around = std::mem::take(&mut neighbours[k]);
        for &i in &around {
            left.remove(&rank(&neighbours, &height, i));
            neighbours[i] = union(&neighbours[i], &around, [i, k]);
            height[i] = height[i].max(height[k] + 1);
            left.insert(rank(&neighbours, &height, i));
        }
    }
    order
}

/// The union of two ascending lists without two of its elements.
fn union(a: &[usize], b: &[usize], but: [usize; 2]) -> Vec<usize> {
    let mut union = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    loop {
        let next = match (a.peek(), b.peek()) {
            (Some(x), Some(y)) if x <= y => {
                b.next_if_eq(x);
                a.next()
            }
            (Some(_), None) => a.next(),
            _ => b.next(),
        };
        match next {
            Some(next) if but.contains(next) => {}
            Some(&next) => union.push(next),
            None => return union,
        }
    }
}

/// For each step of an elimination the later steps that it is coupled with, in ascending order, including fill-in.
pub fn columns(neighbours: &[Vec<usize>], order: &[usize]) -> Vec<Vec<usize>> {
    let n = order.len();
    let mut step = vec![0; n];
    order.iter().enumerate().for_each(|(k, &row)| step[row] = k);
    let mut columns: Vec<Vec<usize>> = Vec::with_capacity(n);
    // For each step the earlier ones of which it is the first later step.
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut seen = vec![usize::MAX; n];
    for (k, &row) in order.iter().enumerate() {
        let own = neighbours[row].iter().map(|&other| step[other]);
        let inherited = before[k].iter().flat_map(|&c| columns[c].iter().copied());
        let mut column: Vec<usize> = own
            .chain(inherited)
            .filter(|&later| later > k)
            .collect_vec();
        column.retain(|&later| std::mem::replace(&mut seen[later], k) != k);
        sort(&mut column);
        if let Some(&first) = column.first() {
            before[first].push(k);
        }
        columns.push(column);
    }
    columns
}

/// Number of products of two entries in the elimination.
fn products(columns: &[Vec<usize>]) -> usize {
    let column = |column: &Vec<usize>| column.len() * (column.len() + 1) / 2;
    columns.iter().map(column).sum()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Rods of a net of n × n beads: those that share a bead are coupled.
    pub fn net(n: usize) -> Vec<Vec<usize>> {
        let across = (0..n).flat_map(|i| (1..n).map(move |j| [n * i + j - 1, n * i + j]));
        let down = (1..n).flat_map(|i| (0..n).map(move |j| [n * (i - 1) + j, n * i + j]));
        let rods: Vec<[usize; 2]> = across.chain(down).collect_vec();
        let pairs = (0..rods.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let coupled = |&(i, j): &(usize, usize)| rods[i].iter().any(|it| rods[j].contains(it));
        neighbours(rods.len(), pairs.filter(coupled))
    }

    #[track_caller]
    fn is_permutation(order: &[usize]) {
        let mut sorted = order.to_vec();
        sort(&mut sorted);
        assert!(sorted.into_iter().eq(0..order.len()));
    }

    /// Straight cuts, with a minimum vertex cover of each, give 32,928 products; minimum degree gives 51,024.
    #[test]
    fn a_net_is_cut_straight_across() {
        let net = net(16);
        let order = dissected_order(&net);
        is_permutation(&order);
        assert!(products(&columns(&net, &order)) <= 32_928);
    }

    /// A tree of rods that meet at beads has no fill-in: rows are coupled only at one common bead.
    #[test]
    fn leaves_of_a_tree_go_first() {
        let parent = |i: usize| (i - 1) / 3;
        let rods: Vec<[usize; 2]> = (1..60).map(|i| [parent(i), i]).collect_vec();
        let pairs = (0..rods.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let coupled = |&(i, j): &(usize, usize)| rods[i].iter().any(|it| rods[j].contains(it));
        let coupled: Vec<(usize, usize)> = pairs.filter(coupled).collect_vec();
        let tree = neighbours(rods.len(), coupled.iter().copied());
        let order = dissected_order(&tree);
        is_permutation(&order);
        let entries: usize = columns(&tree, &order).iter().map(Vec::len).sum();
        assert_eq!(entries, coupled.len());
    }

    /// Rows that are not connected, and a row that is coupled with all others.
    #[test]
    fn pieces_and_stars_have_an_order() {
        let pieces = neighbours(40, (1..40).filter(|i| i % 10 != 0).map(|i| (i, i - 1)));
        is_permutation(&dissected_order(&pieces));
        let star = neighbours(30, (1..30).map(|i| (i, 0)));
        is_permutation(&dissected_order(&star));
        is_permutation(&dissected_order(&neighbours(12, [])));
        assert!(dissected_order(&[]).is_empty());
    }
}
