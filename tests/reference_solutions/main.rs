//! Constrained motions whose course others have published: closed forms, normal frequencies and the end
//! values of the test sets for differential-algebraic equations.
//!
//! Each module states its source, the model as one writes it in this project's language, and the numbers.

mod andrews;
#[path = "../common/andrews_angles.rs"]
mod andrews_angles;
mod car_axis;
mod cycloid;
mod hanging_chain;
mod hoop;
mod parallelogram;
mod pendulum;
mod skate;
mod special;
mod spherical_pendulum;

/// Standard gravity of the test problems, m/s².
const G: f64 = 9.81;

/// Asserts |found − expected| ≤ `tolerance` · |expected|.
#[track_caller]
fn assert_relative(found: f64, expected: f64, tolerance: f64) {
    let error = (found - expected).abs() / expected.abs();
    assert!(
        error <= tolerance,
        "{found} instead of {expected}, {error:e} off"
    );
}

/// Asserts |found − expected| ≤ `tolerance`.
#[track_caller]
fn assert_absolute(found: f64, expected: f64, tolerance: f64) {
    let error = (found - expected).abs();
    assert!(
        error <= tolerance,
        "{found} instead of {expected}, {error:e} off"
    );
}
