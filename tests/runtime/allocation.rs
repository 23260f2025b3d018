//! No step allocates. The counting allocator counts for each thread alone, so other tests may run beside these.

use crate::by_hand::{Parabola, TurningWire};
use constraint_runtime::joint::{Ball, Hinge};
use constraint_runtime::make_consistent;
use constraint_runtime::prelude::*;

#[test]
fn steps_do_not_allocate() {
    let stabilizations = [
        Stabilization::default(),
        Stabilization::Baumgarte {
            alpha: 5.0,
            beta: 5.0,
        },
        Stabilization::None,
    ];
    for stabilization in stabilizations {
        assert_eq!(allocations(SemiImplicitEuler::new(0.01), stabilization), 0);
        assert_eq!(allocations(Rk4::new(0.01), stabilization), 0);
        assert_eq!(allocations(Rattle::new(0.01), stabilization), 0);
        let adaptive = DormandPrince::new(1e-9, 1e-9);
        assert_eq!(allocations(adaptive, stabilization), 0);
    }
}

/// Allocations of a step of a generated system, and of what is asked of it after a step.
fn allocations_of<S, I, const N: usize>(
    system: S,
    start: State<SVector<f64, N>>,
    integrator: I,
    stabilization: Stabilization<f64>,
) -> u64
where
    S: System<f64, Q = SVector<f64, N>, V = SVector<f64, N>>,
    I: Integrator<Scalar = f64>,
{
    let mut run = Simulation::new(system, start, integrator)
        .unwrap()
        .with_stabilization(stabilization);
    let counted = allocation_counter::measure(|| {
        run.run_until(0.05).unwrap();
        assert!(run.multipliers().is_ok() && run.energy().is_finite() && run.drift() < 0.1);
        let State { t, q, v } = *run.state();
        assert!(run.system().constraint_force(t, &q, &v).is_ok());
        assert!(run.system().acceleration_and_multipliers(t, &q, &v).is_ok());
        assert!(make_consistent(run.system(), *run.state()).is_ok());
    });
    counted.count_total
}

#[test]
fn steps_of_generated_systems_do_not_allocate() {
    use crate::generated::*;
    fn check<I>(integrator: I)
    where
        I: Integrator<Scalar = f64> + Copy,
    {
        let feedback = Stabilization::Baumgarte {
            alpha: 5.0,
            beta: 5.0,
        };
        for with in [Stabilization::default(), feedback, Stabilization::None] {
            let bead = std::array::from_fn(|i| Point2::new(0.5 * (i + 1) as f64, 0.0));
            let level = State::new(0.0, ChainCoordinates { bead }, ChainVelocities::default());
            assert_eq!(allocations_of(Chain::default(), level, integrator, with), 0);
            let bead = RolledChainCoordinates { bead };
            let level = State::new(0.0, bead, RolledChainVelocities::default());
            assert_eq!(
                allocations_of(RolledChain::default(), level, integrator, with),
                0
            );
            let spinning = State::new(0.0, [0.0; 3], [0.0, 0.0, 1.0]);
            assert_eq!(
                allocations_of(Sleigh::default(), spinning, integrator, with),
                0
            );
            let held = CartPole::default().controlled_by(
                |_t, q: &CartPoleCoordinates, _v: &CartPoleVelocities| CartPoleInputs {
                    push: -q.x,
                },
            );
            let start = State::new(0.0, [0.1, 0.2], [0.0; 2]);
            assert_eq!(allocations_of(held, start, integrator, with), 0);
        }
    }
    check(SemiImplicitEuler::new(0.01));
    check(Rk4::new(0.01));
    check(Rattle::new(0.01));
    check(DormandPrince::new(1e-9, 1e-9));
}

/// Steps of a method that asks for ∂v̇/∂(q, v), with an event in them.
fn allocations_of_implicit_steps<I>(integrator: I, stabilization: Stabilization<f64>) -> u64
where
    I: Integrator<Scalar = f64>,
{
    let place = HungCoordinates {
        pin: Point2::origin(),
        bob: Point2::new(0.6, -0.8),
    };
    let start = State::new(0.0, place, HungVelocities::default());
    let mut run = Simulation::new(Hung::default(), start, integrator)
        .unwrap()
        .with_stabilization(stabilization)
        .until(Crossing::Either, |state| state.q[2]);
    let counted = allocation_counter::measure(|| {
        assert_eq!(run.run_until(2.0), Ok(Arrival::Event(0)));
        assert!(run.interpolant().is_ok());
    });
    counted.count_total
}

#[test]
fn implicit_steps_do_not_allocate() {
    let feedback = Stabilization::Baumgarte {
        alpha: 5.0,
        beta: 5.0,
    };
    for with in [Stabilization::default(), feedback, Stabilization::None] {
        let adaptive = Radau5::new(1e-6, 1e-6);
        assert_eq!(allocations_of_implicit_steps(adaptive, with), 0);
        let fixed = GeneralizedAlpha::new(0.01, 0.5);
        assert_eq!(allocations_of_implicit_steps(fixed, with), 0);
    }
}

system! {
    /// A pendulum on a bushing.
    #[derivatives]
    struct Hung { m: Real = 1, k: Real = 1e6, c: Real = 1e3, l: Real = 1, g: Real = 9.81 }
    particle pin: Point2 { mass: m }
    particle bob: Point2 { mass: m }
    constraint rod: norm(bob - pin) == l;
    potential k/2*dot(pin, pin);
    dissipation c/2*dot(velocity(pin), velocity(pin));
    gravity [0, -g];
}

system! {
    /// Beads on links whose matrices are made of entries: 24 velocities.
    #[derivatives]
    #[solver(rolled)]
    struct Beads { m: Real = 1, l: Real = 1, k: Real = 1e6, g: Real = 9.81 }
    particle bead[12]: Point2 { mass: m }
    constraint anchor: norm(bead[0]) == l;
    for i in 1..12 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
    for i in 2..12 { potential k/2*norm_squared(bead[i] - 2*bead[i-1] + bead[i-2]); }
    gravity [0, -g];
}

/// The first step makes room for them.
#[test]
fn steps_by_entries_do_not_allocate_once_there_is_room() {
    fn later(integrator: impl Integrator<Scalar = f64>) -> u64 {
        const { assert!(<Beads as Dynamics<f64>>::PROPERTIES.sparse) };
        let bead = std::array::from_fn(|i| Point2::new(1.0 + i as f64, 0.0));
        let start = State::new(0.0, BeadsCoordinates { bead }, BeadsVelocities::default());
        let mut run = Simulation::new(Beads::default(), start, integrator).unwrap();
        run.run_until(0.02).unwrap();
        let counted = allocation_counter::measure(|| {
            run.run_until(0.2).unwrap();
        });
        counted.count_total
    }
    assert_eq!(later(GeneralizedAlpha::new(0.01, 0.8)), 0);
    assert_eq!(later(Radau5::new(1e-6, 1e-6)), 0);
}

#[test]
fn events_do_not_allocate() {
    let bead = Particle::new(1.0).on(Parabola).under_gravity([0.0, 9.81]);
    let start = State::new(0.0, [10.0, -1.0], [0.0, 0.0]);
    let passages = std::cell::Cell::new(0);
    let mut run = Simulation::new(bead, start, DormandPrince::new(1e-6, 1e-6))
        .unwrap()
        .on(
            Crossing::Either,
            |state| state.q.x,
            |state| {
                passages.set(passages.get() + 1);
                state.v *= 0.9;
                Then::Continue
            },
        );
    let counted = allocation_counter::measure(|| {
        run.run_until(60.0).unwrap();
    });
    assert_eq!((counted.count_total, passages.get() > 3), (0, true));
}

#[test]
fn joints_do_not_allocate() {
    let (a, b) = (Rigid3::identity(), Rigid3::translation(2.0, 0.0, 0.0));
    let hinge = Hinge::between(&a, &b, &Point3::origin(), &Vector3::z_axis());
    let inertia = Inertia3::principal(1.0, [1.0, 2.0, 3.0]).unwrap();
    let v = SVector::repeat(0.5);
    let counted = allocation_counter::measure(|| {
        let w = [&inertia.inverse_at(&a), &inertia.inverse_at(&b)];
        hinge.rows(0.0, [&a, &b], [&v, &v], w);
        let solved = hinge.multipliers(0.0, [&a, &b], [&v, &v], w, [&v, &v]);
        assert!(solved.is_ok());
    });
    assert_eq!(counted.count_total, 0);
}

#[test]
fn the_counter_counts() {
    assert_eq!(
        allocation_counter::measure(|| drop(Box::new(1))).count_total,
        1
    );
}

fn allocations<I: Integrator<Scalar = f64> + Copy>(
    integrator: I,
    stabilization: Stabilization<f64>,
) -> u64 {
    let wire = TurningWire { omega: 1.0 };
    let bead = Particle::new(1.0).on(wire).under(|_, _, v| -0.1 * v);
    let mut on_wire = Simulation::new(bead, wire.start(), integrator)
        .unwrap()
        .with_stabilization(stabilization);
    let bead = Particle::new(1.0).on(Parabola).under_gravity([0.0, -9.81]);
    let start = State::new(0.0, [10.0, -1.0], [0.0, 0.0]);
    let mut on_parabola = Simulation::new(bead, start, integrator)
        .unwrap()
        .with_stabilization(stabilization);
    let counted = allocation_counter::measure(|| {
        on_wire.run_until(1.0).unwrap();
        on_parabola.run_until(1.0).unwrap();
        assert!(on_wire.step().is_ok() && on_parabola.drift() < 1.0);
        assert!(on_wire.interpolant().is_ok());
    });
    counted.count_total
}

/// The first step of a world finds the order of elimination; those after it find everything in place.
#[test]
fn steps_of_a_world_do_not_allocate() {
    let place = |i: i32| Rigid3::translation(f64::from(i), 0.0, 0.0);
    for solver in [Solver::Exact, SequentialImpulses::new(10).into()] {
        let mut world = World3::new()
            .with_gravity([0.0, 0.0, -9.81])
            .with_solver(solver);
        let mut last = world.add(Body3::fixed(place(0))).unwrap();
        for i in 1..10 {
            let inertia = Inertia3::principal(1.0, [0.1, 0.2, 0.3]).unwrap();
            let next = world.add(Body3::new(inertia, place(i))).unwrap();
            let pin = Point3::new(f64::from(i) - 0.5, 0.0, 0.0);
            let ball = Ball::between(&place(i - 1), &place(i), &pin);
            let connected = if i % 3 == 0 {
                world.connect(ball.with_cone(&Vector3::x_axis(), 0.01), [last, next])
            } else {
                world.connect(ball, [last, next])
            };
            connected.unwrap();
            last = next;
        }
        world.step(1e-3).unwrap();
        let counted = allocation_counter::measure(|| world.run_until(0.1, 1e-3).unwrap());
        assert_eq!(counted.count_total, 0, "{solver:?}");
    }
}

/// The first step makes room for the rows.
#[test]
fn steps_by_impulses_do_not_allocate() {
    let start = State::new(0.0, [0.5, 0.0, 1.0, 0.0], [0.0; 4]);
    let solver = SequentialImpulses::new(10).stepping(1e-3);
    let mut run = Simulation::new(TwoRods::default(), start, solver).unwrap();
    run.step().unwrap();
    let counted = allocation_counter::measure(|| {
        run.run_until(0.1).unwrap();
    });
    assert_eq!(counted.count_total, 0);
}

system! {
    /// Two rods that hang from one another.
    struct TwoRods { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }
    particle bead[2]: Point2 { mass: m }
    constraint first: norm(bead[0]) == l;
    constraint second: norm(bead[1] - bead[0]) == l;
    for i in 0..2 { force bead[i]: [0, -m*g]; }
}
