//! Help that is obeyed: the program compiles, or reports another mistake whose help does not lead back.
//!
//! Help that is one replacement, as "write `==`" or "did you mean `length`?", is obeyed for every mistake of every file.
//! [`BY_HAND`] obeys the others, one replacement of text after the other, until the file compiles.

use std::collections::BTreeSet;

use constraint_symbolic::call::calls;
use constraint_symbolic::diagnostic::Diagnostic;

use crate::{ONLY_UNDER_RUSTC, files};

/// Of each file the replacements that its help describes, in order.
const BY_HAND: &[(&str, &[[&str; 2]])] = &[
    (
        "system/chained_relation_of_one_side",
        &[
            [
                "constraint c: 0 <= p.x <= 1;",
                "constraint low: 0 <= p.x; constraint high: p.x <= 1;",
            ],
            ["0 == p.x == p.y", "[0 == p.x, p.x == p.y]"],
            ["0 < p.x < 1", "0 < p.x && p.x < 1"],
        ],
    ),
    (
        "system/condition_as_constraint",
        &[
            [
                "constraint c: p.x >= 0 && p.x <= 1;",
                "constraint low: p.x >= 0; constraint high: p.x <= 1;",
            ],
            ["p.x == 0 && p.y == 1", "[p.x == 0, p.y == 1]"],
            ["p.x == 0 || p.y == 1", "(p.x - 0)*(p.y - 1) == 0"],
            ["p.x >= 0 || p.y >= 0", "max(p.x - 0, p.y - 0) >= 0"],
            ["!(p.x == 1)", "p.x == 1"],
            ["!(p.x < 1)", "p.x >= 1"],
        ],
    ),
    ("system/not_equal_row", &[["p.x != 1", "p.x >= 1"]]),
    (
        "system/side_among_rows",
        &[
            [
                "constraint c: [p.x >= 0, p.x <= 1];",
                "constraint low: p.x >= 0; constraint high: p.x <= 1;",
            ],
            [
                "constraint c: { let d = norm(p); d <= 1 };",
                "let d = norm(p); constraint c: d <= 1;",
            ],
        ],
    ),
    (
        "system/constraint_is_an_inequality",
        &[
            ["p.y > 0", "p.y >= 0"],
            [
                "constraint d: [p.x >= 0, p.y];",
                "constraint d: p.x >= 0; constraint e: p.y == 0;",
            ],
        ],
    ),
    (
        "system/decimal_comma",
        &[
            ["0,5*p.y", "0.5*p.y"],
            ["0,5, p.y", "0.5, p.y"],
            ["0,5*t", "0.5*t"],
            ["(0,5)", "(0.5)"],
            ["0,5, k", "0.5, k"],
            ["1,25", "1.25"],
            ["p.x == 0, 2*p.y == 1;", "[p.x == 0, 2*p.y == 1];"],
        ],
    ),
    ("syntax/decimal_comma", &[["0,5", "0.5"]]),
    ("curve/decimal_comma", &[["1,5", "1.5"]]),
    (
        "syntax/chained_sides",
        &[["0 <= x <= y", "[0 <= x, x <= y]"]],
    ),
    (
        "syntax/chained_relation",
        &[["x == y == 1", "[x == y, y == 1]"]],
    ),
    (
        "syntax/chained_comparison",
        &[["0 < x < 1", "0 < x && x < 1"]],
    ),
    (
        "system/statement_by_another_word",
        &[
            ["spring p: 3;", "potential 3/2*(norm(p) - 1)^2;"],
            ["damper p: 3;", "dissipation 3/2*velocity(p.x)^2;"],
            [
                "friction p: 3;",
                "constraint floor: p.y >= 0 { friction: 3, slip: velocity(p).x };",
            ],
            ["floor p: 0;", "constraint floor: p.y >= 0;"],
            [
                "hinge p;",
                "body a: Rigid3 { mass: 1, inertia: [1, 1, 1] } joint knee: Hinge { a: a, r1: [0, 0, 0], r2: [0, 0, 0], axis: [0, 0, 1] }",
            ],
        ],
    ),
    (
        "system/declared_later",
        &[
            [
                "force p: [0, -m];\n    particle p: Point2 { mass: m }",
                "particle p: Point2 { mass: m } force p: [0, -m];",
            ],
            ["let a = 2*b;\n    let b = m;", "let b = m; let a = 2*b;"],
            [
                "particle p = [x, 0] { mass: m }\n    coordinate x;",
                "coordinate x; particle p = [x, 0] { mass: m }",
            ],
        ],
    ),
    (
        "system/joint_with_limits",
        &[
            [
                ", limits: [0, 1] }",
                " } let u = dir(a, [1, 0]); constraint low: u.y >= sin(0); constraint high: u.y <= sin(1);",
            ],
            [
                ", damping: 1 }",
                " } dissipation 1/2*angular_velocity(a)^2;",
            ],
        ],
    ),
    (
        "system/restitution_above_one",
        &[["restitution: 2", "restitution: 1"], ["1.25", "0.25"]],
    ),
    (
        "system/the_time_as_a_name",
        &[["t: Real", "period: Real"], ["input t;", "input u;"]],
    ),
    ("system/array_as_mass", &[["mass: m }", "mass: m[0] }"]]),
    (
        "system/array_as_target",
        &[["force bead: [0, -1];", "force bead[0]: [0, -1];"]],
    ),
    ("system/array_index_out_of_range", &[["m[4]", "m[3]"]]),
    ("system/array_length_unknown", &[["[Real; N]", "[Real; 8]"]]),
    ("system/array_of_no_elements", &[["[Real; 0]", "[Real; 8]"]]),
    (
        "system/body_in_for",
        &[["body wheel: Rigid2", "body wheel[i]: Rigid2"]],
    ),
    (
        "system/body_without_inertia",
        &[["{ mass: 1 }", "{ mass: 1, inertia: 1 }"]],
    ),
    (
        "system/body_pinned_twice",
        &[["struct ", "#[redundant(least_squares)] struct "]],
    ),
    (
        "system/dependent_rows",
        &[["struct ", "#[redundant(least_squares)] struct "]],
    ),
    (
        "system/constraint_rows_dependent",
        &[["struct ", "#[redundant(least_squares)] struct "]],
    ),
    (
        "system/default_of_a_parameter",
        &[["g: Real = m", "g: Real = 9.81"]],
    ),
    (
        "system/for_without_range",
        &[["for i in 3 {", "for i in 0..3 {"]],
    ),
    (
        "system/force_is_a_number",
        &[["force p: -1;", "force p: [0, -1];"]],
    ),
    ("system/force_of_wrong_size", &[["[0, 0, -1]", "[0, -1]"]]),
    (
        "system/gravity_of_wrong_size",
        &[["gravity [0, -1]", "gravity [0, 0, -1]"]],
    ),
    ("system/gravity_twice", &[["gravity [0, -2];", ""]]),
    (
        "system/index_out_of_range",
        &[["bead[3]) ==", "bead[2]) =="]],
    ),
    ("system/input_with_value", &[["input u = 3;", "input u;"]]),
    (
        "system/input_in_for",
        &[["for i in 0..3 { input u; }", "input u;"]],
    ),
    (
        "system/kinetic_not_quadratic",
        &[["velocity(x)^3", "velocity(x)^2"]],
    ),
    ("system/mass_zero", &[["mass: 0", "mass: 1"]]),
    (
        "system/nonholonomic_not_affine",
        &[["norm(velocity(p)) == 1", "velocity(p).x == 1"]],
    ),
    ("system/option_unknown", &[["fast", "unrolled"]]),
    (
        "system/particle_in_for",
        &[["particle p:", "particle p[i]:"]],
    ),
    (
        "system/pose_without_axis",
        &[["pose([0, 0, 0], q)", "pose([0, 0, 0], [0, 0, 1], q)"]],
    ),
    (
        "system/potential_is_a_vector",
        &[["potential p;", "potential p.x;"]],
    ),
    (
        "system/torque_of_wrong_size",
        &[["torque wheel: 1;", "torque wheel: [0, 0, 1];"]],
    ),
    (
        "system/constraint_with_input",
        &[[
            "input u;",
            "input push; coordinate u; kinetic velocity(u)^2/2; force u: push;",
        ]],
    ),
    (
        "system/potential_with_input",
        &[["potential u*p.y;", "force p: [0, -u];"]],
    ),
    (
        "system/one_sided_rows",
        &[
            [
                "constraint wall: -2*exp(foot.y)*min(foot.x, 0) == 0;",
                "constraint wall: foot.x >= 0;",
            ],
            [
                "constraint step: if foot.x > 1 { foot.y - foot.x } else { 0 };",
                "constraint step: foot.y >= foot.x;",
            ],
        ],
    ),
    (
        "system/distance_equals_zero",
        &[["norm_squared(at(b, [l, 0]) - p) == 0", "at(b, [l, 0]) == p"]],
    ),
    ("system/rolled_least_squares", &[["#[solver(rolled)]", ""]]),
    (
        "system/statement_unknown",
        &[["spring p: 3;", "potential 3/2*(norm(p) - 1)^2;"]],
    ),
    (
        "system/output_multiplier_of_many",
        &[[
            "output pull = multiplier(level);",
            "output load[k in 0..4] = multiplier(level[k]);",
        ]],
    ),
    (
        "system/spin_squared",
        &[[
            "angular_velocity(wheel)^2",
            "norm_squared(angular_velocity(wheel))",
        ]],
    ),
    (
        "system/unknown_target",
        &[["force q: [0, -1];", "force p: [0, -1];"]],
    ),
    (
        "syntax/if_without_else",
        &[["if x > 0 { y }", "if x > 0 { y } else { x }"]],
    ),
    (
        "syntax/if_without_braces",
        &[["if x > 0 y else x", "if x > 0 { y } else { x }"]],
    ),
    ("syntax/let_with_type", &[["let d: f64 = x", "let d = x"]]),
    ("syntax/cast", &[["x as f64", "x"]]),
    ("syntax/not_equal", &[["x != 0", "!(x == 0)"]]),
    ("curve/domain_reversed", &[["2..=-1", "-1..=2"]]),
    ("curve/points_are_numbers", &[["| s^2", "| [s, s^2]"]]),
    ("curve/cusp", &[["-1..=1", "-1..=-1/2"]]),
    ("curve/pieces_that_jump", &[["[s, s^2]", "[s, s - 1]"]]),
];

#[test]
fn help_obeyed_by_hand_compiles() {
    let wrong: Vec<String> = BY_HAND
        .iter()
        .filter_map(|(case, it)| obeyed(case, it).err())
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Makes the replacements; each takes a mistake away, and none is left.
fn obeyed(case: &str, replacements: &[[&str; 2]]) -> Result<(), String> {
    let mut source = std::fs::read_to_string(format!("{case}.rs")).expect(case);
    for [old, new] in replacements {
        let before = messages(&source);
        if !source.contains(old) {
            return Err(format!("{case} has no `{old}`"));
        }
        source = source.replacen(old, new, 1);
        let after = messages(&source);
        if after.len() >= before.len() {
            return Err(format!("{case}, `{new}`: {}", shown(&after)));
        }
    }
    match &messages(&source)[..] {
        [] => Ok(()),
        left => Err(format!("{case}: {}", shown(left))),
    }
}

/// The most replacements after each other.
const ROUNDS: usize = 16;

#[test]
fn help_that_is_a_replacement_never_leads_back() {
    let (mut obeyed, mut circles) = (0, Vec::new());
    for path in files("rs") {
        let case = path.with_extension("");
        if ONLY_UNDER_RUSTC.iter().any(|it| case.ends_with(it)) {
            continue;
        }
        let mut source = std::fs::read_to_string(&path).expect("text");
        if source.len() > LONGEST {
            continue;
        }
        let mut seen = BTreeSet::new();
        for _ in 0..ROUNDS {
            let found = messages(&source);
            let Some((range, new)) = found.iter().find_map(replacement) else {
                break;
            };
            if !seen.insert(source.clone()) {
                circles.push(format!("{}\n{source}", case.display()));
                break;
            }
            obeyed += 1;
            source.replace_range(range, &new);
        }
    }
    assert!(circles.is_empty(), "in circles: {}", circles.join("\n"));
    assert!(obeyed > 150, "{obeyed}");
}

/// Longer files are about sizes, and take seconds.
const LONGEST: usize = 2_000;

/// The replacement of a mistake's range by which its help is obeyed, if it is one; texts with letters for the user's values
/// are none.
fn replacement(mistake: &Diagnostic) -> Option<(core::ops::Range<usize>, String)> {
    let help = mistake.help.as_deref()?;
    let start = mistake.range.start.byte_range().start;
    let end = mistake.range.end.byte_range().end;
    let quoted = |text: &'static str, end: &str| {
        let inside = help.strip_prefix(text)?.strip_suffix(end)?;
        (!inside.contains(['`', '…'])).then(|| inside.to_owned())
    };
    let new = match help {
        "remove it" => String::new(),
        _ => quoted("did you mean `", "`?").or_else(|| quoted("write `", "`"))?,
    };
    (end > start).then_some((start..end, new))
}

fn messages(source: &str) -> Vec<Diagnostic> {
    let Ok(tokens) = source.parse() else {
        return Vec::new();
    };
    let mistakes = calls(tokens)
        .into_iter()
        .filter_map(|call| call.derive().err());
    mistakes
        .flat_map(|it| it.iter().cloned().collect::<Vec<_>>())
        .collect()
}

fn shown(messages: &[Diagnostic]) -> String {
    messages.iter().map(|it| it.text() + "\n").collect()
}
