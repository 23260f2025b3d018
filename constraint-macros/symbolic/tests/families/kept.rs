//! Which values scalar replacement keeps.

use constraint_symbolic::expr::{ExprId, Function, Graph, SymbolId};
use constraint_symbolic::families::rerolling::roll;
use constraint_symbolic::families::{Index, Item, Loop, Store, scalar_replacement};

use crate::interpreter::{Array, Kernel, Routine, State, Write};

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
        step: None,
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

/// One item writes element 0 of an array; in ten rounds, one item reads element i and another writes element i + 1; one
/// item reads element 10.
fn passed_on(array: Array, reader_first: bool) {
    let (mut graph, mut leaves) = (Graph::new(), 0..);
    let mut new_leaf = |graph: &mut Graph, _: &str| -> (SymbolId, ExprId) {
        let symbol = SymbolId::new(leaves.next().expect("a number"));
        (symbol, graph.symbol(symbol))
    };
    let mut copies = |from: Array, to: Array| {
        let (symbol, leaf) = new_leaf(&mut graph, "");
        Kernel {
            reads: vec![(symbol, from, 0)],
            roots: vec![leaf],
            writes: vec![Write(Store::set(to, 1))],
        }
    };
    let kernels = vec![copies(Array::Given, array), copies(array, Array::Work)];
    let write = |index: usize| Item {
        kernel: 0,
        indices: vec![index, index],
    };
    let read = |index: usize| Item {
        kernel: 1,
        indices: vec![index, 100 + index],
    };
    let mut loops = vec![Loop::once(0, [0, 0])];
    let rounds = (0..10).flat_map(|i| {
        if reader_first {
            [read(i), write(i + 1)]
        } else {
            [write(i + 1), read(i)]
        }
    });
    loops.extend(roll(&rounds.collect::<Vec<_>>(), 4));
    loops.push(Loop::once(1, [10, 110]));
    let mut routine = Routine {
        kernels,
        loops,
        ..Routine::default()
    };
    assert!(routine.loops.iter().any(|it| it.rounds == 10));
    let before = State::of(&graph, &routine);
    scalar_replacement::replace(&mut routine, 0, &mut graph, &mut new_leaf);
    assert!(routine.kept > 0, "{array:?}");
    let after = State::of(&graph, &routine);
    assert_eq!(after.results(), before.results(), "{array:?}");
    assert!(before.results().len() >= 11);
}

#[test]
fn values_enter_and_leave_a_loop_that_keeps_them() {
    passed_on(Array::Passing, true);
    passed_on(Array::Work, true);
    passed_on(Array::Once, false);
}
