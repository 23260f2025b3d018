//! Programs as they are scheduled, run over the field: a register for each value.

use std::iter::repeat;

use super::choices::{self, Conditions};
use super::field::Residue;
use super::linear::dot;
use super::loops;
use super::number::{Dual, Element};
use super::point::{Point, Stop};
use crate::curve::Pieces;
use crate::dynamics::Matrix;
use crate::expr::SymbolId;
use crate::function::{Body, Dimension, Function};
use crate::schedule::{Op, Program, ValueId};
use crate::system::loops::routine::{Array, Varied};

/// What programs read.
pub trait Leaves<R = Residue> {
    /// The value of a leaf; a number that has been rounded has none.
    fn leaf(&self, symbol: SymbolId) -> Result<R, Stop>;

    /// An array that a function in loops is given.
    fn array(&self, _: Array) -> Result<Option<Vec<R>>, Stop> {
        Ok(None)
    }

    /// How long a vector is.
    fn len(&self, _: Dimension) -> usize {
        0
    }

    /// How long a part of a gradient is.
    fn part(&self, _: Varied) -> usize {
        0
    }
}

/// Leaves that change, and in which direction.
#[derive(Clone, Copy, Debug)]
pub struct Changing<'a, A, B>(pub &'a A, pub &'a B);

impl<R: Element, A: Leaves<R>, B: Leaves<R>> Leaves<Dual<R>> for Changing<'_, A, B> {
    fn leaf(&self, symbol: SymbolId) -> Result<Dual<R>, Stop> {
        Ok(Dual {
            value: self.0.leaf(symbol)?,
            change: self.1.leaf(symbol)?,
        })
    }

    fn array(&self, array: Array) -> Result<Option<Vec<Dual<R>>>, Stop> {
        let Some(values) = self.0.array(array)? else {
            return Ok(None);
        };
        let changes = self.1.array(array)?.unwrap_or_default();
        let changes = changes.into_iter().chain(repeat(R::ZERO));
        let both = values.into_iter().zip(changes);
        Ok(Some(
            both.map(|(value, change)| Dual { value, change }).collect(),
        ))
    }

    fn len(&self, of: Dimension) -> usize {
        self.0.len(of)
    }

    fn part(&self, of: Varied) -> usize {
        self.0.part(of)
    }
}

/// What a function gives back.
#[derive(Debug)]
pub struct Outputs<R = Residue> {
    /// One number after the other.
    pub values: Vec<R>,
    /// How many rows a matrix has that stands column by column; 0 where it stands row by row.
    pub rows: usize,
    /// Where each stands of those that are told one by one, by matrix, row and column.
    pub places: Vec<(Matrix, usize, usize)>,
    /// Whether matrices of slopes are times the tangent already.
    pub is_along: bool,
}

impl<R> Outputs<R> {
    /// Those that stand one after the other.
    pub fn new(values: Vec<R>) -> Outputs<R> {
        Outputs {
            values,
            rows: 0,
            places: Vec::new(),
            is_along: false,
        }
    }
}

impl Outputs {
    /// The product of a matrix with a direction.
    pub fn along(&self, direction: &[Residue]) -> Vec<Residue> {
        if self.rows == 0 {
            let rows = self.values.chunks(direction.len());
            return rows.map(|row| dot(row, direction)).collect();
        }
        let mut products = vec![Residue::ZERO; self.rows];
        for (column, &by) in self.values.chunks(self.rows).zip(direction) {
            let mut i = 0;
            while i < column.len() {
                if !column[i].is_zero() {
                    products[i] = products[i] + column[i] * by;
                }
                i += 1;
            }
        }
        products
    }
}

/// What a function gives back, in each way that it has; `own` becomes true where a sign decides for which the text does
/// not ask.
pub fn outputs<R: Element>(
    function: &Function<'_>,
    point: &mut Point,
    leaves: &impl Leaves<R>,
    own: &mut bool,
) -> Result<Vec<Outputs<R>>, Stop> {
    match &function.body {
        Body::Straight(program) => {
            let found = run(program, point, leaves, own)?;
            Ok(vec![Outputs::new(found)])
        }
        Body::Branches { whole, pieces } => {
            let first = piece(pieces, point, leaves, own)?;
            let whole = run(whole, point, leaves, own)?;
            Ok(vec![Outputs::new(whole), Outputs::new(first)])
        }
        Body::Loops(loops) => {
            let shape = function.signature.result;
            Ok(vec![loops::outputs(loops, shape, point, leaves, own)?])
        }
        Body::LeastSquares { .. } => Err(Stop::Uncovered),
    }
}

/// The piece that is met.
fn piece<R: Element>(
    pieces: &Pieces<Program, Program>,
    point: &mut Point,
    leaves: &impl Leaves<R>,
    own: &mut bool,
) -> Result<Vec<R>, Stop> {
    match pieces {
        Pieces::One(program) => run(program, point, leaves, own),
        Pieces::Either {
            condition,
            branches,
        } => {
            let decided = run(condition, point, leaves, own)?;
            let otherwise = decided.first().is_some_and(|it| it.value().is_zero());
            let [then, other] = &**branches;
            piece(if otherwise { other } else { then }, point, leaves, own)
        }
    }
}

/// The outputs of a program.
fn run<R: Element>(
    program: &Program,
    point: &mut Point,
    leaves: &impl Leaves<R>,
    own: &mut bool,
) -> Result<Vec<R>, Stop> {
    let mut registers = Registers::new(program.values.len());
    point.was_asked_more = false;
    for (at, op) in program.values.iter().enumerate() {
        registers.take(at, op, point, leaves)?;
    }
    registers.all(&program.outputs)?;
    *own |= point.was_asked_more && choices::has_own_signs(program, &registers, point);
    let outputs = program.outputs.iter();
    Ok(outputs.map(|it| registers.of(it.index())).collect())
}

/// What conditions are, where they follow from what the text asks.
pub fn conditions(
    Conditions { values, outputs }: &Conditions,
    point: &mut Point,
    leaves: &impl Leaves,
) -> Result<Option<Vec<bool>>, Stop> {
    let mut registers = Registers::<Residue>::new(values.len());
    point.was_asked_more = false;
    for (at, op) in values.iter().enumerate() {
        registers.take(at, op, point, leaves)?;
    }
    registers.all(outputs)?;
    if point.was_asked_more {
        let follows = choices::following(values, &registers, point);
        if !outputs.iter().all(|it| follows[it.index()]) {
            return Ok(None);
        }
    }
    let all = outputs.iter().map(|it| !registers.of(it.index()).is_zero());
    Ok(Some(all.collect()))
}

/// A number or a truth value of a program.
pub fn constant(op: &Op) -> Result<Residue, Stop> {
    match op {
        Op::Number(number) => Residue::of_number(*number).ok_or(Stop::Uncovered),
        Op::Boolean(value) => Ok(Residue::of((*value).into())),
        _ => Err(Stop::Uncovered),
    }
}

/// The values of a program.
#[derive(Debug)]
pub struct Registers<R = Residue> {
    values: Box<[R]>,
    /// What has no value harms only what is made of it: a choice may be for the other way.
    stopped: Vec<(usize, Stop)>,
}

impl<R: Element> Registers<R> {
    /// So many, without values.
    pub fn new(count: usize) -> Registers<R> {
        Registers {
            values: vec![R::ZERO; count].into_boxed_slice(),
            stopped: Vec::new(),
        }
    }

    /// Forgets what had no value.
    pub fn clear(&mut self) {
        self.stopped.clear();
    }

    #[inline(always)]
    pub fn set(&mut self, at: usize, value: R) {
        self.values[at] = value;
    }

    /// What stands in a register, whether or not it has a value.
    pub fn of(&self, at: usize) -> R {
        self.values[at]
    }

    /// Reads or computes a value.
    #[inline(always)]
    fn take(
        &mut self,
        at: usize,
        op: &Op,
        point: &mut Point,
        leaves: &impl Leaves<R>,
    ) -> Result<(), Stop> {
        match op {
            Op::Input(symbol) => self.set(at, leaves.leaf(*symbol)?),
            Op::Number(_) | Op::Boolean(_) => self.set(at, R::constant(constant(op)?)),
            _ => self.step(at, op, point)?,
        }
        Ok(())
    }

    pub fn get(&self, id: ValueId) -> Result<R, Stop> {
        let mut stopped = self.stopped.iter();
        match stopped.find(|it| it.0 == id.index()) {
            Some(&(_, stop)) => Err(stop),
            None => Ok(self.values[id.index()]),
        }
    }

    /// Whether all of these have a value.
    pub fn all(&self, ids: &[ValueId]) -> Result<(), Stop> {
        if self.stopped.is_empty() {
            return Ok(());
        }
        ids.iter().try_for_each(|id| self.get(*id).map(|_| ()))
    }

    /// Computes these values one after the other.
    ///
    /// # Errors
    /// One of them has no meaning in the field.
    pub fn steps(&mut self, places: &[usize], ops: &[Op], point: &mut Point) -> Result<(), Stop> {
        let mut k = 0;
        while k < places.len() {
            let at = places[k];
            k += 1;
            if self.stopped.is_empty() {
                // What most are, without a way around.
                let values = &mut self.values;
                match &ops[at] {
                    Op::Add(a, b) => values[at] = values[a.index()] + values[b.index()],
                    Op::Sub(a, b) => values[at] = values[a.index()] - values[b.index()],
                    Op::Mul(a, b) => values[at] = values[a.index()] * values[b.index()],
                    op => self.step(at, op, point)?,
                }
            } else {
                self.step(at, &ops[at], point)?;
            }
        }
        Ok(())
    }

    /// Computes a value.
    ///
    /// # Errors
    /// It has no meaning in the field.
    #[inline(always)]
    pub fn step(&mut self, at: usize, op: &Op, point: &mut Point) -> Result<(), Stop> {
        let found = if self.stopped.is_empty() {
            computed(op, &self.values, point)
        } else {
            self.computed_beside_stops(op, point)
        };
        match found {
            Ok(value) => self.values[at] = value,
            Err(Stop::Uncovered) => return Err(Stop::Uncovered),
            Err(stop) => self.stopped.push((at, stop)),
        }
        Ok(())
    }

    fn computed_beside_stops(&self, op: &Op, point: &mut Point) -> Result<R, Stop> {
        if let Op::Select(condition, a, b) = op {
            let holds = !self.get(*condition)?.value().is_zero();
            return self.get(if holds { *a } else { *b });
        }
        let mut stop = Ok(());
        op.for_each_operand(|id| {
            if let Err(why) = self.get(id) {
                stop = Err(why);
            }
        });
        stop?;
        computed(op, &self.values, point)
    }
}

/// The value of an operation whose operands have some.
fn computed<R: Element>(op: &Op, values: &[R], point: &mut Point) -> Result<R, Stop> {
    Ok(match op {
        Op::Add(a, b) => values[a.index()] + values[b.index()],
        Op::Sub(a, b) => values[a.index()] - values[b.index()],
        Op::Mul(a, b) => values[a.index()] * values[b.index()],
        Op::Neg(a) => -values[a.index()],
        Op::Div(a, b) => {
            let inverse = values[b.index()].recip().ok_or(Stop::Zero)?;
            values[a.index()] * inverse
        }
        Op::Recip(a) => values[a.index()].recip().ok_or(Stop::Zero)?,
        _ => decided(op, values, point)?,
    })
}

/// The value of what is no arithmetic.
fn decided<R: Element>(op: &Op, values: &[R], point: &mut Point) -> Result<R, Stop> {
    let number = |id: &ValueId| values[id.index()];
    let truth = |id: &ValueId| !number(id).value().is_zero();
    let holds_as = |truth: bool| R::constant(Residue::of(truth.into()));
    Ok(match op {
        Op::Call(function, arguments) => match arguments[..] {
            [a] => R::call(*function, &[number(&a)], point)?,
            [a, b] => R::call(*function, &[number(&a), number(&b)], point)?,
            _ => return Err(Stop::Uncovered),
        },
        Op::Compare(comparison, a, b) => {
            let [a, b] = [a, b].map(|it| number(it).value());
            holds_as(point.compares(*comparison, a, b))
        }
        Op::And(a, b) => holds_as(truth(a) && truth(b)),
        Op::Or(a, b) => holds_as(truth(a) || truth(b)),
        Op::Not(a) => holds_as(!truth(a)),
        Op::Select(condition, a, b) => number(if truth(condition) { a } else { b }),
        _ => return Err(Stop::Uncovered),
    })
}
