//! Projection for vectors that are too large for temporaries: everything is written into a [`Workspace`].
//!
//! The results equal those of the other implementation, in the same order of operations: a chain moves identically to
//! the last bit with either.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::any::Any;

use super::{NEWTON, blank_rows, check_near, is_slight};
use crate::error::Error;
use crate::real::Real;
use crate::state::State;
use crate::system::Constrained;
use crate::vector::Vector;

/// Scratch memory for steps of a large system: its [`Places`], allocated when the first step needs them and kept from
/// one step to the next.
///
/// The types of its vectors depend on the system; integrators keep them type-erased. A clone is empty: the contents
/// carry no information from one step to another.
#[derive(Debug, Default)]
pub struct Workspace(Option<Box<dyn Any + Send + Sync>>);

impl Clone for Workspace {
    fn clone(&self) -> Self {
        Self(None)
    }
}

impl Workspace {
    /// The places of a system.
    pub(crate) fn places<T: Real, S: Constrained<T>>(&mut self) -> &mut PlacesOf<T, S> {
        let kept = self
            .0
            .get_or_insert_with(|| Box::new(PlacesOf::<T, S>::new(S::PROPERTIES.room)));
        let Some(places) = kept.downcast_mut() else {
            unreachable!("a method keeps one workspace for each simulation, which has one system")
        };
        places
    }
}

/// The places of a [`Workspace`].
#[derive(Debug)]
pub(crate) struct Places<Q: Vector, V, R> {
    /// Scratch memory of generated functions.
    pub(crate) room: Vec<Q::Scalar>,
    /// The change of the coordinates that follows from a change of the velocities.
    way: Q,
    /// A change of the velocities.
    change: V,
    /// The sum of those changes in a step that are not slight.
    moved: Option<V>,
    /// C or Ċ, C of the iteration before, and the sizes of rows.
    rows: [R; 3],
}

pub(crate) type PlacesOf<T, S> =
    Places<<S as crate::Dynamics<T>>::Q, <S as crate::Dynamics<T>>::V, <S as Constrained<T>>::Rows>;

impl<T, Q, V, R> Places<Q, V, R>
where
    T: Real,
    Q: Vector<Scalar = T>,
    V: Vector<Scalar = T>,
    R: Vector<Scalar = T>,
{
    /// Places with so many numbers of scratch memory for generated functions.
    fn new(room: usize) -> Self {
        Self {
            room: vec![T::zero(); room],
            way: Q::blank(),
            change: V::blank(),
            moved: None,
            rows: blank_rows(),
        }
    }

    /// Adds Baumgarte's feedback of `alpha` and `beta` to an acceleration.
    pub(crate) fn add_feedback<S: Constrained<T, Q = Q, V = V, Rows = R>>(
        &mut self,
        system: &S,
        [alpha, beta]: [T; 2],
        (t, q, v): (T, &Q, &V),
        acceleration: &mut V,
    ) -> Result<(), Error> {
        if R::LEN == Some(0) {
            return Ok(());
        }
        let [c, rate, _] = &mut self.rows;
        system.write_constraint(t, q, c);
        system.write_constraint_rate(t, q, v, rate);
        c.update(|i, c| -(rate[i] * (alpha + alpha) + c * (beta * beta)));
        system.write_correction(t, q, c, &mut self.room, &mut self.change)?;
        acceleration.update(|i, a| a + self.change[i]);
        Ok(())
    }

    /// [`project_step`](super::project_step).
    pub(crate) fn project_step<S: Constrained<T, Q = Q, V = V, Rows = R>>(
        &mut self,
        system: &S,
        start: &State<Q, V>,
        end: &mut State<Q, V>,
        tolerance: T,
    ) -> Result<(), Error> {
        if R::LEN == Some(0) {
            return Ok(());
        }
        let iterations = self.project_position(system, start, end, tolerance)?;
        if let Some(moved) = self.moved.take() {
            check_near(system, start, end, &moved, iterations)?;
        }
        self.project_velocity(system, end)
    }

    /// Moves q onto C = 0, adds to `moved` the changes that are not slight, and returns the number of iterations.
    fn project_position<S: Constrained<T, Q = Q, V = V, Rows = R>>(
        &mut self,
        system: &S,
        start: &State<Q, V>,
        end: &mut State<Q, V>,
        tolerance: T,
    ) -> Result<usize, Error> {
        let (h, t, q) = (end.t - start.t, end.t, &mut end.q);
        let Self {
            room,
            way,
            change,
            moved,
            rows,
        } = self;
        *moved = None;
        let improve = |q: &mut Q, c: &R| {
            system.write_correction(t, q, c, room, change)?;
            system.write_kinematics(t, q, change, way);
            q.update(|i, q| q - way[i]);
            if !is_slight(change, &start.v, h) {
                let moved: &mut V = moved.get_or_insert_with(|| change.zeros_like());
                moved.update(|i, x| x + change[i]);
            }
            system.normalize(q);
            Ok(())
        };
        NEWTON.solve(system, t, q, tolerance, rows, improve)
    }

    /// [`project_velocity`](super::project_velocity).
    fn project_velocity<S: Constrained<T, Q = Q, V = V, Rows = R>>(
        &mut self,
        system: &S,
        state: &mut State<Q, V>,
    ) -> Result<(), Error> {
        let State { t, q, v } = state;
        let [rate, ..] = &mut self.rows;
        system.write_constraint_rate(*t, q, v, rate);
        system.write_correction(*t, q, rate, &mut self.room, &mut self.change)?;
        v.update(|i, v| v - self.change[i]);
        Ok(())
    }
}
