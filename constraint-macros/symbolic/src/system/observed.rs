//! Derivatives of outputs y = g(t, q, v, u, p, v̇, λ) in loops: the loops of v̇ and λ, and of how these vary, then those over
//! outputs.
//!
//! ```text
//! forwards    v̇, λ → δv̇, δλ → δy = ∂g δ(t, q, v, u, p) + ∂g/∂v̇ δv̇ + ∂g/∂λ δλ
//! backwards   v̇, λ → (v̇*, λ*) = y*·∂g/∂(v̇, λ) → the gradient of v̇*·v̇ + λ*·λ → y*·∂g, added to that
//! ```
//! v̇ and λ are solved for where slopes contain them, and their derivatives where outputs do.

use super::loops::Rolled;
use super::loops::leaves::{entry_of_tangent, leaves};
use super::loops::routine::{
    Array, Families, Kernel, OfSolution, Routine, Signature, Solve, Write,
};
use super::outputs::{Solved, asked};
use super::sensitivity::{Given, Variables};
use crate::diff::{Taylor, gradient};
use crate::dynamics;
use crate::expr::{CollectVec, ExprId, PushEach};
use crate::families::{Leaves, indices_of};
use crate::model::{Model, Role, System};
use crate::solve::Quantity;

/// A term that is added to an element of an array.
type Term = (ExprId, Array, usize);

/// Adds the derivatives of outputs, unless they ask for some of v̇ or λ that loops do not have.
pub(super) fn derivatives(system: &mut System, outputs: &[ExprId], rolled: &mut Rolled) {
    let kinematics = {
        let mut graph = std::mem::take(&mut system.model.graph);
        let kinematics = dynamics::kinematics(&mut graph, system, &[]);
        system.model.graph = graph;
        kinematics
    };
    let variables = Variables::of(system, &kinematics);
    let given = Given::new(system, &variables);
    let forwards = forwards(system, outputs, (&variables, &given), rolled);
    let backwards = backwards(system, outputs, &variables, rolled);
    let both = [
        (Quantity::OutputTangent, forwards),
        (Quantity::OutputGradient, backwards),
    ];
    let found = both.into_iter();
    rolled
        .routines
        .extend(found.filter_map(|(quantity, routine)| Some((quantity, routine?))));
}

/// δy
fn forwards(
    system: &mut System,
    outputs: &[ExprId],
    (variables, given): (&Variables, &Given),
    rolled: &Rolled,
) -> Option<Routine> {
    let solved = asked(system, outputs);
    let Model { graph, .. } = &mut system.model;
    let direction = variables.tangent(graph, &given.tangent);
    let mut motion = Taylor::new(variables.seeds(graph, &direction));
    let zero = graph.zero();
    // Nothing reads weights here: their leaves serve as those of changes.
    for &(leaf, of) in &solved {
        let change = match of {
            Solved::Acceleration(i) => given.acceleration[i],
            Solved::Multiplier(row) => given.multipliers[row],
        };
        motion.seed(leaf, change, zero);
    }
    let along = outputs.iter();
    let along: Vec<ExprId> = along.map(|&it| motion.first(graph, it)).collect_vec();
    let mut routine = solution(system, &along, rolled)?;
    if !solved.is_empty() {
        let mut change = rolled.routines.get(&Quantity::Tangent)?.clone();
        rename(&mut change, |array| match array {
            Array::Output => Array::OfSolution(OfSolution::MotionAlong),
            Array::Multipliers => Array::OfSolution(OfSolution::MultipliersAlong),
            array => array,
        });
        routine.append(change);
    }
    let mut each = Routine::of_each(&system.model.graph, system, &along);
    rename(&mut each, |array| match array {
        Array::AccelerationAdjoint => Array::OfSolution(OfSolution::MotionAlong),
        Array::MultiplierAdjoint => Array::OfSolution(OfSolution::MultipliersAlong),
        array => read_solution(array),
    });
    routine.append(each);
    Some(routine)
}

/// The gradient of y*·y.
fn backwards(
    system: &mut System,
    outputs: &[ExprId],
    variables: &Variables,
    rolled: &Rolled,
) -> Option<Routine> {
    let bars = system
        .model
        .add_leaves(outputs.len(), Role::OutputAdjoint, "outputs_bar");
    let solved = asked(system, outputs);
    let leaves: Vec<ExprId> = solved.iter().map(|it| it.0).collect_vec();
    let (mut counted, mut own): (Vec<Vec<Term>>, Vec<Vec<Term>>) = Default::default();
    for (&output, &bar) in outputs.iter().zip(&bars) {
        let graph = &mut system.model.graph;
        let scalar = graph.mul(bar, output);
        let by_solution = gradient(graph, scalar, &leaves);
        let terms = solved.iter().zip(by_solution).map(|(&(_, of), slope)| {
            let (array, place) = match of {
                Solved::Acceleration(i) => (OfSolution::MotionCounted, i),
                Solved::Multiplier(row) => (OfSolution::MultipliersCounted, row),
            };
            (slope, Array::OfSolution(array), place)
        });
        counted.push(terms.collect_vec());
        let by_variables = variables.gradient(graph, scalar).into_iter().enumerate();
        let terms = by_variables.map(|(i, slope)| {
            let (of, place) = entry_of_tangent(system, i);
            (slope, Array::Gradient(of), place)
        });
        own.push(terms.collect_vec());
    }
    let graph = &system.model.graph;
    for row in counted.iter_mut().chain(&mut own) {
        row.retain(|&(slope, ..)| !graph.is_zero(slope));
    }
    let slopes = counted.iter().chain(&own).flatten();
    let slopes: Vec<ExprId> = slopes.map(|it| it.0).collect_vec();
    let mut routine = solution(system, &slopes, rolled)?;
    if !solved.is_empty() {
        routine.append(summed(system, &counted));
        let mut gradient = rolled.routines.get(&Quantity::Gradient)?.clone();
        rename(&mut gradient, |array| match array {
            Array::AccelerationAdjoint => Array::OfSolution(OfSolution::MotionCounted),
            Array::MultiplierAdjoint => Array::OfSolution(OfSolution::MultipliersCounted),
            array => array,
        });
        routine.append(gradient);
    }
    routine.append(summed(system, &own));
    Some(routine)
}

/// v̇ and λ, if an expression contains any of them.
fn solution(system: &System, expressions: &[ExprId], rolled: &Rolled) -> Option<Routine> {
    if asked(system, expressions).is_empty() {
        return Some(Routine::default());
    }
    let solution = rolled.routines.get(&Quantity::AccelerationAndMultipliers);
    let mut solution = solution?.clone();
    if rolled.panels.is_some() {
        // Derivatives of the solution assemble the matrix anew.
        solution.step(Solve::Clear as usize);
    }
    rename(&mut solution, |array| match array {
        Array::Output => Array::OfSolution(OfSolution::Motion),
        Array::Multipliers => Array::OfSolution(OfSolution::Multipliers),
        array => array,
    });
    Some(solution)
}

/// The array that v̇ or λ is read from.
fn read_solution(array: Array) -> Array {
    match array {
        Array::Acceleration => Array::OfSolution(OfSolution::Motion),
        Array::Multipliers => Array::OfSolution(OfSolution::Multipliers),
        array => array,
    }
}

/// The terms of each output, added to what they belong to.
fn summed(system: &System, rows: &[Vec<Term>]) -> Routine {
    let graph = &system.model.graph;
    let all: Vec<ExprId> = rows.iter().flatten().map(|it| it.0).collect_vec();
    let of_system = leaves(graph, system);
    let families = Families::of(graph, &of_system, &all);
    let mut member = 0..;
    let mut routine = Routine::of(|stage| {
        for row in rows {
            let mut signature = Signature::default();
            for (&(_, array, _), member) in row.iter().zip(member.by_ref()) {
                signature.words.push(word(array));
                signature.member(&families, member);
            }
            let Signature { words, slots } = signature;
            let mut indices = indices_of(&slots);
            indices.push_each(row.iter().map(|it| it.2));
            stage.push(words, indices, || {
                let places = row.iter().zip(slots.len()..);
                Kernel {
                    reads: of_system.reads(graph, &slots),
                    roots: row.iter().map(|it| it.0).collect_vec(),
                    writes: places.map(|(it, at)| Write::Add(it.1, at)).collect_vec(),
                }
            });
        }
    });
    rename(&mut routine, read_solution);
    routine
}

/// A word of signatures.
fn word(array: Array) -> usize {
    match array {
        Array::Gradient(of) => of as usize,
        Array::OfSolution(of) => 8 + of as usize,
        _ => 16,
    }
}

/// Puts other arrays in the place of those that kernels read and write.
fn rename(routine: &mut Routine, to: impl Fn(Array) -> Array) {
    for kernel in &mut routine.kernels {
        for (_, array, _) in &mut kernel.reads {
            *array = to(*array);
        }
        for write in &mut kernel.writes {
            if let Write::Set(array, _) | Write::Add(array, _) = write {
                *array = to(*array);
            }
        }
    }
}
