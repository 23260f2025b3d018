//! Every option that `--help` or the book names is run: what it does is asserted here, and an option without a case fails.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use common::{Run, constraint};

const SYSTEM: &str = "system! { struct Pendulum { l: Real = 1 } particle bob: Point2 { mass: 1 } \
    gravity [0, -9.81]; constraint rod: norm(bob) == l; }";
const TWO: &str = "constraint! { struct A; |x| x - 1 } constraint! { struct B; |x| x - 2 }";
const BEAD: &str = "y == x^2";
const FALL: [&str; 6] = ["run", BEAD, "--from", "x=1,y=1", "--until", "0.1"];

/// Three links on hinges, the first at a rounded quarter turn.
fn robot() -> String {
    let link = |name: &str| {
        format!(
            "<link name=\"{name}\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" \
             izz=\"1\"/></inertial></link>"
        )
    };
    let joint = |[name, parent, child, place]: [&str; 4]| {
        format!(
            "<joint name=\"{name}\" type=\"continuous\"><parent link=\"{parent}\"/><child link=\"{child}\"/>\
             <origin xyz=\"{place}\" rpy=\"1.5708 0 0\"/><axis xyz=\"0 0 1\"/></joint>"
        )
    };
    let links: String = ["base", "a", "b", "c"].map(link).concat();
    let joints = [
        ["shoulder", "base", "a", "0 0 0"],
        ["elbow", "a", "b", "1 0 0"],
        ["wrist", "b", "c", "0 1 0"],
    ];
    format!(
        "<robot name=\"arm\">{links}{}</robot>",
        joints.map(joint).concat()
    )
}

/// A loop, in a file of its own.
const LOOPS: &str = "<robot name=\"arm\"><loop_joint name=\"close\" type=\"spherical\"><link1 link=\"c\" xyz=\"1 0 0\"/>\
    <link2 link=\"base\" xyz=\"0 1 1\"/></loop_joint></robot>";

/// A subcommand with its options, and the expected result: a part of the output, or of the written file; after `^` its
/// beginning.
struct Case {
    words: Vec<&'static str>,
    expected: &'static str,
}

fn case(words: &[&[&'static str]], expected: &'static str) -> Case {
    Case {
        words: words.concat(),
        expected,
    }
}

/// In words, `FILE` is a new file, which is read instead of the output; `ROBOT` and `LOOPS` are files with these texts.
fn cases() -> Vec<Case> {
    let fall = &FALL[..];
    let import = &["import", "ROBOT"][..];
    let mut cases = vec![
        case(&[&["explain", TWO, "--only", "B"]], "constraint B"),
        case(&[&["explain", BEAD, "--latex"]], "\\documentclass"),
        case(&[&["explain", BEAD, "--latex", "--fragment"]], "^\\section"),
        case(&[&["explain", BEAD, "--html"]], "<html"),
        case(&[&["explain", BEAD, "--html", "--fragment"]], "^<h1>"),
        case(&[&["explain", BEAD, "--markdown"]], "## "),
        case(&[&["explain", BEAD, "--json"]], "\"title\""),
        case(&[&["explain", BEAD, "--output", "FILE"]], "C = "),
        case(
            &[&["check", TWO, "--only", "B"]],
            "constraint B: 1 coordinate",
        ),
        case(&[&["expand", TWO, "--only", "B"]], "for B"),
        case(&[&["expand", BEAD, "--whole"]], "derivation_mathml!"),
        case(&[&["expand", BEAD, "--output", "FILE"]], "fn value"),
        case(&[&["export", "--c", TWO, "--only", "B"]], "b_value("),
        case(
            &[&["export", "--c", SYSTEM]],
            "static inline void pendulum_step(",
        ),
        case(&[&["export", "--c", SYSTEM, "--f32"]], "float t"),
        case(
            &[&["export", "--c", SYSTEM, "--library"]],
            "\nvoid pendulum_step(",
        ),
        case(
            &[&["export", "--c", SYSTEM, "--library", "--f32"]],
            "\nvoid pendulum_step(const Pendulum *self, float t",
        ),
        case(
            &[&["export", "--c", SYSTEM, "--library", "--header", "FILE"]],
            "#ifndef PENDULUM_H",
        ),
        case(
            &[&["export", "--cuda", SYSTEM]],
            "__global__ void pendulum_run(",
        ),
        case(&[&["export", "--cuda", "--f32", SYSTEM]], "float *q"),
        case(&[&["export", "--wgsl", SYSTEM]], "fn pendulum_run("),
        case(&[&["export", "--js", SYSTEM]], "function step(self, "),
        case(&[&["export", "--js", "--module", SYSTEM]], "export { "),
        case(&[&["export", "--python", SYSTEM]], "class Pendulum:"),
        case(
            &[&["export", "--python", "--module", SYSTEM]],
            "class Pendulum:",
        ),
        case(
            &[&["export", "--js", SYSTEM, "--output", "FILE"]],
            "function acceleration",
        ),
        case(&[import], "struct Arm"),
        case(&[import, &["--name", "Robot"]], "struct Robot"),
        case(&[import, &["--floating"]], "body base: Rigid3"),
        case(&[import, &["--parameters"]], "pub a_mass: Real = 1"),
        case(&[import, &["--fix", "shoulder"]], "with 2 joints"),
        case(&[import, &["--exact-numbers", "no"]], "[1, 0, 0], 1.5708)"),
        case(&[import, &["--exact-numbers", "yes"]], "[1, 0, 0], PI/2)"),
        case(&[import, &["--check"]], "compared with the file at 20"),
        case(&[import, &["--loops", "LOOPS"]], "constraint "),
        case(&[import, &["--output", "FILE"]], "struct Arm"),
        case(&[fall], "Runge–Kutta of order 4"),
        case(
            &[&["run", TWO, "--only", "B", "--from", "x=2", "--until", "1"]],
            "constraint B",
        ),
        case(
            &[&[
                "run",
                SYSTEM,
                "--set",
                "l=2",
                "--from",
                "bob.x=2,bob.y=0",
                "--until",
                "0.1",
            ]],
            "bob.x",
        ),
        case(&[fall, &["--step", "0.01"]], "in steps of 0.01: 10 steps"),
        case(&[fall, &["--tolerance", "1e-6"]], "Dormand"),
        case(
            &[&[
                "run",
                BEAD,
                "--from",
                "x=1,y=1.1",
                "--until",
                "0.1",
                "--project",
            ]],
            "1.03937",
        ),
        case(&[fall, &["--mass", "2", "--gravity", "y=-9.81"]], "19.62"),
        case(&[fall, &["--every", "10", "--csv", "FILE"]], "t,"),
        case(&[fall, &["--svg", "FILE"]], "<svg"),
        case(&[&["completions", "bash"]], "_constraint"),
    ];
    cases
        .iter_mut()
        .for_each(|it| it.words.retain(|it| !it.is_empty()));
    cases
}

/// The words of a case, with the path of its file.
fn words(case: &Case, number: usize) -> (Vec<String>, Option<PathBuf>) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("options");
    fs::create_dir_all(&folder).expect("the target directory takes files");
    let file = folder.join(number.to_string());
    _ = fs::remove_file(&file);
    let written = |name: &str, text: &str| {
        let file = folder.join(format!("{number}_{name}"));
        fs::write(&file, text).expect("the folder takes files");
        file.to_str().expect("a path").to_owned()
    };
    let place = |word: &&str| match *word {
        "FILE" => file.to_str().expect("a path").to_owned(),
        "ROBOT" => written("arm.urdf", &robot()),
        "LOOPS" => written("loops.urdf", LOOPS),
        word => word.to_owned(),
    };
    let writes = case.words.contains(&"FILE");
    (
        case.words.iter().map(place).collect(),
        writes.then_some(file),
    )
}

#[test]
fn every_option_does_what_it_says() {
    let mut wrong = String::new();
    for (number, case) in cases().iter().enumerate() {
        let (words, file) = words(case, number);
        let Run {
            code,
            output,
            errors,
        } = constraint(&words);
        let written = file.map(|it| fs::read_to_string(it).unwrap_or_default());
        let text = written.unwrap_or(output + &errors);
        let is_right = match case.expected.strip_prefix('^') {
            Some(start) => text.starts_with(start),
            None => text.contains(case.expected),
        };
        if code != 0 || !is_right {
            let begin: String = text.chars().take(300).collect();
            wrong += &format!("{words:?}, {:?}: {errors}{begin}\n\n", case.expected);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The long options in a text.
fn options(text: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let words = text.split(|c| !is_part(c));
    let long = words.filter(|it| it.len() > 3 && it.starts_with("--") && !it.starts_with("---"));
    long.map(str::to_owned).collect()
}

/// The options of a subcommand, by its help.
fn offered(command: &str) -> BTreeSet<String> {
    let help = constraint(["help", command]).printed();
    let lines = help.lines().filter(|it| it.trim_start().starts_with('-'));
    let mut found: BTreeSet<String> = lines.flat_map(options).collect();
    found.remove("--help");
    found
}

const COMMANDS: [&str; 7] = [
    "explain",
    "check",
    "expand",
    "export",
    "import",
    "run",
    "completions",
];

#[test]
fn every_option_has_a_case() {
    let cases = cases();
    for command in COMMANDS {
        let own = cases.iter().filter(|it| it.words[0] == command);
        let run: BTreeSet<String> = own.flat_map(|it| options(&it.words.join(" "))).collect();
        assert_eq!(run, offered(command), "{command}");
    }
    let help = constraint(["help"]).printed();
    let listed = help
        .lines()
        .skip_while(|it| !it.starts_with("Commands"))
        .skip(1);
    let listed = listed
        .take_while(|it| !it.is_empty())
        .filter_map(|it| it.split_whitespace().next());
    let listed: BTreeSet<&str> = listed
        .filter(|it| COMMANDS.contains(it) || *it != "help")
        .collect();
    let known: BTreeSet<&str> = COMMANDS.into();
    assert!(known.is_subset(&listed), "{listed:?}");
}

/// Every option in a line of the book that calls a subcommand is one of that subcommand, and has a case.
#[test]
fn every_option_of_the_book_is_offered() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    // A packed crate does not contain the book.
    let Ok(pages) = book.read_dir() else { return };
    let mut seen = 0;
    for page in pages {
        let path = page.expect("an entry").path();
        if path.extension().is_none_or(|it| it != "md") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a page");
        for line in text.lines() {
            for command in COMMANDS {
                let Some((_, rest)) = line.split_once(&format!("constraint {command} ")) else {
                    continue;
                };
                let unknown: Vec<String> = options(rest)
                    .difference(&offered(command))
                    .cloned()
                    .collect();
                assert!(
                    unknown.is_empty(),
                    "{}: {unknown:?} in {line}",
                    path.display()
                );
                seen += options(rest).len();
            }
        }
    }
    assert!(seen > 20, "{seen}");
}

/// Every option that the text of the book names in a code span of its own, as `--whole`, is one of a subcommand, or of the
/// program of `examples/sweep`.
#[test]
fn every_option_in_the_text_of_the_book_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let Ok(pages) = root.join("docs").read_dir() else {
        return;
    };
    let sweep = fs::read_to_string(root.join("examples/sweep/src/main.rs")).expect("the sweep");
    // Its options are the fields of a struct.
    let fields = sweep
        .lines()
        .filter_map(|it| it.strip_prefix("    ")?.split_once(": "));
    let fields = fields.map(|(name, _)| format!("--{}", name.replace('_', "-")));
    let mut known: BTreeSet<String> = fields.collect();
    known.extend(COMMANDS.into_iter().flat_map(offered));
    let pages = pages.map(|it| it.expect("an entry").path());
    let pages = pages.filter(|it| it.extension().is_some_and(|it| it == "md"));
    let mut seen = 0;
    for path in pages.chain([
        root.join("README.md"),
        root.join("constraint-cli/README.md"),
    ]) {
        let text = fs::read_to_string(&path).expect("a page");
        let spans = text
            .split('`')
            .filter(|it| it.starts_with("--") && !it.contains('\n'));
        let named: BTreeSet<String> = spans.flat_map(options).collect();
        let unknown: Vec<&String> = named.difference(&known).collect();
        assert!(unknown.is_empty(), "{}: {unknown:?}", path.display());
        seen += named.len();
    }
    assert!(seen > 25, "{seen}");
}

#[test]
fn options_without_a_meaning_together_are_refused() {
    for words in [
        &["export", "--c", "--module", BEAD][..],
        &["export", "--js", "--library", BEAD],
        &["export", "--c", "--header", "x.h", BEAD],
        &["export", "--python", "--f32", BEAD],
    ] {
        assert_eq!(constraint(words).code, 2, "{words:?}");
    }
}
