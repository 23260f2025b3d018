//! `<equality>`: loops, and joints that follow others.

use roxmltree::Node;

use super::File;
use super::orientation::quaternion;
use crate::number::{Angle, rounded};
use crate::reader::{Reader, among, start_tag, value_of};
use crate::robot::{Follows, Loop, LoopKind, Step, placement};

/// Two links, and in each the steps to a frame.
type Ends = ([usize; 2], [Vec<Step>; 2]);

impl<'a, 't> File<'a, 't> {
    pub(super) fn equalities(&mut self, reader: &mut Reader<'_>, node: Node<'a, 't>) {
        for (k, equality) in node.children().filter(Node::is_element).enumerate() {
            let kind = equality.tag_name().name();
            if equality.attribute("active") == Some("false") {
                reader.ignore(equality);
                continue;
            }
            match kind {
                "connect" | "weld" => self.closing(reader, equality, k),
                "joint" => self.coupling(reader, equality),
                "tendon" => self.coupled_tendons(reader, equality, k),
                _ => reader.ignore(equality),
            }
        }
    }

    fn closing(&mut self, reader: &mut Reader<'_>, node: Node<'a, 't>, k: usize) {
        let kind = node.tag_name().name();
        let ends = if node.has_attribute("site1") {
            self.of_sites(reader, node)
        } else {
            self.of_bodies(reader, node)
        };
        let Some((links, frames)) = ends else {
            return;
        };
        let name = node
            .attribute("name")
            .map_or_else(|| format!("{kind}_{}", k + 1), str::to_owned);
        self.robot.loops.push(Loop {
            name,
            range: start_tag(node),
            kind: match kind {
                "weld" => LoopKind::Fixed,
                _ => LoopKind::Ball,
            },
            links,
            frames: frames.map(|steps| steps.into_iter().filter(|it| !it.is_nothing()).collect()),
        });
    }

    /// The two links of `body1` and `body2` with the frames in them that coincide.
    fn of_bodies(&self, reader: &mut Reader<'_>, node: Node<'a, 't>) -> Option<Ends> {
        let first = reader.required(node, "body1");
        let names = [first, node.attribute("body2").or(Some("world"))];
        let links = [0, 1]
            .map(|k| names[k].and_then(|it| self.link(reader, node, ["body1", "body2"][k], it)));
        let links = [links[0]?, links[1]?];
        let [a, b] = links.map(|it| &self.drawn[it]);
        let between = a.inverse().then(b);
        if node.has_tag_name("weld") {
            let relative = self.relative_pose(reader, node);
            let first = relative.unwrap_or_else(|| drawn_steps(&between));
            return Some((links, [first, Vec::new()]));
        }
        reader.required(node, "anchor")?;
        let anchor = reader.numbers(node, "anchor")?;
        let other = between.inverse().at(anchor).map(rounded);
        Some((links, [vec![Step::Place(anchor)], vec![Step::Place(other)]]))
    }

    /// The same for `site1` and `site2`; `connect` holds their origins only.
    fn of_sites(&mut self, reader: &mut Reader<'_>, node: Node<'a, 't>) -> Option<Ends> {
        let sites = ["site1", "site2"].map(|it| self.site(reader, node, it));
        let [first, second] = [sites[0]?, sites[1]?];
        let ends = [first, second].map(|it| {
            let site = &mut self.sites[it];
            site.is_used = true;
            let steps = if site.steps.len() > 1 && node.has_tag_name("connect") {
                vec![Step::Place(placement(&site.steps, true).place.map(rounded))]
            } else {
                site.steps.clone()
            };
            (site.link, steps)
        });
        let [(a, of_a), (b, of_b)] = ends;
        Some(([a, b], [of_a, of_b]))
    }

    fn site(&self, reader: &mut Reader<'_>, node: Node<'a, 't>, attribute: &str) -> Option<usize> {
        let name = reader.required(node, attribute)?;
        let names = self.sites.iter().map(|it| it.node.attribute("name"));
        let found = names.clone().position(|it| it == Some(name));
        if found.is_none() {
            let known: Vec<String> = names.flatten().map(str::to_owned).collect();
            let message = format!("there is no site `{name}`{}", among(name, &known));
            reader.wrong(value_of(node, attribute), message, None);
        }
        found
    }

    /// `relpose`, unless its quaternion is zero.
    fn relative_pose(&self, reader: &mut Reader<'_>, node: Node<'a, 't>) -> Option<Vec<Step>> {
        let [x, y, z, a, b, c, d] = reader.words::<7>(node, "relpose")?;
        if [a, b, c, d].iter().all(|it| it.1 == 0.0) {
            return None;
        }
        let turn = quaternion(reader, node, "relpose", [a, b, c, d]);
        Some([vec![Step::Place([x.1, y.1, z.1])], turn].concat())
    }

    fn link(
        &self,
        reader: &mut Reader<'_>,
        node: Node<'a, 't>,
        attribute: &str,
        name: &str,
    ) -> Option<usize> {
        let found = self.robot.links.iter().position(|link| link.name == name);
        if found.is_none() {
            let known: Vec<String> = self.robot.links.iter().map(|it| it.name.clone()).collect();
            let message = format!("there is no body `{name}`{}", among(name, &known));
            reader.wrong(value_of(node, attribute), message, None);
        }
        found
    }

    /// The coordinate of a joint.
    pub(super) fn joint(
        &self,
        reader: &mut Reader<'_>,
        node: Node<'a, 't>,
        attribute: &str,
        name: &str,
    ) -> Option<usize> {
        let found = self.robot.coordinates.iter().position(|it| it.name == name);
        if found.is_some() {
            return found;
        }
        if let Some((_, kind)) = self.others.iter().find(|it| it.0 == name) {
            let message = format!("`{name}` is a {kind} joint, which has no coordinate of its own");
            reader.wrong(value_of(node, attribute), message, None);
            return None;
        }
        let known: Vec<String> = self
            .robot
            .coordinates
            .iter()
            .map(|it| it.name.clone())
            .collect();
        let message = format!("there is no joint `{name}`{}", among(name, &known));
        reader.wrong(value_of(node, attribute), message, None);
        None
    }

    /// joint1 − ref1 = c₀ + c₁ (joint2 − ref2) + …
    fn coupling(&mut self, reader: &mut Reader<'_>, node: Node<'a, 't>) {
        let Some(first) = reader.required(node, "joint1") else {
            return;
        };
        let follower = self.joint(reader, node, "joint1", first);
        let leader = node
            .attribute("joint2")
            .map(|name| self.joint(reader, node, "joint2", name));
        let (Some(follower), None | Some(Some(_))) = (follower, leader) else {
            return;
        };
        let leader = leader.flatten();
        let coefficients = reader
            .list(node, "polycoef")
            .unwrap_or_else(|| vec![0.0, 1.0]);
        let reference = |k: usize| self.robot.coordinates[k].reference.value(true);
        let mut in_values = match leader {
            Some(leader) => shifted(&coefficients, reference(leader)),
            None => vec![coefficients.first().copied().unwrap_or(0.0)],
        };
        in_values[0] += reference(follower);
        while in_values.len() > 1 && in_values.last() == Some(&0.0) {
            in_values.pop();
        }
        if self.robot.coordinates[follower].follows.is_some() {
            let message = format!("the joint `{first}` follows two others");
            reader.wrong(
                start_tag(node),
                message,
                Some("let each joint follow at most one"),
            );
            return;
        }
        self.robot.coordinates[follower].follows = Some(Follows {
            leader,
            coefficients: in_values.into_iter().map(Angle::radians).collect(),
        });
        if self.robot.order().len() < self.robot.coordinates.len() {
            let message =
                format!("the joint `{first}` follows itself, perhaps through other joints");
            reader.wrong(
                start_tag(node),
                message,
                Some("let one of these joints move freely"),
            );
            self.robot.coordinates[follower].follows = None;
        }
    }
}

/// The coefficients of p(x − x₀) in powers of x, by Horner's rule.
pub(super) fn shifted(coefficients: &[f64], x0: f64) -> Vec<f64> {
    let mut sum = vec![0.0; coefficients.len().max(1)];
    for &coefficient in coefficients.iter().rev() {
        for k in (1..sum.len()).rev() {
            sum[k] = sum[k - 1] - x0 * sum[k];
        }
        sum[0] = coefficient - x0 * sum[0];
    }
    sum
}

/// A placement computed from the drawn robot, as steps.
fn drawn_steps(between: &crate::spatial::Placement) -> Vec<Step> {
    let place = between.place.map(rounded);
    [
        vec![Step::Place(place)],
        super::orientation::about(&between.turn, 1e-14),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    /// (x − 2)² + 3 (x − 2) + 1 = x² − x − 1
    #[test]
    fn polynomials_are_shifted() {
        assert_eq!(super::shifted(&[1.0, 3.0, 1.0], 2.0), [-1.0, -1.0, 1.0]);
    }
}
