//! Forward kinematics and energies computed from the numbers of the file: what the written text must agree with.
//!
//! This module knows nothing of the text. Where it is `exact`, rounded multiples of π have the value of the multiple;
//! otherwise every number has the digits of the file.

use crate::robot::{Base, Robot, Step, placement};
use crate::spatial::{
    Inertia, Placement, Vector, add, apply, cross, dot, multiply, rotation, scale, transpose, unit,
};

/// Values and rates of everything that moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// The value of each coordinate of the robot, with those that follow others.
    pub values: Vec<f64>,
    /// Their rates.
    pub rates: Vec<f64>,
    /// Placement, velocity of the origin and angular velocity of each link that has coordinates of its own, in the order of
    /// the links.
    pub free: Vec<Moved>,
}

/// A frame that moves: all in the axes of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moved {
    /// Its place.
    pub placement: Placement,
    /// Velocity of its origin.
    pub velocity: Vector,
    /// ω
    pub spin: Vector,
}

/// The frame of the world.
pub(crate) const WORLD: Moved = Moved {
    placement: Placement::IDENTITY,
    velocity: [0.0; 3],
    spin: [0.0; 3],
};

impl Robot {
    /// Values and rates of all coordinates, given those of the free ones in their order.
    pub fn completed(&self, free: &[f64], rates: &[f64], exact: bool) -> [Vec<f64>; 2] {
        let mut given = free.iter().zip(rates);
        let (mut values, mut all_rates) = (
            vec![0.0; self.coordinates.len()],
            vec![0.0; self.coordinates.len()],
        );
        for (k, coordinate) in self.coordinates.iter().enumerate() {
            if coordinate.is_free()
                && let Some((value, rate)) = given.next()
            {
                (values[k], all_rates[k]) = (*value, *rate);
            }
        }
        for k in self.order() {
            if let Some(follows) = &self.coordinates[k].follows {
                let (x, v) = follows
                    .leader
                    .map_or((0.0, 0.0), |it| (values[it], all_rates[it]));
                // Horner's rule for c₀ + c₁ x + … and its derivative.
                let (mut value, mut slope) = (0.0, 0.0);
                for coefficient in follows.coefficients.iter().rev() {
                    slope = slope * x + value;
                    value = value * x + coefficient.value(exact);
                }
                (values[k], all_rates[k]) = (value, slope * v);
            }
        }
        [values, all_rates]
    }

    /// The state in which the file draws the robot, at rest; free bodies are at the origin.
    pub fn drawn(&self, exact: bool) -> Motion {
        let free = self.coordinates.iter().filter(|it| it.is_free());
        let values: Vec<f64> = free.map(|it| it.reference.value(exact)).collect();
        let rates = vec![0.0; values.len()];
        let [values, rates] = self.completed(&values, &rates, exact);
        Motion {
            values,
            rates,
            free: Vec::new(),
        }
    }

    /// The motion of every link.
    pub fn moved(&self, motion: &Motion, exact: bool) -> Vec<Moved> {
        let mut moved: Vec<Moved> = Vec::new();
        let mut free = motion.free.iter();
        for link in &self.links {
            let base = match link.base {
                Base::World => WORLD,
                Base::Link(base) => moved[base],
                Base::Free => free.next().copied().unwrap_or(WORLD),
            };
            moved.push(
                link.steps
                    .iter()
                    .fold(base, |frame, step| self.stepped(frame, step, motion, exact)),
            );
        }
        moved
    }

    /// The motion of the centre of mass of each link that moves freely, with what is fixed to it: its coordinates and
    /// velocities in the text.
    pub fn free_bodies(&self, motion: &Motion, exact: bool) -> Vec<Moved> {
        let moved = self.moved(motion, exact);
        let carried = self.carried(exact);
        let free = (0..self.links.len()).filter(|&k| self.links[k].base == Base::Free);
        let bodies = free.map(|k| {
            let parts: Vec<Inertia> = carried[k].iter().map(|it| it.1).collect();
            moved[k].at(Inertia::lumped(&parts).centre)
        });
        bodies.collect()
    }

    pub(crate) fn stepped(&self, frame: Moved, step: &Step, motion: &Motion, exact: bool) -> Moved {
        let turn = frame.placement.turn;
        let coordinate = |k: usize| {
            let reference = self.coordinates[k].reference.value(exact);
            (motion.values[k] - reference, motion.rates[k])
        };
        match *step {
            Step::Place(place) => frame.at(place),
            Step::Turn(axis, angle) => frame.turned(axis, angle.sin_cos(exact), 0.0),
            Step::Hinge(axis, k) => {
                let (value, rate) = coordinate(k);
                frame.turned(axis, value.sin_cos().into(), rate)
            }
            Step::Slide(axis, k) => {
                let (value, rate) = coordinate(k);
                let mut slid = frame.at(scale(value, unit(axis)));
                slid.velocity = add(slid.velocity, scale(rate, apply(&turn, unit(axis))));
                slid
            }
        }
    }

    /// Σ ½ m |v|² + ½ ω·I ω, with the rotors.
    pub fn kinetic_energy(&self, motion: &Motion, exact: bool) -> f64 {
        let of_links = self
            .links
            .iter()
            .zip(self.moved(motion, exact))
            .map(|(link, moved)| {
                let Some(inertial) = &link.inertial else {
                    return 0.0;
                };
                let own = placement(&inertial.steps, exact);
                let centre = moved.at(own.place);
                let axes = multiply(&moved.placement.turn, &own.turn);
                let spin = apply(&transpose(&axes), moved.spin);
                let turning = dot(spin, apply(&inertial.inertia, spin));
                let own = dot(moved.velocity, moved.velocity) + dot(moved.spin, moved.spin);
                let rotor = link.resistance.armature * own;
                0.5 * (inertial.mass * dot(centre.velocity, centre.velocity) + turning + rotor)
            });
        let rotors = self.coordinates.iter().zip(&motion.rates);
        of_links.sum::<f64>()
            + rotors
                .map(|(it, rate)| 0.5 * it.armature * rate * rate)
                .sum::<f64>()
    }

    /// −Σ m g·c, with the springs. Links fixed to the world do not count.
    pub fn potential_energy(&self, motion: &Motion, exact: bool) -> f64 {
        let carriers = self.carriers(exact);
        let moved = self.moved(motion, exact);
        let weights = self
            .links
            .iter()
            .enumerate()
            .filter(|(k, _)| carriers[*k].0.is_some());
        let weights = weights.filter_map(|(k, link)| {
            let inertial = link.inertial.as_ref()?;
            let centre = moved[k]
                .at(placement(&inertial.steps, exact).place)
                .placement
                .place;
            Some(-inertial.mass * dot(self.gravity, centre))
        });
        let springs = self
            .coordinates
            .iter()
            .zip(&motion.values)
            .filter_map(|(it, value)| {
                let (k, rest) = it.spring?;
                Some(stretched(k, value - rest.value(exact)))
            });
        let tendons = self.tendons.iter().enumerate().filter_map(|(i, it)| {
            let (k, rest) = it.spring?;
            Some(stretched(k, self.length(i, &motion.values) - rest))
        });
        weights.sum::<f64>() + springs.sum::<f64>() + tendons.sum::<f64>()
    }
}

/// The energy of a spring whose force is −(k₀ + k₁ x + k₂ x²) x.
fn stretched([k0, k1, k2]: [f64; 3], x: f64) -> f64 {
    x * x * (k0 / 2.0 + x * (k1 / 3.0 + x * k2 / 4.0))
}

impl Moved {
    /// A frame at a point of this one.
    pub fn at(&self, place: Vector) -> Moved {
        let arm = apply(&self.placement.turn, place);
        Moved {
            placement: Placement {
                place: add(self.placement.place, arm),
                ..self.placement
            },
            velocity: add(self.velocity, cross(self.spin, arm)),
            ..*self
        }
    }

    /// This frame turned about an axis of its own.
    fn turned(&self, axis: Vector, angle: [f64; 2], rate: f64) -> Moved {
        let axis = unit(axis);
        Moved {
            placement: Placement {
                turn: multiply(&self.placement.turn, &rotation(axis, angle)),
                ..self.placement
            },
            spin: add(self.spin, scale(rate, apply(&self.placement.turn, axis))),
            ..*self
        }
    }
}
