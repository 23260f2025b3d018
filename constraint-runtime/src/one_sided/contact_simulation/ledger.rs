//! The work of forces on gaps and slips.

use nalgebra::RealField;

use super::contacts::Contacts;
use super::event::Event;
use crate::error::Error;
use crate::integrator::Interpolant;
use crate::one_sided::terms::{dot, rows};
use crate::one_sided::{InMode, OneSided, RowMode};
use crate::real::Real;
use crate::state::State;
use crate::system::Dynamics;
use crate::vector::Vector;

/// Gauss's points on [0, 1] and their weights, exact up to degree 5.
const GAUSS: [(f64, f64); 3] = [
    (0.112_701_665_379_258_3, 5.0 / 18.0),
    (0.5, 4.0 / 9.0),
    (0.887_298_334_620_741_7, 5.0 / 18.0),
];

impl<T: Real + RealField, S: OneSided<T>> Contacts<T, S> {
    /// Adds the work of forces on gaps and slips over a part of a step.
    pub(super) fn labour(
        &mut self,
        moving: &InMode<T, S>,
        motion: &Interpolant<S::Q, S::V>,
        part: T,
    ) -> Result<(), Error> {
        let does_none = |&mode: &RowMode| matches!(mode, RowMode::Open | RowMode::Sticking);
        let closed = |&mode: &RowMode| mode != RowMode::Open;
        let moves = || {
            let start = motion.state_within(T::zero());
            let still = start.v.zeros_like();
            let rates = moving.system().one_sided_rates(start.t, &start.q, &still);
            rates.entries().iter().any(|&it| it != T::zero())
        };
        let all = moving.modes();
        if all.iter().all(does_none) && !(all.iter().any(closed) && moves()) {
            return Ok(());
        }
        let step = (motion.end_time() - motion.start_time()) * part;
        for (place, weight) in GAUSS {
            let State { t, q, v } = motion.state_within(part * T::lit(place));
            let lambda = moving.contact_forces(t, &q, &v)?;
            let rows = rows::<T, S>(moving.system(), t, &q);
            self.work.update(|k, work| {
                work + lambda[k] * dot(&rows.as_ref()[k], &v) * step * T::lit(weight)
            });
        }
        Ok(())
    }

    /// The velocities after impulses, and the change of the kinetic energy.
    pub(super) fn push(
        &mut self,
        moving: &InMode<T, S>,
        event: &Event<T, S>,
        impulses: &S::Sides,
        state: &mut State<S::Q, S::V>,
    ) -> T {
        let energy = |v: &S::V| moving.kinetic_energy(state.t, &state.q, v);
        let after = event.geometry.pushed(&state.v, impulses);
        let gained = energy(&after) - energy(&state.v);
        let (rows, half) = (event.geometry.rows.as_ref(), T::lit(0.5));
        self.work.update(|k, work| {
            let rates = dot(&rows[k], &state.v) + dot(&rows[k], &after);
            work + impulses[k] * rates * half
        });
        state.v = after;
        gained
    }
}
