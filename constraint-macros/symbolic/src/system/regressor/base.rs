//! Base parameters: how many numbers of θ the motion shows, and which combinations they are.
//!
//! The rank of Y, its rows at many states below each other, is the number of base parameters. It is found in the field modulo
//! 2⁶¹ − 1, where nothing is rounded: a wrong rank has the probability of a random zero there. The columns before which
//! nothing else follows are pivots; others are combinations of them, Y_j = Σ_k K_kj Y_k, so that Y θ = Σ_k Y_k (K θ)_k.
//! The pattern of K is exact, too. Its entries are expressions: those of a link and the link before it follow from their joint
//! (`dynamics`), the rest is solved for at states with angles of quarter turns.

use super::exact::{random, values};
use crate::dynamics::{Combination, Regressor, add_multiple};
use crate::expr::Function;
use crate::expr::field::Residue;
use crate::expr::{CollectVec, ExprId, Graph, Map, Node, Number, PushEach, SymbolId};
use crate::model::{Role, Symbol};

/// States beyond those that a full rank takes.
const MORE_STATES: usize = 3;
/// States at which entries of K are solved for.
const MOST_STATES: u64 = 400;
/// States where an expression has no value.
const MOST_FAILURES: usize = 64;

/// The base parameters.
pub struct Base {
    /// The columns that are independent, in order.
    pub pivots: Vec<usize>,
    /// Every column as a combination of those.
    pub combinations: Vec<Combination>,
}

/// A column with the numbers of its combination.
type Exactly = Vec<(usize, Residue)>;

/// The base parameters.
///
/// # Errors
/// A column whose combination has no expression that is known.
pub fn base(graph: &mut Graph, symbols: &[Symbol], regressor: &Regressor) -> Result<Base, usize> {
    let free = |&column: &usize| regressor.combinations[column].is_none();
    let free: Vec<usize> = (0..regressor.columns.len()).filter(free).collect_vec();
    let columns = |columns: &[usize]| -> Vec<Vec<ExprId>> {
        columns
            .iter()
            .map(|&it| regressor.columns[it].clone())
            .collect_vec()
    };
    let solution = reduced(graph, symbols, &columns(&free))
        .ok_or_else(|| free.first().copied().unwrap_or_default())?;
    let one = graph.number(Number::ONE);
    let mut known: Vec<Combination> = Vec::with_capacity(free.len());
    let mut pivots = Vec::new();
    for (k, &column) in free.iter().enumerate() {
        let terms = match &solution[k] {
            None => {
                pivots.push(column);
                Combination::from([(column, one)])
            }
            Some(terms) => {
                let support: Vec<usize> = terms.iter().map(|it| free[it.0]).collect_vec();
                let of = regressor.columns[column].clone();
                let factors = factors(graph, symbols, &columns(&support), of).ok_or(column)?;
                support.into_iter().zip(factors).collect()
            }
        };
        known.push(terms);
    }
    let place: Map<usize, usize> = free.iter().enumerate().map(|(k, &it)| (it, k)).collect();
    let all = regressor.combinations.iter().enumerate();
    let combinations = all.map(|(column, terms)| match terms {
        None => known[place[&column]].clone(),
        Some(terms) => {
            let mut sum = Combination::new();
            for (free, &factor) in terms {
                add_multiple(graph, &mut sum, &known[place[free]], factor);
            }
            sum.retain(|_, factor| !graph.is_zero(*factor));
            sum
        }
    });
    Ok(Base {
        combinations: combinations.collect_vec(),
        pivots,
    })
}

/// A random number for a leaf: of a parameter everywhere the same.
fn leaf(symbols: &[Symbol], state: u64) -> impl Fn(SymbolId) -> Residue + '_ {
    move |symbol| {
        let moves = !matches!(
            symbols[symbol.index()].role,
            Role::Parameter { .. } | Role::Number(_)
        );
        random((symbol.index(), moves.then_some(state)))
    }
}

/// For each column, `None` if it is independent of those before it, or else its combination of such columns. `None` for all if
/// there are too few states where they have values.
fn reduced(
    graph: &Graph,
    symbols: &[Symbol],
    columns: &[Vec<ExprId>],
) -> Option<Vec<Option<Exactly>>> {
    let rows = columns.first().map_or(1, Vec::len).max(1);
    let states = columns.len().div_ceil(rows) + MORE_STATES;
    let roots = columns.concat();
    let (mut matrix, mut failures, mut state) = (Vec::new(), 0, 0);
    while matrix.len() < states * rows && failures < MOST_FAILURES {
        state += 1;
        match values(graph, &roots, leaf(symbols, state)) {
            None => failures += 1,
            Some(values) => {
                let row = |i: usize| values.iter().skip(i).step_by(rows).copied().collect_vec();
                matrix.push_each((0..rows).map(row).collect_vec());
            }
        }
    }
    (matrix.len() >= states * rows).then(|| eliminated(matrix, columns.len()))
}

/// Gauss and Jordan.
fn eliminated(mut matrix: Vec<Vec<Residue>>, columns: usize) -> Vec<Option<Exactly>> {
    let mut pivots: Vec<usize> = Vec::new();
    let mut found = Vec::with_capacity(columns);
    for column in 0..columns {
        let next = pivots.len();
        let Some(at) = (next..matrix.len()).find(|&i| !matrix[i][column].is_zero()) else {
            let terms = pivots
                .iter()
                .zip(&matrix)
                .map(|(&pivot, row)| (pivot, row[column]));
            found.push(Some(terms.filter(|it| !it.1.is_zero()).collect_vec()));
            continue;
        };
        matrix.swap(next, at);
        let inverse = matrix[next][column].recip().unwrap_or(Residue::ONE);
        let pivot: Vec<Residue> = matrix[next].iter().map(|&it| it * inverse).collect_vec();
        for row in &mut matrix {
            let factor = row[column];
            if !factor.is_zero() {
                for (entry, &of) in row[column..].iter_mut().zip(&pivot[column..]) {
                    *entry = *entry - factor * of;
                }
            }
        }
        matrix[next] = pivot;
        pivots.push(column);
        found.push(None);
    }
    found
}

/// The factors of a combination: the solution of as many equations as it has terms.
fn factors(
    graph: &mut Graph,
    symbols: &[Symbol],
    columns: &[Vec<ExprId>],
    of: Vec<ExprId>,
) -> Option<Vec<ExprId>> {
    if columns.is_empty() {
        return Some(Vec::new());
    }
    let all: Vec<Vec<ExprId>> = columns.iter().cloned().chain([of]).collect_vec();
    let roots = all.concat();
    let rows = all[0].len();
    let (angles, leaves) = moving(graph, symbols, &roots);
    let (mut chosen, mut chosen_values): (Vec<Vec<ExprId>>, Vec<Vec<Residue>>) = Default::default();
    for state in 0..MOST_STATES {
        let map = leaves.iter().map(|&(id, symbol)| {
            let value = simple(
                symbols[symbol.index()].role,
                angles.contains(&id),
                symbol,
                state,
            );
            (id, graph.number(value))
        });
        let map: Map<ExprId, ExprId> = map.collect();
        let map = graph.substitute(roots.iter().copied(), map);
        for i in 0..rows {
            let row: Vec<ExprId> = all.iter().map(|column| map[&column[i]]).collect_vec();
            if let Some(values) = values(graph, &row, leaf(symbols, 0)) {
                chosen_values.push(values);
                match is_of_full_rank(&chosen_values) {
                    true => chosen.push(row),
                    false => _ = chosen_values.pop(),
                }
            }
            if chosen.len() == columns.len() {
                let found = solved(graph, symbols, chosen)?;
                return holds(graph, symbols, &all, &found).then_some(found);
            }
        }
    }
    None
}

/// The leaves that move in expressions, and those among them that are angles.
fn moving(
    graph: &Graph,
    symbols: &[Symbol],
    roots: &[ExprId],
) -> (Vec<ExprId>, Vec<(ExprId, SymbolId)>) {
    let reachable = graph.reachable(roots.iter().copied());
    let leaves = |ids: &[ExprId]| -> Vec<(ExprId, SymbolId)> {
        let leaf = |&id: &ExprId| Some((id, graph.as_symbol(id)?));
        let moves = |it: &(ExprId, SymbolId)| {
            let role = symbols[it.1.index()].role;
            !matches!(role, Role::Parameter { .. } | Role::Number(_))
        };
        ids.iter().filter_map(leaf).filter(moves).collect_vec()
    };
    let arguments = reachable.iter().filter_map(|&id| match graph.node(id) {
        Node::Call(Function::Sin | Function::Cos, arguments) => Some(arguments[0]),
        _ => None,
    });
    let arguments = graph.reachable(arguments);
    let angles = leaves(&arguments).into_iter().map(|it| it.0).collect_vec();
    (angles, leaves(&reachable))
}

/// A simple number for a leaf: angles are quarters of turns, most velocities and accelerations 0.
fn simple(role: Role, is_angle: bool, symbol: SymbolId, state: u64) -> Number {
    let drawn = random(("simple", symbol.index(), state)).bits();
    let whole = |choices: u64| Number::integer((drawn % choices).into());
    match role {
        Role::Velocity(_) | Role::Acceleration(_) => match drawn % 3 {
            0 => Number::integer((drawn / 3 % 3).into()),
            _ => Number::ZERO,
        },
        _ if is_angle => Number::of_twelfths(6 * i128::from(drawn % 4)),
        _ => whole(3),
    }
}

/// Whether rows without their last column are independent.
fn is_of_full_rank(rows: &[Vec<Residue>]) -> bool {
    let columns = rows[0].len() - 1;
    let found = eliminated(rows.to_vec(), columns);
    found.iter().filter(|it| it.is_none()).count() == rows.len()
}

/// The solution of equations with the right-hand side in the last column.
fn solved(
    graph: &mut Graph,
    symbols: &[Symbol],
    mut rows: Vec<Vec<ExprId>>,
) -> Option<Vec<ExprId>> {
    let n = rows.len();
    for k in 0..n {
        let column: Vec<ExprId> = rows.iter().map(|row| row[k]).collect_vec();
        let values = values(graph, &column, leaf(symbols, 0))?;
        let pivot = (k..n).find(|&i| !values[i].is_zero())?;
        rows.swap(k, pivot);
        let inverse = graph.recip(rows[k][k]);
        let scaled: Vec<ExprId> = rows[k]
            .iter()
            .map(|&it| graph.mul(inverse, it))
            .collect_vec();
        for (i, row) in rows.iter_mut().enumerate() {
            let factor = row[k];
            if i == k || graph.is_zero(factor) {
                continue;
            }
            for (entry, &of) in row.iter_mut().zip(&scaled) {
                let part = graph.mul(factor, of);
                *entry = graph.sub(*entry, part);
            }
        }
        rows[k] = scaled;
    }
    Some(rows.iter().map(|row| row[n]).collect_vec())
}

/// Whether the last column is the combination at a random state.
fn holds(graph: &Graph, symbols: &[Symbol], all: &[Vec<ExprId>], factors: &[ExprId]) -> bool {
    let roots: Vec<ExprId> = all
        .concat()
        .into_iter()
        .chain(factors.iter().copied())
        .collect_vec();
    let rows = all[0].len();
    let Some(values) = values(graph, &roots, leaf(symbols, 1)) else {
        return false;
    };
    let (columns, factors) = values.split_at(all.len() * rows);
    (0..rows).all(|i| {
        let entries = columns.iter().skip(i).step_by(rows);
        let terms = entries.zip(factors).map(|(&entry, &factor)| entry * factor);
        let sum = terms.fold(Residue::ZERO, |sum, it| sum + it);
        sum == columns[(all.len() - 1) * rows + i]
    })
}
