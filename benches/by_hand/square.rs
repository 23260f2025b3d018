//! Closed loops of rods between particles of equal mass, by sparse elimination.
//!
//! Notation of [`Chain`](super::Chain): d and e of each rod, μ = λ/m, `c` the product of neighbours. Opposite
//! rods share no bead: their two rows are eliminated independently, the others follow.

use constraint_runtime::nalgebra::SVector;

/// Four beads and four rods 0–1–2–3–0, free to fall.
#[derive(Clone, Copy, Debug)]
pub struct Square {
    /// Gravitational acceleration, along −y; it acts on no rod.
    pub g: f64,
}

impl Square {
    /// v̇ of the four beads.
    #[inline]
    pub fn acceleration(&self, q: &SVector<f64, 8>, v: &SVector<f64, 8>) -> SVector<f64, 8> {
        let d = [rod(q, 0, 1), rod(q, 1, 2), rod(q, 2, 3), rod(q, 3, 0)];
        let e = [rod(v, 0, 1), rod(v, 1, 2), rod(v, 2, 3), rod(v, 3, 0)];
        let c = [
            dot(d[0], d[1]),
            dot(d[1], d[2]),
            dot(d[2], d[3]),
            dot(d[3], d[0]),
        ];
        // The matrix holds 2 d² on its diagonal and −c between neighbours; the right side is −e².
        let (r0, r2) = (0.5 / dot(d[0], d[0]), 0.5 / dot(d[2], d[2]));
        let (y0, y2) = (-dot(e[0], e[0]) * r0, -dot(e[2], e[2]) * r2);
        let (l10, l12, l32, l30) = (c[0] * r0, c[1] * r2, c[2] * r2, c[3] * r0);
        let a11 = 2.0 * dot(d[1], d[1]) - c[0] * l10 - c[1] * l12;
        let a33 = 2.0 * dot(d[3], d[3]) - c[2] * l32 - c[3] * l30;
        let a13 = -(c[0] * l30 + c[1] * l32);
        let b1 = c[0] * y0 + c[1] * y2 - dot(e[1], e[1]);
        let b3 = c[3] * y0 + c[2] * y2 - dot(e[3], e[3]);
        let inverse = 1.0 / (a11 * a33 - a13 * a13);
        let mu1 = (b1 * a33 - b3 * a13) * inverse;
        let mu3 = (b3 * a11 - b1 * a13) * inverse;
        let mu0 = y0 + l10 * mu1 + l30 * mu3;
        let mu2 = y2 + l12 * mu1 + l32 * mu3;
        let pull = [
            scaled(d[0], mu0),
            scaled(d[1], mu1),
            scaled(d[2], mu2),
            scaled(d[3], mu3),
        ];
        SVector::from([
            pull[3].0 - pull[0].0,
            pull[3].1 - pull[0].1 - self.g,
            pull[0].0 - pull[1].0,
            pull[0].1 - pull[1].1 - self.g,
            pull[1].0 - pull[2].0,
            pull[1].1 - pull[2].1 - self.g,
            pull[2].0 - pull[3].0,
            pull[2].1 - pull[3].1 - self.g,
        ])
    }
}

/// Two beads and three rods, from the origin to (`base`, 0): the fourth bar is the ground.
#[derive(Clone, Copy, Debug)]
pub struct FourBar {
    /// Distance of the two fixed pivots.
    pub base: f64,
    /// Gravitational acceleration, along −y.
    pub g: f64,
}

impl FourBar {
    /// v̇ of the two beads.
    #[inline]
    pub fn acceleration(&self, q: &SVector<f64, 4>, v: &SVector<f64, 4>) -> SVector<f64, 4> {
        let (crank, coupler, rocker) = ((q[0], q[1]), rod(q, 0, 1), (q[2] - self.base, q[3]));
        let e = rod(v, 0, 1);
        let (c0, c2) = (dot(crank, coupler), dot(coupler, rocker));
        let (r0, r2) = (1.0 / dot(crank, crank), 1.0 / dot(rocker, rocker));
        let y0 = (self.g * crank.1 - (v[0] * v[0] + v[1] * v[1])) * r0;
        let y2 = (self.g * rocker.1 - (v[2] * v[2] + v[3] * v[3])) * r2;
        // The coupler pulls its first bead back and its second on: −c0 and +c2 beside 2 d².
        let (l0, l2) = (c0 * r0, c2 * r2);
        let pivot = 2.0 * dot(coupler, coupler) - c0 * l0 - c2 * l2;
        let mu1 = (c0 * y0 - c2 * y2 - dot(e, e)) / pivot;
        let (mu0, mu2) = (y0 + l0 * mu1, y2 - l2 * mu1);
        SVector::from([
            mu0 * crank.0 - mu1 * coupler.0,
            mu0 * crank.1 - mu1 * coupler.1 - self.g,
            mu1 * coupler.0 + mu2 * rocker.0,
            mu1 * coupler.1 + mu2 * rocker.1 - self.g,
        ])
    }
}

#[inline(always)]
fn rod<const Q: usize>(x: &SVector<f64, Q>, from: usize, to: usize) -> (f64, f64) {
    (x[2 * to] - x[2 * from], x[2 * to + 1] - x[2 * from + 1])
}

#[inline(always)]
fn dot(a: (f64, f64), b: (f64, f64)) -> f64 {
    a.0 * b.0 + a.1 * b.1
}

#[inline(always)]
fn scaled(a: (f64, f64), factor: f64) -> (f64, f64) {
    (a.0 * factor, a.1 * factor)
}
