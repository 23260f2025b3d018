//! Friction on constraints of two sides, and motors of bounded torque, against mechanics by hand.

use constraint_runtime::prelude::*;
use constraint_runtime::{RowMode, TransitionKind};

use super::random::Random;

system! {
    /// A bead on a straight wire that rises.
    struct Wire { m: Real = 3, slope: Real = 0.5, mu: Real = 0.3, g: Real = 9.81 }
    particle bead: Point2 { mass: m }
    gravity [0, -g];
    let along = velocity(bead).x*cos(slope) + velocity(bead).y*sin(slope);
    constraint wire: bead.y*cos(slope) == bead.x*sin(slope) { friction: mu, slip: along };
}

/// Thrown upwards with v₀ a bead stops after v₀/(g (sin θ + μ cos θ)); then it sticks if tan θ ≤ μ, otherwise it slides
/// back with g (sin θ − μ cos θ). Where gravity points upwards, the wire pulls and all is reversed.
#[test]
fn a_bead_sticks_on_a_wire_or_slides_back() -> Result<(), Error> {
    for (mu, sign) in [(0.3, 1.0), (0.6, 1.0), (0.3, -1.0), (0.6, -1.0)] {
        let g: f64 = 9.81;
        let wire = Wire {
            mu,
            g: sign * g,
            ..Wire::<f64>::default()
        };
        let (sin, cos) = wire.slope.sin_cos();
        let start = State::new(0.0, [0.0, 0.0], [2.0 * sign * cos, 2.0 * sign * sin]);
        let mut run = ContactSimulation::new(wire, start, Rk4::new(0.05))?;
        let [up, down] = match sign {
            1.0 => [RowMode::Forward, RowMode::Backward],
            _ => [RowMode::BackwardPulled, RowMode::ForwardPulled],
        };
        assert_eq!(run.modes(), [up]);
        let mut stops = Vec::new();
        run.run_until_with(1.0, |event| stops.push((event.time, event.kind)))?;
        let stop = 2.0 / (g * (mu * cos + sin));
        let sticks = sin <= mu * cos;
        let to = if sticks { RowMode::Sticking } else { down };
        assert_eq!(stops.len(), 1, "{stops:?}");
        assert!((stops[0].0 - stop).abs() < 1e-13);
        assert_eq!(stops[0].1, TransitionKind::Mode { from: up, to });
        let back = if sticks { 0.0 } else { g * (sin - mu * cos) };
        let speed = -back * (1.0 - stop) * sign;
        let v: Vector2<f64> = run.state().v;
        assert!((v.x * cos + v.y * sin - speed).abs() < 1e-12, "{v}");
        let [normal, along] = run.contact_forces()?.into();
        let held = if sticks { sin } else { mu * cos };
        assert!((normal - sign * wire.m * g * cos).abs() < 1e-12, "{normal}");
        assert!((along - sign * wire.m * g * held).abs() < 1e-12, "{along}");
    }
    Ok(())
}

constraint! {
    /// A ring of wire.
    struct Ring { r: Real, mu: Real }
    |p: Point2| norm_squared(p) == r^2 { friction: mu }
}

/// Without gravity m v²/r presses a bead on a ring, so that v = v₀ exp(−μ θ).
#[test]
fn a_bead_on_a_ring_loses_speed_by_the_angle() -> Result<(), Error> {
    let (r, mu, speed): (f64, f64, f64) = (2.0, 0.3, 1.5);
    let bead = Particle::new(0.7).bounded_by(Ring { r, mu });
    let start = State::new(0.0, [r, 0.0], [0.0, speed]);
    let mut run = ContactSimulation::new(bead, start, Rk4::new(1e-3))?;
    run.run_until(2.0)?;
    let State { q, v, .. } = run.state();
    let expected = speed * (-mu * q.y.atan2(q.x)).exp();
    assert!((v.norm() - expected).abs() < 1e-11, "{v} {expected}");
    assert!(run.contact_forces()?[0] < 0.0);
    Ok(())
}

/// θ of a bead on a ring in a vertical plane, from the lowest point: r θ̈ = −g sin θ − μ |r θ̇² + g cos θ| sgn θ̇, by steps
/// of their own.
fn angle_on_ring([r, mu, g]: [f64; 3], mut rate: f64, end: f64) -> f64 {
    let slope = |[angle, rate]: [f64; 2]| {
        let press = r * rate * rate + g * angle.cos();
        [rate, (-g * angle.sin() - mu * press.abs()) / r]
    };
    let (steps, mut angle) = (20_000, 0.0);
    let h = end / f64::from(steps);
    for _ in 0..steps {
        let y = [angle, rate];
        let at = |k: [f64; 2], part: f64| [y[0] + h * part * k[0], y[1] + h * part * k[1]];
        let a = slope(y);
        let b = slope(at(a, 0.5));
        let c = slope(at(b, 0.5));
        let d = slope(at(c, 1.0));
        angle += h / 6.0 * (a[0] + 2.0 * (b[0] + c[0]) + d[0]);
        rate += h / 6.0 * (a[1] + 2.0 * (b[1] + c[1]) + d[1]);
    }
    angle
}

/// Near the top the wire pulls the bead down, above it pushes it up: between them λ = 0, where friction has a corner.
#[test]
fn the_force_of_a_wire_changes_its_sign() -> Result<(), Error> {
    let (r, mu, g, speed, end): (f64, f64, f64, f64, f64) = (1.0, 0.05, 9.81, 6.8, 0.7);
    let bead = Particle::new(0.7)
        .bounded_by(Ring { r, mu })
        .under_gravity([0.0, -g]);
    let start = State::new(0.0, [0.0, -r], [speed, 0.0]);
    let mut run = ContactSimulation::new(bead, start, Rk4::new(1e-3))?;
    let mut modes = Vec::new();
    run.run_until_with(end, |event| modes.push(event.kind))?;
    let (pulls, pushes) = (RowMode::BackwardPulled, RowMode::Backward);
    let change = |from, to| TransitionKind::Mode { from, to };
    let reversed = [RowMode::ForwardPulled, RowMode::Forward];
    let signs = [change(pulls, pushes), change(reversed[0], reversed[1])];
    assert!(signs.contains(&modes[0]), "{modes:?}");
    let expected = angle_on_ring([r, mu, g], speed / r, end);
    let q: Vector2<f64> = run.state().q;
    let angle = q.x.atan2(-q.y).rem_euclid(core::f64::consts::TAU);
    assert!((angle - expected).abs() < 1e-7, "{angle} {expected}");
    Ok(())
}

system! {
    /// A bead on a ring in a vertical plane, with a stop.
    struct Stopped { m: Real = 1, r: Real = 1, mu: Real = 0.2, e: Real = 0.5, g: Real = 9.81 }
    particle p: Point2 { mass: m }
    gravity [0, -g];
    constraint ring: norm(p) == r { friction: mu, slip: dot(velocity(p), perp(p))/r };
    constraint stop: p.x <= r/2 { restitution: e };
}

/// Energy never rises by more than rounding and changes by the work of the rows; the bead stays on the ring, before the stop,
/// and comes to rest.
#[test]
fn beads_with_friction_lose_energy_alone() -> Result<(), Error> {
    let cases = std::env::var("CONSTRAINT_CASES").map_or(6, |it| it.parse().unwrap());
    let mut at_rest = 0;
    for seed in 0..cases {
        let mut random = Random::new(seed);
        let angle = random.between(2.7, 6.6);
        let (sin, cos) = angle.sin_cos();
        let speed = random.between(-5.0, 5.0);
        let (q, v) = ([cos.min(0.5 - 1e-9), sin], [-speed * sin, speed * cos]);
        let norm = f64::hypot(q[0], q[1]);
        let q = q.map(|it| it / norm);
        if q[0] > 0.5 {
            continue;
        }
        let along = (v[1] * q[0] - v[0] * q[1]).abs() * speed.signum();
        let start = State::new(0.0, q, [-along * q[1], along * q[0]]);
        let mut run = ContactSimulation::new(Stopped::<f64>::default(), start, Rk4::new(5e-3))?;
        let start_energy = run.energy() - run.contact_work().sum();
        let mut energy = run.energy();
        for tenth in 1..=60 {
            run.run_until(0.1 * f64::from(tenth))?;
            assert!(run.energy() <= energy + 1e-8, "{seed} at {tenth}");
            energy = run.energy();
            let q: Vector2<f64> = run.state().q;
            assert!(
                (q.norm() - 1.0).abs() < 1e-9 && q.x < 0.5 + 1e-9,
                "{seed}: {q}"
            );
        }
        let lost = run.contact_work().sum();
        assert!(
            (energy - start_energy - lost).abs() < 1e-5,
            "{seed}: {lost}"
        );
        at_rest += usize::from(run.modes()[0] == RowMode::Sticking);
    }
    assert!(2 * at_rest as u64 > cases, "{at_rest}");
    Ok(())
}

system! {
    /// A wheel that a motor drives against a load that grows.
    struct Driven { i: Real = 2, torque: Real = 5, speed: Real = 3, load: Real = 1, growth: Real = 0 }
    coordinate angle;
    kinetic i/2*velocity(angle)^2;
    force angle: -load - growth*t;
    motor drive: velocity(angle) == speed { most: torque };
}

/// With all its torque the motor reaches its speed at I ω/(τ − load); then it gives as much as the load.
#[test]
fn a_motor_reaches_its_speed_and_carries_the_load() -> Result<(), Error> {
    let driven = Driven::<f64>::default();
    let start = State::new(0.0, [0.0], [0.0]);
    let mut run = ContactSimulation::new(driven, start, Rk4::new(0.1))?;
    assert_eq!(<Driven<f64> as OneSided<f64>>::GAPS, ["drive"]);
    assert_eq!(run.modes(), [RowMode::Backward]);
    let mut events = Vec::new();
    run.run_until_with(4.0, |event| events.push((event.time, event.kind)))?;
    let reached = 2.0 * 3.0 / (5.0 - 1.0);
    let (from, to) = (RowMode::Backward, RowMode::Sticking);
    assert_eq!(events.len(), 1, "{events:?}");
    assert!((events[0].0 - reached).abs() < 1e-13);
    assert_eq!(events[0].1, TransitionKind::Mode { from, to });
    assert!((run.state().v[0] - 3.0).abs() < 1e-14);
    // The bound, and the torque.
    let [bound, torque] = run.contact_forces()?.into();
    assert!(bound == 5.0 && (torque - 1.0).abs() < 1e-13);
    // Its work: all of the kinetic energy, and the load over the angle.
    let angle = 0.5 * 3.0 * reached + 3.0 * (4.0 - reached);
    assert!((run.state().q[0] - angle).abs() < 1e-12);
    let work = run.contact_work();
    assert!(
        (work[1] - (9.0 + angle)).abs() < 1e-11 && work[0] == 0.0,
        "{work}"
    );
    Ok(())
}

/// A load that grows beyond the bound drags the motor from t₁ on: ω = ω₀ − k (t − t₁)²/(2 I).
#[test]
fn a_load_above_the_bound_drags_a_motor() -> Result<(), Error> {
    let driven = Driven::<f64> {
        growth: 2.0,
        ..Driven::default()
    };
    let start = State::new(0.0, [0.0], [3.0]);
    let mut run = ContactSimulation::new(driven, start, Rk4::new(0.1))?;
    assert_eq!(run.modes(), [RowMode::Sticking]);
    let mut events = Vec::new();
    run.run_until_with(5.0, |event| events.push((event.time, event.kind)))?;
    let from = RowMode::Sticking;
    let to = RowMode::Backward;
    assert_eq!(events.len(), 1, "{events:?}");
    assert!((events[0].0 - 2.0).abs() < 1e-9, "{events:?}");
    assert_eq!(events[0].1, TransitionKind::Mode { from, to });
    let speed = 3.0 - 2.0 * 9.0 / 4.0;
    assert!((run.state().v[0] - speed).abs() < 1e-8, "{}", run.state().v);
    // A brake is a motor whose speed is zero: it holds what is below its bound.
    let braked = Driven::<f64> {
        speed: 0.0,
        ..Driven::default()
    };
    let start = State::new(0.0, [0.0], [-4.0]);
    let mut run = ContactSimulation::new(braked, start, Rk4::new(0.1))?;
    run.run_until(4.0)?;
    let stopped = 2.0 * 4.0 / (5.0 - 1.0);
    assert!((run.state().q[0] + 0.5 * 4.0 * stopped).abs() < 1e-12);
    assert_eq!(run.modes(), [RowMode::Sticking]);
    Ok(())
}

/// Bounds must be positive numbers.
#[test]
fn a_motor_with_a_negative_bound_is_refused() {
    let driven = Driven::<f64> {
        torque: -1.0,
        ..Driven::default()
    };
    let start = State::new(0.0, [0.0], [0.0]);
    let refused = ContactSimulation::new(driven, start, Rk4::new(0.1)).unwrap_err();
    assert!(refused.to_string().contains("`drive`"), "{refused}");
}
