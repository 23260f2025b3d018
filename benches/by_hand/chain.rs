//! A plane chain of rigid links hanging from the origin, by the Thomas algorithm.
//!
//! With d = r_i − r_(i−1) and e = ṙ_i − ṙ_(i−1), rows d·d̈ + e·e = 0, equal masses and μ = λ/m, the matrix
//! J W Jᵀ is tridiagonal: d₀² and 2 d_i² on the diagonal, −d_i·d_(i−1) beside it. A uniform field acts on
//! the first link alone, and the mass drops out. Assembly and elimination go link by link in one sweep.

use constraint_runtime::nalgebra::SVector;

/// A chain of `N` links of any length; every bead has the same mass.
#[derive(Clone, Copy, Debug)]
pub struct Chain<const N: usize> {
    /// Gravitational acceleration, along −y.
    pub g: f64,
}

impl<const N: usize> Chain<N> {
    /// v̇ by elimination from the anchor to the free end, one division a link; `Q` = 2 `N`.
    #[inline]
    pub fn acceleration<const Q: usize>(
        &self,
        q: &SVector<f64, Q>,
        v: &SVector<f64, Q>,
    ) -> SVector<f64, Q> {
        self.one_ended::<1, Q>(q, v)
    }

    /// The same with the next pivot divided by the last, which shortens the chain of waiting operations.
    ///
    /// Measured 0.92 of the time from 32 links on, and more than one below 8.
    #[inline]
    pub fn acceleration_by_two_divisions<const Q: usize>(
        &self,
        q: &SVector<f64, Q>,
        v: &SVector<f64, Q>,
    ) -> SVector<f64, Q> {
        self.one_ended::<2, Q>(q, v)
    }

    /// The same by elimination from both ends at once, which meet in the middle (N ≥ 2).
    // Inlined, its result would be built beside its place and copied there, which from 256 links on takes
    // as long as the rest: copies of 4 KB and more can meet a slow path of the processor.
    #[inline(never)]
    pub fn acceleration_from_both_ends<const Q: usize>(
        &self,
        q: &SVector<f64, Q>,
        v: &SVector<f64, Q>,
    ) -> SVector<f64, Q> {
        const { assert!(Q == 2 * N && N >= 2) };
        let middle = N / 2;
        let (mut reduced, mut ratio) = ([0.0; N], [0.0; N]);
        let mut top = self.anchored::<1, Q>(q, v);
        let mut bottom = Sweep::<1>::free(link(q, N - 1), link(v, N - 1));
        reduced[0] = top.reduced;
        reduced[N - 1] = bottom.reduced;
        for i in 1..N - 1 - middle {
            let j = N - 1 - i;
            ratio[j + 1] = bottom.advance(link(q, j), link(v, j));
            reduced[j] = bottom.reduced;
            ratio[i - 1] = top.advance(link(q, i), link(v, i));
            reduced[i] = top.reduced;
        }
        // The upper half is longer by one row when N is even, and two links have no lower half.
        for i in (N - 1 - middle).max(1)..middle {
            ratio[i - 1] = top.advance(link(q, i), link(v, i));
            reduced[i] = top.reduced;
        }
        let d = link(q, middle);
        let mu = if middle + 1 < N {
            ratio[middle - 1] = dot(d, top.last) * top.inverse;
            ratio[middle + 1] = dot(d, bottom.last) * bottom.inverse;
            top.meet(&bottom, d, link(v, middle))
        } else {
            ratio[middle - 1] = top.advance(d, link(v, middle));
            top.reduced
        };
        let mut a = SVector::zeros();
        self.pull_from_middle(q, middle, mu, &reduced, &ratio, &mut a);
        a
    }

    #[inline(always)]
    fn one_ended<const DIVISIONS: usize, const Q: usize>(
        &self,
        q: &SVector<f64, Q>,
        v: &SVector<f64, Q>,
    ) -> SVector<f64, Q> {
        const { assert!(Q == 2 * N) };
        // μ_i = reduced_i + ratio_i μ_(i+1)
        let (mut reduced, mut ratio) = ([0.0; N], [0.0; N]);
        let mut sweep = self.anchored::<DIVISIONS, Q>(q, v);
        reduced[0] = sweep.reduced;
        for i in 1..N {
            ratio[i - 1] = sweep.advance(link(q, i), link(v, i));
            reduced[i] = sweep.reduced;
        }
        let mut a = SVector::zeros();
        let (mut mu, mut below) = (0.0, (0.0, 0.0));
        for i in (0..N).rev() {
            mu = reduced[i] + ratio[i] * mu;
            let pull = scaled(link(q, i), mu);
            self.hang(&mut a, i, pull, below);
            below = pull;
        }
        a
    }

    /// The first link: its bead alone moves, and gravity pulls along it.
    #[inline(always)]
    fn anchored<const DIVISIONS: usize, const Q: usize>(
        &self,
        q: &SVector<f64, Q>,
        v: &SVector<f64, Q>,
    ) -> Sweep<DIVISIONS> {
        let (d, e) = (link(q, 0), link(v, 0));
        Sweep::start(d, dot(d, d), self.g * d.1 - dot(e, e))
    }

    /// Back substitution from `middle` to both ends at once.
    #[inline(always)]
    fn pull_from_middle<const Q: usize>(
        &self,
        q: &SVector<f64, Q>,
        middle: usize,
        mu: f64,
        reduced: &[f64; N],
        ratio: &[f64; N],
        a: &mut SVector<f64, Q>,
    ) {
        let pull = scaled(link(q, middle), mu);
        let (mut upper, mut below) = (mu, pull);
        let (mut lower, mut above) = (mu, pull);
        for k in 0..middle {
            let i = middle - 1 - k;
            upper = reduced[i] + ratio[i] * upper;
            let pull = scaled(link(q, i), upper);
            self.hang(a, i, pull, below);
            below = pull;
            let j = middle + 1 + k;
            if j < N {
                lower = reduced[j] + ratio[j] * lower;
                let pull = scaled(link(q, j), lower);
                self.hang(a, j - 1, above, pull);
                above = pull;
            }
        }
        self.hang(a, N - 1, above, (0.0, 0.0));
    }

    /// Bead `i` between the pulls of the link above and the link below.
    #[inline(always)]
    fn hang<const Q: usize>(
        &self,
        a: &mut SVector<f64, Q>,
        i: usize,
        above: (f64, f64),
        below: (f64, f64),
    ) {
        a[2 * i] = above.0 - below.0;
        a[2 * i + 1] = above.1 - below.1 - self.g;
    }
}

/// The elimination's front: the last link, its pivot and what is left of its right side.
struct Sweep<const DIVISIONS: usize> {
    last: (f64, f64),
    pivot: f64,
    inverse: f64,
    reduced: f64,
}

impl<const DIVISIONS: usize> Sweep<DIVISIONS> {
    #[inline(always)]
    fn start(d: (f64, f64), pivot: f64, right: f64) -> Self {
        let inverse = 1.0 / pivot;
        Self {
            last: d,
            pivot,
            inverse,
            reduced: right * inverse,
        }
    }

    /// Starts from a link between two moving beads.
    #[inline(always)]
    fn free(d: (f64, f64), e: (f64, f64)) -> Self {
        Self::start(d, 2.0 * dot(d, d), -dot(e, e))
    }

    /// Goes on to the link (d, e); gives what its μ contributes to the last one's.
    #[inline(always)]
    fn advance(&mut self, d: (f64, f64), e: (f64, f64)) -> f64 {
        let beside = dot(d, self.last);
        // beside² is ready before the reciprocal: one product less to wait for.
        let taken = match DIVISIONS {
            1 => beside * beside * self.inverse,
            _ => beside * beside / self.pivot,
        };
        let ratio = beside * self.inverse;
        *self = Self::start(
            d,
            2.0 * dot(d, d) - taken,
            beside * self.reduced - dot(e, e),
        );
        ratio
    }

    /// μ of the link (d, e) between this front and `other`.
    #[inline(always)]
    fn meet(&self, other: &Self, d: (f64, f64), e: (f64, f64)) -> f64 {
        let (here, there) = (dot(d, self.last), dot(d, other.last));
        let pivot = 2.0 * dot(d, d) - here * here * self.inverse - there * there * other.inverse;
        (here * self.reduced + there * other.reduced - dot(e, e)) / pivot
    }
}

/// Difference of bead `i` and the one before it; the anchor is the origin.
#[inline(always)]
fn link<const Q: usize>(x: &SVector<f64, Q>, i: usize) -> (f64, f64) {
    if i == 0 {
        (x[0], x[1])
    } else {
        (x[2 * i] - x[2 * i - 2], x[2 * i + 1] - x[2 * i - 1])
    }
}

#[inline(always)]
fn dot(a: (f64, f64), b: (f64, f64)) -> f64 {
    a.0 * b.0 + a.1 * b.1
}

#[inline(always)]
fn scaled(a: (f64, f64), factor: f64) -> (f64, f64) {
    (a.0 * factor, a.1 * factor)
}
