//! A product as a number and powers of expressions that are not products.
//!
//! Input: an expression. Output: [`Factors`], on which divisors are compared and cancelled without creating an expression
//! for each step.

use super::graph::{ExprId, Graph, Node};
use super::number::Number;
use crate::expr::{CollectVec, PushEach};

/// number · Π baseᵉ; each base once, no exponent zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factors {
    /// The numeric factor.
    pub number: Number,
    powers: Vec<(ExprId, i32)>,
}

impl Factors {
    fn one() -> Factors {
        Factors {
            number: Number::ONE,
            powers: Vec::new(),
        }
    }

    fn multiply(&mut self, base: ExprId, exponent: i32) {
        match self.powers.iter_mut().find(|(known, _)| *known == base) {
            Some((_, sum)) => *sum = sum.saturating_add(exponent),
            None => self.powers.push((base, exponent)),
        }
        self.powers.retain(|&(_, exponent)| exponent != 0);
    }

    /// The product of both.
    pub fn times(&self, other: &Factors) -> Factors {
        let mut product = self.clone();
        product.number = product.number * other.number;
        for &(base, exponent) in &other.powers {
            product.multiply(base, exponent);
        }
        product
    }

    /// This divided by the other.
    pub fn over(&self, other: Factors) -> Factors {
        let inverse = other.powers.iter().map(|&(base, e)| (base, -e));
        self.times(&Factors {
            number: other.number.recip(),
            powers: inverse.collect_vec(),
        })
    }

    /// This times a number.
    pub fn scaled(mut self, number: Number) -> Factors {
        self.number = self.number * number;
        self
    }

    /// The denominator without its number.
    pub fn divisor(&self) -> Factors {
        let below = self.powers.iter().filter(|(_, e)| *e < 0);
        Factors {
            number: Number::ONE,
            powers: below.map(|&(base, e)| (base, -e)).collect_vec(),
        }
    }

    /// The least common multiple of products without numbers and denominators.
    pub fn common(mut self, other: Factors) -> Factors {
        for (base, exponent) in other.powers {
            match self.powers.iter_mut().find(|(known, _)| *known == base) {
                Some((_, most)) => *most = exponent.max(*most),
                None => self.powers.push((base, exponent)),
            }
        }
        self
    }

    /// The bases with their exponents.
    pub fn powers(&self) -> &[(ExprId, i32)] {
        &self.powers
    }

    /// The common factors, each with the smaller of both exponents.
    pub fn shared(&self, other: &Factors) -> Factors {
        let shared = self.powers.iter().filter_map(|&(base, e)| {
            let (_, f) = other.powers.iter().find(|(known, _)| *known == base)?;
            let both = e.signum() == f.signum();
            both.then(|| (base, e.signum() * e.abs().min(f.abs())))
        });
        Factors {
            number: Number::ONE,
            powers: shared.collect_vec(),
        }
    }
}

impl Graph {
    /// The factors of a product, nested products included.
    pub fn factors(&self, id: ExprId) -> Factors {
        let mut factors = Factors::one();
        let mut stack = vec![(id, 1)];
        while let Some((id, exponent)) = stack.pop() {
            let (number, rest) = self.split_coefficient(id);
            factors.number = factors.number * number.powi(exponent);
            match self.node(rest) {
                Node::Number(number) => {
                    factors.number = factors.number * number.powi(exponent);
                }
                Node::Product(inner) => {
                    let inner = inner.iter().rev();
                    stack.push_each(inner.map(|&(base, e)| (base, e.saturating_mul(exponent))));
                }
                _ => factors.multiply(rest, exponent),
            }
        }
        factors
    }

    /// The factors of an expression; of a sum, also those that all its terms share.
    pub fn extracted(&mut self, id: ExprId) -> Factors {
        let (number, rest) = self.split_coefficient(id);
        let Node::Sum { constant, terms } = self.node(rest).clone() else {
            return self.factors(id);
        };
        let parts: Vec<Factors> = terms
            .iter()
            .map(|&(term, c)| self.factors(term).scaled(c))
            .collect_vec();
        let shared = parts.iter().cloned().reduce(|a, b| a.shared(&b));
        let Some(shared) = shared.filter(|_| constant.is_zero()) else {
            return self.factors(id);
        };
        let terms: Vec<(ExprId, Number)> = parts
            .into_iter()
            .map(|part| (self.multiplied(&part.over(shared.clone())), Number::ONE))
            .collect_vec();
        let sum = self.sum(&terms);
        shared.times(&self.factors(sum)).scaled(number)
    }

    /// a/b with all common factors cancelled; a itself if b is 1.
    pub fn reduced(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if self.as_number(b).is_some_and(Number::is_one) {
            return a;
        }
        let quotient = self.factors(a).over(self.factors(b));
        self.multiplied(&quotient)
    }

    /// The expression of a product.
    pub fn multiplied(&mut self, factors: &Factors) -> ExprId {
        let product = self.product(&factors.powers);
        self.scale(product, factors.number)
    }
}
