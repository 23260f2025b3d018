//! The book: its links lead somewhere, its pages are listed, the files it names are there, and what it shows of the engine is
//! what the engine prints.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use constraint_runtime::prelude::*;
use constraint_symbolic::compile;
use constraint_symbolic::constraint::Quantity;
use constraint_symbolic::diagnostic::Diagnostics;
use constraint_symbolic::expr::{ExprId, Graph, Node};
use constraint_symbolic::model::{self, Symbol};
use constraint_symbolic::schedule::{Op, Program, Statement, ValueId};
use constraint_symbolic::syntax::ast::{Expr, ExprKind};
use constraint_symbolic::{constraint, syntax};

/// All pages of text, with their paths.
fn pages() -> Vec<(String, String)> {
    let beside = [
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "BENCHMARKS.md",
        "RELEASING.md",
        "SECURITY.md",
        "constraint-cli/README.md",
        "constraint-macros/README.md",
        "constraint-macros/symbolic/README.md",
        "constraint-runtime/README.md",
    ];
    let book = fs::read_dir("docs").expect("the book");
    let book = book.map(|it| it.expect("an entry").path());
    let book = book.filter(|it| it.extension().is_some_and(|it| it == "md"));
    let book = book.map(|it| it.to_str().expect("a path").to_owned());
    let paths = beside.map(str::to_owned).into_iter().chain(book);
    paths
        .map(|path| {
            let text = fs::read_to_string(&path).expect("a page");
            (path, text)
        })
        .collect()
}

/// A page without its blocks of code.
fn prose(text: &str) -> String {
    let mut fence = None;
    let lines = text.lines().filter(|line| {
        let ticks = line.chars().take_while(|&c| c == '`').count();
        match fence {
            None if ticks >= 3 => fence = Some(ticks),
            Some(open) if ticks >= open => fence = None,
            Some(_) => {}
            None => return true,
        }
        false
    });
    lines.map(|line| format!("{line}\n")).collect()
}

/// What a heading is called in links.
fn anchor(heading: &str) -> String {
    let heading = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = heading.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        '-' | '_' => Some(c),
        _ => c.is_alphanumeric().then_some(c),
    });
    kept.collect()
}

#[test]
fn every_link_leads_somewhere() {
    crate::at_root();
    let mut links = 0;
    for (path, text) in pages() {
        let prose = prose(&text);
        let targets = prose.split("](").skip(1);
        for target in targets.filter_map(|rest| rest.split(')').next()) {
            if target.starts_with("http") {
                continue;
            }
            links += 1;
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let file = match file {
                "" => path.clone(),
                _ => {
                    let folder = Path::new(&path).parent().expect("a folder");
                    folder.join(file).to_str().expect("a path").to_owned()
                }
            };
            assert!(Path::new(&file).exists(), "{path}: {target}");
            let inside = !path.starts_with("docs/") || file.starts_with("docs/");
            assert!(
                inside && !target.starts_with("../"),
                "{path}: {target} is not in the book"
            );
            if !heading.is_empty() {
                let there = fs::read_to_string(&file).expect("a page");
                let mut headings = there.lines().filter(|line| line.starts_with('#'));
                assert!(headings.any(|it| anchor(it) == heading), "{path}: {target}");
            }
        }
    }
    assert!(links > 30, "{links}");
}

#[test]
fn the_summary_lists_all_pages() {
    crate::at_root();
    let summary = fs::read_to_string("docs/SUMMARY.md").expect("the summary");
    let listed = summary
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next());
    let listed: BTreeSet<String> = listed.map(|it| format!("docs/{it}")).collect();
    let there = pages().into_iter().map(|(path, _)| path);
    let there = there.filter(|it| it.starts_with("docs/") && it != "docs/SUMMARY.md");
    assert_eq!(listed, there.collect());
}

/// Files and folders of the repository that stand in code are there; every example is told of.
#[test]
fn the_files_that_are_named_are_there() {
    crate::at_root();
    let folders = ["examples/", "tests/", "benches/", "docs/", "constraint-"];
    let mut told = BTreeSet::new();
    for (path, text) in pages() {
        if path == "CHANGELOG.md" || path == "CONTRIBUTING.md" {
            continue; // history, and paths that are shortened
        }
        let prose = prose(&text);
        for code in prose.split('`').skip(1).step_by(2) {
            let plain = code.contains('/')
                && !code.contains(|c: char| c.is_whitespace() || "*<{".contains(c));
            if plain && folders.iter().any(|it| code.starts_with(it)) {
                assert!(Path::new(code).exists(), "{path}: `{code}`");
                told.insert(code.to_owned());
            }
        }
    }
    for entry in fs::read_dir("examples").expect("the examples") {
        let path = entry.expect("an entry").path();
        let name = path.to_str().expect("a path");
        assert!(
            !name.ends_with(".rs") || told.contains(name),
            "{name} is on no page"
        );
    }
}

/// Compares a file with what belongs into it; `BOOK=write` puts it there.
fn compare(path: &str, expected: &str) {
    let there = fs::read_to_string(path).unwrap_or_default();
    if std::env::var_os("BOOK").is_some() {
        fs::write(path, expected).expect("the file is written");
    }
    assert!(
        there == expected,
        "BOOK=write puts this into {path}:\n{expected}"
    );
}

const EQUATION: &str = "pub struct Parabola; |x, y| x*x + 100*y";

/// `docs/engine.md` shows one block after the other; `BOOK=write` puts them there.
#[test]
fn the_stages_are_shown_as_they_are() {
    crate::at_root();
    const PAGE: &str = "docs/engine.md";
    let page = fs::read_to_string(PAGE).expect("the page");
    let mut written = String::new();
    let mut rest = page.as_str();
    for block in stages() {
        let (before, from) = rest
            .split_once("```text\n")
            .expect("a block for each stage");
        let (_, after) = from.split_once("```\n").expect("its end");
        written += &format!("{before}```text\n{block}```\n");
        rest = after;
    }
    written += rest;
    compare(PAGE, &written);
}

constraint! {
    struct Parabola;
    |x, y| x*x + 100*y
}

/// `docs/picture.svg`: the equation, what is generated for the force, and the bead as it moves, four times as fast.
#[test]
fn the_picture_is_of_what_is_generated_and_moves() {
    crate::at_root();
    let [.., emitted] = stages();
    let code = emitted.lines().filter(|it| {
        ["let delassus", "let lambda", "Ok("]
            .iter()
            .any(|begin| it.trim().starts_with(begin))
    });
    let code: Vec<&str> = code.map(str::trim).collect();
    let entries = Parabola::DERIVATION.to_string();
    let equations = entries.lines().filter(|it| {
        ["C =", "J =", "β ="]
            .iter()
            .any(|begin| it.starts_with(begin))
    });
    let equations: Vec<&str> = equations.collect();

    let bead = || Particle::new(2.0).on(Parabola).under_gravity([0.0, 9.81]);
    let start = State::new(0.0, [-100.0, -100.0], [0.0, 0.0]);
    let run = Simulation::new(bead(), start, DormandPrince::new(1e-9, 1e-9)).unwrap();
    let mut run = run.until(Crossing::Falling, |state| state.v.x);
    run.run_until(60.0).unwrap();
    let half = run.state().t; // from rest to rest
    let mut run = Simulation::new(bead(), start, DormandPrince::new(1e-9, 1e-9)).unwrap();
    let samples = run.sample(0.0..=half, half / 40.0);
    let there: Vec<[f64; 2]> = samples.map(|it| it.unwrap().coordinates.into()).collect();
    let back = there.iter().rev().skip(1);
    let places: Vec<[f64; 2]> = there.iter().chain(back).copied().collect();
    let [across, down] = [0, 1].map(|i| {
        let [shift, scale] = [[800.0, 1.6], [210.0, 1.6]][i];
        let values = places
            .iter()
            .map(|it| format!("{:.1}", shift + scale * it[i]));
        values.collect::<Vec<String>>().join(";")
    });
    let seconds = 2.0 * half / 4.0;

    let lines = |x: u32, y: u32, texts: &[&str]| -> String {
        let texts = texts.iter().enumerate();
        let lines = texts.map(|(i, text)| {
            let text = text.replace('&', "&amp;").replace('<', "&lt;");
            // Columns stay apart, and v_x is written as on paper.
            let text = text.replace("   ", "\u{2003}").replace(
                "v_x²",
                "v<tspan dy=\"5\" font-size=\"13\">x</tspan><tspan dy=\"-5\">²</tspan>",
            );
            format!(
                "<text x=\"{x}\" y=\"{}\">{text}</text>\n",
                y + 24 * i as u32
            )
        });
        lines.collect()
    };
    // A parabola is a Bézier curve of degree two; its control point lies on the tangents at the ends.
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1000 270\" font-size=\"15\">\n\
         <rect width=\"1000\" height=\"270\" rx=\"8\" fill=\"#fbfbf8\"/>\n\
         <g font-family=\"serif\" font-size=\"19\" fill=\"#222\">\n{}</g>\n\
         <g font-family=\"monospace\" font-size=\"12\" fill=\"#22557a\">\n{}</g>\n\
         <path d=\"M640 50 Q800 370 960 50\" fill=\"none\" stroke=\"#888\" stroke-width=\"2\"/>\n\
         <circle r=\"9\" cx=\"640\" cy=\"50\" fill=\"#b5402a\">\n\
         <animate attributeName=\"cx\" dur=\"{seconds:.2}s\" repeatCount=\"indefinite\" values=\"{across}\"/>\n\
         <animate attributeName=\"cy\" dur=\"{seconds:.2}s\" repeatCount=\"indefinite\" values=\"{down}\"/>\n\
         </circle>\n</svg>\n",
        lines(30, 60, &[&["x² + 100 y = 0", ""], &equations[..]].concat()),
        lines(30, 212, &code),
    );
    compare("docs/picture.svg", &svg);
}

/// What each stage makes of the equation.
fn stages() -> [String; 5] {
    let tokens: proc_macro2::TokenStream = EQUATION.parse().expect("these are tokens");
    let mut diagnostics = Diagnostics::default();
    let tree = syntax::parse(tokens.clone(), &mut diagnostics).expect("a tree");
    let mut parsed = String::new();
    write_tree(&tree.body, 0, &mut parsed);

    let model = model::lower(&tree, &mut diagnostics).expect("a model");
    let roots = model.rows.iter().map(|row| row.root);
    let lowered = nodes(&model.graph, &model.symbols, roots.collect());

    let derived = constraint::derive(model, &mut diagnostics).expect("derived");
    let (graph, symbols) = (&derived.model.graph, &derived.model.symbols);
    let quantities = [
        ("C", Quantity::Value),
        ("J", Quantity::Jacobian),
        ("Ċ", Quantity::Rate),
        ("β", Quantity::Bias),
        ("f̂(m)", Quantity::ParticleForce),
    ];
    let roots = quantities.map(|(name, quantity)| (name, derived.expressions(quantity)));
    let mut equations = nodes(
        graph,
        symbols,
        roots.iter().flat_map(|it| it.1.clone()).collect(),
    );
    for (name, ids) in roots {
        let ids: Vec<String> = ids.into_iter().map(id).collect();
        equations += &format!("{name} = {}\n", ids.join(", "));
    }

    let program = derived.plain_program(&[Quantity::ParticleForce]);
    let scheduled = listing(&program, symbols);

    let file = syn::parse2(compile::constraint(tokens)).expect("the expansion");
    let expansion = prettyplease::unparse(&file);
    let from = expansion.find("fn particle_force(").expect("the function");
    let indent = &expansion[expansion[..from].rfind('\n').expect("a line") + 1..from];
    let end = format!("\n{indent}}}\n");
    let (function, _) = expansion[from..].split_once(&end).expect("its end");
    let lines = function.lines().chain(["}"]);
    let emitted = lines.map(|line| format!("{}\n", line.strip_prefix(indent).unwrap_or(line)));
    [parsed, lowered, equations, scheduled, emitted.collect()]
}

fn write_tree(expr: &Expr, depth: usize, out: &mut String) {
    let mut children: Vec<(&str, &Expr)> = Vec::new();
    let name = match &expr.kind {
        ExprKind::Number(digits) => format!("number {digits}"),
        ExprKind::Name(name) => format!("name {name}"),
        ExprKind::Sum(terms) => {
            let terms = terms.iter();
            children.extend(terms.map(|it| (if it.negative { "− " } else { "+ " }, &it.value)));
            "sum".into()
        }
        ExprKind::Product(factors) => {
            let factors = factors.iter();
            children.extend(factors.map(|it| (if it.inverse { "/ " } else { "· " }, &it.value)));
            "product".into()
        }
        other => unreachable!("not in the equation: {other:?}"),
    };
    *out += &format!("{name}\n");
    for (sign, child) in children {
        *out += &format!("{:1$}{sign}", "", 2 * (depth + 1));
        write_tree(child, depth + 1, out);
    }
}

fn id(id: ExprId) -> String {
    format!("e{}", id.index())
}

/// The nodes that these are made of, operands first.
fn nodes(graph: &Graph, symbols: &[Symbol], roots: Vec<ExprId>) -> String {
    let reached = graph.reachable(roots);
    let lines = reached.into_iter().map(|it| {
        let told = match graph.node(it) {
            Node::Number(number) => number.to_string(),
            Node::Symbol(symbol) => symbols[symbol.index()].name.clone(),
            Node::Sum { constant, terms } => {
                let terms = terms.iter().map(|(term, c)| match c.to_string().as_str() {
                    "1" => id(*term),
                    "-1" => format!("−{}", id(*term)),
                    c => format!("{} {}", c.replace('-', "−"), id(*term)),
                });
                let constant = (constant.to_string() != "0").then(|| constant.to_string());
                let terms: Vec<String> = terms.chain(constant).collect();
                terms.join(" + ").replace("+ −", "− ")
            }
            Node::Product(factors) => {
                let factors = factors.iter().map(|(base, exponent)| match exponent {
                    1 => id(*base),
                    e => format!("{}^{e}", id(*base)).replace('-', "−"),
                });
                factors.collect::<Vec<String>>().join(" · ")
            }
            other => unreachable!("not in the equation: {other:?}"),
        };
        format!("{:<4}= {told}\n", id(it))
    });
    lines.collect()
}

/// Statements, results and the count of a program.
fn listing(program: &Program, symbols: &[Symbol]) -> String {
    let name_of = |value: ValueId| {
        program.statements.iter().find_map(|it| match it {
            Statement::Let { value: bound, name } if *bound == value => Some(name.clone()),
            _ => None,
        })
    };
    fn told(
        program: &Program,
        symbols: &[Symbol],
        name_of: &dyn Fn(ValueId) -> Option<String>,
        value: ValueId,
        whole: bool,
    ) -> String {
        if let (false, Some(name)) = (whole, name_of(value)) {
            return name;
        }
        let part = |value: &ValueId| told(program, symbols, name_of, *value, false);
        match &program.values[value.index()] {
            Op::Input(symbol) => symbols[symbol.index()].name.clone(),
            Op::Number(number) => number.to_string(),
            Op::Add(a, b) => format!("({} + {})", part(a), part(b)),
            Op::Sub(a, b) => format!("({} − {})", part(a), part(b)),
            Op::Mul(a, b) => format!("({} · {})", part(a), part(b)),
            Op::Div(a, b) => format!("({} / {})", part(a), part(b)),
            Op::Neg(a) => format!("(−{})", part(a)),
            other => unreachable!("not in the program: {other:?}"),
        }
    }
    let mut out = String::new();
    for statement in &program.statements {
        match statement {
            Statement::Let { value, name } => {
                let value = told(program, symbols, &name_of, *value, true);
                out += &format!("{name} = {value}\n");
            }
            Statement::Guard(guard) => {
                let pivot = told(program, symbols, &name_of, guard.pivot, false);
                out += &format!("unless {pivot} > 0: row {} is singular\n", guard.row);
            }
            Statement::SinCos { .. } => unreachable!("no angle is in the equation"),
        }
    }
    for &output in &program.outputs {
        out += &format!("→ {}\n", told(program, symbols, &name_of, output, false));
    }
    out + &format!("{}\n", program.count)
}
