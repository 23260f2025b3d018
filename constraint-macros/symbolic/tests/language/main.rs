//! What the language means and what it refuses.

mod completion;
mod constants;
mod meaning;
mod page;
