//! Contacts that are met one after the other until none changes, and faster where that is slow.
//!
//! Let x be the impulses of the contacts and F(x) what a visit forwards and one backwards make of them. Where a heavy body lies on a
//! light one, F contracts by 1 − O(mass ratio⁻¹) along a few directions. Anderson's acceleration finds these from the differences of
//! the last f = F(x) − x: with Δf orthogonalised, and ΔF combined in the same way,
//!
//! ```text
//! x ← F(x) − Σ (Δfⱼ·f)/(Δfⱼ·Δfⱼ) ΔFⱼ,     back into the cones
//! ```
//!
//! # Source
//! D. G. Anderson, *Iterative procedures for nonlinear integral equations*, J. ACM 12, 1965; the orthogonal differences as in H. Fang
//! and Y. Saad, *Two classes of multisecant methods for nonlinear acceleration*, Numer. Linear Algebra Appl. 16, 2009.

use alloc::vec::Vec;

use nalgebra::SimdBool;

use super::body::Massive;
use super::coupled::{Coupled, MOST_COUPLED, couple};
use super::driving::Driving;
use super::exact::Exact;
use super::family::Moving;
use super::touching::{Touching, in_disk, sweep};
use crate::real::Real;

/// More contacts are not accelerated: too few differences are kept for them.
const MOST_ACCELERATED: usize = 16;

/// Pairs of visits before the acceleration starts.
const PLAIN_PAIRS: usize = 8;

/// Differences that are kept.
const MOST_KEPT: usize = 10;

/// Visits at the end without acceleration.
const LAST_VISITS: usize = 4;

/// The fraction of its length that a difference must keep when it is orthogonalised.
const LEAST_NEW: f64 = 1e-6;

/// Changes of rates, relative to rates and impulses, at which contacts count as settled.
const SETTLED: f64 = 1e-11;

/// Contacts that can be met one after the other.
pub(super) trait Visited<T: Real, const D: usize> {
    fn contacts(&self) -> &[Touching<T, D>];

    /// Meets all contacts once.
    fn visit(&mut self, backwards: bool) -> Change<T>;

    /// Changes the impulses of a contact.
    fn push(&mut self, contact: usize, by: [T; 3]);

    /// Lets joints answer to changes of impulses.
    fn respond(&mut self) {}
}

/// What a sweep has changed.
#[derive(Clone, Copy)]
pub(super) struct Change<T> {
    /// The largest change of a rate.
    pub(super) rate: T,
    /// The size of rates and impulses.
    pub(super) size: T,
}

/// What the visits have left.
#[derive(Clone, Copy)]
pub(super) struct Settling<T> {
    /// The last change of a rate of a contact.
    pub(super) rate: T,
    /// Contacts of groups that have not settled.
    pub(super) unsettled: usize,
}

/// Memory of the acceleration.
#[derive(Debug)]
pub(super) struct Acceleration<T> {
    /// x, F(x) and f, weighted such that f is a speed.
    x: Vec<T>,
    image: Vec<T>,
    f: Vec<T>,
    /// F(x) and f of the pair before.
    has_last: bool,
    last_image: Vec<T>,
    last_f: Vec<T>,
    /// Orthogonal Δf with the ΔF that belong to them, one after the other, and the squares of their lengths.
    kept: Vec<Difference<T>>,
    /// The first one that is replaced, and how many there are.
    oldest: usize,
    count: usize,
}

/// Δf and ΔF.
#[derive(Debug)]
struct Difference<T> {
    f: Vec<T>,
    image: Vec<T>,
    /// Δf·Δf, zero if it is not new.
    square: T,
}

impl<T: Real> Difference<T> {
    fn empty() -> Self {
        Self {
            f: Vec::new(),
            image: Vec::new(),
            square: T::zero(),
        }
    }

    /// −Δf·f/Δf·Δf
    fn factor(&self, f: &[T]) -> T {
        let factor = -dot(&self.f, f) / self.square;
        factor.select(self.square.simd_gt(T::zero()), T::zero())
    }
}

impl<T: Real> Change<T> {
    pub(super) fn none() -> Self {
        Self {
            rate: T::zero(),
            size: T::zero(),
        }
    }

    pub(super) fn larger(self, other: Self) -> Self {
        Self {
            rate: self.rate.simd_max(other.rate),
            size: self.size.simd_max(other.size),
        }
    }

    pub(super) fn is_settled(&self) -> bool {
        self.rate.simd_le(self.size * T::lit(SETTLED)).all()
    }
}

impl<T: Real> Settling<T> {
    pub(super) fn none() -> Self {
        Self {
            rate: T::zero(),
            unsettled: 0,
        }
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self {
            rate: self.rate.simd_max(other.rate),
            unsettled: self.unsettled + other.unsettled,
        }
    }

    pub(super) fn larger(self, other: Self) -> Self {
        Self {
            rate: self.rate.simd_max(other.rate),
            unsettled: self.unsettled.max(other.unsettled),
        }
    }
}

/// The numbers of contacts, in either direction.
pub(super) fn in_turn(contacts: usize, backwards: bool) -> impl Iterator<Item = usize> {
    (0..contacts).map(move |k| if backwards { contacts - 1 - k } else { k })
}

/// Visits in both directions by turns, so many or until a visit changes nothing.
pub(super) fn settle<T: Real, const D: usize>(
    most: usize,
    visited: &mut impl Visited<T, D>,
    memory: &mut Acceleration<T>,
) -> Settling<T> {
    let mut change = Change::none();
    memory.forget();
    let is_small = visited.contacts().len() <= MOST_ACCELERATED;
    for k in 0..most {
        let (pair, backwards) = (k / 2, !k.is_multiple_of(2));
        if is_small && pair >= PLAIN_PAIRS && !backwards {
            read(visited.contacts(), &mut memory.x);
        }
        change = visited.visit(backwards);
        if change.is_settled() {
            return Settling {
                rate: change.rate,
                unsettled: 0,
            };
        }
        if is_small && pair >= PLAIN_PAIRS && backwards && k + LAST_VISITS < most {
            read(visited.contacts(), &mut memory.image);
            memory.accelerate(visited.contacts());
            jump(visited, &memory.image);
        }
    }
    Settling {
        rate: change.rate,
        unsettled: visited.contacts().len(),
    }
}

/// Contacts and joints of an island in turn, after the joints have been solved and remembered.
///
/// Velocities are those without the impulses of the joints, before and afterwards.
pub(super) fn alternate<T: Real, B: Massive<T, D>, const D: usize>(
    exact: &mut Exact<T, D>,
    parts: &[usize],
    bodies: &mut [Moving<T, B, D>],
    contacts: &mut [Touching<T, D>],
    coupled: &mut Coupled<T>,
    sweeps: usize,
) -> Settling<T> {
    if contacts.is_empty() {
        return Settling::none();
    }
    if is_coupled(exact, parts, contacts) {
        return couple(exact, parts, bodies, contacts, coupled, sweeps);
    }
    let acceleration = &mut coupled.acceleration;
    let mut turns = Turns {
        exact,
        parts,
        bodies,
        contacts,
    };
    settle(sweeps, &mut turns, acceleration)
}

/// True if joints and contacts of an island are few enough to eliminate the joints.
pub(super) fn is_coupled<T: Real, const D: usize>(
    exact: &Exact<T, D>,
    parts: &[usize],
    contacts: &[Touching<T, D>],
) -> bool {
    contacts.len() <= MOST_COUPLED && parts.iter().any(|&part| exact.has_rows(part))
}

/// Contacts in turn with the joints of their island.
struct Turns<'a, T: Real, B: Massive<T, D>, const D: usize> {
    exact: &'a mut Exact<T, D>,
    parts: &'a [usize],
    bodies: &'a mut [Moving<T, B, D>],
    contacts: &'a mut [Touching<T, D>],
}

impl<T: Real, B: Massive<T, D>, const D: usize> Visited<T, D> for Turns<'_, T, B, D> {
    fn contacts(&self) -> &[Touching<T, D>] {
        self.contacts
    }

    fn visit(&mut self, backwards: bool) -> Change<T> {
        let contacts = &mut *self.contacts;
        while_held(self.exact, self.parts, self.bodies, |_, bodies| {
            sweep(contacts, bodies, backwards)
        })
    }

    fn push(&mut self, contact: usize, by: [T; 3]) {
        self.contacts[contact].push(by, self.bodies);
    }

    fn respond(&mut self) {
        for &part in self.parts {
            self.exact.solve_again(part, self.bodies);
        }
    }
}

/// Visits what is not held, at the velocities with the impulses of the joints, which answer then.
fn while_held<T: Real, B: Massive<T, D>, const D: usize>(
    exact: &mut Exact<T, D>,
    parts: &[usize],
    bodies: &mut [Moving<T, B, D>],
    visit: impl FnOnce(&Exact<T, D>, &mut [Moving<T, B, D>]) -> Change<T>,
) -> Change<T> {
    let held = exact.displacements();
    let moved = || parts.iter().flat_map(|&part| exact.moved(part));
    moved().for_each(|&body| bodies[body].velocity += held[body]);
    let change = visit(exact, bodies);
    moved().for_each(|&body| bodies[body].velocity -= held[body]);
    parts
        .iter()
        .for_each(|&part| exact.solve_again(part, bodies));
    change
}

/// Drives and contacts of an island one after the other, in turn with its joints, after these have been solved and remembered.
pub(super) fn take_turns<T: Real, B: Massive<T, D>, const D: usize>(
    exact: &mut Exact<T, D>,
    parts: &[usize],
    bodies: &mut [Moving<T, B, D>],
    drives: &mut [Driving<T, B, D>],
    contacts: &mut [Touching<T, D>],
    sweeps: usize,
) -> Settling<T> {
    let mut change = Change::none();
    for k in 0..sweeps {
        change = while_held(exact, parts, bodies, |exact, bodies| {
            let own = parts.iter().flat_map(|&part| exact.drives(part));
            let change = own
                .map(|drive| drives[drive].obey(bodies))
                .fold(Change::none(), Change::larger);
            change.larger(sweep(contacts, bodies, !k.is_multiple_of(2)))
        });
        if change.is_settled() {
            break;
        }
    }
    Settling {
        rate: change.rate,
        unsettled: if change.is_settled() {
            0
        } else {
            contacts.len()
        },
    }
}

fn read<T: Real, const D: usize>(contacts: &[Touching<T, D>], place: &mut Vec<T>) {
    place.clear();
    place.extend(contacts.iter().flat_map(|it| it.impulse));
}

/// Goes to these impulses, or to those of the cones next to them.
fn jump<T: Real, const D: usize>(visited: &mut impl Visited<T, D>, aims: &[T]) {
    let (aims, _) = aims.as_chunks::<3>();
    for (index, &[normal, x, y]) in aims.iter().enumerate() {
        let contact = &visited.contacts()[index];
        let old = contact.impulse;
        let normal = normal.simd_max(T::zero());
        let [x, y] = in_disk([x, y], contact.friction * normal);
        visited.push(index, [normal - old[0], x - old[1], y - old[2]]);
    }
    visited.respond();
}

fn dot<T: Real>(a: &[T], b: &[T]) -> T {
    let pairs = a.iter().zip(b);
    pairs.fold(T::zero(), |sum, (&a, &b)| sum + a * b)
}

fn difference<T: Real>(place: &mut Vec<T>, now: &[T], last: &[T]) {
    place.clear();
    place.extend(now.iter().zip(last).map(|(&now, &last)| now - last));
}

/// a += factor b
fn add<T: Real>(a: &mut [T], factor: T, b: &[T]) {
    for (a, &b) in a.iter_mut().zip(b) {
        *a += factor * b;
    }
}

impl<T: Real> Acceleration<T> {
    pub(super) fn new() -> Self {
        Self {
            x: Vec::new(),
            image: Vec::new(),
            f: Vec::new(),
            has_last: false,
            last_image: Vec::new(),
            last_f: Vec::new(),
            kept: Vec::new(),
            oldest: 0,
            count: 0,
        }
    }

    fn forget(&mut self) {
        (self.has_last, self.oldest, self.count) = (false, 0, 0);
    }

    /// Replaces F(x) by the next x.
    fn accelerate<const D: usize>(&mut self, contacts: &[Touching<T, D>]) {
        let weights = contacts.iter().flat_map(|it| {
            let [normal, slip] = it.mobility;
            [normal, slip, slip]
        });
        self.f.clear();
        let pairs = self.image.iter().zip(&self.x).zip(weights);
        self.f
            .extend(pairs.map(|((&image, &x), weight)| (image - x) * weight));
        let square = dot(&self.f, &self.f);
        if self.has_last {
            let before = dot(&self.last_f, &self.last_f);
            if square.simd_gt(before * T::lit(4.0)).any() {
                // The cones have changed: what was learned leads astray.
                (self.oldest, self.count) = (0, 0);
            } else {
                self.keep_difference();
            }
        }
        self.has_last = true;
        self.last_image.clone_from(&self.image);
        self.last_f.clone_from(&self.f);
        for difference in &self.kept[..self.count] {
            add(
                &mut self.image,
                difference.factor(&self.f),
                &difference.image,
            );
        }
    }

    /// Adds the last difference to those that are kept, orthogonal to them.
    fn keep_difference(&mut self) {
        let place = self.oldest;
        if self.kept.len() <= place {
            self.kept.push(Difference::empty());
        }
        let mut new = core::mem::replace(&mut self.kept[place], Difference::empty());
        difference(&mut new.f, &self.f, &self.last_f);
        difference(&mut new.image, &self.image, &self.last_image);
        let whole = dot(&new.f, &new.f);
        for other in &self.kept[..self.count] {
            let factor = other.factor(&new.f);
            add(&mut new.f, factor, &other.f);
            add(&mut new.image, factor, &other.image);
        }
        let square = dot(&new.f, &new.f);
        let is_new = square.simd_gt(whole * T::lit(LEAST_NEW * LEAST_NEW));
        new.square = square.select(is_new, T::zero());
        self.kept[place] = new;
        self.count = self.count.max(place + 1);
        self.oldest = (place + 1) % MOST_KEPT;
    }
}
