//! Arms of links with inertia, each link posed relative to the one before it. No kinetic energy is written by hand.
//!
//! Checks: M and h of two links equal those of Spong, Hutchinson, Vidyasagar, Robot Modeling and Control, section
//! 7.4.2. The torques from `inverse_dynamics` make the arm follow a path. A chain of eight links, declared as one part
//! used eight times, moves like eight bodies on pins and keeps its energy.
//! Lengths are in metres, times in seconds, masses in kilograms, angles in radians.

use std::error::Error;

use constraint_runtime::prelude::*;

#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, Points, color, evenly};

system! {
    /// Two links, the centre of each in the middle, driven at their joints.
    pub struct TwoLinks { m: Real = 3, l: Real = 0.8, i: Real = 0.16, g: Real = 9.81 }

    coordinate q[2];
    input torque[2];
    body upper: Rigid2 = pose([0, 0], q[0]) * pose([l/2, 0]) { mass: m, inertia: i }
    body fore: Rigid2 = upper * pose([l/2, 0], q[1]) * pose([l/2, 0]) { mass: m, inertia: i }
    force q[k in 0..2]: torque[k];
    gravity [0, -g];
}

system! {
    /// Eight links that hang from each other, posed by the angles between them.
    pub struct Whip { m: Real = 0.5, l: Real = 0.2, g: Real = 9.81 }

    const N = 8;
    part Link { base: Rigid2, m: Real, l: Real } {
        coordinate angle;
        body rod: Rigid2 = base * pose([0, 0], angle) * pose([l/2, 0]) { mass: m, inertia: m*l^2/12 }
        let tip = rod * pose([l/2, 0]);
    }
    link[0]: Link { base: pose([0, 0]), m: m, l: l }
    link[i in 1..N]: Link { base: link[i - 1].tip, m: m, l: l }
    gravity [0, -g];
    output tip = at(link[N - 1].tip, [0, 0]);
}

system! {
    /// The same as bodies on pins.
    pub struct Pinned { m: Real = 0.5, l: Real = 0.2, g: Real = 9.81 }

    const N = 8;
    body rod[N]: Rigid2 { mass: m, inertia: m*l^2/12 }
    constraint pin[i in 0..N]: at(rod[i], [-l/2, 0]) == if i == 0 { [0, 0] } else { at(rod[i - 1], [l/2, 0]) };
    gravity [0, -g];
}

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    println!("M of two links, derived when this program was compiled:\n");
    println!("{}\n", TwoLinks::DERIVATION.entry("mass_matrix").text);
    let followed = follow_a_path()?;
    let swung = swing()?;
    let path = plot::write_svg("arm", figure(&followed, &swung))?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

/// M a − h of the textbook, all links alike, c = l/2.
fn by_hand([a, b]: [f64; 2], [u, w]: [f64; 2], [x, y]: [f64; 2]) -> [f64; 2] {
    let TwoLinks { m, l, i, g } = TwoLinks::<f64>::default();
    let c = l / 2.0;
    let (sin, cos) = b.sin_cos();
    let far = m * c * c + i;
    let mixed = far + m * l * c * cos;
    let near = 2.0 * far + m * l * l + 2.0 * m * l * c * cos;
    let weight = m * c * g * (a + b).cos();
    [
        near * x + mixed * y - m * l * c * sin * (2.0 * u * w + w * w)
            + m * (c + l) * g * a.cos()
            + weight,
        mixed * x + far * y + m * l * c * sin * u * u + weight,
    ]
}

/// The angles at a time, with their rates and accelerations.
fn path(t: f64) -> [[f64; 2]; 3] {
    let (sin, cos) = (2.0 * t).sin_cos();
    [
        [0.4 * sin, 1.0 + 0.5 * cos],
        [0.8 * cos, -sin],
        [-1.6 * sin, -2.0 * cos],
    ]
}

/// The torques of the textbook, put in as a law of time, keep the arm on the path.
fn follow_a_path() -> Result<Vec<Points>, Box<dyn Error>> {
    let torques = |t: f64| {
        let [q, v, a] = path(t);
        by_hand(q, v, a)
    };
    let arm = TwoLinks::<f64>::default();
    for k in 0..20 {
        let t = 0.1 * f64::from(k);
        let [q, v, a] = path(t).map(SVector::from);
        let still = arm.with_inputs(TwoLinksInputs { torque: [0.0; 2] });
        let asked = still.inverse_dynamics(t, &q, &v, &a)?;
        let worst = (asked - SVector::from(torques(t))).amax();
        assert!(worst < 1e-12, "{worst}");
    }
    let driven = arm.controlled_by(|t, _, _| TwoLinksInputs { torque: torques(t) });
    let [q, v, _] = path(0.0);
    let mut run = Simulation::new(
        driven,
        State::new(0.0, q, v),
        DormandPrince::new(1e-12, 1e-12),
    )?;
    let mut followed = vec![];
    for i in 0..=80 {
        run.run_until(2.0 * f64::from(i) / 80.0)?;
        followed.push(links(&[0.8; 2], run.state().q.as_slice()));
    }
    let worst = (run.state().q - SVector::from(path(2.0)[0])).amax();
    println!("with the textbook's torques it is within {worst:.0e} rad of the path after 2 s");
    assert!(worst < 1e-8, "{worst}");
    Ok(followed)
}

/// The joints and the tip of links, each turned against the one before.
fn links(lengths: &[f64], angles: &[f64]) -> Points {
    let (mut end, mut turn) = ((0.0, 0.0), 0.0);
    let mut points = vec![end];
    for (length, angle) in lengths.iter().zip(angles) {
        turn += angle;
        end = (
            end.0 + length * f64::cos(turn),
            end.1 + length * f64::sin(turn),
        );
        points.push(end);
    }
    points
}

fn swing() -> Result<Vec<Points>, Box<dyn Error>> {
    let whip = Whip::<f64>::default();
    let start = State::new(0.0, [0.1; 8], [0.0; 8]);
    let mut run = Simulation::new(whip, start, DormandPrince::new(1e-11, 1e-11))?;
    let energy = run.energy();
    let mut swung = vec![];
    for i in 0..=160 {
        run.run_until(2.0 * f64::from(i) / 160.0)?;
        swung.push(links(&[whip.l; 8], run.state().q.as_slice()));
    }
    let apart = apart_from_pins(&whip, run.state())?;
    println!(
        "links connected by pins differ in angular acceleration by at most {apart:.0e} rad/s²"
    );
    assert!(apart < 1e-8, "{apart}");
    let tip = run.outputs()?.tip;
    let lost = (run.energy() - energy).abs();
    println!(
        "eight links, v̇ in {}",
        Whip::DERIVATION.entry("acceleration").cost
    );
    println!(
        "tip after 2 s at ({:.3}, {:.3}) m, energy changed by {lost:.0e} J",
        tip.x, tip.y
    );
    assert!(lost < 1e-7 && tip.norm() <= 1.6, "{lost}");
    Ok(swung)
}

/// By how much the links change their spin otherwise than bodies on pins at the same places, which move as they do.
fn apart_from_pins(whip: &Whip, at: &State<SVector<f64, 8>>) -> Result<f64, Box<dyn Error>> {
    let (mut q, mut v) = (PinnedCoordinates::default(), PinnedVelocities::default());
    let (mut pin, mut moved) = (Vector2::zeros(), Vector2::zeros());
    let (mut turn, mut spin) = (0.0, 0.0);
    for i in 0..8 {
        (turn, spin) = (turn + at.q[i], spin + at.v[i]);
        let half = Vector2::new(turn.cos(), turn.sin()) * (whip.l / 2.0);
        let half_rate = Vector2::new(-half.y, half.x) * spin;
        q.rod[i] = Rigid2::new(pin + half, turn);
        v.rod[i] = Twist2 {
            linear: moved + half_rate,
            angular: spin,
        };
        (pin, moved) = (pin + 2.0 * half, moved + 2.0 * half_rate);
    }
    let pinned = Pinned::default().acceleration(at.t, &q.into(), &v.into())?;
    let pinned = PinnedVelocities::from(pinned).rod;
    let between = whip.acceleration(at.t, &at.q, &at.v)?;
    let (mut of_whip, mut worst) = (0.0, 0.0_f64);
    for i in 0..8 {
        of_whip += between[i];
        worst = worst.max((of_whip - pinned[i].angular).abs());
    }
    Ok(worst)
}

/// The arm on its path in real time, its torques, and eight links that fall a quarter as fast.
fn figure(followed: &[Points], swung: &[Points]) -> [(u32, Vec<Panel>); 1] {
    let tip = |shape: &Points| shape[shape.len() - 1];
    let moving = |title, seconds, shapes: &[Points]| {
        Panel::drawing(title, seconds)
            .with(Line::trail(color::VERMILION, 1.5, shapes.iter().map(tip)))
            .with(Line::bars(color::BLACK, 4.0, evenly(shapes, 161).cloned()))
            .with(Line::dots(color::BLUE, 8.0, evenly(shapes, 161).cloned()))
    };
    let torque = |k: usize| {
        let times = (0..=200).map(|i| f64::from(i) / 100.0);
        times.map(move |t| {
            let [q, v, a] = path(t);
            (t, by_hand(q, v, a)[k])
        })
    };
    let torques = Panel::over_time("Torques", "torque in N m", 2.0)
        .with(Line::curve("shoulder", color::BLUE, 1.5, torque(0)))
        .with(Line::curve("elbow", color::GREEN, 1.5, torque(1)));
    let arm = moving("Two links on a path", 2.0, followed);
    let whip = moving("Eight links fall", 8.0, swung);
    [(300, vec![arm, torques, whip])]
}
