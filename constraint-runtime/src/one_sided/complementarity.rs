//! Which modes are consistent: w = A λ + b with 0 ≤ λ ⊥ w ≥ 0 at gaps, and Coulomb's law at slips.
//!
//! Every mode is tried if there are at most [`MOST_TRIED`]; of more rows modes are changed one by one until nothing is
//! violated. All quantities are compared in one unit, the root of a power: x = λ √A and y = w/√A, row by row.

use super::terms::{dot, size};
use super::{Each, OneSided, RowMode, gaps, sides, slip_of};
use crate::real::{Real, lane_value};
use crate::vector::Vector;

/// Combinations of modes that are all tried: six rows with friction, twelve without.
const MOST_TRIED: usize = 4096;

/// Units of rounding that count as zero, in terms of the largest term of all rows.
const ROUNDING: f64 = 65536.0;

/// A pivot that counts as zero; rows are scaled to a diagonal of 1.
const LEAST_PIVOT: f64 = 1e-12;

/// A complementarity problem of gaps and slips.
pub(super) struct Problem<'a, T: Real, S: OneSided<T>> {
    /// A, row by row.
    pub(super) mobility: &'a Each<T, S, S::Sides>,
    /// b
    pub(super) right: S::Sides,
    /// The sizes of the terms of b.
    pub(super) sizes: S::Sides,
    /// μ, at slips.
    pub(super) friction: &'a S::Sides,
}

/// The modes that a row may have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidates {
    modes: [RowMode; 4],
    count: usize,
    /// Whether the slip is zero, so that its change must have its direction.
    starts: bool,
    /// Whether the gap may close: it is not zero, or it opens.
    is_apart: bool,
}

impl Candidates {
    /// A row that takes no part.
    pub(super) const APART: Self = Self {
        is_apart: true,
        ..Self::OPEN
    };

    /// A row that must open by itself.
    pub(super) const OPEN: Self = Self::listed([RowMode::Open; 4], 1, false);

    /// A closed row without friction.
    pub(super) const SMOOTH: Self = Self::listed(
        [RowMode::Closed, RowMode::Open, RowMode::Open, RowMode::Open],
        2,
        false,
    );

    /// A closed row whose slip is zero.
    pub(super) const AT_REST: Self = Self::listed(
        [
            RowMode::Sticking,
            RowMode::Forward,
            RowMode::Backward,
            RowMode::Open,
        ],
        4,
        true,
    );

    const fn listed(modes: [RowMode; 4], count: usize, starts: bool) -> Self {
        Self {
            modes,
            count,
            starts,
            is_apart: false,
        }
    }

    /// A closed row that slides.
    pub(super) fn sliding(slip: f64) -> Self {
        let mode = if slip > 0.0 {
            RowMode::Forward
        } else {
            RowMode::Backward
        };
        Self::listed([mode, RowMode::Open, mode, mode], 2, false)
    }

    /// The same, with one mode tried first.
    pub(super) fn preferring(mut self, mode: RowMode) -> Self {
        let listed = &mut self.modes[..self.count];
        if let Some(at) = listed.iter().position(|&it| it == mode) {
            listed[..=at].rotate_right(1);
        }
        self
    }

    /// The same without a mode; unchanged if it is the only one.
    pub(super) fn without(mut self, mode: RowMode) -> Self {
        let listed = &mut self.modes[..self.count];
        if let Some(at) = listed.iter().position(|&it| it == mode)
            && self.count > 1
        {
            listed[at..].rotate_left(1);
            self.count -= 1;
        }
        self
    }
}

/// A consistent mode, its forces, and whether another consistent mode moves differently.
pub(super) struct Decision<T: Real, S: OneSided<T>> {
    pub(super) modes: Each<T, S, RowMode>,
    pub(super) lambda: S::Sides,
    pub(super) is_ambiguous: bool,
}

impl<T: Real, S: OneSided<T>> Problem<'_, T, S> {
    /// The first consistent mode, in the order of the candidates; `None` if there is none.
    pub(super) fn decide(&self, candidates: &Each<T, S, Candidates>) -> Option<Decision<T, S>> {
        let counts = candidates.as_ref()[..gaps::<T, S>()].iter();
        let all = counts.fold(1_usize, |all, it| all.saturating_mul(it.count));
        if all > MOST_TRIED {
            return self.pivoted(candidates);
        }
        let mut found: Option<Decision<T, S>> = None;
        self.each_consistent(candidates, |modes, lambda| match &mut found {
            None => {
                found = Some(Decision {
                    modes: modes.clone(),
                    lambda: lambda.clone(),
                    is_ambiguous: false,
                });
            }
            Some(first) => first.is_ambiguous |= self.moves_apart(&first.lambda, lambda),
        });
        found
    }

    /// Calls `report` with every consistent mode and its forces.
    pub(super) fn each_consistent(
        &self,
        candidates: &Each<T, S, Candidates>,
        mut report: impl FnMut(&Each<T, S, RowMode>, &S::Sides),
    ) {
        let n = gaps::<T, S>();
        let candidates = candidates.as_ref();
        let mut digits = S::Sides::blank().array(0_usize);
        let mut modes = S::Sides::blank().array(RowMode::Open);
        loop {
            let listed = candidates.iter().zip(digits.as_ref());
            for (mode, (of, &digit)) in modes.as_mut()[..n].iter_mut().zip(listed) {
                *mode = of.modes[digit];
            }
            if let Some(lambda) = self.solve(modes.as_ref())
                && self.violated(modes.as_ref(), candidates, &lambda).is_none()
            {
                report(&modes, &lambda);
            }
            // The next combination; the first row changes last.
            let digits = digits.as_mut();
            let Some(turned) = (0..n).rev().find(|&i| digits[i] + 1 < candidates[i].count) else {
                return;
            };
            digits[turned] += 1;
            digits[turned + 1..n].fill(0);
        }
    }

    /// Changes the mode of the first violated row until none is.
    fn pivoted(&self, candidates: &Each<T, S, Candidates>) -> Option<Decision<T, S>> {
        let n = gaps::<T, S>();
        let mut modes = S::Sides::blank().array(RowMode::Open);
        for (mode, of) in modes.as_mut()[..n].iter_mut().zip(candidates.as_ref()) {
            *mode = of.modes[0];
        }
        for _ in 0..1000 * n {
            let (row, next) = match self.solve(modes.as_ref()) {
                Some(lambda) => match self.violated(modes.as_ref(), candidates.as_ref(), &lambda) {
                    Some(change) => change,
                    None => {
                        return Some(Decision {
                            modes,
                            lambda,
                            is_ambiguous: false,
                        });
                    }
                },
                // Rows that follow from others: the last closed one opens.
                None => {
                    let closed = modes.as_ref()[..n].iter();
                    let row = closed.rev().position(|&it| it != RowMode::Open)?;
                    (n - 1 - row, RowMode::Open)
                }
            };
            modes.as_mut()[row] = next;
        }
        None
    }

    /// λ of a mode; `None` if it does not determine λ.
    pub(super) fn solve(&self, modes: &[RowMode]) -> Option<S::Sides> {
        let k = sides::<T, S>();
        let scales = self.scales();
        let mut matrix = S::Sides::blank().array(S::Sides::blank());
        let matrix = matrix.as_mut();
        let mut x = S::Sides::blank();
        for i in 0..gaps::<T, S>() {
            let is_closed = modes[i] != RowMode::Open;
            self.write_row(i, is_closed, &scales, matrix, &mut x);
            let Some(slip) = slip_of::<T, S>(i) else {
                continue;
            };
            self.write_row(slip, modes[i] == RowMode::Sticking, &scales, matrix, &mut x);
            if let Some(sign) = modes[i].sliding() {
                let ratio = self.friction[slip] * scales[slip] / scales[i];
                matrix[slip][i] = ratio * T::lit(sign);
            }
        }
        if !eliminate(&mut matrix[..k], &mut x) {
            return None;
        }
        x.update(|i, x| x / scales[i]);
        // Eliminated together with others, zeros are zero to rounding alone.
        for (i, &mode) in modes.iter().enumerate().take(gaps::<T, S>()) {
            if mode == RowMode::Open {
                x[i] = T::zero();
            }
            if let Some(slip) = slip_of::<T, S>(i)
                && matches!(mode, RowMode::Open | RowMode::Closed)
            {
                x[slip] = T::zero();
            }
        }
        Some(x)
    }

    /// The equation of a row, y = 0 or x = 0.
    fn write_row(
        &self,
        i: usize,
        is_active: bool,
        scales: &S::Sides,
        matrix: &mut [S::Sides],
        x: &mut S::Sides,
    ) {
        if !is_active {
            matrix[i][i] = T::one();
            return;
        }
        let row = &self.mobility.as_ref()[i];
        matrix[i].update(|j, _| row[j] / (scales[i] * scales[j]));
        x[i] = -self.right[i] / scales[i];
    }

    /// √A of each row; 1 of a row that nothing moves.
    fn scales(&self) -> S::Sides {
        let mobility = self.mobility.as_ref();
        self.right.like(|i| {
            let size = lane_value(mobility[i][i].simd_sqrt(), 0);
            T::lit(if size > 0.0 { size } else { 1.0 })
        })
    }

    /// What counts as zero in the common unit, for forces λ.
    fn zero(&self, scales: &S::Sides, lambda: &S::Sides) -> f64 {
        let mobility = self.mobility.as_ref();
        let mut most = 0.0_f64;
        for i in 0..sides::<T, S>() {
            let size = (size(&mobility[i], lambda) + self.sizes[i]) / scales[i];
            most = most.max(lane_value(size, 0));
        }
        ROUNDING * lane_value(T::simd_default_epsilon(), 0) * most
    }

    /// Forces that count as zero, row by row.
    pub(super) fn rounding(&self, lambda: &S::Sides) -> S::Sides {
        let scales = self.scales();
        let zero = T::lit(self.zero(&scales, lambda));
        scales.like(|i| zero / scales[i])
    }

    /// The first row that a mode with forces λ violates, and the mode that it suggests.
    fn violated(
        &self,
        modes: &[RowMode],
        candidates: &[Candidates],
        lambda: &S::Sides,
    ) -> Option<(usize, RowMode)> {
        let scales = self.scales();
        let mobility = self.mobility.as_ref();
        let x = lambda.like(|i| lambda[i] * scales[i]);
        let terms = |i: usize| dot(&mobility[i], lambda);
        let y = lambda.like(|i| (terms(i) + self.right[i]) / scales[i]);
        let zero = self.zero(&scales, lambda);
        let value = |of: T| lane_value(of, 0);
        for (i, &mode) in modes.iter().enumerate().take(gaps::<T, S>()) {
            let slip = slip_of::<T, S>(i);
            if mode == RowMode::Open {
                if !candidates[i].is_apart && value(y[i]) < -zero {
                    return Some((i, candidates[i].modes[0]));
                }
                continue;
            }
            if value(x[i]) < -zero {
                return Some((i, RowMode::Open));
            }
            let Some(slip) = slip else {
                continue;
            };
            match mode.sliding() {
                Some(sign) if candidates[i].starts && sign * value(y[slip]) < -zero => {
                    return Some((i, RowMode::Sticking));
                }
                None if mode == RowMode::Sticking => {
                    let held = value(self.friction[slip] * lambda[i] * scales[slip]);
                    if value(x[slip]).abs() > held + zero {
                        let back = value(x[slip]) > 0.0;
                        let next = if back {
                            RowMode::Backward
                        } else {
                            RowMode::Forward
                        };
                        return Some((i, next));
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Whether two solutions move the system differently: redundant rows may share forces in many ways.
    fn moves_apart(&self, one: &S::Sides, other: &S::Sides) -> bool {
        let scales = self.scales();
        let (mut apart, mut most) = (0.0_f64, 0.0_f64);
        for (i, row) in self.mobility.as_ref().iter().enumerate() {
            let row = row.entries().iter().enumerate();
            let (mut sum, mut size) = (T::zero(), self.sizes[i]);
            for (j, &a) in row {
                sum += a * (one[j] - other[j]);
                size += (a * one[j]).simd_abs() + (a * other[j]).simd_abs();
            }
            apart = apart.max(lane_value((sum / scales[i]).simd_abs(), 0));
            most = most.max(lane_value(size / scales[i], 0));
        }
        let zero = ROUNDING * lane_value(T::simd_default_epsilon(), 0) * most;
        apart > 16.0 * zero
    }
}

/// Solves with a matrix of rows by elimination with pivots from all remaining rows and columns; false if there is no
/// solution. Unknowns that rows leave open, since they follow from others, are zero.
fn eliminate<T: Real, X: Vector<Scalar = T>>(matrix: &mut [X], x: &mut X) -> bool {
    let k = matrix.len();
    let value = |it: T| lane_value(it.simd_abs(), 0);
    let largest = x
        .entries()
        .iter()
        .fold(0.0, |most, &it| value(it).max(most));
    let mut order = x.array(0_usize);
    let order = order.as_mut();
    order.iter_mut().enumerate().for_each(|(i, it)| *it = i);
    let mut rank = k;
    for step in 0..k {
        let (mut best, mut size) = ((step, step), -1.0);
        for (i, row) in matrix.iter().enumerate().skip(step) {
            for (j, &column) in order.iter().enumerate().take(k).skip(step) {
                if value(row[column]) > size {
                    (best, size) = ((i, j), value(row[column]));
                }
            }
        }
        if size.is_nan() || size <= LEAST_PIVOT {
            rank = step;
            break;
        }
        matrix.swap(step, best.0);
        x.entries_mut().swap(step, best.0);
        order.swap(step, best.1);
        let (done, below) = matrix.split_at_mut(step + 1);
        let (pivot, column) = (&done[step], order[step]);
        for (i, row) in below.iter_mut().enumerate() {
            let factor = row[column] / pivot[column];
            for &j in &order[step..k] {
                let term = factor * pivot[j];
                row[j] -= term;
            }
            let term = factor * x[step];
            x[step + 1 + i] -= term;
        }
    }
    let left = x.entries()[rank..].iter();
    if !left
        .fold(0.0, |most, &it| value(it).max(most))
        .le(&(LEAST_PIVOT * largest))
    {
        return false;
    }
    let mut found = x.zeros_like();
    for step in (0..rank).rev() {
        let row = &matrix[step];
        let later = order[step + 1..rank].iter();
        let sum = later.fold(x[step], |sum, &j| sum - row[j] * found[j]);
        found[order[step]] = sum / row[order[step]];
    }
    *x = found;
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    system! {
        /// Three rows without friction.
        struct Smooth {}
        coordinate q[3];
        kinetic sum(i in 0..3: velocity(q[i])^2);
        constraint stop[i in 0..3]: q[i] >= 0;
    }

    system! {
        /// Two rows with friction.
        struct Rough {}
        coordinate q[4];
        kinetic sum(i in 0..4: velocity(q[i])^2);
        constraint stop[i in 0..2]: q[i] >= 0 { friction: 1, slip: velocity(q[i + 2]) };
    }

    system! {
        /// More rows than are tried.
        struct Many {}
        coordinate q[14];
        kinetic sum(i in 0..14: velocity(q[i])^2);
        constraint stop[i in 0..14]: q[i] >= 0;
    }

    /// SplitMix64, in [−1, 1).
    struct Random(u64);

    impl Random {
        fn draw(&mut self) -> f64 {
            self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }
    }

    /// G Gᵀ with as many columns as rows, or one less.
    fn positive<const K: usize>(random: &mut Random, columns: usize) -> [SVector<f64, K>; K] {
        let g: SMatrix<f64, K, K> =
            SMatrix::from_fn(|_, j| if j < columns { random.draw() } else { 0.0 });
        let a = g * g.transpose();
        core::array::from_fn(|i| a.row(i).transpose())
    }

    fn problem<S, const K: usize>(
        mobility: &[SVector<f64, K>; K],
        right: SVector<f64, K>,
        friction: &SVector<f64, K>,
        test: impl FnOnce(&Problem<'_, f64, S>),
    ) where
        S: OneSided<f64, Sides = SVector<f64, K>>,
    {
        test(&Problem {
            mobility,
            sizes: right.map(f64::abs),
            right,
            friction,
        });
    }

    /// Three rows: all solutions of any matrix, by the determinants of its minors.
    #[test]
    fn every_solution_is_found() {
        let mut random = Random(1);
        let (mut several, mut none) = (0, 0);
        for _ in 0..3000 {
            let a: [SVector<f64, 3>; 3] =
                core::array::from_fn(|_| SVector::from_fn(|_, _| random.draw()));
            // A diagonal that rows can have.
            let mut a = a;
            (0..3).for_each(|i| a[i][i] = a[i][i].abs() + 0.01);
            let b = SVector::from_fn(|_, _| random.draw());
            let mut expected = Vec::new();
            for closed in 0..8_u8 {
                let is_closed = |i: usize| closed >> i & 1 == 1;
                let matrix = SMatrix::<f64, 3, 3>::from_fn(|i, j| match is_closed(i) {
                    true => a[i][j],
                    false => f64::from(u8::from(i == j)),
                });
                let side =
                    SVector::<f64, 3>::from_fn(|i, _| if is_closed(i) { -b[i] } else { 0.0 });
                let Some(lambda) = matrix.try_inverse().map(|it| it * side) else {
                    continue;
                };
                let w = |i: usize| a[i].dot(&lambda) + b[i];
                if (0..3).all(|i| lambda[i] >= 0.0 && (is_closed(i) || w(i) >= 0.0)) {
                    expected.push(lambda);
                }
            }
            let mut found = Vec::new();
            problem::<Smooth, 3>(&a, b, &SVector::zeros(), |problem| {
                let candidates = [Candidates::SMOOTH; 3];
                problem.each_consistent(&candidates, |modes, lambda| {
                    for i in 0..3 {
                        let w = a[i].dot(lambda) + b[i];
                        let scale = 1e-10 * (1.0 + lambda.amax());
                        assert!(lambda[i] > -scale && w > -scale);
                        assert!((lambda[i] * w).abs() < scale * (1.0 + lambda.amax()));
                        assert_eq!(modes[i] == RowMode::Open, lambda[i] == 0.0);
                    }
                    found.push(*lambda);
                });
                let decision = problem.decide(&candidates);
                assert_eq!(decision.is_none(), found.is_empty());
                let is_ambiguous = decision.is_some_and(|it| it.is_ambiguous);
                assert_eq!(is_ambiguous, found.len() > 1);
            });
            assert_eq!(found.len(), expected.len());
            for lambda in expected {
                let size = 1.0 + lambda.amax();
                assert!(found.iter().any(|it| (it - lambda).amax() < 1e-8 * size));
            }
            several += usize::from(found.len() > 1);
            none += usize::from(found.is_empty());
        }
        assert!(several > 100 && none > 50, "{several} {none}");
    }

    /// Rows that follow from others share forces in many ways, but the motion is one.
    #[test]
    fn redundant_rows_are_not_ambiguous() {
        let mut random = Random(2);
        for _ in 0..1000 {
            let a = positive::<3>(&mut random, 2);
            // Reachable by a motion, so that there is a solution.
            let motion: [f64; 3] = core::array::from_fn(|_| random.draw());
            let b =
                SVector::from_fn(|i, _| a[i].iter().zip(motion).map(|(a, x)| a * x).sum::<f64>());
            problem::<Smooth, 3>(&a, b, &SVector::zeros(), |problem| {
                let decision = problem.decide(&[Candidates::SMOOTH; 3]).unwrap();
                assert!(!decision.is_ambiguous);
            });
        }
    }

    /// Coulomb's law in each consistent mode of two rows.
    #[test]
    fn friction_holds_in_every_mode() {
        let mut random = Random(3);
        let mut sticks = 0;
        for _ in 0..2000 {
            let a = positive::<4>(&mut random, 4);
            let b = SVector::from_fn(|_, _| random.draw());
            let mu = SVector::from([0.0, 0.0, random.draw().abs(), random.draw().abs()]);
            problem::<Rough, 4>(&a, b, &mu, |problem| {
                problem.each_consistent(&[Candidates::AT_REST; 4], |modes, lambda| {
                    for i in 0..2 {
                        let (w, slip) = (a[i].dot(lambda) + b[i], a[i + 2].dot(lambda) + b[i + 2]);
                        let zero = 1e-9 * (1.0 + lambda.amax());
                        let held = mu[i + 2] * lambda[i];
                        assert!(
                            lambda[i] > -zero && w > -zero && lambda[i + 2].abs() < held + zero
                        );
                        assert!(lambda[i] < zero || w < zero);
                        // Against the slip, with all of it while it slides.
                        assert!(
                            slip.abs() < zero
                                || (lambda[i + 2] + held * slip.signum()).abs() < zero
                        );
                        sticks += usize::from(modes[i] == RowMode::Sticking);
                    }
                });
            });
        }
        assert!(sticks > 200, "{sticks}");
    }

    /// Beyond the number of modes that are tried.
    #[test]
    fn many_rows_are_solved_by_pivoting() {
        let mut random = Random(4);
        for _ in 0..50 {
            let mut a = positive::<14>(&mut random, 14);
            (0..14).for_each(|i| a[i][i] += 0.1);
            let b = SVector::from_fn(|_, _| random.draw());
            problem::<Many, 14>(&a, b, &SVector::zeros(), |problem| {
                let found = problem.decide(&[Candidates::SMOOTH; 14]).unwrap();
                for i in 0..14 {
                    let (lambda, w) = (found.lambda[i], a[i].dot(&found.lambda) + b[i]);
                    let zero = 1e-9 * (1.0 + found.lambda.amax());
                    assert!(lambda > -zero && w > -zero && (lambda < zero || w < zero));
                }
            });
        }
    }
}
