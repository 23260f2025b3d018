//! What a system knows of itself beyond its equations, and methods use.

use crate::own_frames::OwnFrames;

/// What is known of a system beyond its equations: how methods may integrate it, and at which cost.
///
/// Generated systems declare theirs. By hand, declare what holds, and leave the rest as it is:
///
/// ```
/// use constraint_runtime::{Properties, prelude::*};
///
/// /// A ball under its weight.
/// struct Falling;
///
/// impl Dynamics<f64> for Falling {
///     type Q = SVector<f64, 1>;
///     type V = SVector<f64, 1>;
///     type Coordinates = Self::Q;
///     type Velocities = Self::V;
///
///     const PROPERTIES: Properties = Properties {
///         forces_ignore_velocity: true,
///         ..Properties::NONE
///     };
///
///     fn acceleration(&self, _t: f64, _q: &Self::Q, _v: &Self::V) -> Result<Self::V, Error> {
///         Ok(SVector::from([-9.81]))
///     }
///     fn kinetic_energy(&self, _t: f64, _q: &Self::Q, v: &Self::V) -> f64 {
///         0.5 * v.norm_squared()
///     }
///     fn potential_energy(&self, _t: f64, q: &Self::Q) -> f64 {
///         9.81 * q.x
///     }
/// }
/// # assert!(!<Falling as Dynamics<f64>>::PROPERTIES.conservative_forces);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Properties {
    /// Bodies whose ω the stages of a step express in the bodies' own frames: those with different principal moments.
    ///
    /// Every method except [`own_slope`](crate::Dynamics::own_slope) takes and returns velocities in the world's frame.
    pub own_frames: &'static [OwnFrames],

    /// How many numbers of scratch memory (off the stack) the functions need that write to a place, such as
    /// [`write_acceleration`](crate::Dynamics::write_acceleration).
    pub room: usize,

    /// True if implicit methods eliminate the entries of [`write_descriptor`](crate::Constrained::write_descriptor) instead of the dense
    /// [`write_linearization`](crate::Dynamics::write_linearization): in time linear in the length of a chain.
    ///
    /// `system!` with `#[derivatives]` sets it from 24 velocities on, unless rows are redundant.
    pub sparse: bool,

    /// True if every force derives from the potential V: then −∂V/∂q is everything that acts at rest.
    ///
    /// `system!` sets it if there is no `force`, `torque`, `dissipation` or input; [`verify!`](crate::verify)
    /// compares V with the forces.
    pub conservative_forces: bool,

    /// True if h, and with it v̇ without the constraints, is a function of t and q alone: then
    /// [`Rattle`](crate::Rattle) computes it once a step.
    ///
    /// `system!` sets it where no expression of h reads a velocity, and inputs are constant or [functions of t and
    /// q](crate::InputSystem::driven_by). A mass matrix that depends on q, and torques of bodies with different
    /// principal moments, read velocities. [`verify!`](crate::verify) compares h at rest and in motion.
    pub forces_ignore_velocity: bool,

    /// True if [`write_linearization`](crate::Dynamics::write_linearization) is implemented, as `#[derivatives]` does. A
    /// [`Simulation`](crate::Simulation) under an implicit method compiles for such systems, and for [sparse](Self::sparse)
    /// ones, only:
    ///
    /// ```compile_fail,E0080
    /// use constraint_runtime::prelude::*;
    ///
    /// system! {
    ///     struct Spring { m: Real = 1, k: Real = 4 }
    ///     coordinate x;
    ///     kinetic m/2*velocity(x)^2;
    ///     potential k/2*x^2;
    /// }
    /// let start = State::new(0.0, [1.0], [0.0]);
    /// Simulation::new(Spring::default(), start, Radau5::new(1e-6, 1e-6)).unwrap();
    /// ```
    pub linearizes: bool,

    /// True if [`projected_motion`](crate::Constrained::projected_motion) costs less than its parts and depends only on t, q and v:
    /// then the end of a projected step calls it, and the next step already has its first v̇.
    pub projects_motion: bool,
}

impl Properties {
    /// Nothing is known: every method works, none takes a shorter road.
    pub const NONE: Properties = Properties {
        own_frames: &[],
        room: 0,
        sparse: false,
        conservative_forces: false,
        forces_ignore_velocity: false,
        linearizes: false,
        projects_motion: false,
    };
}
