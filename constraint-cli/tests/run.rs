//! `constraint run`: the motions of what the macros write, found without a compiler; and every mistake on the way.

mod common;

use std::f64::consts::PI;
use std::path::PathBuf;

use common::{Run, constraint, given};
use constraint_runtime::prelude::*;

/// Runs a model, and reads the table that it writes.
fn motion(model: &str, arguments: &[&str]) -> (String, Table) {
    let name: String = format!("{model}{arguments:?}")
        .bytes()
        .fold(0u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
        .to_string();
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name + ".csv");
    let path = path.to_str().expect("a path");
    let arguments = [&["run", "-", "--csv", path], arguments].concat();
    let printed = given(model, arguments).printed();
    (printed, Table::read(path))
}

/// Numbers under their names.
struct Table {
    names: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl Table {
    fn read(path: &str) -> Table {
        let mut reader = csv::Reader::from_path(path).expect("a table");
        let names = reader.headers().expect("names").iter().map(str::to_owned);
        let names = names.collect();
        let number = |field: &str| field.parse().expect("a number");
        let rows = reader.records();
        let rows = rows.map(|row| row.expect("a row").iter().map(number).collect());
        Table {
            names,
            rows: rows.collect(),
        }
    }

    /// The last row of the numbers with these names.
    fn last(&self, names: &[&str]) -> Vec<f64> {
        let last = self.rows.last().expect("a row");
        let place = |name: &&str| self.names.iter().position(|it| it == name).expect("a name");
        names.iter().map(|name| last[place(name)]).collect()
    }
}

/// Compares relative to the largest entry.
#[track_caller]
fn close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    let scale = expected.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    for (a, b) in found.iter().zip(expected) {
        assert!(
            (a - b).abs() <= tolerance * scale,
            "{found:?}\n{expected:?}"
        );
    }
}

#[test]
fn the_parabola_runs_as_the_generated_one_does() {
    constraint! { struct Parabola; |x, y| x*x + 100*y }
    let bead = Particle::new(2.0).on(Parabola).under_gravity([0.0, 9.81]);
    let start = State::new(0.0, [-100.0, -100.0], [0.0, 0.0]);
    let mut run = Simulation::new(bead, start, Rk4::new(0.02)).unwrap();
    run.run_until(20.0).unwrap();
    let arguments = [
        "--mass",
        "2",
        "--gravity",
        "0,9.81",
        "--from",
        "x=-100,y=-100",
    ];
    let arguments = [&arguments[..], &["--until", "20", "--step", "0.02"]].concat();
    let (_, table) = motion("x*x + 100*y", &arguments);
    assert_eq!(table.rows.len(), 1001);
    let (q, v) = (run.state().q, run.state().v);
    close(&table.last(&["x", "y"]), q.as_slice(), 1e-12);
    close(&table.last(&["v_x", "v_y"]), v.as_slice(), 1e-12);
    close(&table.last(&["energy"]), &[run.energy()], 1e-12);
}

#[test]
fn the_readme_shows_what_is_printed() {
    let readme = include_str!("../README.md");
    let mut commands = readme
        .lines()
        .filter(|line| line.starts_with("constraint run"));
    let command = commands.next().expect("a command");
    let (command, _) = command.split_once(" #").expect("a remark");
    let words = command
        .split_whitespace()
        .skip(1)
        .collect::<Vec<_>>()
        .join(" ");
    // The one argument with spaces stands in quotes.
    let (before, rest) = words.split_once('\'').expect("a quote");
    let (equation, after) = rest.split_once('\'').expect("a quote");
    let [before, after] = [before, after].map(str::split_whitespace);
    let printed = constraint(before.chain([equation]).chain(after)).printed();
    let (_, shown) = readme.split_once("```text\n").expect("a block");
    let (shown, _) = shown.split_once("```").expect("its end");
    assert_eq!(printed, shown);
}

/// What the program reads and what the macros compile are one text.
const DOUBLE_PENDULUM: &str = "tests/models/double_pendulum.rs";

include!("models/double_pendulum.rs");

#[test]
fn the_double_pendulum_runs_as_the_generated_one_does() {
    let example = std::fs::read_to_string(DOUBLE_PENDULUM).expect("the example");
    let level = "upper_angle=PI/2,lower_angle=PI/2";
    let arguments = [
        "--only", "Angles", "--set", "l=0.5", "--from", level, "--until", "2",
    ];
    let (_, table) = motion(&example, &arguments);
    let start = State::new(0.0, [PI / 2.0, PI / 2.0], [0.0, 0.0]);
    let system = Angles {
        l: 0.5,
        ..Angles::default()
    };
    let mut run = Simulation::new(system, start, Rk4::new(2e-3)).unwrap();
    run.run_until(2.0).unwrap();
    close(
        &table.last(&["upper_angle", "lower_angle"]),
        run.state().q.as_slice(),
        1e-12,
    );

    let level = "upper.x=1,upper.y=0,lower.x=2,lower.y=0";
    let arguments = ["--only", "Rods", "--from", level, "--until", "2"];
    let (printed, table) = motion(&example, &arguments);
    let start = State::new(0.0, [1.0, 0.0, 2.0, 0.0], [0.0; 4]);
    let mut run = Simulation::new(Rods::default(), start, Rk4::new(2e-3)).unwrap();
    run.run_until(2.0).unwrap();
    let places = table.last(&["upper.x", "upper.y", "lower.x", "lower.y"]);
    close(&places, run.state().q.as_slice(), 1e-12);
    assert!(printed.contains("|C| at most "), "{printed}");
}

#[test]
fn a_bead_runs_along_a_curve_of_pieces() {
    curve! { struct Corner { r: Real } |s in -1..=1| if s < 0 { [r*s, r*s^2] } else { [r*s, r*s^2 + r*s^4] } }
    let model = "curve! { struct Corner { r: Real } |s in -1..=1| if s < 0 { [r*s, r*s^2] } else { [r*s, r*s^2 + r*s^4] } }";
    let bead = Particle::new(3.0).along(Corner { r: 2.0 });
    let bead = bead.under_gravity([0.0, -9.81]);
    let start = State::new(0.0, [-0.7], [0.0]);
    let mut run = Simulation::new(bead, start, Rk4::new(1e-3)).unwrap();
    run.run_until(1.0).unwrap();
    let arguments = [
        "--set",
        "r=2",
        "--mass",
        "3",
        "--gravity",
        "0,-9.81",
        "--from",
        "s=-0.7",
        "--until",
        "1",
    ];
    let (_, table) = motion(model, &arguments);
    close(&table.last(&["s"]), run.state().q.as_slice(), 1e-12);
    let place = run.system().position(run.state().q[0]);
    close(&table.last(&["r.x", "r.y"]), place.as_slice(), 1e-12);
}

#[test]
fn inputs_outputs_and_adaptive_steps() {
    let model =
        "struct Cart { m: Real = 2 } input push; coordinate x; particle p = [x, 0] { mass: m }
        force p: [push, 0]; output place = [2*x, 1]; output half = x/2;";
    let arguments = [
        "--set",
        "push=6",
        "--from",
        "x=1,v_x=-1",
        "--until",
        "2",
        "--tolerance",
        "1e-12",
    ];
    let (_, table) = motion(model, &arguments);
    // x = 1 − t + 3/2 t²
    close(&table.last(&["x", "v_x"]), &[5.0, 5.0], 1e-11);
    close(
        &table.last(&["place.x", "place.y", "half"]),
        &[10.0, 1.0, 2.5],
        1e-11,
    );
}

/// Rows that follow from each other, loops over families, and bodies: each by its invariants.
#[test]
fn what_is_solved_in_other_ways_runs_too() {
    let doubled = "#[redundant(least_squares)] struct Doubled { l: Real = 1 }
        particle bob: Point2 { mass: 1 }
        constraint rod: norm(bob) == l;
        constraint again: 3*norm(bob) == 3*l;
        potential 10*bob.y;";
    let single = "struct Single { l: Real = 1 } particle bob: Point2 { mass: 1 }
        constraint rod: norm(bob) == l; potential 10*bob.y;";
    let arguments = ["--from", "bob.x=1,bob.y=0", "--until", "1"];
    let [(_, doubled), (_, single)] = [doubled, single].map(|model| motion(model, &arguments));
    let names = ["bob.x", "bob.y", "v_bob.x", "v_bob.y"];
    close(&doubled.last(&names), &single.last(&names), 1e-9);

    let chain = |solver: &str| {
        format!(
            "#[solver({solver})] struct Chain {{ m: Real = 1, l: Real = 0.1 }}
            particle bead[8]: Point2 {{ mass: m }}
            constraint link[0]: norm(bead[0]) == l;
            for i in 1..8 {{ constraint link[i]: norm(bead[i] - bead[i - 1]) == l; }}
            for i in 0..8 {{ potential 10*m*bead[i].y; }}"
        )
    };
    let level: Vec<String> = (0..8)
        .map(|i| format!("bead[{i}].x=0.1*{},bead[{i}].y=0", i + 1))
        .collect();
    let level = level.join(",");
    let arguments = ["--from", &level, "--until", "0.3", "--project"];
    let [(_, rolled), (_, written)] =
        ["rolled", "unrolled"].map(|it| motion(&chain(it), &arguments));
    close(
        &rolled.last(&["bead[7].x", "bead[7].y"]),
        &written.last(&["bead[7].x", "bead[7].y"]),
        1e-9,
    );

    // Free of torque, a body turns about a principal axis at a constant rate: half a turn in π/2 at 2 rad/s.
    let body = "struct Top { m: Real = 1 } body a: Rigid3 { mass: m, inertia: [1, 2, 3] }";
    let arguments = [
        "--from",
        "a.x=0,a.y=0,a.z=0,omega_a.z=2",
        "--until",
        "1.5707963267948966",
    ];
    let (_, table) = motion(body, &arguments);
    close(
        &table.last(&["a.i", "a.j", "a.k", "a.w"]),
        &[0.0, 0.0, 1.0, 0.0],
        1e-9,
    );
}

#[test]
fn a_motion_is_drawn() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("drawn.svg");
    let file = path.to_str().expect("a path");
    let arguments = [
        "run",
        DOUBLE_PENDULUM,
        "--only",
        "Rods",
        "--until",
        "1",
        "--svg",
        file,
    ];
    let level = ["--from", "upper.x=1,upper.y=0,lower.x=2,lower.y=0"];
    constraint(arguments.into_iter().chain(level)).printed();
    let figure = std::fs::read_to_string(path).expect("a figure");
    assert!(figure.starts_with("<svg") && figure.trim_end().ends_with("</svg>"));
    for text in ["system Rods", "upper", "lower", "Change of the energy"] {
        assert!(figure.contains(text), "{text}");
    }
    assert!(!figure.contains(">\n-0\n"));
}

const PENDULUM: &str = "struct Pendulum { m: Real = 1, l: Real = 1 }
    particle bob: Point2 { mass: m } constraint rod: norm(bob) == l; potential 10*m*bob.y;";

fn refused(arguments: &[&str]) -> Run {
    let arguments = ["run", "-", "--until", "1"]
        .into_iter()
        .chain(arguments.iter().copied());
    given(PENDULUM, arguments)
}

#[test]
fn every_misuse_has_its_message() {
    let table: [(&[&str], i32, &str); 9] = [
        (
            &["--from", "bob.x=1"],
            2,
            "no value for the coordinate `bob.y`: give it by `--from bob.y=…`",
        ),
        (
            &[],
            2,
            "no value for the coordinates `bob.x` and `bob.y`: give it by `--from bob.x=…`",
        ),
        (
            &["--set", "mas=1"],
            2,
            "there is no parameter or input `mas`; there is `m` and `l`",
        ),
        (
            &["--from", "bbo.x=1"],
            2,
            "there is no coordinate or velocity `bbo.x`; did you mean `bob.x`?",
        ),
        (
            &["--from", "bob.x=1.5,bob.y=0"],
            2,
            "the start violates constraint `rod` by 0.5, ",
        ),
        (
            &["--from", "bob.x=1,bob.y=0,v_bob.x=1"],
            2,
            "the start leaves constraint `rod` at the rate 1, ",
        ),
        (
            &["--from", "bob.x=1,bob.y=0", "--set", "m=-1"],
            2,
            "mass -1 is not positive and finite",
        ),
        (
            &["--from", "bob.x=1,bob.y=0", "--gravity", "0,1"],
            2,
            "`--mass` and `--gravity` are for a constraint on points or a curve: ",
        ),
        (
            &["--from", "bob.x=0,bob.y=0", "--project"],
            2,
            "constraint `rod` is singular",
        ),
    ];
    for (arguments, code, message) in table {
        let run = refused(arguments);
        let expected = format!("error: {message}");
        assert!(
            run.errors.starts_with(&expected),
            "{expected}\n{}",
            run.errors
        );
        assert_eq!((run.code, run.output.as_str()), (code, ""), "{message}");
    }
    let run = refused(&["--from", "bob.x=1.5,bob.y=0"]);
    assert!(
        run.errors.contains("`--project` moves it there"),
        "{}",
        run.errors
    );
    let moved = refused(&["--from", "bob.x=1.5,bob.y=0", "--project"]);
    assert!(moved.printed().contains("largest change of the energy"));
}

#[test]
fn what_the_command_line_cannot_mean_is_said() {
    let table: [(&[&str], &str); 6] = [
        (&["--from", "x"], "`x` is no `name=value`"),
        (&["--from", "x=y"], "`y` is no number"),
        (&["--from", "x=1/0"], "`1/0` is no number"),
        (&["--step", "0"], "a positive number is wanted"),
        (&["--step", "1", "--tolerance", "1"], "cannot be used with"),
        (&["--mass", "-1"], "a positive number is wanted"),
    ];
    for (arguments, message) in table {
        let run = refused(arguments);
        assert!(run.errors.contains(message), "{message}\n{}", run.errors);
        assert_eq!(run.code, 2, "{message}");
    }
    assert_eq!(constraint(["run", "x - 1"]).code, 2);
}

#[test]
fn what_does_not_move_by_itself_is_said() {
    let table = [
        (
            "struct Pin; |a: Rigid2, b: Rigid2| at(a, [0, 1]) == at(b, [0, 1])",
            1,
            "a constraint between bodies does not move by itself",
        ),
        (
            "x^2 + y^2 == 1",
            2,
            "`--gravity` has 3 components, the particle 2 coordinates",
        ),
        (
            "system! { struct A { m: Real = 1 } particle p: Point2 { mass: m } } system! { struct B { m: Real = 1 } particle p: Point2 { mass: m } }",
            2,
            "one model is run at a time: say which by `--only`, of `A` and `B`",
        ),
    ];
    for (model, code, message) in table {
        let run = given(
            model,
            [
                "run",
                "-",
                "--until",
                "1",
                "--from",
                "x=1,y=0",
                "--gravity",
                "1,2,3",
            ],
        );
        assert!(
            run.errors.starts_with(&format!("error: {message}")),
            "{}",
            run.errors
        );
        assert_eq!(run.code, code, "{message}");
    }
}

/// A bead that leaves its curve: what was found until then is told, and why it ended.
#[test]
fn a_motion_that_ends_early_is_told_as_far_as_it_went() {
    let model = "curve! { struct Slope; |s in 0..=1| [s, -s] }";
    let run = given(
        model,
        [
            "run",
            "-",
            "--until",
            "10",
            "--gravity",
            "0,-10",
            "--from",
            "s=0",
        ],
    );
    assert_eq!(run.code, 1);
    assert!(
        run.output.contains("largest change of the energy"),
        "{}",
        run.output
    );
    assert!(run.errors.starts_with("error: "), "{}", run.errors);
}
