//! A roller coaster: a bead on a track of your choice; writes its run as a table and as a figure.
//!
//! ```text
//! cargo run --release -p with-crates --bin roller_coaster -- --help
//! cargo run --release -p with-crates --bin roller_coaster -- --track loop-the-loop --damping 0.05 --time 60
//! ```
//!
//! Writes `target/roller_coaster.csv` (one row every 1/60 s) and `target/roller_coaster.svg`: the track coloured
//! by speed, and the energies over time. The bead leaves with an error from no track: open ends have buffers.

#[path = "../../../../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use std::error::Error;

use clap::{Parser, ValueEnum};
use constraint_runtime::curve::Seams;
use constraint_runtime::prelude::*;
use constraint_runtime::tracks::*;
use indicatif::ProgressBar;
use plot::{Line, Panel, color, evenly, write_svg};

/// A bead on a roller coaster.
#[derive(Clone, Debug, Parser)]
pub struct Ride {
    /// The track.
    #[arg(long, value_enum, default_value_t = Track::Hump)]
    pub track: Track,
    /// Gravity in m/s².
    #[arg(long, default_value_t = 9.81)]
    pub gravity: f64,
    /// Mass in kg.
    #[arg(long, default_value_t = 1.0)]
    pub mass: f64,
    /// Damping b in N·s/m: the force −b v.
    #[arg(long, default_value_t = 0.0)]
    pub damping: f64,
    /// Where the bead starts, as a part of the track's length between 0 and 1.
    #[arg(long, default_value_t = 0.03)]
    pub start: f64,
    /// Speed at the start in m/s.
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    pub speed: f64,
    /// Duration in s.
    #[arg(long, default_value_t = 10.0)]
    pub time: f64,
}

/// The tracks to choose from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)] // The tracks of the same names.
pub enum Track {
    Hump,
    LoopTheLoop,
    Circle,
    Lemniscate,
    Oval,
    Spiral,
    Waves,
    Corner,
    Cycloid,
}

/// One row of the table; lengths in m, times in s, energies in J.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Time.
    pub t: f64,
    /// Length along the track.
    pub p: f64,
    /// Place.
    pub r: Vector2<f64>,
    /// Speed, negative against the direction of the track.
    pub v: f64,
    /// ½ m v².
    pub kinetic: f64,
    /// m g y.
    pub potential: f64,
}

impl Row {
    /// All energy.
    pub fn energy(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// Rows per second.
const RATE: f64 = 60.0;

/// Runs longer than this show how far they are.
const LONG: f64 = 30.0;

#[allow(dead_code, reason = "the tests call `ride` with options of their own")]
fn main() -> Result<(), Box<dyn Error>> {
    let options = Ride::parse();
    let rows = ride(&options)?;
    write_table(&rows)?;
    let figure = draw(&rows, &options)?;
    let (first, last) = (rows[0].energy(), rows[rows.len() - 1].energy());
    println!(
        "{} rows in target/roller_coaster.csv, figure {}",
        rows.len(),
        figure.display()
    );
    println!("energy from {first:.6} J to {last:.6} J");
    Ok(())
}

/// The rows of a ride.
pub fn ride(options: &Ride) -> Result<Vec<Row>, constraint_runtime::Error> {
    match options.track {
        Track::Hump => along(Hump, options),
        Track::LoopTheLoop => along(LoopTheLoop, options),
        Track::Circle => along(Circle { r: 1.0 }, options),
        Track::Lemniscate => along(Lemniscate { a: 1.5 }, options),
        Track::Oval => along(Oval { r: 1.0, l: 1.0 }, options),
        Track::Spiral => along(Spiral { a: 0.2 }, options),
        Track::Waves => along(Waves, options),
        Track::Corner => along(Corner, options),
        Track::Cycloid => along(Cycloid { r: 1.0 }, options),
    }
}

fn along<C>(curve: C, options: &Ride) -> Result<Vec<Row>, constraint_runtime::Error>
where
    C: Curve<f64, 2> + Copy,
{
    let (measured, seams) = (ArcLength::new(&curve)?, Seams::of(&curve)?);
    let s = measured.parameter_at(options.start * measured.length())?;
    let bead = Particle::new(options.mass)
        .along(curve)
        .under_gravity([0.0, -options.gravity])
        .damped(options.damping);
    let start = State::new(0.0, [s], [options.speed / curve.tangent(s).norm()]);
    let domain = curve.domain();
    // On a closed track the ends are no ends: there the buffers never meet the bead.
    let reach = if bead.is_closed() { f64::INFINITY } else { 0.0 };
    let (first, last) = (domain.start() - reach, domain.end() + reach);
    let buffer = |state: &mut State<SVector<f64, 1>>| {
        state.v = -state.v;
        Then::Continue
    };
    let mut run = Simulation::new(bead.clone(), start, DormandPrince::new(1e-11, 1e-11))?
        .on(
            Crossing::Either,
            |state| seams.distance(state.q[0]),
            |state| seams.cross(state),
        )
        .on(
            Crossing::Rising,
            |state| (state.q[0] - last).max(-1e9),
            buffer,
        )
        .on(
            Crossing::Falling,
            |state| (state.q[0] - first).min(1e9),
            buffer,
        );
    let bar = if options.time > LONG {
        ProgressBar::new((options.time * RATE) as u64)
    } else {
        ProgressBar::hidden()
    };
    let mut rows = vec![row(&bead, &measured, run.state())?];
    for i in 1..=(options.time * RATE).round() as u32 {
        run.run_until(f64::from(i) / RATE)?;
        rows.push(row(&bead, &measured, run.state())?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(rows)
}

fn row<C, L>(
    bead: &Bead<f64, C, L, 2>,
    measured: &ArcLength<C, 2>,
    state: &State<SVector<f64, 1>>,
) -> Result<Row, constraint_runtime::Error>
where
    C: Curve<f64, 2> + Clone,
    L: constraint_runtime::Load<f64, 2>,
{
    let s = bead.parameter(state.q[0]);
    Ok(Row {
        t: state.t,
        p: measured.length_at(s)?,
        r: bead.position(s),
        v: bead.velocity(s, state.v[0]).norm().copysign(state.v[0]),
        kinetic: bead.kinetic_energy(state.t, &state.q, &state.v),
        potential: bead.potential_energy(state.t, &state.q),
    })
}

fn write_table(rows: &[Row]) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all("target")?;
    let mut table = csv::Writer::from_path("target/roller_coaster.csv")?;
    table.write_record(["t", "p", "x", "y", "v", "kinetic", "potential", "total"])?;
    for row in rows {
        let numbers = [
            row.t,
            row.p,
            row.r.x,
            row.r.y,
            row.v,
            row.kinetic,
            row.potential,
            row.energy(),
        ];
        table.write_record(numbers.map(|number| number.to_string()))?;
    }
    table.flush()?;
    Ok(())
}

/// The figure of a ride: the track, from blue at rest to orange at full speed, and the energies.
pub fn draw(rows: &[Row], options: &Ride) -> Result<std::path::PathBuf, Box<dyn Error>> {
    let fastest = rows.iter().map(|row| row.v.abs()).fold(1e-9, f64::max);
    let place = |row: &Row| (row.r.x, row.r.y);
    let pieces = rows.windows(2).map(|pair| {
        let part = 0.5 * (pair[0].v.abs() + pair[1].v.abs()) / fastest;
        Line::curve(
            "",
            color::heat((8.0 * part).round() / 8.0),
            3.0,
            pair.iter().map(place),
        )
    });
    let bead = evenly(rows, 300).map(|row| vec![place(row)]);
    let name = options.track.to_possible_value();
    let name = name.as_ref().map_or("", |it| it.get_name());
    let title = format!("Track {name}, orange at {fastest:.1} m/s");
    let track = Panel::drawing(title, options.time)
        .with_all(pieces)
        .with(Line::dots(color::BLACK, 12.0, bead));
    let over_time = |f: fn(&Row) -> f64| rows.iter().map(move |row| (row.t, f(row)));
    let energy = Panel::over_time("Energy", "E in J", options.time)
        .with(Line::curve(
            "kinetic",
            color::BLUE,
            1.5,
            over_time(|row| row.kinetic),
        ))
        .with(Line::curve(
            "potential",
            color::GREEN,
            1.5,
            over_time(|row| row.potential),
        ))
        .with(Line::curve(
            "total",
            color::VERMILION,
            1.5,
            over_time(Row::energy),
        ));
    write_svg("roller_coaster", [(380, vec![track, energy])])
}
