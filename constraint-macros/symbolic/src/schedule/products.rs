//! How products are taken apart: which divisors become reciprocals, which squares are divided before they are
//! multiplied, and which products are written out in those that they are factors of.

use super::Root;
use super::common_products::Powers;
use super::constant_factors::{self, Distribution};
use super::flattening::Flattened;
use crate::expr::{ExprId, Graph, Map, Node, Set};

/// The expressions, and what has been found out about their products.
pub struct Found<'a> {
    pub divisors: Divisors,
    pub distribution: Distribution,
    /// Products b²/u that are multiplied as b (b/u), by the product: b.
    pub squares: Map<ExprId, ExprId>,
    /// Products that serve products, and nothing else, and are not written out in any case; with their factors.
    pub factors: Map<ExprId, &'a [(ExprId, i32)]>,
    pub flattened: &'a Flattened<'a>,
}

/// Which products are written out in those that they are factors of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// Those that serve one product.
    Only,
    /// Those of several, too, and those with divisors: what they share is found again, and more beside it.
    All,
}

impl<'a> Found<'a> {
    pub fn new(flattened: &'a Flattened<'a>, roots: &[Root]) -> Found<'a> {
        Found {
            divisors: Divisors::find(flattened.source, &flattened.nodes),
            distribution: constant_factors::distribute(flattened, roots),
            squares: squares_over_divisors(flattened, roots),
            factors: factors_alone(flattened),
            flattened,
        }
    }

    /// The products to be multiplied, with products within products written out.
    pub fn products(&self, opening: Opening) -> Vec<Powers> {
        let (mut products, mut within) = (Vec::new(), Set::default());
        for &id in self.flattened.nodes.iter().rev() {
            let Node::Product(factors) = self.flattened.source.node(id) else {
                continue;
            };
            let (powers, below) =
                self.taken_apart(factors, opening, |inner| _ = within.insert(inner));
            let written_out = within.contains(&id);
            let factors = [Some(powers).filter(|_| !written_out), Some(below)];
            products.extend(factors.into_iter().flatten().filter(|it| !it.is_empty()));
        }
        products.sort_unstable();
        products.dedup();
        products
    }

    /// Whether a product is better multiplied before its divisor is there: the square in a pivot d − l² (1/d′) is known
    /// while 1/d′ is waited for, l (1/d′) is not.
    fn waits(&self, factors: &[(ExprId, i32)]) -> bool {
        let leaf = |id| matches!(self.flattened.source.node(id), Node::Symbol(_));
        let computed = factors.iter().any(|&(base, e)| e < 0 && !leaf(base));
        computed && factors.iter().any(|&(_, e)| e > 1)
    }

    /// Whether a factor is one of those products that serve several, or that have divisors whose reciprocals are there.
    fn opens_also(&self, factor: ExprId, exponent: i32, reciprocals: bool) -> bool {
        let Some(factors) = self.factors.get(&factor).filter(|_| exponent == 1) else {
            return false;
        };
        let below = divisor_of(factors);
        let inverted = reciprocals && self.divisors.has_reciprocals(&below);
        below.is_empty()
            || (inverted && !self.waits(factors) && !self.squares.contains_key(&factor))
    }

    /// What a product multiplies, products within it opened, with the reciprocals of its divisors where they
    /// exist; and else the divisors, made positive.
    pub fn taken_apart(
        &self,
        factors: &[(ExprId, i32)],
        opening: Opening,
        mut opened: impl FnMut(ExprId),
    ) -> (Powers, Powers) {
        let below = divisor_of(factors);
        let reciprocals = self.divisors.has_reciprocals(&below) && !self.waits(factors);
        let mut powers = Powers::new();
        let mut stack: Vec<_> = factors.iter().rev().copied().collect();
        while let Some((base, exponent)) = stack.pop() {
            match self.flattened.source.node(base) {
                Node::Product(inner)
                    if (self.flattened.opens_factor(base, exponent)
                        || (opening == Opening::All
                            && self.opens_also(base, exponent, reciprocals)))
                        && !self.distribution.scales(base) =>
                {
                    opened(base);
                    stack.extend(inner.iter().rev());
                }
                _ if exponent > 0 || reciprocals => powers.push((base, exponent)),
                _ => {}
            }
        }
        powers.sort_unstable();
        let below = if reciprocals { Powers::new() } else { below };
        (powers, below)
    }
}

/// Which divisors are worth a reciprocal: those of two or more quotients.
pub struct Divisors {
    shared: Set<Powers>,
    /// Bases whose reciprocal is there.
    bases: Set<ExprId>,
}

impl Divisors {
    /// Whether there are reciprocals of all bases of a divisor.
    pub fn has_reciprocals(&self, divisor: &Powers) -> bool {
        divisor.iter().all(|(base, _)| self.bases.contains(base))
    }

    /// Whether several quotients have this divisor.
    pub fn shares(&self, divisor: &Powers) -> bool {
        self.shared.contains(divisor)
    }

    fn find(graph: &Graph, reachable: &[ExprId]) -> Divisors {
        let mut counts: Map<Powers, u32> = Map::default();
        let mut base_counts: Map<ExprId, u32> = Map::default();
        for &id in reachable {
            let Node::Product(factors) = graph.node(id) else {
                continue;
            };
            let divisor = divisor_of(factors);
            if let [(base, _)] = divisor[..] {
                *base_counts.entry(base).or_default() += 1;
            }
            if !divisor.is_empty() {
                *counts.entry(divisor).or_default() += 1;
            }
        }
        let bases = base_counts
            .into_iter()
            .filter(|&(_, n)| n > 1)
            .map(|(base, _)| base)
            .collect();
        let shared = counts
            .into_iter()
            .filter(|&(_, n)| n > 1)
            .map(|(divisor, _)| divisor)
            .collect();
        Divisors { shared, bases }
    }
}

/// Products b²/u of sums b and u, as (d·v)²/(d·d) of a norm: of the size of v·v, but b² is a fourth power, which leaves
/// the range of floats where squares do not.
///
/// Left as they are: squares that others share, squares in pivots, and divisors that are waited for (see
/// [`Found::waits`]).
fn squares_over_divisors(flattened: &Flattened<'_>, roots: &[Root]) -> Map<ExprId, ExprId> {
    let graph = flattened.source;
    let is_sum = |id: ExprId| matches!(graph.node(id), Node::Sum { .. });
    let mut found = Map::default();
    let mut uses: Map<ExprId, u32> = Map::default();
    for &id in &flattened.nodes {
        let Node::Product(factors) = graph.node(id) else {
            continue;
        };
        let by_sums = factors.iter().all(|&(base, e)| e > 0 || is_sum(base));
        let divided = by_sums && factors.iter().any(|&(_, e)| e < 0);
        for &(base, e) in factors.iter().filter(|&&(base, e)| e > 1 && is_sum(base)) {
            *uses.entry(base).or_default() += 1;
            if divided && e == 2 {
                found.insert(id, base);
            }
        }
    }
    if found.is_empty() {
        return found;
    }
    let pivots = roots.iter().filter_map(|root| match root {
        Root::Guard(guard) => Some(graph.terms(guard.pivot)),
        _ => None,
    });
    pivots
        .flatten()
        .for_each(|(term, _)| _ = found.remove(&term));
    let divides = dividing(flattened);
    found.retain(|id, base| {
        let Node::Product(factors) = graph.node(*id) else {
            return false;
        };
        let early = |&(base, e): &(ExprId, i32)| e > 0 || !divides[base.index()];
        uses.get(base) == Some(&1) && factors.iter().all(early)
    });
    found
}

/// Products that are factors of products, and nothing else; those that are written out in any case left out.
fn factors_alone<'a>(flattened: &Flattened<'a>) -> Map<ExprId, &'a [(ExprId, i32)]> {
    let graph = flattened.source;
    let mut uses: Map<ExprId, u32> = Map::default();
    for &id in &flattened.nodes {
        if let Node::Product(factors) = graph.node(id) {
            let is_product = |base| matches!(graph.node(base), Node::Product(_));
            let once = factors
                .iter()
                .filter(|&&(base, e)| e == 1 && is_product(base));
            once.for_each(|(base, _)| *uses.entry(*base).or_default() += 1);
        }
    }
    let alone = |(id, uses): (ExprId, u32)| match graph.node(id) {
        Node::Product(factors)
            if uses == flattened.uses[id.index()]
                && !flattened.is_named(id)
                && !flattened.opens_factor(id, 1) =>
        {
            Some((id, &factors[..]))
        }
        _ => None,
    };
    uses.into_iter().filter_map(alone).collect()
}

/// Whether an expression holds a quotient, by [index](ExprId::index).
fn dividing(flattened: &Flattened<'_>) -> Vec<bool> {
    let mut divides = vec![false; flattened.source.len()];
    for &id in &flattened.nodes {
        let node = flattened.source.node(id);
        let mut within = match node {
            Node::Product(factors) => factors.iter().any(|&(_, e)| e < 0),
            _ => false,
        };
        node.for_each_child(|child| within |= divides[child.index()]);
        divides[id.index()] = within;
    }
    divides
}

/// The factors with negative exponents, made positive.
pub fn divisor_of(factors: &[(ExprId, i32)]) -> Powers {
    factors
        .iter()
        .filter(|(_, e)| *e < 0)
        .map(|&(base, e)| (base, -e))
        .collect()
}
