//! Every function and every kind of node: derivatives against two oracles, values against identities, edges.

use crate::harness::{
    Body, Comparison, Condition, Engine, Exponent, Expr, Operator, PowerSpelling, Printer, Random,
    Row, State, agreement_with_differences, agreement_with_dual_numbers, binary, call, coordinate,
    number, parameter, power,
};
use constraint_symbolic::constraint::Quantity;
use constraint_symbolic::expr::{Function, Parity};

// ---- derivatives --------------------------------------------------------------------------------

fn x() -> Expr {
    coordinate("x", 0)
}

fn y() -> Expr {
    coordinate("y", 1)
}

fn z() -> Expr {
    coordinate("z", 2)
}

fn a() -> Expr {
    parameter("a", 0)
}

fn add(left: Expr, right: Expr) -> Expr {
    binary(Operator::Add, left, right)
}

fn mul(left: Expr, right: Expr) -> Expr {
    binary(Operator::Mul, left, right)
}

fn div(left: Expr, right: Expr) -> Expr {
    binary(Operator::Div, left, right)
}

/// `left == a*y`, as the engine reads it and as a tree.
fn constraint(left: Expr) -> (Engine, Body) {
    let body = Body {
        lets: Vec::new(),
        rows: vec![Row {
            left,
            right: Some(mul(a(), y())),
        }],
    };
    let text = Printer::plain().body(&body);
    let source = format!("pub struct Case {{ pub a: Real }} |x, y, z, t: Time| {text}");
    let coordinates = ["x", "y", "z"].map(|name| (name.to_owned(), 1));
    let engine =
        Engine::new(&source, &coordinates).unwrap_or_else(|errors| panic!("{source}\n{errors}"));
    (engine, body)
}

/// Both oracles agree with the engine at `samples` random states, `q` having the last word on coordinates.
fn assert_agreement(left: Expr, samples: u64, q: impl Fn(&mut Random, &mut [f64])) {
    let (engine, body) = constraint(left);
    let mut judged = 0;
    for seed in 0..samples {
        let mut random = Random::new(seed);
        let mut state = State::random(&mut random, 3, 1);
        q(&mut random, &mut state.q);
        let found = engine.answers(&state);
        for outcome in [
            agreement_with_dual_numbers(&found, &body, &state, &engine.columns),
            agreement_with_differences(&found, &body, &state, &engine.columns),
        ] {
            match outcome {
                Comparison::Agrees(_) => judged += 1,
                Comparison::IllConditioned => {}
                Comparison::Differs(message) => {
                    panic!("{}\n{state:?}\n{message}", Printer::plain().body(&body))
                }
            }
        }
    }
    assert!(
        judged * 10 >= samples * 2 * 9,
        "{judged} of {} judged: {}",
        2 * samples,
        Printer::plain().body(&body)
    );
}

#[test]
fn every_function_agrees_with_both_oracles_all_over_its_domain() {
    for function in Function::all() {
        let row = function.row();
        for method in [false, true] {
            let arguments = [x(), z()][..row.arity].to_vec();
            let left = Expr::Call {
                name: row.name,
                arguments,
                method,
            };
            assert_agreement(left, 40, |random, q| {
                q[0] = random.between(row.domain[0].0, row.domain[0].1);
                if row.parity != Parity::Neither && random.once_in(2) {
                    q[0] = -q[0];
                }
                if let Some(&(low, high)) = row.domain.get(1) {
                    q[2] = random.between(low, high);
                }
            });
        }
    }
}

#[test]
fn every_function_of_a_moving_argument_agrees_with_both_oracles() {
    let t = || Expr::Time {
        name: "t".to_owned(),
    };
    for function in Function::all().filter(|function| function.row().arity == 1) {
        let (low, high) = function.row().domain[0];
        let (middle, half) = ((low + high) / 2.0, (high - low) / 2.2);
        // Runs through the domain with x, z and time.
        let wave = call("sin", vec![add(mul(x(), z()), t())]);
        let argument = add(
            number(&format!("{middle:.3}")),
            mul(number(&format!("{half:.3}")), wave),
        );
        let argument = if middle < 0.0 {
            mul(call("abs", vec![x()]), number("0.1"))
        } else {
            argument
        };
        let left = mul(
            call(function.row().name, vec![argument]),
            add(z(), number("3")),
        );
        assert_agreement(left, 20, |_, _| {});
    }
}

#[test]
fn functions_of_the_language_beyond_the_table_agree_with_both_oracles() {
    let list = |items: Vec<Expr>| Expr::List(items);
    let (r, s) = (
        || list(vec![x(), z(), y()]),
        || list(vec![z(), a(), mul(x(), x())]),
    );
    let plane = || (list(vec![x(), z()]), list(vec![y(), x()]));
    let component = |vector: Expr, i: usize| Expr::Component(Box::new(vector), i);
    for left in [
        call("recip", vec![x()]),
        call("norm", vec![r()]),
        call("norm_squared", vec![r()]),
        call("dot", vec![r(), s()]),
        call("dot", vec![call("normalize", vec![r()]), s()]),
        call("dot", vec![call("cross", vec![r(), s()]), r()]),
        call("norm", vec![call("cross", vec![r(), s()])]),
        call("cross", vec![plane().0, plane().1]),
        call("dot", vec![call("perp", vec![plane().0]), plane().1]),
        component(binary(Operator::Sub, div(r(), x()), mul(z(), s())), 1),
        component(add(r(), s()), 2),
    ] {
        assert_agreement(left, 20, |_, _| {});
    }
}

#[test]
fn sums_differences_products_and_quotients_agree_with_both_oracles() {
    let square = || mul(x(), x());
    for left in [
        add(add(x(), z()), number("7/6")),
        binary(
            Operator::Sub,
            mul(number("3"), x()),
            mul(number("0.1"), z()),
        ),
        Expr::Negate(Box::new(mul(x(), z()))),
        mul(mul(x(), z()), x()),
        mul(add(x(), z()), binary(Operator::Sub, x(), z())),
        div(x(), z()),
        div(add(square(), z()), mul(z(), add(square(), number("1")))),
        div(number("1"), mul(x(), z())),
        add(div(x(), z()), div(z(), x())),
        div(div(x(), z()), div(z(), mul(square(), square()))),
    ] {
        assert_agreement(left, 20, |_, _| {});
    }
}

#[test]
fn powers_of_every_kind_agree_with_both_oracles() {
    for exponent in -7..=9 {
        assert_agreement(power(x(), Exponent::Integer(exponent)), 20, |_, _| {});
        assert_agreement(
            power(add(mul(x(), z()), number("5")), Exponent::Integer(exponent)),
            20,
            |_, _| {},
        );
    }
    let positive = |random: &mut Random, q: &mut [f64]| q[0] = random.between(0.3, 3.0);
    for (n, d) in [
        (1, 2),
        (3, 2),
        (-1, 2),
        (-7, 2),
        (1, 3),
        (-5, 3),
        (7, 4),
        (22, 7),
    ] {
        assert_agreement(power(x(), Exponent::Ratio(n, d)), 20, positive);
    }
    for exponent in ["0.5", "2.0", "-1.5", "2.75", "-0.1"] {
        assert_agreement(
            power(x(), Exponent::Decimal(exponent.to_owned())),
            20,
            positive,
        );
    }
    for exponent in [z(), a(), mul(z(), z()), add(x(), z())] {
        assert_agreement(
            power(x(), Exponent::Symbolic(Box::new(exponent))),
            20,
            positive,
        );
    }
}

/// (w²)ᵉ, which the engine writes as |w|²ᵉ.
#[test]
fn powers_of_squares_agree_with_both_oracles() {
    let side = |random: &mut Random, q: &mut [f64]| {
        let size = random.between(0.3, 3.0);
        q[0] = if random.once_in(2) { size } else { -size };
    };
    let square = |of: Expr| power(of, Exponent::Integer(2));
    for (n, d) in [(3, 4), (1, 3), (-5, 3), (1, 4), (7, 10), (-3, 10), (22, 7)] {
        let of = |base: Expr| power(base, Exponent::Ratio(n, d));
        let beside_sign = mul(of(square(x())), call("abs", vec![x()]));
        let several = mul(of(square(x())), of(square(mul(x(), x()))));
        for left in [of(square(x())), of(mul(x(), x())), beside_sign, several] {
            assert_agreement(left, 20, side);
        }
    }
    let varying = Exponent::Symbolic(Box::new(z()));
    assert_agreement(power(square(x()), varying), 20, side);
}

/// (eˣ)ⁿ: what is left of a sum after a common factor may be that factor again.
#[test]
fn powers_of_an_exponential_agree_with_both_oracles() {
    for exponent in [-3, -2, 2, 3, 5] {
        assert_agreement(
            power(call("exp", vec![x()]), Exponent::Integer(exponent)),
            20,
            |_, _| {},
        );
    }
}

#[test]
fn all_spellings_of_a_power_agree_with_both_oracles() {
    for name in ["pow", "powi", "powf"] {
        for spelling in [PowerSpelling::Function(name), PowerSpelling::Method(name)] {
            let left = Expr::Power(Box::new(x()), Exponent::Integer(3), spelling);
            assert_agreement(left, 10, |_, _| {});
        }
    }
}

#[test]
fn choices_agree_with_both_oracles_on_either_side() {
    let compare = |sign, left, right| Condition::Compare(sign, Box::new(left), Box::new(right));
    let choose = |condition| Expr::If(vec![(condition, mul(x(), z()))], Box::new(div(z(), x())));
    let (left, right) = (
        || compare("<", x(), number("0")),
        || compare(">=", z(), number("0")),
    );
    for sign in ["<", "<=", ">", ">=", "=="] {
        assert_agreement(choose(compare(sign, x(), z())), 20, |_, _| {});
    }
    for condition in [
        Condition::And(Box::new(left()), Box::new(right())),
        Condition::Or(Box::new(left()), Box::new(right())),
        Condition::Not(Box::new(left())),
        Condition::Not(Box::new(Condition::Or(
            Box::new(Condition::And(
                Box::new(left()),
                Box::new(Condition::Not(Box::new(right()))),
            )),
            Box::new(compare(">", a(), number("1"))),
        ))),
    ] {
        assert_agreement(choose(condition), 40, |_, _| {});
    }
    let ladder = vec![
        (left(), mul(x(), x())),
        (right(), call("sin", vec![mul(x(), z())])),
    ];
    assert_agreement(
        mul(z(), Expr::If(ladder, Box::new(add(x(), z())))),
        40,
        |_, _| {},
    );
}

#[test]
fn extremes_of_several_arguments_agree_with_both_oracles_whichever_is_taken() {
    for name in ["min", "max"] {
        let arguments = [mul(x(), z()), x(), z(), number("0.37"), div(z(), x())];
        for count in 2..=arguments.len() {
            assert_agreement(
                mul(z(), call(name, arguments[..count].to_vec())),
                40,
                |_, _| {},
            );
        }
    }
}

// ---- values -------------------------------------------------------------------------------------

/// C of `source` at x, with y = 0.
fn value(source: &str, x: f64) -> f64 {
    at(source, &["x"], &[x], Quantity::Value)[0]
}

/// A quantity of a bare constraint, all velocities 1.
fn at(source: &str, names: &[&str], q: &[f64], quantity: Quantity) -> Vec<f64> {
    let engine = Engine::of(source, names);
    let mut state = State::random(&mut Random::new(1), names.len(), 0);
    state.q = q.to_vec();
    state.v.fill(1.0);
    engine.quantity(quantity, &state)
}

fn assert_near(found: f64, expected: f64, what: &str) {
    assert!(
        (found - expected).abs() <= 4.0 * f64::EPSILON * expected.abs(),
        "{what} = {found:e}, not {expected:e}"
    );
}

/// Elementary identities: special angles, ln 2 = arsinh ¾ = arcosh 5/4 = artanh 3/5, 3-4-5.
#[test]
fn functions_have_their_known_values() {
    use std::f64::consts::{E, FRAC_PI_3, FRAC_PI_4, FRAC_PI_6, LN_2, SQRT_2};
    for (source, x, expected) in [
        ("sin(x)", FRAC_PI_6, 0.5),
        ("cos(x)", FRAC_PI_3, 0.5),
        ("tan(x)", FRAC_PI_4, 1.0),
        ("asin(x)", 0.5, FRAC_PI_6),
        ("acos(x)", 0.5, FRAC_PI_3),
        ("atan(x)", 1.0, FRAC_PI_4),
        ("atan2(x, 1)", -1.0, -FRAC_PI_4),
        ("atan2(1, x)", -1.0, 3.0 * FRAC_PI_4),
        ("atan2(-1, x)", -1.0, -3.0 * FRAC_PI_4),
        ("sinh(x)", LN_2, 0.75),
        ("cosh(x)", LN_2, 1.25),
        ("tanh(x)", LN_2, 0.6),
        ("asinh(x)", 0.75, LN_2),
        ("acosh(x)", 1.25, LN_2),
        ("atanh(x)", 0.6, LN_2),
        ("exp(x)", 1.0, E),
        ("exp_m1(x)", LN_2, 1.0),
        ("ln(x)", E, 1.0),
        ("ln_1p(x)", 1.0, LN_2),
        ("log2(x)", 8.0, 3.0),
        ("log10(x)", 1000.0, 3.0),
        // Abramowitz and Stegun, table 7.1, and Olver et al., NIST Handbook, 7.23: one for each of the three forms.
        ("erf(x)", 0.25, 0.276_326_390_168_236_9),
        ("erf(x)", -1.0, -0.842_700_792_949_714_9),
        ("erfc(x)", 2.0, 0.004_677_734_981_047_266),
        ("1e12*erfc(x)", 5.0, 1.537_459_794_428_035),
        ("erfc(x)", -6.0, 2.0),
        ("sqrt(x)", 2.0, SQRT_2),
        ("cbrt(x)", -8.0, -2.0),
        ("powf(x, 1/3)", 27.0, 3.0),
        ("powf(4, x)", -1.5, 0.125),
        ("powi(x, 3)", -2.0, -8.0),
        ("pow(x, -2)", -2.0, 0.25),
        ("abs(x)", -3.5, 3.5),
        ("x + signum(x)", -3.5, -4.5),
        ("hypot(x, 4)", 3.0, 5.0),
        ("recip(x)", -4.0, -0.25),
        ("min(x, 2, -1)", 0.5, -1.0),
        ("max(x, 0.25, -1)", 0.5, 0.5),
        ("7/6*x", 6.0, 7.0),
        ("-x^2", 3.0, -9.0),
        ("2^-1*x", 4.0, 2.0),
        ("2^3^2*x/512", 1.0, 1.0),
        ("x - 1 - 1", 3.0, 1.0),
        ("x/2/2", 8.0, 2.0),
    ] {
        assert_near(value(source, x), expected, &format!("{source} at {x}"));
        // The same of a constant, folded at expansion.
        let constant = format!("{{ let c = {x:?}; z + ({}) }}", with_c_for_x(source));
        assert_near(
            at(&constant, &["z"], &[0.0], Quantity::Value)[0],
            expected,
            &constant,
        );
    }
}

/// The letter x replaced where it is a name of its own.
fn with_c_for_x(source: &str) -> String {
    let letters: Vec<char> = source.chars().collect();
    let part_of_word = |i: usize| {
        letters
            .get(i)
            .is_some_and(|letter| letter.is_alphanumeric())
    };
    let replaced = (0..letters.len()).map(|i| {
        let alone = letters[i] == 'x' && !part_of_word(i + 1) && (i == 0 || !part_of_word(i - 1));
        if alone { 'c' } else { letters[i] }
    });
    replaced.collect()
}

#[test]
fn small_arguments_keep_their_digits() {
    for name in [
        "sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh", "exp_m1", "ln_1p",
    ] {
        let source = format!("{name}(x)");
        assert_near(value(&source, 1e-20), 1e-20, &source);
        assert_near(
            at(&source, &["x"], &[1e-20], Quantity::Jacobian)[0],
            1.0,
            &source,
        );
    }
}

#[test]
fn large_arguments_saturate_instead_of_overflowing() {
    for (source, x, c, j) in [
        ("tanh(x)", 800.0, 1.0, 0.0),
        ("tanh(x)", -800.0, -1.0, 0.0),
        ("atan(x)", 1e200, std::f64::consts::FRAC_PI_2, 0.0),
        ("exp(x)", -800.0, 0.0, 0.0),
        ("exp_m1(x)", -800.0, -1.0, 0.0),
        ("erf(x)", 1e200, 1.0, 0.0),
        ("erfc(x)", 800.0, 0.0, 0.0),
        ("hypot(x, 4e200)", 3e200, 5e200, 0.6),
    ] {
        assert_near(value(source, x), c, source);
        assert_near(at(source, &["x"], &[x], Quantity::Jacobian)[0], j, source);
    }
}

#[test]
fn the_ends_of_domains_have_their_limits() {
    use std::f64::consts::{FRAC_PI_2, PI};
    for (source, x, expected) in [
        ("sqrt(x)", 0.0, 0.0),
        ("cbrt(x)", 0.0, 0.0),
        ("asin(x)", 1.0, FRAC_PI_2),
        ("acos(x)", -1.0, PI),
        ("acosh(x)", 1.0, 0.0),
        ("x + atan2(0, x)", -1.0, PI - 1.0),
        ("x^1.5", 0.0, 0.0),
        ("x + x^0", 0.0, 1.0),
        ("x^2", 0.0, 0.0),
        ("abs(x)", 0.0, 0.0),
    ] {
        assert_eq!(value(source, x), expected, "{source}");
    }
    assert_eq!(value("ln(x)", 0.0), f64::NEG_INFINITY);
    assert!(value("sqrt(x)", -1.0).is_nan());
    assert_eq!(
        at("sqrt(x)", &["x"], &[0.0], Quantity::Jacobian),
        [f64::INFINITY]
    );
}

#[test]
fn powers_are_smooth_where_their_exponents_allow() {
    for (source, x, j, bias) in [
        ("x^2", 0.0, 0.0, 2.0),
        ("x^3", 0.0, 0.0, 0.0),
        ("x^5", -1.0, 5.0, -20.0),
        ("x^(7/3)", 0.0, 0.0, 0.0),
        ("cbrt(x)", -8.0, 1.0 / 12.0, 1.0 / 144.0),
        ("x^-1", -2.0, -0.25, -0.25),
    ] {
        assert_near(at(source, &["x"], &[x], Quantity::Jacobian)[0], j, source);
        let found = at(source, &["x"], &[x], Quantity::Bias)[0];
        assert!(
            (found - bias).abs() < 1e-15,
            "{source}: bias {found}, not {bias}"
        );
    }
}

/// In the bare form, whichever block meets a name first.
/// d(x^1.5)/dx = 1.5 √x and d(x^2.5)/dx = 2.5 x^1.5: both vanish at 0, where x/√x would be 0/0.
#[test]
fn powers_above_one_with_a_half_are_level_at_zero() {
    for source in ["x^1.5", "x^2.5", "x*sqrt(x)", "x^(3/2)"] {
        let slope = at(source, &["x"], &[0.0], Quantity::Jacobian);
        assert_eq!(slope, [0.0], "{source}");
    }
}

#[test]
fn a_name_first_met_in_a_block_is_one_coordinate() {
    let engine = Engine::of(
        "{ let d = x; d*y } + x*y + if x > 0 { z } else { z*y }",
        &["x", "y", "z"],
    );
    assert_eq!(engine.columns, [0, 1, 2]);
}

// ---- branches -----------------------------------------------------------------------------------

/// C, J, Ċ, J̇ and β of a constraint on x and y with both velocities 1.
fn all_at(source: &str, x: f64, y: f64) -> [Vec<f64>; 5] {
    [
        Quantity::Value,
        Quantity::Jacobian,
        Quantity::Rate,
        Quantity::JacobianDot,
        Quantity::Bias,
    ]
    .map(|quantity| at(source, &["x", "y"], &[x, y], quantity))
}

/// Two constraints that are the same function near (x, y) give the same numbers, all of them finite.
fn assert_same_at(source: &str, plain: &str, x: f64, y: f64) {
    // All coordinates in one order, and every number finite.
    let order = "0*x + 0*y + ";
    let (found, expected) = (
        all_at(&format!("{order}({source})"), x, y),
        all_at(&format!("{order}({plain})"), x, y),
    );
    for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
        let near = (found - expected).abs() <= 4.0 * f64::EPSILON * expected.abs().max(1.0);
        assert!(
            near,
            "{source} at ({x}, {y}): {found:?} instead of {expected:?}"
        );
    }
}

/// r has an infinite slope at 0 and no value at −1.
#[test]
fn the_branch_not_taken_never_leaks_through_a_let() {
    for x in [0.0, -1.0] {
        assert_same_at(
            "{ let r = sqrt(x); if x > 0 { r*y } else { y } }",
            "y",
            x,
            0.7,
        );
        assert_same_at(
            "{ let r = sqrt(x); if x <= 0 { x*y } else { r*y } }",
            "x*y",
            x,
            0.7,
        );
        assert_same_at(
            "{ let r = ln(x); let s = if x > 0 { r } else { x }; s*s + y }",
            "x*x + y",
            x,
            0.7,
        );
        assert_same_at(
            "{ let r = sqrt(x); let s = r*r*r + 1/r; if x > 0 { s } else { x*y } + y }",
            "x*y + y",
            x,
            0.7,
        );
    }
    assert_same_at(
        "{ let r = sqrt(x); if x > 0 { r*y } else { y } }",
        "sqrt(x)*y",
        2.0,
        0.7,
    );
}

#[test]
fn the_branch_not_taken_never_leaks_from_inside_a_function() {
    for x in [0.0, -1.0] {
        assert_same_at("sin(if x > 0 { sqrt(x) } else { x })*y", "sin(x)*y", x, 0.7);
        assert_same_at(
            "norm(if x > 0 { [sqrt(x), y] } else { [x, y] })",
            "norm([x, y])",
            x,
            0.7,
        );
        assert_same_at(
            "exp(if x > 0 { ln(x) } else { y*x })/y",
            "exp(y*x)/y",
            x,
            0.7,
        );
        assert_same_at("(if x > 0 { x^0.5 } else { y })^2.5", "y^2.5", x, 0.7);
        assert_same_at(
            "if x > 0 { [sqrt(x), y] } else { [y, x] }.x*y",
            "y*y",
            x,
            0.7,
        );
    }
}

#[test]
fn the_branch_not_taken_never_leaks_from_a_branch_in_a_branch() {
    let source = "if x > 0 { if y > 0 { ln(x*y) } else { sqrt(x) } } else { if y > 1 { 1/x } else { x + y^2 } }";
    for (x, y, plain) in [
        (0.5, 0.5, "ln(x*y)"),
        (0.5, 0.0, "sqrt(x)"),
        (0.5, -1.0, "sqrt(x)"),
        (-0.5, 2.0, "1/x"),
        (0.0, 0.0, "x + y^2"),
        (-1.0, -1.0, "x + y^2"),
    ] {
        assert_same_at(source, plain, x, y);
    }
}

/// sin(x)/x with its series where the quotient is 0/0.
#[test]
fn a_removable_singularity_can_be_removed() {
    assert_same_at(
        "y*if x == 0 { 1 - x^2/6 } else { sin(x)/x }",
        "y*(1 - x^2/6)",
        0.0,
        0.7,
    );
    assert_same_at(
        "y*if x == 0 { 1 - x^2/6 } else { sin(x)/x }",
        "y*sin(x)/x",
        0.5,
        0.7,
    );
}

#[test]
fn conditions_of_several_parts_choose_as_rust_does() {
    let source = "if x > 0 && !(y > 0) || x == -2 { sqrt(x + 2) } else if x < y || x*y >= 3 { x*y } else { x - y }";
    for (x, y, plain) in [
        (1.0, -1.0, "sqrt(x + 2)"),
        (1.0, 2.0, "x*y"),
        (2.0, 1.5, "x*y"),
        (1.0, 0.5, "x - y"),
        (-3.0, -4.0, "x*y"),
        (-3.0, 1.0, "x*y"),
    ] {
        assert_same_at(source, plain, x, y);
    }
}

#[test]
fn the_argument_not_taken_never_leaks_from_min_and_max() {
    for (source, plain, y) in [
        ("min(y, 1/(x*x))", "y", 0.7),
        ("min(1/(x*x), y)", "y", 0.7),
        ("max(sqrt(x), y)", "y", 0.7),
        ("max(y, sqrt(x))", "y", 0.7),
        ("max(ln(x), y)", "y", -0.7),
        ("max(y, ln(x))", "y", -0.7),
        ("y*max(y, ln(x), x^0.5, x)", "y*y", 0.7),
        ("min(cbrt(x), y)", "y", -0.7),
    ] {
        assert_same_at(source, plain, 0.0, y);
    }
    // Not a number in the first place is ignored, as by f64::max.
    assert_same_at("max(sqrt(x), y)", "y", -1.0, 0.7);
    assert_same_at("min(sqrt(x), y)", "y", -1.0, 0.7);
}

#[test]
fn abs_has_the_slope_of_its_side_right_up_to_zero() {
    for x in [3.0, 1e-300, -1e-300, -3.0] {
        let side = if x > 0.0 { "x*y" } else { "-x*y" };
        assert_same_at("abs(x)*y", side, x, 0.7);
    }
    let [_, jacobian, ..] = all_at("abs(x) + 0*y + x", 0.0, 0.7);
    assert!(jacobian[0] == 0.0 || jacobian[0] == 2.0, "{jacobian:?}");
    assert_same_at("x*abs(x)", "x*x", 2.0, 0.7);
    assert_same_at("abs(x)^2 + y", "x*x + y", 0.0, 0.7);
}

/// A force is made of finite numbers where only the untaken branch is singular.
#[test]
fn multipliers_and_force_do_not_see_the_branch_not_taken() {
    let (source, names) = (
        "0*y + { let r = sqrt(x); if x > 0 { r*y } else { y + x^2 } }",
        ["y", "x"],
    );
    let plain = "0*y + (y + x^2)";
    for quantity in [
        Quantity::Multipliers,
        Quantity::Force,
        Quantity::ParticleForce,
        Quantity::Solution,
    ] {
        for x in [0.0, -1.0] {
            let (found, expected) = (
                at(source, &names, &[0.7, x], quantity),
                at(plain, &names, &[0.7, x], quantity),
            );
            for (found, expected) in found.iter().zip(&expected) {
                assert!(
                    (found - expected).abs() <= 1e-15 * expected.abs().max(1.0),
                    "{quantity:?} {found} {expected}"
                );
            }
        }
    }
}
