//! Random problems against enumeration.

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
            let side = SVector::<f64, 3>::from_fn(|i, _| if is_closed(i) { -b[i] } else { 0.0 });
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
            let listed = decision.map_or(0, |it| it.consistent.len());
            assert_eq!(listed, found.len().min(4));
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
        let b = SVector::from_fn(|i, _| a[i].iter().zip(motion).map(|(a, x)| a * x).sum::<f64>());
        problem::<Smooth, 3>(&a, b, &SVector::zeros(), |problem| {
            let decision = problem.decide(&[Candidates::SMOOTH; 3]).unwrap();
            assert!(!decision.consistent.are_ambiguous());
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
                    assert!(lambda[i] > -zero && w > -zero && lambda[i + 2].abs() < held + zero);
                    assert!(lambda[i] < zero || w < zero);
                    // Against the slip, with all of it while it slides.
                    assert!(
                        slip.abs() < zero || (lambda[i + 2] + held * slip.signum()).abs() < zero
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
