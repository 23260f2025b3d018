//! The engine for the page: a request and a model in, JSON out, once per run.
//!
//! The first line of the input is the request: `motion`, `derivation`, `rust`, `c`, `javascript` or `latex`; the rest
//! is the text in the editor.

use std::io::{self, Read, Write};
use std::ops::Range;

use constraint_symbolic::call::{Call, Certified, Reader, calls};
use constraint_symbolic::diagnostic::{Diagnostic, Diagnostics};
use constraint_symbolic::emit::{Exported, JavaScript, system_motion};
use constraint_symbolic::explanation::{Explanation, latex};
use constraint_symbolic::export::{Refused, Target, export};
use constraint_symbolic::function::Entry;
use constraint_symbolic::listing::{Unlisted, listing, spaced};
use constraint_symbolic::macros::Derived;
use constraint_symbolic::model::{Declared, Model, Parameter, System, scalars};
use constraint_symbolic::panicked::record_places;
use constraint_symbolic::schedule::OperationCount;
use proc_macro2::{LexError, TokenStream};
use serde_json::{Value, json};

fn main() -> io::Result<()> {
    // In a browser panics abort; the page shows what is written to standard error.
    record_places(|it| {
        let report = it.diagnostics();
        report
            .iter()
            .for_each(|it| eprintln!("{}", it.text().replace('\n', "; ")));
    });
    let mut input = String::new();
    io::stdin().read_to_string(&mut input)?;
    let (request, text) = input.split_once('\n').unwrap_or((&input, ""));
    write!(io::stdout(), "{}", answer(request, text))
}

/// The response for the first call in a text, or its errors.
fn answer(request: &str, text: &str) -> Value {
    let tokens: Result<TokenStream, LexError> = text.parse();
    let call = match tokens {
        Ok(tokens) => calls(tokens).swap_remove(0),
        Err(error) => return unreadable(text, error.span().byte_range()),
    };
    let answer = match request {
        "motion" => call.certified(Reader::Among(&MOVING), |it| motion(&call, &it)),
        "derivation" => call.certified(Reader::Program, |it| derivation(&call, it)),
        _ => code(request, &call).map(|text| json!({ "text": text })),
    };
    answer.unwrap_or_else(
        |mistakes| json!({ "title": call.title(), "messages": messages(text, &call, &mistakes) }),
    )
}

/// The message for systems that only Rust moves.
const ONE_SIDED: &str = "the page does not move constraints of one side, friction on constraints or motors: write contacts as `Contact` and `Friction`";

fn is_one_sided(derived: Derived<'_>) -> bool {
    matches!(derived, Derived::System(it) if !it.system.one_sided.is_empty())
}

// ---- messages -----------------------------------------------------------------------------------

/// A text that cannot be split into tokens.
fn unreadable(text: &str, place: Range<usize>) -> Value {
    let found = constraint_symbolic::diagnostic::unreadable::unreadable(text, place);
    let place = found.range.start..text.len().min(found.range.end.max(found.range.start + 1));
    json!({ "title": "", "messages": [{
        "start": units(text, place.start),
        "end": units(text, place.end),
        "message": found.message,
        "help": found.help,
    }] })
}

fn messages(text: &str, call: &Call, mistakes: &Diagnostics) -> Vec<Value> {
    mistakes.iter().map(|it| message(text, call, it)).collect()
}

fn message(text: &str, call: &Call, diagnostic: &Diagnostic) -> Value {
    let [start, end] = [diagnostic.range.start, diagnostic.range.end].map(|it| it.byte_range());
    let place = start.start..end.end.max(start.end);
    // A message about the whole call is shown at its beginning.
    let whole = place.is_empty() || place.end > text.len();
    let place = if whole {
        call.start.byte_range()
    } else {
        place
    };
    json!({
        "start": units(text, place.start),
        "end": units(text, place.end),
        "message": diagnostic.message,
        "help": diagnostic.help,
    })
}

/// The number of UTF-16 units before a byte: the unit of texts in JavaScript.
fn units(text: &str, byte: usize) -> usize {
    let byte = (0..=byte.min(text.len()))
        .rev()
        .find(|&it| text.is_char_boundary(it));
    text[..byte.unwrap_or(0)].encode_utf16().count()
}

// ---- motion -------------------------------------------------------------------------------------

/// The functions that move a system; all others are computed on request.
const MOVING: [&str; 11] = [
    "acceleration",
    // Not for the page: v̇ and λ are compared with the text together.
    BOTH,
    "constraint",
    "constraint_rate",
    "correction",
    "kinematics",
    "kinetic_energy",
    "multipliers",
    "potential_energy",
    "projected_motion",
    "row_sizes",
];

const BOTH: &str = "acceleration_and_multipliers";

/// Everything that the page needs to move a model.
fn motion(call: &Call, certified: &Certified<'_>) -> Value {
    let derived = certified.derived();
    if is_one_sided(derived) {
        return json!({
            "title": call.title(),
            "messages": [{ "start": 0, "end": 0, "message": ONE_SIDED }],
        });
    }
    let (title, size) = (call.title(), certified.derivation().size());
    let mut exported = match derived {
        Derived::System(system) => {
            let listed = (certified.names(), certified.functions());
            system_motion(system, listed, &JavaScript)
        }
        _ => certified.exported(&JavaScript),
    };
    exported.functions.remove(BOTH);
    let model = certified.derivation().model();
    let mut told = json!({
        "title": title,
        "kind": call.kind.word(),
        "name": call.name,
        "size": size,
        "messages": [],
        "parameters": model.parameters.iter().map(parameter).collect::<Vec<Value>>(),
        "functions": functions(&exported),
        "tables": exported.tables,
        "time": model.time.is_some(),
    });
    let beside = match derived {
        Derived::Constraint(derived) => of_points(&derived.model),
        Derived::Curve(derived) => json!({
            "coordinates": scalars::points(&derived.curve.model),
            "velocities": scalars::velocities(&derived.curve.model, 1),
            "dimension": derived.dimension(),
            "closed": derived.scans.first().is_some_and(|scan| scan.closure.is_some()),
        }),
        Derived::System(derived) => of_system(derived),
    };
    if let (Value::Object(told), Value::Object(beside)) = (&mut told, beside) {
        told.extend(beside);
    }
    told
}

fn functions(exported: &Exported) -> Value {
    let functions = exported.functions.iter();
    let functions = functions.map(|(name, text)| ((*name).to_owned(), text.clone().into()));
    Value::Object(functions.collect())
}

fn parameter(parameter: &Parameter) -> Value {
    json!({ "name": parameter.name.to_string(), "size": parameter.shape.len(), "lengths": parameter.lengths })
}

fn declared(declared: &Declared) -> Value {
    json!({
        "name": declared.name.to_string(),
        "size": declared.shape.len(),
        "lengths": declared.lengths,
        "body": declared.body,
        "scalars": declared.scalars(),
        "velocities": declared.velocities(),
    })
}

fn of_points(model: &Model) -> Value {
    let count = model.coordinate_count();
    let point = |it: &constraint_symbolic::model::Coordinate| json!({ "name": it.name.to_string(), "size": it.shape.len() });
    json!({
        "coordinates": scalars::points(model),
        "velocities": scalars::velocities(model, count),
        "declared": model.coordinates.iter().map(point).collect::<Vec<Value>>(),
        "bodies": model.bodies.len(),
        "rows": (0..model.rows.len()).map(|row| format!("C[{row}]")).collect::<Vec<String>>(),
    })
}

fn of_system(derived: &constraint_symbolic::system::Derived) -> Value {
    let system: &System = &derived.system;
    json!({
        "coordinates": scalars::coordinates(system),
        "velocities": scalars::velocities(&system.model, system.velocities()),
        "declared": system.declared.iter().map(declared).collect::<Vec<Value>>(),
        "rows": system.rows.iter().map(ToString::to_string).collect::<Vec<String>>(),
        "defaults": system.defaults,
        "inputs": system.inputs.iter().map(declared).collect::<Vec<Value>>(),
    })
}

// ---- derivation and code ------------------------------------------------------------------------

/// The derivation as steps.
fn derivation(call: &Call, certified: Certified<'_>) -> Value {
    let explanation = Explanation::new(call.title(), certified);
    let steps = explanation.steps.iter().map(|step| {
        json!({
            "name": step.entry.name,
            "title": step.rule.title,
            "rule": step.rule.text,
            "prose": step.plain_prose(),
            "words": step.words(),
            "mathml": step.entry.statement.mathml(),
            "text": step.entry.statement.text(),
            "cost": step.cost(),
        })
    });
    let counted = explanation.counted.iter().map(counted);
    json!({ "steps": steps.collect::<Vec<Value>>(), "counted": counted.collect::<Vec<Value>>() })
}

fn counted(entry: &Entry) -> Value {
    let cost: OperationCount = entry.cost;
    json!({ "name": entry.name, "symbol": entry.symbol, "cost": cost.to_string() })
}

/// The model in another language.
fn code(language: &str, call: &Call) -> Result<String, Diagnostics> {
    match language {
        "rust" => rust(call),
        "latex" => call.certified(Reader::Program, |it| {
            let explanation = Explanation::new(call.title(), it);
            latex::document(&latex::section(&explanation))
        }),
        "c" => exported(call, Target::C),
        "python" => exported(call, Target::Python),
        _ => exported(call, Target::JavaScript),
    }
}

fn exported(call: &Call, target: Target) -> Result<String, Diagnostics> {
    match export(call.tokens(), target) {
        Err(Refused::Mistakes(mistakes)) => Err(mistakes),
        Err(refused) => Ok(refused.to_string()),
        Ok(text) => Ok(text),
    }
}

/// The generated functions, formatted as by rustfmt.
fn rust(call: &Call) -> Result<String, Diagnostics> {
    match listing(call) {
        Ok(file) => Ok(spaced(&prettyplease::unparse(&file))),
        Err(Unlisted::Refused(mistakes)) => Err(mistakes),
        Err(Unlisted::Invalid(error)) => Ok(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use constraint_symbolic::panicked::Stage;
    use constraint_symbolic::planted;

    const MODEL: &str = "system! { struct Pendulum { l: Real = 1 } particle bob: Point2 { mass: 1 } \
        gravity [0, -9.81]; constraint rod: norm(bob) == l; }";

    const REQUESTS: [&str; 7] = [
        "motion",
        "derivation",
        "rust",
        "c",
        "python",
        "javascript",
        "latex",
    ];

    /// The first message, or that of an answer without any.
    fn message(request: &str) -> Value {
        let answer = answer(request, MODEL);
        let first = answer.pointer("/messages/0/message");
        first.cloned().unwrap_or_default()
    }

    #[test]
    fn what_differs_from_the_text_is_refused_for_every_request() {
        for request in REQUESTS {
            assert_eq!(message(request), Value::Null, "{request}");
            let _planted = planted::negate("acceleration");
            let message = message(request).to_string();
            assert!(
                message.contains("the code of `acceleration` differs"),
                "{request}: {message}"
            );
        }
    }

    #[test]
    fn a_panic_is_reported_for_every_request() {
        for request in REQUESTS {
            let _planted = planted::panic_in(Stage::Schedule.word());
            let message = message(request).to_string();
            assert!(
                message.contains("the macro failed in its stage `schedule`"),
                "{request}: {message}"
            );
        }
    }
}
