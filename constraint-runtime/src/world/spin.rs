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
//! The error of the energy grows with the square of the mean angle by which the last two terms turn the body. Steps in which that is
//! large are composed of equal parts.
//!
//! # Source
//! [Dullweber, Leimkuhler, McLachlan 1997] *Symplectic splitting methods for rigid body molecular dynamics*, J. Chem.
//! Phys. 107; there all three terms are about principal axes.

use nalgebra::{Matrix3, Quaternion, SimdBool, Unit, UnitQuaternion, Vector3};

use crate::body::Inertia3;
use crate::linalg::diagonalize;
use crate::real::{Real, lane_value};

/// The angle of a part of a step, about.
const MOST_ANGLE: f64 = 0.25;

/// Parts of a step at most.
const MOST_PARTS: u32 = 1024;

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
        if extra_b.simd_eq(T::zero()).all() {
            return common * turn;
        }
        let own = turn.inverse() * l;
        let mut l = self.axes.map(|axis| axis.dot(&own));
        // L is of constant length, so that the number of parts is the same at each step.
        let angle = own.norm() * (extra_a * extra_b).simd_abs().simd_sqrt() * h.simd_abs();
        let parts = parts(angle);
        let h = h / T::lit(parts.into());
        let mut turned = self.turn(&mut l, h);
        for _ in 1..parts {
            turned *= self.turn(&mut l, h);
        }
        let [axis_a, axis_b, axis_c] = &self.axes;
        let vector = axis_a * turned.i + axis_b * turned.j + axis_c * turned.k;
        common * turn * Unit::new_unchecked(Quaternion::from_parts(turned.w, vector))
    }

    /// The rotation by the terms of a and b in the time h, of a body with this angular momentum along a, b and a×b, which follows it.
    #[inline]
    fn turn(&self, [l_a, l_b, l_c]: &mut [T; 3], h: T) -> Quaternion<T> {
        let [extra_a, extra_b] = self.extra;
        // (cos, sin) of half the angle by which a rotation about a or b turns the body in this time.
        let half_turn = |l: T, extra: T, h: T| {
            let (sin, cos) = (l * extra * h * T::lit(0.5)).simd_sin_cos();
            (cos, sin)
        };
        if extra_a.simd_eq(T::zero()).all() {
            let (cos, sin) = half_turn(*l_b, extra_b, h);
            (*l_c, *l_a) = turned_back(*l_c, *l_a, (cos, sin));
            return Quaternion::new(cos, T::zero(), sin, T::zero());
        }
        let half = h * T::lit(0.5);
        let first = half_turn(*l_a, extra_a, half);
        (*l_b, *l_c) = turned_back(*l_b, *l_c, first);
        let second = half_turn(*l_b, extra_b, h);
        (*l_c, *l_a) = turned_back(*l_c, *l_a, second);
        let third = half_turn(*l_a, extra_a, half);
        (*l_b, *l_c) = turned_back(*l_b, *l_c, third);
        let [w, a, b, c] = composed(first, second, third);
        Quaternion::new(w, a, b, c)
    }
}

/// The number of equal parts in which a body turns by this angle.
fn parts<T: Real>(angle: T) -> u32 {
    let most = lane_value(T::splat(angle.simd_horizontal_max()), 0);
    // The cast turns NaN into zero.
    ((most / MOST_ANGLE) as u32).min(MOST_PARTS) + 1
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
