//! Linearisations of textbooks.

use approx::assert_relative_eq;
use constraint_runtime::prelude::*;

system! {
    /// A bob on a rod: λ = −m (v²/l + g cos φ), φ from the lowest point.
    #[derivatives]
    struct Rod { m: Real = 2, l: Real = 0.5, g: Real = 9.81 }
    particle bob: Point2 { mass: m }
    constraint rod: norm(bob) == l;
    gravity [0, -g];
}

#[test]
fn a_pendulum_on_a_rod() -> Result<(), Error> {
    let rod = Rod::<f64>::default();
    let Rod { m, l, g } = rod;
    let (phi, rate) = (0.7_f64, 1.3);
    let (along, inwards) = (
        Vector2::new(phi.cos(), phi.sin()),
        Vector2::new(-phi.sin(), phi.cos()),
    );
    let (q, v) = (-inwards * l, along * (l * rate));
    // Along the circle: q = l (sin φ, −cos φ), v = l φ̇ (cos φ, sin φ), v̇ = −g sin φ along + l φ̇² inwards.
    let tangent = Tangent {
        q: along * l,
        v: inwards * (l * rate),
        ..Tangent::default()
    };
    let (dv_dot, dlambda) = rod.jvp(0.0, &q, &v, &tangent)?;
    let expected = along * (-g * phi.cos() - l * rate * rate) - inwards * (g * phi.sin());
    assert_relative_eq!(dv_dot, expected, max_relative = 1e-13);
    assert_relative_eq!(dlambda[0], m * g * phi.sin(), max_relative = 1e-13);
    // The same of φ̇: v̇ by 2 l φ̇ inwards, λ by −2 m l φ̇.
    let faster = Tangent {
        v: along * l,
        ..Tangent::default()
    };
    let (dv_dot, dlambda) = rod.jvp(0.0, &q, &v, &faster)?;
    assert_relative_eq!(dv_dot, inwards * (2.0 * l * rate), epsilon = 1e-13);
    assert_relative_eq!(dlambda[0], -2.0 * m * l * rate, max_relative = 1e-13);
    // λ by m and g; l stands in no equation but C.
    let by = rod.vjp(0.0, &q, &v, &Vector2::zeros(), &[1.0].into())?;
    let pull = l * rate * rate + g * phi.cos();
    let expected = SVector::from([-pull, 0.0, -m * phi.cos()]);
    assert_relative_eq!(by.p, expected, epsilon = 1e-13);
    assert_eq!(by.t, 0.0);
    Ok(())
}

system! {
    /// The cart-pole of textbooks, the angle from upright.
    #[derivatives]
    struct CartPole { m_cart: Real = 1, m_bob: Real = 0.2, l: Real = 0.5, g: Real = 9.81 }
    input push;
    coordinate x, angle;
    particle cart = [x, 0] { mass: m_cart }
    particle bob = cart + l*[sin(angle), cos(angle)] { mass: m_bob }
    potential m_bob*g*bob.y;
    force x: push;
}

#[test]
fn a_cart_pole_upright() -> Result<(), Error> {
    let cart_pole = CartPole::<f64>::default();
    let CartPole {
        m_cart,
        m_bob,
        l,
        g,
    } = cart_pole;
    let held = cart_pole.with_inputs(CartPoleInputs { push: 0.0 });
    let Linearization { a, b, p } = held.linearize(0.0, &Vector2::zeros(), &Vector2::zeros())?;
    let mut expected = SMatrix::<f64, 2, 4>::zeros();
    expected[(0, 1)] = -m_bob * g / m_cart;
    expected[(1, 1)] = (m_cart + m_bob) * g / (m_cart * l);
    assert_relative_eq!(a, expected, max_relative = 1e-14);
    let pushed = Vector2::new(1.0 / m_cart, -1.0 / (m_cart * l));
    assert_relative_eq!(b, pushed, max_relative = 1e-14);
    // Upright nothing moves, whatever the masses are.
    assert_eq!(p, SMatrix::<f64, 2, 4>::zeros());
    Ok(())
}

/// ẍ = (u + m l φ̇² sin φ − m g sin φ cos φ)/(M + m sin² φ), differentiated by hand by l, g and φ̇.
#[test]
fn a_cart_pole_in_motion() -> Result<(), Error> {
    let cart_pole = CartPole::<f64>::default();
    let CartPole {
        m_cart,
        m_bob,
        l,
        g,
    } = cart_pole;
    let held = cart_pole.with_inputs(CartPoleInputs { push: 0.6 });
    let (phi, rate) = (0.8_f64, -1.7);
    let (sin, cos) = phi.sin_cos();
    let (q, v) = (Vector2::new(0.3, phi), Vector2::new(0.2, rate));
    let Linearization { a, b, p } = held.linearize(0.0, &q, &v)?;
    let below = m_cart + m_bob * sin * sin;
    assert_relative_eq!(
        a[(0, 3)],
        2.0 * m_bob * l * rate * sin / below,
        max_relative = 1e-14
    );
    assert_relative_eq!(b[(0, 0)], 1.0 / below, max_relative = 1e-14);
    assert_relative_eq!(
        p[(0, 2)],
        m_bob * rate * rate * sin / below,
        max_relative = 1e-14
    );
    assert_relative_eq!(p[(0, 3)], -m_bob * sin * cos / below, max_relative = 1e-14);
    let above = 0.6 + m_bob * sin * (l * rate * rate - g * cos);
    assert_relative_eq!(p[(0, 0)], -above / (below * below), max_relative = 1e-14);
    assert_eq!(a.column(0), Vector2::zeros());
    Ok(())
}

system! {
    /// A rod with inertia on a pivot, its pose told by its angle.
    #[derivatives]
    struct Swing { m: Real = 3, i: Real = 0.2, l: Real = 0.8, g: Real = 9.81 }
    coordinate phi;
    body rod: Rigid2 = pose([0, 0], phi) * pose([0, -l/2]) { mass: m, inertia: i }
    gravity [0, -g];
}

/// φ̈ = −m g (l/2) sin φ/(i + m l²/4)
#[test]
fn a_body_whose_pose_a_coordinate_tells() -> Result<(), Error> {
    let swing = Swing::<f64>::default();
    let Swing { m, i, l, g } = swing;
    let (phi, about) = (0.6_f64, i + m * l * l / 4.0);
    let Linearization { a, p, .. } = swing.linearize(0.0, &[phi].into(), &[1.4].into())?;
    let by_phi = -m * g * l / 2.0 * phi.cos() / about;
    assert_relative_eq!(a[(0, 0)], by_phi, max_relative = 1e-14);
    assert_eq!(a[(0, 1)], 0.0);
    let by_i = m * g * l / 2.0 * phi.sin() / (about * about);
    assert_relative_eq!(p[(0, 1)], by_i, max_relative = 1e-14);
    Ok(())
}

system! {
    /// A bead on the parabola y = −x²/100.
    #[derivatives]
    struct Wire;
    particle bead: Point2 { mass: 1 }
    constraint wire: bead.x^2 + 100*bead.y == 0;
    gravity [0, -9.81];
}

/// v̇ = (x μ, 50 μ − 9.81) with μ = (490.5 − ẋ²)/(x² + 2500)
#[test]
fn a_bead_on_a_wire() -> Result<(), Error> {
    let (x, rate) = (1.7, -0.6);
    let (q, v) = ([x, -x * x / 100.0].into(), [rate, -x * rate / 50.0].into());
    let below = x * x + 2500.0;
    let mu = (490.5 - rate * rate) / below;
    let (by_x, by_rate) = (-2.0 * x * mu / below, -2.0 * rate / below);
    let Linearization { a, .. } = Wire.linearize(0.0, &q, &v)?;
    let rows = [
        [mu + x * by_x, 0.0, x * by_rate, 0.0],
        [50.0 * by_x, 0.0, 50.0 * by_rate, 0.0],
    ];
    for (i, row) in rows.iter().enumerate() {
        for (k, &expected) in row.iter().enumerate() {
            assert_relative_eq!(a[(i, k)], expected, max_relative = 1e-13);
        }
    }
    let along = Tangent {
        q: [0.3, 0.9].into(),
        v: [-0.4, 0.2].into(),
        ..Tangent::default()
    };
    let (dv_dot, dlambda) = Wire.jvp(0.0, &q, &v, &along)?;
    let dmu = 0.3 * by_x - 0.4 * by_rate;
    assert_relative_eq!(dv_dot[0], 0.3 * mu + x * dmu, max_relative = 1e-13);
    assert_relative_eq!(dv_dot[1], 50.0 * dmu, max_relative = 1e-13);
    assert_relative_eq!(dlambda[0], dmu / 2.0, max_relative = 1e-13);
    let by = Wire.vjp(0.0, &q, &v, &[0.7, -0.2].into(), &[1.3].into())?;
    let forwards = 0.7 * dv_dot[0] - 0.2 * dv_dot[1] + 1.3 * dlambda[0];
    let back = by.q.dot(&along.q) + by.v.dot(&along.v);
    assert_relative_eq!(back, forwards, max_relative = 1e-12);
    Ok(())
}
