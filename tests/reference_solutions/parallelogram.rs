//! A four-bar linkage with equal cranks: a closed loop whose motion is that of the pendulum.
//!
//! Both beads move on equal circles in step, so that the linkage of any coupler length swings like one pendulum
//! of the cranks' length: θ(t) of [`pendulum`](crate::pendulum).

use constraint_runtime::prelude::*;

use crate::special::{amplitude, complete_elliptic};
use crate::{G, assert_absolute};

system! {
    /// Crank and rocker of length `l` on a ground of length `base`.
    struct FourBar { m: Real = 0.4, l: Real = 0.7, base: Real = 1.1, g: Real = 9.81 }

    particle a: Point2 { mass: m }
    particle b: Point2 { mass: m }

    constraint crank: norm(a) == l;
    constraint coupler: norm(b - a) == base;
    constraint rocker: norm(b - [base, 0]) == l;
    potential m*g*(a.y + b.y);
}

#[test]
fn a_parallelogram_swings_like_one_pendulum() {
    let (l, base, theta) = (0.7, 1.1, 1.2_f64);
    let (sin, cos) = theta.sin_cos();
    let places = [l * sin, -l * cos, base + l * sin, -l * cos];
    let start = State::new(0.0, places, [0.0; 4]);
    let mut run = Simulation::new(FourBar::default(), start, Rk4::new(5e-4)).unwrap();
    let omega = (G / l).sqrt();
    let k = (theta / 2.0).sin();
    for t in [0.3, 1.0, 2.2] {
        run.run_until(t).unwrap();
        let sn = amplitude(complete_elliptic(k * k) - omega * t, k * k).sin();
        let (sin, cos) = (2.0 * (k * sn).asin()).sin_cos();
        for (found, expected) in
            run.state()
                .q
                .iter()
                .zip([l * sin, -l * cos, base + l * sin, -l * cos])
        {
            assert_absolute(*found, expected, 1e-9);
        }
    }
}
