//! MJCF, the format of MuJoCo: bodies with their joints, defaults, tendons, equalities and actuators.
//!
//! Conventions: <https://mujoco.readthedocs.io/en/stable/XMLreference.html>. Angles are in degrees unless `<compiler>` says
//! otherwise; joints of a body follow one another, each in the frame that the one before has moved.

mod actuators;
mod bodies;
mod defaults;
mod drives;
mod equalities;
mod geoms;
mod joints;
mod orientation;
mod said;
mod schema;
mod tendons;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use roxmltree::Node;

use self::defaults::Defaults;
use crate::articulated::Joints;
use crate::number::{Angle, rounded};
use crate::reader::{Reader, value_of};
use crate::robot::{Base, Coordinate, Link, Resistance, Robot, Step, Unit, placement};
use crate::schema::check;
use crate::spatial::{IDENTITY, Placement, scale};

/// What is known while a file is read.
struct File<'a, 't> {
    defaults: Defaults<'a, 't>,
    settings: Settings,
    robot: Robot,
    /// The placement of each link as drawn.
    drawn: Vec<Placement>,
    /// Steps of `<frame>` elements, and the frames around them.
    frames: Vec<(Option<usize>, Vec<Step>)>,
    link_names: HashMap<String, usize>,
    joint_names: HashMap<String, usize>,
    tendon_names: HashMap<String, usize>,
    site_names: HashMap<&'a str, usize>,
    /// The joints that move several ways, which no coordinate has: their kinds by their names.
    other_joints: HashMap<String, &'static str>,
    /// The coordinate at which each spring is at rest.
    rests: Vec<f64>,
    spring_dampers: Vec<SpringDamper>,
    /// The loops that are ball joints of the tree, with the parents and the bodies.
    balls: Vec<(usize, usize, usize)>,
    sites: Vec<Site<'a, 't>>,
    /// The names of tendons that are not taken over.
    spatial: HashSet<String>,
    /// Coordinates that follow others, and where the file says so.
    couplings: Vec<(usize, Range<usize>)>,
    /// Actuators whose factor of the rate is a ratio of damping.
    ratios: Vec<usize>,
    /// Links with a mass that is not computed: where, why, what to write.
    unknown_masses: Vec<(usize, Range<usize>, String, &'static str)>,
}

/// The place of an element: its body, the class around it, the frame that it is in.
#[derive(Clone, Copy)]
struct Place<'a> {
    link: usize,
    class: Option<&'a str>,
    frame: Option<usize>,
}

/// A spring by its time constant and its ratio of damping.
struct SpringDamper {
    coordinate: usize,
    numbers: [f64; 2],
    rest: Angle,
    /// The damping of the joint, which it replaces.
    damping: [f64; 3],
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
    check(reader, root, schema::known);
    let mut file = File::new(reader, root);
    let sections = |name: &'static str| root.children().filter(move |it| it.has_tag_name(name));
    for node in root.children().filter(Node::is_element) {
        match node.tag_name().name() {
            "worldbody" => file.bodies(reader, node),
            "compiler" | "default" | "equality" | "tendon" | "actuator" | "option" => {}
            _ => reader.ignore(node),
        }
    }
    file.weigh(reader);
    sections("tendon").for_each(|node| file.tendons(reader, node));
    sections("equality").for_each(|node| file.equalities(reader, node));
    sections("actuator").for_each(|node| file.actuators(reader, node));
    file.actuators_as_drawn(reader);
    file.spring_dampers();
    for site in file.sites.iter().filter(|it| !it.is_used) {
        reader.ignore(site.node);
    }
    reader.list_unknown(root, schema::known);
    file.defaults.check_classes(reader, root);
    let place = |node: Node<'_, '_>| {
        let name = node.tag_name().name();
        match node.parent().is_some_and(|it| it.has_tag_name("default")) {
            true => format!("<{name}> in <default>"),
            false => format!("<{name}>"),
        }
    };
    reader.list_unread(root, place, |node, name| {
        file.defaults.is_understood(node, name)
    });
    file.robot
}

impl<'a, 't> File<'a, 't> {
    /// A file whose settings are read.
    fn new(reader: &mut Reader<'_>, root: Node<'a, 't>) -> File<'a, 't> {
        let name = reader.word(root, "model").unwrap_or_default().to_owned();
        let world = Link {
            name: "world".to_owned(),
            range: 0..0,
            base: Base::World,
            steps: Vec::new(),
            inertial: None,
            resistance: Resistance::default(),
        };
        File {
            defaults: Defaults::read(reader, root),
            settings: settings(reader, root),
            robot: Robot {
                name,
                gravity: gravity(reader, root),
                links: vec![world],
                ..Robot::default()
            },
            drawn: vec![Placement::IDENTITY],
            frames: Vec::new(),
            link_names: HashMap::from([("world".to_owned(), 0)]),
            joint_names: HashMap::new(),
            tendon_names: HashMap::new(),
            site_names: HashMap::new(),
            other_joints: HashMap::new(),
            rests: Vec::new(),
            spring_dampers: Vec::new(),
            balls: Vec::new(),
            sites: Vec::new(),
            spatial: HashSet::new(),
            couplings: Vec::new(),
            ratios: Vec::new(),
            unknown_masses: Vec::new(),
        }
    }

    /// Completes the masses.
    fn weigh(&mut self, reader: &mut Reader<'_>) {
        let carriers = self.robot.carriers(true);
        for (link, range, message, help) in std::mem::take(&mut self.unknown_masses) {
            if carriers[link].0.is_some() {
                reader.wrong(range, message, Some(help));
            }
        }
        if let Some(total) = self.settings.total_mass {
            scale_masses(&mut self.robot, total);
        }
    }

    /// The joints as drawn, balls as three hinges: the inertias on which MuJoCo bases springs and dampers.
    fn as_drawn(&self) -> Joints {
        let mut tree = self.robot.clone();
        for &(index, parent, link) in &self.balls {
            let [before, after] = &self.robot.loops[index].frames;
            let first = tree.coordinates.len();
            for (k, axis) in IDENTITY.into_iter().enumerate() {
                let name = String::new();
                let coordinate = Coordinate::new(name, 0..0, Unit::Angle);
                tree.coordinates.push(coordinate);
                tree.links[link].steps.push(Step::Hinge(axis, first + k));
            }
            let hinges = std::mem::take(&mut tree.links[link].steps);
            let back = Step::Place(scale(-1.0, placement(after, true).place));
            tree.links[link].steps = [before.clone(), hinges, vec![back]].concat();
            tree.links[link].base = Base::Link(parent);
        }
        let drawn = tree.drawn(true);
        Joints::of(&tree, &drawn, true)
    }

    /// Springs by their time constants: k = m/(τ ζ)², d = 2 m/τ with m the inertia that the joint feels as drawn, 1/(M⁻¹)ₖₖ.
    fn spring_dampers(&mut self) {
        let mut springs = std::mem::take(&mut self.spring_dampers);
        springs.retain(|it| it.numbers.iter().all(|it| *it > 0.0));
        if springs.is_empty() {
            return;
        }
        let mobilities = self.as_drawn().mobilities();
        for spring in springs {
            let [time, ratio] = spring.numbers;
            let inertia = 1.0 / mobilities[spring.coordinate];
            if !inertia.is_finite() {
                continue;
            }
            let coordinate = &mut self.robot.coordinates[spring.coordinate];
            let stiffness = rounded(inertia / (time * ratio).powi(2));
            coordinate.spring = Some(([stiffness, 0.0, 0.0], spring.rest));
            for (damping, own) in coordinate.damping.iter_mut().zip(spring.damping) {
                *damping -= own;
            }
            coordinate.damping[0] += rounded(2.0 * inertia / time);
        }
    }
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
        settings.read(reader, node);
    }
    settings
}

impl Settings {
    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_, '_>) {
        let mut choice = |name: &str, values: &[&str]| reader.choice(node, name, values);
        if let Some(unit) = choice("angle", &["degree", "radian"]) {
            self.in_degrees = unit == "degree";
        }
        if let Some(word) = choice("autolimits", &["true", "false"]) {
            self.auto_limits = word == "true";
        }
        match choice("inertiafromgeom", &["auto", "true", "false"]) {
            Some("auto") => self.from_geoms = FromGeoms::WithoutInertial,
            Some("true") => self.from_geoms = FromGeoms::Always,
            Some(_) => self.from_geoms = FromGeoms::Never,
            None => {}
        }
        choice("coordinate", &["local"]);
        self.groups = reader
            .numbers(node, "inertiagrouprange")
            .unwrap_or(self.groups);
        if let Some(total) = reader.number(node, "settotalmass") {
            self.total_mass = Some(total).filter(|it| *it > 0.0);
        }
        if let Some(letters) = reader.word(node, "eulerseq") {
            sequence(reader, letters, value_of(node, "eulerseq"), self);
        }
        for child in node.children().filter(Node::is_element) {
            reader.ignore(child);
        }
    }
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
    let mut is_off = false;
    for node in root.children().filter(|it| it.has_tag_name("option")) {
        gravity = reader.numbers(node, "gravity").unwrap_or(gravity);
        for child in node.children().filter(Node::is_element) {
            if !child.has_tag_name("flag") {
                reader.ignore(child);
                continue;
            }
            if let Some(word) = reader.choice(child, "gravity", &["enable", "disable"]) {
                is_off = word == "disable";
            }
        }
    }
    if is_off { [0.0; 3] } else { gravity }
}
