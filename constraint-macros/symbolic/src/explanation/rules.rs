//! What the steps of a derivation are called, and the rule that each follows.

/// What a quantity is.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Its name in the texts.
    pub title: &'static str,
    /// What defines it, in plain text; empty where its title says all.
    pub text: &'static str,
    /// The same as LaTeX.
    pub latex: &'static str,
}

/// By the names of the engine's entries.
const RULES: [(&str, &str, &str, &str); 30] = [
    ("value", "Constraint", "C(q, t) = 0", r"C(q, t) = 0"),
    ("constraint", "Constraints", "C(q, t) = 0", r"C(q, t) = 0"),
    (
        "jacobian",
        "Jacobian",
        "J = ∂Ċ/∂v",
        r"J = \partial\dot{C}/\partial v",
    ),
    (
        "rate",
        "Rate of the constraint",
        "Ċ = J v + ∂C/∂t",
        r"\dot{C} = J v + \partial C/\partial t",
    ),
    (
        "jacobian_dot",
        "Rate of the Jacobian",
        "J̇ = dJ/dt",
        r"\dot{J} = \mathrm{d}J/\mathrm{d}t",
    ),
    (
        "bias",
        "Bias",
        "β = C̈ − J v̇",
        r"\beta = \ddot{C} - J \dot{v}",
    ),
    (
        "multipliers",
        "Multipliers",
        "J W Jᵀ λ = −β − J W f",
        r"J W J^\mathsf{T} \lambda = -\beta - J W f",
    ),
    (
        "force",
        "Constraint force",
        "f̂ = Jᵀ λ",
        r"\hat{f} = J^\mathsf{T} \lambda",
    ),
    (
        "particle_force",
        "Constraint force on one particle of mass m",
        "f̂ = Jᵀ λ with W = 1/m",
        r"\hat{f} = J^\mathsf{T} \lambda,\; W = 1/m",
    ),
    (
        "delassus",
        "Delassus matrix",
        "K = J W Jᵀ",
        r"K = J W J^\mathsf{T}",
    ),
    ("arms", "Body-fixed arms", "r = R u", r"r = R u"),
    ("position", "Position", "r(s)", r"r(s)"),
    (
        "tangent",
        "Tangent",
        "r′ = dr/ds",
        r"r' = \mathrm{d}r/\mathrm{d}s",
    ),
    (
        "second_derivative",
        "Second derivative",
        "r″ = d²r/ds²",
        r"r'' = \mathrm{d}^2r/\mathrm{d}s^2",
    ),
    (
        "curvature",
        "Curvature",
        "κ = |r′ × r″|/|r′|³",
        r"\kappa = |r' \times r''|/|r'|^3",
    ),
    (
        "acceleration",
        "Motion of a bead of mass m under the force f",
        "m (r′·r′ s̈ + r′·r″ ṡ²) = r′·f",
        r"m (r' \cdot r' \ddot{s} + r' \cdot r'' \dot{s}^2) = r' \cdot f",
    ),
    ("domain", "Domain", "", ""),
    ("continuity", "Ends and pieces", "", ""),
    ("coordinates", "Coordinates", "q̇ = v", r"\dot{q} = v"),
    ("kinetic_energy", "Kinetic energy", "T", r"T"),
    ("potential_energy", "Potential energy", "V", r"V"),
    (
        "momenta",
        "Momenta",
        "p = ∂L/∂v, L = T − V",
        r"p = \partial L/\partial v,\; L = T - V",
    ),
    (
        "momentum_rates",
        "Rates of the momenta",
        "ṗ = dp/dt",
        r"\dot{p} = \mathrm{d}p/\mathrm{d}t",
    ),
    (
        "lagrangian_slopes",
        "Slopes of the Lagrangian",
        "f = ∂L/∂q",
        r"f = \partial L/\partial q",
    ),
    (
        "closed_acceleration",
        "Acceleration in closed form",
        "v̇ = M⁻¹ h",
        r"\dot{v} = M^{-1} h",
    ),
    (
        "closed_multiplier",
        "Multiplier in closed form",
        "λ = −(β + J M⁻¹ h)/(J M⁻¹ Jᵀ), v̇ = M⁻¹ (h + Jᵀ λ)",
        r"\lambda = -(\beta + J M^{-1} h)/(J M^{-1} J^\mathsf{T}),\; \dot{v} = M^{-1} (h + J^\mathsf{T} \lambda)",
    ),
    (
        "mass_matrix",
        "Mass matrix",
        "M = ∂²T/∂v²",
        r"M = \partial^2 T/\partial v^2",
    ),
    (
        "applied",
        "Applied forces and inertial terms",
        "M v̇ = h + Jᵀ λ",
        r"M \dot{v} = h + J^\mathsf{T} \lambda",
    ),
    ("outputs", "Outputs", "", ""),
    (
        "solver",
        "How v̇ and λ are computed",
        "M v̇ = h + Jᵀ λ, J v̇ = −β",
        r"M \dot{v} = h + J^\mathsf{T} \lambda,\; J \dot{v} = -\beta",
    ),
];

/// That of points, whose velocities are the rates of their coordinates.
const GRADIENT: Rule = Rule {
    title: "Jacobian",
    text: "J = ∂C/∂q",
    latex: r"J = \partial C/\partial q",
};

/// The rule of an entry; of one that has none its name.
pub fn rule(name: &'static str, bodies: bool) -> Rule {
    if name == "jacobian" && !bodies {
        return GRADIENT;
    }
    let found = RULES.iter().find(|it| it.0 == name);
    let &(_, title, text, latex) = found.unwrap_or(&("", name, "", ""));
    Rule { title, text, latex }
}
