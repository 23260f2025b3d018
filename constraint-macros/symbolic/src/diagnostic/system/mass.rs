//! What has mass: particles, bodies and their poses, kinetic energies, gravity, and totals over all of them.

use crate::diagnostic::catalogue::Kind;
use crate::diagnostic::wording::{helped, listed};
use crate::diagnostic::{Diagnostic, SourceRange};

messages! {
    /// `particle a, b = [x, 0]`
    several_names_at_one_place(word: &str, name: &str): "several particles cannot share one position" =>
        "write one statement for each, as in `{word} {name} = …`";
    /// `body a, b: Rigid2 = pose([x, 0], 0)`
    several_bodies_at_one_pose(name: &str, ty: &str): "several bodies cannot share one pose" =>
        "write one statement for each, as in `body {name}: {ty} = …`";
    /// `pose([0, 0]) * pose([0, 0, 1])`
    poses_of_two_spaces: "this pose is not of the same space as those before it" =>
        "a position has two components in the plane and three in space";
    /// `body a: Rigid3 = pose([x, 0], angle) { … }`
    pose_of_another_space(ty: &str): "this is not a pose of a `{ty}`" =>
        "a position has two components in the plane and three in space";
    /// `pose([0, 0, 0], [0, 0, 0], angle)`
    axis_of_no_length: "an axis must have a direction" => "write one, as in `[0, 0, 1]`";
    /// `pose([0, 0, 0], 1, angle)`
    axis_of_no_space(found: Kind): "expected an axis of three components, found {found}" =>
        "write one, as in `[0, 0, 1]`";
    /// `particle a { mass: m }`
    particle_without_place: "the particle has no position" =>
        "write `: Point2` for coordinates of its own, or `= [x, y]` for a position";
    /// `inertia: [1, -1, 1]`, `inertia: [[1, 2, 0], [2, 1, 0], [0, 0, 1]]`
    inertia_not_positive: "the inertia of a body must be positive definite" =>
        "the moments, or the pivots of their matrix, must be greater than zero";
    /// `inertia: [1, 1, 3]`
    inertia_impossible: "no body has this moment of inertia: it exceeds the sum of the other two" =>
        "each moment may be at most the sum of the other two, as for a thin disk, `[1, 1, 2]`";
    /// `gravity p: [0, -g];`, `for i in 0..8 { gravity [0, -g]; }`
    gravity_is_everywhere: "gravity acts on everything that has mass" =>
        "write it once, as in `gravity [0, -g];`, or write a `force` on a single particle or body";
    /// `gravity [0, -g];` a second time
    gravity_twice: "gravity is given twice" => "remove one of the two, or write their sum";
    /// `gravity [0, -g];` without particles and bodies
    gravity_on_nothing: "nothing here has weight" =>
        "declare a `particle` or a `body`, or write the energy as a `potential`";
    /// `particle p: Point2 { mass: 0 }`
    mass_not_positive: "a mass must be greater than zero" => "write a positive number, or a parameter";
    /// No coordinates at all.
    nothing_moves: "nothing moves in this system" =>
        "declare a `particle`, a `body` or a `coordinate`";
    /// A coordinate without a mass.
    without_inertia(name: &str): "the coordinate `{name}` has no inertia" =>
        "use it in the position of a particle, add a `kinetic` energy, or couple it by a `constraint` to something with mass";
    /// `kinetic x*v^3`
    kinetic_not_quadratic: "a kinetic energy must be of second degree in the velocities" =>
        "write products of two velocities, as in `m/2 * velocity(x)^2`";
    /// `kinetic -velocity(x)^2`
    kinetic_negative: "a kinetic energy must be positive for every motion" =>
        "write a positive factor, as in `m/2 * velocity(x)^2`; only a `potential` may be negative";
    /// `kinetic m/2*velocity(x + y)^2` as the only kinetic energy
    without_own_inertia(name: &str):
        "the mass matrix is singular everywhere: `{name}` has no inertia of its own" =>
        "give it a `kinetic` energy or a particle of its own, or remove it";
    /// `output momentum;` in a part or a `for`
    total_of_a_part(name: &str): "`{name}` is that of the whole system" =>
        "move `output {name};` out of parts and `for`";
}

/// `particle a: Point2;`, `body a: Rigid3 { mass: 1 }`
pub fn without_field(range: SourceRange, owner: &str, name: &str, field: &str) -> Diagnostic {
    let help = match owner {
        "body" => "write `{ mass: m, inertia: i }` after it; in space, `inertia: [a, b, c]`",
        _ => "write `{ mass: m }` after it",
    };
    helped(range, format!("the {owner} `{name}` has no {field}"), help)
}

/// `pose(place)`, `pose(place, angle)`, in space `pose(place, axis, angle)`
pub fn pose_arguments(range: SourceRange, size: usize, found: usize) -> Diagnostic {
    let message = match (size, found) {
        (_, 0) => "the pose has no position".to_owned(),
        (3, 2) => "the pose has no axis".to_owned(),
        _ => format!("{found} arguments are too many for a pose"),
    };
    let help = match (size, found) {
        (_, 0) => "write `pose(place, angle)`; in space, `pose(place, axis, angle)`",
        (3, _) => "write `pose(place, axis, angle)`, and a product for several rotations",
        _ => "in the plane, write `pose(place, angle)`",
    };
    helped(range, message, help)
}

/// `body a: Rigid2 = [x, 0] { … }`
pub fn expected_pose(range: SourceRange, size: usize) -> Diagnostic {
    let help = match size {
        2 => "write `pose(place, angle)`, or a product of such poses and of bodies",
        _ => "write `pose(place, axis, angle)`, or a product of such poses and of bodies",
    };
    helped(range, "expected a pose", help)
}

/// `particle a: Rigid { … }`
pub fn particle_type(range: SourceRange, found: &str) -> Diagnostic {
    let message = match found {
        "" => "this is not a type of a particle".to_owned(),
        _ => format!("`{found}` is not a type of a particle"),
    };
    helped(range, message, "write `Point2` or `Point3`")
}

/// `body a { … }`, `body a: Point2 { … }`
pub fn body_type(range: SourceRange, found: &str) -> Diagnostic {
    let message = match found {
        "" => "a body must be in the plane or in space".to_owned(),
        _ => format!("`{found}` is not a type of a body"),
    };
    helped(range, message, "write `: Rigid2` or `: Rigid3`")
}

/// `output momentum;` without masses, or of masses on lines or in two spaces
pub fn total_of_nothing(range: SourceRange, name: &str, nothing: bool) -> Diagnostic {
    let (message, help) = if nothing {
        let message =
            format!("`{name}` is that of everything that has a mass, but nothing has one");
        (message, "declare a particle or a body first")
    } else {
        let message = format!("`{name}` needs places in the plane or in space, all in the same");
        (message, "write places as `[x, 0]` or `[x, 0, 0]`")
    };
    helped(range, message, help)
}

/// `at(p, r)` with a `p` that is not a body
pub fn expected_body(range: SourceRange, bodies: &[String]) -> Diagnostic {
    let help = match bodies {
        [] => "declare it, as in `body wheel: Rigid3 { mass: 1, inertia: [1, 1, 2] }`".to_owned(),
        [only] => format!("the body is `{only}`"),
        many => format!("the bodies are {}", listed(many, "and")),
    };
    helped(range, "expected the name of a body", help)
}

/// `inertia: 1` in space, `inertia: [1, 1, 1]` in the plane
pub fn inertia_shape(range: SourceRange, moments: usize) -> Diagnostic {
    let (message, help) = match moments {
        1 => (
            "in the plane, a body has one moment of inertia",
            "write a number or a parameter",
        ),
        _ => (
            "in space, a body has three principal moments of inertia, or a matrix",
            "write `[a, b, c]`, or `[[a, b, c], [b, d, e], [c, e, f]]`",
        ),
    };
    helped(range, message, help)
}

/// `inertia: [[3, 1, 0], [2, 3, 0], [0, 0, 1]]`
pub fn inertia_not_symmetric(range: SourceRange, (i, j): (usize, usize)) -> Diagnostic {
    let places = ["first", "second", "third"];
    helped(
        range,
        "an inertia matrix must be symmetric",
        format!(
            "repeat the {} entry of the {} row here",
            places[i], places[j]
        ),
    )
}

/// `gravity [0, -g];` with masses in space
pub fn gravity_shape(range: SourceRange, found: usize, expected: usize) -> Diagnostic {
    let places = |count: usize| match count {
        1 => "on a line",
        2 => "in the plane",
        _ => "in space",
    };
    let help = match expected {
        1 => "write one number, as in `gravity -g;`",
        2 => "write `gravity [0, -g];`",
        _ => "write `gravity [0, 0, -g];`",
    };
    let (found, expected) = (places(found), places(expected));
    let message =
        format!("this gravity is given {found}, but something with mass moves {expected}");
    helped(range, message, help)
}
