//! Free rotation of a body over a step: symplectic, reversible, with exactly constant angular momentum.
//!
//! With the moments I_a, I_b, I_c about the principal axes, I_c between the others, and the angular momentum L,
//!
//! ```text
//! ½ L·I⁻¹L = ½ L·L/I_c + ½ (1/I_a − 1/I_c) L_a² + ½ (1/I_b − 1/I_c) L_b²
//! ```
//!
//! Each term alone turns the body about a constant axis: L, a, and b. The first commutes with the others; these are
//! composed as a for h/2, b for h, a for h/2. A body with two equal moments turns exactly, in any step.
//!
//! # Source
//! [Dullweber, Leimkuhler, McLachlan 1997] *Symplectic splitting methods for rigid body molecular dynamics*, J. Chem.
//! Phys. 107; there all three terms are about principal axes.

use nalgebra::{Matrix3, Quaternion, SimdBool, Unit, UnitQuaternion, Vector3};

use crate::body::Inertia3;
use crate::linalg::diagonalize;
use crate::real::{Real, lane_value};

/// The terms of the kinetic energy of a rotation.
#[derive(Clone, Copy, Debug)]
pub struct FreeSpin<T> {
    /// The axes a, b and a×b, fixed to the body.
    axes: [Vector3<T>; 3],
    /// 1/I_c
    common: T,
    /// 1/I_a − 1/I_c and 1/I_b − 1/I_c, the smaller one first.
    extra: [T; 2],
}

impl<T: Real> FreeSpin<T> {
    pub(super) fn new(inertia: &Inertia3<T>) -> Self {
        let mut moments: Matrix3<T> = *inertia.tensor();
        let axes = diagonalize(&mut moments, |it| it);
        let rate = |axis: usize| T::one() / moments[(axis, axis)];
        let size = |axis: usize| lane_value(moments[(axis, axis)], 0);
        let mut order = [0, 1, 2];
        order.sort_by(|&i, &k| size(i).total_cmp(&size(k)));
        let [first, middle, last] = order;
        let common = rate(middle);
        let mut outer = [first, last].map(|axis| (axis, rate(axis) - common));
        if lane_value(outer[0].1, 0).abs() > lane_value(outer[1].1, 0).abs() {
            outer.swap(0, 1);
        }
        let [a, b] = outer.map(|(axis, _)| axes.column(axis).into_owned());
        Self {
            axes: [a, b, a.cross(&b)],
            common,
            extra: outer.map(|(_, extra)| extra),
        }
    }

    /// The rotation after the time h, from one with the angular momentum L in the world's frame.
    #[inline]
    pub(super) fn after(
        &self,
        turn: &UnitQuaternion<T>,
        l: &Vector3<T>,
        h: T,
    ) -> UnitQuaternion<T> {
        let common = UnitQuaternion::from_scaled_axis(l * (self.common * h));
        let [extra_a, extra_b] = self.extra;
        let is_zero = |extra: T| extra.simd_eq(T::zero()).all();
        if is_zero(extra_b) {
            return common * turn;
        }
        let own = turn.inverse() * l;
        let [mut l_a, mut l_b, mut l_c] = self.axes.map(|axis| axis.dot(&own));
        // (cos, sin) of half the angle by which a rotation about a or b turns the body in this time.
        let half_turn = |l: T, extra: T, h: T| {
            let (sin, cos) = (l * extra * h * T::lit(0.5)).simd_sin_cos();
            (cos, sin)
        };
        let [w, a, b, c] = if is_zero(extra_a) {
            let (cos, sin) = half_turn(l_b, extra_b, h);
            [cos, T::zero(), sin, T::zero()]
        } else {
            let half = h * T::lit(0.5);
            let first = half_turn(l_a, extra_a, half);
            (l_b, l_c) = turned_back(l_b, l_c, first);
            let second = half_turn(l_b, extra_b, h);
            (_, l_a) = turned_back(l_c, l_a, second);
            composed(first, second, half_turn(l_a, extra_a, half))
        };
        let [axis_a, axis_b, axis_c] = &self.axes;
        let vector = axis_a * a + axis_b * b + axis_c * c;
        common * turn * Unit::new_unchecked(Quaternion::from_parts(w, vector))
    }
}

/// A vector's components along the axes that follow the axis of a rotation, seen from the body that turns.
#[inline]
fn turned_back<T: Real>(x: T, y: T, (cos, sin): (T, T)) -> (T, T) {
    let (whole_cos, whole_sin) = (cos * cos - sin * sin, sin * cos * T::lit(2.0));
    (x * whole_cos + y * whole_sin, y * whole_cos - x * whole_sin)
}

/// The product of rotations about a, b and a: real part, and the parts along a, b and a×b.
#[inline]
fn composed<T: Real>((c1, s1): (T, T), (c2, s2): (T, T), (c3, s3): (T, T)) -> [T; 4] {
    [
        c2 * (c1 * c3 - s1 * s3),
        c2 * (c1 * s3 + s1 * c3),
        s2 * (c1 * c3 + s1 * s3),
        s2 * (s1 * c3 - c1 * s3),
    ]
}
