//! `constraint!` with `>=` and `<=`: points within constraints of one side, against mechanics by hand.

use constraint_runtime::prelude::*;
use constraint_runtime::{RowMode, TransitionKind};

constraint! {
    /// A ring in which a bead slides; the gap is not a length.
    struct Ring { r: Real, mu: Real }
    |p: Point2| { let square = norm_squared(p); square <= r^2 { friction: mu } }
}

/// Without gravity a bead inside a ring loses speed by v̇ = −μ v²/r: v = v₀/(1 + μ v₀ t/r), with μ of the normal force
/// however the gap is scaled.
#[test]
fn friction_by_default_acts_along_the_tangent() -> Result<(), Error> {
    let (r, mu, speed, end): (f64, _, _, _) = (2.0, 0.3, 1.5, 3.0);
    for sign in [1.0, -1.0] {
        let bead = Particle::new(0.7).bounded_by(Ring { r, mu });
        let start = State::new(0.0, [r, 0.0], [0.0, sign * speed]);
        let mut run = ContactSimulation::new(bead, start, Rk4::new(1e-3))?;
        let slides = [RowMode::Forward, RowMode::Backward];
        assert!(slides.contains(&run.modes()[0]), "{:?}", run.modes());
        run.run_until(end)?;
        let expected = speed / (1.0 + mu * speed * end / r);
        let v: Vector2<f64> = run.state().v;
        assert!((v.norm() - expected).abs() < 1e-11, "{v} {expected}");
        assert!((run.state().q.norm() - r).abs() < 1e-12);
    }
    Ok(())
}

constraint! {
    /// A room that is open above, one side of which moves.
    struct Room { e: Real }
    |x, y, time: Time| [y >= 0 { restitution: e }, x <= 1 + time/10 { restitution: 1 }, x >= -1 { restitution: 1 }]
}

/// It bounces with e on the floor, and leaves the wall that moves away with 2·0.1 less speed.
#[test]
fn a_point_bounces_in_a_room() -> Result<(), Error> {
    assert_eq!(
        <Room as OneSided<f64>>::GAPS,
        ["room[0]", "room[1]", "room[2]"]
    );
    let (g, h, e): (f64, _, f64) = (10.0, 1.25, 0.6);
    let point = Particle::new(3.0)
        .bounded_by(Room { e })
        .under_gravity([0.0, -g]);
    let start = State::new(0.0, [0.0, h], [2.0, 0.0]);
    let mut run = ContactSimulation::new(point, start, Rk4::new(0.1))?;
    let mut impacts = Vec::new();
    run.run_until_with(1.0, |event| {
        if let TransitionKind::Impact { energy, .. } = event.kind {
            impacts.push((event.constraint, event.time, energy));
        }
    })?;
    // 2 t = 1 + t/10, and the floor at t = 1/2 takes m (1 − e²) v²/2 with v = 5.
    let wall = 1.0 / 1.9;
    assert_eq!([impacts[0].0, impacts[1].0], ["room[0]", "room[1]"]);
    assert!((impacts[0].1 - 0.5).abs() < 1e-13 && (impacts[1].1 - wall).abs() < 1e-13);
    assert!((impacts[0].2 + 1.5 * (1.0 - e * e) * 25.0).abs() < 1e-11);
    let State { q, v, .. } = run.state();
    assert!((v.x + 1.8).abs() < 1e-13, "{v}");
    let after = 0.5 * (e * 5.0) - g * 0.25 / 2.0;
    assert!((q.y - after).abs() < 1e-12, "{q} {after}");
    Ok(())
}

constraint! {
    /// A floor.
    pub struct Floor;
    |p: Point3| p.z >= 0 { friction: 1/4, slip: velocity(p).x }
}

/// In space a slip is given: friction acts along it alone. As it is, the type moves like a free point of mass 1.
#[test]
fn a_slip_in_space_is_given() -> Result<(), Error> {
    let sled = Particle::new(2.0)
        .bounded_by(Floor)
        .under(|_, _, _| Vector3::new(0.0, 0.0, -8.0));
    let start = || State::new(0.0, [0.0; 3], [1.5, 1.0, 0.0]);
    let mut run = ContactSimulation::new(sled, start(), Rk4::new(0.1))?;
    run.run_until(1.0)?;
    // a = μ N/m = 1
    let v: Vector3<f64> = run.state().v;
    assert!((v - Vector3::new(0.5, 1.0, 0.0)).norm() < 1e-13, "{v}");
    let mut alone = ContactSimulation::new(Floor, start(), Rk4::new(0.1))?;
    alone.run_until(1.0)?;
    assert_eq!(alone.state().v, Vector3::new(1.5, 1.0, 0.0));
    let heavy = Particle::new(-1.0).bounded_by(Floor);
    assert!(ContactSimulation::new(heavy, start(), Rk4::new(0.1)).is_err());
    Ok(())
}
