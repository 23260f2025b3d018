//! Sorting, and vectors of what iterators give.
//!
//! Users compile the engine, and an instance of one of std's sorts, or of `collect()`, is five to eight times as much code as one of
//! these.

/// Iterators whose items become a vector.
pub trait CollectVec: Iterator {
    /// The items in order: what `collect()` gives.
    fn collect_vec(self) -> Vec<Self::Item>;
}

impl<I: Iterator> CollectVec for I {
    #[expect(
        clippy::while_let_on_iterator,
        reason = "`for` makes an instance of `into_iter` for every iterator"
    )]
    fn collect_vec(mut self) -> Vec<I::Item> {
        let mut items = Vec::new();
        while let Some(item) = self.next() {
            items.push(item);
        }
        items
    }
}

/// Arrays whose items are mapped one by one.
pub trait MapEach<T, const N: usize> {
    /// What `map()` gives. An array of no items is not mapped.
    fn map_each<U: Copy>(self, map: impl FnMut(T) -> U) -> [U; N];
}

impl<T: Copy, const N: usize> MapEach<T, N> for [T; N] {
    fn map_each<U: Copy>(self, mut map: impl FnMut(T) -> U) -> [U; N] {
        let mut mapped = [map(self[0]); N];
        let mut at = 1;
        while at < N {
            mapped[at] = map(self[at]);
            at += 1;
        }
        mapped
    }
}

/// Vectors to which the items of an iterator are added.
pub trait PushEach<T> {
    /// What `extend()` does.
    fn push_each(&mut self, items: impl IntoIterator<Item = T>);
}

impl<T> PushEach<T> for Vec<T> {
    fn push_each(&mut self, items: impl IntoIterator<Item = T>) {
        for item in items {
            self.push(item);
        }
    }
}

/// Up to this many items are sorted in place, without an allocation.
const FEW: usize = 16;

/// Sorts by the order of the values.
pub fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, |a, b| a < b);
}

/// Sorts by a key; items of equal keys keep their order.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(items, |a, b| key(a) < key(b));
}

/// Sorts by "is less than"; items of which none is less keep their order.
pub fn sort_by<T>(items: &mut [T], is_less: impl Fn(&T, &T) -> bool) {
    if items.len() <= FEW {
        return insert_each(items, is_less);
    }
    let order = sorted_positions(items.len(), &|a, b| is_less(&items[a], &items[b]));
    permute(items, order);
}

/// Insertion sort.
fn insert_each<T>(items: &mut [T], is_less: impl Fn(&T, &T) -> bool) {
    for end in 1..items.len() {
        let mut at = end;
        while at > 0 && is_less(&items[at], &items[at - 1]) {
            items.swap(at, at - 1);
            at -= 1;
        }
    }
}

/// The positions in the order of the items at them. This is the only sort in the engine; it is not generic.
fn sorted_positions(count: usize, is_less: &dyn Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut merged = order.clone();
    let mut width = 1;
    while width < count {
        let mut start = 0;
        while start < count {
            let middle = count.min(start + width);
            let end = count.min(middle + width);
            merge(&order, &mut merged, [start, middle, end], is_less);
            start = end;
        }
        std::mem::swap(&mut order, &mut merged);
        width *= 2;
    }
    order
}

/// Merges the sorted ranges `start..middle` and `middle..end`.
fn merge(
    from: &[usize],
    to: &mut [usize],
    [start, middle, end]: [usize; 3],
    is_less: &dyn Fn(usize, usize) -> bool,
) {
    // Ranges that are in order are copied after one comparison.
    if middle == end || !is_less(from[middle], from[middle - 1]) {
        to[start..end].copy_from_slice(&from[start..end]);
        return;
    }
    let (mut left, mut right) = (start, middle);
    for place in &mut to[start..end] {
        let takes_right = left == middle || right < end && is_less(from[right], from[left]);
        let taken = if takes_right { &mut right } else { &mut left };
        *place = from[*taken];
        *taken += 1;
    }
}

/// Moves the item at `order[k]` to `k`, cycle by cycle.
fn permute<T>(items: &mut [T], mut order: Vec<usize>) {
    for start in 0..order.len() {
        let mut at = start;
        loop {
            let from = std::mem::replace(&mut order[at], at);
            if from == start || from == at {
                break;
            }
            items.swap(at, from);
            at = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_are_those_of_std() {
        let mut state = 1_u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (state >> 33) % below
        };
        for count in 0..200 {
            // Few keys, so that equal ones show that their order is kept.
            let items: Vec<(u64, usize)> = (0..count).map(|k| (next(20), k)).collect();
            let (mut ours, mut std) = (items.clone(), items);
            sort_by_key(&mut ours, |item| item.0);
            std.sort_by_key(|item| item.0);
            assert_eq!(ours, std);
        }
    }
}
