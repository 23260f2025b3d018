//! Runs scheduled functions over the field.

use crate::certify::Gap;
use std::iter::repeat;

use super::choices::{self, Conditions};
use super::field::Residue;
use super::linear::dot;
use super::loops;
use super::number::{Dual, Element};
use super::point::{Point, Stop};
use crate::curve::Pieces;
use crate::dynamics::Matrix;
use crate::expr::{CollectVec, SymbolId};
pub use crate::function::run::Leaves;
use crate::function::{Body, Dimension, Function};
use crate::schedule::{Program, Registers};
use crate::system::loops::routine::{Array, Varied};

/// Leaves with a direction of change.
#[derive(Clone, Copy, Debug)]
pub struct Changing<'a, A, B>(pub &'a A, pub &'a B);

impl<R: Element, A: Leaves<R>, B: Leaves<R>> Leaves<Dual<R>> for Changing<'_, A, B> {
    fn leaf(&self, symbol: SymbolId) -> Result<Dual<R>, Stop> {
        Ok(Dual {
            value: self.0.leaf(symbol)?,
            change: self.1.leaf(symbol)?,
        })
    }

    fn array(&self, array: Array) -> Result<Option<Vec<Dual<R>>>, Stop> {
        let Some(values) = self.0.array(array)? else {
            return Ok(None);
        };
        let changes = self.1.array(array)?.unwrap_or_default();
        let changes = changes.into_iter().chain(repeat(R::ZERO));
        let both = values.into_iter().zip(changes);
        Ok(Some(
            both.map(|(value, change)| Dual { value, change })
                .collect_vec(),
        ))
    }

    fn len(&self, of: Dimension) -> usize {
        self.0.len(of)
    }

    fn part(&self, of: Varied) -> usize {
        self.0.part(of)
    }
}

/// The results of a function.
#[derive(Debug)]
pub struct Outputs<R = Residue> {
    /// The numbers in order.
    pub values: Vec<R>,
    /// Number of rows of a matrix stored by columns; 0 for a matrix stored by rows.
    pub rows: usize,
    /// Matrix, row and column of entries that are reported one by one.
    pub places: Vec<(Matrix, usize, usize)>,
    /// True if matrices of derivatives have been multiplied by the tangent.
    pub is_along: bool,
}

impl<R> Outputs<R> {
    /// Results without positions.
    pub fn new(values: Vec<R>) -> Outputs<R> {
        Outputs {
            values,
            rows: 0,
            places: Vec::new(),
            is_along: false,
        }
    }
}

impl Outputs {
    /// The product of a matrix with a direction.
    pub fn along(&self, direction: &[Residue]) -> Vec<Residue> {
        if self.rows == 0 {
            let rows = self.values.chunks(direction.len());
            return rows.map(|row| dot(row, direction)).collect_vec();
        }
        let mut products = vec![Residue::ZERO; self.rows];
        for (column, &by) in self.values.chunks(self.rows).zip(direction) {
            let mut i = 0;
            while i < column.len() {
                if !column[i].is_zero() {
                    products[i] = products[i] + column[i] * by;
                }
                i += 1;
            }
        }
        products
    }

    /// The weighted sum of the rows of a matrix with this number of columns.
    pub fn across(&self, weights: &[Residue], columns: usize) -> Vec<Residue> {
        if self.rows > 0 {
            let columns = self.values.chunks(self.rows);
            return columns.map(|column| dot(column, weights)).collect_vec();
        }
        let entry = |j| self.values.iter().skip(j).step_by(columns).copied();
        let column = |j| entry(j).collect_vec();
        (0..columns).map(|j| dot(&column(j), weights)).collect_vec()
    }
}

/// The results of a function, one for each of its alternative computations. Sets `own` if they depend on a sign that
/// the text does not determine.
pub fn outputs<R: Element>(
    function: &Function<'_>,
    point: &mut Point,
    leaves: &impl Leaves<R>,
    own: &mut bool,
) -> Result<Vec<Outputs<R>>, Stop> {
    match &function.body {
        Body::Straight(program) => {
            let found = run(program, point, leaves, own)?;
            Ok(vec![Outputs::new(found)])
        }
        Body::Branches { whole, pieces } => {
            let first = piece(pieces, point, leaves, own)?;
            let whole = run(whole, point, leaves, own)?;
            Ok(vec![Outputs::new(whole), Outputs::new(first)])
        }
        Body::Loops(loops) => {
            let shape = function.signature.result;
            Ok(vec![loops::outputs(loops, shape, point, leaves, own)?])
        }
        Body::LeastSquares { .. } => Err(Stop::Uncovered(Gap::RunTime)),
    }
}

/// The results of the piece at the point.
fn piece<R: Element>(
    pieces: &Pieces<Program, Program>,
    point: &mut Point,
    leaves: &impl Leaves<R>,
    own: &mut bool,
) -> Result<Vec<R>, Stop> {
    match pieces {
        Pieces::One(program) => run(program, point, leaves, own),
        Pieces::Either {
            condition,
            branches,
        } => {
            let decided = run(condition, point, leaves, own)?;
            let otherwise = decided.first().is_some_and(|it| it.value().is_zero());
            let [then, other] = &**branches;
            piece(if otherwise { other } else { then }, point, leaves, own)
        }
    }
}

/// The results of a program.
fn run<R: Element>(
    program: &Program,
    point: &mut Point,
    leaves: &impl Leaves<R>,
    own: &mut bool,
) -> Result<Vec<R>, Stop> {
    let mut registers = Registers::new(program.values.len());
    point.exceeds_text = false;
    for (at, op) in program.values.iter().enumerate() {
        registers.take(at, op, point, |symbol| leaves.leaf(symbol))?;
    }
    registers.all(&program.outputs)?;
    *own |= point.exceeds_text && choices::has_own_signs(program, &registers, point);
    Ok(program.results(&registers))
}

/// The values of conditions; `None` unless they follow from the answers to the text.
pub fn conditions(
    Conditions { values, outputs }: &Conditions,
    point: &mut Point,
    leaves: &impl Leaves<Residue>,
) -> Result<Option<Vec<bool>>, Stop> {
    let mut registers = Registers::<Residue>::new(values.len());
    point.exceeds_text = false;
    for (at, op) in values.iter().enumerate() {
        registers.take(at, op, point, |symbol| leaves.leaf(symbol))?;
    }
    registers.all(outputs)?;
    if point.exceeds_text {
        let follows = choices::following(values, &registers, point);
        if !outputs.iter().all(|it| follows[it.index()]) {
            return Ok(None);
        }
    }
    let all = outputs.iter().map(|it| !registers.of(it.index()).is_zero());
    Ok(Some(all.collect_vec()))
}
