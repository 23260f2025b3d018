//! Bodies in their own frames during a step.
//!
//! Users see ω in the world's frame. Between the stages of a step, a body with different principal moments has Rᵀω
//! for its velocity instead: for a free body it varies by Euler's equations alone, whereas ω in the world's frame
//! varies as fast as the body tumbles. Since ω×ω = 0, Rᵀω̇ is its derivative.
//!
//! Input: the bodies, as [`Properties::own_frames`](crate::Properties::own_frames). Output: velocities rotated to either
//! frame.

use nalgebra::Vector3;

use crate::real::Real;
use crate::state::State;
use crate::vector::Vector;

/// Bodies of one kind, one after the other, and their indices among coordinates and velocities.
///
/// ```
/// use constraint_runtime::{OwnFrames, prelude::*};
///
/// system! {
///     struct Rackets { m: Real = 1 }
///     body racket[2]: Rigid3 { mass: m, inertia: [1, 2, 3] }
/// }
/// let all = OwnFrames { turn: 3, spin: 3, count: 2 };
/// assert_eq!(<Rackets as Dynamics<f64>>::PROPERTIES.own_frames, [all]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnFrames {
    /// Index of i of the first one's quaternion i, j, k, w among the coordinates; the next body follows after 7.
    pub turn: usize,
    /// Index of the first one's ω among the velocities; the next body follows after 6.
    pub spin: usize,
    /// The number of bodies.
    pub count: usize,
}

/// The target frame: the bodies' or the world's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum To {
    Own,
    World,
}

/// `v` with every ω rotated.
#[inline(always)]
pub(crate) fn turned<Q: Vector, V: Vector<Scalar = Q::Scalar>>(
    frames: &[OwnFrames],
    q: &Q,
    v: &V,
    to: To,
) -> V {
    let mut turned = v.clone();
    for frames in frames {
        for k in 0..frames.count {
            let (turn, spin) = (frames.turn + 7 * k, frames.spin + 6 * k);
            let x = Vector3::new(v[spin], v[spin + 1], v[spin + 2]);
            let x = rotated([q[turn], q[turn + 1], q[turn + 2], q[turn + 3]], x, to);
            (turned[spin], turned[spin + 1], turned[spin + 2]) = (x.x, x.y, x.z);
        }
    }
    turned
}

/// The state with every ω rotated.
#[inline(always)]
pub(crate) fn turned_state<Q: Vector, V: Vector<Scalar = Q::Scalar>>(
    frames: &[OwnFrames],
    state: &State<Q, V>,
    to: To,
) -> State<Q, V> {
    let State { t, q, v } = state;
    let v = turned(frames, q, v, to);
    State {
        t: *t,
        q: q.clone(),
        v,
    }
}

/// x + s (w r×x + r×(r×x)) with s = 2/|(r, w)|²: a rotation for any length, which stages do not keep.
fn rotated<T: Real>([i, j, k, w]: [T; 4], x: Vector3<T>, to: To) -> Vector3<T> {
    let axis = Vector3::new(i, j, k);
    let w = match to {
        To::Own => -w,
        To::World => w,
    };
    let scale = T::lit(2.0) / (axis.dot(&axis) + w * w);
    let across = axis.cross(&x);
    x + (across * w + axis.cross(&across)) * scale
}

/// World velocities, as sources of inputs expect them, from velocities of bodies in their own frames.
#[inline]
pub fn in_world<Q: Vector, V: Vector<Scalar = Q::Scalar>>(frames: &[OwnFrames], q: &Q, v: &V) -> V {
    turned(frames, q, v, To::World)
}

#[cfg(test)]
mod tests {
    use nalgebra::{SVector, UnitQuaternion};

    use super::*;

    /// The result equals nalgebra's for the second of two bodies, also for a quaternion of another length.
    #[test]
    fn spins_are_turned_into_the_bodies_frames_and_back() {
        let frames = [OwnFrames {
            turn: 4,
            spin: 4,
            count: 2,
        }];
        let turn = UnitQuaternion::from_scaled_axis(Vector3::new(0.3, -1.1, 0.7));
        let mut q = SVector::<f64, 15>::zeros();
        q[7] = 1.0;
        q.fixed_rows_mut::<4>(11).copy_from(&(turn.coords * 1.5));
        let v = SVector::<f64, 13>::from_fn(|i, _| i as f64);
        let own = turned(&frames, &q, &v, To::Own);
        let expected = turn.inverse() * Vector3::new(10.0, 11.0, 12.0);
        assert!((own.fixed_rows::<3>(10) - expected).norm() < 1e-14);
        assert_eq!(own.fixed_rows::<10>(0), v.fixed_rows::<10>(0));
        assert!((turned(&frames, &q, &own, To::World) - v).norm() < 1e-14);
    }
}
