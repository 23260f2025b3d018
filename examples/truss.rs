//! A truss of 3 × 8 pins on a wall: two indices for pins, chords and diagonals.
//!
//! It has as many bars as the pins have coordinates, so equilibrium alone determines every force. The example computes
//! the forces in two ways. With rigid bars they are multipliers of constraints, declared as outputs, and are compared
//! with the method of joints, pin by pin from the tip to the wall. With elastic bars under the same load, the truss
//! swings and comes to rest with the sag given by the principle of virtual work, δ = Σ S s l/(E A), where s are the
//! forces of a unit load at the tip.
//! Lengths are in metres, forces in newtons, masses in kilograms; y counts upwards, and tension is positive.

use std::error::Error;

use constraint_runtime::prelude::*;

#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, color};

/// Levels and bays.
const M: usize = 3;
const N: usize = 8;

system! {
    /// Pins on rigid bars. Pin (i, j) hangs by a chord on the pin to its left and by a diagonal on the one left and below,
    /// those of the lowest level on the one left and above; left of j = 0 is the wall.
    pub struct Truss { m: [[Real; N]; M] = 20, l: Real = 1, load: Vector2 = [0, 0], g: Real = 9.81 }

    const M = 3;
    const N = 8;
    fn wall(i) = [0, i*l];

    particle pin[i in 0..M][j in 0..N]: Point2 { mass: m[i][j] }
    gravity [0, -g];
    force pin[M - 1][N - 1]: load;

    for i in 0..M {
        constraint root[i]: norm(pin[i][0] - wall(i)) == l;
        constraint chord[i][j in 1..N]: norm(pin[i][j] - pin[i][j - 1]) == l;
    }
    constraint foot: norm(pin[0][0] - wall(1)) == sqrt(2)*l;
    constraint falling[j in 1..N]: norm(pin[0][j] - pin[1][j - 1]) == sqrt(2)*l;
    for i in 1..M {
        constraint brace[i]: norm(pin[i][0] - wall(i - 1)) == sqrt(2)*l;
        constraint rising[i][j in 1..N]: norm(pin[i][j] - pin[i - 1][j - 1]) == sqrt(2)*l;
    }

    /// What the wall gives.
    output held = sum(i in 0..M: multiplier(root[i])*(pin[i][0] - wall(i))/l)
        + sum(i in 1..M: multiplier(brace[i])*(pin[i][0] - wall(i - 1))/(sqrt(2)*l))
        + multiplier(foot)*(pin[0][0] - wall(1))/(sqrt(2)*l);
}

system! {
    /// The same pins without weight on elastic bars of stiffness `ea`, each slowed by `c` for its speed.
    pub struct ElasticTruss { m: Real = 20, l: Real = 1, load: Vector2 = [0, 0], ea: Real = 1e8, c: Real = 2000 }

    const M = 3;
    const N = 8;
    fn wall(i) = [0, i*l];
    fn bar(p, q, rest) = ea/(2*rest)*(norm(p - q) - rest)^2;

    particle pin[M][N]: Point2 { mass: m }
    force pin[M - 1][N - 1]: load;

    for i in 0..M {
        potential bar(pin[i][0], wall(i), l);
        for j in 1..N { potential bar(pin[i][j], pin[i][j - 1], l); }
        for j in 0..N { dissipation c/2*norm_squared(velocity(pin[i][j])); }
    }
    potential bar(pin[0][0], wall(1), sqrt(2)*l);
    for j in 1..N { potential bar(pin[0][j], pin[1][j - 1], sqrt(2)*l); }
    for i in 1..M {
        potential bar(pin[i][0], wall(i - 1), sqrt(2)*l);
        for j in 1..N { potential bar(pin[i][j], pin[i - 1][j - 1], sqrt(2)*l); }
    }
}

/// Loads at the tip.
const LOADS: [f64; 3] = [4000.0, 2000.0, 1000.0];
const STEP: f64 = 2e-4;
/// How long the elastic truss takes to rest.
const END: f64 = 0.4;

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    println!("Derived when this program was compiled\n");
    println!("{}", Truss::DERIVATION.entry("solver").text);
    println!("λ in {}\n", Truss::DERIVATION.entry("multipliers").cost);
    let forces = compare_forces()?;
    let sag = compare_sag()?;
    let path = plot::write_svg("truss", figure(&forces, sag))?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

// ---------------------------------------------------------------------------------------------
// By hand

/// The place of a pin; that of the wall is one to the left of column 0.
fn place(i: usize, column: usize) -> Vector2<f64> {
    Vector2::new(column as f64, i as f64)
}

/// Where the diagonal of pin (i, j) ends, one column to the left.
fn level_of_diagonal(i: usize) -> usize {
    if i == 0 { 1 } else { i - 1 }
}

/// The force of each pin's chord and of its diagonal.
type Forces = [[[f64; 2]; N]; M];

/// The method of joints: the bars to the left of a pin carry what the bars to its right and its load leave,
/// S₁ u₁ + S₂ u₂ + f = 0.
fn by_joints(weight: f64, tip: f64) -> Forces {
    let mut forces = [[[0.0; 2]; N]; M];
    let mut on = [Vector2::new(0.0, -weight); M];
    on[M - 1].y += tip;
    for j in (0..N).rev() {
        let mut left = [Vector2::new(0.0, -weight); M];
        for i in 0..M {
            let levels = [i, level_of_diagonal(i)];
            let [u1, u2] = levels.map(|to| (place(to, j) - place(i, j + 1)).normalize());
            let across = u1.perp(&u2);
            let s = [-on[i].perp(&u2) / across, -u1.perp(&on[i]) / across];
            left[levels[0]] -= s[0] * u1;
            left[levels[1]] -= s[1] * u2;
            forces[i][j] = s;
        }
        on = left;
    }
    forces
}

/// δ = Σ S s l/(E A) of the tip, downwards.
fn by_virtual_work(load: f64, ea: f64) -> f64 {
    let (loaded, unit) = (by_joints(0.0, -load), by_joints(0.0, -1.0));
    let pairs = loaded.iter().zip(&unit).flat_map(|(a, b)| a.iter().zip(b));
    let lengths = [1.0, f64::sqrt(2.0)];
    let terms = pairs.flat_map(|(a, b)| (0..2).map(move |k| a[k] * b[k] * lengths[k] / ea));
    terms.sum()
}

// ---------------------------------------------------------------------------------------------
// Rigid bars

fn pins() -> [[Point2<f64>; N]; M] {
    std::array::from_fn(|i| std::array::from_fn(|j| place(i, j + 1).into()))
}

/// The forces of all bars under the weight of the pins and the first load.
fn compare_forces() -> Result<Forces, Box<dyn Error>> {
    let truss = Truss {
        load: [0.0, -LOADS[0]].into(),
        ..Default::default()
    };
    let coordinates = TrussCoordinates { pin: pins() };
    let start = State::new(0.0, coordinates, TrussVelocities::default());
    let run = Simulation::new(truss, start, Rk4::new(STEP))?;
    let lambda = run.multipliers()?;
    let by_hand = by_joints(truss.m[0][0] * truss.g, -LOADS[0]);
    let largest = by_hand.as_flattened().as_flattened();
    let largest = largest.iter().fold(0.0, |most: f64, s| most.max(s.abs()));
    let mut off = 0.0_f64;
    for (i, level) in by_hand.iter().enumerate() {
        for (j, [s1, s2]) in level.iter().enumerate() {
            let chord = if j == 0 {
                lambda.root[i]
            } else {
                lambda.chord[i][j]
            };
            let diagonal = match (i, j) {
                (0, 0) => lambda.foot,
                (0, _) => lambda.falling[j],
                (_, 0) => lambda.brace[i],
                _ => lambda.rising[i][j],
            };
            off = off.max((s1 + chord).abs()).max((s2 + diagonal).abs());
        }
    }
    println!(
        "Under its weight and {} N at the tip, the upper level's chords from the wall, in N",
        LOADS[0]
    );
    let upper: Vec<String> = by_hand[M - 1]
        .iter()
        .map(|s| format!("{:.0}", s[0]))
        .collect();
    println!("  {}", upper.join("  "));
    println!(
        "multipliers and the method of joints differ by {:.0e} of the largest force",
        off / largest
    );
    let weight = (M * N) as f64 * truss.m[0][0] * truss.g;
    let held = run.outputs()?.held - Vector2::new(0.0, weight + LOADS[0]);
    println!(
        "the reactions of the wall and the weights differ by {:.0e} N\n",
        held.norm()
    );
    assert!(
        off < 1e-13 * largest && held.norm() < 1e-13 * largest,
        "{off:e} N, {held}"
    );
    Ok(by_hand)
}

// ---------------------------------------------------------------------------------------------
// Elastic bars

/// The tip's way down over the time, and where it comes to rest by virtual work.
struct Sag {
    way: Vec<(f64, f64)>,
    rest: f64,
}

/// Of the first load.
fn compare_sag() -> Result<Sag, Box<dyn Error>> {
    println!("elastic, at rest          load/N   simulated/m   virtual work/m    ratio − 1");
    let mut sags = Vec::new();
    let mut errors = Vec::new();
    for load in LOADS {
        let truss = ElasticTruss {
            load: [0.0, -load].into(),
            ..Default::default()
        };
        let start = State::new(
            0.0,
            ElasticTrussCoordinates { pin: pins() },
            ElasticTrussVelocities::default(),
        );
        let mut run = Simulation::new(truss, start, Rk4::new(STEP))?;
        let level = (M - 1) as f64;
        let mut way = vec![(0.0, 0.0)];
        while run.state().t < END {
            run.step()?;
            way.push((run.state().t, level - run.coordinates().pin[M - 1][N - 1].y));
        }
        let (_, found) = way[way.len() - 1];
        let rest = by_virtual_work(load, truss.ea);
        println!(
            "{load:>32} {found:>13.9} {rest:>16.9} {:>12.1e}",
            found / rest - 1.0
        );
        errors.push(found / rest - 1.0);
        sags.push(Sag { way, rest });
    }
    // Virtual work holds to first order: what is off falls with the load.
    for pair in errors.windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((ratio - 2.0).abs() < 0.1, "{errors:?}");
    }
    assert!(errors[2].abs() < 1e-3, "{errors:?}");
    Ok(sags.swap_remove(0))
}

// ---------------------------------------------------------------------------------------------
// The figure

fn figure(forces: &Forces, sag: Sag) -> [(u32, Vec<Panel>); 2] {
    let largest = forces.as_flattened().as_flattened();
    let largest = largest.iter().fold(0.0, |most: f64, s| most.max(s.abs()));
    let bar = |i: usize, j: usize, to: usize, force: f64| {
        let (a, b) = (place(i, j + 1), place(to, j));
        let tension = force > 0.0;
        let color = if tension { color::BLUE } else { color::ORANGE };
        let width = (10.0 * force.abs() / largest).max(1.0);
        Line::curve("", color, width, [(a.x, a.y), (b.x, b.y)])
    };
    let pins = (0..M).flat_map(|i| (0..N).map(move |j| (i, j)));
    let bars = pins.flat_map(|(i, j)| {
        let [chord, diagonal] = forces[i][j];
        [
            bar(i, j, i, chord),
            bar(i, j, level_of_diagonal(i), diagonal),
        ]
    });
    let wall = Line::curve("", color::GREY, 5.0, [(0.0, -0.4), (0.0, 2.4)]);
    let none = || std::iter::empty();
    let drawing = Panel::drawing("Forces of the bars: the wider, the larger", 1.0)
        .with(Line::curve("tension", color::BLUE, 4.0, none()))
        .with(Line::curve("compression", color::ORANGE, 4.0, none()))
        .with(wall)
        .with_all(bars);
    let rest = [(0.0, sag.rest * 1e3), (END, sag.rest * 1e3)];
    let way = sag.way.iter().map(|&(t, y)| (t, y * 1e3));
    let sag = Panel::new(
        "Elastic bars under a sudden load",
        "t in s",
        "sag of the tip in mm",
    )
    .with(Line::curve("virtual work", color::VERMILION, 1.5, rest))
    .with(Line::curve("simulated", color::BLUE, 1.5, way));
    [(300, vec![drawing]), (260, vec![sag])]
}
