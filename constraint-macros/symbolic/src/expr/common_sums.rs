//! Sums that share a part: a + b + c and a + b + d are (a + b) + c and (a + b) + d.
//!
//! Greedy, as the schedule does for products: the pair of terms that occurs in most of the sums, in one ratio,
//! becomes a sum of its own, and this is repeated. 2 a is a + a, so that one of them may be in a pair.

use crate::expr::{CollectVec, PushEach, SortedMap, sort};

use super::graph::{ExprId, Graph, Node};
use super::number::Number;

/// If the sums have more pairs of terms in total, nothing is shared.
const MAX_PAIRS: usize = 20_000;

/// Two terms and the ratio of their coefficients.
type Pair = (ExprId, ExprId, (i128, i128));

/// coefficient · term
type Term = (ExprId, Number);

impl Graph {
    /// The same values, with pairs of terms that several of them contain summed once.
    pub fn sharing_sums(&mut self, ids: &[ExprId]) -> Vec<ExprId> {
        let mut sums: SortedMap<ExprId, Vec<Term>> = SortedMap::new();
        for &id in ids {
            sums.extend(self.open_sum(id).map(|terms| (id, terms)));
        }
        let pairs = sums.values().map(|terms| terms.len() * terms.len() / 2);
        if pairs.sum::<usize>() > MAX_PAIRS {
            return ids.to_vec();
        }
        while let Some(pair) = most_common(sums.values()) {
            let (a, b, (n, d)) = pair;
            let both = self.sum(&[(a, Number::ONE), (b, Number::ratio(n, d))]);
            let (number, both) = self.split_coefficient(both);
            for terms in sums.values_mut() {
                if let Some((i, j)) = position(terms, pair) {
                    let coefficient = terms[i].1;
                    terms.remove(i.max(j));
                    terms.remove(i.min(j));
                    terms.push((both, coefficient * number));
                }
            }
        }
        let shared = |id: &ExprId| sums.get(id).map_or(*id, |terms| self.sum(terms));
        ids.iter().map(shared).collect_vec()
    }

    /// The terms of a sum without a constant; doubled terms are listed twice.
    fn open_sum(&self, id: ExprId) -> Option<Vec<Term>> {
        let Node::Sum { constant, terms } = self.node(id) else {
            return None;
        };
        let two = Number::integer(2);
        let opened = terms.iter().flat_map(|&(term, c)| {
            let doubled = c.abs() == two;
            let part = if doubled { c / two } else { c };
            std::iter::repeat_n((term, part), if doubled { 2 } else { 1 })
        });
        (constant.is_zero() && terms.len() > 1).then(|| opened.collect_vec())
    }
}

/// The pair that occurs in most of the sums, if it occurs in several.
fn most_common<'a>(sums: impl Iterator<Item = &'a Vec<Term>>) -> Option<Pair> {
    let mut counts: SortedMap<Pair, usize> = SortedMap::new();
    for terms in sums {
        let mut own: Vec<Pair> = Vec::new();
        for (i, &a) in terms.iter().enumerate() {
            own.push_each(terms[..i].iter().filter_map(|&b| pair(a, b)));
        }
        sort(&mut own);
        own.dedup();
        for pair in own {
            *counts.entry(pair).or_default() += 1;
        }
    }
    let repeated = counts.into_iter().filter(|&(_, count)| count > 1);
    let most = repeated.max_by_key(|&(pair, count)| (count, std::cmp::Reverse(pair)));
    most.map(|(pair, _)| pair)
}

fn pair(a: Term, b: Term) -> Option<Pair> {
    let (a, b) = if a.0 < b.0 { (a, b) } else { (b, a) };
    let ratio = (b.1 / a.1).as_ratio()?;
    (a.0 != b.0).then_some((a.0, b.0, ratio))
}

/// The places of both terms of a pair.
fn position(terms: &[Term], (a, b, ratio): Pair) -> Option<(usize, usize)> {
    let places = terms.iter().enumerate();
    let mut firsts = places.clone().filter(|(_, it)| it.0 == a);
    firsts.find_map(|(i, first)| {
        let mut seconds = places.clone().filter(|(_, it)| it.0 == b);
        let (j, _) = seconds.find(|(_, it)| (it.1 / first.1).as_ratio() == Some(ratio))?;
        Some((i, j))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::SymbolId;

    /// 2 a + b + c and a + b: the second is part of the first.
    #[test]
    fn a_sum_within_a_sum_is_found() {
        let mut graph = Graph::new();
        let [a, b, c] = [0, 1, 2].map(|i| graph.symbol(SymbolId::new(i)));
        let long = [(a, Number::integer(2)), (b, Number::ONE), (c, Number::ONE)];
        let [long, short] = [graph.sum(&long), graph.add(a, b)];
        let found = graph.sharing_sums(&[long, short]);
        let terms = [(a, Number::ONE), (c, Number::ONE), (short, Number::ONE)];
        assert_eq!(found, [graph.sum(&terms), short]);
    }
}
