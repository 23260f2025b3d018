//! What decays as an exponential below it grows: neither it nor what is derived of it overflows on the way to 0.

use constraint_symbolic::compile::analyze;
use constraint_symbolic::constraint::Quantity;
use constraint_symbolic::model::Role;

/// The first component of a quantity of `f(x) + y` at x, ẋ = 1.
fn found(f: &str, quantity: Quantity, x: f64) -> f64 {
    let tokens = format!("{f} + y").parse().expect("tokens");
    let derived = analyze(tokens).expect("a valid constraint");
    let program = derived.plain_program(&[quantity]);
    program.evaluate(|symbol| match derived.model.symbols[symbol.index()].role {
        Role::Coordinate(0) => x,
        Role::Velocity(0) | Role::InverseMass(_) => 1.0,
        _ => 0.0,
    })[0]
}

/// f′ and f″ as multiples of e^(rate x), by the first terms of their series in e⁻ˣ; where x is large the rest is too small
/// to count.
const DECAYING: [(&str, f64, f64, f64); 9] = [
    ("1/(1 + exp(x))", -1.0, -1.0, 1.0),
    ("1/(3 + 2*exp(x))", -1.0, -0.5, 0.5),
    ("(1 + exp(x))^-2", -2.0, -2.0, 4.0),
    ("1/(1 + exp(x/2)^2)", -1.0, -1.0, 1.0),
    ("1/sqrt(1 + exp(x))", -0.5, -0.5, 0.25),
    ("1/cosh(x)", -1.0, -2.0, 2.0),
    ("1/(1 + cosh(x))", -1.0, -2.0, 2.0),
    (
        "1/sqrt(cosh(x))",
        -0.5,
        -0.5 * std::f64::consts::SQRT_2,
        0.25 * std::f64::consts::SQRT_2,
    ),
    ("-1/(1 + exp(-x))", -1.0, -1.0, 1.0),
];

#[test]
fn slopes_of_what_decays_are_exact_until_they_are_too_small() {
    for (f, rate, slope, bend) in DECAYING {
        for x in [60.0, 200.0, 340.0, 356.0, 500.0, 690.0] {
            let power = (rate * x).exp();
            if power < 1e-300 {
                continue;
            }
            for (quantity, expected) in [
                (Quantity::Jacobian, slope * power),
                (Quantity::JacobianDot, bend * power),
                (Quantity::Bias, bend * power),
            ] {
                let error = found(f, quantity, x) / expected - 1.0;
                assert!(error.abs() < 1e-12, "{f}, {quantity:?} at {x}: {error:e}");
            }
        }
    }
}

#[test]
fn nothing_of_what_decays_is_ever_undefined() {
    for (f, ..) in DECAYING {
        for x in [
            -1e5, -800.0, -720.0, -700.0, -356.0, 0.0, 356.0, 700.0, 720.0, 800.0, 1e5,
        ] {
            for quantity in [
                Quantity::Value,
                Quantity::Jacobian,
                Quantity::JacobianDot,
                Quantity::Bias,
                Quantity::Multipliers,
            ] {
                let value = found(f, quantity, x);
                assert!(value.abs() <= 2.0, "{f}, {quantity:?} at {x}: {value}");
            }
        }
    }
}

/// x/u, u = 1 + eˣ: (u − x eˣ)/u², whose second derivative is x e⁻ˣ far out.
#[test]
fn products_with_what_decays_decay() {
    for x in [100.0_f64, 360.0, 500.0, 700.0] {
        let power = (-x).exp();
        let slope = found("x/(1 + exp(x))", Quantity::Jacobian, x);
        let bend = found("x/(1 + exp(x))", Quantity::JacobianDot, x);
        assert!(
            (slope / ((1.0 - x) * power) - 1.0).abs() < 1e-12,
            "{x}: {slope}"
        );
        assert!(
            (bend / ((x - 2.0) * power) - 1.0).abs() < 1e-12,
            "{x}: {bend}"
        );
    }
}

/// Where nothing grows, against differences of closed forms.
#[test]
fn near_zero_slopes_are_those_of_the_closed_forms() {
    for x in [-2.0_f64, -0.3, 0.0, 0.7, 3.0] {
        let (e, h) = (x.exp(), x.cosh());
        for (f, slope, bend) in [
            (
                "1/(3 + 2*exp(x))",
                -2.0 * e / (3.0 + 2.0 * e).powi(2),
                2.0 * e * (2.0 * e - 3.0) / (3.0 + 2.0 * e).powi(3),
            ),
            (
                "1/cosh(x)",
                -x.tanh() / h,
                (2.0 * x.tanh().powi(2) - 1.0) / h,
            ),
            (
                "exp(x)/(1 + exp(x))^2",
                e * (1.0 - e) / (1.0 + e).powi(3),
                e * (1.0 - 4.0 * e + e * e) / (1.0 + e).powi(4),
            ),
        ] {
            for (quantity, expected) in [(Quantity::Jacobian, slope), (Quantity::Bias, bend)] {
                let value = found(f, quantity, x);
                assert!(
                    (value - expected).abs() < 1e-14,
                    "{f}, {quantity:?} at {x}: {value}"
                );
            }
        }
    }
}
