//! A pendulum that swings in space, sampled every 0.01 s into `target/pendulum.csv`.
//!
//! The method chooses its steps, a tenth as many as there are samples; samples between two steps come from the
//! method's own interpolation, projected onto the rod. Check: energy and the angular momentum about the vertical are
//! constant in every row of the table.
//! Lengths are in metres, times in seconds; z counts upwards.

use std::error::Error;

use constraint_runtime::prelude::*;

system! {
    /// A bob on a rod, free to swing in space.
    pub struct Pendulum { m: Real = 1, l: Real = 1, g: Real = 9.81 }

    particle bob: Point3 { mass: m }
    constraint rod: norm(bob) == l;
    gravity [0, 0, -g];
}

/// Prints how well the rows keep what they must, and how many there are.
pub fn main() -> Result<(), Box<dyn Error>> {
    let pendulum = Pendulum::default();
    let start = State::new(0.0, [0.8, 0.0, -0.6], [0.0, 1.0, 0.0]);
    let mut run = Simulation::new(pendulum, start, DormandPrince::new(1e-9_f64, 1e-9))?;
    let energy = run.energy();

    std::fs::create_dir_all("target")?;
    let mut table = csv::Writer::from_path("target/pendulum.csv")?;
    table.write_record([
        "t/s", "x/m", "y/m", "z/m", "vx/(m/s)", "vy/(m/s)", "vz/(m/s)",
    ])?;
    let (mut rows, mut worst) = (0, 0.0_f64);
    for sample in run.sample(0.0..=10.0, 0.01) {
        let Sample {
            t,
            coordinates,
            velocities,
        } = sample?;
        let (p, v) = (coordinates.bob, velocities.bob);
        let row = [t, p.x, p.y, p.z, v.x, v.y, v.z].map(|number| format!("{number:.9}"));
        table.write_record(row)?;
        let kept = 0.5 * v.norm_squared() + 9.81 * p.z - energy;
        let turning = p.x * v.y - p.y * v.x - 0.8;
        worst = worst.max(kept.abs()).max(turning.abs());
        rows += 1;
    }
    table.flush()?;
    println!("{rows} rows in target/pendulum.csv, error at most {worst:.1e}");
    assert!(rows == 1001 && worst < 1e-6);
    Ok(())
}
