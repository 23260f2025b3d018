//! The record of a motion: the numbers of every step, as a table and as a summary.

use constraint_runtime::Error;
use constraint_symbolic::model::scalars::components;
use constraint_symbolic::model::{Element, System};

use super::figure::Upwards;
use super::scene::Scene;
use crate::failure::Failure;

/// A motion.
pub struct Record {
    /// The integration method.
    pub method: String,
    /// The names of the coordinates, then those of the velocities.
    pub names: Vec<String>,
    /// The names of the outputs.
    pub outputs: Vec<String>,
    /// Whether there are constraints.
    pub constrained: bool,
    /// The number of steps.
    pub steps: u64,
    /// Only one step in this many is recorded, if all of them would take too much memory.
    pub thinned: Option<u64>,
    /// The start and the ends of the steps that were recorded; never empty.
    pub samples: Vec<Sample>,
    /// The error, if it did not reach its end.
    pub failure: Option<Error>,
    /// The mechanism for the figure, if one is drawn.
    pub scene: Option<Scene>,
    /// The axis that points upwards in it.
    pub upwards: Upwards,
}

/// A recorded state.
pub struct Sample {
    /// t
    pub t: f64,
    /// q, then v
    pub state: Vec<f64>,
    /// The outputs.
    pub outputs: Vec<f64>,
    /// Kinetic and potential energy.
    pub energy: f64,
    /// The largest |C|.
    pub drift: f64,
    /// The largest |Ċ|.
    pub rate_drift: f64,
}

/// The names of a system's outputs, component by component.
pub fn outputs(system: &System) -> Vec<String> {
    let names = system.outputs.iter().flat_map(|named| {
        let list: Vec<String>;
        let parts: Vec<&str> = match named.element {
            Element::Vector(shape) => components(shape).to_vec(),
            Element::List(length) => {
                list = (0..length).map(|i| format!("[{i}]")).collect();
                list.iter().map(String::as_str).collect()
            }
        };
        let single = named.lengths.is_empty();
        let element = |i: usize| {
            let index = if single {
                String::new()
            } else {
                format!("[{i}]")
            };
            let name = format!("{}{index}", named.name);
            parts
                .iter()
                .map(move |part| format!("{name}{part}"))
                .collect::<Vec<String>>()
        };
        (0..named.places.len())
            .flat_map(element)
            .collect::<Vec<String>>()
    });
    names.collect()
}

impl Record {
    /// The columns with their names, t first.
    pub fn columns(&self) -> Vec<&str> {
        let own = self.names.iter().chain(&self.outputs).map(String::as_str);
        let last: &[&str] = if self.constrained {
            &["energy", "drift", "rate_drift"]
        } else {
            &["energy"]
        };
        ["t"]
            .into_iter()
            .chain(own)
            .chain(last.iter().copied())
            .collect()
    }

    /// Comma-separated values.
    pub fn csv(&self) -> Result<String, Failure> {
        let mut table = csv::Writer::from_writer(Vec::new());
        let failed = |error: csv::Error| Failure::Output(error.into());
        table.write_record(self.columns()).map_err(failed)?;
        for sample in &self.samples {
            let row = sample.row(self.constrained).into_iter();
            table.write_record(row.map(shown)).map_err(failed)?;
        }
        let bytes = table
            .into_inner()
            .map_err(|error| Failure::Output(error.into_error()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The largest absolute change of the energy since the start.
    pub fn energy_error(&self) -> f64 {
        let start = self.samples[0].energy;
        let changes = self.samples.iter().map(|it| (it.energy - start).abs());
        changes.fold(0.0, f64::max)
    }

    /// A summary: a table of the state at both ends.
    pub fn summary(&self) -> String {
        let [first, last] = [self.samples.first(), self.samples.last()].map(Option::unwrap);
        let steps = self.steps;
        let mut text = format!("{}: {steps} steps, t = 0 to {}\n\n", self.method, last.t);
        if let Some(every) = self.thinned {
            text.pop();
            text += &format!("one step in {every} recorded; `--every 1` records all\n\n");
        }
        let names = self.names.iter().chain(&self.outputs);
        let widest = names.clone().map(|name| name.chars().count()).max();
        let width = widest.unwrap_or(0).max("energy".len());
        let mut row = |name: &str, [start, end]: [String; 2]| {
            text += &format!("{name:width$} {start:>24} {end:>24}\n");
        };
        row("", ["start", "end"].map(str::to_owned));
        let ends = [first, last].map(|sample| sample.row(false));
        for (i, name) in names.enumerate() {
            row(name, [&ends[0], &ends[1]].map(|row| row[i + 1].to_string()));
        }
        row(
            "energy",
            [first, last].map(|sample| sample.energy.to_string()),
        );
        text += &format!("\nlargest change of the energy {:.1e}", self.energy_error());
        if self.constrained {
            let most = |of: fn(&Sample) -> f64| self.samples.iter().map(of).fold(0.0, f64::max);
            let [c, rate] = [most(|it| it.drift), most(|it| it.rate_drift)];
            text += &format!(", |C| at most {c:.1e}, |Ċ| at most {rate:.1e}");
        }
        text + "\n"
    }
}

/// All digits of a number, with an exponent if it is very small or very large.
fn shown(x: f64) -> String {
    let size = x.abs();
    if size == 0.0 || (1e-4..1e16).contains(&size) {
        x.to_string()
    } else {
        format!("{x:e}")
    }
}

impl Sample {
    fn row(&self, constrained: bool) -> Vec<f64> {
        let last = [self.energy, self.drift, self.rate_drift];
        let last = if constrained { &last[..] } else { &last[..1] };
        [&[self.t], &self.state[..], &self.outputs, last].concat()
    }
}
