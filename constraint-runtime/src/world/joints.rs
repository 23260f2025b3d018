//! All joints of one type in a world, their sizes known at compile time and hidden behind one trait.
//!
//! The solvers use a [`Family`]: it linearises its joints at a state, applies impulses to them, or writes their rows
//! for the exact solver. One virtual call serves a whole family, so the inner loops are the generated code of that
//! joint.
//!
//! A joint requires Ċ + feedback C + γ Λ = 0 at the end of the step, Λ being its impulse over the step: feedback and
//! γ are 0 for a rigid row, those of its [`Softness`] for a soft one, and Baumgarte's for a rigid row without
//! projection.

use alloc::{boxed::Box, vec::Vec};
use core::any::Any;

use nalgebra::{SMatrix, SVector};

use crate::body_constraint::BodyConstraint;
use crate::error::Singular;
use crate::impulse::{Softness, Swept};
use crate::linalg::ldlt::Ldlt;
use crate::real::{Real, largest_of};

use super::apart::Gap;
use super::body::Massive;
use super::drives::Driving;
use super::touching::{Touching, sweep, warm_start};

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
}

/// The target of a joint's rows.
#[derive(Clone, Copy)]
pub(super) enum Asked<'a, T, const D: usize> {
    /// Ċ + feedback C + γ Λ = 0 by impulses Λ.
    Impulses(&'a Step<T>),
    /// Ċ = 0 at this time by impulses; soft joints have no rows.
    Rates(T),
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
    /// The change of a rate of a contact in the last sweep.
    pub(super) residual: T,
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
        (self.residual, _) = sweep(self.contacts, self.bodies, backwards);
    }
}

/// The one implementation of [`Family`].
pub(super) struct Joints<C, T, const D: usize, const N: usize, const M: usize> {
    joints: Vec<Joint<C, T, D, N, M>>,
    /// Number of soft ones.
    soft: usize,
}

pub(super) struct Joint<C, T, const D: usize, const N: usize, const M: usize> {
    pub(super) law: C,
    pub(super) bodies: [usize; N],
    /// Its first row among those of all joints.
    pub(super) first: usize,
    softness: Option<Softness<T>>,
    /// False if it does not act.
    enabled: bool,
    /// Λ of the last good step.
    kept: SVector<T, M>,
    /// Λ of this step.
    impulse: SVector<T, M>,
    jacobian: [SMatrix<T, M, D>; N],
    /// Added to J v and γ Λ; the sum is to vanish: ∂C/∂t + feedback C.
    drive: SVector<T, M>,
    /// γ
    softening: T,
    /// J W Jᵀ + γ, and its factors.
    delassus: SMatrix<T, M, M>,
    factors: Ldlt<T, M>,
}

impl<C, T, const D: usize, const N: usize, const M: usize> Joints<C, T, D, N, M> {
    pub(super) fn new() -> Self {
        Self {
            joints: Vec::new(),
            soft: 0,
        }
    }
}

impl<C, T: Real, const D: usize, const N: usize, const M: usize> Joints<C, T, D, N, M> {
    /// Adds a rigid joint with its first row and returns its index.
    pub(super) fn push(&mut self, law: C, bodies: [usize; N], first: usize) -> usize {
        self.joints.push(Joint {
            law,
            bodies,
            first,
            softness: None,
            enabled: true,
            kept: SVector::zeros(),
            impulse: SVector::zeros(),
            jacobian: [SMatrix::zeros(); N],
            drive: SVector::zeros(),
            softening: T::zero(),
            delassus: SMatrix::zeros(),
            factors: Ldlt::identity(),
        });
        self.joints.len() - 1
    }
}

impl<C, T, B, const D: usize, const N: usize, const M: usize> Family<T, B, D>
    for Joints<C, T, D, N, M>
where
    T: Real + Send + Sync,
    B: Massive<T, D>,
    C: BodyConstraint<T, D, N, M, Body = B> + Send + Sync + 'static,
{
    fn name(&self) -> &'static str {
        match self.joints.first() {
            Some(joint) => joint.law.name(),
            None => short_name::<C>(),
        }
    }

    fn rows(&self) -> usize {
        M
    }

    fn bodies(&self, joint: usize) -> &[usize] {
        &self.joints[joint].bodies
    }

    fn impulse(&self, joint: usize) -> &[T] {
        self.joints[joint].kept.as_slice()
    }

    fn set_softness(&mut self, joint: usize, softness: Option<Softness<T>>) {
        self.joints[joint].softness = softness;
        self.soft = self
            .joints
            .iter()
            .filter(|it| it.softness.is_some())
            .count();
    }

    fn enable(&mut self, joint: usize, enabled: bool) {
        let joint = &mut self.joints[joint];
        joint.enabled = enabled;
        if !enabled {
            (joint.kept, joint.impulse) = (SVector::zeros(), SVector::zeros());
        }
    }

    fn is_enabled(&self, joint: usize) -> bool {
        self.joints[joint].enabled
    }

    fn has_soft(&self) -> bool {
        self.soft > 0
    }

    fn is_rigid(&self, joint: usize) -> bool {
        self.joints[joint].is_rigid()
    }

    fn law(&self, joint: usize) -> &dyn Any {
        &self.joints[joint].law
    }

    fn law_mut(&mut self, joint: usize) -> &mut dyn Any {
        &mut self.joints[joint].law
    }

    fn remove(&mut self, joint: usize) {
        let removed = self.joints.remove(joint);
        self.soft -= usize::from(removed.softness.is_some());
    }

    fn set_first(&mut self, joint: usize, first: usize) {
        self.joints[joint].first = first;
    }

    fn body_removed(&mut self, body: usize) {
        let bodies = self.joints.iter_mut().flat_map(|joint| &mut joint.bodies);
        bodies.filter(|it| **it > body).for_each(|it| *it -= 1);
    }

    fn linearize(&mut self, step: &Step<T>, bodies: &[Moving<T, B, D>], warm: bool) {
        for joint in &mut self.joints {
            joint.linearize(step, bodies);
            joint.impulse = if warm { joint.kept } else { SVector::zeros() };
        }
    }

    fn factor(&mut self) -> Result<(), Singular> {
        for joint in &mut self.joints {
            let factored = Ldlt::new(joint.delassus);
            joint.factors = factored.map_err(|singular| singular.after(joint.first))?;
        }
        Ok(())
    }

    fn warm_start(&self, bodies: &mut [Moving<T, B, D>]) {
        for joint in &self.joints {
            joint.push(&joint.impulse, bodies);
        }
    }

    fn sweep(&mut self, bodies: &mut [Moving<T, B, D>], backwards: bool) {
        if backwards {
            self.joints.iter_mut().rev().for_each(|it| it.obey(bodies));
        } else {
            self.joints.iter_mut().for_each(|it| it.obey(bodies));
        }
    }

    fn project(
        &mut self,
        time: T,
        bodies: &mut [Moving<T, B, D>],
        backwards: bool,
    ) -> Result<(), Singular> {
        let last = self.joints.len().saturating_sub(1);
        for k in 0..self.joints.len() {
            let index = if backwards { last - k } else { k };
            let joint = &self.joints[index];
            let projected = joint.project(time, bodies);
            projected.map_err(|singular| singular.after(joint.first))?;
        }
        Ok(())
    }

    fn write_rows(
        &self,
        joint: usize,
        asked: Asked<'_, T, D>,
        bodies: &[Moving<T, B, D>],
        mut rows: Rows<'_, T, D>,
    ) {
        let joint = &self.joints[joint];
        let (q, w) = (joint.poses(bodies), joint.inverse_masses(bodies));
        match asked {
            _ if !joint.enabled => rows.write_inert::<N, M>(),
            Asked::Impulses(step) => {
                let found = joint.law.rows(step.time, q, joint.velocities(bodies), w);
                let (feedback, softening) = joint.feedback(step);
                rows.write(&found.jacobian, &softened(found.delassus, softening));
                rows.ask(&(found.rate + found.value * feedback));
            }
            _ if joint.softness.is_some() => rows.write_inert::<N, M>(),
            Asked::Rates(time) => {
                let found = joint.law.rows(time, q, joint.velocities(bodies), w);
                rows.write(&found.jacobian, &found.delassus);
                rows.ask(&found.rate);
            }
            Asked::Forces(time, free) => {
                let found = joint.law.rows(time, q, joint.velocities(bodies), w);
                let mut excess = found.bias;
                for (block, &body) in found.jacobian.iter().zip(&joint.bodies) {
                    excess += block * free[body];
                }
                rows.write(&found.jacobian, &found.delassus);
                rows.ask(&excess);
            }
            Asked::Poses(time) | Asked::Given(time) => {
                let value = joint.law.value(time, q);
                let jacobian = joint.law.jacobian(time, q);
                rows.write(&jacobian, &joint.law.delassus(time, q, w));
                if let Asked::Poses(_) = asked {
                    rows.ask(&value);
                }
            }
        }
    }

    fn set_impulse(&mut self, joint: usize, impulse: &[T]) {
        self.joints[joint].impulse.copy_from_slice(impulse);
    }

    fn widest_gap(
        &self,
        time: T,
        tolerance: T,
        bodies: &[Moving<T, B, D>],
        inertias: &[Option<B::Inertia>],
    ) -> Option<Gap> {
        let joints = self.joints.iter();
        let gaps = joints.filter_map(|it| it.gap(time, tolerance, bodies, inertias));
        gaps.reduce(Gap::wider)
    }

    fn evaluate(
        &self,
        quantity: RowQuantity,
        time: T,
        bodies: &[Moving<T, B, D>],
        show: &mut dyn FnMut(usize, &[T]),
    ) {
        for joint in &self.joints {
            let (q, v) = (joint.poses(bodies), joint.velocities(bodies));
            let found = match quantity {
                _ if !joint.is_rigid() => SVector::zeros(),
                RowQuantity::Value => joint.law.value(time, q),
                RowQuantity::Rate => joint.law.rate(time, q, v),
                RowQuantity::Bias => joint.law.bias(time, q, v),
            };
            show(joint.first, found.as_slice());
        }
    }

    fn add_soft_forces(&self, time: T, bodies: &[Moving<T, B, D>], forces: &mut [SVector<T, D>]) {
        for joint in &self.joints {
            let Some(softness) = joint.softness.as_ref().filter(|_| joint.enabled) else {
                continue;
            };
            let (q, v) = (joint.poses(bodies), joint.velocities(bodies));
            let (value, rate) = (joint.law.value(time, q), joint.law.rate(time, q, v));
            let pull = value.zip_map(&rate, |c, c_dot| softness.pull(c, c_dot));
            for (block, &body) in joint.law.jacobian(time, q).iter().zip(&joint.bodies) {
                forces[body] += block.tr_mul(&pull);
            }
        }
    }

    fn commit(&mut self) {
        for joint in &mut self.joints {
            joint.kept = joint.impulse;
        }
    }
}

impl<C, T: Real, const D: usize, const N: usize, const M: usize> Joint<C, T, D, N, M> {
    /// True if it holds C = 0.
    pub(super) fn is_rigid(&self) -> bool {
        self.enabled && self.softness.is_none()
    }

    pub(super) fn poses<'a, B: Massive<T, D>>(&self, bodies: &'a [Moving<T, B, D>]) -> [&'a B; N] {
        self.bodies.map(|body| &bodies[body].pose)
    }

    pub(super) fn inverse_masses<'a, B: Massive<T, D>>(
        &self,
        bodies: &'a [Moving<T, B, D>],
    ) -> [&'a B::InverseMass; N] {
        self.bodies.map(|body| &bodies[body].inverse_mass)
    }

    fn velocities<'a, B: Massive<T, D>>(
        &self,
        bodies: &'a [Moving<T, B, D>],
    ) -> [&'a SVector<T, D>; N] {
        self.bodies.map(|body| &bodies[body].velocity)
    }

    /// The feedback of C and of Λ in Ċ.
    fn feedback(&self, step: &Step<T>) -> (T, T) {
        match &self.softness {
            None => (step.feedback, T::zero()),
            Some(softness) => softness.over(step.size),
        }
    }

    fn linearize<B: Massive<T, D>>(&mut self, step: &Step<T>, bodies: &[Moving<T, B, D>])
    where
        C: BodyConstraint<T, D, N, M, Body = B>,
    {
        if !self.enabled {
            (self.jacobian, self.drive) = ([SMatrix::zeros(); N], SVector::zeros());
            (self.softening, self.delassus) = (T::zero(), SMatrix::identity());
            return;
        }
        let (q, w) = (self.poses(bodies), self.inverse_masses(bodies));
        let v = self.velocities(bodies);
        let rows = self.law.rows(step.time, q, v, w);
        let (feedback, softening) = self.feedback(step);
        self.drive = rows.rate + rows.value * feedback;
        for (block, v) in rows.jacobian.iter().zip(v) {
            self.drive -= block * v;
        }
        self.jacobian = rows.jacobian;
        self.softening = softening;
        self.delassus = softened(rows.delassus, softening);
    }

    /// v += W Jᵀ Λ
    #[inline]
    fn push<B: Massive<T, D>>(&self, impulse: &SVector<T, M>, bodies: &mut [Moving<T, B, D>]) {
        for (block, &body) in self.jacobian.iter().zip(&self.bodies) {
            bodies[body].accelerate(&block.tr_mul(impulse));
        }
    }

    /// Changes Λ and the velocities such that J v + drive + γ Λ = 0.
    #[inline]
    fn obey<B: Massive<T, D>>(&mut self, bodies: &mut [Moving<T, B, D>]) {
        let mut excess = self.drive + self.impulse * self.softening;
        for (block, &body) in self.jacobian.iter().zip(&self.bodies) {
            excess += block * bodies[body].velocity;
        }
        let change = self.factors.solve(-excess);
        self.impulse += change;
        self.push(&change, bodies);
    }

    /// Moves the bodies by −W Jᵀ (J W Jᵀ)⁻¹ C.
    fn project<B: Massive<T, D>>(
        &self,
        time: T,
        bodies: &mut [Moving<T, B, D>],
    ) -> Result<(), Singular>
    where
        C: BodyConstraint<T, D, N, M, Body = B>,
    {
        if !self.is_rigid() {
            return Ok(());
        }
        let (q, w) = (self.poses(bodies), self.inverse_masses(bodies));
        let value = self.law.value(time, q);
        let lambda = self.law.solve(time, q, w, &-value)?;
        let jacobian = self.law.jacobian(time, q);
        for (block, &body) in jacobian.iter().zip(&self.bodies) {
            bodies[body].displace(&block.tr_mul(&lambda));
        }
        Ok(())
    }
}

/// The name of a type without its path and parameters.
pub(crate) fn short_name<C: ?Sized>() -> &'static str {
    let name = core::any::type_name::<C>();
    let name = name.split('<').next().unwrap_or(name);
    name.rsplit("::").next().unwrap_or(name)
}

/// J W Jᵀ + γ
fn softened<T: Real, const M: usize>(
    mut delassus: SMatrix<T, M, M>,
    softening: T,
) -> SMatrix<T, M, M> {
    for i in 0..M {
        delassus[(i, i)] += softening;
    }
    delassus
}

impl<T: Real, const D: usize> Rows<'_, T, D> {
    fn write<const N: usize, const M: usize>(
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
    pub(super) fn write_inert<const N: usize, const M: usize>(&mut self) {
        self.write(&[SMatrix::<T, M, D>::zeros(); N], &SMatrix::identity());
        self.ask(&SVector::<T, M>::zeros());
    }

    /// Sets the right-hand side to the excess that the rows must remove.
    fn ask<const M: usize>(&mut self, excess: &SVector<T, M>) {
        for (right, &excess) in self.right.iter_mut().zip(excess) {
            *right = -excess;
        }
    }
}
