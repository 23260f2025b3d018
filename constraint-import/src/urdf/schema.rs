//! The elements of URDF that are taken over, with all attributes that they may have.
//!
//! Source: <http://wiki.ros.org/urdf/XML>, `urdf.xsd` of urdfdom 5.0, and for loops the manuals named in `loops.rs`. Attributes of
//! springs are those of exporters from other formats.

use roxmltree::Node;

use crate::schema::Element;

/// The row of an element; `None` if it is not taken over, or unknown.
pub fn known(node: Node<'_, '_>) -> Option<&'static Element> {
    let parent = node.parent().filter(Node::is_element);
    let within = parent.map_or("", |it| it.tag_name().name());
    let name = node.tag_name().name();
    let is_end = |it: &str| matches!(it, "predecessor" | "successor" | "sucessor");
    let within = if is_end(within) { "end" } else { within };
    let mut rows = ELEMENTS.iter();
    rows.find(|it| it.within == within && it.name == name)
}

const fn row(
    within: &'static str,
    name: &'static str,
    attributes: &'static str,
    once: &'static str,
) -> Element {
    Element {
        within,
        name,
        attributes,
        once,
    }
}

const ORIGIN: &str = "xyz rpy quat_xyzw";
const END: &str = "link name xyz rpy";

const ELEMENTS: [Element; 35] = [
    row("", "robot", "name version", ""),
    row("robot", "link", "name type", "inertial"),
    row("link", "inertial", "", "origin mass inertia"),
    row("inertial", "origin", ORIGIN, ""),
    row("inertial", "mass", "value", ""),
    row("inertial", "inertia", "ixx ixy ixz iyy iyz izz", ""),
    row(
        "robot",
        "joint",
        "name type",
        "origin parent child axis calibration dynamics limit mimic safety_controller",
    ),
    row("joint", "origin", ORIGIN, ""),
    row("joint", "parent", "link", ""),
    row("joint", "child", "link", ""),
    row("joint", "axis", "xyz", ""),
    row(
        "joint",
        "dynamics",
        "damping friction spring_reference spring_stiffness",
        "",
    ),
    row(
        "joint",
        "limit",
        "lower upper effort velocity acceleration deceleration jerk",
        "",
    ),
    row("joint", "mimic", "joint multiplier offset", ""),
    row("robot", "transmission", "name type", ""),
    row("transmission", "joint", "name", ""),
    row("robot", "ros2_control", "name type rw_rate is_async", ""),
    row("ros2_control", "joint", "name mimic", ""),
    row("robot", "loop_joint", "name type", "axis link2"),
    row("robot", "loop", "name type", "axis"),
    row("loop_joint", "link1", END, ""),
    row("loop_joint", "link2", END, ""),
    row("loop_joint", "axis", "xyz", ""),
    row("loop_joint", "parent", END, ""),
    row("loop_joint", "child", END, ""),
    row("loop_joint", "parent_origin", ORIGIN, ""),
    row("loop_joint", "child_origin", ORIGIN, ""),
    row("loop", "predecessor", END, "origin"),
    row("loop", "successor", END, "origin"),
    row("loop", "sucessor", END, "origin"),
    row("loop", "parent", END, "origin"),
    row("loop", "child", END, "origin"),
    row("loop", "axis", "xyz", ""),
    row("loop", "origin", ORIGIN, ""),
    row("end", "origin", ORIGIN, ""),
];
