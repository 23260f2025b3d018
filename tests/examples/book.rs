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

use crate::figures::compare;

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
            // The gallery links to sources, which are read where the page is.
            let source = path == "docs/examples.md" && target.starts_with("../examples/");
            assert!(
                source || inside && !target.starts_with("../"),
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

/// The pages name the numbers of contacts up to which a `World` solves a group more accurately, as they are in the code.
#[test]
fn limits_of_contacts_are_those_of_the_code() {
    crate::at_root();
    let limits = [
        ("settling", "MOST_ACCELERATED"),
        ("coupled", "MOST_COUPLED"),
    ];
    let limits = limits.map(|(file, name)| {
        let path = format!("constraint-runtime/src/world/{file}.rs");
        let text = fs::read_to_string(&path).expect("the code");
        let (_, value) = text
            .split_once(&format!("const {name}: usize = "))
            .expect(name);
        let (value, _) = value.split_once(';').expect("a constant");
        format!("up to {value}")
    });
    for page in ["bodies", "games", "limits"] {
        let text = fs::read_to_string(format!("docs/{page}.md")).expect("the page");
        let text = text.to_lowercase();
        let missing = limits.iter().find(|it| !text.contains(it.as_str()));
        assert_eq!(missing, None, "{page}");
    }
}

/// What the page of refusals lists is refused: by the engine, or before it, since it is no Rust.
#[test]
fn the_refused_is_refused() {
    crate::at_root();
    let page = fs::read_to_string("docs/refused.md").expect("the page");
    let constraints = [
        "foot.y > 0",
        "max(0, -y) == 0",
        "0 < x < 1",
        "x^2 + y^2 = 1",
        "a == b && c == d",
        "x**2",
        "x²",
        "√x",
        "≥",
        "30°",
        "π",
        "2x",
        "sin x",
        "|x|",
        "arcsin(x)",
        "log(x)",
        "x'",
        "1.5f64",
    ];
    for text in constraints {
        let shown = format!("`{}`", text.replace('|', "\\|"));
        assert!(page.contains(&shown), "{shown} is not listed");
        // As a row of its own, or where a number may be.
        for text in [text.to_owned(), format!("x == {text}")] {
            let tokens = text.parse::<proc_macro2::TokenStream>();
            let accepted = tokens.is_ok_and(|it| compile::analyze(it).is_ok());
            assert!(!accepted, "{text}");
        }
    }
    for statement in ["input u = 3;", "for x in list"] {
        assert!(page.contains(&format!("`{statement}`")), "{statement}");
        let text = format!("pub struct S; coordinate x; {statement}");
        assert!(
            compile::analyze_system(text.parse().expect("tokens")).is_err(),
            "{statement}"
        );
    }
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
    struct Wire;
    |x, y| y == x^2/100
}

/// The same call as text, for the engine.
const WIRE: &str = "pub struct Wire; |x, y| y == x^2/100";

/// The colours of one of the two pictures.
struct Theme {
    path: &'static str,
    card: &'static str,
    border: &'static str,
    ink: &'static str,
    muted: &'static str,
    code: &'static str,
    force: &'static str,
}

const THEMES: [Theme; 2] = [
    Theme {
        path: "docs/picture.svg",
        card: "#f6f8fa",
        border: "#d0d7de",
        ink: "#1f2328",
        muted: "#59636e",
        code: "#0a3069",
        force: "#c4320a",
    },
    Theme {
        path: "docs/picture_dark.svg",
        card: "#161b22",
        border: "#3d444d",
        ink: "#e6edf3",
        muted: "#9198a1",
        code: "#a5d6ff",
        force: "#ff8a5c",
    },
];

/// The README's picture, light and dark: the equation, the function generated for its force, and the bead that it moves,
/// four times as fast, with the constraint force and the weight as arrows.
#[test]
fn the_picture_is_of_what_is_generated_and_moves() {
    crate::at_root();
    let readme = fs::read_to_string("README.md").expect("the README");
    for theme in THEMES {
        assert!(readme.contains(theme.path), "{} is not shown", theme.path);
        compare(theme.path, &picture(&theme));
    }
}

/// Lines of text, one below the other; the columns of a matrix stay apart.
fn lines<'a>(x: u32, y: u32, height: u32, texts: impl IntoIterator<Item = &'a str>) -> String {
    let texts = texts.into_iter().zip(0..);
    let lines = texts.map(|(text, i)| {
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        let text = text.replace("   ", "\u{2003}").replace(
            "v_x²",
            "v<tspan dy=\"5\" font-size=\"14\">x</tspan><tspan dy=\"-5\">²</tspan>",
        );
        format!("<text x=\"{x}\" y=\"{}\">{text}</text>\n", y + height * i)
    });
    lines.collect()
}

fn picture(theme: &Theme) -> String {
    let Theme {
        card,
        border,
        ink,
        muted,
        code,
        force,
        ..
    } = theme;
    let function = particle_force(WIRE.parse().expect("these are tokens"));
    let body = function.lines().map(str::trim).filter(|it| {
        let begins = ["let delassus", "let lambda", "Ok("];
        begins.iter().any(|begin| it.starts_with(begin))
    });
    let entries = Wire::DERIVATION.to_string();
    let equations = entries.lines().filter(|it| {
        let begins = ["C =", "J =", "β ="];
        begins.iter().any(|begin| it.starts_with(begin))
    });
    let count = Wire::DERIVATION.entry("particle_force").cost.to_string();
    let count = count.split(':').next().expect("a number of operations");
    let card = |y: u32, height: u32| {
        format!(
            "<rect x=\"1\" y=\"{y}\" width=\"838\" height=\"{height}\" rx=\"8\" fill=\"{card}\" stroke=\"{border}\"/>\n"
        )
    };
    let down = |y: u32, label: &str| {
        format!(
            "<path d=\"M420 {y}v20m-6 -7l6 7l6 -7\" fill=\"none\" stroke=\"{muted}\" stroke-width=\"2\"/>\n\
             <text x=\"438\" y=\"{}\" fill=\"{muted}\">{label}</text>\n",
            y + 15
        )
    };
    let mono = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 840 484\" font-size=\"17\" \
         font-family=\"-apple-system, 'Segoe UI', Helvetica, Arial, sans-serif\">\n\
         {}{}{}\
         <g font-family=\"{mono}\" font-size=\"17.5\" fill=\"{code}\">\n{}{}</g>\n\
         {}{}\
         <g font-family=\"Georgia, 'Times New Roman', serif\" font-size=\"22\" fill=\"{ink}\">\n{}</g>\n\
         <path d=\"M26 442h30m-8 -5l8 5l-8 5\" fill=\"none\" stroke=\"{force}\" stroke-width=\"3\"/>\n\
         <text x=\"66\" y=\"448\" fill=\"{muted}\">constraint force</text>\n\
         <path d=\"M226 442h30m-8 -5l8 5l-8 5\" fill=\"none\" stroke=\"{muted}\" stroke-width=\"3\"/>\n\
         <text x=\"266\" y=\"448\" fill=\"{muted}\">weight</text>\n\
         {}</svg>\n",
        card(1, 46),
        card(79, 122),
        card(233, 250),
        lines(
            24,
            30,
            0,
            ["constraint! { pub struct Wire; |x, y| y == x^2/100 }"]
        ),
        lines(
            24,
            107,
            26,
            [&*format!("// particle_force: {count}")]
                .into_iter()
                .chain(body)
        ),
        down(53, "cargo build"),
        down(207, "cargo run"),
        lines(24, 276, 40, equations),
        moving(theme),
    )
}

/// The wire and the bead on it, from rest to rest and back.
fn moving(theme: &Theme) -> String {
    const MASS: f64 = 2.0;
    const WEIGHT: f64 = 9.81 * MASS;
    let bead = || Particle::new(MASS).on(Wire).under_gravity([0.0, -9.81]);
    let start = State::new(0.0, [-100.0, 100.0], [0.0, 0.0]);
    let run = Simulation::new(bead(), start, DormandPrince::new(1e-9, 1e-9)).unwrap();
    let mut run = run.until(Crossing::Falling, |state| state.v.x);
    run.run_until(60.0).unwrap();
    let half = run.state().t;
    let mut run = Simulation::new(bead(), start, DormandPrince::new(1e-9, 1e-9)).unwrap();
    let samples = run.sample(0.0..=half, half / 40.0).map(Result::unwrap);
    // On paper: the bead, then the tips of the arrows.
    let scene = samples.map(|it| {
        let (q, v) = (it.coordinates, it.velocities);
        let [x, y] = [620.0 + 1.9 * q[0], 446.0 - 1.9 * q[1]];
        let weight = [0.0, -WEIGHT].into();
        let pull: Vector2<f64> = Wire.particle_force(0.0, &q, &v, MASS, &weight).unwrap();
        [
            x,
            y,
            x + 1.3 * pull.x,
            y - 1.3 * pull.y,
            x,
            y + 1.3 * WEIGHT,
        ]
    });
    let there: Vec<[f64; 6]> = scene.collect();
    // It begins in full swing: where nothing moves, both arrows show.
    let period: Vec<&[f64; 6]> = there[1..].iter().chain(there[..40].iter().rev()).collect();
    let frames: Vec<&[f64; 6]> = period.iter().copied().cycle().skip(14).take(81).collect();
    let animate = |attribute: &str, i: usize| {
        let values: Vec<String> = frames.iter().map(|it| format!("{:.1}", it[i])).collect();
        format!(
            "<animate attributeName=\"{attribute}\" dur=\"{:.2}s\" repeatCount=\"indefinite\" values=\"{}\"/>\n",
            2.0 * half / 4.0,
            values.join(";")
        )
    };
    let arrow = |colour: &str, name: &str, tip: usize| {
        let [x, y] = [frames[0][0], frames[0][1]];
        let [to_x, to_y] = [frames[0][tip], frames[0][tip + 1]];
        format!(
            "<marker id=\"{name}\" viewBox=\"0 0 8 8\" refX=\"5\" refY=\"4\" markerWidth=\"4\" markerHeight=\"4\" \
             orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"{colour}\"/></marker>\n\
             <line x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{to_x:.1}\" y2=\"{to_y:.1}\" stroke=\"{colour}\" stroke-width=\"3\" \
             marker-end=\"url(#{name})\">\n{}{}{}{}</line>\n",
            animate("x1", 0),
            animate("y1", 1),
            animate("x2", tip),
            animate("y2", tip + 1),
        )
    };
    // A parabola is a Bézier curve of degree two; its control point lies on the tangents at the ends.
    format!(
        "<path d=\"M430 256Q620 636 810 256\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n{}{}\
         <circle r=\"8\" cx=\"{:.1}\" cy=\"{:.1}\" fill=\"{}\">\n{}{}</circle>\n",
        theme.muted,
        arrow(theme.muted, "weight", 4),
        arrow(theme.force, "force", 2),
        frames[0][0],
        frames[0][1],
        theme.ink,
        animate("cx", 0),
        animate("cy", 1),
    )
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

    let emitted = particle_force(tokens);
    [parsed, lowered, equations, scheduled, emitted]
}

/// The function that a call of `constraint!` expands to for the force on one particle.
fn particle_force(tokens: proc_macro2::TokenStream) -> String {
    let file = syn::parse2(compile::constraint(tokens)).expect("the expansion");
    let expansion = prettyplease::unparse(&file);
    let from = expansion.find("fn particle_force(").expect("the function");
    let indent = &expansion[expansion[..from].rfind('\n').expect("a line") + 1..from];
    let end = format!("\n{indent}}}\n");
    let (function, _) = expansion[from..].split_once(&end).expect("its end");
    let lines = function.lines().chain(["}"]);
    let lines = lines.map(|line| format!("{}\n", line.strip_prefix(indent).unwrap_or(line)));
    lines.collect()
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
