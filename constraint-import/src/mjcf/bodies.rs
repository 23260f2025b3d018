//! Bodies: their place, their joints, their mass.

use roxmltree::Node;

use super::{File, FromGeoms, Site};
use crate::number::Angle;
use crate::reader::{Reader, start_tag, value_of};
use crate::robot::{Base, Coordinate, Inertial, Link, Loop, LoopKind, Step, Unit, placement};
use crate::spatial::{Inertia, norm, scale};

impl<'a, 't> File<'a, 't> {
    /// Everything in a body that is not the body itself.
    pub(super) fn body_contents(
        &mut self,
        reader: &mut Reader<'_>,
        node: Node<'a, 't>,
        own: usize,
        class: Option<&str>,
    ) {
        self.framed(reader, node, own, class, &[]);
    }

    /// Children of a body, or of a `<frame>` in it.
    fn framed(
        &mut self,
        reader: &mut Reader<'_>,
        node: Node<'a, 't>,
        own: usize,
        class: Option<&str>,
        before: &[Step],
    ) {
        for child in node.children().filter(Node::is_element) {
            match child.tag_name().name() {
                "body" => self.body(reader, child, own, class, before),
                "frame" => {
                    let steps = [before, &self.settings.frame(reader, child)].concat();
                    let class = child.attribute("childclass").or(class);
                    self.framed(reader, child, own, class, &steps);
                }
                // Read with their body.
                "joint" | "freejoint" | "inertial" => {}
                "geom" if own > 0 => {}
                "site" => {
                    let steps = [before, &self.placed(reader, child, class)].concat();
                    let (node, link) = (child, own);
                    self.sites.push(Site {
                        node,
                        link,
                        steps,
                        is_used: false,
                    });
                }
                "replicate" | "composite" | "flexcomp" | "attach" => {
                    let message = format!(
                        "`<{}>` generates bodies, which are not read",
                        child.tag_name().name()
                    );
                    let help = "load the file in MuJoCo and save it by `mj_saveLastXML`";
                    reader.wrong(start_tag(child), message, Some(help));
                }
                _ => reader.ignore(child),
            }
        }
    }

    fn body(
        &mut self,
        reader: &mut Reader<'_>,
        node: Node<'a, 't>,
        parent: usize,
        class: Option<&str>,
        before: &[Step],
    ) {
        let class = node.attribute("childclass").or(class);
        let mut steps = [before, &self.settings.frame(reader, node)].concat();
        let index = self.robot.links.len();
        let name = self.link_name(reader, node);
        let drawn = self.drawn[parent].then(&placement(&steps, false));
        self.drawn.push(drawn);
        let base = self.joints(reader, node, (parent, index), class, &name, &mut steps);
        self.robot.links.push(Link {
            name,
            range: value_of(node, "name"),
            base,
            steps,
            inertial: None,
        });
        self.robot.links[index].inertial = self.inertial(reader, node, class);
        if reader
            .numbers(node, "gravcomp")
            .is_some_and(|[it]: [f64; 1]| it != 0.0)
        {
            let line = reader.line(node.range().start);
            reader.ignore_named("`gravcomp` of <body>".to_owned(), line);
        }
        self.body_contents(reader, node, index, class);
    }

    /// Adds the steps of a body's joints; its base.
    fn joints(
        &mut self,
        reader: &mut Reader<'_>,
        node: Node<'a, 't>,
        (parent, index): (usize, usize),
        class: Option<&str>,
        body: &str,
        steps: &mut Vec<Step>,
    ) -> Base {
        let joints = node
            .children()
            .filter(|it| it.has_tag_name("joint") || it.has_tag_name("freejoint"));
        let joints: Vec<Node<'a, 't>> = joints.collect();
        for (k, &joint) in joints.iter().enumerate() {
            let kind = self.word(reader, joint, class, "type").unwrap_or("hinge");
            let is_free = joint.has_tag_name("freejoint") || kind == "free";
            let name = match joint.attribute("name") {
                Some(name) => name.to_owned(),
                None if joints.len() == 1 => format!("{body}_joint"),
                None => format!("{body}_joint_{}", k + 1),
            };
            if (is_free || kind == "ball") && joints.len() > 1 {
                let what = if is_free { "free" } else { "ball" };
                let message =
                    format!("the {what} joint `{name}` shares the body `{body}` with other joints");
                reader.wrong(start_tag(joint), message, Some("give each its own body"));
                return Base::Link(parent);
            }
            if is_free {
                if parent > 0 {
                    let message = format!("the body `{body}` moves freely inside of another one");
                    reader.wrong(start_tag(joint), message, Some("put it into `<worldbody>`"));
                }
                self.others.push((name, "free"));
                steps.clear();
                return Base::Free;
            }
            let place = self
                .numbers::<3>(reader, joint, class, "pos")
                .unwrap_or_default();
            if kind == "ball" {
                self.ball(
                    reader,
                    joint,
                    (parent, index),
                    class,
                    name,
                    (std::mem::take(steps), place),
                );
                return Base::Free;
            }
            self.scalar(reader, joint, class, (name, kind), place, steps);
        }
        Base::Link(parent)
    }

    fn ball(
        &mut self,
        reader: &mut Reader<'_>,
        joint: Node<'a, 't>,
        (parent, index): (usize, usize),
        class: Option<&str>,
        name: String,
        (mut before, place): (Vec<Step>, [f64; 3]),
    ) {
        for attribute in ["stiffness", "damping", "armature", "frictionloss", "range"] {
            if self
                .defaults
                .with(reader, joint, class, attribute)
                .is_some()
            {
                let line = reader.line(joint.range().start);
                reader.ignore_named(format!("`{attribute}` of the ball joint `{name}`"), line);
            }
        }
        before.push(Step::Place(place));
        let mut frames = [before, vec![Step::Place(place)]];
        frames
            .iter_mut()
            .for_each(|steps| steps.retain(|step| !step.is_nothing()));
        self.others.push((name.clone(), "ball"));
        self.robot.loops.push(Loop {
            name,
            range: start_tag(joint),
            kind: LoopKind::Ball,
            links: [parent, index],
            frames,
        });
    }

    /// A hinge or a slide.
    fn scalar(
        &mut self,
        reader: &mut Reader<'_>,
        joint: Node<'a, 't>,
        class: Option<&str>,
        (name, kind): (String, &str),
        place: [f64; 3],
        steps: &mut Vec<Step>,
    ) {
        let unit = match kind {
            "hinge" => Unit::Angle,
            "slide" => Unit::Length,
            _ => {
                let message = format!("`{kind}` is not a type of joint");
                reader.wrong(
                    value_of(joint, "type"),
                    message,
                    Some("the types are hinge, slide, ball, free"),
                );
                return;
            }
        };
        let axis = self
            .numbers::<3>(reader, joint, class, "axis")
            .unwrap_or([0.0, 0.0, 1.0]);
        if norm(axis) == 0.0 {
            reader.wrong(value_of(joint, "axis"), "the axis has no direction", None);
            return;
        }
        if self.robot.coordinates.iter().any(|it| it.name == name) {
            let message = format!("there are two joints with the name `{name}`");
            reader.wrong(
                value_of(joint, "name"),
                message,
                Some("give each joint a name of its own"),
            );
            return;
        }
        let coordinate = self.coordinate(reader, joint, class, name, unit);
        let k = self.robot.coordinates.len();
        self.robot.coordinates.push(coordinate);
        match unit {
            Unit::Angle => {
                let back = scale(-1.0, place);
                steps.extend([Step::Place(place), Step::Hinge(axis, k), Step::Place(back)]);
            }
            Unit::Length => steps.push(Step::Slide(axis, k)),
        }
        steps.retain(|step| !step.is_nothing());
    }

    /// Limits and forces of a scalar joint.
    fn coordinate(
        &mut self,
        reader: &mut Reader<'_>,
        joint: Node<'a, 't>,
        class: Option<&str>,
        name: String,
        unit: Unit,
    ) -> Coordinate {
        let range = if joint.has_attribute("name") {
            value_of(joint, "name")
        } else {
            start_tag(joint)
        };
        let mut coordinate = Coordinate::new(name, range, unit);
        let mut number = |name: &str| {
            self.numbers::<1>(reader, joint, class, name)
                .map_or(0.0, |[x]| x)
        };
        coordinate.damping = number("damping");
        coordinate.friction = number("frictionloss");
        coordinate.armature = number("armature");
        let stiffness = number("stiffness");
        let value = |file: &Self, reader: &mut Reader<'_>, name: &str| {
            let node = file.defaults.with(reader, joint, class, name);
            node.and_then(|node| {
                let [word] = reader.words::<1>(node, name)?;
                Some(match unit {
                    Unit::Angle => file.settings.angle(reader, node, word),
                    Unit::Length => Angle::radians(word.1),
                })
            })
        };
        coordinate.reference = value(self, reader, "ref").unwrap_or(Angle::radians(0.0));
        if stiffness != 0.0 {
            let rest = value(self, reader, "springref").unwrap_or(Angle::radians(0.0));
            coordinate.spring = Some((stiffness, rest));
        }
        let limited = self.word(reader, joint, class, "limited").unwrap_or("auto");
        let is_limited = limited == "true" || limited == "auto" && self.settings.auto_limits;
        let range = self
            .numbers::<2>(reader, joint, class, "range")
            .filter(|_| is_limited);
        let in_degrees = self.settings.in_degrees && unit == Unit::Angle;
        coordinate.limits = range.map(|it| {
            if in_degrees {
                it.map(f64::to_radians)
            } else {
                it
            }
        });
        let most = self.numbers::<2>(reader, joint, class, "actuatorfrcrange");
        coordinate.effort = most.map(|[_, most]| most);
        coordinate
    }

    /// `<inertial>`, or the mass of the geoms.
    fn inertial(
        &mut self,
        reader: &mut Reader<'_>,
        node: Node<'a, 't>,
        class: Option<&str>,
    ) -> Option<Inertial> {
        let given = node.children().find(|it| it.has_tag_name("inertial"));
        let from_geoms = match self.settings.from_geoms {
            FromGeoms::Always => true,
            FromGeoms::Never => false,
            FromGeoms::WithoutInertial => given.is_none(),
        };
        if from_geoms {
            let parts = self.geoms(reader, node, class, &[]);
            if parts.is_empty() {
                return None;
            }
            let whole = Inertia::lumped(&parts).without_noise();
            return Some(Inertial {
                range: start_tag(node),
                mass: whole.mass,
                steps: vec![Step::Place(whole.centre)],
                inertia: whole.about_centre,
            });
        }
        let given = given?;
        let mass = reader
            .required(given, "mass")
            .and(reader.number(given, "mass"))?;
        if mass < 0.0 {
            reader.wrong(value_of(given, "mass"), "the mass is negative", None);
            return None;
        }
        let mut inertia = [[0.0; 3]; 3];
        if let Some([xx, yy, zz, xy, xz, yz]) = reader.numbers(given, "fullinertia") {
            inertia = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
        } else if let Some(moments) = reader.numbers::<3>(given, "diaginertia") {
            (0..3).for_each(|k| inertia[k][k] = moments[k]);
        }
        let is_nothing = mass == 0.0 && inertia == [[0.0; 3]; 3];
        let steps = self.settings.frame(reader, given);
        (!is_nothing).then(|| Inertial {
            range: start_tag(given),
            mass,
            steps,
            inertia,
        })
    }

    /// A word of an element or of its class.
    pub(super) fn word<'n>(
        &self,
        reader: &mut Reader<'_>,
        node: Node<'n, 't>,
        class: Option<&str>,
        name: &str,
    ) -> Option<&'n str>
    where
        'a: 'n,
    {
        self.defaults
            .with(reader, node, class, name)?
            .attribute(name)
    }

    /// Numbers of an element or of its class.
    pub(super) fn numbers<const N: usize>(
        &self,
        reader: &mut Reader<'_>,
        node: Node<'a, 't>,
        class: Option<&str>,
        name: &str,
    ) -> Option<[f64; N]> {
        let node = self.defaults.with(reader, node, class, name)?;
        reader.numbers(node, name)
    }

    /// Any number of numbers of an element or of its class.
    pub(super) fn list(
        &self,
        reader: &mut Reader<'_>,
        node: Node<'a, 't>,
        class: Option<&str>,
        name: &str,
    ) -> Option<Vec<f64>> {
        let node = self.defaults.with(reader, node, class, name)?;
        reader.list(node, name)
    }
}
