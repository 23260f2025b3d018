//! `constraint expand`: what the macro writes, formatted as rustfmt would.

use proc_macro2::TokenStream;

use crate::arguments::Expand;
use crate::failure::Failure;
use crate::{model, write};

/// Prints the expansions of all calls.
pub fn expand(arguments: &Expand) -> Result<(), Failure> {
    let (source, calls) = model::read(&arguments.input)?;
    let mut all = TokenStream::new();
    for call in &calls {
        model::derive(&source, call)?;
        all.extend(call.items());
    }
    let file = syn::parse2(all).map_err(Failure::Expansion)?;
    write(&prettyplease::unparse(&file), arguments.output.as_deref())
}
