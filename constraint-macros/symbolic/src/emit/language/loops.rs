//! A function in loops as text: its arrays, the loops over them, and a block for each kernel.

mod columns;

use std::collections::BTreeSet;

use super::expressions::Expressions;
use super::functions::Writer;
use super::{Language, Reason, Value, block, on_stack};
use crate::expr::{Set, SymbolId};
use crate::families::{Index, Loop};
use crate::function::assignment::Assignment;
use crate::function::loops::{self, Kernel, Loops, shared};
use crate::function::system::TANGENT;
use crate::function::{Argument, Dimension, Function, Shape};
use crate::model::Role;
use crate::schedule::Op;
use crate::system::loops::routine::{self, Array, Varied, Write, by_column};

/// What counts the rounds,
const ROUND: &str = "round";
/// a line of a table,
const PLACE: &str = "place_of";
/// what outputs are made of,
const SOLVED: &str = "solved_of";
/// and a result that is one number.
const SUM: &str = "out";

/// What panels are eliminated in.
pub(super) const ELIMINATED: [Array; 2] = [Array::Blocks, Array::Solution];

/// A function in loops.
pub(super) struct InLoops<'a> {
    writer: &'a Writer<'a>,
    shape: Shape,
    loops: &'a Loops<'a>,
    /// The arrays whose numbers are asked for.
    asked: BTreeSet<Array>,
    /// What is told of entries.
    of_entries: OfEntries,
}

/// What a function tells of the entries of matrices.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OfEntries {
    /// Their values.
    Values,
    /// The matrix, row and column of each, which are the same at every state.
    Places,
}

impl<'a> InLoops<'a> {
    pub fn new(writer: &'a Writer<'a>, function: &Function<'_>, loops: &'a Loops<'a>) -> Self {
        let mut all = InLoops {
            writer,
            shape: function.signature.result,
            loops,
            asked: loops.arrays(),
            of_entries: OfEntries::Values,
        };
        // What is kept for nobody else asks for nothing.
        loop {
            let asked = all.asked_for();
            if asked == all.asked {
                return all;
            }
            all.asked = asked;
        }
    }

    /// The arrays that are results, or that one of the kernels reads for what it writes to those.
    fn asked_for(&self) -> BTreeSet<Array> {
        let mut asked: BTreeSet<Array> = self.asked.clone();
        asked.retain(|&array| loops::work_name(array).is_none());
        if self.loops.panels.is_some() {
            asked.extend(ELIMINATED);
        }
        for number in 0..self.loops.kernels.len() {
            let read = self.read_by(number);
            let reads = self.kernel(number).1.reads.iter();
            let reads = reads.filter(|it| read.contains(&it.0));
            asked.extend(reads.map(|it| shared(it.1)));
        }
        asked
    }

    /// Where a result of a kernel goes, and whether it is added to what is there; nothing of what nobody asks for.
    fn target(&self, write: Write) -> Option<(Array, usize, bool)> {
        let (array, at, adds) = match write {
            Write::Set(array, at) => (array, at, false),
            Write::Add(array, at) => (array, at, true),
            _ => return None,
        };
        let asked = self.asked.contains(&shared(array));
        asked.then_some((array, at, adds))
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
        let inputs = self.asked.iter().any(|it| matches!(it, Array::Input(..)));
        read.extend(inputs.then_some(Role::Input(usize::MAX)));
        read
    }

    /// The lines behind what reads the leaves.
    pub fn lines(&self) -> Result<Vec<String>, Reason> {
        let (interface, language) = (self.writer.interface, self.writer.language);
        let work = interface.work_arrays(self.loops, &self.asked);
        on_stack(work.iter().map(|it| it.1).sum())?;
        let assignment = Assignment::of(self.loops);
        let mut lines: Vec<String> = self.solve().into_iter().collect();
        lines.extend(match (self.shape, entries_of(self.loops)) {
            (Shape::Scalar, _) => Some(language.variable(SUM, &language.number(0.0))),
            (shape, 0) => {
                let zeros = !self.is_whole(&assignment);
                language.begin_result(interface.entries(shape), zeros)
            }
            (_, entries) => language.begin_result(entries, false),
        });
        for (array, length) in work {
            if let Some(name) = loops::work_name(array) {
                lines.push(language.array(name, length, assignment.needs_zeros(array)));
            }
        }
        let (routine, mut first) = (self.loops.routine, 0);
        let assembly = routine.assembly.iter();
        lines.extend(assembly.filter_map(|it| self.rounds(it, &mut first)));
        if let Some(panels) = self.loops.panels {
            lines.push(self.writer.eliminate(panels));
        }
        for (per_column, loops) in by_column(&routine.loops) {
            let loops = loops.iter();
            let texts = loops.filter_map(|it| self.rounds(it, &mut first));
            if per_column {
                let texts: Vec<String> = texts.collect();
                lines.push(self.each_column(&texts));
            } else {
                lines.extend(texts);
            }
        }
        lines.extend(self.given_back());
        Ok(lines)
    }

    /// The same, of the places of entries.
    pub fn places(mut self) -> Vec<String> {
        self.of_entries = OfEntries::Places;
        let (language, entries) = (self.writer.language, entries_of(self.loops));
        let mut lines: Vec<String> = Vec::new();
        lines.extend(language.begin_result(3 * entries, false));
        let (routine, mut first) = (self.loops.routine, 0);
        let all = routine.assembly.iter().chain(&routine.loops);
        lines.extend(all.filter_map(|it| self.rounds(it, &mut first)));
        let given = language.part_of_result(0, &[entries, 3]);
        lines.extend(given.map(|it| language.result(&Value::Number(it))));
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

    /// What outputs are made of, by the function that solves for it.
    fn solve(&self) -> Option<String> {
        let asks = |array| self.shape == Shape::Outputs && self.asked.contains(&array);
        let [motion, rows] = [Dimension::Velocities, Dimension::Rows];
        let [motion, rows] = [motion, rows].map(|it| self.writer.interface.size(it));
        let (function, length) = match (asks(Array::Acceleration), asks(Array::Multipliers)) {
            (true, true) => ("acceleration_and_multipliers", motion + rows),
            (true, false) => ("acceleration", motion),
            (false, true) => ("multipliers", rows),
            (false, false) => return None,
        };
        let state = [Argument::Time, Argument::Coordinates, Argument::Velocities];
        let state = state.map(|it| self.writer.argument(it));
        let language = self.writer.language;
        Some(language.solved(SOLVED, function, &state, length))
    }

    /// The last line, where a function gives its result back.
    fn given_back(&self) -> Option<String> {
        let language = self.writer.language;
        if self.shape == Shape::Scalar {
            return Some(language.result(&Value::Number(SUM.to_owned())));
        }
        let given = match entries_of(self.loops) {
            0 => self.part(self.shape, &mut 0)?,
            entries => Value::Number(language.part_of_result(0, &[entries])?),
        };
        Some(language.result(&given))
    }

    /// A part of the result, from the number that it begins at.
    fn part(&self, shape: Shape, first: &mut usize) -> Option<Value> {
        let interface = self.writer.interface;
        let lengths = match shape {
            Shape::Tuple(parts) => {
                let parts = parts.iter().map(|&part| self.part(part, first));
                return parts.collect::<Option<_>>().map(Value::List);
            }
            Shape::Record(record) => {
                let field =
                    |&(name, part): &(&'static str, Shape)| Some((name, self.part(part, first)?));
                let fields = record.fields.iter().map(field);
                return fields.collect::<Option<_>>().map(Value::Record);
            }
            Shape::Scalar => Vec::new(),
            Shape::Matrix(rows, columns) => vec![interface.size(rows), interface.size(columns)],
            shape => vec![interface.entries(shape)],
        };
        let begin = *first;
        *first += interface.entries(shape);
        let part = self.writer.language.part_of_result(begin, &lengths);
        part.map(Value::Number)
    }

    /// A loop, before which so many entries are told; nothing where nobody asks for what it computes.
    fn rounds(&self, it: &Loop, entries: &mut usize) -> Option<String> {
        let language = self.writer.language;
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
        let mut blocks: Vec<String> = blocks.filter(|it| !it.is_empty()).collect();
        // A loop is a block of its own.
        if it.rounds == 1 || blocks.len() > 1 {
            blocks = blocks.iter().map(|it| block(it)).collect();
        }
        if blocks.is_empty() {
            return None;
        }
        if it.rounds == 1 {
            return Some(blocks.join("\n"));
        }
        let mut indices = it.body.iter().flat_map(|(_, indices)| indices);
        if indices.any(|index| matches!(index, Index::Table(..))) {
            let table = self.writer.table(&it.table);
            blocks.insert(0, language.line(PLACE, (&table, &it.table), ROUND));
        }
        Some(language.rounds(ROUND, it.rounds, &blocks.join("\n")))
    }

    /// The matrix, row and column of what one round of a kernel tells.
    fn places_in(
        &self,
        number: usize,
        indices: &[Index],
        own: impl Iterator<Item = Index>,
    ) -> String {
        let language = self.writer.language;
        let (result, writes) = (language.result_name(), self.kernel(number).1.writes.iter());
        let entries = writes.filter_map(|write| match write {
            Write::Entry(matrix, row, column) => Some((*matrix, indices[*row], indices[*column])),
            _ => None,
        });
        let lines = entries.zip(own).flat_map(|((matrix, row, column), own)| {
            let matrix = language.number(f64::from(matrix as u8));
            let [row, column] = [row, column].map(|it| language.real(text(it, 0)));
            let place = |k| format!("{result}[{}]", text(threefold(own, k), 0));
            let told = [matrix, row, column].into_iter().enumerate();
            let told = told.map(|(k, value)| format!("{} = {value};", place(k)));
            told.collect::<Vec<String>>()
        });
        lines.collect::<Vec<String>>().join("\n")
    }

    /// What one round of a kernel reads, computes and writes; the entries that it tells have places of their `own`.
    fn block(
        &self,
        it: &Loop,
        number: usize,
        indices: &[Index],
        mut own: impl Iterator<Item = Index>,
    ) -> String {
        let (kernel, planned) = self.kernel(number);
        let (language, live) = (self.writer.language, self.live(number));
        let read = self.read_by(number);
        let mut lines = Vec::new();
        for (symbol, array, at) in &planned.reads {
            if let Some(own) = kernel.leaves.get(symbol).filter(|_| read.contains(symbol)) {
                let place = self.entry(it, *array, indices[*at]);
                lines.push(language.constant(&self.writer.name(&own.to_string()), &place));
            }
        }
        let leaf = |symbol: SymbolId| match kernel.leaves.get(&symbol) {
            Some(own) => self.writer.name(&own.to_string()),
            None => self.writer.leaf(symbol),
        };
        let mut writer = Expressions::new(self.writer, &kernel.program, &leaf);
        for statement in &kernel.program.statements {
            lines.extend(writer.statement_of(statement, |value| live[value.index()]));
        }
        for (write, &output) in planned.writes.iter().zip(&kernel.program.outputs) {
            let entry = matches!(write, Write::Entry(..))
                .then(|| own.next())
                .flatten();
            if let Some(place) = entry {
                let place = format!("{}[{}]", language.result_name(), text(place, 0));
                lines.push(format!("{place} = {};", writer.whole(output)));
            }
            if let Some((array, at, adds)) = self.target(*write) {
                let place = self.entry(it, array, indices[at]);
                let sign = if adds { "+=" } else { "=" };
                lines.push(format!("{place} {sign} {};", writer.whole(output)));
            }
        }
        lines.join("\n")
    }

    fn kernel(&self, number: usize) -> (&'a Kernel, &'a routine::Kernel) {
        let (kernels, routine) = (&self.loops.kernels, self.loops.routine);
        (&kernels[number], &routine.kernels[number])
    }

    /// The values of a kernel that what is asked for is made of: what pivots are judged by is not among them.
    fn live(&self, number: usize) -> Vec<bool> {
        let (kernel, planned) = self.kernel(number);
        let written = planned.writes.iter().enumerate();
        let is_told = |write| matches!(write, Write::Entry(..)) || self.target(write).is_some();
        let written = written.filter(|it| is_told(*it.1));
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
    fn entry(&self, it: &Loop, array: Array, at: Index) -> String {
        let (interface, language) = (self.writer.interface, self.writer.language);
        if let Some(indexed) = interface.indexed.get(&array) {
            let field = indexed.field.to_string().replace(' ', "");
            let indices = nested(language, at, &indexed.lengths);
            let component = indexed.component.map(|it| it.to_string());
            let indices = indices.into_iter().chain(component);
            let indices: String = indices.map(|it| format!("[{it}]")).collect();
            return language.field(&field) + &indices;
        }
        let in_result = |first| format!("{}[{}]", language.result_name(), text(at, first));
        match array {
            Array::Output if it.per_column => self.in_column(0, at),
            Array::Multipliers if it.per_column => self.in_column(2, at),
            Array::MotionBy(by) => self.in_matrix(it, (Dimension::Velocities, by), array, at),
            Array::MultipliersBy(by) => self.in_matrix(it, (Dimension::Rows, by), array, at),
            Array::Tangent(of) if !language.knows_fields() => {
                let tangent = self.writer.argument(Argument::Tangent);
                let first = self.before(&TANGENT, of.field());
                format!("{}[{}]", language.argument(&tangent), text(at, first))
            }
            Array::Tangent(of) => {
                let tangent = self.writer.argument(Argument::Tangent);
                let part = format!("{tangent}.{}", of.field());
                match of {
                    Varied::Time => part,
                    _ => format!("{part}[{}]", text(at, 0)),
                }
            }
            Array::Multipliers if self.shape == Shape::Outputs => {
                let both = self.asked.contains(&Array::Acceleration);
                let motion = interface.size(Dimension::Velocities);
                format!("{SOLVED}[{}]", text(at, if both { motion } else { 0 }))
            }
            Array::Acceleration if self.shape == Shape::Outputs => {
                format!("{SOLVED}[{}]", text(at, 0))
            }
            Array::Output => match self.shape {
                Shape::Scalar => SUM.to_owned(),
                Shape::Matrix(rows, columns) => {
                    let sizes = [rows, columns].map(|it| interface.size(it));
                    let place = by_rows(language, it, at, sizes);
                    format!("{}[{place}]", language.result_name())
                }
                _ => in_result(0),
            },
            Array::Numbers => self.writer.number_at(&text(at, 0)),
            Array::Multipliers if entries_of(self.loops) > 0 => {
                let name = self.writer.argument(Argument::Multipliers);
                format!("{}[{}]", language.argument(&name), text(at, 0))
            }
            Array::Multipliers | Array::Gradient(_) => in_result(self.first(array)),
            Array::Lower => {
                let rows = interface.size(Dimension::Rows);
                format!("x_of[{}]", text(at, rows))
            }
            array => {
                let name = loops::argument(array).map(|it| {
                    let name = self.writer.argument(it);
                    language.argument(&name)
                });
                let work = || loops::work_name(array).unwrap_or_default().to_owned();
                format!("{}[{}]", name.unwrap_or_else(work), text(at, 0))
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

/// How many entries of matrices a function tells.
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

/// An index in an array that begins at `first`.
fn text(index: Index, first: usize) -> String {
    let far = |step: isize| match step.unsigned_abs() {
        1 => ROUND.to_owned(),
        step => format!("{step} * {ROUND}"),
    };
    match index {
        Index::Constant(value) => (first + value).to_string(),
        Index::Table(column, ahead) => match first + ahead {
            0 => format!("{PLACE}[{column}]"),
            before => format!("{before} + {PLACE}[{column}]"),
        },
        Index::Even { first: begin, step } => match first + begin {
            0 if step > 0 => far(step),
            before => {
                let sign = if step > 0 { '+' } else { '-' };
                format!("{before} {sign} {}", far(step))
            }
        },
    }
}

/// An index that counts all elements as one for each of the arrays in each other.
fn nested(language: &dyn Language, index: Index, lengths: &[usize]) -> Vec<String> {
    let Some((_, inner)) = lengths.split_first() else {
        return Vec::new();
    };
    let mut size: usize = inner.iter().product();
    if size == 1 {
        return vec![text(index, 0)];
    }
    let mut indices = vec![match index {
        Index::Constant(value) => (value / size).to_string(),
        index => language.quotient(&text(index, 0), size),
    }];
    for &length in inner {
        size /= length;
        indices.push(match index {
            Index::Constant(value) => (value / size % length).to_string(),
            index if size == 1 => format!("({}) % {length}", text(index, 0)),
            index => format!("{} % {length}", language.quotient(&text(index, 0), size)),
        });
    }
    indices
}

/// An index of a matrix that is told column by column, where it stands row by row.
fn by_rows(
    language: &dyn Language,
    it: &Loop,
    index: Index,
    [rows, columns]: [usize; 2],
) -> String {
    let there = |place: usize| place % rows * columns + place / rows;
    if let Index::Constant(value) = index {
        return there(value).to_string();
    }
    let mut places = (0..it.rounds).map(|round| there(it.place(index, round)).cast_signed());
    let first = places.next().unwrap_or_default();
    let step = places.next().unwrap_or_default() - first;
    let even = places
        .zip(2..)
        .all(|(place, round)| place == first + step * round);
    if even && step != 0 {
        let first = first.unsigned_abs();
        return text(Index::Even { first, step }, 0);
    }
    let place = text(index, 0);
    let column = language.quotient(&place, rows);
    format!("({place}) % {rows} * {columns} + {column}")
}
