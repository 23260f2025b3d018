//! Programs as they are scheduled, run over the field.

use super::field::Residue;
use super::loops;
use super::point::{Point, Stop};
use crate::curve::Pieces;
use crate::expr::{Function as Of, SymbolId};
use crate::function::{Body, Dimension, Function};
use crate::schedule::{Op, Program, ValueId};
use crate::system::loops::routine::Array;

/// What programs read.
pub trait Leaves {
    /// The value of a leaf; a number that has been rounded has none.
    fn leaf(&self, symbol: SymbolId) -> Result<Residue, Stop>;

    /// An entry of an array that a function in loops is given.
    fn entry(&self, _: Array, _: usize) -> Result<Option<Residue>, Stop> {
        Ok(None)
    }

    /// How long a vector is.
    fn len(&self, _: Dimension) -> usize {
        0
    }
}

/// What a function gives back, in each way that it has.
pub fn outputs(
    function: &Function<'_>,
    point: &mut Point,
    leaves: &impl Leaves,
) -> Result<Vec<Vec<Residue>>, Stop> {
    let input = |symbol| leaves.leaf(symbol);
    match &function.body {
        Body::Straight(program) => Ok(vec![run(program, point, &input)?]),
        Body::Branches { whole, pieces } => {
            let whole = run(whole, point, &input)?;
            Ok(vec![whole, piece(pieces, point, &input)?])
        }
        Body::Loops(loops) => {
            let found = loops::outputs(loops, function.signature.result, point, leaves)?;
            Ok(vec![found])
        }
        Body::LeastSquares { .. } => Err(Stop::Uncovered),
    }
}

/// The piece that is met.
fn piece(
    pieces: &Pieces<Program, Program>,
    point: &mut Point,
    input: &impl Fn(SymbolId) -> Result<Residue, Stop>,
) -> Result<Vec<Residue>, Stop> {
    match pieces {
        Pieces::One(program) => run(program, point, input),
        Pieces::Either {
            condition,
            branches,
        } => {
            let decided = run(condition, point, input)?;
            let otherwise = decided.first().is_some_and(|it| it.is_zero());
            piece(&branches[usize::from(otherwise)], point, input)
        }
    }
}

/// The outputs of a program. What has no value harms only what is made of it: a choice may be for the other way.
pub fn run(
    program: &Program,
    point: &mut Point,
    input: &impl Fn(SymbolId) -> Result<Residue, Stop>,
) -> Result<Vec<Residue>, Stop> {
    let mut results: Vec<Result<Residue, Stop>> = Vec::with_capacity(program.values.len());
    for op in &program.values {
        let result = match op {
            Op::Input(symbol) => input(*symbol),
            _ => value(op, &results, point),
        };
        if result == Err(Stop::Uncovered) {
            return Err(Stop::Uncovered);
        }
        results.push(result);
    }
    let outputs = program.outputs.iter();
    outputs.map(|output| results[output.index()]).collect()
}

/// Whether a function chooses between values.
pub fn chooses(body: &Body<'_>) -> bool {
    if let Body::Branches { .. } = body {
        return true;
    }
    let programs = body.programs().into_iter();
    programs.flat_map(|it| &it.values).any(|op| match op {
        Op::Select(..) => true,
        Op::Call(function, _) => matches!(function, Of::Min | Of::Max | Of::Abs | Of::Signum),
        _ => false,
    })
}

type Results = [Result<Residue, Stop>];

fn truth(results: &Results, id: ValueId) -> Result<bool, Stop> {
    Ok(!results[id.index()]?.is_zero())
}

fn value(op: &Op, results: &Results, point: &mut Point) -> Result<Residue, Stop> {
    let number = |id: &ValueId| results[id.index()];
    let holds_as = |truth: bool| Residue::of(truth.into());
    Ok(match op {
        Op::Number(number) => Residue::of_number(*number).ok_or(Stop::Uncovered)?,
        Op::Boolean(value) => holds_as(*value),
        Op::Add(a, b) => number(a)? + number(b)?,
        Op::Sub(a, b) => number(a)? - number(b)?,
        Op::Mul(a, b) => number(a)? * number(b)?,
        Op::Div(a, b) => number(a)? * number(b)?.recip().ok_or(Stop::Zero)?,
        Op::Recip(a) => number(a)?.recip().ok_or(Stop::Zero)?,
        Op::Neg(a) => -number(a)?,
        Op::Call(function, arguments) => match arguments[..] {
            [a] => point.value(*function, &[number(&a)?])?,
            [a, b] => point.value(*function, &[number(&a)?, number(&b)?])?,
            _ => return Err(Stop::Uncovered),
        },
        Op::Compare(comparison, a, b) => holds_as(point.holds(*comparison, number(a)?, number(b)?)),
        Op::And(a, b) => holds_as(truth(results, *a)? && truth(results, *b)?),
        Op::Or(a, b) => holds_as(truth(results, *a)? || truth(results, *b)?),
        Op::Not(a) => holds_as(!truth(results, *a)?),
        Op::Select(condition, a, b) => number(if truth(results, *condition)? { a } else { b })?,
        Op::Input(_) => return Err(Stop::Uncovered),
    })
}
