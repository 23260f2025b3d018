//! `constraint check`: all errors at once, each with its source location.

use crate::arguments::Check;
use crate::failure::Failure;
use crate::{model, write};

/// Reports for every call whether it is valid.
pub fn check(arguments: &Check) -> Result<(), Failure> {
    let (source, calls) = model::read(&arguments.input)?;
    let mut wrong = Vec::new();
    let mut right = String::new();
    for call in &calls {
        match model::certified(&source, call, |it| it.derivation().size()) {
            Ok(size) => right += &format!("{}: {}: {size}\n", source.origin, call.title()),
            Err(mistakes) => wrong.push(mistakes.to_string()),
        }
    }
    write(&right, None)?;
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(Failure::Mistakes(wrong.join("\n\n")))
    }
}
