//! Masses, inertias, damping: numbers of the file, or parameters with these defaults.

use crate::number::number;
use crate::spatial::{Matrix, Vector};

use super::{Carried, Writer};

impl Writer<'_> {
    /// A number, or the parameter that has it as its default.
    pub(super) fn quantity(&mut self, name: &str, value: f64) -> String {
        self.parameter(name, "Real", number(value))
    }

    /// The centre of mass in the axes of the link.
    pub(super) fn centre(&mut self, body: &Carried) -> String {
        let centre = self.vector(body.inertia.centre);
        self.parameter(&format!("{}_centre", body.link), "Vector3", centre)
    }

    /// Three moments, or the rows of the matrix.
    pub(super) fn moments(&mut self, body: &Carried) -> Vec<String> {
        let written = written(&body.inertia.about_centre);
        if !self.options.parameters {
            return written;
        }
        let name = format!("{}_inertia", body.link);
        if let [diagonal] = &written[..] {
            let name = self.parameter(&name, "Vector3", diagonal.clone());
            return vec![format!("[{name}.x, {name}.y, {name}.z]")];
        }
        let [[xx, xy, xz], [_, yy, yz], [_, _, zz]] = body.inertia.about_centre;
        let entries = [xx, xy, xz, yy, yz, zz].map(number).join(", ");
        let name = self.parameter(&name, "[Real; 6]", format!("[{entries}]"));
        let row = |entries: [usize; 3]| {
            format!("[{}]", entries.map(|k| format!("{name}[{k}]")).join(", "))
        };
        [[0, 1, 2], [1, 3, 4], [2, 4, 5]].map(row).to_vec()
    }

    /// The name of a new parameter, or its value without parameters.
    fn parameter(&mut self, name: &str, kind: &str, value: String) -> String {
        if !self.options.parameters {
            return value;
        }
        let what = described(name, kind);
        let name = self.names.fresh(name, "_parameter");
        self.parameters
            .push(format!("/// {what}\n        pub {name}: {kind} = {value}"));
        name
    }
}

/// The documentation of a parameter, by the end of its name.
fn described(name: &str, kind: &str) -> &'static str {
    let (_, end) = name.rsplit_once('_').unwrap_or(("", name));
    match (end, kind) {
        ("mass", _) => "Mass, in kg.",
        ("centre", _) => "Centre of mass in the axes of the link, in m.",
        ("inertia", "Vector3") => {
            "Moments of inertia about the centre of mass, in kg m²: xx, yy, zz."
        }
        ("inertia", _) => "Inertia about the centre of mass, in kg m²: xx, xy, xz, yy, yz, zz.",
        ("damping", _) => "Force or torque of the damping per rate.",
        ("friction", _) => "Force or torque of the dry friction.",
        ("stiffness", _) => "Force or torque of the spring per displacement.",
        _ => "Inertia of the rotor, seen at the joint.",
    }
}

/// Three moments, or the rows of the matrix.
fn written(inertia: &Matrix) -> Vec<String> {
    let row = |row: Vector| format!("[{}]", row.map(number).join(", "));
    let is_diagonal = inertia[0][1] == 0.0 && inertia[0][2] == 0.0 && inertia[1][2] == 0.0;
    if is_diagonal {
        return vec![row([inertia[0][0], inertia[1][1], inertia[2][2]])];
    }
    inertia.map(row).to_vec()
}
