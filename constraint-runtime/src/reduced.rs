//! Derivatives along the constraints: bases of the free directions, and A and B over as many coordinates.

use alloc::vec::Vec;

use nalgebra::{ComplexField, DMatrix, DVector, SVector};

use crate::derivatives::{Derivatives, Linearization, Tangent};
use crate::error::Error;
use crate::state::State;
use crate::system::{Constrained, Dynamics};
use crate::vector::Vector;

/// Z, a basis of the velocities that constraints leave free: the null space of J.
///
/// ```text
/// J Z = 0,  Zᵀ M Z = 1        M⁻¹ = Z Zᵀ + the part along the constraints
/// ```
/// - Shapes: N rows, one for each velocity, and d columns, one for each degree of freedom: N minus the rank of J.
/// - Units: those of velocities over √energy. The basis rotates with the configuration; a matrix reduced by it has
///   the eigenvalues of the motion if the system is at rest, as in [`modes`](crate::modes). Use [`Minimal`] for a
///   system in motion.
/// - Cost: a [`correction`](Constrained::correction) and an M x for each velocity, and orthogonalisation, N² d.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// system! {
///     struct Rod { m: Real = 4, l: Real = 5 }
///     particle bob: Point2 { mass: m }
///     constraint rod: norm(bob) == l;
/// }
/// let tangents = Tangents::at(&Rod::default(), &State::new(0.0, [3.0, 4.0], [0.0, 0.0]))?;
/// // Across the rod, and of kinetic energy ½: |z|² = 1/m.
/// let z = tangents.basis();
/// assert_eq!(z.shape(), (2, 1));
/// assert!((z[0] * 3.0 + z[1] * 4.0).abs() < 1e-15 && (z.norm() - 0.5).abs() < 1e-15);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Tangents {
    pub(crate) basis: DMatrix<f64>,
    /// M Z
    pub(crate) momenta: DMatrix<f64>,
    /// The diagonal of M.
    masses: Vec<f64>,
}

impl Tangents {
    /// The tangents at a state, whose velocities are ignored: Gram–Schmidt on the unit velocities, each projected
    /// onto J v = 0; the one with the largest remainder comes first.
    ///
    /// # Errors
    /// As [`correction`](Constrained::correction).
    pub fn at<S: Constrained<f64>>(system: &S, state: &State<S::Q, S::V>) -> Result<Self, Error> {
        let State { t, q, v } = state;
        let rest = v.zeros_like();
        let rows = system.constraint(*t, q);
        let jacobian = (!rows.entries().is_empty()).then(|| system.jacobian(*t, q));
        Self::without(system, (*t, q), &rest, |k, unit| {
            if let Some(jacobian) = &jacobian {
                let change = system.correction(*t, q, &rows.like(|row| jacobian[(row, k)]))?;
                unit.update(|i, x| x - change[i]);
            }
            Ok(())
        })
    }

    /// A basis of what a projection leaves of the unit vectors, which it is given with their numbers.
    fn without<S: Constrained<f64>>(
        system: &S,
        (t, q): (f64, &S::Q),
        rest: &S::V,
        project: impl Fn(usize, &mut S::V) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        let n = rest.entries().len();
        // The trace of a projection is its rank, also if rows are redundant.
        let mut trace = 0.0;
        let mut left = Vec::with_capacity(n);
        let mut masses = Vec::with_capacity(n);
        for k in 0..n {
            let mut unit = rest.clone();
            unit[k] = 1.0;
            let whole = product(&unit, &system.mass_times(t, q, &unit));
            project(k, &mut unit)?;
            trace += unit[k];
            left.push((unit, whole));
            masses.push(whole);
        }
        let degrees = (trace + 0.5) as usize;
        let mut basis: Vec<(S::V, S::V)> = Vec::with_capacity(degrees);
        for _ in 0..degrees {
            let part = |(x, whole): &(S::V, f64)| product(x, &system.mass_times(t, q, x)) / whole;
            let parts: Vec<f64> = left.iter().map(part).collect();
            let first =
                (0..left.len()).fold(0, |most, i| if parts[i] > parts[most] { i } else { most });
            let (mut x, _) = left.swap_remove(first);
            // Orthogonalising twice is enough.
            for _ in 0..2 {
                remove(&mut x, &basis);
            }
            let heavy = system.mass_times(t, q, &x);
            let size = ComplexField::sqrt(product(&x, &heavy));
            basis.push((x.like(|i| x[i] / size), heavy.like(|i| heavy[i] / size)));
            let last = &basis[basis.len() - 1..];
            left.iter_mut().for_each(|(x, _)| remove(x, last));
        }
        Ok(Self {
            basis: DMatrix::from_fn(n, degrees, |i, k| basis[k].0[i]),
            momenta: DMatrix::from_fn(n, degrees, |i, k| basis[k].1[i]),
            masses,
        })
    }

    /// Z
    pub fn basis(&self) -> &DMatrix<f64> {
        &self.basis
    }

    /// Zᵀ M A Z for a matrix that maps velocities or positions to accelerations: A along the constraints.
    ///
    /// # Panics
    /// If A has not as many rows and columns as Z has rows.
    pub fn reduced(&self, a: &DMatrix<f64>) -> DMatrix<f64> {
        self.momenta.tr_mul(&(a * &self.basis))
    }

    /// The velocities that determine all others: in each round the one that the others determine least.
    fn independent(&self) -> Vec<usize> {
        let (n, degrees) = self.basis.shape();
        // Independent of units: z is compared with 1/√m, the velocity of the same energy without constraints.
        let row = |i: usize| {
            let row = self.basis.row(i).transpose() * ComplexField::sqrt(self.masses[i]);
            (i, row)
        };
        let mut left: Vec<(usize, DVector<f64>)> = (0..n).map(row).collect();
        let mut found = Vec::with_capacity(degrees);
        for _ in 0..degrees {
            let size = |(_, row): &(usize, DVector<f64>)| row.norm_squared();
            let first = (0..left.len()).fold(0, |most, k| {
                // Ties up to rounding follow the order of the declarations.
                if size(&left[k]) > size(&left[most]) * (1.0 + 1e-9) {
                    k
                } else {
                    most
                }
            });
            let (i, row) = left.remove(first);
            let unit = row.normalize();
            for (_, other) in &mut left {
                let part = other.dot(&unit);
                other.axpy(-part, &unit, 1.0);
            }
            found.push(i);
        }
        found.sort_unstable();
        found
    }
}

/// Removes from `x` its components along vectors b with bᵀ M b = 1, each given with M b.
fn remove<V: Vector<Scalar = f64>>(x: &mut V, basis: &[(V, V)]) {
    for (b, heavy) in basis {
        let part = product(x, heavy);
        x.update(|i, x| x - part * b[i]);
    }
}

fn product<V: Vector<Scalar = f64>>(a: &V, b: &V) -> f64 {
    a.entries()
        .iter()
        .zip(b.entries())
        .map(|(a, b)| a * b)
        .sum()
}

/// The motion on the constraints, linearised at a state on them: A and B over minimal coordinates: e positions and d
/// velocities instead of N of each.
///
/// ```text
/// δq = R y,  δv = Z w + S y                 ∂C/∂q R = 0,  J Z = 0,  ∂Ċ/∂q R + J S = 0
/// (ẏ, ẇ) = A (y, w) + B δu                  y = δqⱼ of the independent positions j: Rⱼ = 1
///                                           w = δvᵢ of the independent velocities i: Zᵢ = 1, Sᵢ = 0
/// A = ⎡ (W R + S)ⱼ         Zⱼ         ⎤   W: δθ̇ = δω + ω × δθ for rotating bodies; zero otherwise
///     ⎣ (A_q R + A_v S)ᵢ   (A_v Z)ᵢ   ⎦   (A_q  A_v) = ∂v̇/∂(q, v), that of `linearize`
/// ```
/// Without constraints on velocities R = Z and j = i, so that the upper half is (W Z, 1). A constraint on velocities,
/// such as rolling, leaves positions free that no velocity reaches at once: there are then more positions, e > d.
///
/// [`linearize`](Derivatives::linearize) differentiates the equations in all directions, including those off the
/// constraints: its A has an eigenvalue 0 for each row of positions and each of velocities, which is no property of
/// the motion, and its pair (A, B) is not controllable. This A is that of the motion itself, at rest or not: use it
/// for controllers and eigenvalues.
///
/// - Shapes: `a` (e + d) × (e + d), `b` (e + d) × U, `r` and `s` N × e, `z` N × d.
/// - The independent velocities and positions are those that determine the others best at this state; elsewhere others may.
/// - The state should lie on the constraints: S is that of Ċ = 0.
/// - Cost: a `linearize`, and for each velocity a [`correction`](Constrained::correction), a
///   [`place_correction_vjp`](Derivatives::place_correction_vjp) and a
///   [`velocity_correction_vjp`](Derivatives::velocity_correction_vjp), for Z, R and S.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// system! {
///     /// A bob on a rod, hanging: s² = −g/l.
///     #[derivatives]
///     struct Pendulum { m: Real = 3, l: Real = 0.5, g: Real = 10 }
///     input wind;
///     particle bob: Point2 { mass: m }
///     constraint rod: norm(bob) == l;
///     force bob: [wind, 0];
///     gravity [0, -g];
/// }
/// let pendulum = Pendulum::default().with_inputs(PendulumInputs { wind: 0.0 });
/// let minimal = Minimal::at(&pendulum, &State::new(0.0, [0.0, -0.5], [0.0, 0.0]))?;
/// assert_eq!(minimal.independent, [0]); // x
/// assert!((minimal.a[(1, 0)] + 20.0).abs() < 1e-12 && minimal.a[(0, 1)] == 1.0);
/// assert!((minimal.b[(1, 0)] - 1.0 / 3.0).abs() < 1e-15); // 1/m
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Minimal {
    /// The independent velocities, by their indices; for bodies, entries of (v, ω).
    pub independent: Vec<usize>,
    /// The independent positions, by the indices of their velocities.
    pub positions: Vec<usize>,
    /// R: all positions as a function of them.
    pub r: DMatrix<f64>,
    /// Z: all velocities as a function of the independent ones.
    pub z: DMatrix<f64>,
    /// S: how velocities turn as the configuration changes.
    pub s: DMatrix<f64>,
    /// A of (y, w).
    pub a: DMatrix<f64>,
    /// B of (y, w).
    pub b: DMatrix<f64>,
}

impl Minimal {
    /// Linearises the motion at a state on the constraints.
    ///
    /// # Errors
    /// Those of [`linearize`](Derivatives::linearize), including [`Error::Corner`], and
    /// [`correction`](Constrained::correction), and [`Error::NoGradient`] if derivatives of the projection are not
    /// generated.
    pub fn at<S, const N: usize, const D: usize, const U: usize, const P: usize>(
        system: &S,
        state: &State<S::Q, S::V>,
    ) -> Result<Self, Error>
    where
        S: Dynamics<f64, V = SVector<f64, N>>
            + Derivatives<
                f64,
                Tangent = Tangent<f64, N, U, P>,
                Linearization = Linearization<f64, N, D, U, P>,
            >,
    {
        let State { t, q, v } = state;
        let tangents = Tangents::at(system, state)?;
        let independent = tangents.independent();
        let z = solved_for(&tangents.basis, &independent);
        let (positions, r) = match placed(system, state, independent.len())? {
            Some(tangents) => {
                let positions = tangents.independent();
                let r = solved_for(&tangents.basis, &positions);
                (positions, r)
            }
            None => (independent.clone(), z.clone()),
        };
        let s = match independent.len() {
            free if free == N => DMatrix::zeros(N, N),
            _ => turned(system, state, (&z, &independent), &r)?,
        };
        let Linearization { a, b, .. } = system.linearize(*t, q, v)?;
        let [by_q, by_v] = [0, N].map(|k| DMatrix::from_fn(N, N, |i, j| a[(i, k + j)]));
        let (of_place, of_rate) = (&by_q * &r + &by_v * &s, &by_v * &z);
        let turning = turning(system, state) * &r + &s;
        let (e, d) = (positions.len(), independent.len());
        let entry = |row: usize, column: usize| match (row.checked_sub(e), column.checked_sub(e)) {
            (None, None) => turning[(positions[row], column)],
            (None, Some(k)) => z[(positions[row], k)],
            (Some(row), None) => of_place[(independent[row], column)],
            (Some(row), Some(k)) => of_rate[(independent[row], k)],
        };
        let pushed = |row: usize, k: usize| {
            let row = row.checked_sub(e);
            row.map_or(0.0, |row| b[(independent[row], k)])
        };
        Ok(Self {
            a: DMatrix::from_fn(e + d, e + d, entry),
            b: DMatrix::from_fn(e + d, U, pushed),
            independent,
            positions,
            r,
            z,
            s,
        })
    }

    /// C of outputs over the same coordinates, from their derivatives with respect to (q, v): (C_q R + C_v S, C_v Z).
    pub fn outputs<const K: usize, const D: usize, const U: usize, const P: usize>(
        &self,
        of: &Linearization<f64, K, D, U, P>,
    ) -> DMatrix<f64> {
        let (n, d) = self.z.shape();
        let e = self.positions.len();
        let [by_q, by_v] = [0, n].map(|k| DMatrix::from_fn(K, n, |i, j| of.a[(i, k + j)]));
        let mut all = DMatrix::zeros(K, e + d);
        all.columns_mut(0, e)
            .copy_from(&(by_q * &self.r + &by_v * &self.s));
        all.columns_mut(e, d).copy_from(&(by_v * &self.z));
        all
    }
}

/// The basis in which the rows of the independent velocities are the unit matrix.
fn solved_for(basis: &DMatrix<f64>, independent: &[usize]) -> DMatrix<f64> {
    let own = basis.select_rows(independent);
    let inverse = own.try_inverse().unwrap_or_default();
    let mut z = basis * inverse;
    for (k, &i) in independent.iter().enumerate() {
        z.row_mut(i).fill(0.0);
        z[(i, k)] = 1.0;
    }
    z
}

/// The directions in which positions are free, where they are more than the `degrees` of velocities: the null space of
/// ∂C/∂q, which is 0 in the rows of velocities. The slope of the correction of C, M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ ∂C/∂q on the
/// constraints, is a projection with this null space.
fn placed<S, const N: usize, const U: usize, const P: usize>(
    system: &S,
    State { t, q, v }: &State<S::Q, S::V>,
    degrees: usize,
) -> Result<Option<Tangents>, Error>
where
    S: Dynamics<f64, V = SVector<f64, N>> + Derivatives<f64, Tangent = Tangent<f64, N, U, P>>,
{
    if degrees == N {
        return Ok(None);
    }
    let held = slopes(v, |unit| Ok(system.place_correction_vjp(*t, q, unit)?.q))?;
    if (held.trace() + 0.5) as usize + degrees == N {
        return Ok(None);
    }
    let project = |k: usize, unit: &mut S::V| {
        unit.update(|i, x| x - held[(i, k)]);
        Ok(())
    };
    Tangents::without(system, (*t, q), &v.zeros_like(), project).map(Some)
}

/// The matrix whose row i is a gradient of entry i.
fn slopes<V: Vector<Scalar = f64>, const N: usize>(
    v: &V,
    gradient: impl Fn(&V) -> Result<SVector<f64, N>, Error>,
) -> Result<DMatrix<f64>, Error> {
    let mut slopes = DMatrix::zeros(N, N);
    for i in 0..N {
        let unit = v.like(|k| f64::from(u8::from(k == i)));
        slopes.row_mut(i).copy_from(&gradient(&unit)?.transpose());
    }
    Ok(slopes)
}

/// S: the change that keeps Ċ = 0 as the configuration moves, −G ∂Ċ/∂q R, minus its part along the independent
/// velocities.
fn turned<S, const N: usize, const U: usize, const P: usize>(
    system: &S,
    State { t, q, v }: &State<S::Q, S::V>,
    (z, independent): (&DMatrix<f64>, &[usize]),
    r: &DMatrix<f64>,
) -> Result<DMatrix<f64>, Error>
where
    S: Dynamics<f64, V = SVector<f64, N>> + Derivatives<f64, Tangent = Tangent<f64, N, U, P>>,
{
    let taken = slopes(v, |unit| {
        Ok(system.velocity_correction_vjp(*t, q, v, unit)?.q)
    })?;
    let kept = -taken * r;
    let own = kept.select_rows(independent);
    let mut s = kept - z * own;
    independent.iter().for_each(|&i| s.row_mut(i).fill(0.0));
    Ok(s)
}

/// W of δq̇ = δv + W δq, for tangents expressed as velocities: q̇ = N(q) v is linear in q for rotating bodies, and
/// the columns of N are orthogonal.
fn turning<S: Constrained<f64>>(system: &S, State { t, q, v }: &State<S::Q, S::V>) -> DMatrix<f64> {
    let n = v.entries().len();
    let mut turning = DMatrix::zeros(n, n);
    if q.entries().len() == n {
        return turning;
    }
    let rates = |q: &S::Q, v: &S::V| system.kinematics(*t, q, v);
    let moved = |by: &S::Q| q.like(|i| q[i] + by[i]);
    let unit = |k: usize| v.like(|i| f64::from(u8::from(i == k)));
    let units: Vec<S::Q> = (0..n).map(|k| rates(q, &unit(k))).collect();
    let own = rates(q, v);
    let ahead = moved(&own);
    for (j, change) in units.iter().enumerate() {
        let (there, later) = (rates(&moved(change), v), rates(&ahead, &unit(j)));
        let off = own.like(|i| there[i] - own[i] - (later[i] - change[i]));
        for (k, rate) in units.iter().enumerate() {
            turning[(k, j)] = product(rate, &off) / product(rate, rate);
        }
    }
    turning
}
