//! Functions without loops as statements: programs one after the other, and the branches that lead to them.

use crate::expr::{CollectVec, PushEach};
use proc_macro2::Ident;

use super::interface::{Holds, Interface};
use crate::code::{Components, Expression, Results, Runtime, Statement, Value, Values};
use crate::curve::Pieces;
use crate::function::{Dimension, Shape, Signature, roles_read};
use crate::model::Role;
use crate::schedule::{Program, ValueId};

/// A function without loops.
#[derive(Clone, Copy)]
pub(super) struct Straight<'w> {
    pub interface: &'w Interface<'w>,
    pub signature: &'w Signature,
    /// Whether pivots and tangents are checked. Otherwise what only checks depend on is left out.
    pub checks: bool,
    /// Whether a force law is called. Otherwise its force is given.
    pub calls_law: bool,
}

impl<'w> Straight<'w> {
    /// All branches, at the end of each its result.
    pub fn branches(self, pieces: &'w Pieces<Program, Program>) -> Vec<Statement<'w>> {
        let (condition, branches) = match pieces {
            Pieces::One(program) => return self.program(program, true),
            Pieces::Either {
                condition,
                branches,
            } => (condition, branches),
        };
        let values = Values::of(condition);
        let statements = condition.statements.iter();
        let mut all: Vec<Statement<'_>> = statements
            .filter_map(|it| values.named(it, None))
            .collect_vec();
        let decision = values.value(condition.outputs[0]);
        let branches = [0, 1].map(|i| self.branches(&branches[i]));
        all.push(Statement::If(decision, branches));
        all
    }

    /// The statements of a program and its result; `returns` from amidst a function.
    ///
    /// Tangents are checked first, unless that would part a sine from its cosine, which are computed together in less time
    /// than apart. Then they are checked if the result, a number, is not finite: where r′ vanishes, s̈ is a number over 0.
    pub fn program(self, program: &'w Program, returns: bool) -> Vec<Statement<'w>> {
        let values = Values::of(program);
        let all = |ids: &[ValueId]| ids.iter().map(|&it| values.value(it)).collect_vec();
        let law = self.law();
        let (first, results) = self.results(program);
        let (squares, given) = program.outputs[..results].split_at(first);
        let late = self.signature.result == Shape::Scalar && program.parts_sine_and_cosine(0);
        let is_first = self.checks && !squares.is_empty() && !late;
        let checked = program.needed_for(is_first.then_some(0));
        let forced = law.map_or_else(Vec::new, |(_, force)| self.made_of(program, force));
        let live = (!self.checks).then(|| self.live(program));
        let mut headings = program.headings.iter().peekable();
        let mut heading = |number: usize| {
            let mut last = None;
            while let Some(heading) = headings.next_if(|it| it.before <= number) {
                last = Some(Statement::Comment(heading.text.clone()));
            }
            last
        };
        let mut parts = [(); 3].map(|()| Vec::new());
        for (number, statement) in program.statements.iter().enumerate() {
            let Some(named) = values.named(statement, live.as_deref()) else {
                continue;
            };
            let value = statement.value().index();
            let part = match (checked[value], forced.get(value)) {
                (true, _) => 0,
                (false, Some(true)) => 2,
                (false, _) => 1,
            };
            parts[part].push_each(heading(number));
            parts[part].push(named);
        }
        let [mut lines, before, after] = parts;
        let checks = |it| Statement::Runtime(Runtime::Tangent(it));
        lines.push_each(all(squares).into_iter().filter(|_| is_first).map(checks));
        lines.push_each(before);
        if let Some((law, force)) = law {
            let given = all(given);
            let vectors = given.chunks(force.len()).map(<[Expression<'_>]>::to_vec);
            let of = || Components::Law(law.to_string(), vectors.collect_vec());
            let read = roles_read(self.interface.symbols, program);
            lines.push_each(self.interface.components(force, &read, of));
        }
        lines.push_each(after);
        lines.push_each(heading(program.statements.len()));
        lines.push(Statement::Results(Results {
            signature: *self.signature,
            value: self
                .interface
                .value(self.signature.result, &all(&program.outputs[results..])),
            squares: if late { all(squares) } else { Vec::new() },
            returns,
        }));
        lines
    }

    /// The values that the result depends on, without those that only judge pivots; of a condition all.
    pub fn live(self, program: &Program) -> Vec<bool> {
        program.needed_for(self.results(program).0..program.outputs.len())
    }

    /// Where what a law is given begins among the outputs, and where results do.
    fn results(self, program: &Program) -> (usize, usize) {
        let entries = self.interface.entries(self.signature.result);
        let results = program.outputs.len().saturating_sub(entries);
        let given = self.law().map_or(0, |(_, force)| 2 * force.len());
        (results.saturating_sub(given), results)
    }

    /// The force law among the arguments, and the roles of its force.
    fn law(self) -> Option<(&'w Ident, &'w [Role])> {
        let given = self.signature.arguments.iter();
        let given = given.filter_map(|&it| self.interface.given(it));
        let mut given = given.filter(|_| self.calls_law);
        given.find_map(|given| match &given.holds {
            Holds::Law(force) => Some((&given.name, &force[..])),
            _ => None,
        })
    }

    /// For every value: does it need one of these roles' leaves?
    fn made_of(self, program: &Program, roles: &[Role]) -> Vec<bool> {
        let symbols = self.interface.symbols;
        program.depends_on(|symbol| roles.contains(&symbols[symbol.index()].role))
    }
}

impl Interface<'_> {
    /// The outputs in the shape of the result.
    fn value<'f>(&self, shape: Shape, outputs: &[Expression<'f>]) -> Value<Expression<'f>> {
        let single = |output: &Expression<'f>| Value::Number(output.clone());
        let mut rest = outputs;
        let mut next = |shape: Shape| {
            let (own, others) = rest.split_at(self.entries(shape));
            rest = others;
            self.value(shape, own)
        };
        let each = |shape: Shape| {
            let parts = outputs.chunks(self.entries(shape).max(1));
            parts.map(|own| self.value(shape, own)).collect_vec()
        };
        Value::List(match shape {
            Shape::Scalar => return single(&outputs[0]),
            Shape::Vector(_) | Shape::Range | Shape::Outputs => {
                outputs.iter().map(single).collect_vec()
            }
            Shape::Matrix(_, columns) => each(Shape::Vector(columns)),
            Shape::Array(_, part) => each(*part),
            Shape::Tuple(parts) => {
                return Value::Tuple(parts.iter().map(|&part| next(part)).collect_vec());
            }
            Shape::Record(record) => {
                let fields = record.fields.iter();
                return Value::Record(fields.map(|&(name, part)| (name, next(part))).collect_vec());
            }
            Shape::Blocks(rows, columns) => {
                let n = self.size(columns);
                let bodies = self.size(Dimension::Bodies);
                let block = |body: usize| {
                    let own = outputs
                        .chunks(n)
                        .skip(body)
                        .step_by(bodies)
                        .flatten()
                        .cloned();
                    self.value(Shape::Matrix(rows, columns), &own.collect_vec())
                };
                (0..bodies).map(block).collect_vec()
            }
        })
    }
}
