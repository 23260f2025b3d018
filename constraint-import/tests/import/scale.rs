//! Large files: imports take a time proportional to their size, or are refused with the number that is too large.
//!
//! Bounds of time are ten and more times what a slow machine takes, and hours less than an import of cubic time would.

use std::thread;
use std::time::{Duration, Instant};

use constraint_import::{Imported, Mistakes, Options, import};

const MASS: &str = "<inertial pos=\"0.1 0.02 0.03\" mass=\"1\" diaginertia=\"0.01 0.02 0.015\"/>";

/// The joints of a file.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Chain,
    Star,
    Apart,
    Free,
}

fn body(k: usize, joint: &str) -> String {
    let axis = ["1 0 0", "0 1 0", "0 0 1"][k % 3];
    let joint = match joint {
        "" => format!("<joint name=\"j{k}\" axis=\"{axis}\"/>"),
        other => other.to_owned(),
    };
    format!("<body name=\"b{k}\" pos=\"0.3 0 0.1\">{joint}{MASS}")
}

/// An MJCF file with so many bodies.
fn mjcf(shape: Shape, count: usize) -> String {
    let joint = match shape {
        Shape::Free => "<freejoint/>",
        _ => "",
    };
    let bodies: String = (0..count)
        .map(|k| match (shape, k) {
            (Shape::Chain, _) | (Shape::Star, 0) => body(k, joint),
            _ => body(k, joint) + "</body>",
        })
        .collect();
    let open = match shape {
        Shape::Chain => count,
        Shape::Star => 1,
        _ => 0,
    };
    let end = "</body>".repeat(open);
    format!("<mujoco><worldbody>{bodies}{end}</worldbody></mujoco>")
}

/// A URDF file with so many joints.
fn urdf(shape: Shape, count: usize) -> String {
    let link = |k: usize| {
        format!(
            "<link name=\"l{k}\"><inertial><origin xyz=\"0.1 0.02 0.03\"/><mass value=\"1\"/><inertia ixx=\"0.01\" iyy=\"0.02\" \
             izz=\"0.015\"/></inertial></link>\n"
        )
    };
    let joint = |k: usize| {
        let parent = match shape {
            Shape::Chain => k - 1,
            Shape::Star => k.min(2) - 1,
            _ => 0,
        };
        let axis = ["1 0 0", "0 1 0", "0 0 1"][k % 3];
        format!(
            "<joint name=\"j{k}\" type=\"continuous\"><parent link=\"l{parent}\"/><child link=\"l{k}\"/><origin xyz=\"0.3 0 0.1\"/>\
             <axis xyz=\"{axis}\"/></joint>\n"
        )
    };
    let joints: String = (1..=count).map(joint).collect();
    let links: String = (0..=count).map(link).collect();
    format!("<robot>{joints}{links}</robot>")
}

/// Imports on a stack of 2 MiB within some seconds.
fn within(seconds: u64, text: String) -> Result<Imported, Mistakes> {
    let start = Instant::now();
    let builder = thread::Builder::new().stack_size(2 << 20);
    let thread = builder.spawn(move || import(&text, &Options::new("large.xml")));
    let imported = thread.expect("a thread").join().expect("no panic");
    let taken = start.elapsed();
    println!("{taken:?}");
    assert!(taken < Duration::from_secs(seconds), "{taken:?}");
    imported
}

#[test]
fn a_thousand_joints_are_imported() {
    for shape in [Shape::Chain, Shape::Star, Shape::Apart] {
        for text in [urdf(shape, 1000), mjcf(shape, 1000)] {
            println!("{shape:?}");
            let imported = within(30, text).unwrap_or_else(|it| panic!("{shape:?}: {it}"));
            assert_eq!(imported.robot.coordinates.len(), 1000);
            assert!(imported.text.contains("coordinate j999;"));
        }
    }
}

#[test]
fn ten_thousand_bodies_are_imported() {
    for shape in [Shape::Chain, Shape::Apart, Shape::Free] {
        println!("{shape:?}");
        let imported = within(150, mjcf(shape, 10_000));
        let imported = imported.unwrap_or_else(|it| panic!("{shape:?}: {it}"));
        assert_eq!(imported.robot.links.len(), 10_001);
    }
}

/// A rope of balls with both ends held, and many four-bar linkages.
#[test]
fn many_loops_are_imported() {
    let count = 1_000;
    let ball = |k: usize| {
        format!("<body name=\"b{k}\" pos=\"0.1 0 0\"><joint name=\"j{k}\" type=\"ball\"/>{MASS}")
    };
    let rope: String = (0..count).map(ball).collect();
    let (end, last) = ("</body>".repeat(count), count - 1);
    let held = format!("<equality><connect body1=\"b{last}\" anchor=\"0.1 0 0\"/></equality>");
    let text = format!("<mujoco><worldbody>{rope}{end}</worldbody>{held}</mujoco>");
    let imported = within(60, text).unwrap_or_else(|it| panic!("{it}"));
    assert_eq!(imported.robot.loops.len(), count + 1);
    assert!(
        imported
            .text
            .contains("constraint connect_1: at(b999, [0.1, 0, 0]) == at(world, [100.1, 0, 0]);")
    );

    let bar = |name: &str, k: usize, pos: &str| {
        format!(
            "<body name=\"{name}{k}\" pos=\"{pos}\"><joint name=\"{name}j{k}\" axis=\"0 1 0\"/>{MASS}"
        )
    };
    let linkage = |k: usize| {
        let crank = bar("a", k, "0 0 0") + &bar("b", k, "0 0 1") + "</body></body>";
        crank + &bar("c", k, "1 0 0") + "</body>"
    };
    let linkages: String = (0..300).map(linkage).collect();
    let close = |k: usize| format!("<connect body1=\"b{k}\" body2=\"c{k}\" anchor=\"1 0 0\"/>");
    let closes: String = (0..300).map(close).collect();
    let text =
        format!("<mujoco><worldbody>{linkages}</worldbody><equality>{closes}</equality></mujoco>");
    let imported = within(60, text).unwrap_or_else(|it| panic!("{it}"));
    assert!(imported.text.contains("constraint connect_300: ["));
    assert!(!imported.text.contains("CLOSED"), "all are closed as drawn");
}

/// The message for a file that is too large.
fn refused(text: String) -> String {
    within(60, text)
        .expect_err("a file that is too large")
        .to_string()
}

#[test]
fn what_is_too_large_is_refused_with_its_number() {
    let attributes: String = (0..20_000).map(|k| format!(" a{k}=\"{k}\"")).collect();
    assert_eq!(
        refused(format!("<robot>\n<link{attributes}/></robot>")),
        "line 2, column 1: `<link>` has 20000 attributes; at most 1000 are read"
    );
    let nested = |name: &str| {
        let (open, close) = (format!("<{name}>\n"), format!("</{name}>"));
        let count = 12_000;
        format!(
            "<mujoco>\n{}{}</mujoco>",
            open.repeat(count),
            close.repeat(count)
        )
    };
    for name in ["frame", "body"] {
        assert_eq!(
            refused(nested(name)),
            "line 12001, column 1: more than 12000 elements are inside of each other"
        );
    }
}

/// Elements as deep as chains of bodies need them, on a stack of 2 MiB.
#[test]
fn elements_may_be_nested_deeply() {
    let count = 5_000;
    let (open, close) = (
        "<frame pos=\"0 0 0.001\">".repeat(count),
        "</frame>".repeat(count),
    );
    let inner = format!("{}</body>", body(0, ""));
    let text = format!("<mujoco><worldbody>{open}{inner}{close}</worldbody></mujoco>");
    let imported = within(60, text).unwrap_or_else(|it| panic!("{it}"));
    // 5,000 displacements by a millimetre, then that of the body.
    assert!(imported.text.contains("pose([0.3, 0, 5.1], [1, 0, 0], j0)"));
    let classes = |end: &str| {
        let open: String = (0..count)
            .map(|k| format!("<default class=\"c{k}\">"))
            .collect();
        let close = "</default>".repeat(count);
        let last = format!("<joint damping=\"3\"/>{close}");
        format!(
            "<mujoco><default>{open}{last}</default><worldbody><body><joint class=\"c{end}\"/>{MASS}</body></worldbody></mujoco>"
        )
    };
    let imported = within(60, classes("4999")).unwrap_or_else(|it| panic!("{it}"));
    assert!(imported.text.contains("dissipation 3/2"));
}

/// Every mistake costs no more than its line.
#[test]
fn many_mistakes_are_counted() {
    let wrong = "<joint name=\"j\" type=\"continuous\"><parent link=\"x\"/></joint>\n";
    let text = format!("<robot>\n{}</robot>", wrong.repeat(20_000));
    let message = refused(text);
    let last = "line 101, column 1: 19900 further mistakes are not listed";
    assert_eq!(message.lines().last(), Some(last));
}
