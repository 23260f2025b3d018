//! Linearisations in loops: their matrices, and the loop over the columns of these.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::heap::BESIDE;
use super::super::tokens::Tokens;
use super::{Writer, number};
use crate::families::Loop;
use crate::function::Shape;
use crate::function::leaves::local;
use crate::system::loops::routine::{Array, By};

impl Writer<'_> {
    /// `let mut result = <rt::Linearization<T, 4, 8, 0, 2>>::zeros();`
    pub(super) fn begin_matrices(&self, out: &mut Tokens, shape: Shape) -> Ident {
        let result = local("result");
        let zeros = |out: &mut Tokens, part: &Shape| {
            self.interface.type_of(out.punct('<'), *part);
            out.punct('>').quoted(quote!(::zeros()));
        };
        out.word("let")
            .word("mut")
            .binding(result.clone())
            .punct('=');
        match shape {
            Shape::Tuple(parts) => _ = out.parentheses(|out| _ = out.list(parts, zeros)),
            shape => zeros(out, &shape),
        }
        out.punct(';');
        result
    }

    /// Loops one after the other, those over columns in a loop over these.
    pub(super) fn write_loops(
        &self,
        out: &mut Tokens,
        shape: Shape,
        per_column: bool,
        loops: &[Loop],
    ) {
        let write = |out: &mut Tokens| loops.iter().for_each(|it| self.write_loop(out, it));
        if per_column {
            out.word("for").quoted(self.columns(shape));
            out.braces(write);
        } else {
            self.matrices(out, shape, loops);
            write(out);
        }
    }

    /// `(out, beside) in result.0.a.data.0.iter_mut().chain(…).zip(…)`
    fn columns(&self, shape: Shape) -> TokenStream {
        let some = |by: &By| self.interface.size(by.dimension()) > 0;
        let of = |array: fn(By) -> Array| {
            let all = By::ALL.into_iter().filter(some);
            let mut all = all.map(|by| matrix(shape, array(by)));
            let first = all.next();
            quote!(#first.data.0.iter_mut() #(.chain(&mut #all.data.0))*)
        };
        let (column, motion) = (&self.out, of(Array::MotionBy));
        if !matches!(shape, Shape::Tuple(_)) {
            return quote!(#column in #motion);
        }
        let (beside, multipliers) = (local(BESIDE), of(Array::MultipliersBy));
        quote!((#column, #beside) in #motion.zip(#multipliers))
    }

    /// `let motion_a = result.a.as_mut_slice();` of those that loops write to.
    fn matrices(&self, out: &mut Tokens, shape: Shape, loops: &[Loop]) {
        let kernels = loops.iter().flat_map(|it| &it.body).map(|it| it.0);
        let writes = kernels.flat_map(|it| &self.loops.routine.kernels[it].writes);
        let arrays: BTreeSet<Array> = writes.filter_map(|it| it.target()).collect();
        for array in arrays {
            if let (Array::MotionBy(_) | Array::MultipliersBy(_), Some(name)) =
                (array, self.name(array))
            {
                let matrix = matrix(shape, array);
                out.word("let").binding(name).punct('=');
                out.quoted(quote!(#matrix.as_mut_slice();));
            }
        }
    }
}

/// `result.a`, of two linearisations `result.0.a`
fn matrix(shape: Shape, array: Array) -> TokenStream {
    let (part, by) = match array {
        Array::MultipliersBy(by) => (1, by),
        Array::MotionBy(by) => (0, by),
        _ => return TokenStream::new(),
    };
    let (result, field) = (local("result"), local(by.field()));
    if matches!(shape, Shape::Tuple(_)) {
        let part = number(part);
        return quote!(#result.#part.#field);
    }
    quote!(#result.#field)
}
