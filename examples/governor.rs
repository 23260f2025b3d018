//! A flyball governor: two balls on arms that turn with a shaft, and a heavy sleeve on the shaft, connected to the
//! arms by stiff spring–dampers.
//!
//! It follows the governor of the IFToMM library of multibody benchmarks, where springs of 8·10⁵ N/m and dampers of
//! 4·10⁴ N s/m replace links, so that the sleeve settles ten thousand times as fast as the balls swing. We do not have
//! the published bodies, dimensions and motion. Instead, the arms have no mass, other lengths are used, and the
//! reference is an explicit method at the tolerance 10⁻¹¹, which uses no derivatives.
//!
//! Checks: `Radau5` ends where the explicit method does, to 10⁻⁶ relative, with a hundredth of the steps; the angular
//! momentum about the shaft is constant; the energy only decreases.
//! Lengths are in metres, times in seconds, masses in kilograms.

use std::error::Error;
use std::time::Instant;

use constraint_runtime::prelude::*;

#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, Points, View, color};

system! {
    /// `spin` turns the shaft, `a` and `b` open the arms, and the sleeve is at the height z.
    #[derivatives]
    pub struct Governor {
        ball_mass: Real = 5, sleeve_mass: Real = 10, shaft: Real = 0.1, l: Real = 1, half: Real = 0.5, rest: Real = 0.5,
        k: Real = 8e5, c: Real = 4e4, g: Real = 9.81,
    }

    coordinate spin, a, b, z;
    particle first = l*[sin(a)*cos(spin), sin(a)*sin(spin), -cos(a)] { mass: ball_mass }
    particle second = l*[-sin(b)*cos(spin), -sin(b)*sin(spin), -cos(b)] { mass: ball_mass }
    particle sleeve = [0, 0, z] { mass: sleeve_mass }
    kinetic shaft/2*velocity(spin)^2;

    let upper = half/l*first - sleeve;
    let lower = half/l*second - sleeve;
    let rise = half/l*velocity(first) - velocity(sleeve);
    let fall = half/l*velocity(second) - velocity(sleeve);
    potential k/2*(norm(upper) - rest)^2 + k/2*(norm(lower) - rest)^2;
    dissipation c/2*(dot(upper, rise)/norm(upper))^2 + c/2*(dot(lower, fall)/norm(lower))^2;
    gravity [0, 0, -g];
}

type Motion = State<SVector<f64, 4>>;

const END: f64 = 10.0;

/// Prints the comparison and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    let open = std::f64::consts::FRAC_PI_6;
    // The springs at their length of rest: two sides of a triangle over the shaft are equal.
    let start = State::new(
        0.0,
        [0.0, open, open, -open.cos()],
        [2.0 * std::f64::consts::PI, 0.0, 0.0, 0.0],
    );
    println!(
        "method          tolerance    steps      time    spin [rad]    arm [rad]   sleeve [m]"
    );
    let reference = run(
        start,
        "Dormand–Prince",
        1e-11,
        DormandPrince::new(1e-11, 1e-11),
    )?;
    let found = run(start, "Radau5", 1e-8, Radau5::new(1e-8, 1e-8))?;
    assert!(100 * found.steps < reference.steps);
    for i in 0..4 {
        let (found, expected) = (found.end.q[i], reference.end.q[i]);
        assert!(
            (found / expected - 1.0).abs() < 1e-6,
            "{i}: {found} {expected}"
        );
    }
    let path = plot::write_svg("governor", figure(start)?)?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

struct Run {
    steps: usize,
    end: Motion,
}

fn run<I: Integrator<Scalar = f64>>(
    start: Motion,
    name: &str,
    tolerance: f64,
    method: I,
) -> Result<Run, Box<dyn Error>> {
    let governor = Governor::<f64>::default();
    let clock = Instant::now();
    let mut run = Simulation::new(governor, start, method)?;
    let (mut steps, mut energy, turning) = (0, run.energy(), momentum(&start));
    let mut least = f64::INFINITY;
    run.run_until_with(END, |state| {
        steps += 1;
        let now = governor.kinetic_energy(state.t, &state.q, &state.v)
            + governor.potential_energy(state.t, &state.q);
        least = least.min(energy - now);
        energy = now;
        let change = momentum(state) / turning - 1.0;
        assert!(
            change.abs() < 1e-6,
            "angular momentum changes by {change:e}"
        );
    })?;
    assert!(least > -1e-5, "energy rises by {:e}", -least);
    let end = *run.state();
    let [spin, a, _, z] = end.q.into();
    println!(
        "{name:<16}{tolerance:>9e}{steps:>9}{:>10.1?}{spin:>14.8}{a:>13.8}{z:>13.8}",
        clock.elapsed()
    );
    Ok(Run { steps, end })
}

/// About the shaft: that of the balls on their circles, and of the shaft.
fn momentum(state: &Motion) -> f64 {
    let Governor {
        ball_mass,
        shaft,
        l,
        ..
    } = Governor::<f64>::default();
    let [_, a, b, _]: [f64; 4] = state.q.into();
    (shaft + ball_mass * l * l * (a.sin().powi(2) + b.sin().powi(2))) * state.v[0]
}

/// The governor in real time; the arms and the sleeve.
fn figure(start: Motion) -> Result<[(u32, Vec<Panel>); 2], constraint_runtime::Error> {
    let Governor { l, half, .. } = Governor::<f64>::default();
    let view = View::new(0.0, 0.2);
    let mut run = Simulation::new(Governor::default(), start, Radau5::new(1e-8, 1e-8))?;
    let (mut bars, mut balls, mut arm, mut height) = (vec![], vec![], vec![], vec![]);
    for sample in run.sample(0.0..=END, END / 250.0) {
        let sample = sample?;
        let GovernorCoordinates { spin, a, b, z } = sample.coordinates;
        // Along the first arm, along the second, seen from their joint.
        let on = |angle: f64, side: f64, part: f64| {
            let across = side * part * angle.sin();
            view.flat([
                across * spin.cos(),
                across * spin.sin(),
                -part * angle.cos(),
            ])
        };
        let (top, sleeve, lifted) = ((0.0, 0.0), view.flat([0.0, 0.0, z]), (f64::NAN, 0.0));
        let ends = [on(a, 1.0, l), on(b, -1.0, l)];
        let links = [on(a, 1.0, half), sleeve, on(b, -1.0, half)];
        let shape: Points = [ends[0], top, ends[1], lifted]
            .into_iter()
            .chain(links)
            .collect();
        bars.push(shape);
        balls.push(ends.to_vec());
        arm.push((sample.t, a));
        height.push((sample.t, z));
    }
    let sleeves = height.iter().map(|&(_, z)| vec![view.flat([0.0, 0.0, z])]);
    let drawing = Panel::in_space("The governor opens and closes", END)
        .with(Line::curve(
            "",
            color::GREY,
            3.0,
            [(0.0, 0.1), (0.0, -1.2 * l)],
        ))
        .with(Line::bars(color::BLACK, 3.0, bars))
        .with(Line::dots(color::VERMILION, 18.0, balls))
        .with(Line::dots(color::BLUE, 14.0, sleeves));
    let arm = Panel::over_time("An arm", "angle in rad", END).with(Line::curve(
        "",
        color::VERMILION,
        1.5,
        arm,
    ));
    let height = Panel::over_time("The sleeve", "height in m", END).with(Line::curve(
        "",
        color::BLUE,
        1.5,
        height,
    ));
    Ok([(300, vec![drawing]), (230, vec![arm, height])])
}
