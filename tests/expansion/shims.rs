//! The Rust that IDEs read in place of a statement of `system!` type-checks, whichever keyword it begins with.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use constraint_symbolic::diagnostic::Diagnostics;
use constraint_symbolic::{model, syntax};

const DECLARED: &str = "struct S { m: Real = 1, l: Real = 1 }
    coordinate x;
    particle bob: Point2 { mass: m }
    body thigh, shank, wheel: Rigid2 { mass: m, inertia: m*l^2 }";

/// The statements of each keyword in all their forms, with all keys in their braces.
const STATEMENTS: [(&str, &str); 19] = [
    ("fn", "fn wave(s) = sin(s/l); fn height(p) = p.y; potential wave(x) + height(bob);"),
    ("const", "const N = 3; const HALF = N/2; potential HALF*x;"),
    ("let", "let d = [x, l]; let all = [x, 2, 3, 4]; let e = { let f = x/2; f + 1 }; potential all[3] + d.x + e;"),
    ("coordinate", "coordinate a { symbol: \"θ₁\" }, b[3], c[2][2]; potential a^2 + b[0] + c[1][1];"),
    ("input", "input u, push: Vector2, pull[3]: Vector2; force bob: u*push + pull[2];"),
    (
        "particle",
        "particle p, q[3]: Point2 { mass: m } particle r = [x, x^2] { mass: m }
         particle s[i in 0..3] = q[i] + [0, l] { mass: m } potential p.x + q[1].y + r.x + s[2].y;",
    ),
    (
        "body",
        "body a, b[2]: Rigid2 { mass: m, inertia: 2 } body c: Rigid2 = pose([x, 0], x) { mass: 1, inertia: if x > 0 { 1 } else { 1 } }
         output tip = at(a, [l, 0]) + at(b[1], [0, l]) + dir(c, [1, 0]);",
    ),
    ("force", "force bob: [1, -m*9.81]; force x: 3; force x - bob.y: x; force at(wheel, [l, 0]): [0, 1];"),
    ("torque", "torque wheel: 3 - angular_velocity(wheel);"),
    ("gravity", "gravity [0, -9.81];"),
    ("potential", "potential m/2*x^2 + min(x, 1, 2);"),
    ("dissipation", "dissipation m/2*velocity(x)^2;"),
    ("kinetic", "kinetic m/2*velocity(x)^2 + norm_squared(velocity(bob));"),
    (
        "constraint",
        "constraint rod: norm(bob) == l; constraint held: [bob.x, x == t]; constraint slope: bob.y == x { friction: 0.1, slip: velocity(x) };
         constraint floor: bob.y >= 0 { restitution: 0.5, friction: m, slip: velocity(bob).x };",
    ),
    ("motor", "motor drive: angular_velocity(wheel) == 3 { most: 2*m };"),
    (
        "output",
        "constraint rod: norm(bob) == l; output pull = multiplier(rod)*bob; output rise[i in 0..2] = i*velocity(bob);
         output center_of_mass; output momentum;",
    ),
    (
        "for",
        "coordinate y[4]; for i in 1..4 { constraint level[i]: y[i] >= y[i - 1] { restitution: 0 }; potential y[i]^2; }
         potential sum(i in 0..4: y[i]^2);",
    ),
    (
        "part",
        "part Leg { l: Real, at: Vector2 = [0, 0] } {
             particle foot[i in 0..2]: Point2 { mass: 1 } let low = foot[1].y - l + at.y;
         }
         left: Leg { l: m } right[2]: Leg { l: 1, at: [0, 1] } potential left.low + right[1].foot[0].x;",
    ),
    ("joint", "joint knee: Revolute { a: thigh, b: shank, r1: [0, l], r2: [0, -l] }"),
];

/// The runtime's stand-in types, in a crate with the runtime's name.
fn runtime() -> String {
    let types = include_str!("../../constraint-runtime/src/ide.rs");
    let words = model::words_for_ides().to_string();
    let (before, after) = types
        .split_once("constraint_macros::ide!();")
        .expect("the words of the language");
    format!(
        "extern crate self as constraint_runtime;
         pub mod ide {{ {before} {words} {after} }}
         pub mod __private {{ pub use crate::ide; }}\n"
    )
}

fn shim(statements: &str) -> String {
    let text = format!("{DECLARED} {statements}");
    let mut diagnostics = Diagnostics::new();
    let tokens = text.parse().expect("Rust tokens");
    let tree = syntax::parse_system(tokens, &mut diagnostics).expect("a struct");
    let system = model::lower_system(&tree, &mut diagnostics);
    let messages: Vec<String> = diagnostics.iter().map(|it| it.text()).collect();
    assert!(messages.is_empty(), "{statements}: {messages:?}");
    model::system_shim(&tree, &system).to_string()
}

/// The errors of the compiler.
fn errors(source: &str) -> String {
    let metadata = concat!(env!("CARGO_TARGET_TMPDIR"), "/shims.rmeta");
    let mut compiler = Command::new("rustc")
        .args(["--edition=2024", "--crate-type=lib", "--crate-name=shims"])
        .args(["--emit=metadata", "--cfg=rust_analyzer", "-Awarnings", "-"])
        .args(["-o", metadata])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the compiler");
    let input = compiler.stdin.take();
    let mut input = input.expect("an open input");
    input.write_all(source.as_bytes()).expect("it reads");
    drop(input);
    let output = compiler.wait_with_output().expect("it ends");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn every_statement_type_checks_in_the_shim() {
    let mut source = runtime();
    for word in syntax::keywords() {
        let mut known = STATEMENTS.iter();
        let (_, text) = known.find(|(known, _)| *known == word).expect(word);
        let _ = writeln!(source, "mod of_{word} {{ {} }}", shim(text));
    }
    assert_eq!(errors(&source), "");
}
