//! Matrices of Newton's method from the entries of a descriptor pair, eliminated as a band that also contains λ.
//!
//! Implicit methods solve (a − b ∂v̇/∂v − c ∂v̇/∂q) x = r. With v̇ and its multipliers varied by M δv̇ − Jᵀ δλ =
//! −∂F/∂q δq − ∂F/∂v δv and by C̈ = 0, it is
//!
//! ```text
//! (a M + b ∂F/∂v + c ∂F/∂q) x − Jᵀ μ = M r        F = M v̇ − h − Jᵀ λ
//! (a J + 2 b J̇ + c J̈) x               = J r        along the motion: ∂C̈/∂v = 2 J̇, ∂C̈/∂q = J̈
//! ```
//! plus b J ω× + c (2 J̇ ω× + J ω̇× + J ω×ω×) for rotating bodies, δθ̇ = δω + ω×δθ. For relations Φ between
//! velocities the second row is (a ∂Φ/∂v + b (∂Φ/∂q + d/dt ∂Φ/∂v) + c (d/dt ∂Φ/∂q + ∂Φ/∂q ω×)) x.
//!
//! Rates of J are differences of the descriptor's entries at neighbours on the motion. Velocities and rows, in the
//! reverse Cuthill–McKee order, form a band whose width does not grow with the length of a chain.

mod pattern;

use alloc::vec;
use alloc::vec::Vec;

use nalgebra::{ComplexField, RealField};

use self::pattern::{Found, Kind, Turned, products};
use super::{Motion, cause};
use crate::derivatives::DescriptorMatrix;
use crate::error::{Error, Singular};
use crate::kept::{check_count, check_numbers};
use crate::linalg::band::{BandLu, place};
use crate::linalg::cuthill_mckee::reverse_cuthill_mckee;
use crate::real::Real;
use crate::stabilization::Stabilization;
use crate::state::State;
use crate::system::System;
use crate::vector::Vector;

/// The distance of the neighbours for differences of J, in steps: ε to this power.
const APART: f64 = 0.2;

/// An entry: its meaning, and its indices. Every solution reads all of them: in long chains, where they exceed the
/// caches, their size is most of the time that it takes.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
struct Entry {
    kind: Kind,
    /// Its row, in the order of elimination.
    row: u32,
    /// Its column among velocities followed by rows.
    column: u32,
    /// Its index in the band.
    place: u32,
}

/// The linearised motion at a state, entry by entry.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Entries<T> {
    velocities: usize,
    /// Entries on either side of the diagonal.
    half: usize,
    /// The index of each velocity and each row in the order of elimination.
    positions: Vec<usize>,
    /// In the order in which the system reports them.
    entries: Vec<Entry>,
    /// Those of M and J, which right-hand sides are multiplied by.
    weights: Vec<u32>,
    turned: Vec<Turned>,
    values: Vec<T>,
    /// First and second rates of the rows' entries along the motion.
    rates: Vec<[T; 2]>,
    /// 2 α and β² of Baumgarte's feedback.
    feedback: [T; 2],
}

impl<T: Real + RealField> Entries<T> {
    /// The entries that a system reports at a state, without their values.
    pub fn room<S: System<T>>(
        motion: &Motion<'_, T, S>,
        at: &State<S::Q, S::V>,
    ) -> Result<Self, Error> {
        let State { t, q, v } = at;
        let system = motion.system();
        let (a, lambda) = moving(motion, at)?;
        let (n, m) = (v.entries().len(), lambda.entries().len());
        let mut told = Vec::new();
        system.write_descriptor(*t, q, v, &a, &lambda, &mut |matrix, row, column, _| {
            told.push((matrix, row, column));
        });
        let mut related = vec![false; m];
        for &(matrix, row, column) in &told {
            if matrix == DescriptorMatrix::A && row >= 2 * n && column >= n {
                related[row - 2 * n] = true;
            }
        }
        let found: Vec<Found> = told
            .iter()
            .map(|&told| Found::of(told, n, &related))
            .collect();
        Ok(Self::ordered(n, m, &found))
    }

    /// The same, in the order of elimination.
    ///
    /// # Panics
    /// If the band has 2³² entries or more, which are 34 GB.
    fn ordered(velocities: usize, rows: usize, found: &[Found]) -> Self {
        let mut turned = products(found);
        let mut neighbours = vec![Vec::new(); velocities + rows];
        let of_products = turned.iter().map(|it| (it.row, it.column));
        let kept = found.iter().filter(|found| found.kind.is_kept());
        for (i, j) in kept
            .map(|found| (found.row, found.column))
            .chain(of_products)
        {
            if i != j {
                neighbours[i].push(j);
                neighbours[j].push(i);
            }
        }
        for neighbours in &mut neighbours {
            neighbours.sort_unstable();
            neighbours.dedup();
        }
        let mut positions = vec![0; velocities + rows];
        let order = reverse_cuthill_mckee(&neighbours);
        order
            .iter()
            .enumerate()
            .for_each(|(at, &node)| positions[node] = at);
        let all = neighbours.iter().enumerate();
        let apart = all.flat_map(|(i, of)| of.iter().map(move |&j| (i, j)));
        let apart = apart.map(|(i, j)| positions[i].abs_diff(positions[j]));
        let half = apart.max().unwrap_or(0);
        let placed = |i: usize, j: usize| place(half, positions[i], positions[j]);
        for it in &mut turned {
            it.place = placed(it.row, it.column);
            it.row = positions[it.row];
        }
        let short = |index: usize| u32::try_from(index).expect("a band of less than 34 GB");
        let entry = |&Found { kind, row, column }: &Found| Entry {
            kind,
            row: short(positions[row]),
            column: short(column),
            place: if kind.is_kept() {
                short(placed(row, column))
            } else {
                0
            },
        };
        let entries: Vec<Entry> = found.iter().map(entry).collect();
        let all = entries.iter().enumerate();
        let weights = all.filter(|(_, entry)| entry.kind.is_weight());
        Self {
            weights: weights.map(|(index, _)| short(index)).collect(),
            velocities,
            half,
            values: vec![T::zero(); entries.len()],
            rates: vec![[T::zero(); 2]; entries.len()],
            positions,
            entries,
            turned,
            feedback: [T::zero(); 2],
        }
    }

    /// Checks that a memory holds the entries of so many velocities, each at a valid index.
    pub fn check(&self, expected: usize) -> Result<(), Error> {
        let (n, width) = (self.positions.len(), 3 * self.half + 1);
        check_count(self.velocities, expected)?;
        check_numbers(&self.values, self.entries.len())?;
        check_count(self.rates.len(), self.entries.len())?;
        let rates = self.rates.iter().chain([&self.feedback]);
        rates.clone().try_for_each(|pair| check_numbers(pair, 2))?;
        let below = |limit: usize, index: usize| check_count(index.min(limit), index);
        let last = |length: usize| length.saturating_sub(1);
        for &position in &self.positions {
            below(last(n), position)?;
        }
        for entry in &self.entries {
            let columns = if entry.kind == Kind::Push {
                n
            } else {
                expected
            };
            below(last(n), entry.row as usize)?;
            below(last(columns), entry.column as usize)?;
            below(last(n * width), entry.place as usize)?;
        }
        let count = last(self.entries.len());
        for &index in &self.weights {
            below(count, index as usize)?;
        }
        for it in &self.turned {
            let of_entries = [Some(it.held), Some(it.turn), it.again];
            let mut of_entries = of_entries.into_iter().flatten();
            of_entries.try_for_each(|index| below(count, index))?;
            below(last(n), it.row)?;
            below(last(expected), it.column)?;
            below(last(n * width), it.place)?;
        }
        Ok(())
    }

    /// Memory for a matrix of these entries.
    pub fn elimination<F: ComplexField<RealField = T> + Copy>(&self) -> Banded<T, F> {
        let n = self.positions.len();
        Banded {
            lu: BandLu::room(n, self.half),
            x: vec![F::zero(); n],
            weights: vec![T::zero(); self.weights.len()],
        }
    }

    /// Evaluates the entries at a state from which a step of length `h` is taken.
    pub fn take<S: System<T>>(
        &mut self,
        motion: &Motion<'_, T, S>,
        at: &State<S::Q, S::V>,
        h: T,
    ) -> Result<(), Error> {
        let State { t, q, v } = at;
        let system = motion.system();
        let (a, lambda) = moving(motion, at)?;
        let mut values = self.values.iter_mut();
        system.write_descriptor(*t, q, v, &a, &lambda, &mut |_, _, _, x| {
            if let Some(value) = values.next() {
                *value = x;
            }
        });
        self.feedback = match motion.stabilization() {
            Stabilization::Baumgarte { alpha, beta } => [alpha + alpha, beta * beta],
            _ => [T::zero(); 2],
        };
        if self.positions.len() == self.velocities {
            return Ok(());
        }
        let apart = h * T::simd_default_epsilon().simd_powf(T::lit(APART));
        let rate = system.kinematics(*t, q, v);
        let bend = system.kinematics(*t, q, &a);
        for sign in [T::one(), -T::one()] {
            let dt = sign * apart;
            let half = T::lit(0.5) * dt * dt;
            let mut there = q.like(|i| q[i] + rate[i] * dt + bend[i] * half);
            system.normalize(&mut there);
            let speed = v.like(|i| v[i] + a[i] * dt);
            let known = self.entries.iter().zip(&self.values);
            let mut all = known.zip(&mut self.rates);
            let first = sign == T::one();
            let mut note = |_: DescriptorMatrix, _: usize, _: usize, x: T| {
                let Some(((entry, &here), rates)) = all.next() else {
                    return;
                };
                if !entry.kind.is_differentiated() {
                    return;
                }
                *rates = if first {
                    [x, T::zero()]
                } else {
                    let [ahead, _] = *rates;
                    let change = (ahead - x) / (apart + apart);
                    [change, (ahead - here - here + x) / (apart * apart)]
                };
            };
            system.write_descriptor(*t + dt, &there, &speed, &a, &lambda, &mut note);
        }
        Ok(())
    }

    /// Factors a − b ∂v̇/∂v − c ∂v̇/∂q.
    pub fn eliminate<F: ComplexField<RealField = T> + Copy>(
        &self,
        weights: [F; 3],
        banded: &mut Banded<T, F>,
    ) -> Result<(), Error> {
        for (weight, &index) in banded.weights.iter_mut().zip(&self.weights) {
            *weight = self.values[index as usize];
        }
        let matrix = banded.lu.cleared();
        let all = self.entries.iter().zip(&self.values).zip(&self.rates);
        for ((entry, &value), &rates) in all.filter(|((entry, _), _)| entry.kind.is_kept()) {
            matrix[entry.place as usize] += self.weighted(entry.kind, weights, value, rates);
        }
        let [_, b, c] = weights;
        for turned in &self.turned {
            matrix[turned.place] += self.turned([b, c], turned);
        }
        banded
            .lu
            .factor()
            .map_err(|position| self.without_pivot(position))
    }

    /// The contribution of an entry to a − b ∂v̇/∂v − c ∂v̇/∂q.
    fn weighted<F: ComplexField<RealField = T> + Copy>(
        &self,
        kind: Kind,
        [a, b, c]: [F; 3],
        value: T,
        [rate, second]: [T; 2],
    ) -> F {
        let [velocity, place] = self.feedback;
        let [value, rate, second, velocity, place] =
            [value, rate, second, velocity, place].map(F::from_real);
        match kind {
            Kind::Mass => a * value,
            Kind::ByPlace => -c * value,
            Kind::ByVelocity => -b * value,
            Kind::Push => -value,
            Kind::Held => {
                let twice = b + b + velocity * c;
                (a + velocity * b + place * c) * value + twice * rate + c * second
            }
            Kind::Related => (a + velocity * b) * value + b * rate,
            Kind::Carried => (b + velocity * c) * value + c * rate,
            Kind::Turn | Kind::Other => F::zero(),
        }
    }

    /// The contribution of a product.
    fn turned<F: ComplexField<RealField = T> + Copy>(&self, [b, c]: [F; 2], it: &Turned) -> F {
        let [velocity, _] = self.feedback;
        let (held, [held_rate, _]) = (self.values[it.held], self.rates[it.held]);
        let (turn, [turn_rate, _]) = (self.values[it.turn], self.rates[it.turn]);
        match it.again {
            None if self.entries[it.held].kind == Kind::Carried => c * F::from_real(held * turn),
            None => {
                let twice = held * turn_rate + held_rate * turn * T::lit(2.0);
                let once = b + c * F::from_real(velocity);
                once * F::from_real(held * turn) + c * F::from_real(twice)
            }
            Some(again) => c * F::from_real(held * turn * self.values[again]),
        }
    }

    /// Adds M r and J r, with their entries at the state of the elimination.
    fn push<F: ComplexField<RealField = T> + Copy>(&self, weights: &[T], r: &[F], out: &mut [F]) {
        for (&index, &weight) in self.weights.iter().zip(weights) {
            let Entry { row, column, .. } = self.entries[index as usize];
            out[row as usize] += F::from_real(weight) * r[column as usize];
        }
    }

    /// Adds (−b ∂F/∂v − c ∂F/∂q) x, and subtracts the change of C̈.
    fn pull(&self, [b, c]: [T; 2], x: &[T], out: &mut [T]) {
        let weights = [T::zero(), b, c];
        let all = self.entries.iter().zip(&self.values).zip(&self.rates);
        for ((entry, &value), &rates) in all.filter(|((entry, _), _)| entry.kind != Kind::Push) {
            let counted = self.weighted(entry.kind, weights, value, rates);
            if entry.kind.is_kept() {
                out[entry.row as usize] -= counted * x[entry.column as usize];
            }
        }
        for turned in &self.turned {
            out[turned.row] -= self.turned([b, c], turned) * x[turned.column];
        }
    }

    /// The error for a column without a pivot.
    #[cold]
    fn without_pivot(&self, position: usize) -> Error {
        let index = self.positions.iter().position(|&at| at == position);
        let index = index.unwrap_or_default();
        match index.checked_sub(self.velocities) {
            None => Error::SingularStep {
                index,
                names: None,
                time: None,
            },
            Some(row) => Singular { row, pivot: 0.0 }.into(),
        }
    }
}

/// A matrix of Newton's method, eliminated, and memory for the unknowns.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Banded<T, F> {
    lu: BandLu<F>,
    x: Vec<F>,
    /// The entries of M and J that it was assembled from.
    weights: Vec<T>,
}

impl<T, F> Banded<T, F>
where
    T: Real + RealField,
    F: ComplexField<RealField = T> + Copy,
{
    /// Checks that a memory holds a matrix of such entries.
    pub fn check(&self, entries: &Entries<T>) -> Result<(), Error> {
        check_numbers(&self.weights, entries.weights.len())?;
        check_count(self.x.len(), entries.positions.len())?;
        self.lu.check(entries.positions.len(), entries.half)
    }

    /// Solves for r, in place.
    pub fn solve(&mut self, entries: &Entries<T>, r: &mut [F]) {
        self.x.fill(F::zero());
        entries.push(&self.weights, r, &mut self.x);
        self.finish(entries, r);
    }

    fn finish(&mut self, entries: &Entries<T>, r: &mut [F]) {
        self.lu.solve(&mut self.x);
        for (r, &position) in r.iter_mut().zip(&entries.positions) {
            *r = self.x[position];
        }
    }
}

impl<T: Real + RealField> Banded<T, T> {
    /// Solves for r + b ∂v̇/∂v x + c ∂v̇/∂q x, in place of r.
    pub fn solve_along(&mut self, entries: &Entries<T>, r: &mut [T], weights: [T; 2], x: &[T]) {
        self.x.fill(T::zero());
        entries.push(&self.weights, r, &mut self.x);
        entries.pull(weights, x, &mut self.x);
        self.finish(entries, r);
    }
}

/// v̇ and λ, their errors traced to the cause.
fn moving<T: Real, S: System<T>>(
    motion: &Motion<'_, T, S>,
    State { t, q, v }: &State<S::Q, S::V>,
) -> Result<(S::V, S::Rows), Error> {
    let (mut a, lambda) = motion
        .system()
        .acceleration_and_multipliers(*t, q, v)
        .map_err(|error| cause(error, *t, q, v))?;
    if let Stabilization::Baumgarte { .. } = motion.stabilization() {
        a = motion.acceleration(*t, q, v)?;
    }
    Ok((a, lambda))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Beads in the plane on links, whose bends are stiff: the entries of the descriptor pair of so many.
    fn chain(beads: usize) -> Entries<f64> {
        let n = 2 * beads;
        let mut told = Vec::new();
        for i in 0..beads {
            for axis in 0..2 {
                let (row, own) = (n + 2 * i + axis, 2 * i + axis);
                told.push((DescriptorMatrix::E, row, n + own));
                for other in i.saturating_sub(2)..beads.min(i + 3) {
                    told.push((DescriptorMatrix::A, row, 2 * other + axis));
                }
                for link in i..beads.min(i + 2) {
                    told.push((DescriptorMatrix::A, row, 2 * n + link));
                    told.push((DescriptorMatrix::A, 2 * n + link, own));
                }
            }
        }
        let related = vec![false; beads];
        let found = told.iter().map(|&told| Found::of(told, n, &related));
        Entries::ordered(n, beads, &found.collect::<Vec<_>>())
    }

    /// Beads reach two further: a level of the order holds two of them, with their links, and coupled unknowns are in
    /// neighbouring levels.
    #[test]
    fn a_chain_takes_as_much_for_a_link_however_long_it_is() {
        let widths = [100, 1_000, 10_000].map(|beads| chain(beads).half);
        assert_eq!(widths, [widths[0]; 3]);
        assert!(widths[0] < 2 * 6, "{}", widths[0]);
    }

    /// Two velocities, the second of which nothing resists, and a row that holds neither.
    #[test]
    fn what_has_no_pivot_is_named() {
        let told = [
            (DescriptorMatrix::E, 2, 2),
            (DescriptorMatrix::A, 3, 1),
            (DescriptorMatrix::A, 4, 0),
            (DescriptorMatrix::A, 2, 4),
        ];
        let found = told.map(|told| Found::of(told, 2, &[false]));
        let mut entries = Entries::<f64>::ordered(2, 1, &found);
        let mut banded = entries.elimination();
        entries.values = vec![1.0, 0.0, 1.0, 1.0];
        let refused = entries.eliminate([1.0, 0.1, 0.01], &mut banded);
        let named = matches!(refused, Err(Error::SingularStep { index: 1, .. }));
        assert!(named, "{refused:?}");
        entries.values = vec![1.0, -1.0, 0.0, 0.0];
        let refused = entries.eliminate([1.0, 0.1, 0.01], &mut banded);
        assert!(
            matches!(refused, Err(Error::Singular { .. })),
            "{refused:?}"
        );
        entries.values = vec![1.0, -1.0, 1.0, 1.0];
        assert_eq!(entries.eliminate([1.0, 0.1, 0.01], &mut banded), Ok(()));
    }
}
