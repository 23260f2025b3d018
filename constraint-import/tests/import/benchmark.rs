//! The arm, the quadruped and the humanoid that dynamics libraries are measured on (Neuman, Koolen, Drean, Miller and Devadas,
//! *Benchmarking and workload analysis of robot dynamics algorithms*, IROS 2019; the simplified files of its repository
//! `rbd-benchmarks`, base fixed): their dynamics against Newton–Euler, and what they cost.

use std::f64::consts::{FRAC_PI_2, PI};

use constraint_import::{Options, import};

use crate::dynamics::{NOTHING, X, Y, Z, check, hinge, link};
use crate::model::{Model, assert_close, noise};
use crate::newton_euler::Link;
use crate::random::Random;

/// The link before it, place and rpy of its joint, the joint's axis, mass, centre and inertia.
type Row = (
    Option<usize>,
    [f64; 3],
    [f64; 3],
    [f64; 3],
    f64,
    [f64; 3],
    [f64; 6],
);

#[rustfmt::skip]
const IIWA: [Row; 7] = [
    (None, [0.0, 0.0, 0.1575], NOTHING, Z, 4.0, [0.0, -0.03, 0.12], [0.1, 0.0, 0.0, 0.09, 0.0, 0.02]),
    (Some(0), [0.0, 0.0, 0.2025], [FRAC_PI_2, 0.0, -PI], Z, 4.0, [0.0003, 0.059, 0.042], [0.05, 0.0, 0.0, 0.018, 0.0, 0.044]),
    (Some(1), [0.0, 0.2045, 0.0], [FRAC_PI_2, 0.0, -PI], Z, 3.0, [0.0, 0.03, 0.13], [0.08, 0.0, 0.0, 0.075, 0.0, 0.01]),
    (Some(2), [0.0, 0.0, 0.2155], [FRAC_PI_2, 0.0, 0.0], Z, 2.7, [0.0, 0.067, 0.034], [0.03, 0.0, 0.0, 0.01, 0.0, 0.029]),
    (Some(3), [0.0, 0.1845, 0.0], [FRAC_PI_2, 0.0, -PI], Z, 1.7, [0.0001, 0.021, 0.076], [0.02, 0.0, 0.0, 0.018, 0.0, 0.005]),
    (Some(4), [0.0, 0.0, 0.2155], [FRAC_PI_2, 0.0, 0.0], Z, 1.8, [0.0, 0.0006, 0.0004], [0.005, 0.0, 0.0, 0.0036, 0.0, 0.0047]),
    (Some(5), [0.0, 0.081, 0.0], [FRAC_PI_2, 0.0, -PI], Z, 0.3, [0.0, 0.0, 0.02], [0.001, 0.0, 0.0, 0.001, 0.0, 0.001]),
];

#[rustfmt::skip]
const HYQ: [Row; 12] = [
    (None, [0.3735, 0.207, 0.0], [0.0, FRAC_PI_2, -PI], Z, 2.93, [0.04263, 0.0, 0.16931], [0.05071, -4e-05, -0.00159, 0.05486, -5e-05, 0.00571]),
    (Some(0), [0.08, 0.0, 0.0], [FRAC_PI_2, 0.0, 0.0], Z, 2.638, [0.15074, -0.02625, 0.0], [0.00368, -0.00302, 0.0001, 0.02719, 2e-05, 0.02811]),
    (Some(1), [0.35, 0.0, 0.0], NOTHING, Z, 0.881, [0.1254, 4e-05, -0.0001], [0.00047, 6e-05, -1e-05, 0.01256, 0.0, 0.01233]),
    (None, [0.3735, -0.207, 0.0], [0.0, FRAC_PI_2, 0.0], Z, 2.93, [0.04263, 0.0, -0.16931], [0.05071, 4e-05, 0.00159, 0.05486, -5e-05, 0.00571]),
    (Some(3), [0.08, 0.0, 0.0], [-FRAC_PI_2, 0.0, 0.0], Z, 2.638, [0.15074, -0.02625, 0.0], [0.00368, -0.00302, 0.0001, 0.02719, 2e-05, 0.02811]),
    (Some(4), [0.35, 0.0, 0.0], NOTHING, Z, 0.881, [0.1254, 4e-05, -0.0001], [0.00047, 6e-05, -1e-05, 0.01256, 0.0, 0.01233]),
    (None, [-0.3735, 0.207, 0.0], [0.0, FRAC_PI_2, -PI], Z, 2.93, [0.04263, 0.0, -0.16931], [0.05071, 4e-05, 0.00159, 0.05486, -5e-05, 0.00571]),
    (Some(6), [0.08, 0.0, 0.0], [FRAC_PI_2, 0.0, 0.0], Z, 2.638, [0.15074, 0.02625, 0.0], [0.00368, 0.00302, -0.0001, 0.02719, 2e-05, 0.02811]),
    (Some(7), [0.35, 0.0, 0.0], NOTHING, Z, 0.881, [0.1254, -4e-05, 0.0001], [0.00047, -6e-05, 1e-05, 0.01256, 0.0, 0.01233]),
    (None, [-0.3735, -0.207, 0.0], [0.0, FRAC_PI_2, 0.0], Z, 2.93, [0.04263, 0.0, 0.16931], [0.05071, -4e-05, -0.00159, 0.05486, -5e-05, 0.00571]),
    (Some(9), [0.08, 0.0, 0.0], [-FRAC_PI_2, 0.0, 0.0], Z, 2.638, [0.15074, 0.02625, 0.0], [0.00368, 0.00302, -0.0001, 0.02719, 2e-05, 0.02811]),
    (Some(10), [0.35, 0.0, 0.0], NOTHING, Z, 0.881, [0.1254, -4e-05, 0.0001], [0.00047, -6e-05, 1e-05, 0.01256, 0.0, 0.01233]),
];

#[rustfmt::skip]
const ATLAS: [Row; 30] = [
    (None, [-0.0125, 0.0, 0.0], NOTHING, Z, 2.27, [-0.0112984, -3.15366e-06, 0.0746835], [0.0039092, -5.04491e-08, -0.000342157, 0.00341694, 4.87119e-07, 0.00174492]),
    (Some(0), [0.0, 0.0, 0.162], NOTHING, Y, 0.799, [-0.00816266, -0.0131245, 0.0305974], [0.000454181, -6.10764e-05, 3.94009e-05, 0.000483282, 5.27463e-05, 0.000444215]),
    (Some(1), [0.0, 0.0, 0.05], NOTHING, X, 84.609, [-0.06168657944190334, 0.0022945632261343355, 0.31680933825006796], [1.623893631010933, -0.03190032417345673, 0.08166179765358317, 1.6553772405228084, 0.04721536770440496, 0.5773621205100403]),
    (Some(2), [0.2546, 0.0, 0.6215], NOTHING, Y, 2.087564, [-0.05261140588168794, 3.398722113429837e-05, 0.02606886335269242], [0.012099559603419477, -9.265210521354394e-07, -0.00045007449809417784, 0.013340906722504764, -2.1331347984114016e-06, 0.013374388856629602]),
    (Some(2), [0.1406, 0.2256, 0.4776], [0.0, 0.0, -PI], Z, 4.466, [0.0, 0.0, -0.084], [0.011, 0.0, 0.0, 0.009, 0.004, 0.004]),
    (Some(4), [0.0, -0.11, -0.245], NOTHING, [-1.0, 0.0, 0.0], 3.899, NOTHING, [0.00319, 0.0, 0.0, 0.00583, 0.0, 0.00583]),
    (Some(5), [0.0, -0.187, -0.016], NOTHING, [0.0, -1.0, 0.0], 4.386, [0.0, 0.065, 0.0], [0.00656, 0.0, 0.0, 0.00358, 0.0, 0.00656]),
    (Some(6), [0.0, -0.119, 0.0092], NOTHING, [-1.0, 0.0, 0.0], 3.248, NOTHING, [0.00265, 0.0, 0.0, 0.00446, 0.0, 0.00446]),
    (Some(7), [0.0, -0.29955, -0.00921], [PI, 0.0, -PI], [0.0, -1.0, 0.0], 2.4798, [0.00015, 0.08296, 0.00037], [0.012731, 0.0, 0.0, 0.002857, 0.0, 0.011948]),
    (Some(8), NOTHING, NOTHING, [-1.0, 0.0, 0.0], 0.648, [0.00017, -0.02515, 0.00163], [0.000764, 0.0, 0.0, 0.000429, 0.0, 0.000825]),
    (Some(9), NOTHING, NOTHING, Y, 0.6839, [0.00013660476677876884, -0.08786430910951894, 1.7075595847346105e-05], [0.0005552037837622441, -5.861710542476994e-07, -2.7320953355753745e-10, 0.0004870022198274602, -7.327138178096242e-08, 0.0005462059352873199]),
    (Some(2), [0.1406, -0.2256, 0.4776], NOTHING, Z, 4.466, [0.0, 0.0, -0.084], [0.011, 0.0, 0.0, 0.009, 0.004, 0.004]),
    (Some(11), [0.0, -0.11, -0.245], NOTHING, X, 3.899, NOTHING, [0.00319, 0.0, 0.0, 0.00583, 0.0, 0.00583]),
    (Some(12), [0.0, -0.187, -0.016], NOTHING, Y, 4.386, [0.0, 0.065, 0.0], [0.00656, 0.0, 0.0, 0.00358, 0.0, 0.00656]),
    (Some(13), [0.0, -0.119, 0.0092], NOTHING, X, 3.248, NOTHING, [0.00265, 0.0, 0.0, 0.00446, 0.0, 0.00446]),
    (Some(14), [0.0, -0.29955, -0.00921], NOTHING, Y, 2.4798, [0.00015, 0.08296, 0.00037], [0.012731, 0.0, 0.0, 0.002857, 0.0, 0.011948]),
    (Some(15), NOTHING, NOTHING, X, 0.648, [0.00017, -0.02515, 0.00163], [0.000764, 0.0, 0.0, 0.000429, 0.0, 0.000825]),
    (Some(16), NOTHING, NOTHING, Y, 0.6839, [0.00013660476677876884, -0.08786430910951894, 1.7075595847346105e-05], [0.0005552037837622441, -5.861710542476994e-07, -2.7320953355753745e-10, 0.0004870022198274602, -7.327138178096242e-08, 0.0005462059352873199]),
    (None, [0.0, 0.089, 0.0], NOTHING, Z, 1.959, [0.00529262, -0.00344732, 0.00313046], [0.00074276, -3.79607e-08, -2.79549e-05, 0.000688179, -3.2735e-08, 0.00041242]),
    (Some(18), NOTHING, NOTHING, X, 0.898, [0.0133341, 0.0170484, -0.0312052], [0.000691326, -2.24344e-05, 2.50508e-06, 0.00126856, 0.000137862, 0.00106487]),
    (Some(19), [0.05, 0.0225, -0.066], NOTHING, Y, 8.204, [0.0, 0.0, -0.21], [0.09, 0.0, 0.0, 0.09, 0.0, 0.02]),
    (Some(20), [-0.05, 0.0, -0.374], NOTHING, Y, 4.515, [0.001, 0.0, -0.187], [0.077, 0.0, -0.003, 0.076, 0.0, 0.01]),
    (Some(21), [0.0, 0.0, -0.422], NOTHING, Y, 0.125, NOTHING, [1.01674e-05, 0.0, 0.0, 8.42775e-06, 0.0, 1.30101e-05]),
    (Some(22), NOTHING, NOTHING, X, 2.41, [0.027, 0.0, -0.067], [0.002, 0.0, 0.0, 0.007, 0.0, 0.008]),
    (None, [0.0, -0.089, 0.0], NOTHING, Z, 1.959, [0.00529262, 0.00344732, 0.00313046], [0.00074276, 3.79607e-08, -2.79549e-05, 0.000688179, 3.2735e-08, 0.00041242]),
    (Some(24), NOTHING, NOTHING, X, 0.898, [0.0133341, -0.0170484, -0.0312052], [0.000691326, 2.24344e-05, 2.50508e-06, 0.00126856, -0.000137862, 0.00106487]),
    (Some(25), [0.05, -0.0225, -0.066], NOTHING, Y, 8.204, [0.0, 0.0, -0.21], [0.09, 0.0, 0.0, 0.09, 0.0, 0.02]),
    (Some(26), [-0.05, 0.0, -0.374], NOTHING, Y, 4.515, [0.001, 0.0, -0.187], [0.077, 0.0, -0.003, 0.076, 0.0, 0.01]),
    (Some(27), [0.0, 0.0, -0.422], NOTHING, Y, 0.125, NOTHING, [1.01674e-05, 0.0, 0.0, 8.42775e-06, 0.0, 1.30101e-05]),
    (Some(28), NOTHING, NOTHING, X, 2.41, [0.027, 0.0, -0.067], [0.002, 0.0, 0.0, 0.007, 0.0, 0.008]),
];

fn links(rows: &[Row]) -> Vec<Link> {
    let rows = rows.iter().enumerate();
    let links = rows.map(|(k, &(base, place, rpy, axis, mass, centre, inertia))| {
        link(base, (place, rpy), hinge(axis, k), (mass, centre, inertia))
    });
    links.collect()
}

/// Operations of `inverse_dynamics`, `acceleration`, `mass_times` and `joint_space_inertia`, sine and cosine of one angle
/// counted as one.
fn checked(rows: &[Row]) -> [u32; 4] {
    let links = links(rows);
    let file = Random(0).shuffled(&links);
    let imported = import(&file, &Options::new("robot.urdf"));
    let imported = imported.unwrap_or_else(|it| panic!("{it}"));
    let model = Model::new(&imported.text);
    check(&model, &links, links.len(), |_| vec![0.0; rows.len()]);
    let [forces, motion, products] =
        ["inverse_dynamics", "acceleration", "mass_times"].map(|name| model.cost(name));
    [
        forces,
        motion,
        products,
        cost_of_masses(&imported.text, &model),
    ]
}

/// Operations of M, whose entries are those of its products with unit vectors.
fn cost_of_masses(text: &str, model: &Model) -> u32 {
    let (before, rest) = text.split_once("coordinate ").expect("a joint");
    let (names, after) = rest.split_once(';').expect("names of joints");
    let name = names.split(',').next().expect("the first");
    let text = format!("{before}coordinate {names}; output first = {name};{after}");
    let text = text.replacen("pub struct", "#[task_space]\npub struct", 1);
    let tasks = Model::new(&text);
    let n = model.velocities();
    let q: Vec<f64> = (0..n).map(noise).collect();
    let still = vec![0.0; n];
    let inertia = tasks.call("joint_space_inertia", &q, &still, &still);
    for k in 0..n {
        let mut unit = still.clone();
        unit[k] = 1.0;
        let row = &inertia[k * n..][..n];
        assert_close(row, &model.call("mass_times", &q, &still, &unit), 1e-12);
    }
    tasks.cost("joint_space_inertia")
}

fn is_at_most(cost: [u32; 4], bound: [u32; 4]) -> bool {
    cost.iter().zip(bound).all(|(&it, bound)| it <= bound)
}

/// Newton–Euler written in 40 lines of CasADi 3.8.2 (SX, numbers folded, `cse`) takes 649 operations, articulated bodies 2,097,
/// composite bodies, the lower triangle of M, 414.
#[test]
fn seven_joints_of_an_arm() {
    let cost = checked(&IIWA);
    assert!(is_at_most(cost, [412, 806, 215, 202]), "{cost:?}");
}

/// CasADi: 988, 1,736 and 344.
#[test]
fn four_legs() {
    let cost = checked(&HYQ);
    assert!(is_at_most(cost, [728, 957, 272, 212]), "{cost:?}");
}

/// CasADi: 3,203, 11,594 and 3,206.
#[test]
fn thirty_joints_of_a_humanoid() {
    let cost = checked(&ATLAS);
    assert!(is_at_most(cost, [2550, 6087, 1537, 2204]), "{cost:?}");
}
