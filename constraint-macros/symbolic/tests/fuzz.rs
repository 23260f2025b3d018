//! Whatever the tokens, there is an answer: never a panic, never a stack overflow, never minutes.

use constraint_symbolic::diagnostic::Diagnostics;
use constraint_symbolic::{compile, model, syntax};
use proc_macro2::TokenStream;

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
const FUNCTIONS: [&str; 20] = [
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
const BINARY: [&str; 9] = [
    "atan2", "hypot", "min", "max", "powf", "pow", "powi", "dot", "cross",
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
    match random.below(4) {
        0 => body,
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
