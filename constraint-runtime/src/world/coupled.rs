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
use super::settling::{Acceleration, Change, Settling, Visited, in_turn, settle};
use super::sharing::Sharing;
use super::touching::{Touching, in_disk};
use crate::real::Real;

/// More contacts are met in turn with the joints.
pub(super) const MOST_COUPLED: usize = 32;

/// Steps to the friction of one contact that slips.
const MOST_NEWTON: usize = 20;

/// The factor by which a step may raise κ.
const MOST_GROWTH: f64 = 1e4;

/// Rounding units of the ratio of friction to its bound.
const RATIO_EPSILONS: f64 = 256.0;

/// The number of rounding units, relative to the effect of an impulse without joints, below which an effect counts as none.
const HELD_EPSILONS: f64 = 1e3;

/// Memory for A and s.
#[derive(Debug)]
pub(super) struct Coupled<T> {
    /// Column by column.
    pub(super) matrix: Vec<T>,
    pub(super) rates: Vec<T>,
    pub(super) sharing: Sharing<T>,
    pub(super) acceleration: Acceleration<T>,
}

impl<T: Real> Coupled<T> {
    pub(super) fn new() -> Self {
        Self {
            matrix: Vec::new(),
            rates: Vec::new(),
            sharing: Sharing::new(),
            acceleration: Acceleration::new(),
        }
    }
}

impl<T: Real> Coupled<T> {
    /// Computes A and s at these velocities, after the joints have been solved.
    pub(super) fn assemble<B: Massive<T, D>, const D: usize>(
        &mut self,
        exact: &mut Exact<T, D>,
        island: &[usize],
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
            let response = exact.respond(island, column, bodies);
            self.matrix.extend(rows().map(|row| row.rate_of(response)));
        }
    }

    fn block(&self, contact: usize) -> Matrix3<T> {
        let (n, first) = (self.rates.len(), 3 * contact);
        Matrix3::from_fn(|i, k| self.matrix[(first + k) * n + first + i])
    }

    /// Meets the laws of one contact.
    fn obey<B: Massive<T, D>, const D: usize>(
        &mut self,
        index: usize,
        contact: &mut Touching<T, D>,
        bodies: &mut [Moving<T, B, D>],
    ) -> Change<T> {
        let block = self.block(index);
        let rounding = T::simd_default_epsilon() * T::lit(HELD_EPSILONS);
        let [normal, slip] = contact.mobility;
        if block[(0, 0)].simd_le(normal * rounding).all() {
            return Change::none(); // Joints hold both bodies there.
        }
        let rates = Vector3::from_fn(|i, _| self.rates[3 * index + i]);
        let old = Vector3::from(contact.impulse);
        let cone = Cone {
            a: &block,
            free: rates - block * old,
            low: contact.low,
            friction: contact.friction,
            held: slip * rounding,
        };
        let new = cone.solve();
        let by = new - old;
        self.change(index, &by);
        for (row, &by) in by.iter().enumerate() {
            contact.row(row).push(by, bodies);
        }
        contact.impulse = new.into();
        let change = (block * by).map(|it| it.simd_abs());
        Change {
            rate: change.x.simd_max(change.y).simd_max(change.z),
            size: rates.x.simd_abs() + block[(0, 0)] * new.x,
        }
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

/// Meets contacts among joints, after the joints have been solved and remembered.
///
/// Velocities are those without the impulses of the joints, before and afterwards.
pub(super) fn couple<T: Real, B: Massive<T, D>, const D: usize>(
    exact: &mut Exact<T, D>,
    parts: &[usize],
    bodies: &mut [Moving<T, B, D>],
    contacts: &mut [Touching<T, D>],
    coupled: &mut Coupled<T>,
    sweeps: usize,
) -> Settling<T> {
    coupled.assemble(exact, parts, bodies, contacts);
    let mut acceleration = core::mem::replace(&mut coupled.acceleration, Acceleration::new());
    let mut turns = Turns {
        coupled,
        bodies,
        contacts,
    };
    let settling = settle(sweeps, &mut turns, &mut acceleration);
    coupled.acceleration = acceleration;
    parts
        .iter()
        .for_each(|&part| exact.solve_again(part, bodies));
    settling
}

/// Contacts by their matrix.
struct Turns<'a, T: Real, B: Massive<T, D>, const D: usize> {
    coupled: &'a mut Coupled<T>,
    bodies: &'a mut [Moving<T, B, D>],
    contacts: &'a mut [Touching<T, D>],
}

impl<T: Real, B: Massive<T, D>, const D: usize> Visited<T, D> for Turns<'_, T, B, D> {
    fn contacts(&self) -> &[Touching<T, D>] {
        self.contacts
    }

    fn visit(&mut self, backwards: bool) -> Change<T> {
        let visits = in_turn(self.contacts.len(), backwards).map(|index| {
            let contact = &mut self.contacts[index];
            self.coupled.obey(index, contact, self.bodies)
        });
        visits.fold(Change::none(), Change::larger)
    }

    fn push(&mut self, contact: usize, by: [T; 3]) {
        self.coupled.change(contact, &by.into());
        self.contacts[contact].push(by, self.bodies);
    }
}

/// A contact alone: its rates are `free` + A Λ.
struct Cone<'a, T> {
    a: &'a Matrix3<T>,
    free: Vector3<T>,
    low: T,
    friction: T,
    /// Rates of a unit of impulse that are rounding.
    held: T,
}

impl<T: Real> Cone<'_, T> {
    /// Λ of the contact: apart, sticking, or slipping, by Newton's method for κ ≥ 0 in sₜ = −κ Λₜ:
    ///
    /// ```text
    /// (A + diag(0, κ, κ)) Λ = (low, 0, 0) − free,   μ Λₙ = |Λₜ|, or more than that with κ = 0
    /// ```
    ///
    /// μ Λₙ/|Λₜ| grows nearly linearly with κ, beyond any bound. Where friction locks itself there are several solutions; that of
    /// the largest κ has the least impulses.
    fn solve(&self) -> Vector3<T> {
        let (zero, one) = (T::zero(), T::one());
        let opens = self.free.x.simd_ge(self.low);
        if opens.all() {
            return Vector3::zeros();
        }
        let friction = Friction::new(self);
        if self.friction.simd_eq(zero).all() {
            let push = friction.lift / self.a[(0, 0)];
            return selected(opens, &Vector3::zeros(), &Vector3::new(push, zero, zero));
        }
        let size = self.a.trace();
        let rounding = T::simd_default_epsilon() * T::lit(RATIO_EPSILONS);
        let (mut kappa, mut least, mut most) = (self.held, self.held, T::lit(f64::INFINITY));
        let (mut found, ratio, _) = friction.at(kappa);
        let mut is_met = ratio.simd_ge(one) | opens;
        kappa = size.select(!is_met, kappa);
        for _ in 0..MOST_NEWTON {
            if is_met.all() {
                break;
            }
            let (impulse, ratio, slope) = friction.at(kappa);
            found = selected(is_met, &found, &impulse);
            let miss = ratio - one;
            is_met = is_met | miss.simd_abs().simd_le(rounding);
            let is_below = miss.simd_lt(zero);
            least = kappa.select(is_below, least);
            most = most.select(is_below, kappa);
            let newton = kappa - miss / slope;
            is_met = is_met | (newton - kappa).simd_abs().simd_le(kappa * rounding);
            let reach = ((least + size) * T::lit(MOST_GROWTH)).simd_min(most);
            let fits = newton.simd_gt(least) & newton.simd_lt(reach);
            let is_open = most.simd_eq(T::lit(f64::INFINITY));
            let middle = (least * most).simd_sqrt();
            kappa = newton.select(fits, ((least + size) * T::lit(2.0)).select(is_open, middle));
        }
        // Rounding must not lead out of the cone, or pull.
        let push = found.x.simd_max(zero);
        let [y, z] = in_disk([found.y, found.z], self.friction * push);
        selected(opens, &Vector3::zeros(), &Vector3::new(push, y, z))
    }
}

/// A contact that slips, with its gap eliminated: (B + κ) Λₜ = `drive`.
struct Friction<T> {
    normal: T,
    across: [T; 2],
    b: [T; 3],
    drive: [T; 2],
    /// The rate by which the gap must change.
    lift: T,
    friction: T,
}

impl<T: Real> Friction<T> {
    fn new(cone: &Cone<'_, T>) -> Self {
        let (a, normal) = (cone.a, cone.a[(0, 0)]);
        let across = [a[(1, 0)], a[(2, 0)]];
        let lift = cone.low - cone.free.x;
        let schur = |i: usize, k: usize| a[(i + 1, k + 1)] - across[i] * across[k] / normal;
        let drive = |i: usize| -cone.free[i + 1] - across[i] * lift / normal;
        // Rounding must not cost B its sign.
        let [p, q] = [0, 1].map(|i| schur(i, i).simd_max(T::zero()));
        let most = (p * q).simd_sqrt();
        Self {
            normal,
            across,
            b: [p, schur(1, 0).simd_clamp(-most, most), q],
            drive: [drive(0), drive(1)],
            lift,
            friction: cone.friction,
        }
    }

    /// Λ, μ Λₙ/|Λₜ| and its derivative.
    fn at(&self, kappa: T) -> (Vector3<T>, T, T) {
        let [p, m, q] = [self.b[0] + kappa, self.b[1], self.b[2] + kappa];
        let determinant = p * q - m * m;
        let solve = |[x, y]: [T; 2]| [q * x - m * y, p * y - m * x].map(|it| it / determinant);
        let dot = |[x, y]: [T; 2], [u, v]: [T; 2]| x * u + y * v;
        let along = solve(self.drive);
        let change = solve(along).map(|it| -it);
        let normal = (self.lift - dot(self.across, along)) / self.normal;
        let normal_change = -dot(self.across, change) / self.normal;
        let length = dot(along, along).simd_sqrt();
        let length_change = dot(along, change) / length;
        let ratio = self.friction * normal / length;
        let slope = (self.friction * normal_change - ratio * length_change) / length;
        (Vector3::new(normal, along[0], along[1]), ratio, slope)
    }
}

fn selected<T: Real>(one: T::SimdBool, a: &Vector3<T>, b: &Vector3<T>) -> Vector3<T> {
    a.zip_map(b, |a, b| a.select(one, b))
}
