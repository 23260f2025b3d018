//! The robots of the URDF files in MJCF, and what only MJCF has.

use std::f64::consts::PI;
use std::path::Path;

use constraint_import::{Options, import};
use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

use crate::dynamics::{
    NOTHING, Y, check, check_four_bar, check_place, diagonal, floating_walker, hinge, link, model,
    moving_parts, spatial_arm, two_link,
};
use crate::model::{Model, assert_close, file, imported, noise};
use crate::newton_euler::By;

#[test]
fn two_links_of_mjcf_are_those_of_urdf() {
    let model = model("two_link.xml");
    check(&model, &two_link(), 2, |v| {
        vec![0.7 * v[0] + 0.2 * (v[0] / 0.01).tanh(), 0.0]
    });
}

/// Each rotation is written in another notation.
#[test]
fn rotated_frames_of_mjcf_are_those_of_urdf() {
    let model = model("spatial_arm.xml");
    check(&model, &spatial_arm(), 3, |v| vec![0.0, 0.4 * v[1], 0.0]);
    check_place(&model, &spatial_arm(), 3, 5);
}

#[test]
fn a_free_joint_of_mjcf_is_a_floating_root_of_urdf() {
    let text = imported("walker.xml", &Options::new("walker.xml")).text;
    assert_eq!(moving_parts(&text), moving_parts(&floating_walker()));
}

/// The rocker turns about a point away from its frame, from an angle of 30°.
#[test]
fn a_linkage_closed_by_connect_moves_as_newton_and_euler_say() {
    let links = [
        link(
            None,
            (NOTHING, NOTHING),
            hinge(Y, 0),
            (1.0, [0.0, 0.0, 0.1], diagonal(0.004, 0.004, 0.001)),
        ),
        link(
            Some(0),
            ([0.0, 0.0, 0.2], NOTHING),
            hinge(Y, 1),
            (2.0, [0.225, 0.0, 0.05], diagonal(0.002, 0.03, 0.03)),
        ),
        link(
            None,
            ([0.5, 0.0, 0.0], NOTHING),
            By::Hinge(Y, 2, 1.0, -PI / 6.0),
            (1.5, [-0.05, 0.0, 0.2], diagonal(0.02, 0.02, 0.001)),
        ),
    ];
    let text = imported("four_bar.xml", &Options::new("four_bar.xml")).text;
    assert!(!text.contains("CLOSED"), "it is closed as drawn");
    check_four_bar(&text, &links, [[0.45, 0.0, 0.1], [-0.05, 0.0, 0.3]]);
}

/// The call that an import writes, without the comment above it.
fn call(text: &str) -> String {
    let text = import(text, &Options::new("m.xml")).unwrap_or_else(|it| panic!("{it}"));
    let (_, call) = text.text.split_once("system!").expect("a call");
    call.to_owned()
}

/// `connect` holds the origins of two sites together, `weld` their frames, too.
#[test]
fn equalities_of_sites_are_those_of_bodies() {
    let by_anchor = file("four_bar.xml");
    let anchor = "body1=\"coupler\" body2=\"rocker\" anchor=\"0.45 0 0.1\"";
    assert!(by_anchor.contains(anchor));
    let with_sites = |ends: [&str; 2], equality: &str| {
        let [coupler, rocker] = ends.map(|it| format!("{it}</body>"));
        let bodies = by_anchor.replacen("</body>", &coupler, 1);
        let (first, last) = bodies.rsplit_once("</body>").expect("the rocker");
        let (last, _) = last.split_once("<connect").expect("a loop");
        format!("{first}{rocker}{last}{equality}</equality></mujoco>")
    };
    // The rocker's frame is at [0.4, 0, 0.1], the coupler's at [0, 0, 0.2]; a turned site has the same origin.
    let sites = [
        "<site name=\"a\" pos=\"0.45 0 0.1\" euler=\"0 30 0\"/>",
        "<frame pos=\"0.05 0 0\"><site name=\"b\" pos=\"0 0 0.2\"/></frame>",
    ];
    let by_sites = with_sites(sites, "<connect name=\"close\" site1=\"a\" site2=\"b\"/>");
    assert_eq!(call(&by_sites), call(&by_anchor));

    let quaternion = "0.8 0 0.6 0";
    let weld = |ends: &str| format!("<weld name=\"w\" {ends}/>");
    let relative = format!("body1=\"coupler\" body2=\"rocker\" relpose=\"0.1 0 0.2 {quaternion}\"");
    let site = format!("<site name=\"a\" pos=\"0.1 0 0.2\" quat=\"{quaternion}\"/>");
    let sites = [site.as_str(), "<site name=\"b\"/>"];
    assert_eq!(
        call(&with_sites(sites, &weld("site1=\"a\" site2=\"b\""))),
        call(&with_sites(["", ""], &weld(&relative)))
    );
}

/// T = ½ m(q) q̇² of one coordinate: m q̈ = F − ½ m′ q̇², by hand.
#[test]
fn couplings_springs_rotors_and_servos_act_as_by_hand() {
    let model = model("gripper.xml");
    for i in 0..20 {
        let (q, v) = (0.1 * noise(i), noise(i + 20));
        let x = q - 0.02;
        let angle = 0.3 - 12.5 * x + 5.0 * x * x;
        let (slope, curvature) = (-12.5 + 10.0 * x, 10.0);
        let (sin, cos) = angle.sin_cos();
        let [y, z] = [0.01 * cos - 0.02 * sin, 0.01 * sin + 0.02 * cos];
        let tip = (1.0 + slope * z).powi(2) + (slope * y).powi(2);
        let tip_slope = 2.0 * (1.0 + slope * z) * (curvature * z + slope * slope * y)
            + 2.0 * slope * y * (curvature * y - slope * slope * z);
        // The masses of the file, 0.5 together, are doubled by `settotalmass`; rotors are no mass.
        let mass = (0.4 + 0.3) + (0.4 + 0.1) + 0.2 * tip + 4e-5 * slope * slope;
        let mass_slope = 0.2 * tip_slope + 4e-5 * 2.0 * slope * curvature;
        // Servo through a gear of 2, velocity servo, affine bias through a gear of −1.5 with a limit; damping, spring.
        let bent: f64 = 1.0 - 2.0 * (-1.5 * q) - 4.0 * (-1.5 * v);
        let servos = (-400.0 * q - 28.0 * v) - 0.5 * v - 1.5 * bent.clamp(-1.0, 1.0);
        let force = servos - 3.0 * v - 40.0 * (q - 0.03);
        let expected = (force - 0.5 * mass_slope * v * v) / mass;
        assert_close(
            &model.call("acceleration", &[q], &[v], &[]),
            &[expected],
            1e-11,
        );
    }
}

/// Two slides, whose tendons are p − q/2 and p + 3 q: m₁ p̈ = Σ F ∂L/∂p, m₂ q̈ = Σ F ∂L/∂q.
#[test]
fn fixed_tendons_pull_on_their_joints() {
    let slide = |name: &str, mass: f64, more: &str| {
        format!(
            "<body><joint name=\"{name}\" type=\"slide\" axis=\"1 0 0\" {more}/><geom size=\"0.1\" mass=\"{mass}\"/></body>"
        )
    };
    let bodies = slide("p", 2.0, "ref=\"0.3\"") + &slide("q", 3.0, "");
    let tendon = |name: &str, by: f64, more: &str| {
        format!(
            "<fixed name=\"{name}\" {more}><joint joint=\"p\" coef=\"1\"/><joint joint=\"q\" coef=\"{by}\"/></fixed>"
        )
    };
    let tendons = tendon(
        "a",
        -0.5,
        "stiffness=\"8\" springlength=\"0.2\" class=\"dry\"",
    ) + &tendon("b", 3.0, "");
    let file = |equality: &str| {
        format!(
            "<mujoco><option gravity=\"0 0 0\"/><default><tendon damping=\"0.4\"/><default class=\"dry\"><tendon \
             frictionloss=\"0.1\"/></default></default><worldbody>{bodies}</worldbody><tendon>{tendons}</tendon>{equality}<actuator>\
             <position name=\"servo\" tendon=\"b\" kp=\"5\" gear=\"2\" forcerange=\"-3 3\"/></actuator></mujoco>"
        )
    };
    let text = |equality: &str| {
        let imported = import(&file(equality), &Options::new("m.xml"));
        imported
            .unwrap_or_else(|mistakes| panic!("{mistakes}"))
            .text
    };
    let model = Model::new(&text(""));
    let lengths = |p: f64, q: f64| [p - 0.5 * q, p + 3.0 * q];
    for i in 0..20 {
        let [q, v] = [noise(i), noise(i + 50)].map(|it| [it, noise(i + 90) - it]);
        let ([a, b], [a_rate, b_rate]) = (lengths(q[0], q[1]), lengths(v[0], v[1]));
        let along_a = -8.0 * (a - 0.2) - 0.4 * a_rate - 0.1 * (a_rate / 0.01).tanh();
        let along_b = 2.0 * (-5.0 * 2.0 * b).clamp(-3.0, 3.0) - 0.4 * b_rate;
        let expected = [
            (along_a + along_b) / 2.0,
            (-0.5 * along_a + 3.0 * along_b) / 3.0,
        ];
        assert_close(&model.call("acceleration", &q, &v, &[]), &expected, 1e-13);
    }
    // As drawn p is 0.3: a − 0.3 = 0.1 + 2 (b − 0.3) + 4 (b − 0.3)².
    let coupled =
        "<equality><tendon tendon1=\"a\" tendon2=\"b\" polycoef=\"0.1 2 4 0 0\"/></equality>";
    let model = Model::new(&text(coupled));
    for i in 0..20 {
        let q = [noise(i), noise(i + 20)];
        let [a, b] = lengths(q[0], q[1]);
        let off = a - 0.3 - 0.1 - 2.0 * (b - 0.3) - 4.0 * (b - 0.3) * (b - 0.3);
        assert_close(&model.call("constraint", &q, &q, &[]), &[off], 1e-13);
    }
}

/// What acts on held joints does nothing, neither on one that an equality holds nor on tendons of fixed ones.
#[test]
fn what_drives_held_joints_is_left_out() {
    let body = |name: &str, more: &str| {
        format!(
            "<body><joint name=\"{name}\" axis=\"0 1 0\" {more}/><geom size=\"0.1\" pos=\"1 0 0\"/></body>"
        )
    };
    let bodies = body("free", "damping=\"2\"")
        + &body(
            "held",
            "damping=\"2\" stiffness=\"3\" armature=\"1\" frictionloss=\"1\"",
        )
        + &body("fixed", "damping=\"2\"");
    let file = format!(
        "<mujoco><worldbody>{bodies}</worldbody><tendon><fixed name=\"a\" damping=\"1\"><joint joint=\"held\" coef=\"2\"/><joint \
         joint=\"fixed\" coef=\"1\"/></fixed></tendon><equality><joint joint1=\"held\" polycoef=\"0.5 0 0 0 0\"/><tendon name=\"e\" \
         tendon1=\"a\"/></equality><actuator><motor name=\"m\" joint=\"held\"/><motor name=\"n\" tendon=\"a\"/><motor name=\"o\" \
         joint=\"free\"/></actuator></mujoco>"
    );
    let options = Options {
        fix: vec!["fixed".to_owned()],
        ..Options::new("m.xml")
    };
    let imported = import(&file, &options).unwrap_or_else(|it| panic!("{it}"));
    for name in ["actuator `m`", "actuator `n`", "equality `e`"] {
        let is_noted = imported
            .notes
            .iter()
            .any(|it| it.starts_with(&format!("the {name}")));
        assert!(is_noted, "{:?}", imported.notes);
    }
    // One pendulum remains: the moment of inertia of a ball about the hinge, its weight.
    let model = Model::new(&imported.text);
    let mass = 1000.0 * 4.0 / 3.0 * PI * 0.001;
    let inertia = mass * (1.0 + 0.4 * 0.01);
    let expected = (9.81 * mass * f64::cos(0.3) - 2.0 * 0.7) / inertia;
    assert_close(
        &model.call("acceleration", &[0.3], &[0.7], &[]),
        &[expected],
        1e-12,
    );
}

/// A build script runs again when an included file changes.
#[test]
fn included_files_are_named() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("included");
    std::fs::create_dir_all(&folder).expect("a folder");
    let rod = "<mujoco><body><joint/><geom size=\"0.1\" pos=\"0 1 0\"/></body></mujoco>";
    std::fs::write(folder.join("rod.xml"), rod).expect("a file");
    let file = "<mujoco><worldbody><include file=\"rod.xml\"/></worldbody></mujoco>";
    let options = Options {
        folder: Some(folder.clone()),
        ..Options::new("m.xml")
    };
    let imported = import(file, &options).unwrap_or_else(|it| panic!("{it}"));
    assert_eq!(imported.included, [folder.join("rod.xml")]);
}

/// A joint that is fixed adds a constant to its tendons.
#[test]
fn tendons_keep_the_length_of_fixed_joints() {
    let slide = |name: &str, more: &str| {
        format!("<body><joint name=\"{name}\" type=\"slide\" {more}/><geom size=\"0.1\"/></body>")
    };
    let file = format!(
        "<mujoco><worldbody>{}{}</worldbody><tendon><fixed name=\"a\"><joint joint=\"p\" coef=\"2\"/><joint joint=\"q\" \
         coef=\"-1\"/></fixed></tendon></mujoco>",
        slide("p", "ref=\"0.3\""),
        slide("q", "")
    );
    let options = Options {
        fix: vec!["p".to_owned()],
        ..Options::new("m.xml")
    };
    let imported = import(&file, &options).unwrap_or_else(|it| panic!("{it}"));
    assert!(
        imported.text.contains("let a = -q + 0.6;"),
        "{}",
        imported.text
    );
}

/// The parts of `bob.xml`: mass, centre, principal moments in axes parallel to the body's.
fn parts_of_bob() -> [(f64, Vector3<f64>, Vector3<f64>); 5] {
    let solid = |mass: f64, centre: [f64; 3], per_mass: [f64; 3]| {
        (mass, Vector3::from(centre), mass * Vector3::from(per_mass))
    };
    let [a, b, c]: [f64; 3] = [0.1, 0.05, 0.02];
    let plank = [b * b + c * c, a * a + c * c, a * a + b * b].map(|x| x / 3.0);
    let ball = 0.4 * 0.03 * 0.03;
    let rod = 0.02 * 0.02 / 4.0 + 0.1 * 0.1 / 3.0;
    // A capsule along x of radius r and half length h: rod and two half balls by volume.
    let (r, h): (f64, f64) = (0.02, 0.1);
    let caps = (4.0 / 3.0 * r) / (4.0 / 3.0 * r + 2.0 * h);
    let along = (1.0 - caps) * r * r / 2.0 + caps * 0.4 * r * r;
    let across =
        (1.0 - caps) * (r * r / 4.0 + h * h / 3.0) + caps * (0.4 * r * r + h * h + 0.75 * r * h);
    // Turned by 90° about z, the first two axes of the ellipsoid change places.
    let [x, y, z]: [f64; 3] = [0.02, 0.03, 0.01];
    let ellipsoid = [y * y + z * z, x * x + z * z, x * x + y * y].map(|x| x / 5.0);
    [
        solid(500.0 * 8.0 * a * b * c, NOTHING, plank),
        solid(0.3, [0.1, 0.0, 0.0], [ball; 3]),
        solid(
            1000.0 * PI * 0.02 * 0.02 * 0.2,
            [0.0, 0.0, 0.1],
            [rod, rod, 0.02 * 0.02 / 2.0],
        ),
        solid(0.2, [0.1, 0.1, 0.0], [along, across, across]),
        solid(
            1000.0 * 4.0 / 3.0 * PI * x * y * z,
            [0.0, -0.1, 0.0],
            ellipsoid,
        ),
    ]
}

/// A body of geoms on a ball joint: I α + ω×I ω = c×m g about the joint.
#[test]
fn geoms_on_a_ball_joint_swing_as_euler_says() {
    let model = model("bob.xml");
    let parts = parts_of_bob();
    let mass: f64 = parts.iter().map(|it| it.0).sum();
    let centre = parts.iter().map(|it| it.0 * it.1).sum::<Vector3<f64>>() / mass;
    let hook = Vector3::new(0.0, 0.0, 0.2);
    let about = |point: Vector3<f64>| {
        parts
            .iter()
            .fold(Matrix3::zeros(), |sum, (mass, centre, moments)| {
                let r = centre - point;
                let far = Matrix3::identity() * r.dot(&r) - r * r.transpose();
                sum + Matrix3::from_diagonal(moments) + *mass * far
            })
    };
    for i in 0..10 {
        let turn = Rotation3::from_euler_angles(noise(i), noise(i + 10), noise(i + 20));
        let spin = Vector3::new(noise(i + 30), noise(i + 40), noise(i + 50));
        let arm = turn * (centre - hook);
        let mut q: Vec<f64> = (Vector3::new(0.1, 0.0, 1.2) + arm).as_slice().to_vec();
        q.extend(UnitQuaternion::from(turn).coords.iter());
        let v = [spin.cross(&arm).as_slice(), spin.as_slice()].concat();
        let inertia = turn * about(hook) * turn.transpose();
        let torque = arm.cross(&Vector3::new(0.0, 0.0, -9.81 * mass));
        let turning = inertia
            .lu()
            .solve(&(torque - spin.cross(&(inertia * spin))));
        let turning = turning.expect("a regular inertia");
        let linear = turning.cross(&arm) + spin.cross(&spin.cross(&arm));
        let expected = [linear.as_slice(), turning.as_slice()].concat();
        assert_close(&model.call("acceleration", &q, &v, &[]), &expected, 1e-11);
        // The whole inertia about the centre, too.
        let a = [0.0, 0.0, 0.0, spin.x, spin.y, spin.z];
        let own = turn * about(centre) * turn.transpose() * spin;
        let expected = [&[0.0; 3], own.as_slice()].concat();
        assert_close(&model.call("mass_times", &q, &v, &a), &expected, 1e-12);
    }
}
