//! What questions about a world, which change nothing of it, write into.

/// What is made when it is first asked for.
///
/// With a standard library threads can ask one world at a time; without one a world stays in its thread.
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
    /// What has been made.
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

    /// Shows what has been made, or is now.
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
