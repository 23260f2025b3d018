//! Rigid bodies of `system!` against the laws of motion and closed forms.

use constraint_runtime::prelude::*;

system! {
    /// A body that nothing pushes.
    pub struct Free { m: Real = 1, a: Real = 1, b: Real = 2, c: Real = 3 }
    body racket: Rigid3 { mass: m, inertia: [a, b, c] }
}

/// I ω in the world's frame.
fn momentum(state: &State<SVector<f64, 7>, SVector<f64, 6>>, moments: [f64; 3]) -> Vector3<f64> {
    let q = FreeCoordinates::from(state.q).racket;
    let v = FreeVelocities::from(state.v).racket;
    let inside = q.rotation.inverse() * v.angular;
    q.rotation * inside.component_mul(&Vector3::from(moments))
}

fn spinning(turn: Vector3<f64>, spin: [f64; 3]) -> State<SVector<f64, 7>, SVector<f64, 6>> {
    let racket = Rigid3::new(Vector3::new(0.1, 0.2, 0.3), turn);
    let twist = Twist3 {
        linear: Vector3::new(0.5, -0.2, 0.1),
        angular: racket.rotation * Vector3::from(spin),
    };
    State::new(
        0.0,
        FreeCoordinates { racket },
        FreeVelocities { racket: twist },
    )
}

#[test]
fn a_free_body_obeys_eulers_equations() -> Result<(), Error> {
    let system = Free::<f64>::default();
    let state = spinning(Vector3::new(0.3, -0.7, 1.1), [0.4, 1.3, -0.6]);
    let found = Twist3::from(system.acceleration(0.0, &state.q, &state.v)?);
    let q = FreeCoordinates::from(state.q).racket;
    // I₁ ω̇₁ = (I₂ − I₃) ω₂ ω₃ in the body's frame; there ω̇ is the same vector as in the world's.
    let expected = Vector3::new(
        -1.3 * -0.6,
        (3.0 - 1.0) / 2.0 * -0.6 * 0.4,
        -0.4 * 1.3 / 3.0,
    );
    assert!((q.rotation.inverse() * found.angular - expected).norm() < 1e-14);
    assert_eq!(found.linear, Vector3::zeros());
    let energy = 0.5 * 0.3 + 0.5 * (0.16 + 2.0 * 1.69 + 3.0 * 0.36);
    assert!((system.kinetic_energy(0.0, &state.q, &state.v) - energy).abs() < 1e-14);
    assert_eq!(
        Dynamics::kinematics(&system, 0.0, &state.q, &state.v),
        q.kinematics(&state.v)
    );
    Ok(())
}

#[test]
fn a_free_body_keeps_energy_and_angular_momentum() -> Result<(), Error> {
    let start = spinning(Vector3::new(0.3, -0.7, 1.1), [0.4, 1.3, -0.6]);
    let integrator = DormandPrince::new(1e-13, 1e-13);
    let mut run = Simulation::new(Free::default(), start, integrator)?;
    let moments = [1.0, 2.0, 3.0];
    let (energy, before) = (run.energy(), momentum(run.state(), moments));
    run.run_until(1000.0)?;
    let lost = (run.energy() - energy).abs() / energy;
    let turned = (momentum(run.state(), moments) - before).norm() / before.norm();
    assert!(lost < 1e-10 && turned < 1e-10, "{lost:e} {turned:e}");
    Ok(())
}

system! {
    /// A symmetric top: its tip, l below the centre of mass, stands still.
    pub struct Top { m: Real = 1.3, a: Real = 0.8, c: Real = 0.5, l: Real = 0.7, g: Real = 9.81 }
    body top: Rigid3 { mass: m, inertia: [a, a, c] }
    constraint tip: at(top, [0, 0, -l]) == [0, 0, 0];
    potential m*g*at(top, [0, 0, 0]).z;
}

/// The state of steady precession: tilt θ, spin about the own axis ω₃, precession Ω.
fn precessing(tilt: f64, spin: f64, precession: f64) -> (TopCoordinates, TopVelocities) {
    let turn = Vector3::new(tilt, 0.0, 0.0);
    let mut top = Rigid3::new(Vector3::zeros(), turn);
    let axis = top.rotation * Vector3::z();
    top.translation.vector = axis * 0.7;
    // The part of Ω across the axis, and ω₃ along it.
    let upright = Vector3::z() * precession;
    let angular = upright - axis * upright.dot(&axis) + axis * spin;
    let linear = angular.cross(&top.translation.vector);
    let velocities = TopVelocities {
        top: Twist3 { linear, angular },
    };
    (TopCoordinates { top }, velocities)
}

#[test]
fn a_heavy_symmetric_top_precesses_at_the_analytic_rate() -> Result<(), Error> {
    let system = Top::<f64>::default();
    let (m, c, l, g) = (1.3, 0.5, 0.7, 9.81);
    let about_tip = 0.8 + m * l * l;
    let (tilt, spin) = (0.6_f64, 25.0);
    // I₁ cos θ Ω² − I₃ ω₃ Ω + m g l = 0, the slow root.
    let (quadratic, linear, constant) = (about_tip * tilt.cos(), c * spin, m * g * l);
    let root = (linear * linear - 4.0 * quadratic * constant).sqrt();
    let rate = 2.0 * constant / (linear + root);
    let (q, v) = precessing(tilt, spin, rate);
    let start = State::new(0.0, q, v);
    let mut run = Simulation::new(system, start, DormandPrince::new(1e-12, 1e-12))?
        .with_stabilization(Stabilization::Projection { tolerance: 1e-12 });
    let energy = run.energy();
    run.run_until(5.0)?;
    let place = run.coordinates().top.translation.vector;
    // The axis began in the plane of y and z, at −y.
    let angle = place.x.atan2(-place.y);
    let expected = (5.0 * rate).sin().atan2((5.0 * rate).cos());
    assert!(
        (angle - expected).abs() / (5.0 * rate) < 1e-8,
        "{angle} {expected}"
    );
    assert!((place.z - l * tilt.cos()).abs() < 1e-8);
    assert!(((run.energy() - energy) / energy).abs() < 1e-8);
    Ok(())
}
