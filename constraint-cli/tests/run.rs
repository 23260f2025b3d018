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

    // 24 rods, whose matrix is eliminated in panels.
    let net = |solver: &str| {
        format!(
            "#[solver({solver})] struct Net {{ m: Real = 1 }}
            for i in 0..16 {{ particle bead[i]: Point2 {{ mass: m }} }}
            for i in 0..4 {{ for j in 0..3 {{
                constraint across[i][j]: norm(bead[4*i + j + 1] - bead[4*i + j]) == 0.1;
            }} }}
            for i in 0..12 {{ constraint down[i]: norm(bead[i + 4] - bead[i]) == 0.1; }}
            for i in 0..16 {{ potential i*bead[i].y; }}"
        )
    };
    let square: Vec<String> = (0..16)
        .map(|i| format!("bead[{i}].x=0.1*{},bead[{i}].y=0.1*{}", i % 4, i / 4))
        .collect();
    let square = square.join(",");
    let arguments = ["--from", &square, "--until", "0.1", "--project"];
    let [(_, rolled), (_, written)] = ["rolled", "unrolled"].map(|it| motion(&net(it), &arguments));
    let corners = ["bead[0].x", "bead[3].y", "bead[15].x", "bead[15].y"];
    close(&rolled.last(&corners), &written.last(&corners), 1e-9);

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
    assert!(!figure.contains(">-0<") && !figure.contains(">−0<") && !figure.contains("NaN"));
    // Curves are not made of whole pixels.
    let curve = figure
        .split(" d=\"")
        .max_by_key(|it| it.len())
        .expect("a curve");
    let numbers = curve.split(|c: char| !(c.is_ascii_digit() || c == '.'));
    let whole = numbers.filter(|it| it.ends_with(".0")).count();
    assert!(5 * whole < curve.matches('.').count(), "{curve}");
}

/// What moves in a figure: at each time its bars, each a list of places in pixels.
fn animated(model: &str, arguments: &[&str], name: &str) -> Vec<Vec<Vec<[f64; 2]>>> {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let file = path.to_str().expect("a path");
    given(model, [&["run", "-", "--svg", file], arguments].concat()).printed();
    let figure = std::fs::read_to_string(path).expect("a figure");
    let (_, values) = figure.split_once("attributeName=\"d\"").expect("bars");
    let (_, values) = values.split_once(" values=\"").expect("an animation");
    let (values, _) = values.split_once('"').expect("its end");
    let place = |text: &str| {
        let numbers = text.split(' ').map(|it| it.parse().expect("a number"));
        let numbers: Vec<f64> = numbers.collect();
        numbers.chunks(2).map(|it| [it[0], it[1]]).collect()
    };
    let bars = |picture: &str| {
        let bars = picture.split('M').skip(1);
        bars.map(|bar| place(&bar.replace('L', " "))).collect()
    };
    values.split(';').map(bars).collect()
}

fn length([[a, b], [c, d]]: [[f64; 2]; 2]) -> f64 {
    (a - c).hypot(b - d)
}

/// Bars keep their lengths while they move, and come back to what does not.
#[test]
fn mechanisms_move_in_their_figures() {
    let four_bar = "system! { struct FourBar { g: Real = 9.81 }
        particle p: Point2 { mass: 1 } particle q: Point2 { mass: 1 }
        constraint crank: norm(p) == 1; constraint coupler: norm(q - p) == 3;
        constraint rocker: norm(q - [3, 0]) == 2.5; gravity [0, -g]; }";
    let at = [
        "--project",
        "--until",
        "2",
        "--from",
        "p.x=0,p.y=1,q.x=2,q.y=2.2",
    ];
    let pictures = animated(four_bar, &at, "four_bar.svg");
    assert!(pictures.len() > 30);
    let first = &pictures[0];
    // Crank, coupler and rocker are 1, 3 and 2.5 long, and the pivots 3 apart.
    let sizes = |bars: &[Vec<[f64; 2]>]| -> Vec<f64> {
        let pairs = bars.iter().flat_map(|bar| bar.windows(2));
        let mut sizes: Vec<f64> = pairs.map(|pair| length([pair[0], pair[1]])).collect();
        sizes.sort_by(f64::total_cmp);
        sizes
    };
    let unit = sizes(first)[0];
    for picture in &pictures {
        let sizes: Vec<f64> = sizes(picture).iter().map(|it| it / unit).collect();
        let expected = [1.0, 2.5, 3.0];
        assert!(sizes.len() == 3, "{sizes:?}");
        assert!(
            sizes
                .iter()
                .zip(expected)
                .all(|(a, b)| (a - b).abs() < 1e-2),
            "{sizes:?}"
        );
    }
    let moved = pictures.iter().any(|it| it != first);
    assert!(moved, "{first:?}");
}

/// A pendulum told by its angle, and one of two bodies, have their bars too.
#[test]
fn angles_and_bodies_have_bars() {
    let angle = "system! { struct Pendulum { l: Real = 1 } coordinate a;
        particle bob = [l*sin(a), -l*cos(a)] { mass: 1 } gravity [0, -10]; }";
    let pictures = animated(angle, &["--until", "1", "--from", "a=1"], "angle.svg");
    let bar = |k: usize| [pictures[k][0][0], pictures[k][0][1]];
    let last = pictures.len() - 1;
    assert!(
        (length(bar(0)) - length(bar(last))).abs() < 0.3,
        "{pictures:?}"
    );

    let arm = "system! { struct Arm { }
        body a: Rigid2 { mass: 1, inertia: 0.1 } body b: Rigid2 { mass: 1, inertia: 0.1 }
        constraint pin: at(a, [0, 0.5]) == [0, 0];
        constraint elbow: at(a, [0, -0.5]) == at(b, [0, 0.5]); gravity [0, -10]; }";
    let from = "a.x=0.5,a.y=0,b.x=1.5,b.y=0,a.re=0,a.im=1,b.re=0,b.im=1";
    let pictures = animated(
        arm,
        &["--project", "--until", "1", "--from", from],
        "arm.svg",
    );
    // From each centre to each place where it is held: three halves of a unit.
    let pairs = |picture: &Vec<Vec<[f64; 2]>>| -> Vec<f64> {
        let pairs = picture.iter().flat_map(|bar| bar.windows(2));
        pairs.map(|pair| length([pair[0], pair[1]])).collect()
    };
    let unit = pairs(&pictures[0])[0];
    for picture in &pictures {
        let pairs = pairs(picture);
        assert!(pairs.len() == 3, "{picture:?}");
        assert!(pairs.iter().all(|it| (it - unit).abs() < 0.3), "{pairs:?}");
    }
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
    let table: [(&[&str], i32, &str); 10] = [
        (
            &["--from", "bob.x=0,bob.y=0"],
            2,
            "constraint `rod` has no gradient at the start, ",
        ),
        (
            &["--from", "bob.x=1"],
            2,
            "no value for the coordinate `bob.y`: set it with `--from bob.y=…`",
        ),
        (
            &[],
            2,
            "no value for the coordinates `bob.x` and `bob.y`: set it with `--from bob.x=…`",
        ),
        (
            &["--set", "mas=1"],
            2,
            "there is no parameter or input `mas`; known: `m` and `l`",
        ),
        (
            &["--from", "bbo.x=1"],
            2,
            "there is no coordinate or velocity `bbo.x`; did you mean `bob.x`?",
        ),
        (
            &["--from", "bob.x=1.5,bob.y=0"],
            2,
            "the start violates constraint `rod` by 0.5 (allowed: ",
        ),
        (
            &["--from", "bob.x=1,bob.y=0,v_bob.x=1"],
            2,
            "the start violates the rate of constraint `rod` by 1 (allowed: ",
        ),
        (
            &["--from", "bob.x=1,bob.y=0", "--set", "m=-1"],
            2,
            "mass -1 is not positive and finite",
        ),
        (
            &["--from", "bob.x=1,bob.y=0", "--gravity", "0,1"],
            2,
            "`--mass` and `--gravity` are for constraints on points and curves; ",
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
        run.errors
            .contains("`--project` moves it onto the constraint"),
        "{}",
        run.errors
    );
    let moved = refused(&["--from", "bob.x=1.5,bob.y=0", "--project"]);
    assert!(moved.printed().contains("largest change of the energy"));
}

#[test]
fn what_the_command_line_cannot_mean_is_said() {
    let table: [(&[&str], &str); 6] = [
        (&["--from", "x"], "expected `name=value`, found `x`"),
        (&["--from", "x=y"], "`y` is not a number"),
        (&["--from", "x=1/0"], "`1/0` is not a number"),
        (&["--step", "0"], "expected a positive number"),
        (&["--step", "1", "--tolerance", "1"], "cannot be used with"),
        (&["--mass", "-1"], "expected a positive number"),
    ];
    for (arguments, message) in table {
        let run = refused(arguments);
        assert!(run.errors.contains(message), "{message}\n{}", run.errors);
        assert_eq!(run.code, 2, "{message}");
    }
    assert_eq!(constraint(["run", "x - 1"]).code, 2);
}

/// Names and an order mean the same field; what is not named is zero.
#[test]
fn gravity_is_read_by_name_or_in_the_order_of_the_coordinates() {
    let fall = |model: &str, gravity: &str, from: &str, names: &[&str]| {
        let arguments = ["--gravity", gravity, "--from", from, "--until", "0.5"];
        motion(model, &arguments).1.last(names)
    };
    // y appears first, and x comes first all the same: a bead at rest on y = x² slides down, towards x = 0.
    let [named, ordered] =
        ["y=-9.81", "0,-9.81"].map(|it| fall("y == x^2", it, "x=1,y=1", &["x", "y"]));
    assert_eq!(named, ordered);
    assert!(0.0 < named[0] && named[0] < 1.0, "{named:?}");
    close(&[named[1]], &[named[0].powi(2)], 1e-9);
    // One name for all points, or one for each.
    let rod = "|a: Point2, b: Point2| norm(b - a) == 1";
    let from = "a.x=0,a.y=0,b.x=1,b.y=0";
    let names = ["a.y", "b.y", "b.x"];
    let [all, each] = ["y=-10", "b.y=-10,a.y=-10"].map(|it| fall(rod, it, from, &names));
    assert_eq!(all, each);
    // Free fall: 10/2 · 0.5².
    close(&all, &[-1.25, -1.25, 1.0], 1e-12);
    let bowl = "curve! { struct Bowl; |s in -1..=1| [s, s^2] }";
    let [named, ordered] = ["y=-9.81", "0,-9.81"].map(|it| fall(bowl, it, "s=0.5", &["s"]));
    assert_eq!(named, ordered);
}

#[test]
fn a_number_is_set_once_and_a_field_is_of_one_kind() {
    let from = ["--from", "bob.x=1,bob.y=0"];
    let table: [(&[&str], &str); 3] = [
        (
            &["--set", "m=1", "--set", "m=2"],
            "the parameter `m` is set twice",
        ),
        (
            &["--from", "bob.x=1"],
            "the coordinate `bob.x` is set twice",
        ),
        (&["--from", "bob=1"], "the coordinate `bob.x` is set twice"),
    ];
    for (arguments, message) in table {
        let run = refused(&[&from, arguments].concat());
        assert!(
            run.errors.starts_with(&format!("error: {message}")),
            "{}",
            run.errors
        );
        assert_eq!((run.code, run.output.as_str()), (2, ""), "{message}");
    }
    // All of an array, then an element of it.
    assert_eq!(refused(&["--from", "bob=0.6,bob.y=0.8"]).code, 0);
    let table = [
        ("y=1,x=0,y=2", "the component of gravity `y` is set twice"),
        (
            "y=1,2",
            "`--gravity` mixes components with and without names: give all of `x` and `y` in this order, or some by name, `y=-9.81`",
        ),
        (
            "1",
            "`--gravity` has 1 components, but the particle has 2 coordinates: give all of `x` and `y` in this order, ",
        ),
        (
            "w=1",
            "there is no component of gravity `w`; known: `x` and `y`",
        ),
    ];
    for (gravity, message) in table {
        let arguments = [
            "run",
            "-",
            "--until",
            "1",
            "--from",
            "x=1,y=0",
            "--gravity",
            gravity,
        ];
        let run = given("x^2 + y^2 == 1", arguments);
        assert!(
            run.errors.starts_with(&format!("error: {message}")),
            "{}",
            run.errors
        );
        assert_eq!(run.code, 2, "{message}");
    }
    let point = [
        "run",
        "-",
        "--until",
        "1",
        "--from",
        "p.x=1,p.y=0",
        "--gravity",
        "p=-9.81",
    ];
    let run = given("|p: Point2| norm(p) == 1", point);
    assert!(
        run.errors
            .starts_with("error: there is no component of gravity `p`")
            && run.errors.contains("`p.x`")
            && run.errors.contains("`p.y`")
            && run.code == 2,
        "{}",
        run.errors
    );
    let run = given(
        "x^2 + y^2 == 1",
        ["run", "-", "--until", "1", "--gravity", "y=z"],
    );
    assert!(
        run.errors.contains("`z` is not a number") && run.code == 2,
        "{}",
        run.errors
    );
}

/// So many steps that their number has not enough digits: an error at once.
#[test]
fn steps_that_lead_nowhere_are_refused() {
    for step in ["1e-300", "1e-17", "4e-324"] {
        let run = refused(&["--from", "bob.x=1,bob.y=0", "--step", step]);
        assert!(
            run.errors.contains(" are too short for times up to 1, "),
            "{}",
            run.errors
        );
        assert_eq!((run.code, run.output.as_str()), (2, ""), "{step}");
    }
}

/// Every hundredth step is the same, and the last is there.
#[test]
fn steps_are_recorded_as_often_as_is_asked_for() {
    let from = [
        "--from",
        "bob.x=1,bob.y=0",
        "--until",
        "1",
        "--step",
        "0.004",
    ];
    let (_, all) = motion(PENDULUM, &from);
    let (printed, some) = motion(PENDULUM, &[&from[..], &["--every", "100"]].concat());
    assert!(printed.contains(": 250 steps, t = 0 to 1"), "{printed}");
    let expected = [0, 100, 200, 250].map(|step| all.rows[step].clone());
    assert_eq!(some.rows, expected);
    assert_eq!(refused(&["--every", "0"]).code, 2);
}

/// Whoever reads only the beginning of a table has all that was asked for, as of every other output.
#[cfg(unix)]
#[test]
fn a_table_that_is_read_no_further_is_no_mistake() {
    use std::io::Read;
    use std::process::{Command, Stdio};
    let mut command = Command::new(env!("CARGO_BIN_EXE_constraint"));
    let model = ["run", PENDULUM, "--from", "bob.x=1,bob.y=0", "--until", "1"];
    let command = command
        .args(model)
        .args(["--step", "1e-4", "--csv", "/dev/stdout"]);
    let pipes = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().expect("the program");
    let mut first = [0; 2];
    let mut output = child.stdout.take().expect("a pipe");
    output.read_exact(&mut first).expect("a beginning");
    drop(output);
    let done = child.wait_with_output().expect("its end");
    assert_eq!(String::from_utf8_lossy(&done.stderr), "");
    assert_eq!((done.status.code(), &first), (Some(0), b"t,"));
}

/// The first and the last place of a bead in its figure, in pixels from above.
fn heights(model: &str, arguments: &[&str], name: &str) -> [f64; 2] {
    let pictures = animated(model, arguments, name);
    [&pictures[0], &pictures[pictures.len() - 1]].map(|it| it[0][0][1])
}

/// The text of a figure.
fn labels(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::read_to_string(path).expect("a figure")
}

/// A bead that is let go falls, whichever way its field points.
#[test]
fn what_falls_is_drawn_falling() {
    let table = [
        ("x^2 + 100*y", "y=9.81", "x=-100,y=-100", "y, downwards"),
        ("x^2 + 100*y", "y=-9.81", "x=-100,y=-100", "y"),
        ("x^2 + 100*y", "x=-9.81", "x=-100,y=-100", "x"),
        ("x^2 + y^2 == 1", "x=9.81", "x=0,y=1", "x, downwards"),
        (
            "|p: Point3| norm(p) == 1",
            "z=9.81",
            "p.x=1,p.y=0,p.z=0",
            "−z upwards",
        ),
        (
            "|p: Point3| norm(p) == 1",
            "y=-9.81",
            "p.x=1,p.y=0,p.z=0",
            "y upwards",
        ),
    ];
    for (number, (model, gravity, from, label)) in table.into_iter().enumerate() {
        let name = format!("falling{number}.svg");
        let arguments = ["--until", "0.2", "--gravity", gravity, "--from", from];
        let [first, last] = heights(model, &arguments, &name);
        assert!(last > first, "{gravity}: from {first} to {last}");
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let figure = std::fs::read_to_string(path).expect("a figure");
        assert!(figure.contains(&format!(">{label}<")), "{label}");
    }
}

/// A system says itself where it falls: by `gravity`, by a potential or by a force; a spring or an input says nothing.
#[test]
fn a_system_is_drawn_falling_along_its_own_gravity() {
    let bob = |acts: &str| {
        format!("struct Bob {{ g: Real = 9.81 }} particle p: Point2 {{ mass: 2 }} {acts}")
    };
    let ball = |acts: &str| {
        format!(
            "struct Ball {{ g: Real = 9.81 }} body p: Rigid3 {{ mass: 2, inertia: [1, 1, 1] }} {acts}"
        )
    };
    let angle = "struct Rod { g: Real = 9.81 } coordinate a; gravity [0, g]; particle p = [sin(a), cos(a)] { mass: 1 }";
    let driven = "struct Bob; input g; particle p: Point2 { mass: 2 } gravity [g, 0];";
    let pair = "struct Pair; particle p: Point2 { mass: 1 } particle r: Point2 { mass: 3 }
        potential -9.81*(p.x + 3*r.x) + (norm(p - r) - 1)^2;";
    let table = [
        (bob("gravity [0, g];"), "p.x=0,p.y=0", "y, downwards"),
        (bob("gravity [0, -g];"), "p.x=0,p.y=0", "y"),
        (bob("gravity [-g, 0];"), "p.x=0,p.y=0", "x"),
        (bob("potential -2*g*p.y;"), "p.x=0,p.y=0", "y, downwards"),
        (bob("force p: [2*g, 0];"), "p.x=0,p.y=0", "x, downwards"),
        (
            ball("gravity [0, -g, 0];"),
            "p.x=0,p.y=0,p.z=0",
            "y upwards",
        ),
        (
            ball("force p: [0, 0, 2*g];"),
            "p.x=0,p.y=0,p.z=0",
            "−z upwards",
        ),
        (angle.to_owned(), "a=2", "y, downwards"),
        (pair.to_owned(), "p.x=0,p.y=0,r.x=0,r.y=2", "x, downwards"),
    ];
    for (number, (model, from, label)) in table.iter().enumerate() {
        let name = format!("own_gravity{number}.svg");
        let arguments = ["--until", "0.2", "--from", from];
        let [first, last] = heights(model, &arguments, &name);
        assert!(last > first, "{model}: from {first} to {last}");
        assert!(
            labels(&name).contains(&format!(">{label}<")),
            "{model}: {label}"
        );
    }
    let driven_along = [
        "--until",
        "0.2",
        "--set",
        "g=-9.81",
        "--from",
        "p.x=0,p.y=0",
    ];
    let [first, last] = heights(driven, &driven_along, "driven_gravity.svg");
    assert!(last > first, "from {first} to {last}");
    let level = [
        (bob("potential 50*(p.x - 9)^2;"), &[][..]),
        (
            "struct Bob; input u; particle p: Point2 { mass: 2 } force p: [u, 0];".to_owned(),
            &["--set", "u=7"][..],
        ),
    ];
    for (model, set) in level {
        let arguments = [&["--until", "0.2", "--from", "p.x=0,p.y=0"], set].concat();
        heights(&model, &arguments, "level.svg");
        let figure = labels("level.svg");
        assert!(figure.contains(">x<") && figure.contains(">y<"), "{model}");
    }
}

/// Axes have the names that the model gives its coordinates.
#[test]
fn axes_are_called_as_the_coordinates_are() {
    let arguments = [
        "--until",
        "0.2",
        "--gravity",
        "h=-9.81",
        "--from",
        "u=0.6,h=0.8",
    ];
    let [first, last] = heights("|u, h| u^2 + h^2 == 1", &arguments, "named_axes.svg");
    assert!(last > first, "from {first} to {last}");
    let figure = labels("named_axes.svg");
    assert!(figure.contains(">u<") && figure.contains(">h<"));
    assert!(!figure.contains(">x<") && !figure.contains(">y<"));
}

#[test]
fn what_does_not_move_by_itself_is_said() {
    let table = [
        (
            "struct Pin; |a: Rigid2, b: Rigid2| at(a, [0, 1]) == at(b, [0, 1])",
            1,
            "a constraint between bodies cannot be simulated on its own",
        ),
        (
            "x^2 + y^2 == 1",
            2,
            "`--gravity` has 3 components, but the particle has 2 coordinates",
        ),
        (
            "system! { struct A { m: Real = 1 } particle p: Point2 { mass: m } } system! { struct B { m: Real = 1 } particle p: Point2 { mass: m } }",
            2,
            "there are several models: choose one with `--only` from `A` and `B`",
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

/// A run that leaves the domain of a function ends with an error that names the expression, and speaks of no steps.
#[test]
fn what_ends_a_run_at_a_corner_is_named() {
    let track = "curve! { struct Track; |s in -1..=2| [s, powf(s, 2.5)] }";
    for (model, start, named) in [
        (
            "y == powf(x, 2.5)",
            "x=1,y=1,v_x=-1,v_y=-2.5",
            "x > 0 does not hold in the constraint",
        ),
        (track, "s=1,s_dot=-1", "s > 0 does not hold in the curve"),
    ] {
        let arguments = [
            "run", "-", "--from", start, "--until", "10", "--step", "0.01",
        ];
        let run = given(model, arguments);
        assert_eq!(run.code, 1, "{}", run.errors);
        assert!(run.errors.contains(named), "{}", run.errors);
        assert!(!run.errors.contains("step"), "{}", run.errors);
    }
}
