//! `constraint explain`: the README's equations and the examples', in every language.

mod common;

use common::{constraint, examples, given};
use serde::Deserialize;

#[test]
fn the_parabola_is_derived_step_by_step() {
    let run = constraint(["explain", "x^2 + 100*y"]);
    insta::assert_snapshot!(run.printed());
}

/// Two pendulums of length l and mass m, a after b: with d = b − a, T = m l² (ȧ² + ḃ²/2 + ȧ ḃ cos d),
/// V = −m g l (2 cos a + cos b); derived by hand.
#[test]
fn a_system_is_derived_as_lagrange_does() {
    let text = given(
        "system! { struct Double { m: Real, l: Real, g: Real }
         coordinate a, b;
         fn hanging(angle) = [l*sin(angle), -l*cos(angle)];
         particle upper = hanging(a) { mass: m }
         particle lower = upper + hanging(b) { mass: m }
         potential m*g*(upper.y + lower.y); }",
        ["explain", "-"],
    )
    .printed();
    for step in [
        "p = ( m l² v_b cos(b − a) + 2 m l² v_a )\n       ( m l² v_a cos(b − a) + m l² v_b   )\n",
        "m l² (v̇_b cos(b − a) − v_b sin(b − a) (v_b − v_a)) + 2 m l² v̇_a ",
        "m l² (v̇_a cos(b − a) − v_a sin(b − a) (v_b − v_a)) + m l² v̇_b ",
        "f = ( m l² v_a v_b sin(b − a) − 2 l m g sin(a) )\n",
        "M = ( 2 m l²            m l² cos(b − a) )\n",
        "h = ( m l² v_b² sin(b − a) − 2 m l g sin(a) )\n",
    ] {
        assert!(text.contains(step), "{step} in {text}");
    }
}

/// d'Alembert's principle for a rod, in each language.
#[test]
fn each_step_says_why_it_holds() {
    for (format, sentences) in [
        (
            "--latex",
            "combination of the rows of $J$: $J^{\\mathsf{T}} \\lambda$.",
        ),
        (
            "--markdown",
            "combination of the rows of $J$: $J^{\\mathsf{T}} \\lambda$.",
        ),
        (
            "--html",
            "combination of the rows of <i>J</i>: <i>Jᵀ λ</i>.",
        ),
    ] {
        let text = constraint(["explain", format, "norm([x, y]) == 2"]).printed();
        assert!(text.contains(sentences), "{text}");
    }
}

/// Without constraints there are neither J nor λ; a force outside of V is Q; a blade constrains velocities, not positions;
/// velocities of points that have coordinates of their own follow from nothing.
#[test]
fn sentences_are_about_the_system_at_hand() {
    let explained = |text: &str| given(text, ["explain", "-"]).printed();
    let free = explained(
        "system! { struct P { m: Real, l: Real, k: Real } coordinate a; input u;
         particle p = [l*sin(a), -l*cos(a)] { mass: m } potential k*p.y; force a: u; }",
    );
    for sentence in [
        "The sum of m |v|²/2 over the particles. The velocities follow from",
        "Lagrange's equations are ṗ = ∂L/∂q + Q, where Q are the forces without a potential.",
        "read M v̇ = h.\n",
        "How v̇ is computed: M v̇ = h\n",
    ] {
        assert!(free.contains(sentence), "{sentence} in {free}");
    }
    assert!(!free.contains('λ') && !free.contains("Jᵀ"), "{free}");
    let blade = explained(
        "system! { struct Blade { m: Real } particle p: Point2 { mass: m } coordinate turn; kinetic velocity(turn)^2;
         constraint blade: velocity(p).y*cos(turn) == velocity(p).x*sin(turn); }",
    );
    for sentence in [
        "The sum of m |v|²/2 over the particles, and the terms that the system declares.\n",
        "The condition is on velocities and leaves all positions free, so there is no C.",
        "Jacobian: J = ∂Ċ/∂v\n",
        " M v̇ = h + Jᵀ λ.\n",
    ] {
        assert!(blade.contains(sentence), "{sentence} in {blade}");
    }
}

/// A wheel that rolls: its row is a condition on velocities, in a constraint as in a system.
#[test]
fn a_joint_on_velocities_has_no_value() {
    let wheel = "constraint! { struct Wheel { radius: Real }
         |wheel: Rigid2| velocity(at(wheel, [0, 0])).x + radius*angular_velocity(wheel) == 0 }";
    let text = given(wheel, ["explain", "-"]).printed();
    assert!(text.contains("1. Constraint: Ċ(q, v, t) = 0\n"), "{text}");
    assert!(text.contains("so there is no C. It is Ċ = 0.\n"), "{text}");
}

/// T = m l² v²/2 by a symbol: in each language, and in arrays.
#[test]
fn a_symbol_is_printed_in_every_language() {
    let pendulum =
        "system! { struct P { m: Real, l: Real } coordinate lower_angle { symbol: \"theta1\" };
         coordinate turns[2] { symbol: \"φ\" }; kinetic velocity(turns[0])^2 + velocity(turns[1])^2;
         particle p = [l*sin(lower_angle), -l*cos(lower_angle)] { mass: m } potential turns[1]; }";
    for (format, formulas) in [
        (
            &[][..],
            [
                "q = ( θ₁   )\n       ( φ[0] )",
                "m l² v_θ₁²/2",
                "V = φ[1]\n",
                "m l² v̇_θ₁ ",
            ],
        ),
        (
            &["--latex"],
            [
                r"\begin{pmatrix} \theta_{1} \\ \phi_{0} \\",
                r"m l^{2} v_{\theta_{1}}^{2}",
                r"V = \phi_{1}",
                r"\dot{v}_{\theta_{1}}",
            ],
        ),
        (
            &["--html"],
            [
                "<msub><mi>θ</mi><mn>1</mn></msub>",
                "<msubsup><mi>v</mi><msub><mi>θ</mi><mn>1</mn></msub><mn>2</mn></msubsup>",
                "<mi>V</mi><mo>=</mo><msub><mi>φ</mi><mn>1</mn></msub>",
                "<mover accent=\"true\"><mi>v</mi><mo>˙</mo></mover><msub><mi>θ</mi><mn>1</mn></msub>",
            ],
        ),
    ] {
        let arguments = ["explain", "-"].iter().chain(format);
        let text = given(pendulum, arguments).printed();
        for formula in formulas {
            assert!(text.contains(formula), "{formula} in {text}");
        }
        assert!(!text.contains("lower"), "{text}");
    }
}

/// m l² (cos a cos b + sin a sin b) is computed, cos(b − a) is read: the text says so, and only there.
#[test]
fn a_line_that_is_not_computed_as_written_says_so() {
    let text = constraint([
        "explain",
        "--only",
        "Angles",
        "tests/models/double_pendulum.rs",
    ])
    .printed();
    let steps: Vec<&str> = text.split("\n\n").collect();
    let step = |title: &str| steps.iter().find(|it| it.contains(title)).expect(title);
    let note = "shorter to read";
    assert!(step(". Mass matrix").contains(note), "{text}");
    assert!(step(". Applied forces").contains(note), "{text}");
    assert!(!step(". Kinetic energy").contains(note), "{text}");
    // V = m g (upper.y + lower.y), where −l cos a is common: −2 m g l cos a − m g l cos b.
    let weights = "system! { struct P { m: Real, l: Real, g: Real } coordinate a, b;
         particle p = [l*sin(a), -l*cos(a)] { mass: m } particle q = p + [l*sin(b), -l*cos(b)] { mass: m }
         gravity [0, -g]; }";
    let text = given(weights, ["explain", "-"]).printed();
    assert!(
        text.contains("Like terms are collected here; the generated\n"),
        "{text}"
    );
    assert!(
        text.contains("   V = −2 m l g cos(a) − m l g cos(b)\n"),
        "{text}"
    );
}

/// Borders draw the parentheses of matrices and around fractions: fonts without mathematics have none that grow.
#[test]
fn brackets_grow_with_any_font() {
    let page = constraint([
        "explain",
        "--html",
        "(x/y)^2 + if x > 0 { x } else { -y } == 1",
    ])
    .printed();
    for drawn in [
        "math .paren { border-radius: ",
        "<mrow class=\"tall paren\"><mo>(</mo><mtable>",
        "<mrow class=\"tall paren\"><mo>(</mo><mfrac>",
        "<mrow class=\"cases\"><mo>{</mo><mtable>",
    ] {
        assert!(page.contains(drawn), "{drawn} in {page}");
    }
}

/// What takes more than a page is left out, not listed as a function.
#[test]
fn steps_of_long_formulas_are_left_out() {
    let arm = "system! { struct Arm { m: Real, l: Real, g: Real }
         coordinate a, b, c, d, e;
         fn link(angle) = l*[sin(angle), -cos(angle)];
         particle first = link(a) { mass: m }
         particle second = first + link(a + b) { mass: m }
         particle third = second + link(a + b + c) { mass: m }
         particle fourth = third + link(a + b + c + d) { mass: m }
         particle fifth = fourth + link(a + b + c + d + e) { mass: m }
         potential m*g*(first.y + second.y + third.y + fourth.y + fifth.y); }";
    let text = given(arm, ["explain", "-"]).printed();
    assert!(text.contains("1. Coordinates: q̇ = v\n"), "{text}");
    assert!(!text.contains("Rates of the momenta"), "{text}");
    assert!(!text.contains("momentum_rates"), "{text}");
}

/// A pendulum of length l: v̇ = −(g/l) sin a. For a bead on y = x²/2 under gravity,
/// λ = −(m v_x² + m g)/(1 + x²) with C = x²/2 − y.
#[test]
fn short_motions_are_written_in_closed_form() {
    let pendulum = "system! { struct P { m: Real, l: Real, g: Real } coordinate a;
         particle p = [l*sin(a), -l*cos(a)] { mass: m } potential m*g*p.y; }";
    let text = given(pendulum, ["explain", "-"]).printed();
    assert!(text.contains("v̇ = −g sin(a)/l\n"), "{text}");
    let bead = "system! { struct Bead { m: Real, g: Real } particle p: Point2 { mass: m }
         constraint wire: p.x^2/2 - p.y == 0; force p: [0, -m*g]; }";
    let text = given(bead, ["explain", "-"]).printed();
    assert!(
        text.contains("λ = −(m v_p.x² + m g)/(p.x² + 1)\n"),
        "{text}"
    );
}

#[test]
fn a_curve_is_a_page_of_markdown() {
    let hump = "curve! { struct Hump { a: Real } |s in -2..=2| [s, a*s^2] }";
    let run = given(hump, ["explain", "--markdown", "-"]);
    insta::assert_snapshot!(run.printed());
    // What stands inside of a call is enough.
    let bare = "struct Hump { a: Real } |s in -2..=2| [s, a*s^2]";
    assert_eq!(
        given(bare, ["explain", "--markdown", "-"]).printed(),
        run.printed()
    );
}

#[test]
fn a_rod_is_a_document_of_latex() {
    let run = constraint(["explain", "--latex", "norm([x, y]) == 2"]);
    insta::assert_snapshot!(run.printed());
}

/// `\\input` takes a fragment: the document is its head, the fragment and its end.
#[test]
fn a_fragment_is_a_document_without_its_frame() {
    for (format, head, end) in [
        ("--latex", "\\begin{document}\n", "\\end{document}\n"),
        ("--html", "<body>", "</body>"),
    ] {
        let whole = constraint(["explain", format, "norm([x, y]) == 2"]).printed();
        let fragment = constraint(["explain", format, "--fragment", "norm([x, y]) == 2"]).printed();
        let (_, inside) = whole.split_once(head).expect("a document");
        let (inside, _) = inside.split_once(end).expect("a document");
        assert!(inside.contains(fragment.trim()), "{fragment} in {inside}");
        assert!(fragment.len() + 200 > inside.len(), "{fragment}");
        assert!(fragment.contains("Jacobian"), "{fragment}");
    }
    // An exponent is set above the subscript.
    let page = constraint(["explain", "--html", "x^2 + 100*y"]).printed();
    assert!(
        page.contains("<msubsup><mi>v</mi><mi>x</mi><mn>2</mn></msubsup>"),
        "{page}"
    );
}

/// Through (0, 0), (1, 1), (2, 0): M₁ = 6 (−1 − 1)/4 = −3, so that the slopes at the points are 1 − M₁/6 = 3/2, 0 and −3/2, and
/// y = 3/2 a − a³/2 up to 1, from there 1 − 3/2 (a − 1)² + (a − 1)³/2.
#[test]
fn a_spline_is_read_by_its_name() {
    let text = constraint([
        "explain",
        "|a, y| y == cubic_spline(a, [0, 1, 2], [0, 1, 0])",
    ])
    .printed();
    for line in [
        "C = y − spline(a)\n",
        "s1 = { 2 if a ≥ 2, 1 if a ≥ 1, 0 otherwise }\n",
        "s2 = { 0 if a ≥ 2, 1 if a ≥ 1, 0 otherwise }\n",
        "s3 = { −1.5 if a ≥ 2, 0 if a ≥ 1, 1.5 otherwise }\n",
        "s4 = { 0 if a ≥ 2, −1.5 if a ≥ 1, 0 otherwise }\n",
        "s5 = { 0 if a ≥ 2, 0.5 if a ≥ 1, −0.5 if a ≥ 0, 0 otherwise }\n",
        "spline(a) = (a − s1) ((a − s1) (s5 (a − s1) + s4) + s3) + s2\n",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
    let text = constraint([
        "explain",
        "system! { struct Cam; fn lift(a) = periodic_spline(a, [0, 1, 2], [0, 1, 0]);
         coordinate angle, rise; kinetic velocity(angle)^2 + velocity(rise)^2;
         constraint contact: rise == lift(angle); }",
    ])
    .printed();
    assert!(text.contains("C = rise − lift(angle)\n"), "{text}");
}

#[test]
fn a_rod_is_data() {
    let run = constraint(["explain", "--json", "norm([x, y]) == 2"]);
    let told: serde_json::Value = serde_json::from_str(&run.printed()).expect("JSON");
    let first = &told[0]["steps"][0];
    assert_eq!(first["name"], "value");
    assert_eq!(first["text"], "√(x² + y²) − 2");
    assert_eq!(first["latex"], r"\sqrt{x^{2} + y^{2}} - 2");
    // x², y², their sum, its root, minus 2.
    assert_eq!(first["operations"]["total"], 5);
}

/// All that the examples declare: what LaTeX can set, and elements that are closed.
#[test]
fn every_example_is_explained_in_every_language() {
    for example in examples() {
        let path = example.to_str().expect("a path");
        let run = constraint(["explain", "--json", path]);
        let told: Vec<Told> = serde_json::from_str(&run.printed()).expect("JSON");
        for step in told.iter().flat_map(|it| &it.steps) {
            let latex = &step.latex;
            assert_eq!(
                latex.chars().find(|letter| !letter.is_ascii()),
                None,
                "{latex}"
            );
            let [opened, closed] = [r"\begin{", r"\end{"].map(|it| latex.matches(it).count());
            assert_eq!(opened, closed, "{latex}");
            step.mathml.iter().for_each(|block| assert_closed(block));
            let says_all = ["domain", "continuity"].contains(&&step.name[..]);
            let said = says_all || step.text.is_empty() || step.prose.ends_with('.');
            assert!(said, "{path}: {}", step.name);
        }
    }
}

#[derive(Deserialize)]
struct Told {
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    name: String,
    prose: String,
    text: String,
    latex: String,
    mathml: Vec<String>,
}

/// Each element is closed by its own tag.
fn assert_closed(block: &str) {
    let mut open = Vec::new();
    for tag in block.split('<').skip(1) {
        let name = tag.split(['>', ' ']).next().expect("a name");
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "{block}"),
            None => open.push(name),
        }
    }
    assert!(open.is_empty(), "{block}");
}

#[test]
fn a_page_stands_alone() {
    let page = constraint(["explain", "--html", "x^2 + 100*y"]).printed();
    assert!(page.starts_with("<!DOCTYPE html>\n") && page.ends_with("</html>\n"));
    // Eight steps, and what two of them define.
    assert_eq!(page.matches("<math").count(), 10);
    for elsewhere in ["http:", "https:", "src=", "href="] {
        assert!(!page.contains(elsewhere), "{elsewhere}");
    }
}

#[test]
fn one_type_of_several_is_asked_for_by_name() {
    let path = "tests/models/double_pendulum.rs";
    let all = constraint(["explain", path]).printed();
    assert!(all.contains("system Angles\n") && all.contains("system Rods\n"));
    let one = constraint(["explain", path, "--only", "Rods"]).printed();
    assert!(one.starts_with("system Rods\n") && !one.contains("Angles"));
    let none = constraint(["explain", path, "--only", "Rod"]);
    let message =
        "error: tests/models/double_pendulum.rs does not declare `Rod`; did you mean `Rods`?\n";
    assert_eq!((none.code, none.errors.as_str()), (2, message));
}

#[test]
fn what_is_wrong_is_shown_where_it_stands() {
    let run = given("x^2 +\n  100*sinn(y) + bodyy(z, z)", ["explain", "-"]);
    assert_eq!((run.code, run.output.as_str()), (1, ""));
    insta::assert_snapshot!(run.errors);
    let run = constraint(["explain", "sin(x"]);
    assert_eq!(run.code, 1);
    insta::assert_snapshot!(run.errors);
    let run = constraint(["explain", ""]);
    assert_eq!(run.code, 1);
    insta::assert_snapshot!(run.errors);
}

#[test]
fn what_cannot_be_read_or_written_is_said() {
    let run = constraint(["explain", "no/such_model.rs"]);
    assert_eq!(run.code, 2);
    assert!(
        run.errors
            .starts_with("error: cannot read `no/such_model.rs`: ")
    );
    let run = constraint(["explain", "x - 1", "--output", "no/such/place.txt"]);
    assert_eq!(run.code, 2);
    assert!(
        run.errors
            .starts_with("error: cannot write `no/such/place.txt`: ")
    );
    let run = constraint(["explain", "x - 1", "--html", "--latex"]);
    assert_eq!(run.code, 2);
    assert!(run.errors.contains("cannot be used with"), "{}", run.errors);
}

#[test]
fn shells_complete_it() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = constraint(["completions", shell]).printed();
        assert!(script.contains("explain"), "{shell}");
    }
}
