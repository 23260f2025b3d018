//! Everything that is not certified has a reason; everything exact is certified.

use constraint_symbolic::call::{Reader, calls};
use constraint_symbolic::certify::{Certificate, Gap};

/// That of the inside of a call.
fn certificate(text: &str) -> Certificate {
    let call = calls(text.parse().expect("tokens")).swap_remove(0);
    let certificate = call.certified(Reader::Program, |it| it.certificate().clone());
    certificate.unwrap_or_else(|mistakes| panic!("{mistakes:?} in {text}"))
}

/// Quantities that no equation determines: frames of bodies, sizes of rows.
const UNDETERMINED: [&str; 2] = ["own_slope", "row_sizes"];

#[test]
fn what_is_exact_is_certified() {
    let exact = [
        "y == 100*x^2",
        "struct Ramp; |x, y| y == softplus(x)",
        "struct Step { k: Real } |x, y| y == 3*logistic(k*x) - logistic(-x)",
        "struct Rods { l: Real = 1, g: Real = 9.81 } particle a, b: Point2 { mass: 1 } gravity [0, -g];
            constraint upper: norm(a) == l; constraint lower: norm(b - a) == l; output y = b.y;",
        "struct Free { k: Real = 1 } coordinate x, y; kinetic velocity(x)^2 + velocity(x)*velocity(y) + velocity(y)^2;
            potential k*x^2/2; dissipation velocity(y)^2;",
        "struct Top { m: Real = 1, r: Real = 1 } body b: Rigid3 { mass: m, inertia: [1, 2, 3] }
            constraint pivot: at(b, [0, 0, -r]) == [0, 0, 0]; gravity [0, 0, -9.81];",
        "struct Chain { l: Real = 1 } particle p[80]: Point2 { mass: 1 } constraint hook: norm(p[0]) == l;
            for i in 1..80 { constraint link[i]: norm(p[i] - p[i - 1]) == l; }",
    ];
    for text in exact {
        let left = certificate(text).left;
        let left: Vec<_> = left
            .iter()
            .filter(|it| !UNDETERMINED.contains(&it.0))
            .collect();
        assert!(left.is_empty(), "{left:?}: {text}");
    }
}

#[test]
fn what_is_not_certified_has_a_reason() {
    let deep = format!("x + {}y{}", "(1 + x*".repeat(60), ")".repeat(60));
    let cases = [
        ("y == E*x", "value", Gap::Rounded),
        (
            "struct S; |x, y| y == cubic_spline(x, [0, 1, 2], [0, 1, 0])",
            "value",
            Gap::Spline,
        ),
        (
            "struct S; |x, y| y == if sqrt(2) + sqrt(3) > 3 { x } else { x^2 }",
            "value",
            Gap::Numbers,
        ),
        (&deep, "value", Gap::Deep),
        (
            "#[redundant(least_squares)] struct S { l: Real = 1 } particle p: Point2 { mass: 1 }
                constraint a: norm(p) == l; constraint b: norm_squared(p) == l^2;",
            "acceleration",
            Gap::RunTime,
        ),
        (
            "struct S { l: Real = 1 } input g: Real; particle p: Point2 { mass: 1 } gravity [0, -g];",
            "potential_energy",
            Gap::Gravity,
        ),
    ];
    for (text, function, gap) in cases {
        let left = certificate(text).left;
        assert!(left.contains(&(function, gap)), "{left:?}: {text}");
    }
}
