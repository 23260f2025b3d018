//! Numbers at and beyond the ends of `f64`: what a factor brings back is exact, what stays outside is an error.

use constraint_symbolic::compile::{self, analyze, analyze_curve, analyze_system, constraint};
use constraint_symbolic::constraint::Quantity;
use constraint_symbolic::diagnostic::Diagnostics;
use constraint_symbolic::model::Role;
use constraint_symbolic::schedule::{Op, Program};

fn texts(diagnostics: &Diagnostics) -> String {
    let texts: Vec<String> = diagnostics.iter().map(|it| it.message.clone()).collect();
    texts.join("\n")
}

/// The first component of f̂ at (x, 1), v = (1, 1), m = 1, f = 0.
fn force(source: &str, x: f64) -> f64 {
    let tokens = source.parse().expect("the test's source is valid tokens");
    let derived = analyze(tokens).unwrap_or_else(|it| panic!("{source}: {}", texts(&it)));
    let program = derived.plain_program(&[Quantity::ParticleForce]);
    program.evaluate(|symbol| match derived.model.symbols[symbol.index()].role {
        Role::Coordinate(0) => x,
        Role::Force(_) => 0.0,
        _ => 1.0,
    })[0]
}

/// f̂ does not know by what the equation was multiplied.
#[test]
fn forces_are_those_of_the_equation_without_its_factor() {
    let plain = force("x^2 + 2*y", 3.0);
    for factor in [
        "1e-300",
        "1e-200",
        "PI*1e-100",
        "1e100",
        "PI*1e160",
        "1e300",
    ] {
        close(force(&format!("{factor}*(x^2 + 2*y)"), 3.0), plain);
        close(force(&format!("{factor}*x^2 + 2*{factor}*y"), 3.0), plain);
    }
}

/// The messages of a macro's input; empty where there are none.
fn refused(kind: &str, source: &str) -> String {
    let tokens = source.parse().expect("the test's source is valid tokens");
    let result = match kind {
        "curve" => analyze_curve(tokens).map(|_| ()),
        "constraint" | "joint" => analyze(tokens).map(|_| ()),
        _ => analyze_system(tokens).map(|_| ()),
    };
    result.map_or_else(|diagnostics| texts(&diagnostics), |()| String::new())
}

/// One mistake, one message.
#[track_caller]
fn is_refused(kind: &str, source: &str, message: &str) {
    assert_eq!(refused(kind, source), message, "{source}");
}

fn program(source: &str, quantity: Quantity) -> Program {
    let tokens = source.parse().expect("the test's source is valid tokens");
    let derived = analyze(tokens).unwrap_or_else(|it| panic!("{source}: {}", texts(&it)));
    derived.plain_program(&[quantity])
}

/// J_x at x, of an equation in x and y.
fn slope(source: &str, x: f64) -> f64 {
    let program = program(source, Quantity::Jacobian);
    program.evaluate(|symbol| if symbol.index() == 0 { x } else { 0.0 })[0]
}

#[track_caller]
fn close(value: f64, expected: f64) {
    assert!(
        (value / expected - 1.0).abs() < 1e-13,
        "{value:e}, not {expected:e}"
    );
}

/// Every m π/12: nearest floats, and identities without a remainder.
#[test]
fn turns_by_twelfths_of_pi_are_exact() {
    for m in -24..=24_i32 {
        let angle = f64::from(m) * std::f64::consts::PI / 12.0;
        let (of_cos, of_sin) = (format!("cos({m}*PI/12)"), format!("sin({m}*PI/12)"));
        for (written, expected) in [(&of_cos, angle.cos()), (&of_sin, angle.sin())] {
            let found = slope(&format!("{written}*x + y"), 1.0);
            assert!((found - expected).abs() < 1e-15, "{written}: {found:e}");
            assert!(found == 0.0 || found.abs() > 0.2, "{written}: {found:e}");
        }
        for zero in [
            format!("{of_cos}^2 + {of_sin}^2 - 1"),
            format!("2*{of_sin}*{of_cos} - sin({m}*PI/6)"),
            format!("{of_cos}*(1/3 + {of_sin}) - {of_cos}/3 - {of_sin}*{of_cos}"),
            format!("{of_cos}/(3 + {of_sin}) - {of_cos}*(3 - {of_sin})/(8 + {of_cos}^2)"),
        ] {
            assert_eq!(slope(&format!("({zero})*x^2 + y*x"), 1.0), 0.0, "{zero}");
        }
    }
    assert_eq!(slope("((sqrt(2)/2)^2 - 1/2)*x + y", 1.0), 0.0);
    assert_eq!(slope("(tan(PI/12) + sqrt(3) - 2)*x + y", 1.0), 0.0);
    assert_eq!(
        slope("(acos((sqrt(6) - sqrt(2))/4) - 5*PI/12)*x + y", 1.0),
        0.0
    );
    close(
        slope("max(1 + sqrt(2), sqrt(6) - 1/30)*x + y", 1.0),
        6f64.sqrt() - 1.0 / 30.0,
    );
}

/// By d/dx of the monomials, their constants multiplied by hand.
#[test]
fn what_leaves_the_range_on_the_way_comes_back_exactly() {
    let table = [
        // 10⁻¹⁰⁰ x²
        ("(1e-200*x)^2*1e300 + y", 3.0, 6e-100),
        ("1e300*(1e-200*x)^2 + y", 3.0, 6e-100),
        // 10¹⁰⁰ x²
        ("(1e200*x)^2/1e300 + y", 3.0, 6e100),
        ("1e-300*(1e200*x)*(1e200*x) + y", 3.0, 6e100),
        ("{ let d = 1e200*x; let e = d*d; e/1e300 } + y", 3.0, 6e100),
        // x³
        ("1e-308*x^3*1e-300*1e308*1e300 + y", 2.0, 12.0),
        // 7·10³⁰⁰ x⁶
        ("1e300*x^7 + 1e300*y", 0.5, 7e300 / 64.0),
        ("1e-300*x^7 + PI*1e-300*y", 0.5, 7e-300 / 64.0),
    ];
    for (source, x, expected) in table {
        close(slope(source, x), expected);
    }
}

const TOO_LARGE: &str = "which is too large for an `f64`";
const TOO_SMALL: &str = "which is too small for an `f64`";

#[test]
fn constants_that_stay_outside_are_errors_whichever_derivation_made_them() {
    let value = "this expression has a constant";
    let slope = "the derivative of this expression has a constant";
    let bend = "the second derivative of this expression has a constant";
    let later = "an expression derived from this has a constant";
    let table = [
        ("x^1000*1e308 + y", format!("{slope} 1e311, {TOO_LARGE}")),
        (
            "sin(1e200*x)*1e200 + y",
            format!("{slope} 1e400, {TOO_LARGE}"),
        ),
        (
            "sin(1e-200*x)*1e-200 + y",
            format!("{slope} 1e-400, {TOO_SMALL}"),
        ),
        ("(1e-200*x)^2 + y", format!("{value} 1e-400, {TOO_SMALL}")),
        ("(1e200*x)^2 + y", format!("{value} 1e400, {TOO_LARGE}")),
        (
            "1e308*x + 1e308*x + y",
            format!("{value} 2e308, {TOO_LARGE}"),
        ),
        // cos(10¹⁵⁵ x) 10¹⁵⁵·10¹⁵⁵
        ("cos(1e155*x) + y", format!("{bend} -1e310, {TOO_LARGE}")),
        // J = 2·10²⁰⁰ (x, ½·10⁻²⁰⁰ cos y); J Jᵀ in these units has ¼·10⁻⁴⁰⁰ cos² y.
        (
            "1e200*x^2 + sin(y)",
            format!("{later} 2.5e-401, {TOO_SMALL}"),
        ),
        ("0^x + y", format!("{slope} which is not finite")),
        // What nothing is made of is no mistake.
        (
            "{ let d = x^1000*1e308; sin(1e200*z)*1e200 + y }",
            format!("{slope} 1e400, {TOO_LARGE}"),
        ),
        // Two mistakes, and what is made of them is none of its own.
        (
            "[y*(x^1000*1e308 + x)*2 + 1, sin(1e200*z)*1e200 + x^1000*1e308]",
            format!("{slope} 1e311, {TOO_LARGE}\n{slope} 1e400, {TOO_LARGE}"),
        ),
    ];
    for (source, message) in table {
        is_refused("constraint", source, &message);
    }
}

#[test]
fn curves_and_systems_are_no_exception() {
    let slope = "the derivative of this expression has a constant 1e311";
    is_refused(
        "curve",
        "struct C; |s in 0..=1| [s, 1e308*s^1000]",
        &format!("{slope}, {TOO_LARGE}"),
    );
    is_refused(
        "curve",
        "struct C; |s in 0..=1| [1e-200*s, 1e-200*s^3]",
        &format!("an expression derived from this has a constant 1e-400, {TOO_SMALL}"),
    );
    let system = |rest: &str| format!("struct S; particle a: Point2 {{ mass: 1 }} {rest}");
    is_refused(
        "system",
        &system("potential 1e308*a.x^1000;"),
        &format!("{slope}, {TOO_LARGE}"),
    );
    is_refused(
        "system",
        &system("constraint c: 1e308*a.x^1000 == 1;"),
        &format!("{slope}, {TOO_LARGE}"),
    );
    is_refused(
        "system",
        "struct S; coordinate x; particle a = [1e200*x, 0] { mass: 1 }",
        &format!("an expression derived from this has a constant 1e400, {TOO_LARGE}"),
    );
    is_refused(
        "system",
        "#[solver(rolled)] struct S; particle a[3]: Point2 { mass: 1 }
        for i in 0..3 { constraint c[i]: 1e308*a[i].x^1000 == 1; }",
        &format!("{slope}, {TOO_LARGE}"),
    );
    let joint = |row: &str| format!("struct J; |a: Rigid3, b: Rigid3| {row}");
    is_refused(
        "joint",
        &joint("[1e308*(at(a, [0, 0, 1]).x - at(b, [1, 0, 0]).x)^1000 == 1]"),
        &format!("{slope}, {TOO_LARGE}"),
    );
}

#[test]
fn numbers_as_written_must_fit() {
    let long = "9".repeat(400);
    let (long, short) = (
        format!("{long}*x + y"),
        format!("0.{}{long}*x + y", "0".repeat(400)),
    );
    let table = [
        (long.as_str(), "this number is out of range"),
        (short.as_str(), "this number is out of range"),
        ("1e-400*x + y", "this number is out of range"),
        ("1e999*x + y", "this number is out of range"),
        ("10^1000*x + y", "this constant is not finite"),
        (
            "10^-1000*x + y",
            "this constant is 1e-1000, which is too small for an `f64`",
        ),
        (
            "exp(-1000)*x + y",
            "this constant is 5.076e-435, which is too small for an `f64`",
        ),
        ("exp(1000)*x + y", "this constant is not finite"),
        // log₁₀ 2^−1500.5 = −451.695…
        (
            "(1/2)^1500.5*x + y",
            "this constant is 2.016e-452, which is too small for an `f64`",
        ),
    ];
    for (source, message) in table {
        is_refused("constraint", source, message);
    }
}

#[test]
fn a_negative_number_has_no_powers_but_whole_ones() {
    let message = "a negative number has real powers only for integer exponents";
    for source in [
        "(-1)^x + y",
        "pow(-2, x) + y",
        "powf(-1/2, x*y) + y",
        "(-2)^(x + 1) + y",
    ] {
        is_refused("constraint", source, message);
    }
    is_refused(
        "constraint",
        "(-8)^(1/3)*x + y",
        "a negative number has no real fractional power",
    );
    // −8 x, and a positive base.
    close(slope("(-2)^3*x + y", 0.3), -8.0);
    close(slope("2^x + y", 2.0), 4.0 * std::f64::consts::LN_2);
}

#[test]
fn exponents_are_refused_alike_however_large_and_however_they_are_written() {
    let message = "a constant exponent must lie between -1000000 and 1000000";
    for source in [
        "x^1000001 + y",
        "x^-1000001 + y",
        "x^99999999999 + y",
        "x^340282366920938463463374607431768211455 + y",
        "x^1e300 + y",
        "x^1e18 + y",
        "x^1000000.5 + y",
        "powi(x, 340282366920938463463374607431768211455) + y",
        "(x^1000)^1001 + y",
        "x^1000000*x + y",
        "(x^1000000)^1000000 + y",
        "(x^1000*y)^1001",
        "(((x^1000*y)^1000*z)^1000*x)^1000/y",
        "(2*(3*x^1000*y)^10*z)^101",
        "(sqrt(x^1000*y)^1001)*sqrt(x^1000*y)",
        "{ let a = x^1000*y; let b = -a; b^1001 }",
        "norm_squared((x^1000*y)^1001*[x, y])",
    ] {
        is_refused("constraint", source, message);
    }
    close(slope("x^1000000 + y", 1.0), 1e6);
}

/// A branch that is not taken may hold anything.
#[test]
fn dead_branches_are_not_judged() {
    for source in [
        "if 1 > 2 { (-1)^x } else { x } + y",
        "if 1 > 2 { x^1000*1e308 } else { x } + y",
        "if 1 > 2 { x^1000000*x } else { x } + y",
    ] {
        close(slope(source, 0.5), 1.0);
    }
}

/// Whatever numbers are written, those of a program are finite, and no product has lost its number.
#[test]
fn programs_hold_numbers_that_fit() {
    let quantities = [
        Quantity::Value,
        Quantity::Jacobian,
        Quantity::Rate,
        Quantity::JacobianDot,
        Quantity::Bias,
        Quantity::Force,
        Quantity::ParticleForce,
    ];
    let numbers = [
        "1e-300", "1e-160", "3e-100", "1", "PI*1e90", "1e150", "1e307",
    ];
    let (mut programs, mut errors) = (0, 0);
    for a in numbers {
        for b in numbers {
            for c in numbers {
                let source = format!(
                    "[{a}*({b}*x + {c}*y)*z + {b}*x^2, {c}*sin({b}*z)*({a}*x + y) + {a}*z]"
                );
                let tokens: proc_macro2::TokenStream = source.parse().expect("valid tokens");
                let Ok(derived) = analyze(tokens.clone()) else {
                    assert!(constraint(tokens).to_string().contains("compile_error"));
                    errors += 1;
                    continue;
                };
                programs += 1;
                for quantity in quantities {
                    let program = derived.plain_program(&[quantity]);
                    let fits = |op: &Op| !matches!(op, Op::Number(number) if !number.fits());
                    assert!(program.values.iter().all(fits), "{source}: {quantity:?}");
                }
            }
        }
    }
    assert!(programs > 20 && errors > 100, "{programs}, {errors}");
}

/// What is emitted for a valid input holds no error: the last defence of the emitter is never met.
#[test]
fn whatever_is_derived_can_be_emitted() {
    let numbers = ["1e-160", "PI*1e-90", "1", "3e70", "1e150"];
    let (mut valid, mut invalid) = (0, 0);
    for a in numbers {
        for b in numbers {
            let inputs = [
                (
                    "constraint",
                    format!(
                        "struct C {{ r: Real }} |x, y, z| [{a}*(x + {b}*y)^3 - r, {b}*sin({a}*z)*x + {b}*y/z]"
                    ),
                ),
                (
                    "joint",
                    format!(
                        "struct J; |p: Rigid3, q: Rigid3| [{a}*(at(p, [{b}, 0, 1]).x - at(q, [1, 0, {b}]).y)]"
                    ),
                ),
                (
                    "curve",
                    format!(
                        "struct C; |s in 0..=1| [{a}*s + {b}*s^3, if s > 1/2 {{ {a}*s^2 }} else {{ {b}*s }}]"
                    ),
                ),
                (
                    "system",
                    format!(
                        "struct S {{ g: Real = 9.81 }} coordinate x, y; \
                         particle p = [{a}*cos(x), {b}*sin(x) + y] {{ mass: {b} }} \
                         body c: Rigid2 {{ mass: {a}, inertia: {b} }} \
                         potential {a}*g*p.y + {b}*x^2; constraint c0: at(c, [{a}, 0]).x == {b}*x;"
                    ),
                ),
                (
                    "system",
                    format!(
                        "#[solver(rolled)] struct S; particle p[4]: Point2 {{ mass: {a} }} \
                         for i in 1..4 {{ constraint c[i]: {b}*norm(p[i] - p[i-1]) == {a}; }}"
                    ),
                ),
            ];
            for (kind, source) in inputs {
                let tokens: proc_macro2::TokenStream = source.parse().expect("valid tokens");
                let emitted = match kind {
                    "curve" => compile::curve(tokens),
                    "system" => compile::system(tokens),
                    _ => constraint(tokens),
                };
                let refused = refused(kind, &source);
                let has_error = emitted.to_string().contains("compile_error");
                assert_eq!(has_error, !refused.is_empty(), "{source}: {refused}");
                valid += u32::from(refused.is_empty());
                invalid += u32::from(!refused.is_empty());
            }
        }
    }
    assert!(valid > 40 && invalid > 40, "{valid}, {invalid}");
}

/// Each step of a chain has a half in its slope, and the factors beside it may be as large as that is small.
#[test]
fn halves_of_long_chains_are_no_constant_that_is_too_small() {
    let steps: [&str; 3] = ["(# + sin(#))/2", "sqrt(# + 1)", "sin(#)/2"];
    for (step, length) in steps
        .into_iter()
        .flat_map(|step| [(step, 1025), (step, 2500)])
    {
        let mut text = "struct Long { m: Real = 1 } coordinate x; let a0 = x;".to_owned();
        for i in 0..length {
            let of_before = step.replace('#', &format!("a{i}"));
            text += &format!("let a{} = {of_before};", i + 1);
        }
        for end in [
            format!("particle p = [x, 0] {{ mass: m }} potential a{length};"),
            format!("particle p = [x, a{length}] {{ mass: m }}"),
        ] {
            assert_eq!(
                refused("system", &format!("{text} {end}")),
                "",
                "{step}, {length}: {end}"
            );
        }
    }
}
