//! One bounded row of a world: a coordinate of a joint with limits and a motor, or a row of a constraint with bounds of λ.

use alloc::vec::Vec;

use nalgebra::{SVector, SimdBool};

use super::body::Massive;
use super::bounds::Bounds;
use super::family::Moving;
use super::graph::{End, Graph, Line, Piece, Rounding};
use super::row::Row;
use super::settling::Change;
use crate::impulse::Softness;
use crate::joint::{Aim, Limits, Motor};
use crate::real::{Real, is_finite};

/// The part of the excess over a limit that a step removes.
const PUSHED_BACK: f64 = 0.2;

/// The part of the range of limits that a step of second order takes back by a velocity, which adds energy; beyond it a
/// step displaces the bodies.
const NEAR_LIMIT: f64 = 1e-4;

/// Rounding units of a rate and of an impulse.
const ROUNDING_EPSILONS: f64 = 64.0;

/// One coordinate with limits, a motor or both, or one row with bounds.
#[derive(Clone)]
pub(super) struct Driving<T: Real, B: Massive<T, D>, const D: usize> {
    /// The number of its joint.
    pub(super) joint: u64,
    pub(super) bodies: Vec<usize>,
    pub(super) coordinate: Coordinate<B::Axis>,
    pub(super) limits: Option<Limits<T>>,
    pub(super) motor: Option<Motor<T>>,
    pub(super) bounds: Option<Bounds<T>>,
    pub(super) enabled: bool,
    /// Measured at the poses of a stage.
    pub(super) value: T,
    /// Its rate while nothing moves: ∂C/∂t.
    pub(super) drift: T,
    /// G
    pub(super) slopes: Vec<SVector<T, D>>,
    /// G W Gᵀ
    pub(super) mobility: T,
    pub(super) graph: Graph<T>,
    pub(super) piece: Piece,
    /// The piece to which it changes.
    pub(super) next: Piece,
    /// The rate at the start of the step.
    pub(super) before: T,
    /// Stops that let it pass for the moment, since it may be met there with restitution: the lower and the upper one.
    open: [bool; 2],
    /// The least rates away from both stops after an impact: those with which it leaves them after it has arrived there, or, within
    /// a step, those without restitution.
    leaving: [T; 2],
    /// Λ of this step.
    pub(super) impulse: T,
    /// Λ of the stages before, while it is met in turn with contacts instead of on a piece.
    in_turn: Option<T>,
    pub(super) kept: KeptDrive<T>,
}

/// Where its value comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Coordinate<A> {
    /// A coordinate that the joint leaves free.
    Axis(A),
    /// A row of the joint's constraint.
    Row(usize),
}

/// Λ of a drive in the last good step, and the piece on which it ended.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct KeptDrive<T> {
    pub(super) impulse: T,
    piece: Piece,
}

/// The impulses of a stage of a step.
#[derive(Clone, Copy)]
pub(super) struct Stage<T> {
    /// The time for which forces act.
    pub(super) forces: T,
    /// The time until the poses at which limits must hold.
    pub(super) ahead: T,
    pub(super) kind: StageKind,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum StageKind {
    /// The only stage of a step.
    Whole,
    /// The first of two: it leads to the limits.
    First,
    /// The second of two: it decides how what has arrived there leaves them.
    Second,
}

impl<T: Real> KeptDrive<T> {
    pub(super) fn none() -> Self {
        Self {
            impulse: T::zero(),
            piece: Piece::default(),
        }
    }
}

impl<T: Real, B: Massive<T, D>, const D: usize> Driving<T, B, D> {
    /// Of a joint that has no number yet.
    pub(super) fn new(coordinate: Coordinate<B::Axis>, bodies: &[usize]) -> Self {
        Self {
            joint: 0,
            bodies: bodies.to_vec(),
            coordinate,
            limits: None,
            motor: None,
            bounds: None,
            enabled: true,
            value: T::zero(),
            drift: T::zero(),
            slopes: bodies.iter().map(|_| SVector::zeros()).collect(),
            mobility: T::zero(),
            graph: Graph::free(),
            piece: Piece::default(),
            next: Piece::default(),
            before: T::zero(),
            open: [false; 2],
            leaving: [T::zero(); 2],
            impulse: T::zero(),
            in_turn: None,
            kept: KeptDrive::none(),
        }
    }

    pub(super) fn row(&self) -> Row<'_, T, D> {
        Row {
            bodies: &self.bodies,
            slopes: &self.slopes,
        }
    }

    /// Measures a coordinate of a joint at the bodies' poses: its value, and G.
    pub(super) fn measure(
        &self,
        axis: &B::Axis,
        bodies: &[Moving<T, B, D>],
    ) -> (T, [SVector<T, D>; 2]) {
        let poses = [0, 1].map(|k| &bodies[self.bodies[k]].pose);
        let (mut value, slopes) = B::measure(axis, poses);
        if B::is_angle(axis) {
            let middle = match (&self.limits, &self.motor) {
                (Some(Limits { low, high, .. }), _) => (*low + *high) * T::lit(0.5),
                (
                    None,
                    Some(Motor {
                        aim: Aim::Position { at, .. },
                        ..
                    }),
                ) => *at,
                _ => T::zero(),
            };
            let turn = T::lit(core::f64::consts::TAU);
            value -= turn * ((value - middle) / turn).simd_round();
        }
        (value, slopes)
    }

    /// Starts a step, after the row has been measured.
    pub(super) fn begin(&mut self, bodies: &[Moving<T, B, D>]) {
        (self.before, self.impulse) = (self.row().rate(bodies), T::zero());
        (self.piece, self.in_turn) = (self.kept.piece, None);
        let rounding = self.rounding(bodies).rate;
        self.leaving = [T::zero(); 2];
        self.open = [End::Low, End::High].map(|end| {
            // What rests at a stop is not met by it.
            let before = self.before * end.inwards();
            let rests = self.piece.stop == Some(end) && before.simd_ge(-rounding).all();
            let rebounds = self.restitution().simd_gt(T::zero()).any();
            rebounds && !rests && self.rigid_limits().is_some()
        });
    }

    /// True if this stop lets it pass, to be met with restitution.
    pub(super) fn is_open(&self, end: End) -> bool {
        self.open[end as usize]
    }

    /// Meets this stop without restitution.
    pub(super) fn close(&mut self, end: End) {
        self.open[end as usize] = false;
    }

    /// Arrives at this stop in the first stage of a step, and leaves it with this rate in the second.
    pub(super) fn arrive(&mut self, end: End, leaving: T) {
        self.close(end);
        self.leaving[end as usize] = leaving;
    }

    pub(super) fn restitution(&self) -> T {
        self.limits.map_or_else(T::zero, |it| it.restitution)
    }

    /// The measured distance from a stop, infinite if there is none.
    pub(super) fn distance(&self, end: End) -> T {
        let Some(Limits { low, high, .. }) = self.limits else {
            return T::lit(f64::INFINITY);
        };
        match end {
            End::Low => self.value - low,
            End::High => high - self.value,
        }
    }

    /// True if a stop or a bound pushes in this stage.
    pub(super) fn holds(&self) -> bool {
        let zero = T::zero();
        let [least, most] = match &self.bounds {
            Some(_) => [zero; 2],
            None => self.graph.bounds,
        };
        (self.impulse.simd_lt(least) | self.impulse.simd_gt(most)).any()
    }

    /// Prepares the graph of a stage where the row has been measured.
    pub(super) fn aim(&mut self, stage: Stage<T>) {
        self.graph = Graph::free();
        if self.enabled {
            self.aim_motor(stage);
            self.aim_limits(stage);
            self.aim_bounds(stage);
        }
        if stage.kind != StageKind::Second && self.rests_at_aim() {
            self.piece = Piece::aim();
        }
        // Limits may have been removed since the last step.
        if !self.graph.has(self.piece) {
            self.piece = self.graph.start();
        }
    }

    /// True if a motor or brake has been at its aim: it shares the load with others from there, and not from one of its bounds.
    fn rests_at_aim(&self) -> bool {
        let [least, most] = self.graph.bounds;
        let reach = self.mobility * (most - least) * T::simd_default_epsilon().simd_sqrt();
        let is_near = (self.graph.aim.rate - self.before)
            .simd_abs()
            .simd_le(reach);
        let has_motor = least.simd_lt(most) & is_finite(reach);
        self.piece.stop.is_none() && self.graph.aim.is_rigid() && (is_near & has_motor).all()
    }

    fn aim_motor(&mut self, stage: Stage<T>) {
        let Some(motor) = &self.motor else { return };
        let most = motor.most.unwrap_or_else(T::zero) * stage.forces;
        self.graph.bounds = [-most, most];
        self.graph.aim = match motor.aim {
            Aim::Speed(speed) => Line::rigid(speed),
            Aim::Position {
                at,
                stiffness,
                damping,
            } => {
                let sum = stiffness * stage.ahead + damping;
                Line {
                    rate: stiffness * (at - self.value) / sum,
                    slope: T::one() / (sum * stage.forces),
                }
            }
        };
    }

    fn aim_limits(&mut self, stage: Stage<T>) {
        if self.limits.is_some() {
            let [low, high] = [End::Low, End::High].map(|end| self.stop(end, stage));
            self.hold_between(low, high);
        }
    }

    /// Sets the lines of both stops, whose rates are positive inwards.
    fn hold_between(&mut self, low: Line<T>, high: Line<T>) {
        self.graph.low = low;
        self.graph.high = Line {
            rate: -high.rate,
            ..high
        };
    }

    /// A stop, whose rate is positive inwards.
    fn stop(&self, end: End, stage: Stage<T>) -> Line<T> {
        let (distance, zero) = (self.distance(end), T::zero());
        let limits = self.limits.as_ref();
        if let Some(softness) = limits.and_then(|it| it.softness.as_ref()) {
            let is_open = distance.simd_gt(zero);
            return soft(softness, distance, is_open, stage.ahead);
        }
        let back = match stage.kind {
            StageKind::First => T::lit(PUSHED_BACK),
            _ => zero,
        };
        // Beyond the stop it comes back by a part, or not at all.
        let arrives = -distance.simd_max(distance * back) / stage.ahead;
        let has_arrived = self.piece.stop == Some(end);
        Line::rigid(match stage.kind {
            _ if self.is_open(end) => -T::lit(f64::INFINITY),
            StageKind::Second if has_arrived => self.leaving[end as usize],
            StageKind::Second => -T::lit(f64::INFINITY),
            StageKind::Whole | StageKind::First => arrives,
        })
    }

    /// Prepares the graph of an impact: the least rates away from both stops, with restitution and without, and, for a bounded
    /// row, C there and the time left.
    pub(super) fn aim_impact(&mut self, [low, high]: [[T; 2]; 2], c: T, rest: T) {
        self.graph = Graph::free();
        if !self.enabled {
            return;
        }
        if self.rigid_limits().is_some() {
            self.hold_between(Line::rigid(low[0]), Line::rigid(high[0]));
            self.leaving = [low[1], high[1]];
        }
        if self.bounds.is_some_and(|it| it.softness.is_none()) {
            self.value = c;
            self.aim_bounds(Stage {
                forces: T::zero(),
                ahead: rest,
                kind: StageKind::Whole,
            });
        }
        self.piece = self.graph.start();
    }

    /// Takes the restitution from the graph of an impact.
    pub(super) fn lessen(&mut self) {
        if self.enabled && self.rigid_limits().is_some() {
            let [low, high] = self.leaving.map(Line::rigid);
            self.hold_between(low, high);
        }
        self.piece = self.graph.start();
    }

    /// The row of a constraint as a motor that closes C within the bounds.
    fn aim_bounds(&mut self, stage: Stage<T>) {
        let Some(bounds) = &self.bounds else { return };
        let (c, zero, h) = (self.value, T::zero(), stage.ahead);
        let line = match &bounds.softness {
            Some(softness) => {
                let opens_up = c.simd_gt(zero) & bounds.least.simd_ge(zero);
                let opens_down = c.simd_lt(zero) & bounds.most.simd_le(zero);
                soft(softness, c, opens_up | opens_down, h)
            }
            // Where nothing bounds the force, bodies are displaced instead, without a velocity.
            None => Line::rigid((-c / h).select(self.beyond_bounds(c).simd_eq(zero), zero)),
        };
        self.graph.bounds = [bounds.least, bounds.most].map(|bound| {
            // Forces of any size make an impulse in no time.
            let is_finite = bound.simd_abs().simd_lt(T::lit(f64::INFINITY));
            (bound * stage.forces).select(is_finite, bound)
        });
        self.graph.aim = Line {
            rate: line.rate - self.drift,
            ..line
        };
    }

    /// How far C lies on the side from which a force without a bound pushes it back.
    fn beyond_bounds(&self, c: T) -> T {
        let zero = T::zero();
        let Some(bounds) = self.bounds.filter(|it| it.softness.is_none()) else {
            return zero;
        };
        let infinite = T::lit(f64::INFINITY);
        let up = c.simd_min(zero).select(bounds.most.simd_eq(infinite), zero);
        let down = c
            .simd_max(zero)
            .select(bounds.least.simd_eq(-infinite), zero);
        -up - down
    }

    /// The limits that nothing passes.
    fn rigid_limits(&self) -> Option<&Limits<T>> {
        let limits = self.limits.as_ref().filter(|_| self.enabled);
        limits.filter(|it| it.softness.is_none())
    }

    /// How far the measured value lies below its limits or bounds, or, negative, above them.
    pub(super) fn beyond(&self) -> T {
        let zero = T::zero();
        match self.rigid_limits() {
            _ if !self.enabled => zero,
            None => self.beyond_bounds(self.value),
            Some(Limits { low, high, .. }) => {
                (*low - self.value).simd_max(zero) + (*high - self.value).simd_min(zero)
            }
        }
    }

    /// True if the measured value lies so far beyond its limits that bodies must be displaced.
    pub(super) fn is_far_beyond(&self) -> bool {
        self.rigid_limits().is_some_and(|limits| {
            let most = (limits.high - limits.low) * T::lit(NEAR_LIMIT);
            self.beyond().simd_abs().simd_gt(most).any()
        })
    }

    /// The part of the range of its limits by which the measured value lies outside.
    pub(super) fn outside(&self) -> Option<(T, &Limits<T>)> {
        let limits = self.rigid_limits()?;
        Some((
            self.beyond().simd_abs() / (limits.high - limits.low),
            limits,
        ))
    }

    /// True if the measured value lies at one of its limits or beyond.
    pub(super) fn is_at_stop(&self) -> bool {
        self.rigid_limits().is_some_and(|limits| {
            let near = (limits.high - limits.low) * T::lit(NEAR_LIMIT);
            let inside = (self.value - limits.low).simd_min(limits.high - self.value);
            inside.simd_le(near).any()
        })
    }

    /// Moves the bodies a part of the distance back inside; false if the measured value lies there.
    pub(super) fn push_back(&self, bodies: &mut [Moving<T, B, D>]) -> bool {
        let beyond = self.beyond();
        if beyond.simd_eq(T::zero()).all() {
            return false;
        }
        let by = beyond * T::lit(PUSHED_BACK) / self.mobility;
        self.row().displace(by, bodies);
        true
    }

    /// True if only a step of first order serves it.
    pub(super) fn is_of_first_order(&self) -> bool {
        let is_soft = self.limits.is_some_and(|it| it.softness.is_some());
        is_soft || self.bounds.is_some()
    }

    /// Lets the coordinate move freely in this stage.
    pub(super) fn release(&mut self) {
        self.graph = Graph::free();
        self.piece = self.graph.start();
    }

    /// True if it can give no energy: limits without springs, and motors that aim for rest.
    pub(super) fn is_passive(&self) -> bool {
        let rests = |motor: &Motor<T>| match motor.aim {
            Aim::Speed(speed) => speed.simd_eq(T::zero()).all(),
            Aim::Position { .. } => false,
        };
        !self.is_of_first_order() && self.motor.as_ref().is_none_or(rests)
    }

    /// Rounding of the rate and of Λ.
    pub(super) fn rounding(&self, bodies: &[Moving<T, B, D>]) -> Rounding<T> {
        let size = self.row().size(bodies);
        let rate = size * T::simd_default_epsilon() * T::lit(ROUNDING_EPSILONS);
        Rounding {
            rate,
            impulse: rate / self.mobility,
        }
    }

    /// Meets the graph alone.
    pub(super) fn obey(&mut self, bodies: &mut [Moving<T, B, D>]) -> Change<T> {
        let rate = self.row().rate(bodies);
        let impulse = self
            .graph
            .solve(rate - self.mobility * self.impulse, self.mobility);
        let by = impulse - self.impulse;
        self.row().push(by, bodies);
        self.impulse = impulse;
        Change {
            rate: self.mobility * by.simd_abs(),
            size: rate.simd_abs() + self.mobility * impulse.simd_abs(),
        }
    }

    /// The line of its piece; `None` if Λ is constant on it, or if it is met in turn.
    pub(super) fn held(&self) -> Option<Line<T>> {
        match self.in_turn {
            Some(_) => None,
            None => self.graph.held(self.piece),
        }
    }

    /// Leaves its piece, to be met in turn from no impulse.
    pub(super) fn take_turns(&mut self) {
        self.in_turn = Some(core::mem::replace(&mut self.impulse, T::zero()));
    }

    /// Adds Λ of a stage, with `multiplier` on a held piece.
    pub(super) fn add(&mut self, multiplier: T) {
        self.impulse += match self.in_turn.take() {
            Some(earlier) => {
                self.piece = self.graph.piece_with(self.impulse);
                earlier
            }
            None => self.graph.constant(self.piece) + multiplier,
        };
    }

    /// Starts from Λ of the last step.
    pub(super) fn warm_start(&mut self, bodies: &mut [Moving<T, B, D>], warm: bool) {
        self.impulse = if warm { self.kept.impulse } else { T::zero() };
        self.row().push(self.impulse, bodies);
    }

    pub(super) fn commit(&mut self) {
        self.kept = KeptDrive {
            impulse: self.impulse,
            piece: self.piece,
        };
    }
}

/// The line of a spring and a damper at C; an open one is reached by its spring alone.
fn soft<T: Real>(softness: &Softness<T>, c: T, is_open: T::SimdBool, h: T) -> Line<T> {
    let [(open, open_slope), (closed, closed_slope)] =
        [softness.undamped(), *softness].map(|it| it.over(h));
    Line {
        rate: -c * open.select(is_open, closed),
        slope: open_slope.select(is_open, closed_slope),
    }
}
