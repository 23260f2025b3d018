//! Motion of body-fixed arms: the only place that knows ω×r.
//!
//! Input: the leaves of ω and of an arm r. Output: for each component u, u̇ = Σ aₖ ωₖ and ü with ω̇ = 0, and the aₖ.
//! These give, for any expression C of the leaves, its rate and bias (as seeds of Taylor propagation) and
//! its row of J, since Jₖ = Σ (∂C/∂u) aₖ: adjoints become columns of the velocities. The gradient g = ∂C/∂r
//! becomes the columns r×g of ω.
//!
//! Invariant: no rotation is ever differentiated; an arm is a leaf.

use crate::expr::{CollectVec, ExprId, Graph, Number};

/// ṙ = ω×r, r̈ = ω×(ω×r).
pub fn rates(graph: &mut Graph, spin: &[ExprId], r: &[ExprId]) -> [Vec<ExprId>; 2] {
    let first = turning(graph, spin, r);
    let second = turning(graph, spin, &first);
    [first, second]
}

/// ω×r; in the plane ω (−y, x).
pub fn turning(graph: &mut Graph, spin: &[ExprId], r: &[ExprId]) -> Vec<ExprId> {
    let slopes = slopes(graph, r);
    let rate = |slopes: &Vec<(usize, ExprId)>| {
        let terms = slopes
            .iter()
            .map(|&(k, a)| (graph.mul(spin[k], a), Number::ONE));
        let terms: Vec<_> = terms.collect_vec();
        graph.sum(&terms)
    };
    slopes.iter().map(rate).collect_vec()
}

/// ∂(ω×r)ᵢ/∂ωₖ, the entries of −r× that are not zero.
pub fn slopes(graph: &mut Graph, r: &[ExprId]) -> Vec<Vec<(usize, ExprId)>> {
    let minus: Vec<ExprId> = r.iter().map(|&r| graph.neg(r)).collect_vec();
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
