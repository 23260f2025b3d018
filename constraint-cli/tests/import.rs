//! `constraint import`: the text, what it reports, the comparison with the file, misuse.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::constraint;

const PENDULUM: &str = r#"<robot name="rod-pendulum">
  <link name="base"/>
  <link name="rod">
    <inertial>
      <origin xyz="0 0 -0.5"/>
      <mass value="2"/>
      <inertia ixx="0.17" ixy="0" ixz="0" iyy="0.17" iyz="0" izz="0.01"/>
    </inertial>
    <visual><geometry><mesh filename="package://none/rod.stl"/></geometry></visual>
  </link>
  <joint name="hinge" type="revolute">
    <parent link="base"/>
    <child link="rod"/>
    <origin xyz="0 0 1" rpy="1.5708 0 0"/>
    <axis xyz="0 0 1"/>
    <limit lower="-1.5" upper="1.5" effort="20" velocity="4"/>
    <dynamics damping="0.1"/>
  </joint>
</robot>
"#;

const TEXT: &str = r#"// Written by `constraint import pendulum.urdf`: edit it like any other model. Units: m, kg, s, rad, N.
//
// Not taken over:
// - <visual> (line 9)
//
// Rounded multiples of π, written exactly; `--exact-numbers no` keeps the digits of the file:
// - 1.5708 is PI/2 (line 14)

constraint_runtime::system! {
    /// The robot `rod-pendulum` with 1 joint.
    pub struct RodPendulum {
        /// Acceleration of free fall, in m/s².
        pub g: Real = 9.81,
    }

    /// Angle of the joint `hinge`, from −1.5 to 1.5 rad, at most 4 rad/s.
    coordinate hinge;
    /// Torque at the joint `hinge`, at most 20 N m.
    input hinge_torque;

    // The links. A name that ends in `_inertial` is the body of a link, with its origin in the centre of mass.
    let base = pose([0, 0, 0]);
    let rod = base * pose([0, 0, 1], [1, 0, 0], PI/2) * pose([0, 0, 0], [0, 0, 1], hinge);
    body rod_inertial: Rigid3 = rod * pose([0, 0, -0.5]) { mass: 2, inertia: [0.17, 0.17, 0.01] }

    force hinge: hinge_torque;
    dissipation 0.1/2*velocity(hinge)^2;
    gravity [0, 0, -g];

    /// Place of the link `rod`.
    output rod_place = at(rod, [0, 0, 0]);
}

/// Numbers of the joints in the order `hinge`, in rad.
#[allow(clippy::approx_constant)]
impl RodPendulum<f64> {
    /// Least value of each joint.
    pub const LOWER: [f64; 1] = [-1.5];
    /// Greatest value of each joint.
    pub const UPPER: [f64; 1] = [1.5];
    /// Greatest rate of each joint.
    pub const SPEED: [f64; 1] = [4.0];
    /// Greatest force or torque of each joint.
    pub const EFFORT: [f64; 1] = [20.0];
}
"#;

/// A file with this text.
fn file(folder: &str, name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(folder);
    fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    fs::write(&path, text).expect("a file");
    path
}

#[test]
fn the_text_says_all_that_the_file_says() {
    let path = file("text", "pendulum.urdf", PENDULUM);
    let run = constraint(
        [path.to_str().expect("a path")]
            .iter()
            .flat_map(|it| ["import", it]),
    );
    assert_eq!(run.printed(), TEXT);
    assert_eq!(run.errors, "not taken over: <visual> (line 9)\n");
}

/// The text is a model like any other.
#[test]
fn the_written_model_swings() {
    let path = file("swing", "pendulum.urdf", PENDULUM);
    let written = path.with_extension("rs");
    let paths = [&path, &written].map(|it| it.to_str().expect("a path"));
    let imported = constraint(["import", paths[0], "--output", paths[1], "--name", "Swing"]);
    assert_eq!(imported.printed(), "");
    let run = constraint([
        "run",
        paths[1],
        "--from",
        "hinge=1",
        "--set",
        "hinge_torque=0",
        "--until",
        "1",
    ]);
    assert!(
        run.printed().starts_with("system Swing: 1 coordinate"),
        "{}",
        run.output
    );
}

#[test]
fn the_comparison_with_the_file_reports_the_largest_differences() {
    let path = file("check", "pendulum.urdf", PENDULUM);
    let path = path.to_str().expect("a path");
    let exact = constraint(["import", path, "--check"]);
    assert_eq!(exact.code, 0, "{}", exact.errors);
    assert!(
        exact.errors.contains(
            "compared with the file at 20 random states, 2 links: places differ by at most"
        )
    );
    // The ends of the rod's axes turn by π/2 − 1.5708; its origin is on the axis.
    let digits = constraint(["import", path, "--check", "--exact-numbers", "no"]);
    assert!(digits.output.contains("[1, 0, 0], 1.5708)"));
    assert!(
        !digits.errors.contains("digits of the file"),
        "{}",
        digits.errors
    );
}

#[test]
fn mistakes_show_the_line_of_the_file() {
    let path = file(
        "mistake",
        "wrong.urdf",
        "<robot>\n  <link name=\"a\"/>\n  <link name=\"b\"/>\n</robot>",
    );
    let run = constraint(["import", path.to_str().expect("a path")]);
    assert_eq!(run.code, 1);
    assert!(run.errors.contains("wrong.urdf:3:15\n"), "{}", run.errors);
    assert!(
        run.errors
            .contains("error: the links `a` and `b` are both roots: no joint moves them")
    );
    assert!(
        run.errors
            .contains("help: connect `b` to the rest by a joint, `floating` if it moves freely")
    );
}

#[test]
fn bad_command_lines_are_refused() {
    let path = file("misuse", "pendulum.urdf", PENDULUM);
    let path = path.to_str().expect("a path");
    let cases = [
        (
            vec!["import", "none.urdf"],
            "error: cannot read `none.urdf`",
        ),
        (
            vec!["import", path, "--exact-numbers", "perhaps"],
            "expected `yes` or `no`",
        ),
        (
            vec!["import", path, "--name", "two words"],
            "expected the name of a type",
        ),
        (
            vec!["import", path, "--loops", "none.xml"],
            "error: cannot read `none.xml`",
        ),
    ];
    for (arguments, message) in cases {
        let run = constraint(&arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.errors);
        assert!(run.errors.contains(message), "{}", run.errors);
    }
    let unknown = constraint(["import", path, "--fix", "hing"]);
    assert_eq!(unknown.code, 1);
    assert!(unknown.errors.contains(
        "`--fix` names `hing`, which is no joint with a coordinate; did you mean `hinge`?"
    ));
}

/// The book's page shows a file and its text: the text is what is written, and a documentation test compiles it.
#[test]
fn the_book_shows_what_is_written() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/robot_files.md");
    let Ok(page) = fs::read_to_string(page) else {
        eprintln!("skipped: a packed crate has no book");
        return;
    };
    let block = |kind: &str| {
        let (_, rest) = page.split_once(&format!("```{kind}\n")).expect("a block");
        rest.split_once("```").expect("its end").0.to_owned()
    };
    let path = file("book", "arm.urdf", &block("xml"));
    let run = constraint(["import", path.to_str().expect("a path")]);
    assert_eq!(run.printed(), block("rust"));
}

/// MJCF is often spread over files; mistakes and lists name the file and its line.
#[test]
fn included_files_are_read() {
    let common = "<mujocoinclude>\n<default><joint axis=\"0 1 0\" damping=\"0.5\"/></default>\n<sensor/></mujocoinclude>";
    let body = "<worldbody><body name=\"rod\"><joint name=\"hinge\"/><geom size=\"0.1\" pos=\"1 0 0\"/></body></worldbody>";
    file("included", "common.xml", common);
    let scene = format!("<mujoco>\n<include file=\"common.xml\"/>\n{body}<keyframe/></mujoco>");
    let path = file("included", "scene.xml", &scene);
    let run = constraint(["import", path.to_str().expect("a path")]);
    let text = run.printed();
    assert!(
        text.contains("let rod = world * pose([0, 0, 0], [0, 1, 0], hinge);"),
        "{text}"
    );
    assert!(
        text.contains("dissipation 0.5/2*velocity(hinge)^2;"),
        "{text}"
    );
    let listed =
        "not taken over: <keyframe> (line 3)\nnot taken over: <sensor> (line 3 of common.xml)\n";
    assert_eq!(run.errors, listed);

    file(
        "included",
        "common.xml",
        &common.replace("0 1 0", "0 one 0"),
    );
    let wrong = constraint(["import", path.to_str().expect("a path")]);
    assert_eq!(wrong.code, 1);
    assert!(
        wrong.errors.contains("error: `one` is not a number"),
        "{}",
        wrong.errors
    );
    assert!(
        wrong.errors.contains("common.xml:2:23\n"),
        "{}",
        wrong.errors
    );

    let around = file(
        "included",
        "around.xml",
        "<mujoco><include file=\"around.xml\"/></mujoco>",
    );
    let around = constraint(["import", around.to_str().expect("a path")]);
    assert!(
        around
            .errors
            .contains("`around.xml` includes itself, perhaps through other files"),
        "{}",
        around.errors
    );
    let missing = file(
        "included",
        "missing.xml",
        "<mujoco><include file=\"none.xml\"/></mujoco>",
    );
    let missing = constraint(["import", missing.to_str().expect("a path")]);
    assert!(
        missing.errors.contains("error: cannot read `none.xml`"),
        "{}",
        missing.errors
    );
}
