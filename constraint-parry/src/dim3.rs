//! Shapes in space.
//!
//! A box of 1 kg, twice as long as it is wide, is dropped onto a floor and comes to rest on it:
//!
//! ```
//! use constraint_parry::dim3::{Collider, Colliders, inertia, parry::shape::SharedShape};
//! use constraint_runtime::prelude::*;
//!
//! let mut world = World3::new().with_gravity([0.0, 0.0, -9.81]);
//! let floor = world.add(Body3::fixed(Rigid3::translation(0.0, 0.0, -0.5)))?;
//! let shape = SharedShape::cuboid(0.2, 0.1, 0.1);
//! let (moments, centre) = inertia(&shape, 62.5)?;
//! assert!((moments.mass() - 1.0).abs() < 1e-12 && centre.norm() == 0.0);
//! let block = world.add(Body3::new(moments, Rigid3::translation(0.0, 0.0, 0.3)))?;
//!
//! let mut colliders = Colliders::new();
//! colliders.add(&world, floor, Collider::new(SharedShape::cuboid(5.0, 5.0, 0.5)).with_friction(0.6))?;
//! let on_block = colliders.add(&world, block, Collider::new(shape).with_friction(0.6).with_restitution(0.2))?;
//! let mut world = world.with_contacts(colliders.contacts());
//! world.run_until(1.0, 1.0 / 240.0)?;
//! assert!((world.pose(block)?.translation.z - 0.1).abs() < 1e-4);
//! let weight: f64 = world.contacts().map(|it| it.impulse).sum();
//! assert!((weight * 240.0 - 9.81).abs() < 1e-6);
//!
//! // A body takes its colliders with it.
//! world.remove(block)?;
//! world.step(1.0 / 240.0)?;
//! assert!(colliders.remove(on_block).unwrap_err().to_string().starts_with("collider 1 has been removed"));
//! # Ok::<(), constraint_parry::ColliderError>(())
//! ```

pub use parry3d_f64 as parry;

use constraint_runtime::Error;
use constraint_runtime::nalgebra::Matrix3;
use constraint_runtime::prelude::{Inertia3, Rigid3, SVector, Vector3};
use parry::mass_properties::MassProperties;
use parry::math::{Pose, Rotation, Vec3};

#[path = "shared/mod.rs"]
#[allow(
    clippy::duplicate_mod,
    reason = "one source for the plane and for space"
)]
mod shared;

pub use shared::{Collider, Colliders, Query, RayHit, inertia};

type World = constraint_runtime::World3<f64>;
type Contact = constraint_runtime::Contact3<f64>;
type Rigid = Rigid3;
type Vector = Vector3<f64>;
type Inertia = Inertia3;

fn pose(rigid: &Rigid) -> Pose {
    let turn = rigid.rotation.coords;
    let turn = Rotation::from_xyzw(turn.x, turn.y, turn.z, turn.w);
    Pose::from_parts(into_parry(&rigid.translation.vector), turn)
}

fn into_parry(vector: &Vector) -> Vec3 {
    Vec3::new(vector.x, vector.y, vector.z)
}

fn from_parry(vector: Vec3) -> Vector {
    Vector3::new(vector.x, vector.y, vector.z)
}

/// |v| and |ω|
fn speeds(v: &SVector<f64, 6>) -> (f64, f64) {
    let of = |first: usize| v.fixed_rows::<3>(first).norm();
    (of(0), of(3))
}

/// The inertia about the centre of mass, in the axes of the shape.
fn moments(of: &MassProperties) -> Result<Inertia, Error> {
    let axes = of.principal_inertia_local_frame;
    let axes = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| from_parry(axes * axis));
    let moments = of.principal_inertia().to_array();
    let tensor = axes.iter().zip(moments);
    let tensor = tensor.fold(Matrix3::zeros(), |sum, (axis, moment)| {
        sum + axis * axis.transpose() * moment
    });
    // Equal to its transpose to the last bit.
    Inertia3::new(of.mass(), (tensor + tensor.transpose()) * 0.5)
}
