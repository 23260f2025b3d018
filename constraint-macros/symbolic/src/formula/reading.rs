//! Converts nodes of the graph into a [`Formula`] with signs, fractions, roots and powers as people read them.

use std::cmp::Reverse;

use super::{Branch, Formula, Term};
use crate::expr::{
    CollectVec, Comparison, ExprId, Function, Graph, Node, Number, SortedMap, SymbolId, sort_by_key,
};

/// Reads expressions up to the nodes that are definitions.
pub(super) struct Reader<'a> {
    /// The expressions.
    pub graph: &'a Graph,
    /// The names of the leaves.
    pub symbol: &'a dyn Fn(SymbolId) -> String,
    /// The nodes that are never written out inside another one: `cut[id.index()]`.
    pub cut: &'a [bool],
    /// The names of those that have one; the others are omitted.
    pub labels: &'a SortedMap<ExprId, String>,
    /// Sums and products of more operands than this are cut short.
    pub operand_limit: usize,
}

impl Reader<'_> {
    /// The expression inside another one; a definition is replaced by its name.
    pub fn read(&self, id: ExprId) -> Formula {
        if !self.is_cut(id) {
            return self.body(id);
        }
        match self.labels.get(&id) {
            Some(label) => Formula::Symbol(label.clone()),
            None => Formula::Omitted,
        }
    }

    /// The expression itself, expanded.
    pub fn body(&self, id: ExprId) -> Formula {
        match self.graph.node(id) {
            &Node::Number(value) => Quotient::of(value).into_formula(),
            &Node::Symbol(symbol) => Formula::Symbol((self.symbol)(symbol)),
            Node::Sum { constant, terms } => self.sum(*constant, terms),
            Node::Product(factors) => self.factors(Number::ONE, factors).into_formula(),
            &Node::Whole(a) => self.read(a),
            Node::Call(function, arguments) => self.call(*function, arguments),
            &Node::Select {
                condition,
                then,
                otherwise,
            } => match self.steps(id) {
                Some(steps) => steps,
                None => self.cases(condition, then, otherwise),
            },
            &Node::Boolean(value) => Formula::Truth(value),
            &Node::Compare(comparison, a, b) => {
                Formula::Compare(comparison, self.boxed(a), self.boxed(b))
            }
            &Node::And(a, b) => Formula::And(vec![self.read(a), self.read(b)]),
            &Node::Or(a, b) => Formula::Or(vec![self.read(a), self.read(b)]),
            &Node::Not(a) => Formula::Not(self.boxed(a)),
        }
    }

    fn is_cut(&self, id: ExprId) -> bool {
        self.cut[id.index()]
    }

    fn boxed(&self, id: ExprId) -> Box<Formula> {
        Box::new(self.read(id))
    }

    /// Higher powers come before lower ones and constants; the first positive term leads.
    fn sum(&self, constant: Number, operands: &[(ExprId, Number)]) -> Formula {
        let mut collected = Vec::new();
        self.collect_terms(constant, operands, Number::ONE, &mut collected);
        let mut terms = self.joined(collected);
        sort_by_key(&mut terms, |term| Reverse(degree(&term.formula)));
        if let Some(first) = terms.iter().position(|term| !term.negative) {
            terms[..=first].rotate_right(1);
        }
        match terms.pop() {
            Some(only) if terms.is_empty() && !only.negative => only.formula,
            Some(last) => {
                terms.push(last);
                Formula::Sum(terms)
            }
            None => Formula::whole(0),
        }
    }

    fn collect_terms(
        &self,
        constant: Number,
        operands: &[(ExprId, Number)],
        sign: Number,
        terms: &mut Vec<(Option<Monomial>, Term)>,
    ) {
        for &(id, coefficient) in operands.iter().take(self.operand_limit) {
            let coefficient = sign * coefficient;
            match self.graph.node(id) {
                // a + (b + c) and a − (b − c) need no brackets.
                Node::Sum {
                    constant,
                    terms: nested,
                } if coefficient.abs().is_one() && !self.is_cut(id) => {
                    self.collect_terms(*constant, nested, coefficient, terms);
                }
                _ => {
                    let term = self.term(coefficient, id);
                    terms.push((self.monomial(coefficient, id), term));
                }
            }
        }
        if operands.len() > self.operand_limit {
            let rest = Term {
                negative: false,
                formula: Formula::Omitted,
            };
            terms.push((None, rest));
        }
        if !constant.is_zero() {
            terms.push((None, Quotient::of(sign * constant).into_term()));
        }
    }

    /// Combines like terms. The graph keeps them apart if that saves operations, as in i + i, or if one of two products is
    /// shared. A term without a like term is unchanged.
    fn joined(&self, collected: Vec<(Option<Monomial>, Term)>) -> Vec<Term> {
        let mut places: SortedMap<Vec<(ExprId, i32)>, usize> = SortedMap::new();
        let mut terms: Vec<(Number, Term)> = Vec::new();
        for (monomial, term) in collected {
            let Some(Monomial {
                coefficient,
                powers,
            }) = monomial
            else {
                terms.push((Number::ONE, term));
                continue;
            };
            let Some(&place) = places.get(&powers) else {
                places.insert(powers, terms.len());
                terms.push((coefficient, term));
                continue;
            };
            let sum = terms[place].0 + coefficient;
            let mut quotient = Quotient::of(sum);
            for &(base, exponent) in &powers {
                self.factor(base, exponent, &mut quotient);
            }
            terms[place] = (sum, quotient.into_term());
        }
        terms.retain(|(coefficient, _)| !coefficient.is_zero());
        terms.into_iter().map(|(_, term)| term).collect_vec()
    }

    /// coefficient·id, with nested products and numbers merged; `None` if its operands exceed the limit.
    fn monomial(&self, coefficient: Number, id: ExprId) -> Option<Monomial> {
        let mut monomial = Monomial {
            coefficient,
            powers: Vec::new(),
        };
        let mut powers: SortedMap<ExprId, i32> = SortedMap::new();
        let mut open = vec![(id, 1_i32)];
        while let Some((base, exponent)) = open.pop() {
            match self.graph.node(base) {
                Node::Product(inner) if !self.is_cut(base) => {
                    if inner.len() > self.operand_limit {
                        return None;
                    }
                    for &(base, inner) in inner {
                        open.push((base, inner.checked_mul(exponent)?));
                    }
                }
                &Node::Whole(inner) if !self.is_cut(base) => open.push((inner, exponent)),
                Node::Sum { constant, terms }
                    if constant.is_zero() && terms.len() == 1 && !self.is_cut(base) =>
                {
                    let (inner, scale) = terms[0];
                    monomial.coefficient = monomial.coefficient * scale.powi(exponent);
                    open.push((inner, exponent));
                }
                _ => match self.twice(base) {
                    Some((number, inner)) => {
                        monomial.coefficient = monomial.coefficient * number.powi(exponent);
                        open.push((inner, exponent));
                    }
                    None => {
                        let power = powers.entry(base).or_insert(0);
                        *power = power.checked_add(exponent)?;
                    }
                },
            }
        }
        monomial.powers = powers.into_iter().filter(|(_, e)| *e != 0).collect_vec();
        Some(monomial)
    }

    /// coefficient·id
    fn term(&self, coefficient: Number, id: ExprId) -> Term {
        self.factors(coefficient, &[(id, 1)]).into_term()
    }

    /// The coefficient times the factors; equal ones from nested products are merged.
    fn factors(&self, coefficient: Number, factors: &[(ExprId, i32)]) -> Quotient {
        let mut powers = Powers {
            number: coefficient,
            merged: Vec::new(),
            omitted: false,
        };
        self.collect_factors(factors, 1, &mut powers);
        let mut quotient = Quotient::of(powers.number);
        for (base, exponent) in powers.merged {
            if exponent != 0 {
                self.factor(base, exponent, &mut quotient);
            }
        }
        if powers.omitted {
            quotient.numerator.push(Formula::Omitted);
        }
        quotient
    }

    /// A product raised to ±1 needs no brackets: its factors join the others.
    fn collect_factors(&self, factors: &[(ExprId, i32)], sign: i32, powers: &mut Powers) {
        for &(base, exponent) in factors.iter().take(self.operand_limit) {
            let exponent = exponent.saturating_mul(sign);
            match self.graph.node(base) {
                Node::Product(inner) if exponent.abs() == 1 && !self.is_cut(base) => {
                    self.collect_factors(inner, exponent, powers);
                }
                _ => match self.twice(base) {
                    Some((number, inner)) => {
                        powers.number = powers.number * number.powi(exponent);
                        self.collect_factors(&[(inner, exponent)], 1, powers);
                    }
                    None => powers.multiply(base, exponent),
                },
            }
        }
        powers.omitted |= factors.len() > self.operand_limit;
    }

    /// 2 and x of x + x, which the graph contains if it is cheaper than 2 x.
    fn twice(&self, id: ExprId) -> Option<(Number, ExprId)> {
        match self.graph.node(id) {
            Node::Sum { constant, terms } if constant.is_zero() && !self.is_cut(id) => {
                match terms[..] {
                    [(x, a), (y, b)] if x == y => Some((a + b, x)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Multiplies the quotient by baseᵉ.
    fn factor(&self, base: ExprId, exponent: i32, quotient: &mut Quotient) {
        let magnitude = exponent.unsigned_abs();
        let formula = match self.graph.node(base) {
            // (√u)³ is u^(3/2).
            Node::Call(Function::Sqrt, u) if magnitude > 1 && !self.is_cut(base) => {
                let halves = Number::ratio(i128::from(magnitude), 2);
                Formula::power(self.read(u[0]), Quotient::of(halves).into_formula())
            }
            _ if magnitude == 1 => self.read(base),
            _ => Formula::power(self.read(base), Formula::whole(magnitude)),
        };
        if exponent < 0 {
            quotient.denominator.push(formula);
        } else {
            quotient.numerator.push(formula);
        }
    }

    fn call(&self, function: Function, arguments: &[ExprId]) -> Formula {
        let root = |degree| Formula::Root {
            degree,
            radicand: self.boxed(arguments[0]),
        };
        match function {
            Function::Sqrt => root(2),
            Function::Cbrt => root(3),
            Function::Abs => Formula::Absolute(self.boxed(arguments[0])),
            Function::Powf => Formula::power(self.read(arguments[0]), self.read(arguments[1])),
            _ => Formula::Call {
                function,
                arguments: arguments.iter().map(|&a| self.read(a)).collect_vec(),
            },
        }
    }

    /// A binary tree of choices between intervals of one number as one list, from the last interval to the first.
    fn steps(&self, id: ExprId) -> Option<Formula> {
        let subject = Threshold::of(self.graph, id)?.subject;
        let mut branches = Vec::new();
        // Nodes still to be read, the last interval on top, each with the condition of its interval.
        let mut left = vec![(id, None)];
        while let Some((node, condition)) = left.pop() {
            let open = node == id || !self.is_cut(node);
            let threshold =
                Threshold::of(self.graph, node).filter(|it| open && it.subject == subject);
            match (threshold, condition) {
                (Some(threshold), _) => {
                    left.push((threshold.below, condition));
                    left.push((threshold.above, Some(threshold.condition)));
                }
                (None, Some(condition)) => branches.push(Branch {
                    condition: self.read(condition),
                    value: self.read(node),
                }),
                (None, None) => {
                    let otherwise = self.boxed(node);
                    return Some(Formula::Cases {
                        branches,
                        otherwise,
                    });
                }
            }
        }
        None
    }

    /// A chain of `else if` is one list of cases.
    fn cases(&self, condition: ExprId, then: ExprId, otherwise: ExprId) -> Formula {
        let branch = |condition, value| Branch {
            condition: self.read(condition),
            value: self.read(value),
        };
        let mut branches = vec![branch(condition, then)];
        let mut rest = otherwise;
        while let &Node::Select {
            condition,
            then,
            otherwise,
        } = self.graph.node(rest)
            && !self.is_cut(rest)
        {
            branches.push(branch(condition, then));
            rest = otherwise;
        }
        Formula::Cases {
            branches,
            otherwise: self.boxed(rest),
        }
    }
}

/// `if x >= 2 { above } else { below }`, the bound a number.
pub(super) struct Threshold {
    /// x
    pub subject: ExprId,
    pub condition: ExprId,
    pub above: ExprId,
    pub below: ExprId,
}

impl Threshold {
    pub fn of(graph: &Graph, id: ExprId) -> Option<Threshold> {
        let &Node::Select {
            condition,
            then,
            otherwise,
        } = graph.node(id)
        else {
            return None;
        };
        let &Node::Compare(Comparison::Ge, subject, bound) = graph.node(condition) else {
            return None;
        };
        graph.as_number(bound)?;
        Some(Threshold {
            subject,
            condition,
            above: then,
            below: otherwise,
        })
    }

    /// Whether there are three values or more, as in the coefficient tables of splines.
    pub fn is_table(graph: &Graph, id: ExprId) -> bool {
        let Some(threshold) = Threshold::of(graph, id) else {
            return false;
        };
        let like =
            |half| Threshold::of(graph, half).is_some_and(|it| it.subject == threshold.subject);
        like(threshold.above) || like(threshold.below)
    }
}

/// A number and powers; powers of one base are merged, in the order of the bases.
struct Monomial {
    coefficient: Number,
    powers: Vec<(ExprId, i32)>,
}

/// Bases with their exponents, in the order of their first appearance.
struct Powers {
    number: Number,
    merged: Vec<(ExprId, i32)>,
    omitted: bool,
}

impl Powers {
    fn multiply(&mut self, base: ExprId, exponent: i32) {
        match self.merged.iter_mut().find(|(other, _)| *other == base) {
            Some(entry) => entry.1 = entry.1.saturating_add(exponent),
            None => self.merged.push((base, exponent)),
        }
    }
}

/// A signed fraction of two products under construction.
#[derive(Default)]
struct Quotient {
    negative: bool,
    numerator: Vec<Formula>,
    denominator: Vec<Formula>,
}

impl Quotient {
    fn of(value: Number) -> Quotient {
        let mut quotient = Quotient {
            negative: value.is_negative(),
            ..Quotient::default()
        };
        if let Some((terms, denominator)) = value.abs().as_sum_of_roots() {
            quotient.multiply_sum_of_roots(&terms, denominator);
            return quotient;
        }
        let exact = value.abs().as_irrational();
        match exact.and_then(|(q, n, k)| Some((q.as_ratio()?, n, k))) {
            Some(((n, d), 1, 0)) => quotient.multiply_ratio(n, d),
            Some((q, radicand, pis)) => quotient.multiply_irrational(q, radicand, pis),
            None => quotient.multiply_float(value.to_f64().abs()),
        }
        quotient
    }

    /// n/d · √radicand · π^pis
    fn multiply_irrational(&mut self, (n, d): (i128, i128), radicand: u32, pis: i8) {
        if n != 1 {
            self.numerator.push(Formula::whole(n));
        }
        if d != 1 {
            self.denominator.push(Formula::whole(d));
        }
        if radicand != 1 {
            self.numerator.push(Formula::Root {
                degree: 2,
                radicand: Box::new(Formula::whole(radicand)),
            });
        }
        let power = Formula::Symbol("π".to_string());
        let power = Formula::power(power, Formula::whole(pis.unsigned_abs()));
        match pis {
            0 => {}
            1.. => self.numerator.push(power),
            _ => self.denominator.push(power),
        }
    }

    /// (p √n + …)/d
    fn multiply_sum_of_roots(&mut self, terms: &[(i64, u32)], denominator: i64) {
        let term = |&(part, radicand): &(i64, u32)| {
            let mut quotient = Quotient {
                negative: part < 0,
                ..Quotient::default()
            };
            let whole = (part.unsigned_abs().into(), 1);
            quotient.multiply_irrational(whole, radicand, 0);
            quotient.into_term()
        };
        let sum = Formula::Sum(terms.iter().map(term).collect_vec());
        self.numerator.push(sum);
        if denominator != 1 {
            self.denominator.push(Formula::whole(denominator));
        }
    }

    fn multiply_ratio(&mut self, numerator: i128, denominator: i128) {
        if let Some(digits) = decimal(numerator, denominator) {
            self.numerator.push(Formula::Number(digits));
            return;
        }
        if numerator != 1 {
            self.numerator.push(Formula::whole(numerator));
        }
        if denominator != 1 {
            self.denominator.push(Formula::whole(denominator));
        }
    }

    fn multiply_float(&mut self, value: f64) {
        if value.is_nan() {
            self.numerator
                .push(Formula::Symbol("undefined".to_string()));
        } else if value.is_infinite() {
            self.numerator.push(Formula::Symbol("∞".to_string()));
        } else if (1e-4..1e16).contains(&value) {
            self.numerator.push(Formula::whole(value));
        } else {
            self.multiply_scientific(value);
        }
    }

    /// mantissa·10ᵉ
    fn multiply_scientific(&mut self, value: f64) {
        let written = format!("{value:e}");
        let (mantissa, exponent) = written.split_once('e').unwrap_or((&written, "0"));
        if mantissa != "1" {
            self.numerator.push(Formula::whole(mantissa));
        }
        let exponent = match exponent.strip_prefix('-') {
            Some(digits) => Formula::negative(Formula::whole(digits)),
            None => Formula::whole(exponent),
        };
        self.numerator
            .push(Formula::power(Formula::whole(10), exponent));
    }

    fn into_term(self) -> Term {
        let numerator = product(self.numerator);
        let formula = if self.denominator.is_empty() {
            numerator
        } else {
            Formula::fraction(numerator, product(self.denominator))
        };
        Term {
            negative: self.negative,
            formula,
        }
    }

    fn into_formula(self) -> Formula {
        match self.into_term() {
            term if term.negative => Formula::Sum(vec![term]),
            term => term.formula,
        }
    }
}

/// The factors in reading order: numbers, letters, functions, brackets.
fn product(mut factors: Vec<Formula>) -> Formula {
    sort_by_key(&mut factors, rank);
    match factors.pop() {
        None => Formula::whole(1),
        Some(only) if factors.is_empty() => only,
        Some(last) => {
            factors.push(last);
            Formula::Product(factors)
        }
    }
}

/// The degree as a polynomial, with functions counted as letters; omitted parts come last.
fn degree(formula: &Formula) -> i64 {
    match formula {
        Formula::Number(_) => 0,
        Formula::Omitted => i64::MIN,
        Formula::Sum(terms) => {
            let degrees = terms.iter().map(|term| degree(&term.formula));
            degrees.max().unwrap_or(0)
        }
        Formula::Product(factors) => factors.iter().map(degree).fold(0, i64::saturating_add),
        Formula::Fraction {
            numerator,
            denominator,
        } => degree(numerator).saturating_sub(degree(denominator)),
        Formula::Power { base, exponent } => match exponent.as_whole() {
            Some((false, digits)) => degree(base).saturating_mul(digits.parse().unwrap_or(1)),
            _ => degree(base),
        },
        _ => 1,
    }
}

fn rank(factor: &Formula) -> u8 {
    match factor {
        Formula::Number(_) => 0,
        Formula::Symbol(_) => 1,
        Formula::Root { .. } | Formula::Absolute(_) | Formula::Call { .. } => 2,
        Formula::Power { base, .. } => rank(base),
        Formula::Omitted => 4,
        _ => 3,
    }
}

/// `9.81` for 981/100; short fractions such as 7/6, 1/100 or 5/2 stay fractions.
fn decimal(numerator: i128, denominator: i128) -> Option<String> {
    if denominator % 10 != 0 || numerator < 10 {
        return None;
    }
    let places = (1..=6u32).find(|&k| 10i128.pow(k) % denominator == 0)?;
    let scale = 10i128.pow(places);
    let digits = numerator.checked_mul(scale / denominator)?;
    let (whole, rest) = (digits / scale, digits % scale);
    Some(format!("{whole}.{rest:0width$}", width = places as usize))
}
