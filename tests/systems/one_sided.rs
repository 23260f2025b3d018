//! Constraints of one side: closed forms of bounces, stops, collisions and friction.

use constraint_runtime::prelude::*;
use constraint_runtime::{Impacts, RowMode, TransitionKind, Vector};

use num_dual::Dual64;

use super::random::Random;

system! {
    /// A ball above a floor.
    struct Ball { m: Real = 2, r: Real = 0.25, e: Real = 0.5, g: Real = 9.81 }
    particle ball: Point2 { mass: m }
    gravity [0, -g];
    constraint floor: ball.y - r >= 0 { restitution: e };
}

/// From the height h the ball falls for τ = √(2h/g); bounce k is at τ (1 + 2 (e + … + eᵏ)), with the height e²ᵏ h.
#[test]
fn bounces_have_their_times_and_heights() -> Result<(), Error> {
    let ball = Ball::<f64>::default();
    let (h, e, r, g) = (1.7, ball.e, ball.r, ball.g);
    let start = State::new(0.0, [0.0, r + h], [3.0, 0.0]);
    let fall = (2.0 * h / g).sqrt();
    for step in [0.3, 0.01] {
        let mut run = ContactSimulation::new(ball, start, Rk4::new(step))?;
        let (mut times, mut until) = (Vec::new(), 0.0);
        let end = 1.1 * fall * (1.0 + e) / (1.0 - e);
        run.run_until_with(end, |event| match event.kind {
            TransitionKind::Impact { .. } => times.push(event.time),
            TransitionKind::Accumulated { until: at } => until = at,
            _ => {}
        })?;
        assert!(times.len() > 8, "{}", times.len());
        let mut expected = fall;
        for (k, time) in times.iter().enumerate() {
            assert!(
                (time - expected).abs() < 1e-12,
                "bounce {k}: {time} {expected}"
            );
            expected += 2.0 * fall * e.powi(k as i32 + 1);
        }
        assert!(
            (until - fall * (1.0 + e) / (1.0 - e)).abs() < 1e-12,
            "{until}"
        );
        // It rests and slides on.
        assert_eq!(run.modes(), [RowMode::Closed]);
        assert!((run.contact_forces()?[0] - ball.m * g).abs() < 1e-12);
        assert!((run.state().q - Vector2::new(3.0 * end, r)).norm() < 1e-12);
        assert!((run.state().v - Vector2::new(3.0, 0.0)).norm() < 1e-13);
    }
    let mut run = ContactSimulation::new(ball, start, DormandPrince::new(1e-10, 1e-10))?;
    for k in 1..6 {
        let passed = fall * (1.0 + (1..k).map(|i| 2.0 * e.powi(i)).sum::<f64>());
        run.run_until(passed + fall * e.powi(k))?;
        let top = run.state().q.y - r;
        assert!((top - h * e.powi(2 * k)).abs() < 1e-12, "bounce {k}: {top}");
    }
    Ok(())
}

/// The Reference FMU `BouncingBall`, with its published trace of six digits, whose bounces are late by 1e-5 s and more. The ball of
/// the FMU stops as soon as it is slower than 0.1 m/s, at 2.498 s; ours bounces on, to heights of at most v²/(2 g).
///
/// Source: Modelica Association, *Reference-FMUs*, `BouncingBall_ref.csv`.
#[test]
fn a_ball_bounces_as_the_reference_fmu() -> Result<(), Error> {
    let ball = Ball {
        r: 0.0,
        e: 0.7,
        ..Ball::<f64>::default()
    };
    let start = State::new(0.0, [0.0, 1.0], [0.0, 0.0]);
    let mut run = ContactSimulation::new(ball, start, Rk4::new(0.01))?;
    for (time, height) in [
        (0.45, 0.00673031),
        (0.7, 0.467583),
        (1.0, 0.225043),
        (1.3, 0.239965),
        (1.5, 0.0533682),
        (1.7, 0.115847),
        (1.95, 0.0574593),
        (2.1, 0.0242364),
        (2.25, 0.0135406),
        (2.35, 0.00672614),
        (2.41, 0.00329125),
        (2.49, 0.000668661),
    ] {
        run.run_until(time)?;
        let y = run.state().q.y;
        assert!((y - height).abs() < 1e-4, "{time}: {y} {height}");
    }
    for time in [2.5, 2.51, 2.52] {
        run.run_until(time)?;
        assert!(run.state().q.y <= 0.1 * 0.1 / (2.0 * ball.g));
    }
    Ok(())
}

system! {
    /// A bead in a slot of 45°, whose two faces are stated, above a floor.
    #[redundant(least_squares)]
    struct Slot { m: Real = 2, e: Real = 0.5, push: Real = 5, g: Real = 9.81 }
    particle bead: Point2 { mass: m }
    gravity [0, -g];
    force bead: [push, 0];
    constraint left: bead.x == bead.y;
    constraint right: 2*bead.x == 2*bead.y;
    constraint floor: bead.y >= 0 { restitution: e };
}

/// Along the slot ÿ = (push/m − g)/2. On the floor the slot holds −push across, of which each face takes half:
/// 1 λ_left = 2 λ_right = −push/2, and the floor holds m g − push.
#[test]
fn redundant_rows_hold_beside_a_floor() -> Result<(), Error> {
    let slot = Slot::<f64>::default();
    let (h, rate) = (0.7, (slot.g - slot.push / slot.m) / 2.0);
    let fall = (2.0 * h / rate).sqrt();
    let start = State::new(0.0, [h, h], [0.0, 0.0]);
    let mut run = ContactSimulation::new(slot, start, Rk4::new(0.01))?;
    let mut impacts = Vec::new();
    run.run_until_with(1.1 * fall * (1.0 + slot.e) / (1.0 - slot.e), |event| {
        if let TransitionKind::Impact { impulse, .. } = event.kind {
            impacts.push((event.time, impulse));
        }
    })?;
    let (time, impulse) = impacts[0];
    assert!((time - fall).abs() < 1e-12, "{time} {fall}");
    // The floor turns the motion along the slot around, whose mass for motion upwards is 2 m.
    let expected = (1.0 + slot.e) * 2.0 * slot.m * rate * fall;
    assert!((impulse - expected).abs() < 1e-11, "{impulse} {expected}");
    assert!((impacts[1].0 - fall * (1.0 + 2.0 * slot.e)).abs() < 1e-12);
    assert_eq!(run.modes(), [RowMode::Closed]);
    let floor = run.contact_forces()?[0];
    assert!(
        (floor - (slot.m * slot.g - slot.push)).abs() < 1e-12,
        "{floor}"
    );
    let State { t, q, v } = *run.state();
    let held = run.in_mode().multipliers(t, &q, &v)?;
    assert!((held[0] + slot.push / 2.0).abs() < 1e-12, "{held}");
    assert!((held[1] + slot.push / 4.0).abs() < 1e-12, "{held}");
    Ok(())
}

system! {
    /// A pendulum with a stop below its angle.
    struct Stopped { m: Real = 1, l: Real = 1.5, limit: Real = 0.4, g: Real = 9.81 }
    particle bob: Point2 { mass: m }
    constraint rod: norm(bob) == l;
    gravity [0, -g];
    constraint stop: bob.x <= l*sin(limit) { restitution: 1 };
}

/// Between elastic impacts on the stop the energy is that of the start, and so is the speed at each height.
#[test]
fn a_pendulum_keeps_its_energy_at_a_stop() -> Result<(), Error> {
    let stopped = Stopped::<f64>::default();
    let (l, g) = (stopped.l, stopped.g);
    let start = State::new(0.0, [-l, 0.0], [0.0, 0.0]);
    let mut run = ContactSimulation::new(stopped, start, Rk4::new(1e-3))?;
    let (energy, mut impacts) = (run.energy(), 0);
    run.run_until_with(5.0, |event| {
        if let TransitionKind::Impact { impulse, energy } = event.kind {
            // The bob has fallen by l cos(limit); the impulse turns the speed across the stop around.
            let speed = (2.0 * g * l * stopped.limit.cos()).sqrt();
            let along = 2.0 * speed / stopped.limit.cos();
            assert!((impulse - along).abs() < 1e-8, "{impulse} {along}");
            assert!(energy.abs() < 1e-12);
            impacts += 1;
        }
    })?;
    assert!(impacts > 2);
    assert!((run.energy() - energy).abs() < 1e-8);
    assert!(run.gaps()[0] > -1e-12);
    Ok(())
}

system! {
    /// Two masses between a wall and each other, on a line.
    struct Two { big: Real = 100 }
    coordinate x, y;
    particle small = [x, 0] { mass: 1 }
    particle large = [y, 0] { mass: big }
    constraint wall: x >= 0 { restitution: 1 };
    constraint block: y >= x { restitution: 1 };
}

/// Galperin's billiard: masses in the ratio 100ᵏ collide as often as the first k + 1 digits of π say.
#[test]
fn collisions_count_the_digits_of_pi() -> Result<(), Error> {
    for (k, expected) in [3, 31, 314, 3141].into_iter().enumerate() {
        let two = Two {
            big: 100.0_f64.powi(k as i32),
        };
        let start = State::new(0.0, [1.0, 2.0], [0.0, -1.0]);
        let mut run = ContactSimulation::new(two, start, Rk4::new(0.1))?;
        let mut count = 0;
        run.run_until_with(20.0, |event| {
            count += usize::from(matches!(event.kind, TransitionKind::Impact { .. }));
        })?;
        assert_eq!(count, expected);
    }
    Ok(())
}

system! {
    /// Balls on a line that touch.
    struct Cradle { e: Real = 1 }
    coordinate x[4];
    particle ball[i in 0..4] = [x[i], 0] { mass: 1 }
    constraint pair[i in 0..3]: x[i + 1] >= x[i] + 1 { restitution: e };
}

/// One ball meets three that touch: in sequence the last leaves alone; together, by Moreau's law, v⁺ = 2 v₀ − v⁻ with the
/// common velocity v₀ = 1/4 of the impact without restitution.
#[test]
fn a_cradle_collides_in_sequence_or_at_once() -> Result<(), Error> {
    assert_eq!(
        <Cradle as OneSided<f64>>::GAPS,
        ["pair[0]", "pair[1]", "pair[2]"]
    );
    let start = || State::new(0.0, [-0.5, 1.0, 2.0, 3.0], [1.0, 0.0, 0.0, 0.0]);
    let run = |impacts| {
        let run = ContactSimulation::new(Cradle::<f64>::default(), start(), Rk4::new(0.1))?;
        let mut run = run.with_impacts(impacts);
        run.run_until(1.0)?;
        Ok::<_, Error>(run.state().v)
    };
    let apart = run(Impacts::InSequence)?;
    assert!(
        (apart - SVector::from([0.0, 0.0, 0.0, 1.0])).norm() < 1e-14,
        "{apart}"
    );
    let together = run(Impacts::Simultaneous)?;
    assert!(
        (together - SVector::from([-0.5, 0.5, 0.5, 0.5])).norm() < 1e-14,
        "{together}"
    );
    Ok(())
}

system! {
    /// A block on an incline, with coordinates along it and across it.
    struct Incline { m: Real = 3, slope: Real = 0.5, mu: Real = 0.3, g: Real = 9.81 }
    particle block: Point2 { mass: m }
    gravity [-g*sin(slope), -g*cos(slope)];
    constraint plane: block.y >= 0 { friction: mu, slip: velocity(block).x };
}

/// Thrown upwards with v₀ it stops after v₀/(g (μ cos θ + sin θ)); then it sticks if tan θ ≤ μ, otherwise it slides back
/// with g (sin θ − μ cos θ).
#[test]
fn a_block_sticks_or_slides_back() -> Result<(), Error> {
    for mu in [0.3, 0.6] {
        let incline = Incline {
            mu,
            ..Incline::<f64>::default()
        };
        let (g, (sin, cos)) = (incline.g, incline.slope.sin_cos());
        let start = State::new(0.0, [0.0, 0.0], [2.0, 0.0]);
        let mut run = ContactSimulation::new(incline, start, Rk4::new(0.05))?;
        assert_eq!(run.modes(), [RowMode::Forward]);
        let mut stops = Vec::new();
        run.run_until_with(1.0, |event| stops.push((event.time, event.kind)))?;
        let stop = 2.0 / (g * (mu * cos + sin));
        let sticks = sin <= mu * cos;
        let to = if sticks {
            RowMode::Sticking
        } else {
            RowMode::Backward
        };
        let from = RowMode::Forward;
        assert_eq!(stops.len(), 1, "{stops:?}");
        assert!((stops[0].0 - stop).abs() < 1e-13);
        assert_eq!(stops[0].1, TransitionKind::Mode { from, to });
        let back = if sticks { 0.0 } else { g * (sin - mu * cos) };
        let speed = -back * (1.0 - stop);
        assert!(
            (run.state().v.x - speed).abs() < 1e-12,
            "{}",
            run.state().v.x
        );
        let [normal, along] = run.contact_forces()?.into();
        assert!((normal - incline.m * g * cos).abs() < 1e-12);
        let held = if sticks { sin } else { mu * cos };
        assert!((along - incline.m * g * held).abs() < 1e-12);
    }
    Ok(())
}

system! {
    /// A ball that rolls, in a box.
    struct Boxed { m: Real = 1, r: Real = 0.2, e: Real = 0.6, mu: Real = 0.4, g: Real = 9.81 }
    body ball: Rigid2 { mass: m, inertia: 0.4*m*r^2 }
    gravity [0, -g];
    let spin = r*angular_velocity(ball);
    let c = at(ball, [0, 0]);
    constraint floor: c.y >= r { restitution: e, friction: mu, slip: velocity(c).x + spin };
    constraint roof: c.y <= 2 - r { restitution: e, friction: mu, slip: velocity(c).x - spin };
    constraint left: c.x >= r - 1 { restitution: e, friction: mu, slip: velocity(c).y - spin };
    constraint right: c.x <= 1 - r { restitution: e, friction: mu, slip: velocity(c).y + spin };
}

system! {
    /// A double pendulum whose joints have stops.
    struct Stops { m: Real = 1, l: Real = 0.7, e: Real = 0.3, g: Real = 9.81 }
    coordinate q[2];
    particle elbow = l*[sin(q[0]), -cos(q[0])] { mass: m }
    particle hand = elbow + l*[sin(q[0] + q[1]), -cos(q[0] + q[1])] { mass: m }
    gravity [0, -g];
    constraint stop[i in 0..2]: q[i] <= 1 { restitution: e };
    constraint back[i in 0..2]: q[i] >= -1 { restitution: e };
}

system! {
    /// A rod whose ends meet a floor and a wall.
    struct Ladder { m: Real = 1, l: Real = 1, e: Real = 0.2, mu: Real = 0.3, g: Real = 9.81 }
    body rod: Rigid2 { mass: m, inertia: m*l^2/12 }
    gravity [0, -g];
    let low = at(rod, [-l/2, 0]);
    let high = at(rod, [l/2, 0]);
    constraint floor: low.y >= 0 { restitution: e, friction: mu, slip: velocity(low).x };
    constraint other: high.y >= 0 { restitution: e, friction: mu, slip: velocity(high).x };
    constraint wall: low.x >= -2 { restitution: e, friction: mu, slip: velocity(low).y };
    constraint end: high.x <= 2 { restitution: e, friction: mu, slip: velocity(high).y };
}

/// Checks that energy never rises, no gap becomes negative beyond rounding, and nothing fails; returns the number of events.
fn runs_on<S: OneSided<f64>>(system: S, start: State<S::Q, S::V>) -> usize {
    let about = format!("{start:?}");
    let run = ContactSimulation::new(system, start, Rk4::new(1e-2));
    let mut run = run.unwrap_or_else(|error| panic!("{about}: {error}"));
    let (mut energy, mut events) = (run.energy(), 0);
    let rounding = 1e-6 * (energy.abs() + 10.0);
    for tenth in 1..=20 {
        let end = 0.1 * f64::from(tenth);
        let passed = run.run_until_with(end, |_| events += 1);
        passed.unwrap_or_else(|error| panic!("{about}: {error}"));
        assert!(run.energy() <= energy + rounding, "{about} at {end}");
        energy = run.energy();
        let gaps = run.gaps();
        assert!(
            gaps.entries().iter().all(|&gap| gap > -1e-9),
            "{about}: {gaps:?}"
        );
    }
    events
}

#[test]
fn random_starts_run_on() {
    let cases = std::env::var("CONSTRAINT_CASES").map_or(2, |it| it.parse().unwrap());
    let mut events = 0;
    for seed in 0..cases {
        let mut random = Random::new(seed);
        let mut draw = |size: f64| random.between(-size, size);
        let place = [draw(0.8), 1.0 + draw(0.8), 1.0, 0.0];
        let start = State::new(0.0, place, [draw(4.0), draw(4.0), draw(10.0)]);
        events += runs_on(Boxed::default(), start);
        let start = State::new(0.0, [draw(0.9), draw(0.9)], [draw(3.0), draw(3.0)]);
        events += runs_on(Stops::default(), start);
        let (sin, cos) = draw(3.0).sin_cos();
        let start = State::new(
            0.0,
            [draw(1.0), 1.1 + draw(0.5), cos, sin],
            [draw(2.0), draw(2.0), draw(5.0)],
        );
        events += runs_on(Ladder::default(), start);
    }
    assert!(events as u64 > 6 * cases, "{events}");
}

/// The last bounces rise by less than the rounding of the gap.
#[test]
fn bounces_within_rounding_end() {
    let place = [
        -0.6529890876731947,
        0.9512539840230778,
        0.8700328122337982,
        0.492993819065258,
    ];
    let rate = [1.4819757089839278, 1.8988448482286477, -3.1108057373552622];
    let events = runs_on(Ladder::default(), State::new(0.0, place, rate));
    assert!(events > 10, "{events}");
}

/// A rod comes to rest on the floor; the velocities that its two ends require differ by its last angle times its last rate.
#[test]
fn corners_that_meet_as_one_come_to_rest() {
    for (place, rate) in [
        (
            [
                -0.8574296475167122,
                1.0544831042542813,
                0.27512591949111415,
                -0.9614082007265015,
            ],
            [-1.22175110145669, 0.12141591292384923, 1.8295638268779326],
        ),
        (
            [
                -0.1459384728503994,
                0.9612584911924921,
                0.9888952931353185,
                -0.1486139267189065,
            ],
            [-0.3643238903178925, 0.09234719789179824, 0.9178251457054989],
        ),
    ] {
        runs_on(Ladder::default(), State::new(0.0, place, rate));
    }
}

/// A rod slides between floor and wall and comes to rest there: each slip on the floor ends in an impact at the wall, and the
/// next is shorter. The impacts count as a crowd, and are reported for the gap where they occur.
#[test]
fn impacts_at_the_ends_of_slips_accumulate() -> Result<(), Error> {
    for (place, rate) in [
        (
            [
                0.9475446955183096,
                0.9539115484209065,
                -0.8013032563529032,
                -0.5982583817701458,
            ],
            [1.6732114973631567, 1.4878463259399068, -4.110892309203615],
        ),
        (
            [
                -0.7536739050600394,
                1.3276862521404376,
                -0.2414559755320016,
                -0.9704117743926489,
            ],
            [-1.9809012323556456, 1.9923997361455705, 1.1586053304034962],
        ),
        (
            [
                0.6530287204223224,
                1.120500046540149,
                -0.7925544785698513,
                -0.609801113887857,
            ],
            [1.8933264025757728, 1.7773002358913188, -3.770765524873564],
        ),
        (
            [
                0.750887728035516,
                1.1029012831385703,
                0.41529980214961143,
                0.9096846015705079,
            ],
            [0.638790340894722, 0.048679848536718584, 1.3271349047902259],
        ),
    ] {
        let start = State::new(0.0, place, rate);
        assert!(runs_on(Ladder::default(), start) < 1000);
        let mut run = ContactSimulation::new(Ladder::<f64>::default(), start, Rk4::new(1e-2))?;
        run.run_until_with(2.0, |passed| {
            if let TransitionKind::Impact { impulse, .. } = passed.kind {
                assert!(impulse > 0.0, "{passed:?}");
            }
        })?;
    }
    Ok(())
}

/// The energy changes by the work of impacts, of friction and of nothing else; each row takes energy.
#[test]
fn the_work_of_all_rows_is_the_change_of_the_energy() -> Result<(), Error> {
    let start = State::new(0.0, [0.1, 0.2, 1.0, 0.0], [1.5, 0.0, 0.0]);
    let mut run = ContactSimulation::new(Boxed::<f64>::default(), start, Rk4::new(2e-2))?;
    let (energy, mut impacts) = (run.energy(), 0.0);
    run.run_until_with(2.0, |event| {
        if let TransitionKind::Impact { energy, .. } = event.kind {
            impacts += energy;
        }
    })?;
    let work = run.contact_work();
    let change = run.energy() - energy;
    assert!(change < -0.5, "{change}");
    assert!(
        (work.sum() - change).abs() < 1e-9,
        "{} {change}",
        work.sum()
    );
    // At first it slides, until it rolls with 5/7 of its speed.
    assert!(impacts > change + 0.1, "{impacts} {change}");
    Ok(())
}

/// Starts that are rejected.
#[test]
fn bad_starts_are_refused() {
    let refused = |ball: Ball<f64>, height: f64| {
        let start = State::new(0.0, [0.0, height], [0.0, 0.0]);
        let refused = ContactSimulation::new(ball, start, Rk4::new(0.1));
        refused.unwrap_err().to_string()
    };
    let ball = Ball::default();
    assert_eq!(
        refused(ball, 0.125),
        "the start is on the wrong side of `floor` by 0.125 at t = 0: `make_consistent_with_contacts` moves it out"
    );
    assert_eq!(
        refused(Ball { e: -0.5, ..ball }, 1.0),
        "the restitution of `floor` is -0.5: it must be between 0 and 1"
    );
}

/// By dual numbers through the impacts: y at t is that of a ball thrown with eᵏ v₁ at the time τ (1 + 2 (e + … + eᵏ⁻¹)) of the
/// last of k impacts.
#[test]
fn derivatives_pass_through_impacts() -> Result<(), Error> {
    let (end, h) = (1.9, 1.3);
    let height = |g: f64, e: f64| {
        let fall = (2.0 * h / g).sqrt();
        let (mut at, mut speed, mut k) = (fall, e * g * fall, 1);
        while at + 2.0 * speed / g < end {
            at += 2.0 * speed / g;
            speed *= e;
            k += 1;
        }
        assert_eq!(k, 3);
        let t = end - at;
        0.25 + speed * t - 0.5 * g * t * t
    };
    let (g, e, d) = (9.81, 0.7, 1e-5);
    let by_g = (height(g + d, e) - height(g - d, e)) / (2.0 * d);
    let by_e = (height(g, e + d) - height(g, e - d)) / (2.0 * d);
    for (dg, de, expected) in [(1.0, 0.0, by_g), (0.0, 1.0, by_e)] {
        let ball = Ball {
            m: 2.0.into(),
            r: 0.25.into(),
            e: Dual64::new(e, de),
            g: Dual64::new(g, dg),
        };
        let place = [0.0, 0.25 + h].map(Dual64::from);
        let start = State::new(0.0.into(), place, [Dual64::from(0.0); 2]);
        let mut run = ContactSimulation::new(ball, start, Rk4::new(0.07.into()))?;
        run.run_until(end.into())?;
        let y = run.state().q.y;
        assert!((y.re - height(g, e)).abs() < 1e-12);
        assert!((y.eps - expected).abs() < 1e-7, "{} {expected}", y.eps);
    }
    Ok(())
}

/// Derivatives with respect to v and μ of the distance that a block slides up until it sticks, v²/(2 g (sin θ + μ cos θ)).
#[test]
fn derivatives_pass_through_sticking() -> Result<(), Error> {
    let (v, mu, slope, g) = (2.0, 0.6, 0.5_f64, 9.81);
    let deceleration = g * (slope.sin() + mu * slope.cos());
    let by_v = v / deceleration;
    let by_mu = -v * v / 2.0 * g * slope.cos() / (deceleration * deceleration);
    for (dv, dmu, expected) in [(1.0, 0.0, by_v), (0.0, 1.0, by_mu)] {
        let incline = Incline {
            m: 3.0.into(),
            slope: slope.into(),
            mu: Dual64::new(mu, dmu),
            g: g.into(),
        };
        let rate = [Dual64::new(v, dv), 0.0.into()];
        let start = State::new(0.0.into(), [Dual64::from(0.0); 2], rate);
        let mut run = ContactSimulation::new(incline, start, Rk4::new(0.05.into()))?;
        run.run_until(1.0.into())?;
        assert_eq!(run.modes(), [RowMode::Sticking]);
        let x = run.state().q.x;
        assert!((x.eps - expected).abs() < 1e-12, "{} {expected}", x.eps);
    }
    Ok(())
}

system! {
    /// A uniform rod on an edge that is pushed along (Painlevé).
    struct Painleve { m: Real = 1, l: Real = 2, mu: Real = 2, g: Real = 9.81 }
    body rod: Rigid2 { mass: m, inertia: m*l^2/12 }
    gravity [0, -g];
    let tip = at(rod, [-l/2, 0]);
    constraint floor: tip.y >= 0 { friction: mu, slip: velocity(tip).x };
}

/// The tip slides backward under a rod that leans forward at θ: for μ > 4/3, A − μ B = (1 + 3 cos θ (cos θ − μ sin θ))/m is negative
/// at the critical angle. There, without rotation, no smooth motion is consistent; for smaller μ there is one.
#[test]
fn painleve_jams_where_his_paradox_is() {
    let angle = (3.0_f64 / 4.0).atan() + 0.15;
    let paradox = |mu: f64| 1.0 + 3.0 * angle.cos() * (angle.cos() - mu * angle.sin()) < 0.0;
    for (mu, jams) in [(1.0, false), (2.5, true)] {
        assert_eq!(paradox(mu), jams);
        let painleve = Painleve {
            mu,
            ..Painleve::<f64>::default()
        };
        let (sin, cos) = angle.sin_cos();
        for slip in [1.0, -1.0] {
            let start = State::new(0.0, [cos, sin, cos, sin], [slip, 0.0, 0.0]);
            let run = ContactSimulation::new(painleve, start, Rk4::new(0.01));
            match run {
                Err(error) => {
                    assert!(jams, "{error} {mu} {slip}");
                    let text = "no motion is consistent with the friction at `floor` at t = 0";
                    assert!(error.to_string().starts_with(text), "{error}");
                }
                Ok(run) => {
                    let against = slip < 0.0;
                    assert!(!jams || !against, "{mu} {slip} {:?}", run.modes());
                }
            }
        }
    }
}

system! {
    /// A uniform block on a floor, which tilts.
    struct Rocking { m: Real = 2, b: Real = 0.2, h: Real = 0.5, mu: Real = 0.6, tilt: Real = 0, rate: Real = 0, g: Real = 9.81 }
    body block: Rigid2 { mass: m, inertia: m*(b^2 + h^2)/3 }
    let angle = tilt + rate*t;
    gravity [g*sin(angle), -g*cos(angle)];
    let left = at(block, [-b, -h]);
    let right = at(block, [b, -h]);
    constraint on_left: left.y >= 0 { friction: mu, slip: velocity(left).x };
    constraint on_right: right.y >= 0 { friction: mu, slip: velocity(right).x };
}

/// Its impacts, without restitution, accumulate; then each corner carries half of the weight.
#[test]
fn a_block_that_rocks_comes_to_rest() -> Result<(), Error> {
    let block = Rocking::<f64>::default();
    let (sin, cos) = 0.2_f64.sin_cos();
    let centre = [block.b * cos - block.h * sin, block.h * cos + block.b * sin];
    let place = [centre[0], centre[1], cos, sin];
    let start = State::new(0.0, place, [0.0; 3]);
    let mut run = ContactSimulation::new(block, start, Rk4::new(2e-3))?;
    run.run_until(4.0)?;
    assert_eq!(run.modes(), [RowMode::Sticking; 2]);
    let forces = run.contact_forces()?;
    for i in 0..2 {
        assert!(
            (forces[i] - 0.5 * block.m * block.g).abs() < 1e-9,
            "{forces:?}"
        );
    }
    assert!(run.state().q[3].abs() < 1e-9);
    Ok(())
}

/// Two corners of one block rub: friction may be shared in many ways, but the motion is unique. Thrown downhill at θ it stops after
/// v₀/(g (μ cos θ − sin θ)) and stays; on a floor that tilts slowly it slides from tan θ = μ on.
#[test]
fn corners_share_friction() -> Result<(), Error> {
    let (mu, tilt, speed) = (0.3, 0.2_f64, 1.2);
    let block = Rocking {
        mu,
        tilt,
        ..Rocking::<f64>::default()
    };
    let start = |speed: f64| State::new(0.0, [0.0, block.h, 1.0, 0.0], [speed, 0.0, 0.0]);
    let mut run = ContactSimulation::new(block, start(speed), Rk4::new(0.01))?;
    let stop = speed / (block.g * (mu * tilt.cos() - tilt.sin()));
    run.run_until(2.0 * stop)?;
    let rests = [0.5 * speed * stop, block.h, 1.0, 0.0];
    assert!((run.state().q - SVector::from(rests)).norm() < 1e-11);
    assert!(run.state().v.norm() < 1e-12);
    assert!(run.modes().contains(&RowMode::Sticking));

    let tilts = Rocking {
        tilt: 0.0,
        rate: 0.2,
        ..block
    };
    let mut run = ContactSimulation::new(tilts, start(0.0), Rk4::new(0.05))?;
    let slides = mu.atan() / tilts.rate;
    let mut last = 0.0;
    run.run_until_with(slides + 0.1, |event| last = event.time)?;
    assert!((last - slides).abs() < 1e-9, "{last} {slides}");
    assert_eq!(run.modes(), [RowMode::Forward; 2]);
    Ok(())
}

/// λ of the projection of such a small gap is below the smallest number.
#[test]
fn the_smallest_gaps_close() -> Result<(), Error> {
    let point = Ball::<f64> {
        e: 0.0,
        m: 0.2,
        r: 0.0,
        ..Ball::default()
    };
    for bits in 1..=3 {
        let start = State::new(0.0, [0.0, f64::from_bits(bits)], [0.0, 0.0]);
        let mut run = ContactSimulation::new(point, start, Rk4::new(0.1))?;
        run.run_until(1.0)?;
        assert_eq!(run.modes(), [RowMode::Closed]);
    }
    Ok(())
}

system! {
    /// Balls that touch, on strings; their coordinates are angles, which are zero where they hang.
    struct Hanging { m: Real = 0.1, r: Real = 1/50, l: Real = 0.3, g: Real = 9.81 }
    coordinate angle[3];
    for i in 0..3 { particle ball[i] = [2*r*i + l*sin(angle[i]), -l*cos(angle[i])] { mass: m } }
    gravity [0, -g];
    for i in 1..3 { constraint touch[i]: ball[i].x - ball[i - 1].x >= 2*r { restitution: 1 }; }
}

/// Where all angles are zero, the terms of a gap, 4 r − 2 r − 2 r, are not: their rounding is no penetration. The gap stays zero
/// to rounding, and the balls keep hanging.
#[test]
fn rounding_is_judged_by_the_terms_of_a_gap() -> Result<(), Error> {
    for r in [0.02, 1.0 / 64.0, 0.1, 1e-7 / 3.0, 3e5 / 7.0] {
        let balls = Hanging::<f64> {
            r,
            ..Hanging::default()
        };
        let start = State::new(0.0, [0.0; 3], [0.0; 3]);
        assert!(balls.gap_sizes(0.0, &start.q)[1] >= 4.0 * r);
        let mut run = ContactSimulation::new(balls, start, Rk4::new(0.01))?;
        run.run_until(1.0)?;
        assert!(run.state().q.amax() < 1e-9, "{r}: {}", run.state().q);
    }
    Ok(())
}
