//! What can be wrong with colliders and rays.

use core::fmt;

use constraint_runtime::Error;

/// An invalid collider or ray, or a handle of something that has been removed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ColliderError {
    /// An error of the world: a body that it does not have, negative friction, a restitution beyond 0 to 1, a pose that is not
    /// finite, a shape without mass.
    World(Error),
    /// A shape is a point, or its size is not a number.
    NoExtent {
        /// The largest side of its bounding box.
        size: f64,
    },
    /// A handle does not belong to these colliders.
    UnknownCollider {
        /// The handle's number.
        collider: usize,
    },
    /// A collider has been removed, alone or with its body.
    RemovedCollider {
        /// Its number.
        collider: usize,
    },
    /// A ray has no direction, or its numbers are not finite.
    InvalidRay {
        /// The length of its direction.
        direction: f64,
        /// How far it reaches.
        reach: f64,
    },
}

impl From<Error> for ColliderError {
    fn from(error: Error) -> Self {
        Self::World(error)
    }
}

impl fmt::Display for ColliderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::World(error) => error.fmt(f),
            Self::NoExtent { size } => {
                write!(
                    f,
                    "a shape of the size {size} cannot touch anything: its largest side must be positive"
                )
            }
            Self::UnknownCollider { collider } => {
                write!(f, "collider {collider} belongs to other colliders")
            }
            Self::RemovedCollider { collider } => {
                write!(
                    f,
                    "collider {collider} has been removed, alone or with its body"
                )
            }
            Self::InvalidRay { direction, reach } => {
                write!(
                    f,
                    "a ray has a direction of the length {direction} and reaches {reach}: both must be positive, and its start finite"
                )
            }
        }
    }
}

impl std::error::Error for ColliderError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::World(error) => Some(error),
            _ => None,
        }
    }
}
