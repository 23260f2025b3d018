//! Fractions of polynomials: one expression over one denominator, in lowest terms as far as trial division
//! determines, with cos² u = 1 − sin² u.
//!
//! The graph never expands by itself. Here expansion is requested: |r′|² of a curve is a sum of
//! squares that often collapses, as a² sin² + a² cos² does, and only expansion shows it.
//!
//! Invariant: the value stays the same, up to rounding of numbers that are not fractions; expressions that would exceed
//! [`MAX_TERMS`] terms are unchanged.

use crate::expr::{CollectVec, MapEach, SortedMap, sort};

use super::function::Function;
use super::graph::{ExprId, Graph, Node};
use super::map::{Map, Set};
use super::number::Number;
use super::sum::rational_content;

/// Limit on the terms of polynomials.
const MAX_TERMS: usize = 48;
/// Limit on the letters of an expression.
const MAX_LETTERS: usize = 10;
/// Limit on its nodes.
const MAX_NODES: usize = 512;
/// Limit on its exponents.
const MAX_EXPONENT: u8 = 40;

impl Graph {
    /// The shortest of several forms of one value and their forms as one fraction of polynomials.
    pub fn shortest<const N: usize>(&mut self, forms: [ExprId; N]) -> ExprId {
        let fractions = forms.map_each(|form| self.as_fraction(form));
        let all = forms.into_iter().chain(fractions.into_iter().flatten());
        // Of equally short forms the last: a fraction, if there is one.
        let best = all.min_by_key(|&form| (self.length(form), std::cmp::Reverse(form)));
        best.unwrap_or_else(|| self.zero())
    }

    /// Approximate number of operations of an expression: shared nodes count once, powers as repeated factors.
    pub(super) fn length(&self, id: ExprId) -> usize {
        let operations = |id: &ExprId| match self.node(*id) {
            Node::Sum { constant, terms } => {
                let summands = terms.len() + usize::from(!constant.is_zero());
                let factors = terms.iter().filter(|(_, c)| !c.abs().is_one());
                summands - 1 + factors.count()
            }
            Node::Product(factors) => {
                let powers = factors.iter().map(|(_, e)| e.unsigned_abs() as usize);
                powers.sum::<usize>() - 1
            }
            _ => 0,
        };
        self.reachable([id]).iter().map(operations).sum()
    }

    /// `id` as one fraction of polynomials, with the factors that all terms share in front; `None` if it has no such form or
    /// is too large.
    pub fn as_fraction(&mut self, id: ExprId) -> Option<ExprId> {
        if let Some(&known) = self.fractions.get(&id) {
            return known;
        }
        let fraction = self.reduced_fraction(id);
        self.fractions.insert(id, fraction);
        fraction
    }

    fn reduced_fraction(&mut self, id: ExprId) -> Option<ExprId> {
        let mut ring = Ring::default();
        let nodes = ring.read(self, id);
        if ring.letters.len() > MAX_LETTERS || nodes.len() > MAX_NODES {
            return None;
        }
        for &node in &nodes {
            let fraction = ring.fraction(self, node)?;
            ring.known.insert(node, fraction);
        }
        let fraction = ring.known.get(&id)?.clone();
        Some(ring.write(self, &fraction))
    }
}

/// Exponents of the letters.
type Monomial = Vec<u8>;

/// Σ coefficient · monomial, without zeros.
#[derive(Clone, Debug, Default, PartialEq)]
struct Polynomial(SortedMap<Monomial, Number>);

/// numerator / Π divisorᵉ
#[derive(Clone, Debug)]
struct Fraction {
    numerator: Polynomial,
    divisors: Vec<(Polynomial, u8)>,
}

/// The letters, and the pairs of them that are cosine and sine of one angle.
#[derive(Debug, Default)]
struct Ring {
    letters: Vec<ExprId>,
    known: Map<ExprId, Fraction>,
    /// (cosine, sine)
    angles: Vec<(usize, usize)>,
}

// ---- reading ------------------------------------------------------------------------------------

impl Ring {
    /// The nodes down to the letters, operands first.
    fn read(&mut self, graph: &mut Graph, root: ExprId) -> Vec<ExprId> {
        let (mut stack, mut seen) = (vec![root], Set::default());
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            match graph.node(id) {
                node @ (Node::Sum { .. } | Node::Product(_)) => {
                    node.for_each_child(|child| stack.push(child));
                }
                Node::Number(_) => {}
                Node::Call(Function::Sin | Function::Cos, arguments) => {
                    let angle = arguments[0];
                    self.angle(graph, angle);
                }
                _ => _ = self.letter(id),
            }
        }
        let mut nodes: Vec<ExprId> = seen.into_iter().collect_vec();
        sort(&mut nodes);
        nodes
    }

    /// Adds the sine and cosine of an angle as a pair, even if only one occurs.
    fn angle(&mut self, graph: &mut Graph, angle: ExprId) {
        let sine = graph.call(Function::Sin, &[angle]);
        let cosine = graph.call(Function::Cos, &[angle]);
        let pair = (self.letter(cosine), self.letter(sine));
        if !self.angles.contains(&pair) {
            self.angles.push(pair);
        }
    }

    fn letter(&mut self, id: ExprId) -> usize {
        let known = self.letters.iter().position(|&letter| letter == id);
        known.unwrap_or_else(|| {
            self.letters.push(id);
            self.letters.len() - 1
        })
    }

    /// The fraction of a node, from those of its operands.
    fn fraction(&self, graph: &Graph, id: ExprId) -> Option<Fraction> {
        if let Some(letter) = self.letters.iter().position(|&letter| letter == id) {
            return Some(whole(self.power(letter, 1)));
        }
        match graph.node(id) {
            Node::Number(value) => Some(whole(self.constant(*value))),
            Node::Sum { constant, terms } => {
                let mut total = whole(self.constant(*constant));
                for (term, coefficient) in terms {
                    let mut term = self.known.get(term)?.clone();
                    term.numerator = term.numerator.scaled(*coefficient);
                    total = self.add(&total, &term)?;
                }
                Some(total)
            }
            Node::Product(factors) => {
                let mut total = whole(self.constant(Number::ONE));
                for (base, exponent) in factors {
                    let base = if exponent.is_negative() {
                        self.reciprocal(self.known.get(base)?)?
                    } else {
                        self.known.get(base)?.clone()
                    };
                    if exponent.unsigned_abs() >= MAX_EXPONENT.into() {
                        return None;
                    }
                    for _ in 0..exponent.unsigned_abs() {
                        total = self.multiply(&total, &base)?;
                    }
                }
                Some(total)
            }
            _ => None,
        }
    }
}

fn whole(numerator: Polynomial) -> Fraction {
    Fraction {
        numerator,
        divisors: Vec::new(),
    }
}

// ---- arithmetic of fractions --------------------------------------------------------------------

impl Ring {
    fn add(&self, a: &Fraction, b: &Fraction) -> Option<Fraction> {
        let mut divisors = a.divisors.clone();
        for (divisor, exponent) in &b.divisors {
            match divisors.iter_mut().find(|(known, _)| known == divisor) {
                Some((_, known)) => *known = (*known).max(*exponent),
                None => divisors.push((divisor.clone(), *exponent)),
            }
        }
        let left = self.over(a, &divisors)?;
        let right = self.over(b, &divisors)?;
        self.reduced(left.plus(&right)?, divisors)
    }

    /// The numerator of a fraction brought to larger divisors.
    fn over(&self, fraction: &Fraction, divisors: &[(Polynomial, u8)]) -> Option<Polynomial> {
        let mut numerator = fraction.numerator.clone();
        for (divisor, exponent) in divisors {
            let own = fraction.divisors.iter().find(|(known, _)| known == divisor);
            for _ in own.map_or(0, |(_, e)| *e)..*exponent {
                numerator = self.times(&numerator, divisor)?;
            }
        }
        Some(numerator)
    }

    fn multiply(&self, a: &Fraction, b: &Fraction) -> Option<Fraction> {
        let mut divisors = a.divisors.clone();
        for (divisor, exponent) in &b.divisors {
            match divisors.iter_mut().find(|(known, _)| known == divisor) {
                Some((_, known)) => *known = known.checked_add(*exponent)?,
                None => divisors.push((divisor.clone(), *exponent)),
            }
        }
        self.reduced(self.times(&a.numerator, &b.numerator)?, divisors)
    }

    /// The numerator's letters and the rest of the numerator become divisors.
    fn reciprocal(&self, fraction: &Fraction) -> Option<Fraction> {
        let (content, shared, rest) = fraction.numerator.split()?;
        let mut divisors = Vec::new();
        for (letter, &exponent) in shared.iter().enumerate().filter(|(_, e)| **e > 0) {
            divisors.push((self.power(letter, 1), exponent));
        }
        if rest.0.len() > 1 {
            divisors.push((rest, 1));
        }
        let mut numerator = self.constant(content.recip());
        for (divisor, exponent) in &fraction.divisors {
            for _ in 0..*exponent {
                numerator = self.times(&numerator, divisor)?;
            }
        }
        self.reduced(numerator, divisors)
    }

    /// Divides as often as possible without remainder.
    fn reduced(
        &self,
        mut numerator: Polynomial,
        divisors: Vec<(Polynomial, u8)>,
    ) -> Option<Fraction> {
        let mut left = Vec::new();
        for (divisor, mut exponent) in divisors {
            while exponent > 0
                && let Some(quotient) = self.quotient(&numerator, &divisor)
            {
                numerator = quotient;
                exponent -= 1;
            }
            if exponent > 0 {
                left.push((divisor, exponent));
            }
        }
        Some(Fraction {
            numerator,
            divisors: left,
        })
    }
}

// ---- arithmetic of polynomials ------------------------------------------------------------------

impl Ring {
    fn constant(&self, value: Number) -> Polynomial {
        Polynomial::term(vec![0; self.letters.len()], value)
    }

    fn power(&self, letter: usize, exponent: u8) -> Polynomial {
        let mut monomial = vec![0; self.letters.len()];
        monomial[letter] = exponent;
        Polynomial::term(monomial, Number::ONE)
    }

    /// a b, with each cos² replaced by 1 − sin².
    fn times(&self, a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
        let mut product = Polynomial::default();
        for (left, x) in &a.0 {
            for (right, y) in &b.0 {
                let exponents = left.iter().zip(right);
                let monomial =
                    exponents.map(|(l, r)| l.checked_add(*r).filter(|e| *e < MAX_EXPONENT));
                product.insert(monomial.collect::<Option<_>>()?, *x * *y);
            }
        }
        self.without_squared_cosines(product)
    }

    fn without_squared_cosines(&self, mut polynomial: Polynomial) -> Option<Polynomial> {
        for &(cosine, sine) in &self.angles {
            let squared = |of: &Polynomial| of.0.keys().find(|it| it[cosine] >= 2).cloned();
            while let Some(monomial) = squared(&polynomial) {
                let coefficient = polynomial.0.remove(&monomial)?;
                let mut lower = monomial;
                lower[cosine] -= 2;
                polynomial.insert(lower.clone(), coefficient);
                lower[sine] += 2;
                polynomial.insert(lower, -coefficient);
            }
        }
        polynomial.checked()
    }

    /// a/b if the remainder is zero.
    fn quotient(&self, a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
        let (lead, leading) = b.0.last_key_value()?;
        let (mut rest, mut quotient) = (a.clone(), Polynomial::default());
        // Each step eliminates the greatest monomial, but reduction of cosines may add new ones.
        for _ in 0..MAX_TERMS {
            let Some((most, coefficient)) = rest.0.last_key_value() else {
                return Some(quotient);
            };
            let exponents = most.iter().zip(lead);
            let monomial: Option<Monomial> = exponents.map(|(m, l)| m.checked_sub(*l)).collect();
            let term = Polynomial::term(monomial?, *coefficient * leading.recip());
            let taken = self.times(&term, b)?.scaled(Number::MINUS_ONE);
            rest = rest.plus(&taken)?;
            quotient = quotient.plus(&term)?;
        }
        None
    }
}

impl Polynomial {
    fn term(monomial: Monomial, coefficient: Number) -> Polynomial {
        let mut polynomial = Polynomial::default();
        polynomial.insert(monomial, coefficient);
        polynomial
    }

    fn insert(&mut self, monomial: Monomial, coefficient: Number) {
        let total = match self.0.get(&monomial) {
            Some(known) => *known + coefficient,
            None => coefficient,
        };
        if total.is_zero() {
            self.0.remove(&monomial)
        } else {
            self.0.insert(monomial, total)
        };
    }

    fn plus(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut sum = self.clone();
        for (monomial, coefficient) in &other.0 {
            sum.insert(monomial.clone(), *coefficient);
        }
        sum.checked()
    }

    fn scaled(&self, factor: Number) -> Polynomial {
        let terms = self.0.iter().map(|(m, c)| (m.clone(), *c * factor));
        Polynomial(terms.filter(|(_, c)| !c.is_zero()).collect())
    }

    /// The polynomial, unless it has grown too large.
    fn checked(self) -> Option<Polynomial> {
        let finite = self.0.values().all(|c| c.fits());
        (finite && self.0.len() <= MAX_TERMS).then_some(self)
    }

    /// Numeric content (negative if all terms are), shared letters, and the rest; `None` for zero.
    fn split(&self) -> Option<(Number, Monomial, Polynomial)> {
        let (first, _) = self.0.first_key_value()?;
        let content = rational_content(self.0.values().copied());
        let mut content = content
            .filter(|c| !c.is_zero())
            .unwrap_or(Number::ONE)
            .abs();
        if self.0.values().all(|coefficient| coefficient.is_negative()) {
            content = -content;
        }
        let mut shared = first.clone();
        for monomial in self.0.keys() {
            for (shared, exponent) in shared.iter_mut().zip(monomial) {
                *shared = (*shared).min(*exponent);
            }
        }
        let without = |m: &Monomial| m.iter().zip(&shared).map(|(e, s)| e - s).collect_vec();
        let rest = self
            .0
            .iter()
            .map(|(m, c)| (without(m), *c * content.recip()));
        Some((content, shared.clone(), Polynomial(rest.collect())))
    }
}

// ---- writing ------------------------------------------------------------------------------------

impl Ring {
    fn write(&self, graph: &mut Graph, fraction: &Fraction) -> ExprId {
        let Some((content, shared, rest)) = fraction.numerator.split() else {
            return graph.zero();
        };
        let mut factors = self.letters_of(&shared);
        factors.push((self.write_polynomial(graph, &rest), 1));
        for (divisor, exponent) in &fraction.divisors {
            let divisor = self.write_polynomial(graph, divisor);
            factors.push((divisor, -i32::from(*exponent)));
        }
        let product = graph.product(&factors);
        graph.scale(product, content)
    }

    fn write_polynomial(&self, graph: &mut Graph, polynomial: &Polynomial) -> ExprId {
        let mut constant = Number::ZERO;
        let mut terms = Vec::new();
        for (monomial, &coefficient) in &polynomial.0 {
            if monomial.iter().all(|e| *e == 0) {
                constant = coefficient;
                continue;
            }
            terms.push((graph.product(&self.letters_of(monomial)), coefficient));
        }
        let sum = graph.sum(&terms);
        graph.offset(sum, constant)
    }

    fn letters_of(&self, monomial: &Monomial) -> Vec<(ExprId, i32)> {
        let letters = self.letters.iter().zip(monomial);
        let present = letters.filter(|(_, e)| **e > 0);
        present
            .map(|(&letter, &e)| (letter, e.into()))
            .collect_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::SymbolId;

    fn letters() -> (Graph, [ExprId; 3]) {
        let mut graph = Graph::new();
        let ids = [0, 1, 2].map(|i| graph.symbol(SymbolId::new(i)));
        (graph, ids)
    }

    #[test]
    fn sine_and_cosine_squared_make_one() {
        let (mut g, [a, s, _]) = letters();
        let (sine, cosine) = (g.call(Function::Sin, &[s]), g.call(Function::Cos, &[s]));
        let (x, y) = (g.mul(a, sine), g.mul(a, cosine));
        let (x2, y2) = (g.powi(x, 2), g.powi(y, 2));
        let sum = g.add(x2, y2);
        assert_eq!(g.as_fraction(sum), Some(g.powi(a, 2)));
    }

    /// (1 − s⁴)/(1 + s²)² = (1 − s²)/(1 + s²)
    #[test]
    fn divisors_cancel() {
        let (mut g, [_, s, _]) = letters();
        let one = Number::ONE;
        let (s2, s4) = (g.powi(s, 2), g.powi(s, 4));
        let above = g.sum(&[(s4, Number::MINUS_ONE)]);
        let above = g.offset(above, one);
        let below = g.offset(s2, one);
        let fraction = g.product(&[(above, 1), (below, -2)]);
        let reduced = g.neg(s2);
        let reduced = g.offset(reduced, one);
        assert_eq!(g.as_fraction(fraction), Some(g.div(reduced, below)));
    }

    #[test]
    fn what_is_no_fraction_or_too_large_is_left_alone() {
        let (mut g, [a, b, c]) = letters();
        let condition = g.compare(crate::expr::Comparison::Lt, a, b);
        let choice = g.select(condition, a, c);
        // A choice is a letter.
        assert_eq!(g.as_fraction(choice), Some(choice));
        let sum = g.sum(&[(a, Number::ONE), (b, Number::ONE), (c, Number::ONE)]);
        let power = g.powi(sum, 12);
        assert_eq!(g.as_fraction(power), None);
    }
}
