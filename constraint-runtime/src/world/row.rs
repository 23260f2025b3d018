//! A row between bodies of a world: its rate s = G v, and impulses Λ along it.

use nalgebra::SVector;

use super::body::Massive;
use super::family::Moving;
use crate::real::Real;

/// G of one row, for each of its bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a, T, const D: usize> {
    pub(super) bodies: &'a [usize],
    pub(super) slopes: &'a [SVector<T, D>],
}

impl<'a, T: Real, const D: usize> Row<'a, T, D> {
    fn parts(self) -> impl Iterator<Item = (&'a SVector<T, D>, usize)> {
        self.slopes.iter().zip(self.bodies.iter().copied())
    }

    /// Calls a function with G of each body.
    pub(super) fn each(self, mut show: impl FnMut(&SVector<T, D>, usize)) {
        self.parts().for_each(|(slope, body)| show(slope, body));
    }

    #[inline]
    fn sum(self, of: impl Fn(&SVector<T, D>, usize) -> T) -> T {
        let parts = self.parts();
        parts.fold(T::zero(), |sum, (slope, body)| sum + of(slope, body))
    }

    /// G v
    #[inline]
    pub(super) fn rate<B: Massive<T, D>>(self, bodies: &[Moving<T, B, D>]) -> T {
        self.sum(|slope, body| slope.dot(&bodies[body].velocity))
    }

    /// The same of other velocities.
    pub(super) fn rate_of(self, velocities: &[SVector<T, D>]) -> T {
        self.sum(|slope, body| slope.dot(&velocities[body]))
    }

    /// Σ |Gᵢ vᵢ|, to which the rounding of the rate is proportional.
    pub(super) fn size<B: Massive<T, D>>(self, bodies: &[Moving<T, B, D>]) -> T {
        self.sum(|slope, body| {
            let velocity = &bodies[body].velocity;
            slope.zip_map(velocity, |g, v| (g * v).simd_abs()).sum()
        })
    }

    /// G W G′ᵀ with another row of the same bodies.
    pub(super) fn coupling<B: Massive<T, D>>(self, other: Self, bodies: &[Moving<T, B, D>]) -> T {
        let pairs = self.parts().zip(other.slopes);
        pairs.fold(T::zero(), |sum, ((left, body), right)| {
            sum + left.dot(&B::accelerated(&bodies[body].inverse_mass, right))
        })
    }

    /// G W Gᵀ
    pub(super) fn mobility<B: Massive<T, D>>(self, bodies: &[Moving<T, B, D>]) -> T {
        self.coupling(self, bodies)
    }

    /// v += W Gᵀ Λ
    #[inline]
    pub(super) fn push<B: Massive<T, D>>(self, impulse: T, bodies: &mut [Moving<T, B, D>]) {
        for (slope, body) in self.parts() {
            bodies[body].accelerate(&(slope * impulse));
        }
    }

    /// Moves the bodies by W Gᵀ Λ.
    pub(super) fn displace<B: Massive<T, D>>(self, by: T, bodies: &mut [Moving<T, B, D>]) {
        for (slope, body) in self.parts() {
            bodies[body].displace(&(slope * by));
        }
    }
}
