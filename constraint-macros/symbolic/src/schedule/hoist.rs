//! Numeric factors multiplied once: c·(a·p) and c·(b·p) become a·(c·p) and b·(c·p).
//!
//! The graph pulls numbers to the front of products; where several products share an operand p and stand
//! under the same number c, it is cheaper to scale p.

use super::Root;
use super::opening::Opening;
use crate::expr::{ExprId, Graph, Map, Node, Number, Set};

/// The operands to be scaled, and for each product which of its operands carries its number.
#[derive(Default)]
pub struct Hoisted {
    /// p → c
    pub scales: Map<ExprId, Number>,
    /// a·p → p
    pub carriers: Map<ExprId, ExprId>,
    /// Sums whose own numbers are multiplied instead: 4·(p·(3q − 1)) is p·(12q − 4).
    pub absorbed: Map<ExprId, Number>,
}

/// Finds the operands that are worth scaling.
pub fn hoist(opening: &Opening<'_>, roots: &[Root]) -> Hoisted {
    let graph = opening.source;
    let mut hoisted = Hoisted::default();
    if !opening.nodes.iter().any(|&id| scales_a_product(graph, id)) {
        return hoisted;
    }
    let products = shared_factors(opening);
    let scales = uniform_scales(opening, roots, &products);
    for (base, users) in products {
        let scale_of = |user: &ExprId| scales.get(user).copied().flatten();
        let plain = users.iter().find(|(_, exponent)| *exponent == 1);
        let Some(scale) = plain.and_then(|(user, _)| scale_of(user)) else {
            continue;
        };
        let uniform = users
            .iter()
            .all(|(user, exponent)| scale_of(user) == Some(power(scale, *exponent)));
        let free = users
            .iter()
            .all(|(user, _)| !hoisted.carriers.contains_key(user));
        if uniform && free && !scale.is_one() {
            hoisted.scales.insert(base, scale);
            hoisted
                .carriers
                .extend(users.into_iter().map(|(user, _)| (user, base)));
        }
    }
    absorb(opening, &mut hoisted);
    hoisted
}

/// Finds the sums that take a number of their product into their own for nothing.
fn absorb(opening: &Opening<'_>, hoisted: &mut Hoisted) {
    let graph = opening.source;
    for &id in &opening.nodes {
        let Node::Sum { terms, .. } = graph.node(id) else {
            continue;
        };
        for &(product, coefficient) in terms {
            let Node::Product(factors) = graph.node(product) else {
                continue;
            };
            let scale = coefficient.abs();
            let alone = opening.uses[product.index()] == 1;
            let alone = alone && !opening.is_named(product);
            if scale.is_one() || !alone || hoisted.carriers.contains_key(&product) {
                continue;
            }
            let mut bases = factors.iter().filter(|(_, exponent)| *exponent == 1);
            if let Some(&(sum, _)) = bases.find(|(base, _)| absorbs(opening, hoisted, *base, scale))
            {
                hoisted.absorbed.insert(sum, scale);
                hoisted.carriers.insert(product, sum);
            }
        }
    }
}

/// Whether a sum that nobody else needs has as many products with numbers after scaling as before.
fn absorbs(opening: &Opening<'_>, hoisted: &Hoisted, id: ExprId, scale: Number) -> bool {
    let Node::Sum { constant, terms } = opening.source.node(id) else {
        return false;
    };
    if opening.uses[id.index()] != 1 || opening.is_named(id) {
        return false;
    }
    let (_, terms) = opening.sums(*constant, terms);
    let free = terms
        .iter()
        .all(|(term, _)| !hoisted.carriers.contains_key(term));
    let scaled = |by: Number| {
        terms
            .iter()
            .filter(|(_, c)| !(*c * by).abs().is_one())
            .count()
    };
    free && scaled(scale) <= scaled(Number::ONE)
}

fn power(scale: Number, exponent: i32) -> Number {
    (1..exponent).fold(scale, |power, _| power * scale)
}

fn scales_a_product(graph: &Graph, id: ExprId) -> bool {
    let scaled = |&(term, c): &(ExprId, Number)| {
        !c.abs().is_one() && matches!(graph.node(term), Node::Product(_))
    };
    matches!(graph.node(id), Node::Sum { terms, .. } if terms.iter().any(scaled))
}

/// Products with the exponent that a factor has in them.
type Users = Vec<(ExprId, i32)>;

/// What is a factor of two or more products and nothing else, with these products; leaves left out.
fn shared_factors(opening: &Opening<'_>) -> Vec<(ExprId, Users)> {
    let graph = opening.source;
    let mut users: Map<ExprId, Users> = Map::default();
    for &id in &opening.nodes {
        let Node::Product(factors) = graph.node(id) else {
            continue;
        };
        for &(base, exponent) in factors {
            let leaf = matches!(graph.node(base), Node::Symbol(_));
            if exponent > 0 && !leaf && opening.uses[base.index()] > 1 {
                users.entry(base).or_default().push((id, exponent));
            }
        }
    }
    let mut shared: Vec<_> = users.into_iter().collect();
    shared.retain(|(base, users)| opening.uses[base.index()] as usize == users.len());
    shared.sort_unstable();
    shared
}

/// For each of the products the size of the number it stands under, where it is the same everywhere.
fn uniform_scales(
    opening: &Opening<'_>,
    roots: &[Root],
    products: &[(ExprId, Users)],
) -> Map<ExprId, Option<Number>> {
    let wanted: Set<ExprId> = products
        .iter()
        .flat_map(|(_, users)| users)
        .map(|&(user, _)| user)
        .collect();
    let mut scales: Map<ExprId, Option<Number>> = Map::default();
    if wanted.is_empty() {
        return scales;
    }
    let mut meet = |id: ExprId, scale: Number| {
        if wanted.contains(&id) {
            let entry = scales.entry(id).or_insert(Some(scale));
            *entry = entry.filter(|other| *other == scale);
        }
    };
    let roots = roots.iter().flat_map(|root| root.expressions());
    roots.for_each(|root| meet(root, Number::ONE));
    for &id in &opening.nodes {
        match opening.source.node(id) {
            Node::Sum { terms, .. } => terms.iter().for_each(|&(term, c)| meet(term, c.abs())),
            node => node.for_each_child(|child| meet(child, Number::ONE)),
        }
    }
    scales
}
