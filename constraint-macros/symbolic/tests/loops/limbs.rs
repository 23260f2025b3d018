//! Equal limbs on a trunk: legs of robots in loops, against the same robots written out.

use std::fmt::Write;

use constraint_symbolic::compile::analyze_system;
use constraint_symbolic::export::{Target, export};
use constraint_symbolic::function::system::{documented, functions, names};
use constraint_symbolic::system::Derived;

use crate::interpreter::State;
use crate::random::{Random, seeds};
use crate::{close, evaluated};

/// A robot: its trunk, where each leg is mounted, and what its joints are.
pub fn robot(random: &mut Random) -> String {
    let n = 4 + random.below(2);
    let trunk = match random.below(4) {
        0 => "body trunk: Rigid3 { mass: 10*m, inertia: [i, i, i] }",
        1 => "body trunk: Rigid3 { mass: 10*m, inertia: [i, 2*i, 2*i] }",
        2 => {
            "coordinate x, y, z, yaw, pitch;
            let trunk = pose([x, y, z], [0, 0, 1], yaw) * pose([0, 0, 0], [0, 1, 0], pitch);
            body plate: Rigid3 = trunk { mass: 9*m, inertia: [i, 2*i, 2*i] }"
        }
        _ => {
            "coordinate turn, lean;
            let column = pose([0, 0, 0], [0, 0, 1], turn) * pose([0, 0, 1], [1, 0, 0], lean);
            body drum: Rigid3 = column { mass: 4*m, inertia: [i, i, 2*i] }
            let trunk = column * pose([0.2, 0, 0.1], [0, 1, 0], 0.3);"
        }
    };
    let (mount, joint) = (random.below(4), random.below(4));
    let [spring, sensor, own, held] = [2, 3, 2, 4].map(|it| random.once_in(it));
    let mut text = format!(
        "pub struct S {{ m: Real, i: Real, l: Real, g: Real, hip: [Vector3; {n}], heavy: [Real; {n}] }}
        coordinate a[{n}], b[{n}], c[{n}]; input drive[{n}]: Real;
        {trunk}\n"
    );
    for k in 0..n {
        let side = if k % 2 == 0 { 1 } else { -1 };
        let mount = match mount {
            0 => format!("pose([0, 0, 0], [0, 0, 1], 2*PI*{k}/{n}) * pose([0.3, 0, 0.05])"),
            1 => format!("pose([{k}/10 - 0.2, {side}*l, 0], [0, 0, 1], {side}*PI/2)"),
            2 => format!("pose(hip[{k}], [1, 1, 0], {k}/5)"),
            _ => format!("pose([l*{side}, {k}*l/3, 0.1], [1, 0, 0], {side}*PI/2)"),
        };
        let last = match joint {
            0 => "pose([0, 0, 0.2 + c[K]])".to_owned(),
            1 => format!("pose([0.1, 0, 0.2], [0, {side}, 0], c[K])"),
            2 => "pose([0.1, 0, 0], [1, 2, 0], c[K])".to_owned(),
            _ => "pose([0, 0, l], [0, 1, 0], c[K])".to_owned(),
        };
        let mass = if own { "heavy[K]" } else { "m/3" };
        let leg = format!(
            "let hip_K = trunk * {mount} * pose([0, 0, 0], [0, 0, 1], a[K]);
            let knee_K = hip_K * pose([0.1, 0.05*{side}, 0], [0, 1, 0], b[K]);
            let foot_K = knee_K * {last};
            body thigh_K: Rigid3 = knee_K * pose([l/2, 0, 0]) {{ mass: {mass}, inertia: [i/90, i/80, i/70] }}
            body shank_K: Rigid3 = foot_K * pose([0.1, 0, l/3]) {{ mass: m/4, inertia: [i/95, i/85, i/75] }}
            force b[K]: drive[K]*l - 0.1*velocity(b[K]);\n"
        );
        text += &leg.replace('K', &k.to_string());
    }
    if spring {
        write!(text, "for k in 0..{n} {{ potential g*(1 - cos(c[k]))/5; }}").expect("a string");
    }
    if held {
        text += "constraint ground: dot(at(foot_1, [0, l, 0]), [0, 0.6, 0.8]) == 0.3; ";
    }
    if sensor {
        text += "output foot = at(foot_1, [0, 0, l]); ";
    }
    text + "gravity [0, 0, -g];"
}

/// Robots that stay as they are; of these with loops over limbs.
pub fn in_loops(random: &mut Random) -> Option<(String, Derived)> {
    let text = robot(random);
    let derived = analyze_system(text.parse().expect("tokens")).expect("a system");
    (derived.limbs.count > 0).then_some((text, derived))
}

#[test]
fn robots_with_equal_limbs_agree_with_the_same_written_out() {
    let (seeds, mut compared) = (seeds(2), 0);
    for seed in seeds.clone() {
        let mut random = Random::new(seed);
        let Some((text, derived)) = in_loops(&mut random) else {
            continue;
        };
        let source = format!("#[solver(unrolled)] {text}");
        let written = analyze_system(source.parse().expect("tokens")).expect("a system");
        assert_eq!(written.limbs.count, 0);
        let state = State::random(&derived.system, &mut random);
        let is_compared = |name: &str| COMPARED.contains(&name);
        let [found, expected] = [&derived, &written].map(|it| evaluated(it, &state, is_compared));
        for ((name, found), (_, expected)) in found.iter().zip(&expected) {
            let scale = expected
                .values
                .iter()
                .fold(1e-12_f64, |most, x| most.max(x.abs()));
            let what = format!("case {seed}\n{text}\n{name}");
            close(&what, &found.values, &expected.values, scale, || 0.0);
        }
        compared += 1;
    }
    assert!(
        3 * compared >= 2 * (seeds.end - seeds.start),
        "{compared} of {seeds:?} have loops"
    );
}

/// Legs of three hinges on a free trunk, around it or left and right of it.
fn spider(legs: usize, around: bool) -> String {
    let mut text = format!(
        "pub struct Spider {{ m: Real = 10, i: Real = 1, g: Real = 9.81 }}
        coordinate hip[{legs}], knee[{legs}], ankle[{legs}];
        input drive[{legs}]: Vector3;
        body trunk: Rigid3 {{ mass: m, inertia: [i, i, 2*i] }}\n"
    );
    for k in 0..legs {
        let side = if k % 2 == 0 { 1 } else { -1 };
        let mount = match around {
            true => format!("pose([0, 0, 0], [0, 0, 1], 2*PI*{k}/{legs}) * pose([0.3, 0, 0.05])"),
            false => format!(
                "pose([{}/5, 0.15*{side}, 0.05], [0, 0, 1], {side}*PI/2)",
                k / 2
            ),
        };
        let leg = format!(
            "let hip_K = trunk * {mount} * pose([0, 0, 0], [0, 0, 1], hip[K]);
            let knee_K = hip_K * pose([0.1, 0, 0], [0, 1, 0], knee[K]);
            let ankle_K = knee_K * pose([0.2, 0, 0], [0, 1, 0], ankle[K]);
            body coxa_K: Rigid3 = hip_K * pose([0.05, 0, 0.01]) {{ mass: 0.2, inertia: [0.001, 0.002, 0.0025] }}
            body femur_K: Rigid3 = knee_K * pose([0.1, 0, 0]) {{ mass: 0.3, inertia: [0.0011, 0.0022, 0.003] }}
            body tibia_K: Rigid3 = ankle_K * pose([0.12, 0, 0]) {{ mass: 0.25, inertia: [0.0012, 0.0024, 0.0028] }}
            dissipation 0.05*velocity(hip[K])^2;
            force hip[K]: drive[K].x; force knee[K]: drive[K].y; force ankle[K]: drive[K].z;\n"
        );
        text += &leg.replace('K', &k.to_string());
    }
    text + "gravity [0, 0, -g];"
}

const COMPARED: [&str; 4] = [
    "acceleration",
    "unconstrained_inverse_dynamics",
    "mass_times",
    "own_slope",
];

/// Operations of the functions.
fn costs(text: &str) -> [u32; 4] {
    let derived = analyze_system(text.parse().expect("tokens")).expect("a system");
    let names = names(&derived.system);
    let functions = functions(&derived, &names);
    COMPARED.map(|name| {
        let function = functions.iter().find(|it| it.signature.name == name);
        function.expect("a function").body.cost().total()
    })
}

/// Their lines in C.
fn lines(text: &str) -> [usize; 4] {
    let call = format!("system! {{ {text} }}");
    let exported = export(call.parse().expect("tokens"), Target::C).expect("C");
    COMPARED.map(|name| {
        let name = documented(name);
        let own = exported.split_once(&format!(" spider_{name}("));
        let own = own.expect("a function").1.lines();
        own.take_while(|line| *line != "}").count()
    })
}

#[test]
fn further_legs_take_no_more_lines() {
    assert_eq!(lines(&spider(4, true)), lines(&spider(6, true)));
}

/// Written out, v̇ of four legs takes 2,352 operations, M a − h 1,107, M a 699, and 2,534, 1,154 and 732 with legs left and right.
#[test]
fn loops_over_limbs_take_few_operations_more() {
    for (around, most) in [
        (true, [2_468, 1_169, 748, 2_463]),
        (false, [2_470, 1_173, 745, 2_465]),
    ] {
        let found = costs(&spider(4, around));
        assert!(found.iter().zip(most).all(|it| *it.0 <= it.1), "{found:?}");
    }
}

/// Two legs are written out, and so are more whose joints differ.
#[test]
fn legs_that_differ_are_written_out() {
    let few = analyze_system(spider(2, true).parse().expect("tokens")).expect("a system");
    assert_eq!(few.limbs.count, 0);
    let mut text = spider(4, true);
    for (k, axis) in ["[1, 0, 0]", "[0, 0, 1]"].into_iter().enumerate() {
        let joint = format!("[0, 1, 0], knee[{k}]");
        assert!(text.contains(&joint));
        text = text.replace(&joint, &format!("{axis}, knee[{k}]"));
    }
    let others = analyze_system(text.parse().expect("tokens")).expect("a system");
    assert_eq!(others.limbs.count, 0);
}
