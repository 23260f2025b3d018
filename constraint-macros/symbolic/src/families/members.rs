//! Families: expressions of one shape, each with its slots.

use std::hash::Hash;

use super::leaves::{ArrayName, Leaves, Slot};
use super::shapes::{Occurrence, Reader, Word};
use crate::expr::{ExprId, Graph, Map};

/// The families of a list of expressions.
#[derive(Clone, Debug)]
pub struct Families<A> {
    /// Per member: its family.
    pub of: Vec<usize>,
    /// Per member: its slots, in the order of their first appearance.
    pub slots: Vec<Vec<Slot<A>>>,
    /// Per family: its first member.
    pub first: Vec<usize>,
}

impl<A> Default for Families<A> {
    fn default() -> Families<A> {
        Families {
            of: Vec::new(),
            slots: Vec::new(),
            first: Vec::new(),
        }
    }
}

impl<A: ArrayName> Families<A> {
    /// Finds the families.
    pub fn of<L: Leaves<Array = A>>(graph: &Graph, leaves: &L, members: &[ExprId]) -> Families<A> {
        Families::read(Reader::new(graph, leaves, members), members).0
    }

    /// The families if numbers may differ too, and of each member its numbers in the order of their appearance.
    pub(super) fn but_for_numbers<L: Leaves<Array = A>>(
        graph: &Graph,
        leaves: &L,
        members: &[ExprId],
    ) -> (Families<A>, Vec<Vec<Occurrence>>) {
        let reader = Reader::but_for_numbers(graph, leaves, members);
        Families::read(reader, members)
    }

    fn read<L: Leaves<Array = A>>(
        mut reader: Reader<'_, L>,
        members: &[ExprId],
    ) -> (Families<A>, Vec<Vec<Occurrence>>) {
        let mut numbers: Vec<Vec<Occurrence>> = Vec::new();
        let mut known: Map<Vec<Word<A>>, usize> = Map::default();
        let mut read: Map<ExprId, usize> = Map::default();
        let mut families = Families::default();
        for (member, &root) in members.iter().enumerate() {
            if let Some(&before) = read.get(&root) {
                families.of.push(families.of[before]);
                families.slots.push(families.slots[before].clone());
                numbers.push(numbers[before].clone());
                continue;
            }
            read.insert(root, member);
            reader.read(root);
            let family = known.get(&reader.words[..]).copied();
            let family = family.unwrap_or_else(|| {
                families.first.push(member);
                known.insert(reader.words.clone(), families.first.len() - 1);
                families.first.len() - 1
            });
            families.of.push(family);
            let (slots, occurrences) = reader.take();
            families.slots.push(slots);
            numbers.push(occurrences);
        }
        (families, numbers)
    }

    /// Divides families further: members stay together only if `key` gives the same for their slots.
    pub fn split_by<K: Eq + Hash>(mut self, key: impl Fn(&[Slot<A>]) -> K) -> Families<A> {
        let mut known: Map<(usize, K), usize> = Map::default();
        self.first.clear();
        for member in 0..self.of.len() {
            let next = self.first.len();
            let key = (self.of[member], key(&self.slots[member]));
            self.of[member] = *known.entry(key).or_insert(next);
            if self.of[member] == next {
                self.first.push(member);
            }
        }
        self
    }

    /// The records that a member reads.
    pub fn records(&self, member: usize) -> impl Iterator<Item = usize> + use<'_, A> {
        self.slots[member].iter().filter_map(Slot::record)
    }

    /// The number of families.
    pub fn len(&self) -> usize {
        self.first.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }
}
