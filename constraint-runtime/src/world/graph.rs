//! The relation of a rate and its impulse: limits and a motor, as one monotone graph.
//!
//! ```text
//!      Λ
//!      │ low
//!  bound ├──────┐ aim
//!      │      │            s = ẋ increases to the right; between the vertical pieces Λ is constant
//! ─────┼──────┼───────┬── s
//!      │      └───────┤
//!             −bound  │ high
//! ```

use nalgebra::SimdBool;

use crate::real::{Real, is_finite};

/// The graph of one coordinate in one stage of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Graph<T> {
    /// The least and the largest rate, at which limits push.
    pub(super) low: T,
    pub(super) high: T,
    /// s = aim − slope Λ, the motor as long as |Λ| ≤ bound.
    pub(super) aim: T,
    pub(super) slope: T,
    pub(super) bound: T,
}

/// A piece of the graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Piece {
    /// s = low
    Low,
    /// s = high
    High,
    /// s = aim − slope Λ
    Aim,
    /// Λ = bound, zero without a motor.
    #[default]
    Up,
    /// Λ = −bound
    Down,
}

/// Rounding of a rate and of an impulse.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rounding<T> {
    pub(super) rate: T,
    pub(super) impulse: T,
}

impl<T: Real> Graph<T> {
    /// Without limits and motor.
    pub(super) fn free() -> Self {
        let (zero, infinite) = (T::zero(), T::lit(f64::INFINITY));
        Self {
            low: -infinite,
            high: infinite,
            aim: zero,
            slope: zero,
            bound: zero,
        }
    }

    /// The rate and the slope of a vertical piece; `None` if Λ is constant on it.
    pub(super) fn held(&self, piece: Piece) -> Option<(T, T)> {
        match piece {
            Piece::Low => Some((self.low, T::zero())),
            Piece::High => Some((self.high, T::zero())),
            Piece::Aim => Some((self.aim, self.slope)),
            Piece::Up | Piece::Down => None,
        }
    }

    /// True if the graph has this piece.
    pub(super) fn has(&self, piece: Piece) -> bool {
        self.held(piece)
            .is_none_or(|(rate, _)| is_finite(rate).all())
    }

    /// Λ of a horizontal piece.
    pub(super) fn constant(&self, piece: Piece) -> T {
        match piece {
            Piece::Up => self.bound,
            Piece::Down => -self.bound,
            _ => T::zero(),
        }
    }

    fn has_motor(&self) -> bool {
        self.bound.simd_gt(T::zero()).all()
    }

    /// The piece that follows from s and Λ, found on a piece: the same if they lie on it.
    pub(super) fn next(&self, piece: Piece, s: T, impulse: T, rounding: Rounding<T>) -> Piece {
        let less = |a: T, b: T, by: T| (a + by).simd_lt(b).all();
        let Rounding { rate, impulse: by } = rounding;
        match piece {
            Piece::Low => {
                let motor = self.motor(self.low, self.low.simd_lt(self.aim).all());
                if less(impulse, motor, by) {
                    self.motor_piece(motor)
                } else {
                    piece
                }
            }
            Piece::High => {
                let motor = self.motor(self.high, self.high.simd_le(self.aim).all());
                if less(motor, impulse, by) {
                    self.motor_piece(motor)
                } else {
                    piece
                }
            }
            _ if less(s, self.low, rate) => Piece::Low,
            _ if less(self.high, s, rate) => Piece::High,
            Piece::Aim if less(self.bound, impulse, by) => Piece::Up,
            Piece::Aim if less(impulse, -self.bound, by) => Piece::Down,
            Piece::Aim => piece,
            _ if !self.has_motor() => piece,
            Piece::Up if less(self.aim - self.slope * self.bound, s, rate) => Piece::Aim,
            Piece::Down if less(s, self.aim + self.slope * self.bound, rate) => Piece::Aim,
            _ => piece,
        }
    }

    /// Λ of the motor at a rate, which is below its aim or not.
    fn motor(&self, s: T, is_below: bool) -> T {
        if self.slope.simd_gt(T::zero()).all() {
            let pull = (self.aim - s) / self.slope;
            pull.simd_max(-self.bound).simd_min(self.bound)
        } else if is_below {
            self.bound
        } else {
            -self.bound
        }
    }

    /// The piece of the motor with this Λ.
    fn motor_piece(&self, impulse: T) -> Piece {
        if impulse.simd_ge(self.bound).all() {
            Piece::Up
        } else if impulse.simd_le(-self.bound).all() {
            Piece::Down
        } else {
            Piece::Aim
        }
    }

    /// Λ where s = `free` + `mobility` Λ meets the graph.
    pub(super) fn solve(&self, free: T, mobility: T) -> T {
        let motor = (self.aim - free) / (mobility + self.slope);
        let motor = motor.simd_max(-self.bound).simd_min(self.bound);
        let s = free + mobility * motor;
        let low = ((self.low - free) / mobility).select(s.simd_lt(self.low), motor);
        ((self.high - free) / mobility).select(s.simd_gt(self.high), low)
    }
}
