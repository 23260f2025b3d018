//! Systems against derivations by hand and against the laws of motion.

use constraint_runtime::error::Coordinate;
use constraint_runtime::prelude::*;

system! {
    /// Two beads joined by a spring on the wire y = x⁴ − 2x².
    pub struct SpringBeads { m1: Real = 1, m2: Real = 1, k: Real = 20, rest: Real = 1, g: Real = 9.81 }

    fn wire(s) = [s, s^4 - 2*s^2];

    coordinate x1, x2;
    particle a = wire(x1) { mass: m1 }
    particle b = wire(x2) { mass: m2 }

    potential m1*g*a.y + m2*g*b.y;
    potential k/2 * (norm(b - a) - rest)^2;
}

system! {
    /// A chain of eight rigid links hanging from the origin.
    pub struct Chain { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }

    particle bead[8]: Point2 { mass: m }

    constraint anchor: norm(bead[0]) == l;
    for i in 1..8 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
    for i in 0..8 { force bead[i]: [0, -m*g]; }
}

#[test]
fn a_chain_runs() -> Result<(), Error> {
    let chain = Chain::default();
    let bead = std::array::from_fn(|i| Point2::new(0.5 * (i + 1) as f64, 0.0));
    let start = State::new(0.0, ChainCoordinates { bead }, ChainVelocities::default());
    let mut run = Simulation::new(chain, start, Rk4::new(1e-3))?;
    run.run_until(1.0)?;
    assert!(run.drift() < 1e-12, "{:e}", run.drift());
    Ok(())
}

system! {
    /// A bead on a curve that stands still at s = 0.
    pub struct Cusp { m: Real = 1, g: Real = 9.81 }
    coordinate s;
    particle bead = [s^2, s^3] { mass: m }
    potential m*g*bead.y;
}

#[test]
fn where_a_place_does_not_move_the_mass_matrix_is_singular() {
    let at = |s: f64| Cusp::default().acceleration(0.0, &[s].into(), &[0.0].into());
    // s̈ = −g r′y / |r′|²
    let expected = -9.81 * 3.0 / (4.0 + 9.0);
    assert!((at(1.0).unwrap()[0] - expected).abs() < 1e-12);
    let message = at(0.0).unwrap_err().to_string();
    assert_eq!(message, "the mass matrix is singular at `s`: pivot 0");
}

system! {
    /// Two drones with their thrusts in a wind, and a sledge that is pushed and braked.
    pub struct Swarm { m: Real = 2, c: Real = 0.5 }

    particle drone[2]: Point3 { mass: m }
    particle sledge: Point2 { mass: m }

    input thrust[2]: Vector3, push: Vector2, brake, wind: Vector3;

    for i in 0..2 { force drone[i]: thrust[i] + c*(wind - velocity(drone[i])); }
    force sledge: push - brake*velocity(sledge);
}

#[test]
fn inputs_are_numbers_vectors_and_lists_of_vectors() -> Result<(), Error> {
    let inputs = SwarmInputs {
        thrust: [[1.0, 2.0, 3.0].into(), [-1.0, 0.5, 20.0].into()],
        push: [4.0, -6.0].into(),
        brake: 3.0,
        wind: [8.0, 0.0, -2.0].into(),
    };
    let velocities = SwarmVelocities {
        drone: [[2.0, 0.0, 0.0].into(), [0.0, 4.0, -2.0].into()],
        sledge: [1.0, -1.0].into(),
    };
    let swarm = Swarm::default();
    let (q, v) = (SwarmCoordinates::default().into(), velocities.into());
    let a: SwarmVelocities = swarm.with_inputs(inputs).acceleration(0.0, &q, &v)?.into();
    // (thrust + ½ (wind − v)) / 2, and (push − 3 v) / 2
    assert_eq!(a.drone[0], Vector3::new(2.0, 1.0, 1.0));
    assert_eq!(a.drone[1], Vector3::new(1.5, -0.75, 10.0));
    assert_eq!(a.sledge, Vector2::new(0.5, -1.5));
    // In the order of declaration, and back.
    let flat: SVector<f64, 12> = inputs.into();
    let order = [
        1.0, 2.0, 3.0, -1.0, 0.5, 20.0, 4.0, -6.0, 3.0, 8.0, 0.0, -2.0,
    ];
    assert_eq!(flat, SVector::from(order));
    assert_eq!(SwarmInputs::from(flat), inputs);
    Ok(())
}

system! {
    /// A hundred beads in a row, each pulled by a vector of its own; solved in loops.
    #[solver(rolled)]
    pub struct Row { m: Real = 2, l: Real = 1 }

    input pull[100]: Vector2;
    particle bead[100]: Point2 { mass: m }
    for i in 1..100 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
    for i in 0..100 { force bead[i]: pull[i]; }
}

#[test]
fn loops_read_lists_of_vectors() -> Result<(), Error> {
    // A pull across the row moves each bead alone; one along it moves all of them alike.
    let row = Row::default();
    let bead = std::array::from_fn(|i| Point2::new(i as f64, 0.0));
    let mut pull = std::array::from_fn(|i| Vector2::new(0.0, i as f64));
    pull[40].x = 300.0;
    let q = RowCoordinates { bead }.into();
    let a: RowVelocities = row
        .with_inputs(RowInputs { pull })
        .acceleration(0.0, &q, &SVector::zeros())?
        .into();
    for (i, a) in a.bead.iter().enumerate() {
        let expected = Vector2::new(300.0 / 200.0, i as f64 / 2.0);
        assert!((a - expected).norm() < 1e-12, "{i}: {a}");
    }
    Ok(())
}

system! {
    /// The sign of its inertia is that of a parameter.
    pub struct Signed { m: Real = 1 }
    coordinate x;
    kinetic m/2*(1 + x^2)*velocity(x)^2;
}

system! {
    /// Positive definite for k² < m² (1 + x²).
    pub struct Coupled { m: Real = 1, k: Real = 0 }
    coordinate x, y;
    kinetic m/2*(1 + x^2)*velocity(x)^2 + k*velocity(x)*velocity(y) + m/2*velocity(y)^2;
}

#[test]
fn a_kinetic_energy_that_parameters_make_negative_is_refused_at_the_start() {
    let start = || State::new(0.0, [0.5], [0.0]);
    let signed = |m| Simulation::new(Signed { m }, start(), Rk4::new(0.01)).err();
    assert_eq!(signed(1.0), None);
    let refused = signed(-2.0).unwrap().to_string();
    assert!(
        refused.contains("`x`") && refused.contains("-2.5"),
        "{refused}"
    );

    let start = || State::new(0.0, [0.5, 0.0], [0.0, 0.0]);
    let coupled = |k| Simulation::new(Coupled { m: 1.0, k }, start(), Rk4::new(0.01)).err();
    assert_eq!(coupled(1.1), None);
    // 1 − k²/(1 + x²)
    let refused = coupled(2.0).unwrap();
    assert!(
        matches!(refused, Error::SingularMass { coordinate: Coordinate::Named("y"), pivot, .. } if (pivot + 2.2).abs() < 1e-14),
        "{refused}"
    );
    assert!(coupled(f64::NAN).is_some());
}

system! {
    /// A bead held on a cycloid by two constraints that share its parameter, which has no mass.
    pub struct OnCycloid { m: Real = 2, r: Real = 0.5, g: Real = 9.81 }

    particle bead: Point2 { mass: m }
    coordinate s;
    constraint along: bead.x == r*(s - sin(s));
    constraint across: bead.y == r*(1 + cos(s));
    force bead: [0, -m*g];
}

#[test]
fn constraints_carry_a_coordinate_without_mass() -> Result<(), Error> {
    let (m, r, g) = (2.0, 0.5, 9.81);
    let cycloid = OnCycloid { m, r, g };
    for (s, rate) in [
        (0.3_f64, 1.1),
        (1.9, -0.4),
        (std::f64::consts::PI, 2.0),
        (4.4, 0.0),
        (6.0, -3.0),
    ] {
        let (sine, cosine) = s.sin_cos();
        let (x1, y1, x2, y2) = (r * (1.0 - cosine), -r * sine, r * sine, -r * cosine);
        let q = [r * (s - sine), r * (1.0 + cosine), s].into();
        let v = [x1 * rate, y1 * rate, rate].into();
        // Lagrange: (r′·r′) s̈ = −g y′ − r′·r″ ṡ².
        let expected = (-g * y1 - (x1 * x2 + y1 * y2) * rate * rate) / (x1 * x1 + y1 * y1);
        let found = cycloid.acceleration(0.0, &q, &v)?;
        let size = 1.0 + expected.abs();
        assert!(
            (found[2] - expected).abs() < 1e-12 * size,
            "{found} {expected} at {s}"
        );
        let (ax, ay) = (
            x1 * expected + x2 * rate * rate,
            y1 * expected + y2 * rate * rate,
        );
        assert!((found[0] - ax).abs() < 1e-11 && (found[1] - ay).abs() < 1e-11);
        // Both push the bead alone: λ is m a less the weight, and nothing is left for s.
        let lambda = cycloid.multipliers(0.0, &q, &v)?;
        assert!((lambda[0] - m * ax).abs() < 1e-10, "{lambda}");
        assert!((lambda[1] - m * (ay + g)).abs() < 1e-10, "{lambda}");
        assert!(cycloid.constraint_force(0.0, &q, &v)?[2].abs() < 1e-11);
        // What is asked of the bead is m a + m g; s resists nothing, wherever it is told to go.
        let missing = cycloid.inverse_dynamics(0.0, &q, &v, &[0.4, -0.7, 5.0].into())?;
        let expected = SVector::from([m * 0.4, m * (g - 0.7), 0.0]);
        assert!((missing - expected).norm() < 1e-13, "{missing}");
    }
    // At the cusp s moves nothing.
    let refused = cycloid.acceleration(0.0, &[0.0, 1.0, 0.0].into(), &SVector::zeros());
    assert!(
        matches!(
            refused,
            Err(Error::SingularMass {
                coordinate: Coordinate::Named("s"),
                ..
            })
        ),
        "{refused:?}"
    );
    Ok(())
}

#[test]
fn a_tautochrone_swings_in_its_time_by_a_massless_parameter() -> Result<(), Error> {
    // Period 4π √(r/g) from anywhere; the lowest point is s = π.
    let cycloid = OnCycloid {
        m: 2.0,
        r: 0.5,
        g: 9.81,
    };
    let s = 1.0_f64;
    let bead = [0.5 * (s - s.sin()), 0.5 * (1.0 + s.cos())].into();
    let start = State::new(
        0.0,
        OnCycloidCoordinates { bead, s },
        OnCycloidVelocities::default(),
    );
    let period = 4.0 * std::f64::consts::PI * (0.5_f64 / 9.81).sqrt();
    let mut run = Simulation::new(cycloid, start, Rk4::new(period / 2000.0))?;
    let before = run.energy();
    run.run_until(period)?;
    assert!(
        (run.coordinates().s - s).abs() < 1e-8,
        "{}",
        run.coordinates().s
    );
    assert!((run.energy() - before).abs() < 1e-8 && run.drift() < 1e-12);
    Ok(())
}
