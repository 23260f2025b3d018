//! Attributes before the struct, and systems too large for what they ask for.

use crate::diagnostic::wording::{helped, listed};
use crate::diagnostic::{Diagnostic, SourceRange};

messages! {
    /// Hundreds of links on a floor.
    one_sided_too_large(limit: usize): "constraints of one side are generated for at most {limit} coordinates and rows" =>
        "for many contacts use a `World`, or the force law `Contact`";
    /// `#[solver(rolled)]` with `#[redundant(least_squares)]`
    rolled_least_squares: "least squares need all rows at once and cannot be solved in loops" =>
        "remove `#[solver(rolled)]` or `#[redundant(least_squares)]`";
    /// `#[task_space(tip)]`
    arguments_of_task_space: "`task_space` takes no arguments: all outputs that have Jacobians get them" =>
        "write `#[task_space]`";
    /// `#[task_space]` without an output that moves
    nothing_in_task_space: "no output has a Jacobian" =>
        "declare one that depends on coordinates, `output tip = at(link, [l, 0]);`, or remove `#[task_space]`";
    /// `#[task_space]` of a system on the heap
    task_space_too_large(limit: usize): "Jacobians of outputs are generated for at most {limit} coordinates and outputs" =>
        "remove `#[task_space]`";
    /// `#[regressor(link)]`
    arguments_of_regressor: "`regressor` takes no arguments: it includes the parameters of all links" =>
        "write `#[regressor]`";
    /// `#[regressor]` without a body on a moving link
    regressor_without_links: "no body is posed on a link that moves, so there are no inertial parameters" =>
        "pose one, `body link: Rigid3 = pose(place, axis, angle) { … }`, or remove `#[regressor]`";
    /// `#[regressor]` with both
    regressor_of_plane_and_space: "regressors are generated for bodies that are posed all in the plane or all in space" =>
        "write `Rigid3` and `pose(place, axis, angle)` for all bodies, or remove `#[regressor]`";
    /// `#[regressor]` with `#[solver(rolled)]`
    regressor_in_loops: "regressors are written out, not in loops" =>
        "remove `#[solver(rolled)]` or `#[regressor]`";
    /// `#[regressor]` with hundreds of links
    regressor_too_large(limit: usize): "regressors are generated for at most {limit} coordinates and {limit} parameters" =>
        "remove `#[regressor]`";
    /// The columns of Y depend on each other in a way that has no expression.
    unknown_combination(name: &str):
        "the column of `{name}` in the regressor follows from others, by numbers for which no formula was found" =>
        "write lengths and angles of the links as numbers, or remove `#[regressor]`";
    /// Neither small enough to write out nor regular enough for loops.
    too_large_to_write(found: usize, limit: usize, reason: &str, instead: &str):
        "this system is too large to write out, about {found} operations of at most {limit}, and cannot be solved in \
         loops: {reason}" =>
        "{instead}";
    /// `#[solver(rolled)]` on a system without families
    cannot_roll:
        "this system cannot be solved in loops: its mass matrix does not consist of small blocks" =>
        "remove the attribute";
}

/// `#[solver(fast)]`
pub fn unknown_option(range: SourceRange, attribute: &str, choices: &[&str]) -> Diagnostic {
    helped(
        range,
        format!("`{attribute}` takes {}", listed(choices, "or")),
        format!("write `#[{attribute}({})]`", choices[0]),
    )
}
