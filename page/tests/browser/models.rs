//! The README's models, as Rust has them: the page must move them alike.

use constraint_runtime::prelude::*;

constraint! {
    /// A bead on the parabola x² + 100·y = 0.
    pub struct Parabola;
    |x, y| x*x + 100*y
}

constraint! {
    /// A rod of fixed length between two points of the plane.
    pub struct Rod { pub length: Real }
    |a: Point2, b: Point2| norm(b - a) == length
}

constraint! {
    /// A bead on a vertical hoop of radius `r` that turns with angular speed `omega`.
    pub struct SpinningHoop { pub r: Real, pub omega: Real }
    |p: Point3, t: Time| [norm_squared(p) - r^2, p.x*sin(omega*t) - p.y*cos(omega*t)]
}

system! {
    /// A chain of eight rigid links that hangs from the origin.
    pub struct Chain { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }

    particle bead[8]: Point2 { mass: m }

    constraint anchor: norm(bead[0]) == l;
    for i in 1..8 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
    for i in 0..8 { potential m*g*bead[i].y; }
}

curve! {
    /// The lemniscate of Bernoulli.
    pub struct Lemniscate { pub a: Real }
    |s in 0..=TAU| { let d = 1 + sin(s)^2; [a*cos(s)/d, a*sin(s)*cos(s)/d] }
}

system! {
    struct DoublePendulum { m: Real = 1, l1: Real = 1, l2: Real = 1, g: Real = 9.81 }
    particle upper: Point2 { mass: m }
    particle lower: Point2 { mass: m }
    constraint first: norm(upper) == l1;
    constraint second: norm(lower - upper) == l2;
    gravity [0, -g];
}

pub mod driven {
    use super::*;

    system! {
        #[derivatives]
        pub struct Pendulum { m: Real = 2, l: Real = 0.5, g: Real = 10 }
        input u;
        coordinate phi;
        particle bob = l*[sin(phi), -cos(phi)] { mass: m }
        gravity [0, -g];
        force phi: u;
    }
}

pub mod held {
    use super::*;

    system! {
        #[derivatives]
        pub struct Pendulum { m: Real = 2, l: Real = 0.5, g: Real = 10 }
        particle bob: Point2 { mass: m }
        constraint rod: norm(bob) == l;
        gravity [0, -g];
    }
}

pub mod plain {
    use super::*;

    system! {
        pub struct Pendulum { pub l: Real, pub g: Real }
        coordinate phi;
        particle bob = l*[sin(phi), -cos(phi)] { mass: 1 }
        gravity [0, -g];
    }
}

/// Which motions there are, by the names of the page's examples.
pub const NAMES: [&str; 11] = [
    "parabola",
    "wire",
    "circle",
    "rod",
    "hoop",
    "chain",
    "double",
    "driven",
    "held",
    "plain",
    "lemniscate",
];

/// The states (q, v) at the end of each step of Runge–Kutta, from a state on.
pub fn motion(name: &str, q: &[f64], v: &[f64], h: f64, until: f64) -> Vec<Vec<f64>> {
    let down = -9.81;
    let run = Moved { q, v, h, until };
    match name {
        "parabola" => run.of(Particle::new(2.0).on(Parabola).under_gravity([0.0, 9.81])),
        "wire" => run.of(Particle::new(2.0)
            .on(constraint!(|x, y| x * x + 100 * y))
            .under_gravity([0.0, 9.81])),
        "circle" => run.of(Particle::new(1.0)
            .on(constraint!(x ^ 2 + y ^ 2 == 1))
            .under_gravity([0.0, down])),
        "rod" => run.of(Particle::new(1.0)
            .on(Rod { length: 5.0 })
            .under_gravity([0.0; 4])),
        "hoop" => {
            let hoop = SpinningHoop { r: 1.0, omega: 4.0 };
            run.of(Particle::new(1.0).on(hoop).under_gravity([0.0, 0.0, down]))
        }
        "chain" => run.of(Chain::default()),
        "double" => run.of(DoublePendulum::default()),
        "driven" => {
            run.of(driven::Pendulum::default().with_inputs(driven::PendulumInputs { u: 0.0 }))
        }
        "held" => run.of(held::Pendulum::default()),
        "plain" => run.of(plain::Pendulum { l: 0.5, g: 10.0 }),
        "lemniscate" => run.of(Particle::new(1.0)
            .along(Lemniscate { a: 1.5 })
            .under_gravity([0.0, down])),
        other => panic!("no model is called {other}"),
    }
}

struct Moved<'a> {
    q: &'a [f64],
    v: &'a [f64],
    h: f64,
    until: f64,
}

impl Moved<'_> {
    fn of<S, const N: usize>(&self, system: S) -> Vec<Vec<f64>>
    where
        S: System<f64, Q = SVector<f64, N>, V = SVector<f64, N>>,
    {
        let [q, v] = [self.q, self.v].map(SVector::<f64, N>::from_column_slice);
        let start = State { t: 0.0, q, v };
        let mut run =
            Simulation::new(system, start, Rk4::new(self.h)).expect("a start on the constraints");
        let mut states = Vec::new();
        let done = run.run_until_with(self.until, |state| {
            states.push(state.q.iter().chain(&state.v).copied().collect());
        });
        done.expect("a motion to the end");
        states
    }
}
