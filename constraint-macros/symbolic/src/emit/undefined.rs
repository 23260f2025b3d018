//! Where results are not finite, by name.

use proc_macro2::Literal;
use quote::quote;

use super::interface::Interface;
use super::tokens::Tokens;
use crate::function::{Argument, Shape, Signature, roles_read};
use crate::schedule::Program;
use crate::undefined::Place;

/// That of systems and constraints.
pub(super) const OF_STATE: &[Argument] =
    &[Argument::Time, Argument::Coordinates, Argument::Velocities];

/// The places that are named: further ones are further springs of a net, of which the first bad number is reported.
const NAMED: usize = 16;

impl Interface<'_> {
    /// `fn check_defined(…) -> Result<(), rt::Error> { …; rt::check_zero(x, "x = 0 is a corner of the forces")?; Ok(()) }`, where
    /// there are such places.
    pub(super) fn check_defined(
        &self,
        out: &mut Tokens,
        arguments: &'static [Argument],
        places: Vec<(Place, String)>,
        program: impl FnOnce() -> Program,
    ) {
        if places.is_empty() || places.len() > NAMED {
            return;
        }
        let signature = Signature {
            name: "check_defined",
            arguments,
            result: Shape::Tuple(&[]),
            fails: true,
        };
        let program = program();
        let read = roles_read(self.symbols, &program);
        out.punct('#').brackets(|out| _ = out.word("cold"));
        self.signature_failing(out, &signature, &read, &quote!(rt::Error));
        out.braces(|out| {
            self.named(out, (signature.name, signature.arguments), &read);
            let body = self.body(&program);
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
