//! Few contacts among joints: their matrix with the joints eliminated, and each contact's cone solved exactly.
//!
//! ```text
//! A = G W̄ Gᵀ,  W̄ = W − W Jᵀ (J W Jᵀ)⁻¹ J W      the rates that impulses of contacts cause while joints hold
//! s = s₀ + A (Λ − Λ₀)
//! ```
//!
//! Where joints let a contact move much less than its bodies would move alone, joints and contacts in turn converge slowly;
//! block Gauss–Seidel on A does not depend on that. A costs three solutions of the joints for each contact, about as much as
//! three sweeps in turn.

use alloc::vec::Vec;

use nalgebra::{Matrix3, SimdBool, Vector3};

use super::body::Massive;
use super::exact::Exact;
use super::family::Moving;
use super::touching::{Change, Touching, in_disk, steepest};
use crate::linalg::ldlt::Ldlt;
use crate::real::Real;

/// More contacts are met in turn with the joints.
pub(super) const MOST_COUPLED: usize = 32;

/// Projections of the impulse of a contact in one visit.
const MOST_PROJECTIONS: usize = 30;

/// The number of rounding units, relative to the effect of an impulse without joints, below which an effect counts as none.
const HELD_EPSILONS: f64 = 1e3;

/// Memory for A and s.
#[derive(Debug)]
pub(super) struct Coupled<T> {
    /// Column by column.
    matrix: Vec<T>,
    rates: Vec<T>,
}

impl<T> Coupled<T> {
    pub(super) fn new() -> Self {
        Self {
            matrix: Vec::new(),
            rates: Vec::new(),
        }
    }
}

impl<T: Real> Coupled<T> {
    /// Computes A and s at these velocities, after the joints have been solved.
    fn assemble<B: Massive<T, D>, const D: usize>(
        &mut self,
        exact: &mut Exact<T, D>,
        bodies: &[Moving<T, B, D>],
        contacts: &[Touching<T, D>],
    ) {
        let rows = || contacts.iter().flat_map(|it| [0, 1, 2].map(|k| it.row(k)));
        let held = exact.displacements();
        self.rates.clear();
        self.rates
            .extend(rows().map(|row| row.rate(bodies) + row.rate_of(held)));
        self.matrix.clear();
        for column in rows() {
            let response = exact.respond(column, bodies);
            self.matrix.extend(rows().map(|row| row.rate_of(response)));
        }
    }

    fn block(&self, contact: usize) -> Matrix3<T> {
        let (n, first) = (self.rates.len(), 3 * contact);
        Matrix3::from_fn(|i, k| self.matrix[(first + k) * n + first + i])
    }

    /// The rates after Λ of a contact has changed.
    fn change(&mut self, contact: usize, by: &Vector3<T>) {
        let n = self.rates.len();
        let columns = self.matrix[3 * contact * n..].chunks_exact(n);
        for (column, &by) in columns.zip(by) {
            for (rate, &entry) in self.rates.iter_mut().zip(column) {
                *rate += entry * by;
            }
        }
    }
}

/// Meets contacts among joints, after the joints have been solved and remembered; the last change of a rate of a contact.
///
/// Velocities are those without the impulses of the joints, before and afterwards.
pub(super) fn couple<T: Real, B: Massive<T, D>, const D: usize>(
    exact: &mut Exact<T, D>,
    bodies: &mut [Moving<T, B, D>],
    contacts: &mut [Touching<T, D>],
    coupled: &mut Coupled<T>,
    sweeps: usize,
) -> T {
    coupled.assemble(exact, bodies, contacts);
    let (mut residual, last) = (T::zero(), contacts.len() - 1);
    for k in 0..sweeps {
        let mut most = Change::none();
        for place in 0..contacts.len() {
            let index = if k.is_multiple_of(2) {
                place
            } else {
                last - place
            };
            let contact = &mut contacts[index];
            let block = coupled.block(index);
            let least = contact.mobility[0] * T::simd_default_epsilon() * T::lit(HELD_EPSILONS);
            if block[(0, 0)].simd_le(least).all() {
                continue; // Joints hold both bodies there.
            }
            let rates = Vector3::from_fn(|i, _| coupled.rates[3 * index + i]);
            let old = Vector3::from(contact.impulse);
            let free = rates - block * old;
            let cone = Cone {
                a: &block,
                free,
                low: contact.low,
                friction: contact.friction,
            };
            let new = cone.solve(old);
            let by = new - old;
            coupled.change(index, &by);
            for (row, &by) in by.iter().enumerate() {
                contact.row(row).push(by, bodies);
            }
            contact.impulse = new.into();
            let change = (block * by).map(|it| it.simd_abs());
            most = most.larger(Change {
                rate: change.x.simd_max(change.y).simd_max(change.z),
                size: rates.x.simd_abs() + block[(0, 0)] * new.x,
            });
        }
        residual = most.rate;
        if most.is_settled() {
            break;
        }
    }
    exact.solve_again(bodies);
    residual
}

/// A contact alone: its rates are `free` + A Λ.
struct Cone<'a, T> {
    a: &'a Matrix3<T>,
    free: Vector3<T>,
    low: T,
    friction: T,
}

impl<T: Real> Cone<'_, T> {
    /// Λ of the contact: apart, sticking, or slipping; `last` is where a search for the slip starts.
    fn solve(&self, last: Vector3<T>) -> Vector3<T> {
        let opens = self.free.x.simd_ge(self.low);
        if opens.all() {
            return Vector3::zeros();
        }
        let stuck = self.stuck();
        let length = (stuck.y * stuck.y + stuck.z * stuck.z).simd_sqrt();
        let sticks = length.simd_le(self.friction * stuck.x) & stuck.x.simd_ge(T::zero());
        let slips = if (sticks | opens).all() {
            stuck
        } else {
            let (slips, found) = self.slips_along_a_line();
            if (found | sticks | opens).all() {
                slips
            } else {
                selected(found, &slips, &self.slips(last))
            }
        };
        let there = selected(sticks, &stuck, &slips);
        selected(opens, &Vector3::zeros(), &there)
    }

    /// Λ without slip: A Λ = (low, 0, 0) − free. In the plane the last row is empty.
    fn stuck(&self) -> Vector3<T> {
        let mut a = *self.a;
        a[(2, 2)] = T::one().select(a[(2, 2)].simd_eq(T::zero()), a[(2, 2)]);
        let target = Vector3::new(self.low, T::zero(), T::zero()) - self.free;
        match Ldlt::new(a) {
            Ok(factors) => factors.solve(target),
            // Joints hold the contact in some direction; nothing slips in it.
            Err(_) => Vector3::new(-T::one(), T::zero(), T::zero()),
        }
    }

    /// Λ in the plane, where a slip has two directions; and true where one of them is consistent.
    fn slips_along_a_line(&self) -> (Vector3<T>, T::SimdBool) {
        let (zero, one) = (T::zero(), T::one());
        let is_plane = self.a[(2, 2)].simd_eq(zero);
        let [(right, is_right), (left, is_left)] = [one, -one].map(|direction| {
            let ray = Vector3::new(one, -self.friction * direction, zero);
            let rates = self.a * ray;
            let impulse = (self.low - self.free.x) / rates.x;
            let slip = self.free.y + rates.y * impulse;
            let fits = rates.x.simd_gt(zero) & (slip * direction).simd_ge(zero);
            (ray * impulse, fits & is_plane)
        });
        (selected(is_right, &right, &left), is_right | is_left)
    }

    /// Λ in Coulomb's cone by projections: the fixed point is Coulomb's law.
    fn slips(&self, last: Vector3<T>) -> Vector3<T> {
        let (zero, a) = (T::zero(), self.a);
        let steepest = steepest(a[(1, 1)], a[(2, 2)], a[(1, 2)]);
        let mut impulse = last;
        for _ in 0..MOST_PROJECTIONS {
            let old = impulse;
            let rate = (self.free + a * impulse).x;
            impulse.x = (impulse.x + (self.low - rate) / a[(0, 0)]).simd_max(zero);
            let slip = self.free + a * impulse;
            let aims = [1, 2].map(|k| impulse[k] - slip[k] / steepest);
            let aims = in_disk(aims, self.friction * impulse.x);
            (impulse.y, impulse.z) = (aims[0], aims[1]);
            let change = (impulse - old).map(|it| it.simd_abs());
            let most = change.x.simd_max(change.y).simd_max(change.z);
            if most.simd_le(impulse.x * T::simd_default_epsilon()).all() {
                break;
            }
        }
        impulse
    }
}

fn selected<T: Real>(one: T::SimdBool, a: &Vector3<T>, b: &Vector3<T>) -> Vector3<T> {
    a.zip_map(b, |a, b| a.select(one, b))
}
