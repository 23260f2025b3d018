//! An ensemble in shards: what is run, how it is kept, and who runs it.

pub mod file;
pub mod pendulum;
pub mod ranks;
pub mod sweep;

mod failure;

pub use failure::Failure;
