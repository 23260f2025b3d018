//! `<actuator>`: inputs at joints and tendons, directly or through a servo.

use roxmltree::Node;

use super::File;
use crate::reader::Reader;
use crate::robot::{Actuator, At};

impl<'a, 't> File<'a, 't> {
    pub(super) fn actuators(&mut self, reader: &mut Reader<'_>, node: Node<'a, 't>) {
        for actuator in node.children().filter(Node::is_element) {
            let Some((at, driven)) = self.driven(reader, actuator) else {
                continue;
            };
            let Some((gain, bias)) = self.law(reader, actuator) else {
                let line = reader.line(actuator.range().start);
                let tag = actuator.tag_name().name();
                let what = format!("<{tag}> with states, or with a force that is not affine");
                reader.ignore_named(what, line);
                continue;
            };
            let gear = self
                .list(reader, actuator, None, "gear")
                .and_then(|it| it.first().copied())
                .unwrap_or(1.0);
            let is_force = gain * gear == 1.0 && bias == [0.0; 3];
            let limited = self
                .word(reader, actuator, None, "forcelimited")
                .unwrap_or("auto");
            let is_limited = limited == "true" || limited == "auto" && self.settings.auto_limits;
            let range = self
                .numbers::<2>(reader, actuator, None, "forcerange")
                .filter(|_| is_limited);
            if let (At::Joint(coordinate), [0.0, 0.0, 0.0]) = (at, bias) {
                // A motor is limited by what its input may be, and that is up to the caller.
                let inputs = self.numbers::<2>(reader, actuator, None, "ctrlrange");
                let inputs = inputs.map(|[low, high]| (gain * gear).abs() * high.max(-low));
                let forces = range.map(|[low, high]| gear.abs() * high.max(-low));
                let most = [inputs, forces].into_iter().flatten().reduce(f64::min);
                let effort = &mut self.robot.coordinates[coordinate].effort;
                *effort = effort.or(most);
            }
            self.robot.actuators.push(Actuator {
                name: actuator.attribute("name").unwrap_or(driven).to_owned(),
                at,
                gear,
                gain,
                bias,
                range: range.filter(|_| bias != [0.0; 3]),
                is_force,
            });
        }
    }

    /// The joint or the tendon of an actuator, with its name.
    fn driven<'n>(&self, reader: &mut Reader<'_>, actuator: Node<'n, 't>) -> Option<(At, &'n str)>
    where
        'a: 'n,
    {
        // The first two differ for ball and free joints only, which have no coordinate.
        let attributes = ["joint", "jointinparent", "tendon"];
        let mut given = attributes
            .into_iter()
            .filter_map(|it| Some((it, actuator.attribute(it)?)));
        let found = match given.next() {
            Some(("tendon", name)) => {
                let tendon = self.tendon(reader, actuator, "tendon")?;
                tendon.map(|it| (At::Tendon(it), name))
            }
            Some((attribute, name)) => {
                let joint = self.joint(reader, actuator, attribute, name)?;
                Some((At::Joint(joint), name))
            }
            None => None,
        };
        if found.is_none() {
            reader.ignore(actuator);
        }
        found
    }

    /// The gain of the input, and the bias; `None` if the force is no such function of input, length and rate.
    fn law(&self, reader: &mut Reader<'_>, node: Node<'a, 't>) -> Option<(f64, [f64; 3])> {
        let mut number = |name: &str| self.numbers::<1>(reader, node, None, name).map(|[it]| it);
        match node.tag_name().name() {
            "motor" => Some((1.0, [0.0; 3])),
            "position" => {
                let (kp, kv) = (number("kp").unwrap_or(1.0), number("kv").unwrap_or(0.0));
                let is_static = number("timeconst").unwrap_or(0.0) == 0.0
                    && number("dampratio").unwrap_or(0.0) == 0.0;
                is_static.then_some((kp, [0.0, -kp, -kv]))
            }
            "velocity" => {
                let kv = number("kv").unwrap_or(1.0);
                Some((kv, [0.0, 0.0, -kv]))
            }
            "general" => self.general(reader, node),
            _ => None,
        }
    }

    fn general(&self, reader: &mut Reader<'_>, node: Node<'a, 't>) -> Option<(f64, [f64; 3])> {
        let mut word =
            |name: &str, otherwise| self.word(reader, node, None, name).unwrap_or(otherwise);
        let is_static = word("dyntype", "none") == "none" && word("gaintype", "fixed") == "fixed";
        let kind = word("biastype", "none");
        if !is_static || !matches!(kind, "none" | "affine") {
            return None;
        }
        let is_biased = kind == "affine";
        let gain = self
            .list(reader, node, None, "gainprm")
            .and_then(|it| it.first().copied());
        let given = self
            .list(reader, node, None, "biasprm")
            .filter(|_| is_biased)
            .unwrap_or_default();
        let bias = [0, 1, 2].map(|k| given.get(k).copied().unwrap_or(0.0));
        Some((gain.unwrap_or(1.0), bias))
    }
}
