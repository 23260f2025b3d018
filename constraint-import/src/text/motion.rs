//! Coordinates, inputs, and the tree of links with their bodies.

use crate::number::{Angle, number, rounded};
use crate::robot::{At, Base, Coordinate, Step, Unit};
use crate::spatial::{Matrix, Vector, norm};

use crate::inertia::Form;

use super::{Carried, WIDTH, Writer};

impl Writer<'_> {
    /// Everything that moves.
    pub(super) fn motion(&mut self) {
        self.coordinates();
        self.inputs();
        self.followers();
        self.tendons();
        self.line("// The links. A name that ends in `_inertial` is the body of a link, with its origin in the centre of mass.");
        for k in 0..self.robot.links.len() {
            self.link(k);
        }
    }

    fn coordinates(&mut self) {
        for (k, coordinate) in self.robot.coordinates.iter().enumerate() {
            if coordinate.is_free() {
                let name = self.coordinates[k].clone();
                self.line(&format!("/// {}", described(coordinate)));
                self.line(&format!("coordinate {name};"));
            }
        }
    }

    fn inputs(&mut self) {
        for (k, actuator) in self.robot.actuators.iter().enumerate() {
            let (joint, unit) = match actuator.at {
                At::Joint(joint) => (Some(joint), self.robot.coordinates[joint].unit),
                At::Tendon(_) => (None, Unit::Length),
            };
            let what = match (actuator.is_force, unit) {
                (false, _) => format!("Command of the actuator `{}`", actuator.name),
                (true, Unit::Angle) => "Torque".to_owned(),
                (true, Unit::Length) => "Force".to_owned(),
            };
            let unit = if unit == Unit::Angle { "N m" } else { "N" };
            let most = joint
                .and_then(|it| self.robot.coordinates[it].effort)
                .filter(|_| actuator.is_force && actuator.gear == 1.0);
            let most =
                most.map_or_else(String::new, |it| format!(", at most {} {unit}", number(it)));
            let place = match actuator.at {
                At::Joint(joint) => {
                    format!("at the joint `{}`", self.robot.coordinates[joint].name)
                }
                At::Tendon(tendon) => {
                    format!("along the tendon `{}`", self.robot.tendons[tendon].name)
                }
            };
            let between = match actuator.inputs {
                Some([low, high]) if most.is_empty() => {
                    format!(", from {} to {}", signed(low), signed(high))
                }
                _ => String::new(),
            };
            self.line(&format!("/// {what} {place}{most}{between}."));
            self.line(&format!("input {};", self.inputs[k].clone()));
        }
        if !self.statements.is_empty() {
            self.line("");
        }
    }

    /// Tendons are names for sums of coordinates.
    fn tendons(&mut self) {
        for (k, tendon) in self.robot.tendons.iter().enumerate() {
            let terms = tendon.terms.iter().map(|(coordinate, by)| {
                let name = &self.coordinates[*coordinate];
                match *by {
                    1.0 => name.clone(),
                    -1.0 => format!("-{name}"),
                    by => format!("{}*{name}", number(by)),
                }
            });
            let is_constant = tendon.offset != 0.0 || tendon.terms.is_empty();
            let constant = is_constant.then(|| number(tendon.offset));
            let sum: Vec<String> = terms.chain(constant).collect();
            let sum = sum.join(" + ").replace("+ -", "- ");
            self.line(&format!("// The length of the tendon `{}`.", tendon.name));
            self.line(&format!("let {} = {sum};", self.tendons[k].clone()));
        }
        if !self.tendons.is_empty() {
            self.line("");
        }
    }

    /// Coordinates that follow others are names for their values.
    fn followers(&mut self) {
        let exact = self.options.exact_numbers;
        let mut any = false;
        for k in self.robot.order() {
            let Some(follows) = &self.robot.coordinates[k].follows else {
                continue;
            };
            let leader = follows
                .leader
                .map_or("", |it| self.coordinates[it].as_str());
            let value = polynomial(leader, &follows.coefficients, exact);
            let name = &self.robot.coordinates[k].name;
            let of = follows.leader.map_or_else(
                || format!("// The joint `{name}` is held."),
                |it| {
                    format!(
                        "// The joint `{name}` follows `{}`.",
                        self.robot.coordinates[it].name
                    )
                },
            );
            self.line(&of);
            self.line(&format!("let {} = {value};", self.coordinates[k].clone()));
            any = true;
        }
        if any {
            self.line("");
        }
    }

    fn link(&mut self, k: usize) {
        let link = &self.robot.links[k];
        let body = self.bodies[k].take();
        if let Some(body) = &body
            && (body.parts.len() > 1 || body.parts != [k])
        {
            let parts: Vec<String> = body
                .parts
                .iter()
                .map(|it| format!("`{}`", self.robot.links[*it].name))
                .collect();
            self.line(&format!(
                "// `{}` has the mass of {}, which are fixed to each other.",
                body.name,
                listed(&parts)
            ));
        }
        match (link.base, &body) {
            (Base::Free, Some(body)) => self.free(k, body),
            (_, Some(body)) if body.is_link => {
                let product = self.product(k);
                self.body(&format!("body {}: Rigid3 = {product}", body.name), body);
            }
            (_, body) => {
                let name = self.links[k].clone();
                let product = self.product(k);
                self.line(&format!("let {name} = {product};"));
                if let Some(body) = body {
                    self.body_of_link(&name, body);
                }
            }
        }
        self.bodies[k] = body;
    }

    /// A link with six coordinates of its own.
    fn free(&mut self, k: usize, body: &Carried) {
        let name = self.links[k].clone();
        self.line(&format!(
            "/// Pose of the centre of mass of `{}`, which moves freely.",
            self.robot.links[k].name
        ));
        self.body(&format!("body {}: Rigid3", body.name), body);
        if !body.is_link {
            let back = match self.options.parameters {
                true => format!("-{}", self.centre(body)),
                false => self.vector(body.inertia.centre.map(|x| -x)),
            };
            self.line(&format!("let {name} = {} * pose({back});", body.name));
        }
    }

    /// A body or a particle at a place of a link.
    fn body_of_link(&mut self, link: &str, body: &Carried) {
        let centre = self.centre(body);
        if body.form == Form::Body {
            let declared = format!("body {}: Rigid3 = {link} * pose({centre})", body.name);
            self.body(&declared, body);
            return;
        }
        if body.inertia.mass > 0.0 {
            let mass = self.quantity(&format!("{}_mass", body.link), body.inertia.mass);
            let name = &body.name;
            self.line(&format!(
                "particle {name} = at({link}, {centre}) {{ mass: {mass} }}"
            ));
        }
        if body.form == Form::Energy {
            self.line("// No body has these moments of inertia: they are an energy of their own.");
            let energy = turning(link, &body.inertia.about_centre);
            self.line(&format!("kinetic {energy};"));
        }
    }

    /// A body with its mass and inertia, on one line or on several.
    fn body(&mut self, declared: &str, body: &Carried) {
        let mass = self.quantity(&format!("{}_mass", body.link), body.inertia.mass);
        let rows = self.moments(body);
        let inertia = match &rows[..] {
            [diagonal] => diagonal.clone(),
            rows => format!("[{}]", rows.join(", ")),
        };
        let line = format!("{declared} {{ mass: {mass}, inertia: {inertia} }}");
        if line.chars().count() + 4 <= WIDTH {
            self.line(&line);
            return;
        }
        self.line(&format!("{declared} {{"));
        self.line(&format!("    mass: {mass},"));
        if inertia.chars().count() + 20 <= WIDTH {
            self.line(&format!("    inertia: {inertia},"));
        } else {
            self.line("    inertia: [");
            rows.iter()
                .for_each(|row| self.line(&format!("        {row},")));
            self.line("    ],");
        }
        self.line("}");
    }

    /// The pose of a link.
    fn product(&self, k: usize) -> String {
        let link = &self.robot.links[k];
        let base = match link.base {
            Base::Link(base) => Some(self.links[base].clone()),
            Base::World | Base::Free => None,
        };
        let text = self.poses(base, &link.steps);
        if text.len() + 12 + self.links[k].len() < WIDTH {
            return text;
        }
        text.replace(" * ", "\n        * ")
    }

    /// The product of a frame and steps from it.
    pub(super) fn poses(&self, base: Option<String>, steps: &[Step]) -> String {
        let mut factors: Vec<String> = base.into_iter().collect();
        let mut place: Option<String> = None;
        let mut origin = [0.0; 3];
        let close = |place: &mut Option<String>, factors: &mut Vec<String>| {
            factors.extend(place.take().map(|it| format!("pose({it})")));
        };
        for step in steps {
            match *step {
                Step::Place(by) => {
                    origin = match place {
                        Some(_) => [0, 1, 2].map(|k| rounded(origin[k] + by[k])),
                        None => by,
                    };
                    place = Some(self.vector(origin));
                }
                Step::Slide(axis, k) => {
                    let by = self.slid(k, place.as_ref().map_or([0.0; 3], |_| origin), axis);
                    if by.is_none() {
                        close(&mut place, &mut factors);
                    }
                    // Another displacement cannot be added to a text.
                    place = by.or_else(|| self.slid_askew(k, axis));
                    close(&mut place, &mut factors);
                }
                Step::Turn(..) | Step::Hinge(..) => {
                    let (axis, angle) = match *step {
                        Step::Turn(axis, angle) => (axis, angle.text(self.options.exact_numbers)),
                        Step::Hinge(axis, k) => (axis, self.moved_from_reference(k)),
                        _ => continue,
                    };
                    let at = place.take().unwrap_or_else(|| "[0, 0, 0]".to_owned());
                    factors.push(format!("pose({at}, {}, {angle})", self.vector(axis)));
                }
            }
        }
        close(&mut place, &mut factors);
        if factors.is_empty() {
            factors.push("pose([0, 0, 0])".to_owned());
        }
        factors.join(" * ")
    }

    /// The value of a coordinate less that at which the robot is drawn.
    fn moved_from_reference(&self, k: usize) -> String {
        let name = &self.coordinates[k];
        let reference = self.robot.coordinates[k].reference;
        if reference.radians == 0.0 {
            return name.clone();
        }
        let text = reference.text(self.options.exact_numbers);
        match text.strip_prefix('-') {
            Some(positive) => format!("{name} + {positive}"),
            None => format!("{name} - {text}"),
        }
    }

    /// A displacement along an axis of coordinates, added to a place.
    fn slid(&self, k: usize, origin: Vector, axis: Vector) -> Option<String> {
        let along = (0..3).find(|&i| axis[i] != 0.0)?;
        if (0..3).any(|i| i != along && axis[i] != 0.0) {
            return None;
        }
        let value = self.moved_from_reference(k);
        let is_simple = !value.contains(' ');
        let text = match (axis[along] > 0.0, origin[along] == 0.0) {
            (true, true) => value,
            (true, false) => format!("{} + {value}", number(origin[along])),
            (false, true) if is_simple => format!("-{value}"),
            (false, true) => format!("-({value})"),
            (false, false) if is_simple => format!("{} - {value}", number(origin[along])),
            (false, false) => format!("{} - ({value})", number(origin[along])),
        };
        let parts = [0, 1, 2].map(|i| {
            if i == along {
                text.clone()
            } else {
                number(origin[i])
            }
        });
        Some(format!("[{}]", parts.join(", ")))
    }

    /// A displacement along any axis.
    fn slid_askew(&self, k: usize, axis: Vector) -> Option<String> {
        let value = self.moved_from_reference(k);
        let value = if value.contains(' ') {
            format!("({value})")
        } else {
            value
        };
        let axis_text = self.vector(axis);
        let is_unit = norm(axis) == 1.0;
        Some(if is_unit {
            format!("{value}*{axis_text}")
        } else {
            format!("{value}*normalize({axis_text})")
        })
    }
}

/// ½ ω·I ω in the axes of a link.
fn turning(link: &str, inertia: &Matrix) -> String {
    let along = |i: usize| {
        let axis = ["[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]"][i];
        format!("dot(angular_velocity({link}), dir({link}, {axis}))")
    };
    let mut terms = Vec::new();
    for (i, row) in inertia.iter().enumerate() {
        for (j, &entry) in row.iter().enumerate().skip(i) {
            match (entry == 0.0, i == j) {
                (true, _) => {}
                (false, true) => terms.push(format!("{}/2*{}^2", number(entry), along(i))),
                (false, false) => {
                    terms.push(format!("{}*{}*{}", number(entry), along(i), along(j)));
                }
            }
        }
    }
    terms.join("\n        + ").replace("+ -", "- ")
}

/// The documentation of a coordinate.
fn described(coordinate: &Coordinate) -> String {
    let (what, unit) = match coordinate.unit {
        Unit::Angle => ("Angle", "rad"),
        Unit::Length => ("Displacement", "m"),
    };
    let mut text = format!("{what} of the joint `{}`", coordinate.name);
    if let Some([lower, upper]) = coordinate.limits {
        text += &format!(", from {} to {} {unit}", signed(lower), signed(upper));
    }
    if let Some(speed) = coordinate.speed {
        text += &format!(", at most {} {unit}/s", number(speed));
    }
    text + "."
}

fn signed(x: f64) -> String {
    number(x).replace('-', "−")
}

/// c₀ + c₁ x + c₂ x² + …
pub(super) fn polynomial(x: &str, coefficients: &[Angle], exact: bool) -> String {
    let mut text = String::new();
    for (power, coefficient) in coefficients.iter().enumerate().rev() {
        if coefficient.radians == 0.0 {
            continue;
        }
        let written = coefficient.text(exact);
        let (sign, size) = match written.strip_prefix('-') {
            Some(size) => ("-", size),
            None => ("+", written.as_str()),
        };
        let term = match (power, size) {
            (0, _) => size.to_owned(),
            (1, "1") => x.to_owned(),
            (1, _) => format!("{size}*{x}"),
            (_, "1") => format!("{x}^{power}"),
            _ => format!("{size}*{x}^{power}"),
        };
        text += &match (text.is_empty(), sign) {
            (true, "+") => term,
            (true, _) => format!("-{term}"),
            (false, _) => format!(" {sign} {term}"),
        };
    }
    if text.is_empty() {
        "0".to_owned()
    } else {
        text
    }
}

/// a, b and c
pub(super) fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}
