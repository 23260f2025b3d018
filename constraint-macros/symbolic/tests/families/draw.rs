//! Random kernels and lists of items.

use std::collections::BTreeMap;

use constraint_symbolic::expr::{ExprId, Function, Graph, Map, Number, SymbolId};
use constraint_symbolic::families::rerolling::{MIN_ROUNDS, roll};
use constraint_symbolic::families::{Item, Loop, Store};

use crate::interpreter::{Array, Kernel, Routine, Write};
use crate::random::Random;

/// A random list of items, with the loops that it rolls into.
pub struct Drawn {
    pub graph: Graph,
    /// The number of leaves.
    pub leaves: usize,
    pub kernels: Vec<Kernel>,
    pub items: Vec<Item>,
}

impl Drawn {
    pub fn new(random: &mut Random) -> Drawn {
        let mut drawn = Drawn {
            graph: Graph::new(),
            leaves: 0,
            kernels: Vec::new(),
            items: Vec::new(),
        };
        for _ in 0..1 + random.below(4) {
            let kernel = drawn.kernel(random);
            drawn.kernels.push(kernel);
        }
        for _ in 0..1 + random.below(4) {
            if random.once_in(3) {
                let item = drawn.item(random);
                drawn.items.push(item);
            } else {
                drawn.run(random);
            }
        }
        drawn
    }

    /// The routine of the items.
    pub fn routine(&self) -> Routine {
        Routine {
            kernels: self.kernels.clone(),
            loops: roll(&self.items, MIN_ROUNDS),
            ..Routine::default()
        }
    }

    /// A new leaf.
    pub fn leaf(&mut self) -> (SymbolId, ExprId) {
        self.leaves += 1;
        let symbol = SymbolId::new(self.leaves - 1);
        (symbol, self.graph.symbol(symbol))
    }

    fn kernel(&mut self, random: &mut Random) -> Kernel {
        let mut kernel = Kernel::default();
        let (mut leaves, mut places) = (Vec::new(), 0);
        let sources = [
            Array::Given,
            Array::Work,
            Array::Work,
            Array::Passing,
            Array::Once,
        ];
        let mut array = *random.pick(&sources);
        for _ in 0..1 + random.below(4) {
            if random.once_in(2) {
                array = *random.pick(&sources);
            }
            let (symbol, leaf) = self.leaf();
            kernel.reads.push((symbol, array, places));
            leaves.push(leaf);
            places += 1;
        }
        // A leaf that is the same in all rounds, such as a parameter.
        leaves.push(self.leaf().1);
        for _ in 0..1 + random.below(3) {
            let mut root = self.expression(random, &leaves, 3);
            // The same of both leaves: if they are neighbours, one round computes a value for the next.
            if kernel.reads.len() > 1 && random.once_in(2) {
                let own = self.expression(random, &[leaves[0]], 2);
                let map = Map::from_iter([(leaves[0], leaves[1])]);
                let other = self.graph.substitute([own], map)[&own];
                root = self
                    .graph
                    .sum(&[(own, Number::ONE), (other, Number::MINUS_ONE)]);
            }
            let targets = [
                Array::Work,
                Array::Work,
                Array::Passing,
                Array::Once,
                Array::Sum,
            ];
            let array = *random.pick(&targets);
            let adds = array == Array::Sum || array != Array::Once && random.once_in(5);
            kernel.roots.push(root);
            kernel.writes.push(Write(Store {
                array,
                place: places,
                adds,
            }));
            places += 1;
        }
        kernel
    }

    fn expression(&mut self, random: &mut Random, leaves: &[ExprId], depth: usize) -> ExprId {
        if depth == 0 || random.once_in(4) {
            return *random.pick(leaves);
        }
        let mut part = || self.expression(random, leaves, depth - 1);
        let [a, b] = [part(), part()];
        let factor = || Number::ratio([1, 1, -1, 2, 3][depth], 1);
        match random.below(4) {
            0 => self.graph.sum(&[(a, factor()), (b, Number::MINUS_ONE)]),
            1 => self.graph.mul(a, b),
            // Functions of numbers are numbers, few of them ratios.
            2 if self.graph.as_number(a).is_none() => self.graph.call(Function::Exp, &[a]),
            _ => {
                let sum = self.graph.add(a, b);
                self.graph.offset(sum, Number::ratio(2, 1))
            }
        }
    }

    fn places_of(&self, kernel: usize) -> usize {
        let kernel = &self.kernels[kernel];
        kernel.reads.len() + kernel.writes.len()
    }

    /// One item at any places.
    fn item(&self, random: &mut Random) -> Item {
        let kernel = random.below(self.kernels.len());
        let indices = (0..self.places_of(kernel)).map(|_| 16 + random.below(16));
        Item {
            kernel,
            indices: indices.collect(),
        }
    }

    /// Items of several rounds, whose places mostly advance evenly, some of them one round behind others of their array.
    fn run(&mut self, random: &mut Random) {
        let rounds = 3 + random.below(7) as isize;
        let body: Vec<usize> = (0..1 + random.below(3))
            .map(|_| random.below(self.kernels.len()))
            .collect();
        let mut paths = self.paths(random, &body);
        for _ in 0..random.below(6) {
            let one = random.below(paths.len());
            let others = (0..paths.len()).filter(|&it| it != one);
            let others = others.filter(|&it| paths[it].array == paths[one].array);
            let others: Vec<usize> = others.collect();
            if let (Some((first, step)), false) = (paths[one].even, others.is_empty()) {
                let rounds = random.below(3) as isize - 1;
                let first = (first as isize + step * rounds) as usize;
                paths[*random.pick(&others)].even = Some((first, step));
            }
        }
        // An item of a round before the first one, for values that the first round finds.
        if random.once_in(2) {
            let item = random.below(body.len());
            self.push_round(random, &body, &paths, -1, Some(item));
        }
        for round in 0..rounds {
            self.push_round(random, &body, &paths, round, None);
        }
        // And one of a round behind the last, for values that the last round leaves.
        if random.once_in(2) {
            let item = random.below(body.len());
            self.push_round(random, &body, &paths, rounds, Some(item));
        }
    }

    /// A path for each place of each item.
    fn paths(&self, random: &mut Random, body: &[usize]) -> Vec<Path> {
        let steps = [0, 1, 1, 1, 1, 1, -1, 2];
        let mut paths = Vec::new();
        for &kernel in body {
            let kernel = &self.kernels[kernel];
            let reads = kernel.reads.iter().map(|read| read.1);
            let writes = kernel.writes.iter().map(|write| write.0.array);
            for array in reads.chain(writes) {
                let even = (18 + random.below(4), *random.pick(&steps));
                let is_even = !random.once_in(20);
                paths.push(Path {
                    array,
                    even: is_even.then_some(even),
                });
            }
        }
        paths
    }

    /// The items of a round, or one of them.
    fn push_round(
        &mut self,
        random: &mut Random,
        body: &[usize],
        paths: &[Path],
        round: isize,
        only: Option<usize>,
    ) {
        let mut paths = paths.iter();
        for (number, &kernel) in body.iter().enumerate() {
            let own = paths.by_ref().take(self.places_of(kernel));
            let indices = own.map(|path| match path.even {
                Some((first, step)) => (first as isize + step * round) as usize,
                None => 16 + random.below(16),
            });
            let indices = indices.collect();
            if only.is_none_or(|only| only == number) {
                self.items.push(Item { kernel, indices });
            }
        }
    }
}

/// The places that one index of an item has: in round 0, and the step from one round to the next, unless it is irregular.
struct Path {
    array: Array,
    even: Option<(usize, isize)>,
}

/// An access to an element: the loop, the round, the item in it, and whether it reads, adds or sets.
type Access = (usize, usize, usize, Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Read,
    Add,
    Set,
}

/// Whether arrays are used as their facts say.
pub fn keeps_to_the_facts(routine: &Routine) -> bool {
    accesses(routine).iter().all(|(&(array, _), all)| {
        let times = |kind| all.iter().filter(|access| access.3 == kind).count();
        match array {
            Array::Once => times(Kind::Set) <= 1 && times(Kind::Read) <= 1 && is_set_first(all),
            Array::Passing => (0..all.len()).all(|set| passes_on(&all[set..])),
            _ => true,
        }
    })
}

fn is_set_first(all: &[Access]) -> bool {
    all[0].3 == Kind::Set || all.len() == 1
}

/// A value that is set, with what happens to its element later: if the next round reads it, it is read once.
fn passes_on(from: &[Access]) -> bool {
    let &[(number, round, _, Kind::Set), ref later @ ..] = from else {
        return true;
    };
    let uses = later.iter().take_while(|access| access.3 != Kind::Set);
    let is_next =
        |access: &Access| access.0 == number && access.1 == round + 1 && access.3 == Kind::Read;
    uses.clone().count() == 1 || !uses.clone().any(is_next)
}

/// By element, its accesses in the order of execution.
fn accesses(routine: &Routine) -> BTreeMap<(Array, usize), Vec<Access>> {
    let mut accesses: BTreeMap<(Array, usize), Vec<Access>> = BTreeMap::new();
    let mut push = |it: &Loop, (number, round), item: usize| {
        let (kernel, indices) = &it.body[item];
        let kernel = &routine.kernels[*kernel];
        let mut at = |array, place: usize, kind| {
            let element = (array, it.place(indices[place], round));
            let all = accesses.entry(element).or_default();
            all.push((number, round, item, kind));
        };
        for &(_, array, place) in &kernel.reads {
            at(array, place, Kind::Read);
        }
        for &Write(store) in &kernel.writes {
            let kind = if store.adds { Kind::Add } else { Kind::Set };
            at(store.array, store.place, kind);
        }
    };
    for (number, it) in routine.loops.iter().enumerate() {
        for round in 0..it.rounds {
            (0..it.body.len()).for_each(|item| push(it, (number, round), item));
        }
    }
    accesses
}
