//! The quantities that programs can compute from equations of motion and the rows that constrain them.

/// A quantity that a program can compute; constraints and systems use the same names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quantity {
    // Rows.
    /// C; 0 in the rows of velocities
    Value,
    /// J, row by row
    Jacobian,
    /// Ċ, or Φ in the rows of velocities
    Rate,
    /// J̇, row by row
    JacobianDot,
    /// β = C̈ − J v̇
    Bias,
    /// Σᵢ |Jᵢ qᵢ| of each row
    RowSizes,
    /// J W Jᵀ, row by row; for a system scaled as in its solution, rows and W without common factors
    Delassus,
    /// J, then M⁻¹ Jᵀ, of one constraint after the other
    Responses,

    // Multipliers and forces.
    /// λ of (J W Jᵀ) λ = −β − J W f
    Multipliers,
    /// Jᵀ λ
    Force,
    /// λ for one particle of mass m
    ParticleMultipliers,
    /// Jᵀ λ for one particle of mass m
    ParticleForce,
    /// λ of (J W Jᵀ) λ = b
    Solution,
    /// λ of (J W Jᵀ) λ = −Ċ: the impulses that stop the rows
    Impulses,
    /// λ of (J W Jᵀ) λ = −β
    FreeMultipliers,
    /// M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ b
    Correction,

    // Motion.
    /// v̇
    Acceleration,
    /// v̇, then λ
    AccelerationAndMultipliers,
    /// v − M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ Ċ, then v̇ at that velocity
    ProjectedMotion,
    /// q̇ and v̇ with bodies in their own frames
    OwnSlope,
    /// M⁻¹ h
    Free,
    /// q̇ = N(q) v
    Kinematics,
    /// T
    KineticEnergy,
    /// V
    PotentialEnergy,
    /// M, row by row
    MassMatrix,
    /// The part of M that enters the kinetic energy, the lower triangle, row by row
    Quadratic,
    /// h
    Applied,
    /// M a
    MassTimes,
    /// M a − h
    InverseDynamics,
    /// M a − h of a system without rows
    UnconstrainedInverseDynamics,
    /// ∂f̂/∂q, ∂f̂/∂v, ∂f̂/∂w, ∂f̂/∂f and ∂f̂/∂p of a constraint, each row by row
    ForceLinearization,
    /// `ForceLinearization`, then that of λ
    ForceLinearizationAndMultipliers,
    /// δf̂ and δλ along (δt, δq, δv, δw, δf, δp)
    ForceTangent,
    /// ∂(f̂*·f̂ + λ*·λ)/∂(t, q, v, w, f, p)
    ForceGradient,
    /// ∂v̇/∂(q, v), ∂v̇/∂u and ∂v̇/∂p, each row by row
    Linearization,
    /// `Linearization`, then that of λ
    LinearizationAndMultipliers,
    /// δv̇ and δλ along (δt, δq, δv, δu, δp)
    Tangent,
    /// ∂(v̇*·v̇ + λ*·λ)/∂(t, q, v, u, p)
    Gradient,
    /// `Linearization`, then that of outputs
    LinearizationAndOutputs,
    /// Variation of the outputs along (δt, δq, δv, δu, δp)
    OutputTangent,
    /// ∂(y*·y)/∂(t, q, v, u, p), y the outputs
    OutputGradient,
    /// ∂(w*·G C)/∂(t, q, v, u, p) with G = M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹
    PlaceCorrectionGradient,
    /// ∂(w*·G Ċ)/∂(t, q, v, u, p)
    VelocityCorrectionGradient,
    /// The function that vanishes at each corner of the equations, and its factor in them
    Corners,
    /// What vanishes, or is not positive, where results are not finite
    Undefined,
    /// The entries of E, A and B of E ẋ = A x + B u, x = (δq, δv, δλ)
    Descriptor,
    /// The outputs that the user declares
    Outputs,
    /// M with respect to the velocities that users see, row by row
    JointSpaceInertia,
    /// ∂ẏ/∂v of the outputs y, row by row
    OutputJacobian,
    /// ÿ at v̇ = 0 of the outputs y
    OutputBias,
    /// Gaps of the rows of one side, then zeros for slips
    Gaps,
    /// The sizes of the terms of gaps, then zeros for slips
    GapSizes,
    /// Rates of gaps, then slips
    SideRates,
    /// Their derivatives with respect to the velocities, row by row
    SideJacobian,
    /// Their derivatives at v̇ = 0
    SideBias,
    /// The restitution of each gap, then the friction of each slip
    Coefficients,
    /// M⁻¹ Gᵀ of the rows G of one side, with the constraints held, row by row
    SideResponses,
    /// λ of the constraints under a unit force on each row of one side, row by row
    SideReactions,
    /// ∂g̈/∂λ of each gap with friction while it slides forward, then backward: A − μ B, A + μ B
    Sliding,
    /// The gradient of a weighted sum of gaps
    GapsGradient,
    /// The gradient of a weighted sum of rates of gaps and of slips
    SideRatesGradient,
    /// The gradient of a weighted sum of their accelerations
    SideAccelerationsGradient,
    /// The gradient of a weighted sum of coefficients
    CoefficientsGradient,
    /// The gradient of weighted sums of v̇ and λ, as forces on rows of one side cause them
    SideResponsesGradient,
    /// Y of M a − h = Y θ + …, row by row
    Regressor,
    /// θ
    InertialParameters,
    /// K of Y θ = Y_base K θ, row by row
    BaseMatrix,
    /// Every mass
    Masses,
    /// Every moment of inertia, or entry of its matrix
    Inertias,

    // Equations that are solved at run time: J M⁻¹ Jᵀ, the lower triangle, zeros included,
    /// of which the pseudo-inverse is found,
    NormalMatrix,
    // and b
    /// of the equations of motion,
    NormalEquations,
    /// with b in units of force,
    ForceEquations,
    /// with bodies in their own frames,
    OwnNormalEquations,
    /// of a correction.
    CorrectionEquations,
}
