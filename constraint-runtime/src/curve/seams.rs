//! All seams of a curve: as a list, and as an event.

use alloc::vec::Vec;

use nalgebra::{SVector, SimdComplexField};

use super::Curve;
use super::seam::{Continuity, Seam, continuity, for_each_seam};
use crate::error::Error;
use crate::event::Then;
use crate::state::State;

/// The places where the pieces of a curve meet, in order; the ends of a closed curve come last.
///
/// - Cost: about a thousand evaluations, and the list; none of it while stepping.
///
/// ```
/// use constraint_runtime::curve::{Continuity, Seam, seams};
/// use constraint_runtime::prelude::*;
///
/// curve! { struct Corner; |s in -3..=3| [s, if s > 0 { s } else { -s }] }
/// let corner = Seam { parameter: 0.0, continuity: Continuity::C0 };
/// assert_eq!(seams(&Corner)?, [corner]);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::Jump`] if two pieces do not meet, [`Error::InvalidDomain`].
pub fn seams<C: Curve<f64, D>, const D: usize>(curve: &C) -> Result<Vec<Seam>, Error> {
    let mut found = Vec::new();
    for_each_seam(curve, 0, |seam| found.push(seam))?;
    let domain = curve.domain();
    if curve.is_closed() {
        let (last, first) = (curve.jet(*domain.end()), curve.jet(*domain.start()));
        found.push(Seam {
            parameter: *domain.end(),
            continuity: continuity(curve, 0, &last, &first),
        });
    }
    Ok(found)
}

/// The seams of a curve as an event: steps that end at them keep their order and their energy.
///
/// At a seam the curvature may jump, or the tangent; a step across it errs as if its method were of a lower order.
/// [`distance`](Self::distance) changes its sign at every seam, and [`cross`](Self::cross) is the handler for it.
///
/// ```
/// use constraint_runtime::curve::Seams;
/// use constraint_runtime::prelude::*;
/// use constraint_runtime::tracks::Corner;
///
/// let seams = Seams::of(&Corner)?;
/// let bead = Particle::new(1.0).along(Corner).under_gravity([0.0, -9.81]);
/// let mut run = Simulation::new(bead, State::new(0.0, [-2.0], [0.0]), Rk4::new(0.01))?
///     .on(Crossing::Either, |state| seams.distance(state.q[0]), |state| seams.cross(state));
/// run.run_until(10.0)?;
/// assert!((run.energy() - 2.0 * 9.81).abs() < 1e-10);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Seams<C, const D: usize> {
    curve: C,
    places: Vec<f64>,
    start: f64,
    /// The length of the domain of a closed curve.
    period: Option<f64>,
}

impl<C: Curve<f64, D> + Clone, const D: usize> Seams<C, D> {
    /// The seams of a curve; the ends of a closed one count unless they meet C².
    ///
    /// # Errors
    /// Those of [`seams`].
    pub fn of(curve: &C) -> Result<Self, Error> {
        let domain = curve.domain();
        let (start, end) = (*domain.start(), *domain.end());
        let counts = |seam: &Seam| seam.parameter < end || seam.continuity < Continuity::C2;
        let places = seams(curve)?.into_iter().filter(counts);
        Ok(Self {
            places: places.map(|seam| seam.parameter).collect(),
            curve: curve.clone(),
            start,
            period: curve.is_closed().then_some(end - start),
        })
    }

    /// How far `s` is from the nearest seam, with a sign that changes at every seam; 1 without seams.
    pub fn distance(&self, s: f64) -> f64 {
        let (Some(first), Some(last)) = (self.places.first(), self.places.last()) else {
            return 1.0;
        };
        let (turns, s) = self.turns(s);
        let period = self.period.unwrap_or(f64::INFINITY);
        let passed = self.places.partition_point(|place| *place <= s);
        let before = passed
            .checked_sub(1)
            .map_or(last - period, |i| self.places[i]);
        let after = self.places.get(passed).copied().unwrap_or(first + period);
        let crossed = turns * self.places.len() as f64 + passed as f64;
        let is_odd = crossed - 2.0 * (0.5 * crossed).simd_floor() > 0.5;
        let sign = if is_odd { -1.0 } else { 1.0 };
        sign * (s - before).min(after - s)
    }

    /// Moves a bead at a seam to its other side, with the speed |v| that it has.
    ///
    /// That is the motion on a track without friction, also if |r′| jumps with the parameter; a corner turns the
    /// velocity into the new direction. If the pieces are only [`joined`](Curve::joined) within a stated tolerance,
    /// the potential energy of the gap is gained or lost, and returned when the bead comes back.
    pub fn cross(&self, state: &mut State<SVector<f64, 1>>) -> Then {
        let s = state.q[0];
        let size = s
            .abs()
            .max(self.start.abs())
            .max(self.period.unwrap_or(0.0));
        let rounding = 8.0 * f64::EPSILON * size.max(f64::MIN_POSITIVE);
        let over = (self.distance(s).abs() + rounding).copysign(state.v[0]);
        let speed = |s: f64| self.curve.tangent(self.turns(s).1).norm();
        state.v[0] *= speed(s - over) / speed(s + over);
        state.q[0] = s + over;
        Then::Continue
    }

    /// How many turns `s` has made, and its position in the domain.
    fn turns(&self, s: f64) -> (f64, f64) {
        match self.period {
            None => (0.0, s),
            Some(period) => {
                let turns = ((s - self.start) / period).simd_floor();
                (turns, s - turns * period)
            }
        }
    }
}
