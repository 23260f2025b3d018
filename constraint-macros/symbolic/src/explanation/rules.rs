//! Titles of the steps of a derivation, and the rule that each follows.

use super::Subject;
use super::prose::prose;

/// Title and rule of a quantity.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name in the texts.
    pub title: &'static str,
    /// Its definition in plain text; empty if its title suffices.
    pub text: &'static str,
    /// The reason, in a sentence or two with formulas between backticks; empty if the title suffices.
    pub prose: String,
}

/// Name of the engine's entry, title, and rule.
const RULES: [(&str, &str, &str); 31] = [
    ("value", "Constraint", "C(q, t) = 0"),
    ("constraint", "Constraints", "C(q, t) = 0"),
    ("jacobian", "Jacobian", "J = ∂Ċ/∂v"),
    ("rate", "Rate of the constraint", "Ċ = J v + ∂C/∂t"),
    ("jacobian_dot", "Rate of the Jacobian", "J̇ = dJ/dt"),
    ("bias", "Bias", "β = C̈ − J v̇"),
    ("multipliers", "Multipliers", "J W Jᵀ λ = −β − J W f"),
    ("force", "Constraint force", "f̂ = Jᵀ λ"),
    (
        "particle_force",
        "Constraint force on one particle of mass m",
        "f̂ = Jᵀ λ, W = 1/m",
    ),
    ("delassus", "Delassus matrix", "K = J W Jᵀ"),
    ("arms", "Body-fixed arms", "r = R u"),
    ("position", "Position", "r(s)"),
    ("tangent", "Tangent", "r′ = dr/ds"),
    ("second_derivative", "Second derivative", "r″ = d²r/ds²"),
    ("curvature", "Curvature", "κ = |r′ × r″|/|r′|³"),
    (
        "acceleration",
        "Motion of a bead of mass m under the force f",
        "m (r′·r′ s̈ + r′·r″ ṡ²) = r′·f",
    ),
    ("domain", "Domain", ""),
    ("continuity", "Ends and pieces", ""),
    ("coordinates", "Coordinates", "q̇ = v"),
    ("kinetic_energy", "Kinetic energy", "T"),
    ("potential_energy", "Potential energy", "V"),
    ("momenta", "Momenta", "p = ∂L/∂v, L = T − V"),
    ("momentum_rates", "Rates of the momenta", "ṗ = dp/dt"),
    ("lagrangian_slopes", "Slopes of the Lagrangian", "f = ∂L/∂q"),
    (
        "closed_acceleration",
        "Acceleration in closed form",
        "v̇ = M⁻¹ h",
    ),
    (
        "closed_multiplier",
        "Multiplier in closed form",
        "λ = −(β + J M⁻¹ h)/(J M⁻¹ Jᵀ), v̇ = M⁻¹ (h + Jᵀ λ)",
    ),
    ("mass_matrix", "Mass matrix", "M = ∂²T/∂v²"),
    (
        "applied",
        "Applied forces and inertial terms",
        "M v̇ = h + Jᵀ λ",
    ),
    ("outputs", "Outputs", ""),
    (
        "sliding",
        "Normal acceleration while sliding",
        "∂g̈/∂λ = A ∓ μ B",
    ),
    (
        "solver",
        "How v̇ and λ are computed",
        "M v̇ = h + Jᵀ λ, J v̇ = −β",
    ),
];

/// The rule of an entry; without one, its name is the title.
pub fn rule(name: &'static str, subject: &Subject) -> Rule {
    let found = RULES.iter().find(|it| it.0 == name);
    let &(_, title, text) = found.unwrap_or(&("", name, ""));
    let text = match name {
        "jacobian" if !subject.bodies && !subject.velocities => "J = ∂C/∂q",
        "value" | "constraint" if !subject.positions && subject.velocities => "Ċ(q, v, t) = 0",
        "rate" if subject.velocities => "Ċ(q, v, t)",
        "applied" if !subject.is_constrained() => "M v̇ = h",
        "solver" if !subject.is_constrained() => "M v̇ = h",
        "curvature" if subject.plane => "κ = r′ × r″/|r′|³",
        _ => text,
    };
    let title = match name {
        "solver" if !subject.is_constrained() => "How v̇ is computed",
        _ => title,
    };
    let prose = prose(name, subject);
    Rule { title, text, prose }
}
