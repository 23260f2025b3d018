//! Shapes in the plane.
//!
//! A pyramid of three boxes carries itself:
//!
//! ```
//! use constraint_parry::dim2::{Collider, Colliders, inertia, parry::shape::SharedShape};
//! use constraint_runtime::prelude::*;
//!
//! let mut world = World2::new().with_gravity([0.0, -9.81]);
//! let mut colliders = Colliders::new();
//! let floor = world.add(Body2::fixed(Rigid2::translation(0.0, -1.0)))?;
//! colliders.add(&world, floor, Collider::new(SharedShape::cuboid(9.0, 1.0)).with_friction(0.5))?;
//! let brick = Collider::new(SharedShape::cuboid(0.5, 0.25)).with_friction(0.5);
//! let (moments, _) = inertia(brick.shape(), 4.0)?;
//! for (x, y) in [(-0.6, 0.25), (0.6, 0.25), (0.0, 0.75)] {
//!     let body = world.add(Body2::new(moments, Rigid2::translation(x, y)))?;
//!     colliders.add(&world, body, brick.clone())?;
//! }
//! let mut world = world.with_contacts(colliders.contacts());
//! world.run_until(1.0, 1.0 / 120.0)?;
//! let top = world.bodies().last().unwrap();
//! assert!((world.pose(top)?.translation.y - 0.75).abs() < 1e-4);
//!
//! // What lies within a circle about the top.
//! let found = colliders.query(&world).overlaps(&SharedShape::ball(0.3), &Rigid2::translation(0.0, 0.75));
//! assert_eq!(found.len(), 3);
//! # Ok::<(), constraint_parry::ColliderError>(())
//! ```

pub use parry2d_f64 as parry;

use constraint_runtime::Error;
use constraint_runtime::prelude::{Inertia2, Rigid2, SVector, Vector2};
use parry::mass_properties::MassProperties;
use parry::math::{Pose, Rot2, Vec2};

#[path = "shared/mod.rs"]
#[allow(
    clippy::duplicate_mod,
    reason = "one source for the plane and for space"
)]
mod shared;

pub use shared::{Collider, Colliders, Query, RayHit, inertia};

type World = constraint_runtime::World2<f64>;
type Contact = constraint_runtime::Contact2<f64>;
type Rigid = Rigid2;
type Vector = Vector2<f64>;
type Inertia = Inertia2;

fn pose(rigid: &Rigid) -> Pose {
    let turn = Rot2 {
        re: rigid.rotation.re,
        im: rigid.rotation.im,
    };
    Pose::from_parts(into_parry(&rigid.translation.vector), turn)
}

fn into_parry(vector: &Vector) -> Vec2 {
    Vec2::new(vector.x, vector.y)
}

fn from_parry(vector: Vec2) -> Vector {
    Vector2::new(vector.x, vector.y)
}

/// |v| and |ω|
fn speeds(v: &SVector<f64, 3>) -> (f64, f64) {
    (v.x.hypot(v.y), v.z.abs())
}

/// The inertia about the centre of mass.
fn moments(of: &MassProperties) -> Result<Inertia, Error> {
    Inertia2::new(of.mass(), of.principal_inertia())
}
