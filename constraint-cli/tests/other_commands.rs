//! `constraint check`, `expand` and `export`.

mod common;

use common::{constraint, examples, given};

#[test]
fn every_example_is_right() {
    for example in examples() {
        let path = example.to_str().expect("a path");
        let run = constraint(["check", path]);
        assert!(run.printed().lines().count() > 0, "{path}");
    }
}

#[test]
fn what_is_right_is_told_with_its_size() {
    let run = constraint(["check", "tests/models/double_pendulum.rs"]);
    let expected = "tests/models/double_pendulum.rs: system Angles: 2 coordinates, 0 constraint rows\n\
                    tests/models/double_pendulum.rs: system Rods: 4 coordinates, 2 constraint rows\n";
    assert_eq!(run.printed(), expected);
}

#[test]
fn all_mistakes_of_all_calls_are_shown() {
    let model = "\
use constraint_runtime::prelude::*;

system! {
    struct Pendulum { m: Real = 1, l: Real = 1, g: Real = 9.81 }
    particle bob: Point2 { mass: mm }
    constraint rod: norm(bob) == lenght;
    potential m*g*bob.y;
}

curve! { struct Hump; |s in -2..=2| [s, sinn(s)] }

constraint! { struct Fine; |x, y| x^2 + y^2 == 1 }
";
    let run = given(model, ["check", "-"]);
    assert_eq!(run.code, 1);
    assert_eq!(
        run.output,
        "standard input: constraint Fine: 2 coordinates, 1 constraint row\n"
    );
    insta::assert_snapshot!(run.errors);
}

/// v̇ of the `Rods` of a module.
macro_rules! acceleration {
    () => {
        pub fn acceleration() -> [f64; 4] {
            use constraint_runtime::Dynamics;
            let (q, v) = ([0.6, -0.8, 1.2, -1.6], [0.4, 0.3, 0.8, 0.6]);
            let acceleration = Rods::default().acceleration(0.0, &q.into(), &v.into());
            acceleration.expect("two rods of length 1").into()
        }
    };
}

mod models {
    use constraint_runtime::prelude::*;
    include!("models/double_pendulum.rs");
    acceleration!();
}

/// The listing that `constraint expand` prints of `Rods`.
#[allow(dead_code)]
mod listed {
    include!("models/rods_listed.rs");
    acceleration!();
}

#[test]
fn an_expansion_is_listed_function_by_function() {
    let listed = constraint([
        "expand",
        "--only",
        "Rods",
        "tests/models/double_pendulum.rs",
    ]);
    let listed = listed.printed();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/models/rods_listed.rs");
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        std::fs::write(file, &listed).expect("the sources can be written");
    }
    let kept = include_str!("models/rods_listed.rs");
    assert_eq!(listed, kept, "INSTA_UPDATE=always writes it");
}

/// A listing compiles, and its functions are those of the macro.
#[test]
fn a_listing_moves_as_the_macro_does() {
    assert_eq!(listed::acceleration(), models::acceleration());
}

#[test]
fn a_whole_expansion_has_every_token() {
    let call = "constraint! { pub struct Parabola; |x, y| x*x + 100*y }";
    let whole = constraint(["expand", "--whole", call]).printed();
    let parts = [
        "cfg(rust_analyzer)",
        "locals!",
        "derivation_mathml!",
        "DERIVATION",
    ];
    for part in parts {
        assert!(whole.contains(part), "{part}: {whole}");
        assert!(
            !constraint(["expand", call]).printed().contains(part),
            "{part}"
        );
    }
    let bare = constraint(["expand", "--whole", "x*x + 100*y"]).printed();
    assert!(
        bare.starts_with("fn main() {\n    let constraint = '"),
        "{bare}"
    );
    // The equation alone is listed as one with a struct is.
    let listed = constraint(["expand", "x*x + 100*y"]).printed();
    assert!(
        listed.contains("fn bias(") && listed.ends_with("struct Constraint;\n"),
        "{listed}"
    );
}

/// A program with its arguments, where it is installed; `None` and a line where it is not.
fn output_of(program: &str, arguments: &[&str]) -> Option<String> {
    let place = concat!(env!("CARGO_TARGET_TMPDIR"), "/loaded");
    let run = std::process::Command::new(program)
        .args(arguments)
        .current_dir(place)
        .output();
    let Ok(run) = run else {
        eprintln!("skipped: {program} is not installed");
        return None;
    };
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(
        run.status.success() && errors.is_empty(),
        "{program} {arguments:?}: {errors}"
    );
    Some(String::from_utf8(run.stdout).expect("text"))
}

fn numbers(text: &str) -> Vec<f64> {
    let words = text.trim().trim_matches(['[', ']']).split(',');
    words.map(|word| word.trim().parse().expect(text)).collect()
}

/// Python loads the library that the book's recipe builds, JavaScript imports the module: the accelerations are those
/// of Rust.
#[test]
fn exported_functions_load_in_python_and_javascript() {
    let place = concat!(env!("CARGO_TARGET_TMPDIR"), "/loaded");
    std::fs::create_dir_all(place).expect("the target directory takes files");
    let export = |options: &[&str], file: &str| {
        let output = format!("{place}/{file}");
        let model = [
            "--only",
            "Rods",
            "tests/models/double_pendulum.rs",
            "--output",
            &output,
        ];
        constraint([&["export"], options, &model].concat()).printed();
    };
    let expected = models::acceleration();
    export(&["--c", "--library"], "rods.c");
    let flags = [
        "-shared",
        "-fPIC",
        "-O2",
        "-Wall",
        "-Wextra",
        "-o",
        "librods.so",
        "rods.c",
        "-lm",
    ];
    if output_of("cc", &flags).is_some() {
        let script = "import ctypes
class Rods(ctypes.Structure):
    _fields_ = [(name, ctypes.c_double) for name in ('m', 'l', 'g')]
library = ctypes.CDLL('./librods.so')
rods = Rods.in_dll(library, 'rods_default')
vector = ctypes.c_double * 4
q, v, a = vector(0.6, -0.8, 1.2, -1.6), vector(0.4, 0.3, 0.8, 0.6), vector()
library.rods_acceleration(ctypes.byref(rods), ctypes.c_double(0), q, v, a)
print(list(a))";
        if let Some(found) = output_of("python3", &["-c", script]) {
            assert_eq!(numbers(&found), expected);
        }
    }
    export(&["--js", "--module"], "rods.mjs");
    let script = "import('./rods.mjs').then(rods => console.log(JSON.stringify(
        rods.acceleration(rods.defaults, 0, [0.6, -0.8, 1.2, -1.6], [0.4, 0.3, 0.8, 0.6]))))";
    if let Some(found) = output_of("node", &["-e", script]) {
        assert_eq!(numbers(&found), expected);
    }
}

#[test]
fn functions_are_written_in_other_languages() {
    let call =
        "system! { struct Fall { m: Real = 1 } particle p: Point2 { mass: m } potential m*p.y; }";
    let c = constraint(["export", "--c", call]).printed();
    assert!(c.contains("static inline void fall_acceleration(const Fall *self, double t, "));
    let single = constraint(["export", "--c", "--f32", call]).printed();
    assert!(single.contains("fall_acceleration(const Fall *self, float t, "));
    let cuda = constraint(["export", "--cuda", call]).printed();
    assert!(cuda.contains("__global__ void fall_run("));
    let wgsl = constraint(["export", "--wgsl", call]).printed();
    assert!(wgsl.contains("@compute @workgroup_size(64)\nfn fall_run("));
    let script = constraint(["export", "--js", call]).printed();
    assert!(script.contains("function acceleration(self, "), "{script}");
    let class = constraint(["export", "--python", call]).printed();
    assert!(
        class.contains("    def acceleration(self, t, q, v):\n"),
        "{class}"
    );
    let header = constraint(["export", "--c", "x^2 + y"]).printed();
    assert!(header.contains("constraint_value("), "{header}");
}

#[test]
fn a_language_is_asked_for() {
    let run = constraint(["export", "x - 1"]);
    assert_eq!(run.code, 2);
    assert!(
        run.errors.contains("<--c|--cuda|--wgsl|--js|--python>"),
        "{}",
        run.errors
    );
    let run = constraint(["export", "--js", "--f32", "x - 1"]);
    assert_eq!(run.code, 2);
    let run = constraint(["export", "--c", "x - "]);
    assert_eq!(run.code, 1);
    assert!(run.errors.starts_with("error: "), "{}", run.errors);
}

/// Rust in which no macro is called is no model: there is nothing to be right or wrong in it.
#[test]
fn a_file_without_calls_is_said_to_have_none() {
    let files = [
        "//! Notes.\n#![allow(dead_code)]\nfn main() {}\n",
        "use std::fmt;\n\nstruct Pendulum;\n",
        "/// A pendulum.\npub struct Pendulum { pub length: f64, mass: f64 }\n",
        "struct Pair(f32, f32);\n",
    ];
    for command in [
        &["check"][..],
        &["explain"],
        &["expand"],
        &["export", "--c"],
    ] {
        for file in files {
            let run = given(file, [command, &["-"]].concat());
            let message =
                "error: standard input has no call of `constraint!`, `curve!` or `system!`\n";
            assert_eq!((run.code, run.errors.as_str()), (2, message), "{command:?}");
            assert_eq!(run.output, "", "{command:?}");
        }
    }
    // What stands inside of a call is one.
    let inside = "struct S { m: Real = 1 } particle p: Point2 { mass: m }";
    assert_eq!(given(inside, ["check", "-"]).code, 0);
    assert_eq!(given("struct S;", ["check", "-"]).code, 1);
    assert_eq!(given("struct S { l: Real }", ["check", "-"]).code, 1);
    // A mistake in a struct that an equation follows is one.
    let run = given("struct S { l: f64 } |x, y| x^2 + y^2 == l", ["check", "-"]);
    assert!(run.errors.contains("write `Real`"), "{}", run.errors);
}

/// What is too large for the engine is said at once: a spline through thousands of points is not begun.
#[test]
fn a_spline_of_too_many_points_is_refused_where_it_stands() {
    let list = |number: fn(usize) -> usize| {
        let numbers: Vec<String> = (0..5000).map(|i| number(i).to_string()).collect();
        numbers.join(", ")
    };
    let (at, through) = (list(|i| i), list(|i| 7 * i % 13));
    let model = format!(
        "struct Lift {{ m: Real = 1 }} fn lift(a) = cubic_spline(a, [{at}], [{through}]);
        coordinate a; particle p = [a, lift(a)] {{ mass: m }}"
    );
    let begun = std::time::Instant::now();
    let run = given(&model, ["check", "-"]);
    let message = "error: this spline has 5000 points; at most 1000 are supported";
    assert!(run.errors.starts_with(message), "{}", run.errors);
    assert_eq!(run.code, 1);
    let taken = begun.elapsed().as_secs();
    assert!(taken < 10, "{taken} s");
}
