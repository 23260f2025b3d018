//! `linearize`, `jvp` and `vjp` of random systems against dual numbers through v̇ and λ.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::harness::system::Case;
use crate::harness::{KINDS, Random, seeds};
use crate::systems::accepted;
use constraint_symbolic::compile::analyze_system;
use constraint_symbolic::expr::{Comparison, ExprId, Function, Node, SymbolId};
use constraint_symbolic::model::Role;
use constraint_symbolic::schedule::{Op, Program, ValueId};
use constraint_symbolic::system::{Derived, Quantity};
use num_dual::{Dual64, DualNum};

/// Random systems per run; `CONSTRAINT_CASES=10000` for more.
const CASES: u64 = 30;

/// The engine's limit of `linearize` that is written out.
const MOST_ENTRIES: usize = 4096;

#[test]
fn random_systems_agree_with_dual_numbers() {
    let seeds = seeds(CASES);
    let cases = seeds.end - seeds.start;
    let (mut compared, mut met) = (0, BTreeSet::new());
    for seed in seeds {
        let case = Case::random(seed);
        let source = with_parameters(&case.source);
        let Some(derived) = accepted(seed, &source) else {
            // Random rows may cancel, or repeat one another.
            continue;
        };
        if compare(seed, &source, &derived) {
            compared += 1;
            met.extend(case.kinds);
        }
    }
    assert_eq!(met.len(), KINDS.len(), "{met:?}");
    println!("{compared} of {cases} compared");
    assert!(compared > cases * 3 / 4, "{compared} of {cases} compared");
}

/// The same with parameters in the place of some numbers.
fn with_parameters(source: &str) -> String {
    let parameters = "struct Case { a: Real, b: Real, m: Real, k: [Real; 2], w: [Real; 3] }";
    let source = source.replace("struct Case;", parameters);
    let numbers = [
        ("0.7", "a"),
        ("0.4", "k[1]"),
        ("0.9", "w[i]"),
        ("weight: 2", "weight: m"),
        ("mass: 2", "mass: m"),
        ("mass: 3", "mass: 3*m"),
    ];
    let source = numbers.iter().fold(source, |source, (number, name)| {
        source.replace(number, name)
    });
    format!("#[derivatives] {source}")
}

/// Systems whose rows and masses have factors in common, which are left out of what is solved.
const SYSTEMS: [&str; 6] = [
    "struct Chain { m: Real, l: Real, g: Real }
    particle bead[3]: Point2 { mass: m }
    constraint anchor: norm(bead[0]) == l;
    for i in 1..3 { constraint link[i]: norm(bead[i] - bead[i-1])^3 == l^3; }
    for i in 0..3 { potential m*g*bead[i].y; }
    output pull[i in 1..3] = multiplier(link[i])*bead[i].x;
    output felt = m*acceleration(bead[2]) + [0, g*t];
    output height = sin(bead[1].y);",
    "struct Masses { m: [Real; 3], l: Real, g: Real }
    for i in 0..3 { particle bead[i]: Point3 { mass: m[i] } }
    for i in 1..3 { constraint link[i]: norm_squared(bead[i] - bead[i-1]) == l^2; }
    for i in 0..3 { force bead[i]: [0, -m[i]*g, t]; }",
    "struct Angles { m1: Real, m2: Real, l1: Real, l2: Real, g: Real }
    coordinate a, b;
    particle upper = [l1*sin(a), -l1*cos(a)] { mass: m1 }
    particle lower = upper + [l2*sin(b), -l2*cos(b)] { mass: m2 }
    potential m1*g*upper.y + m2*g*lower.y;
    output swing = acceleration(lower)*m2;",
    "struct SliderCrank { m: Real, slider: Real, r: Real, l: Real, g: Real, c: Real }
    coordinate angle, x;
    particle pin = [r*cos(angle), r*sin(angle)] { mass: m }
    particle block = [x, 0] { mass: slider }
    constraint rod: norm(block - pin) == l;
    potential m*g*pin.y;
    dissipation c/2 * velocity(x)^2;
    output lost = c*velocity(x)^2;
    output thrust = multiplier(rod)^2;",
    "struct SpringBeads { m: Real, k: Real, rest: Real, g: Real }
    fn wire(s) = [s, s^4 - 2*s^2];
    coordinate x1, x2;
    particle a = wire(x1) { mass: m }
    particle b = wire(x2) { mass: 2*m }
    potential m*g*a.y + 2*m*g*b.y;
    potential k/2 * (norm(b - a) - rest)^2;",
    "struct Carried { m: Real, g: Real }
    particle bead: Point2 { mass: m }
    coordinate s;
    constraint place: bead == [s, s^2 + s*t];
    gravity [0, -g];",
];

/// Bodies of the plane and of space: told by coordinates, about their own axes, with moments that differ, with a full matrix, in pairs, and
/// rolling.
const BODIES: [&str; 7] = [
    "struct Arm { m: Real, l: Real, i: Real, g: Real }
    coordinate turn, q;
    body base: Rigid3 = pose([0, 0, l], [0, 0, 1], turn) { mass: m, inertia: [i, i, i/2] }
    body link: Rigid3 = base * pose([l, 0, 0], [0, -1, 0], q) { mass: m, inertia: [i/9, i, 2*i] }
    potential m*g*at(link, [l, 0, 0]).z;",
    "struct Rocker { m: Real, l: Real, inertia: Real, g: Real }
    input push: Vector2;
    body rocker: Rigid2 { mass: m, inertia: inertia }
    body other: Rigid2 { mass: 2*m, inertia: inertia }
    constraint pin: at(rocker, [0, l]) == [0, t];
    constraint joint: at(rocker, [l, -l]) == at(other, [0, l]);
    force at(other, [l, 0]): push;
    gravity [0, -g];
    output power = dot(push, velocity(at(other, [l, 0])));
    output load = multiplier(joint);
    output jerked = angular_acceleration(rocker)*inertia;",
    "struct Balls { m: Real, inertia: Real, l: Real }
    body ball: Rigid3 { mass: m, inertia: [inertia, inertia, inertia] }
    constraint rod: norm(at(ball, [l, 0, l/2])) == l;
    torque ball: [0, angular_velocity(ball).z*t, 1];",
    "struct Top { m: Real, a: Real, c: Real, l: Real, g: Real }
    body top: Rigid3 { mass: m, inertia: [a, a, c + 2] }
    constraint tip: at(top, [0, 0, -l]) == [0, 0, 0];
    gravity [0, 0, -g];",
    "struct Brick { m: Real, i: Vector3, l: Real, k: Real }
    body brick: Rigid3 { mass: m, inertia: [i.x + 1, i.y + 2, i.z + 2] }
    body lid: Rigid3 { mass: m, inertia: [1, 2, 5/2] }
    constraint hinge: at(brick, [l, 0, 0]) == at(lid, [0, l, 0]);
    output felt = dot(acceleration(at(brick, [l, l, 0])), dir(lid, [1, 0, 0]));
    output load = norm_squared(multiplier(hinge));
    constraint along: dot(dir(brick, [0, 1, 0]), dir(lid, [0, 0, 1])) == 0;
    potential k/2*norm_squared(at(lid, [l, l, l]));",
    "struct Crooked { m: Real, j: Real, l: Real }
    body crooked: Rigid3 { mass: m, inertia: [[3, j/4, 0], [j/4, 4, 1/3], [0, 1/3, 5]] }
    constraint held: at(crooked, [l, l, 0]) == [0, 0, t];",
    "struct Disk { m: Real, r: Real, g: Real }
    body disk: Rigid3 { mass: m, inertia: [m*r^2/4, m*r^2/4, m*r^2/2] }
    let axis = dir(disk, [0, 0, 1]);
    let down = [axis.x*axis.z, axis.y*axis.z, axis.z*axis.z - 1];
    constraint rolling: velocity(at(disk, [0, 0, 0])) + cross(angular_velocity(disk), r*down/norm(down)) == [0, 0, 0];
    gravity [0, 0, -g];",
];

#[test]
fn bodies_agree_with_dual_numbers() {
    systems_agree(&BODIES);
}

#[test]
fn systems_with_common_factors_agree_with_dual_numbers() {
    systems_agree(&SYSTEMS);
}

#[track_caller]
fn systems_agree(sources: &[&str]) {
    for (number, source) in sources.iter().enumerate() {
        let source = format!("#[derivatives] {source}");
        let derived = analyze_system(source.parse().expect("Rust tokens"));
        let derived = derived.unwrap_or_else(|found| {
            let texts: Vec<String> = found.iter().map(|it| it.text()).collect();
            panic!("{}", texts.join("\n"))
        });
        for seed in 0..8 {
            assert!(compare(8 * number as u64 + seed, &source, &derived));
        }
    }
}

/// Asserts that all agree; `false` for a state at which the equations are nearly singular.
fn compare(seed: u64, source: &str, derived: &Derived) -> bool {
    let mut random = Random::new(seed);
    let symbols = &derived.system.model.symbols;
    let state = symbols.iter().map(|symbol| match symbol.role {
        Role::Parameter { .. } => random.between(0.5, 1.5),
        _ => random.between(-1.2, 1.2),
    });
    let mut state: Vec<f64> = state.collect();
    for body in &derived.system.model.bodies {
        let turn: Vec<usize> = body
            .rotation
            .iter()
            .map(|&leaf| number(derived, leaf))
            .collect();
        let length = turn.iter().map(|&k| state[k].powi(2)).sum::<f64>().sqrt();
        turn.iter().for_each(|&k| state[k] /= length);
    }
    let program = |quantity| derived.plain_program(&[quantity]);
    let evaluate = |quantity| program(quantity).evaluate(|symbol| state[symbol.index()]);
    let leaves = leaves(derived);
    let asked = |role: fn(usize) -> Role| -> Vec<f64> {
        let values = symbols.iter().zip(&state);
        let mut found: Vec<(usize, f64)> = values
            .filter_map(|(symbol, &value)| {
                let place = (0..leaves.len() + 64).find(|&i| role(i) == symbol.role)?;
                Some((place, value))
            })
            .collect();
        found.sort_by_key(|it| it.0);
        found.into_iter().map(|it| it.1).collect()
    };
    let motion = program(Quantity::AccelerationAndMultipliers);
    let n = derived.system.velocities();
    let kinematics = program(Quantity::Kinematics);
    let along_at = |state: &[f64], program: &Program, tangent: &[f64]| -> Vec<f64> {
        // Coordinates move as they would with the velocities of the tangent.
        let moved = kinematics.evaluate(|symbol| match symbols[symbol.index()].role {
            Role::Velocity(i) => tangent[1 + i],
            _ => state[symbol.index()],
        });
        let seed = |symbol: SymbolId| {
            let place = leaves.iter().position(|leaf| *leaf == Some(symbol));
            let rate = match symbols[symbol.index()].role {
                Role::Coordinate(k) if !moved.is_empty() => moved[k],
                _ => place.map_or(0.0, |k| tangent[k]),
            };
            Dual64::new(state[symbol.index()], rate)
        };
        evaluate_dual(program, seed)
            .iter()
            .map(|it| it.eps)
            .collect()
    };
    let along = |program: &Program, tangent: &[f64]| along_at(&state, program, tangent);
    let unit = |k: usize| -> Vec<f64> {
        (0..leaves.len())
            .map(|i| f64::from(u8::from(i == k)))
            .collect()
    };
    let columns: Vec<Vec<f64>> = (0..leaves.len())
        .map(|k| along(&motion, &unit(k)))
        .collect();
    let size = columns
        .iter()
        .flatten()
        .fold(1.0, |most: f64, x| most.max(x.abs()));
    // A state that is nearly singular; where bodies are joined, rows of products of their turns lose a digit more.
    let most = if derived.system.model.bodies.is_empty() {
        1e5
    } else {
        1e4
    };
    if !size.is_finite() || size > most {
        return false;
    }
    // Both sides are rounded. At a nearly singular state rounding counts as much as a change in the last digits of the
    // state, a few times over.
    let changed: Vec<f64> = state.iter().map(|x| x * (1.0 + f64::EPSILON)).collect();
    let noise = columns.iter().enumerate().flat_map(|(k, column)| {
        let moved = along_at(&changed, &motion, &unit(k)).into_iter();
        moved.zip(column).map(|(a, b)| (a - b).abs())
    });
    let allowed = 1e-12 * size + 16.0 * noise.fold(0.0, f64::max);
    let near = |what: &str, found: &[f64], expected: &[f64]| {
        assert_eq!(found.len(), expected.len(), "case {seed}: {what}");
        for (i, (a, b)) in found.iter().zip(expected).enumerate() {
            assert!(
                (a - b).abs() <= allowed,
                "case {seed}: {what} {i}: {a} against {b}\n{source}"
            );
        }
    };
    let count = leaves.len();
    let tangent = asked(Role::Tangent);
    let moved = evaluate(Quantity::Tangent);
    near("jvp", &moved, &along(&motion, &tangent));
    let bars = [
        asked(Role::AccelerationAdjoint),
        asked(Role::MultiplierAdjoint),
    ]
    .concat();
    let gradient = evaluate(Quantity::Gradient);
    let expected: Vec<f64> = columns.iter().map(|column| dot(column, &bars)).collect();
    near("vjp", &gradient, &expected);
    // ⟨u, A w⟩ = ⟨Aᵀ u, w⟩
    near("both", &[dot(&bars, &moved)], &[dot(&gradient, &tangent)]);
    let inputs = 1 + 2 * n..1 + 2 * n + derived.system.given();
    let dense = |columns: &[Vec<f64>], rows: Range<usize>| -> Vec<f64> {
        let blocks = [1..inputs.start, inputs.clone(), inputs.end..count].map(|range| {
            let columns = &columns[range];
            let rows = rows.clone();
            rows.flat_map(move |i| columns.iter().map(move |column| column[i]))
        });
        blocks.into_iter().flatten().collect()
    };
    // Large matrices are not written out: the runtime takes a `vjp` for each row.
    let near_if_small = |what: &str, quantity: Quantity, expected: &[f64]| {
        let found = evaluate(quantity);
        if found.is_empty() && expected.len() > MOST_ENTRIES {
            return;
        }
        near(what, &found, expected);
    };
    let motion = dense(&columns, 0..n);
    near_if_small("linearize", Quantity::Linearization, &motion);
    if derived.rows() > 0 {
        let rows = dense(&columns, n..n + derived.rows());
        let both = [&motion[..], &rows].concat();
        near_if_small("λ", Quantity::LinearizationAndMultipliers, &both);
    }
    if !derived.system.outputs.is_empty() {
        let told = program(Quantity::Outputs);
        let columns: Vec<Vec<f64>> = (0..count).map(|k| along(&told, &unit(k))).collect();
        let moved = evaluate(Quantity::OutputTangent);
        near("outputs_jvp", &moved, &along(&told, &tangent));
        let bars = asked(Role::OutputAdjoint);
        let gradient = evaluate(Quantity::OutputGradient);
        let expected: Vec<f64> = columns.iter().map(|column| dot(column, &bars)).collect();
        near("outputs_vjp", &gradient, &expected);
        near(
            "both of outputs",
            &[dot(&bars, &moved)],
            &[dot(&gradient, &tangent)],
        );
        let rows = dense(&columns, 0..moved.len());
        let found = evaluate(Quantity::LinearizationAndOutputs);
        near("outputs", &found, &[&motion[..], &rows].concat());
    }
    true
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The leaves of t, q, v, u and p, entry by entry of a tangent; `None` where nothing depends on one, and of q where
/// there are bodies, whose turns are no leaves.
fn leaves(derived: &Derived) -> Vec<Option<SymbolId>> {
    let (system, model) = (&derived.system, &derived.system.model);
    let symbols = || model.symbols.iter().enumerate();
    let leaf = |role: Role| {
        symbols()
            .find(|(_, it)| it.role == role)
            .map(|(i, _)| SymbolId::new(i))
    };
    let n = system.coordinates.len();
    let inputs = system.given();
    let mut leaves = vec![leaf(Role::Time)];
    leaves.extend((0..n).map(|i| leaf(Role::Coordinate(i))));
    leaves.extend((0..n).map(|i| leaf(Role::Velocity(i))));
    leaves.extend((0..inputs).map(|i| leaf(Role::Input(i))));
    for (parameter, it) in model.parameters.iter().enumerate() {
        let role = |component| Role::Parameter {
            parameter,
            component,
        };
        leaves.extend((0..it.scalars()).map(|i| leaf(role(i))));
    }
    leaves
}

/// The number of a leaf.
fn number(derived: &Derived, leaf: ExprId) -> usize {
    match derived.system.model.graph.node(leaf) {
        Node::Symbol(symbol) => symbol.index(),
        other => panic!("{other:?} is no leaf"),
    }
}

/// A program run on dual numbers.
fn evaluate_dual(program: &Program, input: impl Fn(SymbolId) -> Dual64) -> Vec<Dual64> {
    let mut results: Vec<Dual64> = Vec::new();
    for op in &program.values {
        let at = |id: &ValueId| results[id.index()];
        let result = match op {
            Op::Input(symbol) => input(*symbol),
            Op::Number(number) => Dual64::from(number.to_f64()),
            Op::Add(a, b) => at(a) + at(b),
            Op::Sub(a, b) => at(a) - at(b),
            Op::Mul(a, b) => at(a) * at(b),
            Op::Div(a, b) => at(a) / at(b),
            Op::Recip(a) => at(a).recip(),
            Op::Neg(a) => -at(a),
            Op::Call(Function::Sin, a) => at(&a[0]).sin(),
            Op::Call(Function::Cos, a) => at(&a[0]).cos(),
            Op::Call(Function::Sqrt, a) => at(&a[0]).sqrt(),
            Op::Call(Function::Floor, a) => at(&a[0]).re.floor().into(),
            Op::Compare(Comparison::Ge, a, b) => f64::from(u8::from(at(a).re >= at(b).re)).into(),
            Op::Select(condition, then, _) if at(condition).re == 1.0 => at(then),
            Op::Select(_, _, otherwise) => at(otherwise),
            other => panic!("no random system is made of {other:?}"),
        };
        results.push(result);
    }
    let outputs = program.outputs.iter();
    outputs.map(|output| results[output.index()]).collect()
}
