//! A net of 4 × 4 beads and 24 rods, by a banded L D Lᵀ with index loops.
//!
//! Rods are numbered bead by bead, row by row: to the right neighbour, then to the one below. Two rods are
//! coupled when they share a bead, which keeps their numbers within [`BAND`] of each other.

use constraint_runtime::nalgebra::SVector;

/// Beads along one side.
const SIDE: usize = 4;
/// Rods.
const RODS: usize = 2 * SIDE * (SIDE - 1);
/// Pairs of rods that share a bead.
const PAIRS: usize = 52;
/// Largest difference of two coupled rods' numbers.
const BAND: usize = 7;

/// Rods and as many rows of zeros as the band reaches beyond them.
const PADDED: usize = RODS + BAND;

/// Both beads of each rod.
pub(super) const ENDS: [[usize; 2]; RODS] = ends();
const COUPLED: [Pair; PAIRS] = coupled();

/// Two rods of one bead; `sign` is +1 where both start or both end there.
#[derive(Clone, Copy)]
struct Pair {
    high: usize,
    low: usize,
    sign: f64,
}

/// A free net; every bead has the same mass.
#[derive(Clone, Copy, Debug)]
pub struct Net {
    /// Gravitational acceleration, along −y; it acts on no rod.
    pub g: f64,
}

impl Net {
    /// v̇ of the sixteen beads.
    #[inline]
    pub fn acceleration(&self, q: &SVector<f64, 32>, v: &SVector<f64, 32>) -> SVector<f64, 32> {
        let mut d = [[0.0; 2]; RODS];
        let mut mu = [0.0; PADDED];
        let mut band = [[0.0; BAND + 1]; PADDED];
        for (i, [a, b]) in ENDS.into_iter().enumerate() {
            d[i] = [q[2 * b] - q[2 * a], q[2 * b + 1] - q[2 * a + 1]];
            let e = [v[2 * b] - v[2 * a], v[2 * b + 1] - v[2 * a + 1]];
            band[i][0] = 2.0 * dot(d[i], d[i]);
            mu[i] = -dot(e, e);
        }
        for Pair { high, low, sign } in COUPLED {
            band[low][high - low] = sign * dot(d[high], d[low]);
        }
        solve(&mut band, &mut mu);
        let mut a = SVector::from_fn(|i, _| if i % 2 == 1 { -self.g } else { 0.0 });
        for (i, [from, to]) in ENDS.into_iter().enumerate() {
            for axis in 0..2 {
                let pull = mu[i] * d[i][axis];
                a[2 * from + axis] -= pull;
                a[2 * to + axis] += pull;
            }
        }
        a
    }

    /// The same with the elimination as textbooks have it: index loops over the band alone.
    // Written out once more: what the two share, taken out, costs the other 1.15 times the time.
    #[inline]
    pub fn acceleration_by_index_loops(
        &self,
        q: &SVector<f64, 32>,
        v: &SVector<f64, 32>,
    ) -> SVector<f64, 32> {
        let mut d = [[0.0; 2]; RODS];
        let mut mu = [0.0; RODS];
        let mut band = [[0.0; BAND + 1]; RODS];
        for (i, [a, b]) in ENDS.into_iter().enumerate() {
            d[i] = [q[2 * b] - q[2 * a], q[2 * b + 1] - q[2 * a + 1]];
            let e = [v[2 * b] - v[2 * a], v[2 * b + 1] - v[2 * a + 1]];
            band[i][0] = 2.0 * dot(d[i], d[i]);
            mu[i] = -dot(e, e);
        }
        for Pair { high, low, sign } in COUPLED {
            band[low][high - low] = sign * dot(d[high], d[low]);
        }
        solve_by_index_loops(&mut band, &mut mu);
        let mut a = SVector::from_fn(|i, _| if i % 2 == 1 { -self.g } else { 0.0 });
        for (i, [from, to]) in ENDS.into_iter().enumerate() {
            for axis in 0..2 {
                let pull = mu[i] * d[i][axis];
                a[2 * from + axis] -= pull;
                a[2 * to + axis] += pull;
            }
        }
        a
    }
}

/// Overwrites `x` with A⁻¹ x; row i of the band holds A_ii … A_(i, i + BAND), then L D.
///
/// Right-looking over padded rows, so that the compiler knows the length of every inner loop: 0.8 of
/// the time of [`solve_by_index_loops`].
// Half-open ranges and indices: inclusive ranges are not unrolled, iterators measured 1.1 times as long.
#[inline]
fn solve(a: &mut [[f64; BAND + 1]; PADDED], x: &mut [f64; PADDED]) {
    for i in 0..RODS {
        let row = a[i];
        let inverse = 1.0 / row[0];
        a[i][0] = inverse;
        for j in 1..BAND + 1 {
            let l = row[j] * inverse;
            for k in j..BAND + 1 {
                a[i + j][k - j] -= l * row[k];
            }
            x[i + j] -= l * x[i];
        }
    }
    for i in (0..RODS).rev() {
        let above: f64 = (1..BAND + 1).map(|j| a[i][j] * x[i + j]).sum();
        x[i] = (x[i] - above) * a[i][0];
    }
}

/// Overwrites `x` with A⁻¹ x, and the band as [`solve`] does.
#[inline]
fn solve_by_index_loops(a: &mut [[f64; BAND + 1]; RODS], x: &mut [f64; RODS]) {
    for i in 0..RODS {
        let reach = BAND.min(RODS - 1 - i);
        let inverse = 1.0 / a[i][0];
        for j in 1..reach + 1 {
            let l = a[i][j] * inverse;
            for k in j..reach + 1 {
                a[i + j][k - j] -= l * a[i][k];
            }
            x[i + j] -= l * x[i];
        }
        a[i][0] = inverse;
    }
    for i in (0..RODS).rev() {
        let reach = BAND.min(RODS - 1 - i);
        let mut sum = x[i];
        for j in 1..reach + 1 {
            sum -= a[i][j] * x[i + j];
        }
        x[i] = sum * a[i][0];
    }
}

#[inline(always)]
fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

const fn ends() -> [[usize; 2]; RODS] {
    let mut ends = [[0; 2]; RODS];
    let (mut rod, mut bead) = (0, 0);
    while bead < SIDE * SIDE {
        if bead % SIDE + 1 < SIDE {
            ends[rod] = [bead, bead + 1];
            rod += 1;
        }
        if bead / SIDE + 1 < SIDE {
            ends[rod] = [bead, bead + SIDE];
            rod += 1;
        }
        bead += 1;
    }
    ends
}

const fn coupled() -> [Pair; PAIRS] {
    let nothing = Pair {
        high: 0,
        low: 0,
        sign: 0.0,
    };
    let mut pairs = [nothing; PAIRS];
    let (mut count, mut high) = (0, 0);
    while high < RODS {
        let mut low = 0;
        while low < high {
            let ([a, b], [c, d]) = (ENDS[high], ENDS[low]);
            let alike = a == c || b == d;
            if alike || a == d || b == c {
                assert!(high - low <= BAND);
                let sign = if alike { 1.0 } else { -1.0 };
                pairs[count] = Pair { high, low, sign };
                count += 1;
            }
            low += 1;
        }
        high += 1;
    }
    assert!(count == PAIRS);
    pairs
}
