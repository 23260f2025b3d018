//! Loops over families: the kernels of a rolled system, each in a block of its own.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use super::interface::Interface;
use super::method::fallible;
use super::rust::{self, Body, Spelling};
use super::tokens::Tokens;
use crate::expr::SymbolId;
use crate::function::leaves::local;
use crate::function::loops::{Kernel, Loops};
use crate::function::{Argument, Dimension, Shape, Signature};
use crate::model::Role;
use crate::system::rolled::{Array, Write};
use crate::system::rolling::{Index, Loop};

/// A method whose computation is loops over arrays.
pub(super) fn method(
    interface: &Interface<'_>,
    out: &mut Tokens,
    signature: &Signature,
    loops: &Loops<'_>,
) {
    let own = loops.roles_read(interface.symbols);
    let mut read = own.clone();
    for array in loops.arrays() {
        read.extend(match array {
            Array::Position => Some(Role::Coordinate(0)),
            Array::Velocity => Some(Role::Velocity(0)),
            Array::RightHandSide => Some(Role::RightHandSide(0)),
            Array::Input(..) => Some(Role::Input(0)),
            _ => None,
        });
    }
    let (scalar, ty) = (&interface.scalar, interface.type_of(signature.result));
    let (sum, result) = (local("out"), local("result"));
    let begin = match signature.result {
        Shape::Scalar => quote!(let mut #sum = #scalar::lit(0.0);),
        Shape::Tuple(parts) => {
            let zeros = parts.iter().map(|&part| {
                let ty = interface.type_of(part);
                quote!(<#ty>::zeros())
            });
            let beside = local(BESIDE);
            quote! {
                let mut #result = (#(#zeros),*);
                let (#sum, #beside) = (#result.0.as_mut_slice(), #result.1.as_mut_slice());
            }
        }
        _ => quote!(let mut #result = <#ty>::zeros(); let #sum = #result.as_mut_slice();),
    };
    let is_sum = signature.result == Shape::Scalar;
    let statements = statements(interface, loops, (!is_sum).then_some(&sum));
    interface.signature(out, signature, &read);
    out.braces(|out| {
        interface.inputs(out, signature, &read);
        interface.bindings(out, signature.arguments, &own);
        out.quoted(&begin).quoted(&statements);
        fallible(out, signature.fails, |out| {
            _ = out.ident(if is_sum { sum } else { result });
        });
    });
}

/// Arrays and loops; `output` is where the results go, `None` for a sum.
fn statements(interface: &Interface<'_>, loops: &Loops<'_>, output: Option<&Ident>) -> TokenStream {
    let declarations = work_arrays(interface, loops);
    let mut tables = 0;
    let written = loops.routine.loops.iter();
    let written = written.map(|it| write_loop(interface, loops, it, output, &mut tables));
    quote!(#declarations #(#written)*)
}

/// What an array is called; those of parameters and inputs are fields.
fn array_name(interface: &Interface<'_>, array: Array) -> Option<Ident> {
    Some(match array {
        Array::Position => interface.name(Argument::Coordinates),
        Array::Velocity => interface.name(Argument::Velocities),
        Array::RightHandSide => interface.name(Argument::RightHandSide),
        Array::Diagonal => local("taken_of"),
        Array::Right => local("pushed_of"),
        Array::Fill => local("filled_of"),
        Array::Solution | Array::Lower => local("x_of"),
        Array::Kept => local("kept_of"),
        Array::Output => local("out"),
        Array::Multipliers => local(BESIDE),
        Array::Parameter(..) | Array::Input(..) => return None,
    })
}

/// Where λ goes that is given back beside v̇.
const BESIDE: &str = "lambda_of";

/// `let mut taken_of = [0; M];`, and the arguments as arrays.
fn work_arrays(interface: &Interface<'_>, loops: &Loops<'_>) -> TokenStream {
    let rows = interface.size(Dimension::Rows);
    let scalar = &interface.scalar;
    let mut sorted: Vec<Array> = loops.arrays().into_iter().collect();
    sorted.sort_unstable();
    let declared = sorted.into_iter().filter_map(|array| {
        let name = array_name(interface, array)?;
        let size = match array {
            // L stands behind the unknowns.
            Array::Output | Array::Multipliers | Array::Lower => return None,
            array if array.is_argument() => return Some(quote!(let #name = &#name.data.0[0];)),
            Array::Solution => rows + loops.lower,
            Array::Fill => loops.fill,
            Array::Kept => loops.routine.kept,
            _ => rows,
        };
        let size = Literal::usize_unsuffixed(size);
        Some(quote!(let mut #name = [#scalar::lit(0.0); #size];))
    });
    quote!(#(#declared)*)
}

/// `q[2 * round]`, `self.m[round]`. The unknowns and L share an array: one call sets both to zero.
fn place(interface: &Interface<'_>, array: Array, at: Index) -> TokenStream {
    let offset = match array {
        Array::Lower => interface.size(Dimension::Rows),
        _ => 0,
    };
    let index = index(at, offset);
    match (array_name(interface, array), interface.indexed.get(&array)) {
        (_, Some([before, behind])) => quote!(#before[#index]#behind),
        (name, None) => quote!(#name[#index]),
    }
}

fn write_loop(
    interface: &Interface<'_>,
    loops: &Loops<'_>,
    it: &Loop,
    output: Option<&Ident>,
    tables: &mut usize,
) -> TokenStream {
    let blocks = it.body.iter().map(|(kernel, indices)| {
        let block = block(interface, loops, *kernel, indices, output);
        quote!({ #block })
    });
    let blocks: Vec<TokenStream> = blocks.collect();
    if it.rounds == 1 {
        return quote!(#(#blocks)*);
    }
    repeated(it, &blocks, tables)
}

/// The loop itself.
fn repeated(it: &Loop, blocks: &[TokenStream], tables: &mut usize) -> TokenStream {
    let rounds = Literal::usize_unsuffixed(it.rounds);
    let round = local("round");
    let mut indices = it.body.iter().flat_map(|(_, indices)| indices);
    let counted = indices.any(|index| matches!(index, Index::Even { .. }));
    let Some(width) = it.table.first().map(Vec::len) else {
        return quote!(for #round in 0..#rounds { #(#blocks)* });
    };
    *tables += 1;
    let name = format_ident!("PLACES_{}", *tables, span = Span::mixed_site());
    let columns = (0..width).map(column);
    let lines = it.table.iter().map(|line| {
        let numbers = line.iter().map(|&n| Literal::usize_unsuffixed(n));
        quote!([#(#numbers),*])
    });
    let pattern = quote!(&[#(#columns),*]);
    let header = match counted {
        true => quote!(for (#round, #pattern) in #name.iter().enumerate()),
        false => quote!(for #pattern in &#name),
    };
    let width = Literal::usize_unsuffixed(width);
    quote! {
        const #name: [[usize; #width]; #rounds] = [#(#lines),*];
        #header { #(#blocks)* }
    }
}

fn column(i: usize) -> Ident {
    format_ident!("place_{i}", span = Span::mixed_site())
}

/// An index as a function of the round, in an array that begins at `offset`.
fn index(index: Index, offset: usize) -> TokenStream {
    let round = local("round");
    match index {
        Index::Constant(value) => {
            let value = Literal::usize_unsuffixed(offset + value);
            quote!(#value)
        }
        Index::Table(i) => {
            let (column, start) = (column(i), Literal::usize_unsuffixed(offset));
            match offset {
                0 => quote!(#column),
                _ => quote!(#start + #column),
            }
        }
        Index::Even { first, step } => {
            let size = step.unsigned_abs();
            let factor = Literal::usize_unsuffixed(size);
            let advance = if size == 1 {
                quote!(#round)
            } else {
                quote!(#factor * #round)
            };
            let start = Literal::usize_unsuffixed(offset + first);
            match (offset + first, step > 0) {
                (0, true) => advance,
                (_, true) => quote!(#start + #advance),
                (_, false) => quote!(#start - #advance),
            }
        }
    }
}

fn block(
    interface: &Interface<'_>,
    loops: &Loops<'_>,
    number: usize,
    indices: &[Index],
    output: Option<&Ident>,
) -> TokenStream {
    let (kernel, planned): (&Kernel, _) = (&loops.kernels[number], &loops.routine.kernels[number]);
    let own = |symbol: &SymbolId| kernel.leaves.get(symbol).map(|name| local(name));
    let reads = planned.reads.iter();
    let reads = reads.filter(|(symbol, ..)| kernel.inputs.contains(symbol));
    let reads = reads.map(|(symbol, array, at)| {
        let (leaf, place) = (own(symbol), place(interface, *array, indices[*at]));
        quote!(let #leaf = #place;)
    });
    let leaf =
        |symbol: SymbolId| own(&symbol).unwrap_or_else(|| interface.leaves[symbol.index()].clone());
    let spelling = Spelling {
        leaf: &leaf,
        scalar: &interface.scalar,
        coordinate: &|_| None,
    };
    let Body {
        statements,
        outputs,
        ..
    } = rust::body(&kernel.program, &spelling);
    let (mut writes, sum) = (TokenStream::new(), local("out"));
    for (k, write) in planned.writes.iter().enumerate() {
        let value = &outputs[k];
        let target = |array: Array, at: usize| match (array, output) {
            (Array::Output, None) => quote!(#sum),
            _ => place(interface, array, indices[at]),
        };
        writes.extend(match write {
            Write::Set(array, place) => {
                let target = target(*array, *place);
                quote!(#target = #value;)
            }
            Write::Add(array, place) => {
                let target = target(*array, *place);
                quote!(#target += #value;)
            }
            Write::Pivot(place) => {
                let (row, diagonal) = (index(indices[*place], 0), &outputs[k + 1]);
                quote!(rt::check_pivot(#row, #value, #diagonal)?;)
            }
            Write::Diagonal => TokenStream::new(),
        });
    }
    quote!(#(#reads)* #statements #writes)
}
