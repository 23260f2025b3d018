//! Dependent rows, found at expansion by evaluating J at scattered points.

use crate::expr::{ExprId, Graph, Map, SymbolId};
use crate::schedule::{self, Root};

/// Points to try; those where J is not finite say nothing.
const POINTS: u64 = 12;
/// What is left of a row after elimination, relative to the row, is rounding below this.
const TOLERANCE: f64 = 1e-9;

/// A row whose gradient is a combination of those of the rows before it, at every point tried.
pub fn dependent_row(graph: &Graph, jacobian: &[Vec<ExprId>]) -> Option<usize> {
    let columns = jacobian.first()?.len();
    if jacobian.len() < 2 {
        return None;
    }
    let roots: Vec<Root> = jacobian
        .iter()
        .flatten()
        .map(|&entry| Root::Output(entry))
        .collect();
    let program = schedule::schedule(graph, &roots, &[], &|symbol| symbol.index().to_string());
    let mut agreed: Option<usize> = None;
    let mut finite = 0;
    for point in 0..POINTS {
        let values = program.evaluate(|symbol| sample(point, symbol));
        if values.iter().any(|value| !value.is_finite()) {
            continue;
        }
        finite += 1;
        let rows: Vec<Vec<f64>> = values.chunks(columns).map(<[f64]>::to_vec).collect();
        let row = first_dependent(rows)?;
        if agreed.is_some_and(|other| other != row) {
            return None;
        }
        agreed = Some(row);
    }
    agreed.filter(|_| finite > 2)
}

/// Deterministic, irrational-looking, of several sizes and both signs.
fn sample(point: u64, symbol: SymbolId) -> f64 {
    let mut state = (point << 32) ^ (symbol.index() as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    state = (state ^ (state >> 31)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    state ^= state >> 32;
    let unit = 0.05 + (state >> 11) as f64 / (1u64 << 53) as f64;
    // Functions of small domain (asin, ln) want (0, 1); piecewise ones all over the line.
    match point % 4 {
        0 | 1 => 0.9 * unit,
        2 => 5.0 * unit,
        _ => 20.0 * (unit - 0.5),
    }
}

/// Gaussian elimination with column pivoting, rows in order.
fn first_dependent(mut rows: Vec<Vec<f64>>) -> Option<usize> {
    let norm = |row: &[f64]| row.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    let mut pivots: Map<usize, usize> = Map::default();
    for i in 0..rows.len() {
        let size = norm(&rows[i]);
        let mut eliminated: Vec<(usize, usize)> = pivots.iter().map(|(&c, &r)| (r, c)).collect();
        eliminated.sort_unstable();
        for (earlier, column) in eliminated {
            let factor = rows[i][column] / rows[earlier][column];
            let subtrahend = rows[earlier].clone();
            rows[i]
                .iter_mut()
                .zip(&subtrahend)
                .for_each(|(a, b)| *a -= factor * b);
        }
        let (column, rest) = rows[i]
            .iter()
            .enumerate()
            .map(|(column, value)| (column, value.abs()))
            .max_by(|a, b| a.1.total_cmp(&b.1))?;
        if rest <= TOLERANCE * size {
            return Some(i);
        }
        pivots.insert(column, i);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_combination_of_earlier_rows_is_found() {
        let rows = |last: [f64; 3]| vec![vec![1.0, 2.0, 0.0], vec![0.0, 1.0, 3.0], last.to_vec()];
        assert_eq!(first_dependent(rows([2.0, 5.0, 3.0])), Some(2));
        assert_eq!(first_dependent(rows([2.0, 5.0, 3.1])), None);
        assert_eq!(first_dependent(vec![vec![0.0, 0.0]]), Some(0));
    }
}
