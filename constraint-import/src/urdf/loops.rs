//! Joints that close loops: `<loop_joint>` of Isaac Sim and `<loop>` of URDF+ (arXiv 2411.19753), in the file of the robot
//! or in a second one.
//!
//! ```xml
//! <loop_joint name="close" type="revolute">
//!   <link1 link="coupler" xyz="0.5 0 0" rpy="0 0 0"/>
//!   <link2 link="rocker" xyz="0.3 0 0" rpy="0 0 0"/>
//!   <axis xyz="0 1 0"/>
//! </loop_joint>
//! <loop name="close" type="revolute">
//!   <predecessor link="coupler"><origin xyz="0.5 0 0"/></predecessor>
//!   <successor link="rocker"><origin xyz="0.3 0 0"/></successor>
//!   <axis xyz="0 1 0"/>
//! </loop>
//! ```

use std::collections::HashMap;

use roxmltree::Node;

use crate::reader::{Reader, start_tag, value_of};
use crate::robot::{Loop, LoopKind, Robot};

/// Adds the loops of an element.
pub fn loops(reader: &mut Reader<'_>, root: Node<'_, '_>, robot: &mut Robot) {
    let is_loop = |node: &Node<'_, '_>| matches!(node.tag_name().name(), "loop" | "loop_joint");
    let names = robot.links.iter().map(|link| link.name.as_str());
    let links: Links<'_> = names.enumerate().map(|(k, name)| (name, k)).collect();
    let nodes = root.children().filter(is_loop);
    let read: Vec<Loop> = nodes.filter_map(|it| read(reader, it, &links)).collect();
    robot.loops.extend(read);
}

const KINDS: &str = "revolute, prismatic, cylindrical, spherical, fixed";

/// The links by their names.
type Links<'a> = HashMap<&'a str, usize>;

fn read(reader: &mut Reader<'_>, node: Node<'_, '_>, links: &Links<'_>) -> Option<Loop> {
    for child in node.children().filter(Node::is_element) {
        let frames = ["axis", "origin", "parent_origin", "child_origin"];
        if !is_end(child) && !frames.contains(&child.tag_name().name()) {
            reader.ignore(child);
        }
    }
    let name = reader.required(node, "name")?;
    let kind = reader.required(node, "type")?;
    let ends: Vec<Node<'_, '_>> = node.children().filter(|it| is_end(*it)).collect();
    let [first, second] = ends[..] else {
        let message = format!("the loop `{name}` has {} links instead of two", ends.len());
        let help =
            "write `<link1 link=\"…\" xyz=\"…\"/>` and `<link2 link=\"…\" xyz=\"…\"/>` in it";
        reader.wrong(start_tag(node), message, Some(help));
        return None;
    };
    let links = [first, second].map(|end| link(reader, end, links));
    let frames = [(first, "parent_origin"), (second, "child_origin")].map(|(end, sibling)| {
        let inner = super::element(end, "origin").or_else(|| super::element(node, sibling));
        super::origin(reader, inner.unwrap_or(end))
    });
    let links = [links[0]?, links[1]?];
    if links[0] == links[1] {
        let message = format!("the loop `{name}` connects a link with itself");
        reader.wrong(start_tag(node), message, None);
        return None;
    }
    Some(Loop {
        name: name.to_owned(),
        range: value_of(node, "name"),
        kind: motions(reader, node, kind)?,
        links,
        frames,
    })
}

/// The motions that a type of loop leaves.
fn motions(reader: &mut Reader<'_>, node: Node<'_, '_>, kind: &str) -> Option<LoopKind> {
    let axis = super::axis(reader, node)?;
    match kind {
        "revolute" | "continuous" => Some(LoopKind::Hinge(axis)),
        "prismatic" => Some(LoopKind::Slide(axis)),
        "cylindrical" => Some(LoopKind::Cylinder(axis)),
        "spherical" | "ball" => Some(LoopKind::Ball),
        "fixed" => Some(LoopKind::Fixed),
        _ => {
            let message = format!("`{kind}` is not a type of loop");
            let help = format!("the types are {KINDS}");
            reader.wrong(value_of(node, "type"), message, Some(&help));
            None
        }
    }
}

/// The ends of a loop. `sucessor` is how one exporter spells it, and `link1` twice how one manual does.
fn is_end(node: Node<'_, '_>) -> bool {
    matches!(
        node.tag_name().name(),
        "link1" | "link2" | "predecessor" | "successor" | "sucessor" | "parent" | "child"
    )
}

fn link(reader: &mut Reader<'_>, end: Node<'_, '_>, links: &Links<'_>) -> Option<usize> {
    let attribute = if end.has_attribute("name") {
        "name"
    } else {
        "link"
    };
    let name = reader.required(end, attribute)?;
    let found = links.get(name).copied();
    if found.is_none() {
        let meant = reader.among(name, links.keys().copied());
        let message = format!("there is no link `{name}`{meant}");
        reader.wrong(value_of(end, attribute), message, None);
    }
    found
}
