//! `constraint expand`: the generated code, formatted as by rustfmt.

use constraint_symbolic::call::Call;
use constraint_symbolic::listing::{Unlisted, listing, spaced};

use crate::arguments::Expand;
use crate::failure::Failure;
use crate::{message, model, write};

/// Prints the functions of all calls, or their whole expansions.
pub fn expand(arguments: &Expand) -> Result<(), Failure> {
    let (source, calls) = model::read(&arguments.input)?;
    let mut files = Vec::new();
    for call in &calls {
        let text = text(call, arguments.whole).map_err(|error| match error {
            Unlisted::Refused(mistakes) => message::mistakes(&source, call, &mistakes),
            Unlisted::Invalid(error) => Failure::Expansion(error),
        });
        files.push(text?);
    }
    write(&files.join("\n"), arguments.output.as_deref())
}

fn text(call: &Call, whole: bool) -> Result<String, Unlisted> {
    if whole {
        return Ok(prettyplease::unparse(&syn::parse2(call.items()?)?));
    }
    Ok(spaced(&prettyplease::unparse(&listing(call)?)))
}
