//! Random trees, written as URDF in a random order of their elements, against Newton–Euler.

use std::fmt::Write;

use constraint_import::{Options, import};
use nalgebra::{Matrix3, Rotation3};

use crate::dynamics::check;
use crate::model::{Model, noise};
use crate::newton_euler::{By, Link};

/// Numbers between −1 and 1, one after the other.
pub struct Random(pub usize);

impl Random {
    fn number(&mut self) -> f64 {
        self.0 += 1;
        // Few digits: the file and the table have the same numbers.
        (noise(self.0) * 1000.0).round() / 1000.0
    }

    fn vector(&mut self) -> [f64; 3] {
        [0; 3].map(|_| self.number())
    }

    fn below(&mut self, count: usize) -> usize {
        ((self.number() + 1.0) * 0.4999 * count as f64) as usize % count
    }

    /// The inertia of a cloud of points: moments of 1 − J, J positive definite.
    fn inertia(&mut self) -> [f64; 6] {
        let turn = Rotation3::from_euler_angles(self.number(), self.number(), self.number());
        let spread = Matrix3::from_diagonal(&nalgebra::Vector3::from_fn(|_, _| {
            0.1 + self.number().abs()
        }));
        let second = turn * spread * turn.transpose();
        let moments = Matrix3::identity() * second.trace() - second;
        let entries = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];
        entries.map(|it| (moments[it] * 1e6).round() / 1e6)
    }

    /// A tree of `count` links.
    fn tree(&mut self, count: usize) -> (Vec<Link>, usize) {
        let mut coordinates = 0;
        let links = (0..count).map(|k| {
            let axis = match self.below(3) {
                0 => self.vector(),
                other => [[0.0, 0.0, 1.0], [0.0, -1.0, 0.0]][other - 1],
            };
            let by = match self.below(4) {
                0 if k > 0 => By::Fixed,
                1 => By::Slide(axis, coordinates, 1.0, 0.0),
                _ => By::Hinge(axis, coordinates, 1.0, 0.0),
            };
            coordinates += usize::from(!matches!(by, By::Fixed));
            let is_straight = self.below(2) == 0;
            Link {
                base: (k > 0).then(|| self.below(k)),
                place: self.vector(),
                rpy: if is_straight { [0.0; 3] } else { self.vector() },
                by,
                mass: 0.5 + self.number().abs(),
                centre: self.vector(),
                inertia: self.inertia(),
                inertia_rpy: if is_straight { [0.0; 3] } else { self.vector() },
            }
        });
        (links.collect(), coordinates)
    }

    /// The elements of a robot in a random order; coordinates keep theirs.
    pub fn shuffled(&mut self, links: &[Link]) -> String {
        let texts = |v: &[f64]| v.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
        let mut bodies = vec!["<link name=\"root\"/>".to_owned()];
        let mut joints = Vec::new();
        for (k, link) in links.iter().enumerate() {
            let [xx, xy, xz, yy, yz, zz] = link.inertia;
            bodies.push(format!(
                "<link name=\"l{k}\"><inertial><origin xyz=\"{}\" rpy=\"{}\"/><mass value=\"{}\"/><inertia ixx=\"{xx}\" ixy=\"{xy}\" \
                 ixz=\"{xz}\" iyy=\"{yy}\" iyz=\"{yz}\" izz=\"{zz}\"/></inertial></link>",
                texts(&link.centre),
                texts(&link.inertia_rpy),
                link.mass,
            ));
            let (kind, axis) = match link.by {
                By::Hinge(axis, ..) => ("continuous", axis),
                By::Slide(axis, ..) => ("prismatic", axis),
                By::Fixed => ("fixed", [1.0, 0.0, 0.0]),
            };
            let parent = link
                .base
                .map_or_else(|| "root".to_owned(), |base| format!("l{base}"));
            joints.push(format!(
                "<joint name=\"j{k}\" type=\"{kind}\"><child link=\"l{k}\"/><parent link=\"{parent}\"/><axis xyz=\"{}\"/><origin \
                 rpy=\"{}\" xyz=\"{}\"/></joint>",
                texts(&axis),
                texts(&link.rpy),
                texts(&link.place),
            ));
        }
        let mut text = "<robot name=\"random\">\n".to_owned();
        let mut joints = joints.into_iter();
        while joints.len() + bodies.len() > 0 {
            let next = if self.below(2) == 0 {
                joints.next()
            } else {
                None
            };
            let next = next
                .or_else(|| (!bodies.is_empty()).then(|| bodies.remove(self.below(bodies.len()))));
            if let Some(next) = next {
                _ = writeln!(text, "{next}");
            }
        }
        text + "</robot>"
    }
}

#[test]
fn random_trees_move_as_newton_and_euler_say() {
    let cases = std::env::var("CONSTRAINT_CASES")
        .ok()
        .and_then(|it| it.parse().ok())
        .unwrap_or(6);
    for case in 0..cases {
        let mut random = Random(1000 * case);
        let (links, coordinates) = random.tree(1 + case % 5);
        let file = random.shuffled(&links);
        let imported =
            import(&file, &Options::new("random.urdf")).unwrap_or_else(|it| panic!("{it}\n{file}"));
        check(&Model::new(&imported.text), &links, coordinates, |_| {
            vec![0.0; coordinates]
        });
    }
}
