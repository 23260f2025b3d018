//! Contacts that are statically indeterminate share their load in the least norm.
//!
//! ```text
//! Λ = B x     x: all three rows of a contact that sticks, the normal of one that slips, whose friction follows it
//! A B z = 0   changes of x that change no rate: Bᵀ A B z = 0, the columns of Z
//! x ← x − Z (Zᵀ D Z)⁻¹ Zᵀ D x    the least Σ Λ², D = Bᵀ B, as far as Λ stays in the cones
//! ```
//!
//! Sweeps stop at some Λ of all that satisfy the laws, which depends on the order of the contacts and wanders from step to step: from
//! four wheels to two, until one of them slips. Equal springs at the contacts would give the least Σ Λ².

use alloc::vec::Vec;

use nalgebra::SimdBool;

use super::body::Massive;
use super::coupled::Coupled;
use super::family::Moving;
use super::touching::Touching;
use crate::linalg::ldlt::{factor_semidefinite, scale, substitute, substitute_transposed};
use crate::real::Real;

/// Times that contacts may reach the edges of their cones.
const MOST_EDGES: usize = 16;

/// Rounding units below which a pivot, or an effect relative to that without joints, counts as none.
const NONE_EPSILONS: f64 = 1e4;

/// The part of the bound from which friction counts as at its bound.
const AT_BOUND: f64 = 1.0 - 1e-9;

/// One of x: a direction of the Λ of a contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Direction<T> {
    contact: usize,
    of: [T; 3],
}

/// Memory for x.
#[derive(Debug)]
pub(super) struct Sharing<T> {
    directions: Vec<Direction<T>>,
    /// Contacts that have opened while the load was shared.
    open: Vec<usize>,
    /// Bᵀ A B, and Zᵀ D Z.
    matrices: [Vec<T>; 2],
    /// Their D⁻¹, diagonals, and limits of pivots.
    numbers: [Vec<T>; 3],
    /// Columns of Z.
    columns: Vec<T>,
    /// One number for each.
    sums: Vec<T>,
    change: Vec<[T; 3]>,
}

impl<T> Sharing<T> {
    pub(super) fn new() -> Self {
        Self {
            directions: Vec::new(),
            open: Vec::new(),
            matrices: [Vec::new(), Vec::new()],
            numbers: [Vec::new(), Vec::new(), Vec::new()],
            columns: Vec::new(),
            sums: Vec::new(),
            change: Vec::new(),
        }
    }
}

/// Shares the load of the contacts of an island, after A has been assembled; true if that has changed impulses.
///
/// Lanes would share differently: there impulses stay.
pub(super) fn share<T: Real, B: Massive<T, D>, const D: usize>(
    coupled: &mut Coupled<T>,
    bodies: &mut [Moving<T, B, D>],
    contacts: &mut [Touching<T, D>],
) -> bool {
    if T::LANES > 1 {
        return false;
    }
    let mut sharing = core::mem::replace(&mut coupled.sharing, Sharing::new());
    sharing.open.clear();
    let mut changed = false;
    for _ in 0..MOST_EDGES {
        sharing.find_directions(coupled, contacts);
        if !sharing.find_change(coupled, contacts) {
            break;
        }
        let (part, edge) = sharing.furthest(contacts);
        for (contact, change) in contacts.iter_mut().zip(&sharing.change) {
            for (row, &by) in change.iter().enumerate() {
                contact.row(row).push(by * part, bodies);
                contact.impulse[row] += by * part;
            }
        }
        changed = true;
        let Some(edge) = edge else { break };
        if contacts[edge].impulse[0].simd_le(T::zero()).all() {
            contacts[edge].impulse[0] = T::zero();
            sharing.open.push(edge);
        }
    }
    coupled.sharing = sharing;
    changed
}

impl<T: Real> Sharing<T> {
    /// Finds the directions in which Λ of each contact may change.
    fn find_directions<const D: usize>(
        &mut self,
        coupled: &Coupled<T>,
        contacts: &[Touching<T, D>],
    ) {
        let (zero, one) = (T::zero(), T::one());
        self.directions.clear();
        let most = contacts
            .iter()
            .fold(zero, |most, it| most.simd_max(it.impulse[0]));
        for (contact, it) in contacts.iter().enumerate() {
            let [push, x, y] = it.impulse;
            let mut add = |of: [T; 3]| {
                let effect = coupled.energy(contact, &of);
                let alone = mobility(it, &of) * T::simd_default_epsilon() * T::lit(NONE_EPSILONS);
                if effect.simd_gt(alone).all() {
                    self.directions.push(Direction { contact, of });
                }
            };
            let friction = (x * x + y * y).simd_sqrt();
            let is_pushing = push.simd_gt(zero).all();
            if !is_pushing {
                let near = it.mobility[0] * most * T::lit(1.0 - AT_BOUND);
                let rests = coupled.rests(contact, it, near);
                if rests && !self.open.contains(&contact) {
                    add([one, zero, zero]);
                }
            } else if friction
                .simd_lt(it.friction * push * T::lit(AT_BOUND))
                .all()
            {
                let all = [[one, zero, zero], [zero, one, zero], [zero, zero, one]];
                all.into_iter().for_each(add);
            } else {
                add([one, x / push, y / push]);
            }
        }
    }

    /// Finds the change of Λ to the least norm; false if there is none.
    fn find_change<const D: usize>(
        &mut self,
        coupled: &Coupled<T>,
        contacts: &[Touching<T, D>],
    ) -> bool {
        if !self.find_columns(coupled) {
            return false;
        }
        let (directions, zero) = (&self.directions, T::zero());
        let dot = |a: &[T], b: &dyn Fn(usize) -> T| {
            let terms = a.iter().zip(directions).enumerate();
            terms.fold(zero, |sum, (k, (&z, it))| {
                sum + z * norm_squared(&it.of) * b(k)
            })
        };
        let columns = || self.columns.chunks_exact(directions.len());
        let [_, gram] = &mut self.matrices;
        gram.clear();
        for a in columns() {
            gram.extend(columns().map(|b| dot(a, &|k| b[k])));
        }
        self.sums.clear();
        let x = |k: usize| directions[k].coordinate(contacts);
        self.sums.extend(columns().map(|z| -dot(z, &x)));
        let count = self.sums.len();
        let [d_inv, diagonal, least] = &mut self.numbers;
        diagonal.clear();
        diagonal.extend((0..count).map(|k| gram[k * count + k]));
        fill(d_inv, count, zero);
        if factor_semidefinite(gram, d_inv, diagonal, least, 0).is_err() {
            return false;
        }
        substitute(gram, &mut self.sums);
        scale(&mut self.sums, d_inv);
        substitute_transposed(gram, &mut self.sums);
        fill(&mut self.change, contacts.len(), [zero; 3]);
        for (z, &sum) in columns().zip(&self.sums) {
            for (direction, &z) in directions.iter().zip(z) {
                let change = &mut self.change[direction.contact];
                for (change, &of) in change.iter_mut().zip(&direction.of) {
                    *change += of * z * sum;
                }
            }
        }
        true
    }

    /// Finds Z; false if there is none.
    fn find_columns(&mut self, coupled: &Coupled<T>) -> bool {
        let (count, zero) = (self.directions.len(), T::zero());
        let [matrix, _] = &mut self.matrices;
        let [d_inv, diagonal, least] = &mut self.numbers;
        let directions = &self.directions;
        matrix.clear();
        for a in directions {
            matrix.extend(directions.iter().map(|b| coupled.product(a, b)));
        }
        diagonal.clear();
        diagonal.extend((0..count).map(|k| matrix[k * count + k]));
        let limit = T::simd_default_epsilon() * T::lit(NONE_EPSILONS);
        fill(least, count, limit);
        fill(d_inv, count, zero);
        if !factor_semidefinite(matrix, d_inv, diagonal, least, 0).unwrap_or(false) {
            return false;
        }
        self.columns.clear();
        for k in (0..count).filter(|&k| d_inv[k].simd_eq(zero).all()) {
            let start = self.columns.len();
            let unit = (0..count).map(|i| if i == k { T::one() } else { zero });
            self.columns.extend(unit);
            substitute_transposed(matrix, &mut self.columns[start..]);
        }
        true
    }

    /// The largest part of the change, up to all of it, with which each Λ stays in its cone; the contact at whose edge it ends.
    fn furthest<const D: usize>(&self, contacts: &[Touching<T, D>]) -> (T, Option<usize>) {
        let (mut part, mut edge) = (T::one(), None);
        for (index, (contact, change)) in contacts.iter().zip(&self.change).enumerate() {
            let own = part_inside(&contact.impulse, change, contact.friction);
            if own.simd_lt(part).all() {
                (part, edge) = (own, Some(index));
            }
        }
        (part, edge)
    }
}

impl<T: Real> Direction<T> {
    /// x of the present Λ.
    fn coordinate<const D: usize>(&self, contacts: &[Touching<T, D>]) -> T {
        let [push, x, y] = contacts[self.contact].impulse;
        let [of, of_x, of_y] = self.of;
        // A direction with a normal component is that of the normal, or of all Λ.
        push * of + (x * of_x + y * of_y).select(of.simd_eq(T::zero()), T::zero())
    }
}

fn norm_squared<T: Real>(of: &[T; 3]) -> T {
    of.iter().fold(T::zero(), |sum, &x| sum + x * x)
}

/// Bᵀ A B of a direction without joints and other contacts, at least.
fn mobility<T: Real, const D: usize>(contact: &Touching<T, D>, of: &[T; 3]) -> T {
    let ([normal, slip], [n, x, y]) = (contact.mobility, *of);
    normal * n * n + slip * (x * x + y * y)
}

/// The largest t ≥ 0 for which Λ + t change pushes, and its friction stays within the bound; friction at the bound scales with the push.
fn part_inside<T: Real>(impulse: &[T; 3], change: &[T; 3], friction: T) -> T {
    let (zero, infinite) = (T::zero(), T::lit(f64::INFINITY));
    let [n, x, y] = *impulse;
    let [dn, dx, dy] = *change;
    let opens = (-n / dn).select(dn.simd_lt(zero), infinite);
    // μ² (n + t dn)² = (x + t dx)² + (y + t dy)²
    let squared = friction * friction;
    let a = squared * dn * dn - dx * dx - dy * dy;
    let half = squared * n * dn - x * dx - y * dy;
    let c = squared * n * n - x * x - y * y;
    let is_inside = c.simd_gt(squared * n * n * T::lit(1.0 - AT_BOUND));
    let root = (half * half - a * c).simd_max(zero).simd_sqrt();
    // Of both roots, the one that is not lost by cancellation where a is small.
    let first = -c / (half - root);
    let first = first.select((half - root).simd_lt(zero), infinite);
    opens.simd_min(first.select(is_inside, infinite))
}

fn fill<X: Copy>(place: &mut Vec<X>, count: usize, with: X) {
    place.clear();
    place.resize(count, with);
}

impl<T: Real> Coupled<T> {
    /// Bᵀ A B of two directions.
    fn product(&self, a: &Direction<T>, b: &Direction<T>) -> T {
        let n = self.rates.len();
        let mut sum = T::zero();
        for (k, &y) in b.of.iter().enumerate() {
            let column = (3 * b.contact + k) * n + 3 * a.contact;
            for (i, &x) in a.of.iter().enumerate() {
                sum += x * y * self.matrix[column + i];
            }
        }
        sum
    }

    /// The same of one.
    fn energy(&self, contact: usize, of: &[T; 3]) -> T {
        let direction = Direction { contact, of: *of };
        self.product(&direction, &direction)
    }

    /// True if a contact that does not push rests, up to these rates; without friction it may slip.
    fn rests<const D: usize>(&self, index: usize, contact: &Touching<T, D>, near: T) -> bool {
        let rates = &self.rates[3 * index..3 * index + 3];
        let gap = (rates[0] - contact.low).simd_abs();
        let slip = rates[1].simd_abs().simd_max(rates[2].simd_abs());
        let sticks = slip.simd_le(near) | contact.friction.simd_eq(T::zero());
        (gap.simd_le(near) & sticks).all()
    }
}
