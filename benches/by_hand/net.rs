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
        let mut mu = [0.0; RODS];
        // Row i of the band: entries (i, i − BAND) … (i, i).
        let mut band = [[0.0; BAND + 1]; RODS];
        for (i, [a, b]) in ENDS.into_iter().enumerate() {
            d[i] = [q[2 * b] - q[2 * a], q[2 * b + 1] - q[2 * a + 1]];
            let e = [v[2 * b] - v[2 * a], v[2 * b + 1] - v[2 * a + 1]];
            band[i][BAND] = 2.0 * dot(d[i], d[i]);
            mu[i] = -dot(e, e);
        }
        for Pair { high, low, sign } in COUPLED {
            band[high][BAND + low - high] = sign * dot(d[high], d[low]);
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
}

/// Overwrites `x` with A⁻¹ x and the band of A with that of L, the pivots' reciprocals on its diagonal.
#[inline]
fn solve(a: &mut [[f64; BAND + 1]; RODS], x: &mut [f64; RODS]) {
    for i in 0..RODS {
        let first = i.saturating_sub(BAND);
        let mut pivot = a[i][BAND];
        for j in first..i {
            // a_ij holds L_ij D_j until its row is done.
            let mut sum = a[i][BAND + j - i];
            for k in first.max(j.saturating_sub(BAND))..j {
                sum -= a[i][BAND + k - i] * a[j][BAND + k - j];
            }
            a[i][BAND + j - i] = sum;
        }
        for j in first..i {
            let l = a[i][BAND + j - i] * a[j][BAND];
            pivot -= l * a[i][BAND + j - i];
            x[i] -= l * x[j];
            a[i][BAND + j - i] = l;
        }
        a[i][BAND] = 1.0 / pivot;
    }
    for i in 0..RODS {
        x[i] *= a[i][BAND];
    }
    for i in (0..RODS).rev() {
        for j in i.saturating_sub(BAND)..i {
            x[j] -= a[i][BAND + j - i] * x[i];
        }
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
