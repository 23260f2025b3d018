//! Velocities moved onto Ċ = 0 and v̇ there, from one factorisation.
//!
//! ```text
//! (J W Jᵀ) μ = Ċ(v),   v′ = v − W Jᵀ μ,   (J W Jᵀ) wλ = −β(v′) − J M⁻¹ h(v′)
//! ```
//! J and W depend on places alone, so that both systems have the same pivots.

use crate::dynamics::{self, Equations, Frame};
use crate::expr::{CollectVec, ExprId, Graph, Map, Number, PushEach};
use crate::schedule::{Meaning, Root};
use crate::solve::{Computed, Schur};

/// v′, then v̇ at v′, of v̇ as it is computed at v.
pub fn projected(
    graph: &mut Graph,
    equations: &Equations,
    schur: &Schur,
    velocities: &[ExprId],
    acceleration: &Computed,
    meanings: &mut Vec<(ExprId, Meaning)>,
) -> Computed {
    let rates: Vec<ExprId> = equations.rows.iter().map(|row| row.rate).collect_vec();
    let rates = schur.side(graph, &rates);
    let stopped = schur.solve(graph, &rates, "");
    let numbered = rates.iter().enumerate();
    meanings.push_each(numbered.map(|(r, &rate)| (rate, Meaning::Rate(r))));
    meanings.extend(&stopped.meanings);
    let change = schur.velocity_changes(graph, &stopped.unknowns);
    let change = dynamics::all_turned(graph, &equations.frames, &change, Frame::world);
    let pairs = velocities.iter().zip(change);
    // Expressions of the new velocities take each as a whole.
    let projected = pairs.map(|(&v, change)| {
        let difference = graph.sum(&[(v, Number::ONE), (change, Number::MINUS_ONE)]);
        (v, graph.whole(difference))
    });
    let map: Map<ExprId, ExprId> = projected.collect();
    let roots = acceleration.roots().flat_map(Root::values);
    let named = acceleration.names.iter().map(|&(id, _)| id);
    let all = roots.chain(named);
    let all: Vec<ExprId> = all
        .chain(acceleration.unknowns.iter().copied())
        .collect_vec();
    let there = graph.substitute(all, map);
    let meant = meanings.iter();
    let meant = meant.filter_map(|&(id, meaning)| Some((*there.get(&id)?, meaning)));
    let meant: Vec<(ExprId, Meaning)> = meant.collect_vec();
    meanings.push_each(meant);
    let moved = acceleration.mapped(|id| there[&id]);
    let velocities = velocities.iter().map(|v| there[v]);
    let later = moved.order.iter().filter(|it| !stopped.order.contains(it));
    Computed {
        order: stopped.order.iter().chain(later).copied().collect_vec(),
        outputs: velocities.chain(moved.outputs).collect_vec(),
        ..moved
    }
}
