//! The equations of joints that close loops: as many as are independent.
//!
//! A hinge that closes a planar linkage has five equations in space, of which three hold in every state. Input: the robot.
//! Output: for each loop the rows that restrict its motion, and a position in which all loops are closed.

use std::collections::{BTreeMap, HashMap};

use crate::articulated::Joints;
use crate::forward::{Motion, Moved};
use crate::inertia::{displaced, extent};
use crate::robot::{Base, LoopKind, Robot, Unit, placement};
use crate::sparse::{Reduced, SparseRows};
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
    /// True if there are too many rows to search for a closed position.
    pub is_unsearched: bool,
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

/// Rows of a position that is searched for; the search takes the cube of their number.
pub const MOST_ROWS: usize = 300;

/// A robot at a position.
struct State {
    /// The frame of each link.
    moved: Vec<Moved>,
    joints: Joints,
    slopes: Vec<f64>,
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
        let states: Vec<State> = (0..3)
            .map(|k| self.at(&self.robot.random_motion(k + 1, self.exact)))
            .collect();
        let mut kept: Vec<(usize, Row)> = Vec::new();
        let mut independent = vec![SparseRows::default(); states.len()];
        for index in 0..self.robot.loops.len() {
            let all = self.candidates(index, &states);
            let before = kept.len();
            for &row in &all {
                let reduced = states.iter().zip(&independent).map(|(state, rows)| {
                    let (gradient, size) = self.gradient(state, index, row);
                    rows.reduced(gradient, NOISE * size)
                });
                let reduced: Option<Vec<Reduced>> = reduced.collect();
                for (rows, row) in independent.iter_mut().zip(reduced.iter().flatten()) {
                    rows.push(row.clone());
                }
                kept.extend(reduced.map(|_| (index, row)));
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
    fn candidates(&self, index: usize, states: &[State]) -> Vec<Row> {
        let [places, turns] = rows_of(self.robot.loops[index].kind);
        let world = [0, 1, 2].map(Row::World);
        let moves = |row: &Row| {
            let moves = |state| self.are_independent(state, &[(index, *row)], NOISE);
            states.iter().all(moves)
        };
        let moving = world.iter().filter(|row| moves(row));
        let moving: Vec<(usize, Row)> = moving.map(|row| (index, *row)).collect();
        let all = |state| self.are_independent(state, &moving, NOISE);
        let places = if places.len() == 3 && states.iter().all(all) {
            world.to_vec()
        } else {
            places
        };
        [places, turns].concat()
    }

    /// True if no row follows from the others at a state.
    fn are_independent(&self, state: &State, rows: &[(usize, Row)], noise: f64) -> bool {
        let mut sum = SparseRows::default();
        rows.iter().all(|&(index, row)| {
            let (gradient, size) = self.gradient(state, index, row);
            sum.insert(gradient, noise * size)
        })
    }

    /// The frames and joints at a position.
    fn at(&self, motion: &Motion) -> State {
        State {
            moved: self.robot.moved(motion, self.exact),
            joints: Joints::of(self.robot, motion, self.exact),
            slopes: self.robot.slopes(&motion.values, self.exact),
        }
    }

    /// The derivative of a row by the velocities that it depends on, and what its terms add up to without cancellation.
    fn gradient(&self, state: &State, index: usize, row: Row) -> (Vec<(usize, f64)>, f64) {
        let [a, b] = self.ends(index, &state.moved).map(|end| Moved {
            velocity: [0.0; 3],
            spin: [0.0; 3],
            ..end
        });
        let [of_a, of_b] = self.robot.loops[index]
            .links
            .map(|it| state.joints.path(it));
        let mut twists: BTreeMap<usize, [bool; 2]> = BTreeMap::new();
        for (side, path) in [of_a, of_b].into_iter().enumerate() {
            for joint in path {
                twists.entry(joint).or_default()[side] = true;
            }
        }
        let (mut gradient, mut size) = (Vec::new(), 0.0_f64);
        for (joint, sides) in twists {
            for (coordinate, twist) in state.joints.twists(joint) {
                let moved = [(a, sides[0]), (b, sides[1])].map(|(end, moves)| match moves {
                    true => state.joints.moved(joint, &twist, end),
                    false => end,
                });
                let (rate, most) = rate(row, moved);
                size = size.max(most);
                gradient.extend(self.column(state, coordinate).map(|(k, by)| (k, by * rate)));
            }
        }
        (gradient, size)
    }

    /// The free coordinate that moves another one, and its factor.
    fn column(&self, state: &State, coordinate: usize) -> Option<(usize, f64)> {
        let (mut k, mut factor) = (coordinate, 1.0);
        while let Some(follows) = self
            .robot
            .coordinates
            .get(k)
            .and_then(|it| it.follows.as_ref())
        {
            factor *= state.slopes[k];
            k = follows.leader?;
        }
        Some((k, factor))
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

    /// Finds a closed position, and the rank of the rows there.
    fn close(&self, rows: &[(usize, Row)], closing: &mut Closing) {
        let free = self.robot.coordinates.iter().filter(|it| it.is_free());
        let drawn: Vec<f64> = free.map(|it| it.reference.value(self.exact)).collect();
        let is_closed = self.open(rows, &drawn) <= NOISE;
        closing.is_unsearched = !is_closed && rows.len() > MOST_ROWS;
        let found = match is_closed {
            true => Some(drawn),
            false if closing.is_unsearched => None,
            false => self.newton(rows, &drawn),
        };
        let Some(values) = found else {
            return;
        };
        let state = self.at(&self.still(&values));
        closing.is_redundant = !self.are_independent(&state, rows, CLOSED_NOISE);
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
                let gradients = self.dense_gradients(rows, &motion, drawn.len());
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

    /// The derivatives of rows by the free coordinates.
    fn dense_gradients(
        &self,
        rows: &[(usize, Row)],
        motion: &Motion,
        columns: usize,
    ) -> Vec<Vec<f64>> {
        let mut places = HashMap::new();
        for (k, coordinate) in self.robot.coordinates.iter().enumerate() {
            if coordinate.is_free() {
                places.insert(k, places.len());
            }
        }
        let state = self.at(motion);
        let rows = rows.iter().map(|&(index, row)| {
            let mut dense = vec![0.0; columns];
            for (column, x) in self.gradient(&state, index, row).0 {
                dense[places[&column]] += x;
            }
            dense
        });
        rows.collect()
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
        let motion = self.still(values);
        let errors = self.errors(rows, &motion);
        let size = self.size(&motion);
        let relative = rows.iter().zip(errors).map(|((_, row), error)| match row {
            // Nothing is off where everything is at one place.
            Row::World(_) | Row::Along(_) if error == 0.0 => 0.0,
            Row::World(_) | Row::Along(_) => error.abs() / size,
            Row::Across(..) => error.abs(),
        });
        relative.fold(0.0, f64::max)
    }

    /// The sum of all displacements: of links, in the frames of loops, by coordinates.
    fn size(&self, motion: &Motion) -> f64 {
        let frames = self.robot.loops.iter().flat_map(|it| &it.frames);
        let frames: f64 = frames.map(|it| displaced(it)).sum();
        let slid = self.robot.coordinates.iter().zip(&motion.values);
        let slid = slid.filter(|it| it.0.unit == Unit::Length);
        extent(self.robot) + frames + slid.map(|it| it.1.abs()).sum::<f64>()
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

/// The rate of a row between two moving frames, and the sum of the sizes of its terms.
fn rate(row: Row, [a, b]: [Moved; 2]) -> (f64, f64) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, import};

    /// A link on a joint, which is askew to the one before.
    fn moved(name: &str, kind: &str, parent: &str, axis: &str) -> String {
        format!(
            "<link name=\"{name}\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link><joint \
             name=\"j{name}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{name}\"/><origin xyz=\"0.1 0.2 0.3\" \
             rpy=\"0.3 0.1 -0.2\"/><axis xyz=\"{axis}\"/></joint>"
        )
    }

    /// Two branches after a common joint, with a loop between their ends.
    #[test]
    fn gradients_are_differences() {
        let links = [
            moved("b", "prismatic", "a", "1 1 0"),
            moved("c", "continuous", "b", "0 1 0"),
            moved("d", "prismatic", "c", "1 0 3"),
            moved("e", "continuous", "b", "0 1 2"),
        ];
        let file = format!(
            "<robot><link name=\"a\"/>{}<loop_joint name=\"l\" type=\"cylindrical\"><link1 link=\"d\" xyz=\"0.1 0.2 0.3\"/><link2 \
             link=\"e\" xyz=\"1 0 0\" rpy=\"0.1 0.2 0\"/><axis xyz=\"1 2 2\"/></loop_joint></robot>",
            links.concat()
        );
        let imported = import(&file, &Options::new("l.urdf")).expect("a robot");
        let loops = Loops {
            robot: &imported.robot,
            exact: true,
        };
        let q = [0.3, -0.2, 0.5, 0.7];
        let rows = loops.candidates(0, &[loops.at(&loops.still(&q))]);
        let rows: Vec<(usize, Row)> = rows.into_iter().map(|it| (0, it)).collect();
        let found = loops.dense_gradients(&rows, &loops.still(&q), 4);
        for k in 0..4 {
            let at = |step: f64| {
                let mut moved = q;
                moved[k] += step;
                loops.errors(&rows, &loops.still(&moved))
            };
            for ((gradient, low), high) in found.iter().zip(at(-1e-6)).zip(at(1e-6)) {
                assert!((gradient[k] - (high - low) / 2e-6).abs() < 1e-8);
            }
        }
    }
}
