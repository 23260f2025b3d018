//! `SequentialImpulses` on a `System`: towards the exact impulses, as in a `World`, and where rows are redundant.

use crate::models::{Chain, ChainCoordinates, ChainVelocities, RolledChain, SliderCrank};
use constraint_runtime::joint::Ball;
use constraint_runtime::make_consistent;
use constraint_runtime::nalgebra::UnitQuaternion;
use constraint_runtime::prelude::*;

const H: f64 = 1e-3;

/// One step with so many iterations, and no projection: Λ and v.
fn step<S: System<f64, Q: Copy, V: Copy, Rows: Copy> + Clone>(
    system: &S,
    start: &State<S::Q, S::V>,
    iterations: usize,
) -> (S::Rows, S::V) {
    let solver = SequentialImpulses::new(iterations).stepping(H);
    let run = Simulation::new(system.clone(), *start, solver).unwrap();
    let mut run = run.with_stabilization(Stabilization::None);
    run.step().unwrap();
    (run.impulses(), run.state().v)
}

/// v and Λ of the exact solution: v* − W Jᵀ (J W Jᵀ)⁻¹ Ċ(v*), v* by the free acceleration.
fn exact_velocity<S, const Q: usize, const V: usize>(
    system: &S,
    start: &State<SVector<f64, Q>, SVector<f64, V>>,
) -> SVector<f64, V>
where
    S: System<f64, Q = SVector<f64, Q>, V = SVector<f64, V>>,
{
    let State { t, q, v } = start;
    let free = v + system.free_acceleration(*t, q, v).unwrap() * H;
    let rate = system.constraint_rate(*t, q, &free);
    free - system.correction(*t, q, &rate).unwrap()
}

/// The chain slanted and bent, at rest.
fn bent() -> State<SVector<f64, 16>> {
    let mut q = ChainCoordinates::default();
    let mut end = Point2::origin();
    for (i, bead) in q.bead.iter_mut().enumerate() {
        let angle = 0.3 + 0.2 * i as f64;
        end += Vector2::new(angle.sin(), -angle.cos()) * 0.5;
        *bead = end;
    }
    State::new(0.0, q, ChainVelocities::default())
}

/// From rest Ċ(v*) = h J W f, so that Λ/h is λ itself.
#[test]
fn impulses_of_a_chain_converge_to_its_multipliers() -> Result<(), Error> {
    let chain = Chain {
        m: 1.3,
        ..Chain::default()
    };
    let start = bent();
    let expected = chain.multipliers(0.0, &start.q, &start.v)?;
    let error = |iterations: usize| {
        let (impulse, _) = step(&chain, &start, iterations);
        (impulse / H - expected).norm() / expected.norm()
    };
    let errors = [40, 80, 160, 320, 640].map(error);
    println!("relative error of Λ/h after 40, 80, … 640 iterations: {errors:?}");
    assert!((0.01..0.5).contains(&errors[0]), "{errors:?}");
    for pair in errors[..4].windows(2) {
        assert!(pair[1] < 1.5 * pair[0] * pair[0], "{errors:?}");
    }
    assert!(errors[4] < 1e-10, "{errors:?}");
    Ok(())
}

system! {
    /// Four bodies on ball joints; balls, so that nothing is gyroscopic.
    pub struct Links { m: Real = 0.7, i: Real = 0.05, g: Real = 9.81 }
    body link[4]: Rigid3 { mass: m, inertia: [i, i, i] }
    constraint ball[0]: at(link[0], [0, 0, 0.5]) == [0, 0, 0];
    for k in 1..4 { constraint ball[k]: at(link[k], [0, 0, 0.5]) == at(link[k-1], [0, 0, -0.5]); }
    for k in 0..4 { force link[k]: [0, 0, -m*g]; }
}

system! {
    /// The same with unequal moments.
    pub struct Tops { m: Real = 0.7, g: Real = 9.81 }
    body link[4]: Rigid3 { mass: m, inertia: [[0.05, 0.01, 0], [0.01, 0.06, 0], [0, 0, 0.03]] }
    constraint ball[0]: at(link[0], [0, 0, 0.5]) == [0, 0, 0];
    for k in 1..4 { constraint ball[k]: at(link[k], [0, 0, 0.5]) == at(link[k-1], [0, 0, -0.5]); }
    for k in 0..4 { force link[k]: [0, 0, -m*g]; }
}

/// Links that hang together, turned and spinning, with the velocities that the joints allow.
fn spinning() -> [(Rigid3<f64>, Twist3<f64>); 4] {
    let (mut joint, mut rate) = (Vector3::zeros(), Vector3::zeros());
    [0.0_f64, 1.0, 2.0, 3.0].map(|x| {
        let turn = Vector3::new((1.1 * x).sin(), (0.7 * x + 1.0).cos(), (0.3 * x).sin());
        let angular = Vector3::new((2.1 * x).cos(), (0.9 * x).sin(), (1.3 * x + 0.5).cos());
        let rotation = UnitQuaternion::from_scaled_axis(turn);
        let arm = rotation * Vector3::new(0.0, 0.0, 0.5);
        let (place, linear) = (joint - arm, rate - angular.cross(&arm));
        (joint, rate) = (place - arm, linear - angular.cross(&arm));
        let body = Rigid3::from_parts(place.into(), rotation);
        (body, Twist3 { linear, angular })
    })
}

#[test]
fn bodies_on_ball_joints_converge_to_the_exact_velocities() -> Result<(), Error> {
    let links = spinning();
    let start = State::new(
        0.0,
        TopsCoordinates {
            link: links.map(|(body, _)| body),
        },
        TopsVelocities {
            link: links.map(|(_, twist)| twist),
        },
    );
    let tops = Tops::<f64>::default();
    let expected = exact_velocity(&tops, &start);
    let error = |iterations: usize| {
        let (_, v) = step(&tops, &start, iterations);
        (v - expected).norm() / (expected - start.v).norm()
    };
    let errors = [8, 16, 32, 64, 128, 256].map(error);
    println!("relative error of the change of v after 8, 16, … 256 iterations: {errors:?}");
    for pair in errors[..5].windows(2) {
        assert!(pair[1] < pair[0].powf(1.7) + 1e-12, "{errors:?}");
    }
    assert!(errors[5] < 1e-11, "{errors:?}");
    Ok(())
}

/// The same iteration: after any number of sweeps the world and the system have the same Λ.
#[test]
fn a_system_and_a_world_sweep_alike() -> Result<(), Error> {
    let links = spinning();
    for iterations in [1, 2, 7] {
        let solver = SequentialImpulses::new(iterations).with_projections(0);
        let mut world = World3::new()
            .with_gravity([0.0, 0.0, -9.81])
            .with_solver(solver)
            .with_stabilization(Stabilization::None);
        let mut last = world.add(Body3::fixed(Rigid3::identity()))?;
        let mut joints = Vec::new();
        for (k, (place, twist)) in links.iter().enumerate() {
            let inertia = Inertia3::principal(0.7, [0.05; 3])?;
            let next =
                world.add(Body3::new(inertia, *place).moving(SVector::<f64, 6>::from(*twist)))?;
            let r1 = if k == 0 {
                Vector3::zeros()
            } else {
                Vector3::z() * -0.5
            };
            let ball = Ball {
                r1,
                r2: Vector3::z() * 0.5,
            };
            joints.push(world.connect(ball, [last, next])?);
            last = next;
        }
        world.step(H)?;
        let start = State::new(
            0.0,
            LinksCoordinates {
                link: links.map(|(body, _)| body),
            },
            LinksVelocities {
                link: links.map(|(_, twist)| twist),
            },
        );
        let (found, _) = step(&Links::<f64>::default(), &start, iterations);
        for (k, &joint) in joints.iter().enumerate() {
            for (i, expected) in world.impulse(joint)?.iter().enumerate() {
                let apart = (found[3 * k + i] - expected).abs();
                assert!(apart < 1e-13, "{iterations} sweeps, joint {k}: {apart:e}");
            }
        }
    }
    Ok(())
}

/// A system by hand, which tells no rows of impulses.
#[derive(Clone)]
struct ByHand<S>(S);

impl<S: System<f64>> Dynamics<f64> for ByHand<S> {
    dynamics_within! {}
}

impl<S: System<f64>> System<f64> for ByHand<S> {}

impl<S: System<f64>> Constrained<f64> for ByHand<S> {
    system_within! {}
}

/// What a system tells by hand goes another way, by T and the exact solution, to the same; and one in loops its own.
#[test]
fn what_is_not_generated_follows_from_the_energy() -> Result<(), Error> {
    let chain = Chain::<f64>::default();
    follows(&chain, &ByHand(chain))?;
    follows(&chain, &RolledChain::<f64>::default())
}

fn follows<S>(chain: &Chain<f64>, other: &S) -> Result<(), Error>
where
    S: System<f64, Q = SVector<f64, 16>, V = SVector<f64, 16>, Rows = SVector<f64, 8>> + Clone,
{
    let mut start = bent();
    start.v = SVector::from_fn(|i, _| (i as f64).sin());
    let (q, v) = (&start.q, &start.v);
    let difference = chain.free_acceleration(0.0, q, v)? - other.free_acceleration(0.0, q, v)?;
    assert!(difference.norm() < 1e-12);
    let start = make_consistent(chain, start)?;
    let (one, v) = step(chain, &start, 5);
    let (two, w) = step(other, &start, 5);
    assert!((one - two).norm() < 1e-11 * one.norm() && (v - w).norm() < 1e-11);
    Ok(())
}

#[test]
fn one_row_is_exact_at_once() -> Result<(), Error> {
    // M there depends on the coordinates, and h on the velocities.
    let crank = SliderCrank::<f64>::default();
    let q = [
        0.7_f64,
        0.7_f64.cos() + (2.5_f64.powi(2) - 0.7_f64.sin().powi(2)).sqrt(),
    ];
    let start = State::new(0.0, q, [1.0, 0.0]);
    let start = make_consistent(&crank, start)?;
    let expected = exact_velocity(&crank, &start);
    assert!((step(&crank, &start, 1).1 - expected).norm() < 1e-14);
    Ok(())
}

system! {
    /// A square of beads with both diagonals, one more than it needs: the rods are never independent.
    #[redundant(least_squares)]
    pub struct Square { m: Real = 1, g: Real = 9.81 }
    particle bead[4]: Point2 { mass: m }
    for i in 0..3 { constraint side[i]: norm(bead[i+1] - bead[i]) == 1; }
    constraint last: norm(bead[0] - bead[3]) == 1;
    constraint up: norm(bead[2] - bead[0]) == sqrt(2);
    constraint down: norm(bead[3] - bead[1]) == sqrt(2);
    constraint nail: bead[0] == [0, 0];
    for i in 0..4 { force bead[i]: [0, -m*g]; }
}

#[test]
fn dependent_rows_are_held_too() -> Result<(), Error> {
    let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let place = SquareCoordinates {
        bead: corners.map(|[x, y]| Point2::new(x, y)),
    };
    let start = State::new(0.0, place, SquareVelocities::default());
    let square = Square::<f64>::default();
    let expected = exact_velocity(&square, &start);
    let (_, v) = step(&square, &start, 400);
    assert!((v - expected).norm() < 1e-12 * expected.norm());
    let solver = SequentialImpulses::new(30).stepping(H);
    let mut run = Simulation::new(square, start, solver)?;
    let energy = run.energy();
    run.run_until(2.0)?;
    assert!(run.drift() < 1e-6, "{:e}", run.drift());
    // The method is of first order: over two seconds a thousandth of what moves to and fro.
    assert!((run.energy() - energy).abs() < 0.05 * 4.0 * 9.81);
    Ok(())
}

#[test]
fn projection_and_feedback_keep_a_swinging_chain_together() -> Result<(), Error> {
    let drift = |stabilization: Stabilization<f64>, solver: SequentialImpulses| {
        let run = Simulation::new(Chain::default(), bent(), solver.stepping(H))?;
        let mut run = run.with_stabilization(stabilization);
        run.run_until(1.0)?;
        Ok::<f64, Error>(run.drift())
    };
    let projection = Stabilization::Projection { tolerance: 1e-6 };
    let feedback = Stabilization::Baumgarte {
        alpha: 100.0,
        beta: 100.0,
    };
    let solver = SequentialImpulses::new(30).with_projections(20);
    let projected = drift(projection, solver)?;
    let fed_back = drift(feedback, solver)?;
    let left = drift(Stabilization::None, solver)?;
    assert!(
        projected <= 1e-6 && fed_back < 0.2 * left,
        "{projected:e} {fed_back:e} {left:e}"
    );
    let (warm, cold) = (
        drift(Stabilization::None, SequentialImpulses::new(5))?,
        drift(
            Stabilization::None,
            SequentialImpulses::new(5).without_warm_start(),
        )?,
    );
    assert!(warm < 0.3 * cold, "{warm:e} {cold:e}");
    Ok(())
}

system! {
    /// A weight on a rod that can give.
    pub struct Weight { m: Real = 2, g: Real = 9.81 }
    particle bob: Point2 { mass: m }
    constraint rod: norm(bob) == 1;
    force bob: [0, -m*g];
}

/// A soft row pulls with −k C − c Ċ: the weight comes to rest where k C is m g.
#[test]
fn a_soft_constraint_is_a_spring() -> Result<(), Error> {
    let start = State::new(0.0, [0.0, -1.0], [0.0, 0.0]);
    let solver = SequentialImpulses::new(1).stepping(H);
    let solver = solver.with_softness(Softness::new(400.0, 40.0)?);
    let mut run = Simulation::new(Weight::default(), start, solver)?;
    run.run_until(3.0)?;
    let stretch = 2.0 * 9.81 / 400.0;
    assert!((run.drift() - stretch).abs() < 1e-9);
    // λ pulls back along −∇C.
    assert!((run.impulses()[0] + H * 2.0 * 9.81).abs() < 1e-9);
    Ok(())
}

/// Inputs held by a law reach the free acceleration.
#[test]
fn a_controlled_system_is_swept_too() -> Result<(), Error> {
    system! {
        /// A bead on a circle, pushed.
        struct Pushed { m: Real = 2 }
        particle bob: Point2 { mass: m }
        input push;
        constraint rod: norm(bob) == 1;
        force bob: [push, 0];
    }
    let law = |_: f64, _: &PushedCoordinates, _: &PushedVelocities| PushedInputs { push: 3.0 };
    let system = Pushed::<f64>::default().controlled_by(law);
    let free = system.free_acceleration(0.0, &[0.0, -1.0].into(), &Vector2::zeros())?;
    assert_eq!(free, Vector2::new(1.5, 0.0));
    let start = State::new(0.0, [0.0, -1.0], [0.0, 0.0]);
    let solver = SequentialImpulses::new(1).stepping(H);
    let mut run = Simulation::new(system, start, solver)?;
    run.step()?;
    assert!((run.state().v.x - 1.5 * H).abs() < 1e-15);
    Ok(())
}
