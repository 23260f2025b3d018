//! MJCF, the format of MuJoCo: bodies with their joints, defaults, tendons, equalities and actuators.
//!
//! Conventions: <https://mujoco.readthedocs.io/en/stable/XMLreference.html>. Angles are in degrees unless `<compiler>` says
//! otherwise; joints of a body follow one another, each in the frame that the one before has moved.

mod actuators;
mod bodies;
mod defaults;
mod equalities;
mod geoms;
mod orientation;
mod tendons;

use std::ops::Range;

use roxmltree::Node;

use self::defaults::Defaults;
use crate::number::rounded;
use crate::reader::{Reader, value_of};
use crate::robot::{Base, Link, Robot, Step};
use crate::spatial::Placement;

/// What is known while a file is read.
struct File<'a, 't> {
    defaults: Defaults<'a, 't>,
    settings: Settings,
    robot: Robot,
    /// The placement of each link as drawn.
    drawn: Vec<Placement>,
    /// The joints that move several ways, which no coordinate has: by name, with their kind.
    others: Vec<(String, &'static str)>,
    sites: Vec<Site<'a, 't>>,
    /// The names of tendons that are not taken over.
    spatial: Vec<String>,
    /// Links with a mass that is not computed: where, why, what to write.
    unknown_masses: Vec<(usize, Range<usize>, String, &'static str)>,
}

/// A frame with a name, which an equality may hold to another one.
struct Site<'a, 't> {
    node: Node<'a, 't>,
    link: usize,
    steps: Vec<Step>,
    is_used: bool,
}

/// The attributes of `<compiler>` that matter.
#[derive(Clone, Debug)]
struct Settings {
    in_degrees: bool,
    /// The axes of `euler`, upper case if they stay fixed.
    sequence: [char; 3],
    auto_limits: bool,
    from_geoms: FromGeoms,
    /// The groups of geoms that have mass.
    groups: [f64; 2],
    /// The mass of the whole robot, to which all masses and inertias are scaled.
    total_mass: Option<f64>,
}

/// Whether geoms give a body its inertia.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FromGeoms {
    Never,
    Always,
    WithoutInertial,
}

/// The robot of an MJCF file.
pub fn robot(reader: &mut Reader<'_>, root: Node<'_, '_>) -> Robot {
    if let Some(include) = root.descendants().find(|it| it.has_tag_name("include")) {
        let message = "`<include>` names another file, which is not read";
        let help = "give the folder of the file";
        reader.wrong(crate::reader::start_tag(include), message, Some(help));
        return Robot::default();
    }
    let mut file = File {
        defaults: Defaults::read(reader, root),
        settings: settings(reader, root),
        robot: Robot {
            name: root
                .attribute("model")
                .unwrap_or_default()
                .trim()
                .to_owned(),
            gravity: gravity(reader, root),
            ..Robot::default()
        },
        drawn: vec![Placement::IDENTITY],
        others: Vec::new(),
        sites: Vec::new(),
        spatial: Vec::new(),
        unknown_masses: Vec::new(),
    };
    file.robot.links.push(Link {
        name: "world".to_owned(),
        range: 0..0,
        base: Base::World,
        steps: Vec::new(),
        inertial: None,
    });
    for node in root.children().filter(Node::is_element) {
        match node.tag_name().name() {
            "worldbody" => file.body_contents(reader, node, 0, None),
            "compiler" | "default" | "equality" | "tendon" | "actuator" | "option" => {}
            _ => reader.ignore(node),
        }
    }
    let carriers = file.robot.carriers(true);
    for (link, range, message, help) in std::mem::take(&mut file.unknown_masses) {
        if carriers[link].0.is_some() {
            reader.wrong(range, message, Some(help));
        }
    }
    if let Some(total) = file.settings.total_mass {
        scale_masses(&mut file.robot, total);
    }
    for node in root.children().filter(|it| it.has_tag_name("tendon")) {
        file.tendons(reader, node);
    }
    for node in root.children().filter(|it| it.has_tag_name("equality")) {
        file.equalities(reader, node);
    }
    for node in root.children().filter(|it| it.has_tag_name("actuator")) {
        file.actuators(reader, node);
    }
    for site in file.sites.iter().filter(|it| !it.is_used) {
        reader.ignore(site.node);
    }
    file.robot
}

/// Scales masses and inertias so that the robot has a mass.
fn scale_masses(robot: &mut Robot, total: f64) {
    let inertials = || robot.links.iter().filter_map(|link| link.inertial.as_ref());
    let factor = total / inertials().map(|it| it.mass).sum::<f64>();
    for inertial in robot
        .links
        .iter_mut()
        .filter_map(|link| link.inertial.as_mut())
    {
        inertial.mass = rounded(factor * inertial.mass);
        let entries = inertial.inertia.iter_mut().flatten();
        entries.for_each(|it| *it = rounded(factor * *it));
    }
}

fn settings(reader: &mut Reader<'_>, root: Node<'_, '_>) -> Settings {
    let mut settings = Settings {
        in_degrees: true,
        sequence: ['x', 'y', 'z'],
        auto_limits: true,
        from_geoms: FromGeoms::WithoutInertial,
        groups: [0.0, 5.0],
        total_mass: None,
    };
    for node in root.children().filter(|it| it.has_tag_name("compiler")) {
        for attribute in node.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            let range = attribute.range_value();
            match (name, value) {
                ("angle", "degree" | "radian") => settings.in_degrees = value == "degree",
                ("autolimits", "true" | "false") => settings.auto_limits = value == "true",
                ("inertiafromgeom", "auto") => settings.from_geoms = FromGeoms::WithoutInertial,
                ("inertiafromgeom", "true") => settings.from_geoms = FromGeoms::Always,
                ("inertiafromgeom", "false") => settings.from_geoms = FromGeoms::Never,
                ("inertiagrouprange", _) => {
                    settings.groups = reader.numbers(node, name).unwrap_or(settings.groups);
                }
                ("settotalmass", _) => {
                    settings.total_mass = reader.number(node, name).filter(|it| *it > 0.0);
                }
                ("eulerseq", _) => sequence(reader, value, range, &mut settings),
                ("coordinate", "local") => {}
                ("angle" | "autolimits" | "inertiafromgeom" | "coordinate", _) => {
                    let message = format!("`{value}` is no value of `{name}`");
                    reader.wrong(range, message, None);
                }
                ("balanceinertia" | "boundmass" | "boundinertia" | "exactmeshinertia", _) => {
                    let line = reader.line(range.start);
                    reader.ignore_named(format!("`{name}` of <compiler>"), line);
                }
                _ => {}
            }
        }
    }
    settings
}

fn sequence(reader: &mut Reader<'_>, value: &str, range: Range<usize>, settings: &mut Settings) {
    let letters: Vec<char> = value.chars().collect();
    match <[char; 3]>::try_from(letters) {
        Ok(letters) if letters.iter().all(|it| "xyzXYZ".contains(*it)) => {
            settings.sequence = letters
        }
        _ => {
            let message = format!("`{value}` is no sequence of axes");
            reader.wrong(
                range,
                message,
                Some("write three of x, y, z, in capitals for fixed axes: `xyz`"),
            );
        }
    }
}

fn gravity(reader: &mut Reader<'_>, root: Node<'_, '_>) -> [f64; 3] {
    let mut gravity = [0.0, 0.0, -9.81];
    for node in root.children().filter(|it| it.has_tag_name("option")) {
        gravity = reader.numbers(node, "gravity").unwrap_or(gravity);
        for attribute in node.attributes().filter(|it| it.name() != "gravity") {
            let line = reader.line(attribute.range().start);
            reader.ignore_named(format!("`{}` of <option>", attribute.name()), line);
        }
        for child in node.children().filter(Node::is_element) {
            if !child.has_tag_name("flag") {
                reader.ignore(child);
                continue;
            }
            for flag in child.attributes() {
                match (flag.name(), flag.value()) {
                    ("gravity", "disable") => gravity = [0.0; 3],
                    ("gravity", _) => {}
                    (name, value) => {
                        let line = reader.line(flag.range().start);
                        reader.ignore_named(format!("`{name}=\"{value}\"` of <flag>"), line);
                    }
                }
            }
        }
    }
    gravity
}

impl File<'_, '_> {
    /// A name that no link has yet.
    fn link_name(&mut self, reader: &mut Reader<'_>, node: Node<'_, '_>) -> String {
        let Some(name) = node.attribute("name") else {
            return format!("body_{}", self.robot.links.len());
        };
        if self.robot.links.iter().any(|link| link.name == name) {
            let message = format!("there are two bodies with the name `{name}`");
            reader.wrong(
                value_of(node, "name"),
                message,
                Some("give each body a name of its own"),
            );
        }
        name.to_owned()
    }
}
