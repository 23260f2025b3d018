//! What is the same in every language, written once: functions in a small C, whose lines each language writes in its way.
//!
//! ```text
//! double s = 0.0;                        a number that changes        Language::variable
//! const double s = x[0];                 one that does not            Language::constant
//! double x[12];                          an array                     Language::array
//! double x[12] = acceleration(t, q, v);  what a function gives        Language::solved
//! int i = 0; const int k = 2 * i;        places                       Language::integer
//! for (int i = 0; i < 12; i++) {         rounds
//! places place = rows[i];                a line of a table            Language::line
//! normalize(q);                          a call of another passage    Language::function_name
//! x[i] += 2.0 * sqrt(q[i]);              numbers, arrays that are arguments, and roots
//! result[i] = x[i];                      what is given back
//! ```
//! One statement stands in a line, and what is done in rounds or under a condition in braces.

use super::{Exported, Gives, Kind, Language, Parameter, Reason, Value, on_stack};
use crate::expr::Function;

/// A function in the small C.
pub(super) struct Passage<'a> {
    pub name: &'static str,
    pub parameters: Vec<Parameter>,
    /// What it is about, line by line.
    pub body: String,
    /// The tables that it reads, each with what it is called in the text and outside.
    pub tables: Vec<(&'static str, String, &'a [Vec<usize>])>,
    /// The lengths of the arrays in each other that `result` is, where it gives any back.
    pub gives: Option<Vec<usize>>,
}

/// What a passage is given.
pub(super) fn parameters<const N: usize>(parameters: [(&str, Kind); N]) -> Vec<Parameter> {
    let parameter = |(name, kind): (&str, Kind)| Parameter {
        name: name.to_owned(),
        kind,
    };
    parameters.map(parameter).into()
}

impl Passage<'_> {
    /// In a language.
    pub fn told(&self, language: &dyn Language) -> String {
        let lines = self.body.lines().map(|line| {
            let text = line.trim_start();
            let before = &line[..line.len() - text.len()];
            let told = self.line(language, text);
            let told = told.lines().map(|it| format!("{before}{it}"));
            told.collect::<Vec<String>>().join("\n")
        });
        let Some(lengths) = &self.gives else {
            let body = lines.collect::<Vec<String>>().join("\n");
            return language.function(self.name, &self.parameters, Gives::Nothing, &body);
        };
        let length = lengths.iter().product();
        let given = language.part_of_result(0, lengths);
        let given = given.map(|it| language.result(&Value::Number(it)));
        let body = language.begin_result(length, false).into_iter();
        let body: Vec<String> = body.chain(lines).chain(given).collect();
        let gives = Gives::Numbers(length);
        language.function(self.name, &self.parameters, gives, &body.join("\n"))
    }

    /// Why it cannot be told: a function that it asks for is left out, or its arrays are too large for a stack.
    pub fn missing(&self, told: &Exported) -> Option<Reason> {
        let mut left_out = told.left_out.iter();
        let missing = left_out.find(|it| self.asked().any(|asked| asked == it.function));
        let room = self.arrays().map(|it| it.length).sum();
        missing.map(|it| it.reason).or_else(|| on_stack(room).err())
    }

    /// The functions whose results it asks for.
    fn asked(&self) -> impl Iterator<Item = &str> {
        self.arrays()
            .filter_map(|it| Some(it.value?.split_once('(')?.0))
    }

    fn arrays(&self) -> impl Iterator<Item = Declared<'_>> {
        self.body.lines().filter_map(|line| array(line.trim()))
    }

    fn line(&self, language: &dyn Language, line: &str) -> String {
        let value = |text| self.expression(language, text);
        if let Some(Declared {
            name,
            length,
            value,
        }) = array(line)
        {
            let Some((function, arguments)) = value.and_then(call) else {
                return language.array(name, length, false);
            };
            let arguments = self.arguments(language, arguments);
            return language.solved(name, function, &arguments, length);
        }
        let statement = line.trim_end_matches(';');
        if let Some((name, number)) = declared(statement, "const double ") {
            return language.constant(name, &value(number));
        }
        if let Some((name, number)) = declared(statement, "double ") {
            return language.variable(name, &value(number));
        }
        if let Some((name, place)) = declared(statement, "places ") {
            let (table, number) = place.split_once('[').expect("a line of a table");
            let mut tables = self.tables.iter();
            let (_, table, lines) = tables.find(|it| it.0 == table).expect("a table");
            return language.line(name, (table, lines), number.trim_end_matches(']'));
        }
        for (word, changes) in [("const int ", false), ("int ", true)] {
            if let Some(rest) = line.strip_prefix(word) {
                return format!("{} {}", language.integer(changes), value(rest));
            }
        }
        if let Some(rest) = line.strip_prefix("for (int ") {
            return format!("for ({} {}", language.integer(true), value(rest));
        }
        match call(statement) {
            Some((function, arguments)) if line.ends_with(");") => {
                let arguments = self.arguments(language, arguments).join(", ");
                format!("{}({arguments});", language.function_name(function))
            }
            _ => value(line),
        }
    }

    /// What a function is handed: arrays as such.
    fn arguments(&self, language: &dyn Language, arguments: &str) -> Vec<String> {
        let argument = |text: &str| {
            if self.arrays().any(|it| it.name == text) {
                return language.handed(text);
            }
            self.expression(language, text)
        };
        arguments.split(", ").map(argument).collect()
    }

    /// Numbers as the language has them, and arrays that are arguments.
    fn expression(&self, language: &dyn Language, text: &str) -> String {
        let (mut told, mut rest) = (String::new(), text);
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        while let Some(begin) = rest.find(is_word) {
            told += &rest[..begin];
            rest = &rest[begin..];
            let (word, behind) = rest.split_at(rest.find(|c| !is_word(c)).unwrap_or(rest.len()));
            rest = behind;
            told += &match word.parse::<f64>() {
                Ok(number) if word.contains('.') => language.number(number),
                Err(_) if word == "result" && rest.starts_with('[') => {
                    language.result_name().to_owned()
                }
                Err(_) if word == "sqrt" => {
                    let call = language.call(Function::Sqrt, &[String::new()]);
                    call.trim_end_matches("()").to_owned()
                }
                Err(_) if self.is_given(word) && rest.starts_with('[') => language.argument(word),
                _ => word.to_owned(),
            };
        }
        told + rest
    }

    fn is_given(&self, word: &str) -> bool {
        let mut arrays = self.parameters.iter();
        arrays.any(|it| it.name == word && matches!(it.kind, Kind::Vector(_) | Kind::Changed(_)))
    }
}

/// `double x[12] = …;`
struct Declared<'a> {
    name: &'a str,
    length: usize,
    value: Option<&'a str>,
}

fn array(line: &str) -> Option<Declared<'_>> {
    let rest = line.strip_prefix("double ")?.strip_suffix(';')?;
    let (array, value) = match rest.split_once(" = ") {
        Some((array, value)) => (array, Some(value)),
        None => (rest, None),
    };
    let (name, length) = array.strip_suffix(']')?.split_once('[')?;
    Some(Declared {
        name,
        length: length.parse().ok()?,
        value,
    })
}

/// `int i = 0`
fn declared<'a>(statement: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    statement.strip_prefix(word)?.split_once(" = ")
}

/// `turn(q, v, 1.0)`
fn call(text: &str) -> Option<(&str, &str)> {
    let (function, arguments) = text.strip_suffix(')')?.split_once('(')?;
    let is_name = function.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    is_name.then_some((function, arguments))
}
