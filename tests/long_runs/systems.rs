//! Runs of 10⁵ and 10⁶ steps: bounded energy error, drift.

use crate::by_hand::*;
use crate::generated;
use constraint_runtime::prelude::*;

const G: [f64; 2] = [0.0, -9.81];

/// Energy errors over a run: the largest, and how the mean of the last tenth differs from that of
/// the first.
struct EnergyErrors {
    largest: f64,
    trend: f64,
}

fn energy_errors<S, I, const Q: usize, const V: usize>(
    mut run: Simulation<S, I>,
    steps: usize,
) -> EnergyErrors
where
    S: System<f64, Q = SVector<f64, Q>, V = SVector<f64, V>>,
    I: Integrator<Scalar = f64>,
{
    let start = run.energy();
    let (mut largest, mut tenths) = (0.0_f64, [0.0; 10]);
    for i in 0..steps {
        run.step().unwrap();
        let error = run.energy() - start;
        largest = largest.max(error.abs());
        tenths[i * 10 / steps] += error * 10.0 / steps as f64;
    }
    let trend = (tenths[9] - tenths[0]).abs();
    EnergyErrors { largest, trend }
}

#[test]
fn rattle_bounds_the_energy_error_of_the_pendulum_over_a_million_steps() {
    let run = |h| {
        let pendulum = Particle::new(1.0).on(Circle).under_gravity(G);
        let start = State::new(0.0, [1.0, 0.0], [0.0, 0.0]);
        let run = Simulation::new(pendulum, start, Rattle::new(h)).unwrap();
        energy_errors(run, 1_000_000)
    };
    let (fine, coarse) = (run(0.01), run(0.02));
    // Of order h², and the same all the way.
    assert!(coarse.largest < 0.02, "{}", coarse.largest);
    assert!((3.5..4.5).contains(&(coarse.largest / fine.largest)));
    for EnergyErrors { largest, trend } in [fine, coarse] {
        // A tenth of a run ends within a swing: in short runs that shows.
        let allowed = 1e-3;
        assert!(trend < allowed * largest, "{trend:e} of {largest:e}");
    }
}

#[test]
fn rk4_does_not() {
    // The same run with a method that is not symplectic: the test above can fail.
    let pendulum = Particle::new(1.0).on(Circle).under_gravity(G);
    let start = State::new(0.0, [1.0, 0.0], [0.0, 0.0]);
    let run = Simulation::new(pendulum, start, Rk4::new(0.02)).unwrap();
    let EnergyErrors { largest, trend } = energy_errors(run, 1_000_000);
    assert!(trend > 0.5 * largest, "{trend:e} of {largest:e}");
}

#[test]
fn rattle_bounds_the_energy_error_where_the_mass_depends_on_the_coordinate() {
    let start = State::new(0.0, [0.2], [0.0]);
    let run = Simulation::new(Hump { damping: 0.0 }, start, Rattle::new(0.01)).unwrap();
    let EnergyErrors { largest, trend } = energy_errors(run, 1_000_000);
    assert!(largest < 0.2, "{largest}");
    let allowed = 1e-3;
    assert!(trend < allowed * largest, "{trend:e} of {largest:e}");
}

/// Largest |C| and |Ċ| over a hundred thousand steps of RK4 with projection.
fn drifts<S, const Q: usize, const V: usize>(
    system: S,
    start: State<SVector<f64, Q>, SVector<f64, V>>,
) -> (f64, f64)
where
    S: System<f64, Q = SVector<f64, Q>, V = SVector<f64, V>>,
{
    let mut run = Simulation::new(system, start, Rk4::new(1e-3)).unwrap();
    let energy = run.energy();
    let mut worst = (0.0_f64, 0.0_f64);
    for _ in 0..100_000 {
        run.step().unwrap();
        worst = (worst.0.max(run.drift()), worst.1.max(run.rate_drift()));
    }
    assert!(
        (run.energy() - energy).abs() < 1e-3,
        "{}",
        run.energy() - energy
    );
    worst
}

#[test]
fn projection_holds_the_double_pendulum_over_a_hundred_thousand_steps_of_rk4() {
    let pendulum = Particle::new(1.0)
        .on(DoublePendulum)
        .under_gravity([0.0, -9.81, 0.0, -9.81]);
    let start = State::new(0.0, [1.0, 0.0, 1.0, 1.0], [0.0; 4]);
    let (c, c_dot) = drifts(pendulum, start);
    assert!(c < 1e-14 && c_dot < 1e-12, "{c:e} {c_dot:e}");
}

#[test]
fn projection_holds_a_chain_over_a_hundred_thousand_steps_of_rk4() {
    let (c, c_dot) = drifts(Chain::<8, 16>, Chain::<8, 16>::level());
    assert!(c < 1e-13 && c_dot < 1e-11, "{c:e} {c_dot:e}");
}

/// The generated chain, at rest in a slanting line.
fn slanting() -> State<SVector<f64, 16>> {
    let bead = |i| Point2::new(0.6, -0.8) * (0.5 * (i + 1) as f64);
    let coordinates = generated::ChainCoordinates {
        bead: std::array::from_fn(bead),
    };
    State::new(0.0, coordinates, generated::ChainVelocities::default())
}

/// The generated double pendulum, at rest with its rods level and upright.
fn bent() -> State<SVector<f64, 4>> {
    State::new(0.0, [1.0, 0.0, 1.0, 0.8], [0.0; 4])
}

#[test]
fn projection_holds_generated_systems_over_a_hundred_thousand_steps_of_rk4() {
    let (c, c_dot) = drifts(generated::Rods::default(), bent());
    assert!(c < 1e-14 && c_dot < 1e-12, "{c:e} {c_dot:e}");
    let (c, c_dot) = drifts(generated::Chain::default(), slanting());
    assert!(c < 1e-13 && c_dot < 1e-11, "{c:e} {c_dot:e}");
}

#[test]
fn rattle_bounds_the_energy_error_of_generated_systems_over_a_million_steps() {
    let rods = Simulation::new(generated::Rods::default(), bent(), Rattle::new(0.002));
    let chain = Simulation::new(generated::Chain::default(), slanting(), Rattle::new(0.0005));
    let steps = 1_000_000;
    let errors = [
        energy_errors(rods.unwrap(), steps),
        energy_errors(chain.unwrap(), steps),
    ];
    for EnergyErrors { largest, trend } in errors {
        // These motions are chaotic: the means of the tenths differ by chance.
        let allowed = 0.01;
        assert!(trend < allowed * largest, "{trend:e} of {largest:e}");
        assert!(largest < 0.1, "{largest:e}");
    }
}
