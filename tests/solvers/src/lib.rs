//! No library: `tests/` holds recipes.
