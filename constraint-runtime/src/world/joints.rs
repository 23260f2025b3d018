//! All joints of one type in a world, their sizes known at compile time.
//!
//! A joint requires Ċ + feedback C + γ Λ = 0 at the end of the step, Λ being its impulse over the step: feedback and
//! γ are 0 for a rigid row, those of its [`Softness`] for a soft one, and Baumgarte's for a rigid row without
//! projection. Rows whose λ has bounds are left to drives.

use alloc::vec::Vec;
use core::any::Any;

use nalgebra::{SMatrix, SVector, SimdBool};

use super::apart::Gap;
use super::body::Massive;
use super::family::{Asked, Family, Moving, RowQuantity, Rows, Step, short_name};
use crate::body_constraint::BodyConstraint;
use crate::error::Singular;
use crate::impulse::Softness;
use crate::linalg::ldlt::Ldlt;
use crate::real::Real;

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
    /// True for rows whose λ has bounds: drives of the world hold them.
    bounded: [bool; M],
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
            bounded: [false; M],
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

    fn set_bounded(&mut self, joint: usize, row: usize, bounded: bool) {
        let joint = &mut self.joints[joint];
        joint.bounded[row] = bounded;
        (joint.kept[row], joint.impulse[row]) = (T::zero(), T::zero());
    }

    fn measure_row(
        &self,
        joint: usize,
        row: usize,
        time: T,
        bodies: &[Moving<T, B, D>],
        slopes: &mut [SVector<T, D>],
    ) -> (T, T) {
        let joint = &self.joints[joint];
        let q = joint.poses(bodies);
        let rest = SVector::zeros();
        for (slope, block) in slopes.iter_mut().zip(&joint.law.jacobian(time, q)) {
            *slope = block.row(row).transpose();
        }
        let drift = joint.law.rate(time, q, [&rest; N]);
        (joint.law.value(time, q)[row], drift[row])
    }

    fn moves_by_itself(&self, time: T, bodies: &[Moving<T, B, D>]) -> bool {
        let rest = SVector::zeros();
        let acting = self.joints.iter().filter(|it| it.enabled);
        acting.fold(false, |any, joint| {
            let drift = joint.law.rate(time, joint.poses(bodies), [&rest; N]);
            any || drift.iter().any(|it| it.simd_ne(T::zero()).any())
        })
    }

    fn set_row_impulse(&mut self, joint: usize, row: usize, impulse: T) {
        self.joints[joint].impulse[row] = impulse;
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
            let mut impulse = if warm { joint.kept } else { SVector::zeros() };
            joint.clear_bounded(&mut impulse);
            joint.impulse = impulse;
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
            _ if !joint.enabled => rows.write_inert(),
            Asked::Impulses(step) => {
                let found = joint.law.rows(step.time, q, joint.velocities(bodies), w);
                let (feedback, softening) = joint.feedback(step);
                rows.write(&found.jacobian, &softened(found.delassus, softening));
                rows.ask(&(found.rate + found.value * feedback));
            }
            _ if joint.softness.is_some() => rows.write_inert(),
            Asked::Rates(time) => {
                let found = joint.law.rows(time, q, joint.velocities(bodies), w);
                rows.write(&found.jacobian, &found.delassus);
                rows.ask(&found.rate);
            }
            Asked::Impact(time) => {
                rows.write(
                    &joint.law.jacobian(time, q),
                    &joint.law.delassus(time, q, w),
                );
                rows.ask(&SVector::<T, M>::zeros());
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
        for row in (0..M).filter(|&row| joint.bounded[row]) {
            rows.suspend(row);
        }
    }

    fn set_impulse(&mut self, joint: usize, impulse: &[T]) {
        self.joints[joint].impulse.copy_from_slice(impulse);
    }

    fn visit_impulses(&mut self, show: &mut dyn FnMut(&[usize], &mut T)) {
        for Joint {
            bodies, impulse, ..
        } in &mut self.joints
        {
            impulse.iter_mut().for_each(|it| show(bodies, it));
        }
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
            let mut found = match quantity {
                _ if !joint.is_rigid() => SVector::zeros(),
                RowQuantity::Value => joint.law.value(time, q),
                RowQuantity::Rate => joint.law.rate(time, q, v),
                RowQuantity::Bias => joint.law.bias(time, q, v),
            };
            joint.clear_bounded(&mut found);
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

    /// Sets the entries of rows with bounds to zero.
    pub(super) fn clear_bounded(&self, values: &mut SVector<T, M>) {
        for row in (0..M).filter(|&row| self.bounded[row]) {
            values[row] = T::zero();
        }
    }

    /// The blocks of J, and J W Jᵀ, with rows with bounds that hold at any motion.
    fn suspend_bounded(
        &self,
        jacobian: &mut [SMatrix<T, M, D>; N],
        delassus: &mut SMatrix<T, M, M>,
    ) {
        for row in (0..M).filter(|&row| self.bounded[row]) {
            for block in &mut *jacobian {
                block.row_mut(row).fill(T::zero());
            }
            delassus.row_mut(row).fill(T::zero());
            delassus.column_mut(row).fill(T::zero());
            delassus[(row, row)] = T::one();
        }
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
        if !self.enabled || step.is_impact && self.softness.is_some() {
            (self.jacobian, self.drive) = ([SMatrix::zeros(); N], SVector::zeros());
            (self.softening, self.delassus) = (T::zero(), SMatrix::identity());
            return;
        }
        let (q, w) = (self.poses(bodies), self.inverse_masses(bodies));
        let v = self.velocities(bodies);
        let rows = self.law.rows(step.time, q, v, w);
        let (feedback, softening) = self.feedback(step);
        let excess = rows.rate + rows.value * feedback;
        self.drive = if step.is_impact {
            SVector::zeros()
        } else {
            excess
        };
        for (block, v) in rows.jacobian.iter().zip(v) {
            self.drive -= block * v;
        }
        let (mut jacobian, mut delassus) = (rows.jacobian, softened(rows.delassus, softening));
        self.suspend_bounded(&mut jacobian, &mut delassus);
        let mut drive = self.drive;
        self.clear_bounded(&mut drive);
        (self.jacobian, self.drive) = (jacobian, drive);
        (self.softening, self.delassus) = (softening, delassus);
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
        let mut value = self.law.value(time, q);
        let mut jacobian = self.law.jacobian(time, q);
        let lambda = if self.bounded.contains(&true) {
            let mut delassus = self.law.delassus(time, q, w);
            self.suspend_bounded(&mut jacobian, &mut delassus);
            self.clear_bounded(&mut value);
            Ldlt::new(delassus)?.solve(-value)
        } else {
            self.law.solve(time, q, w, &-value)?
        };
        for (block, &body) in jacobian.iter().zip(&self.bodies) {
            bodies[body].displace(&block.tr_mul(&lambda));
        }
        Ok(())
    }
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
