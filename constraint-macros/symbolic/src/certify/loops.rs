//! Functions in loops, run over the field with their loops.

use super::field::Residue;
use super::point::{Point, Stop};
use super::programs::{self, Leaves};
use crate::expr::{Map, SymbolId};
use crate::function::loops::Loops;
use crate::function::{Dimension, Shape};
use crate::system::loops::rerolling::{Index, Loop};
use crate::system::loops::routine::{Array, Write};

/// Matrices of more entries are not looked at.
const MOST_ENTRIES: usize = 1 << 16;

/// What loops give back, a matrix row by row; nothing is told of those that are solved by panels at run time.
pub fn outputs(
    loops: &Loops<'_>,
    shape: Shape,
    point: &mut Point,
    leaves: &impl Leaves,
) -> Result<Vec<Residue>, Stop> {
    let len = |of: Dimension| leaves.len(of);
    let columns = match shape {
        Shape::Matrix(rows, columns) => (len(rows), len(columns)),
        _ => (0, 0),
    };
    if !loops.routine.assembly.is_empty() || columns.0 * columns.1 > MOST_ENTRIES {
        return Err(Stop::Uncovered);
    }
    let mut run = Run::new(loops, leaves);
    for it in &loops.routine.loops {
        run.rounds(it, point)?;
    }
    Ok(match shape {
        Shape::Scalar => run.written(Array::Output, 1),
        Shape::Vector(of) => run.written(Array::Output, len(of)),
        Shape::Outputs => run.written(Array::Output, len(Dimension::Outputs)),
        Shape::Matrix(..) => {
            let (rows, n) = columns;
            let entries = run.written(Array::Output, rows * n);
            let entry = |k: usize| entries[k / n + rows * (k % n)];
            (0..rows * n).map(entry).collect()
        }
        Shape::Tuple([Shape::Vector(first), Shape::Vector(second)]) => {
            let mut both = run.written(Array::Output, len(*first));
            both.extend(run.written(Array::Multipliers, len(*second)));
            both
        }
        _ => return Err(Stop::Uncovered),
    })
}

/// Loops under way.
struct Run<'a, L> {
    loops: &'a Loops<'a>,
    leaves: &'a L,
    arrays: Map<Array, Vec<Residue>>,
}

impl<'a, L: Leaves> Run<'a, L> {
    fn new(loops: &'a Loops<'a>, leaves: &'a L) -> Run<'a, L> {
        Run {
            loops,
            leaves,
            arrays: Map::default(),
        }
    }

    fn written(&mut self, array: Array, len: usize) -> Vec<Residue> {
        let mut all = self.arrays.remove(&array).unwrap_or_default();
        all.resize(len, Residue::ZERO);
        all
    }

    fn rounds(&mut self, it: &Loop, point: &mut Point) -> Result<(), Stop> {
        for round in 0..it.rounds {
            for (kernel, indices) in &it.body {
                // A place that nothing reads has no table.
                let tabled = |column| it.table.get(round).and_then(|row| row.get(column));
                let place = |index: &Index| match *index {
                    Index::Table(column, ahead) => tabled(column).map_or(0, |at| at + ahead),
                    index => index.at(round).unwrap_or_default(),
                };
                let places: Vec<usize> = indices.iter().map(place).collect();
                self.kernel(*kernel, &places, point)?;
            }
        }
        Ok(())
    }

    fn kernel(&mut self, kernel: usize, places: &[usize], point: &mut Point) -> Result<(), Stop> {
        let planned = &self.loops.routine.kernels[kernel];
        // Reads are few: looking through them takes less than a map of all, most of which a program does not ask for.
        let value = |symbol: SymbolId| match planned.reads.iter().rfind(|read| read.0 == symbol) {
            Some(&(_, array, at)) => self.read(array, places[at]),
            None => self.leaves.leaf(symbol),
        };
        let program = &self.loops.kernels[kernel].program;
        let results = programs::run(program, point, &value)?;
        for (write, result) in planned.writes.iter().zip(results) {
            match *write {
                Write::Set(array, at) => *self.place(array, places[at]) = result,
                Write::Add(array, at) => {
                    let place = self.place(array, places[at]);
                    *place = *place + result;
                }
                Write::Pivot(_)
                | Write::Diagonal
                | Write::Check(_)
                | Write::Checked
                | Write::Entry(..) => {}
            }
        }
        Ok(())
    }

    fn place(&mut self, array: Array, at: usize) -> &mut Residue {
        let all = self.arrays.entry(array).or_default();
        if all.len() <= at {
            all.resize(at + 1, Residue::ZERO);
        }
        &mut all[at]
    }

    fn read(&self, array: Array, at: usize) -> Result<Residue, Stop> {
        let given = self.leaves.entry(array, at)?;
        Ok(given.unwrap_or_else(|| {
            let all = self.arrays.get(&array);
            let entry = all.and_then(|all| all.get(at));
            entry.copied().unwrap_or_default()
        }))
    }
}
