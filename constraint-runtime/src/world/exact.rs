//! All joints of a world at once: J W Jᵀ assembled into a sparse block matrix, factored, solved.
//!
//! Input: families of joints, the state of their bodies and the target of their rows. Output: λ and Jᵀ λ. Invariant:
//! the pattern belongs to the joints it was built for; the world builds a new one when joints are added or removed. Drives are further nodes of one row.

mod dependent;
mod response;

use alloc::{boxed::Box, vec, vec::Vec};
use core::ops::Range;

use nalgebra::SVector;

use self::dependent::Dependent;
use super::JointSlot;
use super::body::Massive;
use super::family::{Asked, Family, Moving, RowQuantity, Rows};
use super::islands::{number_parts, range_of};
use crate::error::Singular;
use crate::linalg::block_ldlt::{BlockLdlt, Coupling};
use crate::real::{Real, lane_value};

/// Rounding units of Σᵢ |Jᵢ qᵢ| below which C is rounding itself.
const RESIDUAL_EPSILONS: f64 = 4.0;

/// The matrix and the vectors of one topology.
pub(super) struct Exact<T, const D: usize> {
    matrix: BlockLdlt<T>,
    /// Those of the joints in the order of connection, and then those of the drives.
    nodes: Vec<Node>,
    joints: usize,
    /// Rows of all joints.
    rows: usize,
    /// The bodies of all nodes.
    bodies: Vec<usize>,
    /// By part.
    shared: Vec<Shared>,
    parts: Vec<Part>,
    /// Rows that follow from others, by part.
    dependent: Vec<Dependent<T>>,
    /// The part of each body; none for those without inertia.
    part_of: Vec<Option<usize>>,
    /// Nodes by part, in the order of connection.
    members: Vec<usize>,
    /// Bodies by part.
    moved: Vec<usize>,
    /// J of all joints, in the layout of [`Rows`].
    jacobian: Vec<SVector<T, D>>,
    right: Vec<T>,
    /// The targets that bodies without velocities would have.
    offsets: Vec<T>,
    /// Λ summed up over the stages of a step.
    impulses: Vec<T>,
    sizes: Vec<T>,
    /// True if the factors are those at the world's last good state.
    is_kept: bool,
    displacements: Vec<SVector<T, D>>,
    /// Velocities from which a solution starts.
    saved: Vec<SVector<T, D>>,
    /// One number for each row.
    column: Vec<T>,
    /// Impulses on each body: their sum and the sum of their sizes.
    effects: Vec<(SVector<T, D>, T)>,
}

/// C of the worst row, as a multiple of the tolerance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Residual {
    pub(super) ratio: f64,
    /// The same relative to the size of the row's terms.
    pub(super) part: f64,
    pub(super) value: f64,
    pub(super) row: usize,
}

/// A joint as part of the matrix.
#[derive(Clone, Copy)]
struct Node {
    slot: JointSlot,
    rows: usize,
    /// First row in λ.
    first: usize,
    /// The first of its bodies, and the end.
    bodies: (usize, usize),
    /// Offset of its J, and the number of its rows: a separate block for each body.
    jacobian: (usize, usize),
}

/// Bodies that are solved for by themselves, and their nodes: see `islands.rs`.
struct Part {
    members: Range<usize>,
    columns: Range<usize>,
    shared: Range<usize>,
    moved: Range<usize>,
}

/// A joint with its J and λ.
pub(super) struct Solved<'a, T, const D: usize> {
    pub(super) slot: JointSlot,
    /// Its first row.
    pub(super) first: usize,
    pub(super) bodies: &'a [usize],
    jacobian: &'a [SVector<T, D>],
    pub(super) multipliers: &'a [T],
}

impl<'a, T, const D: usize> Solved<'a, T, D> {
    /// The rows of J for each body.
    pub(super) fn blocks(&self) -> impl Iterator<Item = &'a [SVector<T, D>]> + use<'a, T, D> {
        self.jacobian.chunks_exact(self.multipliers.len())
    }
}

/// A body that two joints share: the block of both gets J_row W J_columnᵀ.
struct Shared {
    coupling: Coupling,
    body: usize,
    /// Offset of J for that body, and its number of rows, in the joint of the block's rows.
    row: (usize, usize),
    /// The same in the joint of the block's columns.
    column: (usize, usize),
}

impl<T: Real, const D: usize> Exact<T, D> {
    /// For these joints; bodies without inertia couple none.
    pub(super) fn new<B: Massive<T, D>>(
        families: &[Box<dyn Family<T, B, D>>],
        joints: &[JointSlot],
        drives: &[&[usize]],
        inertias: &[Option<B::Inertia>],
    ) -> Self {
        let (nodes, bodies) = nodes(families, joints, drives);
        let rows = nodes[..joints.len()].iter().map(|node| node.rows).sum();
        // The joints of each body, and the slot that it has there.
        let mut slots = vec![Vec::new(); inertias.len()];
        for (node, at) in nodes.iter().enumerate() {
            for (slot, &body) in bodies[at.bodies.0..at.bodies.1].iter().enumerate() {
                if inertias[body].is_some() {
                    slots[body].push((node, slot));
                }
            }
        }
        let cliques: Vec<Vec<usize>> = slots
            .iter()
            .map(|slots| slots.iter().map(|&(node, _)| node).collect())
            .collect();
        let sizes: Vec<usize> = nodes.iter().map(|node| node.rows).collect();
        let movable = |body: usize| inertias[body].is_some();
        let (part_of, node_parts, count) = number_parts(&slots, nodes.len(), movable);
        let matrix = BlockLdlt::new(&sizes, &cliques, |node| node_parts[node]);
        let mut shared = Vec::new();
        for (body, (clique, slots)) in cliques.iter().zip(&slots).enumerate() {
            let rows = |wanted: usize| {
                let slot = slots.iter().find(|&&(node, _)| node == wanted);
                let (node, slot) = slot.expect("a joint of the body");
                (nodes[*node].jacobian.0 + slot * sizes[*node], sizes[*node])
            };
            shared.extend(matrix.couplings(clique).map(|coupling| Shared {
                coupling,
                body,
                row: rows(coupling.row),
                column: rows(coupling.column),
            }));
        }
        let part_of_body = |body: usize| part_of[body].unwrap_or(count);
        shared.sort_by_key(|it: &Shared| part_of_body(it.body));
        let mut members: Vec<usize> = (0..nodes.len()).collect();
        members.sort_by_key(|&node| node_parts[node]);
        let mut moved: Vec<usize> = (0..inertias.len()).filter(|&it| movable(it)).collect();
        moved.sort_by_key(|&body| part_of_body(body));
        let parts = (0..count).map(|part| {
            let members = range_of(&members, part, |&node| node_parts[node]);
            Part {
                // As many columns as nodes, in another order.
                columns: members.clone(),
                members,
                shared: range_of(&shared, part, |it| part_of_body(it.body)),
                moved: range_of(&moved, part, |&body| part_of_body(body)),
            }
        });
        let parts: Vec<Part> = parts.collect();
        let length = nodes.last().map_or(0, |it| it.jacobian.0 + it.jacobian.1);
        Self {
            matrix,
            dependent: vec![Dependent::none(); parts.len()],
            parts,
            part_of,
            members,
            moved,
            jacobian: vec![SVector::zeros(); length],
            right: vec![T::zero(); sizes.iter().sum()],
            offsets: vec![T::zero(); sizes.iter().sum()],
            impulses: vec![T::zero(); sizes.iter().sum()],
            sizes: vec![T::zero(); sizes.iter().sum()],
            is_kept: false,
            displacements: vec![SVector::zeros(); inertias.len()],
            saved: Vec::with_capacity(inertias.len()),
            column: vec![T::zero(); sizes.iter().sum()],
            effects: vec![(SVector::zeros(), T::zero()); inertias.len()],
            joints: joints.len(),
            rows,
            nodes,
            bodies,
            shared,
        }
    }

    /// Evaluates the rows of all joints.
    pub(super) fn linearize<B: Massive<T, D>>(
        &mut self,
        asked: Asked<'_, T, D>,
        families: &[Box<dyn Family<T, B, D>>],
        bodies: &[Moving<T, B, D>],
    ) {
        (0..self.parts.len()).for_each(|it| self.linearize_part(it, asked, families, bodies));
    }

    /// Evaluates the rows of the joints of a part.
    pub(super) fn linearize_part<B: Massive<T, D>>(
        &mut self,
        part: usize,
        asked: Asked<'_, T, D>,
        families: &[Box<dyn Family<T, B, D>>],
        bodies: &[Moving<T, B, D>],
    ) {
        self.is_kept = false;
        let Part {
            members, columns, ..
        } = &self.parts[part];
        self.matrix.clear(columns.clone());
        for &index in &self.members[members.clone()] {
            let node = &self.nodes[index];
            let (start, length) = node.jacobian;
            let mut rows = Rows {
                jacobian: &mut self.jacobian[start..start + length],
                diagonal: self.matrix.diagonal_mut(index, node.rows),
                right: &mut self.right[node.first..node.first + node.rows],
            };
            if index >= self.joints {
                rows.write_inert();
                continue;
            }
            let family = &families[node.slot.family];
            family.write_rows(node.slot.index, asked, bodies, rows);
        }
    }

    pub(super) fn parts(&self) -> usize {
        self.parts.len()
    }

    /// The part of a body; none if it cannot move.
    pub(super) fn part_of(&self, body: usize) -> Option<usize> {
        self.part_of[body]
    }

    /// The bodies of a part.
    pub(super) fn moved(&self, part: usize) -> &[usize] {
        &self.moved[self.parts[part].moved.clone()]
    }

    /// The limits, motors and bounds of a part.
    pub(super) fn drives(&self, part: usize) -> impl Iterator<Item = usize> + '_ {
        let members = &self.members[self.parts[part].members.clone()];
        let first = members.partition_point(|&node| node < self.joints);
        members[first..].iter().map(|node| node - self.joints)
    }

    /// True if something is held there: by a joint, a limit or a motor.
    pub(super) fn has_rows(&self, part: usize) -> bool {
        !self.parts[part].members.is_empty()
    }

    /// Turns rows of drives of a part, inert after each evaluation, into those with this G, this diagonal and this target.
    pub(super) fn write_drives<'a>(
        &mut self,
        part: usize,
        of: impl Fn(usize) -> Option<(&'a [SVector<T, D>], T, T)>,
    ) where
        T: 'a,
    {
        for &index in self.members[self.parts[part].members.clone()].iter() {
            let Some(drive) = index.checked_sub(self.joints) else {
                continue;
            };
            if let Some((slopes, diagonal, target)) = of(drive) {
                let start = self.nodes[index].jacobian.0;
                self.jacobian[start..start + slopes.len()].copy_from_slice(slopes);
                self.matrix.diagonal_mut(index, 1)[0] = diagonal;
                self.right[self.rows + drive] = target;
            }
        }
    }

    /// Λ of the row of a drive; zero if it is inert.
    pub(super) fn drive_multiplier(&self, drive: usize) -> T {
        self.right[self.rows + drive]
    }

    /// Solves for λ of all joints: J W Jᵀ λ = the target of their rows.
    pub(super) fn solve<B: Massive<T, D>>(
        &mut self,
        bodies: &[Moving<T, B, D>],
    ) -> Result<(), Singular> {
        self.factor(bodies)?;
        self.substitute();
        Ok(())
    }

    /// Factors J W Jᵀ of the rows evaluated last.
    pub(super) fn factor<B: Massive<T, D>>(
        &mut self,
        bodies: &[Moving<T, B, D>],
    ) -> Result<(), Singular> {
        (0..self.parts.len()).try_for_each(|it| self.factor_part(it, bodies))
    }

    /// Factors J W Jᵀ of a part.
    pub(super) fn factor_part<B: Massive<T, D>>(
        &mut self,
        part: usize,
        bodies: &[Moving<T, B, D>],
    ) -> Result<(), Singular> {
        self.couple(part, bodies);
        let columns = self.parts[part].columns.clone();
        if self.matrix.factor(columns)? {
            return self.set_aside(part, bodies);
        }
        self.dependent[part].rows.clear();
        Ok(())
    }

    /// Adds the blocks of joints that share bodies.
    fn couple<B: Massive<T, D>>(&mut self, part: usize, bodies: &[Moving<T, B, D>]) {
        let Part { shared, .. } = &self.parts[part];
        for shared in &self.shared[shared.clone()] {
            let (rows, columns) = (shared.row.1, shared.column.1);
            let block = self.matrix.block_mut(&shared.coupling, rows * columns);
            let of = |(start, length): (usize, usize)| &self.jacobian[start..start + length];
            let w = &bodies[shared.body].inverse_mass;
            for (k, column) in of(shared.column).iter().enumerate() {
                let weighted = B::accelerated(w, column);
                for (i, row) in of(shared.row).iter().enumerate() {
                    block[i * columns + k] += row.dot(&weighted);
                }
            }
        }
    }

    /// Solves for λ with the factors that are there.
    pub(super) fn substitute(&mut self) {
        (0..self.parts.len()).for_each(|it| self.substitute_part(it));
    }

    pub(super) fn substitute_part(&mut self, part: usize) {
        if !self.dependent[part].is_empty() {
            return self.solve_dependent(part);
        }
        let columns = self.parts[part].columns.clone();
        self.matrix.solve(columns, &mut self.right);
    }

    /// The factors are those at the world's last good state, until the next evaluation.
    pub(super) fn keep(&mut self, is_kept: bool) {
        self.is_kept = is_kept;
    }

    pub(super) fn is_kept(&self) -> bool {
        self.is_kept
    }

    /// Starts a step with this part of the impulses of the last one.
    pub(super) fn start<B: Massive<T, D>>(
        &mut self,
        families: &[Box<dyn Family<T, B, D>>],
        part: T,
    ) {
        self.right[self.rows..].fill(T::zero());
        for node in &self.nodes[..self.joints] {
            let last = families[node.slot.family].impulse(node.slot.index);
            let rows = node.first..node.first + node.rows;
            for (right, &last) in self.right[rows].iter_mut().zip(last) {
                *right = last * part;
            }
        }
        (0..self.parts.len()).for_each(|it| self.lessen_part(it));
        self.clear_impulses();
        self.sum_up();
    }

    /// Starts to sum up the impulses of a step.
    pub(super) fn clear_impulses(&mut self) {
        self.impulses.fill(T::zero());
    }

    /// Shows the impulses summed up so far, with the bodies of each.
    pub(super) fn visit_impulses(&mut self, show: &mut dyn FnMut(&[usize], &mut T)) {
        for node in &self.nodes {
            let bodies = &self.bodies[node.bodies.0..node.bodies.1];
            let own = &mut self.impulses[node.first..node.first + node.rows];
            own.iter_mut().for_each(|it| show(bodies, it));
        }
    }

    /// Multiplies the targets.
    pub(super) fn scale_targets(&mut self, by: T) {
        self.right.iter_mut().for_each(|right| *right *= by);
    }

    /// Adds λ to the impulses of the step.
    pub(super) fn sum_up(&mut self) {
        for (sum, &impulse) in self.impulses.iter_mut().zip(&self.right) {
            *sum += impulse;
        }
    }

    /// All joints, and their impulses summed up over the step.
    pub(super) fn impulses(&self) -> impl Iterator<Item = (JointSlot, &[T])> {
        let impulses = |node: &Node| &self.impulses[node.first..node.first + node.rows];
        let joints = self.nodes[..self.joints].iter();
        joints.map(move |node| (node.slot, impulses(node)))
    }

    /// Computes the size of the terms of each row of C, Σᵢ |Jᵢ qᵢ|.
    pub(super) fn measure<B: Massive<T, D>>(&mut self, bodies: &[Moving<T, B, D>]) {
        self.sizes.fill(T::zero());
        for node in &self.nodes {
            let sizes = &mut self.sizes[node.first..node.first + node.rows];
            let blocks = self.jacobian[node.jacobian.0..].chunks_exact(node.rows);
            for (block, &body) in blocks.zip(&self.bodies[node.bodies.0..node.bodies.1]) {
                let extent = bodies[body].pose.extent();
                for (size, row) in sizes.iter_mut().zip(block) {
                    *size += row.zip_map(&extent, |j, q| (j * q).simd_abs()).sum();
                }
            }
        }
    }

    /// The sizes of the terms of C, row by row.
    pub(super) fn sizes(&self) -> &[T] {
        &self.sizes[..self.rows]
    }

    /// The worst of the rows with the target C = 0, relative to `tolerance` or rounding.
    pub(super) fn worst(&self, tolerance: T) -> Residual {
        let epsilon = T::lit(RESIDUAL_EPSILONS) * T::simd_default_epsilon();
        let mut worst = Residual::default();
        for (row, (&value, &size)) in self.right.iter().zip(&self.sizes).enumerate() {
            let ratio = part(value, (size * epsilon).simd_max(tolerance));
            if ratio > worst.ratio {
                worst = Residual {
                    ratio,
                    part: part(value, size),
                    value: lane_value(-value, 0),
                    row,
                };
            }
        }
        worst
    }

    /// Recomputes the targets at the present state, with the same J: this quantity is to vanish.
    pub(super) fn ask_again<B: Massive<T, D>>(
        &mut self,
        quantity: RowQuantity,
        time: T,
        families: &[Box<dyn Family<T, B, D>>],
        bodies: &[Moving<T, B, D>],
    ) {
        for family in families {
            family.evaluate(quantity, time, bodies, &mut |first, value| {
                for (right, &value) in self.right[first..].iter_mut().zip(value) {
                    *right = -value;
                }
            });
        }
        self.right[self.rows..].fill(T::zero());
    }

    /// λ, row by row in the order of connection; before the solution, the targets of the rows.
    pub(super) fn multipliers_mut(&mut self) -> &mut [T] {
        &mut self.right[..self.rows]
    }

    /// λ of all joints, row by row.
    pub(super) fn multipliers(&self) -> &[T] {
        &self.right[..self.rows]
    }

    /// All joints in the order of connection.
    pub(super) fn joints(&self) -> impl Iterator<Item = Solved<'_, T, D>> {
        self.nodes[..self.joints].iter().map(|it| self.solved(it))
    }

    fn solved(&self, node: &Node) -> Solved<'_, T, D> {
        Solved {
            slot: node.slot,
            first: node.first,
            bodies: &self.bodies[node.bodies.0..node.bodies.1],
            jacobian: &self.jacobian[node.jacobian.0..node.jacobian.0 + node.jacobian.1],
            multipliers: &self.right[node.first..node.first + node.rows],
        }
    }

    /// Calls `show` with Jᵀ λ of each joint and drive on each of its bodies.
    #[inline]
    pub(super) fn push(&self, mut show: impl FnMut(usize, SVector<T, D>)) {
        for joint in self.nodes.iter().map(|it| self.solved(it)) {
            for (block, &body) in joint.blocks().zip(joint.bodies) {
                show(body, combined(block, joint.multipliers));
            }
        }
    }

    /// Moves the bodies by W Jᵀ λ.
    pub(super) fn displace<B: Massive<T, D>>(&mut self, bodies: &mut [Moving<T, B, D>]) {
        let displacements = self.find_displacements(bodies);
        for (body, displacement) in bodies.iter_mut().zip(displacements) {
            body.pose = body.pose.moved(displacement, T::one());
        }
    }

    /// Computes W Jᵀ λ of each body.
    pub(super) fn find_displacements<B: Massive<T, D>>(
        &mut self,
        bodies: &[Moving<T, B, D>],
    ) -> &[SVector<T, D>] {
        (0..self.parts.len()).for_each(|it| self.find_displacements_of(it, bodies));
        &self.displacements
    }

    /// Computes W Jᵀ λ of each body of a part.
    pub(super) fn find_displacements_of<B: Massive<T, D>>(
        &mut self,
        part: usize,
        bodies: &[Moving<T, B, D>],
    ) {
        let mut displacements = core::mem::take(&mut self.displacements);
        let Part { members, moved, .. } = &self.parts[part];
        for &body in &self.moved[moved.clone()] {
            displacements[body] = SVector::zeros();
        }
        for &index in &self.members[members.clone()] {
            let joint = self.solved(&self.nodes[index]);
            for (block, &body) in joint.blocks().zip(joint.bodies) {
                let push = combined(block, joint.multipliers);
                displacements[body] += B::accelerated(&bodies[body].inverse_mass, &push);
            }
        }
        self.displacements = displacements;
    }

    /// Keeps the velocities.
    pub(super) fn save_velocities<B: Massive<T, D>>(&mut self, bodies: &[Moving<T, B, D>]) {
        self.saved.clear();
        self.saved.extend(bodies.iter().map(|body| body.velocity));
    }

    /// Goes back to the velocities of a part that were kept.
    pub(super) fn go_to_saved<B: Massive<T, D>>(
        &self,
        part: usize,
        bodies: &mut [Moving<T, B, D>],
    ) {
        for &body in self.moved(part) {
            bodies[body].velocity = self.saved[body];
        }
    }

    /// How far each body has been moved by the last iteration of a projection.
    pub(super) fn displacements(&self) -> &[SVector<T, D>] {
        &self.displacements
    }
}

/// |x|/size in the worst lane; 0 is no part of anything, and NaN is any part.
fn part<T: Real>(x: T, size: T) -> f64 {
    let part = T::zero().select(x.simd_eq(T::zero()), x.simd_abs() / size);
    let part = lane_value(T::splat(part.simd_horizontal_max()), 0);
    if part.is_nan() { f64::INFINITY } else { part }
}

/// Σ λᵢ Jᵢ
#[inline]
fn combined<T: Real, const D: usize>(rows: &[SVector<T, D>], lambda: &[T]) -> SVector<T, D> {
    // Three rows are the most frequent: with a constant number the loop is unrolled.
    let (threes, rows) = rows.as_chunks::<3>();
    let (three_lambdas, lambda) = lambda.as_chunks::<3>();
    let mut sum = SVector::zeros();
    for ([a, b, c], [x, y, z]) in threes.iter().zip(three_lambdas) {
        sum += a * *x + b * *y + c * *z;
    }
    for (row, x) in rows.iter().zip(lambda) {
        sum += row * *x;
    }
    sum
}

fn nodes<T: Real, B: Massive<T, D>, const D: usize>(
    families: &[Box<dyn Family<T, B, D>>],
    joints: &[JointSlot],
    drives: &[&[usize]],
) -> (Vec<Node>, Vec<usize>) {
    let (mut first, mut start, mut bodies) = (0, 0, Vec::new());
    let mut node = |slot: JointSlot, rows: usize, own: &[usize]| {
        let length = rows * own.len();
        let node = Node {
            slot,
            rows,
            first,
            bodies: (bodies.len(), bodies.len() + own.len()),
            jacobian: (start, length),
        };
        first += rows;
        start += length;
        bodies.extend_from_slice(own);
        node
    };
    let mut nodes = Vec::with_capacity(joints.len() + drives.len());
    for &slot in joints {
        let family = &families[slot.family];
        nodes.push(node(slot, family.rows(), family.bodies(slot.index)));
    }
    // Drives belong to no family.
    let none = JointSlot {
        family: usize::MAX,
        index: usize::MAX,
    };
    for own in drives {
        nodes.push(node(none, 1, own));
    }
    (nodes, bodies)
}
