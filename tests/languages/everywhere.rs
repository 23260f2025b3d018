//! Every call of the README, the book, the examples and the page's tracks, in C, JavaScript and Python. C returns the
//! interpreter's numbers bit for bit. JavaScript and Python have mathematical functions of their own, whose last digit may
//! differ from that of C's. C measures how much a last digit changes each result, and the others may differ by that much.

use std::fmt::Write;
use std::fs;
use std::process::Command;

use crate::compiler::{hexadecimal, run_at};
use crate::exported::{Case, Evaluation, Fields, STEP, TIME};
use crate::texts::{book, cases, examples};
use constraint_symbolic::export::Target;

/// The languages in which each case is exported.
pub const LANGUAGES: [Target; 3] = [Target::C, Target::JavaScript, Target::Python];
/// A result of more numbers is not compared.
const MOST_NUMBERS: usize = 100_000;

/// Mathematical functions of C whose last digit is changed. Libraries agree on all others, since these are exact.
const INEXACT: [&str; 20] = [
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "erf",
    "erfc", "exp", "hypot", "log", "pow", "sin", "sinh", "tan", "tanh",
];
/// How many times C computes everything with changed last digits, each time others up and down.
const CHANGED_RUNS: usize = 4;
/// By how many units in the last digit it changes them: libraries differ by fewer.
const CHANGE: f64 = 16.0;
/// How much further than the largest of these changes a result may be. Where exact operations amplify their own rounding, each
/// change of a digit leads to other roundings, however small it is, so that four runs are a sample of a wider spread: of 3,000
/// random systems three differed by 2 to 3.2 times the largest.
const MARGIN: f64 = 4.0;
/// Units in the last digit of a line's largest number by which it may differ if its call has such functions, since rounding
/// hides smaller changes.
const ROUNDING: f64 = 4.0;

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
    functions: Vec<(&'a Evaluation, Option<usize>)>,
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
        for (evaluation, length) in &self.functions {
            let name = format!("{}_{}", self.prefix, evaluation.name);
            // There are no arrays without entries.
            let given = evaluation
                .arguments
                .iter()
                .filter(|it| !it.numbers.is_empty());
            let given = given.map(|it| match it.is_number {
                true => format!("{:?}", it.numbers[0]),
                false => format!("(double[]){}", braces(&it.numbers)),
            });
            let given: Vec<String> = handed.iter().cloned().chain(given).collect();
            let (before, after) = match length {
                Some(length) => ("", format!("print_numbers(result, {length});")),
                None => ("result[0] = ", "print_numbers(result, 1);".to_owned()),
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
    print_numbers(q, {n}); print_numbers(v, {d});\n"
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
        for (evaluation, _) in &self.functions {
            let given = evaluation
                .arguments
                .iter()
                .map(|it| format!(", {}", it.javascript));
            let given: String = given.collect();
            writeln!(lines, "print_numbers({}(own{given}));", evaluation.name).expect("a string");
        }
        if let Some([q, v]) = self.step() {
            write!(
                lines,
                "const q = {q:?}, v = {v:?};\nstep(own, {TIME:?}, {STEP:?}, q, v);\nprint_numbers(q);\nprint_numbers(v);\n"
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
        for (evaluation, _) in &self.functions {
            let given = evaluation
                .arguments
                .iter()
                .filter(|it| !it.numbers.is_empty());
            let given = given.map(|it| match it.is_number {
                true => format!("{:?}", it.numbers[0]),
                false => vector(&it.numbers),
            });
            let given: Vec<String> = given.collect();
            writeln!(
                lines,
                "print_numbers(own.{}({}))",
                evaluation.name,
                given.join(", ")
            )
            .expect("a string");
        }
        if let Some([q, v]) = self.step() {
            let [q, v] = [q, v].map(|it| vector(it));
            write!(
                lines,
                "q, v = {q}, {v}\nown.step({TIME:?}, {STEP:?}, q, v)\nprint_numbers(q)\nprint_numbers(v)\n"
            )
            .expect("a string");
        }
        lines
    }

    /// Whether it calls functions whose last digit may differ.
    fn is_inexact(&self) -> bool {
        let is_called = |function: &&str| self.header.contains(&format!("{function}("));
        INEXACT.iter().any(is_called)
    }

    /// The printed lines in order.
    fn lines(&self) -> impl Iterator<Item = Line> {
        let line = |name: &str, numbers: Option<&Vec<f64>>| Line {
            name: format!("`{name}` of {}", self.case.call),
            expected: numbers.cloned(),
            is_inexact: self.is_inexact(),
            allowed: 0.0,
        };
        let functions = self.functions.iter();
        let mut lines: Vec<Line> = functions
            .map(|(it, _)| line(it.name, it.expected.as_ref()))
            .collect();
        if self.step().is_some() {
            lines.extend([line("step", None), line("step", None)]);
        }
        lines.into_iter()
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

/// A line of printed numbers.
struct Line {
    /// The function and the call.
    name: String,
    /// The expected numbers, if they are known.
    expected: Option<Vec<f64>>,
    /// Whether its call has functions whose last digit may differ.
    is_inexact: bool,
    /// How far each number may be from the expected one.
    allowed: f64,
}

/// Runs calls in all languages and describes the first difference of each line of numbers.
pub fn differences(room: &str, cases: &[Case]) -> Vec<String> {
    let exports = cases.iter().enumerate();
    let exports: Vec<Exports<'_>> = exports
        .map(|(number, case)| Exports::new(number, case))
        .collect();
    let lines: Vec<Line> = exports.iter().flat_map(Exports::lines).collect();
    if lines.is_empty() {
        return Vec::new();
    }
    // The languages run at the same time.
    let (c, others) = std::thread::scope(|scope| {
        let others = [in_javascript, in_python].map(|run| {
            let exports = &exports;
            scope.spawn(move || run(room, exports))
        });
        let c = in_c(room, &exports);
        (c, others.map(|it| it.join().expect("it runs")))
    });
    // Without a compiler of C nothing says how far the others may differ.
    let Some(c) = c else { return Vec::new() };
    let rows = rows(&c, of_c);
    assert_eq!(rows.len(), lines.len() * (1 + CHANGED_RUNS));
    let (plain, changed) = rows.split_at(lines.len());
    let mut differences = compared(plain, &lines, &C);
    let of_c = measured(lines, plain, changed);
    for (output, language) in others.iter().zip([&JAVASCRIPT, &PYTHON]) {
        if let Some(output) = output {
            let rows = rows_of(output);
            differences.extend(compared(&rows, &of_c, language));
        }
    }
    differences
}

/// The lines with the numbers of C, and how far others may be from them.
fn measured(lines: Vec<Line>, plain: &[Vec<f64>], changed: &[Vec<f64>]) -> Vec<Line> {
    let count = lines.len();
    let line = |(k, line): (usize, Line)| {
        let runs = changed.iter().skip(k).step_by(count);
        let changes = runs.flat_map(|run| run.iter().zip(&plain[k]).map(|(a, b)| (a - b).abs()));
        let largest = plain[k]
            .iter()
            .fold(0.0, |most: f64, it| most.max(it.abs()));
        let rounding = match line.is_inexact {
            true => ROUNDING * f64::EPSILON * largest,
            false => 0.0,
        };
        Line {
            allowed: MARGIN * changes.fold(0.0, f64::max) + rounding,
            expected: Some(plain[k].clone()),
            ..line
        }
    };
    lines.into_iter().enumerate().map(line).collect()
}

/// How to compare the numbers of a language.
struct Language {
    name: &'static str,
    /// Whether a number equals the expected one, or is as near as allowed.
    is_near: fn(f64, f64, f64) -> bool,
}

const C: Language = Language {
    name: "C",
    is_near: |found, expected, _| {
        found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan()
    },
};

const JAVASCRIPT: Language = Language {
    name: "JavaScript",
    is_near: |found, expected, allowed| {
        found.is_nan() && expected.is_nan()
            || found == expected
            || (found - expected).abs() <= allowed
    },
};

const PYTHON: Language = Language {
    name: "Python",
    ..JAVASCRIPT
};

/// The numbers of each line.
fn rows(output: &str, read: fn(&str) -> f64) -> Vec<Vec<f64>> {
    let row = |line: &str| line.split_whitespace().map(read).collect();
    output.lines().map(row).collect()
}

/// The same of decimal numbers.
fn rows_of(output: &str) -> Vec<Vec<f64>> {
    rows(output, |it| it.parse().expect("a number"))
}

/// What C prints: all lines as they are, then again for each time that last digits are changed.
fn in_c(room: &str, exports: &[Exports<'_>]) -> Option<String> {
    let headers: String = exports.iter().map(|it| it.header.as_str()).collect();
    let calls: String = exports.iter().map(Exports::in_c).collect();
    let changing = INEXACT.iter().map(|function| {
        // A macro is not expanded in itself.
        format!("#define {function}(...) changed({function}(__VA_ARGS__))\n")
    });
    let changing: String = changing.collect();
    let program = format!(
        "#include <float.h>
#include <math.h>
static int run;
static unsigned long long drawn;
static double changed(double x) {{
  drawn = drawn * 6364136223846793005ULL + 1442695040888963407ULL;
  return run == 0 ? x : x + (drawn >> 63 ? x : -x) * {CHANGE:?} * DBL_EPSILON;
}}
{changing}
{headers}
#include <stdio.h>
static void print_numbers(const double *values, int length) {{
  for (int i = 0; i < length; i++) printf(\"%a \", values[i]);
  printf(\"\\n\");
}}
static void compute(void) {{
  static double result[{MOST_NUMBERS}];
{calls}}}
int main(void) {{
  (void)changed(0.0);
  for (run = 0; run <= {CHANGED_RUNS}; run++) compute();
  return 0;
}}
"
    );
    run_at("-O0", &format!("everywhere-{room}"), &program)
}

fn in_javascript(room: &str, exports: &[Exports<'_>]) -> Option<String> {
    let scripts = exports.iter().map(Exports::in_javascript);
    let script = format!(
        "const flat = (it) => typeof it === 'number' ? [it] : Object.values(it).flatMap(flat);
const print_numbers = (it) => console.log(flat(it).join(' '));
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
def print_numbers(it):
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
fn compared(rows: &[Vec<f64>], lines: &[Line], language: &Language) -> Vec<String> {
    assert_eq!(rows.len(), lines.len());
    let name = language.name;
    let mut differences = Vec::new();
    for (found, line) in rows.iter().zip(lines) {
        let (what, Some(expected)) = (&line.name, &line.expected) else {
            continue;
        };
        if found.len() > expected.len() {
            differences.push(format!("{name}, {what}: {} numbers", found.len()));
            continue;
        }
        // Numbers that are only checked come before the result.
        let expected = &expected[expected.len() - found.len()..];
        let mut both = found.iter().zip(expected);
        let is_near = |it: &(&f64, &f64)| (language.is_near)(*it.0, *it.1, line.allowed);
        if let Some((found, expected)) = both.find(|it| !is_near(it)) {
            let allowed = line.allowed;
            differences.push(format!(
                "{name}, {what}: {found} for {expected}, {allowed} apart at most"
            ));
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

/// A step turns bodies whose moments differ into their own frames. The inputs are evaluated at velocities of the world.
#[test]
fn python_evaluates_inputs_at_velocities_of_the_world() {
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
