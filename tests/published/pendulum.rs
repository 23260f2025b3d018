//! A01, the simple pendulum: 1 kg on a rod of 1 m, released from the horizontal.

use constraint_runtime::prelude::*;

use crate::EXPONENTS;
use crate::adaptive::{explicitly, implicitly};

system! {
    #[derivatives]
    pub struct Pendulum { m: Real = 1, l: Real = 1, g: Real = 9.81 }
    particle bob: Point2 { mass: m }
    constraint rod: norm_squared(bob) == l^2;
    gravity [0, -g];
}

/// T = 4 K √(l/g) with K = K(sin 45°), the quarter period of the lemniscatic elliptic functions.
fn period() -> f64 {
    4.0 * 1.854_074_677_301_372 / 9.81_f64.sqrt()
}

#[test]
fn it_returns_after_its_period() {
    let system = Pendulum::default();
    let start = State::new(0.0, [-1.0, 0.0], [0.0, 0.0]);
    let run = (period(), 9.81, 300.0);
    let explicit = explicitly(&system, &start, run, EXPONENTS);
    let implicit = implicitly(&system, &start, run, EXPONENTS);
    for ends in [explicit, implicit] {
        for (end, k) in ends.iter().zip(EXPONENTS) {
            let off = (end.v.norm()).max((end.q - start.q).norm());
            // Close to rest the angle changes with the square of the time, the speed with the time.
            assert!(off < 1000.0 * 10.0_f64.powi(-k) + 1e-12, "1e-{k}: {off:e}");
        }
    }
}
