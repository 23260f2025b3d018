//! Transitions and splines against their closed forms, and where arguments are far.

use approx::{assert_abs_diff_eq, assert_relative_eq};
use constraint_runtime::prelude::*;

constraint! { pub struct Clamp; |x, y| y == clamp(x, -1, 2) }
constraint! { pub struct Step { low: Real, high: Real } |x, y| y == smoothstep(low, high, x) }
constraint! { pub struct Ramp; |x, y| y == softplus(x) }
constraint! { pub struct Sigmoid; |x, y| y == logistic(x) }

constraint! { pub struct Degrees; |x, y| y == to_degrees(x) + sin(x.to_radians()) }

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
fn angles_are_converted_as_floats_are() {
    for x in [-400.0, -1.5, 0.0, 30.0, 90.0_f64] {
        let unit = 1f64.to_radians();
        let (sine, cosine) = x.to_radians().sin_cos();
        let expected = [
            x.to_degrees() + sine,
            1f64.to_degrees() + unit * cosine,
            -unit * unit * sine,
        ];
        assert_near(told(&Degrees, x), expected);
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

constraint! {
    pub struct Moving;
    |x, y, z| y == cubic_spline(x, [-1, 0, 0.5, 2, 3], [0, 1, z, 0, 0.25])
}

/// A spline is linear in its ordinates: with one of them z, it is s(x) + z u(x), its derivatives s′ + z u′ and u.
#[test]
fn ordinates_may_move() {
    let (z, v) = (-0.5, Vector3::new(0.7, 0.0, 1.3));
    for x in [-0.4, 0.2, 1.1, 2.6] {
        let [zero, one, at] = [0.0, 1.0, z].map(|a| told(&Cubic { a }, x));
        let [u, rise] = [one[0] - zero[0], one[1] - zero[1]];
        let q = Vector3::new(x, 0.0, z);
        let jacobian = Moving.jacobian(0.0, &q);
        assert_abs_diff_eq!(-jacobian[(0, 0)], at[1], epsilon = 1e-13);
        assert_abs_diff_eq!(-jacobian[(0, 2)], u, epsilon = 1e-13);
        let bend = at[2] * v.x * v.x + 2.0 * rise * v.x * v.z;
        assert_abs_diff_eq!(-Moving.bias(0.0, &q, &v)[0], bend, epsilon = 1e-12);
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

const HOURS: usize = 16;
constraint! {
    pub struct Daily { a: Real }
    |x, y| y == periodic_spline(x, [-1, 0, 0.5, 2, 3], [a, 1, -0.5, 0, a])
}
constraint! {
    /// The sine at sixteen points of its period.
    pub struct Wave;
    |x, y| {
        let h = TAU/16;
        y == periodic_spline(x, [0, h, 2*h, 3*h, 4*h, 5*h, 6*h, 7*h, 8*h, 9*h, 10*h, 11*h, 12*h, 13*h, 14*h, 15*h, 16*h],
            [0, sin(h), sin(2*h), sin(3*h), 1, sin(3*h), sin(2*h), sin(h), 0, -sin(h), -sin(2*h), -sin(3*h), -1,
             -sin(3*h), -sin(2*h), -sin(h), 0])
    }
}

/// It is told by passing through the points, by cubics between them, and by continuous first and second derivatives, also
/// where it begins again; it is the same in every period.
#[test]
fn a_periodic_spline_begins_again_as_it_ends() {
    let spline = Daily { a: 0.75 };
    for (x, y) in AT.into_iter().zip([0.75, 1.0, -0.5, 0.0, 0.75]) {
        for turns in [-2.0, 0.0, 3.0] {
            let x = x + 4.0 * turns;
            let [below, at, above] = [x - 1e-9, x, x + 1e-9].map(|x| told(&spline, x));
            assert_abs_diff_eq!(at[0], y, epsilon = 1e-13);
            assert_abs_diff_eq!(below[1], above[1], epsilon = 1e-7);
            assert_abs_diff_eq!(below[2], above[2], epsilon = 1e-6);
        }
    }
    for pair in AT.windows(2) {
        let h = (pair[1] - pair[0]) / 4.0;
        let [a, b, c] = [1.0, 2.0, 3.0].map(|i| told(&spline, pair[0] + i * h)[2]);
        assert_abs_diff_eq!(a + c, 2.0 * b, epsilon = 1e-12);
    }
    for x in [-0.7, 0.2, 0.9, 2.7] {
        let (h, now) = (1e-5, told(&spline, x));
        let [before, after] = [x - h, x + h].map(|x| told(&spline, x));
        assert_abs_diff_eq!(now[1], (after[0] - before[0]) / (2.0 * h), epsilon = 1e-9);
        assert_abs_diff_eq!(now[2], (after[1] - before[1]) / (2.0 * h), epsilon = 1e-9);
        for turns in [-12.0, 4.0, 40.0] {
            let again = told(&spline, x + turns);
            for (again, now) in again.into_iter().zip(now) {
                assert_abs_diff_eq!(again, now, epsilon = 1e-12);
            }
        }
    }
}

/// Hall and Meyer 1976: a cubic spline is no farther than 5/384 h⁴ max |f⁗| from f.
#[test]
fn a_periodic_spline_through_a_sine_is_as_near_as_the_theorem_says() {
    let h = core::f64::consts::TAU / HOURS as f64;
    let bound = 5.0 / 384.0 * h.powi(4);
    let mut worst = 0.0_f64;
    for i in -300..600 {
        let x = f64::from(i) / 37.0;
        worst = worst.max((told(&Wave, x)[0] - x.sin()).abs());
    }
    assert!(worst < bound && worst > bound / 100.0, "{worst} of {bound}");
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
