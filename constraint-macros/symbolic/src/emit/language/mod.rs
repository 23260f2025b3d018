//! Functions as text in languages other than Rust, and what these languages provide.
//!
//! Input: lists of [`Function`]s. Output: one text for each. Functions become [statements](crate::code), as for Rust, which a
//! [`Language`] prints; where results and arguments of loops are, names, and brackets are decided here. Functions whose
//! numbers or arrays a language cannot hold are left out, with a [`Reason`]. Guards are left out as well: a division by 0
//! gives infinity.

mod functions;
mod lacked;
mod least_squares;
mod loops;
mod record;
mod routines;
mod text;

use std::fmt;

pub(super) use self::functions::functions;
pub use self::lacked::lacked;
pub(super) use self::record::{Field, function_name, nested};
pub use self::routines::routines;

use crate::code::step::Stepped;
use crate::code::{Parameter, Value};
use crate::expr::{CollectVec, Function, SortedMap};
use crate::function::{Shape, system};

/// The functions of a type in a language.
#[derive(Clone, Debug, Default)]
pub struct Exported {
    /// The functions, by name.
    pub functions: SortedMap<&'static str, String>,
    /// The tables that they read.
    pub tables: Vec<String>,
    /// Those that are left out.
    pub left_out: Vec<LeftOut>,
}

/// A function that a language leaves out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeftOut {
    /// Its name.
    pub function: &'static str,
    /// Why.
    pub reason: Reason,
}

/// Why a language leaves out a function.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Reason {
    /// Its arrays take so many bytes, too many for a stack.
    Stack(usize),
    /// This number is beyond those of the language.
    Number(f64),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Stack(bytes) => {
                write!(f, "its arrays take {bytes} bytes, too many for a stack")
            }
            Reason::Number(number) => {
                write!(f, "{number:?} is outside the range of single precision")
            }
        }
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.function, self.reason)
    }
}

/// A language; the defaults are those of C.
pub trait Language {
    /// The text before these functions.
    fn prelude(&self, _functions: &str) -> String {
        String::new()
    }

    /// The text after all functions.
    fn postlude(&self) -> &'static str {
        ""
    }

    /// A kernel, where a language has any: so many steps of so many copies, a thread each. A coordinate of all copies
    /// stands in a row.
    fn kernel(&self, _: &Stepped) -> Option<String> {
        None
    }

    /// Whether a word can be no name.
    fn is_reserved(&self, word: &str) -> bool;

    /// A number that is not negative.
    fn number(&self, size: f64) -> String;

    /// Whether it has the number.
    fn holds(&self, _: f64) -> bool {
        true
    }

    /// A mathematical function.
    fn call(&self, function: Function, arguments: &[String]) -> String;

    /// Whether the language has no such function.
    fn lacks(&self, _: Function) -> bool {
        false
    }

    /// The sign between equal numbers.
    fn equality(&self) -> &'static str {
        "=="
    }

    /// Whether both hold.
    fn both(&self, [a, b]: [&str; 2]) -> String {
        format!("{a} && {b}")
    }

    /// Whether one of both holds, or both.
    fn either(&self, [a, b]: [&str; 2]) -> String {
        format!("{a} || {b}")
    }

    /// Whether it does not hold.
    fn opposite(&self, it: &str) -> String {
        format!("!{it}")
    }

    /// The condition that always holds, or never.
    fn boolean(&self, value: bool) -> &'static str {
        if value { "true" } else { "false" }
    }

    /// Whether "and" may be an operand of "or" without brackets.
    fn mixes_conditions(&self) -> bool {
        true
    }

    /// Whether choices and conditions are written as calls, which need no brackets around them.
    fn calls(&self) -> Calls {
        Calls::default()
    }

    /// The second where the first holds, else the third.
    fn select(&self, [condition, then, otherwise]: [&str; 3]) -> String {
        format!("{condition} ? {then} : {otherwise}")
    }

    /// Whether a number may be those of many copies, for which a condition may hold or not.
    fn takes_copies(&self) -> bool {
        false
    }

    /// A field at a path, which begins at the parameters, `self.a`, or at the inputs, `given.force`.
    fn field(&self, path: &str) -> String {
        path.to_owned()
    }

    /// An argument that is a vector, before its index in brackets.
    fn argument(&self, name: &str) -> String {
        name.to_owned()
    }

    /// The inputs at a time and a state; nothing where functions are handed them, as `given`.
    fn inputs(&self, state: &[String]) -> Option<String>;

    /// Whether functions are given bodies, values with names and functions as such, and not as all their numbers in a row;
    /// of a function what it would give.
    fn knows_fields(&self) -> bool;

    /// The result of a function among the arguments for some vectors, where there are such arguments.
    fn law(&self, name: &str, _vectors: &[Vec<String>]) -> String {
        self.argument(name)
    }

    /// The distance from 1 to the next number.
    fn epsilon(&self) -> f64 {
        f64::EPSILON
    }

    /// The whole part of a place in an array over a count.
    fn quotient(&self, place: &str, by: usize) -> String {
        format!("({place}) / {by}")
    }

    /// A place in an array, as a number.
    fn real(&self, place: String) -> String {
        place
    }

    /// The name of a function.
    fn function_name(&self, function: &str) -> String {
        function.to_owned()
    }

    /// An array of a function, where another is handed it.
    fn handed(&self, name: &str) -> String {
        name.to_owned()
    }

    /// A statement by itself.
    fn line(&self, text: &str) -> String {
        format!("{text};")
    }

    /// Whether `x += 1` changes a number; otherwise `x = x + 1` is written.
    fn changes_numbers(&self) -> bool {
        true
    }

    /// A line on a function that is left out.
    fn omitted(&self, it: &LeftOut) -> String {
        format!("/* Omitted {it}. */\n")
    }

    /// A line for people.
    fn comment(&self, text: &str) -> String {
        format!("// {text}")
    }

    /// Lines whose names are their own.
    fn block(&self, lines: &str) -> String {
        format!("{{\n{}\n}}", indented(lines))
    }

    /// A name for a place in an array, which `changes` or does not.
    fn integer(&self, name: &str, value: &str, changes: bool) -> String;

    /// A name for a value.
    fn constant(&self, name: &str, value: &str) -> String;

    /// A name for a number that changes.
    fn variable(&self, name: &str, value: &str) -> String;

    /// A name for so many numbers, `zeros` where they have to be.
    fn array(&self, name: &str, length: usize, zeros: bool) -> String;

    /// The result of several numbers, `zeros` where they have to be; nothing where there is nothing to do.
    fn begin_result(&self, length: usize, zeros: bool) -> Option<String>;

    /// The name of the result where it is written to.
    fn result_name(&self) -> &'static str {
        "result"
    }

    /// A part of it, from a number on, as arrays of such lengths in each other; nothing where a function has no more to
    /// do than to write it.
    fn part_of_result(&self, _first: usize, _lengths: &[usize]) -> Option<String> {
        None
    }

    /// A name for the result of another function, its numbers one after the other.
    fn given(&self, name: &str, function: &str, arguments: &[String], length: usize) -> String;

    /// A table of places that functions share.
    fn table(&self, name: &str, lines: &[Vec<usize>]) -> String;

    /// Numbers that functions share.
    fn numbers(&self, name: &str, values: &[f64]) -> String;

    /// One of them.
    fn number_at(&self, name: &str, place: &str) -> String {
        format!("{name}[{place}]")
    }

    /// A name for a line of it.
    fn line_of(&self, name: &str, table: (&str, &[Vec<usize>]), number: &str) -> String;

    /// Lines that are done for each place from a first one on: before an end, or, where the step is negative, down to it.
    fn rounds(&self, counter: &str, ends: &[String; 2], step: isize, body: &str) -> String {
        let [first, end] = ends;
        let (first, body) = (self.integer(counter, first, true), braced(body));
        let sign = if step > 0 { "<" } else { ">=" };
        let next = match step {
            1 => "++".to_owned(),
            -1 => "--".to_owned(),
            step if step > 0 => format!(" += {step}"),
            step => format!(" -= {}", -step),
        };
        format!("for ({first}; {counter} {sign} {end}; {counter}{next}) {body}")
    }

    /// Names for components of a vector; `None` where one is not read.
    fn components(&self, names: &[Option<String>], vector: &str) -> String {
        let named = names.iter().enumerate();
        let named = named.filter_map(|(i, name)| Some((i, name.as_ref()?)));
        let lines = named.map(|(i, name)| self.constant(name, &format!("{vector}[{i}]")));
        lines.collect_vec().join("\n")
    }

    /// `if`
    fn branches(&self, condition: &str, [then, otherwise]: [&str; 2]) -> String {
        if otherwise.is_empty() {
            return format!("if ({condition}) {}", braced(then));
        }
        let [then, otherwise] = [then, otherwise].map(indented);
        format!("if ({condition}) {{\n{then}\n}} else {{\n{otherwise}\n}}")
    }

    /// Leaves a function.
    fn result(&self, value: &Value<String>) -> String {
        if let Value::Number(number) = value {
            return format!("return {number};");
        }
        let numbers = value.numbers().into_iter().enumerate();
        let lines = numbers.map(|(i, number)| format!("{} = {number};", self.result_entry(i)));
        lines.collect_vec().join("\n")
    }

    /// An entry of the caller's array that a result is written to.
    fn result_entry(&self, index: usize) -> String {
        format!("result[{index}]")
    }

    /// All of a function that is described in a line.
    fn described(
        &self,
        _: &str,
        name: &str,
        parameters: &[Parameter],
        (gives, body): (Gives, &str),
    ) -> String {
        self.function(name, parameters, gives, body)
    }

    /// All of a function.
    fn function(&self, name: &str, parameters: &[Parameter], gives: Gives, body: &str) -> String;
}

/// The operations that a language writes as calls.
#[derive(Clone, Copy, Debug, Default)]
pub struct Calls {
    /// Choices,
    pub choices: bool,
    /// and conditions of conditions.
    pub conditions: bool,
}

/// The result of a function.
#[derive(Clone, Copy, Debug)]
pub enum Gives {
    /// Nothing: it changes what it is given.
    Nothing,
    /// A number.
    Number,
    /// So many numbers.
    Numbers(usize),
}

/// Whether a function gives several results.
pub(super) fn gives_several(function: &str) -> bool {
    let mut rows = system::TABLE.iter().map(|row| row.signature);
    rows.any(|it| it.name == function && matches!(it.result, Shape::Tuple(_)))
}

/// The name of a function in C's `math.h`, which most languages share.
pub(super) fn common_name(function: Function) -> &'static str {
    match function {
        Function::ExpM1 => "expm1",
        Function::Ln => "log",
        Function::Ln1p => "log1p",
        Function::Powf => "pow",
        _ => function.row().name,
    }
}

/// Whether a name is that of a function in the language.
pub(super) fn names_function(name: &str, spelled: fn(Function) -> &'static str) -> bool {
    Function::all().any(|function| spelled(function) == name)
}

/// Whether a number is one of single precision, and not lost there.
pub(super) fn is_single(number: f64) -> bool {
    let sizes = f64::from(f32::MIN_POSITIVE)..=f64::from(f32::MAX);
    number == 0.0 || sizes.contains(&number.abs())
}

/// The most bytes of arrays on a stack: threads of some systems have 1 MiB.
const MOST_ON_STACK: usize = 512 << 10;

/// Whether arrays of so many numbers together fit on a stack.
pub(super) fn on_stack(numbers: usize) -> Result<(), Reason> {
    let bytes = numbers * size_of::<f64>();
    if bytes > MOST_ON_STACK {
        return Err(Reason::Stack(bytes));
    }
    Ok(())
}

/// A name that has no other use; two that differ stay so.
pub(super) fn own_name(name: &str, is_reserved: impl Fn(&str) -> bool) -> String {
    let name = name.trim_start_matches("r#");
    let reserved = is_reserved(name.trim_end_matches('_'));
    format!("{name}{}", if reserved { "_" } else { "" })
}

/// Entries of a table, as many in a line as fit.
pub(super) fn filled(entries: impl Iterator<Item = String>) -> String {
    const WIDTH: usize = 100;
    let (mut text, mut width) = (String::new(), 0);
    for entry in entries {
        text += match width {
            0 => "",
            _ if width + entry.len() > WIDTH => ",\n",
            _ => ", ",
        };
        if text.ends_with('\n') {
            width = 0;
        }
        width += entry.len() + 2;
        text += &entry;
    }
    text
}

/// The body of a loop or a condition in braces; a short statement in the same line.
fn braced(body: &str) -> String {
    const SHORT: usize = 60;
    if body.len() <= SHORT && !body.contains(['\n', '}']) {
        return format!("{{ {body} }}");
    }
    format!("{{\n{}\n}}", indented(body))
}

/// Every line two spaces further to the right.
pub fn indented(lines: &str) -> String {
    let lines = lines.lines().map(|line| format!("  {line}"));
    lines.collect_vec().join("\n")
}
