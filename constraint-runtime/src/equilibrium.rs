//! Where a system rests, and how it swings there.

use alloc::vec::Vec;
use core::ops::Deref;

use nalgebra::{Complex, ComplexField, DMatrix, DVector};

use crate::derivatives::{Derivatives, Linearization};
use crate::error::Error;
use crate::reduced::Tangents;
use crate::stabilization::make_consistent;
use crate::state::State;
use crate::system::Dynamics;
use crate::vector::Vector;

/// Newton steps, and halvings of one, before an equilibrium is given up.
const MAX_STEPS: usize = 100;
const MAX_HALVINGS: usize = 30;

/// The part of what moves at hand that counts as rounding.
const ROUNDING: f64 = 1e-9;

/// A place where a system that is let go stays: v = 0, v̇ = 0, C = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Equilibrium<Q, R> {
    /// The time at which forces and constraints were asked for.
    pub t: f64,
    /// The coordinates.
    pub q: Q,
    /// λ: what the constraints push with.
    pub multipliers: R,
}

/// The equilibrium that is found from a start, moved onto the constraints first; its velocities count as zero.
///
/// ```text
/// Zᵀ h = 0, C = 0        J Z = 0, Zᵀ M Z = 1
/// Newton: (Zᵀ M A_q Z) y = −Zᵀ M v̇,   q ← q + Z y        A_q = ∂v̇/∂q
/// ```
/// A step that does not lessen Zᵀ M v̇ is halved until it does. All that is compared has the unit of an acceleration
/// times the root of a mass, whatever the coordinates' own are.
///
/// - It need not be stable: [`modes`] tells. From exactly above, a pendulum is found to rest there.
/// - Cost: M, J and A of [`linearize`](Derivatives::linearize) as dense matrices, and one singular value decomposition
///   of as many rows as degrees of freedom, a step.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// system! {
///     /// Two bobs on rods, pushed by a wind.
///     #[derivatives]
///     struct Lamp { m: Real = 1, l: Real = 2, wind: Real = 10, g: Real = 10 }
///     particle bob[2]: Point2 { mass: m }
///     constraint upper: norm(bob[0]) == l;
///     constraint lower: norm(bob[1] - bob[0]) == l;
///     gravity [0, -g];
///     force bob[1]: [wind, 0];
/// }
/// let lamp = Lamp::default();
/// let bob = [Point2::new(0.1, -2.0), Point2::new(0.2, -4.0)];
/// let start = State::new(0.0, LampCoordinates { bob }, LampVelocities::default());
/// let rest = equilibrium(&lamp, start)?;
/// // The lower rod hangs at 45°, the upper one, which carries both, at atan(1/2).
/// let LampCoordinates { bob } = rest.q.into();
/// assert!((bob[1] - bob[0] - Vector2::new(2.0_f64.sqrt(), -(2.0_f64.sqrt()))).norm() < 1e-12);
/// assert!((bob[0] - Point2::new(2.0, -4.0) / 5.0_f64.sqrt()).norm() < 1e-12);
/// assert!((rest.multipliers[1] + 200.0_f64.sqrt()).abs() < 1e-12);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::NoEquilibrium`] where no step leads nearer to one, [`Error::NotIsolated`] where it can be left without a
/// force, [`Error::Corner`] where it comes to one, and those of [`make_consistent`] and
/// [`acceleration`](crate::Dynamics::acceleration).
pub fn equilibrium<S, const N: usize, const D: usize, const U: usize, const P: usize>(
    system: &S,
    start: State<S::Q, S::V>,
) -> Result<Equilibrium<S::Q, S::Rows>, Error>
where
    S: Derivatives<f64, Linearization = Linearization<f64, N, D, U, P>>,
{
    let start = State {
        v: start.v.zeros_like(),
        ..start
    };
    let mut here = Near::new(system, make_consistent(system, start)?)?;
    let mut steps = 0;
    while steps < MAX_STEPS {
        let Some(there) = here.nearer(system)? else {
            break;
        };
        here = there;
        steps += 1;
    }
    if here.push.norm() > ROUNDING * here.reach(system) {
        return Err(Error::NoEquilibrium {
            acceleration: system
                .acceleration(here.state.t, &here.state.q, &here.state.v)?
                .entries()
                .iter()
                .fold(0.0, |most, a| most.max(a.abs())),
            steps,
        });
    }
    let directions = here.loose_directions();
    if directions > 0 {
        return Err(Error::NotIsolated { directions });
    }
    let State { t, q, v } = here.state;
    let multipliers = system.multipliers(t, &q, &v)?;
    Ok(Equilibrium { t, q, multipliers })
}

/// A state at rest, and what Newton's method asks of it.
struct Near<Q: Vector, V> {
    state: State<Q, V>,
    tangents: Tangents,
    /// Zᵀ M v̇
    push: DVector<f64>,
    /// Zᵀ M A_q Z
    stiffness: DMatrix<f64>,
}

impl<Q: Vector<Scalar = f64>, V: Vector<Scalar = f64>> Near<Q, V> {
    fn new<S, const N: usize, const D: usize, const U: usize, const P: usize>(
        system: &S,
        state: State<Q, V>,
    ) -> Result<Self, Error>
    where
        S: Derivatives<f64, Q = Q, V = V, Linearization = Linearization<f64, N, D, U, P>>,
    {
        let tangents = Tangents::at(system, &state)?;
        let State { t, q, v } = &state;
        let acceleration = system.acceleration(*t, q, v)?;
        let push = tangents.momenta.tr_mul(&column(&acceleration));
        let Linearization { a, .. } = system.linearize(*t, q, v)?;
        let stiffness = tangents.reduced(&DMatrix::from_fn(N, N, |i, j| a[(i, j)]));
        Ok(Self {
            state,
            tangents,
            push,
            stiffness,
        })
    }

    /// A Newton step, or the largest part of it that lessens what pushes; nothing where none does.
    fn nearer<S, const N: usize, const D: usize, const U: usize, const P: usize>(
        &self,
        system: &S,
    ) -> Result<Option<Self>, Error>
    where
        S: Derivatives<f64, Q = Q, V = V, Linearization = Linearization<f64, N, D, U, P>>,
    {
        // What cannot move rests.
        if self.push.is_empty() {
            return Ok(None);
        }
        let push = self.push.norm();
        let singular = self.stiffness.clone().svd(true, true);
        let most = singular.singular_values.max();
        let Ok(way) = singular.solve(&-&self.push, 1e-12 * most) else {
            return Ok(None);
        };
        let way = &self.tangents.basis * way;
        let State { t, q, v } = &self.state;
        let mut part = 1.0;
        for _ in 0..MAX_HALVINGS {
            let change = system.kinematics(*t, q, &v.like(|i| part * way[i]));
            let moved = State {
                t: *t,
                q: q.like(|i| q[i] + change[i]),
                v: v.clone(),
            };
            // What leads too far from the constraints is too far.
            if let Ok(consistent) = make_consistent(system, moved) {
                let rest = State {
                    v: v.clone(),
                    ..consistent
                };
                let there = Self::new(system, rest)?;
                if there.push.norm() < push {
                    return Ok(Some(there));
                }
            }
            part *= 0.5;
        }
        Ok(None)
    }

    /// In how many directions nothing pushes back.
    fn loose_directions(&self) -> usize {
        if self.push.is_empty() {
            return 0;
        }
        let stiff = self.stiffness.singular_values();
        let least = ROUNDING * stiff.max();
        stiff.iter().filter(|&&s| s <= least).count()
    }

    /// What would push if the coordinates differed by as much as they are.
    fn reach<S: Dynamics<f64, Q = Q, V = V>>(&self, system: &S) -> f64 {
        let State { t, q, v } = &self.state;
        let place = v.like(|i| q.entries().get(i).copied().unwrap_or_default());
        let size = system.kinetic_energy(*t, q, &place);
        self.stiffness.norm() * root(size + size)
    }
}

/// √x, also where there is no standard library.
fn root(x: f64) -> f64 {
    ComplexField::sqrt(x)
}

fn column<V: Vector<Scalar = f64>>(v: &V) -> DVector<f64> {
    DVector::from_column_slice(v.entries())
}

/// One way of swinging about an equilibrium: δq = Re(e^(s t) (a + i b)), to first order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mode<V> {
    /// s, of two that are conjugate that with the positive imaginary part: growth in its real part, and in the
    /// imaginary one the angular frequency, both in 1/s.
    pub rate: Complex<f64>,
    /// a, as velocities are told; shapes have aᵀ M a + bᵀ M b = 1.
    pub shape: V,
    /// b: what swings a quarter of a period behind; zero where nothing damps.
    pub quadrature: V,
}

impl<V> Mode<V> {
    /// ω = Im s, in rad/s; 0 of what creeps.
    pub fn angular_frequency(&self) -> f64 {
        self.rate.im
    }

    /// ζ = −Re s/|s|: 0 undamped, 1 creeping, negative where it grows.
    pub fn damping_ratio(&self) -> f64 {
        -self.rate.re / root(self.rate.norm_sqr())
    }
}

/// All ways of swinging about an equilibrium, slowest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Modes<V>(Vec<Mode<V>>);

impl<V> Modes<V> {
    /// Whether nothing grows, but for rounding: stable by the linear equations, which decide unless a mode neither grows
    /// nor dies away.
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
/// Where D = 0 and K is symmetric, as without damping and without gyroscopic forces, they are real and told by the
/// symmetric eigenvalues −s²; an s² > 0 gives two, one that grows and one that dies away.
///
/// - Cost: eigenvalues of a matrix of twice as many rows as degrees of freedom, and for each a singular value
///   decomposition of half its size.
///
/// ```
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
///     // The lower bob moves √2 times as far from the upper one as that from the pivot, with it or against it.
///     let DoubleVelocities { bob } = mode.shape.into();
///     assert!((bob[1].x / bob[0].x - (1.0 - sign * 2.0_f64.sqrt())).abs() < 1e-9);
/// }
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// Those of [`linearize`](Derivatives::linearize), [`Error::Corner`] among them, and [`Error::NoEigenvalues`].
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

/// (s² − s D − K) y = 0; nothing where the eigenvalues do not converge.
fn damped_modes(stiffness: &DMatrix<f64>, damping: &DMatrix<f64>) -> Option<Vec<Reduced>> {
    let k = stiffness.nrows();
    let mut first_order = DMatrix::zeros(2 * k, 2 * k);
    first_order.view_mut((0, k), (k, k)).fill_with_identity();
    first_order.view_mut((k, 0), (k, k)).copy_from(stiffness);
    first_order.view_mut((k, k), (k, k)).copy_from(damping);
    let schur = nalgebra::Schur::try_new(first_order, f64::EPSILON, 10_000)?;
    let rates = schur.complex_eigenvalues();
    let shape = |&s: &Complex<f64>| {
        let entry = |i, j| {
            let own = if i == j {
                s * s
            } else {
                Complex::new(0.0, 0.0)
            };
            own - s * damping[(i, j)] - stiffness[(i, j)]
        };
        let svd = DMatrix::from_fn(k, k, entry).svd(false, true);
        let least = svd.singular_values.iter().enumerate();
        let (least, _) = least.min_by(|a, b| a.1.total_cmp(b.1))?;
        // Rows of V* are conjugate to the vectors; the largest entry is turned to be real.
        let y = svd.v_t?.row(least).map(|it| it.conj()).transpose();
        let largest = y
            .iter()
            .copied()
            .reduce(|a, b| if b.norm_sqr() > a.norm_sqr() { b } else { a })?;
        let turn = largest.conj() / root(largest.norm_sqr());
        let y = y.map(|it| it * turn);
        Some((s, y.map(|it| it.re), y.map(|it| it.im)))
    };
    rates.iter().filter(|s| s.im >= 0.0).map(shape).collect()
}
