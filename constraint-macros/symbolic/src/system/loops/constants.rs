//! What no round of a loop changes, computed once before all of them.
//!
//! ```text
//! for i in 0..n { v̇[i] = −(g/l) sin(q[i]) }      made_of[0] = g/l first
//! ```
//! Compilers may take out of loops what stands there as one value, but not g/l of g sin(q)/l.

use super::families;
use super::rerolling::{Index, Loop};
use super::routine::{Array, Kernel, Routine, Write};
use super::scalar_replacement::new_leaf;
use crate::expr::{ExprId, Graph, Map, Node, Number, Set};
use crate::model::{Symbol, System};

/// Values that no round changes, and the leaves that stand for them.
struct Constants<'a> {
    graph: &'a mut Graph,
    symbols: &'a mut Vec<Symbol>,
    /// What rounds change.
    varies: Set<ExprId>,
    values: Vec<ExprId>,
    leaves: Vec<ExprId>,
}

/// Takes out of the kernels of loops what no round changes.
pub(super) fn take_out(routine: &mut Routine, graph: &mut Graph, system: &mut System) {
    let repeated = routine.loops.iter().filter(|it| it.rounds > 1);
    let repeated = repeated.flat_map(|it| it.body.iter().map(|(kernel, _)| *kernel));
    let repeated: Set<usize> = repeated.collect();
    let roots = routine.kernels.iter().flat_map(|it| it.roots.clone());
    let varies = varying(graph, system, roots.collect());
    let mut constants = Constants {
        graph,
        symbols: &mut system.model.symbols,
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
    let kernel = Kernel {
        reads: Vec::new(),
        roots: values,
        writes: places
            .clone()
            .map(|place| Write::Set(Array::Shared, place))
            .collect(),
    };
    routine.kernels.push(kernel);
    let first = Loop::once(routine.kernels.len() - 1, places);
    routine.loops.insert(0, first);
}

/// What contains something that loops read from arrays.
fn varying(graph: &Graph, system: &System, roots: Vec<ExprId>) -> Set<ExprId> {
    let mut varies = Set::default();
    for id in graph.reachable(roots) {
        let node = graph.node(id);
        let mut found = match node {
            Node::Symbol(symbol) => families::slot(system, *symbol).is_some(),
            _ => false,
        };
        node.for_each_child(|child| found |= varies.contains(&child));
        if found {
            varies.insert(id);
        }
    }
    varies
}

/// Lets a kernel read its constants, wherever it stands.
fn read(
    kernel: &mut Kernel,
    number: usize,
    own: &[usize],
    constants: &Constants<'_>,
    loops: &mut [Loop],
) {
    let items = loops.iter_mut().flat_map(|it| &mut it.body);
    let mut first = 0;
    for (_, indices) in items.filter(|it| it.0 == number) {
        first = indices.len();
        indices.extend(own.iter().map(|&place| Index::Constant(place)));
    }
    for (at, &place) in (first..).zip(own) {
        if let Node::Symbol(symbol) = constants.graph.node(constants.leaves[place]) {
            kernel.reads.push((*symbol, Array::Shared, at));
        }
    }
}

impl Constants<'_> {
    /// Puts leaves into the results of a kernel, and gives the places of those it reads.
    fn of_kernel(&mut self, kernel: &mut Kernel) -> Vec<usize> {
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
        places.map(|(place, _)| place).collect()
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
        let varying: Vec<(ExprId, i32)> = varying.into_iter().map(|(b, e)| (map[&b], e)).collect();
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

    /// The leaf that stands for a value, if that takes an operation.
    fn leaf(&mut self, value: ExprId) -> ExprId {
        let is_operation = match self.graph.node(value) {
            Node::Number(_) | Node::Symbol(_) | Node::Boolean(_) => false,
            Node::Compare(..) | Node::And(..) | Node::Or(..) | Node::Not(_) => false,
            Node::Sum { constant, terms } => {
                let is_opposite =
                    constant.is_zero() && terms.len() == 1 && terms[0].1.abs().is_one();
                !is_opposite
            }
            _ => true,
        };
        if !is_operation {
            return value;
        }
        if let Some(known) = self.values.iter().position(|&it| it == value) {
            return self.leaves[known];
        }
        let (_, leaf) = new_leaf(self.graph, self.symbols, "made");
        self.values.push(value);
        self.leaves.push(leaf);
        leaf
    }
}

fn sign(number: Number) -> Number {
    if number.is_negative() {
        Number::MINUS_ONE
    } else {
        Number::ONE
    }
}
