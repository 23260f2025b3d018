//! Kernels of a trunk and of limbs, one after the other, and what each leaves for the next.

use super::super::eliminated_mass::Pivot;
use super::super::leaves::{reads_of, scratch, slot};
use super::super::routine::{Array, Kernel, Routine, Slot, Write};
use super::equal::Kind;
use crate::expr::{CollectVec, ExprId, Graph, Map, Node, Set, SymbolId, sort};
use crate::families::Order;
use crate::families::constants::{is_operation, varying_with};
use crate::model::{Role, System};

/// A kernel in the making, with the places of all items that call it.
#[derive(Debug)]
pub(super) struct Block {
    kernel: Kernel,
    /// Of each item.
    indices: Vec<Vec<usize>>,
    /// Leaves that it may read, by item where.
    leaves: Vec<(SymbolId, Array, Vec<usize>)>,
}

impl Block {
    /// Of the trunk, which is one item.
    pub fn of_trunk() -> Block {
        Block {
            kernel: Kernel::default(),
            indices: vec![Vec::new()],
            leaves: Vec::new(),
        }
    }

    /// Of equal limbs.
    pub fn of_limbs(system: &System, kind: &Kind) -> Block {
        let reads = reads_of(&system.model.graph, system, &kind.slots[0]);
        let leaves = reads.into_iter().map(|(symbol, array, slot)| {
            let places = kind.slots.iter().map(|slots| slots[slot].index());
            (symbol, array, places.collect_vec())
        });
        Block {
            kernel: Kernel::default(),
            indices: vec![Vec::new(); kind.slots.len()],
            leaves: leaves.collect_vec(),
        }
    }

    /// A further index, by item.
    fn index(&mut self, place: impl Fn(usize) -> usize) -> usize {
        let indices = self.indices.iter_mut().enumerate();
        indices.for_each(|(item, indices)| indices.push(place(item)));
        self.indices[0].len() - 1
    }

    /// A leaf that is read from an array, where it is used.
    pub fn read(
        &mut self,
        graph: &Graph,
        leaf: ExprId,
        array: Array,
        place: impl Fn(usize) -> usize,
    ) {
        if let Node::Symbol(symbol) = graph.node(leaf) {
            let places = (0..self.indices.len()).map(place);
            self.leaves.push((*symbol, array, places.collect_vec()));
        }
    }

    /// A result that an array takes.
    pub fn set(&mut self, root: ExprId, array: Array, place: impl Fn(usize) -> usize) {
        let place = self.index(place);
        self.kernel.push(root, Write::Set(array, place));
    }

    /// A result that is added to an element.
    pub fn add(&mut self, root: ExprId, array: Array, at: usize) {
        let place = self.index(|_| at);
        self.kernel.push(root, Write::Add(array, place));
    }

    /// The check of a pivot of M, by item the number of its velocity.
    pub fn check(&mut self, graph: &mut Graph, pivot: ExprId, number: impl Fn(usize) -> usize) {
        if let Some(pivot) = Pivot::alone(graph, pivot) {
            let place = self.index(number);
            let check = pivot.check(place);
            check
                .into_iter()
                .for_each(|(root, write)| self.kernel.push(root, write));
        }
    }

    /// Adds it to a routine, once or in a loop.
    pub fn append(mut self, system: &System, routine: &mut Routine) {
        let graph = &system.model.graph;
        for id in graph.reachable(self.kernel.roots.iter().copied()) {
            let Node::Symbol(symbol) = *graph.node(id) else {
                continue;
            };
            let known = self.leaves.iter().find(|it| it.0 == symbol).cloned();
            let known = known.or_else(|| {
                let (array, place) = element(system, symbol)?;
                Some((symbol, array, vec![place; self.indices.len()]))
            });
            if let Some((_, array, places)) = known {
                let at = self.index(|item| places[item]);
                self.kernel.reads.push((symbol, array, at));
            }
        }
        let mut kernel = Some(self.kernel);
        routine.stage_in(Order::Pushed(2), |stage| {
            for indices in self.indices {
                let make = || kernel.take().unwrap_or_default();
                stage.push(Vec::new(), indices, make);
            }
        });
    }

    /// Puts other expressions in the place of some.
    pub fn substitute(&mut self, graph: &mut Graph, map: &Map<ExprId, ExprId>) {
        let roots = &mut self.kernel.roots;
        let map = graph.substitute(roots.iter().copied(), map.clone());
        roots.iter_mut().for_each(|root| *root = map[root]);
    }

    /// Writes values that a later block needs, too, to an array, by item `width` of them, and lets that read them there.
    /// Returns how many.
    pub fn hand_on(
        &mut self,
        later: &mut Block,
        system: &mut System,
        (array, first): (Array, usize),
    ) -> usize {
        let graph = &mut system.model.graph;
        let handed = self.handed(graph, later);
        let width = handed.len();
        let mut leaf = scratch(&mut system.model.symbols);
        let mut map: Map<ExprId, ExprId> = Map::default();
        for (k, &value) in handed.iter().enumerate() {
            let (_, own) = leaf(graph, "kept");
            map.insert(value, own);
            let place = |item: usize| first + item * width + k;
            self.set(value, array, place);
            later.read(graph, own, array, place);
        }
        later.substitute(graph, &map);
        width * self.indices.len()
    }

    /// The largest values of a later block that this one computes, of leaves that are read.
    fn handed(&self, graph: &Graph, later: &Block) -> Vec<ExprId> {
        let roots = || self.kernel.roots.iter().copied();
        let read: Set<SymbolId> = self.leaves.iter().map(|it| it.0).collect();
        let varies = varying_with(graph, roots(), |it| {
            self.indices.len() == 1 || read.contains(&it)
        });
        let known: Set<ExprId> = graph.reachable(roots()).into_iter().collect();
        let (mut found, mut met) = (Vec::new(), Set::default());
        let mut stack = later.kernel.roots.clone();
        while let Some(id) = stack.pop() {
            if !met.insert(id) {
                continue;
            }
            if known.contains(&id) && varies.contains(&id) && is_operation(graph, id) {
                found.push(id);
            } else {
                graph.node(id).for_each_child(|child| stack.push(child));
            }
        }
        sort(&mut found);
        found
    }
}

/// Where a leaf is an element of an argument.
fn element(system: &System, symbol: SymbolId) -> Option<(Array, usize)> {
    let role = system.model.symbols[symbol.index()].role;
    match (slot(system, symbol)?, role) {
        (Slot::Element(_, array, place), _) => Some((array, place)),
        (Slot::Record(place), Role::Velocity(_)) => Some((Array::Velocity, place)),
        (Slot::Record(place), _) => Some((Array::Position, place)),
    }
}

/// Leaves in the place of values that are no numbers, each once, with their values.
pub(super) fn leaves_for<'v>(
    system: &mut System,
    name: &str,
    values: impl IntoIterator<Item = &'v mut ExprId>,
) -> Vec<(ExprId, ExprId)> {
    let graph = &mut system.model.graph;
    let mut leaf = scratch(&mut system.model.symbols);
    let mut found: Vec<(ExprId, ExprId)> = Vec::new();
    for value in values {
        if matches!(graph.node(*value), Node::Number(_)) {
            continue;
        }
        let known = found.iter().find(|it| it.1 == *value).map(|it| it.0);
        *value = known.unwrap_or_else(|| {
            let (_, own) = leaf(graph, name);
            found.push((own, *value));
            own
        });
    }
    found
}
