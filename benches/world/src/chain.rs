//! The problem that all contenders step: links on ball joints, let go level from the ground.

/// Length of a link, in m; its mass is 1 kg.
pub const LENGTH: f64 = 0.5;
/// Principal moments of inertia: a slender rod along x.
pub const MOMENTS: [f64; 3] = [0.002, LENGTH * LENGTH / 12.0, LENGTH * LENGTH / 12.0];
pub const G: f64 = 9.81;
pub const STEP: f64 = 2e-3;

/// A chain that can be stepped and looked at.
pub trait Chain {
    fn step(&mut self);

    /// Largest distance between the two points that a joint keeps together.
    fn drift(&self) -> f64;

    /// Where the last link is: contenders that agree have simulated the same.
    fn end(&self) -> [f64; 3];
}
