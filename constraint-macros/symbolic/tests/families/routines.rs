//! Lists of items as loops, and loops as other loops.

use constraint_symbolic::expr::{ExprId, Graph, SymbolId};
use constraint_symbolic::families::rerolling::roll;
use constraint_symbolic::families::{constants, scalar_replacement};

use crate::cases;
use crate::draw::{Drawn, keeps_to_the_facts};
use crate::interpreter::{Routine, State, items_of};
use crate::random::Random;

/// Compares random routines before and after a transformation; returns how many it changed. `few` by default.
fn unchanged(few: u64, transform: impl Fn(&mut Routine, &mut Graph, &Drawn, &mut Random)) -> usize {
    let (mut seed, mut compared, mut changed) = (0, 0, 0);
    while compared < cases(few) {
        seed += 1;
        let random = &mut Random::new(seed);
        let drawn = Drawn::new(random);
        let mut routine = drawn.routine();
        if !keeps_to_the_facts(&routine) {
            continue;
        }
        compared += 1;
        let before = State::of_items(&drawn.graph, &drawn.kernels, &drawn.items);
        let (original, mut graph) = (routine.kernels.clone(), drawn.graph.clone());
        transform(&mut routine, &mut graph, &drawn, random);
        let after = State::of(&graph, &routine);
        assert_eq!(after.results(), before.results(), "seed {seed}");
        changed += usize::from(routine.kernels != original);
    }
    changed
}

/// New leaves, numbered after those of the kernels.
fn new_leaves(drawn: &Drawn) -> impl FnMut(&mut Graph, &str) -> (SymbolId, ExprId) {
    let mut numbers = drawn.leaves..;
    move |graph, _| {
        let symbol = SymbolId::new(numbers.next().expect("a number"));
        (symbol, graph.symbol(symbol))
    }
}

#[test]
fn loops_execute_items_in_their_order() {
    for seed in 0..cases(500) {
        let random = &mut Random::new(seed);
        let items = Drawn::new(random).items;
        for rounds in 2..6 {
            let loops = roll(&items, rounds);
            assert_eq!(items_of(&loops), items, "seed {seed}");
            let long_enough = |rounds_of: usize| rounds_of == 1 || rounds_of >= rounds;
            assert!(loops.iter().all(|it| long_enough(it.rounds)));
        }
    }
}

#[test]
fn a_run_of_items_becomes_one_loop() {
    let long = (0..cases(200)).filter(|&seed| {
        let items = Drawn::new(&mut Random::new(seed)).items;
        let loops = roll(&items, 4);
        loops.iter().any(|it| it.rounds > 3)
    });
    assert!(2 * long.count() as u64 > cases(200));
}

#[test]
fn scalar_replacement_changes_no_value() {
    let changed = unchanged(500, |routine, graph, drawn, random| {
        let from = random.below(1 + routine.loops.len());
        scalar_replacement::replace(routine, from, graph, &mut new_leaves(drawn));
    });
    assert!(changed > 100, "only {changed} routines have such values");
}

#[test]
fn invariant_expressions_before_the_loops_have_the_same_values() {
    let changed = unchanged(500, |routine, graph, drawn, _| {
        scalar_replacement::hoist(routine, graph, &mut new_leaves(drawn));
    });
    assert!(
        changed > 20,
        "only {changed} routines have such expressions"
    );
}

#[test]
fn constants_before_all_loops_have_the_same_values() {
    let changed = unchanged(500, |routine, graph, drawn, _| {
        let varies = constants::varying(routine, graph);
        constants::take_out(routine, graph, varies, &mut new_leaves(drawn));
    });
    assert!(changed > 100, "only {changed} routines have constants");
}

#[test]
fn renumbered_places_and_first_terms_change_no_value() {
    let changed = unchanged(500, |routine, _, _, _| {
        routine.compact();
        routine.set_first_terms();
    });
    assert!(changed > 100, "only {changed} routines have gaps or sums");
}

/// All of them, as systems use them.
#[test]
fn transformations_one_after_the_other_change_no_value() {
    unchanged(500, |routine, graph, drawn, _| {
        let varies = constants::varying(routine, graph);
        let new_leaf = &mut new_leaves(drawn);
        constants::take_out(routine, graph, varies, new_leaf);
        scalar_replacement::replace(routine, 0, graph, new_leaf);
        scalar_replacement::hoist(routine, graph, new_leaf);
        routine.set_first_terms();
        routine.compact();
    });
}
