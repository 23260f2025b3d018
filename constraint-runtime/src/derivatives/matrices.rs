//! Matrices of derivatives, row by row of gradients or column by column of tangents, where they are too large to be generated.

use nalgebra::{SMatrix, SVector};

use super::{Derivatives, Linearization, OutputDerivatives, Tangent};
use crate::error::Error;
use crate::real::Real;
use crate::system::{Constrained, Dynamics};

/// [`Dynamics::write_linearization`] from the result of [`linearize`](Derivatives::linearize).
pub fn write_linearized<
    T: Real,
    S: Dynamics<T, V = SVector<T, N>>
        + Derivatives<T, Linearization = Linearization<T, N, STATES, U, P>>,
    const N: usize,
    const STATES: usize,
    const U: usize,
    const P: usize,
>(
    system: &S,
    (t, q, v): (T, &S::Q, &S::V),
    by_q: &mut [S::V],
    by_v: &mut [S::V],
) -> Result<(), Error> {
    let Linearization { a, .. } = &system.slopes_of_branch(t, q, v)?;
    let columns = by_q.iter_mut().chain(by_v);
    for (column, written) in columns.zip(a.column_iter()) {
        column.copy_from(&written);
    }
    Ok(())
}

/// [`Derivatives::linearize`] for many velocities: row by row, since there are half as many rows as columns.
pub fn linearized_by_gradients<
    T: Real,
    S: Constrained<T, V = SVector<T, N>, Rows = SVector<T, M>>
        + Derivatives<T, Tangent = Tangent<T, N, U, P>>,
    const N: usize,
    const M: usize,
    const STATES: usize,
    const U: usize,
    const P: usize,
>(
    system: &S,
    t: T,
    q: &S::Q,
    v: &S::V,
) -> Result<Linearization<T, N, STATES, U, P>, Error> {
    rows_of_motion(&|motion, others| system.vjp(t, q, v, motion, others))
}

/// [`Derivatives::linearize_with_multipliers`], also row by row.
pub fn linearized_with_multipliers_by_gradients<
    T: Real,
    S: Constrained<T, V = SVector<T, N>, Rows = SVector<T, M>>
        + Derivatives<T, Tangent = Tangent<T, N, U, P>>,
    const N: usize,
    const M: usize,
    const STATES: usize,
    const U: usize,
    const P: usize,
>(
    system: &S,
    t: T,
    q: &S::Q,
    v: &S::V,
) -> Result<
    (
        Linearization<T, N, STATES, U, P>,
        Linearization<T, M, STATES, U, P>,
    ),
    Error,
> {
    let back = |motion: &_, others: &_| system.vjp(t, q, v, motion, others);
    let motion = rows_of_motion(&back)?;
    let mut multipliers = Linearization::zeros();
    for row in 0..M {
        let gradient = back(&SVector::zeros(), &unit(row))?;
        multipliers.set_row(row, &gradient);
    }
    Ok((motion, multipliers))
}

/// The gradient of each component of v̇.
fn rows_of_motion<
    T: Real,
    const N: usize,
    const M: usize,
    const STATES: usize,
    const U: usize,
    const P: usize,
>(
    back: &impl Fn(&SVector<T, N>, &SVector<T, M>) -> Result<Tangent<T, N, U, P>, Error>,
) -> Result<Linearization<T, N, STATES, U, P>, Error> {
    let mut motion = Linearization::zeros();
    for row in 0..N {
        motion.set_row(row, &back(&unit(row), &SVector::zeros())?);
    }
    Ok(motion)
}

fn unit<T: Real, const N: usize>(k: usize) -> SVector<T, N> {
    let mut unit = SVector::zeros();
    unit[k] = T::one();
    unit
}

/// [`Derivatives::linearize_with_multipliers`] for a system without constraint rows.
pub fn linearized_without_rows<
    T: Real,
    S: Derivatives<T, Linearization = Linearization<T, N, STATES, U, P>>,
    const N: usize,
    const STATES: usize,
    const U: usize,
    const P: usize,
>(
    system: &S,
    t: T,
    q: &S::Q,
    v: &S::V,
) -> Result<
    (
        Linearization<T, N, STATES, U, P>,
        Linearization<T, 0, STATES, U, P>,
    ),
    Error,
> {
    Ok((system.linearize(t, q, v)?, Linearization::zeros()))
}

/// [`OutputDerivatives::linearize_with_outputs`] for many entries: column by column along unit tangents.
pub fn linearized_with_outputs_by_tangents<
    T: Real,
    S: Dynamics<T, V = SVector<T, N>>
        + OutputDerivatives<T, Tangent = Tangent<T, N, U, P>, Outputs: Into<SVector<T, K>>>,
    const N: usize,
    const K: usize,
    const STATES: usize,
    const U: usize,
    const P: usize,
>(
    system: &S,
    t: T,
    q: &S::Q,
    v: &S::V,
) -> Result<
    (
        Linearization<T, N, STATES, U, P>,
        Linearization<T, K, STATES, U, P>,
    ),
    Error,
> {
    let along = |tangent: &Tangent<T, N, U, P>| {
        let (motion, _) = system.jvp(t, q, v, tangent)?;
        Ok::<_, Error>((motion, system.outputs_jvp(t, q, v, tangent)?.into()))
    };
    let by_q = columns(along, |tangent, unit| tangent.q = unit)?;
    let by_v = columns(along, |tangent, unit| tangent.v = unit)?;
    let by_u = columns(along, |tangent, unit| tangent.u = unit)?;
    let by_p = columns(along, |tangent, unit| tangent.p = unit)?;
    Ok((
        Linearization::of([by_q.0, by_v.0], by_u.0, by_p.0),
        Linearization::of([by_q.1, by_v.1], by_u.1, by_p.1),
    ))
}

/// Two matrices with the columns that unit vectors produce, each inserted into a zero tangent.
#[allow(clippy::type_complexity)] // A pair of matrices.
pub(super) fn columns<
    T: Real,
    Along: Default,
    E,
    const N: usize,
    const M: usize,
    const K: usize,
>(
    along: impl Fn(&Along) -> Result<(SVector<T, N>, SVector<T, M>), E>,
    insert: impl Fn(&mut Along, SVector<T, K>),
) -> Result<(SMatrix<T, N, K>, SMatrix<T, M, K>), E> {
    let mut first: SMatrix<T, N, K> = SMatrix::zeros();
    let mut second: SMatrix<T, M, K> = SMatrix::zeros();
    for k in 0..K {
        let mut tangent = Along::default();
        insert(&mut tangent, unit(k));
        let column = along(&tangent)?;
        first.set_column(k, &column.0);
        second.set_column(k, &column.1);
    }
    Ok((first, second))
}
