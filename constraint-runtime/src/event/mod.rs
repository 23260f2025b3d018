//! Events: where a function of the state changes its sign along the motion.
//!
//! After each step every function is sampled along the step's interpolant. A change of sign
//! between two samples brackets a crossing; where a function turns round towards zero between
//! two samples, its extremum is looked up, so that a pair of crossings in between is found too.
//! Crossings are met one by one in the order of time.
//!
//! Input: an [`Interpolant`] and the side of zero each function is on. Output: the earliest
//! [`Found`]. Invariant: a function's side is that at the place up to which the motion has been
//! searched, so that no crossing is met twice and none is lost.

mod search;

pub(crate) use search::{Bracket, Side};

use search::{first_crossing, side_ahead};

use crate::integrator::Interpolant;
use crate::real::{Real, lane_value};
use crate::state::State;

/// In which direction a function of the state crosses zero for its event to happen.
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
    /// It runs on, from the state as the handler leaves it.
    Continue,
    /// The run ends there.
    Stop,
}

/// Why a run has come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// The time asked for has come; of a single step, that it is done.
    Time,
    /// An event stopped the run: its index, in the order in which events were added.
    Event(usize),
}

/// A change of sign of one event's function within a step.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    pub(crate) index: usize,
    pub(crate) bracket: Bracket,
    /// The side the function comes from.
    pub(crate) side: Side,
    /// Whether the event is about this direction.
    pub(crate) wanted: bool,
}

/// The events of a simulation: [`NoEvents`], or [`On`] added to others.
///
/// Indices count the events in the order in which they were added.
pub trait Events<T, const Q: usize, const V: usize> {
    /// Number of events.
    const COUNT: usize;

    /// The earliest change of sign after the fraction `from` of a step.
    fn first(&mut self, motion: &Interpolant<T, Q, V>, from: f64) -> Option<Found>;

    /// The function of one event.
    fn value(&self, index: usize, state: &State<T, Q, V>) -> f64;

    /// Notes that the function has changed its side.
    fn pass(&mut self, index: usize);

    /// Calls the handler of one event.
    fn handle(&mut self, index: usize, state: &mut State<T, Q, V>) -> Then;

    /// Notes that the handler of the event `handled` has moved the state, in a step whose
    /// functions are of the size that `motion` shows.
    fn restart(
        &mut self,
        handled: usize,
        motion: &Interpolant<T, Q, V>,
        before: &State<T, Q, V>,
        after: &State<T, Q, V>,
    );
}

/// No events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoEvents;

impl<T, const Q: usize, const V: usize> Events<T, Q, V> for NoEvents {
    const COUNT: usize = 0;

    fn first(&mut self, _motion: &Interpolant<T, Q, V>, _from: f64) -> Option<Found> {
        None
    }

    fn value(&self, _index: usize, _state: &State<T, Q, V>) -> f64 {
        f64::NAN
    }

    fn pass(&mut self, _index: usize) {}

    fn handle(&mut self, _index: usize, _state: &mut State<T, Q, V>) -> Then {
        Then::Continue
    }

    fn restart(
        &mut self,
        _handled: usize,
        _motion: &Interpolant<T, Q, V>,
        _before: &State<T, Q, V>,
        _after: &State<T, Q, V>,
    ) {
    }
}

/// One event more than the events `E`: the function `G` and its handler `H`.
#[derive(Clone, Copy, Debug)]
pub struct On<E, G, H> {
    before: E,
    crossing: Crossing,
    function: G,
    handler: H,
    /// Unknown where the function starts from zero: then where it goes decides.
    side: Option<Side>,
}

/// Jumps of a function, over its size in the step, that are taken for the rounding of zero.
const ROUNDING: f64 = 1e-9;

impl<E, G, H> On<E, G, H> {
    pub(crate) fn new<T: Real, const Q: usize, const V: usize>(
        before: E,
        crossing: Crossing,
        function: G,
        handler: H,
        start: &State<T, Q, V>,
    ) -> Self
    where
        G: Fn(&State<T, Q, V>) -> T,
    {
        let side = Side::of(lane_value(function(start), 0));
        Self {
            before,
            crossing,
            function,
            handler,
            side,
        }
    }
}

impl<T, E, G, H, const Q: usize, const V: usize> Events<T, Q, V> for On<E, G, H>
where
    T: Real,
    E: Events<T, Q, V>,
    G: Fn(&State<T, Q, V>) -> T,
    H: FnMut(&mut State<T, Q, V>) -> Then,
{
    const COUNT: usize = E::COUNT + 1;

    fn first(&mut self, motion: &Interpolant<T, Q, V>, from: f64) -> Option<Found> {
        let earlier = self.before.first(motion, from);
        let along = |theta: f64| self.at(&motion.state_within(T::lit(theta)));
        let side = self.side.or_else(|| side_ahead(along, from));
        let bracket = side.and_then(|side| first_crossing(along, from, side));
        let found = bracket.zip(side).map(|(bracket, side)| Found {
            index: E::COUNT,
            bracket,
            side,
            wanted: self.crossing.is_met_from(side),
        });
        self.side = side;
        match (earlier, found) {
            (Some(earlier), Some(found)) if found.bracket.before < earlier.bracket.before => {
                Some(found)
            }
            (earlier, found) => earlier.or(found),
        }
    }

    fn value(&self, index: usize, state: &State<T, Q, V>) -> f64 {
        if index == E::COUNT {
            self.at(state)
        } else {
            self.before.value(index, state)
        }
    }

    fn pass(&mut self, index: usize) {
        if index == E::COUNT {
            self.side = self.side.map(Side::opposite);
        } else {
            self.before.pass(index);
        }
    }

    fn handle(&mut self, index: usize, state: &mut State<T, Q, V>) -> Then {
        if index == E::COUNT {
            (self.handler)(state)
        } else {
            self.before.handle(index, state)
        }
    }

    fn restart(
        &mut self,
        handled: usize,
        motion: &Interpolant<T, Q, V>,
        before: &State<T, Q, V>,
        after: &State<T, Q, V>,
    ) {
        self.before.restart(handled, motion, before, after);
        let (was, is) = (self.at(before), self.at(after));
        let ends = [0.0, 1.0].map(|theta| self.at(&motion.state_within(T::lit(theta))).abs());
        let moved = (is - was).abs() > ROUNDING * (ends[0] + ends[1]);
        if moved {
            self.side = Side::of(is);
        } else if handled == E::COUNT {
            self.side = None;
        }
        // Otherwise the side stands: a crossing at this very time is still to be met.
    }
}

impl<E, G, H> On<E, G, H> {
    fn at<T: Real, const Q: usize, const V: usize>(&self, state: &State<T, Q, V>) -> f64
    where
        G: Fn(&State<T, Q, V>) -> T,
    {
        lane_value((self.function)(state), 0)
    }
}
