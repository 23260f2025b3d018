//! Which values scalar replacement keeps.

use constraint_symbolic::expr::{ExprId, Function, Graph, SymbolId};
use constraint_symbolic::families::{Index, Loop, Store, scalar_replacement};

use crate::interpreter::{Array, Kernel, Routine, Write};

fn even(first: usize) -> Index {
    Index::Even { first, step: 1 }
}

fn set(array: Array) -> Write {
    Write(Store::set(array, 0))
}

/// The number of kept values if, in ten rounds, one item computes exp(x_i) + exp(x_(i+1)), and another, before it or
/// after it, writes x at `to`.
fn kept(to: Index, before: bool) -> usize {
    let (mut graph, mut leaves) = (Graph::new(), 0..);
    let mut new_leaf = |graph: &mut Graph, _: &str| -> (SymbolId, ExprId) {
        let symbol = SymbolId::new(leaves.next().expect("a number"));
        (symbol, graph.symbol(symbol))
    };
    let [here, next, given] = [(); 3].map(|()| new_leaf(&mut graph, ""));
    let terms = [here.1, next.1].map(|x| graph.call(Function::Exp, &[x]));
    let reader = Kernel {
        reads: vec![(here.0, Array::Work, 0), (next.0, Array::Work, 1)],
        roots: vec![graph.add(terms[0], terms[1])],
        writes: vec![set(Array::Sum)],
    };
    let writer = Kernel {
        reads: vec![(given.0, Array::Given, 0)],
        roots: vec![given.1],
        writes: vec![set(Array::Work)],
    };
    let mut body = vec![(0, vec![even(0), even(1)]), (1, vec![to])];
    if before {
        body.reverse();
    }
    let it = Loop {
        body,
        rounds: 10,
        table: Vec::new(),
        per_column: false,
    };
    let mut routine = Routine {
        kernels: vec![reader, writer],
        loops: vec![it],
        ..Routine::default()
    };
    scalar_replacement::replace(&mut routine, 0, &mut graph, &mut new_leaf);
    let kernels = routine.kernels.iter();
    let places = kernels.flat_map(|kernel| &kernel.reads);
    places.filter(|read| read.1 == Array::Kept).count()
}

#[test]
fn an_exponential_is_kept_for_the_next_round() {
    // The writes are far ahead, or follow all reads.
    assert_eq!(kept(even(20), false), 1);
    assert_eq!(kept(even(0), false), 1);
}

#[test]
fn a_value_that_is_written_in_between_is_read() {
    // x_(i+1) of the next round, before it is read there.
    assert_eq!(kept(even(0), true), 0);
}

#[test]
fn a_value_that_is_written_for_the_next_round_is_kept() {
    // x_(i+1) after it is read: no exponential can be kept, but the value is.
    assert_eq!(kept(even(1), false), 1);
    assert_eq!(kept(Index::Table(0, 0), false), 0);
}
