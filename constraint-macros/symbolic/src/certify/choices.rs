//! The paths that a text takes through its choices, and the detection of programs that choose by other signs.
//!
//! If programs compare only differences that the text compares, each path of the text fixes the fractions that they
//! compute: one point on each path suffices.

use super::number::Element;
use super::point::Point;
use crate::expr::{CollectVec, Comparison, Function as Of};
use crate::function::Body;
use crate::schedule::{Op, Program, Registers, ValueId};

/// Visited paths: the answers that the text received, in order.
///
/// An answer is followed by another question or by the end, so that paths are the leaves of a binary tree.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    visited: Vec<Vec<bool>>,
}

/// Longer paths are too many to visit them all.
const LONGEST: usize = 40;

impl Paths {
    /// All paths except one, which is then the only one left to visit.
    pub fn all_except(answers: &[bool]) -> Paths {
        let sibling = |at: usize| [&answers[..at], &[!answers[at]]].concat();
        Paths {
            visited: (0..answers.len()).map(sibling).collect_vec(),
        }
    }

    /// Records a path.
    pub fn visit(&mut self, answers: &[bool]) {
        if !self.visited.iter().any(|it| it == answers) {
            self.visited.push(answers.to_vec());
        }
    }

    /// True if all paths with this beginning are visited: by Kraft's equality, their 2^−length add up to that of the
    /// beginning.
    pub fn all_are_visited(&self, beginning: &[bool]) -> bool {
        let part = |path: &[bool]| (1_u64 << LONGEST) >> path.len().min(63);
        let below = self.visited.iter().filter(|it| it.starts_with(beginning));
        beginning.len() <= LONGEST && below.map(|it| part(it)).sum::<u64>() == part(beginning)
    }

    /// The random answer, or the other one if all paths behind the random one are visited.
    pub fn answer(&self, answers: &[bool], by_chance: bool) -> bool {
        let mut beginning = answers.to_vec();
        beginning.push(by_chance);
        by_chance != self.all_are_visited(&beginning)
    }
}

/// True if a function chooses between values.
pub fn chooses(body: &Body<'_>) -> bool {
    let branches = matches!(body, Body::Branches { .. });
    let mut programs = body.programs().into_iter();
    branches || programs.any(|it| it.values.iter().any(decides))
}

/// True if an operation chooses by a sign.
fn decides(op: &Op) -> bool {
    match op {
        Op::Compare(..) => true,
        Op::Call(function, _) => matches!(function, Of::Min | Of::Max | Of::Abs | Of::Signum),
        _ => false,
    }
}

/// The conditions by which a program chooses, with the values below them.
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
        let outputs = conditions.iter().map(|it| places[it.index()]).collect_vec();
        Some(Conditions { values, outputs })
    }
}

// Macros run unoptimised, where iterators cost more than the work inside; the hot loops are written by hand.

/// The conditions of choices; `None` if `min`, `max`, `abs` or `signum` choose too.
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

/// For every value up to the last condition: true if a condition depends on it.
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

/// For every value: true if it is a condition that follows from the answers to the text. The text does not evaluate
/// operands of `&&` and `||` that do not matter.
pub fn following<R: Element>(values: &[Op], registers: &Registers<R>, point: &Point) -> Vec<bool> {
    let mut follows = Vec::with_capacity(values.len());
    for (at, op) in values.iter().enumerate() {
        let holds = |at: usize| !registers.of(at).value().is_zero();
        let known = match op {
            Op::And(a, b) | Op::Or(a, b) => {
                // The result follows from all operands, or from one of them.
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

/// True if an output depends on a sign that the text does not determine.
pub fn has_own_signs<R: Element>(
    program: &Program,
    registers: &Registers<R>,
    point: &Point,
) -> bool {
    let mut taken = vec![false; program.values.len()];
    let outputs = program.outputs.iter();
    outputs.for_each(|it| taken[it.index()] = true);
    let follows = following(&program.values, registers, point);
    // Operands come before their users.
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

/// True if the text asks the question of an operation too; `None` if the operation asks none.
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

/// Visits the operands of a value, without those of branches that are not taken.
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
