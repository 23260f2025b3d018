//! Shapes of [parry](https://parry.rs) on the bodies of a [`World`](constraint_runtime::World): broad phase, contacts, ray casts.
//!
//! [`dim2`] and [`dim3`] have the same items for the plane and for space. A [`Collider`](dim3::Collider) is a shape with its place on
//! a body, friction and restitution; [`Colliders`](dim3::Colliders) finds the contacts of all of them before each step. All geometry
//! is parry's, which the modules export as `parry`.
//!
//! A ball on a ramp of 30° rolls without slip: 5/7 g sin 30°.
//!
//! ```
//! use constraint_parry::dim3::{Collider, Colliders, parry::math::Vector, parry::shape::SharedShape};
//! use constraint_runtime::prelude::*;
//!
//! let slope = 30.0_f64.to_radians();
//! let mut world = World3::new().with_gravity([9.81 * slope.sin(), 0.0, -9.81 * slope.cos()]);
//! let ground = world.add(Body3::fixed(Rigid3::identity()))?;
//! let inertia = Inertia3::principal(1.0, [0.4 * 0.5 * 0.5; 3])?;
//! let ball = world.add(Body3::new(inertia, Rigid3::translation(0.0, 0.0, 0.5)))?;
//!
//! let mut colliders = Colliders::new();
//! colliders.add(&world, ground, Collider::new(SharedShape::halfspace(Vector::Z)).with_friction(0.5))?;
//! colliders.add(&world, ball, Collider::new(SharedShape::ball(0.5)).with_friction(0.5))?;
//! let mut world = world.with_contacts(colliders.contacts());
//!
//! world.run_until(1.0, 1e-3)?;
//! let v = world.velocity(ball)?;
//! assert!((v[0] - 5.0 / 7.0 * 9.81 * slope.sin()).abs() < 1e-9);
//! assert!((v[0] - 0.5 * v[4]).abs() < 1e-12);
//!
//! // 3 m above the ground, a ray finds it 3 m below.
//! let look = colliders.query(&world);
//! let hit = look.cast_ray([9.0, 0.0, 3.0], [0.0, 0.0, -1.0], 10.0, |_| true)?.unwrap();
//! assert_eq!((hit.body, hit.distance), (ground, 3.0));
//! # Ok::<(), constraint_parry::ColliderError>(())
//! ```
//!
//! # Rules
//! - Bodies that a joint connects do not touch each other, nor do two fixed bodies.
//! - Two surfaces with frictions μ₁ and μ₂ have √(μ₁ μ₂) between them, and the larger of their restitutions.
//! - Contacts are sought as far ahead as bodies can come in a step. They follow from the poses alone, so a run that is resumed finds
//!   the same ones, to the last bit; the order of colliders decides their order.
//! - parry computes with numbers of `glam`. Poses of bodies are converted; where you call parry's own functions, vectors are glam's.
#![forbid(unsafe_code)]

mod error;
mod feature;
mod handle;

#[cfg(feature = "dim2")]
pub mod dim2;
#[cfg(feature = "dim3")]
pub mod dim3;

pub use error::ColliderError;
pub use handle::ColliderHandle;
