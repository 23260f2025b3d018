//! Names of the user's that read like ours: the numbers are those of innocent names, and the printed derivation
//! tells one from the other.

use constraint_runtime::prelude::*;

constraint! {
    /// A conic whose parameters are called as its derivation calls velocities, forces, masses and itself.
    #[allow(non_snake_case)]
    pub struct Hostile { C: Real, J: Real, m: Real, v_x: Real, f_x: Real, w_x: Real, lambda: Real }
    |x, y| C*x^2 + v_x*x*y + f_x*x + w_x*y^2 + J*y + m == lambda
}

constraint! {
    /// The same under other names.
    pub struct Innocent { a: Real, b: Real, c: Real, d: Real, e: Real, g: Real, k: Real }
    |x, y| a*x^2 + d*x*y + e*x + g*y^2 + b*y + c == k
}

#[test]
fn a_constraint_computes_the_same_whatever_its_names() -> Result<(), Error> {
    let hostile: Hostile = Hostile {
        C: 1.5,
        J: -0.4,
        m: 2.0,
        v_x: 0.3,
        f_x: 0.7,
        w_x: 1.1,
        lambda: 0.2,
    };
    let innocent = Innocent {
        a: 1.5,
        b: -0.4,
        c: 2.0,
        d: 0.3,
        e: 0.7,
        g: 1.1,
        k: 0.2,
    };
    let (t, q, v) = (0.0_f64, [0.6, -1.3].into(), [0.9, 0.5].into());
    let (w, f) = ([0.5, 0.8].into(), [1.7, -2.1].into());
    assert_eq!(hostile.value(t, &q), innocent.value(t, &q));
    assert_eq!(hostile.jacobian(t, &q), innocent.jacobian(t, &q));
    assert_eq!(hostile.rate(t, &q, &v), innocent.rate(t, &q, &v));
    assert_eq!(hostile.bias(t, &q, &v), innocent.bias(t, &q, &v));
    assert_eq!(
        hostile.force(t, &q, &v, &w, &f)?,
        innocent.force(t, &q, &v, &w, &f)?
    );
    assert_eq!(
        hostile.particle_force(t, &q, &v, 2.5, &f)?,
        innocent.particle_force(t, &q, &v, 2.5, &f)?
    );
    // β = 2 C ẋ² + 2 v_x ẋ ẏ + 2 w_x ẏ², by hand.
    let bias = 2.0 * (1.5 * 0.81 + 0.3 * 0.45 + 1.1 * 0.25);
    assert!((hostile.bias(t, &q, &v)[0] - bias).abs() < 1e-15);
    let printed = Hostile::<f64>::DERIVATION.entry("bias").text;
    assert_eq!(
        printed,
        "2 (C velocity(x)² + velocity(x) v_x v_y + w_x v_y²)"
    );
    Ok(())
}

curve! {
    /// A circle whose radius is called as the curve, and its shift as the mass.
    pub struct Ring { r: Real, m: Real, f_x: Real }
    |s in 0..=TAU| [m + r*cos(s), f_x + r*sin(s)]
}

#[test]
fn a_curve_computes_the_same_whatever_its_names() -> Result<(), Cusp> {
    let ring = Ring {
        r: 2.0,
        m: 0.5,
        f_x: -1.0,
    };
    let (s, rate, mass) = (0.7_f64, 1.3, 3.0);
    let force = Vector2::new(0.4, -0.9);
    // s̈ = r′·F/(m r²): a circle at constant rate needs no tangential force.
    let along = Vector2::new(-s.sin(), s.cos()).dot(&force);
    let found = ring.acceleration(s, rate, &force, mass)?;
    assert!((found - along / (mass * 2.0)).abs() < 1e-15, "{found}");
    let printed = Ring::<f64>::DERIVATION.entry("acceleration").text;
    assert!(printed.contains("mass(particle)"), "{printed}");
    assert!(printed.contains("force(x)"), "{printed}");
    Ok(())
}

system! {
    /// A bead on a spring, its parameters called as the derivation's letters.
    #[allow(non_snake_case)]
    pub struct Letters { M: Real = 2, h: Real = 3, C: Real = 1, J: Real = 0.5, v_x: Real = 0.25, T: Real = 4, V: Real = 5 }

    coordinate x, y;
    kinetic M/2*(velocity(x)^2 + velocity(y)^2);
    potential h/2*x^2 + V*y;
    dissipation v_x/2*velocity(x)^2 + T*velocity(y)^2;
    constraint row: C*y == J*x^2;
}

#[test]
fn a_system_computes_the_same_whatever_its_names() -> Result<(), Error> {
    let (x, v) = (0.8_f64, 1.2_f64);
    let (slope, curvature) = (x, 1.0);
    // y = x²/2: (1 + y′²) M ẍ = −h x − V y′ − v_x ẋ − 2 T y′² ẋ − M y′ y″ ẋ²
    let pushed = -3.0 * x - 5.0 * slope - 0.25 * v - 8.0 * slope * slope * v;
    let expected = (pushed - 2.0 * slope * curvature * v * v) / (2.0 * (1.0 + slope * slope));
    let (q, v) = ([x, x * x / 2.0].into(), [v, x * v].into());
    let found = Letters::<f64>::default().acceleration(0.0, &q, &v)?[0];
    assert!((found - expected).abs() < 1e-14, "{found} {expected}");
    let derivation = Letters::<f64>::DERIVATION;
    assert_eq!(derivation.entry("bias").text, "−2 J velocity(x)²");
    Ok(())
}
