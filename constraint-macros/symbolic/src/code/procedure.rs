//! Functions that are the same for every type, and what their statements are written with.

use super::{Affine, Expression, Integer, Rounds, Statement};

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
pub(super) fn parameters<const N: usize>(parameters: [(&str, ParameterType); N]) -> Vec<Parameter> {
    let parameter = |(name, kind): (&str, ParameterType)| Parameter {
        name: name.to_owned(),
        kind,
    };
    parameters.map(parameter).into()
}

/// Rounds of a counter from 0, with what is done in them.
pub(super) fn rounds<'a, const N: usize>(
    counter: &'static str,
    end: impl Into<Integer>,
    body: [Statement<'a>; N],
) -> Statement<'a> {
    Statement::Rounds(Rounds::up_to(counter, end), body.into())
}

/// Rounds of a counter from one integer up to another, in steps.
pub(super) fn rounds_from<'a, const N: usize>(
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
pub(super) fn rounds_down<'a, const N: usize>(
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
pub(super) fn constant<'a>(name: &'static str, value: impl Into<Expression<'a>>) -> Statement<'a> {
    Statement::Constant(name.into(), value.into())
}

/// The name of a number that changes.
pub(super) fn variable<'a>(name: &'static str, value: impl Into<Expression<'a>>) -> Statement<'a> {
    Statement::Variable(name.into(), value.into())
}

/// The name of an integer that does not change.
pub(super) fn integer<'a>(name: &'static str, value: Affine) -> Statement<'a> {
    Statement::Count(name.into(), value.into(), false)
}

/// An array.
pub(super) fn array<'a>(name: &'static str, length: usize) -> Statement<'a> {
    Statement::Array(name.into(), length, false)
}

/// Where a condition holds.
pub(super) fn only_if<'a, const N: usize>(
    condition: Expression<'a>,
    then: [Statement<'a>; N],
) -> Statement<'a> {
    Statement::If(condition, [then.into(), Vec::new()])
}
