//! What is derived of rows: how they move, and whether one follows from the others.

use constraint_symbolic::compile::analyze;
use constraint_symbolic::constraint::{Derived, Quantity};
use constraint_symbolic::diagnostic::Diagnostics;
use constraint_symbolic::model::Role;

fn analyzed(source: &str) -> Result<Derived, Diagnostics> {
    analyze(source.parse().expect("the test's source is valid tokens"))
}

/// At q, v, t and with all parameters 3.
fn evaluate(source: &str, quantity: Quantity, q: [f64; 2], v: [f64; 2], t: f64) -> Vec<f64> {
    let derived = analyzed(source).unwrap_or_else(|errors| panic!("{source}: {errors:?}"));
    let program = derived.plain_program(&[quantity]);
    program.evaluate(|symbol| match derived.model.symbols[symbol.index()].role {
        Role::Coordinate(i) => q[i],
        Role::Velocity(i) => v[i],
        Role::Time => t,
        Role::Parameter { .. } => 3.0,
        role => panic!("{role:?} in {source}"),
    })
}

/// C = x s² + r y s: Ċ = v_x s² + 2 x s + r (v_y s + y), C̈ − J v̇ = 4 v_x s + 2 x + 2 r v_y, J̇ = (2 s, r).
#[test]
fn time_is_what_is_declared_as_time_whatever_its_name_and_place() {
    let (q, v, s) = ([2.0, 5.0], [7.0, 11.0], 13.0);
    for names in ["|x, y, s: Time|", "|x, s: Time, y|", "|s: Time, x, y|"] {
        let source = format!("struct S {{ r: Real }} {names} x*s^2 + r*y*s");
        let of = |quantity| evaluate(&source, quantity, q, v, s);
        let rate = 7.0 * 169.0 + 2.0 * 2.0 * 13.0 + 3.0 * (11.0 * 13.0 + 5.0);
        assert_eq!(of(Quantity::Rate), [rate], "{names}");
        assert_eq!(
            of(Quantity::Bias),
            [4.0 * 7.0 * 13.0 + 2.0 * 2.0 + 2.0 * 3.0 * 11.0]
        );
        assert_eq!(of(Quantity::Jacobian), [169.0, 39.0]);
        assert_eq!(of(Quantity::JacobianDot), [26.0, 3.0]);
    }
}

/// A coordinate named `t` moves with its velocity, and nothing else does.
#[test]
fn a_coordinate_named_t_is_no_time() {
    let rate = evaluate("t^2 + s", Quantity::Rate, [2.0, 5.0], [7.0, 11.0], 0.0);
    assert_eq!(rate, [2.0 * 2.0 * 7.0 + 11.0]);
}

/// The number of the row that is said to follow from those before it.
fn dependent_row(source: &str) -> Option<usize> {
    let errors = analyzed(source).err()?;
    let messages: Vec<&str> = errors.iter().map(|it| it.message.as_str()).collect();
    let [message] = messages[..] else {
        panic!("{source}: {messages:?}");
    };
    let number = message
        .strip_prefix("row ")
        .and_then(|it| it.split(' ').next());
    Some(
        number
            .and_then(|it| it.parse().ok())
            .unwrap_or_else(|| panic!("{source}: {message}")),
    )
}

#[test]
fn rows_that_follow_from_those_before_them_are_found() {
    let table = [
        ("[x + y, 2*x + 2*y]", 2),
        ("[x + y, z, x + y + z]", 3),
        ("[x + y, x - y, z, x]", 4),
        ("[x*y + z, z^2 + w, 3*x*y + 3*z]", 3),
        // (x + y)³, whose gradient is that of x + y times a function
        ("[x + y, (x + y)^3]", 2),
        ("[1e-9*x + 1e-9*y, 1e9*x + 1e9*y]", 2),
        // Only where 0 < x, |y| < 1 and so on: points beside that say nothing.
        ("[ln(x) + y, 2*ln(x) + 2*y]", 2),
        ("[x^0.3 + ln(y), ln(x^0.3 + ln(y))]", 2),
        ("[sqrt(x) - sqrt(y), sqrt(x)/3 - sqrt(y)/3]", 2),
        ("[asin(x) + y, asin(x) + y + x^2, 5*asin(x) + 5*y - x^2]", 3),
        (
            "[asin(x) + ln(y) + sqrt(z), (asin(x) + ln(y) + sqrt(z))/7]",
            2,
        ),
        (
            "[asin(x) + acos(y) + atanh(z) + asin(w), 2*asin(x) + 2*acos(y) + 2*atanh(z) + 2*asin(w)]",
            2,
        ),
        ("[acosh(x) + atanh(y), z, acosh(x) + atanh(y) - z]", 3),
    ];
    for (source, row) in table {
        assert_eq!(dependent_row(source), Some(row), "{source}");
    }
}

#[test]
fn independent_rows_are_accepted() {
    for source in [
        "[x + y, 2*x + 3*y]",
        "[x + y, 2*x + 2.000001*y]",
        "[x + y, x*y]",
        "[x, y, z]",
        "[ln(x) + y, ln(x) - y]",
        "[sqrt(x) + y, sqrt(x) - 2*sqrt(y)]",
        "[asin(x) + y, asin(y) + x]",
        "[asin(x) + ln(y) + sqrt(z), asin(x) - ln(y), sqrt(z) == 1]",
        "[1e-9*x, 1e9*y + x]",
        // There is one too many, but not the same one everywhere.
        "[x + y, if z > 0 { x + y } else { x - y }, if z > 0 { x - y } else { x + y }]",
        // Dependent on one side of x = 0 alone.
        "[x + y, if x > 0 { x + y } else { x - y }]",
    ] {
        assert_eq!(dependent_row(source), None, "{source}");
    }
}
