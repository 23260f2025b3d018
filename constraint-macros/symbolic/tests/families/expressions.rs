//! Families of random expressions: one formula serves all members of a family, at the places of each.

use std::collections::{BTreeMap, BTreeSet};

use constraint_symbolic::expr::{ExprId, Function, Graph, Node, Number, SymbolId};
use constraint_symbolic::families::{
    self, Item, Leaf, Leaves, Read, Routine, Signature, Slot, Store, numbers,
};

use crate::cases;
use crate::interpreter::{Array, State, Write, evaluate, items_of, of_number};
use crate::random::Random;

type Families = families::Families<Array>;

/// Leaves are numbered: of each of these records two, of each element one, then parameters.
const RECORDS: usize = 12;
const ELEMENTS: usize = 12;
const FIRST_PARAMETER: usize = 2 * RECORDS + ELEMENTS;
const PARAMETERS: usize = 3;
const FIRST_NUMBER: usize = FIRST_PARAMETER + PARAMETERS;

struct Numbered {
    /// Whether the leaves of a record belong together in derivatives.
    companions: bool,
    graph: Graph,
}

impl Numbered {
    fn new(companions: bool) -> Numbered {
        let mut graph = Graph::new();
        for symbol in 0..FIRST_NUMBER {
            graph.symbol(SymbolId::new(symbol));
        }
        Numbered { companions, graph }
    }

    fn symbol(&mut self, symbol: usize) -> ExprId {
        self.graph.symbol(SymbolId::new(symbol))
    }
}

impl Leaves for Numbered {
    type Array = Array;

    fn leaf(&self, symbol: SymbolId) -> Option<Leaf<Array>> {
        let number = symbol.index();
        if number < 2 * RECORDS {
            let array = [Array::Given, Array::Work][number % 2];
            return Some(Leaf::Element(array, Slot::Record(number / 2)));
        }
        let element = number - 2 * RECORDS;
        let slot = Slot::Element(symbol, Array::Work, 100 + element);
        (element < ELEMENTS).then_some(Leaf::Element(Array::Work, slot))
    }

    fn for_each_companion(&self, symbol: SymbolId, mut visit: impl FnMut(ExprId)) {
        if self.companions && symbol.index() < 2 * RECORDS {
            let other = Node::Symbol(SymbolId::new(symbol.index() ^ 1));
            let found = self.graph.ids().find(|&id| *self.graph.node(id) == other);
            found.into_iter().for_each(&mut visit);
        }
    }

    fn for_each_of_record(&self, _: &Graph, record: usize, mut visit: impl FnMut(SymbolId, Array)) {
        visit(SymbolId::new(2 * record), Array::Given);
        visit(SymbolId::new(2 * record + 1), Array::Work);
    }
}

/// The values that all leaves have before anything is written.
fn values(leaves: &Numbered) -> BTreeMap<SymbolId, u64> {
    let state = State::default();
    let all = (0..FIRST_PARAMETER).map(SymbolId::new);
    let value = |symbol| match leaves.leaf(symbol) {
        Some(Leaf::Element(array, slot)) => (symbol, state.get(array, slot.index())),
        _ => unreachable!("these leaves vary"),
    };
    all.map(value).collect()
}

/// Random formulas, each for several choices of its leaves, and with other numbers if they are to `differ`.
fn members(leaves: &mut Numbered, random: &mut Random, differ: bool) -> Vec<ExprId> {
    let mut members = Vec::new();
    for _ in 0..1 + random.below(3) {
        let formula = random.bits();
        for _ in 0..3 + random.below(6) {
            let shift = [random.below(RECORDS - 3), random.below(ELEMENTS - 3)];
            let numbers = if differ { random.bits() } else { formula };
            let dice = &mut [formula, numbers, random.bits()].map(Random::new);
            members.push(instance(leaves, dice, shift, 3));
        }
    }
    members
}

/// A formula drawn by the first generator, with numbers by the second and a few of its leaves by the third.
fn instance(
    leaves: &mut Numbered,
    dice: &mut [Random; 3],
    shift: [usize; 2],
    depth: usize,
) -> ExprId {
    if depth == 0 || dice[0].once_in(4) {
        // Some members read one leaf where others read two.
        let own = if dice[0].once_in(4) { 2 } else { 0 };
        let record = 2 * (shift[0] + dice[own].below(3));
        let element = 2 * RECORDS + shift[1] + dice[0].below(3);
        let parameter = FIRST_PARAMETER + dice[0].below(PARAMETERS);
        let symbol = *dice[0].pick(&[record, record + 1, element, element, parameter]);
        return leaves.symbol(symbol);
    }
    let kind = dice[0].below(4);
    let [a, b] = [(); 2].map(|()| instance(leaves, dice, shift, depth - 1));
    // All members have a negative factor, or some.
    let own = dice[0].below(2);
    let negative = dice[own].once_in(2);
    let graph = &mut leaves.graph;
    match kind {
        0 => graph.mul(a, b),
        1 if graph.as_number(a).is_none() => graph.call(Function::Exp, &[a]),
        _ => {
            let mut number = || Number::ratio(2 + dice[1].below(7) as i128, 1);
            let (mut factor, constant) = (number(), number());
            if negative {
                factor = factor * Number::MINUS_ONE;
            }
            let sum = graph.sum(&[(a, factor), (b, Number::MINUS_ONE)]);
            graph.offset(sum, constant)
        }
    }
}

fn each_case(companions: bool, differ: bool, check: impl Fn(Numbered, Vec<ExprId>, u64)) {
    for seed in 0..cases(300) {
        let mut leaves = Numbered::new(companions);
        let members = members(&mut leaves, &mut Random::new(seed), differ);
        check(leaves, members, seed);
    }
}

/// The values of the leaves of a family's first member, at the places of another member.
fn at_places(
    reads: &[Read<Array>],
    slots: &[Slot<Array>],
    all: &BTreeMap<SymbolId, u64>,
) -> BTreeMap<SymbolId, u64> {
    let state = State::default();
    let own = reads
        .iter()
        .map(|&(symbol, array, place)| (symbol, state.get(array, slots[place].index())));
    let mut values = all.clone();
    // Leaves that are not read must not matter.
    values.values_mut().for_each(|value| *value ^= 1);
    values.extend(own);
    values
}

#[test]
fn the_first_member_has_the_value_of_each_at_its_places() {
    for companions in [false, true] {
        each_case(companions, false, |leaves, members, seed| {
            let families = Families::of(&leaves.graph, &leaves, &members);
            let all = values(&leaves);
            for (member, &root) in members.iter().enumerate() {
                let first = families.first[families.of[member]];
                let reads = leaves.reads(&leaves.graph, &families.slots[first]);
                let there = at_places(&reads, &families.slots[member], &all);
                let of_first = evaluate(&leaves.graph, &[members[first]], &there);
                let own = evaluate(&leaves.graph, &[root], &all);
                assert_eq!(of_first[&members[first]], own[&root], "seed {seed}");
            }
        });
    }
}

#[test]
fn expressions_of_one_formula_are_of_few_families() {
    let (mut families, mut members) = (0, 0);
    for seed in 0..300 {
        let mut leaves = Numbered::new(false);
        let all = self::members(&mut leaves, &mut Random::new(seed), false);
        members += all.len();
        families += Families::of(&leaves.graph, &leaves, &all).len();
    }
    assert!(
        2 * families < members,
        "{families} families of {members} expressions"
    );
}

#[test]
fn loops_over_members_compute_each_of_them() {
    each_case(false, false, |leaves, members, seed| {
        let graph = &leaves.graph;
        let write = |place| Write(Store::set(Array::Sum, place));
        let routine = Routine::of_terms(graph, &leaves, &members, |i| i, write);
        let found = State::of(graph, &routine);
        let values = evaluate(graph, &members, &values(&leaves));
        for (i, root) in members.iter().enumerate() {
            assert_eq!(found.get(Array::Sum, i), values[root], "seed {seed}");
        }
    });
}

#[test]
fn numbers_that_members_differ_by_have_their_values_in_the_array() {
    let lifted = std::cell::Cell::new(0);
    each_case(false, true, |leaves, members, seed| {
        let mut roots = members.clone();
        let mut graph = leaves.graph.clone();
        let elements = numbers::lift(
            &mut graph,
            &leaves,
            roots.iter_mut().collect(),
            |graph, i, _| graph.symbol(SymbolId::new(FIRST_NUMBER + i)),
        );
        let mut all = values(&leaves);
        let before = evaluate(&graph, &members, &all);
        let leaf = |i| SymbolId::new(FIRST_NUMBER + i);
        let numbers = elements.iter().enumerate();
        all.extend(numbers.map(|(i, &number)| (leaf(i), of_number(number))));
        let after = evaluate(&graph, &roots, &all);
        for (member, root) in members.iter().zip(&roots) {
            assert_eq!(after[root], before[member], "seed {seed}");
        }
        lifted.set(lifted.get() + usize::from(!elements.is_empty()));
    });
    assert!(lifted.get() > 100, "only {} cases", lifted.get());
}

#[test]
fn items_share_a_kernel_if_their_words_and_slots_agree() {
    let slots = |indices: [usize; 3]| indices.map(Slot::Record);
    let signature = |indices| {
        let mut signature = Signature::<Array>::default();
        for slot in slots(indices) {
            signature.slot(slot);
        }
        signature
    };
    let [one, like, other] = [[4, 7, 4], [2, 1, 2], [2, 1, 1]].map(signature);
    assert_eq!(one.words, like.words);
    assert_ne!(one.words, other.words);
    assert_eq!(families::indices_of(&like.slots), [2, 1]);

    let mut made = BTreeSet::new();
    let routine = Routine::<Write>::of(|stage| {
        for (number, signature) in [one, like, other].into_iter().enumerate() {
            let indices = families::indices_of(&signature.slots);
            stage.push(signature.words, indices, || {
                made.insert(number);
                families::Kernel::default()
            });
        }
    });
    assert_eq!(made, BTreeSet::from([0, 2]));
    let item = |kernel, indices: [usize; 2]| Item {
        kernel,
        indices: indices.to_vec(),
    };
    let expected = [item(0, [4, 7]), item(0, [2, 1]), item(1, [2, 1])];
    assert_eq!(items_of(&routine.loops), expected);
}
