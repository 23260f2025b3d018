//! Plane networks of rods as data: who is tied to whom.

use constraint_runtime::nalgebra::{SVector, Vector2};

/// One end of a rod.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bead {
    /// A bead that moves.
    Free(usize),
    /// A point of the ground.
    Fixed(f64, f64),
}

/// `M` rods between particles of the plane, all of mass `m`, under gravity along −y.
#[derive(Clone, Copy, Debug)]
pub struct Rods<const M: usize> {
    /// Both ends of each rod.
    pub ends: [[Bead; 2]; M],
    /// Mass of every bead.
    pub m: f64,
    /// Gravitational acceleration.
    pub g: f64,
}

impl<const M: usize> Rods<M> {
    /// A chain of `M` links from the origin.
    pub fn chain(m: f64, g: f64) -> Self {
        let above = |i: usize| match i.checked_sub(1) {
            Some(above) => Bead::Free(above),
            None => Bead::Fixed(0.0, 0.0),
        };
        let ends = std::array::from_fn(|i| [above(i), Bead::Free(i)]);
        Self { ends, m, g }
    }

    /// External force on the beads.
    pub fn force<const Q: usize>(&self) -> SVector<f64, Q> {
        SVector::from_fn(|i, _| if i % 2 == 1 { -self.m * self.g } else { 0.0 })
    }
}

impl Rods<4> {
    /// Four rods in a closed square.
    pub fn square(m: f64, g: f64) -> Self {
        let ends = std::array::from_fn(|i| [Bead::Free(i), Bead::Free((i + 1) % 4)]);
        Self { ends, m, g }
    }
}

impl Rods<3> {
    /// Crank, coupler and rocker over a ground of length `base`.
    pub fn four_bar(base: f64, m: f64, g: f64) -> Self {
        let (a, b) = (Bead::Free(0), Bead::Free(1));
        let ends = [
            [Bead::Fixed(0.0, 0.0), a],
            [a, b],
            [Bead::Fixed(base, 0.0), b],
        ];
        Self { ends, m, g }
    }
}

impl Rods<24> {
    /// A net of 4 × 4 beads, numbered row by row.
    pub fn net(m: f64, g: f64) -> Self {
        let ends = super::net::ENDS.map(|ends| ends.map(Bead::Free));
        Self { ends, m, g }
    }
}

/// Place (or velocity, if `fixed` is zero) of one end.
pub(super) fn end<const Q: usize>(x: &SVector<f64, Q>, bead: Bead, fixed: f64) -> Vector2<f64> {
    match bead {
        Bead::Free(i) => Vector2::new(x[2 * i], x[2 * i + 1]),
        Bead::Fixed(x, y) => Vector2::new(x, y) * fixed,
    }
}
