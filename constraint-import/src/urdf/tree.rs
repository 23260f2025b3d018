//! The tree of links: one root, each link moved by one joint, parents before children.

use std::collections::HashMap;

use crate::reader::Reader;
use crate::robot::{Base, Link, Loop, LoopKind, Robot};

use super::{Joint, Kind};

const NO_TREE: &str = "URDF is a tree; write a joint that closes a loop as `<loop_joint>`";

/// For each link the joint that moves it, and its parent.
type Movers = Vec<Option<(usize, usize)>>;

/// The links in the order of the tree, placed by their joints.
pub fn arranged(
    reader: &mut Reader<'_>,
    mut robot: Robot,
    joints: &[Joint],
    floating: bool,
) -> Robot {
    let movers = movers(reader, &robot, joints);
    let roots: Vec<usize> = (0..movers.len()).filter(|&i| movers[i].is_none()).collect();
    if !reader.is_damaged {
        check_roots(reader, &robot, &roots);
    }
    let order = order(&roots[..roots.len().min(1)], &movers);
    // The new number of each link.
    let mut numbers = vec![None; movers.len()];
    for (new, old) in order.iter().enumerate() {
        numbers[*old] = Some(new);
    }
    let lost = numbers.iter().position(Option::is_none);
    if let Some(lost) = lost.filter(|_| !reader.is_damaged) {
        let link = &robot.links[lost];
        let message = format!(
            "the link `{}` is its own ancestor: its joints form a cycle",
            link.name
        );
        reader.wrong(link.range.clone(), message, Some(NO_TREE));
    }
    let mut links: Vec<Link> = Vec::new();
    for &old in &order {
        let mut link = robot.links[old].clone();
        match movers[old] {
            None if floating => link.base = Base::Free,
            None => {}
            Some((k, parent)) => {
                let ends = [numbers[parent].unwrap_or(0), links.len()];
                robot
                    .loops
                    .extend(place(reader, &mut link, &joints[k], ends));
            }
        }
        links.push(link);
    }
    robot.links = links;
    robot
}

/// Finds the links that the joints name.
fn movers(reader: &mut Reader<'_>, robot: &Robot, joints: &[Joint]) -> Movers {
    let names = robot.links.iter().map(|link| link.name.as_str());
    let index: HashMap<&str, usize> = names.enumerate().map(|(i, name)| (name, i)).collect();
    let mut movers: Movers = vec![None; robot.links.len()];
    for (k, joint) in joints.iter().enumerate() {
        let ends = [&joint.parent, &joint.child].map(|(name, range)| {
            let found = index.get(name.as_str()).copied();
            if found.is_none() {
                let joint = &joint.name;
                let meant = reader.among(name, index.keys().copied());
                let message = format!(
                    "the joint `{joint}` names the link `{name}`, which does not exist{meant}"
                );
                reader.wrong(range.clone(), message, None);
            }
            found
        });
        let [Some(parent), Some(child)] = ends else {
            continue;
        };
        if let Some((first, _)) = movers[child] {
            let (link, range) = &joint.child;
            let (first, second) = (&joints[first].name, &joint.name);
            let message =
                format!("the link `{link}` is the child of two joints, `{first}` and `{second}`");
            reader.wrong(range.clone(), message, Some(NO_TREE));
            continue;
        }
        movers[child] = Some((k, parent));
    }
    movers
}

/// Places a link by its joint. A ball joint is a loop between two links, of which one moves freely.
fn place(
    reader: &mut Reader<'_>,
    link: &mut Link,
    joint: &Joint,
    links: [usize; 2],
) -> Option<Loop> {
    match joint.kind {
        Kind::Floating => {
            link.base = Base::Free;
            if !joint.steps.is_empty() {
                let line = reader.line(joint.range.start);
                let what = "places of links that move freely: where they start";
                reader.ignore_named(what.to_owned(), line);
            }
            None
        }
        Kind::Ball => {
            link.base = Base::Free;
            Some(ball(joint, links, joint.steps.clone()))
        }
        _ => {
            link.base = Base::Link(links[0]);
            link.steps.clone_from(&joint.steps);
            None
        }
    }
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
                reader.wrong(link.range.clone(), message, Some(NO_TREE));
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
fn order(roots: &[usize], mover: &[Option<(usize, usize)>]) -> Vec<usize> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); mover.len()];
    let mut moved: Vec<(usize, usize, usize)> = Vec::new();
    for (child, by) in mover.iter().enumerate() {
        moved.extend(by.map(|(joint, parent)| (joint, parent, child)));
    }
    moved.sort_unstable();
    for (_, parent, child) in moved {
        children[parent].push(child);
    }
    let mut waiting: Vec<usize> = roots.iter().rev().copied().collect();
    let mut order = Vec::new();
    while let Some(link) = waiting.pop() {
        order.push(link);
        waiting.extend(children[link].iter().rev());
    }
    order
}
