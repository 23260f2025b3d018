//! Many copies of one system at once.

mod alone;
mod refusals;
