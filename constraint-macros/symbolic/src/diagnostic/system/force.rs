//! Forces and torques, and what they act on.

use crate::diagnostic::wording::helped;
use crate::diagnostic::{Diagnostic, SourceRange};

messages! {
    /// `torque p: 1;` of a particle
    torque_on_no_body: "a torque acts on a body" =>
        "write the name of a `body`; a generalized force on a coordinate is a `force`";
    /// `torque pin: 1;` of a joint
    push_on_rows(name: &str): "`{name}` is a joint or a constraint; a torque cannot act on it" =>
        "write it on the bodies: for a motor between them `torque a: u;` and `torque b: -u;`, in space along the axis";
    /// `force dir(wheel, u): …`
    force_on_a_direction: "a force cannot act on a direction" =>
        "write `at(body, r)` for a point of the body, or a `torque`";
    /// `force 3: …`
    no_target: "a force acts on a particle, on a body or on a coordinate" =>
        "write its name";
    /// `force [x, velocity(y)]: …`
    target_of_both: "this is a place in one component and a velocity in another" =>
        "write two forces, one on the place and one along the velocity";
    /// `force velocity(x)^2: …`
    rate_not_affine: "a force acts along an expression of first degree in the velocities" =>
        "write a sum of velocities with coefficients that do not contain velocities";
}

/// `torque a: 1;` in space
pub fn torque_shape(range: SourceRange, space: bool) -> Diagnostic {
    let (message, help) = if space {
        (
            "in space, a torque has three components",
            "write `[0, 0, 1]`",
        )
    } else {
        ("in the plane, a torque is a number", "write one number")
    };
    helped(range, message, help)
}
