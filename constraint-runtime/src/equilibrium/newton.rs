//! Newton's method along the constraints.

use nalgebra::{DMatrix, DVector};

use super::slope::{BALANCED, Slope};
use crate::allowance::{extent, reach};
use crate::derivatives::{Derivatives, DescriptorMatrix, Linearization};
use crate::error::{Error, Quantity};
use crate::real::first_non_finite;
use crate::reduced::Tangents;
use crate::stabilization::project_position;
use crate::state::{State, check_finite};
use crate::system::{Constrained, Dynamics};
use crate::vector::Vector;

/// Newton steps, and reductions of one, before the search gives up.
const MAX_STEPS: usize = 100;
const MAX_REDUCTIONS: usize = 24;

/// Full steps after which a fraction of a step may still turn out to have led nearer.
const MORE_STEPS: usize = 3;

/// Fractions of a step, each a quarter of the one before, that distinguish a force from rounding.
const PARTS: usize = 50;

/// Rounding units of coordinates by which a force may be off.
const FEW: f64 = 8.0;

/// A search for an equilibrium.
pub(super) struct Search<Q: Vector, V> {
    here: Place<Q, V>,
    steps: usize,
}

impl<Q: Vector<Scalar = f64>, V: Vector<Scalar = f64>> Search<Q, V> {
    /// A search from a state on the constraints, with velocities of zero.
    pub fn from<S, const N: usize, const D: usize, const U: usize, const P: usize>(
        system: &S,
        start: State<Q, V>,
    ) -> Result<Self, Error>
    where
        S: Derivatives<f64, Q = Q, V = V, Linearization = Linearization<f64, N, D, U, P>>,
    {
        let here = Place::at(system, start)?;
        Ok(Self { here, steps: 0 })
    }

    /// Continues to an equilibrium; returns whether there is one.
    pub fn run<S, const N: usize, const D: usize, const U: usize, const P: usize>(
        &mut self,
        system: &S,
    ) -> Result<bool, Error>
    where
        S: Derivatives<f64, Q = Q, V = V, Linearization = Linearization<f64, N, D, U, P>>,
    {
        // If an equilibrium has no stiffness of its own, as x⁴ at x = 0, each step covers a fixed fraction of the
        // remaining distance, however small that is: the rounding at the start of the search is the reference.
        let coarsest = self.here.resolution;
        while self.steps < MAX_STEPS
            && let Some(there) = self.nearer(system)?
        {
            self.here = there;
            self.here.resolution = self.here.resolution.max(coarsest);
            self.steps += 1;
        }
        if !self.here.is_at_rest(system) {
            return Ok(false);
        }
        // The length of a step is dominated by heavy masses: when theirs is rounding, that of light ones may not be
        // yet.
        for _ in 0..MORE_STEPS {
            let next = self.here.moved(system, &self.here.step(), 1.0);
            let Some(Ok(next)) = next.map(|next| Place::at(system, next)) else {
                break;
            };
            self.here = next;
        }
        Ok(true)
    }

    /// The end of a Newton step, or of a fraction of it, from which the next one would be shorter; `None` if there is
    /// none.
    ///
    /// The next step uses the same matrix ([Deuflhard 2011] *Newton Methods for Nonlinear Problems*, section 3.3):
    /// its length does not change with the units of the forces, so that a stiff direction does not outweigh the
    /// others. But a stiff direction that rotates during the step does outweigh them: a straight step along a stiff
    /// circle stretches it. So the place is judged after a few more full steps, the first of which undoes the
    /// stretching.
    fn nearer<S, const N: usize, const D: usize, const U: usize, const P: usize>(
        &self,
        system: &S,
    ) -> Result<Option<Place<Q, V>>, Error>
    where
        S: Derivatives<f64, Q = Q, V = V, Linearization = Linearization<f64, N, D, U, P>>,
    {
        let step = self.here.step();
        let distance = length(&step);
        if distance <= self.here.resolution {
            return Ok(None);
        }
        let mut part = 1.0;
        for reduction in 0..MAX_REDUCTIONS {
            // Rounding gets shorter by chance.
            if reduction == 1 && self.here.is_at_rest(system) {
                return Ok(None);
            }
            let is_shorter =
                |push: &_| length(&self.here.answer(push)) < (1.0 - part / 4.0) * distance;
            if let Some(there) = self.after_some_steps(system, &step, part, is_shorter) {
                match Place::at(system, there) {
                    Ok(there) => return Ok(Some(there)),
                    // A corner is a property of the place; any other error means that the step was too long.
                    Err(corner @ Error::Corner { .. }) => return Err(corner),
                    Err(_) => {}
                }
            }
            part *= if reduction < 4 { 0.5 } else { 0.125 };
        }
        Ok(None)
    }

    /// The first of the places after a fraction of a step and full steps from there whose remaining force is good.
    fn after_some_steps<S, const N: usize, const D: usize, const U: usize, const P: usize>(
        &self,
        system: &S,
        step: &DVector<f64>,
        part: f64,
        is_good: impl Fn(&DVector<f64>) -> bool,
    ) -> Option<State<Q, V>>
    where
        S: Derivatives<f64, Q = Q, V = V, Linearization = Linearization<f64, N, D, U, P>>,
    {
        let mut there = self.here.moved(system, step, part)?;
        for _ in 0..MORE_STEPS {
            if is_good(&self.here.push_at(system, &there)?) {
                return Some(there);
            }
            let place = Place::at(system, there).ok()?;
            there = place.moved(system, &place.step(), 1.0)?;
        }
        is_good(&self.here.push_at(system, &there)?).then_some(there)
    }

    /// The number of directions without a restoring force.
    pub fn loose_directions(&self) -> usize {
        let slope = self.here.slope.as_ref();
        slope.map_or(0, Slope::loose_directions)
    }

    pub fn no_equilibrium<S: Dynamics<f64, Q = Q, V = V>>(&self, system: &S) -> Error {
        let State { t, q, v } = &self.here.state;
        let acceleration = match system.acceleration(*t, q, v) {
            Ok(acceleration) => acceleration,
            Err(error) => return error,
        };
        let entries = acceleration.entries().iter();
        Error::NoEquilibrium {
            acceleration: entries.fold(0.0, |most, a| most.max(a.abs())),
            steps: self.steps,
        }
    }

    pub fn state(&self) -> &State<Q, V> {
        &self.here.state
    }
}

/// A state of zero velocities, and its quantities for Newton's method.
struct Place<Q: Vector, V> {
    state: State<Q, V>,
    tangents: Tangents,
    /// Zᵀ M v̇
    push: DVector<f64>,
    /// `None` if nothing can move.
    slope: Option<Slope>,
    /// The length of a step that changes the coordinates by rounding.
    resolution: f64,
}

impl<Q: Vector<Scalar = f64>, V: Vector<Scalar = f64>> Place<Q, V> {
    fn at<S, const N: usize, const D: usize, const U: usize, const P: usize>(
        system: &S,
        state: State<Q, V>,
    ) -> Result<Self, Error>
    where
        S: Derivatives<f64, Q = Q, V = V, Linearization = Linearization<f64, N, D, U, P>>,
    {
        let State { t, q, v } = &state;
        let tangents = Tangents::at(system, &state)?;
        let push = tangents.basis.tr_mul(&force(system, &state)?);
        let (slope, rounded) = slope_of_forces(system, &state, &tangents)?;
        let acting = column(&system.applied(*t, q, v)?).abs() + rounded / BALANCED;
        let acting = tangents.basis.abs().tr_mul(&acting);
        Ok(Self {
            // In the range where floats have all their digits.
            resolution: (f64::EPSILON * extent(system, *t, q, v))
                .max(f64::MIN_POSITIVE / f64::EPSILON),
            slope: (!push.is_empty()).then(|| Slope::of(slope, &push, &acting)),
            push,
            state,
            tangents,
        })
    }

    /// −K⁻¹ r: the step in y that removes a force r.
    fn answer(&self, push: &DVector<f64>) -> DVector<f64> {
        let slope = self.slope.as_ref();
        slope.map_or_else(|| DVector::zeros(0), |slope| -slope.solve(push))
    }

    fn step(&self) -> DVector<f64> {
        self.answer(&self.push)
    }

    /// The state after a fraction of a step, on the constraints; `None` if it leads too far from them.
    fn moved<S: Constrained<f64, Q = Q, V = V>>(
        &self,
        system: &S,
        step: &DVector<f64>,
        part: f64,
    ) -> Option<State<Q, V>> {
        let State { t, q, v } = &self.state;
        let step = &self.tangents.basis * step;
        let change = system.kinematics(*t, q, &v.like(|i| part * step[i]));
        let mut moved = State {
            t: *t,
            q: q.like(|i| q[i] + change[i]),
            v: v.clone(),
        };
        check_finite(&moved).ok()?;
        system.normalize(&mut moved.q);
        if S::Rows::LEN != Some(0) {
            project_position(system, *t, &mut moved.q, 0.0, |_, _| ()).ok()?;
        }
        Some(moved)
    }

    /// The force at a nearby state, along the tangents of this place: Z₀ᵀ M v̇, whose slope here is Zᵀ H Z. `None` if
    /// it is not finite.
    fn push_at<S: Constrained<f64, Q = Q, V = V>>(
        &self,
        system: &S,
        there: &State<Q, V>,
    ) -> Option<DVector<f64>> {
        let force = force(system, there).ok()?;
        Some(self.tangents.basis.tr_mul(&force))
    }

    /// True if the remaining force is rounding, which does not change with the place as its slope predicts.
    ///
    /// A force does once the step is short enough; at a jump or a corner, on one of both sides. Rounding does so by
    /// chance three times in a row with a probability of about 10⁻⁶.
    fn is_at_rest<S: Constrained<f64, Q = Q, V = V>>(&self, system: &S) -> bool {
        if self.slope.as_ref().is_some_and(Slope::is_driven) {
            return false;
        }
        let step = self.step();
        let distance = length(&step);
        let follows = |part: f64| {
            let there = self.moved(system, &step, part);
            let push = there.and_then(|there| self.push_at(system, &there));
            push.is_some_and(|push| {
                let off = self.answer(&push) - &step + part * &step;
                length(&off) < 0.5 * part.abs() * distance
            })
        };
        let mut in_a_row = [0; 2];
        // Without a standard library there is no `powi`.
        let parts = core::iter::successors(Some(1.0 / 16.0), |part| Some(0.25 * part));
        let mut parts = parts.take(PARTS - 2);
        distance <= self.resolution
            || parts.all(|part| {
                for (count, part) in in_a_row.iter_mut().zip([part, -part]) {
                    *count = if follows(part) { *count + 1 } else { 0 };
                }
                in_a_row.iter().all(|&count| count < 3)
            })
    }
}

/// M v̇: the remaining sum of applied and constraint forces.
fn force<S: Constrained<f64>>(
    system: &S,
    state: &State<S::Q, S::V>,
) -> Result<DVector<f64>, Error> {
    let State { t, q, v } = state;
    let acceleration = system.acceleration(*t, q, v)?;
    let force = system.mass_times(*t, q, &acceleration);
    match first_non_finite(&force) {
        None => Ok(column(&force)),
        Some((index, value)) => Err(no_number(index, value)),
    }
}

#[cold]
fn no_number(index: usize, value: f64) -> Error {
    Error::NonFinite {
        quantity: Quantity::Force,
        index,
        names: None,
        value,
        time: None,
    }
}

/// Zᵀ H Z with H = ∂(h + Jᵀ λ)/∂q and λ constant: the derivative of Z₀ᵀ M v̇ along the constraints, with Z₀ constant;
/// and the rounding of forces caused by that of the coordinates, a few ε |H| |q|.
///
/// If a system has no descriptor pair, Zᵀ M A_q Z, which is the same at rest.
fn slope_of_forces<S, const N: usize, const D: usize, const U: usize, const P: usize>(
    system: &S,
    state: &State<S::Q, S::V>,
    tangents: &Tangents,
) -> Result<(DMatrix<f64>, DVector<f64>), Error>
where
    S: Derivatives<f64, Linearization = Linearization<f64, N, D, U, P>>,
{
    let State { t, q, v } = state;
    system.check_smooth(*t, q, v)?;
    let lambda = system.multipliers(*t, q, v)?;
    let mut slope = DMatrix::zeros(N, N);
    let mut is_written = false;
    let mut entry = |matrix, row: usize, column: usize, x: f64| {
        is_written = true;
        if matrix == DescriptorMatrix::A && (N..2 * N).contains(&row) && column < N {
            slope[(row - N, column)] = x;
        }
    };
    system.write_descriptor(*t, q, v, &v.zeros_like(), &lambda, &mut entry);
    let reach = column(&reach(system, *t, q, v)).abs();
    let rounded = slope.abs() * reach * (FEW * f64::EPSILON);
    let reduced = if is_written {
        tangents.basis.tr_mul(&(slope * &tangents.basis))
    } else {
        let Linearization { a, .. } = system.linearize(*t, q, v)?;
        tangents.reduced(&DMatrix::from_fn(N, N, |i, j| a[(i, j)]))
    };
    match reduced.iter().find(|x| !x.is_finite()) {
        None => Ok((reduced, rounded)),
        Some(&value) => Err(no_number(0, value)),
    }
}

fn column<V: Vector<Scalar = f64>>(v: &V) -> DVector<f64> {
    DVector::from_column_slice(v.entries())
}

/// |x|, also if squares overflow or underflow.
fn length(x: &DVector<f64>) -> f64 {
    let most = x.amax();
    let has_squares = most > 0.0 && most.is_finite();
    if has_squares {
        most * (x / most).norm()
    } else {
        most
    }
}
