//! Signs of values that hold for all values of the leaves.

use super::map::Map;
use crate::expr::CollectVec;

use super::function::Function;
use super::graph::{ExprId, Graph, Node};
use super::number::Number;

/// A lower bound on a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Bound {
    Unknown,
    NonNegative,
    Positive,
}

use Bound::{NonNegative, Positive, Unknown};

impl Graph {
    /// Whether `root` is positive for all finite real leaves (wherever it is defined).
    pub fn is_positive(&self, root: ExprId) -> bool {
        self.bound_of(root) == Positive
    }

    /// Whether `root` is at least 0 for all finite real leaves.
    pub fn is_not_negative(&self, root: ExprId) -> bool {
        self.bound_of(root) != Unknown
    }

    fn bound_of(&self, root: ExprId) -> Bound {
        let mut bounds: Map<ExprId, Bound> = Map::default();
        for id in self.reachable([root]) {
            let bound = self.bound(id, &bounds);
            bounds.insert(id, bound);
        }
        bounds[&root]
    }

    /// Whether a value is 0 on one side of a sign change, as max(0, u) is for u ≤ 0: it has no slope there.
    pub fn vanishes_on_one_side(&self, root: ExprId) -> bool {
        let (_, root) = self.split_coefficient(root);
        let vanishes = |id: ExprId| self.is_zero(id) || self.vanishes_on_one_side(id);
        match self.node(root) {
            Node::Call(Function::Min | Function::Max, arguments) => {
                arguments.iter().any(|&it| vanishes(it))
            }
            Node::Select {
                then, otherwise, ..
            } => vanishes(*then) || vanishes(*otherwise),
            // The row may hold where another factor is 0.
            Node::Product(factors) => {
                let mut others = factors.iter().filter(|(base, _)| !self.is_positive(*base));
                match (others.next(), others.next()) {
                    (Some(&(base, exponent)), None) => {
                        exponent > 0 && self.vanishes_on_one_side(base)
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// Whether a value is 0 only at its minimum or maximum, as squares, norms, sums of them and 1 − cos x are: there it has
    /// no slope, or a corner. `varies` returns whether a part depends on the coordinates; factors that do not are treated as
    /// numbers.
    pub fn vanishes_at_its_extreme(&self, root: ExprId, varies: impl Fn(ExprId) -> bool) -> bool {
        let (_, root) = self.split_coefficient(root);
        match self.node(root) {
            Node::Sum { constant, terms } => {
                let is_negative = terms[0].1.is_negative();
                let mut all = terms.iter();
                if !constant.is_zero() {
                    return self.is_extreme_of_waves(*constant, terms);
                }
                all.all(|&(term, coefficient)| {
                    coefficient.is_negative() == is_negative && self.bound_of(term) == NonNegative
                })
            }
            Node::Product(factors) => {
                let moving = factors.iter().filter(|(base, _)| varies(*base));
                let mut vanishes = false;
                for &(base, exponent) in moving {
                    match self.bound_of(base) {
                        Unknown if exponent % 2 != 0 => return false,
                        Positive => {}
                        _ => vanishes |= exponent > 0,
                    }
                }
                vanishes
            }
            _ => self.bound_of(root) == NonNegative,
        }
    }

    /// Whether a number is the sum of the amplitudes of sines and cosines, as in cos a + cos b − 2.
    fn is_extreme_of_waves(&self, number: Number, terms: &[(ExprId, Number)]) -> bool {
        let is_wave = |term| {
            matches!(
                self.node(term),
                Node::Call(Function::Sin | Function::Cos, _)
            )
        };
        let amplitudes = terms.iter().map(|it| it.1.abs());
        terms.iter().all(|it| is_wave(it.0))
            && amplitudes.fold(Number::ZERO, |sum, it| sum + it) == number.abs()
    }

    /// The expression without its factors that are seen to be positive, which has its sign.
    pub fn without_positive_factors(&mut self, id: ExprId) -> ExprId {
        let (coefficient, rest) = self.split_coefficient(id);
        let Node::Product(factors) = self.node(rest).clone() else {
            return if coefficient.is_negative() { id } else { rest };
        };
        let unknown = factors.iter().copied();
        let unknown: Vec<_> = unknown
            .filter(|&(base, _)| !self.is_positive(base))
            .collect_vec();
        let rest = self.product(&unknown);
        if coefficient.is_negative() {
            self.neg(rest)
        } else {
            rest
        }
    }

    fn bound(&self, id: ExprId, bounds: &Map<ExprId, Bound>) -> Bound {
        match self.node(id) {
            Node::Number(value) => of_number(*value),
            Node::Sum { constant, terms } => {
                let bound_of = |&(term, c): &(ExprId, Number)| {
                    if c.is_negative() {
                        Unknown
                    } else {
                        bounds[&term]
                    }
                };
                let all = terms.iter().map(bound_of).chain([of_number(*constant)]);
                let least = all.clone().min().unwrap_or(Unknown);
                let most = all.max().unwrap_or(Unknown);
                if least == Unknown { Unknown } else { most }
            }
            Node::Product(factors) => {
                let bound_of = |&(base, e): &(ExprId, i32)| match bounds[&base] {
                    Unknown if e % 2 == 0 => NonNegative,
                    bound => bound,
                };
                factors.iter().map(bound_of).min().unwrap_or(Unknown)
            }
            Node::Whole(a) => bounds[a],
            Node::Call(Function::Exp | Function::Cosh, _) => Positive,
            Node::Call(Function::Abs | Function::Hypot, _) => NonNegative,
            Node::Call(Function::Sqrt, arguments) => bounds[&arguments[0]].max(NonNegative),
            Node::Select {
                then, otherwise, ..
            } => bounds[then].min(bounds[otherwise]),
            _ => Unknown,
        }
    }
}

fn of_number(value: Number) -> Bound {
    match (value.is_negative(), value.is_zero()) {
        (false, false) if value.is_finite() => Positive,
        (false, true) => NonNegative,
        _ => Unknown,
    }
}
