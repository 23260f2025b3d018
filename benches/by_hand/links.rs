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

/// A row of blocks, eliminated.
#[derive(Clone, Copy, Default)]
struct Row {
    inverse: Symmetric,
    reduced: Vector,
}

impl Row {
    #[inline(always)]
    fn new(pivot: &Symmetric, right: Vector) -> Self {
        let inverse = inverted(pivot);
        let reduced = times(&inverse, &right);
        Self { inverse, reduced }
    }

    /// The next row, this one taken out of it.
    #[inline(always)]
    fn eliminated(&self, beside: &Symmetric, block: Symmetric, right: Vector) -> Self {
        let taken = sandwiched(beside, &self.inverse);
        let pivot: Symmetric = std::array::from_fn(|k| block[k] - taken[k]);
        Self::new(&pivot, right - times(beside, &self.reduced))
    }

    /// λ, that of the next row known.
    #[inline(always)]
    fn solved(&self, beside: &Symmetric, next: &Vector) -> Vector {
        self.reduced - times(&self.inverse, &times(beside, next))
    }
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
        let (w, inverse, links) = self.links(q, v);
        let mut front = [Row::default(); N];
        for i in 0..N {
            front[i] = match i {
                0 => Row::new(&self.block(&links, 0, w), self.right(&links, 0)),
                _ => {
                    let (block, right) = (self.block(&links, i, w), self.right(&links, i));
                    let beside = plus_diagonal(&links[i - 1].compliance, -w);
                    front[i - 1].eliminated(&beside, block, right)
                }
            };
        }
        let mut lambda = [Vector::zeros(); N];
        lambda[N - 1] = front[N - 1].reduced;
        for i in (0..N - 1).rev() {
            let beside = plus_diagonal(&links[i].compliance, -w);
            lambda[i] = front[i].solved(&beside, &lambda[i + 1]);
        }
        self.accelerations(&links, &inverse, w, &lambda)
    }

    /// The same by elimination from both ends at once, which meet in the middle (N ≥ 2).
    #[inline(never)]
    pub fn acceleration_from_both_ends<const Q: usize, const V: usize>(
        &self,
        q: &SVector<f64, Q>,
        v: &SVector<f64, V>,
    ) -> SVector<f64, V> {
        const { assert!(Q == 7 * N && V == 6 * N && N >= 2) };
        let (w, inverse, links) = self.links(q, v);
        let beside = |i: usize| plus_diagonal(&links[i].compliance, -w);
        let row = |i: usize| (self.block(&links, i, w), self.right(&links, i));
        let middle = N / 2;
        let mut rows = [Row::default(); N];
        for k in 0..middle {
            let (block, right) = row(k);
            rows[k] = match k {
                0 => Row::new(&block, right),
                _ => rows[k - 1].eliminated(&beside(k - 1), block, right),
            };
            let i = N - 1 - k;
            if i > middle {
                let (block, right) = row(i);
                rows[i] = match k {
                    0 => Row::new(&block, right),
                    _ => rows[i + 1].eliminated(&beside(i), block, right),
                };
            }
        }
        let (mut block, mut right) = row(middle);
        let mut meet = |from: &Row, beside: &Symmetric| {
            let taken = sandwiched(beside, &from.inverse);
            block = std::array::from_fn(|k| block[k] - taken[k]);
            right -= times(beside, &from.reduced);
        };
        meet(&rows[middle - 1], &beside(middle - 1));
        if middle + 1 < N {
            meet(&rows[middle + 1], &beside(middle));
        }
        let mut lambda = [Vector::zeros(); N];
        lambda[middle] = Row::new(&block, right).reduced;
        for k in 1..=middle {
            let i = middle - k;
            lambda[i] = rows[i].solved(&beside(i), &lambda[i + 1]);
            let i = middle + k;
            if i < N {
                lambda[i] = rows[i].solved(&beside(i - 1), &lambda[i - 1]);
            }
        }
        self.accelerations(&links, &inverse, w, &lambda)
    }

    #[inline(always)]
    fn links<const Q: usize, const V: usize>(
        &self,
        q: &SVector<f64, Q>,
        v: &SVector<f64, V>,
    ) -> (f64, [f64; 3], [Link; N]) {
        let inverse = self.moments.map(|moment| 1.0 / moment);
        let links = std::array::from_fn(|i| self.link(q, v, i, &inverse));
        (1.0 / self.m, inverse, links)
    }

    /// J W Jᵀ of joint i.
    #[inline(always)]
    fn block(&self, links: &[Link; N], i: usize, w: f64) -> Symmetric {
        let own = &links[i].compliance;
        match i {
            0 => plus_diagonal(own, w),
            _ => {
                let last = &links[i - 1].compliance;
                plus_diagonal(&std::array::from_fn(|k| own[k] + last[k]), 2.0 * w)
            }
        }
    }

    #[inline(always)]
    fn right(&self, links: &[Link; N], i: usize) -> Vector {
        match i {
            0 => Vector::z() * self.g - links[0].moved,
            _ => -(links[i].moved + links[i - 1].moved),
        }
    }

    #[inline(always)]
    fn accelerations<const V: usize>(
        &self,
        links: &[Link; N],
        inverse: &[f64; 3],
        w: f64,
        lambda: &[Vector; N],
    ) -> SVector<f64, V> {
        let mut a = SVector::<f64, V>::zeros();
        for i in 0..N {
            let below = if i + 1 < N {
                lambda[i + 1]
            } else {
                Vector::zeros()
            };
            let linear = (lambda[i] - below) * w - Vector::z() * self.g;
            let angular = self.turned(&links[i], inverse, &(lambda[i] + below));
            a.fixed_rows_mut::<3>(6 * i).copy_from(&linear);
            a.fixed_rows_mut::<3>(6 * i + 3).copy_from(&angular);
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
