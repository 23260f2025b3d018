//! Inverse kinematics: targets in reach, out of reach and beyond limits, of arms and of closed mechanisms.

use constraint_runtime::nalgebra::SVector;
use constraint_runtime::prelude::*;
use constraint_runtime::{CoordinateLimits, reach};

use crate::random::Random;

system! {
    /// Seven joints with the lengths of a common arm; equal rotors.
    #[task_space]
    pub struct Seven { rotor: Real = 1 }
    coordinate q[7];
    kinetic sum(k in 0..7: rotor/2*velocity(q[k])^2);
    let shoulder = pose([0, 0, 0.36], [0, 0, 1], q[0]) * pose([0, 0, 0], [0, 1, 0], q[1]);
    let elbow = shoulder * pose([0, 0, 0.42], [0, 0, 1], q[2]) * pose([0, 0, 0], [0, 1, 0], q[3]);
    let wrist = elbow * pose([0, 0, 0.4], [0, 0, 1], q[4]) * pose([0, 0, 0], [0, 1, 0], q[5]);
    let hand = wrist * pose([0, 0, 0.126], [0, 0, 1], q[6]);
    output tip = at(hand, [0.05, 0, 0.1]);
    output across = dir(hand, [1, 0, 0]);
    output along = dir(hand, [0, 0, 1]);
}

system! {
    /// Six joints, the last three with offsets, and heavy links.
    #[task_space]
    pub struct Six { m: Real = 4, i: Real = 0.02 }
    coordinate q[6];
    kinetic sum(k in 3..6: i/2*velocity(q[k])^2);
    let turret = pose([0, 0, 0.09], [0, 0, 1], q[0]);
    body upper: Rigid3 = turret * pose([0, 0.14, 0], [0, 1, 0], q[1]) * pose([0.21, 0, 0])
        { mass: 2*m, inertia: [i/4, 4*i, 4*i] }
    body fore: Rigid3 = upper * pose([0.21, -0.12, 0], [0, 1, 0], q[2]) * pose([0.2, 0, 0])
        { mass: m, inertia: [i/8, 2*i, 2*i] }
    let wrist = fore * pose([0.19, 0.09, 0], [0, 1, 0], q[3]) * pose([0, 0, -0.09], [0, 0, 1], q[4]);
    let hand = wrist * pose([0, 0.08, 0], [0, 1, 0], q[5]);
    output tip = at(hand, [0, 0.05, 0.02]);
    output across = dir(hand, [1, 0, 0]);
    output along = dir(hand, [0, 0, 1]);
}

/// Random targets in reach: from nearby always, from the middle with a few restarts.
macro_rules! reaches {
    ($arm:ident, $outputs:ident, $n:literal, $limit:expr) => {{
        let pose = |y: &$outputs<f64>| -> SVector<f64, 9> {
            let [r, a, b] = [y.tip, y.across, y.along];
            SVector::from([r.x, r.y, r.z, a.x, a.y, a.z, b.x, b.y, b.z])
        };
        let (arm, still) = ($arm::<f64>::default(), SVector::<f64, $n>::zeros());
        let limit = SVector::<f64, $n>::from($limit);
        let limits = CoordinateLimits::between(-limit, limit);
        let mut random = Random::new($n);
        for case in 0..40 {
            let wanted = limit.map(|most| random.between(-most, most));
            let target = pose(&arm.outputs(0.0, &wanted, &still)?);
            let near = wanted.zip_map(&limit, |x, most| {
                (x + random.between(-0.2, 0.2)).clamp(-most, most)
            });
            let starts = [(near, limits), (still, limits.restarts(50))];
            for (mut q, limits) in starts {
                reach(&arm, 0.0, &mut q, &limits, pose, target)?;
                let found = pose(&arm.outputs(0.0, &q, &still)?);
                assert!(
                    (found - target).amax() < 1e-13,
                    "{case}: {}",
                    found - target
                );
                assert!((0..$n).all(|k| q[k].abs() <= limit[k]), "{case}: {q}");
            }
        }
    }};
}

#[test]
fn arms_reach_what_is_in_reach() -> Result<(), Error> {
    reaches!(
        Seven,
        SevenOutputs,
        7,
        [2.96, 2.09, 2.96, 2.09, 2.96, 2.09, 3.05]
    );
    reaches!(Six, SixOutputs, 6, [3.1, 3.1, 2.8, 3.1, 3.1, 3.1]);
    Ok(())
}

/// The arm points at what is too far: the distance left is known.
#[test]
fn the_nearest_place_to_what_is_too_far() {
    let (arm, still) = (Seven::<f64>::default(), SVector::<f64, 7>::zeros());
    let limit = SVector::from([2.96, 2.09, 2.96, 2.09, 2.96, 2.09, 3.05]);
    let limits = CoordinateLimits::between(-limit, limit);
    let shoulder = Vector3::new(0.0, 0.0, 0.36);
    // The tip is off the axis of the last link.
    let length = 0.42 + 0.4 + 0.226_f64.hypot(0.05);
    let mut random = Random::new(3);
    for _ in 0..10 {
        let (polar, around) = (random.between(0.2, 1.8), random.between(-2.5, 2.5));
        let direction = Vector3::new(
            f64::sin(polar) * f64::cos(around),
            f64::sin(polar) * f64::sin(around),
            f64::cos(polar),
        );
        let excess = random.between(0.01, 3.0);
        let target = shoulder + direction * (length + excess);
        let mut q = limit.map(|most| random.between(-most / 2.0, most / 2.0));
        let missed = reach(&arm, 0.0, &mut q, &limits.restarts(8), |y| y.tip, target);
        let tip = arm.outputs(0.0, &q, &still).expect("nothing is solved").tip;
        let off = target - tip;
        assert!(
            (off - direction * excess).norm() < 1e-7,
            "{off}{direction}{excess}"
        );
        assert!((off.norm() - excess).abs() < 1e-12);
        let Err(Error::NotReached {
            component,
            residual,
            ..
        }) = missed
        else {
            panic!("{missed:?}");
        };
        assert_eq!((component, residual), (off.icamax(), off[off.icamax()]));
        assert!((0..7).all(|k| q[k].abs() <= limit[k]));
    }
}

system! {
    /// Two links; the second angle is relative to the first link.
    #[task_space]
    pub struct Two { l: Real = 1 }
    coordinate q[2];
    let upper = pose([0, 0], q[0]) * pose([l, 0]);
    let fore = upper * pose([0, 0], q[1]);
    particle elbow = at(upper, [0, 0]) { mass: 1 }
    particle tip = at(fore, [l, 0]) { mass: 2 }
    output at = tip;
    output speed = velocity(tip);
    output fast = norm_squared(velocity(tip));
}

#[test]
fn limits_hold() -> Result<(), Error> {
    let arm = Two::<f64>::default();
    let limits = CoordinateLimits::between([-3.0, 0.5], [f64::INFINITY, 2.5]);
    let to = |q: &mut Vector2<f64>, target| reach(&arm, 0.0, q, &limits, |y| y.at, target);
    // A start beyond its limits is moved into them.
    let mut q = Vector2::new(0.2, 0.0);
    let error = to(&mut q, Vector2::new(0.0, 2.0)).expect_err("the elbow stays bent");
    let left = 2.0 - 2.0 * 0.25_f64.cos();
    let Error::NotReached {
        component,
        residual,
        at_limits,
        steps,
    } = error
    else {
        panic!("{error}");
    };
    assert_eq!((component, at_limits, q[1]), (1, 1, 0.5));
    assert!((residual - left).abs() < 1e-14);
    // Newton's method needs few, also where a distance is left.
    assert!(steps < 12, "{steps}");
    // A straight arm whose target is behind its tip has no slope.
    let mut q = Vector2::zeros();
    let none = CoordinateLimits::none();
    reach(&arm, 0.0, &mut q, &none, |y| y.at, Vector2::new(1.0, 0.0))?;
    assert!((q[1].abs() - f64::acos(-0.5)).abs() < 1e-14);
    // A limit that holds for a while only.
    let mut q = Vector2::new(0.3, 0.5);
    to(&mut q, Vector2::new(-0.5, 0.9))?;
    let cos = (0.25 + 0.81) / 2.0 - 1.0;
    assert!((q[1] - f64::acos(cos)).abs() < 1e-14);
    // The same place with the elbow to the other side is not allowed.
    let mut q = Vector2::new(2.0, 2.5);
    let other = CoordinateLimits::between([-9.0, -2.5], [9.0, -0.1]);
    reach(
        &arm,
        0.0,
        &mut q,
        &other.restarts(5),
        |y| y.at,
        Vector2::new(-0.5, 0.9),
    )?;
    assert!((q[1] + f64::acos(cos)).abs() < 1e-14);
    Ok(())
}

#[test]
fn what_cannot_be_searched_is_an_error() {
    let arm = Two::<f64>::default();
    let start = Vector2::new(0.3, 0.4);
    let mut q = start;
    let empty = CoordinateLimits::between([0.0, 1.0], [1.0, 0.9]);
    let error = reach(&arm, 0.0, &mut q, &empty, |y| y.at, Vector2::zeros());
    assert_eq!(
        error.expect_err("an empty range").to_string(),
        "coordinate `q[1]` cannot have the limits 1 and 0.9: they are reversed or not numbers, or the coordinate belongs to a rotation"
    );
    let none = CoordinateLimits::none();
    let error = reach(
        &arm,
        0.0,
        &mut q,
        &none,
        |y| [y.fast].into(),
        SVector::from([1.0]),
    );
    assert_eq!(error, Err(Error::NoJacobian { component: 0 }));
    // Coordinates do not change velocities.
    let error = reach(
        &arm,
        0.0,
        &mut q,
        &none,
        |y| y.speed,
        Vector2::new(1.0, 0.0),
    );
    assert!(matches!(error, Err(Error::NotReached { .. })));
    let nan = Vector2::new(0.0, f64::NAN);
    let error = reach(&arm, 0.0, &mut q, &none, |y| y.at, nan);
    assert_eq!(
        error.expect_err("NaN").to_string(),
        "target 1 is NaN at t = 0"
    );
    assert_eq!(q, start);
}

system! {
    /// A crank that moves a slider by a rod.
    #[task_space]
    pub struct Press { m: Real = 2, i: Real = 0.3, r: Real = 0.4, l: Real = 1.1 }
    body crank: Rigid2 { mass: m, inertia: i }
    body rod: Rigid2 { mass: m, inertia: i }
    coordinate x;
    particle slider = [x, 0] { mass: m }
    constraint axle: at(crank, [0, 0]) == [0, 0];
    constraint pin: at(crank, [r, 0]) == at(rod, [-l/2, 0]);
    constraint end: at(rod, [l/2, 0]) == slider;
    output at = slider.x;
    output middle = at(rod, [0, 0]);
}

#[test]
fn closed_mechanisms_stay_closed() -> Result<(), Error> {
    let press = Press::<f64>::default();
    let start = PressCoordinates {
        crank: Rigid2::identity(),
        rod: Rigid2::new(Vector2::new(0.95, 0.0), 0.0),
        x: 1.5,
    };
    let bent = |angle: f64| {
        let pin = 0.4 * Vector2::new(angle.cos(), angle.sin());
        let x = pin.x + (1.21 - pin.y * pin.y).sqrt();
        let crank = Rigid2::new(Vector2::zeros(), angle);
        let rod = Rigid2::new(
            (pin + Vector2::new(x, 0.0)) / 2.0,
            (-pin.y).atan2(x - pin.x),
        );
        SVector::from(PressCoordinates { crank, rod, x })
    };
    let closed = |q: &SVector<f64, 9>| press.constraint(0.0, q).amax() < 1e-14;
    let mut q = bent(0.8);
    let to = |q: &mut SVector<f64, 9>, limits: &CoordinateLimits<_>, x: f64| {
        reach(&press, 0.0, q, limits, |y| [y.at].into(), [x].into())
    };
    to(&mut q, &CoordinateLimits::none(), bent(2.0)[8])?;
    assert!((q - bent(2.0)).amax() < 1e-13 && closed(&q));
    // The end of the stroke.
    let error = to(&mut q, &CoordinateLimits::none(), 1.7).expect_err("too far");
    let Error::NotReached {
        residual,
        at_limits: 0,
        ..
    } = error
    else {
        panic!("{error}");
    };
    assert!((residual - 0.2).abs() < 1e-12 && closed(&q));
    assert!((q - SVector::from(start)).amax() < 1e-5);
    // A limit on the slider, met along the constraints.
    let mut lower = SVector::<f64, 9>::repeat(f64::NEG_INFINITY);
    let mut upper = -lower;
    (lower[8], upper[8]) = (0.9, 1.2);
    let limits = CoordinateLimits::between(lower, upper);
    let mut q = bent(1.5);
    let error = to(&mut q, &limits, 1.4).expect_err("beyond the limit");
    assert!(matches!(error, Error::NotReached { at_limits: 1, .. }));
    assert!(q[8] == 1.2 && closed(&q));
    // A start beyond it, far from the target.
    let mut q = bent(0.3);
    to(&mut q, &limits, 1.0)?;
    assert!((q[8] - 1.0).abs() < 1e-14 && closed(&q));
    // Rotations have none.
    upper[2] = 0.5;
    let error = to(&mut q, &CoordinateLimits::between(lower, upper), 1.0);
    assert!(matches!(error, Err(Error::InvalidCoordinateLimits { .. })));
    Ok(())
}
