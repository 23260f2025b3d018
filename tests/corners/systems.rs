//! Random systems at their corners, run by the interpreter: where a result is not finite though all pivots are good, the
//! engine knows of a place that explains it, and generated code checks that result.

use constraint_symbolic::compile::analyze_system;
use constraint_symbolic::function::system::{functions, names};
use constraint_symbolic::interpret::{Given, Interpreter};
use constraint_symbolic::system::{Derived, Quantity};
use constraint_symbolic::undefined::Place;

use crate::random::Random;

/// Systems per run; `CONSTRAINT_CASES=10000` for more.
const CASES: u64 = 150;

/// A pivot below this many rounding units of its diagonal is an error.
const PIVOT_EPSILONS: f64 = 64.0;

/// Something that may vanish.
fn argument(random: &mut Random) -> String {
    let all = [
        "x",
        "y",
        "z",
        "x*y",
        "x - z",
        "x + y - 1",
        "p.x",
        "2*x^2 + z^2",
        "norm(p)",
        "y^2",
    ];
    (*random.pick(&all)).to_owned()
}

/// A function with a corner or an end, of something.
fn term(random: &mut Random) -> String {
    let (a, b) = (argument(random), argument(random));
    let all = [
        format!("sqrt({a})"),
        format!("powf(abs({a}), 1.5)"),
        format!("powf({a}, 0.7)"),
        format!("({a})^2.5"),
        format!("hypot({a}, {b})"),
        format!("atan2({a}, {b})"),
        format!("acos({a})"),
        format!("asin({a})"),
        format!("acosh(1 + {a})"),
        format!("atanh({a})"),
        format!("ln({a})"),
        format!("ln_1p({a})"),
        format!("cbrt({a})"),
        format!("norm(p)*({a})"),
        format!("normalize(p).y*({a})"),
        format!("({a})/norm(p - [{b}, 0])"),
        format!("1/({a})"),
        format!("abs({a})*({b})"),
        format!("exp(-1/({a}))"),
        format!("({a})^2"),
    ];
    random.pick(&all).clone()
}

fn system(random: &mut Random) -> String {
    let mut text = "#[derivatives] struct Case; coordinate x, y, z; particle p: Point2 { mass: 2 }
        kinetic velocity(x)^2 + velocity(y)^2 + (1 + y^2)*velocity(z)^2;\n"
        .to_owned();
    for k in 0..1 + random.below(2) {
        let (a, b) = (term(random), term(random));
        text += &match random.below(6) {
            0 => format!("potential {a};\n"),
            1 => format!("force x: {a};\n"),
            2 => format!("force p: [{a}, {b}*velocity(p).x];\n"),
            3 => format!("constraint c{k}: {a} == z + 3*p.{};\n", ["x", "y"][k]),
            4 => format!("constraint c{k}: ({a})*velocity(x) == velocity(z) + 3*velocity(y);\n"),
            _ => format!("dissipation (1 + ({a})^2)*velocity(y)^2;\n"),
        };
    }
    match random.below(3) {
        0 => text + &format!("output o = {};\n", term(random)),
        1 => text + &format!("output o = ({})*acceleration(x);\n", term(random)),
        _ => text,
    }
}

#[test]
fn no_result_is_not_finite_unnoticed() {
    let cases = std::env::var("CONSTRAINT_CASES").ok();
    let cases = cases.and_then(|n| n.parse().ok()).unwrap_or(CASES);
    let (mut derived_cases, mut noticed) = (0, 0);
    for seed in 0..cases {
        let mut random = Random::new(seed);
        let text = system(&mut random);
        // Random rows may cancel, or have no gradient.
        let Ok(derived) = analyze_system(text.parse().expect("Rust tokens")) else {
            continue;
        };
        derived_cases += 1;
        for _ in 0..4 {
            let values = [0.0, 0.0, 1.0, -1.0, 0.5];
            let state: Vec<f64> = (0..10).map(|_| *random.pick(&values)).collect();
            noticed += undefined(seed, &text, &derived, &state);
        }
    }
    assert!(2 * derived_cases > cases, "{derived_cases} of {cases}");
    assert!(noticed > cases, "{noticed} results of {cases} systems");
}

/// How many results are not finite though pivots are good, each of which is checked and explained.
fn undefined(seed: u64, text: &str, derived: &Derived, state: &[f64]) -> u64 {
    let names = names(&derived.system);
    let interpreter = Interpreter::of_system(derived);
    let given = Given {
        t: 0.3,
        q: &state[..5],
        v: &state[5..],
        ..Given::default()
    };
    let places = derived.plain_program(&[Quantity::Undefined]);
    let places = interpreter.run(&places, &given).values;
    let at_a_corner = derived.undefined.0.iter().zip(&places);
    let at_a_corner: Vec<_> = at_a_corner
        .filter(|(found, value)| match found.place {
            Place::Zero(_) => **value == 0.0,
            Place::End(_) => !(**value > 0.0),
        })
        .collect();
    let mut count = 0;
    for function in functions(derived, &names) {
        let name = function.signature.name;
        let judged = match name {
            "acceleration" | "multipliers" | "acceleration_and_multipliers" | "own_slope" => {
                derived.undefined.is_in_motion(false)
            }
            "linearize" | "linearize_with_multipliers" => derived.undefined.is_in_motion(true),
            "outputs" => derived.undefined.is_in_outputs(false),
            "linearize_with_outputs" => derived.undefined.is_in_outputs(true),
            _ => continue,
        };
        let Some(results) = interpreter.evaluate(&function, &given) else {
            continue;
        };
        let limit = PIVOT_EPSILONS * f64::EPSILON;
        let good = results
            .pivots
            .iter()
            .all(|it| it.pivot > limit * it.diagonal);
        if !good || results.values.iter().all(|x| x.is_finite()) {
            continue;
        }
        let what = format!(
            "case {seed}: {name} at {state:?} is {:?}\n{text}",
            results.values
        );
        assert!(judged, "not checked: {what}");
        assert!(!at_a_corner.is_empty(), "not explained: {what}");
        count += 1;
    }
    count
}
