//! Statements as text.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ptr;

use proc_macro2::{Ident, TokenStream};

use super::{Language, own_name};
use crate::code::expression::Binary;
use crate::code::step::{WORLD, in_world};
use crate::code::{
    Affine, ArrayElement, Change, Components, Counter, Expression, Handed, Integer, Procedure,
    Statement, Value, Values, Vector,
};
use crate::emit::interface::Interface;
use crate::expr::{CollectVec, Comparison, Map};
use crate::schedule::{self, Program, ValueId};
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

/// A printer of statements.
pub(super) struct Text<'w> {
    language: &'w dyn Language,
    /// The sources of leaves, where any are read.
    interface: Option<&'w Interface<'w>>,
    /// The values that have names.
    names: RefCell<Map<(*const Program, ValueId), String>>,
}

/// A whole function that reads no leaves.
pub(super) fn routine(language: &dyn Language, routine: &Procedure<'_>) -> String {
    let text = Text::new(language, None);
    let mut body = Vec::new();
    if let Some(lengths) = &routine.gives {
        let length = lengths.iter().product();
        body.push(Statement::Result(length, false));
    }
    let given = routine.gives.clone();
    let given = given.map(|lengths| Statement::Return(Value::Part(0, lengths)));
    let body = text.lines(body.iter().chain(&routine.body).chain(&given));
    let gives = match &routine.gives {
        Some(lengths) => super::Gives::Numbers(lengths.iter().product()),
        None => super::Gives::Nothing,
    };
    language.function(routine.name, &routine.parameters, gives, &body)
}

impl<'w> Text<'w> {
    /// In a language.
    pub fn new(language: &'w dyn Language, interface: Option<&'w Interface<'w>>) -> Text<'w> {
        Text {
            language,
            interface,
            names: RefCell::default(),
        }
    }

    /// Statements, one after the other.
    pub fn lines<'a: 's, 's>(
        &self,
        statements: impl IntoIterator<Item = &'s Statement<'a>>,
    ) -> String {
        let lines = statements.into_iter().filter_map(|it| self.statement(it));
        lines.collect_vec().join("\n")
    }

    /// A statement; nothing where a language needs none.
    fn statement(&self, statement: &Statement<'_>) -> Option<String> {
        let language = self.language;
        Some(match statement {
            Statement::Comment(text) => language.comment(text),
            Statement::Let(values, it, read) => return self.names(*values, it, *read),
            Statement::Constant(name, value) => {
                language.constant(&self.own(name), &self.expression(value))
            }
            Statement::Variable(name, value) => language.variable(name, &self.expression(value)),
            Statement::Count(name, value, changes) => {
                let begun = language.integer(name, &self.place(value), *changes);
                language.line(&begun)
            }
            Statement::Array(name, length, zeros) => language.array(name, *length, *zeros),
            Statement::Result(length, zeros) => return language.begin_result(*length, *zeros),
            Statement::Given {
                name,
                function,
                arguments,
                length,
            } => language.given(name, function, &self.handed(arguments), *length),
            Statement::Line(name, table, number) => {
                language.line_of(name, (&table.name, &table.lines), &self.place(number))
            }
            Statement::Inputs(state, own) => {
                let mut names = state.each_ref().map(|it| self.own(it));
                let given = language.inputs(&names)?;
                let Some(velocities) = *own else {
                    return Some(language.constant("given", &given));
                };
                let [_, q, v] = state;
                let turned = self.lines(&in_world([q, v], velocities));
                names[2] = WORLD.to_owned();
                let given = language.constant("given", &language.inputs(&names)?);
                format!("{turned}\n{given}")
            }
            Statement::Components(names, of) => self.components(names, of),
            Statement::Assign(entry, change, value) => {
                let operation = change.operation().filter(|_| !language.changes_numbers());
                let (sign, value) = match operation {
                    Some(operation) => {
                        let both = [entry.clone().into(), value.clone()];
                        let changed = Expression::Binary(operation, Box::new(both));
                        (Change::Set.sign(), self.expression(&changed))
                    }
                    None => (change.sign(), self.expression(value)),
                };
                language.line(&format!("{} {sign} {value}", self.entry(entry)))
            }
            Statement::Advance(name, change, by) => {
                let by = self.place(by);
                language.line(&format!("{name} {} {by}", change.sign()))
            }
            Statement::Rounds(rounds, body) => {
                let ends = [&rounds.first, &rounds.end].map(|it| self.place(it));
                let body = self.lines(body);
                language.rounds(&rounds.counter, &ends, rounds.step, &body)
            }
            Statement::If(condition, branches) => {
                let condition = self.expression(condition);
                let [then, otherwise] = branches.each_ref().map(|it| self.lines(it));
                language.branches(&condition, [&then, &otherwise])
            }
            Statement::Block(body) => language.block(&self.lines(body)),
            Statement::Call(function, arguments) => {
                let name = language.function_name(function);
                let arguments = self.handed(arguments).join(", ");
                language.line(&format!("{name}({arguments})"))
            }
            Statement::Return(value) => language.result(&self.value(value)?),
            Statement::Results(results) => language.result(&self.value(&results.value)?),
            Statement::Runtime(_) => return None,
        })
    }

    /// A name that the language has no other use for; two that differ stay so.
    fn own(&self, name: &str) -> String {
        own_name(name, |word| self.language.is_reserved(word))
    }

    /// The names that a statement of a program gives, of those that are read; nothing of a guard.
    fn names(
        &self,
        values: Values<'_>,
        statement: &schedule::Statement,
        read: [bool; 2],
    ) -> Option<String> {
        let named = match statement {
            schedule::Statement::Let { value, name } => vec![(*value, name)],
            schedule::Statement::SinCos { sine, cosine, .. } => {
                vec![(sine.0, &sine.1), (cosine.0, &cosine.1)]
            }
            schedule::Statement::Guard(_) => return None,
        };
        let named = named.into_iter().zip(read).filter(|it| it.1);
        let lines =
            named.map(|((value, name), _)| self.name(values, value, &self.own(&snake(name))));
        Some(lines.collect_vec().join("\n"))
    }

    /// A name for a value of a program.
    fn name(&self, values: Values<'_>, value: ValueId, name: &str) -> String {
        let key = (ptr::from_ref(values.program), value);
        // A block before may have named the same value.
        self.names.borrow_mut().remove(&key);
        let text = self.expression(&values.value(value));
        self.names.borrow_mut().insert(key, name.to_owned());
        self.language.constant(name, &text)
    }

    fn handed(&self, arguments: &[Handed<'_>]) -> Vec<String> {
        let handed = arguments.iter().map(|it| match it {
            Handed::Array(name) => self.language.handed(name),
            Handed::Argument(name) => self.own(name),
            Handed::Number(number) => self.expression(number),
        });
        handed.collect_vec()
    }

    fn components(&self, names: &[Option<Ident>], of: &Components<'_>) -> String {
        let language = self.language;
        let own = |name: &Option<Ident>| Some(self.own(&name.as_ref()?.to_string()));
        let names: Vec<Option<String>> = names.iter().map(own).collect_vec();
        let vector = match of {
            Components::Number(field) => {
                let name = names[0].as_deref().unwrap_or_default();
                return language.constant(name, &self.entry(field));
            }
            Components::Matrix(columns, field) => {
                let rows = names.chunks(*columns).enumerate();
                let rows = rows.filter(|(_, names)| names.iter().any(Option::is_some));
                let row = |(row, names): (usize, &[Option<String>])| {
                    language.components(names, &self.entry(&field.vector.at(row)))
                };
                return rows.map(row).collect_vec().join("\n");
            }
            Components::Vector(element) => self.entry(element),
            Components::Outputs(name) | Components::Bodies(name) => {
                language.argument(&self.own(name))
            }
            Components::Law(name, vectors) => {
                let vectors = vectors.iter().map(|vector| {
                    let numbers = vector.iter().map(|it| self.expression(it));
                    numbers.collect_vec()
                });
                let vectors: Vec<Vec<String>> = vectors.collect_vec();
                language.law(&self.own(name), &vectors)
            }
        };
        language.components(&names, &vector)
    }

    /// Nothing where a part of the result is where it has to be.
    fn value(&self, value: &Value<Expression<'_>>) -> Option<Value<String>> {
        Some(match value {
            Value::Number(number) => Value::Number(self.expression(number)),
            Value::List(values) => {
                let values = values.iter().map(|it| self.value(it));
                Value::List(values.collect::<Option<_>>()?)
            }
            Value::Tuple(values) => {
                let values = values.iter().map(|it| self.value(it));
                Value::Tuple(values.collect::<Option<_>>()?)
            }
            Value::Record(fields) => {
                let field = |(name, it): &(_, _)| Some((*name, self.value(it)?));
                Value::Record(fields.iter().map(field).collect::<Option<_>>()?)
            }
            Value::Part(first, lengths) => {
                Value::Number(self.language.part_of_result(*first, lengths)?)
            }
        })
    }

    fn entry(&self, entry: &ArrayElement) -> String {
        let language = self.language;
        if let (Vector::Numbers, [place]) = (&entry.vector, &entry.places[..]) {
            return language.number_at(super::functions::NUMBERS, &self.place(place));
        }
        let mut text = match &entry.vector {
            Vector::Own(name) => name.clone().into_owned(),
            Vector::Argument(name) => language.argument(&self.own(name)),
            Vector::Result => language.result_name().to_owned(),
            Vector::Field(field) => language.field(&self.path(&field.place)),
            Vector::Text(text) => text.clone(),
            Vector::Numbers => super::functions::NUMBERS.to_owned(),
        };
        for place in &*places_of(entry) {
            text += &format!("[{}]", self.place(place));
        }
        text
    }

    /// The path of a field: `self.a`, `given.push`, `a.translation.vector`.
    fn path(&self, place: &TokenStream) -> String {
        let path = place.to_string().replace(' ', "");
        match path.split_once('.') {
            Some((owner, field)) if !["self", "given"].contains(&owner) => {
                format!("{}.{field}", self.own(owner))
            }
            _ => path,
        }
    }

    fn expression(&self, expression: &Expression<'_>) -> String {
        self.operand(expression, Binding::Choice)
    }

    /// In brackets unless it binds at least as tightly as needed.
    fn operand(&self, expression: &Expression<'_>, needed: Binding) -> String {
        use Binding::{And, Or, Postfix, Product, Sum, Unary};
        let language = self.language;
        let (text, binding) = match expression {
            Expression::Value(values, id) => return self.value_of(*values, *id, needed),
            Expression::Number(number) => {
                let size = language.number(number.abs());
                match *number < 0.0 {
                    true => (format!("-{size}"), Unary),
                    false => (size, Postfix),
                }
            }
            Expression::Boolean(value) => (language.boolean(*value).to_owned(), Postfix),
            Expression::Name(name) => (name.clone().into_owned(), Postfix),
            Expression::ArrayElement(entry) => (self.entry(entry), Postfix),
            Expression::Integer(place) => (self.place(place), Sum),
            Expression::Real(place) => (language.real(self.place(place)), Postfix),
            Expression::Binary(operation, operands) => {
                let comparison = Binding::Comparison;
                let single = language.mixes_conditions();
                let calls = language.calls().conditions;
                let (sign, own, [left, right]) = match operation {
                    Binary::Add => ("+", Sum, [Sum, Product]),
                    Binary::Subtract => ("-", Sum, [Sum, Product]),
                    Binary::Multiply => ("*", Product, [Product, Unary]),
                    Binary::Divide => ("/", Product, [Product, Unary]),
                    Binary::And | Binary::Or if calls => ("", Postfix, [Binding::Choice; 2]),
                    Binary::And => ("", And, [And, comparison]),
                    Binary::Or if single => ("", Or, [Or, And]),
                    Binary::Or => ("", Or, [comparison; 2]),
                    Binary::Compare(Comparison::Eq) => (language.equality(), comparison, [Sum; 2]),
                    Binary::Compare(it) => (it.sign(), comparison, [Sum; 2]),
                };
                let [a, b] = &**operands;
                let (a, b) = (self.operand(a, left), self.operand(b, right));
                let text = match operation {
                    Binary::And => language.both([&a, &b]),
                    Binary::Or => language.either([&a, &b]),
                    _ => format!("{a} {sign} {b}"),
                };
                (text, own)
            }
            Expression::Negative(it) => (format!("-{}", self.operand(it, Postfix)), Unary),
            Expression::Not(it) => {
                let (needed, binding) = match language.calls().conditions {
                    true => (Binding::Choice, Postfix),
                    false => (Postfix, Unary),
                };
                (language.opposite(&self.operand(it, needed)), binding)
            }
            Expression::Call(function, arguments) => {
                let arguments = arguments.iter().map(|it| self.expression(it));
                let arguments: Vec<String> = arguments.collect_vec();
                (language.call(*function, &arguments), Postfix)
            }
            Expression::Select(parts) => {
                let (needed, binding) = match language.calls().choices {
                    true => (Binding::Choice, Postfix),
                    false => (Or, Binding::Choice),
                };
                let [condition, a, b] = parts.each_ref().map(|it| self.operand(it, needed));
                (language.select([&condition, &a, &b]), binding)
            }
        };
        if binding >= needed {
            text
        } else {
            format!("({text})")
        }
    }

    /// The name of a value, or else its operation.
    fn value_of(&self, values: Values<'_>, id: ValueId, needed: Binding) -> String {
        let key = (ptr::from_ref(values.program), id);
        if let Some(name) = self.names.borrow().get(&key) {
            return name.clone();
        }
        match values.operation(id) {
            Ok(operation) => self.operand(&operation, needed),
            Err(leaf) => {
                let own = values.leaves.and_then(|leaves| leaves.get(&leaf));
                let given = || Some(&self.interface?.leaves[leaf.index()]);
                let name = own.or_else(given).map(Ident::to_string);
                self.own(&name.unwrap_or_default())
            }
        }
    }

    fn place(&self, place: &Integer) -> String {
        let inner = |place: &Integer| match place {
            Integer::Affine(affine) => format!("({})", sum(affine)),
            place => self.place(place),
        };
        match place {
            Integer::Affine(affine) => sum(affine),
            Integer::Quotient(of, by) => self.language.quotient(&self.place(of), *by),
            Integer::Remainder(of, by) => format!("{} % {by}", inner(of)),
            Integer::Sum(parts) => {
                let [a, b] = parts.each_ref().map(|it| self.place(it));
                format!("{a} + {b}")
            }
            Integer::Product(parts) => {
                let [a, b] = &**parts;
                let b = match b {
                    Integer::Affine(it) if it.terms().next().is_none() => sum(it),
                    it => inner(it),
                };
                format!("{} * {b}", self.place(a))
            }
        }
    }
}

/// The indices in nested arrays, of a field also that of a component.
fn places_of(element: &ArrayElement) -> Cow<'_, [Integer]> {
    match (&element.vector, &element.places[..]) {
        (Vector::Field(field), [place]) if !field.lengths.is_empty() => {
            let component = field.component.map(Integer::from);
            nested(place, &field.lengths)
                .into_iter()
                .chain(component)
                .collect()
        }
        (_, places) => places.into(),
    }
}

/// The places in nested arrays of an index that counts all their elements as one.
fn nested(place: &Integer, lengths: &[usize]) -> Vec<Integer> {
    let Some((_, inner)) = lengths.split_first() else {
        return Vec::new();
    };
    let known = match place {
        Integer::Affine(affine) => affine.number(),
        _ => None,
    };
    let of = |size: usize| match known {
        Some(value) => Integer::from(value / size),
        None if size == 1 => place.clone(),
        None => Integer::Quotient(Box::new(place.clone()), size),
    };
    let mut size: usize = inner.iter().product();
    let mut places = vec![of(size)];
    if size == 1 {
        return places;
    }
    for &length in inner {
        size /= length;
        places.push(match known {
            Some(value) => Integer::from(value / size % length),
            None => Integer::Remainder(Box::new(of(size)), length),
        });
    }
    places
}

/// `3 + 2 * i - j`
fn sum(affine: &Affine) -> String {
    let mut text = String::new();
    if affine.constant != 0 || affine.terms().next().is_none_or(|it| it.0 < 0) {
        text = affine.constant.to_string();
    }
    for (factor, counter) in affine.terms() {
        text += match (text.is_empty(), factor < 0) {
            (true, _) => "",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        if factor.unsigned_abs() != 1 {
            text += &format!("{} * ", factor.unsigned_abs());
        }
        text += &match counter {
            Counter::Name(name) => name.to_owned(),
            Counter::Column(line, column) => format!("{line}[{column}]"),
        };
    }
    text
}
