//! The tree of links: one root, each link moved by one joint, parents before children.

use std::collections::HashMap;

use crate::reader::{Reader, among};
use crate::robot::{Base, Loop, LoopKind, Robot};

use super::{Joint, Kind};

/// The links in the order of the tree, placed by their joints.
pub fn arranged(
    reader: &mut Reader<'_>,
    mut robot: Robot,
    joints: &[Joint],
    floating: bool,
) -> Robot {
    let known: Vec<String> = robot.links.iter().map(|link| link.name.clone()).collect();
    let index: HashMap<&str, usize> = known
        .iter()
        .enumerate()
        .map(|(i, name)| (name.as_str(), i))
        .collect();
    let mut mover: Vec<Option<(usize, usize)>> = vec![None; known.len()];
    for (k, joint) in joints.iter().enumerate() {
        let ends = [&joint.parent, &joint.child].map(|(name, range)| {
            let found = index.get(name.as_str()).copied();
            if found.is_none() {
                let message = format!(
                    "the joint `{}` names the link `{name}`, which does not exist{}",
                    joint.name,
                    among(name, &known)
                );
                reader.wrong(range.clone(), message, None);
            }
            found
        });
        let [Some(parent), Some(child)] = ends else {
            continue;
        };
        if let Some((first, _)) = mover[child] {
            let message = format!(
                "the link `{}` is the child of two joints, `{}` and `{}`",
                joint.child.0, joints[first].name, joint.name
            );
            reader.wrong(
                joint.child.1.clone(),
                message,
                Some("URDF is a tree; write a joint that closes a loop as `<loop_joint>`"),
            );
            continue;
        }
        mover[child] = Some((k, parent));
    }
    let roots: Vec<usize> = (0..known.len()).filter(|&i| mover[i].is_none()).collect();
    if reader.mistakes.is_empty() {
        check_roots(reader, &robot, &roots);
    }
    let order = order(&roots[..roots.len().min(1)], &mover, joints);
    if reader.mistakes.is_empty()
        && let Some(lost) = (0..known.len()).find(|i| !order.contains(i))
    {
        let link = &robot.links[lost];
        let message = format!(
            "the link `{}` is its own ancestor: its joints form a cycle",
            link.name
        );
        reader.wrong(
            link.range.clone(),
            message,
            Some("URDF is a tree; write a joint that closes a loop as `<loop_joint>`"),
        );
    }
    let place: HashMap<usize, usize> = order
        .iter()
        .enumerate()
        .map(|(new, &old)| (old, new))
        .collect();
    let mut links = Vec::new();
    for &old in &order {
        let mut link = robot.links[old].clone();
        match mover[old] {
            None if floating => link.base = Base::Free,
            None => {}
            Some((k, parent)) => {
                let joint = &joints[k];
                let base = place[&parent];
                link.base = Base::Link(base);
                link.steps.clone_from(&joint.steps);
                if matches!(joint.kind, Kind::Floating | Kind::Ball) {
                    link.base = Base::Free;
                    let frame = std::mem::take(&mut link.steps);
                    if joint.kind == Kind::Ball {
                        robot.loops.push(ball(joint, [base, links.len()], frame));
                    }
                }
            }
        }
        links.push(link);
    }
    robot.links = links;
    robot
}

fn ball(joint: &Joint, links: [usize; 2], frame: Vec<crate::robot::Step>) -> Loop {
    Loop {
        name: joint.name.clone(),
        range: joint.range.clone(),
        kind: LoopKind::Ball,
        links,
        frames: [frame, Vec::new()],
    }
}

fn check_roots(reader: &mut Reader<'_>, robot: &Robot, roots: &[usize]) {
    match roots {
        [] => {
            if let Some(link) = robot.links.first() {
                let message = "every link is the child of a joint: the joints form a cycle";
                reader.wrong(
                    link.range.clone(),
                    message,
                    Some("URDF is a tree; write a joint that closes a loop as `<loop_joint>`"),
                );
            }
        }
        [_] => {}
        [first, others @ ..] => {
            let first = &robot.links[*first].name;
            for other in others {
                let link = &robot.links[*other];
                let message = format!(
                    "the links `{first}` and `{}` are both roots: no joint moves them",
                    link.name
                );
                let help = format!(
                    "connect `{}` to the rest by a joint, `floating` if it moves freely",
                    link.name
                );
                reader.wrong(link.range.clone(), message, Some(&help));
            }
        }
    }
}

/// Depth first, children in the order of their joints.
fn order(roots: &[usize], mover: &[Option<(usize, usize)>], joints: &[Joint]) -> Vec<usize> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); mover.len()];
    for k in 0..joints.len() {
        for (child, by) in mover.iter().enumerate() {
            if let Some((joint, parent)) = by
                && *joint == k
            {
                children[*parent].push(child);
            }
        }
    }
    let mut waiting: Vec<usize> = roots.iter().rev().copied().collect();
    let mut order = Vec::new();
    while let Some(link) = waiting.pop() {
        order.push(link);
        waiting.extend(children[link].iter().rev());
    }
    order
}
