//! Systems with inputs: quantities, such as motor torques, that the caller supplies at every evaluation.

use crate::own_frames::{OwnFrames, To, turned};
use crate::real::Real;
use crate::system::System;
use crate::vector::Vector;

/// A system whose equations contain inputs u: v̇ = a(t, q, v, u).
///
/// Implemented by `system!` for systems with an `input`.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// system! {
///     /// A cart on a rail, pushed.
///     pub struct Cart { m: Real = 2 }
///     input push;
///     coordinate x;
///     particle cart = [x, 0] { mass: m }
///     force x: push;
/// }
///
/// let cart = Cart::<f64>::default();
/// let held = cart.with_inputs(CartInputs { push: 3.0 });
/// assert_eq!(held.acceleration(0.0, &[0.0].into(), &[0.0].into())?[0], 1.5);
///
/// let driven = cart.controlled_by(|_t, q: &CartCoordinates, v: &CartVelocities| CartInputs {
///     push: -8.0 * q.x - 4.0 * v.x,
/// });
/// let mut run = Simulation::new(driven, State::new(0.0, [1.0], [0.0]), Rk4::new(1e-2))?;
/// run.run_until(10.0)?;
/// assert!(run.coordinates().x.abs() < 1e-3);
/// # Ok::<(), Error>(())
/// ```
pub trait InputSystem<T: Real>: Sized {
    /// The coordinates as a flat vector.
    type Q: Vector<Scalar = T>;

    /// The velocities as a flat vector.
    type V: Vector<Scalar = T>;

    /// The coordinates by name.
    type Coordinates: From<Self::Q>;

    /// The velocities by name.
    type Velocities: From<Self::V>;

    /// The inputs by name; zero by default.
    type Inputs: Default + InputSource<T, Self>;

    /// The system together with the source of its inputs.
    type With<U: InputSource<T, Self>>: System<T, Q = Self::Q, V = Self::V>;

    /// This system with constant inputs, or with those of another source.
    fn with_inputs<U: InputSource<T, Self>>(&self, inputs: U) -> Self::With<U>;

    /// This system with inputs that `law` computes at every evaluation from t, coordinates and velocities.
    fn controlled_by<F>(&self, law: F) -> Self::With<Law<F>>
    where
        F: Fn(T, &Self::Coordinates, &Self::Velocities) -> Self::Inputs,
    {
        self.with_inputs(Law(law))
    }
}

/// The source of the inputs of system `S`: constant inputs, or a [`Law`].
///
/// Evaluated once in each evaluation of a function that depends on the inputs.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not supply the inputs of `{S}`",
    note = "`.with_inputs(…)` takes the struct of the inputs, `.controlled_by(…)` a closure that returns it"
)]
pub trait InputSource<T: Real, S: InputSystem<T>> {
    /// True if the inputs are the same at all times and states.
    const HELD: bool = false;

    /// The inputs at a state.
    fn at(&self, t: T, q: &S::Q, v: &S::V) -> S::Inputs;

    /// The same by reference: constant inputs are borrowed, not copied; others are written to `place`.
    #[inline]
    fn lend<'a>(
        &'a self,
        t: T,
        q: &S::Q,
        v: &S::V,
        place: &'a mut Option<S::Inputs>,
    ) -> &'a S::Inputs {
        place.insert(self.at(t, q, v))
    }
}

/// Inputs computed from time, coordinates and velocities: see [`InputSystem::controlled_by`].
#[derive(Clone, Copy, Debug)]
pub struct Law<F>(F);

impl<T, S, F> InputSource<T, S> for Law<F>
where
    T: Real,
    S: InputSystem<T>,
    F: Fn(T, &S::Coordinates, &S::Velocities) -> S::Inputs,
{
    #[inline]
    fn at(&self, t: T, q: &S::Q, v: &S::V) -> S::Inputs {
        (self.0)(t, &q.clone().into(), &v.clone().into())
    }
}

/// World velocities, as sources of inputs expect them, from velocities of bodies in their own frames.
#[inline]
pub fn in_world<Q: Vector, V: Vector<Scalar = Q::Scalar>>(frames: &[OwnFrames], q: &Q, v: &V) -> V {
    turned(frames, q, v, To::World)
}
