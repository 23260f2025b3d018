//! A sparse symmetric matrix in blocks of four by four: panels of rows, and the positions of blocks and products.
//!
//! ```text
//! rows, in the order of elimination    panels of four    blocks of L, column by column
//! 7 3 │ 12 9 8 │ 1 …                   7 3 · ·           ▣
//!                                      12 9 8 ·          □ ▣
//!                                      1 …               □ · ▣ …     ▣ diagonal, · padding and zeros
//! ```
//! Blocks are stored dense, without regard to zeros inside: the tables have one number for sixteen entries, and the
//! processor multiplies four at once.

use super::ordering::{columns, dissected_order};
use crate::expr::{CollectVec, PushEach, sort_by_key};

/// Number of rows of a panel.
pub const WIDTH: usize = 4;

/// The positions of rows, blocks and products.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Panels {
    /// The rows of each panel, four at most.
    pub rows: Vec<Vec<usize>>,
    /// The later panels coupled with each panel, in ascending order: one block each, stored after the diagonal block.
    pub below: Vec<Vec<usize>>,
    /// Estimated operations of the same elimination entry by entry.
    pub operations: usize,
    /// The number of each panel's diagonal block.
    first: Vec<usize>,
    /// The panel of each row, and its number there.
    place: Vec<(usize, usize)>,
}

impl Panels {
    /// The panels of rows with these neighbours.
    pub fn of(neighbours: &[Vec<usize>]) -> Panels {
        let order = dissected_order(neighbours);
        let (order, columns) = in_postorder(&order, columns(neighbours, &order));
        let products = columns
            .iter()
            .map(|column| column.len() * (column.len() + 5));
        let operations = products.sum();
        let rows = grouped(&order, &columns);
        let mut place = vec![(0, 0); neighbours.len()];
        for (panel, rows) in rows.iter().enumerate() {
            let numbered = rows.iter().enumerate();
            numbered.for_each(|(number, &row)| place[row] = (panel, number));
        }
        let coupled = rows.iter().map(|rows| {
            let others = rows.iter().flat_map(|&row| &neighbours[row]);
            others.map(|&other| place[other].0).collect_vec()
        });
        let coupled: Vec<Vec<usize>> = coupled.collect_vec();
        let in_order: Vec<usize> = (0..rows.len()).collect_vec();
        let below = super::ordering::columns(&coupled, &in_order);
        let mut first = vec![0; rows.len()];
        for panel in 1..rows.len() {
            first[panel] = first[panel - 1] + 1 + below[panel - 1].len();
        }
        Panels {
            rows,
            below,
            operations,
            first,
            place,
        }
    }

    /// The number of blocks.
    pub fn blocks(&self) -> usize {
        self.rows.len() + self.below.iter().map(Vec::len).sum::<usize>()
    }

    /// The number of entries of all blocks.
    pub fn entries(&self) -> usize {
        WIDTH * WIDTH * self.blocks()
    }

    /// The number of products of blocks.
    pub fn products(&self) -> usize {
        let of = |below: &Vec<usize>| below.len() * (below.len() + 1) / 2;
        self.below.iter().map(of).sum()
    }

    /// The block of a later panel in the column of an earlier one.
    fn block(&self, later: usize, panel: usize) -> Option<usize> {
        let below = match later {
            own if own == panel => 0,
            _ => 1 + self.below[panel].binary_search(&later).ok()?,
        };
        Some(self.first[panel] + below)
    }

    /// The position of a row's unknown among those of all panels.
    pub fn unknown(&self, row: usize) -> usize {
        let (panel, number) = self.place[row];
        WIDTH * panel + number
    }

    /// The position of a matrix entry among those of all blocks; in a diagonal block that of the lower triangle.
    pub fn entry(&self, i: usize, j: usize) -> Option<usize> {
        let (later, earlier) = (
            self.place[i].max(self.place[j]),
            self.place[i].min(self.place[j]),
        );
        let block = self.block(later.0, earlier.0)?;
        Some(WIDTH * (WIDTH * block + later.1) + earlier.1)
    }

    /// For each panel and each pair of blocks below its diagonal, ordered by the block of the column: the block that
    /// their product is subtracted from, counted after the panel's own.
    pub fn targets(&self) -> Vec<usize> {
        let mut targets = Vec::new();
        for (panel, below) in self.below.iter().enumerate() {
            let behind = self.first[panel] + 1 + below.len();
            for (k, &column) in below.iter().enumerate() {
                let blocks = below[k..].iter();
                let blocks = blocks.filter_map(|&row| self.block(row, column));
                targets.push_each(blocks.map(|block| block - behind));
            }
        }
        targets
    }
}

/// The same elimination with contiguous steps of each subtree. The subtree with most couplings comes last, since its
/// steps may share a panel with those that follow.
fn in_postorder(order: &[usize], columns: Vec<Vec<usize>>) -> (Vec<usize>, Vec<Vec<usize>>) {
    let n = order.len();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut stack = Vec::new();
    for (k, column) in columns.iter().enumerate().rev() {
        match column.first() {
            Some(&parent) => before[parent].push(k),
            None => stack.push(k),
        }
    }
    // Steps from the last to the first.
    let mut steps = Vec::with_capacity(n);
    stack.reverse();
    while let Some(k) = stack.pop() {
        steps.push(k);
        sort_by_key(&mut before[k], |&child| (columns[child].len(), child));
        stack.append(&mut before[k]);
    }
    steps.reverse();
    let mut number = vec![0; n];
    steps
        .iter()
        .enumerate()
        .for_each(|(new, &k)| number[k] = new);
    let renamed = |k: &usize| columns[*k].iter().map(|&later| number[later]).collect_vec();
    let columns = steps.iter().map(renamed).collect_vec();
    (steps.iter().map(|&k| order[k]).collect_vec(), columns)
}

/// Steps that are eliminated together.
struct Group {
    first: usize,
    width: usize,
    /// Number of later steps that they are coupled with.
    below: usize,
}

impl Group {
    /// Estimated time of its panels: each is coupled with the later panels of the group, and with `below` more steps.
    fn cost(width: usize, below: usize) -> usize {
        let panel = |first: usize| (width.saturating_sub(first + WIDTH) + WIDTH + below).pow(2);
        (0..width).step_by(WIDTH).map(panel).sum()
    }
}

/// Panels of steps: a step joins the group before it if that costs less.
fn grouped(order: &[usize], columns: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Group> = Vec::new();
    for (step, column) in columns.iter().enumerate() {
        let mut last = Group {
            first: step,
            width: 1,
            below: column.len(),
        };
        while let Some(before) = groups.pop_if(|before| {
            let parent = columns[before.first + before.width - 1].first();
            let together = Group::cost(before.width + last.width, last.below);
            let apart =
                Group::cost(before.width, before.below) + Group::cost(last.width, last.below);
            parent.is_some_and(|&parent| parent < last.first + last.width) && together <= apart
        }) {
            last = Group {
                first: before.first,
                width: before.width + last.width,
                below: last.below,
            };
        }
        groups.push(last);
    }
    let mut panels = Vec::new();
    for Group { first, width, .. } in groups {
        let steps = &order[first..first + width];
        // An incomplete panel comes first, because the later steps of a group are coupled with all that follows.
        let (short, full) = steps.split_at(width % WIDTH);
        panels.push_each((!short.is_empty()).then(|| short.to_vec()));
        panels.push_each(full.chunks(WIDTH).map(<[usize]>::to_vec));
    }
    panels
}

#[cfg(test)]
mod tests {
    use super::super::ordering::tests::net;
    use super::*;

    /// 480 rows fill at least 120 panels; groups whose size is no multiple of four are padded.
    #[test]
    fn a_net_fits_into_few_panels() {
        let panels = Panels::of(&net(16));
        let sizes = [panels.rows.len(), panels.blocks(), panels.products()];
        assert!(sizes[0] <= 140 && sizes[2] <= 1_100, "{sizes:?}");
    }
}
