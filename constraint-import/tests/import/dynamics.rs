//! Mass matrices, forces and accelerations against Newton–Euler with the numbers of the files, copied here by hand.

use std::f64::consts::PI;

use constraint_import::Options;
use nalgebra::{DMatrix, DVector, Rotation3, UnitQuaternion, Vector3};

use crate::model::{Model, assert_close, assert_within, imported, noise};
use crate::newton_euler::{By, Frame, Link, forces, frames, mass_matrix, turned, world};

pub const NOTHING: [f64; 3] = [0.0; 3];
pub const X: [f64; 3] = [1.0, 0.0, 0.0];
pub const Y: [f64; 3] = [0.0, 1.0, 0.0];
pub const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// Mass, centre and inertia of a link without them.
const MASSLESS: (f64, [f64; 3], [f64; 6]) = (0.0, NOTHING, [0.0; 6]);

/// A link whose inertia has the axes of the link.
pub fn link(
    base: Option<usize>,
    (place, rpy): ([f64; 3], [f64; 3]),
    by: By,
    (mass, centre, inertia): (f64, [f64; 3], [f64; 6]),
) -> Link {
    Link {
        base,
        place,
        rpy,
        by,
        mass,
        centre,
        inertia,
        inertia_rpy: NOTHING,
    }
}

pub fn hinge(axis: [f64; 3], k: usize) -> By {
    By::Hinge(axis, k, 1.0, 0.0)
}

fn slide(axis: [f64; 3], k: usize) -> By {
    By::Slide(axis, k, 1.0, 0.0)
}

/// Three moments of inertia.
pub fn diagonal(xx: f64, yy: f64, zz: f64) -> [f64; 6] {
    [xx, 0.0, 0.0, yy, 0.0, zz]
}

/// The model of a file.
pub fn model(name: &str) -> Model {
    Model::new(&imported(name, &Options::new(name)).text)
}

/// Numbers for the i-th state: values, rates, accelerations.
pub fn random(i: usize, count: usize) -> [Vec<f64>; 3] {
    [0, 1, 2].map(|k| {
        (0..count)
            .map(|j| 2.0 * noise(90 * i + 30 * k + j))
            .collect()
    })
}

/// Compares M a, M a − h and v̇ of a robot on a fixed root at 20 states. `losses` are the forces of damping and friction.
pub fn check(model: &Model, links: &[Link], count: usize, losses: impl Fn(&[f64]) -> Vec<f64>) {
    check_with(model, links, count, 9.81, |_, v| losses(v));
}

/// The same with another gravity, and forces that depend on places.
fn check_with(
    model: &Model,
    links: &[Link],
    count: usize,
    gravity: f64,
    losses: impl Fn(&[f64], &[f64]) -> Vec<f64>,
) {
    // Torques may be small differences of large ones: of weights with arms of a metre.
    let terms = 9.81 * links.iter().map(|link| link.mass).sum::<f64>();
    for i in 0..20 {
        let [q, v, a] = random(i, count);
        let mass = mass_matrix(links, count, &q);
        let moved = &mass * DVector::from(a.clone());
        assert_within(
            &model.call("mass_times", &q, &v, &a),
            moved.as_slice(),
            1e-12,
            terms,
        );
        let lost = losses(&q, &v);
        let (mut torque, _) = forces(links, world(gravity), count, [&q, &v, &a]);
        torque
            .iter_mut()
            .zip(&lost)
            .for_each(|(x, lost)| *x += lost);
        assert_within(
            &model.call("inverse_dynamics", &q, &v, &a),
            &torque,
            1e-12,
            terms,
        );
        let (bias, _) = forces(links, world(gravity), count, [&q, &v, &vec![0.0; count]]);
        let free = -(DVector::from(bias) + DVector::from(lost));
        let inverse = mass.try_inverse().expect("a regular M");
        let found = model.call("acceleration", &q, &v, &[]);
        let expected = &inverse * free;
        assert_within(&found, expected.as_slice(), 1e-11, terms * inverse.amax());
    }
}

/// Compares an output with the place of a link.
pub fn check_place(model: &Model, links: &[Link], count: usize, link: usize) {
    for i in 0..20 {
        let [q, v, _] = random(i, count);
        let expected = frames(links, world(0.0), [&q, &v, &v])[link].place;
        assert_close(
            &model.call("outputs", &q, &v, &[]),
            expected.as_slice(),
            1e-14,
        );
    }
}

pub fn two_link() -> Vec<Link> {
    let upper = (3.0, [0.0, 0.0, 0.4], diagonal(0.16, 0.16, 0.01));
    let fore = (2.0, [0.0, 0.0, 0.3], [0.06, 0.001, 0.0, 0.063, 0.0, 0.005]);
    vec![
        link(
            None,
            ([0.0, 0.0, 0.5], [0.0, PI / 2.0, 0.0]),
            hinge(Y, 0),
            upper,
        ),
        link(Some(0), ([0.0, 0.0, 0.8], NOTHING), hinge(Y, 1), fore),
    ]
}

#[test]
fn two_links_move_as_newton_and_euler_say() {
    let model = model("two_link.urdf");
    check(&model, &two_link(), 2, |v| {
        vec![0.7 * v[0] + 0.2 * (v[0] / 0.01).tanh(), 0.0]
    });
    check_place(&model, &two_link(), 2, 1);
}

/// With the multiples of π that its rounded numbers stand for.
pub fn spatial_arm() -> Vec<Link> {
    let turret = (
        4.0,
        [0.01, -0.02, 0.1],
        [0.05, 0.001, -0.002, 0.06, 0.003, 0.04],
    );
    let arm = (3.0, [0.25, 0.01, 0.0], [0.01, 0.0, 0.002, 0.07, 0.0, 0.07]);
    let last = (1.5, [0.0, 0.0, 0.15], diagonal(0.012, 0.012, 0.002));
    let tool = (0.5, [0.03, 0.0, 0.0], diagonal(0.001, 0.002, 0.0025));
    let mut links = vec![
        link(None, ([0.1, 0.2, 0.3], [0.1, 0.2, PI]), hinge(Z, 0), turret),
        link(
            Some(0),
            ([0.0, 0.1, 0.2], [PI / 2.0, 0.0, PI / 4.0]),
            hinge([0.6, 0.0, -0.8], 1),
            arm,
        ),
        link(
            Some(1),
            ([0.5, 0.0, 0.0], [0.0, PI / 2.0, 0.0]),
            slide(Z, 2),
            last,
        ),
        link(
            Some(2),
            ([0.0, 0.0, 0.3], [0.0, 0.0, 0.25]),
            By::Fixed,
            MASSLESS,
        ),
        link(
            Some(3),
            ([0.02, 0.0, 0.05], [PI / 2.0, 0.0, 0.0]),
            By::Fixed,
            tool,
        ),
        link(Some(4), ([0.0, 0.0, 0.1], NOTHING), By::Fixed, MASSLESS),
    ];
    links[0].inertia_rpy = [0.3, 0.0, 0.0];
    links[4].inertia_rpy = [0.0, 0.4, 0.5];
    links
}

#[test]
fn rotated_frames_and_fixed_links_move_as_newton_and_euler_say() {
    let model = model("spatial_arm.urdf");
    check(&model, &spatial_arm(), 3, |v| vec![0.0, 0.4 * v[1], 0.0]);
    check_place(&model, &spatial_arm(), 3, 5);
}

/// Without exact multiples of π the digits of the file count.
#[allow(clippy::approx_constant, reason = "the digits of the file")]
#[test]
fn digits_of_the_file_are_kept_on_request() {
    let options = Options {
        exact_numbers: false,
        ..Options::new("spatial_arm.urdf")
    };
    let mut links = spatial_arm();
    links[0].rpy[2] = 3.14159;
    (links[1].rpy[0], links[1].rpy[2]) = (1.5708, 0.7854);
    links[2].rpy[1] = 1.57079632679;
    links[4].rpy[0] = 1.5707963;
    let model = Model::new(&imported("spatial_arm.urdf", &options).text);
    check(&model, &links, 3, |v| vec![0.0, 0.4 * v[1], 0.0]);
}

/// As parameters with the file's values as defaults, masses and inertias give the same motion.
#[test]
fn masses_are_parameters_on_request() {
    let options = Options {
        parameters: true,
        floating: true,
        ..Options::new("robot.urdf")
    };
    let walker = imported("walker.urdf", &options).text;
    assert!(
        walker.contains("pub left_thigh_mass: Real = 1.2,"),
        "{walker}"
    );
    assert!(
        walker.contains("let trunk = trunk_inertial * pose(-trunk_centre);"),
        "{walker}"
    );

    let options = Options {
        floating: false,
        ..options
    };
    let arm = imported("spatial_arm.urdf", &options).text;
    assert!(arm.contains("pub lift_1_damping: Real = 0.4,"), "{arm}");
    check(&Model::new(&arm), &spatial_arm(), 3, |v| {
        vec![0.0, 0.4 * v[1], 0.0]
    });
}

/// A joint that is fixed on request has no coordinate and no input.
#[test]
fn a_joint_is_fixed_on_request() {
    let options = Options {
        fix: vec!["lift-1".to_owned()],
        ..Options::new("spatial_arm.urdf")
    };
    let mut links = spatial_arm();
    links[1].by = By::Fixed;
    links[2].by = slide(Z, 1);
    let model = Model::new(&imported("spatial_arm.urdf", &options).text);
    check(&model, &links, 2, |_| vec![0.0; 2]);
}

#[test]
fn mimic_joints_share_one_coordinate() {
    let finger = (0.2, [0.0, 0.0, 0.05], diagonal(2e-4, 2e-4, 2e-5));
    let tip = (0.1, [0.0, 0.01, 0.02], diagonal(2e-5, 2e-5, 4e-6));
    let bend = By::Hinge(X, 0, -12.5, 0.3);
    let links = [
        link(None, ([0.0, 0.01, 0.1], NOTHING), slide(Y, 0), finger),
        link(
            None,
            ([0.0, -0.01, 0.1], NOTHING),
            slide([0.0, -1.0, 0.0], 0),
            finger,
        ),
        link(Some(1), ([0.0, 0.0, 0.1], NOTHING), bend, tip),
    ];
    check(&model("gripper.urdf"), &links, 1, |v| {
        vec![(3.0 + 2.0) * v[0]]
    });
}

/// The walker's trunk: the centre of mass of trunk and battery, moved by the last numbers of q, v and a.
fn trunk(q: &[f64], v: &[f64], a: &[f64], gravity: f64) -> (Frame, Frame) {
    let turn = UnitQuaternion::new_normalize(nalgebra::Quaternion::new(q[9], q[6], q[7], q[8]));
    let centre = Frame {
        turn: Rotation3::from(turn),
        place: Vector3::from_row_slice(&q[3..6]),
        velocity: Vector3::from_row_slice(&v[3..6]),
        spin: Vector3::from_row_slice(&v[6..9]),
        acceleration: Vector3::from_row_slice(&a[3..6]) + Vector3::z() * gravity,
        spin_rate: Vector3::from_row_slice(&a[6..9]),
    };
    // (8·[0.02, 0, 0.1] + 2·[−0.1, 0, 0.05])/10
    let back = Vector3::new(0.004, 0.0, -0.09);
    (centre, centre.at(back))
}

fn walker() -> Vec<Link> {
    let thigh = (1.2, [0.0, 0.0, -0.2], diagonal(0.02, 0.02, 0.002));
    let own = (8.0, [0.02, 0.0, 0.1], [0.2, 0.01, 0.0, 0.15, -0.02, 0.1]);
    let mut links = vec![
        link(None, (NOTHING, NOTHING), By::Fixed, own),
        link(
            Some(0),
            ([-0.1, 0.0, 0.05], NOTHING),
            By::Fixed,
            (2.0, NOTHING, diagonal(0.01, 0.02, 0.02)),
        ),
        link(
            Some(0),
            ([0.0, 0.1, 0.0], [0.1, 0.0, 0.0]),
            hinge(Y, 0),
            thigh,
        ),
        link(
            Some(2),
            ([0.0, 0.0, -0.4], NOTHING),
            slide([0.0, 0.0, -1.0], 1),
            (0.5, NOTHING, [0.0; 6]),
        ),
        link(
            Some(0),
            ([0.0, -0.1, 0.0], [-0.1, 0.0, 0.0]),
            hinge(Y, 2),
            thigh,
        ),
    ];
    links[0].inertia_rpy = [0.0, 0.2, 0.0];
    links
}

/// Forces on the hips and the knee, then force and torque on the trunk about the centre of mass.
fn on_walker(q: &[f64], v: &[f64], a: &[f64], gravity: f64) -> Vec<f64> {
    let (centre, root) = trunk(q, v, a, gravity);
    let (mut on_joints, [force, torque]) = forces(&walker(), root, 3, [&q[..3], &v[..3], &a[..3]]);
    on_joints.extend(force.iter());
    on_joints.extend((torque - centre.place.cross(&force)).iter());
    on_joints
}

/// The text of the walker.
pub fn floating_walker() -> String {
    let options = Options {
        floating: true,
        ..Options::new("walker.urdf")
    };
    imported("walker.urdf", &options).text
}

/// The statements of a text from the free body to the last link.
pub fn moving_parts(text: &str) -> &str {
    let start = text.find("    body trunk_inertial").expect("the trunk");
    let rest = &text[start..];
    &rest[..rest.find("\n\n").expect("an empty line")]
}

#[test]
fn a_floating_trunk_with_legs_moves_as_newton_and_euler_say() {
    let model = Model::new(&floating_walker());
    for i in 0..20 {
        let [mut q, v, a] = random(i, 10);
        let (v, a) = (&v[..9], &a[..9]);
        let length = q[6..].iter().map(|x| x * x).sum::<f64>().sqrt();
        q[6..].iter_mut().for_each(|x| *x /= length);
        assert_close(
            &model.call("inverse_dynamics", &q, v, a),
            &on_walker(&q, v, a, 9.81),
            1e-12,
        );
        let still = [0.0; 9];
        let columns = (0..9).map(|k| {
            let mut a = still;
            a[k] = 1.0;
            DVector::from(on_walker(&q, &still, &a, 0.0))
        });
        let mass = DMatrix::from_columns(&columns.collect::<Vec<_>>());
        let free = -DVector::from(on_walker(&q, v, &still, 9.81));
        let expected = mass.lu().solve(&free).expect("a regular M");
        assert_close(
            &model.call("acceleration", &q, v, &[]),
            expected.as_slice(),
            1e-10,
        );
    }
}

/// A `floating` joint under a fixed root says the same as the option for the root.
#[test]
fn a_floating_joint_is_a_free_root() {
    let root = "<link name=\"world\"/><joint name=\"free\" type=\"floating\"><parent link=\"world\"/><child \
                link=\"trunk\"/></joint></robot>";
    let file = crate::model::file("walker.urdf").replace("</robot>", root);
    let imported = constraint_import::import(&file, &Options::new("walker.urdf"));
    let text = imported
        .unwrap_or_else(|mistakes| panic!("{mistakes}"))
        .text;
    assert_eq!(moving_parts(&text), moving_parts(&floating_walker()));
}

/// A `planar` joint moves along two directions across its axis and turns about it.
#[test]
fn a_planar_joint_has_three_coordinates() {
    let file = "<robot name=\"puck\"><link name=\"table\"/><link name=\"puck\"><inertial><origin xyz=\"0.1 0 0.2\"/><mass \
                value=\"2\"/><inertia ixx=\"0.1\" ixy=\"0\" ixz=\"0.02\" iyy=\"0.2\" iyz=\"0\" izz=\"0.25\"/></inertial></link><joint \
                name=\"slip\" type=\"planar\"><parent link=\"table\"/><child link=\"puck\"/><origin rpy=\"0.5 0 0\"/><axis xyz=\"0 0 \
                1\"/></joint></robot>";
    let imported = constraint_import::import(file, &Options::new("puck.urdf"));
    let text = imported
        .unwrap_or_else(|mistakes| panic!("{mistakes}"))
        .text;
    let puck = (2.0, [0.1, 0.0, 0.2], [0.1, 0.0, 0.02, 0.2, 0.0, 0.25]);
    let links = [
        link(None, (NOTHING, [0.5, 0.0, 0.0]), slide(X, 0), MASSLESS),
        link(Some(0), (NOTHING, NOTHING), slide(Y, 1), MASSLESS),
        link(Some(1), (NOTHING, NOTHING), hinge(Z, 2), puck),
    ];
    check(&Model::new(&text), &links, 3, |_| vec![0.0; 3]);
}

/// Moments that no body has are a kinetic energy, with the same equations.
#[test]
fn impossible_inertias_are_taken_over() {
    let file = crate::model::file("two_link.urdf");
    let imported = constraint_import::import(
        &file.replace("iyy=\"0.063\"", "iyy=\"0.7\""),
        &Options::new("two_link.urdf"),
    );
    let imported = imported.unwrap_or_else(|mistakes| panic!("{mistakes}"));
    assert!(
        imported.notes[0].starts_with("`fore` has the principal moments"),
        "{:?}",
        imported.notes
    );
    let mut links = two_link();
    links[1].inertia[3] = 0.7;
    let model = Model::new(&imported.text);
    check(&model, &links, 2, |v| {
        vec![0.7 * v[0] + 0.2 * (v[0] / 0.01).tanh(), 0.0]
    });
}

fn four_bar() -> Vec<Link> {
    let crank = (1.0, [0.1, 0.0, 0.0], diagonal(0.001, 0.004, 0.004));
    let coupler = (2.0, [0.225, 0.0, 0.01], diagonal(0.002, 0.03, 0.03));
    let rocker = (1.5, [0.2, 0.0, 0.0], diagonal(0.001, 0.02, 0.02));
    vec![
        link(None, (NOTHING, NOTHING), hinge(Y, 0), crank),
        link(Some(0), ([0.2, 0.0, 0.0], NOTHING), hinge(Y, 1), coupler),
        link(None, ([0.5, 0.0, 0.0], NOTHING), hinge(Y, 2), rocker),
    ]
}

/// The ends of coupler and rocker of a four-bar linkage.
pub type Ends = [[f64; 3]; 2];

/// v̇ of M v̇ = h + Jᵀλ, J v̇ = −J̇ v, where J v is the velocity of the rocker's end less that of the coupler's.
fn four_bar_acceleration(links: &[Link], ends: Ends, q: &[f64], v: &[f64]) -> Vec<f64> {
    let apart = |v: &[f64]| {
        let frames = frames(links, world(0.0), [q, v, &[0.0; 3]]);
        let [a, b] = [0, 1].map(|k| frames[1 + k].at(ends[k].into()));
        // In the plane of the linkage.
        let plane = turned(links[0].rpy).inverse();
        let (velocity, acceleration) = (b.velocity - a.velocity, b.acceleration - a.acceleration);
        let (velocity, acceleration) = (plane * velocity, plane * acceleration);
        ([velocity.x, velocity.z], [acceleration.x, acceleration.z])
    };
    let mass = mass_matrix(links, 3, q);
    let (bias, _) = forces(links, world(9.81), 3, [q, v, &[0.0; 3]]);
    let (mut matrix, mut right) = (DMatrix::zeros(5, 5), DVector::zeros(5));
    matrix.view_mut((0, 0), (3, 3)).copy_from(&mass);
    for k in 0..3 {
        right[k] = -bias[k];
        let mut unit = [0.0; 3];
        unit[k] = 1.0;
        for (row, entry) in apart(&unit).0.into_iter().enumerate() {
            (matrix[(3 + row, k)], matrix[(k, 3 + row)]) = (entry, -entry);
        }
    }
    let bias = apart(v).1;
    (right[3], right[4]) = (-bias[0], -bias[1]);
    let solved = matrix.lu().solve(&right).expect("independent rows");
    solved.as_slice()[..3].to_vec()
}

pub fn check_four_bar(text: &str, links: &[Link], ends: Ends) {
    let model = Model::new(text);
    for i in 0..20 {
        let [q, v, _] = random(i, 3);
        let found = model.call("acceleration", &q, &v, &[]);
        assert_close(&found, &four_bar_acceleration(links, ends, &q, &v), 1e-10);
    }
}

/// Of the five rows of the closing hinge three hold in every state; both spellings of the loop say the same.
#[test]
fn a_four_bar_linkage_moves_as_newton_and_euler_say() {
    let options = Options {
        loops: Some(crate::model::file("four_bar_loops.xml")),
        ..Options::new("four_bar.urdf")
    };
    let texts = [
        imported("four_bar.urdf", &options).text,
        imported("four_bar_plus.urdf", &Options::new("four_bar.urdf")).text,
    ];
    assert_eq!(texts[0], texts[1]);
    check_four_bar(&texts[0], &four_bar(), [[0.45, 0.0, 0.0], [0.4, 0.0, 0.0]]);
}

/// In a tilted plane the rows are components along directions of the first link.
#[test]
fn a_tilted_linkage_has_as_few_rows() {
    let file = crate::model::file("four_bar_plus.urdf");
    let tilt = "rpy=\"0.3 0.4 0.5\"/>";
    let file = file.replacen(
        "<child link=\"crank\"/>",
        &format!("<child link=\"crank\"/> <origin {tilt}"),
        1,
    );
    let file = file.replacen(
        "<origin xyz=\"0.5 0 0\"/>",
        &format!("<origin xyz=\"0.5 0 0\" {tilt}"),
        1,
    );
    // The rocker's pivot lies in the tilted plane.
    let pivot = turned([0.3, 0.4, 0.5]) * Vector3::new(0.5, 0.0, 0.0);
    let place = format!("<origin xyz=\"{} {} {}\" rpy", pivot.x, pivot.y, pivot.z);
    let file = file.replacen("<origin xyz=\"0.5 0 0\" rpy", &place, 1);
    let imported = constraint_import::import(&file, &Options::new("tilted.urdf"));
    let text = imported
        .unwrap_or_else(|mistakes| panic!("{mistakes}"))
        .text;
    assert!(text.contains("`close`: 3 more equations follow"), "{text}");
    let mut links = four_bar();
    links[0].rpy = [0.3, 0.4, 0.5];
    (links[2].rpy, links[2].place) = ([0.3, 0.4, 0.5], pivot.into());
    // Rows that turn with a link say the same where the loop is closed and stays so: there v is across both gradients.
    let (ends, q) = ([[0.45, 0.0, 0.0], [0.4, 0.0, 0.0]], closed(&text));
    let rate = |v: [f64; 3]| {
        let frames = frames(&links, world(0.0), [&q, &v, &[0.0; 3]]);
        let [a, b] = [0, 1].map(|k| frames[1 + k].at(ends[k].into()));
        turned(links[0].rpy).inverse() * (b.velocity - a.velocity)
    };
    let columns = [X, Y, Z].map(rate);
    let [x, z] = [0, 2].map(|i| Vector3::new(columns[0][i], columns[1][i], columns[2][i]));
    let v = 3.0 * x.cross(&z).normalize();
    let found = Model::new(&text).call("acceleration", &q, v.as_slice(), &[]);
    assert_close(
        &found,
        &four_bar_acceleration(&links, ends, &q, v.as_slice()),
        1e-10,
    );
}

/// `CLOSED` of a text.
fn closed(text: &str) -> Vec<f64> {
    let (_, numbers) = text
        .split_once("CLOSED: [f64; 3] = [")
        .expect("a closed position");
    let (numbers, _) = numbers.split_once(']').expect("its end");
    let numbers = numbers.split(", ").map(|it| it.parse().expect("a number"));
    numbers.collect()
}

/// `CLOSED` closes the loop: the ends of coupler and rocker meet.
#[test]
fn a_closed_position_is_found() {
    let text = imported("four_bar_plus.urdf", &Options::new("four_bar.urdf")).text;
    let q = closed(&text);
    let frames = frames(&four_bar(), world(0.0), [&q, &[0.0; 3], &[0.0; 3]]);
    let [a, b] = [(1, 0.45), (2, 0.4)].map(|(k, x)| frames[k].at(Vector3::new(x, 0.0, 0.0)).place);
    assert!((a - b).norm() < 1e-12, "{a} {b}");
}
