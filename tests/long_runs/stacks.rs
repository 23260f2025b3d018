//! Bodies that carry each other for long.

use constraint_parry::dim3::parry::math::Vec3;
use constraint_parry::dim3::parry::shape::SharedShape;
use constraint_parry::dim3::{Collider, Colliders, inertia};
use constraint_runtime::prelude::*;

/// Ten boxes, one on the other and not quite above each other, at one step for each picture of a game: nothing slides, and the
/// motion that the first steps leave dies away.
#[test]
fn a_stack_of_ten_boxes_stays_for_a_minute() {
    let mut world = World3::new().with_gravity([0.0, 0.0, -9.81]);
    let mut colliders = Colliders::new();
    let floor = world.add(Body3::fixed(Rigid3::identity())).unwrap();
    let ground = Collider::new(SharedShape::halfspace(Vec3::Z)).with_friction(0.5);
    colliders.add(&world, floor, ground).unwrap();
    let cube = Collider::new(SharedShape::cuboid(0.5, 0.5, 0.5)).with_friction(0.5);
    let (moments, _) = inertia(cube.shape(), 1.0).unwrap();
    let starts = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(f64::from);
    let starts = starts.map(|k| Vector3::new(0.01 * (k % 3.0), 0.0, 0.5 + k));
    let boxes = starts.map(|place| {
        let pose = Rigid3::new(place, Vector3::zeros());
        let body = world.add(Body3::new(moments, pose)).unwrap();
        colliders.add(&world, body, cube.clone()).unwrap();
        body
    });
    let world = world.with_contacts(colliders.contacts());
    let mut world = world.with_contact_sweeps(50);
    for _ in 0..3600 {
        world.step(1.0 / 60.0).unwrap();
    }
    for (body, start) in boxes.into_iter().zip(starts) {
        let place = world.pose(body).unwrap().translation.vector;
        assert!((place - start).norm() < 0.05, "{place}");
        assert!((place.z - start.z).abs() < 1e-3, "{place}");
        assert!(world.velocity(body).unwrap().norm() < 1e-4);
    }
}
