//! Where results are not finite, by name.

use proc_macro2::Literal;
use quote::quote;

use super::Writer;
use crate::emit::tokens::Tokens;
use crate::function::undefined::named_places;
use crate::function::{Argument, Shape, Signature, roles_read};
use crate::system::{Place, Quantity};

const SIGNATURE: Signature = Signature {
    name: "check_defined",
    arguments: &[Argument::Time, Argument::Coordinates, Argument::Velocities],
    result: Shape::Tuple(&[]),
    fails: true,
};

/// The places that are named: further ones are further springs of a net, of which the first bad number is reported.
const NAMED: usize = 16;

impl Writer<'_> {
    /// `fn check_defined(…) -> Result<(), rt::Error> { …; rt::check_zero(x, "x = 0 is a corner of the forces")?; Ok(()) }`, where
    /// there are such places.
    pub(super) fn undefined(&self, out: &mut Tokens) {
        let places = named_places(self.derived);
        if places.is_empty() || places.len() > NAMED {
            return;
        }
        let leaf = |symbol| self.leaf(symbol);
        let program = self.derived.program(&[Quantity::Undefined], &leaf);
        let (interface, symbols) = (&self.interface, self.interface.symbols);
        let read = roles_read(symbols, &program);
        out.punct('#').brackets(|out| _ = out.word("cold"));
        interface.signature(out, &SIGNATURE, &read);
        out.braces(|out| {
            interface.named(out, (SIGNATURE.name, SIGNATURE.arguments), &read);
            let body = interface.body(&program);
            out.append(body.statements);
            for (at, (place, text)) in body.outputs.into_iter().zip(places) {
                out.runtime(match place {
                    Place::Zero(_) => "check_zero",
                    Place::End(_) => "check_end",
                });
                out.parentheses(|out| {
                    out.append(at).punct(',').literal(Literal::string(&text));
                });
                out.punct('?').punct(';');
            }
            out.quoted(quote!(Ok(())));
        });
    }
}
