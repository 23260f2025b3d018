//! Reverse sweep.

use crate::expr::{
    Choice, CollectVec, ExprId, Graph, Map, Node, Number, PushEach, Set, SortedMap, SortedSet,
};

/// ∂root/∂variableᵢ for every variable, by one reverse sweep.
///
/// `variables` are leaves. The cost is a small multiple of the cost of `root`, for any number of variables,
/// except for choices (`if`, `min`, `max`), whose branches are swept one by one.
pub fn gradient(graph: &mut Graph, root: ExprId, variables: &[ExprId]) -> Vec<ExprId> {
    let root = graph.bounded(root);
    let active = active_nodes(graph, root, variables);
    let mut sweep = Sweep {
        variables,
        active,
        choices: Map::default(),
    };
    let choices: Vec<ExprId> = sweep.active.iter().copied().collect_vec();
    for id in choices {
        if let Some(choice) = graph.choice(id) {
            let gradient = sweep.choice_gradient(graph, choice);
            sweep.choices.insert(id, gradient);
        }
    }
    let slopes = sweep.run(graph, root);
    slopes.into_iter().map(|it| graph.bounded(it)).collect_vec()
}

/// The nodes below `root` that depend on one of the variables.
fn active_nodes(graph: &Graph, root: ExprId, variables: &[ExprId]) -> SortedSet<ExprId> {
    let mut active = SortedSet::new();
    let is_variable: Set<ExprId> = variables.iter().copied().collect();
    for id in graph.reachable([root]) {
        let mut depends = is_variable.contains(&id);
        graph
            .node(id)
            .for_each_child(|child| depends |= active.contains(&child));
        if depends {
            active.insert(id);
        }
    }
    active
}

struct Sweep<'a> {
    variables: &'a [ExprId],
    active: SortedSet<ExprId>,
    /// The gradients of the choices below; in the sweeps above, choices are leaves.
    choices: Map<ExprId, Vec<ExprId>>,
}

/// Contributions to the adjoints of nodes that are not yet visited; the largest id is next.
type Adjoints = SortedMap<ExprId, Vec<(ExprId, Number)>>;

impl Sweep<'_> {
    fn choice_gradient(&self, graph: &mut Graph, choice: Choice) -> Vec<ExprId> {
        let then = self.run(graph, choice.then);
        let otherwise = self.run(graph, choice.otherwise);
        let pairs = then.into_iter().zip(otherwise);
        pairs
            .map(|(a, b)| graph.select(choice.condition, a, b))
            .collect_vec()
    }

    fn run(&self, graph: &mut Graph, root: ExprId) -> Vec<ExprId> {
        let one = graph.number(Number::ONE);
        let mut adjoints = Adjoints::new();
        let mut totals: Map<ExprId, Vec<(ExprId, Number)>> = Map::default();
        if self.active.contains(&root) {
            adjoints.insert(root, vec![(one, Number::ONE)]);
        }
        while let Some((id, contributions)) = adjoints.pop_last() {
            if let Some(gradient) = self.choices.get(&id) {
                let adjoint = graph.sum(&contributions);
                for (&variable, &slope) in self.variables.iter().zip(gradient) {
                    let term = graph.mul(adjoint, slope);
                    totals
                        .entry(variable)
                        .or_default()
                        .push((term, Number::ONE));
                }
            } else if matches!(graph.node(id), Node::Symbol(_)) {
                totals.entry(id).or_default().push_each(contributions);
            } else {
                let adjoint = graph.sum(&contributions);
                self.pull_back(graph, id, adjoint, &mut adjoints);
            }
        }
        let total = |v: &ExprId| graph.sum(totals.get(v).map_or(&[][..], Vec::as_slice));
        self.variables.iter().map(total).collect_vec()
    }

    /// Propagates the adjoint of a node to its operands.
    fn pull_back(&self, graph: &mut Graph, id: ExprId, adjoint: ExprId, adjoints: &mut Adjoints) {
        let mut add = |to: ExprId, term: ExprId, factor: Number| {
            if self.active.contains(&to) {
                adjoints.entry(to).or_default().push((term, factor));
            }
        };
        let is_constant = |leaf| !self.variables.contains(&leaf);
        let known = graph.slope(id, is_constant);
        // Equal sums share the node, so its argument may depend on none of the variables here.
        if let Some((argument, slope)) = known.filter(|it| self.active.contains(&it.0)) {
            let term = graph.mul(adjoint, slope);
            add(argument, term, Number::ONE);
            return;
        }
        match graph.node(id).clone() {
            Node::Sum { terms, .. } => {
                terms
                    .iter()
                    .for_each(|&(term, coefficient)| add(term, adjoint, coefficient));
            }
            Node::Whole(a) => add(a, adjoint, Number::ONE),
            Node::Product(factors) => {
                for (base, term, exponent) in self.product_terms(graph, id, &factors, adjoint) {
                    add(base, term, exponent);
                }
            }
            Node::Call(function, arguments) => {
                for (i, &argument) in arguments.iter().enumerate() {
                    if self.active.contains(&argument) {
                        let slope = (function.row().slope)(graph, id, &arguments, i);
                        let term = graph.mul(adjoint, slope);
                        add(argument, term, Number::ONE);
                    }
                }
            }
            // Choices have gradients of their own; booleans and leaves have no operands.
            _ => {}
        }
    }
}

/// Products of more factors than this are split in halves, each the derivative by the other, so that the work grows
/// with n log n, not n².
const SPLIT_ABOVE: usize = 8;

impl Sweep<'_> {
    /// The contributions of a product to its factors: (base, term, number) for each.
    fn product_terms(
        &self,
        graph: &mut Graph,
        product: ExprId,
        factors: &[(ExprId, i32)],
        adjoint: ExprId,
    ) -> Vec<(ExprId, ExprId, Number)> {
        if factors.len() > SPLIT_ABOVE {
            let (left, right) = factors.split_at(factors.len() / 2);
            let halves = (graph.product(left), graph.product(right));
            let adjoints = (graph.mul(adjoint, halves.1), graph.mul(adjoint, halves.0));
            let mut terms = self.product_terms(graph, halves.0, left, adjoints.0);
            terms.push_each(self.product_terms(graph, halves.1, right, adjoints.1));
            return terms;
        }
        let mut terms = Vec::new();
        for (i, &(base, exponent)) in factors.iter().enumerate() {
            if self.active.contains(&base) {
                let slope = product_slope(graph, product, factors, i);
                let term = graph.mul(adjoint, slope);
                terms.push((base, term, Number::integer(exponent.into())));
            }
        }
        terms
    }
}

/// (∂P/∂bᵢ)/eᵢ of P = Π bᵉ: the product with one power of bᵢ less; if bᵢ is a divisor, P/bᵢ, which reuses the value
/// of P.
fn product_slope(
    graph: &mut Graph,
    product: ExprId,
    factors: &[(ExprId, i32)],
    i: usize,
) -> ExprId {
    let (base, exponent) = factors[i];
    if exponent < 0 && factors.len() > 1 {
        return graph.div(product, base);
    }
    let mut rest = factors.to_vec();
    rest[i].1 = exponent.saturating_sub(1);
    rest.retain(|&(_, e)| e != 0);
    graph.product(&rest)
}
