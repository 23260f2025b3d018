//! Blocks of work on several threads, consumed in order.

use alloc::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

/// Blocks that each thread may be ahead of the oldest unfinished one: this bounds the results in memory.
const AHEAD: usize = 16;

/// Runs `work` for every block below `blocks` on so many threads, and passes the results to `take` in the order of
/// the blocks, one at a time.
pub(super) fn in_order<R: Send>(
    blocks: usize,
    threads: usize,
    work: impl Fn(usize) -> R + Sync,
    mut take: impl FnMut(usize, R) + Send,
) {
    if threads <= 1 || blocks <= 1 {
        (0..blocks).for_each(|block| take(block, work(block)));
        return;
    }
    let next = AtomicUsize::new(0);
    let line = Line {
        waiting: Mutex::new(Waiting {
            results: BTreeMap::new(),
            next: 0,
            broken: false,
            take,
        }),
        moved: Condvar::new(),
    };
    let worker = || {
        let _guard = Guard(&line);
        loop {
            let block = next.fetch_add(1, Ordering::Relaxed);
            if block >= blocks || !line.is_open(block, AHEAD * threads) {
                return;
            }
            line.put(block, work(block));
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads.min(blocks) {
            scope.spawn(worker);
        }
    });
}

/// Results that wait for those before them.
struct Line<R, F> {
    waiting: Mutex<Waiting<R, F>>,
    moved: Condvar,
}

struct Waiting<R, F> {
    results: BTreeMap<usize, R>,
    /// The next block to consume.
    next: usize,
    /// True if a thread has panicked: nobody waits for its block.
    broken: bool,
    take: F,
}

impl<R, F: FnMut(usize, R)> Line<R, F> {
    /// Waits until a block is less than `ahead` from the next to be consumed; returns whether work remains.
    fn is_open(&self, block: usize, ahead: usize) -> bool {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let far = |waiting: &mut Waiting<R, F>| !waiting.broken && block >= waiting.next + ahead;
        let waiting = self.moved.wait_while(waiting, far);
        !waiting.unwrap_or_else(PoisonError::into_inner).broken
    }

    /// Stores the result of a block, and consumes those whose turn it is.
    fn put(&self, block: usize, result: R) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.results.insert(block, result);
        let before = waiting.next;
        loop {
            let next = waiting.next;
            let Some(result) = waiting.results.remove(&next) else {
                break;
            };
            (waiting.take)(next, result);
            waiting.next += 1;
        }
        if waiting.next > before {
            self.moved.notify_all();
        }
    }
}

/// Lets the others end if a thread panics.
struct Guard<'a, R, F>(&'a Line<R, F>);

impl<R, F> Drop for Guard<'_, R, F> {
    fn drop(&mut self) {
        if thread::panicking() {
            let waiting = self.0.waiting.lock();
            waiting.unwrap_or_else(PoisonError::into_inner).broken = true;
            self.0.moved.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn results_come_in_order_on_any_number_of_threads() {
        for threads in [1, 2, 7] {
            let mut taken = Vec::new();
            let slow_first = |block: usize| {
                if block == 0 {
                    thread::sleep(std::time::Duration::from_millis(20));
                }
                block * block
            };
            in_order(500, threads, slow_first, |block, result| {
                assert_eq!(result, block * block);
                taken.push(block);
            });
            assert_eq!(taken, (0..500).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_panic_in_one_block_ends_all() {
        let run = || {
            in_order(10_000, 2, |block| assert_ne!(block, 3), |_, ()| ());
        };
        assert!(std::panic::catch_unwind(run).is_err());
    }
}
