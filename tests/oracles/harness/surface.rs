//! The test's own expressions: a tree, its text in the language of the macro, its value over any dual number.
//!
//! Nothing here knows the engine.

use num_dual::{Dual2_64, Dual64, DualNum, HyperDual64};

use super::random::Random;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Add,
    Sub,
    Mul,
    Div,
}

/// How a power is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PowerSpelling {
    Caret,
    Function(&'static str),
    Method(&'static str),
}

#[derive(Clone, Debug)]
pub enum Exponent {
    Integer(i32),
    Ratio(i32, i32),
    Decimal(String),
    Symbolic(Box<Expr>),
}

#[derive(Clone, Debug)]
pub enum Condition {
    Compare(&'static str, Box<Expr>, Box<Expr>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
    Not(Box<Condition>),
}

/// A scalar or a vector.
#[derive(Clone, Debug)]
pub enum Expr {
    /// `2`, `0.35`, `7/6`, `PI`: as printed, not negative.
    Number {
        text: String,
        value: f64,
    },
    /// `len` scalars from flat index `first` on.
    Coordinate {
        name: String,
        first: usize,
        len: usize,
    },
    Parameter {
        name: String,
        first: usize,
        len: usize,
    },
    Time {
        name: String,
    },
    /// A `let`; slots are numbered through the whole case.
    Local {
        name: String,
        slot: usize,
    },
    Negate(Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
    Power(Box<Expr>, Exponent, PowerSpelling),
    Call {
        name: &'static str,
        arguments: Vec<Expr>,
        method: bool,
    },
    Component(Box<Expr>, usize),
    List(Vec<Expr>),
    If(Vec<(Condition, Expr)>, Box<Expr>),
    Block(Vec<(usize, Expr)>, Box<Expr>),
}

/// `left == right`, or `left` alone.
#[derive(Clone, Debug)]
pub struct Row {
    pub left: Expr,
    pub right: Option<Expr>,
}

/// All equations, with the `let`s before them.
#[derive(Clone, Debug)]
pub struct Body {
    pub lets: Vec<(usize, Expr)>,
    pub rows: Vec<Row>,
}

// ---- construction -------------------------------------------------------------------------------

pub fn number(text: &str) -> Expr {
    let value = match text.split_once('/') {
        Some((n, d)) => n.parse::<f64>().unwrap() / d.parse::<f64>().unwrap(),
        None if text == "PI" => std::f64::consts::PI,
        None if text == "TAU" => std::f64::consts::TAU,
        None if text == "E" => std::f64::consts::E,
        None => text.parse().unwrap(),
    };
    Expr::Number {
        text: text.to_owned(),
        value,
    }
}

pub fn coordinate(name: &str, first: usize) -> Expr {
    Expr::Coordinate {
        name: name.to_owned(),
        first,
        len: 1,
    }
}

pub fn parameter(name: &str, first: usize) -> Expr {
    Expr::Parameter {
        name: name.to_owned(),
        first,
        len: 1,
    }
}

pub fn binary(operator: Operator, left: Expr, right: Expr) -> Expr {
    Expr::Binary(operator, Box::new(left), Box::new(right))
}

pub fn call(name: &'static str, arguments: Vec<Expr>) -> Expr {
    Expr::Call {
        name,
        arguments,
        method: false,
    }
}

pub fn power(base: Expr, exponent: Exponent) -> Expr {
    Expr::Power(Box::new(base), exponent, PowerSpelling::Caret)
}

pub fn local_name(slot: usize) -> String {
    format!("d{slot}")
}

// ---- printing -----------------------------------------------------------------------------------

/// Binding strength of printed text, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
    Relation,
    Sum,
    Product,
    Unary,
    Power,
    Postfix,
}

/// Writes text with as few parentheses as precedence allows, and now and then a pair more.
pub struct Printer {
    random: Option<Random>,
}

impl Printer {
    /// No superfluous parentheses.
    pub fn plain() -> Printer {
        Printer { random: None }
    }

    pub fn playful(random: Random) -> Printer {
        Printer {
            random: Some(random),
        }
    }

    fn whim(&mut self, times: usize) -> bool {
        self.random
            .as_mut()
            .is_some_and(|random| random.once_in(times))
    }

    pub fn body(&mut self, body: &Body) -> String {
        let rows: Vec<String> = body.rows.iter().map(|row| self.row(row)).collect();
        let rows = match &rows[..] {
            [row] => row.clone(),
            rows => format!(
                "[{}{}]",
                rows.join(", "),
                if self.whim(4) { "," } else { "" }
            ),
        };
        match &body.lets[..] {
            [] => rows,
            lets => format!("{{ {}{rows} }}", self.lets(lets)),
        }
    }

    fn row(&mut self, row: &Row) -> String {
        let left = self.expr(&row.left);
        match &row.right {
            Some(right) => format!("{left} == {}", self.expr(right)),
            None => left,
        }
    }

    fn lets(&mut self, lets: &[(usize, Expr)]) -> String {
        lets.iter()
            .map(|(slot, value)| format!("let {} = {}; ", local_name(*slot), self.expr(value)))
            .collect()
    }

    pub fn expr(&mut self, expr: &Expr) -> String {
        self.at_least(expr, Level::Sum)
    }

    fn at_least(&mut self, expr: &Expr, least: Level) -> String {
        let (text, level) = self.text(expr);
        if level < least || self.whim(16) {
            format!("({text})")
        } else {
            text
        }
    }

    fn text(&mut self, expr: &Expr) -> (String, Level) {
        match expr {
            Expr::Number { text, .. } if text.contains('/') => (text.clone(), Level::Product),
            Expr::Number { text, .. } => (text.clone(), Level::Postfix),
            Expr::Coordinate { name, .. } | Expr::Parameter { name, .. } | Expr::Time { name } => {
                (name.clone(), Level::Postfix)
            }
            Expr::Local { name, .. } => (name.clone(), Level::Postfix),
            Expr::Negate(inner) => (
                format!("-{}", self.at_least(inner, Level::Unary)),
                Level::Unary,
            ),
            Expr::Binary(operator, left, right) => self.binary(*operator, left, right),
            Expr::Power(base, exponent, spelling) => self.power(base, exponent, *spelling),
            Expr::Call {
                name,
                arguments,
                method,
            } => (self.call(name, arguments, *method), Level::Postfix),
            Expr::Component(vector, i) => (
                format!("{}.{}", self.receiver(vector), ["x", "y", "z"][*i]),
                Level::Postfix,
            ),
            Expr::List(items) => (format!("[{}]", self.list(items)), Level::Postfix),
            Expr::If(branches, otherwise) => (self.choice(branches, otherwise), Level::Postfix),
            Expr::Block(lets, value) => (
                format!("{{ {}{} }}", self.lets(lets), self.expr(value)),
                Level::Postfix,
            ),
        }
    }

    fn binary(&mut self, operator: Operator, left: &Expr, right: &Expr) -> (String, Level) {
        let (sign, level, above) = match operator {
            Operator::Add => (" + ", Level::Sum, Level::Product),
            Operator::Sub => (" - ", Level::Sum, Level::Product),
            Operator::Mul => ("*", Level::Product, Level::Unary),
            Operator::Div => ("/", Level::Product, Level::Unary),
        };
        let (left, right) = (self.at_least(left, level), self.at_least(right, above));
        (format!("{left}{sign}{right}"), level)
    }

    fn power(
        &mut self,
        base: &Expr,
        exponent: &Exponent,
        spelling: PowerSpelling,
    ) -> (String, Level) {
        let (exponent, level) = match exponent {
            Exponent::Integer(n) => (
                n.to_string(),
                if *n < 0 { Level::Unary } else { Level::Postfix },
            ),
            Exponent::Ratio(n, d) => (format!("{n}/{d}"), Level::Product),
            Exponent::Decimal(text) => (text.clone(), Level::Unary),
            Exponent::Symbolic(exponent) => self.text(exponent),
        };
        match spelling {
            PowerSpelling::Function(name) => (
                format!("{name}({}, {exponent})", self.expr(base)),
                Level::Postfix,
            ),
            PowerSpelling::Method(name) => (
                format!("{}.{name}({exponent})", self.receiver(base)),
                Level::Postfix,
            ),
            PowerSpelling::Caret => {
                let base = self.at_least(base, Level::Postfix);
                let bare = level >= Level::Unary && !self.whim(3);
                (
                    if bare {
                        format!("{base}^{exponent}")
                    } else {
                        format!("{base}^({exponent})")
                    },
                    Level::Power,
                )
            }
        }
    }

    fn call(&mut self, name: &str, arguments: &[Expr], method: bool) -> String {
        if method {
            let receiver = self.receiver(&arguments[0]);
            return format!("{receiver}.{name}({})", self.list(&arguments[1..]));
        }
        format!("{name}({})", self.list(arguments))
    }

    /// What stands before a dot; numbers in parentheses.
    fn receiver(&mut self, expr: &Expr) -> String {
        match expr {
            Expr::Number { text, .. } => format!("({text})"),
            _ => self.at_least(expr, Level::Postfix),
        }
    }

    fn list(&mut self, items: &[Expr]) -> String {
        let mut text = items
            .iter()
            .map(|item| self.expr(item))
            .collect::<Vec<_>>()
            .join(", ");
        if !items.is_empty() && self.whim(8) {
            text.push(',');
        }
        text
    }

    fn choice(&mut self, branches: &[(Condition, Expr)], otherwise: &Expr) -> String {
        let branches: Vec<String> = branches
            .iter()
            .map(|(condition, value)| {
                format!(
                    "if {} {{ {} }}",
                    self.condition(condition, Level::Or),
                    self.expr(value)
                )
            })
            .collect();
        format!(
            "{} else {{ {} }}",
            branches.join(" else "),
            self.expr(otherwise)
        )
    }

    fn condition(&mut self, condition: &Condition, least: Level) -> String {
        let (text, level) = match condition {
            Condition::Compare(sign, a, b) => (
                format!("{} {sign} {}", self.expr(a), self.expr(b)),
                Level::Relation,
            ),
            Condition::And(a, b) => {
                let (a, b) = (
                    self.condition(a, Level::And),
                    self.condition(b, Level::Relation),
                );
                (format!("{a} && {b}"), Level::And)
            }
            Condition::Or(a, b) => {
                let (a, b) = (self.condition(a, Level::Or), self.condition(b, Level::And));
                (format!("{a} || {b}"), Level::Or)
            }
            Condition::Not(inner) => (
                format!("!{}", self.condition(inner, Level::Unary)),
                Level::Unary,
            ),
        };
        if level < least {
            format!("({text})")
        } else {
            text
        }
    }
}

// ---- evaluation ---------------------------------------------------------------------------------

/// Random relative changes of size `size` of every part of every intermediate result: see `oracle::scaled`.
#[derive(Clone, Debug)]
pub struct Noise {
    random: Random,
    size: f64,
}

impl Noise {
    pub fn none() -> Noise {
        Noise {
            random: Random::new(0),
            size: 0.0,
        }
    }

    pub fn new(seed: u64, size: f64) -> Noise {
        Noise {
            random: Random::new(seed),
            size,
        }
    }

    pub fn on(&mut self, x: f64) -> f64 {
        if self.size == 0.0 {
            x
        } else {
            x * (1.0 + self.size * self.random.between(-1.0, 1.0))
        }
    }
}

/// A dual number whose parts can be disturbed one by one.
pub trait Jittered: DualNum<Primitive = f64> + Copy {
    fn jittered(self, noise: &mut Noise) -> Self;
}

impl Jittered for f64 {
    fn jittered(self, noise: &mut Noise) -> f64 {
        noise.on(self)
    }
}

impl Jittered for Dual64 {
    fn jittered(self, noise: &mut Noise) -> Dual64 {
        Dual64::new(noise.on(self.re), noise.on(self.eps))
    }
}

impl Jittered for Dual2_64 {
    fn jittered(self, noise: &mut Noise) -> Dual2_64 {
        Dual2_64::new(noise.on(self.re), noise.on(self.v1), noise.on(self.v2))
    }
}

impl Jittered for HyperDual64 {
    fn jittered(self, noise: &mut Noise) -> HyperDual64 {
        let HyperDual64 {
            re,
            eps1,
            eps2,
            eps1eps2,
        } = self;
        HyperDual64::new(
            noise.on(re),
            noise.on(eps1),
            noise.on(eps2),
            noise.on(eps1eps2),
        )
    }
}

/// One to three numbers.
#[derive(Clone, Copy, Debug)]
pub struct Value<D> {
    at: [D; 3],
    len: usize,
}

impl<D: Jittered> Value<D> {
    fn scalar(x: D) -> Value<D> {
        Value { at: [x; 3], len: 1 }
    }

    fn collect(parts: impl IntoIterator<Item = D>) -> Value<D> {
        let mut value = Value {
            at: [D::from(0.0); 3],
            len: 0,
        };
        for part in parts {
            value.at[value.len] = part;
            value.len += 1;
        }
        value
    }

    pub fn parts(&self) -> &[D] {
        &self.at[..self.len]
    }

    fn zip(self, other: Value<D>, f: impl Fn(D, D) -> D) -> Value<D> {
        assert_eq!(self.len, other.len);
        Value::collect((0..self.len).map(|i| f(self.at[i], other.at[i])))
    }

    fn map(self, f: impl FnMut(D) -> D) -> Value<D> {
        Value::collect(self.parts().to_vec().into_iter().map(f))
    }
}

/// What names stand for, and the noise to add.
pub struct Environment<'a, D> {
    pub coordinates: &'a [D],
    pub parameters: &'a [f64],
    pub time: D,
    pub locals: Vec<Option<Value<D>>>,
    pub noise: Noise,
}

impl<'a, D: Jittered> Environment<'a, D> {
    pub fn new(coordinates: &'a [D], parameters: &'a [f64], time: D) -> Environment<'a, D> {
        Environment {
            coordinates,
            parameters,
            time,
            locals: Vec::new(),
            noise: Noise::none(),
        }
    }

    /// The residuals of all rows.
    pub fn rows(&mut self, body: &Body) -> Vec<D> {
        self.bind(&body.lets);
        let mut residuals = Vec::new();
        for row in &body.rows {
            let mut value = self.value(&row.left);
            if let Some(right) = &row.right {
                value = value.zip(self.value(right), |a, b| a - b);
            }
            residuals.extend(value.map(|part| part.jittered(&mut self.noise)).parts());
        }
        residuals
    }

    pub fn bind(&mut self, lets: &[(usize, Expr)]) {
        for (slot, value) in lets {
            let value = self.value(value);
            let size = self.locals.len().max(slot + 1);
            self.locals.resize(size, None);
            self.locals[*slot] = Some(value);
        }
    }

    pub fn scalar(&mut self, expr: &Expr) -> D {
        let value = self.value(expr);
        assert_eq!(value.len, 1);
        value.at[0]
    }

    pub fn value(&mut self, expr: &Expr) -> Value<D> {
        let exact = match expr {
            Expr::Coordinate { first, len, .. } => {
                Value::collect(self.coordinates[*first..first + len].iter().copied())
            }
            Expr::Parameter { first, len, .. } => Value::collect(
                self.parameters[*first..first + len]
                    .iter()
                    .map(|&p| D::from(p)),
            ),
            Expr::Time { .. } => Value::scalar(self.time),
            Expr::Local { slot, .. } => self.locals[*slot].unwrap(),
            Expr::Component(vector, i) => return Value::scalar(self.value(vector).at[*i]),
            Expr::List(items) => return Value::collect(items.iter().map(|item| self.scalar(item))),
            Expr::Number { value, .. } => Value::scalar(D::from(*value)),
            Expr::Negate(inner) => return self.value(inner).map(|part| -part),
            Expr::Binary(operator, left, right) => self.binary(*operator, left, right),
            Expr::Power(base, exponent, _) => Value::scalar(self.power(base, exponent)),
            Expr::Call {
                name, arguments, ..
            } => self.call(name, arguments),
            Expr::If(branches, otherwise) => return self.choice(branches, otherwise),
            Expr::Block(lets, value) => {
                self.bind(lets);
                return self.value(value);
            }
        };
        // Leaves too: a function may cancel inside what its operands have in common.
        exact.map(|part| part.jittered(&mut self.noise))
    }

    fn binary(&mut self, operator: Operator, left: &Expr, right: &Expr) -> Value<D> {
        let (a, b) = (self.value(left), self.value(right));
        match operator {
            Operator::Add => a.zip(b, |a, b| a + b),
            Operator::Sub => a.zip(b, |a, b| a - b),
            Operator::Mul if a.len == 1 => b.map(|part| a.at[0] * part),
            Operator::Mul => a.map(|part| part * b.at[0]),
            Operator::Div => {
                let reciprocal = self.recip(b.at[0]);
                a.map(|part| part * reciprocal)
            }
        }
    }

    fn power(&mut self, base: &Expr, exponent: &Exponent) -> D {
        let base = self.scalar(base);
        match exponent {
            Exponent::Integer(n) => base.powi(*n),
            Exponent::Ratio(n, d) => base.powf(f64::from(*n) / f64::from(*d)),
            Exponent::Decimal(text) => base.powf(text.parse().unwrap()),
            Exponent::Symbolic(exponent) => {
                let exponent = self.scalar(exponent);
                self.exponential(base, exponent)
            }
        }
    }

    /// The branches that are not taken are not looked at.
    fn choice(&mut self, branches: &[(Condition, Expr)], otherwise: &Expr) -> Value<D> {
        for (condition, value) in branches {
            if self.holds(condition) {
                return self.value(value);
            }
        }
        self.value(otherwise)
    }

    pub fn holds(&mut self, condition: &Condition) -> bool {
        match condition {
            Condition::Compare(sign, a, b) => {
                let (a, b) = (self.scalar(a).re(), self.scalar(b).re());
                match *sign {
                    "<" => a < b,
                    "<=" => a <= b,
                    ">" => a > b,
                    ">=" => a >= b,
                    "==" => a == b,
                    _ => unreachable!("{sign}"),
                }
            }
            Condition::And(a, b) => self.holds(a) && self.holds(b),
            Condition::Or(a, b) => self.holds(a) || self.holds(b),
            Condition::Not(inner) => !self.holds(inner),
        }
    }

    fn call(&mut self, name: &str, arguments: &[Expr]) -> Value<D> {
        let values: Vec<Value<D>> = arguments
            .iter()
            .map(|argument| self.value(argument))
            .collect();
        match (name, &values[..]) {
            ("dot", [a, b]) => Value::scalar(self.dot(*a, *b)),
            ("norm", [a]) => Value::scalar(self.dot(*a, *a).sqrt()),
            ("norm_squared", [a]) => Value::scalar(self.dot(*a, *a)),
            ("normalize", [a]) => {
                let norm = self.dot(*a, *a).sqrt().jittered(&mut self.noise);
                let reciprocal = self.recip(norm);
                a.map(|part| part * reciprocal)
            }
            ("hypot", [x, y]) => {
                let both = Value::collect([x.at[0], y.at[0]]);
                Value::scalar(self.dot(both, both).sqrt())
            }
            ("powf", [x, y]) => Value::scalar(self.exponential(x.at[0], y.at[0])),
            ("atan2", [y, x]) => Value::scalar(self.angle(y.at[0], x.at[0])),
            ("perp", [a]) => Value::collect([-a.at[1], a.at[0]]),
            ("cross", [a, b]) if a.len == 2 => Value::scalar(minor(a, b, 0, 1)),
            ("cross", [a, b]) => {
                Value::collect([minor(a, b, 1, 2), minor(a, b, 2, 0), minor(a, b, 0, 1)])
            }
            ("min", _) => Value::scalar(extreme(&values, |a, b| a < b)),
            ("max", _) => Value::scalar(extreme(&values, |a, b| a > b)),
            (_, [x]) => Value::scalar(unary(name, x.at[0])),
            _ => unreachable!("{name}"),
        }
    }

    /// Steps that cancel in derivatives (|r|¨ of parallel r and v) are disturbed on their own.
    fn dot(&mut self, a: Value<D>, b: Value<D>) -> D {
        let products = a
            .zip(b, |a, b| a * b)
            .map(|part| part.jittered(&mut self.noise));
        products
            .parts()
            .iter()
            .copied()
            .reduce(|a, b| a + b)
            .unwrap()
            .jittered(&mut self.noise)
    }

    /// A quotient in one step would hide what cancels within it (b/b has no derivative, its terms have one).
    fn recip(&mut self, x: D) -> D {
        x.recip().jittered(&mut self.noise)
    }

    /// baseᵉ
    fn exponential(&mut self, base: D, exponent: D) -> D {
        let logarithm = base.ln().jittered(&mut self.noise);
        (logarithm * exponent).jittered(&mut self.noise).exp()
    }

    /// Through the smaller of the two quotients, so that neither axis is a singularity.
    fn angle(&mut self, y: D, x: D) -> D {
        let steep = y.re().abs() >= x.re().abs();
        let (small, large) = if steep { (x, y) } else { (y, x) };
        let quotient = (small * self.recip(large)).jittered(&mut self.noise);
        let angle = if steep {
            -quotient.atan()
        } else {
            quotient.atan()
        };
        angle + (y.re().atan2(x.re()) - angle.re())
    }
}

fn minor<D: Jittered>(a: &Value<D>, b: &Value<D>, i: usize, j: usize) -> D {
    a.at[i] * b.at[j] - a.at[j] * b.at[i]
}

fn extreme<D: Jittered>(values: &[Value<D>], better: impl Fn(f64, f64) -> bool) -> D {
    let parts = values.iter().map(|value| value.at[0]);
    parts
        .reduce(|best, x| if better(x.re(), best.re()) { x } else { best })
        .unwrap()
}

fn unary<D: Jittered>(name: &str, x: D) -> D {
    match name {
        "sin" => x.sin(),
        "cos" => x.cos(),
        "tan" => x.tan(),
        "asin" => x.asin(),
        "acos" => x.acos(),
        "atan" => x.atan(),
        "sinh" => x.sinh(),
        "cosh" => x.cosh(),
        "tanh" => x.tanh(),
        "asinh" => x.asinh(),
        "acosh" => x.acosh(),
        "atanh" => x.atanh(),
        "exp" => x.exp(),
        "exp_m1" => x.exp_m1(),
        "ln" => x.ln(),
        "ln_1p" => x.ln_1p(),
        "log2" => x.log2(),
        "log10" => x.log10(),
        "sqrt" => x.sqrt(),
        "cbrt" => x.cbrt(),
        "recip" => x.recip(),
        "abs" if x.re() < 0.0 => -x,
        "abs" => x,
        "signum" => D::from(x.re().signum()),
        "erf" => erf(x),
        "erfc" => D::one() - erf(x),
        _ => unreachable!("{name}"),
    }
}

/// erf u + f′ (x − u) + f″/2 (x − u)² with u the value of x and f′ = 2/√π exp(−u²), which is exact for numbers with
/// derivatives of second order; erf u = f′ Σ 2ⁿ u²ⁿ⁺¹/(1·3·5 … (2n + 1)) (Abramowitz and Stegun, 7.1.6).
fn erf<D: Jittered>(x: D) -> D {
    let u = x.re();
    let (mut term, mut sum) = (u, u);
    for n in 1..80 {
        term *= 2.0 * u * u / f64::from(2 * n + 1);
        sum += term;
    }
    let slope = core::f64::consts::FRAC_2_SQRT_PI * (-u * u).exp();
    let away = x - D::from(u);
    D::from(slope * sum) + away * slope - away * away * (u * slope)
}
