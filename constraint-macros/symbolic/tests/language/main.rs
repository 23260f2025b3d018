//! What the language means and what it refuses.

mod completion;
mod constants;
mod grammar;
mod meaning;
mod page;
