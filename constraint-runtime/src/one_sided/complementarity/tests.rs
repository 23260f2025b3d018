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

/// How many cases there are, unless `CONSTRAINT_CASES` says otherwise.
fn cases(usual: usize) -> usize {
    std::env::var("CONSTRAINT_CASES").map_or(usual, |it| it.parse().unwrap())
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
    let cases = cases(3000);
    for _ in 0..cases {
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
    assert!(
        several > cases / 30 && none > cases / 60,
        "{several} {none}"
    );
}

/// Rows that follow from others share forces in many ways, but the motion is one.
#[test]
fn redundant_rows_are_not_ambiguous() {
    let mut random = Random(2);
    for _ in 0..cases(1000) {
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
    let cases = cases(2000);
    for _ in 0..cases {
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
    assert!(sticks > cases / 10, "{sticks}");
}

/// Beyond the number of modes that are tried.
#[test]
fn many_rows_are_solved_by_pivoting() {
    let mut random = Random(4);
    for _ in 0..cases(50) {
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

system! {
    /// Six rows without friction.
    struct Six {}
    coordinate q[6];
    kinetic sum(i in 0..6: velocity(q[i])^2);
    constraint stop[i in 0..6]: q[i] >= 0;
}

/// The determinant of the rows and columns of a set, with column `replaced` by −b.
fn minor(a: &[[i128; 6]; 6], b: &[i128; 6], set: &[usize], replaced: Option<usize>) -> i128 {
    let entry = |i: usize, j: usize| match replaced {
        Some(column) if column == j => -b[i],
        _ => a[i][j],
    };
    let mut m: Vec<Vec<i128>> = set
        .iter()
        .map(|&i| set.iter().map(|&j| entry(i, j)).collect())
        .collect();
    // Bareiss: without fractions.
    let (mut sign, mut last) = (1, 1);
    for k in 0..set.len() {
        let Some(pivot) = (k..set.len()).find(|&i| m[i][k] != 0) else {
            return 0;
        };
        if pivot != k {
            m.swap(pivot, k);
            sign = -sign;
        }
        for i in k + 1..set.len() {
            for j in k + 1..set.len() {
                m[i][j] = (m[i][j] * m[k][k] - m[i][k] * m[k][j]) / last;
            }
        }
        last = m[k][k];
    }
    sign * last
}

/// The solutions in whole numbers, exactly: λ = numerators/denominator, of every set of closed rows with a determinant.
fn exact_solutions(a: &[[i128; 6]; 6], b: &[i128; 6], k: usize) -> Vec<[f64; 6]> {
    let mut found = Vec::new();
    for closed in 0..1_usize << k {
        let set: Vec<usize> = (0..k).filter(|i| closed >> i & 1 == 1).collect();
        let whole = minor(a, b, &set, None);
        if whole == 0 {
            continue;
        }
        let (size, sign) = (whole.abs(), whole.signum());
        let mut lambda = [0; 6];
        set.iter()
            .for_each(|&i| lambda[i] = sign * minor(a, b, &set, Some(i)));
        let w = |i: usize| (0..k).map(|j| a[i][j] * lambda[j]).sum::<i128>() + b[i] * size;
        if (0..k).all(|i| lambda[i] >= 0 && w(i) >= 0) {
            found.push(lambda.map(|it| it as f64 / size as f64));
        }
    }
    found
}

/// One to six rows of small whole numbers, degenerate ones too: all exact solutions are found, and all that are found are
/// solutions. Half of the matrices are G Gᵀ, of any rank.
#[test]
fn degenerate_problems_have_all_their_solutions() {
    let mut random = Random(6);
    let (mut degenerate, mut several) = (0, 0);
    let cases = cases(300);
    for case in 0..cases {
        let k = 1 + case % 6;
        let mut whole = |most: f64| (random.draw() * (most + 0.5)).round() as i128;
        let mut a = [[0_i128; 6]; 6];
        let rank = 1 + (whole(100.0).unsigned_abs() as usize) % k;
        let g: [[i128; 6]; 6] = core::array::from_fn(|_| core::array::from_fn(|_| whole(2.0)));
        for i in 0..k {
            for j in 0..k {
                a[i][j] = match case / 6 % 2 {
                    0 => (0..rank).map(|c| g[i][c] * g[j][c]).sum(),
                    _ => g[i][j],
                };
            }
            a[i][i] = a[i][i].abs().max(1);
        }
        let mut b = [0; 6];
        (0..k).for_each(|i| b[i] = whole(3.0));
        let expected = exact_solutions(&a, &b, k);
        let mobility = a.map(|row| SVector::from(row.map(|it| it as f64)));
        let right = SVector::from(b.map(|it| it as f64));
        let mut found: Vec<SVector<f64, 6>> = Vec::new();
        problem::<Six, 6>(&mobility, right, &SVector::zeros(), |problem| {
            let candidates = core::array::from_fn(|i| {
                if i < k {
                    Candidates::SMOOTH
                } else {
                    Candidates::APART
                }
            });
            problem.each_consistent(&candidates, |_, lambda| {
                let size = 1.0 + lambda.amax();
                for i in 0..k {
                    let w = mobility[i].dot(lambda) + right[i];
                    assert!(
                        lambda[i] > -1e-9 * size && w > -1e-9 * size,
                        "{a:?} {b:?} {lambda:?}"
                    );
                    assert!(
                        (lambda[i] * w).abs() < 1e-8 * size * size,
                        "{a:?} {b:?} {lambda:?}"
                    );
                }
                found.push(*lambda);
            });
            let decision = problem.decide(&candidates);
            assert_eq!(decision.is_none(), found.is_empty());
        });
        for lambda in &expected {
            let lambda = SVector::from(*lambda);
            let is_found = found
                .iter()
                .any(|it| (it - lambda).amax() < 1e-8 * (1.0 + lambda.amax()));
            assert!(
                is_found,
                "case {case}: {a:?} {b:?}, {lambda:?} is not among {found:?}"
            );
        }
        degenerate += usize::from(found.len() > expected.len());
        several += usize::from(expected.len() > 1);
    }
    assert!(
        degenerate > cases / 100 && several > cases / 100,
        "{degenerate} {several}"
    );
}
