//! Curves: operation counts, and what the derivation finds out about a curve. Counts are exact, so they are
//! asserted; those of other tools are for the same outputs, by their own passes.

use constraint_symbolic::compile::{analyze_curve, analyze_system};
use constraint_symbolic::curve::{Derived, Quantity, describe};
use constraint_symbolic::system;

fn derived(source: &str) -> Derived {
    let tokens = source.parse().expect("the test's source is valid tokens");
    analyze_curve(tokens).unwrap_or_else(|errors| panic!("{source}: {errors:?}"))
}

fn count(source: &str, quantities: &[Quantity]) -> u32 {
    derived(source).plain_program(quantities).count.total()
}

const LEMNISCATE: &str = "struct Lemniscate { a: Real } |s in 0..=TAU| \
    [a*cos(s)/(1 + sin(s)^2), a*sin(s)*cos(s)/(1 + sin(s)^2)]";

/// What a bead needs: r, r′, and s̈ under any force with damping.
const BEAD: [Quantity; 3] = [
    Quantity::Position,
    Quantity::Tangent,
    Quantity::DampedAcceleration,
];

/// wrenfold 60, SymPy 70, CasADi 72; the bar of the project is 55.
#[test]
fn a_bead_on_the_lemniscate_takes_28_operations() {
    assert_eq!(count(LEMNISCATE, &BEAD), 28);
}

/// (f_y cos s − f_x sin s − b r ṡ)/(m r): by hand it cannot be less.
#[test]
fn on_a_circle_nothing_bends_s() {
    let circle = derived("struct Circle { r: Real } |s in 0..=TAU| [r*cos(s), r*sin(s)]");
    let count = circle.plain_program(&[Quantity::DampedAcceleration]).count;
    assert_eq!((count.total(), count.div, count.call), (9, 1, 1), "{count}");
}

/// A program per quantity costs no more than all of them in turn.
#[test]
fn shared_parts_are_computed_once() {
    let apart: u32 = BEAD.iter().map(|&q| count(LEMNISCATE, &[q])).sum();
    assert!(count(LEMNISCATE, &BEAD) < apart);
}

/// E = r′·r′ of curves whose |r′| the textbooks know.
#[test]
fn the_metric_is_that_of_the_textbooks() {
    let table = [
        ("|s in 0..=TAU| [a*cos(s), a*sin(s)]", "a^2"),
        (
            "|s in 0..=1| [a*(s + sin(s)), a*(1 - cos(s))]",
            "2*a^2*(1 + cos(s))",
        ),
        ("|s in 0..=1| [a*s*cos(s), a*s*sin(s)]", "a^2*(1 + s^2)"),
        ("|s in 0..=1| [a*cos(s), a*sin(s), 2*a*s]", "5*a^2"),
        (&LEMNISCATE[30..], "a^2/(1 + sin(s)^2)"),
    ];
    for (curve, metric) in table {
        let curve = derived(&format!("struct C {{ a: Real }} {curve}"));
        let graph = &curve.curve.model.graph;
        let found = curve
            .whole
            .forms
            .last()
            .map(|form| form.metric)
            .expect("a form");
        let program = |id| {
            let roots = [constraint_symbolic::schedule::Root::Output(id)];
            constraint_symbolic::schedule::schedule(graph, &roots, &[], &|_| String::new())
        };
        let exact = |a: f64, s: f64| match metric {
            "a^2" => a * a,
            "2*a^2*(1 + cos(s))" => 2.0 * a * a * (1.0 + s.cos()),
            "a^2*(1 + s^2)" => a * a * (1.0 + s * s),
            "5*a^2" => 5.0 * a * a,
            _ => a * a / (1.0 + s.sin().powi(2)),
        };
        let symbols = &curve.curve.model.symbols;
        let value = program(found).evaluate(|symbol| match symbols[symbol.index()].name.as_str() {
            "a" => 1.3,
            _ => 0.7,
        });
        assert!((value[0] - exact(1.3, 0.7)).abs() < 1e-14, "{metric}");
        // Written as shortly: at most the operations of the textbook's form, a sine and a cosine aside.
        assert!(
            program(found).count.total() <= 5,
            "{metric}: {}",
            program(found).count
        );
    }
}

#[test]
fn what_is_seen_along_the_domain_is_described() {
    let table = [
        ("|s in 0..=TAU| [cos(s), sin(s)]", "closed, C²"),
        ("|s in 0..=1| [s, s^2]", "open"),
        ("|s in -1..=1| [s, abs(s)]", "open; C⁰ at s = 0"),
        (
            "|s in -1..=1| [s, if s > 1/4 { (s - 1/4)^2 } else { 0 }]",
            "open; C¹ at s = 0.25",
        ),
        ("|s in -1..=1| [s, max(s, 0)^3]", "open; C² at s = 0"),
    ];
    for (curve, expected) in table {
        assert_eq!(
            describe(&derived(&format!("struct C; {curve}"))),
            expected,
            "{curve}"
        );
    }
}

#[test]
fn the_same_tokens_expand_to_the_same_tokens() {
    let tokens = || {
        LEMNISCATE
            .parse()
            .expect("the test's source is valid tokens")
    };
    let first = constraint_symbolic::compile::curve(tokens()).to_string();
    for _ in 0..5 {
        assert_eq!(
            constraint_symbolic::compile::curve(tokens()).to_string(),
            first
        );
    }
}

/// Tracks by their fields and the components of r, and how many operations more s̈ may take in a system than alone.
const TRACKS: [(&str, &str, u32); 9] = [
    ("", "[s, -s^2/100]", 0),
    ("r: Real", "[-r*sin(s), r*cos(s)]", 0),
    ("a: Real, b: Real", "[a*cos(s), b*sin(s)]", 0),
    ("", "[s, 3 - 7/6*s^2 + s^4/6]", 1),
    ("r: Real", "[r*(s + sin(s)), r*(1 - cos(s))]", 1),
    (
        "a: Real",
        "[a*cos(s)/(1 + sin(s)^2), a*sin(s)*cos(s)/(1 + sin(s)^2)]",
        1,
    ),
    ("a: Real", "[a*s*cos(s), a*s*sin(s)]", 1),
    ("", "[s, s*cos(3*s)]", 0),
    (
        "a: Real",
        "[2*a*(1 - cos(s))*cos(s), 2*a*(1 - cos(s))*sin(s)]",
        2,
    ),
];

/// A bead that a coordinate places, under a force. The check of M is counted, which that of r′ is not in `curve!`.
#[test]
fn a_bead_in_a_system_costs_what_its_curve_costs() {
    for (fields, points, more) in TRACKS {
        let curve = format!("struct Track {{ {fields} }} |s in 0..=1| {points}");
        let alone = count(&curve, &[Quantity::Acceleration]);
        let fields = fields.split(", ").filter(|field| !field.is_empty());
        let fields: String = fields.map(|field| format!("{field} = 1, ")).collect();
        let bead = format!(
            "pub struct Bead {{ {fields}m: Real = 1 }}
            coordinate s;
            input f_x, f_y;
            particle bead = {points} {{ mass: m }}
            force bead: [f_x, f_y];"
        );
        let bead = analyze_system(bead.parse().expect("Rust tokens"));
        let bead = bead.unwrap_or_else(|errors| panic!("{points}: {errors:?}"));
        let found = bead.plain_program(&[system::Quantity::Acceleration]).count;
        assert!(
            found.total() <= alone + more,
            "{points}: {found}, {alone} alone"
        );
    }
}
