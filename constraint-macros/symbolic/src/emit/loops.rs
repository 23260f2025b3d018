//! Loops over families: the kernels of a rolled system, each in a block of its own.

mod matrices;

use std::collections::BTreeSet;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use super::heap::{BESIDE, OUT, is_large};
use super::interface::{Indexed, Interface};
use super::method::fallible;
use super::rust::{self, Body, Spelling};
use super::tokens::Tokens;
use crate::expr::SymbolId;
use crate::families::{Index, Loop};
use crate::function::assignment::Assignment;
use crate::function::leaves::local;
use crate::function::loops::{self, Kernel, Loops};
use crate::function::system::GRADIENT;
use crate::function::{Argument, Dimension, Shape, Signature};
use crate::model::Role;
use crate::solve::Panels;
use crate::system::loops::routine::{Array, Checked, Varied, Write, by_column};

/// A method whose computation is loops over arrays.
pub(super) fn method(
    interface: &Interface<'_>,
    out: &mut Tokens,
    signature: &Signature,
    loops: &Loops<'_>,
) {
    let hands_out = signature.arguments.contains(&Argument::Entries);
    let own = loops.roles_read(interface.symbols);
    let arrays = loops.arrays();
    let mut read = loops.roles_given(interface.symbols);
    let takes_multipliers = hands_out && arrays.contains(&Array::Multipliers);
    read.extend(takes_multipliers.then_some(Role::Reaction(0)));
    let writer = Writer {
        interface,
        loops,
        sums: signature.result == Shape::Scalar,
        observes: signature.result == Shape::Outputs,
        hands_out,
        ..Writer::of(interface, loops)
    };
    let solved = match signature.result {
        Shape::Outputs => solved(&loops.arrays()),
        _ => None,
    };
    if solved.is_some() {
        read.extend([Role::Time, Role::Coordinate(0), Role::Velocity(0)]);
    }
    let in_place = interface.is_in_place(signature, true);
    if in_place {
        interface.signature_in_place(out, signature, &read);
    } else {
        interface.signature(out, signature, &read);
    }
    out.braces(|out| {
        interface.inputs(out, signature, &read);
        interface.bindings(out, signature.arguments, &own);
        if let Some((places, function)) = solved {
            writer.solve(out, places, function);
        }
        // Elsewhere safe Rust has no arrays without values.
        let assignment = in_place.then(|| Assignment::of(loops));
        let result = if let Some(assignment) = &assignment {
            writer.begin_in_place(out, signature, assignment);
            None
        } else if hands_out {
            None
        } else if let Some(begun) = writer.begin_record(out, signature.result, &arrays) {
            Some(begun)
        } else {
            writer.begin(out, signature.result)
        };
        let room = assignment.filter(|_| interface.takes_room(signature, true));
        writer.work_arrays(out, &arrays, room.as_ref());
        for it in &loops.routine.assembly {
            writer.write_loop(out, it);
        }
        if let Some(panels) = loops.panels {
            writer.eliminate(out, panels);
        }
        for (per_column, loops) in by_column(&loops.routine.loops) {
            writer.write_loops(out, signature.result, per_column, loops);
        }
        match result {
            Some(result) => fallible(out, signature.fails, |out| {
                out.ident(result);
                if signature.result == Shape::Outputs {
                    out.quoted(quote!(.into()));
                }
            }),
            None if signature.fails => _ = out.quoted(quote!(Ok(()))),
            None => {}
        }
    });
}

impl Interface<'_> {
    /// Checks of what parameters make, in loops.
    pub(super) fn checks(&self, out: &mut Tokens, loops: &Loops<'_>) {
        let writer = Writer::of(self, loops);
        for it in &loops.routine.loops {
            writer.write_loop(out, it);
        }
    }

    /// J and M⁻¹ Jᵀ of all constraints, pushed in loops to the rows that are given.
    pub(super) fn responses(&self, out: &mut Tokens, loops: &Loops<'_>) {
        let writer = Writer::of(self, loops);
        writer.work_arrays(out, &loops.arrays(), None);
        for it in &loops.routine.loops {
            writer.write_loop(out, it);
        }
    }

    /// `rt::check_mass(m)?;`
    pub(super) fn check(&self, checked: Checked, numbers: &[Tokens]) -> TokenStream {
        match (checked, numbers) {
            (Checked::Mass, _) => quote!(#(rt::check_mass(#numbers)?;)*),
            (Checked::Coordinate(i), _) => {
                let name = &self.coordinates[i];
                quote!(#(rt::check_inertia_of(#name, #numbers)?;)*)
            }
            (Checked::Inertia, [moment]) => quote!(rt::check_moment(#moment)?;),
            (Checked::Inertia, [_, _, _]) => quote!(rt::check_moments([#(#numbers),*])?;),
            _ => quote!(rt::check_lower_triangle([#(#numbers),*])?;),
        }
    }
}

/// The arrays of v̇ and λ that outputs in loops read, and the function that gives them.
fn solved(arrays: &BTreeSet<Array>) -> Option<(&'static [Array], [&'static str; 2])> {
    let asks = |array| arrays.contains(&array);
    match (asks(Array::Acceleration), asks(Array::Multipliers)) {
        (true, true) => Some((
            &[Array::Acceleration, Array::Multipliers],
            ["System", "acceleration_and_multipliers"],
        )),
        (true, false) => Some((&[Array::Acceleration], ["Dynamics", "acceleration"])),
        (false, true) => Some((&[Array::Multipliers], ["System", "multipliers"])),
        (false, false) => None,
    }
}

/// `T::lit(0.0)`
pub(super) fn zero(scalar: &Ident) -> Tokens {
    quote!(#scalar::lit(0.0)).into()
}

/// The writer of the statements of one method.
struct Writer<'a> {
    interface: &'a Interface<'a>,
    loops: &'a Loops<'a>,
    /// Whether the result is a number, to which loops add.
    sums: bool,
    /// Whether the result is made of v̇ or λ, which are read from arrays.
    observes: bool,
    /// Whether there is no result, and the caller takes entries of matrices.
    hands_out: bool,
    /// The place of the results.
    out: Ident,
    /// The counter of rounds.
    round: Ident,
    zero: Tokens,
}

impl<'a> Writer<'a> {
    /// That of loops without a result.
    fn of(interface: &'a Interface<'a>, loops: &'a Loops<'a>) -> Writer<'a> {
        Writer {
            interface,
            loops,
            sums: false,
            observes: false,
            hands_out: false,
            out: local(OUT),
            round: local("round"),
            zero: zero(&interface.scalar),
        }
    }
}

impl Writer<'_> {
    /// `let mut result = <rt::SVector<T, 4>>::zeros(); let out = result.as_mut_slice();`, of a number
    /// `let mut out = T::lit(0.0);`, and what the method gives back.
    fn begin(&self, out: &mut Tokens, shape: Shape) -> Option<Ident> {
        out.word("let");
        if self.sums {
            // Nothing is added where V is 0.
            let routine = &self.loops.routine;
            if !routine.loops.is_empty() || !routine.assembly.is_empty() {
                out.word("mut");
            }
            out.binding(self.out.clone()).punct('=');
            out.paste(&self.zero).punct(';');
            return Some(self.out.clone());
        }
        let result = local("result");
        out.word("mut").binding(result.clone()).punct('=');
        if let Shape::Tuple(parts) = shape {
            let zeros =
                |out: &mut Tokens, part: &Shape| _ = out.append(self.interface.zeros(*part));
            out.parentheses(|out| _ = out.list(parts, zeros));
            out.punct(';').word("let").parentheses(|out| {
                out.binding(self.out.clone()).punct(',');
                out.binding(local(BESIDE));
            });
            let slices = quote!((#result.0.as_mut_slice(), #result.1.as_mut_slice()););
            out.punct('=').quoted(slices);
        } else {
            out.append(self.interface.zeros(shape));
            out.punct(';').word("let").binding(self.out.clone());
            out.punct('=').quoted(match shape {
                // A sparse matrix, which takes the indices of a full one.
                Shape::Matrix(..) if self.interface.large => quote!(&mut #result;),
                _ => quote!(#result.as_mut_slice();),
            });
        }
        Some(result)
    }

    /// The result to which a gradient or matrices of slopes are written.
    fn begin_record(
        &self,
        out: &mut Tokens,
        shape: Shape,
        arrays: &BTreeSet<Array>,
    ) -> Option<Ident> {
        match shape {
            Shape::Record(record) if record.name == GRADIENT => {
                Some(self.begin_gradient(out, shape, arrays))
            }
            Shape::Record(_) | Shape::Tuple([Shape::Record(_), ..]) => {
                Some(self.begin_matrices(out, shape))
            }
            _ => None,
        }
    }

    /// `let mut result = <rt::Tangent<T, 4, 0, 2>>::default(); let by_q = result.q.as_mut_slice();`
    fn begin_gradient(&self, out: &mut Tokens, shape: Shape, arrays: &BTreeSet<Array>) -> Ident {
        let result = local("result");
        out.word("let").word("mut").binding(result.clone());
        self.interface.type_of(out.punct('=').punct('<'), shape);
        out.punct('>').quoted(quote!(::default();));
        for &array in arrays {
            let Array::Gradient(of) = array else { continue };
            let field = local(of.field());
            out.word("let").binding(varied("by", of)).punct('=');
            out.quoted(match of {
                Varied::Time => quote!(&mut #result.#field;),
                _ => quote!(#result.#field.as_mut_slice();),
            });
        }
        result
    }

    /// `let out = out.as_mut_slice(); out.fill(T::lit(0.0));` of what gives nothing back; without the zeros where all of
    /// it is written.
    fn begin_in_place(&self, out: &mut Tokens, signature: &Signature, assignment: &Assignment) {
        let arrays = [Array::Output, Array::Multipliers];
        for ((place, shape), array) in self.interface.places(signature).into_iter().zip(arrays) {
            out.word("let").binding(place.clone()).punct('=');
            out.quoted(quote!(#place.as_mut_slice();));
            if !assignment.is_whole(array, self.interface.entries(shape)) {
                out.quoted(quote!(#place.fill));
                out.parentheses(|out| _ = out.paste(&self.zero)).punct(';');
            }
        }
    }

    /// `let (a, lambda_of) = rt::System::acceleration_and_multipliers(self, t, q, v)?;`
    fn solve(&self, out: &mut Tokens, places: &[Array], path: [&str; 2]) {
        let arguments = [Argument::Time, Argument::Coordinates, Argument::Velocities];
        let [t, q, v] = arguments.map(|argument| self.interface.name(argument));
        let names: Vec<Ident> = places.iter().filter_map(|&it| self.name(it)).collect();
        let pattern = match &names[..] {
            [name] => quote!(#name),
            names => quote!((#(#names),*)),
        };
        let [of, function] = path.map(|name| Ident::new(name, Span::call_site()));
        out.quoted(quote!(let #pattern = rt::#of::#function(self, #t, #q, #v)?;));
    }

    /// The name of an array; those of parameters and inputs are fields.
    fn name(&self, array: Array) -> Option<Ident> {
        if let Some(argument) = loops::argument(array) {
            return Some(self.interface.name(argument));
        }
        Some(match array {
            Array::Tangent(of) => varied("along", of),
            Array::Gradient(of) => varied("by", of),
            Array::MotionBy(by) => local(&format!("motion_{}", by.field())),
            Array::MultipliersBy(by) => local(&format!("multipliers_{}", by.field())),
            Array::Output => self.out.clone(),
            Array::Multipliers if self.hands_out => self.interface.name(Argument::Multipliers),
            Array::Multipliers => local(BESIDE),
            array => local(loops::work_name(array)?),
        })
    }

    /// The arguments as arrays, and `let mut taken_of = [0; M];`; of those that are large, what is taken of the room that
    /// is given, if any is: zeros where there have to be.
    fn work_arrays(
        &self,
        out: &mut Tokens,
        arrays: &BTreeSet<Array>,
        in_room: Option<&Assignment>,
    ) {
        let given = self.observes || self.hands_out;
        let observed = |array: Array| given && array == Array::Multipliers;
        let arguments = arrays
            .iter()
            .filter(|&&it| it.is_argument() || observed(it));
        for name in arguments.filter_map(|array| self.name(*array)) {
            out.word("let").binding(name.clone()).punct('=');
            out.quoted(if self.interface.large {
                quote!(#name.as_slice();)
            } else {
                quote!(&#name.data.0[0];)
            });
        }
        let tangent = self.interface.name(Argument::Tangent);
        for &array in arrays {
            let Array::Tangent(of) = array else { continue };
            let field = local(of.field());
            out.word("let").binding(varied("along", of)).punct('=');
            out.quoted(match of {
                Varied::Time => quote!(&#tangent.#field;),
                _ => quote!(#tangent.#field.as_slice();),
            });
        }
        for (array, size) in self.interface.work_arrays(self.loops, arrays) {
            let Some(name) = self.name(array) else {
                continue;
            };
            let (scalar, length) = (&self.interface.scalar, number(size));
            out.word("let");
            if !(self.interface.large && is_large(size)) {
                out.word("mut").binding(name).punct('=');
                out.brackets(|out| _ = out.paste(&self.zero).punct(';').literal(length));
            } else if let Some(assignment) = in_room {
                let room = local("room");
                out.binding(name).punct('=');
                out.runtime(if assignment.needs_zeros(array) {
                    "take_zeros"
                } else {
                    "take_room"
                });
                out.quoted(quote!(::<#scalar, #length>(&mut #room)));
            } else {
                out.word("mut").binding(name).punct('=');
                out.quoted(quote!(<rt::HeapArray<#scalar, #length>>::zeros()));
            }
            out.punct(';');
        }
    }

    /// `q[2 * round]`, `self.m[round]`. The unknowns and L share an array: one call sets both to zero.
    fn place(&self, out: &mut Tokens, array: Array, at: Index) {
        if let Array::Tangent(Varied::Time) | Array::Gradient(Varied::Time) = array {
            // Of one entry.
            let name = self.name(array);
            out.quoted(quote!(*#name));
            return;
        }
        if array == Array::Numbers {
            let name = self
                .interface
                .tables
                .borrow_mut()
                .numbers(self.interface.numbers);
            let scalar = &self.interface.scalar;
            out.quoted(quote!(#scalar::lit)).parentheses(|out| {
                out.ident(name).brackets(|out| self.index(out, at, 0));
            });
            return;
        }
        let offset = match array {
            Array::Lower => self.interface.size(Dimension::Rows),
            _ => 0,
        };
        let field = self.interface.indexed.get(&array).map(Indexed::flat);
        match (&field, self.name(array)) {
            (Some([before, _]), _) => _ = out.quoted(before.clone()),
            (None, Some(name)) => _ = out.ident(name),
            (None, None) => {}
        }
        out.brackets(|out| self.index(out, at, offset));
        if let Some([_, behind]) = field {
            out.quoted(behind);
        }
    }

    fn write_loop(&self, out: &mut Tokens, it: &Loop) {
        if it.rounds == 1 {
            return self.blocks(out, it);
        }
        let Some(width) = it.table.first().map(Vec::len) else {
            out.word("for").binding(self.round.clone()).word("in");
            out.literal(number(0))
                .joint('.', '.')
                .literal(number(it.rounds));
            out.braces(|out| self.blocks(out, it));
            return;
        };
        let name = self.interface.tables.borrow_mut().places(&it.table);
        out.word("for");
        let mut indices = it.body.iter().flat_map(|(_, indices)| indices);
        if indices.any(|index| matches!(index, Index::Even { .. })) {
            out.parentheses(|out| {
                columns(out.binding(self.round.clone()).punct(','), width);
            });
            out.word("in").quoted(quote!(#name.iter().enumerate()));
        } else {
            columns(out, width);
            out.word("in").punct('&').ident(name);
        }
        out.braces(|out| self.blocks(out, it));
    }

    /// `PANELS.solve(&mut blocks_of[..], &mut scales_of[..], &mut x_of[..])?;`
    fn eliminate(&self, out: &mut Tokens, panels: &Panels) {
        let pattern = self.interface.tables.borrow_mut().pattern(panels);
        let arrays = [Array::Blocks, Array::Scales, Array::Solution];
        let arrays = arrays.into_iter().filter_map(|array| self.name(array));
        out.quoted(quote!(#pattern.solve(#(&mut #arrays[..]),*)?;));
    }

    /// An index as a function of the round, in an array that begins at `offset`.
    fn index(&self, out: &mut Tokens, index: Index, offset: usize) {
        match index {
            Index::Constant(value) => _ = out.literal(number(offset + value)),
            Index::Table(i, ahead) => {
                if offset + ahead > 0 {
                    out.literal(number(offset + ahead)).punct('+');
                }
                out.ident(column(i)).word("as").word("usize");
            }
            Index::Even { first, step } => {
                if offset + first > 0 || step < 0 {
                    let sign = if step > 0 { '+' } else { '-' };
                    out.literal(number(offset + first)).punct(sign);
                }
                if step.unsigned_abs() != 1 {
                    out.literal(number(step.unsigned_abs())).punct('*');
                }
                out.ident(self.round.clone());
            }
        }
    }

    /// The names of velocities, which loops know by number.
    fn velocity_names(&self) -> TokenStream {
        let scalar = &self.interface.scalar;
        quote!(rt::Dynamics::<#scalar>::names(self, rt::Quantity::Velocity))
    }

    /// `rt::check_pivot(round, pivot, diagonal)?;`, or `judged[0] = rt::JudgedPivot::of(round, pivot, diagonal);` of a
    /// pivot that is checked with others.
    fn pivot(
        &self,
        out: &mut Tokens,
        index: Index,
        [pivot, diagonal]: [Tokens; 2],
        judged: Option<usize>,
    ) {
        let mut arguments = Tokens::default();
        self.index(&mut arguments, index, 0);
        arguments.punct(',').append(pivot);
        arguments.punct(',').append(diagonal);
        match judged {
            None => self.check_pivots(out, quote!(rt::check_pivot(#arguments))),
            Some(number) => {
                let (judged, number) = (local(JUDGED), self::number(number));
                out.quoted(quote!(#judged[#number] = rt::JudgedPivot::of(#arguments);));
            }
        }
    }

    /// `rt::check_pivots(judged)?;`, of systems without rows, whose pivots are those of M, with the coordinate's name.
    fn check_pivots(&self, out: &mut Tokens, check: TokenStream) {
        let of_mass = self.interface.sizes[Dimension::Rows as usize] == 0;
        out.quoted(if of_mass {
            let names = self.velocity_names();
            quote!(rt::of_mass_among(#names, #check)?;)
        } else {
            quote!(#check?;)
        });
    }

    /// The kernels of a loop, each in a block of its own. Where several of them compute a pivot, these are checked at the
    /// end of a round, since a branch between the two ends of a chain would keep the compiler from computing both in
    /// one register.
    fn blocks(&self, out: &mut Tokens, it: &Loop) {
        let pivots = |kernel: usize| {
            let writes = self.loops.routine.kernels[kernel].writes.iter();
            writes.filter(|it| matches!(it, Write::Pivot(_))).count()
        };
        let all: Vec<usize> = it.body.iter().map(|&(kernel, _)| pivots(kernel)).collect();
        let count: usize = all.iter().sum();
        // The pivots of one kernel depend on each other.
        let of_several = count >= 2 && all.iter().all(|&own| own <= 1);
        let together = it.rounds > 1 && of_several;
        let judged = local(JUDGED);
        if together {
            let count = number(count);
            out.word("let").word("mut").binding(judged.clone());
            out.quoted(quote!(= [rt::JudgedPivot::unknown(); #count];));
        }
        let mut first = 0;
        for ((kernel, indices), own) in it.body.iter().zip(all) {
            out.braces(|out| self.block(out, *kernel, indices, together.then_some(first)));
            first += own;
        }
        if together {
            self.check_pivots(out, quote!(rt::check_pivots(#judged)));
        }
    }

    /// Reads, statements and writes of a kernel; `judged`: the number of its first pivot, where those are checked later.
    fn block(&self, out: &mut Tokens, number: usize, indices: &[Index], judged: Option<usize>) {
        let mut judged = judged.into_iter().flat_map(|first| first..);
        let (kernel, planned) = (
            &self.loops.kernels[number],
            &self.loops.routine.kernels[number],
        );
        for (symbol, array, at) in &planned.reads {
            if let Some(own) = kernel.leaves.get(symbol) {
                out.word("let").binding(own.clone()).punct('=');
                self.place(out, *array, indices[*at]);
                out.punct(';');
            }
        }
        let Body {
            statements,
            mut outputs,
        } = self.body(kernel);
        let mut output = |k: usize| std::mem::take(&mut outputs[k]);
        out.append(statements);
        for (k, write) in planned.writes.iter().enumerate() {
            match write {
                Write::Set(array, place) => {
                    self.target(out, *array, indices[*place]);
                    out.punct('=').append(output(k)).punct(';');
                }
                Write::Add(array, place) => {
                    self.target(out, *array, indices[*place]);
                    out.joint('+', '=').append(output(k)).punct(';');
                }
                Write::Pivot(place) => {
                    let pivot = [k, k + 1].map(&mut output);
                    self.pivot(out, indices[*place], pivot, judged.next());
                }
                Write::Check(Checked::Coordinate(place)) => {
                    out.runtime("check_inertia_among").parentheses(|out| {
                        out.quoted(self.velocity_names()).punct(',');
                        self.index(out, indices[*place], 0);
                        out.punct(',').append(output(k));
                    });
                    out.punct('?').punct(';');
                }
                Write::Check(checked) => {
                    let behind = &planned.writes[k + 1..];
                    let others = behind.iter().take_while(|it| **it == Write::Checked);
                    let numbers = (k..=k + others.count()).map(&mut output);
                    let numbers: Vec<Tokens> = numbers.collect();
                    out.quoted(self.interface.check(*checked, &numbers));
                }
                Write::Entry(matrix, row, column) => {
                    let matrix = Ident::new(&format!("{matrix:?}"), Span::call_site());
                    out.ident(self.interface.name(Argument::Entries))
                        .parentheses(|out| {
                            out.quoted(quote!(rt::DescriptorMatrix::#matrix,));
                            self.index(out, indices[*row], 0);
                            self.index(out.punct(','), indices[*column], 0);
                            out.punct(',').append(output(k));
                        });
                    out.punct(';');
                }
                Write::Block { first, velocities } => {
                    let velocities = &indices[*first..first + velocities];
                    let entries = (k..planned.roots.len()).map(&mut output).collect();
                    self.push_rows(out, velocities, entries);
                }
                Write::Diagonal | Write::Checked | Write::Blocked => {}
            }
        }
    }

    /// `rows.push(&[2 * round, …], &[x, …], &[…]);`
    fn push_rows(&self, out: &mut Tokens, velocities: &[Index], mut entries: Vec<Tokens>) {
        let mut weighted = entries.split_off(entries.len() / 2);
        out.ident(local("rows")).punct('.').quoted(quote!(push));
        out.parentheses(|out| {
            out.punct('&').brackets(|out| {
                out.list(velocities, |out, index| self.index(out, *index, 0));
            });
            for entries in [&mut entries, &mut weighted] {
                out.punct(',').punct('&').brackets(|out| {
                    out.list(entries, |out, entry| {
                        _ = out.append(std::mem::take(entry));
                    });
                });
            }
        });
        out.punct(';');
    }

    fn body(&self, kernel: &Kernel) -> Body {
        let leaf = |symbol: SymbolId| {
            let own = kernel.leaves.get(&symbol);
            let leaf = own.unwrap_or(&self.interface.leaves[symbol.index()]);
            leaf.clone()
        };
        let spelling = Spelling {
            leaf: &leaf,
            scalar: &self.interface.scalar,
            coordinate: &|_| None,
        };
        rust::body(&kernel.program, &spelling)
    }

    /// The target of a result: an element of an array, or the sum.
    fn target(&self, out: &mut Tokens, array: Array, at: Index) {
        if array == Array::Output && self.sums {
            out.ident(self.out.clone());
        } else {
            self.place(out, array, at);
        }
    }
}

/// `along_q`, a part of a tangent, or `by_q`, of a gradient.
fn varied(before: &str, of: Varied) -> Ident {
    local(&format!("{before}_{}", of.field()))
}

/// The pivots of a round that are checked together.
const JUDGED: &str = "judged";

/// `&[place_0, place_1]`
fn columns(out: &mut Tokens, width: usize) {
    out.punct('&').brackets(|out| {
        out.list(0..width, |out, i| _ = out.binding(column(i)));
    });
}

fn column(i: usize) -> Ident {
    format_ident!("place_{i}", span = Span::mixed_site())
}

fn number(value: usize) -> Literal {
    Literal::usize_unsuffixed(value)
}
