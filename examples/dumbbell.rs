//! Two rigid bodies joined by a rod: the distance constraint as published, its closed forms, and a throw.
//!
//! The equations of I. Robson's *Distance Constraint* are compared with the generated functions: the Jacobian of eq. 7
//! and the matrix of eq. 16 agree to rounding, the λ of eqs. 12 and 18 only if the printed difference is read as a
//! product. When the dumbbell spins about its centre of mass, it pulls at its rod with a known force. When it is
//! thrown, it keeps its momenta and its energy while its centre of mass flies on a parabola. Finally it is stepped by
//! impulses, as in the text, with an error that shrinks with the step.
//! Lengths are in metres, times in seconds, masses in kilograms; z counts upwards.

use std::error::Error;

use constraint_runtime::joint::Distance;
use constraint_runtime::make_consistent;
use constraint_runtime::prelude::*;

#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, Points, color, evenly};

system! {
    /// A rod of length `l` from `r1` on the first body to `r2` on the second.
    pub struct Dumbbell {
        m1: Real = 2, moments1: Vector3 = [0.02, 0.03, 0.04], r1: Vector3 = [0.1, 0, 0],
        m2: Real = 1, moments2: Vector3 = [0.01, 0.01, 0.015], r2: Vector3 = [-0.1, 0, 0],
        l: Real = 1, g: Real = 9.81,
    }

    body a: Rigid3 { mass: m1, inertia: moments1 }
    body b: Rigid3 { mass: m2, inertia: moments2 }
    constraint rod: norm(at(b, r2) - at(a, r1)) == l;
    potential g*(m1*at(a, [0, 0, 0]).z + m2*at(b, [0, 0, 0]).z);
}

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    println!("Derived when this program was compiled\n");
    println!("C = {}", Dumbbell::DERIVATION.entry("constraint").text);
    println!("v̇ in {}\n", Dumbbell::DERIVATION.entry("acceleration").cost);
    compare_with_the_text()?;
    spin()?;
    let thrown = Throw::new()?;
    thrown.report();
    step_by_impulses()?;
    let path = plot::write_svg("dumbbell", figure(&thrown))?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

/// The bodies turned, the rod from end to end, and everything in motion; the rod's length changes.
fn tumbling(dumbbell: &Dumbbell) -> (DumbbellCoordinates, DumbbellVelocities) {
    let a = Rigid3::new(Vector3::new(0.1, 0.2, 1.5), Vector3::new(0.3, -0.5, 0.9));
    let mut b = Rigid3::rotation(Vector3::new(-0.4, 1.1, 0.2));
    let along = Vector3::new(0.6, 0.0, 0.8);
    let end = a * Point3::from(dumbbell.r1) + along * dumbbell.l;
    b.translation.vector = end - b * Point3::from(dumbbell.r2);
    let twist = |linear: [f64; 3], angular: [f64; 3]| Twist3 {
        linear: linear.into(),
        angular: angular.into(),
    };
    let v = DumbbellVelocities {
        a: twist([2.0, 0.5, 8.0], [2.0, -1.0, 4.0]),
        b: twist([0.0, -0.5, 1.0], [-1.0, 3.0, 2.0]),
    };
    (DumbbellCoordinates { a, b }, v)
}

// ---------------------------------------------------------------------------------------------
// The text's equations

/// (v, ω) of the first body, then of the second.
type Twists = SVector<f64, 12>;

/// What the text derives, by hand.
struct ByHand {
    /// Eq. 7.
    jacobian: Twists,
    /// M⁻¹ Jᵀ of eq. 15, the inertias turned into the world's frame.
    response: Twists,
    /// J M⁻¹ Jᵀ of eq. 16.
    matrix: f64,
}

impl ByHand {
    fn new(dumbbell: &Dumbbell, q: &DumbbellCoordinates) -> Self {
        let (r1, r2) = (q.a.rotation * dumbbell.r1, q.b.rotation * dumbbell.r2);
        let d = q.b.translation.vector + r2 - q.a.translation.vector - r1;
        let n = d.normalize();
        let blocks = [-n, -r1.cross(&n), n, r2.cross(&n)];
        let lighter = |turn: &Rigid3, moments: &Vector3<f64>, torque: &Vector3<f64>| {
            turn.rotation * (turn.rotation.inverse() * torque).component_div(moments)
        };
        let responses = [
            blocks[0] / dumbbell.m1,
            lighter(&q.a, &dumbbell.moments1, &blocks[1]),
            blocks[2] / dumbbell.m2,
            lighter(&q.b, &dumbbell.moments2, &blocks[3]),
        ];
        let stack =
            |parts: &[Vector3<f64>; 4]| Twists::from_iterator(parts.iter().flatten().copied());
        let (jacobian, response) = (stack(&blocks), stack(&responses));
        Self {
            jacobian,
            response,
            matrix: jacobian.dot(&response),
        }
    }
}

fn compare_with_the_text() -> Result<(), constraint_runtime::Error> {
    let dumbbell = Dumbbell::default();
    let (q, v) = tumbling(&dumbbell);
    let by_hand = ByHand::new(&dumbbell, &q);
    let (flat, before): (_, Twists) = (q.into(), v.into());
    let jacobian = dumbbell.jacobian(0.0, &flat).transpose();
    let off = (jacobian - by_hand.jacobian).amax();
    let (inertia1, inertia2) = (
        Inertia3::principal(dumbbell.m1, dumbbell.moments1.into())?,
        Inertia3::principal(dumbbell.m2, dumbbell.moments2.into())?,
    );
    let rod = Distance {
        r1: dumbbell.r1,
        r2: dumbbell.r2,
        length: dumbbell.l,
    };
    let weights = [&inertia1.inverse_at(&q.a), &inertia2.inverse_at(&q.b)];
    let matrix = rod.delassus(0.0, [&q.a, &q.b], weights)[0];
    println!("Difference between the generated functions and the text's equations\n");
    println!("J, eq. 7                     {off:.0e}");
    println!(
        "J M⁻¹ Jᵀ, eq. 16             {:.0e}\n",
        (matrix / by_hand.matrix - 1.0).abs()
    );
    assert!(off < 1e-15 && (matrix / by_hand.matrix - 1.0).abs() < 1e-14);

    let speed = by_hand.jacobian.dot(&before);
    let after = |impulse: f64| by_hand.jacobian.dot(&(before + by_hand.response * impulse));
    let (read, printed) = (-speed / by_hand.matrix, 1.0 / by_hand.matrix - speed);
    let generated = rod.impulses(
        0.0,
        [&q.a, &q.b],
        [&SVector::from(v.a), &SVector::from(v.b)],
        weights,
    )?[0];
    println!("The impulse that should make Ċ vanish\n");
    println!("                             λ in N s       Ċ after it in m/s");
    for (name, impulse) in [
        ("none", 0.0),
        ("eq. 12, (J M⁻¹ Jᵀ)⁻¹ (−J V)", read),
        ("eq. 12 as printed", printed),
        ("generated", generated),
    ] {
        println!("{name:<28} {impulse:>8.5} {:>18.1e}", after(impulse));
    }
    assert!(after(read).abs() < 1e-14 && after(generated).abs() < 1e-14);
    assert!(after(printed).abs() > 1.0);
    Ok(())
}

// ---------------------------------------------------------------------------------------------
// Spun

/// Spun about an axis across the rod through the common centre of mass, all in one line, the dumbbell turns as
/// one body; with μ = m₁ m₂/(m₁ + m₂) and D the distance of the centres, the rod pulls with μ Ω² D.
fn spin() -> Result<(), constraint_runtime::Error> {
    println!(
        "\nSpinning without gravity for 10 s: force of the rod, and error of the final position\n"
    );
    println!("rod fixed at      Ω in 1/s λ in N           −μ Ω² D          error in m");
    for (name, out, rate) in [("the centres", 0.0, 3.0), ("0.1 m off them", 0.1, 5.0)] {
        let arm = Vector3::x() * out;
        let dumbbell = Dumbbell {
            r1: arm,
            r2: -arm,
            g: 0.0,
            ..Dumbbell::default()
        };
        let distance = dumbbell.l + 2.0 * out;
        let total = dumbbell.m1 + dumbbell.m2;
        let [a, b] = [-dumbbell.m2 / total, dumbbell.m1 / total].map(|x| x * distance);
        let q = DumbbellCoordinates {
            a: Rigid3::translation(a, 0.0, 0.0),
            b: Rigid3::translation(b, 0.0, 0.0),
        };
        let turning = |x: f64| Twist3 {
            linear: Vector3::y() * (x * rate),
            angular: Vector3::z() * rate,
        };
        let v = DumbbellVelocities {
            a: turning(a),
            b: turning(b),
        };
        let start = State::new(0.0, q, v);
        let mut run = Simulation::new(dumbbell, start, DormandPrince::new(1e-12, 1e-12))?;
        run.run_until(10.0)?;
        let expected = -dumbbell.m2 * b * rate * rate;
        let pull = run.multipliers()?[0];
        let (sin, cos) = (rate * run.state().t).sin_cos();
        let place = run.coordinates().b.translation.vector;
        let off = (place - Vector3::new(cos, sin, 0.0) * b).norm();
        println!("{name:<17} {rate:<8} {pull:<16.10} {expected:<16.10} {off:.0e}");
        assert!(
            (pull / expected - 1.0).abs() < 1e-9 && off < 1e-8,
            "{pull} {off}"
        );
    }
    Ok(())
}

// ---------------------------------------------------------------------------------------------
// Thrown

/// From the start of [`tumbling`], its velocities put onto the constraint.
fn start(
    dumbbell: &Dumbbell,
) -> Result<State<SVector<f64, 14>, SVector<f64, 12>>, constraint_runtime::Error> {
    let (q, v) = tumbling(dumbbell);
    make_consistent(dumbbell, State::new(0.0, q, v))
}

/// A throw of two seconds and how well it keeps what it must keep.
struct Throw {
    /// x and z of the rod's ends between the centres of the bodies, and of the common centre of mass.
    shapes: Vec<Points>,
    center: Points,
    /// Largest difference of the common centre of mass from its parabola.
    parabola: f64,
    /// Largest relative change of the angular momentum about it, and of the energy.
    momentum: f64,
    energy: f64,
    /// Largest | ‖d‖ − l |.
    drift: f64,
}

impl Throw {
    fn new() -> Result<Self, constraint_runtime::Error> {
        let dumbbell = Dumbbell::default();
        let start = start(&dumbbell)?;
        let (center, velocity, spin) = momenta(&dumbbell, &start);
        let mut run = Simulation::new(dumbbell, start, DormandPrince::new(1e-12, 1e-12))?;
        let energy = run.energy();
        let mut throw = Self {
            shapes: vec![],
            center: vec![],
            parabola: 0.0,
            momentum: 0.0,
            energy: 0.0,
            drift: 0.0,
        };
        for i in 0..=200 {
            let t = f64::from(i) / 100.0;
            run.run_until(t)?;
            let (now, _, turning) = momenta(&dumbbell, run.state());
            let fallen = Vector3::z() * (dumbbell.g * t * t / 2.0);
            let off = now - (center + velocity * t - fallen);
            throw.parabola = throw.parabola.max(off.norm());
            throw.momentum = throw.momentum.max((turning - spin).norm() / spin.norm());
            throw.energy = throw.energy.max((run.energy() / energy - 1.0).abs());
            throw.drift = throw.drift.max(run.drift());
            let q = run.coordinates();
            let ends = [
                q.a * Point3::from(dumbbell.r1),
                q.b * Point3::from(dumbbell.r2),
            ];
            let [a, b] = [q.a, q.b].map(|it| Point3::from(it.translation.vector));
            let shape = [a, ends[0], ends[1], b].map(|it| (it.x, it.z));
            throw.shapes.push(shape.into());
            throw.center.push((now.x, now.z));
        }
        Ok(throw)
    }

    fn report(&self) {
        println!("\nThrown, tumbling, 2 s; the largest deviation\n");
        println!(
            "of the centre of mass from its parabola  {:.0e} m",
            self.parabola
        );
        println!(
            "of the angular momentum about it         {:.0e}",
            self.momentum
        );
        println!(
            "of the energy                            {:.0e}",
            self.energy
        );
        println!(
            "of the rod's length                      {:.0e} m",
            self.drift
        );
        assert!(self.parabola < 1e-10 && self.momentum < 1e-9);
        assert!(self.energy < 1e-9 && self.drift < 1e-13);
    }
}

/// The common centre of mass, its velocity, and the angular momentum about it.
fn momenta(
    dumbbell: &Dumbbell,
    state: &State<SVector<f64, 14>, SVector<f64, 12>>,
) -> (Vector3<f64>, Vector3<f64>, Vector3<f64>) {
    let (q, v) = (
        DumbbellCoordinates::from(state.q),
        DumbbellVelocities::from(state.v),
    );
    let bodies = [
        (q.a, v.a, dumbbell.m1, dumbbell.moments1),
        (q.b, v.b, dumbbell.m2, dumbbell.moments2),
    ];
    let total = dumbbell.m1 + dumbbell.m2;
    let mean = |of: fn(&Rigid3, &Twist3) -> Vector3<f64>| {
        bodies
            .iter()
            .map(|(q, v, m, _)| of(q, v) * *m)
            .sum::<Vector3<f64>>()
            / total
    };
    let (center, velocity) = (mean(|q, _| q.translation.vector), mean(|_, v| v.linear));
    let spin = bodies.iter().map(|(q, v, m, moments)| {
        let orbital = (q.translation.vector - center).cross(&(v.linear * *m));
        let inside = q.rotation.inverse() * v.angular;
        orbital + q.rotation * inside.component_mul(moments)
    });
    (center, velocity, spin.sum())
}

// ---------------------------------------------------------------------------------------------
// By impulses

/// The steps 1 to 3 of the text in a `World`: the step and how far from the throw above the second body ends.
fn step_by_impulses() -> Result<(), constraint_runtime::Error> {
    let dumbbell = Dumbbell::default();
    let start = start(&dumbbell)?;
    let mut run = Simulation::new(dumbbell, start, DormandPrince::new(1e-12, 1e-12))?;
    run.run_until(1.0)?;
    let exact = run.coordinates().b.translation.vector;
    println!("\nStepped by impulses, 1 s\n");
    println!("step in s    error of body 2 in m    gap in m");
    let mut errors: Vec<(f64, f64)> = vec![];
    for step in [4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4] {
        let (place, gap) = by_impulses(&dumbbell, &start, step)?;
        let off = (place - exact).norm();
        println!("{step:<12} {off:<23.2e} {gap:.0e}");
        errors.push((step, off));
    }
    // Of first order: half the step, half the error.
    if let [.., (_, whole), (_, half)] = errors[..] {
        assert!((whole / half - 2.0).abs() < 0.2, "{whole} {half}");
    }
    Ok(())
}

fn by_impulses(
    dumbbell: &Dumbbell,
    start: &State<SVector<f64, 14>, SVector<f64, 12>>,
    step: f64,
) -> Result<(Vector3<f64>, f64), constraint_runtime::Error> {
    let (q, v) = (
        DumbbellCoordinates::from(start.q),
        DumbbellVelocities::from(start.v),
    );
    let mut world = World3::new()
        .with_gravity([0.0, 0.0, -dumbbell.g])
        .with_solver(SequentialImpulses::new(1));
    let body = |mass, moments: Vector3<f64>, place, twist: Twist3| {
        let inertia = Inertia3::principal(mass, moments.into())?;
        Ok::<_, constraint_runtime::Error>(Body3::new(inertia, place).moving(twist))
    };
    let a = world.add(body(dumbbell.m1, dumbbell.moments1, q.a, v.a)?)?;
    let b = world.add(body(dumbbell.m2, dumbbell.moments2, q.b, v.b)?)?;
    let rod = Distance {
        r1: dumbbell.r1,
        r2: dumbbell.r2,
        length: dumbbell.l,
    };
    world.connect(rod, [a, b])?;
    world.run_until(1.0, step)?;
    Ok((world.pose(b)?.translation.vector, world.drift()))
}

// ---------------------------------------------------------------------------------------------
// The figure

fn figure(thrown: &Throw) -> [(u32, Vec<Panel>); 1] {
    let seconds = 6.0;
    // The first second.
    let shapes = &thrown.shapes[..=100];
    let frames = || evenly(shapes, 100);
    let center = || thrown.center[..=100].iter().copied();
    let body = |which: usize| move |shape: &Points| vec![shape[which]];
    let path = |which: usize| shapes.iter().map(move |it| it[which]);
    let drawing = Panel::drawing("Thrown, six times as slow", seconds)
        .labels("x in m", "z in m")
        .with(Line::curve("", color::GREY, 1.5, center()))
        .with(Line::trail(color::BLUE, 1.5, path(0)))
        .with(Line::trail(color::VERMILION, 1.5, path(3)))
        .with(Line::bars(color::BLACK, 2.5, frames().cloned()))
        .with(Line::dots(color::BLUE, 18.0, frames().map(body(0))))
        .with(Line::dots(color::VERMILION, 14.0, frames().map(body(3))));
    let heights = |points: &mut dyn Iterator<Item = (f64, f64)>| {
        let times = (0..).map(|i| f64::from(i) / 100.0);
        times
            .zip(points)
            .map(|(t, (_, z))| (t, z))
            .collect::<Points>()
    };
    let height = Panel::over_time("Heights", "z in m", seconds)
        .with(Line::curve("2 kg", color::BLUE, 1.5, heights(&mut path(0))))
        .with(Line::curve(
            "1 kg",
            color::VERMILION,
            1.5,
            heights(&mut path(3)),
        ))
        .with(Line::curve(
            "centre of mass",
            color::GREY,
            1.5,
            heights(&mut center()),
        ));
    [(420, vec![drawing, height])]
}
