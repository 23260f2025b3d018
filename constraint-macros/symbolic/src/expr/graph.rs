//! The arena of expressions: every scalar once, children before parents.
//!
//! Constructors keep a local normal form and nothing more:
//! - numbers are folded exactly; numeric factors stand in front of products, and those common to all
//!   terms of a sum in front of the sum;
//! - like terms and like factors are merged, x − x = 0, x/x = 1;
//! - a nested sum or product is opened only where that makes something cancel, never expanded.
//!
//! Invariant: a node's children have smaller ids, so ascending ids are a topological order.

use super::hash::Map;
use std::collections::BTreeMap;

use super::function::{Function, Parity};
use super::number::Number;

/// An expression of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(u32);

impl ExprId {
    /// Position in the arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A leaf of the graph; what it means is known to the model alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(u32);

impl SymbolId {
    /// The symbol number `index`.
    pub fn new(index: usize) -> SymbolId {
        SymbolId(index as u32)
    }

    /// Its number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An order relation between two scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // <, ≤, >, ≥, =
pub enum Comparison {
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
}

impl Comparison {
    /// Whether the relation holds.
    pub fn holds(self, a: f64, b: f64) -> bool {
        match self {
            Comparison::Lt => a < b,
            Comparison::Le => a <= b,
            Comparison::Gt => a > b,
            Comparison::Ge => a >= b,
            Comparison::Eq => a == b,
        }
    }
}

/// One expression; operands are earlier nodes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A constant.
    Number(Number),
    /// A leaf.
    Symbol(SymbolId),
    /// constant + Σ coefficient·term; terms ascend and differ, coefficients are not zero.
    Sum {
        /// The constant part.
        constant: Number,
        /// Terms with their coefficients.
        terms: Box<[(ExprId, Number)]>,
    },
    /// Π baseᵉ; bases ascend and differ, exponents are not zero.
    Product(Box<[(ExprId, i32)]>),
    /// An elementary function.
    Call(Function, Box<[ExprId]>),
    /// `if condition { then } else { otherwise }`
    Select {
        /// A boolean.
        condition: ExprId,
        /// The value where it holds.
        then: ExprId,
        /// The value where it does not.
        otherwise: ExprId,
    },
    /// A boolean constant.
    Boolean(bool),
    /// A comparison of two scalars.
    Compare(Comparison, ExprId, ExprId),
    /// Both booleans.
    And(ExprId, ExprId),
    /// Either boolean.
    Or(ExprId, ExprId),
    /// The other boolean.
    Not(ExprId),
}

impl Node {
    /// Calls `visit` for every operand.
    pub fn for_each_child(&self, mut visit: impl FnMut(ExprId)) {
        match self {
            Node::Number(_) | Node::Symbol(_) | Node::Boolean(_) => {}
            Node::Sum { terms, .. } => terms.iter().for_each(|&(term, _)| visit(term)),
            Node::Product(factors) => factors.iter().for_each(|&(base, _)| visit(base)),
            Node::Call(_, arguments) => arguments.iter().for_each(|&argument| visit(argument)),
            Node::Select {
                condition,
                then,
                otherwise,
            } => {
                visit(*condition);
                visit(*then);
                visit(*otherwise);
            }
            Node::Compare(_, a, b) | Node::And(a, b) | Node::Or(a, b) => {
                visit(*a);
                visit(*b);
            }
            Node::Not(a) => visit(*a),
        }
    }
}

/// A node that takes one of two values: `if`, `min`, `max`.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The boolean that decides.
    pub condition: ExprId,
    /// Taken where it holds.
    pub then: ExprId,
    /// Taken where it does not.
    pub otherwise: ExprId,
}

/// The hash-consed arena.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    nodes: Vec<Node>,
    ids: Map<Node, ExprId>,
    cancelled: Vec<ExprId>,
}

/// Nested sums and products of more operands than this are never opened.
const OPEN_LIMIT: usize = 32;

impl Graph {
    /// An empty graph.
    pub fn new() -> Graph {
        Graph::default()
    }

    /// The node of an id.
    pub fn node(&self, id: ExprId) -> &Node {
        &self.nodes[id.index()]
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Divisors that were cancelled (x/x = 1): the expressions assumed not to be zero.
    pub fn cancelled(&self) -> &[ExprId] {
        &self.cancelled
    }

    /// The nodes that `roots` are made of, themselves included, in ascending order.
    pub fn reachable(&self, roots: impl IntoIterator<Item = ExprId>) -> Vec<ExprId> {
        let mut seen = vec![false; self.len()];
        let mut stack: Vec<ExprId> = roots.into_iter().collect();
        let mut found = Vec::new();
        while let Some(id) = stack.pop() {
            if !std::mem::replace(&mut seen[id.index()], true) {
                found.push(id);
                self.node(id).for_each_child(|child| stack.push(child));
            }
        }
        found.sort_unstable();
        found
    }

    /// How often each of the nodes is an operand of another or a root.
    pub fn uses(
        &self,
        nodes: &[ExprId],
        roots: impl IntoIterator<Item = ExprId>,
    ) -> Map<ExprId, u32> {
        let mut uses: Map<ExprId, u32> = Map::default();
        roots
            .into_iter()
            .for_each(|root| *uses.entry(root).or_default() += 1);
        for &id in nodes {
            self.node(id)
                .for_each_child(|child| *uses.entry(child).or_default() += 1);
        }
        uses
    }

    /// Whether `root` contains one of `symbols`.
    pub fn depends_on(&self, root: ExprId, mut is_variable: impl FnMut(SymbolId) -> bool) -> bool {
        self.reachable([root])
            .into_iter()
            .any(|id| matches!(*self.node(id), Node::Symbol(symbol) if is_variable(symbol)))
    }

    fn intern(&mut self, node: Node) -> ExprId {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let id = ExprId(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.ids.insert(node, id);
        id
    }

    /// A constant.
    pub fn number(&mut self, value: Number) -> ExprId {
        self.intern(Node::Number(value))
    }

    /// 0.
    pub fn zero(&mut self) -> ExprId {
        self.number(Number::ZERO)
    }

    /// A leaf.
    pub fn symbol(&mut self, symbol: SymbolId) -> ExprId {
        self.intern(Node::Symbol(symbol))
    }

    /// The value of a constant node.
    pub fn as_number(&self, id: ExprId) -> Option<Number> {
        match *self.node(id) {
            Node::Number(value) => Some(value),
            _ => None,
        }
    }

    /// Whether the node is the constant 0.
    pub fn is_zero(&self, id: ExprId) -> bool {
        self.as_number(id).is_some_and(Number::is_zero)
    }

    /// The value of a constant boolean.
    pub fn as_boolean(&self, id: ExprId) -> Option<bool> {
        match *self.node(id) {
            Node::Boolean(value) => Some(value),
            _ => None,
        }
    }

    /// The numeric factor in front of a node, and the rest: 3·x gives (3, x).
    pub fn split_coefficient(&self, id: ExprId) -> (Number, ExprId) {
        match self.node(id) {
            Node::Sum { constant, terms } if constant.is_zero() && terms.len() == 1 => {
                (terms[0].1, terms[0].0)
            }
            _ => (Number::ONE, id),
        }
    }

    /// The two branches of an `if`, a `min` or a `max`.
    pub fn choice(&mut self, id: ExprId) -> Option<Choice> {
        match *self.node(id) {
            Node::Select {
                condition,
                then,
                otherwise,
            } => Some(Choice {
                condition,
                then,
                otherwise,
            }),
            Node::Call(function @ (Function::Min | Function::Max), ref arguments) => {
                let (then, otherwise) = (arguments[0], arguments[1]);
                let comparison = if function == Function::Min {
                    Comparison::Le
                } else {
                    Comparison::Ge
                };
                let condition = self.compare(comparison, then, otherwise);
                Some(Choice {
                    condition,
                    then,
                    otherwise,
                })
            }
            _ => None,
        }
    }
}

// ---- sums -------------------------------------------------------------------------------------

impl Graph {
    /// Σ coefficient·term.
    pub fn sum(&mut self, terms: &[(ExprId, Number)]) -> ExprId {
        let mut constant = Number::ZERO;
        let mut merged = BTreeMap::new();
        for &(id, coefficient) in terms {
            self.gather(id, coefficient, &mut constant, &mut merged);
        }
        self.open_cancelling_sums(&mut constant, &mut merged);
        self.join_squares(&mut constant, &mut merged);
        let terms: Vec<_> = merged.into_iter().filter(|(_, c)| !c.is_zero()).collect();
        self.normalized_sum(constant, terms)
    }

    fn gather(
        &self,
        id: ExprId,
        coefficient: Number,
        constant: &mut Number,
        merged: &mut BTreeMap<ExprId, Number>,
    ) {
        if let Some(value) = self.as_number(id) {
            *constant = *constant + coefficient * value;
            return;
        }
        let (factor, term) = self.split_coefficient(id);
        let entry = merged.entry(term).or_insert(Number::ZERO);
        *entry = *entry + coefficient * factor;
    }

    /// Opens the sums among the terms that share a constant or a vanishing term with the rest.
    fn open_cancelling_sums(&self, constant: &mut Number, merged: &mut BTreeMap<ExprId, Number>) {
        let nested: Vec<(ExprId, Number)> = merged
            .iter()
            .filter(|(id, _)| matches!(self.node(**id), Node::Sum { terms, .. } if terms.len() <= OPEN_LIMIT))
            .map(|(&id, &c)| (id, c))
            .collect();
        if nested.is_empty() || nested.len() > OPEN_LIMIT || merged.len() < 2 && constant.is_zero()
        {
            return;
        }
        let (mut totals, mut constants) = (merged.clone(), u32::from(!constant.is_zero()));
        for &(id, coefficient) in &nested {
            let Node::Sum { constant, terms } = self.node(id) else {
                continue;
            };
            constants += u32::from(!constant.is_zero());
            for &(term, factor) in terms {
                let total = totals.entry(term).or_insert(Number::ZERO);
                *total = *total + coefficient * factor;
            }
        }
        for (id, coefficient) in nested {
            let Node::Sum {
                constant: inner,
                terms,
            } = self.node(id)
            else {
                continue;
            };
            let cancels = terms.iter().any(|(term, _)| totals[term].is_zero());
            if !cancels && (inner.is_zero() || constants < 2) {
                continue;
            }
            merged.remove(&id);
            *constant = *constant + coefficient * *inner;
            for &(term, factor) in terms {
                let entry = merged.entry(term).or_insert(Number::ZERO);
                *entry = *entry + coefficient * factor;
            }
        }
    }

    /// c·sin²u + c·cos²u = c
    fn join_squares(&self, constant: &mut Number, merged: &mut BTreeMap<ExprId, Number>) {
        let squared = |id: ExprId, wanted: Function| match self.node(id) {
            Node::Product(factors) if factors.len() == 1 && factors[0].1 == 2 => {
                match self.node(factors[0].0) {
                    Node::Call(function, angle) if *function == wanted => Some(angle[0]),
                    _ => None,
                }
            }
            _ => None,
        };
        let sines: Vec<(ExprId, ExprId)> = merged
            .keys()
            .filter_map(|&id| Some((id, squared(id, Function::Sin)?)))
            .collect();
        for (sine, angle) in sines {
            let cosine = merged
                .keys()
                .copied()
                .find(|&id| squared(id, Function::Cos) == Some(angle));
            let Some(cosine) = cosine.filter(|cosine| merged[cosine] == merged[&sine]) else {
                continue;
            };
            *constant = *constant + merged[&sine];
            merged.remove(&sine);
            merged.remove(&cosine);
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
            let scaled: Vec<_> = terms.iter().map(|&(t, c)| (t, c / content)).collect();
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

    /// The sum, as −1 times its negative where that one exists already.
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
        match self.ids.get(&opposite).copied() {
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
        self.sum(&[(a, factor)])
    }

    /// a + constant.
    pub fn offset(&mut self, a: ExprId, constant: Number) -> ExprId {
        let constant = self.number(constant);
        self.add(a, constant)
    }
}

/// The factor to stand in front of a sum: what leaves integers behind without adding a multiplication.
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

// ---- products ---------------------------------------------------------------------------------

impl Graph {
    /// Π baseᵉ.
    pub fn product(&mut self, factors: &[(ExprId, i32)]) -> ExprId {
        let mut coefficient = Number::ONE;
        let mut merged: BTreeMap<ExprId, i32> = BTreeMap::new();
        for &(id, exponent) in factors {
            self.gather_factor(id, exponent, &mut coefficient, &mut merged);
        }
        self.open_cancelling_products(&mut merged);
        self.open_even_roots(&mut coefficient, &mut merged);
        if coefficient.is_zero() {
            return self.number(coefficient);
        }
        let cancelled = merged.iter().filter(|&(_, &e)| e == 0).map(|(&id, _)| id);
        self.cancelled
            .extend(cancelled.filter(|_| factors.len() > 1));
        let factors: Vec<_> = merged.into_iter().filter(|&(_, e)| e != 0).collect();
        let product = match factors[..] {
            [] => return self.number(coefficient),
            [(base, 1)] => base,
            _ => self.intern(Node::Product(factors.into())),
        };
        self.scale(product, coefficient)
    }

    fn gather_factor(
        &self,
        id: ExprId,
        exponent: i32,
        coefficient: &mut Number,
        merged: &mut BTreeMap<ExprId, i32>,
    ) {
        if let Some(value) = self.as_number(id) {
            *coefficient = *coefficient * value.powi(exponent);
            return;
        }
        let (factor, base) = self.split_coefficient(id);
        *coefficient = *coefficient * factor.powi(exponent);
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
        let entry = merged.entry(base).or_insert(0);
        *entry = entry.saturating_add(exponent);
    }

    /// Opens the products among the factors that share a base of the opposite exponent with the rest.
    fn open_cancelling_products(&self, merged: &mut BTreeMap<ExprId, i32>) {
        if merged.len() < 2 || merged.len() > OPEN_LIMIT {
            return;
        }
        let nested: Vec<(ExprId, i32)> = merged
            .iter()
            .filter(|(id, e)| {
                **e != 0 && matches!(self.node(**id), Node::Product(f) if f.len() <= OPEN_LIMIT)
            })
            .map(|(&id, &e)| (id, e))
            .collect();
        for (id, exponent) in nested {
            let Node::Product(factors) = self.node(id) else {
                continue;
            };
            let opposite =
                |other: i32, e: i32| (i64::from(other) * i64::from(e) * i64::from(exponent)) < 0;
            let cancels = factors
                .iter()
                .any(|&(base, e)| merged.get(&base).is_some_and(|&other| opposite(other, e)));
            if !cancels {
                continue;
            }
            merged.remove(&id);
            for &(base, e) in factors {
                let entry = merged.entry(base).or_insert(0);
                *entry = entry.saturating_add(e.saturating_mul(exponent));
            }
        }
    }

    /// √u² = u and |u|² = u² (in the first the value is only real for u ≥ 0 anyway).
    fn open_even_roots(&self, coefficient: &mut Number, merged: &mut BTreeMap<ExprId, i32>) {
        loop {
            let found = merged.iter().find_map(|(&id, &e)| match *self.node(id) {
                Node::Call(Function::Sqrt, ref u) if e != 0 && e % 2 == 0 => {
                    Some((id, u[0], e / 2))
                }
                Node::Call(Function::Abs, ref u) if e != 0 && e % 2 == 0 => Some((id, u[0], e)),
                _ => None,
            });
            let Some((id, argument, exponent)) = found else {
                return self.divide_by_roots(merged);
            };
            merged.remove(&id);
            self.gather_factor(argument, exponent, coefficient, merged);
        }
    }

    /// u/√u = √u, so that the slope of u^(3/2) is 0 at 0, not 0/0.
    fn divide_by_roots(&self, merged: &mut BTreeMap<ExprId, i32>) {
        let radicand = |id: ExprId| match self.node(id) {
            Node::Call(Function::Sqrt, u) => Some(u[0]),
            _ => None,
        };
        let divisors = merged.iter().filter(|&(_, &e)| e < 0);
        let roots: Vec<(ExprId, ExprId)> = divisors
            .filter_map(|(&id, _)| Some((id, radicand(id)?)))
            .collect();
        for (root, argument) in roots {
            if let Some(exponent) = merged.get(&argument).copied().filter(|&e| e > 0) {
                merged.remove(&argument);
                *merged.entry(root).or_insert(0) += 2 * exponent;
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

// ---- functions and choice -----------------------------------------------------------------------

impl Graph {
    /// f(arguments), folded where it can be.
    pub fn call(&mut self, function: Function, arguments: &[ExprId]) -> ExprId {
        let numbers: Option<Vec<Number>> = arguments.iter().map(|&a| self.as_number(a)).collect();
        if let Some(value) = numbers.and_then(|numbers| fold(function, &numbers)) {
            return self.number(value);
        }
        if function == Function::Powf
            && let Some(power) = self.simple_power(arguments[0], arguments[1])
        {
            return power;
        }
        if matches!(function, Function::Min | Function::Max) && arguments[0] == arguments[1] {
            return arguments[0];
        }
        let (factor, rest) = self.split_coefficient(arguments[0]);
        if factor.is_negative() && function.row().parity != Parity::Neither {
            let mut positive = arguments.to_vec();
            positive[0] = self.scale(rest, -factor);
            let value = self.intern(Node::Call(function, positive.into()));
            return if function.row().parity == Parity::Odd {
                self.neg(value)
            } else {
                value
            };
        }
        self.intern(Node::Call(function, arguments.into()))
    }

    /// aᵇ for constant whole and half exponents, by multiplication and square root.
    fn simple_power(&mut self, base: ExprId, exponent: ExprId) -> Option<ExprId> {
        let exponent = self.as_number(exponent)?;
        if let Some(whole) = exponent.as_exponent() {
            return Some(self.powi(base, whole));
        }
        let halves = (exponent * Number::integer(2)).as_exponent()?;
        let root = self.call(Function::Sqrt, &[base]);
        Some(self.powi(root, halves))
    }

    /// `if condition { then } else { otherwise }`
    pub fn select(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        if then == otherwise {
            return then;
        }
        match *self.node(condition) {
            Node::Boolean(value) => {
                if value {
                    then
                } else {
                    otherwise
                }
            }
            Node::Not(inner) => self.select(inner, otherwise, then),
            _ => self.intern(Node::Select {
                condition,
                then,
                otherwise,
            }),
        }
    }

    /// A boolean constant.
    pub fn boolean(&mut self, value: bool) -> ExprId {
        self.intern(Node::Boolean(value))
    }

    /// a < b and its kin.
    pub fn compare(&mut self, comparison: Comparison, a: ExprId, b: ExprId) -> ExprId {
        if let (Some(x), Some(y)) = (self.as_number(a), self.as_number(b)) {
            let exact = x.partial_cmp(&y).map(|order| match comparison {
                Comparison::Lt => order.is_lt(),
                Comparison::Le => order.is_le(),
                Comparison::Gt => order.is_gt(),
                Comparison::Ge => order.is_ge(),
                Comparison::Eq => order.is_eq(),
            });
            return self.boolean(exact.unwrap_or(false));
        }
        self.intern(Node::Compare(comparison, a, b))
    }

    /// a && b.
    pub fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.as_boolean(a), self.as_boolean(b)) {
            (Some(false), _) | (_, Some(true)) => a,
            (_, Some(false)) | (Some(true), _) => b,
            _ => self.intern(Node::And(a, b)),
        }
    }

    /// a || b.
    pub fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.as_boolean(a), self.as_boolean(b)) {
            (Some(true), _) | (_, Some(false)) => a,
            (_, Some(true)) | (Some(false), _) => b,
            _ => self.intern(Node::Or(a, b)),
        }
    }

    /// !a.
    pub fn not(&mut self, a: ExprId) -> ExprId {
        match *self.node(a) {
            Node::Boolean(value) => self.boolean(!value),
            Node::Not(inner) => inner,
            _ => self.intern(Node::Not(a)),
        }
    }
}

/// The constant value of a function of constants; exact where the function is.
fn fold(function: Function, arguments: &[Number]) -> Option<Number> {
    let exact = match function {
        Function::Abs => Some(arguments[0].abs()),
        Function::Sqrt => arguments[0].exact_sqrt(),
        Function::Min if arguments[1] < arguments[0] => Some(arguments[1]),
        Function::Max if arguments[1] > arguments[0] => Some(arguments[1]),
        Function::Min | Function::Max => Some(arguments[0]),
        Function::Powf => arguments[1].as_exponent().map(|n| arguments[0].powi(n)),
        _ => None,
    };
    exact.or_else(|| {
        let values: Vec<f64> = arguments.iter().map(|n| n.to_f64()).collect();
        Some(Number::float((function.row().value)(&values)))
    })
}
