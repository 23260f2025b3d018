//! The text of a robot: a call of `system!` and the limits of its joints.
//!
//! Input: a [`Robot`] and its [`Closing`]. Output: Rust that a person can read and edit.

mod header;
mod motion;
mod quantities;
mod rows;
mod statements;

pub use self::header::not_taken_over;
use crate::Options;
use crate::closing::Closing;
use crate::inertia::{Form, form, reaches};
use crate::names::{Names, identifier, type_name};
use crate::number::number;
use crate::reader::Reader;
use crate::robot::{Actuator, At, Base, Robot, Unit};
use crate::spatial::Inertia;

/// Everything that the statements refer to.
pub struct Writer<'a> {
    robot: &'a Robot,
    closing: &'a Closing,
    options: &'a Options,
    type_name: String,
    /// The names of coordinates, links, tendons, inputs and loops.
    coordinates: Vec<String>,
    links: Vec<String>,
    tendons: Vec<String>,
    /// The bodies or particles of links that carry mass.
    bodies: Vec<Option<Carried>>,
    inputs: Vec<String>,
    /// The actuators at each coordinate, and at each tendon.
    at_joints: Vec<Vec<usize>>,
    at_tendons: Vec<Vec<usize>>,
    loops: Vec<String>,
    places: Vec<Option<String>>,
    names: Names,
    /// Fields of the struct.
    parameters: Vec<String>,
    statements: String,
}

/// The mass that moves with a link.
struct Carried {
    name: String,
    /// The name of the link.
    link: String,
    /// The links of which it is composed.
    parts: Vec<usize>,
    inertia: Inertia,
    form: Form,
    /// True if its frame is that of the link.
    is_link: bool,
}

/// The width of a line of text.
const WIDTH: usize = 110;

impl<'a> Writer<'a> {
    /// Chooses all names.
    pub fn new(robot: &'a Robot, closing: &'a Closing, options: &'a Options) -> Writer<'a> {
        let mut names = Names::default();
        ["g", "slip_rate"].iter().for_each(|it| names.reserve(it));
        let mut of = |kind, name: &str, otherwise| names.of(kind, name, otherwise);
        let coordinates = robot.coordinates.iter();
        let coordinates = coordinates.map(|it| of("joint", &it.name, "")).collect();
        let links = robot.links.iter();
        let links: Vec<String> = links.map(|it| of("link", &it.name, "_link")).collect();
        let tendons = robot.tendons.iter();
        let tendons = tendons
            .map(|it| of("tendon", &it.name, "_tendon"))
            .collect();
        let inputs = robot.actuators.iter();
        let inputs = inputs.map(|it| input(robot, it, &mut names)).collect();
        let loops = robot.loops.iter();
        let loops = loops
            .map(|it| names.of("loop", &it.name, "_loop"))
            .collect();
        let places = places(robot, &links, options.exact_numbers, &mut names);
        let bodies = bodies(robot, &links, options.exact_numbers, &mut names);
        let [at_joints, at_tendons] = places_of_actuators(robot);
        let given = options.name.clone();
        Writer {
            type_name: given.unwrap_or_else(|| type_name(&robot.name)),
            robot,
            closing,
            options,
            coordinates,
            links,
            tendons,
            bodies,
            inputs,
            at_joints,
            at_tendons,
            loops,
            places,
            names,
            parameters: Vec::new(),
            statements: String::new(),
        }
    }

    /// The whole text; `checked` adds an output for each link.
    pub fn text(mut self, reader: &Reader<'_>, checked: bool) -> String {
        self.motion();
        self.rows();
        self.couplings();
        self.actions();
        self.outputs(checked);
        let head = self.header(reader);
        let limits = self.limits();
        let (options, declaration) = (self.attributes(), self.declaration());
        format!(
            "{head}\nconstraint_runtime::system! {{\n{options}{declaration}{}}}\n{limits}",
            self.statements
        )
    }

    /// Adds a line of the call.
    fn line(&mut self, line: &str) {
        if line.is_empty() {
            self.statements.push('\n');
        } else {
            self.statements += &format!("    {line}\n");
        }
    }

    fn vector(&self, v: [f64; 3]) -> String {
        format!("[{}]", v.map(number).join(", "))
    }
}

/// The actuators at each coordinate, and at each tendon.
fn places_of_actuators(robot: &Robot) -> [Vec<Vec<usize>>; 2] {
    let mut at_joints = vec![Vec::new(); robot.coordinates.len()];
    let mut at_tendons = vec![Vec::new(); robot.tendons.len()];
    for (index, actuator) in robot.actuators.iter().enumerate() {
        match actuator.at {
            At::Joint(k) => at_joints[k].push(index),
            At::Tendon(k) => at_tendons[k].push(index),
        }
    }
    [at_joints, at_tendons]
}

/// The names of outputs, of the links that end a chain.
fn places(robot: &Robot, links: &[String], exact: bool, names: &mut Names) -> Vec<Option<String>> {
    let is_end = ends(robot, exact);
    let places = links.iter().zip(is_end).map(|(link, is_end)| {
        let place = format!("{link}_place");
        is_end.then(|| names.fresh(&place, "_output"))
    });
    places.collect()
}

/// The masses that move with links.
fn bodies(robot: &Robot, links: &[String], exact: bool, names: &mut Names) -> Vec<Option<Carried>> {
    let reaches = reaches(robot);
    let carried = robot.carried(exact).into_iter().enumerate();
    let bodies = carried.map(|(k, parts)| {
        let has_mass = !parts.is_empty();
        has_mass.then(|| carried_by(robot, k, &parts, reaches[k], &links[k], names))
    });
    bodies.collect()
}

/// Which links end a chain: no other link is placed from them, and no joint is after the body that carries them. So frames of
/// sensors on a trunk are none.
fn ends(robot: &Robot, exact: bool) -> Vec<bool> {
    let carriers: Vec<Option<usize>> = robot.carriers(exact).iter().map(|it| it.0).collect();
    let bases = robot.links.iter().map(|link| match link.base {
        Base::Link(base) => Some(base),
        Base::World | Base::Free => None,
    });
    let bases: Vec<Option<usize>> = bases.collect();
    let mut is_base = vec![false; robot.links.len()];
    let mut is_before = is_base.clone();
    for (k, base) in bases.iter().enumerate() {
        let Some(base) = *base else {
            continue;
        };
        is_base[base] = true;
        if let (true, Some(carrier)) = (carriers[k] == Some(k), carriers[base]) {
            is_before[carrier] = true;
        }
    }
    let is_end = |k: usize| !is_base[k] && carriers[k].is_some_and(|it| !is_before[it]);
    (0..robot.links.len()).map(is_end).collect()
}

/// The name of an input: that of its actuator; if a joint has it, too, what the input is.
fn input(robot: &Robot, actuator: &Actuator, names: &mut Names) -> String {
    let (name, unit) = match actuator.at {
        At::Joint(k) => (&robot.coordinates[k].name, robot.coordinates[k].unit),
        At::Tendon(k) => (&robot.tendons[k].name, Unit::Length),
    };
    let suffix = match (actuator.name == *name, actuator.is_force, unit) {
        (false, ..) => "",
        (true, false, _) => "_command",
        (true, true, Unit::Angle) => "_torque",
        (true, true, Unit::Length) => "_force",
    };
    names.fresh(&(identifier(&actuator.name, "input") + suffix), "_input")
}

/// The mass that moves with a link, its numbers those of the file where one inertial needs no rotation.
fn carried_by(
    robot: &Robot,
    link: usize,
    parts: &[(usize, Inertia)],
    reach: f64,
    name: &str,
    names: &mut Names,
) -> Carried {
    let inertia = match parts {
        [(_, only)] => *only,
        _ => Inertia::lumped(&parts.iter().map(|it| it.1).collect::<Vec<_>>()),
    };
    let is_as_written = match parts {
        [(own, _)] => {
            *own == link
                && robot.links[link]
                    .inertial
                    .as_ref()
                    .is_some_and(|it| it.steps.iter().all(is_place))
        }
        _ => false,
    };
    let inertia = if is_as_written {
        inertia
    } else {
        inertia.without_noise()
    };
    let (form, _) = form(&inertia, reach);
    let is_link = inertia.centre == [0.0; 3] && form == Form::Body;
    Carried {
        form,
        link: name.to_owned(),
        name: if is_link {
            name.to_owned()
        } else {
            names.fresh(&format!("{name}_inertial"), "_body")
        },
        parts: parts.iter().map(|it| it.0).collect(),
        inertia,
        is_link,
    }
}

fn is_place(step: &crate::robot::Step) -> bool {
    matches!(step, crate::robot::Step::Place(_))
}
