//! `<equality>`: loops, and joints that follow others.

use roxmltree::Node;

use super::File;
use super::orientation::quaternion;
use crate::number::{Angle, rounded};
use crate::reader::{Reader, start_tag, value_of};
use crate::robot::{Follows, Loop, LoopKind, Step, placement};
use crate::spatial::Placement;

/// Two links, and in each the steps to a frame.
type Ends = ([usize; 2], [Vec<Step>; 2]);

impl<'a, 't> File<'a, 't> {
    pub(super) fn equalities(&mut self, reader: &mut Reader<'_>, node: Node<'a, 't>) {
        for (k, equality) in node.children().filter(Node::is_element).enumerate() {
            let kind = equality.tag_name().name();
            let active = self.word(reader, equality, None, "active");
            if active == Some("false") {
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
        self.check_couplings(reader);
    }

    /// Reports joints that follow themselves.
    fn check_couplings(&mut self, reader: &mut Reader<'_>) {
        let mut is_ordered = vec![false; self.robot.coordinates.len()];
        for k in self.robot.order() {
            is_ordered[k] = true;
        }
        for (follower, range) in std::mem::take(&mut self.couplings) {
            if is_ordered[follower] {
                continue;
            }
            let coordinate = &mut self.robot.coordinates[follower];
            coordinate.follows = None;
            let name = &coordinate.name;
            let message =
                format!("the joint `{name}` follows itself, perhaps through other joints");
            reader.wrong(range, message, Some("let one of these joints move freely"));
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
        let name = reader.word(node, "name");
        let name = name.map_or_else(|| format!("{kind}_{}", k + 1), str::to_owned);
        if links[0] == links[1] {
            let message = format!("`{name}` holds a body to itself");
            reader.wrong(start_tag(node), message, Some("name two bodies"));
            return;
        }
        let is_weld = kind == "weld" && !is_of_places(reader, node);
        self.robot.loops.push(Loop {
            name,
            range: start_tag(node),
            kind: if is_weld {
                LoopKind::Fixed
            } else {
                LoopKind::Ball
            },
            links,
            frames: frames.map(|steps| steps.into_iter().filter(|it| !it.is_nothing()).collect()),
        });
    }

    /// The two links of `body1` and `body2` with the frames in them that coincide.
    fn of_bodies(&self, reader: &mut Reader<'_>, node: Node<'a, 't>) -> Option<Ends> {
        let first = reader.required(node, "body1");
        let names = [first, reader.word(node, "body2").or(Some("world"))];
        let links = [0, 1]
            .map(|k| names[k].and_then(|it| self.link(reader, node, ["body1", "body2"][k], it)));
        let links = [links[0]?, links[1]?];
        let [a, b] = links.map(|it| &self.drawn[it]);
        let between = a.inverse().then(b);
        if node.has_tag_name("weld") {
            return Some((links, welded(reader, node, &between)));
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
        let found = self.site_names.get(name).copied();
        if found.is_none() {
            let meant = reader.among(name, self.site_names.keys().copied());
            let message = format!("there is no site `{name}`{meant}");
            reader.wrong(value_of(node, attribute), message, None);
        }
        found
    }

    fn link(
        &self,
        reader: &mut Reader<'_>,
        node: Node<'a, 't>,
        attribute: &str,
        name: &str,
    ) -> Option<usize> {
        let found = self.link_names.get(name).copied();
        if found.is_none() {
            let meant = reader.among(name, self.link_names.keys().map(String::as_str));
            let message = format!("there is no body `{name}`{meant}");
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
        let found = self.joint_names.get(name).copied();
        if found.is_some() {
            return found;
        }
        let message = match self.other_joints.get(name) {
            Some(kind) => {
                format!("`{name}` is a {kind} joint, which has no coordinate of its own")
            }
            None => {
                let meant = reader.among(name, self.joint_names.keys().map(String::as_str));
                format!("there is no joint `{name}`{meant}")
            }
        };
        reader.wrong(value_of(node, attribute), message, None);
        None
    }

    /// joint1 − ref1 = c₀ + c₁ (joint2 − ref2) + …
    fn coupling(&mut self, reader: &mut Reader<'_>, node: Node<'a, 't>) {
        let Some(first) = reader.required(node, "joint1") else {
            return;
        };
        let follower = self.joint(reader, node, "joint1", first);
        let leader = reader
            .word(node, "joint2")
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
        self.couplings.push((follower, start_tag(node)));
    }
}

/// True for a weld whose torques are off: it holds two places together.
fn is_of_places(reader: &mut Reader<'_>, node: Node<'_, '_>) -> bool {
    let scale = reader.number(node, "torquescale");
    if scale.is_some_and(|it| it != 0.0) {
        reader.ignore_part(
            node,
            "`torquescale` of <weld>: what holds exactly needs no weight",
        );
    }
    scale == Some(0.0)
}

/// The frames in two bodies that a weld holds together; `between` leads from one to the other as drawn.
fn welded(reader: &mut Reader<'_>, node: Node<'_, '_>, between: &Placement) -> [Vec<Step>; 2] {
    let anchor = reader.numbers::<3>(node, "anchor").unwrap_or_default();
    let anchored = vec![Step::Place(anchor)];
    let relative = relative_pose(reader, node);
    let drawn = Placement {
        place: between.at(anchor),
        ..*between
    };
    [relative.unwrap_or_else(|| drawn_steps(&drawn)), anchored]
}

/// `relpose`, unless its quaternion is zero.
fn relative_pose(reader: &mut Reader<'_>, node: Node<'_, '_>) -> Option<Vec<Step>> {
    let [x, y, z, a, b, c, d] = reader.words::<7>(node, "relpose")?;
    if [a, b, c, d].iter().all(|it| it.1 == 0.0) {
        return None;
    }
    let turn = quaternion(reader, node, "relpose", [a, b, c, d]);
    Some([vec![Step::Place([x.1, y.1, z.1])], turn].concat())
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
fn drawn_steps(between: &Placement) -> Vec<Step> {
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
