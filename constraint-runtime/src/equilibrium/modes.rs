//! Oscillations of a system about an equilibrium.

use alloc::vec::Vec;
use core::ops::Deref;

use nalgebra::{Complex, DMatrix, DVector};

use super::{Equilibrium, root};
use crate::derivatives::{Derivatives, Linearization};
use crate::error::Error;
use crate::reduced::Tangents;
use crate::state::State;
use crate::vector::Vector;

/// Relative size below which a remainder counts as rounding.
const ROUNDING: f64 = 1e-9;

/// Rates that differ by this part of their size count as equal: rounding splits those of one shape by 10⁻⁸.
const ALIKE: f64 = 1e-7;

/// |Q y| of a shape, relative to its value at twice the rate: above this bound, y belongs to another rate.
const SHAPE: f64 = 1e-4;

/// One mode of oscillation about an equilibrium: δq = Re(e^(s t) (a + i b)), to first order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mode<V> {
    /// s; for a conjugate pair, the one with the positive imaginary part. Its real part is the growth rate, its
    /// imaginary part the angular frequency, both in 1/s.
    pub rate: Complex<f64>,
    /// a, in the coordinates of the velocities; shapes have aᵀ M a + bᵀ M b = 1.
    pub shape: V,
    /// b: the part a quarter of a period behind; zero without damping.
    pub quadrature: V,
}

impl<V> Mode<V> {
    /// ω = Im s, in rad/s; 0 for overdamped motion.
    pub fn angular_frequency(&self) -> f64 {
        self.rate.im
    }

    /// ζ = −Re s/|s|: 0 undamped, 1 overdamped, negative if it grows.
    pub fn damping_ratio(&self) -> f64 {
        -self.rate.re / root(self.rate.norm_sqr())
    }
}

/// All modes about an equilibrium, slowest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Modes<V>(Vec<Mode<V>>);

impl<V> Modes<V> {
    /// True if nothing grows, up to rounding: stability of the linear equations, which is decisive unless a mode
    /// neither grows nor decays.
    pub fn is_stable(&self) -> bool {
        let fastest = self.iter().map(|mode| mode.rate.norm_sqr());
        let fastest = root(fastest.fold(0.0_f64, f64::max));
        self.iter().all(|mode| mode.rate.re <= ROUNDING * fastest)
    }
}

impl<V> Deref for Modes<V> {
    type Target = [Mode<V>];

    fn deref(&self) -> &[Mode<V>] {
        &self.0
    }
}

/// The modes of a system at rest: ÿ = K y + D ẏ along the constraints, with δq = Z y.
///
/// ```text
/// K = Zᵀ M A_q Z, D = Zᵀ M A_v Z        (s² − s D − K) y = 0        (A_q  A_v) = ∂v̇/∂(q, v)
/// ```
/// If D = 0 and K is symmetric, as without damping and gyroscopic forces, the modes are real and follow from the
/// symmetric eigenvalues −s²; an s² > 0 gives two modes, one that grows and one that decays.
///
/// - Equal rates, to seven digits, have as many orthogonal shapes as there are: any sum of them is a mode too. If
///   there are fewer shapes than rates, as at critical damping, shapes are repeated, once for each rate: the motion
///   then has terms t e^(s t), which no mode describes.
/// - Cost: eigenvalues of a matrix of twice as many rows as degrees of freedom, and for each a singular value
///   decomposition of half its size.
///
/// ```
/// use constraint_runtime::{equilibrium, modes};
/// use constraint_runtime::prelude::*;
///
/// system! {
///     /// A double pendulum: ω² = (2 ± √2) g/l.
///     #[derivatives]
///     struct Double { m: Real = 3, l: Real = 0.5, g: Real = 10 }
///     particle bob[2]: Point2 { mass: m }
///     constraint upper: norm(bob[0]) == l;
///     constraint lower: norm(bob[1] - bob[0]) == l;
///     gravity [0, -g];
/// }
/// let double = Double::default();
/// let bob = [Point2::new(0.0, -0.5), Point2::new(0.0, -1.0)];
/// let start = State::new(0.0, DoubleCoordinates { bob }, DoubleVelocities::default());
/// let swings = modes(&double, &equilibrium(&double, start)?)?;
/// assert!(swings.is_stable() && swings.len() == 2);
/// for (mode, sign) in swings.iter().zip([-1.0, 1.0]) {
///     let omega = ((2.0 + sign * 2.0_f64.sqrt()) * 20.0).sqrt();
///     assert!((mode.angular_frequency() / omega - 1.0).abs() < 1e-12);
/// // The lower bob moves √2 times as far from the upper one as that from the pivot, in phase or in antiphase.
///     let DoubleVelocities { bob } = mode.shape.into();
///     assert!((bob[1].x / bob[0].x - (1.0 - sign * 2.0_f64.sqrt())).abs() < 1e-9);
/// }
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// Those of [`linearize`](Derivatives::linearize), including [`Error::Corner`], and [`Error::NoEigenvalues`].
pub fn modes<S, const N: usize, const D: usize, const U: usize, const P: usize>(
    system: &S,
    rest: &Equilibrium<S::Q, S::Rows>,
) -> Result<Modes<S::V>, Error>
where
    S: Derivatives<f64, Linearization = Linearization<f64, N, D, U, P>>,
{
    let state = State::new(rest.t, rest.q.clone(), S::V::blank());
    let tangents = Tangents::at(system, &state)?;
    let State { t, q, v } = &state;
    let Linearization { a, .. } = system.linearize(*t, q, v)?;
    let stiffness = tangents.reduced(&DMatrix::from_fn(N, N, |i, j| a[(i, j)]));
    let damping = tangents.reduced(&DMatrix::from_fn(N, N, |i, j| a[(i, N + j)]));
    let skew = (&stiffness - stiffness.transpose()).norm();
    let undamped = damping.norm() == 0.0 && skew <= ROUNDING * stiffness.norm();
    let found = if stiffness.is_empty() {
        Vec::new()
    } else if undamped {
        undamped_modes(&stiffness)
    } else {
        damped_modes(&stiffness, &damping).ok_or(Error::NoEigenvalues)?
    };
    let told = found.into_iter().map(|(rate, real, imaginary)| {
        let told = |y: DVector<f64>| {
            let y = &tangents.basis * y;
            v.like(|i| y[i])
        };
        Mode {
            rate,
            shape: told(real),
            quadrature: told(imaginary),
        }
    });
    let mut told: Vec<Mode<S::V>> = told.collect();
    told.sort_by(|a, b| a.rate.norm_sqr().total_cmp(&b.rate.norm_sqr()));
    Ok(Modes(told))
}

/// A rate and its shape in the tangents' coordinates.
type Reduced = (Complex<f64>, DVector<f64>, DVector<f64>);

/// ÿ = K y of a symmetric K.
fn undamped_modes(stiffness: &DMatrix<f64>) -> Vec<Reduced> {
    let symmetric = (stiffness + stiffness.transpose()) * 0.5;
    let eigen = symmetric.symmetric_eigen();
    let mut found = Vec::new();
    for (&square, y) in eigen
        .eigenvalues
        .iter()
        .zip(eigen.eigenvectors.column_iter())
    {
        let (y, still) = (y.into_owned(), DVector::zeros(y.len()));
        let size = root(square.abs());
        if square <= 0.0 {
            found.push((Complex::new(0.0, size), y, still));
        } else {
            found.push((Complex::new(-size, 0.0), y.clone(), still.clone()));
            found.push((Complex::new(size, 0.0), y, still));
        }
    }
    found
}

/// (s² − s D − K) y = 0; `None` if the eigenvalues do not converge.
fn damped_modes(stiffness: &DMatrix<f64>, damping: &DMatrix<f64>) -> Option<Vec<Reduced>> {
    // In units of the fastest rate, independent of the unit of time.
    let unit = match root(stiffness.amax()).max(damping.amax()) {
        0.0 => 1.0,
        fastest => fastest,
    };
    let (stiffness, damping) = (&(stiffness / unit / unit), &(damping / unit));
    let k = stiffness.nrows();
    let mut first_order = DMatrix::zeros(2 * k, 2 * k);
    first_order.view_mut((0, k), (k, k)).fill_with_identity();
    first_order.view_mut((k, 0), (k, k)).copy_from(stiffness);
    first_order.view_mut((k, k), (k, k)).copy_from(damping);
    let schur = nalgebra::Schur::try_new(first_order, f64::EPSILON, 10_000)?;
    let rates = schur.complex_eigenvalues();
    let fastest = rates.iter().fold(0.0, |most: f64, s| most.max(size(*s)));
    // Rounding turns two equal real rates into a conjugate pair.
    let mut left: Vec<Complex<f64>> = rates
        .iter()
        .map(|s| {
            if s.im.abs() <= ALIKE * size(*s) {
                s.re.into()
            } else {
                *s
            }
        })
        .filter(|s| s.im >= 0.0)
        .collect();
    let mut found = Vec::with_capacity(2 * k);
    while let Some(first) = left.pop() {
        let near = |s: &mut Complex<f64>| {
            size(*s - first) <= (ALIKE * size(first)).max(f64::EPSILON * k as f64 * fastest)
        };
        let alike: Vec<Complex<f64>> = left.extract_if(.., near).chain([first]).collect();
        let shapes = shapes_of(&alike, stiffness, damping)?.into_iter();
        found.extend(shapes.map(|(s, real, imaginary)| (s * unit, real, imaginary)));
    }
    Some(found)
}

/// The shapes of equal rates: orthogonal unit vectors that Q = s² − s D − K maps to zero, at the mean of the rates.
/// If there are fewer shapes than rates, as at critical damping, shapes are repeated.
fn shapes_of(
    alike: &[Complex<f64>],
    stiffness: &DMatrix<f64>,
    damping: &DMatrix<f64>,
) -> Option<Vec<Reduced>> {
    let k = stiffness.nrows();
    let mean = alike.iter().sum::<Complex<f64>>() / alike.len() as f64;
    let damping = damping.map(|x| Complex::new(x, 0.0));
    let mut q = stiffness.map(|x| Complex::new(-x, 0.0)) - &damping * mean;
    (0..k).for_each(|i| q[(i, i)] += mean * mean);
    let svd = q.svd(true, true);
    let values = &svd.singular_values;
    let (columns, rows) = (svd.u.as_ref()?, svd.v_t.as_ref()?);
    let mut order: Vec<usize> = (0..k).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let is_shape = |row: usize| {
        // Rows of V* are conjugate to the vectors.
        let y = rows.row(row).map(|it| it.conj()).transpose();
        // Q y at a rate that differs by its own size, for comparison.
        let slope = mean + mean - y.dotc(&(&damping * &y));
        let turns = values[row] <= SHAPE * size(mean) * (size(mean) + size(slope));
        turns || values[row] <= f64::EPSILON * k as f64 * values.max()
    };
    let most = alike.len().min(k);
    let count = order[..most].iter().take_while(|&&row| is_shape(row));
    let count = count.count().max(1);
    let shapes = DMatrix::from_fn(k, count, |i, j| rows[(order[j], i)].conj());
    let left = DMatrix::from_fn(k, count, |i, j| columns[(i, order[j])]);
    let shapes = if count < alike.len() && count > 1 {
        let slope = DMatrix::from_diagonal_element(k, k, mean + mean) - &damping;
        repeated_first(&shapes, &(left.adjoint() * slope * &shapes))?
    } else {
        shapes
    };
    let turned = (0..alike.len()).map(|place| in_phase(&shapes.column(place % count).into_owned()));
    let modes = alike.iter().zip(turned);
    Some(
        modes
            .map(|(&s, y)| (s, y.map(|it| it.re), y.map(|it| it.im)))
            .collect(),
    )
}

/// The same space of shapes with those first that belong to several rates each: a shape y has a motion with t e^(s t) if
/// Q′ y is a value of Q, that is if it is orthogonal to all left vectors of Q.
fn repeated_first(
    shapes: &DMatrix<Complex<f64>>,
    products: &DMatrix<Complex<f64>>,
) -> Option<DMatrix<Complex<f64>>> {
    let svd = products.clone().svd(false, true);
    let mut order: Vec<usize> = (0..products.ncols()).collect();
    let values = &svd.singular_values;
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let rows = svd.v_t.as_ref()?;
    let turn = DMatrix::from_fn(order.len(), order.len(), |i, j| rows[(order[j], i)].conj());
    Some(shapes * turn)
}

/// The same shape with its largest entry real.
fn in_phase(y: &DVector<Complex<f64>>) -> DVector<Complex<f64>> {
    let larger = |a: Complex<f64>, b: Complex<f64>| if b.norm_sqr() > a.norm_sqr() { b } else { a };
    let largest = y.iter().copied().fold(Complex::new(0.0, 0.0), larger);
    let turn = largest.conj() / size(largest);
    y.map(|it| it * turn)
}

fn size(x: Complex<f64>) -> f64 {
    root(x.norm_sqr())
}
