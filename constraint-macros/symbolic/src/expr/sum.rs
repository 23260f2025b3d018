//! Sums: like terms merged, common numbers in front, nothing opened unless it cancels.

use super::eager::sort_by_key;
use super::function::Function;
use super::graph::{ExprId, Graph, Node, OPEN_LIMIT};
use super::number::Number;
use crate::expr::{CollectVec, PushEach};

impl Graph {
    /// Σ coefficient·term.
    pub fn sum(&mut self, terms: &[(ExprId, Number)]) -> ExprId {
        let mut constant = Number::ZERO;
        let mut merged = Vec::with_capacity(terms.len());
        for &(id, coefficient) in terms {
            self.gather(id, coefficient, &mut constant, &mut merged);
        }
        merge(&mut merged);
        self.open_cancelling_sums(&mut constant, &mut merged);
        self.join_squares(&mut constant, &mut merged);
        merged.retain(|(_, c)| !c.is_zero());
        self.normalized_sum(constant, merged)
    }

    /// x + x, without a numeric factor that products would extract. A [`Node::Whole`] of 2 x has the same effect, but
    /// v̇ of a top on its tip then takes two operations more.
    pub fn doubled(&mut self, x: ExprId) -> ExprId {
        self.intern(Node::Sum {
            constant: Number::ZERO,
            terms: [(x, Number::ONE), (x, Number::ONE)].into(),
        })
    }

    fn gather(
        &mut self,
        id: ExprId,
        coefficient: Number,
        constant: &mut Number,
        terms: &mut Vec<(ExprId, Number)>,
    ) {
        if let Some(value) = self.as_number(id) {
            *constant = *constant + coefficient * value;
            return;
        }
        let (factor, term) = self.split_coefficient(id);
        if coefficient.leaves_ordinary_range(factor) {
            terms.push((self.whole(id), coefficient));
            return;
        }
        terms.push((term, coefficient * factor));
    }

    /// Opens the nested sums that share a constant or a vanishing term with the rest.
    fn open_cancelling_sums(&self, constant: &mut Number, merged: &mut Vec<(ExprId, Number)>) {
        let nested = merged.iter().copied();
        let nested: Vec<(ExprId, Number)> = nested
            .filter(|&(id, _)| matches!(self.node(id), Node::Sum { terms, .. } if terms.len() <= OPEN_LIMIT))
            .collect_vec();
        if nested.is_empty() || nested.len() > OPEN_LIMIT || merged.len() < 2 && constant.is_zero()
        {
            return;
        }
        let (mut totals, mut constants) = (merged.clone(), u32::from(!constant.is_zero()));
        for &(id, coefficient) in &nested {
            let (inner, terms) = self.scaled_terms(id, coefficient);
            constants += u32::from(!inner.is_zero());
            totals.push_each(terms);
        }
        merge(&mut totals);
        totals.retain(|(_, total)| total.is_zero());
        let cancels = |term: ExprId| totals.iter().any(|&(total, _)| total == term);
        for (id, coefficient) in nested {
            let (inner, mut terms) = self.scaled_terms(id, coefficient);
            if terms.clone().any(|(term, _)| cancels(term)) || !inner.is_zero() && constants > 1 {
                // Operands have smaller ids, so none of the later sums is inside this one.
                merged.retain(|&(other, _)| other != id);
                *constant = *constant + inner;
                merged.push_each(&mut terms);
            }
        }
        merge(merged);
    }

    /// The constant and the terms of a sum, multiplied by a number.
    fn scaled_terms(
        &self,
        id: ExprId,
        by: Number,
    ) -> (Number, impl Iterator<Item = (ExprId, Number)> + Clone) {
        let (constant, terms) = match self.node(id) {
            Node::Sum { constant, terms } => (*constant, &terms[..]),
            _ => (Number::ZERO, &[][..]),
        };
        (by * constant, terms.iter().map(move |&(t, c)| (t, by * c)))
    }

    /// c·sin²u + c·cos²u = c
    fn join_squares(&self, constant: &mut Number, merged: &mut Vec<(ExprId, Number)>) {
        let squared = |id: ExprId, wanted: Function| match self.node(self.square_of(id)?) {
            Node::Call(function, angle) if *function == wanted => Some(angle[0]),
            _ => None,
        };
        let sines = merged.iter();
        let sines: Vec<(ExprId, ExprId, Number)> = sines
            .filter_map(|&(id, c)| Some((id, squared(id, Function::Sin)?, c)))
            .collect_vec();
        for (sine, angle, coefficient) in sines {
            let mut terms = merged.iter();
            let cosine = terms.find(|&&(id, _)| squared(id, Function::Cos) == Some(angle));
            let Some(&(cosine, _)) = cosine.filter(|(_, c)| *c == coefficient) else {
                continue;
            };
            *constant = *constant + coefficient;
            merged.retain(|&(id, _)| id != sine && id != cosine);
        }
    }

    /// b if the node is b².
    pub(super) fn square_of(&self, id: ExprId) -> Option<ExprId> {
        match self.node(id) {
            Node::Product(factors) if factors.len() == 1 && factors[0].1 == 2 => Some(factors[0].0),
            _ => None,
        }
    }

    fn normalized_sum(&mut self, constant: Number, terms: Vec<(ExprId, Number)>) -> ExprId {
        match terms[..] {
            [] => return self.number(constant),
            [(term, coefficient)] if constant.is_zero() && coefficient.is_one() => return term,
            [_] if constant.is_zero() => return self.intern_sum(constant, terms),
            _ => {}
        }
        let content = common_coefficient(constant, &terms);
        if !content.is_one() {
            let scaled: Vec<_> = terms.iter().map(|&(t, c)| (t, c / content)).collect_vec();
            let inside = (constant / content).as_integer().is_some();
            let inner = self.oriented_sum(
                if inside {
                    constant / content
                } else {
                    Number::ZERO
                },
                scaled,
            );
            let (sign, inner) = self.split_coefficient(inner);
            let outside = if inside { Number::ZERO } else { constant };
            return self.intern_sum(outside, vec![(inner, sign * content)]);
        }
        self.oriented_sum(constant, terms)
    }

    /// The sum, or −1 times its negative if that exists already.
    fn oriented_sum(&mut self, constant: Number, terms: Vec<(ExprId, Number)>) -> ExprId {
        if let [(term, coefficient)] = terms[..]
            && constant.is_zero()
            && coefficient.is_one()
        {
            return term;
        }
        let negative: Box<[_]> = terms.iter().map(|&(t, c)| (t, -c)).collect();
        let opposite = Node::Sum {
            constant: -constant,
            terms: negative,
        };
        match self.known(&opposite) {
            Some(existing) => self.intern_sum(Number::ZERO, vec![(existing, Number::MINUS_ONE)]),
            None => self.intern_sum(constant, terms),
        }
    }

    fn intern_sum(&mut self, constant: Number, terms: Vec<(ExprId, Number)>) -> ExprId {
        self.intern(Node::Sum {
            constant,
            terms: terms.into(),
        })
    }

    /// The terms of a sum without a constant, with its numeric factor multiplied out; for any other node, that node.
    pub fn terms(&self, id: ExprId) -> Vec<(ExprId, Number)> {
        let (number, rest) = self.split_coefficient(id);
        match self.node(rest) {
            Node::Sum { constant, terms } if constant.is_zero() => terms
                .iter()
                .map(|&(term, c)| (term, c * number))
                .collect_vec(),
            _ => vec![(rest, number)],
        }
    }

    /// Σ |terms| of a sum, its constant among them.
    pub fn size_of_terms(&mut self, id: ExprId) -> ExprId {
        let (mut size, terms) = match self.node(id) {
            Node::Sum { constant, terms } => (constant.abs(), terms.to_vec()),
            Node::Number(number) => (number.abs(), Vec::new()),
            _ => (Number::ZERO, vec![(id, Number::ONE)]),
        };
        let mut sizes = Vec::new();
        for (term, coefficient) in terms {
            match self.as_number(term) {
                Some(number) => size = size + (number * coefficient).abs(),
                None => sizes.push((self.call(Function::Abs, &[term]), coefficient.abs())),
            }
        }
        let sum = self.sum(&sizes);
        self.offset(sum, size)
    }

    /// a + b.
    pub fn add(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.sum(&[(a, Number::ONE), (b, Number::ONE)])
    }

    /// a − b.
    pub fn sub(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.sum(&[(a, Number::ONE), (b, Number::MINUS_ONE)])
    }

    /// −a.
    pub fn neg(&mut self, a: ExprId) -> ExprId {
        self.scale(a, Number::MINUS_ONE)
    }

    /// factor·a.
    pub fn scale(&mut self, a: ExprId, factor: Number) -> ExprId {
        if factor.is_one() {
            return a;
        }
        self.sum(&[(a, factor)])
    }

    /// a + constant.
    pub fn offset(&mut self, a: ExprId, constant: Number) -> ExprId {
        let constant = self.number(constant);
        self.add(a, constant)
    }
}

/// Sorts terms in ascending order and adds like ones.
fn merge(terms: &mut Vec<(ExprId, Number)>) {
    if terms.is_sorted_by(|(a, _), (b, _)| a < b) {
        return;
    }
    sort_by_key(terms, |&(id, _)| id);
    terms.dedup_by(|next, first| {
        let like = next.0 == first.0;
        if like {
            first.1 = first.1 + next.1;
        }
        like
    });
}

/// The common factor of a sum that leaves integers behind without an additional multiplication.
fn common_coefficient(constant: Number, terms: &[(ExprId, Number)]) -> Number {
    let first = terms[0].1.abs();
    if terms.len() > 1 && terms.iter().all(|(_, c)| c.abs() == first) {
        return first;
    }
    let coefficients = terms
        .iter()
        .map(|&(_, c)| c)
        .chain([constant].into_iter().filter(|c| !c.is_zero()));
    let content = rational_content(coefficients);
    let multiplications = |scale: Number| {
        terms
            .iter()
            .filter(|(_, c)| !(c.abs() / scale).is_one())
            .count()
    };
    match content {
        Some(c) if terms.len() > 1 && multiplications(c) < multiplications(Number::ONE) => c,
        _ => Number::ONE,
    }
}

/// The largest c > 0 such that all numbers are whole multiples of c; `None` unless all are exact.
pub(crate) fn rational_content(numbers: impl Iterator<Item = Number>) -> Option<Number> {
    let mut content: Option<(i128, i128)> = None;
    for number in numbers {
        let (n, d) = number.as_ratio()?;
        content = Some(match content {
            None => (n.checked_abs()?, d),
            Some((gn, gd)) => {
                let (mut a, mut b) = (gn.checked_mul(d)?, n.checked_abs()?.checked_mul(gd)?);
                while b != 0 {
                    (a, b) = (b, a % b);
                }
                Number::ratio(a, gd.checked_mul(d)?).as_ratio()?
            }
        });
    }
    content.map(|(n, d)| Number::ratio(n, d))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::SymbolId;

    /// A sum is one expression, however it was derived.
    #[test]
    fn sums_that_cancel_leave_no_trace() {
        let mut graph = Graph::new();
        let [x, y, z] = [0, 1, 2].map(|i| graph.symbol(SymbolId::new(i)));
        let both = graph.add(x, y);
        assert_eq!(graph.sub(both, x), y);
        // 6 (x + y) − 6 x = 6 y
        let six = Number::integer(6);
        let scaled = graph.scale(y, six);
        assert_eq!(graph.sum(&[(both, six), (x, -six)]), scaled);
        // 2 (x + 3 y) − 6 y = 2 x
        let mixed = graph.sum(&[(x, Number::ONE), (y, Number::integer(3))]);
        let doubled = graph.scale(x, Number::integer(2));
        assert_eq!(
            graph.sum(&[(mixed, Number::integer(2)), (y, -six)]),
            doubled
        );
        // (x + y) + (z − x) = y + z
        let (difference, rest) = (graph.sub(z, x), graph.add(y, z));
        assert_eq!(graph.add(both, difference), rest);
        // 2 (x + y) + z is unchanged.
        let doubled = graph.scale(both, Number::integer(2));
        let kept = graph.add(doubled, z);
        assert!(matches!(graph.node(kept), Node::Sum { terms, .. } if terms.len() == 2));
    }
}
