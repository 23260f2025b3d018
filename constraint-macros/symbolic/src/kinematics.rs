//! How body-fixed arms move: the one place that knows what ω does to them.
//!
//! Input: the leaves of ω and of an arm r. Output: for each component, u̇ = Σ aₖ ωₖ and ü where ω̇ = 0. From this follow,
//! for any expression C of the leaves, its rate and bias (as seeds of [`Taylor`](crate::diff::Taylor)) and its row of J,
//! since Jₖ = Σ (∂C/∂u) aₖ: an adjoint turned into the columns of the velocities. The gradient g = ∂C/∂r becomes the
//! columns r×g of ω.
//!
//! Invariant: no rotation is ever differentiated; an arm is a leaf.

use crate::expr::{ExprId, Graph, Number};

/// The motion of one component u.
#[derive(Clone, Debug)]
pub struct MovingLeaf {
    /// u
    pub leaf: ExprId,
    /// aₖ of u̇ = Σ aₖ ωₖ: the velocity's column and its factor.
    pub slopes: Vec<(usize, ExprId)>,
    /// u̇
    pub first: ExprId,
    /// ü where ω̇ = 0
    pub second: ExprId,
}

/// ṙ = ω×r, r̈ = ω×(ω×r), for a body whose ω begins at the given column.
pub fn arms(
    graph: &mut Graph,
    spin: &[ExprId],
    r: &[ExprId],
    first_column: usize,
) -> Vec<MovingLeaf> {
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
pub fn turning(graph: &mut Graph, spin: &[ExprId], r: &[ExprId]) -> Vec<ExprId> {
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
