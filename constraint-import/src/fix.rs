//! Joints that an option holds where the file draws them.

use crate::number::Angle;
use crate::reader::{Reader, among};
use crate::robot::{At, Robot, Step};

/// Removes the coordinates of these names.
pub fn fix(reader: &mut Reader<'_>, robot: &mut Robot, names: &[String]) {
    for name in names {
        let Some(k) = robot.coordinates.iter().position(|it| it.name == *name) else {
            let known: Vec<String> = robot.coordinates.iter().map(|it| it.name.clone()).collect();
            let message = format!("`--fix` names `{name}`, which is no joint with a coordinate");
            reader.wrong(0..0, message + &among(name, &known), None);
            continue;
        };
        hold(robot, k);
        reader
            .notes
            .push(format!("the joint `{name}` is fixed, as asked for"));
    }
}

fn hold(robot: &mut Robot, k: usize) {
    let value = robot.coordinates[k].reference.value(true);
    let later = |index: usize| index - usize::from(index > k);
    for steps in robot.links.iter_mut().map(|link| &mut link.steps) {
        steps.retain(|step| step.coordinate() != Some(k));
        for step in steps {
            match step {
                Step::Hinge(_, index) | Step::Slide(_, index) => *index = later(*index),
                Step::Place(_) | Step::Turn(..) => {}
            }
        }
    }
    robot.coordinates.remove(k);
    for follows in robot
        .coordinates
        .iter_mut()
        .filter_map(|it| it.follows.as_mut())
    {
        if follows.leader == Some(k) {
            let terms = follows.coefficients.iter().rev();
            let constant = terms.fold(0.0, |sum, it| sum * value + it.value(true));
            follows.leader = None;
            follows.coefficients = vec![Angle::radians(constant)];
        }
        follows.leader = follows.leader.map(later);
    }
    for tendon in &mut robot.tendons {
        let held = tendon.terms.iter().filter(|it| it.0 == k);
        tendon.offset += held.map(|it| it.1 * value).sum::<f64>();
        tendon.terms.retain(|it| it.0 != k);
        tendon.terms.iter_mut().for_each(|it| it.0 = later(it.0));
    }
    robot.actuators.retain(|it| it.at != At::Joint(k));
    for actuator in &mut robot.actuators {
        if let At::Joint(index) = &mut actuator.at {
            *index = later(*index);
        }
    }
}
