//! A system in one of its modes: closed rows are equalities, and an ordinary [`System`] moves.

use core::ops::Index;

use nalgebra::DMatrix;

use super::complementarity::Problem;
use super::terms::{Geometry, Terms, dot};
use super::{Each, OneSided, RowKind, RowMode, gaps, kind_of, sides};
use crate::allowance::reach;
use crate::error::{Error, Names, Quantity};
use crate::real::{Real, largest};
use crate::system::{Constrained, Dynamics, Properties, System};
use crate::vector::Vector;

/// A system with constraints of one side in one of its modes: those that are closed hold as equalities, those that slide
/// rub with μ λ, the others do nothing.
///
/// Its rows are those of two sides, followed by gaps and slips: zero where a mode does not constrain them. With
/// `#[derivatives]` before the struct of its `system!` it has [`Derivatives`](crate::Derivatives), exact ones.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// system! {
///     #[derivatives]
///     struct Block { m: Real = 2, mu: Real = 0.5, g: Real = 10 }
///     particle block: Point2 { mass: m }
///     gravity [0, -g];
///     constraint floor: block.y >= 0 { friction: mu, slip: velocity(block).x };
/// }
/// let start = State::new(0.0, [0.0, 0.0], [3.0, 0.0]);
/// let run = ContactSimulation::new(Block::<f64>::default(), start, Rk4::new(0.01))?;
/// let State { t, q, v } = run.state();
/// // It slides with v̇ = −μ g, upon a force of m g: by m, μ and g.
/// let (motion, forces) = run.in_mode().linearize_with_multipliers(*t, q, v)?;
/// for (by, expected) in motion.p.row(0).iter().zip([0.0, -10.0, -0.5]) {
///     assert!((by - expected).abs() < 1e-14);
/// }
/// for (by, expected) in forces.p.row(0).iter().zip([10.0, 0.0, 2.0]) {
///     assert!((by - expected).abs() < 1e-14);
/// }
/// # Ok::<(), Error>(())
/// ```
pub struct InMode<T: Real, S: OneSided<T>> {
    system: S,
    pub(super) modes: Each<T, S, RowMode>,
}

impl<T: Real, S: OneSided<T>> InMode<T, S> {
    /// The system with all constraints of one side open, and those of two sides closed.
    pub(super) fn open(system: S) -> Self {
        let mut modes = S::Sides::blank().array(RowMode::Open);
        for (i, mode) in modes.as_mut().iter_mut().enumerate() {
            if kind_of::<T, S>(i) == RowKind::TwoSided {
                *mode = RowMode::Closed;
            }
        }
        Self { system, modes }
    }

    /// The system.
    pub fn system(&self) -> &S {
        &self.system
    }

    /// The mode of each constraint of one side.
    pub fn modes(&self) -> &[RowMode] {
        &self.modes.as_ref()[..gaps::<T, S>()]
    }

    /// λ of gaps and slips in this mode.
    ///
    /// # Errors
    /// As [`acceleration`](Dynamics::acceleration); [`Error::Singular`] if the closed rows do not determine it.
    pub fn contact_forces(&self, t: T, q: &S::Q, v: &S::V) -> Result<S::Sides, Error> {
        let terms = Terms::new(&self.system, t, q, v)?;
        self.forces(&terms, t, q)
    }

    pub(super) fn forces(&self, terms: &Terms<T, S>, t: T, q: &S::Q) -> Result<S::Sides, Error> {
        if self.are_open() {
            return Ok(S::Sides::blank());
        }
        let friction = self.system.contact_coefficients(t, q);
        self.solved(&terms.geometry, terms.right.clone(), &friction)
    }

    /// λ, and what of it counts as zero.
    pub(super) fn forces_and_rounding(
        &self,
        (t, q, v): (T, &S::Q, &S::V),
    ) -> Result<[S::Sides; 2], Error> {
        let terms = Terms::new(&self.system, t, q, v)?;
        let lambda = self.forces(&terms, t, q)?;
        let problem: Problem<'_, T, S> = Problem {
            mobility: &terms.geometry.mobility,
            right: terms.right,
            sizes: terms.sizes,
            friction: &S::Sides::blank(),
        };
        let rounding = problem.rounding(&lambda);
        Ok([lambda, rounding])
    }

    /// ∂v̇/∂(q, v) by central differences, which Newton's methods only need roughly: forces of closed rows are part of v̇.
    fn by_differences(
        &self,
        (t, q, v): (T, &S::Q, &S::V),
        by_q: &mut [S::V],
        by_v: &mut [S::V],
    ) -> Result<(), Error> {
        let part = T::simd_default_epsilon().simd_cbrt();
        let half = T::lit(0.5);
        let reach = reach(&self.system, t, q, v);
        let step = |of: &S::V, k: usize| {
            let size = of[k].simd_abs() + largest(of);
            part * T::one().select(size.simd_eq(T::zero()), size)
        };
        for k in 0..by_q.len() {
            let h = step(&reach, k);
            let mut unit = v.zeros_like();
            unit[k] = h;
            let way = self.system.kinematics(t, q, &unit);
            let at = |sign: T| {
                let mut q = q.clone();
                q.update(|i, q| q + way[i] * sign);
                self.system.normalize(&mut q);
                self.acceleration(t, &q, v)
            };
            let (after, before) = (at(T::one())?, at(-T::one())?);
            by_q[k].update(|i, _| (after[i] - before[i]) * half / h);
            let h = step(v, k);
            let at = |h: T| {
                let mut v = v.clone();
                v[k] += h;
                self.acceleration(t, q, &v)
            };
            let (after, before) = (at(h)?, at(-h)?);
            by_v[k].update(|i, _| (after[i] - before[i]) * half / h);
        }
        Ok(())
    }

    pub(super) fn are_open(&self) -> bool {
        self.modes().iter().all(|&mode| mode == RowMode::Open)
    }

    /// λ with w = A λ + b zero in the rows that this mode constrains.
    pub(super) fn solved(
        &self,
        geometry: &Geometry<T, S>,
        right: S::Sides,
        friction: &S::Sides,
    ) -> Result<S::Sides, Error> {
        let problem: Problem<'_, T, S> = Problem {
            mobility: &geometry.mobility,
            sizes: right.zeros_like(),
            right,
            friction,
        };
        problem
            .solve_again(self.modes.as_ref())
            .ok_or_else(|| self.undetermined())
    }

    /// That closed rows do not determine their forces.
    pub(super) fn undetermined(&self) -> Error {
        let first = self.modes().iter().position(|&it| it != RowMode::Open);
        Error::Singular {
            row: (rows::<T, S>() + first.unwrap_or_default()).into(),
            pivot: 0.0,
            time: None,
        }
    }

    /// Whether a row of gaps and slips is an equality.
    fn constrains(&self, side: usize) -> bool {
        is_constrained::<T, S>(self.modes.as_ref(), side)
    }

    /// Rows of two sides, and then those of one that are equalities.
    fn all(&self, two: &S::Rows, one: &S::Sides) -> S::AllRows {
        let m = rows::<T, S>();
        S::AllRows::blank().like(|i| match i.checked_sub(m) {
            None => two[i],
            Some(side) if self.constrains(side) => one[side],
            Some(_) => T::zero(),
        })
    }
}

/// Whether a row of gaps and slips is an equality.
pub(super) fn is_constrained<T: Real, S: OneSided<T>>(modes: &[RowMode], side: usize) -> bool {
    match side.checked_sub(gaps::<T, S>()) {
        None => modes[side] != RowMode::Open && kind_of::<T, S>(side) != RowKind::Motor,
        Some(slip) => modes[S::SLIPS[slip]] == RowMode::Sticking,
    }
}

/// The size of rows that are so small that λ would underflow, and 1 of others.
fn unit_of<T: Real, X: Vector<Scalar = T>>(rows: &X) -> T {
    let (size, epsilon) = (largest(rows), T::lit(f64::EPSILON));
    let is_tiny = size.simd_gt(T::zero()) & (size * epsilon * epsilon).simd_eq(T::zero());
    size.select(is_tiny, T::one())
}

/// The number of rows of two sides.
pub(super) fn rows<T: Real, S: OneSided<T>>() -> usize {
    S::AllRows::LEN.unwrap_or(0) - sides::<T, S>()
}

impl<T: Real, S: OneSided<T>> Dynamics<T> for InMode<T, S> {
    type Q = S::Q;
    type V = S::V;
    type Coordinates = S::Coordinates;
    type Velocities = S::Velocities;

    const PROPERTIES: Properties = Properties {
        own_frames: S::PROPERTIES.own_frames,
        linearizes: S::PROPERTIES.linearizes,
        ..Properties::NONE
    };

    fn acceleration(&self, t: T, q: &S::Q, v: &S::V) -> Result<S::V, Error> {
        if self.are_open() {
            return self.system.acceleration(t, q, v);
        }
        let terms = Terms::new(&self.system, t, q, v)?;
        let lambda = self.forces(&terms, t, q)?;
        Ok(terms.geometry.pushed(&terms.free, &lambda))
    }

    fn kinetic_energy(&self, t: T, q: &S::Q, v: &S::V) -> T {
        self.system.kinetic_energy(t, q, v)
    }

    fn potential_energy(&self, t: T, q: &S::Q) -> T {
        self.system.potential_energy(t, q)
    }

    fn mass_times(&self, t: T, q: &S::Q, a: &S::V) -> S::V {
        self.system.mass_times(t, q, a)
    }

    fn mass_matrix(&self, t: T, q: &S::Q) -> DMatrix<T> {
        self.system.mass_matrix(t, q)
    }

    fn kinematics(&self, t: T, q: &S::Q, v: &S::V) -> S::Q {
        self.system.kinematics(t, q, v)
    }

    fn write_linearization(
        &self,
        t: T,
        q: &S::Q,
        v: &S::V,
        by_q: &mut [S::V],
        by_v: &mut [S::V],
    ) -> Result<(), Error> {
        if self.are_open() {
            return self.system.write_linearization(t, q, v, by_q, by_v);
        }
        self.by_differences((t, q, v), by_q, by_v)
    }

    fn normalize(&self, q: &mut S::Q) {
        self.system.normalize(q);
    }

    fn names(&self, quantity: Quantity) -> Option<&'static [Names]> {
        self.system.names(quantity)
    }

    fn admits(&self, t: T, q: &S::Q) -> Result<(), Error> {
        self.system.admits(t, q)
    }

    fn validate(&self) -> Result<(), Error> {
        self.system.validate()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Real, S: OneSided<T>> System<T> for InMode<T, S> {}

impl<T: Real, S: OneSided<T>> Constrained<T> for InMode<T, S> {
    type Rows = S::AllRows;
    type Jacobian = AllRowsOf<T, S>;
    type Multipliers = S::AllRows;

    fn multipliers(&self, t: T, q: &S::Q, v: &S::V) -> Result<S::AllRows, Error> {
        let m = rows::<T, S>();
        let lambda = self.contact_forces(t, q, v)?;
        let mut all = S::AllRows::blank();
        if m > 0 {
            let two = self.system.multipliers(t, q, v)?;
            let reactions = self.system.one_sided_reactions(t, q)?;
            for i in 0..m {
                let caused = (0..sides::<T, S>()).map(|k| reactions[(i, k)] * lambda[k]);
                all[i] = caused.fold(two[i], |sum, it| sum + it);
            }
        }
        for k in 0..sides::<T, S>() {
            all[m + k] = lambda[k];
        }
        Ok(all)
    }

    fn constraint_force(&self, t: T, q: &S::Q, v: &S::V) -> Result<S::V, Error> {
        let all = self.multipliers(t, q, v)?;
        let (m, n) = (rows::<T, S>(), v.entries().len());
        let two = self.system.jacobian(t, q);
        let one = self.system.one_sided_jacobian(t, q);
        let mut force = v.zeros_like();
        for k in 0..n {
            let held = (0..m).map(|i| two[(i, k)] * all[i]);
            let pressed = (0..sides::<T, S>()).map(|i| one[(i, k)] * all[m + i]);
            force[k] = held.chain(pressed).fold(T::zero(), |sum, it| sum + it);
        }
        Ok(force)
    }

    fn constraint(&self, t: T, q: &S::Q) -> S::AllRows {
        self.all(&self.system.constraint(t, q), &self.system.gaps(t, q))
    }

    fn constraint_rate(&self, t: T, q: &S::Q, v: &S::V) -> S::AllRows {
        let one = self.system.one_sided_rates(t, q, v);
        self.all(&self.system.constraint_rate(t, q, v), &one)
    }

    fn jacobian(&self, t: T, q: &S::Q) -> AllRowsOf<T, S> {
        AllRowsOf {
            two: self.system.jacobian(t, q),
            one: self.system.one_sided_jacobian(t, q),
            modes: self.modes.clone(),
            zero: T::zero(),
        }
    }

    fn bias(&self, t: T, q: &S::Q, v: &S::V) -> S::AllRows {
        let one = self.system.one_sided_bias(t, q, v);
        self.all(&self.system.bias(t, q, v), &one)
    }

    fn correction(&self, t: T, q: &S::Q, b: &S::AllRows) -> Result<S::V, Error> {
        let m = rows::<T, S>();
        let mut change = S::V::blank();
        if m > 0 {
            let two = S::Rows::blank().like(|i| b[i]);
            change = self.system.correction(t, q, &two)?;
        }
        if self.are_open() {
            return Ok(change);
        }
        let geometry = Geometry::new(&self.system, t, q)?;
        let rows = geometry.rows.as_ref();
        let missing = S::Sides::blank().like(|k| dot(&rows[k], &change) - b[m + k]);
        // Corrections are those of the smallest motion, without friction.
        let unit = unit_of(&missing);
        let missing = missing.like(|k| missing[k] / unit);
        let lambda = self.solved(&geometry, missing, &S::Sides::blank())?;
        let pushed = geometry.pushed(&change.zeros_like(), &lambda);
        change.update(|i, x| x + pushed[i] * unit);
        Ok(change)
    }

    fn free_acceleration(&self, t: T, q: &S::Q, v: &S::V) -> Result<S::V, Error> {
        self.system.free_acceleration(t, q, v)
    }

    fn inverse_dynamics(&self, t: T, q: &S::Q, v: &S::V, a: &S::V) -> Result<S::V, Error> {
        self.system.inverse_dynamics(t, q, v, a)
    }

    fn row_sizes(&self, t: T, q: &S::Q) -> S::AllRows {
        let reach = reach(&self.system, t, q, &S::V::blank());
        let one = self.system.one_sided_jacobian(t, q);
        let one = S::Sides::blank().like(|i| {
            let parts = reach.entries().iter().enumerate();
            parts.fold(T::zero(), |sum, (k, &it)| {
                sum + (one[(i, k)] * it).simd_abs()
            })
        });
        self.all(&self.system.row_sizes(t, q), &one)
    }

    fn row_name(&self, row: usize) -> Option<&'static str> {
        let m = rows::<T, S>();
        let Some(side) = row.checked_sub(m) else {
            return self.system.row_name(row);
        };
        let slip = || S::SLIPS.get(side.checked_sub(gaps::<T, S>())?);
        let gap = if side < gaps::<T, S>() {
            side
        } else {
            *slip()?
        };
        S::GAPS.get(gap).copied()
    }
}

/// J of rows of two sides and of those of one, zero where a mode does not constrain them.
pub struct AllRowsOf<T: Real, S: OneSided<T>> {
    two: S::Jacobian,
    one: S::SideJacobian,
    modes: Each<T, S, RowMode>,
    zero: T,
}

impl<T: Real, S: OneSided<T>> Index<(usize, usize)> for AllRowsOf<T, S> {
    type Output = T;

    fn index(&self, (row, column): (usize, usize)) -> &T {
        match row.checked_sub(rows::<T, S>()) {
            None => &self.two[(row, column)],
            Some(side) if is_constrained::<T, S>(self.modes.as_ref(), side) => {
                &self.one[(side, column)]
            }
            Some(_) => &self.zero,
        }
    }
}
