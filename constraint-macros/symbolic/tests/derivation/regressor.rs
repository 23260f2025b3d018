//! Regressors of inertial parameters: the force itself, base parameters of published arms, and their number by floats.

use constraint_symbolic::compile::analyze_system;
use constraint_symbolic::expr::SymbolId;
use constraint_symbolic::system::{Derived, Quantity};

/// The arm with these rows a, α (in quarter turns), d of modified Denavit–Hartenberg parameters (Craig).
fn arm(rows: &[(&str, i32, &str)], parameters: &str, gravity: &str) -> String {
    let mut text = format!(
        "#[regressor] struct Arm {{ {parameters} }} coordinate q[{}];",
        rows.len()
    );
    let mut before = String::new();
    for (i, (a, quarters, d)) in rows.iter().enumerate() {
        let k = i + 1;
        text.push_str(&format!(
            "let frame_{k} = {before}pose([{a}, 0, 0], [1, 0, 0], {quarters}*PI/2) * pose([0, 0, {d}], [0, 0, 1], q[{i}]);
             body link_{k}: Rigid3 = frame_{k} * pose([0.0{k}, -0.05, 0.1]) {{
                 mass: {k},
                 inertia: [[0.1{k}, 0.01, 0.02], [0.01, 0.2, -0.03], [0.02, -0.03, 0.15]]
             }}"
        ));
        before = format!("frame_{k} * ");
    }
    text + gravity
}

const DOWN: &str = "gravity [0, 0, -9.81];";

/// Craig, *Introduction to Robotics*, table 3.4; lengths of Armstrong, Khatib and Burdick (1986).
fn puma() -> String {
    let rows = [
        ("0", 0, "0"),
        ("0", -1, "0.2435"),
        ("0.4318", 0, "-0.0934"),
        ("-0.0203", 1, "0.4331"),
        ("0", -1, "0"),
        ("0", 1, "0"),
    ];
    arm(&rows, "", DOWN)
}

/// Gaz, Cognetti, Oliva, Robuffo Giordano and De Luca (2019), table 1.
fn franka() -> String {
    let rows = [
        ("0", 0, "0.333"),
        ("0", -1, "0"),
        ("0", 1, "0.316"),
        ("0.0825", 1, "0"),
        ("-0.0825", -1, "0.384"),
        ("0", 1, "0"),
        ("0.088", 1, "0"),
    ];
    arm(&rows, "", DOWN)
}

fn derived(text: &str) -> Derived {
    let tokens = text.parse().expect("tokens");
    analyze_system(tokens).unwrap_or_else(|messages| panic!("{messages:?}\n{text}"))
}

/// A number that looks random, the same for the same leaf and state, of parameters in all states.
fn leaf(derived: &Derived, state: usize) -> impl Fn(SymbolId) -> f64 + '_ {
    move |symbol| {
        let name = &derived.system.model.symbols[symbol.index()].name;
        let is_parameter = name.starts_with("p_");
        let seed = name
            .bytes()
            .fold(if is_parameter { 1 } else { state + 2 }, |seed, byte| {
                seed.wrapping_mul(31).wrapping_add(usize::from(byte))
            });
        (seed as f64 * 12.9898).sin() * 1.7
    }
}

/// A quantity as a function of the state.
fn program(derived: &Derived, quantity: Quantity) -> impl Fn(usize) -> Vec<f64> + '_ {
    let program = derived.plain_program(&[quantity]);
    move |state| program.evaluate(leaf(derived, state))
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The rank of rows by Gram and Schmidt, the longest column first.
fn rank(rows: &[Vec<f64>]) -> usize {
    let mut columns: Vec<Vec<f64>> = (0..rows[0].len())
        .map(|k| rows.iter().map(|row| row[k]).collect())
        .collect();
    let sizes: Vec<f64> = columns.iter().map(|it| dot(it, it).sqrt()).collect();
    let largest = sizes.iter().copied().fold(0.0, f64::max);
    let mut rank = 0;
    loop {
        let size = |it: &Vec<f64>| dot(it, it).sqrt();
        columns.sort_by(|a, b| size(b).total_cmp(&size(a)));
        let Some(first) = columns.first().filter(|it| size(it) > 1e-9 * largest) else {
            return rank;
        };
        let unit: Vec<f64> = first.iter().map(|it| it / size(first)).collect();
        for column in &mut columns {
            let part = dot(column, &unit);
            column
                .iter_mut()
                .zip(&unit)
                .for_each(|(it, unit)| *it -= part * unit);
        }
        rank += 1;
    }
}

/// The force, the number of base parameters and their combinations, by floats. Returns that number.
fn check(text: &str) -> usize {
    let derived = derived(text);
    let inertial = &derived.system.inertial;
    let (p, b) = (inertial.names.len(), inertial.base.len());
    let [regressor, theta, matrix, needed] = [
        Quantity::Regressor,
        Quantity::InertialParameters,
        Quantity::BaseMatrix,
        Quantity::UnconstrainedInverseDynamics,
    ]
    .map(|it| program(&derived, it));
    let (theta, matrix) = (theta(0), matrix(0));
    let matrix: Vec<&[f64]> = matrix.chunks(p).collect();
    let base: Vec<f64> = matrix.iter().map(|row| dot(row, &theta)).collect();
    let mut all = Vec::new();
    let states = p / derived.system.velocities() + 3;
    for state in 0..states {
        let (y, needed) = (regressor(state), needed(state));
        let size: f64 = needed.iter().map(|it| it.abs()).sum::<f64>() + 1.0;
        let y: Vec<Vec<f64>> = y.chunks(p).map(<[f64]>::to_vec).collect();
        for (row, needed) in y.iter().zip(&needed) {
            let independent: Vec<f64> = inertial.base.iter().map(|&k| row[k]).collect();
            for found in [dot(row, &theta), dot(&independent, &base)] {
                let off = (found - needed).abs();
                assert!(off < 1e-12 * size, "{found} is not {needed}: {text}");
            }
            // Every column, not only those that this θ shows.
            for (k, (name, entry)) in inertial.names.iter().zip(row).enumerate() {
                let column: Vec<f64> = matrix.iter().map(|row| row[k]).collect();
                let off = (dot(&independent, &column) - entry).abs();
                assert!(off < 1e-11 * (1.0 + entry.abs()), "{name}: {text}");
            }
        }
        all.extend(y);
    }
    assert_eq!(rank(&all), b, "{text}");
    b
}

/// The base parameters of an arm whose first axis is vertical, the second across it: Gautier and Khalil, *Direct calculation of
/// minimum set of inertial parameters of serial robots* (1990), group m, m z and Iyy of each link with those before it. Of the
/// first link only Izz shows.
fn assert_grouped(text: &str, links: usize) {
    let derived = derived(text);
    let inertial = &derived.system.inertial;
    let found = inertial.base.iter().map(|&it| inertial.names[it].clone());
    let shown = ["mx", "my", "ixx", "ixy", "ixz", "iyz", "izz"];
    let others = (2..=links).flat_map(|k| shown.map(|it| format!("link_{k}.{it}")));
    let expected = ["link_1.izz".to_owned()].into_iter().chain(others);
    assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}

#[test]
fn base_parameters_of_the_puma_560_are_36() {
    assert_eq!(check(&puma()), 36);
    assert_grouped(&puma(), 6);
}

#[test]
fn base_parameters_of_the_franka_arm_are_43() {
    assert_eq!(check(&franka()), 43);
    assert_grouped(&franka(), 7);
}

const BODY: &str =
    "{ mass: 2, inertia: [[0.11, 0.01, 0.02], [0.01, 0.2, -0.03], [0.02, -0.03, 0.15]] }";

/// Bodies on the products of poses, with centres off their axes.
fn tree(parameters: &str, coordinates: &str, frames: &[(&str, &str)], rest: &str) -> String {
    let mut text = format!("#[regressor] struct Tree {{ {parameters} }} coordinate {coordinates};");
    for (name, frame) in frames {
        text.push_str(&format!(
            "let at_{name} = {frame}; body {name}: Rigid3 = at_{name} * pose([0.1, -0.05, 0.2]) {BODY}"
        ));
    }
    text + rest
}

#[test]
fn parallel_axes_hide_what_turns_out_of_their_plane() {
    // Of the first three links Izz, m x and m y, of the slider with the last hinge m and those of a link that turns.
    let scara = tree(
        "p_l: Real, p_k: Real",
        "a, b, z, c",
        &[
            ("one", "pose([0, 0, 0.3], [0, 0, 1], a)"),
            ("two", "at_one * pose([p_l, 0, 0], [0, 0, 1], b)"),
            ("quill", "at_two * pose([p_k, 0, z])"),
            ("tool", "at_quill * pose([0, 0, 0], [0, 0, 1], c)"),
        ],
        DOWN,
    );
    // One: Izz. Two: Izz, m x, m y. The quill: m, and its place counts with two. The tool: Izz, m x, m y.
    assert_eq!(check(&scara), 8);
}

/// Khalil and Dombre, *Modeling, Identification and Control of Robots*, section 9.4: of a first link with a vertical axis
/// only Izz shows; weight in the plane of motion shows m x and m y, too.
#[test]
fn two_links_in_the_plane_have_six_base_parameters_with_weight_and_four_without() {
    let arm = "#[regressor] struct Arm { p_l: Real } coordinate q[2]; let elbow = pose([0, 0], q[0]) * pose([p_l, 0.1]);
        body one: Rigid2 = pose([0, 0], q[0]) * pose([0.2, 0.1]) { mass: 2, inertia: 0.3 }
        body counterweight: Rigid2 = pose([0, 0], q[0]) * pose([-0.2, 0], 0.5) { mass: 1, inertia: 0.1 }
        body two: Rigid2 = elbow * pose([0, 0], q[1]) * pose([0.3, -0.1]) { mass: 3, inertia: 0.2 }";
    let names =
        ["one", "two"].map(|link| ["m", "mx", "my", "izz"].map(|it| format!("{link}.{it}")));
    assert_eq!(derived(arm).system.inertial.names, names.concat());
    assert_eq!(check(arm), 4);
    assert_eq!(check(&format!("{arm} gravity [1, -9];")), 6);
}

#[test]
fn base_parameters_of_trees_with_sliders_branches_and_oblique_axes() {
    let cases = [
        // A hinge and a slider along its axis.
        (
            "",
            "a, z",
            vec![
                ("one", "pose([0, 0, 0.3], [0, 0, 1], a)"),
                ("two", "at_one * pose([0.4, 0.1, z])"),
            ],
        ),
        // A slider along an oblique direction after a hinge, then a hinge.
        (
            "p_l: Real",
            "a, z, b",
            vec![
                ("one", "pose([0, 0, 0], [0, 1, 0], a)"),
                ("two", "at_one * pose([p_l, z, 2*z])"),
                ("three", "at_two * pose([0, p_l, 0], [1, 0, 0], b)"),
            ],
        ),
        // Branches, of which one has an oblique axis.
        (
            "p_l: Real, p_u: Vector3",
            "a, b, c",
            vec![
                ("trunk", "pose([0, 0, 0], [0, 0, 1], a)"),
                ("left", "at_trunk * pose([p_l, 0, 0], [1, 2, 2], b)"),
                (
                    "right",
                    "at_trunk * pose(p_u, [0, 1, 0], c) * pose([0, 0, p_l], [1, 0, 0], PI/3)",
                ),
            ],
        ),
        // A universal joint, between whose axes there is no body.
        (
            "p_l: Real",
            "a, b, c",
            vec![
                ("one", "pose([0, 0, 0], [0, 0, 1], a)"),
                (
                    "two",
                    "at_one * pose([p_l, 0, 0], [1, 0, 0], b) * pose([0, 0, 0], [0, 1, 0], c)",
                ),
            ],
        ),
        // Parallel axes out of the vertical.
        (
            "p_l: Real",
            "a, b, c",
            vec![
                ("one", "pose([0, 0, 0], [0, 1, 0], a)"),
                ("two", "at_one * pose([p_l, 0, 0.1], [0, 1, 0], b)"),
                ("three", "at_two * pose([p_l, 0, 0], [0, 1, 0], c)"),
            ],
        ),
        // An axis and an angle between axes as parameters.
        (
            "p_u: Vector3, p_angle: Real, p_l: Real",
            "a, b",
            vec![
                ("one", "pose([0, 0, 0], p_u, a)"),
                (
                    "two",
                    "at_one * pose([p_l, 0, 0], [1, 0, 0], p_angle) * pose([0, 0, 0.1], [0, 0, 1], b)",
                ),
            ],
        ),
        // A place on a curve.
        (
            "",
            "s, a",
            vec![
                ("car", "pose([s, s^2, 0], [0, 0, 1], s)"),
                ("bob", "at_car * pose([0, 0, 0.2], [1, 0, 0], a)"),
            ],
        ),
    ];
    for (parameters, coordinates, frames) in cases {
        for gravity in [DOWN, ""] {
            check(&tree(parameters, coordinates, &frames, gravity));
        }
    }
}
