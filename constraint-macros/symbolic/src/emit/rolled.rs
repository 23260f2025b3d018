//! Loops over families: the kernels of a rolled system, each in a block of its own.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use super::rust::{self, Body, Spelling, local, snake};
use super::system::Writer;
use crate::expr::{ExprId, Map, Set, SymbolId};
use crate::model::Role;
use crate::schedule::{self, OperationCount, Program, Root};
use crate::system::rolled::{Array, Kernel, Routine, Write};
use crate::system::rolling::{Index, Loop};

/// A kernel ready to be written.
struct Ready<'r> {
    kernel: &'r Kernel,
    program: Program,
    /// The identifiers of the leaves that are read from arrays.
    leaves: Map<SymbolId, Ident>,
    inputs: Set<SymbolId>,
}

/// A routine written out.
pub(super) struct RolledBody {
    /// Arrays and loops.
    pub statements: TokenStream,
    /// The leaves that come from elsewhere: parameters, time, inputs.
    pub read: Set<Role>,
    /// The arguments `q`, `v`, `b` that are read.
    pub arguments: Set<Array>,
    /// What running it costs.
    pub count: OperationCount,
}

/// Writes a routine; `output` is where its results go, `None` for a sum.
pub(super) fn routine(
    writer: &Writer<'_>,
    routine: &Routine,
    output: Option<&Ident>,
) -> RolledBody {
    let kernels = routine.kernels.iter();
    let reserved = writer.reserved();
    let ready: Vec<Ready<'_>> = kernels
        .map(|kernel| ready(writer, kernel, &reserved))
        .collect();
    let mut arrays = Set::default();
    for it in &ready {
        let reads = it.kernel.reads.iter();
        arrays.extend(
            reads
                .filter(|read| it.inputs.contains(&read.0))
                .map(|read| read.1),
        );
        arrays.extend(it.kernel.writes.iter().filter_map(|write| match write {
            Write::Set(array, _) | Write::Add(array, _) => Some(*array),
            Write::Pivot(_) | Write::Diagonal => None,
        }));
    }
    let arguments = arrays
        .iter()
        .copied()
        .filter(|array| array.is_argument())
        .collect();
    let declarations = work_arrays(writer, &arrays, routine.kept);
    let mut tables = 0;
    let loops: Vec<TokenStream> = routine
        .loops
        .iter()
        .map(|it| write_loop(writer, &ready, it, output, &mut tables))
        .collect();
    RolledBody {
        statements: quote!(#declarations #(#loops)*),
        read: read(writer, &ready),
        arguments,
        count: cost(routine, &ready),
    }
}

fn ready<'r>(writer: &Writer<'_>, kernel: &'r Kernel, reserved: &Set<String>) -> Ready<'r> {
    let leaves = name_leaves(writer, kernel, reserved);
    let roots: Vec<Root> = kernel.roots.iter().copied().map(Root::Output).collect();
    let pivots = kernel.writes.iter().zip(&kernel.roots);
    let names: Vec<(ExprId, String)> = pivots
        .filter(|(write, _)| matches!(write, Write::Pivot(_)))
        .map(|(_, &pivot)| (pivot, "pivot".to_owned()))
        .collect();
    let spelled = |symbol: SymbolId| match leaves.get(&symbol) {
        Some(leaf) => leaf.to_string(),
        None => writer.leaves[symbol.index()].to_string(),
    };
    let graph = &writer.system.model.graph;
    let program = schedule::schedule(graph, &roots, &names, &spelled);
    let inputs = program.inputs();
    Ready {
        kernel,
        program,
        leaves,
        inputs,
    }
}

/// `bead_x` for `bead[5].x`, `bead_x_2` for the next of that name.
fn name_leaves(
    writer: &Writer<'_>,
    kernel: &Kernel,
    reserved: &Set<String>,
) -> Map<SymbolId, Ident> {
    let mut taken: Set<String> = Set::default();
    let mut leaves = Map::default();
    for &(symbol, ..) in &kernel.reads {
        let name = without_index(&writer.system.model.symbols[symbol.index()].name);
        let base = snake(&name);
        let mut name = base.clone();
        let mut number = 1;
        while reserved.contains(&name) || !taken.insert(name.clone()) {
            number += 1;
            name = format!("{base}_{number}");
        }
        leaves.insert(symbol, local(&name));
    }
    leaves
}

fn without_index(name: &str) -> String {
    match (name.find('['), name.find(']')) {
        (Some(open), Some(close)) => format!("{}{}", &name[..open], &name[close + 1..]),
        _ => name.to_owned(),
    }
}

/// The roles of leaves that are not read from arrays.
fn read(writer: &Writer<'_>, ready: &[Ready<'_>]) -> Set<Role> {
    let symbols = &writer.system.model.symbols;
    let others = ready.iter().flat_map(|it| {
        let outside = it
            .inputs
            .iter()
            .filter(|symbol| !it.leaves.contains_key(*symbol));
        outside.map(|symbol| symbols[symbol.index()].role)
    });
    others.collect()
}

fn cost(routine: &Routine, ready: &[Ready<'_>]) -> OperationCount {
    let mut total = OperationCount::default();
    for it in &routine.loops {
        for (kernel, _) in &it.body {
            total = (0..it.rounds).fold(total, |total, _| total + ready[*kernel].program.count);
        }
    }
    total
}

fn array_name(writer: &Writer<'_>, array: Array) -> Ident {
    let [_, q, v, b] = &writer.arguments;
    match array {
        Array::Position => q.clone(),
        Array::Velocity => v.clone(),
        Array::RightHandSide => b.clone(),
        Array::Diagonal => local("taken_of"),
        Array::Right => local("pushed_of"),
        Array::Fill => local("filled_of"),
        Array::Solution | Array::Lower => local("x_of"),
        Array::Kept => local("kept_of"),
        Array::Output => local("out"),
    }
}

/// Names that leaves of kernels must not take.
pub(super) const RESERVED: [&str; 7] = [
    "taken_of",
    "pushed_of",
    "filled_of",
    "x_of",
    "kept_of",
    "out",
    "round",
];

/// `let mut taken_of = [0; M];`, and the arguments as arrays.
fn work_arrays(writer: &Writer<'_>, arrays: &Set<Array>, kept: usize) -> TokenStream {
    let rows = writer.derived.rows();
    let (lower, fill) = writer.sizes();
    let scalar = &writer.items.scalar;
    let mut sorted: Vec<Array> = arrays.iter().copied().collect();
    sorted.sort_unstable();
    let declared = sorted.into_iter().filter_map(|array| {
        let name = array_name(writer, array);
        let size = match array {
            // L stands behind the unknowns.
            Array::Output | Array::Lower => return None,
            array if array.is_argument() => return Some(quote!(let #name = &#name.data.0[0];)),
            Array::Solution => rows + lower,
            Array::Fill => fill,
            Array::Kept => kept,
            _ => rows,
        };
        let size = Literal::usize_unsuffixed(size);
        Some(quote!(let mut #name = [#scalar::lit(0.0); #size];))
    });
    quote!(#(#declared)*)
}

/// `q[2 * round]`. The unknowns and L share an array: one call sets both to zero.
fn place(writer: &Writer<'_>, array: Array, at: Index) -> TokenStream {
    let name = array_name(writer, array);
    let offset = match array {
        Array::Lower => writer.derived.rows(),
        _ => 0,
    };
    let index = index(at, offset);
    quote!(#name[#index])
}

fn write_loop(
    writer: &Writer<'_>,
    ready: &[Ready<'_>],
    it: &Loop,
    output: Option<&Ident>,
    tables: &mut usize,
) -> TokenStream {
    let blocks = it.body.iter().map(|(kernel, indices)| {
        let block = block(writer, &ready[*kernel], indices, output);
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
    writer: &Writer<'_>,
    ready: &Ready<'_>,
    indices: &[Index],
    output: Option<&Ident>,
) -> TokenStream {
    let reads = ready.kernel.reads.iter();
    let reads = reads.filter(|(symbol, ..)| ready.inputs.contains(symbol));
    let reads = reads.map(|(symbol, array, at)| {
        let (leaf, place) = (&ready.leaves[symbol], place(writer, *array, indices[*at]));
        quote!(let #leaf = #place;)
    });
    let leaf = |symbol: SymbolId| match ready.leaves.get(&symbol) {
        Some(leaf) => leaf.clone(),
        None => writer.leaves[symbol.index()].clone(),
    };
    let spelling = Spelling {
        leaf: &leaf,
        scalar: &writer.items.scalar,
        runtime: &quote!(rt),
        coordinate: &|_| None,
    };
    let Body {
        statements,
        outputs,
        ..
    } = rust::body(&ready.program, &spelling);
    let (mut writes, sum) = (TokenStream::new(), local("out"));
    for (k, write) in ready.kernel.writes.iter().enumerate() {
        let value = &outputs[k];
        let target = |array: Array, at: usize| match (array, output) {
            (Array::Output, None) => quote!(#sum),
            _ => place(writer, array, indices[at]),
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
