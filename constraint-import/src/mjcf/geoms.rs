//! The mass of geoms: solids of uniform density.

use std::f64::consts::PI;

use roxmltree::Node;

use super::orientation::{ORIENTATIONS, towards};
use super::{File, Place};
use crate::reader::{Reader, start_tag};
use crate::robot::{Step, placement};
use crate::spatial::{IDENTITY, Inertia, add, norm, scale, subtract};

/// The solids whose mass is computed.
const SOLIDS: [&str; 5] = ["sphere", "capsule", "cylinder", "box", "ellipsoid"];

impl<'a, 't> File<'a, 't> {
    /// The masses of all geoms of a body, in its axes; without `with_mass`, or without a mass, they are listed.
    pub(super) fn geoms(
        &mut self,
        reader: &mut Reader<'_>,
        body: Node<'a, 't>,
        class: Option<&'a str>,
        with_mass: bool,
    ) -> Vec<Inertia> {
        let mut parts = Vec::new();
        let place = Place {
            link: self.robot.links.len() - 1,
            class,
            frame: None,
        };
        let mut waiting = vec![(body, place)];
        while let Some((node, place)) = waiting.pop() {
            for child in node.children().filter(Node::is_element) {
                match child.tag_name().name() {
                    "geom" => {
                        let part = with_mass.then(|| self.geom(reader, child, place)).flatten();
                        if part.is_none() {
                            reader.ignore(child);
                        }
                        parts.extend(part);
                    }
                    "frame" => waiting.push((child, self.frame(reader, child, place))),
                    _ => {}
                }
            }
        }
        parts
    }

    fn geom(
        &mut self,
        reader: &mut Reader<'_>,
        node: Node<'a, 't>,
        Place { class, frame, link }: Place<'a>,
    ) -> Option<Inertia> {
        let kind = self.word(reader, node, class, "type").unwrap_or("sphere");
        let mut number = |name| self.numbers::<1>(reader, node, class, name).map(|[it]| it);
        let mass = number("mass");
        let density = number("density").unwrap_or(1000.0);
        let group = number("group").unwrap_or(0.0);
        let [first, last] = self.settings.groups;
        let has_mass = mass.unwrap_or(density) != 0.0 && (first..=last).contains(&group);
        if !has_mass || matches!(kind, "plane" | "hfield") {
            return None;
        }
        let is_shell = self.word(reader, node, class, "shellinertia") == Some("true");
        if is_shell || !SOLIDS.contains(&kind) {
            let what = if is_shell { "shell" } else { kind };
            let message = format!("the mass of a {what} is not computed");
            let help =
                "give its body an `<inertial>`, or write `mass=\"0\"` if the mass is elsewhere";
            // It matters only if the body moves.
            self.unknown_masses
                .push((link, start_tag(node), message, help));
            return None;
        }
        let ends = self.numbers::<6>(reader, node, class, "fromto");
        let ends = ends.map(|[x, y, z, u, v, w]| ([x, y, z], [u, v, w]));
        let steps = match ends {
            Some((from, to)) => {
                let middle = Step::Place(scale(0.5, add(from, to)));
                [vec![middle], towards(subtract(from, to), 0.0)].concat()
            }
            None => self.placed(reader, node, class),
        };
        let half = ends.map(|(from, to)| 0.5 * norm(subtract(from, to)));
        let sizes = self.sizes(reader, node, class, kind, half)?;
        let (volume, per_mass) = solid(kind, sizes);
        let mass = mass.unwrap_or(density * volume);
        let own = Inertia {
            mass,
            centre: [0.0; 3],
            about_centre: [0, 1, 2].map(|i| [0, 1, 2].map(|j| IDENTITY[i][j] * mass * per_mass[i])),
        };
        let frame = [self.steps_to(frame), steps].concat();
        Some(own.seen(&placement(&frame, true)))
    }

    /// Half the extents of a solid whose long axis is z; `half` is its half length between the ends of `fromto`.
    fn sizes(
        &self,
        reader: &mut Reader<'_>,
        node: Node<'a, 't>,
        class: Option<&str>,
        kind: &str,
        half: Option<f64>,
    ) -> Option<[f64; 3]> {
        let size = self.list(reader, node, class, "size").unwrap_or_default();
        let needed = match (kind, half) {
            ("sphere", _) | (_, Some(_)) => 1,
            ("box" | "ellipsoid", None) => 3,
            _ => 2,
        };
        let sizes = match (kind, half, &size[..]) {
            _ if size.len() < needed => None,
            ("sphere", _, [r, ..]) => Some([*r, *r, *r]),
            (_, Some(half), [r, ..]) => Some([*r, *r, half]),
            ("box" | "ellipsoid", None, [a, b, c]) => Some([*a, *b, *c]),
            (_, None, [r, half, ..]) => Some([*r, *r, *half]),
            _ => None,
        };
        let sizes = sizes.filter(|it| it.iter().all(|x| *x > 0.0));
        if sizes.is_none() {
            let message = format!(
                "the {kind} needs {needed} positive {}",
                if needed == 1 { "number" } else { "numbers" }
            );
            reader.wrong(start_tag(node), message, Some("write `size=\"…\"`"));
        }
        sizes
    }

    /// The frame of a geom or a site, its parts perhaps from its class.
    pub(super) fn placed(
        &mut self,
        reader: &mut Reader<'_>,
        node: Node<'a, 't>,
        class: Option<&str>,
    ) -> Vec<Step> {
        let mut steps = Vec::new();
        if let Some(place) = self.numbers::<3>(reader, node, class, "pos") {
            steps.push(Step::Place(place));
        }
        // Its own rotation replaces one in another notation in its class.
        let is_own = ORIENTATIONS.iter().any(|it| node.has_attribute(*it));
        let said = ORIENTATIONS
            .iter()
            .find_map(|it| self.defaults.with(node, class, it));
        let node = if is_own { Some(node) } else { said };
        steps.extend(
            node.into_iter()
                .flat_map(|it| self.settings.rotation(reader, it)),
        );
        steps
    }
}

/// Volume, and principal moments for a mass of 1, of a solid whose long axis is z.
fn solid(kind: &str, [a, b, c]: [f64; 3]) -> (f64, [f64; 3]) {
    let squares = |of: f64| [b * b + c * c, a * a + c * c, a * a + b * b].map(|it| it / of);
    match kind {
        "box" => (8.0 * a * b * c, squares(3.0)),
        "cylinder" => {
            let across = a * a / 4.0 + c * c / 3.0;
            (2.0 * PI * a * a * c, [across, across, a * a / 2.0])
        }
        "capsule" => {
            let (rod, caps) = (2.0 * PI * a * a * c, 4.0 / 3.0 * PI * a.powi(3));
            let volume = rod + caps;
            let (in_rod, in_caps) = (rod / volume, caps / volume);
            // The centre of a half sphere is 3/8 of the radius beyond the end of the rod.
            let of_caps = 0.4 * a * a + c * c + 0.75 * a * c;
            let across = in_rod * (a * a / 4.0 + c * c / 3.0) + in_caps * of_caps;
            (
                volume,
                [across, across, in_rod * a * a / 2.0 + in_caps * 0.4 * a * a],
            )
        }
        _ => (4.0 / 3.0 * PI * a * b * c, squares(5.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A kind, its sizes, its half height and its radius at a height.
    type Case<'a> = (&'a str, [f64; 3], f64, &'a dyn Fn(f64) -> f64);

    /// Volume and moments of a solid of revolution, its radius a function of z, by slices.
    fn by_slices(height: f64, radius: impl Fn(f64) -> f64) -> (f64, [f64; 2]) {
        let count = 200_000;
        let step = 2.0 * height / f64::from(count);
        let (mut volume, mut along, mut across) = (0.0, 0.0, 0.0);
        for k in 0..count {
            let z = (f64::from(k) + 0.5) * step - height;
            let area = PI * radius(z).powi(2);
            let about = area * radius(z).powi(2) / 2.0;
            volume += area * step;
            along += about * step;
            across += (about / 2.0 + area * z * z) * step;
        }
        (volume, [across / volume, along / volume])
    }

    #[test]
    fn solids_of_revolution_have_the_moments_of_their_slices() {
        let (a, c): (f64, f64) = (0.3, 0.8);
        let capsule = move |z: f64| (a * a - (z.abs() - c).max(0.0).powi(2)).max(0.0).sqrt();
        let cases: [Case<'_>; 4] = [
            ("sphere", [a, a, a], a, &|z| (a * a - z * z).sqrt()),
            ("cylinder", [a, a, c], c, &|_| a),
            ("capsule", [a, a, c], c + a, &capsule),
            ("ellipsoid", [a, a, c], c, &|z| {
                a * (1.0 - z * z / (c * c)).sqrt()
            }),
        ];
        for (kind, sizes, height, radius) in cases {
            let (volume, [across, along]) = by_slices(height, radius);
            let (found, moments) = solid(kind, sizes);
            for (found, expected) in [
                (found, volume),
                (moments[0], across),
                (moments[1], across),
                (moments[2], along),
            ] {
                assert!(
                    (found - expected).abs() < 1e-8 * expected,
                    "{kind}: {found} {expected}"
                );
            }
        }
    }

    /// A box of 2 × 4 × 6 has the volume 48 and I/m = (2² + 3²)/3 about its first axis.
    #[test]
    fn boxes_have_the_moments_of_the_textbook() {
        let (volume, moments) = solid("box", [1.0, 2.0, 3.0]);
        assert_eq!(
            (volume, moments),
            (48.0, [13.0 / 3.0, 10.0 / 3.0, 5.0 / 3.0])
        );
    }
}
