//! The README's and the book's models and the ready tracks, as Rust has them: the page must move them alike.

use constraint_runtime::prelude::*;
use constraint_runtime::tracks;

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

pub mod hanging {
    use super::*;

    system! {
        pub struct Chain { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }
        particle bead[8]: Point2 { mass: m }
        constraint anchor: norm(bead[0]) == l;
        for i in 1..8 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
        gravity [0, -g];
    }
}

system! {
    #[derivatives]
    pub struct Arm { m: Real = 1, l: Real = 0.5, inertia: Real = 0.02, g: Real = 9.81 }
    input shoulder_torque, elbow_torque;
    coordinate shoulder, elbow;
    fn along(angle) = [l/2*sin(angle), -l/2*cos(angle)];
    let second = shoulder + elbow;
    body upper: Rigid2 = pose(along(shoulder), shoulder) { mass: m, inertia: inertia }
    body lower: Rigid2 = pose(2*along(shoulder) + along(second), second) { mass: m, inertia: inertia }
    gravity [0, -g];
    force shoulder: shoulder_torque;
    force elbow: elbow_torque;
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
    "parabola", "circle", "rod", "hoop", "chain", "hanging", "reach", "double", "driven", "held",
    "plain",
];

/// And the ready tracks.
pub const TRACKS: [&str; 14] = [
    "hump",
    "loop",
    "ring",
    "ellipse",
    "lemniscate",
    "oval",
    "spiral",
    "unit",
    "waves",
    "corner",
    "bowl",
    "cycloid",
    "cardioid",
    "helix",
];

/// The states (q, v) at the end of each step of Runge–Kutta, from a state on.
pub fn motion(
    name: &str,
    [q, v]: [&[f64]; 2],
    [h, until]: [f64; 2],
    stabilization: Stabilization<f64>,
) -> Vec<Vec<f64>> {
    let down = -9.81;
    let run = Moved {
        q,
        v,
        h,
        until,
        stabilization,
    };
    match name {
        "parabola" => run.of(Particle::new(2.0)
            .on(constraint!(y == x ^ 2 / 100))
            .under_gravity([0.0, down])),
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
        "hanging" => run.of(hanging::Chain::default()),
        "reach" => {
            let inputs = ArmInputs {
                shoulder_torque: 0.0,
                elbow_torque: 0.0,
            };
            run.of(Arm::default().with_inputs(inputs))
        }
        "double" => run.of(DoublePendulum::default()),
        "driven" => {
            run.of(driven::Pendulum::default().with_inputs(driven::PendulumInputs { u: 0.0 }))
        }
        "held" => run.of(held::Pendulum::default()),
        "plain" => run.of(plain::Pendulum { l: 0.5, g: 10.0 }),
        "helix" => {
            let helix = tracks::Helix {
                r: 1.0,
                pitch: 1.5,
                turns: 4.0,
            };
            run.of(Particle::new(1.0)
                .along(helix)
                .under_gravity([0.0, down, 0.0]))
        }
        "hump" => run.slides(tracks::Hump),
        "loop" => run.slides(tracks::LoopTheLoop),
        "ring" => run.slides(tracks::Circle { r: 1.0 }),
        "ellipse" => run.slides(tracks::Ellipse { a: 2.0, b: 1.0 }),
        "lemniscate" => run.slides(tracks::Lemniscate { a: 1.5 }),
        "oval" => run.slides(tracks::Oval { r: 1.0, l: 1.0 }),
        "spiral" => run.slides(tracks::Spiral { a: 0.3 }),
        "unit" => run.slides(tracks::UnitCircle),
        "waves" => run.slides(tracks::Waves),
        "corner" => run.slides(tracks::Corner),
        "bowl" => run.slides(tracks::Parabola),
        "cycloid" => run.slides(tracks::Cycloid { r: 1.0 }),
        "cardioid" => run.slides(tracks::Cardioid { a: 1.0 }),
        other => panic!("no model is called {other}"),
    }
}

struct Moved<'a> {
    q: &'a [f64],
    v: &'a [f64],
    h: f64,
    until: f64,
    stabilization: Stabilization<f64>,
}

impl Moved<'_> {
    /// Of a bead of 1 kg in the plane, under gravity.
    fn slides(&self, track: impl Curve<f64, 2>) -> Vec<Vec<f64>> {
        self.of(Particle::new(1.0).along(track).under_gravity([0.0, -9.81]))
    }

    fn of<S, const N: usize>(&self, system: S) -> Vec<Vec<f64>>
    where
        S: System<f64, Q = SVector<f64, N>, V = SVector<f64, N>>,
    {
        let [q, v] = [self.q, self.v].map(SVector::<f64, N>::from_column_slice);
        let start = State { t: 0.0, q, v };
        let run =
            Simulation::new(system, start, Rk4::new(self.h)).expect("a start on the constraints");
        let mut run = run.with_stabilization(self.stabilization);
        let mut states = Vec::new();
        let done = run.run_until_with(self.until, |state| {
            states.push(state.q.iter().chain(&state.v).copied().collect());
        });
        match done {
            // A bead may leave its track before.
            Ok(_) | Err(Error::OutOfRange { .. }) => states,
            Err(error) => panic!("{error}"),
        }
    }
}
