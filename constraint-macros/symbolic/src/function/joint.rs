//! The functions of a constraint between bodies.

use super::Argument::{Coordinates, Forces, InverseMasses, RightHandSide, Time, Velocities};
use super::{Argument, Dimension, Record, Row, Shape, counted, row, solved};
use crate::constraint::Quantity;

const Q: &[Argument] = &[Time, Coordinates];
const QV: &[Argument] = &[Time, Coordinates, Velocities];
const QW: &[Argument] = &[Time, Coordinates, InverseMasses];
const QVW: &[Argument] = &[Time, Coordinates, Velocities, InverseMasses];
const FORCED: &[Argument] = &[Time, Coordinates, Velocities, InverseMasses, Forces];
const GIVEN: &[Argument] = &[Time, Coordinates, InverseMasses, RightHandSide];

const ROWS: Shape = Shape::Vector(Dimension::Rows);
const BLOCKS: Shape = Shape::Blocks(Dimension::Rows, Dimension::Velocities);
const SQUARE: Shape = Shape::Matrix(Dimension::Rows, Dimension::Rows);
const ALL_ROWS: Shape = Shape::Record(&Record {
    name: "BodyRows",
    sizes: &[Dimension::Velocities, Dimension::Bodies, Dimension::Rows],
    fields: &[
        ("value", ROWS),
        ("jacobian", BLOCKS),
        ("rate", ROWS),
        ("bias", ROWS),
        ("delassus", SQUARE),
    ],
});

/// All functions, in the order of their derivation.
pub(super) const TABLE: [Row<&[Quantity]>; 9] = {
    use Quantity as Of;
    const AT_ONCE: &str = "C, J, Ċ, β and K at once";
    const TOGETHER: &[Quantity] = &[Of::Value, Of::Jacobian, Of::Rate, Of::Bias, Of::Delassus];
    [
        row("value", "C", Q, ROWS, &[Of::Value]),
        row("jacobian", "J", Q, BLOCKS, &[Of::Jacobian]),
        row("rate", "Ċ", QV, ROWS, &[Of::Rate]),
        row("bias", "β", QV, ROWS, &[Of::Bias]),
        row("delassus", "K", QW, SQUARE, &[Of::Delassus]),
        counted(row("rows", AT_ONCE, QVW, ALL_ROWS, TOGETHER)),
        solved("solve", "K⁻¹ b", GIVEN, ROWS, &[Of::Solution]),
        solved("impulses", "−K⁻¹ Ċ", QVW, ROWS, &[Of::Impulses]),
        solved("multipliers", "λ", FORCED, ROWS, &[Of::Multipliers]),
    ]
};
