//! Bodies of a world: a pose, velocities, and an inertia or none.

use nalgebra::{SVector, UnitQuaternion, UnitVector3, Vector2, Vector3};

use crate::body::{Flat, Inertia2, Inertia3, InverseMass2, InverseMass3, Rigid, Rigid2, Rigid3};
use crate::checks::check_finite;
use crate::error::{Error, Quantity};
use crate::joint::perpendiculars;
use crate::real::{Real, first_non_finite};

use super::axis::{Axis2, Axis3};
use super::spin::FreeSpin;

/// The operations that a [`World`](crate::World) needs from a kind of body in addition to [`Rigid`]: its inertia and
/// the quantities that depend on it.
pub trait Massive<T: Real, const D: usize>: Rigid<T, D> + 'static {
    /// A vector in the plane or in space.
    type Vector: Copy + Send + Sync;

    /// [`Inertia2`] or [`Inertia3`].
    type Inertia: Copy;

    /// The constants of the free rotation of a body.
    type FreeSpin: Copy + Send + Sync;

    /// A coordinate between two bodies.
    type Axis: Copy + Send + Sync + 'static;

    /// Coordinates of a body: 4 or 7.
    const COORDINATES: usize;

    /// Number of velocities that translate, 2 or 3; the velocities that rotate follow them.
    const TRANSLATIONS: usize;

    /// The body with these coordinates; its rotation may have any length.
    fn read(q: &[T]) -> Self;

    /// The vector 0.
    fn zero() -> Self::Vector;

    /// The entry of a vector that is not finite: its index and value.
    fn first_non_finite_of(vector: &Self::Vector) -> Option<(usize, f64)>;

    /// W of a body that nothing moves.
    fn pinned() -> Self::InverseMass;

    /// W with 1/I multiplied by `part`: of a body that is harder to turn.
    fn turning_less(inverse_mass: &Self::InverseMass, part: T) -> Self::InverseMass;

    /// W = M⁻¹ of the body where it is.
    fn inverse_mass(&self, inertia: &Self::Inertia) -> Self::InverseMass;

    /// m
    fn mass(inertia: &Self::Inertia) -> T;

    /// (m g, 0), the weight under the gravity g.
    fn weight(inertia: &Self::Inertia, gravity: &Self::Vector) -> SVector<T, D>;

    /// Change of the momentum (m v, I ω) of a free body in the time h, with ω being the velocity that has led here.
    ///
    /// The step has rotated the angular momentum I ω by h ω, but it is constant in the world: rotating it back keeps
    /// its length and direction to rounding, whereas h (−ω×I ω) would let both grow.
    fn gyroscopic_impulse(&self, inertia: &Self::Inertia, v: &SVector<T, D>, h: T)
    -> SVector<T, D>;

    /// The same coordinate, counted from these poses.
    fn counted_from(axis: Self::Axis, poses: [&Self; 2]) -> Self::Axis;

    /// True if values of the coordinate that differ by a turn are the same.
    fn is_angle(axis: &Self::Axis) -> bool;

    /// The value of a coordinate x, and ∂ẋ/∂v for both bodies.
    fn measure(axis: &Self::Axis, poses: [&Self; 2]) -> (T, [SVector<T, D>; 2]);

    /// The constants of the free rotation of a body.
    fn free_spin(inertia: &Self::Inertia) -> Self::FreeSpin;

    /// The body after the time h without forces, from velocities `v`.
    fn coasted(
        &self,
        inertia: &Self::Inertia,
        spin: &Self::FreeSpin,
        v: &SVector<T, D>,
        h: T,
    ) -> Self;

    /// The velocities that a body with `v` here has where W is `end`, by the same momenta.
    fn carried(
        &self,
        inertia: &Self::Inertia,
        v: &SVector<T, D>,
        end: &Self::InverseMass,
    ) -> SVector<T, D>;

    /// (0, −ω×I ω), the gyroscopic torque of a free body.
    fn gyroscopic_torque(&self, inertia: &Self::Inertia, v: &SVector<T, D>) -> SVector<T, D>;

    /// The length of a vector; its direction, and directions across it. In the plane the last one is zero.
    fn frame(normal: &Self::Vector) -> (T, [Self::Vector; 3]);

    /// Force and torque about the centre of mass of a force at a point of the world.
    fn wrench(&self, force: &Self::Vector, point: &Self::Vector) -> SVector<T, D>;

    /// ½ m v² + ½ ω·I ω
    fn kinetic_energy(&self, inertia: &Self::Inertia, v: &SVector<T, D>) -> T;

    /// −m g·x
    fn potential_energy(&self, inertia: &Self::Inertia, gravity: &Self::Vector) -> T;

    /// The same with a rotation of length one.
    fn renormalized(self) -> Self;

    /// The coordinate that is not finite: its index and value.
    fn first_non_finite(&self) -> Option<(usize, f64)>;

    /// The coordinates as velocities see them: the pose, and one radian for every rotation.
    fn extent(&self) -> SVector<T, D>;
}

impl<T: Real> Massive<T, 3> for Rigid2<T> {
    type Vector = Vector2<T>;
    type Inertia = Inertia2<T>;
    type FreeSpin = ();
    type Axis = Axis2<T>;

    const COORDINATES: usize = 4;
    const TRANSLATIONS: usize = 2;

    fn read(q: &[T]) -> Self {
        Self::from_flat([q[0], q[1], q[2], q[3]])
    }

    fn zero() -> Vector2<T> {
        Vector2::zeros()
    }

    fn first_non_finite_of(vector: &Vector2<T>) -> Option<(usize, f64)> {
        first_non_finite(vector)
    }

    fn pinned() -> InverseMass2<T> {
        InverseMass2::pinned()
    }

    fn turning_less(&InverseMass2 { mass, inertia }: &InverseMass2<T>, part: T) -> InverseMass2<T> {
        let inertia = inertia * part;
        InverseMass2 { mass, inertia }
    }

    fn inverse_mass(&self, inertia: &Inertia2<T>) -> InverseMass2<T> {
        inertia.inverse()
    }

    fn mass(inertia: &Inertia2<T>) -> T {
        inertia.mass()
    }

    fn weight(inertia: &Inertia2<T>, gravity: &Vector2<T>) -> SVector<T, 3> {
        let weight = gravity * inertia.mass();
        [weight.x, weight.y, T::zero()].into()
    }

    fn gyroscopic_impulse(&self, _: &Inertia2<T>, _: &SVector<T, 3>, _: T) -> SVector<T, 3> {
        SVector::zeros()
    }

    fn counted_from(axis: Axis2<T>, poses: [&Self; 2]) -> Axis2<T> {
        axis.counted_from(poses)
    }

    fn is_angle(axis: &Axis2<T>) -> bool {
        axis.is_angle()
    }

    fn measure(axis: &Axis2<T>, poses: [&Self; 2]) -> (T, [SVector<T, 3>; 2]) {
        axis.measure(poses)
    }

    fn free_spin(_: &Inertia2<T>) {}

    fn coasted(&self, _: &Inertia2<T>, (): &(), v: &SVector<T, 3>, h: T) -> Self {
        self.moved(v, h).renormalized()
    }

    fn carried(&self, _: &Inertia2<T>, v: &SVector<T, 3>, _: &InverseMass2<T>) -> SVector<T, 3> {
        *v
    }

    fn gyroscopic_torque(&self, _: &Inertia2<T>, _: &SVector<T, 3>) -> SVector<T, 3> {
        SVector::zeros()
    }

    fn frame(normal: &Vector2<T>) -> (T, [Vector2<T>; 3]) {
        let length = normal.norm();
        let along = normal / length;
        (
            length,
            [along, Vector2::new(-along.y, along.x), Vector2::zeros()],
        )
    }

    fn wrench(&self, force: &Vector2<T>, point: &Vector2<T>) -> SVector<T, 3> {
        let torque = (point - self.translation.vector).perp(force);
        [force.x, force.y, torque].into()
    }

    fn kinetic_energy(&self, inertia: &Inertia2<T>, v: &SVector<T, 3>) -> T {
        let InverseMass2 { mass, inertia } = inertia.inverse();
        T::lit(0.5) * ((v[0] * v[0] + v[1] * v[1]) / mass + v[2] * v[2] / inertia)
    }

    fn potential_energy(&self, inertia: &Inertia2<T>, gravity: &Vector2<T>) -> T {
        -inertia.mass() * gravity.dot(&self.translation.vector)
    }

    fn renormalized(mut self) -> Self {
        self.rotation.renormalize();
        self
    }

    fn first_non_finite(&self) -> Option<(usize, f64)> {
        first_non_finite(&self.coordinates())
    }

    fn extent(&self) -> SVector<T, 3> {
        let pose = &self.translation.vector;
        [pose.x, pose.y, T::one()].into()
    }
}

impl<T: Real> Massive<T, 6> for Rigid3<T> {
    type Vector = Vector3<T>;
    type Inertia = Inertia3<T>;
    type FreeSpin = FreeSpin<T>;
    type Axis = Axis3<T>;

    const COORDINATES: usize = 7;
    const TRANSLATIONS: usize = 3;

    fn read(q: &[T]) -> Self {
        Self::from_flat([q[0], q[1], q[2], q[3], q[4], q[5], q[6]])
    }

    fn zero() -> Vector3<T> {
        Vector3::zeros()
    }

    fn first_non_finite_of(vector: &Vector3<T>) -> Option<(usize, f64)> {
        first_non_finite(vector)
    }

    fn pinned() -> InverseMass3<T> {
        InverseMass3::pinned()
    }

    fn turning_less(&InverseMass3 { mass, inertia }: &InverseMass3<T>, part: T) -> InverseMass3<T> {
        let inertia = inertia * part;
        InverseMass3 { mass, inertia }
    }

    fn inverse_mass(&self, inertia: &Inertia3<T>) -> InverseMass3<T> {
        inertia.inverse_at(self)
    }

    fn mass(inertia: &Inertia3<T>) -> T {
        inertia.mass()
    }

    fn weight(inertia: &Inertia3<T>, gravity: &Vector3<T>) -> SVector<T, 6> {
        stacked(&(gravity * inertia.mass()), &Vector3::zeros())
    }

    fn gyroscopic_impulse(&self, inertia: &Inertia3<T>, v: &SVector<T, 6>, h: T) -> SVector<T, 6> {
        let spin = Vector3::new(v[3], v[4], v[5]);
        let momentum = self.angular_momentum(inertia, v);
        let back = UnitQuaternion::from_scaled_axis(-spin * h);
        stacked(&Vector3::zeros(), &(back * momentum - momentum))
    }

    fn counted_from(axis: Axis3<T>, poses: [&Self; 2]) -> Axis3<T> {
        axis.counted_from(poses)
    }

    fn is_angle(axis: &Axis3<T>) -> bool {
        axis.is_angle()
    }

    fn measure(axis: &Axis3<T>, poses: [&Self; 2]) -> (T, [SVector<T, 6>; 2]) {
        axis.measure(poses)
    }

    fn free_spin(inertia: &Inertia3<T>) -> FreeSpin<T> {
        FreeSpin::new(inertia)
    }

    fn coasted(&self, inertia: &Inertia3<T>, spin: &FreeSpin<T>, v: &SVector<T, 6>, h: T) -> Self {
        let place = self.translation.vector + Vector3::new(v[0], v[1], v[2]) * h;
        let turn = spin.after(&self.rotation, &self.angular_momentum(inertia, v), h);
        Self::from_parts(place.into(), turn).renormalized()
    }

    fn carried(
        &self,
        inertia: &Inertia3<T>,
        v: &SVector<T, 6>,
        end: &InverseMass3<T>,
    ) -> SVector<T, 6> {
        let spin = end.inertia * self.angular_momentum(inertia, v);
        stacked(&Vector3::new(v[0], v[1], v[2]), &spin)
    }

    fn gyroscopic_torque(&self, inertia: &Inertia3<T>, v: &SVector<T, 6>) -> SVector<T, 6> {
        let torque = inertia.gyroscopic_torque(self, &Vector3::new(v[3], v[4], v[5]));
        stacked(&Vector3::zeros(), &torque)
    }

    fn frame(normal: &Vector3<T>) -> (T, [Vector3<T>; 3]) {
        let length = normal.norm();
        let along = UnitVector3::new_unchecked(normal / length);
        let [first, second] = perpendiculars(&along);
        (length, [along.into_inner(), first, second])
    }

    fn wrench(&self, force: &Vector3<T>, point: &Vector3<T>) -> SVector<T, 6> {
        stacked(force, &(point - self.translation.vector).cross(force))
    }

    fn kinetic_energy(&self, inertia: &Inertia3<T>, v: &SVector<T, 6>) -> T {
        let (v, spin) = (
            Vector3::new(v[0], v[1], v[2]),
            self.rotation.inverse() * Vector3::new(v[3], v[4], v[5]),
        );
        T::lit(0.5) * (inertia.mass() * v.norm_squared() + spin.dot(&(inertia.tensor() * spin)))
    }

    fn potential_energy(&self, inertia: &Inertia3<T>, gravity: &Vector3<T>) -> T {
        -inertia.mass() * gravity.dot(&self.translation.vector)
    }

    fn renormalized(mut self) -> Self {
        self.rotation.renormalize();
        self
    }

    fn first_non_finite(&self) -> Option<(usize, f64)> {
        first_non_finite(&self.coordinates())
    }

    fn extent(&self) -> SVector<T, 6> {
        stacked(&self.translation.vector, &Vector3::repeat(T::one()))
    }
}

trait Spinning<T> {
    /// I ω in the world's frame, ω being the last of the velocities.
    fn angular_momentum(&self, inertia: &Inertia3<T>, v: &SVector<T, 6>) -> Vector3<T>;
}

impl<T: Real> Spinning<T> for Rigid3<T> {
    fn angular_momentum(&self, inertia: &Inertia3<T>, v: &SVector<T, 6>) -> Vector3<T> {
        let spin = self.rotation.inverse() * Vector3::new(v[3], v[4], v[5]);
        self.rotation * (inertia.tensor() * spin)
    }
}

fn stacked<T: Real>(first: &Vector3<T>, second: &Vector3<T>) -> SVector<T, 6> {
    [first.x, first.y, first.z, second.x, second.y, second.z].into()
}

/// A body to be [added](crate::World::add) to a world: [`Body2`] or [`Body3`].
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// let inertia = Inertia3::principal(2.0, [0.1, 0.2, 0.2])?;
/// let falling = Body3::new(inertia, Rigid3::translation(0.0, 0.0, 5.0));
/// let ground: Body3 = Body3::fixed(Rigid3::identity());
/// // A fixed body keeps its velocity under any force: a platform that rises at 1 m/s.
/// let platform: Body3 = Body3::fixed(Rigid3::identity()).moving([0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body<T, B: Massive<T, D>, const D: usize>
where
    T: Real,
{
    pub(super) inertia: Option<B::Inertia>,
    pub(super) pose: B,
    pub(super) velocity: SVector<T, D>,
}

/// A body in the plane.
pub type Body2<T = f64> = Body<T, Rigid2<T>, 3>;

/// A body in space.
pub type Body3<T = f64> = Body<T, Rigid3<T>, 6>;

impl<T: Real, B: Massive<T, D>, const D: usize> Body<T, B, D> {
    /// A body at rest that is free to move.
    pub fn new(inertia: B::Inertia, pose: B) -> Self {
        Self {
            inertia: Some(inertia),
            pose,
            velocity: SVector::zeros(),
        }
    }

    /// The ground: no force moves it.
    pub fn fixed(pose: B) -> Self {
        Self {
            inertia: None,
            pose,
            velocity: SVector::zeros(),
        }
    }

    /// Sets the velocities (v, ω).
    pub fn moving(self, velocity: impl Into<SVector<T, D>>) -> Self {
        Self {
            velocity: velocity.into(),
            ..self
        }
    }

    /// Its pose.
    pub fn pose(&self) -> &B {
        &self.pose
    }

    /// Its velocities (v, ω).
    pub fn velocity(&self) -> &SVector<T, D> {
        &self.velocity
    }

    /// Its inertia; a fixed body has none.
    pub fn inertia(&self) -> Option<&B::Inertia> {
        self.inertia.as_ref()
    }

    /// Checks that numbers are finite and the rotation has length one.
    pub(super) fn validate(&self) -> Result<(), Error> {
        check_finite(Quantity::Coordinate, self.pose.first_non_finite())?;
        check_finite(Quantity::Velocity, first_non_finite(&self.velocity))?;
        B::try_from_coordinates(&self.pose.coordinates()).map(|_| ())
    }
}
