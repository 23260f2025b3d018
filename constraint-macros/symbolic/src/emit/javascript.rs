//! Programs as JavaScript, for pages that show a motion without a server.
//!
//! Input: a [`Program`] and the names of its leaves. Output: the statements, and one expression per output.
//! Precision is that of `f64`. Guards are left out: JavaScript has infinities instead of errors.

use crate::expr::{Comparison, SymbolId};
use crate::schedule::{Op, Program, Statement, ValueId};

/// A program written out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// `const t1 = …;`, one per line.
    pub statements: Vec<String>,
    /// The outputs.
    pub outputs: Vec<String>,
}

/// Writes a program; `leaf` names its inputs.
pub fn body(program: &Program, leaf: &dyn Fn(SymbolId) -> String) -> Body {
    let mut writer = Writer {
        program,
        leaf,
        bound: vec![None; program.values.len()],
    };
    let statements = program.statements.iter();
    let statements = statements.filter_map(|it| writer.statement(it)).collect();
    let outputs = program.outputs.iter().map(|&it| writer.whole(it));
    Body {
        outputs: outputs.collect(),
        statements,
    }
}

struct Writer<'a> {
    program: &'a Program,
    leaf: &'a dyn Fn(SymbolId) -> String,
    bound: Vec<Option<String>>,
}

impl Writer<'_> {
    fn statement(&mut self, statement: &Statement) -> Option<String> {
        match statement {
            Statement::Let { value, name } => {
                let text = self.operation(*value);
                let name = self.bind(*value, name);
                Some(format!("const {name} = {text};"))
            }
            Statement::SinCos {
                sine,
                cosine,
                argument,
            } => {
                let angle = self.value(*argument);
                let (sine, cosine) = (self.bind(sine.0, &sine.1), self.bind(cosine.0, &cosine.1));
                Some(format!(
                    "const {sine} = Math.sin({angle}), {cosine} = Math.cos({angle});"
                ))
            }
            Statement::Guard(_) => None,
        }
    }

    fn bind(&mut self, value: ValueId, name: &str) -> String {
        let name = crate::function::leaves::snake(name);
        self.bound[value.index()] = Some(name.clone());
        name
    }

    /// The name of a value, or its operation.
    fn whole(&self, id: ValueId) -> String {
        let name = self.bound[id.index()].clone();
        name.unwrap_or_else(|| self.operation(id))
    }

    /// The name of a value, or its operation, in brackets unless it is a leaf or a call.
    fn value(&self, id: ValueId) -> String {
        let op = &self.program.values[id.index()];
        match &self.bound[id.index()] {
            Some(name) => name.clone(),
            None if op.is_leaf() || matches!(op, Op::Call(..)) => self.operation(id),
            None => format!("({})", self.operation(id)),
        }
    }

    fn operation(&self, id: ValueId) -> String {
        let of = |id: &ValueId| self.value(*id);
        let binary = |a, sign, b| format!("{} {sign} {}", of(a), of(b));
        match &self.program.values[id.index()] {
            Op::Input(symbol) => (self.leaf)(*symbol),
            Op::Number(number) => number_text(number.to_f64()),
            Op::Boolean(value) => value.to_string(),
            Op::Add(a, b) => binary(a, "+", b),
            Op::Sub(a, b) => binary(a, "-", b),
            Op::Mul(a, b) => binary(a, "*", b),
            Op::Div(a, b) => binary(a, "/", b),
            Op::Recip(a) => format!("1 / {}", of(a)),
            Op::Neg(a) => format!("-{}", of(a)),
            Op::Call(function, arguments) => {
                let arguments = arguments.iter().map(|&it| self.whole(it));
                let arguments: Vec<String> = arguments.collect();
                format!(
                    "Math.{}({})",
                    function.row().javascript,
                    arguments.join(", ")
                )
            }
            Op::Compare(comparison, a, b) => binary(a, sign(*comparison), b),
            Op::And(a, b) => binary(a, "&&", b),
            Op::Or(a, b) => binary(a, "||", b),
            Op::Not(a) => format!("!{}", of(a)),
            Op::Select(condition, a, b) => format!("{} ? {} : {}", of(condition), of(a), of(b)),
        }
    }
}

/// Negative numbers in brackets: `a - -1` is written `a - (-1)`.
fn number_text(value: f64) -> String {
    match value < 0.0 {
        true => format!("({value:?})"),
        false => format!("{value:?}"),
    }
}

fn sign(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Lt => "<",
        Comparison::Le => "<=",
        Comparison::Gt => ">",
        Comparison::Ge => ">=",
        Comparison::Eq => "===",
    }
}

#[cfg(test)]
mod tests {
    use crate::compile::analyze_curve;
    use crate::curve::Quantity;

    /// Every kind of operation, once.
    #[test]
    fn every_operation_is_written() {
        let source = "struct S { a: Real } |s in 0..=1| [
            sin(s)*cos(s) + atan2(a, s)/s - exp(-s),
            if s < 1/2 && !(a >= s) || a == 2 { ln(s) } else { min(s, a) - 3/4 }]";
        let derived = analyze_curve(source.parse().expect("tokens")).expect("a curve");
        let program = derived.plain_program(&[Quantity::Position]);
        let symbols = &derived.curve.model.symbols;
        let body = super::body(&program, &|symbol| symbols[symbol.index()].name.clone());
        assert_eq!(
            body.statements,
            ["const sin_s = Math.sin(s), cos_s = Math.cos(s);"]
        );
        assert_eq!(
            body.outputs,
            [
                "((sin_s * cos_s) + (Math.atan2(a, s) / s)) - Math.exp(-s)",
                "(((s < 0.5) && (!(a >= s))) || (a === 2.0)) ? Math.log(s) : (Math.min(s, a) - 0.75)",
            ]
        );
    }
}
