//! Every call of the README, the book, the examples and the page's tracks, in C and in JavaScript: what each function
//! gives is what the interpreter finds, and both give the same step.

use std::fmt::Write;
use std::fs;
use std::process::Command;

use crate::compiler::{hexadecimal, run_at};
use crate::exported::{Asked, Case, Fields, STEP, TIME};
use crate::texts::{book, cases, examples};
use constraint_symbolic::export::Target;

/// The languages in which each case is exported.
pub const LANGUAGES: [Target; 3] = [Target::C, Target::JavaScript, Target::Python];
/// A result of more numbers is not compared.
const MOST_NUMBERS: usize = 100_000;

/// Runs all calls of some files.
#[track_caller]
fn all_agree(room: &str, paths: &[String], least: usize) {
    let cases = cases(room, paths, &LANGUAGES);
    assert!(cases.len() >= least, "{} calls", cases.len());
    agree(room, &cases);
}

/// A call and its exported functions.
struct Exports<'a> {
    case: &'a Case,
    prefix: String,
    header: String,
    script: &'a str,
    functions: Vec<(&'a Asked, Option<usize>)>,
}

impl<'a> Exports<'a> {
    fn new(number: usize, case: &'a Case) -> Exports<'a> {
        let (header, script) = (case.text(Target::C), case.text(Target::JavaScript));
        let (prefix, header) = match case.name.as_str() {
            // Equations that stand alone have one name.
            "Constraint" => (
                format!("bare{number}"),
                header.replace(" constraint_", &format!(" bare{number}_")),
            ),
            name => (name.to_lowercase(), header.to_owned()),
        };
        let functions = case.functions.iter().filter_map(|it| {
            let named = format!(" {prefix}_{}(", it.name);
            let signature = header.split_once(&named)?.1.split_once(')')?.0;
            let length = signature.split_once("double result[");
            let length = length.map(|it| it.1.trim_end_matches(']').parse().expect("a number"));
            let is_exported = script.contains(&format!("function {}(", it.name));
            let fits = length.is_none_or(|it| it <= MOST_NUMBERS);
            (is_exported && fits).then_some((it, length))
        });
        let functions = functions.collect();
        Exports {
            case,
            prefix,
            header,
            script,
            functions,
        }
    }

    /// The parameters and the inputs as variables of C, and what functions are handed of them.
    fn structures(&self) -> (String, Vec<&'static str>) {
        let kinds: [(&str, &str, &'static str, &Fields); 2] = [
            ("", "own", "&own", &self.case.own),
            ("Inputs", "given", "&given", &self.case.given),
        ];
        let mut lines = String::new();
        let mut handed = Vec::new();
        for (ty, name, pointer, fields) in kinds.into_iter().filter(|it| !it.3.is_empty()) {
            let (ty, value) = (format!("{}{ty}", self.case.name), fields.in_c());
            writeln!(lines, "    const {ty} {name} = {value};").expect("a string");
            handed.push(pointer);
        }
        (lines, handed)
    }

    /// The lines of C that print what functions give, and a step.
    fn in_c(&self) -> String {
        let (structures, handed) = self.structures();
        let mut lines = format!("  {{\n{structures}");
        let defaults = format!("{}_default", self.prefix);
        if self.header.contains(&format!(" {defaults} = ")) {
            writeln!(lines, "    (void)&{defaults};").expect("a string");
        }
        let handed: Vec<String> = handed.into_iter().map(str::to_owned).collect();
        for (asked, length) in &self.functions {
            let name = format!("{}_{}", self.prefix, asked.name);
            // There are no arrays without entries.
            let given = asked.arguments.iter().filter(|it| !it.numbers.is_empty());
            let given = given.map(|it| match it.is_number {
                true => format!("{:?}", it.numbers[0]),
                false => format!("(double[]){}", braces(&it.numbers)),
            });
            let given: Vec<String> = handed.iter().cloned().chain(given).collect();
            let (before, after) = match length {
                Some(length) => ("", format!("tell(result, {length});")),
                None => ("result[0] = ", "tell(result, 1);".to_owned()),
            };
            let result = length.map(|_| "result".to_owned());
            let given: Vec<String> = given.into_iter().chain(result).collect();
            writeln!(lines, "    {before}{name}({}); {after}", given.join(", ")).expect("a string");
        }
        if let Some([q, v]) = self.step() {
            let handed: String = handed.iter().map(|it| format!("{it}, ")).collect();
            let (step, [n, d]) = (format!("{}_step", self.prefix), [q.len(), v.len()]);
            let [q, v] = [q, v].map(|it| braces(it));
            write!(
                lines,
                "    double q[] = {q}, v[] = {v};
    {step}({handed}{TIME:?}, {STEP:?}, q, v);
    tell(q, {n}); tell(v, {d});\n"
            )
            .expect("a string");
        }
        lines + "  }\n"
    }

    /// The start of a step, if the call exports one.
    fn step(&self) -> Option<&[Vec<f64>; 2]> {
        let start = self.case.start.as_ref();
        start.filter(|_| self.script.contains("function step("))
    }

    /// The same of JavaScript.
    fn in_javascript(&self) -> String {
        let (own, given) = (
            self.case.own.in_javascript(),
            self.case.given.in_javascript(),
        );
        let mut lines = format!(
            "(() => {{\n{}\nconst own = {{ {own}{} inputs: () => ({{ {given} }}) }};\n",
            self.script,
            if own.is_empty() { "" } else { "," }
        );
        for (asked, _) in &self.functions {
            let given = asked
                .arguments
                .iter()
                .map(|it| format!(", {}", it.javascript));
            let given: String = given.collect();
            writeln!(lines, "tell({}(own{given}));", asked.name).expect("a string");
        }
        if let Some([q, v]) = self.step() {
            write!(
                lines,
                "const q = {q:?}, v = {v:?};\nstep(own, {TIME:?}, {STEP:?}, q, v);\ntell(q);\ntell(v);\n"
            )
            .expect("a string");
        }
        lines + "})();\n"
    }

    /// The same of Python, whose arguments are those of C.
    fn in_python(&self) -> String {
        let class = self.case.text(Target::Python);
        let own = self.case.own.in_python(|name| {
            let field = format!("    {name}: ");
            class.contains(&field)
        });
        let reads = |name: &str| class.contains(&format!("given.{name}"));
        let given = self.case.given.in_python(reads);
        let inputs = match given.as_str() {
            "" => String::new(),
            _ => format!(", inputs=lambda t, q, v: SimpleNamespace({given})"),
        };
        let arguments = [own.as_str(), inputs.trim_start_matches(", ")].into_iter();
        let arguments: Vec<&str> = arguments.filter(|it| !it.is_empty()).collect();
        let mut lines = format!(
            "{class}\nown = {}({})\n",
            self.case.name,
            arguments.join(", ")
        );
        let vector = |numbers: &[f64]| format!("np.array({numbers:?}, dtype=float)");
        for (asked, _) in &self.functions {
            let given = asked.arguments.iter().filter(|it| !it.numbers.is_empty());
            let given = given.map(|it| match it.is_number {
                true => format!("{:?}", it.numbers[0]),
                false => vector(&it.numbers),
            });
            let given: Vec<String> = given.collect();
            writeln!(lines, "tell(own.{}({}))", asked.name, given.join(", ")).expect("a string");
        }
        if let Some([q, v]) = self.step() {
            let [q, v] = [q, v].map(|it| vector(it));
            write!(
                lines,
                "q, v = {q}, {v}\nown.step({TIME:?}, {STEP:?}, q, v)\ntell(q)\ntell(v)\n"
            )
            .expect("a string");
        }
        lines
    }

    /// What is printed line by line: its name, and what the interpreter finds, where it does.
    fn lines(&self) -> impl Iterator<Item = (String, Option<&'a [f64]>)> {
        let of = |name: &str| format!("`{name}` of {}", self.case.call);
        let functions = self.functions.iter();
        let functions: Vec<_> = functions
            .map(|it| (of(it.0.name), it.0.expected.as_deref()))
            .collect();
        let step = self.step().into_iter();
        let step: Vec<_> = step
            .flat_map(|_| [(of("step"), None), (of("step"), None)])
            .collect();
        functions.into_iter().chain(step)
    }
}

fn braces(numbers: &[f64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(|it| format!("{it:?}")).collect();
    format!("{{ {} }}", numbers.join(", "))
}

/// Asserts that calls have the same results in all languages.
#[track_caller]
pub fn agree(room: &str, cases: &[Case]) {
    let differences = differences(room, cases);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// Runs calls in all languages and describes the first difference of each line of numbers.
pub fn differences(room: &str, cases: &[Case]) -> Vec<String> {
    let exports = cases.iter().enumerate();
    let exports: Vec<Exports<'_>> = exports
        .map(|(number, case)| Exports::new(number, case))
        .collect();
    let lines: Vec<(String, Option<&[f64]>)> = exports.iter().flat_map(Exports::lines).collect();
    // The languages run at the same time.
    let outputs = std::thread::scope(|scope| {
        let others = [in_javascript, in_python].map(|run| {
            let exports = &exports;
            scope.spawn(move || run(room, exports))
        });
        let c = in_c(room, &exports);
        let [javascript, python] = others.map(|it| it.join().expect("it runs"));
        (c, javascript, python)
    });
    let (c, javascript, python) = outputs;
    let mut differences = Vec::new();
    let mut compare = |output: &str, lines: &Lines<'_>, language: &Language| {
        differences.extend(compared(output, lines, language));
    };
    if let Some(output) = &c {
        compare(output, &lines, &C);
    }
    if let Some(output) = &javascript {
        compare(output, &lines, &JAVASCRIPT);
    }
    if let Some(c) = c {
        let numbers: Vec<Vec<f64>> = c.lines().map(|it| numbers(it, C.read)).collect();
        let lines = lines.into_iter().zip(&numbers);
        let lines: Vec<(String, Option<&[f64]>)> = lines
            .map(|(it, numbers)| (it.0, Some(&numbers[..])))
            .collect();
        for (output, language) in [(javascript, &JAVASCRIPT), (python, &PYTHON)] {
            if let Some(output) = output {
                compare(&output, &lines, language);
            }
        }
    }
    differences
}

/// The printed lines: a name, and the expected numbers, if they are known.
type Lines<'a> = [(String, Option<&'a [f64]>)];

/// How to read and compare the numbers of a language.
struct Language {
    name: &'static str,
    read: fn(&str) -> f64,
    /// Whether a number equals the expected one, given the size of the largest in its line.
    is_near: fn(f64, f64, f64) -> bool,
}

const C: Language = Language {
    name: "C",
    read: of_c,
    is_near: |found, expected, _| {
        found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan()
    },
};

/// Sines may differ in their last digit, and pivots at random states can be small.
const JAVASCRIPT: Language = Language {
    name: "JavaScript",
    read: |it| it.parse().expect("a number"),
    is_near: |found, expected, scale| {
        found.is_nan() && expected.is_nan()
            || found == expected
            || (found - expected).abs() <= 1e-8 * scale
    },
};

const PYTHON: Language = Language {
    name: "Python",
    ..JAVASCRIPT
};

fn numbers(line: &str, read: fn(&str) -> f64) -> Vec<f64> {
    line.split_whitespace().map(read).collect()
}

fn in_c(room: &str, exports: &[Exports<'_>]) -> Option<String> {
    let headers: String = exports.iter().map(|it| it.header.as_str()).collect();
    let calls: String = exports.iter().map(Exports::in_c).collect();
    let program = format!(
        "{headers}
#include <stdio.h>
static void tell(const double *values, int length) {{
  for (int i = 0; i < length; i++) printf(\"%a \", values[i]);
  printf(\"\\n\");
}}
int main(void) {{
  static double result[{MOST_NUMBERS}];
{calls}  return 0;
}}
"
    );
    run_at("-O0", &format!("everywhere-{room}"), &program)
}

fn in_javascript(room: &str, exports: &[Exports<'_>]) -> Option<String> {
    let scripts = exports.iter().map(Exports::in_javascript);
    let script = format!(
        "const flat = (it) => typeof it === 'number' ? [it] : Object.values(it).flatMap(flat);
const tell = (it) => console.log(flat(it).join(' '));
{}",
        scripts.collect::<String>()
    );
    node(room, &script)
}

fn in_python(room: &str, exports: &[Exports<'_>]) -> Option<String> {
    let python = python()?;
    let scripts = exports.iter().map(Exports::in_python);
    let script = format!(
        "import numpy as np
np.seterr(all='ignore')
def flat(it):
    if hasattr(it, '__dict__'):
        return [x for part in vars(it).values() for x in flat(part)]
    if isinstance(it, tuple):
        return [x for part in it for x in flat(part)]
    return [float(x) for x in np.ravel(it)]
def tell(it):
    print(*flat(it))
{}",
        scripts.collect::<String>()
    );
    let file = format!("{room}-{}.py", std::process::id());
    printed(&python, &file, &script)
}

/// `%a` of C
fn of_c(text: &str) -> f64 {
    match text.trim_start_matches('-') {
        "nan" => f64::NAN,
        "inf" if text.starts_with('-') => f64::NEG_INFINITY,
        "inf" => f64::INFINITY,
        _ => hexadecimal(text),
    }
}

/// The lines in which the numbers of a language differ from the expected ones.
fn compared(output: &str, lines: &Lines<'_>, language: &Language) -> Vec<String> {
    assert_eq!(output.lines().count(), lines.len());
    let mut differences = Vec::new();
    for (line, (what, expected)) in output.lines().zip(lines) {
        let Some(expected) = expected else { continue };
        let found = numbers(line, language.read);
        let name = language.name;
        if found.len() > expected.len() {
            differences.push(format!("{name}, {what}: {} numbers", found.len()));
            continue;
        }
        // What is checked stands before the result.
        let expected = &expected[expected.len() - found.len()..];
        let most = |most: f64, it: &f64| most.max(it.abs());
        let scale = expected.iter().fold(1e-12, most);
        let mut both = found.iter().zip(expected);
        let apart = both.find(|(found, expected)| !(language.is_near)(**found, **expected, scale));
        if let Some((found, expected)) = apart {
            differences.push(format!("{name}, {what}: {found} for {expected}"));
        }
    }
    differences
}

/// What node prints; nothing where there is none.
fn node(room: &str, script: &str) -> Option<String> {
    printed("node", &format!("{room}-{}.js", std::process::id()), script)
}

/// Python with NumPy: `python3`, or the program that `PYTHON` names.
fn python() -> Option<String> {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let numpy = Command::new(&python).args(["-c", "import numpy"]).output();
    if !numpy.is_ok_and(|it| it.status.success()) {
        eprintln!("skipped: Python with NumPy is not installed, so no Python was run");
        return None;
    }
    Some(python)
}

/// What a program prints that runs a script; nothing where it is not installed.
fn printed(program: &str, file: &str, script: &str) -> Option<String> {
    let file = std::env::temp_dir().join(format!("constraint-everywhere-{file}"));
    fs::write(&file, script).expect("the script is written");
    let output = Command::new(program).arg(&file).output();
    let Ok(output) = output else {
        eprintln!("skipped: {program} is not installed, so nothing of it was run");
        return None;
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}\n{}", file.display());
    fs::remove_file(&file).expect("the script is removed");
    Some(String::from_utf8(output.stdout).expect("numbers"))
}

/// The root of the repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../");

#[test]
fn every_call_of_the_book_and_the_readmes() {
    all_agree("book", &book(ROOT), 50);
}

/// What the page lists stands there, in the book and in `examples/`.
#[test]
fn every_track() {
    all_agree(
        "track",
        &[format!("{ROOT}constraint-runtime/src/curve/tracks.rs")],
        14,
    );
}

#[test]
fn every_example() {
    all_agree("example", &examples(ROOT), 30);
}

/// Each copy moves as it does alone.
#[test]
fn python_moves_many_copies_as_one() {
    let call = "system! {
        struct Driven { m: Real = 2, l: Real = 1 }
        input push: Vector2;
        particle bob[2]: Point2 { mass: m }
        constraint rod: norm(bob[0]) == l;
        constraint link: norm(bob[1] - bob[0]) == l;
        force bob[1]: push;
        for i in 0..2 { potential m*9.81*bob[i].y; }
        output height = if bob[1].y > 0 { bob[1].y } else { -bob[1].y };
    }";
    let class = constraint_symbolic::export::export(call.parse().expect("tokens"), Target::Python);
    let script = format!(
        "{}
own = Driven(inputs=lambda t, q, v: SimpleNamespace(push=[0.1, t]))
q = np.array([[0.6, 1.0, 0.0], [-0.8, 0.0, 1.0], [1.2, 1.0, 0.8], [-1.6, 1.0, 1.6]])
v = np.array([[0.8, 0.0, 0.5], [0.6, 0.3, 0.0], [0.8, 0.2, 1.1], [0.6, 0.3, -0.2]])
for name in ['acceleration', 'outputs', 'constraint_force']:
    together = getattr(own, name)(0.3, q, v)
    alone = np.stack([getattr(own, name)(0.3, q[:, k], v[:, k]) for k in range(3)], axis=-1)
    print(np.abs(together - alone).max())
print(np.abs(own.jacobian(0.3, q)[:, :, 1] - own.jacobian(0.3, q[:, 1])).max())
alone = [(q[:, k].copy(), v[:, k].copy()) for k in range(3)]
own.step(0.3, 0.01, q, v)
for k in range(3):
    own.step(0.3, 0.01, *alone[k])
    print(np.abs(q[:, k] - alone[k][0]).max(), np.abs(v[:, k] - alone[k][1]).max())
",
        class.expect("a class")
    );
    let Some(python) = python() else { return };
    let file = format!("copies-{}.py", std::process::id());
    let output = printed(&python, &file, &script).expect("Python is there");
    let differences = output.split_whitespace();
    let differences: Vec<f64> = differences
        .map(|it| it.parse().expect("a number"))
        .collect();
    assert_eq!(differences.len(), 10, "{output}");
    assert!(differences.iter().all(|it| *it <= 1e-13), "{output}");
}

/// Stages have bodies whose moments differ in their own frames; who gives the inputs is asked with velocities of the world.
#[test]
fn python_asks_for_inputs_at_velocities_of_the_world() {
    let call = "system! {
        struct Brick { m: Real = 1 }
        input twist: Vector3;
        body brick: Rigid3 { mass: m, inertia: [0.4, 0.3, 0.1] }
        torque brick: twist;
        constraint tip: at(brick, [0, 0, 1]) == [0, 0, 0];
    }";
    let class = constraint_symbolic::export::export(call.parse().expect("tokens"), Target::Python);
    let script = format!(
        "{}
own = Brick(inputs=lambda t, q, v: SimpleNamespace(twist=[-2*v[3], 0.3*v[4], v[5]*v[3]]))
q = np.array([0.1, 0.2, -0.3, 0.3, 0.4, -0.2, 0.8])
q[3:] /= np.linalg.norm(q[3:])
v = np.array([0.3, -0.2, 0.5, 0.7, -1.1, 0.4])
turned = v.copy()
own.turn(q, turned, -1.0)
found = np.array(own.own_slope(0.0, q, turned)[1])
own.turn(q, found, 1.0)
print(np.abs(found - own.acceleration(0.0, q, v)).max())
",
        class.expect("a class")
    );
    let Some(python) = python() else { return };
    let file = format!("inputs-{}.py", std::process::id());
    let output = printed(&python, &file, &script).expect("Python is there");
    let difference: f64 = output.trim().parse().expect("a number");
    assert!(difference <= 1e-13, "{difference}");
}
