//! Functions of systems by naga's IR, in single precision, beside the engine's interpreter of the same in double, and steps
//! beside those of C in the same precision.

use constraint_symbolic::compile::analyze_system;
use constraint_symbolic::export::{Target, export};
use constraint_symbolic::function::Argument;
use constraint_symbolic::function::system::{functions, names};
use constraint_symbolic::interpret::{Given, Interpreter};

use crate::compiler::{hexadecimal, run};
use crate::interpreter::{Machine, Value};
use crate::valid::{module, sum_of_functions};

/// Numbers between 0.2 and 0.9, the same for ever.
fn noise(count: usize, kind: f64) -> Vec<f64> {
    let number = |i: usize| 0.55 + 0.35 * (12.9898 * i as f64 + kind).sin();
    (0..count)
        .map(number)
        .map(|it| f64::from(it as f32))
        .collect()
}

fn single(numbers: &[f64]) -> Vec<f32> {
    numbers.iter().map(|&it| it as f32).collect()
}

/// Numbers as the first value has them.
fn shaped(like: &Value, numbers: &mut impl Iterator<Item = f32>) -> Value {
    match like {
        Value::Composite(parts) => {
            Value::Composite(parts.iter().map(|it| shaped(it, numbers)).collect())
        }
        _ => Value::Number(numbers.next().expect("enough numbers")),
    }
}

/// Compares all functions of a system, which is called `S`, at one state.
#[track_caller]
fn check(body: &str, inputs: Option<&Value>, least: usize) {
    let (text, read) = module(&format!("system! {{ {body} }}"));
    let derived = analyze_system(body.parse().expect("tokens")).expect("a system");
    let system = &derived.system;
    let (n, d, rows) = (system.scalars(), system.velocities(), system.rows.len());
    let (q, v, b, a) = (
        noise(n, 0.1),
        noise(d, 0.2),
        noise(rows, 0.3),
        noise(d, 0.4),
    );
    let parameters: Vec<f64> = system
        .defaults
        .iter()
        .flatten()
        .flatten()
        .copied()
        .collect();
    let given_inputs = noise(system.given(), 0.5);
    let given = Given {
        t: 0.25,
        q: &q,
        v: &v,
        b: &b,
        a: &a,
        parameters: &parameters,
        inputs: &given_inputs,
        ..Given::default()
    };
    let interpreter = Interpreter::of_system(&derived);
    let mut compared = 0;
    for function in functions(&derived, &names(system)) {
        let name = function.signature.name;
        let given_too = |argument: &Argument| {
            use Argument::{Accelerations, Coordinates, RightHandSide, Time, Velocities};
            let all = [Time, Coordinates, Velocities, RightHandSide, Accelerations];
            all.contains(argument)
        };
        let is_given = function.signature.arguments.iter().all(given_too);
        if !is_given || !text.contains(&format!("fn s_{name}(")) {
            continue;
        }
        let expected = interpreter.evaluate(&function, &given);
        let expected = expected.expect("it solves by no least squares").values;
        let mut machine = Machine::new(&read);
        let mut arguments = Vec::new();
        if let Some(own) = machine.constant("s_default") {
            arguments.push(machine.variable(own));
        }
        if let Some(inputs) = inputs {
            let inputs = shaped(inputs, &mut single(&given_inputs).into_iter());
            arguments.push(machine.variable(inputs));
        }
        for argument in function.signature.arguments {
            let numbers = match argument {
                Argument::Time => {
                    arguments.push(Value::Number(0.25));
                    continue;
                }
                Argument::Coordinates => &q,
                Argument::Velocities => &v,
                Argument::RightHandSide => &b,
                Argument::Accelerations => &a,
                other => panic!("{other:?}"),
            };
            arguments.push(machine.variable(Value::list(&single(numbers))));
        }
        let length = text
            .split_once(&format!("fn s_{name}("))
            .expect("it is there")
            .1;
        let length = length.split_once(')').expect("a bracket").0;
        let length = length.split_once("result: ptr<function, array<f32, ");
        let found = match length {
            Some((_, length)) => {
                let length = length.trim_end_matches(">>").parse().expect("a number");
                let result = machine.variable(Value::list(&vec![f32::NAN; length]));
                arguments.push(result.clone());
                assert!(
                    machine
                        .call_by_name(&format!("s_{name}"), arguments)
                        .is_none()
                );
                machine.loaded(&result).numbers()
            }
            None => {
                let found = machine.call_by_name(&format!("s_{name}"), arguments);
                found.expect("a number").numbers()
            }
        };
        let expected = &expected[expected.len() - found.len()..];
        let scale = expected.iter().fold(0.1_f64, |most, it| most.max(it.abs()));
        for (found, expected) in found.iter().zip(expected) {
            let apart = (f64::from(*found) - expected).abs();
            assert!(apart <= 1e-4 * scale, "{name}: {found} for {expected}");
        }
        compared += 1;
    }
    assert!(compared >= least, "{compared} functions");
}

#[test]
fn written_out_with_every_function() {
    let inputs = Value::Composite(vec![Value::list(&[0.0; 2])]);
    let body = format!(
        "struct S {{ self_: Real = 2, let_: [Vector2; 2] = [[1, 2], [3, 4]] }}
        input fn_: Vector2;
        coordinate x, y;
        particle p = [x, y] {{ mass: self_ }}
        force p: fn_ + [{}, 0] + let_[1];
        force x: signum(x - 2) + exp_m1(x/100) + ln_1p(x/100) + erf(x/100) + erfc(3 + x) + erf(-4 - y)
            + if x < y && !(x == 2) || y >= 3 && x > 1 {{ x }} else {{ y }};",
        sum_of_functions()
    );
    check(&body, Some(&inputs), 4);
}

#[test]
fn rows_written_out() {
    check(
        "struct S { m: Real = 1.5, l1: Real = 0.5, l2: Real = 2.5 }
        particle a: Point2 { mass: m }
        particle b: Point2 { mass: 2 }
        constraint first: norm(a) == l1;
        constraint second: norm(b - a) == l2;
        potential 9.81*m*a.y + 3*sin(t)*b.x;
        output tip = b; output pull = -multiplier(second);",
        None,
        14,
    );
}

#[test]
fn loops_over_tables() {
    let push = Value::Composite(vec![Value::list(&[0.0; 2]); 6]);
    check(
        "#[solver(rolled)]
        struct S { m: [Real; 6] = [1, 2, 3, 4, 5, 6], k: Real = 3 }
        input push[6]: Vector2;
        for i in 0..6 { particle bob[i]: Point2 { mass: m[i] } }
        for i in 0..6 { force bob[i]: push[i] - m[i]*bob[i]; }
        for i in 0..6 { potential k/2*norm_squared(bob[i] - bob[(5*i*i + 3) % 6]); }
        for i in 1..6 { constraint rod[i]: bob[i].x*bob[i-1].x + i*bob[i].y == k; }",
        Some(&Value::Composite(vec![push])),
        12,
    );
}

/// Both linearisations too, column by column.
#[test]
fn linearisations_in_loops() {
    let body = "#[derivatives]
        #[solver(rolled)]
        struct S { m: Real = 0.8, l: Real = 0.5, g: Real = 9.81 }
        particle bead[6]: Point2 { mass: m }
        constraint anchor: norm(bead[0]) == l;
        for i in 1..6 { constraint link[i]: norm(bead[i] - bead[i-1]) == l*i; }
        for i in 0..6 { force bead[i]: [0, -m*g] - velocity(bead[i])/5; }";
    let (text, _) = module(&format!("system! {{ {body} }}"));
    for name in ["linearize", "linearize_with_multipliers"] {
        assert!(text.contains(&format!("fn s_{name}(")), "{text}");
    }
    check(body, None, 18);
}

/// 40 rods between 25 particles, eliminated in panels of four rows.
const NET: &str = "#[solver(rolled)]
    struct S { m: Real = 0.8, l: Real = 0.5, g: Real = 9.81 }
    for i in 0..5 { for j in 0..5 { particle bead[i][j]: Point2 { mass: m } } }
    for i in 0..5 { for j in 0..4 { constraint across[i][j]: norm_squared(bead[i][j + 1] - bead[i][j]) == l^2; } }
    for i in 0..4 { for j in 0..5 { constraint down[i][j]: norm_squared(bead[i + 1][j] - bead[i][j]) == l^2; } }
    for i in 0..5 { for j in 0..5 { force bead[i][j]: [0, -m*g]; } }";

const LINKS: &str = "#[solver(rolled)]
    struct S { m: Real = 0.7, a: Real = 0.4, b: Real = 0.3, c: Real = 0.1, l: Real = 0.5, g: Real = 9.81 }
    body link[4]: Rigid3 { mass: m, inertia: [a, b, c] }
    constraint anchor: at(link[0], [0, 0, l]) == [0, 0, 0];
    for i in 1..4 { constraint ball[i]: at(link[i], [0, 0, l]) == at(link[i-1], [0, 0, -l]); }
    for i in 0..4 { force link[i]: [0, 0, -m*g]; }";

/// A body whose moments are alike, which stages leave in the world's frame, beside one whose moments differ.
const PAIR: &str = "struct S { m: Real = 0.7, l: Real = 0.5, g: Real = 9.81 }
    body ball: Rigid3 { mass: m, inertia: [0.3, 0.3, 0.3] }
    body brick: Rigid3 { mass: m, inertia: [0.4, 0.3, 0.1] }
    coordinate s;
    particle bead = [s, s^2, 0] { mass: m }
    constraint held: at(ball, [0, 0, l]) == [0, 0, 0];
    constraint joined: norm(at(brick, [l, 0, 0]) - at(ball, [0, l, 0])) == 2*l;
    force ball: [0, 0, -m*g];
    force brick: [s, 0, -m*g];";

const PLANE: &str = "struct S { m: Real = 0.7, l: Real = 0.5, g: Real = 9.81 }
    body link[2]: Rigid2 { mass: m, inertia: 0.1 }
    constraint anchor: at(link[0], [0, l]) == [0, 0];
    constraint pin: at(link[1], [0, l]) == at(link[0], [0, -l]);
    for i in 0..2 { force link[i]: [0, -m*g]; }";

/// Four rows for three ways to move.
const HELD: &str = "#[redundant(least_squares)]
    struct S { m: Real = 0.8, l: Real = 0.5, g: Real = 9.81 }
    body plate: Rigid2 { mass: m, inertia: 0.1 }
    constraint left: at(plate, [0, l]) == [0, l];
    constraint right: at(plate, [l, l]) == [l, l];
    force plate: [0, -m*g];";

#[test]
fn panels() {
    let (text, _) = module(&format!("system! {{ {NET} }}"));
    assert!(text.contains("fn s_eliminate("), "{text}");
    check(NET, None, 14);
}

#[test]
fn bodies_in_loops() {
    check(LINKS, None, 14);
}

/// Steps of points in panels, and of bodies of all kinds, lead where those of C lead, which are those of Rust.
#[test]
fn a_step_leads_where_that_of_c_leads() {
    for (name, body) in [
        ("net", NET),
        ("links", LINKS),
        ("pair", PAIR),
        ("plane", PLANE),
        ("held", HELD),
    ] {
        let call = format!("system! {{ {body} }}");
        let (_, read) = module(&call);
        let system = analyze_system(body.parse().expect("tokens"))
            .expect("a system")
            .system;
        let [q, v] = [(system.scalars(), 0.1), (system.velocities(), 0.2)];
        let [q, v] = [q, v].map(|(count, kind)| noise(count, kind));
        let mut machine = Machine::new(&read);
        let own = machine.constant("s_default").expect("its defaults");
        let own = machine.variable(own);
        let [x, u] = [&q, &v].map(|it| machine.variable(Value::list(&single(it))));
        let [t, h] = [0.25, 0.01].map(Value::Number);
        let arguments = vec![own, t, h, x.clone(), u.clone()];
        assert!(machine.call_by_name("s_step", arguments).is_none());
        let found = [x, u].map(|it| machine.loaded(&it).numbers()).concat();
        let listed = |numbers: &[f64]| {
            let numbers = numbers.iter().map(|it| format!("{it:?}"));
            numbers.collect::<Vec<String>>().join(", ")
        };
        let text = format!(
            "{}
#include <stdio.h>
int main(void) {{
  float q[] = {{ {} }}, v[] = {{ {} }};
  s_step(&s_default, 0.25f, 0.01f, q, v);
  for (int i = 0; i < {}; i++) printf(\"%a\\n\", (double)q[i]);
  for (int i = 0; i < {}; i++) printf(\"%a\\n\", (double)v[i]);
  return 0;
}}
",
            export(call.parse().expect("tokens"), Target::CSingle).expect("C"),
            listed(&q),
            listed(&v),
            q.len(),
            v.len(),
        );
        let Some(output) = run(name, &text) else {
            return;
        };
        let expected: Vec<f32> = output.lines().map(|it| hexadecimal(it) as f32).collect();
        let bits = |numbers: &[f32]| numbers.iter().map(|it| it.to_bits()).collect::<Vec<u32>>();
        assert_eq!(
            bits(&found),
            bits(&expected),
            "{name}: {found:?} for {expected:?}"
        );
    }
}

/// A pendulum of length 1 from the level keeps its length, and falls as high as 2 E allows.
#[test]
fn a_step_keeps_length_and_energy() {
    let (_, read) = module(
        "system! {
            struct S { m: Real = 1.5, l: Real = 1 }
            particle bob: Point2 { mass: m }
            potential m*bob.y;
            constraint rod: norm(bob) == l;
        }",
    );
    let mut machine = Machine::new(&read);
    let own = machine.constant("s_default").expect("its defaults");
    let own = machine.variable(own);
    let q = machine.variable(Value::list(&[1.0, 0.0]));
    let v = machine.variable(Value::list(&[0.0, 0.0]));
    for i in 0..200 {
        let [t, h] = [i as f32 * 0.01, 0.01].map(Value::Number);
        let arguments = vec![own.clone(), t, h, q.clone(), v.clone()];
        assert!(machine.call_by_name("s_step", arguments).is_none());
    }
    let [q, v] = [q, v].map(|it| machine.loaded(&it).numbers());
    assert!((q[0].hypot(q[1]) - 1.0).abs() < 1e-6, "{q:?}");
    let energy = 0.5 * (v[0] * v[0] + v[1] * v[1]) + q[1];
    assert!(q[1] < -0.9 && energy.abs() < 1e-5, "{q:?} {v:?}: {energy}");
}
