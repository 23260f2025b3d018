//! A system that notes how far the stages of a step come past an event.
//!
//! What happens at an event may change the forces: a seam of a track, the start of a contact. A step that ends
//! before it may still evaluate stages beyond it, where its end says nothing of them: such a step errs by the whole
//! jump of the acceleration, whatever its order.
//!
//! Input: a system and the height of a state above zero on the side that the event's function comes from. Output:
//! the system itself, and [`Watched::lowest`].

use core::cell::Cell;

use nalgebra::{SMatrix, SVector};

use crate::error::{Error, Names, Quantity};
use crate::impulse::ImpulseRows;
use crate::own_frames::{OwnFrames, To, turned};
use crate::real::Real;
use crate::state::State;
use crate::system::System;

/// The system `S`, whose accelerations are watched by the function `H` of their states.
pub(super) struct Watched<'a, S, H> {
    system: &'a S,
    height: H,
    lowest: Cell<f64>,
}

impl<'a, S, H> Watched<'a, S, H> {
    pub(super) fn new(system: &'a S, height: H) -> Self {
        Self {
            system,
            height,
            lowest: Cell::new(f64::INFINITY),
        }
    }

    /// The lowest height at which an acceleration has been asked for; infinite where none has.
    pub(super) fn lowest(&self) -> f64 {
        self.lowest.get()
    }

    fn note<T, const Q: usize, const V: usize>(&self, t: T, q: &SVector<T, Q>, v: &SVector<T, V>)
    where
        T: Real,
        H: Fn(&State<T, Q, V>) -> f64,
    {
        let height = (self.height)(&State { t, q: *q, v: *v });
        self.lowest.set(self.lowest.get().min(height));
    }
}

impl<T, S, H, const Q: usize, const V: usize, const M: usize> System<T, Q, V, M>
    for Watched<'_, S, H>
where
    T: Real,
    S: System<T, Q, V, M>,
    H: Fn(&State<T, Q, V>) -> f64,
{
    type Coordinates = S::Coordinates;
    type Velocities = S::Velocities;

    const OWN_FRAMES: &'static [OwnFrames] = S::OWN_FRAMES;

    fn acceleration(
        &self,
        t: T,
        q: &SVector<T, Q>,
        v: &SVector<T, V>,
    ) -> Result<SVector<T, V>, Error> {
        self.note(t, q, v);
        self.system.acceleration(t, q, v)
    }

    fn own_slope(
        &self,
        t: T,
        q: &SVector<T, Q>,
        v: &SVector<T, V>,
    ) -> Result<(SVector<T, Q>, SVector<T, V>), Error> {
        self.note(t, q, &turned(Self::OWN_FRAMES, q, v, To::World));
        self.system.own_slope(t, q, v)
    }

    fn free_acceleration(
        &self,
        t: T,
        q: &SVector<T, Q>,
        v: &SVector<T, V>,
    ) -> Result<SVector<T, V>, Error> {
        self.note(t, q, v);
        self.system.free_acceleration(t, q, v)
    }

    fn impulse_rows(
        &self,
        t: T,
        q: &SVector<T, Q>,
        rows: &mut ImpulseRows<T>,
    ) -> Result<(), Error> {
        self.system.impulse_rows(t, q, rows)
    }

    fn multipliers(
        &self,
        t: T,
        q: &SVector<T, Q>,
        v: &SVector<T, V>,
    ) -> Result<SVector<T, M>, Error> {
        self.system.multipliers(t, q, v)
    }

    fn constraint_force(
        &self,
        t: T,
        q: &SVector<T, Q>,
        v: &SVector<T, V>,
    ) -> Result<SVector<T, V>, Error> {
        self.system.constraint_force(t, q, v)
    }

    fn constraint(&self, t: T, q: &SVector<T, Q>) -> SVector<T, M> {
        self.system.constraint(t, q)
    }

    fn constraint_rate(&self, t: T, q: &SVector<T, Q>, v: &SVector<T, V>) -> SVector<T, M> {
        self.system.constraint_rate(t, q, v)
    }

    fn jacobian(&self, t: T, q: &SVector<T, Q>) -> SMatrix<T, M, V> {
        self.system.jacobian(t, q)
    }

    fn bias(&self, t: T, q: &SVector<T, Q>, v: &SVector<T, V>) -> SVector<T, M> {
        self.system.bias(t, q, v)
    }

    fn correction(
        &self,
        t: T,
        q: &SVector<T, Q>,
        b: &SVector<T, M>,
    ) -> Result<SVector<T, V>, Error> {
        self.system.correction(t, q, b)
    }

    fn kinetic_energy(&self, t: T, q: &SVector<T, Q>, v: &SVector<T, V>) -> T {
        self.system.kinetic_energy(t, q, v)
    }

    fn potential_energy(&self, t: T, q: &SVector<T, Q>) -> T {
        self.system.potential_energy(t, q)
    }

    fn kinematics(&self, t: T, q: &SVector<T, Q>, v: &SVector<T, V>) -> SVector<T, Q> {
        self.system.kinematics(t, q, v)
    }

    fn row_sizes(&self, t: T, q: &SVector<T, Q>) -> SVector<T, M> {
        self.system.row_sizes(t, q)
    }

    fn normalize(&self, q: &mut SVector<T, Q>) {
        self.system.normalize(q);
    }

    fn row_name(&self, row: usize) -> Option<&'static str> {
        self.system.row_name(row)
    }

    fn names(&self, quantity: Quantity) -> Option<&'static [Names]> {
        self.system.names(quantity)
    }

    fn admits(&self, t: T, q: &SVector<T, Q>) -> Result<(), Error> {
        self.system.admits(t, q)
    }

    fn validate(&self) -> Result<(), Error> {
        self.system.validate()
    }
}
