//! What is being typed is completed by IDEs that expand the call twice, as it stands and with a word put in at the cursor,
//! and look for that word's place in the first expansion: all that stands before it has to be the same in both.
//!
//! rust-analyzer 1.95 answers in each of these places with what is expected there.

use constraint_symbolic::compile;
use proc_macro2::TokenStream;

/// The word that rust-analyzer puts in.
const WORD: &str = "intellijRulezz";

/// What stands before the cursor, `¦`.
fn before_the_cursor(compile: fn(TokenStream) -> TokenStream, text: &str) -> String {
    let expanded = |word: &str| {
        let text = text.replace('¦', word);
        compile(text.parse().expect("Rust tokens")).to_string()
    };
    let (typed, asked) = (expanded(""), expanded(WORD));
    let cursor = asked.find(WORD).expect("the word is kept");
    let before = asked[..cursor].trim_end();
    assert_eq!(typed.get(..before.len()), Some(before), "{text}");
    before.to_owned()
}

#[test]
fn nothing_before_the_cursor_depends_on_what_is_typed_there() {
    let constraints = [
        (
            "pub struct Rod { pub length: Real } |a: Point2| norm(a.¦) == length",
            "norm (a .",
        ),
        (
            "pub struct Rod { pub length: Real } |a: Point2| norm(a) == le¦",
            "norm (a) == le",
        ),
        ("x*x + sq¦", "x * x + sq"),
    ];
    for (text, before) in constraints {
        let found = before_the_cursor(compile::constraint, text);
        assert!(found.ends_with(before), "{found}");
    }
    let curve = "pub struct Wave { pub height: Real } |s in 0..=TAU| [s, he¦*cos(s)]";
    assert!(before_the_cursor(compile::curve, curve).ends_with("[s , he"));
}

#[test]
fn statements_are_completed_where_they_are_half_written() {
    let part = "part Leg { length: Real } { particle foot: Point2 { mass: 1 } let top = foot.y + length; }";
    let bodies = "body a, b: Rigid3 { mass: m, inertia: [1, 1, 1] }";
    let bob = "particle bob: Point2 { mass: m }";
    let cases = [
        ("", "par¦", "let _ = statement :: par"),
        (bob, "con¦ force bob: [0, -m];", "let _ = statement :: con"),
        (bob, "for i in 0..2 { fo¦ }", "let _ = statement :: fo"),
        (bob, "let a = bob.¦;", "let a = bob ."),
        (bob, "force bob: [0, -m*bob.¦];", "m * bob ."),
        (bob, "force bob: ¦;", "let _ ="),
        (bob, "potential m*bob.¦", "let _ = m * bob ."),
        ("", "particle bob: Point2 { ma¦ }", "keys :: Particle { ma"),
        ("", "body b: Rigid2 { mass: m, in¦ }", "mass : Scalar , in"),
        (part, "leg: Leg { le¦ }", "LegParameters { le"),
        (
            part,
            "leg: Leg { length: m } potential leg.¦;",
            "let _ = leg .",
        ),
        (
            bodies,
            "joint knee: Hi¦ { a: a, b: b }",
            "let _ = joint :: Hi",
        ),
        (
            bodies,
            "joint knee: Ball { a: a, b: b, r¦ }",
            "b : Scalar , r",
        ),
    ];
    for (declared, text, before) in cases {
        let text = format!("pub struct S {{ m: Real = 1 }} {declared} {text}");
        let found = before_the_cursor(compile::system, &text);
        assert!(found.ends_with(before), "{text}: {found}");
    }
}
