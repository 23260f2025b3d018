//! Systems too large for a stack.

#[path = "../common/models/by_hand.rs"]
mod by_hand;

mod heap;
