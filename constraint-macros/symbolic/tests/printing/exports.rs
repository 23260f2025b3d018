//! The functions that each language exports: `languages.md` lists those of every kind of call, and those omitted.

use std::collections::{BTreeMap, BTreeSet};

use constraint_symbolic::export::{Refused, Target, export};
use constraint_symbolic::function::{constraint, curve, system};

const LANGUAGES: [(&str, Target); 5] = [
    ("C", Target::C),
    ("CUDA C", Target::Cuda),
    ("WGSL", Target::Wgsl),
    ("JavaScript", Target::JavaScript),
    ("Python", Target::Python),
];

/// A call of every kind, each with all that it can declare.
const KINDS: [(&str, &str); 12] = [
    (
        "`constraint!` on points",
        "constraint! { #[derivatives] struct S { l: Real } |a: Point2, b: Point2| norm(a - b) == l }",
    ),
    (
        "`constraint!` between bodies",
        "constraint! { struct S { l: Real } |a: Rigid3, b: Rigid3| norm(a.at([0, 0, l]) - b.at([l, 0, 0])) == l }",
    ),
    (
        "`curve!`",
        "curve! { #[derivatives] struct S { a: Real } |s in -1..=2| if s < 0 { [s, 0] } else { [s, a*s^3] } }",
    ),
    (
        "`system!` by coordinates",
        "system! {
            #[derivatives]
            #[task_space]
            struct S { m: Real = 1 }
            input push;
            coordinate x, angle;
            particle bob = [x + sin(angle), -cos(angle)] { mass: m }
            kinetic velocity(x)^2;
            force x: push;
            output height = bob.y;
        }",
    ),
    (
        "`system!` of points with rows",
        "system! {
            #[derivatives]
            struct S { m: Real = 1, l: Real = 2 }
            particle a: Point2 { mass: m }
            particle b: Point2 { mass: m }
            constraint first: norm(a) == l;
            constraint second: norm(b - a) == l;
            force b: [0, -m];
            output pull = multiplier(first);
        }",
    ),
    (
        "`system!` with rows of one side",
        "system! {
            #[derivatives]
            struct S { m: Real = 1, l: Real = 2 }
            particle a: Point2 { mass: m }
            constraint rod: norm(a) == l;
            constraint floor: a.y >= 0 { restitution: 1/2, friction: 1, slip: velocity(a).x };
        }",
    ),
    (
        "`system!` of bodies",
        "system! {
            #[derivatives]
            #[solver(unrolled)]
            struct S { m: Real = 1, l: Real = 2 }
            body link: Rigid3 { mass: m, inertia: [3, 2, 1] }
            constraint held: at(link, [0, 0, l]) == [0, 0, 0];
            force link: [0, 0, -m];
            output tip = at(link, [0, 0, -l]);
        }",
    ),
    (
        "`system!` of points in loops",
        "system! {
            #[derivatives]
            #[solver(rolled)]
            struct S { m: Real = 1, l: Real = 0.5 }
            particle bead[8]: Point2 { mass: m }
            constraint anchor: norm(bead[0]) == l;
            for i in 1..8 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
            for i in 0..8 { force bead[i]: [0, -m]; }
            output pull = multiplier(anchor);
        }",
    ),
    (
        "`system!` of bodies in loops",
        "system! {
            #[derivatives]
            #[solver(rolled)]
            struct S { m: Real = 1, l: Real = 0.5 }
            body link[4]: Rigid3 { mass: m, inertia: [3, 2, 1] }
            constraint anchor: at(link[0], [0, 0, l]) == [0, 0, 0];
            for i in 1..4 { constraint ball[i]: at(link[i], [0, 0, l]) == at(link[i-1], [0, 0, -l]); }
            for i in 0..4 { force link[i]: [0, 0, -m]; }
            output pull = multiplier(anchor);
        }",
    ),
    (
        "`system!` in blocks of four rows",
        "system! {
            #[solver(rolled)]
            struct S { m: Real = 1, l: Real = 0.5 }
            for i in 0..4 { for j in 0..4 { particle bead[i][j]: Point2 { mass: m } } }
            for i in 0..4 { for j in 0..3 { constraint across[i][j]: norm(bead[i][j + 1] - bead[i][j]) == l; } }
            for i in 0..3 { for j in 0..4 { constraint down[i][j]: norm(bead[i + 1][j] - bead[i][j]) == l; } }
            for i in 0..4 { for j in 0..4 { force bead[i][j]: [0, -m]; } }
        }",
    ),
    (
        "`system!` with rows that may follow from each other",
        "system! {
            #[redundant(least_squares)]
            #[derivatives]
            struct S { m: Real = 1 }
            particle p: Point3 { mass: m }
            constraint one: p.x == 0;
            constraint two: 2*p.x == 0;
        }",
    ),
    (
        "`system!` of posed bodies",
        "system! {
            #[regressor]
            struct S { m: Real = 1 }
            coordinate q;
            body arm: Rigid2 = pose([0, 0], q) * pose([1, 0]) { mass: m, inertia: 2*m }
            gravity [0, -10];
        }",
    ),
];

#[test]
fn exported_regressors_list_their_parameters() {
    let (_, call) = KINDS[KINDS.len() - 1];
    for (language, target) in LANGUAGES {
        let text = export(call.parse().expect("tokens"), target);
        let text = text.unwrap_or_else(|it| panic!("{language}: {it}"));
        let listed = "arm.m, arm.mx, arm.my, arm.izz";
        assert_eq!(text.matches(listed).count(), 2, "{language}: {text}");
        let base = "by their columns of the regressor:";
        let (_, rest) = text.split_once(base).expect("the base parameters");
        let line = rest.lines().nth(1).expect("a line");
        assert!(
            line.contains(" arm.mx, arm.my, arm.izz"),
            "{language}: {line}"
        );
    }
}

/// In every language, and of every macro: cos(m π/12) is written as the same number in closed form is.
#[test]
fn exact_turns_are_the_same_numbers_in_every_language() {
    let sines = [
        "0",
        "(sqrt(6) - sqrt(2))/4",
        "1/2",
        "sqrt(2)/2",
        "sqrt(3)/2",
        "(sqrt(6) + sqrt(2))/4",
        "1",
    ];
    let calls = [
        "constraint! { struct S { l: Real } |p: Point2| l*p.x^3*NUMBER + p.y^5 == 1 }",
        "curve! { struct S { a: Real } |s in -1..=2| [s, a*s^3*NUMBER] }",
        "system! {
            struct S { m: Real = 1 }
            coordinate x;
            body b: Rigid3 = pose([0, 0, m*x^3], [0, 0, 1], x + NUMBER) * pose([1, 2, 0])
                { mass: m, inertia: [1, 2, 3] }
            potential (2 + NUMBER)*x^4;
        }",
    ];
    // All sizes, both signs, and every call with every language; `tests/language/constants.rs` has all angles.
    for (language, target) in LANGUAGES {
        for (m, call) in [1, 2, 15, 4, 5, 18].into_iter().zip(calls.iter().cycle()) {
            let size = sines[(m % 12_usize).min(12 - m % 12)];
            let closed = if m < 12 {
                format!("({size})")
            } else {
                format!("(-{size})")
            };
            let [turn, closed] = [format!("sin({m}*PI/12)"), closed].map(|number| {
                let call = call.replace("NUMBER", &number);
                export(call.parse().expect("tokens"), target)
                    .unwrap_or_else(|it| panic!("{language}: {it}"))
            });
            assert!(turn == closed, "{language}, {m}: {turn}\n{closed}");
        }
    }
}

/// Functions that others call, and none of the runtime's, and the kernel.
const OWN: [&str; 5] = ["eliminate", "least_squares", "normalize", "run", "turn"];

/// What a call tells, and what is left out, with its reason.
fn exported(call: &str, target: Target) -> (BTreeSet<String>, BTreeMap<String, String>) {
    let text = match export(call.parse().expect("tokens"), target) {
        Ok(text) => text,
        Err(Refused::Nothing(left_out)) => {
            let lines = left_out.iter().map(|it| format!("/* Omitted {it}. */\n"));
            lines.collect()
        }
        Err(other) => panic!("{call}: {other}"),
    };
    let (mut functions, mut left_out) = (BTreeSet::new(), BTreeMap::new());
    for line in text.lines() {
        if let Some(line) = line.strip_prefix("# Omitted `") {
            let (name, reason) = line.split_once("`: ").expect("a reason");
            left_out.insert(name.to_owned(), reason.trim_end_matches('.').to_owned());
        }
        if let Some(line) = line.strip_prefix("/* Omitted `") {
            let (name, reason) = line.split_once("`: ").expect("a reason");
            left_out.insert(name.to_owned(), reason.trim_end_matches(". */").to_owned());
        }
        let begins = [
            "static inline ",
            "__host__ ",
            "__global__ ",
            "fn ",
            "function ",
            "    def ",
        ];
        if !begins.iter().any(|it| line.starts_with(it)) {
            continue;
        }
        let name = line
            .split('(')
            .next()
            .and_then(|it| it.split(' ').next_back());
        let name = name.expect("a name");
        let name = match target {
            Target::JavaScript | Target::Python => Some(name),
            _ => name.strip_prefix("s_"),
        };
        let name = name.filter(|it| !OWN.contains(it) && !it.starts_with("places_"));
        functions.extend(name.map(str::to_owned));
    }
    (functions, left_out)
}

fn listed(names: &BTreeSet<String>) -> String {
    let names: Vec<String> = names.iter().map(|it| format!("`{it}`")).collect();
    names.join(", ")
}

/// The line of a kind: its functions, and what is left out of which languages.
fn line(kind: &str, call: &str) -> String {
    let all = LANGUAGES.map(|(name, target)| (name, exported(call, target)));
    let mut functions = BTreeSet::new();
    for (_, (exported, left_out)) in &all {
        functions.extend(exported.iter().chain(left_out.keys()).cloned());
    }
    // What lacks in which languages, by reason.
    let mut lacking: BTreeMap<(Vec<&str>, String), BTreeSet<String>> = BTreeMap::new();
    for function in &functions {
        let mut reasons: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for (language, (exported, left_out)) in &all {
            match left_out.get(function) {
                Some(reason) => reasons.entry(reason.clone()).or_default().push(language),
                None if exported.contains(function) => {}
                None => panic!("{language} says nothing of `{function}`: {call}"),
            }
        }
        for (reason, languages) in reasons {
            let functions = lacking.entry((languages, reason)).or_default();
            functions.insert(function.clone());
        }
    }
    let lacking = lacking.iter().map(|((languages, reason), functions)| {
        let languages = match languages.len() {
            5 => "all".to_owned(),
            _ => languages.join(", "),
        };
        format!("{} ({languages}: {reason})", listed(functions))
    });
    let lacking: Vec<String> = lacking.collect();
    let lacking = match lacking[..] {
        [] => "nothing".to_owned(),
        _ => lacking.join("; "),
    };
    format!("| {kind} | {} | {lacking} |\n", listed(&functions))
}

/// `LANGUAGES=write` puts it there.
#[test]
fn the_table_lists_every_function_of_every_language() {
    let lines: String = KINDS.iter().map(|(kind, call)| line(kind, call)).collect();
    let expected = format!(
        "# Functions exported to C, CUDA C, WGSL, JavaScript and Python

For each kind of call, the table lists every function of the runtime's traits that the macros generate, and for systems a step.
CUDA C and WGSL add a kernel, `run`, to each step. A function that is not omitted is exported to all five languages:
`tests/printing/exports.rs` tries each and compares with this table.

| call | functions | omitted |
|---|---|---|
{lines}"
    );
    // The kinds have all functions between them.
    let [points, bodies] = [false, true].map(|it| constraint::table(it).iter());
    let of_constraints = points.chain(bodies).chain(&constraint::DERIVATIVES);
    let of_curves = curve::TABLE.iter().chain(&curve::DERIVATIVES);
    let names = of_constraints.map(|it| it.signature.name);
    let names = names.chain(of_curves.map(|it| it.signature.name));
    let names = names.chain(system::TABLE.iter().map(|it| it.signature.name));
    for name in names.map(system::documented) {
        assert!(lines.contains(&format!("`{name}`")), "no kind has `{name}`");
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/languages.md");
    let there = std::fs::read_to_string(path).unwrap_or_default();
    if std::env::var_os("LANGUAGES").is_some() {
        std::fs::write(path, &expected).expect("the table is written");
    }
    assert!(
        there == expected,
        "LANGUAGES=write puts this there:\n{expected}"
    );
}
