//! `curve!`: its derivatives, lengths and seams, and the beads that move on it.

mod derivatives;
mod joined;
mod length;
mod motion;
#[path = "../common/random.rs"]
mod random;
mod sides;
mod tracks;
