//! Systems against equations of motion that the textbooks give, or that follow in a line or two.

use approx::assert_relative_eq;
use constraint_runtime::prelude::*;

system! {
    /// Two rods, one hanging from the other, in their angles from the vertical.
    pub struct DoublePendulum { m1: Real = 2, m2: Real = 1, l1: Real = 1, l2: Real = 0.7, g: Real = 9.81 }
    coordinate a, b;
    particle upper = l1*[sin(a), -cos(a)] { mass: m1 }
    particle lower = upper + l2*[sin(b), -cos(b)] { mass: m2 }
    potential g*(m1*upper.y + m2*lower.y);
}

system! {
    /// The same with its rods as constraints.
    pub struct Rods { m1: Real = 2, m2: Real = 1, l1: Real = 1, l2: Real = 0.7, g: Real = 9.81 }
    particle upper: Point2 { mass: m1 }
    particle lower: Point2 { mass: m2 }
    constraint first: norm(upper) == l1;
    constraint second: norm(lower - upper) == l2;
    potential g*(m1*upper.y + m2*lower.y);
}

system! {
    /// A pendulum in space: angle from the vertical and around it, T written by hand.
    pub struct Spherical { m: Real = 1.5, l: Real = 0.8, g: Real = 9.81 }
    coordinate theta, phi;
    kinetic m*l^2/2 * (velocity(theta)^2 + sin(theta)^2 * velocity(phi)^2);
    potential -m*g*l*cos(theta);
}

system! {
    /// A bead on a vertical hoop that turns; its place depends on time.
    pub struct Hoop { m: Real = 1, r: Real = 0.5, omega: Real = 6, g: Real = 9.81 }
    coordinate theta;
    particle bead = r*[sin(theta)*cos(omega*t), sin(theta)*sin(omega*t), -cos(theta)] { mass: m }
    potential m*g*bead.z;
}

system! {
    /// A cart with a pole, pushed.
    pub struct CartPole { cart_mass: Real = 1, m: Real = 0.2, l: Real = 0.6, g: Real = 9.81 }
    coordinate x, theta;
    input push;
    particle cart = [x, 0] { mass: cart_mass }
    particle pole = [x + l*sin(theta), l*cos(theta)] { mass: m }
    potential m*g*pole.y;
    force x: push;
}

system! {
    /// A disk that rolls down a slope without slipping.
    pub struct Disk { m: Real = 3, r: Real = 0.4, j: Real = 0.24, slope: Real = 0.3, g: Real = 9.81 }
    coordinate x, phi;
    kinetic m/2*velocity(x)^2 + j/2*velocity(phi)^2;
    potential -m*g*sin(slope)*x;
    constraint rolling: velocity(x) == r*velocity(phi);
}

/// [Goldstein, Poole & Safko 2002, chapter 1, exercise 22], solved for the accelerations:
/// (m₁+m₂) l₁ α″ + m₂ l₂ β″ cos(α−β) + m₂ l₂ β′² sin(α−β) + (m₁+m₂) g sin α = 0,
/// l₂ β″ + l₁ α″ cos(α−β) − l₁ α′² sin(α−β) + g sin β = 0.
#[test]
fn a_double_pendulum() -> Result<(), Error> {
    let (m1, m2, l1, l2, g) = (2.0, 1.0, 1.0, 0.7, 9.81);
    for (a, b, u, w) in [
        (0.3_f64, -0.8_f64, 1.2, -0.4),
        (2.0, 2.5, -3.0, 2.0),
        (0.0, 0.0, 0.0, 0.0),
    ] {
        let (c, s) = ((a - b).cos(), (a - b).sin());
        let right = Vector2::new(
            -m2 * l2 * w * w * s - (m1 + m2) * g * a.sin(),
            l1 * u * u * s - g * b.sin(),
        );
        let matrix =
            constraint_runtime::nalgebra::Matrix2::new((m1 + m2) * l1, m2 * l2 * c, l1 * c, l2);
        let expected = matrix.lu().solve(&right).unwrap();
        let pendulum = DoublePendulum::default();
        let found = pendulum.acceleration(0.0, &[a, b].into(), &[u, w].into())?;
        assert_relative_eq!(found, expected, epsilon = 1e-12, max_relative = 1e-12);
        // The equations are divided by l₁ and by m₂ l₂.
        let units = Vector2::new(l1, m2 * l2);
        let (asked, at) = (Vector2::new(0.9, -1.7), ([a, b].into(), [u, w].into()));
        let missing = (matrix * asked - right).component_mul(&units);
        let found = pendulum.inverse_dynamics(0.0, &at.0, &at.1, &asked)?;
        assert_relative_eq!(found, missing, epsilon = 1e-12, max_relative = 1e-12);
        let found = pendulum.applied(0.0, &at.0, &at.1)?;
        let applied = right.component_mul(&units);
        assert_relative_eq!(found, applied, epsilon = 1e-12, max_relative = 1e-12);
        let mass = constraint_runtime::nalgebra::Matrix2::from_diagonal(&units) * matrix;
        let found = pendulum.mass_matrix(0.0, &at.0);
        assert_relative_eq!(found.as_slice(), mass.as_slice(), epsilon = 1e-12);
        let upper = [l1 * a.sin(), -l1 * a.cos()];
        let speed = [l1 * u * a.cos(), l1 * u * a.sin()];
        let q = [
            upper[0],
            upper[1],
            upper[0] + l2 * b.sin(),
            upper[1] - l2 * b.cos(),
        ];
        let v = [
            speed[0],
            speed[1],
            speed[0] + l2 * w * b.cos(),
            speed[1] + l2 * w * b.sin(),
        ];
        let rods = Rods::default().acceleration(0.0, &q.into(), &v.into())?;
        let along = expected[0] * l1 * a.cos() - l1 * u * u * a.sin();
        assert_relative_eq!(rods[0], along, epsilon = 1e-11);
        let energies = [
            pendulum.kinetic_energy(0.0, &[a, b].into(), &[u, w].into()),
            Rods::default().kinetic_energy(0.0, &q.into(), &v.into()),
        ];
        assert_relative_eq!(energies[0], energies[1], epsilon = 1e-12);
    }
    Ok(())
}

/// θ″ = sin θ cos θ φ′² − (g/l) sin θ, φ″ = −2 θ′ φ′ cot θ.
#[test]
fn a_spherical_pendulum() -> Result<(), Error> {
    let (theta, u, w): (f64, f64, f64) = (0.9, -0.7, 2.1);
    let found = Spherical::default().acceleration(0.0, &[theta, 0.4].into(), &[u, w].into())?;
    let (s, c) = theta.sin_cos();
    assert_relative_eq!(found[0], s * c * w * w - 9.81 / 0.8 * s, epsilon = 1e-12);
    assert_relative_eq!(found[1], -2.0 * u * w * c / s, epsilon = 1e-12);
    Ok(())
}

/// θ″ = ω² sin θ cos θ − (g/r) sin θ, at any time.
#[test]
fn a_bead_on_a_turning_hoop() -> Result<(), Error> {
    for (t, theta, rate) in [(0.0, 0.4_f64, 1.0), (1.7, 2.2, -0.5)] {
        let found = Hoop::default().acceleration(t, &[theta].into(), &[rate].into())?;
        let (s, c) = theta.sin_cos();
        assert_relative_eq!(found[0], 36.0 * s * c - 9.81 / 0.5 * s, epsilon = 1e-11);
    }
    Ok(())
}

/// [Florian 2007], without friction, the pole a point mass: (M + m) x″ + m l (θ″ cos θ − θ′² sin θ) = F,
/// l θ″ + x″ cos θ = g sin θ.
#[test]
fn a_cart_with_a_pole() -> Result<(), Error> {
    let (mc, m, l, g) = (1.0, 0.2, 0.6, 9.81);
    let (theta, u, push): (f64, f64, f64) = (0.7, -1.3, 2.5);
    let (s, c) = theta.sin_cos();
    let x = (push + m * l * u * u * s - m * g * s * c) / (mc + m * s * s);
    let cart = CartPole::default().with_inputs(CartPoleInputs { push });
    let found = cart.acceleration(0.0, &[0.2, theta].into(), &[0.9, u].into())?;
    assert_relative_eq!(found[0], x, epsilon = 1e-12);
    assert_relative_eq!(found[1], (g * s - x * c) / l, epsilon = 1e-12);
    // The equations themselves, the second one times m l.
    let (q, v, asked) = (
        [0.2, theta].into(),
        [0.9, u].into(),
        Vector2::new(1.1, -0.6),
    );
    let missing = [
        (mc + m) * asked.x + m * l * (asked.y * c - u * u * s) - push,
        m * l * (l * asked.y + asked.x * c - g * s),
    ];
    let found = cart.inverse_dynamics(0.0, &q, &v, &asked)?;
    assert_relative_eq!(found, Vector2::from(missing), epsilon = 1e-12);
    let mass = [mc + m, m * l * c, m * l * c, m * l * l];
    assert_relative_eq!(
        cart.mass_matrix(0.0, &q).as_slice(),
        &mass[..],
        epsilon = 1e-12
    );
    Ok(())
}

/// ẍ = g sin α/(1 + J/(m r²)), and friction −J ẍ/r² holds it back.
#[test]
fn a_rolling_disk() -> Result<(), Error> {
    let disk = Disk::default();
    let (q, v) = ([1.0, 0.3].into(), [0.8, 2.0].into());
    let expected = 9.81 * 0.3_f64.sin() / (1.0 + 0.24 / (3.0 * 0.16));
    let found = disk.acceleration(0.0, &q, &v)?;
    assert_relative_eq!(found, [expected, expected / 0.4].into(), epsilon = 1e-12);
    let lambda = disk.multipliers(0.0, &q, &v)?;
    assert_relative_eq!(lambda[0], -0.24 * expected / 0.16, epsilon = 1e-12);
    assert_eq!(Disk::CONSTRAINTS, ["rolling"]);
    Ok(())
}
