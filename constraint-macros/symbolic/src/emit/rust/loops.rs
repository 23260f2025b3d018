//! Methods whose computation is loops over arrays: where their arguments and results are.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

use super::statements::{Printer, zero};
use crate::code::expression::own;
use crate::code::{ArrayElement, Expression, Runtime, Statement, Vector};
use crate::dynamics::Matrix;
use crate::emit::heap::{BESIDE, OUT};
use crate::emit::interface::Interface;
use crate::emit::loops::{Form, InLoops, place};
use crate::emit::method::fallible;
use crate::emit::tokens::Tokens;
use crate::expr::{Set, SortedSet};
use crate::families::{Index, Loop};
use crate::function::assignment::Assignment;
use crate::function::leaves::local;
use crate::function::loops::{self, Loops};
use crate::function::system::GRADIENT;
use crate::function::{Argument, Shape, Signature};
use crate::model::Role;
use crate::solve::Panels;
use crate::system::loops::routine::{Array, By, Solve, Varied, by_column};

/// The result before it is given back.
const RESULT: &str = "result";

/// The parts of a gradient that are vectors.
const GRADIENTS: [Array; 4] = [
    Array::Gradient(Varied::Coordinate),
    Array::Gradient(Varied::Velocity),
    Array::Gradient(Varied::Input),
    Array::Gradient(Varied::Parameter),
];

impl Interface<'_> {
    /// Loops that give nothing back: checks, and rows that are pushed.
    pub fn loops(&self, out: &mut Tokens, loops: &Loops<'_>) {
        let writer = Writer {
            all: InLoops::new(self, loops, true),
            shape: Shape::Tuple(&[]),
            hands_out: false,
        };
        writer.body(out, None);
    }
}

/// The writer of one method.
pub(in crate::emit) struct Writer<'w> {
    pub all: InLoops<'w, 'w>,
    /// The result.
    shape: Shape,
    /// Whether there is none, and the caller takes entries of matrices.
    hands_out: bool,
}

impl<'w> Form<'w> for Writer<'w> {
    fn element(&self, _: &Loop, array: Array, at: Index) -> Option<ArrayElement> {
        let name = match array {
            Array::Output if self.shape == Shape::Scalar => return Some(own(OUT).whole()),
            Array::Tangent(Varied::Time) | Array::Gradient(Varied::Time) => {
                return Some(Vector::field(self.path(array)?));
            }
            array => self.name(array)?,
        };
        Some(Vector::Own(name.into()).at(place(at, 0)))
    }

    fn entry(
        &self,
        _: Index,
        matrix: Matrix,
        at: [Index; 2],
        value: Expression<'w>,
    ) -> Vec<Statement<'w>> {
        let entry = Runtime::Entry(matrix, at.map(|it| place(it, 0)), value);
        vec![Statement::Runtime(entry)]
    }
}

impl<'w> Writer<'w> {
    pub fn new(interface: &'w Interface<'w>, loops: &'w Loops<'w>, signature: &Signature) -> Self {
        Writer {
            all: InLoops::new(interface, loops, true),
            shape: signature.result,
            hands_out: signature.arguments.contains(&Argument::Entries),
        }
    }

    fn reads(&self, array: Array) -> bool {
        self.all.needed.contains(&array)
    }

    /// The roles of arguments that are read.
    pub fn handed(&self) -> Set<Role> {
        let mut read = self.all.loops.roles_given(self.all.interface.symbols);
        let takes_multipliers = self.hands_out && self.reads(Array::Multipliers);
        read.extend(takes_multipliers.then_some(Role::Reaction(0)));
        if self.all.solved(self.shape).is_some() {
            read.extend([Role::Time, Role::Coordinate(0), Role::Velocity(0)]);
        }
        read
    }

    /// All behind the names of leaves.
    pub fn function(&self, out: &mut Tokens, signature: &Signature, judges: bool) {
        let interface = self.all.interface;
        if let Some(solved) = self.all.solved(self.shape) {
            self.solve(out, solved);
        }
        // Elsewhere safe Rust has no arrays without values.
        let in_place = interface.is_in_place(signature, true);
        let assignment = in_place.then(|| Assignment::of(self.all.loops));
        let result = match &assignment {
            Some(assignment) => self.begin_in_place(out, signature, assignment),
            None if self.hands_out => None,
            None => Some(self.begin(out)),
        };
        let room = assignment.filter(|_| interface.takes_room(signature, true));
        self.body(out, room.as_ref());
        match result {
            Some(result) if judges => {
                let mut all = Tokens::default();
                all.ident(result);
                interface.defined(out, signature, all);
                if signature.result == Shape::Outputs {
                    out.quoted(quote!(.map(Into::into)));
                }
            }
            None if judges => {
                let places = interface.places(signature).into_iter();
                interface.all_defined(out, signature, places.map(|(place, _)| quote!(&*#place)));
            }
            Some(result) => fallible(out, signature.fails, |out| {
                out.ident(result);
                if signature.result == Shape::Outputs {
                    out.quoted(quote!(.into()));
                }
            }),
            None if signature.fails => _ = out.quoted(quote!(Ok(()))),
            None => {}
        }
    }

    /// The name of an array that is part of a result, or of an argument that is no vector.
    fn name(&self, array: Array) -> Option<String> {
        Some(match array {
            Array::Tangent(of) => format!("along_{}", of.field()),
            Array::Gradient(of) => format!("by_{}", of.field()),
            Array::MotionBy(by) => format!("motion_{}", by.field()),
            Array::MultipliersBy(by) => format!("multipliers_{}", by.field()),
            Array::Output => OUT.to_owned(),
            Array::Multipliers if self.hands_out => {
                self.argument(Argument::Multipliers).to_string()
            }
            Array::Multipliers => BESIDE.to_owned(),
            _ => return None,
        })
    }

    fn argument(&self, argument: Argument) -> Ident {
        self.all.interface.name(argument)
    }

    /// The place of what has such a name: `result.1.a`, `tangent.q`
    fn path(&self, array: Array) -> Option<TokenStream> {
        let result = local(RESULT);
        let part = |number: usize| match self.shape {
            Shape::Tuple(_) => {
                let number = Literal::usize_unsuffixed(number);
                quote!(#result.#number)
            }
            _ => quote!(#result),
        };
        let (owner, field) = match array {
            Array::Output => return Some(part(0)),
            Array::Multipliers => return Some(part(1)),
            Array::MotionBy(by) => (part(0), by.field()),
            Array::MultipliersBy(by) => (part(1), by.field()),
            Array::Gradient(of) => (part(0), of.field()),
            Array::Tangent(of) => {
                let tangent = self.argument(Argument::Tangent);
                (quote!(#tangent), of.field())
            }
            _ => return None,
        };
        let field = local(field);
        Some(quote!(#owner.#field))
    }

    /// `let by_q = result.q.as_mut_slice();`
    fn slice(&self, out: &mut Tokens, array: Array) {
        if let (Some(name), Some(path)) = (self.name(array), self.path(array)) {
            out.word("let").binding(local(&name)).punct('=');
            out.quoted(match (array, self.shape) {
                (Array::Tangent(_), _) => quote!(#path.as_slice();),
                // A sparse matrix, which takes the indices of a full one.
                (_, Shape::Matrix(..)) if self.all.interface.large => quote!(&mut #path;),
                _ => quote!(#path.as_mut_slice();),
            });
        }
    }

    /// `let mut result = <rt::SVector<T, 4>>::zeros(); let out = result.as_mut_slice();`, of a number
    /// `let mut out = T::lit(0.0);`, and the name of what the method gives back.
    fn begin(&self, out: &mut Tokens) -> Ident {
        // Nothing is added where V is 0.
        let routine = self.all.loops.routine;
        let changes = !routine.loops.is_empty();
        let (result, parts): (&str, &[Array]) = match self.shape {
            Shape::Scalar => (OUT, &[]),
            Shape::Record(record) if record.name == GRADIENT => (RESULT, &GRADIENTS),
            // Matrices are taken where loops write to them.
            Shape::Record(_) | Shape::Tuple([Shape::Record(_), ..]) => (RESULT, &[]),
            Shape::Tuple(_) => (RESULT, &[Array::Output, Array::Multipliers]),
            _ => (RESULT, &[Array::Output]),
        };
        out.word("let");
        if changes || result == RESULT {
            out.word("mut");
        }
        out.binding(local(result)).punct('=');
        out.append(self.all.interface.zeros(self.shape)).punct(';');
        let is_part = |it: &&Array| !GRADIENTS.contains(it) || self.reads(**it);
        parts
            .iter()
            .filter(is_part)
            .for_each(|it| self.slice(out, *it));
        local(result)
    }

    /// `let out = out.as_mut_slice(); out.fill(T::lit(0.0));` of what gives nothing back; without the zeros where all of
    /// it is written.
    fn begin_in_place(
        &self,
        out: &mut Tokens,
        signature: &Signature,
        assignment: &Assignment,
    ) -> Option<Ident> {
        let interface = self.all.interface;
        let zero = zero(&interface.scalar);
        let arrays = [Array::Output, Array::Multipliers];
        for ((place, shape), array) in interface.places(signature).into_iter().zip(arrays) {
            out.word("let").binding(place.clone()).punct('=');
            out.quoted(quote!(#place.as_mut_slice();));
            if !assignment.is_whole(array, interface.entries(shape)) {
                out.quoted(quote!(#place.fill(#zero);));
            }
        }
        None
    }

    /// `let (a, beside) = rt::Constrained::acceleration_and_multipliers(self, t, q, v)?;`, what outputs in loops depend on.
    fn solve(&self, out: &mut Tokens, (function, reads): (&str, [bool; 2])) {
        let arguments = [Argument::Time, Argument::Coordinates, Argument::Velocities];
        let [t, q, v] = arguments.map(|it| self.argument(it));
        let names = [self.argument(Argument::Accelerations), local(BESIDE)];
        let names = match (names, reads) {
            ([a, lambda], [true, true]) => quote!((#a, #lambda)),
            ([a, _], [true, false]) => quote!(#a),
            ([_, lambda], _) => quote!(#lambda),
        };
        let owner = match reads {
            [true, false] => quote!(Dynamics),
            _ => quote!(Constrained),
        };
        let function = Ident::new(function, Span::call_site());
        out.quoted(quote!(let #names = rt::#owner::#function(self, #t, #q, #v)?;));
    }

    /// The arguments as arrays.
    fn arguments(&self, out: &mut Tokens) {
        let given = self.shape == Shape::Outputs || self.hands_out;
        for &array in &self.all.needed {
            let name = match (array, loops::argument(array)) {
                (_, Some(argument)) => self.argument(argument),
                (Array::Multipliers, _) if given => match self.name(array) {
                    Some(name) => local(&name),
                    None => continue,
                },
                _ => continue,
            };
            out.word("let").binding(name.clone()).punct('=');
            out.quoted(if self.all.interface.large {
                quote!(#name.as_slice();)
            } else {
                quote!(&#name.data.0[0];)
            });
        }
        for &array in &self.all.needed {
            if matches!(array, Array::Tangent(of) if of != Varied::Time) {
                self.slice(out, array);
            }
        }
    }

    /// Arguments, arrays and loops; where large arrays are in a room that is given, what has to be zero there.
    fn body(&self, out: &mut Tokens, room: Option<&Assignment>) {
        let (all, mut printer) = (&self.all, Printer::new(self.all.interface, room.is_some()));
        self.arguments(out);
        printer.all(out, &all.arrays(room));
        let mut entries = 0;
        let mut write = |out: &mut Tokens, it: &Loop| match (it.step, all.loops.panels) {
            (Some(step), Some(panels)) => self.step(out, panels, Solve::of(step)),
            _ => printer.all(out, &all.rounds(self, it, &mut entries)),
        };
        for (per_column, loops) in by_column(&all.loops.routine.loops) {
            let mut write = |out: &mut Tokens| loops.iter().for_each(|it| write(out, it));
            if per_column {
                self.each_column(out);
                out.braces(write);
            } else {
                self.matrices(out, loops);
                write(out);
            }
        }
    }

    /// `PANELS.solve(&mut blocks_of[..], &mut scales_of[..], &mut x_of[..])?;`, or
    /// `PANELS.solve_again(&blocks_of[..], &mut y_of[..]);`
    fn step(&self, out: &mut Tokens, panels: &Panels, step: Solve) {
        let pattern = self.all.interface.tables.borrow_mut().pattern(panels);
        let name = |array| loops::work_name(array).map(local);
        let [blocks, scales] = [Array::Blocks, Array::Scales].map(name);
        let unknowns = step.unknowns().and_then(name);
        out.quoted(match step {
            Solve::Clear => {
                let zero = zero(&self.all.interface.scalar);
                quote!(#blocks.fill(#zero);)
            }
            Solve::First => {
                let arrays = [blocks, scales, unknowns];
                quote!(#pattern.solve(#(&mut #arrays[..]),*)?;)
            }
            Solve::Same | Solve::Beside => {
                quote!(#pattern.solve_again(&#blocks[..], &mut #unknowns[..]);)
            }
        });
    }

    /// `for (out, beside) in result.0.a.data.0.iter_mut().chain(…).zip(…)`
    fn each_column(&self, out: &mut Tokens) {
        let some = |by: &By| self.all.interface.size(by.dimension()) > 0;
        let of = |array: fn(By) -> Array| {
            let all = By::ALL.into_iter().filter(some);
            let mut all = all.filter_map(|by| self.path(array(by)));
            let first = all.next();
            quote!(#first.data.0.iter_mut() #(.chain(&mut #all.data.0))*)
        };
        let (column, motion) = (local(OUT), of(Array::MotionBy));
        out.word("for");
        out.quoted(if let Shape::Tuple(_) = self.shape {
            let (beside, multipliers) = (local(BESIDE), of(Array::MultipliersBy));
            quote!((#column, #beside) in #motion.zip(#multipliers))
        } else {
            quote!(#column in #motion)
        });
    }

    /// `let motion_a = result.a.as_mut_slice();` of those that loops write to.
    fn matrices(&self, out: &mut Tokens, loops: &[Loop]) {
        let kernels = loops.iter().flat_map(|it| &it.body).map(|it| it.0);
        let writes = kernels.flat_map(|it| &self.all.loops.routine.kernels[it].writes);
        let arrays: SortedSet<Array> = writes.filter_map(|it| it.target()).collect();
        let is_matrix = |it: &Array| matches!(it, Array::MotionBy(_) | Array::MultipliersBy(_));
        let arrays = arrays.into_iter().filter(is_matrix);
        arrays.for_each(|it| self.slice(out, it));
    }
}
