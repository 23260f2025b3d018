//! Dependent rows, found at expansion by evaluating J at scattered points.

use std::cmp::Reverse;

use crate::expr::{CollectVec, ExprId, Graph, Map, SortedMap, SortedSet, SymbolId};
use crate::schedule::{self, Root};
use crate::solve::SparseRow;

/// Number of points tried; points at which J is not finite are skipped.
const POINTS: u64 = 12;
/// A remainder of a row after elimination below this part of the row is attributed to rounding.
const TOLERANCE: f64 = 1e-9;

/// A pivot is at least this part of the largest entry of its row.
const THRESHOLD: f64 = 0.1;

/// A row that at every point tried is a combination of the rows before it.
pub fn dependent_row(graph: &Graph, jacobian: &[Vec<ExprId>]) -> Option<usize> {
    let sparse = |row: &Vec<ExprId>| {
        let entries = row.iter().copied().enumerate();
        entries
            .filter(|&(_, entry)| !graph.is_zero(entry))
            .collect_vec()
    };
    let rows: Vec<SparseRow> = jacobian.iter().map(sparse).collect_vec();
    dependence(graph, &rows).map(|(row, _)| row)
}

/// A dependent row, and the rows of the combination.
pub fn dependence(graph: &Graph, rows: &[SparseRow]) -> Option<(usize, Vec<usize>)> {
    if rows.len() < 2 {
        return None;
    }
    let entries = rows.iter().flatten().map(|&(_, entry)| entry);
    let roots: Vec<Root> = entries.map(Root::Output).collect_vec();
    let program = schedule::schedule(graph, &roots, &[], &|symbol| symbol.index().to_string());
    dependence_of(&|point| {
        let mut values = program.evaluate(|symbol| sample(point, symbol)).into_iter();
        let numbers = rows.iter().map(|row| {
            let columns = row.iter().map(|&(column, _)| column);
            columns.zip(values.by_ref()).collect()
        });
        numbers.collect()
    })
}

/// A dependent row and its combination, for rows that `at` evaluates at each point.
pub fn dependence_of(at: &dyn Fn(u64) -> Vec<Numbers>) -> Option<(usize, Vec<usize>)> {
    let mut agreed: Option<(usize, Vec<Numbers>)> = None;
    let mut finite = 0;
    for point in 0..POINTS {
        let numbers = at(point);
        let is_finite = |row: &Numbers| row.values().all(|value| value.is_finite());
        if !numbers.iter().all(is_finite) {
            continue;
        }
        finite += 1;
        let row = first_dependent(&numbers)?;
        if agreed.as_ref().is_some_and(|(other, _)| *other != row) {
            return None;
        }
        agreed = Some((row, numbers));
    }
    let (row, numbers) = agreed.filter(|_| finite > 2)?;
    Some((row, combined(&numbers, row)))
}

/// The rows before `row` without which it would be independent.
fn combined(numbers: &[Numbers], row: usize) -> Vec<usize> {
    let needed = |&without: &usize| {
        let kept = (0..=row).filter(|&i| i != without);
        let kept: Vec<Numbers> = kept.map(|i| numbers[i].clone()).collect_vec();
        first_dependent(&kept).is_none()
    };
    // One elimination per row, so the search is limited.
    (0..row.min(256)).filter(needed).collect_vec()
}

/// A deterministic, irrational-looking number; the points have several sizes and both signs.
pub fn sample(point: u64, symbol: SymbolId) -> f64 {
    let mut state = (point << 32) ^ (symbol.index() as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    state = (state ^ (state >> 31)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    state ^= state >> 32;
    let unit = 0.05 + (state >> 11) as f64 / (1u64 << 53) as f64;
    // Functions of small domain (asin, ln) need (0, 1); piecewise ones need points all over the line.
    match point % 4 {
        0 | 1 => 0.9 * unit,
        2 => 5.0 * unit,
        _ => 20.0 * (unit - 0.5),
    }
}

/// A row as numbers, by column.
pub type Numbers = SortedMap<usize, f64>;

/// Gaussian elimination with column pivoting, rows in order. Of the columns with large entries in a row, the pivot is
/// in the one whose last use comes soonest, so that it reduces few rows.
fn first_dependent(rows: &[Numbers]) -> Option<usize> {
    let mut pivots: Vec<(usize, Numbers)> = Vec::new();
    let mut pivot_of: Map<usize, usize> = Map::default();
    let mut last: Map<usize, usize> = Map::default();
    for (i, row) in rows.iter().enumerate() {
        last.extend(row.keys().map(|&column| (column, i)));
    }
    for (i, row) in rows.iter().enumerate() {
        let size = row.values().fold(0.0f64, |most, x| most.max(x.abs()));
        let rest = reduce(row.clone(), &pivots, &pivot_of);
        let largest = rest.values().fold(0.0f64, |most, x| most.max(x.abs()));
        if largest <= TOLERANCE * size {
            return Some(i);
        }
        let large = rest.iter().filter(|(_, x)| x.abs() >= THRESHOLD * largest);
        let columns = large.map(|(&column, _)| column);
        let column = columns.min_by_key(|column| (last[column], *column))?;
        pivot_of.insert(column, pivots.len());
        pivots.push((column, rest));
    }
    None
}

/// The row without the columns of the pivots; the row of a pivot has none of those before it.
fn reduce(mut row: Numbers, pivots: &[(usize, Numbers)], of: &Map<usize, usize>) -> Numbers {
    // The first pivot is the last key, which is removed without moving the others.
    let pivots_of_row = row.keys().filter_map(|c| of.get(c).copied().map(Reverse));
    let mut present: SortedSet<Reverse<usize>> = pivots_of_row.collect();
    while let Some(Reverse(pivot)) = present.pop_last() {
        let (column, subtrahend) = &pivots[pivot];
        let factor = row.get(column).copied().unwrap_or(0.0) / subtrahend[column];
        for (&c, &value) in subtrahend {
            let entry = row.entry(c).or_insert(0.0);
            *entry -= factor * value;
            let later = of.get(&c).copied().filter(|&later| later > pivot);
            present.extend(later.map(Reverse));
        }
        row.remove(column);
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_combination_of_earlier_rows_is_found() {
        let row = |row: [f64; 3]| row.into_iter().enumerate().collect::<Numbers>();
        let rows = |last| vec![row([1.0, 2.0, 0.0]), row([0.0, 1.0, 3.0]), row(last)];
        assert_eq!(first_dependent(&rows([2.0, 5.0, 3.0])), Some(2));
        assert_eq!(combined(&rows([2.0, 5.0, 3.0]), 2), [0, 1]);
        assert_eq!(combined(&rows([0.0, 2.0, 6.0]), 2), [1]);
        assert_eq!(first_dependent(&rows([2.0, 5.0, 3.1])), None);
        assert_eq!(first_dependent(&[row([0.0; 3])]), Some(0));
    }
}
