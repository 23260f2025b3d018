//! Bodies that can be solved for by themselves.
//!
//! A *part* is the bodies that joints connect with each other, with their joints, limits and motors; fixed bodies connect
//! nothing. It lasts until joints change. An *island* is the parts that contacts of a step connect, with those contacts: limits
//! and motors change their pieces and contacts settle in one island without a visit of the others.

use alloc::{vec, vec::Vec};
use core::ops::Range;

use super::exact::Exact;
use super::touching::Touching;
use crate::real::Real;

/// Disjoint sets of numbers; each is represented by its least member.
#[derive(Clone, Debug, Default)]
pub(super) struct Sets(Vec<usize>);

impl Sets {
    /// Each number by itself.
    pub(super) fn reset(&mut self, count: usize) {
        self.0.clear();
        self.0.extend(0..count);
    }

    /// The same sets as those.
    pub(super) fn copy(&mut self, others: &Self) {
        self.0.clone_from(&others.0);
    }

    /// The least member of the set.
    pub(super) fn first(&mut self, mut member: usize) -> usize {
        while self.0[member] != member {
            self.0[member] = self.0[self.0[member]];
            member = self.0[member];
        }
        member
    }

    /// The same without shortening the way to it.
    pub(super) fn root(&self, mut member: usize) -> usize {
        while self.0[member] != member {
            member = self.0[member];
        }
        member
    }

    pub(super) fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.first(a), self.first(b));
        self.0[a.max(b)] = a.min(b);
    }
}

/// The islands of a step.
#[derive(Debug, Default)]
pub(super) struct Islands {
    sets: Sets,
    /// The parts, island by island.
    parts: Vec<usize>,
    all: Vec<Island>,
}

/// Ranges of parts and of contacts.
#[derive(Clone, Debug)]
struct Island {
    parts: Range<usize>,
    contacts: Range<usize>,
}

impl Islands {
    /// Finds the islands, and sorts the contacts by them.
    pub(super) fn find<T: Real, const D: usize>(
        &mut self,
        exact: &Exact<T, D>,
        contacts: &mut [Touching<T, D>],
    ) {
        let count = exact.parts();
        self.sets.reset(count);
        for contact in &*contacts {
            let [a, b] = contact.bodies.map(|body| exact.part_of(body));
            if let (Some(a), Some(b)) = (a, b) {
                self.sets.join(a, b);
            }
        }
        for (place, contact) in contacts.iter_mut().enumerate() {
            let part = contact.bodies.iter().find_map(|&it| exact.part_of(it));
            let part = part.expect("a contact moves a body");
            contact.place = (self.sets.first(part), place);
        }
        if !contacts.is_sorted_by_key(|it| it.place) {
            contacts.sort_unstable_by_key(|it| it.place);
        }
        self.parts.clear();
        self.parts.extend(0..count);
        let sets = &mut self.sets;
        self.parts
            .sort_unstable_by_key(|&part| (sets.first(part), part));
        self.all.clear();
        let (mut part, mut contact) = (0, 0);
        while part < count {
            let first = self.sets.first(self.parts[part]);
            let starts = (part, contact);
            while part < count && self.sets.first(self.parts[part]) == first {
                part += 1;
            }
            while contact < contacts.len() && contacts[contact].place.0 == first {
                contact += 1;
            }
            self.all.push(Island {
                parts: starts.0..part,
                contacts: starts.1..contact,
            });
        }
    }

    /// All parts as one island.
    pub(super) fn join_all(&mut self, parts: usize) {
        self.parts.clear();
        self.parts.extend(0..parts);
        self.all.clear();
        self.all.push(Island {
            parts: 0..parts,
            contacts: 0..0,
        });
    }

    /// The parts and the contacts of each island.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[usize], Range<usize>)> {
        let all = self.all.iter();
        all.map(|it| (&self.parts[it.parts.clone()], it.contacts.clone()))
    }
}

/// The parts of bodies and of nodes, and their number; parts are numbered by their first bodies, nodes of fixed bodies come last.
pub(super) fn number_parts(
    slots: &[Vec<(usize, usize)>],
    nodes: usize,
    movable: impl Fn(usize) -> bool,
) -> (Vec<Option<usize>>, Vec<usize>, usize) {
    let bodies = slots.len();
    let mut sets = Sets::default();
    sets.reset(bodies + nodes);
    for (body, slots) in slots.iter().enumerate() {
        slots
            .iter()
            .for_each(|&(node, _)| sets.join(body, bodies + node));
    }
    let (mut numbers, mut count) = (vec![0; bodies + nodes], 0);
    for member in (0..bodies + nodes).filter(|&it| it >= bodies || movable(it)) {
        let first = sets.first(member);
        if first == member {
            (numbers[member], count) = (count, count + 1);
        } else {
            numbers[member] = numbers[first];
        }
    }
    let of_nodes = numbers.split_off(bodies);
    let of_bodies = numbers.into_iter().enumerate();
    let of_bodies = of_bodies.map(|(body, part)| movable(body).then_some(part));
    (of_bodies.collect(), of_nodes, count)
}

/// The range of a part among items that are sorted by part.
pub(super) fn range_of<X>(items: &[X], part: usize, of: impl Fn(&X) -> usize) -> Range<usize> {
    items.partition_point(|it| of(it) < part)..items.partition_point(|it| of(it) <= part)
}
