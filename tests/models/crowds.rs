//! Ten thousand pendulums as so many runs, and a thousand angles as one system.

use approx::assert_abs_diff_eq;
use constraint_runtime::prelude::*;

system! {
    /// One of them, by its angle.
    pub struct Pendulum { l: Real = 1, g: Real = 9.81 }
    coordinate angle;
    particle bob = l*[sin(angle), -cos(angle)] { mass: 1 }
    gravity [0, -g];
    output tension = norm(acceleration(bob) + [0, g]);
}

/// The ends of a run of each are those of each alone.
#[test]
fn each_of_ten_thousand_swings_by_itself() -> Result<(), Error> {
    let start = |i: usize| State::new(0.0, [1e-4 * i as f64], [0.0]);
    let of = |i: usize| Pendulum {
        l: 0.5 + 1e-4 * i as f64,
        ..Default::default()
    };
    let ensemble = Ensemble::new(10_000, |i| Ok((of(i), start(i))));
    let ends = ensemble.run_until(0.2, Rk4::new(0.02))?;
    let angles = ends.column("angle").unwrap();
    for i in [0, 1, 4711, 9999] {
        let mut run = Simulation::new(of(i), start(i), Rk4::new(0.02))?;
        run.run_until(0.2)?;
        assert_abs_diff_eq!(angles[i], run.coordinates().angle, epsilon = 1e-13);
    }
    Ok(())
}

system! {
    /// A thousand in a row, each on a spring to the one before.
    pub struct Row { l: [Real; 1000] = 1, k: Real = 0.3, g: Real = 9.81 }
    coordinate angle[1000];
    for i in 0..1000 { particle bob[i] = [i/10, 0] + l[i]*[sin(angle[i]), -cos(angle[i])] { mass: 2 } }
    for i in 1..1000 { potential k*(angle[i] - angle[i - 1])^2/2; }
    gravity [0, -g];
    output pull = acceleration(bob[7]);
}

/// m l² φ̈ᵢ = −m g l sin φᵢ + k (φᵢ₋₁ − 2 φᵢ + φᵢ₊₁), with one neighbour at the ends.
#[test]
fn a_thousand_angles_are_one_loop() -> Result<(), Error> {
    let lengths: [f64; 1000] = std::array::from_fn(|i| 1.0 + 1e-3 * i as f64);
    let row = Row {
        l: lengths.into(),
        ..Default::default()
    };
    let mut named = RowCoordinates::default();
    let mut rates = RowVelocities::default();
    for i in 0..1000 {
        named.angle[i] = (0.7 * i as f64).sin();
        rates.angle[i] = (0.3 * i as f64).cos();
    }
    let (q, v) = (named.clone().into(), rates.clone().into());
    let found = row.acceleration(0.0, &q, &v)?;
    let angle = &named.angle;
    for i in 0..1000 {
        let before = if i > 0 { angle[i - 1] - angle[i] } else { 0.0 };
        let after = if i < 999 {
            angle[i + 1] - angle[i]
        } else {
            0.0
        };
        let spring = 0.3 * (before + after) / (2.0 * lengths[i].powi(2));
        let expected = spring - 9.81 / lengths[i] * angle[i].sin();
        assert_abs_diff_eq!(found[i], expected, epsilon = 1e-12);
    }
    let (l, a) = (lengths[7], found[7]);
    let (sine, cosine) = angle[7].sin_cos();
    let along = l * (a * cosine - v[7].powi(2) * sine);
    let pull = row.outputs(0.0, &q, &v)?.pull;
    assert_abs_diff_eq!(pull[0], along, epsilon = 1e-11);
    let kinetic = lengths.iter().zip(&rates.angle);
    let kinetic: f64 = kinetic.map(|(l, w)| (l * w).powi(2)).sum();
    assert_abs_diff_eq!(row.kinetic_energy(0.0, &q, &v), kinetic, epsilon = 1e-9);
    Ok(())
}

system! {
    /// Each is without inertia where it hangs straight down.
    pub struct Weightless { w: [Real; 300] = 1 }
    coordinate angle[300];
    for i in 0..300 { kinetic w[i]*sin(angle[i])^2*velocity(angle[i])^2; potential -cos(angle[i]); }
}

/// The coordinate that lacks inertia is named, though loops know it by number.
#[test]
fn a_coordinate_in_a_loop_is_named_in_errors() {
    let mut at = WeightlessCoordinates::<f64>::default();
    at.angle.fill(0.5);
    at.angle[217] = 0.0;
    let start = State::new(0.0, at, WeightlessVelocities::default());
    let refused = Simulation::new(Weightless::default(), start, Rk4::new(0.01));
    let said = refused.map(|_| ()).expect_err("no inertia").to_string();
    assert!(said.contains("singular at `angle[217]`"), "{said}");
}
