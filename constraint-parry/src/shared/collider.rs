//! A shape with its place on a body and its surface.

use constraint_runtime::{Error, Quantity};

use super::parry::bounding_volume::Aabb;
use super::parry::math::Pose;
use super::parry::shape::SharedShape;
use super::{Inertia, Rigid, Vector, from_parry, moments, pose};
use crate::ColliderError;

/// A shape to be [added](super::Colliders::add) to a body: its place there, friction and restitution.
///
/// - Units: those of the world for lengths; friction and restitution have none.
#[derive(Clone, Debug)]
pub struct Collider {
    pub(super) shape: SharedShape,
    pub(super) place: Pose,
    pub(super) friction: f64,
    pub(super) restitution: f64,
    /// The groups that it belongs to, and those that it touches.
    pub(super) groups: [u32; 2],
}

impl Collider {
    /// A shape in the axes of its body, without friction and restitution.
    pub fn new(shape: SharedShape) -> Self {
        Self {
            shape,
            place: Pose::IDENTITY,
            friction: 0.0,
            restitution: 0.0,
            groups: [u32::MAX; 2],
        }
    }

    /// Places the shape on its body, whose origin is its centre of mass.
    pub fn at(self, place: Rigid) -> Self {
        let place = pose(&place);
        Self { place, ..self }
    }

    /// Sets the coefficient μ of Coulomb's friction; two surfaces have √(μ₁ μ₂) between them.
    pub fn with_friction(self, friction: f64) -> Self {
        Self { friction, ..self }
    }

    /// Sets the part of its speed with which a gap opens after an impact, from 0 to 1; of two surfaces the larger one counts.
    pub fn with_restitution(self, restitution: f64) -> Self {
        Self {
            restitution,
            ..self
        }
    }

    /// Sets the groups that it belongs to and the groups that it touches, as bits: two colliders touch if each of them belongs to a
    /// group that the other one touches. By default a collider belongs to all groups and touches all.
    pub fn with_groups(self, member_of: u32, touches: u32) -> Self {
        let groups = [member_of, touches];
        Self { groups, ..self }
    }

    /// Its shape.
    pub fn shape(&self) -> &SharedShape {
        &self.shape
    }

    /// The largest side of its bounding box: infinite for a half-space, not a number if one of its numbers is not.
    pub(super) fn size(&self) -> f64 {
        if self.is_unbounded() {
            return f64::INFINITY;
        }
        let Aabb { mins, maxs } = self.shape.compute_local_aabb();
        // The largest of numbers would pass over one that is none.
        if mins.is_finite() && maxs.is_finite() {
            (maxs - mins).max_element()
        } else {
            f64::NAN
        }
    }

    pub(super) fn is_unbounded(&self) -> bool {
        self.shape.as_halfspace().is_some()
    }

    /// The largest distance of a point of the shape from the origin of its body; 0 for a half-space, whose points have none.
    pub(super) fn reach(&self) -> f64 {
        if self.is_unbounded() {
            return 0.0;
        }
        let sphere = self.shape.compute_local_bounding_sphere();
        (self.place * sphere.center()).length() + sphere.radius()
    }

    pub(super) fn validate(&self) -> Result<(), ColliderError> {
        let [friction, restitution] = [self.friction, self.restitution];
        if !(friction.is_finite() && friction >= 0.0) {
            return Err(Error::InvalidFriction { friction }.into());
        }
        if !(0.0..=1.0).contains(&restitution) {
            return Err(Error::InvalidRestitution { restitution }.into());
        }
        let place = self.place.translation.to_array();
        let bad = place.iter().position(|it| !it.is_finite());
        if let Some(index) = bad {
            return Err(Error::NonFinite {
                quantity: Quantity::Coordinate,
                index,
                names: None,
                value: place[index],
                time: None,
            }
            .into());
        }
        let size = self.size();
        let is_shape = size > 0.0 && (size.is_finite() || self.is_unbounded());
        if is_shape && self.place.is_finite() {
            Ok(())
        } else {
            Err(ColliderError::NoExtent { size })
        }
    }
}

/// The inertia of a body that fills this shape, about its centre of mass and in the axes of the shape; and that centre, from which
/// the body counts: place the shape by its opposite, if it is not 0, by [`Collider::at`].
///
/// - Units: density is mass per volume, in the plane mass per area.
///
/// # Errors
/// [`ColliderError::World`] with [`Error::InvalidMass`] or [`Error::InvalidInertia`] for a shape without volume.
pub fn inertia(shape: &SharedShape, density: f64) -> Result<(Inertia, Vector), ColliderError> {
    let properties = shape.mass_properties(density);
    Ok((moments(&properties)?, from_parry(properties.local_com)))
}
