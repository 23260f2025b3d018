//! Bodies that `assemble` puts together.

use constraint_runtime::joint::*;
use constraint_runtime::nalgebra::DVector;
use constraint_runtime::prelude::*;

use crate::DOWN;
use crate::apart::{SCALES, apart, is_refused, product, round, solvers};
use crate::random::Random;

/// Bodies of a tree and two loops, thrown about; each is joined as it would be where it belongs.
fn thrown(random: &mut Random, scale: f64, spread: f64, ground: bool) -> World3 {
    let mut world = World3::new();
    let mut vector = |size: f64| Vector3::from_fn(|_, _| random.between(-size, size));
    let mut placed: Vec<(BodyHandle, Rigid3)> = Vec::new();
    for k in 0..7 {
        let belongs = Rigid3::new(vector(2.0 * scale), vector(1.0));
        let mass = 1.0 + 0.3 * f64::from(k);
        let body = if k == 0 && ground {
            Body3::fixed(belongs)
        } else {
            let turn = belongs.rotation.scaled_axis() + vector(1.0);
            let thrown = Rigid3::new(belongs.translation.vector + vector(spread * scale), turn);
            let moving = Vector3::new(1.0, f64::from(k), -0.5) * scale;
            let body = Body3::new(round(mass, 0.4 * scale), thrown);
            body.moving([moving.x, moving.y, moving.z, 0.1, 0.2, f64::from(k)])
        };
        placed.push((world.add(body).unwrap(), belongs));
    }
    let middle = |a: usize, b: usize| {
        let [a, b] = [a, b].map(|k: usize| placed[k].1.translation.vector);
        Point3::from((a + b) * 0.5)
    };
    for (k, (a, b)) in [(0, 1), (1, 2), (2, 3), (1, 4), (4, 5), (5, 6), (6, 3)]
        .into_iter()
        .enumerate()
    {
        let ([first, second], point) = ([placed[a], placed[b]], middle(a, b));
        let pair = [first.0, second.0];
        let connected = match k % 3 {
            1 => world.connect(
                Hinge::between(&first.1, &second.1, &point, &Vector3::y_axis()),
                pair,
            ),
            _ => world.connect(Ball::between(&first.1, &second.1, &point), pair),
        };
        connected.unwrap();
    }
    world
}

/// Σ m x / Σ m, the masses being those of `thrown`.
fn centre(state: &State<DVector<f64>>) -> Vector3<f64> {
    let bodies = state.q.as_slice().chunks(7).enumerate();
    let sums = bodies.fold((Vector3::zeros(), 0.0), |(sum, mass), (k, q)| {
        let own = 1.0 + 0.3 * k as f64;
        (sum + Vector3::new(q[0], q[1], q[2]) * own, mass + own)
    });
    sums.0 / sums.1
}

#[test]
fn bodies_are_put_together_from_anywhere_and_their_centre_stays() {
    let mut random = Random::new(3);
    for (scale, spread) in product(&SCALES, &[0.1, 1.0, 10.0, 1e3, 1e6]) {
        for solver in solvers() {
            let mut world = thrown(&mut random, scale, spread, false).with_solver(solver);
            let before = world.state();
            assert!(apart(world.step(1e-6)));
            let assembled = world.assemble();
            assert!(assembled.is_ok(), "{scale} {spread}: {assembled:?}");
            let after = world.state();
            assert!(
                world.drift() < 1e-12 * (1.0 + scale * (1.0 + spread)),
                "{}",
                world.drift()
            );
            // Forces between bodies move no centre.
            let moved = (centre(&after) - centre(&before)).norm();
            assert!(
                moved < 1e-12 * scale * (1.0 + spread),
                "{moved} {scale} {spread}"
            );
            assert_eq!((&after.v, after.t), (&before.v, before.t));
            // What has been put together stays.
            world.assemble().unwrap();
            let moved = (world.state().q - after.q).amax();
            assert!(
                moved < 1e-12 * (1.0 + scale * (1.0 + spread)),
                "{moved} {scale} {spread}"
            );
            world.step(1e-6).unwrap();
        }
    }
}

#[test]
fn bodies_are_put_together_at_the_ground() {
    let mut random = Random::new(4);
    for (scale, spread) in product(&SCALES, &[0.1, 1.0, 10.0, 1e3]) {
        let mut world = thrown(&mut random, scale, spread, true);
        let ground = world.state().q.rows(0, 7).into_owned();
        let assembled = world.assemble();
        assert!(assembled.is_ok(), "{scale} {spread}: {assembled:?}");
        // Rotations get length one.
        assert!((world.state().q.rows(0, 7) - ground).amax() < 1e-15);
        world.step(1e-6).unwrap();
    }
}

/// Two bodies on a rod, and the nearest place by hand: each moves along it, the heavier less.
#[test]
fn bodies_move_by_their_masses() {
    for solver in solvers() {
        let mut world = World2::new().with_solver(solver);
        let mut disk = |mass: f64, x: f64| {
            let inertia = Inertia2::new(mass, 0.1).unwrap();
            world
                .add(Body2::new(inertia, Rigid2::translation(x, 0.0)))
                .unwrap()
        };
        let (light, heavy) = (disk(1.0, 0.0), disk(3.0, 5.0));
        let rod = plane::Distance {
            r1: Vector2::zeros(),
            r2: Vector2::zeros(),
            length: 1.0,
        };
        world.connect(rod, [light, heavy]).unwrap();
        is_refused(&mut world, (4.0, 0.02 * 5.0 * 4.0 / 3.0), 1e-9);
        world.assemble().unwrap();
        assert!((world.pose(light).unwrap().translation.x - 3.0).abs() < 1e-14);
        assert!((world.pose(heavy).unwrap().translation.x - 4.0).abs() < 1e-14);
    }
}

/// 1.3 radians off, Newton's method alone would turn by tan 1.3 = 3.6 and end upside down.
#[test]
fn a_door_is_hung_the_right_way_round() {
    let mut world = World3::<f64>::new();
    let wall = world.add(Body3::fixed(Rigid3::identity())).unwrap();
    let tilted = Rigid3::new(Vector3::new(0.5, 0.0, 0.0), Vector3::new(1.3, 0.0, 0.0));
    let door = world.add(Body3::new(round(1.0, 0.4), tilted)).unwrap();
    let pose = Rigid3::translation(0.5, 0.0, 0.0);
    let hinge = Hinge::between(
        &Rigid3::identity(),
        &pose,
        &Point3::origin(),
        &Vector3::z_axis(),
    );
    world.connect(hinge, [wall, door]).unwrap();
    world.assemble().unwrap();
    let up = world.pose(door).unwrap().rotation * Vector3::z();
    assert!((up - Vector3::z()).norm() < 1e-14, "{up}");
}

/// A shelf on two hinges: five of ten rows follow from the others.
fn shelf(height: f64) -> World3 {
    let mut world = World3::new().with_gravity(DOWN);
    let (wall, belongs) = (Rigid3::identity(), Rigid3::translation(1.0, 0.0, 0.0));
    let place = Rigid3::new(Vector3::new(1.0, 0.0, height), Vector3::new(0.0, 0.0, 0.3));
    let ground = world.add(Body3::fixed(wall)).unwrap();
    let shelf = world.add(Body3::new(round(2.0, 0.4), place)).unwrap();
    for y in [-1.0, 1.0] {
        let pin = Hinge::between(
            &wall,
            &belongs,
            &Point3::new(0.0, y, 0.0),
            &Vector3::y_axis(),
        );
        world.connect(pin, [ground, shelf]).unwrap();
    }
    world
}

#[test]
fn joints_that_depend_on_one_another_are_put_together() {
    let mut world = shelf(2.0).with_solver(SequentialImpulses::new(30));
    assert!(apart(world.step(1e-3)));
    world.assemble().unwrap();
    assert!(world.drift() < 1e-12, "{}", world.drift());
    world.step(1e-3).unwrap();

    let mut exact = shelf(2.0);
    assert!(apart(exact.step(1e-3)));
    exact.assemble().unwrap();
    assert!(exact.drift() < 1e-14, "{}", exact.drift());
    exact.step(1e-3).unwrap();
    assert!(exact.drift() < 1e-14, "{}", exact.drift());
}

#[test]
fn nothing_to_join_is_no_error() {
    let mut world = World2::<f64>::new();
    assert_eq!(world.assemble(), Ok(()));
    world.add(Body2::fixed(Rigid2::identity())).unwrap();
    assert_eq!(world.assemble(), Ok(()));
}

/// Two rods of a quarter to posts two apart.
#[test]
fn what_cannot_meet_is_an_error_and_nothing_moves() {
    for solver in solvers() {
        let mut world = World3::new().with_solver(solver);
        let mut post = |x: f64| {
            world
                .add(Body3::fixed(Rigid3::translation(x, 0.0, 0.0)))
                .unwrap()
        };
        let posts = [post(-1.0), post(1.0)];
        let pose = Rigid3::translation(0.1, 0.2, 0.3);
        let moving = Body3::new(round(1.0, 0.3), pose).moving([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let bob = world.add(moving).unwrap();
        for post in posts {
            let rod = Distance {
                r1: Vector3::zeros(),
                r2: Vector3::zeros(),
                length: 0.25,
            };
            world.connect(rod, [post, bob]).unwrap();
        }
        let (before, drift) = (world.state(), world.drift());
        for _ in 0..2 {
            let refused = world.assemble().unwrap_err();
            let is_named = refused
                .to_string()
                .contains("joint 0 (Distance between fixed body 0 and body 2)")
                || refused
                    .to_string()
                    .contains("joint 1 (Distance between fixed body 1 and body 2)");
            assert!(is_named, "{refused}");
            assert_eq!((world.state(), world.drift()), (before.clone(), drift));
            assert!(apart(world.step(1e-3)));
        }
    }
}
