//! Bodies: tangents turn by δθ in the frame of the world.

use approx::assert_relative_eq;
use constraint_runtime::prelude::*;
use num_dual::Dual64;

system! {
    /// A body that swings about a pin: φ̈ = −m g l sin φ/(I + m l²), φ from hanging straight down.
    #[derivatives]
    struct Swing { m: Real = 2, inertia: Real = 0.3, l: Real = 0.5, g: Real = 9.81 }
    body rocker: Rigid2 { mass: m, inertia: inertia }
    constraint pin: at(rocker, [0, l]) == [0, 0];
    gravity [0, -g];
}

#[test]
fn a_body_on_a_pin() -> Result<(), Error> {
    let swing = Swing::<f64>::default();
    let Swing { m, inertia, l, g } = swing;
    let phi = 0.8_f64;
    let (sin, cos) = phi.sin_cos();
    let q = SVector::from([l * sin, -l * cos, cos, sin]);
    let rest = Vector3::zeros();
    // The centre moves on its circle as the body turns.
    let turned = Tangent {
        q: [l * cos, l * sin, 1.0].into(),
        ..Tangent::default()
    };
    let (dv_dot, _) = swing.jvp(0.0, &q, &rest, &turned)?;
    let stiffness = m * g * l / (inertia + m * l * l);
    assert_relative_eq!(dv_dot[2], -stiffness * cos, max_relative = 1e-13);
    let by = swing.vjp(0.0, &q, &rest, &[0.0, 0.0, 1.0].into(), &SVector::zeros())?;
    assert_relative_eq!(by.q.dot(&turned.q), dv_dot[2], max_relative = 1e-13);
    // By the moment of inertia: m g l sin φ/(I + m l²)².
    let softer = stiffness * sin / (inertia + m * l * l);
    assert_relative_eq!(by.p[1], softer, max_relative = 1e-13);
    assert_relative_eq!(by.p[3], -stiffness * sin / g, max_relative = 1e-13);
    let Linearization { a, .. } = swing.linearize(0.0, &q, &rest)?;
    let found = a.row(2).columns(0, 3) * turned.q;
    assert_relative_eq!(found[0], dv_dot[2], max_relative = 1e-13);
    Ok(())
}

system! {
    /// A brick with a lid, whose moments differ, in a wind.
    #[derivatives]
    struct Box { m: Real, g: Real, moments: Vector3 }
    input push: Vector3;
    body brick: Rigid3 { mass: m, inertia: [moments.x, moments.y, moments.z] }
    body lid: Rigid3 { mass: 1, inertia: [0.5, 0.6, 0.7] }
    constraint hinge: at(brick, [0.5, 0, 0]) == at(lid, [0, 0.3, 0]);
    constraint held: at(brick, [0, 0, 1]) == [0, 0, t];
    force at(lid, [1, 0, 0]): push;
    gravity [0, 0, -g];
}

type Along = Tangent<f64, 12, 3, 5>;

fn wavy<const N: usize>(from: f64) -> SVector<f64, N> {
    SVector::from_fn(|i, _| (from + 1.7 * i as f64).sin())
}

/// v̇ and λ where the box moves along a tangent.
fn dual(along: &Along) -> (SVector<f64, 12>, SVector<f64, 6>) {
    let both = |x: f64, dx: f64| Dual64::new(x, dx);
    let (p, u) = (parameters(), push());
    let [m, g, x, y, z] = std::array::from_fn(|i| both(p[i], along.p[i]));
    let moving = Box {
        m,
        g,
        moments: Vector3::new(x, y, z),
    };
    let (q, v) = state();
    let still = still();
    let rates = still.kinematics(0.4, &q, &along.q);
    let (q, v) = (q.zip_map(&rates, both), v.zip_map(&along.v, both));
    let moving = moving.with_inputs(BoxInputs {
        push: u.zip_map(&along.u, both),
    });
    let found = moving.acceleration_and_multipliers(both(0.4, along.t), &q, &v);
    let (v_dot, lambda) = found.expect("the rows are independent");
    (v_dot.map(|x| x.eps), lambda.map(|x| x.eps))
}

fn parameters() -> [f64; 5] {
    [2.0, 9.81, 1.0, 1.5, 2.0]
}

fn push() -> Vector3<f64> {
    Vector3::new(0.3, -0.2, 0.1)
}

fn still() -> BoxWithInputs<f64> {
    let [m, g, x, y, z] = parameters();
    let system = Box {
        m,
        g,
        moments: Vector3::new(x, y, z),
    };
    system.with_inputs(BoxInputs { push: push() })
}

fn state() -> (SVector<f64, 14>, SVector<f64, 12>) {
    let mut q = wavy::<14>(0.3);
    still().normalize(&mut q);
    (q, wavy(1.1))
}

#[test]
fn along_a_tangent_and_back() -> Result<(), Error> {
    let along = Along {
        t: 0.6,
        q: wavy(0.2),
        v: wavy(0.5),
        u: wavy(0.9),
        p: wavy(1.3),
    };
    let (system, (q, v)) = (still(), state());
    let (dv_dot, dlambda) = system.jvp(0.4, &q, &v, &along)?;
    let (expected, expected_lambda) = dual(&along);
    assert_relative_eq!(dv_dot, expected, epsilon = 1e-12 * expected.amax());
    let size = 1e-12 * expected_lambda.amax();
    assert_relative_eq!(dlambda, expected_lambda, epsilon = size);
    let (v_bar, lambda_bar) = (wavy(2.1), wavy(2.9));
    let by = system.vjp(0.4, &q, &v, &v_bar, &lambda_bar)?;
    let back = by.t * along.t
        + by.q.dot(&along.q)
        + by.v.dot(&along.v)
        + by.u.dot(&along.u)
        + by.p.dot(&along.p);
    let forwards = v_bar.dot(&dv_dot) + lambda_bar.dot(&dlambda);
    assert_relative_eq!(back, forwards, max_relative = 1e-12);
    let Linearization { a, b, p } = system.linearize(0.4, &q, &v)?;
    let held = Along { t: 0.0, ..along };
    let sum = a.columns(0, 12) * held.q + a.columns(12, 12) * held.v + b * held.u + p * held.p;
    let (expected, _) = dual(&held);
    assert_relative_eq!(sum, expected, epsilon = 1e-12 * expected.amax());
    Ok(())
}
