//! Quotients of growing exponentials: nothing that is derived of them overflows where its value does not.

use constraint_symbolic::compile::analyze;
use constraint_symbolic::constraint::{Derived as Constraint, Quantity};
use constraint_symbolic::model::Role;
use constraint_symbolic::schedule::Program;

use crate::random::Random;
use crate::scaled::Taylor;

/// The first component of a quantity of `f(x) + y` at x, ẋ = 1.
fn found(f: &str, quantity: Quantity, x: f64) -> f64 {
    Derived::new(f).found(quantity, x)
}

/// `f(x) + y`, whose parameters are 1.
struct Derived {
    constraint: Constraint,
    programs: Vec<(Quantity, Program)>,
}

const QUANTITIES: [Quantity; 5] = [
    Quantity::Value,
    Quantity::Jacobian,
    Quantity::JacobianDot,
    Quantity::Bias,
    Quantity::Multipliers,
];

impl Derived {
    fn new(f: &str) -> Derived {
        let text = match f.contains('m') {
            true => format!("struct C {{ m: Real }} |x, y| {f} + y == 0"),
            false => format!("{f} + y"),
        };
        let constraint = analyze(text.parse().expect("tokens")).expect("a valid constraint");
        let program = |quantity| (quantity, constraint.plain_program(&[quantity]));
        Derived {
            programs: QUANTITIES.map(program).into(),
            constraint,
        }
    }

    fn found(&self, quantity: Quantity, x: f64) -> f64 {
        let mut programs = self.programs.iter();
        let known = programs.find(|it| it.0 == quantity);
        let (_, program) = known.expect("a quantity of the list");
        let symbols = &self.constraint.model.symbols;
        program.evaluate(|symbol| match symbols[symbol.index()].role {
            Role::Coordinate(0) => x,
            Role::Velocity(0) | Role::InverseMass(_) | Role::Parameter { .. } => 1.0,
            _ => 0.0,
        })[0]
    }
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

/// The rate r and the factor c of a term c e^(r x).
type Term = (f64, f64);

/// f with the leading terms of f′ and f″ at x → ∞, worked out by hand.
const FAR_OUT: [(&str, Term, Term); 7] = [
    ("1/(m + exp(x))", (-1.0, -1.0), (-1.0, 1.0)),
    ("1/(1 + m*exp(x))", (-1.0, -1.0), (-1.0, 1.0)),
    ("1/(1 + exp(x) + exp(2*x))", (-2.0, -2.0), (-2.0, 4.0)),
    ("1/(2 + sinh(x)^2)", (-2.0, -8.0), (-2.0, 16.0)),
    ("1/(exp(x) + exp(-x))", (-1.0, -1.0), (-1.0, 1.0)),
    // s = 1 − e⁻ˣ + …
    ("exp(x)/(1 + exp(x))", (-1.0, 1.0), (-1.0, -1.0)),
    ("exp(2*x)/(1 + exp(-x))", (2.0, 2.0), (2.0, 4.0)),
];

#[test]
fn slopes_far_out_are_those_of_the_leading_terms() {
    for (f, slope, bend) in FAR_OUT {
        let derived = Derived::new(f);
        for x in [60.0_f64, 200.0, 340.0, 356.0, 500.0, 690.0, 800.0, 1e5] {
            for (quantity, (rate, factor)) in [
                (Quantity::Jacobian, slope),
                (Quantity::JacobianDot, bend),
                (Quantity::Bias, bend),
            ] {
                let expected = factor * (rate * x).exp();
                if expected.is_infinite() {
                    continue;
                }
                let found = derived.found(quantity, x);
                let error = (found - expected).abs();
                assert!(
                    error <= 1e-11 * expected.abs() + 1e-300,
                    "{f}, {quantity:?} at {x}: {found:e}, not {expected:e}"
                );
            }
        }
    }
}

/// (ln cosh x)′ = tanh x and (ln(1 + eˣ))′ = 1/(1 + e⁻ˣ), and what is derived of them is less than a digit there.
#[test]
fn logarithms_of_what_grows_have_slopes_far_out() {
    for f in ["ln(cosh(x))", "ln(1 + exp(x))"] {
        let derived = Derived::new(f);
        for x in [40.0, 356.0, 500.0, 800.0] {
            assert!((derived.found(Quantity::Jacobian, x) - 1.0).abs() < 1e-15);
            for quantity in [Quantity::JacobianDot, Quantity::Bias] {
                let bend = derived.found(quantity, x);
                assert!(bend.abs() < 1e-15, "{f}, {quantity:?} at {x}: {bend:e}");
            }
        }
    }
}

/// An exponential of −x grows where x falls: e²ˣ/(1 + e⁻ˣ) = e³ˣ − … at x → −∞.
#[test]
fn exponentials_that_grow_where_x_falls_are_compared_in_that_direction() {
    let derived = Derived::new("exp(2*x)/(1 + exp(-x))");
    for x in [-100.0_f64, -236.0, -400.0, -800.0] {
        let (slope, bend) = (3.0 * (3.0 * x).exp(), 9.0 * (3.0 * x).exp());
        for (quantity, expected) in [(Quantity::Jacobian, slope), (Quantity::Bias, bend)] {
            let error = (derived.found(quantity, x) - expected).abs();
            assert!(
                error <= 1e-11 * expected + 1e-300,
                "{quantity:?} at {x}: {error:e}"
            );
        }
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

/// A text that is positive, and its series at each x.
type Positive = (String, Vec<Taylor>);

struct Writer {
    random: Random,
    places: Vec<f64>,
}

impl Writer {
    fn at_all(&self, series: impl Fn(f64) -> Taylor) -> Vec<Taylor> {
        self.places.iter().map(|&x| series(x)).collect()
    }

    fn both(a: &[Taylor], b: &[Taylor], of: impl Fn(Taylor, Taylor) -> Taylor) -> Vec<Taylor> {
        a.iter().zip(b).map(|(&a, &b)| of(a, b)).collect()
    }

    fn leaf(&mut self) -> Positive {
        let k = *self.random.pick(&[1.0, -1.0, 2.0, -2.0, 0.5, 3.0]);
        let [one, two] = [1.0, 2.0].map(Taylor::number);
        let half = Taylor::number(0.5);
        let cosine = |x: f64| Taylor::exp(k, x).plus(Taylor::exp(-k, x)).times(half);
        match self.random.below(5) {
            // sinh² w = (cosh 2 w − 1)/2, 2 + sinh² w = (3 + cosh 2 w)/2
            0 => (
                format!("(2 + sinh({k}*x)^2)"),
                self.at_all(|x| {
                    let twice = Taylor::exp(2.0 * k, x).plus(Taylor::exp(-2.0 * k, x));
                    twice.times(half).plus(one).plus(two).times(half)
                }),
            ),
            1 => (format!("cosh({k}*x)"), self.at_all(cosine)),
            2 => {
                let m = *self.random.pick(&[1.0, 3.0, 0.25]);
                let series = |x| Taylor::number(m).plus(Taylor::exp(k, x));
                (format!("({m} + exp({k}*x))"), self.at_all(series))
            }
            _ => (format!("exp({k}*x)"), self.at_all(|x| Taylor::exp(k, x))),
        }
    }

    fn positive(&mut self, depth: usize) -> Positive {
        if depth == 0 {
            return self.leaf();
        }
        let (a, of_a) = self.positive(depth - 1);
        match self.random.below(8) {
            0 => (format!("({a})^2"), Self::both(&of_a, &of_a, Taylor::times)),
            1 => {
                let roots = of_a.into_iter().map(Taylor::sqrt).collect();
                (format!("sqrt({a})"), roots)
            }
            which => {
                let (b, of_b) = self.positive(depth - 1);
                let (sign, rule): (&str, fn(Taylor, Taylor) -> Taylor) = match which {
                    2 | 3 => ("+", Taylor::plus),
                    4 => ("*", Taylor::times),
                    _ => ("/", |a, b| a.times(b.inverse())),
                };
                (format!("({a} {sign} {b})"), Self::both(&of_a, &of_b, rule))
            }
        }
    }

    /// A quotient, or x times one.
    fn any(&mut self) -> Positive {
        let depth = self.random.below(3);
        let (above, of_above) = self.positive(depth);
        let (below, of_below) = self.positive(2);
        let quotient = Self::both(&of_above, &of_below, |a, b| a.times(b.inverse()));
        if self.random.once_in(2) {
            return (format!("{above}/({below})"), quotient);
        }
        let of_x = self.at_all(Taylor::variable);
        let series = Self::both(&of_x, &quotient, Taylor::times);
        (format!("x*{above}/({below})"), series)
    }
}

/// 10,000 compositions with `CONSTRAINT_CASES=10000`, against series whose numbers have exponents of 64 bits.
#[test]
fn slopes_of_quotients_are_floats_wherever_they_are_in_range() {
    let cases = std::env::var("CONSTRAINT_CASES").ok();
    let cases: u64 = cases.and_then(|it| it.parse().ok()).unwrap_or(60);
    for seed in 0..cases {
        let mut random = Random::new(seed);
        let mut places: Vec<f64> = (0..12).map(|_| random.between(-1e3, 1e3)).collect();
        places.extend([-800.0, -356.0, -2.5, 0.0, 0.75, 356.0, 500.0, 720.0]);
        let mut writer = Writer { random, places };
        let (text, series) = writer.any();
        let derived = Derived::new(&text);
        for (&x, series) in writer.places.iter().zip(&series) {
            for (quantity, order) in [
                (Quantity::Jacobian, 1),
                (Quantity::JacobianDot, 2),
                (Quantity::Bias, 2),
            ] {
                let (of, at_most) = (series.of[order].float(), series.at_most[order].float());
                let (Some(expected), Some(at_most)) = (of, at_most) else {
                    continue;
                };
                let found = derived.found(quantity, x);
                let error = (found - expected).abs();
                let allowed = 1e-10 * at_most + 1e-290;
                assert!(
                    error <= allowed,
                    "seed {seed}: {text}, {quantity:?} at {x}: {found:e}, not {expected:e}"
                );
            }
        }
    }
}

/// A sum of c eᴱ.
type Exponentials = Vec<(f64, f64)>;

/// f′ and f″ at x.
type Slopes = fn(f64) -> [Exponentials; 2];

/// ln(1 + eˣ)
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// ln cosh x
fn ln_cosh(x: f64) -> f64 {
    x.abs() + (-2.0 * x.abs()).exp().ln_1p() - std::f64::consts::LN_2
}

/// f′ and f″ of what saturates where u = eˣ or sinh x grows, by the rule f(u)″ = f″ u′² + f′ u″, exponents added.
const SATURATING: [(&str, Slopes); 7] = [
    ("tanh(exp(x))", |x| {
        let u = x.exp();
        let quarter = 4.0 / ((-2.0 * u).exp() + 1.0).powi(2);
        let slope = (quarter, x - 2.0 * u);
        let bend = (-2.0 * quarter * u.tanh(), 2.0 * x - 2.0 * u);
        [vec![slope], vec![slope, bend]]
    }),
    ("tanh(sinh(x))", |x| {
        let (u, l) = (x.sinh(), ln_cosh(x));
        let exponent = -2.0 * u.abs();
        let quarter = 4.0 / (exponent.exp() + 1.0).powi(2);
        let bend = (-2.0 * quarter * u.tanh(), 2.0 * l + exponent);
        [
            vec![(quarter, l + exponent)],
            vec![(quarter * x.tanh(), l + exponent), bend],
        ]
    }),
    ("exp(-exp(x))", |x| {
        let slope = (-1.0, x - x.exp());
        [vec![slope], vec![slope, (1.0, 2.0 * x - x.exp())]]
    }),
    ("exp_m1(-exp(x))", |x| {
        let slope = (-1.0, x - x.exp());
        [vec![slope], vec![slope, (1.0, 2.0 * x - x.exp())]]
    }),
    ("exp(-cosh(x))", |x| {
        let (c, l, t) = (x.cosh(), ln_cosh(x), x.tanh());
        [vec![(-t, l - c)], vec![(t * t, 2.0 * l - c), (-1.0, l - c)]]
    }),
    ("1/(1 + exp(exp(x)))", |x| {
        let u = x.exp();
        let w = 1.0 / (1.0 + (-u).exp()).powi(2);
        let slope = (-w, x - u);
        [
            vec![slope],
            vec![slope, (w * (u / 2.0).tanh(), 2.0 * x - u)],
        ]
    }),
    ("1/cosh(exp(x))", |x| {
        let u = x.exp();
        let (t, twice) = (u.tanh(), 2.0 / (1.0 + (-2.0 * u).exp()));
        let slope = (-t * twice, x - u);
        let bend = (twice * (2.0 * t * t - 1.0), 2.0 * x - u);
        [vec![slope], vec![slope, bend]]
    }),
];

#[test]
fn slopes_of_what_saturates_are_zero_far_out_and_never_undefined() {
    for (f, terms) in SATURATING {
        slopes_agree(f, terms);
    }
}

/// u = 1 + eˣ, s = eˣ/u: (uᵖ)′ = p uᵖ s, (uᵖ)″ = p uᵖ s (p s + 1 − s); and (coshᵖ)′ = p coshᵖ tanh,
/// (coshᵖ)″ = p² coshᵖ tanh² + p coshᵖ⁻².
#[test]
fn fractional_powers_of_what_grows_have_slopes_wherever_they_are_in_range() {
    for (text, p) in [
        ("0.3", 0.3),
        ("-0.3", -0.3),
        ("(1/3)", 1.0 / 3.0),
        ("-1.7", -1.7),
    ] {
        slopes_agree(&format!("(1 + exp(x))^{text}"), |x| of_sum(x, p));
        slopes_agree(&format!("cosh(x)^{text}"), |x| {
            let (l, t) = (ln_cosh(x), x.tanh());
            [
                vec![(p * t, p * l)],
                vec![(p * p * t * t, p * l), (p, (p - 2.0) * l)],
            ]
        });
    }
    slopes_agree("cbrt(1 + exp(x))", |x| of_sum(x, 1.0 / 3.0));
    slopes_agree("1/cbrt(1 + exp(x))", |x| of_sum(x, -1.0 / 3.0));
}

fn of_sum(x: f64, p: f64) -> [Exponentials; 2] {
    let (rise, exponent) = (1.0 / (1.0 + (-x).exp()), p * softplus(x) - softplus(-x));
    let rest = 1.0 / (1.0 + x.exp());
    [
        vec![(p, exponent)],
        vec![(p * p * rise, exponent), (p * rest, exponent)],
    ]
}

#[track_caller]
fn slopes_agree(f: &str, terms: impl Fn(f64) -> [Exponentials; 2]) {
    let derived = Derived::new(f);
    for x in (-800..=800).map(|x| f64::from(x) + 0.25) {
        let [slope, bend] = terms(x);
        for (quantity, terms) in [
            (Quantity::Jacobian, &slope),
            (Quantity::JacobianDot, &bend),
            (Quantity::Bias, &bend),
        ] {
            let sum = |of: fn(f64) -> f64| terms.iter().map(|&(c, e)| of(c) * e.exp()).sum::<f64>();
            let (expected, at_most) = (sum(|c| c), sum(f64::abs));
            if at_most > 1e300 {
                continue;
            }
            let found = derived.found(quantity, x);
            let error = (found - expected).abs();
            assert!(
                error <= 1e-11 * at_most + 1e-290,
                "{f}, {quantity:?} at {x}: {found:e}, not {expected:e}"
            );
        }
    }
}
