//! Constraints: of one side, with friction, motors, and rows that follow from others.

use crate::diagnostic::wording::{helped, listed};
use crate::diagnostic::{Diagnostic, SourceRange};

messages! {
    /// `constraint rod: norm(p) == l { restitution: 1 };`
    restitution_of_two_sides: "a constraint of two sides does not open, and has no restitution" =>
        "write `>=` or `<=` for contact, or only `friction` and `slip`";
    /// `constraint rod: norm(p) == l { };`
    two_sides_without_friction: "a constraint of two sides has braces for its friction alone" =>
        "write `friction: mu, slip: velocity(p).x` in them, or remove the braces";
    /// `motor drive: angular_velocity(wheel) == speed;`
    motor_without_bound: "this motor has no bound" =>
        "write the most that it exerts, as in `motor drive: angular_velocity(wheel) == speed { most: torque };`; \
         without a bound it is a `constraint`";
    /// `motor drive: angular_velocity(wheel) >= speed { most: torque };`
    motor_without_speed: "a motor has a velocity and its speed" =>
        "write `==` between them, as in `motor drive: angular_velocity(wheel) == speed { most: torque };`";
    /// `constraint rod: norm(p) { restitution: 1 };`
    properties_of_a_value: "only relations have properties" =>
        "write `>=` or `<=` and the other side before the braces, or remove them";
    /// `constraint floor: p.y >= 0 { restitution: -1 };`
    negative_property(name: &str): "`{name}` must not be negative" => "write zero or a positive number";
    /// `constraint floor: p.y >= 0 { restitution: 2 };`
    restitution_above_one: "with a restitution above 1, every impact would add energy" =>
        "write a number from 0 to 1";
    /// `constraint floor: p.y >= 0 { friction: mu };`
    friction_without_slip: "this friction has no slip to act against" =>
        "write the velocity along the contact, as in `slip: velocity(p).x`";
    /// `constraint floor: p.y >= 0 { slip: velocity(p).x };`
    slip_without_friction: "this slip has no friction" => "write `friction: mu` as well, or remove the slip";
    /// `slip: p.x`
    slip_not_a_rate: "a slip is a velocity" => "write `velocity(p).x`, or another sum of velocities";
    /// `slip: velocity(p.x)^2`
    slip_not_affine: "a slip is of first degree in the velocities" =>
        "write a sum of velocities with coefficients that do not contain velocities";
    /// A nonholonomic row that is not affine in v.
    not_affine: "a constraint on velocities must be of first degree in them" =>
        "write a sum of velocities with coefficients that do not contain velocities";
}

/// `constraint floor: p.y >= 0 { bounce: 1 };`
pub fn unknown_property(range: SourceRange, of: &str, found: &str, known: &[&str]) -> Diagnostic {
    helped(
        range,
        format!("a {of} has no `{found}`"),
        format!("write {}", listed(known, "or")),
    )
}

/// A row that follows from other rows.
pub fn dependent_rows(range: SourceRange, name: &str, others: &[String]) -> Diagnostic {
    let from = match others {
        [] => "the others".to_owned(),
        [other] => format!("`{other}`"),
        _ if others.len() > 4 => format!("`{}` and {} others", others[0], others.len() - 1),
        _ => listed(others, "and"),
    };
    helped(
        range,
        format!("`{name}` follows from {from}"),
        "remove one of them, or write `#[redundant(least_squares)]` before the struct",
    )
}
