//! A bead on the parabola x² + 100·y = 0, in two forms that are compared.
//!
//! - *Implicit*: `constraint!` derives the force that keeps the bead on the wire from the equation. Any external force
//!   may act; the cost is drift, which has to be removed.
//! - *Parametric*: the wire is the curve r(q) = (q, −q²/100), and Lagrange's equation gives q̈. The bead cannot leave
//!   the wire; the cost is a derivation for each system.
//!
//! Both run on the same integrators. Lengths are in metres, times in seconds, the mass in kilograms; y counts
//! downwards as on a screen, so the parabola is a valley 100 m deep.

use std::error::Error;
use std::io::{self, Write};

use constraint_runtime::prelude::*;

#[path = "common/one_coordinate.rs"]
mod one_coordinate;
#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use one_coordinate::OneCoordinate;
use plot::{Color, Line, Panel, color, evenly};

constraint! {
    /// A bead on the parabola x² + 100·y = 0.
    pub struct Parabola;
    |x, y| x*x + 100*y
}

const MASS: f64 = 2.0;
const GRAVITY: f64 = 9.81;
/// The bead is released from rest this far to the left of the lowest point.
const START: f64 = -100.0;
const STEP: f64 = 0.02;
const STEPS: usize = 6000;
const END: f64 = 120.0;
const BAUMGARTE: Stabilization<f64> = Stabilization::Baumgarte {
    alpha: 5.0,
    beta: 5.0,
};

/// Prints the report and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    report(&mut io::stdout().lock())
}

/// The whole comparison, checked while it is written.
pub fn report(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    writeln!(
        out,
        "Derived from x² + 100 y = 0 when this program was compiled\n"
    )?;
    writeln!(out, "{}\n", Parabola::DERIVATION)?;
    compare_forces(out)?;
    compare_forms(out)?;
    compare_runs(out)
}

// ---------------------------------------------------------------------------------------------
// The force at one state

/// The closed form as it is often copied, with its coefficient of x·Fx left open.
///
/// Solving C̈ = 0 and f̂·v = 0 by hand gives 50. The printed listing has 100.
fn force_by_hand(
    coefficient: f64,
    q: &Vector2<f64>,
    v: &Vector2<f64>,
    f: &Vector2<f64>,
) -> Vector2<f64> {
    let y =
        -(50.0 * MASS * v.x * v.x + coefficient * q.x * f.x + 2500.0 * f.y) / (q.x * q.x + 2500.0);
    Vector2::new(q.x * y / 50.0, y)
}

/// Compares the generated force with the two listings, without and with a push from the side.
fn compare_forces(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let (q, v) = on_wire(40.0, 5.0);
    let second_rate = |force: Vector2<f64>| {
        (Parabola.jacobian(0.0, &q) * (force / MASS) + Parabola.bias(0.0, &q, &v))[0]
    };
    writeln!(
        out,
        "The force on the bead at x = 40 m, moving at vx = 5 m/s; C̈ must be 0\n"
    )?;
    let columns = "constraint force f̂      fx/N      fy/N   C̈/(m²/s²)";
    writeln!(out, "external force       {columns}")?;
    for (label, push) in [("weight", 0.0), ("weight, 7 N along x", 7.0)] {
        let f = Vector2::new(push, MASS * GRAVITY);
        let generated = Parabola.particle_force(0.0, &q, &v, MASS, &f)?;
        let corrected = force_by_hand(50.0, &q, &v, &f);
        let printed = force_by_hand(100.0, &q, &v, &f);
        for (source, f_hat) in [
            ("generated", generated),
            ("by hand, 50 x Fx", corrected),
            ("published, 100 x Fx", printed),
        ] {
            let c_ddot = second_rate(f + f_hat);
            // Rounding is no finding.
            let c_ddot = if c_ddot.abs() < 1e-12 { 0.0 } else { c_ddot };
            let (x, y) = (f_hat.x, f_hat.y);
            writeln!(
                out,
                "{label:<19}  {source:<19} {x:>9.4} {y:>9.4} {c_ddot:>12.3}"
            )?;
        }
        assert!((generated - corrected).norm() < 1e-13 * generated.norm());
        assert!(second_rate(f + generated).abs() < 1e-12, "C̈ must be 0");
        assert!(generated.dot(&v).abs() < 1e-12, "the wire must do no work");
        // Gravity alone hides the misprint.
        assert_eq!(second_rate(f + printed).abs() > 1.0, push != 0.0);
    }
    writeln!(out)?;
    Ok(())
}

/// The state at `x` on the wire, moving along it with ẋ = `vx`.
fn on_wire(x: f64, vx: f64) -> (Vector2<f64>, Vector2<f64>) {
    (
        Vector2::new(x, -x * x / 100.0),
        Vector2::new(vx, -x * vx / 50.0),
    )
}

// ---------------------------------------------------------------------------------------------
// The two forms

/// The implicit form: the equation of the wire, a mass and a weight.
fn implicit()
-> impl System<f64, Q = SVector<f64, 2>, V = SVector<f64, 2>, Coordinates = Vector2<f64>> {
    Particle::new(MASS)
        .on(Parabola)
        .under_gravity([0.0, GRAVITY])
}

/// The parametric form, by hand. With r = (q, −q²/100):
///
/// ```text
/// T = ½ m q̇² (1 + q²/2500)        r′·r′ = 1 + q²/2500
/// U = −m g y = m g q²/100
/// d/dt ∂T/∂q̇ − ∂T/∂q + ∂U/∂q = m q̈ (1 + q²/2500) + m q q̇²/2500 + m g q/50 = 0
/// ```
fn parametric() -> impl System<f64, Q = SVector<f64, 1>, V = SVector<f64, 1>> {
    OneCoordinate {
        acceleration: |q: f64, q_dot: f64| -q * (q_dot * q_dot + 50.0 * GRAVITY) / (2500.0 + q * q),
        kinetic_energy: |q: f64, q_dot: f64| 0.5 * MASS * q_dot * q_dot * (1.0 + q * q / 2500.0),
        potential_energy: |q: f64| MASS * GRAVITY * q * q / 100.0,
    }
}

/// Both forms must give one acceleration at every state on the wire.
fn compare_forms(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let mut largest: f64 = 0.0;
    for (x, vx) in
        (-20..=20).flat_map(|i| (-6..=6).map(move |k| (5.0 * f64::from(i), 8.0 * f64::from(k))))
    {
        let (q, v) = on_wire(x, vx);
        let implicit = implicit().acceleration(0.0, &q, &v)?;
        let parametric = parametric().acceleration(0.0, &[x].into(), &[vx].into())?;
        largest = largest.max((implicit.x - parametric[0]).abs());
    }
    assert!(largest < 1e-13, "the forms differ by {largest:e} m/s²");
    writeln!(out, "Parametric form: q̈ = −q (q̇² + 50 g)/(2500 + q²).")?;
    writeln!(
        out,
        "At 533 states on the wire it differs from the implicit ẍ by at most {largest:.0e} m/s².\n"
    )?;
    Ok(())
}

// ---------------------------------------------------------------------------------------------
// Two minutes of motion

/// What is seen of a run at one time.
struct Sample {
    t: f64,
    place: Vector2<f64>,
    /// Distance from the wire, to first order |C|/|∇C|, in m.
    off_wire: f64,
    /// Change of energy since the start, in parts of the energy of the whole fall.
    energy_error: f64,
}

/// One run: a form, an integrator and a stabilisation.
struct Run {
    label: &'static str,
    color: Color,
    samples: Vec<Sample>,
}

impl Run {
    /// Advances `run` to the end and notes each step; `place` is where coordinates lie in the plane.
    fn new<S, I, const N: usize>(
        label: &'static str,
        color: Color,
        mut run: Simulation<S, I>,
        place: impl Fn(&SVector<f64, N>) -> Vector2<f64>,
    ) -> Result<Self, constraint_runtime::Error>
    where
        S: System<f64, Q = SVector<f64, N>, V = SVector<f64, N>>,
        I: Integrator<Scalar = f64>,
    {
        let start_energy = run.energy();
        let mut samples = Vec::with_capacity(STEPS);
        for step in 1..=STEPS {
            run.run_until(step as f64 * STEP)?;
            let place = place(&run.state().q);
            let gradient = Parabola.jacobian(0.0, &place).norm();
            samples.push(Sample {
                t: run.state().t,
                place,
                off_wire: Parabola.value(0.0, &place)[0].abs() / gradient,
                energy_error: (run.energy() - start_energy) / start_energy,
            });
        }
        Ok(Self {
            label,
            color,
            samples,
        })
    }

    fn worst(&self, of: impl Fn(&Sample) -> f64) -> f64 {
        self.samples
            .iter()
            .map(of)
            .fold(0.0, |worst, x| worst.max(x.abs()))
    }

    fn end(&self) -> Vector2<f64> {
        self.samples[STEPS - 1].place
    }
}

/// The implicit form under every stabilisation, then the parametric form.
fn runs<I>(integrator: I) -> Result<[Run; 4], constraint_runtime::Error>
where
    I: Integrator<Scalar = f64> + Copy,
{
    let (q, v) = on_wire(START, 0.0);
    let implicit = |label, color, stabilization| {
        let run = Simulation::new(implicit(), State::new(0.0, q, v), integrator)?;
        Run::new(label, color, run.with_stabilization(stabilization), |q| *q)
    };
    let free = Simulation::new(parametric(), State::new(0.0, [START], [0.0]), integrator)?;
    Ok([
        implicit(
            "implicit, no stabilisation",
            color::VERMILION,
            Stabilization::None,
        )?,
        implicit("implicit, Baumgarte", color::BLUE, BAUMGARTE)?,
        implicit(
            "implicit, projection",
            color::GREEN,
            Stabilization::default(),
        )?,
        Run::new("parametric", color::BLACK, free, |q| on_wire(q[0], 0.0).0)?,
    ])
}

fn compare_runs(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    // Reference: the parametric form with steps a hundred times shorter.
    let start = State::new(0.0, [START], [0.0]);
    let mut reference = Simulation::new(parametric(), start, Rk4::new(STEP / 100.0))?;
    reference.run_until(END)?;
    let end = on_wire(reference.state().q[0], 0.0).0;

    let methods = [
        ("semi-implicit Euler", runs(SemiImplicitEuler::new(STEP))?),
        ("RK4", runs(Rk4::new(STEP))?),
    ];
    writeln!(
        out,
        "Released from rest at x = {START} m, {END} s in steps of {STEP} s; Baumgarte α = β = 5/s\n"
    )?;
    writeln!(
        out,
        "                                                    largest during the run      at the end"
    )?;
    writeln!(
        out,
        "integrator           form                        distance/m        E/E₀ − 1  position error/m"
    )?;
    for (method, runs) in &methods {
        for run in runs {
            let (off, energy) = (run.worst(|s| s.off_wire), run.worst(|s| s.energy_error));
            let place = (run.end() - end).norm();
            writeln!(
                out,
                "{method:<20} {:<27} {off:>10.1e}  {energy:>14.1e} {place:>17.1e}",
                run.label
            )?;
        }
    }
    check(&methods[0].1, &methods[1].1);
    let path = plot::write_svg("bead_on_parabola", figure(&methods))?;
    writeln!(out, "\nFigure: {}", path.display())?;
    Ok(())
}

/// What the table has to show.
fn check(euler: &[Run; 4], rk4: &[Run; 4]) {
    for [none, baumgarte, projection, parametric] in [euler, rk4] {
        let off = |run: &Run| run.worst(|s| s.off_wire);
        assert!(
            off(projection) < 1e-12,
            "projection leaves the wire by {:e} m",
            off(projection)
        );
        assert!(
            off(none) > 10.0 * off(baumgarte),
            "feedback does not hold the drift"
        );
        assert!(off(parametric) < 1e-12, "the curve itself is off the wire");
    }
    for run in rk4 {
        let energy = run.worst(|s| s.energy_error);
        assert!(energy < 2e-5, "RK4, {}: energy error {energy:e}", run.label);
    }
    let off = euler[0].worst(|s| s.off_wire);
    assert!(
        off > 1.0,
        "semi-implicit Euler without stabilisation stays within {off} m of the wire"
    );
}

// ---------------------------------------------------------------------------------------------
// The figure

/// For each method: the beads in the last 20 s, four times as fast; drift and energy error so far.
fn figure(methods: &[(&str, [Run; 4]); 2]) -> [(u32, Vec<Panel>); 3] {
    let drawings = methods.iter().map(|(method, runs)| drawing(method, runs));
    let drifts = methods.iter().map(|(_, runs)| {
        so_far(
            "Distance from the wire",
            "|C|/|∇C| in m",
            &runs[..3],
            |s| s.off_wire,
        )
        .y(1e-16, 1e2)
    });
    let errors = methods.iter().map(|(_, runs)| {
        so_far("Energy error", "|E − E₀|/E₀", runs, |s| {
            s.energy_error
        })
        .y(1e-10, 1.0)
    });
    [
        (380, drawings.collect()),
        (230, drifts.collect()),
        (230, errors.collect()),
    ]
}

/// The beads on the wire in the last 20 s: what all the time has done to the paths.
fn drawing(method: &str, runs: &[Run; 4]) -> Panel {
    let place = |s: &Sample| (s.place.x, -s.place.y);
    let wire = (-118..=118).map(f64::from).map(|x| (x, x * x / 100.0));
    let mut drawing = Panel::drawing(format!("The last 20 s, {method}"), 5.0)
        .labels("x in m", "height −y in m")
        .with(Line::curve("", color::GREY, 5.0, wire));
    for (run, size) in runs.iter().zip([13.0, 10.0, 7.0, 4.0]) {
        let last = &run.samples[STEPS - 1000..];
        let bead = evenly(last, 100).map(|s| vec![place(s)]);
        drawing = drawing
            .with(Line::curve("", run.color, 1.0, last.iter().map(place)))
            .with(Line::dots(run.color, size, bead).labelled(run.label));
    }
    drawing
}

/// The largest value so far, on a logarithmic scale.
fn so_far(title: &str, y_label: &str, runs: &[Run], of: impl Fn(&Sample) -> f64) -> Panel {
    let line = |run: &Run| {
        let mut largest: f64 = 0.0;
        let so_far = run.samples.iter().map(|sample| {
            largest = largest.max(of(sample).abs());
            (sample.t, largest)
        });
        Line::curve("", run.color, 1.5, so_far)
    };
    Panel::new(title, "t in s", y_label)
        .log()
        .with_all(runs.iter().map(line))
}
