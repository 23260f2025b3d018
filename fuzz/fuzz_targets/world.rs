//! A world answers any sequence of bodies, joints, forces and steps by a value or an error, and stays finite.
#![no_main]

use constraint_runtime::joint::{Ball, Distance, Hinge};
use constraint_runtime::prelude::*;
use libfuzzer_sys::arbitrary::{self, Unstructured};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // Bytes that end in the middle of an order end the run.
    _ = run(&mut Unstructured::new(bytes));
});

fn run(bytes: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let mut world = World3::new().with_gravity([0.0, 0.0, -9.81]);
    let mut bodies = Vec::new();
    while !bytes.is_empty() {
        let [a, b, c]: [f64; 3] = bytes.arbitrary()?;
        match bytes.int_in_range(0..=8)? {
            0 => bodies.extend(world.add(Body3::fixed(Rigid3::translation(a, b, c)))),
            1 if bodies.len() < 16 => {
                let Ok(inertia) = Inertia3::principal(a.abs(), [b.abs(); 3]) else {
                    continue;
                };
                bodies.extend(world.add(Body3::new(inertia, Rigid3::translation(a, b, c))));
            }
            2 if !bodies.is_empty() => {
                let pair = [*bytes.choose(&bodies)?, *bytes.choose(&bodies)?];
                let poses = pair.map(|it| *world.pose(it).expect("a body of this world"));
                let at = Point3::new(a, b, c);
                _ = match bytes.int_in_range(0..=2)? {
                    0 => world.connect(Ball::between(&poses[0], &poses[1], &at), pair),
                    1 => world.connect(
                        Hinge::between(&poses[0], &poses[1], &at, &Vector3::z_axis()),
                        pair,
                    ),
                    _ => {
                        let (r1, r2) = (Vector3::zeros(), Vector3::new(a, b, 0.0));
                        world.connect(Distance { r1, r2, length: c }, pair)
                    }
                };
            }
            3 if !bodies.is_empty() => {
                _ = world.set_velocity(*bytes.choose(&bodies)?, [a, b, c, b, c, a]);
            }
            4 => _ = world.assemble(),
            5 if !bodies.is_empty() => {
                let removed = bytes.choose_index(bodies.len())?;
                let body = bodies.remove(removed);
                world.remove(body).expect("a body of this world");
                assert!(world.pose(body).is_err());
            }
            6 if !bodies.is_empty() => {
                _ = world.set_pose(*bytes.choose(&bodies)?, Rigid3::translation(a, b, c));
            }
            7 => {
                let joints: Vec<_> = world.joints().collect();
                if !joints.is_empty() {
                    let joint = *bytes.choose(&joints)?;
                    _ = world.set_enabled(joint, a < b);
                    if c > 0.0 {
                        world.disconnect(joint).expect("a joint of this world");
                    }
                }
            }
            _ => _ = world.step(a),
        }
    }
    // A step that fails leaves the last good state.
    for body in bodies {
        let pose = world.pose(body).expect("a body of this world");
        assert!(pose.translation.vector.iter().all(|it| it.is_finite()));
    }
    Ok(())
}
