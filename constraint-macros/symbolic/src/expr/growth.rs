//! Quotients of growing exponentials, rewritten such that no part overflows unless the whole does.
//!
//! The derivative of 1/u, u = 1 + eʷ, is −eʷ/u², whose square overflows when u is only halfway there. With
//! n = ⌊max(w, 0)⌋ and û = e⁻ⁿ + eʷ⁻ⁿ, u = eⁿ û, and û is of order 1 for every w: 1/u = e⁻ⁿ/û. A step function has no
//! slope, so derivatives of e⁻ⁿ/û by the ordinary rules are exact, and they are quotients by û too. In general, each factor of a
//! quotient is split into m eᴱ: E = w for eʷ, n of its largest term for a sum, p E for a power with the exponent p; exponents
//! are added before any exponential is evaluated.
//!
//! Where u grows, tanh u gets the slope 4 e⁻²|ᵘ|/(1 + e⁻²|ᵘ|)² instead of 1 − tanh² u, whose exponent cannot be added to those
//! of other factors.

use crate::expr::{CollectVec, MapEach, SortedSet, sort};

use super::function::Function;
use super::graph::{ExprId, Graph, Node};
use super::map::{Map, Set};
use super::number::Number;
use super::slope::Slope;

/// An exponent that overflows regardless of its summands.
const BEYOND: i128 = 1 << 60;

/// Cached facts about the growth of a graph's nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Growth {
    /// Whether the graph has an exponential at all.
    pub any: bool,
    /// Rewritten nodes.
    bounded: Map<ExprId, ExprId>,
    sizes: Map<ExprId, Size>,
    /// m and E of nodes m eᴱ.
    scaled: Map<ExprId, (ExprId, ExprId)>,
    /// The exponentials in sums such as û, at most e.
    parts: Set<ExprId>,
    /// These sums.
    sums: Set<ExprId>,
}

/// Ranges that a value may leave because of its exponentials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Size {
    /// None.
    Moderate,
    /// It may become too small.
    Small,
    /// It may become too large or too small.
    Any,
}

impl Size {
    /// The size of a power.
    fn to_the(self, is_negative: bool) -> Size {
        match self {
            Size::Small if is_negative => Size::Any,
            size => size,
        }
    }
}

/// Whether a function grows like an exponential in both directions.
fn is_hyperbolic(node: &Node) -> bool {
    matches!(node, Node::Call(Function::Cosh | Function::Sinh, _))
}

impl Graph {
    /// Whether at least two terms grow like exponentials, as in eˣ + 2 y eᶻ; includes the hyperbolic cosine, and roots
    /// of such sums.
    pub(crate) fn is_sum_of_exponentials(&self, mut id: ExprId) -> bool {
        while let Node::Call(Function::Sqrt, radicand) = self.node(id) {
            id = radicand[0];
        }
        let exponential = |id: ExprId| matches!(self.node(id), Node::Call(Function::Exp, _));
        let grows = |term: ExprId| match self.node(term) {
            Node::Product(factors) => factors.iter().any(|&(base, _)| exponential(base)),
            _ => exponential(term),
        };
        match self.node(id) {
            Node::Sum { terms, .. } => terms.iter().filter(|it| grows(it.0)).count() > 1,
            Node::Call(Function::Cosh, _) => true,
            _ => false,
        }
    }

    /// The same value, rewritten such that quotients and products of exponentials overflow only if their value does.
    pub(crate) fn bounded(&mut self, root: ExprId) -> ExprId {
        if !self.growth.any {
            return root;
        }
        for id in self.not_yet_bounded(root) {
            let rewritten = self.rewritten(id);
            self.growth.bounded.insert(id, rewritten);
            self.growth.bounded.insert(rewritten, rewritten);
        }
        self.growth.bounded[&root]
    }

    /// The unprocessed nodes below the root, children first.
    fn not_yet_bounded(&self, root: ExprId) -> SortedSet<ExprId> {
        let (mut open, mut found) = (vec![root], SortedSet::new());
        while let Some(id) = open.pop() {
            if !self.growth.bounded.contains_key(&id) && found.insert(id) {
                self.node(id).for_each_child(|child| open.push(child));
            }
        }
        found
    }

    fn rewritten(&mut self, id: ExprId) -> ExprId {
        let node = self.node(id).clone();
        let known = std::mem::take(&mut self.growth.bounded);
        let mut changed = false;
        node.for_each_child(|child| changed |= known[&child] != child);
        let rebuilt = if changed {
            self.rebuild(&node, &known)
        } else {
            id
        };
        self.growth.bounded = known;
        self.note_saturation(rebuilt);
        let (coefficient, rest) = self.split_coefficient(rebuilt);
        if !self.overflows_early(rest) {
            return rebuilt;
        }
        let rest = self.divided_by_numerator(rest);
        let (mantissa, exponent) = self.scaled(rest);
        let power = self.call(Function::Exp, &[exponent]);
        let whole = self.mul(mantissa, power);
        self.scale(whole, coefficient)
    }

    /// Records slopes of tanh u and eᵘ − 1 for growing u.
    fn note_saturation(&mut self, id: ExprId) {
        let Node::Call(function @ (Function::Tanh | Function::ExpM1), ref of) = *self.node(id)
        else {
            return;
        };
        let argument = of[0];
        if self.size(argument) != Size::Any {
            return;
        }
        if function == Function::ExpM1 {
            let slope = self.call(Function::Exp, &[argument]);
            return self.note_slope(id, argument, slope);
        }
        let [twice, opposite] = [2, -2].map_each(|it| self.scale(argument, Number::integer(it)));
        let exponent = self.call(Function::Min, &[twice, opposite]);
        let power = self.call(Function::Exp, &[exponent]);
        let sum = self.offset(power, Number::ONE);
        let part = self.product(&[(power, 1), (sum, -2)]);
        let bend = self.mul(id, part);
        let bend = self.scale(bend, Number::integer(-2));
        self.note_slope(part, argument, bend);
        let slope = self.scale(part, Number::integer(4));
        self.note_slope(id, argument, slope);
    }

    /// Records f′(u) of a node f(u).
    fn note_slope(&mut self, value: ExprId, argument: ExprId, slope: ExprId) {
        let others = Vec::new();
        self.set_slope(
            value,
            Slope {
                argument,
                slope,
                others,
            },
        );
    }

    /// The base and the exponent of a root or of a power with a fractional exponent.
    fn as_power(&self, function: Function, arguments: &[ExprId]) -> Option<(ExprId, Number)> {
        match (function, arguments) {
            (Function::Sqrt, &[base]) => Some((base, Number::ratio(1, 2))),
            (Function::Cbrt, &[base]) => Some((base, Number::ratio(1, 3))),
            (Function::Powf, &[base, exponent]) => Some((base, self.as_number(exponent)?)),
            _ => None,
        }
    }

    /// Whether a factor of a product, or the base of a power, may overflow although the whole does not.
    fn overflows_early(&mut self, id: ExprId) -> bool {
        let factors = match self.node(id) {
            Node::Product(factors) => factors.clone(),
            Node::Call(function, of) => {
                let power = self.as_power(*function, of);
                return power.is_some_and(|(base, _)| self.size(base) != Size::Moderate);
            }
            _ => return false,
        };
        let (mut growing, mut any, mut small) = (0, false, false);
        for &(base, exponent) in &factors {
            let size = self.size(base);
            if size == Size::Moderate {
                continue;
            }
            let is_exponential = matches!(self.node(base), Node::Call(Function::Exp, _));
            if exponent < 0 && !is_exponential {
                return true;
            }
            growing += 1;
            any |= size == Size::Any || exponent < 0;
            small |= !is_hyperbolic(self.node(base));
        }
        growing > 1 && any && small
    }

    /// The size of a node, after the sizes of all nodes below it.
    fn size(&mut self, root: ExprId) -> Size {
        let (mut open, mut found) = (vec![root], SortedSet::new());
        while let Some(id) = open.pop() {
            if !self.growth.sizes.contains_key(&id) && found.insert(id) {
                self.node(id).for_each_child(|child| open.push(child));
            }
        }
        for id in found {
            let size = self.size_of(id);
            self.growth.sizes.insert(id, size);
        }
        self.growth.sizes[&root]
    }

    fn size_of(&mut self, id: ExprId) -> Size {
        let sizes = &self.growth.sizes;
        match *self.node(id) {
            Node::Call(Function::Exp, ref arguments) => {
                let exponent = arguments[0];
                if self.growth.parts.contains(&id) || self.is_never_positive(exponent) {
                    Size::Small
                } else {
                    Size::Any
                }
            }
            Node::Call(Function::Cosh | Function::Sinh, _) => Size::Any,
            Node::Call(function, ref arguments) => match self.as_power(function, arguments) {
                Some((base, exponent)) => sizes[&base].to_the(exponent.is_negative()),
                None => Size::Moderate,
            },
            Node::Select {
                then, otherwise, ..
            } => sizes[&then].max(sizes[&otherwise]),
            Node::Sum {
                constant,
                ref terms,
            } if !self.growth.sums.contains(&id) => {
                let of = |size| move |it: &(ExprId, Number)| sizes[&it.0] == size;
                if terms.iter().any(of(Size::Any)) {
                    Size::Any
                } else if constant.is_zero() && terms.iter().all(of(Size::Small)) {
                    Size::Small
                } else {
                    Size::Moderate
                }
            }
            Node::Product(ref factors) => {
                let of = |&(base, e): &(ExprId, i32)| sizes[&base].to_the(e < 0);
                let mut all = factors.iter().map(of);
                if all.clone().any(|it| it == Size::Any) {
                    Size::Any
                } else if all.any(|it| it == Size::Small) {
                    Size::Small
                } else {
                    Size::Moderate
                }
            }
            _ => Size::Moderate,
        }
    }

    /// Whether an exponent has a form that is never positive: −u², or the minimum of u and −u.
    fn is_never_positive(&mut self, exponent: ExprId) -> bool {
        if let Node::Call(Function::Min, of) = self.node(exponent) {
            let (a, b) = (of[0], of[1]);
            return self.neg(a) == b;
        }
        let opposite = self.neg(exponent);
        self.is_not_negative(opposite)
    }

    /// eʷ/(c + eʷ) as 1/(c e⁻ʷ + 1), whose derivatives do not subtract nearly equal numbers.
    fn divided_by_numerator(&mut self, product: ExprId) -> ExprId {
        let Node::Product(factors) = self.node(product).clone() else {
            return product;
        };
        let mut above = Vec::new();
        for &(base, power) in factors.iter().filter(|it| it.1 > 0) {
            if let Node::Call(Function::Exp, of) = self.node(base) {
                above.push((of[0], Number::integer(power.into())));
            }
        }
        let all = self.sum(&above);
        let exponents = above.iter().map(|it| it.0).chain([all]);
        for exponent in exponents.collect_vec() {
            for &(base, _) in factors.iter().filter(|it| it.1 < 0) {
                if let Some(divided) = self.divided(base, exponent) {
                    let opposite = self.neg(exponent);
                    let power = self.call(Function::Exp, &[opposite]);
                    return self.product(&[(product, 1), (power, 1), (base, 1), (divided, -1)]);
                }
            }
        }
        product
    }

    /// A sum divided by e to one of its exponents.
    fn divided(&mut self, sum: ExprId, by: ExprId) -> Option<ExprId> {
        let Node::Sum { constant, terms } = self.node(sum).clone() else {
            return None;
        };
        if self.size(sum) == Size::Moderate {
            return None;
        }
        let zero = self.zero();
        let mut parts = vec![(self.number(Number::ONE), zero, constant)];
        for &(term, coefficient) in &terms {
            let (mantissa, exponent) = self.scaled(term);
            parts.push((mantissa, exponent, coefficient));
        }
        if !parts.iter().any(|it| it.1 == by) || by == zero {
            return None;
        }
        let parts = parts.iter().map(|&(mantissa, exponent, coefficient)| {
            let rest = self.sub(exponent, by);
            let power = self.call(Function::Exp, &[rest]);
            (self.mul(mantissa, power), coefficient)
        });
        let parts: Vec<(ExprId, Number)> = parts.collect_vec();
        Some(self.sum(&parts))
    }

    /// m and E of a node, after those of all nodes below it.
    fn scaled(&mut self, root: ExprId) -> (ExprId, ExprId) {
        let (mut open, mut found) = (vec![root], SortedSet::new());
        while let Some(id) = open.pop() {
            if self.size(id) == Size::Moderate || self.growth.scaled.contains_key(&id) {
                continue;
            }
            if found.insert(id)
                && !matches!(
                    self.node(id),
                    Node::Call(Function::Exp | Function::Cosh | Function::Sinh, _)
                )
            {
                self.node(id).for_each_child(|child| open.push(child));
            }
        }
        for id in found {
            let scaled = self.scaled_of(id);
            self.growth.scaled.insert(id, scaled);
        }
        self.scale_of(root)
    }

    /// m and E of a node for which they are known, or which does not grow.
    fn scale_of(&mut self, id: ExprId) -> (ExprId, ExprId) {
        let zero = self.zero();
        self.growth.scaled.get(&id).copied().unwrap_or((id, zero))
    }

    fn scaled_of(&mut self, id: ExprId) -> (ExprId, ExprId) {
        let one = self.number(Number::ONE);
        match self.node(id).clone() {
            Node::Call(Function::Exp, of) => (one, of[0]),
            Node::Call(function @ (Function::Cosh | Function::Sinh), of) => {
                self.scaled_hyperbolic(function, of[0])
            }
            Node::Call(function, mut of) => {
                let Some((base, power)) = self.as_power(function, &of) else {
                    return (id, self.zero());
                };
                let (mantissa, exponent) = self.scale_of(base);
                of[0] = mantissa;
                (self.call(function, &of), self.scale(exponent, power))
            }
            Node::Select {
                condition,
                then,
                otherwise,
            } => {
                let (a, b) = (self.scale_of(then), self.scale_of(otherwise));
                (
                    self.select(condition, a.0, b.0),
                    self.select(condition, a.1, b.1),
                )
            }
            Node::Product(factors) => {
                let (mut mantissas, mut exponents) = (Vec::new(), Vec::new());
                for (base, power) in factors {
                    let (mantissa, exponent) = self.scale_of(base);
                    mantissas.push((mantissa, power));
                    exponents.push((exponent, Number::integer(power.into())));
                }
                (self.product(&mantissas), self.sum(&exponents))
            }
            Node::Sum { constant, terms } => self.scaled_sum(constant, &terms),
            _ => (id, self.zero()),
        }
    }

    /// Σ cᵢ mᵢ eᴱⁱ = (Σ cᵢ mᵢ eᴱⁱ⁻ⁿ) eⁿ, where n is the whole part of the largest Eᵢ.
    fn scaled_sum(&mut self, constant: Number, terms: &[(ExprId, Number)]) -> (ExprId, ExprId) {
        let (one, zero) = (self.number(Number::ONE), self.zero());
        let mut scaled = Vec::new();
        if !constant.is_zero() {
            scaled.push((one, zero, constant));
        }
        for &(term, coefficient) in terms {
            let (mantissa, exponent) = self.scale_of(term);
            scaled.push((mantissa, exponent, coefficient));
        }
        let mut exponents: Vec<ExprId> = scaled.iter().map(|it| it.1).collect_vec();
        sort(&mut exponents);
        exponents.dedup();
        let n = match exponents[..] {
            [only] => only,
            _ => self.whole_part_of_largest(&exponents),
        };
        let parts = scaled.iter().map(|&(mantissa, exponent, coefficient)| {
            let power = self.part(exponent, n);
            (self.mul(mantissa, power), coefficient)
        });
        let parts: Vec<(ExprId, Number)> = parts.collect_vec();
        let sum = self.sum(&parts);
        let (_, bare) = self.split_coefficient(sum);
        self.growth.sums.insert(bare);
        self.growth.sizes.remove(&bare);
        (sum, n)
    }

    /// n, limited to ±[`BEYOND`] if exponents may be infinite, because ∞ − ∞ is NaN.
    fn whole_part_of_largest(&mut self, exponents: &[ExprId]) -> ExprId {
        let mut largest = exponents[0];
        for &exponent in &exponents[1..] {
            largest = self.call(Function::Max, &[exponent, largest]);
        }
        if exponents.iter().any(|&it| self.size(it) != Size::Moderate) {
            let [most, least] = [BEYOND, -BEYOND].map_each(|it| self.number(Number::integer(it)));
            largest = self.call(Function::Min, &[largest, most]);
            largest = self.call(Function::Max, &[largest, least]);
        }
        self.call(Function::Floor, &[largest])
    }

    /// e to the exponent minus n, where the difference is below 1.
    fn part(&mut self, exponent: ExprId, n: ExprId) -> ExprId {
        let mut rest = self.sub(exponent, n);
        let may_be_infinite = self.size(exponent) != Size::Moderate;
        if may_be_infinite {
            let one = self.number(Number::ONE);
            rest = self.call(Function::Min, &[rest, one]);
        }
        let power = self.call(Function::Exp, &[rest]);
        self.growth.parts.insert(power);
        self.growth.sizes.remove(&power);
        if may_be_infinite {
            self.note_slope(power, exponent, power);
        }
        power
    }

    /// cosh w = ½ (eʷ⁻ⁿ + e⁻ʷ⁻ⁿ) eⁿ with n = ⌊|w|⌋, and sinh w = tanh w cosh w, which stays precise near 0.
    fn scaled_hyperbolic(&mut self, function: Function, w: ExprId) -> (ExprId, ExprId) {
        let opposite = self.neg(w);
        let n = self.whole_part_of_largest(&[w, opposite]);
        let parts = [w, opposite].map_each(|it| (self.part(it, n), Number::ratio(1, 2)));
        let cosine = self.sum(&parts);
        let (_, bare) = self.split_coefficient(cosine);
        self.growth.sums.insert(bare);
        let tangent = self.call(Function::Tanh, &[w]);
        let slope = self.mul(tangent, bare);
        self.note_slope(bare, w, slope);
        match function {
            Function::Sinh => (self.mul(tangent, cosine), n),
            _ => (cosine, n),
        }
    }
}
