//! What is derived: rows and how they move, relations between bodies, values at the ends of floats; and in what order.

mod bodies;
mod circles;
mod equations;
mod extremes;
mod growth;
#[path = "../common/random.rs"]
mod random;
mod regressor;
mod scaled;
mod sliding;
mod stages;
mod weight;
mod whole;
