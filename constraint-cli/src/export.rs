//! `constraint export`: the functions of a model in another language.

use constraint_symbolic::export::{Target, export as exported};

use crate::arguments::{Export, ExportLanguage};
use crate::failure::Failure;
use crate::{message, model, write};

/// Prints what the calls export, one after the other.
pub fn export(arguments: &Export) -> Result<(), Failure> {
    let target = target(&arguments.language, arguments.f32);
    let (source, calls) = model::read(&arguments.input)?;
    let mut all = Vec::new();
    for call in &calls {
        let text = exported(call.tokens(), target);
        all.push(text.map_err(|refused| message::refused(&source, call, &refused))?);
    }
    write(&all.join("\n"), arguments.output.as_deref())
}

fn target(language: &ExportLanguage, single: bool) -> Target {
    if language.js {
        Target::JavaScript
    } else if language.wgsl {
        Target::Wgsl
    } else if language.cuda {
        if single {
            Target::CudaSingle
        } else {
            Target::Cuda
        }
    } else if single {
        Target::CSingle
    } else {
        Target::C
    }
}
