//! Whatever the tokens, there is an answer: never a panic, never a stack overflow, never minutes.

use constraint_symbolic::diagnostic::Diagnostics;
use constraint_symbolic::{compile, model, syntax};
use proc_macro2::{Group, TokenStream, TokenTree};

/// A linear congruential generator; the high bits are the good ones.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

const SOUP: [&str; 96] = [
    "x",
    "y",
    "p",
    "a",
    "t",
    "λ",
    "Ω",
    "r#type",
    "_",
    "PI",
    "E",
    "sin",
    "norm",
    "dot",
    "min",
    "pow",
    "powi",
    "cross",
    "perp",
    "normalize",
    "atan2",
    "foo",
    "0",
    "1",
    "2",
    "0.5",
    "1e3",
    "1e999",
    "3f64",
    "2x",
    "0x1F",
    "\"s\"",
    "'c'",
    "'l ",
    "+",
    "-",
    "*",
    "/",
    "^",
    "==",
    "=",
    "<",
    "<=",
    ">",
    ">=",
    "!=",
    "&&",
    "||",
    "!",
    "**",
    ".",
    "..",
    "..=",
    ",",
    ";",
    ":",
    "::",
    "->",
    "=>",
    "?",
    "#",
    "&",
    "|",
    "%",
    "@",
    "$",
    "~",
    "+=",
    "<<",
    "if",
    "else",
    "let",
    "for",
    "in",
    "as",
    "match",
    "fn",
    "true",
    "self",
    "mut",
    "struct",
    "pub",
    "Point2",
    "Point3",
    "Real",
    "Time",
    "Vector2",
    "x.y",
    "x == 1",
    "let d = x;",
    "if x > 0 { x } else { y }",
    "|x, y|",
    "struct C;",
    "|",
    "d",
    "return",
];

/// Random tokens in random groups.
fn soup(random: &mut Random, depth: usize, text: &mut String) {
    for _ in 0..random.below(9) {
        let open = random.below(if depth < 6 { 14 } else { usize::MAX >> 33 });
        match ["(", "[", "{"].get(open) {
            Some(bracket) if depth < 6 => {
                text.push_str(bracket);
                soup(random, depth + 1, text);
                text.push_str([")", "]", "}"][open]);
            }
            _ => text.push_str(random.pick(&SOUP)),
        }
        text.push(' ');
    }
}

const NAMES: [&str; 8] = ["x", "y", "p", "s", "t", "a", "w", "undeclared"];
const NUMBERS: [&str; 9] = ["0", "1", "2", "3", "0.5", "7", "1e30", "1/3", "100000"];
const FUNCTIONS: [&str; 22] = [
    "velocity",
    "angular_velocity",
    "sin",
    "cos",
    "tan",
    "asin",
    "exp",
    "ln",
    "sqrt",
    "cbrt",
    "abs",
    "signum",
    "norm",
    "normalize",
    "norm_squared",
    "perp",
    "recip",
    "tanh",
    "log2",
    "exp_m1",
    "acosh",
    "sine",
];
const BINARY: [&str; 11] = [
    "at", "dir", "atan2", "hypot", "min", "max", "powf", "pow", "powi", "dot", "cross",
];

/// A random sentence of the grammar; shapes may not fit.
fn sentence(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return match random.below(3) {
            0 => random.pick(&NUMBERS).to_owned(),
            _ => random.pick(&NAMES).to_owned(),
        };
    }
    let mut part = || {
        let depth = random.below(depth);
        sentence(random, depth)
    };
    let (a, b, c) = (part(), part(), part());
    match random.below(16) {
        0 => format!("{a} + {b}"),
        1 => format!("{a} - {b} + {c}"),
        2 => format!("{a}*{b}"),
        3 => format!("({a})/({b})"),
        4 => format!(
            "({a})^{}",
            random.pick(&["2", "3", "-1", "0", "0.5", "(1/3)", "x", "1000"])
        ),
        5 => format!("-({a})"),
        6 | 7 => format!("{}({a})", random.pick(&FUNCTIONS)),
        8 => format!("{}({a}, {b})", random.pick(&BINARY)),
        9 => format!("({a}).{}()", random.pick(&FUNCTIONS)),
        10 => format!("[{a}, {b}]"),
        11 => format!("[{a}, {b}, {c}]"),
        12 => format!("({a}).{}", random.pick(&["x", "y", "z"])),
        13 => format!("{{ let d{depth} = {a}; d{depth} + {b} }}"),
        14 => format!(
            "if {a} {} {b} {{ {c} }} else {{ {a} }}",
            random.pick(&["<", ">", "<=", "=="])
        ),
        _ => format!("({a})"),
    }
}

fn statement(random: &mut Random) -> String {
    let depth = 1 + random.below(5);
    let (a, b) = (sentence(random, depth), sentence(random, depth));
    let body = match random.below(5) {
        0 => format!("{a} == {b}"),
        1 => format!("[{a}, {b} == 1]"),
        _ => a,
    };
    match random.below(5) {
        0 => body,
        1 => format!("struct C {{ a: Real, w: Vector2 }} |x: Rigid2, y: Rigid2, t: Time| {body}"),
        _ => format!(
            "struct C {{ a: Real, w: Vector2 }} |x, y, p: Point2, s: Point3, t: Time| {body}"
        ),
    }
}

/// Parses and lowers; a model comes exactly when there is no message.
fn lower(tokens: TokenStream) -> bool {
    let mut diagnostics = Diagnostics::new();
    let tree = syntax::parse(tokens, &mut diagnostics);
    model::shim(tree.as_ref());
    let model = tree.and_then(|tree| model::lower(&tree, &mut diagnostics));
    assert_eq!(model.is_some(), diagnostics.is_empty());
    let written = diagnostics.to_tokens().to_string();
    assert_eq!(written.is_empty(), diagnostics.is_empty());
    model.is_some()
}

#[test]
fn random_tokens_are_answered() {
    let mut random = Random(1);
    let (mut streams, mut text) = (0, String::new());
    while streams < 80_000 {
        text.clear();
        if random.below(3) == 0 {
            text.push_str("struct C { a: Real } |x, p: Point2, t: Time| ");
        }
        soup(&mut random, 0, &mut text);
        if let Ok(tokens) = text.parse::<TokenStream>() {
            lower(tokens);
            streams += 1;
        }
    }
}

#[test]
fn random_sentences_are_answered() {
    let mut random = Random(2);
    let mut accepted = 0;
    for _ in 0..40_000 {
        let text = statement(&mut random);
        let tokens = text
            .parse::<TokenStream>()
            .expect("a sentence is made of Rust tokens");
        accepted += usize::from(lower(tokens));
    }
    assert!(accepted > 4_000, "only {accepted} sentences say anything");
}

#[test]
fn the_whole_engine_answers_random_sentences() {
    let count = std::env::var("FUZZ_SENTENCES")
        .ok()
        .and_then(|n| n.parse().ok());
    let mut random = Random(3);
    for _ in 0..count.unwrap_or(2_000) {
        let text = statement(&mut random);
        let tokens = text
            .parse::<TokenStream>()
            .expect("a sentence is made of Rust tokens");
        assert!(!compile::constraint(tokens).is_empty());
    }
}

#[test]
fn nesting_is_answered_or_refused_once() {
    let many = |n: usize, before: &str, after: &str| before.repeat(n) + "x" + &after.repeat(n);
    let receivers = (0..100).fold("x".to_owned(), |s, _| {
        format!("({s}{})", ".sin()".repeat(100))
    });
    let table = [
        (many(100, "(", ")"), true),
        (many(10_000, "(", ")"), false),
        (many(10_000, "[", "]"), false),
        (many(10_000, "{", "}"), false),
        (many(10_000, "sin(", ")"), false),
        (many(60, "sin(1 + 2*", ")"), true),
        (many(10_000, "-", ""), true),
        (many(200, "if !", " > 0 { 1 } else { x }"), false),
        (many(10_000, "", ".sin()"), false),
        (many(200, "", ".sin()"), true),
        (many(10_000, "x^", ""), false),
        (many(100, "x^", ""), true),
        (many(300, "if x > 0 { ", " } else { x }"), false),
        (
            format!(
                "if x > 0 {{ x }} {} else {{ y }}",
                "else if x > 1 { y }".repeat(10_000)
            ),
            false,
        ),
        (receivers, false),
    ];
    for (text, accepted) in table {
        let tokens: TokenStream = text.parse().expect("Rust tokens");
        let mut diagnostics = Diagnostics::new();
        let tree = syntax::parse(tokens, &mut diagnostics);
        let found = tree.and_then(|tree| model::lower(&tree, &mut diagnostics));
        let start: String = text.chars().take(20).collect();
        assert_eq!(found.is_some(), accepted, "{start}");
        assert!(diagnostics.iter().count() <= 1, "{start}");
    }
}

#[test]
fn a_megabyte_of_equation_is_answered() {
    let numbered = |n: usize, join: &str| {
        let names: Vec<String> = (0..n).map(|i| format!("x{i}")).collect();
        names.join(join)
    };
    let table = [
        "x + ".repeat(250_000) + "y",
        "x*".repeat(500_000) + "y",
        numbered(100_000, " + "),
        numbered(100_000, "*"),
        format!("[{}]", numbered(50_000, ", ")),
        format!("min({})", numbered(50_000, ", ")),
        format!("{}*x", "1".repeat(1_000_000)),
        "x == ".repeat(200_000) + "x",
        "x ".repeat(500_000),
        "x ** ".repeat(200_000) + "x",
    ];
    for text in table {
        lower(text.parse().expect("Rust tokens"));
    }
}

#[test]
fn long_chains_of_names_are_answered() {
    let chain = |n: usize, step: &dyn Fn(usize) -> String| {
        let lets: String = (0..n).map(step).collect();
        format!("{{ let a0 = x; {lets} a{n} }}")
    };
    let table = [
        chain(20_000, &|i| format!("let a{} = sin(a{i});", i + 1)),
        chain(300, &|i| format!("let a{} = a{i}*a{i} + a{i};", i + 1)),
        chain(300, &|i| format!("let a{} = a{i} + a{i};", i + 1)),
    ];
    for text in table {
        lower(text.parse().expect("Rust tokens"));
    }
}

// ---- systems ------------------------------------------------------------------------------------

/// Valid systems, to be damaged.
const SYSTEMS: [&str; 4] = [
    "pub struct Chain { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }
     particle bead[3]: Point2 { mass: m }
     constraint anchor: norm(bead[0]) == l;
     for i in 1..3 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
     for i in 0..3 { force bead[i]: [0, -m*g]; }",
    "struct Beads { m: Real = 1, k: Real = 20, w: Vector2 = [0, 1] }
     fn wire(s) = [s, s^4 - 2*s^2];
     coordinate x1, x2;
     particle a = wire(x1) { mass: m }
     particle b = wire(x2) { mass: 2*m }
     potential dot(w, a + b) + k/2 * (norm(b - a) - 1)^2;
     dissipation norm_squared(velocity(b - a))/10;",
    "#[redundant(least_squares)] pub struct Skate { m: Real, j: Real = 2 }
     coordinate angle; input push, steer[2];
     particle p: Point2 { mass: m }
     kinetic j/2 * velocity(angle)^2;
     let n = [-sin(angle), cos(angle)];
     constraint edge: dot(velocity(p), n) == 0;
     force p: push*perp(n); force angle: steer[0] - steer[1];",
    "struct Hoop { r: Real = 1, omega: Real = 3 }
     particle p: Point3 { mass: 1 }
     constraint hoop: [norm_squared(p) - r^2, p.x*sin(omega*t) - p.y*cos(omega*t)];
     potential 9.81*p.z;",
];

/// Words of systems, and what else may stand among them.
const WORDS: [&str; 32] = [
    "fn",
    "let",
    "coordinate",
    "input",
    "particle",
    "force",
    "potential",
    "dissipation",
    "kinetic",
    "constraint",
    "for",
    "in",
    "mass",
    "Point2",
    "Point3",
    "bead",
    "x1",
    "i",
    "velocity",
    "norm",
    "0",
    "3",
    "1..3",
    "..",
    "=",
    "==",
    ":",
    ";",
    ",",
    "{ mass: 1 }",
    "[1, 2]",
    "(x1)",
];

/// A system with tokens left out, doubled, replaced or exchanged, groups included.
fn damaged(random: &mut Random, source: &str) -> TokenStream {
    let tokens: TokenStream = source.parse().expect("the systems are valid tokens");
    let count = 1 + random.below(6) / 4;
    (0..count).fold(tokens, |tokens, _| damage(random, tokens))
}

fn damage(random: &mut Random, tokens: TokenStream) -> TokenStream {
    let mut list: Vec<TokenTree> = tokens.into_iter().collect();
    if list.is_empty() {
        return word(random);
    }
    let at = random.below(list.len());
    if let TokenTree::Group(group) = &list[at]
        && random.below(4) > 0
    {
        let inside = damage(random, group.stream());
        list[at] = Group::new(group.delimiter(), inside).into();
        return list.into_iter().collect();
    }
    match random.below(4) {
        0 => drop(list.remove(at)),
        1 => list.insert(at, list[at].clone()),
        2 => drop(list.splice(at..=at, word(random))),
        _ => {
            let other = random.below(list.len());
            list.swap(at, other);
        }
    }
    list.into_iter().collect()
}

fn word(random: &mut Random) -> TokenStream {
    let word = match random.below(3) {
        0 => random.pick(&SOUP),
        _ => random.pick(&WORDS),
    };
    word.parse().unwrap_or_default()
}

/// Parses and lowers a system: it has no message exactly where it can be derived, or where derivation finds one.
fn lower_system(tokens: TokenStream) -> Option<model::System> {
    let mut diagnostics = Diagnostics::new();
    let tree = syntax::parse_system(tokens, &mut diagnostics);
    let system = tree.map(|tree| {
        let system = model::lower_system(&tree, &mut diagnostics);
        model::system_shim(&tree, &system);
        system
    });
    assert!(system.is_some() || !diagnostics.is_empty());
    system.filter(|_| diagnostics.is_empty())
}

#[test]
fn random_statements_are_answered() {
    let mut random = Random(4);
    let (mut streams, mut text) = (0, String::new());
    while streams < 30_000 {
        text.clear();
        text.push_str("struct S { m: Real } ");
        for _ in 0..random.below(6) {
            text.push_str(random.pick(&WORDS[..11]));
            text.push(' ');
            soup(&mut random, 2, &mut text);
            text.push_str(random.pick(&[";", "", "{ mass: 1 }"]));
            text.push(' ');
        }
        if let Ok(tokens) = text.parse::<TokenStream>() {
            lower_system(tokens);
            streams += 1;
        }
    }
}

#[test]
fn damaged_systems_are_answered() {
    let mut random = Random(5);
    let mut valid = 0;
    for i in 0..30_000 {
        let tokens = damaged(&mut random, SYSTEMS[i % SYSTEMS.len()]);
        valid += usize::from(lower_system(tokens).is_some());
    }
    assert!(valid > 500, "only {valid} systems are still valid");
}

#[test]
fn the_whole_engine_answers_damaged_systems() {
    let count = std::env::var("FUZZ_SENTENCES")
        .ok()
        .and_then(|n| n.parse().ok());
    let mut random = Random(6);
    for i in 0..count.unwrap_or(1_000) {
        let tokens = damaged(&mut random, SYSTEMS[i % SYSTEMS.len()]);
        assert!(!compile::system(tokens).is_empty());
    }
}

#[test]
fn deep_and_long_systems_are_answered_or_refused_once() {
    let nested = |n: usize| {
        let fors: String = (0..n).map(|i| format!("for i{i} in 0..1 {{ ")).collect();
        format!(
            "struct S; particle p: Point2 {{ mass: 1 }} {fors} force p: [0, 1]; {}",
            "}".repeat(n)
        )
    };
    let statements = |n: usize, statement: &dyn Fn(usize) -> String| {
        let list: String = (0..n).map(statement).collect();
        format!("struct S; particle p: Point2 {{ mass: 1 }} {list}")
    };
    let many = |n: usize, before: &str, inside: &str, after: &str| {
        before.repeat(n) + inside + &after.repeat(n)
    };
    let functions = |n: usize, body: &dyn Fn(usize) -> String| {
        statements(n, &|i| match i {
            0 => "fn f0(s) = s + 1;".to_owned(),
            _ => format!("fn f{i}(s) = {};", body(i - 1)),
        })
    };
    let table = [
        (nested(100), true),
        (nested(10_000), false),
        (
            statements(10_000, &|i| format!("force p: [{i}, p.x];")),
            true,
        ),
        (
            statements(10_000, &|i| format!("let a{i} = {i}*p.x;")),
            true,
        ),
        (statements(10_000, &|i| format!("coordinate q{i};")), true),
        (
            statements(10_000, &|i| format!("constraint c{i}: p.x == {i};")),
            true,
        ),
        (
            statements(1, &|_| "particle b[100000]: Point2 { mass: 1 }".into()),
            true,
        ),
        (
            statements(1, &|_| "for i in 0..40000 { force p: [i, 0]; }".into()),
            true,
        ),
        (
            statements(1, &|_| "for i in 0..1000000000000 { }".into()),
            false,
        ),
        (
            statements(1, &|_| "for i in 0..99999 { for j in 0..99999 { } }".into()),
            false,
        ),
        (
            statements(1, &|_| {
                "for i in 0..9223372036854775807 { force p: [i, 0]; }".into()
            }),
            false,
        ),
        (
            functions(190, &|i| format!("f{i}(s)")) + "potential f189(p.x);",
            true,
        ),
        (
            functions(3_000, &|i| format!("f{i}(s)")) + "potential f2999(p.x);",
            false,
        ),
        (
            functions(4, &|i| many(120, "sin(", &format!("f{i}(s)"), ")")) + "potential f3(p.x);",
            true,
        ),
        (
            functions(40, &|i| many(120, "sin(", &format!("f{i}(s)"), ")")) + "potential f39(p.x);",
            false,
        ),
        (
            functions(700, &|i| format!("sin(1 + 2*(f{i}(s) + s))/3")) + "potential f699(p.x);",
            false,
        ),
        (
            functions(3_000, &|i| match i % 100 {
                99 => "s".to_owned(),
                _ => format!("f{i}(s) + p.y"),
            }) + "potential f2999(p.x);",
            true,
        ),
        (
            functions(60, &|i| format!("f{i}(s) + f{i}(2*s)")) + "potential f59(p.x);",
            false,
        ),
    ];
    for (text, accepted) in table {
        let tokens: TokenStream = text.parse().expect("Rust tokens");
        let mut diagnostics = Diagnostics::new();
        let tree = syntax::parse_system(tokens, &mut diagnostics);
        tree.map(|tree| model::lower_system(&tree, &mut diagnostics));
        let end: String = text.chars().skip(39).take(40).collect();
        let messages: Vec<String> = diagnostics.iter().map(|d| d.text()).collect();
        assert_eq!(messages.is_empty(), accepted, "{end}: {messages:?}");
        assert!(messages.len() <= 1, "{end}: {messages:?}");
    }
}

/// Each value is used twice in the next, so that looking through all of them without end would take 2⁶⁰ steps, and
/// 300 angles stand in one another.
#[test]
fn the_whole_engine_answers_long_chains_of_names_in_a_system() {
    let steps: [&dyn Fn(usize) -> String; 3] = [
        &|i| format!("a{i}*sin(p.y) + a{i}*cos(p.y)"),
        &|i| format!("sin(a{i})"),
        &|i| format!("sin(1 + 2*(a{i} + p.x))/3"),
    ];
    for (step, n) in steps.into_iter().zip([60, 300, 100]) {
        let lets: String = (0..n)
            .map(|i| format!("let a{} = {};", i + 1, step(i)))
            .collect();
        let text = format!(
            "struct S; particle p: Point2 {{ mass: 1 }} let a0 = p.x; {lets} potential a{n};"
        );
        let tokens: TokenStream = text.parse().expect("Rust tokens");
        compile::analyze_system(tokens).expect("a valid system");
    }
}
