//! A bead on the inside of a loop: too slow for the top, it leaves the loop, flies, and lands.
//!
//! On the inside of a circle the track pushes towards the centre. Where that force would have to pull, the bead
//! leaves: v² = g r cos φ at the angle φ from the apex. It then falls freely until it meets the circle again, where it
//! loses the component of its velocity that is perpendicular to the circle.
//!
//! ```text
//! cargo run --example flight      # writes target/flight.svg
//! ```

#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use std::error::Error;
use std::f64::consts::PI;

use constraint_runtime::prelude::*;
use constraint_runtime::tracks::Circle;
use plot::{Line, Panel, Points, color, write_svg};

/// Radius of the loop, in m.
const R: f64 = 1.0;
/// Gravity, in m/s².
const G: f64 = 9.81;
/// Speed at the lowest point: more than √(2 g r), less than √(5 g r), so that the bead leaves the loop.
const SPEED: f64 = 6.2;

system! {
    /// A body in free fall.
    pub struct Fall { m: Real = 1, g: Real = 9.81 }

    particle body: Point2 { mass: m }
    force body: [0, -m*g];
}

/// Its steps are the points of the figure.
fn method() -> DormandPrince<f64> {
    DormandPrince::new(1e-12, 1e-12).with_longest_step(0.01)
}

/// A part of the journey: the times and points passed, and place and velocity at its end.
struct Part {
    points: Vec<(f64, Vector2<f64>)>,
    place: Vector2<f64>,
    velocity: Vector2<f64>,
    time: f64,
}

/// Rides, flies, lands and rides on; checks departure and landing against their closed forms.
pub fn main() -> Result<(), Box<dyn Error>> {
    let ride = ride_until_departure()?;
    let fall = fall_until_landing(&ride)?;
    check_departure(&ride);
    check_landing(&ride, &fall);
    println!(
        "leaves at {:.6} s, {:.4?}",
        ride.time,
        ride.place.as_slice()
    );
    println!(
        "lands  at {:.6} s, {:.4?}",
        fall.time,
        fall.place.as_slice()
    );
    let rest = ride_on(&fall, 3.0)?;
    let path = draw(&[&ride, &fall, &rest])?;
    println!("{}", path.display());
    Ok(())
}

fn ride_until_departure() -> Result<Part, constraint_runtime::Error> {
    let bead = Particle::new(1.0)
        .along(Circle { r: R })
        .under_gravity([0.0, -G]);
    let track = bead.clone();
    let inwards = move |state: &State<SVector<f64, 1>>| {
        let force = track.track_force(state.t, state.q[0], state.v[0]);
        force.map_or(f64::NAN, |force| {
            -force.dot(&track.position(state.q[0])) / R
        })
    };
    let track = bead.clone();
    let lowest = State::new(0.0, [-PI], [SPEED / R]);
    let mut run = Simulation::new(bead, lowest, method())?.until(Crossing::Falling, inwards);
    let mut points = Vec::new();
    run.run_until_with(10.0, |state| {
        points.push((state.t, track.position(state.q[0])));
    })?;
    let State { t, q, v } = *run.state();
    Ok(Part {
        points,
        place: track.position(q[0]),
        velocity: track.velocity(q[0], v[0]),
        time: t,
    })
}

fn fall_until_landing(ride: &Part) -> Result<Part, constraint_runtime::Error> {
    let start = State::new(ride.time, ride.place, ride.velocity);
    // From the inside back to the circle.
    let mut run = Simulation::new(Fall { m: 1.0, g: G }, start, method())?
        .until(Crossing::Rising, |state: &State<SVector<f64, 2>>| {
            state.q.norm() - R
        });
    let mut points = vec![(ride.time, ride.place)];
    run.run_until_with(ride.time + 10.0, |state| points.push((state.t, state.q)))?;
    let State { t, q, v } = *run.state();
    Ok(Part {
        points,
        place: q,
        velocity: v,
        time: t,
    })
}

/// The nearest point of the loop, and the velocity along it.
fn ride_on(fall: &Part, duration: f64) -> Result<Part, constraint_runtime::Error> {
    let circle = Circle { r: R };
    let landing = ArcLength::new(&circle)?.nearest(&fall.place)?;
    let tangent: Vector2<f64> = circle.tangent(landing.parameter);
    let rate = tangent.dot(&fall.velocity) / tangent.norm_squared();
    let bead = Particle::new(1.0).along(circle).under_gravity([0.0, -G]);
    let track = bead.clone();
    let start = State::new(fall.time, [landing.parameter], [rate]);
    let mut run = Simulation::new(bead, start, method())?;
    let mut points = vec![(fall.time, fall.place)];
    run.run_until_with(fall.time + duration, |state| {
        points.push((state.t, track.position(state.q[0])));
    })?;
    let State { t, q, v } = *run.state();
    Ok(Part {
        points,
        place: track.position(q[0]),
        velocity: track.velocity(q[0], v[0]),
        time: t,
    })
}

/// v² = v₀² − 2 g r (1 + cos φ) and v² = g r cos φ give cos φ = (v₀² − 2 g r)/(3 g r).
fn check_departure(ride: &Part) {
    let cosine = (SPEED * SPEED - 2.0 * G * R) / (3.0 * G * R);
    assert!(
        (ride.place.y / R - cosine).abs() < 1e-10,
        "{} {cosine}",
        ride.place.y / R
    );
}

/// A body that leaves a circle so meets it again at three times the angle from the apex, on the other side:
/// the parabola and the circle share three coincident points where it leaves, and the angles of the four
/// points in which a parabola with a vertical axis meets a circle have the sum 2π, taken from the apex.
fn check_landing(ride: &Part, fall: &Part) {
    let angle = |r: &Vector2<f64>| (-r.x).atan2(r.y);
    let turns = (3.0 * angle(&ride.place) + angle(&fall.place)) / (2.0 * PI);
    assert!((turns - turns.round()).abs() < 1e-9, "{turns}");
}

/// The journey half as fast, and the height over the time.
fn draw(parts: &[&Part; 3]) -> Result<std::path::PathBuf, Box<dyn Error>> {
    let circle = (0..=200).map(|i| {
        let r: Vector2<f64> = Circle { r: R }.position(f64::from(i) * PI / 100.0);
        (r.x, r.y)
    });
    let end = parts[2].time;
    let mut drawing = Panel::drawing("Too slow for the loop", 2.0 * end).with(Line::curve(
        "",
        color::GREY,
        3.0,
        circle,
    ));
    let mut height = Panel::over_time("Height", "y in m", 2.0 * end);
    let named = [
        ("on the loop", color::BLUE),
        ("in the air", color::VERMILION),
        ("landed", color::GREEN),
    ];
    for (part, (name, color)) in parts.iter().zip(named) {
        let path: Points = part.points.iter().map(|(_, r)| (r.x, r.y)).collect();
        let heights = part.points.iter().map(|(t, r)| (*t, r.y));
        drawing = drawing.with(Line::curve(name, color, 2.0, path));
        height = height.with(Line::curve("", color, 2.0, heights));
    }
    let all: Vec<_> = parts.iter().flat_map(|it| &it.points).collect();
    let bead = (0..=200).map(|i| {
        let after = all.partition_point(|it| it.0 < end * f64::from(i) / 200.0);
        let place = all[after.min(all.len() - 1)].1;
        vec![(place.x, place.y)]
    });
    let drawing = drawing.with(Line::dots(color::BLACK, 14.0, bead));
    write_svg("flight", [(400, vec![drawing, height])])
}
