//! Systems against derivations by hand and against the laws of motion.

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
    #[solver(rolled)]
    pub struct RolledChain { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }

    particle bead[8]: Point2 { mass: m }

    constraint anchor: norm(bead[0]) == l;
    for i in 1..8 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
    for i in 0..8 { force bead[i]: [0, -m*g]; }
}

#[test]
fn rolled_and_unrolled_agree() -> Result<(), Error> {
    let q: SVector<f64, 16> =
        SVector::from_fn(|i, _| 0.3 * (i as f64 + 1.0) + (1.7 * i as f64).sin());
    let v: SVector<f64, 16> = SVector::from_fn(|i, _| (0.9 * i as f64).cos());
    let (a, b) = (Chain::default(), RolledChain::default());
    let close = |x: &[f64], y: &[f64]| {
        assert_eq!(x.len(), y.len());
        for (x, y) in x.iter().zip(y) {
            assert!((x - y).abs() <= 1e-9 * (1.0 + x.abs()), "{x} {y}");
        }
    };
    close(
        a.acceleration(0.0, &q, &v)?.as_slice(),
        b.acceleration(0.0, &q, &v)?.as_slice(),
    );
    close(
        a.multipliers(0.0, &q, &v)?.as_slice(),
        b.multipliers(0.0, &q, &v)?.as_slice(),
    );
    close(
        a.constraint_force(0.0, &q, &v)?.as_slice(),
        b.constraint_force(0.0, &q, &v)?.as_slice(),
    );
    close(
        a.constraint(0.0, &q).as_slice(),
        b.constraint(0.0, &q).as_slice(),
    );
    close(
        a.constraint_rate(0.0, &q, &v).as_slice(),
        b.constraint_rate(0.0, &q, &v).as_slice(),
    );
    close(
        a.bias(0.0, &q, &v).as_slice(),
        b.bias(0.0, &q, &v).as_slice(),
    );
    close(
        a.jacobian(0.0, &q).as_slice(),
        b.jacobian(0.0, &q).as_slice(),
    );
    close(
        a.jacobian_row_norms(0.0, &q).as_slice(),
        b.jacobian_row_norms(0.0, &q).as_slice(),
    );
    let c = SVector::from_fn(|i, _| i as f64 - 2.5);
    close(
        a.correction(0.0, &q, &c)?.as_slice(),
        b.correction(0.0, &q, &c)?.as_slice(),
    );
    close(
        &[a.kinetic_energy(0.0, &q, &v)],
        &[b.kinetic_energy(0.0, &q, &v)],
    );
    close(
        &[a.potential_energy(0.0, &q)],
        &[b.potential_energy(0.0, &q)],
    );
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
    assert!(message.contains("pivot 0"), "{message}");
    assert_eq!(
        System::<f64, 1, 1, 0>::row_name(&Cusp::<f64>::default(), 0),
        Some("s")
    );
}
