//! What can be asked of equations of motion and of the rows that constrain it.

/// What a program can be asked for; what a constraint has, a system has under the same name.
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
    /// J W Jᵀ, row by row; of a system as it is solved, rows and W without common factors
    Delassus,
    /// J, then M⁻¹ Jᵀ, of one constraint after the other
    Responses,

    // What they push with.
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
    /// q̇ and v̇ with bodies told in their own frames
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
    /// The part of M that kinetic energies enter, the lower triangle, row by row
    Quadratic,
    /// h
    Applied,
    /// M a
    MassTimes,
    /// M a − h
    InverseDynamics,
    /// The same of a system without rows
    UnconstrainedInverseDynamics,
    /// ∂f̂/∂q, ∂f̂/∂v, ∂f̂/∂w, ∂f̂/∂f and ∂f̂/∂p of a constraint, each row by row
    ForceLinearization,
    /// The same, then that of λ
    ForceLinearizationAndMultipliers,
    /// δf̂ and δλ along (δt, δq, δv, δw, δf, δp)
    ForceTangent,
    /// ∂(f̂*·f̂ + λ*·λ)/∂(t, q, v, w, f, p)
    ForceGradient,
    /// ∂v̇/∂(q, v), ∂v̇/∂u and ∂v̇/∂p, each row by row
    Linearization,
    /// The same, then that of λ
    LinearizationAndMultipliers,
    /// δv̇ and δλ along (δt, δq, δv, δu, δp)
    Tangent,
    /// ∂(v̇*·v̇ + λ*·λ)/∂(t, q, v, u, p)
    Gradient,
    /// `Linearization`, then that of outputs
    LinearizationAndOutputs,
    /// How outputs move along (δt, δq, δv, δu, δp)
    OutputTangent,
    /// ∂(y*·y)/∂(t, q, v, u, p), y the outputs
    OutputGradient,
    /// ∂(w*·G C)/∂(t, q, v, u, p) with G = M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹
    PlaceCorrectionGradient,
    /// The same of w*·G Ċ
    VelocityCorrectionGradient,
    /// What is zero at each corner of the equations, and what that counts in them
    Corners,
    /// The entries of E, A and B of E ẋ = A x + B u, x = (δq, δv, δλ)
    Descriptor,
    /// What the user asks for by name
    Outputs,
    /// Every mass
    Masses,
    /// Every moment of inertia, or entry of its matrix
    Inertias,

    // What is solved at run time: J M⁻¹ Jᵀ, the lower triangle, zeros included, and b
    /// of the equations of motion,
    NormalEquations,
    /// with b in units of force,
    ForceEquations,
    /// with bodies told in their own frames,
    OwnNormalEquations,
    /// of a correction.
    CorrectionEquations,
}
