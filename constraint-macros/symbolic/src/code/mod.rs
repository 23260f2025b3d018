//! Functions as statements: data between functions and their text in any language.
//!
//! Input: programs, loops over kernels, and procedures that are the same for every type: a [`step`], [`products`] with
//! unit vectors, [`least_squares`](mod@least_squares), [`panels`]. Output: lists of [`Statement`]s over values of programs,
//! names, and elements of arrays, which a language prints.

pub mod expression;
pub mod integer;
#[cfg(feature = "export")]
pub mod least_squares;
#[cfg(feature = "export")]
pub mod panels;
#[cfg(feature = "export")]
mod procedure;
#[cfg(feature = "export")]
pub mod products;
#[cfg(feature = "export")]
pub mod step;

use std::borrow::Cow;
use std::rc::Rc;

use proc_macro2::Ident;

pub use self::expression::{ArrayElement, Binary, Expression, Field, Values, Vector};
pub use self::integer::{Affine, Counter, Integer};
#[cfg(feature = "export")]
pub use self::procedure::{Parameter, ParameterType, Procedure};
use crate::dynamics::Matrix;
use crate::expr::{CollectVec, Map};
use crate::function::Signature;
use crate::schedule;
use crate::system::loops::routine::Checked;

/// A name, as the language has it.
pub type Name = Cow<'static, str>;

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement<'a> {
    /// A line for people.
    Comment(String),
    /// The names that a statement of a program gives to its values, which later expressions use; the last says which of a
    /// sine and a cosine are read.
    Let(Values<'a>, &'a schedule::Statement, [bool; 2]),
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
    /// The inputs at a time, coordinates and velocities; of so many velocities, where those of bodies are given in their own
    /// frames. Who gives the inputs takes those of the world.
    Inputs([Name; 3], Option<usize>),
    /// The name of a line of a table.
    Line(&'static str, Rc<Table>, Integer),
    /// Names for the components of what is taken apart; nothing for one that is not read.
    Components(Vec<Option<Ident>>, Components<'a>),
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
    /// The end of a procedure, or of a function in loops.
    Return(Value<Expression<'a>>),
    /// The end of any other function.
    Results(Results<'a>),
    /// A call of the runtime, which other languages do without.
    Runtime(Runtime<'a>),
}

/// The results of a program.
#[derive(Clone, Debug)]
pub struct Results<'a> {
    /// The function.
    pub signature: Signature,
    /// Its result; matrices are rows.
    pub value: Value<Expression<'a>>,
    /// Squares that must not vanish if a number is not finite.
    pub squares: Vec<Expression<'a>>,
    /// Whether other statements follow.
    pub returns: bool,
}

/// A call of the runtime.
#[derive(Clone, Debug)]
pub enum Runtime<'a> {
    /// The square of a tangent must not vanish.
    Tangent(Expression<'a>),
    /// The pivot of this row must be positive beyond rounding of the second number.
    Pivot(schedule::Matrix, Integer, [Expression<'a>; 2]),
    /// The inertia of the coordinate of this velocity must be positive.
    Inertia(Integer, Expression<'a>),
    /// These numbers, computed from parameters, must be a mass or an inertia.
    Parameters(Checked, Vec<Expression<'a>>),
    /// An entry of a matrix, in this row and column, is given to the caller.
    Entry(Matrix, [Integer; 2], Expression<'a>),
    /// The rows of one constraint are given to the caller: the velocities, the entries of J there, then those of M⁻¹ Jᵀ.
    Rows(Vec<Integer>, Vec<Expression<'a>>),
}

/// A value that is taken apart.
#[derive(Clone, Debug)]
pub enum Components<'a> {
    /// A field that is a number: its name.
    Number(ArrayElement),
    /// A vector.
    Vector(ArrayElement),
    /// A matrix of so many columns, row by row.
    Matrix(usize, ArrayElement),
    /// An argument of a struct of outputs.
    Outputs(Name),
    /// An argument that has all bodies.
    Bodies(Name),
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
    pub lines: Rc<[Vec<usize>]>,
}

impl Table {
    /// The length of a line.
    pub fn width(&self) -> usize {
        self.lines.first().map_or(0, Vec::len)
    }
}

/// The tables of a type, each once.
#[derive(Debug, Default)]
pub struct Tables {
    all: Vec<Rc<Table>>,
    known: Map<Rc<[Vec<usize>]>, usize>,
}

impl Tables {
    /// The table of these lines: `places_1`, `places_2`, …
    pub fn of(&mut self, lines: &[Vec<usize>]) -> Rc<Table> {
        let next = self.all.len();
        let number = match self.known.get(lines) {
            Some(known) => *known,
            None => {
                let (name, lines) = (format!("places_{}", next + 1), Rc::<[_]>::from(lines));
                self.known.insert(Rc::clone(&lines), next);
                self.all.push(Rc::new(Table { name, lines }));
                next
            }
        };
        Rc::clone(&self.all[number])
    }

    /// In the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &Table> {
        self.all.iter().map(Rc::as_ref)
    }
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
                values.iter().flat_map(Value::numbers).collect_vec()
            }
            Value::Record(fields) => {
                let values = fields.iter().map(|(_, value)| value);
                values.flat_map(Value::numbers).collect_vec()
            }
            Value::Part(..) => Vec::new(),
        }
    }
}
