//! Limits and motors: bounds on the coordinate that a joint leaves free, and torques that move it.
//!
//! A coordinate x of a joint, its rate ẋ = G v, and the impulse Λ along it over a step obey
//!
//! ```text
//! x ≥ low,  x ≤ high          Λ ≥ 0 at the first, Λ ≤ 0 at the other: a limit pushes, and never pulls
//! ẋ = speed                   as far as |Λ| ≤ h most: a motor
//! Λ = −h (k (x − x*) + c ẋ)   as far as |Λ| ≤ h most: a motor that holds a place
//! ```

use alloc::{vec, vec::Vec};
use core::any::Any;
use core::ops::RangeInclusive;

use nalgebra::{SMatrix, SVector, UnitVector3, Vector2};

use super::plane;
use super::{Ball, Cylindrical, Hinge, Prismatic};
use crate::body_constraint::{BodyConstraint, BodyRows, InverseMass};
use crate::checks::{check_parameter, check_restitution};
use crate::error::{Error, Singular};
use crate::impulse::Softness;
use crate::real::{Real, lane_value};
use crate::world::{Axis2, Axis3};

/// The bounds of a coordinate of a joint, and the restitution there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits<T = f64> {
    pub(crate) low: T,
    pub(crate) high: T,
    pub(crate) restitution: T,
    pub(crate) softness: Option<Softness<T>>,
}

impl<T: Real> Limits<T> {
    /// From the least to the largest value; what reaches one of them stays there.
    ///
    /// ```
    /// use constraint_runtime::Limits;
    ///
    /// let limits = Limits::new(-0.5..=1.5).with_restitution(0.3);
    /// ```
    pub fn new(range: RangeInclusive<T>) -> Self {
        let (low, high) = range.into_inner();
        Self {
            low,
            high,
            restitution: T::zero(),
            softness: None,
        }
    }

    /// Sets the part of its speed with which the coordinate rebounds, from 0 to 1.
    pub fn with_restitution(self, restitution: T) -> Self {
        Self {
            restitution,
            ..self
        }
    }

    /// A spring and a damper beyond the limits, in place of a rigid stop and its restitution. It pushes, and never pulls.
    ///
    /// Both act at the end of a step, as in implicit Euler: no stiffness makes it unstable. Steps of the
    /// [`World`](crate::World) are those of [`WorldMethod::SemiImplicitEuler`](crate::WorldMethod) then.
    ///
    /// ```
    /// use constraint_runtime::{Limits, Softness};
    ///
    /// // A bumper of 800 N m/rad; or one at which 0.3 kg m² return at 4 Hz without swinging.
    /// let stiff = Limits::new(-0.5..=1.5).with_softness(Softness::new(800.0, 12.0)?);
    /// let tuned = Limits::new(-0.5..=1.5).with_softness(Softness::swinging(4.0, 1.0, 0.3)?);
    /// # let _ = (stiff, tuned);
    /// # Ok::<(), constraint_runtime::Error>(())
    /// ```
    pub fn with_softness(self, softness: Softness<T>) -> Self {
        Self {
            softness: Some(softness),
            ..self
        }
    }

    pub(crate) fn validate(&self, longest: Option<f64>) -> Result<(), Error> {
        let Self {
            low,
            high,
            restitution,
            softness,
        } = *self;
        let (low, high) = (lane_value(low, 0), lane_value(high, 0));
        let fits = longest.is_none_or(|longest| high - low <= longest);
        if !(low < high && fits) {
            return Err(Error::InvalidLimits { low, high });
        }
        softness.as_ref().map_or(Ok(()), Softness::check_spring)?;
        check_restitution(restitution)
    }
}

impl<T: Real> From<RangeInclusive<T>> for Limits<T> {
    fn from(range: RangeInclusive<T>) -> Self {
        Self::new(range)
    }
}

/// A motor of a joint: the speed or the place that it aims for, and the most that it can do.
///
/// - Units: `most` is a torque for an angle, a force for a length.
///
/// ```
/// use constraint_runtime::Motor;
///
/// let wheel = Motor::speed(12.0).most(40.0);
/// let servo = Motor::position(0.5, 800.0, 20.0).most(15.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motor<T = f64> {
    pub(crate) aim: Aim<T>,
    pub(crate) most: Option<T>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Aim<T> {
    Speed(T),
    Position { at: T, stiffness: T, damping: T },
}

impl<T: Real> Motor<T> {
    /// A motor that aims for a speed; set its bound by [`most`](Self::most).
    pub fn speed(speed: T) -> Self {
        Self {
            aim: Aim::Speed(speed),
            most: None,
        }
    }

    /// A motor that pulls towards a place with stiffness k and damping c, evaluated at the end of the step, so that no
    /// stiffness makes it unstable; set its bound by [`most`](Self::most).
    pub fn position(at: T, stiffness: T, damping: T) -> Self {
        Self {
            aim: Aim::Position {
                at,
                stiffness,
                damping,
            },
            most: None,
        }
    }

    /// Dry friction: a torque of at most this size against any motion.
    pub fn friction(most: T) -> Self {
        Self::speed(T::zero()).most(most)
    }

    /// Sets the largest torque, or force.
    pub fn most(self, most: T) -> Self {
        Self {
            most: Some(most),
            ..self
        }
    }

    pub(crate) fn validate(&self) -> Result<(), Error> {
        let most = self.most.map_or(f64::INFINITY, |most| lane_value(most, 0));
        if !(most > 0.0 && most.is_finite()) {
            return Err(Error::InvalidMotor { most });
        }
        let (parameter, aim) = match self.aim {
            Aim::Speed(speed) => ("speed", speed),
            Aim::Position {
                at,
                stiffness,
                damping,
            } => {
                Softness::new(stiffness, damping)?;
                ("at", at)
            }
        };
        check_parameter(parameter, &[aim])
    }
}

/// Limits and a motor of one coordinate of a joint.
#[derive(Clone, Copy, Debug)]
pub struct Drive<T, A> {
    pub(crate) axis: A,
    pub(crate) limits: Option<Limits<T>>,
    pub(crate) motor: Option<Motor<T>>,
}

/// A joint with limits or motors, for a [`World`](crate::World); elsewhere it is the joint alone.
///
/// ```
/// use constraint_runtime::joint::Hinge;
/// use constraint_runtime::{Motor, prelude::*};
///
/// let mut world = World3::<f64>::new();
/// let (wall, pose) = (Rigid3::identity(), Rigid3::translation(0.5, 0.0, 0.0));
/// let wall_body = world.add(Body3::fixed(wall))?;
/// let arm = world.add(Body3::new(Inertia3::principal(2.0, [0.01, 0.2, 0.2])?, pose))?;
/// let elbow = Hinge::between(&wall, &pose, &Point3::origin(), &Vector3::y_axis())
///     .with_limits(-1.0..=0.5)
///     .with_motor(Motor::speed(2.0).most(100.0));
/// let elbow = world.connect(elbow, [wall_body, arm])?;
/// world.run_until(0.2, 1e-3)?;
/// let axis = world.axes(elbow)?[0];
/// // The torque turns 0.7 kg m² up to speed in 0.014 s.
/// assert!((axis.value - (0.4 - 0.014)).abs() < 1e-3 && (axis.rate - 2.0).abs() < 1e-12);
/// world.run_until(1.0, 1e-3)?;
/// assert!((world.axes(elbow)?[0].value - 0.5).abs() < 1e-4); // the stop is stronger than the motor
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Driven<C, T, A> {
    joint: C,
    drives: Vec<Drive<T, A>>,
}

/// A joint in space with limits or motors.
pub type Driven3<C, T = f64> = Driven<C, T, Axis3<T>>;

/// A joint of the plane with limits or motors.
pub type Driven2<C, T = f64> = Driven<C, T, Axis2<T>>;

impl<C, T: Real, A> Driven<C, T, A> {
    fn new(joint: C, axis: A) -> Self {
        let drive = Drive {
            axis,
            limits: None,
            motor: None,
        };
        Self {
            joint,
            drives: vec![drive],
        }
    }

    fn and(mut self, axis: A) -> Self {
        let drive = Drive {
            axis,
            limits: None,
            motor: None,
        };
        self.drives.push(drive);
        self
    }

    /// The joint.
    pub fn joint(&self) -> &C {
        &self.joint
    }

    /// Sets the limits of the coordinate named last.
    pub fn with_limits(mut self, limits: impl Into<Limits<T>>) -> Self {
        if let Some(drive) = self.drives.last_mut() {
            drive.limits = Some(limits.into());
        }
        self
    }

    /// Makes the limits of the coordinate named last soft, as [`Limits::with_softness`] does: of a cone, for example.
    pub fn with_softness(mut self, softness: Softness<T>) -> Self {
        if let Some(drive) = self.drives.last_mut() {
            drive.limits = drive.limits.map(|it| it.with_softness(softness));
        }
        self
    }

    /// Sets the motor of the coordinate named last.
    pub fn with_motor(mut self, motor: Motor<T>) -> Self {
        if let Some(drive) = self.drives.last_mut() {
            drive.motor = Some(motor);
        }
        self
    }
}

/// Methods that begin with limits or a motor of a joint's only free coordinate.
macro_rules! one_coordinate {
    ($($joint:ty, $driven:ident, $axis:ident, $what:literal;)*) => {$(
        impl<T: Real> $joint {
            #[doc = concat!("With limits of its ", $what, ", which counts from the pose in which the bodies are connected.")]
            pub fn with_limits(self, limits: impl Into<Limits<T>>) -> $driven<Self, T> {
                let axis = $axis::from(&self);
                Driven::new(self, axis).with_limits(limits)
            }

            #[doc = concat!("With a motor that changes its ", $what, ".")]
            pub fn with_motor(self, motor: Motor<T>) -> $driven<Self, T> {
                let axis = $axis::from(&self);
                Driven::new(self, axis).with_motor(motor)
            }
        }
    )*};
}

one_coordinate! {
    Hinge<T>, Driven3, Axis3, "angle";
    Prismatic<T>, Driven3, Axis3, "travel";
    plane::Revolute<T>, Driven2, Axis2, "angle";
    plane::Prismatic<T>, Driven2, Axis2, "travel";
}

impl<T: Real> From<&Hinge<T>> for Axis3<T> {
    fn from(joint: &Hinge<T>) -> Self {
        Axis3::turn(joint.u.cross(&joint.w))
    }
}

impl<T: Real> From<&Prismatic<T>> for Axis3<T> {
    fn from(joint: &Prismatic<T>) -> Self {
        Axis3::travel(joint.r1, joint.r2, joint.axis)
    }
}

impl<T: Real> From<&plane::Revolute<T>> for Axis2<T> {
    fn from(_: &plane::Revolute<T>) -> Self {
        Axis2::turn()
    }
}

impl<T: Real> From<&plane::Prismatic<T>> for Axis2<T> {
    fn from(joint: &plane::Prismatic<T>) -> Self {
        let along = Vector2::new(joint.normal1.y, -joint.normal1.x);
        Axis2::travel(joint.r1, joint.r2, along)
    }
}

impl<T: Real> Cylindrical<T> {
    /// Begins with the translation along the axis; its limits and motor follow.
    pub fn travel(self) -> Driven3<Self, T> {
        let along = self.u.cross(&self.w);
        let axis = Axis3::travel(self.r1, self.r2, along);
        Driven::new(self, axis)
    }

    /// Begins with the rotation about the axis; its limits and motor follow.
    pub fn turn(self) -> Driven3<Self, T> {
        let axis = Axis3::turn(self.u.cross(&self.w));
        Driven::new(self, axis)
    }
}

impl<T: Real> Driven3<Cylindrical<T>, T> {
    /// Goes on with the rotation about the axis; its limits and motor follow.
    pub fn turn(self) -> Self {
        let axis = Axis3::turn(self.joint.u.cross(&self.joint.w));
        self.and(axis)
    }

    /// Goes on with the translation along the axis; its limits and motor follow.
    pub fn travel(self) -> Self {
        let along = self.joint.u.cross(&self.joint.w);
        let axis = Axis3::travel(self.joint.r1, self.joint.r2, along);
        self.and(axis)
    }
}

impl<T: Real> Ball<T> {
    /// Limits how far an axis of the second body, along `axis` of the world when the bodies are connected, is tilted
    /// against that of the first: by at most `angle`.
    pub fn with_cone(self, axis: &UnitVector3<T>, angle: T) -> Driven3<Self, T> {
        Driven::new(self, Axis3::cone(axis.into_inner())).with_limits(-angle..=angle)
    }

    /// Limits the rotation about such an axis.
    pub fn with_twist(
        self,
        axis: &UnitVector3<T>,
        limits: impl Into<Limits<T>>,
    ) -> Driven3<Self, T> {
        Driven::new(self, Axis3::twist(axis.into_inner())).with_limits(limits)
    }
}

impl<T: Real> Driven3<Ball<T>, T> {
    /// Limits the rotation about an axis too: see [`Ball::with_twist`].
    pub fn with_twist(self, axis: &UnitVector3<T>, limits: impl Into<Limits<T>>) -> Self {
        self.and(Axis3::twist(axis.into_inner()))
            .with_limits(limits)
    }
}

impl<C, T, A, const D: usize, const N: usize, const M: usize> BodyConstraint<T, D, N, M>
    for Driven<C, T, A>
where
    T: Real,
    A: 'static,
    C: BodyConstraint<T, D, N, M>,
{
    type Body = C::Body;

    const HOLONOMIC: [bool; M] = C::HOLONOMIC;

    fn value(&self, t: T, q: [&C::Body; N]) -> SVector<T, M> {
        self.joint.value(t, q)
    }

    fn jacobian(&self, t: T, q: [&C::Body; N]) -> [SMatrix<T, M, D>; N] {
        self.joint.jacobian(t, q)
    }

    fn rate(&self, t: T, q: [&C::Body; N], v: [&SVector<T, D>; N]) -> SVector<T, M> {
        self.joint.rate(t, q, v)
    }

    fn bias(&self, t: T, q: [&C::Body; N], v: [&SVector<T, D>; N]) -> SVector<T, M> {
        self.joint.bias(t, q, v)
    }

    fn delassus(
        &self,
        t: T,
        q: [&C::Body; N],
        w: [&InverseMass<C, T, D, N, M>; N],
    ) -> SMatrix<T, M, M> {
        self.joint.delassus(t, q, w)
    }

    fn rows(
        &self,
        t: T,
        q: [&C::Body; N],
        v: [&SVector<T, D>; N],
        w: [&InverseMass<C, T, D, N, M>; N],
    ) -> BodyRows<T, D, N, M> {
        self.joint.rows(t, q, v, w)
    }

    fn solve(
        &self,
        t: T,
        q: [&C::Body; N],
        w: [&InverseMass<C, T, D, N, M>; N],
        b: &SVector<T, M>,
    ) -> Result<SVector<T, M>, Singular> {
        self.joint.solve(t, q, w, b)
    }

    fn drives(&self) -> Option<&dyn Any> {
        Some(&self.drives)
    }

    fn name(&self) -> &'static str {
        crate::world::short_name::<C>()
    }
}
