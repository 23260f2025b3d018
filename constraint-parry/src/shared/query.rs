//! Rays and shapes that look at colliders.

use std::marker::PhantomData;
use std::sync::Mutex;

use constraint_runtime::BodyHandle;

use super::colliders::{Everything, locked};
use super::parry::query::{DefaultQueryDispatcher, QueryDispatcher, Ray};
use super::parry::shape::SharedShape;
use super::{Rigid, Vector, World, from_parry, into_parry, pose};
use crate::{ColliderError, ColliderHandle};

/// The colliders where the bodies of a world are now: see [`Colliders::query`](super::Colliders::query).
pub struct Query<'a> {
    shared: &'a Mutex<Everything>,
    /// Bodies do not move meanwhile.
    world: PhantomData<&'a World>,
}

/// The first point of a collider on a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RayHit {
    /// The collider.
    pub collider: ColliderHandle,
    /// Its body.
    pub body: BodyHandle,
    /// The length of the ray up to the point; 0 if it starts inside of the shape.
    pub distance: f64,
    /// The point of the world.
    pub point: Vector,
    /// The normal of the surface there, out of the shape; 0 if the ray starts inside of it.
    pub normal: Vector,
}

impl<'a> Query<'a> {
    pub(super) fn new(shared: &'a Mutex<Everything>, _: &'a World) -> Self {
        let world = PhantomData;
        Self { shared, world }
    }

    /// The first collider on a ray from a point into a direction, up to the distance `reach`, among those of bodies for which `sees`
    /// is true.
    ///
    /// # Errors
    /// [`ColliderError::InvalidRay`] if the direction is 0, the reach is not positive, or a number is not finite.
    pub fn cast_ray(
        &self,
        start: impl Into<Vector>,
        direction: impl Into<Vector>,
        reach: f64,
        sees: impl Fn(BodyHandle) -> bool,
    ) -> Result<Option<RayHit>, ColliderError> {
        let (start, direction) = (into_parry(&start.into()), into_parry(&direction.into()));
        let length = direction.length();
        let is_ray = length > 0.0 && length.is_finite() && reach > 0.0 && reach.is_finite();
        if !(is_ray && start.is_finite()) {
            let direction = length;
            return Err(ColliderError::InvalidRay { direction, reach });
        }
        let ray = Ray::new(start, direction / length);
        let all = &*locked(self.shared);
        let hit = all.tree.find_best(
            reach,
            |node, best| node.cast_ray(&ray, best),
            |number, best| {
                let placed = &all.placed[all.at(number)?];
                let shape = sees(placed.body).then_some(&placed.collider.shape)?;
                shape.cast_ray_and_get_normal(&placed.pose, &ray, best, true)
            },
        );
        Ok(hit.and_then(|(number, hit)| {
            Some(RayHit {
                collider: all.handle(number),
                body: all.placed[all.at(number)?].body,
                distance: hit.time_of_impact,
                point: from_parry(ray.point_at(hit.time_of_impact)),
                normal: from_parry(hit.normal),
            })
        }))
    }

    /// The colliders that a shape at this pose overlaps, by their numbers.
    pub fn overlaps(&self, shape: &SharedShape, place: &Rigid) -> Vec<ColliderHandle> {
        let place = pose(place);
        let all = &*locked(self.shared);
        let bounds = shape.compute_aabb(&place);
        let near = all.tree.intersect_aabb(&bounds);
        let overlaps = |number: &u32| {
            let Some(index) = all.at(*number) else {
                return false;
            };
            let it = &all.placed[index];
            let from = place.inv_mul(&it.pose);
            DefaultQueryDispatcher
                .intersection_test(&from, &*shape.0, &*it.collider.shape.0)
                .is_ok_and(|found| found.intersecting)
        };
        let mut found: Vec<u32> = near.filter(overlaps).collect();
        found.sort_unstable();
        found.into_iter().map(|number| all.handle(number)).collect()
    }
}
