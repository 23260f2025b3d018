//! Sentences on each step: the rule, and why it holds.

use super::Subject;

/// The sentences on an entry, formulas between backticks; empty if the title suffices.
pub fn prose(name: &str, subject: &Subject) -> String {
    let text = match name {
        "jacobian_dot" => "`J` is differentiated along the motion, where `q̇ = v`.",
        "bias" => BIAS,
        "multipliers" => MULTIPLIERS,
        "force" => {
            "The force that keeps the motion on the constraint. A positive `λ` pushes towards increasing `C`."
        }
        "particle_force" => {
            "All coordinates have the inverse mass `W = 1/m`. Multiplied by `m`, the equations for `λ` are `J Jᵀ λ = −m β − J f`."
        }
        "delassus" => {
            "`K` relates multipliers to accelerations: a change of `λ` by `d` changes `C̈` by `K d`."
        }
        "arms" => "A vector `u` fixed in a body turns with it: `r = R u`, and its rate is `ω × r`.",
        "position" => "Each value of `s` is a point of the curve.",
        "tangent" => "A bead on the curve has the velocity `r′ ṡ`.",
        "second_derivative" => {
            "Differentiating once more gives the acceleration of the bead: `r′ s̈ + r″ ṡ²`."
        }
        "curvature" if subject.plane => {
            "The reciprocal of the radius of the circle that fits the curve best, positive where the curve turns left."
        }
        "curvature" => "The reciprocal of the radius of the circle that fits the curve best.",
        "acceleration" => {
            "The curve pushes at right angles to its tangent. Newton's law along `r′` is therefore free of that force."
        }
        "potential_energy" => "The sum of all potentials, gravity included.",
        "momentum_rates" => {
            "By the chain rule along the motion: coordinates change at the rate `v`, velocities at the rate `v̇`."
        }
        "mass_matrix" => {
            "The coefficients of `v̇` in `ṗ` are the second derivatives of `T`. They form the symmetric mass matrix."
        }
        "closed_acceleration" => "One equation with one unknown: divide by `M`.",
        "closed_multiplier" => {
            "Insert `v̇` from the equations of motion into `J v̇ + β = 0` and solve for `λ`."
        }
        "sliding" => {
            "`A` is the acceleration of a gap by a force of 1 on it, `B` by one along its slip, with all other contacts \
             open. Friction is `∓μ λ` while it slides forward or backward. Where `A ∓ μ B` is not positive, Coulomb's law \
             of rigid bodies allows several motions or none (Painlevé)."
        }
        "outputs" => "The quantities that the system declares as outputs.",
        "coordinates" => {
            "These numbers determine the position of everything. Their rates are the velocities `v`."
        }
        "value" | "constraint" => return constraints(name, subject),
        "rate" | "jacobian" => return by_the_chain_rule(name, subject),
        "kinetic_energy" => return kinetic(subject),
        "momenta" => return lagrange(subject),
        "lagrangian_slopes" => return slopes(subject),
        "applied" => return applied(subject),
        "solver" => return solver(subject),
        _ => "",
    };
    text.to_owned()
}

const BIAS: &str = "Differentiating `Ċ = 0` shows which accelerations are allowed: `J v̇ + β = 0`. `β` contains all terms without `v̇`.";

const MULTIPLIERS: &str = "The constraint does no virtual work (d'Alembert), so its force is a combination of the rows \
                           of `J`: `Jᵀ λ`. Newton's law `v̇ = W (f + Jᵀ λ)`, where `W` contains the inverse masses, turns \
                           `J v̇ + β = 0` into equations for `λ`.";

fn constraints(name: &str, subject: &Subject) -> String {
    let text = match (subject.positions, subject.velocities) {
        (_, false) if name == "value" => {
            "Every position that the constraint allows satisfies `C = 0`."
        }
        (_, false) => "Every position that the constraints allow satisfies `C = 0`.",
        (false, true) => {
            "The condition is on velocities and leaves all positions free, so there is no `C`. It is `Ċ = 0`."
        }
        (true, true) => {
            "Every position that the constraints allow satisfies `C = 0`. Rows that relate velocities leave all \
             positions free; their `C` is 0."
        }
    };
    text.to_owned()
}

fn by_the_chain_rule(name: &str, subject: &Subject) -> String {
    let text = match (name, subject.velocities, subject.bodies) {
        ("rate", true, _) => {
            "As long as the constraints hold, their rates vanish: `Ċ = 0`. For rows that relate velocities, \
                              `Ċ` is that relation."
        }
        ("rate", false, _) => "As long as `C` stays 0, so does its rate: `Ċ = 0`.",
        (_, true, _) | (_, _, true) => "The coefficients of the velocities in `Ċ`.",
        _ => "Row by row the gradient of `C`: the direction in which `C` increases fastest.",
    };
    text.to_owned()
}

fn kinetic(subject: &Subject) -> String {
    let sum = match (subject.particles, subject.bodies || subject.posed) {
        (true, true) => {
            "The sum of `m |v|²/2` over the particles and of `m |v|²/2 + ω · I ω/2` over the bodies"
        }
        (false, true) => "The sum of `m |v|²/2 + ω · I ω/2` over the bodies",
        (true, false) => "The sum of `m |v|²/2` over the particles",
        (false, false) => return "The kinetic energy that the system declares.".to_owned(),
    };
    let declared = if subject.kinetic {
        ", and the terms that the system declares"
    } else {
        ""
    };
    let rule = if subject.placed {
        " The velocities follow from the positions by the chain rule."
    } else {
        ""
    };
    format!("{sum}{declared}.{rule}")
}

/// ∂L/∂q and all other forces: the right-hand side of ṗ.
fn sides(subject: &Subject) -> String {
    let others = if subject.forces { " + Q" } else { "" };
    let constrained = if subject.is_constrained() {
        " + Jᵀ λ"
    } else {
        ""
    };
    format!("∂L/∂q{others}{constrained}")
}

fn lagrange(subject: &Subject) -> String {
    let forces = if subject.forces {
        ", where `Q` are the forces without a potential"
    } else {
        ""
    };
    let work = if subject.is_constrained() {
        " The constraints do no virtual work (d'Alembert), so their force is a combination of the rows of `J`: `Jᵀ λ`."
    } else {
        ""
    };
    let equations = sides(subject);
    format!(
        "Lagrange's equations are `ṗ = {equations}`{forces}. They begin with the momenta.{work}"
    )
}

fn slopes(subject: &Subject) -> String {
    format!(
        "The other side of Lagrange's equations: `ṗ = {}`.",
        sides(subject)
    )
}

fn applied(subject: &Subject) -> String {
    let law = match subject.is_constrained() {
        true => "M v̇ = h + Jᵀ λ",
        false => "M v̇ = h",
    };
    format!(
        "All terms without `v̇` go to the right-hand side. Lagrange's equations then read `{law}`."
    )
}

fn solver(subject: &Subject) -> String {
    if subject.is_constrained() {
        "Linear equations for `v̇` and `λ`. Eliminating `v̇` leaves `J M⁻¹ Jᵀ λ = −β − J M⁻¹ h`."
            .to_owned()
    } else {
        "Linear equations for `v̇`.".to_owned()
    }
}
