//! Rows of constraints with bounds of λ, and soft limits, against closed forms.

use constraint_runtime::joint::*;
use constraint_runtime::prelude::*;
use constraint_runtime::{Bounds, Contact2, Limits, Motor, Softness, World};

use super::{DOWN, G};

const H: f64 = 1e-3;

constraint! {
    /// A height above the ground.
    struct Height { height: Real }
    |body: Rigid2| at(body, [0, 0]).y == height
}

constraint! {
    /// A rate of turning.
    struct Turning { rate: Real }
    |wheel: Rigid2| angular_velocity(wheel) == rate
}

constraint! {
    /// A rope from one body over a pulley to another one.
    struct Rope { length: Real }
    |a: Rigid3, pulley: Rigid3, b: Rigid3|
    norm(at(a, [0, 0, 0]) - at(pulley, [0, 0, 0])) + norm(at(b, [0, 0, 0]) - at(pulley, [0, 0, 0])) == length
}

constraint! {
    /// A slot above a height: the first row is the slot, the second one the height.
    struct Slot { height: Real }
    |body: Rigid2| [
        at(body, [0, 0]).x == 0,
        at(body, [0, 0]).y == height,
    ]
}

fn solvers() -> [Solver; 2] {
    [
        Solver::Exact,
        SequentialImpulses::new(60).with_projections(10).into(),
    ]
}

fn disk(solver: Solver, gravity: [f64; 2], pose: Rigid2) -> (World2, BodyHandle) {
    let mut world = World2::new().with_gravity(gravity).with_solver(solver);
    let inertia = Inertia2::new(2.0, 0.25).unwrap();
    let disk = world.add(Body2::new(inertia, pose)).unwrap();
    (world, disk)
}

// ---- bounds of λ --------------------------------------------------------------------------------

/// λ ≥ 0: it falls freely, is caught, carries h m g, and is not held back.
#[test]
fn a_one_sided_row_pushes_and_never_pulls() {
    for solver in solvers() {
        let (mut world, ball) = disk(solver, [0.0, -G], Rigid2::translation(0.0, 1.0));
        let floor = world.connect(Height { height: 0.5 }, [ball]).unwrap();
        world.set_bounds(floor, 0, Bounds::at_least(0.0)).unwrap();
        world.run_until(0.3, H).unwrap();
        assert!((world.velocity(ball).unwrap()[1] + 0.3 * G).abs() < 1e-12);
        assert_eq!(world.impulse(floor).unwrap(), [0.0]);
        world.run_until(0.5, H).unwrap();
        assert!((world.pose(ball).unwrap().translation.y - 0.5).abs() < 1e-12);
        assert!((world.impulse(floor).unwrap()[0] - 2.0 * G * H).abs() < 1e-12);
        world.set_velocity(ball, [0.0, 2.0, 0.0]).unwrap();
        world.run_until(0.6, H).unwrap();
        assert!((world.velocity(ball).unwrap()[1] - (2.0 - 0.1 * G)).abs() < 1e-12);
        assert_eq!(world.drift(), 0.0);
        // Without bounds it is held on both sides.
        world.set_bounds(floor, 0, None).unwrap();
        assert!(world.drift() > 0.1);
        assert!(matches!(world.step(H), Err(Error::JointApart { .. })));
    }
}

/// From below the floor it is taken back by a fifth a step, and leaves without a velocity.
#[test]
fn what_lies_beyond_a_one_sided_row_returns_without_a_velocity() {
    for solver in solvers() {
        let (mut world, ball) = disk(solver, [0.0; 2], Rigid2::translation(0.0, 0.4));
        let floor = world.connect(Height { height: 0.5 }, [ball]).unwrap();
        world.set_bounds(floor, 0, Bounds::at_least(0.0)).unwrap();
        for k in 1..30 {
            world.step(H).unwrap();
            let below = 0.5 - world.pose(ball).unwrap().translation.y;
            assert!((below - 0.1 * 0.8_f64.powi(k)).abs() < 1e-12, "{below}");
            assert!(world.velocity(ball).unwrap().norm() < 1e-12);
        }
    }
}

/// |λ| ≤ F: it holds a weight below F, and lets a larger one fall with g − F/m.
#[test]
fn a_row_of_bounded_force_holds_slips_and_returns() {
    for solver in solvers() {
        let (mut world, load) = disk(solver, [0.0, -G], Rigid2::identity());
        let clutch = world.connect(Height { height: 0.0 }, [load]).unwrap();
        let force = 30.0;
        world
            .set_bounds(clutch, 0, Bounds::new(-force..=force))
            .unwrap();
        world.run_until(0.2, H).unwrap();
        assert!(world.pose(load).unwrap().translation.y.abs() < 1e-12);
        let heavy = Inertia2::new(5.0, 0.25).unwrap();
        world.set_inertia(load, heavy).unwrap();
        world.run_until(0.5, H).unwrap();
        let speed = -0.3 * (G - force / 5.0);
        assert!((world.velocity(load).unwrap()[1] - speed).abs() < 1e-12);
        assert!((world.impulse(clutch).unwrap()[0] - force * H).abs() < 1e-12);
        // Behind a damper it returns, and rests at m g/k.
        let light = Inertia2::new(1.0, 0.25).unwrap();
        world.set_inertia(load, light).unwrap();
        let softness = Softness::new(500.0, 60.0).unwrap();
        let bounds = Bounds::new(-force..=force).with_softness(softness);
        world.set_bounds(clutch, 0, bounds).unwrap();
        world.run_until(3.0, H).unwrap();
        let place = world.pose(load).unwrap().translation.y;
        assert!((place + G / 500.0).abs() < 1e-6, "{place}");
    }
}

/// A row of velocities with a bound is a motor: it reaches its speed in I ω/τ.
#[test]
fn a_bounded_row_of_velocities_is_a_motor() {
    for solver in solvers() {
        let (mut world, wheel) = disk(solver, [0.0; 2], Rigid2::identity());
        let motor = world.connect(Turning { rate: 4.0 }, [wheel]).unwrap();
        world.set_bounds(motor, 0, Bounds::new(-2.0..=2.0)).unwrap();
        world.run_until(0.4, H).unwrap();
        assert!((world.velocity(wheel).unwrap()[2] - 0.4 * 2.0 / 0.25).abs() < 1e-12);
        world.run_until(0.55, H).unwrap();
        assert!((world.velocity(wheel).unwrap()[2] - 4.0).abs() < 1e-12);
        assert!(world.impulse(motor).unwrap()[0].abs() < 1e-12);
    }
}

/// A disk that rolls without slip against a resistance τ comes to rest after (I + m r²) ω/τ, and stays.
#[test]
fn a_disk_rolls_to_rest() {
    for solver in solvers() {
        let (radius, resistance, spin) = (0.5, 2.0, -3.0);
        let (mut world, disk) = disk(solver, [0.0, -G], Rigid2::translation(0.0, radius));
        let rolling = world.connect(Turning { rate: 0.0 }, [disk]).unwrap();
        let bounds = Bounds::new(-resistance..=resistance);
        world.set_bounds(rolling, 0, bounds).unwrap();
        world
            .set_velocity(disk, [-spin * radius, 0.0, spin])
            .unwrap();
        let floor = world.add(Body2::fixed(Rigid2::identity())).unwrap();
        let mut world = world.with_contacts(move |world, found| {
            let centre = world.pose(disk).unwrap().translation.vector;
            let gap = centre.y - radius;
            let contact = Contact2::new([floor, disk], [centre.x, 0.0], [0.0, 1.0], gap);
            found.push(contact.with_friction(0.5));
        });
        let inertia = 0.25 + 2.0 * radius * radius;
        let time = inertia * spin.abs() / resistance;
        world.run_until(0.5 * time, H).unwrap();
        let v = world.velocity(disk).unwrap();
        assert!((v[2] - 0.5 * spin).abs() < 1e-8, "{v}");
        assert!((v[0] + v[2] * radius).abs() < 1e-9, "{v}");
        world.run_until(time + 0.1, H).unwrap();
        let v = world.velocity(disk).unwrap();
        assert!(v.norm() < 1e-9, "{v}");
        // ω² (I + m r²)/2 is the work τ φ; the step is of first order.
        let path = world.pose(disk).unwrap().translation.x;
        let turned = inertia * spin * spin / (2.0 * resistance);
        assert!((path - turned * radius).abs() < 5e-3, "{path}");
    }
}

/// Atwood's machine of 3 kg and 1 kg on a rope: taut it moves with g/2, thrown up it is slack until 3 m/s/g, and the jerk
/// is inelastic.
#[test]
fn a_rope_between_three_bodies_is_taut_or_slack() {
    for solver in solvers() {
        let mut world = World3::new().with_gravity(DOWN).with_solver(solver);
        let pulley = world.add(Body3::fixed(Rigid3::identity())).unwrap();
        let [a, b] = [3.0, 1.0].map(|mass| {
            let inertia = Inertia3::principal(mass, [0.1; 3]).unwrap();
            let load = Body3::new(inertia, Rigid3::translation(0.0, 0.0, -10.0));
            world.add(load).unwrap()
        });
        let rope = world
            .connect(Rope { length: 20.0 }, [a, pulley, b])
            .unwrap();
        world.set_bounds(rope, 0, Bounds::at_most(0.0)).unwrap();
        world.run_until(0.2, H).unwrap();
        assert!((world.velocity(b).unwrap()[2] - 0.1 * G).abs() < 1e-9);
        // T = 2 m₁ m₂ g/(m₁ + m₂)
        assert!((world.impulse(rope).unwrap()[0] + 1.5 * G * H).abs() < 1e-9);

        world.set_velocity(a, [0.0; 6]).unwrap();
        world
            .set_velocity(b, [0.0, 0.0, 3.0, 0.0, 0.0, 0.0])
            .unwrap();
        world.run_until(0.4, H).unwrap();
        assert!((world.velocity(a).unwrap()[2] + 0.2 * G).abs() < 1e-9);
        assert!((world.velocity(b).unwrap()[2] - (3.0 - 0.2 * G)).abs() < 1e-9);
        assert_eq!(world.impulse(rope).unwrap(), [0.0]);
        world.run_until(0.7, H).unwrap();
        let [down, up] = [a, b].map(|it| world.velocity(it).unwrap()[2]);
        assert!((down + up).abs() < 1e-9, "{down} {up}");
        let expected = 2.25 + (0.5 - 3.0 / G) * 0.5 * G;
        assert!((up - expected).abs() < 2e-2, "{up} {expected}");
    }
}

/// One row of a constraint may have bounds while the other ones hold exactly.
#[test]
fn rows_without_bounds_stay_exact() {
    for solver in solvers() {
        let (mut world, ball) = disk(solver, [1.0, -G], Rigid2::translation(0.0, 1.0));
        let slot = world.connect(Slot { height: 0.0 }, [ball]).unwrap();
        world.set_bounds(slot, 1, Bounds::at_least(0.0)).unwrap();
        world.run_until(0.4, H).unwrap();
        let place = world.pose(ball).unwrap().translation;
        assert!(place.x.abs() < 1e-12, "{place}");
        assert!((place.y - (1.0 - 0.08 * G)).abs() < 3e-3, "{place}");
        let impulse = world.impulse(slot).unwrap();
        assert!((impulse[0] + 2.0 * H).abs() < 1e-12 && impulse[1] == 0.0);
        world.run_until(1.0, H).unwrap();
        assert!(world.pose(ball).unwrap().translation.vector.norm() < 1e-12);
        assert!((world.impulse(slot).unwrap()[1] - 2.0 * G * H).abs() < 1e-12);
        assert!(world.drift() < 1e-12);
        // Suspended, it falls through; removed, its row goes with it.
        world.set_enabled(slot, false).unwrap();
        world.run_until(1.1, H).unwrap();
        assert!((world.velocity(ball).unwrap()[1] + 0.1 * G).abs() < 1e-9);
        world.disconnect(slot).unwrap();
        world.step(H).unwrap();
    }
}

/// A spring within bounds: m g/k at rest, and no pull beyond them.
#[test]
fn a_soft_row_gives_in_and_does_not_reach_out() {
    for solver in solvers() {
        let (mut world, ball) = disk(solver, [0.0, -G], Rigid2::translation(0.0, 0.2));
        let pad = world.connect(Height { height: 0.0 }, [ball]).unwrap();
        let softness = Softness::swinging(5.0, 1.0, 2.0).unwrap();
        let bounds = Bounds::at_least(0.0).with_softness(softness);
        world.set_bounds(pad, 0, bounds).unwrap();
        world.run_until(0.2, H).unwrap();
        assert!((world.velocity(ball).unwrap()[1] + 0.2 * G).abs() < 1e-12);
        world.run_until(3.0, H).unwrap();
        // g/ω²
        let depth = G / (10.0 * std::f64::consts::PI).powi(2);
        let place = world.pose(ball).unwrap().translation.y;
        assert!((place + depth).abs() < 1e-9, "{place} {depth}");
    }
}

#[test]
fn a_world_with_bounds_resumes_to_the_last_bit() {
    for solver in solvers() {
        let build = || {
            let (mut world, ball) = disk(solver, [1.0, -G], Rigid2::translation(0.0, 0.1));
            let slot = world.connect(Slot { height: 0.0 }, [ball]).unwrap();
            world.set_bounds(slot, 1, Bounds::at_least(0.0)).unwrap();
            (world, slot)
        };
        let (mut world, slot) = build();
        world.run_until(0.2, H).unwrap();
        let (mut resumed, same) = build();
        resumed.resume(&world.checkpoint()).unwrap();
        for _ in 0..20 {
            world.step(H).unwrap();
            resumed.step(H).unwrap();
            assert_eq!(world.impulse(slot), resumed.impulse(same));
        }
        assert_eq!(world.checkpoint(), resumed.checkpoint());
    }
}

#[test]
fn bounds_that_cannot_be_are_refused() {
    let (mut world, ball) = disk(Solver::Exact, [0.0, -G], Rigid2::identity());
    let floor = world.connect(Height { height: 0.0 }, [ball]).unwrap();
    for (least, most) in [
        (1.0, -1.0),
        (0.5, 0.5),
        (f64::NAN, 1.0),
        (0.0, f64::NEG_INFINITY),
    ] {
        let error = world
            .set_bounds(floor, 0, Bounds::new(least..=most))
            .unwrap_err();
        assert!(matches!(error, Error::InvalidBounds { .. }), "{error}");
    }
    assert_eq!(
        world
            .set_bounds(floor, 0, Bounds::new(2.0..=-3.0))
            .unwrap_err()
            .to_string(),
        "bounds of λ from 2 to -3 must be two different numbers in this order"
    );
    assert_eq!(
        world
            .set_bounds(floor, 1, Bounds::at_least(0.0))
            .unwrap_err()
            .to_string(),
        "joint 0 has no row 1: there are 1, counted from 0"
    );
    let damper = Softness::new(0.0, 1.0).unwrap();
    let error = world.set_bounds(floor, 0, Bounds::at_least(0.0).with_softness(damper));
    assert!(matches!(error, Err(Error::InvalidSoftness { .. })));
    world.step(H).unwrap();
    assert!(world.pose(ball).unwrap().translation.y.abs() < 1e-15);

    world.set_bounds(floor, 0, Bounds::at_least(0.0)).unwrap();
    let start = world.state();
    let refused = Simulation::new(world, start, Rk4::new(1e-3)).and_then(|mut run| run.step());
    assert!(matches!(refused, Err(Error::OwnStepsOnly)), "{refused:?}");
    let (mut world, ball) = disk(Solver::Exact, [0.0, -G], Rigid2::identity());
    let gone = world.connect(Height { height: 0.0 }, [ball]).unwrap();
    world.disconnect(gone).unwrap();
    let refused = world.set_bounds(gone, 0, Bounds::at_least(0.0));
    assert_eq!(refused, Err(Error::RemovedJoint { joint: 0 }));
}

// ---- soft limits --------------------------------------------------------------------------------

/// A mass on a soft stop without damping: π √(m/k) long, v √(m/k) deep, and away with the same speed, to first order in h.
#[test]
fn a_soft_stop_returns_a_mass_after_half_a_period() {
    let (mass, stiffness, v) = (2.0, 800.0, 1.5);
    let omega = f64::sqrt(stiffness / mass);
    for solver in solvers() {
        let run = |h: f64| {
            let mut world = World2::new().with_solver(solver);
            let rail = world.add(Body2::fixed(Rigid2::identity())).unwrap();
            let inertia = Inertia2::new(mass, 1.0).unwrap();
            let pose = Rigid2::identity();
            let car = Body2::new(inertia, pose).moving([v, 0.0, 0.0]);
            let car = world.add(car).unwrap();
            let slide =
                plane::Prismatic::between(&pose, &pose, &Point2::origin(), &Vector2::x_axis());
            let limits =
                Limits::new(-9.0..=0.1).with_softness(Softness::new(stiffness, 0.0).unwrap());
            let slide = world
                .connect(slide.with_limits(limits), [rail, car])
                .unwrap();
            let (mut deepest, mut touched, mut last) = (0.0_f64, 0.0_f64, 0.0);
            while world.time() < 0.4 {
                world.step(h).unwrap();
                let axis = world.axes(slide).unwrap()[0];
                deepest = deepest.max(axis.value - 0.1);
                touched += h * f64::from(axis.impulse < 0.0);
                last = axis.rate;
            }
            [
                deepest * omega / v - 1.0,
                touched * omega / std::f64::consts::PI - 1.0,
                last / v + 1.0,
            ]
        };
        let (coarse, fine) = (run(1e-3), run(5e-4));
        for (coarse, fine) in coarse.into_iter().zip(fine) {
            assert!(coarse.abs() < 0.04, "{coarse} {fine}");
            assert!(fine.abs() < 0.6 * coarse.abs().max(4e-3), "{coarse} {fine}");
        }
    }
}

/// Torques against soft limits of hinge, cone and twist: τ/k beyond them at rest.
#[test]
fn soft_limits_of_all_joints_carry_a_torque() {
    let (limit, torque) = (0.3, 4.0);
    let softness = Softness::new(50.0, 5.0).unwrap();
    let expected = limit + torque / 50.0;
    for solver in solvers() {
        let run = |joint: Driven3<Ball<f64>>, about: Vector3<f64>| {
            let mut world = World3::new().with_solver(solver);
            let ground = world.add(Body3::fixed(Rigid3::identity())).unwrap();
            let inertia = Inertia3::principal(1.0, [0.1; 3]).unwrap();
            let body = world.add(Body3::new(inertia, Rigid3::identity())).unwrap();
            let joint = world.connect(joint, [ground, body]).unwrap();
            let push = [
                0.0,
                0.0,
                0.0,
                torque * about.x,
                torque * about.y,
                torque * about.z,
            ];
            world.set_force(body, push).unwrap();
            world.run_until(2.5, 1e-2).unwrap();
            world.axes(joint).unwrap()[0]
        };
        let pose = Rigid3::identity();
        let ball = || Ball::between(&pose, &pose, &Point3::origin());
        let cone = ball()
            .with_cone(&Vector3::z_axis(), limit)
            .with_softness(softness);
        let twist = Limits::new(-limit..=limit).with_softness(softness);
        let twist = ball().with_twist(&Vector3::z_axis(), twist);
        for axis in [
            run(cone, Vector3::new(0.6, 0.8, 0.0)),
            run(twist, Vector3::z()),
        ] {
            assert!((axis.value - expected).abs() < 1e-9, "{axis:?}");
            assert!((axis.impulse + torque * 1e-2).abs() < 1e-9, "{axis:?}");
        }

        let mut world = World2::new().with_solver(solver);
        let ground = world.add(Body2::fixed(Rigid2::identity())).unwrap();
        let wheel = Body2::new(Inertia2::new(1.0, 0.1).unwrap(), Rigid2::identity());
        let wheel = world.add(wheel).unwrap();
        let pose = Rigid2::identity();
        let axle = plane::Revolute::between(&pose, &pose, &Point2::origin());
        let limits = Limits::new(-limit..=limit).with_softness(softness);
        let axle = axle.with_limits(limits);
        // The motor wins against the spring until their torques are equal.
        let axle = axle.with_motor(Motor::speed(1.0).most(torque));
        let axle = world.connect(axle, [ground, wheel]).unwrap();
        world.run_until(2.5, 1e-2).unwrap();
        let axis = world.axes(axle).unwrap()[0];
        assert!((axis.value - expected).abs() < 1e-9, "{axis:?}");
        assert!(axis.impulse.abs() < 1e-9, "{axis:?}");
        world
            .set_motor(axle, 0, Motor::position(0.5, 20.0, 1.0).most(10.0))
            .unwrap();
        world.run_until(5.0, 1e-2).unwrap();
        // 50 (x − 0.3) = 20 (0.5 − x)
        let axis = world.axes(axle).unwrap()[0];
        assert!((axis.value - 25.0 / 70.0).abs() < 1e-9, "{axis:?}");
    }
}

/// Any scalar, any dimension: a soft limit has no part in the check of a start.
#[test]
fn a_joint_may_start_beyond_a_soft_limit() {
    let mut world: World<f64, Rigid2, 3> = World2::new();
    let ground = world.add(Body2::fixed(Rigid2::identity())).unwrap();
    let wheel = Body2::new(Inertia2::new(1.0, 0.1).unwrap(), Rigid2::identity());
    let wheel = world.add(wheel).unwrap();
    let pose = Rigid2::identity();
    let axle = plane::Revolute::between(&pose, &pose, &Point2::origin());
    let limits = Limits::new(0.5..=1.0);
    let soft = limits.with_softness(Softness::swinging(3.0, 0.7, 0.1).unwrap());
    let axle = world
        .connect(axle.with_limits(limits), [ground, wheel])
        .unwrap();
    assert!(matches!(world.step(H), Err(Error::OutsideLimits { .. })));
    world.set_limits(axle, 0, soft).unwrap();
    world.run_until(2.0, H).unwrap();
    assert!(world.axes(axle).unwrap()[0].value > 0.499);
}
