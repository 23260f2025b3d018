//! Rust that is not part of the language.

use super::wording::helped;
use super::{Diagnostic, SourceRange};

/// Rows of constructs: the finding `=>` the remedy.
macro_rules! constructs {
    ($($name:ident: $message:literal => $help:literal;)*) => {
        /// Rust that is not part of the language.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs)] // The constructs have the names that Rust gives them.
        pub enum Foreign {
            $($name,)*
        }

        impl Foreign {
            fn message_and_help(self) -> (&'static str, &'static str) {
                match self {
                    $(Foreign::$name => ($message, $help),)*
                }
            }
        }
    };
}

constructs! {
    Closure: "`|` is not an operator" =>
        "write `abs(x)` or `norm(p)` for absolute values; `||` combines conditions";
    Cast: "there are no casts here" => "remove `as`: every number is real";
    Macro: "there are no macros here" => "write the expression itself";
    Path: "there are no paths here" => "write the name alone, as in `PI` or `sin(x)`";
    Reference: "there are no references here" => "remove `&`";
    Dereference: "`*` has nothing on its left" => "write `a*b` for a product";
    Question: "there is no `?` here" => "remove it";
    Range: "there are no ranges here" => "write a number";
    Index: "there is no indexing here" => "write `p.x`, `p.y` or `p.z` for a component";
    TupleField: "components have names here" => "write `.x`, `.y` or `.z`";
    Tuple: "there are no tuples here" => "write vectors and rows in brackets, as in `[a, b]`";
    Remainder: "`%` is not an operator" => "write the equation without remainders: they jump";
    Bits: "there are no bit operations here" => "`^` is the power, `&&` and `||` combine conditions";
    Assignment: "there are no assignments here" => "write `{ let name = …; expression }`";
    Arrow: "there are no arrows here" => "remove it";
    Attribute: "there are no attributes in expressions" => "remove it";
    Lifetime: "there are no lifetimes or labels here" => "remove it";
    Turbofish: "there are no type arguments here" => "remove them: every number is real";
    Boolean: "conditions are comparisons here" => "write one, as in `x > 0`";
    Loop: "there are no loops here" => "write each row, as in `[a == b, c == d]`";
    Match: "there is no `match` here" => "write `if … { a } else { b }`";
    IfLet: "there is no `if let` here" => "write `if a > b { c } else { d }`";
    StructLiteral: "there are no struct literals here" => "write a vector, as in `[a, b]`";
    Keyword: "" => "expressions consist of names, numbers, operators, functions, `if` and `let`";
}

/// `as f64`, `&x`, `|x| x`, `x?`, …; a keyword by its text.
pub fn foreign(range: SourceRange, construct: Foreign, text: &str) -> Diagnostic {
    match construct.message_and_help() {
        ("", help) => helped(
            range,
            format!("the keyword `{text}` is not allowed here"),
            help,
        ),
        (message, help) => helped(range, message, help),
    }
}
