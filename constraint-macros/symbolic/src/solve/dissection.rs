//! Nested dissection: rows are cut in two by few of them, which are eliminated last, and so is each part.
//!
//! ```text
//! ┌───────┬─┬───────┐      what is left of the cut never meets what is right of it:
//! │ first │ │ second│      eliminating one part fills in nothing in the other
//! └───────┴─┴───────┘
//! ```
//! [George 1973]. Where to cut is read off distances: rows are sorted by how far they are from a row at the rim, or by how
//! much farther from one than from another, which on a net is a row's column and cuts it straight across.

use std::cmp::Reverse;
use std::collections::VecDeque;

/// Parts of so many rows are cut no further.
const SMALLEST: usize = 8;
/// Rows at the rim that distances are taken from.
const ENDS: usize = 4;
/// Not reached.
const FAR: usize = usize::MAX;

/// Per row: the stage at which it is eliminated, those of one part or of one cut at the same; rows of different parts are
/// coupled only through later stages.
pub fn stages(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let mut dissection = Dissection::new(neighbours);
    dissection.dissect((0..neighbours.len()).collect(), 0);
    dissection.stage
}

/// How far the rows are from one that is as far from some other as can be; those that do not hang together with it stand
/// behind.
pub fn distances_from_rim(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let mut dissection = Dissection::new(neighbours);
    let rows: Vec<usize> = (0..neighbours.len()).collect();
    let mut end = 0;
    for _ in 0..2 {
        end = dissection.distances(&rows, 0, end).1;
    }
    dissection.distances(&rows, 0, end).0
}

struct Dissection<'a> {
    neighbours: &'a [Vec<usize>],
    /// Per row: its part so far.
    part_of: Vec<usize>,
    parts: usize,
    /// A number for each row.
    scratch: Vec<usize>,
    stage: Vec<usize>,
    stages: usize,
}

/// A part cut in two.
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

    /// The best of some cuts; what does not hang together is cut by nothing.
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
            let mut numbers: Vec<usize> = (0..rows.len()).collect();
            numbers.sort_by_key(|&k| (place(k), k));
            let order: Vec<usize> = numbers.into_iter().map(|k| rows[k]).collect();
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

    /// How far the rows of a part are from one of them, and the last that is reached.
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
        (rows.iter().map(|&row| self.scratch[row]).collect(), last)
    }

    /// Behind how many rows of an order a cut is best, and its rows beside those of the parts, which are to be few.
    ///
    /// The rows of one side that are coupled with the other are cut out, of the side where they are fewer.
    fn best_along(&mut self, order: &[usize], part: usize) -> (f64, usize) {
        order.iter().for_each(|&row| self.scratch[row] = FAR);
        // Of each row of the first side, how many of the second it is coupled with; FAR minus as much of the second.
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

    /// Cuts an order behind so many rows.
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
        own.map(|(&row, _)| row).collect()
    };
    Cut {
        sides: [of(true), of(false)],
        between: Vec::new(),
    }
}
