//! What is derived: rows and how they move, relations between bodies, values at the ends of floats.

mod bodies;
mod equations;
mod extremes;
mod whole;
