//! The arguments of functions of systems at a point, or a direction of change.

use crate::certify::Gap;
use std::ops::Range;

use super::statements::Given;
use crate::certify::bodies::Pose;
use crate::certify::field::Residue;
use crate::certify::point::{Point, Stop};
use crate::expr::{CollectVec, PushEach, SymbolId};
use crate::function::Dimension;
use crate::function::run::{Leaves, PARTS};
use crate::model::{Declared, Parameter, Role, System};
use crate::system::loops::routine::{Array, Varied};

/// The arguments of functions.
#[derive(Clone, Debug)]
pub struct Arguments<'a> {
    pub system: &'a System,
    pub given: Given,
    /// Random accelerations, also used as a direction.
    pub a: Vec<Residue>,
    pub b: Vec<Residue>,
    pub of_derivatives: OfDerivatives,
    /// True for a direction of change, in which the system's constants do not change.
    pub is_change: bool,
}

/// The further arguments of derivatives, all random.
#[derive(Clone, Debug, Default)]
pub struct OfDerivatives {
    /// (δt, δq, δv, δu, δp)
    pub tangent: Vec<Residue>,
    /// v̇*
    pub acceleration: Vec<Residue>,
    /// λ*
    pub multiplier: Vec<Residue>,
    /// w*
    pub correction: Vec<Residue>,
    /// y*
    pub outputs: Vec<Residue>,
    /// λ of a descriptor pair.
    pub reaction: Vec<Residue>,
    /// Forces on rows of one side.
    pub pressed: Vec<Residue>,
    /// What a gradient counts of them.
    pub sides: Vec<Residue>,
}

impl OfDerivatives {
    /// Random arguments; empty if derivatives are not requested.
    pub fn new(system: &System, point: &mut Point) -> OfDerivatives {
        if system.options.derivatives.is_none() {
            return OfDerivatives::default();
        }
        let (n, rows) = (system.velocities(), system.rows.len());
        OfDerivatives {
            tangent: point.draws(part(system, Varied::Parameter).end),
            acceleration: point.draws(n),
            multiplier: point.draws(rows),
            correction: point.draws(n),
            outputs: point.draws(system.observed.len()),
            reaction: point.draws(rows),
            pressed: point.draws(system.sides()),
            sides: point.draws(system.sides()),
        }
    }
}

/// The range of a part in a tangent or a gradient.
pub fn part(system: &System, of: Varied) -> Range<usize> {
    let n = system.velocities();
    let lengths = [1, n, n, system.given(), system.model.varied()];
    let mut first = 0;
    for (part, length) in PARTS.into_iter().zip(lengths) {
        if part == of {
            return first..first + length;
        }
        first += length;
    }
    first..first
}

impl Given {
    /// q̇ for these velocities.
    pub fn rates(&self, v: &[Residue]) -> Vec<Residue> {
        let mut rates = Vec::with_capacity(self.q.len());
        let mut v = v;
        while rates.len() < self.q.len() {
            let pose = self.poses.get(&rates.len());
            let (own, others) = v.split_at(pose.map_or(1, Pose::velocities));
            match pose {
                Some(pose) => rates.push_each(pose.rates(own)),
                None => rates.extend(own),
            }
            v = others;
        }
        rates
    }
}

impl<'a> Arguments<'a> {
    /// The zero direction.
    pub fn still(&self) -> Arguments<'a> {
        let zeros = |count: usize| vec![Residue::ZERO; count];
        let (given, system) = (&self.given, self.system);
        Arguments {
            system,
            given: Given {
                t: Residue::ZERO,
                q: zeros(given.q.len()),
                v: zeros(given.v.len()),
                parameters: given
                    .parameters
                    .iter()
                    .map(|it| zeros(it.len()))
                    .collect_vec(),
                inputs: given.inputs.iter().map(|it| zeros(it.len())).collect_vec(),
                ..Given::default()
            },
            a: zeros(self.a.len()),
            b: zeros(self.b.len()),
            of_derivatives: OfDerivatives::default(),
            is_change: true,
        }
    }

    /// The direction of a tangent: bodies rotate with δθ as with ω.
    pub fn along(&self, tangent: &[Residue]) -> Arguments<'a> {
        let system = self.system;
        let own = |of| &tangent[part(system, of)];
        let split = |sizes: Vec<usize>, mut all: &[Residue]| {
            let mut each = Vec::with_capacity(sizes.len());
            for size in sizes {
                let (own, others) = all.split_at(size);
                each.push(own.to_vec());
                all = others;
            }
            each
        };
        let inputs = system.inputs.iter().map(Declared::scalars).collect_vec();
        let parameters = system.model.parameters.iter();
        let parameters = parameters.map(Parameter::scalars).collect_vec();
        Arguments {
            given: Given {
                t: own(Varied::Time)[0],
                q: self.given.rates(own(Varied::Coordinate)),
                v: own(Varied::Velocity).to_vec(),
                inputs: split(inputs, own(Varied::Input)),
                parameters: split(parameters, own(Varied::Parameter)),
                ..Given::default()
            },
            ..self.still()
        }
    }

    /// A number in which members of a family differ.
    fn number(&self, i: usize) -> Result<Residue, Stop> {
        if self.is_change {
            return Ok(Residue::ZERO);
        }
        let number = self.system.numbers.get(i);
        let exact = number.and_then(|it| Residue::of_number(*it));
        exact.ok_or(Stop::Uncovered(Gap::Rounded))
    }
}

impl Leaves<Residue> for Arguments<'_> {
    fn leaf(&self, symbol: SymbolId) -> Result<Residue, Stop> {
        let (given, of) = (&self.given, &self.of_derivatives);
        let found = match self.system.model.symbols[symbol.index()].role {
            Role::Time => Some(given.t),
            Role::Coordinate(i) => given.q.get(i).copied(),
            Role::Velocity(i) => given.v.get(i).copied(),
            Role::Acceleration(i) => self.a.get(i).copied(),
            Role::RightHandSide(i) => self.b.get(i).copied(),
            Role::Input(i) => given.inputs.iter().flatten().nth(i).copied(),
            Role::Number(i) => Some(self.number(i)?),
            Role::Parameter {
                parameter,
                component,
            } => given.parameters[parameter].get(component).copied(),
            Role::Tangent(i) => of.tangent.get(i).copied(),
            Role::AccelerationAdjoint(i) => of.acceleration.get(i).copied(),
            Role::MultiplierAdjoint(i) => of.multiplier.get(i).copied(),
            Role::CorrectionAdjoint(i) => of.correction.get(i).copied(),
            Role::OutputAdjoint(i) => of.outputs.get(i).copied(),
            Role::Reaction(i) => of.reaction.get(i).copied(),
            Role::SideForce(i) => of.pressed.get(i).copied(),
            Role::SideAdjoint(i) => of.sides.get(i).copied(),
            _ => None,
        };
        Ok(found.unwrap_or_default())
    }

    fn array(&self, array: Array) -> Result<Option<Vec<Residue>>, Stop> {
        let (given, of) = (&self.given, &self.of_derivatives);
        let each = |all: &[Residue], size: usize, component: usize| {
            let own = all.iter().skip(component).step_by(size);
            own.copied().collect_vec()
        };
        Ok(Some(match array {
            Array::Position => given.q.clone(),
            Array::Velocity => given.v.clone(),
            Array::Acceleration => self.a.clone(),
            Array::RightHandSide => self.b.clone(),
            Array::Parameter(number, component) => {
                let size = self.system.model.parameters[number].shape.len();
                each(&given.parameters[number], size, component)
            }
            Array::Input(number, component) => {
                let size = self.system.inputs[number].shape.len();
                each(&given.inputs[number], size, component)
            }
            Array::Numbers => {
                let all = 0..self.system.numbers.len();
                all.map(|i| self.number(i)).collect::<Result<_, _>>()?
            }
            Array::Tangent(varied) => {
                let tangent = of.tangent.get(part(self.system, varied));
                tangent.unwrap_or_default().to_vec()
            }
            Array::AccelerationAdjoint => of.acceleration.clone(),
            Array::MultiplierAdjoint => of.multiplier.clone(),
            Array::CorrectionAdjoint => of.correction.clone(),
            Array::Multipliers => of.reaction.clone(),
            _ => return Ok(None),
        }))
    }

    fn len(&self, of: Dimension) -> usize {
        match of {
            Dimension::Rows => self.b.len(),
            Dimension::Coordinates => self.given.q.len(),
            Dimension::Outputs => self.system.observed.len(),
            Dimension::Inertial => self.system.inertial.names.len(),
            Dimension::Base => self.system.inertial.base.len(),
            Dimension::Sides => self.system.sides(),
            _ => self.a.len(),
        }
    }

    fn part(&self, of: Varied) -> usize {
        part(self.system, of).len()
    }
}
