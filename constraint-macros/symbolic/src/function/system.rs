//! The functions of a system.

use proc_macro2::Ident;

use super::Argument::{
    AccelerationAdjoint, Accelerations, Coordinates, CorrectionAdjoint, Entries, MultiplierAdjoint,
    Multipliers, OutputAdjoint, RightHandSide, SideAdjoint, SideForces, Tangent, Time, Velocities,
};
use super::leaves::{Names, Unique, local};
use super::loops::{self, Kernels, Loops};
use super::{Argument, Body, Dimension, Function, Record, Row, Shape, Trait, counted, row, solved};
use crate::expr::{CollectVec, Set, SymbolId};
use crate::model::{Role, System};
use crate::system::{Derived, Quantity, Routine, Solution};

const NONE: &[Argument] = &[];
const Q: &[Argument] = &[Time, Coordinates];
const QV: &[Argument] = &[Time, Coordinates, Velocities];
const QA: &[Argument] = &[Time, Coordinates, Accelerations];
const QVA: &[Argument] = &[Time, Coordinates, Velocities, Accelerations];
const QB: &[Argument] = &[Time, Coordinates, RightHandSide];
const ALONG: &[Argument] = &[Time, Coordinates, Velocities, Tangent];
const BACK: &[Argument] = &[
    Time,
    Coordinates,
    Velocities,
    AccelerationAdjoint,
    MultiplierAdjoint,
];

const LINEAR: &[Argument] = &[
    Time,
    Coordinates,
    Velocities,
    Accelerations,
    Multipliers,
    Entries,
];

const OF_PLACE: &[Argument] = &[Time, Coordinates, CorrectionAdjoint];
const OF_OUTPUTS: &[Argument] = &[Time, Coordinates, Velocities, OutputAdjoint];
const OF_GAPS: &[Argument] = &[Time, Coordinates, SideAdjoint];
const OF_SLIPS: &[Argument] = &[Time, Coordinates, Velocities, SideAdjoint];
const OF_SIDES: &[Argument] = &[Time, Coordinates, Velocities, Accelerations, SideAdjoint];
const OF_RESPONSES: &[Argument] = &[
    Time,
    Coordinates,
    SideForces,
    AccelerationAdjoint,
    MultiplierAdjoint,
];
const OF_VELOCITY: &[Argument] = &[Time, Coordinates, Velocities, CorrectionAdjoint];

const ROWS: Shape = Shape::Vector(Dimension::Rows);
const PLACES: Shape = Shape::Vector(Dimension::Coordinates);
const MOTION: Shape = Shape::Vector(Dimension::Velocities);
const NUMBER: Shape = Shape::Scalar;
const OUTPUT_JACOBIAN: Shape = Shape::Matrix(Dimension::Outputs, Dimension::Velocities);
const MASSES: Shape = Shape::Matrix(Dimension::Velocities, Dimension::Velocities);
const JACOBIAN: Shape = Shape::Matrix(Dimension::Rows, Dimension::Velocities);
const SIDES: Shape = Shape::Vector(Dimension::Sides);
const SIDE_JACOBIAN: Shape = Shape::Matrix(Dimension::Sides, Dimension::Velocities);
const RESPONSES: Shape = Shape::Matrix(Dimension::Velocities, Dimension::Sides);
const REACTIONS: Shape = Shape::Matrix(Dimension::Rows, Dimension::Sides);
const REGRESSOR: Shape = Shape::Matrix(Dimension::Velocities, Dimension::Inertial);
const INERTIAL: Shape = Shape::Vector(Dimension::Inertial);
const BASE: Shape = Shape::Matrix(Dimension::Base, Dimension::Inertial);
const SLOPE: Shape = Shape::Tuple(&[PLACES, MOTION]);
const BOTH: Shape = Shape::Tuple(&[MOTION, ROWS]);
/// The matrices of derivatives by (q, v), u and p.
macro_rules! linearization {
    ($rows:ident) => {
        Shape::Record(&Record {
            name: "Linearization",
            sizes: &[
                Dimension::$rows,
                Dimension::States,
                Dimension::Inputs,
                Dimension::Parameters,
            ],
            fields: &[
                ("a", Shape::Matrix(Dimension::$rows, Dimension::States)),
                ("b", Shape::Matrix(Dimension::$rows, Dimension::Inputs)),
                ("p", Shape::Matrix(Dimension::$rows, Dimension::Parameters)),
            ],
        })
    };
}

const LINEARIZATION: Shape = linearization!(Velocities);
const WITH_MULTIPLIERS: Shape = Shape::Tuple(&[LINEARIZATION, linearization!(Rows)]);
const WITH_OUTPUTS: Shape = Shape::Tuple(&[LINEARIZATION, linearization!(Outputs)]);
/// The struct of a tangent and of a gradient.
pub const GRADIENT: &str = "Tangent";

/// δt, δq, δv, δu and δp, or a gradient by these.
pub const TANGENT: Shape = Shape::Record(&Record {
    name: GRADIENT,
    sizes: &[
        Dimension::Velocities,
        Dimension::Inputs,
        Dimension::Parameters,
    ],
    fields: &[
        ("t", NUMBER),
        ("q", MOTION),
        ("v", MOTION),
        ("u", Shape::Vector(Dimension::Inputs)),
        ("p", Shape::Vector(Dimension::Parameters)),
    ],
});
const PROJECTED: Shape = Shape::Tuple(&[MOTION, MOTION]);
const NOTHING: Shape = Shape::Tuple(&[]);

/// A function that integrators call if the system has it.
pub const PROJECTED_MOTION: &str = "projected_motion";

/// All functions, in the order of the documentation, and M and h, which the traits compute from other functions.
pub const TABLE: [Row<Quantity>; 51] = {
    use Quantity as Of;
    const WITH_ROWS: &str = "acceleration_and_multipliers";
    const ALONE: &str = "unconstrained_inverse_dynamics";
    const CORRECTION: &str = "M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ b";
    const AND_THERE: &str = "v − M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ Ċ, v̇";
    const OWN: &str = "q̇ and v̇ with bodies in their own frames";
    const SLOPES: &str = "∂v̇/∂(q, v), ∂v̇/∂u, ∂v̇/∂p";
    const SLOPES_BESIDE: &str = "∂(v̇, λ)/∂(q, v), ∂(v̇, λ)/∂u, ∂(v̇, λ)/∂p";
    const SLOPES_TOLD: &str = "∂(v̇, y)/∂(q, v), ∂(v̇, y)/∂u, ∂(v̇, y)/∂p, y the outputs";
    const SIDE_RATES: &str = "rates of gaps, and slips";
    const SIDE_BIAS: &str = "d/dt of gaps' rates and of slips at v̇ = 0";
    const RESPONDED: &str = "∂v̇/∂λ of the gaps and slips";
    const PAIR: &str = "E, A and B of E ẋ = A x + B u";
    const GRADIENT: &str = "the gradient of v̇*·v̇ + λ*·λ by t, q, v, u and p";
    const TOLD_GRADIENT: &str = "the gradient of y*·y by t, q, v, u and p, y the outputs";
    const TO_PLACE: &str = "the gradient of w*·w by t, q and p, w the correction of C";
    const TO_VELOCITY: &str = "the gradient of w*·w by t, q, v and p, w the correction of Ċ";
    [
        solved("acceleration", "v̇", QV, MOTION, Of::Acceleration),
        solved("multipliers", "λ", QV, ROWS, Of::Multipliers),
        solved(WITH_ROWS, "v̇, λ", QV, BOTH, Of::AccelerationAndMultipliers),
        solved("constraint_force", "Jᵀ λ", QV, MOTION, Of::Force),
        row("constraint", "C", Q, ROWS, Of::Value),
        counted(row("constraint_rate", "Ċ", QV, ROWS, Of::Rate)),
        row("jacobian", "J", Q, JACOBIAN, Of::Jacobian),
        counted(row("row_sizes", "Σᵢ |Jᵢ qᵢ|", Q, ROWS, Of::RowSizes)),
        row("bias", "β", QV, ROWS, Of::Bias),
        solved("correction", CORRECTION, QB, MOTION, Of::Correction),
        solved(
            PROJECTED_MOTION,
            AND_THERE,
            QV,
            PROJECTED,
            Of::ProjectedMotion,
        ),
        row("kinetic_energy", "T", QV, NUMBER, Of::KineticEnergy),
        row("potential_energy", "V", Q, NUMBER, Of::PotentialEnergy),
        row("mass_matrix", "M", Q, MASSES, Of::MassMatrix),
        row("applied", "h", QV, MOTION, Of::Applied),
        solved("free_acceleration", "M⁻¹ h", QV, MOTION, Of::Free),
        counted(row("mass_times", "M a", QA, MOTION, Of::MassTimes)),
        solved(
            "inverse_dynamics",
            "M a − h",
            QVA,
            MOTION,
            Of::InverseDynamics,
        ),
        solved(
            ALONE,
            "M a − h",
            QVA,
            MOTION,
            Of::UnconstrainedInverseDynamics,
        ),
        counted(row("kinematics", "q̇", QV, PLACES, Of::Kinematics)),
        solved("own_slope", OWN, QV, SLOPE, Of::OwnSlope),
        solved("outputs", "outputs", QV, Shape::Outputs, Of::Outputs),
        solved("linearize", SLOPES, QV, LINEARIZATION, Of::Linearization),
        solved(
            "linearize_with_multipliers",
            SLOPES_BESIDE,
            QV,
            WITH_MULTIPLIERS,
            Of::LinearizationAndMultipliers,
        ),
        solved("jvp", "δv̇, δλ", ALONG, BOTH, Of::Tangent),
        solved("vjp", GRADIENT, BACK, TANGENT, Of::Gradient),
        solved(
            "place_correction_vjp",
            TO_PLACE,
            OF_PLACE,
            TANGENT,
            Of::PlaceCorrectionGradient,
        ),
        solved(
            "velocity_correction_vjp",
            TO_VELOCITY,
            OF_VELOCITY,
            TANGENT,
            Of::VelocityCorrectionGradient,
        ),
        solved(
            "linearize_with_outputs",
            SLOPES_TOLD,
            QV,
            WITH_OUTPUTS,
            Of::LinearizationAndOutputs,
        ),
        solved(
            "outputs_jvp",
            "δ outputs",
            ALONG,
            Shape::Outputs,
            Of::OutputTangent,
        ),
        solved(
            "outputs_vjp",
            TOLD_GRADIENT,
            OF_OUTPUTS,
            TANGENT,
            Of::OutputGradient,
        ),
        counted(row(
            "output_jacobian",
            "∂ẏ/∂v, y the outputs",
            Q,
            OUTPUT_JACOBIAN,
            Of::OutputJacobian,
        )),
        counted(row(
            "output_bias",
            "ÿ at v̇ = 0, y the outputs",
            QV,
            Shape::Outputs,
            Of::OutputBias,
        )),
        counted(row(
            "joint_space_inertia",
            "M",
            Q,
            MASSES,
            Of::JointSpaceInertia,
        )),
        counted(row("descriptor", PAIR, LINEAR, NOTHING, Of::Descriptor)),
        counted(row("regressor", "Y", QVA, REGRESSOR, Of::Regressor)),
        counted(row(
            "inertial_parameters",
            "θ",
            NONE,
            INERTIAL,
            Of::InertialParameters,
        )),
        counted(row("base_matrix", "K", NONE, BASE, Of::BaseMatrix)),
        counted(row("gaps", "gaps", Q, SIDES, Of::Gaps)),
        counted(row(
            "gap_sizes",
            "Σ |terms of a gap|",
            Q,
            SIDES,
            Of::GapSizes,
        )),
        counted(row("one_sided_rates", SIDE_RATES, QV, SIDES, Of::SideRates)),
        counted(row(
            "one_sided_jacobian",
            "G of the gaps and slips",
            Q,
            SIDE_JACOBIAN,
            Of::SideJacobian,
        )),
        counted(row("one_sided_bias", SIDE_BIAS, QV, SIDES, Of::SideBias)),
        counted(row(
            "contact_coefficients",
            "restitution and friction",
            Q,
            SIDES,
            Of::Coefficients,
        )),
        solved(
            "one_sided_responses",
            RESPONDED,
            Q,
            RESPONSES,
            Of::SideResponses,
        ),
        solved(
            "one_sided_reactions",
            "∂λ/∂λ of the gaps and slips",
            Q,
            REACTIONS,
            Of::SideReactions,
        ),
        counted(row(
            "gaps_vjp",
            "the gradient of a sum of gaps",
            OF_GAPS,
            TANGENT,
            Of::GapsGradient,
        )),
        counted(row(
            "one_sided_rates_vjp",
            "the gradient of a sum of rates of gaps and of slips",
            OF_SLIPS,
            TANGENT,
            Of::SideRatesGradient,
        )),
        counted(row(
            "one_sided_accelerations_vjp",
            "the gradient of a sum of their derivatives at v̇ = a",
            OF_SIDES,
            TANGENT,
            Of::SideAccelerationsGradient,
        )),
        counted(row(
            "contact_coefficients_vjp",
            "the gradient of a sum of restitution and friction",
            OF_GAPS,
            TANGENT,
            Of::CoefficientsGradient,
        )),
        solved(
            "one_sided_responses_vjp",
            "the gradient of v̇*·v̇ + λ*·λ, as forces on gaps and slips move them",
            OF_RESPONSES,
            TANGENT,
            Of::SideResponsesGradient,
        ),
    ]
};

/// The rows that are methods of a trait.
pub fn methods(of_trait: Trait) -> impl Iterator<Item = &'static Row<Quantity>> {
    TABLE.iter().filter(move |row| {
        let is_method = !matches!(row.quantity, Quantity::MassMatrix | Quantity::Applied);
        is_method && trait_of(row.quantity) == of_trait
    })
}

/// The documented name of a function: users call `inverse_dynamics` with and without rows.
pub fn documented(name: &'static str) -> &'static str {
    name.trim_start_matches("unconstrained_")
}

/// The trait of a quantity.
pub fn trait_of(quantity: Quantity) -> Trait {
    match quantity {
        Quantity::Outputs => Trait::Outputs,
        Quantity::Descriptor => Trait::Descriptor,
        Quantity::Gaps
        | Quantity::GapSizes
        | Quantity::SideRates
        | Quantity::SideJacobian
        | Quantity::SideBias
        | Quantity::Coefficients
        | Quantity::SideResponses
        | Quantity::SideReactions => Trait::OneSided,
        Quantity::GapsGradient
        | Quantity::SideRatesGradient
        | Quantity::SideAccelerationsGradient
        | Quantity::CoefficientsGradient
        | Quantity::SideResponsesGradient => Trait::OneSidedDerivatives,
        Quantity::OutputJacobian | Quantity::OutputBias | Quantity::JointSpaceInertia => {
            Trait::TaskSpace
        }
        Quantity::Regressor | Quantity::InertialParameters | Quantity::BaseMatrix => {
            Trait::Regressor
        }
        Quantity::Linearization
        | Quantity::LinearizationAndMultipliers
        | Quantity::Tangent
        | Quantity::Gradient
        | Quantity::PlaceCorrectionGradient
        | Quantity::VelocityCorrectionGradient => Trait::Derivatives,
        Quantity::LinearizationAndOutputs | Quantity::OutputTangent | Quantity::OutputGradient => {
            Trait::OutputDerivatives
        }
        Quantity::Multipliers
        | Quantity::AccelerationAndMultipliers
        | Quantity::Force
        | Quantity::Value
        | Quantity::Rate
        | Quantity::Jacobian
        | Quantity::RowSizes
        | Quantity::Bias
        | Quantity::Correction
        | Quantity::ProjectedMotion
        | Quantity::Free
        | Quantity::InverseDynamics => Trait::Rows,
        _ => Trait::Motion,
    }
}

/// Names of the arguments.
const ARGUMENTS: [(Argument, &str); 14] = [
    (Time, "t"),
    (Coordinates, "q"),
    (Velocities, "v"),
    (RightHandSide, "b"),
    (Accelerations, "a"),
    (Tangent, "tangent"),
    (AccelerationAdjoint, "v_dot_bar"),
    (MultiplierAdjoint, "lambda_bar"),
    (CorrectionAdjoint, "w_bar"),
    (OutputAdjoint, "outputs_bar"),
    (SideForces, "contact_forces"),
    (SideAdjoint, "sides_bar"),
    (Multipliers, "lambda"),
    (Entries, "entry"),
];

/// Names that differ from each other and from those of loops.
pub fn names(system: &System) -> Names {
    let model = &system.model;
    let mut unique = Unique::excluding(loops::reserved());
    let symbols = model.symbols.iter();
    let leaves = symbols.map(|symbol| unique.leaf(model, symbol.role, &symbol.name));
    let leaves: Vec<Ident> = leaves.collect_vec();
    let time = model.symbols.iter().position(|s| s.role == Role::Time);
    let requested = system.options.derivatives.is_some();
    let arguments = ARGUMENTS.iter();
    let arguments = arguments.filter(|it| requested || !matches!(it.0, Multipliers | Entries));
    let touches = requested && system.options.one_sided.is_some();
    let arguments = arguments.filter(|it| touches || !matches!(it.0, SideForces | SideAdjoint));
    let arguments = arguments.map(|&(argument, name)| (argument, local(&unique.name(name))));
    let mut arguments: Vec<(Argument, Ident)> = arguments.collect_vec();
    if let Some(time) = time {
        arguments[0].1 = leaves[time].clone();
    }
    Names {
        leaves,
        arguments,
        ..Names::default()
    }
}

/// The names of parameters, arguments and arrays, which no leaf of a loop may have.
fn reserved(names: &Names, system: &System) -> Set<String> {
    let symbols = system.model.symbols.iter().zip(&names.leaves);
    let outside = |role: Role| matches!(role, Role::Parameter { .. } | Role::Time | Role::Input(_));
    let leaves = symbols.filter(|(symbol, _)| outside(symbol.role));
    let leaves = leaves.map(|(_, leaf)| leaf);
    let arguments = names.arguments.iter().map(|(_, name)| name);
    let names = leaves.chain(arguments).map(Ident::to_string);
    names.chain(loops::reserved()).collect()
}

/// The functions of a system.
pub fn functions<'a>(derived: &'a Derived, names: &Names) -> Vec<Function<'a>> {
    functions_among(derived, names, &|_| true)
}

/// The functions for which `among` holds.
pub fn functions_among<'a>(
    derived: &'a Derived,
    names: &Names,
    is_among: &dyn Fn(&str) -> bool,
) -> Vec<Function<'a>> {
    let leaf = |symbol: SymbolId| names.leaf(symbol);
    let system = &derived.system;
    let kernels = Kernels::new(&system.model, &leaf, reserved(names, system));
    let written =
        |row: &&Row<Quantity>| is_among(row.signature.name) && is_written(derived, row.quantity);
    let function = |row: &Row<Quantity>| Function {
        signature: row.signature,
        symbol: row.symbol,
        of_trait: trait_of(row.quantity),
        body: body(derived, &leaf, &kernels, row.quantity),
    };
    TABLE.iter().filter(written).map(function).collect_vec()
}

/// The loops over the parameters that must be positive.
pub fn checks<'a>(system: &System, names: &Names, routine: &'a Routine) -> Loops<'a> {
    let leaf = |symbol: SymbolId| names.leaf(symbol);
    let kernels = Kernels::new(&system.model, &leaf, reserved(names, system));
    Loops::of_each(routine, &kernels)
}

/// The loops over the rows that impulses are swept through, for a system in loops.
pub fn responses<'a>(derived: &'a Derived, names: &Names) -> Option<Loops<'a>> {
    let routine = derived.routine(Quantity::Responses)?;
    Some(checks(&derived.system, names, routine))
}

/// True if the function must be written, because the trait has no default for it.
fn is_written(derived: &Derived, quantity: Quantity) -> bool {
    match quantity {
        _ if trait_of(quantity) == Trait::Rows && derived.rows() == 0 => false,
        // By default the trait computes M from M a, and h from M a − h.
        Quantity::MassMatrix | Quantity::Applied => false,
        Quantity::Descriptor => derived.descriptor.is_some(),
        Quantity::Kinematics => !derived.system.model.bodies.is_empty(),
        Quantity::UnconstrainedInverseDynamics => derived.rows() == 0,
        Quantity::OwnSlope | Quantity::Outputs => is_derived(derived, quantity),
        _ if matches!(
            trait_of(quantity),
            Trait::Derivatives
                | Trait::OutputDerivatives
                | Trait::TaskSpace
                | Trait::Regressor
                | Trait::OneSided
                | Trait::OneSidedDerivatives
        ) =>
        {
            is_derived(derived, quantity)
        }
        // Inputs at the new velocities are not known in advance, and multipliers of rows that may be redundant are
        // solved for at run time.
        Quantity::ProjectedMotion => {
            derived.system.inputs.is_empty() && is_derived(derived, quantity)
        }
        _ => true,
    }
}

/// True if there are expressions or loops for the quantity.
fn is_derived(derived: &Derived, quantity: Quantity) -> bool {
    derived.routine(quantity).is_some() || !derived.expressions(quantity).is_empty()
}

fn body<'a>(
    derived: &'a Derived,
    leaf: &dyn Fn(SymbolId) -> String,
    kernels: &Kernels<'a, '_>,
    quantity: Quantity,
) -> Body<'a> {
    let straight = |quantity| derived.program(&[quantity], leaf);
    if let (Quantity::Descriptor, Some(routine)) = (quantity, &derived.descriptor) {
        return Body::Loops(Loops::of_each(routine, kernels));
    }
    match (derived.routine(quantity), &derived.solution) {
        (Some(routine), Solution::Rolled(rolled)) => {
            Body::Loops(Loops::new(rolled, routine, kernels))
        }
        (Some(routine), Solution::Unrolled(_)) => Body::Loops(Loops::of_each(routine, kernels)),
        (None, _) => match derived.normal(quantity) {
            Some(equations) => Body::LeastSquares {
                equations: straight(equations),
                rest: straight(quantity),
            },
            None => Body::Straight(straight(quantity)),
        },
    }
}
