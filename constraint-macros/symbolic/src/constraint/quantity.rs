//! What a constraint can be asked for.

/// What a program can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quantity {
    /// C; 0 in the rows of velocities.
    Value,
    /// J, row by row
    Jacobian,
    /// Ċ, or Φ in the rows of velocities
    Rate,
    /// J̇, row by row
    JacobianDot,
    /// β = C̈ − J v̇
    Bias,
    /// J W Jᵀ, row by row
    Delassus,
    /// λ of (J W Jᵀ) λ = −β − J W f
    Multipliers,
    /// f̂ = Jᵀ λ
    Force,
    /// λ for one particle of mass m
    ParticleMultipliers,
    /// f̂ for one particle of mass m
    ParticleForce,
    /// λ of (J W Jᵀ) λ = b
    Solution,
    /// λ of (J W Jᵀ) λ = −Ċ: the impulses that stop the rows
    Impulses,
    /// λ of (J W Jᵀ) λ = −β
    FreeMultipliers,
}
