//! Sums in factored form: a factor that several terms share is multiplied once.
//!
//! For polynomials this is Horner's scheme: 18 − 7s² + s⁴ becomes s²(s² − 7) + 18.

use super::flattening::Flattened;
use super::{Meaning, Names, Root};
use crate::expr::{CollectVec, ExprId, Graph, Map, Node, Number, PushEach, Set, SortedMap};

/// Products of more factors than this are not expanded.
const OPEN_LIMIT: usize = 32;
/// Factors are pulled out of nested sums to this depth,
const DEPTH_LIMIT: usize = 48;
/// and at most this number of factors out of one sum; the remainder stays a sum of products.
const ROUND_LIMIT: usize = 256;

/// coefficient · Π baseᵉ
struct Term {
    coefficient: Number,
    factors: Vec<(ExprId, i32)>,
}

/// The expressions below the roots in a graph of their own, with every sum factored.
pub struct Factored {
    /// Contains nothing else.
    pub graph: Graph,
    /// The roots in that graph.
    pub roots: Vec<Root>,
    /// The user's names, as far as their expressions exist there.
    own: Vec<(ExprId, String)>,
    meanings: Vec<(ExprId, Meaning)>,
}

impl Factored {
    /// The names in that graph.
    pub fn names(&self) -> Names<'_> {
        Names {
            own: &self.own,
            meanings: &self.meanings,
        }
    }
}

/// Rebuilds the expressions below the roots with every sum factored; `None` if no sum has a common factor.
pub fn factor(flattened: &Flattened<'_>, roots: &[Root], names: Names<'_>) -> Option<Factored> {
    if !flattened.nodes.iter().any(|&id| flattened.can_share(id)) {
        return None;
    }
    let mut rebuilding = Rebuilding {
        flattened,
        graph: Graph::with_capacity(2 * flattened.nodes.len()),
        map: Map::with_capacity(flattened.nodes.len()),
    };
    for &id in &flattened.nodes {
        let rebuilt = rebuilding.rebuild(id);
        rebuilding.map.insert(id, rebuilt);
    }
    let Rebuilding { graph, map, .. } = rebuilding;
    let roots = roots.iter().map(|root| root.mapped(|id| map[&id]));
    let own = names.own.iter();
    let own = own.filter_map(|(id, name)| Some((*map.get(id)?, name.clone())));
    let meanings = names.meanings.iter();
    let meanings = meanings.filter_map(|&(id, meaning)| Some((*map.get(&id)?, meaning)));
    Some(Factored {
        roots: roots.collect_vec(),
        own: own.collect_vec(),
        meanings: meanings.collect_vec(),
        graph,
    })
}

struct Rebuilding<'a> {
    flattened: &'a Flattened<'a>,
    graph: Graph,
    map: Map<ExprId, ExprId>,
}

impl Rebuilding<'_> {
    fn rebuild(&mut self, id: ExprId) -> ExprId {
        let source = self.flattened.source;
        let Node::Sum { constant, terms } = source.node(id) else {
            return self.graph.rebuild(source.node(id), &self.map);
        };
        let (constant, mut opened) = self.flattened.open(*constant, terms);
        for factor in opened.iter_mut().flat_map(|term| &mut term.factors) {
            factor.0 = self.map[&factor.0];
        }
        // Different expressions may have become equal.
        for term in &mut opened {
            term.factors = merge(std::mem::take(&mut term.factors));
        }
        let sum = assemble(&mut self.graph, opened, DEPTH_LIMIT);
        self.graph.offset(sum, constant)
    }
}

impl Flattened<'_> {
    /// True if two terms of a sum have a common factor or coefficient.
    fn can_share(&self, id: ExprId) -> bool {
        let Node::Sum { constant, terms } = self.source.node(id) else {
            return false;
        };
        if terms.len() < 2 {
            return false;
        }
        let (_, opened) = self.open(*constant, terms);
        let mut sizes = Set::default();
        let mut sized = opened.iter().map(|term| term.coefficient.abs());
        sized.any(|size| !size.is_one() && !sizes.insert(size)) || shares_factor(&opened)
    }

    fn open(&self, constant: Number, terms: &[(ExprId, Number)]) -> (Number, Vec<Term>) {
        let (constant, opened) = self.sums(constant, terms);
        let terms = opened.into_iter().map(|(t, c)| self.open_term(t, c));
        (constant, terms.collect_vec())
    }

    /// The factors of a term, with products in it expanded if they have no other use.
    fn open_term(&self, term: ExprId, coefficient: Number) -> Term {
        let mut factors = Vec::new();
        let mut stack = vec![(term, 1)];
        while let Some((id, exponent)) = stack.pop() {
            match self.source.node(id) {
                Node::Product(inner)
                    if exponent == 1 && self.used_once(id) && inner.len() <= OPEN_LIMIT =>
                {
                    stack.push_each(inner.iter().rev().copied());
                }
                // A power may have other uses, but x² and x⁴ still share x².
                Node::Product(inner) if exponent == 1 && inner.len() == 1 && inner[0].1 > 1 => {
                    factors.push(inner[0]);
                }
                _ => factors.push((id, exponent)),
            }
        }
        Term {
            coefficient,
            factors: merge(factors),
        }
    }
}

/// Adds the exponents of equal bases.
fn merge(factors: Vec<(ExprId, i32)>) -> Vec<(ExprId, i32)> {
    let mut merged: Vec<(ExprId, i32)> = Vec::with_capacity(factors.len());
    for (base, exponent) in factors {
        match merged.iter_mut().find(|(other, _)| *other == base) {
            Some(entry) => entry.1 += exponent,
            None => merged.push((base, exponent)),
        }
    }
    merged.retain(|&(_, e)| e != 0);
    merged
}

/// The sum of the terms, with the most frequent factor pulled out first.
fn assemble(graph: &mut Graph, mut terms: Vec<Term>, depth: usize) -> ExprId {
    let mut rounds = 0;
    while let Some((base, positive)) =
        most_common_factor(&terms).filter(|_| depth > 0 && rounds < ROUND_LIMIT)
    {
        rounds += 1;
        let shares = |term: &Term| {
            term.factors
                .iter()
                .any(|&(b, e)| b == base && (e > 0) == positive)
        };
        let (with, without): (Vec<_>, Vec<_>) = terms.into_iter().partition(shares);
        let exponents = with
            .iter()
            .flat_map(|t| t.factors.iter().filter(|f| f.0 == base).map(|f| f.1));
        let least = exponents.min_by_key(|e| e.unsigned_abs()).unwrap_or(1);
        let inner = with
            .into_iter()
            .map(|term| divide(term, base, least))
            .collect_vec();
        let inner = assemble(graph, inner, depth - 1);
        terms = without;
        let (coefficient, inner) = graph.split_coefficient(inner);
        terms.push(Term {
            coefficient,
            // The inner sum may be the base itself: u·(v·w) + u² with u = v·w.
            factors: merge(vec![(base, least), (inner, 1)]),
        });
    }
    let terms: Vec<_> = terms
        .iter()
        .map(|t| (graph.product(&t.factors), t.coefficient))
        .collect_vec();
    share_coefficients(graph, &terms)
}

fn divide(mut term: Term, base: ExprId, exponent: i32) -> Term {
    for factor in term.factors.iter_mut().filter(|factor| factor.0 == base) {
        factor.1 -= exponent;
    }
    term.factors.retain(|&(_, e)| e != 0);
    term
}

/// True if two terms have a common base with exponents of one sign.
fn shares_factor(terms: &[Term]) -> bool {
    let mut seen = Set::default();
    let mut factors = terms.iter().flat_map(|term| &term.factors);
    factors.any(|&(base, exponent)| !seen.insert((base, exponent > 0)))
}

/// The base, with the sign of its exponents, that most terms have, if at least two do.
fn most_common_factor(terms: &[Term]) -> Option<(ExprId, bool)> {
    let mut counts: SortedMap<(ExprId, bool), u32> = SortedMap::new();
    for term in terms {
        for &(base, exponent) in &term.factors {
            *counts.entry((base, exponent > 0)).or_default() += 1;
        }
    }
    let (factor, count) = counts.into_iter().rev().max_by_key(|&(_, count)| count)?;
    (count > 1).then_some(factor)
}

/// 2a + 2b + c = 2(a + b) + c
fn share_coefficients(graph: &mut Graph, terms: &[(ExprId, Number)]) -> ExprId {
    let mut groups: Vec<(Number, Vec<(ExprId, Number)>)> = Vec::new();
    let mut positions: Map<Number, usize> = Map::default();
    for &(term, coefficient) in terms {
        let (size, sign) = (
            coefficient.abs(),
            if coefficient.is_negative() { -1 } else { 1 },
        );
        let signed = (term, Number::integer(sign));
        let position = *positions.entry(size).or_insert(groups.len());
        match groups.get_mut(position) {
            Some((_, group)) => group.push(signed),
            None => groups.push((size, vec![signed])),
        }
    }
    let mut sums = Vec::new();
    for (size, group) in groups {
        if size.is_one() {
            sums.push_each(group);
        } else {
            sums.push((graph.sum(&group), size));
        }
    }
    graph.sum(&sums)
}
