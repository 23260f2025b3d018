//! A double pendulum in two forms: they agree until chaos has amplified the difference in the last digit.
//!
//! - *Angles*: two generalized coordinates, with a mass matrix that depends on them.
//! - *Rods*: two particles in the plane, held by two constraints.
//!
//! Checks: small swings have the frequencies of the two normal modes, and at any state the accelerations are those of
//! the equations by hand. Then follows a large swing. Exact integrations of both forms would agree forever; two runs
//! that differ in the last digit separate at the rate of the motion's Lyapunov exponent. To show that nothing else
//! separates the two forms, one form is run twice from starts that differ by a rounding error: these runs separate
//! just as fast.
//! Lengths are in metres, times in seconds, masses in kilograms; y counts upwards.

use std::error::Error;
use std::f64::consts::TAU;

use constraint_runtime::prelude::*;

#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, Points, color, evenly};

system! {
    /// Two equal bobs placed by the angles of their rods from the vertical.
    pub struct Angles { m: Real = 1, l: Real = 1, g: Real = 9.81 }

    fn hanging(angle) = [l*sin(angle), -l*cos(angle)];

    coordinate upper_angle { symbol: "θ₁" }, lower_angle { symbol: "θ₂" };
    particle upper = hanging(upper_angle) { mass: m }
    particle lower = upper + hanging(lower_angle) { mass: m }

    potential m*g*(upper.y + lower.y);
}

system! {
    /// The same bobs with coordinates of the plane, held by two rods.
    pub struct Rods { m: Real = 1, l: Real = 1, g: Real = 9.81 }

    particle upper: Point2 { mass: m }
    particle lower: Point2 { mass: m }
    constraint upper_rod: norm(upper) == l;
    constraint lower_rod: norm(lower - upper) == l;

    potential m*g*(upper.y + lower.y);
}

const GRAVITY: f64 = 9.81;
/// Both rods are released level.
const START: [f64; 2] = [TAU / 4.0, TAU / 4.0];
const END: f64 = 45.0;
/// Errors of a step are kept below this, which is near rounding.
const TOLERANCE: f64 = 1e-13;
/// How far aside the shadow is released, in rad.
const ASIDE: f64 = 1e-13;
/// What is compared with the angles.
const LABELS: [&str; 2] = ["rods", "angles, released 1e-13 rad aside"];

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    println!("Derived when this program was compiled\n");
    println!(
        "angles: M =\n{}\n",
        Angles::DERIVATION.entry("mass_matrix").text
    );
    println!(
        "angles: v̇ in {}",
        Angles::DERIVATION.entry("acceleration").cost
    );
    println!(
        "rods:   v̇ in {}\n",
        Rods::DERIVATION.entry("acceleration").cost
    );
    compare_accelerations()?;
    compare_modes()?;
    let swing = Swing::new()?;
    swing.report();
    let path = plot::write_svg("double_pendulum", figure(&swing))?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

// ---------------------------------------------------------------------------------------------
// At single states

/// The state of the rods at these angles and rates.
fn on_rods([a, b]: [f64; 2], [a_dot, b_dot]: [f64; 2]) -> State<SVector<f64, 4>> {
    let ((sa, ca), (sb, cb)) = (a.sin_cos(), b.sin_cos());
    let upper_velocity = [a_dot * ca, a_dot * sa];
    let lower_velocity = [
        upper_velocity[0] + b_dot * cb,
        upper_velocity[1] + b_dot * sb,
    ];
    State::new(
        0.0,
        [sa, -ca, sa + sb, -ca - cb],
        [
            upper_velocity[0],
            upper_velocity[1],
            lower_velocity[0],
            lower_velocity[1],
        ],
    )
}

/// Both angular accelerations for m = l = 1, by hand: Lagrange's equations
///
/// ```text
/// 2 α̈ + cos(α − β) β̈ = −sin(α − β) β̇² − 2 g sin α
/// cos(α − β) α̈ + β̈ = sin(α − β) α̇² − g sin β
/// ```
fn by_hand([a, b]: [f64; 2], [a_dot, b_dot]: [f64; 2]) -> [f64; 2] {
    let (sin, cos) = (a - b).sin_cos();
    let upper = -sin * b_dot * b_dot - 2.0 * GRAVITY * a.sin();
    let lower = sin * a_dot * a_dot - GRAVITY * b.sin();
    let determinant = 2.0 - cos * cos;
    [
        (upper - cos * lower) / determinant,
        (2.0 * lower - cos * upper) / determinant,
    ]
}

/// Accelerations of both forms against those by hand, all around.
fn compare_accelerations() -> Result<(), Box<dyn Error>> {
    let mut worst = [0.0_f64; 2];
    for i in 0..24 * 24 {
        let angles = [i / 24, i % 24].map(|i| TAU * f64::from(i) / 24.0);
        let rates = [3.0 - angles[1], 2.0 * angles[0] - 1.0];
        let expected = by_hand(angles, rates);
        let found = Angles::default().acceleration(0.0, &angles.into(), &rates.into())?;
        // ẍ = α̈ cos α − α̇² sin α for the upper bob, and the same of β added for the lower.
        let level = |i: usize| {
            let (sin, cos) = angles[i].sin_cos();
            expected[i] * cos - rates[i] * rates[i] * sin
        };
        let State { t, q, v } = on_rods(angles, rates);
        let held = Rods::default().acceleration(t, &q, &v)?;
        let differences = [
            (found[0] - expected[0])
                .abs()
                .max((found[1] - expected[1]).abs()),
            (held[0] - level(0))
                .abs()
                .max((held[2] - level(0) - level(1)).abs()),
        ];
        worst = [worst[0].max(differences[0]), worst[1].max(differences[1])];
    }
    println!(
        "Accelerations at {} states differ from those by hand by at most",
        24 * 24
    );
    println!(
        "{:.0e} rad/s² for the angles, {:.0e} m/s² for the rods.\n",
        worst[0], worst[1]
    );
    assert!(worst.iter().all(|&worst| worst < 1e-11), "{worst:?}");
    Ok(())
}

// ---------------------------------------------------------------------------------------------
// Small swings

/// The normal modes β = ±√2 α with ω² = (2 ∓ √2) g/l, in both forms.
fn compare_modes() -> Result<(), Box<dyn Error>> {
    println!("Small swings, released from rest in the shape of a mode");
    println!("\nβ/α     by hand: ω = √((2 ∓ √2) g/l)    angles        rods          in 1/s");
    for ratio in [f64::sqrt(2.0), -f64::sqrt(2.0)] {
        let exact = ((2.0 - ratio) * GRAVITY).sqrt();
        let angles = [1e-4, 1e-4 * ratio];
        let angles_start = State::new(0.0, angles, [0.0; 2]);
        let direct = Simulation::new(Angles::default(), angles_start, Rk4::new(1e-3))?;
        let held = Simulation::new(Rods::default(), on_rods(angles, [0.0; 2]), Rk4::new(1e-3))?;
        let found = [frequency(direct)?, frequency(held)?];
        println!(
            "{ratio:>6.3} {exact:>20.9} {:>23.9} {:>13.9}",
            found[0], found[1]
        );
        for found in found {
            // Swings of amplitude a are slower by a part of the order a².
            assert!(
                (found / exact - 1.0).abs() < 1e-7,
                "{found} instead of {exact}"
            );
        }
    }
    println!();
    Ok(())
}

/// Angular frequency of the first coordinate, from ten half swings.
fn frequency<S, const Q: usize, const V: usize>(
    mut run: Simulation<S, Rk4<f64>>,
) -> Result<f64, constraint_runtime::Error>
where
    S: System<f64, Q = SVector<f64, Q>, V = SVector<f64, V>>,
{
    let mut crossings = Vec::new();
    while crossings.len() < 11 {
        let before = run.state().q[0];
        run.step()?;
        let State { t, q, v } = run.state();
        if before * q[0] <= 0.0 {
            // The acceleration vanishes there: one Newton step is exact to third order.
            crossings.push(t - q[0] / v[0]);
        }
    }
    Ok(10.0 * TAU / 2.0 / (crossings[10] - crossings[0]))
}

// ---------------------------------------------------------------------------------------------
// The large swing

/// Both forms and a shadow of the first, released level.
struct Swing {
    /// Time and distance of the lower bob: of the rods and of the shadow from the angles.
    apart: [Vec<(f64, f64)>; 2],
    /// The pendulum in the two forms: pivot, upper and lower bob.
    shapes: [Vec<Points>; 2],
    /// Largest |E| of the two forms in J: they start with E = 0.
    energy: [f64; 2],
    /// Largest |C| of the rods, in m.
    drift: f64,
}

impl Swing {
    fn new() -> Result<Self, constraint_runtime::Error> {
        let adaptive = DormandPrince::new(TOLERANCE, TOLERANCE);
        let bobs = |run: &Simulation<Angles, DormandPrince<f64>>| {
            RodsCoordinates::from(on_rods(run.state().q.into(), [0.0; 2]).q)
        };
        let angles = |start: [f64; 2]| {
            let start = State::new(0.0, start, [0.0; 2]);
            Simulation::new(Angles::default(), start, adaptive)
        };
        let (mut direct, mut shadow) = (angles(START)?, angles([START[0] + ASIDE, START[1]])?);
        let mut held = Simulation::new(Rods::default(), on_rods(START, [0.0; 2]), adaptive)?;
        let mut swing = Self {
            apart: Default::default(),
            shapes: Default::default(),
            energy: [0.0; 2],
            drift: 0.0,
        };
        for i in 1..=(END / 0.01) as u32 {
            let t = 0.01 * f64::from(i);
            direct.run_until(t)?;
            shadow.run_until(t)?;
            held.run_until(t)?;
            let forms = [bobs(&direct), held.coordinates()];
            let apart = |it: &RodsCoordinates| (t, (it.lower - forms[0].lower).norm());
            swing.apart[0].push(apart(&forms[1]));
            swing.apart[1].push(apart(&bobs(&shadow)));
            for (shapes, RodsCoordinates { upper, lower }) in swing.shapes.iter_mut().zip(&forms) {
                shapes.push(vec![(0.0, 0.0), (upper.x, upper.y), (lower.x, lower.y)]);
            }
            for (worst, energy) in swing
                .energy
                .iter_mut()
                .zip([direct.energy(), held.energy()])
            {
                *worst = worst.max(energy.abs());
            }
            swing.drift = swing.drift.max(held.drift());
        }
        Ok(swing)
    }

    /// When two runs are first farther apart than `distance`.
    fn parted(&self, which: usize, distance: f64) -> f64 {
        let mut apart = self.apart[which].iter();
        apart
            .find(|(_, apart)| *apart > distance)
            .map_or(END, |(t, _)| *t)
    }

    fn report(&self) {
        println!("Released horizontally from rest; error per step below {TOLERANCE:e}\n");
        println!(
            "distance of the lower bobs over  1e-10 m    1e-7 m    1e-4 m     0.1 m    growth"
        );
        let growth = [0, 1].map(|which| {
            let [a, b, c, d] = [1e-10, 1e-7, 1e-4, 0.1].map(|apart| self.parted(which, apart));
            let growth = f64::ln(1e9) / (d - a);
            println!(
                "{:<32} {a:>6.1} s {b:>7.1} s {c:>7.1} s {d:>7.1} s   {growth:.1}/s",
                LABELS[which]
            );
            // Early on the forms agree; in the end they must not.
            assert!(b > 10.0 && d < END, "{}: {b} s, {d} s", LABELS[which]);
            growth
        });
        let ratio = growth[0] / growth[1];
        assert!(
            (0.6..1.7).contains(&ratio),
            "the forms part {ratio} times as fast as shadows"
        );
        let ([direct, held], drift) = (self.energy, self.drift);
        println!(
            "\nThroughout, |E| stays below {direct:.0e} J for the angles and {held:.0e} J for the rods,"
        );
        println!(
            "and |C| of the rods below {drift:.0e} m: both motions are accurate long after they have separated."
        );
        assert!(direct < 1e-9 && held < 1e-9 && drift < 1e-13);
    }
}

// ---------------------------------------------------------------------------------------------
// The figure

/// Both forms in the seconds in which rounding errors part them.
fn figure(swing: &Swing) -> [(u32, Vec<Panel>); 1] {
    let middle = swing.parted(0, 0.1);
    let (from, to) = (middle - 6.0, middle + 4.0);
    let shown = |form: usize| &swing.shapes[form][(from * 100.0) as usize..(to * 100.0) as usize];
    let form = |form: usize, color, width, label| {
        let frames = || evenly(shown(form), 240).cloned();
        let bobs = frames().map(|it| it[1..].to_vec());
        [
            Line::bars(color, width, frames()).labelled(label),
            Line::dots(color, 4.0 * width, bobs),
        ]
    };
    let drawing = Panel::drawing(
        format!("Both forms from {from:.1} s to {to:.1} s"),
        to - from,
    )
    .x(-2.1, 2.1)
    .y(-2.1, 0.6)
    .with(Line::trail(
        color::VERMILION,
        1.0,
        shown(0).iter().map(|it| it[2]),
    ))
    .with_all(form(0, color::VERMILION, 5.0, "angles"))
    .with_all(form(1, color::BLUE, 2.5, "rods"));
    let [rods, shadow] = swing.apart.clone();
    let apart = Panel::new("Distance of the lower bobs", "t in s", "distance in m")
        .log()
        .passed((from, to), to - from)
        .with(Line::curve(
            "angles, released 1e-13 rad off",
            color::PURPLE,
            1.5,
            shadow,
        ))
        .with(Line::curve("rods", color::BLUE, 1.5, rods));
    [(330, vec![drawing, apart])]
}
