//! The least value of a convex quadratic function within bounds, for the few unknowns of a mechanism.

use alloc::vec::Vec;

use nalgebra::{DMatrix, DVector};

/// A convex function |R x − z₀|², R of upper triangular form.
pub(super) struct Convex {
    r: DMatrix<f64>,
    best: DVector<f64>,
}

impl Convex {
    /// |A x − b|² + μ |x|²: [A; √μ] = Q R.
    pub fn squares(a: &DMatrix<f64>, b: &DVector<f64>, mu: f64) -> Self {
        let (k, d) = a.shape();
        let mut tall = DMatrix::zeros(k + d, d);
        tall.rows_mut(0, k).copy_from(a);
        tall.rows_mut(k, d).fill_diagonal(super::root(mu));
        let mut right = DVector::zeros(k + d);
        right.rows_mut(0, k).copy_from(b);
        let factors = tall.qr();
        factors.q_tr_mul(&mut right);
        Self {
            r: factors.unpack_r(),
            best: right.rows(0, d).into_owned(),
        }
    }

    /// xᵀ (H + μ) x − 2 gᵀ x: H + μ = Rᵀ R; `None` if it is not convex.
    pub fn quadratic(h: &DMatrix<f64>, g: &DVector<f64>, mu: f64) -> Option<Self> {
        let d = h.nrows();
        let r = (h + DMatrix::identity(d, d) * mu)
            .cholesky()?
            .l()
            .transpose();
        let best = r.tr_solve_upper_triangular(g)?;
        Some(Self { r, best })
    }

    /// The least value with lower ≤ g x ≤ upper, where x = 0 is allowed; and the bounds that hold x.
    ///
    /// By active sets in z = R x: the point of a polyhedron nearest to z₀ [Nocedal & Wright 2006, section 16.5].
    pub fn least(&self, bounds: &[Bound]) -> Option<(DVector<f64>, Vec<Held>)> {
        let row = |it: &Bound| self.r.tr_solve_upper_triangular(&it.row);
        let rows: Option<Vec<DVector<f64>>> = bounds.iter().map(row).collect();
        let inner = Polyhedron {
            best: &self.best,
            rows: &rows?,
            bounds,
        };
        let (nearest, held) = inner.nearest();
        Some((self.r.solve_upper_triangular(&nearest)?, held))
    }
}

/// lower ≤ g x ≤ upper
pub(super) struct Bound {
    pub row: DVector<f64>,
    pub range: [f64; 2],
}

/// A bound that holds x, and which end of its range.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub bound: usize,
    pub end: usize,
}

/// Bounds of z = R x.
struct Polyhedron<'a> {
    /// z₀
    best: &'a DVector<f64>,
    /// R⁻ᵀ g
    rows: &'a [DVector<f64>],
    bounds: &'a [Bound],
}

impl Polyhedron<'_> {
    /// The point nearest to z₀, starting at 0: along straight lines to the best point on the bounds that hold it,
    /// up to the next bound; a bound that pulls is released.
    fn nearest(&self) -> (DVector<f64>, Vec<Held>) {
        let (best, rows) = (self.best, self.rows);
        let mut here = DVector::zeros(best.len());
        let mut held: Vec<Held> = Vec::new();
        // Active sets end; a limit guards against rounding.
        for _ in 0..4 * (rows.len() + 1) {
            let Some((there, pushes)) = self.best_on(&held) else {
                return (here, held);
            };
            let step = &there - &here;
            match self.first_met(&here, &step, &held) {
                Some((part, next)) => {
                    here.axpy(part, &step, 1.0);
                    held.push(next);
                }
                None => {
                    here = there;
                    let pulls = |(k, it): (usize, &Held)| {
                        let push = pushes[k] * rows[it.bound].norm();
                        if it.end == 0 { -push } else { push }
                    };
                    let pulls = held.iter().enumerate().map(pulls).enumerate();
                    match pulls.max_by(|a, b| a.1.total_cmp(&b.1)) {
                        Some((k, pull)) if pull > 0.0 => drop(held.remove(k)),
                        _ => return (here, held),
                    }
                }
            }
        }
        (here, held)
    }

    /// The point nearest to z₀ at the ends that hold it, z₀ + Σ ν g, and ν; `None` if they depend on each other.
    fn best_on(&self, held: &[Held]) -> Option<(DVector<f64>, DVector<f64>)> {
        let (best, rows) = (self.best, self.rows);
        if held.is_empty() {
            return Some((best.clone(), DVector::zeros(0)));
        }
        if held.len() > best.len() {
            return None;
        }
        let columns: Vec<DVector<f64>> = held.iter().map(|it| rows[it.bound].clone()).collect();
        let factors = DMatrix::from_columns(&columns).qr();
        let (q, r) = (factors.q(), factors.unpack_r());
        let ends = held.iter().map(|it| self.bounds[it.bound].range[it.end]);
        let ends = DVector::from_iterator(held.len(), ends);
        let missing = r.tr_solve_upper_triangular(&ends)? - q.tr_mul(best);
        Some((best + &q * &missing, r.solve_upper_triangular(&missing)?))
    }

    /// The part of a step after which the first bound is met.
    fn first_met(
        &self,
        here: &DVector<f64>,
        step: &DVector<f64>,
        held: &[Held],
    ) -> Option<(f64, Held)> {
        let mut first: Option<(f64, Held)> = None;
        for (bound, row) in self.rows.iter().enumerate() {
            if held.iter().any(|it| it.bound == bound) {
                continue;
            }
            let (at, change) = (row.dot(here), row.dot(step));
            let end = usize::from(change > 0.0);
            // Rounding of a step along the bounds that hold it.
            if change.abs() <= 8.0 * f64::EPSILON * row.norm() * step.norm() {
                continue;
            }
            let part = ((self.bounds[bound].range[end] - at) / change).max(0.0);
            if part < first.map_or(1.0, |it| it.0) {
                first = Some((part, Held { bound, end }));
            }
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solved(rows: &[([f64; 2], [f64; 2])]) -> DVector<f64> {
        // The circle |x − (3, 1)|.
        let (matrix, right) = (DMatrix::identity(2, 2), DVector::from_vec(vec![3.0, 1.0]));
        let bound = |&(row, range): &([f64; 2], [f64; 2])| Bound {
            row: DVector::from_column_slice(&row),
            range,
        };
        let bounds: Vec<Bound> = rows.iter().map(bound).collect();
        let by_squares = Convex::squares(&matrix, &right, 1e-30).least(&bounds);
        let by_matrix = Convex::quadratic(&matrix, &right, 1e-30);
        let [found, same] = [by_squares, by_matrix.and_then(|it| it.least(&bounds))]
            .map(|it| it.expect("convex").0);
        assert!((&found - same).norm() < 1e-14);
        found
    }

    fn assert_near(found: DVector<f64>, expected: [f64; 2]) {
        let off = found - DVector::from_column_slice(&expected);
        assert!(off.norm() < 1e-14, "{off}");
    }

    #[test]
    fn the_nearest_point_within_bounds() {
        let all = [f64::NEG_INFINITY, f64::INFINITY];
        assert_near(solved(&[]), [3.0, 1.0]);
        assert_near(solved(&[([1.0, 0.0], [-1.0, 2.0])]), [2.0, 1.0]);
        assert_near(
            solved(&[([1.0, 0.0], all), ([0.0, 1.0], [0.0, 0.5])]),
            [3.0, 0.5],
        );
        // A corner, then a bound that is met first and does not hold in the end.
        let corner = [([1.0, 0.0], [-1.0, 2.0]), ([0.0, 1.0], [-1.0, 0.0])];
        assert_near(solved(&corner), [2.0, 0.0]);
        let wedge = [([1.0, 2.0], [-9.0, 1.0]), ([1.0, -2.0], [-9.0, 0.5])];
        assert_near(solved(&wedge), [0.75, 0.125]);
        let passed = [([0.0, 1.0], [-1.0, 0.25]), ([1.0, 1.0], [-9.0, 2.0])];
        assert_near(solved(&passed), [2.0, 0.0]);
    }
}
