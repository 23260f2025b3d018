//! Joints that close loops: how many equations they have, and which.

use constraint_import::{Options, import};

use crate::model::{Model, noise};

/// A body on six joints (three slides, three hinges), which a loop connects with the base.
fn held(kind: &str) -> String {
    let massless: String = (1..6).map(|k| format!("<link name=\"l{k}\"/>\n")).collect();
    let mut file = format!(
        "<robot name=\"held\"><link name=\"l0\"/>\n{massless}<link name=\"l6\"><inertial><mass value=\"2\"/><inertia ixx=\"1\" iyy=\"2\" \
         izz=\"2.5\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\n"
    );
    for k in 0..6 {
        let axis = ["1 0 0", "0 1 0", "0 0 1"][k % 3];
        let joint = if k < 3 { "prismatic" } else { "continuous" };
        file += &format!(
            "<joint name=\"j{k}\" type=\"{joint}\"><parent link=\"l{k}\"/><child link=\"l{}\"/><axis xyz=\"{axis}\"/></joint>\n",
            k + 1
        );
    }
    file + &format!(
        "<loop_joint name=\"grip\" type=\"{kind}\"><link1 link=\"l0\" xyz=\"0.1 0.2 0.3\" rpy=\"0.3 0.1 0\"/><link2 link=\"l6\" \
         xyz=\"0 0.1 0\"/><axis xyz=\"1 2 2\"/></loop_joint></robot>"
    )
}

/// A joint leaves as many motions as its name says.
#[test]
fn every_kind_of_loop_has_its_number_of_equations() {
    let kinds = [
        ("spherical", 3),
        ("revolute", 5),
        ("cylindrical", 4),
        ("prismatic", 5),
        ("fixed", 6),
    ];
    for (kind, rows) in kinds {
        let text = import(&held(kind), &Options::new("held.urdf"))
            .unwrap_or_else(|it| panic!("{it}"))
            .text;
        let model = Model::new(&text);
        let q: Vec<f64> = (0..6).map(|k| 0.4 * noise(k)).collect();
        assert_eq!(model.call("constraint", &q, &q, &[]).len(), rows, "{text}");
    }
}

/// Where the loop is closed, the motions that the joint leaves keep it closed: along and about the axis.
#[test]
fn a_closed_cylinder_slides_and_turns() {
    let text = import(&held("cylindrical"), &Options::new("held.urdf"))
        .unwrap_or_else(|it| panic!("{it}"))
        .text;
    let model = Model::new(&text);
    let open = |q: &[f64]| {
        let rows = model.call("constraint", q, q, &[]);
        rows.iter().fold(0.0_f64, |most, x| most.max(x.abs()))
    };
    let (_, numbers) = text
        .split_once("CLOSED: [f64; 6] = [")
        .expect("a closed position");
    let numbers = numbers.split_once(']').expect("its end").0;
    let q: Vec<f64> = numbers
        .split(", ")
        .map(|it| it.parse().expect("a number"))
        .collect();
    assert!(open(&q) < 1e-12, "{text}");
    // A slide along the axis, which is [1, 2, 2]/3 turned by the frame of the loop.
    let axis = crate::newton_euler::turned([0.3, 0.1, 0.0]) * nalgebra::Vector3::new(1.0, 2.0, 2.0);
    let slid: Vec<f64> = (0..6)
        .map(|k| q[k] + if k < 3 { 0.7 * axis[k] } else { 0.0 })
        .collect();
    assert!(open(&slid) < 1e-12, "{text}");
    let mut off = q;
    off[0] += 0.1;
    assert!(open(&off) > 1e-3);
}

/// Six equal links whose neighbouring axes are perpendicular (Bricard): five equations, of which one follows from the
/// others where the loop is closed, so that the text asks for least squares.
#[test]
fn an_overconstrained_loop_is_solved_by_least_squares() {
    let inertial = "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>";
    let mut file = "<robot name=\"bricard\">".to_owned();
    // From each axis to the next: one length along x, then a quarter turn about x, forward and back in turn.
    let quarter = |k: usize| ["1.57079632679", "-1.57079632679"][k % 2];
    for k in 0..6 {
        file += &format!("<link name=\"l{k}\">{inertial}</link>");
    }
    for k in 0..5 {
        file += &format!(
            "<joint name=\"j{k}\" type=\"continuous\"><parent link=\"l{k}\"/><child link=\"l{}\"/><origin xyz=\"1 0 0\" rpy=\"{} 0 0\"/>\
             <axis xyz=\"0 0 1\"/></joint>",
            k + 1,
            quarter(k),
        );
    }
    file += &format!(
        "<loop_joint name=\"close\" type=\"revolute\"><link1 link=\"l5\" xyz=\"1 0 0\" rpy=\"{} 0 0\"/><link2 link=\"l0\"/><axis xyz=\"0 0 \
         1\"/></loop_joint></robot>",
        quarter(5)
    );
    let text = import(&file, &Options::new("bricard.urdf"))
        .unwrap_or_else(|it| panic!("{it}"))
        .text;
    assert!(text.contains("CLOSED"), "{text}");
    assert!(text.contains("#[redundant(least_squares)]"), "{text}");
}

/// A delta robot of 22 coordinates and 18 rows, released with all arms at one angle θ, has one motion by symmetry:
/// m(θ) θ̈ = −V′(θ), by hand.
#[test]
fn a_delta_robot_falls_as_by_hand() {
    let text = crate::model::imported("delta.urdf", &Options::new("delta.urdf")).text;
    let model = Model::new(&text);
    let names: Vec<&str> = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("coordinate "))
        .collect();
    // Arm, rod, the radii of base and platform.
    let [arm, rod, base, platform]: [f64; 4] = [0.3, 0.6, 0.2, 0.08];
    for angle in [-0.4_f64, 0.1, 0.7] {
        let (sin, cos) = angle.sin_cos();
        // The angle of the rods to the vertical, in the planes of the arms.
        let tilt = ((base + arm * cos - platform) / rod).asin();
        let (low, high) = tilt.sin_cos();
        let slope = -arm * sin / (rod * high);
        let height = -arm * sin - rod * high;
        let rise = -arm * cos + rod * low * slope;
        let middle = [
            -arm * sin - rod / 2.0 * high * slope,
            -arm * cos + rod / 2.0 * low * slope,
        ];
        let of_rods = 0.1 * (middle[0].powi(2) + middle[1].powi(2)) + 0.003 * slope * slope;
        let mass = 3.0 * (0.004 + 0.5 * arm * arm / 4.0) + 6.0 * of_rods + 0.4 * rise * rise;
        let weight = 9.81 * (3.0 * 0.5 * (-arm / 2.0 * cos) + 6.0 * 0.1 * middle[1] + 0.4 * rise);
        let expected = -weight / mass;

        let value = |name: &&str| match &name[..4] {
            "moto" => angle,
            "swin" => tilt - angle,
            _ => 0.0,
        };
        let mut q: Vec<f64> = names.iter().map(value).collect();
        q.extend([0.0, 0.0, height, 0.0, 0.0, 0.0, 1.0]);
        let still = vec![0.0; q.len() - 1];
        let open = model.call("constraint", &q, &still, &[]);
        assert!(
            open.len() == 18 && open.iter().all(|it| it.abs() < 1e-14),
            "{open:?}"
        );
        let found = model.call("acceleration", &q, &still, &[]);
        for (name, found) in names.iter().zip(found) {
            if name.starts_with("motor") {
                assert!(
                    (found - expected).abs() < 1e-10 * expected.abs(),
                    "{name} {found} {expected}"
                );
            }
        }
    }
}
