//! The relation of a rate and its impulse: stops and a motor, as one monotone graph.
//!
//! ```text
//!       Λ
//!       │ low
//!  most ├──────┐ aim
//!       │      │            s = ẋ increases to the right; between the held pieces Λ is constant
//!  ─────┼──────┼───────┬── s
//!       │      └───────┤
//!           least      │ high
//! ```
//!
//! A held piece is the line s = rate − slope Λ: vertical if it is rigid. A soft stop adds its Λ to that of the motor.

use nalgebra::SimdBool;

use crate::real::{Real, is_finite};

/// The graph of one coordinate in one stage of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Graph<T> {
    /// Pushes from this rate downwards, with Λ ≥ 0.
    pub(super) low: Line<T>,
    /// Pushes from this rate upwards, with Λ ≤ 0.
    pub(super) high: Line<T>,
    /// The motor, as long as its Λ lies within the bounds.
    pub(super) aim: Line<T>,
    /// The least and the most Λ of the motor.
    pub(super) bounds: [T; 2],
}

/// s = rate − slope Λ
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<T> {
    pub(super) rate: T,
    pub(super) slope: T,
}

/// A piece of the graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Piece {
    pub(super) stop: Option<End>,
    motor: Part,
}

/// One of both stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum End {
    Low,
    High,
}

/// A piece of the motor's own graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
enum Part {
    /// s = aim − slope Λ
    Aim,
    /// Λ is the most, zero without a motor.
    #[default]
    Most,
    /// Λ is the least.
    Least,
}

/// Rounding of a rate and of an impulse.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rounding<T> {
    pub(super) rate: T,
    pub(super) impulse: T,
}

impl End {
    /// The sign of the rate that leads away from it.
    pub(super) fn inwards<T: Real>(self) -> T {
        match self {
            Self::Low => T::one(),
            Self::High => -T::one(),
        }
    }
}

impl Piece {
    /// That of the motor's aim, between the stops.
    pub(super) fn aim() -> Self {
        let motor = Part::Aim;
        Self { stop: None, motor }
    }
}

impl<T: Real> Line<T> {
    pub(super) fn rigid(rate: T) -> Self {
        let slope = T::zero();
        Self { rate, slope }
    }

    pub(super) fn is_rigid(&self) -> bool {
        self.slope.simd_eq(T::zero()).all()
    }

    /// The sum of the Λ of two lines, of which the other one may be rigid.
    fn with(&self, other: Self) -> Self {
        let sum = self.slope + other.slope;
        Self {
            rate: (self.rate * other.slope + other.rate * self.slope) / sum,
            slope: self.slope * other.slope / sum,
        }
    }
}

impl<T: Real> Graph<T> {
    /// Without stops and motor.
    pub(super) fn free() -> Self {
        let (zero, infinite) = (T::zero(), T::lit(f64::INFINITY));
        Self {
            low: Line::rigid(-infinite),
            high: Line::rigid(infinite),
            aim: Line::rigid(zero),
            bounds: [zero; 2],
        }
    }

    fn stop(&self, end: End) -> &Line<T> {
        match end {
            End::Low => &self.low,
            End::High => &self.high,
        }
    }

    /// A piece from which a search may start.
    pub(super) fn start(&self) -> Piece {
        let all = [Part::Most, Part::Least].map(|motor| Piece { stop: None, motor });
        let there = all.into_iter().find(|it| self.has(*it));
        there.unwrap_or(Piece::aim())
    }

    /// The line of a held piece; `None` if Λ is constant on it.
    pub(super) fn held(&self, piece: Piece) -> Option<Line<T>> {
        let Some(end) = piece.stop else {
            return (piece.motor == Part::Aim).then_some(self.aim);
        };
        let stop = self.stop(end);
        Some(match piece.motor {
            _ if stop.is_rigid() => *stop,
            Part::Aim => stop.with(self.aim),
            part => Line {
                rate: stop.rate + stop.slope * self.bound(part),
                slope: stop.slope,
            },
        })
    }

    /// True if the graph has this piece.
    pub(super) fn has(&self, piece: Piece) -> bool {
        let place = self.held(piece).map(|line| line.rate);
        is_finite(place.unwrap_or_else(|| self.constant(piece))).all()
    }

    /// Λ of a piece on which it is constant.
    pub(super) fn constant(&self, piece: Piece) -> T {
        match piece.stop {
            None => self.bound(piece.motor),
            Some(_) => T::zero(),
        }
    }

    fn bound(&self, part: Part) -> T {
        match part {
            Part::Least => self.bounds[0],
            Part::Most => self.bounds[1],
            Part::Aim => T::zero(),
        }
    }

    fn has_motor(&self) -> bool {
        self.bounds[0].simd_lt(self.bounds[1]).all()
    }

    /// The piece that follows from s and Λ, found on a piece: the same if they lie on it.
    pub(super) fn next(&self, piece: Piece, s: T, impulse: T, rounding: Rounding<T>) -> Piece {
        let to = |stop| Piece { stop, ..piece };
        let less = |a: T, b: T, by: T| (a + by).simd_lt(b).all();
        let Some(end) = piece.stop else {
            return if less(s, self.low.rate, rounding.rate) {
                to(Some(End::Low))
            } else if less(self.high.rate, s, rounding.rate) {
                to(Some(End::High))
            } else {
                self.next_part(piece, s, impulse, rounding)
            };
        };
        let stop = self.stop(end);
        if stop.is_rigid() {
            let is_below = match end {
                End::Low => stop.rate.simd_lt(self.aim.rate),
                End::High => stop.rate.simd_le(self.aim.rate),
            };
            let motor = self.motor(stop.rate, is_below.all());
            let leaves = match end {
                End::Low => less(impulse, motor, rounding.impulse),
                End::High => less(motor, impulse, rounding.impulse),
            };
            return if leaves {
                self.motor_piece(motor)
            } else {
                piece
            };
        }
        let leaves = match end {
            End::Low => less(stop.rate, s, rounding.rate),
            End::High => less(s, stop.rate, rounding.rate),
        };
        if leaves {
            to(None)
        } else {
            let push = (stop.rate - s) / stop.slope;
            self.next_part(piece, s, impulse - push, rounding)
        }
    }

    /// The same for the motor alone.
    fn next_part(&self, piece: Piece, s: T, impulse: T, rounding: Rounding<T>) -> Piece {
        let [least, most] = self.bounds;
        let to = |motor| Piece { motor, ..piece };
        let less = |a: T, b: T, by: T| (a + by).simd_lt(b).all();
        let end = |bound: T| self.aim.rate - self.aim.slope * bound;
        match piece.motor {
            Part::Aim if less(most, impulse, rounding.impulse) => to(Part::Most),
            Part::Aim if less(impulse, least, rounding.impulse) => to(Part::Least),
            _ if !self.has_motor() => piece,
            Part::Most if less(end(most), s, rounding.rate) => to(Part::Aim),
            Part::Least if less(s, end(least), rounding.rate) => to(Part::Aim),
            _ => piece,
        }
    }

    /// Λ of the motor at a rate, which is below its aim or not.
    fn motor(&self, s: T, is_below: bool) -> T {
        let [least, most] = self.bounds;
        if !self.aim.is_rigid() {
            let pull = (self.aim.rate - s) / self.aim.slope;
            pull.simd_max(least).simd_min(most)
        } else if is_below {
            most
        } else {
            least
        }
    }

    /// The piece with this Λ.
    pub(super) fn piece_with(&self, impulse: T) -> Piece {
        let [least, most] = self.bounds;
        let stop = if impulse.simd_gt(most).all() {
            Some(End::Low)
        } else if impulse.simd_lt(least).all() {
            Some(End::High)
        } else {
            None
        };
        Piece {
            stop,
            ..self.motor_piece(impulse)
        }
    }

    /// The piece of the motor with this Λ.
    fn motor_piece(&self, impulse: T) -> Piece {
        let motor = if impulse.simd_ge(self.bounds[1]).all() {
            Part::Most
        } else if impulse.simd_le(self.bounds[0]).all() {
            Part::Least
        } else {
            Part::Aim
        };
        Piece { stop: None, motor }
    }

    /// Λ where s = `free` + `mobility` Λ meets the graph.
    pub(super) fn solve(&self, free: T, mobility: T) -> T {
        let motor = self.meet(free, mobility);
        let s = free + mobility * motor;
        let low = self.meet_stop(&self.low, free, mobility);
        let high = self.meet_stop(&self.high, free, mobility);
        let impulse = low.select(s.simd_lt(self.low.rate), motor);
        high.select(s.simd_gt(self.high.rate), impulse)
    }

    /// Λ where the line meets the motor.
    fn meet(&self, free: T, mobility: T) -> T {
        let impulse = (self.aim.rate - free) / (mobility + self.aim.slope);
        impulse.simd_max(self.bounds[0]).simd_min(self.bounds[1])
    }

    /// Λ where the line meets a stop and the motor, whose Λ are added.
    fn meet_stop(&self, stop: &Line<T>, free: T, mobility: T) -> T {
        // Λ of the stop makes the line flatter for the motor.
        let flatter = stop.with(Line {
            rate: free,
            slope: mobility,
        });
        let motor = self.meet(flatter.rate, flatter.slope);
        let s = flatter.rate + flatter.slope * motor;
        let is_rigid = stop.slope.simd_eq(T::zero());
        (stop.rate.select(is_rigid, s) - free) / mobility
    }
}
