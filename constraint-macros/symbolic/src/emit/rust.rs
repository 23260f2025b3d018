//! Programs as Rust: the only place that writes arithmetic tokens.

mod bindings;
pub(super) mod loops;
mod results;
mod statements;

pub(super) use self::statements::Printer;
use proc_macro2::{Ident, Literal};
use quote::quote;

use super::interface::Interface;
use super::tokens::Tokens;
use crate::code::Values;
use crate::expr::{CollectVec, Comparison, Function, SymbolId};
use crate::function::Dimension;
use crate::function::leaves::local;
use crate::schedule::{Guard, Op, Program, Statement, ValueId};

/// A program written out: statements, then one expression per output.
pub struct Body {
    /// `let`s and guards.
    pub statements: Tokens,
    /// The outputs.
    pub outputs: Vec<Tokens>,
}

impl Interface<'_> {
    /// A program with the identifiers of this type.
    pub fn body(&self, program: &Program) -> Body {
        let mut writer = Writer::new(self, Values::of(program));
        let mut statements = Tokens::default();
        for statement in &program.statements {
            writer.statement(&mut statements, statement);
        }
        let output = |&output: &ValueId| {
            let mut tokens = Tokens::default();
            writer.expression(&mut tokens, output, Binding::Or);
            tokens
        };
        Body {
            outputs: program.outputs.iter().map(output).collect_vec(),
            statements,
        }
    }
}

/// The macro that represents a comment in listings, since tokens have none.
pub const HEADING: &str = "heading";

/// Precedence of an expression, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Or,
    And,
    Sum,
    Product,
    Unary,
    Postfix,
}

/// The writer of the values of a program.
struct Writer<'a> {
    interface: &'a Interface<'a>,
    values: Values<'a>,
    bound: Vec<Option<Ident>>,
    /// `T::lit`
    literal: Tokens,
}

impl<'a> Writer<'a> {
    fn new(interface: &'a Interface<'a>, values: Values<'a>) -> Writer<'a> {
        let scalar = &interface.scalar;
        Writer {
            interface,
            values,
            bound: vec![None; values.program.values.len()],
            literal: quote!(#scalar::lit).into(),
        }
    }

    /// The identifier of a leaf.
    fn leaf(&self, symbol: SymbolId) -> Ident {
        let own = self.values.leaves.and_then(|leaves| leaves.get(&symbol));
        own.unwrap_or(&self.interface.leaves[symbol.index()])
            .clone()
    }

    /// The coordinate that a guard beyond those of the constraints is about: a row of the mass matrix.
    fn coordinate(&self, row: usize) -> Option<&String> {
        let row = row.checked_sub(self.interface.size(Dimension::Rows))?;
        self.interface.coordinates.get(row)
    }

    fn bind(&mut self, value: ValueId, name: &str) -> Ident {
        let ident = local(name);
        self.bound[value.index()] = Some(ident.clone());
        ident
    }

    fn statement(&mut self, out: &mut Tokens, statement: &Statement) {
        match statement {
            Statement::Let { value, name } => {
                let name = self.bind(*value, name);
                self.operation(out.word("let").binding(name).punct('='), *value);
            }
            Statement::SinCos {
                sine,
                cosine,
                argument,
            } => {
                let (sine, cosine) = (self.bind(sine.0, &sine.1), self.bind(cosine.0, &cosine.1));
                out.word("let");
                out.parentheses(|out| _ = out.binding(sine).punct(',').binding(cosine));
                out.punct('=');
                self.method(out, *argument, "simd_sin_cos", &[]);
            }
            Statement::Guard(guard) => self.guard(out, *guard),
        }
        out.punct(';');
    }

    /// `rt::check_pivot(0, pivot_0, t1)?`, of the mass matrix `rt::of_mass("x", rt::check_pivot(…))?`
    fn guard(&self, out: &mut Tokens, guard: Guard<ValueId>) {
        match self.coordinate(guard.row) {
            None => self.check(out, guard),
            Some(coordinate) => {
                out.runtime("of_mass").parentheses(|out| {
                    out.literal(Literal::string(coordinate)).punct(',');
                    self.check(out, guard);
                });
            }
        }
        out.punct('?');
    }

    fn check(&self, out: &mut Tokens, guard: Guard<ValueId>) {
        let check = match guard.partner {
            None => "check_pivot",
            Some(_) => "check_pivot_pair",
        };
        out.runtime(check).parentheses(|out| {
            out.literal(Literal::usize_unsuffixed(guard.row)).punct(',');
            let values: Vec<ValueId> = guard.values().collect_vec();
            self.arguments(out, &values);
        });
    }

    /// The value where it is used, its name or else its operation, in brackets unless that binds at least
    /// as tightly as `needed`.
    fn expression(&self, out: &mut Tokens, id: ValueId, needed: Binding) {
        match &self.bound[id.index()] {
            Some(name) => _ = out.ident(name.clone()),
            None if self.binding(id) >= needed => self.operation(out, id),
            None => _ = out.parentheses(|out| self.operation(out, id)),
        }
    }

    fn binding(&self, id: ValueId) -> Binding {
        if self.bound[id.index()].is_some() {
            return Binding::Postfix;
        }
        match &self.values.program.values[id.index()] {
            Op::Or(..) => Binding::Or,
            Op::And(..) => Binding::And,
            Op::Add(..) | Op::Sub(..) => Binding::Sum,
            Op::Mul(..) | Op::Div(..) | Op::Recip(_) => Binding::Product,
            // −a·b is (−a)·b: the same value without a bracket.
            Op::Neg(a) => self.binding(*a).clamp(Binding::Product, Binding::Unary),
            Op::Not(_) => Binding::Unary,
            _ => Binding::Postfix,
        }
    }

    fn operation(&self, out: &mut Tokens, id: ValueId) {
        use Binding::{And, Or, Product, Sum, Unary};
        match &self.values.program.values[id.index()] {
            Op::Input(symbol) => _ = out.ident(self.leaf(*symbol)),
            Op::Number(number) if number.fits() => self.number(out, number.to_f64()),
            // A number that got past the check of all results must not become another one.
            Op::Number(number) => {
                let message = format!("the constant {number} is no `f64`");
                out.paste(&quote! { ::core::compile_error!(#message) }.into());
            }
            Op::Boolean(value) => self.boolean(out, *value),
            Op::Add(a, b) => self.binary(out, (*a, Sum), '+', (*b, Product)),
            Op::Sub(a, b) => self.binary(out, (*a, Sum), '-', (*b, Product)),
            Op::Mul(a, b) => self.binary(out, (*a, Product), '*', (*b, Unary)),
            Op::Div(a, b) => self.binary(out, (*a, Product), '/', (*b, Unary)),
            Op::And(a, b) => self.binary(out, (*a, And), '&', (*b, Sum)),
            Op::Or(a, b) => self.binary(out, (*a, Or), '|', (*b, And)),
            Op::Recip(a) => {
                self.number(out, 1.0);
                self.expression(out.punct('/'), *a, Unary);
            }
            Op::Neg(a) => self.expression(out.punct('-'), *a, Product),
            Op::Not(a) => self.expression(out.punct('!'), *a, Unary),
            Op::Call(function, arguments) => self.call(out, *function, arguments),
            Op::Compare(comparison, a, b) => {
                self.method(out, *a, comparison_method(*comparison), &[*b]);
            }
            Op::Select(condition, then, otherwise) => {
                self.method(out, *then, "select", &[*condition, *otherwise]);
            }
        }
    }

    fn binary(
        &self,
        out: &mut Tokens,
        (left, left_binding): (ValueId, Binding),
        operator: char,
        (right, right_binding): (ValueId, Binding),
    ) {
        self.expression(out, left, left_binding);
        self.expression(out.punct(operator), right, right_binding);
    }

    fn call(&self, out: &mut Tokens, function: Function, arguments: &[ValueId]) {
        let name = function.row().name;
        match function {
            // The runtime's own.
            Function::Erf | Function::Erfc => {
                out.runtime(name);
                out.parentheses(|out| self.arguments(out, arguments));
            }
            Function::Signum => {
                self.number(out, 1.0);
                out.punct('.').word("simd_copysign");
                out.parentheses(|out| self.arguments(out, arguments));
            }
            Function::Abs => self.method(out, arguments[0], "simd_modulus", &[]),
            _ => {
                let method = format!("simd_{name}");
                self.method(out, arguments[0], &method, &arguments[1..]);
            }
        }
    }

    /// `receiver.method(arguments)`
    fn method(&self, out: &mut Tokens, receiver: ValueId, method: &str, arguments: &[ValueId]) {
        self.expression(out, receiver, Binding::Postfix);
        out.punct('.').word(method);
        out.parentheses(|out| self.arguments(out, arguments));
    }

    fn arguments(&self, out: &mut Tokens, arguments: &[ValueId]) {
        out.list(arguments, |out, &argument| {
            self.expression(out, argument, Binding::Or);
        });
    }

    fn number(&self, out: &mut Tokens, value: f64) {
        let size = Literal::f64_unsuffixed(value.abs());
        out.paste(&self.literal).parentheses(|out| {
            if value < 0.0 {
                out.punct('-');
            }
            out.literal(size);
        });
    }

    /// Constant conditions are folded long before; spelled so that every lane type has them.
    fn boolean(&self, out: &mut Tokens, value: bool) {
        self.number(out, 0.0);
        out.punct('.').word("simd_eq");
        out.parentheses(|out| self.number(out, f64::from(u8::from(!value))));
    }
}

fn comparison_method(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Lt => "simd_lt",
        Comparison::Le => "simd_le",
        Comparison::Gt => "simd_gt",
        Comparison::Ge => "simd_ge",
        Comparison::Eq => "simd_eq",
    }
}
