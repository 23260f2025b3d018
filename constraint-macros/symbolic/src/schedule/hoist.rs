//! Numeric factors multiplied once: c·(a·p) and c·(b·p) become a·(c·p) and b·(c·p).
//!
//! The graph pulls numbers to the front of products; where several products share an operand p and stand
//! under the same number c, it is cheaper to scale p.

use crate::expr::{ExprId, Graph, Map, Node, Number};

/// The operands to be scaled, and for each product which of its operands carries its number.
#[derive(Default)]
pub struct Hoisted {
    /// p → c
    pub scales: Map<ExprId, Number>,
    /// a·p → p
    pub carriers: Map<ExprId, ExprId>,
}

/// Finds the operands that are worth scaling.
pub fn hoist(graph: &Graph, reachable: &[ExprId], roots: &[ExprId]) -> Hoisted {
    if !reachable.iter().any(|&id| scales_a_product(graph, id)) {
        return Hoisted::default();
    }
    let scales = uniform_scales(graph, reachable, roots);
    let mut products: Vec<(ExprId, Vec<ExprId>)> = Vec::new();
    for (base, users) in product_users(graph, reachable, roots) {
        if let Some(users) = users.filter(|users| users.len() > 1) {
            products.push((base, users));
        }
    }
    products.sort_unstable();
    let mut hoisted = Hoisted::default();
    for (base, users) in products {
        let Some(&Some(scale)) = scales.get(&users[0]) else {
            continue;
        };
        let uniform = users
            .iter()
            .all(|user| scales.get(user) == Some(&Some(scale)));
        let free = users
            .iter()
            .all(|user| !hoisted.carriers.contains_key(user));
        if uniform && free && !scale.is_one() {
            hoisted.scales.insert(base, scale);
            hoisted
                .carriers
                .extend(users.into_iter().map(|user| (user, base)));
        }
    }
    hoisted
}

fn scales_a_product(graph: &Graph, id: ExprId) -> bool {
    let scaled = |&(term, c): &(ExprId, Number)| {
        !c.abs().is_one() && matches!(graph.node(term), Node::Product(_))
    };
    matches!(graph.node(id), Node::Sum { terms, .. } if terms.iter().any(scaled))
}

/// For every product the size of the number it stands under, where it is the same everywhere.
fn uniform_scales(
    graph: &Graph,
    reachable: &[ExprId],
    roots: &[ExprId],
) -> Map<ExprId, Option<Number>> {
    let mut scales: Map<ExprId, Option<Number>> = Map::default();
    let mut meet = |id: ExprId, scale: Number| {
        let entry = scales.entry(id).or_insert(Some(scale));
        *entry = entry.filter(|other| *other == scale);
    };
    roots.iter().for_each(|&root| meet(root, Number::ONE));
    for &id in reachable {
        match graph.node(id) {
            Node::Sum { terms, .. } => terms.iter().for_each(|&(term, c)| meet(term, c.abs())),
            node => node.for_each_child(|child| meet(child, Number::ONE)),
        }
    }
    scales
}

/// For every expression the products it is a plain factor of; `None` where it is used otherwise too.
fn product_users(
    graph: &Graph,
    reachable: &[ExprId],
    roots: &[ExprId],
) -> Map<ExprId, Option<Vec<ExprId>>> {
    let mut users: Map<ExprId, Option<Vec<ExprId>>> =
        roots.iter().map(|&root| (root, None)).collect();
    for &id in reachable {
        match graph.node(id) {
            Node::Product(factors) => {
                for &(base, exponent) in factors {
                    let entry = users.entry(base).or_insert_with(|| Some(Vec::new()));
                    match entry {
                        Some(list) if exponent == 1 => list.push(id),
                        _ => *entry = None,
                    }
                }
            }
            node => node.for_each_child(|child| {
                users.insert(child, None);
            }),
        }
    }
    users.retain(|&id, _| !matches!(graph.node(id), Node::Symbol(_)));
    users
}
