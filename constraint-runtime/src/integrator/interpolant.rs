//! Dense output: the motion between the two ends of a step.

use crate::own_frames::{OwnFrames, To, turned};
use crate::real::Real;
use crate::state::State;
use crate::vector::Vector;

/// (q̇, v̇) at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
// Aligned as the state: pairs of numbers within one cache line.
#[repr(align(16))]
pub struct Slope<Q, V = Q> {
    /// Rate of change of the coordinates.
    pub q: Q,
    /// Acceleration.
    pub v: V,
}

impl<Q: Vector, V: Vector> Slope<Q, V> {
    pub(crate) fn blank() -> Self {
        Self {
            q: Q::blank(),
            v: V::blank(),
        }
    }
}

/// The motion over one step, from its ends, their slopes and, for order 4, a quartic term.
///
/// With θ = (t − t₀)/h, y either of q and v, Δ = y₁ − y₀ and the quartic term r:
///
/// u(θ) = y₀ + θ (Δ + (1 − θ) (b + θ (Δ − h ẏ₁ − b + (1 − θ) r))), b = h ẏ₀ − Δ.
///
/// ω of bodies with different principal moments is interpolated in their own frames and returned in the world's.
///
/// Without r that is Hermite's cubic, whose error is of order h⁴ and thus below that of a method
/// of order 4. At both ends the state and its slope are those of the step. In between C = 0 holds
/// to the accuracy of the interpolation only.
///
/// - Cost: about 8 (Q + V) operations a state.
///
/// # Source
/// [Hairer, Nørsett, Wanner 1993] *Solving Ordinary Differential Equations I*, section II.6 and
/// the routine CONTD5 of its appendix.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// # mod by_hand { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/parabola.rs")); } use by_hand::Parabola;
/// let bead = Particle::new(1.0_f64).on(Parabola).under_gravity([0.0, -9.81]);
/// let start = State::new(0.0, [-100.0, -100.0], [0.0, 0.0]);
/// let mut run = Simulation::new(bead, start, DormandPrince::new(1e-9, 1e-9))?;
/// run.run_until(1.0)?;
/// let motion = run.interpolant()?;
/// let half_way = motion.state_at(0.5 * (motion.start_time() + motion.end_time()));
/// assert!(Parabola.value(half_way.t, &half_way.q)[0].abs() < 1e-6);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Interpolant<Q: Vector, V = Q> {
    start: State<Q, V>,
    end: State<Q, V>,
    slopes: [Slope<Q, V>; 2],
    quartic: Option<Slope<Q, V>>,
    /// The bodies whose ω is in their own frames in all of these.
    frames: &'static [OwnFrames],
}

impl<T: Real, Q: Vector<Scalar = T>, V: Vector<Scalar = T>> Interpolant<Q, V> {
    /// Hermite's cubic through two states with the slopes there.
    pub fn cubic(start: &State<Q, V>, end: &State<Q, V>, slopes: &[Slope<Q, V>; 2]) -> Self {
        Self {
            start: start.clone(),
            end: end.clone(),
            slopes: slopes.clone(),
            quartic: None,
            frames: &[],
        }
    }

    /// The same for states and slopes with ω of these bodies in their own frames.
    pub(super) fn in_frames(self, frames: &'static [OwnFrames]) -> Self {
        Self { frames, ..self }
    }

    /// The same with the quartic term `r`.
    pub fn with_quartic(mut self, r: Slope<Q, V>) -> Self {
        self.quartic = Some(r);
        self
    }

    /// Time at which the step starts.
    pub fn start_time(&self) -> T {
        self.start.t
    }

    /// Time at which the step ends.
    pub fn end_time(&self) -> T {
        self.end.t
    }

    /// The state at the time `t`; outside the step it extrapolates.
    pub fn state_at(&self, t: T) -> State<Q, V> {
        let h = self.end.t - self.start.t;
        // A step without length, after a system has been moved, counts as its end.
        let theta = ((t - self.start.t) / h).select(h.simd_gt(T::zero()), T::one());
        let (q, v) = self.blended(theta);
        State { t, q, v }
    }

    /// The state after the fraction `theta` of the step.
    pub(crate) fn state_within(&self, theta: T) -> State<Q, V> {
        let (q, v) = self.blended(theta);
        let t = self.start.t + theta * (self.end.t - self.start.t);
        State { t, q, v }
    }

    /// The slope at the start of the step, with ω in the world's frame as in states.
    pub(crate) fn first_slope(&self) -> Slope<Q, V> {
        let Slope { q, v } = &self.slopes[0];
        let v = turned(self.frames, &self.start.q, v, To::World);
        Slope { q: q.clone(), v }
    }

    fn blended(&self, theta: T) -> (Q, V) {
        let h = self.end.t - self.start.t;
        let [first, last] = &self.slopes;
        let (start, end, r) = (&self.start, &self.end, self.quartic.as_ref());
        let q = blend(
            theta,
            h,
            [&start.q, &end.q],
            [&first.q, &last.q],
            r.map(|r| &r.q),
        );
        let v = blend(
            theta,
            h,
            [&start.v, &end.v],
            [&first.v, &last.v],
            r.map(|r| &r.v),
        );
        match self.frames {
            [] => (q, v),
            frames => {
                let v = turned(frames, &q, &v, To::World);
                (q, v)
            }
        }
    }
}

/// u(θ) of [`Interpolant`].
fn blend<T: Real, Y: Vector<Scalar = T>>(
    theta: T,
    h: T,
    [y0, y1]: [&Y; 2],
    [slope0, slope1]: [&Y; 2],
    quartic: Option<&Y>,
) -> Y {
    let left = T::one() - theta;
    y0.like(|i| {
        let delta = y1[i] - y0[i];
        let b = h * slope0[i] - delta;
        let r = quartic.map_or(T::zero(), |r| r[i]);
        y0[i] + theta * (delta + left * (b + theta * (delta - h * slope1[i] - b + left * r)))
    })
}

#[cfg(test)]
mod tests {
    use nalgebra::SVector;

    use super::*;

    /// y = t⁴ on [1, 3], as the coordinate; y = t³ as the velocity.
    fn powers(t: f64) -> (State<SVector<f64, 1>>, Slope<SVector<f64, 1>>) {
        let state = State::new(t, [t.powi(4)], [t.powi(3)]);
        let slope = Slope {
            q: [4.0 * t.powi(3)].into(),
            v: [3.0 * t * t].into(),
        };
        (state, slope)
    }

    #[test]
    fn a_cubic_is_reproduced_and_a_quartic_with_its_term() {
        let ((start, first), (end, last)) = (powers(1.0), powers(3.0));
        // θ²(1 − θ)² r is all that t⁴ has beyond its Hermite cubic: r = h⁴.
        let r = Slope {
            q: [16.0].into(),
            v: [0.0].into(),
        };
        let motion = Interpolant::cubic(&start, &end, &[first, last]).with_quartic(r);
        for t in [1.0, 1.25, 2.0, 2.875, 3.0] {
            let (exact, _) = powers(t);
            let found = motion.state_at(t);
            assert!((found.q - exact.q).norm() < 1e-13 * exact.q.norm());
            assert!((found.v - exact.v).norm() < 1e-13 * exact.v.norm());
        }
    }
}
