//! The picture of a motion: points, bars between them, and their positions at even times.

use std::ops::Range;

use constraint_runtime::nalgebra::DVector;
use constraint_runtime::{Constrained as _, State};
use constraint_symbolic::model;
use constraint_symbolic::schedule::Program;
use constraint_symbolic::system::Derived;

use super::interpreted::{Interpreted, poses};
use super::mechanism::{Bar, Model, Point};
use super::names::{self, PLACE};

/// A mechanism at even times.
pub struct Scene {
    /// Its points at each time; those that leave a trail come first.
    pub frames: Vec<Vec<Point>>,
    /// The number of points that leave a trail.
    pub trails: usize,
    /// Bars between them.
    pub bars: Vec<Bar>,
    /// The names of the axes: those of free coordinates that are drawn as one point, else x, y and z.
    pub axes: Vec<String>,
}

impl Scene {
    /// Whether its points have three coordinates.
    pub fn in_space(&self) -> bool {
        let first = self.frames.first().into_iter().flatten();
        first.into_iter().any(|point| point.len() == 3)
    }
}

/// x, y and z
fn axes() -> Vec<String> {
    PLACE.map(str::to_owned).into()
}

/// One point without visible bars.
pub fn of_one(places: Vec<Point>) -> Scene {
    Scene {
        frames: places.into_iter().map(|place| vec![place]).collect(),
        trails: 1,
        bars: Vec::new(),
        axes: axes(),
    }
}

/// The points of a constraint; two or three coordinates without a point are one.
pub fn of_points(
    model: &model::Model,
    moving: &Interpreted<'_>,
    states: &[State<DVector<f64>>],
) -> Scene {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut first = 0;
    for size in model.coordinates.iter().map(|it| it.shape.len()) {
        ranges.extend((size > 1).then_some(first..first + size));
        first += size;
    }
    let free = ranges.is_empty() && (2..=3).contains(&first);
    if free {
        ranges.push(0..first);
    }
    let points = |q: &DVector<f64>| -> Vec<Point> {
        let ranges = ranges.iter().cloned();
        ranges.map(|it| q.as_slice()[it].to_vec()).collect()
    };
    let seen = Model {
        points: &points,
        bodies: 0..0,
        rows: &|q| moving.constraint(states[0].t, q),
    };
    Scene {
        frames: states.iter().map(|state| points(&state.q)).collect(),
        trails: ranges.len(),
        bars: seen.bars(&states[0].q),
        axes: if free {
            names::points(model).names
        } else {
            axes()
        },
    }
}

/// The positions of the parts of a system.
pub struct Places {
    masses: Program,
    size: usize,
    /// The indices of the bodies' positions among the coordinates.
    bodies: Vec<Range<usize>>,
    /// The bodies of points that rows act on, and these points.
    held: (Vec<usize>, Program),
}

impl Places {
    pub fn of(derived: &Derived) -> Places {
        let symbols = &derived.system.model.symbols;
        let name =
            |symbol: constraint_symbolic::expr::SymbolId| symbols[symbol.index()].name.clone();
        let (size, masses) = derived.places(&name);
        let bodies = poses(&derived.system).into_iter();
        Places {
            masses,
            size,
            bodies: bodies.map(|[place, _]| place).collect(),
            held: derived.held_points(&name),
        }
    }

    /// Masses, then bodies.
    fn points(&self, moving: &Interpreted<'_>, t: f64, q: &DVector<f64>) -> Vec<Point> {
        let masses = moving.run(&self.masses, t, q);
        let masses = masses.chunks(self.size.max(1)).map(<[f64]>::to_vec);
        let bodies = self
            .bodies
            .iter()
            .map(|place| q.as_slice()[place.clone()].to_vec());
        masses.chain(bodies).collect()
    }

    /// A system in motion; each body is drawn as bars from its centre to the points that rows act on.
    pub fn seen(&self, moving: &Interpreted<'_>, states: &[State<DVector<f64>>]) -> Scene {
        let State { t, q, .. } = &states[0];
        let trails = self.points(moving, *t, q).len();
        let first = trails - self.bodies.len();
        let model = Model {
            points: &|q| self.points(moving, *t, q),
            bodies: first..trails,
            rows: &|q| moving.constraint(*t, q),
        };
        let mut bars = model.bars(q);
        let (owners, held) = &self.held;
        let held_bars = owners.iter().enumerate();
        bars.extend(held_bars.map(|(i, owner)| Bar::Between(first + owner, trails + i)));
        let frames = states.iter().map(|State { t, q, .. }| {
            let held = moving.run(held, *t, q);
            let size = held.len().checked_div(owners.len()).unwrap_or(1);
            let held = held.chunks(size.max(1)).map(<[f64]>::to_vec);
            self.points(moving, *t, q).into_iter().chain(held).collect()
        });
        Scene {
            frames: frames.collect(),
            trails,
            bars,
            axes: axes(),
        }
    }
}
