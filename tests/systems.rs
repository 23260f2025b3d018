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
