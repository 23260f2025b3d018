//! How the leaves of a graph move: the one place that knows what a velocity does to them.
//!
//! Input: a model's leaves. Output: for each, u̇ = Σ aₖ vₖ + ∂u/∂t and ü where v̇ = 0. From this follow, for any
//! expression C of the leaves, its rate and bias (as seeds of [`Taylor`]) and its row of J, since
//! Jₖ = Σ (∂C/∂u) aₖ: an adjoint turned into the columns of the velocities. For a body-fixed arm r, which
//! moves with ω×r, the gradient g = ∂C/∂r becomes the columns r×g of ω.
//!
//! Invariant: no rotation is ever differentiated; an arm is a leaf, and so is an angle's rate.

use crate::diff::{Taylor, gradient};
use crate::expr::{ExprId, Graph, Number, SymbolId};
use crate::model::{Body, Model, Role};

/// The motion of one leaf u.
#[derive(Clone, Debug)]
pub struct MovingLeaf {
    /// u
    pub leaf: ExprId,
    /// aₖ of u̇ = Σ aₖ vₖ + ∂u/∂t: the velocity's column and its factor.
    pub slopes: Vec<(usize, ExprId)>,
    /// u̇
    pub first: ExprId,
    /// ü where v̇ = 0
    pub second: ExprId,
}

/// The motion of the time, and of the places and arms of all bodies.
pub fn of_bodies(model: &mut Model) -> Vec<MovingLeaf> {
    let mut leaves: Vec<MovingLeaf> = time(model).into_iter().collect();
    let per_body = model.body_velocities();
    let graph = &mut model.graph;
    for (index, body) in model.bodies.iter().enumerate() {
        leaves.extend(places(graph, body, index * per_body));
    }
    for arm in &model.arms {
        let body = &model.bodies[arm.body];
        let first_spin = arm.body * per_body + body.velocity.len();
        leaves.extend(arms(graph, body, &arm.leaves, first_spin));
    }
    leaves
}

/// t moves with (1, 0).
fn time(model: &mut Model) -> Option<MovingLeaf> {
    let time = model.symbols.iter().position(|s| s.role == Role::Time)?;
    let graph = &mut model.graph;
    Some(MovingLeaf {
        leaf: graph.symbol(SymbolId::new(time)),
        slopes: Vec::new(),
        first: graph.number(Number::ONE),
        second: graph.zero(),
    })
}

/// ṗ = v, p̈ = 0.
fn places(graph: &mut Graph, body: &Body, first_column: usize) -> Vec<MovingLeaf> {
    let (zero, one) = (graph.zero(), graph.number(Number::ONE));
    let pairs = body.position.iter().zip(&body.velocity).enumerate();
    pairs
        .map(|(i, (&leaf, &velocity))| MovingLeaf {
            leaf,
            slopes: vec![(first_column + i, one)],
            first: velocity,
            second: zero,
        })
        .collect()
}

/// ṙ = ω×r, r̈ = ω×(ω×r), for a body whose ω begins at the given column.
pub fn arms(graph: &mut Graph, body: &Body, r: &[ExprId], first_column: usize) -> Vec<MovingLeaf> {
    let spin = &body.angular_velocity;
    let first = turning(graph, spin, r);
    let second = turning(graph, spin, &first);
    let slopes = spin_slopes(graph, r);
    let mut list = Vec::with_capacity(r.len());
    for (i, slopes) in slopes.into_iter().enumerate() {
        let slopes = slopes.into_iter().map(|(k, a)| (first_column + k, a));
        list.push(MovingLeaf {
            leaf: r[i],
            slopes: slopes.collect(),
            first: first[i],
            second: second[i],
        });
    }
    list
}

/// ω×r; in the plane ω (−y, x).
fn turning(graph: &mut Graph, spin: &[ExprId], r: &[ExprId]) -> Vec<ExprId> {
    let slopes = spin_slopes(graph, r);
    let rate = |slopes: &Vec<(usize, ExprId)>| {
        let terms = slopes
            .iter()
            .map(|&(k, a)| (graph.mul(spin[k], a), Number::ONE));
        let terms: Vec<_> = terms.collect();
        graph.sum(&terms)
    };
    slopes.iter().map(rate).collect()
}

/// ∂(ω×r)ᵢ/∂ωₖ, the entries of −r× that are not zero.
fn spin_slopes(graph: &mut Graph, r: &[ExprId]) -> Vec<Vec<(usize, ExprId)>> {
    let minus: Vec<ExprId> = r.iter().map(|&r| graph.neg(r)).collect();
    match *r {
        [x, _] => vec![vec![(0, minus[1])], vec![(0, x)]],
        [x, y, z] => vec![
            vec![(1, z), (2, minus[1])],
            vec![(0, minus[2]), (2, x)],
            vec![(0, y), (1, minus[0])],
        ],
        _ => Vec::new(),
    }
}

/// The propagation along this motion.
pub fn motion(leaves: &[MovingLeaf]) -> Taylor {
    Taylor::new(leaves.iter().map(|it| (it.leaf, it.first, it.second)))
}

/// The row of J of one expression, for so many velocities.
pub fn jacobian_row(
    graph: &mut Graph,
    leaves: &[MovingLeaf],
    root: ExprId,
    velocities: usize,
) -> Vec<ExprId> {
    let variables: Vec<ExprId> = leaves.iter().map(|it| it.leaf).collect();
    let gradient = gradient(graph, root, &variables);
    let mut columns: Vec<Vec<(ExprId, Number)>> = vec![Vec::new(); velocities];
    for (leaf, &adjoint) in leaves.iter().zip(&gradient) {
        for &(column, slope) in &leaf.slopes {
            columns[column].push((graph.mul(adjoint, slope), Number::ONE));
        }
    }
    columns.iter().map(|terms| graph.sum(terms)).collect()
}
