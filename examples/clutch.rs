//! A block on a belt, held by a spring, as in a clutch that judders: it sticks and slips by turns.
//!
//! The belt takes the block along with the speed u while the spring pulls with less than μ m g. Then it slips; sliding friction is
//! μ m g − c w at the slip w, weaker the faster it slides, so that with x₀ = μ m g/k and the slip begun at x₀ with u,
//!
//! ```text
//! m ẍ = −k x + μ m g − c (u − ẋ)   ⇒   x = X + e^{γ t} (A cos ω t + B sin ω t)
//! γ = c/(2 m)   ω = √(k/m − γ²)   X = x₀ − c u/k   A = x₀ − X   B = (u − γ A)/ω
//! ```
//!
//! until ẋ = u at the time s, where it sticks at x(s) < x₀ and is taken to x₀ once more: the period is s + (x₀ − x(s))/u. Sticking,
//! slipping, the period and the heat of each cycle are compared.
//!
//! Lengths are in metres, times in seconds, masses in kilograms; the belt runs in the direction of x.

use std::error::Error;

use constraint_runtime::prelude::*;
use constraint_runtime::{RowMode, TransitionKind};

#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, Points, color, spring};

system! {
    /// A block on a belt of the speed `belt`, held by a spring; friction is weaker the faster it slides.
    pub struct Clutch { m: Real = 1, k: Real = 40, mu: Real = 0.4, c: Real = 0.6, belt: Real = 0.2, g: Real = 9.81 }
    particle block: Point2 { mass: m }
    gravity [0, -g];
    let slip = velocity(block).x - belt;
    potential k/2*block.x^2;
    force block: [c*slip, 0];
    constraint surface: block.y >= 0 { friction: mu, slip: slip };
}

const END: f64 = 5.0;
const FRAMES: u32 = 120;

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    let clutch = Clutch::<f64>::default();
    let hand = ByHand::new(&clutch);
    let run = Run::new(clutch)?;
    println!("slips at/s       sticks at/s      slipping/s      period/s");
    for pair in run.slips.windows(2) {
        let [slips, sticks] = pair[0];
        let [slipping, period] = [sticks - slips, pair[1][0] - slips];
        println!("{slips:.10}     {sticks:.10}     {slipping:.10}    {period:.10}");
        assert!((slipping - hand.slipping).abs() < 1e-9, "{slipping}");
        assert!((period - hand.period).abs() < 1e-9, "{period}");
    }
    println!(
        "by hand                           {:.10}    {:.10}",
        hand.slipping, hand.period
    );
    assert!(run.slips.len() > 2, "{}", run.slips.len());
    assert!((run.slips[0][0] - hand.most / clutch.belt).abs() < 1e-9);
    let path = plot::write_svg("clutch", run.figure(&clutch, &hand))?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

// ---- by hand ------------------------------------------------------------------------------------

struct ByHand {
    /// x₀
    most: f64,
    /// s
    slipping: f64,
    period: f64,
}

impl ByHand {
    fn new(clutch: &Clutch) -> Self {
        let Clutch {
            m,
            k,
            mu,
            c,
            belt,
            g,
        } = *clutch;
        let most = mu * m * g / k;
        let growth = 0.5 * c / m;
        let omega = (k / m - growth * growth).sqrt();
        let middle = most - c * belt / k;
        let a = most - middle;
        let b = (belt - growth * a) / omega;
        let place = |t: f64| {
            let (sin, cos) = (omega * t).sin_cos();
            middle + (growth * t).exp() * (a * cos + b * sin)
        };
        let speed = |t: f64| {
            let (sin, cos) = (omega * t).sin_cos();
            let turned = omega * (b * cos - a * sin) + growth * (a * cos + b * sin);
            (growth * t).exp() * turned
        };
        // It turns around where it is farthest back; within the quarter of a swing after that it is as fast as the belt.
        let mut within = [
            0.5 * std::f64::consts::TAU / omega,
            std::f64::consts::TAU / omega,
        ];
        for _ in 0..60 {
            let half = 0.5 * (within[0] + within[1]);
            within[usize::from(speed(half) > belt)] = half;
        }
        let slipping = within[0];
        let period = slipping + (most - place(slipping)) / belt;
        Self {
            most,
            slipping,
            period,
        }
    }
}

// ---- the run ------------------------------------------------------------------------------------

struct Run {
    /// When the block begins to slip, and when it sticks next.
    slips: Vec<[f64; 2]>,
    /// Time, place and speed of the block, at even times.
    places: Vec<[f64; 3]>,
}

impl Run {
    fn new(clutch: Clutch) -> Result<Self, constraint_runtime::Error> {
        let start = State::new(0.0, [0.0, 0.0], [clutch.belt, 0.0]);
        let mut run = ContactSimulation::new(clutch, start, Rk4::new(2e-3))?;
        let (mut slips, mut begun, mut places) = (Vec::new(), 0.0, Vec::new());
        for frame in 0..=FRAMES {
            let time = END * f64::from(frame) / f64::from(FRAMES);
            run.run_until_with(time, |event| match event.kind {
                TransitionKind::Mode {
                    to: RowMode::Sticking,
                    ..
                } => slips.push([begun, event.time]),
                _ => begun = event.time,
            })?;
            let State { t, q, v } = run.state();
            places.push([*t, q.x, v.x]);
        }
        Ok(Self { slips, places })
    }

    fn figure(&self, clutch: &Clutch, hand: &ByHand) -> [(u32, Vec<Panel>); 2] {
        let [wide, high, wall] = [0.04, 0.03, -0.2];
        let block = self.places.iter().map(|&[_, x, _]| -> Points {
            let corners = [
                (-wide, 0.0),
                (wide, 0.0),
                (wide, 2.0 * high),
                (-wide, 2.0 * high),
            ];
            corners.map(|(u, y)| (x + u, y)).into()
        });
        let springs = self
            .places
            .iter()
            .map(|&[_, x, _]| spring((wall, high), (x - wide, high), 0.03));
        // Marks on the belt, 5 cm apart.
        let marks = self.places.iter().map(|&[t, ..]| -> Points {
            let first = (clutch.belt * t) % 0.05;
            (0..8)
                .map(|i| (-0.19 + first + 0.05 * f64::from(i), -0.012))
                .collect()
        });
        let drawing = Panel::drawing("A block on a belt", END)
            .with(Line::curve(
                "",
                color::GREY,
                3.0,
                [(wall, 0.0), (0.22, 0.0)],
            ))
            .with(Line::curve(
                "",
                color::BLACK,
                3.0,
                [(wall, 0.0), (wall, 0.08)],
            ))
            .with(Line::dots(color::GREY, 5.0, marks))
            .with(Line::bars(color::GREEN, 1.5, springs))
            .with(Line::area(color::BLUE, block));
        let column = |i: usize| -> Points { self.places.iter().map(|it| (it[0], it[i])).collect() };
        let level = |y: f64| [(0.0, y), (END, y)];
        let place = Panel::over_time("Its place", "x in m", END)
            .with(Line::curve(
                "μ m g/k",
                color::VERMILION,
                1.5,
                level(hand.most),
            ))
            .with(Line::curve("x", color::BLUE, 1.5, column(1)));
        let speed = Panel::over_time("Its speed", "v in m/s", END)
            .with(Line::curve(
                "belt",
                color::VERMILION,
                1.5,
                level(clutch.belt),
            ))
            .with(Line::curve("v", color::BLUE, 1.5, column(2)));
        [(230, vec![drawing]), (260, vec![place, speed])]
    }
}
