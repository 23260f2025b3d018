//! Friction and contact against closed forms, with the geometry written by hand.

use constraint_runtime::joint::*;
use constraint_runtime::prelude::*;
use constraint_runtime::{Contact2, Contact3, Limits};

use super::{DOWN, G};

const H: f64 = 1e-3;

/// How contacts are solved: together with factors, or by sweeps over all rows.
fn solvers() -> [Solver; 2] {
    [Solver::Exact, SequentialImpulses::new(100).into()]
}

/// A box of these half sizes whose corners may meet the floor y = 0.
fn box_on_floor(
    gravity: [f64; 2],
    pose: Rigid2,
    [x, y]: [f64; 2],
    friction: f64,
    restitution: f64,
) -> (World2, BodyHandle) {
    let mut world = World2::new().with_gravity(gravity);
    let floor = world.add(Body2::fixed(Rigid2::identity())).unwrap();
    let inertia = Inertia2::new(2.0, 2.0 * (x * x + y * y) / 3.0).unwrap();
    let block = world.add(Body2::new(inertia, pose)).unwrap();
    let world = world.with_contacts(move |world, found| {
        let pose = world.pose(block).unwrap();
        for (feature, corner) in [[-x, -y], [x, -y], [-x, y], [x, y]].into_iter().enumerate() {
            let corner = pose * Point2::from(corner);
            let contact = Contact2::new([floor, block], corner.coords, [0.0, 1.0], corner.y);
            let contact = contact
                .with_friction(friction)
                .with_restitution(restitution);
            found.push(contact.with_feature(feature as u64));
        }
    });
    (world, block)
}

/// An incline of the angle φ holds a block as long as tan φ ≤ μ, and lets it slide with g (sin φ − μ cos φ).
#[test]
fn a_block_sticks_or_slides_on_an_incline() {
    let slope = 0.5_f64;
    let gravity = [G * slope.sin(), -G * slope.cos()];
    for solver in solvers() {
        let run = |friction: f64| {
            let pose = Rigid2::translation(0.0, 0.25);
            let (world, block) = box_on_floor(gravity, pose, [0.5, 0.25], friction, 0.0);
            let mut world = world.with_solver(solver);
            world.run_until(0.5, H).unwrap();
            (
                world.pose(block).unwrap().translation.vector,
                *world.velocity(block).unwrap(),
            )
        };
        let (place, v) = run(slope.tan() * 1.01);
        assert!(place.x.abs() < 1e-9 && v.norm() < 1e-9, "{place} {v}");
        let friction = 0.3;
        let (place, v) = run(friction);
        let speed = 0.5 * G * (slope.sin() - friction * slope.cos());
        assert!((v[0] - speed).abs() < 1e-8 && v[2].abs() < 1e-8, "{v}");
        assert!((place.y - 0.25).abs() < 1e-10, "{place}");
    }
}

/// Friction above tan θ stops a block that is thrown down an incline after v/(g (μ cos θ − sin θ)), and holds it.
#[test]
fn a_block_stops_on_an_incline() {
    let (slope, friction, v) = (0.3_f64, 0.7, 1.5);
    let gravity = [G * slope.sin(), -G * slope.cos()];
    let time = v / (G * (friction * slope.cos() - slope.sin()));
    for solver in solvers() {
        let pose = Rigid2::translation(0.0, 0.25);
        let (world, block) = box_on_floor(gravity, pose, [0.5, 0.25], friction, 0.0);
        let mut world = world.with_solver(solver);
        world.set_velocity(block, [v, 0.0, 0.0]).unwrap();
        world.run_until(0.5 * time, H).unwrap();
        let half = world.velocity(block).unwrap()[0];
        assert!((half - 0.5 * v).abs() < 1e-8, "{half}");
        world.run_until(time + 0.05, H).unwrap();
        assert!(world.velocity(block).unwrap().norm() < 1e-9);
        // v t/2, to the order of the step.
        let path = world.pose(block).unwrap().translation.x;
        assert!((path - 0.5 * v * time).abs() < 2e-3, "{path}");
    }
}

/// A disk that starts without spin slips for v/(3 μ g), rolls on at 2 v/3, and nothing slows it any more.
#[test]
fn a_disk_slips_and_then_rolls() {
    let (radius, mu, v) = (0.3, 0.2, 2.0);
    let run = |h: f64| {
        let mut world = World2::new().with_gravity([0.0, -G]);
        let floor = world.add(Body2::fixed(Rigid2::identity())).unwrap();
        let inertia = Inertia2::new(1.5, 0.5 * 1.5 * radius * radius).unwrap();
        let disk = Body2::new(inertia, Rigid2::translation(0.0, radius)).moving([v, 0.0, 0.0]);
        let disk = world.add(disk).unwrap();
        let mut world = world.with_contacts(move |world, found| {
            let centre = world.pose(disk).unwrap().translation.vector;
            let contact = Contact2::new(
                [floor, disk],
                [centre.x, 0.0],
                [0.0, 1.0],
                centre.y - radius,
            );
            found.push(contact.with_friction(mu));
        });
        let slips = v / (3.0 * mu * G);
        world.run_until(0.5 * slips, h).unwrap();
        let half = world.velocity(disk).unwrap();
        assert!((half[0] - v * 5.0 / 6.0).abs() < 1e-9, "{half}");
        assert!((half[2] + mu * G * slips / radius).abs() < 1e-8, "{half}");
        world.run_until(5.0, h).unwrap();
        let end = *world.velocity(disk).unwrap();
        assert!((end[0] + end[2] * radius).abs() < 1e-12, "{end}");
        assert!((end[0] - v * 2.0 / 3.0).abs() < 1e-12, "{end}");
        // s = v t − ½ μ g t² while it slips.
        let path = slips * v * 5.0 / 6.0 + (5.0 - slips) * v * 2.0 / 3.0;
        (world.pose(disk).unwrap().translation.x - path).abs()
    };
    let (coarse, fine) = (run(4e-3), run(2e-3));
    assert!(
        (1.5..2.6).contains(&(coarse / fine)),
        "order 1: {coarse} {fine}"
    );
}

/// A billiard ball: friction lies against the slip, whose direction stays, and takes 2/7 of it from the velocity.
#[test]
fn friction_in_space_lies_in_coulombs_cone() {
    let (radius, mu) = (0.03, 0.2);
    let mut world = World3::new().with_gravity(DOWN);
    let table = world.add(Body3::fixed(Rigid3::identity())).unwrap();
    let inertia = Inertia3::principal(0.2, [0.4 * 0.2 * radius * radius; 3]).unwrap();
    let start = [0.8, 0.3, 0.0, 12.0, 25.0, -7.0];
    let ball = Body3::new(inertia, Rigid3::translation(0.0, 0.0, radius)).moving(start);
    let ball = world.add(ball).unwrap();
    let mut world = world.with_contacts(move |world, found| {
        let centre = world.pose(ball).unwrap().translation.vector;
        let point = [centre.x, centre.y, 0.0];
        let contact = Contact3::new([table, ball], point, [0.0, 0.0, 2.0], centre.z - radius);
        found.push(contact.with_friction(mu));
    });
    let slip = |v: &SVector<f64, 6>| Vector2::new(v[0] - radius * v[4], v[1] + radius * v[3]);
    let first = slip(&SVector::from(start));
    // The slip falls by 7/2 μ g.
    let time = first.norm() / (3.5 * mu * G);
    world.run_until(0.9 * time, 1e-4).unwrap();
    let late = slip(world.velocity(ball).unwrap());
    assert!((late - first * 0.1).norm() < 1e-9, "{late} {first}");
    world.step(1e-4).unwrap();
    let found: Vec<_> = world.contacts().collect();
    assert_eq!((found.len(), found[0].bodies), (1, [table, ball]));
    assert!((found[0].impulse - 0.2 * G * 1e-4).abs() < 1e-12);
    assert!((found[0].friction - mu * found[0].impulse).abs() < 1e-15);
    world.run_until(1.1 * time, 1e-4).unwrap();
    let v = world.velocity(ball).unwrap();
    assert!(slip(v).norm() < 1e-12, "{v}");
    assert!((v[0] - (0.8 - first.x * 2.0 / 7.0)).abs() < 1e-12, "{v}");
    assert!((v[1] - (0.3 - first.y * 2.0 / 7.0)).abs() < 1e-12, "{v}");
    assert!(
        (v[5] + 7.0).abs() < 1e-12,
        "nothing turns it about the normal"
    );
}

/// A ball that falls from the height y rises to e² y.
#[test]
fn a_ball_rebounds_to_the_square_of_restitution() {
    let e = 0.7_f64;
    for solver in solvers() {
        let (world, block) =
            box_on_floor([0.0, -G], Rigid2::translation(0.0, 1.2), [0.3, 0.2], 0.0, e);
        let mut world = world.with_solver(solver);
        let falls = (2.0 / G).sqrt();
        world.run_until(falls * (1.0 + e), H).unwrap();
        let top = world.pose(block).unwrap().translation.y - 0.2;
        assert!((top - e * e).abs() < 1e-2, "{top}");
        // The rebounds end after (1 + e)/(1 − e) of the first fall.
        world
            .run_until(falls * (1.0 + e) / (1.0 - e) + 0.3, H)
            .unwrap();
        let rests = world.velocity(block).unwrap()[1];
        assert!(rests.abs() < 1e-9, "{rests}");
        assert!((world.pose(block).unwrap().translation.y - 0.2).abs() < 1e-4);
    }
}

/// A box dropped on an edge never gains energy, and does not sink into the floor.
#[test]
fn energy_never_rises() {
    for (turn, e) in [(0.3, 0.0), (0.7, 0.4), (1.2, 0.2)] {
        let pose = Rigid2::new(Vector2::new(0.0, 1.2), turn);
        let (mut world, block) = box_on_floor([0.0, -G], pose, [0.6, 0.3], 0.4, e);
        world.set_velocity(block, [1.0, 0.0, 2.0]).unwrap();
        let mut last = world.energy();
        for _ in 0..3000 {
            world.step(H).unwrap();
            let energy = world.energy();
            // What is pushed out of the floor is lifted.
            assert!(energy < last + 1e-4, "{energy} {last}");
            last = energy;
        }
        assert!(world.velocity(block).unwrap().norm() < 1e-9);
        let height = world.pose(block).unwrap().translation.y;
        assert!(
            [0.3, 0.6].iter().any(|y| (height - y).abs() < 1e-5),
            "{height}"
        );
    }
}

/// Ten boxes, one on the other, at 60 Hz: what the first steps leave to the sweeps, later ones put right.
#[test]
fn a_stack_of_ten_boxes_stays() {
    let mut world = World2::new().with_gravity([0.0, -G]);
    let mut stack = vec![
        world
            .add(Body2::fixed(Rigid2::translation(0.0, -0.5)))
            .unwrap(),
    ];
    for k in 0..10 {
        let place = Rigid2::translation(0.01 * f64::from(k % 3), f64::from(k) + 0.5);
        stack.push(
            world
                .add(Body2::new(Inertia2::new(1.0, 1.0 / 6.0).unwrap(), place))
                .unwrap(),
        );
    }
    let boxes = stack.clone();
    let mut world = world.with_contacts(move |world, found| {
        for pair in stack.windows(2) {
            let [lower, upper] = [0, 1].map(|k| *world.pose(pair[k]).unwrap());
            let normal = lower.rotation * Vector2::y();
            for (feature, x) in [(0, -0.5), (1, 0.5)] {
                let corner = upper * Point2::new(x, -0.5);
                let gap = (corner.coords - lower.translation.vector).dot(&normal) - 0.5;
                let contact = Contact2::new([pair[0], pair[1]], corner.coords, normal, gap);
                found.push(contact.with_friction(0.5).with_feature(feature));
            }
        }
    });
    for _ in 0..150 {
        world.step(1.0 / 60.0).unwrap();
    }
    for (k, &it) in boxes.iter().enumerate().skip(1) {
        let place = world.pose(it).unwrap().translation.vector;
        let x = 0.01 * ((k - 1) % 3) as f64;
        assert!((place.x - x).abs() < 1e-3, "{k}: {place}");
        assert!((place.y - (k as f64 - 0.5)).abs() < 1e-3, "{k}: {place}");
        assert!(world.velocity(it).unwrap().norm() < 1e-3);
    }
    // The lowest two contacts carry all.
    let carried: f64 = world.contacts().take(2).map(|it| it.impulse).sum();
    assert!((carried - 10.0 * G / 60.0).abs() < 1e-3, "{carried}");
}

/// Four links with limits fall on the floor: points of both ends of each touch it.
fn chain(solver: Solver) -> World3 {
    let mut world = World3::new().with_gravity(DOWN).with_solver(solver);
    let floor = world.add(Body3::fixed(Rigid3::identity())).unwrap();
    let mut links = Vec::new();
    let turn = Vector3::new(0.0, 0.4, 0.0);
    let along = Rigid3::rotation(turn).rotation * Vector3::x();
    for k in 0..4 {
        let centre = Vector3::new(0.0, 0.0, 1.5) + along * f64::from(k);
        let inertia = Inertia3::principal(1.0, [0.02, 0.1, 0.1]).unwrap();
        let pose = Rigid3::new(centre, turn);
        let link = world.add(Body3::new(inertia, pose)).unwrap();
        if let Some(&(last, place)) = links.last() {
            let pin = Point3::from(centre - along * 0.5);
            let pin = Hinge::between(&place, &pose, &pin, &Vector3::y_axis());
            let pin = pin.with_limits(Limits::new(-0.5..=0.5));
            world.connect(pin, [last, link]).unwrap();
        }
        links.push((link, pose));
    }
    world.with_contacts(move |world, found| {
        for &(link, _) in &links {
            let pose = world.pose(link).unwrap();
            for (feature, [x, y]) in [[-0.5, -0.1], [0.5, -0.1], [-0.5, 0.1], [0.5, 0.1]]
                .into_iter()
                .enumerate()
            {
                let end = pose * Point3::new(x, y, 0.0);
                let contact = Contact3::new([floor, link], end.coords, [0.0, 0.0, 1.0], end.z);
                found.push(contact.with_friction(0.5).with_feature(feature as u64));
            }
        }
    })
}

/// Joints stay exact while contacts are found by sweeps, and both solvers find the same motion.
#[test]
fn joints_stay_exact_among_contacts() {
    let [mut exact, mut swept] = [
        Solver::Exact,
        SequentialImpulses::new(100).with_projections(10).into(),
    ]
    .map(chain);
    let mut touched = 0;
    let mut last = exact.energy();
    for _ in 0..125 {
        exact.step(2e-3).unwrap();
        assert!(exact.drift() < 1e-12, "{}", exact.drift());
        assert!(exact.energy() < last + 1e-3, "{} {last}", exact.energy());
        last = exact.energy();
        touched = touched.max(exact.contacts().count());
    }
    assert!(touched > 1);
    swept.run_until(0.25, 2e-3).unwrap();
    for (one, other) in exact.bodies().zip(swept.bodies()) {
        let [one, other] = [exact.pose(one).unwrap(), swept.pose(other).unwrap()];
        assert!(
            (one.translation.vector - other.translation.vector).norm() < 5e-3,
            "{one} {other}"
        );
    }
    exact.run_until(2.5, 5e-3).unwrap();
    for body in exact.bodies() {
        let v = exact.velocity(body).unwrap();
        assert!(v.norm() < 1e-2, "{v}");
        assert!(exact.pose(body).unwrap().translation.z > -1e-4);
    }
}

#[test]
fn a_world_with_contacts_resumes_to_the_last_bit() {
    for solver in solvers() {
        let mut world = chain(solver);
        world.run_until(0.3, 5e-3).unwrap();
        let mut resumed = chain(solver);
        resumed.resume(&world.checkpoint()).unwrap();
        for _ in 0..20 {
            world.step(2e-3).unwrap();
            resumed.step(2e-3).unwrap();
        }
        assert_eq!(world.checkpoint(), resumed.checkpoint());
    }
}

#[test]
fn contacts_that_cannot_be_are_refused_and_nothing_moves() {
    let build = |contact: fn([BodyHandle; 2]) -> Contact2| {
        let mut world = World2::new().with_gravity([0.0, -G]);
        let floor = world.add(Body2::fixed(Rigid2::identity())).unwrap();
        let ball = world
            .add(Body2::new(
                Inertia2::new(1.0, 1.0).unwrap(),
                Rigid2::identity(),
            ))
            .unwrap();
        world.with_contacts(move |_, found| found.push(contact([floor, ball])))
    };
    let good = |bodies| Contact2::new(bodies, [0.0, 0.0], [0.0, 1.0], 0.0);
    let refused = |contact: fn([BodyHandle; 2]) -> Contact2| {
        let mut world = build(contact);
        let before = world.checkpoint();
        let error = world.step(H).unwrap_err();
        assert_eq!(world.checkpoint(), before);
        error.to_string()
    };
    build(good).step(H).unwrap();
    assert_eq!(
        refused(|it| Contact2::new(it, [0.0, 0.0], [0.0, 1.0], 0.0).with_friction(-0.1)),
        "friction -0.1 is negative or not finite"
    );
    assert_eq!(
        refused(|it| Contact2::new(it, [0.0, 0.0], [0.0, 1.0], 0.0).with_restitution(1.5)),
        "restitution 1.5 is not between 0 and 1"
    );
    assert_eq!(
        refused(|it| Contact2::new(it, [0.0, 0.0], [0.0, 0.0], 0.0)),
        "the normal of a contact has the length 0: it must lead from the first body to the second"
    );
    assert_eq!(
        refused(|it| Contact2::new([it[1], it[1]], [0.0, 0.0], [0.0, 1.0], 0.0)),
        "a contact connects body 1 with itself"
    );
    assert!(refused(|it| Contact2::new(it, [f64::NAN, 0.0], [0.0, 1.0], 0.0)).contains("point"));
    assert!(refused(|it| Contact2::new(it, [0.0, 0.0], [0.0, 1.0], f64::NAN)).contains("gap"));

    // Under an integrator, and a geometry that names a body which is gone.
    let world = build(good);
    let start = world.state();
    let run = Simulation::new(world, start, Rk4::new(1e-3)).and_then(|mut run| run.step());
    assert!(matches!(run, Err(Error::OwnStepsOnly)), "{run:?}");
    let mut world = build(good);
    let ball = world.bodies().nth(1).unwrap();
    world.remove(ball).unwrap();
    assert_eq!(world.step(H), Err(Error::RemovedBody { body: 1 }));
}

/// Bodies and contacts in the order in which they were given, no clock and no hash: the same bits in any thread.
#[test]
fn runs_are_the_same_in_all_threads() {
    let run = || {
        let mut world = chain(Solver::Exact);
        world.run_until(0.2, 5e-3).unwrap();
        world.checkpoint()
    };
    let others = [0, 1].map(|_| std::thread::spawn(run));
    let own = run();
    for other in others {
        assert_eq!(other.join().unwrap(), own);
    }
}

/// However long frames are, the steps are the same, and what is shown lies between them.
#[test]
fn frames_of_any_length_show_the_same_motion() {
    let h = 1.0 / 240.0;
    let start = || {
        let pose = Rigid2::new(Vector2::new(0.0, 1.0), 0.4);
        let (mut world, block) = box_on_floor([0.0, -G], pose, [0.5, 0.25], 0.4, 0.2);
        world.set_velocity(block, [1.0, 0.0, 3.0]).unwrap();
        (world, block)
    };
    let (mut steady, block) = start();
    let (mut framed, same) = start();
    let (mut taken, mut passed) = (0, 0.0);
    for frame in 0..60 {
        let dt = [0.3, 1.0 / 60.0, 0.011, 0.0, 0.002][frame % 5] * 0.1;
        passed += dt;
        taken += framed.frame(dt, h).unwrap();
        assert_eq!(taken, (passed / h + 1e-9) as usize);
    }
    let before = {
        (0..taken - 1).for_each(|_| steady.step(h).unwrap());
        *steady.pose(block).unwrap()
    };
    steady.step(h).unwrap();
    let [now, shown] = [*steady.pose(block).unwrap(), framed.shown(same).unwrap()];
    assert_eq!(framed.pose(same).unwrap(), &now);
    let part = passed / h - taken as f64;
    assert!((0.05..0.95).contains(&part), "{part}");
    let place = before
        .translation
        .vector
        .lerp(&now.translation.vector, part);
    assert!((shown.translation.vector - place).norm() < 1e-12);
    let turn = before.rotation.angle() + part * before.rotation.angle_to(&now.rotation);
    assert!((shown.rotation.angle() - turn).abs() < 1e-5);
    // A body that is placed does not fly there.
    let there = Rigid2::translation(5.0, 5.0);
    framed.set_pose(same, there).unwrap();
    assert_eq!(framed.shown(same).unwrap(), there);
    assert!(framed.frame(-1.0, h).is_err() && framed.frame(1.0, 0.0).is_err());
    assert!(framed.frame(f64::NAN, h).is_err());
}

/// Several turns about z, on which the signs of quaternions change.
#[test]
fn rotations_in_space_are_shown_between_steps() {
    let mut world = World3::<f64>::new();
    let inertia = Inertia3::principal(1.0, [1.0; 3]).unwrap();
    let spins = Body3::new(inertia, Rigid3::identity()).moving([0.0, 0.0, 0.0, 0.0, 0.0, 2.0]);
    let body = world.add(spins).unwrap();
    for k in 1..80 {
        world.frame(0.15, 0.1).unwrap();
        let angle = 2.0 * (0.15 * f64::from(k) - 0.1);
        let expected = Rigid3::rotation(Vector3::z() * angle).rotation;
        let shown = world.shown(body).unwrap().rotation;
        assert!(shown.angle_to(&expected) < 1e-3, "{k}");
    }
}

/// Bodies that are moved to another state do not fly there, and nothing passes between the two.
#[test]
fn a_state_set_from_outside_is_shown_at_once() {
    let mut world = World2::<f64>::new();
    let inertia = Inertia2::new(1.0, 1.0).unwrap();
    let start = Body2::new(inertia, Rigid2::identity()).moving([3.0, 0.0, 0.0]);
    let puck = world.add(start).unwrap();
    world.frame(0.15, 0.1).unwrap();
    let mut elsewhere = world.state();
    elsewhere.q[0] = 50.0;
    world.set_state(&elsewhere).unwrap();
    assert_eq!(world.shown(puck).unwrap().translation.x, 50.0);

    // Nor do those that are moved onto a joint.
    let wall = world
        .add(Body2::fixed(Rigid2::translation(9.0, 0.0)))
        .unwrap();
    world.frame(0.15, 0.1).unwrap();
    let rod = plane::Revolute {
        r1: Vector2::zeros(),
        r2: Vector2::zeros(),
    };
    world.connect_and_move(rod, [wall, puck]).unwrap();
    assert_eq!(world.shown(puck).unwrap(), *world.pose(puck).unwrap());
}

#[test]
fn without_contacts_nothing_is_left_to_the_sweeps() {
    for solver in [Solver::Exact, SequentialImpulses::new(1).into()] {
        // A tilted box, whose first impact one sweep leaves unsettled.
        let pose = Rigid2::new(Vector2::new(0.0, 0.3), 0.02);
        let (world, block) = box_on_floor([0.0, -G], pose, [0.6, 0.25], 0.5, 0.5);
        let mut world = world.with_solver(solver).with_contact_sweeps(1);
        let residual = loop {
            world.step(H).unwrap();
            if world.contacts().count() == 2 {
                break world.contact_residual();
            }
        };
        assert!(residual > 0.0, "{residual}");
        let away = Rigid2::translation(0.0, 3.0);
        world.set_pose(block, away).unwrap();
        world.step(H).unwrap();
        assert_eq!(world.contact_residual(), 0.0);
    }
}
