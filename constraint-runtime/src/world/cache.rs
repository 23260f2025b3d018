//! Scratch memory for queries about a world that do not change it.

/// A value created at its first use.
///
/// With a standard library several threads can query one world, one at a time; without one a world stays in its
/// thread.
#[derive(Debug)]
pub(super) struct Cache<X>(Cell<Option<X>>);

#[cfg(feature = "std")]
type Cell<X> = std::sync::Mutex<X>;
#[cfg(not(feature = "std"))]
type Cell<X> = core::cell::RefCell<X>;

impl<X> Default for Cache<X> {
    fn default() -> Self {
        Self(Cell::default())
    }
}

impl<X> Cache<X> {
    /// The value, if it exists.
    pub(super) fn get_mut(&mut self) -> &mut Option<X> {
        #[cfg(feature = "std")]
        let made = self
            .0
            .get_mut()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        #[cfg(not(feature = "std"))]
        let made = self.0.get_mut();
        made
    }

    /// Calls `show` with the value, and creates it first if needed.
    pub(super) fn with<R>(&self, make: impl FnOnce() -> X, show: impl FnOnce(&mut X) -> R) -> R {
        #[cfg(feature = "std")]
        let mut made = self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        #[cfg(not(feature = "std"))]
        let mut made = self.0.borrow_mut();
        show(made.get_or_insert_with(make))
    }
}
