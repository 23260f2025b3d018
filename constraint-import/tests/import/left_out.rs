//! Mistakes that an import used to overlook, each at its line, and items that it used to drop silently.

use constraint_import::{Imported, Options, import};

use crate::model::{Model, assert_close};

/// A message at the last place of a word in a text.
fn at(text: &str, word: &str, message: &str) -> String {
    let before = &text[..text.rfind(word).expect("a word of the text")];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, str::len) + 1;
    format!("line {line}, column {column}: {message}")
}

/// The mistakes in a text, perhaps none.
fn mistakes(text: &str) -> String {
    let imported = import(text, &Options::new("robot.xml"));
    imported.err().map(|it| it.to_string()).unwrap_or_default()
}

fn imported(text: &str) -> Imported {
    import(text, &Options::new("robot.xml")).unwrap_or_else(|it| panic!("{it}"))
}

const GEOM: &str = "<geom size=\"0.1\" pos=\"0.2 0 0\"/>";

/// An MJCF file with these elements from line 2.
fn mujoco(elements: &str) -> String {
    format!("<mujoco>\n{elements}\n</mujoco>")
}

/// A body on a hinge with attributes.
fn hinge(attributes: &str) -> String {
    format!(
        "<worldbody><body name=\"a\"><joint name=\"j\" axis=\"0 1 0\"{attributes}/>{GEOM}</body></worldbody>"
    )
}

#[test]
fn mistakes_in_mjcf_are_at_their_places() {
    let cases = [
        (
            hinge(" dampling=\"2\""),
            "dampling",
            "`<joint>` has no attribute `dampling`; did you mean `damping`?",
        ),
        (
            "<worldbody><body childclass=\"b\"><joint axis=\"0 1 0\"/><geom size=\"0.1\" pos=\"1 0 0\"/></body></worldbody>"
                .to_owned(),
            "b\"><joint",
            "there is no class `b`\n  help: write `<default class=\"…\">` in `<default>`",
        ),
        (
            "<worldbody><body><joint axis=\"0 1 0\"/><geom size=\"0.1\" pos=\"1 0 0\" quat=\"1 0 0 0\" euler=\"0 0 1\"/></body></worldbody>"
                .to_owned(),
            "0 0 1\"/></body",
            "`quat` and `euler` are two rotations of one element\n  help: keep one of them",
        ),
        (
            "<worldbody><body><joint axis=\"0 1 0\"/><inertial mass=\"1\" pos=\"1 0 0\" diaginertia=\"1 1 1\"/>\n<inertial \
             mass=\"1\" pos=\"1 0 0\" diaginertia=\"1 1 1\"/></body></worldbody>"
                .to_owned(),
            "<inertial",
            "`<body>` has a second `<inertial>`\n  help: keep one of them",
        ),
        (
            format!("<default><joint damping=\"1\"/>\n<joint damping=\"2\"/></default>{}", hinge("")),
            "<joint damping",
            "`<default>` has a second `<joint>`\n  help: keep one of them",
        ),
        (
            format!("{}<equality><weld name=\"w\" body1=\"a\" body2=\"a\"/></equality>", hinge("")),
            "<weld",
            "`w` holds a body to itself\n  help: name two bodies",
        ),
        (
            format!("{}<equality><connect body1=\"a\" body2=\"a\" anchor=\"0 0 0\"/></equality>", hinge("")),
            "<connect",
            "`connect_1` holds a body to itself\n  help: name two bodies",
        ),
        (
            format!("{}<actuator><position joint=\"j\" kv=\"1\" dampratio=\"1\"/></actuator>", hinge("")),
            "1\"/></actuator",
            "`kv` and `dampratio` are two dampings of one servo\n  help: keep one of them",
        ),
        (
            hinge(" limited=\"maybe\""),
            "maybe",
            "`maybe` is no value of `limited`\n  help: the values are true, false, auto",
        ),
        (
            hinge(" stiffness=\"4 3 2 1\""),
            "4 3 2 1",
            "`stiffness` has 4 numbers instead of one to three",
        ),
    ];
    for (elements, word, message) in cases {
        let file = mujoco(&elements);
        assert_eq!(mistakes(&file), at(&file, word, message), "{elements}");
    }
}

/// A URDF robot of one joint with the link `b` from line 2.
fn urdf(inertial: &str, joint: &str) -> String {
    format!(
        "<robot><link name=\"a\"/><link name=\"b\">\n{inertial}</link><joint name=\"j\" type=\"continuous\">\n<parent link=\"a\"/><child \
         link=\"b\"/>{joint}</joint></robot>"
    )
}

const INERTIAL: &str =
    "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>";

#[test]
fn mistakes_in_urdf_are_at_their_places() {
    let mass = "<mass value=\"1\"/>";
    let axis = "<axis xyz=\"0 1 0\"/>";
    let cases = [
        (
            urdf(INERTIAL, "<dynamics dampling=\"2\"/>"),
            "dampling",
            "`<dynamics>` has no attribute `dampling`; did you mean `damping`?",
        ),
        (
            urdf(INERTIAL, &format!("{axis}\n{axis}")),
            "<axis",
            "`<joint>` has a second `<axis>`\n  help: keep one of them",
        ),
        (
            urdf(&INERTIAL.replace(mass, &format!("{mass}\n{mass}")), ""),
            "<mass",
            "`<inertial>` has a second `<mass>`\n  help: keep one of them",
        ),
        (
            urdf(&format!("{INERTIAL}\n{INERTIAL}"), ""),
            "<inertial",
            "`<link>` has a second `<inertial>`\n  help: keep one of them",
        ),
        (
            urdf(INERTIAL, "<origin rpy=\"1e300 0 0\"/>"),
            "<origin",
            "the angle 1e300 is too large for its digits to name a direction\n  help: write it within a turn",
        ),
        (
            urdf(INERTIAL, "<origin xyz=\"1e300 0 0\"/>"),
            "b\">\n",
            "`b` is too far away for its moment of inertia to be a number",
        ),
    ];
    for (text, word, message) in cases {
        assert_eq!(mistakes(&text), at(&text, word, message), "{text}");
    }
}

/// A mistake in an attribute does not hide others.
#[test]
fn checks_report_together() {
    let text = urdf("", "<dynamics dampling=\"2\"/>");
    let found = mistakes(&text);
    let lines: Vec<&str> = found.lines().filter(|it| it.starts_with("line")).collect();
    assert_eq!(
        lines,
        [
            at(&text, "j\" type", "no mass moves with the joint `j`"),
            at(
                &text,
                "dampling",
                "`<dynamics>` has no attribute `dampling`; did you mean `damping`?"
            ),
        ]
    );
}

/// What an import lists for a file.
fn listed(elements: &str) -> Vec<String> {
    imported(&mujoco(elements)).not_taken_over
}

#[test]
fn what_is_left_out_of_mjcf_is_listed() {
    let motor = format!(
        "{}<actuator><motor joint=\"j\" delay=\"0.05\" nsample=\"10\"/></actuator>",
        hinge("")
    );
    assert_eq!(
        listed(&motor),
        ["`delay` and `nsample` of <motor> (line 2)"]
    );
    let classes = format!(
        "<default><geom rgba=\"1 0 0 1\"/><material shininess=\"1\"/><joint damping=\"1\"/></default>{}",
        hinge(" damping=\"2\"")
    );
    assert_eq!(
        listed(&classes),
        [
            "<material> in <default> (line 2)",
            "`rgba` of <geom> in <default> (line 2)"
        ]
    );
    let servo = format!(
        "{}<actuator><general joint=\"j\" dyntype=\"filter\" dynprm=\"0.1\"/><position joint=\"j\" timeconst=\"0.1\"/><damper \
         joint=\"j\" kv=\"1\" ctrlrange=\"0 1\"/></actuator>",
        hinge("")
    );
    assert_eq!(
        listed(&servo),
        [
            "<damper> with a gain that is no constant (line 2)",
            "<general> with a state of its own (line 2)",
            "<position> with a state of its own (line 2)"
        ]
    );
    let free = format!(
        "<worldbody><body pos=\"0 0 1\"><joint name=\"f\" type=\"free\" stiffness=\"2\" damping=\"1 2\"/>{GEOM}</body></worldbody>"
    );
    assert_eq!(
        listed(&free),
        [
            "`damping` of free joints that is not proportional (line 2)",
            "`stiffness` of the joint `f` (line 2)",
            "places of bodies that move freely: where they start (line 2)"
        ]
    );
}

#[test]
fn almost_pi_is_noted() {
    let with =
        |angle: &str| imported(&urdf(INERTIAL, &format!("<origin rpy=\"{angle} 0 0\"/>"))).notes;
    let note = "3.1415926535895866 is almost PI, but 2e-13 off: it stays (line 3)";
    assert_eq!(with("3.1415926535895866"), [note]);
    for other in ["3.1415926535897931", "3.14159", "1.5707963", "1.571", "0.3"] {
        assert!(with(other).is_empty(), "{other}");
    }
}

/// The acceleration of the centre of mass of a ball of 1 kg at x = 0.3 of its body, and its angular acceleration.
fn fall(joint: &str, default: &str, geom: &str, v: [f64; 6]) -> Vec<f64> {
    let file = mujoco(&format!(
        "<option gravity=\"0 0 0\"/><default>{default}</default><worldbody><body>{joint}{geom}</body></worldbody>"
    ));
    let model = Model::new(&imported(&file).text);
    let q = [0.3, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    model.call("acceleration", &q, &v, &[])
}

const BALL: &str = "<geom size=\"0.1\" mass=\"1\" pos=\"0.3 0 0\"/>";

/// Against accelerations of MuJoCo 4.0.0 at the origin of the body, carried to the centre of mass by a + ω̇×r + ω×(ω×r).
#[test]
fn free_joints_resist_as_in_mujoco() {
    // The origin moves with v = [1, 2, 3], ω = [0.1, 0.2, 0.3].
    let v = [1.0, 2.09, 2.94, 0.1, 0.2, 0.3];
    let damped = [-2.0, -4.0, -6.0, -50.0, -550.0, 150.0];
    let both = [
        -1.4397142857142855,
        -2.8042393617021286,
        -3.947050531914894,
        -0.49504950495049505,
        -3.921077127659575,
        0.5972074468085109,
    ];
    let rotor = [
        -0.026,
        0.003883720930232537,
        0.005825581395348844,
        0.0,
        0.000872093023255812,
        -0.0005813953488372151,
    ];
    let free = |attributes: &str| format!("<joint name=\"f\" type=\"free\" {attributes}/>");
    assert_close(&fall(&free("damping=\"2\""), "", BALL, v), &damped, 1e-12);
    assert_close(&fall(&free("armature=\"2\""), "", BALL, v), &rotor, 1e-12);
    let found = fall(&free("armature=\"0.4\""), "<joint damping=\"2\"/>", BALL, v);
    assert_close(&found, &both, 1e-12);
    // `<freejoint>` has no class.
    let found = fall(
        "<freejoint/>",
        "<joint damping=\"2\" armature=\"1\"/>",
        BALL,
        v,
    );
    assert_close(&found, &[0.0; 6], 1e-300);
    // m v̇ = −2 v of one kilogram.
    let centred = "<geom size=\"0.1\" mass=\"1\"/>";
    let found = fall(
        &free("damping=\"2\""),
        "",
        centred,
        [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    );
    assert_close(&found, &[-2.0, 0.0, 0.0, 0.0, 0.0, 0.0], 1e-15);
    // Dry friction of 2 N and of 2 N m at rates far above that of slip: 0.4 m r² = 0.004.
    let found = fall(
        &free("frictionloss=\"2\""),
        "",
        centred,
        [1.0, -1.0, 2.0, -1.0, 1.0, 1.0],
    );
    let moment = 2.0 / 0.004;
    assert_close(&found, &[-2.0, 2.0, -2.0, moment, -moment, -moment], 1e-12);
}

/// `torquescale="0"` leaves rotations free: one place of each body, `eq_data` of MuJoCo 4.0.0 for the same file.
#[test]
fn welds_without_torques_hold_places() {
    let body = |name: &str, pos: &str| {
        format!("<body name=\"{name}\" pos=\"{pos}\"><freejoint/><geom size=\"0.1\"/></body>")
    };
    let bodies = body("a", "0 0 1") + &body("b", "1 0 1");
    let weld = |attributes: &str| {
        let file = mujoco(&format!(
            "<worldbody>{bodies}</worldbody><equality><weld body1=\"a\" body2=\"b\" {attributes}/></equality>"
        ));
        imported(&file).text
    };
    let held = weld("anchor=\"0.1 0.2 0.3\" torquescale=\"0\"");
    let line = "constraint weld_1: at(a, [1.1, 0.2, 0.3]) == at(b, [0.1, 0.2, 0.3]);";
    assert!(held.contains(line), "{held}");
    // With a relative pose MuJoCo holds relpose in `a` to the anchor in `b`, rotations included.
    let posed = weld("anchor=\"0.1 0.2 0.3\" relpose=\"0.5 0.6 0.7 1 0 0 0\"");
    assert!(
        posed.contains("at(b, [0.1, 0.2, 0.3]) - at(a, [0.5, 0.6, 0.7])"),
        "{posed}"
    );
    assert!(
        posed.contains("dot(dir(a, [1, 0, 0]), dir(b, [0, 1, 0]))"),
        "{posed}"
    );
}

/// Everything that follows a ball joint moves with the joint before it: `actuator_biasprm` of MuJoCo 4.0.0.
#[test]
fn ball_joints_carry_inertia() {
    let body = |joint: &str| {
        format!(
            "<body pos=\"0.3 0.1 0\"><joint {joint}/><geom type=\"box\" size=\"0.1 0.05 0.02\" pos=\"0.15 0.02 0.03\"/>"
        )
    };
    let bodies = [
        body("name=\"j0\" axis=\"0 1 0\""),
        body("name=\"j1\" type=\"ball\""),
        body("name=\"j2\" axis=\"1 0 0\""),
    ];
    let file = mujoco(&format!(
        "<worldbody>{}</body></body></body></worldbody><actuator><position joint=\"j0\" kp=\"5\" dampratio=\"1\"/></actuator>",
        bodies.concat()
    ));
    let [_, _, damping] = imported(&file).robot.actuators[0].bias;
    assert!((damping + 1.03187926).abs() < 1e-8, "{damping}");
}
