//! The engine's messages, with the source lines that they refer to.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use constraint_import::{Mistakes, Origin};
use constraint_symbolic::call::Call;
use constraint_symbolic::diagnostic::{Diagnostic, Diagnostics};
use constraint_symbolic::export::Refused;
use proc_macro2::Span;

use crate::failure::Failure;
use crate::model::Source;

/// All errors of a call.
pub fn mistakes(source: &Source, call: &Call, diagnostics: &Diagnostics) -> Failure {
    let report = diagnostics.iter().map(|it| shown(source, call, it));
    let report: Vec<String> = report.collect();
    Failure::Mistakes(report.join("\n\n"))
}

fn shown(source: &Source, call: &Call, diagnostic: &Diagnostic) -> String {
    let place = place(source, diagnostic).unwrap_or_else(|| call.start.byte_range());
    let mut group = snippet(source, &diagnostic.message, place);
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help));
    }
    renderer().render(&[group])
}

fn renderer() -> Renderer {
    Renderer::styled().decor_style(DecorStyle::Ascii)
}

fn snippet<'a>(source: &'a Source, message: &'a str, place: Range<usize>) -> Group<'a> {
    let annotation = AnnotationKind::Primary.span(place);
    let snippet = Snippet::source(&source.text)
        .path(&source.origin)
        .annotation(annotation);
    Level::ERROR.primary_title(message).element(snippet)
}

/// The bytes that a message refers to; `None` if it refers to the whole call.
fn place(source: &Source, diagnostic: &Diagnostic) -> Option<Range<usize>> {
    let [start, end] = [diagnostic.range.start, diagnostic.range.end].map(|span| span.byte_range());
    let range = start.start..end.end.max(start.end);
    (!range.is_empty() && range.end <= source.text.len()).then_some(range)
}

/// Everything that is wrong in the file of a robot.
pub fn of_robot([file, loops]: [&Source; 2], mistakes: &Mistakes) -> Failure {
    let report = mistakes.0.iter().map(|mistake| {
        let included;
        let source = match &mistake.origin {
            Origin::Robot => file,
            Origin::Loops => loops,
            Origin::Included(path) => {
                let text = std::fs::read_to_string(path).unwrap_or_default();
                included = Source::new(&path.to_string_lossy(), text);
                &included
            }
        };
        let mut group = snippet(source, &mistake.message, mistake.range.clone());
        if let Some(help) = &mistake.help {
            group = group.element(Level::HELP.message(help));
        }
        renderer().render(&[group])
    });
    let report: Vec<String> = report.collect();
    Failure::Mistakes(report.join("\n\n"))
}

/// The error of an export.
pub fn refused(source: &Source, call: &Call, refused: &Refused) -> Failure {
    match refused {
        Refused::Mistakes(diagnostics) => mistakes(source, call, diagnostics),
        other => Failure::Mistakes(format!("error: {other}")),
    }
}

/// A text that cannot be split into tokens.
pub fn unreadable(source: &Source, at: Span) -> Failure {
    let found =
        constraint_symbolic::diagnostic::unreadable::unreadable(&source.text, at.byte_range());
    let mut group = snippet(source, &found.message, found.range);
    if let Some(help) = &found.help {
        group = group.element(Level::HELP.message(help));
    }
    Failure::Mistakes(renderer().render(&[group]))
}
