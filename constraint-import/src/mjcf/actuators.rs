//! `<actuator>`: inputs at joints and tendons, directly or through a servo.

use std::collections::HashMap;

use roxmltree::Node;

use super::File;
use super::drives::Drive;
use crate::number::rounded;
use crate::reader::Reader;
use crate::robot::{Actuator, At};

impl<'a, 't> File<'a, 't> {
    pub(super) fn actuators(&mut self, reader: &mut Reader<'_>, node: Node<'a, 't>) {
        for actuator in node.children().filter(Node::is_element) {
            let mut drive = self.defaults.drive(actuator);
            let Some((at, driven)) = self.driven(reader, actuator) else {
                continue;
            };
            drive.apply(reader, actuator);
            if let Some(reason) = drive.unusual() {
                let tag = actuator.tag_name().name();
                reader.ignore_as(actuator, format!("<{tag}> with {reason}"));
                continue;
            }
            let name = reader.word(actuator, "name").unwrap_or(driven);
            self.add(reader, actuator, drive, at, name);
        }
    }

    /// Completes what depends on all actuators.
    pub(super) fn actuators_as_drawn(&mut self, reader: &mut Reader<'_>) {
        self.ratios_of_damping(reader);
        self.check_ranges(reader);
    }

    /// Lists ranges of tendons whose actuators have different gears: forces before the gears have no sum then.
    fn check_ranges(&mut self, reader: &mut Reader<'_>) {
        let mut gears: HashMap<usize, f64> = HashMap::new();
        for actuator in &self.robot.actuators {
            let At::Tendon(k) = actuator.at else {
                continue;
            };
            let tendon = &mut self.robot.tendons[k];
            let is_same = *gears.entry(k).or_insert(actuator.gear) == actuator.gear;
            if !is_same && tendon.force_range.take().is_some() {
                let line = reader.line(tendon.range.start);
                let what = "`actuatorfrcrange` of <fixed> with actuators of different gears";
                reader.ignore_named(what.to_owned(), line);
            }
        }
    }

    fn add(
        &mut self,
        reader: &mut Reader<'_>,
        node: Node<'a, 't>,
        drive: Drive,
        at: At,
        name: &str,
    ) {
        let auto = self.settings.auto_limits;
        let (range, inputs) = (drive.forces.range(auto), drive.inputs.range(auto));
        let (gear, gain) = (drive.gear, drive.gain());
        let bias = drive.bias();
        self.resist(reader, node, &drive, at);
        if let (At::Joint(coordinate), [0.0, 0.0, 0.0]) = (at, bias) {
            let inputs = inputs.map(|[low, high]| (gain * gear).abs() * high.max(-low));
            let forces = range.map(|[low, high]| gear.abs() * high.max(-low));
            let most = [inputs, forces].into_iter().flatten().reduce(f64::min);
            let effort = &mut self.robot.coordinates[coordinate].effort;
            *effort = effort.or(most);
        }
        if drive.damping_ratio().is_some() {
            self.ratios.push(self.robot.actuators.len());
        }
        self.robot.actuators.push(Actuator {
            name: name.to_owned(),
            at,
            gear,
            gain,
            bias,
            range,
            inputs,
            is_force: gain * gear == 1.0 && bias == [0.0; 3],
        });
    }

    /// Adds the damping and the rotor of an actuator to its joint.
    fn resist(&mut self, reader: &mut Reader<'_>, node: Node<'a, 't>, drive: &Drive, at: At) {
        let gear = drive.gear;
        let damping = match at {
            At::Joint(k) => {
                self.robot.coordinates[k].armature += gear * gear * drive.armature;
                &mut self.robot.coordinates[k].damping
            }
            At::Tendon(k) => {
                if drive.armature != 0.0 {
                    reader.ignore_part(node, "`armature` of actuators of tendons");
                }
                &mut self.robot.tendons[k].damping
            }
        };
        // Its rates are those of the joint, as in MuJoCo.
        for (sum, own) in damping.iter_mut().zip(drive.damping) {
            *sum += gear * gear * own;
        }
    }

    /// kv = 2 ratio √(kp m), m the inertia that the actuator feels as drawn, 1/(j M⁻¹ jᵀ) with j = ∂length/∂q.
    fn ratios_of_damping(&mut self, reader: &mut Reader<'_>) {
        if self.ratios.is_empty() {
            return;
        }
        let joints = self.as_drawn();
        let mobilities = joints.mobilities();
        for index in std::mem::take(&mut self.ratios) {
            let actuator = &self.robot.actuators[index];
            let mobility = match actuator.at {
                At::Joint(k) => mobilities[k],
                At::Tendon(k) => joints.mobility(&self.robot.tendons[k].terms),
            };
            let mass = 1.0 / (mobility * actuator.gear * actuator.gear);
            let ratio = actuator.bias[2];
            let damping = rounded(2.0 * ratio * (actuator.gain * mass).max(0.0).sqrt());
            // Joints that move no mass are reported later.
            let damping = if damping.is_finite() { damping } else { 0.0 };
            reader.notes.push(format!(
                "the damping of the servo `{}` is {damping}, {ratio} of the critical one of its inertia as drawn",
                actuator.name
            ));
            self.robot.actuators[index].bias[2] = -damping;
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
            .filter_map(|it| Some((it, reader.word(actuator, it)?)));
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
}
