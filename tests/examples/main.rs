//! The programs of `examples/` run here, one module each, and the book shows what they print.

#![allow(
    clippy::duplicate_mod,
    reason = "examples are programs of their own and share modules by path"
)]

mod book;
mod contact;
#[path = "../common/figures.rs"]
mod figures;
mod gallery;
mod mechanics;
mod tracks;

/// Examples write their figures, and the book is read, where a reader runs them: at the root of the repository.
fn at_root() {
    std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .expect("the root of the repository");
}
