//! The tautochrone: on a cycloid a bead takes π √(r/g) to the lowest point from any start; on a circle it does not.
//!
//! ```text
//! cargo run --example tautochrone
//! ```

use std::error::Error;
use std::f64::consts::PI;

use constraint_runtime::prelude::*;
use constraint_runtime::tracks::{Circle, Cycloid};

#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, Points, color, evenly};

/// Radius of the wheel, in m.
const R: f64 = 0.5;
/// Gravity, in m/s².
const G: f64 = 9.81;

/// Prints the times of descent, checks those of the cycloid, and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    let exact = PI * (R / G).sqrt();
    println!("height in m   cycloid in s      circle in s");
    for i in 1..=20 {
        let part = f64::from(i) / 21.0;
        let cycloid = descent(Cycloid { r: R }, -PI * part, 0.0)?;
        // A circle of the same curvature at the lowest point: radius 4 r, from as high.
        let height = Cycloid { r: R }.position(-PI * part).y;
        let angle = (1.0 - height / (4.0 * R)).acos();
        let circle = descent(Circle { r: 4.0 * R }, PI - angle, PI)?;
        println!("{height:11.4}   {cycloid:.12}    {circle:.12}");
        assert!((cycloid - exact).abs() < 1e-10, "{cycloid} is not {exact}");
        assert!(circle > cycloid, "the circle is slower from every height");
    }
    println!("π √(r/g)      {exact:.12}");
    let path = plot::write_svg("tautochrone", figure(4.0 * exact)?)?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

/// The time from rest at `start` to the passage of `bottom`.
fn descent<C>(curve: C, start: f64, bottom: f64) -> Result<f64, constraint_runtime::Error>
where
    C: Curve<f64, 2>,
{
    let bead = Particle::new(1.0).along(curve).under_gravity([0.0, -G]);
    let rest = State::new(0.0, [start], [0.0]);
    let mut run = Simulation::new(bead, rest, DormandPrince::new(1e-13, 1e-13))?
        .until(Crossing::Rising, |state| state.q[0] - bottom);
    run.run_until(10.0)?;
    Ok(run.state().t)
}

/// Beads from four heights, on the cycloid and on the circle, for two periods of the cycloid.
fn figure(seconds: f64) -> Result<[(u32, Vec<Panel>); 2], constraint_runtime::Error> {
    let colors = [color::BLUE, color::GREEN, color::VERMILION, color::PURPLE];
    let circle = Circle { r: 4.0 * R };
    let [mut on_cycloid, mut on_circle] = ["On a cycloid", "On a circle"]
        .map(|title| Panel::drawing(format!("{title}, half as fast"), 2.0 * seconds));
    let [mut cycloid_over_time, mut circle_over_time] =
        [(); 2].map(|()| Panel::over_time("They pass the lowest point", "x in m", 2.0 * seconds));
    for (i, color) in (1..).zip(colors) {
        let start = -PI * f64::from(i) / 5.0;
        let height = Cycloid { r: R }.position(start).y;
        let angle = (1.0 - height / (4.0 * R)).acos();
        let swings = [
            swing(Cycloid { r: R }, start, 0.0, seconds)?,
            swing(circle, PI - angle, PI, seconds)?,
        ];
        let drawn = |panel: Panel, swing: &Swing| {
            let track: Points = swing.iter().map(|it| it.1).collect();
            let bead = evenly(&track, 150).map(|&it| vec![it]).collect::<Vec<_>>();
            panel
                .with(Line::curve("", color::GREY, 2.0, track))
                .with(Line::dots(color, 13.0, bead))
        };
        let over_time = |panel: Panel, swing: &Swing| {
            let points = swing.iter().map(|&(t, (x, _))| (t, x));
            panel.with(Line::curve("", color, 1.5, points))
        };
        on_cycloid = drawn(on_cycloid, &swings[0]);
        on_circle = drawn(on_circle, &swings[1]);
        cycloid_over_time = over_time(cycloid_over_time, &swings[0]);
        circle_over_time = over_time(circle_over_time, &swings[1]);
    }
    Ok([
        (230, vec![on_cycloid, on_circle]),
        (260, vec![cycloid_over_time, circle_over_time]),
    ])
}

/// Times with places then.
type Swing = Vec<(f64, (f64, f64))>;

/// Times and places from rest at `start`, seen from the lowest point.
fn swing<C>(
    curve: C,
    start: f64,
    lowest: f64,
    seconds: f64,
) -> Result<Swing, constraint_runtime::Error>
where
    C: Curve<f64, 2> + Clone,
{
    let bead = Particle::new(1.0).along(curve).under_gravity([0.0, -G]);
    let (track, bottom) = (bead.clone(), bead.position(lowest));
    let rest = State::new(0.0, [start], [0.0]);
    let mut run = Simulation::new(bead, rest, DormandPrince::new(1e-9, 1e-9))?;
    let mut places = vec![];
    for i in 0..=300 {
        run.run_until(seconds * f64::from(i) / 300.0)?;
        let place = track.position(run.state().q[0]) - bottom;
        places.push((run.state().t, (place.x, place.y)));
    }
    Ok(places)
}
