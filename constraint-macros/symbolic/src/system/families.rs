//! Expressions of one shape: the same formula over other coordinates.
//!
//! Input: expressions of a graph. Output: for each its family, and the coordinates it speaks of in the
//! order of their first appearance; what is derived for one member then serves all.

use crate::expr::{ExprId, Function, Graph, Map, Node, Number, SymbolId};
use crate::model::{Role, Symbol};

/// A coordinate or a velocity, as an expression sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Leaf {
    Position(usize),
    Velocity(usize),
}

/// One word of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Word {
    /// What contains no coordinate is itself.
    Constant(ExprId),
    Leaf(Leaf),
    /// A node met before.
    Again(usize),
    Sum(Number, usize),
    Term(Number),
    Product(usize),
    Factor(i32),
    Call(Function),
    /// Comparisons, choices: told apart by their discriminant.
    Other(std::mem::Discriminant<Node>, u8),
}

/// The families of a list of expressions.
#[derive(Clone, Debug, Default)]
pub struct Families {
    /// Per member: its family.
    pub of: Vec<usize>,
    /// Per member: the coordinates it speaks of, in the order of their first appearance.
    pub slots: Vec<Vec<usize>>,
    /// Per family: its first member.
    pub first: Vec<usize>,
}

impl Families {
    /// Finds the families.
    pub fn of(graph: &Graph, symbols: &[Symbol], members: &[ExprId]) -> Families {
        let varies = varies(graph, symbols, members);
        let mut known: Map<Vec<Word>, usize> = Map::default();
        let mut families = Families::default();
        for (member, &root) in members.iter().enumerate() {
            let mut reading = Reading {
                graph,
                symbols,
                varies: &varies,
                words: Vec::new(),
                met: Map::default(),
                slots: Vec::new(),
            };
            reading.read(root);
            let Reading { words, slots, .. } = reading;
            let next = families.first.len();
            let family = *known.entry(words).or_insert(next);
            if family == next {
                families.first.push(member);
            }
            families.of.push(family);
            families.slots.push(slots);
        }
        families
    }

    /// The number of families.
    pub fn len(&self) -> usize {
        self.first.len()
    }
}

/// For every node below the roots: does it contain a coordinate or a velocity?
fn varies(graph: &Graph, symbols: &[Symbol], roots: &[ExprId]) -> Vec<bool> {
    let mut varies = vec![false; graph.len()];
    for id in graph.reachable(roots.iter().copied()) {
        let node = graph.node(id);
        let mut found = match node {
            Node::Symbol(symbol) => leaf(symbols, *symbol).is_some(),
            _ => false,
        };
        node.for_each_child(|child| found |= varies[child.index()]);
        varies[id.index()] = found;
    }
    varies
}

fn leaf(symbols: &[Symbol], symbol: SymbolId) -> Option<Leaf> {
    match symbols.get(symbol.index())?.role {
        Role::Coordinate(i) => Some(Leaf::Position(i)),
        Role::Velocity(i) => Some(Leaf::Velocity(i)),
        _ => None,
    }
}

struct Reading<'a> {
    graph: &'a Graph,
    symbols: &'a [Symbol],
    varies: &'a [bool],
    words: Vec<Word>,
    met: Map<ExprId, usize>,
    slots: Vec<usize>,
}

impl Reading<'_> {
    fn slot(&mut self, coordinate: usize) -> usize {
        if let Some(slot) = self.slots.iter().position(|&c| c == coordinate) {
            return slot;
        }
        self.slots.push(coordinate);
        self.slots.len() - 1
    }

    /// Before its operands; an explicit stack, since sums may nest deeply.
    fn read(&mut self, root: ExprId) {
        let graph = self.graph;
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            if !self.varies[id.index()] {
                self.words.push(Word::Constant(id));
                continue;
            }
            if let Some(&before) = self.met.get(&id) {
                self.words.push(Word::Again(before));
                continue;
            }
            let next = self.met.len();
            self.met.insert(id, next);
            self.node(graph.node(id));
            let start = stack.len();
            graph.node(id).for_each_child(|child| stack.push(child));
            stack[start..].reverse();
        }
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Symbol(symbol) => {
                let word = match leaf(self.symbols, *symbol) {
                    Some(Leaf::Velocity(i)) => Leaf::Velocity(self.slot(i)),
                    Some(Leaf::Position(i)) => Leaf::Position(self.slot(i)),
                    None => return,
                };
                self.words.push(Word::Leaf(word));
            }
            Node::Sum { constant, terms } => {
                self.words.push(Word::Sum(*constant, terms.len()));
                self.words.extend(terms.iter().map(|&(_, c)| Word::Term(c)));
            }
            Node::Product(factors) => {
                self.words.push(Word::Product(factors.len()));
                self.words
                    .extend(factors.iter().map(|&(_, e)| Word::Factor(e)));
            }
            Node::Call(function, _) => self.words.push(Word::Call(*function)),
            other => {
                let comparison = match other {
                    Node::Compare(comparison, ..) => *comparison as u8,
                    _ => 0,
                };
                self.words
                    .push(Word::Other(std::mem::discriminant(other), comparison));
            }
        }
    }
}
