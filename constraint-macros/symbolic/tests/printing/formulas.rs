//! Expressions as text, LaTeX and MathML: tables of expected strings, derived by hand.

use constraint_symbolic::call::{Reader, calls};
use constraint_symbolic::compile::{
    analyze, analyze_curve, analyze_system, curve_mathml, derivation_mathml, system_mathml,
};
use constraint_symbolic::emit;
use constraint_symbolic::expr::{Comparison, ExprId, Function, Graph, Number, SymbolId};
use constraint_symbolic::formula::listing::{Listing, list};
use constraint_symbolic::formula::printed::Printed;
use constraint_symbolic::formula::{Formula, latex, mathml, text};
use constraint_symbolic::function::Entry;
use constraint_symbolic::model::Model;

const NAMES: [&str; 12] = [
    "x", "y", "z", "m", "v_x", "v_y", "f_x", "f_y", "a.x", "b.x", "lambda", "length",
];

/// The derivation of the inside of a call.
fn entries(source: &str) -> Vec<Entry> {
    let call = calls(source.parse().expect("tokens")).swap_remove(0);
    let entries = call.certified(Reader::Program, |it| it.entries());
    entries.expect("a valid call")
}

fn leaf(id: SymbolId) -> String {
    NAMES[id.index()].to_string()
}

/// A graph with its leaves; `g.s("x")` is a leaf by name.
struct Table {
    graph: Graph,
}

impl Table {
    fn new() -> Table {
        let mut graph = Graph::new();
        for index in 0..NAMES.len() {
            graph.symbol(SymbolId::new(index));
        }
        Table { graph }
    }

    fn s(&mut self, name: &str) -> ExprId {
        let index = NAMES.iter().position(|&n| n == name).expect("a leaf");
        self.graph.symbol(SymbolId::new(index))
    }

    fn n(&mut self, numerator: i128, denominator: i128) -> ExprId {
        self.graph.number(Number::ratio(numerator, denominator))
    }

    /// Σ coefficient·term
    fn sum(&mut self, terms: &[(i128, ExprId)]) -> ExprId {
        let terms: Vec<_> = terms
            .iter()
            .map(|&(c, id)| (id, Number::integer(c)))
            .collect();
        self.graph.sum(&terms)
    }

    fn list(&self, roots: &[ExprId]) -> Listing {
        list(&self.graph, &leaf, &[], roots, 10_000)
    }

    fn formula(&self, root: ExprId) -> Formula {
        let listing = self.list(&[root]);
        assert!(listing.definitions.is_empty() && listing.omitted == 0);
        listing
            .results
            .into_iter()
            .next()
            .expect("one root, one result")
    }
}

type Build = fn(&mut Table) -> ExprId;

/// Expression, text, LaTeX.
const FORMULAS: &[(Build, &str, &str)] = &[
    (|t| t.n(0, 1), "0", "0"),
    (|t| t.n(-7, 6), "−7/6", r"-\frac{7}{6}"),
    (|t| t.n(981, 100), "9.81", "9.81"),
    (|t| t.n(1, 10), "1/10", r"\frac{1}{10}"),
    (|t| t.graph.number(Number::float(0.123)), "0.123", "0.123"),
    (
        |t| t.graph.number(Number::float(1.5e-9)),
        "1.5·10⁻⁹",
        r"1.5 \cdot 10^{-9}",
    ),
    (
        |t| t.graph.number(Number::float(-1e30)),
        "−10³⁰",
        "-10^{30}",
    ),
    (
        |t| t.graph.number(Number::integer(2) * Number::PI),
        "2 π",
        r"2 \pi",
    ),
    // 5 √6 π/12, 3/(2 π²)
    (
        |t| {
            let root = Number::ratio(25, 24).sqrt().expect("exact");
            t.graph.number(root * Number::PI)
        },
        "5 π √(6)/12",
        r"\frac{5 \pi \sqrt{6}}{12}",
    ),
    (
        |t| t.graph.number(Number::ratio(-3, 2) * Number::PI.powi(-2)),
        "−3/(2 π²)",
        r"-\frac{3}{2 \pi^{2}}",
    ),
    (|t| t.s("v_x"), "v_x", "v_{x}"),
    (|t| t.s("a.x"), "a.x", "a_{x}"),
    (|t| t.s("lambda"), "lambda", r"\lambda"),
    (|t| t.s("length"), "length", r"\mathrm{length}"),
    // x² + 100 y
    (
        |t| {
            let (x, y) = (t.s("x"), t.s("y"));
            let square = t.graph.powi(x, 2);
            t.sum(&[(1, square), (100, y)])
        },
        "x² + 100 y",
        "x^{2} + 100 y",
    ),
    // The first positive term leads, higher powers before lower ones.
    (
        |t| {
            let x = t.s("x");
            let powers = [1, 2, 4].map(|e| t.graph.powi(x, e));
            let sum = t.sum(&[(5, powers[0]), (-7, powers[1]), (1, powers[2])]);
            t.graph.offset(sum, Number::integer(3))
        },
        "x⁴ − 7 x² + 5 x + 3",
        "x^{4} - 7 x^{2} + 5 x + 3",
    ),
    (
        |t| {
            let (x, y) = (t.s("x"), t.s("y"));
            t.sum(&[(-2, x), (1, y)])
        },
        "y − 2 x",
        "y - 2 x",
    ),
    (
        |t| {
            let x = t.s("x");
            let square = t.graph.powi(x, 2);
            let negative = t.graph.neg(square);
            t.graph.offset(negative, Number::ONE)
        },
        "1 − x²",
        "1 - x^{2}",
    ),
    (
        |t| {
            let x = t.s("x");
            t.graph.neg(x)
        },
        "−x",
        "-x",
    ),
    // −x² is −(x²); the sign of −(x + y) goes to its terms.
    (
        |t| {
            let x = t.s("x");
            let square = t.graph.powi(x, 2);
            t.graph.neg(square)
        },
        "−x²",
        "-x^{2}",
    ),
    (
        |t| {
            let (x, y) = (t.s("x"), t.s("y"));
            let sum = t.graph.add(x, y);
            t.graph.neg(sum)
        },
        "−x − y",
        "-x - y",
    ),
    // 7/6 x y² − z
    (
        |t| {
            let (x, y, z) = (t.s("x"), t.s("y"), t.s("z"));
            let product = t.graph.product(&[(x, 1), (y, 2)]);
            t.graph
                .sum(&[(product, Number::ratio(7, 6)), (z, Number::MINUS_ONE)])
        },
        "7 x y²/6 − z",
        r"\frac{7 x y^{2}}{6} - z",
    ),
    // Products of quotients are one fraction.
    (
        |t| {
            let (x, y, z, m) = (t.s("x"), t.s("y"), t.s("z"), t.s("m"));
            t.graph.product(&[(x, 1), (y, -1), (z, -2), (m, 3)])
        },
        "x m³/(y z²)",
        r"\frac{x m^{3}}{y z^{2}}",
    ),
    (
        |t| {
            let x = t.s("x");
            let inverse = t.graph.powi(x, -1);
            t.graph.scale(inverse, Number::ratio(-1, 2))
        },
        "−1/(2 x)",
        r"-\frac{1}{2 x}",
    ),
    // Letters stand before brackets.
    (
        |t| {
            let (x, y, z) = (t.s("x"), t.s("y"), t.s("z"));
            let sum = t.graph.add(x, y);
            let product = t.graph.mul(sum, z);
            t.graph.scale(product, Number::integer(2))
        },
        "2 z (x + y)",
        r"2 z \left(x + y\right)",
    ),
    // The multiplier of the parabola.
    (
        |t| {
            let (m, vx, x) = (t.s("m"), t.s("v_x"), t.s("x"));
            let (fx, fy) = (t.s("f_x"), t.s("f_y"));
            let square = t.graph.powi(x, 2);
            let kinetic = t.graph.product(&[(m, 1), (vx, 2)]);
            let work = t.graph.mul(x, fx);
            let numerator = t.sum(&[(1, kinetic), (1, work), (50, fy)]);
            let denominator = t.graph.offset(square, Number::integer(2500));
            let quotient = t.graph.div(numerator, denominator);
            t.graph.neg(quotient)
        },
        "−(m v_x² + x f_x + 50 f_y)/(x² + 2500)",
        r"-\frac{m v_{x}^{2} + x f_{x} + 50 f_{y}}{x^{2} + 2500}",
    ),
    // Roots and half powers.
    (
        |t| {
            let (x, y) = (t.s("x"), t.s("y"));
            let squares = [t.graph.powi(x, 2), t.graph.powi(y, 2)];
            let sum = t.graph.add(squares[0], squares[1]);
            let root = t.graph.call(Function::Sqrt, &[sum]);
            t.graph.div(x, root)
        },
        "x/√(x² + y²)",
        r"\frac{x}{\sqrt{x^{2} + y^{2}}}",
    ),
    (
        |t| {
            let (x, y) = (t.s("x"), t.s("y"));
            let sum = t.graph.add(x, y);
            let root = t.graph.call(Function::Sqrt, &[sum]);
            t.graph.powi(root, -3)
        },
        "1/(x + y)^(3/2)",
        r"\frac{1}{\left(x + y\right)^{\frac{3}{2}}}",
    ),
    (
        |t| {
            let x = t.s("x");
            let root = t.graph.call(Function::Cbrt, &[x]);
            t.graph.powi(root, 2)
        },
        "∛(x)²",
        r"\left(\sqrt[3]{x}\right)^{2}",
    ),
    // Functions.
    (
        |t| {
            let x = t.s("x");
            let sine = t.graph.call(Function::Sin, &[x]);
            t.graph.powi(sine, 2)
        },
        "sin(x)²",
        r"\sin^{2}\left(x\right)",
    ),
    (
        |t| {
            let (x, y) = (t.s("x"), t.s("y"));
            let angle = t.graph.call(Function::Atan2, &[y, x]);
            let size = t.graph.call(Function::Abs, &[x]);
            t.graph.mul(angle, size)
        },
        "atan2(y, x) |x|",
        r"\operatorname{atan2}\left(y, x\right) \left|x\right|",
    ),
    (
        |t| {
            let (x, y) = (t.s("x"), t.s("y"));
            let inner = t.graph.call(Function::Abs, &[x]);
            let sum = t.graph.add(inner, y);
            t.graph.call(Function::Abs, &[sum])
        },
        "abs(y + |x|)",
        r"\left|y + \left|x\right|\right|",
    ),
    // Powers: of numbers, of powers, to sums.
    (
        |t| {
            let (x, y) = (t.s("x"), t.s("y"));
            let two = t.n(2, 1);
            let power = t.graph.call(Function::Powf, &[two, x]);
            let product = t.graph.mul(power, y);
            t.graph.scale(product, Number::integer(3))
        },
        "3·2^x y",
        r"3 \cdot 2^{x} y",
    ),
    (
        |t| {
            let (x, y) = (t.s("x"), t.s("y"));
            let square = t.graph.powi(x, 2);
            let exponent = t.graph.offset(y, Number::ONE);
            t.graph.call(Function::Powf, &[square, exponent])
        },
        "(x²)^(y + 1)",
        r"\left(x^{2}\right)^{y + 1}",
    ),
    (
        |t| {
            let x = t.s("x");
            let third = t.n(-1, 3);
            t.graph.call(Function::Powf, &[x, third])
        },
        "x^(−1/3)",
        r"x^{-\frac{1}{3}}",
    ),
    // Cases.
    (
        |t| {
            let (x, y, z) = (t.s("x"), t.s("y"), t.s("z"));
            let zero = t.n(0, 1);
            let positive = t.graph.compare(Comparison::Gt, x, zero);
            let small = t.graph.compare(Comparison::Le, y, z);
            let large = t.graph.not(small);
            let both = t.graph.and(positive, large);
            let inner = t.graph.select(positive, z, zero);
            let cases = t.graph.select(both, y, inner);
            t.graph.mul(cases, x)
        },
        "x { y if x > 0 and not (y ≤ z), z if x > 0, 0 otherwise }",
        concat!(
            r"x \left(\begin{cases} y & \text{if } x > 0 \land \lnot \left(y \le z\right) \\ ",
            r"z & \text{if } x > 0 \\ 0 & \text{otherwise} \end{cases}\right)"
        ),
    ),
    (
        |t| {
            let (x, y, z) = (t.s("x"), t.s("y"), t.s("z"));
            let ab = t.graph.compare(Comparison::Lt, x, y);
            let bc = t.graph.compare(Comparison::Eq, y, z);
            let ca = t.graph.compare(Comparison::Ge, z, x);
            let either = t.graph.or(ab, bc);
            let all = t.graph.and(either, ca);
            t.graph.select(all, x, y)
        },
        "{ x if (x < y or y = z) and z ≥ x, y otherwise }",
        concat!(
            r"\begin{cases} x & \text{if } \left(x < y \lor y = z\right) \land z \ge x \\ ",
            r"y & \text{otherwise} \end{cases}"
        ),
    ),
];

#[test]
fn formulas_read_as_written_by_hand() {
    for &(build, expected_text, expected_latex) in FORMULAS {
        let mut table = Table::new();
        let root = build(&mut table);
        let formula = table.formula(root);
        assert_eq!(text::expression(&formula), expected_text);
        assert_eq!(
            latex::expression(&formula),
            expected_latex,
            "{expected_text}"
        );
    }
}

/// The graph keeps x + x, and a product beside another in which it is shared: readers see one term.
#[test]
fn like_terms_are_read_as_one() {
    let mut table = Table::new();
    let (m, [x, y, z]) = (table.s("m"), ["x", "y", "z"].map(|name| table.s(name)));
    let shared = table.graph.mul(x, y);
    let shared = table.graph.whole(shared);
    let apart = table.graph.mul(shared, m);
    let flat = table.graph.product(&[(x, 1), (y, 1), (m, 1)]);
    assert_ne!(apart, flat, "the graph opens what is to stay whole");
    let quarter = table.n(1, 4);
    let quarter = table.graph.mul(quarter, apart);
    let twice = table.graph.doubled(z);
    let sum = table.sum(&[(1, quarter), (1, flat), (1, twice)]);
    let text = text::expression(&table.formula(sum));
    assert_eq!(text, "5 x y m/4 + 2 z");
}

#[test]
fn a_formula_without_a_graph_gets_the_brackets_it_needs() {
    let symbol = |name: &str| Formula::Symbol(name.to_string());
    let half = Formula::Fraction {
        numerator: Box::new(symbol("x")),
        denominator: Box::new(symbol("y")),
    };
    let nested = Formula::Fraction {
        numerator: Box::new(half.clone()),
        denominator: Box::new(half.clone()),
    };
    let product = Formula::Product(vec![symbol("z"), half.clone()]);
    let power = Formula::Power {
        base: Box::new(half),
        exponent: Box::new(Formula::Number("12".to_string())),
    };
    assert_eq!(text::expression(&nested), "(x/y)/(x/y)");
    assert_eq!(text::expression(&product), "z (x/y)");
    assert_eq!(text::expression(&power), "(x/y)¹²");
    assert_eq!(latex::expression(&product), r"z \frac{x}{y}");
    assert_eq!(latex::expression(&power), r"\left(\frac{x}{y}\right)^{12}");
}

#[test]
fn matrices_align_their_columns() {
    let mut table = Table::new();
    let x = table.s("x");
    let double = table.sum(&[(2, x)]);
    let roots = [double, table.n(100, 1), table.n(-1, 1), x];
    let cells = table.list(&roots).results;
    let row = vec![cells[..2].to_vec()];
    let rows = vec![cells[..2].to_vec(), cells[2..].to_vec()];
    assert_eq!(text::matrix(&row), "( 2 x   100 )");
    assert_eq!(text::matrix(&rows), "( 2 x   100 )\n( −1    x   )");
    assert_eq!(
        latex::matrix(&rows),
        r"\begin{pmatrix} 2 x & 100 \\ -1 & x \end{pmatrix}"
    );
    let row = "<mrow class=\"tall paren\"><mo>(</mo><mtable><mtr><mtd><mrow><mn>2</mn><mo>\u{2062}</mo><mi>x</mi></mrow>\
               </mtd><mtd><mn>100</mn></mtd></mtr></mtable><mo>)</mo></mrow>";
    assert_eq!(mathml::matrix(&rows[..1]), row);
}

#[test]
fn mathml_draws_subscripts_greek_letters_and_fractions() {
    let symbols = [
        (
            "v_a.x",
            "<msub><mi>v</mi><mrow><mi>a</mi><mo>,</mo><mi>x</mi></mrow></msub>",
        ),
        ("x1", "<msub><mi>x</mi><mn>1</mn></msub>"),
        ("omega", "<mi>ω</mi>"),
        ("length", "<mi>length</mi>"),
    ];
    for (name, expected) in symbols {
        assert_eq!(mathml::symbol(name), expected);
    }
    let mut table = Table::new();
    let (x, y) = (table.s("x"), table.s("y"));
    let logarithm = table.graph.call(Function::Log10, &[x]);
    let squared = table.graph.powi(logarithm, 2);
    let quotient = table.graph.div(squared, y);
    let formula = table.formula(quotient);
    let expected = "<div style=\"margin: 0.5em 0; padding: 0.25em 0; overflow: auto hidden\"><math display=\"block\"><mrow><mi>C</mi><mo>=</mo><mfrac>\
        <mrow><msup><msub><mi>log</mi><mn>10</mn></msub><mn>2</mn></msup><mo>\u{2061}</mo>\
        <mrow><mo>(</mo><mi>x</mi><mo>)</mo></mrow></mrow><mi>y</mi></mfrac></mrow></math></div>";
    let block = mathml::equation(&mathml::symbol("C"), &mathml::expression(&formula));
    assert_eq!(block, expected);
}

/// Every tag is closed by its partner, no angle bracket or ampersand stands bare.
fn assert_well_formed(xml: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = xml;
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains(['>', '\n']), "{xml}");
        let end = rest.find('>').expect("a closed tag");
        let tag = &rest[start + 1..end];
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "{xml}"),
            None => open.push(tag.split(' ').next().expect("a tag name")),
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty() && rest.is_empty(), "{xml}");
    let entities = ["amp;", "lt;", "gt;"];
    for tail in xml.split('&').skip(1) {
        assert!(entities.iter().any(|e| tail.starts_with(e)), "{xml}");
    }
}

#[test]
fn mathml_is_well_formed_whatever_the_names() {
    for &(build, ..) in FORMULAS {
        let mut table = Table::new();
        let root = build(&mut table);
        let names = |id: SymbolId| format!("<{}&\">", NAMES[id.index()]);
        let listing = list(
            &table.graph,
            &names,
            &[(root, "a<b".to_string())],
            &[root, root],
            50,
        );
        for block in mathml::definitions(&listing) {
            assert_well_formed(&block);
        }
        for result in &listing.results {
            assert_well_formed(&mathml::expression(result));
        }
        assert_well_formed(&mathml::matrix(std::slice::from_ref(&listing.results)));
    }
}

#[test]
fn mathml_tells_blocks_and_arms_of_bodies() {
    let source = "struct S; |a: Rigid2| at(a, [0, 2]).x == 0";
    let told = derivation_mathml(source.parse().expect("Rust tokens"));
    // The arm r = R u of u = (0, 2) moves as ω×r, so that ẋ = v_x − r_y ω.
    let arm = |component| {
        format!("<msub><mi>a</mi><mrow><mi>arm1</mi><mo>,</mo><mi>{component}</mi></mrow></msub>")
    };
    let matrix = |cells: &[&str]| {
        let cells: String = cells.iter().map(|it| format!("<mtd>{it}</mtd>")).collect();
        format!(
            "<mrow class=\"tall paren\"><mo>(</mo><mtable><mtr>{cells}</mtr></mtable><mo>)</mo></mrow>"
        )
    };
    let minus = format!("<mrow><mo>−</mo>{}</mrow>", arm("y"));
    let jacobian = matrix(&["<mn>1</mn>", "<mn>0</mn>", &minus]);
    let turned = matrix(&["<mn>0</mn>", "<mn>2</mn>"]);
    let expected = [
        format!("<msub><mi>J</mi><mi>a</mi></msub><mo>=</mo>{jacobian}"),
        format!(
            "<msub><mi>a</mi><mi>arm1</mi></msub><mo>=</mo><msub><mi>R</mi><mi>a</mi></msub>{turned}"
        ),
    ];
    for block in expected {
        assert!(told.contains(&block), "{told}");
    }
}

#[test]
fn marks_stand_above_their_letters_or_behind() {
    let over = |letter: &str, mark: &str| {
        format!("<mover accent=\"true\"><mi>{letter}</mi><mo>{mark}</mo></mover>")
    };
    let symbols = [
        ("s_dot", r"\dot{s}", over("s", "˙")),
        ("theta_ddot", r"\ddot{\theta}", over("θ", "¨")),
        ("Ċ", r"\dot{C}", over("C", "˙")),
        ("J\u{307}", r"\dot{J}", over("J", "˙")),
        ("f\u{302}", r"\hat{f}", over("f", "^")),
        ("v\u{307}", r"\dot{v}", over("v", "˙")),
        ("r″", "r''", "<msup><mi>r</mi><mo>″</mo></msup>".to_owned()),
        (
            "bead_dot[2]",
            r"\dot{\mathrm{bead}}_{2}",
            format!("<msub>{}<mn>2</mn></msub>", over("bead", "˙")),
        ),
    ];
    for (name, tex, drawn) in symbols {
        assert_eq!(latex::symbol(name), tex);
        assert_eq!(mathml::symbol(name), drawn);
    }
}

#[test]
fn words_touch_no_letters() {
    let mut table = Table::new();
    let (m, length, x) = (table.s("m"), table.s("length"), table.s("x"));
    let sine = table.graph.call(Function::Sin, &[x]);
    let product = table.graph.mul(m, length);
    let formula = table.formula(product);
    let apart = "<mo lspace=\"0.17em\" rspace=\"0\">\u{2062}</mo>";
    assert_eq!(latex::expression(&formula), r"m \, \mathrm{length}");
    let drawn = format!("<mrow><mi>m</mi>{apart}<mi>length</mi></mrow>");
    assert_eq!(mathml::expression(&formula), drawn);
    // `\sin` leaves room by itself.
    let product = table.graph.mul(m, sine);
    let formula = table.formula(product);
    assert_eq!(latex::expression(&formula), r"m \sin\left(x\right)");
    assert!(mathml::expression(&formula).starts_with(&format!("<mrow><mi>m</mi>{apart}")));
}

#[test]
fn the_domain_of_a_curve_is_a_range() {
    let curve = "struct Circle { r: Real } |s in 0..=TAU| [r*cos(s), r*sin(s)]";
    let page = curve_mathml(curve.parse().unwrap());
    let range = "<mi>s</mi><mo>=</mo><mrow><mn>0</mn><mo>…</mo><mrow><mn>2</mn><mo>\u{2062}</mo><mi>π</mi></mrow></mrow>";
    assert!(page.contains(range), "{page}");
    let told = entries(curve);
    let domain = told.iter().find(|it| it.name == "domain").unwrap();
    assert_eq!(domain.statement.text(), "0 ..= 2 π");
    assert_eq!(domain.statement.latex(), r"0 \ldots 2 \pi");
}

#[test]
fn a_system_is_told_in_mathml_as_a_constraint_is() {
    let system = "struct Pendulum { m: Real = 1, l: Real = 1 } particle bob: Point2 { mass: m }
        constraint rod: bob.x^2 == l; potential m*bob.y;";
    let page = system_mathml(system.parse().unwrap());
    assert!(page.starts_with("\n# Derivation\n\n<style>\n") && page.contains(mathml::STYLE));
    assert!(page.contains("</style>\n\nM v\u{307} = h + Jᵀ λ, J v\u{307} = −β.\n\n<div "));
    // T, V, M, h, C, J and β.
    let lines: Vec<&str> = page
        .lines()
        .filter(|line| line.starts_with("<div "))
        .collect();
    assert_eq!(lines.len(), 7, "{page}");
    lines.iter().for_each(|block| assert_well_formed(block));
    let energy = "<mi>V</mi><mo>=</mo><mrow><mi>m</mi><mo>\u{2062}</mo>\
                  <msub><mi>bob</mi><mi>y</mi></msub></mrow>";
    let energy = energy.replace(
        "<mo>\u{2062}",
        "<mo lspace=\"0.17em\" rspace=\"0\">\u{2062}",
    );
    assert!(page.contains(&energy), "{page}");
    assert_eq!(system_mathml("struct Nothing".parse().unwrap()), "");
}

/// m l² (cos a cos b + sin a sin b) is computed; rustdoc shows cos(b − a), says so once, and has no λ.
#[test]
fn rustdoc_joins_angles_and_says_so() {
    let system = "struct Double { m: Real = 1, l: Real = 1 } coordinate a, b;
        fn hanging(angle) = [l*sin(angle), -l*cos(angle)];
        particle upper = hanging(a) { mass: m } particle lower = upper + hanging(b) { mass: m }
        potential m*(upper.y + lower.y);";
    let page = system_mathml(system.parse().unwrap());
    assert!(
        page.contains("</style>\n\nM v\u{307} = h.\n\n<div "),
        "{page}"
    );
    let line = |symbol: &str| {
        let start = format!("<mi>{symbol}</mi><mo>=</mo>");
        let found = page.lines().find(|line| line.contains(&start));
        found.expect(symbol).to_owned()
    };
    let [mass, applied] = ["M", "h"].map(line);
    let difference = "<mrow><mo>(</mo><mrow><mi>b</mi><mo>−</mo><mi>a</mi></mrow><mo>)</mo></mrow>";
    assert_eq!(mass.matches(difference).count(), 2, "{mass}");
    assert_eq!(applied.matches(difference).count(), 2, "{applied}");
    assert_eq!(
        page.matches("are shorter to read; the generated functions")
            .count(),
        1
    );
}

#[test]
fn arms_outputs_and_families_are_told_in_latex_too() {
    let latex = |entries: &[Entry], name: &str| {
        let entry = entries.iter().find(|it| it.name == name);
        entry.expect(name).statement.latex()
    };
    let joint = "struct S; |a: Rigid2| at(a, [0, 2]).x == 0";
    let joint = entries(joint);
    let arms = r"a_{\mathrm{arm1}} = R_{a} \begin{pmatrix} 0 & 2 \end{pmatrix}";
    assert_eq!(latex(&joint, "arms"), arms);
    let chain = "#[solver(rolled)] struct Chain { m: Real = 1, l: Real = 1 }
        particle bead[8]: Point2 { mass: m }
        constraint link[0]: bead[0].x == l;
        for i in 1..8 { constraint link[i]: bead[i].x - bead[i - 1].x == l; }
        output place = bead[7].x;
        output far = [2*bead[7].x, bead[7].y];";
    let chain = entries(chain);
    let rows = [
        r"\mathrm{link}_{0} &: \mathrm{bead}_{0,x} - l",
        r"\mathrm{link}_{1} &: \mathrm{bead}_{1,x} - l - \mathrm{bead}_{0,x}",
    ];
    let rows = format!(r"\begin{{aligned}} {} \end{{aligned}}", rows.join(r" \\ "));
    assert_eq!(latex(&chain, "constraint"), rows);
    let outputs = [
        r"\mathrm{place} &= \mathrm{bead}_{7,x}",
        r"\mathrm{far} &= \begin{pmatrix} 2 \, \mathrm{bead}_{7,x} & \mathrm{bead}_{7,y} \end{pmatrix}",
    ];
    let outputs = format!(
        r"\begin{{aligned}} {} \end{{aligned}}",
        outputs.join(r" \\ ")
    );
    assert_eq!(latex(&chain, "outputs"), outputs);
}

/// √((a.x − b.x)² + (y − z)²) with the differences named by the user.
fn distance(table: &mut Table) -> (ExprId, Vec<(ExprId, String)>) {
    let (ax, bx, y, z) = (table.s("a.x"), table.s("b.x"), table.s("y"), table.s("z"));
    let differences = [table.graph.sub(bx, ax), table.graph.sub(z, y)];
    let squares = differences.map(|d| table.graph.powi(d, 2));
    let sum = table.graph.add(squares[0], squares[1]);
    let root = table.graph.call(Function::Sqrt, &[sum]);
    let names = vec![
        (differences[0], "d.x".to_string()),
        (differences[1], "d.y".to_string()),
    ];
    (root, names)
}

#[test]
fn lets_of_the_user_become_definitions() {
    let mut table = Table::new();
    let (root, names) = distance(&mut table);
    let listing = list(&table.graph, &leaf, &names, &[root], 1000);
    assert_eq!(
        text::definitions(&listing),
        ["d.x = b.x − a.x", "d.y = z − y"]
    );
    assert_eq!(text::expression(&listing.results[0]), "√(d.x² + d.y²)");
    assert_eq!(latex::definitions(&listing)[0], "d_{x} = b_{x} - a_{x}");
    assert_eq!(listing.omitted, 0);
}

#[test]
fn a_named_root_is_written_out_and_a_named_leaf_is_itself() {
    let mut table = Table::new();
    let (x, y) = (table.s("x"), table.s("y"));
    let sum = table.graph.add(x, y);
    let names = [(sum, "c".to_string()), (x, "p".to_string())];
    let once = list(&table.graph, &leaf, &names, &[sum], 1000);
    assert_eq!(text::expression(&once.results[0]), "x + y");
    assert!(once.definitions.is_empty());
    let twice = list(&table.graph, &leaf, &names, &[sum, sum], 1000);
    assert_eq!(text::definitions(&twice), ["c = x + y"]);
    assert_eq!(text::expression(&twice.results[1]), "c");
}

#[test]
fn definitions_have_names_of_their_own() {
    let mut table = Table::new();
    let (x, y, z) = (table.s("x"), table.s("y"), table.s("z"));
    let sums = [table.graph.add(x, y), table.graph.add(y, z)];
    let product = table.graph.mul(sums[0], sums[1]);
    let names = sums.map(|sum| (sum, "x".to_string()));
    let listing = list(&table.graph, &leaf, &names, &[product], 1000);
    assert_eq!(text::definitions(&listing), ["x_2 = x + y", "x_3 = y + z"]);
    assert_eq!(text::expression(&listing.results[0]), "x_2 x_3");
}

#[test]
fn large_shared_expressions_are_written_once() {
    let mut table = Table::new();
    let leaves: Vec<ExprId> = ["x", "y", "z", "m", "v_x", "v_y"]
        .map(|n| table.s(n))
        .to_vec();
    let squares: Vec<_> = leaves
        .iter()
        .map(|&l| (1, table.graph.powi(l, 2)))
        .collect();
    let sum = table.sum(&squares);
    let roots = [
        table.graph.call(Function::Sin, &[sum]),
        table.graph.call(Function::Cos, &[sum]),
    ];
    let listing = table.list(&roots);
    assert_eq!(
        text::definitions(&listing),
        ["s1 = x² + y² + z² + m² + v_x² + v_y²"]
    );
    assert_eq!(text::expression(&listing.results[1]), "cos(s1)");
}

/// x ↦ sin(x)·cos(x) + x again and again: as a tree 3ⁿ times as large.
fn tower(table: &mut Table, height: usize) -> ExprId {
    let mut top = table.s("x");
    for _ in 0..height {
        let sine = table.graph.call(Function::Sin, &[top]);
        let cosine = table.graph.call(Function::Cos, &[top]);
        let product = table.graph.mul(sine, cosine);
        top = table.graph.add(product, top);
    }
    top
}

#[test]
fn the_printed_size_is_linear_in_the_graph() {
    let length = |height: usize| {
        let mut table = Table::new();
        let root = tower(&mut table, height);
        let listing = list(&table.graph, &leaf, &[], &[root], usize::MAX);
        assert_eq!(listing.omitted, 0);
        text::definitions(&listing).concat().chars().count()
    };
    let (short, long) = (length(100), length(1000));
    assert!(long < 12 * short, "{short} {long}");
}

#[test]
fn what_exceeds_the_budget_is_counted() {
    let mut table = Table::new();
    let root = tower(&mut table, 25_000);
    assert!(table.graph.len() > 100_000);
    let listing = list(&table.graph, &leaf, &[], &[root], 200);
    let lines = text::definitions(&listing);
    let marker = lines.last().expect("a marker");
    assert_eq!(*marker, format!("… ({} more operations)", listing.omitted));
    // Four operations a storey; at most 200 symbols are printed.
    assert!((100_000 - 200..100_000).contains(&listing.omitted));
    let printed: usize = lines.iter().map(|line| line.chars().count()).sum();
    assert!(printed < 2000, "{printed}");
}

#[test]
fn a_chain_without_sharing_is_cut_by_depth() {
    let mut table = Table::new();
    let mut top = table.s("x");
    for _ in 0..50_000 {
        top = table.graph.call(Function::Sin, &[top]);
        top = table.graph.call(Function::Exp, &[top]);
    }
    let listing = list(&table.graph, &leaf, &[], &[top], usize::MAX);
    assert_eq!(listing.omitted, 0);
    assert!(
        text::definitions(&listing)
            .iter()
            .all(|line| line.len() < 200)
    );
    assert!(latex::definitions(&listing).len() > 1000);
    mathml::definitions(&listing)
        .iter()
        .for_each(|block| assert_well_formed(block));
}

#[test]
fn long_sums_are_cut_short_in_place() {
    let mut table = Table::new();
    let x = table.s("x");
    let powers: Vec<_> = (1..=1000).map(|e| (1, table.graph.powi(x, e))).collect();
    let root = table.sum(&powers);
    let listing = list(&table.graph, &leaf, &[], &[root], 3);
    assert_eq!(text::expression(&listing.results[0]), "x³ + x² + x + …");
    // 997 additions and as many powers.
    assert_eq!(text::definitions(&listing), ["… (1994 more operations)"]);
}

#[test]
fn listings_are_the_same_every_time() {
    let write = || {
        let mut table = Table::new();
        let root = tower(&mut table, 300);
        let listing = list(&table.graph, &leaf, &[], &[root], 2000);
        text::definitions(&listing)
    };
    assert_eq!(write(), write());
}

/// Every pair of leaves that stand for different things is told apart in each of the three languages.
fn assert_told_apart(model: &Model) {
    let printed = Printed::new(model);
    let names = (0..model.symbols.len()).map(|i| printed.leaf(model, SymbolId::new(i)));
    let names: Vec<String> = names.collect();
    for (i, a) in names.iter().enumerate() {
        for (j, b) in names.iter().enumerate().skip(i + 1) {
            let roles = (model.symbols[i].role, model.symbols[j].role);
            assert_ne!(a, b, "{roles:?}");
            assert_ne!(latex::symbol(a), latex::symbol(b), "{a} and {b}");
            assert_ne!(mathml::symbol(a), mathml::symbol(b), "{a} and {b}");
        }
        assert_well_formed(&mathml::symbol(a));
    }
}

#[test]
fn leaves_are_told_from_names_of_the_users_that_read_alike() {
    for constraint in [
        "struct S { v_x: Real, f_x: Real, w_x: Real, m: Real } |x, y| v_x*x + f_x*y + w_x*x*y == m",
        // Typeset, v.x is v_x; ω is omega.
        "struct S { v: Vector2, w: Vector3 } |x, y| v.x*x + v.y*y == w.x*w.y*w.z",
        "struct S { v: Real, m_: Real } |x, v_x, f_v_x| v*x + v_x*f_v_x == m_",
        "struct S { b_0: Real } |x, y: Point2| { let v_x = x^2; let f_x = v_x*x; f_x + y.x + b_0*v_x }",
    ] {
        let derived = analyze(constraint.parse().unwrap()).expect(constraint);
        assert_told_apart(&derived.model);
    }
    for joint in [
        "struct S { v_a: Vector3, a_r: Vector3, f_a: Vector3, r: Vector3, w_a: Real, tau_a: Vector3 }
            |a: Rigid3, b: Rigid3| norm(at(a, r) - at(b, a_r)) == norm(v_a + f_a + tau_a)*w_a",
        "struct S { omega_a: Real, ω_b: Real, K: Real }
            |a: Rigid2, b: Rigid2| omega_a*angular_velocity(a) + ω_b*angular_velocity(b) == K",
    ] {
        let joint = analyze(joint.parse().unwrap()).expect(joint);
        assert_told_apart(&joint.model);
    }
    let curve = "struct S { m: Real, b: Real, f_x: Real, s_dot: Real } |s in 0..=1| [m*s + b*s^2, f_x*s + s_dot]";
    let derived = analyze_curve(curve.parse().unwrap()).expect(curve);
    assert_told_apart(&derived.curve.model);
    let system = "struct S { v_x: Real = 1, omega_a: Vector3 = [1, 2, 3] }
        coordinate x; input v_a: Vector3;
        particle p = [x, v_x] { mass: v_x }
        body a: Rigid3 { mass: 1, inertia: [1, 1, 1] }
        force a: v_a; torque a: omega_a;";
    let derived = analyze_system(system.parse().unwrap()).expect(system);
    assert_told_apart(&derived.system.model);
}

#[test]
fn results_are_told_from_names_of_the_users() {
    let constraint = "struct S { C: Real, m: Real, lambda: Real } |x, y| C*x + m*y == lambda";
    let derived = analyze(constraint.parse().unwrap()).expect(constraint);
    let printed = Printed::new(&derived.model);
    assert_eq!(printed.result("C", "q"), "C(q)");
    assert_eq!(printed.result("J", "q"), "J");
    // λ and lambda are one letter when typeset.
    assert_eq!(printed.result("λ", "q, v"), "λ(q, v)");
    let page = emit::mathml(&derived);
    let left = "<mrow><mi>C</mi><mrow><mo>(</mo><mi>q</mi><mo>)</mo></mrow></mrow><mo>=</mo>";
    assert!(page.contains(left), "{page}");
    assert!(page.contains("<mi>particle</mi>"), "{page}");
}

/// Through three points at 0, 1 and 2: wherever its slopes stand, they are read by its name.
#[test]
fn slopes_of_splines_are_read_by_name() {
    let told = entries(
        "struct Cam; fn lift(a) = cubic_spline(a, [0, 1, 2], [0, 1, 0]);
         coordinate angle, rise; kinetic velocity(angle)^2 + velocity(rise)^2;
         constraint contact: rise == lift(angle);",
    );
    let text = |name: &str| {
        let entry = told.iter().find(|it| it.name == name);
        entry.expect(name).statement.text()
    };
    assert!(
        text("jacobian").starts_with("( −lift′(angle)   1 )"),
        "{}",
        text("jacobian")
    );
    assert!(
        text("bias").starts_with("−v_angle² lift″(angle)\n"),
        "{}",
        text("bias")
    );
}
