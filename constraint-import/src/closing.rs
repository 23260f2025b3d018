//! The equations of joints that close loops: as many as are independent.
//!
//! A hinge that closes a planar linkage has five equations in space, of which three hold in every state. Input: the robot.
//! Output: for each loop the rows that restrict its motion, and a position in which all loops are closed.

use crate::forward::{Motion, Moved};
use crate::inertia::extent;
use crate::robot::{Base, LoopKind, Robot, placement};
use crate::spatial::{
    IDENTITY, Placement, Vector, across, add, apply, cross, dot, norm, rotation, scale, subtract,
    unit,
};

/// One equation between the frames a and b of a loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Row {
    /// A component of b − a in the world.
    World(usize),
    /// The component of b − a along a direction of a.
    Along(Vector),
    /// The cosine of the angle between a direction of a and one of b.
    Across(Vector, Vector),
}

/// The rows of all loops.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Closing {
    /// For each loop.
    pub rows: Vec<Vec<Row>>,
    /// For each loop the number of rows that hold in every state.
    pub dropped: Vec<usize>,
    /// Values of the free coordinates that close all loops; `None` if none was found, or none is needed.
    pub closed: Option<Vec<f64>>,
    /// True if rows that are independent in general follow from each other where the loops are closed.
    pub is_redundant: bool,
}

/// Fraction of a row's size below which a gradient is rounding noise.
const NOISE: f64 = 1e-9;
/// The same where the loops are closed up to the digits of the file.
const CLOSED_NOISE: f64 = 1e-6;

impl Closing {
    /// The rows of a robot's loops.
    pub fn of(robot: &Robot, exact: bool) -> Closing {
        Loops { robot, exact }.closing()
    }
}

/// The loops of a robot, with rounded multiples of π as they are or exact.
struct Loops<'a> {
    robot: &'a Robot,
    exact: bool,
}

impl Loops<'_> {
    fn closing(&self) -> Closing {
        let mut closing = Closing::default();
        if self.robot.loops.is_empty() {
            return closing;
        }
        let states: Vec<Motion> = (0..3)
            .map(|k| self.robot.random_motion(k + 1, self.exact))
            .collect();
        let mut kept: Vec<(usize, Row)> = Vec::new();
        for index in 0..self.robot.loops.len() {
            let all = self.candidates(index, &states);
            let before = kept.len();
            for row in &all {
                kept.push((index, *row));
                if !states
                    .iter()
                    .all(|state| self.is_independent(&kept, state, NOISE))
                {
                    kept.pop();
                }
            }
            closing
                .rows
                .push(kept[before..].iter().map(|it| it.1).collect());
            closing.dropped.push(all.len() - (kept.len() - before));
        }
        if self.robot.links.iter().all(|link| link.base != Base::Free) {
            self.close(&kept, &mut closing);
        }
        closing
    }

    /// All rows of a loop, in world components where those are independent or constant.
    fn candidates(&self, index: usize, states: &[Motion]) -> Vec<Row> {
        let [places, turns] = rows_of(self.robot.loops[index].kind);
        let mut moving: Vec<(usize, Row)> = Vec::new();
        for k in 0..3 {
            let row = (index, Row::World(k));
            if states
                .iter()
                .all(|state| self.is_independent(&[row], state, NOISE))
            {
                moving.push(row);
            }
        }
        let world = states.iter().all(|state| {
            (1..=moving.len()).all(|count| self.is_independent(&moving[..count], state, NOISE))
        });
        let places = if places.len() == 3 && world {
            [0, 1, 2].map(Row::World).to_vec()
        } else {
            places
        };
        [places, turns].concat()
    }

    /// True if the last row does not follow from the others at a state.
    fn is_independent(&self, rows: &[(usize, Row)], state: &Motion, noise: f64) -> bool {
        let (gradients, sizes) = self.gradients(rows, state);
        let mut basis: Vec<Vec<f64>> = Vec::new();
        let mut last = false;
        for (gradient, size) in gradients.iter().zip(sizes) {
            let mut rest = gradient.clone();
            // Twice is enough to be orthogonal up to rounding.
            for _ in 0..2 {
                for direction in &basis {
                    let along: f64 = rest.iter().zip(direction).map(|(a, b)| a * b).sum();
                    rest.iter_mut()
                        .zip(direction)
                        .for_each(|(a, b)| *a -= along * b);
                }
            }
            let length = rest.iter().map(|x| x * x).sum::<f64>().sqrt();
            last = length > noise * size;
            if last {
                basis.push(rest.iter().map(|x| x / length).collect());
            }
        }
        last
    }

    /// The derivative of each row by each velocity, and what its terms add up to without cancellation.
    fn gradients(&self, rows: &[(usize, Row)], state: &Motion) -> (Vec<Vec<f64>>, Vec<f64>) {
        let columns: Vec<Vec<Moved>> = self
            .directions(state)
            .iter()
            .map(|motion| self.robot.moved(motion, self.exact))
            .collect();
        let mut sizes = vec![0.0_f64; rows.len()];
        let gradients = rows.iter().zip(&mut sizes).map(|(&(index, row), size)| {
            let columns = columns.iter().map(|moved| {
                let (rate, most) = self.rate(index, row, moved);
                *size = size.max(most);
                rate
            });
            columns.collect()
        });
        (gradients.collect(), sizes)
    }

    /// A state with one unit velocity each.
    fn directions(&self, state: &Motion) -> Vec<Motion> {
        let free: Vec<usize> = (0..self.robot.coordinates.len())
            .filter(|&k| self.robot.coordinates[k].is_free())
            .collect();
        let values: Vec<f64> = free.iter().map(|&k| state.values[k]).collect();
        let still: Vec<Moved> = state
            .free
            .iter()
            .map(|it| Moved {
                velocity: [0.0; 3],
                spin: [0.0; 3],
                ..*it
            })
            .collect();
        let mut directions = Vec::new();
        for k in 0..free.len() {
            let mut rates = vec![0.0; free.len()];
            rates[k] = 1.0;
            let [values, rates] = self.robot.completed(&values, &rates, self.exact);
            directions.push(Motion {
                values,
                rates,
                free: still.clone(),
            });
        }
        for body in 0..still.len() {
            for axis in IDENTITY {
                for (velocity, spin) in [(axis, [0.0; 3]), ([0.0; 3], axis)] {
                    let mut motion = Motion {
                        rates: vec![0.0; state.values.len()],
                        free: still.clone(),
                        values: state.values.clone(),
                    };
                    (motion.free[body].velocity, motion.free[body].spin) = (velocity, spin);
                    directions.push(motion);
                }
            }
        }
        directions
    }

    /// The frames of a loop.
    fn ends(&self, index: usize, moved: &[Moved]) -> [Moved; 2] {
        let closing = &self.robot.loops[index];
        [0, 1].map(|k| {
            let own = placement(&closing.frames[k], self.exact);
            let mut end = moved[closing.links[k]].at(own.place);
            end.placement = Placement {
                turn: crate::spatial::multiply(&end.placement.turn, &own.turn),
                ..end.placement
            };
            end
        })
    }

    /// The value of a row.
    fn value(&self, index: usize, row: Row, moved: &[Moved]) -> f64 {
        let [a, b] = self.ends(index, moved);
        let gap = subtract(b.placement.place, a.placement.place);
        match row {
            Row::World(k) => gap[k],
            Row::Along(u) => dot(apply(&a.placement.turn, u), gap),
            Row::Across(u, w) => dot(apply(&a.placement.turn, u), apply(&b.placement.turn, w)),
        }
    }

    /// The rate of a row, and the sum of the sizes of its terms.
    fn rate(&self, index: usize, row: Row, moved: &[Moved]) -> (f64, f64) {
        let [a, b] = self.ends(index, moved);
        let gap = subtract(b.placement.place, a.placement.place);
        let apart = subtract(b.velocity, a.velocity);
        let speeds = norm(a.velocity) + norm(b.velocity);
        match row {
            Row::World(k) => (apart[k], speeds),
            Row::Along(u) => {
                let u = apply(&a.placement.turn, u);
                let rate = dot(cross(a.spin, u), gap) + dot(u, apart);
                (rate, speeds + norm(a.spin) * norm(gap))
            }
            Row::Across(u, w) => {
                let (u, w) = (apply(&a.placement.turn, u), apply(&b.placement.turn, w));
                let rate = dot(cross(a.spin, u), w) + dot(u, cross(b.spin, w));
                (rate, norm(a.spin) + norm(b.spin))
            }
        }
    }

    /// Finds a closed position, and the rank of the rows there.
    fn close(&self, rows: &[(usize, Row)], closing: &mut Closing) {
        let free = self.robot.coordinates.iter().filter(|it| it.is_free());
        let drawn: Vec<f64> = free.map(|it| it.reference.value(self.exact)).collect();
        let is_closed = self.open(rows, &drawn) <= NOISE;
        let found = if is_closed {
            Some(drawn)
        } else {
            self.newton(rows, &drawn)
        };
        let Some(values) = found else {
            return;
        };
        let motion = self.still(&values);
        let follows = |count: usize| !self.is_independent(&rows[..count], &motion, CLOSED_NOISE);
        closing.is_redundant = (1..=rows.len()).any(follows);
        closing.closed = (!is_closed).then_some(values);
    }

    /// Newton's method from the drawn position, then from others near it.
    fn newton(&self, rows: &[(usize, Row)], drawn: &[f64]) -> Option<Vec<f64>> {
        for trial in 0..4 {
            let start = drawn.iter().enumerate();
            let away = |k: usize| {
                if trial == 0 {
                    0.0
                } else {
                    0.5 * noise(31 * trial + k)
                }
            };
            let mut values: Vec<f64> = start.map(|(k, x)| x + away(k)).collect();
            for _ in 0..50 {
                let motion = self.still(&values);
                let (gradients, _) = self.gradients(rows, &motion);
                let change = least_change(&gradients, &self.errors(rows, &motion));
                let size = change.iter().map(|x| x * x).sum::<f64>().sqrt();
                // Steps of at most a third of a radian do not jump to other branches.
                let shorter = if size > 0.3 { 0.3 / size } else { 1.0 };
                values
                    .iter_mut()
                    .zip(&change)
                    .for_each(|(x, dx)| *x -= shorter * dx);
                if size <= 4.0 * f64::EPSILON {
                    break;
                }
            }
            if self.open(rows, &values) <= NOISE {
                return Some(values);
            }
        }
        None
    }

    /// A position at rest.
    fn still(&self, values: &[f64]) -> Motion {
        let rates = vec![0.0; values.len()];
        let [values, rates] = self.robot.completed(values, &rates, self.exact);
        Motion {
            values,
            rates,
            free: Vec::new(),
        }
    }

    /// The value of each row.
    fn errors(&self, rows: &[(usize, Row)], motion: &Motion) -> Vec<f64> {
        let moved = self.robot.moved(motion, self.exact);
        let values = rows
            .iter()
            .map(|&(index, row)| self.value(index, row, &moved));
        values.collect()
    }

    /// The largest value of a row, distances as fractions of the size of the robot.
    fn open(&self, rows: &[(usize, Row)], values: &[f64]) -> f64 {
        let errors = self.errors(rows, &self.still(values));
        let extent = extent(self.robot);
        let relative = rows.iter().zip(errors).map(|((_, row), error)| match row {
            Row::World(_) | Row::Along(_) => error.abs() / extent,
            Row::Across(..) => error.abs(),
        });
        relative.fold(0.0, f64::max)
    }
}

impl Robot {
    /// A state without any symmetry, the same for the same number.
    pub fn random_motion(&self, number: usize, exact: bool) -> Motion {
        let mut next = 97 * number;
        let mut random = || {
            next += 1;
            noise(next)
        };
        let free = self.coordinates.iter().filter(|it| it.is_free()).count();
        let [values, rates] = [0, 1].map(|_| (0..free).map(|_| random()).collect::<Vec<f64>>());
        let [values, rates] = self.completed(&values, &rates, exact);
        let bodies = self.links.iter().filter(|link| link.base == Base::Free);
        let free = bodies.map(|_| {
            let mut vector = || [0; 3].map(|_| random());
            let (place, axis, velocity, spin) = (vector(), vector(), vector(), vector());
            Moved {
                placement: Placement {
                    place,
                    turn: rotation(
                        unit(add(axis, scale(1e-3, [1.0, 0.0, 0.0]))),
                        2.0_f64.sin_cos().into(),
                    ),
                },
                velocity,
                spin,
            }
        });
        let free = free.collect();
        Motion {
            values,
            rates,
            free,
        }
    }
}

/// A number between −1 and 1, another one for each `k`.
fn noise(k: usize) -> f64 {
    (12.9898 * k as f64 * (k as f64 + 0.618)).sin()
}

/// The rows of a kind: for places, for rotations.
fn rows_of(kind: LoopKind) -> [Vec<Row>; 2] {
    let [x, y, z] = IDENTITY;
    let all = IDENTITY.map(Row::Along).to_vec();
    match kind {
        LoopKind::Ball => [all, vec![]],
        LoopKind::Fixed => [
            all,
            vec![Row::Across(x, y), Row::Across(y, z), Row::Across(z, x)],
        ],
        LoopKind::Hinge(axis) => {
            let n = unit(axis);
            let [u, w] = across(n);
            [
                [u, w, n].map(Row::Along).to_vec(),
                vec![Row::Across(u, n), Row::Across(w, n)],
            ]
        }
        LoopKind::Slide(axis) => {
            let n = unit(axis);
            let [u, w] = across(n);
            let turns = vec![Row::Across(u, n), Row::Across(w, n), Row::Across(u, w)];
            [[u, w].map(Row::Along).to_vec(), turns]
        }
        LoopKind::Cylinder(axis) => {
            let n = unit(axis);
            let [u, w] = across(n);
            [
                [u, w].map(Row::Along).to_vec(),
                vec![Row::Across(u, n), Row::Across(w, n)],
            ]
        }
    }
}

/// The shortest x with J x = e: Jᵀ (J Jᵀ + ε)⁻¹ e, by elimination.
fn least_change(gradients: &[Vec<f64>], errors: &[f64]) -> Vec<f64> {
    let rows = gradients.len();
    let product = |i: usize, j: usize| {
        gradients[i]
            .iter()
            .zip(&gradients[j])
            .map(|(a, b)| a * b)
            .sum::<f64>()
    };
    let most = (0..rows).map(|i| product(i, i)).fold(0.0, f64::max);
    let mut a: Vec<Vec<f64>> = (0..rows)
        .map(|i| {
            let mut row: Vec<f64> = (0..rows).map(|j| product(i, j)).collect();
            row[i] += 1e-12 * most;
            row.push(errors[i]);
            row
        })
        .collect();
    for k in 0..rows {
        for i in k + 1..rows {
            let factor = a[i][k] / a[k][k];
            let pivot = a[k].clone();
            a[i].iter_mut()
                .zip(pivot)
                .skip(k)
                .for_each(|(x, y)| *x -= factor * y);
        }
    }
    for k in (0..rows).rev() {
        let known: f64 = (k + 1..rows).map(|j| a[k][j] * a[j][rows]).sum();
        a[k][rows] = (a[k][rows] - known) / a[k][k];
    }
    let columns = gradients.first().map_or(0, Vec::len);
    (0..columns)
        .map(|j| (0..rows).map(|i| gradients[i][j] * a[i][rows]).sum())
        .collect()
}
