//! The functions of a constraint on points, and the names of the leaves of constraints.

use proc_macro2::Ident;

use super::Argument::{
    Coordinates, ForceAdjoint, ForceTangent, Forces, InverseMasses, Mass, MultiplierAdjoint,
    RightHandSide, Time, Velocities,
};
use super::leaves::{Names, Unique, local};
use super::{
    Argument, Body, Dimension, Function, Record, Row, Shape, Trait, joint, may_fail, row, solved,
};
use crate::constraint::{Derived, Quantity};
use crate::expr::{CollectVec, SymbolId};
use crate::model::{Model, Role};
use crate::syntax::ast::name_of;
use crate::syntax::snake;

const Q: &[Argument] = &[Time, Coordinates];
const QV: &[Argument] = &[Time, Coordinates, Velocities];
const FORCED: &[Argument] = &[Time, Coordinates, Velocities, InverseMasses, Forces];
const PARTICLE: &[Argument] = &[Time, Coordinates, Velocities, Mass, Forces];
const ALONG: &[Argument] = &[
    Time,
    Coordinates,
    Velocities,
    InverseMasses,
    Forces,
    ForceTangent,
];
const BACK: &[Argument] = &[
    Time,
    Coordinates,
    Velocities,
    InverseMasses,
    Forces,
    ForceAdjoint,
    MultiplierAdjoint,
];
const GIVEN: &[Argument] = &[Time, Coordinates, InverseMasses, RightHandSide];

const ROWS: Shape = Shape::Vector(Dimension::Rows);
const FORCE: Shape = Shape::Vector(Dimension::Coordinates);
const JACOBIAN: Shape = Shape::Matrix(Dimension::Rows, Dimension::Coordinates);

/// δt, δq, δv, δw, δf and δp, or a gradient by these.
pub const TANGENT: Shape = Shape::Record(&Record {
    name: "ForceTangent",
    sizes: &[Dimension::Coordinates, Dimension::Parameters],
    fields: &[
        ("t", Shape::Scalar),
        ("q", FORCE),
        ("v", FORCE),
        ("w", FORCE),
        ("f", FORCE),
        ("p", Shape::Vector(Dimension::Parameters)),
    ],
});
macro_rules! linearization {
    ($rows:ident) => {
        Shape::Record(&Record {
            name: "ForceLinearization",
            sizes: &[
                Dimension::$rows,
                Dimension::Coordinates,
                Dimension::Parameters,
            ],
            fields: &[
                ("q", Shape::Matrix(Dimension::$rows, Dimension::Coordinates)),
                ("v", Shape::Matrix(Dimension::$rows, Dimension::Coordinates)),
                ("w", Shape::Matrix(Dimension::$rows, Dimension::Coordinates)),
                ("f", Shape::Matrix(Dimension::$rows, Dimension::Coordinates)),
                ("p", Shape::Matrix(Dimension::$rows, Dimension::Parameters)),
            ],
        })
    };
}

const LINEARIZATION: Shape = linearization!(Coordinates);
const WITH_MULTIPLIERS: Shape = Shape::Tuple(&[LINEARIZATION, linearization!(Rows)]);

/// All functions, in the order of their derivation.
const TABLE: [Row<&[Quantity]>; 9] = {
    use Quantity as Of;
    [
        row("value", "C", Q, ROWS, &[Of::Value]),
        row("jacobian", "J", Q, JACOBIAN, &[Of::Jacobian]),
        row("rate", "Ċ", QV, ROWS, &[Of::Rate]),
        row("jacobian_dot", "J̇", QV, JACOBIAN, &[Of::JacobianDot]),
        row("bias", "β", QV, ROWS, &[Of::Bias]),
        may_fail("multipliers", "λ", FORCED, ROWS, &[Of::Multipliers]),
        may_fail("force", "f̂", FORCED, FORCE, &[Of::Force]),
        may_fail("particle_force", "f̂", PARTICLE, FORCE, &[Of::ParticleForce]),
        solved("solve", "(J W Jᵀ)⁻¹ b", GIVEN, ROWS, &[Of::Solution]),
    ]
};

/// Derivatives of f̂ and λ, on request.
pub const DERIVATIVES: [Row<&[Quantity]>; 4] = {
    use Quantity as Of;
    const SLOPES: &str = "∂f̂/∂q, ∂f̂/∂v, ∂f̂/∂w, ∂f̂/∂f, ∂f̂/∂p";
    const SLOPES_BESIDE: &str = "∂(f̂, λ)/∂q, ∂(f̂, λ)/∂v, ∂(f̂, λ)/∂w, ∂(f̂, λ)/∂f, ∂(f̂, λ)/∂p";
    const GRADIENT: &str = "the gradient of f̂*·f̂ + λ*·λ by t, q, v, w, f and p";
    const BOTH: Shape = Shape::Tuple(&[FORCE, ROWS]);
    [
        solved(
            "linearize",
            SLOPES,
            FORCED,
            LINEARIZATION,
            &[Of::ForceLinearization],
        ),
        solved(
            "linearize_with_multipliers",
            SLOPES_BESIDE,
            FORCED,
            WITH_MULTIPLIERS,
            &[Of::ForceLinearizationAndMultipliers],
        ),
        solved("jvp", "δf̂, δλ", ALONG, BOTH, &[Of::ForceTangent]),
        solved("vjp", GRADIENT, BACK, TANGENT, &[Of::ForceGradient]),
    ]
};

/// The functions of a constraint on points, or between bodies.
pub fn table(between_bodies: bool) -> &'static [Row<&'static [Quantity]>] {
    if between_bodies {
        &joint::TABLE
    } else {
        &TABLE
    }
}

/// Names of the arguments.
const ARGUMENTS: [(Argument, &str); 7] = [
    (Coordinates, "q"),
    (Velocities, "v"),
    (InverseMasses, "w"),
    (Forces, "f"),
    (RightHandSide, "b"),
    (Mass, "m"),
    (Time, "t"),
];

/// Names of the further arguments of derivatives.
const OF_DERIVATIVES: [(Argument, &str); 3] = [
    (ForceTangent, "tangent"),
    (ForceAdjoint, "force_bar"),
    (MultiplierAdjoint, "lambda_bar"),
];

/// Prefixes of arguments with a part for each body: `v_a`, `inverse_a`, `f_a` for body `a`; its pose is `a` itself.
const OF_BODY: [(Argument, &str); 3] =
    [(Velocities, "v"), (InverseMasses, "inverse"), (Forces, "f")];

/// The user's names first, then those of the arguments, then those of the other leaves.
pub fn names(model: &Model) -> Names {
    let mut unique = Unique::default();
    let users = |role: Role| {
        matches!(
            role,
            Role::Time | Role::Coordinate(_) | Role::Parameter { .. }
        )
    };
    // The user's own name: Rust's hygiene distinguishes it from an argument of ours with the same name.
    let bodies = model
        .bodies
        .iter()
        .map(|body| match snake(&name_of(&body.name)) {
            name if body.name == name => body.name.clone(),
            name => local(&unique.name(&name)),
        });
    let bodies: Vec<Ident> = bodies.collect_vec();
    let symbols = model.symbols.iter();
    let theirs = symbols.map(|symbol| {
        let own = users(symbol.role);
        own.then(|| unique.leaf(model, symbol.role, &symbol.name))
    });
    let theirs: Vec<Option<Ident>> = theirs.collect_vec();
    let besides = OF_DERIVATIVES
        .iter()
        .filter(|_| model.derivatives().is_some());
    let arguments = ARGUMENTS.iter().chain(besides);
    let arguments = arguments.map(|&(argument, name)| (argument, local(&unique.name(name))));
    let mut arguments: Vec<(Argument, Ident)> = arguments.collect_vec();
    let parts = |body: Ident| {
        let ours = OF_BODY.map(|(argument, prefix)| {
            let name = unique.name(&format!("{prefix}_{body}"));
            (argument, local(&name))
        });
        [(Coordinates, body)].into_iter().chain(ours).collect_vec()
    };
    let bodies = bodies.into_iter().map(parts).collect_vec();
    let leaves = model.symbols.iter().zip(theirs);
    let leaves = leaves.map(|(symbol, theirs)| match (theirs, symbol.role) {
        (Some(own), _) => own,
        (None, Role::Mass) => argument(&arguments, Mass),
        (None, _) => local(&unique.name(&symbol.name)),
    });
    let leaves: Vec<Ident> = leaves.collect_vec();
    let time = model.symbols.iter().position(|it| it.role == Role::Time);
    let told = arguments.iter_mut().find(|it| it.0 == Time);
    if let (Some(time), Some(told)) = (time, told) {
        told.1 = leaves[time].clone();
    }
    Names {
        leaves,
        arguments,
        bodies,
    }
}

fn argument(arguments: &[(Argument, Ident)], wanted: Argument) -> Ident {
    let found = arguments.iter().find(|(argument, _)| *argument == wanted);
    found.map_or_else(|| local("_"), |(_, name)| name.clone())
}

/// The functions of a constraint in the order of the table: λ only if it has a closed form, derivatives only on
/// request.
pub fn functions(derived: &Derived, names: &Names) -> Vec<Function<'static>> {
    let leaf = |symbol: SymbolId| names.leaf(symbol);
    let function = |row: &Row<&[Quantity]>, of_trait: Trait| Function {
        signature: row.signature,
        symbol: row.symbol,
        of_trait,
        body: Body::Straight(derived.program(row.quantity, &leaf)),
    };
    let rows = table(!derived.model.bodies.is_empty()).iter();
    let rows = rows.filter(|row| derived.is_closed() || !row.signature.fails);
    let rows = rows.map(|row| function(row, Trait::Rows));
    let derivatives = DERIVATIVES.iter();
    let derivatives = derivatives.filter(|row| derived.computed(row.quantity[0]).is_some());
    let derivatives = derivatives.map(|row| function(row, Trait::Derivatives));
    rows.chain(derivatives).collect_vec()
}
