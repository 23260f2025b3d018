//! Systems with inputs: quantities, such as motor torques, that the caller supplies at every evaluation.

use core::cell::RefCell;
use core::fmt;

use crate::real::{Real, is_plain};
use crate::system::Constrained;
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
    type With<U: InputSource<T, Self>>: Constrained<T, Q = Self::Q, V = Self::V>;

    /// This system with constant inputs, or with those of another source.
    fn with_inputs<U: InputSource<T, Self>>(&self, inputs: U) -> Self::With<U>;

    /// This system with inputs that `law` computes at every evaluation from t, coordinates and velocities.
    fn controlled_by<F>(&self, law: F) -> Self::With<Law<F>>
    where
        F: Fn(T, &Self::Coordinates, &Self::Velocities) -> Self::Inputs,
    {
        self.with_inputs(Law(law))
    }

    /// This system with inputs that `field` computes from t and the coordinates, such as the forces between molecules.
    ///
    /// Evaluations at the same t and q, which differ in v, share one call of `field`: [`Rattle`](crate::Rattle) needs
    /// one a step. `field` must have no other state, since a call may be left out.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    /// use core::cell::Cell;
    ///
    /// system! {
    ///     /// A tumbling box.
    ///     struct Thrown { m: Real = 2 }
    ///     input push: Vector3;
    ///     body thrown: Rigid3 { mass: m, inertia: [1, 2, 3] }
    ///     force at(thrown, [0, 0.1, 0]): push;
    /// }
    ///
    /// let calls = Cell::new(0);
    /// let attracted = Thrown::<f64>::default().driven_by(|_t, q: &ThrownCoordinates| {
    ///     calls.set(calls.get() + 1);
    ///     ThrownInputs { push: -q.thrown.translation.vector }
    /// });
    /// let start = State::new(0.0, ThrownCoordinates::default(), ThrownVelocities::default());
    /// let mut run = Simulation::new(attracted, start, Rattle::new(0.01))?;
    /// run.run_until(1.0)?;
    /// assert!(calls.get() <= 102);
    /// # Ok::<(), Error>(())
    /// ```
    fn driven_by<F>(&self, field: F) -> Self::With<Field<F, T, Self>>
    where
        F: Fn(T, &Self::Coordinates) -> Self::Inputs,
        Self::Inputs: Clone,
    {
        self.with_inputs(Field {
            field,
            last: RefCell::new(None),
        })
    }
}

/// The source of the inputs of system `S`: constant inputs, a [`Law`] or a [`Field`].
///
/// Evaluated once in each evaluation of a function that depends on the inputs.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not supply the inputs of `{S}`",
    note = "`.with_inputs(…)` takes the struct of the inputs, `.controlled_by(…)` and `.driven_by(…)` a closure that returns it"
)]
pub trait InputSource<T: Real, S: InputSystem<T>> {
    /// True if the inputs are the same at all times and states.
    const HELD: bool = false;

    /// True if the inputs do not depend on v.
    const IGNORES_VELOCITY: bool = Self::HELD;

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

/// Inputs computed from time and coordinates: see [`InputSystem::driven_by`].
pub struct Field<F, T: Real, S: InputSystem<T>> {
    field: F,
    last: RefCell<Option<Call<T, S>>>,
}

/// The arguments of a call, and its result.
struct Call<T: Real, S: InputSystem<T>> {
    t: T,
    q: S::Q,
    inputs: S::Inputs,
}

impl<F, T: Real, S: InputSystem<T>> fmt::Debug for Field<F, T, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Field").finish_non_exhaustive()
    }
}

impl<F: Clone, T: Real, S: InputSystem<T>> Clone for Field<F, T, S> {
    fn clone(&self) -> Self {
        Self {
            field: self.field.clone(),
            last: RefCell::new(None),
        }
    }
}

impl<T, S, F> InputSource<T, S> for Field<F, T, S>
where
    T: Real,
    S: InputSystem<T>,
    S::Inputs: Clone,
    F: Fn(T, &S::Coordinates) -> S::Inputs,
{
    const IGNORES_VELOCITY: bool = true;

    fn at(&self, t: T, q: &S::Q, _v: &S::V) -> S::Inputs {
        let compute = || (self.field)(t, &q.clone().into());
        // Dual numbers that compare equal may differ in their derivatives.
        if !is_plain::<T>() {
            return compute();
        }
        if let Some(last) = &*self.last.borrow()
            && last.t == t
            && last.q.entries() == q.entries()
        {
            return last.inputs.clone();
        }
        let inputs = compute();
        self.last.replace(Some(Call {
            t,
            q: q.clone(),
            inputs: inputs.clone(),
        }));
        inputs
    }
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;
    use core::cell::Cell;
    use num_dual::Dual64;

    system! {
        struct Cart { m: Real = 2 }
        input push;
        coordinate x;
        particle cart = [x, 0] { mass: m }
        force x: push;
    }

    /// d(−x²/m)/dx at x = 3, after a call at the same x with no derivative.
    #[test]
    fn fields_of_dual_numbers_are_computed_for_each_derivative() {
        let calls = Cell::new(0);
        let cart = Cart::<Dual64>::default().driven_by(|_, q: &CartCoordinates<Dual64>| {
            calls.set(calls.get() + 1);
            CartInputs { push: -q.x * q.x }
        });
        let still = [Dual64::from(0.0)].into();
        let at = |x: Dual64| cart.acceleration(0.0.into(), &[x].into(), &still).unwrap()[0];
        assert_eq!(at(3.0.into()).eps, 0.0);
        assert_eq!(at(Dual64::from(3.0).derivative()).eps, -3.0);
        assert_eq!(calls.get(), 2);
    }
}
