//! Arrays that begin without zeros: round by round, nothing of them is read that was not written.

use std::collections::BTreeSet;

use constraint_symbolic::families::Index;
use constraint_symbolic::function::Body;
use constraint_symbolic::function::assignment::Assignment;
use constraint_symbolic::function::loops::{Loops, shared};
use constraint_symbolic::function::system::{functions, names};
use constraint_symbolic::system::Derived;
use constraint_symbolic::system::loops::routine::{Array, Write};

use crate::random::Random;
use crate::{CASES, derived, grammar, points};

fn is_given(array: Array) -> bool {
    array.is_argument()
        || matches!(
            array,
            Array::Parameter(..) | Array::Input(..) | Array::Tangent(_)
        )
}

/// The arrays of which a place is read before it is written, and the places of the result that are.
fn replayed(loops: &Loops<'_>) -> (BTreeSet<Array>, BTreeSet<usize>) {
    let (mut unset, mut written) = (BTreeSet::new(), BTreeSet::new());
    for it in &loops.routine.loops {
        for round in 0..it.rounds {
            for (number, indices) in &it.body {
                let kernel = &loops.routine.kernels[*number];
                let place = |at: usize| match indices[at] {
                    Index::Table(column, ahead) => it.table[round][column] + ahead,
                    index => index.at(round).expect("a place"),
                };
                for (symbol, array, at) in &kernel.reads {
                    let is_read = loops.kernels[*number].leaves.contains_key(symbol);
                    if is_read && !is_given(*array) && !written.contains(&(*array, place(*at))) {
                        unset.insert(shared(*array));
                    }
                }
                for write in &kernel.writes {
                    if let Write::Set(array, at) | Write::Add(array, at) = *write {
                        let is_new = written.insert((array, place(at)));
                        if is_new && matches!(write, Write::Add(..)) {
                            unset.insert(shared(array));
                        }
                    }
                }
            }
        }
    }
    let results = written.into_iter().filter(|it| it.0 == Array::Output);
    (unset, results.map(|it| it.1).collect())
}

/// How many functions in loops need no zeros at all, after what is said of each was seen to be true.
fn check(derived: &Derived, text: &str) -> usize {
    let names = names(&derived.system);
    let mut without = 0;
    for function in functions(derived, &names) {
        let Body::Loops(loops) = &function.body else {
            continue;
        };
        let assignment = Assignment::of(loops);
        let (unset, results) = replayed(loops);
        for array in &unset {
            let name = function.signature.name;
            assert!(
                assignment.needs_zeros(*array),
                "{array:?} of {name}\n{text}"
            );
        }
        let whole = results.iter().copied().eq(0..results.len());
        let said = assignment.is_whole(Array::Output, results.len());
        assert!(whole || !said, "{}\n{text}", function.signature.name);
        without += usize::from(loops.arrays().iter().all(|it| !assignment.needs_zeros(*it)));
    }
    without
}

#[test]
fn nothing_is_read_before_it_is_written() {
    let systems = [grammar::system, points::system].into_iter();
    let without = systems.flat_map(|system| {
        (0..CASES / 4).map(move |seed| {
            let text = system(&mut Random::new(seed));
            derived("rolled", &text).map_or(0, |it| check(&it, &text))
        })
    });
    assert!(without.sum::<usize>() > 0);
}

#[test]
fn a_chain_needs_no_zeros() {
    let chain = "struct S { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }
        particle bead[64]: Point2 { mass: m }
        constraint anchor: norm(bead[0]) == l;
        for i in 1..64 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
        for i in 0..64 { force bead[i]: [0, -m*g]; }";
    let derived = derived("rolled", chain).expect("a chain");
    let names = names(&derived.system);
    let solved = [
        "acceleration",
        "multipliers",
        "acceleration_and_multipliers",
        "correction",
    ];
    let all = functions(&derived, &names);
    for name in solved {
        let function = all.iter().find(|it| it.signature.name == name);
        let Some(Body::Loops(loops)) = function.map(|it| &it.body) else {
            panic!("{name} has no loops")
        };
        let assignment = Assignment::of(loops);
        let unset: Vec<Array> = loops.arrays().into_iter().collect();
        let unset = unset.iter().filter(|it| assignment.needs_zeros(**it));
        assert_eq!(unset.count(), 0, "{name}");
        let length = if name == "multipliers" { 64 } else { 128 };
        assert!(assignment.is_whole(Array::Output, length), "{name}");
    }
}
