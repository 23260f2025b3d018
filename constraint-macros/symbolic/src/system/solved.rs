//! v̇ and λ: the mass matrix, then its Schur complement J M⁻¹ Jᵀ, by sparse elimination.
//!
//! With M⁻¹ = w W one matrix serves two right-hand sides, so that w enters neither v̇ nor λ more often than it must:
//!
//! ```text
//! (J W Jᵀ) wλ = −β − J M⁻¹ h          in units of acceleration, of which v̇ = M⁻¹ h + W Jᵀ wλ is made
//! (J W Jᵀ) λ = −β/w − J W h           in units of force, of which λ and Jᵀ λ are made
//! ```

use std::collections::BTreeSet;
use std::ops::Range;

use super::equations::{Equations, Row, SparseRow};
use super::frame::{self, Frame};
use super::scaling;
use crate::dynamics::{divide_terms, indexed};
use crate::expr::{ExprId, Graph, Node, Number};
use crate::model::{Role, RowName, System};
use crate::schedule::{Guard, Root};
use crate::solve::{self, Coefficients, Factors, Pivot, Sparse, Substituted};

/// The equations of motion, solved.
#[derive(Clone, Debug)]
pub struct Solved {
    /// v̇
    pub acceleration: Vec<ExprId>,
    /// q̇ and v̇ where the leaves of ω stand for that in the bodies' own frames; empty where none is told there.
    pub own_slope: Vec<ExprId>,
    /// M⁻¹ h
    pub free: Vec<ExprId>,
    /// J and M⁻¹ Jᵀ, one constraint after the other.
    pub blocks: Vec<Block>,
    /// The guards of M alone.
    pub mass_order: Vec<Root>,
    /// λ of the rows as written.
    pub multipliers: Vec<ExprId>,
    /// Jᵀ λ
    pub force: Vec<ExprId>,
    /// M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ b
    pub correction: Vec<ExprId>,
    /// J M⁻¹ Jᵀ of the rows as solved, the lower triangle, row by row.
    pub delassus: Vec<ExprId>,
    /// Guards and parts of v̇, in the order of computation.
    pub order: Vec<Root>,
    /// The same of λ and Jᵀ λ.
    pub force_order: Vec<Root>,
    /// The same of the correction.
    pub correction_order: Vec<Root>,
    /// The same of what is told in the bodies' own frames.
    pub own_order: Vec<Root>,
    /// Names of the parts of v̇.
    pub names: Vec<(ExprId, String)>,
    /// The same of λ and Jᵀ λ.
    pub force_names: Vec<(ExprId, String)>,
    /// What is left to the run time, where rows may follow from each other.
    pub normal: Option<NormalEquations>,
}

/// The rows of one constraint.
#[derive(Clone, Debug)]
pub struct Block {
    /// The velocities that J or M⁻¹ Jᵀ speaks of.
    pub velocities: Vec<usize>,
    /// Their entries of J, row by row.
    pub jacobian: Vec<ExprId>,
    /// The same of M⁻¹ Jᵀ.
    pub weighted: Vec<ExprId>,
}

/// (J M⁻¹ Jᵀ) λ = b, whose matrix may be singular: solved at run time for multipliers that are leaves here.
#[derive(Clone, Debug)]
pub struct NormalEquations {
    /// The lower triangle of the matrix, row by row.
    pub matrix: Vec<ExprId>,
    /// b of the equations of motion in units of acceleration.
    pub right: Vec<ExprId>,
    /// The same in units of force.
    pub force_right: Vec<ExprId>,
    /// b in units of acceleration where the leaves of ω stand for that in the bodies' own frames.
    pub own_right: Vec<ExprId>,
    /// b of a correction.
    pub correction: Vec<ExprId>,
}

/// M⁻¹ applied: to h, and to every row of J.
struct Weighted {
    /// M⁻¹ h
    free: Vec<ExprId>,
    /// M⁻¹ h/w
    pushed: Vec<ExprId>,
    /// M⁻¹ Jᵀ/w, row by row
    rows: Vec<SparseRow>,
    /// Where M is diagonal, the inverse masses in units of w: the rows are J then, not multiplied by them.
    masses: Option<Vec<ExprId>>,
    /// w, taken out where all inverse masses are multiples of one.
    common: ExprId,
    /// The elimination of M, where M is not diagonal.
    factors: Option<Factors>,
}

/// Solves the equations of motion.
pub fn solve(system: &mut System, equations: &Equations) -> Solved {
    let m = equations.rows.len();
    let right = leaves(system, m, Role::RightHandSide, "b");
    let redundant = system.options.redundant && m > 0;
    let given = redundant.then(|| leaves(system, m, Role::Multiplier, "lambda"));
    let graph = &mut system.model.graph;
    let weighted = weigh(graph, equations);
    let matrix = delassus(graph, &equations.rows, &weighted);
    let factors = match redundant {
        true => Factors::default(),
        false => solve::factor(graph, &matrix, Coefficients::InPlace),
    };
    let one = graph.number(Number::ONE);
    let rows = equations.rows.iter();
    let b: Vec<ExprId> = rows
        .map(|row| accelerating(graph, row, &weighted))
        .collect();
    let rows = equations.rows.iter();
    let force_b: Vec<ExprId> = rows.map(|row| forcing(graph, row, &weighted)).collect();
    let solve = |graph: &mut Graph, b: &[ExprId]| match &given {
        Some(unknowns) => Substituted::given(unknowns),
        None => factors.solve(graph, b),
    };
    let (found, found_force) = (solve(graph, &b), solve(graph, &force_b));
    let n = equations.applied.len();
    let moved = weighted.combine(graph, n, &found.unknowns);
    let acceleration: Vec<ExprId> = (0..n)
        .map(|i| graph.add(weighted.free[i], moved[i]))
        .collect();
    let rows: Vec<SparseRow> = equations.rows.iter().map(scaled_row).collect();
    let force = combine(graph, n, &rows, &found_force.unknowns);
    let pairs = equations.rows.iter().zip(&found_force.unknowns);
    let multipliers = pairs.map(|(row, &x)| graph.div(x, row.scaled.content));
    let multipliers = multipliers.collect();
    let mass_order = mass_order(graph, equations, &weighted);
    let in_order = |graph: &Graph, found| order(graph, &mass_order, &factors, found);
    let (order, force_order) = (in_order(graph, &found), in_order(graph, &found_force));
    let scaled = equations.rows.iter().zip(right);
    let scaled: Vec<ExprId> = scaled
        .map(|(row, b)| graph.div(b, row.scaled.content))
        .collect();
    let corrected = solve(graph, &scaled);
    let correction = weighted.combine(graph, n, &corrected.unknowns);
    let correction_order = in_order(graph, &corrected);
    let blocks = blocks(graph, &system.rows, equations, &weighted);
    let lower = (0..matrix.n).flat_map(|i| (0..=i).map(move |j| (i, j)));
    let delassus = lower.filter_map(|(i, j)| matrix.get(i, j)).collect();
    let velocities: Vec<ExprId> = system.coordinates.iter().map(|c| c.velocity).collect();
    let own = own(graph, equations, &velocities, [&acceleration, &b], &order);
    let normal = redundant.then(|| NormalEquations {
        matrix: dense_lower(&matrix, graph.zero()),
        right: b,
        force_right: force_b,
        own_right: own.right,
        correction: scaled,
    });
    let in_world = |graph: &mut Graph, x: &[ExprId]| {
        frame::all_turned(graph, &equations.frames, x, Frame::world)
    };
    let [acceleration, free, force, correction] =
        [&acceleration, &weighted.free, &force, &correction].map(|x| in_world(graph, x));
    let per_mass = if weighted.common == one {
        "lambda"
    } else {
        "lambda_per_mass"
    };
    let names_of = |letter, found: &Substituted| names(&factors, letter, &found.unknowns, graph);
    let (names, force_names) = (names_of(per_mass, &found), names_of("lambda", &found_force));
    Solved {
        acceleration,
        own_slope: own.slope,
        free,
        blocks,
        mass_order,
        multipliers,
        force,
        correction,
        delassus,
        order,
        force_order,
        correction_order,
        own_order: own.order,
        names,
        force_names,
        normal,
    }
}

/// What is computed of bodies told in their own frames.
#[derive(Default)]
struct Own {
    /// q̇, then v̇.
    slope: Vec<ExprId>,
    /// b of the equations of motion.
    right: Vec<ExprId>,
    order: Vec<Root>,
}

/// v̇ and b, made of ω, as they are made of Rᵀω of the bodies that steps carry in their own frames. Those that are
/// solved there are told there already.
fn own(
    graph: &mut Graph,
    equations: &Equations,
    velocities: &[ExprId],
    [acceleration, right]: [&[ExprId]; 2],
    order: &[Root],
) -> Own {
    if equations.stepped.is_empty() {
        return Own::default();
    }
    let solved = |frame: &Frame| equations.frames.iter().any(|it| it.body == frame.body);
    let others = equations.stepped.iter().filter(|frame| !solved(frame));
    let others: Vec<Frame> = others.cloned().collect();
    let acceleration = frame::all_turned(graph, &others, acceleration, Frame::own);
    let early = order.iter().filter_map(|root| match root {
        Root::Early(id) => Some(*id),
        _ => None,
    });
    let roots = acceleration.iter().chain(right).copied();
    let roots: Vec<ExprId> = roots.chain(early).collect();
    let map = frame::of_own_spins(graph, &equations.stepped, velocities);
    let map = graph.substitute(roots, map);
    let put_in = |ids: &[ExprId]| -> Vec<ExprId> { ids.iter().map(|id| map[id]).collect() };
    // Pivots are made of places alone.
    let order = order.iter().map(|root| match root {
        Root::Early(id) => Root::Early(map[id]),
        other => *other,
    });
    Own {
        slope: [equations.own_kinematics.clone(), put_in(&acceleration)].concat(),
        right: put_in(right),
        order: order.collect(),
    }
}

fn dense_lower(matrix: &Sparse, zero: ExprId) -> Vec<ExprId> {
    let lower = (0..matrix.n).flat_map(|i| (0..=i).map(move |j| (i, j)));
    let entries = lower.map(|(i, j)| matrix.get(i, j).unwrap_or(zero));
    entries.collect()
}

/// New leaves `b_0`, `b_1`, …
fn leaves(system: &mut System, count: usize, role: fn(usize) -> Role, name: &str) -> Vec<ExprId> {
    let model = &mut system.model;
    let leaf = |i| model.add_leaf(role(i), format!("{name}_{i}"));
    (0..count).map(leaf).collect()
}

/// The row as it is solved, by coordinate.
fn scaled_row(row: &Row) -> SparseRow {
    let entries = row.own.iter().zip(&row.scaled.jacobian);
    entries.map(|(&(i, _), &entry)| (i, entry)).collect()
}

fn weigh(graph: &mut Graph, equations: &Equations) -> Weighted {
    let rows: Vec<SparseRow> = equations.rows.iter().map(scaled_row).collect();
    let n = equations.applied.len();
    let one = graph.number(Number::ONE);
    if let Some(inverse) = &equations.inverse {
        return weigh_by_inverse(graph, equations, &rows, inverse);
    }
    if !equations.mass.is_diagonal() {
        return weigh_by_elimination(graph, equations, &rows);
    }
    let masses: Vec<ExprId> = (0..n)
        .map(|i| equations.mass.get(i, i).unwrap_or(one))
        .collect();
    let free = masses.iter().zip(&equations.applied);
    let free: Vec<ExprId> = free.map(|(&m, &h)| divided(graph, h, m)).collect();
    let (common, ratios) = common_mass(graph, &masses);
    let pushed = match common == one {
        true => free.clone(),
        false => {
            let pairs = ratios.iter().zip(&equations.applied);
            pairs.map(|(&ratio, &h)| graph.mul(ratio, h)).collect()
        }
    };
    Weighted {
        free,
        pushed,
        rows,
        masses: Some(ratios),
        common,
        factors: None,
    }
}

impl Weighted {
    /// An entry of M⁻¹ Jᵀ/w times x: a flat product, from which sums take the mass that their terms share.
    fn times(&self, graph: &mut Graph, (i, entry): (usize, ExprId), x: ExprId) -> ExprId {
        match &self.masses {
            Some(masses) => graph.product(&[(masses[i], 1), (entry, 1), (x, 1)]),
            None => graph.mul(entry, x),
        }
    }

    /// M⁻¹ Jᵀ x/w
    fn combine(&self, graph: &mut Graph, n: usize, x: &[ExprId]) -> Vec<ExprId> {
        let mut terms: Vec<Vec<(ExprId, Number)>> = vec![Vec::new(); n];
        for (row, &x) in self.rows.iter().zip(x) {
            for &(i, entry) in row {
                terms[i].push((self.times(graph, (i, entry), x), Number::ONE));
            }
        }
        terms.iter().map(|terms| graph.sum(terms)).collect()
    }
}

/// M⁻¹ = D⁻¹ M̂⁻¹ D⁻¹/w by elimination of M̂.
fn weigh_by_elimination(graph: &mut Graph, equations: &Equations, rows: &[SparseRow]) -> Weighted {
    let positive = equations.masses.iter().copied();
    let positive = positive.chain(equations.inertias_of_coordinates());
    let positive: Vec<ExprId> = positive.collect();
    let scaled = scaling::scaled(graph, &equations.mass, &positive);
    let factors = solve::factor(graph, &scaled.mass, Coefficients::InPlace);
    let solved = |graph: &mut Graph, right: &[ExprId]| -> Vec<ExprId> {
        let right = right.iter().zip(&scaled.scales);
        let right: Vec<ExprId> = right.map(|(&b, &d)| graph.reduced(b, d)).collect();
        let x = factors.solve(graph, &right).unknowns;
        let x = x.iter().zip(&scaled.scales);
        x.map(|(&x, &d)| graph.reduced(x, d)).collect()
    };
    let applied = equations.applied.iter();
    let reduced: Vec<ExprId> = applied.map(|&h| graph.reduced(h, scaled.common)).collect();
    let free = solved(graph, &reduced);
    let pushed = solved(graph, &equations.applied);
    let weighed = rows.iter().map(|row| {
        let mut right = vec![graph.zero(); equations.applied.len()];
        row.iter().for_each(|&(i, entry)| right[i] = entry);
        let entries = solved(graph, &right).into_iter().enumerate();
        entries.filter(|&(_, x)| !graph.is_zero(x)).collect()
    });
    Weighted {
        free,
        pushed,
        rows: weighed.collect(),
        masses: None,
        common: graph.recip(scaled.common),
        factors: Some(factors),
    }
}

/// M⁻¹ known: where it is diagonal, entries are divided, elsewhere multiplied.
fn weigh_by_inverse(
    graph: &mut Graph,
    equations: &Equations,
    rows: &[SparseRow],
    inverse: &Sparse,
) -> Weighted {
    let mut columns: Vec<SparseRow> = vec![Vec::new(); inverse.n];
    for (&(i, j), &entry) in &inverse.entries {
        columns[j].push((i, entry));
        if i != j {
            columns[i].push((j, entry));
        }
    }
    let apply = |graph: &mut Graph, x: &SparseRow| {
        let mut terms: std::collections::BTreeMap<usize, Vec<(ExprId, Number)>> =
            Default::default();
        for &(j, x) in x {
            for &(i, entry) in &columns[j] {
                let product = match (&columns[j][..], equations.mass.get(j, j)) {
                    ([_], Some(m)) => divided(graph, x, m),
                    _ => graph.mul(entry, x),
                };
                terms.entry(i).or_default().push((product, Number::ONE));
            }
        }
        let sums = terms.into_iter();
        let mut row: SparseRow = sums.map(|(i, terms)| (i, graph.sum(&terms))).collect();
        row.retain(|&(_, x)| !graph.is_zero(x));
        row
    };
    let applied = equations.applied.iter().copied().enumerate().collect();
    let mut free = vec![graph.zero(); inverse.n];
    for (i, x) in apply(graph, &applied) {
        free[i] = x;
    }
    Weighted {
        pushed: free.clone(),
        free,
        rows: rows.iter().map(|row| apply(graph, row)).collect(),
        masses: None,
        common: graph.number(Number::ONE),
        factors: None,
    }
}

/// −β − J M⁻¹ h
fn accelerating(graph: &mut Graph, row: &Row, weighted: &Weighted) -> ExprId {
    let pushed = dot(graph, &scaled_row(row), &weighted.free);
    graph.sum(&[
        (row.scaled.bias, Number::MINUS_ONE),
        (pushed, Number::MINUS_ONE),
    ])
}

/// −β/w − J W h, divided by w last where M⁻¹ h is the shorter one, as that of a weight m g.
fn forcing(graph: &mut Graph, row: &Row, weighted: &Weighted) -> ExprId {
    let size = |graph: &Graph, id: ExprId| graph.reachable([id]).len();
    let scaled = scaled_row(row);
    let (falls, pushed): (SparseRow, SparseRow) = scaled
        .into_iter()
        .partition(|&(i, _)| size(graph, weighted.free[i]) < size(graph, weighted.pushed[i]));
    let falling = dot(graph, &falls, &weighted.free);
    let moving = graph.add(row.scaled.bias, falling);
    let moving = graph.div(moving, weighted.common);
    let pushed = dot(graph, &pushed, &weighted.pushed);
    graph.sum(&[(moving, Number::MINUS_ONE), (pushed, Number::MINUS_ONE)])
}

/// h/m
fn divided(graph: &mut Graph, h: ExprId, m: ExprId) -> ExprId {
    match has_sum(graph, m) {
        true => graph.div(h, m),
        // So that a weight becomes g.
        false => divide_terms(graph, h, m),
    }
}

fn has_sum(graph: &Graph, id: ExprId) -> bool {
    let reachable = graph.reachable([id]);
    reachable
        .iter()
        .any(|&id| matches!(graph.node(id), Node::Sum { .. }))
}

/// w and the inverse masses in units of it: numbers where all masses are multiples of one, else w = 1.
pub fn common_mass(graph: &mut Graph, masses: &[ExprId]) -> (ExprId, Vec<ExprId>) {
    let one = graph.number(Number::ONE);
    let first = masses.first().copied().unwrap_or(one);
    let ratios: Vec<ExprId> = masses.iter().map(|&m| graph.div(first, m)).collect();
    match ratios.iter().all(|&ratio| graph.as_number(ratio).is_some()) {
        true => (graph.recip(first), ratios),
        false => (one, masses.iter().map(|&m| graph.recip(m)).collect()),
    }
}

/// J′ M⁻¹ J′ᵀ
fn delassus(graph: &mut Graph, rows: &[Row], weighted: &Weighted) -> Sparse {
    let mut matrix = Sparse {
        n: rows.len(),
        ..Sparse::default()
    };
    let mut by_coordinate: std::collections::BTreeMap<usize, Vec<(usize, ExprId)>> =
        Default::default();
    let mut terms: std::collections::BTreeMap<(usize, usize), Vec<(ExprId, Number)>> =
        Default::default();
    for (r, row) in rows.iter().enumerate() {
        for (i, entry) in scaled_row(row) {
            by_coordinate.entry(i).or_default().push((r, entry));
        }
    }
    for (r, row) in weighted.rows.iter().enumerate() {
        for &(i, entry) in row {
            for &(s, other) in by_coordinate.get(&i).into_iter().flatten() {
                if s <= r {
                    let product = weighted.times(graph, (i, entry), other);
                    terms
                        .entry((r, s))
                        .or_default()
                        .push((product, Number::ONE));
                }
            }
        }
    }
    for ((r, s), terms) in terms {
        let sum = graph.sum(&terms);
        if !graph.is_zero(sum) {
            matrix.entries.insert((r, s), sum);
        }
    }
    matrix
}

/// Σ row·x
fn combine(graph: &mut Graph, n: usize, rows: &[SparseRow], x: &[ExprId]) -> Vec<ExprId> {
    let mut terms: Vec<Vec<(ExprId, Number)>> = vec![Vec::new(); n];
    for (row, &x) in rows.iter().zip(x) {
        for &(i, entry) in row {
            terms[i].push((graph.mul(entry, x), Number::ONE));
        }
    }
    terms.iter().map(|terms| graph.sum(terms)).collect()
}

fn dot(graph: &mut Graph, row: &SparseRow, x: &[ExprId]) -> ExprId {
    let terms: Vec<_> = row
        .iter()
        .map(|&(i, entry)| (graph.mul(entry, x[i]), Number::ONE))
        .collect();
    graph.sum(&terms)
}

/// Consecutive rows of one constraint, with the velocities that any of them speaks of.
fn blocks(
    graph: &mut Graph,
    names: &[RowName],
    equations: &Equations,
    weighted: &Weighted,
) -> Vec<Block> {
    let same = |a: &RowName, b: &RowName| a.base == b.base && a.index == b.index;
    let mut blocks = Vec::new();
    let mut first = 0;
    for names in names.chunk_by(same) {
        let rows = first..first + names.len();
        first = rows.end;
        blocks.push(block(graph, equations, weighted, rows));
    }
    blocks
}

fn block(
    graph: &mut Graph,
    equations: &Equations,
    weighted: &Weighted,
    numbers: Range<usize>,
) -> Block {
    let frames = &equations.frames;
    let one = graph.number(Number::ONE);
    let weighed = weighted.rows[numbers.clone()].iter().map(|row| {
        let row = row
            .iter()
            .map(|&(i, entry)| (i, weighted.times(graph, (i, entry), one)));
        let row: SparseRow = row.collect();
        frame::turned(graph, frames, &row, Frame::world)
    });
    let weighed: Vec<SparseRow> = weighed.collect();
    let rows = &equations.rows[numbers];
    let all = rows
        .iter()
        .map(|row| &row.jacobian)
        .chain(&weighed)
        .flatten();
    let velocities: BTreeSet<usize> = all.map(|&(i, _)| i).collect();
    let velocities: Vec<usize> = velocities.into_iter().collect();
    let zero = graph.zero();
    let dense = |row: &SparseRow| {
        let entry = |i: &usize| row.iter().find(|(k, _)| k == i).map_or(zero, |&(_, it)| it);
        velocities.iter().map(entry).collect::<Vec<ExprId>>()
    };
    let jacobian = rows.iter().flat_map(|row| dense(&row.jacobian));
    let jacobian = jacobian.collect();
    let scaled = rows.iter().zip(&weighed).flat_map(|(row, weighed)| {
        let unscaled = graph.mul(row.scaled.content, weighted.common);
        let weighed: Vec<ExprId> = dense(weighed)
            .iter()
            .map(|&it| graph.mul(unscaled, it))
            .collect();
        weighed
    });
    Block {
        jacobian,
        weighted: scaled.collect(),
        velocities,
    }
}

/// Pivots of M, whose rows are counted after those of the constraints.
fn mass_order(graph: &Graph, equations: &Equations, weighted: &Weighted) -> Vec<Root> {
    let rows = equations.rows.len();
    let doubtful = equations.doubtful().into_iter().filter_map(|i| {
        let entry = equations.mass.get(i, i).unwrap_or(equations.zero);
        let pivot = Pivot {
            row: rows + i,
            pivot: entry,
            diagonal: entry,
            partner: None,
        };
        guard(graph, &pivot)
    });
    let factors = weighted.factors.iter();
    let eliminated = factors.flat_map(|factors| guards(graph, factors, rows));
    doubtful.chain(eliminated.flatten()).collect()
}

/// After the guards of M, pivot by pivot the elimination of J M⁻¹ Jᵀ with its right-hand side; then the
/// unknowns, last first.
fn order(
    graph: &Graph,
    mass_order: &[Root],
    factors: &Factors,
    substituted: &Substituted,
) -> Vec<Root> {
    let Substituted { forward, unknowns } = substituted;
    let mut order = mass_order.to_vec();
    let rows = unknowns.len();
    let early = |&value: &ExprId| {
        let computed = rows > 1 && !matches!(graph.node(value), Node::Symbol(_));
        computed.then_some(Root::Early(value))
    };
    let (alone, paired) = forward.split_at(factors.alone());
    let mut guards = guards(graph, factors, 0).into_iter();
    for (value, guard) in alone.iter().zip(&mut guards) {
        order.extend(guard);
        order.extend(early(value));
    }
    let (guards, paired) = (guards.flatten(), paired.iter().filter_map(early));
    match alone.is_empty() {
        true => order.extend(guards.chain(paired)),
        // The right-hand sides fill the time in which the pivots wait for the divisions before.
        false => order.extend(paired.chain(guards)),
    }
    if rows > 1 {
        let backwards = factors.pivots().rev();
        order.extend(backwards.map(|pivot| Root::Early(unknowns[pivot.row])));
    }
    order
}

/// Row by row in the order of elimination; rows are counted from `first`.
fn guards(graph: &Graph, factors: &Factors, first: usize) -> Vec<Option<Root>> {
    let guard = |pivot: Pivot| {
        let row = first + pivot.row;
        guard(graph, &Pivot { row, ..pivot })
    };
    factors.pivots().map(guard).collect()
}

/// A pivot that cannot vanish needs no guard.
fn guard(graph: &Graph, pivot: &Pivot) -> Option<Root> {
    let certain = graph.is_positive(pivot.pivot);
    (!certain).then(|| Root::Guard(Guard::of(graph, pivot)))
}

fn names(
    factors: &Factors,
    letter: &str,
    unknowns: &[ExprId],
    graph: &Graph,
) -> Vec<(ExprId, String)> {
    let count = unknowns.len();
    let mut names = Vec::new();
    names.extend(
        factors
            .pivots()
            .map(|pivot| (pivot.pivot, pivot.name(count))),
    );
    for Pivot { row, .. } in factors.pivots() {
        names.push((unknowns[row], indexed(letter, row, count)));
    }
    names.retain(|(id, _)| !matches!(graph.node(*id), Node::Symbol(_) | Node::Number(_)));
    names
}
