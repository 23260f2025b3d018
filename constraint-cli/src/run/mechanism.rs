//! The mechanism of a model for pictures: its points, and the bars between them.

use constraint_runtime::nalgebra::{DMatrix, DVector};

/// A position, of two or three numbers.
pub type Point = Vec<f64>;

/// With more coordinates than this, trying them one by one takes too long.
const MOST: usize = 400;

/// A model at a time, as pictures need it.
pub struct Model<'a> {
    /// The positions of masses and of the centres of the `bodies` at a state.
    pub points: &'a dyn Fn(&DVector<f64>) -> Vec<Point>,
    /// The indices of the bodies; their coordinates may not be moved freely.
    pub bodies: std::ops::Range<usize>,
    /// C at a state.
    pub rows: &'a dyn Fn(&DVector<f64>) -> DVector<f64>,
}

/// The ends of a bar: two of the points, or a point and a fixed position.
#[derive(Clone, Debug, PartialEq)]
pub enum Bar {
    Between(usize, usize),
    To(usize, Point),
}

impl Model<'_> {
    /// The bars of a model at `q`.
    ///
    /// A row that depends on two points is a bar between them, and so is a distance that is the same in every state.
    /// If a row, or the expression of a point in the coordinates, restricts it to a circle or a sphere, a bar goes to
    /// the centre.
    pub fn bars(&self, q: &DVector<f64>) -> Vec<Bar> {
        let mut bars = Vec::new();
        if q.len() > MOST {
            return bars;
        }
        let (points, rows) = ((self.points)(q), (self.rows)(q));
        let moved: Vec<DVector<f64>> = (0..q.len()).map(|k| nudged(q, k)).collect();
        let changes: Vec<DVector<f64>> = moved.iter().map(|q| (self.rows)(q) - &rows).collect();
        let moves: Vec<Vec<usize>> = moved
            .iter()
            .map(|q| moved_points(&points, &(self.points)(q)))
            .collect();
        for (row, _) in rows.iter().enumerate() {
            let owners: Vec<usize> = (0..q.len()).filter(|&k| changes[k][row] != 0.0).collect();
            let mut spoken: Vec<usize> = owners.iter().flat_map(|&k| moves[k].clone()).collect();
            spoken.sort_unstable();
            spoken.dedup();
            let bodies = spoken.iter().filter(|it| self.bodies.contains(it)).count();
            let bar = match spoken[..] {
                [a, b] if bodies < 2 => Some(Bar::Between(a, b)),
                [a] if bodies == 0 => {
                    let places = (0..6).map(|round| self.on_row(row, &owners, q, round)[a].clone());
                    centre(&places.collect::<Vec<_>>()).map(|it| Bar::To(a, it))
                }
                _ => None,
            };
            bars.extend(bar.filter(|it| !bars.contains(it)));
        }
        self.rigid(q, &points, &mut bars);
        bars
    }

    /// The points at a nearby state that satisfies a row: Newton's method along its gradient.
    fn on_row(&self, row: usize, owners: &[usize], q: &DVector<f64>, round: usize) -> Vec<Point> {
        let mut q = q.clone();
        for (place, &k) in owners.iter().enumerate() {
            q[k] += 0.4 * (1.0 + q[k].abs()) * spread(7 * round + place);
        }
        for _ in 0..20 {
            let c = (self.rows)(&q)[row];
            let slope = |&k: &usize| {
                let there = nudged(&q, k);
                ((self.rows)(&there)[row] - c) / (there[k] - q[k])
            };
            let slopes: Vec<f64> = owners.iter().map(slope).collect();
            let square: f64 = slopes.iter().map(|it| it * it).sum();
            for (&k, slope) in owners.iter().zip(slopes) {
                q[k] -= c * slope / square;
            }
        }
        (self.points)(&q)
    }

    /// Adds bars for constant distances between points that coordinates place.
    fn rigid(&self, q: &DVector<f64>, points: &[Point], bars: &mut Vec<Bar>) {
        let nearby =
            |round: usize| DVector::from_fn(q.len(), |k, _| q[k] + 0.7 * spread(31 * round + k));
        let states: Vec<Vec<Point>> = (0..6).map(|round| (self.points)(&nearby(round))).collect();
        let is_placed = |i: &usize| !self.bodies.contains(i);
        for i in (0..points.len()).filter(is_placed) {
            let length = |at: &[Point], j: usize| apart(&at[i], &at[j]);
            let is_bar = |j: &usize| {
                let here = length(points, *j);
                here > 1e-9
                    && states
                        .iter()
                        .all(|at| (length(at, *j) - here).abs() <= 1e-9 * here)
            };
            if let Some(j) = (0..i).filter(is_placed).rev().find(is_bar) {
                bars.push(Bar::Between(j, i));
                continue;
            }
            let places: Vec<Point> = states.iter().map(|at| at[i].clone()).collect();
            bars.extend(centre(&places).map(|it| Bar::To(i, it)));
        }
    }
}

/// A number between −1 and 1, another one for each `k`: multiples of the golden ratio.
pub fn spread(k: usize) -> f64 {
    2.0 * ((k + 1) as f64 * 0.618_033_988_749_895).fract() - 1.0
}

fn nudged(q: &DVector<f64>, k: usize) -> DVector<f64> {
    let mut there = q.clone();
    there[k] += 1e-6 * (1.0 + q[k].abs());
    there
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter()
        .zip(b)
        .fold(0.0_f64, |sum, (a, b)| sum.hypot(a - b))
}

fn moved_points(here: &[Point], there: &[Point]) -> Vec<usize> {
    let pairs = here.iter().zip(there).enumerate();
    let moved = pairs.filter(|(_, (a, b))| apart(a, b) > 1e-12);
    moved.map(|(i, _)| i).collect()
}

/// The centre of the circle or sphere that contains all positions: |p|² − 2 c·p is the same for all of them.
fn centre(places: &[Point]) -> Option<Point> {
    let (first, rest) = places.split_first()?;
    let square = |p: &Point| p.iter().map(|x| x * x).sum::<f64>();
    let chords = DMatrix::from_fn(rest.len(), first.len(), |i, k| {
        2.0 * (rest[i][k] - first[k])
    });
    let sides = DVector::from_fn(rest.len(), |i, _| square(&rest[i]) - square(first));
    let svd = chords.svd(true, true);
    if svd.singular_values.min() <= 1e-6 * svd.singular_values.max() {
        return None;
    }
    let centre = svd.solve(&sides, 0.0).ok()?;
    let radius = apart(first, centre.as_slice());
    let is_round = |p: &Point| (apart(p, centre.as_slice()) - radius).abs() <= 1e-6 * radius;
    (radius.is_finite() && places.iter().all(is_round)).then(|| centre.as_slice().to_vec())
}
