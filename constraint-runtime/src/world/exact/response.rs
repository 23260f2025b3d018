//! What the rows do when something else pushes: at other velocities, and along another row.

use nalgebra::SVector;

use super::Exact;
use crate::real::Real;
use crate::world::body::Massive;
use crate::world::family::Moving;
use crate::world::row::Row;

impl<T: Real, const D: usize> Exact<T, D> {
    /// Keeps the targets, for other velocities than those at which the rows have been evaluated.
    pub(in crate::world) fn remember<B: Massive<T, D>>(
        &mut self,
        part: usize,
        bodies: &[Moving<T, B, D>],
    ) {
        self.visit_rates(
            part,
            |body| &bodies[body].velocity,
            |right, offset, rate| *offset = *right + rate,
        );
    }

    /// Asks the rows of a part for their rates at the velocities that were kept, whatever has pushed since then.
    pub(in crate::world) fn ask_for_saved_rates<B: Massive<T, D>>(
        &mut self,
        part: usize,
        bodies: &[Moving<T, B, D>],
    ) {
        let saved = core::mem::take(&mut self.saved);
        self.visit_rates(part, |body| &saved[body], |right, _, rate| *right += rate);
        self.saved = saved;
        self.visit_rates(
            part,
            |body| &bodies[body].velocity,
            |right, _, rate| *right -= rate,
        );
    }

    /// Solves for λ at these velocities, with the rows and factors that are there.
    pub(in crate::world) fn solve_again<B: Massive<T, D>>(
        &mut self,
        part: usize,
        bodies: &[Moving<T, B, D>],
    ) {
        self.visit_rates(
            part,
            |body| &bodies[body].velocity,
            |right, offset, rate| *right = *offset - rate,
        );
        self.substitute_part(part);
        self.find_displacements_of(part, bodies);
    }

    /// The velocities that an impulse of 1 along another row causes while all rows hold; those of this island, which the row may
    /// not reach, are zero.
    pub(in crate::world) fn respond<B: Massive<T, D>>(
        &mut self,
        island: &[usize],
        row: Row<'_, T, D>,
        bodies: &[Moving<T, B, D>],
    ) -> &[SVector<T, D>] {
        let touched = self.parts_of(row);
        let mut direct = core::mem::take(&mut self.displacements);
        for part in island.iter().copied().chain(touched.clone()) {
            for &body in self.moved(part) {
                direct[body] = SVector::zeros();
            }
        }
        row.each(|slope, body| direct[body] += B::accelerated(&bodies[body].inverse_mass, slope));
        for part in touched.clone() {
            self.visit_rates(part, |body| &direct[body], |right, _, rate| *right = -rate);
            self.substitute_part(part);
        }
        self.displacements = direct;
        for part in touched {
            self.find_displacements_of(part, bodies);
        }
        let displacements = &mut self.displacements;
        row.each(|slope, body| {
            displacements[body] += B::accelerated(&bodies[body].inverse_mass, slope);
        });
        &self.displacements
    }

    /// Moves bodies along a row by this much, while all rows hold; its mobility is that without them.
    pub(in crate::world) fn displace_along<B: Massive<T, D>>(
        &mut self,
        row: Row<'_, T, D>,
        mobility: T,
        by: T,
        bodies: &mut [Moving<T, B, D>],
    ) {
        let held = row.rate_of(self.respond(&[], row, bodies));
        let least = mobility * T::simd_default_epsilon().simd_sqrt();
        let factor = (by / held).select(held.simd_gt(least), T::zero());
        for part in self.parts_of(row) {
            for &body in self.moved(part) {
                bodies[body].pose = bodies[body].pose.moved(&self.displacements[body], factor);
            }
        }
    }

    /// The parts that the two bodies of a row belong to: none, one or two.
    fn parts_of(&self, row: Row<'_, T, D>) -> impl Iterator<Item = usize> + Clone + use<T, D> {
        let [a, b] = [0, 1].map(|k| self.part_of[row.bodies[k]]);
        [a, b.filter(|_| a != b)].into_iter().flatten()
    }

    /// Shows each target of a part, its offset and J v.
    fn visit_rates<'a>(
        &mut self,
        part: usize,
        velocity: impl Fn(usize) -> &'a SVector<T, D>,
        mut show: impl FnMut(&mut T, &mut T, T),
    ) where
        T: 'a,
    {
        for &index in &self.members[self.parts[part].members.clone()] {
            let node = &self.nodes[index];
            let own = &self.bodies[node.bodies.0..node.bodies.1];
            for row in 0..node.rows {
                let pairs = own.iter().enumerate();
                let rate = pairs.fold(T::zero(), |sum, (slot, &body)| {
                    let slope = &self.jacobian[node.jacobian.0 + slot * node.rows + row];
                    sum + slope.dot(velocity(body))
                });
                let at = node.first + row;
                show(&mut self.right[at], &mut self.offsets[at], rate);
            }
        }
    }
}
