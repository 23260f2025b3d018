//! How bodies move in a step with contacts or stops, and when they meet them.
//!
//! ```text
//! x(t) = x₀ + t b + ½ t² a          a = (v − b)/h, v the velocities at the end of the step without impacts
//! gap(τ) = 0, s(τ) < 0              the impact: all of an island at its first one
//! x₁ = x(τ) + (h − τ) v₁ − ½ (h − τ)² a        v₁ = v + the change of velocities at the impact
//! ```
//!
//! What flies has b = v₀: constant forces move it exactly, before an impact and after it. What contacts, stops or joints hold has
//! b = v, the motion of Moreau and Jean, for which gap + h s ≥ 0 is the law of contact.

use alloc::vec::Vec;

use nalgebra::{SVector, SimdBool};

use super::World;
use super::body::Massive;
use super::family::Moving;
use super::graph::End;
use super::islands::Sets;
use super::row::Row;
use crate::real::Real;

/// Memory for the motion of all bodies in a step.
#[derive(Debug)]
pub(super) struct Flight<T, const D: usize> {
    /// v₀
    pub(super) start: Vec<SVector<T, D>>,
    /// b
    pub(super) base: Vec<SVector<T, D>>,
    /// The velocities at the end of the step without impacts.
    pub(super) smooth: Vec<SVector<T, D>>,
    /// τ of each body, the whole step if nothing strikes its island.
    pub(super) times: Vec<T>,
    /// x₁ − x₀
    pub(super) moved: Vec<SVector<T, D>>,
    /// Bodies that joints connect, by their first one.
    parts: Sets,
    /// Bodies that joints and contacts connect.
    pub(super) islands: Sets,
    traits: Vec<Traits>,
}

/// Data of a part, stored at its first body.
#[derive(Clone, Copy, Debug, Default)]
struct Traits {
    /// It has joints.
    is_jointed: bool,
    /// A contact, a stop or a bound pushes.
    is_held: bool,
    /// It may be struck.
    is_open: bool,
}

/// A gap that may close with restitution: that of a contact, or of a coordinate at its stop.
pub(super) struct Obstacle<'a, T: Real, const D: usize> {
    row: Row<'a, T, D>,
    /// 1 or −1: the sense in which the row opens the gap.
    sign: T,
    gap: T,
    is_open: T::SimdBool,
}

/// When a gap closes, and the rate with which it does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting<T> {
    /// Infinite if it never does.
    pub(super) time: T,
    pub(super) rate: T,
}

impl<T: Real> Meeting<T> {
    /// Of a gap with this rate and this acceleration.
    pub(super) fn new(gap: T, rate: T, acceleration: T) -> Self {
        let (zero, two) = (T::zero(), T::lit(2.0));
        let gap = gap.simd_max(zero);
        let square = rate * rate - two * acceleration * gap;
        let arrival = square.simd_max(zero).simd_sqrt();
        let approaches = rate.simd_lt(zero);
        let falls = acceleration.simd_lt(zero);
        // Both forms are free of cancellation.
        let soon = two * gap / (arrival - rate);
        let late = (arrival + rate) / -acceleration;
        let time = soon.select(approaches, late);
        let meets = square.simd_ge(zero) & (approaches | falls);
        Self {
            time: time.select(meets, T::lit(f64::INFINITY)),
            rate: (-arrival).select(meets, zero),
        }
    }

    /// Lanes in which what is returned with this restitution flies until the end of a step of size h.
    pub(super) fn outlasts(&self, restitution: T, acceleration: T, h: T) -> T::SimdBool {
        let flight = -(restitution * self.rate) * T::lit(2.0);
        flight.simd_gt(-acceleration * (h - self.time))
    }
}

impl<T: Real, const D: usize> Obstacle<'_, T, D> {
    /// When it closes on the way from the base with the velocities of the bodies at the end.
    fn meeting<B: Massive<T, D>>(
        &self,
        base: &[SVector<T, D>],
        bodies: &[Moving<T, B, D>],
        h: T,
    ) -> Meeting<T> {
        let rate = self.row.rate_of(base) * self.sign;
        let last = self.row.rate(bodies) * self.sign;
        let never = T::lit(f64::INFINITY);
        let meeting = Meeting::new(self.gap, rate, (last - rate) / h);
        let closes = self.is_open & meeting.time.simd_lt(h);
        Meeting {
            time: meeting.time.select(closes, never),
            ..meeting
        }
    }
}

impl<T: Real, const D: usize> Flight<T, D> {
    pub(super) fn new() -> Self {
        Self {
            start: Vec::new(),
            base: Vec::new(),
            smooth: Vec::new(),
            times: Vec::new(),
            moved: Vec::new(),
            parts: Sets::default(),
            islands: Sets::default(),
            traits: Vec::new(),
        }
    }

    /// The velocities of a body before the impact of its island.
    pub(super) fn velocity_before(&self, body: usize, h: T) -> SVector<T, D> {
        let (base, smooth) = (&self.base[body], &self.smooth[body]);
        base + (smooth - base) * (self.times[body] / h)
    }

    /// The gap of a row at the impact, its rate there and its acceleration; the sign is that in which the row opens the gap.
    pub(super) fn at_impact(&self, row: Row<'_, T, D>, sign: T, gap: T, h: T) -> [T; 3] {
        let time = self.time_of(row);
        let rate = row.rate_of(&self.base) * sign;
        let acceleration = (row.rate_of(&self.smooth) * sign - rate) / h;
        let half = T::lit(0.5);
        [
            gap + (rate + acceleration * time * half) * time,
            rate + acceleration * time,
            acceleration,
        ]
    }

    /// The least rates of a gap after the impact, with restitution and without: none if nothing strikes the island.
    pub(super) fn least_rates(
        &self,
        row: Row<'_, T, D>,
        sign: T,
        gap: T,
        is_open: T::SimdBool,
        restitution: T,
        h: T,
    ) -> [T; 2] {
        let [now, rate, acceleration] = self.at_impact(row, sign, gap, h);
        let (rest, half) = (self.rest_of(row, h), T::lit(0.5));
        // It does not close until the end of the step.
        let passes = (-now / rest - acceleration * rest * half).simd_min(T::zero());
        let first = row.rate_of(&self.base) * sign;
        let closes = is_open & Meeting::new(gap, first, acceleration).time.simd_lt(h);
        let rebounds = passes.simd_max(-(restitution * rate));
        let is_struck = self.time_of(row).simd_lt(h);
        let none = T::lit(-f64::INFINITY);
        [rebounds.select(closes, passes), passes].map(|least| least.select(is_struck, none))
    }

    /// The time left after the impact, of at least rounding.
    pub(super) fn rest_of(&self, row: Row<'_, T, D>, h: T) -> T {
        (h - self.time_of(row)).simd_max(h * T::simd_default_epsilon())
    }

    /// τ of the island of a row.
    pub(super) fn time_of(&self, row: Row<'_, T, D>) -> T {
        let times = row.bodies.iter().map(|&body| self.times[body]);
        times.reduce(T::simd_min).unwrap_or_else(T::zero)
    }

    /// Moves from the velocities at the end of the step.
    fn finish<B: Massive<T, D>>(&mut self, bodies: &[Moving<T, B, D>], h: T) {
        let half = T::lit(0.5);
        self.moved.clear();
        for (body, moving) in bodies.iter().enumerate() {
            let (base, time) = (&self.base[body], self.times[body]);
            let acceleration = (self.smooth[body] - base) / h;
            let rest = h - time;
            let before = base * time + acceleration * (time * time * half);
            let after = moving.velocity * rest - acceleration * (rest * rest * half);
            self.moved.push(before + after);
        }
    }
}

impl<T: Real, B: Massive<T, D>, const D: usize> World<T, B, D> {
    /// What may be met with restitution in this step.
    fn obstacles(&self) -> impl Iterator<Item = Obstacle<'_, T, D>> {
        let contacts = self.contacts.iter().map(|contact| Obstacle {
            row: contact.row(0),
            sign: T::one(),
            gap: contact.gap(),
            is_open: contact.is_open(),
        });
        let drives = self.drives.iter().flat_map(|drive| {
            let ends = [End::Low, End::High].into_iter();
            ends.filter(|&end| drive.is_open(end))
                .map(move |end| Obstacle {
                    row: drive.row(),
                    sign: end.inwards(),
                    gap: drive.distance(end),
                    is_open: T::zero().simd_eq(T::zero()),
                })
        });
        contacts.chain(drives)
    }

    /// Sorts the bodies by joints and contacts, and chooses b; the bodies have the velocities at the end without impacts.
    pub(super) fn prepare_flight(&self, flight: &mut Flight<T, D>, h: T) {
        let count = self.bodies.len();
        let movable = |body: usize| self.inertias[body].is_some();
        flight.parts.reset(count);
        flight.traits.clear();
        flight.traits.resize(count, Traits::default());
        for slot in &self.joints {
            let mut last = None;
            let bodies = self.families[slot.family].bodies(slot.index).iter();
            for &body in bodies.filter(|&&body| movable(body)) {
                flight.parts.join(last.unwrap_or(body), body);
                (last, flight.traits[body].is_jointed) = (Some(body), true);
            }
        }
        flight.islands.copy(&flight.parts);
        for contact in &self.contacts {
            let pushes = contact.impulse[0].simd_gt(T::zero()).any();
            let [a, b] = contact.bodies;
            for body in [a, b].into_iter().filter(|&body| movable(body)) {
                let part = flight.parts.first(body);
                flight.traits[part].is_held |= pushes;
                flight.traits[part].is_open |= contact.is_open().any();
            }
            if movable(a) && movable(b) {
                flight.islands.join(a, b);
            }
        }
        for drive in &self.drives {
            for &body in drive.bodies.iter().filter(|&&body| movable(body)) {
                let part = flight.parts.first(body);
                flight.traits[part].is_held |= drive.holds();
                flight.traits[part].is_open |= drive.is_open(End::Low) || drive.is_open(End::High);
            }
        }
        flight.base.clear();
        flight.smooth.clear();
        flight.times.clear();
        for (body, moving) in self.bodies.iter().enumerate() {
            let part = flight.parts.first(body);
            let of_part = flight.traits[part];
            let is_jointed = flight.traits[body].is_jointed;
            let flies = !of_part.is_held && (!is_jointed || of_part.is_open);
            let base = if flies {
                flight.start[body]
            } else {
                moving.velocity
            };
            flight.base.push(base);
            flight.smooth.push(moving.velocity);
            flight.times.push(h);
        }
    }

    /// Finds the first impact of each island; false if there is none.
    pub(super) fn find_impacts(&self, flight: &mut Flight<T, D>, h: T) -> bool {
        let mut any = false;
        for obstacle in self.obstacles() {
            let meeting = obstacle.meeting(&flight.base, &self.bodies, h);
            if !meeting.time.simd_lt(h).any() {
                continue;
            }
            any = true;
            for &body in obstacle.row.bodies {
                if self.inertias[body].is_some() {
                    let island = flight.islands.first(body);
                    flight.times[island] = flight.times[island].simd_min(meeting.time);
                }
            }
        }
        for body in 0..flight.times.len() {
            flight.times[body] = flight.times[flight.islands.first(body)];
        }
        any
    }

    /// Closes gaps whose impact is so slow that another would follow within the step; false if there are none.
    pub(super) fn close_short_flights(&mut self, start: &[SVector<T, D>], h: T) -> bool {
        let (bodies, mut any) = (&self.bodies, false);
        let short = |row: Row<'_, T, D>, sign: T, gap: T, e: T| {
            let rate = row.rate_of(start) * sign;
            let acceleration = (row.rate(bodies) * sign - rate) / h;
            let meeting = Meeting::new(gap, rate, acceleration);
            meeting.time.simd_lt(h) & !meeting.outlasts(e, acceleration, h)
        };
        for contact in &mut self.contacts {
            let is_short = short(
                contact.row(0),
                T::one(),
                contact.gap(),
                contact.restitution(),
            );
            let closes = contact.is_open() & is_short;
            if closes.any() {
                contact.close(closes);
                any = true;
            }
        }
        for drive in &mut self.drives {
            for end in [End::Low, End::High] {
                let e = drive.restitution();
                let closes = drive.is_open(end)
                    && short(drive.row(), end.inwards(), drive.distance(end), e).any();
                if closes {
                    drive.close(end);
                    any = true;
                }
            }
        }
        any
    }

    /// Moves all bodies by the flight so far.
    pub(super) fn fly(&mut self, h: T) {
        let flight = &mut self.rebound.flight;
        flight.finish(&self.bodies, h);
        for (body, moved) in self.bodies.iter_mut().zip(&flight.moved) {
            body.pose = body.pose.moved(moved, T::one()).renormalized();
        }
    }
}
