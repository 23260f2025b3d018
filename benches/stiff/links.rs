//! Chains on stiff bends: what a step takes a link, however many there are.

use constraint_runtime::Effort;
use constraint_runtime::Implicit;
use constraint_runtime::prelude::*;

use super::timing::{Contender, race};

/// Steps that are timed, after some in which Newton's method gets to know the motion.
const STEPS: usize = 5;

/// How a chain lies before it falls. On the level nothing pulls along it but what its pin does, which fades from link to
/// link; on a slope its weight pulls at all of it.
const STARTS: [(&str, Vector2<f64>); 2] = [
    ("level", Vector2::new(1.0, 0.0)),
    ("a slope", Vector2::new(0.8, -0.6)),
];

/// A chain that falls, its bends stiff.
macro_rules! chain {
    ($module:ident: $links:literal) => {
        mod $module {
            use super::*;

            system! {
                #[derivatives]
                #[solver(rolled)]
                pub struct Chain { m: Real = 1, l: Real = 1, k: Real = 1e7, g: Real = 9.81 }
                particle bead[$links]: Point2 { mass: m }
                constraint link[0]: norm(bead[0]) == l;
                for i in 1..$links { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
                for i in 2..$links { potential k/2*norm_squared(bead[i] - 2*bead[i-1] + bead[i-2]); }
                gravity [0, -g];
            }

            pub fn print() {
                for (name, along) in STARTS {
                    let mut q = ChainCoordinates::default();
                    for (i, bead) in q.bead.iter_mut().enumerate() {
                        *bead = Point2::from(along * (1.0 + i as f64));
                    }
                    let start = State::new(0.0, q, ChainVelocities::default());
                    let alpha = GeneralizedAlpha::new(1e-2, 0.8);
                    let alpha = Simulation::new(Chain::default(), start.clone(), alpha);
                    compare($links, [name, "generalised α"], alpha.expect("a start"));
                    let radau = Simulation::new(Chain::default(), start, Radau5::new(1e-6, 1e-6));
                    compare($links, [name, "`Radau5`"], radau.expect("a start"));
                }
            }
        }
    };
}

chain!(hundreds: 500);
chain!(thousands: 2_000);
chain!(ten_thousand: 10_000);

/// A step of chains of 500, 2,000 and 10,000 links.
pub fn chains() {
    println!(
        "\nSteps of chains on bends of 10⁷ N/m\n\n\
         | links | start | method | iterations a step | eliminations a step | time a step | time a step and link | drift |\n\
         |---|---|---|---|---|---|---|---|"
    );
    hundreds::print();
    thousands::print();
    ten_thousand::print();
}

fn compare<S, I>(links: usize, [start, method]: [&str; 2], mut run: Simulation<S, I>)
where
    S: System<f64> + Clone,
    I: Implicit + Integrator<Scalar = f64> + Clone,
{
    let stepped = |run: &mut Simulation<S, I>| {
        for _ in 0..STEPS {
            run.step().expect("it falls");
        }
    };
    stepped(&mut run);
    let before = run.effort();
    let times = race(&mut [Contender::new(|| {
        let mut run = run.clone();
        stepped(&mut run);
        run
    })]);
    stepped(&mut run);
    let after = run.effort();
    let count = |of: fn(&Effort) -> usize| (of(&after) - of(&before)) as f64 / STEPS as f64;
    let [iterations, eliminations] = [
        count(|effort| effort.iterations),
        count(|effort| effort.eliminations),
    ];
    let step = times[0] / STEPS as f64;
    println!(
        "| {links} | {start} | {method} | {iterations:.1} | {eliminations:.1} | {:.2} ms | {:.2} µs | {:.1e} |",
        1e3 * step,
        1e6 * step / links as f64,
        run.drift()
    );
}
