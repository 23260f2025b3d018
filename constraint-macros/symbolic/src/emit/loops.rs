//! A function in loops as statements: loops over rounds, and a block for each kernel of a round.
//!
//! They are the same in every language. Where results are, and what becomes of entries of matrices, a [`Form`] decides;
//! what surrounds the loops is written there, too.

use std::rc::Rc;

use super::interface::Interface;
use crate::code::expression::own;
use crate::code::{
    Affine, ArrayElement, Change, Counter, Expression, Integer, Rounds, Runtime, Statement, Values,
    Vector,
};
use crate::dynamics::Matrix;
use crate::expr::{CollectVec, MapEach, PushEach, Set, SortedSet, SymbolId};
use crate::families::{Index, Loop};
use crate::function::assignment::Assignment;
use crate::function::loops::{self, Kernel, Loops, shared};
use crate::function::{Argument, Dimension, Shape};
use crate::model::Role;
use crate::schedule::Op;
use crate::system::loops::routine::{self, Array, Checked, Write};

/// The counter of rounds,
pub(super) const ROUND: &str = "round";
/// and a line of a table.
pub(super) const PLACE: &str = "place_of";

/// The differences between languages.
pub(super) trait Form<'a> {
    /// An element of a result, or of an argument that is no vector; nothing of other arrays.
    fn element(&self, it: &Loop, array: Array, at: Index) -> Option<ArrayElement>;

    /// An entry of a matrix in a row and a column: the number of it, and its value.
    fn entry(
        &self,
        number: Index,
        matrix: Matrix,
        at: [Index; 2],
        value: Expression<'a>,
    ) -> Vec<Statement<'a>>;
}

/// A function in loops.
pub(super) struct InLoops<'w, 'a> {
    pub interface: &'w Interface<'w>,
    pub loops: &'a Loops<'a>,
    /// The arrays that what is written depends on.
    pub needed: SortedSet<Array>,
    /// Whether pivots and parameters are checked. Otherwise what only checks depend on is left out.
    pub checks: bool,
    /// Whether entries of matrices are computed.
    pub entries: bool,
}

impl<'w, 'a> InLoops<'w, 'a> {
    /// With all checks, or without any.
    pub fn new(interface: &'w Interface<'w>, loops: &'a Loops<'a>, checks: bool) -> Self {
        let mut all = InLoops {
            interface,
            loops,
            needed: loops.arrays(),
            checks,
            entries: true,
        };
        if checks {
            return all;
        }
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
    fn needed_arrays(&self) -> SortedSet<Array> {
        let mut needed: SortedSet<Array> = self.needed.clone();
        needed.retain(|&array| loops::work_name(array).is_none());
        if self.loops.panels.is_some() {
            needed.insert(Array::Blocks);
            needed.extend(self.loops.unknowns());
        }
        for number in 0..self.loops.kernels.len() {
            let live = self.live(number);
            let reads = self.kernel(number).1.reads.iter();
            let reads = reads.filter(|it| live.reads(it.0));
            needed.extend(reads.map(|it| shared(it.1)));
        }
        needed
    }

    fn is_needed(&self, array: Array) -> bool {
        self.checks || self.needed.contains(&shared(array))
    }

    /// The arrays of the function itself. Without an assignment all begin with zeros.
    pub fn arrays(&self, assignment: Option<&Assignment>) -> Vec<Statement<'a>> {
        let work = self.interface.work_arrays(self.loops, &self.needed);
        let array = |(array, length)| {
            let zeros = assignment.is_none_or(|it| it.needs_zeros(array));
            let name = loops::work_name(array)?;
            Some(Statement::Array(name.into(), length, zeros))
        };
        work.into_iter().filter_map(array).collect_vec()
    }

    /// The function that gives what outputs depend on, and whether v̇ and λ are read.
    pub fn solved(&self, result: Shape) -> Option<(&'static str, [bool; 2])> {
        let arrays = [Array::Acceleration, Array::Multipliers];
        let reads = arrays.map_each(|it| result == Shape::Outputs && self.needed.contains(&it));
        let function = match reads {
            [true, true] => "acceleration_and_multipliers",
            [true, false] => "acceleration",
            [false, true] => "multipliers",
            [false, false] => return None,
        };
        Some((function, reads))
    }

    /// A loop, before which so many entries are written; nothing where its results are not needed.
    pub fn rounds(
        &self,
        form: &dyn Form<'a>,
        it: &Loop,
        entries: &mut usize,
    ) -> Vec<Statement<'a>> {
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
            self.block(form, it, (*kernel, indices), own)
        });
        let mut blocks: Vec<Vec<Statement<'_>>> = blocks.filter(|it| !it.is_empty()).collect_vec();
        // A loop is a block of its own.
        let mut body = match blocks.len() {
            1 if it.rounds > 1 => blocks.remove(0),
            _ => blocks.into_iter().map(Statement::Block).collect_vec(),
        };
        if it.rounds == 1 || body.is_empty() {
            return body;
        }
        // An export names no table that nothing reads: compilers of C warn of it.
        if body.iter().any(reads_place) {
            let table = self.interface.tables.borrow_mut().places.of(&it.table);
            let round = Counter::Name(ROUND);
            body.insert(0, Statement::Line(PLACE, table, round.into()));
        }
        vec![Statement::Rounds(Rounds::up_to(ROUND, it.rounds), body)]
    }

    /// Reads, statements and writes of one round of a kernel; its entries have these numbers.
    fn block(
        &self,
        form: &dyn Form<'a>,
        it: &Loop,
        (number, indices): (usize, &[Index]),
        mut entries: impl Iterator<Item = Index>,
    ) -> Vec<Statement<'a>> {
        let (kernel, planned) = self.kernel(number);
        let live = self.live(number);
        let mut lines = Vec::new();
        for (symbol, array, at) in &planned.reads {
            if let Some(own) = kernel.leaves.get(symbol).filter(|_| live.reads(*symbol)) {
                let element = self.element(form, it, *array, indices[*at]);
                lines.push(Statement::Constant(own.to_string().into(), element.into()));
            }
        }
        let values = Values {
            program: &kernel.program,
            leaves: Some(&kernel.leaves),
        };
        let statements = kernel.program.statements.iter();
        lines.push_each(statements.filter_map(|it| values.named(it, live.values.as_deref())));
        let value = |k: usize| values.value(kernel.program.outputs[k]);
        for (k, write) in planned.writes.iter().enumerate() {
            match *write {
                Write::Set(array, at) | Write::Add(array, at) if self.is_needed(array) => {
                    let element = self.element(form, it, array, indices[at]);
                    let change = match write {
                        Write::Add(..) => Change::Add,
                        _ => Change::Set,
                    };
                    lines.push(Statement::Assign(element, change, value(k)));
                }
                Write::Entry(matrix, row, column) => {
                    let at = [row, column].map_each(|it| indices[it]);
                    let entry = |number| form.entry(number, matrix, at, value(k));
                    lines.push_each(entries.next().into_iter().flat_map(entry));
                }
                _ if self.checks => {
                    let call = call(planned, k, |at| place(indices[at], 0), value);
                    lines.push_each(call.map(Statement::Runtime));
                }
                _ => {}
            }
        }
        lines
    }

    fn kernel(&self, number: usize) -> (&'a Kernel, &'a routine::Kernel) {
        let (kernels, routine) = (&self.loops.kernels, self.loops.routine);
        (&kernels[number], &routine.kernels[number])
    }

    /// The values of a kernel that are computed.
    fn live(&self, number: usize) -> Live {
        if self.checks {
            return Live::default();
        }
        let (kernel, planned) = self.kernel(number);
        let written = planned.writes.iter().enumerate();
        let written = written.filter(|(_, write)| match write {
            Write::Entry(..) => self.entries,
            write => write.target().is_some_and(|it| self.is_needed(it)),
        });
        let live = kernel.program.needed_for(written.map(|it| it.0));
        let values = kernel.program.values.iter().zip(&live);
        let leaves = values.filter(|it| *it.1).filter_map(|it| match it.0 {
            Op::Input(symbol) => Some(*symbol),
            _ => None,
        });
        Live {
            leaves: Some(leaves.collect()),
            values: Some(live),
        }
    }

    /// The roles of leaves that are not read from arrays, and of inputs one where an array is of them.
    pub fn roles_read(&self) -> Set<Role> {
        let mut read = Set::default();
        for (number, kernel) in self.loops.kernels.iter().enumerate() {
            let live = self.live(number);
            let leaves = kernel.program.inputs.iter();
            let outside = leaves.filter(|it| live.reads(**it) && !kernel.leaves.contains_key(*it));
            read.extend(outside.map(|it| self.interface.symbols[it.index()].role));
        }
        let mut needed = self.needed.iter();
        let inputs = needed.any(|it| matches!(it, Array::Input(..)));
        read.extend(inputs.then_some(Role::Input(usize::MAX)));
        read
    }

    /// `q[2 * round]`, `self.m[round]`
    fn element(&self, form: &dyn Form<'a>, it: &Loop, array: Array, at: Index) -> ArrayElement {
        if let Some(field) = self.interface.indexed.get(&array) {
            return Vector::Field(Rc::clone(field)).at(place(at, 0));
        }
        let elsewhere = form.element(it, array, at);
        elsewhere.unwrap_or_else(|| match (array, loops::argument(array)) {
            (_, Some(argument)) => self.argument(argument).at(place(at, 0)),
            (Array::Numbers, _) => {
                self.interface.tables.borrow_mut().has_numbers = true;
                Vector::Numbers.at(place(at, 0))
            }
            // L follows the unknowns.
            (Array::Lower, _) => {
                let rows = self.interface.size(Dimension::Rows);
                own(loops::work_name(array).unwrap_or_default()).at(place(at, rows))
            }
            _ => own(loops::work_name(array).unwrap_or_default()).at(place(at, 0)),
        })
    }

    /// An argument as a vector.
    pub fn argument(&self, argument: Argument) -> Vector {
        Vector::Argument(self.interface.name(argument).to_string().into())
    }
}

/// The values of a kernel that are computed, and the leaves that these read; all without a list.
#[derive(Default)]
struct Live {
    values: Option<Vec<bool>>,
    leaves: Option<Set<SymbolId>>,
}

impl Live {
    fn reads(&self, symbol: SymbolId) -> bool {
        self.leaves.as_ref().is_none_or(|it| it.contains(&symbol))
    }
}

/// Whether a statement of a round reads a line of its table.
fn reads_place(statement: &Statement<'_>) -> bool {
    let read = |place: &Integer| place.reads(PLACE);
    let read_by = |it: &ArrayElement| it.places.iter().any(read);
    let read_in = |it: &Expression<'_>| match it {
        Expression::ArrayElement(element) => read_by(element),
        Expression::Real(place) => read(place),
        _ => false,
    };
    match statement {
        Statement::Block(body) => body.iter().any(reads_place),
        Statement::Constant(_, value) => read_in(value),
        Statement::Assign(element, _, value) => read_by(element) || read_in(value),
        Statement::Runtime(Runtime::Pivot(_, place, _) | Runtime::Inertia(place, _)) => read(place),
        Statement::Runtime(Runtime::Entry(_, places, _)) => places.iter().any(read),
        Statement::Runtime(Runtime::Rows(places, _)) => places.iter().any(read),
        _ => false,
    }
}

/// The call of the runtime that takes the k-th result, and those behind that belong to it.
fn call<'a>(
    planned: &routine::Kernel,
    k: usize,
    place: impl Fn(usize) -> Integer,
    value: impl Fn(usize) -> Expression<'a>,
) -> Option<Runtime<'a>> {
    Some(match planned.writes[k] {
        Write::Pivot(of, row) => Runtime::Pivot(of, place(row), [k, k + 1].map(value)),
        Write::Check(Checked::Coordinate(velocity)) => Runtime::Inertia(place(velocity), value(k)),
        Write::Check(checked) => {
            let behind = planned.writes[k + 1..].iter();
            let others = behind.take_while(|it| **it == Write::Checked);
            Runtime::Parameters(checked, (k..=k + others.count()).map(value).collect_vec())
        }
        Write::Block { first, velocities } => Runtime::Rows(
            (first..first + velocities).map(place).collect_vec(),
            (k..planned.roots.len()).map(value).collect_vec(),
        ),
        _ => return None,
    })
}

/// The number of entries of matrices that a function gives,
#[cfg(feature = "export")]
pub(super) fn entries_of(loops: &Loops<'_>) -> usize {
    let all = loops.routine.loops.iter();
    all.map(|it| it.rounds * entries_in(loops, it)).sum()
}

/// a round of a loop,
fn entries_in(loops: &Loops<'_>, it: &Loop) -> usize {
    let kernels = it.body.iter();
    kernels.map(|it| entries_written(loops, it.0)).sum()
}

/// a round of a kernel.
fn entries_written(loops: &Loops<'_>, kernel: usize) -> usize {
    let writes = loops.routine.kernels[kernel].writes.iter();
    writes.filter(|it| matches!(it, Write::Entry(..))).count()
}

/// A place in an array that begins at `first`.
pub(super) fn place(index: Index, first: usize) -> Integer {
    Integer::Affine(match index {
        Index::Constant(value) => Affine::from(first + value),
        Index::Table(column, ahead) => Affine::of(first + ahead, 1, Counter::Column(PLACE, column)),
        Index::Even { first: begin, step } => Affine::of(first + begin, step, Counter::Name(ROUND)),
    })
}
