//! Events: zero crossings of functions of the state along the motion.
//!
//! After each step every function is sampled along the step's interpolant. A change of sign between two samples
//! brackets a crossing; if a function turns back towards zero between two samples, its extremum is located, so that a
//! pair of crossings in between is found too. Crossings are handled one by one in the order of time.
//!
//! Input: an [`Interpolant`] and the side of zero each function is on. Output: the earliest [`Found`]. Invariant: a
//! function's side is the one at the place up to which the motion has been searched, so that no crossing is found
//! twice and none is lost; a step that is abandoned restores the sides of its start.

mod departure;
mod search;

pub(crate) use search::{Bracket, Kind, Side};

use departure::{rounding, side_along_tangent};
use search::side_ahead;
pub(crate) use search::{Change, first_change};

use crate::integrator::{Interpolant, Slope};
use crate::real::{Real, lane_value};
use crate::state::State;
use crate::vector::Vector;

/// The direction of a zero crossing that counts as an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossing {
    /// From negative to positive.
    Rising,
    /// From positive to negative.
    Falling,
    /// Both.
    Either,
}

impl Crossing {
    fn is_met_from(self, side: Side) -> bool {
        match self {
            Self::Rising => side == Side::Negative,
            Self::Falling => side == Side::Positive,
            Self::Either => true,
        }
    }
}

/// What a simulation does after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// The run continues from the state that the handler leaves.
    Continue,
    /// The run ends there.
    Stop,
}

/// Why a run has returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// The end time is reached; for a single step, the step is done.
    Time,
    /// An event stopped the run: its index, in the order in which events were added.
    Event(usize),
}

/// The place where an event's function leaves its side within a step.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    pub(crate) index: usize,
    pub(crate) bracket: Bracket,
    pub(crate) kind: Kind,
    /// The side the function comes from.
    pub(crate) side: Side,
    /// True if the event is about this direction.
    pub(crate) wanted: bool,
    /// True if the function is zero because its own handler set it to zero, and nothing moves it away.
    pub(crate) rests: bool,
}

/// The events of a simulation: [`NoEvents`], or [`On`] added to others.
///
/// Indices count the events in the order in which they were added.
pub trait Events<Q: Vector, V> {
    /// Number of events.
    const COUNT: usize;

    /// Starts a step from the last good state.
    fn begin(&mut self);

    /// Makes the place up to which the step has been searched the last good state.
    fn keep(&mut self);

    /// The earliest change after the fraction `from` of a step.
    fn first(&mut self, motion: &Interpolant<Q, V>, from: f64) -> Option<Found>;

    /// The function of one event.
    fn value(&self, index: usize, state: &State<Q, V>) -> f64;

    /// True if the function of an event turns back at `state`, with the slope `slope`, to the side it comes from.
    fn turns_back(
        &self,
        found: &Found,
        motion: &Interpolant<Q, V>,
        state: &State<Q, V>,
        slope: &Slope<Q, V>,
    ) -> bool;

    /// Records that the function has changed its side.
    fn pass(&mut self, index: usize);

    /// Calls the handler of one event.
    fn handle(&mut self, index: usize, state: &mut State<Q, V>) -> Then;

    /// Records that the handler of the event `handled` has moved the state, in a step whose functions are of the size
    /// that `motion` shows.
    fn restart(
        &mut self,
        handled: usize,
        motion: &Interpolant<Q, V>,
        before: &State<Q, V>,
        after: &State<Q, V>,
    );
}

/// No events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoEvents;

impl<Q: Vector, V> Events<Q, V> for NoEvents {
    const COUNT: usize = 0;

    fn begin(&mut self) {}

    fn keep(&mut self) {}

    fn first(&mut self, _motion: &Interpolant<Q, V>, _from: f64) -> Option<Found> {
        None
    }

    fn value(&self, _index: usize, _state: &State<Q, V>) -> f64 {
        f64::NAN
    }

    fn turns_back(
        &self,
        _found: &Found,
        _motion: &Interpolant<Q, V>,
        _state: &State<Q, V>,
        _slope: &Slope<Q, V>,
    ) -> bool {
        false
    }

    fn pass(&mut self, _index: usize) {}

    fn handle(&mut self, _index: usize, _state: &mut State<Q, V>) -> Then {
        Then::Continue
    }

    fn restart(
        &mut self,
        _handled: usize,
        _motion: &Interpolant<Q, V>,
        _before: &State<Q, V>,
        _after: &State<Q, V>,
    ) {
    }
}

/// The events `E` and one more: the function `G` and its handler `H`.
#[derive(Clone, Copy, Debug)]
pub struct On<E, G, H> {
    before: E,
    crossing: Crossing,
    function: G,
    handler: H,
    /// Where the function is at the last good state,
    kept: Place,
    /// and at the place up to which the step has been searched.
    place: Place,
}

/// The position of a function relative to zero.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    /// On a side of zero, or at a zero that it reaches from there.
    On(Side),
    /// At zero: the side it moves to decides, otherwise the side it came from before its handler was called.
    Zero { from: Option<Side> },
    /// At zero, where its handler has put it, with no visible motion away from it.
    Resting { from: Side },
}

impl Place {
    fn of(value: f64, from: Option<Side>) -> Self {
        Side::of(value).map_or(Self::Zero { from }, Self::On)
    }

    /// The side the function is on, comes from, or came from.
    fn side(self) -> Option<Side> {
        match self {
            Self::On(side) | Self::Resting { from: side } => Some(side),
            Self::Zero { from } => from,
        }
    }
}

/// Jumps of a function, relative to its size in the step, that count as the rounding of zero.
const ROUNDING: f64 = 1e-9;

/// Values of a function, relative to its size in the step, that count as a jump across zero.
const JUMP: f64 = 0.25;

/// Fractions of a step within which nothing happens.
const AT_ONCE: f64 = 4.0 * f64::EPSILON;

impl<E, G, H> On<E, G, H> {
    pub(crate) fn new<T: Real, Q: Vector<Scalar = T>, V: Vector<Scalar = T>>(
        before: E,
        crossing: Crossing,
        function: G,
        handler: H,
        (start, zero): (&State<Q, V>, f64),
    ) -> Self
    where
        G: Fn(&State<Q, V>) -> T,
    {
        let value = lane_value(function(start), 0);
        let is_zero = value.abs() <= zero;
        let place = Place::of(if is_zero { 0.0 } else { value }, None);
        Self {
            before,
            crossing,
            function,
            handler,
            kept: place,
            place,
        }
    }
}

impl<T, Q, V, E, G, H> Events<Q, V> for On<E, G, H>
where
    T: Real,
    Q: Vector<Scalar = T>,
    V: Vector<Scalar = T>,
    E: Events<Q, V>,
    G: Fn(&State<Q, V>) -> T,
    H: FnMut(&mut State<Q, V>) -> Then,
{
    const COUNT: usize = E::COUNT + 1;

    fn begin(&mut self) {
        self.before.begin();
        self.place = self.kept;
    }

    fn keep(&mut self) {
        self.before.keep();
        self.kept = self.place;
    }

    fn first(&mut self, motion: &Interpolant<Q, V>, from: f64) -> Option<Found> {
        let earlier = self.before.first(motion, from);
        let found = self.find(motion, from).map(|(side, change)| Found {
            index: E::COUNT,
            bracket: change.bracket,
            kind: change.kind,
            side,
            wanted: self.crossing.is_met_from(side),
            rests: matches!(self.place, Place::Resting { .. }) && change.bracket.before <= AT_ONCE,
        });
        match (earlier, found) {
            (Some(earlier), Some(found)) if found.bracket.before < earlier.bracket.before => {
                Some(found)
            }
            (earlier, found) => earlier.or(found),
        }
    }

    fn value(&self, index: usize, state: &State<Q, V>) -> f64 {
        if index == E::COUNT {
            self.at(state)
        } else {
            self.before.value(index, state)
        }
    }

    fn turns_back(
        &self,
        found: &Found,
        motion: &Interpolant<Q, V>,
        state: &State<Q, V>,
        slope: &Slope<Q, V>,
    ) -> bool {
        if found.index != E::COUNT {
            return self.before.turns_back(found, motion, state, slope);
        }
        let function = |state: &State<Q, V>| self.at(state);
        // Not at a jump from one side to the other, as in an angle.
        self.at(state).abs() <= self.zero(JUMP, motion, state)
            && side_along_tangent(function, motion, state, slope, 1.0) == Some(found.side)
    }

    fn pass(&mut self, index: usize) {
        if index != E::COUNT {
            self.before.pass(index);
        } else if let Some(side) = self.place.side() {
            self.place = Place::On(side.opposite());
        }
    }

    fn handle(&mut self, index: usize, state: &mut State<Q, V>) -> Then {
        if index == E::COUNT {
            (self.handler)(state)
        } else {
            self.before.handle(index, state)
        }
    }

    fn restart(
        &mut self,
        handled: usize,
        motion: &Interpolant<Q, V>,
        before: &State<Q, V>,
        after: &State<Q, V>,
    ) {
        self.before.restart(handled, motion, before, after);
        let (was, is) = (self.at(before), self.at(after));
        let from = self.place.side();
        if (is - was).abs() > self.zero(ROUNDING, motion, before) {
            self.place = Place::of(is, from);
        } else if handled == E::COUNT {
            self.place = Place::Zero { from };
        }
        // Otherwise the side is kept: a crossing at this very time is still to come.
    }
}

impl<E, G, H> On<E, G, H> {
    fn at<T: Real, Q: Vector<Scalar = T>, V: Vector<Scalar = T>>(&self, state: &State<Q, V>) -> f64
    where
        G: Fn(&State<Q, V>) -> T,
    {
        lane_value((self.function)(state), 0)
    }

    /// The values that count as zero at a state of a step: the rounding there, or a `part` of the size in the step.
    fn zero<T: Real, Q: Vector<Scalar = T>, V: Vector<Scalar = T>>(
        &self,
        part: f64,
        motion: &Interpolant<Q, V>,
        state: &State<Q, V>,
    ) -> f64
    where
        G: Fn(&State<Q, V>) -> T,
    {
        let function = |state: &State<Q, V>| self.at(state);
        let ends = [0.0, 1.0].map(|theta| function(&motion.state_within(T::lit(theta))).abs());
        rounding(function, motion, state, state).max(part * (ends[0] + ends[1]))
    }

    /// The first change of the function after `from`, and the side it comes from.
    fn find<T: Real, Q: Vector<Scalar = T>, V: Vector<Scalar = T>>(
        &mut self,
        motion: &Interpolant<Q, V>,
        from: f64,
    ) -> Option<(Side, Change)>
    where
        G: Fn(&State<Q, V>) -> T,
    {
        if let Place::Zero { from: came } = self.place {
            self.place = self.departed(motion, from, came);
        }
        let along = |theta: f64| self.at(&motion.state_within(T::lit(theta)));
        match self.place.side() {
            Some(side) => first_change(along, from, side).map(|change| (side, change)),
            // Without a side, it is zero or NaN there.
            None => along(from)
                .is_nan()
                .then(|| (Side::Positive, Change::undefined(from))),
        }
    }

    /// The place of a function that is zero at the fraction `from` of a step and `came` there from a side.
    ///
    /// A bounce may be over long before a step is: so the tangent of the motion is used, not the motion itself.
    fn departed<T: Real, Q: Vector<Scalar = T>, V: Vector<Scalar = T>>(
        &self,
        motion: &Interpolant<Q, V>,
        from: f64,
        came: Option<Side>,
    ) -> Place
    where
        G: Fn(&State<Q, V>) -> T,
    {
        let function = |state: &State<Q, V>| self.at(state);
        let along = |theta: f64| function(&motion.state_within(T::lit(theta)));
        let tangent = |certainty: f64| {
            let (start, slope) = (motion.state_within(T::zero()), motion.first_slope());
            side_along_tangent(function, motion, &start, &slope, certainty).filter(|_| from == 0.0)
        };
        match came {
            // A handler that stops a falling body leaves a speed of rounding, on either side.
            Some(came) => {
                let certainty = lane_value(T::simd_default_epsilon().simd_sqrt(), 0).recip();
                if tangent(certainty) == Some(came.opposite()) {
                    Place::On(came.opposite())
                } else {
                    Place::Resting { from: came }
                }
            }
            None => tangent(1.0)
                .or_else(|| side_ahead(along, from))
                .map_or(self.place, Place::On),
        }
    }
}
