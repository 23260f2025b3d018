//! Products that share a part: a·b·c and a·b·d are (a·b)·c and (a·b)·d.
//!
//! Input: lists of factors. Output: [`Pairs`]. Greedy, like Paar's algorithm for sums over bits (Optimized arithmetic
//! for Reed–Solomon encoders, 1997): the most frequent pair becomes a factor of its own, until no pair occurs twice.
//!
//! ```text
//! a·b·c   a·b·d   b·c·d        a·b and b·c occur twice: the first in the order of factors is taken
//! P·c     P·d     b·c·d        P = a·b; no pair occurs twice, so the search ends: 5 multiplications instead of 6
//! ```
//! A factor of several products is expanded in all of them or in none: if v·s is expanded in l·(v·s) and v·(v·s), the
//! search may find v·s as a pair, or share l·v with v·l·c instead.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::expr::{CollectVec, ExprId, Map, PushEach, sort};

/// Longer products (powers expanded) are left as they are; products of one factor share nothing.
const LENGTH_LIMIT: u64 = 32;

/// A factor: an expression, or a pair of factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Factor {
    /// An expression.
    Base(ExprId),
    /// 1 over an expression.
    Reciprocal(ExprId),
    /// The pair of this number.
    Pair(u32),
}

impl Factor {
    /// The factor that is multiplied |e| times for baseᵉ.
    pub fn of((base, exponent): (ExprId, i32)) -> Factor {
        if exponent.is_negative() {
            Factor::Reciprocal(base)
        } else {
            Factor::Base(base)
        }
    }
}

/// Product of powers of expressions; negative exponents are powers of the reciprocal.
pub type Powers = Vec<(ExprId, i32)>;

/// Lists of factors after common pairs have been extracted.
#[derive(Debug, Default)]
pub struct Pairs {
    /// The factors of each pair.
    pub pairs: Vec<[Factor; 2]>,
    lists: Map<Powers, Vec<Factor>>,
}

impl Pairs {
    /// The remaining factors of a product.
    pub fn of(&self, product: &Powers) -> Option<&[Factor]> {
        self.lists.get(product).map(Vec::as_slice)
    }

    /// Finds common pairs of products; `None` if there are none.
    pub fn find(mut products: Vec<Powers>) -> Option<Pairs> {
        products.retain(may_share);
        let mut search = Search::default();
        for product in &products {
            search.add(product);
        }
        while let Some(pair) = search.next() {
            search.take_out(pair);
        }
        let lists = products.into_iter().zip(search.lists);
        (!search.pairs.is_empty()).then(|| Pairs {
            pairs: search.pairs,
            lists: lists.collect(),
        })
    }
}

/// True if the product has a pair of factors and is not too long.
fn may_share(product: &Powers) -> bool {
    let exponents = product.iter().map(|(_, e)| u64::from(e.unsigned_abs()));
    (2..=LENGTH_LIMIT).contains(&exponents.sum())
}

/// Two factors, the smaller first.
type Pair = [Factor; 2];

#[derive(Default)]
struct Search {
    /// Sorted.
    lists: Vec<Vec<Factor>>,
    /// Number of occurrences of each pair, and the lists with them. A list may have lost the pair since.
    places: Map<Pair, (u32, Vec<usize>)>,
    /// The most frequent pair comes first; counts may be out of date.
    queue: BinaryHeap<(u32, Reverse<Pair>)>,
    pairs: Vec<Pair>,
}

impl Search {
    fn add(&mut self, product: &Powers) {
        let bases = product.iter().flat_map(|&(base, exponent)| {
            std::iter::repeat_n(
                Factor::of((base, exponent)),
                exponent.unsigned_abs() as usize,
            )
        });
        let mut list: Vec<Factor> = bases.collect_vec();
        sort(&mut list);
        self.lists.push(list);
        self.count(self.lists.len() - 1, |_| true);
    }

    /// The most frequent pair, if it occurs twice.
    fn next(&mut self) -> Option<Pair> {
        while let Some((count, Reverse(pair))) = self.queue.pop() {
            if self.places.get(&pair).is_some_and(|it| it.0 == count) {
                return Some(pair);
            }
        }
        None
    }

    /// Replaces the pair by one factor in all lists.
    fn take_out(&mut self, pair: Pair) {
        let taken = Factor::Pair(self.pairs.len() as u32);
        self.pairs.push(pair);
        let lists = self.places.remove(&pair).map(|(_, lists)| lists);
        for list in lists.unwrap_or_default() {
            let times = times(&self.lists[list], pair);
            if times == 0 {
                continue;
            }
            // The counts of pairs without these factors do not change.
            let changes = |factor| pair.contains(&factor) || factor == taken;
            self.forget(list, changes);
            for factor in pair {
                for _ in 0..times {
                    let at = self.lists[list].iter().position(|it| *it == factor);
                    at.map(|at| self.lists[list].remove(at));
                }
            }
            let pairs = std::iter::repeat_n(taken, times as usize);
            self.lists[list].push_each(pairs);
            sort(&mut self.lists[list]);
            self.count(list, changes);
        }
    }

    /// Counts the pairs in a list that have a factor for which `of` holds.
    fn count(&mut self, list: usize, of: impl Fn(Factor) -> bool) {
        for (pair, times) in occurrences(&self.lists[list], of) {
            let (count, lists) = self.places.entry(pair).or_default();
            *count += times;
            lists.push(list);
            if *count > 1 {
                self.queue.push((*count, Reverse(pair)));
            }
        }
    }

    fn forget(&mut self, list: usize, of: impl Fn(Factor) -> bool) {
        for (pair, times) in occurrences(&self.lists[list], of) {
            if let Some((count, _)) = self.places.get_mut(&pair) {
                *count -= times;
                if *count > 1 {
                    self.queue.push((*count, Reverse(pair)));
                }
            }
        }
    }
}

/// The pairs in a sorted list that have a factor for which `of` holds, each with its number of disjoint occurrences.
fn occurrences(list: &[Factor], of: impl Fn(Factor) -> bool) -> Vec<(Pair, u32)> {
    let counted: Vec<(Factor, u32)> = counted(list).collect_vec();
    let wanted: Vec<usize> = (0..counted.len())
        .filter(|&i| of(counted[i].0))
        .collect_vec();
    let mut pairs = Vec::new();
    for &i in &wanted {
        let (a, m) = counted[i];
        if m > 1 {
            pairs.push(([a, a], m / 2));
        }
        for (j, &(b, n)) in counted.iter().enumerate() {
            // If `of` holds for both factors, the pair is counted at the first of them.
            if j > i {
                pairs.push(([a, b], m.min(n)));
            } else if j < i && wanted.binary_search(&j).is_err() {
                pairs.push(([b, a], m.min(n)));
            }
        }
    }
    pairs
}

/// Number of disjoint occurrences of a pair in a list.
fn times(list: &[Factor], [a, b]: Pair) -> u32 {
    let count = |factor| list.iter().filter(|&&it| it == factor).count() as u32;
    if a == b {
        count(a) / 2
    } else {
        count(a).min(count(b))
    }
}

/// The factors of a sorted list with their exponents.
pub fn counted(list: &[Factor]) -> impl Iterator<Item = (Factor, u32)> {
    let equal = list.chunk_by(|a, b| a == b);
    equal.map(|equal| (equal[0], equal.len() as u32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{Graph, SymbolId};

    fn letters() -> [ExprId; 4] {
        let mut graph = Graph::new();
        [0, 1, 2, 3].map(|i| graph.symbol(SymbolId::new(i)))
    }

    /// x⁴ y² and x² y z: the pair (x x), then (x²) y in both.
    #[test]
    fn powers_are_shared_with_products() {
        let [x, y, z, _] = letters();
        let products = vec![vec![(x, 4), (y, 2)], vec![(x, 2), (y, 1), (z, 1)]];
        let pairs = Pairs::find(products.clone()).expect("they share x² y");
        let [first, second] = [0, 1].map(|i| pairs.of(&products[i]).expect("a list"));
        let square = Factor::Pair(0);
        assert_eq!(
            pairs.pairs,
            [[Factor::Base(x); 2], [Factor::Base(y), square]]
        );
        assert_eq!(first, [Factor::Pair(1); 2]);
        assert_eq!(second, [Factor::Base(z), Factor::Pair(1)]);
    }

    #[test]
    fn nothing_is_taken_out_of_products_that_share_nothing() {
        let [x, y, z, w] = letters();
        let products = vec![vec![(x, 1), (y, 1), (z, 1)], vec![(x, 1), (w, 1)]];
        assert!(Pairs::find(products).is_none());
    }

    /// An expanded x to the power of two thousand million would not fit into memory.
    #[test]
    fn long_products_are_left_as_they_are() {
        let [x, y, z, _] = letters();
        let long = vec![(x, 2_000_000_000), (y, 1)];
        let products = vec![
            long.clone(),
            vec![(x, 1), (y, 1), (z, 1)],
            vec![(x, 1), (y, 2)],
        ];
        let pairs = Pairs::find(products).expect("the others share x y");
        assert!(pairs.of(&long).is_none());
    }

    /// Every product is still a product of the same powers.
    #[test]
    fn no_factor_is_lost() {
        let letters = letters();
        let exponents = |n: i32| {
            letters
                .iter()
                .enumerate()
                .map(move |(i, &x)| (x, n >> (2 * i) & 3))
        };
        let product = |n| exponents(n).filter(|&(_, e)| e > 0).collect::<Powers>();
        let products: Vec<Powers> = (1..256).map(product).collect();
        let pairs = Pairs::find(products.clone()).expect("they share much");
        for product in products.iter().filter(|it| may_share(it)) {
            let mut left: Vec<Factor> = pairs.of(product).expect("a list").to_vec();
            let mut bases = Vec::new();
            while let Some(factor) = left.pop() {
                match factor {
                    Factor::Base(base) | Factor::Reciprocal(base) => bases.push(base),
                    Factor::Pair(pair) => left.extend(pairs.pairs[pair as usize]),
                }
            }
            let repeated = product
                .iter()
                .flat_map(|&(x, e)| std::iter::repeat_n(x, e as usize));
            sort(&mut bases);
            assert_eq!(bases, repeated.collect::<Vec<_>>());
        }
    }
}
