//! Python with NumPy, for notebooks: a class, whose methods are the functions.
//!
//! A component of a vector is a number, or an array of the numbers of many copies of a system: `q` of the shape `(n,)` or
//! `(n, copies)`. Results are arrays in the same way, matrices with rows and columns first; several results are a tuple,
//! those with names a namespace. Inputs, where there are any, are what the field `inputs(t, q, v)` gives. Bodies and
//! tangents are their numbers in a row. A field whose name is that of a method, or no name in Python, ends in `_`.

use super::language::{
    Calls, Field, Gives, Language, LeftOut, common_name, gives_several, nested, own_name,
};
use crate::code::{Parameter, ParameterType, Value};
use crate::expr::{CollectVec, Function};
use crate::function::{constraint, curve, system};
use crate::model::Model;

/// Writes the functions of one type as Python.
#[derive(Clone, Debug)]
pub struct Python {
    name: String,
    fields: Vec<(Field, Option<Vec<f64>>)>,
    has_inputs: bool,
    /// The lines that describe the class.
    docs: Vec<String>,
}

/// Words that can be no names: keywords, and names that functions use here.
const RESERVED: &str = "False None True and assert async await break class continue def del elif else except finally \
    for from global if import in is lambda nonlocal not np or out pass raise range return self try while with yield given \
    world";

fn is_taken(word: &str) -> bool {
    RESERVED.split_whitespace().any(|it| it == word)
}

/// Names of methods that are in no table of functions.
const METHODS: [&str; 12] = [
    "applied",
    "descriptor_entries",
    "eliminate",
    "erf",
    "erfc",
    "inputs",
    "least_squares",
    "mass_matrix",
    "normalize",
    "pseudo_inverse",
    "step",
    "turn",
];

/// Whether a field of the class can have no such name: methods have theirs in the same place.
fn is_taken_in_class(word: &str) -> bool {
    let [points, bodies] = [false, true].map(|it| constraint::table(it).iter());
    let of_constraints = points.chain(bodies).chain(&constraint::DERIVATIVES);
    let of_curves = curve::TABLE.iter().chain(&curve::DERIVATIVES);
    let names = of_constraints.map(|it| it.signature.name);
    let mut names = names.chain(of_curves.map(|it| it.signature.name));
    let mut of_systems = system::TABLE.iter().map(|it| it.signature.name);
    is_taken(word)
        || METHODS.contains(&word)
        || word == "numbers"
        || word.starts_with("places_")
        || names.any(|it| it == word)
        || of_systems.any(|it| it == word)
}

/// The function of NumPy.
fn spelled(function: Function) -> &'static str {
    match function {
        Function::Asin => "arcsin",
        Function::Acos => "arccos",
        Function::Atan => "arctan",
        Function::Atan2 => "arctan2",
        Function::Asinh => "arcsinh",
        Function::Acosh => "arccosh",
        Function::Atanh => "arctanh",
        Function::Powf => "power",
        Function::Signum => "copysign",
        Function::Min => "fmin",
        Function::Max => "fmax",
        _ => common_name(function),
    }
}

impl Python {
    /// Of a type that is called so, with the values of parameters that have some.
    pub fn new(name: &str, model: &Model, has_inputs: bool, defaults: &[Option<Vec<f64>>]) -> Self {
        let fields = model.parameters.iter().enumerate().map(|(i, it)| {
            let field = Field::new(&it.name, it.shape, &it.lengths, is_taken_in_class);
            (field, defaults.get(i).cloned().flatten())
        });
        Python {
            name: name.to_owned(),
            fields: fields.collect_vec(),
            has_inputs,
            docs: Vec::new(),
        }
    }

    /// The same, with a class that is described by these lines.
    pub fn described(self, docs: Vec<String>) -> Self {
        Python { docs, ..self }
    }

    /// `m: float = 1.0`, `lengths: list = field(default_factory=lambda: [1.0, 2.0])`
    fn field_of(&self, (field, default): &(Field, Option<Vec<f64>>)) -> String {
        let number = |value: f64| format!("{value:?}");
        let values = |it: &Vec<f64>| nested(it, &field.lengths, ["[", "]"], &number);
        let (ty, default) = match (&field.lengths[..], default) {
            ([], it) => ("float", it.as_ref().map(values)),
            (_, it) => {
                let factory = |it| format!("field(default_factory=lambda: {})", values(it));
                ("list", it.as_ref().map(factory))
            }
        };
        let default = default.map_or_else(String::new, |it| format!(" = {it}"));
        format!("{}: {ty}{default}", field.name)
    }
}

impl Language for Python {
    fn prelude(&self, _: &str) -> String {
        let mut fields: Vec<String> = self.fields.iter().map(|it| self.field_of(it)).collect_vec();
        if self.has_inputs {
            fields.push("inputs: object = None".to_owned());
        }
        let fields: String = fields.iter().map(|it| format!("    {it}\n")).collect();
        let name = &self.name;
        let docs = self.docs.iter().flat_map(|it| wrapped(it));
        let docs = docstring(&docs.collect_vec());
        let docs: String = docs
            .lines()
            .map(|line| match line {
                "" => "\n".to_owned(),
                line => format!("    {line}\n"),
            })
            .collect();
        format!(
            "from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np


def _array(values, *lengths):
    \"\"\"Numbers, or arrays of the numbers of many copies, as one array; of several lengths, row by row.\"\"\"
    try:
        array = np.array(values, dtype=float)
    except ValueError:
        array = np.stack(np.broadcast_arrays(*values))
    return array.reshape(lengths + array.shape[1:]) if lengths else array


@dataclass(kw_only=True)
class {name}:
{docs}{fields}
"
        )
    }

    fn described(
        &self,
        about: &str,
        name: &str,
        parameters: &[Parameter],
        (gives, body): (Gives, &str),
    ) -> String {
        let body = format!("{}{body}", docstring(&wrapped(about)));
        self.function(name, parameters, gives, &body)
    }

    fn omitted(&self, it: &LeftOut) -> String {
        format!("# Omitted {it}.\n")
    }

    fn is_reserved(&self, word: &str) -> bool {
        is_taken(word)
    }

    fn number(&self, size: f64) -> String {
        format!("{size:?}")
    }

    fn call(&self, function: Function, arguments: &[String]) -> String {
        let arguments = arguments.join(", ");
        match function {
            _ if self.lacks(function) => format!("self.{}({arguments})", function.row().name),
            Function::Signum => format!("np.copysign(1.0, {arguments})"),
            _ => format!("np.{}({arguments})", spelled(function)),
        }
    }

    fn lacks(&self, function: Function) -> bool {
        matches!(function, Function::Erf | Function::Erfc)
    }

    fn boolean(&self, value: bool) -> &'static str {
        if value { "True" } else { "False" }
    }

    fn calls(&self) -> Calls {
        Calls {
            choices: true,
            conditions: true,
        }
    }

    fn both(&self, [a, b]: [&str; 2]) -> String {
        format!("np.logical_and({a}, {b})")
    }

    fn either(&self, [a, b]: [&str; 2]) -> String {
        format!("np.logical_or({a}, {b})")
    }

    fn opposite(&self, it: &str) -> String {
        format!("np.logical_not({it})")
    }

    fn select(&self, [condition, then, otherwise]: [&str; 3]) -> String {
        format!("np.where({condition}, {then}, {otherwise})")
    }

    /// Copies may be on different pieces.
    fn takes_copies(&self) -> bool {
        true
    }

    fn field(&self, path: &str) -> String {
        let parts = path.split('.').map(|part| {
            let part = part.trim_start_matches("r#");
            let (name, indices) = part.split_at(part.find('[').unwrap_or(part.len()));
            match name {
                "self" | "given" => part.to_owned(),
                name => own_name(name, is_taken_in_class) + indices,
            }
        });
        parts.collect_vec().join(".")
    }

    fn inputs(&self, state: &[String]) -> Option<String> {
        Some(format!("self.inputs({})", state.join(", ")))
    }

    fn knows_fields(&self) -> bool {
        false
    }

    fn quotient(&self, place: &str, by: usize) -> String {
        format!("({place}) // {by}")
    }

    fn function_name(&self, function: &str) -> String {
        format!("self.{function}")
    }

    fn line(&self, text: &str) -> String {
        text.to_owned()
    }

    fn comment(&self, text: &str) -> String {
        format!("# {text}")
    }

    /// Names are those of the function.
    fn block(&self, lines: &str) -> String {
        lines.to_owned()
    }

    fn integer(&self, name: &str, value: &str, _: bool) -> String {
        format!("{name} = {value}")
    }

    fn constant(&self, name: &str, value: &str) -> String {
        format!("{name} = {value}")
    }

    fn variable(&self, name: &str, value: &str) -> String {
        format!("{name} = {value}")
    }

    /// With the numbers of many copies, `x += 1` would change an array to which other names may refer.
    fn changes_numbers(&self) -> bool {
        false
    }

    fn array(&self, name: &str, length: usize, _: bool) -> String {
        format!("{name} = [0.0] * {length}")
    }

    fn begin_result(&self, length: usize, zeros: bool) -> Option<String> {
        Some(self.array(self.result_name(), length, zeros))
    }

    fn result_name(&self) -> &'static str {
        "out"
    }

    fn part_of_result(&self, first: usize, lengths: &[usize]) -> Option<String> {
        let out = self.result_name();
        let end = first + lengths.iter().product::<usize>();
        Some(match lengths {
            [] => format!("{out}[{first}]"),
            [_] => format!("_array({out}[{first}:{end}])"),
            lengths => format!("_array({out}[{first}:{end}], {})", listed(lengths)),
        })
    }

    fn given(&self, name: &str, function: &str, arguments: &[String], _: usize) -> String {
        let several = gives_several(function);
        let (function, arguments) = (self.function_name(function), arguments.join(", "));
        if several {
            return format!("{name} = np.concatenate({function}({arguments}))");
        }
        format!("{name} = {function}({arguments})")
    }

    fn table(&self, name: &str, lines: &[Vec<usize>]) -> String {
        indented(&format!("{name} = {lines:?}")) + "\n"
    }

    fn numbers(&self, name: &str, values: &[f64]) -> String {
        indented(&format!("{name} = {values:?}")) + "\n"
    }

    fn number_at(&self, name: &str, place: &str) -> String {
        format!("self.{name}[{place}]")
    }

    fn line_of(&self, name: &str, (table, _): (&str, &[Vec<usize>]), number: &str) -> String {
        format!("{name} = self.{table}[{number}]")
    }

    fn rounds(&self, counter: &str, [first, end]: &[String; 2], step: isize, body: &str) -> String {
        let range = match (step, first.as_str()) {
            (1, "0") => end.clone(),
            (1, _) => format!("{first}, {end}"),
            (step, _) if step < 0 => format!("{first}, {end} - 1, {step}"),
            _ => format!("{first}, {end}, {step}"),
        };
        format!("for {counter} in range({range}):\n{}", indented(body))
    }

    fn components(&self, names: &[Option<String>], vector: &str) -> String {
        let names = names.iter().map(|name| name.as_deref().unwrap_or("_"));
        format!("[{}] = {vector}", names.collect_vec().join(", "))
    }

    fn branches(&self, condition: &str, [then, otherwise]: [&str; 2]) -> String {
        let text = format!("if {condition}:\n{}", indented(then));
        if otherwise.is_empty() {
            return text;
        }
        format!("{text}\nelse:\n{}", indented(otherwise))
    }

    fn result(&self, value: &Value<String>) -> String {
        format!("return {}", result(value))
    }

    fn function(&self, name: &str, parameters: &[Parameter], _: Gives, body: &str) -> String {
        let others = parameters
            .iter()
            .filter(|it| !matches!(it.kind, ParameterType::Own));
        let parameters: String = others.map(|it| format!(", {}", it.name)).collect();
        let body = if body.is_empty() { "pass" } else { body };
        indented(&format!(
            "def {name}(self{parameters}):\n{}",
            indented(body)
        )) + "\n"
    }
}

/// Lines of at most so many characters.
fn wrapped(text: &str) -> Vec<String> {
    const WIDTH: usize = 100;
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => *line += word,
            Some(line) if line.chars().count() + word.chars().count() < WIDTH => {
                *line += " ";
                *line += word;
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Nothing for no lines.
fn docstring(lines: &[String]) -> String {
    match lines {
        [] => String::new(),
        [line] => format!("\"\"\"{line}\"\"\"\n"),
        lines => format!("\"\"\"{}\n\"\"\"\n", lines.join("\n")),
    }
}

fn result(value: &Value<String>) -> String {
    match value {
        Value::Number(number) => number.clone(),
        Value::Tuple(values) => {
            let values: Vec<String> = values.iter().map(result).collect_vec();
            format!("({},)", values.join(", "))
        }
        Value::List(values) => {
            let numbers = value.numbers().into_iter().cloned();
            let numbers = numbers.collect_vec().join(", ");
            match values.first() {
                Some(Value::List(_)) => {
                    format!("_array([{numbers}], {})", listed(&lengths(value)))
                }
                _ => format!("_array([{numbers}])"),
            }
        }
        Value::Record(fields) => {
            let fields = fields.iter();
            let fields = fields.map(|(name, value)| format!("{name}={}", result(value)));
            let fields = fields.collect_vec().join(", ");
            format!("SimpleNamespace({fields})")
        }
        // A text by then.
        Value::Part(..) => String::new(),
    }
}

/// The lengths of nested lists, the outermost first.
fn lengths(value: &Value<String>) -> Vec<usize> {
    let Value::List(values) = value else {
        return Vec::new();
    };
    let inner = values.first().map(lengths).unwrap_or_default();
    [vec![values.len()], inner].concat()
}

fn listed(lengths: &[usize]) -> String {
    let lengths: Vec<String> = lengths.iter().map(ToString::to_string).collect_vec();
    lengths.join(", ")
}

/// Every line four spaces further to the right.
fn indented(lines: &str) -> String {
    let lines = lines.lines().map(|line| format!("    {line}"));
    lines.collect_vec().join("\n")
}
