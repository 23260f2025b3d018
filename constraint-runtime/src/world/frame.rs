//! Frames of a game: fixed steps in time that passes as it likes, and poses between two of them.

use alloc::vec::Vec;

use nalgebra::SimdBool;

use super::body::Massive;
use super::{BodyHandle, World};
use crate::checks::check_step_size;
use crate::error::Error;
use crate::real::{Real, first_bad, is_finite, lane_value};

/// The poses before the last step, and the time since.
#[derive(Debug)]
pub(super) struct Frames<T, B> {
    before: Vec<B>,
    /// Time that has passed without a step.
    rest: T,
    /// The same as a part of a step.
    part: T,
}

impl<T: Real, B> Default for Frames<T, B> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Real, B> Frames<T, B> {
    pub(super) fn new() -> Self {
        Self {
            before: Vec::new(),
            rest: T::zero(),
            part: T::one(),
        }
    }

    /// A body is somewhere else, without a path that leads there.
    pub(super) fn displaced(&mut self, index: usize, pose: B) {
        if let Some(before) = self.before.get_mut(index) {
            *before = pose;
        }
    }

    /// Bodies are somewhere else, without a path that leads there.
    pub(super) fn all_displaced(&mut self) {
        self.before.clear();
    }

    pub(super) fn clear(&mut self) {
        *self = Self::new();
    }

    pub(super) fn removed(&mut self, index: usize) {
        if index < self.before.len() {
            self.before.remove(index);
        }
    }
}

impl<T: Real, B: Massive<T, D>, const D: usize> World<T, B, D> {
    /// Advances by the time `dt` that a frame has taken, in steps of `h` as far as they fit; returns their number. The rest of
    /// the time is carried to the next frame, and [`shown`](Self::shown) is the pose of a body in between.
    ///
    /// The motion depends on `h` alone, not on the frames. Bound `dt` if frames may take long: each step of it is done.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// let mut world = World2::<f64>::new();
    /// let inertia = Inertia2::new(1.0, 1.0)?;
    /// let puck = world.add(Body2::new(inertia, Rigid2::identity()).moving([3.0, 0.0, 0.0]))?;
    /// let h = 1.0 / 240.0;
    /// assert_eq!(world.frame(1.0 / 60.0, h)?, 4);
    /// assert_eq!(world.frame(0.5 * h, h)?, 0);
    /// assert_eq!(world.frame(0.75 * h, h)?, 1);
    /// // Five steps, of which a quarter of the last one is shown.
    /// assert!((world.shown(puck)?.translation.x - 3.0 * 4.25 * h).abs() < 1e-12);
    /// assert!((world.time() - 5.0 * h).abs() < 1e-12);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidStepSize`] for h, [`Error::InvalidTime`] if dt is negative or not finite, otherwise as
    /// [`step`](Self::step); the rest of the time is dropped then.
    pub fn frame(&mut self, dt: T, h: T) -> Result<usize, Error> {
        check_step_size(h)?;
        if let Some(dt) = first_bad(dt, dt.simd_ge(T::zero()) & is_finite(dt)) {
            let time = lane_value(self.time, 0);
            return Err(Error::InvalidTime {
                target: time + dt,
                time,
            });
        }
        // Rounding must not cost a step.
        let whole = h - h * T::simd_default_epsilon().simd_sqrt();
        let (mut rest, mut steps) = (self.frames.rest + dt, 0);
        self.frames.rest = T::zero();
        while rest.simd_ge(whole).all() {
            let poses = self.states.iter().map(|(pose, _)| *pose);
            self.frames.before.clear();
            self.frames.before.extend(poses);
            self.step(h)?;
            rest -= h;
            steps += 1;
        }
        self.frames.rest = rest;
        self.frames.part = (rest / h).simd_max(T::zero()).simd_min(T::one());
        Ok(steps)
    }

    /// The pose of a body to be drawn after a [`frame`](Self::frame): between those before and after the last step, by the time
    /// that has passed since; without frames, its pose.
    ///
    /// # Errors
    /// [`Error::UnknownBody`], [`Error::RemovedBody`]
    pub fn shown(&self, body: BodyHandle) -> Result<B, Error> {
        let index = self.index(body)?;
        let pose = &self.states[index].0;
        Ok(match self.frames.before.get(index) {
            Some(before) => between(before, pose, self.frames.part),
            None => *pose,
        })
    }
}

/// The pose at this part of the way: on the straight line, rotations by the normalised mean. Quaternions of two steps have no
/// opposite signs, since each step continues from the last one.
fn between<T: Real, B: Massive<T, D>, const D: usize>(a: &B, b: &B, part: T) -> B {
    let (from, to) = (a.coordinates(), b.coordinates());
    let mut q = [T::zero(); 7];
    for (q, (&x, &y)) in q.iter_mut().zip(from.as_ref().iter().zip(to.as_ref())) {
        *q = x + (y - x) * part;
    }
    B::read(&q[..B::COORDINATES]).renormalized()
}
