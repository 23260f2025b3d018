//! Nested dissection: a separator of few rows divides the others into two parts and is eliminated last; parts are
//! divided in the same manner.
//! ```text
//! ┌───────┬─┬───────┐      no row of the first part is coupled with a row of the second:
//! │ first │ │ second│      eliminating one part causes no fill-in in the other
//! └───────┴─┴───────┘
//! ```
//! [George 1973]. Separators follow from distances: rows are sorted by their distance from a row at the rim, or by the
//! difference of their distances from two. On a net, these are its columns, and a cut runs straight across.

use crate::expr::{CollectVec, sort_by_key};
use std::cmp::Reverse;
use std::collections::VecDeque;

/// Parts of this number of rows are not divided further.
const SMALLEST: usize = 8;
/// Number of rows at the rim from which distances are measured.
const ENDS: usize = 4;
/// Distance of rows that are not reached.
const FAR: usize = usize::MAX;

/// The stage at which each row is eliminated; rows of one part or one separator have the same stage. Rows of different
/// parts are coupled only through later stages.
pub fn stages(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let mut dissection = Dissection::new(neighbours);
    dissection.dissect((0..neighbours.len()).collect_vec(), 0);
    dissection.stage
}

/// The distances of the rows from one of largest distance from some other row; rows that are not connected with it come
/// last.
pub fn distances_from_rim(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let mut dissection = Dissection::new(neighbours);
    let rows: Vec<usize> = (0..neighbours.len()).collect_vec();
    let mut end = 0;
    for _ in 0..2 {
        end = dissection.distances(&rows, 0, end).1;
    }
    dissection.distances(&rows, 0, end).0
}

struct Dissection<'a> {
    neighbours: &'a [Vec<usize>],
    /// The current part of each row.
    part_of: Vec<usize>,
    parts: usize,
    /// One number for each row, used by each computation for its own purpose.
    scratch: Vec<usize>,
    stage: Vec<usize>,
    stages: usize,
}

/// A part divided in two.
struct Cut {
    sides: [Vec<usize>; 2],
    between: Vec<usize>,
}

impl<'a> Dissection<'a> {
    /// All rows in one part.
    fn new(neighbours: &'a [Vec<usize>]) -> Self {
        let n = neighbours.len();
        Dissection {
            neighbours,
            part_of: vec![0; n],
            parts: 1,
            scratch: vec![0; n],
            stage: vec![0; n],
            stages: 0,
        }
    }

    fn dissect(&mut self, rows: Vec<usize>, part: usize) {
        let cut = if rows.len() > SMALLEST {
            self.cut(&rows, part)
        } else {
            None
        };
        let last = match cut {
            None => rows,
            Some(Cut { sides, between }) => {
                for side in sides {
                    let part = self.parts;
                    self.parts += 1;
                    side.iter().for_each(|&row| self.part_of[row] = part);
                    self.dissect(side, part);
                }
                between
            }
        };
        last.iter().for_each(|&row| self.stage[row] = self.stages);
        self.stages += 1;
    }

    /// The best of several cuts; a part that is not connected has an empty separator.
    fn cut(&mut self, rows: &[usize], part: usize) -> Option<Cut> {
        let mut from_ends: Vec<Vec<usize>> = Vec::new();
        let mut end = self.distances(rows, part, rows[0]).1;
        for _ in 0..ENDS {
            let distances = self.distances(rows, part, end).0;
            if distances.contains(&FAR) {
                return Some(pieces(rows, &distances));
            }
            from_ends.push(distances);
            let nearest = |k: &usize| from_ends.iter().map(|it| it[*k]).min();
            let farthest = (0..rows.len()).max_by_key(|k| (nearest(k), Reverse(*k)));
            end = rows[farthest.unwrap_or(0)];
        }
        let mut best = (f64::INFINITY, 0, Vec::new());
        let mut try_along = |place: &dyn Fn(usize) -> isize| {
            let mut numbers: Vec<usize> = (0..rows.len()).collect_vec();
            sort_by_key(&mut numbers, |&k| (place(k), k));
            let order: Vec<usize> = numbers.into_iter().map(|k| rows[k]).collect_vec();
            let (ratio, first) = self.best_along(&order, part);
            if ratio < best.0 {
                best = (ratio, first, order);
            }
        };
        for (i, from) in from_ends.iter().enumerate() {
            try_along(&|k| from[k] as isize);
            for other in &from_ends[..i] {
                try_along(&|k| from[k] as isize - other[k] as isize);
            }
        }
        let (ratio, first, order) = best;
        ratio
            .is_finite()
            .then(|| self.cut_behind(&order, part, first))
    }

    /// The distances of the rows of a part from one of them, and the last row that is reached.
    fn distances(&mut self, rows: &[usize], part: usize, from: usize) -> (Vec<usize>, usize) {
        rows.iter().for_each(|&row| self.scratch[row] = FAR);
        self.scratch[from] = 0;
        let (mut queue, mut last) = (VecDeque::from([from]), from);
        while let Some(row) = queue.pop_front() {
            last = row;
            for &next in &self.neighbours[row] {
                if self.part_of[next] == part && self.scratch[next] == FAR {
                    self.scratch[next] = self.scratch[row] + 1;
                    queue.push_back(next);
                }
            }
        }
        (
            rows.iter().map(|&row| self.scratch[row]).collect_vec(),
            last,
        )
    }

    /// The best position of a cut in an order of rows, with the minimised ratio of its size to that of the parts.
    ///
    /// The separator is the set of rows of one side that are coupled with the other, on the side where they are fewer.
    fn best_along(&mut self, order: &[usize], part: usize) -> (f64, usize) {
        order.iter().for_each(|&row| self.scratch[row] = FAR);
        // For rows of the first side, the number of coupled rows of the second; for those, FAR minus this number.
        let (mut rims, mut best) = ([0usize; 2], (f64::INFINITY, 0));
        for (number, &row) in order.iter().enumerate() {
            rims[1] -= usize::from(self.scratch[row] < FAR);
            let mut others = 0;
            for &next in self.neighbours[row].iter() {
                if self.part_of[next] != part {
                    continue;
                }
                let at = &mut self.scratch[next];
                if *at > order.len() {
                    rims[1] += usize::from(*at == FAR);
                    *at -= 1;
                    others += 1;
                } else {
                    *at -= 1;
                    rims[0] -= usize::from(*at == 0);
                }
            }
            self.scratch[row] = others;
            rims[0] += usize::from(others > 0);
            let between = rims[0].min(rims[1]);
            let mut sides = [number + 1, order.len() - number - 1];
            sides[usize::from(rims[1] < rims[0])] -= between;
            let [a, b] = sides;
            if 3 * a.min(b) < order.len() - between || a.min(b) == 0 {
                continue;
            }
            let ratio = between as f64 * (1.0 / a as f64 + 1.0 / b as f64);
            if ratio < best.0 {
                best = (ratio, number + 1);
            }
        }
        best
    }

    /// Cuts an order after its first `first` rows.
    fn cut_behind(&mut self, order: &[usize], part: usize, first: usize) -> Cut {
        for (number, &row) in order.iter().enumerate() {
            self.scratch[row] = usize::from(number >= first);
        }
        let (mut sides, mut rims) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
        for &row in order {
            let side = self.scratch[row];
            let mut others = self.neighbours[row].iter();
            let is_rim =
                others.any(|&next| self.part_of[next] == part && self.scratch[next] != side);
            let of = if is_rim { &mut rims } else { &mut sides };
            of[side].push(row);
        }
        let smaller = usize::from(rims[1].len() < rims[0].len());
        let between = std::mem::take(&mut rims[smaller]);
        sides[1 - smaller].append(&mut rims[1 - smaller]);
        Cut { sides, between }
    }
}

/// The rows that were reached, and those that were not.
fn pieces(rows: &[usize], distances: &[usize]) -> Cut {
    let of = |reached: bool| {
        let pairs = rows.iter().zip(distances);
        let own = pairs.filter(|&(_, &distance)| (distance < FAR) == reached);
        own.map(|(&row, _)| row).collect_vec()
    };
    Cut {
        sides: [of(true), of(false)],
        between: Vec::new(),
    }
}
