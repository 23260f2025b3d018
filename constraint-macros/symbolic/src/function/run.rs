//! Runs functions in loops over any type of number. Kernels keep their registers from round to round, so that numbers
//! and leaves are looked up once.

use super::loops::Loops;
use super::panels::{self, Pivot};
use super::system::GRADIENT;
use super::{Dimension, Shape};
use crate::dynamics::Matrix;
use crate::expr::{CollectVec, Number, PushEach, SymbolId};
use crate::families::{Index, Loop};
use crate::schedule::{Element, Judged, Op, Program, Registers};
use crate::solve::{Panels, WIDTH};
use crate::system::loops::routine::{self, Array, Solve, Varied, Write};

/// The inputs of programs.
pub trait Leaves<R: Element> {
    /// The value of a leaf.
    ///
    /// # Errors
    /// The leaf has no value, for example a number that has been rounded.
    fn leaf(&self, symbol: SymbolId) -> Result<R, R::Stop>;

    /// The values of an argument's array; `None` for other arrays.
    ///
    /// # Errors
    /// One of its numbers has no value.
    fn array(&self, _: Array) -> Result<Option<Vec<R>>, R::Stop> {
        Ok(None)
    }

    /// The length of a vector.
    fn len(&self, _: Dimension) -> usize {
        0
    }

    /// The length of a part of a gradient.
    fn part(&self, _: Varied) -> usize {
        0
    }
}

/// The parts of a tangent and of a gradient, in their order.
pub const PARTS: [Varied; 5] = [
    Varied::Time,
    Varied::Coordinate,
    Varied::Velocity,
    Varied::Input,
    Varied::Parameter,
];

/// The state of loops during a run.
#[derive(Debug)]
pub struct Run<'a, R: Element> {
    kernels: Vec<Kernel<'a, R>>,
    panels: Option<&'a Panels>,
    arrays: Vec<Vec<R>>,
    /// The array of each index.
    known: Vec<Array>,
    /// The places of the current round.
    places: Vec<usize>,
    /// True if a kernel has entries or pivots.
    records: bool,
    /// Values of entries of matrices that are reported one by one,
    pub entries: Vec<R>,
    /// and their positions.
    pub places_of_entries: Vec<(Matrix, usize, usize)>,
    /// The pivots so far: the row, and the pivot with the entry before elimination.
    pub pivots: Vec<Pivot<R>>,
}

/// A kernel in executable form.
#[derive(Debug)]
struct Kernel<'a, R: Element> {
    program: &'a Program,
    registers: Registers<R>,
    /// The values that are read, by array and the index of their place;
    reads: Vec<[usize; 3]>,
    /// those that are computed,
    steps: Vec<usize>,
    /// and the outputs that are written, and whether they are added.
    writes: Vec<([usize; 3], bool)>,
    /// Outputs that are entries of a matrix, with the indices of row and column.
    entries: Vec<(usize, Matrix, [usize; 2])>,
    /// Outputs that are pivots, the entries before elimination, and the index of the row.
    pivots: Vec<([usize; 2], usize)>,
}

// Macros run unoptimised, where iterators cost more than the work inside; the hot loops are therefore written by hand.

impl<'a, R: Element> Run<'a, R> {
    /// The state before the first loop.
    ///
    /// # Errors
    /// A leaf, a constant or a number of an array has no value.
    pub fn new(loops: &'a Loops<'a>, leaves: &impl Leaves<R>) -> Result<Run<'a, R>, R::Stop> {
        let mut run = Run {
            kernels: Vec::with_capacity(loops.kernels.len()),
            panels: loops.panels,
            arrays: Vec::new(),
            known: Vec::new(),
            places: Vec::new(),
            records: false,
            entries: Vec::new(),
            places_of_entries: Vec::new(),
            pivots: Vec::new(),
        };
        for (planned, kernel) in loops.routine.kernels.iter().zip(&loops.kernels) {
            let kernel = run.prepared(planned, &kernel.program, leaves)?;
            run.records |= !kernel.entries.is_empty() || !kernel.pivots.is_empty();
            run.kernels.push(kernel);
        }
        Ok(run)
    }

    fn prepared(
        &mut self,
        planned: &routine::Kernel,
        program: &'a Program,
        leaves: &impl Leaves<R>,
    ) -> Result<Kernel<'a, R>, R::Stop> {
        let mut registers = Registers::new(program.values.len());
        let (mut reads, mut steps) = (Vec::new(), Vec::new());
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
                        reads.push([at, self.number(array, || leaves.array(array))?, place]);
                    }
                }
                Op::Number(number) => registers.set(at, R::of_constant(*number)?),
                Op::Boolean(value) => registers.set(at, R::of_condition(*value)),
                _ => steps.push(at),
            }
        }
        let mut kernel = Kernel {
            program,
            registers,
            reads,
            steps,
            writes: Vec::new(),
            entries: Vec::new(),
            pivots: Vec::new(),
        };
        for (k, (write, output)) in planned.writes.iter().zip(&program.outputs).enumerate() {
            let output = output.index();
            match *write {
                Write::Set(array, place) => {
                    let array = self.number(array, || Ok(None))?;
                    kernel.writes.push(([output, array, place], false));
                }
                Write::Add(array, place) => {
                    let array = self.number(array, || Ok(None))?;
                    kernel.writes.push(([output, array, place], true));
                }
                Write::Entry(matrix, row, column) => {
                    kernel.entries.push((output, matrix, [row, column]));
                }
                Write::Pivot(_, row) => {
                    let diagonal = program.outputs[k + 1].index();
                    kernel.pivots.push(([output, diagonal], row));
                }
                _ => {}
            }
        }
        Ok(kernel)
    }

    /// The index of an array, with what it has at first; λ is an argument of some functions and a result of others.
    fn number(
        &mut self,
        array: Array,
        first: impl FnOnce() -> Result<Option<Vec<R>>, R::Stop>,
    ) -> Result<usize, R::Stop> {
        // There are few arrays, so a linear search suffices.
        let known = self.known.iter().position(|it| *it == array);
        Ok(match known {
            Some(number) => number,
            None => {
                self.known.push(array);
                self.arrays.push(first()?.unwrap_or_default());
                self.known.len() - 1
            }
        })
    }

    /// Sets the contents of an array.
    pub fn put(&mut self, array: Array, numbers: Vec<R>) {
        match self.known.iter().position(|it| *it == array) {
            Some(number) => self.arrays[number] = numbers,
            None => {
                self.known.push(array);
                self.arrays.push(numbers);
            }
        }
    }

    /// Takes the contents of an array of this length, padded with zeros.
    pub fn written(&mut self, array: Array, len: usize) -> Vec<R> {
        let number = self.known.iter().position(|it| *it == array);
        let all = number.map(|number| std::mem::take(&mut self.arrays[number]));
        let mut all = all.unwrap_or_default();
        all.resize(len, R::ZERO);
        all
    }

    /// The result in the order of a shape; `None` for matrices of derivatives, and for results not from loops.
    /// Matrices are column by column.
    pub fn results(&mut self, shape: Shape, leaves: &impl Leaves<R>) -> Option<Vec<R>> {
        let len = |of: Dimension| leaves.len(of);
        Some(match shape {
            Shape::Scalar => self.written(Array::Output, 1),
            Shape::Vector(of) => self.written(Array::Output, len(of)),
            Shape::Outputs => self.written(Array::Output, len(Dimension::Outputs)),
            Shape::Matrix(rows, columns) => self.written(Array::Output, len(rows) * len(columns)),
            Shape::Tuple([Shape::Vector(first), Shape::Vector(second)]) => {
                let mut both = self.written(Array::Output, len(*first));
                both.push_each(self.written(Array::Multipliers, len(*second)));
                both
            }
            // A gradient.
            Shape::Record(record) if record.name == GRADIENT => {
                let mut part = |of| self.written(Array::Gradient(of), leaves.part(of));
                PARTS.into_iter().flat_map(&mut part).collect_vec()
            }
            // A descriptor pair.
            Shape::Tuple([]) => std::mem::take(&mut self.entries),
            _ => return None,
        })
    }

    /// Runs all rounds of a loop; calls `after` after each kernel.
    ///
    /// # Errors
    /// A result has no value.
    pub fn rounds(
        &mut self,
        it: &Loop,
        context: &mut R::Context,
        after: &mut impl FnMut(&Program, &Registers<R>, &mut R::Context),
    ) -> Result<(), R::Stop> {
        if let (Some(step), Some(panels)) = (it.step, self.panels) {
            self.step(panels, Solve::of(step))?;
        }
        for round in 0..it.rounds {
            for (number, indices) in &it.body {
                self.find_places(indices, it, round);
                self.kernel(*number, context)?;
                if self.records {
                    self.record(*number);
                }
                let kernel = &self.kernels[*number];
                after(kernel.program, &kernel.registers, context);
            }
        }
        Ok(())
    }

    /// A step with the matrix in blocks.
    fn step(&mut self, panels: &Panels, step: Solve) -> Result<(), R::Stop> {
        let mut blocks = self.written(Array::Blocks, panels.entries());
        match step {
            Solve::Clear => blocks.fill(R::ZERO),
            Solve::First => {
                let one = R::of_constant(Number::ONE)?;
                let pivots = panels::eliminate(panels, &mut blocks, one)?;
                self.pivots.push_each(pivots);
            }
            Solve::Same | Solve::Beside => {}
        }
        if let Some(array) = step.unknowns() {
            let mut x = self.written(array, WIDTH * panels.rows.len());
            panels::substitute(panels, &blocks, &mut x);
            self.put(array, x);
        }
        self.put(Array::Blocks, blocks);
        Ok(())
    }

    /// Overwrites all places that these loops write, except those of arrays in `but`.
    pub fn overwrite(&mut self, loops: &[Loop], but: &[Array], mut number: impl FnMut() -> R) {
        for it in loops {
            for round in 0..it.rounds {
                for (kernel, indices) in &it.body {
                    self.find_places(indices, it, round);
                    for k in 0..self.kernels[*kernel].writes.len() {
                        let ([_, array, place], _) = self.kernels[*kernel].writes[k];
                        if but.contains(&self.known[array]) {
                            continue;
                        }
                        let (array, place) = (&mut self.arrays[array], self.places[place]);
                        if array.len() <= place {
                            array.resize(place + 1, R::ZERO);
                        }
                        array[place] = number();
                    }
                }
            }
        }
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

    fn kernel(&mut self, number: usize, context: &mut R::Context) -> Result<(), R::Stop> {
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
        registers.steps(steps, &program.values, context)?;
        registers.all(&program.outputs)?;
        for &([output, array, place], adds) in &*writes {
            let (array, place) = (&mut arrays[array], places[place]);
            // Places beyond the end read as 0, and are removed from results.
            while array.len() <= place {
                array.extend_from_slice(&const { [R::ZERO; 256] });
            }
            let (array, result) = (&mut array[..], registers.of(output));
            array[place] = if adds { array[place] + result } else { result };
        }
        Ok(())
    }

    /// Records the entries and pivots of a kernel.
    fn record(&mut self, number: usize) {
        let Kernel {
            registers,
            entries,
            pivots,
            ..
        } = &self.kernels[number];
        for &(output, matrix, [row, column]) in entries {
            self.entries.push(registers.of(output));
            let place = (matrix, self.places[row], self.places[column]);
            self.places_of_entries.push(place);
        }
        for &([pivot, diagonal], row) in pivots {
            let both = [registers.of(pivot), registers.of(diagonal)];
            self.pivots.push((self.places[row], both));
        }
    }
}

impl<R: Element> Run<'_, R> {
    /// The pivots in the order of computation.
    pub fn judged(&self) -> Vec<Judged<R>> {
        let pivots = self.pivots.iter();
        let judged = pivots.map(|&(row, [pivot, diagonal])| Judged {
            row,
            pivot,
            diagonal,
        });
        judged.collect_vec()
    }
}
