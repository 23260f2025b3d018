//! Which modes are consistent: w = A λ + b with 0 ≤ λ ⊥ w ≥ 0 at gaps, and Coulomb's law at slips.
//!
//! Every mode is tried if there are at most [`MOST_TRIED`]; of more rows modes are changed one by one until nothing is
//! violated. All quantities are compared in one unit, the root of a power: x = λ √A and y = w/√A, row by row.

mod candidates;
mod elimination;
#[cfg(test)]
mod tests;

pub(super) use self::candidates::Candidates;

use self::elimination::{LEAST_ANGLE, LEAST_PIVOT, eliminate};
use super::consistent_modes::{ConsistentModes, MOST_LISTED};
use super::in_mode::is_constrained;
use super::terms::{dot, size};
use super::{Each, OneSided, RowKind, RowMode, gaps, kind_of, sides, slip_of};
use crate::real::{Real, lane_value};
use crate::vector::Vector;

/// The part of its mobility that a slip may keep and count as held by other rows.
const HELD: f64 = 1e-9;

/// Combinations of modes that are all tried: six rows with friction, twelve without.
const MOST_TRIED: usize = 4096;

/// Units of rounding that count as zero, in terms of the largest term of all rows.
const ROUNDING: f64 = 65536.0;

/// A complementarity problem of gaps and slips.
pub(super) struct Problem<'a, T: Real, S: OneSided<T>> {
    /// A, row by row.
    pub(super) mobility: &'a Each<T, S, S::Sides>,
    /// b
    pub(super) right: S::Sides,
    /// The sizes of the terms of b.
    pub(super) sizes: S::Sides,
    /// μ at slips, the bound at the gaps of motors.
    pub(super) friction: &'a S::Sides,
}

/// A consistent mode, its forces, and all consistent modes that move the system differently.
pub(super) struct Decision<T: Real, S: OneSided<T>> {
    pub(super) modes: Each<T, S, RowMode>,
    pub(super) lambda: S::Sides,
    pub(super) consistent: ConsistentModes,
}

impl<T: Real, S: OneSided<T>> Problem<'_, T, S> {
    /// The first consistent mode, in the order of the candidates; `None` if there is none.
    pub(super) fn decide(&self, candidates: &Each<T, S, Candidates>) -> Option<Decision<T, S>> {
        let counts = candidates.as_ref()[..gaps::<T, S>()].iter();
        let all = counts.fold(1_usize, |all, it| all.saturating_mul(it.count));
        if all > MOST_TRIED {
            return self.pivoted(candidates);
        }
        let mut first: Option<(Each<T, S, RowMode>, S::Sides)> = None;
        let mut others: [Option<S::Sides>; MOST_LISTED - 1] = Default::default();
        let mut consistent = ConsistentModes::default();
        self.each_consistent(candidates, |modes, lambda| {
            let Some((_, known)) = &first else {
                first = Some((modes.clone(), lambda.clone()));
                consistent.list(&modes.as_ref()[..gaps::<T, S>()]);
                return;
            };
            let is_known = |known| !self.moves_apart(known, lambda);
            if !others.iter().flatten().chain([known]).any(is_known) {
                if let Some(place) = others.iter_mut().find(|it| it.is_none()) {
                    *place = Some(lambda.clone());
                }
                consistent.list(&modes.as_ref()[..gaps::<T, S>()]);
            }
        });
        first.map(|(modes, lambda)| Decision {
            modes,
            lambda,
            consistent,
        })
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
                        let mut consistent = ConsistentModes::default();
                        consistent.list(&modes.as_ref()[..n]);
                        return Some(Decision {
                            modes,
                            lambda,
                            consistent,
                        });
                    }
                },
                // Rows that follow from others: the last closed one opens.
                None => {
                    let opens = |&i: &usize| {
                        modes.as_ref()[i] != RowMode::Open
                            && kind_of::<T, S>(i) == RowKind::OneSided
                    };
                    ((0..n).rev().find(opens)?, RowMode::Open)
                }
            };
            modes.as_mut()[row] = next;
        }
        None
    }

    /// λ of a mode; `None` if it does not determine λ.
    pub(super) fn solve(&self, modes: &[RowMode]) -> Option<S::Sides> {
        self.solve_within(modes, LEAST_PIVOT)
    }

    /// λ of a mode that was found before. Rows whose directions differ by δ are one row if δ² is less than a pivot that
    /// counts as zero, but what they require differs by δ.
    pub(super) fn solve_again(&self, modes: &[RowMode]) -> Option<S::Sides> {
        self.solve_within(modes, LEAST_ANGLE)
    }

    fn solve_within(&self, modes: &[RowMode], left_over: f64) -> Option<S::Sides> {
        let k = sides::<T, S>();
        let scales = self.scales();
        let (mut matrix, mut x) = self.equations(modes, &scales);
        let matrix = matrix.as_mut();
        if !eliminate(&mut matrix[..k], &mut x, left_over) {
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

    /// z of Kᵀ z = λ*, with the equations K λ = … of a mode: what each of them counts in λ*·λ. `None` if the mode does not
    /// determine λ.
    pub(super) fn solve_adjoint(
        &self,
        modes: &[RowMode],
        lambda_bar: &S::Sides,
    ) -> Option<S::Sides> {
        let k = sides::<T, S>();
        let scales = self.scales();
        let (equations, _) = self.equations(modes, &scales);
        let equations = equations.as_ref();
        let mut transposed = S::Sides::blank().array(S::Sides::blank());
        let transposed = transposed.as_mut();
        for (i, row) in transposed.iter_mut().enumerate() {
            row.update(|j, _| equations[j][i]);
        }
        let mut z = lambda_bar.like(|i| lambda_bar[i] / scales[i]);
        if !eliminate(&mut transposed[..k], &mut z, LEAST_ANGLE) {
            return None;
        }
        z.update(|i, z| match is_constrained::<T, S>(modes, i) {
            true => z / scales[i],
            false => z * scales[i],
        });
        Some(z)
    }

    /// The equations of a mode for x = λ √A, and their right-hand sides.
    fn equations(&self, modes: &[RowMode], scales: &S::Sides) -> (Each<T, S, S::Sides>, S::Sides) {
        let mut equations = S::Sides::blank().array(S::Sides::blank());
        let matrix = equations.as_mut();
        let mut x = S::Sides::blank();
        for i in 0..gaps::<T, S>() {
            let is_closed = modes[i] != RowMode::Open;
            let is_motor = kind_of::<T, S>(i) == RowKind::Motor;
            self.write_row(i, is_closed && !is_motor, scales, matrix, &mut x);
            if is_closed && is_motor {
                x[i] = self.friction[i] * scales[i];
            }
            let Some(slip) = slip_of::<T, S>(i) else {
                continue;
            };
            self.write_row(slip, modes[i] == RowMode::Sticking, scales, matrix, &mut x);
            if let Some(sign) = modes[i].sliding() {
                let ratio = self.friction[slip] * scales[slip] / scales[i];
                matrix[slip][i] = ratio * T::lit(sign * modes[i].pressing());
            }
        }
        (equations, x)
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
            let is_two_sided = kind_of::<T, S>(i) == RowKind::TwoSided;
            match mode.sliding() {
                Some(sign) if is_two_sided && mode.pressing() * value(x[i]) < -zero => {
                    return Some((i, RowMode::slide(sign > 0.0, mode.pressing() < 0.0)));
                }
                _ if !is_two_sided && value(x[i]) < -zero => return Some((i, RowMode::Open)),
                _ => {}
            }
            let Some(slip) = slip else {
                continue;
            };
            match mode.sliding() {
                Some(sign) if candidates[i].starts && sign * value(y[slip]) < -zero => {
                    return Some((i, RowMode::Sticking));
                }
                None if mode == RowMode::Sticking => {
                    let pressing = value(lambda[i]);
                    let held = value(self.friction[slip] * scales[slip]) * pressing.abs();
                    if value(x[slip]).abs() > held + zero {
                        let presses = !is_two_sided || pressing > 0.0;
                        return Some((i, RowMode::slide(value(x[slip]) < 0.0, presses)));
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

/// Whether rows that are equalities in a mode hold a slip: no force on it moves it.
pub(super) fn is_held<T: Real, S: OneSided<T>>(
    mobility: &Each<T, S, S::Sides>,
    modes: &[RowMode],
    slip: usize,
) -> bool {
    let own = &mobility.as_ref()[slip];
    let problem: Problem<'_, T, S> = Problem {
        mobility,
        right: own.clone(),
        sizes: own.zeros_like(),
        friction: &S::Sides::blank(),
    };
    let moved = problem.solve(modes).map(|held| own[slip] + dot(own, &held));
    moved.is_some_and(|it| lane_value(it.simd_abs(), 0) <= HELD * lane_value(own[slip], 0))
}
