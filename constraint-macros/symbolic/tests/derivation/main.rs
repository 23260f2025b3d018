//! What is derived: rows and how they move, relations between bodies, values at the ends of floats; and in what order.

mod bodies;
mod equations;
mod extremes;
mod growth;
mod stages;
mod whole;
