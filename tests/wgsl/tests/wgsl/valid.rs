//! naga reads and validates what is exported.

use constraint_symbolic::export::{Refused, Target, export};
use constraint_symbolic::expr::Function;
use naga::front::wgsl;
use naga::valid::{Capabilities, ValidationFlags, Validator};

/// The module of a call.
#[track_caller]
pub fn module(call: &str) -> (String, naga::Module) {
    let text = export(call.parse().expect("tokens"), Target::Wgsl);
    let text = text.unwrap_or_else(|it| panic!("{call}: {it}"));
    (text.clone(), read(&text))
}

/// The module of a call; `None` if single precision lacks some of its numbers.
#[track_caller]
pub fn exported(call: &str) -> Option<(String, naga::Module)> {
    match export(call.parse().expect("tokens"), Target::Wgsl) {
        Ok(text) => Some((text.clone(), read(&text))),
        Err(Refused::Nothing(_)) => None,
        Err(other) => panic!("{other}"),
    }
}

/// A text, validated.
#[track_caller]
fn read(text: &str) -> naga::Module {
    let module = wgsl::parse_str(text);
    let module = module.unwrap_or_else(|it| panic!("{}\n{text}", it.emit_to_string(text)));
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::default());
    if let Err(error) = validator.validate(&module) {
        panic!("{}\n{text}", error.emit_to_string(text));
    }
    module
}

/// The sum of all functions of the language, of arguments that are in their domains while x and y are between 0 and 1.
pub fn sum_of_functions() -> String {
    let calls = Function::all().map(Function::row).map(|row| {
        let arguments = row.domain.iter().zip(["x", "y"]);
        let arguments =
            arguments.map(|((low, high), name)| format!("{low:?} + {:?}*{name}", high - low));
        format!(
            "{}({})",
            row.name,
            arguments.collect::<Vec<String>>().join(", ")
        )
    });
    calls.collect::<Vec<String>>().join(" + ")
}

/// At least so many functions, all that the text has, and an entry point where that is asked for.
#[track_caller]
fn check(call: &str, functions: usize, runs: bool) -> String {
    let (text, module) = module(call);
    let written = text.lines().filter(|it| it.starts_with("fn ")).count();
    assert!(written >= functions, "{written} functions\n{text}");
    let read = module.functions.len() + module.entry_points.len();
    assert_eq!(read, written, "{text}");
    assert_eq!(module.entry_points.len(), usize::from(runs), "{text}");
    text
}

#[test]
fn constraints() {
    check(
        "constraint! { pub struct Parabola; |x, y| x*x + 100*y }",
        7,
        false,
    );
    check(
        "constraint! { struct S { l: Real, of: Vector2 } |a: Point2, t: Time| norm(a - of) == l*(2 + sin(t)) }",
        7,
        false,
    );
}

/// Poses, velocities, masses and tangents in a row.
#[test]
fn between_bodies_and_along_tangents() {
    check(
        "constraint! { struct S { l: Real } |a: Rigid3, b: Rigid3| norm(a.at([0, 0, l]) - b.at([l, 0, 0])) == l }",
        9,
        false,
    );
    check(
        "constraint! { #[derivatives] struct S { l: Real } |a: Point2, b: Point2| norm(a - b) == l }",
        12,
        false,
    );
}

#[test]
fn curves() {
    check(
        "curve! { struct Hump; |s in -2..=2| [s, exp(-s^2)] }",
        7,
        false,
    );
    check(
        "curve! { struct S { r: Real } |s in -PI/2..=2| if s < 0 { [r*sin(s), r*(1 - cos(s))] } else { [r*s, 0] } }",
        7,
        false,
    );
}

/// Every function of the language, those that WGSL lacks among them, choices and what they ask.
#[test]
fn every_function() {
    let call = format!(
        "system! {{
            struct S {{ self_: Real = 2, let_: [Vector2; 2] = [[1, 2], [3, 4]] }}
            input fn_: Vector2;
            coordinate x, y;
            particle p = [x, y] {{ mass: self_ }}
            force p: fn_ + [{}, 0] + let_[1];
            force x: if x < y && !(x == 2) || y >= 3 && x > 1 {{ x }} else {{ y }};
        }}",
        sum_of_functions()
    );
    let text = check(&call, 12, true);
    assert!(text.contains("fn cbrt("), "{text}");
}

#[test]
fn systems_written_out_and_in_loops() {
    let chain = |links: usize| {
        format!(
            "system! {{
                pub struct Chain {{ m: Real = 1, l: Real = 0.5, g: Real = 9.81 }}
                particle bead[{links}]: Point2 {{ mass: m }}
                constraint anchor: norm(bead[0]) == l;
                for i in 1..{links} {{ constraint link[i]: norm(bead[i] - bead[i-1]) == l; }}
                for i in 0..{links} {{ potential m*g*bead[i].y; }}
                output tension = multiplier(anchor);
            }}"
        )
    };
    let short = check(&chain(4), 16, true);
    assert!(!short.contains("round"), "{short}");
    let long = check(&chain(64), 16, true);
    assert!(
        long.contains("for (var round = 0; round < 63; round++)"),
        "{long}"
    );
}

/// Arrays of arrays, inputs, and places from a table.
#[test]
fn loops_over_tables() {
    let text = check(
        "system! {
            #[solver(rolled)]
            struct S { m: [Real; 12] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], k: Real = 3 }
            input push[12]: Vector2;
            for i in 0..12 { particle bob[i]: Point2 { mass: m[i] } }
            for i in 0..12 { force bob[i]: push[i] - m[i]*bob[i]; }
            for i in 0..12 { potential k/2*norm_squared(bob[i] - bob[(5*i*i + 3) % 12]); }
            for i in 1..12 { constraint rod[i]: norm(bob[i] - bob[i-1]) == k; }
        }",
        15,
        true,
    );
    assert!(text.contains("const s_places_1 = array<"), "{text}");
}

#[test]
fn bodies() {
    check(
        "system! {
            #[solver(rolled)]
            struct Links { m: Real = 0.7, a: Real = 0.4, b: Real = 0.3, c: Real = 0.1, l: Real = 0.5, g: Real = 9.81 }
            body link[4]: Rigid3 { mass: m, inertia: [a, b, c] }
            constraint anchor: at(link[0], [0, 0, l]) == [0, 0, 0];
            for i in 1..4 { constraint ball[i]: at(link[i], [0, 0, l]) == at(link[i-1], [0, 0, -l]); }
            for i in 0..4 { force link[i]: [0, 0, -m*g]; }
        }",
        17,
        true,
    );
}

/// Linearised, in loops and written out, and rows that may follow from each other.
#[test]
fn what_rust_tells_a_function_and_what_it_solves_by_least_squares() {
    let chain = |form: &str| {
        format!(
            "system! {{
                #[derivatives]
                #[solver({form})]
                struct S {{ m: Real = 1, l: Real = 0.5 }}
                input push[12]: Vector2;
                particle bead[12]: Point2 {{ mass: m }}
                constraint anchor: norm(bead[0]) == l;
                for i in 1..12 {{ constraint link[i]: norm(bead[i] - bead[i-1]) == l; }}
                for i in 0..12 {{ force bead[i]: push[(5*i) % 12] - bead[i]*norm(bead[i]); }}
            }}"
        )
    };
    for form in ["rolled", "unrolled"] {
        let text = check(&chain(form), 24, true);
        assert!(text.contains("fn s_descriptor_entries("), "{text}");
    }
    let text = check(
        "system! {
            #[redundant(least_squares)]
            struct S { m: Real = 1 }
            particle p: Point3 { mass: m }
            constraint one: p.x == 0;
            constraint two: 2*p.x == 0;
        }",
        20,
        true,
    );
    assert!(text.contains("fn s_least_squares("), "{text}");
}
