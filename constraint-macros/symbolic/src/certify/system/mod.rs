//! Systems: C, J, Ċ and β, T and V, M a − h, v̇ and λ, and what is told.
//!
//! v̇ and λ are what the functions under examination find; that M v̇ − h − Jᵀ λ = 0 along a random direction and
//! J v̇ + β = 0 is what the statements say of the motion with that v̇, and both together tell v̇ and λ from all others.

mod layout;
mod scope;
mod statements;

pub use self::scope::Scope;

use self::layout::Layout;
use self::statements::{Findings, Given, Joints, Motion, Row, Text};
use super::bodies::Pose;
use super::checked::{self, Facts, Subject};
use super::field::Residue;
use super::linear::dot;
use super::point::{Point, Stop};
use super::programs::{self, Leaves};
use super::{Certificate, Refuted};
use crate::expr::SymbolId;
use crate::function::{Body, Dimension, Function};
use crate::model::{Declared, Parameter, Role, System};
use crate::syntax::statement;
use crate::system::loops::routine::Array;

/// Compares the functions of a system with its statements.
///
/// # Errors
/// The first function that differs.
pub fn system(
    tree: &statement::System,
    system: &System,
    functions: &[Function<'_>],
) -> Result<Certificate, Refuted> {
    let text = Text {
        tree,
        system,
        layout: Layout::new(system),
        joints: Joints::default(),
    };
    checked::examine(&system.model, functions, |point| {
        At::new(&text, functions, point)
    })
}

/// All that functions are given at a point, and what they have to find.
struct At<'a> {
    system: &'a System,
    given: Given,
    /// Accelerations of any size, which are a direction too.
    a: Vec<Residue>,
    /// Another direction.
    w: Vec<Residue>,
    b: Vec<Residue>,
    /// Along w, at v̇ = a.
    free: Findings,
    /// Along a, at the v̇ that is found.
    moved: Findings,
    motion: Option<Solved>,
    /// Whether outputs find v̇ and λ themselves; in loops these are found before.
    tells_all: bool,
}

/// v̇ and λ as found.
struct Solved {
    acceleration: Vec<Residue>,
    multipliers: Vec<Residue>,
    /// Whether they are right.
    right: bool,
}

impl Given {
    fn new(text: &Text<'_>, point: &mut Point) -> Given {
        let system = text.system;
        let drawn = |sizes: Vec<usize>, point: &mut Point| {
            let sizes = sizes.into_iter();
            sizes.map(|it| point.draws(it)).collect()
        };
        let parameters = system.model.parameters.iter().map(Parameter::scalars);
        let inputs = system.inputs.iter().map(Declared::scalars);
        let poses = statements::poses(&text.layout, point);
        let mut q = point.draws(system.scalars());
        for (&first, pose) in &poses {
            let own = pose.coordinates();
            q[first..].iter_mut().zip(own).for_each(|(q, it)| *q = it);
        }
        Given {
            t: point.draw(),
            v: point.draws(system.velocities()),
            parameters: drawn(parameters.collect(), point),
            inputs: drawn(inputs.collect(), point),
            q,
            poses,
        }
    }
}

impl<'a> At<'a> {
    fn new(
        text: &'a Text<'a>,
        functions: &[Function<'_>],
        point: &mut Point,
    ) -> Result<At<'a>, Stop> {
        let given = Given::new(text, point);
        let (n, rows) = (given.v.len(), text.system.rows.len());
        let mut at = At {
            system: text.system,
            given,
            a: point.draws(n),
            w: point.draws(n),
            b: point.draws(rows),
            free: Findings::default(),
            moved: Findings::default(),
            motion: None,
            tells_all: functions
                .iter()
                .any(|it| it.signature.name == "outputs" && matches!(it.body, Body::Straight(_))),
        };
        // The roots of programs are as different as those of the text, which is compared with them.
        (point.compares_roots, point.reads_text) = (false, false);
        let found = at.solved(functions, point);
        (point.compares_roots, point.reads_text) = (true, true);
        let found = match found {
            Err(Stop::Uncovered) => None,
            found => Some(found?),
        };
        let still = vec![Residue::ZERO; n];
        let acceleration = found.as_ref().map_or(&still, |it| &it.0);
        let multipliers = found.as_ref().map(|it| &it.1[..]);
        let free = Motion { a: &at.a, w: &at.w };
        at.free = statements::read(text, &at.given, free, None, point)?;
        let moved = Motion {
            a: acceleration,
            w: &at.a,
        };
        at.moved = statements::read(text, &at.given, moved, multipliers, point)?;
        at.motion = found.map(|(acceleration, multipliers)| {
            let stays = at.moved.rows.iter().all(|row| row.second.is_zero());
            let along: Vec<Residue> = at.moved.rows.iter().map(|row| row.along).collect();
            Solved {
                right: stays && at.moved.work == dot(&along, &multipliers),
                acceleration,
                multipliers,
            }
        });
        Ok(at)
    }

    /// What finds both.
    fn solves(&self) -> &'static str {
        if self.b.is_empty() {
            "acceleration"
        } else {
            "acceleration_and_multipliers"
        }
    }

    /// v̇ and λ as the functions have them.
    fn solved(
        &self,
        functions: &[Function<'_>],
        point: &mut Point,
    ) -> Result<(Vec<Residue>, Vec<Residue>), Stop> {
        let mut functions = functions.iter();
        let function = functions.find(|it| it.signature.name == self.solves());
        let found = programs::outputs(function.ok_or(Stop::Uncovered)?, point, self, &mut false)?;
        let mut found = found.into_iter().next().ok_or(Stop::Uncovered)?.values;
        let multipliers = found.split_off(self.a.len());
        Ok((found, multipliers))
    }

    fn rows(&self, get: fn(&Row) -> Residue) -> Vec<Residue> {
        self.free.rows.iter().map(get).collect()
    }

    /// A number that members of families differ by.
    fn number(&self, i: usize) -> Result<Residue, Stop> {
        let number = self.system.numbers.get(i);
        let exact = number.and_then(|it| Residue::of_number(*it));
        exact.ok_or(Stop::Uncovered)
    }

    /// β = C̈ − J a
    fn bias(&self) -> Vec<Residue> {
        let rows = self.free.rows.iter().zip(&self.moved.rows);
        rows.map(|(free, moved)| free.second - moved.along)
            .collect()
    }

    /// q̇
    fn kinematics(&self) -> Vec<Residue> {
        let mut rates = Vec::with_capacity(self.given.q.len());
        let mut v = &self.given.v[..];
        while rates.len() < self.given.q.len() {
            let pose = self.given.poses.get(&rates.len());
            let (own, others) = v.split_at(pose.map_or(1, Pose::velocities));
            match pose {
                Some(pose) => rates.extend(pose.rates(own)),
                None => rates.extend(own),
            }
            v = others;
        }
        rates
    }
}

impl Leaves for At<'_> {
    fn leaf(&self, symbol: SymbolId) -> Result<Residue, Stop> {
        let given = &self.given;
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
            _ => None,
        };
        Ok(found.unwrap_or_default())
    }

    fn array(&self, array: Array) -> Result<Option<Vec<Residue>>, Stop> {
        let given = &self.given;
        let each = |all: &[Residue], size: usize, component: usize| {
            let own = all.iter().skip(component).step_by(size);
            own.copied().collect()
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
            _ => return Ok(None),
        }))
    }

    fn len(&self, of: Dimension) -> usize {
        match of {
            Dimension::Rows => self.b.len(),
            Dimension::Coordinates => self.given.q.len(),
            Dimension::Outputs => self.system.observed.len(),
            _ => self.a.len(),
        }
    }
}

impl Subject for At<'_> {
    fn found(&self, name: &str) -> Option<Vec<Residue>> {
        let solved = self.motion.as_ref()?;
        (name == self.solves()).then(|| [&solved.acceleration[..], &solved.multipliers].concat())
    }

    fn facts(&self, name: &str) -> Result<Facts, Stop> {
        let (free, moved) = (&self.free, &self.moved);
        let along = |value| Facts::Along(self.w.clone(), value);
        let solved = || self.motion.as_ref().ok_or(Stop::Uncovered);
        Ok(match name {
            "constraint" => Facts::Values(self.rows(|row| row.value)),
            "constraint_rate" => Facts::Values(self.rows(|row| row.rate)),
            "jacobian" => along(self.rows(|row| row.along)),
            "bias" => Facts::Values(self.bias()),
            "kinetic_energy" => Facts::Values(vec![free.kinetic]),
            "potential_energy" => Facts::Values(vec![free.potential.ok_or(Stop::Uncovered)?]),
            "inverse_dynamics" | "unconstrained_inverse_dynamics" => along(vec![free.work]),
            "kinematics" => Facts::Values(self.kinematics()),
            "outputs" if self.motion.is_some() && self.tells_all => {
                let outputs = moved.outputs.iter();
                Facts::Values(outputs.flat_map(|it| it.1.iter().copied()).collect())
            }
            "acceleration" => solved()?.facts(|it| it.acceleration.clone()),
            "multipliers" => solved()?.facts(|it| it.multipliers.clone()),
            "acceleration_and_multipliers" => {
                solved()?.facts(|it| [&it.acceleration[..], &it.multipliers].concat())
            }
            "constraint_force" => {
                let rows: Vec<Residue> = free.rows.iter().map(|row| row.along).collect();
                along(vec![dot(&rows, &solved()?.multipliers)])
            }
            _ => return Err(Stop::Uncovered),
        })
    }
}

impl Solved {
    fn facts(&self, of: impl Fn(&Solved) -> Vec<Residue>) -> Facts {
        Facts::Solved(self.right.then(|| of(self)))
    }
}
