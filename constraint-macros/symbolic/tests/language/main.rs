//! What the language means and what it refuses.

mod constants;
mod meaning;
mod page;
