//! Which ways of its choices a text goes, and whether programs choose by signs of their own.
//!
//! Where programs ask only for signs that the text asks for, each way of the text fixes what they compute: a point on each
//! way is enough.

use super::point::Point;
use super::programs::Registers;
use crate::expr::{Comparison, Function as Of};
use crate::function::Body;
use crate::schedule::{Op, Program, ValueId};

/// The ways that have been gone: what the text was told, one answer after the other.
///
/// After an answer comes another question or the end, so that ways are the leaves of a binary tree.
#[derive(Clone, Debug, Default)]
pub struct Ways {
    gone: Vec<Vec<bool>>,
}

/// Of longer ways there are too many to go them all.
const LONGEST: usize = 40;

impl Ways {
    /// Goes one.
    pub fn go(&mut self, told: &[bool]) {
        if !self.gone.iter().any(|it| it == told) {
            self.gone.push(told.to_vec());
        }
    }

    /// Whether all have been gone that begin so, by Kraft's equality: their 2^−length add up to that of the beginning.
    pub fn all_are_gone(&self, beginning: &[bool]) -> bool {
        let part = |way: &[bool]| (1_u64 << LONGEST) >> way.len().min(63);
        let below = self.gone.iter().filter(|it| it.starts_with(beginning));
        beginning.len() <= LONGEST && below.map(|it| part(it)).sum::<u64>() == part(beginning)
    }

    /// The answer that leads on where not all has been gone.
    pub fn answer(&self, told: &[bool], by_chance: bool) -> bool {
        let mut beginning = told.to_vec();
        beginning.push(by_chance);
        by_chance != self.all_are_gone(&beginning)
    }
}

/// Whether a function chooses between values.
pub fn chooses(body: &Body<'_>) -> bool {
    let branches = matches!(body, Body::Branches { .. });
    let mut programs = body.programs().into_iter();
    branches || programs.any(|it| it.values.iter().any(decides))
}

/// Whether one of two ways is gone by it.
fn decides(op: &Op) -> bool {
    match op {
        Op::Compare(..) => true,
        Op::Call(function, _) => matches!(function, Of::Min | Of::Max | Of::Abs | Of::Signum),
        _ => false,
    }
}

/// Whether a sign decides about an output for which the text does not ask.
pub fn has_own_signs(program: &Program, registers: &Registers, point: &Point) -> bool {
    let mut taken = vec![false; program.values.len()];
    let outputs = program.outputs.iter();
    outputs.for_each(|it| taken[it.index()] = true);
    // Operands stand before what is made of them.
    for (at, op) in program.values.iter().enumerate().rev() {
        if !taken[at] {
            continue;
        }
        if is_known(op, registers, point) == Some(false) {
            return true;
        }
        taken_parts(op, at, registers, |id| taken[id.index()] = true);
    }
    false
}

/// Whether the text asks, too, what an operation asks.
fn is_known(op: &Op, registers: &Registers, point: &Point) -> Option<bool> {
    let value = |id: &ValueId| registers.get(*id).ok();
    match op {
        Op::Compare(Comparison::Eq, a, b) => Some(point.knows_equality(value(a)? - value(b)?)),
        Op::Compare(_, a, b) => Some(point.knows_sign(value(a)? - value(b)?)),
        Op::Call(Of::Min | Of::Max, of) => Some(point.knows_sign(value(&of[0])? - value(&of[1])?)),
        Op::Call(Of::Abs | Of::Signum, of) => Some(point.knows_sign(value(&of[0])?)),
        _ => None,
    }
}

/// What a value is made of, the way not gone left out.
fn taken_parts(op: &Op, at: usize, registers: &Registers, mut visit: impl FnMut(ValueId)) {
    match op {
        Op::Select(condition, a, b) => {
            let holds = registers.get(*condition).is_ok_and(|it| !it.is_zero());
            visit(*condition);
            visit(if holds { *a } else { *b });
        }
        Op::Call(Of::Min | Of::Max, of) => {
            let equal = of
                .iter()
                .filter(|id| registers.get(**id) == Ok(registers.of(at)));
            equal.for_each(|id| visit(*id));
        }
        _ => op.for_each_operand(visit),
    }
}
