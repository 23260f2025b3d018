//! Statements as Rust: those of functions in loops. Procedures the runtime has itself.

use crate::expr::CollectVec;
use std::ptr;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use super::{Binding, HEADING, Writer};
use crate::code::{
    Affine, ArrayElement, Change, Counter, Expression, Integer, Rounds, Runtime, Statement, Table,
    Values, Vector,
};
use crate::emit::heap::is_large;
use crate::emit::interface::{Interface, flattened};
use crate::emit::tables::{numbers_name, places_name};
use crate::emit::tokens::Tokens;
use crate::function::leaves::local;
use crate::function::{Argument, Dimension};
use crate::schedule::Matrix;
use crate::system::loops::routine::Checked;

/// The pivots of a round that are checked together.
const JUDGED: &str = "judged";

/// A printer of statements.
pub(in crate::emit) struct Printer<'w> {
    pub(super) interface: &'w Interface<'w>,
    /// Whether large arrays are taken of a room that is given.
    in_room: bool,
    /// The writer of the program whose values are read.
    program: Option<Writer<'w>>,
    /// Whether a loop's counter is read.
    counts: bool,
    /// The number of the next pivot, where those of a round are checked together.
    judged: Option<(Matrix, usize)>,
    /// Whether results are checked, which may not be finite.
    pub judges: bool,
}

impl<'w> Printer<'w> {
    /// For the functions of a type.
    pub fn new(interface: &'w Interface<'w>, in_room: bool) -> Printer<'w> {
        Printer {
            interface,
            in_room,
            program: None,
            counts: false,
            judged: None,
            judges: false,
        }
    }

    /// Statements, one after the other.
    pub fn all(&mut self, out: &mut Tokens, statements: &[Statement<'w>]) {
        statements.iter().for_each(|it| self.statement(out, it));
    }

    fn statement(&mut self, out: &mut Tokens, statement: &Statement<'w>) {
        match statement {
            // `heading!("right-hand sides");`
            Statement::Comment(text) => {
                let text = Literal::string(text);
                out.word(HEADING).punct('!');
                out.parentheses(|out| _ = out.literal(text)).punct(';');
            }
            Statement::Inputs(state, own) => self.inputs(out, state, own.is_some()),
            Statement::Components(names, of) => self.components(out, names, of),
            Statement::Let(values, it, _) => self.writer(*values).statement(out, it),
            Statement::Constant(name, value) => {
                out.word("let").binding(local(name)).punct('=');
                self.expression(out, value);
                out.punct(';');
            }
            Statement::Assign(element, change, value) => {
                self.element(out, element);
                match change {
                    Change::Set => out.punct('='),
                    Change::Add => out.joint('+', '='),
                    Change::Subtract => out.joint('-', '='),
                    Change::Multiply => out.joint('*', '='),
                };
                self.expression(out, value);
                out.punct(';');
            }
            Statement::Array(name, length, zeros) => self.array(out, local(name), *length, *zeros),
            Statement::Rounds(rounds, body) => self.rounds(out, rounds, body),
            Statement::Block(body) => {
                self.program = None;
                out.braces(|out| self.all(out, body));
            }
            Statement::If(condition, branches) => self.branches(out, condition, branches),
            Statement::Results(results) => self.results(out, results),
            Statement::Runtime(call) => self.call(out, call),
            _ => {}
        }
    }

    /// `let mut taken_of = [T::lit(0.0); 4];`, of large ones what is taken of the room that is given, if any is: zeros
    /// where there have to be.
    fn array(&mut self, out: &mut Tokens, name: Ident, length: usize, zeros: bool) {
        let (scalar, count) = (&self.interface.scalar, number(length));
        out.word("let");
        if !(self.interface.large && is_large(length)) {
            out.word("mut").binding(name).punct('=');
            out.brackets(|out| _ = out.append(zero(scalar)).punct(';').literal(count));
        } else if self.in_room {
            let room = local("room");
            out.binding(name).punct('=');
            out.runtime(if zeros { "take_zeros" } else { "take_room" });
            out.quoted(quote!(::<#scalar, #count>(&mut #room)));
        } else {
            out.word("mut").binding(name).punct('=');
            out.quoted(quote!(<rt::HeapArray<#scalar, #count>>::zeros()));
        }
        out.punct(';');
    }

    /// `for round in 0..4 { … }`, over a table `for (round, &[place_0, place_1]) in PLACES_1.iter().enumerate() { … }`.
    ///
    /// Pivots of several blocks are checked at the end of a round, since a branch between the two ends of a chain would
    /// keep the compiler from computing both in one register. Those of one block depend on each other.
    fn rounds(&mut self, out: &mut Tokens, rounds: &Rounds, body: &[Statement<'w>]) {
        let (table, body) = match body {
            [Statement::Line(_, table, _), body @ ..] => (Some(table), body),
            body => (None, body),
        };
        let judged_matrix = judged_matrix(body);
        let pivots = pivots(body, judged_matrix);
        let together = pivots.len() >= 2 && pivots.iter().all(|&own| own <= 1);
        let (count, judged) = (number(pivots.len()), local(JUDGED));
        let mut inside = Tokens::default();
        if together {
            inside.word("let").word("mut").binding(judged.clone());
            inside.quoted(quote!(= [rt::JudgedPivot::unknown(); #count];));
            self.judged = Some((judged_matrix, 0));
        }
        (self.program, self.counts) = (None, false);
        self.all(&mut inside, body);
        if together {
            self.judged = None;
            let check = quote!(rt::check_pivots(#judged));
            self.check_pivots(&mut inside, judged_matrix, check);
        }
        let round = local(&rounds.counter);
        out.word("for");
        match table {
            None => {
                out.binding(round).word("in");
                self.integer(out, &rounds.first);
                out.joint('.', '.');
                self.integer(out, &rounds.end);
            }
            Some(table) if self.counts => {
                out.parentheses(|out| columns(out.binding(round).punct(','), table));
                out.word("in").ident(places_name(table));
                out.quoted(quote!(.iter().enumerate()));
            }
            Some(table) => {
                columns(out, table);
                out.word("in").punct('&').ident(places_name(table));
            }
        }
        out.braces(|out| _ = out.append(inside));
    }

    /// `let here = …; if rt::all(here) { … } if rt::none(here) { … }`, where all lanes agree.
    fn branches(
        &mut self,
        out: &mut Tokens,
        condition: &Expression<'w>,
        branches: &[Vec<Statement<'w>>; 2],
    ) {
        let here = self.interface.local("here");
        out.word("let").binding(here.clone()).punct('=');
        self.expression(out, condition);
        out.punct(';');
        for (test, branch) in ["all", "none"].into_iter().zip(branches) {
            out.word("if").runtime(test);
            out.parentheses(|out| _ = out.ident(here.clone()));
            out.braces(|out| self.all(out, branch));
        }
    }

    /// `rt::check_tangent(metric)?;`
    pub fn tangent(&mut self, out: &mut Tokens, square: &Expression<'w>) {
        out.runtime("check_tangent");
        out.parentheses(|out| self.expression(out, square));
        out.punct('?').punct(';');
    }

    fn call(&mut self, out: &mut Tokens, call: &Runtime<'w>) {
        match call {
            Runtime::Tangent(square) => self.tangent(out, square),
            Runtime::Pivot(of, row, both) => self.pivot(out, *of, row, both),
            Runtime::Inertia(velocity, entry) => {
                let names = self.velocity_names();
                out.runtime("check_inertia_among").parentheses(|out| {
                    self.integer(out.quoted(names).punct(','), velocity);
                    self.expression(out.punct(','), entry);
                });
                out.punct('?').punct(';');
            }
            Runtime::Parameters(checked, numbers) => {
                let numbers = numbers.iter().map(|it| self.alone(it));
                let numbers: Vec<Tokens> = numbers.collect_vec();
                out.quoted(self.interface.check(*checked, &numbers));
            }
            Runtime::Entry(matrix, at, value) => {
                let matrix = Ident::new(&format!("{matrix:?}"), Span::call_site());
                out.ident(self.interface.name(Argument::Entries));
                out.parentheses(|out| {
                    out.quoted(quote!(rt::DescriptorMatrix::#matrix));
                    at.iter().for_each(|it| self.integer(out.punct(','), it));
                    self.expression(out.punct(','), value);
                });
                out.punct(';');
            }
            Runtime::Rows(velocities, entries) => {
                out.ident(local("rows")).punct('.').word("push");
                out.parentheses(|out| {
                    out.punct('&').brackets(|out| {
                        out.list(velocities, |out, it| self.integer(out, it));
                    });
                    for entries in entries.chunks((entries.len() / 2).max(1)) {
                        self.listed(out.punct(',').punct('&'), entries);
                    }
                });
                out.punct(';');
            }
        }
    }

    /// `rt::check_pivot(round, pivot, diagonal)?;`, or `judged[0] = rt::JudgedPivot::of(round, pivot, diagonal);` of a
    /// pivot that is checked with others.
    fn pivot(&mut self, out: &mut Tokens, of: Matrix, row: &Integer, both: &[Expression<'w>]) {
        let mut arguments = Tokens::default();
        self.integer(&mut arguments, row);
        for number in both {
            self.expression(arguments.punct(','), number);
        }
        match &mut self.judged {
            Some((judged, next)) if *judged == of => {
                let (judged, place) = (local(JUDGED), number(*next));
                *next += 1;
                out.quoted(quote!(#judged[#place] = rt::JudgedPivot::of(#arguments);));
            }
            _ => self.check_pivots(out, of, quote!(rt::check_pivot(#arguments))),
        }
    }

    /// `rt::check_pivots(judged)?;`, of M with the coordinate's name.
    fn check_pivots(&self, out: &mut Tokens, of: Matrix, check: TokenStream) {
        out.quoted(match of {
            Matrix::Mass => {
                let (names, rows) = (self.velocity_names(), self.interface.size(Dimension::Rows));
                let rows = number(rows);
                quote!(rt::of_mass_among(#names, #rows, #check)?;)
            }
            Matrix::Delassus => quote!(#check?;),
        });
    }

    /// The names of velocities, which loops know by number.
    fn velocity_names(&self) -> TokenStream {
        let scalar = &self.interface.scalar;
        quote!(rt::Dynamics::<#scalar>::names(self, rt::Quantity::Velocity))
    }

    pub fn alone(&mut self, expression: &Expression<'w>) -> Tokens {
        let mut out = Tokens::default();
        self.expression(&mut out, expression);
        out
    }

    pub fn expression(&mut self, out: &mut Tokens, expression: &Expression<'w>) {
        match expression {
            Expression::Value(values, id) => {
                self.writer(*values).expression(out, *id, Binding::Or);
            }
            Expression::ArrayElement(element) => self.element(out, element),
            _ => {}
        }
    }

    /// The writer of a program.
    pub(super) fn writer(&mut self, values: Values<'w>) -> &mut Writer<'w> {
        let same = |it: &mut Writer<'_>| ptr::eq(it.values.program, values.program);
        let interface = self.interface;
        if self.program.as_mut().is_some_and(|it| !same(it)) {
            self.program = None;
        }
        self.program
            .get_or_insert_with(|| Writer::new(interface, values))
    }

    /// `q[2 * round]`, `self.m[round]`
    pub fn element(&mut self, out: &mut Tokens, element: &ArrayElement) {
        let mut behind = TokenStream::new();
        match &element.vector {
            Vector::Own(name) | Vector::Argument(name) => _ = out.ident(local(name)),
            Vector::Field(field) => {
                if let Some(component) = field.component.map(number) {
                    behind = quote!(.data.0[0][#component]);
                }
                out.quoted(flattened(field.place.clone(), &field.lengths));
            }
            Vector::Numbers => {
                let scalar = &self.interface.scalar;
                out.quoted(quote!(#scalar::lit)).parentheses(|out| {
                    self.places(out.ident(numbers_name()), &element.places);
                });
                return;
            }
            Vector::Result | Vector::Text(_) => {}
        }
        self.places(out, &element.places);
        out.quoted(behind);
    }

    fn places(&mut self, out: &mut Tokens, places: &[Integer]) {
        for place in places {
            out.brackets(|out| self.integer(out, place));
        }
    }

    /// Loops have no other integers.
    fn integer(&mut self, out: &mut Tokens, integer: &Integer) {
        if let Integer::Affine(affine) = integer {
            self.sum(out, affine);
        }
    }

    /// `3 + 2 * round`, `3 + place_0 as usize`
    fn sum(&mut self, out: &mut Tokens, affine: &Affine) {
        let mut is_first = affine.constant == 0 && affine.terms().next().is_some_and(|it| it.0 > 0);
        if !is_first {
            out.literal(number(affine.constant.unsigned_abs()));
        }
        for (factor, counter) in affine.terms() {
            if !std::mem::take(&mut is_first) {
                out.punct(if factor > 0 { '+' } else { '-' });
            }
            if factor.unsigned_abs() != 1 {
                out.literal(number(factor.unsigned_abs())).punct('*');
            }
            match counter {
                Counter::Name(name) => {
                    self.counts = true;
                    out.ident(local(name));
                }
                Counter::Column(_, k) => {
                    out.ident(column(k)).word("as").word("usize");
                }
            }
        }
    }
}

/// The matrix whose pivots are checked together: that of the rows, if any are.
fn judged_matrix(body: &[Statement<'_>]) -> Matrix {
    let has_rows = !pivots(body, Matrix::Delassus).is_empty();
    if has_rows {
        Matrix::Delassus
    } else {
        Matrix::Mass
    }
}

/// The numbers of its pivots in each block that has any.
fn pivots(body: &[Statement<'_>], of: Matrix) -> Vec<usize> {
    let blocks = body.iter().filter_map(|it| match it {
        Statement::Block(body) => Some(body),
        _ => None,
    });
    let is_pivot = |it: &&Statement<'_>| match it {
        Statement::Runtime(Runtime::Pivot(other, ..)) => *other == of,
        _ => false,
    };
    let counts = blocks.map(|body| body.iter().filter(is_pivot).count());
    counts.filter(|&count| count > 0).collect_vec()
}

impl Interface<'_> {
    /// `rt::check_mass(m)?;`
    pub fn check(&self, checked: Checked, numbers: &[Tokens]) -> TokenStream {
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

/// `T::lit(0.0)`
pub(super) fn zero(scalar: &Ident) -> Tokens {
    quote!(#scalar::lit(0.0)).into()
}

/// `&[place_0, place_1]`
fn columns(out: &mut Tokens, table: &Table) {
    out.punct('&').brackets(|out| {
        out.list(0..table.width(), |out, i| _ = out.binding(column(i)));
    });
}

fn column(i: usize) -> Ident {
    format_ident!("place_{i}", span = Span::mixed_site())
}

fn number(value: usize) -> Literal {
    Literal::usize_unsuffixed(value)
}
