//! The hash table of maps, and of the nodes of a graph.

/// Numbers in an open-addressing table. The upper half of an entry is a hash, the lower half the number plus one; empty entries
/// are zero. The numbered items are stored elsewhere and compared only if hashes agree, so that growing the table
/// does not touch them.
#[derive(Clone, Debug, Default)]
pub struct Places {
    entries: Vec<u64>,
    len: usize,
}

fn entry(hash: u32, number: usize) -> u64 {
    u64::from(hash) << 32 | (number as u64 + 1)
}

impl Places {
    /// A table with capacity for this many.
    pub fn with_capacity(count: usize) -> Places {
        Places {
            entries: vec![0; (2 * count).next_power_of_two()],
            len: 0,
        }
    }

    /// The number with this hash for which `is` returns true.
    pub fn find(&self, hash: u32, is: &dyn Fn(usize) -> bool) -> Option<usize> {
        let mask = self.entries.len().checked_sub(1)?;
        let mut at = hash as usize & mask;
        loop {
            let entry = self.entries[at];
            let number = (entry as u32).checked_sub(1)? as usize;
            if (entry >> 32) as u32 == hash && is(number) {
                return Some(number);
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds a number that is not in the table.
    pub fn insert(&mut self, hash: u32, number: usize) {
        if 2 * (self.len + 1) > self.entries.len() {
            let wider = vec![0; (4 * self.len).max(32)];
            let entries = std::mem::replace(&mut self.entries, wider);
            let entries = entries.into_iter().filter(|&entry| entry != 0);
            entries.for_each(|entry| self.put(entry));
        }
        self.put(entry(hash, number));
        self.len += 1;
    }

    /// Removes a number that is in the table, and moves those behind it, so that none is behind an empty entry before its own.
    pub fn remove(&mut self, hash: u32, number: usize) {
        let mask = self.entries.len() - 1;
        let mut empty = self.entry(hash, number);
        let mut at = (empty + 1) & mask;
        while self.entries[at] != 0 {
            let own = (self.entries[at] >> 32) as usize;
            if at.wrapping_sub(own) & mask >= at.wrapping_sub(empty) & mask {
                self.entries[empty] = self.entries[at];
                empty = at;
            }
            at = (at + 1) & mask;
        }
        self.entries[empty] = 0;
        self.len -= 1;
    }

    /// Gives an item another number.
    pub fn renumber(&mut self, hash: u32, old: usize, new: usize) {
        let at = self.entry(hash, old);
        self.entries[at] = entry(hash, new);
    }

    /// Where a number that is in the table is.
    fn entry(&self, hash: u32, number: usize) -> usize {
        let mask = self.entries.len() - 1;
        let mut at = hash as usize & mask;
        while self.entries[at] != entry(hash, number) {
            at = (at + 1) & mask;
        }
        at
    }

    fn put(&mut self, entry: u64) {
        let mask = self.entries.len() - 1;
        let mut at = (entry >> 32) as usize & mask;
        while self.entries[at] != 0 {
            at = (at + 1) & mask;
        }
        self.entries[at] = entry;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_one_hash_are_told_apart() {
        let mut places = Places::default();
        assert_eq!(places.find(7, &|_| true), None);
        for number in 0..1000 {
            places.insert(number as u32 / 3 * 64, number);
        }
        for number in 0..1000 {
            let hash = number as u32 / 3 * 64;
            assert_eq!(places.find(hash, &|it| it == number), Some(number));
        }
        assert_eq!(places.find(0, &|it| it == 3), None);
        assert_eq!(places.find(65, &|_| true), None);
    }
}
