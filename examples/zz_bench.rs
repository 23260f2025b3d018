use constraint_runtime::prelude::*;
use std::time::Instant;
constraint! { struct Rod { l: Real } |x, y| norm([x, y]) == l }
system! {
    struct Chain { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }
    particle bead[8]: Point2 { mass: m }
    constraint anchor: norm(bead[0]) == l;
    for i in 1..8 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
    for i in 0..8 { potential m*g*bead[i].y; }
}
fn time(name: &str, steps: u32, mut f: impl FnMut()) {
    let mut best = f64::INFINITY;
    for _ in 0..9 {
        let s = Instant::now();
        f();
        best = best.min(s.elapsed().as_secs_f64());
    }
    println!("{name}: {:.1} ns a step", best * 1e9 / f64::from(steps));
}
fn main() {
    let start = State::new(0.0, [0.6, -0.8], [0.0, 0.0]);
    macro_rules! run {
        ($name:literal, $sys:expr, $start:expr, $m:expr, $n:expr) => {
            time($name, $n, || {
                let mut r = Simulation::new($sys, $start, $m).unwrap();
                for _ in 0..$n {
                    r.step().unwrap();
                }
                std::hint::black_box(r.state());
            });
        };
    }
    run!(
        "pendulum Rk4",
        Particle::new(1.0_f64)
            .on(Rod { l: 1.0 })
            .under_gravity([0.0, -9.81]),
        start,
        Rk4::new(1e-2),
        20000
    );
    run!(
        "pendulum Euler",
        Particle::new(1.0_f64)
            .on(Rod { l: 1.0 })
            .under_gravity([0.0, -9.81]),
        start,
        SemiImplicitEuler::new(1e-3),
        20000
    );
    run!(
        "pendulum Rattle",
        Particle::new(1.0_f64)
            .on(Rod { l: 1.0 })
            .under_gravity([0.0, -9.81]),
        start,
        Rattle::new(1e-2),
        20000
    );
    let bead = std::array::from_fn(|i| Point2::new(0.5 * (i + 1) as f64, 0.0));
    let s = State::new(0.0, ChainCoordinates { bead }, ChainVelocities::default());
    run!("chain Rk4", Chain::default(), s, Rk4::new(1e-3), 3000);
    run!(
        "chain Euler",
        Chain::default(),
        s,
        SemiImplicitEuler::new(1e-3),
        3000
    );
    run!("chain Rattle", Chain::default(), s, Rattle::new(1e-3), 3000);
}
