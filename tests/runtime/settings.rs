//! Settings that cannot be meant are refused before anything moves, each by its name; messages say what helps.

use constraint_runtime::make_consistent;
use constraint_runtime::prelude::*;
use constraint_runtime::tracks;

constraint! { struct Circle { r: Real } |x, y| x^2 + y^2 == r^2 }

system! {
    struct Lever { m: Real = 1, inertia: Real = 0.3, arm: Vector2 = [1, 0], g: Real = 9.81 }
    body lever: Rigid2 { mass: m, inertia: inertia }
    particle bead[2]: Point2 { mass: m }
    constraint pin: at(lever, -arm) == [0, 0];
    for i in 0..2 { potential m*g*bead[i].y; }
}

const BAD: [f64; 4] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0];

fn pendulum(
    stabilization: Stabilization<f64>,
) -> Simulation<impl System<f64, Q = SVector<f64, 2>, V = SVector<f64, 2>>, Rk4<f64>> {
    let bob = Particle::new(1.0).on(Circle { r: 1.0 });
    let start = State::new(0.0, [0.6, 0.8], [0.8, -0.6]);
    Simulation::new(bob, start, Rk4::new(0.1))
        .unwrap()
        .with_stabilization(stabilization)
}

#[test]
fn tolerances_of_projections() {
    for tolerance in BAD {
        let mut run = pendulum(Stabilization::Projection { tolerance });
        let start = *run.state();
        for error in [run.step().unwrap_err(), run.run_until(1.0).unwrap_err()] {
            assert!(matches!(error, Error::InvalidTolerance { .. }), "{error}");
        }
        assert_eq!(*run.state(), start);
        let mut world = World2::<f64>::new();
        world.add(Body2::fixed(Rigid2::identity())).unwrap();
        let mut world = world.with_stabilization(Stabilization::Projection { tolerance });
        assert!(matches!(
            world.step(0.1),
            Err(Error::InvalidTolerance { .. })
        ));
    }
    pendulum(Stabilization::Projection { tolerance: 0.0 })
        .step()
        .unwrap();
}

#[test]
fn feedback() {
    for bad in BAD {
        for (alpha, beta) in [(bad, 1.0), (1.0, bad)] {
            let stabilization = Stabilization::Baumgarte { alpha, beta };
            let error = pendulum(stabilization).run_until(1.0).unwrap_err();
            assert!(matches!(error, Error::InvalidFeedback { .. }), "{error}");
            let mut world = World2::<f64>::new().with_stabilization(stabilization);
            assert!(matches!(
                world.step(0.1),
                Err(Error::InvalidFeedback { .. })
            ));
        }
    }
    pendulum(Stabilization::Baumgarte {
        alpha: 0.0,
        beta: 1.0,
    })
    .step()
    .unwrap();
    // Impulses are fed back β²/(2 α) C.
    let world = World2::<f64>::new();
    let stabilization = Stabilization::Baumgarte {
        alpha: 0.0,
        beta: 1.0,
    };
    let refused = world.with_stabilization(stabilization).step(0.1);
    assert!(matches!(refused, Err(Error::InvalidFeedback { .. })));
    let nothing = Stabilization::Baumgarte {
        alpha: 0.0,
        beta: 0.0,
    };
    World2::<f64>::new()
        .with_stabilization(nothing)
        .step(0.1)
        .unwrap();
}

#[test]
fn dampings() {
    for damping in BAD {
        let bead = Particle::new(1.0)
            .along(tracks::Circle { r: 1.0 })
            .damped(damping);
        let start = State::new(0.0, [0.1], [0.0]);
        let error = Simulation::new(bead, start, Rk4::new(0.1)).unwrap_err();
        assert!(matches!(error, Error::InvalidDamping { .. }), "{error}");
        assert!(error.to_string().starts_with("damping "), "{error}");
    }
}

#[test]
fn iterations() {
    let none = SequentialImpulses::new(0);
    let bob = Particle::new(1.0).on(Circle { r: 1.0 });
    let start = State::new(0.0, [0.6, 0.8], [0.0, 0.0]);
    let refused = Simulation::new(bob, start, none.stepping(0.1)).unwrap_err();
    assert_eq!(refused, Error::NoIterations);
    let mut world = World2::<f64>::new().with_solver(none);
    assert_eq!(world.step(0.1), Err(Error::NoIterations));
}

#[test]
fn parameters_of_systems_are_told_by_name() {
    let refused = |lever: Lever| {
        let start = State::new(0.0, LeverCoordinates::default(), LeverVelocities::default());
        let error = Simulation::new(lever, start, Rk4::new(0.1)).unwrap_err();
        assert_eq!(
            make_consistent(&lever, start).unwrap_err().to_string(),
            error.to_string()
        );
        error.to_string()
    };
    for bad in [f64::NAN, f64::INFINITY] {
        let told = |name: &str| format!("parameter `{name}` is {bad}, not a finite number");
        assert_eq!(
            refused(Lever {
                g: bad,
                ..Lever::default()
            }),
            told("g")
        );
        assert_eq!(
            refused(Lever {
                m: bad,
                ..Lever::default()
            }),
            told("m")
        );
        let arm = Vector2::new(1.0, bad);
        assert_eq!(
            refused(Lever {
                arm,
                ..Lever::default()
            }),
            told("arm")
        );
    }
    let negative = Lever {
        m: -1.0,
        ..Lever::default()
    };
    assert_eq!(refused(negative), "mass -1 is not positive and finite");
}

#[test]
fn parameters_of_constraints_are_suspected() {
    let bob = Particle::new(1.0).on(Circle { r: f64::NAN });
    let start = State::new(0.0, [0.6, 0.8], [0.0, 0.0]);
    let error = Simulation::new(bob, start, Rk4::new(0.1))
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("constraint row 0 is NaN at the start: a parameter is"),
        "{error}"
    );
}

#[test]
fn numbers_of_states_are_told_by_name() {
    let refused = |q: [f64; 8], v: [f64; 7]| {
        let start = State::new(0.0, q, v);
        Simulation::new(Lever::default(), start, Rk4::new(0.1))
            .unwrap_err()
            .to_string()
    };
    let (q, v) = ([1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0; 7]);
    let with = |mut v: [f64; 7], i: usize| {
        v[i] = f64::INFINITY;
        v
    };
    let told = |error: String, start: &str| {
        assert!(error.starts_with(start), "{error}");
        assert!(error.contains("take shorter steps"), "{error}");
    };
    told(
        refused(q, with(v, 2)),
        "velocity `lever.angular` is inf at t = 0; ",
    );
    told(
        refused(q, with(v, 4)),
        "velocity `bead[0].y` is inf at t = 0; ",
    );
    let mut far = q;
    far[7] = f64::NAN;
    told(refused(far, v), "coordinate `bead[1].y` is NaN at t = 0; ");
    far[1] = f64::NAN;
    told(refused(far, v), "coordinate `lever.y` is NaN at t = 0; ");
}

#[test]
fn so_are_those_of_a_particle() {
    let bob = Particle::new(1.0).on(constraint!(|p: Point2, height| norm_squared(p) == height));
    let start = State::new(0.0, [0.6, f64::NAN, 1.0], [0.0; 3]);
    let error = Simulation::new(bob, start, Rk4::new(0.1)).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("coordinate `p.y` is NaN at t = 0; "),
        "{error}"
    );
    let bob = Particle::new(1.0).on(Circle { r: 1.0 });
    let bob = bob.under(|_, _, _| Vector2::new(0.0, f64::INFINITY));
    let start = State::new(0.0, [0.6, 0.8], [0.0; 2]);
    let error = Simulation::new(bob, start, Rk4::new(0.1))
        .unwrap()
        .step()
        .unwrap_err();
    assert!(
        error.to_string().starts_with("force `y` is inf at t = 0; "),
        "{error}"
    );
}

#[test]
fn a_relative_tolerance_alone_starts_from_rest() {
    let bob = Particle::new(1.0_f64)
        .on(Circle { r: 1.0 })
        .under_gravity([0.0, -9.81]);
    let start = State::new(0.0, [0.6, 0.8], [0.0, 0.0]);
    let mut run = Simulation::new(bob, start, DormandPrince::new(1e-9, 0.0)).unwrap();
    let (energy, mut steps) = (run.energy(), 0);
    run.run_until_with(0.5, |_| steps += 1).unwrap();
    assert!(
        (run.energy() - energy).abs() < 1e-7 && steps < 500,
        "{steps}"
    );
}

#[test]
fn a_run_that_ends_on_a_singular_row_says_what_accepts_it() {
    system! {
        /// The bead slides into the crossing of the lines x² = y².
        struct Crossing { m: Real = 1 }
        particle p: Point2 { mass: m }
        constraint lines: (p.x^2 - p.y^2)/2 == 0;
    }
    let start = State::new(0.0, [-1.0, -1.0], [1.0, 1.0]);
    let mut run =
        Simulation::new(Crossing::default(), start, SemiImplicitEuler::new(0.25)).unwrap();
    let error = run.run_until(2.0).unwrap_err().to_string();
    assert!(
        error.starts_with("constraint `lines` is singular at t = 0.75: pivot 0"),
        "{error}"
    );
    assert!(error.contains("#[redundant(least_squares)]"), "{error}");
}
