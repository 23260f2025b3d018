//! `constraint expand`: the generated code, formatted as by rustfmt.

use constraint_symbolic::listing::{listing, spaced};

use crate::arguments::Expand;
use crate::failure::Failure;
use crate::{model, write};

/// Prints the functions of all calls, or their whole expansions.
pub fn expand(arguments: &Expand) -> Result<(), Failure> {
    let (source, calls) = model::read(&arguments.input)?;
    let mut files = Vec::new();
    for call in &calls {
        model::derive(&source, call)?;
        let text = if arguments.whole {
            syn::parse2(call.items()).map(|file| prettyplease::unparse(&file))
        } else {
            listing(call).map(|file| spaced(&prettyplease::unparse(&file)))
        };
        files.push(text.map_err(Failure::Expansion)?);
    }
    write(&files.join("\n"), arguments.output.as_deref())
}
