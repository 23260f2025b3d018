//! Loop-invariant code motion: values that no round of a loop changes are computed once, before all loops.
//!
//! ```text
//! for i in 0..n { v̇[i] = −(g/l) sin(q[i]) }      made_of[0] = g/l first
//! ```
//! Compilers can move a value that a loop computes as such, but not g/l of g sin(q)/l.

use super::leaves::{ArrayName, NewLeaf, Read};
use super::rerolling::{Index, Loop};
use super::routine::{Kernel, Routine, Store, Write};
use crate::expr::{CollectVec, ExprId, Graph, Map, Node, Number, PushEach, Set, SymbolId};

/// Values that no round changes, and the leaves that replace them.
struct Constants<'a> {
    graph: &'a mut Graph,
    new_leaf: &'a mut NewLeaf<'a>,
    /// Expressions that rounds change.
    varies: Set<ExprId>,
    values: Vec<ExprId>,
    leaves: Vec<ExprId>,
}

/// The expressions of a routine that contain a leaf which a kernel reads from an array.
pub fn varying<W: Write>(routine: &Routine<W>, graph: &Graph) -> Set<ExprId> {
    let roots = routine.kernels.iter().flat_map(|it| it.roots.clone());
    let reads = routine.kernels.iter().flat_map(|it| &it.reads);
    let read: Set<SymbolId> = reads.map(|it| it.0).collect();
    varying_with(graph, roots, |symbol| read.contains(&symbol))
}

/// The expressions below the roots that contain a leaf of this kind.
pub fn varying_with(
    graph: &Graph,
    roots: impl IntoIterator<Item = ExprId>,
    varies: impl Fn(SymbolId) -> bool,
) -> Set<ExprId> {
    let mut found = Set::default();
    for id in graph.reachable(roots) {
        let node = graph.node(id);
        let mut own = match node {
            Node::Symbol(symbol) => varies(*symbol),
            _ => false,
        };
        node.for_each_child(|child| own |= found.contains(&child));
        if own {
            found.insert(id);
        }
    }
    found
}

/// Moves the values that no round changes out of the kernels of loops, into [`ArrayName::CONSTANTS`].
pub fn take_out<W: Write>(
    routine: &mut Routine<W>,
    graph: &mut Graph,
    varies: Set<ExprId>,
    new_leaf: &mut NewLeaf<'_>,
) {
    take_out_after(routine, graph, (varies, &[]), 0, new_leaf);
}

/// The same of values of leaves, too, that the first loops, so many, have given: elements of arrays at these places.
pub fn take_out_after<W: Write>(
    routine: &mut Routine<W>,
    graph: &mut Graph,
    (varies, given): (Set<ExprId>, &[Read<W::Array>]),
    first: usize,
    new_leaf: &mut NewLeaf<'_>,
) {
    let repeated = routine.loops.iter().filter(|it| it.rounds > 1);
    let repeated = repeated.flat_map(|it| it.body.iter().map(|(kernel, _)| *kernel));
    let repeated: Set<usize> = repeated.collect();
    let mut constants = Constants {
        graph,
        new_leaf,
        varies,
        values: Vec::new(),
        leaves: Vec::new(),
    };
    for (number, kernel) in routine.kernels.iter_mut().enumerate() {
        if repeated.contains(&number) {
            let own = constants.of_kernel(kernel);
            read(kernel, number, &own, &constants, &mut routine.loops);
        }
    }
    let values = constants.values;
    if values.is_empty() {
        return;
    }
    let places = 0..values.len();
    let stores = places
        .clone()
        .map(|place| Store::set(W::Array::CONSTANTS, place));
    let reads = (places.end..).zip(given);
    let kernel = Kernel {
        reads: reads.map(|(at, it)| (it.0, it.1, at)).collect_vec(),
        roots: values,
        writes: stores.map(W::from).collect_vec(),
    };
    let places = places.chain(given.iter().map(|it| it.2));
    let constants = Loop::once(routine.add(kernel), places);
    routine.loops.insert(first, constants);
}

/// Lets a kernel, wherever it is called, read its constants.
fn read<W: Write>(
    kernel: &mut Kernel<W>,
    number: usize,
    own: &[usize],
    constants: &Constants<'_>,
    loops: &mut [Loop],
) {
    let items = loops.iter_mut().flat_map(|it| &mut it.body);
    let mut first = 0;
    for (_, indices) in items.filter(|it| it.0 == number) {
        first = indices.len();
        indices.push_each(own.iter().map(|&place| Index::Constant(place)));
    }
    for (at, &place) in (first..).zip(own) {
        if let Node::Symbol(symbol) = constants.graph.node(constants.leaves[place]) {
            kernel.reads.push((*symbol, W::Array::CONSTANTS, at));
        }
    }
}

impl Constants<'_> {
    /// Substitutes leaves for the constants in the results of a kernel; returns the places of those that it reads.
    fn of_kernel<W: Write>(&mut self, kernel: &mut Kernel<W>) -> Vec<usize> {
        let mut map: Map<ExprId, ExprId> = Map::default();
        for id in self.graph.reachable(kernel.roots.iter().copied()) {
            let made = self.of_node(id, &map);
            map.insert(id, made);
        }
        // A result that no round changes is one as well.
        for root in &mut kernel.roots {
            *root = if self.varies.contains(root) {
                map[root]
            } else {
                self.leaf(*root)
            };
        }
        let reached = self.graph.reachable(kernel.roots.iter().copied());
        let places = self.leaves.iter().enumerate();
        let places = places.filter(|(_, leaf)| reached.contains(leaf));
        places.map(|(place, _)| place).collect_vec()
    }

    /// The node with leaves for its constants.
    fn of_node(&mut self, id: ExprId, map: &Map<ExprId, ExprId>) -> ExprId {
        if !self.varies.contains(&id) {
            return id;
        }
        match self.graph.node(id).clone() {
            Node::Product(factors) => self.of_product(&factors, Number::ONE, map),
            Node::Sum { constant, terms } => {
                let (varying, still): (Vec<_>, Vec<_>) = terms
                    .iter()
                    .partition(|(term, _)| self.varies.contains(term));
                let mut sum: Vec<(ExprId, Number)> = Vec::new();
                for (term, number) in varying {
                    let node = self.graph.node(term).clone();
                    sum.push(match node {
                        Node::Product(factors) if !number.abs().is_one() => {
                            let made = self.of_product(&factors, number.abs(), map);
                            (made, sign(number))
                        }
                        _ => (map[&term], number),
                    });
                }
                let still = self.graph.sum(&still);
                let still = self.graph.offset(still, constant);
                sum.push((self.leaf(still), Number::ONE));
                self.graph.sum(&sum)
            }
            node => {
                let mut own = map.clone();
                node.for_each_child(|child| {
                    if !self.varies.contains(&child) {
                        let leaf = self.leaf(child);
                        own.insert(child, leaf);
                    }
                });
                self.graph.rebuild(&node, &own)
            }
        }
    }

    /// A product, and a positive number with it, with one leaf for all that no round changes.
    fn of_product(
        &mut self,
        factors: &[(ExprId, i32)],
        number: Number,
        map: &Map<ExprId, ExprId>,
    ) -> ExprId {
        let (varying, still): (Vec<_>, Vec<_>) = factors
            .iter()
            .partition(|(base, _)| self.varies.contains(base));
        let still = self.graph.product(&still);
        let varying: Vec<(ExprId, i32)> =
            varying.into_iter().map(|(b, e)| (map[&b], e)).collect_vec();
        let varying = self.graph.product(&varying);
        let still = if self.is_number(still) {
            return self.graph.scale(varying, number);
        } else {
            self.graph.scale(still, number)
        };
        let leaf = self.leaf(still);
        self.graph.mul(leaf, varying)
    }

    fn is_number(&self, id: ExprId) -> bool {
        matches!(self.graph.node(id), Node::Number(_))
    }

    /// The leaf for a value. A value that takes no operation stays.
    fn leaf(&mut self, value: ExprId) -> ExprId {
        if !is_operation(self.graph, value) {
            return value;
        }
        if let Some(known) = self.values.iter().position(|&it| it == value) {
            return self.leaves[known];
        }
        let (_, leaf) = (self.new_leaf)(self.graph, "made");
        self.values.push(value);
        self.leaves.push(leaf);
        leaf
    }
}

/// Whether a value takes an operation.
pub fn is_operation(graph: &Graph, value: ExprId) -> bool {
    match graph.node(value) {
        Node::Number(_) | Node::Symbol(_) | Node::Boolean(_) => false,
        Node::Compare(..) | Node::And(..) | Node::Or(..) | Node::Not(_) => false,
        Node::Sum { constant, terms } => {
            let is_opposite = constant.is_zero() && terms.len() == 1 && terms[0].1.abs().is_one();
            !is_opposite
        }
        _ => true,
    }
}

fn sign(number: Number) -> Number {
    if number.is_negative() {
        Number::MINUS_ONE
    } else {
        Number::ONE
    }
}
