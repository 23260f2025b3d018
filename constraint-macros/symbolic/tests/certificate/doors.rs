//! Every use of a call passes the certificate: a function that differs from the text is refused wherever it would be printed,
//! exported, explained or run.

use constraint_symbolic::call::{Call, MacroKind, Reader, calls};
use constraint_symbolic::compile;
use constraint_symbolic::diagnostic::Diagnostics;
use constraint_symbolic::export::{Refused, Target, export};
use constraint_symbolic::listing::{Unlisted, listing};
use constraint_symbolic::panicked::Stage;
use constraint_symbolic::planted;
use proc_macro2::TokenStream;

/// A call of each macro, and a function of it.
const CALLS: [(&str, &str); 6] = [
    (
        "constraint! { struct Circle { r: Real } |x, y| x^2 + y^2 == r^2 }",
        "force",
    ),
    (
        "constraint! { struct Ball { r: Vector2 } |a: Rigid2, b: Rigid2| at(a, r) == at(b, r) }",
        "jacobian",
    ),
    ("constraint! { struct Floor; |p: Point2| p.y >= 0 }", "gaps"),
    ("curve! { struct Hump; |s in -2..=2| [s, s^2] }", "tangent"),
    (
        "system! { struct Rods { l: Real = 1 } particle a, b: Point2 { mass: 1 }
            constraint upper: norm(a) == l; constraint lower: norm(b - a) == l; }",
        "multipliers",
    ),
    (
        "system! { struct Free { k: Real = 1 } coordinate x; kinetic velocity(x)^2/2; potential k*x^2/2; }",
        "acceleration",
    ),
];

const TARGETS: [Target; 10] = [
    Target::C,
    Target::CSingle,
    Target::CLibrary,
    Target::CLibrarySingle,
    Target::Cuda,
    Target::CudaSingle,
    Target::JavaScript,
    Target::JavaScriptModule,
    Target::Python,
    Target::Wgsl,
];

fn call(text: &str) -> Call {
    calls(text.parse().expect("tokens")).swap_remove(0)
}

/// Every use of a call: its name, and the messages if the use is refused.
fn doors(text: &str) -> Vec<(String, Option<String>)> {
    doors_with(text, || ())
}

/// The same, with a fault that lasts until it is dropped before each.
fn doors_with<P>(text: &str, planted: impl Fn() -> P) -> Vec<(String, Option<String>)> {
    let call = call(text);
    let messages = |it: Diagnostics| it.iter().map(|it| it.message.clone()).collect::<String>();
    let mut doors = Vec::new();
    {
        let _planted = planted();
        doors.push(("expansion".to_owned(), refusal(&expansion(&call))));
    }
    for target in TARGETS {
        let _planted = planted();
        let message = match export(text.parse().expect("tokens"), target) {
            Err(Refused::Mistakes(mistakes)) => Some(messages(mistakes)),
            Err(refused) => panic!("{target:?}: {refused}"),
            Ok(_) => None,
        };
        doors.push((format!("{target:?}"), message));
    }
    for reader in [Reader::Person, Reader::Program] {
        let _planted = planted();
        let message = call.certified(reader, |_| ()).err().map(messages);
        doors.push((format!("{reader:?}"), message));
    }
    let first = planted();
    let listed = match listing(&call) {
        Err(Unlisted::Refused(mistakes)) => Some(messages(mistakes)),
        Err(Unlisted::Invalid(error)) => panic!("{error}"),
        Ok(_) => None,
    };
    doors.push(("listing".to_owned(), listed));
    drop(first);
    let _planted = planted();
    doors.push(("items".to_owned(), call.items().err().map(messages)));
    doors
}

fn expansion(call: &Call) -> TokenStream {
    match call.kind {
        MacroKind::Constraint => compile::constraint(call.body.clone()),
        MacroKind::Curve => compile::curve(call.body.clone()),
        MacroKind::System => compile::system(call.body.clone()),
    }
}

/// The errors of an expansion.
fn refusal(written: &TokenStream) -> Option<String> {
    let text = written.to_string();
    text.contains("compile_error").then_some(text)
}

#[test]
fn what_differs_from_the_text_is_refused_wherever_it_is_used() {
    for (text, function) in CALLS {
        for (door, message) in doors(text) {
            assert_eq!(message, None, "{door}: {text}");
        }
        let _planted = planted::negate(function);
        for (door, message) in doors(text) {
            let message = message.unwrap_or_else(|| panic!("{door} does not refuse {text}"));
            let expected = format!("the code of `{function}` differs from the equations");
            assert!(message.contains(&expected), "{door}: {message}");
        }
    }
}

/// The stub that a panic leaves of a type, so that code that uses it has no errors of its own.
const STUBS: [&str; 6] = [
    "Constraint < T , 2 , 1 > for Circle",
    "BodyConstraint < T , 3 , 2 ,",
    "for Floor",
    "Curve < T , 2 > for Hump",
    "for Rods",
    "for Free",
];

#[test]
fn a_panic_is_refused_with_a_report_and_stub_items() {
    for ((text, _), stub) in CALLS.into_iter().zip(STUBS) {
        for stage in Stage::ALL {
            let report = format!(
                "the macro failed in its stage `{0}`: planted in `{0}`",
                stage.word()
            );
            let planted = || planted::panic_in(stage.word());
            for (door, message) in doors_with(text, planted) {
                let message = message.unwrap_or_else(|| panic!("{door} does not report {text}"));
                assert!(message.contains(&report), "{door}: {message}");
                let is_expansion = door == "expansion";
                assert!(
                    !is_expansion || message.matches("compile_error").count() == 1,
                    "{message}"
                );
                assert!(
                    !is_expansion || message.contains(stub),
                    "{stage:?}: {message}"
                );
            }
        }
    }
}

/// An expansion has one stub whether the input is wrong or the engine.
#[test]
fn a_type_is_known_after_a_panic_as_after_a_mistake() {
    let right = "struct S { m: Real = 1 } particle p: Point2 { mass: m } constraint c: norm(p) == 1; output y = p.x;";
    let wrong = format!("{right} constraint d: norm(p) == 1;");
    let error = |written: TokenStream| {
        let text = written.to_string();
        let start = text.find(":: core :: compile_error").expect("an error");
        let end = text[start..].find('}').expect("its end") + start;
        text[end..].to_owned()
    };
    let tokens = |text: &str| text.parse::<TokenStream>().expect("tokens");
    let mistaken = error(compile::system(tokens(&wrong)));
    let _planted = planted::panic_in(Stage::Derive.word());
    let panicked = error(compile::system(tokens(&wrong)));
    assert_eq!(mistaken, panicked);
}
