//! Every joint of the library in a `World`: it holds, it leaves its degrees of freedom, and it does not drift.
//! The runs take 10⁵ steps.

use constraint_runtime::joint::*;
use constraint_runtime::nalgebra::{DMatrix, UnitVector2, UnitVector3};
use constraint_runtime::prelude::*;
use constraint_runtime::{Body, Massive, World};

const STEPS: usize = 100_000;
const STEP: f64 = 1e-3;

/// Two bodies and a joint between them.
struct Pair<B: Massive<f64, D>, const D: usize> {
    world: World<f64, B, D>,
    bodies: [BodyHandle; 2],
}

fn pair<B, C, const D: usize, const M: usize>(bodies: [Body<f64, B, D>; 2], joint: C) -> Pair<B, D>
where
    B: Massive<f64, D>,
    C: BodyConstraint<f64, D, 2, M, Body = B> + Send + Sync + 'static,
{
    let mut world = World::<f64, B, D>::new();
    let bodies = bodies.map(|body| world.add(body).unwrap());
    world.connect(joint, bodies).unwrap();
    Pair { world, bodies }
}

/// Both solvers hold the joint; what it does to velocities has rank `freedoms` and is a projection.
fn check<B, C, const D: usize, const M: usize>(
    bodies: [Body<f64, B, D>; 2],
    joint: C,
    freedoms: usize,
) where
    B: Massive<f64, D> + PartialEq + std::fmt::Debug,
    C: BodyConstraint<f64, D, 2, M, Body = B> + Clone + Send + Sync + 'static,
{
    let name = std::any::type_name::<C>();
    leaves(bodies, &joint, freedoms, name);
    let one_joint = SequentialImpulses::new(1);
    for (solver, drift) in [(Solver::Exact, 2e-13), (one_joint.into(), 2e-13)] {
        let mut pair = pair(bodies, joint.clone());
        pair.world = pair.world.with_solver(solver);
        // The first step takes away what moves against the joint.
        pair.world.step(STEP).unwrap();
        let energy = pair.world.energy();
        let mut largest: f64 = 0.0;
        for _ in 0..STEPS {
            pair.world.step(STEP).unwrap();
            largest = largest.max(pair.world.drift());
        }
        assert!(largest < drift, "{name}: {largest:e}");
        let gain = (pair.world.energy() / energy - 1.0).abs();
        assert!(gain < 0.1, "{name}: energy {gain}");
    }
}

/// The map from the velocities before to those after a step without forces.
fn leaves<B, C, const D: usize, const M: usize>(
    bodies: [Body<f64, B, D>; 2],
    joint: &C,
    freedoms: usize,
    name: &str,
) where
    B: Massive<f64, D>,
    C: BodyConstraint<f64, D, 2, M, Body = B> + Clone + Send + Sync + 'static,
{
    let mut map = DMatrix::zeros(2 * D, 2 * D);
    for k in 0..2 * D {
        let mut pair = pair(bodies, joint.clone());
        let one =
            |body: usize| SVector::<f64, D>::from_fn(|i, _| f64::from(u8::from(body * D + i == k)));
        for (body, &handle) in pair.bodies.iter().enumerate() {
            pair.world.set_velocity(handle, one(body)).unwrap();
        }
        // So short that bodies stay where they are and nothing gyrates.
        pair.world.step(1e-12).unwrap();
        for (body, &handle) in pair.bodies.iter().enumerate() {
            let v = pair.world.velocity(handle).unwrap();
            map.view_mut((body * D, k), (D, 1)).copy_from(v);
        }
    }
    assert_eq!(map.rank(1e-9), freedoms, "{name}");
    assert!((&map * &map - &map).norm() < 1e-9, "{name}: {map}");
}

// ---- in space -----------------------------------------------------------------------------------

fn places() -> [Rigid3; 2] {
    [
        Rigid3::new(Vector3::new(0.1, 0.2, 0.3), Vector3::new(0.3, 1.0, -0.2)),
        Rigid3::new(Vector3::new(1.0, -0.4, 0.5), Vector3::new(-0.4, 0.1, 0.6)),
    ]
}

fn tumbling() -> [Body3; 2] {
    let [a, b] = places();
    let inertia = |mass: f64| Inertia3::principal(mass, [0.3, 0.4, 0.5]).unwrap();
    [
        Body3::new(inertia(1.0), a).moving([0.1, -0.2, 0.05, 0.2, 0.1, -0.3]),
        Body3::new(inertia(2.0), b).moving([-0.1, 0.1, 0.0, -0.1, 0.3, 0.2]),
    ]
}

fn point() -> Point3<f64> {
    Point3::new(0.5, 0.1, 0.4)
}

fn axis() -> UnitVector3<f64> {
    UnitVector3::new_normalize(Vector3::new(1.0, 2.0, -0.5))
}

#[test]
fn distance() {
    let [a, b] = places();
    let (r1, r2) = (Vector3::new(0.1, 0.0, 0.2), Vector3::new(0.0, 0.3, 0.0));
    let length = (b * Point3::from(r2) - a * Point3::from(r1)).norm();
    check(tumbling(), Distance { r1, r2, length }, 11);
}

#[test]
fn ball() {
    let [a, b] = places();
    check(tumbling(), Ball::between(&a, &b, &point()), 9);
}

#[test]
fn hinge() {
    let [a, b] = places();
    check(tumbling(), Hinge::between(&a, &b, &point(), &axis()), 7);
}

#[test]
fn universal() {
    let [a, b] = places();
    let across = UnitVector3::new_normalize(axis().cross(&Vector3::x()));
    check(
        tumbling(),
        Universal::between(&a, &b, &point(), [&axis(), &across]),
        8,
    );
}

#[test]
fn prismatic() {
    let [a, b] = places();
    check(tumbling(), Prismatic::between(&a, &b, &point(), &axis()), 7);
}

#[test]
fn cylindrical() {
    let [a, b] = places();
    check(
        tumbling(),
        Cylindrical::between(&a, &b, &point(), &axis()),
        8,
    );
}

#[test]
fn fixed() {
    let [a, b] = places();
    check(tumbling(), Fixed::between(&a, &b, &point()), 6);
}

#[test]
fn point_on_line() {
    let [a, b] = places();
    check(
        tumbling(),
        PointOnLine::between(&a, &b, &point(), &axis()),
        10,
    );
}

#[test]
fn point_on_plane() {
    let [a, b] = places();
    check(
        tumbling(),
        PointOnPlane::between(&a, &b, &point(), &axis()),
        11,
    );
}

curve! {
    /// A bent ring.
    struct Ring;
    |s in 0..=TAU| [cos(s), 0.6*sin(s), 0.2*cos(2*s)]
}

#[test]
fn point_on_curve() {
    let [a, b] = places();
    let start = a * Point3::from(Ring.position(1.0));
    let ring = PointOnCurve::new(&Ring, b.inverse_transform_point(&start).coords).unwrap();
    check(tumbling(), ring, 10);
}

#[test]
fn gear() {
    let gear = Gear {
        axis1: Vector3::z(),
        axis2: Vector3::x(),
        radius1: 0.5,
        radius2: 1.0,
    };
    check(tumbling(), gear, 11);
}

#[test]
fn rack() {
    let rack = Rack {
        axis: Vector3::z(),
        along: Vector3::x(),
        radius: 0.5,
    };
    check(tumbling(), rack, 11);
}

/// On a ground that stays where it is: upright and without turning it goes straight on, v = radius ω.
#[test]
fn rolling_disk() {
    let inertia = Inertia3::principal(1.0, [0.0625, 0.125, 0.0625]).unwrap();
    let upright = Rigid3::translation(0.0, 0.0, 0.5);
    let ground = Body3::fixed(Rigid3::identity());
    let disk = Body3::new(inertia, upright).moving([1.0, 0.0, 0.0, 0.0, 2.0, 0.0]);
    let mut pair = pair([ground, disk], RollingDisk::on_ground(0.5));
    for _ in 0..STEPS {
        pair.world.step(STEP).unwrap();
        assert!(pair.world.drift() < 1e-14);
    }
    let place = pair.world.pose(pair.bodies[1]).unwrap().translation;
    let expected = STEPS as f64 * STEP;
    assert!((place.x - expected).abs() < 1e-9 * expected && place.y.abs() < 1e-9);
}

// ---- in the plane -------------------------------------------------------------------------------

fn flat() -> [Rigid2; 2] {
    [
        Rigid2::new(Vector2::new(0.1, 0.2), 0.3),
        Rigid2::new(Vector2::new(1.0, -0.4), -0.7),
    ]
}

fn sliding() -> [Body2; 2] {
    let [a, b] = flat();
    [
        Body2::new(Inertia2::new(1.0, 0.3).unwrap(), a).moving([0.1, -0.2, 0.3]),
        Body2::new(Inertia2::new(2.0, 0.5).unwrap(), b).moving([-0.1, 0.1, -0.2]),
    ]
}

#[test]
fn distance_of_the_plane() {
    let [a, b] = flat();
    let (r1, r2) = (Vector2::new(0.1, 0.2), Vector2::new(0.3, 0.0));
    let length = (b * Point2::from(r2) - a * Point2::from(r1)).norm();
    check(sliding(), plane::Distance { r1, r2, length }, 5);
}

#[test]
fn revolute() {
    let [a, b] = flat();
    check(
        sliding(),
        plane::Revolute::between(&a, &b, &Point2::new(0.5, 0.0)),
        4,
    );
}

#[test]
fn prismatic_of_the_plane() {
    let [a, b] = flat();
    let axis = UnitVector2::new_normalize(Vector2::new(1.0, 2.0));
    let slider = plane::Prismatic::between(&a, &b, &Point2::new(0.5, 0.0), &axis);
    check(sliding(), slider, 4);
}

#[test]
fn weld() {
    let [a, b] = flat();
    check(
        sliding(),
        plane::Weld::between(&a, &b, &Point2::new(0.5, 0.0)),
        3,
    );
}

curve! {
    /// A ring of the plane.
    struct Oval;
    |s in 0..=TAU| [cos(s), 0.6*sin(s)]
}

#[test]
fn point_on_curve_of_the_plane() {
    let [a, b] = flat();
    let start = a * Point2::from(Oval.position(1.0));
    let r2 = b.inverse_transform_point(&start).coords;
    check(sliding(), PointOnCurve::new(&Oval, r2).unwrap(), 5);
}

/// A bead that is a body of the world moves as one that is a coordinate of its own: to second order in the step.
#[test]
fn a_bead_on_a_curve_is_a_bead_along_it() {
    let bead = Particle::new(2.0).along(Oval).under_gravity([0.0, -9.81]);
    let start = State::new(0.0, [0.3], [0.0]);
    let mut along = Simulation::new(bead, start, DormandPrince::new(1e-10, 1e-10)).unwrap();
    along.run_until(1.0).unwrap();
    let expected = Oval.position(along.state().q.x);
    let error = |h: f64| {
        let mut world = World2::new().with_gravity([0.0, -9.81]);
        let ground = world.add(Body2::fixed(Rigid2::identity())).unwrap();
        let place: Vector2<f64> = Oval.position(0.3);
        let inertia = Inertia2::new(2.0, 0.1).unwrap();
        let body = Body2::new(inertia, Rigid2::translation(place.x, place.y));
        let body = world.add(body).unwrap();
        let wire = PointOnCurve::new(&Oval, [0.0, 0.0]).unwrap();
        world.connect(wire, [ground, body]).unwrap();
        world.run_until(1.0, h).unwrap();
        (world.pose(body).unwrap().translation.vector - expected).norm()
    };
    let (coarse, fine) = (error(2e-3), error(1e-3));
    assert!(
        fine < 1e-5 && (coarse / fine - 4.0).abs() < 0.2,
        "{coarse:e} {fine:e}"
    );
}

#[test]
fn gear_of_the_plane() {
    check(
        sliding(),
        plane::Gear {
            radius1: 0.5,
            radius2: 0.75,
        },
        5,
    );
}

/// On a ground that stays where it is: v = radius ω, on and on.
#[test]
fn rolling_wheel() {
    let ground = Body2::fixed(Rigid2::identity());
    let inertia = Inertia2::new(1.0, 0.125).unwrap();
    let wheel = Body2::new(inertia, Rigid2::translation(0.0, 0.5)).moving([1.0, 0.0, -2.0]);
    let wheel_on_ground = plane::RollingWheel {
        point: Vector2::zeros(),
        normal: Vector2::y(),
        radius: 0.5,
    };
    let mut pair = pair([ground, wheel], wheel_on_ground);
    for _ in 0..STEPS {
        pair.world.step(STEP).unwrap();
        assert!(pair.world.drift() < 1e-14);
    }
    let place = pair.world.pose(pair.bodies[1]).unwrap();
    let expected = STEPS as f64 * STEP;
    assert!((place.translation.x - expected).abs() < 1e-9 * expected);
}
