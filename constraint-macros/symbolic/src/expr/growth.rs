//! Quotients of growing exponentials, written so that no part of them overflows before the whole does.
//!
//! The derivative of 1/u, u = 1 + eʷ, is −eʷ/u², whose square leaves the range of floats where u is but halfway there. With
//! n = ⌊max(w, 0)⌋ and û = e⁻ⁿ + eʷ⁻ⁿ, u = eⁿ û, and û has the size of 1 for every w: 1/u = e⁻ⁿ/û. A step function has no
//! slope, so derivatives of e⁻ⁿ/û by the ordinary rules are exact, and again quotients by û. In general, each factor of a
//! quotient is split into m eᴱ: E = w for eʷ, n of its largest term for a sum, E/2 for a root; exponents are added before any
//! exponential is evaluated.

use std::collections::BTreeSet;

use super::function::Function;
use super::graph::{ExprId, Graph, Node};
use super::hash::{Map, Set};
use super::number::Number;
use super::slope::Slope;

/// What is known of the growth of a graph's nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Growth {
    /// Whether the graph has an exponential at all.
    pub any: bool,
    /// Nodes, rewritten.
    bounded: Map<ExprId, ExprId>,
    sizes: Map<ExprId, Size>,
    /// m and E of a node m eᴱ.
    scaled: Map<ExprId, (ExprId, ExprId)>,
    /// The exponentials in sums such as û, at most e,
    parts: Set<ExprId>,
    /// and these sums.
    sums: Set<ExprId>,
}

/// Which floats a value may leave because of the exponentials in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    /// None.
    Moderate,
    /// It may become too small.
    Small,
    /// It may become too large or too small.
    Any,
}

/// Whether a function is one that grows like an exponential in both directions.
fn is_hyperbolic(node: &Node) -> bool {
    matches!(node, Node::Call(Function::Cosh | Function::Sinh, _))
}

impl Graph {
    /// The same value, in which quotients and products of exponentials overflow only where they do as a whole.
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

    /// The nodes below the root that have not been looked at, children first.
    fn not_yet_bounded(&self, root: ExprId) -> BTreeSet<ExprId> {
        let (mut open, mut found) = (vec![root], BTreeSet::new());
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

    /// Whether a part of a product, or the radicand of a root, may be beyond the floats where the whole is not.
    fn overflows_early(&mut self, id: ExprId) -> bool {
        let factors = match self.node(id) {
            Node::Product(factors) => factors.clone(),
            Node::Call(Function::Sqrt, of) => {
                let radicand = of[0];
                return self.size(radicand) != Size::Moderate;
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

    /// The size of a node, that of all below it first.
    fn size(&mut self, root: ExprId) -> Size {
        let (mut open, mut found) = (vec![root], BTreeSet::new());
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
            Node::Call(Function::Sqrt, ref radicand) => sizes[&radicand[0]],
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
                let of = |&(base, e): &(ExprId, i32)| match sizes[&base] {
                    Size::Small if e < 0 => Size::Any,
                    size => size,
                };
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

    /// Whether an exponent is seen to be 0 at most: −u², or the less of u and −u.
    fn is_never_positive(&mut self, exponent: ExprId) -> bool {
        if let Node::Call(Function::Min, of) = self.node(exponent) {
            let (a, b) = (of[0], of[1]);
            return self.neg(a) == b;
        }
        let opposite = self.neg(exponent);
        self.is_not_negative(opposite)
    }

    /// eʷ/(c + eʷ) as 1/(c e⁻ʷ + 1), whose derivatives are no differences of numbers that are nearly equal.
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
        for exponent in exponents.collect::<Vec<ExprId>>() {
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

    /// A sum over e to one of its own exponents.
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
        let parts: Vec<(ExprId, Number)> = parts.collect();
        Some(self.sum(&parts))
    }

    /// m and E of a node, those of all below it first.
    fn scaled(&mut self, root: ExprId) -> (ExprId, ExprId) {
        let (mut open, mut found) = (vec![root], BTreeSet::new());
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

    /// m and E of a node of which they are known, or which does not grow.
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
            Node::Call(_, of) => {
                let (mantissa, exponent) = self.scale_of(of[0]);
                let root = self.call(Function::Sqrt, &[mantissa]);
                (root, self.scale(exponent, Number::ratio(1, 2)))
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
        let mut exponents: Vec<ExprId> = scaled.iter().map(|it| it.1).collect();
        exponents.sort_unstable();
        exponents.dedup();
        let n = match exponents[..] {
            [only] => only,
            _ => self.whole_part_of_largest(&exponents),
        };
        let parts = scaled.iter().map(|&(mantissa, exponent, coefficient)| {
            let rest = self.sub(exponent, n);
            let power = self.part(rest);
            (self.mul(mantissa, power), coefficient)
        });
        let parts: Vec<(ExprId, Number)> = parts.collect();
        let sum = self.sum(&parts);
        let (_, bare) = self.split_coefficient(sum);
        self.growth.sums.insert(bare);
        self.growth.sizes.remove(&bare);
        (sum, n)
    }

    fn whole_part_of_largest(&mut self, exponents: &[ExprId]) -> ExprId {
        let mut largest = exponents[0];
        for &exponent in &exponents[1..] {
            largest = self.call(Function::Max, &[exponent, largest]);
        }
        self.call(Function::Floor, &[largest])
    }

    /// e to an exponent below 1.
    fn part(&mut self, exponent: ExprId) -> ExprId {
        let power = self.call(Function::Exp, &[exponent]);
        self.growth.parts.insert(power);
        self.growth.sizes.remove(&power);
        power
    }

    /// cosh w = ½ (eʷ⁻ⁿ + e⁻ʷ⁻ⁿ) eⁿ with n = ⌊|w|⌋, and sinh w = tanh w cosh w, which keeps its digits beside 0.
    fn scaled_hyperbolic(&mut self, function: Function, w: ExprId) -> (ExprId, ExprId) {
        let opposite = self.neg(w);
        let n = self.whole_part_of_largest(&[w, opposite]);
        let parts = [w, opposite].map(|it| {
            let rest = self.sub(it, n);
            (self.part(rest), Number::ratio(1, 2))
        });
        let cosine = self.sum(&parts);
        let (_, bare) = self.split_coefficient(cosine);
        self.growth.sums.insert(bare);
        let tangent = self.call(Function::Tanh, &[w]);
        let slope = self.mul(tangent, bare);
        self.set_slope(
            bare,
            Slope {
                argument: w,
                slope,
                others: Vec::new(),
            },
        );
        match function {
            Function::Sinh => (self.mul(tangent, cosine), n),
            _ => (cosine, n),
        }
    }
}
