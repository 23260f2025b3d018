//! Expressions as sums of monomials, multiplied out within limits.

use crate::expr::{CollectVec, SortedMap};

use super::graph::{ExprId, Graph, Node};
use super::map::Map;
use super::number::Number;

/// Limit on the terms of a sum.
const MAX_TERMS: usize = 256;
/// Limit on the powers of sums.
const MAX_EXPONENT: i32 = 8;
/// Limit on the letters of monomials written in one graph; beyond it all expressions are unchanged.
const MAX_LETTERS: usize = 1_000_000;

/// Π baseᵉ, bases ascending.
pub(super) type Monomial = Vec<(ExprId, i32)>;

/// Σ coefficient · monomial, without zeros.
pub(super) type Terms = SortedMap<Monomial, Number>;

/// Sine and cosine of one angle.
#[derive(Clone, Copy)]
pub(super) struct Angle {
    pub(super) sine: ExprId,
    pub(super) cosine: ExprId,
    /// u
    pub(super) of: ExprId,
}

/// Adds a term.
pub(super) fn add(terms: &mut Terms, monomial: Monomial, coefficient: Number) {
    let sum = terms.get(&monomial).copied().unwrap_or(Number::ZERO) + coefficient;
    if sum.is_zero() {
        terms.remove(&monomial)
    } else {
        terms.insert(monomial, sum)
    };
}

/// The product of two monomials.
pub(super) fn times(a: &[(ExprId, i32)], b: &[(ExprId, i32)]) -> Monomial {
    let mut product: SortedMap<ExprId, i32> = SortedMap::new();
    for &(base, exponent) in a.iter().chain(b) {
        *product.entry(base).or_default() += exponent;
    }
    product.into_iter().filter(|&(_, e)| e != 0).collect_vec()
}

/// Multiplies out what depends on some angles.
pub(super) struct Opening<'a> {
    pub(super) graph: &'a Graph,
    pub(super) angles: &'a [Angle],
    pub(super) multiply_out: bool,
    pub(super) depends: Map<ExprId, bool>,
    /// Number of letters written so far.
    pub(super) letters: usize,
}

impl Opening<'_> {
    fn multiplied(&mut self, a: &Terms, b: &Terms) -> Option<Terms> {
        if a.len() * b.len() > MAX_TERMS {
            return None;
        }
        let mut product = Terms::new();
        for (left, x) in a {
            for (right, y) in b {
                let both = times(left, right);
                self.write(&both)?;
                add(&mut product, both, *x * *y);
            }
        }
        Some(product)
    }

    /// Counts the letters of a monomial; `None` if they exceed the limit.
    fn write(&mut self, monomial: &Monomial) -> Option<()> {
        self.letters += 1 + monomial.len();
        (self.letters <= MAX_LETTERS).then_some(())
    }

    /// The terms of an expression; sums without the angle are factors. `None` if they exceed a limit.
    pub(super) fn terms(&mut self, id: ExprId) -> Option<Terms> {
        let one = |powers: Monomial| Terms::from([(powers, Number::ONE)]);
        match self.graph.node(id) {
            Node::Number(value) => {
                let mut terms = Terms::new();
                add(&mut terms, Monomial::new(), *value);
                Some(terms)
            }
            Node::Sum { constant, terms } if terms.len() == 1 || self.depends(id) => {
                let mut sum = Terms::new();
                add(&mut sum, Monomial::new(), *constant);
                for &(term, coefficient) in terms {
                    for (powers, number) in self.terms(term)? {
                        self.write(&powers)?;
                        add(&mut sum, powers, number * coefficient);
                    }
                }
                (sum.len() <= MAX_TERMS).then_some(sum)
            }
            Node::Product(factors) => {
                let mut product = one(Monomial::new());
                for &(base, exponent) in factors {
                    let power = self.power(base, exponent)?;
                    product = self.multiplied(&product, &power)?;
                }
                Some(product)
            }
            _ => Some(one(vec![(id, 1)])),
        }
    }

    fn power(&mut self, base: ExprId, exponent: i32) -> Option<Terms> {
        let sum = matches!(self.graph.node(base), Node::Sum { terms, .. } if terms.len() > 1);
        if sum && !self.multiply_out {
            return Some(Terms::from([(vec![(base, exponent)], Number::ONE)]));
        }
        let terms = self.terms(base)?;
        if let Some((powers, number)) = terms.first_key_value()
            && terms.len() == 1
        {
            let powers = powers.iter().map(|&(b, e)| (b, e * exponent)).collect_vec();
            return Some(Terms::from([(powers, number.powi(exponent))]));
        }
        if exponent < 0 {
            return Some(Terms::from([(vec![(base, exponent)], Number::ONE)]));
        }
        if exponent > MAX_EXPONENT {
            return None;
        }
        (1..exponent).try_fold(terms.clone(), |power, _| self.multiplied(&power, &terms))
    }

    /// Whether the expression contains a sine or cosine of the angles, reached through sums and products.
    fn depends(&mut self, id: ExprId) -> bool {
        if let Some(&known) = self.depends.get(&id) {
            return known;
        }
        let depends = match self.graph.node(id) {
            node @ (Node::Sum { .. } | Node::Product(_)) => {
                let mut children = Vec::new();
                node.for_each_child(|child| children.push(child));
                children.into_iter().any(|child| self.depends(child))
            }
            _ => {
                let mut angles = self.angles.iter();
                angles.any(|angle| id == angle.sine || id == angle.cosine)
            }
        };
        self.depends.insert(id, depends);
        depends
    }
}
