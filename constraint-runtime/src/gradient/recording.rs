//! The states of steps: where slopes were evaluated, and from which projections moved on.

use alloc::vec::Vec;
use core::cell::RefCell;

use super::{Reversible, projection};
use crate::error::Error;
use crate::integrator::Motion;
use crate::simulation::Passage;
use crate::state::State;
use crate::system::System;
use crate::vector::Vector;

/// The states of consecutive steps.
#[derive(Debug)]
pub(crate) struct Recording<Q: Vector, V> {
    /// For each step, the states of its stages, of its projection and its end; if an event has moved it, also those
    /// of the projection after it, and the final one.
    pub(crate) places: Vec<State<Q, V>>,
    pub(crate) marks: Vec<Mark>,
}

/// The indices of a step's states.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    pub(super) stages: usize,
    pub(super) projection: usize,
    /// Its end, at an event before the handler is called,
    pub(super) end: usize,
    /// and the state that the next step starts from.
    pub(super) last: usize,
}

impl<Q: Vector, V: Vector<Scalar = Q::Scalar>> Recording<Q, V> {
    pub(crate) fn empty() -> Self {
        Self {
            places: Vec::new(),
            marks: Vec::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.marks.clear();
    }

    /// Repeats the step from `from` to the time of `to` and records its states.
    pub(crate) fn repeat<S, I>(
        &mut self,
        (motion, method): (&Motion<'_, Q::Scalar, S>, &I),
        from: &State<Q, V>,
        h: Q::Scalar,
        passage: Option<&Passage<Q, V>>,
        to: &mut State<Q, V>,
    ) -> Result<(), Error>
    where
        S: System<Q::Scalar, Q = Q, V = V>,
        I: Reversible<Scalar = Q::Scalar>,
    {
        let places = &mut self.places;
        let stages = places.len();
        method.record(motion, from, h, to, places)?;
        let projection = places.len();
        if !I::HOLDS_CONSTRAINTS {
            projection::record(motion, to, places)?;
        }
        let end = places.len();
        places.push(to.clone());
        if let Some(handled) = passage.and_then(|it| it.handled.as_ref()) {
            to.clone_from(handled);
            projection::record(motion, to, places)?;
            places.push(to.clone());
        }
        self.marks.push(Mark {
            stages,
            projection,
            end,
            last: places.len() - 1,
        });
        Ok(())
    }
}

/// Records the states of steps as they are taken, until there are too many. Most steps evaluate a slope at their
/// start first, where the step before ended: that state is already recorded.
pub(super) struct Watch<Q: Vector, V>(RefCell<Option<Watched<Q, V>>>);

struct Watched<Q: Vector, V> {
    recording: Recording<Q, V>,
    /// The maximum number of steps recorded.
    most: usize,
    /// The index of the states of the step in progress, and of its projection once that has begun.
    stages: usize,
    projection: Option<usize>,
    /// True if that step has not evaluated a slope yet.
    begins: bool,
}

impl<Q: Vector, V: Vector<Scalar = Q::Scalar>> Watch<Q, V> {
    /// Records up to so many steps, the first of which begins at `start`.
    pub(super) fn of(most: usize, start: &State<Q, V>) -> Self {
        let mut recording = Recording::empty();
        recording.places.push(start.clone());
        Self(RefCell::new(Some(Watched {
            recording,
            most,
            stages: 1,
            projection: None,
            begins: true,
        })))
    }

    /// Records none.
    pub(super) fn closed() -> Self {
        Self(RefCell::new(None))
    }

    pub(super) fn is_open(&self) -> bool {
        self.0.borrow().is_some()
    }

    /// Records a state whose slope is evaluated.
    pub(super) fn slope(&self, t: Q::Scalar, q: &Q, v: &V) {
        let Some(watched) = &mut *self.0.borrow_mut() else {
            return;
        };
        if core::mem::take(&mut watched.begins) && watched.stands_at(t, q, v) {
            watched.stages -= 1;
        } else {
            watched.keep(t, q, v);
        }
    }

    /// Records a state that a projection moves on from.
    pub(super) fn correction(&self, t: Q::Scalar, q: &Q, v: &V) {
        if let Some(watched) = &mut *self.0.borrow_mut() {
            let begun = watched.recording.places.len();
            watched.projection.get_or_insert(begun);
            watched.keep(t, q, v);
        }
    }

    /// Ends a step; one step too many discards the record.
    pub(super) fn step_made(&self, end: &State<Q, V>) {
        let watch = &mut *self.0.borrow_mut();
        let Some(watched) = watch else { return };
        if watched.recording.marks.len() == watched.most {
            *watch = None;
            return;
        }
        let Recording { places, marks } = &mut watched.recording;
        let last = places.len();
        marks.push(Mark {
            stages: watched.stages,
            projection: watched.projection.take().unwrap_or(last),
            end: last,
            last,
        });
        places.push(end.clone());
        (watched.stages, watched.begins) = (places.len(), true);
    }

    /// The states of all steps, unless there were too many.
    pub(super) fn recording(self) -> Option<Recording<Q, V>> {
        self.0.into_inner().map(|watched| watched.recording)
    }
}

impl<Q: Vector, V: Vector<Scalar = Q::Scalar>> Watched<Q, V> {
    /// True if a state is the last one recorded.
    fn stands_at(&self, t: Q::Scalar, q: &Q, v: &V) -> bool {
        let last = self.recording.places.last();
        last.is_some_and(|it| {
            it.t == t && it.q.entries() == q.entries() && it.v.entries() == v.entries()
        })
    }

    fn keep(&mut self, t: Q::Scalar, q: &Q, v: &V) {
        let (q, v) = (q.clone(), v.clone());
        self.recording.places.push(State { t, q, v });
    }
}
