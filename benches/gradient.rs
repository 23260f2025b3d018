//! Gradients of whole runs over the runs themselves: chains by RK4 with projection.
//!
//! - `cargo bench --bench gradient`: both in turns, least times.
//! - With `links` and `run` or `gradient` as arguments, one of them once, for callgrind: a run of no step is to be taken off.

#[path = "systems/timing.rs"]
mod timing;

use constraint_runtime::prelude::*;

use self::timing::{Contender, race};

const STEP: f64 = 1e-3;

/// A chain that hangs about, and what is done with a run of so many steps.
macro_rules! chain {
    ($module:ident: $links:literal, #[$option:meta]) => {
        mod $module {
            use super::*;

            system! {
                #[$option]
                #[derivatives]
                pub struct Chain { m: Real = 1, l: Real = 1, g: Real = 9.81 }
                particle bead[$links]: Point2 { mass: m }
                constraint link[0]: norm(bead[0]) == l;
                for i in 1..$links { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
                gravity [0, -g];
            }

            fn hanging() -> Simulation<Chain<f64>, Rk4> {
                let mut at = Point2::origin();
                let bead = std::array::from_fn(|i| {
                    let (sin, cos) = (0.5 + 0.2 * (i as f64).sin()).sin_cos();
                    at += Vector2::new(sin, -cos);
                    at
                });
                let start = State::new(0.0, ChainCoordinates { bead }, ChainVelocities::default());
                Simulation::new(Chain::default(), start, Rk4::new(STEP)).expect("it hangs")
            }

            pub fn run(steps: u32) -> f64 {
                let mut run = hanging();
                run.run_until(STEP * f64::from(steps)).expect("it swings");
                run.state().q[0]
            }

            pub fn gradient(steps: u32) -> f64 {
                let found = hanging().gradient(&[STEP * f64::from(steps)], |_, state, by| {
                    by.q[0] += 1.0;
                    state.q[0]
                });
                found.expect("it swings").by.p[1]
            }
        }
    };
}

chain!(sixteen: 16, #[solver(unrolled)]);
chain!(sixty_four: 64, #[solver(rolled)]);

type Part = fn(u32) -> f64;

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    let chains: [(&str, u32, [Part; 2]); 2] = [
        ("16", 100, [sixteen::run, sixteen::gradient]),
        ("64", 50, [sixty_four::run, sixty_four::gradient]),
    ];
    if let [links, part, steps] = words.as_slice() {
        let (.., parts) = chains
            .iter()
            .find(|(name, ..)| name == links)
            .expect("16 or 64");
        let part = parts[usize::from(part == "gradient")];
        println!("{}", part(steps.parse().expect("a number of steps")));
        return;
    }
    println!("| links | steps | run | gradient | over the run |\n|---|---|---|---|---|");
    for (links, steps, parts) in chains {
        let times = race(&mut parts.map(|part| Contender::new(move || part(steps))));
        let [run, gradient] = [times[0], times[1]].map(|seconds| 1e3 * seconds);
        println!(
            "| {links} | {steps} | {run:.2} ms | {gradient:.2} ms | {:.2} |",
            gradient / run
        );
    }
}
