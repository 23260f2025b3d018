//! Sequences of items as loops: runs whose kernels repeat with a short period, their indices as functions of
//! the round.

/// One call of a kernel at given places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Which kernel.
    pub kernel: usize,
    /// The places.
    pub indices: Vec<usize>,
}

/// How an index follows from the round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    /// The same in every round.
    Constant(usize),
    /// first + step·round
    Even {
        /// In round 0.
        first: usize,
        /// From one round to the next.
        step: isize,
    },
    /// So far beside the column of the table.
    Table(usize, usize),
}

impl Index {
    /// Its value in a round, where it needs no table.
    pub fn at(self, round: usize) -> Option<usize> {
        match self {
            Index::Constant(value) => Some(value),
            Index::Even { first, step } => first.checked_add_signed(step * round as isize),
            Index::Table(..) => None,
        }
    }

    /// What it will be in the next round, where that is another place known without a table.
    pub fn next(self) -> Option<Index> {
        self.moved(1)
    }

    /// What it was in the round before, where that was another place known without a table.
    pub fn previous(self) -> Option<Index> {
        self.moved(-1)
    }

    fn moved(self, rounds: isize) -> Option<Index> {
        let Index::Even { first, step } = self else {
            return None;
        };
        let first = first.checked_add_signed(rounds * step)?;
        Some(Index::Even { first, step })
    }
}

/// A run of items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The kernels of one round, with their indices.
    pub body: Vec<(usize, Vec<Index>)>,
    /// The number of rounds.
    pub rounds: usize,
    /// Indices that do not advance evenly, one line per round.
    pub table: Vec<Vec<usize>>,
    /// Whether it is run for each column of a linearisation.
    pub per_column: bool,
    /// A step of the caller's, by its number, which is done here; there are no items then.
    pub step: Option<usize>,
}

impl Loop {
    /// One item alone, at places that need no table.
    pub fn once(kernel: usize, places: impl IntoIterator<Item = usize>) -> Loop {
        let indices = places.into_iter().map(Index::Constant).collect();
        Loop {
            body: vec![(kernel, indices)],
            rounds: 1,
            table: Vec::new(),
            per_column: false,
            step: None,
        }
    }

    /// The place of a step of the caller's.
    pub fn of_step(number: usize) -> Loop {
        Loop {
            body: Vec::new(),
            rounds: 1,
            table: Vec::new(),
            per_column: false,
            step: Some(number),
        }
    }

    /// The value of an index in a round.
    pub fn place(&self, index: Index, round: usize) -> usize {
        let place = match index {
            Index::Table(column, ahead) => {
                let line = self.table.get(round);
                line.and_then(|line| Some(line.get(column)? + ahead))
            }
            index => index.at(round),
        };
        // Without it the certificate finds the fault.
        #[cfg(feature = "tools")]
        assert!(place.is_some(), "{index:?} has no place in round {round}");
        place.unwrap_or(0)
    }

    /// The values of an item's indices in the first round.
    pub fn first_places(&self, item: usize) -> Vec<usize> {
        let (_, indices) = &self.body[item];
        indices.iter().map(|&it| self.place(it, 0)).collect()
    }
}

/// Rounds have at most this many items,
const MAX_PERIOD: usize = 24;
/// and a loop of small kernels pays from so many rounds on; one of large ones from two.
pub const MIN_ROUNDS: usize = 4;

/// Cuts a sequence into loops; what does not repeat becomes loops of one round.
pub fn roll(items: &[Item], min_rounds: usize) -> Vec<Loop> {
    let mut loops = Vec::new();
    let mut start = 0;
    while start < items.len() {
        let (period, rounds) = longest_run(&items[start..], min_rounds);
        let end = start + period * rounds;
        loops.push(make_loop(&items[start..end], period, rounds));
        start = end;
    }
    loops
}

/// The period and the number of rounds of the run at the beginning: the one that covers most without a
/// table, unless one with a table covers more than twice as much.
fn longest_run(items: &[Item], min_rounds: usize) -> (usize, usize) {
    let (mut even, mut any) = ((1, 1), (1, 1));
    let covered = |run: (usize, usize)| run.0 * run.1;
    for period in 1..=MAX_PERIOD.min(items.len()) {
        if covered(even) == items.len() {
            break;
        }
        let alike = |i: &usize| items[*i].kernel == items[*i - period].kernel;
        let rounds = 1 + (period..items.len()).take_while(alike).count() / period;
        if rounds < min_rounds || period * rounds <= covered(even) {
            continue;
        }
        let steady = |i: &usize| *i < 2 * period || is_steady(items, *i, period);
        let steady = (period..period * rounds).take_while(steady).count();
        let steady_rounds = 1 + steady / period;
        if steady_rounds >= min_rounds && period * steady_rounds > covered(even) {
            even = (period, steady_rounds);
        }
        if period * rounds > covered(any) {
            any = (period, rounds);
        }
    }
    if covered(any) > 2 * covered(even) {
        any
    } else {
        even
    }
}

/// Whether an item's indices advance as they did one round before.
fn is_steady(items: &[Item], i: usize, period: usize) -> bool {
    let of = |i: usize| &items[i].indices[..];
    let (now, before, first) = (of(i), of(i - period), of(i - 2 * period));
    (0..now.len()).all(|k| now[k].wrapping_sub(before[k]) == before[k].wrapping_sub(first[k]))
}

fn make_loop(items: &[Item], period: usize, rounds: usize) -> Loop {
    let mut table: Vec<Vec<usize>> = vec![Vec::new(); rounds];
    let body = (0..period).map(|k| {
        let of_round = |round: usize| &items[round * period + k].indices;
        let indices = (0..of_round(0).len()).map(|i| {
            let values: Vec<usize> = (0..rounds).map(|round| of_round(round)[i]).collect();
            index(&values).unwrap_or_else(|| index_by_table(&mut table, &values))
        });
        (items[k].kernel, indices.collect())
    });
    let body = body.collect();
    if table[0].is_empty() {
        table.clear();
    }
    Loop {
        body,
        rounds,
        table,
        per_column: false,
        step: None,
    }
}

/// The values as a column of the table, which may stand there already but for a constant.
fn index_by_table(table: &mut [Vec<usize>], values: &[usize]) -> Index {
    let width = table[0].len();
    let ahead = |column: usize| {
        let ahead = values[0].checked_sub(table[0][column])?;
        let mut pairs = table.iter().zip(values);
        let is_beside = pairs.all(|(line, &value)| line[column] + ahead == value);
        is_beside.then_some(Index::Table(column, ahead))
    };
    if let Some(known) = (0..width).find_map(ahead) {
        return known;
    }
    let pairs = table.iter_mut().zip(values);
    pairs.for_each(|(line, &value)| line.push(value));
    Index::Table(width, 0)
}

/// The values as a function of the round, where they advance evenly.
fn index(values: &[usize]) -> Option<Index> {
    let first = values[0];
    let step = match values.get(1) {
        Some(&second) => second as isize - first as isize,
        None => 0,
    };
    let even =
        |(round, &value): (usize, &usize)| value as isize == first as isize + step * round as isize;
    if !values.iter().enumerate().all(even) {
        return None;
    }
    Some(match step {
        0 => Index::Constant(first),
        step => Index::Even { first, step },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(list: &[(usize, usize)]) -> Vec<Item> {
        let item = |&(kernel, index): &(usize, usize)| Item {
            kernel,
            indices: vec![index],
        };
        list.iter().map(item).collect()
    }

    #[test]
    fn both_ends_of_a_chain_are_one_loop() {
        let list: Vec<(usize, usize)> = (0..5).flat_map(|k| [(0, k), (1, 20 - k)]).collect();
        let loops = roll(&items(&list), MIN_ROUNDS);
        assert_eq!(loops.len(), 1);
        assert_eq!(loops[0].rounds, 5);
        let (up, down) = (
            Index::Even { first: 0, step: 1 },
            Index::Even {
                first: 20,
                step: -1,
            },
        );
        assert_eq!(loops[0].body, [(0, vec![up]), (1, vec![down])]);
    }

    #[test]
    fn uneven_indices_stand_in_a_table() {
        let loops = roll(
            &items(&[(3, 1), (3, 4), (3, 5), (3, 9), (2, 0)]),
            MIN_ROUNDS,
        );
        assert_eq!(loops[0].body, [(3, vec![Index::Table(0, 0)])]);
        assert_eq!(loops[0].table, [[1], [4], [5], [9]]);
        assert_eq!(loops[1].rounds, 1);
    }
}
