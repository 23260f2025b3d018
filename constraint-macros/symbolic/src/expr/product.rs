//! Products: equal bases merged, numbers collected in front, even powers of roots opened.

use crate::expr::{CollectVec, PushEach, SortedSet, sort_by_key};

use super::function::Function;
use super::graph::{ExprId, Graph, Node, OPEN_LIMIT};
use super::number::Number;

/// Bases with their exponents.
type Powers = Vec<(ExprId, i32)>;

impl Graph {
    /// Π baseᵉ.
    pub fn product(&mut self, factors: &[(ExprId, i32)]) -> ExprId {
        let mut coefficient = Number::ONE;
        let mut merged: Powers = Vec::with_capacity(factors.len());
        for &(id, exponent) in factors {
            self.gather_factor(id, exponent, &mut coefficient, &mut merged);
        }
        merge(&mut merged);
        self.open_cancelling_products(&mut merged);
        self.open_even_roots(&mut coefficient, &mut merged);
        if coefficient.is_zero() {
            return self.number(coefficient);
        }
        merged.retain(|&(_, e)| e != 0);
        let product = match merged[..] {
            [] => return self.number(coefficient),
            [(base, 1)] => base,
            _ => self.intern(Node::Product(merged.into())),
        };
        self.scale(product, coefficient)
    }

    fn gather_factor(
        &mut self,
        id: ExprId,
        exponent: i32,
        coefficient: &mut Number,
        factors: &mut Powers,
    ) {
        if let Some(value) = self.as_number(id) {
            *coefficient = *coefficient * value.powi(exponent);
            return;
        }
        let (factor, base) = self.split_coefficient(id);
        let factor = factor.powi(exponent);
        if coefficient.leaves_ordinary_range(factor) {
            factors.push((self.whole(id), exponent));
            return;
        }
        *coefficient = *coefficient * factor;
        let single = match self.node(base) {
            Node::Product(factors) if factors.len() == 1 => Some(factors[0]),
            _ => None,
        };
        let (base, exponent) = match single {
            Some((inner, e)) => match e.checked_mul(exponent) {
                Some(total) => (inner, total),
                None => (base, exponent),
            },
            None => (base, exponent),
        };
        factors.push((base, exponent));
    }

    /// Opens the nested products that share a base of the opposite exponent with the other factors, or with one
    /// another.
    fn open_cancelling_products(&self, merged: &mut Powers) {
        if merged.len() < 2 || merged.len() > OPEN_LIMIT {
            return;
        }
        let nested = merged.iter().copied();
        let nested = nested.filter(|&(id, e)| e != 0 && !self.nested_factors(id).is_empty());
        let nested: Vec<(ExprId, i32)> = nested.collect_vec();
        if nested.is_empty() {
            return;
        }
        let signs = |&(id, exponent): &(ExprId, i32)| {
            let factors = self.nested_factors(id).iter();
            factors.map(move |&(base, e)| (base, e.signum() * exponent.signum()))
        };
        let alone = merged.iter().map(|&(id, e)| (id, e.signum()));
        let all: SortedSet<(ExprId, i32)> = alone.chain(nested.iter().flat_map(signs)).collect();
        let cancels =
            |it: &&(ExprId, i32)| signs(it).any(|(base, sign)| all.contains(&(base, -sign)));
        let cancelling: Vec<_> = nested.iter().filter(cancels).copied().collect_vec();
        for (id, exponent) in cancelling {
            // Operands have smaller ids, so none of the later products is inside this one.
            merged.retain(|&(other, _)| other != id);
            let inner = self.nested_factors(id).iter();
            merged.push_each(inner.map(|&(base, e)| (base, e.saturating_mul(exponent))));
        }
        merge(merged);
    }

    /// The factors of a nested product that is not too long; otherwise none.
    fn nested_factors(&self, id: ExprId) -> &[(ExprId, i32)] {
        match self.node(id) {
            Node::Product(factors) if factors.len() <= OPEN_LIMIT => factors,
            _ => &[],
        }
    }

    /// √u² = u and |u|² = u² (in the first the value is only real for u ≥ 0 anyway).
    fn open_even_roots(&mut self, coefficient: &mut Number, merged: &mut Powers) {
        loop {
            let found = merged.iter().find_map(|&(id, e)| match *self.node(id) {
                Node::Call(Function::Sqrt, ref u) if e != 0 && e % 2 == 0 => {
                    Some((id, u[0], e / 2))
                }
                Node::Call(Function::Abs, ref u) if e != 0 && e % 2 == 0 => Some((id, u[0], e)),
                _ => None,
            });
            let Some((id, argument, exponent)) = found else {
                return self.divide_by_roots(merged);
            };
            merged.retain(|&(other, _)| other != id);
            self.gather_factor(argument, exponent, coefficient, merged);
            merge(merged);
        }
    }

    /// u/√u = √u, so that the slope of u^(3/2) is 0 at 0, not 0/0.
    fn divide_by_roots(&self, merged: &mut Powers) {
        let radicand = |&(id, e): &(ExprId, i32)| match self.node(id) {
            Node::Call(Function::Sqrt, u) if e < 0 => Some((id, u[0])),
            _ => None,
        };
        let roots: Vec<(ExprId, ExprId)> = merged.iter().filter_map(radicand).collect_vec();
        for (root, argument) in roots {
            let above = merged.iter().find(|&&(id, e)| id == argument && e > 0);
            if let Some(&(_, exponent)) = above {
                merged.retain(|&(id, _)| id != argument);
                merged.push((root, exponent.saturating_mul(2)));
                merge(merged);
            }
        }
    }

    /// a·b.
    pub fn mul(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.product(&[(a, 1), (b, 1)])
    }

    /// a/b.
    pub fn div(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.product(&[(a, 1), (b, -1)])
    }

    /// 1/a.
    pub fn recip(&mut self, a: ExprId) -> ExprId {
        self.product(&[(a, -1)])
    }

    /// aⁿ, with a⁰ = 1 for every a.
    pub fn powi(&mut self, a: ExprId, exponent: i32) -> ExprId {
        if exponent == 0 {
            return self.number(Number::ONE);
        }
        self.product(&[(a, exponent)])
    }
}

/// Sorts bases in ascending order and adds the exponents of equal ones.
fn merge(powers: &mut Powers) {
    if powers.is_sorted_by(|(a, _), (b, _)| a < b) {
        return;
    }
    sort_by_key(powers, |&(id, _)| id);
    powers.dedup_by(|next, first| {
        let like = next.0 == first.0;
        if like {
            first.1 = first.1.saturating_add(next.1);
        }
        like
    });
}
