//! Equations read from the syntax tree, as power series. This reader shares no graph, normal forms or rules of
//! differentiation with the engine.

use crate::certify::Gap;
use std::rc::Rc;

use proc_macro2::Ident;

use super::bodies::Moving;
use super::field::Residue;
use super::point::{Point, Stop};
use super::series::{Series, dot};
use super::system::Scope;
use crate::expr::{CollectVec, Comparison, Function, MapEach, Number, SortedMap};
use crate::model::{Model, Shape};
use crate::syntax::ast::{Block, Expr, ExprKind, Factor, If, RelationKind, Term, name_of};

/// The value of an expression at a point.
#[derive(Clone, Debug)]
pub enum Value {
    /// A number.
    Scalar(Series),
    /// A vector.
    Vector(Vec<Series>),
    /// A condition.
    Condition(bool),
    /// A body, or the pose of one.
    Body(Rc<Moving>),
    /// The elements of an indexed name.
    Array(Rc<Vec<Value>>),
    /// The names that a part declares.
    Part(Rc<SortedMap<String, Value>>),
}

impl Value {
    pub fn components(&self) -> &[Series] {
        match self {
            Value::Scalar(series) => std::slice::from_ref(series),
            Value::Vector(components) => components,
            Value::Condition(_) | Value::Body(_) | Value::Array(_) | Value::Part(_) => &[],
        }
    }

    fn components_mut(&mut self) -> &mut [Series] {
        match self {
            Value::Scalar(series) => std::slice::from_mut(series),
            Value::Vector(components) => components,
            Value::Condition(_) | Value::Body(_) | Value::Array(_) | Value::Part(_) => &mut [],
        }
    }

    fn negated(mut self) -> Value {
        for component in self.components_mut() {
            *component = component.negative();
        }
        self
    }

    /// Values of a shape as the elements of arrays of these lengths, the outermost first.
    pub fn of_elements(lengths: &[usize], make: &mut dyn FnMut() -> Value) -> Value {
        let Some((&length, inner)) = lengths.split_first() else {
            return make();
        };
        let elements = (0..length).map(|_| Value::of_elements(inner, make));
        Value::Array(Rc::new(elements.collect_vec()))
    }

    /// A value of a shape.
    pub fn shaped(shape: Shape, components: Vec<Series>) -> Value {
        match (shape, &components[..]) {
            (Shape::Scalar, [one]) => Value::Scalar(*one),
            _ => Value::Vector(components),
        }
    }

    /// A value of the same shape with other components.
    pub fn of(&self, components: Vec<Series>) -> Value {
        match (self, &components[..]) {
            (Value::Scalar(_), [one]) => Value::Scalar(*one),
            _ => Value::Vector(components),
        }
    }
}

pub type Found<T> = Result<T, Stop>;

/// Reads expressions at a point.
pub struct Reader<'a> {
    /// The functions there.
    pub point: &'a mut Point,
    /// The values of names, the innermost last.
    pub names: Vec<(String, Value)>,
    /// Functions, parts and multipliers of a system.
    pub scope: Scope<'a>,
    /// Nesting depth of the expression, including called functions.
    depth: usize,
    spelled: Spelled,
}

/// A cache of the spelling of names, because names in loops are read in every round.
#[derive(Debug, Default)]
struct Spelled {
    /// Indexed by address in the tree.
    texts: Vec<Option<(usize, Rc<str>)>>,
}

impl Spelled {
    /// Size of the cache; entries that are in the way are replaced.
    const PLACES: usize = 64;

    fn text(&mut self, ident: &Ident) -> &Rc<str> {
        let address = std::ptr::from_ref(ident) as usize;
        if self.texts.is_empty() {
            self.texts = vec![None; Spelled::PLACES];
        }
        let place = &mut self.texts[address / size_of::<Ident>() % Spelled::PLACES];
        let known = place.take().filter(|it| it.0 == address);
        let text = known.unwrap_or_else(|| (address, name_of(ident).into()));
        &place.insert(text).1
    }
}

/// Limit of nesting, so that a small stack suffices.
const MAX_DEPTH: usize = 100;

impl<'a> Reader<'a> {
    pub fn new(point: &'a mut Point, names: Vec<(String, Value)>) -> Reader<'a> {
        Reader {
            point,
            names,
            scope: Scope::default(),
            depth: 0,
            spelled: Spelled::default(),
        }
    }

    /// The rows of the top-level equation: each is 0.
    pub fn rows(&mut self, expr: &Expr) -> Found<Vec<Series>> {
        match &expr.kind {
            ExprKind::Block(block) => self.within(block, Reader::rows),
            ExprKind::List(items) => {
                let rows: Found<Vec<_>> = items.iter().map(|item| self.rows(item)).collect();
                Ok(rows?.concat())
            }
            ExprKind::Compare(relation, left, right) if relation.kind == RelationKind::Eq => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                Ok(paired(&left, &right, Series::minus))
            }
            _ => Ok(self.value(expr)?.components().to_vec()),
        }
    }

    fn within<T>(&mut self, block: &Block, inside: fn(&mut Self, &Expr) -> Found<T>) -> Found<T> {
        let outside = self.names.len();
        let named = block.lets.iter().try_for_each(|statement| {
            let value = self.value(&statement.value)?;
            self.names.push((name_of(&statement.name), value));
            Ok(())
        });
        let found = named.and_then(|()| inside(self, &block.value));
        self.names.truncate(outside);
        found
    }

    pub fn scalar(&mut self, expr: &Expr) -> Found<Series> {
        match self.value(expr)? {
            Value::Scalar(series) => Ok(series),
            _ => Err(Stop::UNREAD),
        }
    }

    /// An integer, for indices.
    pub fn whole(&mut self, expr: &Expr) -> Found<i64> {
        let short = match &expr.kind {
            ExprKind::Number(digits) => digits.parse().ok(),
            ExprKind::Name(name) => match self.named(name) {
                Some(Value::Scalar(index)) => index.value.as_small(),
                _ => None,
            },
            _ => None,
        };
        match (short, &expr.kind) {
            (Some(whole), _) => Ok(whole),
            (None, ExprKind::Sum(terms)) => terms.iter().try_fold(0_i64, |sum, term| {
                let term = (self.whole(&term.value)?, term.negative);
                let (size, negative) = term;
                let sum = if negative {
                    sum.checked_sub(size)
                } else {
                    sum.checked_add(size)
                };
                sum.ok_or(Stop::UNREAD)
            }),
            _ => self.scalar(expr)?.value.as_small().ok_or(Stop::UNREAD),
        }
    }

    fn condition(&mut self, expr: &Expr) -> Found<bool> {
        match self.value(expr)? {
            Value::Condition(holds) => Ok(holds),
            _ => Err(Stop::UNREAD),
        }
    }

    pub fn value(&mut self, expr: &Expr) -> Found<Value> {
        if self.depth == MAX_DEPTH {
            return Err(Stop::Uncovered(Gap::Deep));
        }
        self.depth += 1;
        let found = self.read(expr);
        self.depth -= 1;
        found
    }

    fn read(&mut self, expr: &Expr) -> Found<Value> {
        Ok(match &expr.kind {
            ExprKind::Number(digits) => {
                let number = number(digits).ok_or(Stop::Uncovered(Gap::Rounded))?;
                Value::Scalar(Series::constant(number))
            }
            ExprKind::Name(ident) => self.name(ident)?,
            ExprKind::Sum(terms) => self.sum(terms)?,
            ExprKind::Product(factors) => self.product(factors)?,
            ExprKind::Neg(inner) => {
                let value = self.value(inner)?;
                value.negated()
            }
            ExprKind::Power(base, exponent) => {
                let (base, exponent) = (self.scalar(base)?, self.scalar(exponent)?);
                Value::Scalar(base.power(exponent, self.point)?)
            }
            ExprKind::Call {
                function,
                arguments,
                ..
            } => self.call(function, arguments)?,
            ExprKind::Component(of, name) => {
                let (of, name) = (self.value(of)?, name_of(name));
                member(&of, &name).ok_or(Stop::UNREAD)?
            }
            ExprKind::List(items) => {
                let mut values = Vec::with_capacity(items.len());
                for item in items {
                    values.push(self.value(item)?);
                }
                list(values)
            }
            ExprKind::Block(block) => self.within(block, Reader::value)?,
            ExprKind::If(choice) => self.choice(choice)?,
            ExprKind::With(relation, _) => return self.value(relation),
            ExprKind::Compare(relation, a, b) => {
                Value::Condition(self.comparison(relation.kind, a, b)?)
            }
            ExprKind::And(list) => Value::Condition(self.all(list, true)?),
            ExprKind::Or(list) => Value::Condition(!self.all(list, false)?),
            ExprKind::Not(inner) => Value::Condition(!self.condition(inner)?),
            ExprKind::Remainder(a, b) => {
                let whole = self.whole(a)?.checked_rem_euclid(self.whole(b)?);
                let whole = Residue::of(whole.ok_or(Stop::UNREAD)?);
                Value::Scalar(Series::constant(whole))
            }
            ExprKind::SumOver(repeated, term) => self.sum_over(repeated, term)?,
            ExprKind::Index(of, index) => {
                let (of, index) = (self.value(of)?, self.whole(index)?);
                element(&of, index).ok_or(Stop::UNREAD)?
            }
            ExprKind::Error => return Err(Stop::UNREAD),
        })
    }

    fn name(&mut self, ident: &Ident) -> Found<Value> {
        if let Some(value) = self.named(ident) {
            return Ok(value.clone());
        }
        let turns = match &name_of(ident)[..] {
            "PI" => 1,
            "TAU" => 2,
            // e is rounded.
            _ => return Err(Stop::Uncovered(Gap::Rounded)),
        };
        let number = Residue::of_number(Number::integer(turns) * Number::PI);
        number
            .map(|it| Value::Scalar(Series::constant(it)))
            .ok_or(Stop::UNREAD)
    }

    fn named(&mut self, ident: &Ident) -> Option<&Value> {
        let name = self.spelled.text(ident);
        let (names, mut k) = (&self.names[..], self.names.len());
        while k > 0 {
            k -= 1;
            if names[k].0.len() == name.len() && *names[k].0 == **name {
                return Some(&names[k].1);
            }
        }
        None
    }

    fn sum(&mut self, terms: &[Term]) -> Found<Value> {
        let mut total: Option<Value> = None;
        for term in terms {
            let value = self.value(&term.value)?;
            let negative = term.negative;
            total = Some(match total {
                None if negative => value.negated(),
                None => value,
                Some(mut sum) => {
                    for (a, b) in sum.components_mut().iter_mut().zip(value.components()) {
                        *a = if negative { a.minus(*b) } else { a.plus(*b) };
                    }
                    sum
                }
            });
        }
        total.ok_or(Stop::UNREAD)
    }

    fn product(&mut self, factors: &[Factor]) -> Found<Value> {
        let Some((first, others)) = factors.split_first() else {
            return Err(Stop::UNREAD);
        };
        let mut product = match self.value(&first.value)? {
            Value::Scalar(by) if first.inverse => Value::Scalar(by.inverse()?),
            value => value,
        };
        for factor in others {
            let value = self.value(&factor.value)?;
            product = match (&product, &value) {
                (Value::Scalar(a), Value::Scalar(b)) if !factor.inverse => {
                    Value::Scalar(a.times(*b))
                }
                (_, Value::Scalar(by)) => {
                    let by = if factor.inverse { by.inverse()? } else { *by };
                    product.of(product
                        .components()
                        .iter()
                        .map(|it| it.times(by))
                        .collect_vec())
                }
                (Value::Scalar(by), Value::Vector(components)) => {
                    Value::Vector(components.iter().map(|it| it.times(*by)).collect_vec())
                }
                (Value::Body(before), Value::Body(pose)) => {
                    Value::Body(Rc::new(before.followed_by(pose)))
                }
                _ => return Err(Stop::UNREAD),
            };
        }
        Ok(product)
    }

    /// The first branch whose condition holds.
    fn choice(&mut self, choice: &If) -> Found<Value> {
        for (condition, branch) in &choice.branches {
            let holds = self.condition(condition)?;
            self.point.taken.push(holds);
            if holds {
                return self.value(branch);
            }
        }
        self.value(&choice.otherwise)
    }

    fn comparison(&mut self, kind: RelationKind, a: &Expr, b: &Expr) -> Found<bool> {
        let (a, b) = (self.scalar(a)?, self.scalar(b)?);
        let comparison = match kind {
            RelationKind::Lt => Comparison::Lt,
            RelationKind::Le => Comparison::Le,
            RelationKind::Gt => Comparison::Gt,
            RelationKind::Ge => Comparison::Ge,
            RelationKind::Eq => Comparison::Eq,
        };
        Ok(self.point.compares(comparison, a.value, b.value))
    }

    /// True if all conditions equal `expected`. Like `&&` and `||`, it stops at the first that does not.
    fn all(&mut self, list: &[Expr], expected: bool) -> Found<bool> {
        for condition in list {
            if self.condition(condition)? != expected {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn call(&mut self, function: &Ident, arguments: &[Expr]) -> Found<Value> {
        let name = name_of(function);
        if let Some(found) = self.of_system(&name, arguments)? {
            return Ok(found);
        }
        if name.ends_with("_spline") {
            return Err(Stop::Uncovered(Gap::Spline));
        }
        let values: Found<Vec<Value>> = arguments.iter().map(|it| self.value(it)).collect();
        let values = values?;
        if let Some(found) = of_bodies(&name, &values) {
            return Ok(found);
        }
        if let Some(found) = self.of_vectors(&name, &values)? {
            return Ok(found);
        }
        let scalar = |value: &Value| match value {
            Value::Scalar(series) => Ok(*series),
            _ => Err(Stop::UNREAD),
        };
        let scalars: Found<Vec<Series>> = values.iter().map(scalar).collect();
        self.of_scalars(&name, &scalars?).map(Value::Scalar)
    }

    fn of_vectors(&mut self, name: &str, values: &[Value]) -> Found<Option<Value>> {
        let square = |of: &[Series]| dot(of, of);
        if let ("norm" | "norm_squared", [Value::Array(entries)]) = (name, values) {
            let entries = entries.iter().flat_map(Value::components).copied();
            return self.of_vectors(name, &[Value::Vector(entries.collect_vec())]);
        }
        let components: Vec<&[Series]> = values.iter().map(Value::components).collect_vec();
        Ok(Some(match (name, &components[..]) {
            ("dot", [a, b]) => Value::Scalar(dot(a, b)),
            ("cross", [a, b]) => match (a, b) {
                ([ax, ay], [bx, by]) => Value::Scalar(cross(*ax, *ay, *bx, *by)),
                ([ax, ay, az], [bx, by, bz]) => Value::Vector(vec![
                    cross(*ay, *az, *by, *bz),
                    cross(*az, *ax, *bz, *bx),
                    cross(*ax, *ay, *bx, *by),
                ]),
                _ => return Err(Stop::UNREAD),
            },
            ("norm_squared", [p]) => Value::Scalar(square(p)),
            ("norm", [p]) => Value::Scalar(square(p).call(Function::Sqrt, self.point)?),
            ("normalize", [p]) => {
                let inverse = square(p).call(Function::Sqrt, self.point)?.inverse()?;
                Value::Vector(p.iter().map(|it| it.times(inverse)).collect_vec())
            }
            ("perp", [[x, y]]) => Value::Vector(vec![y.negative(), *x]),
            _ => return Ok(None),
        }))
    }

    fn of_scalars(&mut self, name: &str, u: &[Series]) -> Found<Series> {
        if let ("to_radians" | "to_degrees", [angle]) = (name, u) {
            let degree = Number::ratio(1, 180) * Number::PI;
            let unit = match name {
                "to_radians" => degree,
                _ => degree.recip(),
            };
            let unit = Residue::of_number(unit).ok_or(Stop::Uncovered(Gap::Rounded))?;
            return Ok(angle.scaled(unit));
        }
        match (name, u) {
            ("recip", [a]) => return a.inverse(),
            ("pow" | "powf" | "powi", [a, b]) => return a.power(*b, self.point),
            ("min", _) => return extremum(u, Comparison::Le, self.point),
            ("max", _) => return extremum(u, Comparison::Ge, self.point),
            ("atan2", [y, x]) => return Series::atan2(*y, *x, self.point),
            ("hypot", [a, b]) => {
                let square = a.times(*a).plus(b.times(*b));
                return square.call(Function::Sqrt, self.point);
            }
            ("clamp", [x, low, high]) => {
                let above = x.chosen(Comparison::Ge, *low, self.point);
                return Ok(above.chosen(Comparison::Le, *high, self.point));
            }
            ("smoothstep", [low, high, x]) => {
                let fraction = x.minus(*low).times(high.minus(*low).inverse()?);
                let [zero, one] = [0, 1].map_each(|it| Series::constant(Residue::of(it)));
                let above = fraction.chosen(Comparison::Ge, zero, self.point);
                let part = above.chosen(Comparison::Le, one, self.point);
                let rest = Series::constant(Residue::of(3)).minus(part.plus(part));
                return Ok(part.times(part).times(rest));
            }
            ("softplus", [x]) => {
                let above = x.chosen(Comparison::Ge, Series::default(), self.point);
                let rest = self.decaying(*x)?.call(Function::Ln1p, self.point)?;
                return Ok(above.plus(rest));
            }
            ("logistic", [x]) => {
                let less = self.decaying(*x)?;
                let one = Series::constant(Residue::ONE);
                let is_right = self.point.holds(Comparison::Ge, x.value, Residue::ZERO);
                let part = if is_right { one } else { less };
                return Ok(part.times(less.plus(one).inverse()?));
            }
            _ => {}
        }
        let function = Function::from_name(name).ok_or(Stop::UNREAD)?;
        match u {
            [u] => u.call(function, self.point),
            _ => Err(Stop::UNREAD),
        }
    }
}

impl Reader<'_> {
    /// e⁻|ˣ|
    fn decaying(&mut self, x: Series) -> Found<Series> {
        let least = x.negative().chosen(Comparison::Le, x, self.point);
        least.call(Function::Exp, self.point)
    }
}

/// The exact number of a literal; most are short integers.
fn number(digits: &str) -> Option<Residue> {
    match digits.parse::<u32>() {
        Ok(short) => Some(Residue::of(short.into())),
        Err(_) => Number::parse_decimal(digits).and_then(Residue::of_number),
    }
}

/// The names of parameters with their values.
pub fn declared(model: &Model, parameters: &[Vec<Residue>]) -> Vec<(String, Value)> {
    let declared = model.parameters.iter().zip(parameters);
    let named = declared.map(|(parameter, values)| {
        let (shape, lengths) = (parameter.shape, &parameter.lengths);
        let value = given(shape, lengths, values);
        (name_of(&parameter.name), value)
    });
    named.collect_vec()
}

/// The value of an argument, element by element.
pub fn given(shape: Shape, lengths: &[usize], values: &[Residue]) -> Value {
    let mut elements = values.chunks(shape.len());
    Value::of_elements(lengths, &mut || {
        let own = elements.next().unwrap_or_default();
        let series = own.iter().map(|&it| Series::constant(it));
        Value::shaped(shape, series.collect_vec())
    })
}

/// `leg.foot`, `p.x`
fn member(of: &Value, name: &str) -> Option<Value> {
    if let Value::Part(members) = of {
        return members.get(name).cloned();
    }
    let place = match name {
        "x" => 0,
        "y" => 1,
        _ => 2,
    };
    of.components().get(place).copied().map(Value::Scalar)
}

/// `bead[2]`; a list of numbers has elements too.
fn element(of: &Value, index: i64) -> Option<Value> {
    let index = usize::try_from(index).ok()?;
    match of {
        Value::Array(elements) => elements.get(index).cloned(),
        _ => of.components().get(index).copied().map(Value::Scalar),
    }
}

/// A list of numbers is a vector, any other list is an array.
fn list(items: Vec<Value>) -> Value {
    let mut numbers = Vec::with_capacity(items.len());
    for item in &items {
        match item {
            Value::Scalar(number) => numbers.push(*number),
            _ => return Value::Array(Rc::new(items)),
        }
    }
    Value::Vector(numbers)
}

fn of_bodies(name: &str, values: &[Value]) -> Option<Value> {
    Some(match (name, values) {
        ("at", [Value::Body(body), Value::Vector(r)]) => {
            let arm = body.turned(r);
            Value::Vector(paired_with(&body.place, &arm, Series::plus))
        }
        ("dir", [Value::Body(body), Value::Vector(u)]) => Value::Vector(body.turned(u)),
        ("angular_velocity", [Value::Body(body)]) => match body.spin[..] {
            [spin] => Value::Scalar(spin),
            _ => Value::Vector(body.spin.clone()),
        },
        ("velocity", [value @ (Value::Scalar(_) | Value::Vector(_))]) => {
            value.of(value.components().iter().map(|it| it.rates()).collect_vec())
        }
        _ => return None,
    })
}

fn paired_with(a: &[Series], b: &[Series], with: fn(Series, Series) -> Series) -> Vec<Series> {
    a.iter().zip(b).map(|(a, b)| with(*a, *b)).collect_vec()
}

/// Applies an operation to pairs of components.
fn paired(a: &Value, b: &Value, with: fn(Series, Series) -> Series) -> Vec<Series> {
    paired_with(a.components(), b.components(), with)
}

/// a₁ b₂ − a₂ b₁
fn cross(a1: Series, a2: Series, b1: Series, b2: Series) -> Series {
    a1.times(b2).minus(a2.times(b1))
}

/// Combines pairs, then pairs of pairs, as the language specifies.
fn extremum(u: &[Series], comparison: Comparison, point: &mut Point) -> Found<Series> {
    let mut left = u.to_vec();
    while left.len() > 1 {
        let pairs = left.chunks(2).map(|pair| match *pair {
            [a, b] => a.chosen(comparison, b, point),
            _ => pair[0],
        });
        left = pairs.collect_vec();
    }
    left.first().copied().ok_or(Stop::UNREAD)
}
