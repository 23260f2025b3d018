//! The comment above the call, its struct, and the limits below it.

use crate::number::number;
use crate::reader::Reader;
use crate::robot::{Base, Unit};

use super::Writer;
use super::motion::listed;

/// The documentation of gravity.
const FALL: &str = "/// Acceleration of free fall, in m/s².";

impl Writer<'_> {
    /// What was changed and what was left out.
    pub(super) fn header(&self, reader: &Reader<'_>) -> String {
        let mut text = format!(
            "// Written by `constraint import {}`: edit it like any other model. Units: m, kg, s, rad, N.\n",
            self.options.origin
        );
        let mut section = |title: &str, lines: Vec<String>| {
            if !lines.is_empty() {
                text += &format!("//\n// {title}\n");
                lines
                    .iter()
                    .for_each(|line| text += &format!("// - {line}\n"));
            }
        };
        section("Not taken over:", not_taken_over(reader));
        let mut notes = reader.notes.clone();
        if self.has_capitals() {
            notes.push("some names are not in snake case: write `#[allow(non_snake_case)]` before the module of this text".to_owned());
        }
        section("Notes:", notes);
        let renamed = self.names.renamed.iter();
        section(
            "Other names than in the file:",
            renamed
                .map(|(kind, old, new)| format!("{kind} `{old}`: `{new}`"))
                .collect(),
        );
        if self.options.exact_numbers {
            let exact = reader
                .recognised
                .iter()
                .map(|(written, meant, count, line)| {
                    let times = if *count == 1 {
                        String::new()
                    } else {
                        format!(", {count} times")
                    };
                    format!("{written} is {meant} ({line}{times})")
                });
            section(
                "Rounded multiples of π, written exactly; `--exact-numbers no` keeps the digits of the file:",
                exact.collect(),
            );
        }
        text
    }

    /// True if a generated field has a name that rustc warns about.
    fn has_capitals(&self) -> bool {
        let free = self
            .robot
            .links
            .iter()
            .zip(&self.links)
            .filter(|it| it.0.base == Base::Free);
        let mut names = self
            .coordinates
            .iter()
            .chain(&self.inputs)
            .chain(free.map(|it| it.1))
            .chain(self.places.iter().flatten());
        names.any(|name| name.chars().any(char::is_uppercase))
    }

    /// Options before the struct.
    pub(super) fn attributes(&self) -> String {
        if self.closing.is_redundant {
            let why = "    // Where the loops are closed, some of their rows follow from others.\n";
            return format!("{why}    #[redundant(least_squares)]\n");
        }
        String::new()
    }

    /// The struct with its parameters.
    pub(super) fn declaration(&self) -> String {
        let count = self
            .robot
            .coordinates
            .iter()
            .filter(|it| it.is_free())
            .count();
        let joints = match count {
            0 => String::new(),
            1 => " with 1 joint".to_owned(),
            _ => format!(" with {count} joints"),
        };
        let name = match self.robot.name.as_str() {
            "" => "A robot".to_owned(),
            name => format!("The robot `{name}`"),
        };
        let fields = match &self.fields()[..] {
            [] => ";".to_owned(),
            fields => format!(" {{\n        {},\n    }}", fields.join(",\n        ")),
        };
        let type_name = &self.type_name;
        format!("    /// {name}{joints}.\n    pub struct {type_name}{fields}\n\n")
    }

    /// The parameters.
    fn fields(&self) -> Vec<String> {
        let mut fields = Vec::new();
        match self.robot.gravity {
            [0.0, 0.0, 0.0] => {}
            [0.0, 0.0, z] if z < 0.0 => {
                fields.push(format!("{FALL}\n        pub g: Real = {}", number(-z)))
            }
            g => {
                let g = g.map(number).join(", ");
                fields.push(format!("{FALL}\n        pub g: Vector3 = [{g}]"));
            }
        }
        let at_joints = self.robot.coordinates.iter().map(|it| it.friction);
        let at_tendons = self.robot.tendons.iter().map(|it| it.friction);
        let of_links = self.robot.links.iter().map(|it| it.resistance.friction);
        let mut frictions = at_joints.chain(at_tendons).chain(of_links);
        if frictions.any(|it| it != 0.0) {
            let what = "/// Rate at which dry friction has 76 % of its full force.";
            fields.push(format!("{what}\n        pub slip_rate: Real = 0.01"));
        }
        fields.extend(self.parameters.iter().cloned());
        fields
    }

    /// Constants below the call.
    pub(super) fn limits(&self) -> String {
        let constants = self.constants();
        if constants.is_empty() {
            return String::new();
        }
        let free = || (0..self.coordinates.len()).filter(|&k| self.robot.coordinates[k].is_free());
        let names: Vec<String> = free()
            .map(|k| format!("`{}`", self.coordinates[k]))
            .collect();
        let has = |unit: Unit| free().any(|k| self.robot.coordinates[k].unit == unit);
        let units = match (has(Unit::Angle), has(Unit::Length)) {
            (true, true) => "rad or m",
            (false, true) => "m",
            _ => "rad",
        };
        // A struct without parameters is not generic.
        let generic = if self.fields().is_empty() {
            ""
        } else {
            "<f64>"
        };
        let (names, type_name) = (listed(&names), &self.type_name);
        // 1.5708 is no approximation of a constant, but a limit.
        format!(
            "\n/// Numbers of the joints in the order {names}, in {units}.\n#[allow(clippy::approx_constant)]\nimpl \
             {type_name}{generic} {{{constants}\n}}\n"
        )
    }

    fn constants(&self) -> String {
        let coordinates = || self.robot.coordinates.iter().filter(|it| it.is_free());
        let mut constants = String::new();
        let mut constant = |what: &str, name: &str, values: Vec<Option<f64>>, otherwise: f64| {
            if values.iter().any(Option::is_some) {
                let values = values.iter().map(|it| float(it.unwrap_or(otherwise)));
                let values: Vec<String> = values.collect();
                let (count, values) = (values.len(), values.join(", "));
                constants += &format!(
                    "\n    /// {what}\n    pub const {name}: [f64; {count}] = [{values}];"
                );
            }
        };
        let limit = |k: usize| coordinates().map(|it| it.limits.map(|it| it[k])).collect();
        let most = f64::INFINITY;
        constant("Least value of each joint.", "LOWER", limit(0), -most);
        constant("Greatest value of each joint.", "UPPER", limit(1), most);
        let speeds = coordinates().map(|it| it.speed).collect();
        constant("Greatest rate of each joint.", "SPEED", speeds, most);
        let efforts = coordinates().map(|it| it.effort).collect();
        constant(
            "Greatest force or torque of each joint.",
            "EFFORT",
            efforts,
            most,
        );
        let closed = self
            .closing
            .closed
            .iter()
            .flatten()
            .map(|x| Some(*x))
            .collect();
        constant(
            "A position of the joints in which all loops are closed.",
            "CLOSED",
            closed,
            0.0,
        );
        constants
    }
}

/// A literal of Rust.
fn float(x: f64) -> String {
    if x.is_infinite() {
        return if x > 0.0 {
            "f64::INFINITY"
        } else {
            "f64::NEG_INFINITY"
        }
        .to_owned();
    }
    let text = number(x);
    if text.contains(['.', 'e']) {
        text
    } else {
        text + ".0"
    }
}

/// Elements and properties without a meaning in the text.
pub fn not_taken_over(reader: &Reader<'_>) -> Vec<String> {
    let counted = |name: &str, count: usize, line: &str| match count {
        1 => format!("{name} ({line})"),
        _ => format!("{name}, {count} times (from {line})"),
    };
    let whole = reader.ignored.iter();
    let whole = whole.map(|(name, (count, line))| counted(name, *count, line));
    let of_elements = reader.attributes.iter();
    let parts = of_elements.map(|(element, (names, count, line))| {
        let names: Vec<String> = names.iter().map(|it| format!("`{it}`")).collect();
        counted(&format!("{} of {element}", listed(&names)), *count, line)
    });
    whole.chain(parts).collect()
}
