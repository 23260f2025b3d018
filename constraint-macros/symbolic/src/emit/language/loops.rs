//! A function in loops as statements: its arrays, the loops over them, and a block for each kernel.

mod columns;

use std::collections::BTreeSet;

use super::functions::Writer;
use super::{Reason, on_stack};
use crate::code::expression::own;
use crate::code::panels::ELIMINATE;
use crate::code::{
    Affine, ArrayElement, Change, Counter, Expression, Handed, Integer, Rounds, Statement, Value,
    Values, Vector,
};
use crate::expr::{Set, SymbolId};
use crate::families::{Index, Loop};
use crate::function::assignment::Assignment;
use crate::function::loops::{self, Kernel, Loops, shared};
use crate::function::system::TANGENT;
use crate::function::{Argument, Dimension, Function, Shape};
use crate::model::Role;
use crate::schedule::{Op, ValueId};
use crate::system::loops::routine::{self, Array, Varied, Write, by_column};

/// The counter of rounds,
const ROUND: &str = "round";
/// a line of a table,
const PLACE: &str = "place_of";
/// the accelerations and multipliers that outputs depend on,
const SOLVED: &str = "solved_of";
/// and a result that is one number.
const SUM: &str = "out";

/// The arrays in which panels are eliminated.
pub(super) const ELIMINATED: [Array; 2] = [Array::Blocks, Array::Solution];

/// A function in loops.
pub(super) struct InLoops<'w, 'a> {
    writer: &'w Writer<'w>,
    shape: Shape,
    loops: &'a Loops<'a>,
    /// The arrays that the result depends on.
    needed: BTreeSet<Array>,
    /// Whether entries or their places are written.
    of_entries: OfEntries,
}

/// The result of a function that gives entries of matrices.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OfEntries {
    /// Their values.
    Values,
    /// The matrix, row and column of each, which are the same at every state.
    Places,
}

impl<'w, 'a> InLoops<'w, 'a> {
    pub fn new(writer: &'w Writer<'w>, function: &Function<'_>, loops: &'a Loops<'a>) -> Self {
        let mut all = InLoops {
            writer,
            shape: function.signature.result,
            loops,
            needed: loops.arrays(),
            of_entries: OfEntries::Values,
        };
        // An array that only arrays without a reader need is not needed either.
        loop {
            let needed = all.needed_arrays();
            if needed == all.needed {
                return all;
            }
            all.needed = needed;
        }
    }

    /// The results, and the arrays that kernels read in order to write to needed ones.
    fn needed_arrays(&self) -> BTreeSet<Array> {
        let mut needed: BTreeSet<Array> = self.needed.clone();
        needed.retain(|&array| loops::work_name(array).is_none());
        if self.loops.panels.is_some() {
            needed.extend(ELIMINATED);
        }
        for number in 0..self.loops.kernels.len() {
            let read = self.read_by(number);
            let reads = self.kernel(number).1.reads.iter();
            let reads = reads.filter(|it| read.contains(&it.0));
            needed.extend(reads.map(|it| shared(it.1)));
        }
        needed
    }

    /// Where a result of a kernel goes, and whether it is added to what is there; nothing for an array that is not needed.
    fn target(&self, write: Write) -> Option<(Array, usize, bool)> {
        let (array, at, adds) = match write {
            Write::Set(array, at) => (array, at, false),
            Write::Add(array, at) => (array, at, true),
            _ => return None,
        };
        let needed = self.needed.contains(&shared(array));
        needed.then_some((array, at, adds))
    }

    /// The roles of leaves that are not read from arrays, and of inputs one where an array is of them.
    pub fn roles_read(&self) -> Set<Role> {
        let symbols = self.writer.interface.symbols;
        let mut read = Set::default();
        for (number, kernel) in self.loops.kernels.iter().enumerate() {
            let outside = self.read_by(number);
            let outside = outside.iter().filter(|it| !kernel.leaves.contains_key(it));
            read.extend(outside.map(|it| symbols[it.index()].role));
        }
        let inputs = self.needed.iter().any(|it| matches!(it, Array::Input(..)));
        read.extend(inputs.then_some(Role::Input(usize::MAX)));
        read
    }

    /// The statements that follow those that read the leaves.
    pub fn statements(&self) -> Result<Vec<Statement<'a>>, Reason> {
        let interface = self.writer.interface;
        let work = interface.work_arrays(self.loops, &self.needed);
        on_stack(work.iter().map(|it| it.1).sum())?;
        let assignment = Assignment::of(self.loops);
        let mut lines: Vec<Statement<'_>> = self.solve().into_iter().collect();
        lines.push(match (self.shape, entries_of(self.loops)) {
            (Shape::Scalar, _) => Statement::Variable(SUM.into(), 0.0.into()),
            (shape, 0) => Statement::Result(interface.entries(shape), !self.is_whole(&assignment)),
            (_, entries) => Statement::Result(entries, false),
        });
        for (array, length) in work {
            if let Some(name) = loops::work_name(array) {
                let zeros = assignment.needs_zeros(array);
                lines.push(Statement::Array(name.into(), length, zeros));
            }
        }
        let (routine, mut first) = (self.loops.routine, 0);
        let assembly = routine.assembly.iter();
        lines.extend(assembly.flat_map(|it| self.rounds(it, &mut first)));
        if let Some(panels) = self.loops.panels {
            self.writer.eliminates(panels);
            let arrays = ELIMINATED.map(|it| loops::work_name(it).unwrap_or_default().into());
            lines.push(Statement::Call(ELIMINATE, arrays.map(Handed::Array).into()));
        }
        for (per_column, loops) in by_column(&routine.loops) {
            let loops = loops.iter();
            let rounds = loops.flat_map(|it| self.rounds(it, &mut first));
            if per_column {
                let rounds: Vec<Statement<'_>> = rounds.collect();
                lines.push(self.each_column(rounds));
            } else {
                lines.extend(rounds);
            }
        }
        lines.push(Statement::Return(self.given_back()));
        Ok(lines)
    }

    /// The same, of the places of entries.
    pub fn places(mut self) -> Vec<Statement<'a>> {
        self.of_entries = OfEntries::Places;
        let entries = entries_of(self.loops);
        let mut lines = vec![Statement::Result(3 * entries, false)];
        let (routine, mut first) = (self.loops.routine, 0);
        let all = routine.assembly.iter().chain(&routine.loops);
        lines.extend(all.flat_map(|it| self.rounds(it, &mut first)));
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
        let reads = |array| self.shape == Shape::Outputs && self.needed.contains(&array);
        let [motion, rows] = [Dimension::Velocities, Dimension::Rows];
        let [motion, rows] = [motion, rows].map(|it| self.writer.interface.size(it));
        let (function, length) = match (reads(Array::Acceleration), reads(Array::Multipliers)) {
            (true, true) => ("acceleration_and_multipliers", motion + rows),
            (true, false) => ("acceleration", motion),
            (false, true) => ("multipliers", rows),
            (false, false) => return None,
        };
        let state = [Argument::Time, Argument::Coordinates, Argument::Velocities];
        let state = state.map(|it| Handed::Argument(self.writer.argument(it).into()));
        Some(Statement::Given {
            name: SOLVED.into(),
            function,
            arguments: state.into(),
            length,
        })
    }

    /// The result.
    fn given_back(&self) -> Value<Expression<'a>> {
        match (self.shape, entries_of(self.loops)) {
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
                return Value::Tuple(parts.iter().map(|&part| self.part(part, first)).collect());
            }
            Shape::Record(record) => {
                let fields = record.fields.iter();
                let fields = fields.map(|&(name, part)| (name, self.part(part, first)));
                return Value::Record(fields.collect());
            }
            Shape::Scalar => Vec::new(),
            Shape::Matrix(rows, columns) => vec![interface.size(rows), interface.size(columns)],
            shape => vec![interface.entries(shape)],
        };
        let begin = *first;
        *first += interface.entries(shape);
        Value::Part(begin, lengths)
    }

    /// A loop, before which so many entries are written; nothing where its results are not needed.
    fn rounds(&self, it: &Loop, entries: &mut usize) -> Vec<Statement<'a>> {
        let (mut first, each) = (*entries, entries_in(self.loops, it));
        *entries += it.rounds * each;
        let blocks = it.body.iter().map(|(kernel, indices)| {
            let count = entries_written(self.loops, *kernel);
            let own = (first..first + count).map(|first| match it.rounds {
                1 => Index::Constant(first),
                _ => Index::Even {
                    first,
                    step: each.cast_signed(),
                },
            });
            first += count;
            match self.of_entries {
                OfEntries::Values => self.block(it, *kernel, indices, own),
                OfEntries::Places => self.places_in(*kernel, indices, own),
            }
        });
        let mut blocks: Vec<Vec<Statement<'_>>> = blocks.filter(|it| !it.is_empty()).collect();
        // A loop is a block of its own.
        let mut body = match blocks.len() {
            1 if it.rounds > 1 => blocks.remove(0),
            _ => blocks.into_iter().map(Statement::Block).collect(),
        };
        if it.rounds == 1 || body.is_empty() {
            return body;
        }
        let mut indices = it.body.iter().flat_map(|(_, indices)| indices);
        if indices.any(|index| matches!(index, Index::Table(..))) {
            let (table, round) = (self.writer.table(&it.table), Counter::Name(ROUND));
            body.insert(0, Statement::Line(PLACE, table, round.into()));
        }
        vec![Statement::Rounds(Rounds::up_to(ROUND, it.rounds), body)]
    }

    /// The matrix, row and column of each entry that one round of a kernel gives.
    fn places_in(
        &self,
        number: usize,
        indices: &[Index],
        own: impl Iterator<Item = Index>,
    ) -> Vec<Statement<'a>> {
        let writes = self.kernel(number).1.writes.iter();
        let entries = writes.filter_map(|write| match write {
            Write::Entry(matrix, row, column) => Some((*matrix, indices[*row], indices[*column])),
            _ => None,
        });
        let lines = entries.zip(own).flat_map(|((matrix, row, column), own)| {
            let matrix = Expression::Number(f64::from(matrix as u8));
            let [row, column] = [row, column].map(|it| Expression::Real(place(it, 0)));
            let entry = |k| Vector::Result.at(place(threefold(own, k), 0));
            let parts = [matrix, row, column].into_iter().enumerate();
            parts
                .map(move |(k, value)| entry(k).set(value))
                .collect::<Vec<_>>()
        });
        lines.collect()
    }

    /// What one round of a kernel reads, computes and writes; its entries have places of their `own`.
    fn block(
        &self,
        it: &Loop,
        number: usize,
        indices: &[Index],
        mut own: impl Iterator<Item = Index>,
    ) -> Vec<Statement<'a>> {
        let (kernel, planned) = self.kernel(number);
        let live = self.live(number);
        let read = self.read_by(number);
        let mut lines = Vec::new();
        for (symbol, array, at) in &planned.reads {
            if let Some(own) = kernel.leaves.get(symbol).filter(|_| read.contains(symbol)) {
                let entry = self.entry(it, *array, indices[*at]);
                let name = self.writer.name(&own.to_string());
                lines.push(Statement::Constant(name.into(), entry.into()));
            }
        }
        let values = Values {
            program: &kernel.program,
            leaves: Some(&kernel.leaves),
        };
        for statement in &kernel.program.statements {
            let is_live = |value: ValueId| live[value.index()];
            lines.extend(self.writer.named(values, statement, is_live));
        }
        for (write, &output) in planned.writes.iter().zip(&kernel.program.outputs) {
            let entry = matches!(write, Write::Entry(..))
                .then(|| own.next())
                .flatten();
            if let Some(at) = entry {
                let entry = Vector::Result.at(place(at, 0));
                lines.push(entry.set(values.value(output)));
            }
            if let Some((array, at, adds)) = self.target(*write) {
                let entry = self.entry(it, array, indices[at]);
                let change = if adds { Change::Add } else { Change::Set };
                lines.push(Statement::Assign(entry, change, values.value(output)));
            }
        }
        lines
    }

    fn kernel(&self, number: usize) -> (&'a Kernel, &'a routine::Kernel) {
        let (kernels, routine) = (&self.loops.kernels, self.loops.routine);
        (&kernels[number], &routine.kernels[number])
    }

    /// The values of a kernel that needed results depend on, without those that only judge pivots.
    fn live(&self, number: usize) -> Vec<bool> {
        let (kernel, planned) = self.kernel(number);
        let written = planned.writes.iter().enumerate();
        let is_needed = |write| matches!(write, Write::Entry(..)) || self.target(write).is_some();
        let written = written.filter(|it| is_needed(*it.1));
        kernel.program.needed_for(written.map(|it| it.0))
    }

    /// The leaves among them.
    fn read_by(&self, number: usize) -> Set<SymbolId> {
        let values = &self.kernel(number).0.program.values;
        let needed = values.iter().zip(self.live(number)).filter(|it| it.1);
        let leaves = needed.filter_map(|(value, _)| match value {
            Op::Input(symbol) => Some(*symbol),
            _ => None,
        });
        leaves.collect()
    }

    /// `q[2 * round]`, `self->m[round]`
    fn entry(&self, it: &Loop, array: Array, at: Index) -> ArrayElement {
        let (interface, language) = (self.writer.interface, self.writer.language);
        if let Some(indexed) = interface.indexed.get(&array) {
            let field = indexed.field.to_string().replace(' ', "");
            let component = indexed.component.map(Integer::from);
            let places = nested(at, &indexed.lengths).into_iter().chain(component);
            return ArrayElement {
                vector: Vector::Field(field),
                places: places.collect(),
            };
        }
        let argument = |it| Vector::Argument(self.writer.argument(it).into());
        match array {
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
                let both = self.needed.contains(&Array::Acceleration);
                let motion = interface.size(Dimension::Velocities);
                own(SOLVED).at(place(at, if both { motion } else { 0 }))
            }
            Array::Acceleration if self.shape == Shape::Outputs => own(SOLVED).at(place(at, 0)),
            Array::Output => match self.shape {
                Shape::Scalar => own(SUM).whole(),
                Shape::Matrix(rows, columns) => {
                    let sizes = [rows, columns].map(|it| interface.size(it));
                    Vector::Result.at(by_rows(it, at, sizes))
                }
                _ => Vector::Result.at(place(at, 0)),
            },
            Array::Numbers => {
                self.writer.reads_numbers();
                Vector::Numbers.at(place(at, 0))
            }
            Array::Multipliers if entries_of(self.loops) > 0 => {
                argument(Argument::Multipliers).at(place(at, 0))
            }
            Array::Multipliers | Array::Gradient(_) => {
                Vector::Result.at(place(at, self.first(array)))
            }
            Array::Lower => own("x_of").at(place(at, interface.size(Dimension::Rows))),
            array => {
                let work = || own(loops::work_name(array).unwrap_or_default());
                let vector = loops::argument(array).map_or_else(work, argument);
                vector.at(place(at, 0))
            }
        }
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

/// The number of entries of matrices that a function gives.
pub(super) fn entries_of(loops: &Loops<'_>) -> usize {
    let routine = loops.routine;
    let all = routine.assembly.iter().chain(&routine.loops);
    all.map(|it| it.rounds * entries_in(loops, it)).sum()
}

/// A round of a loop,
fn entries_in(loops: &Loops<'_>, it: &Loop) -> usize {
    let kernels = it.body.iter();
    kernels.map(|it| entries_written(loops, it.0)).sum()
}

/// a round of a kernel.
fn entries_written(loops: &Loops<'_>, kernel: usize) -> usize {
    let writes = loops.routine.kernels[kernel].writes.iter();
    writes.filter(|it| matches!(it, Write::Entry(..))).count()
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

/// A place in an array that begins at `first`.
fn place(index: Index, first: usize) -> Integer {
    let first = Affine::from(first);
    Integer::Affine(match index {
        Index::Constant(value) => first + value,
        Index::Table(column, ahead) => first + ahead + Counter::Column(PLACE, column),
        Index::Even { first: begin, step } => {
            first + begin + Affine::from(Counter::Name(ROUND)) * step
        }
    })
}

/// The places in nested arrays of an index that counts all their elements as one.
fn nested(index: Index, lengths: &[usize]) -> Vec<Integer> {
    let Some((_, inner)) = lengths.split_first() else {
        return Vec::new();
    };
    let mut size: usize = inner.iter().product();
    if size == 1 {
        return vec![place(index, 0)];
    }
    let of = |size: usize| match index {
        Index::Constant(value) => Integer::from(value / size),
        index if size == 1 => place(index, 0),
        index => Integer::Quotient(Box::new(place(index, 0)), size),
    };
    let mut places = vec![of(size)];
    for &length in inner {
        size /= length;
        places.push(match index {
            Index::Constant(value) => Integer::from(value / size % length),
            _ => Integer::Remainder(Box::new(of(size)), length),
        });
    }
    places
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
