//! The functions of the language: those of the table, and compositions of them.

use proc_macro2::Ident;

use super::body::OfBody;
use super::lower::Lowering;
use super::smooth::Smooth;
use super::spline::Spline;
use super::value::Value;
use crate::diagnostic::catalogue::{self, Cause, Kind};
use crate::diagnostic::{Diagnostic, SourceRange, system};
use crate::expr::{CollectVec, ExprId, Function, Number};
use crate::syntax::ast::{Expr, ExprKind, name_of};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Builtin {
    Elementary(Function),
    Extremum(Function),
    Recip,
    Power,
    Powi,
    /// From degrees to radians
    Radians,
    /// From radians to degrees
    Degrees,
    Dot,
    Cross,
    Norm,
    NormSquared,
    Normalize,
    Perp,
    OfBody(OfBody),
    Smooth(Smooth),
}

/// Functions that are not a single row of the table: name, meaning, arguments as written.
const COMPOSED: [(&str, Builtin, &[&str]); 22] = [
    ("min", Builtin::Extremum(Function::Min), &["a", "b"]),
    ("max", Builtin::Extremum(Function::Max), &["a", "b"]),
    ("recip", Builtin::Recip, &["x"]),
    ("pow", Builtin::Power, &["x", "y"]),
    ("powf", Builtin::Power, &["x", "y"]),
    ("powi", Builtin::Powi, &["x", "n"]),
    ("to_radians", Builtin::Radians, &["x"]),
    ("to_degrees", Builtin::Degrees, &["x"]),
    ("dot", Builtin::Dot, &["a", "b"]),
    ("cross", Builtin::Cross, &["a", "b"]),
    ("norm", Builtin::Norm, &["p"]),
    ("norm_squared", Builtin::NormSquared, &["p"]),
    ("normalize", Builtin::Normalize, &["p"]),
    ("perp", Builtin::Perp, &["p"]),
    ("at", Builtin::OfBody(OfBody::At), &["body", "r"]),
    ("dir", Builtin::OfBody(OfBody::Dir), &["body", "u"]),
    ("velocity", Builtin::OfBody(OfBody::Velocity), &["p"]),
    (
        "angular_velocity",
        Builtin::OfBody(OfBody::AngularVelocity),
        &["body"],
    ),
    (
        "clamp",
        Builtin::Smooth(Smooth::Clamp),
        &["x", "low", "high"],
    ),
    (
        "smoothstep",
        Builtin::Smooth(Smooth::Smoothstep),
        &["low", "high", "x"],
    ),
    ("softplus", Builtin::Smooth(Smooth::Softplus), &["x"]),
    ("logistic", Builtin::Smooth(Smooth::Logistic), &["x"]),
];

fn find(name: &str) -> Option<(Builtin, Vec<&'static str>)> {
    if let Some((_, builtin, arguments)) = COMPOSED.iter().find(|row| row.0 == name) {
        return Some((*builtin, arguments.to_vec()));
    }
    let function = Function::from_name(name)?;
    let arguments = match (function, function.row().arity) {
        (Function::Atan2, _) => vec!["y", "x"],
        (_, 1) => vec!["x"],
        _ => vec!["x", "y"],
    };
    Some((Builtin::Elementary(function), arguments))
}

/// `sin(x)` for `sin`; `None` for an unknown function.
pub(super) fn usage(name: &str) -> Option<String> {
    let (_, arguments) = find(name)?;
    Some(format!("{name}({})", arguments.join(", ")))
}

/// The functions of the language; their arguments are numbers, vectors and bodies.
pub fn all_names() -> Vec<&'static str> {
    let composed = COMPOSED.iter().map(|row| row.0);
    let table = Function::all().map(|function| function.row().name);
    composed.chain(table).collect_vec()
}

/// The message for `sin(0,5)`, if there is one argument too many.
pub(super) fn decimal_comma(arguments: &[Expr], expected: usize) -> Option<Diagnostic> {
    let mut pairs = arguments
        .windows(2)
        .filter(|_| arguments.len() == expected + 1);
    pairs.find_map(|pair| {
        let range = pair[0].range.to(pair[1].range);
        let (whole, fraction) = (last_digits(&pair[0])?, first_digits(&pair[1])?);
        catalogue::decimal_comma(range, whole, fraction)
    })
}

/// The number that an expression ends with.
fn last_digits(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Number(digits) => Some(digits),
        ExprKind::Sum(terms) => last_digits(&terms.last()?.value),
        ExprKind::Product(factors) => last_digits(&factors.last()?.value),
        ExprKind::Neg(inner) | ExprKind::Power(_, inner) => last_digits(inner),
        _ => None,
    }
}

/// The number that an expression begins with.
fn first_digits(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Number(digits) => Some(digits),
        ExprKind::Sum(terms) => first_digits(&terms.first()?.value),
        ExprKind::Product(factors) => first_digits(&factors.first()?.value),
        ExprKind::Power(inner, _) => first_digits(inner),
        _ => None,
    }
}

impl Lowering<'_> {
    /// A call. Arguments are always lowered, so that their mistakes are found too.
    pub fn call(
        &mut self,
        function: &Ident,
        arguments: &[Expr],
        method: bool,
        range: SourceRange,
    ) -> Value {
        let name = name_of(function);
        let place = SourceRange::from(function.span());
        if self.is_of_solution(&name) {
            return self.of_solution(&name, arguments, place);
        }
        if let Some(spline) = Spline::of(&name).filter(|_| self.user_usage(&name).is_none()) {
            return self.spline(spline, &name, arguments, place, range);
        }
        if self.is_pose(&name) {
            return self.pose(arguments, place, range);
        }
        // In a system every moving thing has a velocity, not only bodies.
        let general = self.system.is_some() && name == "velocity";
        if let Some((Builtin::OfBody(of_body), expected)) = find(&name).filter(|_| !general) {
            return if arguments.len() == expected.len() {
                self.of_body(of_body, arguments, range)
            } else {
                self.wrong_arity(&name, place, expected.len(), false, arguments.len())
            };
        }
        let found = find(&name);
        // A user's function accepts bodies; an unknown one may be meant to.
        let of_the_user = self.user_usage(&name).is_some();
        let argument = if of_the_user || found.is_none() && !general {
            Self::value_or_body
        } else {
            Self::value
        };
        if let (Some((builtin @ (Builtin::Norm | Builtin::NormSquared), _)), [list]) =
            (&found, arguments)
            && self.is_long_list(list)
        {
            return self.norm_of_list(*builtin, list, range);
        }
        let values: Vec<Value> = arguments.iter().map(|a| argument(self, a)).collect_vec();
        if let Some(value) = self.system_call(&name, &values, arguments, place) {
            return value;
        }
        let Some((builtin, expected)) = found else {
            return self.unknown_function(&name, method, place);
        };
        let open = matches!(builtin, Builtin::Extremum(_));
        let fits = values.len() == expected.len() || open && values.len() > expected.len();
        if !fits {
            if let Some(comma) = decimal_comma(arguments, expected.len()) {
                return self.report(comma);
            }
            return self.wrong_arity(&name, place, expected.len(), open, values.len());
        }
        if values.iter().any(|value| value.kind().is_none()) {
            return Value::Poison;
        }
        let ranges: Vec<SourceRange> = arguments.iter().map(|a| a.range).collect_vec();
        match builtin {
            Builtin::Dot | Builtin::Cross => self.vector_product(builtin, &values, &ranges, range),
            Builtin::Norm | Builtin::NormSquared | Builtin::Normalize | Builtin::Perp => {
                self.of_vector(builtin, &name, &values[0], ranges[0], range)
            }
            _ => self.of_scalars(builtin, &values, &ranges, range),
        }
    }

    fn wrong_arity(
        &mut self,
        name: &str,
        place: SourceRange,
        expected: usize,
        open: bool,
        found: usize,
    ) -> Value {
        let usage = usage(name).unwrap_or_default();
        let count = arguments_in_words(expected, open);
        self.report(catalogue::wrong_arity(place, &usage, &count, found))
    }

    fn unknown_function(&mut self, name: &str, method: bool, place: SourceRange) -> Value {
        let diagnostic = match name {
            "x" | "y" | "z" if method => catalogue::component_as_method(place, name),
            "sum" if !method && self.system.is_some() => system::sum_without_range(place),
            "rate" | "der" | "derivative" | "deriv" | "diff" | "ddt" if self.system.is_some() => {
                system::rate_by_another_word(place, name)
            }
            _ if self.is_declared_later(name) => catalogue::declared_later(place, name),
            _ if !method && self.is_factor(name) => catalogue::call_of_a_name(place, name),
            _ => {
                let candidates: Vec<&str> = self.user_functions().chain(all_names()).collect_vec();
                catalogue::unknown_function(place, name, &candidates)
            }
        };
        self.report(diagnostic)
    }

    /// Whether brackets after this name were meant as a factor: a declared name, or a letter in the bare form.
    fn is_factor(&self, name: &str) -> bool {
        let letter = self.system.is_none() && name.chars().count() == 1;
        letter || self.names.get(name).is_some()
    }

    fn of_scalars(
        &mut self,
        builtin: Builtin,
        values: &[Value],
        ranges: &[SourceRange],
        range: SourceRange,
    ) -> Value {
        let scalars = values.iter().zip(ranges);
        let scalars: Vec<_> = scalars.map(|(v, &r)| self.as_scalar(v, r)).collect_vec();
        let Some(u) = scalars.into_iter().collect::<Option<Vec<ExprId>>>() else {
            return Value::Poison;
        };
        match builtin {
            Builtin::Extremum(function) => self.extremum(function, u),
            Builtin::Recip => {
                if self.is_divisor(u[0], ranges[0]) {
                    Value::Scalar(self.graph().recip(u[0]))
                } else {
                    Value::Poison
                }
            }
            Builtin::Powi => {
                let exponent = self.graph().as_number(u[1]);
                if exponent.is_some_and(Number::is_whole) {
                    self.power(u[0], u[1], range)
                } else {
                    self.report(catalogue::powi_exponent(ranges[1]))
                }
            }
            Builtin::Power => self.power(u[0], u[1], range),
            Builtin::Radians | Builtin::Degrees => {
                let degree = Number::ratio(1, 180) * Number::PI;
                let unit = match builtin {
                    Builtin::Radians => degree,
                    _ => degree.recip(),
                };
                let scaled = self.graph().scale(u[0], unit);
                self.finite_scalar(scaled, range, Cause::Other)
            }
            Builtin::Smooth(smooth) => self.smooth(smooth, &u, ranges, range),
            Builtin::Elementary(function) => {
                let call = self.graph().call(function, &u);
                self.finite_scalar(call, range, Cause::Other)
            }
            _ => Value::Poison,
        }
    }

    /// A balanced tree of binary calls, so that the depth grows with the logarithm of the number of arguments.
    fn extremum(&mut self, function: Function, mut u: Vec<ExprId>) -> Value {
        while u.len() > 1 {
            let pairs = u.chunks(2).map(|pair| match *pair {
                [a, b] => self.model.graph.call(function, &[a, b]),
                _ => pair[0],
            });
            u = pairs.collect_vec();
        }
        u.first().map_or(Value::Poison, |&id| Value::Scalar(id))
    }

    fn vector_product(
        &mut self,
        builtin: Builtin,
        values: &[Value],
        ranges: &[SourceRange],
        range: SourceRange,
    ) -> Value {
        for (value, &place) in values.iter().zip(ranges) {
            if let Value::Scalar(_) = value {
                return self.report(catalogue::expected_vector(place, Kind::Scalar));
            }
        }
        let (a, b) = (values[0].components(), values[1].components());
        if a.len() != b.len() {
            let (first, second) = (Kind::Vector(a.len()), Kind::Vector(b.len()));
            return self.report(catalogue::shape_mismatch(ranges[1], first, second));
        }
        let value = match (builtin, a, b) {
            (Builtin::Cross, &[ax, ay], &[bx, by]) => Value::Scalar(self.cross(ax, ay, bx, by)),
            (Builtin::Cross, &[ax, ay, az], &[bx, by, bz]) => Value::Vector(vec![
                self.cross(ay, az, by, bz),
                self.cross(az, ax, bz, bx),
                self.cross(ax, ay, bx, by),
            ]),
            _ => Value::Scalar(self.graph().dot(a, b)),
        };
        self.finite_value(value, range)
    }

    /// a₁ b₂ − a₂ b₁
    fn cross(&mut self, a1: ExprId, a2: ExprId, b1: ExprId, b2: ExprId) -> ExprId {
        let graph = self.graph();
        let (plus, minus) = (graph.mul(a1, b2), graph.mul(a2, b1));
        graph.sub(plus, minus)
    }

    /// Whether a list is longer than a vector, or an array has numbers as elements.
    fn is_long_list(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::List(items) => items.len() > 3,
            ExprKind::Name(name) => matches!(
                self.names.get(&name_of(name)),
                Some(Value::Array(elements)) if matches!(elements.first(), Some(Value::Scalar(_)))
            ),
            _ => false,
        }
    }

    /// The square root of the sum of the squares of all entries, or that sum.
    fn norm_of_list(&mut self, builtin: Builtin, list: &Expr, range: SourceRange) -> Value {
        let entries: Option<Vec<ExprId>> = match &list.kind {
            ExprKind::List(items) => {
                let entries: Vec<_> = items.iter().map(|item| self.scalar(item)).collect_vec();
                entries.into_iter().collect()
            }
            ExprKind::Name(name) => self.names.elements(&name_of(name)).map(|elements| {
                let numbers = elements.iter().flat_map(Value::components);
                numbers.copied().collect_vec()
            }),
            _ => None,
        };
        let Some(entries) = entries else {
            return Value::Poison;
        };
        let square = self.graph().dot(&entries, &entries);
        let square = match builtin {
            Builtin::Norm => self.graph().call(Function::Sqrt, &[square]),
            _ => square,
        };
        self.finite_scalar(square, range, Cause::Other)
    }

    fn of_vector(
        &mut self,
        builtin: Builtin,
        name: &str,
        value: &Value,
        place: SourceRange,
        range: SourceRange,
    ) -> Value {
        let Value::Vector(p) = value else {
            return self.report(match builtin {
                Builtin::Perp => catalogue::expected_vector(place, Kind::Scalar),
                _ => catalogue::norm_of_number(range, name),
            });
        };
        if builtin == Builtin::Perp {
            return match p[..] {
                [x, y] => Value::Vector(vec![self.graph().neg(y), x]),
                _ => self.report(catalogue::only_in_the_plane(place, name)),
            };
        }
        let square = self.graph().dot(p, p);
        let Value::Scalar(square) = self.finite_scalar(square, range, Cause::Other) else {
            return Value::Poison;
        };
        if builtin == Builtin::NormSquared {
            return Value::Scalar(square);
        }
        let norm = self.graph().call(Function::Sqrt, &[square]);
        if builtin == Builtin::Norm {
            return Value::Scalar(norm);
        }
        if !self.is_divisor(norm, place) {
            return Value::Poison;
        }
        value.map(|id| self.graph().div(id, norm))
    }
}

fn arguments_in_words(count: usize, open: bool) -> String {
    match (count, open) {
        (1, _) => "1 argument".to_owned(),
        (_, true) => format!("{count} or more arguments"),
        _ => format!("{count} arguments"),
    }
}
