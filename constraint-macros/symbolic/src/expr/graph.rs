//! The arena of expressions: every scalar once, children before parents.
//!
//! Constructors keep a local normal form and nothing more:
//! - numbers are folded exactly; numeric factors are placed before products, and those common to all
//!   terms of a sum before the sum;
//! - like terms and like factors are merged, x − x = 0, x/x = 1;
//! - a nested sum or product is opened only if that cancels something, never expanded;
//! - a [`Node::Whole`] is never opened.
//!
//! Invariant: a node's children have smaller ids, so ascending ids are a topological order.

use super::eager::sort;
use super::function::Function;
use super::growth::Growth;
use super::hash::hash_of;
use super::map::Map;
use super::number::Number;
use super::places::Places;
use super::slope::Slope;
use crate::expr::CollectVec;

/// An expression of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(u32);

impl ExprId {
    /// Index in the arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A leaf of the graph. Only the model knows its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(u32);

impl SymbolId {
    /// The symbol number `index`.
    pub fn new(index: usize) -> SymbolId {
        SymbolId(index as u32)
    }

    /// The number of the symbol.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An order relation between two scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // <, ≤, >, ≥, =
pub enum Comparison {
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
}

impl Comparison {
    /// Whether the relation holds.
    pub fn holds(self, a: f64, b: f64) -> bool {
        match self {
            Comparison::Lt => a < b,
            Comparison::Le => a <= b,
            Comparison::Gt => a > b,
            Comparison::Ge => a >= b,
            Comparison::Eq => a == b,
        }
    }

    /// `<=`
    pub fn sign(self) -> &'static str {
        match self {
            Comparison::Lt => "<",
            Comparison::Le => "<=",
            Comparison::Gt => ">",
            Comparison::Ge => ">=",
            Comparison::Eq => "==",
        }
    }
}

/// One expression; operands are earlier nodes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A constant.
    Number(Number),
    /// A leaf.
    Symbol(SymbolId),
    /// constant + Σ coefficient·term; terms ascend and differ, except for the two of [`Graph::doubled`]; coefficients are
    /// not zero.
    Sum {
        /// The constant part.
        constant: Number,
        /// Terms with their coefficients.
        terms: Box<[(ExprId, Number)]>,
    },
    /// Π baseᵉ; bases ascend and differ, exponents are not zero.
    Product(Box<[(ExprId, i32)]>),
    /// The value itself as an opaque factor, like a leaf, including its numeric factor.
    Whole(ExprId),
    /// An elementary function.
    Call(Function, Box<[ExprId]>),
    /// `if condition { then } else { otherwise }`
    Select {
        /// A boolean.
        condition: ExprId,
        /// The value if it holds.
        then: ExprId,
        /// The value if it does not.
        otherwise: ExprId,
    },
    /// A boolean constant.
    Boolean(bool),
    /// A comparison of two scalars.
    Compare(Comparison, ExprId, ExprId),
    /// The conjunction of two booleans.
    And(ExprId, ExprId),
    /// The disjunction of two booleans.
    Or(ExprId, ExprId),
    /// The negation of a boolean.
    Not(ExprId),
}

impl Node {
    /// Its numbers, without exponents.
    pub fn numbers(&self) -> impl Iterator<Item = Number> {
        let (number, terms) = match self {
            Node::Number(value) => (Some(*value), &[][..]),
            Node::Sum { constant, terms } => (Some(*constant), &terms[..]),
            _ => (None, &[][..]),
        };
        number.into_iter().chain(terms.iter().map(|&(_, c)| c))
    }

    /// One of its numbers that no program can represent.
    pub fn number_beyond(&self) -> Option<Number> {
        self.numbers().find(|it| !it.fits())
    }

    /// Calls `visit` for each operand.
    pub fn for_each_child(&self, mut visit: impl FnMut(ExprId)) {
        self.visit_children(&mut visit);
    }

    /// Not generic: it has many callers.
    fn visit_children(&self, visit: &mut dyn FnMut(ExprId)) {
        match self {
            Node::Number(_) | Node::Symbol(_) | Node::Boolean(_) => {}
            Node::Sum { terms, .. } => terms.iter().for_each(|&(term, _)| visit(term)),
            Node::Product(factors) => factors.iter().for_each(|&(base, _)| visit(base)),
            Node::Whole(a) | Node::Not(a) => visit(*a),
            Node::Call(_, arguments) => arguments.iter().for_each(|&argument| visit(argument)),
            Node::Select {
                condition,
                then,
                otherwise,
            } => {
                visit(*condition);
                visit(*then);
                visit(*otherwise);
            }
            Node::Compare(_, a, b) | Node::And(a, b) | Node::Or(a, b) => {
                visit(*a);
                visit(*b);
            }
        }
    }

    /// Renumbers each operand.
    pub(super) fn renumber(&mut self, new: impl Fn(&mut ExprId)) {
        match self {
            Node::Number(_) | Node::Symbol(_) | Node::Boolean(_) => {}
            Node::Sum { terms, .. } => terms.iter_mut().for_each(|(term, _)| new(term)),
            Node::Product(factors) => factors.iter_mut().for_each(|(base, _)| new(base)),
            Node::Whole(a) | Node::Not(a) => new(a),
            Node::Call(_, arguments) => arguments.iter_mut().for_each(new),
            Node::Select {
                condition,
                then,
                otherwise,
            } => [condition, then, otherwise].into_iter().for_each(new),
            Node::Compare(_, a, b) | Node::And(a, b) | Node::Or(a, b) => {
                [a, b].into_iter().for_each(new);
            }
        }
    }
}

/// A node that takes one of two values: `if`, `min`, `max`.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The boolean condition.
    pub condition: ExprId,
    /// The value if it holds.
    pub then: ExprId,
    /// The value if it does not.
    pub otherwise: ExprId,
}

/// The hash-consed arena.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    nodes: Vec<Node>,
    places: Places,
    /// Nodes with a number that no program can represent, ascending.
    beyond: Vec<ExprId>,
    /// Whether the graph contains a cosine.
    pub(super) turns: bool,
    /// Growth of exponentials.
    pub(super) growth: Growth,
    /// Known slopes of functions.
    pub(super) slopes: Map<ExprId, Slope>,
    /// Results of [`Graph::as_fraction`].
    pub(super) fractions: Map<ExprId, Option<ExprId>>,
    /// The number of letters written so far while combining squares of sines and cosines.
    pub(super) joining: usize,
}

/// Nested sums and products with more operands than this are never opened.
pub(super) const OPEN_LIMIT: usize = 32;

/// In graphs with more nodes than this,
pub(super) const MANY: usize = 1 << 14;
/// up to this many reachable nodes are found by a search instead of a bit per node of the graph.
const FEW: usize = 128;

impl Graph {
    /// An empty graph.
    pub fn new() -> Graph {
        Graph::default()
    }

    /// An empty graph with capacity for this many nodes.
    pub fn with_capacity(nodes: usize) -> Graph {
        Graph {
            nodes: Vec::with_capacity(nodes),
            places: Places::with_capacity(nodes),
            ..Graph::default()
        }
    }

    /// The node of an id.
    pub fn node(&self, id: ExprId) -> &Node {
        &self.nodes[id.index()]
    }

    /// All nodes, children before parents.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The ids of all nodes, children before parents.
    pub fn ids(&self) -> impl Iterator<Item = ExprId> + use<> {
        (0..self.nodes.len() as u32).map(ExprId)
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The nodes with a number that no program can represent, ascending; results need not depend on them.
    pub fn beyond(&self) -> &[ExprId] {
        &self.beyond
    }

    /// The nodes on which `roots` depend, including themselves, in ascending order.
    pub fn reachable(&self, roots: impl IntoIterator<Item = ExprId>) -> Vec<ExprId> {
        let roots: Vec<ExprId> = roots.into_iter().collect_vec();
        if self.len() > MANY
            && let Some(few) = self.few_reachable(&roots)
        {
            return few;
        }
        // One bit per node. Children have lower ids than their parents, so one pass over the words from the top suffices.
        let mut reached = vec![0_u64; self.len().div_ceil(64)];
        for root in roots {
            reached[root.index() / 64] |= 1 << (root.index() % 64);
        }
        let mut found = Vec::new();
        for word in (0..reached.len()).rev() {
            let mut left = reached[word];
            while left != 0 {
                let bit = left.ilog2();
                let id = ExprId(64 * word as u32 + bit);
                found.push(id);
                self.node(id).for_each_child(|child| {
                    reached[child.index() / 64] |= 1 << (child.index() % 64)
                });
                left = reached[word] & ((1 << bit) - 1);
            }
        }
        found.reverse();
        found
    }

    /// The same by a search, for a small part of a large graph, where a bit per node would cost more; `None` if it is not small.
    fn few_reachable(&self, roots: &[ExprId]) -> Option<Vec<ExprId>> {
        let mut open = roots.to_vec();
        sort(&mut open);
        open.dedup();
        let mut found = Vec::new();
        while let Some(id) = open.pop() {
            if found.len() + open.len() > FEW {
                return None;
            }
            found.push(id);
            self.node(id).for_each_child(|child| {
                if let Err(place) = open.binary_search(&child) {
                    open.insert(place, child);
                }
            });
        }
        found.reverse();
        Some(found)
    }

    /// How often each node is an operand or a root, by [index](ExprId::index).
    pub fn uses(&self, nodes: &[ExprId], roots: &[ExprId]) -> Vec<u32> {
        let mut uses = vec![0; self.len()];
        roots.iter().for_each(|root| uses[root.index()] += 1);
        for &id in nodes {
            self.node(id)
                .for_each_child(|child| uses[child.index()] += 1);
        }
        uses
    }

    /// The id of the node, added if new.
    pub(super) fn intern(&mut self, node: Node) -> ExprId {
        let hash = hash_of(&node);
        if let Some(known) = self.place(hash, &node) {
            return known;
        }
        let next = ExprId(self.nodes.len() as u32);
        if node.number_beyond().is_some() {
            self.beyond.push(next);
        }
        self.turns |= matches!(node, Node::Call(Function::Cos, _));
        self.growth.any |= matches!(
            node,
            Node::Call(Function::Exp | Function::Cosh | Function::Sinh, _)
        );
        self.places.insert(hash, next.index());
        self.nodes.push(node);
        next
    }

    /// The id of a node that exists already.
    pub(super) fn known(&self, node: &Node) -> Option<ExprId> {
        self.place(hash_of(node), node)
    }

    fn place(&self, hash: u32, node: &Node) -> Option<ExprId> {
        let place = self.places.find(hash, &|place| self.nodes[place] == *node);
        place.map(|place| ExprId(place as u32))
    }

    /// Completes `map` for all nodes on which the roots depend: a node without an entry is rebuilt from those of its operands,
    /// and is unchanged if its operands are.
    pub fn substitute(
        &mut self,
        roots: impl IntoIterator<Item = ExprId>,
        mut map: Map<ExprId, ExprId>,
    ) -> Map<ExprId, ExprId> {
        for id in self.reachable(roots) {
            if !map.contains_key(&id) {
                let node = self.node(id).clone();
                let mut changed = false;
                node.for_each_child(|child| changed |= map[&child] != child);
                let rebuilt = if changed {
                    self.rebuild(&node, &map)
                } else {
                    id
                };
                map.insert(id, rebuilt);
            }
        }
        map
    }

    /// A node of this or another graph with its operands replaced; `map` has an entry for each.
    pub fn rebuild(&mut self, node: &Node, map: &Map<ExprId, ExprId>) -> ExprId {
        let of = |id: &ExprId| map[id];
        match node {
            Node::Number(value) => self.number(*value),
            Node::Symbol(symbol) => self.symbol(*symbol),
            Node::Boolean(value) => self.boolean(*value),
            Node::Sum { constant, terms } => {
                let terms: Vec<_> = terms.iter().map(|(t, c)| (of(t), *c)).collect_vec();
                let sum = self.sum(&terms);
                self.offset(sum, *constant)
            }
            Node::Product(factors) => {
                let factors: Vec<_> = factors.iter().map(|(b, e)| (of(b), *e)).collect_vec();
                self.product(&factors)
            }
            Node::Whole(a) => self.whole(of(a)),
            Node::Call(function, arguments) => {
                let arguments: Vec<_> = arguments.iter().map(of).collect_vec();
                self.call(*function, &arguments)
            }
            Node::Select {
                condition,
                then,
                otherwise,
            } => self.select(of(condition), of(then), of(otherwise)),
            Node::Compare(comparison, a, b) => self.compare(*comparison, of(a), of(b)),
            Node::And(a, b) => self.and(of(a), of(b)),
            Node::Or(a, b) => self.or(of(a), of(b)),
            Node::Not(a) => self.not(of(a)),
        }
    }

    /// A constant.
    pub fn number(&mut self, value: Number) -> ExprId {
        self.intern(Node::Number(value))
    }

    /// 0.
    pub fn zero(&mut self) -> ExprId {
        self.number(Number::ZERO)
    }

    /// A leaf.
    pub fn symbol(&mut self, symbol: SymbolId) -> ExprId {
        self.intern(Node::Symbol(symbol))
    }

    /// The same value as an opaque factor, which normal forms do not change; numbers and leaves are returned as they are.
    ///
    /// Otherwise, if 2·x is the divisor of many quotients, each would get its own factor ½.
    pub fn whole(&mut self, id: ExprId) -> ExprId {
        match self.node(id) {
            Node::Number(_) | Node::Symbol(_) | Node::Whole(_) => id,
            _ => self.intern(Node::Whole(id)),
        }
    }

    /// The value of a constant node.
    pub fn as_number(&self, id: ExprId) -> Option<Number> {
        match *self.node(id) {
            Node::Number(value) => Some(value),
            _ => None,
        }
    }

    /// The symbol of a leaf.
    pub fn as_symbol(&self, id: ExprId) -> Option<SymbolId> {
        match *self.node(id) {
            Node::Symbol(symbol) => Some(symbol),
            _ => None,
        }
    }

    /// Whether the node is a leaf or a number.
    pub fn is_leaf(&self, id: ExprId) -> bool {
        matches!(self.node(id), Node::Symbol(_) | Node::Number(_))
    }

    /// Whether the node is the constant 0.
    pub fn is_zero(&self, id: ExprId) -> bool {
        self.as_number(id).is_some_and(Number::is_zero)
    }

    /// The value of a constant boolean.
    pub fn as_boolean(&self, id: ExprId) -> Option<bool> {
        match *self.node(id) {
            Node::Boolean(value) => Some(value),
            _ => None,
        }
    }

    /// The numeric factor in front of a node, and the rest: 3·x gives (3, x).
    pub fn split_coefficient(&self, id: ExprId) -> (Number, ExprId) {
        match self.node(id) {
            Node::Sum { constant, terms } if constant.is_zero() && terms.len() == 1 => {
                (terms[0].1, terms[0].0)
            }
            _ => (Number::ONE, id),
        }
    }

    /// The two branches of an `if`, a `min` or a `max`.
    pub fn choice(&mut self, id: ExprId) -> Option<Choice> {
        match *self.node(id) {
            Node::Select {
                condition,
                then,
                otherwise,
            } => Some(Choice {
                condition,
                then,
                otherwise,
            }),
            Node::Call(function @ (Function::Min | Function::Max), ref arguments) => {
                let (then, otherwise) = (arguments[0], arguments[1]);
                let comparison = if function == Function::Min {
                    Comparison::Le
                } else {
                    Comparison::Ge
                };
                let condition = self.compare(comparison, then, otherwise);
                Some(Choice {
                    condition,
                    then,
                    otherwise,
                })
            }
            _ => None,
        }
    }
}
