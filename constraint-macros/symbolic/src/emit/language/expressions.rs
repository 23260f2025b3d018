//! Statements and expressions of a program as text.

use super::functions::Writer;
use crate::expr::{Comparison, SymbolId};
use crate::schedule::{Op, Program, Statement, ValueId};
use crate::syntax::snake;

/// How tightly an expression binds, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Choice,
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Unary,
    Postfix,
}

/// A program, and which of its values have names so far.
pub(super) struct Expressions<'a> {
    writer: &'a Writer<'a>,
    program: &'a Program,
    leaf: &'a dyn Fn(SymbolId) -> String,
    bound: Vec<Option<String>>,
}

impl<'a> Expressions<'a> {
    /// Of a program whose leaves are called so.
    pub fn new(
        writer: &'a Writer<'a>,
        program: &'a Program,
        leaf: &'a dyn Fn(SymbolId) -> String,
    ) -> Expressions<'a> {
        Expressions {
            bound: vec![None; program.values.len()],
            writer,
            program,
            leaf,
        }
    }

    pub fn statement(&mut self, statement: &Statement) -> Vec<String> {
        self.statement_of(statement, |_| true)
    }

    /// The names that a statement gives to those values.
    pub fn statement_of(
        &mut self,
        statement: &Statement,
        is_named: impl Fn(ValueId) -> bool,
    ) -> Vec<String> {
        let values = match statement {
            Statement::Let { value, name } => vec![(value, name)],
            Statement::SinCos { sine, cosine, .. } => {
                vec![(&sine.0, &sine.1), (&cosine.0, &cosine.1)]
            }
            Statement::Guard(_) => Vec::new(),
        };
        let values = values.into_iter().filter(|it| is_named(*it.0));
        let constant = |(value, name): (&ValueId, &String)| {
            let (text, name) = (self.operation(*value), self.writer.name(&snake(name)));
            self.bound[value.index()] = Some(name.clone());
            self.writer.language.constant(&name, &text)
        };
        values.map(constant).collect()
    }

    /// A value by itself.
    pub fn whole(&self, id: ValueId) -> String {
        self.operand(id, Binding::Choice)
    }

    /// The name of a value, or else its operation, in brackets unless that binds at least as tightly as needed.
    fn operand(&self, id: ValueId, needed: Binding) -> String {
        match &self.bound[id.index()] {
            Some(name) => name.clone(),
            None if binding(&self.program.values[id.index()]) >= needed => self.operation(id),
            None => format!("({})", self.operation(id)),
        }
    }

    fn operation(&self, id: ValueId) -> String {
        use Binding::{And, Or, Postfix, Product, Sum, Unary};
        let language = self.writer.language;
        let binary = |a: &ValueId, least, sign: &str, b: &ValueId, least_right| {
            let (a, b) = (self.operand(*a, least), self.operand(*b, least_right));
            format!("{a} {sign} {b}")
        };
        match &self.program.values[id.index()] {
            Op::Input(symbol) => (self.leaf)(*symbol),
            Op::Number(number) => {
                let (value, size) = (number.to_f64(), language.number(number.to_f64().abs()));
                if value < 0.0 {
                    format!("-{size}")
                } else {
                    size
                }
            }
            Op::Boolean(value) => value.to_string(),
            Op::Add(a, b) => binary(a, Sum, "+", b, Product),
            Op::Sub(a, b) => binary(a, Sum, "-", b, Product),
            Op::Mul(a, b) => binary(a, Product, "*", b, Unary),
            Op::Div(a, b) => binary(a, Product, "/", b, Unary),
            Op::And(a, b) => binary(a, And, "&&", b, Binding::Comparison),
            Op::Or(a, b) if language.mixes_conditions() => binary(a, Or, "||", b, And),
            Op::Or(a, b) => binary(a, Binding::Comparison, "||", b, Binding::Comparison),
            Op::Compare(comparison, a, b) => {
                let sign = match comparison {
                    Comparison::Lt => "<",
                    Comparison::Le => "<=",
                    Comparison::Gt => ">",
                    Comparison::Ge => ">=",
                    Comparison::Eq => language.equality(),
                };
                binary(a, Sum, sign, b, Sum)
            }
            Op::Recip(a) => format!("{} / {}", language.number(1.0), self.operand(*a, Unary)),
            Op::Neg(a) => format!("-{}", self.operand(*a, Postfix)),
            Op::Not(a) => format!("!{}", self.operand(*a, Postfix)),
            Op::Call(function, arguments) => {
                let arguments = arguments.iter().map(|&it| self.whole(it));
                language.call(*function, &arguments.collect::<Vec<String>>())
            }
            Op::Select(condition, a, b) => {
                let [condition, a, b] = [condition, a, b].map(|&it| self.operand(it, Or));
                language.select([&condition, &a, &b])
            }
        }
    }
}

fn binding(op: &Op) -> Binding {
    match op {
        Op::Select(..) => Binding::Choice,
        Op::Or(..) => Binding::Or,
        Op::And(..) => Binding::And,
        Op::Compare(..) => Binding::Comparison,
        Op::Add(..) | Op::Sub(..) => Binding::Sum,
        Op::Mul(..) | Op::Div(..) | Op::Recip(_) => Binding::Product,
        Op::Neg(_) | Op::Not(_) => Binding::Unary,
        Op::Number(number) if number.to_f64() < 0.0 => Binding::Unary,
        Op::Number(_) | Op::Boolean(_) | Op::Input(_) | Op::Call(..) => Binding::Postfix,
    }
}
