//! Many copies of one system at once.

mod alone;
mod followed;
mod functions;
mod refusals;
