//! Shapes: an expression as a sequence of words, equal for all members of a family.

use super::leaves::{ArrayName, Leaf, Leaves, Slot};
use crate::expr::{CollectVec, ExprId, Function, Graph, Map, Node, Number, PushEach, SymbolId};

/// One word of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Word<A> {
    /// An expression in which nothing varies is its own word.
    Constant(ExprId),
    /// A leaf, by the number of its slot.
    Element(A, usize),
    Composed(usize),
    /// A node met before, by its number.
    Known(usize),
    Sum(Number, usize),
    Term(Number),
    /// A number that members may differ by.
    AnyNumber,
    Product(usize),
    Factor(i32),
    Call(Function),
    /// Comparisons and choices, by their discriminant.
    Other(std::mem::Discriminant<Node>, u8),
}

/// A number in an expression: the constant of a sum, or the factor of one of its terms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occurrence {
    /// The sum, or the number itself.
    pub(super) node: ExprId,
    /// The term; `None` for the constant.
    pub(super) term: Option<usize>,
    pub(super) value: Number,
}

/// The numbers of a node that members of a family may differ by. 0, 1 and −1 take part in no operation, so they are
/// part of the shape.
fn numbers_of(node: &Node) -> impl Iterator<Item = (Option<usize>, Number)> {
    let (constant, terms) = match node {
        Node::Sum { constant, terms } => (Some(*constant).filter(|it| !it.is_zero()), &terms[..]),
        Node::Number(value) => (Some(*value).filter(|it| !is_plain(*it)), &[][..]),
        _ => (None, &[][..]),
    };
    let factors = terms.iter().enumerate();
    let factors = factors.filter(|(_, term)| !is_plain(term.1));
    let factors = factors.map(|(k, term)| (Some(k), term.1));
    constant.map(|it| (None, it)).into_iter().chain(factors)
}

fn is_plain(number: Number) -> bool {
    number.is_zero() || number.abs().is_one()
}

/// Shapes of several expressions at once, numbered.
#[derive(Debug)]
pub struct Shapes<A>(Map<Vec<Word<A>>, usize>);

impl<A> Default for Shapes<A> {
    fn default() -> Shapes<A> {
        Shapes(Map::default())
    }
}

impl<A: ArrayName> Shapes<A> {
    /// The number of the shape of all roots together, and their slots.
    pub fn of<L: Leaves<Array = A>>(
        &mut self,
        graph: &Graph,
        leaves: &L,
        roots: &[ExprId],
    ) -> (usize, Vec<Slot<A>>) {
        let mut reader = Reader::new(graph, leaves, roots);
        roots.iter().for_each(|&root| reader.read(root));
        let next = self.0.len();
        (*self.0.entry(reader.words).or_insert(next), reader.slots)
    }
}

/// All nodes below the roots, companions included.
fn reachable<L: Leaves>(graph: &Graph, leaves: &L, roots: &[ExprId]) -> Vec<ExprId> {
    let mut reached = graph.reachable(roots.iter().copied());
    loop {
        let mut all = reached.clone();
        for &id in &reached {
            if let Node::Symbol(symbol) = *graph.node(id) {
                leaves.for_each_companion(symbol, |id| all.push(id));
            }
        }
        let more = graph.reachable(all);
        if more.len() == reached.len() {
            return more;
        }
        reached = more;
    }
}

/// Reads expressions word by word.
pub(super) struct Reader<'a, L: Leaves> {
    graph: &'a Graph,
    leaves: &'a L,
    /// By node, whether it contains a leaf that varies.
    varies: Vec<bool>,
    pub(super) words: Vec<Word<L::Array>>,
    /// By node its number and one, if it has been met; otherwise 0.
    numbers: Vec<u32>,
    met: Vec<ExprId>,
    slots: Vec<Slot<L::Array>>,
    /// The numbers met, if members may differ by them.
    occurrences: Option<Vec<Occurrence>>,
}

impl<'a, L: Leaves> Reader<'a, L> {
    pub(super) fn new(graph: &'a Graph, leaves: &'a L, roots: &[ExprId]) -> Reader<'a, L> {
        let mut varies = vec![false; graph.len()];
        for id in reachable(graph, leaves, roots) {
            let node = graph.node(id);
            let mut found = match node {
                Node::Symbol(symbol) => leaves.leaf(*symbol).is_some(),
                _ => false,
            };
            node.for_each_child(|child| found |= varies[child.index()]);
            varies[id.index()] = found;
        }
        Reader {
            graph,
            leaves,
            varies,
            words: Vec::new(),
            numbers: vec![0; graph.len()],
            met: Vec::new(),
            slots: Vec::new(),
            occurrences: None,
        }
    }

    /// A reader for which expressions have the same shape even if they differ in numbers.
    pub(super) fn but_for_numbers(
        graph: &'a Graph,
        leaves: &'a L,
        roots: &[ExprId],
    ) -> Reader<'a, L> {
        let mut reader = Reader::new(graph, leaves, roots);
        for id in reachable(graph, leaves, roots) {
            let node = graph.node(id);
            let mut varies = reader.varies[id.index()] || numbers_of(node).next().is_some();
            node.for_each_child(|child| varies |= reader.varies[child.index()]);
            reader.varies[id.index()] = varies;
        }
        reader.occurrences = Some(Vec::new());
        reader
    }

    /// Returns the slots and the numbers since the last call, and forgets all words.
    pub(super) fn take(&mut self) -> (Vec<Slot<L::Array>>, Vec<Occurrence>) {
        self.words.clear();
        for id in self.met.drain(..) {
            self.numbers[id.index()] = 0;
        }
        let occurrences = self.occurrences.as_mut().map(std::mem::take);
        (
            std::mem::take(&mut self.slots),
            occurrences.unwrap_or_default(),
        )
    }

    /// The number of a slot.
    fn number(&mut self, slot: Slot<L::Array>) -> usize {
        if let Some(known) = self.slots.iter().position(|&other| other == slot) {
            return known;
        }
        self.slots.push(slot);
        self.slots.len() - 1
    }

    /// Reads an expression, each node before its operands. The stack is explicit because sums may nest deeply.
    pub(super) fn read(&mut self, root: ExprId) {
        let graph = self.graph;
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            if !self.varies[id.index()] {
                self.words.push(Word::Constant(id));
                continue;
            }
            if let Some(before) = self.numbers[id.index()].checked_sub(1) {
                self.words.push(Word::Known(before as usize));
                continue;
            }
            self.met.push(id);
            self.numbers[id.index()] = self.met.len() as u32;
            self.node(graph.node(id));
            self.read_numbers(id);
            let start = stack.len();
            graph.node(id).for_each_child(|child| stack.push(child));
            if let Node::Symbol(symbol) = graph.node(id) {
                self.leaves.for_each_companion(*symbol, |id| stack.push(id));
            }
            stack[start..].reverse();
        }
    }

    fn read_numbers(&mut self, node: ExprId) {
        let Some(all) = &mut self.occurrences else {
            return;
        };
        for (term, value) in numbers_of(self.graph.node(node)) {
            all.push(Occurrence { node, term, value });
            self.words.push(Word::AnyNumber);
        }
    }

    fn leaf(&mut self, symbol: SymbolId) {
        let word = match self.leaves.leaf(symbol) {
            Some(Leaf::Element(array, slot)) => Word::Element(array, self.number(slot)),
            Some(Leaf::Composed(component)) => Word::Composed(component),
            None => return,
        };
        self.words.push(word);
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Symbol(symbol) => self.leaf(*symbol),
            Node::Sum { constant, terms } => {
                let of = |number: Number, is_plain: bool| match (&self.occurrences, is_plain) {
                    (Some(_), false) => Number::ONE,
                    _ => number,
                };
                let constant = of(*constant, constant.is_zero());
                let terms = terms.iter().map(|&(_, c)| Word::Term(of(c, is_plain(c))));
                let terms: Vec<_> = terms.collect_vec();
                self.words.push(Word::Sum(constant, terms.len()));
                self.words.push_each(terms);
            }
            Node::Product(factors) => {
                self.words.push(Word::Product(factors.len()));
                self.words
                    .push_each(factors.iter().map(|&(_, e)| Word::Factor(e)));
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
