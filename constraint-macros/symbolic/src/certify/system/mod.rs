//! Systems: C, J, Ċ and β, T and V, M a − h, v̇ and λ, and outputs.
//!
//! v̇ and λ are results of the functions under verification. The statements, evaluated for the motion with this v̇,
//! must satisfy M v̇ − h − Jᵀ λ = 0 along a random direction and J v̇ + β = 0; only the right v̇ and λ satisfy both.

mod arguments;
mod derivatives;
mod layout;
mod regressor;
mod scope;
mod statements;

pub use self::scope::Scope;

use self::arguments::{Arguments, OfDerivatives};
use self::derivatives::Known;
use self::layout::Layout;
use self::statements::{Findings, Given, Joints, Motion, Row, Text};
use super::checked::{self, Facts, Subject};
use super::field::Residue;
use super::linear::dot;
use super::number::Element;
use super::point::{Point, Stop};
use super::programs::{self, Leaves};
use super::{Certificate, Refuted};
use crate::certify::Gap;
use crate::expr::{CollectVec, SymbolId};
use crate::function::{Body, Dimension, Function};
use crate::model::{Declared, Parameter, Shape, System};
use crate::syntax::statement;
use crate::system::loops::routine::{Array, Varied};

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

/// The arguments at a point, and the expected results.
struct At<'a> {
    functions: &'a [Function<'a>],
    arguments: Arguments<'a>,
    /// A direction other than that of the accelerations.
    w: Vec<Residue>,
    /// Forces on the rows of one side.
    pressed: Vec<Residue>,
    /// Along w, at v̇ = a.
    free: Findings,
    /// Along a, at the computed v̇.
    moved: Findings,
    motion: Result<Solved, Gap>,
    /// True if outputs compute v̇ and λ themselves; in loops they are computed before.
    outputs_solve: bool,
    /// The first velocities of the bodies that rotate in space.
    turning: Vec<usize>,
    derivatives: Known,
}

/// Computed v̇ and λ.
struct Solved {
    acceleration: Vec<Residue>,
    multipliers: Vec<Residue>,
    /// True if they satisfy the equations.
    right: bool,
}

impl Given {
    fn new(text: &Text<'_>, point: &mut Point) -> Given {
        let system = text.system;
        let drawn = |sizes: Vec<usize>, point: &mut Point| {
            let sizes = sizes.into_iter();
            sizes.map(|it| point.draws(it)).collect_vec()
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
            parameters: drawn(parameters.collect_vec(), point),
            inputs: drawn(inputs.collect_vec(), point),
            q,
            poses,
        }
    }
}

impl<'a> At<'a> {
    fn new(
        text: &'a Text<'a>,
        functions: &'a [Function<'a>],
        point: &mut Point,
    ) -> Result<At<'a>, Stop> {
        let (system, given) = (text.system, Given::new(text, point));
        let (n, rows) = (given.v.len(), system.rows.len());
        let (a, w, b) = (point.draws(n), point.draws(n), point.draws(rows));
        let pressed = point.draws(system.sides());
        let arguments = Arguments {
            system,
            given,
            a,
            b,
            of_derivatives: OfDerivatives::new(system, point),
            is_change: false,
        };
        let bodies = text.layout.bodies().into_iter();
        let turning = bodies.filter(|it| it.shape == Shape::Space);
        let mut at = At {
            functions,
            arguments,
            w,
            pressed,
            free: Findings::default(),
            moved: Findings::default(),
            motion: Err(Gap::Unread),
            outputs_solve: functions
                .iter()
                .any(|it| it.signature.name == "outputs" && matches!(it.body, Body::Straight(_))),
            turning: turning.map(|it| it.velocity + it.shape.len()).collect_vec(),
            derivatives: Known::default(),
        };
        // Roots of programs need no comparison: those of the text, read later, are compared with them.
        (point.compares_roots, point.reads_text) = (false, false);
        let found = at.solved(point);
        (point.compares_roots, point.reads_text) = (true, true);
        let found = match found {
            Err(Stop::Uncovered(gap)) => Err(gap),
            found => Ok(found?),
        };
        at.read(text, found, point)?;
        Ok(at)
    }

    /// Evaluates the statements, also for the computed motion.
    fn read(
        &mut self,
        text: &Text<'_>,
        found: Result<Solved, Gap>,
        point: &mut Point,
    ) -> Result<(), Stop> {
        let Arguments { given, a, .. } = &self.arguments;
        let still = vec![Residue::ZERO; a.len()];
        let acceleration = found.as_ref().map_or(&still, |it| &it.acceleration);
        let multipliers = found.as_ref().ok().map(|it| &it.multipliers[..]);
        let free = Motion { a, w: &self.w };
        // Outputs that contain multipliers have no Jacobian, whatever these are.
        let none = vec![Residue::ZERO; self.arguments.b.len()];
        let moves = text.system.options.task_space.is_some();
        let read = moves.then_some(&none[..]);
        self.free = statements::read(text, given, free, read, point)?;
        let moved = Motion {
            a: acceleration,
            w: a,
        };
        self.moved = statements::read(text, given, moved, multipliers.or(read), point)?;
        self.motion = found.map(|found| {
            let stays = self.moved.rows.iter().all(|row| row.second.is_zero());
            let along: Vec<Residue> = self.moved.rows.iter().map(|row| row.along).collect_vec();
            Solved {
                right: found.right && stays && self.moved.work == dot(&along, &found.multipliers),
                ..found
            }
        });
        Ok(())
    }

    /// The function that computes v̇ and λ.
    fn solves(&self) -> &'static str {
        if self.arguments.b.is_empty() {
            "acceleration"
        } else {
            "acceleration_and_multipliers"
        }
    }

    /// A function by its name.
    fn function(&self, name: &str) -> Result<&'a Function<'a>, Stop> {
        let mut functions = self.functions.iter();
        let function = functions.find(|it| it.signature.name == name);
        function.ok_or(Stop::UNREAD)
    }

    /// The results of a function, possibly over dual numbers.
    fn values_of<R: Element>(
        &self,
        name: &str,
        leaves: &impl Leaves<R>,
        point: &mut Point,
    ) -> Result<Vec<R>, Stop> {
        let function = self.function(name)?;
        let found = programs::outputs(function, point, leaves, &mut false)?;
        Ok(found.into_iter().next().ok_or(Stop::UNREAD)?.values)
    }

    /// v̇ and λ as computed; their number may be wrong.
    fn solved(&self, point: &mut Point) -> Result<Solved, Stop> {
        let mut acceleration: Vec<Residue> =
            self.values_of(self.solves(), &self.arguments, point)?;
        let all = self.w.len() + self.arguments.b.len();
        let right = acceleration.len() == all;
        acceleration.resize(all, Residue::ZERO);
        Ok(Solved {
            multipliers: acceleration.split_off(self.w.len()),
            acceleration,
            right,
        })
    }

    fn rows(&self, get: fn(&Row) -> Residue) -> Vec<Residue> {
        self.free.rows.iter().map(get).collect_vec()
    }

    /// A number of each output, from its motions with a and w and with v̇ and a; 0 where it has no Jacobian.
    fn tasks(&self, get: impl Fn(&Row, &Row) -> Residue) -> Vec<Residue> {
        let [free, moved] = [&self.free, &self.moved]
            .map(|it| it.outputs.iter().flat_map(|it| it.1.iter().map(|it| &it.1)));
        let tasks = self.arguments.system.tasks.iter().zip(free.zip(moved));
        tasks
            .map(|(task, (free, moved))| task.map_or(Residue::ZERO, |_| get(free, moved)))
            .collect_vec()
    }

    /// A number of each gap, then of each slip, from their motions with a and w and with v̇ and a.
    fn sides(&self, get: impl Fn(&Row, &Row) -> Residue) -> Vec<Residue> {
        let [free, moved] = [&self.free, &self.moved].map(|it| it.sides.iter().flatten());
        free.zip(moved)
            .map(|(free, moved)| get(free, moved))
            .collect_vec()
    }

    /// β = C̈ − J a
    fn bias(&self) -> Vec<Residue> {
        let rows = self.free.rows.iter().zip(&self.moved.rows);
        rows.map(|(free, moved)| free.second - moved.along)
            .collect_vec()
    }
}

impl Leaves<Residue> for At<'_> {
    fn leaf(&self, symbol: SymbolId) -> Result<Residue, Stop> {
        self.arguments.leaf(symbol)
    }

    fn array(&self, array: Array) -> Result<Option<Vec<Residue>>, Stop> {
        self.arguments.array(array)
    }

    fn len(&self, of: Dimension) -> usize {
        self.arguments.len(of)
    }

    fn part(&self, of: Varied) -> usize {
        self.arguments.part(of)
    }
}

impl Subject for At<'_> {
    fn found(&self, name: &str) -> Option<Vec<Residue>> {
        let solved = self.motion.as_ref().ok()?;
        (name == self.solves()).then(|| [&solved.acceleration[..], &solved.multipliers].concat())
    }

    fn facts(&self, name: &str, point: &mut Point) -> Result<Facts, Stop> {
        let (free, moved) = (&self.free, &self.moved);
        let along = |value| Facts::Along(self.w.clone(), value);
        let solved = || self.motion.as_ref().map_err(|gap| Stop::Uncovered(*gap));
        Ok(match name {
            "constraint" => Facts::Values(self.rows(|row| row.value)),
            "constraint_rate" => Facts::Values(self.rows(|row| row.rate)),
            "jacobian" => along(self.rows(|row| row.along)),
            "bias" => Facts::Values(self.bias()),
            "kinetic_energy" => Facts::Values(vec![free.kinetic]),
            "potential_energy" => {
                Facts::Values(vec![free.potential.ok_or(Stop::Uncovered(Gap::Gravity))?])
            }
            "inverse_dynamics" | "unconstrained_inverse_dynamics" => along(vec![free.work]),
            "regressor" => Facts::Across(self.w.clone(), self.shown()?),
            "inertial_parameters" => Facts::Values(self.parameters()?),
            "base_matrix" => self.base()?,
            "kinematics" => {
                let given = &self.arguments.given;
                Facts::Values(given.rates(&given.v))
            }
            "outputs" => {
                solved()?;
                if !self.outputs_solve {
                    return Err(Stop::Uncovered(Gap::Loops));
                }
                let outputs = moved.outputs.iter();
                let values = outputs.flat_map(|it| it.1.iter().map(|it| it.0));
                Facts::Values(values.collect_vec())
            }
            "output_jacobian" => along(self.tasks(|free, _| free.along)),
            "output_bias" => Facts::Values(self.tasks(|free, moved| free.second - moved.along)),
            "gaps" => Facts::Values(self.sides(|free, _| free.value)),
            "one_sided_rates" => Facts::Values(self.sides(|free, _| free.rate)),
            "one_sided_jacobian" => along(self.sides(|free, _| free.along)),
            "one_sided_bias" => Facts::Values(self.sides(|free, moved| free.second - moved.along)),
            "contact_coefficients" => Facts::Values(free.coefficients.concat()),
            "one_sided_responses" => self.responded(false, point)?,
            "one_sided_reactions" => self.responded(true, point)?,
            "joint_space_inertia" => {
                let a = self.arguments.a.clone();
                let resisting = self.resistance(&a, point)?;
                Facts::Along(a, resisting)
            }
            "acceleration" => solved()?.facts(|it| it.acceleration.clone()),
            "multipliers" => solved()?.facts(|it| it.multipliers.clone()),
            "acceleration_and_multipliers" => {
                solved()?.facts(|it| [&it.acceleration[..], &it.multipliers].concat())
            }
            "constraint_force" => {
                let rows: Vec<Residue> = free.rows.iter().map(|row| row.along).collect_vec();
                along(vec![dot(&rows, &solved()?.multipliers)])
            }
            _ => return self.of_derivatives(name, point),
        })
    }
}

impl Solved {
    fn facts(&self, of: impl Fn(&Solved) -> Vec<Residue>) -> Facts {
        Facts::Solved(self.right.then(|| of(self)))
    }
}
