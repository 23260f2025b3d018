//! Comments that say which line of the derivation begins.

use constraint_symbolic::compile::{self, analyze_system};
use constraint_symbolic::export::{Target, export};
use constraint_symbolic::function::{Body, headings, system};
use constraint_symbolic::schedule::{Program, Statement};

use super::temporaries::{RODS, tokens};

/// What stands below which heading in the acceleration of two rods.
const LINES: [(&str, &str); 4] = [
    (
        "J M⁻¹ Jᵀ: entries and pivots",
        "pivot_0 upper_to_lower_x upper_to_lower_y second_length_squared delassus_1_1 minus_delassus_1_0 determinant",
    ),
    (
        "Right-hand sides",
        "first_rate right_0 v_upper_to_lower_x v_upper_to_lower_y second_rate second_bias",
    ),
    (
        "Solve",
        "inv_determinant lambda_per_mass_1 lambda_per_mass_0",
    ),
    ("v̇", "pull_lower_x pull_lower_y"),
];

const KINDS: [&str; 6] = [
    RODS,
    "struct S { m: Real }
     particle bead[9]: Point2 { mass: m }
     constraint hook: norm(bead[0]) == 1;
     for i in 1..9 { constraint link[i]: norm(bead[i] - bead[i - 1]) == 1; }
     gravity [0, -10];",
    "struct S { m: Real, l: Real, g: Real }
     coordinate a, b;
     particle upper = [l*sin(a), -l*cos(a)] { mass: m }
     particle lower = upper + [l*sin(b), -l*cos(b)] { mass: m }
     gravity [0, -g];",
    "struct S { m: Real, r: Real, l: Real }
     coordinate angle, x;
     particle pin = [r*cos(angle), r*sin(angle)] { mass: m }
     particle block = [x, 0] { mass: 3*m }
     constraint rod: norm(block - pin) == l;
     gravity [0, -9.81];",
    "struct S { m: Real, l: Real }
     coordinate a, b, c;
     particle one = [l*sin(a), -l*cos(a)] { mass: m }
     particle two = one + [l*sin(b), -l*cos(b)] { mass: m }
     particle three = two + [l*sin(c), -l*cos(c)] { mass: m }
     constraint closed: three.x == 2*l;
     gravity [0, -9.81];",
    "struct S { m: Real, l: Real }
     body link: Rigid3 { mass: m, inertia: [3, 2, 1] }
     constraint held: at(link, [0, 0, l]) == [0, 0, 0];
     gravity [0, 0, -9.81];",
];

/// Headings and the names below them, of comments and bindings in a text.
fn sections(text: &str) -> Vec<(String, String)> {
    let mut sections: Vec<(String, Vec<&str>)> = Vec::new();
    for line in text.lines().map(str::trim) {
        let bound = line
            .strip_prefix("let ")
            .or_else(|| line.strip_prefix("const "));
        let bound = bound.map(|it| it.strip_prefix("double ").unwrap_or(it));
        if let Some(heading) = line.strip_prefix("// ") {
            sections.push((heading.to_owned(), Vec::new()));
        } else if let (Some((name, _)), Some(last)) =
            (bound.and_then(|it| it.split_once(' ')), sections.last_mut())
        {
            last.1.push(name);
        }
    }
    let sections = sections.into_iter();
    sections
        .map(|(heading, names)| (heading, names.join(" ")))
        .collect()
}

/// A function of a text, from its name on.
fn function<'t>(text: &'t str, name: &str, end: &str) -> &'t str {
    let start = text.find(name).expect("the function");
    let length = text[start..].find(end).expect("its end");
    &text[start..start + length]
}

#[test]
fn exports_say_which_line_begins() {
    let expected = LINES.map(|(heading, names)| (heading.to_owned(), names.to_owned()));
    let call = format!("system! {{ {RODS} }}");
    let c = export(tokens(&call), Target::C).expect("C");
    let c = function(&c, "rods_acceleration(", "\n}");
    // Guards are left out there.
    assert_eq!(sections(c), expected, "{c}");
}

#[test]
fn what_rustc_reads_has_no_headings() {
    let written = compile::system(tokens(RODS)).to_string();
    assert!(!written.contains("heading"), "{written}");
}

/// Each heading once, and nothing below one that belongs to another.
#[test]
fn values_stand_below_the_heading_of_their_line() {
    let mut headed = 0;
    for text in KINDS {
        let derived = analyze_system(tokens(text)).expect("a system");
        let names = system::names(&derived.system);
        let mut functions = system::functions(&derived, &names);
        headings::head(&mut functions, derived.rows());
        for function in &functions {
            let Body::Straight(program) = &function.body else {
                continue;
            };
            headed += usize::from(!program.headings.is_empty());
            check(program, function.symbol);
        }
    }
    assert!(headed >= 20, "{headed}");
}

fn check(program: &Program, result: &str) {
    let texts = program.headings.iter().map(|it| &it.text[..]);
    let texts: Vec<&str> = texts.collect();
    let mut distinct = texts.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), texts.len(), "{texts:?}");
    for (number, statement) in program.statements.iter().enumerate() {
        let heading = program.headings.iter().rfind(|it| it.before <= number);
        let (Some(heading), Statement::Let { name, .. }) = (heading, statement) else {
            continue;
        };
        let begins = |words: &[&str]| words.iter().any(|word| name.starts_with(word));
        let allowed: &[&str] = if begins(&["delassus", "minus_delassus", "pivot", "determinant"]) {
            &["J M⁻¹ Jᵀ"]
        } else if begins(&["mass", "minus_mass"]) {
            &["M: ", "M and h", "M, h"]
        } else if begins(&["h_", "minus_h_"]) {
            &["h", "M and h", "M, h"]
        } else if begins(&["right", "minus_right"]) || name.ends_with("_bias") {
            &["ight-hand side"]
        } else if begins(&["lambda", "unknown"]) {
            &["Solve", "solution"]
        } else if begins(&["pull", "force", "v_dot"]) {
            &[result]
        } else {
            continue;
        };
        let fits = allowed.iter().any(|part| heading.text.contains(part));
        assert!(fits, "{name} below {}", heading.text);
    }
}
