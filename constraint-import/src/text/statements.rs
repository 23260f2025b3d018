//! Forces, energies and outputs.

use crate::number::{Angle, number, rounded};
use crate::robot::{Actuator, At};

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
        self.forces(&q, At::Joint(k), coordinate.friction, coordinate.damping);
        self.spring(&q, coordinate.spring);
        if coordinate.armature != 0.0 {
            let armature = self.quantity(&format!("{q}_armature"), coordinate.armature);
            self.line(&format!("kinetic {armature}/2*velocity({q})^2;"));
        }
    }

    fn forces_along(&mut self, k: usize) {
        let tendon = &self.robot.tendons[k];
        let length = self.tendons[k].clone();
        self.forces(&length, At::Tendon(k), tendon.friction, tendon.damping);
        let spring = tendon.spring.map(|(k, rest)| (k, Angle::radians(rest)));
        self.spring(&length, spring);
    }

    /// What acts on a length: actuators, dry friction, damping.
    fn forces(&mut self, q: &str, at: At, friction: f64, damping: f64) {
        let actuators = self.robot.actuators.iter().zip(&self.inputs);
        let here = actuators.filter(|it| it.0.at == at);
        let mut terms: Vec<String> = here.map(|(it, input)| driven(it, input, q)).collect();
        if friction != 0.0 {
            let most = self.quantity(&format!("{q}_friction"), friction);
            terms.push(format!("-{most}*tanh(velocity({q})/slip_rate)"));
        }
        if !terms.is_empty() {
            let sum = terms.join(" + ").replace("+ -", "- ");
            self.line(&format!("force {q}: {sum};"));
        }
        if damping != 0.0 {
            let damping = self.quantity(&format!("{q}_damping"), damping);
            self.line(&format!("dissipation {damping}/2*velocity({q})^2;"));
        }
    }

    fn spring(&mut self, q: &str, spring: Option<(f64, Angle)>) {
        if let Some((stiffness, rest)) = spring {
            let stretch = difference(q, rest, self.options.exact_numbers);
            let stiffness = self.quantity(&format!("{q}_stiffness"), stiffness);
            self.line(&format!("potential {stiffness}/2*{stretch}^2;"));
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

/// The force of an actuator on its coordinate: gear·(gain·u + bias₀ + bias₁ gear q + bias₂ gear q̇).
fn driven(actuator: &Actuator, input: &str, q: &str) -> String {
    let times = |factor: f64, text: &str| match factor {
        1.0 => text.to_owned(),
        -1.0 => format!("-{text}"),
        _ => format!("{}*{text}", number(factor)),
    };
    let Actuator {
        gear, gain, bias, ..
    } = *actuator;
    // A limited force is multiplied by the gear afterwards.
    let after = if actuator.range.is_some() { 1.0 } else { gear };
    let product = |number: f64, by: f64| match by {
        1.0 => number,
        _ => rounded(number * by),
    };
    let mut terms = vec![times(product(gain, after), input)];
    if bias[0] != 0.0 {
        terms.push(number(product(bias[0], after)));
    }
    if bias[1] != 0.0 {
        terms.push(times(product(bias[1], gear * after), q));
    }
    if bias[2] != 0.0 {
        let rate = format!("velocity({q})");
        terms.push(times(product(bias[2], gear * after), &rate));
    }
    let sum = terms.join(" + ").replace("+ -", "- ");
    match actuator.range {
        Some([low, high]) => times(
            gear,
            &format!("clamp({sum}, {}, {})", number(low), number(high)),
        ),
        None => sum,
    }
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
