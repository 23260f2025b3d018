//! Runs functions in loops over the field.

use crate::certify::Gap;
use crate::expr::{CollectVec, PushEach, SortedMap};

use super::choices;
use super::number::Element;
use super::point::{Point, Stop};
use super::programs::Outputs;
use crate::function::loops::Loops;
use crate::function::run::{Leaves, Run};
use crate::function::system::GRADIENT;
use crate::function::{Dimension, Shape};
use crate::schedule::{Program, Registers};
use crate::system::loops::routine::{Array, By, Varied, by_column};

/// Larger matrices are not verified.
const MOST_ENTRIES: usize = 1 << 16;

/// The results of loops.
pub fn outputs<R: Element>(
    loops: &Loops<'_>,
    shape: Shape,
    point: &mut Point,
    leaves: &impl Leaves<R>,
    own: &mut bool,
) -> Result<Outputs<R>, Stop> {
    let rows = match shape {
        Shape::Matrix(rows, columns) => {
            let rows = leaves.len(rows);
            if rows * leaves.len(columns) > MOST_ENTRIES {
                return Err(Stop::Uncovered(Gap::Large));
            }
            rows
        }
        _ => 0,
    };
    let mut run = Run::new(loops, leaves)?;
    let mut columns = Columns::default();
    let mut after = |program: &Program, registers: &Registers<R>, point: &mut Point| {
        if point.exceeds_text {
            *own |= choices::has_own_signs(program, registers, point);
            point.exceeds_text = false;
        }
    };
    point.exceeds_text = false;
    for (per_column, loops) in by_column(&loops.routine.loops) {
        if per_column {
            // Remainders of earlier columns become random numbers, so that results that depend on them are wrong.
            let results = [Array::Output, Array::Multipliers];
            run.overwrite(loops, &results, || R::constant(point.draw()));
            columns.combine(&mut run, leaves)?;
        }
        for it in loops {
            run.rounds(it, point, &mut after)?;
        }
        if per_column {
            columns.keep(&mut run, leaves);
        }
    }
    let values = match shape {
        Shape::Record(record) if record.name != GRADIENT => {
            columns.slopes(&mut run, Array::MotionBy, Array::Output, leaves)?
        }
        Shape::Tuple([Shape::Record(_), Shape::Record(_)]) => {
            let mut both = columns.slopes(&mut run, Array::MotionBy, Array::Output, leaves)?;
            let rows = (Array::MultipliersBy as fn(By) -> Array, Array::Multipliers);
            both.push_each(columns.slopes(&mut run, rows.0, rows.1, leaves)?);
            both
        }
        shape => {
            let found = run.results(shape, leaves);
            found.ok_or(Stop::Uncovered(Gap::Unknown))?
        }
    };
    Ok(Outputs {
        values,
        rows,
        places: run.places_of_entries,
        is_along: loops.routine.columns > 0,
    })
}

/// The columns of linearisations times the tangent.
///
/// One loop computes every column. With r₁, r₂, … the columns of the right-hand sides, the loop is run once with
/// r = Σ δₖ rₖ for a random tangent. If it solves for this r, it does so for every δ, because polynomials in δ that are
/// equal at a random point are equal, and hence for each rₖ.
struct Columns<R>(SortedMap<Array, Vec<R>>);

impl<R> Default for Columns<R> {
    fn default() -> Columns<R> {
        Columns(SortedMap::new())
    }
}

impl<R: Element> Columns<R> {
    /// Replaces the current column by the sum of all columns along the tangent.
    fn combine(&self, run: &mut Run<'_, R>, leaves: &impl Leaves<R>) -> Result<(), Stop> {
        let combined = along(run, Array::MotionBy, Array::Output, leaves)?;
        run.put(Array::Output, combined);
        Ok(())
    }

    /// Stores the solution for the combined column.
    fn keep(&mut self, run: &mut Run<'_, R>, leaves: &impl Leaves<R>) {
        for (array, rows) in [
            (Array::Output, Dimension::Velocities),
            (Array::Multipliers, Dimension::Rows),
        ] {
            let combined = run.written(array, leaves.len(rows));
            self.0.insert(array, combined);
        }
    }

    /// The matrices times the tangent: the stored solution, and the terms added to it.
    fn slopes(
        &mut self,
        run: &mut Run<'_, R>,
        array: fn(By) -> Array,
        column: Array,
        leaves: &impl Leaves<R>,
    ) -> Result<Vec<R>, Stop> {
        let added = along(run, array, column, leaves)?;
        let combined = self.0.remove(&column).unwrap_or_default();
        let pairs = added.into_iter().zip(combined);
        Ok(pairs
            .map(|(added, combined)| added + combined)
            .collect_vec())
    }
}

/// The stored matrices times the tangent; takes them from the arrays.
fn along<R: Element>(
    run: &mut Run<'_, R>,
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
            tangent.push_each(leaves.array(Array::Tangent(part))?.unwrap_or_default());
        }
        let entries = run.written(array(by), rows * tangent.len());
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
