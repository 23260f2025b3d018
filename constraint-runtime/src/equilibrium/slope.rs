//! The slope of the forces, each direction scaled by itself.

use nalgebra::linalg::FullPivLU;
use nalgebra::{DMatrix, DVector, Dyn, SVD};

use super::root;

/// Pivots and singular values below this part of the largest, in a matrix whose rows and columns have been scaled to
/// 1, are rounding.
const SINGULAR: f64 = 1e-13;

/// A force along a direction without stiffness is rounding if it is below this part of the forces that act there.
pub(super) const BALANCED: f64 = 1e-9;

/// A matrix K, its rows and columns scaled until the largest entry of each is about 1: S = D K D.
pub(super) struct Slope {
    /// The diagonal of D.
    scale: DVector<f64>,
    factors: Factors,
}

/// S, factored.
enum Factors {
    /// Of full rank. Solved by elimination: singular vectors of small values are less exact.
    Regular(FullPivLU<f64, Dyn, Dyn>),
    /// With a null space.
    Singular {
        decomposed: SVD<f64, Dyn, Dyn>,
        least: f64,
        /// True if a force remains in these directions.
        is_driven: bool,
    },
}

impl Slope {
    /// K at a place where the force `push` remains of forces of the sizes `acting`.
    pub fn of(matrix: DMatrix<f64>, push: &DVector<f64>, acting: &DVector<f64>) -> Self {
        let (matrix, scale) = scaled(matrix);
        let elimination = FullPivLU::new(matrix.clone());
        let pivots = elimination.u().diagonal().abs();
        if pivots.min() > SINGULAR * pivots.max() {
            let factors = Factors::Regular(elimination);
            return Self { scale, factors };
        }
        let decomposed = matrix.svd(true, true);
        let least = SINGULAR * decomposed.singular_values.max();
        let [push, acting] = [push, acting].map(|x| scale.component_mul(x));
        let is_driven = !is_balanced(&decomposed, least, &push, &acting);
        let factors = Factors::Singular {
            decomposed,
            least,
            is_driven,
        };
        Self { scale, factors }
    }

    /// K⁻¹ r; if a force acts along a direction in the null space of K, the direction is treated as very compliant.
    pub fn solve(&self, r: &DVector<f64>) -> DVector<f64> {
        let scaled = self.scale.component_mul(r);
        let solved = match &self.factors {
            Factors::Regular(elimination) => elimination.solve(&scaled),
            Factors::Singular {
                decomposed,
                least,
                is_driven,
            } => solve_singular(decomposed, *least, *is_driven, &scaled),
        };
        let solved = solved.unwrap_or_else(|| DVector::zeros(r.len()));
        self.scale.component_mul(&solved)
    }

    /// True if a force acts along a direction without stiffness.
    pub fn is_driven(&self) -> bool {
        matches!(self.factors, Factors::Singular { is_driven, .. } if is_driven)
    }

    /// The number of directions without stiffness.
    pub fn loose_directions(&self) -> usize {
        match &self.factors {
            Factors::Regular(_) => 0,
            Factors::Singular {
                decomposed, least, ..
            } => {
                let values = decomposed.singular_values.iter();
                values.filter(|&s| s <= least).count()
            }
        }
    }
}

/// The matrix with rows and columns scaled, and the scales.
///
/// [Ruiz 2001] *A scaling algorithm to equilibrate both rows and columns norms in matrices*, with one factor for a
/// direction's row and column, since both belong to the same motion.
fn scaled(mut matrix: DMatrix<f64>) -> (DMatrix<f64>, DVector<f64>) {
    let n = matrix.nrows();
    let mut scale = DVector::repeat(n, 1.0);
    for _ in 0..8 {
        let factor = DVector::from_fn(n, |i, _| {
            let most = matrix.row(i).amax().max(matrix.column(i).amax());
            if most > 0.0 { 1.0 / root(most) } else { 1.0 }
        });
        matrix = DMatrix::from_fn(n, n, |i, j| factor[i] * matrix[(i, j)] * factor[j]);
        scale.component_mul_assign(&factor);
    }
    (matrix, scale)
}

/// S⁻¹ r outside the null space of S; in it, if a force acts there, a long step along r.
fn solve_singular(
    decomposed: &SVD<f64, Dyn, Dyn>,
    least: f64,
    is_driven: bool,
    r: &DVector<f64>,
) -> Option<DVector<f64>> {
    let mut solved = decomposed.solve(r, least).ok()?;
    if is_driven {
        let stiffness = if least > 0.0 { least } else { 1.0 };
        let rows = decomposed.v_t.as_ref()?.row_iter();
        let values = decomposed.singular_values.iter().zip(rows);
        for (_, v) in values.filter(|(s, _)| **s <= least) {
            let v = v.transpose();
            solved.axpy(-v.dot(r) / stiffness, &v, 1.0);
        }
    }
    Some(solved)
}

/// True if r is rounding of forces of the sizes `acting` in the null space of S.
fn is_balanced(
    decomposed: &SVD<f64, Dyn, Dyn>,
    least: f64,
    r: &DVector<f64>,
    acting: &DVector<f64>,
) -> bool {
    let Some(u) = &decomposed.u else {
        return false;
    };
    let mut values = decomposed.singular_values.iter().zip(u.column_iter());
    values.all(|(&s, u)| s > least || u.dot(r).abs() <= BALANCED * u.abs().dot(acting))
}
