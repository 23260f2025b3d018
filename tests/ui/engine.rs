//! The engine's messages for every file, rendered with the lines they point at, as rustc renders them.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use constraint_symbolic::call::calls;
use constraint_symbolic::diagnostic::Diagnostic;

use crate::{ONLY_UNDER_RUSTC, files};

#[test]
fn the_engine_reports_every_mistake_at_its_tokens() {
    let overwrite = std::env::var("TRYBUILD").is_ok_and(|it| it == "overwrite");
    let mut wrong = Vec::new();
    for path in files("rs") {
        let case = path.with_extension("");
        if ONLY_UNDER_RUSTC.iter().any(|it| case.ends_with(it)) {
            continue;
        }
        let origin = path.to_str().expect("a name in Unicode");
        let source = std::fs::read_to_string(&path).expect("text");
        let found = messages(origin, &source);
        let expected = std::fs::read_to_string(path.with_extension("stderr"));
        let expected = expected.unwrap_or_default();
        if found == expected {
            continue;
        }
        if overwrite {
            std::fs::write(path.with_extension("stderr"), found).expect("written");
        } else {
            wrong.push(format!("{origin}: expected\n{expected}\nfound\n{found}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{}\n{} of the messages differ; TRYBUILD=overwrite writes them anew",
        wrong.join("\n"),
        wrong.len()
    );
}

/// All messages for a file, one below the other.
fn messages(origin: &str, source: &str) -> String {
    let tokens = source.parse().expect("tokens");
    let calls = calls(tokens);
    let mistakes = calls.iter().filter_map(|call| call.derive().err());
    let messages = mistakes.flat_map(|it| {
        let messages = it.iter().map(|it| rendered(origin, source, it));
        messages.collect::<Vec<_>>()
    });
    messages.collect::<Vec<_>>().join("\n")
}

fn rendered(origin: &str, source: &str, diagnostic: &Diagnostic) -> String {
    let [start, end] = [diagnostic.range.start, diagnostic.range.end].map(|it| it.byte_range());
    let snippet = Snippet::source(source)
        .path(origin)
        .annotation(AnnotationKind::Primary.span(start.start..end.end.max(start.end)));
    let message = diagnostic.text();
    let group = Level::ERROR.primary_title(&message).element(snippet);
    let text = Renderer::plain()
        .decor_style(DecorStyle::Ascii)
        .render(&[group]);
    text + "\n"
}
