//! The functions of a curve.

use proc_macro2::Ident;

use super::Argument::{Damping, ForceLaw, Forces, Mass, Parameter, Rate};
use super::leaves::{Names, Unique, local};
use super::{
    Argument, Body, Dimension, Function, Record, Row, Shape, Trait, counted, may_fail, row, solved,
};
use crate::curve::{Derived, Piece, Pieces, Quantity};
use crate::expr::{CollectVec, SymbolId};
use crate::model::{Model, Role};
use crate::schedule::Program;

const S: &[Argument] = &[Parameter];
const PUSHED: &[Argument] = &[Parameter, Rate, Forces, Mass];
const MOVED: &[Argument] = &[Parameter, Rate, Mass, Damping, ForceLaw];

const NUMBER: Shape = Shape::Scalar;
const POINT: Shape = Shape::Vector(Dimension::Coordinates);
const JET: Shape = Shape::Array(3, &POINT);

/// All functions. The check that r′ does not vanish comes before the quantities that are divided by it.
pub const TABLE: [Row<&[Quantity]>; 9] = {
    use Quantity as Of;
    const ORDERS: &[Of] = &[Of::Position, Of::Tangent, Of::SecondDerivative];
    const PUSH: &[Of] = &[Of::Regularity, Of::Acceleration];
    const MOTION: &[Of] = &[
        Of::Regularity,
        Of::Position,
        Of::Velocity,
        Of::DampedAcceleration,
    ];
    [
        row("position", "r", S, POINT, &[Of::Position]),
        row("tangent", "r′", S, POINT, &[Of::Tangent]),
        row("second_derivative", "r″", S, POINT, &[Of::SecondDerivative]),
        counted(row("jet", "r, r′ and r″ at once", S, JET, ORDERS)),
        row("curvature", "κ", S, NUMBER, &[Of::Curvature]),
        may_fail("acceleration", "s̈", PUSHED, NUMBER, PUSH),
        solved("acceleration_under", "s̈", MOVED, NUMBER, MOTION),
        row("domain", "s", &[], Shape::Range, &[Of::Domain]),
        counted(row("piece", "", S, NUMBER, &[Of::Piece])),
    ]
};

/// Derivatives of s̈, on request.
pub const DERIVATIVES: [Row<&[Quantity]>; 1] = {
    const SLOPES: &[Quantity] = &[Quantity::Regularity, Quantity::Slopes];
    const SYMBOL: &str = "∂s̈/∂(s, ṡ, f, m, p)";
    const LINEARIZATION: Shape = Shape::Record(&Record {
        name: "CurveLinearization",
        sizes: &[Dimension::Coordinates, Dimension::Parameters],
        fields: &[
            ("s", NUMBER),
            ("s_dot", NUMBER),
            ("f", POINT),
            ("m", NUMBER),
            ("p", Shape::Vector(Dimension::Parameters)),
        ],
    });
    [solved("linearize", SYMBOL, PUSHED, LINEARIZATION, SLOPES)]
};

/// The names of the leaves, then that of the force, which is a function.
pub fn names(model: &Model) -> Names {
    let mut unique = Unique::default();
    let symbols = model.symbols.iter();
    let leaves = symbols.map(|symbol| unique.leaf(model, symbol.role, &symbol.name));
    let leaves: Vec<Ident> = leaves.collect_vec();
    let force = local(&unique.name("f"));
    let own = |argument: Argument, role: Role| {
        let place = model.symbols.iter().position(|symbol| symbol.role == role);
        place.map(|place| (argument, leaves[place].clone()))
    };
    let arguments = [
        own(Parameter, Role::Coordinate(0)),
        own(Rate, Role::Velocity(0)),
        own(Mass, Role::Mass),
        own(Damping, Role::Damping),
        Some((Forces, force.clone())),
        Some((ForceLaw, force)),
    ];
    let arguments = arguments.into_iter().flatten().collect_vec();
    Names {
        leaves,
        arguments,
        ..Names::default()
    }
}

/// The functions of a curve in the order of the table; derivatives on request.
pub fn functions(derived: &Derived, names: &Names) -> Vec<Function<'static>> {
    let single = derived.curve.model.graph.as_number(derived.piece).is_some();
    let rows = TABLE
        .iter()
        .filter(|row| row.signature.name != "piece" || !single);
    let function = |row: &Row<&[Quantity]>| Function {
        signature: row.signature,
        symbol: row.symbol,
        of_trait: if row.quantity.contains(&Quantity::Slopes) {
            Trait::Derivatives
        } else {
            Trait::Motion
        },
        body: body(derived, names, row.quantity),
    };
    let varied = derived.leaves.varied.is_some();
    let derivatives = DERIVATIVES.iter().filter(|_| varied);
    rows.chain(derivatives).map(function).collect_vec()
}

/// One branch for each piece, if none costs more than all pieces at once, and at least one costs less.
///
/// A branch is taken if all lanes agree on it; otherwise lanes select from all pieces. For a
/// single number the compiler removes the latter.
fn body(derived: &Derived, names: &Names, quantities: &[Quantity]) -> Body<'static> {
    let leaf = |symbol: SymbolId| names.leaf(symbol);
    let program = |piece: &Piece| derived.program(piece, quantities, &leaf);
    let whole = program(&derived.whole);
    let mut saves = false;
    let mut no_more_expensive = |piece: &Piece| {
        let program = program(piece);
        saves |= program.weight() < whole.weight();
        (program.weight() <= whole.weight()).then_some(program)
    };
    let decision = |condition: &_| derived.decision(*condition, &leaf);
    let pieces = derived.pieces.as_ref();
    let pieces: Option<Pieces<Program, Program>> =
        pieces.and_then(|pieces| pieces.try_map(&mut no_more_expensive, &decision));
    match pieces {
        Some(pieces) if saves => Body::Branches { whole, pieces },
        _ => Body::Straight(whole),
    }
}
