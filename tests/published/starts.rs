//! Driven cranks at t = 0.

use constraint_runtime::make_consistent;
use constraint_runtime::prelude::*;

system! {
    /// A four-bar linkage whose crank is driven.
    pub struct Driven {
        a: Real = 1, b: Real = 3, c: Real = 2.5, d: Real = 3, omega: Real = 2, m: Real = 1, g: Real = 9.81,
    }
    coordinate crank, coupler, rocker;
    particle pin = a*[cos(crank), sin(crank)] { mass: m }
    particle far = pin + b*[cos(coupler), sin(coupler)] { mass: m }
    constraint closed: far == [d, 0] + c*[cos(rocker), sin(rocker)];
    constraint drive: crank == omega*t;
    gravity [0, -g];
}

#[test]
fn a_driven_crank_starts_with_any_lengths() {
    let mut refused = vec![];
    for case in 0..200 {
        let x = |k: f64| (f64::from(case) * k).sin().abs();
        let system = Driven {
            a: 0.5 + 0.5 * x(1.1),
            b: 2.5 + x(2.3),
            c: 2.0 + x(3.7),
            d: 2.5 + x(0.7),
            ..Driven::default()
        };
        let guess = State::new(0.0, [0.1 * x(5.0), 0.6, 1.6], [1.0, 0.0, 0.0]);
        let start = make_consistent(&system, guess).unwrap();
        let run = Simulation::new(system, start, Rk4::new(1e-3));
        if let Err(error) = run.and_then(|mut run| run.run_until(0.01)) {
            refused.push(format!("{case}: {error}"));
        }
    }
    assert!(refused.is_empty(), "{refused:#?}");
}
