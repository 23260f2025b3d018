//! The motion as a figure: the mechanism with the paths of its points; coordinates over time if no path shows them;
//! the energy.

use super::mechanism::{Bar, Point};
use super::plot::{Line, Panel, Points, View, WIDTH, color, range, svg as drawn};
use super::record::{Record, Sample};
use super::scene::Scene;
use crate::failure::Failure;

/// The space around the frame of a panel, and the height of a figure without a drawing.
const AROUND: [f64; 2] = [80.0, 110.0];
const HEIGHT: u32 = 340;
/// The largest and the smallest height of a drawing, relative to its width.
const SLENDER: [f64; 2] = [0.4, 1.5];
/// Limits of an animation: duration in seconds, frames per second, and points in total.
const SHOWN: f64 = 20.0;
const RATE: f64 = 25.0;
const POINTS: usize = 6000;
/// The direction from which space is seen: from the left of −y, and from above.
const VIEW: View = View::new(-0.6, 0.35);

/// The figure as SVG: the energy from `record`; everything else from `even`, whose samples are at even times.
pub fn svg(title: &str, record: &Record, even: &Record) -> Result<String, Failure> {
    let paths = named_paths(even);
    let mut panels = Vec::new();
    let mut height = HEIGHT;
    let scene = even.scene.as_ref().filter(|scene| scene.trails > 0);
    let until = even.samples.last().map_or(0.0, |last| last.t);
    let shown = until.min(SHOWN);
    let faster = match scene {
        Some(_) if until > SHOWN => format!(
            "{title}, {} times as fast",
            (10.0 * until / shown).round() / 10.0
        ),
        _ => title.to_owned(),
    };
    let labels = scene.map(|it| even.upwards.labels(&it.axes, it.in_space()));
    if let (Some(scene), Some(labels)) = (scene, &labels) {
        let (panel, slender) = mechanism(&faster, (scene, even.upwards), &paths, shown, labels);
        let slender = slender.clamp(SLENDER[0], SLENDER[1]);
        height = ((WIDTH / 2.0 - AROUND[0]) * slender + AROUND[1]) as u32;
        panels.push(panel);
    }
    if paths.is_empty() {
        panels.push(coordinates(
            if scene.is_some() {
                "Coordinates"
            } else {
                title
            },
            even,
        ));
    }
    panels.push(energy(record));
    drawn([(height, panels)]).map_err(|error| Failure::Figure(error.to_string()))
}

/// The axis that is drawn upwards: the last by default, or the one that points against the field.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Upwards {
    axis: Option<usize>,
    reversed: bool,
}

impl Upwards {
    /// Against a field, along the axis on which it is strongest; without a field, the last axis.
    pub fn against(gravity: &[f64]) -> Upwards {
        let strongest = (0..gravity.len()).rev().reduce(|most, i| {
            if gravity[i].abs() > gravity[most].abs() {
                i
            } else {
                most
            }
        });
        Upwards {
            axis: strongest,
            reversed: strongest.is_some_and(|axis| gravity[axis] > 0.0),
        }
    }

    /// Labels of a picture's axes, given their names: both in the plane, in space the one that points upwards.
    fn labels(self, names: &[String], space: bool) -> [String; 2] {
        let up = self.axis.unwrap_or(if space { 2 } else { 1 });
        let name = |axis: usize| names.get(axis).map_or("", String::as_str);
        if space {
            let sign = if self.reversed { "−" } else { "" };
            return [String::new(), format!("{sign}{} upwards", name(up))];
        }
        let down = if self.reversed { ", downwards" } else { "" };
        [
            name(1 - up.min(1)).to_owned(),
            format!("{}{down}", name(up)),
        ]
    }

    /// A point in the plane of the picture.
    fn flat(self, point: &[f64]) -> (f64, f64) {
        match *point {
            [x, y, z] => {
                let [a, b, up] = [[y, z, x], [z, x, y], [x, y, z]][self.axis.unwrap_or(2)];
                // A half turn about b, which maps −up to up.
                let (a, up) = if self.reversed { (-a, -up) } else { (a, up) };
                VIEW.flat([a, b, up])
            }
            [x, y] if self.axis == Some(0) => (y, x),
            [x, y] => (x, y),
            _ => (f64::NAN, f64::NAN),
        }
    }

    /// A range of the axis that is drawn upwards, from below.
    fn ends(self, (least, most): (f64, f64), space: bool) -> (f64, f64) {
        if self.reversed && !space {
            (most, least)
        } else {
            (least, most)
        }
    }
}

/// Points with x and y, and z, by the prefix of their names.
fn named_paths(even: &Record) -> Vec<(&str, Points)> {
    let coordinates = even.names.len() / 2;
    let names = even.names.iter().take(coordinates).chain(&even.outputs);
    let names: Vec<&str> = names.map(String::as_str).collect();
    let number = |sample: &Sample, k: usize| match k.checked_sub(coordinates) {
        Some(output) => sample.outputs[output],
        None => sample.state[k],
    };
    let base = |k: usize, axis: &str| names.get(k)?.strip_suffix(axis);
    let path = |k: usize| {
        let name = base(k, "x")?;
        let has = |after: usize, axis: &str| base(k + after, axis) == Some(name);
        let size = if has(2, "z") { 3 } else { 2 };
        let place =
            |sample: &Sample| -> Point { (k..k + size).map(|k| number(sample, k)).collect() };
        let points = even
            .samples
            .iter()
            .map(|sample| even.upwards.flat(&place(sample)));
        has(1, "y").then(|| (name.trim_end_matches('.'), points.collect()))
    };
    (0..names.len()).filter_map(path).collect()
}

/// Moving bars and points, in front of the paths that they leave; and the height of all relative to its width.
fn mechanism(
    title: &str,
    (scene, upwards): (&Scene, Upwards),
    paths: &[(&str, Points)],
    seconds: f64,
    [x_label, y_label]: &[String; 2],
) -> (Panel, f64) {
    let flat = |point: &Point| upwards.flat(point);
    let pictures: Vec<Points> = scene
        .frames
        .iter()
        .map(|frame| picture(frame, &scene.bars, &flat))
        .collect();
    let all = || pictures.iter().flatten().filter(|it| it.0.is_finite());
    let (x, y) = (range(all().map(|it| it.0)), range(all().map(|it| it.1)));
    // A motion along a line gets some room across.
    let least = 0.2 * (x.1 - x.0).max(y.1 - y.0);
    let [x, y] = [x, y].map(|(a, b)| {
        let more = (0.5 * (least - (b - a))).max(0.0);
        (a - more, b + more)
    });
    let slender = (y.1 - y.0) / (x.1 - x.0);
    let most = (POINTS / pictures[0].len().max(1)).max(2);
    let count = ((seconds * RATE) as usize).clamp(30, 300).min(most);
    let every = (pictures.len() / count).max(1);
    let pictures: Vec<Points> = pictures.into_iter().step_by(every).collect();
    let y = upwards.ends(y, scene.in_space());
    let panel = Panel::drawing(title, seconds)
        .labels(x_label, y_label)
        .x(x.0, x.1)
        .y(y.0, y.1)
        .with_all(trails(scene, upwards, paths))
        .with(Line::bars(color::BLACK, 2.0, pictures.clone()))
        .with(Line::dots(color::BLACK, 7.0, pictures));
    (panel, slender)
}

/// The paths of named points, if they are few, otherwise of all masses.
fn trails(scene: &Scene, upwards: Upwards, paths: &[(&str, Points)]) -> Vec<Line> {
    if (1..=color::ALL.len()).contains(&paths.len()) {
        let named = paths.iter().zip(color::ALL).map(|((name, path), color)| {
            let line = Line::trail(color, 2.0, path.iter().copied());
            line.labelled(if paths.len() > 1 { name } else { "" })
        });
        return named.collect();
    }
    let trail = |k: usize| {
        scene
            .frames
            .iter()
            .map(move |frame| upwards.flat(&frame[k]))
    };
    let trails = (0..scene.trails).map(|k| Line::curve("", color::GREY, 1.0, trail(k)));
    trails.collect()
}

/// Bars one after the other, and the points without bars.
fn picture(frame: &[Point], bars: &[Bar], flat: &dyn Fn(&Point) -> (f64, f64)) -> Points {
    let lifted = (f64::NAN, f64::NAN);
    let mut points: Points = Vec::new();
    let mut alone = vec![true; frame.len()];
    let mut last = None;
    for bar in bars {
        let (from, to, end) = match bar {
            Bar::Between(a, b) => {
                alone[*b] = false;
                (*a, &frame[*b], Some(*b))
            }
            Bar::To(a, place) => (*a, place, None),
        };
        alone[from] = false;
        if last != Some(from) {
            points.extend([lifted, flat(&frame[from])]);
        }
        points.push(flat(to));
        last = end;
    }
    for (point, _) in frame.iter().zip(alone).filter(|it| it.1) {
        points.extend([lifted, flat(point)]);
    }
    points
}

/// All coordinates over time.
fn coordinates(title: &str, even: &Record) -> Panel {
    let names = even.names.iter().take(even.names.len() / 2).enumerate();
    let few = names.len() <= color::ALL.len();
    let lines = names
        .zip(color::ALL.iter().cycle())
        .map(|((k, name), &color)| {
            let points = even.samples.iter().map(|it| (it.t, it.state[k]));
            Line::curve(if few { name } else { "" }, color, 2.0, points)
        });
    Panel::new(title, "t", "").with_all(lines)
}

fn energy(record: &Record) -> Panel {
    let start = record.samples[0].energy;
    let points = record.samples.iter().map(|it| (it.t, it.energy - start));
    let line = Line::curve("", color::BLUE, 2.0, points);
    Panel::new("Change of the energy", "t", "E − E(0)").with(line)
}
