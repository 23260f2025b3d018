//! A ball that bounces ever faster: infinitely many bounces in a finite time, after which it rests on the floor and slides on.
//!
//! From the height h it falls for τ = √(2h/g). With the restitution e, bounce k is at τ (1 + 2 (e + … + eᵏ⁻¹)), the height after it
//! is e²ᵏ h, and the bounces end at τ (1 + e)/(1 − e); from there on the floor carries λ = m g. All are compared.
//!
//! Lengths are in metres, times in seconds, masses in kilograms; y counts upwards.

use std::error::Error;

use constraint_runtime::TransitionKind;
use constraint_runtime::prelude::*;

#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, Points, color};

system! {
    /// A ball of the radius `r` above a floor.
    pub struct Ball { m: Real = 0.2, r: Real = 0.05, e: Real = 0.8, g: Real = 9.81 }
    particle ball: Point2 { mass: m }
    gravity [0, -g];
    constraint floor: ball.y >= r { restitution: e };
}

const HEIGHT: f64 = 1.0;
/// Forwards.
const SPEED: f64 = 0.5;
const END: f64 = 5.0;

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    let ball = Ball::<f64>::default();
    let fall = (2.0 * HEIGHT / ball.g).sqrt();
    let run = Run::new(ball)?;
    println!("bounce   at/s                off/s     height/m            off/m");
    let (mut at, mut flight) = (fall, 2.0 * fall * ball.e);
    let mut height = HEIGHT;
    for (k, &[time, top]) in run.bounces.iter().enumerate() {
        height *= ball.e * ball.e;
        let off = [time - at, top - height].map(f64::abs);
        let [late, high] = off;
        println!(
            "{:6}   {time:.15}   {late:.0e}     {top:.15}   {high:.0e}",
            k + 1
        );
        assert!(off.iter().all(|&it| it < 1e-12), "{off:?}");
        at += flight;
        flight *= ball.e;
    }
    let until = fall * (1.0 + ball.e) / (1.0 - ball.e);
    println!("the bounces end at           {:.15} s", run.until);
    println!("τ (1 + e)/(1 − e)            {until:.15} s");
    println!("the floor then carries       {:.15} N", run.force);
    assert!(run.bounces.len() > 20, "{}", run.bounces.len());
    assert!((run.until - until).abs() < 1e-12, "{}", run.until);
    assert!((run.force - ball.m * ball.g).abs() < 1e-13, "{}", run.force);
    // It slides on.
    let State { q, v, .. } = run.end;
    assert!(
        (q - Vector2::new(SPEED * END, ball.r)).norm() < 1e-12,
        "{q}"
    );
    assert!((v - Vector2::new(SPEED, 0.0)).norm() < 1e-12, "{v}");
    let path = plot::write_svg("bouncing_ball", run.figure())?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

struct Run {
    /// When the ball bounces, and how high it flies then.
    bounces: Vec<[f64; 2]>,
    /// When the last bounce ends.
    until: f64,
    /// That the floor carries in the end.
    force: f64,
    end: State<Vector2<f64>>,
    /// Time, x and y at even times.
    places: Vec<[f64; 3]>,
}

impl Run {
    fn new(ball: Ball) -> Result<Self, constraint_runtime::Error> {
        let start = || State::new(0.0, [0.0, ball.r + HEIGHT], [SPEED, 0.0]);
        let mut run = ContactSimulation::new(ball, start(), Rk4::new(0.02))?;
        let (mut times, mut until) = (Vec::new(), f64::NAN);
        let mut places = vec![[0.0, 0.0, ball.r + HEIGHT]];
        for frame in 1..=FRAMES {
            let time = END * f64::from(frame) / f64::from(FRAMES);
            run.run_until_with(time, |event| match event.kind {
                TransitionKind::Impact { .. } => times.push(event.time),
                TransitionKind::Accumulated { until: at } => until = at,
                _ => {}
            })?;
            let State { t, q, .. } = run.state();
            places.push([*t, q.x, q.y]);
        }
        // The last impact is passed, without restitution.
        times.pop();
        // Once more, with looks in the middle between two bounces.
        let mut tops = ContactSimulation::new(ball, start(), Rk4::new(0.02))?;
        let mut bounces = Vec::new();
        for pair in times.windows(2) {
            tops.run_until(0.5 * (pair[0] + pair[1]))?;
            bounces.push([pair[0], tops.state().q.y - ball.r]);
        }
        Ok(Self {
            bounces,
            until,
            force: run.contact_forces()?[0],
            end: *run.state(),
            places,
        })
    }

    fn figure(&self) -> [(u32, Vec<Panel>); 2] {
        let path = || -> Points { self.places.iter().map(|&[_, x, y]| (x, y)).collect() };
        let ball = self.places.iter().map(|&[_, x, y]| vec![(x, y)]);
        let floor = [(0.0, 0.0), (SPEED * END, 0.0)];
        let drawing = Panel::drawing("A ball bounces, then slides", END)
            .with(Line::curve("", color::GREY, 3.0, floor))
            .with(Line::curve("", color::SKY, 1.0, path()))
            .with(Line::dots(color::BLUE, 18.0, ball));
        let heights = self.places.iter().map(|&[t, _, y]| (t, y));
        let end = [(self.until, 0.0), (self.until, HEIGHT)];
        let chart = Panel::over_time("Its height", "y in m", END)
            .x(0.0, END)
            .with(Line::curve("y", color::BLUE, 1.5, heights))
            .with(Line::curve("τ (1 + e)/(1 − e)", color::VERMILION, 1.5, end));
        [(300, vec![drawing]), (240, vec![chart])]
    }
}

/// Of the figure.
const FRAMES: u32 = 250;
