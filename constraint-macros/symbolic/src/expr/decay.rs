//! What decays because an exponential below it grows: slopes in which nothing overflows before the value is 0.
//!
//! The slope of 1/u, u = c + k eʷ, is −k eʷ/u² ẇ, whose square leaves the range of floats where u is but halfway there. Of
//! p = u̇/(u ẇ) = k/(k + c e⁻ʷ), which lies between 0 and 1, it is −p/u ẇ, and ṗ is another product of this kind. The same
//! holds for any power of u, for e to multiples of w, and for the hyperbolic cosine, where p = k tanh w/(k + c/cosh w).

use super::function::Function;
use super::graph::{ExprId, Graph, Node};
use super::number::Number;
use super::slope::Slope;

impl Graph {
    /// The argument and the slope of factor i, where it decays, and faster than the exponential in it grows in another.
    pub(crate) fn decay(
        &mut self,
        factors: &[(ExprId, i32)],
        i: usize,
    ) -> Option<(ExprId, ExprId)> {
        let (base, exponent) = factors[i];
        if exponent >= 0 || !self.grows(base) {
            return None;
        }
        let own = match self.node(base) {
            Node::Sum { terms, .. } => self.exponential(terms[0].0),
            // sinh w grows like cosh w.
            Node::Call(Function::Cosh, of) => {
                let sine = self.known(&Node::Call(Function::Sinh, of.clone()));
                sine.map(|sine| (sine, 1))
            }
            _ => None,
        };
        let outgrown = own.is_some_and(|(exponential, s)| {
            let mut above = factors.iter();
            above.any(|&(it, e)| it == exponential && e >= s.saturating_mul(-exponent))
        });
        if outgrown {
            return None;
        }
        let power = self.powi(base, exponent);
        self.slope(power, |_| true)
    }

    /// Remembers the slope of baseᵉ, where it is such a power.
    pub(super) fn remember_decay(&mut self, power: ExprId, base: ExprId, exponent: i32) {
        if exponent >= 0 || !self.grows(base) || self.slopes.contains_key(&power) {
            return;
        }
        let (inner, factor) = match *self.node(base) {
            Node::Call(Function::Sqrt, ref radicand) => {
                (radicand[0], Number::ratio(exponent.into(), 2))
            }
            _ => (base, Number::integer(exponent.into())),
        };
        let Some(argument) = self.grown(inner) else {
            return;
        };
        // The slope of what p is made of has this power in it.
        let slope = |slope| Slope {
            argument,
            slope,
            others: Vec::new(),
        };
        self.set_slope(power, slope(power));
        let rate = self.relative_slope(inner, argument);
        let rate = self.scale(rate, factor);
        let known = slope(self.mul(power, rate));
        self.set_slope(power, known);
    }

    /// Whether a sum is that of a number and a multiple of an exponential, a hyperbolic cosine, or the root of one.
    fn grows(&self, base: ExprId) -> bool {
        match self.node(base) {
            Node::Call(Function::Sqrt, radicand) => match self.node(radicand[0]) {
                Node::Call(Function::Sqrt, _) => false,
                _ => self.grows(radicand[0]),
            },
            Node::Call(Function::Cosh, _) => true,
            Node::Sum { constant, terms } => match terms[..] {
                // With opposite signs there is a pole, and digits cancel beside it.
                [(term, k)] => {
                    let alike = !constant.is_zero() && constant.is_negative() == k.is_negative();
                    let cosine = matches!(self.node(term), Node::Call(Function::Cosh, _));
                    alike && (cosine || self.exponential(term).is_some())
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// w and s of (eʷ)ˢ.
    fn exponential(&self, term: ExprId) -> Option<(ExprId, i32)> {
        match self.node(term) {
            Node::Call(Function::Exp, _) => Some((term, 1)),
            Node::Product(factors) => match factors[..] {
                [(base, s)] if matches!(self.node(base), Node::Call(Function::Exp, _)) => {
                    Some((base, s))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// w
    fn grown(&self, u: ExprId) -> Option<ExprId> {
        let grown = match self.node(u) {
            Node::Sum { terms, .. } => {
                let term = terms.first()?.0;
                self.exponential(term).map_or(term, |it| it.0)
            }
            _ => u,
        };
        match self.node(grown) {
            Node::Call(_, arguments) => arguments.first().copied(),
            _ => None,
        }
    }

    /// u̇/(u ẇ)
    fn relative_slope(&mut self, u: ExprId, argument: ExprId) -> ExprId {
        let (constant, term, k) = match *self.node(u) {
            Node::Sum {
                constant,
                ref terms,
            } => (constant, terms[0].0, terms[0].1),
            _ => (Number::ZERO, u, Number::ONE),
        };
        let (base, s) = self.exponential(term).unwrap_or((term, 1));
        let inverse = self.powi(base, -s);
        let rest = self.scale(inverse, constant);
        let below = self.offset(rest, k);
        let part = self.recip(below);
        let part = self.scale(part, k * Number::integer(s.into()));
        match *self.node(base) {
            Node::Call(Function::Cosh, _) => {
                let tangent = self.call(Function::Tanh, &[argument]);
                self.mul(tangent, part)
            }
            _ => part,
        }
    }
}
