//! The rows that impulses are swept by.

use quote::quote;

use super::Writer;
use super::fields::count;
use crate::emit::rust::Body;
use crate::emit::tokens::Tokens;
use crate::function::leaves::local;
use crate::function::{Argument, roles_read};
use crate::system::Quantity;

impl Writer<'_> {
    /// `impulse_rows`; nothing where there are no constraints, or where they are solved in loops.
    pub(super) fn impulses(&self, out: &mut Tokens) {
        let blocks = self.derived.blocks();
        if blocks.is_empty() {
            return;
        }
        let program = self
            .derived
            .program(&[Quantity::Responses], &|symbol| self.leaf(symbol));
        let read = roles_read(&self.system.model.symbols, &program);
        let Body {
            statements,
            outputs,
        } = self.interface.body(&program);
        // What is computed stands in braces: a name of the user's may be `rows`.
        let (rows, entries) = (local("rows"), local("entries"));
        let mut end = 0;
        let mut part = |length: usize| {
            let start = count(end);
            end += length;
            let end = count(end);
            quote!(&#entries[#start..#end])
        };
        let pushes = blocks.iter().map(|block| {
            let velocities = block.velocities.iter().copied().map(count);
            let (jacobian, weighted) = (part(block.jacobian.len()), part(block.weighted.len()));
            quote!(#rows.push(&[#(#velocities),*], #jacobian, #weighted);)
        });
        let pushes: Vec<_> = pushes.collect();
        let docs = format!(" J, M⁻¹ Jᵀ: {}.", program.count);
        let (scalar, length) = (&self.items.scalar, count(outputs.len()));
        let (mut parameters, mut bindings) = (Tokens::default(), Tokens::default());
        let arguments = [Argument::Time, Argument::Coordinates];
        self.interface
            .parameters(&mut parameters, &arguments, &read);
        self.interface.bindings(&mut bindings, &arguments, &read);
        out.items(quote! {
            #[doc = #docs]
            fn impulse_rows(
                &self #parameters,
                #rows: &mut rt::ImpulseRows<#scalar>
            ) -> Result<(), rt::Error> {
                let #entries: [#scalar; #length] = {
                    #bindings
                    #statements
                    [#(#outputs),*]
                };
                #(#pushes)*
                Ok(())
            }
        });
    }
}
