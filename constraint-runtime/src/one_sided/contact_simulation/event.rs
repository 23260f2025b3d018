//! Gaps and slips at an event: which touch, how they collide, which mode follows.

use alloc::vec::Vec;
use core::cell::RefCell;

use nalgebra::RealField;

use super::contacts::TOUCHING;
use crate::error::Error;
use crate::integrator::Integrator;
use crate::one_sided::causes::{check_coefficients, inconsistent};
use crate::one_sided::complementarity::{Candidates, Decision, Problem};
use crate::one_sided::consistent_modes::ConsistentModes;
use crate::one_sided::impact::{Impact, Push};
use crate::one_sided::laws::ContactLaws;
use crate::one_sided::terms::{Geometry, Terms, sizes_of};
use crate::one_sided::watch::{Departure, Watched};
use crate::one_sided::{Each, InMode, OneSided, RowKind, RowMode, gaps, kind_of, slip_of};
use crate::real::{Real, lane_value};
use crate::simulation::Simulation;
use crate::state::State;
use crate::vector::Vector;

/// The rows at an event.
pub(super) struct Event<T: Real, S: OneSided<T>> {
    pub(super) geometry: Geometry<T, S>,
    pub(super) coefficients: S::Sides,
    /// The gaps that are zero.
    pub(super) touching: Each<T, S, bool>,
    /// The gaps without restitution that close since their impacts accumulate.
    pub(super) closes: Each<T, S, bool>,
    /// The gaps that an endless sequence of impacts closed.
    stays: Each<T, S, bool>,
    /// The gaps without restitution, since their bounces accumulate.
    pub(super) stops: Each<T, S, bool>,
    /// The solutions of impacts, if they are recorded.
    pub(super) pushes: Option<RefCell<Vec<Push<T, S>>>>,
    /// The rates of gaps and slips.
    pub(super) rates: S::Sides,
    /// The sizes of their terms.
    sizes: S::Sides,
}

impl<T: Real + RealField, S: OneSided<T>> Event<T, S> {
    /// `simulation` is at the start of the step with the event; `held` has how gaps and slips start in it.
    pub(super) fn new<I: Integrator<Scalar = T>>(
        simulation: &Simulation<InMode<T, S>, I>,
        state: &State<S::Q, S::V>,
        ended: Option<Watched>,
        held: &Each<T, S, Departure>,
        records: bool,
    ) -> Result<Self, Error> {
        let moving = simulation.system();
        let (system, State { t, q, v }) = (moving.system(), state);
        let geometry = Geometry::new(system, *t, q)?;
        let (values, mut rates) = (system.gaps(*t, q), system.one_sided_rates(*t, q, v));
        let in_time = system.one_sided_rates(*t, q, &v.zeros_like());
        let sizes = sizes_of(system, &geometry.rows, state);
        let unit = TOUCHING * lane_value(T::simd_default_epsilon(), 0);
        let moved = geometry.sizes(v);
        let before = geometry.sizes(&simulation.state().v);
        let vanishes = |slip: usize, rate: T| {
            let size = moved[slip] + before[slip] + in_time[slip].simd_abs();
            lane_value(rate.simd_abs(), 0) <= unit * lane_value(size, 0)
        };
        let mut touching = rates.array(false);
        for (i, &mode) in moving.modes().iter().enumerate() {
            let is_zero = lane_value(values[i], 0) <= unit * lane_value(sizes[i], 0);
            let is_closed = mode != RowMode::Open;
            touching.as_mut()[i] = is_closed || is_zero || ended == Some(Watched::Gap(i));
            // Closed rows have no rate, and rows that stick or that others hold no slip; slips of one body vanish together.
            if is_closed {
                rates[i] = T::zero();
            }
            if let Some(slip) = slip_of::<T, S>(i)
                && (mode == RowMode::Sticking
                    || ended == Some(Watched::Slip(i))
                    || held.as_ref()[slip] == Departure::Held
                    || matches!(ended, Some(Watched::Slip(_))) && vanishes(slip, rates[slip]))
            {
                rates[slip] = T::zero();
            }
        }
        let coefficients = system.contact_coefficients(*t, q);
        check_coefficients::<T, S>(&coefficients)?;
        Ok(Self {
            coefficients,
            sizes: moved.like(|i| moved[i] + in_time[i].simd_abs()),
            geometry,
            closes: rates.array(false),
            stays: rates.array(false),
            stops: rates.array(false),
            pushes: records.then(RefCell::default),
            touching,
            rates,
        })
    }

    /// The impulses that keep gaps from closing, and the modes that the law allows; `None` if no gap closes.
    pub(super) fn collide(
        &mut self,
        laws: ContactLaws,
    ) -> Result<Option<(S::Sides, ConsistentModes)>, Error> {
        let found = self.impact(laws).collide(&self.rates, &self.sizes)?;
        self.rates = found.rates;
        self.stays = found.settled;
        let pushes = found.impulses.entries().iter().any(|&it| it != T::zero());
        Ok(pushes.then_some((found.impulses, found.consistent)))
    }

    /// The gap that an impact is about: the one that ended the mode, or where a slip or a force did, the one that closes the
    /// fastest of those that touch.
    pub(super) fn met(&self, laws: ContactLaws, ended: Option<Watched>) -> Option<usize> {
        match ended? {
            Watched::Gap(gap) => Some(gap),
            _ => self.impact(laws).first(&self.rates, &self.sizes),
        }
    }

    /// The impulses of an impact without collision; `None` if there are none.
    pub(super) fn jolt(&mut self, laws: ContactLaws) -> Option<S::Sides> {
        let found = self
            .impact(laws)
            .without_collision(&self.rates, &self.sizes)?;
        self.rates = found.rates;
        Some(found.impulses)
    }

    fn impact(&self, laws: ContactLaws) -> Impact<'_, T, S> {
        Impact {
            mobility: &self.geometry.mobility,
            coefficients: &self.coefficients,
            touching: &self.touching,
            law: laws.impact,
            impacts: laws.impacts,
            pushes: self.pushes.as_ref(),
        }
    }

    /// Takes the rates of gaps whose impacts accumulate as zero; the projection onto the closed gaps then makes them so.
    pub(super) fn close(&mut self) {
        for (i, &closes) in self.closes.as_ref().iter().enumerate() {
            if closes {
                self.touching.as_mut()[i] = true;
                self.rates[i] = T::zero();
            }
        }
    }

    /// The mode of the motion that follows; `None` if there is none.
    pub(super) fn decide(
        &self,
        system: &S,
        state: &State<S::Q, S::V>,
        before: &[RowMode],
        ended: Option<Watched>,
    ) -> Result<Option<Decision<T, S>>, Error> {
        self.with_problem(system, state, |problem| {
            let decision = problem.decide(&self.all_candidates(before, ended));
            decision.or_else(|| problem.decide(&self.all_candidates(before, None)))
        })
    }

    /// Why no motion follows.
    pub(super) fn jammed(
        &self,
        system: &S,
        state: &State<S::Q, S::V>,
        before: &[RowMode],
    ) -> Error {
        let cause = self.with_problem(system, state, |problem| {
            inconsistent(problem, &self.all_candidates(before, None))
        });
        cause.unwrap_or_else(|error| error)
    }

    /// Calls `solve` with the problem of the forces at a state.
    fn with_problem<R>(
        &self,
        system: &S,
        State { t, q, v }: &State<S::Q, S::V>,
        solve: impl FnOnce(&Problem<'_, T, S>) -> R,
    ) -> Result<R, Error> {
        let Terms {
            geometry,
            right,
            sizes,
            ..
        } = Terms::<T, S>::new(system, *t, q, v)?;
        Ok(solve(&Problem {
            mobility: &geometry.mobility,
            right,
            sizes,
            friction: &self.coefficients,
        }))
    }

    fn all_candidates(&self, before: &[RowMode], ended: Option<Watched>) -> Each<T, S, Candidates> {
        let mut candidates = self.rates.array(Candidates::APART);
        for (i, of) in candidates.as_mut()[..gaps::<T, S>()].iter_mut().enumerate() {
            *of = self.candidates(i, before[i], ended);
        }
        candidates
    }

    /// The modes that a row may have next; not the one whose end the event is.
    fn candidates(&self, i: usize, before: RowMode, ended: Option<Watched>) -> Candidates {
        let opens = || lane_value(self.rates[i], 0) > 0.0;
        let stays = kind_of::<T, S>(i) != RowKind::OneSided;
        if !stays && (!self.touching.as_ref()[i] || opens()) {
            return Candidates::APART;
        }
        let kind = kind_of::<T, S>(i);
        let slip = slip_of::<T, S>(i).map(|slip| lane_value(self.rates[slip], 0));
        let all = Candidates::closed(kind, slip);
        match ended {
            Some(Watched::Force(of)) if of == i && kind == RowKind::OneSided => Candidates::OPEN,
            Some(Watched::Force(of) | Watched::Grip(of, _) | Watched::Slip(of)) if of == i => {
                all.without(before)
            }
            // Rates that count as zero are set to zero in closed rows only.
            _ if self.stays.as_ref()[i] => all,
            _ => all.preferring(before),
        }
    }
}
