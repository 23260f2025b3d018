//! All joints of a world at once: J W Jᵀ assembled into a sparse block matrix, factored, solved.
//!
//! In: families of joints and the state of their bodies. Out: impulses given to the velocities, or displacements
//! to the places. Invariant: the pattern belongs to the joints it was made for; the world makes a new one when
//! joints are added.

use nalgebra::SVector;

use super::JointPlace;
use super::block_ldlt::{BlockLdlt, Coupling};
use super::body::Massive;
use super::joints::{Family, Moving, Rows};
use crate::error::Singular;
use crate::real::Real;

/// The matrix and the vectors of one topology.
pub(super) struct Exact<T, const D: usize> {
    matrix: BlockLdlt<T>,
    nodes: Vec<Node>,
    shared: Vec<Shared>,
    /// J of all joints, as [`Rows`] says.
    jacobian: Vec<SVector<T, D>>,
    right: Vec<T>,
    displacements: Vec<SVector<T, D>>,
}

/// A joint as part of the matrix.
#[derive(Clone, Copy)]
struct Node {
    place: JointPlace,
    rows: usize,
    /// First row in λ.
    first: usize,
    /// Where its J starts, and how many rows of it there are: its own for each body.
    jacobian: (usize, usize),
}

/// A body that two joints share: the block of both gets J_row W J_columnᵀ.
struct Shared {
    coupling: Coupling,
    body: usize,
    /// Where J for that body starts, and how many rows it has, in the joint of the block's rows.
    row: (usize, usize),
    /// The same in the joint of the block's columns.
    column: (usize, usize),
}

impl<T: Real, const D: usize> Exact<T, D> {
    /// For these joints; `movable` tells which bodies can couple them.
    pub(super) fn new<B: Massive<T, D>>(
        families: &[Box<dyn Family<T, B, D>>],
        joints: &[JointPlace],
        movable: &[bool],
    ) -> Self {
        let nodes = nodes(families, joints);
        // The joints of each body, and the slot that it has there.
        let mut slots = vec![Vec::new(); movable.len()];
        for (node, place) in joints.iter().enumerate() {
            let bodies = families[place.family].bodies(place.index);
            for (slot, &body) in bodies.iter().enumerate() {
                if movable[body] {
                    slots[body].push((node, slot));
                }
            }
        }
        let cliques: Vec<Vec<usize>> = slots
            .iter()
            .map(|slots| slots.iter().map(|&(node, _)| node).collect())
            .collect();
        let sizes: Vec<usize> = nodes.iter().map(|node| node.rows).collect();
        let matrix = BlockLdlt::new(&sizes, &cliques);
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
        let length = nodes.last().map_or(0, |it| it.jacobian.0 + it.jacobian.1);
        Self {
            matrix,
            jacobian: vec![SVector::zeros(); length],
            right: vec![T::zero(); sizes.iter().sum()],
            displacements: vec![SVector::zeros(); movable.len()],
            nodes,
            shared,
        }
    }

    /// Gives the velocities the impulses of the linearised joints.
    pub(super) fn solve_velocities<B: Massive<T, D>>(
        &mut self,
        families: &mut [Box<dyn Family<T, B, D>>],
        bodies: &mut [Moving<T, B, D>],
    ) -> Result<(), Singular> {
        self.solve(bodies, |place, rows| {
            families[place.family].write_velocity_rows(place.index, rows);
        })?;
        for node in &self.nodes {
            let lambda = &self.right[node.first..node.first + node.rows];
            families[node.place.family].apply_impulse(node.place.index, lambda, bodies);
        }
        Ok(())
    }

    /// Moves the bodies by −W Jᵀ (J W Jᵀ)⁻¹ C: one iteration of Newton's method.
    pub(super) fn improve_positions<B: Massive<T, D>>(
        &mut self,
        time: T,
        families: &mut [Box<dyn Family<T, B, D>>],
        bodies: &mut [Moving<T, B, D>],
    ) -> Result<(), Singular> {
        self.solve(bodies, |place, rows| {
            families[place.family].write_position_rows(place.index, time, bodies, rows);
        })?;
        self.displacements.fill(SVector::zeros());
        for node in &self.nodes {
            let lambda = &self.right[node.first..node.first + node.rows];
            let family = &families[node.place.family];
            family.displace(node.place.index, lambda, bodies, &mut self.displacements);
        }
        for (body, displacement) in bodies.iter_mut().zip(&self.displacements) {
            body.place = body.place.moved(displacement, T::one());
        }
        Ok(())
    }

    /// How far each body has been moved by the last iteration.
    pub(super) fn displacements(&self) -> &[SVector<T, D>] {
        &self.displacements
    }

    /// Leaves λ in `right`.
    fn solve<B: Massive<T, D>>(
        &mut self,
        bodies: &[Moving<T, B, D>],
        mut write: impl FnMut(JointPlace, Rows<'_, T, D>),
    ) -> Result<(), Singular> {
        self.matrix.clear();
        for (index, node) in self.nodes.iter().enumerate() {
            let (start, length) = node.jacobian;
            let rows = Rows {
                jacobian: &mut self.jacobian[start..start + length],
                diagonal: self.matrix.diagonal_mut(index, node.rows),
                right: &mut self.right[node.first..node.first + node.rows],
            };
            write(node.place, rows);
        }
        for shared in &self.shared {
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
        self.matrix.factor()?;
        self.matrix.solve(&mut self.right);
        Ok(())
    }
}

fn nodes<T: Real, B: Massive<T, D>, const D: usize>(
    families: &[Box<dyn Family<T, B, D>>],
    joints: &[JointPlace],
) -> Vec<Node> {
    let (mut first, mut start) = (0, 0);
    let node = |&place: &JointPlace| {
        let family = &families[place.family];
        let rows = family.rows();
        let length = rows * family.bodies(place.index).len();
        let node = Node {
            place,
            rows,
            first,
            jacobian: (start, length),
        };
        first += rows;
        start += length;
        node
    };
    joints.iter().map(node).collect()
}
