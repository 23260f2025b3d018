//! Joints that close loops, as rows.

use crate::closing::Row;
use crate::names::identifier;
use crate::number::{Angle, number, rounded};
use crate::robot::{LoopKind, Step};

use super::Writer;
use super::motion::polynomial;

impl Writer<'_> {
    /// The rows of all loops.
    pub(super) fn rows(&mut self) {
        for (index, closing) in self.robot.loops.iter().enumerate() {
            if index == 0 {
                self.line("");
                self.line("// Joints that close loops.");
            }
            let rows = self.closing.rows[index].clone();
            let name = self.loops[index].clone();
            let dropped = self.closing.dropped[index];
            if dropped > 0 {
                let further = if dropped == 1 {
                    "one more equation follows"
                } else {
                    &format!("{dropped} more equations follow")
                };
                self.line(&format!(
                    "// `{}`: {further} from the rest of the robot.",
                    closing.name
                ));
            }
            if rows.is_empty() {
                continue;
            }
            let [a, b] = [0, 1]
                .map(|k| self.end(&name, closing.links[k], &closing.frames[k], ["_a", "_b"][k]));
            if closing.kind == LoopKind::Ball && rows == [0, 1, 2].map(Row::World) {
                self.line(&format!("constraint {name}: {} == {};", a.1, b.1));
                continue;
            }
            let gap = self.names.fresh(&format!("{name}_gap"), "_between");
            if rows.iter().any(|row| !matches!(row, Row::Across(..))) {
                self.line(&format!("let {gap} = {} - {};", b.1, a.1));
            }
            let rows = rows.iter().map(|row| self.row(*row, [&a.0, &b.0], &gap));
            let rows: Vec<String> = rows.collect();
            let text = match &rows[..] {
                [only] => only.clone(),
                _ if rows.iter().map(String::len).sum::<usize>() < 80 => {
                    format!("[{}]", rows.join(", "))
                }
                _ => format!("[\n        {},\n    ]", rows.join(",\n        ")),
            };
            self.line(&format!("constraint {name}: {text};"));
        }
    }

    /// Tendons whose lengths depend on each other.
    pub(super) fn couplings(&mut self) {
        for (index, coupling) in self.robot.couplings.iter().enumerate() {
            if index == 0 {
                self.line("");
                self.line("// Tendons whose lengths depend on each other.");
            }
            let tendon = self.tendons[coupling.tendon].clone();
            let leader = coupling.leader.map_or("", |it| self.tendons[it].as_str());
            let terms = coupling.coefficients.iter().map(|it| Angle::radians(*it));
            let terms: Vec<Angle> = terms.collect();
            let value = polynomial(leader, &terms, self.options.exact_numbers);
            let name = self.names.fresh(&identifier(&coupling.name, "row"), "_row");
            self.line(&format!("constraint {name}: {tendon} == {value};"));
        }
    }

    /// The frame of a loop at one of its links, and its origin.
    fn end(&mut self, name: &str, link: usize, steps: &[Step], suffix: &str) -> (String, String) {
        let link = self.links[link].clone();
        match steps {
            [] => (link.clone(), format!("at({link}, [0, 0, 0])")),
            // Without a rotation the link has the directions of the frame.
            [Step::Place(place)] => (link.clone(), format!("at({link}, {})", self.vector(*place))),
            _ => {
                let frame = self.names.fresh(&format!("{name}{suffix}"), "_frame");
                let product = self.poses(Some(link), steps);
                self.line(&format!("let {frame} = {product};"));
                (frame.clone(), format!("at({frame}, [0, 0, 0])"))
            }
        }
    }

    fn row(&self, row: Row, [a, b]: [&str; 2], gap: &str) -> String {
        let direction = |u: [f64; 3]| format!("[{}]", u.map(|x| number(rounded(x))).join(", "));
        match row {
            Row::World(k) => format!("{gap}.{}", ["x", "y", "z"][k]),
            Row::Along(u) => format!("dot(dir({a}, {}), {gap})", direction(u)),
            Row::Across(u, w) => format!(
                "dot(dir({a}, {}), dir({b}, {}))",
                direction(u),
                direction(w)
            ),
        }
    }
}
