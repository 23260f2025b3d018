//! Damped Newton steps along the constraints.

use alloc::vec::Vec;

use nalgebra::{DMatrix, DVector};

use super::CoordinateLimits;
use super::bounded::{Bound, Convex, Held};
use super::limits::Limited;
use crate::allowance::{SPAN_EPSILONS, coordinate_sizes, reach};
use crate::error::Error;
use crate::reduced::Tangents;
use crate::stabilization::project_position;
use crate::state::State;
use crate::system::Constrained;
use crate::vector::Vector;

/// Steps before a search gives up.
const MAX_STEPS: usize = 200;

/// Steps back into the limits along the constraints.
const MAX_RETURNS: usize = 10;

/// A step of Newton's method leaves less than this part of a distance.
const SLOW: f64 = 0.5;

/// Rounding units by which outputs may be off.
const FEW: f64 = 16.0;

/// Curvatures above minus this part of |J Z|² are rounding.
const FLAT: f64 = 1e-8;

/// Singular values below this part of the largest are rounding.
const LEAST_PART: f64 = 1e-12;

/// μ as a part of |J Z|²: of the first step, the least and the largest.
const DAMPING: [f64; 3] = [1e-3, 1e-16, 1e8];

/// A function of coordinates.
pub(super) type Of<'a, Q, X> = dyn Fn(&Q) -> Result<X, Error> + 'a;

/// A function of coordinates and velocities.
pub(super) type Second<'a, Q, V> = dyn Fn(&Q, &V) -> Result<DVector<f64>, Error> + 'a;

/// Outputs, and their targets.
pub(super) struct Task<'a, S: Constrained<f64>> {
    pub system: &'a S,
    pub t: f64,
    /// y(q)
    pub outputs: &'a Of<'a, S::Q, DVector<f64>>,
    /// J(q)
    pub jacobian: &'a Of<'a, S::Q, DMatrix<f64>>,
    /// ÿ of the motion with velocities v and without forces
    pub second: &'a Second<'a, S::Q, S::V>,
    /// y*
    pub target: DVector<f64>,
    pub limited: Vec<Limited>,
}

/// The end of a search.
pub(super) struct Found<Q> {
    pub q: Q,
    pub result: Result<(), Error>,
}

/// Coordinates, and their quantities for Newton's method.
struct Place<Q> {
    q: Q,
    /// y* − y
    off: DVector<f64>,
    /// Z
    basis: DMatrix<f64>,
    /// J Z
    slope: DMatrix<f64>,
    /// Sizes of the terms of which outputs consist, the largest so far.
    sizes: DVector<f64>,
    /// |J Z|², the largest so far.
    scale: f64,
    /// True if the last step did not lead much nearer, so that the curvature of outputs matters.
    is_slow: bool,
}

impl<Q> Place<Q> {
    fn is_reached(&self) -> bool {
        let mut both = self.off.iter().zip(&self.sizes);
        both.all(|(off, size)| off.abs() <= FEW * f64::EPSILON * size)
    }
}

impl<S: Constrained<f64>> Task<'_, S> {
    /// Searches from a place, and from others while the target is not reached; the nearest end.
    pub fn search(&self, q: &S::Q, limits: &CoordinateLimits<S::Q>) -> Result<Found<S::Q>, Error> {
        let mut best = self.search_from(q.clone())?;
        let mut steps = best.1;
        for start in limits.starts(q, &self.limited) {
            if self.is_reached(&best.0) {
                break;
            }
            // A start from which the constraints cannot be reached is not one.
            if let Ok(end) = self.search_from(start) {
                steps += end.1;
                if self.is_reached(&end.0) || end.0.off.norm() < best.0.off.norm() {
                    best = end;
                }
            }
        }
        let (place, _) = best;
        let result = if self.is_reached(&place) {
            Ok(())
        } else {
            Err(self.not_reached(&place, steps))
        };
        Ok(Found { q: place.q, result })
    }

    /// True if the outputs at the end of a search are the target, up to the rounding of their terms or, if these vanish, of
    /// the [coordinates](crate::allowance).
    fn is_reached(&self, place: &Place<S::Q>) -> bool {
        place.is_reached() || {
            let sizes = coordinate_sizes(self.system, self.t, &place.q, &S::V::blank());
            let sizes = DVector::from_column_slice(sizes.entries());
            (self.jacobian)(&place.q).is_ok_and(|jacobian| {
                let spans = jacobian.abs() * sizes * (SPAN_EPSILONS * f64::EPSILON);
                let mut both = place.off.iter().zip(&spans);
                both.all(|(off, span)| off.abs() <= *span)
            })
        }
    }

    /// The end of the search from a place, and the number of its steps.
    fn search_from(&self, q: S::Q) -> Result<(Place<S::Q>, usize), Error> {
        let mut here = self.place(self.inside(q)?)?;
        let mut damping = DAMPING[0];
        for step in 0..MAX_STEPS {
            if here.is_reached() {
                return Ok((here, step));
            }
            let Some(mut there) = self.nearer(&here, &mut damping) else {
                return Ok((here, step));
            };
            // Terms may cancel at one place, and slopes vanish.
            there.sizes = there.sizes.sup(&here.sizes);
            there.scale = there.scale.max(here.scale);
            there.is_slow = there.off.norm() > SLOW * here.off.norm();
            here = there;
        }
        Ok((here, MAX_STEPS))
    }

    fn place(&self, q: S::Q) -> Result<Place<S::Q>, Error> {
        self.system.admits(self.t, &q)?;
        let basis = self.tangents(&q)?;
        let (outputs, jacobian) = ((self.outputs)(&q)?, (self.jacobian)(&q)?);
        let reach = reach(self.system, self.t, &q, &S::V::blank());
        let reach = DVector::from_column_slice(reach.entries()).abs();
        let slope = &jacobian * &basis;
        Ok(Place {
            scale: slope.norm_squared(),
            is_slow: false,
            sizes: outputs.abs() + self.target.abs() + jacobian.abs() * reach,
            off: &self.target - outputs,
            slope,
            basis,
            q,
        })
    }

    /// Z
    fn tangents(&self, q: &S::Q) -> Result<DMatrix<f64>, Error> {
        let (t, q, v) = (self.t, q.clone(), S::V::blank());
        Ok(Tangents::at(self.system, &State { t, q, v })?.basis)
    }

    /// The end of a step that leads nearer to the target; `None` if there is none.
    ///
    /// The damping follows [Nielsen 1999] *Damping parameter in Marquardt's method*: it shrinks as far as the outputs
    /// change as predicted.
    fn nearer(&self, here: &Place<S::Q>, damping: &mut f64) -> Option<Place<S::Q>> {
        let [_, least, most] = DAMPING;
        let distance = here.off.norm_squared();
        let gradient = here.slope.tr_mul(&here.off);
        let mut hessian = here.slope.tr_mul(&here.slope);
        if here.is_slow {
            hessian -= self.curvature(here)?;
        }
        let bounds = self.bounds(here);
        let mut growth = 4.0;
        while here.scale > 0.0 && *damping <= most {
            let mu = *damping * here.scale;
            let model = if here.is_slow {
                Convex::quadratic(&hessian, &gradient, mu)
            } else {
                Some(Convex::squares(&here.slope, &here.off, mu))
            };
            if let Some((step, held)) = model.and_then(|it| it.least(&bounds)) {
                let predicted = 2.0 * gradient.dot(&step) - step.dot(&(&hessian * &step));
                if predicted <= FEW * f64::EPSILON * distance {
                    return self.off_saddle(here);
                }
                if let Some((q, left)) = self.moved(here, &step, &held) {
                    let part = (distance - left) / predicted;
                    if part > 0.75 {
                        *damping = (0.05 * *damping).max(least);
                    }
                    if part > 0.1
                        && let Ok(there) = self.place(q)
                    {
                        return Some(there);
                    }
                }
            }
            *damping *= growth;
            growth *= 2.0;
        }
        None
    }

    /// A nearer place along the direction in which |y* − y| bends down most where it has no slope, as that of a straight
    /// arm whose target is behind its tip; `None` if it bends up.
    fn off_saddle(&self, here: &Place<S::Q>) -> Option<Place<S::Q>> {
        let curvature = self.curvature(here)?;
        let bent = (here.slope.tr_mul(&here.slope) - curvature).symmetric_eigen();
        let (lowest, bend) = bent.eigenvalues.argmin();
        if bend >= -FLAT * here.scale {
            return None;
        }
        let distance = here.off.norm_squared();
        let mut size = super::root(distance / -bend);
        for _ in 0..MAX_RETURNS {
            for size in [size, -size] {
                let step = bent.eigenvectors.column(lowest) * size;
                if let Some((q, left)) = self.moved(here, &step, &[])
                    && distance - left > -0.1 * bend * size * size
                {
                    return self.place(q).ok();
                }
            }
            size *= 0.25;
        }
        None
    }

    /// The limits of a step.
    fn bounds(&self, here: &Place<S::Q>) -> Vec<Bound> {
        let bounds = self.limited.iter().map(|it| Bound {
            row: here.basis.row(it.velocity).transpose(),
            range: [it.lower, it.upper].map(|end| end - here.q[it.coordinate]),
        });
        bounds.collect()
    }

    /// S of (y* − y)·ÿ = xᵀ S x along the motions Z x that the constraints turn, by polarisation.
    fn curvature(&self, here: &Place<S::Q>) -> Option<DMatrix<f64>> {
        let bend = |v: &DVector<f64>| {
            let v = S::V::blank().like(|i| v[i]);
            Some(here.off.dot(&(self.second)(&here.q, &v).ok()?))
        };
        let rest = bend(&DVector::zeros(here.basis.nrows()))?;
        // Places that move with time add a part that is odd in v.
        let even = |v: DVector<f64>| Some((bend(&v)? + bend(&-v)?) / 2.0 - rest);
        let d = here.basis.ncols();
        let mut curvature = DMatrix::zeros(d, d);
        for i in 0..d {
            curvature[(i, i)] = even(here.basis.column(i).into_owned())?;
            for k in 0..i {
                let both = even(here.basis.column(i) + here.basis.column(k))?;
                let mixed = (both - curvature[(i, i)] - curvature[(k, k)]) / 2.0;
                (curvature[(i, k)], curvature[(k, i)]) = (mixed, mixed);
            }
        }
        Some(curvature)
    }

    /// The coordinates after a step, within limits and on the constraints, and |y* − y|² there.
    fn moved(&self, here: &Place<S::Q>, step: &DVector<f64>, held: &[Held]) -> Option<(S::Q, f64)> {
        let mut moved = self.along(&here.q, &(&here.basis * step));
        for it in held {
            let limited = self.limited[it.bound];
            moved[limited.coordinate] = [limited.lower, limited.upper][it.end];
        }
        let q = self.inside(moved).ok()?;
        let off = &self.target - (self.outputs)(&q).ok()?;
        Some((q, off.norm_squared()))
    }

    /// q + N(q) δ
    fn along(&self, q: &S::Q, step: &DVector<f64>) -> S::Q {
        let velocity = S::V::blank().like(|i| step[i]);
        let change = self.system.kinematics(self.t, q, &velocity);
        let mut moved = q.like(|i| q[i] + change[i]);
        self.system.normalize(&mut moved);
        moved
    }

    /// A nearby place within limits and on the constraints: Newton's method with the violated limits as further rows.
    fn inside(&self, mut q: S::Q) -> Result<S::Q, Error> {
        self.system.normalize(&mut q);
        let mut returns = 0;
        loop {
            for it in &self.limited {
                q[it.coordinate] = it.nearest(q[it.coordinate]);
            }
            let mut there = q.clone();
            let is_moved = S::Rows::LEN != Some(0)
                && project_position(self.system, self.t, &mut there, 0.0, |_, _| ())? > 0;
            let beyond = self.limited.iter().filter(|it| it.is_beyond(&there));
            let beyond: Vec<&Limited> = beyond.collect();
            if !is_moved || beyond.is_empty() {
                return Ok(if is_moved { there } else { q });
            }
            let basis = self.tangents(&there)?;
            if returns == MAX_RETURNS || basis.ncols() == 0 {
                return Err(beyond[0].outside(self.system, &there));
            }
            q = self.returned(&there, &beyond, &basis);
            returns += 1;
        }
    }

    /// The place of a step back to limits, along the constraints.
    fn returned(&self, q: &S::Q, beyond: &[&Limited], basis: &DMatrix<f64>) -> S::Q {
        let rows: Vec<_> = beyond.iter().map(|it| basis.row(it.velocity)).collect();
        let excess = beyond
            .iter()
            .map(|it| it.nearest(q[it.coordinate]) - q[it.coordinate]);
        let excess = DVector::from_iterator(beyond.len(), excess);
        let decomposed = DMatrix::from_rows(&rows).svd(true, true);
        let least = decomposed.singular_values.max() * LEAST_PART;
        let step = decomposed.solve(&excess, least);
        // Both sets of singular vectors are known.
        let step = step.unwrap_or_else(|_| DVector::zeros(basis.ncols()));
        self.along(q, &(basis * step))
    }

    #[cold]
    fn not_reached(&self, place: &Place<S::Q>, steps: usize) -> Error {
        let component = place.off.icamax();
        let at_limits = self.limited.iter().filter(|it| it.is_at_end(&place.q));
        Error::NotReached {
            component,
            residual: place.off[component],
            at_limits: at_limits.count(),
            steps,
        }
    }
}
