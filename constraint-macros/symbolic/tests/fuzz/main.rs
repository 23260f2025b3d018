//! Whatever the tokens, there is an answer: never a panic, never a stack overflow, never minutes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use constraint_symbolic::diagnostic::Diagnostics;
use constraint_symbolic::{compile, model, syntax};
use proc_macro2::TokenStream;

mod grammar;

use grammar::{Call, Random, SYSTEMS, WORDS, damaged, graph, input, soup, statement};

/// So many of the inputs of a test: a sixteenth, all where `CONSTRAINT_CASES` is said.
fn share(whole: usize) -> usize {
    whole / std::env::var("CONSTRAINT_CASES").map_or(16, |_| 1)
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

/// Its functions, and each word that the rules on the page type.
#[test]
fn random_inputs_say_all_of_the_language() {
    let page = include_str!("../language/language.md");
    let blocks = page.split("```text\n").skip(1);
    let rules = blocks.map(|block| block.split("```").next().expect("the block"));
    let typed = rules.flat_map(|rules| rules.split('"').skip(1).step_by(2));
    // Of `1e3` the letter is no word.
    let is_word =
        |text: &&str| *text != "e" && text.chars().all(|c| c.is_alphanumeric() || c == '_');
    let joints = [true, false].into_iter().flat_map(syntax::library_joints);
    let words = typed
        .filter(is_word)
        .chain(model::function_names())
        .chain(joints);
    let mut said = std::collections::BTreeSet::new();
    for case in 0..8_000 {
        let (_, text) = input(case);
        let parts = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        said.extend(parts.map(str::to_owned));
    }
    let left: Vec<&str> = words.filter(|word| !said.contains(*word)).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn random_tokens_are_answered() {
    let mut random = Random(1);
    let (mut streams, mut text) = (0, String::new());
    let wanted = share(80_000);
    while streams < wanted {
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
    for _ in 0..share(40_000) {
        let text = statement(&mut random);
        let tokens = text
            .parse::<TokenStream>()
            .expect("a sentence is made of Rust tokens");
        accepted += usize::from(lower(tokens));
    }
    assert!(
        accepted > share(4_000),
        "only {accepted} sentences say anything"
    );
}

#[test]
fn the_whole_engine_answers_random_sentences() {
    let mut random = Random(3);
    for _ in 0..share(2_000) {
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
fn equations_too_large_to_compile_are_refused_with_a_figure() {
    let joined = |n: usize, each: &dyn Fn(usize) -> String, join: &str| {
        let parts: Vec<String> = (0..n).map(each).collect();
        parts.join(join)
    };
    let names = |n, join| joined(n, &|i| format!("x{i}"), join);
    let sines = |n| joined(n, &|i| format!("{}*sin(x + {i}*y)", i + 2), " + ");
    let messages = |text: &str, system: bool| {
        let tokens: TokenStream = text.parse().expect("Rust tokens");
        let mut diagnostics = Diagnostics::new();
        if system {
            let tree = syntax::parse_system(tokens, &mut diagnostics);
            tree.map(|tree| model::lower_system(&tree, &mut diagnostics));
        } else {
            let tree = syntax::parse(tokens, &mut diagnostics);
            tree.and_then(|tree| model::lower(&tree, &mut diagnostics));
        }
        let texts = diagnostics.iter().map(|it| it.text());
        texts.collect::<Vec<String>>()
    };
    let system = |potential: String| {
        format!(
            "struct S; particle p: Point2 {{ mass: 1 }} let x = p.x; let y = p.y; potential {potential};"
        )
    };
    let table = [
        (names(4_900, " + "), names(90_000, " + "), false),
        (names(900, "*"), names(9_000, "*"), false),
        (sines(2_400), sines(9_000), false),
        (system(sines(2_400)), system(sines(9_000)), true),
    ];
    for (accepted, refused, is_system) in table {
        assert_eq!(messages(&accepted, is_system), Vec::<String>::new());
        let messages = messages(&refused, is_system);
        let figure = "coordinates, terms, factors and arguments; at most 10000 can be derived";
        let instead = if is_system {
            "split it into several statements, or implement `System` by hand"
        } else {
            "implement `Constraint` by hand"
        };
        assert!(
            messages.len() == 1
                && messages[0].contains(figure)
                && messages[0].ends_with(&format!("counts as 10; {instead}")),
            "{messages:?}"
        );
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
    let wanted = share(30_000);
    while streams < wanted {
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
    for i in 0..share(30_000) {
        let tokens = damaged(&mut random, SYSTEMS[i % SYSTEMS.len()]);
        valid += usize::from(lower_system(tokens).is_some());
    }
    assert!(valid > share(500), "only {valid} systems are still valid");
}

#[test]
fn the_whole_engine_answers_damaged_systems() {
    let mut random = Random(6);
    for i in 0..share(1_000) {
        let tokens = damaged(&mut random, SYSTEMS[i % SYSTEMS.len()]);
        assert!(!compile::system(tokens).is_empty());
    }
}

/// Ladders, nets, rings and trees, some of whose places stand in tables.
#[test]
fn points_on_rods_are_answered() {
    let mut random = Random(11);
    let mut served = 0;
    let cases = share(60);
    for _ in 0..cases {
        let text = graph(&mut random);
        let written = compile::system(text.parse().expect("Rust tokens")).to_string();
        let refused = written.contains("compile_error");
        served += usize::from(!refused);
    }
    assert!(4 * served > 3 * cases, "{served} of {cases} are served");
}

#[test]
fn a_panic_is_one_error_that_asks_for_a_report() {
    let whole = "struct S;".parse::<TokenStream>().expect("Rust tokens");
    let written = compile::answered(|| whole.clone()).to_string();
    assert_eq!(written, whole.to_string());
    let written = compile::answered(|| panic!("as a fault would")).to_string();
    assert_eq!(written.matches("compile_error").count(), 1);
    assert!(written.contains("report it with this input"), "{written}");
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

// ---- all macros ---------------------------------------------------------------------------------

/// What one input costs.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    time: Duration,
    /// At most at any moment.
    bytes: u64,
    items: bool,
}

/// Processor time of this thread, where the system tells it; a busy machine makes nothing slow then.
fn processor_time(started: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| started.elapsed(), Duration::from_nanos)
}

fn expand((name, text): &Call) -> Cost {
    // Not every mixture of tokens is one: quotes and brackets may stay open.
    let Ok(tokens) = text.parse::<TokenStream>() else {
        return Cost::default();
    };
    let start = Instant::now();
    let before = processor_time(start);
    let mut written = TokenStream::new();
    let allocated = allocation_counter::measure(|| {
        written = match *name {
            "constraint" => compile::constraint(tokens),
            "curve" => compile::curve(tokens),
            _ => compile::system(tokens),
        };
    });
    assert!(!written.is_empty());
    let mut tokens = written.into_iter();
    let refused = tokens.any(|token| token.to_string() == "compile_error");
    Cost {
        time: processor_time(start).saturating_sub(before),
        bytes: allocated.bytes_max,
        items: !refused,
    }
}

/// 10⁶ of them with `CONSTRAINT_CASES=1000000` in a release build; then none may take 10 s or 1 GB.
#[test]
fn inputs_of_all_macros_are_answered_in_time_and_memory() {
    let asked = std::env::var("CONSTRAINT_CASES").ok();
    let asked: Option<u64> = asked.and_then(|n| n.parse().ok());
    let first: u64 = std::env::var("CONSTRAINT_FIRST_CASE")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(0);
    let end = first + asked.unwrap_or(200);
    let next = AtomicU64::new(first);
    let run = |worker: usize| {
        // Where an abort leaves no message, the number of the input stands here.
        let record = format!("{}/input_of_worker_{worker}", env!("CARGO_TARGET_TMPDIR"));
        let (mut slowest, mut largest) = ((Cost::default(), 0), (Cost::default(), 0));
        let (mut valid, mut slow) = (0, 0);
        loop {
            let case = next.fetch_add(1, Ordering::Relaxed);
            if case >= end {
                return (slowest, largest, valid, slow);
            }
            let call = input(case);
            if asked.is_some() {
                std::fs::write(&record, case.to_string()).expect("a writable folder");
            }
            let cost = std::panic::catch_unwind(|| expand(&call))
                .unwrap_or_else(|_| panic!("input {case}: {call:?}"));
            if asked.is_some() && (cost.time.as_secs() >= 10 || cost.bytes >= 1 << 30) {
                eprintln!("input {case} takes {cost:?}: {call:?}");
                slow += 1;
            }
            valid += u64::from(cost.items);
            slowest = std::cmp::max_by_key(slowest, (cost, case), |it| it.0.time);
            largest = std::cmp::max_by_key(largest, (cost, case), |it| it.0.bytes);
        }
    };
    let workers = asked.map_or(1, |_| {
        std::thread::available_parallelism().map_or(1, usize::from)
    });
    let results: Vec<_> = std::thread::scope(|scope| {
        // The stack of rustc's own threads.
        let worker = || std::thread::Builder::new().stack_size(8 << 20);
        let workers = (0..workers).map(|i| {
            let run = &run;
            worker()
                .spawn_scoped(scope, move || run(i))
                .expect("a thread")
        });
        let workers: Vec<_> = workers.collect();
        let results = workers.into_iter().map(|it| it.join().expect("no panic"));
        results.collect()
    });
    let valid: u64 = results.iter().map(|it| it.2).sum();
    for (slowest, largest, ..) in &results {
        println!("slowest {slowest:?}, largest {largest:?}");
    }
    println!("{valid} of {} expand without a message", end - first);
    assert!(4 * valid > end - first);
    assert_eq!(results.iter().map(|it| it.3).sum::<u64>(), 0);
}
