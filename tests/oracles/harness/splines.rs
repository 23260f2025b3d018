//! Splines by what defines them: all coefficients of all cubics from one dense system.

use constraint_runtime::nalgebra::{DMatrix, DVector};

/// A cubic in x − start up to `end`, from the constant on.
#[derive(Clone, Copy)]
pub struct Piece {
    pub start: f64,
    pub end: f64,
    pub coefficients: [f64; 4],
}

/// Periods on each side of the points, of splines that repeat.
const PERIODS: i32 = 6;

/// The pieces in ascending order, those beyond the points with them.
pub fn pieces(name: &str, x: &[f64], y: &[f64]) -> Vec<Piece> {
    let periodic = name == "periodic_spline";
    let within = match name {
        "monotone_spline" => hermite(x, y, &slopes(x, y)),
        _ => smooth(x, y, periodic),
    };
    if periodic {
        let period = x[x.len() - 1] - x[0];
        let turns = (-PERIODS..=PERIODS).flat_map(|k| {
            let by = f64::from(k) * period;
            within.iter().map(move |piece| Piece {
                start: piece.start + by,
                end: piece.end + by,
                ..*piece
            })
        });
        return turns.collect();
    }
    let (first, last) = (within[0], within[within.len() - 1]);
    let before = Piece {
        start: first.start,
        end: first.start,
        coefficients: [y[0], first.coefficients[1], 0.0, 0.0],
    };
    let after = Piece {
        start: last.end,
        end: f64::INFINITY,
        coefficients: [y[y.len() - 1], derivative(&last, 1), 0.0, 0.0],
    };
    [vec![before], within, vec![after]].concat()
}

/// The factors of the coefficients in a derivative at h.
fn factors(order: usize, h: f64) -> [f64; 4] {
    match order {
        0 => [1.0, h, h * h, h * h * h],
        1 => [0.0, 1.0, 2.0 * h, 3.0 * h * h],
        _ => [0.0, 0.0, 2.0, 6.0 * h],
    }
}

/// A derivative at the end of a piece.
fn derivative(piece: &Piece, order: usize) -> f64 {
    let by = factors(order, piece.end - piece.start);
    by.iter().zip(piece.coefficients).map(|(a, b)| a * b).sum()
}

/// Through all points, y′ and y″ continuous; y″ = 0 at both ends, or both as at the other end.
fn smooth(x: &[f64], y: &[f64], periodic: bool) -> Vec<Piece> {
    let count = x.len() - 1;
    let mut matrix = DMatrix::zeros(4 * count, 4 * count);
    let mut right = DVector::zeros(4 * count);
    let mut row = 0;
    let mut equation = |terms: &[(usize, [f64; 4], f64)], value: f64| {
        for (piece, by, sign) in terms {
            (0..4).for_each(|k| matrix[(row, 4 * piece + k)] += sign * by[k]);
        }
        right[row] = value;
        row += 1;
    };
    let end = |i: usize, order| factors(order, x[i + 1] - x[i]);
    for i in 0..count {
        equation(&[(i, factors(0, 0.0), 1.0)], y[i]);
        equation(&[(i, end(i, 0), 1.0)], y[i + 1]);
        let next = (i + 1) % count;
        if next > 0 || periodic {
            for order in [1, 2] {
                let terms = [(i, end(i, order), 1.0), (next, factors(order, 0.0), -1.0)];
                equation(&terms, 0.0);
            }
        }
    }
    if !periodic {
        equation(&[(0, factors(2, 0.0), 1.0)], 0.0);
        equation(&[(count - 1, end(count - 1, 2), 1.0)], 0.0);
    }
    let found = matrix.lu().solve(&right).expect("points that ascend");
    let piece = |i: usize| Piece {
        start: x[i],
        end: x[i + 1],
        coefficients: std::array::from_fn(|k| found[4 * i + k]),
    };
    (0..count).map(piece).collect()
}

/// Cubics with given slopes at the points.
fn hermite(x: &[f64], y: &[f64], slopes: &[f64]) -> Vec<Piece> {
    let piece = |i: usize| {
        let h = x[i + 1] - x[i];
        let (chord, a, b) = ((y[i + 1] - y[i]) / h, slopes[i], slopes[i + 1]);
        let (bend, twist) = (
            (3.0 * chord - 2.0 * a - b) / h,
            (a + b - 2.0 * chord) / (h * h),
        );
        Piece {
            start: x[i],
            end: x[i + 1],
            coefficients: [y[i], a, bend, twist],
        }
    };
    (0..x.len() - 1).map(piece).collect()
}

/// Brodlie's slopes as Fritsch and Butland (1984) have them: d = s₁ s₂/(α s₂ + (1 − α) s₁), α = (h₁ + 2 h₂)/(3 (h₁ +
/// h₂)), 0 where the chords' slopes s₁ and s₂ differ in sign; at ends that of a parabola, limited as in PCHIP.
fn slopes(x: &[f64], y: &[f64]) -> Vec<f64> {
    let n = x.len();
    let h = |i: usize| x[i + 1] - x[i];
    let s = |i: usize| (y[i + 1] - y[i]) / h(i);
    let inner = |i: usize| {
        let (a, b) = (s(i - 1), s(i));
        let share = (h(i - 1) + 2.0 * h(i)) / (3.0 * (h(i - 1) + h(i)));
        if a * b > 0.0 {
            a * b / (share * b + (1.0 - share) * a)
        } else {
            0.0
        }
    };
    let end = |i: usize, next: usize| {
        let slope = s(i) + (s(i) - s(next)) * h(i) / (h(i) + h(next));
        let limited = slope.abs().min(3.0 * s(i).abs());
        match () {
            () if slope * s(i) <= 0.0 => 0.0,
            () if s(i) * s(next) <= 0.0 => limited.copysign(slope),
            () => slope,
        }
    };
    let mut slopes: Vec<f64> = (0..n)
        .map(|i| if i > 0 && i + 1 < n { inner(i) } else { 0.0 })
        .collect();
    (slopes[0], slopes[n - 1]) = (end(0, 1), end(n - 2, n - 3));
    slopes
}
