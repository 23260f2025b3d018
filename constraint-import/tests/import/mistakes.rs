//! What is wrong in a file, where, and what to write instead.

use constraint_import::{Options, import};

/// The mistakes in a text.
fn mistakes(text: &str) -> String {
    let imported = import(text, &Options::new("robot.urdf"));
    imported.err().map(|it| it.to_string()).unwrap_or_default()
}

/// A robot with these elements.
fn robot(elements: &str) -> String {
    mistakes(&format!("<robot name=\"r\">\n{elements}\n</robot>"))
}

/// A link with mass.
fn link(name: &str) -> String {
    let inertia = "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/>";
    format!("<link name=\"{name}\"><inertial><mass value=\"1\"/>{inertia}</inertial></link>\n")
}

/// A joint that turns.
fn joint(name: &str, parent: &str, child: &str) -> String {
    format!(
        "<joint name=\"{name}\" type=\"continuous\"><parent link=\"{parent}\"/><child link=\"{child}\"/></joint>\n"
    )
}

#[test]
fn a_valid_robot_has_no_mistake() {
    assert_eq!(robot(&(link("a") + &link("b") + &joint("j", "a", "b"))), "");
}

#[test]
fn files_of_other_kinds_are_refused() {
    assert_eq!(
        mistakes(" \n"),
        "line 1, column 1: the file is empty\n  help: a robot is an XML file with the root `<robot>` (URDF) or `<mujoco>` \
         (MJCF)"
    );
    assert_eq!(
        mistakes("solid mesh"),
        "line 1, column 1: not valid XML: unknown token"
    );
    assert_eq!(
        mistakes("<robot>\n  <link name=\"a\">\n</robot>"),
        "line 3, column 1: not valid XML: expected 'link' tag, not 'robot'"
    );
    assert_eq!(
        mistakes("<sdf/>"),
        "line 1, column 1: the root is `<sdf>`, which is neither URDF nor MJCF\n  help: the root of URDF is `<robot>`, that of \
         MJCF `<mujoco>`"
    );
}

#[test]
fn xacro_is_refused_with_the_command_to_run() {
    let help = "\n  help: run xacro first: `xacro robot.urdf.xacro > robot.urdf`";
    let root = "<robot xmlns:xacro=\"http://www.ros.org/wiki/xacro\">\n<xacro:property name=\"l\" value=\"1\"/></robot>";
    let message = "line 2, column 1: this is a xacro file, whose macros are not expanded yet";
    assert_eq!(mistakes(root), message.to_owned() + help);
    let undeclared = "<robot>\n <xacro:include filename=\"x\"/></robot>";
    assert_eq!(
        mistakes(undeclared),
        "line 2, column 3: this is a xacro file, whose macros are not expanded yet".to_owned()
            + help
    );
    let expression = robot("<link name=\"a\"><inertial><mass value=\"${m/2}\"/></inertial></link>");
    assert_eq!(
        expression,
        "line 2, column 39: `${m/2}` is an expression of xacro".to_owned() + help
    );
}

#[test]
fn joints_that_form_no_tree_are_refused() {
    let help = "\n  help: URDF is a tree; write a joint that closes a loop as `<loop_joint>`";
    assert_eq!(
        robot(&(link("a") + &link("b"))),
        "line 3, column 13: the links `a` and `b` are both roots: no joint moves them\n  help: connect `b` to the rest by a \
         joint, `floating` if it moves freely"
    );
    let pair = link("a") + &link("b");
    assert_eq!(
        robot(&(pair.clone() + &joint("j", "a", "b") + &joint("k", "b", "a"))),
        "line 2, column 13: every link is the child of a joint: the joints form a cycle".to_owned()
            + help
    );
    let cycle = link("root") + &pair + &joint("j", "a", "b") + &joint("k", "b", "a");
    assert_eq!(
        robot(&cycle),
        "line 3, column 13: the link `a` is its own ancestor: its joints form a cycle".to_owned()
            + help
    );
    let twice = pair + &link("c") + &joint("j", "a", "c") + &joint("k", "b", "c");
    assert_eq!(
        robot(&twice),
        "line 6, column 66: the link `c` is the child of two joints, `j` and `k`".to_owned() + help
    );
    assert_eq!(
        robot(&(link("hand") + &link("arm") + &joint("j", "hnd", "arm"))),
        "line 4, column 49: the joint `j` names the link `hnd`, which does not exist; did you mean `hand`?"
    );
}

#[test]
fn incomplete_elements_are_refused() {
    let cases = [
        (
            "<joint name=\"j\" type=\"fixed\"><child link=\"a\"/></joint>",
            "line 2, column 1: the joint `j` has no `<parent>`\n  help: write `<parent link=\"…\"/>` in it",
        ),
        (
            "<link/>",
            "line 2, column 1: `<link>` has no `name`\n  help: write `<link name=\"…\">`",
        ),
        (
            "<link name=\"a\"/>\n<link name=\"a\"/>",
            "line 3, column 13: there are two links with the name `a`\n  help: give each link a name of its own",
        ),
        (
            "<joint name=\"j\" type=\"rotary\"><parent link=\"a\"/><child link=\"b\"/></joint>",
            "line 2, column 23: `rotary` is not a type of joint\n  help: the types are revolute, continuous, prismatic, fixed, \
             floating, planar",
        ),
        (
            "<link name=\"a\"><inertial/></link>",
            "line 2, column 16: the `<inertial>` of `a` has no `<mass>`\n  help: write `<mass value=\"…\"/>` in it, or leave it \
             out for a link without mass",
        ),
        (
            "",
            "line 1, column 1: the robot has no link\n  help: write `<link name=\"…\">` in `<robot>`",
        ),
        (
            "<link name=\"a\"/>",
            "line 1, column 1: nothing in this robot moves\n  help: give it a joint that moves, or import with `--floating`",
        ),
    ];
    for (elements, message) in cases {
        assert_eq!(robot(elements), message, "{elements}");
    }
}

#[test]
fn numbers_that_are_none_are_refused() {
    let with = |mass: &str| {
        robot(&format!(
            "<link name=\"a\"><inertial><mass value=\"{mass}\"/></inertial></link>"
        ))
    };
    assert_eq!(
        with("nan"),
        "line 2, column 39: `nan` is not a finite number"
    );
    assert_eq!(
        with("1e999"),
        "line 2, column 39: `1e999` is not a finite number"
    );
    assert_eq!(with("heavy"), "line 2, column 39: `heavy` is not a number");
    assert_eq!(
        with("1 2"),
        "line 2, column 39: `value` has 2 numbers instead of 1"
    );
    assert_eq!(with("-1"), "line 2, column 39: the mass of `a` is negative");
    let axis = "<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><axis xyz=\"0 0 0\"/></joint>";
    assert_eq!(
        robot(&(link("a") + &link("b") + axis)),
        "line 4, column 79: the axis has no direction\n  help: write a unit vector: `<axis xyz=\"0 0 1\"/>`"
    );
}

/// All mistakes are reported, each once.
#[test]
fn several_mistakes_are_reported_together() {
    let found = robot("<link/>\n<joint name=\"j\" type=\"screw\"><parent link=\"a\"/></joint>");
    let lines: Vec<&str> = found
        .lines()
        .filter(|line| line.starts_with("line"))
        .collect();
    assert_eq!(
        lines,
        [
            "line 2, column 1: `<link>` has no `name`",
            "line 3, column 1: the joint `j` has no `<child>`",
            "line 3, column 23: `screw` is not a type of joint",
        ]
    );
}

#[test]
fn mimicry_without_a_leader_is_refused() {
    let pair = link("a") + &link("b") + &link("c");
    let mimic = |name: &str, child: &str, of: &str| {
        let joint = joint(name, "a", child);
        joint.replace("</joint>", &format!("<mimic joint=\"{of}\"/></joint>"))
    };
    assert_eq!(
        robot(&(pair.clone() + &joint("knee", "a", "b") + &mimic("j", "c", "kne"))),
        "line 6, column 84: `j` mimics the joint `kne`, which does not exist; did you mean `knee`?"
    );
    assert_eq!(
        robot(&(pair.clone() + &mimic("j", "b", "k") + &mimic("k", "c", "j"))),
        "line 5, column 14: `j` mimics itself, perhaps through other joints\n  help: let one of these joints move freely"
    );
}

/// A motion without kinetic energy has no acceleration.
#[test]
fn joints_that_move_no_mass_are_refused() {
    let help = "\n  help: give the links after it a mass, make the joint `fixed`, or import with `--fix j`";
    assert_eq!(
        robot(&(link("a") + "<link name=\"b\"/>\n" + &joint("j", "a", "b"))),
        "line 4, column 14: no mass moves with the joint `j`".to_owned() + help
    );
    // A particle on the axis of the last joint, and two hinges about one axis with nothing between them.
    let both = link("a") + "<link name=\"b\"/><link name=\"c\"/>\n";
    assert_eq!(
        robot(&(both + &joint("j", "a", "b") + &joint("k", "a", "c"))),
        "line 4, column 14: no mass moves with the joint `j`\nline 5, column 14: no mass moves with the joint `k`".to_owned()
            + &help.replace("the joint ", "the joints ").replace("fix j", "fix j,k"),
    );
    let particle = "<link name=\"b\"><inertial><mass value=\"1\"/></inertial></link>\n";
    assert_eq!(
        robot(&(link("a") + particle + &joint("j", "a", "b"))),
        "line 4, column 14: no mass moves with the joint `j`".to_owned() + help
    );
    let between = "<link name=\"b\"/>\n".to_owned()
        + &link("c")
        + &joint("j", "a", "b")
        + &joint("k", "b", "c");
    assert_eq!(
        robot(&(link("a") + &between)),
        "line 5, column 14: the joint `j` and others after it can move together without moving any mass".to_owned() + help
    );
    let options = Options {
        floating: true,
        ..Options::new("robot.urdf")
    };
    let trunk = "<robot><link name=\"trunk\"/></robot>";
    assert_eq!(
        import(trunk, &options).unwrap_err().to_string(),
        "line 1, column 20: `trunk` moves freely, but has no mass or no possible inertia\n  help: give it an `<inertial>` with a \
         mass and positive moments of inertia"
    );
}

/// Two hinges about one axis without mass between them: the second follows the first, k = c j. The link behind turns by (1 + c) j.
#[test]
fn followers_move_mass_or_not() {
    let file = |multiplier: &str, last: &str| {
        let follower = joint("k", "b", "c").replace(
            "</joint>",
            &format!("<mimic joint=\"j\" multiplier=\"{multiplier}\"/></joint>"),
        );
        link("a") + "<link name=\"b\"/>\n" + last + &joint("j", "a", "b") + &follower
    };
    assert_eq!(robot(&file("0.5", &link("c"))), "");
    assert_eq!(robot(&file("-0.999", &link("c"))), "");
    let help = "\n  help: give the links after it a mass, make the joint `fixed`, or import with `--fix j`";
    let together = "line 5, column 14: the joint `j` and others after it can move together without moving any mass";
    assert_eq!(robot(&file("-1", &link("c"))), together.to_owned() + help);
    let none = "line 5, column 14: no mass moves with the joint `j`";
    assert_eq!(
        robot(&file("0.5", "<link name=\"c\"/>\n")),
        none.to_owned() + help
    );
}

#[test]
fn loops_are_checked() {
    let tree = link("a") + &link("b") + &joint("j", "a", "b");
    let closed = |inside: &str| robot(&(tree.clone() + inside));
    assert_eq!(
        closed("<loop_joint name=\"l\" type=\"revolute\"><link1 link=\"a\"/></loop_joint>"),
        "line 5, column 1: the loop `l` has 1 links instead of two\n  help: write `<link1 link=\"…\" xyz=\"…\"/>` and `<link2 \
         link=\"…\" xyz=\"…\"/>` in it"
    );
    assert_eq!(
        closed(
            "<loop_joint name=\"l\" type=\"screw\"><link1 link=\"a\"/><link2 link=\"b\"/></loop_joint>"
        ),
        "line 5, column 28: `screw` is not a type of loop\n  help: the types are revolute, prismatic, cylindrical, spherical, \
         fixed"
    );
    assert_eq!(
        closed(
            "<loop_joint name=\"l\" type=\"fixed\"><link1 link=\"a\"/><link2 link=\"q\"/></loop_joint>"
        ),
        "line 5, column 65: there is no link `q`"
    );
    let options = Options {
        loops: Some("<robot>\n<loop_joint name=\"l\"/></robot>".to_owned()),
        ..Options::new("robot.urdf")
    };
    let file = format!("<robot>{tree}</robot>");
    assert_eq!(
        import(&file, &options).unwrap_err().to_string(),
        "file of loops, line 2, column 1: `<loop_joint>` has no `type`\n  help: write `<loop_joint type=\"…\">`"
    );
}

/// Files that say nothing wrong about what is not taken over: meshes need not exist.
#[test]
fn what_is_not_taken_over_is_listed() {
    let extra = "<gazebo reference=\"a\"/>\n<sensor name=\"s\"/>\n<gazebo/>";
    let mesh =
        "<visual><geometry><mesh filename=\"package://none/a.stl\"/></geometry></visual></link>";
    let file = link("a").replace("</link>", mesh) + &link("b") + &joint("j", "a", "b") + extra;
    let imported = import(&format!("<robot>\n{file}</robot>"), &Options::new("r.urdf"));
    let imported = imported.unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let expected = [
        "<gazebo>, 2 times (from line 5)",
        "<sensor> (line 6)",
        "<visual> (line 2)",
    ];
    assert_eq!(imported.not_taken_over, expected);
    for line in expected {
        assert!(imported.text.contains(&format!("// - {line}\n")));
    }
}

/// The mass of a body that is fixed to the world does not matter.
/// Prefixes that nobody declares are those of other programs. Places after them remain.
#[test]
fn prefixes_need_no_declaration() {
    let moving = joint("j", "a", "b").replace("continuous", "revolute");
    let moving = moving.replace(
        "</joint>",
        "<limit drake:acceleration=\"2\" lower=\"-1\" upper=\"1\"/></joint>",
    );
    let file = link("a") + "<drake:a b=\"drake:c\">drake:d</drake:a>\n" + &link("b");
    let file = format!("<robot>\n{file}{moving}{{}}</robot>");
    let imported = import(&file.replace("{}", ""), &Options::new("r.urdf"));
    let imported = imported.unwrap_or_else(|mistakes| panic!("{mistakes}"));
    assert_eq!(
        imported.not_taken_over,
        [
            "<drake:a> (line 3)",
            "`drake:acceleration` of <limit> (line 5)"
        ]
    );
    assert!(imported.text.contains("from −1 to 1 rad"));
    assert_eq!(
        mistakes(&file.replace("{}", "<drake:a/><link/>")),
        "line 6, column 11: `<link>` has no `name`\n  help: write `<link name=\"…\">`"
    );
}

/// Limits of zero, and a joint that mimics but is fixed, as exporters write them.
#[test]
fn what_exporters_leave_behind_does_nothing() {
    let limited = joint("j", "a", "b").replace(
        "\"continuous\">",
        "\"revolute\"><limit lower=\"0\" upper=\"0\" effort=\"0\" velocity=\"0\"/>",
    );
    let held = joint("k", "b", "c").replace("continuous", "fixed");
    let held = held.replace("</joint>", "<mimic joint=\"j\"/></joint>");
    let file = link("a") + &link("b") + &link("c") + &limited + &held;
    let imported = import(&format!("<robot>\n{file}</robot>"), &Options::new("r.urdf"));
    let imported = imported.unwrap_or_else(|mistakes| panic!("{mistakes}"));
    assert_eq!(
        imported.not_taken_over,
        ["<mimic> of a fixed joint (line 6)"]
    );
    assert!(!imported.text.contains("LOWER"), "{}", imported.text);
}

/// Springs and actuators of spatial tendons go with them.
#[test]
fn what_spatial_tendons_do_is_listed() {
    let bodies = "<worldbody><body><joint name=\"j\"/><geom size=\"0.1\"/></body></worldbody>";
    let tendons = "<tendon><spatial name=\"rope\"/><fixed name=\"sum\" range=\"0 1\" stiffness=\"2\" springlength=\"0 1\"><joint joint=\"j\" \
                   coef=\"1\"/></fixed></tendon>";
    let others = "<equality><tendon tendon1=\"rope\"/></equality><actuator><motor tendon=\"rope\"/><motor \
                  jointinparent=\"j\"/></actuator>";
    let file = format!("<mujoco>{bodies}\n{tendons}\n{others}</mujoco>");
    let imported = import(&file, &Options::new("r.xml"));
    let imported = imported.unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let expected = [
        "<motor> (line 3)",
        "<spatial> (line 2)",
        "<tendon> (line 3)",
        "`stiffness` of <fixed> with a range without any force (line 2)",
        "`range` of <fixed> (line 2)",
    ];
    assert_eq!(imported.not_taken_over, expected);
    assert_eq!(imported.robot.actuators.len(), 1);
}

#[test]
fn contradicting_limits_are_noted() {
    let limited = joint("j", "a", "b").replace(
        "continuous\">",
        "revolute\"><limit lower=\"1\" upper=\"0.5\"/>",
    );
    let file = format!("<robot>{}{}{limited}</robot>", link("a"), link("b"));
    let imported = import(&file, &Options::new("r.urdf"));
    let imported = imported.unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let note = "the lower limit of `j`, 1, is greater than the upper one, 0.5";
    assert_eq!(imported.notes, [note]);
}

#[test]
fn meshes_of_a_fixed_base_need_no_inertia() {
    let base = "<worldbody><body><geom type=\"mesh\" mesh=\"m\"/><body><joint/><geom size=\"0.1\"/></body></body></worldbody>";
    assert_eq!(mistakes(&format!("<mujoco>{base}</mujoco>")), "");
}

#[test]
fn options_of_mjcf_are_listed() {
    let imported = crate::model::imported("gripper.xml", &Options::new("gripper.xml"));
    let expected = [
        "`contact` of <flag> (line 4)",
        "`timestep` of <option> (line 4)",
    ];
    assert_eq!(imported.not_taken_over, expected);
}

/// Names that are no identifiers, names of the language, and names that only differ in letters that no identifier has.
#[test]
fn every_name_becomes_one_of_the_language() {
    let names = [
        "PI",
        "t",
        "g",
        "1st",
        "a-b",
        "a_b",
        "a b",
        "sin",
        "\u{e9}l\u{e9}ment",
        "at",
        "self",
        "Self",
        "slip_rate",
        "a_b_inertial",
    ];
    let mut file = link("root");
    for name in names {
        file += &link(name);
        file += &joint(name, "root", name);
    }
    let imported = import(
        &format!("<robot>{file}</robot>"),
        &Options::new("names.urdf"),
    );
    let text = imported
        .unwrap_or_else(|mistakes| panic!("{mistakes}"))
        .text;
    crate::model::Model::new(&text);
    for line in [
        "// - joint `1st`: `_1st`",
        "// - joint `a b`: `a_b_3`",
        "// - link `sin`: `sin_link`",
    ] {
        assert!(text.contains(line), "{text}");
    }
}

// ---- MJCF -------------------------------------------------------------------------------------------

/// An MJCF file with a pendulum on line 2 and these elements after it, from line 3.
fn mujoco(elements: &str) -> String {
    let body = "<worldbody><body name=\"rod\"><joint name=\"hinge\"/><geom size=\"0.1\" pos=\"0 0 1\"/></body></worldbody>";
    mistakes(&format!(
        "<mujoco>\n{}\n{elements}\n</mujoco>",
        body.replace("pos=\"0 0 1\"", "pos=\"1 0 0\"")
    ))
}

#[test]
fn mistakes_in_mjcf_show_their_line() {
    assert_eq!(mujoco(""), "");
    let cases = [
        (
            "<worldbody><body><joint type=\"screw\"/><geom size=\"1\"/></body></worldbody>",
            "line 3, column 31: `screw` is not a type of joint\n  help: the types are hinge, slide, ball, free",
        ),
        (
            "<worldbody><body><joint type=\"ball\"/><joint/><geom size=\"1\"/></body></worldbody>",
            "line 3, column 18: the ball joint `body_2_joint_1` shares the body `body_2` with other joints\n  help: give each its \
             own body",
        ),
        (
            "<worldbody><body><geom size=\"1\"/><body><freejoint/><geom size=\"1\"/></body></body></worldbody>",
            "line 3, column 40: the body `body_3` moves freely inside of another one\n  help: put it into `<worldbody>`",
        ),
        (
            "<worldbody><body><joint axis=\"1 0 0\"/><geom type=\"mesh\" mesh=\"m\"/></body></worldbody>",
            "line 3, column 39: the mass of a mesh is not computed\n  help: give its body an `<inertial>`, or write `mass=\"0\"` if \
             the mass is elsewhere",
        ),
        (
            "<worldbody><body><joint class=\"hing\"/><geom size=\"1\"/></body></worldbody>",
            "line 3, column 32: there is no class `hing`\n  help: write `<default class=\"…\">` in `<default>`",
        ),
        (
            "<worldbody><body name=\"rod\"><geom size=\"1\"/></body></worldbody>",
            "line 3, column 24: there are two bodies with the name `rod`\n  help: give each body a name of its own",
        ),
        (
            "<worldbody><body quat=\"0 0 0 0\"/></worldbody>",
            "line 3, column 24: the quaternion is zero\n  help: no rotation is `1 0 0 0`",
        ),
        (
            "<worldbody><replicate count=\"3\"/></worldbody>",
            "line 3, column 12: `<replicate>` generates bodies, which are not read\n  help: load the file in MuJoCo and save it \
             by `mj_saveLastXML`",
        ),
        (
            "<compiler eulerseq=\"xya\"/>",
            "line 3, column 21: `xya` is no sequence of axes\n  help: write three of x, y, z, in capitals for fixed axes: `xyz`",
        ),
        (
            "<equality><joint joint1=\"hing\"/></equality>",
            "line 3, column 26: there is no joint `hing`; did you mean `hinge`?",
        ),
        (
            "<equality><connect body1=\"rd\" anchor=\"0 0 0\"/></equality>",
            "line 3, column 27: there is no body `rd`",
        ),
        (
            "<worldbody><site name=\"grip\"/></worldbody><equality><weld site1=\"grip\" site2=\"gripp\"/></equality>",
            "line 3, column 79: there is no site `gripp`; did you mean `grip`?",
        ),
        (
            "<worldbody><body><joint/><geom type=\"box\" size=\"1 2\"/></body></worldbody>",
            "line 3, column 26: the box needs 3 positive numbers\n  help: write `size=\"…\"`",
        ),
        (
            "<tendon><fixed name=\"curl\"><joint joint=\"hinge\"/></fixed></tendon>",
            "line 3, column 28: `<joint>` has no `coef`\n  help: write `<joint coef=\"…\">`",
        ),
        (
            "<tendon><fixed name=\"curl\"/></tendon><actuator><motor tendon=\"curled\"/></actuator>",
            "line 3, column 63: there is no tendon `curled`; did you mean `curl`?",
        ),
        (
            "<equality><joint joint1=\"hinge\" joint2=\"hinge\"/></equality>",
            "line 3, column 11: the joint `hinge` follows itself, perhaps through other joints\n  help: let one of these joints \
             move freely",
        ),
        (
            "<actuator><motor joint=\"arm\"/></actuator>",
            "line 3, column 25: there is no joint `arm`",
        ),
    ];
    for (elements, message) in cases {
        assert_eq!(mujoco(elements), message, "{elements}");
    }
}
