//! All joints of one type in a world, their sizes known at compile time and hidden behind one trait.
//!
//! The solvers see a [`Family`]: it linearises its joints at a state, sweeps impulses through them, or writes
//! their rows for the exact solver. One virtual call serves a whole family, so what stands inside the loops is
//! the generated code of that joint.
//!
//! A joint asks for Ċ + feedback C + γ Λ = 0 at the end of the step, Λ being its impulse over the step: feedback
//! and γ are 0 for a rigid row, those of its [`Softness`] for a soft one, and Baumgarte's for a rigid row without
//! projection.

use core::any::Any;
use core::convert::Infallible;

use nalgebra::{SMatrix, SVector};

use crate::body_constraint::BodyConstraint;
use crate::error::Singular;
use crate::impulse::{Softness, Swept};
use crate::ldlt::Ldlt;
use crate::real::{Real, lane_value, largest};

use super::body::Massive;

/// Rounding units of Σᵢ |Jᵢ qᵢ| below which C is rounding itself.
const RESIDUAL_EPSILONS: f64 = 4.0;

/// A body during a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving<T: Real, B: Massive<T, D>, const D: usize> {
    pub(super) place: B,
    pub(super) velocity: SVector<T, D>,
    /// W where the body is.
    pub(super) inverse_mass: B::InverseMass,
}

/// What a step asks of all rigid joints.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step<T> {
    pub(super) time: T,
    pub(super) size: T,
    /// Baumgarte's feedback of C in Ċ.
    pub(super) feedback: T,
}

/// The place where the exact solver wants the rows of a joint.
pub(super) struct Rows<'a, T, const D: usize> {
    /// J, row by row for the first body, then for the next.
    pub(super) jacobian: &'a mut [SVector<T, D>],
    /// J W Jᵀ + γ, row by row.
    pub(super) diagonal: &'a mut [T],
    /// What is to be removed: the right-hand side.
    pub(super) right: &'a mut [T],
}

/// C of the worst row, as a multiple of what passes for zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Residual {
    pub(super) ratio: f64,
    /// The same as a part of what the row is made of.
    pub(super) part: f64,
    pub(super) value: f64,
    pub(super) joint: usize,
    pub(super) row: usize,
}

/// A failed pivot: the joint in its family and the row in the joint.
pub(super) type JointSingular = (usize, Singular);

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

    /// Evaluates all rows at the bodies' state; `Λ` starts from that of the last good step, or from zero.
    fn linearize(&mut self, step: &Step<T>, bodies: &[Moving<T, B, D>], warm: bool);

    /// Factors each joint's own block of J W Jᵀ + γ.
    fn factor(&mut self) -> Result<(), JointSingular>;

    /// Gives the bodies the impulses that the joints start from.
    fn warm_start(&self, bodies: &mut [Moving<T, B, D>]);

    /// Makes one joint after the other obey, forwards or backwards.
    fn sweep(&mut self, bodies: &mut [Moving<T, B, D>], backwards: bool);

    /// Moves the bodies of one rigid joint after the other onto C = 0.
    fn project(
        &mut self,
        time: T,
        bodies: &mut [Moving<T, B, D>],
        backwards: bool,
    ) -> Result<(), JointSingular>;

    /// Writes the rows for velocities; −(Ċ + feedback C) on the right.
    fn write_velocity_rows(&self, joint: usize, rows: Rows<'_, T, D>);

    /// Λ of a joint, with its effect on the velocities.
    fn apply_impulse(&mut self, joint: usize, impulse: &[T], bodies: &mut [Moving<T, B, D>]);

    /// Writes the rows for places; −C on the right. A soft joint is left out: its rows are those of a unit matrix.
    fn write_position_rows(
        &mut self,
        joint: usize,
        time: T,
        bodies: &[Moving<T, B, D>],
        rows: Rows<'_, T, D>,
    );

    /// Adds W Jᵀ λ of a joint to the displacements.
    fn displace(
        &self,
        joint: usize,
        lambda: &[T],
        bodies: &[Moving<T, B, D>],
        displacements: &mut [SVector<T, D>],
    );

    /// The worst of the rigid joints, with `tolerance` or rounding for zero.
    fn residual(&self, time: T, tolerance: T, bodies: &[Moving<T, B, D>]) -> Option<Residual>;

    /// The largest |C| of the rigid joints.
    fn drift(&self, time: T, bodies: &[Moving<T, B, D>]) -> T;

    /// The largest |Ċ| of the rigid joints.
    fn rate(&self, time: T, bodies: &[Moving<T, B, D>]) -> T;

    /// Λ of this step is good.
    fn commit(&mut self);
}

/// All joints of a world, linearised, and its bodies.
pub(super) struct Linearized<'a, T: Real, B: Massive<T, D>, const D: usize> {
    pub(super) families: &'a mut [Box<dyn Family<T, B, D>>],
    pub(super) bodies: &'a mut [Moving<T, B, D>],
}

impl<T: Real, B: Massive<T, D>, const D: usize> Linearized<'_, T, B, D> {
    /// All families in turn; a failure is told with its family.
    pub(super) fn visit<E>(
        &mut self,
        backwards: bool,
        mut each: impl FnMut(&mut dyn Family<T, B, D>, &mut [Moving<T, B, D>]) -> Result<(), E>,
    ) -> Result<(), (usize, E)> {
        let last = self.families.len().saturating_sub(1);
        for k in 0..self.families.len() {
            let index = if backwards { last - k } else { k };
            let family = &mut *self.families[index];
            each(family, self.bodies).map_err(|error| (index, error))?;
        }
        Ok(())
    }

    /// The largest |C| of the rigid joints.
    pub(super) fn drift(&self, time: T) -> T {
        let families = self.families.iter();
        families.fold(T::zero(), |most, family| {
            most.simd_max(family.drift(time, self.bodies))
        })
    }
}

impl<T: Real, B: Massive<T, D>, const D: usize> Swept for Linearized<'_, T, B, D> {
    type Singular = (usize, JointSingular);

    fn factor(&mut self) -> Result<(), Self::Singular> {
        self.visit(false, |family, _| family.factor())
    }

    fn warm_start(&mut self) {
        for family in &*self.families {
            family.warm_start(self.bodies);
        }
    }

    fn sweep(&mut self, backwards: bool) {
        let swept: Result<(), (usize, Infallible)> = self.visit(backwards, |family, bodies| {
            family.sweep(bodies, backwards);
            Ok(())
        });
        let Ok(()) = swept;
    }
}

/// The one implementation of [`Family`].
pub(super) struct Joints<C, T, const D: usize, const N: usize, const M: usize> {
    joints: Vec<Joint<C, T, D, N, M>>,
}

struct Joint<C, T, const D: usize, const N: usize, const M: usize> {
    law: C,
    bodies: [usize; N],
    softness: Option<Softness<T>>,
    /// Λ of the last good step.
    kept: SVector<T, M>,
    /// Λ of this step.
    impulse: SVector<T, M>,
    jacobian: [SMatrix<T, M, D>; N],
    /// What is to vanish beside J v and γ Λ: ∂C/∂t + feedback C.
    drive: SVector<T, M>,
    /// Ċ + feedback C at the velocities of the linearisation.
    excess: SVector<T, M>,
    /// γ
    softening: T,
    /// J W Jᵀ + γ, and its factors.
    delassus: SMatrix<T, M, M>,
    factors: Ldlt<T, M>,
}

impl<C, T, const D: usize, const N: usize, const M: usize> Joints<C, T, D, N, M> {
    pub(super) fn new() -> Self {
        Self { joints: Vec::new() }
    }
}

impl<C, T: Real, const D: usize, const N: usize, const M: usize> Joints<C, T, D, N, M> {
    /// Adds a rigid joint and returns its index.
    pub(super) fn push(&mut self, law: C, bodies: [usize; N]) -> usize {
        self.joints.push(Joint {
            law,
            bodies,
            softness: None,
            kept: SVector::zeros(),
            impulse: SVector::zeros(),
            jacobian: [SMatrix::zeros(); N],
            drive: SVector::zeros(),
            excess: SVector::zeros(),
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
        let name = core::any::type_name::<C>();
        let name = name.split('<').next().unwrap_or(name);
        name.rsplit("::").next().unwrap_or(name)
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
    }

    fn linearize(&mut self, step: &Step<T>, bodies: &[Moving<T, B, D>], warm: bool) {
        for joint in &mut self.joints {
            joint.linearize(step, bodies);
            joint.impulse = if warm { joint.kept } else { SVector::zeros() };
        }
    }

    fn factor(&mut self) -> Result<(), JointSingular> {
        for (index, joint) in self.joints.iter_mut().enumerate() {
            joint.factors = Ldlt::new(joint.delassus).map_err(|singular| (index, singular))?;
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
    ) -> Result<(), JointSingular> {
        let last = self.joints.len().saturating_sub(1);
        for k in 0..self.joints.len() {
            let index = if backwards { last - k } else { k };
            let projected = self.joints[index].project(time, bodies);
            projected.map_err(|singular| (index, singular))?;
        }
        Ok(())
    }

    fn write_velocity_rows(&self, joint: usize, mut rows: Rows<'_, T, D>) {
        let joint = &self.joints[joint];
        rows.write(&joint.jacobian, &joint.delassus, &joint.excess);
    }

    fn apply_impulse(&mut self, joint: usize, impulse: &[T], bodies: &mut [Moving<T, B, D>]) {
        let joint = &mut self.joints[joint];
        joint.impulse.copy_from_slice(impulse);
        joint.push(&joint.impulse, bodies);
    }

    fn write_position_rows(
        &mut self,
        joint: usize,
        time: T,
        bodies: &[Moving<T, B, D>],
        mut rows: Rows<'_, T, D>,
    ) {
        let joint = &mut self.joints[joint];
        if joint.softness.is_some() {
            joint.jacobian = [SMatrix::zeros(); N];
            rows.write(&joint.jacobian, &SMatrix::identity(), &SVector::zeros());
            return;
        }
        let (q, w) = (joint.places(bodies), joint.inverse_masses(bodies));
        let delassus = joint.law.delassus(time, q, w);
        let value = joint.law.value(time, q);
        joint.jacobian = joint.law.jacobian(time, q);
        rows.write(&joint.jacobian, &delassus, &value);
    }

    fn displace(
        &self,
        joint: usize,
        lambda: &[T],
        bodies: &[Moving<T, B, D>],
        displacements: &mut [SVector<T, D>],
    ) {
        let joint = &self.joints[joint];
        let lambda = SVector::<T, M>::from_column_slice(lambda);
        for (block, &body) in joint.jacobian.iter().zip(&joint.bodies) {
            let push = block.tr_mul(&lambda);
            displacements[body] += B::accelerated(&bodies[body].inverse_mass, &push);
        }
    }

    fn residual(&self, time: T, tolerance: T, bodies: &[Moving<T, B, D>]) -> Option<Residual> {
        let mut worst: Option<Residual> = None;
        for (index, joint) in self.joints.iter().enumerate() {
            let found = joint.residual(index, time, tolerance, bodies);
            if found.ratio > worst.map_or(-1.0, |it| it.ratio) {
                worst = Some(found);
            }
        }
        worst
    }

    fn drift(&self, time: T, bodies: &[Moving<T, B, D>]) -> T {
        let rigid = self.joints.iter().filter(|it| it.softness.is_none());
        rigid.fold(T::zero(), |most, joint| {
            let value = joint.law.value(time, joint.places(bodies));
            most.simd_max(largest(&value))
        })
    }

    fn rate(&self, time: T, bodies: &[Moving<T, B, D>]) -> T {
        let rigid = self.joints.iter().filter(|it| it.softness.is_none());
        rigid.fold(T::zero(), |most, joint| {
            let v = joint.bodies.each_ref().map(|&body| &bodies[body].velocity);
            let rate = joint.law.rate(time, joint.places(bodies), v);
            most.simd_max(largest(&rate))
        })
    }

    fn commit(&mut self) {
        for joint in &mut self.joints {
            joint.kept = joint.impulse;
        }
    }
}

impl<C, T: Real, const D: usize, const N: usize, const M: usize> Joint<C, T, D, N, M> {
    fn places<'a, B: Massive<T, D>>(&self, bodies: &'a [Moving<T, B, D>]) -> [&'a B; N] {
        self.bodies.map(|body| &bodies[body].place)
    }

    fn inverse_masses<'a, B: Massive<T, D>>(
        &self,
        bodies: &'a [Moving<T, B, D>],
    ) -> [&'a B::InverseMass; N] {
        self.bodies.map(|body| &bodies[body].inverse_mass)
    }

    fn linearize<B: Massive<T, D>>(&mut self, step: &Step<T>, bodies: &[Moving<T, B, D>])
    where
        C: BodyConstraint<T, D, N, M, Body = B>,
    {
        let (q, w) = (self.places(bodies), self.inverse_masses(bodies));
        let v = self.bodies.map(|body| &bodies[body].velocity);
        let rows = self.law.rows(step.time, q, v, w);
        let (feedback, softening) = match &self.softness {
            None => (step.feedback, T::zero()),
            Some(softness) => softness.over(step.size),
        };
        self.excess = rows.rate + rows.value * feedback;
        self.drive = self.excess;
        for (block, v) in rows.jacobian.iter().zip(v) {
            self.drive -= block * v;
        }
        self.jacobian = rows.jacobian;
        self.softening = softening;
        self.delassus = rows.delassus;
        for i in 0..M {
            self.delassus[(i, i)] += softening;
        }
    }

    /// v += W Jᵀ Λ
    #[inline]
    fn push<B: Massive<T, D>>(&self, impulse: &SVector<T, M>, bodies: &mut [Moving<T, B, D>]) {
        for (block, &body) in self.jacobian.iter().zip(&self.bodies) {
            let body = &mut bodies[body];
            body.velocity += B::accelerated(&body.inverse_mass, &block.tr_mul(impulse));
        }
    }

    /// Changes Λ and the velocities so that J v + drive + γ Λ = 0.
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
        if self.softness.is_some() {
            return Ok(());
        }
        let (q, w) = (self.places(bodies), self.inverse_masses(bodies));
        let value = self.law.value(time, q);
        let lambda = self.law.solve(time, q, w, &-value)?;
        let jacobian = self.law.jacobian(time, q);
        for (block, &body) in jacobian.iter().zip(&self.bodies) {
            let body = &mut bodies[body];
            let displacement = B::accelerated(&body.inverse_mass, &block.tr_mul(&lambda));
            body.place = body.place.moved(&displacement, T::one());
        }
        Ok(())
    }

    fn residual<B: Massive<T, D>>(
        &self,
        index: usize,
        time: T,
        tolerance: T,
        bodies: &[Moving<T, B, D>],
    ) -> Residual
    where
        C: BodyConstraint<T, D, N, M, Body = B>,
    {
        let mut worst = Residual {
            ratio: 0.0,
            part: 0.0,
            value: 0.0,
            joint: index,
            row: 0,
        };
        if self.softness.is_some() {
            return worst;
        }
        let q = self.places(bodies);
        let value = self.law.value(time, q);
        let (jacobian, extents) = (self.law.jacobian(time, q), q.map(Massive::extent));
        let epsilon = T::lit(RESIDUAL_EPSILONS) * T::simd_default_epsilon();
        for row in 0..M {
            let mut size = T::zero();
            for (block, extent) in jacobian.iter().zip(&extents) {
                for d in 0..D {
                    size += (block[(row, d)] * extent[d]).simd_abs();
                }
            }
            let left = value[row].simd_abs();
            let most = |size: T| {
                let ratio = T::zero().select(left.simd_eq(T::zero()), left / size);
                let ratio = lane_value(T::splat(ratio.simd_horizontal_max()), 0);
                if ratio.is_nan() { f64::INFINITY } else { ratio }
            };
            let ratio = most((size * epsilon).simd_max(tolerance));
            if ratio > worst.ratio {
                worst = Residual {
                    ratio,
                    part: most(size),
                    value: lane_value(value[row], 0),
                    row,
                    ..worst
                };
            }
        }
        worst
    }
}

impl<T: Real, const D: usize> Rows<'_, T, D> {
    fn write<const N: usize, const M: usize>(
        &mut self,
        jacobian: &[SMatrix<T, M, D>; N],
        diagonal: &SMatrix<T, M, M>,
        excess: &SVector<T, M>,
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
        for (right, &excess) in self.right.iter_mut().zip(excess) {
            *right = -excess;
        }
    }
}
