//! Generated constraints, on points and between bodies, against mechanics done by hand.

mod joints;
mod physics;
#[path = "../common/random.rs"]
mod random;
mod smooth;
mod verify;
