//! Two-operand form: hash-consed values, signs pulled to the outside, powers as multiplications,
//! divisors shared.

use std::collections::BTreeSet;

use super::common_products::{self, Factor, Pairs, Powers};
use super::constant_factors::{self, Distribution};
use super::flattening::Flattened;
use super::{Guard, Op, OperationCount, Root, SEARCH_LIMIT, ValueId, factor};
use crate::expr::{ExprId, Function, Graph, Map, Node, Number, Set};

/// Values without an order of execution yet.
#[derive(Debug, Default)]
pub struct Values {
    pub ops: Vec<Op>,
    ids: Map<Op, ValueId>,
    pub roots: Vec<ValueRoot>,
    pub names: Vec<(ValueId, String)>,
    /// The values the roots need, each once, operands first, in the order they are asked for.
    pub order: Vec<ValueId>,
    /// Whether a value is among them.
    pub needed: Vec<bool>,
    /// What computing the roots costs.
    pub count: OperationCount,
}

/// A root, as values.
#[derive(Clone, Copy, Debug)]
pub enum ValueRoot {
    Output(ValueId),
    Early(ValueId),
    Guard(Guard<ValueId>),
}

impl ValueRoot {
    pub fn values(self) -> impl Iterator<Item = ValueId> {
        let (plain, guard) = match self {
            ValueRoot::Output(output) | ValueRoot::Early(output) => (Some(output), None),
            ValueRoot::Guard(guard) => (None, Some(guard)),
        };
        plain
            .into_iter()
            .chain(guard.into_iter().flat_map(Guard::values))
    }
}

/// A value with a sign that its user may absorb.
#[derive(Clone, Copy)]
struct Signed {
    negative: bool,
    value: ValueId,
}

impl Signed {
    fn in_a_word(self) -> u32 {
        2 * self.value.0 + u32::from(self.negative)
    }
}

/// What the roots are made of, lowered with products as they stand.
pub struct Form<'a> {
    pub values: Values,
    found: Found<'a>,
    roots: &'a [Root],
    names: &'a [(ExprId, String)],
}

impl<'a> Form<'a> {
    pub fn new(
        flattened: &'a Flattened<'a>,
        roots: &'a [Root],
        names: &'a [(ExprId, String)],
    ) -> Form<'a> {
        let found = Found {
            divisors: Divisors::find(flattened.source, &flattened.nodes),
            distribution: constant_factors::distribute(flattened, roots),
            squares: squares_over_divisors(flattened, roots),
            factors: factors_alone(flattened),
            flattened,
        };
        Form {
            values: found.lower(roots, names, None),
            found,
            roots,
            names,
        }
    }

    /// The same by what the products share, if they share anything: with products written out in the one product that
    /// they serve, or in all.
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

    /// All forms we know, the plain one first.
    pub fn all(self) -> Vec<Values> {
        if self.found.flattened.operands() > SEARCH_LIMIT {
            return vec![self.values];
        }
        let factored = factor::factor(self.found.flattened, self.roots, self.names);
        let mut forms = self.both();
        if let Some(it) = factored {
            let flattened = Flattened::new(&it.graph, &it.roots, &it.names);
            forms.extend(Form::new(&flattened, &it.roots, &it.names).both());
        }
        forms
    }

    /// Either.
    fn both(self) -> Vec<Values> {
        let shared = self.shared();
        [self.values].into_iter().chain(shared).collect()
    }

    /// The one that costs less.
    pub fn cheaper(self) -> Values {
        let cheaper = |values: &Values| values.weight() < self.values.weight();
        self.shared().filter(cheaper).unwrap_or(self.values)
    }
}

/// Of expressions with more operands than this, no products are written out in several: longer lists take longer.
const OPENING_LIMIT: usize = 10_000;

/// The expressions, and what has been found out about them.
struct Found<'a> {
    divisors: Divisors,
    distribution: Distribution,
    /// Products b²/u that are multiplied as b (b/u), by the product: b.
    squares: Map<ExprId, ExprId>,
    /// Products that serve products, and nothing else, and are not written out in any case; with their factors.
    factors: Map<ExprId, &'a [(ExprId, i32)]>,
    flattened: &'a Flattened<'a>,
}

/// Which products are written out in those that they are factors of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opening {
    /// Those that serve one product.
    Only,
    /// Those of several, too, and those with divisors: what they share is found again, and more beside it.
    All,
}

impl Found<'_> {
    fn lower(
        &self,
        roots: &[Root],
        names: &[(ExprId, String)],
        pairs: Option<(&Pairs, Opening)>,
    ) -> Values {
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

    /// The products to be multiplied, with products within products written out.
    fn products(&self, opening: Opening) -> Vec<Powers> {
        let (mut products, mut within) = (Vec::new(), Set::default());
        for &id in self.flattened.nodes.iter().rev() {
            let Node::Product(factors) = self.flattened.source.node(id) else {
                continue;
            };
            let (powers, below) =
                self.taken_apart(factors, opening, |inner| _ = within.insert(inner));
            let written_out = within.contains(&id);
            let factors = [Some(powers).filter(|_| !written_out), Some(below)];
            products.extend(factors.into_iter().flatten().filter(|it| !it.is_empty()));
        }
        products.sort_unstable();
        products.dedup();
        products
    }

    /// Whether a product is better multiplied before its divisor is there: the square in a pivot d − l² (1/d′) is known
    /// while 1/d′ is waited for, l (1/d′) is not.
    fn waits(&self, factors: &[(ExprId, i32)]) -> bool {
        let leaf = |id| matches!(self.flattened.source.node(id), Node::Symbol(_));
        let computed = factors.iter().any(|&(base, e)| e < 0 && !leaf(base));
        computed && factors.iter().any(|&(_, e)| e > 1)
    }

    /// Whether a factor is one of those products that serve several, or that have divisors whose reciprocals are there.
    fn opens_also(&self, factor: ExprId, exponent: i32, reciprocals: bool) -> bool {
        let Some(factors) = self.factors.get(&factor).filter(|_| exponent == 1) else {
            return false;
        };
        let below = divisor_of(factors);
        let inverted = reciprocals && self.divisors.has_reciprocals(&below);
        below.is_empty()
            || (inverted && !self.waits(factors) && !self.squares.contains_key(&factor))
    }

    /// What a product multiplies, products within it opened, with the reciprocals of its divisors where they
    /// exist; and else the divisors, made positive.
    fn taken_apart(
        &self,
        factors: &[(ExprId, i32)],
        opening: Opening,
        mut opened: impl FnMut(ExprId),
    ) -> (Powers, Powers) {
        let below = divisor_of(factors);
        let reciprocals = self.divisors.has_reciprocals(&below) && !self.waits(factors);
        let mut powers = Powers::new();
        let mut stack: Vec<_> = factors.iter().rev().copied().collect();
        while let Some((base, exponent)) = stack.pop() {
            match self.flattened.source.node(base) {
                Node::Product(inner)
                    if (self.flattened.opens_factor(base, exponent)
                        || (opening == Opening::All
                            && self.opens_also(base, exponent, reciprocals)))
                        && !self.distribution.scales(base) =>
                {
                    opened(base);
                    stack.extend(inner.iter().rev());
                }
                _ if exponent > 0 || reciprocals => powers.push((base, exponent)),
                _ => {}
            }
        }
        powers.sort_unstable();
        let below = if reciprocals { Powers::new() } else { below };
        (powers, below)
    }
}

/// Which divisors are worth a reciprocal: those of two or more quotients.
struct Divisors {
    shared: Set<Vec<(ExprId, i32)>>,
    /// Bases whose reciprocal is there.
    bases: BTreeSet<ExprId>,
}

impl Divisors {
    /// Whether there are reciprocals of all bases of a divisor.
    fn has_reciprocals(&self, divisor: &Powers) -> bool {
        divisor.iter().all(|(base, _)| self.bases.contains(base))
    }

    fn find(graph: &Graph, reachable: &[ExprId]) -> Divisors {
        let mut counts: Map<Vec<(ExprId, i32)>, u32> = Map::default();
        let mut base_counts: Map<ExprId, u32> = Map::default();
        for &id in reachable {
            let Node::Product(factors) = graph.node(id) else {
                continue;
            };
            let divisor = divisor_of(factors);
            if let [(base, _)] = divisor[..] {
                *base_counts.entry(base).or_default() += 1;
            }
            if !divisor.is_empty() {
                *counts.entry(divisor).or_default() += 1;
            }
        }
        let bases = base_counts
            .into_iter()
            .filter(|&(_, n)| n > 1)
            .map(|(base, _)| base)
            .collect();
        let shared = counts
            .into_iter()
            .filter(|&(_, n)| n > 1)
            .map(|(divisor, _)| divisor)
            .collect();
        Divisors { shared, bases }
    }
}

/// Products b²/u of sums b and u, as (d·v)²/(d·d) of a norm: of the size of v·v, but b² is a fourth power, which leaves
/// the range of floats where squares do not.
///
/// Left as they are: squares that others share, squares in pivots, and divisors that are waited for (see
/// [`Found::waits`]).
fn squares_over_divisors(flattened: &Flattened<'_>, roots: &[Root]) -> Map<ExprId, ExprId> {
    let graph = flattened.source;
    let is_sum = |id: ExprId| matches!(graph.node(id), Node::Sum { .. });
    let mut found = Map::default();
    let mut uses: Map<ExprId, u32> = Map::default();
    for &id in &flattened.nodes {
        let Node::Product(factors) = graph.node(id) else {
            continue;
        };
        let by_sums = factors.iter().all(|&(base, e)| e > 0 || is_sum(base));
        let divided = by_sums && factors.iter().any(|&(_, e)| e < 0);
        for &(base, e) in factors.iter().filter(|&&(base, e)| e > 1 && is_sum(base)) {
            *uses.entry(base).or_default() += 1;
            if divided && e == 2 {
                found.insert(id, base);
            }
        }
    }
    if found.is_empty() {
        return found;
    }
    let pivots = roots.iter().filter_map(|root| match root {
        Root::Guard(guard) => Some(graph.terms(guard.pivot)),
        _ => None,
    });
    pivots
        .flatten()
        .for_each(|(term, _)| _ = found.remove(&term));
    let divides = dividing(flattened);
    found.retain(|id, base| {
        let Node::Product(factors) = graph.node(*id) else {
            return false;
        };
        let early = |&(base, e): &(ExprId, i32)| e > 0 || !divides[base.index()];
        uses.get(base) == Some(&1) && factors.iter().all(early)
    });
    found
}

/// Products that are factors of products, and nothing else; those that are written out in any case left out.
fn factors_alone<'a>(flattened: &Flattened<'a>) -> Map<ExprId, &'a [(ExprId, i32)]> {
    let graph = flattened.source;
    let mut uses: Map<ExprId, u32> = Map::default();
    for &id in &flattened.nodes {
        if let Node::Product(factors) = graph.node(id) {
            let is_product = |base| matches!(graph.node(base), Node::Product(_));
            let once = factors
                .iter()
                .filter(|&&(base, e)| e == 1 && is_product(base));
            once.for_each(|(base, _)| *uses.entry(*base).or_default() += 1);
        }
    }
    let alone = |(id, uses): (ExprId, u32)| match graph.node(id) {
        Node::Product(factors)
            if uses == flattened.uses[id.index()]
                && !flattened.is_named(id)
                && !flattened.opens_factor(id, 1) =>
        {
            Some((id, &factors[..]))
        }
        _ => None,
    };
    uses.into_iter().filter_map(alone).collect()
}

/// Whether an expression holds a quotient, by [index](ExprId::index).
fn dividing(flattened: &Flattened<'_>) -> Vec<bool> {
    let mut divides = vec![false; flattened.source.len()];
    for &id in &flattened.nodes {
        let node = flattened.source.node(id);
        let mut within = match node {
            Node::Product(factors) => factors.iter().any(|&(_, e)| e < 0),
            _ => false,
        };
        node.for_each_child(|child| within |= divides[child.index()]);
        divides[id.index()] = within;
    }
    divides
}

/// The factors with negative exponents, made positive.
fn divisor_of(factors: &[(ExprId, i32)]) -> Vec<(ExprId, i32)> {
    factors
        .iter()
        .filter(|(_, e)| *e < 0)
        .map(|&(base, e)| (base, -e))
        .collect()
}

struct Lowering<'a> {
    values: Values,
    /// By expression, each [in a word](Signed::in_a_word): a graph has many more than a program needs, and words are
    /// zeroed all at once.
    signed: Vec<u32>,
    /// Products whose operands have been scaled, scaled.
    scaled: Map<ExprId, ValueId>,
    pairs: Option<(&'a Pairs, Opening)>,
    pair_values: Vec<Option<ValueId>>,
    found: &'a Found<'a>,
}

impl Values {
    fn with_capacity(capacity: usize) -> Values {
        Values {
            ops: Vec::with_capacity(capacity),
            ids: Map::with_capacity_and_hasher(capacity, Default::default()),
            ..Values::default()
        }
    }

    /// A rough time of all of it.
    pub fn weight(&self) -> u32 {
        self.count.weight()
    }

    /// The same without the outputs of which `left_out` says so.
    pub fn weight_without(&self, left_out: &[bool]) -> u32 {
        if !left_out.contains(&true) {
            return self.weight();
        }
        let outputs = self
            .roots
            .iter()
            .filter(|it| matches!(it, ValueRoot::Output(_)));
        let kept = outputs.zip(left_out).filter(|(_, left_out)| !**left_out);
        let (order, needed) = self.order_of(kept.map(|(root, _)| root));
        self.counted(&order, &needed).weight()
    }

    pub fn intern(&mut self, op: Op) -> ValueId {
        let next = ValueId(self.ops.len() as u32);
        *self.ids.entry(op).or_insert_with_key(|op| {
            self.ops.push(op.clone());
            next
        })
    }

    /// What the roots need, operands first, and whether a value is among it.
    fn order_of<'r>(
        &self,
        roots: impl Iterator<Item = &'r ValueRoot>,
    ) -> (Vec<ValueId>, Vec<bool>) {
        let (mut order, mut needed) = (Vec::new(), vec![false; self.ops.len()]);
        for root in roots.flat_map(|root| root.values()) {
            let mut stack = vec![(root, false)];
            while let Some((id, ready)) = stack.pop() {
                if ready {
                    order.push(id);
                } else if !std::mem::replace(&mut needed[id.index()], true) {
                    stack.push((id, true));
                    let first = stack.len();
                    self.ops[id.index()].for_each_operand(|operand| stack.push((operand, false)));
                    // Most operations have one operand or none.
                    if stack.len() > first + 1 {
                        stack[first..].reverse();
                    }
                }
            }
        }
        (order, needed)
    }

    /// Leaves out what is early and, in this form, no part of another root.
    fn retain_parts(&mut self) {
        let early = |root: &ValueRoot| matches!(root, ValueRoot::Early(_));
        if self.roots.iter().any(early) {
            let (_, needed) = self.order_of(self.roots.iter().filter(|root| !early(root)));
            let is_part = |root: &ValueRoot| root.values().all(|id| needed[id.index()]);
            self.roots.retain(|root| !early(root) || is_part(root));
        }
    }

    /// What computing the values in `order` costs, which are those that are `needed`.
    fn counted(&self, order: &[ValueId], needed: &[bool]) -> OperationCount {
        let mut count = OperationCount::default();
        for &id in order {
            match &self.ops[id.index()] {
                Op::Add(..) => count.add += 1,
                Op::Sub(..) => count.sub += 1,
                Op::Mul(..) => count.mul += 1,
                Op::Div(..) | Op::Recip(_) => count.div += 1,
                Op::Call(Function::Sqrt, _) => count.sqrt += 1,
                Op::Call(Function::Abs | Function::Signum | Function::Min | Function::Max, _) => {}
                // The cosine is counted with its sine.
                Op::Call(Function::Cos, _) if self.sine_among(id, needed).is_some() => {}
                Op::Call(..) => count.call += 1,
                _ => {}
            }
        }
        count
    }

    /// The sine of the angle whose cosine `id` is, if the roots need it.
    pub fn sine_of(&self, id: ValueId) -> Option<ValueId> {
        self.sine_among(id, &self.needed)
    }

    fn sine_among(&self, id: ValueId, needed: &[bool]) -> Option<ValueId> {
        let Op::Call(Function::Cos, angle) = &self.ops[id.index()] else {
            return None;
        };
        let sine = self.ids.get(&Op::Call(Function::Sin, angle.clone()));
        sine.copied().filter(|sine| needed[sine.index()])
    }
}

impl Lowering<'_> {
    fn finish(mut self, roots: &[Root], names: &[(ExprId, String)]) -> Values {
        for root in roots {
            let root = match *root {
                Root::Output(output) => ValueRoot::Output(self.expression(output)),
                // Its users see to its sign.
                Root::Early(part) => ValueRoot::Early(self.signed(part).value),
                Root::Guard(guard) => ValueRoot::Guard(guard.map(|id| self.expression(id))),
            };
            self.values.roots.push(root);
        }
        for (id, name) in names {
            if let Some(value) = self.named_value(*id) {
                self.values.names.push((value, name.clone()));
            }
        }
        self.values.retain_parts();
        (self.values.order, self.values.needed) = self.values.order_of(self.values.roots.iter());
        self.values.count = self.values.counted(&self.values.order, &self.values.needed);
        self.values
    }

    /// What an expression was lowered to.
    fn signed(&self, id: ExprId) -> Signed {
        let word = self.signed[id.index()];
        Signed {
            negative: word % 2 == 1,
            value: ValueId(word / 2),
        }
    }

    fn expression(&mut self, id: ExprId) -> ValueId {
        self.plain(self.signed(id))
    }

    /// The value with its sign carried out.
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

    /// The value a name stands for, where that value is computed.
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

    /// Two branches of one sign share it.
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

    /// Positive terms first, then the negative ones subtracted; all negative, the sign goes outside.
    fn sum(&mut self, graph: &Graph, constant: Number, terms: &[(ExprId, Number)]) -> Signed {
        // Products before single leaves, as one writes a polynomial.
        let leaf = |term: &&(ExprId, Number)| matches!(graph.node(term.0), Node::Symbol(_));
        let (leaves, others) = (terms.iter().filter(leaf), terms.iter().filter(|t| !leaf(t)));
        let ordered = others.chain(leaves);
        let mut parts: Vec<Signed> = ordered.map(|&(term, c)| self.scaled(term, c)).collect();
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
                (above.collect(), divisor_of(factors))
            }
            Some((_, opening)) => self.found.taken_apart(factors, opening, |_| {}),
        };
        let mut value = match self.found.squares.get(&id) {
            Some(&base) => self.square_over(base, above, &below),
            None => self.fraction(&above, &below),
        };
        if let Some(carried) = self.found.distribution.carried_by(id) {
            self.scaled.insert(id, value);
            value = self.times(carried.recip(), value);
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
        // The base may stand there once more, out of a product that was opened.
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

    /// The product of powers; the bases' signs are dealt with elsewhere.
    fn multiply(&mut self, factors: &Powers) -> Option<ValueId> {
        let shared = self.pairs.and_then(|(pairs, _)| pairs.of(factors));
        let powers: Vec<(Factor, u32)> = match shared {
            Some(list) => common_products::counted(list).collect(),
            None => {
                let powers = factors.iter();
                let powers = powers.map(|&it| (Factor::of(it), it.1.unsigned_abs()));
                powers.collect()
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

    /// The base, times the number it carries for all its products.
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

    /// 1/divisor where several quotients want it, from the reciprocals of the bases where they exist.
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
        if !self.found.divisors.shared.contains(divisor) {
            return None;
        }
        let divisor = self.multiply(divisor)?;
        Some(self.values.intern(Op::Recip(divisor)))
    }
}
