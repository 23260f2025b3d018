//! v̇ and λ: the mass matrix, then its Schur complement J M⁻¹ Jᵀ, by sparse elimination.

use std::ops::Range;

use super::corrections::gradients_of_corrections;
use super::projected::projected;
use super::rational::{self, Quotient};
use super::sensitivity::{self, Pressed, Solved, derivatives};
use super::sides::responses;
use crate::dynamics::{self, Equations, Frame, Unconstrained};
use crate::expr::{CollectVec, ExprId, Graph, Number, PushEach, SortedSet};
use crate::model::{Model, Role, RowName, System, SystemCoordinate};
use crate::schedule::{self, Matrix, Meaning, Root};
use crate::solve::{
    Computed, Form, Given, Mass, Multipliers, Pivot, Quantity, ScaledRow, Schur, SparseRow,
    cheapest_after, entries as entries_of, guard,
};

/// The rows of one constraint.
#[derive(Clone, Debug)]
pub struct Block {
    /// The velocities that J or M⁻¹ Jᵀ have entries for.
    pub velocities: Vec<usize>,
    /// Their entries of J, row by row.
    pub jacobian: Vec<ExprId>,
    /// The same of M⁻¹ Jᵀ.
    pub weighted: Vec<ExprId>,
}

/// The quantities that need a solution; J and M⁻¹ Jᵀ, one constraint after the other; and the meanings of expressions.
pub fn solve(
    system: &mut System,
    equations: &Equations,
) -> (Form, Vec<Block>, Vec<(ExprId, Meaning)>) {
    let m = equations.rows.len();
    let right = system.model.add_leaves(m, Role::RightHandSide, "b");
    let redundant = system.options.redundant && m > 0;
    let given = redundant.then(|| system.model.add_leaves(m, Role::Multiplier, "lambda"));
    let graph = &mut system.model.graph;
    let schur = eliminated(graph, equations, given.map(Given::Unknowns));
    let motion = Motion::of(graph, &schur, &right);
    let mut meanings = meanings(graph, &system.coordinates, equations, &schur);
    motion.name(graph, &system.coordinates, &schur, &mut meanings);
    let blocks = blocks(graph, &system.rows, equations, &schur);
    let velocities: Vec<ExprId> = system.coordinates.iter().map(|c| c.velocity).collect_vec();
    let sides = [&motion.acceleration[..], &motion.sides[0]];
    let own = own(graph, equations, &velocities, sides, &motion.found.order);
    let turned = motion.turned(graph, &schur, &equations.frames);
    let acceleration = Computed::of(turned[0].clone(), &motion.found);
    let projected = (m > 0 && !redundant).then(|| {
        let meanings = &mut meanings;
        projected(
            graph,
            equations,
            &schur,
            &velocities,
            &acceleration,
            meanings,
        )
    });
    let mut form = motion.form(&schur, turned, &blocks);
    form.insert(Quantity::OwnSlope, Computed::after(&own.order, own.slope));
    form.insert(Quantity::Delassus, Computed::plain(schur.full(graph)));
    form.extend(projected.map(|moved| (Quantity::ProjectedMotion, moved)));
    if redundant {
        form.extend(at_run_time(graph, &schur, &motion.sides, &own.right));
    }
    let inverted = redundant.then(|| inverted(&mut system.model, &schur));
    let held = inverted.as_ref().unwrap_or(&schur);
    if !equations.sides.is_empty() {
        form.extend(moved_by_sides(&mut system.model.graph, equations, held));
    }
    if sensitivity::are_asked(system) {
        let graph = &mut system.model.graph;
        let again = inverted.as_ref().map(|it| Motion::of(graph, it, &right));
        let motion = again.as_ref().unwrap_or(&motion);
        form.extend(varied(system, equations, (held, motion)));
    }
    let graph = &mut system.model.graph;
    if let Some(motion) = &equations.unconstrained {
        articulated(graph, equations, motion, &velocities, &mut form);
    }
    schedule::keep_first(&system.model.graph, &mut meanings);
    (form, blocks, meanings)
}

/// The equations that are solved at run time if rows may depend on each other.
fn at_run_time(
    graph: &mut Graph,
    schur: &Schur,
    [b, force_b, given]: &[Vec<ExprId>; 3],
    own_b: &[ExprId],
) -> Form {
    let matrix = schur.dense_lower(graph);
    let normal = |right| Computed::plain([&matrix[..], right].concat());
    Form::from([
        (Quantity::NormalMatrix, normal(&[])),
        (Quantity::NormalEquations, normal(b)),
        (Quantity::ForceEquations, normal(force_b)),
        (Quantity::OwnNormalEquations, normal(own_b)),
        (Quantity::CorrectionEquations, normal(given)),
    ])
}

/// The motion by forces on rows of one side.
fn moved_by_sides(graph: &mut Graph, equations: &Equations, held: &Schur) -> Form {
    let all = equations.rows.iter().chain(&equations.sides);
    let all = all.map(|row| row.scaled.clone()).collect_vec();
    let all = weighed(graph, equations, all);
    responses(graph, equations, [held, &all])
}

/// The system with forces on rows of one side in place of h and with β = 0, and its solution.
struct Pushed {
    equations: Equations,
    schur: Schur,
    acceleration: Vec<ExprId>,
    reported: Vec<ExprId>,
    found: Multipliers,
}

impl Pushed {
    fn motion(&self) -> Pressed<'_> {
        Pressed {
            equations: &self.equations,
            schur: &self.schur,
            solved: Solved {
                acceleration: &self.acceleration,
                reported: &self.reported,
                found: &self.found,
            },
        }
    }
}

/// None without rows of one side; `held` is the system that they move.
fn pressed(system: &mut System, equations: &Equations, held: &Schur) -> Option<Pushed> {
    let sides = &equations.sides;
    if sides.is_empty() {
        return None;
    }
    let forces = system
        .model
        .add_leaves(sides.len(), Role::SideForce, "contact_forces");
    let graph = &mut system.model.graph;
    let zero = graph.zero();
    let mut terms = vec![Vec::new(); equations.applied.len()];
    for (row, &force) in sides.iter().zip(&forces) {
        for &(i, entry) in &row.own {
            terms[i].push((graph.mul(entry, force), Number::ONE));
        }
    }
    let mut equations = equations.clone();
    equations.applied = terms.iter().map(|terms| graph.sum(terms)).collect_vec();
    for row in &mut equations.rows {
        (row.bias, row.scaled.bias) = (zero, zero);
    }
    let inverse = held.pseudo_inverse();
    let given = inverse.map(|entries| Given::Inverse(entries.to_vec()));
    let schur = eliminated(graph, &equations, given);
    let side = schur.acceleration_side(graph);
    let found = Multipliers {
        // These are not multipliers of the motion: they have no names.
        names: Vec::new(),
        ..schur.solve(graph, &side, "")
    };
    let moved = schur.velocity_changes(graph, &found.unknowns);
    let pairs = schur.weighted.free.iter().zip(&moved);
    let acceleration: Vec<ExprId> = pairs
        .map(|(&free, &moved)| graph.add(free, moved))
        .collect_vec();
    let turned = dynamics::all_turned(graph, &equations.frames, &acceleration, Frame::world);
    let multipliers = schur.in_units_of_force(graph, &found.unknowns);
    Some(Pushed {
        reported: [turned, multipliers].concat(),
        equations,
        schur,
        acceleration,
        found,
    })
}

/// The solutions of J M⁻¹ Jᵀ for three right-hand sides, and the motion that follows from them.
struct Motion {
    /// That of v̇, the same in units of force, and the one that is given.
    sides: [Vec<ExprId>; 3],
    found: Multipliers,
    found_force: Multipliers,
    corrected: Multipliers,
    /// The change of M⁻¹ h by the constraints.
    moved: Vec<ExprId>,
    /// v̇, of bodies in the frames that they are solved in.
    acceleration: Vec<ExprId>,
    force: Vec<ExprId>,
    /// λ, and λ after v̇ is known.
    multipliers: [Vec<ExprId>; 2],
    correction: Vec<ExprId>,
}

impl Motion {
    fn of(graph: &mut Graph, schur: &Schur, given: &[ExprId]) -> Motion {
        let (b, force_b) = (schur.acceleration_side(graph), schur.force_side(graph));
        let one = graph.number(Number::ONE);
        let per_mass = if schur.weighted.common == one {
            "lambda"
        } else {
            "lambda_per_mass"
        };
        let found = schur.solve(graph, &b, per_mass);
        let found_force = schur.solve(graph, &force_b, "lambda");
        let moved = schur.velocity_changes(graph, &found.unknowns);
        let pairs = schur.weighted.free.iter().zip(&moved);
        let acceleration = pairs.map(|(&free, &moved)| graph.add(free, moved));
        let acceleration = acceleration.collect_vec();
        let force = schur.force(graph, &found_force.unknowns);
        let multipliers = [
            schur.unscaled(graph, &found_force.unknowns),
            schur.in_units_of_force(graph, &found.unknowns),
        ];
        let scaled = schur.side(graph, given);
        let corrected = Multipliers {
            // These are not multipliers of the motion: they have no names.
            names: Vec::new(),
            ..schur.solve(graph, &scaled, "")
        };
        let correction = schur.velocity_changes(graph, &corrected.unknowns);
        Motion {
            sides: [b, force_b, scaled],
            found,
            found_force,
            corrected,
            moved,
            acceleration,
            force,
            multipliers,
            correction,
        }
    }

    /// Adds the meanings of unknowns, and of what moves each coordinate.
    fn name(
        &self,
        graph: &Graph,
        coordinates: &[SystemCoordinate],
        schur: &Schur,
        meanings: &mut Vec<(ExprId, Meaning)>,
    ) {
        let solutions = [&self.found, &self.found_force, &self.corrected];
        meanings.extend(solutions.into_iter().flat_map(|it| &it.meanings));
        for (i, coordinate) in coordinates.iter().enumerate() {
            let Some(symbol) = coordinate.symbol(graph) else {
                continue;
            };
            meanings.push_each([
                (self.moved[i], Meaning::Pull(symbol)),
                (self.force[i], Meaning::Force(symbol)),
                (self.acceleration[i], Meaning::Acceleration(symbol)),
                (schur.weighted.free[i], Meaning::Free(symbol)),
            ]);
        }
    }

    /// v̇, M⁻¹ h, Jᵀ λ and the correction, in the world.
    fn turned(&self, graph: &mut Graph, schur: &Schur, frames: &[Frame]) -> [Vec<ExprId>; 4] {
        let free = &schur.weighted.free;
        [&self.acceleration, free, &self.force, &self.correction]
            .map(|x| dynamics::all_turned(graph, frames, x, Frame::world))
    }

    /// v̇, λ, Jᵀ λ, the correction, and what is computed on the way.
    fn form(&self, schur: &Schur, turned: [Vec<ExprId>; 4], blocks: &[Block]) -> Form {
        let [acceleration, free, force, correction] = turned;
        let [multipliers, beside] = &self.multipliers;
        let both = [&acceleration[..], beside].concat();
        let (guards, found) = (schur.guards(), &self.found);
        let entries = blocks.iter();
        let entries = entries.flat_map(|block| block.jacobian.iter().chain(&block.weighted));
        let entries = entries.copied().collect_vec();
        // Without rows there is nothing to solve for.
        let of_rows = |outputs: Vec<ExprId>, found: &Multipliers| match schur.rows.len() {
            0 => Computed::plain(outputs),
            _ => Computed::of(outputs, found),
        };
        Form::from([
            (Quantity::Acceleration, Computed::of(acceleration, found)),
            (Quantity::Free, Computed::after(guards, free)),
            (Quantity::Responses, Computed::after(guards, entries)),
            (
                Quantity::Multipliers,
                of_rows(multipliers.clone(), &self.found_force),
            ),
            (
                Quantity::AccelerationAndMultipliers,
                Computed::of(both, found),
            ),
            (Quantity::Force, of_rows(force, &self.found_force)),
            (Quantity::Correction, of_rows(correction, &self.corrected)),
        ])
    }
}

/// v̇ by articulated bodies, where that costs less.
fn articulated(
    graph: &mut Graph,
    equations: &Equations,
    motion: &Unconstrained,
    velocities: &[ExprId],
    form: &mut Form,
) {
    let world = dynamics::all_turned(
        graph,
        &equations.frames,
        &motion.accelerations,
        Frame::world,
    );
    let known = form[&Quantity::Acceleration].outputs.clone();
    if cheapest_after(graph, &[], [known, world.clone()]) != world {
        return;
    }
    let pivots = motion.pivots.iter();
    let guards = pivots.filter_map(|&(i, pivot)| guard(graph, &Pivot::diagonal(i, pivot)));
    let guards: Vec<Root> = guards.collect_vec();
    let own = own(
        graph,
        equations,
        velocities,
        [&motion.accelerations, &[]],
        &guards,
    );
    let found = Computed::after(&guards, world);
    form.extend([
        (Quantity::Acceleration, found.clone()),
        (Quantity::Free, found.clone()),
        (Quantity::AccelerationAndMultipliers, found),
        (Quantity::OwnSlope, Computed::after(&own.order, own.slope)),
    ]);
}

fn eliminated(graph: &mut Graph, equations: &Equations, given: Option<Given>) -> Schur {
    let rows = equations.rows.iter().map(|row| row.scaled.clone());
    let rows: Vec<_> = rows.collect_vec();
    let mut schur = weighed(graph, equations, rows);
    let diagonal = (0..equations.applied.len()).map(|i| equations.mass.get(i, i));
    let diagonal = diagonal.map(|entry| entry.unwrap_or(equations.zero));
    let mut divisors: Vec<ExprId> = diagonal.collect_vec();
    if schur.rows.is_empty() && equations.mass.is_diagonal() && equations.inverse.is_none() {
        let free = schur.weighted.free.iter().zip(&divisors);
        let quotients = free.map(|(&quotient, &divisor)| Quotient { quotient, divisor });
        let quotients = rational::shorter(
            graph,
            &equations.needs_guard(),
            &equations.masses,
            quotients.collect_vec(),
        );
        divisors = quotients.iter().map(|it| it.divisor).collect_vec();
        schur.weighted.free = quotients.iter().map(|it| it.quotient).collect_vec();
    }
    let schur = schur.after(needs_guard(graph, equations, &divisors));
    match given {
        Some(Given::Inverse(entries)) => schur.by_pseudo_inverse(graph, entries),
        Some(unknowns) => schur.given(unknowns),
        None => schur.eliminated(graph),
    }
}

/// The same system with the pseudo-inverse of J W Jᵀ, which is found at run time; its entries are leaves.
fn inverted(model: &mut Model, schur: &Schur) -> Schur {
    let m = schur.rows.len();
    let mut inverse = vec![Vec::with_capacity(m); m];
    for row in 0..m {
        for column in 0..=row {
            let role = Role::PseudoInverse(column * m + row);
            let entry = model.add_leaf(role, format!("inverse_{row}_{column}"));
            inverse[row].push(entry);
            if row > column {
                inverse[column].push(entry);
            }
        }
    }
    schur.by_pseudo_inverse(&model.graph, inverse)
}

/// Derivatives. If multipliers are found by least squares, `schur` has the pseudo-inverse, of which these are made.
fn varied(system: &mut System, equations: &Equations, (schur, motion): (&Schur, &Motion)) -> Form {
    let [acceleration, ..] = motion.turned(&mut system.model.graph, schur, &equations.frames);
    let solved = Solved {
        acceleration: &motion.acceleration,
        reported: &[acceleration, motion.multipliers[1].clone()].concat(),
        found: &motion.found,
    };
    let pressed = pressed(system, equations, schur);
    let pressed = pressed.as_ref().map(Pushed::motion);
    let mut form = derivatives(system, equations, schur, &solved, pressed);
    if !equations.rows.is_empty() {
        form.extend(gradients_of_corrections(system, equations, schur));
    }
    form
}

/// Rows weighted by M⁻¹, or by elimination of M if only M is known.
fn weighed(graph: &mut Graph, equations: &Equations, rows: Vec<ScaledRow>) -> Schur {
    let positive = equations.masses.iter().copied();
    let positive: Vec<ExprId> = positive
        .chain(equations.inertias_of_coordinates())
        .collect_vec();
    let mass = match &equations.inverse {
        Some(inverse) => Mass::Inverse(inverse, Some(&equations.mass)),
        None => Mass::Matrix(&equations.mass, &positive),
    };
    Schur::new(graph, mass, &equations.applied, rows)
}

/// The guards of a diagonal mass matrix, whose rows are counted after those of the constraints.
fn needs_guard(graph: &Graph, equations: &Equations, divisors: &[ExprId]) -> Vec<Root> {
    let first = equations.rows.len();
    let guards = equations.needs_guard().into_iter();
    let guards = guards.filter_map(|i| guard(graph, &Pivot::diagonal(first + i, divisors[i])));
    guards.collect_vec()
}

/// Quantities of bodies in their own frames.
#[derive(Default)]
struct Own {
    /// q̇, then v̇.
    slope: Vec<ExprId>,
    /// b of the equations of motion.
    right: Vec<ExprId>,
    order: Vec<Root>,
}

/// v̇ and b as functions of Rᵀω instead of ω, for the bodies that steps keep in their own frames. The accelerations of
/// bodies that are solved in these frames are expressed there already.
fn own(
    graph: &mut Graph,
    equations: &Equations,
    velocities: &[ExprId],
    [acceleration, right]: [&[ExprId]; 2],
    order: &[Root],
) -> Own {
    if equations.stepped.is_empty() {
        return Own::default();
    }
    let solved = |frame: &Frame| equations.frames.iter().any(|it| it.body == frame.body);
    let others = equations.stepped.iter().filter(|frame| !solved(frame));
    let others: Vec<Frame> = others.cloned().collect_vec();
    let acceleration = dynamics::all_turned(graph, &others, acceleration, Frame::own);
    let early = order.iter().filter_map(|root| match root {
        Root::Early(id) => Some(*id),
        _ => None,
    });
    let roots = acceleration.iter().chain(right).copied();
    let roots: Vec<ExprId> = roots.chain(early).collect_vec();
    let map = dynamics::of_own_spins(graph, &equations.stepped, velocities);
    let map = graph.substitute(roots, map);
    let substitute = |ids: &[ExprId]| -> Vec<ExprId> { ids.iter().map(|id| map[id]).collect_vec() };
    // Pivots depend on positions alone.
    let order = order.iter().map(|root| match root {
        Root::Early(id) => Root::Early(map[id]),
        other => *other,
    });
    Own {
        slope: [equations.own_kinematics.clone(), substitute(&acceleration)].concat(),
        right: substitute(right),
        order: order.collect_vec(),
    }
}

/// The meanings of rows, of M and of what is eliminated.
fn meanings(
    graph: &Graph,
    coordinates: &[SystemCoordinate],
    equations: &Equations,
    schur: &Schur,
) -> Vec<(ExprId, Meaning)> {
    let rows = equations.rows.iter().enumerate();
    let rows = rows.flat_map(|(r, row)| row.meanings(graph, r, coordinates));
    let masses = entries_of(&equations.mass, Matrix::Mass);
    rows.chain(schur.meanings()).chain(masses).collect_vec()
}

/// Consecutive rows of one constraint, with the velocities that any of them has entries for.
fn blocks(
    graph: &mut Graph,
    names: &[RowName],
    equations: &Equations,
    schur: &Schur,
) -> Vec<Block> {
    let constraints = RowName::constraints(names).into_iter();
    let blocks = constraints.map(|rows| block(graph, equations, schur, rows));
    blocks.collect_vec()
}

fn block(graph: &mut Graph, equations: &Equations, schur: &Schur, numbers: Range<usize>) -> Block {
    let frames = &equations.frames;
    let weighed = numbers.clone().map(|r| {
        let row = schur.weighted_row(graph, r);
        dynamics::turned(graph, frames, &row, Frame::world)
    });
    let weighed: Vec<SparseRow> = weighed.collect_vec();
    let rows = &equations.rows[numbers];
    let all = rows
        .iter()
        .map(|row| &row.jacobian)
        .chain(&weighed)
        .flatten();
    let velocities: SortedSet<usize> = all.map(|&(i, _)| i).collect();
    let velocities: Vec<usize> = velocities.into_iter().collect_vec();
    let zero = graph.zero();
    let dense = |row: &SparseRow| {
        let entry = |i: &usize| row.iter().find(|(k, _)| k == i).map_or(zero, |&(_, it)| it);
        velocities.iter().map(entry).collect_vec()
    };
    let jacobian = rows.iter().flat_map(|row| dense(&row.jacobian));
    let jacobian = jacobian.collect_vec();
    let scaled = rows.iter().zip(&weighed).flat_map(|(row, weighed)| {
        let unscaled = graph.mul(row.scaled.content, schur.weighted.common);
        let weighed: Vec<ExprId> = dense(weighed)
            .iter()
            .map(|&it| graph.mul(unscaled, it))
            .collect_vec();
        weighed
    });
    Block {
        jacobian,
        weighted: scaled.collect_vec(),
        velocities,
    }
}
