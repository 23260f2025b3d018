//! Functions as statements: data between functions and their text in any language.
//!
//! Input: programs, loops over kernels, and procedures that are the same for every type: a [`step`], [`products`] with
//! unit vectors, [`least_squares`](mod@least_squares), [`panels`]. Output: lists of [`Statement`]s over values of programs,
//! names, and elements of arrays, which a language prints.

pub mod expression;
pub mod integer;
pub mod least_squares;
pub mod panels;
pub mod products;
pub mod step;

use std::borrow::Cow;
use std::rc::Rc;

pub use self::expression::{ArrayElement, Binary, Expression, Values, Vector};
pub use self::integer::{Affine, Counter, Integer};
use crate::schedule::ValueId;

/// A name, as the language has it.
pub type Name = Cow<'static, str>;

/// A function with a name, the same for every type.
#[derive(Debug)]
pub struct Procedure<'a> {
    /// Its name.
    pub name: &'static str,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// The lengths of the nested arrays of its result; nothing where it changes what it is given.
    pub gives: Option<Vec<usize>>,
    /// Its statements.
    pub body: Vec<Statement<'a>>,
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: ParameterType,
}

/// The type of a parameter.
#[derive(Clone, Copy, Debug)]
pub enum ParameterType {
    /// The parameters of its type, and the inputs where these are handed over.
    Own,
    /// A number.
    Number,
    /// A vector of this length.
    Vector(usize),
    /// A vector of this length that the function changes.
    Changed(usize),
    /// Bodies or values with names, where the language has such, or a function of two vectors that gives a third.
    Other,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement<'a> {
    /// A line for people.
    Comment(String),
    /// The name of a value of a program, which later expressions use.
    Let(Values<'a>, ValueId, String),
    /// The name of a number.
    Constant(Name, Expression<'a>),
    /// The name of a number that changes.
    Variable(Name, Expression<'a>),
    /// The name of an integer; the last says whether it changes.
    Count(Name, Integer, bool),
    /// An array of this length; the last says whether it has to begin with zeros.
    Array(Name, usize, bool),
    /// A result of this length; the last says whether it has to begin with zeros.
    Result(usize, bool),
    /// An array that another function gives.
    Given {
        /// The name of the array,
        name: Name,
        /// that of the function,
        function: &'static str,
        /// what it is given,
        arguments: Vec<Handed<'a>>,
        /// and how many numbers it gives.
        length: usize,
    },
    /// The name of a line of a table.
    Line(&'static str, Rc<Table>, Integer),
    /// Names for the components of a vector; nothing for one that is not read.
    Components(Vec<Option<String>>, Components<'a>),
    /// A number is set, or changed.
    Assign(ArrayElement, Change, Expression<'a>),
    /// An integer is changed.
    Advance(Name, Change, Integer),
    /// A loop.
    Rounds(Rounds, Vec<Statement<'a>>),
    /// A choice.
    If(Expression<'a>, [Vec<Statement<'a>>; 2]),
    /// Statements whose names are their own.
    Block(Vec<Statement<'a>>),
    /// A function that changes what it is given.
    Call(&'static str, Vec<Handed<'a>>),
    /// The end of a function.
    Return(Value<Expression<'a>>),
}

/// A vector that is taken apart.
#[derive(Clone, Debug)]
pub enum Components<'a> {
    /// An array, or a field.
    Of(ArrayElement),
    /// The result of a function among the arguments for these vectors.
    Law(String, Vec<Vec<Expression<'a>>>),
}

/// An argument for another function.
#[derive(Clone, Debug)]
pub enum Handed<'a> {
    /// An array of this function.
    Array(Name),
    /// An argument of this function.
    Argument(Name),
    /// A number.
    Number(Expression<'a>),
}

/// The kinds of assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Set.
    Set,
    /// Added to.
    Add,
    /// Subtracted from.
    Subtract,
    /// Multiplied.
    Multiply,
}

impl Change {
    /// `=`, `+=`
    pub fn sign(self) -> &'static str {
        match self {
            Change::Set => "=",
            Change::Add => "+=",
            Change::Subtract => "-=",
            Change::Multiply => "*=",
        }
    }

    /// The operation whose result a changed number takes.
    pub fn operation(self) -> Option<Binary> {
        match self {
            Change::Set => None,
            Change::Add => Some(Binary::Add),
            Change::Subtract => Some(Binary::Subtract),
            Change::Multiply => Some(Binary::Multiply),
        }
    }
}

/// The values of a loop's counter.
#[derive(Clone, Debug)]
pub struct Rounds {
    /// The counter.
    pub counter: Name,
    /// The first value.
    pub first: Integer,
    /// The value before which it ends; counting down, the last one.
    pub end: Integer,
    /// The difference of successive values.
    pub step: isize,
}

impl Rounds {
    /// 0, 1, 2, … before an end.
    pub fn up_to(counter: impl Into<Name>, end: impl Into<Integer>) -> Rounds {
        Rounds {
            counter: counter.into(),
            first: Integer::from(0),
            end: end.into(),
            step: 1,
        }
    }
}

/// A table of integers that functions share.
#[derive(Debug, PartialEq, Eq)]
pub struct Table {
    /// The name,
    pub name: String,
    /// and the lines, all of one length.
    pub lines: Vec<Vec<usize>>,
}

/// A result: a number, or several in a row.
#[derive(Clone, Debug)]
pub enum Value<N> {
    /// A number.
    Number(N),
    /// A vector, the rows of a matrix, or a matrix for each body.
    List(Vec<Value<N>>),
    /// Several results.
    Tuple(Vec<Value<N>>),
    /// Results with names.
    Record(Vec<(&'static str, Value<N>)>),
    /// A part of the result array, from a number on, as nested arrays of such lengths.
    Part(usize, Vec<usize>),
}

impl<N> Value<N> {
    /// The numbers, one after the other.
    pub fn numbers(&self) -> Vec<&N> {
        match self {
            Value::Number(number) => vec![number],
            Value::List(values) | Value::Tuple(values) => {
                values.iter().flat_map(Value::numbers).collect()
            }
            Value::Record(fields) => {
                let values = fields.iter().map(|(_, value)| value);
                values.flat_map(Value::numbers).collect()
            }
            Value::Part(..) => Vec::new(),
        }
    }
}

impl Procedure<'_> {
    /// The functions whose results it uses.
    pub fn uses(&self) -> Vec<&'static str> {
        let mut used = Vec::new();
        each(&self.body, &mut |statement| {
            if let Statement::Given { function, .. } = statement {
                used.push(*function);
            }
        });
        used
    }

    /// The numbers of its arrays together.
    pub fn room(&self) -> usize {
        let mut room = 0;
        each(&self.body, &mut |statement| {
            room += match statement {
                Statement::Array(_, length, _) | Statement::Given { length, .. } => *length,
                _ => 0,
            }
        });
        room
    }
}

/// Every statement, those in others included.
fn each<'a, 'b>(statements: &'b [Statement<'a>], visit: &mut impl FnMut(&'b Statement<'a>)) {
    for statement in statements {
        visit(statement);
        match statement {
            Statement::Rounds(_, body) | Statement::Block(body) => each(body, visit),
            Statement::If(_, branches) => branches.iter().for_each(|it| each(it, visit)),
            _ => {}
        }
    }
}

/// Parameters by name.
fn parameters<const N: usize>(parameters: [(&str, ParameterType); N]) -> Vec<Parameter> {
    let parameter = |(name, kind): (&str, ParameterType)| Parameter {
        name: name.to_owned(),
        kind,
    };
    parameters.map(parameter).into()
}

/// Rounds of a counter from 0, with what is done in them.
fn rounds<'a, const N: usize>(
    counter: &'static str,
    end: impl Into<Integer>,
    body: [Statement<'a>; N],
) -> Statement<'a> {
    Statement::Rounds(Rounds::up_to(counter, end), body.into())
}

/// Rounds of a counter from one integer up to another, in steps.
fn rounds_from<'a, const N: usize>(
    counter: &'static str,
    [first, end]: [Affine; 2],
    step: isize,
    body: [Statement<'a>; N],
) -> Statement<'a> {
    let rounds = Rounds {
        counter: counter.into(),
        first: first.into(),
        end: end.into(),
        step,
    };
    Statement::Rounds(rounds, body.into())
}

/// Rounds of a counter down to 0.
fn rounds_down<'a, const N: usize>(
    counter: &'static str,
    first: usize,
    body: [Statement<'a>; N],
) -> Statement<'a> {
    let rounds = Rounds {
        counter: counter.into(),
        first: Integer::from(first),
        end: Integer::from(0),
        step: -1,
    };
    Statement::Rounds(rounds, body.into())
}

/// The name of a number.
fn constant<'a>(name: &'static str, value: impl Into<Expression<'a>>) -> Statement<'a> {
    Statement::Constant(name.into(), value.into())
}

/// The name of a number that changes.
fn variable<'a>(name: &'static str, value: impl Into<Expression<'a>>) -> Statement<'a> {
    Statement::Variable(name.into(), value.into())
}

/// The name of an integer that does not change.
fn integer<'a>(name: &'static str, value: Affine) -> Statement<'a> {
    Statement::Count(name.into(), value.into(), false)
}

/// An array.
fn array<'a>(name: &'static str, length: usize) -> Statement<'a> {
    Statement::Array(name.into(), length, false)
}

/// Where a condition holds.
fn only_if<'a, const N: usize>(
    condition: Expression<'a>,
    then: [Statement<'a>; N],
) -> Statement<'a> {
    Statement::If(condition, [then.into(), Vec::new()])
}
