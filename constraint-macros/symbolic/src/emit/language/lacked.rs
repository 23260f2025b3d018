//! Functions that a language lacks, as text: the error function and its complement.

use super::{Gives, Language};
use crate::code::{Parameter, ParameterType, Value};
use crate::expr::error_function::{
    FAR, Fraction, INVERSE_ROOT, MEDIUM, MIDDLE, NEAR, SMALL, VANISHING,
};
use crate::expr::{CollectVec, Function};

/// The functions that the language lacks and that `functions` call, each with its name there.
pub fn lacked(language: &dyn Language, functions: &str) -> String {
    let called = [Function::Erf, Function::Erfc].map(|function| {
        let name = function.row().name;
        let call = format!("{}(", language.function_name(name));
        let is_called = language.lacks(function) && functions.contains(&call);
        is_called.then(|| error_function(language, function) + "\n")
    });
    called.into_iter().flatten().collect()
}

/// All forms of `expr::error_function`, of which the one for x is chosen.
fn error_function(language: &dyn Language, function: Function) -> String {
    let number = |value: f64| language.number(value);
    let call = |function: Function, of: &str| language.call(function, &[of.to_owned()]);
    let [zero, one, two, sixteen] = [0.0, 1.0, 2.0, 16.0].map(number);
    let decay = [
        call(Function::Exp, "-w * w"),
        call(Function::Exp, "(w - y) * (w + y)"),
    ];
    let whole = call(Function::Floor, &format!("{sixteen} * y"));
    let constants = [
        ("y", call(Function::Abs, "x")),
        ("s", "y * y".to_owned()),
        ("z", format!("{one} / s")),
        ("w", format!("{whole} / {sixteen}")),
        ("decay", decay.join(" * ")),
        ("near", format!("x * {}", fraction(language, &NEAR, "s"))),
        (
            "middle",
            format!("decay * {}", fraction(language, &MIDDLE, "y")),
        ),
        (
            "far",
            format!(
                "decay * ({} - z * {}) / y",
                number(INVERSE_ROOT),
                fraction(language, &FAR, "z")
            ),
        ),
        (
            "tail",
            language.select([&format!("y <= {}", number(MEDIUM)), "middle", "far"]),
        ),
        (
            "rest",
            language.select([&format!("y >= {}", number(VANISHING)), &zero, "tail"]),
        ),
    ];
    let forms = match function {
        Function::Erf => {
            ["near", &format!("rest - {one}"), &format!("{one} - rest")].map(str::to_owned)
        }
        _ => [&format!("{one} - near"), &format!("{two} - rest"), "rest"].map(str::to_owned),
    };
    let far = language.select([&format!("x < {zero}"), &forms[1], &forms[2]]);
    let mut lines: Vec<String> = constants
        .iter()
        .map(|(name, value)| language.constant(name, value))
        .collect_vec();
    lines.push(language.constant("beyond", &far));
    let value = language.select([&format!("y <= {}", number(SMALL)), &forms[0], "beyond"]);
    lines.push(language.result(&Value::Number(value)));
    let x = Parameter {
        name: "x".to_owned(),
        kind: ParameterType::Number,
    };
    language.function(function.row().name, &[x], Gives::Number, &lines.join("\n"))
}

/// `(a * x + b) / (x + d)`
fn fraction(language: &dyn Language, it: &Fraction, x: &str) -> String {
    let [numerator, denominator] = [it.numerator, it.denominator].map(|coefficients| {
        let mut coefficients = coefficients.iter().map(|&it| language.number(it));
        let first = coefficients.next().unwrap_or_default();
        coefficients.fold(first, |sum, it| format!("({sum} * {x} + {it})"))
    });
    format!("{numerator} / {denominator}")
}
