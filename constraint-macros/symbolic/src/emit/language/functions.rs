//! A function as text: its arguments, branches and result.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use proc_macro2::Ident;

use super::loops::{InLoops, entries_of};
use super::text::{Text, routine};
use super::{Exported, Gives, Language, LeftOut, Reason, own_name};
use crate::code::panels::{ELIMINATE, eliminate, tables};
use crate::code::{
    Components, Expression, Parameter, ParameterType, Procedure, Statement, Table, Value, Values,
    Vector,
};
use crate::curve::Pieces;
use crate::emit::bindings::{any_of, are_read};
use crate::emit::interface::{Given, Holds, Interface, Layout, Part, roles};
use crate::expr::{Set, SymbolId};
use crate::function::{Argument, Body, Dimension, Function, Shape, Signature, roles_read};
use crate::model::Role;
use crate::schedule::{self, Op, Program, ValueId};
use crate::solve::Panels;
use crate::syntax::snake;
use crate::system::loops::routine::Array;

/// The functions in a language, and those that it has to leave out.
pub(in crate::emit) fn functions(
    language: &dyn Language,
    interface: &Interface<'_>,
    functions: &[Function<'_>],
) -> Exported {
    let writer = Writer {
        language,
        interface,
        tables: RefCell::default(),
        routines: RefCell::default(),
        has_numbers: Cell::new(false),
    };
    let mut exported = Exported::default();
    for function in functions {
        let name = function.signature.name;
        match writer.function(function) {
            Ok(text) => {
                exported.functions.extend(writer.pattern(function));
                exported.functions.insert(name, text);
            }
            Err(reason) => exported.left_out.push(LeftOut {
                function: name,
                reason,
            }),
        }
    }
    let tables = writer.tables.into_inner();
    let tables = tables.iter().map(|it| language.table(&it.name, &it.lines));
    let values = interface.numbers.iter().map(|it| it.to_f64());
    let numbers = writer.has_numbers.get();
    let numbers = numbers.then(|| language.numbers(NUMBERS, &values.collect::<Vec<f64>>()));
    exported.tables = tables
        .chain(numbers)
        .chain(writer.routines.into_inner().into_values())
        .collect();
    exported
}

/// The name of the numbers that members of families differ by.
pub(super) const NUMBERS: &str = "numbers";

/// The matrix, row and column of each entry of the descriptor pair.
const PATTERN: &str = "descriptor_entries";

/// The writer of the functions of one type.
pub(super) struct Writer<'a> {
    pub language: &'a dyn Language,
    pub interface: &'a Interface<'a>,
    tables: RefCell<Vec<Rc<Table>>>,
    /// Functions that others call, each once, by name.
    routines: RefCell<BTreeMap<&'static str, String>>,
    /// Whether any function reads the numbers that members of families differ by.
    has_numbers: Cell<bool>,
}

impl Writer<'_> {
    fn function(&self, function: &Function<'_>) -> Result<String, Reason> {
        let signature = &function.signature;
        let given = signature.arguments.iter();
        let given: Vec<&Given> = given.filter_map(|&it| self.interface.given(it)).collect();
        for program in function.body.programs() {
            self.check_numbers(program)?;
        }
        if let Body::Loops(loops) = &function.body
            && loops.arrays().contains(&Array::Numbers)
        {
            let mut numbers = self.interface.numbers.iter().map(|it| it.to_f64());
            numbers.try_for_each(|it| self.check_number(it))?;
        }
        let body = self.statements(function)?;
        let read = match &function.body {
            Body::Loops(loops) => InLoops::new(self, function, loops).roles_read(),
            body => self.roles_live(signature, body),
        };
        let bindings = self.bindings(&given, &read);
        let text = self.text(bindings.iter().chain(&body));
        let parameters = self.parameters(&given);
        let gives = match (signature.result, &function.body) {
            (Shape::Scalar, _) => Gives::Number,
            (_, Body::Loops(loops)) if entries_of(loops) > 0 => Gives::Numbers(entries_of(loops)),
            (several, _) => Gives::Numbers(self.interface.entries(several)),
        };
        let name = signature.name;
        Ok(self.language.function(name, &parameters, gives, &text))
    }

    /// The statements that follow those that read the leaves.
    fn statements<'f>(&self, function: &'f Function<'_>) -> Result<Vec<Statement<'f>>, Reason> {
        let signature = &function.signature;
        Ok(match &function.body {
            Body::Straight(program) => self.straight(signature, program),
            Body::Branches { whole, .. } if self.language.takes_copies() => {
                self.straight(signature, whole)
            }
            Body::Branches { pieces, .. } => self.branches(signature, pieces),
            Body::LeastSquares { equations, rest } => {
                let all = roles(Role::Multiplier, self.interface.size(Dimension::Rows));
                let read = roles_read(self.interface.symbols, rest);
                let mut statements = self.least_squares(equations, &all, &read)?;
                statements.extend(self.straight(signature, rest));
                statements
            }
            Body::Loops(loops) => InLoops::new(self, function, loops).statements()?,
        })
    }

    fn text<'a: 's, 's>(&self, statements: impl IntoIterator<Item = &'s Statement<'a>>) -> String {
        let leaf = |values: Values<'_>, symbol: SymbolId| {
            let own = values.leaves.and_then(|leaves| leaves.get(&symbol));
            match own {
                Some(own) => self.name(&own.to_string()),
                None => self.leaf(symbol),
            }
        };
        Text::new(self.language, &leaf).lines(statements)
    }

    /// The function that gives the places of a function's entries, which are the same at every state.
    fn pattern(&self, function: &Function<'_>) -> Option<(&'static str, String)> {
        let Body::Loops(loops) = &function.body else {
            return None;
        };
        let entries = entries_of(loops);
        let places = (entries > 0).then(|| InLoops::new(self, function, loops).places())?;
        let (gives, body) = (Gives::Numbers(3 * entries), self.text(&places));
        let text = self.language.function(PATTERN, &[], gives, &body);
        Some((PATTERN, text))
    }

    fn parameters(&self, given: &[&Given]) -> Vec<Parameter> {
        // Entries that a closure takes in Rust are a result here.
        let given = given
            .iter()
            .filter(|it| !matches!(it.holds, Holds::Nothing));
        let parameter = |given: &&Given| Parameter {
            name: self.name(&given.name.to_string()),
            kind: match (self.numbers(&given.holds), &given.holds) {
                (Some(roles), _) => ParameterType::Vector(roles.len()),
                (None, Holds::Leaf(_)) => ParameterType::Number,
                _ => ParameterType::Other,
            },
        };
        let own = Parameter {
            name: String::new(),
            kind: ParameterType::Own,
        };
        // There are no arrays without entries in C and WGSL.
        let flat = !self.language.knows_fields();
        let given = given.map(parameter);
        let given = given.filter(|it| !(flat && matches!(it.kind, ParameterType::Vector(0))));
        [own].into_iter().chain(given).collect()
    }

    /// The leaves of a vector of the language: of bodies and tangents all numbers, one after the other, where it
    /// has no such values.
    fn numbers(&self, holds: &Holds) -> Option<Vec<Role>> {
        let flat = !self.language.knows_fields();
        let all = |parts: &[Part]| -> Vec<Role> {
            parts.iter().flat_map(|it| it.roles.clone()).collect()
        };
        match holds {
            Holds::Vector(roles) | Holds::Named(roles) => Some(roles.clone()),
            Holds::Law(roles) if flat => Some(roles.clone()),
            Holds::Fields(_, parts) if flat => Some(all(parts)),
            Holds::Bodies(bodies) if flat => {
                Some(bodies.iter().flat_map(|it| all(&it.1)).collect())
            }
            _ => None,
        }
    }

    /// Whether all numbers are numbers of the language.
    fn check_numbers(&self, program: &Program) -> Result<(), Reason> {
        let mut numbers = program.values.iter().filter_map(|value| match value {
            Op::Number(number) => Some(number.to_f64()),
            _ => None,
        });
        numbers.try_for_each(|it| self.check_number(it))
    }

    fn check_number(&self, number: f64) -> Result<(), Reason> {
        if !self.language.holds(number) {
            return Err(Reason::Number(number));
        }
        Ok(())
    }

    /// A table, which several functions may read: `places_1`.
    pub fn table(&self, lines: &[Vec<usize>]) -> Rc<Table> {
        let mut tables = self.tables.borrow_mut();
        let known = tables.iter().find(|it| it.lines == lines);
        Rc::clone(match known {
            Some(table) => table,
            None => {
                let name = format!("places_{}", tables.len() + 1);
                let lines = lines.to_vec();
                tables.push(Rc::new(Table { name, lines }));
                &tables[tables.len() - 1]
            }
        })
    }

    /// The function that solves for the unknowns of panels.
    pub fn eliminates(&self, panels: &Panels) {
        self.routine(ELIMINATE, || {
            let tables = tables(panels).map(|lines| self.table(&lines));
            eliminate(panels, &tables)
        });
    }

    /// A function that others call is written once.
    pub fn routine(&self, name: &'static str, of: impl FnOnce() -> Procedure<'static>) {
        if !self.routines.borrow().contains_key(name) {
            let text = routine(self.language, &of());
            self.routines.borrow_mut().insert(name, text);
        }
    }

    /// The numbers that members of families differ by are read.
    pub fn reads_numbers(&self) {
        self.has_numbers.set(true);
    }

    /// The name of an argument.
    pub fn argument(&self, argument: Argument) -> String {
        self.name(&self.interface.name(argument).to_string())
    }

    /// A name that the language has no other use for; two that differ stay so.
    pub fn name(&self, name: &str) -> String {
        own_name(name, |word| self.language.is_reserved(word))
    }

    pub fn leaf(&self, symbol: SymbolId) -> String {
        self.name(&self.interface.leaves[symbol.index()].to_string())
    }

    fn inputs(&self) -> Option<String> {
        let state = [Argument::Time, Argument::Coordinates, Argument::Velocities];
        let state = state.map(|it| self.argument(it));
        self.language.inputs(&state)
    }

    /// The statements that read leaves from fields and arguments.
    fn bindings(&self, given: &[&Given], read: &Set<Role>) -> Vec<Statement<'static>> {
        let mut lines = Vec::new();
        if read.iter().any(|role| matches!(role, Role::Input(_)))
            && let Some(inputs) = self.inputs()
        {
            let inputs = Vector::Text(inputs).whole();
            lines.push(Statement::Constant("given".into(), inputs.into()));
        }
        for part in &self.interface.fields {
            self.bind(&mut lines, part, &path(part), read);
        }
        for given in given {
            let name = self.name(&given.name.to_string());
            if let Some(roles) = self.numbers(&given.holds) {
                let vector = Vector::Argument(name.into());
                self.components(&mut lines, vector, (0, &roles), read);
                continue;
            }
            match &given.holds {
                Holds::Fields(_, parts) => {
                    for part in parts {
                        self.bind(&mut lines, part, &path(part), read);
                    }
                }
                Holds::Bodies(bodies) => {
                    // In Rust, hygiene separates the user's body `b` from our argument of that name.
                    let own = |body: &Ident| {
                        self.name(&self.interface.local(&body.to_string()).to_string())
                    };
                    let names = bodies.iter();
                    let names = names.map(|(body, parts)| are_read(parts, read).then(|| own(body)));
                    let names: Vec<Option<String>> = names.collect();
                    let bodies_of = Components::Of(Vector::Text(name).whole());
                    lines.push(Statement::Components(names, bodies_of));
                    for (body, part) in bodies
                        .iter()
                        .flat_map(|(body, parts)| parts.iter().map(move |part| (body, part)))
                    {
                        let path = path(part);
                        let field = path.strip_prefix(&body.to_string()).unwrap_or_default();
                        self.bind(&mut lines, part, &(own(body) + field), read);
                    }
                }
                _ => {}
            }
        }
        lines
    }

    /// The leaves of a field.
    fn bind(&self, lines: &mut Vec<Statement<'static>>, part: &Part, path: &str, read: &Set<Role>) {
        let field = || Vector::Field(path.to_owned());
        match (part.layout, &part.roles[..]) {
            _ if !any_of(&part.roles, read) => {}
            (Layout::Number, [role]) => {
                let leaf = self.of_role(role).unwrap_or_default();
                lines.push(Statement::Constant(leaf.into(), field().whole().into()));
            }
            (Layout::Symmetric(n), roles) => {
                let mut rest = roles;
                for row in 0..n {
                    let (own, others) = rest.split_at(n - row);
                    rest = others;
                    let names = self.names((row, own), read);
                    lines.extend(components_of(names, Components::Of(field().at(row))));
                }
            }
            (_, roles) => self.components(lines, field(), (0, roles), read),
        }
    }

    /// The leaves of a vector, of which `skipped` numbers precede the first with a role.
    pub(super) fn components<'f>(
        &self,
        lines: &mut Vec<Statement<'f>>,
        vector: Vector,
        roles: (usize, &[Role]),
        read: &Set<Role>,
    ) {
        let names = self.names(roles, read);
        lines.extend(components_of(names, Components::Of(vector.whole())));
    }

    fn names(&self, (skipped, roles): (usize, &[Role]), read: &Set<Role>) -> Vec<Option<String>> {
        let name = |role: &Role| self.of_role(role).filter(|_| read.contains(role));
        let names = vec![None; skipped].into_iter();
        names.chain(roles.iter().map(name)).collect()
    }

    /// The name of the leaf of a role.
    fn of_role(&self, role: &Role) -> Option<String> {
        let leaf = self.interface.leaf(*role)?;
        Some(self.name(&leaf.to_string()))
    }

    fn branches<'f>(
        &self,
        signature: &Signature,
        pieces: &'f Pieces<Program, Program>,
    ) -> Vec<Statement<'f>> {
        match pieces {
            Pieces::One(program) => self.straight(signature, program),
            Pieces::Either {
                condition,
                branches,
            } => {
                let values = Values::of(condition);
                let statements = condition.statements.iter();
                let mut lines: Vec<Statement<'_>> = statements
                    .flat_map(|it| self.named(values, it, |_| true))
                    .collect();
                let decision = values.value(condition.outputs[0]);
                let branches = [0, 1].map(|i| self.branches(signature, &branches[i]));
                lines.push(Statement::If(decision, branches));
                lines
            }
        }
    }

    /// The names that a statement of a program gives to some values.
    pub(super) fn named<'f>(
        &self,
        values: Values<'f>,
        statement: &schedule::Statement,
        is_named: impl Fn(ValueId) -> bool,
    ) -> Vec<Statement<'f>> {
        let named = match statement {
            schedule::Statement::Let { value, name } => vec![(value, name)],
            schedule::Statement::SinCos { sine, cosine, .. } => {
                vec![(&sine.0, &sine.1), (&cosine.0, &cosine.1)]
            }
            schedule::Statement::Guard(_) => Vec::new(),
        };
        let named = named.into_iter().filter(|it| is_named(*it.0));
        let name = |(value, name): (&ValueId, &String)| {
            Statement::Let(values, *value, self.name(&snake(name)))
        };
        named.map(name).collect()
    }

    /// The statements of a program, with the call of a force law between them, and its result.
    fn straight<'f>(&self, signature: &Signature, program: &'f Program) -> Vec<Statement<'f>> {
        let law = self.interface.law(signature);
        let law = law.filter(|_| self.language.knows_fields());
        let force = law.map_or(&[][..], |(_, force)| force);
        let forced = self.interface.made_of(program, force);
        let values = Values::of(program);
        let numbered = program.statements.iter().enumerate();
        let (before, after): (Vec<_>, Vec<_>) =
            numbered.partition(|(_, it)| !forced[it.value().index()]);
        let mut headings = program.headings.iter().peekable();
        let mut headed = |number: usize, lines: Vec<Statement<'f>>| {
            let heading = lines.first().and_then(|_| {
                let mut last = None;
                while let Some(heading) = headings.next_if(|it| it.before <= number) {
                    last = Some(Statement::Comment(heading.text.clone()));
                }
                last
            });
            heading.into_iter().chain(lines)
        };
        let (first, live) = self.live(signature, program);
        let is_live = |value: ValueId| live[value.index()];
        let before = before.into_iter();
        let before =
            before.flat_map(|(number, it)| headed(number, self.named(values, it, is_live)));
        let mut lines: Vec<Statement<'_>> = before.collect();
        let (given, results) = program.outputs[first..].split_at(2 * force.len());
        if let Some((law, force)) = law {
            let given: Vec<Expression<'_>> = given.iter().map(|&it| values.value(it)).collect();
            let vectors = given.chunks(force.len()).map(<[_]>::to_vec).collect();
            let vector = Components::Law(self.name(&law.to_string()), vectors);
            let read = roles_read(self.interface.symbols, program);
            lines.extend(components_of(self.names((0, force), &read), vector));
        }
        let after = after.into_iter();
        lines
            .extend(after.flat_map(|(number, it)| headed(number, self.named(values, it, is_live))));
        let results: Vec<Expression<'_>> = results.iter().map(|&it| values.value(it)).collect();
        let result = Statement::Return(self.value(signature.result, &results));
        lines.extend(headed(program.statements.len(), vec![result]));
        lines
    }

    /// The first output that is written, and the values that it and those after it depend on, without the values that only
    /// judge pivots.
    fn live(&self, signature: &Signature, program: &Program) -> (usize, Vec<bool>) {
        let law = self.interface.law(signature);
        let law = law.filter(|_| self.language.knows_fields());
        let results = program.outputs.len() - self.interface.entries(signature.result);
        // The two vectors that a law is given precede the results.
        let first = results - 2 * law.map_or(0, |(_, force)| force.len());
        (first, program.needed_for(first..program.outputs.len()))
    }

    /// The roles of leaves that a function reads.
    fn roles_live(&self, signature: &Signature, body: &Body<'_>) -> Set<Role> {
        let symbols = self.interface.symbols;
        match body {
            Body::Straight(program) => self.roles_of(signature, program),
            Body::Branches { whole, .. } if self.language.takes_copies() => {
                self.roles_of(signature, whole)
            }
            Body::Branches { pieces, .. } => self.roles_of_pieces(signature, pieces),
            Body::LeastSquares { equations, rest } => {
                let mut read = roles_read(symbols, equations);
                read.extend(self.roles_of(signature, rest));
                read
            }
            Body::Loops(_) => body.roles_read(symbols),
        }
    }

    fn roles_of_pieces(
        &self,
        signature: &Signature,
        pieces: &Pieces<Program, Program>,
    ) -> Set<Role> {
        match pieces {
            Pieces::One(program) => self.roles_of(signature, program),
            Pieces::Either {
                condition,
                branches,
            } => {
                let mut read = roles_read(self.interface.symbols, condition);
                let branches = branches.iter();
                read.extend(branches.flat_map(|it| self.roles_of_pieces(signature, it)));
                read
            }
        }
    }

    fn roles_of(&self, signature: &Signature, program: &Program) -> Set<Role> {
        let (_, live) = self.live(signature, program);
        let live = program.values.iter().zip(live).filter(|it| it.1);
        let roles = live.filter_map(|(value, _)| match value {
            Op::Input(symbol) => Some(self.interface.symbols[symbol.index()].role),
            _ => None,
        });
        roles.collect()
    }

    /// The outputs in the shape of the result.
    fn value<'f>(&self, shape: Shape, outputs: &[Expression<'f>]) -> Value<Expression<'f>> {
        let single = |output: &Expression<'f>| Value::Number(output.clone());
        let mut rest = outputs;
        let mut next = |shape: Shape| {
            let (own, others) = rest.split_at(self.interface.entries(shape));
            rest = others;
            self.value(shape, own)
        };
        let each = |shape: Shape| {
            let parts = outputs.chunks(self.interface.entries(shape).max(1));
            parts.map(|own| self.value(shape, own)).collect()
        };
        Value::List(match shape {
            Shape::Scalar => return single(&outputs[0]),
            Shape::Vector(_) | Shape::Range | Shape::Outputs => {
                outputs.iter().map(single).collect()
            }
            Shape::Matrix(_, columns) => each(Shape::Vector(columns)),
            Shape::Array(_, part) => each(*part),
            Shape::Tuple(parts) => {
                return Value::Tuple(parts.iter().map(|&part| next(part)).collect());
            }
            Shape::Record(record) => {
                let fields = record.fields.iter();
                return Value::Record(fields.map(|&(name, part)| (name, next(part))).collect());
            }
            Shape::Blocks(rows, columns) => {
                let n = self.interface.size(columns);
                let bodies = self.interface.size(Dimension::Bodies);
                let block = |body: usize| {
                    let own = outputs
                        .chunks(n)
                        .skip(body)
                        .step_by(bodies)
                        .flatten()
                        .cloned();
                    self.value(Shape::Matrix(rows, columns), &own.collect::<Vec<_>>())
                };
                (0..bodies).map(block).collect()
            }
        })
    }
}

/// Nothing where no component has a name.
fn components_of(names: Vec<Option<String>>, of: Components<'_>) -> Option<Statement<'_>> {
    let some = names.iter().any(Option::is_some);
    some.then_some(Statement::Components(names, of))
}

/// The path of a field: `self.a`, `given.push`, `a.translation.vector`.
fn path(part: &Part) -> String {
    part.place.to_string().replace(' ', "")
}
