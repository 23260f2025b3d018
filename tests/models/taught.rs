//! A lecture: the same bead on the same hoop in two forms, and what the blackboard says of it.

use approx::assert_abs_diff_eq;
use constraint_runtime::prelude::*;
use constraint_runtime::{equilibrium, modes};

use crate::lagrange::scattered;

system! {
    /// A bead on a hoop that turns about its upright diameter, by its angle from below.
    #[derivatives]
    pub struct Hoop { m: Real = 1, r: Real = 0.5, omega: Real = 6, g: Real = 9.81 }

    coordinate theta;
    let turned = omega*t;
    particle bead = r*[sin(theta)*cos(turned), sin(theta)*sin(turned), -cos(theta)] { mass: m }
    gravity [0, 0, -g];
}

system! {
    /// The same bead on a sphere and a plane that turns.
    pub struct Held { m: Real = 1, r: Real = 0.5, omega: Real = 6, g: Real = 9.81 }

    particle bead: Point3 { mass: m }
    gravity [0, 0, -g];
    constraint sphere: norm(bead) == r;
    constraint plane: dot(bead, [-sin(omega*t), cos(omega*t), 0]) == 0;
    output push = multiplier(plane);
}

/// ```text
/// T = m r² (θ̇² + ω² sin² θ)/2,   θ̈ = sin θ (ω² cos θ − g/r)
/// cos θ₀ = g/(r ω²),  Ω² = ω² sin² θ₀;   the hoop pushes sideways with 2 m r ω θ̇ cos θ
/// ```
#[test]
fn a_bead_on_a_hoop_is_that_of_the_blackboard() -> Result<(), Error> {
    let (hoop, held) = (Hoop::<f64>::default(), Held::<f64>::default());
    let Hoop { m, r, omega, g } = hoop;
    for seed in 0..5 {
        let t = 0.1 * f64::from(seed);
        let [[theta], [rate]] = [1.0, 2.0].map(|k| scattered::<1>(k * f64::from(seed)).data.0[0]);
        let (sin, cos) = theta.sin_cos();
        let energy = hoop.kinetic_energy(t, &[theta].into(), &[rate].into());
        let by_hand = m * r * r * (rate * rate + omega * omega * sin * sin) / 2.0;
        assert_abs_diff_eq!(energy, by_hand, epsilon = 1e-13);
        let a = hoop.acceleration(t, &[theta].into(), &[rate].into())?;
        let by_hand = sin * (omega * omega * cos - g / r);
        assert_abs_diff_eq!(a[0], by_hand, epsilon = 1e-12);

        let (s, c) = (omega * t).sin_cos();
        let out = Vector3::new(c, s, 0.0);
        let aside = Vector3::new(-s, c, 0.0);
        let place = (out * sin - Vector3::z() * cos) * r;
        let along = out * cos + Vector3::z() * sin;
        let motion = along * (r * rate) + aside * (r * omega * sin);
        let found = held.acceleration(t, &place, &motion)?;
        let centripetal = omega * omega * sin * cos;
        assert_abs_diff_eq!(
            found.dot(&along) / r + centripetal,
            by_hand,
            epsilon = 1e-10
        );
        let push = held.outputs(t, &place, &motion)?.push;
        assert_abs_diff_eq!(push, 2.0 * m * r * omega * rate * cos, epsilon = 1e-10);
    }
    let rest = equilibrium(&hoop, State::new(0.0, [1.0], [0.0]))?;
    assert_abs_diff_eq!(rest.q[0].cos(), g / (r * omega * omega), epsilon = 1e-10);
    let swings = modes(&hoop, &rest)?;
    assert_abs_diff_eq!(
        swings[0].angular_frequency(),
        omega * rest.q[0].sin(),
        epsilon = 1e-9
    );
    Ok(())
}

#[test]
fn what_is_printed_reads_as_the_blackboard() {
    let derivation = Hoop::<f64>::DERIVATION;
    let told = |name| derivation.entry(name).text;
    assert_eq!(
        told("kinetic_energy"),
        "m r² (omega² sin(theta)² + v_theta²)/2"
    );
    assert_eq!(told("mass_matrix"), "( m r² )");
    assert_eq!(told("applied"), "m r sin(theta) (r omega² cos(theta) − g)");
}
