//! Measures how far closing a joint would move its bodies, relative to their reach.
//!
//! In: a joint, its bodies and their inertias. Out: its [`Gap`]. The measure has no unit of length:
//!
//! ```text
//! δ = W Jᵀ (J W Jᵀ)⁻¹ C      what closes the joint alone, for each body (δx, δθ)
//! ratio = max(|δx| / reach, |δθ|) / 2 %
//! reach = max(radius of gyration, arm of the joint, length over which a row's direction turns)
//! ```
//!
//! Arm and turn follow from the rows of any constraint. With n = |∂Ċ/∂v| of a row in d dimensions:
//!
//! ```text
//! arm:  |∂Ċ/∂ω| / n across the row, Σ |∂²C/∂θ²| / (d − 1) n along it     r of n·(x + R r)
//! turn: (d − 1) n / Σ |∂²C/∂x²|                                          L of ‖x‖ − L
//! ```

use nalgebra::{SMatrix, SVector, SimdBool};

use super::World;
use super::body::Massive;
use super::family::Moving;
use super::joints::Joint;
use crate::body_constraint::BodyConstraint;
use crate::error::Error;
use crate::real::{Real, lane_value};

/// The part of its reach by which a step may move a body to close a joint.
pub(super) const MOST_MOVED: f64 = 0.02;

/// C below this multiple of ε Σᵢ |Jᵢ qᵢ| is rounding: of coordinates, of arms that `between` computes, and of their
/// rotation.
const ROUNDING_EPSILONS: f64 = 16.0;

/// A joint that is apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Gap {
    /// How far closing it moves a body, as a multiple of the limit.
    pub(super) ratio: f64,
    /// The row violated most, by its number within the world.
    pub(super) row: usize,
    /// C of that row.
    pub(super) value: f64,
}

impl From<Gap> for Error {
    #[cold]
    fn from(Gap { ratio, row, value }: Gap) -> Self {
        Self::JointApart {
            row: row.into(),
            value,
            tolerance: value.abs() / ratio,
        }
    }
}

impl<T: Real, B: Massive<T, D>, const D: usize> World<T, B, D> {
    /// Checks that the first projection after a change moves no body far; later steps skip this.
    #[cold]
    pub(super) fn check_gaps(&mut self, tolerance: T) -> Result<(), Error> {
        self.check_limits()?;
        match self.widest_gap(tolerance) {
            Some(gap) if gap.ratio > 1.0 => return Err(gap.into()),
            Some(_) => {}
            None => self.assembled = true,
        }
        Ok(())
    }

    /// The widest gap of all rigid joints.
    pub(super) fn widest_gap(&self, tolerance: T) -> Option<Gap> {
        let gaps = self.families.iter();
        let gaps =
            gaps.filter_map(|it| it.widest_gap(self.time, tolerance, &self.bodies, &self.inertias));
        gaps.reduce(Gap::wider)
    }
}

impl Gap {
    pub(super) fn wider(self, other: Self) -> Self {
        if other.ratio > self.ratio {
            other
        } else {
            self
        }
    }
}

impl<C, T, const D: usize, const N: usize, const M: usize> Joint<C, T, D, N, M>
where
    T: Real,
{
    /// The gap of this joint. `None` if the joint is not rigid or meets within rounding or `tolerance`, and if its rows are
    /// singular, which the step reports.
    pub(super) fn gap<B: Massive<T, D>>(
        &self,
        time: T,
        tolerance: T,
        bodies: &[Moving<T, B, D>],
        inertias: &[Option<B::Inertia>],
    ) -> Option<Gap>
    where
        C: BodyConstraint<T, D, N, M, Body = B>,
    {
        if !self.is_rigid() {
            return None;
        }
        let (q, w) = (self.poses(bodies), self.inverse_masses(bodies));
        let jacobian = self.law.jacobian(time, q);
        let mut value = beyond_rounding(&self.law.value(time, q), &jacobian, q, tolerance);
        self.clear_bounded(&mut value);
        if value.iter().all(|c| c.simd_eq(T::zero()).all()) {
            return None;
        }
        let lambda = self.law.solve(time, q, w, &value).ok()?;
        let moved = self.furthest(time, bodies, inertias, &jacobian, &lambda);
        let delassus = self.law.delassus(time, q, w);
        let lanes = (0..T::LANES).map(|lane| {
            let part = |i: usize| lane_value(value[i] / delassus[(i, i)].simd_sqrt(), lane).abs();
            let row = (0..M).reduce(|most, i| if part(i) > part(most) { i } else { most })?;
            Some(Gap {
                ratio: lane_value(moved, lane) / MOST_MOVED,
                row: self.first + row,
                value: lane_value(value[row], lane),
            })
        });
        lanes.flatten().reduce(Gap::wider)
    }

    /// The largest displacement of a body by W Jᵀ λ, in units of its reach or in radians.
    fn furthest<B: Massive<T, D>>(
        &self,
        time: T,
        bodies: &[Moving<T, B, D>],
        inertias: &[Option<B::Inertia>],
        jacobian: &[SMatrix<T, M, D>; N],
        lambda: &SVector<T, M>,
    ) -> T
    where
        C: BodyConstraint<T, D, N, M, Body = B>,
    {
        let arms = self.arms(time, bodies, jacobian);
        (0..N).fold(T::zero(), |most, k| {
            let body = &bodies[self.bodies[k]];
            let Some(inertia) = &inertias[self.bodies[k]] else {
                return most;
            };
            let displacement = B::accelerated(&body.inverse_mass, &jacobian[k].tr_mul(lambda));
            let (moved, turn) = lengths::<T, B, D>(&displacement);
            let gyration = gyration(&body.pose, inertia);
            // A longer arm is the rounding of a row that does not depend on translations.
            let is_arm = arms[k].simd_le(gyration / T::simd_default_epsilon());
            let arm = arms[k].select(is_arm, T::zero());
            let turning = self.turning(time, bodies, jacobian, k, &arms);
            let reach = gyration.simd_max(arm).simd_max(turning);
            most.simd_max((moved / reach).simd_max(turn))
        })
    }

    /// The longest arm of each body in the rows, fixed bodies included.
    fn arms<B: Massive<T, D>>(
        &self,
        time: T,
        bodies: &[Moving<T, B, D>],
        jacobian: &[SMatrix<T, M, D>; N],
    ) -> [T; N]
    where
        C: BodyConstraint<T, D, N, M, Body = B>,
    {
        let directions = T::lit((B::TRANSLATIONS - 1) as f64);
        core::array::from_fn(|k| {
            let along = self.bends(time, bodies, k, B::TRANSLATIONS..D);
            (0..M).fold(T::zero(), |most, i| {
                let (slope, across) = lengths::<T, B, D>(&jacobian[k].row(i).transpose());
                let arm = across.simd_max(along[i] / directions) / slope;
                most.simd_max(arm.select(slope.simd_gt(T::zero()), T::zero()))
            })
        })
    }

    /// The length over which the direction of a row turns as the body `k` moves; zero if rows are straight over the extent
    /// of the joint.
    fn turning<B: Massive<T, D>>(
        &self,
        time: T,
        bodies: &[Moving<T, B, D>],
        jacobian: &[SMatrix<T, M, D>; N],
        k: usize,
        arms: &[T; N],
    ) -> T
    where
        C: BodyConstraint<T, D, N, M, Body = B>,
    {
        let bends = self.bends(time, bodies, k, 0..B::TRANSLATIONS);
        let directions = T::lit((B::TRANSLATIONS - 1) as f64);
        let place = |k: usize| bodies[self.bodies[k]].pose.extent();
        // A row that turns over a much larger length is straight here, such as a curve near its inflection.
        let span = (0..N).filter(|&other| other != k).map(|other| {
            let (apart, _) = lengths::<T, B, D>(&(place(other) - place(k)));
            apart + arms[other]
        });
        let span = span.reduce(T::simd_max).map(|span| span + span);
        (0..M).fold(T::zero(), |most, i| {
            let (slope, _) = lengths::<T, B, D>(&jacobian[k].row(i).transpose());
            let length = directions * slope / bends[i];
            let turns = bends[i].simd_gt(T::zero())
                & span.map_or(length.simd_eq(length), |span| length.simd_le(span));
            most.simd_max(length.select(turns, T::zero()))
        })
    }

    /// Σ |∂²C/∂x²| over these velocities of the body `k`, by the bias of C̈ at unit velocities.
    fn bends<B: Massive<T, D>>(
        &self,
        time: T,
        bodies: &[Moving<T, B, D>],
        k: usize,
        velocities: core::ops::Range<usize>,
    ) -> SVector<T, M>
    where
        C: BodyConstraint<T, D, N, M, Body = B>,
    {
        let rest = SVector::zeros();
        let bias = |velocity: &SVector<T, D>| {
            let moves = core::array::from_fn(|body| if body == k { velocity } else { &rest });
            self.law.bias(time, self.poses(bodies), moves)
        };
        let at_rest = bias(&rest);
        velocities.fold(SVector::zeros(), |sum, axis| {
            // Terms mixed with time are odd in the velocity and cancel.
            let unit = unit(axis);
            let both = (bias(&unit) + bias(&-unit)) * T::lit(0.5);
            sum + (both - at_rest).map(|bend| bend.simd_abs())
        })
    }
}

/// C, with zero for rows that are within rounding or `tolerance`.
fn beyond_rounding<T: Real, B: Massive<T, D>, const D: usize, const N: usize, const M: usize>(
    value: &SVector<T, M>,
    jacobian: &[SMatrix<T, M, D>; N],
    q: [&B; N],
    tolerance: T,
) -> SVector<T, M> {
    let epsilon = T::lit(ROUNDING_EPSILONS) * T::simd_default_epsilon();
    SVector::from_fn(|i, _| {
        let bodies = jacobian.iter().zip(q);
        let size = bodies.fold(T::zero(), |size, (block, body)| {
            let parts = block
                .row(i)
                .transpose()
                .zip_map(&body.extent(), |j, q| (j * q).simd_abs());
            size + parts.sum()
        });
        let none = value[i]
            .simd_abs()
            .simd_le((size * epsilon).simd_max(tolerance));
        T::zero().select(none, value[i])
    })
}

/// √(I/m), I being the mean of the moments about the axes.
fn gyration<T: Real, B: Massive<T, D>, const D: usize>(pose: &B, inertia: &B::Inertia) -> T {
    let energy = |axis: usize| pose.kinetic_energy(inertia, &unit(axis));
    let moments = (B::TRANSLATIONS..D).fold(T::zero(), |sum, axis| sum + energy(axis));
    (moments / energy(0) / T::lit((D - B::TRANSLATIONS) as f64)).simd_sqrt()
}

/// A velocity of 1 along this axis.
fn unit<T: Real, const D: usize>(axis: usize) -> SVector<T, D> {
    let mut unit = SVector::zeros();
    unit[axis] = T::one();
    unit
}

/// The lengths of the translation and of the rotation.
pub(super) fn lengths<T: Real, B: Massive<T, D>, const D: usize>(v: &SVector<T, D>) -> (T, T) {
    let length = |axes: core::ops::Range<usize>| {
        let squares = axes.map(|axis| v[axis] * v[axis]);
        squares.fold(T::zero(), |sum, x| sum + x).simd_sqrt()
    };
    (length(0..B::TRANSLATIONS), length(B::TRANSLATIONS..D))
}
