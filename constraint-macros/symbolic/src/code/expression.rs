//! Expressions over values of programs, names and elements of arrays.

use std::ops::{Add, Div, Mul, Neg, Sub};
use std::rc::Rc;

use proc_macro2::{Ident, TokenStream};

use super::{Affine, Integer, Name, Statement};
use crate::expr::{CollectVec, Comparison, Function, Map, MapEach, SymbolId};
use crate::schedule::{self, Op, Program, ValueId};

/// The values of a program.
#[derive(Clone, Copy, Debug)]
pub struct Values<'a> {
    /// The program.
    pub program: &'a Program,
    /// The names of leaves that are not those of the type.
    pub leaves: Option<&'a Map<SymbolId, Ident>>,
}

/// A field of the parameters, of the inputs or of an argument: `self.m`.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its place.
    pub place: TokenStream,
    /// The lengths of the nested arrays, the outermost first.
    pub lengths: Vec<usize>,
    /// A component of each element, where these are vectors.
    pub component: Option<usize>,
}

/// An array.
#[derive(Clone, Debug)]
pub enum Vector {
    /// An array of the function.
    Own(Name),
    /// An argument.
    Argument(Name),
    /// The result.
    Result,
    /// A field of the parameters, of the inputs or of an argument, whose elements are counted as one array.
    Field(Rc<Field>),
    /// This text, already in the language.
    Text(String),
    /// The numbers that members of families differ by.
    Numbers,
}

/// An element of an array; without indices the whole array, or a number that changes.
#[derive(Clone, Debug)]
pub struct ArrayElement {
    /// The array.
    pub vector: Vector,
    /// The index in each of the nested arrays, the outermost first.
    pub places: Vec<Integer>,
}

/// A number or a condition.
#[derive(Clone, Debug)]
pub enum Expression<'a> {
    /// A number of any sign.
    Number(f64),
    /// A condition that always holds or never.
    Boolean(bool),
    /// A number by its name.
    Name(Name),
    /// A number of an array.
    ArrayElement(ArrayElement),
    /// An integer, compared with others.
    Integer(Integer),
    /// An integer as a floating-point number.
    Real(Integer),
    /// A value of a program: its name where it has one.
    Value(Values<'a>, ValueId),
    /// An operation of two.
    Binary(Binary, Box<[Expression<'a>; 2]>),
    /// The negative.
    Negative(Box<Expression<'a>>),
    /// The opposite of a condition.
    Not(Box<Expression<'a>>),
    /// A mathematical function.
    Call(Function, Vec<Expression<'a>>),
    /// The second where the first holds, else the third.
    Select(Box<[Expression<'a>; 3]>),
}

/// An operation of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// a + b
    Add,
    /// a − b
    Subtract,
    /// a b
    Multiply,
    /// a / b
    Divide,
    /// Both hold.
    And,
    /// One of both holds, or both.
    Or,
    /// A comparison.
    Compare(Comparison),
}

impl<'a> Values<'a> {
    /// Those of a program whose leaves are those of the type.
    pub fn of(program: &'a Program) -> Values<'a> {
        Values {
            program,
            leaves: None,
        }
    }

    /// One of them.
    pub fn value(self, id: ValueId) -> Expression<'a> {
        Expression::Value(self, id)
    }

    /// The names that a statement gives to values that are live, or its guard; without a list all values are live.
    pub fn named(
        self,
        statement: &'a schedule::Statement,
        live: Option<&[bool]>,
    ) -> Option<Statement<'a>> {
        let is_live = |value: ValueId| live.is_none_or(|live| live[value.index()]);
        let read = match statement {
            schedule::Statement::Let { value, .. } => [is_live(*value); 2],
            schedule::Statement::SinCos { sine, cosine, .. } => {
                [sine.0, cosine.0].map_each(is_live)
            }
            schedule::Statement::Guard(_) => [live.is_none(); 2],
        };
        read.contains(&true)
            .then_some(Statement::Let(self, statement, read))
    }

    /// The operation of a value, over its operands as values. A leaf has none: its symbol is the error.
    pub fn operation(self, id: ValueId) -> Result<Expression<'a>, SymbolId> {
        let of = |id: &ValueId| self.value(*id);
        let binary = |operation, a, b| Expression::Binary(operation, Box::new([of(a), of(b)]));
        Ok(match &self.program.values[id.index()] {
            Op::Input(symbol) => return Err(*symbol),
            Op::Number(number) => Expression::Number(number.to_f64()),
            Op::Boolean(value) => Expression::Boolean(*value),
            Op::Add(a, b) => binary(Binary::Add, a, b),
            Op::Sub(a, b) => binary(Binary::Subtract, a, b),
            Op::Mul(a, b) => binary(Binary::Multiply, a, b),
            Op::Div(a, b) => binary(Binary::Divide, a, b),
            Op::And(a, b) => binary(Binary::And, a, b),
            Op::Or(a, b) => binary(Binary::Or, a, b),
            Op::Compare(comparison, a, b) => binary(Binary::Compare(*comparison), a, b),
            Op::Recip(a) => 1.0 / of(a),
            Op::Neg(a) => -of(a),
            Op::Not(a) => Expression::Not(Box::new(of(a))),
            Op::Call(function, arguments) => {
                Expression::Call(*function, arguments.iter().map(of).collect_vec())
            }
            Op::Select(condition, a, b) => Expression::Select(Box::new([condition, a, b].map(of))),
        })
    }
}

impl Vector {
    /// A field that is no array.
    pub fn field(place: TokenStream) -> ArrayElement {
        let field = Field {
            place,
            lengths: Vec::new(),
            component: None,
        };
        Vector::Field(Rc::new(field)).whole()
    }

    /// A number of it.
    pub fn at(&self, place: impl Into<Integer>) -> ArrayElement {
        ArrayElement {
            vector: self.clone(),
            places: vec![place.into()],
        }
    }

    /// All of it.
    pub fn whole(self) -> ArrayElement {
        ArrayElement {
            vector: self,
            places: Vec::new(),
        }
    }
}

/// An array of the function.
pub fn own(name: &'static str) -> Vector {
    Vector::Own(name.into())
}

/// An argument.
pub fn argument(name: &'static str) -> Vector {
    Vector::Argument(name.into())
}

/// A number that has a name.
pub fn number<'a>(name: &'static str) -> Expression<'a> {
    Expression::Name(name.into())
}

/// A number that changes, as what is set.
pub fn changing(name: &'static str) -> ArrayElement {
    own(name).whole()
}

/// √x
pub fn sqrt<'a>(x: impl Into<Expression<'a>>) -> Expression<'a> {
    Expression::Call(Function::Sqrt, vec![x.into()])
}

/// A comparison.
pub fn compared<'a>(
    left: impl Into<Expression<'a>>,
    comparison: Comparison,
    right: impl Into<Expression<'a>>,
) -> Expression<'a> {
    let both = [left.into(), right.into()];
    Expression::Binary(Binary::Compare(comparison), Box::new(both))
}

/// The second where the first holds, else the third.
pub fn select<'a>(
    condition: Expression<'a>,
    then: impl Into<Expression<'a>>,
    otherwise: impl Into<Expression<'a>>,
) -> Expression<'a> {
    Expression::Select(Box::new([condition, then.into(), otherwise.into()]))
}

impl Affine {
    /// The condition that it equals a number.
    pub fn is<'a>(self, place: usize) -> Expression<'a> {
        let [left, right] = [self.into(), Integer::from(place)].map(Expression::Integer);
        compared(left, Comparison::Eq, right)
    }
}

impl From<f64> for Expression<'_> {
    fn from(number: f64) -> Self {
        Expression::Number(number)
    }
}

impl From<ArrayElement> for Expression<'_> {
    fn from(entry: ArrayElement) -> Self {
        Expression::ArrayElement(entry)
    }
}

impl Neg for Expression<'_> {
    type Output = Self;

    fn neg(self) -> Self {
        Expression::Negative(Box::new(self))
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $operation:ident;)*) => { $(
        impl<'a, T: Into<Expression<'a>>> $trait<T> for Expression<'a> {
            type Output = Expression<'a>;

            fn $method(self, other: T) -> Expression<'a> {
                Expression::Binary(Binary::$operation, Box::new([self, other.into()]))
            }
        }

        impl<T: Into<Expression<'static>>> $trait<T> for ArrayElement {
            type Output = Expression<'static>;

            fn $method(self, other: T) -> Expression<'static> {
                Expression::from(self).$method(other)
            }
        }

        impl<'a> $trait<Expression<'a>> for f64 {
            type Output = Expression<'a>;

            fn $method(self, other: Expression<'a>) -> Expression<'a> {
                Expression::from(self).$method(other)
            }
        }

        impl $trait<ArrayElement> for f64 {
            type Output = Expression<'static>;

            fn $method(self, other: ArrayElement) -> Expression<'static> {
                Expression::from(self).$method(other)
            }
        }
    )* };
}

operators! {
    Add add Add;
    Sub sub Subtract;
    Mul mul Multiply;
    Div div Divide;
}

impl ArrayElement {
    /// Sets it.
    pub fn set<'a>(self, value: impl Into<Expression<'a>>) -> Statement<'a> {
        Statement::Assign(self, super::Change::Set, value.into())
    }

    /// Adds to it.
    pub fn increase<'a>(self, value: impl Into<Expression<'a>>) -> Statement<'a> {
        Statement::Assign(self, super::Change::Add, value.into())
    }

    /// Subtracts from it.
    pub fn decrease<'a>(self, value: impl Into<Expression<'a>>) -> Statement<'a> {
        Statement::Assign(self, super::Change::Subtract, value.into())
    }

    /// Multiplies it.
    pub fn scale<'a>(self, value: impl Into<Expression<'a>>) -> Statement<'a> {
        Statement::Assign(self, super::Change::Multiply, value.into())
    }
}
