//! The rows that impulses are swept by.

use quote::quote;

use super::Writer;
use super::fields::count;
use crate::emit::rust::Body;
use crate::emit::tokens::Tokens;
use crate::expr::{CollectVec, Set};
use crate::function::leaves::local;
use crate::function::loops::Loops;
use crate::function::{Argument, roles_read, system};
use crate::model::Role;
use crate::schedule::OperationCount;
use crate::system::Quantity;

impl Writer<'_> {
    /// `impulse_rows`.
    pub(super) fn impulses(&self, out: &mut Tokens) {
        match system::responses(self.derived, self.names) {
            Some(loops) => self.impulses_in_loops(out, &loops),
            None => self.written_impulses(out),
        }
    }

    fn impulses_in_loops(&self, out: &mut Tokens, loops: &Loops<'_>) {
        let own = loops.roles_read(&self.system.model.symbols);
        let read = loops.roles_given(&self.system.model.symbols);
        let mut body = Tokens::default();
        self.interface.named(&mut body, ("", &ARGUMENTS), &own);
        self.interface.loops(&mut body, loops);
        self.impulse_rows(out, &read, loops.cost(), &body);
    }

    fn written_impulses(&self, out: &mut Tokens) {
        let blocks = self.derived.blocks();
        let program = self
            .derived
            .program(&[Quantity::Responses], &|symbol| self.leaf(symbol));
        let read = roles_read(&self.system.model.symbols, &program);
        let Body {
            statements,
            outputs,
        } = self.interface.body(&program);
        // The computation is in braces: the user may have a name `rows`.
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
        let pushes: Vec<_> = pushes.collect_vec();
        let length = count(outputs.len());
        let scalar = &self.items.scalar;
        let mut bindings = Tokens::default();
        self.interface.named(&mut bindings, ("", &ARGUMENTS), &read);
        let body = quote! {
            let #entries: [#scalar; #length] = {
                #bindings
                #statements
                [#(#outputs),*]
            };
            #(#pushes)*
        };
        self.impulse_rows(out, &read, program.count, &body.into());
    }

    fn impulse_rows(
        &self,
        out: &mut Tokens,
        read: &Set<Role>,
        cost: OperationCount,
        body: &Tokens,
    ) {
        let docs = format!(" J, M⁻¹ Jᵀ: {cost}.");
        let (scalar, rows) = (&self.items.scalar, local("rows"));
        let mut parameters = Tokens::default();
        self.interface.parameters(&mut parameters, &ARGUMENTS, read);
        out.items(quote! {
            #[doc = #docs]
            fn impulse_rows(
                &self #parameters,
                #rows: &mut rt::ImpulseRows<#scalar>
            ) -> Result<(), rt::Error> {
                #body
                Ok(())
            }
        });
    }
}

/// The arguments of the rows.
const ARGUMENTS: [Argument; 2] = [Argument::Time, Argument::Coordinates];
