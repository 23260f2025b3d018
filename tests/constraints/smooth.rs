//! Transitions and splines against their closed forms, and where arguments are far.

use approx::{assert_abs_diff_eq, assert_relative_eq};
use constraint_runtime::prelude::*;

constraint! { pub struct Clamp; |x, y| y == clamp(x, -1, 2) }
constraint! { pub struct Step { low: Real, high: Real } |x, y| y == smoothstep(low, high, x) }
constraint! { pub struct Ramp; |x, y| y == softplus(x) }
constraint! { pub struct Sigmoid; |x, y| y == logistic(x) }

/// f, f′ and f″ of the constraint y = f(x).
fn told(constraint: &impl Constraint<f64, 2, 1>, x: f64) -> [f64; 3] {
    let (q, v) = (Vector2::new(x, 0.0), Vector2::new(1.0, 0.0));
    let value = constraint.value(0.0, &q)[0];
    let slope = constraint.jacobian(0.0, &q)[(0, 0)];
    [-value, -slope, -constraint.bias(0.0, &q, &v)[0]]
}

fn assert_near(found: [f64; 3], expected: [f64; 3]) {
    for (found, expected) in found.into_iter().zip(expected) {
        assert_relative_eq!(found, expected, max_relative = 1e-13, epsilon = 1e-15);
    }
}

#[test]
fn a_logistic_curve_and_its_integral_are_those_of_the_textbook() {
    for x in [-30.0, -2.5, -0.3, -0.0, 0.0, 1e-9, 0.7, 3.0, 30.0_f64] {
        let value = if x < 0.0 {
            x.exp() / (1.0 + x.exp())
        } else {
            1.0 / (1.0 + (-x).exp())
        };
        let slope = 1.0 / (2.0 * (x / 2.0).cosh()).powi(2);
        assert_near(told(&Sigmoid, x), [value, slope, -slope * (x / 2.0).tanh()]);
        assert_near(told(&Ramp, x), [x.exp().ln_1p(), value, slope]);
    }
}

#[test]
fn nothing_overflows_far_out() {
    assert_eq!(told(&Sigmoid, 1e4), [1.0, 0.0, 0.0]);
    assert_eq!(told(&Sigmoid, -1e4), [0.0, 0.0, 0.0]);
    assert_eq!(told(&Ramp, 1e4), [1e4, 1.0, 0.0]);
    assert_eq!(told(&Ramp, -1e4), [0.0, 0.0, 0.0]);
    let step = Step {
        low: 1.0,
        high: 3.0,
    };
    assert_eq!(told(&step, 1e300), [1.0, 0.0, 0.0]);
    assert_eq!(told(&step, -1e300), [0.0, 0.0, 0.0]);
}

#[test]
fn a_step_is_level_at_both_ends_and_a_clamped_number_stays() {
    let step = Step {
        low: 1.0,
        high: 3.0,
    };
    for x in [1.1, 1.5, 2.0, 2.9_f64] {
        let s = (x - 1.0) / 2.0;
        let expected = [
            s * s * (3.0 - 2.0 * s),
            3.0 * s * (1.0 - s),
            1.5 * (1.0 - 2.0 * s),
        ];
        assert_near(told(&step, x), expected);
    }
    assert_eq!(told(&step, 1.0)[..2], [0.0, 0.0]);
    assert_eq!(told(&step, 3.0)[..2], [1.0, 0.0]);
    assert_eq!(told(&Clamp, 0.5), [0.5, 1.0, 0.0]);
    assert_eq!(told(&Clamp, -3.0), [-1.0, 0.0, 0.0]);
    assert_eq!(told(&Clamp, 7.0), [2.0, 0.0, 0.0]);
}

constraint! { pub struct Ball; |a, b, c, d, e| norm([a, b, c, d, e]) == norm_squared([a, b, 2, e]) }
system! {
    pub struct Springs { k: [Real; 5] = [1, 2, 3, 4, 5] }
    coordinate x;
    kinetic velocity(x)^2/2;
    potential norm_squared(k)*x;
}

#[test]
fn the_norm_of_a_list_is_the_root_of_its_squares() {
    let q = SVector::from([1.0, -2.0, 3.0, 4.0, 0.5_f64]);
    let expected = q.norm() - (1.0 + 4.0 + 4.0 + 0.25);
    assert_relative_eq!(Ball.value(0.0, &q)[0], expected, max_relative = 1e-15);
    let slope = Ball.jacobian(0.0, &q)[(0, 2)];
    assert_relative_eq!(slope, 3.0 / q.norm(), max_relative = 1e-15);
    let springs = Springs::<f64>::default();
    assert_eq!(springs.potential_energy(0.0, &[2.0].into()), 110.0);
}

const AT: [f64; 5] = [-1.0, 0.0, 0.5, 2.0, 3.0];
constraint! {
    pub struct Cubic { a: Real }
    |x, y| y == cubic_spline(x, [-1, 0, 0.5, 2, 3], [0, 1, a, 0, 0.25])
}
constraint! {
    pub struct Fixed;
    |x, y| y == cubic_spline(x, [-1, 0, 0.5, 2, 3], [0, 1, -0.5, 0, 0.25])
}
constraint! {
    pub struct Monotone;
    |x, y| y == monotone_spline(x, [-1, 0, 0.5, 2, 3], [0, 1, 1.5, 1.5, 4])
}
constraint! { pub struct Straight; |x, y| y == cubic_spline(x, [1, 3], [2, 3]) }

/// A natural cubic spline is told by four properties: it passes through the points, is a cubic between them, has
/// continuous first and second derivatives, and the second is 0 at the ends.
#[test]
fn a_cubic_spline_is_the_natural_one() {
    let through = [0.0, 1.0, -0.5, 0.0, 0.25];
    let spline = Cubic { a: -0.5 };
    for (x, y) in AT.into_iter().zip(through) {
        let [below, at, above] = [x - 1e-9, x, x + 1e-9].map(|x| told(&spline, x));
        assert_abs_diff_eq!(at[0], y, epsilon = 1e-14);
        assert_abs_diff_eq!(below[1], above[1], epsilon = 1e-7);
        assert_abs_diff_eq!(below[2], above[2], epsilon = 1e-6);
    }
    assert_abs_diff_eq!(told(&spline, -1.0)[2], 0.0, epsilon = 1e-13);
    assert_abs_diff_eq!(told(&spline, 3.0)[2], 0.0, epsilon = 1e-13);
    for pair in AT.windows(2) {
        // The second derivative of a cubic is a straight line.
        let h = (pair[1] - pair[0]) / 4.0;
        let [a, b, c] = [1.0, 2.0, 3.0].map(|i| told(&spline, pair[0] + i * h)[2]);
        assert_abs_diff_eq!(a + c, 2.0 * b, epsilon = 1e-12);
    }
}

#[test]
fn derivatives_of_a_spline_are_its_differences() {
    let spline = Cubic { a: -0.5 };
    for x in [-3.0, -0.7, 0.2, 0.9, 1.4, 2.7, 5.0] {
        let h = 1e-5;
        let [before, now, after] = [x - h, x, x + h].map(|x| told(&spline, x));
        assert_abs_diff_eq!(now[1], (after[0] - before[0]) / (2.0 * h), epsilon = 1e-9);
        assert_abs_diff_eq!(now[2], (after[1] - before[1]) / (2.0 * h), epsilon = 1e-9);
        assert_near(told(&Fixed, x), now);
    }
}

#[test]
fn splines_go_on_straight_beyond_their_ends() {
    let spline = Cubic { a: -0.5 };
    for (end, x) in [(-1.0, -4.0), (3.0, 8.0)] {
        let [y, slope, _] = told(&spline, end);
        assert_near(told(&spline, x), [y + (x - end) * slope, slope, 0.0]);
    }
    assert_near(told(&Straight, 2.0), [2.5, 0.5, 0.0]);
    assert_near(told(&Straight, 7.0), [5.0, 0.5, 0.0]);
}

#[test]
fn a_monotone_spline_rises_where_its_points_do() {
    let through = [0.0, 1.0, 1.5, 1.5, 4.0];
    for (x, y) in AT.into_iter().zip(through) {
        let [below, at, above] = [x - 1e-9, x, x + 1e-9].map(|x| told(&Monotone, x));
        assert_abs_diff_eq!(at[0], y, epsilon = 1e-14);
        assert_abs_diff_eq!(below[1], above[1], epsilon = 1e-7);
    }
    for i in 0..400 {
        let x = -1.0 + f64::from(i) / 100.0;
        let [y, slope, _] = told(&Monotone, x);
        assert!(slope >= -1e-14, "{slope} at {x}");
        assert!(
            (0.5..=2.0).contains(&x) == ((y - 1.5).abs() < 1e-14),
            "{y} at {x}"
        );
    }
}
