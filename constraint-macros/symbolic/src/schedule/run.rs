//! Runs programs directly over any type of number, with a register for each value.
//!
//! The numbers are `f64`, for tests and for checks at expansion, or those of the certificate's field.

use std::convert::Infallible;
use std::fmt::Debug;
use std::ops::{Add, Mul, Neg, Sub};

use super::{Guard, Op, Program, Statement, ValueId};
use crate::expr::{CollectVec, Comparison, Function, Number, SymbolId};

/// A number that programs run over.
pub trait Element:
    Copy + PartialEq + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// State that evaluates functions and decides comparisons.
    type Context;
    /// Why an operation has no value.
    type Stop: Copy + Debug;

    /// 0
    const ZERO: Self;

    /// A constant.
    ///
    /// # Errors
    /// The constant has no number of this type.
    fn of_constant(number: Number) -> Result<Self, Self::Stop>;

    /// 1 if a condition holds, else 0.
    fn of_condition(holds: bool) -> Self;

    /// True if this is a condition that holds.
    fn holds(self) -> bool;

    /// a / b
    ///
    /// # Errors
    /// The quotient does not exist.
    fn over(self, divisor: Self) -> Result<Self, Self::Stop>;

    /// 1 / a
    ///
    /// # Errors
    /// The reciprocal does not exist.
    fn inverse(self) -> Result<Self, Self::Stop>;

    /// f(arguments)
    ///
    /// # Errors
    /// The function has no value there.
    fn call(
        function: Function,
        arguments: &[Self],
        context: &mut Self::Context,
    ) -> Result<Self, Self::Stop>;

    /// True if a comparison holds.
    fn compare(self, comparison: Comparison, with: Self, context: &mut Self::Context) -> bool;

    /// True if this stop invalidates the whole program, even in a branch that is not selected.
    fn is_final(stop: Self::Stop) -> bool;
}

impl Element for f64 {
    type Context = ();
    type Stop = Infallible;

    const ZERO: f64 = 0.0;

    fn of_constant(number: Number) -> Result<f64, Infallible> {
        Ok(number.to_f64())
    }

    fn of_condition(holds: bool) -> f64 {
        f64::from(u8::from(holds))
    }

    fn holds(self) -> bool {
        self != 0.0
    }

    fn over(self, divisor: f64) -> Result<f64, Infallible> {
        Ok(self / divisor)
    }

    fn inverse(self) -> Result<f64, Infallible> {
        Ok(1.0 / self)
    }

    fn call(function: Function, arguments: &[f64], (): &mut ()) -> Result<f64, Infallible> {
        Ok((function.row().value)(arguments))
    }

    fn compare(self, comparison: Comparison, with: f64, (): &mut ()) -> bool {
        comparison.holds(self, with)
    }

    fn is_final(stop: Infallible) -> bool {
        match stop {}
    }
}

/// A pivot that a guard has checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged<R = f64> {
    /// The constraint row; rows of the mass matrix come after the constraints.
    pub row: usize,
    /// The pivot.
    pub pivot: R,
    /// The entry before elimination.
    pub diagonal: R,
}

/// Outputs, and the pivots that guards check.
pub type Results<R> = (Vec<R>, Vec<Judged<R>>);

impl Program {
    /// The outputs for given inputs; guards are not checked.
    pub fn evaluate(&self, input: impl Fn(SymbolId) -> f64) -> Vec<f64> {
        let Ok(registers) = self.computed(|symbol| Ok(input(symbol)));
        self.results(&registers)
    }

    /// The outputs, and the pivots that guards check.
    ///
    /// # Errors
    /// An input, a constant or a result has no value.
    pub fn judged<R: Element<Context = ()>>(
        &self,
        input: impl Fn(SymbolId) -> Result<R, R::Stop>,
    ) -> Result<Results<R>, R::Stop> {
        let registers = self.computed(input)?;
        registers.all(&self.outputs)?;
        let number = |id: ValueId| registers.of(id.index());
        let judged = |guard: &Guard<ValueId>| {
            let pivot = number(guard.pivot);
            let partner = guard.partner.map(number);
            Ok(Judged {
                row: guard.row,
                pivot: partner.map_or(Ok(pivot), |partner| pivot.over(partner))?,
                diagonal: number(guard.diagonal),
            })
        };
        let guards = self.statements.iter().filter_map(|it| match it {
            Statement::Guard(guard) => Some(judged(guard)),
            _ => None,
        });
        let guards: Result<Vec<Judged<R>>, R::Stop> = guards.collect();
        Ok((self.results(&registers), guards?))
    }

    /// The outputs.
    pub fn results<R: Element>(&self, registers: &Registers<R>) -> Vec<R> {
        let outputs = self.outputs.iter();
        outputs.map(|it| registers.of(it.index())).collect_vec()
    }

    fn computed<R: Element<Context = ()>>(
        &self,
        input: impl Fn(SymbolId) -> Result<R, R::Stop>,
    ) -> Result<Registers<R>, R::Stop> {
        let mut registers = Registers::new(self.values.len());
        for (at, op) in self.values.iter().enumerate() {
            registers.take(at, op, &mut (), &input)?;
        }
        Ok(registers)
    }
}

/// The registers, one for each value of a program.
#[derive(Debug)]
pub struct Registers<R: Element> {
    values: Box<[R]>,
    /// Values that do not exist. They matter only to their users: a selection may choose its other branch.
    stopped: Vec<(usize, R::Stop)>,
}

// Macros run unoptimised, where iterators cost more than the work inside; the hot loops are therefore written by hand.

impl<R: Element> Registers<R> {
    /// This number of registers, without values.
    pub fn new(count: usize) -> Registers<R> {
        Registers {
            values: vec![R::ZERO; count].into_boxed_slice(),
            stopped: Vec::new(),
        }
    }

    /// Forgets which values do not exist.
    pub fn clear(&mut self) {
        self.stopped.clear();
    }

    /// Sets a value.
    #[inline(always)]
    pub fn set(&mut self, at: usize, value: R) {
        self.values[at] = value;
    }

    /// The content of a register, whether or not the value exists.
    #[inline(always)]
    pub fn of(&self, at: usize) -> R {
        self.values[at]
    }

    /// A value.
    ///
    /// # Errors
    /// The value does not exist.
    pub fn get(&self, id: ValueId) -> Result<R, R::Stop> {
        let mut stopped = self.stopped.iter();
        match stopped.find(|it| it.0 == id.index()) {
            Some(&(_, stop)) => Err(stop),
            None => Ok(self.values[id.index()]),
        }
    }

    /// Checks that all of these values exist.
    ///
    /// # Errors
    /// One of them does not.
    pub fn all(&self, ids: &[ValueId]) -> Result<(), R::Stop> {
        if self.stopped.is_empty() {
            return Ok(());
        }
        ids.iter().try_for_each(|id| self.get(*id).map(|_| ()))
    }

    /// Reads or computes a value.
    ///
    /// # Errors
    /// A leaf or a constant has no value, or [`step`](Registers::step) fails.
    #[inline(always)]
    pub fn take(
        &mut self,
        at: usize,
        op: &Op,
        context: &mut R::Context,
        leaf: impl FnOnce(SymbolId) -> Result<R, R::Stop>,
    ) -> Result<(), R::Stop> {
        match op {
            Op::Input(symbol) => self.values[at] = leaf(*symbol)?,
            Op::Number(number) => self.values[at] = R::of_constant(*number)?,
            Op::Boolean(value) => self.values[at] = R::of_condition(*value),
            _ => self.step(at, op, context)?,
        }
        Ok(())
    }

    /// Computes these values in order.
    ///
    /// # Errors
    /// Like [`step`](Registers::step).
    pub fn steps(
        &mut self,
        places: &[usize],
        ops: &[Op],
        context: &mut R::Context,
    ) -> Result<(), R::Stop> {
        let mut k = 0;
        while k < places.len() {
            let at = places[k];
            k += 1;
            if self.stopped.is_empty() {
                // The most frequent operations, without a call.
                let values = &mut self.values;
                match &ops[at] {
                    Op::Add(a, b) => values[at] = values[a.index()] + values[b.index()],
                    Op::Sub(a, b) => values[at] = values[a.index()] - values[b.index()],
                    Op::Mul(a, b) => values[at] = values[a.index()] * values[b.index()],
                    op => self.step(at, op, context)?,
                }
            } else {
                self.step(at, &ops[at], context)?;
            }
        }
        Ok(())
    }

    /// Computes a value.
    ///
    /// # Errors
    /// The operation stops, and the stop is final.
    #[inline(always)]
    pub fn step(&mut self, at: usize, op: &Op, context: &mut R::Context) -> Result<(), R::Stop> {
        let found = if self.stopped.is_empty() {
            computed(op, &self.values, context)
        } else {
            self.computed_if_operands_exist(op, context)
        };
        match found {
            Ok(value) => self.values[at] = value,
            Err(stop) if R::is_final(stop) => return Err(stop),
            Err(stop) => self.stopped.push((at, stop)),
        }
        Ok(())
    }

    fn computed_if_operands_exist(&self, op: &Op, context: &mut R::Context) -> Result<R, R::Stop> {
        if let Op::Select(condition, a, b) = op {
            let holds = self.get(*condition)?.holds();
            return self.get(if holds { *a } else { *b });
        }
        let mut stop = Ok(());
        op.for_each_operand(|id| {
            if let Err(why) = self.get(id) {
                stop = Err(why);
            }
        });
        stop?;
        computed(op, &self.values, context)
    }
}

/// The value of an operation whose operands all exist.
fn computed<R: Element>(op: &Op, values: &[R], context: &mut R::Context) -> Result<R, R::Stop> {
    Ok(match op {
        Op::Add(a, b) => values[a.index()] + values[b.index()],
        Op::Sub(a, b) => values[a.index()] - values[b.index()],
        Op::Mul(a, b) => values[a.index()] * values[b.index()],
        Op::Neg(a) => -values[a.index()],
        Op::Div(a, b) => values[a.index()].over(values[b.index()])?,
        Op::Recip(a) => values[a.index()].inverse()?,
        _ => decided(op, values, context)?,
    })
}

/// The value of an operation other than arithmetic.
fn decided<R: Element>(op: &Op, values: &[R], context: &mut R::Context) -> Result<R, R::Stop> {
    let number = |id: &ValueId| values[id.index()];
    let truth = |id: &ValueId| number(id).holds();
    Ok(match op {
        Op::Call(function, arguments) => match arguments[..] {
            [a] => R::call(*function, &[number(&a)], context)?,
            [a, b] => R::call(*function, &[number(&a), number(&b)], context)?,
            _ => {
                let arguments: Vec<R> = arguments.iter().map(number).collect_vec();
                R::call(*function, &arguments, context)?
            }
        },
        Op::Compare(comparison, a, b) => {
            R::of_condition(number(a).compare(*comparison, number(b), context))
        }
        Op::And(a, b) => R::of_condition(truth(a) && truth(b)),
        Op::Or(a, b) => R::of_condition(truth(a) || truth(b)),
        Op::Not(a) => R::of_condition(!truth(a)),
        Op::Select(condition, a, b) => number(if truth(condition) { a } else { b }),
        // Leaves are read by `read`, not computed.
        Op::Number(number) => R::of_constant(*number)?,
        Op::Boolean(value) => R::of_condition(*value),
        _ => R::ZERO,
    })
}
