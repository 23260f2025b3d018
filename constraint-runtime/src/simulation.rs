//! A system in motion: integrator, stabilisation, last good state and meters.

use std::fmt;

use nalgebra::{SVector, SimdBool};

use crate::error::{Error, Quantity};
use crate::integrator::{Integrator, Motion};
use crate::real::{Real, first_bad, first_non_finite, is_finite, lane_value, largest};
use crate::stabilization::{Stabilization, check_consistent, project};
use crate::state::State;
use crate::system::System;

/// A system advanced step by step, on its constraints by projection unless told otherwise.
///
/// A step that fails leaves the last good state in place.
///
/// - Cost: a step of fixed size does not allocate.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// # mod by_hand { include!("../tests/common/parabola.rs"); } use by_hand::Parabola;
/// let bead = Particle::new(1.0).on(Parabola).under_gravity([0.0, -9.81]);
/// let start = State::new(0.0, [-100.0, -100.0], [0.0, 0.0]);
/// let mut run = Simulation::new(bead, start, Rk4::new(1e-2))?;
/// run.run_until(0.25)?;
/// assert_eq!(run.state().t, 0.25);
/// println!("{} drift {:e} energy {}", run.coordinates(), run.drift(), run.energy());
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone)]
pub struct Simulation<T, S, I, const Q: usize, const V: usize, const M: usize> {
    system: S,
    integrator: I,
    state: State<T, Q, V>,
    stabilization: Stabilization<T>,
}

impl<T, S, I, const Q: usize, const V: usize, const M: usize> Simulation<T, S, I, Q, V, M>
where
    T: Real,
    S: System<T, Q, V, M>,
    I: Integrator<T>,
{
    /// `system` at `start`, to be advanced by `integrator`, projected after each step.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// # mod by_hand { include!("../tests/common/parabola.rs"); } use by_hand::Parabola;
    /// let start = State::new(0.0, [10.0, 0.0], [0.0, 0.0]);
    /// let refused = Simulation::new(Particle::new(1.0).on(Parabola), start, Rk4::new(0.1));
    /// let message = refused.unwrap_err().to_string();
    /// assert!(message.starts_with("the start violates constraint row 0 by 100,"));
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidStepSize`], [`Error::InvalidMass`], [`Error::NonFinite`] for the start,
    /// [`Error::InconsistentPosition`] or [`Error::InconsistentVelocity`] when the start is not on
    /// the constraints ([`make_consistent`](crate::make_consistent) moves it there).
    pub fn new(system: S, start: State<T, Q, V>, integrator: I) -> Result<Self, Error> {
        check_step_size(integrator.step_size())?;
        system.validate()?;
        check_finite(&start)
            .and_then(|()| system.admits(start.t, &start.q))
            .and_then(|()| check_consistent(&system, &start))
            .map_err(|error| error.located(first_lane(start.t), |row| system.row_name(row)))?;
        Ok(Self {
            system,
            integrator,
            state: start,
            stabilization: Stabilization::default(),
        })
    }

    /// The same simulation under another stabilisation.
    pub fn with_stabilization(mut self, stabilization: Stabilization<T>) -> Self {
        self.stabilization = stabilization;
        self
    }

    /// Advances by one step of the integrator's size.
    ///
    /// # Errors
    /// [`Error::Singular`], [`Error::NonFinite`] or [`Error::ProjectionDiverged`]; the state is
    /// then that before the step.
    pub fn step(&mut self) -> Result<(), Error> {
        let h = self.integrator.step_size();
        self.step_to(self.state.t + h, h)
    }

    /// Advances to exactly the time `end`; the last step is shortened.
    ///
    /// # Errors
    /// [`Error::InvalidTime`] when `end` is not finite or lies in the past, otherwise as
    /// [`step`](Self::step); the state is then the last good one.
    pub fn run_until(&mut self, end: T) -> Result<(), Error> {
        self.run_until_with(end, |_| {})
    }

    /// Advances to exactly the time `end` and shows `observe` the state after each step.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// # mod by_hand { include!("../tests/common/parabola.rs"); } use by_hand::Parabola;
    /// let bead = Particle::new(1.0).on(Parabola).under_gravity([0.0, -9.81]);
    /// let start = State::new(0.0, [-100.0, -100.0], [0.0, 0.0]);
    /// let mut run = Simulation::new(bead, start, Rk4::new(0.1))?;
    /// let mut times = Vec::new();
    /// run.run_until_with(0.25, |state| times.push(state.t))?;
    /// assert_eq!(times, [0.1, 0.2, 0.25]);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`run_until`](Self::run_until).
    pub fn run_until_with(
        &mut self,
        end: T,
        mut observe: impl FnMut(&State<T, Q, V>),
    ) -> Result<(), Error> {
        self.check_end(end)?;
        let start = self.state.t;
        let h = self.integrator.step_size();
        // A remainder this short is rounding and joins the step before it.
        let sliver = h * T::simd_default_epsilon().simd_sqrt();
        let mut steps = T::zero();
        while self.state.t.simd_lt(end).any() {
            // Times are multiples of h from the start, so that rounding does not add up.
            steps += T::one();
            let next = start + steps * h;
            let last = (next + sliver).simd_ge(end);
            let length = (end - self.state.t).select(last, h);
            self.step_to(end.select(last, next), length)?;
            observe(&self.state);
        }
        Ok(())
    }

    /// The last good state.
    pub fn state(&self) -> &State<T, Q, V> {
        &self.state
    }

    /// The system that moves.
    pub fn system(&self) -> &S {
        &self.system
    }

    /// The coordinates, under their names where the system has any.
    pub fn coordinates(&self) -> S::Coordinates {
        self.state.q.into()
    }

    /// The velocities, under their names where the system has any.
    pub fn velocities(&self) -> S::Velocities {
        self.state.v.into()
    }

    /// Largest |C| over the rows; infinite where C is not a number.
    pub fn drift(&self) -> T {
        largest(&self.system.constraint(self.state.t, &self.state.q))
    }

    /// Largest |Ċ| over the rows; infinite where Ċ is not a number.
    pub fn rate_drift(&self) -> T {
        let State { t, q, v } = &self.state;
        largest(&self.system.constraint_rate(*t, q, v))
    }

    /// Kinetic and potential energy.
    pub fn energy(&self) -> T {
        let State { t, q, v } = &self.state;
        self.system.kinetic_energy(*t, q, v) + self.system.potential_energy(*t, q)
    }

    /// λ at the present state, without stabilising feedback.
    ///
    /// # Errors
    /// Those of [`System::multipliers`].
    pub fn multipliers(&self) -> Result<SVector<T, M>, Error> {
        let State { t, q, v } = &self.state;
        self.system
            .multipliers(*t, q, v)
            .map_err(|error| self.located(error))
    }

    /// One step of length `h`, then the state's time is exactly `t`; all or nothing.
    fn step_to(&mut self, t: T, h: T) -> Result<(), Error> {
        let stepped = self
            .stepped(h)
            .map(|state| State { t, ..state })
            .and_then(|state| self.stabilized(state));
        self.state = stepped.map_err(|error| self.located(error))?;
        Ok(())
    }

    fn stepped(&mut self, h: T) -> Result<State<T, Q, V>, Error> {
        let motion = Motion::new(&self.system, self.stabilization);
        self.integrator.step(&motion, &self.state, h)
    }

    fn stabilized(&self, state: State<T, Q, V>) -> Result<State<T, Q, V>, Error> {
        check_finite(&state)?;
        self.system.admits(state.t, &state.q)?;
        let Stabilization::Projection { tolerance } = self.stabilization else {
            return Ok(state);
        };
        let projected = project(&self.system, &state, tolerance)?;
        check_finite(&projected)?;
        Ok(projected)
    }

    fn check_end(&self, end: T) -> Result<(), Error> {
        let ahead = end.simd_ge(self.state.t) & is_finite(end);
        match first_bad(end, ahead) {
            None => Ok(()),
            Some(target) => Err(Error::InvalidTime {
                target,
                time: first_lane(self.state.t),
            }),
        }
    }

    fn located(&self, error: Error) -> Error {
        error.located(first_lane(self.state.t), |row| self.system.row_name(row))
    }
}

// The system is left out: it may hold closures, and `unwrap_err` must still work.
impl<T, S, I, const Q: usize, const V: usize, const M: usize> fmt::Debug
    for Simulation<T, S, I, Q, V, M>
where
    T: Real,
    I: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Simulation")
            .field("state", &self.state)
            .field("integrator", &self.integrator)
            .field("stabilization", &self.stabilization)
            .finish_non_exhaustive()
    }
}

fn first_lane<T: Real>(t: T) -> f64 {
    lane_value(t, 0)
}

fn check_step_size<T: Real>(h: T) -> Result<(), Error> {
    match first_bad(h, h.simd_gt(T::zero()) & is_finite(h)) {
        None => Ok(()),
        Some(step_size) => Err(Error::InvalidStepSize { step_size }),
    }
}

fn check_finite<T: Real, const Q: usize, const V: usize>(
    state: &State<T, Q, V>,
) -> Result<(), Error> {
    let time = first_bad(state.t, is_finite(state.t)).map(|value| (Quantity::Time, 0, value));
    let bad = time
        .or_else(|| first_non_finite(&state.q).map(|(i, x)| (Quantity::Coordinate, i, x)))
        .or_else(|| first_non_finite(&state.v).map(|(i, x)| (Quantity::Velocity, i, x)));
    match bad {
        None => Ok(()),
        Some((quantity, index, value)) => Err(Error::NonFinite {
            quantity,
            index,
            value,
            time: None,
        }),
    }
}
