//! Derivatives: all that are generated are certified, and each fault of them is found.

use constraint_symbolic::function::Trait;

use super::grammar::{self, Random, graphs};
use super::{CONSTRAINTS, GROWING, Listed, SYSTEMS, cases, mutants};

/// What is judged by other functions, those that are certified first.
pub const IN_TURN: [&str; 16] = [
    "correction",
    "projected_motion",
    "free_acceleration",
    "mass_times",
    "linearize",
    "linearize_with_multipliers",
    "linearize_with_outputs",
    "jvp",
    "vjp",
    "outputs_jvp",
    "outputs_vjp",
    "place_correction_vjp",
    "velocity_correction_vjp",
    "descriptor",
    "own_slope",
    "row_sizes",
];

const CURVES: [&str; 3] = [
    "#[derivatives] struct Bowl { a: Real } |s in -1..=1| [s, a*s^2]",
    "#[derivatives] struct Helix { r: Real, h: Real } |s in 0..=9| [r*cos(s), r*sin(s), h*s^3]",
    "#[derivatives] struct Bent { l: Real } |s in 0..=9| if s < l { [s, s^2] } else { [s, 2*l*s - l^2] }",
];

fn varied(text: &str) -> String {
    format!("#[derivatives] {text}")
}

fn system(text: &str) -> Listed {
    let tokens = text.parse().expect("tokens");
    Listed::system(tokens).unwrap_or_else(|| panic!("a valid system: {text}"))
}

/// The functions that are listed but not certified.
fn left(listed: &Listed, text: &str) -> Vec<&'static str> {
    let certificate = listed.certificate();
    let certificate = certificate.unwrap_or_else(|it| panic!("{it:?}: {text}"));
    let names = listed.functions.iter().map(|it| it.signature.name);
    names
        .filter(|it| !certificate.functions.contains(it))
        .collect()
}

/// Where the text has (w²)ᵉ, programs have |w|²ᵉ, also next to other powers of both.
#[test]
fn powers_of_squares_are_certified() {
    for potential in [
        "(x^2)^0.75",
        "(x*x)^(1/3)",
        "powf((x + 1)^2, 0.3)",
        "powf(x^2 + 2*x + 1, 0.3) + (x + 1)^2",
        "(x^2)^0.75*abs(x)",
        "abs(x) + (x^2)^0.3",
        "(4*x^2)^0.75 + (x^4)^0.3 + (x^2*y^2)^0.3",
        "((x - y)^2)^0.8*signum(x - y)",
        "(x^2)^1.25 + (x^2)^0.25",
        "((x - y)*(x - y))^0.3 + (x^2 - 2*x*y + y^2)^0.3",
        "(x^2 - 2*x*y + y^2)^0.3 + ((x - y)*(x - y))^0.3",
        "if x > 0 { (x^2)^0.7 } else { (x^2)^0.8 }",
        "(cos(x)^2)^0.7*y",
        "powf(x^2, 2*y)*powf(abs(x), 4*y)",
        "powf(1 + x^2, 0.3) + powf(abs(y), 0.6) + powf(y^2, 1.3)",
        "(x^2)^(1/7) + sqrt(x^2) + sqrt(abs(x))",
    ] {
        let text = format!(
            "#[derivatives] struct S; coordinate x, y; kinetic velocity(x)^2 + velocity(y)^2; potential {potential};"
        );
        assert_eq!(left(&system(&text), &text), ["row_sizes"; 0], "{text}");
    }
}

/// Of the motion, of outputs, of corrections, and descriptor pairs; corrections themselves too.
#[test]
fn all_derivatives_of_systems_are_certified() {
    for text in SYSTEMS.map(varied) {
        let left = left(&system(&text), &text);
        assert!(
            ["row_sizes", "own_slope"].ends_with(&left) || left == ["row_sizes"],
            "{left:?}: {text}"
        );
    }
}

#[test]
fn all_derivatives_of_constraints_and_curves_are_certified() {
    let constraints = CONSTRAINTS.into_iter().chain(GROWING);
    let constraints = constraints.filter(|it| it.contains("struct"));
    for text in constraints.map(varied) {
        let listed = Listed::new(&text).expect("a valid constraint");
        assert_eq!(left(&listed, &text), [""; 0], "{text}");
    }
    for text in CURVES {
        let listed = Listed::curve(text.parse().expect("tokens")).expect("a valid curve");
        let left = left(&listed, text);
        assert!(left.iter().all(|it| *it == "piece"), "{left:?}: {text}");
    }
}

/// Points that rods hold: rows and columns of a net, a ladder, a tree or a ring, in loops.
fn held(points: &str, rods: &str) -> String {
    format!(
        "#[derivatives] #[solver(rolled)] struct Held {{ m: Real = 1.3, l: Real = 0.9 }}
         particle {points}: Point2 {{ mass: m }} {rods}"
    )
}

fn net(rows: usize, columns: usize) -> String {
    held(
        &format!("k[i in 0..{rows}][j in 0..{columns}]"),
        &format!(
            "for i in 0..{rows} {{ for j in 1..{columns} {{
                constraint x[i][j - 1]: norm(k[i][j] - k[i][j - 1]) == l;
             }} }}
             for i in 1..{rows} {{ for j in 0..{columns} {{
                constraint y[i - 1][j]: norm(k[i][j] - k[i - 1][j]) == l;
             }} }}"
        ),
    )
}

#[test]
fn derivatives_of_nets_in_loops_are_certified() {
    // The last is solved in panels.
    for (rows, columns) in [(2, 3), (2, 5), (3, 3), (4, 3), (5, 4)] {
        let text = net(rows, columns);
        assert_eq!(left(&system(&text), &text), ["row_sizes"], "{text}");
    }
}

/// What no loop writes of a result is zero, also where λ is an argument of other functions.
#[test]
fn points_that_no_rod_holds_are_certified() {
    let text = held("k[4]", "constraint rod: norm(k[3] - k[1]) == l;");
    assert_eq!(left(&system(&text), &text), ["row_sizes"], "{text}");
}

/// Nets, rings, ladders, trees and what joins them, in loops or written out: 10,000 with `CONSTRAINT_CASES=10000`.
#[test]
fn derivatives_of_random_points_on_rods_are_certified() {
    let mut random = Random(34);
    let (mut valid, all) = (0, cases(12));
    for case in 0..all {
        let solver = ["rolled", "unrolled"][usize::from(case % 4 == 3)];
        let points = if solver == "rolled" { 16 } else { 4 };
        let text = graphs::system(&mut |most| random.below(most), points);
        let text = format!("#[derivatives] #[solver({solver})] {text}");
        // Of some one rod follows from the others.
        if let Some(listed) = Listed::of("system", &text) {
            assert_eq!(left(&listed, &text), ["row_sizes"], "{text}");
            valid += 1;
        }
    }
    assert!(2 * valid > all, "{valid} of {all}");
}

/// 10,000 random inputs with `CONSTRAINT_CASES=10000`.
#[test]
fn no_derivative_of_random_inputs_is_refuted() {
    let (mut certified, mut valid) = (0, 0);
    for case in 0..cases(60) {
        let (name, text) = grammar::input(case as u64);
        let begins = ["struct", "pub ", "#"]
            .iter()
            .any(|it| text.trim_start().starts_with(it));
        let Some(listed) = begins.then(|| Listed::of(name, &varied(&text))).flatten() else {
            continue;
        };
        let varied = listed
            .functions
            .iter()
            .filter(|it| it.of_trait == Trait::Derivatives);
        let mut varied = varied.map(|it| it.signature.name).peekable();
        valid += usize::from(varied.peek().is_some());
        let certificate = listed.certificate();
        let certificate = certificate.unwrap_or_else(|it| panic!("{it:?}: {text}"));
        certified += usize::from(varied.any(|it| certificate.functions.contains(&it)));
    }
    println!("of {valid} with derivatives {certified} are certified");
}

/// Those of all systems above, all of them, with `CONSTRAINT_CASES=1000000`.
#[test]
fn mutants_of_derivatives_that_change_a_value_are_found() {
    let all = cases(0) > 0;
    let few = ["struct Double", "struct Cart", "struct Swings"];
    let own = SYSTEMS.map(varied).into_iter();
    let own = own.filter(|text| all || few.iter().any(|it| text.contains(it)));
    for text in own.chain([net(2, 3)]) {
        let in_turn = |name: &str| IN_TURN.contains(&name);
        let (found, equal) = mutants::examine_among(&mut system(&text), cases(2), in_turn);
        println!("{found} mutants found, {equal} change no value: {text}");
    }
}

#[test]
fn mutants_of_derivatives_of_forces_and_along_curves_are_found() {
    let constraints = ["struct Circle", "struct Hoop", "struct Rod"];
    let own = CONSTRAINTS.map(varied).into_iter();
    let own = own.filter(|text| constraints.iter().any(|it| text.contains(it)));
    let own = own.map(|text| Listed::new(&text).expect("a valid constraint"));
    let smooth = CURVES.into_iter().filter(|it| !it.contains("if"));
    let curves = smooth.map(|text| Listed::curve(text.parse().expect("tokens")));
    let curves = curves.map(|it| it.expect("a valid curve"));
    for mut listed in own.chain(curves) {
        let in_turn = |name: &str| IN_TURN.contains(&name);
        let (found, equal) = mutants::examine_among(&mut listed, cases(4), in_turn);
        assert!(found > 0);
        println!("{found} mutants found, {equal} change no value");
    }
}

/// Nor is anything else than what is due certified with it.
#[test]
fn functions_with_too_many_or_too_few_outputs_are_refused() {
    for text in CURVES {
        let curve = Listed::curve(text.parse().expect("tokens"));
        mutants::of_other_lengths(&mut curve.expect("a valid curve"));
    }
    let constraints = CONSTRAINTS.into_iter().filter(|it| it.contains("struct"));
    for text in constraints.map(varied) {
        let mut listed = Listed::new(&text).expect("a valid constraint");
        mutants::of_other_lengths(&mut listed);
    }
    for text in SYSTEMS.map(varied) {
        if text.contains("struct Cart") || text.contains("struct Double") {
            mutants::of_other_lengths(&mut system(&text));
        }
    }
}

/// As when two steps were once taken for the same that differ: a round of one runs the kernel of the other.
#[test]
fn derivatives_in_loops_whose_steps_are_exchanged_are_found() {
    for text in [net(2, 3), net(3, 3), net(5, 4)] {
        let (found, equal) = mutants::exchange_steps(&mut system(&text), cases(6), |name| {
            let columns = name.starts_with("linearize");
            columns || matches!(name, "jvp" | "vjp" | "place_correction_vjp" | "descriptor")
        });
        assert!(found > 0);
        println!("{found} mutants found, {equal} change no value: {text}");
    }
}
