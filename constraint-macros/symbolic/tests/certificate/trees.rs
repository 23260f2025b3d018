//! Trees of posed bodies: their equations by recursion are certified, and so are the derivatives of these.

use super::grammar::Random;
use super::{Listed, Tree, cases};
use constraint_symbolic::solve::Quantity;

/// Trees of so many links have no equations but those by recursion.
const LINKS: usize = 5;

/// A frame relative to the one before it: constant, or moved by a coordinate.
fn factor(random: &mut Random, q: &str) -> String {
    let slid = format!("pose([{q}, 0, l])");
    let screw = format!("pose([0, l*{q}, 1/3], [0, 1, 0], {q})");
    let driven = format!("pose([t, 0, 1], [0, 3/5, 4/5], {q} - t)");
    let axis = random.pick(&["[0, 0, 1]", "[1, 0, 0]", "[0, -1, 0]", "[2/3, 1/3, -2/3]"]);
    let turned = format!("pose([0, l, 1/2], {axis}, {q})");
    let about = format!("pose([0, 0, 0], [0, 0, 1], {q})");
    random
        .pick(&[&slid, &screw, &driven, &turned, &turned, &about, &about])
        .to_owned()
}

const FIXED: [&str; 5] = [
    "pose([l, 0, 1/3], [0, 1, 0], PI/2)",
    "pose([0, 1/2, 0], [2/3, 1/3, 2/3], PI)",
    "pose([1/4, 0, l], [3/5, 0, 4/5], m)",
    "pose([0, 0, l])",
    "pose([1, 2, 3], [1, 0, 0], PI)",
];

/// A tree, from the world or from a body with coordinates of its own; some coordinates move two links.
fn tree(random: &mut Random) -> String {
    let mut text =
        "#[derivatives] pub struct Tree { m: Real = 2, l: Real = 1, g: Real = 9 }".to_owned();
    let floats = random.below(2) == 0;
    if floats {
        text += " body base: Rigid3 { mass: 3, inertia: [1, m, 3/2] }";
    }
    for i in 0..LINKS {
        let before = match random.below(4) {
            0 if floats => "base".to_owned(),
            0 => "pose([0, 0, 1/2])".to_owned(),
            1 if i > 1 => format!("b{}", random.below(i)),
            _ if i > 0 => format!("b{}", i - 1),
            _ if floats => "base".to_owned(),
            _ => "pose([l, 0, 0], [1, 0, 0], -PI/2)".to_owned(),
        };
        let mut factors = vec![before];
        if random.below(2) == 0 {
            factors.push(random.pick(&FIXED).to_owned());
        }
        factors.push(factor(random, &format!("q{i}")));
        if i > 0 && random.below(4) == 0 {
            let shared = format!("q{}", random.below(i));
            factors.push(factor(random, &shared));
        }
        if random.below(2) == 0 {
            factors.push(random.pick(&FIXED).to_owned());
        }
        let tensor = random.pick(&["[m, 2, 3]", "[[2, 1/5, 0], [1/5, 2, 1/3], [0, 1/3, m]]"]);
        text += &format!(
            " coordinate q{i}; body b{i}: Rigid3 = {} {{ mass: m/{}, inertia: {tensor} }}",
            factors.join(" * "),
            i + 1
        );
    }
    text += " force q1: -m*velocity(q1); force b3: [0, g, t]; torque b2: [l, 0, velocity(q0)];";
    text + random.pick(&[" gravity [0, 0, -g];", " gravity [t, 0, -g];", ""])
}

#[test]
fn all_functions_of_trees_are_certified() {
    for case in 0..cases(2) {
        let text = tree(&mut Random(case as u64));
        let listed = Listed::system(text.parse().expect("tokens"));
        let listed = listed.unwrap_or_else(|| panic!("a valid system: {text}"));
        let certificate = listed.certificate();
        let certificate = certificate.unwrap_or_else(|it| panic!("{it:?}: {text}"));
        let names = listed.functions.iter().map(|it| it.signature.name);
        // v̇ of bodies in their own frames is no function that users call.
        let names = names.filter(|&it| it != "own_slope");
        let left = names.filter(|it| !certificate.functions.contains(it));
        let left: Vec<&str> = left.collect();
        assert!(left.is_empty(), "{left:?}: {text}");
    }
}

/// So many links take v̇ by articulated bodies.
const MANY: usize = 16;

/// A chain with a link of three coordinates in its middle.
fn chain(random: &mut Random) -> String {
    let mut text = "pub struct Chain { m: Real = 2, l: Real = 1, g: Real = 9 }".to_owned();
    let mut before = "pose([0, 0, 1/2])".to_owned();
    for i in 0..MANY {
        let moved = match i {
            7 => {
                text += " coordinate x, y;";
                format!("pose([x, l, y], [0, 1, 0], q{i})")
            }
            _ => {
                let fixed = random.pick(&FIXED);
                format!("{fixed} * {}", factor(random, &format!("q{i}")))
            }
        };
        text += &format!(
            " coordinate q{i}; {}
             body b{i}: Rigid3 = {before} * {moved} {{ mass: m/{}, inertia: [m, 2, 3] }}",
            ["", &format!("kinetic m/5*velocity(q{i})^2;")][i % 2],
            i + 1
        );
        before = format!("b{i}");
    }
    text + " force q1: -m*velocity(q1); torque b2: [l, 0, velocity(q0)]; gravity [t, 0, -g];"
}

#[test]
fn articulated_bodies_are_certified() {
    for case in 0..cases(2) {
        let text = chain(&mut Random(case as u64));
        let listed = Listed::system(text.parse().expect("tokens"));
        let listed = listed.unwrap_or_else(|| panic!("a valid system: {text}"));
        let certificate = listed.certificate();
        let certificate = certificate.unwrap_or_else(|it| panic!("{it:?}: {text}"));
        assert!(certificate.functions.contains(&"acceleration"), "{text}");
        let Tree::System(_, derived) = &listed.tree else {
            panic!("a system");
        };
        let motion = derived.equations.unconstrained.as_ref();
        let found = &derived.form[&Quantity::Acceleration].outputs;
        assert_eq!(motion.map(|it| &it.accelerations), Some(found), "{text}");
    }
}
