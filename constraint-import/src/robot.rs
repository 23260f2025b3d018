//! A robot as both kinds of file describe it: links placed one after the other, coordinates, loops.
//!
//! Names are those of the file; links come after the links that they are placed from.

use std::ops::Range;

use crate::number::Angle;
use crate::spatial::{Inertia, Matrix, Placement, Vector, rotation, unit};

/// Everything that an import takes from a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Robot {
    /// Its name, perhaps empty.
    pub name: String,
    /// The scalar coordinates in the order of the file.
    pub coordinates: Vec<Coordinate>,
    /// The links, each after the one that it is placed from.
    pub links: Vec<Link>,
    /// Joints that are equations.
    pub loops: Vec<Loop>,
    /// Sums of coordinates that forces act on.
    pub tendons: Vec<Tendon>,
    /// Tendons whose lengths others determine.
    pub couplings: Vec<Coupling>,
    /// Inputs.
    pub actuators: Vec<Actuator>,
    /// The acceleration of free fall.
    pub gravity: Vector,
}

/// A rigid frame with the mass that the file gives to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Its name in the file.
    pub name: String,
    /// Its place in the file.
    pub range: Range<usize>,
    /// The frame from which `steps` begin.
    pub base: Base,
    /// From the frame of the base to that of the link.
    pub steps: Vec<Step>,
    /// Mass, centre and inertia.
    pub inertial: Option<Inertial>,
}

/// The frame from which a link is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// The world.
    World,
    /// A link before this one.
    Link(usize),
    /// None: the link has six coordinates of its own.
    Free,
}

/// A part of the way from one frame to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// A displacement.
    Place(Vector),
    /// A constant rotation.
    Turn(Vector, Angle),
    /// A rotation by a coordinate.
    Hinge(Vector, usize),
    /// A displacement by a coordinate.
    Slide(Vector, usize),
}

/// An `<inertial>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Inertial {
    /// Its place in the file.
    pub range: Range<usize>,
    /// m > 0
    pub mass: f64,
    /// From the frame of the link to the centre of mass, with the axes of the inertia.
    pub steps: Vec<Step>,
    /// I about the centre.
    pub inertia: Matrix,
}

/// The unit of a coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// rad
    Angle,
    /// m
    Length,
}

/// A scalar joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Coordinate {
    /// Its name in the file.
    pub name: String,
    /// Its place in the file.
    pub range: Range<usize>,
    /// Angle or length.
    pub unit: Unit,
    /// The least and the greatest value.
    pub limits: Option<[f64; 2]>,
    /// The greatest rate.
    pub speed: Option<f64>,
    /// The greatest force or torque.
    pub effort: Option<f64>,
    /// d in −d v
    pub damping: f64,
    /// The force of dry friction.
    pub friction: f64,
    /// k and the coordinate at rest of a spring.
    pub spring: Option<(f64, Angle)>,
    /// Inertia of the rotor, seen at the joint.
    pub armature: f64,
    /// The value at which the joint is as drawn in the file.
    pub reference: Angle,
    /// The coordinate that determines this one.
    pub follows: Option<Follows>,
}

impl Coordinate {
    /// A coordinate without any force.
    pub fn new(name: String, range: Range<usize>, unit: Unit) -> Coordinate {
        Coordinate {
            name,
            range,
            unit,
            limits: None,
            speed: None,
            effort: None,
            damping: 0.0,
            friction: 0.0,
            spring: None,
            armature: 0.0,
            reference: Angle::radians(0.0),
            follows: None,
        }
    }

    /// True if nothing determines it but the motion.
    pub fn is_free(&self) -> bool {
        self.follows.is_none()
    }
}

/// A value that other values determine: c₀ + c₁ x + c₂ x² + …, constant without a leader.
#[derive(Clone, Debug, PartialEq)]
pub struct Follows {
    /// x
    pub leader: Option<usize>,
    /// c₀, c₁, …
    pub coefficients: Vec<Angle>,
}

/// A joint that closes a loop: equations between two links.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// Its name in the file.
    pub name: String,
    /// Its place in the file.
    pub range: Range<usize>,
    /// The motions that it leaves.
    pub kind: LoopKind,
    /// Its links.
    pub links: [usize; 2],
    /// The frame of the joint in each link.
    pub frames: [Vec<Step>; 2],
}

/// The relative motions that a closing joint leaves; axes are those of its frame in the first link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LoopKind {
    /// Every rotation.
    Ball,
    /// The rotation about an axis.
    Hinge(Vector),
    /// The displacement along an axis.
    Slide(Vector),
    /// Both.
    Cylinder(Vector),
    /// None.
    Fixed,
}

/// A length that several coordinates share: a constant + Σ cᵢ qᵢ.
#[derive(Clone, Debug, PartialEq)]
pub struct Tendon {
    /// Its name in the file.
    pub name: String,
    /// Its place in the file.
    pub range: Range<usize>,
    /// Coordinates with their coefficients.
    pub terms: Vec<(usize, f64)>,
    /// The constant.
    pub offset: f64,
    /// d in −d v
    pub damping: f64,
    /// The force of dry friction.
    pub friction: f64,
    /// k and the length at rest of a spring.
    pub spring: Option<(f64, f64)>,
}

/// Length of a tendon = c₀ + c₁ x + c₂ x² + …, where x is the length of another; constant without one.
#[derive(Clone, Debug, PartialEq)]
pub struct Coupling {
    /// Its name in the file.
    pub name: String,
    /// The tendon.
    pub tendon: usize,
    /// The other one.
    pub leader: Option<usize>,
    /// c₀, c₁, …
    pub coefficients: Vec<f64>,
}

/// The length on which a force acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// A coordinate.
    Joint(usize),
    /// A tendon.
    Tendon(usize),
}

/// An input at a coordinate or a tendon.
#[derive(Clone, Debug, PartialEq)]
pub struct Actuator {
    /// Its name in the file, or that of its joint or tendon.
    pub name: String,
    /// The length that it drives.
    pub at: At,
    /// Ratio of the transmission.
    pub gear: f64,
    /// gain·u + bias₀ + bias₁ gear q + bias₂ gear q̇
    pub gain: f64,
    /// bias₀, bias₁, bias₂
    pub bias: [f64; 3],
    /// The least and the greatest force before the gear, if the law of the actuator limits it.
    pub range: Option<[f64; 2]>,
    /// True if the input is the force itself.
    pub is_force: bool,
}

impl Actuator {
    /// A motor whose input is the force on the coordinate.
    pub fn force(name: String, coordinate: usize) -> Actuator {
        Actuator {
            name,
            at: At::Joint(coordinate),
            gear: 1.0,
            gain: 1.0,
            bias: [0.0; 3],
            range: None,
            is_force: true,
        }
    }
}

/// The placement of constant steps; coordinates are zero.
pub fn placement(steps: &[Step], exact: bool) -> Placement {
    steps.iter().fold(Placement::IDENTITY, |sum, step| {
        let next = match *step {
            Step::Place(place) => Placement {
                place,
                ..Placement::IDENTITY
            },
            Step::Turn(axis, angle) => Placement {
                turn: rotation(unit(axis), angle.sin_cos(exact)),
                ..Placement::IDENTITY
            },
            Step::Hinge(..) | Step::Slide(..) => Placement::IDENTITY,
        };
        sum.then(&next)
    })
}

impl Step {
    /// True if the step does nothing.
    pub fn is_nothing(&self) -> bool {
        match self {
            Step::Place(place) => *place == [0.0; 3],
            Step::Turn(_, angle) => angle.radians == 0.0,
            Step::Hinge(..) | Step::Slide(..) => false,
        }
    }

    /// The coordinate of a joint.
    pub fn coordinate(&self) -> Option<usize> {
        match *self {
            Step::Hinge(_, coordinate) | Step::Slide(_, coordinate) => Some(coordinate),
            Step::Place(_) | Step::Turn(..) => None,
        }
    }
}

impl Inertial {
    /// Mass, centre and inertia in the axes of the link.
    pub fn in_link(&self, exact: bool) -> Inertia {
        let own = Inertia {
            mass: self.mass,
            centre: [0.0; 3],
            about_centre: self.inertia,
        };
        own.seen(&placement(&self.steps, exact))
    }
}

impl Robot {
    /// The length of a tendon for values of all coordinates.
    pub fn length(&self, tendon: usize, values: &[f64]) -> f64 {
        let Tendon { terms, offset, .. } = &self.tendons[tendon];
        terms.iter().map(|(k, by)| by * values[*k]).sum::<f64>() + offset
    }

    /// For each link, the link with which it moves as one body, and its placement there; `None` for the world.
    pub fn carriers(&self, exact: bool) -> Vec<(Option<usize>, Placement)> {
        let mut carriers: Vec<(Option<usize>, Placement)> = Vec::new();
        for (index, link) in self.links.iter().enumerate() {
            let moves = link.steps.iter().any(|step| step.coordinate().is_some());
            let own = (Some(index), Placement::IDENTITY);
            let fixed = placement(&link.steps, exact);
            carriers.push(match link.base {
                Base::Free => own,
                _ if moves => own,
                Base::World => (None, fixed),
                Base::Link(base) => {
                    let (carrier, there) = carriers[base];
                    (carrier, there.then(&fixed))
                }
            });
        }
        carriers
    }

    /// The inertias that each link carries, those of links fixed to it included, in its axes.
    pub fn carried(&self, exact: bool) -> Vec<Vec<(usize, Inertia)>> {
        let mut carried = vec![Vec::new(); self.links.len()];
        for (index, (carrier, there)) in self.carriers(exact).into_iter().enumerate() {
            let inertial = self.links[index].inertial.as_ref();
            if let (Some(carrier), Some(inertial)) = (carrier, inertial) {
                carried[carrier].push((index, inertial.in_link(exact).seen(&there)));
            }
        }
        carried
    }

    /// The order in which values can be computed: leaders before those that follow them.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = Vec::new();
        let mut waiting: Vec<usize> = (0..self.coordinates.len()).collect();
        while !waiting.is_empty() {
            let is_ready = |&k: &usize| {
                let follows = self.coordinates[k].follows.as_ref();
                follows
                    .and_then(|it| it.leader)
                    .is_none_or(|leader| order.contains(&leader))
            };
            let (ready, later): (Vec<usize>, Vec<usize>) =
                waiting.iter().partition(|k| is_ready(k));
            if ready.is_empty() {
                break;
            }
            order.extend(ready);
            waiting = later;
        }
        order
    }
}
