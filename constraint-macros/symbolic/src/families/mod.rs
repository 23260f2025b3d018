//! Similar expressions and similar steps as loops. A library: it knows arrays, expressions and indices, no mechanics.
//!
//! ```text
//! expressions ─ Families ─╮
//!                         ├─ Signature ─ Stage: items of shared kernels ─ roll ─ Routine: loops
//! leaves, arrays ─ Slot ──╯                                                ├─ constants, once before all loops
//!                                                                          └─ scalar replacement
//! ```
//!
//! - A *family* consists of expressions of one shape: the same formula over other elements of the same arrays. What is
//!   derived for its first member holds for all, with other places ([`Slot`]).
//! - A *kernel* reads elements of arrays, evaluates expressions and writes their values; an *item* is a call of a kernel at
//!   given places. Items share a kernel if their [`Signature`]s are equal.
//! - A *routine* is a sequence of loops over items ([`Routine`]).
//!
//! # What a routine means
//!
//! All elements of arrays are 0 at first, except arguments. An item reads first, then evaluates, then writes in the order of its
//! writes: a write sets an element or adds to it. Loops run one after the other, rounds in order, and the items of a round in
//! order. Between loops there may be steps of the caller's ([`Routine::step`]), which change elements of arrays that outlive loops.
//!
//! Invariant: every transformation here preserves that meaning.
//! - [`roll`](rerolling::roll): executing the loops equals executing the items one by one.
//! - [`constants`], [`scalar_replacement`]: elements of an array that outlives loops
//!   ([`ArrayName::outlives_loop`]) have the same values as before the transformation.
//! - [`Routine::compact`], [`Routine::set_first_terms`]: elements of arrays that are not renumbered have the same values.
//! - [`numbers`]: an expression equals the former one, with its leaves replaced by their numbers.
//!
//! `symbolic/tests/families/` runs random routines before and after each of them.

pub mod constants;
mod leaves;
mod members;
pub mod numbers;
mod places;
pub mod rerolling;
mod routine;
pub mod scalar_replacement;
mod shapes;
mod signature;

pub use leaves::{ArrayName, Leaf, Leaves, NewLeaf, Read, Slot};
pub use members::Families;
pub use rerolling::{Index, Item, Loop};
pub use routine::{Kernel, Order, Routine, Stage, Store, Write, by_column};
pub use shapes::Shapes;
pub use signature::{Signature, indices_of};
