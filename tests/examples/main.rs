//! The programs of `examples/` run here, one module each, and the book shows what they print.

#![allow(
    clippy::duplicate_mod,
    reason = "examples are programs of their own and share modules by path"
)]

mod book;
mod mechanics;
mod tracks;
