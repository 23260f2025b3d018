//! What temporaries of generated functions are called.

use std::collections::{BTreeMap, BTreeSet};

use constraint_symbolic::compile::{analyze, analyze_system};
use constraint_symbolic::expr::{ExprId, Function, Graph, Number, SymbolId};
use constraint_symbolic::model::Model;
use constraint_symbolic::schedule::{Op, Program, Root, schedule};
use constraint_symbolic::solve::Quantity;

use crate::bound::bound;

pub const RODS: &str = "
    struct Rods { m: Real, l: Real, g: Real }
    particle upper: Point2 { mass: m }
    particle lower: Point2 { mass: m }
    constraint first: norm(upper) == l;
    constraint second: norm(lower - upper) == l;
    gravity [0, -g];
";

pub fn tokens(text: &str) -> proc_macro2::TokenStream {
    text.parse().expect("tokens")
}

/// `lower.x` as `lower_x`, as an expansion has it.
fn leaf(model: &Model, symbol: SymbolId) -> String {
    model.symbols[symbol.index()]
        .name
        .replace(['.', '['], "_")
        .replace(']', "")
}

/// The named values of a program at a state.
fn numbers<'p>(
    program: &'p Program,
    model: &Model,
    state: &BTreeMap<&str, f64>,
) -> BTreeMap<&'p str, f64> {
    let bound = bound(program);
    let mut all = program.clone();
    all.outputs = bound.iter().map(|it| it.1).collect();
    let found = all.evaluate(|symbol| state[&leaf(model, symbol)[..]]);
    bound.iter().map(|it| it.0).zip(found).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Two rods at a state, by hand: rows J v of |upper|²/2 and |lower − upper|²/2, per mass.
#[test]
fn temporaries_of_two_rods_have_the_values_of_their_names() {
    let system = analyze_system(tokens(RODS)).expect("a system");
    let model = &system.system.model;
    let program = system.program(&[Quantity::Acceleration], &|it| leaf(model, it));
    let (upper, lower, v, w, g) = ([0.6, -0.9], [1.7, -1.3], [0.4, 0.3], [-0.2, 0.8], 9.81);
    let state = BTreeMap::from([
        ("upper_x", upper[0]),
        ("upper_y", upper[1]),
        ("lower_x", lower[0]),
        ("lower_y", lower[1]),
        ("v_upper_x", v[0]),
        ("v_upper_y", v[1]),
        ("v_lower_x", w[0]),
        ("v_lower_y", w[1]),
        ("g", g),
        ("m", 2.0),
    ]);
    let d = [lower[0] - upper[0], lower[1] - upper[1]];
    let e = [w[0] - v[0], w[1] - v[1]];
    let (first_rate, second_rate) = (dot(&upper, &v), dot(&d, &e));
    // |q| as the condition: C̈ − J v̇ of |q| times |q| is q̇² − (q·q̇)²/q².
    let first_bias = dot(&v, &v) - first_rate * first_rate / dot(&upper, &upper);
    let second_bias = dot(&e, &e) - second_rate * second_rate / dot(&d, &d);
    let matrix = [dot(&upper, &upper), -dot(&upper, &d), 2.0 * dot(&d, &d)];
    // Gravity pulls both ends of the second rod alike.
    let right = [g * upper[1] - first_bias, -second_bias];
    let determinant = matrix[0] * matrix[2] - matrix[1] * matrix[1];
    let lambda = [
        (matrix[2] * right[0] - matrix[1] * right[1]) / determinant,
        (matrix[0] * right[1] - matrix[1] * right[0]) / determinant,
    ];
    let expected = BTreeMap::from([
        ("pivot_0", matrix[0]),
        ("upper_to_lower_x", d[0]),
        ("upper_to_lower_y", d[1]),
        ("second_length_squared", dot(&d, &d)),
        ("delassus_1_1", matrix[2]),
        ("minus_delassus_1_0", -matrix[1]),
        ("determinant", determinant),
        ("first_rate", first_rate),
        ("right_0", right[0]),
        ("v_upper_to_lower_x", e[0]),
        ("v_upper_to_lower_y", e[1]),
        ("second_rate", second_rate),
        ("second_bias", second_bias),
        ("inv_determinant", 1.0 / determinant),
        ("lambda_per_mass_0", lambda[0]),
        ("lambda_per_mass_1", lambda[1]),
        ("pull_lower_x", lambda[1] * d[0]),
        ("pull_lower_y", lambda[1] * d[1]),
    ]);
    let found = numbers(&program, model, &state);
    let names: Vec<&&str> = found.keys().collect();
    assert_eq!(names, expected.keys().collect::<Vec<_>>());
    for (name, found) in found {
        let expected = expected[name];
        let error = (found - expected).abs();
        assert!(
            error <= 1e-13 * expected.abs().max(1.0),
            "{name}: {found}, not {expected}"
        );
    }
}

/// cos(a ± b) and sin(a ± b) as sums of products, and sums that are neither.
#[test]
fn functions_of_two_angles_have_the_values_of_their_names() {
    let mut graph = Graph::new();
    let angles = [0.7_f64, 2.1];
    let [a, b] = [0, 1].map(|i| graph.symbol(SymbolId::new(i)));
    let [sines, cosines] = [Function::Sin, Function::Cos]
        .map(|function| [a, b].map(|angle| graph.call(function, &[angle])));
    let factors = [sines, cosines].concat();
    let products = factors
        .iter()
        .flat_map(|&f| factors.iter().map(move |&g| (f, g)));
    let products: Vec<ExprId> = products.map(|(f, g)| graph.mul(f, g)).collect();
    let mut seen = BTreeSet::new();
    for (&p, &q) in products
        .iter()
        .flat_map(|p| products.iter().map(move |q| (p, q)))
    {
        for sign in [Number::ONE, Number::MINUS_ONE] {
            let sum = graph.sum(&[(p, Number::ONE), (q, sign)]);
            let square = graph.powi(sum, 3);
            let roots = [sum, square].map(Root::Output);
            let name = |symbol: SymbolId| ["a", "b"][symbol.index()].to_owned();
            let program = schedule(&graph, &roots, &[], &name);
            let bound = bound(&program);
            let mut all = program.clone();
            all.outputs = bound.iter().map(|it| it.1).collect();
            let found = all.evaluate(|symbol| angles[symbol.index()]);
            for ((name, _), found) in bound.into_iter().zip(found) {
                let (factor, positive) = match name.strip_prefix("minus_") {
                    Some(positive) => (-1.0, positive),
                    None => (1.0, name),
                };
                let Some((function, argument)) = positive.split_once('_') else {
                    continue;
                };
                let (first, sign, last) = match argument.split('_').collect::<Vec<_>>()[..] {
                    [first, sign, last] => (first, sign, last),
                    _ => continue,
                };
                let angle = |name| angles[usize::from(name == "b")];
                let by = if sign == "plus" { 1.0 } else { -1.0 };
                let argument = angle(first) + by * angle(last);
                let expected = if function == "sin" {
                    argument.sin()
                } else {
                    argument.cos()
                };
                assert!(
                    (found - factor * expected).abs() < 1e-14,
                    "{name}: {found}, not {expected}"
                );
                seen.insert(name.to_owned());
            }
        }
    }
    let kinds = [
        "cos_a_minus_b",
        "minus_cos_a_plus_b",
        "sin_a_minus_b",
        "sin_a_plus_b",
    ];
    assert_eq!(seen, kinds.map(str::to_owned).into());
}

/// Parameters, points and values of the user's that are called as temporaries would be.
#[test]
fn no_name_is_given_twice() {
    const TAKEN: &str = "
        struct Rods { second_rate: Real, delassus_1_1: Real, right_0: Real, first_length_squared: Real }
        particle upper: Point2 { mass: second_rate }
        particle upper_to_lower: Point2 { mass: delassus_1_1 }
        particle lower: Point2 { mass: right_0 }
        constraint first: norm(upper) == first_length_squared;
        constraint second: norm(lower - upper) == first_length_squared;
        constraint v_upper: norm(upper_to_lower - lower) == first_length_squared;
        gravity [0, -right_0];
    ";
    let system = analyze_system(tokens(TAKEN)).expect("a system");
    let model = &system.system.model;
    for quantity in [
        Quantity::Acceleration,
        Quantity::ProjectedMotion,
        Quantity::Correction,
    ] {
        distinct(&system.program(&[quantity], &|it| leaf(model, it)), model);
    }
    // The components of the user's d are `d_x` and `d_y`; entries of J must not become those.
    let named = analyze(tokens(
        "struct Rod { length: Real } |a: Point2, b: Point2, x, y| {
            let jacobian_a = b - a;
            let rate = norm(jacobian_a);
            [rate == length, rate*x == y]
        }",
    ));
    let named = named.expect("a constraint");
    for quantity in [Quantity::Jacobian, Quantity::Bias, Quantity::Force] {
        let program = named.program(&[quantity], &|it| leaf(&named.model, it));
        distinct(&program, &named.model);
    }
}

fn distinct(program: &Program, model: &Model) {
    let leaves = program.values.iter().filter_map(|op| match op {
        Op::Input(symbol) => Some(leaf(model, *symbol)),
        _ => None,
    });
    let names = bound(program).into_iter();
    let names = names.map(|(name, _)| name.replace('.', "_"));
    let names: Vec<String> = leaves.chain(names).collect();
    let distinct: BTreeSet<&String> = names.iter().collect();
    assert_eq!(distinct.len(), names.len(), "{names:?}");
}
