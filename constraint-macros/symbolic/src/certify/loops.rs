//! Functions in loops, run over the field with their loops: kernels keep their registers from round to round, so that
//! numbers and leaves are looked up once.

use std::collections::BTreeMap;

use super::choices;
use super::number::Element;
use super::point::{Point, Stop};
use super::programs::{Leaves, Outputs, Registers, constant};
use super::system::PARTS;
use crate::dynamics::Matrix;
use crate::families::{Index, Loop};
use crate::function::loops::Loops;
use crate::function::system::GRADIENT;
use crate::function::{Dimension, Shape};
use crate::schedule::{Op, Program};
use crate::system::loops::routine::{self, Array, By, Varied, Write, by_column};

/// Matrices of more entries are not looked at.
const MOST_ENTRIES: usize = 1 << 16;

/// What loops give back; nothing is told of those that are solved by panels at run time.
pub fn outputs<R: Element>(
    loops: &Loops<'_>,
    shape: Shape,
    point: &mut Point,
    leaves: &impl Leaves<R>,
    own: &mut bool,
) -> Result<Outputs<R>, Stop> {
    let len = |of: Dimension| leaves.len(of);
    let (rows, entries) = match shape {
        Shape::Matrix(rows, columns) => (len(rows), len(rows) * len(columns)),
        _ => (0, 0),
    };
    if !loops.routine.assembly.is_empty() || entries > MOST_ENTRIES {
        return Err(Stop::Uncovered);
    }
    let mut run = Run::new(loops, leaves)?;
    for (per_column, loops) in by_column(&loops.routine.loops) {
        if per_column {
            run.forget(loops, point);
            run.combine(leaves)?;
        }
        for it in loops {
            run.rounds(it, point, own)?;
        }
        if per_column {
            run.keep_combined(leaves);
        }
    }
    let values = match shape {
        Shape::Scalar => run.written(Array::Output, 1),
        Shape::Vector(of) => run.written(Array::Output, len(of)),
        Shape::Outputs => run.written(Array::Output, len(Dimension::Outputs)),
        Shape::Matrix(..) => run.written(Array::Output, entries),
        Shape::Tuple([Shape::Vector(first), Shape::Vector(second)]) => {
            let mut both = run.written(Array::Output, len(*first));
            both.extend(run.written(Array::Multipliers, len(*second)));
            both
        }
        // A gradient.
        Shape::Record(record) if record.name == GRADIENT => {
            let parts = PARTS.into_iter();
            let mut part = |of| run.written(Array::Gradient(of), leaves.part(of));
            parts.flat_map(&mut part).collect()
        }
        Shape::Record(_) => run.slopes(Array::MotionBy, Array::Output, leaves)?,
        Shape::Tuple([Shape::Record(_), Shape::Record(_)]) => {
            let mut both = run.slopes(Array::MotionBy, Array::Output, leaves)?;
            both.extend(run.slopes(Array::MultipliersBy, Array::Multipliers, leaves)?);
            both
        }
        // A descriptor pair.
        Shape::Tuple([]) => run.entries,
        _ => return Err(Stop::Uncovered),
    };
    Ok(Outputs {
        values,
        rows,
        places: run.places_of_entries,
        is_along: loops.routine.columns > 0,
    })
}

// Macros run unoptimised, where iterators take longer than what they go through: what is done often is written out.

/// Loops under way.
struct Run<'a, R> {
    kernels: Vec<Kernel<'a, R>>,
    arrays: Vec<Vec<R>>,
    /// What the arrays are.
    known: Vec<Array>,
    /// Of linearisations, columns along the tangent.
    combined: BTreeMap<Array, Vec<R>>,
    /// The places of the round.
    places: Vec<usize>,
    /// Whether there are such:
    tells: bool,
    /// entries of matrices that are told one by one,
    entries: Vec<R>,
    /// and where they stand.
    places_of_entries: Vec<(Matrix, usize, usize)>,
}

/// A kernel that is ready to run.
struct Kernel<'a, R> {
    program: &'a Program,
    registers: Registers<R>,
    /// The values that are read, by array and the index of their place;
    reads: Vec<[usize; 3]>,
    /// those that are computed,
    steps: Vec<usize>,
    /// and the outputs that are written, and whether they are added.
    writes: Vec<([usize; 3], bool)>,
    /// Outputs that are entries of a matrix, with the indices of their row and column.
    entries: Vec<(usize, Matrix, [usize; 2])>,
}

impl<'a, R: Element> Run<'a, R> {
    fn new(loops: &'a Loops<'a>, leaves: &impl Leaves<R>) -> Result<Run<'a, R>, Stop> {
        let mut run = Run {
            kernels: Vec::with_capacity(loops.kernels.len()),
            arrays: Vec::new(),
            known: Vec::new(),
            combined: BTreeMap::new(),
            places: Vec::new(),
            tells: false,
            entries: Vec::new(),
            places_of_entries: Vec::new(),
        };
        for (planned, kernel) in loops.routine.kernels.iter().zip(&loops.kernels) {
            let kernel = run.prepared(planned, &kernel.program, leaves)?;
            run.tells |= !kernel.entries.is_empty();
            run.kernels.push(kernel);
        }
        Ok(run)
    }

    fn prepared(
        &mut self,
        planned: &routine::Kernel,
        program: &'a Program,
        leaves: &impl Leaves<R>,
    ) -> Result<Kernel<'a, R>, Stop> {
        let mut registers = Registers::new(program.values.len());
        let (mut reads, mut steps, mut writes) = (Vec::new(), Vec::new(), Vec::new());
        for (at, op) in program.values.iter().enumerate() {
            match op {
                Op::Input(symbol) => {
                    let mut k = planned.reads.len();
                    while k > 0 && planned.reads[k - 1].0 != *symbol {
                        k -= 1;
                    }
                    if k == 0 {
                        registers.set(at, leaves.leaf(*symbol)?);
                    } else {
                        let (_, array, place) = planned.reads[k - 1];
                        reads.push([at, self.number(array, leaves)?, place]);
                    }
                }
                Op::Number(_) | Op::Boolean(_) => {
                    registers.set(at, R::constant(constant(op)?));
                }
                _ => steps.push(at),
            }
        }
        let mut entries = Vec::new();
        for (write, output) in planned.writes.iter().zip(&program.outputs) {
            // Guards judge the others.
            let (array, place, adds) = match *write {
                Write::Set(array, place) => (array, place, false),
                Write::Add(array, place) => (array, place, true),
                Write::Entry(matrix, row, column) => {
                    entries.push((output.index(), matrix, [row, column]));
                    continue;
                }
                _ => continue,
            };
            writes.push(([output.index(), self.number(array, leaves)?, place], adds));
        }
        Ok(Kernel {
            program,
            registers,
            reads,
            steps,
            writes,
            entries,
        })
    }

    fn number(&mut self, array: Array, leaves: &impl Leaves<R>) -> Result<usize, Stop> {
        // There are few.
        let known = self.known.iter().position(|it| *it == array);
        Ok(match known {
            Some(number) => number,
            None => {
                self.known.push(array);
                self.arrays.push(leaves.array(array)?.unwrap_or_default());
                self.known.len() - 1
            }
        })
    }

    fn written(&mut self, array: Array, len: usize) -> Vec<R> {
        let number = self.known.iter().position(|it| *it == array);
        let all = number.map(|number| std::mem::take(&mut self.arrays[number]));
        let mut all = all.unwrap_or_default();
        all.resize(len, R::ZERO);
        all
    }

    // ---- linearisations -------------------------------------------------------------------------
    //
    // What is found for one column is found for every one, by the same loop. With r₁, r₂, … the columns of the right-hand
    // sides, the loop is run at r = Σ δₖ rₖ of a random tangent: if it solves for r, it does so for every δ, as polynomials
    // in δ are equal that are equal at a random point, and so for each rₖ. What the column before has left is a random
    // number here, so that nothing is made of it.

    /// Puts random numbers where loops write to work arrays.
    fn forget(&mut self, loops: &[Loop], point: &mut Point) {
        let results = [Array::Output, Array::Multipliers];
        for it in loops {
            for round in 0..it.rounds {
                for (kernel, indices) in &it.body {
                    self.find_places(indices, it, round);
                    for k in 0..self.kernels[*kernel].writes.len() {
                        let ([_, array, place], _) = self.kernels[*kernel].writes[k];
                        if results.contains(&self.known[array]) {
                            continue;
                        }
                        let (array, place) = (&mut self.arrays[array], self.places[place]);
                        if array.len() <= place {
                            array.resize(place + 1, R::ZERO);
                        }
                        array[place] = R::constant(point.draws(1)[0]);
                    }
                }
            }
        }
    }

    /// Puts the sum of all columns along the tangent in the place of a column.
    fn combine(&mut self, leaves: &impl Leaves<R>) -> Result<(), Stop> {
        let combined = self.along(Array::MotionBy, Array::Output, leaves)?;
        let number = self.number(Array::Output, leaves)?;
        self.arrays[number] = combined;
        Ok(())
    }

    /// What all columns have become together.
    fn keep_combined(&mut self, leaves: &impl Leaves<R>) {
        for (array, rows) in [
            (Array::Output, Dimension::Velocities),
            (Array::Multipliers, Dimension::Rows),
        ] {
            let combined = self.written(array, leaves.len(rows));
            self.combined.insert(array, combined);
        }
    }

    /// The matrices times the tangent: what the columns have become, and what is added to them.
    fn slopes(
        &mut self,
        array: fn(By) -> Array,
        column: Array,
        leaves: &impl Leaves<R>,
    ) -> Result<Vec<R>, Stop> {
        let added = self.along(array, column, leaves)?;
        let combined = self.combined.remove(&column).unwrap_or_default();
        let pairs = added.into_iter().zip(combined);
        Ok(pairs.map(|(added, combined)| added + combined).collect())
    }

    /// The matrices as they are times the tangent; they are taken.
    fn along(
        &mut self,
        array: fn(By) -> Array,
        column: Array,
        leaves: &impl Leaves<R>,
    ) -> Result<Vec<R>, Stop> {
        let rows = leaves.len(match column {
            Array::Multipliers => Dimension::Rows,
            _ => Dimension::Velocities,
        });
        let mut sum = vec![R::ZERO; rows];
        for by in By::ALL {
            let parts: &[Varied] = match by {
                By::State => &[Varied::Coordinate, Varied::Velocity],
                By::Input => &[Varied::Input],
                By::Parameter => &[Varied::Parameter],
            };
            let mut tangent = Vec::new();
            for &part in parts {
                tangent.extend(leaves.array(Array::Tangent(part))?.unwrap_or_default());
            }
            let entries = self.written(array(by), rows * tangent.len());
            for (column, &by) in entries.chunks(rows.max(1)).zip(&tangent) {
                let mut i = 0;
                while i < column.len() {
                    if column[i] != R::ZERO {
                        sum[i] = sum[i] + column[i] * by;
                    }
                    i += 1;
                }
            }
        }
        Ok(sum)
    }

    fn rounds(&mut self, it: &Loop, point: &mut Point, own: &mut bool) -> Result<(), Stop> {
        for round in 0..it.rounds {
            for (kernel, indices) in &it.body {
                self.find_places(indices, it, round);
                point.was_asked_more = false;
                self.kernel(*kernel, point)?;
                if self.tells {
                    self.tell(*kernel);
                }
                if point.was_asked_more {
                    let Kernel {
                        program, registers, ..
                    } = &self.kernels[*kernel];
                    *own |= choices::has_own_signs(program, registers, point);
                }
            }
        }
        Ok(())
    }

    fn find_places(&mut self, indices: &[Index], it: &Loop, round: usize) {
        if self.places.len() < indices.len() {
            self.places.resize(indices.len(), 0);
        }
        let (places, mut k) = (&mut self.places[..], 0);
        while k < indices.len() {
            places[k] = match &indices[k] {
                Index::Constant(place) => *place,
                Index::Even { first, step } => first.wrapping_add_signed(*step * round as isize),
                // A place that nothing reads has no table.
                Index::Table(column, ahead) => match it.table.get(round) {
                    Some(row) if *column < row.len() => row[*column] + *ahead,
                    _ => 0,
                },
            };
            k += 1;
        }
    }

    fn kernel(&mut self, number: usize, point: &mut Point) -> Result<(), Stop> {
        let (kernel, places) = (&mut self.kernels[number], &self.places[..]);
        let Kernel {
            program,
            registers,
            reads,
            steps,
            writes,
            ..
        } = kernel;
        let (arrays, reads, steps) = (&mut self.arrays[..], &reads[..], &steps[..]);
        registers.clear();
        let mut k = 0;
        while k < reads.len() {
            let [at, array, place] = reads[k];
            let (array, place) = (&arrays[array][..], places[place]);
            let is_written = place < array.len();
            registers.set(at, if is_written { array[place] } else { R::ZERO });
            k += 1;
        }
        registers.steps(steps, &program.values, point)?;
        registers.all(&program.outputs)?;
        for &([output, array, place], adds) in &*writes {
            let (array, place) = (&mut arrays[array], places[place]);
            // Those beyond the end are 0 for who asks, and left out in the end.
            while array.len() <= place {
                array.extend_from_slice(&const { [R::ZERO; 256] });
            }
            let (array, result) = (&mut array[..], registers.of(output));
            array[place] = if adds { array[place] + result } else { result };
        }
        Ok(())
    }

    /// What a kernel has told by places.
    fn tell(&mut self, number: usize) {
        let Kernel {
            registers, entries, ..
        } = &self.kernels[number];
        for &(output, matrix, [row, column]) in entries {
            self.entries.push(registers.of(output));
            let place = (matrix, self.places[row], self.places[column]);
            self.places_of_entries.push(place);
        }
    }
}
