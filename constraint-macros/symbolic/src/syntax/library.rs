//! The joints of the library: one text of each, which the runtime's types and `system!` share.
//!
//! A macro sees only the tokens of its own call, so `system!` cannot read a `constraint!` of the runtime. The text is
//! here, in the form of a call of `constraint!`, and both read it: the runtime by `library_joint!(Hinge)`, a system by
//! `joint knee: Hinge { … }`.

use proc_macro2::{Group, Span, TokenStream, TokenTree};

use super::ast::{Constraint, Declaration, Expr};
use super::input;
use super::parse::parse;
use super::parser::Parser;
use crate::diagnostic::Diagnostics;

/// A joint.
struct Joint {
    /// Its path in the runtime's module.
    path: &'static str,
    /// A call of `constraint!`.
    text: &'static str,
    /// Values that `system!` uses for parameters without a value.
    defaults: &'static [(&'static str, &'static str)],
}

/// Unit vectors that complete an axis to a right-handed triad, as the runtime's `perpendiculars`; see there.
macro_rules! across {
    ($axis:literal, $vector:literal) => {
        concat!(
            "{ let n = normalize(",
            $axis,
            "); let s = signum(n.z); let c = -1/(s + n.z); ",
            $vector,
            " }"
        )
    };
}

/// The first vector of the triad.
macro_rules! first_across {
    ($axis:literal) => {
        across!($axis, "[1 + s*n.x^2*c, s*n.x*n.y*c, -s*n.x]")
    };
}

/// The second vector of the triad.
macro_rules! second_across {
    ($axis:literal) => {
        across!($axis, "[n.x*n.y*c, s + n.y^2*c, -n.y]")
    };
}

macro_rules! joints {
    ($($path:literal, $file:literal $(, $name:literal = $default:expr)*;)*) => {
        &[$(Joint {
            path: $path,
            text: include_str!(concat!("../../joints/", $file)),
            defaults: &[$(($name, $default)),*],
        }),*]
    };
}

const JOINTS: &[Joint] = joints! {
    "Ball", "ball.rs";
    "Cylindrical", "cylindrical.rs", "u" = first_across!("axis"), "w" = second_across!("axis");
    "Distance", "distance.rs";
    "Fixed", "fixed.rs", "w1" = "[0, 1, 0]", "axis1" = "[0, 0, 1]", "u2" = "[1, 0, 0]", "w2" = "[0, 1, 0]";
    "Gear", "gear.rs";
    "Hinge", "hinge.rs", "u" = first_across!("axis"), "w" = second_across!("axis");
    "PointOnLine", "point_on_line.rs";
    "PointOnPlane", "point_on_plane.rs";
    "Prismatic", "prismatic.rs",
        "u1" = first_across!("axis"), "w1" = second_across!("axis"), "u2" = "u1", "w2" = "w1";
    "Rack", "rack.rs";
    "RollingDisk", "rolling_disk.rs", "u" = first_across!("normal"), "w" = second_across!("normal");
    "Universal", "universal.rs";
    "plane::Distance", "plane/distance.rs";
    "plane::Gear", "plane/gear.rs";
    "plane::Prismatic", "plane/prismatic.rs", "normal2" = "normal1";
    "plane::Revolute", "plane/revolute.rs";
    "plane::RollingWheel", "plane/rolling_wheel.rs";
    "plane::Weld", "plane/weld.rs", "u1" = "[1, 0]", "u2" = "[1, 0]";
};

/// The text of a joint, `Hinge` or `plane::Gear`, for the runtime's call.
pub fn library_text(path: &str) -> Option<TokenStream> {
    let joint = JOINTS.iter().find(|joint| joint.path == path)?;
    joint.text.parse().ok()
}

/// The joints between bodies in the plane or in space.
pub fn library_joints(plane: bool) -> impl Iterator<Item = &'static str> {
    JOINTS
        .iter()
        .filter_map(move |joint| match joint.path.strip_prefix("plane::") {
            Some(name) => plane.then_some(name),
            None => (!plane).then_some(joint.path),
        })
}

/// The parameters of a joint of the library.
pub fn library_parameters(name: &str, plane: bool) -> Vec<Declaration> {
    let header = library_joint(name, plane, Span::call_site()).and_then(|tree| tree.header);
    header.map_or_else(Vec::new, |header| header.parameters)
}

/// A joint of the library with defaults for its parameters; all tokens have the span `place`.
pub fn library_joint(name: &str, plane: bool, place: Span) -> Option<Constraint> {
    let path = if plane {
        format!("plane::{name}")
    } else {
        name.to_owned()
    };
    let joint = JOINTS.iter().find(|joint| joint.path == path)?;
    let mut tree = parse(
        at_place(joint.text.parse().ok()?, place),
        &mut Diagnostics::default(),
    )?;
    let parameters = &mut tree.header.as_mut()?.parameters;
    for &(name, text) in joint.defaults {
        let default = expression(at_place(text.parse().ok()?, place));
        let mut known = parameters.iter_mut();
        known.find(|it| it.name == name)?.default = default;
    }
    Some(tree)
}

fn expression(tokens: TokenStream) -> Option<Expr> {
    let mut diagnostics = Diagnostics::default();
    let mut parser = Parser::new(&mut diagnostics);
    input::read(tokens, |input| parser.expression(input).ok())?
}

/// The same tokens with the span at which the user names the joint.
pub(super) fn at_place(tokens: TokenStream, place: Span) -> TokenStream {
    let moved = tokens.into_iter().map(|token| {
        let mut token = match token {
            TokenTree::Group(group) => {
                let inner = at_place(group.stream(), place);
                TokenTree::Group(Group::new(group.delimiter(), inner))
            }
            token => token,
        };
        token.set_span(place);
        token
    });
    moved.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_joint_can_be_read_with_its_defaults() {
        for joint in JOINTS {
            let plane = joint.path.starts_with("plane::");
            let name = joint.path.trim_start_matches("plane::");
            let tree = library_joint(name, plane, Span::call_site()).expect(joint.path);
            let header = tree.header.expect("a struct");
            assert!(header.name == name && header.complete, "{}", joint.path);
            let defaults = header.parameters.iter().filter(|it| it.default.is_some());
            assert_eq!(defaults.count(), joint.defaults.len(), "{}", joint.path);
        }
    }
}
