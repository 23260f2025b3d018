//! Forces, energies and outputs.

use crate::number::{Angle, number, rounded};
use crate::robot::{Actuator, At, Base};

use super::Writer;

impl Writer<'_> {
    /// Everything that acts.
    pub(super) fn actions(&mut self) {
        self.line("");
        for k in 0..self.robot.coordinates.len() {
            self.forces_at(k);
        }
        for k in 0..self.robot.tendons.len() {
            self.forces_along(k);
        }
        for k in 0..self.robot.links.len() {
            self.resistance(k);
        }
        let [x, y, z] = self.robot.gravity;
        if [x, y, z] == [0.0; 3] {
            return;
        }
        let line = if x == 0.0 && y == 0.0 && z < 0.0 {
            "gravity [0, 0, -g];"
        } else {
            "gravity g;"
        };
        self.line(line);
    }

    fn forces_at(&mut self, k: usize) {
        let coordinate = &self.robot.coordinates[k];
        let q = self.coordinates[k].clone();
        let driven = self.driven(&q, At::Joint(k), coordinate.force_range);
        self.forces(&q, driven, coordinate.friction, coordinate.damping);
        self.spring(&q, coordinate.spring);
        if coordinate.armature != 0.0 {
            let armature = self.quantity(&format!("{q}_armature"), coordinate.armature);
            self.line(&format!("kinetic {armature}/2*velocity({q})^2;"));
        }
    }

    fn forces_along(&mut self, k: usize) {
        let tendon = &self.robot.tendons[k];
        let length = self.tendons[k].clone();
        let driven = self.driven(&length, At::Tendon(k), tendon.force_range);
        self.forces(&length, driven, tendon.friction, tendon.damping);
        let spring = tendon.spring.map(|(k, rest)| (k, Angle::radians(rest)));
        self.spring(&length, spring);
    }

    /// The forces of all actuators at a length; of a limited sum one term.
    fn driven(&self, q: &str, at: At, range: Option<[f64; 2]>) -> Vec<String> {
        let here = match at {
            At::Joint(k) => &self.at_joints[k],
            At::Tendon(k) => &self.at_tendons[k],
        };
        // The range of a tendon is one of forces before the gear, which all its actuators share.
        let first = here.first().map(|&k| self.robot.actuators[k].gear);
        let common = first.filter(|_| range.is_some() && matches!(at, At::Tendon(_)));
        let terms = here.iter().map(|&k| {
            let actuator = &self.robot.actuators[k];
            let force = if common.is_some() {
                before_gear
            } else {
                driven
            };
            force(actuator, &self.inputs[k], q)
        });
        let terms: Vec<String> = terms.collect();
        match range {
            Some(range) if !terms.is_empty() => {
                vec![times(common.unwrap_or(1.0), &clamped(&sum(&terms), range))]
            }
            _ => terms,
        }
    }

    /// What acts on a length: actuators, dry friction, damping −(d₀ + d₁ |v| + d₂ v²) v.
    fn forces(
        &mut self,
        q: &str,
        mut terms: Vec<String>,
        friction: f64,
        [damping, quadratic, cubic]: [f64; 3],
    ) {
        let rate = format!("velocity({q})");
        for (name, by, what) in [
            ("friction", friction, format!("tanh({rate}/slip_rate)")),
            (
                "quadratic_damping",
                quadratic,
                format!("abs({rate})*{rate}"),
            ),
            ("cubic_damping", cubic, format!("{rate}^3")),
        ] {
            if by != 0.0 {
                let by = self.quantity(&format!("{q}_{name}"), by);
                terms.push(format!("{}*{what}", negative(&by)));
            }
        }
        if !terms.is_empty() {
            self.line(&format!("force {q}: {};", sum(&terms)));
        }
        if damping != 0.0 {
            let damping = self.quantity(&format!("{q}_damping"), damping);
            self.line(&format!("dissipation {damping}/2*{rate}^2;"));
        }
    }

    /// The energy of −(k₀ + k₁ x + k₂ x²) x.
    fn spring(&mut self, q: &str, spring: Option<([f64; 3], Angle)>) {
        let Some((stiffness, rest)) = spring else {
            return;
        };
        let stretch = difference(q, rest, self.options.exact_numbers);
        let mut terms = Vec::new();
        for (k, prefix) in ["", "quadratic_", "cubic_"].into_iter().enumerate() {
            if stiffness[k] != 0.0 {
                let by = self.quantity(&format!("{q}_{prefix}stiffness"), stiffness[k]);
                terms.push(format!("{by}/{power}*{stretch}^{power}", power = k + 2));
            }
        }
        self.line(&format!("potential {};", sum(&terms)));
    }

    /// What acts on the six coordinates of a link that moves freely.
    fn resistance(&mut self, k: usize) {
        let link = &self.robot.links[k];
        let resistance = link.resistance;
        if link.base != Base::Free {
            return;
        }
        let name = self.links[k].clone();
        let velocity = format!("velocity(at({name}, [0, 0, 0]))");
        let squares =
            format!("(norm_squared({velocity}) + norm_squared(angular_velocity({name})))");
        for (statement, what, by) in [
            ("dissipation", "damping", resistance.damping),
            ("kinetic", "armature", resistance.armature),
        ] {
            if by != 0.0 {
                let by = self.quantity(&format!("{name}_{what}"), by);
                self.line(&format!("{statement} {by}/2*{squares};"));
            }
        }
        if resistance.friction == 0.0 {
            return;
        }
        let most = self.quantity(&format!("{name}_friction"), resistance.friction);
        let along = ["x", "y", "z"].map(|axis| format!("{velocity}.{axis}"));
        let about = ["[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]"]
            .map(|axis| format!("dot(angular_velocity({name}), dir({name}, {axis}))"));
        for rate in [along, about].concat() {
            let force = format!("{}*tanh({rate}/slip_rate)", negative(&most));
            self.line(&format!("force {rate}: {force};"));
        }
    }

    /// Outputs of the links at the ends of the tree, or of all links for a comparison.
    pub(super) fn outputs(&mut self, checked: bool) {
        let mut first = true;
        for k in 0..self.robot.links.len() {
            let Some(place) = self.places[k].clone().filter(|_| !checked) else {
                continue;
            };
            if first {
                self.line("");
                first = false;
            }
            let name = self.links[k].clone();
            self.line(&format!(
                "/// Place of the link `{}`.",
                self.robot.links[k].name
            ));
            self.line(&format!("output {place} = at({name}, [0, 0, 0]);"));
        }
        if checked {
            for (k, name) in self.links.clone().iter().enumerate() {
                for (axis, end) in ["[0, 0, 0]", "[1, 0, 0]", "[0, 1, 0]"].iter().enumerate() {
                    self.line(&format!("output checked_{k}_{axis} = at({name}, {end});"));
                }
            }
        }
    }
}

/// a + b − c
fn sum(terms: &[String]) -> String {
    terms.join(" + ").replace("+ -", "- ")
}

/// The negative of a number or a name.
fn negative(text: &str) -> String {
    match text.strip_prefix('-') {
        Some(positive) => positive.to_owned(),
        None => format!("-{text}"),
    }
}

fn times(factor: f64, text: &str) -> String {
    match factor {
        1.0 => text.to_owned(),
        -1.0 => format!("-{text}"),
        _ => format!("{}*{text}", number(factor)),
    }
}

fn clamped(text: &str, [low, high]: [f64; 2]) -> String {
    format!("clamp({text}, {}, {})", number(low), number(high))
}

/// The force of an actuator on its coordinate: gear·(gain·u + bias₀ + bias₁ gear q + bias₂ gear q̇).
fn driven(actuator: &Actuator, input: &str, q: &str) -> String {
    match actuator.range {
        // A limited force is multiplied by the gear afterwards.
        Some(_) => times(actuator.gear, &before_gear(actuator, input, q)),
        None => affine(actuator, input, q, actuator.gear),
    }
}

/// The force before the gear.
fn before_gear(actuator: &Actuator, input: &str, q: &str) -> String {
    let force = affine(actuator, input, q, 1.0);
    actuator
        .range
        .map_or(force.clone(), |it| clamped(&force, it))
}

/// by·(gain·u + bias₀ + bias₁ gear q + bias₂ gear q̇)
fn affine(actuator: &Actuator, input: &str, q: &str, by: f64) -> String {
    let Actuator {
        gear, gain, bias, ..
    } = *actuator;
    let product = |number: f64, by: f64| match by {
        1.0 => number,
        _ => rounded(number * by),
    };
    let mut terms = vec![times(product(gain, by), input)];
    if bias[0] != 0.0 {
        terms.push(number(product(bias[0], by)));
    }
    if bias[1] != 0.0 {
        terms.push(times(product(bias[1], gear * by), q));
    }
    if bias[2] != 0.0 {
        let rate = format!("velocity({q})");
        terms.push(times(product(bias[2], gear * by), &rate));
    }
    sum(&terms)
}

/// q − q₀, in parentheses if there is something to subtract.
fn difference(q: &str, rest: Angle, exact: bool) -> String {
    if rest.radians == 0.0 {
        return q.to_owned();
    }
    let text = rest.text(exact);
    match text.strip_prefix('-') {
        Some(positive) => format!("({q} + {positive})"),
        None => format!("({q} - {text})"),
    }
}
