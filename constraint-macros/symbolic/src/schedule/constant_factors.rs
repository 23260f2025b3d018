//! Numeric factors multiplied once: c·(a·p) and d·(b·p) become a·(c·p) and (d/c)·b·(c·p).
//!
//! The graph moves numbers to the front of products. If several products with numbers in front share an operand p, it
//! may be cheaper to scale p. A sum among the operands can absorb a number into its coefficients.
//!
//! ```text
//! 3·(a·p) + 3·(b·p)      two multiplications by 3, one after each product
//!
//!      3·(a·p)                a·s
//!         ╲                  ╱
//!          p       →   s = 3·p          one multiplication, before p is used
//!         ╱                  ╲
//!      3·(b·p)                b·s
//!
//! if p = 3q − 1 is used only here:  3·(a·p) = a·(9q − 3)     no multiplication by 3
//! ```

use super::Root;
use super::flattening::Flattened;
use crate::expr::{CollectVec, ExprId, Map, Node, Number, PushEach, sort};

/// Limit of the scales that are tried for one factor.
const CANDIDATE_LIMIT: usize = 8;

/// True if products and quotients of such numbers neither overflow nor underflow, even in single precision.
fn is_moderate(number: Number) -> bool {
    (1e-18..1e18).contains(&number.abs().to_f64())
}

/// The operands to scale, and the numbers that this removes from the fronts of products.
#[derive(Default)]
pub struct Distribution {
    /// p → c
    pub scales: Map<ExprId, Number>,
    /// Sums whose coefficients are multiplied instead: 4·(p·(3q − 1)) is p·(12q − 4).
    pub absorbed: Map<ExprId, Number>,
    /// a·p → the factor of its number in front that the scaled operands contain already.
    taken_over: Map<ExprId, Number>,
}

impl Distribution {
    /// The factor that remains of the number in front of a product.
    pub fn left_of(&self, size: Number, product: ExprId) -> Number {
        match self.taken_over_by(product) {
            None => size,
            Some(taken_over) => size / taken_over,
        }
    }

    /// The factor that the scaled operands of a product contain already.
    pub fn taken_over_by(&self, product: ExprId) -> Option<Number> {
        self.taken_over.get(&product).copied()
    }

    /// True if a product or its operands are scaled.
    pub fn scales(&self, product: ExprId) -> bool {
        self.taken_over.contains_key(&product) || self.scales.contains_key(&product)
    }

    fn take_over(&mut self, product: ExprId, number: Number) {
        let taken_over = self.taken_over.entry(product).or_insert(Number::ONE);
        *taken_over = *taken_over * number;
    }
}

/// Finds the operands for which scaling saves multiplications.
pub fn distribute(flattened: &Flattened<'_>, roots: &[Root]) -> Distribution {
    let scaled = |&id: &ExprId| scales_a_product(flattened, id);
    if !flattened.nodes.iter().any(scaled) {
        return Distribution::default();
    }
    let shared = shared_factors(flattened);
    let mut distributing = Distributing {
        flattened,
        fronts: fronts(flattened, roots, &shared),
        distribution: Distribution::default(),
    };
    for (base, users) in &shared {
        distributing.scale(*base, users);
    }
    distributing.absorb();
    distributing.distribution
}

fn scales_a_product(flattened: &Flattened<'_>, id: ExprId) -> bool {
    let graph = flattened.source;
    let scaled = |&(term, c): &(ExprId, Number)| {
        !c.abs().is_one() && matches!(graph.node(term), Node::Product(_))
    };
    matches!(graph.node(id), Node::Sum { terms, .. } if terms.iter().any(scaled))
}

struct Distributing<'a> {
    flattened: &'a Flattened<'a>,
    fronts: Map<ExprId, Vec<Front>>,
    distribution: Distribution,
}

impl Distributing<'_> {
    /// Scales a factor of `users` if that saves multiplications, by the scale that saves most.
    fn scale(&mut self, base: ExprId, users: &[User]) {
        let mut best: Option<(i32, Number, Option<ExprId>)> = None;
        for scale in self.candidates(users) {
            let (taker, price) = self.absorbing_sum(base, scale);
            let saved = users.iter().map(|user| self.saved(user, scale));
            let Some(saved) = saved.sum::<Option<i32>>() else {
                continue;
            };
            let gain = saved - price;
            if gain > best.map_or(0, |(gain, ..)| gain) {
                best = Some((gain, scale, taker));
            }
        }
        let Some((_, scale, taker)) = best else {
            return;
        };
        match taker {
            Some(sum) => self.distribution.absorbed.insert(sum, scale),
            None => self.distribution.scales.insert(base, scale),
        };
        for user in users {
            self.distribution
                .take_over(user.product, scale.powi(user.exponent));
        }
    }

    /// The scales that reduce a number in front of a product to 1.
    fn candidates(&self, users: &[User]) -> Vec<Number> {
        let mut candidates = Vec::new();
        for user in users {
            for front in &self.fronts[&user.product] {
                let left = self.distribution.left_of(front.size(), user.product);
                let scale = match user.exponent {
                    1 => Some(left),
                    2 => left.rational_sqrt(),
                    _ => None,
                };
                let new = |it: &Number| !it.is_one() && !candidates.contains(it);
                let scale = scale.filter(|it| is_moderate(*it) && new(it));
                candidates.push_each(scale.filter(|_| candidates.len() < CANDIDATE_LIMIT));
            }
        }
        candidates
    }

    /// Number of multiplications by numbers in front that scaling the factor saves, negative if it adds some. `None`
    /// if a number becomes too large or too small.
    fn saved(&self, user: &User, scale: Number) -> Option<i32> {
        let saved = self.fronts[&user.product].iter().map(|&front| {
            let before = self.distribution.left_of(front.size(), user.product);
            let after = before / scale.powi(user.exponent);
            let multiplied = |number| i32::from(self.is_multiplied(user.product, front, number));
            is_moderate(after).then(|| multiplied(before) - multiplied(after))
        });
        saved.sum()
    }

    /// True if a number in front of a product costs a multiplication.
    fn is_multiplied(&self, product: ExprId, front: Front, number: Number) -> bool {
        let absorbed = || front != Front::Elsewhere && self.absorber(product, number).is_some();
        !number.is_one() && !absorbed()
    }

    /// The sum that absorbs the scale of a shared factor, if there is one, and the multiplications that this adds.
    fn absorbing_sum(&self, base: ExprId, scale: Number) -> (Option<ExprId>, i32) {
        let sums = match self.flattened.source.node(base) {
            _ if self.flattened.is_named(base) => Vec::new(),
            Node::Sum { .. } => vec![base],
            Node::Product(factors) => self.sums_of_one_use(factors),
            _ => Vec::new(),
        };
        let price = |sum| Some((Some(sum), self.price(sum, scale)?));
        let priced = sums.into_iter().filter_map(price);
        let cheaper = priced.filter(|&(_, price)| price < 1);
        cheaper.min_by_key(|&(_, price)| price).unwrap_or((None, 1))
    }

    /// The factors of a product that are sums with this one use.
    fn sums_of_one_use(&self, factors: &[(ExprId, i32)]) -> Vec<ExprId> {
        let free = |id: ExprId| {
            let sum = matches!(self.flattened.source.node(id), Node::Sum { .. });
            let free = sum && self.flattened.used_once(id) && !self.flattened.is_named(id);
            free && !self.distribution.absorbed.contains_key(&id)
        };
        let sums = factors
            .iter()
            .filter(|&&(id, exponent)| exponent == 1 && free(id));
        sums.map(|&(id, _)| id).collect_vec()
    }

    /// Multiplications by numbers that scaling adds to a sum; `None` if one of its numbers becomes too large
    /// or too small.
    fn price(&self, sum: ExprId, scale: Number) -> Option<i32> {
        let Node::Sum { constant, terms } = self.flattened.source.node(sum) else {
            return None;
        };
        let (constant, terms) = self.flattened.sums(*constant, terms);
        let left = |by: Number| {
            let left = terms.iter().map(move |&(term, c)| (term, (c * by).abs()));
            left.map(|(term, size)| self.distribution.left_of(size, term))
        };
        let multiplied = |by| left(by).filter(|left| !left.is_one()).count() as i32;
        let constant = Some(constant * scale).filter(|it| !it.is_zero());
        let moderate = left(scale).chain(constant).all(is_moderate);
        moderate.then(|| multiplied(scale) - multiplied(Number::ONE))
    }

    /// The operand of a product with one use that absorbs the number in front of it at no cost.
    fn absorber(&self, product: ExprId, number: Number) -> Option<ExprId> {
        let Node::Product(factors) = self.flattened.source.node(product) else {
            return None;
        };
        if !self.flattened.used_once(product) || self.flattened.is_named(product) {
            return None;
        }
        let mut sums = self.sums_of_one_use(factors).into_iter();
        sums.find(|&sum| self.price(sum, number).is_some_and(|price| price <= 0))
    }

    /// Lets sums absorb the numbers in front of their products where that costs nothing. Outer sums first, because a
    /// product in such a sum may pass the absorbed number on to a sum inside.
    fn absorb(&mut self) {
        let mut passed_on: Map<ExprId, Number> = Map::default();
        for &id in self.flattened.nodes.iter().rev() {
            let Node::Sum { terms, .. } = self.flattened.source.node(id) else {
                continue;
            };
            let taken = passed_on.get(&id).or(self.distribution.absorbed.get(&id));
            let taken = taken.copied().unwrap_or(Number::ONE);
            for &(term, coefficient) in terms {
                if self.flattened.opens(term, coefficient) {
                    passed_on.insert(term, taken);
                    continue;
                }
                let number = self.distribution.left_of((coefficient * taken).abs(), term);
                if let Some(sum) = self.absorber(term, number).filter(|_| !number.is_one()) {
                    self.distribution.absorbed.insert(sum, number);
                    self.distribution.take_over(term, number);
                }
            }
        }
    }
}

/// A product with the exponent that a factor has in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct User {
    product: ExprId,
    exponent: i32,
}

/// Expressions that are factors of two or more products and used nowhere else, with these products; no leaves.
fn shared_factors(flattened: &Flattened<'_>) -> Vec<(ExprId, Vec<User>)> {
    let graph = flattened.source;
    let mut users: Map<ExprId, Vec<User>> = Map::default();
    for &product in &flattened.nodes {
        let Node::Product(factors) = graph.node(product) else {
            continue;
        };
        for &(base, exponent) in factors {
            let leaf = matches!(graph.node(base), Node::Symbol(_));
            if exponent > 0 && !leaf && flattened.uses[base.index()] > 1 {
                users
                    .entry(base)
                    .or_default()
                    .push(User { product, exponent });
            }
        }
    }
    let mut shared: Vec<_> = users.into_iter().collect_vec();
    shared.retain(|(base, users)| flattened.uses[base.index()] as usize == users.len());
    sort(&mut shared);
    shared
}

/// The number in front of a product at one of its uses.
#[derive(Clone, Copy, PartialEq)]
enum Front {
    /// A term of a sum, with a coefficient of this size.
    InSum(Number),
    /// Any other use.
    Elsewhere,
}

impl Front {
    fn size(self) -> Number {
        match self {
            Front::InSum(size) => size,
            Front::Elsewhere => Number::ONE,
        }
    }
}

/// The numbers in front of each product, without repetition.
fn fronts(
    flattened: &Flattened<'_>,
    roots: &[Root],
    shared: &[(ExprId, Vec<User>)],
) -> Map<ExprId, Vec<Front>> {
    let users = shared.iter().flat_map(|(_, users)| users);
    let mut fronts: Map<ExprId, Vec<Front>> =
        users.map(|user| (user.product, Vec::new())).collect();
    if fronts.is_empty() {
        return fronts;
    }
    let mut record = |id: ExprId, front: Front| {
        if let Some(known) = fronts.get_mut(&id)
            && !known.contains(&front)
        {
            known.push(front);
        }
    };
    let roots = roots.iter().flat_map(|root| root.values());
    roots.for_each(|root| record(root, Front::Elsewhere));
    for &id in &flattened.nodes {
        match flattened.source.node(id) {
            Node::Sum { terms, .. } => {
                let fronts = terms.iter().map(|&(term, c)| (term, Front::InSum(c.abs())));
                fronts.for_each(|(term, front)| record(term, front));
            }
            node => node.for_each_child(|child| record(child, Front::Elsewhere)),
        }
    }
    fronts
}
