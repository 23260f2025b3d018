//! Which ways of its choices a function has gone where it was found right.
//!
//! A wrong value in a branch shows wherever that branch is taken, and a wrong comparison is one that the text does not
//! make, or goes another way than the right one. So points are enough at which each operation takes part once, each
//! condition holds once and does not hold once, and no two go the same way everywhere, where the text asks for the order
//! of the same numbers; else there are as many as make it unlikely that all go as the right ones do by chance.

use super::field::Residue;
use super::point::Point;
use super::programs::Registers;
use crate::curve::Pieces;
use crate::expr::Function as Of;
use crate::function::Body;
use crate::schedule::{Op, Program, ValueId};

/// The choices of a function.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// What of its programs has been met; nothing where none of them chooses.
    programs: Vec<Met>,
    /// Whether a sign decides for which the text does not ask.
    pub own: bool,
}

/// What of a program has been met.
#[derive(Clone, Debug)]
struct Met {
    /// Which of its values outputs are made of, and have not been part of one,
    missing: Vec<bool>,
    /// and how many there are.
    left: usize,
    ways: Vec<Way>,
}

/// Where one of two ways is gone.
#[derive(Clone, Debug)]
struct Way {
    /// The value that decides.
    at: usize,
    /// By and by, where it was part of an output.
    past: Vec<Option<Gone>>,
    /// What two conditions were together.
    together: u8,
}

/// A way that was gone.
#[derive(Clone, Debug)]
struct Gone {
    /// What the sign was asked of; 0 where that is two conditions.
    sign: Residue,
    way: bool,
}

/// All that two conditions can be together.
const ALL: u8 = 0b1111;
/// So much of the past is enough to tell one condition from another.
const MOST: usize = 64;

impl Choices {
    /// Those of a function.
    pub fn of(body: &Body<'_>) -> Choices {
        let programs = body.programs();
        let branches = matches!(body, Body::Branches { .. });
        if !branches && !programs.iter().any(|it| chooses(it)) {
            return Choices::default();
        }
        // In the order in which pieces are numbered.
        let programs = match body {
            Body::Branches { whole, pieces } => {
                let mut all = Vec::new();
                in_order(pieces, &mut all);
                all.push(whole);
                all
            }
            _ => programs,
        };
        Choices {
            programs: programs.into_iter().map(Met::new).collect(),
            own: false,
        }
    }

    /// Whether there are some.
    pub fn exist(&self) -> bool {
        !self.programs.is_empty()
    }

    /// Whether all have been met.
    pub fn are_met(&self) -> bool {
        !self.own && self.programs.iter().all(Met::is_all)
    }

    /// Looks at a program that was run.
    pub fn watch(
        &mut self,
        number: usize,
        program: &Program,
        registers: &Registers,
        point: &Point,
    ) {
        if let Some(met) = self.programs.get_mut(number) {
            self.own |= met.watch(program, registers, point);
        }
    }
}

fn in_order<'a>(pieces: &'a Pieces<Program, Program>, all: &mut Vec<&'a Program>) {
    match pieces {
        Pieces::One(program) => all.push(program),
        Pieces::Either {
            condition,
            branches,
        } => {
            all.push(condition);
            branches.iter().for_each(|it| in_order(it, all));
        }
    }
}

/// Whether a program chooses between values.
fn chooses(program: &Program) -> bool {
    program.values.iter().any(decides)
}

/// Whether one of two ways is gone by it.
fn decides(op: &Op) -> bool {
    match op {
        Op::Compare(..) | Op::And(..) | Op::Or(..) => true,
        Op::Call(function, _) => matches!(function, Of::Min | Of::Max | Of::Abs | Of::Signum),
        _ => false,
    }
}

impl Met {
    fn new(program: &Program) -> Met {
        let mut missing = outputs(program);
        let (mut left, mut ways) = (0, Vec::new());
        // Operands stand before what is made of them.
        for (at, op) in program.values.iter().enumerate().rev() {
            if !missing[at] {
                continue;
            }
            left += 1;
            op.for_each_operand(|id| missing[id.index()] = true);
            if decides(op) {
                ways.push(Way::new(at, op));
            }
        }
        Met {
            missing,
            left,
            ways,
        }
    }

    fn is_all(&self) -> bool {
        let mut ways = self.ways.iter().enumerate();
        let is_told = |(i, way): (usize, &Way)| {
            let mut others = self.ways[..i].iter();
            way.is_met() && others.all(|it| way.is_told_from(it))
        };
        self.left == 0 && ways.all(is_told)
    }

    /// Whether a sign decides for which the text does not ask.
    fn watch(&mut self, program: &Program, registers: &Registers, point: &Point) -> bool {
        let mut own = false;
        let mut taken = outputs(program);
        for (at, op) in program.values.iter().enumerate().rev() {
            if !taken[at] {
                continue;
            }
            self.left -= usize::from(std::mem::take(&mut self.missing[at]));
            own |= sign_in(op, registers).is_some_and(|it| !point.knows_sign(it));
            parts(op, registers.of(at), registers, |id| {
                taken[id.index()] = true
            });
        }
        for way in &mut self.ways {
            way.watch(&program.values[way.at], taken[way.at], registers);
        }
        own
    }
}

/// Which values of a program are outputs.
fn outputs(program: &Program) -> Vec<bool> {
    let mut all = vec![false; program.values.len()];
    program.outputs.iter().for_each(|it| all[it.index()] = true);
    all
}

/// What an operation asks for the sign of.
fn sign_in(op: &Op, registers: &Registers) -> Option<Residue> {
    let value = |id: &ValueId| registers.get(*id).ok();
    match op {
        Op::Compare(_, a, b) => Some(value(a)? - value(b)?),
        Op::Call(Of::Min | Of::Max, of) => Some(value(&of[0])? - value(&of[1])?),
        Op::Call(Of::Abs | Of::Signum, of) => value(&of[0]),
        _ => None,
    }
}

/// What a value is made of, the way not gone left out.
fn parts(op: &Op, value: Residue, registers: &Registers, mut visit: impl FnMut(ValueId)) {
    match op {
        Op::Select(condition, a, b) => {
            let holds = registers.get(*condition).is_ok_and(|it| !it.is_zero());
            visit(*condition);
            visit(if holds { *a } else { *b });
        }
        Op::Call(Of::Min | Of::Max, of) => {
            let equal = of.iter().filter(|id| registers.get(**id) == Ok(value));
            equal.for_each(|id| visit(*id));
        }
        _ => op.for_each_operand(visit),
    }
}

impl Way {
    fn new(at: usize, op: &Op) -> Way {
        let is_of_two = matches!(op, Op::And(..) | Op::Or(..));
        Way {
            at,
            past: Vec::new(),
            together: if is_of_two { 0 } else { ALL },
        }
    }

    fn is_met(&self) -> bool {
        let ways = |way: bool| self.past.iter().flatten().any(|it| it.way == way);
        self.together == ALL && ways(true) && ways(false)
    }

    /// Whether it may go another way than one that asks for another sign.
    fn is_told_from(&self, other: &Way) -> bool {
        let pairs = self.past.iter().zip(&other.past);
        let mut pairs = pairs.filter_map(|(a, b)| Some((a.as_ref()?, b.as_ref()?)));
        let Some((a, b)) = pairs.next() else {
            return true;
        };
        let asks_the_same = a.sign == b.sign || a.sign == -b.sign;
        let is_of_two = a.sign.is_zero() || b.sign.is_zero();
        asks_the_same || is_of_two || a.way != b.way || pairs.any(|(a, b)| a.way != b.way)
    }

    /// Where the value is part of no output, nothing is told.
    fn watch(&mut self, op: &Op, taken: bool, registers: &Registers) {
        let gone = if taken {
            self.gone(op, registers)
        } else {
            None
        };
        if self.past.len() < MOST {
            self.past.push(gone);
        }
    }

    fn gone(&mut self, op: &Op, registers: &Registers) -> Option<Gone> {
        let value = |id: &ValueId| registers.get(*id).ok();
        let own = registers.of(self.at);
        let way = match op {
            Op::Call(Of::Min | Of::Max | Of::Abs, of) => own == value(&of[0])?,
            Op::Call(..) => own == Residue::ONE,
            Op::And(a, b) | Op::Or(a, b) => {
                let [a, b] = [value(a)?, value(b)?].map(|it| u8::from(!it.is_zero()));
                self.together |= 1 << (2 * a + b);
                !own.is_zero()
            }
            _ => !own.is_zero(),
        };
        let sign = sign_in(op, registers).unwrap_or_default();
        Some(Gone { sign, way })
    }
}
