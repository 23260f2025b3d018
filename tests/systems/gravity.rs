//! `gravity`: every mass falls, whatever places it, as it does by a force and by a potential written by hand.

use approx::assert_relative_eq;
use constraint_runtime::prelude::*;

/// Numbers between -1 and 1, the same for ever.
fn noise(i: usize) -> f64 {
    (12.9898 * i as f64 + 4.1).sin()
}

/// What has a mass here: a particle that a coordinate places, one on an arm that turns on it, an array, and a body.
macro_rules! crane {
    ($name:ident { $($weight:tt)* }) => {
        system! {
            pub struct $name { m: Real = 2, l: Real = 0.7, j: Real = 0.4, g: Real = 9.81 }
            coordinate x, angle;
            particle carriage = [x, x^2] { mass: 3 }
            particle hand = [x + l*sin(angle), -l*cos(angle)] { mass: m }
            particle bead[i in 0..6]: Point2 { mass: m*(i + 1) }
            body plate: Rigid2 { mass: m/2, inertia: j }
            constraint anchor: norm(bead[0] - at(plate, [l, l])) == l;
            constraint link[i in 1..6]: norm(bead[i] - bead[i - 1]) == l;
            $($weight)*
        }
    };
}
crane!(Falling { gravity [0, -g]; });
crane!(ByPotential {
    potential 3*g*carriage.y;
    potential m*g*hand.y;
    for i in 0..6 { potential m*(i + 1)*g*bead[i].y; }
    potential dot([0, m/2*g], at(plate, [0, 0]));
});
crane!(ByForce {
    force carriage: [0, -3*g];
    force hand: [0, -m*g];
    force bead[i in 0..6]: [0, -m*(i + 1)*g];
    force plate: [0, -m/2*g];
});

system! {
    pub struct Driven { m: Real = 2, l: Real = 0.7 }
    input pull: Vector2;
    gravity pull + [0, -t];
    coordinate angle;
    particle hand = [l*sin(angle), -l*cos(angle)] { mass: m }
}
system! {
    pub struct Chain { m: [Real; 40] = 0.3, l: Real = 0.5, g: Real = 9.81 }
    gravity [0, -g];
    particle bead[i in 0..40]: Point2 { mass: m[i] }
    constraint anchor: norm(bead[0]) == l;
    constraint link[i in 1..40]: norm(bead[i] - bead[i - 1]) == l;
}
system! {
    pub struct ChainByForce { m: [Real; 40] = 0.3, l: Real = 0.5, g: Real = 9.81 }
    particle bead[i in 0..40]: Point2 { mass: m[i] }
    constraint anchor: norm(bead[0]) == l;
    constraint link[i in 1..40]: norm(bead[i] - bead[i - 1]) == l;
    force bead[i in 0..40]: [0, -m[i]*g];
}

fn assert_near<const N: usize>(found: &SVector<f64, N>, expected: &SVector<f64, N>) {
    assert_relative_eq!(found, expected, max_relative = 1e-12, epsilon = 1e-12);
}

#[test]
fn weights_are_those_written_by_hand() -> Result<(), Error> {
    let (falling, by_potential) = (Falling::<f64>::default(), ByPotential::<f64>::default());
    let by_force = ByForce::<f64>::default();
    let mut q = SVector::<f64, 18>::from_fn(|i, _| i as f64 / 3.0 + noise(i) / 4.0);
    falling.normalize(&mut q);
    let v = SVector::<f64, 17>::from_fn(|i, _| noise(i + 40));
    let found = falling.acceleration_and_multipliers(0.0, &q, &v)?;
    let same = by_potential.acceleration_and_multipliers(0.0, &q, &v)?;
    let pushed = by_force.acceleration_and_multipliers(0.0, &q, &v)?;
    assert_near(&found.0, &same.0);
    assert_near(&found.1, &same.1);
    assert_near(&found.0, &pushed.0);
    assert_near(&found.1, &pushed.1);
    // m g y of all.
    let heights = [3.0 * q[0] * q[0], -2.0 * 0.7 * q[1].cos(), q[15]];
    let beads: f64 = (0..6).map(|i| 2.0 * (i + 1) as f64 * q[3 + 2 * i]).sum();
    let energy = 9.81 * (heights.iter().sum::<f64>() + beads);
    assert_relative_eq!(
        falling.potential_energy(0.0, &q),
        energy,
        max_relative = 1e-14
    );
    assert_eq!(by_force.potential_energy(0.0, &q), 0.0);
    Ok(())
}

#[test]
fn a_weight_costs_what_a_force_costs() {
    let cost = |derivation: Derivation, name| derivation.entry(name).cost.total();
    for name in [
        "acceleration",
        "multipliers",
        "acceleration_and_multipliers",
    ] {
        let [falling, by_force] =
            [Falling::<f64>::DERIVATION, ByForce::<f64>::DERIVATION].map(|it| cost(it, name));
        assert!(falling <= by_force, "{name}: {falling:?} and {by_force:?}");
        let [falling, by_force] =
            [Chain::<f64>::DERIVATION, ChainByForce::<f64>::DERIVATION].map(|it| cost(it, name));
        assert_eq!(falling, by_force, "{name} of a chain");
    }
}

/// l θ̈ = (g_x cos θ + g_y sin θ): a pendulum in a gravity that inputs and the time make.
#[test]
fn a_gravity_of_inputs_and_time_is_a_force() -> Result<(), Error> {
    let driven = Driven::<f64>::default().with_inputs(DrivenInputs {
        pull: [3.0, -9.0].into(),
    });
    let (q, t) = (SVector::from([0.4_f64]), 0.75);
    let found = driven.acceleration(t, &q, &[2.0].into())?[0];
    let expected = (3.0 * q[0].cos() + (-9.0 - t) * q[0].sin()) / 0.7;
    assert_relative_eq!(found, expected, max_relative = 1e-14);
    assert_eq!(driven.potential_energy(t, &q), 0.0);
    Ok(())
}

#[test]
fn a_chain_in_loops_falls_as_by_forces() -> Result<(), Error> {
    let solver = Chain::<f64>::DERIVATION.entry("solver");
    assert!(solver.text.starts_with("Loops"), "{}", solver.text);
    let chain = Chain::<f64> {
        m: core::array::from_fn(|i| 1.5 + noise(i)),
        ..Chain::default()
    };
    let by_force = ChainByForce {
        m: chain.m,
        ..ChainByForce::default()
    };
    let q = SVector::<f64, 80>::from_fn(|i, _| i as f64 / 3.0 + noise(i) / 4.0);
    let v = SVector::<f64, 80>::from_fn(|i, _| noise(i + 40));
    assert_eq!(
        chain.acceleration_and_multipliers(0.0, &q, &v)?,
        by_force.acceleration_and_multipliers(0.0, &q, &v)?
    );
    Ok(())
}
