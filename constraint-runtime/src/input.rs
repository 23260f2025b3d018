//! Systems with inputs: forces and the like that the caller supplies at every evaluation.

use nalgebra::{SMatrix, SVector};

use crate::error::{Error, Names, Quantity};
use crate::impulse::ImpulseRows;
use crate::own_frames::{OwnFrames, To, turned};
use crate::real::Real;
use crate::system::System;

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
pub trait InputSystem<T: Real, const Q: usize, const V: usize, const M: usize>: Sized {
    /// The inputs by name; zero by default.
    type Inputs: Default;

    /// The system with its inputs held.
    type Held: System<T, Q, V, M>;

    /// This system with inputs that do not change.
    fn with_inputs(&self, inputs: Self::Inputs) -> Self::Held;

    /// This system with inputs that `law` gives at every evaluation, from t, coordinates and velocities.
    fn controlled_by<F>(self, law: F) -> Controlled<Self, F>
    where
        F: Fn(
            T,
            &<Self::Held as System<T, Q, V, M>>::Coordinates,
            &<Self::Held as System<T, Q, V, M>>::Velocities,
        ) -> Self::Inputs,
    {
        Controlled { system: self, law }
    }
}

/// A system whose inputs are given by a law.
#[derive(Clone, Copy, Debug)]
pub struct Controlled<S, F> {
    system: S,
    law: F,
}

impl<S, F> Controlled<S, F> {
    /// The system.
    pub fn system(&self) -> &S {
        &self.system
    }
}

/// The system with inputs of zero, for what does not depend on them.
fn at_rest<T, S, const Q: usize, const V: usize, const M: usize>(system: &S) -> S::Held
where
    T: Real,
    S: InputSystem<T, Q, V, M>,
{
    system.with_inputs(S::Inputs::default())
}

#[diagnostic::do_not_recommend]
impl<T, S, F, const Q: usize, const V: usize, const M: usize> System<T, Q, V, M>
    for Controlled<S, F>
where
    T: Real,
    S: InputSystem<T, Q, V, M>,
    F: Fn(
        T,
        &<S::Held as System<T, Q, V, M>>::Coordinates,
        &<S::Held as System<T, Q, V, M>>::Velocities,
    ) -> S::Inputs,
{
    type Coordinates = <S::Held as System<T, Q, V, M>>::Coordinates;
    type Velocities = <S::Held as System<T, Q, V, M>>::Velocities;

    const OWN_FRAMES: &'static [OwnFrames] = S::Held::OWN_FRAMES;

    #[inline]
    fn acceleration(
        &self,
        t: T,
        q: &SVector<T, Q>,
        v: &SVector<T, V>,
    ) -> Result<SVector<T, V>, Error> {
        let inputs = (self.law)(t, &(*q).into(), &(*v).into());
        self.system.with_inputs(inputs).acceleration(t, q, v)
    }

    fn own_slope(
        &self,
        t: T,
        q: &SVector<T, Q>,
        v: &SVector<T, V>,
    ) -> Result<(SVector<T, Q>, SVector<T, V>), Error> {
        let world = turned(Self::OWN_FRAMES, q, v, To::World);
        let inputs = (self.law)(t, &(*q).into(), &world.into());
        self.system.with_inputs(inputs).own_slope(t, q, v)
    }

    fn multipliers(
        &self,
        t: T,
        q: &SVector<T, Q>,
        v: &SVector<T, V>,
    ) -> Result<SVector<T, M>, Error> {
        let inputs = (self.law)(t, &(*q).into(), &(*v).into());
        self.system.with_inputs(inputs).multipliers(t, q, v)
    }

    fn constraint_force(
        &self,
        t: T,
        q: &SVector<T, Q>,
        v: &SVector<T, V>,
    ) -> Result<SVector<T, V>, Error> {
        let inputs = (self.law)(t, &(*q).into(), &(*v).into());
        self.system.with_inputs(inputs).constraint_force(t, q, v)
    }

    fn constraint(&self, t: T, q: &SVector<T, Q>) -> SVector<T, M> {
        at_rest::<T, S, Q, V, M>(&self.system).constraint(t, q)
    }

    fn constraint_rate(&self, t: T, q: &SVector<T, Q>, v: &SVector<T, V>) -> SVector<T, M> {
        at_rest::<T, S, Q, V, M>(&self.system).constraint_rate(t, q, v)
    }

    fn jacobian(&self, t: T, q: &SVector<T, Q>) -> SMatrix<T, M, V> {
        at_rest::<T, S, Q, V, M>(&self.system).jacobian(t, q)
    }

    fn row_sizes(&self, t: T, q: &SVector<T, Q>) -> SVector<T, M> {
        at_rest::<T, S, Q, V, M>(&self.system).row_sizes(t, q)
    }

    fn bias(&self, t: T, q: &SVector<T, Q>, v: &SVector<T, V>) -> SVector<T, M> {
        at_rest::<T, S, Q, V, M>(&self.system).bias(t, q, v)
    }

    fn correction(
        &self,
        t: T,
        q: &SVector<T, Q>,
        b: &SVector<T, M>,
    ) -> Result<SVector<T, V>, Error> {
        at_rest::<T, S, Q, V, M>(&self.system).correction(t, q, b)
    }

    fn free_acceleration(
        &self,
        t: T,
        q: &SVector<T, Q>,
        v: &SVector<T, V>,
    ) -> Result<SVector<T, V>, Error> {
        let inputs = (self.law)(t, &(*q).into(), &(*v).into());
        self.system.with_inputs(inputs).free_acceleration(t, q, v)
    }

    fn impulse_rows(
        &self,
        t: T,
        q: &SVector<T, Q>,
        rows: &mut ImpulseRows<T>,
    ) -> Result<(), Error> {
        at_rest::<T, S, Q, V, M>(&self.system).impulse_rows(t, q, rows)
    }

    fn kinetic_energy(&self, t: T, q: &SVector<T, Q>, v: &SVector<T, V>) -> T {
        at_rest::<T, S, Q, V, M>(&self.system).kinetic_energy(t, q, v)
    }

    fn potential_energy(&self, t: T, q: &SVector<T, Q>) -> T {
        at_rest::<T, S, Q, V, M>(&self.system).potential_energy(t, q)
    }

    fn kinematics(&self, t: T, q: &SVector<T, Q>, v: &SVector<T, V>) -> SVector<T, Q> {
        at_rest::<T, S, Q, V, M>(&self.system).kinematics(t, q, v)
    }

    fn normalize(&self, q: &mut SVector<T, Q>) {
        at_rest::<T, S, Q, V, M>(&self.system).normalize(q);
    }

    fn names(&self, quantity: Quantity) -> Option<&'static [Names]> {
        at_rest::<T, S, Q, V, M>(&self.system).names(quantity)
    }

    fn row_name(&self, row: usize) -> Option<&'static str> {
        at_rest::<T, S, Q, V, M>(&self.system).row_name(row)
    }

    fn admits(&self, t: T, q: &SVector<T, Q>) -> Result<(), Error> {
        at_rest::<T, S, Q, V, M>(&self.system).admits(t, q)
    }

    fn validate(&self) -> Result<(), Error> {
        at_rest::<T, S, Q, V, M>(&self.system).validate()
    }
}
