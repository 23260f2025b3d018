//! Runs of one system under every adaptive method and from coarse to fine tolerances.

use constraint_runtime::prelude::*;

/// Runs `system` from `start` to `end` under `method` and checks |E/E₀ − 1| in units of `unit`, an energy.
#[track_caller]
fn keeps_its_energy<S, I>(
    name: &str,
    system: S,
    start: &State<S::Q, S::V>,
    (end, unit, allowed): (f64, f64, f64),
    method: I,
) -> State<S::Q, S::V>
where
    S: System<f64>,
    I: Integrator<Scalar = f64>,
{
    let mut run = Simulation::new(system, start.clone(), method)
        .unwrap_or_else(|error| panic!("{name} at the start: {error}"));
    let energy = run.energy();
    run.run_until(end)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let off = (run.energy() - energy).abs() / unit;
    assert!(off <= allowed, "{name}: the energy is off by {off:e}");
    run.state().clone()
}

/// Runs under [`DormandPrince`] with each tolerance 10⁻ᵏ; the energy is kept to `factor` times the tolerance, in parts of
/// `unit`. Returns the states at the end.
#[track_caller]
pub fn explicitly<S: System<f64> + Clone>(
    system: &S,
    start: &State<S::Q, S::V>,
    (end, unit, factor): (f64, f64, f64),
    exponents: impl IntoIterator<Item = i32>,
) -> Vec<State<S::Q, S::V>> {
    let ends = exponents.into_iter().map(|k| {
        let tolerance = 10.0_f64.powi(-k);
        let method = DormandPrince::new(tolerance, tolerance / 100.0);
        let name = format!("DormandPrince {tolerance:e}");
        let allowed = factor * tolerance;
        keeps_its_energy(&name, system.clone(), start, (end, unit, allowed), method)
    });
    ends.collect()
}

/// The same under [`Radau5`].
#[track_caller]
pub fn implicitly<S: System<f64> + Clone>(
    system: &S,
    start: &State<S::Q, S::V>,
    (end, unit, factor): (f64, f64, f64),
    exponents: impl IntoIterator<Item = i32>,
) -> Vec<State<S::Q, S::V>> {
    let ends = exponents.into_iter().map(|k| {
        let tolerance = 10.0_f64.powi(-k);
        let method = Radau5::new(tolerance, tolerance / 100.0);
        let name = format!("Radau5 {tolerance:e}");
        let allowed = factor * tolerance;
        keeps_its_energy(&name, system.clone(), start, (end, unit, allowed), method)
    });
    ends.collect()
}
