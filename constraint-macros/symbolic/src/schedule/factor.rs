//! Sums in factored form: a factor that several terms share is multiplied once.
//!
//! For polynomials this is Horner's scheme: 18 − 7s² + s⁴ becomes s²(s² − 7) + 18.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::Root;
use crate::expr::{ExprId, Graph, Node, Number};

/// coefficient · Π baseᵉ
struct Term {
    coefficient: Number,
    factors: Vec<(ExprId, i32)>,
}

/// What the roots are made of in a graph of its own, every sum factored.
pub struct Factored {
    /// Holds nothing else.
    pub graph: Graph,
    /// The same roots there.
    pub roots: Vec<Root>,
    /// The names, with the expressions they followed.
    pub names: Vec<(ExprId, String)>,
}

/// Rebuilds what the roots are made of with every sum factored.
pub fn factor(source: &Graph, roots: &[Root], names: &[(ExprId, String)]) -> Factored {
    let reachable = source.reachable(roots.iter().flat_map(|root| root.expressions()));
    let uses = source.uses(&reachable, roots.iter().flat_map(|root| root.expressions()));
    let mut rebuilding = Rebuilding {
        source,
        uses,
        named: names.iter().map(|(id, _)| *id).collect(),
        graph: Graph::new(),
        map: HashMap::new(),
    };
    for id in reachable {
        let rebuilt = rebuilding.rebuild(id);
        rebuilding.map.insert(id, rebuilt);
    }
    let Rebuilding { graph, map, .. } = rebuilding;
    let roots = roots.iter().map(|root| match *root {
        Root::Output(output) => Root::Output(map[&output]),
        Root::Guard {
            row,
            pivot,
            diagonal,
        } => Root::Guard {
            row,
            pivot: map[&pivot],
            diagonal: map[&diagonal],
        },
    });
    let names = names
        .iter()
        .filter_map(|(id, name)| Some((*map.get(id)?, name.clone())));
    Factored {
        roots: roots.collect(),
        names: names.collect(),
        graph,
    }
}

struct Rebuilding<'a> {
    source: &'a Graph,
    uses: HashMap<ExprId, u32>,
    named: HashSet<ExprId>,
    graph: Graph,
    map: HashMap<ExprId, ExprId>,
}

impl Rebuilding<'_> {
    fn rebuild(&mut self, id: ExprId) -> ExprId {
        let (source, graph) = (self.source, &mut self.graph);
        let map = |id: &ExprId| self.map[id];
        match source.node(id) {
            Node::Number(value) => graph.number(*value),
            Node::Symbol(symbol) => graph.symbol(*symbol),
            Node::Boolean(value) => graph.boolean(*value),
            Node::Sum { constant, terms } => {
                let mut constant = *constant;
                let opened = self.open_sums(terms, &mut constant);
                let terms = opened
                    .into_iter()
                    .map(|(t, c)| self.open_term(t, c))
                    .collect();
                let sum = assemble(&mut self.graph, terms);
                self.graph.offset(sum, constant)
            }
            Node::Product(factors) => {
                let factors: Vec<_> = factors.iter().map(|(b, e)| (map(b), *e)).collect();
                graph.product(&factors)
            }
            Node::Call(function, arguments) => {
                let arguments: Vec<_> = arguments.iter().map(map).collect();
                graph.call(*function, &arguments)
            }
            Node::Select {
                condition,
                then,
                otherwise,
            } => graph.select(map(condition), map(then), map(otherwise)),
            Node::Compare(comparison, a, b) => graph.compare(*comparison, map(a), map(b)),
            Node::And(a, b) => graph.and(map(a), map(b)),
            Node::Or(a, b) => graph.or(map(a), map(b)),
            Node::Not(a) => graph.not(map(a)),
        }
    }

    /// The terms and those of the sums among them, where nobody else needs the sum.
    fn open_sums(
        &self,
        terms: &[(ExprId, Number)],
        constant: &mut Number,
    ) -> Vec<(ExprId, Number)> {
        let mut opened = Vec::new();
        let mut stack: Vec<_> = terms.iter().rev().copied().collect();
        while let Some((id, coefficient)) = stack.pop() {
            let alone = self.uses[&id] == 1 && !self.named.contains(&id);
            match self.source.node(id) {
                Node::Sum {
                    constant: inner,
                    terms,
                } if alone && coefficient.abs().is_one() => {
                    *constant = *constant + coefficient * *inner;
                    stack.extend(terms.iter().rev().map(|&(t, c)| (t, c * coefficient)));
                }
                _ => opened.push((id, coefficient)),
            }
        }
        opened
    }

    /// The factors of a term and of the products in it, where nobody else needs them as a whole.
    fn open_term(&self, term: ExprId, coefficient: Number) -> Term {
        let mut factors = Vec::new();
        let mut stack = vec![(term, 1)];
        while let Some((id, exponent)) = stack.pop() {
            match self.source.node(id) {
                Node::Product(inner) if exponent == 1 && self.uses[&id] == 1 => {
                    stack.extend(inner.iter().rev().copied());
                }
                // A power may be wanted elsewhere, but x² and x⁴ still share x².
                Node::Product(inner) if exponent == 1 && inner.len() == 1 && inner[0].1 > 1 => {
                    factors.push((self.map[&inner[0].0], inner[0].1));
                }
                _ => factors.push((self.map[&id], exponent)),
            }
        }
        Term {
            coefficient,
            factors: merge(factors),
        }
    }
}

/// Like bases added up.
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

/// The sum of the terms, the most common factor pulled out first.
fn assemble(graph: &mut Graph, mut terms: Vec<Term>) -> ExprId {
    while let Some((base, positive)) = most_common_factor(&terms) {
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
            .collect();
        let inner = assemble(graph, inner);
        terms = without;
        let (coefficient, inner) = graph.split_coefficient(inner);
        terms.push(Term {
            coefficient,
            // What is left may be the base itself: u·(v·w) + u² with u = v·w.
            factors: merge(vec![(base, least), (inner, 1)]),
        });
    }
    let terms: Vec<_> = terms
        .iter()
        .map(|t| (graph.product(&t.factors), t.coefficient))
        .collect();
    share_coefficients(graph, &terms)
}

fn divide(mut term: Term, base: ExprId, exponent: i32) -> Term {
    for factor in term.factors.iter_mut().filter(|factor| factor.0 == base) {
        factor.1 -= exponent;
    }
    term.factors.retain(|&(_, e)| e != 0);
    term
}

/// The base, with the sign of its exponents, that the most terms have; at least two.
fn most_common_factor(terms: &[Term]) -> Option<(ExprId, bool)> {
    let mut counts: BTreeMap<(ExprId, bool), u32> = BTreeMap::new();
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
    for &(term, coefficient) in terms {
        let (size, sign) = (
            coefficient.abs(),
            if coefficient.is_negative() { -1 } else { 1 },
        );
        let signed = (term, Number::integer(sign));
        match groups.iter_mut().find(|(c, _)| *c == size) {
            Some((_, group)) => group.push(signed),
            None => groups.push((size, vec![signed])),
        }
    }
    let mut sums = Vec::new();
    for (size, group) in groups {
        if size.is_one() {
            sums.extend(group);
        } else {
            sums.push((graph.sum(&group), size));
        }
    }
    graph.sum(&sums)
}
