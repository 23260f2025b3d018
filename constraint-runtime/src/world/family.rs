//! What the solvers of a world see of its joints: families of one type each, hidden behind one trait.
//!
//! A [`Family`] linearises its joints at a state, applies impulses to them, or writes their rows for the exact solver. One
//! virtual call serves a whole family, so the inner loops are the generated code of that joint.

use alloc::boxed::Box;
use core::any::Any;

use nalgebra::{SMatrix, SVector};

use super::apart::Gap;
use super::body::Massive;
use super::driving::Driving;
use super::settling::Change;
use super::touching::{Touching, sweep, warm_start};
use crate::error::Singular;
use crate::impulse::{Softness, Swept};
use crate::real::{Real, largest_of};

/// A body during a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving<T: Real, B: Massive<T, D>, const D: usize> {
    pub(super) pose: B,
    pub(super) velocity: SVector<T, D>,
    /// W at the body's pose.
    pub(super) inverse_mass: B::InverseMass,
}

impl<T: Real, B: Massive<T, D>, const D: usize> Moving<T, B, D> {
    /// v += W Λ
    #[inline]
    pub(super) fn accelerate(&mut self, impulse: &SVector<T, D>) {
        self.velocity += B::accelerated(&self.inverse_mass, impulse);
    }

    /// Moves the body by W Λ.
    #[inline]
    pub(super) fn displace(&mut self, impulse: &SVector<T, D>) {
        let displacement = B::accelerated(&self.inverse_mass, impulse);
        self.pose = self.pose.moved(&displacement, T::one());
    }
}

/// The settings of a step for all rigid joints.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step<T> {
    pub(super) time: T,
    pub(super) size: T,
    /// Baumgarte's feedback of C in Ċ.
    pub(super) feedback: T,
    /// True for an impact: it leaves Ċ as it is, and soft joints do not act.
    pub(super) is_impact: bool,
}

/// The target of a joint's rows.
#[derive(Clone, Copy)]
pub(super) enum Asked<'a, T, const D: usize> {
    /// Ċ + feedback C + γ Λ = 0 by impulses Λ.
    Impulses(&'a Step<T>),
    /// Ċ = 0 at this time by impulses; soft joints have no rows.
    Rates(T),
    /// Ċ as it is at this time; soft joints have no rows.
    Impact(T),
    /// C = 0 at this time by displacements; soft joints have no rows.
    Poses(T),
    /// C̈ = 0 at this time by forces, for bodies with these accelerations without them; soft joints have no rows.
    Forces(T, &'a [SVector<T, D>]),
    /// The right-hand side as it is, at this time; soft joints have no rows.
    Given(T),
}

/// A quantity of all rows; rows of soft joints have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowQuantity {
    /// C
    Value,
    /// Ċ
    Rate,
    /// β
    Bias,
}

/// The memory into which a joint writes its rows for the exact solver.
pub(super) struct Rows<'a, T, const D: usize> {
    /// J, row by row for the first body, then for the next.
    pub(super) jacobian: &'a mut [SVector<T, D>],
    /// J W Jᵀ + γ, row by row.
    pub(super) diagonal: &'a mut [T],
    /// The excess to be removed: the right-hand side.
    pub(super) right: &'a mut [T],
}

/// Joints of one type.
pub(super) trait Family<T: Real, B: Massive<T, D>, const D: usize>:
    Any + Send + Sync
{
    /// The type's name.
    fn name(&self) -> &'static str;

    /// Rows of each joint.
    fn rows(&self) -> usize;

    /// The bodies of a joint.
    fn bodies(&self, joint: usize) -> &[usize];

    /// Λ of the last good step.
    fn impulse(&self, joint: usize) -> &[T];

    /// Makes a joint soft or rigid.
    fn set_softness(&mut self, joint: usize, softness: Option<Softness<T>>);

    /// Lets a joint act, or not.
    fn enable(&mut self, joint: usize, enabled: bool);

    /// True if it acts.
    fn is_enabled(&self, joint: usize) -> bool;

    /// Leaves a row to a drive, or takes it back.
    fn set_bounded(&mut self, joint: usize, row: usize, bounded: bool);

    /// Measures a row for a drive: writes G, and returns C and ∂C/∂t.
    fn measure_row(
        &self,
        joint: usize,
        row: usize,
        time: T,
        bodies: &[Moving<T, B, D>],
        slopes: &mut [SVector<T, D>],
    ) -> (T, T);

    /// True if a joint moves bodies in the course of time.
    fn moves_by_itself(&self, time: T, bodies: &[Moving<T, B, D>]) -> bool;

    /// Λ of a row in this step.
    fn set_row_impulse(&mut self, joint: usize, row: usize, impulse: T);

    /// True if one of the joints is soft.
    fn has_soft(&self) -> bool;

    /// True if it acts, and holds C = 0.
    fn is_rigid(&self, joint: usize) -> bool;

    /// Its constraint.
    fn law(&self, joint: usize) -> &dyn Any;

    /// The same, to be changed.
    fn law_mut(&mut self, joint: usize) -> &mut dyn Any;

    /// Removes a joint; those after it move up.
    fn remove(&mut self, joint: usize);

    /// Renumbers the first row of a joint.
    fn set_first(&mut self, joint: usize, first: usize);

    /// Renumbers bodies after one that no joint connects has been removed.
    fn body_removed(&mut self, body: usize);

    /// Evaluates all rows at the bodies' state; `Λ` starts from that of the last good step, or from zero.
    fn linearize(&mut self, step: &Step<T>, bodies: &[Moving<T, B, D>], warm: bool);

    /// Factors each joint's own block of J W Jᵀ + γ.
    fn factor(&mut self) -> Result<(), Singular>;

    /// Applies the initial impulses of the joints to the bodies.
    fn warm_start(&self, bodies: &mut [Moving<T, B, D>]);

    /// Satisfies one joint after the other, forwards or backwards.
    fn sweep(&mut self, bodies: &mut [Moving<T, B, D>], backwards: bool);

    /// Moves the bodies of one rigid joint after the other onto C = 0.
    fn project(
        &mut self,
        time: T,
        bodies: &mut [Moving<T, B, D>],
        backwards: bool,
    ) -> Result<(), Singular>;

    /// Writes the rows of a joint.
    fn write_rows(
        &self,
        joint: usize,
        asked: Asked<'_, T, D>,
        bodies: &[Moving<T, B, D>],
        rows: Rows<'_, T, D>,
    );

    /// Λ of a joint in this step.
    fn set_impulse(&mut self, joint: usize, impulse: &[T]);

    /// Shows Λ of all joints in this step, with the bodies of each.
    fn visit_impulses(&mut self, show: &mut dyn FnMut(&[usize], &mut T));

    /// The widest gap of a rigid joint, beyond rounding and `tolerance`.
    fn widest_gap(
        &self,
        time: T,
        tolerance: T,
        bodies: &[Moving<T, B, D>],
        inertias: &[Option<B::Inertia>],
    ) -> Option<Gap>;

    /// Shows this quantity of every joint, and its first row.
    fn evaluate(
        &self,
        quantity: RowQuantity,
        time: T,
        bodies: &[Moving<T, B, D>],
        show: &mut dyn FnMut(usize, &[T]),
    );

    /// Adds the forces of the soft joints.
    fn add_soft_forces(&self, time: T, bodies: &[Moving<T, B, D>], forces: &mut [SVector<T, D>]);

    /// Accepts Λ of this step.
    fn commit(&mut self);
}

/// All joints of a world, linearised, and its bodies.
pub(super) struct Linearized<'a, T: Real, B: Massive<T, D>, const D: usize> {
    pub(super) families: &'a mut [Box<dyn Family<T, B, D>>],
    pub(super) bodies: &'a mut [Moving<T, B, D>],
    pub(super) drives: &'a mut [Driving<T, B, D>],
    pub(super) contacts: &'a mut [Touching<T, D>],
    /// What the last sweep has changed at contacts.
    pub(super) change: Change<T>,
    /// True if drives start from their last impulses.
    pub(super) warm: bool,
}

impl<T: Real, B: Massive<T, D>, const D: usize> Linearized<'_, T, B, D> {
    /// Moves the bodies of one joint after the other onto C = 0.
    pub(super) fn project(&mut self, time: T, backwards: bool) -> Result<(), Singular> {
        let last = self.families.len().saturating_sub(1);
        (0..self.families.len()).try_for_each(|k| {
            let index = if backwards { last - k } else { k };
            self.families[index].project(time, self.bodies, backwards)
        })
    }
}

/// The largest |entry| of this quantity over all joints.
pub(super) fn largest_row<T: Real, B: Massive<T, D>, const D: usize>(
    families: &[Box<dyn Family<T, B, D>>],
    quantity: RowQuantity,
    time: T,
    bodies: &[Moving<T, B, D>],
) -> T {
    let mut most = T::zero();
    for family in families {
        family.evaluate(quantity, time, bodies, &mut |_, values| {
            most = largest_of(values).simd_max(most);
        });
    }
    most
}

impl<T: Real, B: Massive<T, D>, const D: usize> Swept for Linearized<'_, T, B, D> {
    fn factor(&mut self) -> Result<(), Singular> {
        self.families.iter_mut().try_for_each(|it| it.factor())
    }

    fn warm_start(&mut self) {
        for family in &*self.families {
            family.warm_start(self.bodies);
        }
        for drive in &mut *self.drives {
            drive.warm_start(self.bodies, self.warm);
        }
        warm_start(self.contacts, self.bodies);
    }

    fn sweep(&mut self, backwards: bool) {
        let last = self.families.len().saturating_sub(1);
        for k in 0..self.families.len() {
            let index = if backwards { last - k } else { k };
            self.families[index].sweep(self.bodies, backwards);
        }
        for drive in &mut *self.drives {
            drive.obey(self.bodies);
        }
        self.change = sweep(self.contacts, self.bodies, backwards);
    }
}

impl<T: Real, const D: usize> Rows<'_, T, D> {
    pub(super) fn write<const N: usize, const M: usize>(
        &mut self,
        jacobian: &[SMatrix<T, M, D>; N],
        diagonal: &SMatrix<T, M, M>,
    ) {
        for (rows, block) in self.jacobian.chunks_exact_mut(M).zip(jacobian) {
            for (i, row) in rows.iter_mut().enumerate() {
                *row = block.row(i).transpose();
            }
        }
        for (i, row) in self.diagonal.chunks_exact_mut(M).enumerate() {
            for (k, entry) in row.iter_mut().enumerate() {
                *entry = diagonal[(i, k)];
            }
        }
    }

    /// Rows that hold at any motion.
    pub(super) fn write_inert(&mut self) {
        for row in 0..self.right.len() {
            self.suspend(row);
        }
    }

    /// Turns one of the rows into one that holds at any motion.
    pub(super) fn suspend(&mut self, row: usize) {
        let count = self.right.len();
        for block in self.jacobian.chunks_exact_mut(count) {
            block[row] = SVector::zeros();
        }
        for k in 0..count {
            self.diagonal[row * count + k] = T::zero();
            self.diagonal[k * count + row] = T::zero();
        }
        self.diagonal[row * count + row] = T::one();
        self.right[row] = T::zero();
    }

    /// Sets the right-hand side to the excess that the rows must remove.
    pub(super) fn ask<const M: usize>(&mut self, excess: &SVector<T, M>) {
        for (right, &excess) in self.right.iter_mut().zip(excess) {
            *right = -excess;
        }
    }
}

/// The name of a type without its path and parameters.
pub(crate) fn short_name<C: ?Sized>() -> &'static str {
    let name = core::any::type_name::<C>();
    let name = name.split('<').next().unwrap_or(name);
    name.rsplit("::").next().unwrap_or(name)
}
