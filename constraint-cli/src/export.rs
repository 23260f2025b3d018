//! `constraint export`: the functions of a model in another language.

use constraint_symbolic::export::{Target, export as exported};

use crate::arguments::Export;
use crate::failure::Failure;
use crate::{message, model, write};

/// Prints what the calls export, one after the other.
pub fn export(arguments: &Export) -> Result<(), Failure> {
    let target = target(arguments);
    let (source, calls) = model::read(&arguments.input)?;
    let mut all = Vec::new();
    for call in &calls {
        let text = exported(call.tokens(), target);
        all.push(text.map_err(|refused| message::refused(&source, call, &refused))?);
    }
    write(&all.join("\n"), arguments.output.as_deref())
}

fn target(arguments: &Export) -> Target {
    let language = &arguments.language;
    if language.python {
        return Target::Python;
    }
    match [language.js, language.wgsl, language.cuda, arguments.f32] {
        [true, ..] if arguments.module => Target::JavaScriptModule,
        [true, ..] => Target::JavaScript,
        [_, true, ..] => Target::Wgsl,
        [_, _, true, false] => Target::Cuda,
        [_, _, true, true] => Target::CudaSingle,
        [.., false] if arguments.library => Target::CLibrary,
        [.., true] if arguments.library => Target::CLibrarySingle,
        [.., false] => Target::C,
        [.., true] => Target::CSingle,
    }
}
