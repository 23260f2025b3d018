//! Which functions check that their results are finite: only those that no pivot guards, so that smooth texts cost nothing.

use constraint_symbolic::compile;
use proc_macro2::{TokenStream, TokenTree};

/// The number of checks of results in an expansion, `rt::defined(…)` and `rt::defined_number(…)`, and of functions that
/// name what is not finite.
fn checks(expansion: TokenStream) -> usize {
    let of_token = |token| match token {
        TokenTree::Group(group) => checks(group.stream()),
        TokenTree::Ident(name) => {
            let names = ["defined", "defined_number", "check_defined"];
            names.iter().filter(|&&it| name == it).count()
        }
        _ => 0,
    };
    expansion.into_iter().map(of_token).sum()
}

fn tokens(source: &str) -> TokenStream {
    source.parse().expect("the test's source is valid tokens")
}

#[test]
fn smooth_texts_have_no_checks_of_results() {
    let constraints = [
        "#[derivatives] struct Circle; |x, y| x*x + y*y == 1",
        "#[derivatives] struct Rod { l: Real } |a: Point2| norm(a) == l",
        "#[derivatives] struct Link { l: Real } |a: Point3, b: Point3| norm(b - a) == l",
    ];
    for text in constraints {
        assert_eq!(checks(compile::constraint(tokens(text))), 0, "{text}");
    }
    let curve = "#[derivatives] struct Hump; |s in -2.5..=2.5| [s, 3 - 7/6*s^2 + s^4/6]";
    assert_eq!(checks(compile::curve(tokens(curve))), 0);
    let system = "#[derivatives] struct Pendulum { m: Real = 1, l: Real = 1, g: Real = 9.81 }
        particle bob: Point2 { mass: m }
        constraint rod: norm(bob) == l;
        potential m*g*bob.y;";
    assert_eq!(checks(compile::system(tokens(system))), 0);
}

/// What the test above looks for is there where it is needed.
#[test]
fn texts_with_corners_have_checks_of_results() {
    let constraint = "struct Wire; |x, y| y == sqrt(x)";
    let curve = "struct Wire; |s in 0..=1| [s, sqrt(s)]";
    let system = "struct Bound { k: Real = 5, l: Real = 1 } particle p: Point2 { mass: 1 }
        potential k/2*(norm(p) - l)^2;";
    assert!(checks(compile::constraint(tokens(constraint))) > 0);
    assert!(checks(compile::curve(tokens(curve))) > 0);
    assert!(checks(compile::system(tokens(system))) > 0);
}
