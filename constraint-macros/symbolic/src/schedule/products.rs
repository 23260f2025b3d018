//! Decomposition of products: which divisors become reciprocals, which squares are divided before they are
//! multiplied, and which products are expanded in the products that they are factors of.

use super::Root;
use super::common_products::Powers;
use super::constant_factors::{self, Distribution};
use super::flattening::Flattened;
use crate::expr::{CollectVec, ExprId, Graph, Map, Node, PushEach, Set, sort};

/// The expressions, and what the analysis found about their products.
pub struct Found<'a> {
    pub divisors: Divisors,
    pub distribution: Distribution,
    /// Products b²/u that are computed as b (b/u), by the product: b.
    pub squares: Map<ExprId, ExprId>,
    /// Products used only as factors of products, and not expanded in any case; with their factors.
    pub factors: Map<ExprId, &'a [(ExprId, i32)]>,
    pub flattened: &'a Flattened<'a>,
}

/// The products that are expanded in the products that they are factors of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// Those with a single use.
    Only,
    /// Also those with several uses or divisors: the search for common pairs recovers shared parts, and may find more.
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

    /// The products to compute, with nested products expanded.
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
            products.push_each(factors.into_iter().flatten().filter(|it| !it.is_empty()));
        }
        sort(&mut products);
        products.dedup();
        products
    }

    /// True if a product should be multiplied before its divisor is available: in a pivot d − l² (1/d′), l² is known
    /// before the reciprocal 1/d′, and l (1/d′) is not.
    fn waits(&self, factors: &[(ExprId, i32)]) -> bool {
        let leaf = |id| matches!(self.flattened.source.node(id), Node::Symbol(_));
        let computed = factors.iter().any(|&(base, e)| e < 0 && !leaf(base));
        computed && factors.iter().any(|&(_, e)| e > 1)
    }

    /// True for products with several uses, and for those with divisors whose reciprocals exist.
    fn opens_also(&self, factor: ExprId, exponent: i32, reciprocals: bool) -> bool {
        let Some(factors) = self.factors.get(&factor).filter(|_| exponent == 1) else {
            return false;
        };
        let below = divisor_of(factors);
        let inverted = reciprocals && self.divisors.has_reciprocals(&below);
        below.is_empty()
            || (inverted && !self.waits(factors) && !self.squares.contains_key(&factor))
    }

    /// The factors of a product, nested products expanded, with the reciprocals of its divisors if they
    /// exist; otherwise also its divisors with positive exponents.
    pub fn taken_apart(
        &self,
        factors: &[(ExprId, i32)],
        opening: Opening,
        mut opened: impl FnMut(ExprId),
    ) -> (Powers, Powers) {
        let below = divisor_of(factors);
        let reciprocals = self.divisors.has_reciprocals(&below) && !self.waits(factors);
        let mut powers = Powers::new();
        let mut stack: Vec<_> = factors.iter().rev().copied().collect_vec();
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
        sort(&mut powers);
        let below = if reciprocals { Powers::new() } else { below };
        (powers, below)
    }
}

/// The divisors for which a reciprocal saves time: those of two or more quotients.
pub struct Divisors {
    shared: Set<Powers>,
    /// Bases with a reciprocal.
    bases: Set<ExprId>,
}

impl Divisors {
    /// True if all bases of a divisor have reciprocals.
    pub fn has_reciprocals(&self, divisor: &Powers) -> bool {
        divisor.iter().all(|(base, _)| self.bases.contains(base))
    }

    /// True if several quotients have this divisor.
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

/// Products b²/u of sums b and u, like (d·v)²/(d·d) for a norm: the value has the size of v·v, but b² is a fourth power
/// and leaves the range of floats where squares do not.
///
/// Excluded: squares with other uses, squares in pivots, and divisors that become available late (see
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

/// Products used only as factors of products, without those that are expanded in any case.
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

/// True if an expression contains a quotient, by [index](ExprId::index).
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
        .collect_vec()
}
