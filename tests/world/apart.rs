//! Joints whose bodies are apart: the first step refuses to close them; and what rows are called.

use constraint_runtime::joint::*;
use constraint_runtime::nalgebra::{SMatrix, UnitVector3};
use constraint_runtime::prelude::*;
use constraint_runtime::{Massive, World};

use crate::random::Random;
use crate::{DOWN, Halfway, hung_softly};

pub const SCALES: [f64; 5] = [1e-6, 1e-3, 1.0, 1e3, 1e6];

/// Where the ground's own place is, and that of the mechanism next to it.
const PLACES: [(f64, f64); 3] = [(0.0, 0.0), (0.0, 1e6), (1e6, 1e6)];

pub fn solvers() -> [Solver; 2] {
    [Solver::Exact, SequentialImpulses::new(20).into()]
}

/// A body of the radius of gyration `radius` about all axes.
pub fn round(mass: f64, radius: f64) -> Inertia3 {
    Inertia3::principal(mass, [mass * radius * radius; 3]).unwrap()
}

/// That a world refuses its first step for this value of a row and this limit, to `digits`, and nothing has changed.
pub fn is_refused<B: Massive<f64, D>, const D: usize>(
    world: &mut World<f64, B, D>,
    (expected, limit): (f64, f64),
    digits: f64,
) {
    let before = world.state();
    let refused = world.step(1e-3);
    let Err(Error::JointApart {
        value, tolerance, ..
    }) = refused
    else {
        panic!("{refused:?}, not a gap of {expected}")
    };
    assert!(
        (value / expected - 1.0).abs() < digits,
        "{value} {expected}"
    );
    assert!(
        (tolerance / limit - 1.0).abs() < digits,
        "{tolerance} {limit}"
    );
    assert_eq!(world.state(), before);
}

// ---- what is refused ----------------------------------------------------------------------------

/// A gap along the arm r moves the body by its own length, so 2 % of r is the limit, in any unit and anywhere.
#[test]
fn a_gap_along_the_arm_may_be_two_percent_of_it() {
    for (scale, (ground, place)) in product(&SCALES, &PLACES) {
        let rounding = 1e-9 + 1e-14 * (ground + place) / scale;
        let built = |gap: f64| {
            let mut world = World3::new();
            let wall = Rigid3::translation(ground, ground, 0.0);
            let pose = Rigid3::translation(place + scale * (1.0 + gap), place, 0.0);
            let wall_body = world.add(Body3::fixed(wall)).unwrap();
            let body = world
                .add(Body3::new(round(2.0, 0.3 * scale), pose))
                .unwrap();
            let ball = Ball {
                r1: Vector3::new(place - ground, place - ground, 0.0),
                r2: -Vector3::x() * scale,
            };
            world.connect(ball, [wall_body, body]).unwrap();
            world
        };
        for solver in solvers() {
            for gap in [5.0, 0.021] {
                let mut world = built(gap).with_solver(solver);
                let limit = 0.02 * scale;
                is_refused(&mut world, (gap * scale, limit), 1e3 * rounding);
            }
            let mut world = built(0.019).with_solver(solver);
            world.step(1e-3).unwrap();
            assert!(world.drift() < scale * 1e3 * rounding, "{}", world.drift());
        }
    }
}

/// Across the arm r it turns by C r/(ρ² + r²) as well, ρ being the radius of gyration, and that may be 0.02 radians.
#[test]
fn a_gap_across_the_arm_may_turn_a_body_by_two_percent_of_a_radian() {
    for (scale, (ground, place)) in product(&SCALES, &PLACES) {
        let rounding = 1e-9 + 1e-14 * (ground + place) / scale;
        let built = |gap: f64| {
            let mut world = World2::new();
            let wall = Rigid2::translation(ground, ground);
            let pose = Rigid2::translation(place + scale, place + gap * scale);
            let wall_body = world.add(Body2::fixed(wall)).unwrap();
            let inertia = Inertia2::new(2.0, 2.0 * (0.5 * scale).powi(2)).unwrap();
            let body = world.add(Body2::new(inertia, pose)).unwrap();
            let pin = plane::Revolute {
                r1: Vector2::new(place - ground, place - ground),
                r2: -Vector2::x() * scale,
            };
            world.connect(pin, [wall_body, body]).unwrap();
            world
        };
        for solver in solvers() {
            let limit = 0.02 * (0.25 + 1.0);
            let mut world = built(1.05 * limit).with_solver(solver);
            is_refused(
                &mut world,
                (1.05 * limit * scale, limit * scale),
                1e3 * rounding,
            );
            let mut world = built(0.95 * limit).with_solver(solver);
            world.step(1e-3).unwrap();
        }
    }
}

/// A rod's direction turns over its length, which is what bodies without extent can be moved by.
#[test]
fn a_rod_may_be_off_by_two_percent_of_its_length() {
    for (scale, solver) in product(&SCALES, &solvers()) {
        let built = |length: f64| {
            let mut world = World3::new();
            let mut grain = |x: f64, mass| {
                let pose = Rigid3::translation(x * scale, 0.5 * x * scale, 0.0);
                world
                    .add(Body3::new(round(mass, 1e-6 * scale), pose))
                    .unwrap()
            };
            // The rod is √5/2 long, and of equal masses each moves by half.
            let pair = [grain(0.0, 1.0), grain(1.0, 1.0)];
            let rod = Distance {
                r1: Vector3::zeros(),
                r2: Vector3::zeros(),
                length: length * scale,
            };
            world.connect(rod, pair).unwrap();
            world.with_solver(solver)
        };
        let distance = 1.25_f64.sqrt();
        let limit = 2.0 * 0.02 * distance;
        is_refused(
            &mut built(distance - 1.05 * limit),
            (1.05 * limit * scale, limit * scale),
            1e-6,
        );
        is_refused(
            &mut built(6.0),
            ((distance - 6.0) * scale, limit * scale),
            1e-6,
        );
        built(distance - 0.95 * limit).step(1e-3).unwrap();
    }
}

/// A rod that stands on a plane: its row does not turn it, and yet it reaches as far as its foot.
#[test]
fn a_gap_is_measured_by_an_arm_across_which_nothing_turns() {
    for (scale, solver) in product(&SCALES, &solvers()) {
        let built = |gap: f64| {
            let mut world = World3::new();
            let floor = world.add(Body3::fixed(Rigid3::identity())).unwrap();
            let pose = Rigid3::translation(0.0, 0.0, scale * (1.0 + gap));
            let rod = world
                .add(Body3::new(round(1.0, 0.1 * scale), pose))
                .unwrap();
            let foot = PointOnPlane {
                r1: Vector3::zeros(),
                normal: Vector3::z(),
                r2: -Vector3::z() * scale,
            };
            world.connect(foot, [floor, rod]).unwrap();
            world.with_solver(solver)
        };
        is_refused(&mut built(0.021), (0.021 * scale, 0.02 * scale), 1e-9);
        built(0.019).step(1e-3).unwrap();
    }
}

#[test]
fn axes_may_be_off_by_two_percent_of_a_radian() {
    for (scale, solver) in product(&SCALES, &solvers()) {
        let built = |angle: f64| {
            let mut world = World3::new();
            let place = Rigid3::translation(scale, 0.0, 0.0);
            let tilted = Rigid3::new(Vector3::x() * scale, Vector3::x() * angle);
            let wall = world.add(Body3::fixed(Rigid3::identity())).unwrap();
            let door = world.add(Body3::new(round(1.0, scale), tilted)).unwrap();
            // About the centre, which the tilt does not move.
            let centre = Point3::new(scale, 0.0, 0.0);
            let hinge = Hinge::between(&Rigid3::identity(), &place, &centre, &Vector3::z_axis());
            world.connect(hinge, [wall, door]).unwrap();
            world.with_solver(solver)
        };
        let refused = built(0.021).step(1e-3);
        assert!(
            matches!(refused, Err(Error::JointApart { .. })),
            "{refused:?}"
        );
        let mut world = built(0.019);
        world.step(1e-3).unwrap();
        assert!(world.drift() < 1e-4);
    }
}

/// Half a metre of a joint of three bodies, and of a constraint by hand on one.
#[test]
fn constraints_of_ones_own_are_measured_by_the_same_reach() {
    let mut world = World3::new();
    let mut ball = |x: f64| {
        let pose = Rigid3::translation(x, 0.0, 0.0);
        world.add(Body3::new(round(1.0, 0.5), pose)).unwrap()
    };
    let bodies = [ball(-1.0), ball(0.5), ball(1.0)];
    world.connect(Halfway, bodies).unwrap();
    // 2 x₂ = x₁ + x₃: the one between moves by 2 of 6 parts of C, which is 1.
    is_refused(&mut world, (1.0, 0.02 * 0.5 * 3.0), 1e-9);
    let message = world.step(1e-3).unwrap_err().to_string();
    let named = "joint 0 (Halfway between body 0, body 1 and 1 more) is apart: C of a row is 1";
    assert!(message.starts_with(named), "{message}");

    for height in [0.5, 0.009] {
        let mut world = World3::new();
        let pose = Rigid3::translation(1e6, 0.0, height);
        let disk = world.add(Body3::new(round(1.0, 0.5), pose)).unwrap();
        world.connect(Level, [disk]).unwrap();
        if height > 0.01 {
            is_refused(&mut world, (height, 0.01), 1e-9);
            let message = world.step(1e-3).unwrap_err().to_string();
            assert!(
                message.starts_with("joint 0 (Level of body 0) is apart: "),
                "{message}"
            );
        } else {
            world.step(1e-3).unwrap();
        }
    }
}

/// z = 0 of one body, by its four formulas.
struct Level;

impl BodyConstraint<f64, 6, 1, 1> for Level {
    type Body = Rigid3;

    fn value(&self, _: f64, [body]: [&Rigid3; 1]) -> SVector<f64, 1> {
        [body.translation.z].into()
    }

    fn jacobian(&self, _: f64, _: [&Rigid3; 1]) -> [SMatrix<f64, 1, 6>; 1] {
        [[[0.0], [0.0], [1.0], [0.0], [0.0], [0.0]].into()]
    }

    fn rate(&self, _: f64, _: [&Rigid3; 1], [v]: [&SVector<f64, 6>; 1]) -> SVector<f64, 1> {
        [v[2]].into()
    }

    fn bias(&self, _: f64, _: [&Rigid3; 1], _: [&SVector<f64, 6>; 1]) -> SVector<f64, 1> {
        [0.0].into()
    }
}

/// A point of the body on a wave: at its inflection a row is straight, and its radius of curvature no reach.
#[test]
fn an_inflection_of_a_curve_is_no_reach() {
    curve! { struct Wave; |s in -3..=3| [s, sin(s)] }
    let mut world = World2::<f64>::new();
    let wall = world.add(Body2::fixed(Rigid2::identity())).unwrap();
    let inertia = Inertia2::new(1.0, 0.01).unwrap();
    let bead = world
        .add(Body2::new(inertia, Rigid2::translation(-1e-3, 5e-3)))
        .unwrap();
    world
        .connect(PointOnCurve::new(&Wave, [0.0, 0.0]).unwrap(), [wall, bead])
        .unwrap();
    // The wave climbs by 45° there, and the bead's radius of gyration is a tenth.
    is_refused(&mut world, (6e-3 * 0.5_f64.sqrt(), 2e-3), 1e-3);
}

// ---- what is never refused ----------------------------------------------------------------------

/// A tree of all joints of the library, each as the bodies are placed: of any size, a million metres from the origin.
#[test]
fn joints_that_meet_within_rounding_are_never_refused() {
    let mut random = Random::new(7);
    let sizes = [1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e6];
    for (size, far) in product(&sizes, &[0.0, 1.0, 1e6]) {
        for solver in solvers() {
            let mut world = placed_tree(&mut random, size, far).with_solver(solver);
            let stepped = world.step(1e-6);
            assert!(stepped.is_ok(), "{size} m at {far} m: {stepped:?}");
        }
    }
}

/// The same in single precision, which rounds by a metre at 10⁷ m.
#[test]
fn nor_are_they_in_single_precision() {
    for (size, far) in product(&[1e-3, 1.0], &[0.0, 1.0, 1e4, 1e7_f32]) {
        let mut world = World3::<f32>::new();
        let wall = Rigid3::new(Vector3::repeat(far), Vector3::new(0.3, -0.2, 0.7));
        let pose = Rigid3::new(
            Vector3::new(far + 0.6 * size, 1.1 * far, -0.7 * far),
            Vector3::new(-0.4, 1.2, 0.1),
        );
        let ground = world.add(Body3::fixed(wall)).unwrap();
        let inertia = Inertia3::principal(1.0, [size * size * 0.1; 3]).unwrap();
        let body = world.add(Body3::new(inertia, pose)).unwrap();
        let point = pose * Point3::new(size, 0.0, 0.3 * size);
        world
            .connect(Ball::between(&wall, &pose, &point), [ground, body])
            .unwrap();
        let stepped = world.step(1e-6);
        assert!(stepped.is_ok(), "{size} m at {far} m: {stepped:?}");
    }
}

fn placed_tree(random: &mut Random, size: f64, far: f64) -> World3 {
    let mut world = World3::new();
    let mut vector = |size: f64| Vector3::from_fn(|_, _| random.between(-size, size));
    let centre = vector(far);
    // The ground's own place is elsewhere.
    let wall = Rigid3::new(vector(far), vector(1.0));
    let mut last = (world.add(Body3::fixed(wall)).unwrap(), wall);
    for k in 0..9 {
        let pose = Rigid3::new(centre + vector(size), vector(1.0));
        let body = world.add(Body3::new(round(1.0, 0.3 * size), pose)).unwrap();
        let (above, pair) = (last.1, [last.0, body]);
        let point = Point3::from(centre + vector(size));
        let axis = UnitVector3::new_normalize(vector(1.0));
        let across = UnitVector3::new_normalize(axis.cross(&vector(1.0)));
        let connected = match k {
            0 => world.connect(Ball::between(&above, &pose, &point), pair),
            1 => world.connect(Hinge::between(&above, &pose, &point, &axis), pair),
            2 => world.connect(
                Universal::between(&above, &pose, &point, [&axis, &across]),
                pair,
            ),
            3 => world.connect(Prismatic::between(&above, &pose, &point, &axis), pair),
            4 => world.connect(Cylindrical::between(&above, &pose, &point, &axis), pair),
            5 => world.connect(Fixed::between(&above, &pose, &point), pair),
            6 => world.connect(PointOnLine::between(&above, &pose, &point, &axis), pair),
            7 => world.connect(PointOnPlane::between(&above, &pose, &point, &axis), pair),
            _ => {
                let ball = Ball::between(&above, &pose, &point);
                let away = pose.inverse_transform_vector(&(axis.into_inner() * size));
                let (r1, r2) = (ball.r1, ball.r2 + away);
                world.connect(
                    Distance {
                        r1,
                        r2,
                        length: size,
                    },
                    pair,
                )
            }
        };
        connected.unwrap();
        last = (body, pose);
    }
    world
}

// ---- when it is looked at -----------------------------------------------------------------------

/// A bob on a ball, `gap` off.
fn bob(gap: f64) -> (World3, BodyHandle, JointHandle) {
    let mut world = World3::new().with_gravity(DOWN);
    let wall = world.add(Body3::fixed(Rigid3::identity())).unwrap();
    let pose = Rigid3::translation(1.0 + gap, 0.0, 0.0);
    let bob = world.add(Body3::new(round(1.0, 0.3), pose)).unwrap();
    let ball = Ball {
        r1: Vector3::zeros(),
        r2: -Vector3::x(),
    };
    let joint = world.connect(ball, [wall, bob]).unwrap();
    (world, bob, joint)
}

pub fn apart(stepped: Result<(), Error>) -> bool {
    matches!(stepped, Err(Error::JointApart { .. }))
}

#[test]
fn every_change_of_the_places_arms_the_check() {
    let (mut world, ..) = bob(0.0);
    world.step(1e-3).unwrap();
    let mut state = world.state();
    state.q[7] += 0.5;
    world.set_state(&state).unwrap();
    assert!(apart(world.step(1e-3)) && apart(world.step(1e-3)));
    assert_eq!(world.state(), state);
    // By a checkpoint it stays armed.
    let (mut other, ..) = bob(0.0);
    other.resume(&world.checkpoint()).unwrap();
    assert!(apart(other.step(1e-3)));

    // A joint that is added to bodies which have moved.
    let (mut world, body, _) = bob(0.0);
    world.step(1e-3).unwrap();
    let post = world
        .add(Body3::fixed(Rigid3::translation(3.0, 0.0, 0.0)))
        .unwrap();
    let rod = Distance {
        r1: Vector3::zeros(),
        r2: Vector3::zeros(),
        length: 1.0,
    };
    world.connect(rod, [post, body]).unwrap();
    let refused = world.step(1e-3).unwrap_err().to_string();
    let named = "joint 1 (Distance between fixed body 2 and body 1) is apart: C of a row is ";
    assert!(refused.starts_with(named), "{refused}");
}

#[test]
fn without_a_projection_nothing_is_closed_and_nothing_refused() {
    for kept in [
        Stabilization::None,
        Stabilization::Baumgarte {
            alpha: 10.0,
            beta: 10.0,
        },
    ] {
        let (world, ..) = bob(0.5);
        let mut world = world.with_stabilization(kept);
        world.step(1e-3).unwrap();
        assert!((world.drift() - 0.5).abs() < 0.05);
        // From here on it would be.
        let mut world = world.with_stabilization(Stabilization::default());
        assert!(apart(world.step(1e-3)));
        world.assemble().unwrap();
        world.step(1e-3).unwrap();
    }
}

#[test]
fn a_tolerance_is_left_alone() {
    let (world, ..) = bob(0.5);
    let tolerance = 0.6;
    let mut world = world.with_stabilization(Stabilization::Projection { tolerance });
    world.step(1e-3).unwrap();
    assert!(world.drift() > 0.4);
}

#[test]
fn a_soft_joint_that_becomes_rigid_is_closed_however_far_it_is_open() {
    let (mut world, _, spring) = hung_softly(2.0, Softness::new(50.0, 1.5).unwrap());
    world.run_until(5.0, 1e-2).unwrap();
    world.set_softness(spring, None).unwrap();
    // Also by a world that resumes there.
    let (mut other, _, same) = hung_softly(2.0, Softness::new(50.0, 1.5).unwrap());
    other.set_softness(same, None).unwrap();
    other.resume(&world.checkpoint()).unwrap();
    for world in [&mut world, &mut other] {
        assert!(world.energy() < -5.0);
        world.step(1e-3).unwrap();
        assert!(world.drift() < 1e-14);
    }
}

/// A speed that opens a joint within each of 1,024 parts of a step is no gap of its start.
#[test]
fn what_a_step_opens_is_not_what_was_apart() {
    let (mut world, body, _) = bob(0.0);
    world.step(1e-3).unwrap();
    world
        .set_velocity(body, [0.0, 0.0, 1e9, 0.0, -1e9, 0.0])
        .unwrap();
    let refused = world.step(1e-3).unwrap_err();
    assert!(
        matches!(refused, Error::ProjectionDiverged { .. }),
        "{refused}"
    );
    let named = "joint 0 (Ball between fixed body 0 and body 1) stays violated by ";
    assert!(refused.to_string().starts_with(named), "{refused}");
}

// ---- names --------------------------------------------------------------------------------------

#[test]
fn rows_are_named_by_their_joint_and_its_bodies() {
    let mut world = World3::<f64>::new();
    let mut fixed = || world.add(Body3::fixed(Rigid3::identity())).unwrap();
    let (wall, post) = (fixed(), fixed());
    let mut free = || {
        world
            .add(Body3::new(round(1.0, 0.3), Rigid3::identity()))
            .unwrap()
    };
    let (a, b) = (free(), free());
    let ball = Ball {
        r1: Vector3::zeros(),
        r2: Vector3::zeros(),
    };
    let pairs = [[wall, a], [a, b], [b, post], [wall, post]];
    for pair in pairs {
        world.connect(ball, pair).unwrap();
    }
    world.connect(Level, [a]).unwrap();
    world.connect(Level, [post]).unwrap();
    world.connect(Halfway, [wall, a, b]).unwrap();
    let names = [
        (0, "joint 0 (Ball between fixed body 0 and body 2)"),
        (5, "joint 1 (Ball between bodies 2 and 3)"),
        (6, "joint 2 (Ball between body 3 and fixed body 1)"),
        (11, "joint 3 (Ball between fixed bodies 0 and 1)"),
        (12, "joint 4 (Level of body 2)"),
        (13, "joint 5 (Level of fixed body 1)"),
        (
            14,
            "joint 6 (Halfway between fixed body 0, body 2 and 1 more)",
        ),
        (17, "row 17"),
    ];
    for (row, name) in names {
        assert_eq!(world.describe_row(row).to_string(), name);
    }
    let row = world.describe_row(5);
    assert_eq!((row.index, row.name), (5, Some("Ball")));
    let joint = row.joint.unwrap();
    assert!(joint.index() == 1 && joint.bodies().eq([2, 3]));
}

/// Every pair of both.
pub fn product<A: Copy, B: Copy>(first: &[A], second: &[B]) -> Vec<(A, B)> {
    let pairs = first
        .iter()
        .flat_map(|&a| second.iter().map(move |&b| (a, b)));
    pairs.collect()
}
