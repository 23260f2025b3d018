//! Shapes of parry on bodies, against closed forms.

use constraint_parry::{ColliderError, dim2, dim3};
use constraint_runtime::joint::Hinge;
use constraint_runtime::prelude::*;
use dim3::parry::math::{Pose, Vec3};
use dim3::parry::shape::SharedShape;

use super::random::Random;
use super::{DOWN, G};

const H: f64 = 1.0 / 240.0;

/// A body that fills a shape.
fn body(shape: &SharedShape, place: Rigid3) -> Body3 {
    let (inertia, centre) = dim3::inertia(shape, 1000.0).unwrap();
    assert_eq!(centre, Vector3::zeros());
    Body3::new(inertia, place)
}

struct Scene {
    world: World3,
    colliders: dim3::Colliders,
}

impl Scene {
    fn new() -> Self {
        let colliders = dim3::Colliders::new();
        let world = World3::new().with_gravity(DOWN);
        let world = world.with_contacts(colliders.contacts());
        Self { world, colliders }
    }

    fn add(&mut self, body: Body3, shape: SharedShape) -> BodyHandle {
        let body = self.world.add(body).unwrap();
        let collider = dim3::Collider::new(shape).with_friction(0.5);
        self.colliders.add(&self.world, body, collider).unwrap();
        body
    }

    fn floor(&mut self) -> BodyHandle {
        self.add(
            Body3::fixed(Rigid3::identity()),
            SharedShape::halfspace(Vec3::Z),
        )
    }

    fn height(&self, body: BodyHandle) -> f64 {
        self.world.pose(body).unwrap().translation.z
    }
}

/// Half the height of each shape, and the shape.
fn shapes() -> Vec<(f64, SharedShape)> {
    let corners = [-0.2, 0.2]
        .into_iter()
        .flat_map(|x| [-0.3, 0.3].map(|y| (x, y)));
    let corners = corners.flat_map(|(x, y)| [-0.1, 0.1].map(|z| Vec3::new(x, y, z)));
    let corners: Vec<Vec3> = corners.collect();
    let feet = [-0.3, 0.3].map(|x| {
        (
            Pose::translation(x, 0.0, 0.0),
            SharedShape::cuboid(0.1, 0.2, 0.1),
        )
    });
    vec![
        (0.1, SharedShape::cuboid(0.2, 0.3, 0.1)),
        (0.2, SharedShape::ball(0.2)),
        (0.1, SharedShape::capsule_x(0.3, 0.1)),
        (0.15, SharedShape::round_cuboid(0.2, 0.2, 0.1, 0.05)),
        (0.1, SharedShape::convex_hull(&corners).unwrap()),
        (0.1, SharedShape::compound(feet.to_vec())),
    ]
}

/// A cube of density r rests on one of density 1: the impulses settle whatever r is, or the world says that they have not.
#[test]
fn heavy_cubes_rest_on_light_ones() {
    for ratio in [1.0, 1e2, 1e3, 1e4] {
        let mut scene = Scene::new();
        scene.floor();
        let cube = SharedShape::cuboid(0.5, 0.5, 0.5);
        let [lower, upper] = [(0.5, 1.0), (1.5, ratio)].map(|(z, density)| {
            let (inertia, _) = dim3::inertia(&cube, density).unwrap();
            scene.add(
                Body3::new(inertia, Rigid3::translation(0.0, 0.0, z)),
                cube.clone(),
            )
        });
        let mut unsettled = 0;
        for _ in 0..720 {
            scene.world.step(H).unwrap();
            unsettled += usize::from(scene.world.unsettled_contacts() > 0);
        }
        for (body, z) in [(lower, 0.5), (upper, 1.5)] {
            let place = scene.world.pose(body).unwrap().translation.vector;
            let off = (place - Vector3::z() * z).norm();
            assert!(off < 1e-3, "{ratio}: {place} {unsettled}");
        }
        assert!(unsettled <= 20, "{ratio}: {unsettled}");
    }
}

/// A half-space, a box, a net of triangles and a field of heights carry each shape by its weight, also where they are turned.
#[test]
fn every_shape_rests_on_every_ground() {
    let square =
        [[-2.0, -2.0], [2.0, -2.0], [2.0, 2.0], [-2.0, 2.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
    let net = SharedShape::trimesh(square.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap();
    let upright = Vector3::x() * std::f64::consts::FRAC_PI_2;
    let grounds = [
        (Rigid3::identity(), SharedShape::halfspace(Vec3::Z)),
        (
            Rigid3::translation(0.0, 0.0, -1.0),
            SharedShape::cuboid(2.0, 2.0, 1.0),
        ),
        (Rigid3::identity(), net),
        // Its top is a side: turned about x by 90°.
        (
            Rigid3::new(-Vector3::z(), upright),
            SharedShape::cuboid(2.0, 1.0, 2.0),
        ),
    ];
    for (k, (place, ground)) in grounds.into_iter().enumerate() {
        for (i, (half, shape)) in shapes().into_iter().enumerate() {
            let mut scene = Scene::new();
            scene.add(Body3::fixed(place), ground.clone());
            let body = body(&shape, Rigid3::translation(0.3, 0.1, half + 0.01));
            let body = scene.add(body, shape);
            scene.world.run_until(0.3, H).unwrap();
            let height = scene.height(body);
            assert!(
                (height - half).abs() < 1e-4,
                "ground {k}, shape {i}: {height}"
            );
            let weight: f64 = scene.world.contacts().map(|it| it.impulse).sum();
            let mass = scene.world.inertia(body).unwrap().unwrap().mass();
            assert!(
                (weight / (mass * G * H) - 1.0).abs() < 1e-6,
                "ground {k}, shape {i}: {weight}"
            );
        }
    }
}

/// A wall of 1 cm stops a ball of 10 cm that moves by 2 m in a step.
#[test]
fn a_fast_body_does_not_pass_through_a_thin_wall() {
    for start in 0..10 {
        let mut scene = Scene::new();
        let wall = SharedShape::cuboid(0.005, 5.0, 5.0);
        scene.add(Body3::fixed(Rigid3::translation(10.0, 0.0, 0.0)), wall);
        let ball = SharedShape::ball(0.1);
        let flies = body(&ball, Rigid3::translation(0.2 * f64::from(start), 0.0, 0.0));
        let ball = scene.add(flies.moving([480.0, 0.0, 0.0, 0.0, 0.0, 0.0]), ball);
        scene.world.run_until(0.1, H).unwrap();
        let x = scene.world.pose(ball).unwrap().translation.x;
        assert!((x - 9.895).abs() < 1e-6, "{x}");
    }
}

/// Friction between two surfaces is √(μ₁ μ₂): on an incline a body that sticks to one surface slides on another.
#[test]
fn surfaces_share_their_friction_and_the_larger_restitution() {
    let slope = 0.3_f64;
    let mut scene = Scene::new();
    scene
        .world
        .set_gravity([G * slope.sin(), 0.0, -G * slope.cos()])
        .unwrap();
    scene.floor(); // μ = 0.5
    let shape = SharedShape::cuboid(0.2, 0.2, 0.1);
    let place = Rigid3::translation(0.0, 0.0, 0.1);
    let sliding = scene.world.add(body(&shape, place)).unwrap();
    let collider = dim3::Collider::new(shape)
        .with_friction(0.08)
        .with_restitution(0.4);
    let on_it = scene
        .colliders
        .add(&scene.world, sliding, collider.clone())
        .unwrap();
    scene.world.run_until(0.5, H).unwrap();
    let v = scene.world.velocity(sliding).unwrap()[0];
    let expected = 0.5 * G * (slope.sin() - 0.2 * slope.cos());
    assert!((v - expected).abs() < 1e-9, "{v} {expected}");
    // With a rougher surface it comes to rest: √(0.5 · 0.5) > tan 0.3.
    let before = scene
        .colliders
        .replace(on_it, collider.with_friction(0.5))
        .unwrap();
    assert_eq!(before.shape().as_cuboid().unwrap().half_extents.z, 0.1);
    scene.world.run_until(2.0, H).unwrap();
    let v = scene.world.velocity(sliding).unwrap();
    assert!(v.norm() < 1e-9, "{v}");
    // Dropped, it rebounds to e² of the height.
    scene.world.set_gravity(DOWN).unwrap();
    scene
        .world
        .set_pose(sliding, Rigid3::translation(0.0, 0.0, 1.1))
        .unwrap();
    let falls = (2.0 / G).sqrt();
    scene.world.run_until(2.0 + falls * 1.4, 1e-3).unwrap();
    let top = scene.height(sliding) - 0.1;
    assert!((top - 0.16).abs() < 5e-3, "{top}");
}

/// Bodies that overlap at their joint do not push each other apart; others do, unless their groups are apart.
#[test]
fn joined_bodies_and_other_groups_pass_through_each_other() {
    let shape = SharedShape::cuboid(0.5, 0.1, 0.1);
    let places = [0.0, 0.9].map(|x| Rigid3::translation(x, 0.0, 0.0));
    let mut scene = Scene::new();
    scene.world.set_gravity([0.0; 3]).unwrap();
    let [a, b] = places.map(|place| scene.add(body(&shape, place), shape.clone()));
    let pin = Hinge::between(
        &places[0],
        &places[1],
        &Point3::new(0.45, 0.0, 0.0),
        &Vector3::z_axis(),
    );
    let pin = scene.world.connect(pin, [a, b]).unwrap();
    scene.world.step(H).unwrap();
    assert_eq!(scene.world.pose(b).unwrap().translation.x, 0.9);
    scene.world.disconnect(pin).unwrap();
    scene.world.step(H).unwrap();
    assert!(scene.world.pose(b).unwrap().translation.x > 0.901);

    let mut world = World3::new();
    let mut colliders = dim3::Colliders::new();
    for (place, groups) in places.into_iter().zip([[1, 2], [4, 1]]) {
        let body = world.add(body(&shape, place)).unwrap();
        let collider = dim3::Collider::new(shape.clone()).with_groups(groups[0], groups[1]);
        colliders.add(&world, body, collider).unwrap();
    }
    let mut world = world.with_contacts(colliders.contacts());
    world.step(H).unwrap();
    let last = world.bodies().last().unwrap();
    assert_eq!(world.pose(last).unwrap().translation.x, 0.9);
}

/// Boxes and capsules that fall on one another.
fn heap() -> Scene {
    let mut scene = Scene::new();
    scene.floor();
    for k in [0, 2, 4, 5_u32] {
        let (half, shape) = shapes().swap_remove(k as usize);
        let turn = Vector3::new(0.3, 0.2, 0.1) * f64::from(k);
        let place = Vector3::new(
            0.05 * f64::from(k % 3),
            0.0,
            0.2 + half + 0.4 * f64::from(k),
        );
        scene.add(body(&shape, Rigid3::new(place, turn)), shape);
    }
    scene
}

/// The closure remembers nothing that a contact depends on: neither the tree of boxes nor manifolds.
#[test]
fn a_heap_resumes_to_the_last_bit_and_in_any_thread() {
    let run = || {
        let mut scene = heap();
        scene.world.run_until(0.25, H).unwrap();
        assert!(scene.world.contacts().count() > 3);
        let middle = scene.world.checkpoint();
        scene.world.run_until(0.3, H).unwrap();
        (middle, scene.world.checkpoint())
    };
    let other = std::thread::spawn(run);
    let (middle, end) = run();
    let mut resumed = heap().world;
    resumed.resume(&middle).unwrap();
    resumed.run_until(0.3, H).unwrap();
    assert_eq!(resumed.checkpoint(), end);
    assert_eq!(other.join().unwrap().1, end);
}

/// The impulses of a contact continue: at rest all have the numbers that they had in the step before, and are settled at once.
#[test]
fn contacts_at_rest_keep_their_numbers() {
    let mut scene = Scene::new();
    scene.floor();
    for k in 0..2 {
        let shape = SharedShape::cuboid(0.3, 0.3, 0.2);
        let place = Rigid3::translation(0.01 * f64::from(k), 0.0, 0.2 + 0.4 * f64::from(k));
        scene.add(body(&shape, place), shape);
    }
    let numbers =
        |world: &World3| -> Vec<_> { world.contacts().map(|it| (it.bodies, it.feature)).collect() };
    scene.world.run_until(0.2, H).unwrap();
    let before = numbers(&scene.world);
    assert_eq!(before.len(), 8);
    for _ in 0..10 {
        scene.world.step(H).unwrap();
        assert_eq!(numbers(&scene.world), before);
        assert!(scene.world.contact_residual() < 1e-9);
    }
}

/// The nearest of 60 balls on a ray, by the equation of a sphere, while balls move and are removed.
#[test]
fn rays_find_the_nearest_ball() {
    let random = &mut Random::new(7);
    let mut scene = Scene::new();
    scene.world.set_gravity([0.0; 3]).unwrap();
    let mut balls = Vec::new();
    for _ in 0..60 {
        let place = [0, 1, 2].map(|_| random.between(-10.0, 10.0));
        let (radius, v) = (
            random.between(0.1, 1.5),
            [0, 1, 2, 3, 4, 5].map(|_| random.between(-2.0, 2.0)),
        );
        let ball = Body3::fixed(Rigid3::translation(place[0], place[1], place[2])).moving(v);
        balls.push((scene.add(ball, SharedShape::ball(radius)), radius));
    }
    let (mut hits, mut misses) = (0, 0);
    for round in 0..4 {
        scene.world.step(0.3).unwrap();
        let (gone, _) = balls.remove(5 * round);
        scene.world.remove(gone).unwrap();
        let not = balls[7].0;
        let query = scene.colliders.query(&scene.world);
        for _ in 0..50 {
            let start = Vector3::from([0, 1, 2].map(|_| random.between(-12.0, 12.0)));
            let along = Vector3::from([0, 1, 2].map(|_| random.between(-1.0, 1.0)));
            let unit = along.normalize();
            let distance = |&(ball, radius): &(BodyHandle, f64)| {
                let from = start - scene.world.pose(ball).unwrap().translation.vector;
                let (b, c) = (from.dot(&unit), from.norm_squared() - radius * radius);
                let root = b * b - c;
                let t = if c <= 0.0 { 0.0 } else { -b - root.sqrt() };
                (root >= 0.0 && (0.0..=9.0).contains(&t) && ball != not).then_some((t, ball))
            };
            let nearest = balls.iter().filter_map(distance);
            let nearest = nearest.min_by(|a, b| a.0.total_cmp(&b.0));
            let hit = query
                .cast_ray(start, along * 3.0, 9.0, |it| it != not)
                .unwrap();
            assert_eq!(hit.is_some(), nearest.is_some());
            let (Some(hit), Some((t, ball))) = (hit, nearest) else {
                misses += 1;
                continue;
            };
            hits += 1;
            assert!((hit.distance - t).abs() < 1e-9, "{hit:?} {t}");
            if t > 0.0 {
                assert_eq!(hit.body, ball);
                let out =
                    (hit.point - scene.world.pose(ball).unwrap().translation.vector).normalize();
                assert!((hit.normal - out).norm() < 1e-9);
            }
        }
    }
    assert!(hits > 20 && misses > 20, "{hits} {misses}");
}

/// Cylinders, hulls and bodies of several parts, by the textbooks and by Steiner.
#[test]
fn inertias_follow_from_shapes() {
    // About y, with half the height 0.5 and the radius 0.3: m = π r² h ρ.
    let (cylinder, _) = dim3::inertia(&SharedShape::cylinder(0.5, 0.3), 2.0).unwrap();
    let mass = std::f64::consts::PI * 0.09 * 2.0;
    assert!((cylinder.mass() - mass).abs() < 1e-12);
    let across = mass * (3.0 * 0.09 + 1.0) / 12.0;
    let expected = Vector3::new(across, mass * 0.09 / 2.0, across);
    assert!((cylinder.tensor().diagonal() - expected).norm() < 1e-12);
    // Two cubes of 1 m on a line along (1, 1, 0): their centre lies between them.
    let cube = SharedShape::cuboid(0.5, 0.5, 0.5);
    let [a, b] =
        [[0.0, 0.0], [2.0, 2.0]].map(|[x, y]| (Pose::translation(x, y, 0.0), cube.clone()));
    let (both, centre) = dim3::inertia(&SharedShape::compound(vec![a, b]), 1.0).unwrap();
    assert!((centre - Vector3::new(1.0, 1.0, 0.0)).norm() < 1e-12);
    let i = both.tensor();
    assert!(
        (i[(0, 0)] - (2.0 / 6.0 + 2.0)).abs() < 1e-9 && (i[(0, 1)] + 2.0).abs() < 1e-9,
        "{i}"
    );
    assert!((i[(2, 2)] - (2.0 / 6.0 + 4.0)).abs() < 1e-9, "{i}");

    let (disk, _) = dim2::inertia(&dim2::parry::shape::SharedShape::ball(0.5), 3.0).unwrap();
    let inverse = disk.inverse();
    assert!((inverse.inertia - 2.0 * inverse.mass / 0.25).abs() < 1e-9);
}

#[test]
fn colliders_that_cannot_be_are_refused() {
    let mut scene = Scene::new();
    let floor = scene.floor();
    let ball = || dim3::Collider::new(SharedShape::ball(0.5));
    let Scene { world, colliders } = &mut scene;
    let mut refused = |body, collider| {
        colliders
            .add(world, body, collider)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        refused(floor, ball().with_friction(-0.1)),
        "friction -0.1 is negative or not finite"
    );
    assert_eq!(
        refused(floor, ball().with_restitution(1.5)),
        "restitution 1.5 is not between 0 and 1"
    );
    assert!(
        refused(floor, ball().at(Rigid3::translation(0.0, f64::NAN, 0.0))).contains("coordinate")
    );
    let point = "a shape of the size 0 cannot touch anything: its largest side must be positive";
    assert_eq!(
        refused(floor, dim3::Collider::new(SharedShape::ball(0.0))),
        point
    );
    let nowhere = dim3::Collider::new(SharedShape::cuboid(1.0, f64::NAN, 1.0));
    assert!(refused(floor, nowhere).contains("NaN"));
    let other = World3::<f64>::new()
        .add(Body3::fixed(Rigid3::identity()))
        .unwrap();
    assert!(refused(other, ball()).contains("the handle of body 0 belongs to another world"));
    let gone = world.add(Body3::fixed(Rigid3::identity())).unwrap();
    let on_gone = colliders.add(world, gone, ball()).unwrap();
    assert_eq!(colliders.body(on_gone), Ok(gone));
    world.remove(gone).unwrap();
    let removed = Error::RemovedBody {
        body: gone.number(),
    };
    assert_eq!(
        colliders.add(world, gone, ball()).unwrap_err(),
        removed.into()
    );
    world.step(H).unwrap();
    let removed = ColliderError::RemovedCollider { collider: 1 };
    assert_eq!(colliders.remove(on_gone).unwrap_err(), removed);
    let mut others = dim3::Colliders::new();
    assert!(matches!(
        others.remove(on_gone),
        Err(ColliderError::UnknownCollider { collider: 1 })
    ));
    let query = colliders.query(world);
    for (start, along, reach) in [
        (0.0, 0.0, 1.0),
        (f64::NAN, 1.0, 1.0),
        (0.0, 1.0, -1.0),
        (0.0, 1.0, f64::INFINITY),
    ] {
        let refused = query.cast_ray([start, 0.0, 0.0], [along, 0.0, 0.0], reach, |_| true);
        assert!(
            matches!(refused, Err(ColliderError::InvalidRay { .. })),
            "{refused:?}"
        );
    }
}
