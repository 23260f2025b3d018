//! Joints of bodies: hinges, slides, balls, and bodies that move freely.

use roxmltree::Node;

use super::bodies::Joined;
use super::{File, SpringDamper};
use crate::number::Angle;
use crate::reader::{Reader, start_tag, value_of};
use crate::robot::{Base, Coordinate, Loop, LoopKind, Resistance, Step, Unit};
use crate::spatial::{norm, scale};

/// A joint with its class and its name.
#[derive(Clone)]
struct Joint<'a, 't, 'c> {
    node: Node<'a, 't>,
    class: Option<&'c str>,
    name: String,
}

impl<'a, 't> File<'a, 't> {
    /// Adds the steps of a body's joints; its base.
    pub(super) fn joints(
        &mut self,
        reader: &mut Reader<'_>,
        node: Node<'a, 't>,
        (parent, index): (usize, usize),
        class: Option<&str>,
        body: &str,
        steps: &mut Vec<Step>,
    ) -> Joined {
        let is_joint = |it: &Node<'_, '_>| it.has_tag_name("joint") || it.has_tag_name("freejoint");
        let joints: Vec<Node<'a, 't>> = node.children().filter(is_joint).collect();
        let fixed = (Base::Link(parent), Resistance::default());
        for (k, &joint) in joints.iter().enumerate() {
            let written = reader.word(joint, "name").map(str::to_owned);
            let name = written.unwrap_or_else(|| match joints.len() {
                1 => format!("{body}_joint"),
                _ => format!("{body}_joint_{}", k + 1),
            });
            let joint = Joint {
                node: joint,
                class,
                name,
            };
            let kind = self.kind(reader, &joint);
            if matches!(kind, "free" | "ball") && joints.len() > 1 {
                let name = &joint.name;
                let message =
                    format!("the {kind} joint `{name}` shares the body `{body}` with other joints");
                let help = "give each its own body";
                reader.wrong(start_tag(joint.node), message, Some(help));
                return fixed;
            }
            match kind {
                "free" => return self.free(reader, &joint, parent, body, steps),
                "ball" => {
                    self.ball(reader, &joint, [parent, index], std::mem::take(steps));
                    return (Base::Free, Resistance::default());
                }
                _ => self.scalar(reader, &joint, kind, steps),
            }
        }
        fixed
    }

    /// The type of a joint; `<freejoint>` has no class.
    fn kind<'n>(&self, reader: &mut Reader<'_>, joint: &Joint<'n, 't, '_>) -> &'n str
    where
        'a: 'n,
    {
        if joint.node.has_tag_name("freejoint") {
            return "free";
        }
        let kind = self.word(reader, joint.node, joint.class, "type");
        kind.unwrap_or("hinge")
    }

    /// A joint that leaves its body free.
    fn free(
        &mut self,
        reader: &mut Reader<'_>,
        joint: &Joint<'a, 't, '_>,
        parent: usize,
        body: &str,
        steps: &mut Vec<Step>,
    ) -> Joined {
        let Joint { node, name, .. } = joint;
        if parent > 0 {
            let message = format!("the body `{body}` moves freely inside of another one");
            reader.wrong(start_tag(*node), message, Some("put it into `<worldbody>`"));
        }
        self.other_joints.insert(name.clone(), "free");
        if !steps.is_empty() {
            reader.ignore_part(*node, "places of bodies that move freely: where they start");
            steps.clear();
        }
        if node.has_tag_name("freejoint") {
            return (Base::Free, Resistance::default());
        }
        let [damping, more @ ..] = self.coefficients(reader, joint, "damping");
        if more != [0.0; 2] {
            reader.ignore_part(*node, "`damping` of free joints that is not proportional");
        }
        self.list_properties(reader, joint, &["stiffness", "springdamper"]);
        let resistance = Resistance {
            damping,
            friction: self.amount(reader, joint, "frictionloss"),
            armature: self.amount(reader, joint, "armature"),
        };
        (Base::Free, resistance)
    }

    /// Lists properties that a joint of this kind does not have here, if it has them in the file.
    fn list_properties(
        &self,
        reader: &mut Reader<'_>,
        joint: &Joint<'a, 't, '_>,
        names: &[&'static str],
    ) {
        for name in names {
            let given = self.list(reader, joint.node, joint.class, name);
            if given.is_some_and(|it| it.iter().any(|x| *x != 0.0)) {
                let what = &joint.name;
                reader.ignore_part(joint.node, format!("`{name}` of the joint `{what}`"));
            }
        }
    }

    fn ball(
        &mut self,
        reader: &mut Reader<'_>,
        joint: &Joint<'a, 't, '_>,
        links: [usize; 2],
        mut before: Vec<Step>,
    ) {
        let Joint { node, name, class } = joint;
        let properties = [
            "stiffness",
            "damping",
            "armature",
            "frictionloss",
            "range",
            "springdamper",
        ];
        self.list_properties(reader, joint, &properties);
        let place = self.numbers::<3>(reader, *node, *class, "pos");
        let place = place.unwrap_or_default();
        before.push(Step::Place(place));
        let mut frames = [before, vec![Step::Place(place)]];
        for steps in &mut frames {
            steps.retain(|step| !step.is_nothing());
        }
        self.other_joints.insert(name.clone(), "ball");
        let [parent, own] = links;
        self.balls.push((self.robot.loops.len(), parent, own));
        self.robot.loops.push(Loop {
            name: name.clone(),
            range: start_tag(*node),
            kind: LoopKind::Ball,
            links,
            frames,
        });
    }

    /// A hinge or a slide.
    fn scalar(
        &mut self,
        reader: &mut Reader<'_>,
        joint: &Joint<'a, 't, '_>,
        kind: &str,
        steps: &mut Vec<Step>,
    ) {
        let Joint { node, name, class } = joint;
        let unit = match kind {
            "hinge" => Unit::Angle,
            "slide" => Unit::Length,
            _ => {
                let message = format!("`{kind}` is not a type of joint");
                let help = "the types are hinge, slide, ball, free";
                reader.wrong(value_of(*node, "type"), message, Some(help));
                return;
            }
        };
        let place = self.numbers::<3>(reader, *node, *class, "pos");
        let place = place.unwrap_or_default();
        let axis = self.numbers::<3>(reader, *node, *class, "axis");
        let axis = axis.unwrap_or([0.0, 0.0, 1.0]);
        if norm(axis) == 0.0 {
            reader.wrong(value_of(*node, "axis"), "the axis has no direction", None);
            return;
        }
        let k = self.robot.coordinates.len();
        if self.joint_names.contains_key(name) {
            let message = format!("there are two joints with the name `{name}`");
            let help = "give each joint a name of its own";
            reader.wrong(value_of(*node, "name"), message, Some(help));
            return;
        }
        self.joint_names.insert(name.clone(), k);
        let coordinate = self.coordinate(reader, joint, unit);
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
        joint: &Joint<'a, 't, '_>,
        unit: Unit,
    ) -> Coordinate {
        let Joint { node, name, class } = joint;
        let range = match node.has_attribute("name") {
            true => value_of(*node, "name"),
            false => start_tag(*node),
        };
        let mut coordinate = Coordinate::new(name.clone(), range, unit);
        coordinate.damping = self.coefficients(reader, joint, "damping");
        coordinate.friction = self.amount(reader, joint, "frictionloss");
        coordinate.armature = self.amount(reader, joint, "armature");
        coordinate.reference = self.value(reader, joint, unit, "ref");
        let rest = self.value(reader, joint, unit, "springref");
        self.rests.push(rest.value(true));
        let stiffness = self.coefficients(reader, joint, "stiffness");
        coordinate.spring = (stiffness != [0.0; 3]).then_some((stiffness, rest));
        if let Some(numbers) = self.numbers::<2>(reader, *node, *class, "springdamper") {
            self.spring_dampers.push(SpringDamper {
                coordinate: self.robot.coordinates.len(),
                numbers,
                rest,
                damping: coordinate.damping,
            });
        }
        let in_degrees = self.settings.in_degrees && unit == Unit::Angle;
        let limits = self.limits(reader, joint, "range", "limited");
        coordinate.limits = limits.map(|it| {
            if in_degrees {
                it.map(f64::to_radians)
            } else {
                it
            }
        });
        let most = self.limits(reader, joint, "actuatorfrcrange", "actuatorfrclimited");
        coordinate.force_range = most;
        coordinate.effort = most.map(|[low, high]| high.max(-low));
        coordinate
    }

    /// A range that is not switched off.
    fn limits(
        &self,
        reader: &mut Reader<'_>,
        joint: &Joint<'a, 't, '_>,
        range: &'static str,
        limited: &'static str,
    ) -> Option<[f64; 2]> {
        self.limited(reader, joint.node, joint.class, [range, limited])
    }

    /// A value of the coordinate.
    fn value(
        &self,
        reader: &mut Reader<'_>,
        joint: &Joint<'a, 't, '_>,
        unit: Unit,
        name: &'static str,
    ) -> Angle {
        let said = self.defaults.with(joint.node, joint.class, name);
        let word = said.and_then(|node| Some((node, reader.words::<1>(node, name)?)));
        match (word, unit) {
            (None, _) => Angle::radians(0.0),
            (Some((node, [word])), Unit::Angle) => self.settings.angle(reader, node, word),
            (Some((_, [word])), Unit::Length) => Angle::radians(word.1),
        }
    }

    /// A number, zero by default.
    fn amount(
        &self,
        reader: &mut Reader<'_>,
        joint: &Joint<'a, 't, '_>,
        name: &'static str,
    ) -> f64 {
        let given = self.numbers::<1>(reader, joint.node, joint.class, name);
        given.map_or(0.0, |[it]| it)
    }

    /// The coefficients of a polynomial, zero by default.
    fn coefficients(
        &self,
        reader: &mut Reader<'_>,
        joint: &Joint<'a, 't, '_>,
        name: &'static str,
    ) -> [f64; 3] {
        self.polynomial(reader, joint.node, joint.class, name)
    }
}
