//! A row of dominoes: the wave runs as fast as the energy that falling dominoes leave to the next one allows.
//!
//! Shapes and contacts are parry's, by `constraint-parry`. The reference is a train of dominoes that turn about their front edges,
//! lean on one another without friction and are hit without rebound: between two hits it has one degree of freedom and conserves its
//! energy, at a hit it conserves its momentum. All hits are compared, and the speed of the wave at the end of the row.
//!
//! # Source
//! J. M. J. van Leeuwen, *The domino effect*, Am. J. Phys. 78, 2010, with f = 0.
//!
//! Lengths are in metres, times in seconds, masses in kilograms; z counts upwards.

use std::error::Error;

use constraint_parry::dim3::parry::shape::SharedShape;
use constraint_parry::dim3::{Collider, Colliders, inertia, parry::math::Vec3};
use constraint_runtime::ContactState;
use constraint_runtime::prelude::*;

#[path = "../../../../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, Points, color};

const DOMINOES: usize = 16;
const HEIGHT: f64 = 0.044;
const THICKNESS: f64 = 0.0075;
const WIDTH: f64 = 0.02;
/// Between two of them.
const GAP: f64 = 0.016;
const PITCH: f64 = GAP + THICKNESS;
const GRAVITY: f64 = 9.81;
/// Of the first one.
const PUSH: f64 = 8.0;
const STEP: f64 = 5e-4;
/// How many times slower the figure is.
const SLOWER: f64 = 10.0;

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    let expected = hits_by_hand();
    let run = Run::new()?;
    println!("domino   hit at/s     by hand/s");
    for (k, (found, expected)) in run.hits.iter().zip(&expected).enumerate() {
        println!("{:6}   {found:.5}     {expected:.5}", k + 1);
    }
    let speed = |hits: &[f64]| 5.0 * PITCH / (hits[DOMINOES - 2] - hits[DOMINOES - 7]);
    let (found, expected_speed) = (speed(&run.hits), speed(&expected));
    println!("speed of the wave            {found:.4} m/s");
    println!("of the train by hand         {expected_speed:.4} m/s");
    println!("largest rise of the energy   {:.0e} J", run.rise);
    let off = (found / expected_speed - 1.0).abs();
    assert!(off < 0.01, "{found} {expected_speed}");
    for (found, expected) in run.hits.iter().zip(&expected) {
        assert!((found / expected - 1.0).abs() < 0.01, "{found} {expected}");
    }
    // Overlaps that are pushed apart lift dominoes a little.
    assert!(
        run.rise < 1e-4 * run.energy,
        "{} of {}",
        run.rise,
        run.energy
    );
    let path = plot::write_svg("domino", run.figure(&expected))?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

// ---- the train by hand --------------------------------------------------------------------------

/// The angle of a domino that leans on one with the angle `front`, and its derivative: its upper edge is on the other's back,
/// h sin(θ − θ_front) = (s + d) cos θ_front − d.
fn lean(front: f64) -> (f64, f64) {
    let between = ((PITCH * front.cos() - THICKNESS) / HEIGHT).asin();
    let slope = 1.0 - PITCH * front.sin() / (HEIGHT * between.cos());
    (front + between, slope)
}

/// Σ (∂θ_k/∂θ)² and Σ of the heights of the centres, of a train whose first domino has the angle θ.
fn train(dominoes: usize, front: f64) -> (f64, f64) {
    let (mut angle, mut slope) = (front, 1.0);
    let (mut squares, mut heights) = (0.0, 0.0);
    for _ in 0..dominoes {
        squares += slope * slope;
        heights += 0.5 * (HEIGHT * angle.cos() + THICKNESS * angle.sin());
        let (next, by) = lean(angle);
        (angle, slope) = (next, slope * by);
    }
    (squares, heights)
}

/// When each domino hits the next one.
fn hits_by_hand() -> Vec<f64> {
    // I/m about the front edge.
    let about_edge = (HEIGHT * HEIGHT + THICKNESS * THICKNESS) / 3.0;
    let hits_at = (GAP / HEIGHT).asin();
    let (mut time, mut rate) = (0.0, PUSH);
    let mut hits = Vec::new();
    for dominoes in 1..DOMINOES {
        let (squares, heights) = train(dominoes, 0.0);
        let energy = 0.5 * about_edge * squares * rate * rate + GRAVITY * heights;
        let rate_at = |angle: f64| {
            let (squares, heights) = train(dominoes, angle);
            (2.0 * (energy - GRAVITY * heights) / (about_edge * squares)).sqrt()
        };
        // ∫ dθ/ω by Simpson's rule.
        let parts = 400;
        let width = hits_at / f64::from(parts);
        let part = |i: i32| {
            let [a, b] = [0.0, 1.0].map(|end| (f64::from(i) + end) * width);
            width / 6.0 * (1.0 / rate_at(a) + 4.0 / rate_at(0.5 * (a + b)) + 1.0 / rate_at(b))
        };
        time += (0..parts).map(part).sum::<f64>();
        hits.push(time);
        // M ω of the train goes to the train and one more, which moves as fast as the one that hits it.
        let (squares, _) = train(dominoes, hits_at);
        rate = rate_at(hits_at) * squares / (squares + 1.0);
    }
    hits
}

// ---- the row as bodies --------------------------------------------------------------------------

struct Run {
    /// When each domino has hit the next one.
    hits: Vec<f64>,
    /// The largest change of the energy upwards in a step.
    rise: f64,
    /// At the beginning.
    energy: f64,
    /// Outlines of all dominoes at even times.
    frames: Vec<Points>,
    time: f64,
}

impl Run {
    fn new() -> Result<Self, Box<dyn Error>> {
        let (mut world, row) = row()?;
        let mut run = Self {
            hits: Vec::new(),
            rise: 0.0,
            energy: world.energy(),
            frames: Vec::new(),
            time: 0.0,
        };
        let mut energy = world.energy();
        for step in 0..1100 {
            if step % 16 == 0 {
                run.look(&world, &row)?;
            }
            world.step(STEP)?;
            run.rise = run.rise.max(world.energy() - energy);
            energy = world.energy();
            let next = [run.hits.len(), run.hits.len() + 1];
            let hit =
                |it: ContactState| next.map(|k| row.get(k)) == [0, 1].map(|k| it.bodies.get(k));
            if world.contacts().any(hit) {
                run.hits.push(world.time() - 0.5 * STEP);
            }
        }
        assert_eq!(run.hits.len(), DOMINOES - 1);
        run.time = world.time();
        Ok(run)
    }

    fn look(
        &mut self,
        world: &World3,
        row: &[BodyHandle],
    ) -> Result<(), constraint_runtime::Error> {
        let mut frame = Points::new();
        for &domino in row {
            let pose = world.pose(domino)?;
            let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
            frame.extend(corners.map(|(x, z)| {
                let corner = pose * Point3::new(0.5 * THICKNESS * x, 0.0, 0.5 * HEIGHT * z);
                (100.0 * corner.x, 100.0 * corner.z)
            }));
            frame.push((f64::NAN, 0.0));
        }
        self.frames.push(frame);
        Ok(())
    }

    fn figure(self, expected: &[f64]) -> [(u32, Vec<Panel>); 2] {
        let seconds = SLOWER * self.time;
        let floor = [(-3.0, 0.0), (100.0 * PITCH * DOMINOES as f64 + 3.0, 0.0)];
        let row = Panel::drawing(
            format!("A row of dominoes, {SLOWER} times as slow"),
            seconds,
        )
        .labels("x in cm", "z in cm")
        .with(Line::curve("", color::BLACK, 1.5, floor))
        .with(Line::area(color::BLUE, self.frames));
        let wave = |hits: &[f64]| -> Points {
            let number = (1..).map(f64::from);
            hits.iter().copied().zip(number).collect()
        };
        let chart = Panel::over_time("The wave", "dominoes that fall", seconds)
            .x(0.0, self.time)
            .with(Line::curve("by hand", color::ORANGE, 4.0, wave(expected)))
            .with(Line::curve("simulated", color::BLUE, 1.5, wave(&self.hits)));
        [(210, vec![row]), (240, vec![chart])]
    }
}

/// The row on its floor, its first domino pushed.
fn row() -> Result<(World3, Vec<BodyHandle>), Box<dyn Error>> {
    let mut world = World3::new().with_gravity([0.0, 0.0, -GRAVITY]);
    let mut colliders = Colliders::new();
    let floor = world.add(Body3::fixed(Rigid3::identity()))?;
    // √(μ₁ μ₂) is 10 on the floor, and nothing between two dominoes.
    let ground = Collider::new(SharedShape::halfspace(Vec3::Z)).with_friction(1e8);
    colliders.add(&world, floor, ground)?;
    let half = [THICKNESS, WIDTH, HEIGHT].map(|it| 0.5 * it);
    let brick = Collider::new(SharedShape::cuboid(half[0], half[1], half[2])).with_friction(1e-6);
    let (moments, _) = inertia(brick.shape(), 1200.0)?;
    let mut row = Vec::new();
    for k in 0..DOMINOES {
        let place = Rigid3::translation(PITCH * k as f64, 0.0, half[2]);
        let body = world.add(Body3::new(moments, place))?;
        colliders.add(&world, body, brick.clone())?;
        row.push(body);
    }
    // It turns about its front edge.
    let push = [PUSH * half[2], 0.0, PUSH * half[0], 0.0, PUSH, 0.0];
    world.set_velocity(row[0], push)?;
    Ok((world.with_contacts(colliders.contacts()), row))
}
