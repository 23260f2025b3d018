//! A chain of equal rigid links on ball joints, by block-tridiagonal elimination.
//!
//! Every link hangs with the point u = R l e₃ from the last one's −u, the first from the origin; its moments about
//! its own axes are a, b, c. Both arms of a link lie along e₃, so that a force F at one of them turns it by
//! I⁻¹ (u×F), and the arm's end moves with G F, where
//!
//! ```text
//! G = −[u]× I⁻¹ [u]× = l² (e₁ e₁ᵀ/b + e₂ e₂ᵀ/a)
//! J W Jᵀ   diagonal 2/m + G_i + G_(i−1), first 1/m + G_0;  beside it G_i − 1/m, symmetric too
//! right    −(c_i + c_(i−1)), first −(g + c_0);  c = α₀×u + ω×(ω×u),  α₀ = −I⁻¹ (ω×I ω)
//! ```
//! Gravity acts on the first row alone. Then v̇ = g + (λ_i − λ_(i+1))/m and ω̇ = α₀ + I⁻¹ (u×(λ_i + λ_(i+1))).

use constraint_runtime::nalgebra::{SVector, Vector3};

/// A chain of `N` links.
#[derive(Clone, Copy, Debug)]
pub struct Links<const N: usize> {
    /// Mass of a link.
    pub m: f64,
    /// Moments about its own axes, of which the third lies along it.
    pub moments: [f64; 3],
    /// Half the length of a link.
    pub l: f64,
    /// Gravitational acceleration, along −z.
    pub g: f64,
}

/// A symmetric 3×3 matrix: xx, xy, xz, yy, yz, zz.
type Symmetric = [f64; 6];
type Vector = Vector3<f64>;

/// What a link contributes.
#[derive(Clone, Copy)]
struct Link {
    axes: [Vector; 3],
    compliance: Symmetric,
    /// α₀ in the frame of the link.
    free: Vector,
    /// c
    moved: Vector,
}

impl<const N: usize> Links<N> {
    /// (v̇, ω̇) of all links by elimination from the first to the last; `Q` = 7 `N`, `V` = 6 `N`.
    #[inline]
    pub fn acceleration<const Q: usize, const V: usize>(
        &self,
        q: &SVector<f64, Q>,
        v: &SVector<f64, V>,
    ) -> SVector<f64, V> {
        const { assert!(Q == 7 * N && V == 6 * N) };
        let w = 1.0 / self.m;
        let inverse = self.moments.map(|moment| 1.0 / moment);
        let links: [Link; N] = std::array::from_fn(|i| self.link(q, v, i, &inverse));
        // λ_i = reduced_i − beside_i λ_(i+1)
        let mut inverses = [[0.0; 6]; N];
        let mut reduced = [Vector::zeros(); N];
        let mut pivot = plus_diagonal(&links[0].compliance, w);
        let mut right = -links[0].moved;
        right.z += self.g;
        for i in 0..N {
            inverses[i] = inverted(&pivot);
            reduced[i] = times(&inverses[i], &right);
            if i + 1 < N {
                let beside = plus_diagonal(&links[i].compliance, -w);
                let taken = sandwiched(&beside, &inverses[i]);
                let sum: Symmetric = std::array::from_fn(|k| {
                    links[i].compliance[k] + links[i + 1].compliance[k] - taken[k]
                });
                pivot = plus_diagonal(&sum, 2.0 * w);
                right = -(links[i].moved + links[i + 1].moved) - times(&beside, &reduced[i]);
            }
        }
        let mut a = SVector::<f64, V>::zeros();
        let mut below = Vector::zeros();
        for i in (0..N).rev() {
            let mut lambda = reduced[i];
            if i + 1 < N {
                let beside = plus_diagonal(&links[i].compliance, -w);
                lambda -= times(&inverses[i], &times(&beside, &below));
            }
            let linear = (lambda - below) * w - Vector::z() * self.g;
            let angular = self.turned(&links[i], &inverse, &(lambda + below));
            a.fixed_rows_mut::<3>(6 * i).copy_from(&linear);
            a.fixed_rows_mut::<3>(6 * i + 3).copy_from(&angular);
            below = lambda;
        }
        a
    }

    #[inline(always)]
    fn link<const Q: usize, const V: usize>(
        &self,
        q: &SVector<f64, Q>,
        v: &SVector<f64, V>,
        i: usize,
        inverse: &[f64; 3],
    ) -> Link {
        let axes = axes([q[7 * i + 3], q[7 * i + 4], q[7 * i + 5], q[7 * i + 6]]);
        let spin = Vector::new(v[6 * i + 3], v[6 * i + 4], v[6 * i + 5]);
        let [a, b, c] = self.moments;
        let [x, y, z] = axes.map(|axis| axis.dot(&spin));
        // Euler's equations, in the frame of the link.
        let free = Vector::new(
            (b - c) * inverse[0] * y * z,
            (c - a) * inverse[1] * z * x,
            (a - b) * inverse[2] * x * y,
        );
        let squared = self.l * self.l;
        let (first, second) = (
            axes[0] * (squared * inverse[1]),
            axes[1] * (squared * inverse[0]),
        );
        let compliance = |m: usize, n: usize| first[m] * axes[0][n] + second[m] * axes[1][n];
        // c there: α₀×l e₃ + ω (ω·l e₃) − ω² l e₃
        let moved = axes[0] * (self.l * (free.y + x * z)) + axes[1] * (self.l * (y * z - free.x))
            - axes[2] * (self.l * (x * x + y * y));
        Link {
            axes,
            compliance: [
                compliance(0, 0),
                compliance(0, 1),
                compliance(0, 2),
                compliance(1, 1),
                compliance(1, 2),
                compliance(2, 2),
            ],
            free,
            moved,
        }
    }

    /// ω̇ under the force at the arm's end: e₃×F has no part along e₃.
    #[inline(always)]
    fn turned(&self, link: &Link, inverse: &[f64; 3], force: &Vector) -> Vector {
        let [first, second, third] = &link.axes;
        let x = link.free.x - self.l * inverse[0] * second.dot(force);
        let y = link.free.y + self.l * inverse[1] * first.dot(force);
        first * x + second * y + third * link.free.z
    }
}

/// The axes of a body turned by the unit quaternion (i, j, k, w).
#[inline(always)]
fn axes([i, j, k, w]: [f64; 4]) -> [Vector; 3] {
    let (i2, j2, k2) = (i + i, j + j, k + k);
    let (ii, jj, kk) = (i * i2, j * j2, k * k2);
    let (ij, ik, jk) = (i * j2, i * k2, j * k2);
    let (wi, wj, wk) = (w * i2, w * j2, w * k2);
    [
        Vector::new(1.0 - jj - kk, ij + wk, ik - wj),
        Vector::new(ij - wk, 1.0 - ii - kk, jk + wi),
        Vector::new(ik + wj, jk - wi, 1.0 - ii - jj),
    ]
}

#[inline(always)]
fn plus_diagonal(a: &Symmetric, d: f64) -> Symmetric {
    [a[0] + d, a[1], a[2], a[3] + d, a[4], a[5] + d]
}

/// Adjugate over determinant.
#[inline(always)]
fn inverted([xx, xy, xz, yy, yz, zz]: &Symmetric) -> Symmetric {
    let (a, b, c) = (yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy);
    let reciprocal = 1.0 / (xx * a + xy * b + xz * c);
    [
        a * reciprocal,
        b * reciprocal,
        c * reciprocal,
        (xx * zz - xz * xz) * reciprocal,
        (xy * xz - xx * yz) * reciprocal,
        (xx * yy - xy * xy) * reciprocal,
    ]
}

#[inline(always)]
fn times(a: &Symmetric, x: &Vector) -> Vector {
    Vector::new(
        a[0] * x.x + a[1] * x.y + a[2] * x.z,
        a[1] * x.x + a[3] * x.y + a[4] * x.z,
        a[2] * x.x + a[4] * x.y + a[5] * x.z,
    )
}

/// B A B
#[inline(always)]
fn sandwiched(b: &Symmetric, a: &Symmetric) -> Symmetric {
    let columns = [
        Vector::new(b[0], b[1], b[2]),
        Vector::new(b[1], b[3], b[4]),
        Vector::new(b[2], b[4], b[5]),
    ];
    let weighed = columns.map(|column| times(a, &column));
    [
        columns[0].dot(&weighed[0]),
        columns[0].dot(&weighed[1]),
        columns[0].dot(&weighed[2]),
        columns[1].dot(&weighed[1]),
        columns[1].dot(&weighed[2]),
        columns[2].dot(&weighed[2]),
    ]
}
