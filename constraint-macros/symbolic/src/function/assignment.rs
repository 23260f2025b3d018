//! Definite assignment, as in compilers: the arrays of a function in loops that are written before every read, so
//! that they need no initial zeros.
//!
//! Input: [`Loops`]. Output: [`Assignment`]. A read in a loop must find a value that an earlier loop has written, or
//! its own loop some rounds earlier. Other reads count as unset, so that no zeros are omitted that a function needs.

use crate::expr::{PushEach, SortedMap, SortedSet};

use super::loops::{Loops, shared};
use crate::families::{Index, Loop};
use crate::system::loops::routine::{Array, Write};

/// The places written so far.
#[derive(Debug, Default)]
pub struct Assignment {
    /// For each array the places that are written.
    written: SortedMap<Array, Vec<bool>>,
    /// The arrays with a place that may be read before it is written.
    unset: SortedSet<Array>,
}

/// A read or a write in a round: the item, its step, and the place.
#[derive(Clone, Copy)]
struct Access {
    array: Array,
    step: (usize, usize),
    place: Index,
}

impl Assignment {
    /// The analysis of a function; arrays that panels fill are excluded.
    pub fn of(loops: &Loops<'_>) -> Assignment {
        let mut all = Assignment::default();
        if loops.panels.is_some() {
            all.unset.extend([Array::Blocks, Array::Scales]);
            all.unset.extend(loops.unknowns());
        }
        for it in &loops.routine.loops {
            let (reads, writes) = accesses(loops, it);
            for read in reads {
                all.read(it, &writes, read);
            }
            for write in writes {
                all.write(it, write);
            }
        }
        all
    }

    /// True if a place of an array may be read before it is written.
    pub fn needs_zeros(&self, array: Array) -> bool {
        self.unset.contains(&shared(array))
    }

    /// True if all places of a result are written, and none is read before.
    pub fn is_whole(&self, array: Array, length: usize) -> bool {
        let all = |places: &Vec<bool>| places.len() == length && places.iter().all(|it| *it);
        let whole = self.written.get(&array).is_some_and(all);
        (whole || length == 0) && !self.needs_zeros(array)
    }

    fn read(&mut self, it: &Loop, writes: &[Access], read: Access) {
        if self.needs_zeros(read.array) {
            return;
        }
        let own = writes
            .iter()
            .filter_map(|write| rounds_between(*write, read));
        // Rounds before the same loop has written the place.
        let first = own.min().unwrap_or(it.rounds).min(it.rounds);
        let written = self.written.get(&read.array);
        let is_set = |round: usize| {
            let place = it.place(read.place, round);
            written.is_some_and(|all| all.get(place).is_some_and(|set| *set))
        };
        if !(0..first).all(is_set) {
            self.unset.insert(shared(read.array));
        }
    }

    fn write(&mut self, it: &Loop, write: Access) {
        let all = self.written.entry(write.array).or_default();
        let rounds = match write.place {
            Index::Constant(_) => 1,
            _ => it.rounds,
        };
        for round in 0..rounds {
            let place = it.place(write.place, round);
            if all.len() <= place {
                all.resize(place + 1, false);
            }
            all[place] = true;
        }
    }
}

/// The reads of a round from arrays that the function writes, and its writes; an addition is a read too.
fn accesses(loops: &Loops<'_>, it: &Loop) -> (Vec<Access>, Vec<Access>) {
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    for (item, (number, indices)) in it.body.iter().enumerate() {
        let (planned, kernel) = (&loops.routine.kernels[*number], &loops.kernels[*number]);
        let access = |array, step, at: usize| Access {
            array,
            step: (item, step),
            place: indices[at],
        };
        let used = planned.reads.iter();
        let used = used.filter(|read| kernel.leaves.contains_key(&read.0));
        let own = used.map(|&(_, array, at)| access(array, 0, at));
        reads.push_each(own.filter(|read| is_written(read.array)));
        for (step, write) in (1..).zip(&planned.writes) {
            match *write {
                Write::Set(array, at) => writes.push(access(array, step, at)),
                Write::Add(array, at) => {
                    reads.push(access(array, step, at));
                    writes.push(access(array, step, at));
                }
                _ => {}
            }
        }
    }
    (reads, writes)
}

/// True if the function itself writes to an array.
fn is_written(array: Array) -> bool {
    let is_given = matches!(
        array,
        Array::Parameter(..) | Array::Input(..) | Array::Tangent(_)
    );
    !is_given && !array.is_argument()
}

/// Number of rounds between a write and a read of the same place in one loop, if there is such a read.
fn rounds_between(write: Access, read: Access) -> Option<usize> {
    let later = usize::from(write.step >= read.step);
    let rounds = match (write.place, read.place) {
        _ if write.array != read.array => return None,
        (written, place) if written == place => match place {
            Index::Constant(_) => later,
            _ => 0,
        },
        (
            Index::Even { first: to, step },
            Index::Even {
                first: from,
                step: same,
            },
        ) if step == same && step != 0 => {
            let apart = to.cast_signed() - from.cast_signed();
            let rounds = (apart % step == 0).then(|| apart / step);
            rounds.and_then(|it| usize::try_from(it).ok())?
        }
        _ => return None,
    };
    (rounds >= later).then_some(rounds)
}
