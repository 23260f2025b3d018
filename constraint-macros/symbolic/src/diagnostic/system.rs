//! The messages of `system!`, as those of the [`catalogue`](super::catalogue).

use super::catalogue::{Kind, helped, listed};
use super::spelling::closest;
use super::{Diagnostic, SourceRange};

// ---- syntax -------------------------------------------------------------------------------------

messages! {
    /// `system! { coordinate x; }`
    without_struct: "a system begins with its struct" =>
        "write `struct Name;` or `struct Name { m: Real = 1 }` first";
    /// `potential m*g*y` without its end
    missing_semicolon(word: &str): "this `{word}` does not end" => "write `;` after it";
    /// `#[inline] coordinate x;`
    attribute_of_statement: "only documentation may precede a statement" =>
        "write `/// …`, or move the attribute before the `struct`";
    /// `constraint norm(p) == 1;`, `fn wire(s) [s, 0];`
    expected_sign(sign: &str, usage: &str): "expected `{sign}`" => "write `{usage}`";
    /// `force p [0, 1];`
    index_with_comma: "an index is one number" =>
        "write `bead[i]` for an element, and `:` before a vector, as in `force p: [0, 1];`";
    /// `particle bead[4][4][4][4]: Point2`
    too_many_indices(most: usize): "a name has at most {most} indices" =>
        "number the elements of the last two in a row, as in `[4*i + j]`";
    /// `m: [3; 4]`
    array_type: "expected the type of the elements" =>
        "write `[Real; 8]`, `[Vector3; 8]` or `[[Real; 4]; 8]`";
    /// `m: [Real]`
    array_without_length(ty: &str): "this array has no length" =>
        "write the number of elements, as in `[{ty}; 8]`";
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
    /// `const N = m;`
    const_not_constant: "a `const` must be a number known at compile time" =>
        "write a number, or use `let` for any other expression";
    /// `bead[x % 2]`
    remainder_of_no_whole: "`%` takes integers known at compile time" =>
        "use numbers and the indices of `for`, as in `(i + 1) % 8`";
    /// `bead[i % 0]`
    remainder_by(by: i64): "the remainder of a division by {by} is undefined" =>
        "divide by an integer greater than zero";
    /// `coordinate 3;`
    expected_name: "expected a name" => "write an identifier, as in `x`";
    /// `coordinate p: Point2;`
    typed_coordinate: "a coordinate of a system is a number" =>
        "write `particle p: Point2 { mass: m }` for a point";
    /// `coordinate angle { mass: 1 };`, `coordinate angle {};`
    coordinate_without_symbol: "a coordinate takes only a `symbol`" =>
        "write `{ symbol: \"θ\" }`, or remove the braces";
    /// `coordinate angle { symbol: theta };`
    symbol_without_quotes: "a symbol is written in quotes" => "write `symbol: \"θ\"`";
    /// `coordinate angle { symbol: "θ + 1" };`
    symbol_unreadable(text: &str): "`{text}` is not a symbol" =>
        "write a letter or a short word, with subscripts if needed, as in `\"θ\"`, `\"θ₁\"` or `\"phi_a\"`";
    /// `coordinate a { symbol: "θ" }, b { symbol: "theta" };`
    symbol_taken(symbol: &str, other: &str): "the symbol `{symbol}` is taken by `{other}`" =>
        "choose another one: readers could not distinguish the two";
    /// `fn wire = …`
    function_without_arguments(name: &str): "the function `{name}` has no arguments" =>
        "write `fn {name}(s) = …;`, or `let {name} = …;` for a name";
    /// `fn f(x) { … }`, `fn f(x) -> T`
    function_with_body: "a function is one expression" => "write `fn name(s) = expression;`";
    /// `fn f(x: f64)`
    typed_argument: "arguments have no types" => "write their names alone, with commas between";
    /// `particle a { mass: m }`
    particle_without_place: "the particle has no position" =>
        "write `: Point2` for coordinates of its own, or `= [x, y]` for a position";
    /// `inertia: [1, -1, 1]`, `inertia: [[1, 2, 0], [2, 1, 0], [0, 0, 1]]`
    inertia_not_positive: "the inertia of a body must be positive definite" =>
        "the moments, or the pivots of their matrix, must be greater than zero";
    /// `inertia: [1, 1, 3]`
    inertia_impossible: "no body has this moment of inertia: it exceeds the sum of the other two" =>
        "each moment may be at most the sum of the other two, as for a thin disk, `[1, 1, 2]`";
    /// `torque p: 1;` of a particle
    torque_on_no_body: "a torque acts on a body" =>
        "write the name of a `body`; a generalized force on a coordinate is a `force`";
    /// `torque pin: 1;` of a joint
    push_on_rows(name: &str): "`{name}` is a joint or a constraint; a torque cannot act on it" =>
        "write it on the bodies: for a motor between them `torque a: u;` and `torque b: -u;`, in space along the axis";
    /// `input u = 3;`
    input_with_value(name: &str): "an input has no default value" =>
        "write `input {name};` and supply its value with `.with_inputs(…)`; for a constant, declare a parameter, `{name}: Real = …`";
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
    /// `#[redundant(least_squares)]` with `p.y >= 0`
    one_sided_least_squares: "constraints of one side need independent rows" =>
        "remove `#[redundant(least_squares)]` and the rows that follow from others";
    /// Hundreds of links on a floor.
    one_sided_too_large(limit: usize): "constraints of one side are generated for at most {limit} coordinates and rows" =>
        "for many contacts use a `World`, or the force law `Contact`";
    /// `particle a: Point2 { mass: m };`
    semicolon_after_braces: "`;` after the braces" => "remove it";
    /// `for i of 1..8`
    expected_range(usage: &str): "expected a range" => "write `{usage}`, or `0..=7`";
    /// `sum(p)`
    sum_without_range: "a sum needs an index and its range" => "write `sum(i in 0..8: term)`";
    /// `coordinate theta[i in 0..8];`
    index_for_length(word: &str): "an array of `{word}` is declared by its length" =>
        "write only the length, as in `{word} u[8]`";
    /// `gravity p: [0, -g];`, `for i in 0..8 { gravity [0, -g]; }`
    gravity_is_everywhere: "gravity acts on everything that has mass" =>
        "write it once, as in `gravity [0, -g];`, or write a `force` on a single particle or body";
    /// `gravity [0, -g];` a second time
    gravity_twice: "gravity is given twice" => "remove one of the two, or write their sum";
    /// `gravity [0, -g];` without particles and bodies
    gravity_on_nothing: "nothing here has weight" =>
        "declare a `particle` or a `body`, or write the energy as a `potential`";
    /// `force p: multiplier(rod)*u;`
    solved_for(name: &str): "`{name}` is known only after the equations are solved" =>
        "use it in an `output`";
    /// `output a = acceleration(velocity(p));`
    no_acceleration(found: &str): "{found} has no acceleration here" =>
        "write `acceleration` of a position, an expression of coordinates, parameters and `t`";
    /// `output pull = multiplier(norm(p));`
    multiplier_of_no_name: "a multiplier belongs to a constraint" =>
        "write the constraint's name, as in `multiplier(link[3])`";
    /// `output pull = multiplier(weld);` of five rows
    multiplier_of_many(name: &str, rows: usize): "`{name}` has {rows} rows" =>
        "write the number of one, as in `multiplier({name}[0])`, or `output load[k in 0..{rows}] = multiplier({name}[k]);` for all";
    /// `output pull[0] = …; output pull[2] = …;`
    output_out_of_order(name: &str): "the elements of `{name}` must be in order, without gaps" =>
        "write them in a `for`, with the last index varying fastest, or use another name";
    /// `cubic_spline(x, [0, 1, 2], [0, 1])`
    spline_of_unlike_lists(found: usize, expected: usize): "this list has {found} entries, and the one before {expected}" =>
        "write one value for each point";
    /// `cubic_spline(x, [0], [1])`
    spline_of_few_points: "a spline needs at least two points" => "write more points";
    /// `cubic_spline(x, [0, 1, …], …)` through thousands
    spline_of_many_points(found: usize, most: usize):
        "this spline has {found} points; at most {most} are supported" =>
        "omit points where the curve is nearly straight";
    /// `cubic_spline(x, p, q)`
    spline_of_no_list: "a spline takes two lists of numbers" =>
        "write the positions of the points, then their values, as in `cubic_spline(x, [0, 1, 2], [0, 1, 0])`";
    /// `cubic_spline(x, [0, a, 2], [0, 1, 0])`
    spline_at_no_number: "the positions of a spline's points must be numbers known at compile time" =>
        "write a number; the values at the points may be parameters";
    /// `monotone_spline(x, [0, 1], [0, a])`
    spline_of_no_numbers: "the values of a monotone spline must be numbers known at compile time" =>
        "write numbers, or a `cubic_spline`, whose values may be parameters";
    /// `periodic_spline(x, [0, 1, 2], [0, 1, 3])`
    spline_not_closed: "a periodic spline must end where it begins" =>
        "repeat the first value as the last; the period is from the first point to the last";
    /// `cubic_spline(x, [0, 2, 1], [0, 1, 0])`
    spline_not_ascending: "the points of a spline must be in ascending order" =>
        "write each point once, after the smaller ones";
    /// `for i in 1..8 constraint …`
    for_without_block: "expected the statements to repeat" => "write them in braces";
}

/// `system! {}`
pub fn empty_system() -> Diagnostic {
    helped(
        SourceRange::call_site(),
        "there is no system here",
        "write `struct Name;`, then coordinates or particles",
    )
}

/// `forse bead: [0, 1];`; `statements` are the keywords that begin one.
pub fn expected_statement(
    range: SourceRange,
    found: Option<&str>,
    statements: &[&str],
) -> Diagnostic {
    let message = match found {
        Some(word) => format!("`{word}` does not begin a statement"),
        None => "expected a statement".to_owned(),
    };
    let help = match (found, found.and_then(|word| closest(word, statements))) {
        (_, Some(word)) => format!("did you mean `{word}`?"),
        _ => format!("a statement begins with {}", listed(statements, "or")),
    };
    helped(range, message, help)
}

/// `input u: Point2;`
pub fn input_type(range: SourceRange, found: &str) -> Diagnostic {
    let message = match found {
        "" | "[" => "this is not a type of an input".to_owned(),
        _ => format!("`{found}` is not a type of an input"),
    };
    let help = match found {
        "Point2" => "write `Vector2`",
        "Point3" => "write `Vector3`",
        "[" => "write the lengths after the name, as in `u[3]: Vector2`",
        "f32" | "f64" | "T" => "write `Real`, or nothing: an input without a type is a number",
        _ => "an input is `Vector2`, `Vector3`, or a number without a type",
    };
    helped(range, message, help)
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

// ---- meaning ------------------------------------------------------------------------------------

messages! {
    /// `x_dot`; `rate` is the correct spelling.
    rate_by_name(name: &str, rate: &str): "`{name}` is not declared" =>
        "write the rate as `{rate}`";
    /// `rate(x)`, `der(x)`
    rate_by_another_word(name: &str): "there is no function `{name}`" =>
        "write `velocity(x)` for the rate of a position or of a coordinate";
    /// `bead[N]` with an undeclared N
    unknown_count(name: &str): "`{name}` is not declared" =>
        "write a number, or declare it, as in `const {name} = 8;`";
    /// `mass: m[i]` without a `for` over i
    unknown_index(name: &str): "`{name}` is not declared" =>
        "declare it as an index, as in `for {name} in 0..8 {{ … }}` or `particle p[{name} in 0..8]`";
    /// `bead[x]`
    index_not_constant: "an index must be an integer known at compile time" =>
        "write a number, or the index of a `for`";
    /// `constraint link[-1]: …`
    index_negative(index: i64): "there is no element {index}" => "the indices begin at 0";
    /// `x[0]` of a number
    index_of_single: "this is not an array" => "remove the index";
    /// `at(wheel[1], r)` of one wheel
    index_of_body(name: &str): "`{name}` is one body, not several" =>
        "remove the index, or declare several, as in `body {name}[4]: …`";
    /// `norm(bead)` of an array
    array_as_value(name: &str, len: usize): "`{name}` has {len} elements" =>
        "write one of them, as in `{name}[0]`, or `{name}[i]` within a `for`";
    /// `particle bead[0]: Point2`, `coordinate x[-1]`
    bad_count: "the number of elements must be an integer from 1 to 100000" =>
        "write it as a number, as in `bead[8]`";
    /// `particle bob[1]: Point3` after `particle bob[0]: Point2`
    elements_of_two_kinds(name: &str, is: &str, found: &str):
        "this element of `{name}` is {found}, but each of those before is {is}" =>
        "choose another name";
    /// `grid[1]` with three elements where `grid[0]` has four
    unlike_lengths(name: &str, length: usize, first: usize):
        "`{name}` has length {length} here, but those before have length {first}" =>
        "declare the same number in each";
    /// `let a = [[1, 2], [1, 2, 3]];`
    unlike_entries(found: &str, first: &str): "this entry is {found}, but the first is {first}" =>
        "write entries of one kind";
    /// `let a = [];`
    empty_list: "this list has no entries" => "write them, as in `[1, 2, 3, 4]`";
    /// `for i in 8..0`
    range_backwards(start: i64, end: i64): "this range runs backwards" => "write `{end}..{start}`";
    /// `for i in 0..x`
    bound_not_constant: "the bounds of a range must be integers known at compile time" =>
        "write a number";
    /// More than the limit.
    too_large(limit: usize):
        "this is too large: more than {limit} names, numbers and operations would take the compiler 3 GB of memory" =>
        "make the ranges smaller";
    /// `fn` within `for`, and other declarations that cannot be repeated
    declaration_in_for(word: &str): "`{word}` cannot be repeated" => "declare it before the `for`";
    /// `constraint link: …` within `for`
    repeated_without_index(name: &str, index: &str): "every repetition would have the name `{name}`" =>
        "write `{name}[{index}]`";
    /// `force dir(wheel, u): …`
    force_on_a_direction: "a force cannot act on a direction" =>
        "write `at(body, r)` for a point of the body, or a `torque`";
    /// `particle p: Point2 { mass: 0 }`
    mass_not_positive: "a mass must be greater than zero" => "write a positive number, or a parameter";
    /// `force 3: …`
    no_target: "a force acts on a particle, on a body or on a coordinate" =>
        "write its name";
    /// `force [x, velocity(y)]: …`
    target_of_both: "this is a place in one component and a velocity in another" =>
        "write two forces, one on the place and one along the velocity";
    /// `force velocity(x)^2: …`
    rate_not_affine: "a force acts along an expression of first degree in the velocities" =>
        "write a sum of velocities with coefficients that do not contain velocities";
    /// A default that is not a number.
    default_not_constant: "a default must be a number" =>
        "write a number, or set the parameter when you construct the system";
    /// `m: [Real; 4] = [1, 2]`
    default_length(found: usize, expected: usize):
        "this list has {found} entries, but the array has {expected} elements" =>
        "write as many entries, or one value for all";
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
    /// A nonholonomic row that is not affine in v.
    not_affine: "a constraint on velocities must be of first degree in them" =>
        "write a sum of velocities with coefficients that do not contain velocities";
    /// `velocity(u)` of an input, `velocity(velocity(p))`
    no_velocity(found: &str): "{found} has no velocity here" =>
        "write the velocity of an expression of coordinates, parameters and `t`";
    /// `fn f(x) = f(x) + 1;`
    function_not_yet_declared(name: &str): "`{name}` is not declared before this function" =>
        "a function may call the functions declared before it, but not itself";
    /// Calls of functions nested deeper than recursion allows.
    calls_too_deep(depth: usize, limit: usize):
        "with this call the function is {depth} expressions deep after inlining; the limit is {limit}" =>
        "pass the inner value as an argument: `let inner = f(x);`, then `g(inner)`";
    /// `{ mass: 1, mass: 2 }`
    field_twice(field: &str): "`{field}` is given twice" => "remove one";
    /// `#[solver(rolled)]` with `#[redundant(least_squares)]`
    rolled_least_squares: "least squares need all rows at once and cannot be solved in loops" =>
        "remove `#[solver(rolled)]` or `#[redundant(least_squares)]`";
    /// `output momentum;` in a part or a `for`
    total_of_a_part(name: &str): "`{name}` is that of the whole system" =>
        "move `output {name};` out of parts and `for`";
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

/// `particle a: Point2 { m: 1 }`
pub fn unknown_field(range: SourceRange, owner: &str, found: &str) -> Diagnostic {
    let help = match owner {
        "body" => "write `mass` and `inertia`",
        _ => "write `mass`",
    };
    helped(range, format!("a {owner} has no field `{found}`"), help)
}

/// `bead[8]` of eight
pub fn index_out_of_range(range: SourceRange, index: i64, len: usize) -> Diagnostic {
    let help = match len {
        0 => "it has no elements yet".to_owned(),
        _ => format!("the indices are 0 to {}", len - 1),
    };
    helped(
        range,
        format!("there is no element {index} among {len}"),
        help,
    )
}

/// `bead[1][2]` of an array with one index, `wheel[0][1]`
pub fn more_indices(range: SourceRange, name: &str, indices: usize) -> Diagnostic {
    let (count, brackets) = match indices {
        1 => ("one index", "[4][4]"),
        2 => ("two indices", "[4][4][4]"),
        _ => ("three indices", ""),
    };
    let help = match brackets {
        "" => "remove this one".to_owned(),
        _ => format!("remove this one, or declare another, as in `{name}{brackets}`"),
    };
    helped(range, format!("`{name}` has {count}"), help)
}

/// `particle bob[2] = …` before `bob[1]`
pub fn index_out_of_order(range: SourceRange, expected: &[usize]) -> Diagnostic {
    let (element, help) = match expected {
        [only] => (only.to_string(), "declare the elements in order, from 0"),
        _ => (
            expected.iter().map(|i| format!("[{i}]")).collect(),
            "declare the elements in order, from 0, with the last index varying fastest",
        ),
    };
    helped(
        range,
        format!("element {element} must be declared first"),
        help,
    )
}

/// `particle bob[2][0]: …` after `bob[1]`
pub fn other_indices(range: SourceRange, name: &str, indices: usize) -> Diagnostic {
    let (count, brackets) = match indices {
        1 => ("one index", "[i]"),
        2 => ("two indices", "[i][j]"),
        _ => ("three indices", "[i][j][k]"),
    };
    helped(
        range,
        format!("the earlier elements of `{name}` have {count}"),
        format!("write `{name}{brackets}`"),
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

/// `output pull = multiplier(lnik[3]);`
pub fn no_such_constraint(range: SourceRange, name: &str, known: &[&str]) -> Diagnostic {
    let help = match closest(name, known) {
        Some(known) => format!("did you mean `{known}`?"),
        None => {
            "write the name of a constraint declared before this line, with its indices".to_owned()
        }
    };
    helped(
        range,
        format!("no constraint `{name}` is declared before this line"),
        help,
    )
}

/// A default of another shape than a vector parameter, or than the elements of an array.
pub fn default_shape(range: SourceRange, expected: usize, lengths: &[usize]) -> Diagnostic {
    let element = match expected {
        1 => "a number",
        2 => "`[0, 1]`",
        _ => "`[0, 0, 1]`",
    };
    let help = match lengths {
        [] => format!("write {element}"),
        [length] => format!("write {element} for all elements, or a list of {length}"),
        [length, ..] => format!("write {element} for all elements, or a list of {length} lists"),
    };
    helped(
        range,
        "this default does not have the shape of its type",
        help,
    )
}

/// `constraint floor: p.y >= 0 { bounce: 1 };`
pub fn unknown_property(range: SourceRange, of: &str, found: &str, known: &[&str]) -> Diagnostic {
    helped(
        range,
        format!("a {of} has no `{found}`"),
        format!("write {}", listed(known, "or")),
    )
}

/// A potential with velocities, a mass with coordinates, …; `name` is the offending dependence, `u[3].x`.
pub fn mentions(range: SourceRange, what: &str, found: &str, name: &str) -> Diagnostic {
    if found == "an input" {
        let message = format!("{what} must not depend on the input `{name}`");
        return helped(range, message, instead_of_input(what, name));
    }
    let help = match (what, found) {
        ("a mass" | "a moment of inertia", _) => "use only parameters and numbers",
        ("an axis", _) => {
            "use only parameters and numbers; for a rotating axis, write a product of poses"
        }
        ("a potential", "a velocity") => "write a `force` or a `dissipation` instead",
        ("gravity", "a velocity" | "a coordinate") => {
            "write a `force` or a `potential` for a field that depends on position"
        }
        _ => "use only coordinates, parameters and `t`",
    };
    helped(range, format!("{what} must not depend on {found}"), help)
}

/// The remedy for an input in a place where none is allowed.
fn instead_of_input(what: &str, name: &str) -> String {
    match what {
        "a potential" => {
            format!("write `force y: -{name};` for `potential {name}*y;`, or make it a parameter")
        }
        "a dissipation" => format!(
            "write `force y: -{name}*velocity(y);` for `dissipation {name}/2*velocity(y)^2;`, or make it a parameter"
        ),
        "a constraint" | "a position" | "a pose" => {
            format!("the rates of an input are not known: {}", moved(name))
        }
        _ => "let the input act through a `force`, or make it a parameter".to_owned(),
    }
}

/// Declarations of things that have rates.
fn moved(name: &str) -> String {
    if name.contains(['.', '[']) {
        return "declare positions or coordinates that a `force` moves, or write a function of `t` and parameters".to_owned();
    }
    format!(
        "replace it by `input push; coordinate {name}; kinetic velocity({name})^2/2; force {name}: push;` for a motion driven \
         by an input, or by `let {name} = 1 - t/2;` for a prescribed function of time"
    )
}

/// `input u with rate;`
pub fn input_with_rate(range: SourceRange, name: &str) -> Diagnostic {
    helped(range, "an input has no rate", moved(name))
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

/// `#[solver(fast)]`
pub fn unknown_option(range: SourceRange, attribute: &str, choices: &[&str]) -> Diagnostic {
    helped(
        range,
        format!("`{attribute}` takes {}", listed(choices, "or")),
        format!("write `#[{attribute}({})]`", choices[0]),
    )
}
