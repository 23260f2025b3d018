//! Functions as text in other languages than Rust: what these have in common.
//!
//! Input: lists of [`Function`]s. Output: one text for each. A [`Language`] provides expressions, statements and
//! signatures; which leaf is read from where, what has a name, and where brackets are needed is decided here.
//! Functions that need a library at run time are left out: least squares, and loops over families. So are guards:
//! what is divided by 0 is infinite.

mod expressions;
mod functions;

pub(super) use self::functions::functions;

use crate::expr::Function;

/// What a language provides; as a rule, that of C.
pub trait Language {
    /// Whether a word can be no name.
    fn is_reserved(&self, word: &str) -> bool;

    /// A number that is not negative.
    fn number(&self, size: f64) -> String;

    /// A mathematical function.
    fn call(&self, function: Function, arguments: &[String]) -> String;

    /// Whether two numbers are equal.
    fn equality(&self) -> &'static str {
        "=="
    }

    /// The second where the first holds, else the third.
    fn select(&self, [condition, then, otherwise]: [&str; 3]) -> String {
        format!("{condition} ? {then} : {otherwise}")
    }

    /// What stands at a path of fields, which begins at the parameters, `self.a`, or at the inputs, `given.force`.
    fn field(&self, path: &str) -> String {
        path.to_owned()
    }

    /// The inputs at a time and a state; nothing where functions are handed them, as `given`.
    fn inputs(&self, state: &[String]) -> Option<String>;

    /// Whether functions can be given bodies and other values with names.
    fn knows_fields(&self) -> bool;

    /// What a function among the arguments makes of vectors; nothing where a language has no such arguments.
    fn law(&self, name: &str, vectors: &[&[String]]) -> Option<String>;

    /// A name for a value.
    fn constant(&self, name: &str, value: &str) -> String;

    /// Names for components of a vector; `None` where one is not read.
    fn components(&self, names: &[Option<String>], vector: &str) -> String;

    /// `if`
    fn branches(&self, condition: &str, [then, otherwise]: [&str; 2]) -> String {
        let [then, otherwise] = [then, otherwise].map(indented);
        format!("if ({condition}) {{\n{then}\n}} else {{\n{otherwise}\n}}")
    }

    /// Leaves a function.
    fn result(&self, value: &Value) -> String;

    /// All of a function, which gives back a number, or so many.
    fn function(
        &self,
        name: &str,
        parameters: &[Parameter],
        result: Option<usize>,
        body: &str,
    ) -> String;
}

/// A result: a number, or several in a row.
#[derive(Clone, Debug)]
pub enum Value {
    /// A number.
    Number(String),
    /// A vector, the rows of a matrix, a matrix for each body, or several results.
    List(Vec<Value>),
    /// The same with names.
    Record(Vec<(&'static str, Value)>),
}

/// What a function is given beside the parameters of its type.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
}

impl Value {
    /// The numbers, one after the other.
    pub fn numbers(&self) -> Vec<&str> {
        match self {
            Value::Number(number) => vec![number],
            Value::List(values) => values.iter().flat_map(Value::numbers).collect(),
            Value::Record(fields) => {
                let values = fields.iter().map(|(_, value)| value);
                values.flat_map(Value::numbers).collect()
            }
        }
    }
}

/// The type of a parameter.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A number.
    Number,
    /// A vector of so many numbers.
    Vector(usize),
    /// Numbers and vectors by name.
    Fields,
    /// A vector, a place, or a mass with an inertia for each of so many bodies.
    Bodies(usize),
    /// A function of two such vectors that gives a third.
    Law(usize),
    /// The inputs, where they are handed over.
    Inputs,
}

/// A name that has no other use; two that differ stay so.
pub(super) fn own_name(name: &str, is_reserved: impl Fn(&str) -> bool) -> String {
    let name = name.trim_start_matches("r#");
    let reserved = is_reserved(name.trim_end_matches('_'));
    format!("{name}{}", if reserved { "_" } else { "" })
}

/// Every line two spaces further to the right.
pub fn indented(lines: &str) -> String {
    let lines = lines.lines().map(|line| format!("  {line}"));
    lines.collect::<Vec<String>>().join("\n")
}
