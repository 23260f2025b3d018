//! Hard expressions where their parts leave the range of floats and they do not.
//!
//! Expected values: the derivatives of the expression as written, by mpmath 1.3 with 60 digits, of which 20 stand here.
#![allow(clippy::excessive_precision)]

use constraint_symbolic::compile::analyze;
use constraint_symbolic::constraint::Quantity;
use constraint_symbolic::model::Role;

const V: [f64; 3] = [1.0, -0.5, 0.25];
const F: [f64; 3] = [0.5, 0.25, -1.0];

/// At q, with v = (1, −½, ¼), f = (½, ¼, −1) and m = 1.
fn evaluate(source: &str, q: &[f64], quantity: Quantity) -> Vec<f64> {
    let tokens = source.parse().expect("the test's source is valid tokens");
    let derived = analyze(tokens).unwrap_or_else(|errors| panic!("{source}: {errors:?}"));
    let program = derived.plain_program(&[quantity]);
    program.evaluate(|symbol| match derived.model.symbols[symbol.index()].role {
        Role::Coordinate(i) => q[i],
        Role::Velocity(i) => V[i],
        Role::Force(i) => F[i],
        _ => 1.0,
    })
}

struct Hard {
    source: &'static str,
    q: &'static [f64],
    jacobian: &'static [f64],
    jacobian_dot: &'static [f64],
    bias: f64,
    force: &'static [f64],
}

const TABLE: &[Hard] = &[
    // (eˣ + eʸ)² is 10⁴³⁴.
    Hard {
        source: "ln(exp(x) + exp(y)) - 1",
        q: &[500.0, 500.25],
        jacobian: &[0.43782349911420189597, 0.56217650088579810403],
        jacobian_dot: &[0.36920112410639752138, -0.36920112410639752138],
        bias: 0.55380168615959628207,
        force: &[-0.78751339532740672671, -1.0111872155824515097],
    },
    Hard {
        source: "ln(exp(-x) + exp(-y)) - 1",
        q: &[500.0, 500.25],
        jacobian: &[-0.56217650088579810403, -0.43782349911420189597],
        jacobian_dot: &[0.36920112410639752138, -0.36920112410639752138],
        bias: 0.55380168615959628207,
        force: &[0.18076385625348011683, 0.1407790328012171808],
    },
    Hard {
        source: "struct S; |x, y, z| ln(exp(x) + 2*z*exp(y)) - 1",
        q: &[500.0, 500.25, 0.75],
        jacobian: &[
            0.34175904662527123967,
            0.65824095337472876033,
            0.87765460449963834711,
        ],
        jacobian_dot: &[
            0.26245310078756640498,
            -0.26245310078756640498,
            -0.64248900254996798901,
        ],
        bias: 0.23305740054385761022,
        force: &[
            0.080021745966891194184,
            0.15412493356382709325,
            0.20549991141843612434,
        ],
    },
    Hard {
        source: "exp(x)/(exp(x) + exp(y)) - z",
        q: &[500.0, 500.25, 1.0],
        jacobian: &[0.24613408273759834759, -0.24613408273759834759, -1.0],
        jacobian_dot: &[0.045911268040078162452, -0.045911268040078162452, 0.0],
        bias: 0.068866902060117243678,
        force: &[
            -0.24816180129483702536,
            0.24816180129483702536,
            1.0082382680800871163,
        ],
    },
    Hard {
        source: "sqrt(exp(x) + exp(y)) - 1",
        q: &[500.0, 500.25],
        jacobian: &[1.2394813997694685401e108, 1.5915256208156969237e108],
        jacobian_dot: &[1.1423461870613074485e108, -9.2048689238049740939e107],
        bias: 1.6025896332515561532e108,
        force: &[-0.79810515290483926301, -1.0247873015192698654],
    },
    Hard {
        source: "ln(1 + exp(x)) + y",
        q: &[500.0, 0.25],
        jacobian: &[1.0, 1.0],
        jacobian_dot: &[0.0, 0.0],
        bias: 0.0,
        force: &[-0.375, -0.375],
    },
    Hard {
        source: "tanh(x) + y",
        q: &[500.0, 0.25],
        jacobian: &[0.0, 1.0],
        jacobian_dot: &[0.0, 0.0],
        bias: 0.0,
        force: &[0.0, -0.25],
    },
    // x² is 10³⁴⁰.
    Hard {
        source: "hypot(x, y) - 1",
        q: &[1e170, 2e170],
        jacobian: &[0.44721359549995793928, 0.89442719099991587856],
        jacobian_dot: &[4.4721359549995792389e-171, -2.2360679774997896194e-171],
        bias: 5.5901699437494740486e-171,
        force: &[-0.2, -0.4],
    },
    Hard {
        source: "norm([x, y]) - 1",
        q: &[1e100, 2e100],
        jacobian: &[0.44721359549995793928, 0.89442719099991587856],
        jacobian_dot: &[4.4721359549995793217e-101, -2.2360679774997896608e-101],
        bias: 5.5901699437494741521e-101,
        force: &[-0.2, -0.4],
    },
    Hard {
        source: "struct S; |x, y| atan2(y, x) - 1",
        q: &[1e-60, 2e-60],
        jacobian: &[-4.0000000000000001183e59, 2.0000000000000000591e59],
        jacobian_dot: &[1.0000000000000000591e119, 2.0000000000000001183e119],
        bias: 0.0,
        force: &[-0.3, 0.15],
    },
    Hard {
        source: "ln(x^2 + y^2) - 1",
        q: &[1e60, 2e60],
        jacobian: &[4.0000000000000002025e-61, 8.0000000000000004049e-61],
        jacobian_dot: &[4.0000000000000004049e-121, -2.0000000000000002025e-121],
        bias: 5.0000000000000005061e-121,
        force: &[-0.2, -0.4],
    },
];

#[track_caller]
fn agree(what: &str, values: &[f64], expected: &[f64]) {
    let size = expected.iter().fold(0.0f64, |most, it| most.max(it.abs()));
    let allowed = 1e-12 * if size > 0.0 { size } else { 1.0 };
    for (value, expected) in values.iter().zip(expected) {
        assert!(
            (value - expected).abs() <= allowed,
            "{what}: {value:e}, not {expected:e}"
        );
    }
    assert_eq!(values.len(), expected.len(), "{what}");
}

#[test]
fn hard_expressions_have_the_derivatives_of_60_digits() {
    for row in TABLE {
        let quantities = [
            (Quantity::Jacobian, row.jacobian),
            (Quantity::JacobianDot, row.jacobian_dot),
            (Quantity::Bias, &[row.bias]),
            (Quantity::ParticleForce, row.force),
            (Quantity::Force, row.force),
        ];
        for (quantity, expected) in quantities {
            let what = format!("{quantity:?} of {}", row.source);
            agree(&what, &evaluate(row.source, row.q, quantity), expected);
        }
    }
}

/// 2 u̇²/u³ of u = eˣ + eʸ by (u̇/u³) u̇.
#[test]
fn a_square_over_a_divisor_is_no_fourth_power() {
    let source = "1/(exp(x) + exp(y)) - z";
    let bias = evaluate(source, &[500.0, 500.25, 1.0], Quantity::Bias);
    agree(source, &bias, &[-1.6508487585727710332e-218]);
}

/// Where it would cost operations everywhere, the parts of a derivative may leave the range before it does. None of
/// these is a number that could be mistaken for the right one.
#[test]
fn what_is_not_reached_is_no_number() {
    let table: [(&str, &[f64], Quantity); 1] = [
        // x² + y² is 0; through r = hypot(x, y) it would be x/r/r, a root and a division more.
        (
            "struct S; |x, y| atan2(y, x) - 1",
            &[1e-170, 2e-170],
            Quantity::Jacobian,
        ),
    ];
    for (source, q, quantity) in table {
        let values = evaluate(source, q, quantity);
        assert!(
            values.iter().any(|it| !it.is_finite()),
            "{source}: {values:?}"
        );
    }
}
