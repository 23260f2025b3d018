//! `constraint export`: the functions of a model in another language.

use std::path::PathBuf;

use constraint_symbolic::export::{Target, export as exported};

use crate::arguments::Export;
use crate::failure::Failure;
use crate::{message, model, write};

/// Prints what the calls export, one after the other.
pub fn export(arguments: &Export) -> Result<(), Failure> {
    let (source, calls) = model::read(&arguments.input)?;
    let written = |target| -> Result<String, Failure> {
        let mut all = Vec::new();
        for call in &calls {
            let text = exported(call.tokens(), target);
            all.push(text.map_err(|refused| message::refused(&source, call, &refused))?);
        }
        Ok(all.join("\n"))
    };
    let text = written(target(arguments))?;
    if let Some(header) = header(arguments) {
        let target = match arguments.f32 {
            false => Target::CHeader,
            true => Target::CHeaderSingle,
        };
        write(&written(target)?, Some(&header))?;
    }
    write(&text, arguments.output.as_deref())
}

/// The file for the header of a library, if there is one.
fn header(arguments: &Export) -> Option<PathBuf> {
    let beside = || {
        let output = arguments.output.as_ref()?;
        let header = output.with_extension("h");
        (header != *output).then_some(header)
    };
    let header = arguments.header.clone().or_else(beside);
    header.filter(|_| arguments.library)
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
