//! Splits a graph into formulas of readable size: results, and the definitions to which they refer.
//!
//! The printed size is linear in the graph: an expression is written out more than once only while it
//! is smaller than `SHARED_SIZE`. Whatever exceeds the budget is omitted and counted.

use std::collections::VecDeque;

use super::Formula;
use super::reading::{Reader, Threshold};
use crate::expr::{CollectVec, ExprId, Graph, Node, Number, Part, SortedMap, SortedSet, SymbolId};

/// Expressions of at least this many nodes that are used twice become definitions.
const SHARED_SIZE: usize = 12;
/// Formulas of more nodes than this are broken up,
const SIZE_LIMIT: usize = 120;
/// by turning their operands of more nodes than this into definitions.
const OPERAND_SIZE: usize = 8;
/// Expressions nested this deep become definitions, so that no renderer recurses deeply.
const DEPTH_LIMIT: usize = 16;

/// Formulas with the definitions they share.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    /// Names and their formulas, each before its first use in another definition.
    pub definitions: Vec<(String, Formula)>,
    /// One formula per root.
    pub results: Vec<Formula>,
    /// The number of operations omitted (written [`Formula::Omitted`]) to keep within the budget.
    pub omitted: usize,
}

/// Reads `roots` as formulas of at most about `budget` symbols in total.
///
/// - `symbol`: the names of the leaves.
/// - `names`: expressions named by the user; these become definitions with that name.
/// - Other definitions are called s1, s2, …, or s1_2, … if the name is taken.
pub fn list(
    graph: &Graph,
    symbol: &dyn Fn(SymbolId) -> String,
    names: &[(ExprId, String)],
    roots: &[ExprId],
    budget: usize,
) -> Listing {
    if let Some(part) = Part::of(graph, roots.iter().copied()) {
        let roots: Vec<ExprId> = roots.iter().map(|&root| part.place(root)).collect_vec();
        return list(&part.graph, symbol, &part.names(names), &roots, budget);
    }
    let reachable = graph.reachable(roots.iter().copied());
    let cuts = Cuts::new(graph, &reachable, names, roots);
    let mut selection = Selection::new(graph, &cuts, budget);
    let shown: Vec<bool> = roots.iter().map(|&root| selection.show(root)).collect_vec();
    selection.define();
    let labels = label(graph, symbol, names, &reachable, &selection.defined);
    let reader = Reader {
        graph,
        symbol,
        cut: &cuts.cut,
        labels: &labels,
        operand_limit: selection.operand_limit,
    };
    let result = |(&root, shown)| {
        if shown {
            reader.read(root)
        } else {
            Formula::Omitted
        }
    };
    let definition = |&id| Some((labels.get(&id)?.clone(), reader.body(id)));
    Listing {
        results: roots.iter().zip(shown).map(result).collect_vec(),
        definitions: selection
            .defined
            .iter()
            .filter_map(definition)
            .collect_vec(),
        omitted: selection.omitted(&reachable),
    }
}

/// The expressions that become definitions, and the size of each without them.
struct Cuts {
    cut: Vec<bool>,
    size: Vec<usize>,
    depth: Vec<usize>,
}

impl Cuts {
    fn new(
        graph: &Graph,
        reachable: &[ExprId],
        names: &[(ExprId, String)],
        roots: &[ExprId],
    ) -> Cuts {
        let uses = graph.uses(reachable, roots);
        let named: SortedSet<ExprId> = names.iter().map(|&(id, _)| id).collect();
        let roots: SortedSet<ExprId> = roots.iter().copied().collect();
        let mut cuts = Cuts {
            cut: vec![false; graph.len()],
            size: vec![1; graph.len()],
            depth: vec![0; graph.len()],
        };
        for &id in reachable {
            let table = Threshold::is_table(graph, id);
            if table {
                cuts.open_table(graph, id, &uses);
            }
            cuts.measure(graph, id, table);
            let shared = uses[id.index()] > 1;
            let wanted = named.contains(&id) && (shared || !roots.contains(&id));
            let size = cuts.size[id.index()];
            cuts.cut[id.index()] = size > 1 && (wanted || table || shared && size >= SHARED_SIZE);
        }
        cuts
    }

    /// A table becomes one definition, not one for each of its halves, and so does the argument of its lookup.
    fn open_table(&mut self, graph: &Graph, id: ExprId, uses: &[u32]) {
        let Some(threshold) = Threshold::of(graph, id) else {
            return;
        };
        let subject = threshold.subject.index();
        self.cut[subject] |= self.size[subject] > 1;
        for half in [threshold.above, threshold.below] {
            let inner =
                Threshold::of(graph, half).is_some_and(|it| it.subject == threshold.subject);
            self.cut[half.index()] &= !inner || uses[half.index()] > 1;
        }
    }

    /// Sets the size and depth of a node with measured operands; operands that are too large become definitions.
    fn measure(&mut self, graph: &Graph, id: ExprId, whole: bool) {
        let children = children(graph.node(id), usize::MAX);
        for child in &children {
            self.cut[child.index()] |= self.depth[child.index()] >= DEPTH_LIMIT;
        }
        if !whole && self.total(&children) > SIZE_LIMIT {
            for child in &children {
                self.cut[child.index()] |= self.size[child.index()] > OPERAND_SIZE;
            }
        }
        let open = |child: &&ExprId| !self.cut[child.index()];
        let deepest = children
            .iter()
            .filter(open)
            .map(|child| self.depth[child.index()] + 1);
        self.depth[id.index()] = deepest.max().unwrap_or(usize::from(!children.is_empty()));
        self.size[id.index()] = self.total(&children);
    }

    fn total(&self, children: &[ExprId]) -> usize {
        let size = |child: &ExprId| {
            if self.cut[child.index()] {
                1
            } else {
                self.size[child.index()]
            }
        };
        1 + children.iter().map(size).sum::<usize>()
    }
}

/// The first `limit` operands of a sum or product, all operands of any other node.
fn children(node: &Node, limit: usize) -> Vec<ExprId> {
    let mut children = Vec::new();
    node.for_each_child(|child| children.push(child));
    if matches!(node, Node::Sum { .. } | Node::Product(_)) {
        children.truncate(limit);
    }
    children
}

/// The printed expressions: results, then the definitions nearest to them, until the budget is spent.
struct Selection<'a> {
    graph: &'a Graph,
    cuts: &'a Cuts,
    operand_limit: usize,
    budget: usize,
    spent: usize,
    queue: VecDeque<ExprId>,
    defined: SortedSet<ExprId>,
    seen: Vec<bool>,
}

impl<'a> Selection<'a> {
    fn new(graph: &'a Graph, cuts: &'a Cuts, budget: usize) -> Selection<'a> {
        Selection {
            graph,
            cuts,
            operand_limit: budget.max(2),
            budget,
            spent: 0,
            queue: VecDeque::new(),
            defined: SortedSet::new(),
            seen: vec![false; graph.len()],
        }
    }

    /// Whether the result is printed, in full or by the name of a definition.
    fn show(&mut self, root: ExprId) -> bool {
        if self.cuts.cut[root.index()] {
            self.queue.push_back(root);
            return true;
        }
        let room = self.spend(root);
        if room {
            self.visit(root);
        }
        room
    }

    /// Includes definitions in the order of their first reference.
    fn define(&mut self) {
        while let Some(id) = self.queue.pop_front() {
            if !self.defined.contains(&id) && self.spend(id) {
                self.defined.insert(id);
                self.visit(id);
            }
        }
    }

    /// Whether the budget allows an expression; the first always fits.
    fn spend(&mut self, id: ExprId) -> bool {
        let total = self.spent + self.cuts.size[id.index()];
        let room = total <= self.budget || self.spent == 0;
        if room {
            self.spent = total;
        }
        room
    }

    /// Marks the nodes printed within `root`, and queues the definitions to which it refers.
    fn visit(&mut self, root: ExprId) {
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            self.seen[id.index()] = true;
            for child in children(self.graph.node(id), self.operand_limit) {
                if !self.cuts.cut[child.index()] {
                    stack.push(child);
                } else if !self.defined.contains(&child) {
                    self.queue.push_back(child);
                }
            }
        }
    }

    fn omitted(&self, reachable: &[ExprId]) -> usize {
        let missing = |&id: &ExprId| match (self.graph.node(id), self.seen[id.index()]) {
            (node, false) => operations(node),
            (Node::Sum { terms, .. }, true) => terms.len().saturating_sub(self.operand_limit),
            (Node::Product(factors), true) => factors.len().saturating_sub(self.operand_limit),
            _ => 0,
        };
        reachable.iter().map(missing).sum()
    }
}

/// Additions, multiplications, divisions, powers and functions of one node.
fn operations(node: &Node) -> usize {
    match node {
        Node::Number(_) | Node::Symbol(_) | Node::Boolean(_) | Node::Whole(_) => 0,
        Node::Sum { constant, terms } => {
            let is_unit = |c: Number| c.abs().is_one();
            let scaled = terms.iter().filter(|&&(_, c)| !is_unit(c)).count();
            let sole_negation = terms.len() == 1 && is_unit(terms[0].1) && constant.is_zero();
            let additions = terms.len() + usize::from(!constant.is_zero()) - 1;
            additions + scaled + usize::from(sole_negation)
        }
        Node::Product(factors) => {
            let powers = factors.iter().filter(|(_, e)| e.abs() != 1).count();
            let reciprocal = factors.iter().all(|&(_, e)| e < 0);
            factors.len() - 1 + powers + usize::from(reciprocal)
        }
        _ => 1,
    }
}

/// A name for each definition, different from those of the leaves and of other definitions.
fn label(
    graph: &Graph,
    symbol: &dyn Fn(SymbolId) -> String,
    names: &[(ExprId, String)],
    reachable: &[ExprId],
    defined: &SortedSet<ExprId>,
) -> SortedMap<ExprId, String> {
    let leaf = |&id: &ExprId| match *graph.node(id) {
        Node::Symbol(leaf) => Some(symbol(leaf)),
        _ => None,
    };
    let leaves = reachable.iter().filter_map(leaf);
    let mut taken: SortedMap<String, usize> = leaves.map(|name| (name, 2)).collect();
    let mut labels = SortedMap::new();
    // A user's definition that did not fit keeps its name, whose meaning is in the source.
    let ours = names
        .iter()
        .filter(|(id, _)| reachable.binary_search(id).is_ok());
    for (id, name) in ours {
        labels
            .entry(*id)
            .or_insert_with(|| unused(name.clone(), &mut taken));
    }
    let mut count = 0;
    for &id in defined {
        labels.entry(id).or_insert_with(|| {
            count += 1;
            unused(format!("s{count}"), &mut taken)
        });
    }
    labels
}

/// `name`, or `name_2`, `name_3` … if it is taken; `taken` holds the next number to try.
fn unused(name: String, taken: &mut SortedMap<String, usize>) -> String {
    let mut number = taken.get(&name).copied().unwrap_or(1);
    let mut free = name.clone();
    while taken.contains_key(&free) {
        free = format!("{name}_{number}");
        number += 1;
    }
    taken.insert(free.clone(), 2);
    taken.insert(name, number.max(2));
    free
}
