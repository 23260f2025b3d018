//! The tautochrone: on a cycloid a bead takes π √(r/g) to the lowest point from any start; on a circle it does not.
//!
//! ```text
//! cargo run --example tautochrone
//! ```

use std::error::Error;
use std::f64::consts::PI;

use constraint_runtime::prelude::*;
use constraint_runtime::tracks::{Circle, Cycloid};

/// Radius of the wheel, in m.
const R: f64 = 0.5;
/// Gravity, in m/s².
const G: f64 = 9.81;

/// Prints the times of descent, and checks those of the cycloid.
pub fn main() -> Result<(), Box<dyn Error>> {
    let exact = PI * (R / G).sqrt();
    println!("height in m   cycloid in s      circle in s");
    for i in 1..=20 {
        let part = f64::from(i) / 21.0;
        let cycloid = descent(Cycloid { r: R }, -PI * part, 0.0)?;
        // A circle of the same curvature at the lowest point: radius 4 r, from as high.
        let height = Cycloid { r: R }.position(-PI * part).y;
        let angle = (1.0 - height / (4.0 * R)).acos();
        let circle = descent(Circle { r: 4.0 * R }, PI - angle, PI)?;
        println!("{height:11.4}   {cycloid:.12}    {circle:.12}");
        assert!((cycloid - exact).abs() < 1e-10, "{cycloid} is not {exact}");
        assert!(circle > cycloid, "the circle is slower from every height");
    }
    println!("π √(r/g)      {exact:.12}");
    Ok(())
}

/// The time from rest at `start` to the passage of `bottom`.
fn descent<C>(curve: C, start: f64, bottom: f64) -> Result<f64, constraint_runtime::Error>
where
    C: Curve<f64, 2>,
{
    let bead = Particle::new(1.0).along(curve).under_gravity([0.0, -G]);
    let rest = State::new(0.0, [start], [0.0]);
    let mut run = Simulation::new(bead, rest, DormandPrince::new(1e-13, 1e-13))?
        .until(Crossing::Rising, |state| state.q[0] - bottom);
    run.run_until(10.0)?;
    Ok(run.state().t)
}
