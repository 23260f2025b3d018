//! URDF: links and joints, put in the order of a tree.
//!
//! Conventions: <http://wiki.ros.org/urdf/XML>. `rpy` turns about the fixed axes x, y, z: Rz(yaw) Ry(pitch) Rx(roll).

mod loops;
mod schema;
mod tree;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use roxmltree::Node;

use crate::number::Angle;
use crate::reader::{Reader, start_tag, value_of};
use crate::robot::{
    Actuator, Base, Coordinate, Follows, Inertial, Link, Resistance, Robot, Step, Unit,
};
use crate::schema::check;
use crate::spatial::{Vector, across, norm, unit};

use self::loops::loops;

const X: Vector = [1.0, 0.0, 0.0];
const Y: Vector = [0.0, 1.0, 0.0];
const Z: Vector = [0.0, 0.0, 1.0];

/// The robot of a URDF file.
pub fn robot(reader: &mut Reader<'_>, root: Node<'_, '_>, floating: bool) -> Robot {
    check(reader, root, schema::known);
    let mut file = File {
        robot: Robot {
            name: reader.word(root, "name").unwrap_or_default().to_owned(),
            gravity: [0.0, 0.0, -9.81],
            ..Robot::default()
        },
        joints: Vec::new(),
        names: HashSet::new(),
        joint_names: HashMap::new(),
    };
    for node in root.children().filter(Node::is_element) {
        match node.tag_name().name() {
            "link" => file.link(reader, node),
            "joint" => file.joint(reader, node),
            "loop" | "loop_joint" | "transmission" | "ros2_control" => {}
            _ => reader.ignore(node),
        }
    }
    if file.robot.links.is_empty() && !reader.is_damaged {
        reader.wrong(
            start_tag(root),
            "the robot has no link",
            Some("write `<link name=\"…\">` in `<robot>`"),
        );
    }
    file.mimic(reader);
    let robot = std::mem::take(&mut file.robot);
    let mut robot = tree::arranged(reader, robot, &file.joints, floating);
    actuators(reader, root, &file.joint_names, &mut robot);
    loops(reader, root, &mut robot);
    list_unread(reader, root);
    robot
}

/// Adds the loops of a second file, which may have the whole robot in it, too.
pub fn second_file(reader: &mut Reader<'_>, root: Node<'_, '_>, robot: &mut Robot) {
    check(reader, root, schema::known);
    let is_loop = |it: &Node<'_, '_>| matches!(it.tag_name().name(), "loop" | "loop_joint");
    for node in root.children().filter(|it| it.is_element() && !is_loop(it)) {
        reader.ignore(node);
    }
    reader.word(root, "name");
    loops(reader, root, robot);
    list_unread(reader, root);
}

/// Lists the unread attributes.
fn list_unread(reader: &mut Reader<'_>, root: Node<'_, '_>) {
    reader.list_unknown(root, schema::known);
    let place = |node: Node<'_, '_>| format!("<{}>", node.tag_name().name());
    reader.list_unread(root, place, |_, _| false);
}

/// A joint as the file has it, before the tree is known.
#[derive(Debug)]
struct Joint {
    name: String,
    range: Range<usize>,
    kind: Kind,
    parent: (String, Range<usize>),
    child: (String, Range<usize>),
    steps: Vec<Step>,
    mimic: Option<Mimic>,
    /// Its first coordinate and their number.
    coordinates: Range<usize>,
}

impl Joint {
    /// A value of its coordinate: an angle, or a length, which no multiple of π is.
    fn value(&self, reader: &mut Reader<'_>, node: Node<'_, '_>, name: &str) -> Option<Angle> {
        match self.kind {
            Kind::Revolute => reader.radians(node, name),
            _ => reader.number(node, name).map(Angle::radians),
        }
    }
}

#[derive(Debug)]
struct Mimic {
    joint: String,
    range: Range<usize>,
    multiplier: Angle,
    offset: Angle,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Revolute,
    Prismatic,
    Planar,
    Fixed,
    Floating,
    Ball,
}

/// The types in the order of messages.
const KINDS: [(&str, Kind); 8] = [
    ("revolute", Kind::Revolute),
    ("continuous", Kind::Revolute),
    ("prismatic", Kind::Prismatic),
    ("fixed", Kind::Fixed),
    ("floating", Kind::Floating),
    ("planar", Kind::Planar),
    ("spherical", Kind::Ball),
    ("ball", Kind::Ball),
];

struct File {
    robot: Robot,
    joints: Vec<Joint>,
    /// The names of links.
    names: HashSet<String>,
    joint_names: HashMap<String, usize>,
}

impl File {
    fn link(&mut self, reader: &mut Reader<'_>, node: Node<'_, '_>) {
        let Some(name) = reader.required(node, "name") else {
            return;
        };
        if !self.names.insert(name.to_owned()) {
            let message = format!("there are two links with the name `{name}`");
            reader.wrong(
                value_of(node, "name"),
                message,
                Some("give each link a name of its own"),
            );
            return;
        }
        let mut inertial = None;
        for child in node.children().filter(Node::is_element) {
            match child.tag_name().name() {
                "inertial" => inertial = read_inertial(reader, child, name),
                _ => reader.ignore(child),
            }
        }
        self.robot.links.push(Link {
            name: name.to_owned(),
            range: value_of(node, "name"),
            base: Base::World,
            steps: Vec::new(),
            inertial,
            resistance: Resistance::default(),
        });
    }

    fn joint(&mut self, reader: &mut Reader<'_>, node: Node<'_, '_>) {
        let [name, kind] = ["name", "type"].map(|it| reader.required(node, it));
        let [parent, child] = ["parent", "child"].map(|it| end(reader, node, it));
        let (Some(name), Some(kind)) = (name, kind) else {
            return;
        };
        if self.joint_names.contains_key(name) {
            let message = format!("there are two joints with the name `{name}`");
            reader.wrong(
                value_of(node, "name"),
                message,
                Some("give each joint a name of its own"),
            );
            return;
        }
        let Some(&(_, kind)) = KINDS.iter().find(|it| it.0 == kind) else {
            let known: Vec<&str> = KINDS[..6].iter().map(|it| it.0).collect();
            let message = format!("`{kind}` is not a type of joint");
            let help = format!("the types are {}", known.join(", "));
            reader.wrong(value_of(node, "type"), message, Some(&help));
            return;
        };
        let (Some(parent), Some(child)) = (parent, child) else {
            return;
        };
        let mut joint = Joint {
            name: name.to_owned(),
            range: value_of(node, "name"),
            kind,
            parent,
            child,
            steps: element(node, "origin").map_or_else(Vec::new, |it| origin(reader, it)),
            mimic: None,
            coordinates: 0..0,
        };
        self.moves(reader, node, &mut joint);
        self.joint_names.insert(name.to_owned(), self.joints.len());
        self.joints.push(joint);
    }

    /// Adds the coordinates of a joint and its steps by them.
    fn moves(&mut self, reader: &mut Reader<'_>, node: Node<'_, '_>, joint: &mut Joint) {
        let first = self.robot.coordinates.len();
        joint.coordinates = first..first;
        let (name, range) = (&joint.name, &joint.range);
        let new =
            |suffix: &str, unit| Coordinate::new(format!("{name}{suffix}"), range.clone(), unit);
        let Some(axis) = axis(reader, node) else {
            return;
        };
        match joint.kind {
            Kind::Fixed | Kind::Floating | Kind::Ball => {}
            Kind::Revolute => {
                self.robot.coordinates.push(new("", Unit::Angle));
                joint.steps.push(Step::Hinge(axis, first));
            }
            Kind::Prismatic => {
                self.robot.coordinates.push(new("", Unit::Length));
                joint.steps.push(Step::Slide(axis, first));
            }
            Kind::Planar => {
                for (suffix, unit) in [
                    ("_x", Unit::Length),
                    ("_y", Unit::Length),
                    ("_angle", Unit::Angle),
                ] {
                    self.robot.coordinates.push(new(suffix, unit));
                }
                let [u, w] = across(unit(axis));
                joint.steps.extend([
                    Step::Slide(u, first),
                    Step::Slide(w, first + 1),
                    Step::Hinge(axis, first + 2),
                ]);
            }
        }
        joint.coordinates.end = self.robot.coordinates.len();
        self.forces(reader, node, joint);
    }

    /// Reads limits, damping, friction and mimicry.
    fn forces(&mut self, reader: &mut Reader<'_>, node: Node<'_, '_>, joint: &mut Joint) {
        for child in node.children().filter(Node::is_element) {
            match child.tag_name().name() {
                "origin" | "axis" | "parent" | "child" => {}
                "limit" | "dynamics" if joint.coordinates.is_empty() => reader.ignore(child),
                "limit" => self.limits(reader, (node, child), joint),
                "dynamics" => {
                    let [damping, friction] =
                        ["damping", "friction"].map(|it| reader.number(child, it).unwrap_or(0.0));
                    for coordinate in &mut self.robot.coordinates[joint.coordinates.clone()] {
                        coordinate.damping = [damping, 0.0, 0.0];
                        coordinate.friction = friction;
                    }
                }
                "mimic" => joint.mimic = mimic(reader, child, joint),
                _ => reader.ignore(child),
            }
        }
    }

    fn limits(
        &mut self,
        reader: &mut Reader<'_>,
        (node, limit): (Node<'_, '_>, Node<'_, '_>),
        joint: &Joint,
    ) {
        // A continuous joint has none by its definition, so that those in the file are listed.
        let is_bounded = node.attribute("type") != Some("continuous");
        let mut bound = |name| reader.number(limit, name);
        let both = is_bounded.then(|| ["lower", "upper"].map(|it| bound(it).unwrap_or(0.0)));
        let [effort, velocity] = ["effort", "velocity"].map(&mut bound);
        let is_written = ["lower", "upper"].iter().any(|it| limit.has_attribute(*it));
        let zeros = [
            ("the range", is_written && both == Some([0.0; 2])),
            ("the effort", effort == Some(0.0)),
            ("the velocity", velocity == Some(0.0)),
        ];
        let zeros: Vec<&str> = zeros.iter().filter(|it| it.1).map(|it| it.0).collect();
        if !zeros.is_empty() {
            // Some exporters say so that there are none.
            let (what, name) = (zeros.join(" and "), &joint.name);
            let note = format!("{what} of the joint `{name}` is zero, which counts as no limit");
            reader.notes.push(note);
        }
        for coordinate in &mut self.robot.coordinates[joint.coordinates.clone()] {
            coordinate.limits = both.filter(|it| *it != [0.0; 2]);
            coordinate.effort = effort.filter(|it| *it > 0.0);
            coordinate.speed = velocity.filter(|it| *it > 0.0);
        }
    }

    /// Connects joints with the joints that they mimic.
    fn mimic(&mut self, reader: &mut Reader<'_>) {
        for joint in &self.joints {
            if let Some(mimic) = &joint.mimic
                && let Some(follows) = self.follows(reader, joint, mimic)
            {
                self.robot.coordinates[joint.coordinates.start].follows = Some(follows);
            }
        }
        let mut is_ordered = vec![false; self.robot.coordinates.len()];
        for k in self.robot.order() {
            is_ordered[k] = true;
        }
        if let Some(k) = is_ordered.iter().position(|it| !it) {
            let Coordinate { name, range, .. } = &self.robot.coordinates[k];
            let message = format!("`{name}` mimics itself, perhaps through other joints");
            let help = "let one of these joints move freely";
            reader.wrong(range.clone(), message, Some(help));
        }
    }

    /// The value of a joint that mimics another one.
    fn follows(&self, reader: &mut Reader<'_>, joint: &Joint, mimic: &Mimic) -> Option<Follows> {
        let (name, of) = (&joint.name, &mimic.joint);
        if joint.kind == Kind::Fixed {
            let line = reader.line(mimic.range.start);
            reader.ignore_named("<mimic> of a fixed joint".to_owned(), line);
            return None;
        }
        let Some(&leader) = self.joint_names.get(of) else {
            let meant = reader.among(of, self.joint_names.keys().map(String::as_str));
            let message = format!("`{name}` mimics the joint `{of}`, which does not exist{meant}");
            reader.wrong(mimic.range.clone(), message, None);
            return None;
        };
        let leader = &self.joints[leader];
        let is_held = leader.kind == Kind::Fixed;
        match (leader.coordinates.len(), joint.coordinates.len()) {
            (1, 1) => Some(Follows {
                leader: Some(leader.coordinates.start),
                coefficients: vec![mimic.offset, mimic.multiplier],
            }),
            (0, 1) if is_held => {
                let note = format!("`{name}` mimics the fixed joint `{of}`: held");
                reader.notes.push(note);
                Some(Follows {
                    leader: None,
                    coefficients: vec![mimic.offset],
                })
            }
            _ => {
                let message = format!(
                    "`{name}` mimics `{of}`, but only joints with one coordinate mimic each other"
                );
                reader.wrong(mimic.range.clone(), message, None);
                None
            }
        }
    }
}

/// The first child of this name.
fn element<'a, 't>(node: Node<'a, 't>, name: &str) -> Option<Node<'a, 't>> {
    node.children().find(|it| it.tag_name().name() == name)
}

/// `<parent link="…"/>`
fn end(reader: &mut Reader<'_>, joint: Node<'_, '_>, name: &str) -> Option<(String, Range<usize>)> {
    let Some(node) = element(joint, name) else {
        let joint_name = joint.attribute("name").unwrap_or_default();
        let message = format!("the joint `{joint_name}` has no `<{name}>`");
        let help = format!("write `<{name} link=\"…\"/>` in it");
        reader.wrong(start_tag(joint), message, Some(&help));
        return None;
    };
    let link = reader.required(node, "link")?;
    Some((link.to_owned(), value_of(node, "link")))
}

/// `xyz` and `rpy` of an element.
fn origin(reader: &mut Reader<'_>, node: Node<'_, '_>) -> Vec<Step> {
    let mut steps = vec![Step::Place(reader.numbers(node, "xyz").unwrap_or_default())];
    if let Some([roll, pitch, yaw]) = reader.words::<3>(node, "rpy") {
        for (axis, (word, number)) in [(Z, yaw), (Y, pitch), (X, roll)] {
            steps.push(Step::Turn(axis, reader.angle(node, word, number)));
        }
    }
    steps.retain(|step| !step.is_nothing());
    steps
}

/// The axis of a joint; `None` after a mistake.
fn axis(reader: &mut Reader<'_>, joint: Node<'_, '_>) -> Option<Vector> {
    let Some(node) = element(joint, "axis") else {
        return Some(X);
    };
    let mistakes = reader.mistakes.len();
    let axis = reader.numbers(node, "xyz");
    if reader.mistakes.len() > mistakes {
        return None;
    }
    let axis = axis.unwrap_or(X);
    if norm(axis) == 0.0 && joint.attribute("type") != Some("fixed") {
        reader.wrong(
            value_of(node, "xyz"),
            "the axis has no direction",
            Some("write a unit vector: `<axis xyz=\"0 0 1\"/>`"),
        );
        return None;
    }
    Some(axis)
}

fn mimic(reader: &mut Reader<'_>, node: Node<'_, '_>, own: &Joint) -> Option<Mimic> {
    let joint = reader.required(node, "joint")?.to_owned();
    let multiplier = reader.number(node, "multiplier").unwrap_or(1.0);
    Some(Mimic {
        joint,
        range: value_of(node, "joint"),
        multiplier: Angle::radians(multiplier),
        offset: own
            .value(reader, node, "offset")
            .unwrap_or(Angle::radians(0.0)),
    })
}

fn read_inertial(reader: &mut Reader<'_>, node: Node<'_, '_>, link: &str) -> Option<Inertial> {
    let steps = element(node, "origin").map_or_else(Vec::new, |it| origin(reader, it));
    let Some(mass) = element(node, "mass") else {
        let message = format!("the `<inertial>` of `{link}` has no `<mass>`");
        reader.wrong(
            start_tag(node),
            message,
            Some("write `<mass value=\"…\"/>` in it, or leave it out for a link without mass"),
        );
        return None;
    };
    reader.required(mass, "value")?;
    let m = reader.number(mass, "value")?;
    if m < 0.0 {
        reader.wrong(
            value_of(mass, "value"),
            format!("the mass of `{link}` is negative"),
            None,
        );
        return None;
    }
    let mut inertia = [[0.0; 3]; 3];
    if let Some(given) = element(node, "inertia") {
        let names = [
            ("ixx", 0, 0),
            ("ixy", 0, 1),
            ("ixz", 0, 2),
            ("iyy", 1, 1),
            ("iyz", 1, 2),
            ("izz", 2, 2),
        ];
        for (name, i, j) in names {
            let entry = reader.number(given, name).unwrap_or(0.0);
            (inertia[i][j], inertia[j][i]) = (entry, entry);
        }
    }
    let is_nothing = m == 0.0 && inertia == [[0.0; 3]; 3];
    (!is_nothing).then(|| Inertial {
        range: start_tag(node),
        mass: m,
        steps,
        inertia,
    })
}

/// Inputs at the joints of `<transmission>` and `<ros2_control>`, or else at all that move freely.
fn actuators(
    reader: &mut Reader<'_>,
    root: Node<'_, '_>,
    joints: &HashMap<String, usize>,
    robot: &mut Robot,
) {
    let mut named: HashSet<&str> = HashSet::new();
    for node in root.children().filter(Node::is_element) {
        if !matches!(node.tag_name().name(), "transmission" | "ros2_control") {
            continue;
        }
        for joint in commanded(reader, node) {
            let Some(name) = reader.required(joint, "name") else {
                continue;
            };
            named.insert(name);
            if !joints.contains_key(name) {
                let meant = reader.among(name, joints.keys().map(String::as_str));
                let message = format!("there is no joint `{name}`{meant}");
                reader.wrong(value_of(joint, "name"), message, None);
            }
        }
    }
    for (index, coordinate) in robot.coordinates.iter().enumerate() {
        let is_named = named.is_empty() || named.contains(coordinate.name.as_str());
        if coordinate.is_free() && is_named {
            let name = coordinate.name.clone();
            robot.actuators.push(Actuator::force(name, index));
        }
    }
}

/// The joints that a `<transmission>` or a `<ros2_control>` drives; all else in it is listed.
fn commanded<'a, 't>(reader: &mut Reader<'_>, node: Node<'a, 't>) -> Vec<Node<'a, 't>> {
    let is_reduction = |it: &Node<'_, '_>| {
        it.has_tag_name("mechanicalReduction") && it.text().is_some_and(|it| it.trim() != "1")
    };
    if node.descendants().any(|it| is_reduction(&it)) {
        reader.ignore_part(
            node,
            "<mechanicalReduction>: inputs are torques at the joint",
        );
    }
    let mut joints = Vec::new();
    for child in node.children().filter(Node::is_element) {
        let tag = node.tag_name().name();
        let is_command = |it: &Node<'_, '_>| it.has_tag_name("command_interface");
        let is_driven = tag == "transmission" || child.children().any(|it| is_command(&it));
        if child.has_tag_name("joint") && is_driven {
            joints.push(child);
            let interfaces = child.children().filter(Node::is_element);
            interfaces.for_each(|it| reader.ignore(it));
        } else {
            let inner = child.tag_name().name();
            reader.ignore_as(child, format!("<{inner}> in <{tag}>"));
        }
    }
    joints
}
