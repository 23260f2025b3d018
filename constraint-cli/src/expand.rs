//! `constraint expand`: what the macro writes, formatted as rustfmt would.

use constraint_symbolic::compile;
use proc_macro2::TokenStream;
use quote::quote;

use crate::arguments::Expand;
use crate::failure::Failure;
use crate::model::{Call, Kind};
use crate::{model, write};

/// Prints the expansions of all calls.
pub fn expand(arguments: &Expand) -> Result<(), Failure> {
    let (source, calls) = model::read(&arguments.input)?;
    let mut all = TokenStream::new();
    for call in &calls {
        call.derive(&source)?;
        all.extend(items(call));
    }
    let file = syn::parse2(all).map_err(Failure::Expansion)?;
    write(&prettyplease::unparse(&file), arguments.output.as_deref())
}

/// An equation that stands alone is an expression, which a file cannot hold.
fn items(call: &Call) -> TokenStream {
    let body = call.body.clone();
    match call.kind {
        Kind::Constraint if call.name.is_none() => {
            let value = compile::constraint(body);
            quote!(fn main() { let constraint = #value; })
        }
        Kind::Constraint => compile::constraint(body),
        Kind::Curve => compile::curve(body),
        Kind::System => compile::system(body),
    }
}
