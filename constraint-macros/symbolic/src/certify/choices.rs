//! Which ways of its choices a text goes, and whether programs choose by signs of their own.
//!
//! Where programs ask only for signs that the text asks for, each way of the text fixes what they compute: a point on each
//! way is enough.

use super::number::Element;
use super::point::Point;
use crate::expr::{Comparison, Function as Of};
use crate::function::Body;
use crate::schedule::{Op, Program, Registers, ValueId};

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
    /// All but one, which is then the only one that is left to go.
    pub fn all_but(told: &[bool]) -> Ways {
        let beside = |at: usize| [&told[..at], &[!told[at]]].concat();
        Ways {
            gone: (0..told.len()).map(beside).collect(),
        }
    }

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

/// The conditions by which a program chooses, where it chooses by nothing else, and what they are made of.
#[derive(Debug, PartialEq)]
pub struct Conditions {
    pub values: Vec<Op>,
    pub outputs: Vec<ValueId>,
}

impl Conditions {
    pub fn of(program: &Program) -> Option<Conditions> {
        let conditions = chosen_by(&program.values)?;
        let needed = needed_for(&conditions, &program.values);
        let mut places = vec![ValueId::default(); needed.len()];
        let (mut values, mut at) = (Vec::new(), 0);
        while at < needed.len() {
            if needed[at] {
                places[at] = ValueId::at(values.len());
                values.push(program.values[at].on(|id| places[id.index()]));
            }
            at += 1;
        }
        let outputs = conditions.iter().map(|it| places[it.index()]).collect();
        Some(Conditions { values, outputs })
    }
}

// Macros run unoptimised, where iterators take longer than what they give.

/// The conditions of choices; none where signs decide besides.
fn chosen_by(values: &[Op]) -> Option<Vec<ValueId>> {
    let (mut conditions, mut at): (Vec<ValueId>, _) = (Vec::new(), 0);
    while at < values.len() {
        match &values[at] {
            op @ Op::Call(..) if decides(op) => return None,
            Op::Select(condition, ..) if !conditions.contains(condition) => {
                conditions.push(*condition);
            }
            _ => {}
        }
        at += 1;
    }
    Some(conditions)
}

/// Which values these are made of, as far as the last of them.
fn needed_for(conditions: &[ValueId], values: &[Op]) -> Vec<bool> {
    let mut at = conditions.iter().max().map_or(0, |it| it.index() + 1);
    let mut needed = vec![false; at];
    conditions.iter().for_each(|it| needed[it.index()] = true);
    while at > 0 {
        at -= 1;
        if needed[at] {
            values[at].for_each_operand(|id| needed[id.index()] = true);
        }
    }
    needed
}

/// Of each value, whether it is a condition that follows from what the text asks, which does not ask for what stands behind
/// `&&` and `||` where that counts nothing.
pub fn following<R: Element>(values: &[Op], registers: &Registers<R>, point: &Point) -> Vec<bool> {
    let mut follows = Vec::with_capacity(values.len());
    for (at, op) in values.iter().enumerate() {
        let holds = |at: usize| !registers.of(at).value().is_zero();
        let known = match op {
            Op::And(a, b) | Op::Or(a, b) => {
                // What each must be, or one of them is enough.
                let each = matches!(op, Op::And(..));
                let mut parts = [a.index(), b.index()].into_iter();
                if holds(at) == each {
                    parts.all(|it| follows[it])
                } else {
                    parts.any(|it| holds(it) != each && follows[it])
                }
            }
            Op::Not(a) => follows[a.index()],
            Op::Boolean(_) => true,
            _ => is_known(op, registers, point) == Some(true),
        };
        follows.push(known);
    }
    follows
}

/// Whether a sign decides about an output for which the text does not ask.
pub fn has_own_signs<R: Element>(
    program: &Program,
    registers: &Registers<R>,
    point: &Point,
) -> bool {
    let mut taken = vec![false; program.values.len()];
    let outputs = program.outputs.iter();
    outputs.for_each(|it| taken[it.index()] = true);
    let follows = following(&program.values, registers, point);
    // Operands stand before what is made of them.
    for (at, op) in program.values.iter().enumerate().rev() {
        if !taken[at] {
            continue;
        }
        if is_known(op, registers, point) == Some(false) {
            return true;
        }
        if matches!(op, Op::And(..) | Op::Or(..)) && follows[at] {
            continue;
        }
        taken_parts(op, at, registers, |id| taken[id.index()] = true);
    }
    false
}

/// Whether the text asks, too, what an operation asks.
fn is_known<R: Element>(op: &Op, registers: &Registers<R>, point: &Point) -> Option<bool> {
    let value = |id: &ValueId| Some(registers.get(*id).ok()?.value());
    match op {
        Op::Compare(Comparison::Eq, a, b) => Some(point.knows_equality(value(a)? - value(b)?)),
        Op::Compare(_, a, b) => Some(point.knows_sign(value(a)? - value(b)?)),
        Op::Call(Of::Min | Of::Max, of) => Some(point.knows_sign(value(&of[0])? - value(&of[1])?)),
        Op::Call(Of::Abs | Of::Signum, of) => Some(point.knows_sign(value(&of[0])?)),
        _ => None,
    }
}

/// What a value is made of, the way not gone left out.
fn taken_parts<R: Element>(
    op: &Op,
    at: usize,
    registers: &Registers<R>,
    mut visit: impl FnMut(ValueId),
) {
    match op {
        Op::Select(condition, a, b) => {
            let condition_holds = |it: R| !it.value().is_zero();
            let holds = registers.get(*condition).is_ok_and(condition_holds);
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
