//! Derivatives along a motion: every node gets its first and second time derivative.

use std::rc::Rc;

use crate::expr::{CollectVec, ExprId, Graph, Jet, Map, Node, Number};
use crate::kinematics;

/// Second-order Taylor propagation through the graph.
///
/// Seeds are the time derivatives of the leaves: (v, 0) for a coordinate q, (1, 0) for time. Each node's
/// derivatives use the node's own value: for s = √u, ṡ = u̇/(2s) and s̈ = (ü/2 − ṡ²)/s.
#[derive(Debug, Default)]
pub struct Taylor {
    first: Map<ExprId, ExprId>,
    second: Map<ExprId, ExprId>,
    seeds: Map<ExprId, (ExprId, ExprId)>,
    /// Arms whose derivatives are not needed so far, by each of their leaves: ω, and the arm.
    arms: Map<ExprId, [Rc<[ExprId]>; 2]>,
}

/// A product, split in two factors so that the rules for two operands suffice.
enum Split {
    Power {
        base: ExprId,
        exponent: i32,
    },
    Times {
        left: ExprId,
        right: ExprId,
    },
    Quotient {
        numerator: ExprId,
        denominator: ExprId,
    },
}

impl Taylor {
    /// A propagation with known derivatives of the leaves: (leaf, first, second).
    pub fn new(seeds: impl IntoIterator<Item = (ExprId, ExprId, ExprId)>) -> Taylor {
        let seeds = seeds
            .into_iter()
            .map(|(leaf, first, second)| (leaf, (first, second)));
        Taylor {
            seeds: seeds.collect(),
            ..Taylor::default()
        }
    }

    /// Adds a leaf with its first and second derivative; call it before the derivatives of expressions that contain it.
    pub fn seed(&mut self, leaf: ExprId, first: ExprId, second: ExprId) {
        self.seeds.insert(leaf, (first, second));
    }

    /// Adds a body-fixed arm, which moves with ω×r. Its derivatives are built on demand, because most arms need none.
    pub fn seed_arm(&mut self, spin: &[ExprId], arm: &[ExprId]) {
        let pair: [Rc<[ExprId]>; 2] = [spin.into(), arm.into()];
        self.arms
            .extend(arm.iter().map(|&leaf| (leaf, pair.clone())));
    }

    /// The derivatives of a leaf, if it moves.
    fn seed_of(&mut self, graph: &mut Graph, leaf: ExprId) -> Option<(ExprId, ExprId)> {
        if let Some([spin, arm]) = self.arms.remove(&leaf) {
            let [first, second] = kinematics::rates(graph, &spin, &arm);
            for ((&leaf, first), second) in arm.iter().zip(first).zip(second) {
                self.arms.remove(&leaf);
                self.seed(leaf, first, second);
            }
        }
        self.seeds.get(&leaf).copied()
    }

    /// d(root)/dt.
    pub fn first(&mut self, graph: &mut Graph, root: ExprId) -> ExprId {
        if let Some(&known) = self.first.get(&root) {
            return known;
        }
        let bounded = graph.bounded(root);
        for id in self.unknown(graph, bounded, |taylor| &taylor.first) {
            let derivative = self.first_of(graph, id);
            self.first.insert(id, derivative);
        }
        let derivative = graph.bounded(self.first[&bounded]);
        self.first.insert(root, derivative);
        derivative
    }

    /// d²(root)/dt² with the accelerations of the seeds (if these are 0: the bias).
    pub fn second(&mut self, graph: &mut Graph, root: ExprId) -> ExprId {
        if let Some(&known) = self.second.get(&root) {
            return known;
        }
        let bounded = graph.bounded(root);
        self.first(graph, bounded);
        for id in self.unknown(graph, bounded, |taylor| &taylor.second) {
            let derivative = self.second_of(graph, id);
            self.second.insert(id, derivative);
        }
        let derivative = graph.bounded(self.second[&bounded]);
        self.second.insert(root, derivative);
        derivative
    }

    /// The nodes below `root` without an entry, children first.
    fn unknown(
        &self,
        graph: &Graph,
        root: ExprId,
        table: impl Fn(&Taylor) -> &Map<ExprId, ExprId>,
    ) -> Vec<ExprId> {
        let table = table(self);
        let (mut stack, mut found) = (vec![root], crate::expr::SortedSet::new());
        while let Some(id) = stack.pop() {
            if !table.contains_key(&id) && found.insert(id) {
                graph.node(id).for_each_child(|child| stack.push(child));
            }
        }
        found.into_iter().collect_vec()
    }

    fn first_of(&mut self, graph: &mut Graph, id: ExprId) -> ExprId {
        let zero = graph.zero();
        // f′(u) u̇
        if let Some((argument, slope)) = self.slope(graph, id) {
            let rate = self.first(graph, argument);
            return graph.mul(slope, rate);
        }
        match graph.node(id).clone() {
            Node::Symbol(_) => self.seed_of(graph, id).map_or(zero, |seed| seed.0),
            Node::Sum { terms, .. } => {
                let terms: Vec<_> = terms
                    .iter()
                    .map(|&(t, c)| (self.first[&t], c))
                    .collect_vec();
                graph.sum(&terms)
            }
            Node::Product(factors) => self.first_of_product(graph, id, &factors),
            Node::Whole(a) => self.first[&a],
            Node::Call(function, arguments) => {
                if let Some(choice) = graph.choice(id) {
                    let (a, b) = (self.first[&choice.then], self.first[&choice.otherwise]);
                    return graph.select(choice.condition, a, b);
                }
                let mut terms = Vec::new();
                for (i, &argument) in arguments.iter().enumerate() {
                    let rate = self.first[&argument];
                    if !graph.is_zero(rate) {
                        let slope = (function.row().slope)(graph, id, &arguments, i);
                        terms.push((graph.mul(rate, slope), Number::ONE));
                    }
                }
                graph.sum(&terms)
            }
            Node::Select {
                condition,
                then,
                otherwise,
            } => graph.select(condition, self.first[&then], self.first[&otherwise]),
            _ => zero,
        }
    }

    /// The argument of a function with known derivative, and that derivative, if nothing else in it moves.
    fn slope(&self, graph: &Graph, id: ExprId) -> Option<(ExprId, ExprId)> {
        let is_constant = |leaf| {
            let seed = self.seeds.get(&leaf);
            seed.is_none_or(|it| graph.is_zero(it.0) && graph.is_zero(it.1))
                && !self.arms.contains_key(&leaf)
        };
        graph.slope(id, is_constant)
    }

    fn first_of_product(
        &mut self,
        graph: &mut Graph,
        id: ExprId,
        factors: &[(ExprId, i32)],
    ) -> ExprId {
        if factors
            .iter()
            .all(|(base, _)| graph.is_zero(self.first[base]))
        {
            return graph.zero();
        }
        match split(graph, factors) {
            // e bᵉ⁻¹ ḃ
            Split::Power { base, exponent } => {
                let lower = graph.powi(base, exponent - 1);
                let rate = self.first[&base];
                let term = graph.mul(lower, rate);
                graph.scale(term, Number::integer(exponent.into()))
            }
            // ḟ g + f ġ
            Split::Times { left, right } => {
                let rates = (self.first(graph, left), self.first(graph, right));
                let terms = [graph.mul(rates.0, right), graph.mul(left, rates.1)];
                graph.add(terms[0], terms[1])
            }
            // (ṅ − q ḋ)/d
            Split::Quotient {
                numerator,
                denominator,
            } => {
                let rates = (self.first(graph, numerator), self.first(graph, denominator));
                let correction = graph.mul(id, rates.1);
                let difference = graph.sub(rates.0, correction);
                graph.div(difference, denominator)
            }
        }
    }

    fn second_of(&mut self, graph: &mut Graph, id: ExprId) -> ExprId {
        let zero = graph.zero();
        // f′(u) ü + (f″(u) u̇) u̇
        if let Some((argument, slope)) = self.slope(graph, id) {
            let (rate, second) = (self.first(graph, argument), self.second(graph, argument));
            let bend = self.first(graph, slope);
            let terms = [graph.mul(slope, second), graph.mul(bend, rate)];
            return graph.add(terms[0], terms[1]);
        }
        match graph.node(id).clone() {
            Node::Symbol(_) => self.seed_of(graph, id).map_or(zero, |seed| seed.1),
            Node::Sum { terms, .. } => {
                let terms: Vec<_> = terms
                    .iter()
                    .map(|&(t, c)| (self.second[&t], c))
                    .collect_vec();
                graph.sum(&terms)
            }
            Node::Product(factors) => self.second_of_product(graph, id, &factors),
            Node::Whole(a) => self.second[&a],
            Node::Call(function, arguments) => {
                if let Some(choice) = graph.choice(id) {
                    let (a, b) = (self.second[&choice.then], self.second[&choice.otherwise]);
                    return graph.select(choice.condition, a, b);
                }
                let closed = match (function.row().second, &arguments[..]) {
                    (Some(rule), &[argument]) if !graph.is_zero(self.first[&argument]) => {
                        let jet = Jet {
                            value: id,
                            rate: self.first[&id],
                            argument,
                            argument_second: self.second[&argument],
                        };
                        rule(graph, jet)
                    }
                    _ => None,
                };
                closed.unwrap_or_else(|| self.second_of_call(graph, id, &arguments))
            }
            Node::Select {
                condition,
                then,
                otherwise,
            } => graph.select(condition, self.second[&then], self.second[&otherwise]),
            _ => zero,
        }
    }

    /// Σ slopeᵢ üᵢ + (d slopeᵢ/dt) u̇ᵢ
    fn second_of_call(&mut self, graph: &mut Graph, id: ExprId, arguments: &[ExprId]) -> ExprId {
        let Node::Call(function, _) = *graph.node(id) else {
            return graph.zero();
        };
        let mut terms = Vec::new();
        for (i, &argument) in arguments.iter().enumerate() {
            let (rate, second) = (self.first[&argument], self.second[&argument]);
            if graph.is_zero(rate) && graph.is_zero(second) {
                continue;
            }
            let slope = (function.row().slope)(graph, id, arguments, i);
            terms.push((graph.mul(slope, second), Number::ONE));
            let bend = self.first(graph, slope);
            terms.push((graph.mul(bend, rate), Number::ONE));
        }
        graph.sum(&terms)
    }

    fn second_of_product(
        &mut self,
        graph: &mut Graph,
        id: ExprId,
        factors: &[(ExprId, i32)],
    ) -> ExprId {
        let still = |id: &ExprId| graph.is_zero(self.first[id]) && graph.is_zero(self.second[id]);
        if factors.iter().all(|(base, _)| still(base)) {
            return graph.zero();
        }
        match split(graph, factors) {
            // e bᵉ⁻¹ b̈ + e(e−1) bᵉ⁻² ḃ²
            Split::Power { base, exponent } => {
                let (rate, second) = (self.first[&base], self.second[&base]);
                let lower = graph.powi(base, exponent - 1);
                let lowest = graph.powi(base, exponent - 2);
                let linear = graph.mul(lower, second);
                let square = graph.powi(rate, 2);
                let quadratic = graph.mul(lowest, square);
                let exponent = Number::integer(exponent.into());
                let both = exponent * (exponent - Number::ONE);
                graph.sum(&[(linear, exponent), (quadratic, both)])
            }
            // f̈ g + 2 ḟ ġ + f g̈
            Split::Times { left, right } => {
                let seconds = (self.second(graph, left), self.second(graph, right));
                let rates = (self.first[&left], self.first[&right]);
                let terms = [
                    (graph.mul(seconds.0, right), Number::ONE),
                    (graph.mul(rates.0, rates.1), Number::integer(2)),
                    (graph.mul(left, seconds.1), Number::ONE),
                ];
                graph.sum(&terms)
            }
            // (n̈ − 2 q̇ ḋ − q d̈)/d
            Split::Quotient {
                numerator,
                denominator,
            } => {
                let seconds = (
                    self.second(graph, numerator),
                    self.second(graph, denominator),
                );
                let cross = graph.mul(self.first[&id], self.first[&denominator]);
                let bend = graph.mul(id, seconds.1);
                let terms = [
                    (seconds.0, Number::ONE),
                    (cross, Number::integer(-2)),
                    (bend, Number::MINUS_ONE),
                ];
                let sum = graph.sum(&terms);
                graph.div(sum, denominator)
            }
        }
    }
}

fn split(graph: &mut Graph, factors: &[(ExprId, i32)]) -> Split {
    if let [(base, exponent)] = *factors {
        if exponent > 0 {
            return Split::Power { base, exponent };
        }
        let numerator = graph.number(Number::ONE);
        return Split::Quotient {
            numerator,
            denominator: graph.powi(base, -exponent),
        };
    }
    let (below, above): (Vec<_>, Vec<_>) = factors.iter().partition(|(_, e)| *e < 0);
    if !below.is_empty() {
        let below: Vec<_> = below.iter().map(|&(b, e)| (b, -e)).collect_vec();
        let (numerator, denominator) = (graph.product(&above), graph.product(&below));
        return Split::Quotient {
            numerator,
            denominator,
        };
    }
    let (left, right) = above.split_at(above.len() / 2);
    Split::Times {
        left: graph.product(left),
        right: graph.product(right),
    }
}
