//! C = d·n in the plane, (d·n₁, d·n₂) in space: d = y − r(s), y the point of `b` in the frame of `a`, and r(s) the
//! point of the curve nearest to it.
//!
//! No unknown is added: s satisfies d·r′ = 0 and changes with ṡ = ẏ·r′/(r′·r′ − d·r″). The normals n ⊥ r′ are
//! transported along the curve without rotating about it, n′ = −(n·r″) r′/(r′·r′), so that
//!
//! ```text
//! Ċ = ẏ·n                    since d·n′ = 0 and r′·n = 0: ṡ is not in it
//! J = (−N, −ρ×N | N, r×N)    N = R₁ n, r = R₂ r₂, ρ = x₂ + r − x₁
//! β = ÿ·n − ṡ (n·r″) (ẏ·r′)/(r′·r′)
//! ```
//! with R₁ ÿ = ω₂×(ω₂×r) − 2 ω₁×ρ̇ + ω₁×(ω₁×ρ) for v̇ = 0. On the curve ẏ = r′ ṡ, and the term subtracted from ÿ·n is
//! the curvature of the track, ṡ² n·r″. If the nearest point is an end of the curve or a corner, s is constant, ṡ =
//! 0: the curve continues along its tangent there.

use nalgebra::{SMatrix, SVector, SimdComplexField, UnitVector3, Vector3};

use super::perpendiculars;
use crate::body::{Rigid2, Rigid3};
use crate::body_constraint::{BodyConstraint, BodyRows, InverseMass, delassus};
use crate::curve::{ArcLength, Curve};
use crate::error::Error;

/// A slope d·r′ beyond this part of |r′| (|r| + |y|) belongs to an end or a corner, not to a root.
const AT_REST: f64 = 1e-10;

/// A bead on a curved wire: a point of `b` on a curve fixed to `a`; 1 row in the plane, 2 in space.
///
/// The nearest point of the whole curve is searched for at every evaluation, so that loops, seams and closed curves
/// need no special treatment. A point that passes a crossing of the curve with itself keeps to its branch as long as
/// it stays nearer to it than to the other.
///
/// - Scalars: `f64`, as for [`ArcLength`].
/// - Sign: n is r′ turned by +90° in the plane; in space it is one of two perpendiculars of r′, chosen independently
///   at each place: between two places the rows may be rotated about the tangent, which affects neither C = 0 nor Jᵀ
///   λ.
/// - Errors: where r′ vanishes, at a cusp, the rows are NaN, and solving reports it.
/// - Cost: a search of about a dozen points of the curve; [`rows`](BodyConstraint::rows) searches once.
///
/// # Source
/// [Witkin 1997] A. Witkin, *Physically Based Modeling: Constrained Dynamics*, SIGGRAPH course notes, for C̈; the
/// elimination of s is derived above.
///
/// ```
/// use constraint_runtime::joint::plane::PointOnCurve;
/// use constraint_runtime::prelude::*;
///
/// curve! { struct Arch; |s in -2..=2| [s, 1 - s^2/2] }
///
/// let mut world = World2::<f64>::new().with_gravity([0.0, -9.81]);
/// let ground = world.add(Body2::fixed(Rigid2::identity()))?;
/// let place = Rigid2::translation(0.1, 0.995);
/// let bead = world.add(Body2::new(Inertia2::new(1.0, 0.1)?, place))?;
/// world.connect(PointOnCurve::new(&Arch, [0.0, 0.0])?, [ground, bead])?;
/// world.run_until(0.5, 1e-4)?;
/// let at = world.pose(bead)?.translation;
/// assert!(at.x > 0.1 && (at.y - (1.0 - at.x * at.x / 2.0)).abs() < 1e-12);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PointOnCurve<C, const D: usize> {
    curve: ArcLength<C, D>,
    r2: SVector<f64, D>,
}

impl<C: Curve<f64, D> + Clone, const D: usize> PointOnCurve<C, D> {
    /// The point `r2`, fixed to `b`, on a curve that is given in the frame of `a`.
    ///
    /// # Errors
    /// Those of [`ArcLength::new`]: the curve is measured once.
    pub fn new(curve: &C, r2: impl Into<SVector<f64, D>>) -> Result<Self, Error> {
        Ok(Self {
            curve: ArcLength::new(curve)?,
            r2: r2.into(),
        })
    }

    /// The curve, which also computes the parameter s of a point given in the frame of `a`.
    ///
    /// ```
    /// use constraint_runtime::joint::PointOnCurve;
    /// use constraint_runtime::prelude::*;
    ///
    /// curve! { struct Screw; |s in 0..=20| [cos(s), sin(s), s/5] }
    /// let wire = PointOnCurve::new(&Screw, [0.0, 0.0, 0.0])?;
    /// assert!((wire.curve().nearest(&Screw.position(3.0))?.parameter - 3.0_f64).abs() < 1e-12);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn curve(&self) -> &ArcLength<C, D> {
        &self.curve
    }

    /// The contact between the point and the curve.
    fn contact<B: Embedded<D, V>, const V: usize>(&self, [a, b]: [&B; 2]) -> Contact {
        let (arm, offset) = (b.turned(&embedded(&self.r2)), b.place() - a.place());
        let offset = offset + arm;
        let y = a.turned_back(&offset);
        let Ok(nearest) = self.curve.nearest(&SVector::from_fn(|i, _| y[i])) else {
            return Contact::nowhere();
        };
        let [r, tangent, second] = self.curve.curve().jet(nearest.parameter);
        let [r, tangent, second] = [embedded(&r), embedded(&tangent), embedded(&second)];
        let (d, metric) = (y - r, tangent.norm_squared());
        let slope = d.dot(&tangent).abs();
        let normals = B::normals(tangent / metric.simd_sqrt());
        Contact {
            arm,
            offset,
            values: normals.map(|n| d.dot(&n)),
            bends: normals.map(|n| second.dot(&n) / metric),
            normals: normals.map(|n| a.turned(&n)),
            tangent: a.turned(&tangent),
            pace: if slope > AT_REST * metric.simd_sqrt() * (r.norm() + y.norm()) {
                0.0
            } else {
                1.0 / (metric - d.dot(&second))
            },
        }
    }
}

/// The position of the point on the curve, in vectors of the world; those of the plane have z = 0, and one normal.
struct Contact {
    /// r = R₂ r₂
    arm: Vector3<f64>,
    /// ρ, from `a` to the point.
    offset: Vector3<f64>,
    /// d·n
    values: [f64; 2],
    /// N
    normals: [Vector3<f64>; 2],
    /// R₁ r′
    tangent: Vector3<f64>,
    /// n·r″/(r′·r′)
    bends: [f64; 2],
    /// ṡ divided by ẏ·r′.
    pace: f64,
}

impl Contact {
    /// For bodies at NaN coordinates: all entries are NaN.
    fn nowhere() -> Self {
        let nowhere = Vector3::repeat(f64::NAN);
        Self {
            arm: nowhere,
            offset: nowhere,
            values: [f64::NAN; 2],
            normals: [nowhere; 2],
            tangent: nowhere,
            bends: [f64::NAN; 2],
            pace: f64::NAN,
        }
    }

    fn value<const M: usize>(&self) -> SVector<f64, M> {
        SVector::from_fn(|i, _| self.values[i])
    }

    fn jacobian<B: Embedded<D, V>, const D: usize, const V: usize, const M: usize>(
        &self,
    ) -> [SMatrix<f64, M, V>; 2] {
        let mut blocks = [SMatrix::<f64, M, V>::zeros(); 2];
        for (i, n) in self.normals[..M].iter().enumerate() {
            let [first, second] = [&self.offset, &self.arm].map(|r| B::row(n, &r.cross(n)));
            blocks[0].set_row(i, &-first.transpose());
            blocks[1].set_row(i, &second.transpose());
        }
        blocks
    }

    fn rate<B: Embedded<D, V>, const D: usize, const V: usize, const M: usize>(
        &self,
        v: [&SVector<f64, V>; 2],
    ) -> SVector<f64, M> {
        let [(v1, spin1), (v2, spin2)] = v.map(B::twist);
        let slip = v2 + spin2.cross(&self.arm) - v1 - spin1.cross(&self.offset);
        SVector::from_fn(|i, _| self.normals[i].dot(&slip))
    }

    fn bias<B: Embedded<D, V>, const D: usize, const V: usize, const M: usize>(
        &self,
        v: [&SVector<f64, V>; 2],
    ) -> SVector<f64, M> {
        let [(v1, spin1), (v2, spin2)] = v.map(B::twist);
        let turning = spin2.cross(&self.arm);
        let drift = v2 + turning - v1;
        let carried = spin1.cross(&self.offset);
        // R₁ ÿ, and ẏ·r′
        let acceleration = spin2.cross(&turning) + spin1.cross(&(carried - drift * 2.0));
        let along = self.tangent.dot(&(drift - carried));
        let turned = self.pace * along * along;
        SVector::from_fn(|i, _| self.normals[i].dot(&acceleration) - turned * self.bends[i])
    }
}

/// Bodies as bodies in space; those of the plane lie in z = 0.
trait Embedded<const D: usize, const V: usize> {
    /// The perpendiculars of a unit vector; the second is zero in the plane.
    fn normals(tangent: Vector3<f64>) -> [Vector3<f64>; 2];
    fn place(&self) -> Vector3<f64>;
    fn turned(&self, u: &Vector3<f64>) -> Vector3<f64>;
    fn turned_back(&self, u: &Vector3<f64>) -> Vector3<f64>;
    /// v and ω.
    fn twist(v: &SVector<f64, V>) -> (Vector3<f64>, Vector3<f64>);
    /// Columns of v and of ω.
    fn row(linear: &Vector3<f64>, angular: &Vector3<f64>) -> SVector<f64, V>;
}

impl Embedded<2, 3> for Rigid2 {
    fn normals(t: Vector3<f64>) -> [Vector3<f64>; 2] {
        [Vector3::new(-t.y, t.x, 0.0), Vector3::zeros()]
    }

    fn place(&self) -> Vector3<f64> {
        embedded(&self.translation.vector)
    }

    fn turned(&self, u: &Vector3<f64>) -> Vector3<f64> {
        embedded(&(self.rotation * u.xy()))
    }

    fn turned_back(&self, u: &Vector3<f64>) -> Vector3<f64> {
        embedded(&self.rotation.inverse_transform_vector(&u.xy()))
    }

    fn twist(v: &SVector<f64, 3>) -> (Vector3<f64>, Vector3<f64>) {
        (embedded(&v.xy()), Vector3::z() * v.z)
    }

    fn row(linear: &Vector3<f64>, angular: &Vector3<f64>) -> SVector<f64, 3> {
        [linear.x, linear.y, angular.z].into()
    }
}

impl Embedded<3, 6> for Rigid3 {
    fn normals(t: Vector3<f64>) -> [Vector3<f64>; 2] {
        perpendiculars(&UnitVector3::new_unchecked(t))
    }

    fn place(&self) -> Vector3<f64> {
        self.translation.vector
    }

    fn turned(&self, u: &Vector3<f64>) -> Vector3<f64> {
        self.rotation * u
    }

    fn turned_back(&self, u: &Vector3<f64>) -> Vector3<f64> {
        self.rotation.inverse_transform_vector(u)
    }

    fn twist(v: &SVector<f64, 6>) -> (Vector3<f64>, Vector3<f64>) {
        (v.fixed_rows::<3>(0).into(), v.fixed_rows::<3>(3).into())
    }

    fn row(linear: &Vector3<f64>, angular: &Vector3<f64>) -> SVector<f64, 6> {
        SVector::from_fn(|i, _| if i < 3 { linear[i] } else { angular[i - 3] })
    }
}

/// A vector of the plane or of space, in space.
fn embedded<const D: usize>(u: &SVector<f64, D>) -> Vector3<f64> {
    Vector3::from_fn(|i, _| if i < D { u[i] } else { 0.0 })
}

macro_rules! rides {
    ($body:ident, $d:literal, $v:literal, $rows:literal) => {
        impl<C: Curve<f64, $d> + Clone> BodyConstraint<f64, $v, 2, $rows> for PointOnCurve<C, $d> {
            type Body = $body;

            fn value(&self, _t: f64, q: [&$body; 2]) -> SVector<f64, $rows> {
                self.contact(q).value()
            }

            fn jacobian(&self, _t: f64, q: [&$body; 2]) -> [SMatrix<f64, $rows, $v>; 2] {
                self.contact(q).jacobian::<$body, $d, $v, $rows>()
            }

            fn rate(
                &self,
                _t: f64,
                q: [&$body; 2],
                v: [&SVector<f64, $v>; 2],
            ) -> SVector<f64, $rows> {
                self.contact(q).rate::<$body, $d, $v, $rows>(v)
            }

            fn bias(
                &self,
                _t: f64,
                q: [&$body; 2],
                v: [&SVector<f64, $v>; 2],
            ) -> SVector<f64, $rows> {
                self.contact(q).bias::<$body, $d, $v, $rows>(v)
            }

            fn rows(
                &self,
                _t: f64,
                q: [&$body; 2],
                v: [&SVector<f64, $v>; 2],
                w: [&InverseMass<Self, f64, $v, 2, $rows>; 2],
            ) -> BodyRows<f64, $v, 2, $rows> {
                let contact = self.contact(q);
                let jacobian = contact.jacobian::<$body, $d, $v, $rows>();
                BodyRows {
                    value: contact.value(),
                    rate: contact.rate::<$body, $d, $v, $rows>(v),
                    bias: contact.bias::<$body, $d, $v, $rows>(v),
                    delassus: delassus::<f64, $body, $v, 2, $rows>(&jacobian, w),
                    jacobian,
                }
            }
        }
    };
}

rides!(Rigid2, 2, 3, 1);
rides!(Rigid3, 3, 6, 2);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joint::conformance::{at, check, check_each, flat, flat_at, space};
    use constraint_macros::curve;
    use num_dual::Dual64;

    curve! {
        struct Parabola;
        |s in -8..=8| [s, s^2/2 - 1]
    }

    curve! {
        struct Screw;
        |s in -12..=12| [cos(s), sin(s), s/2]
    }

    type Dual3 = Vector3<Dual64>;

    fn dual(x: f64) -> Dual64 {
        Dual64::from_re(x)
    }

    /// The root of (y − r)·r′ that is nearest to y, by trial and by Newton's method over dual numbers.
    fn nearest(y: Dual3, ends: [f64; 2], jet: fn(Dual64) -> [Dual3; 3]) -> Dual64 {
        let away = |s: f64| (y - jet(dual(s))[0]).map(|x| x.re).norm();
        let tried = (0..=300).map(|i| ends[0] + (ends[1] - ends[0]) * f64::from(i) / 300.0);
        let mut s = dual(tried.min_by(|a, b| away(*a).total_cmp(&away(*b))).unwrap());
        for _ in 0..12 {
            let [r, first, second] = jet(s);
            let d = y - r;
            s -= d.dot(&first) / (d.dot(&second) - first.dot(&first));
        }
        s
    }

    fn parabola(s: Dual64) -> [Dual3; 3] {
        let half = dual(0.5);
        [
            Vector3::new(s, s * s * half - dual(1.0), dual(0.0)),
            Vector3::new(dual(1.0), s, dual(0.0)),
            space(0.0, 1.0, 0.0),
        ]
    }

    fn screw(s: Dual64) -> [Dual3; 3] {
        let (sin, cos) = num_dual::DualNum::sin_cos(&s);
        let half = dual(0.5);
        [
            Vector3::new(cos, sin, s * half),
            Vector3::new(-sin, cos, half),
            Vector3::new(-cos, -sin, dual(0.0)),
        ]
    }

    #[test]
    fn conforms_in_the_plane() {
        let joint = PointOnCurve::new(&Parabola, [-0.3, 0.4]).unwrap();
        check(&joint, 5, |[a, b], _| {
            let point = flat_at(b, flat(-0.3, 0.4));
            let y = a.inverse_transform_point(&point.into()).coords;
            let y = Vector3::new(y.x, y.y, dual(0.0));
            let s = nearest(y, [-8.0, 8.0], parabola);
            let [r, t, _] = parabola(s);
            let normal =
                Vector3::new(-t.y, t.x, dual(0.0)) / num_dual::DualNum::sqrt(&t.norm_squared());
            [(y - r).dot(&normal)].into()
        });
    }

    /// Normals carried along a screw r = (cos s, sin s, c s) without turning: the Frenet frame turned back by the
    /// torsion, τ|r′| = c/√(1 + c²) to a unit of s.
    fn carried(s: Dual64, start: f64) -> [Dual3; 2] {
        let [_, t, second] = screw(s);
        let speed = dual(1.25_f64.sqrt());
        let binormal = t.cross(&second) / speed;
        let angle = s * dual(0.5) / speed + dual(start);
        let (sin, cos) = num_dual::DualNum::sin_cos(&angle);
        [second * cos - binormal * sin, second * sin + binormal * cos]
    }

    #[test]
    fn conforms_in_space() {
        let joint = PointOnCurve::new(&Screw, [0.2, -0.1, 0.3]).unwrap();
        check_each(&joint, 10, |q| {
            // The joint's normals are those of one place; there the carried ones are made to agree.
            let contact = joint.contact(q.each_ref());
            let own = q[0].inverse_transform_vector(&contact.normals[0]);
            let point = q[1].transform_point(&[0.2, -0.1, 0.3].into());
            let y = q[0].inverse_transform_point(&point).coords;
            let s = joint.curve().nearest(&y).unwrap().parameter;
            let [first, second] = carried(dual(s), 0.0).map(|n| n.map(|x| x.re));
            let start = (-own.dot(&second)).atan2(own.dot(&first));
            move |[a, b], _| {
                let y = a
                    .inverse_transform_point(&at(b, space(0.2, -0.1, 0.3)).into())
                    .coords;
                let s = nearest(y, [-12.0, 12.0], screw);
                let d = y - screw(s)[0];
                carried(s, start).map(|n| d.dot(&n)).into()
            }
        });
    }

    /// Beyond its ends a curve goes on along its tangents.
    #[test]
    fn beyond_an_end_the_tangent_goes_on() {
        curve! { struct Bow; |s in 0..=1| [s, s^2] }
        let joint = PointOnCurve::new(&Bow, [0.0, 0.0]).unwrap();
        let (a, b) = (Rigid2::identity(), Rigid2::translation(-3.0, 0.5));
        let (still, v) = (SVector::zeros(), SVector::from([1.0, 2.0, 0.0]));
        assert_eq!(joint.value(0.0, [&a, &b])[0], 0.5);
        assert_eq!(joint.rate(0.0, [&a, &b], [&still, &v])[0], 2.0);
        assert_eq!(joint.bias(0.0, [&a, &b], [&still, &v])[0], 0.0);
    }

    #[test]
    fn a_cusp_is_an_error() {
        curve! { struct Semicubical; |s in 0..=1| [s^2, s^3] }
        let joint = PointOnCurve::new(&Semicubical, [0.0, 0.0]).unwrap();
        let (a, b) = (Rigid2::identity(), Rigid2::identity());
        let w = crate::InverseMass2 {
            mass: 1.0,
            inertia: 1.0,
        };
        assert!(
            joint
                .solve(0.0, [&a, &b], [&w, &w], &SVector::zeros())
                .is_err()
        );
    }
}
