//! Two beads joined by a spring on the wire y = x⁴ − 2x², in two forms that are compared.
//!
//! - *Generalized coordinates*: the coordinate x of each bead gives its position on the wire. No bead can leave the
//!   wire, and (Jᵀ M J) q̈ = Jᵀ F − Jᵀ M J̇ q̇ has two equations.
//! - *Multipliers*: the beads are particles in the plane, and a constraint holds each on the wire. There are four
//!   equations and two multipliers, which give the forces of the wire.
//!
//! Both come from `system!`. They are compared with each other and with the equations derived by hand.
//! Lengths are in metres, times in seconds, masses in kilograms; y counts upwards.

use std::error::Error;
use std::io::{self, Write};

use constraint_runtime::prelude::*;

#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, color, evenly, spring};

system! {
    /// Two beads joined by a spring on the wire y = x⁴ − 2x².
    pub struct SpringBeads { m1: Real = 1, m2: Real = 1, k: Real = 20, rest: Real = 1, g: Real = 9.81 }

    fn wire(s) = [s, s^4 - 2*s^2];

    coordinate x1, x2;
    particle a = wire(x1) { mass: m1 }
    particle b = wire(x2) { mass: m2 }

    potential m1*g*a.y + m2*g*b.y;
    potential k/2 * (norm(b - a) - rest)^2;
}

system! {
    /// The same beads with coordinates of the plane, each held on the wire by a constraint.
    pub struct HeldBeads { m1: Real = 1, m2: Real = 1, k: Real = 20, rest: Real = 1, g: Real = 9.81 }

    fn height(x) = x^4 - 2*x^2;

    particle a: Point2 { mass: m1 }
    particle b: Point2 { mass: m2 }
    constraint wire_a: a.y == height(a.x);
    constraint wire_b: b.y == height(b.x);

    potential m1*g*a.y + m2*g*b.y;
    potential k/2 * (norm(b - a) - rest)^2;
}

const MASSES: [f64; 2] = [1.0, 2.0];
const STIFFNESS: f64 = 40.0;
/// Long enough that the beads never meet, where the spring would have no direction.
const REST: f64 = 1.5;
const GRAVITY: f64 = 9.81;
/// Where the beads are released.
const START: [f64; 2] = [-1.2, 0.3];
const END: f64 = 10.0;

const GENERALIZED: SpringBeads = SpringBeads {
    m1: MASSES[0],
    m2: MASSES[1],
    k: STIFFNESS,
    rest: REST,
    g: GRAVITY,
};
const HELD: HeldBeads = HeldBeads {
    m1: MASSES[0],
    m2: MASSES[1],
    k: STIFFNESS,
    rest: REST,
    g: GRAVITY,
};

/// Prints the report and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    report(&mut io::stdout().lock())
}

/// The whole comparison, checked while it is written.
pub fn report(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let (generalized, held) = (SpringBeads::DERIVATION, HeldBeads::DERIVATION);
    writeln!(out, "Derived when this program was compiled\n")?;
    writeln!(
        out,
        "generalized coordinates: M =\n{}",
        generalized.entry("mass_matrix").text
    )?;
    writeln!(out, "multipliers: J =\n{}\n", held.entry("jacobian").text)?;
    writeln!(
        out,
        "v̇ in generalized coordinates: {}",
        generalized.entry("acceleration").cost
    )?;
    writeln!(
        out,
        "v̇ with multipliers:           {}\n",
        held.entry("acceleration").cost
    )?;
    compare_states(out)?;
    compare_runs(out)
}

// ---------------------------------------------------------------------------------------------
// At single states

/// The wire over x: y, y′, y″.
fn wire(x: f64) -> [f64; 3] {
    let square = x * x;
    [
        square * (square - 2.0),
        4.0 * x * (square - 1.0),
        12.0 * square - 4.0,
    ]
}

/// Both beads on the wire, with coordinates of the plane.
fn on_wire([x1, x2]: [f64; 2], [v1, v2]: [f64; 2]) -> State<SVector<f64, 4>> {
    let ([y1, slope1, _], [y2, slope2, _]) = (wire(x1), wire(x2));
    State::new(0.0, [x1, y1, x2, y2], [v1, slope1 * v1, v2, slope2 * v2])
}

/// ẍ₁, ẍ₂ and the vertical forces of the wire, by hand: along the tangent (1, y′) of each bead,
///
/// ```text
/// m (1 + y′²) ẍ = F_x + y′ (F_y − m g) − m y′ y″ ẋ²        F: the spring's pull
/// λ = m (y′ ẍ + y″ ẋ²) + m g − F_y
/// ```
fn by_hand(x: [f64; 2], v: [f64; 2]) -> ([f64; 2], [f64; 2]) {
    let [(y1, y2), (x1, x2)] = [(wire(x[0])[0], wire(x[1])[0]), (x[0], x[1])];
    let length = (x2 - x1).hypot(y2 - y1);
    let pull = STIFFNESS * (1.0 - REST / length);
    let (mut acceleration, mut lambda) = ([0.0; 2], [0.0; 2]);
    for (i, towards_other) in [(0, 1.0), (1, -1.0)] {
        let (m, [_, slope, bend]) = (MASSES[i], wire(x[i]));
        let (fx, fy) = (
            towards_other * (x2 - x1) * pull,
            towards_other * (y2 - y1) * pull,
        );
        let along = fx + slope * (fy - m * GRAVITY) - m * slope * bend * v[i] * v[i];
        acceleration[i] = along / (m * (1.0 + slope * slope));
        lambda[i] = m * (slope * acceleration[i] + bend * v[i] * v[i]) + m * GRAVITY - fy;
    }
    (acceleration, lambda)
}

/// Accelerations and forces at states all along the wire.
fn compare_states(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let mut worst = [0.0_f64; 3];
    let mut states = 0;
    let places = || (-15..=15).map(|i| f64::from(i) / 10.0);
    for (x1, x2) in places().flat_map(|x1| places().map(move |x2| (x1, x2))) {
        if x1 == x2 {
            continue; // The spring then has no direction.
        }
        let (x, v) = ([x1, x2], [2.0 * x2, 1.0 - 3.0 * x1]);
        let (expected, lambda) = by_hand(x, v);
        let State { t, q, v: velocity } = on_wire(x, v);
        let direct = GENERALIZED.acceleration(t, &x.into(), &v.into())?;
        let (held, force) = HELD.acceleration_and_multipliers(t, &q, &velocity)?;
        for i in 0..2 {
            let scale = 1.0 + expected[i].abs();
            let differences = [
                (direct[i] - expected[i]) / scale,
                (held[2 * i] - expected[i]) / scale,
                (force[i] - lambda[i]) / (1.0 + lambda[i].abs()),
            ];
            for (worst, difference) in worst.iter_mut().zip(differences) {
                *worst = worst.max(difference.abs());
            }
        }
        states += 1;
    }
    assert!(
        worst.iter().all(|&difference| difference < 1e-12),
        "{worst:?}"
    );
    writeln!(
        out,
        "At {states} states both forms agree with the equations by hand, with a relative error below 1e-12,"
    )?;
    writeln!(out, "and so do the forces of the wire.\n")?;
    Ok(())
}

// ---------------------------------------------------------------------------------------------
// Along runs

/// Both forms from the same start with steps of the same size.
struct Comparison {
    h: f64,
    /// Time and x of both beads, in generalized coordinates.
    places: Vec<(f64, [f64; 2])>,
    /// Time and distance of the beads from those of the other form.
    apart: Vec<(f64, f64)>,
    /// Largest |E/E₀ − 1| of each form.
    energy: [f64; 2],
    /// Largest |C| of the form with multipliers, in m.
    off: f64,
}

impl Comparison {
    fn new(h: f64) -> Result<Self, constraint_runtime::Error> {
        let start = State::new(0.0, START, [0.0; 2]);
        let mut direct = Simulation::new(GENERALIZED, start, Rk4::new(h))?;
        let mut held = Simulation::new(HELD, on_wire(START, [0.0; 2]), Rk4::new(h))?;
        let mut found = Self {
            h,
            places: vec![],
            apart: vec![],
            energy: [0.0; 2],
            off: 0.0,
        };
        let initial = direct.energy();
        while direct.state().t < END - h / 2.0 {
            direct.step()?;
            held.step()?;
            let (q, t) = (direct.coordinates(), direct.state().t);
            let here = on_wire([q.x1, q.x2], [0.0; 2]).q;
            found.places.push((t, [q.x1, q.x2]));
            found.apart.push((t, (here - held.state().q).norm()));
            found.off = found.off.max(held.drift());
            for (worst, energy) in found
                .energy
                .iter_mut()
                .zip([direct.energy(), held.energy()])
            {
                *worst = worst.max((energy / initial - 1.0).abs());
            }
        }
        Ok(found)
    }

    fn farthest(&self) -> f64 {
        self.apart
            .iter()
            .map(|&(_, apart)| apart)
            .fold(0.0, f64::max)
    }
}

fn compare_runs(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let runs = [2e-3, 1e-3, 5e-4].map(Comparison::new);
    let runs = runs.into_iter().collect::<Result<Vec<_>, _>>()?;
    let [x1, x2] = START;
    let lines = [
        &format!("Released from rest at x = {x1} and {x2} m, {END} s of RK4, projected\n"),
        "            largest E/E₀ − 1              distance between",
        "step h/s    generalized    multipliers    the forms/m",
    ];
    for line in lines {
        writeln!(out, "{line}")?;
    }
    for run in &runs {
        let (Comparison { h, off, .. }, [direct, held]) = (run, run.energy);
        let apart = run.farthest();
        writeln!(out, "{h:<11} {direct:>11.0e} {held:>14.0e} {apart:>16.0e}")?;
        assert!(*off < 1e-13, "a bead is {off:e} m off the wire");
    }
    writeln!(out, "\nNo bead leaves the wire by more than 1e-13 m.")?;
    for pair in runs.windows(2) {
        let order = (pair[0].farthest() / pair[1].farthest()).log2();
        assert!(
            (3.5..4.5).contains(&order),
            "the forms approach with order {order}"
        );
    }
    let path = plot::write_svg("spring_beads", figure(&runs))?;
    writeln!(out, "\nFigure: {}", path.display())?;
    Ok(())
}

// ---------------------------------------------------------------------------------------------
// The figure

fn figure(runs: &[Comparison]) -> [(u32, Vec<Panel>); 2] {
    let finest = &runs[runs.len() - 1];
    let place = |x: f64| (x, wire(x)[0]);
    let frames = || evenly(&finest.places, 200).map(|(_, x)| x.map(place));
    let track = (-164..=164).map(|i| place(f64::from(i) / 100.0));
    let springs = frames().map(|[a, b]| spring(a, b, 0.16));
    let drawing = Panel::drawing("Two beads and a spring, in real time", END)
        .with(Line::curve("", color::GREY, 3.0, track))
        .with(Line::bars(color::BLACK, 1.5, springs))
        .with(Line::dots(
            color::VERMILION,
            13.0,
            frames().map(|it| vec![it[0]]),
        ))
        .with(Line::dots(
            color::BLUE,
            17.0,
            frames().map(|it| vec![it[1]]),
        ));
    let bead = |i: usize| finest.places.iter().map(move |&(t, x)| (t, x[i]));
    let places = Panel::over_time("Both beads", "x in m", END)
        .with(Line::curve("a, 1 kg", color::VERMILION, 1.5, bead(0)))
        .with(Line::curve("b, 2 kg", color::BLUE, 1.5, bead(1)));
    let labels = ["h = 2 ms", "1 ms", "0.5 ms"];
    let colors = [color::PURPLE, color::GREEN, color::BLACK];
    let lines = runs
        .iter()
        .zip(labels)
        .zip(colors)
        .map(|((run, label), color)| Line::curve(label, color, 1.0, run.apart.iter().copied()));
    let apart = Panel::over_time(
        "Distance between the beads of the two forms",
        "distance in m",
        END,
    )
    .log()
    .y(1e-16, 1.0)
    .with_all(lines);
    [(300, vec![drawing, places]), (240, vec![apart])]
}
