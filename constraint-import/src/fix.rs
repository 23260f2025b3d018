//! Joints that an option holds where the file draws them, and what acts on joints that are held.

use crate::number::Angle;
use crate::reader::Reader;
use crate::robot::{At, Robot, Step};

/// Removes the coordinates of these names.
pub fn fix(reader: &mut Reader<'_>, robot: &mut Robot, names: &[String]) {
    for name in names {
        let Some(k) = robot.coordinates.iter().position(|it| it.name == *name) else {
            let known = robot.coordinates.iter().map(|it| it.name.as_str());
            let meant = reader.among(name, known);
            let message =
                format!("`--fix` names `{name}`, which is no joint with a coordinate{meant}");
            reader.wrong(0..0, message, None);
            continue;
        };
        hold(robot, k);
        reader
            .notes
            .push(format!("the joint `{name}` is fixed, as asked for"));
    }
}

/// Which coordinates and which tendons change as the robot moves.
fn moving(robot: &Robot) -> [Vec<bool>; 2] {
    let mut joints = vec![false; robot.coordinates.len()];
    for k in robot.order() {
        joints[k] = robot.coordinates[k].follows.as_ref().is_none_or(|it| {
            let mut slopes = it.coefficients.iter().skip(1);
            it.leader.is_some_and(|leader| joints[leader]) && slopes.any(|it| it.radians != 0.0)
        });
    }
    let tendons = robot.tendons.iter().map(|it| {
        let mut terms = it.terms.iter();
        terms.any(|(k, by)| joints[*k] && *by != 0.0)
    });
    let tendons = tendons.collect();
    [joints, tendons]
}

/// Removes what acts on joints and tendons that nothing moves.
pub fn release(reader: &mut Reader<'_>, robot: &mut Robot) {
    let [joints, tendons] = moving(robot);
    for (coordinate, _) in robot.coordinates.iter_mut().zip(&joints).filter(|it| !it.1) {
        (coordinate.friction, coordinate.armature) = (0.0, 0.0);
        (coordinate.damping, coordinate.spring) = ([0.0; 3], None);
    }
    for (tendon, _) in robot.tendons.iter_mut().zip(&tendons).filter(|it| !it.1) {
        (tendon.damping, tendon.friction, tendon.spring) = ([0.0; 3], 0.0, None);
    }
    robot.actuators.retain(|actuator| {
        let moves = match actuator.at {
            At::Joint(k) => joints[k],
            At::Tendon(k) => tendons[k],
        };
        if !moves {
            let name = &actuator.name;
            reader.notes.push(format!(
                "the actuator `{name}` drives what cannot move: left out"
            ));
        }
        moves
    });
    robot.couplings.retain(|it| {
        let moves = tendons[it.tendon] || it.leader.is_some_and(|leader| tendons[leader]);
        if !moves {
            let name = &it.name;
            reader.notes.push(format!(
                "the equality `{name}` couples what cannot move: left out"
            ));
        }
        moves
    });
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
