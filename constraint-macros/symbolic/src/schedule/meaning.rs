//! The role of values in the derivation: names for those that a program binds anyway.
//!
//! Input: meanings of expressions. Output: names. A meaning changes no program: the values, their order, and the choice
//! of bound values are final before meanings are read.

use super::{Signed, ValueId};
use crate::expr::{ExprId, Graph, Map, Set, SymbolId};
use crate::model::RowName;
use crate::syntax::snake;

/// The role of an expression in the derivation; rows and matrices may be with or without their common factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// C of a row.
    Value(usize),
    /// Ċ of a row.
    Rate(usize),
    /// β of a row.
    Bias(usize),
    /// |d| of a row with exactly one length.
    Length(usize),
    /// d·d of that length.
    LengthSquared(usize),
    /// The only square root of a row.
    Root(usize),
    /// The argument of that square root.
    Radicand(usize),
    /// The entry of J of a row at a coordinate.
    Slope(usize, SymbolId),
    /// An entry of a matrix that is eliminated.
    Entry(Matrix, usize, usize),
    /// The remainder of an entry during elimination.
    Left(Matrix, usize, usize),
    /// An entry of L in L D Lᵀ.
    Lower(Matrix, usize, usize),
    /// A pivot, which programs of multipliers name in any case.
    Pivot(Matrix, usize),
    /// The determinant of the last two rows, eliminated at once.
    Determinant(Matrix),
    /// An entry of the right-hand side.
    Right(Matrix, usize),
    /// An entry of the right-hand side after forward substitution.
    RightLeft(Matrix, usize),
    /// An unknown.
    Unknown(usize),
    /// M⁻¹ h at a coordinate.
    Free(SymbolId),
    /// M⁻¹ Jᵀ λ at a coordinate.
    Pull(SymbolId),
    /// Jᵀ λ at a coordinate.
    Force(SymbolId),
    /// v̇ at a coordinate.
    Acceleration(SymbolId),
}

/// A symmetric matrix that is eliminated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Matrix {
    /// J M⁻¹ Jᵀ
    Delassus,
    /// M
    Mass,
}

/// The names of rows.
#[derive(Clone, Copy, Debug)]
pub enum Rows<'a> {
    /// By the names of constraints.
    Named(&'a [RowName]),
    /// By their numbers, if there is more than one row.
    Numbered(usize),
}

/// The meanings of expressions; if a value has several, the first counts.
#[derive(Clone, Copy, Debug)]
pub struct Meanings<'a> {
    /// By expression.
    pub of: &'a [(ExprId, Meaning)],
    /// The names of the rows.
    pub rows: Rows<'a>,
}

impl Meanings<'_> {
    /// No meanings.
    pub const NONE: Meanings<'static> = Meanings {
        of: &[],
        rows: Rows::Numbered(0),
    };
}

/// Removes leaves, and all but the first meaning of each expression.
pub fn keep_first(graph: &Graph, meanings: &mut Vec<(ExprId, Meaning)>) {
    let mut known = Set::default();
    meanings.retain(|&(id, _)| !graph.is_leaf(id) && known.insert(id));
}

impl Rows<'_> {
    fn count(self) -> usize {
        match self {
            Rows::Named(names) => names.len(),
            Rows::Numbered(count) => count,
        }
    }

    /// `link_3_rate`, `rate_3`, or `rate` of the only row without a name.
    fn part(self, row: usize, part: &str) -> String {
        match self {
            Rows::Named(names) => match names.get(row) {
                Some(name) => format!("{}_{part}", snake(&name.to_string())),
                None => format!("{part}_{row}"),
            },
            Rows::Numbered(1) => part.to_owned(),
            Rows::Numbered(_) => format!("{part}_{row}"),
        }
    }

    /// `right_1`, or `right` if there is one row.
    fn indexed(self, name: &str, row: usize) -> String {
        if self.count() == 1 {
            name.to_owned()
        } else {
            format!("{name}_{row}")
        }
    }
}

impl Meaning {
    /// The meaning as a name.
    fn name(self, rows: Rows<'_>, leaf: &dyn Fn(SymbolId) -> String) -> String {
        match self {
            Meaning::Value(row) => rows.part(row, "value"),
            Meaning::Rate(row) => rows.part(row, "rate"),
            Meaning::Bias(row) => rows.part(row, "bias"),
            Meaning::Length(row) => rows.part(row, "length"),
            Meaning::LengthSquared(row) => rows.part(row, "length_squared"),
            Meaning::Root(row) => rows.part(row, "root"),
            Meaning::Radicand(row) => rows.part(row, "radicand"),
            Meaning::Slope(row, coordinate) => {
                let part = match rows {
                    Rows::Named(_) => "d",
                    Rows::Numbered(_) => "jacobian",
                };
                format!("{}_{}", rows.part(row, part), leaf(coordinate))
            }
            Meaning::Entry(matrix, i, j) => matrix.entry(rows, i, j),
            Meaning::Left(matrix, i, j) => matrix.entry(rows, i, j) + "_reduced",
            Meaning::Lower(Matrix::Delassus, i, j) => format!("l_{i}_{j}"),
            Meaning::Lower(Matrix::Mass, i, j) => format!("mass_l_{i}_{j}"),
            Meaning::Pivot(Matrix::Delassus, row) => rows.indexed("pivot", row),
            Meaning::Pivot(Matrix::Mass, row) => format!("mass_pivot_{row}"),
            Meaning::Determinant(Matrix::Delassus) => "determinant".to_owned(),
            Meaning::Determinant(Matrix::Mass) => "mass_determinant".to_owned(),
            Meaning::Right(matrix, row) => matrix.right(rows, row),
            Meaning::RightLeft(matrix, row) => matrix.right(rows, row) + "_reduced",
            Meaning::Unknown(row) => rows.indexed("unknown", row),
            Meaning::Free(coordinate) => format!("free_{}", leaf(coordinate)),
            Meaning::Pull(coordinate) => format!("pull_{}", leaf(coordinate)),
            Meaning::Force(coordinate) => format!("force_{}", leaf(coordinate)),
            Meaning::Acceleration(coordinate) => format!("v_dot_{}", leaf(coordinate)),
        }
    }
}

impl Matrix {
    fn entry(self, rows: Rows<'_>, i: usize, j: usize) -> String {
        match self {
            Matrix::Delassus if rows.count() == 1 => "delassus".to_owned(),
            Matrix::Delassus => format!("delassus_{i}_{j}"),
            Matrix::Mass => format!("mass_{i}_{j}"),
        }
    }

    fn right(self, rows: Rows<'_>, row: usize) -> String {
        match self {
            Matrix::Delassus => rows.indexed("right", row),
            Matrix::Mass => format!("h_{row}"),
        }
    }
}

/// The meanings of a program's values, or of their negatives.
#[derive(Clone, Debug, Default)]
pub struct Known(Map<ValueId, (bool, Meaning)>);

impl Known {
    /// A meaning of the value itself takes precedence over one of its negative.
    pub fn new(meanings: &[(Signed, Meaning)]) -> Known {
        let mut of: Map<ValueId, (bool, Meaning)> = Map::default();
        for &(signed, meaning) in meanings {
            let known = of.entry(signed.value).or_insert((signed.negative, meaning));
            if known.0 && !signed.negative {
                *known = (false, meaning);
            }
        }
        Known(of)
    }

    /// The meaning of a value or its negative.
    pub fn get(&self, value: ValueId) -> Option<Meaning> {
        self.0.get(&value).map(|known| known.1)
    }

    /// The name of a value with a meaning: `right_1`, `minus_delassus_1_0`.
    pub fn name(
        &self,
        value: ValueId,
        rows: Rows<'_>,
        leaf: &dyn Fn(SymbolId) -> String,
    ) -> Option<String> {
        let &(negative, meaning) = self.0.get(&value)?;
        let name = meaning.name(rows, leaf);
        Some(if negative {
            format!("minus_{name}")
        } else {
            name
        })
    }
}
