//! Worlds that are kept and go on from there, to the last bit.

use constraint_runtime::joint::{Ball, Hinge};
use constraint_runtime::prelude::*;
use constraint_runtime::{Softness, WorldCheckpoint};

/// Ten rods in a row, on hinges and on balls in turns, one of them soft; the last is pulled.
fn chain(solver: impl Into<Solver>) -> (World3, Vec<BodyHandle>) {
    let mut world = World3::new()
        .with_gravity([0.0, 0.0, -9.81])
        .with_solver(solver);
    let wall = Rigid3::identity();
    let mut last = (world.add(Body3::fixed(wall)).expect("a body"), wall);
    let mut rods = Vec::new();
    for k in 0..10 {
        let pose = Rigid3::translation(0.5 + f64::from(k), 0.0, 0.0);
        let inertia = Inertia3::principal(2.0, [0.01, 0.2, 0.2]).expect("an inertia");
        let rod = world.add(Body3::new(inertia, pose)).expect("a body");
        let at = Point3::new(f64::from(k), 0.0, 0.0);
        let bodies = [last.0, rod];
        let joint = if k % 2 == 0 {
            let hinge = Hinge::between(&last.1, &pose, &at, &Vector3::y_axis());
            world.connect(hinge, bodies)
        } else {
            world.connect(Ball::between(&last.1, &pose, &at), bodies)
        };
        if k == 3 {
            let softness = Softness::new(1e4, 10.0).expect("a spring");
            world
                .set_softness(joint.expect("a joint"), softness)
                .expect("it is there");
        }
        last = (rod, pose);
        rods.push(rod);
    }
    let pull = [0.0, 1.0, 0.0, 0.0, 0.0, 0.1];
    world.set_force(last.0, pull).expect("a force");
    (world, rods)
}

#[test]
fn a_world_resumes_to_the_last_bit() {
    fn compared(solver: impl Into<Solver> + Copy) {
        let (mut world, rods) = chain(solver);
        world.run_until(0.3, 1e-2).expect("it swings");
        let text = serde_json::to_string(&world.checkpoint()).expect("it can be written");
        let checkpoint: WorldCheckpoint<f64> = serde_json::from_str(&text).expect("it can be read");
        assert_eq!(checkpoint, world.checkpoint());
        let (mut resumed, same) = chain(solver);
        // Where it has been makes no difference.
        resumed.run_until(0.1, 1e-2).expect("it swings");
        resumed.set_force(same[0], [1.0; 6]).expect("a force");
        resumed.resume(&checkpoint).expect("it goes on");
        assert_eq!(resumed.checkpoint(), checkpoint);
        for _ in 0..20 {
            world.step(1e-2).expect("it swings");
            resumed.step(1e-2).expect("it swings");
            for (&rod, &same) in rods.iter().zip(&same) {
                assert_eq!(resumed.pose(same), world.pose(rod));
                assert_eq!(resumed.velocity(same), world.velocity(rod));
            }
        }
    }
    compared(Solver::Exact);
    compared(SequentialImpulses::new(7));
}

#[test]
fn what_is_no_checkpoint_of_this_world_is_refused() {
    let (world, _) = chain(Solver::Exact);
    let mut other = World3::<f64>::new();
    other.add(Body3::fixed(Rigid3::identity())).expect("a body");
    let before = other.checkpoint();
    let refused = other.resume(&world.checkpoint()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "a checkpoint of 11 bodies and 40 rows does not fit this world of 1 bodies and 0 rows"
    );
    assert_eq!(other.checkpoint(), before);

    let text = serde_json::to_string(&before).expect("it can be written");
    let read = |text: &str| serde_json::from_str::<WorldCheckpoint<f64>>(text);
    for end in 0..text.len() {
        assert!(read(&text[..end]).is_err());
    }
    // A pose of six coordinates.
    let short =
        read(&text.replacen("0.0,", "", 1)).or_else(|_| read(&text.replacen("[0.0,", "[", 1)));
    let refused = other.resume(&short.expect("it can be read"));
    assert!(
        matches!(
            refused,
            Err(Error::AnotherWorld {
                found_bodies: 0,
                ..
            })
        ),
        "{refused:?}"
    );
    // Beyond the floats: read as infinite, or not at all.
    let far = read(&text.replacen("1.0", "1e300", 1)).expect("it can be read");
    assert!(other.resume(&far).is_err(), "a rotation of length 1e300");
    assert_eq!(other.checkpoint(), before);
}
