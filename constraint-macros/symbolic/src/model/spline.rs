//! Functions through points: cubics between neighbours, with straight lines beyond the ends or repeated periodically.
//!
//! ```text
//! cubic      y″ is continuous, and 0 at both ends: hᵢ₋₁ Mᵢ₋₁ + 2 (hᵢ₋₁ + hᵢ) Mᵢ + hᵢ Mᵢ₊₁ = 6 (δᵢ − δᵢ₋₁)
//! periodic   the same for every point; the last point coincides with the first
//! monotone   y′ is continuous, and y rises and falls where its points do (Fritsch and Butland 1984)
//! ```
//! hᵢ and δᵢ are width and slope between the points i and i + 1, M is y″ at the points. The coefficients of the piece
//! that holds x are selected, and one cubic is computed with them.

use super::SplineValue;
use super::lower::Lowering;
use super::value::Value;
use crate::diagnostic::catalogue::{self, Cause};
use crate::diagnostic::{SourceRange, system};
use crate::expr::{
    CollectVec, Comparison, ExprId, Function, MapEach, Node, Number, PushEach, Slope,
};
use crate::syntax::ast::{Expr, ExprKind, name_of};

/// Kinds of interpolation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spline {
    /// With a continuous second derivative
    Cubic,
    /// Like `Cubic`, repeated periodically
    Periodic,
    /// Without overshooting
    Monotone,
}

impl Spline {
    /// The spline of a name.
    pub fn of(name: &str) -> Option<Spline> {
        match name {
            "cubic_spline" => Some(Spline::Cubic),
            "periodic_spline" => Some(Spline::Periodic),
            "monotone_spline" => Some(Spline::Monotone),
            _ => None,
        }
    }
}

/// Each coefficient combines all values, so the total cost grows with the square of the number of points. With more
/// points than this, a system would be too large to derive.
const MOST_POINTS: usize = 1000;

/// One cubic in x − start, coefficients in ascending order.
struct Piece {
    start: f64,
    coefficients: [ExprId; 4],
}

impl Lowering<'_> {
    /// `cubic_spline(x, [0, 1, 2], [0, 1, 0])`
    pub fn spline(
        &mut self,
        spline: Spline,
        name: &str,
        arguments: &[Expr],
        place: SourceRange,
        range: SourceRange,
    ) -> Value {
        let [x, abscissae, ordinates] = arguments else {
            let usage = format!("{name}(x, [0, 1, 2], [a, b, c])");
            return self.report(catalogue::wrong_arity(
                place,
                &usage,
                "3 arguments",
                arguments.len(),
            ));
        };
        let x = self.scalar(x);
        let (at, through) = (self.entries_of(abscissae), self.entries_of(ordinates));
        let (Some(argument), Some(at), Some(through)) = (x, at, through) else {
            return Value::Poison;
        };
        let Some(knots) = self.knots((abscissae, &at), (ordinates, &through)) else {
            return Value::Poison;
        };
        let Some((x, pieces)) = self.pieces(spline, argument, &knots, (ordinates, &through)) else {
            return Value::Poison;
        };
        let [value, first, second, third] = self.piecewise(x, &pieces);
        let graph = self.graph();
        // Kept whole, so that formulas can print 2 c₂ + 6 c₃ t by its name.
        let second = graph.whole(second);
        let others = graph.reachable(through.iter().copied());
        let is_leaf = |id: &ExprId| matches!(graph.node(*id), Node::Symbol(_));
        let others: Vec<ExprId> = others.into_iter().filter(is_leaf).collect_vec();
        for (value, slope) in [(value, first), (first, second), (second, third)] {
            let others = others.clone();
            graph.set_slope(
                value,
                Slope {
                    argument,
                    slope,
                    others,
                },
            );
        }
        let text = std::ptr::from_ref(ordinates) as usize;
        self.remember_spline(value, [first, second], argument, text);
        self.finite_scalar(value, range, Cause::Other)
    }

    /// The abscissae as ascending numbers, one for each ordinate; otherwise reported.
    fn knots(
        &mut self,
        (abscissae, at): (&Expr, &[ExprId]),
        (ordinates, through): (&Expr, &[ExprId]),
    ) -> Option<Vec<f64>> {
        let range = abscissae.range;
        let diagnostic = if at.len() != through.len() {
            system::spline_of_unlike_lists(ordinates.range, through.len(), at.len())
        } else if at.len() < 2 {
            system::spline_of_few_points(range)
        } else if at.len() > MOST_POINTS {
            system::spline_of_many_points(range, at.len(), MOST_POINTS)
        } else {
            return self.ascending(at, abscissae);
        };
        self.report(diagnostic);
        None
    }

    /// The pieces through the points, and their argument; otherwise reported.
    fn pieces(
        &mut self,
        spline: Spline,
        x: ExprId,
        knots: &[f64],
        (ordinates, through): (&Expr, &[ExprId]),
    ) -> Option<(ExprId, Vec<Piece>)> {
        match spline {
            Spline::Cubic => {
                let pieces = self.cubic(knots, through, &second_derivatives(knots));
                Some((x, pieces))
            }
            Spline::Periodic => {
                if through.first() != through.last() {
                    let last = self.place_of_entry(ordinates, through.len() - 1);
                    self.report(system::spline_not_closed(last));
                    return None;
                }
                let x = self.within_period(x, knots);
                let around = periodic_second_derivatives(knots);
                let mut pieces = self.cubic(knots, through, &around);
                // A periodic function has no lines before or after its points.
                pieces.pop();
                pieces.remove(0);
                Some((x, pieces))
            }
            Spline::Monotone => {
                let Some(through) = self.numbers(through) else {
                    self.report(system::spline_of_no_numbers(ordinates.range));
                    return None;
                };
                Some((x, self.monotone(knots, &through)))
            }
        }
    }

    /// Records a spline under a name, unless the same value is already known.
    fn remember_spline(
        &mut self,
        value: ExprId,
        slopes: [ExprId; 2],
        argument: ExprId,
        text: usize,
    ) {
        let splines = &mut self.model.splines;
        if splines.iter().any(|known| known.value == value) {
            return;
        }
        let known = splines.iter().find(|known| known.text == text);
        let name = match (known, splines.len()) {
            (Some(known), _) => known.name.clone(),
            (None, 0) => "spline".to_owned(),
            (None, before) => format!("spline{}", before + 1),
        };
        splines.push(SplineValue {
            value,
            slopes,
            name,
            argument,
            text,
        });
    }

    /// Uses the name of `fn lift(a) = cubic_spline(a, …);` for the spline that its calls return.
    pub fn name_spline(&mut self, value: &Value, function: &str) {
        let Value::Scalar(id) = value else {
            return;
        };
        let known = self.model.splines.iter_mut().find(|it| it.value == *id);
        if let Some(spline) = known {
            function.clone_into(&mut spline.name);
        }
    }

    /// The entries of a list, written out or named; anything else is reported.
    fn entries_of(&mut self, list: &Expr) -> Option<Vec<ExprId>> {
        match &list.kind {
            ExprKind::List(items) => {
                let entries: Vec<_> = items.iter().map(|item| self.scalar(item)).collect_vec();
                return entries.into_iter().collect();
            }
            ExprKind::Name(name) => {
                let known = self.names.elements(&name_of(name));
                let numbers = known.map(|elements| {
                    let numbers = elements.iter().map(|element| match element {
                        Value::Scalar(id) => Some(*id),
                        _ => None,
                    });
                    numbers.collect::<Option<Vec<ExprId>>>()
                });
                if let Some(Some(numbers)) = numbers {
                    return Some(numbers);
                }
            }
            _ => {}
        }
        self.report(system::spline_of_no_list(list.range));
        None
    }

    fn numbers(&mut self, ids: &[ExprId]) -> Option<Vec<f64>> {
        let graph = self.graph();
        let numbers = ids.iter().map(|&id| graph.as_number(id));
        numbers.map(|number| number.map(Number::to_f64)).collect()
    }

    /// Source range of an entry of a list.
    fn place_of_entry(&self, list: &Expr, i: usize) -> SourceRange {
        match &list.kind {
            ExprKind::List(items) => items[i].range,
            _ => list.range,
        }
    }

    /// x minus as many whole periods as lie between it and the first point.
    fn within_period(&mut self, x: ExprId, knots: &[f64]) -> ExprId {
        let (first, last) = (knots[0], knots[knots.len() - 1]);
        let graph = self.graph();
        let period = Number::float(last) - Number::float(first);
        let beyond = graph.offset(x, -Number::float(first));
        let turns = graph.scale(beyond, Number::ONE / period);
        let turns = graph.call(Function::Floor, &[turns]);
        graph.sum(&[(x, Number::ONE), (turns, -period)])
    }

    /// Strictly ascending numbers; otherwise reported.
    fn ascending(&mut self, ids: &[ExprId], list: &Expr) -> Option<Vec<f64>> {
        for (i, &id) in ids.iter().enumerate() {
            if self.graph().as_number(id).is_none() {
                let place = self.place_of_entry(list, i);
                self.report(system::spline_at_no_number(place));
                return None;
            }
        }
        let knots = self.numbers(ids)?;
        let falls = knots.windows(2).position(|pair| pair[0] >= pair[1]);
        if let Some(i) = falls {
            let place = self.place_of_entry(list, i + 1);
            self.report(system::spline_not_ascending(place));
            return None;
        }
        Some(knots)
    }

    /// Cubics whose M are given by weights of the ordinates. Coefficients are linear in the ordinates, which need no
    /// values here.
    fn cubic(&mut self, x: &[f64], y: &[ExprId], curved: &[Vec<f64>]) -> Vec<Piece> {
        let n = x.len();
        let unit = |i: usize| -> Vec<f64> { (0..n).map(|k| f64::from(k == i)).collect_vec() };
        let combined = |terms: &[(f64, &[f64])]| -> Vec<f64> {
            let entry = |k: usize| terms.iter().map(|(by, row)| by * row[k]).sum();
            (0..n).map(entry).collect_vec()
        };
        let mut pieces = Vec::new();
        let mut beyond = Vec::new();
        for i in 0..n - 1 {
            let (h, [a, b]) = (x[i + 1] - x[i], [i, i + 1].map(unit));
            let [m, next] = [&curved[i][..], &curved[i + 1]];
            let chord = [(1.0 / h, &b[..]), (-1.0 / h, &a[..])];
            let slope = combined(&[chord[0], chord[1], (-h / 3.0, m), (-h / 6.0, next)]);
            let bend = combined(&[(0.5, m)]);
            let twist = combined(&[(1.0 / (6.0 * h), next), (-1.0 / (6.0 * h), m)]);
            let coefficients = [slope, bend, twist].map(|weights| self.combination(&weights, y));
            if i == 0 {
                pieces.push(self.line(x[0], y[0], coefficients[0]));
            }
            if i + 2 == n {
                beyond = combined(&[chord[0], chord[1], (h / 6.0, m), (h / 3.0, next)]);
            }
            let [slope, bend, twist] = coefficients;
            pieces.push(Piece {
                start: x[i],
                coefficients: [y[i], slope, bend, twist],
            });
        }
        let slope = self.combination(&beyond, y);
        pieces.push(self.line(x[n - 1], y[n - 1], slope));
        pieces
    }

    /// Hermite cubics whose slopes are harmonic means of the chords' slopes on both sides.
    fn monotone(&mut self, x: &[f64], y: &[f64]) -> Vec<Piece> {
        let slopes = monotone_slopes(x, y);
        let number = |lowering: &mut Self, value| lowering.graph().number(Number::float(value));
        let mut pieces = Vec::new();
        for i in 0..x.len() - 1 {
            let h = x[i + 1] - x[i];
            let (chord, a, b) = ((y[i + 1] - y[i]) / h, slopes[i], slopes[i + 1]);
            let bend = (3.0 * chord - 2.0 * a - b) / h;
            let twist = (a + b - 2.0 * chord) / (h * h);
            let coefficients = [y[i], a, bend, twist].map_each(|value| number(self, value));
            if i == 0 {
                pieces.push(self.line(x[0], coefficients[0], coefficients[1]));
            }
            pieces.push(Piece {
                start: x[i],
                coefficients,
            });
        }
        let last = x.len() - 1;
        let [value, slope] = [y[last], slopes[last]].map_each(|value| number(self, value));
        pieces.push(self.line(x[last], value, slope));
        pieces
    }

    /// Σ wᵢ yᵢ
    fn combination(&mut self, weights: &[f64], y: &[ExprId]) -> ExprId {
        if let Some(numbers) = self.numbers(y) {
            let sum = weights.iter().zip(numbers).map(|(w, y)| w * y).sum();
            return self.graph().number(Number::float(sum));
        }
        let terms = y.iter().zip(weights).filter(|(_, weight)| **weight != 0.0);
        let terms: Vec<_> = terms.map(|(&y, &w)| (y, Number::float(w))).collect_vec();
        self.graph().sum(&terms)
    }

    fn line(&mut self, start: f64, value: ExprId, slope: ExprId) -> Piece {
        let zero = self.graph().zero();
        Piece {
            start,
            coefficients: [value, slope, zero, zero],
        }
    }

    /// The cubic of the piece that holds x, and its derivatives. The first piece also covers all x before it, each other
    /// piece begins at its start.
    fn piecewise(&mut self, x: ExprId, pieces: &[Piece]) -> [ExprId; 4] {
        let graph = self.graph();
        let starts = pieces
            .iter()
            .map(|piece| graph.number(Number::float(piece.start)));
        let starts: Vec<ExprId> = starts.collect_vec();
        let start = self.selected_piece(x, &starts, &starts);
        let [c0, c1, c2, c3] = [0, 1, 2, 3].map_each(|k| {
            let all: Vec<ExprId> = pieces
                .iter()
                .map(|piece| piece.coefficients[k])
                .collect_vec();
            self.selected_piece(x, &starts, &all)
        });
        let graph = self.graph();
        let t = graph.sub(x, start);
        let mut horner = |coefficients: &[(ExprId, i64)]| {
            let mut value = graph.zero();
            for &(coefficient, factor) in coefficients {
                let higher = graph.mul(t, value);
                let own = graph.scale(coefficient, Number::integer(factor.into()));
                value = graph.add(own, higher);
            }
            value
        };
        [
            horner(&[(c3, 1), (c2, 1), (c1, 1), (c0, 1)]),
            horner(&[(c3, 3), (c2, 2), (c1, 1)]),
            horner(&[(c3, 6), (c2, 2)]),
            horner(&[(c3, 6)]),
        ]
    }

    /// The value that belongs to the last piece beginning at or before x, by bisection.
    fn selected_piece(&mut self, x: ExprId, bounds: &[ExprId], values: &[ExprId]) -> ExprId {
        if let [value] = values {
            return *value;
        }
        let middle = values.len() / 2;
        let (left, right) = values.split_at(middle);
        let (before, after) = bounds.split_at(middle);
        let [left, right] = [
            self.selected_piece(x, before, left),
            self.selected_piece(x, after, right),
        ];
        let graph = self.graph();
        let condition = graph.compare(Comparison::Ge, x, after[0]);
        graph.select(condition, right, left)
    }
}

/// Weights of the ordinates in M, for each point, with M = 0 at both ends.
fn second_derivatives(x: &[f64]) -> Vec<Vec<f64>> {
    let n = x.len();
    let mut rows = vec![vec![0.0; n]; n];
    let mut pivots = vec![1.0; n];
    let width = |i: usize| x[i + 1] - x[i];
    for i in 1..n - 1 {
        let (before, after) = (width(i - 1), width(i));
        rows[i][i - 1] += 6.0 / before;
        rows[i][i] -= 6.0 / before + 6.0 / after;
        rows[i][i + 1] += 6.0 / after;
        pivots[i] = 2.0 * (before + after);
        if i > 1 {
            let by = before / pivots[i - 1];
            pivots[i] -= by * before;
            let [above, own] = &mut rows[i - 1..=i] else {
                continue;
            };
            own.iter_mut()
                .zip(above)
                .for_each(|(own, above)| *own -= by * *above);
        }
    }
    for i in (1..n - 1).rev() {
        let after = width(i);
        let [own, below] = &mut rows[i..=i + 1] else {
            continue;
        };
        for (own, below) in own.iter_mut().zip(below) {
            *own = (*own - after * *below) / pivots[i];
        }
    }
    rows
}

/// The same for a periodic function: every point lies between two others.
fn periodic_second_derivatives(x: &[f64]) -> Vec<Vec<f64>> {
    let n = x.len() - 1;
    let width = |i: usize| x[i % n + 1] - x[i % n];
    // hᵢ₋₁ Mᵢ₋₁ + 2 (hᵢ₋₁ + hᵢ) Mᵢ + hᵢ Mᵢ₊₁ | 6 (δᵢ − δᵢ₋₁), with cyclic indices.
    let mut rows = vec![vec![0.0; 2 * n + 1]; n];
    for (i, row) in rows.iter_mut().enumerate() {
        let (before, after) = (width(i + n - 1), width(i));
        let [previous, next] = [(i + n - 1) % n, (i + 1) % n];
        for (k, moment, weight) in [
            (previous, before, 6.0 / before),
            (i, 2.0 * (before + after), -6.0 / before - 6.0 / after),
            (next, after, 6.0 / after),
        ] {
            row[k] += moment;
            row[n + k] += weight;
        }
    }
    // The diagonal dominates, so no pivot search is needed.
    for k in 0..n {
        let pivot = rows[k].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != k) {
            let by = row[k] / pivot[k];
            row.iter_mut()
                .zip(&pivot)
                .for_each(|(own, other)| *own -= by * other);
        }
    }
    let mut moments: Vec<Vec<f64>> = rows
        .iter()
        .enumerate()
        .map(|(i, row)| row[n..].iter().map(|weight| weight / row[i]).collect_vec())
        .collect_vec();
    moments.push_each(moments.first().cloned());
    moments
}

/// Slopes at the points with which no cubic overshoots.
fn monotone_slopes(x: &[f64], y: &[f64]) -> Vec<f64> {
    let n = x.len();
    let width: Vec<f64> = x.windows(2).map(|pair| pair[1] - pair[0]).collect_vec();
    let rise = y.windows(2).zip(&width);
    let chord: Vec<f64> = rise.map(|(pair, h)| (pair[1] - pair[0]) / h).collect_vec();
    if n == 2 {
        return vec![chord[0]; 2];
    }
    let mut slopes = vec![0.0; n];
    for i in 1..n - 1 {
        let [a, b] = [chord[i - 1], chord[i]];
        if a * b > 0.0 {
            let (before, after) = (2.0 * width[i] + width[i - 1], width[i] + 2.0 * width[i - 1]);
            slopes[i] = (before + after) / (before / a + after / b);
        }
    }
    slopes[0] = end_slope([width[0], width[1]], [chord[0], chord[1]]);
    slopes[n - 1] = end_slope([width[n - 2], width[n - 3]], [chord[n - 2], chord[n - 3]]);
    slopes
}

/// The slope at an end of the parabola through three points, limited so that the cubic is monotone.
fn end_slope([h, next]: [f64; 2], [chord, other]: [f64; 2]) -> f64 {
    let slope = ((2.0 * h + next) * chord - h * other) / (h + next);
    if slope * chord <= 0.0 {
        0.0
    } else if chord * other <= 0.0 && slope.abs() > 3.0 * chord.abs() {
        3.0 * chord
    } else {
        slope
    }
}
