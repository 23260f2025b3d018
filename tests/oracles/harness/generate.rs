//! Random constraints whose values stay finite, well inside every function's domain.

use constraint_symbolic::expr::Function;

use super::oracle::State;
use super::random::Random;
use super::surface::{
    Body, Condition, Environment, Exponent, Expr, Operator, PowerSpelling, Printer, Row, binary,
    call, local_name, number,
};

/// A random constraint and a state to look at it.
#[derive(Clone, Debug)]
pub struct Case {
    /// As given to the engine.
    pub source: String,
    pub body: Body,
    /// Name and size of every declared coordinate, time excluded, in flat order.
    pub coordinates: Vec<(String, usize)>,
    /// Whether nothing depends on time explicitly.
    pub scleronomic: bool,
    pub state: State,
}

/// One-argument functions and an interval on which they are smooth and well conditioned, where that is wider than in
/// the engine's table, which has the others.
const UNARY: [(&str, f64, f64); 23] = [
    ("sin", -4.0, 4.0),
    ("cos", -4.0, 4.0),
    ("tan", -1.2, 1.2),
    ("asin", -0.85, 0.85),
    ("acos", -0.85, 0.85),
    ("atan", -4.0, 4.0),
    ("sinh", -2.0, 2.0),
    ("cosh", -2.0, 2.0),
    ("tanh", -2.0, 2.0),
    ("asinh", -4.0, 4.0),
    ("acosh", 1.3, 4.0),
    ("atanh", -0.85, 0.85),
    ("exp", -2.0, 2.0),
    ("exp_m1", -2.0, 2.0),
    ("ln", 0.3, 4.0),
    ("ln_1p", -0.6, 4.0),
    ("log2", 0.3, 4.0),
    ("log10", 0.3, 4.0),
    ("sqrt", 0.3, 4.0),
    ("cbrt", 0.3, 4.0),
    ("recip", 0.4, 4.0),
    ("abs", 0.2, 4.0),
    ("signum", 0.2, 4.0),
];

/// All functions of one argument.
fn unary() -> Vec<(&'static str, f64, f64)> {
    let others = Function::all().map(Function::row).filter_map(|row| {
        let &[(low, high)] = row.domain else {
            return None;
        };
        let is_listed = UNARY.iter().any(|it| it.0 == row.name);
        (!is_listed).then_some((row.name, low, high))
    });
    UNARY.into_iter().chain(others).collect()
}

/// Those of [`UNARY`] that want their argument away from zero on either side.
const TWO_SIDED: [&str; 4] = ["cbrt", "recip", "abs", "signum"];

/// Any Rust identifier may name a coordinate, whatever generated code or functions are called.
const NAMES: [&str; 26] = [
    "x", "y", "z", "q", "v", "w", "m", "f", "t1", "lambda", "value", "T", "N", "θ", "φ1", "sin",
    "norm", "rate", "jacobian", "force", "t2", "self_", "q0", "delassus", "b", "α",
];
const PARAMETERS: [&str; 6] = ["length", "omega", "g", "k", "bias", "λ0"];
const TIMES: [&str; 3] = ["t", "time", "τ"];

/// Case number `seed`.
pub fn case(seed: u64) -> Case {
    let mut generator = Generator::new(Random::new(seed));
    let body = generator.body();
    generator.finish(body)
}

struct Generator {
    random: Random,
    coordinates: Vec<Expr>,
    parameters: Vec<Expr>,
    time: Option<Expr>,
    time_used: bool,
    bare: bool,
    state: State,
    /// Finished `let`s in scope.
    scope: Vec<Expr>,
    scope_sizes: Vec<usize>,
    slots: usize,
    /// Values of the locals, for steering.
    locals: Vec<(usize, Expr)>,
}

impl Generator {
    fn new(mut random: Random) -> Generator {
        let bare = random.once_in(6);
        let mut names: Vec<&str> = NAMES.to_vec();
        let (mut coordinates, mut first) = (Vec::new(), 0);
        for _ in 0..1 + random.below(4) {
            let len = if bare { 1 } else { *random.pick(&[1, 1, 2, 3]) };
            let name = names.remove(random.below(names.len())).to_owned();
            if first + len > 6 {
                break;
            }
            coordinates.push(Expr::Coordinate { name, first, len });
            first += len;
        }
        let (mut parameters, mut size) = (Vec::new(), 0);
        for name in &PARAMETERS[..if bare { 0 } else { random.below(4) }] {
            let len = *random.pick(&[1, 1, 2, 3]);
            parameters.push(Expr::Parameter {
                name: (*name).to_owned(),
                first: size,
                len,
            });
            size += len;
        }
        let time = (!bare && random.once_in(3)).then(|| Expr::Time {
            name: (*random.pick(&TIMES)).to_owned(),
        });
        let state = State::random(&mut random, first, size);
        Generator {
            random,
            coordinates,
            parameters,
            time,
            time_used: false,
            bare,
            state,
            scope: Vec::new(),
            scope_sizes: Vec::new(),
            slots: 0,
            locals: Vec::new(),
        }
    }

    fn evaluate(&self, expr: &Expr) -> Vec<f64> {
        let mut environment =
            Environment::new(&self.state.q[..], &self.state.parameters[..], self.state.t);
        for (slot, value) in &self.locals {
            let value = environment.value(value);
            environment.locals.resize(self.slots.max(slot + 1), None);
            environment.locals[*slot] = Some(value);
        }
        environment.value(expr).parts().to_vec()
    }

    fn number_of(&self, expr: &Expr) -> f64 {
        self.evaluate(expr)[0]
    }

    // ---- the whole constraint -------------------------------------------------------------------

    fn body(&mut self) -> Body {
        let mut lets = Vec::new();
        for _ in 0..*self.random.pick(&[0, 0, 0, 1, 2]) {
            let value = if self.random.once_in(4) {
                self.vector(2)
            } else {
                self.scalar(2)
            };
            lets.push(self.bind(value));
        }
        let n = self.state.q.len();
        let most = *self.random.pick(&[1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5]);
        let rows = match most.min(n) {
            m @ 2..=3 if self.random.once_in(3) => vec![self.vector_row(m)],
            m => (0..m).map(|i| self.scalar_row(i, m)).collect(),
        };
        Body { lets, rows }
    }

    fn scalar_row(&mut self, i: usize, count: usize) -> Row {
        let depth = 2 + self.random.below(if count > 2 { 2 } else { 4 });
        let mut left = self.scalar(depth);
        if count > 1 || !self.depends_on_coordinates(&left) {
            left = self.plus_coordinate(left, i);
        }
        let right = self.random.once_in(2).then(|| self.scalar(1));
        Row { left, right }
    }

    fn vector_row(&mut self, len: usize) -> Row {
        let items = (0..len).map(|i| {
            let item = self.scalar(2);
            self.plus_coordinate(item, i)
        });
        let left = Expr::List(items.collect());
        // Without a relation a list is rows; with one it is a vector.
        let right = self.vector_of(len, 1);
        Row {
            left,
            right: Some(right),
        }
    }

    /// + c·qᵢ, which makes rows independent.
    fn plus_coordinate(&mut self, expr: Expr, i: usize) -> Expr {
        let coordinate = self.flat_coordinate(i);
        let factor = self.small_number(1.0, 3.0);
        binary(
            Operator::Add,
            expr,
            binary(Operator::Mul, factor, coordinate),
        )
    }

    fn depends_on_coordinates(&self, expr: &Expr) -> bool {
        let state = &self.state;
        (0..state.q.len()).any(|k| {
            let dual = |i: usize| num_dual::Dual64::new(state.q[i], if i == k { 1.0 } else { 0.0 });
            let q: Vec<_> = (0..state.q.len()).map(dual).collect();
            let mut environment = Environment::new(&q, &state.parameters, state.t.into());
            for (slot, value) in &self.locals {
                let value = environment.value(value);
                environment.locals.resize(self.slots.max(slot + 1), None);
                environment.locals[*slot] = Some(value);
            }
            environment.scalar(expr).eps.abs() > 1e-3
        })
    }

    fn finish(mut self, body: Body) -> Case {
        let printer = Random::new(self.random.bits());
        let text = Printer::playful(printer).body(&body);
        let declared = |list: &[Expr]| -> Vec<(String, usize)> {
            list.iter()
                .map(|expr| match expr {
                    Expr::Coordinate { name, len, .. } | Expr::Parameter { name, len, .. } => {
                        (name.clone(), *len)
                    }
                    _ => unreachable!(),
                })
                .collect()
        };
        let (coordinates, parameters) = (declared(&self.coordinates), declared(&self.parameters));
        let source = if self.bare {
            text
        } else {
            self.full_form(&text, &coordinates, &parameters)
        };
        Case {
            source,
            body,
            coordinates,
            scleronomic: !self.time_used,
            state: self.state,
        }
    }

    fn full_form(
        &mut self,
        body: &str,
        coordinates: &[(String, usize)],
        parameters: &[(String, usize)],
    ) -> String {
        let fields: Vec<String> = parameters
            .iter()
            .map(|(name, len)| format!("pub {name}: {}", ["Real", "Vector2", "Vector3"][len - 1]))
            .collect();
        let fields = if fields.is_empty() {
            ";".into()
        } else {
            format!("{{ {} }}", fields.join(", "))
        };
        let mut bars: Vec<String> = coordinates
            .iter()
            .map(|(name, len)| format!("{name}{}", ["", ": Point2", ": Point3"][len - 1]))
            .collect();
        if let Some(Expr::Time { name }) = &self.time {
            bars.insert(self.random.below(bars.len() + 1), format!("{name}: Time"));
        }
        format!("pub struct Case {fields} |{}| {body}", bars.join(", "))
    }

    // ---- scalars --------------------------------------------------------------------------------

    /// A scalar of a size that further operations can bear.
    fn scalar(&mut self, depth: usize) -> Expr {
        let expr = self.untamed(depth);
        let value = self.number_of(&expr);
        assert!(value.is_finite(), "{expr:?}");
        if value.abs() <= 6.0 {
            return expr;
        }
        binary(
            Operator::Div,
            expr,
            number(&format!("{}", (value.abs() / 3.0).ceil())),
        )
    }

    fn untamed(&mut self, depth: usize) -> Expr {
        if depth == 0 {
            return self.leaf();
        }
        match self.random.below(100) {
            0..=9 => self.leaf(),
            10..=37 => self.arithmetic(depth),
            38..=41 => Expr::Negate(Box::new(self.scalar(depth - 1))),
            42..=53 => self.power(depth),
            54..=72 => self.unary_call(depth),
            73..=77 => self.binary_call(depth),
            78..=81 => self.extreme(depth),
            82..=89 => self.of_vectors(depth),
            90..=95 => self.choice(depth),
            _ => self.block(depth),
        }
    }

    fn leaf(&mut self) -> Expr {
        let local = self
            .scope
            .iter()
            .zip(&self.scope_sizes)
            .filter(|(_, size)| **size == 1);
        let locals: Vec<Expr> = local.map(|(expr, _)| expr.clone()).collect();
        if !locals.is_empty() && self.random.once_in(3) {
            return self.random.pick(&locals).clone();
        }
        match self.random.below(10) {
            0..=6 => {
                let i = self.random.below(self.state.q.len());
                self.flat_coordinate(i)
            }
            7 if !self.state.parameters.is_empty() => {
                let parameter = self.random.pick(&self.parameters).clone();
                self.some_component(parameter)
            }
            8 if self.time.is_some() => {
                self.time_used = true;
                self.time.clone().unwrap()
            }
            _ => self.literal(),
        }
    }

    fn flat_coordinate(&self, i: usize) -> Expr {
        let within = |expr: &&Expr| matches!(expr, Expr::Coordinate { first, len, .. } if (*first..first + len).contains(&i));
        match self.coordinates.iter().find(within) {
            Some(
                point @ Expr::Coordinate {
                    first, len: 2.., ..
                },
            ) => Expr::Component(Box::new(point.clone()), i - first),
            Some(scalar) => scalar.clone(),
            None => unreachable!(),
        }
    }

    fn some_component(&mut self, expr: Expr) -> Expr {
        match &expr {
            Expr::Parameter { len, .. } | Expr::Coordinate { len, .. } if *len > 1 => {
                let i = self.random.below(*len);
                Expr::Component(Box::new(expr), i)
            }
            _ => expr,
        }
    }

    fn literal(&mut self) -> Expr {
        match self.random.below(6) {
            0 => number(["PI", "TAU", "E"][self.random.below(3)]),
            1 => number(&format!(
                "{}/{}",
                1 + self.random.below(9),
                2 + self.random.below(7)
            )),
            2 => number(&format!("{}", 1 + self.random.below(5))),
            _ => self.small_number(0.2, 4.0),
        }
    }

    fn small_number(&mut self, low: f64, high: f64) -> Expr {
        number(&format!("{:.2}", self.random.between(low, high)))
    }

    fn arithmetic(&mut self, depth: usize) -> Expr {
        let operator = *self.random.pick(&[
            Operator::Add,
            Operator::Sub,
            Operator::Mul,
            Operator::Mul,
            Operator::Div,
        ]);
        let left = self.scalar(depth - 1);
        let mut right = self.scalar(depth - 1);
        if self.random.once_in(5) {
            right = left.clone();
        }
        if operator == Operator::Div {
            right = self.steered_either_side(right, 0.4, 4.0);
        }
        binary(operator, left, right)
    }

    /// The expression, or with an offset or a factor so that its value lies between `low` and `high`.
    fn steered(&mut self, expr: Expr, low: f64, high: f64) -> Expr {
        let value = self.number_of(&expr);
        if (low..=high).contains(&value) {
            return expr;
        }
        let target = self
            .random
            .between(low + 0.1 * (high - low), high - 0.1 * (high - low));
        let factor = target / value;
        if (0.2..5.0).contains(&factor) && self.random.once_in(2) {
            return binary(Operator::Mul, number(&format!("{factor:.3}")), expr);
        }
        let (offset, operator) = match target - value {
            offset if offset < 0.0 => (-offset, Operator::Sub),
            offset => (offset, Operator::Add),
        };
        binary(operator, expr, number(&format!("{offset:.3}")))
    }

    fn steered_either_side(&mut self, expr: Expr, low: f64, high: f64) -> Expr {
        if self.number_of(&expr) < 0.0 {
            self.steered(expr, -high, -low)
        } else {
            self.steered(expr, low, high)
        }
    }

    fn power(&mut self, depth: usize) -> Expr {
        let base = self.scalar(depth - 1);
        let spelling = self.random.below(4);
        let named = |name, method| {
            if method {
                PowerSpelling::Method(name)
            } else {
                PowerSpelling::Function(name)
            }
        };
        let (base, exponent, names): (_, _, &[&'static str]) = match self.random.below(10) {
            0..=3 => (
                base,
                Exponent::Integer(2 + self.random.below(4) as i32),
                &["pow", "powi", "powf"],
            ),
            4 => (
                base,
                Exponent::Integer(self.random.below(2) as i32),
                &["pow", "powi", "powf"],
            ),
            5..=6 => {
                let exponent = Exponent::Integer(-1 - self.random.below(3) as i32);
                (
                    self.steered_either_side(base, 0.5, 3.0),
                    exponent,
                    &["pow", "powi", "powf"],
                )
            }
            7 => {
                let (n, d) =
                    *self
                        .random
                        .pick(&[(1, 2), (3, 2), (-1, 2), (1, 3), (-5, 3), (7, 4), (5, 2)]);
                (
                    self.steered(base, 0.4, 3.0),
                    Exponent::Ratio(n, d),
                    &["pow", "powf"],
                )
            }
            8 => {
                let exponent = format!("{:.2}", self.random.between(-2.0, 3.0));
                (
                    self.steered(base, 0.4, 3.0),
                    Exponent::Decimal(exponent),
                    &["pow", "powf"],
                )
            }
            _ => {
                let exponent = self.scalar(depth - 1);
                let exponent = self.steered(exponent, -2.0, 2.0);
                (
                    self.steered(base, 0.4, 3.0),
                    Exponent::Symbolic(Box::new(exponent)),
                    &["pow", "powf"],
                )
            }
        };
        let name = *self.random.pick(names);
        let spelling = if spelling < 2 {
            PowerSpelling::Caret
        } else {
            named(name, spelling == 2)
        };
        Expr::Power(Box::new(base), exponent, spelling)
    }

    fn unary_call(&mut self, depth: usize) -> Expr {
        let (name, low, high) = *self.random.pick(&unary());
        let argument = self.scalar(depth - 1);
        let argument = if TWO_SIDED.contains(&name) {
            self.steered_either_side(argument, low, high)
        } else {
            self.steered(argument, low, high)
        };
        Expr::Call {
            name,
            arguments: vec![argument],
            method: self.random.once_in(2),
        }
    }

    fn binary_call(&mut self, depth: usize) -> Expr {
        let name = *self.random.pick(&["atan2", "hypot"]);
        let (first, second) = (self.scalar(depth - 1), self.scalar(depth - 1));
        let first = self.steered_either_side(first, 0.3, 4.0);
        Expr::Call {
            name,
            arguments: vec![first, second],
            method: self.random.once_in(2),
        }
    }

    /// `min` or `max`, the arguments well apart.
    fn extreme(&mut self, depth: usize) -> Expr {
        let name = *self.random.pick(&["min", "max"]);
        let mut arguments = vec![self.scalar(depth - 1)];
        for _ in 0..1 + self.random.below(2) {
            let next = self.scalar(depth - 1);
            let values: Vec<f64> = arguments.iter().map(|a| self.number_of(a)).collect();
            let (low, high) = (
                values.iter().fold(f64::MAX, |a, &b| a.min(b)),
                values.iter().fold(f64::MIN, |a, &b| a.max(b)),
            );
            let next = if self.random.once_in(2) {
                self.steered(next, high + 0.2, high + 3.0)
            } else {
                self.steered(next, low - 3.0, low - 0.2)
            };
            arguments.push(next);
        }
        Expr::Call {
            name,
            arguments,
            method: self.random.once_in(2),
        }
    }

    // ---- vectors --------------------------------------------------------------------------------

    fn of_vectors(&mut self, depth: usize) -> Expr {
        let len = 2 + self.random.below(2);
        let method = self.random.once_in(2);
        let vector = self.vector_of(len, depth - 1);
        match self.random.below(6) {
            0 | 1 => {
                let other = self.vector_of(len, depth - 1);
                Expr::Call {
                    name: "dot",
                    arguments: vec![vector, other],
                    method,
                }
            }
            2 if len == 2 => {
                let other = self.vector_of(len, depth - 1);
                Expr::Call {
                    name: "cross",
                    arguments: vec![vector, other],
                    method,
                }
            }
            2 => Expr::Component(Box::new(vector), self.random.below(len)),
            3 => Expr::Call {
                name: "norm_squared",
                arguments: vec![vector],
                method,
            },
            _ => {
                let vector = self.away_from_origin(vector);
                Expr::Call {
                    name: "norm",
                    arguments: vec![vector],
                    method,
                }
            }
        }
    }

    fn vector(&mut self, depth: usize) -> Expr {
        let len = 2 + self.random.below(2);
        self.vector_of(len, depth)
    }

    fn vector_of(&mut self, len: usize, depth: usize) -> Expr {
        let expr = if depth == 0 {
            self.vector_leaf(len, 0)
        } else {
            self.untamed_vector(len, depth)
        };
        let size = self
            .evaluate(&expr)
            .iter()
            .map(|x| x * x)
            .sum::<f64>()
            .sqrt();
        assert!(size.is_finite(), "{expr:?}");
        if size <= 6.0 {
            return expr;
        }
        binary(
            Operator::Div,
            expr,
            number(&format!("{}", (size / 3.0).ceil())),
        )
    }

    fn untamed_vector(&mut self, len: usize, depth: usize) -> Expr {
        let method = self.random.once_in(2);
        match self.random.below(8) {
            0 | 1 => {
                let operator = *self.random.pick(&[Operator::Add, Operator::Sub]);
                binary(
                    operator,
                    self.vector_of(len, depth - 1),
                    self.vector_of(len, depth - 1),
                )
            }
            2 => {
                let (scalar, vector) = (self.scalar(depth - 1), self.vector_of(len, depth - 1));
                if self.random.once_in(2) {
                    return binary(Operator::Mul, scalar, vector);
                }
                binary(Operator::Mul, vector, scalar)
            }
            3 => {
                let (vector, scalar) = (self.vector_of(len, depth - 1), self.scalar(depth - 1));
                let scalar = self.steered_either_side(scalar, 0.5, 3.0);
                binary(Operator::Div, vector, scalar)
            }
            4 => {
                let vector = self.vector_of(len, depth - 1);
                let arguments = vec![self.away_from_origin(vector)];
                Expr::Call {
                    name: "normalize",
                    arguments,
                    method,
                }
            }
            5 if len == 2 => {
                let arguments = vec![self.vector_of(len, depth - 1)];
                Expr::Call {
                    name: "perp",
                    arguments,
                    method,
                }
            }
            5 => {
                let arguments = vec![
                    self.vector_of(len, depth - 1),
                    self.vector_of(len, depth - 1),
                ];
                Expr::Call {
                    name: "cross",
                    arguments,
                    method,
                }
            }
            6 => {
                let condition = self.condition(depth - 1, true);
                let (taken, other) = (
                    self.vector_of(len, depth - 1),
                    self.vector_of(len, depth - 1),
                );
                Expr::If(vec![(condition, taken)], Box::new(other))
            }
            _ => self.vector_leaf(len, depth),
        }
    }

    fn vector_leaf(&mut self, len: usize, depth: usize) -> Expr {
        let size = |expr: &Expr| match expr {
            Expr::Coordinate { len, .. } | Expr::Parameter { len, .. } => *len,
            _ => 0,
        };
        let mut leaves: Vec<Expr> = self
            .coordinates
            .iter()
            .chain(&self.parameters)
            .filter(|e| size(e) == len)
            .cloned()
            .collect();
        let locals = self
            .scope
            .iter()
            .zip(&self.scope_sizes)
            .filter(|(_, size)| **size == len);
        leaves.extend(locals.map(|(expr, _)| expr.clone()));
        if leaves.is_empty() || self.random.once_in(3) {
            let depth = depth.saturating_sub(1);
            return Expr::List((0..len).map(|_| self.scalar(depth)).collect());
        }
        self.random.pick(&leaves).clone()
    }

    fn away_from_origin(&mut self, vector: Expr) -> Expr {
        let parts = self.evaluate(&vector);
        if parts.iter().map(|x| x * x).sum::<f64>() > 0.3 {
            return vector;
        }
        let offsets = parts.iter().map(|_| self.small_number(1.0, 2.0)).collect();
        binary(Operator::Add, vector, Expr::List(offsets))
    }

    // ---- choice and names -----------------------------------------------------------------------

    fn choice(&mut self, depth: usize) -> Expr {
        let taken = self.scalar(depth - 1);
        let poisoned = self.poisoned(depth - 1);
        let mut branches = Vec::new();
        if self.random.once_in(3) {
            let condition = self.condition(depth - 1, false);
            branches.push((condition, self.poisoned(depth - 1)));
        }
        if self.random.once_in(2) {
            branches.push((self.condition(depth - 1, true), taken));
            return Expr::If(branches, Box::new(poisoned));
        }
        branches.push((self.condition(depth - 1, false), poisoned));
        Expr::If(branches, Box::new(taken))
    }

    /// A condition of known truth that no small change of the state turns.
    fn condition(&mut self, depth: usize, truth: bool) -> Condition {
        match self.random.below(8) {
            0 => Condition::Not(Box::new(self.condition(depth, !truth))),
            1 => {
                let (a, b) = if truth {
                    (true, true)
                } else {
                    *self.random.pick(&[(true, false), (false, true)])
                };
                Condition::And(
                    Box::new(self.condition(depth, a)),
                    Box::new(self.condition(depth, b)),
                )
            }
            2 => {
                let (a, b) = if truth {
                    *self.random.pick(&[(true, false), (false, true)])
                } else {
                    (false, false)
                };
                Condition::Or(
                    Box::new(self.condition(depth, a)),
                    Box::new(self.condition(depth, b)),
                )
            }
            _ => self.comparison(depth, truth),
        }
    }

    fn comparison(&mut self, depth: usize, truth: bool) -> Condition {
        let left = self.scalar(depth);
        let value = self.number_of(&left);
        let gap = self.random.between(0.3, 2.0);
        if !truth && self.random.once_in(6) {
            return Condition::Compare("==", Box::new(left), Box::new(signed(value + gap)));
        }
        let less = self.random.once_in(2);
        let sign = match (less, self.random.once_in(2)) {
            (true, true) => "<",
            (true, false) => "<=",
            (false, true) => ">",
            (false, false) => ">=",
        };
        let bound = if less == truth {
            value + gap
        } else {
            value - gap
        };
        Condition::Compare(sign, Box::new(left), Box::new(signed(bound)))
    }

    /// An expression that is infinite, not a number, or infinitely steep at the state itself.
    fn poisoned(&mut self, depth: usize) -> Expr {
        let innocent = self.scalar(depth);
        if self.random.once_in(3) {
            return innocent;
        }
        let i = self.random.below(self.state.q.len());
        let at_zero = binary(
            Operator::Sub,
            self.flat_coordinate(i),
            signed(self.state.q[i]),
        );
        let below = |x: f64| binary(Operator::Sub, at_zero.clone(), signed(x));
        let poison = match self.random.below(8) {
            0 => binary(Operator::Div, number("1"), at_zero),
            1 => call("sqrt", vec![at_zero]),
            2 => call("ln", vec![at_zero]),
            3 => call("sqrt", vec![below(1.0)]),
            4 => call("acos", vec![below(2.0)]),
            5 => call("atanh", vec![below(1.0)]),
            6 => call("cbrt", vec![at_zero]),
            _ => {
                let other = binary(Operator::Mul, number("0.5"), at_zero.clone());
                call("norm", vec![Expr::List(vec![at_zero, other])])
            }
        };
        binary(Operator::Mul, poison, innocent)
    }

    fn block(&mut self, depth: usize) -> Expr {
        let vector = self.random.once_in(3);
        let value = if vector {
            self.vector(depth - 1)
        } else {
            self.scalar(depth - 1)
        };
        let scope = self.scope.len();
        let binding = self.bind(value);
        let inner = self.scalar(depth - 1);
        self.scope.truncate(scope);
        self.scope_sizes.truncate(scope);
        Expr::Block(vec![binding], Box::new(inner))
    }

    fn bind(&mut self, value: Expr) -> (usize, Expr) {
        let slot = self.slots;
        self.slots += 1;
        self.scope_sizes.push(self.evaluate(&value).len());
        self.scope.push(Expr::Local {
            name: local_name(slot),
            slot,
        });
        self.locals.push((slot, value.clone()));
        (slot, value)
    }
}

/// A number of either sign, exact to six decimals (coordinates are multiples of 1/64).
fn signed(x: f64) -> Expr {
    let text = number(&format!("{:.6}", x.abs()));
    if x < 0.0 {
        Expr::Negate(Box::new(text))
    } else {
        text
    }
}
