//! Gradients of whole runs over the runs themselves: chains by RK4 with projection; beside them what else tells how a run
//! varies, one direction at a time: `num-dual`'s numbers through the same run, and central differences of two.
//!
//! - `cargo bench -p constraint-benches --bench gradient`: all in turns, least times.
//! - With `links`, `run`, `gradient`, `dual` or `differences`, and steps as arguments, one of them once, for callgrind: a run
//!   of no step is to be taken off.

#[path = "systems/timing.rs"]
mod timing;

use constraint_runtime::prelude::*;
use num_dual::Dual64;

use self::timing::{Contender, race};

const STEP: f64 = 1e-3;

/// How far l is apart in differences, either way: ∛ε.
const APART: f64 = 6e-6;

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

            /// By l, the last of the numbers that the gradient is by.
            fn hanging<T: Real>(l: T) -> Simulation<Chain<T>, Rk4<T>> {
                let mut at = Point2::origin();
                let bead = std::array::from_fn(|i| {
                    let (sin, cos) = (0.5 + 0.2 * (i as f64).sin()).sin_cos();
                    at += Vector2::new(l * T::lit(sin), -l * T::lit(cos));
                    at
                });
                let velocities = ChainVelocities::default();
                let start = State::new(T::zero(), ChainCoordinates { bead }, velocities);
                let chain = Chain {
                    m: T::one(),
                    l,
                    g: T::lit(9.81),
                };
                Simulation::new(chain, start, Rk4::new(T::lit(STEP))).expect("it hangs")
            }

            fn end<T: Real>(l: T, steps: u32) -> T {
                let mut run = hanging(l);
                run.run_until(T::lit(STEP * f64::from(steps)))
                    .expect("it swings");
                run.state().q[0]
            }

            pub fn run(steps: u32) -> f64 {
                end(1.0, steps)
            }

            /// Along longer rods, the start with them.
            pub fn dual(steps: u32) -> f64 {
                end(Dual64::new(1.0, 1.0), steps).eps
            }

            pub fn differences(steps: u32) -> f64 {
                (end(1.0 + APART, steps) - end(1.0 - APART, steps)) / (2.0 * APART)
            }

            pub fn gradient(steps: u32) -> f64 {
                let found = hanging(1.0).gradient(&[STEP * f64::from(steps)], |_, state, by| {
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

const PARTS: [&str; 4] = ["run", "gradient", "dual", "differences"];

macro_rules! parts {
    ($module:ident) => {
        [
            $module::run,
            $module::gradient,
            $module::dual,
            $module::differences,
        ]
    };
}

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    let chains: [(&str, u32, [Part; 4]); 2] =
        [("16", 100, parts!(sixteen)), ("64", 50, parts!(sixty_four))];
    if let [links, part, steps] = words.as_slice() {
        let (.., parts) = chains
            .iter()
            .find(|(name, ..)| name == links)
            .expect("16 or 64");
        let part = PARTS.iter().position(|name| name == part);
        let part = parts[part.expect("run, gradient, dual or differences")];
        println!("{}", part(steps.parse().expect("a number of steps")));
        return;
    }
    println!(
        "| links | steps | run | gradient | over the run | one direction by num-dual | by differences |\n\
         |---|---|---|---|---|---|---|"
    );
    for (links, steps, parts) in chains {
        let times = race(&mut parts.map(|part| Contender::new(move || part(steps))));
        let [run, gradient, dual, differences] = [0, 1, 2, 3].map(|i| 1e3 * times[i]);
        println!(
            "| {links} | {steps} | {run:.2} ms | {gradient:.2} ms | {:.2} | {dual:.2} ms | {differences:.2} ms |",
            gradient / run
        );
    }
}
