//! A function in loops as statements: its arrays, the loops over them, and a block for each kernel.

mod columns;

use super::functions::Writer;
use super::{Reason, on_stack};
use crate::code::expression::own;
use crate::code::panels::{ELIMINATE, SUBSTITUTE};
use crate::code::{
    ArrayElement, Counter, Expression, Handed, Integer, Rounds, Statement, Value, Vector,
};
use crate::dynamics::Matrix;
use crate::emit::loops::{Form, InLoops, ROUND, entries_of, place};
use crate::expr::{CollectVec, MapEach, PushEach};
use crate::families::{Index, Loop};
use crate::function::assignment::Assignment;
use crate::function::loops::{self, Loops};
use crate::function::system::TANGENT;
use crate::function::{Argument, Dimension, Function, Shape};
use crate::system::loops::routine::{Array, Solve, Varied, by_column};

/// The accelerations and multipliers that outputs depend on,
const SOLVED: &str = "solved_of";
/// and a result that is one number.
const SUM: &str = "out";

/// The writer of a function in loops.
pub(super) struct OfLoops<'w, 'a> {
    writer: &'w Writer<'w>,
    shape: Shape,
    pub all: InLoops<'w, 'a>,
}

impl<'a> Form<'a> for OfLoops<'_, 'a> {
    fn element(&self, it: &Loop, array: Array, at: Index) -> Option<ArrayElement> {
        let (interface, language) = (self.writer.interface, self.writer.language);
        let argument = |it| self.all.argument(it);
        Some(match array {
            Array::Output if it.per_column => self.in_column(0, at),
            Array::Multipliers if it.per_column => self.in_column(2, at),
            Array::MotionBy(by) => self.in_matrix(it, (Dimension::Velocities, by), array, at),
            Array::MultipliersBy(by) => self.in_matrix(it, (Dimension::Rows, by), array, at),
            Array::Tangent(of) if !language.knows_fields() => {
                let first = self.before(&TANGENT, of.field());
                argument(Argument::Tangent).at(place(at, first))
            }
            Array::Tangent(of) => {
                let tangent = self.writer.argument(Argument::Tangent);
                let part = Vector::Text(format!("{tangent}.{}", of.field()));
                match of {
                    Varied::Time => part.whole(),
                    _ => part.at(place(at, 0)),
                }
            }
            Array::Multipliers if self.shape == Shape::Outputs => {
                let both = self.all.needed.contains(&Array::Acceleration);
                let motion = interface.size(Dimension::Velocities);
                own(SOLVED).at(place(at, if both { motion } else { 0 }))
            }
            Array::Acceleration if self.shape == Shape::Outputs => own(SOLVED).at(place(at, 0)),
            Array::Output => match self.shape {
                Shape::Scalar => own(SUM).whole(),
                Shape::Matrix(rows, columns) => {
                    let sizes = [rows, columns].map_each(|it| interface.size(it));
                    Vector::Result.at(by_rows(it, at, sizes))
                }
                _ => Vector::Result.at(place(at, 0)),
            },
            Array::Multipliers if entries_of(self.all.loops) > 0 => {
                argument(Argument::Multipliers).at(place(at, 0))
            }
            Array::Multipliers | Array::Gradient(_) => {
                Vector::Result.at(place(at, self.first(array)))
            }
            _ => return None,
        })
    }

    /// Its value, or else its matrix, row and column.
    fn entry(
        &self,
        number: Index,
        matrix: Matrix,
        [row, column]: [Index; 2],
        value: Expression<'a>,
    ) -> Vec<Statement<'a>> {
        if self.all.entries {
            return vec![Vector::Result.at(place(number, 0)).set(value)];
        }
        let matrix = Expression::Number(f64::from(matrix as u8));
        let [row, column] = [row, column].map(|it| Expression::Real(place(it, 0)));
        let parts = [matrix, row, column].into_iter().enumerate();
        let part = |(k, part)| Vector::Result.at(place(threefold(number, k), 0)).set(part);
        parts.map(part).collect_vec()
    }
}

impl<'w, 'a> OfLoops<'w, 'a> {
    pub fn new(writer: &'w Writer<'w>, function: &Function<'_>, loops: &'a Loops<'a>) -> Self {
        OfLoops {
            writer,
            shape: function.signature.result,
            all: InLoops::new(writer.interface, loops, false),
        }
    }

    /// The statements that follow those that read the leaves.
    pub fn statements(&self) -> Result<Vec<Statement<'a>>, Reason> {
        let (interface, loops) = (self.writer.interface, self.all.loops);
        let work = interface.work_arrays(loops, &self.all.needed);
        on_stack(work.iter().map(|it| it.1).sum())?;
        let assignment = Assignment::of(loops);
        let mut lines: Vec<Statement<'_>> = self.solve().into_iter().collect_vec();
        lines.push(match (self.shape, entries_of(loops)) {
            (Shape::Scalar, _) => Statement::Variable(SUM.into(), 0.0.into()),
            (shape, 0) => Statement::Result(interface.entries(shape), !self.is_whole(&assignment)),
            (_, entries) => Statement::Result(entries, false),
        });
        lines.push_each(self.all.arrays(Some(&assignment)));
        let mut first = 0;
        let mut rounds = |it: &Loop| match it.step {
            Some(step) => self.step(Solve::of(step)),
            None => self.all.rounds(self, it, &mut first),
        };
        for (per_column, loops) in by_column(&loops.routine.loops) {
            let rounds = loops.iter().flat_map(&mut rounds);
            if per_column {
                let rounds: Vec<Statement<'_>> = rounds.collect_vec();
                lines.push(self.each_column(rounds));
            } else {
                lines.push_each(rounds);
            }
        }
        lines.push(Statement::Return(self.given_back()));
        Ok(lines)
    }

    /// A step with the matrix in blocks.
    fn step(&self, step: Solve) -> Vec<Statement<'a>> {
        let Some(panels) = self.all.loops.panels else {
            return Vec::new();
        };
        let name = |array| loops::work_name(array).unwrap_or_default();
        let blocks = name(Array::Blocks);
        let call = |function, arrays: Vec<&'static str>| {
            let arrays = arrays.into_iter().map(|it| Handed::Array(it.into()));
            Statement::Call(function, arrays.collect_vec())
        };
        let unknowns = step.unknowns().map_or("", name);
        let solved = call(SUBSTITUTE, vec![blocks, unknowns]);
        self.writer.eliminates(panels);
        match step {
            Solve::Clear => {
                let zero = own(blocks).at(Counter::Name(ROUND)).set(0.0);
                let all = Rounds::up_to(ROUND, panels.entries());
                vec![Statement::Rounds(all, vec![zero])]
            }
            Solve::First => vec![call(ELIMINATE, vec![blocks]), solved],
            Solve::Same | Solve::Beside => vec![solved],
        }
    }

    /// The same, of the places of entries.
    pub fn places(mut self) -> Vec<Statement<'a>> {
        self.all.entries = false;
        self.all.needed.clear();
        let entries = entries_of(self.all.loops);
        let mut lines = vec![Statement::Result(3 * entries, false)];
        let (all, mut first) = (self.all.loops.routine.loops.iter(), 0);
        lines.push_each(all.flat_map(|it| self.all.rounds(&self, it, &mut first)));
        lines.push(Statement::Return(Value::Part(0, vec![entries, 3])));
        lines
    }

    /// Whether all of the result is written by loops.
    fn is_whole(&self, assignment: &Assignment) -> bool {
        let entries = |shape| self.writer.interface.entries(shape);
        let whole = |array, shape| assignment.is_whole(array, entries(shape));
        match self.shape {
            Shape::Tuple(&[first, second]) => {
                whole(Array::Output, first) && whole(Array::Multipliers, second)
            }
            Shape::Record(_) => false,
            shape => whole(Array::Output, shape),
        }
    }

    /// The call of the function that gives what outputs depend on.
    fn solve(&self) -> Option<Statement<'a>> {
        let interface = self.writer.interface;
        let (function, reads) = self.all.solved(self.shape)?;
        let sizes = [Dimension::Velocities, Dimension::Rows].map_each(|it| interface.size(it));
        let given = sizes.iter().zip(reads).filter(|it| it.1);
        let state = [Argument::Time, Argument::Coordinates, Argument::Velocities];
        let state = state.map(|it| Handed::Argument(interface.name(it).to_string().into()));
        Some(Statement::Given {
            name: SOLVED.into(),
            function,
            arguments: state.into(),
            length: given.map(|it| it.0).sum(),
        })
    }

    /// The result.
    fn given_back(&self) -> Value<Expression<'a>> {
        match (self.shape, entries_of(self.all.loops)) {
            (Shape::Scalar, _) => Value::Number(Expression::Name(SUM.into())),
            (shape, 0) => self.part(shape, &mut 0),
            (_, entries) => Value::Part(0, vec![entries]),
        }
    }

    /// A part of the result, from the number that it begins at.
    fn part(&self, shape: Shape, first: &mut usize) -> Value<Expression<'a>> {
        let interface = self.writer.interface;
        let lengths = match shape {
            Shape::Tuple(parts) => {
                return Value::Tuple(
                    parts
                        .iter()
                        .map(|&part| self.part(part, first))
                        .collect_vec(),
                );
            }
            Shape::Record(record) => {
                let fields = record.fields.iter();
                let fields = fields.map(|&(name, part)| (name, self.part(part, first)));
                return Value::Record(fields.collect_vec());
            }
            Shape::Scalar => Vec::new(),
            Shape::Matrix(rows, columns) => vec![interface.size(rows), interface.size(columns)],
            shape => vec![interface.entries(shape)],
        };
        let begin = *first;
        *first += interface.entries(shape);
        Value::Part(begin, lengths)
    }

    /// Where an array begins in a result of several.
    fn first(&self, array: Array) -> usize {
        let entries = |shape| self.writer.interface.entries(shape);
        match (array, &self.shape) {
            (Array::Multipliers, Shape::Tuple([first, ..])) => entries(*first),
            (Array::Gradient(of), shape) => self.before(shape, of.field()),
            (Array::MotionBy(by), Shape::Tuple([shape, _]) | shape) => {
                self.before(shape, by.field())
            }
            (Array::MultipliersBy(by), Shape::Tuple([first, shape])) => {
                entries(*first) + self.before(shape, by.field())
            }
            _ => 0,
        }
    }

    /// The numbers of a record before one of its fields.
    fn before(&self, shape: &Shape, field: &str) -> usize {
        let Shape::Record(record) = shape else {
            return 0;
        };
        let before = record.fields.iter().take_while(|it| it.0 != field);
        before.map(|it| self.writer.interface.entries(it.1)).sum()
    }
}

/// The index of the k-th of three numbers.
fn threefold(index: Index, k: usize) -> Index {
    match index {
        Index::Constant(value) => Index::Constant(3 * value + k),
        Index::Even { first, step } => Index::Even {
            first: 3 * first + k,
            step: 3 * step,
        },
        Index::Table(column, ahead) => Index::Table(column, ahead),
    }
}

/// The place of an entry of a matrix, whose index counts column by column, where it is stored row by row.
fn by_rows(it: &Loop, index: Index, [rows, columns]: [usize; 2]) -> Integer {
    let there = |place: usize| place % rows * columns + place / rows;
    if let Index::Constant(value) = index {
        return there(value).into();
    }
    let mut places = (0..it.rounds).map(|round| there(it.place(index, round)).cast_signed());
    let first = places.next().unwrap_or_default();
    let step = places.next().unwrap_or_default() - first;
    let even = places
        .zip(2..)
        .all(|(place, round)| place == first + step * round);
    if even && step != 0 {
        let first = first.unsigned_abs();
        return place(Index::Even { first, step }, 0);
    }
    let index = place(index, 0);
    let column = Integer::Quotient(Box::new(index.clone()), rows);
    let row = Integer::Remainder(Box::new(index), rows);
    let row = Integer::Product(Box::new([row, columns.into()]));
    Integer::Sum(Box::new([row, column]))
}
