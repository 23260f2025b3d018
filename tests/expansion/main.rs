//! The code that the macros write: how it reads, and that it means the same wherever it stands.

mod checked;
mod counted;
// For IDEs the shims bind the users' names as they are.
#[cfg(not(rust_analyzer))]
mod hygiene;
mod names;
mod shims;
mod snapshots;
