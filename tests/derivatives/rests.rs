//! Rest is decided by what acts: stiff springs beside weights, coordinates measured from rest, all units, places far
//! away, and what allows no rest.

use constraint_runtime::Equilibrium;
use constraint_runtime::equilibrium;
use constraint_runtime::prelude::*;

use crate::random::Random;

system! {
    /// A bob on a spring of any stiffness, in a wind.
    #[derivatives]
    struct Hung { m: Real = 1, l: Real = 1, k: Real = 1e8, wind: Real = 0, g: Real = 9.81 }
    particle bob: Point2 { mass: m }
    gravity [wind, -g];
    potential k/2*(norm(bob) - l)^2;
}

/// The spring along the pull (wind, −g) or against it, stretched by m |pull|/k or pressed together by as much.
#[track_caller]
fn hangs_or_leans(hung: &Hung, rest: &Equilibrium<Vector2<f64>, SVector<f64, 0>>) {
    let pull = Vector2::new(hung.wind, -hung.g);
    let stretch = hung.m * pull.norm() / hung.k;
    let ends = [hung.l + stretch, stretch - hung.l].map(|length| pull.normalize() * length);
    let size = hung.l + stretch;
    let near = |end: &Vector2<f64>| (rest.q - end).norm() <= 1e-14 * size;
    assert!(ends.iter().any(near), "{hung:?}: {rest:?}, not of {ends:?}");
}

/// v̇ is compared with the weight: the stiffest spring must not decide what all other directions may be off by.
#[test]
fn a_bob_rests_below_or_above_on_a_spring_of_any_stiffness() {
    let starts = [
        [0.1, -1.0],
        [1.0, 0.2],
        [1.0, 0.0],
        [-2.0, 3.0],
        [1e-3, 0.99],
        [0.0, -1.0],
    ];
    for exponent in -3..=12 {
        for (start, wind) in starts
            .iter()
            .flat_map(|&start| [(start, 0.0), (start, 6.5)])
        {
            let hung = Hung {
                k: 10.0_f64.powi(exponent),
                wind,
                ..Hung::default()
            };
            let rest = equilibrium(&hung, State::new(0.0, start, [0.0; 2]));
            hangs_or_leans(
                &hung,
                &rest.unwrap_or_else(|error| panic!("{hung:?} {start:?}: {error}")),
            );
        }
    }
}

/// In μg and km, or in kt and μm.
#[test]
fn units_change_no_rest() {
    for (mass, length) in [
        (1e-9, 1e-3),
        (1e6, 1e6),
        (1e-6, 1e6),
        (1e9, 1e-6),
        (1e-60, 1e60),
        (1e60, 1e-100),
    ] {
        for k in [1e-3, 1e3, 1e9] {
            // The same motion in time: k per mass, g and the wind per length.
            let hung = Hung {
                m: mass,
                l: length,
                k: k * mass,
                wind: 3.0 * length,
                g: 9.81 * length,
            };
            let start = State::new(0.0, [0.1 * length, -length], [0.0; 2]);
            hangs_or_leans(
                &hung,
                &equilibrium(&hung, start).unwrap_or_else(|error| panic!("{hung:?}: {error}")),
            );
        }
    }
}

system! {
    /// A bob on a rod from a light pin in a stiff bush.
    #[derivatives]
    struct Bush { m: Real = 1, pin: Real = 0.001, l: Real = 1, k: Real = 1e8, g: Real = 9.81 }
    particle p: Point2 { mass: pin }
    particle bob: Point2 { mass: m }
    constraint rod: norm(bob - p) == l;
    gravity [0, -g];
    potential k/2*norm_squared(p);
}

/// The bush gives way by the weight of both over k, and λ is the bob's weight.
#[test]
fn a_light_pin_in_a_stiff_bush_does_not_hide_the_bob() {
    for (k, pin) in [1.0, 1e3, 1e6, 1e8, 1e9, 1e12]
        .iter()
        .flat_map(|&k| [1e-9, 1e-3, 1e-2, 0.1, 1.0, 1e3].map(|pin| (k, pin)))
    {
        let bush = Bush {
            k,
            pin,
            ..Bush::default()
        };
        let rest = equilibrium(&bush, State::new(0.0, [0.0, 0.0, 0.1, -1.0], [0.0; 4]));
        let rest = rest.unwrap_or_else(|error| panic!("{bush:?}: {error}"));
        let sag = (bush.m + pin) * bush.g / k;
        let expected = SVector::from([0.0, -sag, 0.0, -sag - bush.l]);
        assert!(
            (rest.q - expected).norm() <= 1e-13 * (1.0 + sag),
            "{bush:?}: {rest:?}"
        );
        assert!(
            (rest.multipliers[0] + bush.g).abs() <= 1e-12 * bush.g,
            "{bush:?}: {rest:?}"
        );
    }
}

system! {
    /// Two weights, one below the other, on springs of any two stiffnesses.
    #[derivatives]
    struct Two { m: Real = 1, upper: Real = 1, lower: Real = 1, l: Real = 1, g: Real = 9.81 }
    particle a: Point2 { mass: m }
    particle b: Point2 { mass: m }
    gravity [0, -g];
    potential upper/2*(norm(a) - l)^2 + lower/2*(norm(b - a) - l)^2;
}

#[test]
fn stiff_springs_beside_soft_ones_leave_each_at_rest() {
    let stiffnesses = [1e-3, 1.0, 1e3, 1e6, 1e9, 1e12];
    for (upper, lower) in stiffnesses
        .iter()
        .flat_map(|&a| stiffnesses.map(|b| (a, b)))
    {
        let two = Two {
            upper,
            lower,
            ..Two::default()
        };
        let start = State::new(0.0, [0.1, -1.0, 0.2, -2.0], [0.0; 4]);
        match equilibrium(&two, start) {
            Ok(rest) => {
                let a = -two.l - 2.0 * two.m * two.g / upper;
                let expected = SVector::from([0.0, a, 0.0, a - two.l - two.m * two.g / lower]);
                let off = (rest.q - expected).norm();
                assert!(
                    off <= 1e-13 * expected.norm(),
                    "{two:?}: {rest:?}, off by {off}"
                );
            }
            // Beside 1e12 N/m, 16 digits do not show 1e-3 N/m in another direction.
            Err(error @ (Error::NoEquilibrium { .. } | Error::NotIsolated { .. })) => {
                assert!(lower / upper > 1e13, "{two:?}: {error}");
            }
            Err(error) => panic!("{two:?}: {error}"),
        }
    }
}

system! {
    /// Weights whose heights are measured from where they rest: q = 0 has no size.
    #[derivatives]
    struct FromRest { m: Real = 1, k: Real = 100, s: Real = 0.0981, g: Real = 9.81 }
    coordinate x, y;
    particle p = [0, x] { mass: m }
    particle r = [1, y] { mass: m }
    force x: -k*(x + s) + m*g + k/3*(y - x);
    force y: -k*(y + s) + m*g - k/3*(y - x);
}

/// From there and from elsewhere: what rounding leaves of forces that cancel is rest.
#[test]
fn a_place_at_zero_is_as_good_as_any() {
    let mut random = Random::new(1);
    for case in 0..500 {
        let [m, k] = [random.between(0.1, 2.0), random.between(1.0, 100.0)];
        let system = FromRest {
            m,
            k,
            s: m * 9.81 / k,
            g: 9.81,
        };
        let far = f64::from(u8::from(case % 2 == 0)) * random.between(-0.5, 0.5);
        let rest = equilibrium(&system, State::new(0.0, [far, -far / 3.0], [0.0; 2]));
        let rest = rest.unwrap_or_else(|error| panic!("{system:?} {far}: {error}"));
        assert!(
            rest.q.norm() <= 1e-15 * (1.0 + system.s),
            "{system:?}: {rest:?}"
        );
    }
}

system! {
    /// Twelve rods by the angles of each: M depends on them all.
    #[derivatives]
    struct Angles { m: Real = 1, l: Real = 1, g: Real = 9.81 }
    coordinate a[12];
    particle p0 = l*[sin(a[0]), -cos(a[0])] { mass: m }
    particle p1 = p0 + l*[sin(a[1]), -cos(a[1])] { mass: m }
    particle p2 = p1 + l*[sin(a[2]), -cos(a[2])] { mass: m }
    particle p3 = p2 + l*[sin(a[3]), -cos(a[3])] { mass: m }
    particle p4 = p3 + l*[sin(a[4]), -cos(a[4])] { mass: m }
    particle p5 = p4 + l*[sin(a[5]), -cos(a[5])] { mass: m }
    particle p6 = p5 + l*[sin(a[6]), -cos(a[6])] { mass: m }
    particle p7 = p6 + l*[sin(a[7]), -cos(a[7])] { mass: m }
    particle p8 = p7 + l*[sin(a[8]), -cos(a[8])] { mass: m }
    particle p9 = p8 + l*[sin(a[9]), -cos(a[9])] { mass: m }
    particle p10 = p9 + l*[sin(a[10]), -cos(a[10])] { mass: m }
    particle p11 = p10 + l*[sin(a[11]), -cos(a[11])] { mass: m }
    gravity [0, -g];
}

system! {
    /// The same by points.
    #[derivatives]
    struct Points { m: Real = 1, l: Real = 1, g: Real = 9.81 }
    particle bead[12]: Point2 { mass: m }
    constraint anchor: norm(bead[0]) == l;
    constraint link[i in 1..12]: norm(bead[i] - bead[i - 1]) == l;
    gravity [0, -g];
}

/// Each rod ends up vertical, hanging from mild starts.
#[test]
fn a_chain_rests_by_its_angles_as_by_its_points() {
    for (amplitude, frequency) in [(0.5, 1.0), (1.0, 1.0), (0.9, 5.0), (1.5, 1.0), (3.0, 2.3)] {
        let angles: [f64; 12] = std::array::from_fn(|i| amplitude * (frequency * i as f64).sin());
        let rest = equilibrium(&Angles::default(), State::new(0.0, angles, [0.0; 12]));
        let rest = rest.unwrap_or_else(|error| panic!("{amplitude}: {error}"));
        let is_mild = amplitude < 1.5;
        for &a in rest.q.iter() {
            let off = if is_mild { a.abs() } else { a.sin().abs() };
            assert!(off < 1e-13, "{amplitude}: {rest:?}");
        }
        let mut at = Point2::origin();
        let bead = angles.map(|a| {
            at += Vector2::new(a.sin(), -a.cos());
            at
        });
        let start = State::new(0.0, PointsCoordinates { bead }, PointsVelocities::default());
        let rest = equilibrium(&Points::default(), start);
        let rest = rest.unwrap_or_else(|error| panic!("{amplitude}: {error}"));
        let PointsCoordinates { bead } = rest.q.into();
        assert!(bead.iter().all(|bead| bead.x.abs() < 1e-13), "{bead:?}");
        assert!(!is_mild || (bead[11].y + 12.0).abs() < 1e-12, "{bead:?}");
    }
}

system! {
    /// A rod that grows, at the rate `r` and faster and faster.
    #[derivatives]
    struct Grow { m: Real = 1, l: Real = 1, r: Real = 1, faster: Real = 0, g: Real = 9.81 }
    particle p: Point2 { mass: m }
    constraint rod: norm(p) == l + r*t + faster*t^2;
    gravity [0, -g];
}

system! {
    /// A point that must go on.
    #[derivatives]
    struct Drive { m: Real = 1 }
    particle p: Point2 { mass: m }
    constraint drive: velocity(p).x == 1;
    potential norm_squared(p);
}

/// Nothing rests on a row that moves, and the error says how fast; one that has stopped holds as one that stands still.
#[test]
fn a_row_that_moves_lets_nothing_rest() -> Result<(), Error> {
    let start = |t| State::new(t, [0.1, -0.9], [0.0; 2]);
    let moving = |rate, acceleration| move |error| matches!(error, Error::MovingRow { row, rate: r, acceleration: a } if row.index == 0 && r == rate && a == acceleration);
    for t in [0.0, 0.5] {
        assert!(equilibrium(&Grow::default(), start(t)).is_err_and(moving(-1.0, 0.0)));
    }
    let faster = Grow {
        r: 0.0,
        faster: 2.0,
        ..Grow::default()
    };
    assert!(equilibrium(&faster, start(0.0)).is_err_and(moving(0.0, -4.0)));
    assert!(equilibrium(&Drive::default(), start(0.0)).is_err_and(moving(-1.0, 0.0)));
    let error = equilibrium(&Drive::default(), start(0.0)).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("nothing can rest on constraint `drive`"),
        "{error}"
    );

    let still = equilibrium(
        &Grow {
            r: 0.0,
            ..Grow::default()
        },
        start(3.0),
    )?;
    assert_eq!(still.q, Vector2::new(0.0, -1.0));
    assert!((still.multipliers[0] + 9.81).abs() < 1e-14);
    Ok(())
}

system! {
    /// A bead on a vertical hoop that turns: the row across the hoop stands still on its axis alone.
    #[derivatives]
    struct Hoop { r: Real = 0.5, omega: Real = 3, g: Real = 9.81 }
    particle bead: Point3 { mass: 0.2 }
    constraint hoop: [norm_squared(bead) - r^2, bead.x*sin(omega*t) - bead.y*cos(omega*t)];
    gravity [0, 0, -g];
}

#[test]
fn a_bead_rests_on_the_axis_of_a_hoop_that_turns() -> Result<(), Error> {
    for (r, t) in [(0.5_f64, 0.3_f64), (5e-7, 0.0), (2e6, 0.9)] {
        let hoop = Hoop {
            r,
            g: 9.81 * r,
            ..Hoop::default()
        };
        let at = [0.1 * r * (3.0 * t).cos(), 0.1 * r * (3.0 * t).sin(), -r];
        let rest = equilibrium(&hoop, State::new(t, at, [0.0; 3]))?;
        assert!(
            (rest.q - Vector3::new(0.0, 0.0, -r)).norm() < 1e-14 * r,
            "{rest:?}"
        );
    }
    Ok(())
}

system! {
    /// A plate on a skate, which goes along its edge alone.
    #[derivatives]
    struct Skate { m: Real = 1, k: Real = 3 }
    body plate: Rigid2 { mass: m, inertia: m/10 }
    constraint edge: dot(velocity(at(plate, [0, 0])), dir(plate, [0, 1])) == 0;
    potential k/2*norm_squared(at(plate, [0, 0]) - [1, 2]) - dot(dir(plate, [1, 0]), [1, 0]);
}

/// It turns to its angle and comes as near to (1, 2) as its edge lets it: the force across is the ice's.
#[test]
fn what_rests_on_a_relation_of_velocities_cannot_be_pushed_along_it() -> Result<(), Error> {
    let skate = Skate::<f64>::default();
    let (sin, cos) = 0.3_f64.sin_cos();
    let rest = equilibrium(&skate, State::new(0.0, [0.0, 0.0, cos, sin], [0.0; 3]))?;
    assert!(
        (rest.q[0] - 1.0).abs() < 1e-14 && rest.q[3].abs() < 1e-14,
        "{rest:?}"
    );
    let across = skate.k * (2.0 - rest.q[1]);
    assert!((rest.multipliers[0] + across).abs() < 1e-13, "{rest:?}");
    Ok(())
}

system! {
    /// A body of three moments on a ball joint, with a spring that turns it.
    #[derivatives]
    struct Plumb { m: Real = 2, l: Real = 0.5, k: Real = 30, g: Real = 9.81 }
    body bob: Rigid3 { mass: m, inertia: [1, 2, 2.5] }
    constraint pin: at(bob, [l, l/3, 0]) == [0, 0, 0];
    gravity [0, 0, -g];
    potential k/2*dot(dir(bob, [0, 0, 1]), [1, 0, 0])^2;
}

/// From every turn a rest is found, and no acceleration is left there.
#[test]
fn a_body_rests_from_every_turn() {
    let mut random = Random::new(5);
    let plumb = Plumb::<f64>::default();
    for _ in 0..30 {
        let mut turn = SVector::<f64, 4>::from_fn(|_, _| random.between(-1.0, 1.0));
        turn.normalize_mut();
        let q = [0.0, 0.0, 0.0, turn[0], turn[1], turn[2], turn[3]];
        let rest = equilibrium(&plumb, State::new(0.0, q, [0.0; 6]));
        let rest = rest.unwrap_or_else(|error| panic!("{turn}: {error}"));
        let left = plumb
            .acceleration(0.0, &rest.q, &SVector::zeros())
            .expect("a motion");
        assert!(left.norm() < 1e-12 * plumb.g, "{turn}: {left}");
        assert!(
            (rest.multipliers.norm() - plumb.m * plumb.g).abs() < 1e-12,
            "{rest:?}"
        );
    }
}

system! {
    /// A cart on a level rail under a pendulum: nothing holds it.
    #[derivatives]
    struct Cart { m: Real = 1, l: Real = 1, k: Real = 1e6, g: Real = 9.81 }
    coordinate x, a;
    particle cart = [x, 0] { mass: m }
    particle bob = cart + l*[sin(a), -cos(a)] { mass: m }
    gravity [0, -g];
    potential k/2*(1 - cos(a))^2;
}

system! {
    /// A step in the ground: a force that jumps.
    #[derivatives]
    struct Step { m: Real = 1 }
    coordinate x;
    particle p = [x, 0] { mass: m }
    force x: if x > 0 { -1 - x } else { 1 - x };
}

/// Typed errors, with numbers, where there is no rest or more than one; never a panic.
#[test]
fn what_is_no_rest_is_refused() {
    let nan = equilibrium(&Hung::default(), State::new(0.0, [f64::NAN, 1.0], [0.0; 2]));
    assert!(matches!(nan, Err(Error::NonFinite { .. })), "{nan:?}");
    let late = equilibrium(&Hung::default(), State::new(f64::NAN, [0.0, 1.0], [0.0; 2]));
    assert!(matches!(late, Err(Error::NonFinite { .. })), "{late:?}");
    // The spring has no direction at its own end.
    let end = equilibrium(&Hung::default(), State::new(0.0, [0.0, 0.0], [0.0; 2]));
    assert!(matches!(end, Err(Error::Corner { .. })), "{end:?}");
    let free = equilibrium(&Cart::default(), State::new(0.0, [0.3, 0.4], [0.0; 2]));
    assert_eq!(free, Err(Error::NotIsolated { directions: 1 }));
    // Accelerations of 1 on either side of the step: none is rounding.
    let step = equilibrium(&Step::default(), State::new(0.0, [0.3], [0.0]));
    assert!(
        matches!(step, Err(Error::NoEquilibrium { acceleration, .. }) if acceleration > 0.9),
        "{step:?}"
    );
}

system! {
    /// A weight in a well without stiffness at its bottom.
    #[derivatives]
    struct Flat { k: Real = 1, at: Real = 0 }
    coordinate x;
    particle p = [x, 0] { mass: 1 }
    potential k*(x - at)^4;
}

/// Newton's method takes a third of what is left of the way at each step: where that is rounding, the place is at rest.
#[test]
fn a_rest_without_stiffness_is_found() {
    for (k, from, at) in [
        (1.0, 1.0, 0.0),
        (1e6, 1e-3, 0.0),
        (1e-9, 30.0, 0.0),
        (1.0, -1e9, 0.0),
        (3.0, 0.0, 2.0),
    ] {
        let flat = Flat { k, at };
        let rest = equilibrium(&flat, State::new(0.0, [from], [0.0]));
        let rest = rest.unwrap_or_else(|error| panic!("{flat:?} from {from}: {error}"));
        // A force of ε times that at the start is rounding, which a cube root of ε of the way makes.
        let near = 1e-5 * (from - at).abs();
        assert!(
            (rest.q[0] - at).abs() <= near,
            "{flat:?} from {from}: {rest:?}"
        );
    }
}

system! {
    /// A square of stiff springs with its diagonals, too long for it, that nothing holds in the plane.
    #[derivatives]
    struct Floating { m: Real = 1, k: Real = 1e9, l: Real = 1, d: Real = 1.5 }
    particle a: Point2 { mass: m }
    particle b: Point2 { mass: m }
    particle c: Point2 { mass: m }
    particle e: Point2 { mass: m }
    potential k/2*((norm(b - a) - l)^2 + (norm(c - b) - l)^2 + (norm(e - c) - l)^2 + (norm(a - e) - l)^2)
        + k/2*((norm(c - a) - d)^2 + (norm(e - b) - d)^2);
}

/// Two shifts and a turn: what is left of stiff forces by the rounding of places pushes in no direction.
#[test]
fn a_stiff_net_that_floats_is_loose_and_not_restless() {
    for (k, aside) in [1.0, 1e3, 1e6, 1e9, 1e12]
        .iter()
        .flat_map(|&k| [0.0, 7.0].map(|x| (k, x)))
    {
        let floating = Floating {
            k,
            ..Floating::default()
        };
        let places = [[0.1, 0.0], [1.0, 0.1], [1.1, 1.0], [0.0, 0.9]];
        let mut q = [0.0; 8];
        for (i, x) in places.as_flattened().iter().enumerate() {
            q[i] = x + aside;
        }
        let rest = equilibrium(&floating, State::new(0.0, q, [0.0; 8]));
        assert_eq!(
            rest,
            Err(Error::NotIsolated { directions: 3 }),
            "{floating:?}, {aside} aside"
        );
    }
}

system! {
    /// A bead on a rail that moves by the fourth power of a sine, at rest for an instant.
    #[derivatives]
    struct Rail { k: Real = 1 }
    particle p: Point2 { mass: 1 }
    constraint rail: p.x == sin(t)^4;
    potential k/2*norm_squared(p);
}

/// Time is rounded as places are: at π the rail rests as far as floats tell.
#[test]
fn a_row_at_rest_to_the_rounding_of_time_is_at_rest() -> Result<(), Error> {
    use std::f64::consts::PI;
    for t in [0.0, PI, 2.0 * PI, 100.0 * PI] {
        let rest = equilibrium(&Rail::default(), State::new(t, [0.0, 1.0], [0.0; 2]))?;
        assert!(rest.q.norm() < 1e-15, "{rest:?}");
    }
    let moving = equilibrium(
        &Rail::default(),
        State::new(PI + 1e-3, [0.0, 1.0], [0.0; 2]),
    );
    assert!(matches!(moving, Err(Error::MovingRow { .. })), "{moving:?}");
    Ok(())
}
