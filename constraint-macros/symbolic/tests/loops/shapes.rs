//! Rows of one shape with different operands: one by one, in every order, and as they were reported.

use constraint_symbolic::compile::analyze_system;
use constraint_symbolic::system::Solution;

use crate::derivatives::Functions;
use crate::interpreter::State;
use crate::random::Random;
use crate::{compare_text, laws};

/// Asserts that a system is the same in both forms.
#[track_caller]
fn agrees(text: &str) {
    let compared = (0..4).any(|seed| compare_text(seed, text, &mut Random::new(seed), |_| true));
    assert!(compared, "{text}");
}

/// Points together with coordinates, with a mass matrix that is diagonal, so that joints compute their parts, or not.
fn held(rows: &str) -> [String; 2] {
    let plain = format!(
        "pub struct S {{ l: Real, w: [Real; 8] }}
        coordinate s, u; kinetic velocity(s)^2/2 + velocity(u)^2/3;
        particle a[i in 0..4]: Point3 {{ mass: w[i] }}
        particle b[i in 0..4]: Point3 {{ mass: w[i + 4] }}
        {rows}"
    );
    let coupled = plain.replace("kinetic ", "kinetic velocity(s)*velocity(u)/7 + ");
    [plain, coupled]
}

/// Every order of rows on coordinates, components, points, velocities and differences.
#[test]
fn the_order_of_rows_makes_no_difference() {
    let rows = [
        "constraint c0: s == l;",
        "constraint c1: a[2].y == l;",
        "constraint c2: b[1] == [0, 0, 0];",
        "constraint c3: velocity(a[0]) == [0, 0, 0];",
    ];
    for order in 0..24 {
        let mut left = rows.to_vec();
        let mut text = String::new();
        for (k, choices) in [(order, 4), (order / 4, 3), (order / 12, 2), (0, 1)] {
            text += left.remove(k % choices);
        }
        let [plain, coupled] = held(&text);
        agrees(&plain);
        if order % 5 == 0 {
            agrees(&coupled);
        }
    }
}

/// Rows of one shape whose columns differ by the component, by the kind of element, or in how many elements they are of.
#[test]
fn rows_of_one_shape_have_columns_of_their_own() {
    for rows in [
        "constraint c0: a[2].x == 1; constraint c1: a[1].z == 1;",
        "constraint c0: a[2].x^2 == l; constraint c1: b[1].y^2 == l;",
        "constraint c0: a[1].y == 1; constraint c1: s == 1;",
        "constraint c0: s == 1; constraint c1: a[1].y == 1;",
        "constraint c0: a[0] == a[3];",
        "constraint c0: a[0] == [l, l, 0];",
        "constraint c0: velocity(a[0]) == [0, 0, 0];",
        "constraint c0: velocity(a[0] - b[1]) == [0, 0, 0]; constraint c1: velocity(s - u) == 0;",
        "constraint c0: a[0].x - a[0].y == l; constraint c1: b[1].z - u == l; constraint c2: s - a[2].y == l;",
        "constraint c0: a[0].x - s == l; constraint c1: a[1].x - a[1].z == l;",
        "constraint c0: velocity(a[0].x) == a[0].y; constraint c1: velocity(s) == a[1].x;",
    ] {
        for text in held(rows) {
            agrees(&format!("#[derivatives] {text}"));
        }
    }
}

/// One product is of one point and the other of two, in another order: masses, and terms of several points, belong to others.
#[test]
fn rows_of_one_shape_differ_by_which_operands_are_of_one_point() {
    for rows in [
        "constraint c0: a[0].x*a[0].y + b[0].z == l; constraint c1: a[1].x*b[1].y + a[1].z == l;",
        "constraint c0: a[0].x*b[0].x + a[0].y*a[0].z + b[1].x*b[1].y == l; \
         constraint c1: a[2].x*a[2].y + a[2].z*b[2].x + b[3].x*b[3].y == l;",
    ] {
        for text in held(rows) {
            agrees(&format!("#[derivatives] {text}"));
        }
    }
}

/// The same operands in another order, between elements of other masses: their slopes belong to other velocities.
#[test]
fn rows_of_one_shape_differ_by_the_order_of_their_operands() {
    agrees(
        "#[derivatives] pub struct S { l: Real, g: Real }
        coordinate a[3], b[3];
        kinetic 2*velocity(a[0])^2 + 2*velocity(b[0])^2 + l*velocity(a[1])^2 + l*velocity(b[1])^2;
        kinetic g*velocity(a[2])^2 + 3*velocity(b[2])^2;
        constraint c0: sin(b[0]) + sin(a[0]) == l;
        constraint c1: sin(a[1]) + sin(b[1]) == l;
        constraint c2: sin(b[2]) + sin(a[2]) == l;
        potential sum(i in 0..3: g*a[i]^3 + l*b[i]^4);",
    );
}

/// As they were reported, with the options that they had: each was refused, or had a wrong J.
#[test]
fn rows_on_components_of_long_chains_are_right_by_default() {
    let chain = "for i in 1..N { constraint r[i]: norm(p[i] - p[i-1]) == l; }";
    for (n, rows) in [
        (
            100,
            "constraint a: p[0].x == 0; constraint b: p[99].y == 0;",
        ),
        (64, "constraint a: p[0] == [0, 0];"),
        (
            64,
            "constraint a: velocity(p[0]) == [0, 0]; constraint b: p[63].x == l;",
        ),
        (100, "constraint a: p[4].y == 1; constraint b: s == 1;"),
        (100, "constraint a: p[0] == p[99];"),
    ] {
        let text = format!(
            "pub struct S {{ m: Real, l: Real }} coordinate s; kinetic velocity(s)^2/2;
            particle p[{n}]: Point2 {{ mass: m }} {} {rows}",
            chain.replace('N', &n.to_string())
        );
        let derived = analyze_system(text.parse().expect("tokens"));
        let derived = derived.unwrap_or_else(|said| panic!("{said:?}: {text}"));
        assert!(matches!(derived.solution, Solution::Rolled(_)), "{text}");
        let state = State::random(&derived.system, &mut Random::new(n));
        laws::obeys(&text, &Functions::of(&derived), &state, 1e-3);
    }
}
