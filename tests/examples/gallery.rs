//! The book's gallery: every example with its figure, what it shows and a link to its source; and the figures themselves.

use std::collections::BTreeSet;
use std::fs;

use crate::figures::{compare, faults};

#[path = "../../constraint-cli/src/run/plot/mod.rs"]
mod plot;

/// A group of examples: its title, and paths with what their results are checked against.
type Group = (&'static str, &'static [(&'static str, &'static str)]);

const GROUPS: [Group; 6] = [
    (
        "Beads and tracks",
        &[
            (
                "examples/bead_on_parabola.rs",
                "Lagrange's equation by hand ([output](first_minutes.md#from-an-equation-to-a-running-bead))",
            ),
            (
                "examples/spinning_hoop.rs",
                "equilibria, the Jacobi integral and the reduced equation",
            ),
            (
                "examples/spring_beads.rs",
                "the published equations ([output](coordinates.md#two-beads-on-one-wire))",
            ),
            (
                "examples/flight.rs",
                "closed forms: the ride with friction, where it leaves and lands, the impact",
            ),
            (
                "examples/with_crates/src/bin/roller_coaster.rs",
                "the conserved energy",
            ),
            ("examples/tautochrone.rs", "the descent time π √(r/g)"),
            ("examples/optimal_track.rs", "the cycloid"),
        ],
    ),
    (
        "Pendulums and chains",
        &[
            (
                "examples/pendulum.rs",
                "λ in closed form and the elliptic integral",
            ),
            (
                "examples/double_pendulum.rs",
                "equations by hand, normal modes, and a run whose start differs by rounding",
            ),
            (
                "examples/hanging_chain.rs",
                "tensions, Laguerre's frequencies, and a falling end that is faster than free fall",
            ),
            (
                "examples/chain_modes.rs",
                "the zeros of Laguerre's polynomial",
            ),
            ("examples/stiff_bushing.rs", "explicit steps"),
            (
                "examples/with_crates/src/bin/pendulum_table.rs",
                "energy and angular momentum",
            ),
        ],
    ),
    (
        "Linkages and machines",
        &[
            ("examples/four_bar.rs", "the crank angle in closed form"),
            ("examples/bricard.rs", "Bricard's closure"),
            ("examples/truss.rs", "the method of joints and virtual work"),
            ("examples/valve_train.rs", "the spline by hand"),
            ("examples/governor.rs", "explicit steps"),
            ("examples/with_crates/src/bin/fit.rs", "the true parameters"),
        ],
    ),
    (
        "Robots and control",
        &[
            (
                "examples/arm.rs",
                "Spong, Hutchinson and Vidyasagar ([Robots](robots.md))",
            ),
            (
                "examples/cart_pole.rs",
                "the textbooks' accelerations, and the energy",
            ),
            ("examples/cart_pole_lqr.rs", "Riccati's equation"),
            (
                "examples/identification.rs",
                "the true parameters, by their standard deviations ([more](robots.md#identify-its-masses))",
            ),
            ("examples/hexapod.rs", "a `World` with the same joints"),
            (
                "examples/robots/src/bin/iiwa_torque_control.rs",
                "torques by hand, and the equation of the error",
            ),
            (
                "examples/robots/src/bin/quadruped_stand.rs",
                "statics and momentum",
            ),
            (
                "examples/robots/src/bin/delta_robot.rs",
                "virtual work, and the equation of the error",
            ),
        ],
    ),
    (
        "Bodies in space",
        &[
            (
                "examples/spinning_top.rs",
                "precession and nutation of the textbooks",
            ),
            ("examples/tennis_racket.rs", "Jacobi's elliptic functions"),
            (
                "examples/dumbbell.rs",
                "the published equations, with their errata",
            ),
            ("examples/rolling_disk.rs", "closed forms"),
            (
                "examples/skate.rs",
                "the cycloid and Chaplygin's sleigh ([more](velocity_constraints.md))",
            ),
            (
                "examples/rope_bridge.rs",
                "the closed-form shape ([more](bodies.md#a-world-at-run-time))",
            ),
        ],
    ),
    (
        "Bodies that touch",
        &[
            (
                "examples/bouncing_ball.rs",
                "the times and heights of all bounces, and the weight",
            ),
            (
                "examples/box_on_slope.rs",
                "closed forms: when it sticks and tips, its stop, and the turn's energy",
            ),
            (
                "examples/newton_cradle.rs",
                "the velocities by hand, and the pendulum's elliptic integral",
            ),
            (
                "examples/rocking_block.rs",
                "Housner's block: the loss at each impact, and its time by an integral",
            ),
            (
                "examples/clutch.rs",
                "the solution by hand: slipping and period",
            ),
            (
                "examples/painleve_rod.rs",
                "the least friction that jams it, and the jam by the moment of momentum",
            ),
            (
                "examples/tippe_top.rs",
                "Jellett's integral, and the published condition of inversion",
            ),
            (
                "examples/with_crates/src/bin/woodpecker.rs",
                "the published state, the balance of energy, and differences of the map",
            ),
            (
                "examples/with_crates/src/bin/walker.rs",
                "Garcia and others: both published gaits and their stability",
            ),
            (
                "examples/with_crates/src/bin/domino.rs",
                "van Leeuwen's train of dominoes, hit by hit",
            ),
            (
                "examples/with_crates/src/bin/gripper.rs",
                "Coulomb's law by hand",
            ),
            (
                "examples/with_crates/src/bin/ragdoll.rs",
                "what every fall obeys: energy, joints, limits, overlaps",
            ),
            (
                "examples/with_crates/src/bin/vehicle.rs",
                "statics, momentum and Ackermann's angles by hand",
            ),
        ],
    ),
];

const BEGIN: &str = "# Gallery of examples

Run an example with `cargo run --release --example NAME`, those in `examples/with_crates` with `cargo run --release -p with-crates
--bin NAME`, those in `examples/robots`, whose models come from URDF files, with `-p robots`. Each compares its results with a
closed form, a publication or a derivation by hand, and fails if they differ. Most write a figure to `target/NAME.svg`.
";

const END: &str = "
## Other languages, many copies

`examples/sweep` runs an ensemble on a cluster ([A sweep on a thousand ranks](sweep.md)). `examples/build_script` exports a model
to C in a build script, and `examples/gpu` runs many copies in a kernel on a GPU.
";

fn examples() -> impl Iterator<Item = (&'static str, &'static str)> {
    GROUPS.iter().flat_map(|(_, examples)| *examples).copied()
}

fn name(path: &str) -> &str {
    let (_, file) = path.rsplit_once('/').expect("a folder");
    file.trim_end_matches(".rs")
}

/// The first paragraph of an example.
fn subject(path: &str) -> String {
    let source = fs::read_to_string(path).expect("an example");
    let lines = source.lines().map_while(|line| line.strip_prefix("//! "));
    let lines: Vec<&str> = lines.collect();
    lines.join(" ")
}

/// The subject up to its first colon, full stop or comma, except the comma of a number such as 1,000.
fn caption(subject: &str) -> &str {
    let is_end =
        |(i, _): &(usize, &str)| !subject[i + 1..].starts_with(|next: char| next.is_ascii_digit());
    let end = subject.match_indices([':', '.', ',']).find(is_end);
    &subject[..end.expect("a sentence").0]
}

/// The page as the examples and their figures have it.
fn page() -> String {
    let mut page = BEGIN.to_owned();
    for (title, examples) in GROUPS {
        page += &format!("\n## {title}\n");
        for (path, compared) in examples {
            let (name, subject) = (name(path), subject(path));
            page += &format!("\n[`{path}`](../{path}): {subject} Checked against {compared}.\n");
            let figure = format!("gallery/{name}.svg");
            if fs::exists(format!("docs/{figure}")).expect("the gallery") {
                page += &format!("\n![{}]({figure})\n", caption(&subject));
            }
        }
    }
    page + END
}

/// `BOOK=write` writes the page.
#[test]
fn the_gallery_shows_every_example() {
    crate::at_root();
    compare("docs/examples.md", &page());
    let listed: BTreeSet<&str> = examples().map(|(path, _)| name(path)).collect();
    for entry in fs::read_dir("docs/gallery").expect("the gallery") {
        let file = entry.expect("an entry").file_name();
        let figure = file.to_str().and_then(|it| it.strip_suffix(".svg"));
        assert!(figure.is_some_and(|it| listed.contains(it)), "{file:?}");
    }
}

/// The first command of the README builds what a user builds, and nothing more.
#[test]
fn plain_examples_need_the_runtime_alone() {
    crate::at_root();
    let lock = fs::read_to_string("Cargo.lock").expect("the lock file");
    let all = lock.split("[[package]]");
    let own = all.filter(|it| it.contains("\nname = \"constrained-dynamics\"\n"));
    let needed: Vec<&str> = own
        .flat_map(str::lines)
        .filter(|it| it.starts_with(' '))
        .collect();
    assert_eq!(needed, [" \"constraint-runtime\","]);
}

/// Those whose subject moves are animated, and all figures can be read.
#[test]
fn the_figures_of_the_gallery_move_and_are_readable() {
    crate::at_root();
    let (mut figures, mut size) = (0, 0);
    for (path, _) in examples() {
        let name = name(path);
        let Ok(figure) = fs::read_to_string(format!("docs/gallery/{name}.svg")) else {
            continue;
        };
        (figures, size) = (figures + 1, size + figure.len());
        let faults = faults(&figure);
        assert!(faults.is_empty(), "{name}:\n{}", faults.join("\n"));
        assert!(figure.len() < 160_000, "{name}: {} bytes", figure.len());
        let moves = figure.contains("<animate attributeName=\"d\"")
            || figure.contains("<animate attributeName=\"display\"");
        assert_eq!(moves, name != "truss", "{name}");
    }
    assert!(figures >= 20 && size < 2_000_000, "{figures} {size}");
}

/// Colors are those that the legend names: by statics, the lower chord of a cantilever is compressed at the wall.
#[test]
fn compressed_bars_have_the_color_of_compression() {
    crate::at_root();
    let figure = fs::read_to_string("docs/gallery/truss.svg").expect("the truss");
    let document = roxmltree::Document::parse(&figure).expect("XML");
    let class = |label: &str| {
        let text = document.descendants().find(|it| it.text() == Some(label));
        let before = text.and_then(|it| it.prev_sibling_element());
        before
            .and_then(|it| it.attribute("class"))
            .expect("an entry of the legend")
    };
    assert_ne!(class("tension"), class("compression"));
    let place = |d: &str| -> Vec<f64> {
        let numbers = d.split(['M', 'L', ' ']).filter(|it| !it.is_empty());
        numbers.map(|it| it.parse().expect("a number")).collect()
    };
    let drawing = document
        .descendants()
        .find(|it| it.attribute("class") == Some("data"));
    let bars = drawing.expect("a drawing").children();
    let chords = bars.filter_map(|it| {
        let [x, y, x2, y2] = place(it.attribute("d")?)[..] else {
            return None;
        };
        (y == y2).then_some((y, -x.min(x2), it.attribute("class")?))
    });
    let (.., lowest) = chords
        .max_by(|a, b| (a.0, a.1).partial_cmp(&(b.0, b.1)).expect("numbers"))
        .expect("a chord");
    assert_eq!(lowest, class("compression"));
}

/// Charts of the command line have any range and any number of lines.
#[test]
fn charts_of_any_size_are_readable() {
    use plot::{Line, Panel, color};
    for (from, to) in [
        (0.0, 1.0),
        (-2e-9, 7e-9),
        (-5e-9, 5e-9),
        (0.0, 0.0),
        (3.0, 3.0),
        (-1.5e7, 4e9),
        (99_990.0, 99_991.0),
        (-0.0015, 0.002),
    ] {
        let chart = |lines: usize| {
            let line = |k: usize| {
                let points = (0..=20).map(|i| (from + f64::from(i) * (to - from) / 20.0, i));
                let points = points.map(|(y, i)| (0.01 * f64::from(i), y));
                Line::curve(format!("line {k}"), color::ALL[k], 2.0, points)
            };
            Panel::over_time("Chart", "y label of some length", 1.0).with_all((0..lines).map(line))
        };
        let magnitudes = (0..=20).map(|i| (f64::from(i), 10.0_f64.powi(i - 16)));
        let log = Panel::new("Magnitudes", "n", "error in m")
            .log()
            .with(Line::curve("", color::BLUE, 2.0, magnitudes));
        let figure = plot::svg([
            (300, vec![chart(1), log]),
            (260, vec![chart(7), chart(3), chart(2)]),
        ]);
        let faults = faults(&figure.expect("a figure"));
        assert!(
            faults.is_empty(),
            "from {from} to {to}: {}",
            faults.join("\n")
        );
    }
}

/// What is wrong with a figure is found.
#[test]
fn faults_of_figures_are_found() {
    let figure = |text: &str, frame: &str, path: &str| {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 400\" font-size=\"13\">\
             <style>@media(prefers-color-scheme:dark){{}}</style><g class=\"panel\">{text}\
             <rect class=\"frame\" {frame}/><g class=\"data\">{path}</g></g></svg>"
        )
    };
    let frame = "x=\"100\" y=\"100\" width=\"200\" height=\"200\"";
    let text = "<text x=\"150\" y=\"50\">Title</text>";
    let line = "<path d=\"M100.0 110.0L210.0 120.0\"/>";
    assert_eq!(faults(&figure(text, frame, line)), Vec::<String>::new());
    let table = [
        (figure(text, frame, ""), "nothing is drawn"),
        (
            figure(text, frame, "<path d=\"M100.0 110.0L180.0 120.0\"/>"),
            "is filled",
        ),
        (
            figure(text, frame, "<path d=\"M100.0 110.0L310.0 120.0\"/>"),
            "leaves the frame",
        ),
        (
            figure(
                text,
                frame,
                "<path d=\"M110.0 110.0\"><animate attributeName=\"d\" values=\"M110.0 110.0;M120.0 99.0\"/></path>",
            ),
            "leaves the frame",
        ),
        (figure(text, "", line), "leaves the frame"),
        (
            figure(
                "<text x=\"150\" y=\"50\" font-size=\"11.5\">Title</text>",
                frame,
                line,
            ),
            "10.6 pixels high",
        ),
        (
            figure("<text x=\"750\" y=\"50\">Title</text>", frame, line),
            "leaves the figure",
        ),
        (figure(&text.repeat(2), frame, line), "is over"),
        (
            figure(
                "<text transform=\"translate(160 60)rotate(-90)\">Label</text><text x=\"150\" y=\"50\">1</text>",
                frame,
                line,
            ),
            "is over",
        ),
        (
            figure(text, frame, line).replace("dark", "light"),
            "not for dark pages",
        ),
        (figure(text, frame, line).replace("</svg>", ""), "no XML"),
    ];
    for (figure, expected) in table {
        let faults = faults(&figure);
        assert!(
            faults.iter().any(|it| it.contains(expected)),
            "{expected}: {faults:?}"
        );
    }
}
