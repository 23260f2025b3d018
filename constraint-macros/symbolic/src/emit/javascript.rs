//! JavaScript, for pages that show a motion without a server.
//!
//! Precision is that of `f64`. The parameters of a type are an object `self`; inputs, where there are any, are what
//! its function `inputs(t, q, v)` gives. Vectors are arrays, matrices arrays of rows;
//! bodies are objects with the fields that they have in Rust.

use super::language::{
    Field, Gives, Language, common_name, filled, gives_several, indented, nested,
};
use crate::code::{Parameter, ParameterType, Value};
use crate::expr::{CollectVec, Function};
use crate::model::Model;

/// Writes functions as JavaScript.
#[derive(Clone, Copy, Debug)]
pub struct JavaScript;

/// `export const defaults = { m: 1.0 };`: the parameters, where the user gave the values of all.
pub fn defaults(model: &Model, defaults: &[Option<Vec<f64>>]) -> Option<String> {
    let named = model.parameters.iter().zip(defaults);
    let fields = named.map(|(parameter, values)| {
        let field = Field::new(&parameter.name, parameter.shape, &parameter.lengths, |_| {
            false
        });
        Some(format!(
            "{}: {}",
            field.name,
            nested(
                values.as_deref()?,
                &field.lengths,
                ["[", "]"],
                &|value| format!("{value:?}")
            )
        ))
    });
    let fields: Vec<String> = fields.collect::<Option<_>>()?;
    (!fields.is_empty()).then(|| format!("export const defaults = {{ {} }};\n", fields.join(", ")))
}

/// Words that are names in Rust, and none in a module of JavaScript, or what functions call each other by.
const RESERVED: [&str; 45] = [
    "Math",
    "acceleration",
    "acceleration_and_multipliers",
    "eliminate",
    "least_squares",
    "multipliers",
    "pseudo_inverse",
    "arguments",
    "case",
    "catch",
    "class",
    "debugger",
    "default",
    "delete",
    "eval",
    "export",
    "extends",
    "finally",
    "function",
    "implements",
    "import",
    "instanceof",
    "interface",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "switch",
    "this",
    "throw",
    "typeof",
    "undefined",
    "var",
    "void",
    "with",
    "try",
    "do",
    "yield",
    "await",
    "static",
    "given",
    "numbers",
    "world",
];

/// The function of `Math`, or the one of ours that takes its place.
fn spelled(function: Function) -> &'static str {
    match function {
        Function::Signum => "sign",
        _ => common_name(function),
    }
}

impl Language for JavaScript {
    fn is_reserved(&self, word: &str) -> bool {
        // Functions of its own `Math` have that name before theirs; those that it lacks have none.
        RESERVED.contains(&word)
            || Function::all().any(|it| self.lacks(it) && it.row().name == word)
    }

    fn number(&self, size: f64) -> String {
        format!("{size:?}")
    }

    fn call(&self, function: Function, arguments: &[String]) -> String {
        let owner = if self.lacks(function) { "" } else { "Math." };
        format!("{owner}{}({})", spelled(function), arguments.join(", "))
    }

    fn lacks(&self, function: Function) -> bool {
        matches!(function, Function::Erf | Function::Erfc)
    }

    fn equality(&self) -> &'static str {
        "==="
    }

    fn inputs(&self, state: &[String]) -> Option<String> {
        Some(format!("self.inputs({})", state.join(", ")))
    }

    fn knows_fields(&self) -> bool {
        true
    }

    fn law(&self, name: &str, vectors: &[Vec<String>]) -> String {
        let vectors = vectors
            .iter()
            .map(|vector| format!("[{}]", vector.join(", ")));
        format!("{name}({})", vectors.collect_vec().join(", "))
    }

    /// All numbers are floats here, and `/` keeps their fraction.
    fn quotient(&self, place: &str, by: usize) -> String {
        format!("Math.floor(({place}) / {by})")
    }

    fn integer(&self, name: &str, value: &str, changes: bool) -> String {
        let word = if changes { "let" } else { "const" };
        format!("{word} {name} = {value}")
    }

    fn constant(&self, name: &str, value: &str) -> String {
        format!("const {name} = {value};")
    }

    fn variable(&self, name: &str, value: &str) -> String {
        format!("let {name} = {value};")
    }

    fn array(&self, name: &str, length: usize, _: bool) -> String {
        format!("const {name} = new Array({length}).fill(0);")
    }

    fn begin_result(&self, length: usize, zeros: bool) -> Option<String> {
        Some(self.array(self.result_name(), length, zeros))
    }

    fn result_name(&self) -> &'static str {
        "out"
    }

    fn part_of_result(&self, first: usize, lengths: &[usize]) -> Option<String> {
        let out = self.result_name();
        Some(match *lengths {
            [] => format!("{out}[{first}]"),
            [length] => format!("{out}.slice({first}, {})", first + length),
            [rows, columns, ..] => format!(
                "Array.from({{ length: {rows} }}, (_, i) => {out}.slice({first} + {columns} * i, {} + {columns} * i))",
                first + columns
            ),
        })
    }

    fn given(&self, name: &str, function: &str, arguments: &[String], _: usize) -> String {
        let arguments = arguments.join(", ");
        let flat = if gives_several(function) {
            ".flat()"
        } else {
            ""
        };
        format!("const {name} = {function}(self, {arguments}){flat};")
    }

    fn table(&self, name: &str, lines: &[Vec<usize>]) -> String {
        let lines = lines.iter().map(|line| format!("{line:?}"));
        let lines = indented(&filled(lines));
        format!("const {name} = [\n{lines}\n];\n")
    }

    fn numbers(&self, name: &str, values: &[f64]) -> String {
        format!("const {name} = {values:?};\n")
    }

    fn line_of(&self, name: &str, (table, _): (&str, &[Vec<usize>]), number: &str) -> String {
        format!("const {name} = {table}[{number}];")
    }

    fn components(&self, names: &[Option<String>], vector: &str) -> String {
        let names = names.iter().map(|name| name.as_deref().unwrap_or_default());
        format!("const [{}] = {vector};", names.collect_vec().join(", "))
    }

    fn result(&self, value: &Value<String>) -> String {
        format!("return {};", array(value))
    }

    fn function(&self, name: &str, parameters: &[Parameter], _: Gives, body: &str) -> String {
        let parameters = parameters.iter().map(|it| match it.kind {
            ParameterType::Own => "self",
            _ => &it.name,
        });
        let (parameters, body) = (parameters.collect_vec().join(", "), indented(body));
        format!("function {name}({parameters}) {{\n{body}\n}}\n")
    }
}

fn array(value: &Value<String>) -> String {
    match value {
        Value::Number(number) => number.clone(),
        Value::List(values) | Value::Tuple(values) => {
            let values: Vec<String> = values.iter().map(array).collect_vec();
            format!("[{}]", values.join(", "))
        }
        Value::Record(fields) => {
            let fields = fields.iter();
            let fields = fields.map(|(name, value)| format!("{name}: {}", array(value)));
            format!("{{ {} }}", fields.collect_vec().join(", "))
        }
        // A text by then.
        Value::Part(..) => String::new(),
    }
}
