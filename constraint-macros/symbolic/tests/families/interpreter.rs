//! What a routine means, item by item, in the field of numbers modulo 2⁶¹ − 1: exact, so any other value is a fault.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use constraint_symbolic::expr::{ExprId, Graph, Map, Node, Number, SymbolId};
use constraint_symbolic::families::{self, ArrayName, Item, Loop, Store};

const PRIME: u128 = (1 << 61) - 1;

/// The arrays of the tests, by the facts that transformations rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Array {
    Given,
    /// Read anywhere, after its loop as well.
    Work,
    /// A value that is written for the next round is read once.
    Passing,
    /// Each element is set once and read by one item.
    Once,
    Sum,
    Kept,
    Constants,
}

impl ArrayName for Array {
    const KEPT: Array = Array::Kept;
    const CONSTANTS: Array = Array::Constants;
    const READ_ONCE: &'static [Array] = &[Array::Once];
    const RENUMBERED: &'static [Array] = &[Array::Passing, Array::Once];

    fn is_given(self) -> bool {
        self == Array::Given
    }

    fn outlives_loop(self) -> bool {
        matches!(self, Array::Work | Array::Sum)
    }

    fn is_sum(self) -> bool {
        self == Array::Sum
    }
}

/// A write to an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Write(pub Store<Array>);

impl From<Store<Array>> for Write {
    fn from(store: Store<Array>) -> Write {
        Write(store)
    }
}

impl families::Write for Write {
    type Array = Array;

    fn store(self) -> Option<Store<Array>> {
        Some(self.0)
    }
}

pub type Kernel = families::Kernel<Write>;
pub type Routine = families::Routine<Write>;

/// The elements of all arrays. Arguments and elements that other routines may have written have random values, all others
/// are 0 at first.
#[derive(Clone, Debug, Default)]
pub struct State(BTreeMap<(Array, usize), u64>);

fn random(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    (u128::from(hasher.finish()) % PRIME) as u64
}

fn sum(a: u64, b: u64) -> u64 {
    ((u128::from(a) + u128::from(b)) % PRIME) as u64
}

fn product(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % PRIME) as u64
}

fn power(base: u64, exponent: u128) -> u64 {
    let mut power = 1;
    for bit in (0..128).rev() {
        power = product(power, power);
        if exponent >> bit & 1 == 1 {
            power = product(power, base);
        }
    }
    power
}

pub fn of_number(number: Number) -> u64 {
    let (numerator, denominator) = number.as_ratio().expect("a ratio");
    let of = |integer: i128| integer.rem_euclid(PRIME as i128) as u64;
    product(of(numerator), power(of(denominator), PRIME - 2))
}

impl State {
    pub fn get(&self, array: Array, index: usize) -> u64 {
        let unwritten = match array {
            Array::Given | Array::Work => random((array, index)),
            _ => 0,
        };
        self.0.get(&(array, index)).copied().unwrap_or(unwritten)
    }

    /// Executes one item.
    fn item(&mut self, graph: &Graph, kernel: &Kernel, indices: &[usize]) {
        let reads = kernel.reads.iter();
        let leaves = reads.map(|&(leaf, array, place)| (leaf, self.get(array, indices[place])));
        let values = evaluate(graph, &kernel.roots, &leaves.collect());
        for (root, &Write(store)) in kernel.roots.iter().zip(&kernel.writes) {
            let index = indices[store.place];
            let before = if store.adds {
                self.get(store.array, index)
            } else {
                0
            };
            let value = sum(before, values[root]);
            self.0.insert((store.array, index), value);
        }
    }

    /// Executes items in their order.
    pub fn of_items(graph: &Graph, kernels: &[Kernel], items: &[Item]) -> State {
        let mut state = State::default();
        for item in items {
            state.item(graph, &kernels[item.kernel], &item.indices);
        }
        state
    }

    /// Executes a routine.
    pub fn of(graph: &Graph, routine: &Routine) -> State {
        State::of_items(graph, &routine.kernels, &items_of(&routine.loops))
    }

    /// The elements that have to be the same after a transformation.
    pub fn results(&self) -> Vec<((Array, usize), u64)> {
        let results = self
            .0
            .iter()
            .filter(|((array, _), _)| array.outlives_loop());
        results.map(|(&place, &value)| (place, value)).collect()
    }
}

/// The items of loops, in the order of execution.
pub fn items_of(loops: &[Loop]) -> Vec<Item> {
    let mut items = Vec::new();
    for it in loops {
        for round in 0..it.rounds {
            for (kernel, indices) in &it.body {
                let indices = indices.iter().map(|&index| it.place(index, round));
                items.push(Item {
                    kernel: *kernel,
                    indices: indices.collect(),
                });
            }
        }
    }
    items
}

/// The values of expressions. A function is a random one of its arguments; leaves that are not read have values of their own.
pub fn evaluate(
    graph: &Graph,
    roots: &[ExprId],
    leaves: &BTreeMap<SymbolId, u64>,
) -> Map<ExprId, u64> {
    let mut values: Map<ExprId, u64> = Map::default();
    for id in graph.reachable(roots.iter().copied()) {
        let value = match graph.node(id) {
            Node::Symbol(symbol) => {
                let own = || random(("leaf", symbol.index()));
                leaves.get(symbol).copied().unwrap_or_else(own)
            }
            Node::Number(number) => of_number(*number),
            Node::Sum { constant, terms } => {
                terms.iter().fold(of_number(*constant), |all, term| {
                    sum(all, product(values[&term.0], of_number(term.1)))
                })
            }
            Node::Product(factors) => factors.iter().fold(1, |all, &(base, exponent)| {
                let exponent = i128::from(exponent).rem_euclid(PRIME as i128 - 1);
                product(all, power(values[&base], exponent as u128))
            }),
            Node::Whole(value) => values[value],
            Node::Call(function, arguments) => {
                let arguments: Vec<u64> = arguments.iter().map(|it| values[it]).collect();
                random((*function as usize, arguments))
            }
            other => panic!("no value of {other:?}"),
        };
        values.insert(id, value);
    }
    values
}
