//! Where the laws of contacts allow several motions, or none (Painlevé), and starts on the wrong side.

use constraint_runtime::nalgebra::Matrix2;
use constraint_runtime::prelude::*;
use constraint_runtime::{
    Ambiguity, ContactLaws, ImpactLaw, Impacts, Jams, RowMode, TransitionKind,
    make_consistent_with_contacts,
};

system! {
    /// A uniform rod on an edge that is pushed along (Painlevé).
    struct Painleve { m: Real = 1, l: Real = 2, mu: Real = 2.5, g: Real = 9.81 }
    body rod: Rigid2 { mass: m, inertia: m*l^2/12 }
    gravity [0, -g];
    let tip = at(rod, [-l/2, 0]);
    constraint floor: tip.y >= 0 { friction: mu, slip: velocity(tip).x };
}

/// Past the critical angle, where A − μ B = (1 + 3 cos θ (cos θ − μ sin θ))/m is negative.
fn angle() -> (f64, f64) {
    (0.75_f64.atan() + 0.15).sin_cos()
}

/// The tip on the floor, with a slip and a turn.
fn on_the_tip(slip: f64, turn: f64) -> State<SVector<f64, 4>, Vector3<f64>> {
    let (sin, cos) = angle();
    let rate = [slip - sin * turn, cos * turn, turn];
    State::new(0.0, [cos, sin, cos, sin], rate)
}

/// With a turn ω the tip leaves if ω² l/2 sin θ > g, and where A − μ B < 0 the force (g − ω² l/2 sin θ)/(A − μ B) of sliding
/// is positive as well.
#[test]
fn several_motions_are_listed_or_refused() -> Result<(), Error> {
    let laws = ContactLaws {
        ambiguity: Ambiguity::Refuse,
        ..ContactLaws::default()
    };
    let begun = |mu: f64, turn: f64, laws: ContactLaws| {
        let painleve = Painleve {
            mu,
            ..Painleve::<f64>::default()
        };
        ContactSimulation::with_laws(painleve, on_the_tip(-1.0, turn), Rk4::new(0.01), laws)
    };
    let refused = begun(2.5, 5.0, laws).unwrap_err();
    let Error::Ambiguous {
        constraint,
        modes,
        time,
    } = refused
    else {
        panic!("{refused}");
    };
    assert_eq!((constraint, time, modes.len()), ("floor", Some(0.0), 2));
    assert_eq!(modes.modes(0).collect::<Vec<_>>(), [RowMode::Open]);
    assert_eq!(modes.modes(1).collect::<Vec<_>>(), [RowMode::Backward]);
    assert_eq!(
        refused.to_string(),
        "the laws of contact allow several motions at `floor` at t = 0, with the constraints open or sliding backward: \
         choose `Ambiguity::Continue` to take the first"
    );
    // By default the mode of before is kept; where one motion is consistent, it is no error.
    assert_eq!(
        begun(2.5, 5.0, ContactLaws::default())?.modes(),
        [RowMode::Open]
    );
    assert_eq!(begun(1.0, 5.0, laws)?.modes(), [RowMode::Open]);
    assert_eq!(begun(1.0, 0.5, laws)?.modes(), [RowMode::Backward]);
    Ok(())
}

/// A rod that lands with its lower end in the paradox: of the impact, and of the motion after it, all consistent modes are
/// known to the observer.
#[test]
fn observers_know_the_modes_of_an_event() -> Result<(), Error> {
    let (sin, cos) = angle();
    let start = State::new(0.0, [0.0, sin + 0.1, cos, sin], [-1.0, 0.0, 0.0]);
    let mut run = ContactSimulation::new(Painleve::<f64>::default(), start, Rk4::new(0.01))?;
    let mut events = 0;
    run.run_until_with(0.2, |event| {
        events += 1;
        assert!(!event.consistent.is_empty());
        if let TransitionKind::Mode { to, .. } = event.kind {
            assert_eq!(event.consistent.mode(0, 0), Some(to));
        }
    })?;
    assert!(events > 0);
    Ok(())
}

/// Where neither sliding, sticking nor leaving is consistent an impact without collision stops the slip: the moment of
/// momentum about the tip stays, the tip does not move, and energy is lost.
#[test]
fn a_jam_is_an_error_or_an_impact() -> Result<(), Error> {
    let painleve = Painleve::<f64>::default();
    let (sin, cos) = angle();
    let start = on_the_tip(-1.0, 0.0);
    let laws = ContactLaws {
        jams: Jams::Impact,
        ..ContactLaws::default()
    };
    let mut run = ContactSimulation::with_laws(painleve, start, Rk4::new(0.01), laws)?;
    // About the tip, at (−cos θ, −sin θ) from the centre: m (x v_y − y v_x) with v = (−1, 0), and then (1 + 1/3) m ω.
    let turn = sin / (4.0 / 3.0);
    let expected = Vector3::new(-sin * turn, cos * turn, turn);
    assert!(
        (run.state().v - expected).norm() < 1e-14,
        "{}",
        run.state().v
    );
    let taken = 0.5 - (4.0 / 6.0) * turn * turn;
    assert!((run.contact_work().sum() + taken).abs() < 1e-14);
    assert_eq!(run.modes(), [RowMode::Sticking]);
    run.run_until(0.1)?;
    assert!(run.state().q[1] > 0.0);

    // Without the choice it is an error, at the start and on the way.
    let refused = ContactSimulation::new(painleve, start, Rk4::new(0.01)).unwrap_err();
    assert!(matches!(
        refused,
        Error::Jammed {
            constraint: "floor",
            ..
        }
    ));
    Ok(())
}

system! {
    /// A heavy ball, and two that touch.
    struct Cradle { m: Real = 1 }
    coordinate x[3];
    kinetic sum(i in 0..3: m/2*velocity(x[i])^2);
    constraint gap[i in 0..2]: x[i + 1] - x[i] >= 0 { restitution: 1 };
}

/// An impact at the start follows the laws of the run.
#[test]
fn impacts_of_the_start_follow_the_laws() -> Result<(), Error> {
    let start = State::new(0.0, [0.0; 3], [1.0, 0.0, 0.0]);
    let cradle = Cradle::<f64>::default();
    for (impacts, expected) in [
        (Impacts::InSequence, [0.0, 0.0, 1.0]),
        (Impacts::Simultaneous, [-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]),
    ] {
        let laws = ContactLaws {
            impacts,
            ..ContactLaws::default()
        };
        let run = ContactSimulation::with_laws(cradle, start, Rk4::new(0.1), laws)?;
        assert!((run.state().v - Vector3::from(expected)).norm() < 1e-14);
    }
    Ok(())
}

system! {
    /// Two masses on rods that meet a rough floor, without gravity.
    struct Double { l: Real = 1, e: Real = 0.5, mu: Real = 0.5, depth: Real }
    coordinate q[2];
    particle elbow = l*[sin(q[0]), -cos(q[0])] { mass: 1 }
    particle hand = elbow + l*[sin(q[1]), -cos(q[1])] { mass: 1 }
    constraint floor: hand.y >= -depth { restitution: e, friction: mu, slip: velocity(hand).x };
}

/// The counter-example of Kane and Levinson: by Newton's law a double pendulum gains energy where its hand sticks after an oblique
/// impact, ½ (Pₙ (1 − e) γₙ + Pₜ γₜ) with A P = (−(1 + e) γₙ, −γₜ). By Moreau's law P = (1 + e) P₀, and it slides: P₀ = −γₙ/(A₁₁ + μ A₁₂)
/// (1, μ). By Poisson's law it loses, too.
///
/// Source: T. R. Kane, D. A. Levinson, *Dynamics: theory and applications*, 1985; the data are others.
#[test]
fn a_double_pendulum_gains_no_energy() -> Result<(), Error> {
    let (q, v) = ([0.35_f64, 0.52], [-0.1, -0.2]);
    let double = Double {
        l: 1.0,
        e: 0.5,
        mu: 0.5,
        depth: q[0].cos() + q[1].cos(),
    };
    // M⁻¹ of M = [[2, c], [c, 1]], and G M⁻¹ Gᵀ.
    let c = (q[0] - q[1]).cos();
    let inverse = Matrix2::new(1.0, -c, -c, 2.0) / (2.0 - c * c);
    let rows = Matrix2::new(q[0].sin(), q[1].sin(), q[0].cos(), q[1].cos());
    let a = rows * inverse * rows.transpose();
    let before = rows * Vector2::from(v);
    let taken = |p: Vector2<f64>| 0.5 * p.dot(&(before * 2.0 + a * p));
    let (e, mu) = (double.e, double.mu);
    let newton = -a.try_inverse().unwrap() * Vector2::new((1.0 + e) * before.x, before.y);
    assert!(newton.y.abs() < mu * newton.x);
    let plain = Vector2::new(1.0, mu) * (-before.x / (a.m11 + mu * a.m12));
    let energy = |impact| {
        let laws = ContactLaws {
            impact,
            ..ContactLaws::default()
        };
        let start = State::new(0.0, q, v);
        let run = ContactSimulation::with_laws(double, start, Rk4::new(0.1), laws)?;
        Ok::<_, Error>(run.contact_work().sum())
    };
    let [by_newton, by_moreau] = [energy(ImpactLaw::Newton)?, energy(ImpactLaw::Moreau)?];
    assert!((by_newton - taken(newton)).abs() < 1e-14, "{by_newton}");
    let expected = taken(plain * (1.0 + e));
    assert!((by_moreau - expected).abs() < 1e-14, "{by_moreau}");
    assert!(by_newton > 0.0 && by_moreau < 0.0);
    assert!(energy(ImpactLaw::Poisson)? < 0.0);
    Ok(())
}

/// A rod in a corner, with both ends beyond the walls, and with one.
#[test]
fn starts_are_moved_out_of_all_walls() -> Result<(), Error> {
    let ladder = Corner::<f64>::default();
    for place in [[0.2, 0.1], [0.5, 0.1], [0.2, 0.9], [-0.3, -0.2]] {
        let (sin, cos) = 2.3_f64.sin_cos();
        let inside = State::new(0.0, [place[0], place[1], cos, sin], [0.5, -1.0, 2.0]);
        let refused = ContactSimulation::new(ladder, inside, Rk4::new(1e-2)).unwrap_err();
        let Error::Penetration {
            constraint, depth, ..
        } = refused
        else {
            panic!("{refused}");
        };
        // The gap that is deepest for the size of its terms.
        let expected = match constraint {
            "floor" => 0.5 * sin - place[1],
            "back" => -0.5 * cos - place[0],
            other => panic!("{other}"),
        };
        assert!((depth - expected).abs() < 1e-15);
        let outside = make_consistent_with_contacts(&ladder, inside)?;
        assert!(ladder.gaps(0.0, &outside.q).iter().all(|&gap| gap > -1e-15));
        assert_eq!(outside.v, inside.v);
        let mut run = ContactSimulation::new(ladder, outside, Rk4::new(1e-2))?;
        run.run_until(0.5)?;
        // What does not penetrate is left alone.
        let again = make_consistent_with_contacts(&ladder, outside)?;
        assert!((again.q - outside.q).norm() < 1e-15);
    }
    Ok(())
}

system! {
    /// A rod whose ends meet a floor and a wall.
    struct Corner { m: Real = 1, l: Real = 1, g: Real = 9.81 }
    body rod: Rigid2 { mass: m, inertia: m*l^2/12 }
    gravity [0, -g];
    let low = at(rod, [-l/2, 0]);
    let high = at(rod, [l/2, 0]);
    constraint floor: low.y >= 0;
    constraint other: high.y >= 0;
    constraint wall: low.x >= 0;
    constraint back: high.x >= 0;
}

system! {
    /// A block on a floor, pulled more and more.
    struct Pulled { m: Real = 2, k: Real = 3, mu: Real = 0.4, g: Real = 9.81 }
    particle block: Point2 { mass: m }
    gravity [0, -g];
    force block: [k*t, 0];
    constraint floor: block.y >= 0 { friction: mu, slip: velocity(block).x };
}

/// It sticks until k t = μ m g.
#[test]
fn slip_begins_on_time() -> Result<(), Error> {
    let pulled = Pulled::<f64>::default();
    for step in [0.3, 0.05] {
        let start = State::new(0.0, [0.0, 0.0], [0.0, 0.0]);
        let mut run = ContactSimulation::new(pulled, start, Rk4::new(step))?;
        let mut begun = Vec::new();
        run.run_until_with(4.0, |event| begun.push((event.time, event.kind)))?;
        let (from, to) = (RowMode::Sticking, RowMode::Forward);
        assert_eq!(begun.len(), 1);
        assert_eq!(begun[0].1, TransitionKind::Mode { from, to });
        let expected = pulled.mu * pulled.m * pulled.g / pulled.k;
        let late = begun[0].0 - expected;
        assert!(late.abs() < 4e-15, "{late}");
        // m v = k (t² − t₀²)/2 − μ m g (t − t₀)
        let (t, at) = (4.0, expected);
        let speed =
            (0.5 * pulled.k * (t * t - at * at)) / pulled.m - pulled.mu * pulled.g * (t - at);
        assert!((run.state().v.x - speed).abs() < 1e-12);
    }
    Ok(())
}

system! {
    /// A ball above a floor.
    struct Ball { m: Real = 0.2, e: Real = 0.5, g: Real = 9.81 }
    particle ball: Point2 { mass: m }
    gravity [0, -g];
    constraint floor: ball.y >= 0 { restitution: e };
}

/// Falls from the least heights there are last no longer than rounding of any other number.
#[test]
fn falls_from_the_least_heights_end() -> Result<(), Error> {
    for e in [0.0, 0.3, 0.9, 0.999] {
        for height in [5e-324, 1e-323, 1e-300, 1e-200, 1e-100, 1e-20] {
            let ball = Ball {
                e,
                ..Ball::default()
            };
            let start = State::new(0.0, [0.0, height], [0.0, 0.0]);
            let mut run = ContactSimulation::new(ball, start, Rk4::new(0.1))?;
            run.run_until(1.0)
                .map_err(|error| panic!("{e} {height}: {error}"))
                .ok();
            assert_eq!(run.modes(), [RowMode::Closed], "{e} {height}");
        }
    }
    Ok(())
}

system! {
    /// A block between a wall and a press that comes nearer at 0.1 m/s.
    struct Press { e: Real = 0, mu: Real = 0, bound: Real = 1 }
    particle block: Point2 { mass: 1 }
    constraint wall: block.x >= 0 { restitution: e };
    constraint press: block.x <= 1 - t/10 { friction: mu, slip: velocity(block).y };
    motor drive: velocity(block).y == 0 { most: bound };
}

/// What touches the wall and the press at t = 10 can move nowhere: the two are named, whether there is friction or none.
#[test]
fn constraints_that_leave_no_room_are_named() -> Result<(), Error> {
    for mu in [0.0, 0.3] {
        let press = Press {
            mu,
            ..Press::<f64>::default()
        };
        let start = State::new(0.0, [0.5, 0.0], [0.1, 0.0]);
        let mut run = ContactSimulation::new(press, start, Rk4::new(0.01))?;
        let refused = run.run_until(11.0).unwrap_err();
        let Error::NoRoom {
            constraint: "wall",
            other: Some("press"),
            time: Some(time),
        } = refused
        else {
            panic!("{refused}");
        };
        assert!((9.98..=10.0).contains(&time), "{time}");
        let text = refused.to_string();
        assert!(text.starts_with("`wall` and `press` leave no room at t = "));
    }
    Ok(())
}

/// Numbers that no law has are refused under their names.
#[test]
fn coefficients_without_a_meaning_are_refused() {
    let refused = |press: Press<f64>| {
        let start = State::new(0.0, [0.5, 0.0], [0.1, 0.0]);
        let refused = ContactSimulation::new(press, start, Rk4::new(0.01)).unwrap_err();
        refused.to_string()
    };
    let press = Press::<f64>::default();
    for (press, expected) in [
        (
            Press { e: 2.0, ..press },
            "the restitution of `wall` is 2: ",
        ),
        (
            Press { e: -0.5, ..press },
            "the restitution of `wall` is -0.5: ",
        ),
        (
            Press { mu: -1.0, ..press },
            "the friction of `press` is -1: ",
        ),
        (
            Press {
                bound: -1.0,
                ..press
            },
            "the bound of `drive` is -1: ",
        ),
    ] {
        let found = refused(press);
        assert!(found.starts_with(expected), "{found}");
    }
}
