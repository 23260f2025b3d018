//! Arrays in `system!` against the same systems written out name by name: bit for bit.

mod by_name;
mod grids;

/// Numbers between -1 and 1, the same for ever.
fn noise(i: usize) -> f64 {
    (12.9898 * i as f64 + 4.1).sin()
}
