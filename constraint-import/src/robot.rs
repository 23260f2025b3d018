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
    /// The forces on each of its own coordinates, if its base is [`Base::Free`].
    pub resistance: Resistance,
}

/// What the six coordinates of a link that moves freely have in common: the velocity of its origin in the axes of the world,
/// the angular velocity in its own axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Resistance {
    /// d in −d v and −d ω
    pub damping: f64,
    /// The force, or torque, of dry friction along each axis.
    pub friction: f64,
    /// a in ½ a (|v|² + |ω|²)
    pub armature: f64,
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
    /// The least and the greatest sum of the forces of actuators, if the law of the joint limits it.
    pub force_range: Option<[f64; 2]>,
    /// d₀, d₁, d₂ in −(d₀ + d₁ |v| + d₂ v²) v
    pub damping: [f64; 3],
    /// The force of dry friction.
    pub friction: f64,
    /// k₀, k₁, k₂ in −(k₀ + k₁ x + k₂ x²) x, x the distance from rest, and the coordinate at rest of a spring.
    pub spring: Option<([f64; 3], Angle)>,
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
            force_range: None,
            damping: [0.0; 3],
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
    /// The least and the greatest sum of the forces of actuators, if the law of the tendon limits it.
    pub force_range: Option<[f64; 2]>,
    /// d₀, d₁, d₂ in −(d₀ + d₁ |v| + d₂ v²) v
    pub damping: [f64; 3],
    /// The force of dry friction.
    pub friction: f64,
    /// k₀, k₁, k₂ in −(k₀ + k₁ x + k₂ x²) x, x the distance from rest, and the length at rest of a spring.
    pub spring: Option<([f64; 3], f64)>,
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
    /// The least and the greatest input, which nothing enforces.
    pub inputs: Option<[f64; 2]>,
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
            inputs: None,
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

    /// The coordinate that determines another one in the end; `None` if that is held.
    pub fn leader(&self, coordinate: usize) -> Option<usize> {
        let mut next = coordinate;
        while let Some(follows) = &self.coordinates[next].follows {
            next = follows.leader?;
        }
        Some(next)
    }

    /// For each coordinate that follows another one, the derivative of its value by that of its leader.
    pub fn slopes(&self, values: &[f64], exact: bool) -> Vec<f64> {
        let slope = |coordinate: &Coordinate| {
            let follows = coordinate.follows.as_ref()?;
            let x = values[follows.leader?];
            let powers = follows.coefficients.iter().enumerate().skip(1).rev();
            Some(powers.fold(0.0, |sum, (k, c)| sum * x + k as f64 * c.value(exact)))
        };
        let slopes = self.coordinates.iter().map(|it| slope(it).unwrap_or(0.0));
        slopes.collect()
    }

    /// The order in which values can be computed: leaders before those that follow them. Coordinates that follow themselves
    /// are not in it.
    pub fn order(&self) -> Vec<usize> {
        let levels = self.levels();
        let mut order: Vec<usize> = (0..levels.len()).filter(|k| levels[*k].is_some()).collect();
        order.sort_by_key(|k| levels[*k]);
        order
    }

    /// The number of leaders before each coordinate; `None` for those that follow themselves.
    fn levels(&self) -> Vec<Option<usize>> {
        let count = self.coordinates.len();
        let mut levels = vec![None; count];
        let mut is_known = vec![false; count];
        for k in 0..count {
            // The chain of leaders up to one whose level is known.
            let mut chain = Vec::new();
            let mut next = Some(k);
            while let Some(at) = next.filter(|it| !is_known[*it] && chain.len() <= count) {
                chain.push(at);
                let follows = self.coordinates[at].follows.as_ref();
                next = follows.and_then(|it| it.leader);
            }
            let is_cycle = chain.len() > count;
            let mut level = next.map_or(Some(0), |it| levels[it].map(|it: usize| it + 1));
            for &at in chain.iter().rev() {
                levels[at] = level.filter(|_| !is_cycle);
                is_known[at] = true;
                level = levels[at].map(|it| it + 1);
            }
        }
        levels
    }
}
