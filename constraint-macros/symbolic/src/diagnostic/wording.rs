//! What messages are put together from: a finding, a remedy, lists of names.

use crate::expr::CollectVec;
use std::fmt;

use super::{Diagnostic, SourceRange};

pub(super) fn plain(range: impl Into<SourceRange>, message: impl Into<String>) -> Diagnostic {
    Diagnostic {
        range: range.into(),
        message: message.into(),
        help: None,
    }
}

pub(super) fn helped(
    range: impl Into<SourceRange>,
    message: impl Into<String>,
    help: impl Into<String>,
) -> Diagnostic {
    Diagnostic {
        help: Some(help.into()),
        ..plain(range, message)
    }
}

/// `a`, `b` and `c`, or another word instead of "and".
pub(super) fn listed(names: &[impl fmt::Display], and: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect_vec();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} {and} {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}
