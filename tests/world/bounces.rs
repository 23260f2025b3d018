//! Restitution as the ratio of the speeds at an impact, wherever in a step it falls, at limits and at contacts: closed forms of
//! mechanics.

use constraint_runtime::joint::*;
use constraint_runtime::prelude::*;
use constraint_runtime::{Contact2, Contact3, Limits, Motor, WorldMethod};

use super::G;
use super::random::Random;

/// What steps a world: RATTLE, semi-implicit Euler, and sweeps.
const STEPPINGS: [fn(World3) -> World3; 3] = [
    |world| world,
    |world| world.with_method(WorldMethod::SemiImplicitEuler),
    |world| world.with_solver(SequentialImpulses::new(40)),
];

const STEPS: [f64; 4] = [1.0 / 60.0, 1.0 / 120.0, 1.0 / 240.0, 1e-3];

// ---- limits -------------------------------------------------------------------------------------

/// A slider of 1 kg along z whose travel ends `gap` below its place, or above it if `up`.
fn slider(
    gravity: f64,
    (gap, up): (f64, bool),
    speed: f64,
    limits: impl Fn(Limits<f64>) -> Limits<f64>,
) -> (World3, JointHandle) {
    let sign = if up { -1.0 } else { 1.0 };
    let mut world = World3::new().with_gravity([0.0, 0.0, -gravity * sign]);
    let rail = Rigid3::identity();
    let ground = world.add(Body3::fixed(rail)).unwrap();
    let body = Body3::new(Inertia3::principal(1.0, [0.1; 3]).unwrap(), rail);
    let velocity = [0.0, 0.0, speed * sign, 0.0, 0.0, 0.0];
    let body = world.add(body.moving(velocity)).unwrap();
    let range = if up { -10.0..=gap } else { -gap..=10.0 };
    let slide = Prismatic::between(&rail, &rail, &Point3::origin(), &Vector3::z_axis());
    let slide = slide.with_limits(limits(Limits::new(range)));
    let slide = world.connect(slide, [ground, body]).unwrap();
    (world, slide)
}

fn rate(world: &World3, joint: JointHandle) -> f64 {
    world.axes(joint).unwrap()[0].rate
}

/// Steps until the rate has another sign or is zero; the rates before and after.
fn turn(world: &mut World3, joint: JointHandle, h: f64, longest: f64) -> [f64; 2] {
    let first = rate(world, joint).signum();
    let mut before = rate(world, joint);
    while world.time() < longest {
        world.step(h).unwrap();
        let now = rate(world, joint);
        if before != 0.0 && (now * before <= 0.0) {
            return [before, now];
        }
        before = now;
    }
    panic!("it has not come back: {before} {first}")
}

/// Without forces the ratio is e, to rounding, wherever the step falls.
#[test]
fn sliders_without_forces_return_with_e_times_their_speed() {
    for stepping in STEPPINGS {
        for h in [1.0 / 60.0, 1e-2, 1e-3, 0.03, 0.4] {
            for gap in [1.0, 0.9, 0.1234, 1e-3] {
                for (e, up) in [(1.0, false), (0.5, true), (0.8, false), (0.05, true)] {
                    let limits = |it: Limits<f64>| it.with_restitution(e);
                    let (world, slide) = slider(0.0, (gap, up), -2.0, limits);
                    let [before, after] = turn(&mut stepping(world), slide, h, 2.0);
                    assert!((before.abs() - 2.0).abs() < 1e-12, "{before}");
                    let ratio = -after / before;
                    assert!((ratio - e).abs() < 1e-12, "h {h} gap {gap}: {ratio} {e}");
                }
            }
        }
    }
}

/// The time after an impact is flown with the speed after it: two stops, between which a slider travels for a long time.
#[test]
fn a_slider_between_two_stops_keeps_its_speed_for_two_hundred_impacts() {
    for h in [1.0 / 60.0, 1e-2] {
        let limits = |_| Limits::new(-0.3..=0.2).with_restitution(1.0);
        let (mut world, slide) = slider(0.0, (1.0, false), -2.0, limits);
        for _ in 0..(50.0 / h) as usize {
            world.step(h).unwrap();
            let speed = rate(&world, slide).abs();
            assert!((speed - 2.0).abs() < 1e-10, "{speed}");
        }
    }
}

/// A slider that falls from rest over `gap` arrives with √(2 g gap) and leaves with e times that, to the order of the step.
#[test]
fn falling_sliders_return_with_e_times_their_speed() {
    for stepping in STEPPINGS {
        for h in [1.0 / 60.0, 1e-2, 1e-3] {
            for gap in [1.0, 0.9, 0.37] {
                for (e, up) in [(1.0, false), (0.8, true), (0.5, false)] {
                    let limits = |it: Limits<f64>| it.with_restitution(e);
                    let (world, slide) = slider(G, (gap, up), 0.0, limits);
                    let [_, after] = turn(&mut stepping(world), slide, h, 2.0);
                    let expected = e * (2.0 * G * gap).sqrt();
                    let error = (after.abs() - expected).abs();
                    assert!(
                        error <= G * h * 1.5,
                        "h {h} gap {gap} e {e}: {after} {expected}"
                    );
                }
            }
        }
    }
}

/// The highest place of a slider between its impacts, as a part of the height from which it fell; after so many.
fn peaks(stepping: fn(World3) -> World3, h: f64, e: f64, bounces: usize) -> Vec<f64> {
    let limits = |it: Limits<f64>| it.with_restitution(e);
    let (world, slide) = slider(G, (1.0, false), 0.0, limits);
    let mut world = stepping(world);
    let mut peaks = Vec::new();
    let (mut rose, mut highest) = (false, f64::NEG_INFINITY);
    while peaks.len() < bounces && world.time() < 2.0 * bounces as f64 {
        world.step(h).unwrap();
        let axis = world.axes(slide).unwrap()[0];
        // The peak of the parabola through this point.
        let top = axis.value + 1.0 + axis.rate * axis.rate / (2.0 * G);
        if axis.rate > 0.0 {
            (rose, highest) = (true, highest.max(top));
        } else if rose {
            peaks.push(highest);
            (rose, highest) = (false, f64::NEG_INFINITY);
        }
    }
    peaks
}

#[test]
fn a_slider_rises_to_the_square_of_restitution() {
    for h in STEPS {
        for (bounce, peak) in peaks(STEPPINGS[0], h, 0.8, 4).into_iter().enumerate() {
            let expected = 0.64_f64.powi(bounce as i32 + 1);
            assert!((peak - expected).abs() < 1e-9, "h {h}: {peak} {expected}");
        }
        let peaks = peaks(STEPPINGS[0], h, 1.0, 5);
        assert_eq!(peaks.len(), 5);
        for peak in peaks {
            assert!((peak - 1.0).abs() < 1e-9, "h {h}: {peak}");
        }
    }
}

/// A body on a hinge, 0.5 m from it: without forces and falling, by I = 0.1 + 0.25.
fn pendulum(gravity: f64, stop: f64, e: f64, omega: f64) -> (World3, JointHandle) {
    let mut world = World3::new().with_gravity([0.0, 0.0, -gravity]);
    let (wall, place) = (Rigid3::identity(), Rigid3::translation(0.5, 0.0, 0.0));
    let ground = world.add(Body3::fixed(wall)).unwrap();
    let rod = Body3::new(Inertia3::principal(1.0, [0.1; 3]).unwrap(), place);
    // Positive about y lowers a body at positive x.
    let rod = rod.moving([0.0, 0.0, -0.5 * omega, 0.0, omega, 0.0]);
    let rod = world.add(rod).unwrap();
    let pin = Hinge::between(&wall, &place, &Point3::origin(), &Vector3::y_axis());
    let pin = pin.with_limits(Limits::new(-1.0..=stop).with_restitution(e));
    let pin = world.connect(pin, [ground, rod]).unwrap();
    (world, pin)
}

#[test]
fn pendulums_return_from_stops_with_e_times_their_speed() {
    for h in [1.0 / 60.0, 1e-2, 1e-3] {
        for stop in [0.5, 0.77, 1.1] {
            for e in [1.0, 0.8, 0.3] {
                let (mut world, pin) = pendulum(0.0, stop, e, 2.0);
                let [before, after] = turn(&mut world, pin, h, 2.0);
                assert!((before - 2.0).abs() < 1e-12, "{before}");
                assert!((after + e * before).abs() < 1e-11, "h {h}: {after}");
                let (mut world, pin) = pendulum(G, stop, e, 0.0);
                let [_, after] = turn(&mut world, pin, h, 2.0);
                let arrival = (2.0 * 0.5 * G * f64::sin(stop) / 0.35).sqrt();
                let error = (after + e * arrival).abs();
                let most = 1.5 * 0.5 * G / 0.35 * h;
                assert!(error < most, "h {h} stop {stop}: {after} {}", -e * arrival);
            }
        }
    }
}

/// Both bodies move: the relative speed is e times what it was, and the momentum stays.
#[test]
fn sliders_between_moving_bodies_share_the_momentum() {
    let random = &mut Random::new(3);
    for _ in 0..40 {
        let (e, h) = (random.between(0.0, 1.0), random.between(1e-3, 3e-2));
        let masses = [random.between(0.3, 3.0), random.between(0.3, 3.0)];
        let speeds = [random.between(-1.0, 1.0), random.between(-3.0, -1.5)];
        let mut world = World3::new();
        let at = Rigid3::identity();
        let [a, b] = [0, 1].map(|k| {
            let body = Body3::new(Inertia3::principal(masses[k], [0.1; 3]).unwrap(), at);
            let moving = body.moving([speeds[k], 0.0, 0.0, 0.0, 0.0, 0.0]);
            world.add(moving).unwrap()
        });
        let slide = Prismatic::between(&at, &at, &Point3::origin(), &Vector3::x_axis());
        let gap = random.between(0.05, 1.0);
        let slide = slide.with_limits(Limits::new(-gap..=10.0).with_restitution(e));
        let slide = world.connect(slide, [a, b]).unwrap();
        let [before, after] = turn(&mut world, slide, h, 3.0);
        assert!((after + e * before).abs() < 1e-12, "{after} {before} {e}");
        let momentum =
            masses[0] * world.velocity(a).unwrap()[0] + masses[1] * world.velocity(b).unwrap()[0];
        let first = masses[0] * speeds[0] + masses[1] * speeds[1];
        assert!((momentum - first).abs() < 1e-12, "{momentum} {first}");
    }
}

/// Limits that are set before each step, and motors next to them: one that pushes the slider, one that turns it.
#[test]
fn moving_limits_and_motors_leave_restitution_as_it_is() {
    for h in [1.0 / 60.0, 1e-3] {
        for e in [1.0, 0.6] {
            let (mut world, slide) = slider(0.0, (1.0, false), -2.0, |it| it.with_restitution(e));
            let mut before = -2.0;
            while rate(&world, slide) < 0.0 {
                before = rate(&world, slide);
                let low = -1.0 + 0.3 * world.time();
                let limits = Limits::new(low..=10.0).with_restitution(e);
                world.set_limits(slide, 0, limits).unwrap();
                world.step(h).unwrap();
            }
            assert!((rate(&world, slide) + e * before).abs() < 1e-12);

            // v² = 2 F d/m
            let force = 3.0;
            let (mut world, slide) = slider(0.0, (0.5, false), 0.0, |it| it.with_restitution(e));
            world
                .set_motor(slide, 0, Motor::speed(-100.0).most(force))
                .unwrap();
            let [_, after] = turn(&mut world, slide, h, 3.0);
            let expected = e * (2.0 * force * 0.5_f64).sqrt();
            assert!(
                (after - expected).abs() < 1.5 * force * h,
                "{after} {expected}"
            );

            let mut world = World3::new();
            let at = Rigid3::identity();
            let ground = world.add(Body3::fixed(at)).unwrap();
            let nut = Body3::new(Inertia3::principal(1.0, [0.1; 3]).unwrap(), at);
            let nut = world
                .add(nut.moving([0.0, 0.0, -2.0, 0.0, 0.0, 0.0]))
                .unwrap();
            let thread = Cylindrical::between(&at, &at, &Point3::origin(), &Vector3::z_axis());
            let thread = thread
                .travel()
                .with_limits(Limits::new(-0.7..=9.0).with_restitution(e));
            let thread = thread.turn().with_motor(Motor::speed(30.0).most(2.0));
            let thread = world.connect(thread, [ground, nut]).unwrap();
            let [before, after] = turn(&mut world, thread, h, 3.0);
            assert!((after + e * before).abs() < 1e-12, "{after} {before}");
        }
    }
}

/// In the plane, a slider and a hinge without forces.
#[test]
fn joints_in_the_plane_return_with_e_times_their_speed() {
    for h in [1.0 / 60.0, 1e-2, 1e-3] {
        for e in [1.0, 0.5] {
            for slides in [true, false] {
                let mut world = World2::new();
                let (wall, place) = (Rigid2::identity(), Rigid2::translation(0.5, 0.0));
                let ground = world.add(Body2::fixed(wall)).unwrap();
                let body = Body2::new(Inertia2::new(1.5, 0.2).unwrap(), place);
                let velocity = if slides {
                    [-2.0, 0.0, 0.0]
                } else {
                    [0.0, -1.0, -2.0]
                };
                let body = world.add(body.moving(velocity)).unwrap();
                let limits = Limits::new(-0.63..=1.0).with_restitution(e);
                let joint = if slides {
                    let x = Vector2::x_axis();
                    let slide = plane::Prismatic::between(&wall, &place, &Point2::origin(), &x);
                    world.connect(slide.with_limits(limits), [ground, body])
                } else {
                    let pin = plane::Revolute::between(&wall, &place, &Point2::origin());
                    world.connect(pin.with_limits(limits), [ground, body])
                };
                let joint = joint.unwrap();
                let mut rate = -2.0_f64;
                while rate < 0.0 {
                    assert!((rate + 2.0).abs() < 1e-11, "{rate}");
                    world.step(h).unwrap();
                    rate = world.axes(joint).unwrap()[0].rate;
                }
                assert!((rate - 2.0 * e).abs() < 1e-11, "h {h} e {e}: {rate}");
            }
        }
    }
}

// ---- contacts -----------------------------------------------------------------------------------

/// Balls of radius 0.1 over the floor z = 0, at these heights of their lowest points.
fn balls(
    gravity: f64,
    heights: &[f64],
    e: f64,
    friction: f64,
    floor_velocity: f64,
) -> (World3, Vec<BodyHandle>) {
    let mut world = World3::new().with_gravity([0.0, 0.0, -gravity]);
    let floor = Body3::fixed(Rigid3::identity());
    let floor = floor.moving([0.0, 0.0, floor_velocity, 0.0, 0.0, 0.0]);
    let floor = world.add(floor).unwrap();
    let inertia = Inertia3::principal(1.0, [0.4 * 0.01; 3]).unwrap();
    let balls: Vec<_> = heights
        .iter()
        .enumerate()
        .map(|(k, z)| {
            let place = Rigid3::translation(k as f64, 0.0, z + 0.1);
            world.add(Body3::new(inertia, place)).unwrap()
        })
        .collect();
    let all = balls.clone();
    let world = world.with_contacts(move |world, found| {
        let level = world.pose(floor).unwrap().translation.z;
        for &ball in &all {
            let at = world.pose(ball).unwrap().translation.vector;
            let point = [at.x, at.y, at.z - 0.1];
            let contact = Contact3::new([floor, ball], point, [0.0, 0.0, 1.0], at.z - 0.1 - level);
            found.push(contact.with_restitution(e).with_friction(friction));
        }
    });
    (world, balls)
}

/// The height to which a ball would rise from its state.
fn top(world: &World3, ball: BodyHandle) -> f64 {
    let v = world.velocity(ball).unwrap()[2];
    world.pose(ball).unwrap().translation.z - 0.1 + v * v / (2.0 * G)
}

/// A hundred balls from heights of their own: each keeps its energy, for a long time, in steps of four sizes.
#[test]
fn a_hundred_drops_neither_gain_nor_lose() {
    let random = &mut Random::new(11);
    let heights: Vec<f64> = (0..100).map(|_| random.between(0.05, 0.3)).collect();
    for h in STEPS {
        let (mut world, balls) = balls(G, &heights, 1.0, 0.0, 0.0);
        for _ in 0..400 {
            world.step(h).unwrap();
        }
        for (&ball, height) in balls.iter().zip(&heights) {
            let top = top(&world, ball);
            assert!((top / height - 1.0).abs() < 1e-9, "h {h}: {top} {height}");
        }
    }
}

#[test]
fn a_thousand_bounces_neither_gain_nor_lose() {
    for h in STEPS {
        let (mut world, balls) = balls(G, &[1.0], 1.0, 0.0, 0.0);
        let (mut bounces, mut last) = (0, 0.0);
        while bounces < if h < 2e-3 { 100 } else { 1000 } {
            world.step(h).unwrap();
            let v = world.velocity(balls[0]).unwrap()[2];
            if v > 0.0 && last < 0.0 {
                bounces += 1;
            }
            last = v;
            let top = top(&world, balls[0]);
            assert!((top - 1.0).abs() < 1e-8, "h {h}, {bounces} bounces: {top}");
        }
        // Each flight takes 2 √(2/g).
        let expected = (2.0 * f64::from(bounces) - 1.0) * (2.0_f64 / G).sqrt();
        assert!(
            (world.time() - expected).abs() < 1.5 * h,
            "{}",
            world.time()
        );
    }
}

#[test]
fn a_ball_rises_to_the_square_of_restitution_each_time() {
    for stepping in STEPPINGS {
        for h in STEPS {
            for e in [0.8, 0.6_f64] {
                let (world, balls) = balls(G, &[1.0], e, 0.0, 0.0);
                let mut world = stepping(world);
                let mut expected = 1.0;
                let mut last = -1.0;
                for _ in 0..4 {
                    loop {
                        world.step(h).unwrap();
                        let v = world.velocity(balls[0]).unwrap()[2];
                        let bounced = v > 0.0 && last <= 0.0;
                        last = v;
                        if bounced {
                            break;
                        }
                    }
                    expected *= e * e;
                    let top = top(&world, balls[0]);
                    assert!((top - expected).abs() < 1e-9, "h {h}: {top} {expected}");
                }
            }
        }
    }
}

/// In the end the ball rests: bounces that would end within the step do.
#[test]
fn a_ball_comes_to_rest() {
    for h in STEPS {
        let (mut world, balls) = balls(G, &[1.0], 0.5, 0.0, 0.0);
        // The impacts end after √(2/g) (1 + e)/(1 − e).
        let end = (2.0_f64 / G).sqrt() * 3.0;
        world.run_until(end + 4.0 * h, h).unwrap();
        assert_eq!(world.velocity(balls[0]).unwrap()[2], 0.0);
        let z = world.pose(balls[0]).unwrap().translation.z;
        assert!((z - 0.1).abs() < 1e-12, "{z}");
        world.run_until(end + 1.0, h).unwrap();
        let weight = world.contacts().next().unwrap().impulse / h;
        assert!((weight - G).abs() < 1e-6 * G || (world.time() - end - 1.0).abs() < h);
    }
}

/// A floor that moves with V: v′ = V + e (V − v), in any step.
#[test]
fn a_moving_floor_returns_what_its_own_frame_says() {
    for h in STEPS {
        for (e, up) in [(1.0, 0.7), (0.5, 0.7), (1.0, -0.4), (0.8, 2.0), (0.0, 1.0)] {
            let (mut world, balls) = balls(0.0, &[0.3], e, 0.0, up);
            let v = if up > 0.0 { -1.0 } else { -2.0 };
            world
                .set_velocity(balls[0], [0.0, 0.0, v, 0.0, 0.0, 0.0])
                .unwrap();
            world.run_until(1.0, h).unwrap();
            let after = world.velocity(balls[0]).unwrap()[2];
            let expected = up + e * (up - v);
            assert!(
                (after - expected).abs() < 1e-12,
                "h {h}: {after} {expected}"
            );
        }
    }
}

/// What rests on a floor that rises is lifted with it.
#[test]
fn a_rising_floor_lifts_what_lies_on_it() {
    for stepping in STEPPINGS {
        for e in [0.0, 0.5] {
            let (world, balls) = balls(G, &[0.0], e, 0.3, 1.5);
            let mut world = stepping(world);
            world.run_until(2.0, 1e-2).unwrap();
            let z = world.pose(balls[0]).unwrap().translation.z;
            let v = world.velocity(balls[0]).unwrap()[2];
            assert!(z > 3.1 - 1e-6, "{z}");
            assert!(e > 0.0 || (v - 1.5).abs() < 1e-9, "{v}");
        }
    }
}

/// Oblique: without friction the tangential velocity stays; with friction it falls by μ (1 + e) |vₙ|, or the ball rolls.
#[test]
fn oblique_bounces_obey_coulomb() {
    for h in STEPS {
        for (friction, e) in [
            (0.0, 1.0),
            (0.0, 0.6),
            (0.1, 0.8),
            (0.2, 1.0),
            (0.9, 0.7),
            (0.9, 1.0),
        ] {
            let (mut world, balls) = balls(0.0, &[0.3], e, friction, 0.0);
            let (along, down) = (1.7, -2.0);
            world
                .set_velocity(balls[0], [along, 0.0, down, 0.0, 0.0, 0.0])
                .unwrap();
            world.run_until(0.5, h).unwrap();
            let v = *world.velocity(balls[0]).unwrap();
            // Δv = −J/m, Δω = J r/I with I = 0.4 m r²: the slip falls by 3.5 J/m.
            let push = (friction * (1.0 + e) * -down).min(along / 3.5);
            assert!((v[2] + e * down).abs() < 1e-12, "h {h}: {v}");
            assert!((v[0] - (along - push)).abs() < 1e-12, "h {h}: {v}");
            assert!((v[4] - push / (0.4 * 0.1)).abs() < 1e-10, "h {h}: {v}");
        }
    }
}

/// A projectile without friction: under gravity the peaks stay e² of each other, and it advances evenly.
#[test]
fn a_projectile_bounces_on_and_on() {
    for h in STEPS {
        let (mut world, balls) = balls(G, &[1.0], 1.0, 0.0, 0.0);
        world
            .set_velocity(balls[0], [3.0, -1.0, 0.0, 0.0, 0.0, 0.0])
            .unwrap();
        world.run_until(20.0, h).unwrap();
        assert!((top(&world, balls[0]) - 1.0).abs() < 1e-8);
        let at = world.pose(balls[0]).unwrap().translation.vector;
        assert!(
            (at.x - 60.0).abs() < 1e-9 && (at.y + 20.0).abs() < 1e-9,
            "{at}"
        );
    }
}

/// Two disks of any masses that meet head on: Newton's law, and the momentum.
#[test]
fn disks_and_spheres_that_meet_share_momentum() {
    let random = &mut Random::new(23);
    for _ in 0..60 {
        let masses = [random.between(0.1, 5.0), random.between(0.1, 5.0)];
        let v = [random.between(0.0, 2.0), random.between(-2.0, -0.1)];
        let (e, h) = (random.between(0.0, 1.0), random.between(1e-3, 2e-2));
        let apart = random.between(0.5, 1.0);
        let expected = {
            let sum = masses[0] + masses[1];
            let mean = (masses[0] * v[0] + masses[1] * v[1]) / sum;
            let relative = e * (v[1] - v[0]);
            [
                mean + masses[1] / sum * relative,
                mean - masses[0] / sum * relative,
            ]
        };
        let mut world = World2::new();
        let disks = [0, 1].map(|k| {
            let place = Rigid2::translation(k as f64 * apart, 0.0);
            let disk = Body2::new(Inertia2::new(masses[k], 0.1).unwrap(), place);
            world.add(disk.moving([v[k], 0.0, 0.0])).unwrap()
        });
        let mut world = world.with_contacts(move |world, found| {
            let [a, b] = disks.map(|it| world.pose(it).unwrap().translation.vector);
            let point = (a + b) * 0.5;
            let contact = Contact2::new(disks, point, b - a, (b - a).norm() - 0.2);
            found.push(contact.with_restitution(e).with_friction(0.5));
        });
        world.run_until(4.0 * apart, h).unwrap();
        for k in 0..2 {
            let found = world.velocity(disks[k]).unwrap()[0];
            // With e near 0 they touch and stay: rounding alone.
            assert!(
                (found - expected[k]).abs() < 1e-9,
                "{found} {expected:?} {e}"
            );
        }
    }
}

/// A pendulum that strikes a wall by a contact, between the flights of which gravity acts; also with a limit beside that it never
/// reaches.
#[test]
fn jointed_bodies_return_with_e_times_their_speed() {
    for h in [1e-2, 1.0 / 240.0, 1e-3] {
        for e in [1.0, 0.8, 0.4] {
            let (world, pin) = pendulum(G, 3.0, 0.5, 0.0);
            let rod = world.bodies().nth(1).unwrap();
            let ground = world.bodies().next().unwrap();
            let mut world = world.with_contacts(move |world, found| {
                let tip = world.pose(rod).unwrap().translation.vector;
                // The body has its centre 0.3 below the level of the hinge at most.
                let contact = Contact3::new([ground, rod], tip, [0.0, 0.0, 1.0], tip.z + 0.3);
                found.push(contact.with_restitution(e));
            });
            let [_, after] = turn(&mut world, pin, h, 2.0);
            let arrival = (2.0 * G * 0.3 / 0.35_f64).sqrt();
            let most = 1.5 * 0.5 * G / 0.35 * h + 2.0 * (arrival * h).powi(2);
            assert!(
                (after + e * arrival).abs() < most,
                "h {h}: {after} {}",
                e * arrival
            );
        }
    }
}
