//! Two-operand form: signs pulled to the outside, powers as multiplications,
//! divisors shared.

use super::common_products::{self, Factor, Pairs, Powers};
use super::flattening::Flattened;
use super::products::{Found, Opening, divisor_of};
use super::values::Values;
use super::{Names, Op, Root, SEARCH_LIMIT, Signed, ValueId, factor};
use crate::expr::{CollectVec, ExprId, Graph, Map, Node, Number, PushEach};

impl Signed {
    /// Never 0, which marks expressions that are not lowered.
    fn in_a_word(self) -> u32 {
        2 * self.value.0 + u32::from(self.negative) + 1
    }
}

/// The expressions below the roots, lowered with products as written.
pub struct Form<'a> {
    pub values: Values,
    found: Found<'a>,
    roots: &'a [Root],
    names: Names<'a>,
}

impl<'a> Form<'a> {
    pub fn new(flattened: &'a Flattened<'a>, roots: &'a [Root], names: Names<'a>) -> Form<'a> {
        let found = Found::new(flattened, roots);
        Form {
            values: found.lower(roots, names, None),
            found,
            roots,
            names,
        }
    }

    /// Values with common pairs of products extracted, if there are any: with products expanded in the one product that
    /// they serve, or in all of them.
    fn shared(&self) -> Option<Values> {
        let is_short = self.found.flattened.operands() <= OPENING_LIMIT;
        let all = Some(Opening::All).filter(|_| is_short && !self.found.factors.is_empty());
        let openings = [Some(Opening::Only), all].into_iter().flatten();
        let shared = openings.filter_map(|opening| {
            let pairs = Pairs::find(self.found.products(opening))?;
            Some(
                self.found
                    .lower(self.roots, self.names, Some((&pairs, opening))),
            )
        });
        shared.min_by_key(Values::weight)
    }

    /// All known forms, the plain one first.
    pub fn all(self) -> Vec<Values> {
        if self.found.flattened.operands() > SEARCH_LIMIT {
            return vec![self.values];
        }
        let factored = factor::factor(self.found.flattened, self.roots, self.names);
        let mut forms = self.both();
        if let Some(it) = factored {
            let flattened = Flattened::new(&it.graph, &it.roots, it.names());
            forms.push_each(Form::new(&flattened, &it.roots, it.names()).both());
        }
        forms
    }

    /// Both forms.
    fn both(self) -> Vec<Values> {
        let shared = self.shared();
        [self.values].into_iter().chain(shared).collect_vec()
    }

    /// The cheaper form.
    pub fn cheaper(self) -> Values {
        let cheaper = |values: &Values| values.weight() < self.values.weight();
        self.shared().filter(cheaper).unwrap_or(self.values)
    }
}

/// Above this number of operands, products with several uses are not expanded, because the search takes too long.
const OPENING_LIMIT: usize = 10_000;

impl Found<'_> {
    fn lower(&self, roots: &[Root], names: Names<'_>, pairs: Option<(&Pairs, Opening)>) -> Values {
        let graph = self.flattened.source;
        let mut lowering = Lowering {
            values: Values::with_capacity(2 * self.flattened.nodes.len()),
            signed: vec![0; graph.len()],
            scaled: Map::default(),
            pair_values: vec![None; pairs.map_or(0, |it| it.0.pairs.len())],
            pairs,
            found: self,
        };
        for &id in &self.flattened.nodes {
            let mut signed = lowering.node(graph, id);
            if signed.negative && self.flattened.is_named(id) {
                signed = Signed {
                    negative: false,
                    value: lowering.plain(signed),
                };
            }
            lowering.signed[id.index()] = signed.in_a_word();
        }
        lowering.finish(roots, names)
    }
}

struct Lowering<'a> {
    values: Values,
    /// By expression, each [in a word](Signed::in_a_word): a graph has many more expressions than a program needs, and
    /// words are zeroed at once.
    signed: Vec<u32>,
    /// Scaled values of the products whose operands are scaled.
    scaled: Map<ExprId, ValueId>,
    pairs: Option<(&'a Pairs, Opening)>,
    pair_values: Vec<Option<ValueId>>,
    found: &'a Found<'a>,
}

impl Lowering<'_> {
    fn finish(mut self, roots: &[Root], names: Names<'_>) -> Values {
        for root in roots {
            let root = match *root {
                Root::Output(output) => Root::Output(self.expression(output)),
                // Users of the value apply its sign.
                Root::Early(part) => Root::Early(self.signed(part).value),
                Root::Guard(guard) => Root::Guard(guard.map(|id| self.expression(id))),
            };
            self.values.roots.push(root);
        }
        for (id, name) in names.own {
            if let Some(value) = self.named_value(*id) {
                self.values.names.push((value, name.clone()));
            }
        }
        for &(id, meaning) in names.meanings {
            // Most programs need few of the named expressions.
            if self.signed[id.index()] != 0 && self.is_unscaled(id) {
                self.values.meanings.push((self.signed(id), meaning));
            }
        }
        self.values.retain_parts();
        (self.values.order, self.values.needed) = self.values.order_of(self.values.roots.iter());
        self.values.count = self.values.counted(&self.values.order, &self.values.needed);
        self.values
    }

    /// The lowered value of an expression.
    fn signed(&self, id: ExprId) -> Signed {
        let word = self.signed[id.index()] - 1;
        Signed {
            negative: word % 2 == 1,
            value: ValueId(word / 2),
        }
    }

    fn expression(&mut self, id: ExprId) -> ValueId {
        self.plain(self.signed(id))
    }

    /// The value with its sign applied.
    fn plain(&mut self, signed: Signed) -> ValueId {
        if !signed.negative {
            return signed.value;
        }
        match self.values.ops[signed.value.index()] {
            Op::Sub(a, b) => self.values.intern(Op::Sub(b, a)),
            Op::Number(number) => self.number(-number),
            _ => self.values.intern(Op::Neg(signed.value)),
        }
    }

    /// The value that a name refers to, if the program computes it.
    fn named_value(&mut self, id: ExprId) -> Option<ValueId> {
        if !self.found.flattened.is_needed(id) {
            return None;
        }
        let signed = self.signed(id);
        let (coefficient, rest) = self.found.flattened.source.split_coefficient(id);
        if self.found.distribution.scales.get(&rest) == Some(&coefficient)
            && !self.signed(rest).negative
        {
            return Some(self.scaled_factor(rest));
        }
        (!signed.negative).then_some(signed.value)
    }

    /// True unless the value of the expression is a multiple that its products require.
    fn is_unscaled(&self, id: ExprId) -> bool {
        let absorbed = &self.found.distribution.absorbed;
        absorbed.is_empty() || !absorbed.contains_key(&id)
    }

    fn number(&mut self, number: Number) -> ValueId {
        self.values.intern(Op::Number(number))
    }

    fn node(&mut self, graph: &Graph, id: ExprId) -> Signed {
        let op = match graph.node(id) {
            Node::Number(number) if number.is_negative() => {
                return Signed {
                    negative: true,
                    value: self.number(-*number),
                };
            }
            Node::Sum { constant, terms } => {
                let (mut constant, mut terms) = self.found.flattened.sums(*constant, terms);
                if let Some(&scale) = self.found.distribution.absorbed.get(&id) {
                    constant = constant * scale;
                    terms.iter_mut().for_each(|term| term.1 = term.1 * scale);
                }
                return self.sum(graph, constant, &terms);
            }
            Node::Product(factors) => return self.product(id, factors),
            Node::Whole(a) => return self.whole(graph, *a),
            Node::Number(number) => Op::Number(*number),
            Node::Symbol(symbol) => Op::Input(*symbol),
            Node::Boolean(value) => Op::Boolean(*value),
            Node::Call(function, arguments) => Op::Call(
                *function,
                arguments.iter().map(|&a| self.expression(a)).collect(),
            ),
            Node::Select {
                condition,
                then,
                otherwise,
            } => {
                return self.select(*condition, *then, *otherwise);
            }
            Node::Compare(comparison, a, b) => {
                Op::Compare(*comparison, self.expression(*a), self.expression(*b))
            }
            Node::And(a, b) => Op::And(self.expression(*a), self.expression(*b)),
            Node::Or(a, b) => Op::Or(self.expression(*a), self.expression(*b)),
            Node::Not(a) => Op::Not(self.expression(*a)),
        };
        Signed {
            negative: false,
            value: self.values.intern(op),
        }
    }

    /// Two branches of one sign share the sign.
    fn select(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> Signed {
        let condition = self.expression(condition);
        let (a, b) = (self.signed(then), self.signed(otherwise));
        let negative = a.negative && b.negative;
        let (then, otherwise) = if negative {
            (a.value, b.value)
        } else {
            (self.plain(a), self.plain(b))
        };
        Signed {
            negative,
            value: self.values.intern(Op::Select(condition, then, otherwise)),
        }
    }

    /// Positive terms first, then the negative ones subtracted; if all are negative, the sign moves outside.
    fn sum(&mut self, graph: &Graph, constant: Number, terms: &[(ExprId, Number)]) -> Signed {
        // Products before single leaves, as in handwritten polynomials.
        let leaf = |term: &&(ExprId, Number)| matches!(graph.node(term.0), Node::Symbol(_));
        let (leaves, others) = (terms.iter().filter(leaf), terms.iter().filter(|t| !leaf(t)));
        let ordered = others.chain(leaves);
        let mut parts: Vec<Signed> = ordered.map(|&(term, c)| self.scaled(term, c)).collect_vec();
        if !constant.is_zero() {
            let value = self.number(constant.abs());
            parts.push(Signed {
                negative: constant.is_negative(),
                value,
            });
        }
        let negative = parts.iter().all(|part| part.negative);
        let mut total: Option<ValueId> = None;
        for part in parts.iter().filter(|part| part.negative == negative) {
            total = Some(match total {
                None => part.value,
                Some(total) => self.values.intern(Op::Add(total, part.value)),
            });
        }
        let mut total = total.unwrap_or_else(|| self.number(Number::ZERO));
        for part in parts.iter().filter(|part| part.negative != negative) {
            total = self.values.intern(Op::Sub(total, part.value));
        }
        Signed {
            negative,
            value: total,
        }
    }

    fn scaled(&mut self, term: ExprId, coefficient: Number) -> Signed {
        let signed = self.signed(term);
        let negative = signed.negative != coefficient.is_negative();
        let size = self.found.distribution.left_of(coefficient.abs(), term);
        let value = self.scaled.get(&term).copied().unwrap_or(signed.value);
        let value = self.times(size, value);
        Signed { negative, value }
    }

    /// A number times a reciprocal is one division.
    fn whole(&mut self, graph: &Graph, id: ExprId) -> Signed {
        let (coefficient, rest) = graph.split_coefficient(id);
        match graph.node(rest) {
            Node::Product(factors) if factors[..].iter().all(|&(_, e)| e < 0) => {
                let divisor = divisor_of(factors);
                if coefficient.abs().is_one() || self.shared_reciprocal(&divisor).is_some() {
                    return self.signed(id);
                }
                let numerator = self.number(coefficient.abs());
                Signed {
                    negative: self.signed(id).negative,
                    value: self.quotient(Some(numerator), &divisor),
                }
            }
            _ => self.signed(id),
        }
    }

    fn times(&mut self, number: Number, value: ValueId) -> ValueId {
        if number.is_one() {
            return value;
        }
        let number = self.number(number);
        self.values.intern(Op::Mul(number, value))
    }

    fn product(&mut self, id: ExprId, factors: &[(ExprId, i32)]) -> Signed {
        let odd = |&&(id, e): &&(ExprId, i32)| e % 2 != 0 && self.signed(id).negative;
        let negative = factors.iter().filter(odd).count() % 2 == 1;
        let (above, below) = match self.pairs {
            None => {
                let above = factors.iter().copied().filter(|&(_, e)| e > 0);
                (above.collect_vec(), divisor_of(factors))
            }
            Some((_, opening)) => self.found.taken_apart(factors, opening, |_| {}),
        };
        let mut value = match self.found.squares.get(&id) {
            Some(&base) => self.square_over(base, above, &below),
            None => self.fraction(&above, &below),
        };
        if let Some(taken_over) = self.found.distribution.taken_over_by(id) {
            self.scaled.insert(id, value);
            value = self.times(taken_over.recip(), value);
        }
        Signed { negative, value }
    }

    fn fraction(&mut self, above: &Powers, below: &Powers) -> ValueId {
        match (self.multiply(above), below.is_empty()) {
            (Some(numerator), true) => numerator,
            (numerator, _) => self.quotient(numerator, below),
        }
    }

    /// b (b/u) for b²/u, then the other factors.
    fn square_over(&mut self, base: ExprId, mut above: Powers, below: &Powers) -> ValueId {
        // The base may occur once more, from an expanded product.
        if let Some(square) = above.iter().position(|&power| power == (base, 2)) {
            above.remove(square);
        }
        let once = self.scaled_factor(base);
        let part = self.quotient(Some(once), below);
        let square = self.values.intern(Op::Mul(part, once));
        match self.multiply(&above) {
            Some(others) => self.values.intern(Op::Mul(others, square)),
            None => square,
        }
    }

    /// The product of powers; the caller handles the signs of the bases.
    fn multiply(&mut self, factors: &Powers) -> Option<ValueId> {
        let shared = self.pairs.and_then(|(pairs, _)| pairs.of(factors));
        let powers: Vec<(Factor, u32)> = match shared {
            Some(list) => common_products::counted(list).collect_vec(),
            None => {
                let powers = factors.iter();
                let powers = powers.map(|&it| (Factor::of(it), it.1.unsigned_abs()));
                powers.collect_vec()
            }
        };
        let mut total = None;
        for (factor, exponent) in powers {
            let factor = self.factor(factor);
            let power = self.power(factor, exponent);
            total = Some(match total {
                None => power,
                Some(total) => self.values.intern(Op::Mul(total, power)),
            });
        }
        total
    }

    fn factor(&mut self, factor: Factor) -> ValueId {
        let pair = match factor {
            Factor::Base(base) => return self.scaled_factor(base),
            Factor::Reciprocal(base) => return self.reciprocal(base),
            Factor::Pair(pair) => pair as usize,
        };
        if let Some(value) = self.pair_values[pair] {
            return value;
        }
        let [a, b] = self.pairs.map_or([factor; 2], |it| it.0.pairs[pair]);
        let (a, b) = (self.factor(a), self.factor(b));
        let value = self.values.intern(Op::Mul(a, b));
        self.pair_values[pair] = Some(value);
        value
    }

    /// The base multiplied by its scale, if it has one.
    fn scaled_factor(&mut self, base: ExprId) -> ValueId {
        let value = self.signed(base).value;
        match self.found.distribution.scales.get(&base) {
            None => value,
            Some(&scale) => self.times(scale, value),
        }
    }

    /// baseⁿ, n ≥ 1, by squaring; every intermediate power can be shared.
    fn power(&mut self, base: ValueId, exponent: u32) -> ValueId {
        if exponent <= 1 {
            return base;
        }
        let half = self.power(base, exponent / 2);
        let square = self.values.intern(Op::Mul(half, half));
        if exponent.is_multiple_of(2) {
            square
        } else {
            self.values.intern(Op::Mul(square, base))
        }
    }

    fn quotient(&mut self, numerator: Option<ValueId>, divisor: &Powers) -> ValueId {
        if let Some(reciprocal) = self.shared_reciprocal(divisor) {
            return match numerator {
                None => reciprocal,
                Some(numerator) => self.values.intern(Op::Mul(numerator, reciprocal)),
            };
        }
        let divisor = match self.multiply(divisor) {
            Some(divisor) => divisor,
            None => self.number(Number::ONE),
        };
        match numerator {
            None => self.values.intern(Op::Recip(divisor)),
            Some(numerator) => self.values.intern(Op::Div(numerator, divisor)),
        }
    }

    fn reciprocal(&mut self, base: ExprId) -> ValueId {
        let base = self.signed(base).value;
        self.values.intern(Op::Recip(base))
    }

    /// 1/divisor if several quotients need it, from the reciprocals of the bases if these exist.
    fn shared_reciprocal(&mut self, divisor: &Powers) -> Option<ValueId> {
        if self.found.divisors.has_reciprocals(divisor) {
            let mut total = None;
            for &(base, exponent) in divisor {
                let reciprocal = self.reciprocal(base);
                let power = self.power(reciprocal, exponent.unsigned_abs());
                total = Some(match total {
                    None => power,
                    Some(total) => self.values.intern(Op::Mul(total, power)),
                });
            }
            return total;
        }
        if !self.found.divisors.shares(divisor) {
            return None;
        }
        let divisor = self.multiply(divisor)?;
        Some(self.values.intern(Op::Recip(divisor)))
    }
}
