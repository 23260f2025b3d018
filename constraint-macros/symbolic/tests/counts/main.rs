//! Operation counts are exact, so they are asserted: a room for every macro.

mod arms;
mod constraints;
mod curves;
mod derivatives;
mod joints;
mod sides;
mod systems;
