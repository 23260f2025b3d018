//! The places of arrays that a routine uses: their number, fewer of them, and the first write to each.

use super::leaves::ArrayName;
use super::rerolling::{Index, Loop};
use super::routine::{Kernel, Routine, Store, Write};
use crate::expr::{CollectVec, Map, Set, SortedSet, sort};

impl<W: Write> Kernel<W> {
    /// Which of an item's indices are places of an array.
    fn places_in(&self, array: W::Array) -> Vec<usize> {
        let reads = self.reads.iter();
        let reads = reads.filter_map(|&(_, from, place)| (from == array).then_some(place));
        let stores = self.writes.iter().filter_map(|write| write.store());
        let stores = stores.filter_map(|it| (it.array == array).then_some(it.place));
        reads.chain(stores).collect_vec()
    }

    /// Gives the places of an array indices of their own, from `first` on, because one index may belong to several arrays.
    /// Returns the former ones.
    fn separate(&mut self, array: W::Array, first: usize) -> Vec<usize> {
        let mut places = self.places_in(array);
        sort(&mut places);
        places.dedup();
        let moved = |place: usize| {
            let number = places.binary_search(&place);
            number.map_or(place, |number| first + number)
        };
        for (_, from, place) in &mut self.reads {
            if *from == array {
                *place = moved(*place);
            }
        }
        for write in &mut self.writes {
            if let Some(store) = write.store().filter(|store| store.array == array) {
                let place = moved(store.place);
                *write = W::from(Store { place, ..store });
            }
        }
        places
    }
}

impl<W: Write> Routine<W> {
    /// The length of an array, as far as it is read or written.
    pub fn len_of(&self, array: W::Array) -> usize {
        let mut len = 0;
        self.for_each_place(array, |it, index| {
            let places = (0..it.rounds).map(|round| it.place(index, round));
            len = len.max(1 + places.max().unwrap_or(0));
        });
        len
    }

    fn for_each_place(&self, array: W::Array, mut visit: impl FnMut(&Loop, Index)) {
        for it in &self.loops {
            for (kernel, indices) in &it.body {
                for place in self.kernels[*kernel].places_in(array) {
                    visit(it, indices[place]);
                }
            }
        }
    }

    /// Closes the gaps between used places of arrays that no loop runs through: after scalar replacement few places
    /// are left.
    pub fn compact(&mut self) {
        for &array in W::Array::RENUMBERED {
            self.compact_array(array);
        }
    }

    fn compact_array(&mut self, array: W::Array) {
        let mut used: Map<usize, usize> = Map::default();
        let mut runs_through = false;
        self.for_each_place(array, |_, index| match index {
            Index::Constant(place) => {
                let next = used.len();
                used.entry(place).or_insert(next);
            }
            _ => runs_through = true,
        });
        if runs_through || used.iter().all(|(place, number)| place == number) {
            return;
        }
        // Items of one kernel may have more indices than the kernel reads: the new ones come after all of them.
        let mut longest: Map<usize, usize> = Map::default();
        for (number, indices) in self.loops.iter().flat_map(|it| &it.body) {
            let most = longest.entry(*number).or_default();
            *most = indices.len().max(*most);
        }
        let mut own: Map<usize, Vec<usize>> = Map::default();
        for (number, indices) in self.loops.iter_mut().flat_map(|it| &mut it.body) {
            let (kernel, first) = (&mut self.kernels[*number], longest[number]);
            let places = own
                .entry(*number)
                .or_insert_with(|| kernel.separate(array, first));
            if places.is_empty() {
                continue;
            }
            indices.resize(first, Index::Constant(0));
            for place in places {
                let index = match indices[*place] {
                    Index::Constant(index) => Index::Constant(used[&index]),
                    index => index,
                };
                indices.push(index);
            }
        }
    }

    /// Sets elements of arrays of sums ([`ArrayName::is_sum`]) to their first terms, so that they need no zeros before.
    pub fn set_first_terms(&mut self) {
        let mut written: Set<(W::Array, usize)> = Set::default();
        let mut loops = std::mem::take(&mut self.loops);
        for it in &mut loops {
            let later = self.later_terms(it, &mut written);
            for (item, (number, _)) in it.body.iter_mut().enumerate() {
                let mut kernel = self.kernels[*number].clone();
                for (k, write) in kernel.writes.iter_mut().enumerate() {
                    if let Some(store) = term_of_sum(*write)
                        && !later.contains(&(item, k))
                    {
                        *write = W::from(Store::set(store.array, store.place));
                    }
                }
                let known = self.kernels.iter().position(|it| *it == kernel);
                *number = known.unwrap_or_else(|| self.add(kernel));
            }
        }
        self.loops = loops;
    }

    /// The writes of a loop, by item, that add to sums which in some round have terms already.
    fn later_terms(
        &self,
        it: &Loop,
        written: &mut Set<(W::Array, usize)>,
    ) -> SortedSet<(usize, usize)> {
        let mut later = SortedSet::new();
        for round in 0..it.rounds {
            for (item, (kernel, indices)) in it.body.iter().enumerate() {
                for (k, write) in self.kernels[*kernel].writes.iter().enumerate() {
                    if let Some(Store { array, place, .. }) = term_of_sum(*write)
                        && !written.insert((array, it.place(indices[place], round)))
                    {
                        later.insert((item, k));
                    }
                }
            }
        }
        later
    }
}

/// A write that adds a term to a sum.
fn term_of_sum<W: Write>(write: W) -> Option<Store<W::Array>> {
    let store = write.store()?;
    (store.adds && store.array.is_sum()).then_some(store)
}
