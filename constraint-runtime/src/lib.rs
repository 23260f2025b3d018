//! Constraints derived at compile time, and a small runtime that integrates them.
//!
//! Write an equation C(q, t) = 0. The macros generate specialised Rust for its Jacobian, the bias of C̈, the
//! multipliers and the constraint force, and a [`Simulation`] moves a [`System`] without leaving the constraint.
//!
//! ```
//! use constraint_runtime::prelude::*;
//!
//! fn main() -> Result<(), Error> {
//!     let wire = constraint!(y == x^2/100);
//!     let bead = Particle::new(2.0).on(wire).under_gravity([0.0, -9.81]);
//!     let start = State::new(0.0, [-100.0, 100.0], [0.0, 0.0]);
//!     let mut run = Simulation::new(bead, start, Rk4::new(0.02))?;
//!     run.run_until(120.0)?;
//!     assert!(run.drift() < 1e-12); // two minutes later the bead is on the wire to a picometre
//!     Ok(())
//! }
//! ```
//!
//! What you write:
//!
//! - [`constraint!`]: one constraint. A [`Constraint`] is pure mathematics: C, J, Ċ, J̇, β, λ, f̂ at one state. Between
//!   rigid bodies it is a [`BodyConstraint`]; [`joint`] is a library of them.
//! - [`curve!`]: a [`Curve`], on which beads run.
//! - [`system!`]: a mechanism with its own solver. [`Dynamics`] has masses, forces and energies; [`Constrained`] has
//!   constraints as well; a [`System`] runs in a [`Simulation`], one with constraints of one side in a
//!   [`ContactSimulation`].
//! - A [`World`] assembles bodies and joints at run time.
//!
//! What moves it:
//!
//! - A [`Simulation`] steps a system from a [`State`]: an [`Integrator`] advances it, [`Stabilization`] removes the drift
//!   that it leaves.
//! - Events ([`Simulation::on`]) are located on the [`Interpolant`] between two states.
//!
//! What comes out:
//!
//! - States, by name or as [`Vector`]s, of fixed size without a heap, or of any size; outputs, multipliers and energies.
//! - Derivatives: [`Linearization`] and [`Gradient`], [`equilibrium()`] and [`modes`].
//! - The [`Derivation`] of every generated type, as data and in its documentation.
//!
//! The [`prelude`] lists everything that most programs need, with a line on each.
//!
//! After the first, steps of a system of up to 512 coordinates do not allocate. Everything is generic over
//! [`Real`]: `f32`, `f64`, SIMD lanes and dual numbers.
//!
//! # Features
//!
//! Only ensembles need a standard library; everything else needs an allocator, and `libm` if `std` is off. The features
//! `std`, `world` and `curves` are on by default.
//!
//! | feature | adds |
//! |---|---|
//! | `world` | [`World`], its bodies, and the library of [`joint`]s |
//! | `curves` | [`ArcLength`] and the nearest point, [`Seams`](curve::Seams), and ready [`tracks`] |
//! | `ensemble` | `Ensemble`: many copies of a system in SIMD lanes and on threads |
//! | `serde` | `serde` for [`State`]s (also by name, `ByName`), vectors, and checkpoints of runs and worlds |
//! | `serde-no-std` | the same without a standard library, for vectors of fixed size |
//! | `mint` | conversions to and from the vectors, points and quaternions of `mint`, which game engines and other tools share: `bob.into()` |
//! | `std` | elementary functions of `f32` and `f64` from the operating system's library |
//! | `libm` | the same functions from the crate of that name, for targets without an operating system; one of the two is needed for [`equilibrium()`], [`modes`] and [`reach`] |

#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;
// Generated code names this crate; it must resolve in the crate's own tests too.
#[allow(unused_extern_crates)]
extern crate self as constraint_runtime;

mod allowance;
mod body;
mod body_constraint;
#[cfg(feature = "serde-no-std")]
mod by_name;
mod checks;
mod constraint;
pub mod curve;
mod derivation;
mod derivatives;
#[cfg(feature = "ensemble")]
pub mod ensemble;
#[cfg(any(feature = "std", feature = "libm"))]
mod equilibrium;
pub mod error;
mod error_function;
pub mod event;
mod gradient;
mod heap_array;
#[doc(hidden)]
pub mod ide;
mod impulse;
pub mod input;
pub mod integrator;
#[cfg(any(feature = "std", feature = "libm"))]
mod inverse_kinematics;
#[cfg(feature = "world")]
pub mod joint;
mod kept;
mod linalg;
pub mod load;
mod one_sided;
mod outputs;
mod own_frames;
mod particle;
mod points;
mod real;
#[cfg(any(feature = "std", feature = "libm"))]
mod reduced;
mod regressor;
mod row_names;
#[cfg(feature = "serde-no-std")]
mod saved;
mod simulation;
mod stabilization;
mod state;
mod system;
mod task_space;
mod vector;
#[cfg(any(feature = "std", feature = "libm"))]
mod verify;
#[cfg(feature = "world")]
mod world;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use nalgebra;

pub use body::{
    Inertia2, Inertia3, InverseMass2, InverseMass3, Rigid, Rigid2, Rigid3, Twist2, Twist3,
};
pub use body_constraint::{BodyConstraint, BodyRows, InverseMass};
#[cfg(feature = "serde-no-std")]
pub use by_name::ByName;
pub use constraint::Constraint;
pub use constraint_macros::{constraint, curve, system};
#[cfg(feature = "curves")]
#[doc(inline)]
pub use curve::{ArcLength, OneSidedTrack, tracks};
#[doc(inline)]
pub use curve::{Bead, Curve, Cusp};
pub use derivation::{Derivation, Entry, OperationCount};
pub use derivatives::{
    CurveDerivatives, CurveLinearization, Derivatives, Descriptor, DescriptorMatrix,
    ForceDerivatives, ForceLinearization, ForceTangent, Linearization, OutputDerivatives, Tangent,
};
#[cfg(feature = "ensemble")]
pub use ensemble::Ensemble;
#[cfg(any(feature = "std", feature = "libm"))]
pub use equilibrium::{Equilibrium, Mode, Modes, equilibrium, modes};
#[doc(inline)]
pub use error::{Error, Obstacle, Quantity, Singular};
#[doc(inline)]
pub use event::{Arrival, Crossing, Events, Then};
pub use gradient::{Gradient, Reversible};
pub use heap_array::HeapArray;
pub use impulse::{ImpulseRows, SequentialImpulses, Softness};
#[doc(inline)]
pub use input::{InputSource, InputSystem};
#[doc(inline)]
pub use integrator::{
    DormandPrince, Effort, GeneralizedAlpha, Implicit, ImpulseStepper, Integrator, Interpolant,
    Radau5, Rattle, Rk4, SemiImplicitEuler,
};
#[cfg(any(feature = "std", feature = "libm"))]
pub use inverse_kinematics::{CoordinateLimits, reach};
#[cfg(feature = "world")]
#[doc(inline)]
pub use joint::{Limits, Motor};
pub use linalg::SparseMatrix;
#[doc(inline)]
pub use load::Load;
pub use one_sided::{
    Ambiguity, BoundedParticle, ConsistentModes, ContactLaws, ContactSimulation, ImpactLaw,
    Impacts, InMode, Jams, OneSided, OneSidedConstraint, OneSidedDerivatives, RowKind, RowMode,
    Transition, TransitionKind, make_consistent_with_contacts,
};
pub use outputs::{Multipliers, Numbered, Outputs};
pub use own_frames::OwnFrames;
pub use particle::{ConstrainedParticle, Particle};
pub use points::{Point2, Point3, Vector2, Vector3};
pub use real::Real;
#[cfg(any(feature = "std", feature = "libm"))]
pub use reduced::{Minimal, Tangents};
pub use regressor::Regressor;
pub use simulation::{Checkpoint, Sample, Samples, Simulation};
pub use stabilization::{Stabilization, make_consistent};
pub use state::{IntoGravity, IntoState, State};
pub use system::{Constrained, Dynamics, Properties, System, Unconstrained};
pub use task_space::{InTaskSpace, TaskSpace};
pub use vector::Vector;
#[cfg(feature = "world")]
pub use world::{
    AxisState, Body, Body2, Body3, BodyHandle, Bounds, Contact, Contact2, Contact3, ContactEvent,
    ContactResiduals, ContactState, JointHandle, Massive, Redundancy, Solver, World, World2,
    World3, WorldCheckpoint, WorldMethod,
};

pub mod prelude {
    //! The macros, types and traits that most programs need: `use constraint_runtime::prelude::*;`.
    //!
    //! # What you write
    //!
    //! | item | purpose |
    //! |---|---|
    //! | [`constraint!`], [`curve!`], [`system!`] | the equations |
    //! | [`Particle`] | a mass, [on](Particle::on) a constraint or [along](Particle::along) a curve |
    //! | [`State`] | where it starts: time, coordinates, velocities; [`make_consistent`](crate::make_consistent) moves it onto the constraints |
    //! | [`Point2`], [`Point3`], [`Vector2`], [`Vector3`], [`SVector`], [`SMatrix`] | points, vectors and matrices of `nalgebra`, as in `Vector3<f64>`; [`HeapArray`] if they are large |
    //! | [`World2`], [`World3`] | bodies and joints that are only known at run time |
    //! | [`Body2`], [`Body3`], [`Inertia2`], [`Inertia3`], [`InverseMass2`], [`InverseMass3`] | their bodies |
    //! | [`BodyHandle`], [`JointHandle`] | names for bodies and joints |
    //! | [`Rigid`], [`Rigid2`], [`Rigid3`], [`Twist2`], [`Twist3`] | poses and velocities of bodies |
    //!
    //! # What moves it
    //!
    //! | item | purpose |
    //! |---|---|
    //! | [`Simulation`] | steps a system, keeps it on its constraints, reports what happens |
    //! | [`ContactSimulation`] | the same for systems with constraints of one side, `a >= b` |
    //! | [`Rk4`], [`DormandPrince`] | explicit methods with fixed and with adaptive steps |
    //! | [`Rattle`], [`SemiImplicitEuler`] | symplectic methods, for long runs |
    //! | [`Radau5`], [`GeneralizedAlpha`] | implicit methods, for stiff systems; `run.effort()` counts their work |
    //! | [`SequentialImpulses`], [`ImpulseStepper`], [`ImpulseRows`], [`Softness`] | impulses at joints, for games and many contacts |
    //! | [`Solver`] | how a world computes the impulses of its joints |
    //! | [`Stabilization`] | projection, Baumgarte's feedback, or none |
    //! | [`Crossing`], [`Then`], [`Arrival`] | events: what counts, what follows, why a run returned |
    //! | `Ensemble` | many copies in SIMD lanes and on threads (feature `ensemble`) |
    //!
    //! # What comes out
    //!
    //! | item | purpose |
    //! |---|---|
    //! | [`Sample`] | a state between two steps, at the time that you choose |
    //! | [`Outputs`] | what a system declares by `output` |
    //! | [`Derivation`], [`OperationCount`] | formulas of a generated type, and what they cost |
    //! | [`Linearization`], [`ForceLinearization`], [`CurveLinearization`] | derivatives as matrices |
    //! | [`Tangent`], [`ForceTangent`], [`Gradient`] | derivatives along a direction, and gradients of whole runs |
    //! | [`Minimal`], [`Tangents`] | independent coordinates; [`equilibrium`](crate::equilibrium()) and [`modes`](crate::modes) find rest and small oscillations |
    //! | [`ArcLength`] | lengths and nearest points of curves; [`Bead`] runs on them, a [`Cusp`] stops it |
    //! | [`OneSidedTrack`] | the points on one side of a curve: a bead leaves it and lands |
    //! | [`Error`], [`Singular`] | what a run rejects |
    //!
    //! # Traits
    //!
    //! | trait | implemented by |
    //! |---|---|
    //! | [`Constraint`], [`BodyConstraint`], [`Curve`] | types of `constraint!` and `curve!` |
    //! | [`Dynamics`], [`Constrained`], [`System`], [`Unconstrained`], [`InputSystem`] | types of `system!` |
    //! | [`Derivatives`], [`ForceDerivatives`], [`CurveDerivatives`], [`OutputDerivatives`] | the same with `#[derivatives]` |
    //! | [`TaskSpace`], [`InTaskSpace`] | the same with `#[task_space]` |
    //! | [`Regressor`] | the same with `#[regressor]` |
    //! | [`OneSided`] | the same with constraints of one side |
    //! | [`Integrator`] | methods |
    //! | [`Real`] | scalars: `f32`, `f64`, SIMD lanes, dual numbers |

    pub use crate::curve::{Bead, Curve, Cusp};
    #[doc(hidden)]
    pub use crate::derivatives::DerivativesByMethod as _;
    #[cfg(feature = "ensemble")]
    pub use crate::ensemble::Ensemble;
    pub use crate::event::{Arrival, Crossing, Then};
    #[cfg(feature = "curves")]
    pub use crate::{ArcLength, OneSidedTrack};
    #[cfg(feature = "world")]
    pub use crate::{Body2, Body3, BodyHandle, JointHandle, Solver, World2, World3};
    pub use crate::{
        BodyConstraint, Inertia2, Inertia3, InverseMass2, InverseMass3, Rigid, Rigid2, Rigid3,
        Twist2, Twist3,
    };
    pub use crate::{
        Constrained, Constraint, ContactSimulation, CurveDerivatives, CurveLinearization,
        Derivation, Derivatives, DormandPrince, Dynamics, Error, ForceDerivatives,
        ForceLinearization, ForceTangent, GeneralizedAlpha, Gradient, HeapArray, ImpulseRows,
        ImpulseStepper, InTaskSpace, InputSystem, Integrator, Linearization, OneSided,
        OperationCount, OutputDerivatives, Outputs, Particle, Radau5, Rattle, Real, Regressor, Rk4,
        Sample, SemiImplicitEuler, SequentialImpulses, Simulation, Singular, Softness,
        Stabilization, State, System, Tangent, TaskSpace, Unconstrained,
    };
    #[cfg(any(feature = "std", feature = "libm"))]
    pub use crate::{Minimal, Tangents};
    pub use constraint_macros::{constraint, curve, system};
    pub use nalgebra::{Point2, Point3, SMatrix, SVector, Vector2, Vector3};
}

/// The README's code is compiled and run by `cargo test`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests {
    /// Each name of the prelude has its line on the prelude's page.
    #[test]
    fn the_page_of_the_prelude_lists_everything() {
        let source = include_str!("lib.rs");
        let (_, module) = source.split_once("pub mod prelude {").expect("the module");
        let (module, _) = module.split_once("\n}\n").expect("its end");
        let is_page = |line: &&str| line.trim_start().starts_with("//!");
        let page: String = module.lines().filter(is_page).collect();
        let rest = module.lines().filter(|line| !is_page(line));
        let words = rest.flat_map(|line| line.split(|it: char| !it.is_alphanumeric() && it != '_'));
        let types = words
            .filter(|word| word.starts_with(char::is_uppercase) && *word != "DerivativesByMethod");
        let functions = ["constraint!", "curve!", "system!"];
        let names: Vec<&str> = types.chain(functions).collect();
        assert!(names.len() > 60, "{names:?}");
        for name in names {
            assert!(page.contains(&format!("`{name}`")), "{name}");
        }
    }
}
