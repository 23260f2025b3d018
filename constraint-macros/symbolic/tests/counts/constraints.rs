//! Operation counts are exact, so they are asserted. The figures of other tools are those of their
//! common-subexpression passes on the same outputs.

use constraint_symbolic::compile::analyze;
use constraint_symbolic::constraint::{Derived, Quantity};
use constraint_symbolic::expr::Function;
use constraint_symbolic::schedule::{Op, OperationCount};

fn derived(source: &str) -> Derived {
    let tokens = source.parse().expect("the test's source is valid tokens");
    analyze(tokens).unwrap_or_else(|errors| panic!("{source}: {errors:?}"))
}

fn count(source: &str, quantities: &[Quantity]) -> OperationCount {
    derived(source).plain_program(quantities).count
}

/// C, J, J̇, λ and f̂ of one particle: eight numbers in the plane.
const EVERYTHING: [Quantity; 5] = [
    Quantity::Value,
    Quantity::Jacobian,
    Quantity::JacobianDot,
    Quantity::ParticleMultipliers,
    Quantity::ParticleForce,
];

const PARABOLA: &str = "x*x + 100*y";
const CIRCLE: &str = "(x*x + y*y - 1)/2";
const ROD: &str = "struct Rod { length: Real } |a: Point2, b: Point2| norm(b - a) == length";

/// −(m vx² + x fx + 50 fy)/(x² + 2500) times (x, 50): seven multiplications, three additions, a division.
#[test]
fn the_force_on_the_parabola_takes_eleven_operations_and_one_division() {
    let count = count(PARABOLA, &[Quantity::ParticleForce]);
    assert!(count.total() <= 11, "{count}");
    assert_eq!((count.div, count.sqrt, count.call), (1, 0, 0));
}

/// λ is solved for in units of force: with b = −m β − J f no mass stands in J Jᵀ, and the force is Jᵀ λ.
#[test]
fn forces_on_a_particle_are_solved_for_as_forces() {
    let sphere = "struct S { r: Real } |p: Point3| norm(p) == r";
    let hoop = "struct H { r: Real, w: Real }
        |p: Point3, t: Time| [norm_squared(p) - r^2, p.x*sin(w*t) - p.y*cos(w*t)]";
    let chain = "struct T { l: Real } |a: Point2, b: Point2, c: Point2|
        [norm_squared(a) - l^2, norm_squared(b - a) - l^2, norm_squared(c - b) - l^2]";
    let table = [
        (PARABOLA, 11),
        (CIRCLE, 14),
        (ROD, 28),
        (sphere, 30),
        (hoop, 55),
        ("y - sin(x)", 11),
        (chain, 84),
    ];
    for (source, most) in table {
        let count = count(source, &[Quantity::ParticleForce]);
        assert!(count.total() <= most, "{source}: {count}");
    }
}

/// By hand 17, wrenfold 20, CasADi 21, SymPy 19.
#[test]
fn all_outputs_of_the_parabola_take_sixteen_operations() {
    let count = count(PARABOLA, &EVERYTHING);
    assert!(count.total() <= 16, "{count}");
}

/// Others 20 to 22.
#[test]
fn all_outputs_of_the_unit_circle_take_at_most_eighteen_operations() {
    let count = count(CIRCLE, &EVERYTHING);
    assert!(count.total() <= 18, "{count}");
}

/// J = d/|d| is divided by its common divisor, and the root is gone.
#[test]
fn the_force_of_a_rod_needs_no_square_root() {
    let count = count(ROD, &[Quantity::ParticleForce]);
    assert_eq!((count.div, count.sqrt), (1, 0), "{count}");
}

/// 18 − 7s² + s⁴ over 6: two squarings saved by s²(s² − 7) + 18.
#[test]
fn polynomials_take_the_cheaper_of_horner_and_shared_powers() {
    let count = count("3 - 7/6*s^2 + s^4/6", &[Quantity::Value]);
    assert!(count.total() <= 5, "{count}");
}

/// s (⅔ s² − 7/3) makes ¹⁄₃₆, ⅙ and ⅙ in front of what is multiplied by s (4 s² − 14) vanish: four operations for
/// it, then two, one and one.
#[test]
fn a_shared_factor_takes_the_numbers_in_front_of_its_products() {
    let p = "(s*(4*s^2 - 14))";
    let count = count(
        &format!("[{p}^2/36 + a, a*{p}/6, b*{p}/6]"),
        &[Quantity::Value],
    );
    assert!(count.total() <= 8, "{count}");
}

/// The same where one of the products is wanted as it is: with t = 2s + 2 it is ¼ t².
#[test]
fn a_product_wanted_as_it_is_does_not_keep_its_factor_from_being_scaled() {
    let source = "[(s + 1)^2 + f, 4*(s + 1)^2 + c, 2*a*(s + 1) + d, 2*b*(s + 1) + e]";
    let count = count(source, &[Quantity::Value]);
    assert!(count.total() <= 10, "{count}");
}

/// ⅙ v (6 f − 12 s² + 14): the number goes to the outer sum, and on to what is inside it.
#[test]
fn numbers_are_handed_inwards() {
    let count = count("[v*(6*f - m*(12*s^2 - 14))/6 + a]", &[Quantity::Value]);
    assert!(count.total() <= 7, "{count}");
}

/// (a b) c, (a b) d and (a b)² take four.
#[test]
fn products_share_what_they_have_in_common() {
    let count = count("[a*b*c + x, a*b*d + y, a^2*b^2 + z]", &[Quantity::Value]);
    assert_eq!((count.mul, count.total()), (4, 7), "{count}");
}

#[test]
fn quotients_by_one_divisor_share_its_reciprocal() {
    let count = count("[x/(z^2 + 1), y/(z^2 + 1)]", &[Quantity::Value]);
    assert_eq!(count.div, 1, "{count}");
}

#[test]
fn a_sine_and_cosine_of_one_angle_are_one_call() {
    let count = count("sin(a) + b*cos(a)", &[Quantity::Value]);
    assert_eq!(count.call, 1, "{count}");
}

/// A chain of n rods: the matrix is tridiagonal, so the work grows by the same amount per rod.
#[test]
fn eliminating_a_chain_takes_the_same_work_for_every_link() {
    let chain = |n: usize| {
        let points: Vec<String> = (0..n).map(|i| format!("p{i}: Point2")).collect();
        let rows: Vec<String> = (0..n)
            .map(|i| match i {
                0 => "norm_squared(p0) - 1".to_owned(),
                _ => format!("norm_squared(p{i} - p{}) - 1", i - 1),
            })
            .collect();
        let source = format!(
            "struct Chain; |{}| [{}]",
            points.join(", "),
            rows.join(", ")
        );
        count(&source, &[Quantity::Multipliers]).total()
    };
    let (eight, twelve, sixteen) = (chain(8), chain(12), chain(16));
    assert!(
        sixteen - twelve <= twelve - eight + 2,
        "{eight}, {twelve}, {sixteen}"
    );
}

/// By halves: n log n products, where every partial product on its own would take n².
#[test]
fn the_gradient_of_a_long_product_grows_almost_linearly() {
    let long = |n: usize| {
        let names: Vec<String> = (0..n).map(|i| format!("x{i}")).collect();
        count(&names.join("*"), &[Quantity::Jacobian]).total()
    };
    assert!(long(256) < 3 * long(128), "{} {}", long(128), long(256));
}

/// Both in x, y and z: what the left one cancels is no operation of its program.
#[track_caller]
fn is_as_short_as(long: &str, short: &str) {
    let program = |body: &str| {
        let derived = derived(&format!("struct S; |x, y, z| {body}"));
        derived.plain_program(&[Quantity::Value])
    };
    let (long_program, short_program) = (program(long), program(short));
    assert_eq!(long_program.values, short_program.values, "{long}, {short}");
    assert_eq!(long_program.count, short_program.count, "{long}, {short}");
}

#[test]
fn sums_within_sums_are_opened_where_something_cancels() {
    is_as_short_as("(x + y) - x", "y");
    is_as_short_as("(x + y) - x + z", "y + z");
    is_as_short_as("2*(x + y) - 2*x", "2*y");
    is_as_short_as("(x + y) + (z - x)", "y + z");
    is_as_short_as("(x + y + 3) + (z + 4)", "x + y + z + 7");
    is_as_short_as("2*(x + 3) + (y + 4)", "2*x + y + 10");
    is_as_short_as("x + (y - 3) + 3", "x + y");
    is_as_short_as("x + (y - x*z) + 2*x*z", "x + y + x*z");
    // Three operations, not the four of 2x + 2y + z.
    assert_eq!(count("2*(x + y) + z", &[Quantity::Value]).total(), 3);
    assert_eq!(count("2*(x + y) + (z - 3)", &[Quantity::Value]).total(), 4);
    // x + y + 3 is there already, and stands beside no other number.
    let shared = count("[(x + y + 3)^2*z, 2*(x + y + 3) + z]", &[Quantity::Value]);
    assert_eq!(shared.total(), 6, "{shared}");
}

#[test]
fn squares_of_sine_and_cosine_are_one() {
    is_as_short_as("sin(x)^2 + cos(x)^2 + y", "y + 1");
    is_as_short_as("3*z + 4*sin(x*y)^2 + 4*cos(x*y)^2", "3*z + 4");
    is_as_short_as("sin(x)^2 + cos(x)^2 + sin(y)^2 + cos(y)^2 + z", "z + 2");
    // The square of a sine may be one factor of many.
    let factor = "sin(x)^2*exp(y) + cos(x)^2*exp(z) + z";
    assert_eq!(count(factor, &[Quantity::Value]).call, 3);
    // Not of two angles, not of two sizes, not of other powers.
    for two in [
        "sin(x)^2 + cos(y)^2 + z",
        "sin(x)^4 + cos(y)^4 + z",
        "sin(x)^2*cos(y)^2 + z",
    ] {
        assert_eq!(count(two, &[Quantity::Value]).call, 2, "{two}");
    }
    for one in [
        "2*sin(x)^2 + 3*cos(x)^2 + z",
        "sin(x)^2 - cos(x)^2",
        "sin(x)^3 + cos(x)^3",
    ] {
        assert_eq!(count(one, &[Quantity::Value]).call, 1, "{one}");
    }
}

#[test]
fn even_powers_of_roots_and_sizes_have_none() {
    let table = [
        ("abs(x)^2 + y", "x^2 + y"),
        ("abs(x)^4 + y", "x^4 + y"),
        ("y/abs(x)^2", "y/x^2"),
        ("abs(x - y)*abs(y - x) + z", "(x - y)^2 + z"),
        ("sqrt(x)^2 + y", "x + y"),
        ("sqrt(x)^6 + y", "x^3 + y"),
        ("y/sqrt(x)^2", "y/x"),
        ("norm([x, y])^2 + z", "x^2 + y^2 + z"),
        // u/√u
        ("x/sqrt(x) + y", "sqrt(x) + y"),
        ("x^2/sqrt(x) + y", "sqrt(x)^3 + y"),
    ];
    for (long, short) in table {
        is_as_short_as(long, short);
    }
    // |x|³ and √x³ are not x³.
    let kept = |source: &str, function: Function| {
        let program = derived(source).plain_program(&[Quantity::Value]);
        let mut values = program.values.iter();
        assert!(
            values.any(|op| matches!(op, Op::Call(f, _) if *f == function)),
            "{source}"
        );
    };
    kept("abs(x)^3 + y", Function::Abs);
    kept("sqrt(x)^3 + y", Function::Sqrt);
}
