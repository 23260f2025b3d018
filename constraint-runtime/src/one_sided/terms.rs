//! What gaps and slips do at a state: G, M⁻¹ Gᵀ, A = G M⁻¹ Gᵀ, and their accelerations without forces on them.

use super::{Each, OneSided, gaps, sides};
use crate::allowance::reach;
use crate::checks::{defined, undefined};
use crate::error::Error;
use crate::real::Real;
use crate::state::State;
use crate::vector::Vector;

/// G, row by row.
pub(super) fn rows<T: Real, S: OneSided<T>>(system: &S, t: T, q: &S::Q) -> Each<T, S, S::V> {
    let mut rows = S::Sides::blank().array(S::V::blank());
    let jacobian = system.one_sided_jacobian(t, q);
    for (k, row) in rows.as_mut().iter_mut().enumerate() {
        row.update(|i, _| jacobian[(k, i)]);
    }
    rows
}

/// Σᵢ |Gₖᵢ qᵢ| of each gap, and the size of its terms; Σᵢ |Gₖᵢ vᵢ| of each slip.
pub(super) fn sizes_of<T: Real, S: OneSided<T>>(
    system: &S,
    rows: &Each<T, S, S::V>,
    State { t, q, v }: &State<S::Q, S::V>,
) -> S::Sides {
    let reach = reach(system, *t, q, v);
    let terms = system.gap_sizes(*t, q);
    let rows = rows.as_ref();
    terms.like(|k| match k < gaps::<T, S>() {
        true => size(&rows[k], &reach) + terms[k],
        false => size(&rows[k], v),
    })
}

/// How forces on gaps and slips move the system at a place.
pub(super) struct Geometry<T: Real, S: OneSided<T>> {
    /// G, row by row.
    pub(super) rows: Each<T, S, S::V>,
    /// W = M⁻¹ Gᵀ, column by column.
    pub(super) responses: Each<T, S, S::V>,
    /// A = G W, row by row.
    pub(super) mobility: Each<T, S, S::Sides>,
}

impl<T: Real, S: OneSided<T>> Geometry<T, S> {
    pub(super) fn new(system: &S, t: T, q: &S::Q) -> Result<Self, Error> {
        let blank = S::Sides::blank();
        let rows = rows::<T, S>(system, t, q);
        let mut responses = blank.array(S::V::blank());
        let mut mobility = blank.array(blank.clone());
        let moved = system.one_sided_responses(t, q)?;
        for k in 0..sides::<T, S>() {
            responses.as_mut()[k].update(|i, _| moved[(i, k)]);
        }
        for (k, row) in mobility.as_mut().iter_mut().enumerate() {
            row.update(|i, _| dot(&rows.as_ref()[k], &responses.as_ref()[i]));
        }
        Ok(Self {
            rows,
            responses,
            mobility,
        })
    }

    /// x + W λ
    pub(super) fn pushed(&self, x: &S::V, lambda: &S::Sides) -> S::V {
        let mut pushed = x.clone();
        for (k, response) in self.responses.as_ref().iter().enumerate() {
            pushed.update(|i, x| x + response[i] * lambda[k]);
        }
        pushed
    }

    /// Wᵀ x
    pub(super) fn counted(&self, x: &S::V) -> S::Sides {
        let responses = self.responses.as_ref();
        S::Sides::blank().like(|k| dot(&responses[k], x))
    }

    /// Σᵢ |Gₖᵢ xᵢ| of each row: the size of the terms of G x.
    pub(super) fn sizes(&self, x: &S::V) -> S::Sides {
        let rows = self.rows.as_ref();
        S::Sides::blank().like(|k| size(&rows[k], x))
    }
}

/// The motion that forces on gaps and slips change.
pub(super) struct Terms<T: Real, S: OneSided<T>> {
    pub(super) geometry: Geometry<T, S>,
    /// v̇ without forces on gaps and slips.
    pub(super) free: S::V,
    /// The accelerations of gaps and slips then.
    pub(super) right: S::Sides,
    /// The sizes of the terms of these.
    pub(super) sizes: S::Sides,
}

impl<T: Real, S: OneSided<T>> Terms<T, S> {
    pub(super) fn new(system: &S, t: T, q: &S::Q, v: &S::V) -> Result<Self, Error> {
        let geometry = Geometry::new(system, t, q)?;
        let free = system.acceleration(t, q, v)?;
        let bias = system.one_sided_bias(t, q, v);
        let rows = geometry.rows.as_ref();
        let right = bias.like(|k| dot(&rows[k], &free) + bias[k]);
        defined(right.entries(), undefined(system, t, q, v))?;
        let sizes = bias.like(|k| size(&rows[k], &free) + bias[k].simd_abs());
        Ok(Self {
            geometry,
            free,
            right,
            sizes,
        })
    }
}

pub(super) fn dot<T: Real, X: Vector<Scalar = T>>(a: &X, b: &X) -> T {
    let pairs = a.entries().iter().zip(b.entries());
    pairs.fold(T::zero(), |sum, (&a, &b)| sum + a * b)
}

pub(super) fn size<T: Real, X: Vector<Scalar = T>>(a: &X, b: &X) -> T {
    let pairs = a.entries().iter().zip(b.entries());
    pairs.fold(T::zero(), |sum, (&a, &b)| sum + (a * b).simd_abs())
}
