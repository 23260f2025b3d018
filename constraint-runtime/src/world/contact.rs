//! Contacts between bodies, as the geometry of the user finds them.

use nalgebra::{Vector2, Vector3};

use super::BodyHandle;
use crate::real::Real;

/// A point at which two bodies touch, or will soon: see [`World::with_contacts`](crate::World::with_contacts).
///
/// - Units: the gap is a length; friction and restitution have none.
///
/// ```
/// use constraint_runtime::Contact3;
/// use constraint_runtime::prelude::*;
///
/// let mut world = World3::<f64>::new();
/// let floor = world.add(Body3::fixed(Rigid3::identity()))?;
/// let ball = world.add(Body3::new(Inertia3::principal(1.0, [0.1; 3])?, Rigid3::translation(0.0, 0.0, 0.6)))?;
/// // A ball of radius 0.5 above the floor.
/// let contact = Contact3::new([floor, ball], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0], 0.1)
///     .with_friction(0.4)
///     .with_restitution(0.8);
/// assert_eq!((contact.bodies(), contact.gap()), ([floor, ball], 0.1));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact<T, V> {
    pub(super) bodies: [BodyHandle; 2],
    pub(super) point: V,
    pub(super) normal: V,
    pub(super) gap: T,
    pub(super) friction: T,
    pub(super) restitution: T,
    pub(super) feature: u64,
}

/// A contact in the plane.
pub type Contact2<T = f64> = Contact<T, Vector2<T>>;

/// A contact in space.
pub type Contact3<T = f64> = Contact<T, Vector3<T>>;

impl<T: Real, V: Copy> Contact<T, V> {
    /// At this point of the world; the normal leads from the first body to the second, and the gap between them is negative
    /// if they overlap. Without friction and restitution.
    pub fn new(bodies: [BodyHandle; 2], point: impl Into<V>, normal: impl Into<V>, gap: T) -> Self {
        Self {
            bodies,
            point: point.into(),
            normal: normal.into(),
            gap,
            friction: T::zero(),
            restitution: T::zero(),
            feature: 0,
        }
    }

    /// Sets the coefficient μ of Coulomb's friction.
    pub fn with_friction(self, friction: T) -> Self {
        Self { friction, ..self }
    }

    /// Sets the part of its speed with which the gap opens after an impact, from 0 to 1.
    pub fn with_restitution(self, restitution: T) -> Self {
        Self {
            restitution,
            ..self
        }
    }

    /// The bodies; the normal leads from the first to the second.
    pub fn bodies(&self) -> [BodyHandle; 2] {
        self.bodies
    }

    /// The point of the world.
    pub fn point(&self) -> V {
        self.point
    }

    /// The normal.
    pub fn normal(&self) -> V {
        self.normal
    }

    /// The gap, negative if the bodies overlap.
    pub fn gap(&self) -> T {
        self.gap
    }

    /// Numbers the contacts of two bodies: one with the same number in the next step starts from the impulse of this one.
    pub fn with_feature(self, feature: u64) -> Self {
        Self { feature, ..self }
    }
}
