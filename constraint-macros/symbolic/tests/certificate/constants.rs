//! Constants that the field does not know in size or order: what is made of them is certified or not, but never refused.

use super::{Listed, cases, grammar::Random};

fn certificate(text: &str) -> Vec<&'static str> {
    let listed = Listed::new(text).unwrap_or_else(|| panic!("a valid constraint: {text}"));
    let certificate = listed.certificate();
    certificate
        .unwrap_or_else(|it| panic!("{it:?}: {text}"))
        .functions
}

/// Sines of x + m π are those of x with a sign; 2³⁹/12 is 45,812,984,490.67.
#[test]
fn many_turns_in_angles_are_certified() {
    for text in [
        "sin(87381*PI + x)*m + y == 1",
        "sin(87382*PI + x)*m + y == 1",
        "cos(x - to_radians(18000000))*y + sin(x + 100000*PI) + cos(x)*x*y",
        "sin(x + 45812984490*PI)*y + cos(x - 45812984490*PI)*x == 1",
        "sin(x + 45812984491*PI)*y + cos(x - 45812984490*PI)*x == 1",
        "sin(x + 45812984491*PI)*y + sin(x)*x*y == 1",
    ] {
        assert!(certificate(text).contains(&"value"), "{text}");
    }
    let system = "struct S { m: Real = 1, g: Real = 9.81 } coordinate x;
         particle p = [sin(x + 100000*PI), cos(x)] { mass: m } gravity [0, -g];";
    let listed = Listed::system(system.parse().expect("tokens")).expect("a valid system");
    let certificate = listed.certificate().expect("no fault");
    assert!(certificate.functions.contains(&"acceleration"));
}

/// Products and sums of long decimals need more than 128 bits, as in files of robots; the field knows them all the same.
#[test]
fn long_decimals_are_certified() {
    let text = "0.12345678901234567891*3.9876543210987654321*7.1111111111111111117*x + y == 1.00000000000000000001";
    assert!(certificate(text).contains(&"value"));
    let system = "struct S { g: Real = 9.81 } coordinate a, b;
         let upper = pose([0, 0, 0], [0, 1, 0], a);
         body thigh: Rigid3 = upper * pose([-0.06168657944190334, 0.0022945632261343355, 0.31680933825006796])
             { mass: 7.5164901234567891, inertia: [[0.25, -1e-17, 0], [-1e-17, 0.31680933825006796, 0], [0, 0, 0.1]] }
         body shank: Rigid3 = upper * pose([0, 0.00013660476677876884, 0.4], [1, 0, 0], b)
             * pose([0.08786430910951894, 1.7075595847346105e-5, 0]) { mass: 2.3412345678901234, inertia: [0.0234567890123456789, 0.03, 0.04] }
         gravity [0, 0, -g];";
    let listed = Listed::system(system.parse().expect("tokens")).expect("a valid system");
    let certificate = listed.certificate().expect("no fault");
    for name in ["acceleration", "unconstrained_inverse_dynamics"] {
        assert!(certificate.functions.contains(&name), "{certificate:?}");
    }
}

/// Irrational numbers have no order in the field, but what is compared with leaves needs none.
#[test]
fn leaves_are_compared_with_irrational_numbers() {
    for text in [
        "if x > PI { x*y } else { y^2 + x }",
        "max(x, PI)*y + min(y, sqrt(2))*x",
        "abs(x - PI)*y + abs(x*sqrt(2) - PI/7)",
        "clamp(x, -PI, PI)*y + x",
        "|m, q| if m > TAU { m*q } else { q^2*PI + m }",
    ] {
        assert!(certificate(text).contains(&"value"), "{text}");
    }
}

/// Of products beyond 2⁴⁰ the field does not know the sign.
#[test]
fn choices_among_large_numbers_are_not_refused() {
    for text in [
        "abs(-3000000*1000001)*x*m + y == 1",
        "max(3000000*1000001, 2)*x*m + y == 1",
        "sqrt(3000000*3000000)*x + y",
        "sqrt((3000000*1000001)^2*x)*y + sqrt(x) == 1",
        "(PI + 50000000)^2*x + y",
        "abs(x - x - 3000000*1000001)*y + x",
        "|m, q| abs((m - 3000000*1000001) - m)*q + m",
        "if TAU > 6 { x } else { y }",
        "if sqrt(2) > 3 { x } else { y }",
        "if x > 0 { abs(-3000000*1000001)*x*y } else { cbrt(27)*x + y }",
        "signum(-3000000*1000001)*x + signum(y)*y",
        "clamp(3000000*1000001, -PI, 7)*x + y",
        "if (1 + sqrt(2))^2 == 3 + 2*sqrt(2) { x } else { y }",
        "powf(2, 0.3)*x + powf(1, 0.3)*y",
        "powf(2097152, 0.3)*x + powf(0.5, 0.7)*y",
        "powf(1, y)*x + powf(2, x*y) + powf(4194304, y)",
        "powf(sqrt(3), 0.3)*x + powf(PI, y)",
    ] {
        certificate(text);
    }
}

/// A random expression of numbers alone.
fn constant(random: &mut Random, depth: usize) -> String {
    let whole = |random: &mut Random| match random.below(3) {
        0 => 1 + random.below(9),
        1 => 1 + random.below(1000),
        _ => 1_000_000 + random.below(4_000_000),
    };
    if depth == 0 {
        return match random.below(6) {
            0 => "PI".to_owned(),
            1 => format!("sqrt({})", whole(random)),
            2 => format!("to_radians({})", whole(random)),
            3 => format!("{}.{}", whole(random), random.below(1000)),
            _ => whole(random).to_string(),
        };
    }
    let a = constant(random, depth - 1);
    let b = constant(random, depth - 1);
    match random.below(8) {
        0 => format!("({a} + {b})"),
        1 => format!("({a} - {b})"),
        2 => format!("({a})/({b})"),
        3 => format!("(-{a})"),
        4 => format!("({a})^{}", 2 + random.below(2)),
        _ => format!("{a}*({b})"),
    }
}

/// Many more with `CONSTRAINT_CASES`.
#[test]
fn no_choice_among_random_numbers_is_refused() {
    let mut random = Random(5);
    let (mut valid, mut certified) = (0, 0);
    for _ in 0..cases(60) {
        let mut number = || {
            let depth = random.below(4);
            constant(&mut random, depth)
        };
        let (a, b, c) = (number(), number(), number());
        for text in [
            format!("abs({a})*x*m + y == 1"),
            format!("max({a}, {b})*x*m + y == 1"),
            format!("min({a}, {b}, {c})*x + m*y == 1"),
            format!("clamp({a}, {b}, {c})*x + m*y == 1"),
            format!("signum({a} - {b})*x + m*y == 1"),
            format!("(if {a} > {b} {{ x }} else {{ y }})*m == {c}"),
            format!("(if {a} == {b} {{ x }} else {{ y }})*m == {c}"),
            format!("hypot({a}, {b})*x + m*y == 1"),
            format!("sqrt(({a})*({a}))*x + m*y == 1"),
            format!("max(x, {a})*m + abs(y - ({b})) == 1"),
            format!("abs(x*({a}))*m + sin(y + {b}) == 1"),
            format!("sqrt(({a})^2*x)*y + sqrt(x)*m == 1"),
            format!("floor({a})*x + cos({b})*y == m"),
        ] {
            let Some(listed) = Listed::new(&text) else {
                continue;
            };
            valid += 1;
            let certificate = listed.certificate();
            let certificate = certificate.unwrap_or_else(|it| panic!("{it:?}: {text}"));
            certified += usize::from(certificate.functions.contains(&"value"));
        }
    }
    assert!(certified > 0);
    println!("{certified} of {valid} are certified");
}
