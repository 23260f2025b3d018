//! Headings for readers: the line of the derivation that the statements of a program compute.
//!
//! Input: functions whose programs have meanings. Output: headings in these programs. A statement without
//! a meaning belongs to the line that first needs it. Every line has one heading, above all statements of this
//! line. If the schedule mixes two lines, they have a common heading; if even that would be above other
//! statements, the program has no headings.

use super::{Body, Function};
use crate::expr::{CollectVec, PushEach, sort};
use crate::schedule::{Heading, Matrix, Meaning, Program, Statement, ValueId};

/// A line of the derivation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    /// M, with its elimination.
    Mass,
    /// h, with its forward substitution.
    Applied,
    /// J M⁻¹ Jᵀ, with its elimination.
    Delassus,
    /// Its right-hand sides, with their forward substitution.
    Sides,
    /// M together with h.
    Motion,
    /// J M⁻¹ Jᵀ together with its right-hand sides.
    Rows,
    /// All eliminations.
    Elimination,
    /// Back substitution.
    Unknowns,
    /// The returned values.
    Result,
}

impl Line {
    /// The line of a value with a meaning, if the meaning belongs to one line.
    fn of(meaning: Meaning) -> Option<Line> {
        Some(match meaning {
            Meaning::Entry(matrix, ..)
            | Meaning::Left(matrix, ..)
            | Meaning::Lower(matrix, ..)
            | Meaning::Pivot(matrix, _)
            | Meaning::Determinant(matrix) => match matrix {
                Matrix::Mass => Line::Mass,
                Matrix::Delassus => Line::Delassus,
            },
            Meaning::Right(Matrix::Mass, _) | Meaning::RightLeft(Matrix::Mass, _) => Line::Applied,
            Meaning::Bias(_)
            | Meaning::Right(Matrix::Delassus, _)
            | Meaning::RightLeft(Matrix::Delassus, _) => Line::Sides,
            Meaning::Unknown(_) => Line::Unknowns,
            Meaning::Pull(_) | Meaning::Force(_) | Meaning::Acceleration(_) => Line::Result,
            // Parts of rows and bodies serve several lines.
            _ => return None,
        })
    }

    /// The line that contains this one in a division of the derivation.
    fn within(self, division: Division) -> Line {
        match (division, self) {
            (Division::Fine, line) => line,
            (_, Line::Unknowns | Line::Result) => self,
            (Division::Whole, _) => Line::Elimination,
            (Division::Systems, Line::Mass | Line::Applied) => Line::Motion,
            (Division::Systems, Line::Delassus | Line::Sides) => Line::Rows,
            (Division::Systems, line) => line,
        }
    }

    /// True if it contains right-hand sides of the multipliers.
    fn has_sides(self) -> bool {
        matches!(self, Line::Sides | Line::Rows | Line::Elimination)
    }

    fn text(self, has_sides: bool, result: &str) -> String {
        match self {
            Line::Mass => "M: entries and pivots",
            Line::Applied => "h",
            Line::Delassus => "J M⁻¹ Jᵀ: entries and pivots",
            Line::Sides => "Right-hand sides",
            Line::Motion => "M and h: eliminate row by row",
            Line::Rows => "J M⁻¹ Jᵀ and right-hand sides: eliminate row by row",
            Line::Elimination => "M, h, J M⁻¹ Jᵀ and right-hand sides",
            Line::Unknowns if has_sides => "Solve",
            Line::Unknowns => "Right-hand side and solution",
            Line::Result => result,
        }
        .to_owned()
    }
}

/// The granularity of a division into lines.
#[derive(Clone, Copy)]
enum Division {
    Fine,
    Systems,
    Whole,
}

/// Adds headings to the programs of functions; guards of the first `rows` rows belong to constraints, others to M.
pub fn head(functions: &mut [Function<'_>], rows: usize) {
    for function in functions {
        if let Body::Straight(program) = &mut function.body {
            program.headings = headings(program, function.symbol, rows);
        }
    }
}

fn headings(program: &Program, result: &str, rows: usize) -> Vec<Heading> {
    if solves_twice(program) {
        return Vec::new();
    }
    let lines = lines(program, rows);
    let divisions = [Division::Fine, Division::Systems, Division::Whole];
    let divided = divisions.into_iter().find_map(|division| {
        let lines = lines.iter().map(|line| line.within(division));
        begins(lines.chain([Line::Result]))
    });
    let divided = divided
        .filter(|begins| begins.len() > 2)
        .unwrap_or_default();
    let has_sides = divided.iter().any(|(_, line)| line.has_sides());
    let heading = |(before, line): (usize, Line)| Heading {
        before,
        text: line.text(has_sides, result),
    };
    divided.into_iter().map(heading).collect_vec()
}

/// True if one matrix serves several right-hand sides, which headings could not distinguish.
fn solves_twice(program: &Program) -> bool {
    let named = program.statements.iter().flat_map(values);
    let mut unknowns: Vec<usize> = named
        .filter_map(|value| match program.meaning(value)? {
            Meaning::Unknown(row) => Some(row),
            _ => None,
        })
        .collect_vec();
    sort(&mut unknowns);
    unknowns.windows(2).any(|pair| pair[0] == pair[1])
}

/// The first statement of each line; `None` if a line is not contiguous.
fn begins(lines: impl Iterator<Item = Line>) -> Option<Vec<(usize, Line)>> {
    let mut begins: Vec<(usize, Line)> = Vec::new();
    for (before, line) in lines.enumerate() {
        match begins.last() {
            Some(&(_, last)) if last == line => {}
            _ if begins.iter().any(|&(_, known)| known == line) => return None,
            _ => begins.push((before, line)),
        }
    }
    Some(begins)
}

/// The line of each statement.
fn lines(program: &Program, rows: usize) -> Vec<Line> {
    let users = first_users(program);
    let mut lines = vec![Line::Result; program.statements.len()];
    for (i, statement) in program.statements.iter().enumerate().rev() {
        let own = match statement {
            Statement::Guard(guard) if guard.row < rows => Some(Line::Delassus),
            Statement::Guard(_) => Some(Line::Mass),
            _ => values(statement).find_map(|value| Line::of(program.meaning(value)?)),
        };
        let user = values(statement)
            .filter_map(|value| users[value.index()])
            .min();
        lines[i] = own.or_else(|| Some(lines[user?])).unwrap_or(Line::Result);
    }
    lines
}

/// The values that a statement names.
fn values(statement: &Statement) -> impl Iterator<Item = ValueId> {
    let (first, second) = match statement {
        Statement::Let { value, .. } => (Some(*value), None),
        Statement::SinCos { sine, cosine, .. } => (Some(sine.0), Some(cosine.0)),
        Statement::Guard(_) => (None, None),
    };
    first.into_iter().chain(second)
}

/// For every value the first statement that needs it and does not compute it; `None` if only outputs need it.
fn first_users(program: &Program) -> Vec<Option<usize>> {
    let mut is_named = vec![false; program.values.len()];
    let named = program.statements.iter().flat_map(values);
    named.for_each(|value| is_named[value.index()] = true);
    let mut users = vec![None; program.values.len()];
    for (i, statement) in program.statements.iter().enumerate() {
        let mut stack = Vec::new();
        values(statement).for_each(|value| {
            program.values[value.index()].for_each_operand(|operand| stack.push(operand));
        });
        if let Statement::Guard(guard) = statement {
            stack.push_each(guard.values());
        }
        while let Some(value) = stack.pop() {
            if is_named[value.index()] {
                users[value.index()].get_or_insert(i);
            } else {
                program.values[value.index()].for_each_operand(|operand| stack.push(operand));
            }
        }
    }
    users
}
