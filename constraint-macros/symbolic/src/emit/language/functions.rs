//! A function as text: its arguments, branches and result.

use std::cell::RefCell;
use std::rc::Rc;

use super::loops::OfLoops;
use super::text::{Text, routine};
use super::{Exported, Gives, Language, LeftOut, Reason, own_name};
use crate::code::panels::{ELIMINATE, SUBSTITUTE, eliminate, substitute, tables};
use crate::code::{Parameter, ParameterType, Procedure, Statement, Table};
use crate::emit::bindings::Arguments;
use crate::emit::interface::{Given, Holds, Interface};
use crate::emit::loops::entries_of;
use crate::emit::straight::Straight;
use crate::expr::{CollectVec, PushEach, Set, SortedMap};
use crate::function::system::documented;
use crate::function::{Argument, Body, Dimension, Function, Shape, Signature, roles_read};
use crate::model::{Inertial, Role};
use crate::schedule::{Op, Program};
use crate::solve::Panels;
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
        routines: RefCell::default(),
    };
    let mut exported = Exported::default();
    for function in functions {
        let name = documented(function.signature.name);
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
    let tables = interface.tables.take();
    let numbers = tables.has_numbers;
    let tables = tables
        .places
        .iter()
        .map(|it| language.table(&it.name, &it.lines));
    let values = interface.numbers.iter().map(|it| it.to_f64());
    let numbers = numbers.then(|| language.numbers(NUMBERS, &values.collect_vec()));
    exported.tables = tables
        .chain(numbers)
        .chain(writer.routines.into_inner().into_values())
        .collect_vec();
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
    /// Functions that others call, each once, by name.
    routines: RefCell<SortedMap<&'static str, String>>,
}

impl Writer<'_> {
    fn function(&self, function: &Function<'_>) -> Result<String, Reason> {
        let signature = &function.signature;
        let given = signature.arguments.iter();
        let given: Vec<&Given> = given
            .filter_map(|&it| self.interface.given(it))
            .collect_vec();
        for program in function.body.programs() {
            self.check_numbers(program)?;
        }
        if let Body::Loops(loops) = &function.body
            && loops.arrays().contains(&Array::Numbers)
        {
            let mut numbers = self.interface.numbers.iter().map(|it| it.to_f64());
            numbers.try_for_each(|it| self.check_number(it))?;
        }
        let (body, read) = match &function.body {
            Body::Loops(loops) => {
                let loops = OfLoops::new(self, function, loops);
                (loops.statements()?, loops.all.roles_read())
            }
            body => (
                self.statements(signature, body)?,
                self.roles_live(signature, body),
            ),
        };
        let of = (signature.name, signature.arguments);
        let bindings = self.interface.bindings(of, &read, self.kind());
        let about = self.inertial_parameters(signature.result);
        let text = self.text(about.iter().chain(&bindings).chain(&body));
        let parameters = self.parameters(&given);
        let gives = match (signature.result, &function.body) {
            (Shape::Scalar, _) => Gives::Number,
            (_, Body::Loops(loops)) if entries_of(loops) > 0 => Gives::Numbers(entries_of(loops)),
            (several, _) => Gives::Numbers(self.interface.entries(several)),
        };
        let name = documented(signature.name);
        let about = self.description(function, &parameters);
        let described = (gives, &text[..]);
        Ok(self
            .language
            .described(&about, name, &parameters, described))
    }

    /// `v̇, an array of shape (4,); q and v have the shape (4,)`
    fn description(&self, function: &Function<'_>, parameters: &[Parameter]) -> String {
        let result = match &function.body {
            Body::Loops(loops) if entries_of(loops) > 0 => {
                format!("the entries, an array of shape ({},)", entries_of(loops))
            }
            _ => self.shape(function.signature.result),
        };
        let mut text = format!("{}: {result}.", function.symbol);
        for parameter in parameters {
            if let ParameterType::Vector(length) = parameter.kind {
                text += &format!(" `{}` has the shape ({length},).", parameter.name);
            }
        }
        text
    }

    fn shape(&self, shape: Shape) -> String {
        let size = |of| self.interface.size(of);
        match shape {
            Shape::Scalar => "a number".to_owned(),
            Shape::Vector(n) => format!("an array of shape ({},)", size(n)),
            Shape::Matrix(m, n) => format!("an array of shape ({}, {})", size(m), size(n)),
            Shape::Blocks(m, n) => {
                let columns = size(n) * size(Dimension::Bodies);
                format!("an array of shape ({}, {columns})", size(m))
            }
            Shape::Array(length, Shape::Scalar) => format!("an array of shape ({length},)"),
            Shape::Array(length, part) => {
                format!(
                    "an array of shape ({length}, {})",
                    self.interface.entries(*part)
                )
            }
            Shape::Tuple(parts) => {
                let parts = parts.iter().map(|&it| self.shape(it));
                format!("a tuple of {}", parts.collect_vec().join(" and "))
            }
            Shape::Record(record) => {
                let fields = record.fields.iter();
                let fields = fields.map(|&(name, it)| format!("`{name}`, {}", self.shape(it)));
                let fields = fields.collect_vec().join("; ");
                format!("a namespace with {fields}")
            }
            Shape::Range => "an array of shape (2,)".to_owned(),
            Shape::Outputs => "a namespace with the outputs by name".to_owned(),
        }
    }

    /// Comments that list the inertial parameters, ten a line, where they are rows or columns of the result.
    fn inertial_parameters(&self, result: Shape) -> Vec<Statement<'_>> {
        let Inertial { names, base } = &self.interface.inertial;
        let (title, listed) = match result {
            Shape::Matrix(Dimension::Base, _) => (
                "Base parameters, by their columns of the regressor:",
                base.iter().map(|&it| names[it].clone()).collect_vec(),
            ),
            Shape::Matrix(_, Dimension::Inertial) | Shape::Vector(Dimension::Inertial) => {
                ("Inertial parameters:", names.clone())
            }
            _ => return Vec::new(),
        };
        let lines = listed.chunks(10).map(|it| it.join(", "));
        let lines = [title.to_owned()].into_iter().chain(lines);
        lines.map(Statement::Comment).collect_vec()
    }

    /// The statements that follow those that read the leaves.
    fn statements<'f>(
        &'f self,
        signature: &'f Signature,
        body: &'f Body<'_>,
    ) -> Result<Vec<Statement<'f>>, Reason> {
        let straight = self.straight(signature);
        Ok(match body {
            Body::Straight(program) => straight.program(program, false),
            Body::Branches { whole, .. } if self.language.takes_copies() => {
                straight.program(whole, false)
            }
            Body::Branches { pieces, .. } => straight.branches(pieces),
            Body::LeastSquares { equations, rest } => {
                let read = roles_read(self.interface.symbols, rest);
                let mut statements = self.least_squares(equations, &read)?;
                statements.push_each(straight.program(rest, false));
                statements
            }
            Body::Loops(_) => Vec::new(),
        })
    }

    fn straight<'f>(&'f self, signature: &'f Signature) -> Straight<'f> {
        Straight {
            interface: self.interface,
            signature,
            checks: false,
            calls_law: self.language.knows_fields(),
        }
    }

    fn text<'a: 's, 's>(&self, statements: impl IntoIterator<Item = &'s Statement<'a>>) -> String {
        Text::new(self.language, Some(self.interface)).lines(statements)
    }

    /// The function that gives the places of a function's entries, which are the same at every state.
    fn pattern(&self, function: &Function<'_>) -> Option<(&'static str, String)> {
        let Body::Loops(loops) = &function.body else {
            return None;
        };
        let entries = entries_of(loops);
        let places = (entries > 0).then(|| OfLoops::new(self, function, loops).places())?;
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
            kind: match (given.holds.numbers(self.kind()), &given.holds) {
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
        [own].into_iter().chain(given).collect_vec()
    }

    fn kind(&self) -> Arguments {
        Arguments {
            is_hygienic: false,
            is_flat: !self.language.knows_fields(),
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
        let holds = self.language.holds(number);
        holds.then_some(()).ok_or(Reason::Number(number))
    }

    /// A table, which several functions may read: `places_1`.
    pub fn table(&self, lines: &[Vec<usize>]) -> Rc<Table> {
        self.interface.tables.borrow_mut().places.of(lines)
    }

    /// The functions that solve for the unknowns of panels.
    pub fn eliminates(&self, panels: &Panels) {
        let tables = || tables(panels).map(|lines| self.table(&lines));
        self.routine(ELIMINATE, || eliminate(panels, &tables()));
        self.routine(SUBSTITUTE, || substitute(panels, &tables()));
    }

    /// A function that others call is written once.
    pub fn routine(&self, name: &'static str, of: impl FnOnce() -> Procedure<'static>) {
        if !self.routines.borrow().contains_key(name) {
            let text = routine(self.language, &of());
            self.routines.borrow_mut().insert(name, text);
        }
    }

    /// The name of an argument.
    pub fn argument(&self, argument: Argument) -> String {
        self.name(&self.interface.name(argument).to_string())
    }

    /// A name that the language has no other use for; two that differ stay so.
    pub fn name(&self, name: &str) -> String {
        own_name(name, |word| self.language.is_reserved(word))
    }

    /// The roles of leaves that a function without loops reads.
    fn roles_live(&self, signature: &Signature, body: &Body<'_>) -> Set<Role> {
        let (straight, symbols) = (self.straight(signature), self.interface.symbols);
        let mut read = Set::default();
        let programs = match body {
            Body::Branches { whole, .. } if self.language.takes_copies() => vec![whole],
            Body::Branches { pieces, .. } => pieces.all(),
            Body::LeastSquares { equations, rest } => {
                read = roles_read(symbols, equations);
                vec![rest]
            }
            body => body.programs(),
        };
        for program in programs {
            let live = program.values.iter().zip(straight.live(program));
            read.extend(live.filter(|it| it.1).filter_map(|(value, _)| match value {
                Op::Input(symbol) => Some(symbols[symbol.index()].role),
                _ => None,
            }));
        }
        read
    }
}
