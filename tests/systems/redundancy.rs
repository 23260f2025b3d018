//! `#[redundant(least_squares)]`: constraints that follow from each other are solved, and fairly; without
//! it they are refused by name, at expansion or at run time.

use approx::assert_relative_eq;
use constraint_runtime::prelude::*;
use constraint_symbolic::compile::analyze_system;
use simba::simd::{SimdValue, WideF64x4 as Lanes};

system! {
    /// A pendulum whose rod is there twice, written in two ways.
    #[redundant(least_squares)]
    pub struct DoubledRod { m: Real = 2, l: Real = 1, g: Real = 10 }
    particle bob: Point2 { mass: m }
    constraint rod: norm(bob) == l;
    constraint again: 3*norm(bob) == 3*l;
    force bob: [0, -m*g];
}

system! {
    /// The same pendulum with its rod once.
    pub struct SingleRod { m: Real = 2, l: Real = 1, g: Real = 10 }
    particle bob: Point2 { mass: m }
    constraint rod: norm(bob) == l;
    force bob: [0, -m*g];
}

system! {
    /// Four beads at the corners of a rectangle 3 × 4, held by its sides and both diagonals.
    #[redundant(least_squares)]
    pub struct Braced { m: Real = 1, g: Real = 10 }
    particle p[4]: Point2 { mass: m }
    constraint bottom: norm(p[1] - p[0]) == 4;
    constraint right: norm(p[2] - p[1]) == 3;
    constraint top: norm(p[3] - p[2]) == 4;
    constraint left: norm(p[0] - p[3]) == 3;
    constraint rising: norm(p[2] - p[0]) == 5;
    constraint falling: norm(p[3] - p[1]) == 5;
    for i in 0..4 { force p[i]: [0, -m*g]; }
}

system! {
    /// A bar that hangs from three parallel cranks of length 1: the third says nothing new, but only where
    /// all three hold.
    #[redundant(least_squares)]
    pub struct ThreeCranks { m: Real = 1, j: Real = 0.3, g: Real = 10 }
    coordinate x, y, phi;
    kinetic m/2*(velocity(x)^2 + velocity(y)^2) + j/2*velocity(phi)^2;
    potential m*g*y;
    fn pin(s) = [x + s*cos(phi), y + s*sin(phi)];
    for i in 0..3 { constraint crank[i]: norm(pin(i) - [i, 0]) == 1; }
}

system! {
    /// The same without leave to be redundant.
    pub struct ThreeCranksRefused { m: Real = 1, j: Real = 0.3, g: Real = 10 }
    coordinate x, y, phi;
    kinetic m/2*(velocity(x)^2 + velocity(y)^2) + j/2*velocity(phi)^2;
    potential m*g*y;
    fn pin(s) = [x + s*cos(phi), y + s*sin(phi)];
    for i in 0..3 { constraint crank[i]: norm(pin(i) - [i, 0]) == 1; }
}

#[test]
fn a_doubled_rod_moves_as_one_and_shares_the_force() -> Result<(), Error> {
    let (doubled, single) = (DoubledRod::default(), SingleRod::default());
    let (q, v) = ([0.6, -0.8].into(), [1.6, 1.2].into());
    let expected = single.acceleration(0.0, &q, &v)?;
    assert_relative_eq!(
        doubled.acceleration(0.0, &q, &v)?,
        expected,
        epsilon = 1e-12
    );
    let expected = single.constraint_force(0.0, &q, &v)?;
    assert_relative_eq!(
        doubled.constraint_force(0.0, &q, &v)?,
        expected,
        epsilon = 1e-12
    );
    // Tension: m (v²/l + g cos θ) = 2 (4 + 8) along −r, half of it in each rod; the second counts thrice.
    let lambda = doubled.multipliers(0.0, &q, &v)?;
    assert_relative_eq!(lambda[0], -12.0, epsilon = 1e-12);
    assert_relative_eq!(3.0 * lambda[1], -12.0, epsilon = 1e-12);
    let (acceleration, together) = doubled.acceleration_and_multipliers(0.0, &q, &v)?;
    assert_relative_eq!(
        acceleration,
        single.acceleration(0.0, &q, &v)?,
        epsilon = 1e-12
    );
    assert_relative_eq!(together, lambda, epsilon = 1e-12);
    Ok(())
}

#[test]
fn a_correction_of_doubled_rows_is_that_of_one() -> Result<(), Error> {
    let q = [0.6, -0.8].into();
    let single = SingleRod::default().correction(0.0, &q, &[0.5].into())?;
    let doubled = DoubledRod::default().correction(0.0, &q, &[0.5, 1.5].into())?;
    assert_relative_eq!(single, doubled, epsilon = 1e-12);
    Ok(())
}

/// A free rigid body: all accelerations are g and the centripetal ones about the centre of mass.
#[test]
fn a_rectangle_with_both_diagonals_falls_and_spins() -> Result<(), Error> {
    let corners = [[-2.0, -1.5], [2.0, -1.5], [2.0, 1.5], [-2.0, 1.5]];
    let omega = 0.7;
    let q = SVector::<f64, 8>::from_fn(|i, _| corners[i / 2][i % 2]);
    let v = SVector::from_fn(|i, _| {
        let [x, y] = corners[i / 2];
        [-omega * y, omega * x][i % 2]
    });
    let braced = Braced::default();
    let expected = SVector::from_fn(|i, _| {
        -omega * omega * corners[i / 2][i % 2] - if i % 2 == 1 { 10.0 } else { 0.0 }
    });
    assert_relative_eq!(braced.acceleration(0.0, &q, &v)?, expected, epsilon = 1e-12);
    // Equal corners, equal shares: opposite sides carry the same.
    let lambda = braced.multipliers(0.0, &q, &v)?;
    for (one, other) in [(0, 2), (1, 3), (4, 5)] {
        assert_relative_eq!(lambda[one], lambda[other], epsilon = 1e-12);
    }
    let mut run = Simulation::new(braced, State::new(0.0, q, v), Rk4::new(1e-3))?;
    run.run_until(2.0)?;
    assert!(run.drift() < 1e-10, "{}", run.drift());
    // The centre of mass starts at rest: 20 fallen.
    let fallen: f64 = run.coordinates().p.iter().map(|p| p.y).sum::<f64>() / 4.0;
    assert_relative_eq!(fallen, -20.0, epsilon = 1e-9);
    Ok(())
}

/// On three parallel cranks the bar does not turn: it is a pendulum of length 1, θ̈ = −g sin θ.
#[test]
fn three_parallel_cranks_are_a_pendulum() -> Result<(), Error> {
    let (theta, rate): (f64, f64) = (0.6, 1.1);
    let q = [theta.sin(), -theta.cos(), 0.0].into();
    let v = [rate * theta.cos(), rate * theta.sin(), 0.0].into();
    let found = ThreeCranks::default().acceleration(0.0, &q, &v)?;
    let second = -10.0 * theta.sin();
    let expected = SVector::from([
        second * theta.cos() - rate * rate * theta.sin(),
        second * theta.sin() + rate * rate * theta.cos(),
        0.0,
    ]);
    assert_relative_eq!(found, expected, epsilon = 1e-9);
    let mut run = Simulation::new(
        ThreeCranks::default(),
        State::new(0.0, q, v),
        Rk4::new(1e-3),
    )?;
    let energy = run.energy();
    run.run_until(5.0)?;
    assert!(run.drift() < 1e-9, "{}", run.drift());
    assert!(
        run.coordinates().phi.abs() < 1e-6,
        "{}",
        run.coordinates().phi
    );
    assert_relative_eq!(run.energy(), energy, epsilon = 1e-6);
    Ok(())
}

#[test]
fn without_leave_a_singular_position_is_an_error_that_names_the_row() {
    let (theta, rate): (f64, f64) = (0.6, 1.1);
    let q = [theta.sin(), -theta.cos(), 0.0];
    let v = [rate * theta.cos(), rate * theta.sin(), 0.0];
    let start = State::new(0.0, q, v);
    let error = match Simulation::new(ThreeCranksRefused::default(), start, Rk4::new(1e-3)) {
        Err(error) => error,
        Ok(mut run) => run.step().expect_err("the rows depend on each other here"),
    };
    assert!(matches!(error, Error::Singular { .. }), "{error}");
    assert!(error.to_string().contains("`crank["), "{error}");
}

#[test]
fn dependent_rows_are_named_at_expansion() {
    let source = "struct Braced; particle p[4]: Point2 { mass: 1 }
        for i in 0..3 { constraint side[i]: norm(p[i + 1] - p[i]) == 1; }
        constraint last: norm(p[3] - p[0]) == 1;
        constraint rising: norm(p[2] - p[0]) == 1;
        constraint falling: norm(p[3] - p[1]) == 1;";
    let diagnostics = analyze_system(source.parse().unwrap()).unwrap_err();
    let texts: Vec<String> = diagnostics.iter().map(|d| d.message.clone()).collect();
    assert_eq!(texts, ["`falling` follows from `side[0]` and 4 others"]);
    let accepted = format!("#[redundant(least_squares)] {source}");
    assert!(analyze_system(accepted.parse().unwrap()).is_ok());
}

/// Tension m (v²/l + g cos θ) = 2 (v² + 8): v̇ = −g ŷ − (tension/m) r.
#[test]
fn single_precision_and_lanes_are_solved_too() -> Result<(), Error> {
    let rod = DoubledRod::<f32> {
        m: 2.0,
        l: 1.0,
        g: 10.0,
    };
    let found = rod.acceleration(0.0, &[0.6, -0.8].into(), &[1.6, 1.2].into())?;
    assert_relative_eq!(found, Vector2::new(-7.2, -0.4), epsilon = 1e-5);

    let lanes = |values: [f64; 4]| Lanes::from(values);
    let same = |value| lanes([value; 4]);
    let rod = DoubledRod::<Lanes> {
        m: same(2.0),
        l: same(1.0),
        g: same(10.0),
    };
    let q = [same(0.6), same(-0.8)].into();
    let v = [lanes([0.0, 0.8, 1.6, 3.2]), lanes([0.0, 0.6, 1.2, 2.4])].into();
    let found = rod.acceleration(same(0.0), &q, &v)?;
    for (lane, squared) in [0.0, 1.0, 4.0, 16.0].into_iter().enumerate() {
        let pull = squared + 8.0;
        let expected = Vector2::new(-0.6 * pull, 0.8 * pull - 10.0);
        let found = Vector2::new(found[0].extract(lane), found[1].extract(lane));
        assert_relative_eq!(found, expected, epsilon = 1e-12);
    }
    Ok(())
}
