//! `constraint explain`: the README's equations and the examples', in every language.

mod common;

use common::{constraint, examples, given};

#[test]
fn the_parabola_is_derived_step_by_step() {
    let run = constraint(["explain", "x^2 + 100*y"]);
    insta::assert_snapshot!(run.printed());
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

/// All that the examples declare: what LaTeX can set, and pages whose tags are closed.
#[test]
fn every_example_is_explained_in_every_language() {
    for example in examples() {
        let path = example.to_str().expect("a path");
        let document = constraint(["explain", "--latex", path]).printed();
        let strange = document.chars().find(|letter| !letter.is_ascii());
        assert_eq!(strange, None, "{path}");
        assert_eq!(
            document.matches(r"\begin{").count(),
            document.matches(r"\end{").count()
        );
        let page = constraint(["explain", "--html", path]).printed();
        for tag in [
            "div", "math", "mrow", "mover", "msub", "msup", "li", "h2", "p",
        ] {
            let [opened, closed] = [format!("<{tag}"), format!("</{tag}>")];
            let opened = page.match_indices(&opened);
            let opened = opened.filter(|(at, it)| page[at + it.len()..].starts_with(['>', ' ']));
            assert_eq!(
                opened.count(),
                page.matches(&closed).count(),
                "{path}: {tag}"
            );
        }
        assert!(page.starts_with("<!DOCTYPE html>"));
    }
}

#[test]
fn one_type_of_several_is_asked_for_by_name() {
    let path = "../examples/double_pendulum.rs";
    let all = constraint(["explain", path]).printed();
    assert!(all.contains("system Angles\n") && all.contains("system Rods\n"));
    let one = constraint(["explain", path, "--only", "Rods"]).printed();
    assert!(one.starts_with("system Rods\n") && !one.contains("Angles"));
    let none = constraint(["explain", path, "--only", "Rod"]);
    let message = "error: ../examples/double_pendulum.rs declares no `Rod`; did you mean `Rods`?\n";
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
