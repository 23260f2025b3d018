//! The five ways in which MJCF writes a rotation.

use roxmltree::Node;

use super::Settings;
use crate::number::Angle;
use crate::reader::{Reader, value_of};
use crate::robot::Step;
use crate::spatial::{Matrix, Vector, cross, dot, norm, scale, subtract, transpose, unit};

/// The attributes that give a rotation; an element has one of them.
pub(super) const ORIENTATIONS: [&str; 5] = ["quat", "axisangle", "euler", "xyaxes", "zaxis"];

impl Settings {
    /// An angle of the file.
    pub(super) fn angle(
        &self,
        reader: &mut Reader<'_>,
        node: Node<'_, '_>,
        (word, number): (&str, f64),
    ) -> Angle {
        if self.in_degrees {
            Angle::degrees(number)
        } else {
            reader.angle(node, word, number)
        }
    }

    /// `pos` and the rotation of an element.
    pub(super) fn frame(&self, reader: &mut Reader<'_>, node: Node<'_, '_>) -> Vec<Step> {
        let place = reader.numbers(node, "pos").unwrap_or_default();
        let mut steps = vec![Step::Place(place)];
        steps.extend(self.rotation(reader, node));
        steps.retain(|step| !step.is_nothing());
        steps
    }

    /// The rotation of an element, with a note on rounded multiples of π.
    pub(super) fn rotation(&self, reader: &mut Reader<'_>, node: Node<'_, '_>) -> Vec<Step> {
        let given = ORIENTATIONS.iter().filter(|it| node.has_attribute(**it));
        if let [first, second, ..] = given.collect::<Vec<_>>()[..] {
            let message = format!("`{first}` and `{second}` are two rotations of one element");
            reader.flaw(value_of(node, second), message, Some("keep one of them"));
        }
        let steps = self.written_rotation(reader, node);
        for name in ["quat", "xyaxes", "zaxis"] {
            if let Some(text) = node.attribute(name) {
                note(reader, node, text, &steps);
                break;
            }
        }
        steps
    }

    fn written_rotation(&self, reader: &mut Reader<'_>, node: Node<'_, '_>) -> Vec<Step> {
        if let Some(words) = reader.words::<4>(node, "quat") {
            return quaternion(reader, node, "quat", words);
        }
        if let Some([x, y, z, angle]) = reader.words::<4>(node, "axisangle") {
            let axis = [x.1, y.1, z.1];
            if !is_direction(reader, node, "axisangle", axis) {
                return Vec::new();
            }
            return vec![Step::Turn(axis, self.angle(reader, node, angle))];
        }
        if let Some(angles) = reader.words::<3>(node, "euler") {
            let mut steps = Vec::new();
            for (axis, angle) in self.sequence.into_iter().zip(angles) {
                let k = "xyz".find(axis.to_ascii_lowercase()).unwrap_or(0);
                let mut direction = [0.0; 3];
                direction[k] = 1.0;
                let step = Step::Turn(direction, self.angle(reader, node, angle));
                // A fixed axis turns what was turned before.
                steps.insert(if axis.is_lowercase() { steps.len() } else { 0 }, step);
            }
            return steps;
        }
        if let Some(words) = reader.words::<6>(node, "xyaxes") {
            let numbers = words.map(|it| it.1);
            let (x, y) = (
                [numbers[0], numbers[1], numbers[2]],
                [numbers[3], numbers[4], numbers[5]],
            );
            if !is_direction(reader, node, "xyaxes", cross(x, y)) {
                return Vec::new();
            }
            let x = unit(x);
            let y = unit(subtract(y, scale(dot(x, y), x)));
            let error = words.iter().map(|it| precision(it.0)).fold(0.0, f64::max);
            return about(&transpose(&[x, y, cross(x, y)]), error);
        }
        if let Some(words) = reader.words::<3>(node, "zaxis") {
            let z = words.map(|it| it.1);
            if !is_direction(reader, node, "zaxis", z) {
                return Vec::new();
            }
            let error = words.iter().map(|it| precision(it.0)).fold(0.0, f64::max);
            return towards(z, error);
        }
        Vec::new()
    }
}

/// Notes an angle that the numbers of an attribute give but for rounding.
fn note(reader: &mut Reader<'_>, node: Node<'_, '_>, text: &str, steps: &[Step]) {
    for step in steps {
        if let Step::Turn(_, angle) = step
            && (angle.radians - angle.value(true)).abs() > 1e-14
        {
            reader.recognise(node, &format!("the angle of `{text}`"), *angle);
        }
    }
}

/// The smallest rotation that turns z to a direction.
pub(super) fn towards(direction: Vector, error: f64) -> Vec<Step> {
    let [x, y, z] = unit(direction);
    let sin = x.hypot(y);
    let axis = if sin == 0.0 {
        [1.0, 0.0, 0.0]
    } else {
        [-y, x, 0.0]
    };
    vec![Step::Turn(
        simple(axis),
        Angle::computed(sin.atan2(z), error),
    )]
}

/// w x y z
pub(super) fn quaternion(
    reader: &mut Reader<'_>,
    node: Node<'_, '_>,
    name: &str,
    words: [(&str, f64); 4],
) -> Vec<Step> {
    let [w, x, y, z] = words.map(|it| it.1);
    let axis = [x, y, z];
    if norm([norm(axis), w, 0.0]) == 0.0 {
        reader.wrong(
            value_of(node, name),
            "the quaternion is zero",
            Some("no rotation is `1 0 0 0`"),
        );
        return Vec::new();
    }
    let error = words.iter().map(|it| precision(it.0)).fold(0.0, f64::max);
    turn(axis, w, 4.0 * error)
}

/// The rotation of a quaternion w + v.
fn turn(v: Vector, w: f64, error: f64) -> Vec<Step> {
    if v == [0.0; 3] {
        return Vec::new();
    }
    let mut angle = 2.0 * norm(v).atan2(w);
    // From −π to π.
    if angle > std::f64::consts::PI {
        angle -= std::f64::consts::TAU;
    }
    vec![Step::Turn(
        simple(v),
        Angle::computed(angle, error.max(1e-15)),
    )]
}

/// The rotation of a matrix whose numbers are good to `error`.
pub(super) fn about(turn_matrix: &Matrix, error: f64) -> Vec<Step> {
    let m = turn_matrix;
    let trace = m[0][0] + m[1][1] + m[2][2];
    // Each of the four ways is exact where the others cancel.
    let squares = [
        trace,
        2.0 * m[0][0] - trace,
        2.0 * m[1][1] - trace,
        2.0 * m[2][2] - trace,
    ];
    let largest = (0..4)
        .max_by(|&i, &j| squares[i].total_cmp(&squares[j]))
        .unwrap_or(0);
    let of_spin = [m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]];
    let (v, w) = if largest == 0 {
        (of_spin, 1.0 + trace)
    } else {
        let i = largest - 1;
        let mut v = [0, 1, 2].map(|j| m[i][j] + m[j][i]);
        v[i] = 1.0 + squares[largest];
        (v, of_spin[i])
    };
    turn(v, w, 4.0 * error)
}

/// The same direction with its largest component ±1.
fn simple(v: Vector) -> Vector {
    let most = v.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    v.map(|x| x / most)
}

/// The unit of the last digit of a number as written.
fn precision(word: &str) -> f64 {
    let decimals = crate::number::decimals(word);
    // A number without a point is exact.
    if decimals < 4 {
        0.0
    } else {
        10_f64.powi(-(decimals.min(15) as i32))
    }
}

fn is_direction(
    reader: &mut Reader<'_>,
    node: Node<'_, '_>,
    name: &str,
    direction: Vector,
) -> bool {
    let is_one = norm(direction) > 0.0;
    if !is_one {
        reader.wrong(value_of(node, name), "the axis has no direction", None);
    }
    is_one
}
