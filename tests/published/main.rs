//! Published mechanisms in their published coordinates: each starts where its source places it, under every adaptive
//! method and from coarse to fine tolerances.

mod bricard;
mod governor;
mod starts;
