//! What loops are made of: arrays, kernels that read and write them, and the items of a stage that share kernels.

use std::collections::BTreeSet;

use super::families::Families;
use super::rerolling::{self, Index, Item, Loop, MIN_ROUNDS};
use super::signature::{Signature, indices_of, reads_of};
use crate::dynamics::{self, Derivation, Entry, Matrix};
use crate::expr::{ExprId, Graph, Map, Number, Set, SymbolId};
use crate::model::System;

/// An array of the generated function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Array {
    /// q
    Position,
    /// v
    Velocity,
    /// b
    RightHandSide,
    /// a
    Acceleration,
    /// What the elimination takes off the diagonal.
    Diagonal,
    /// What it takes off the right-hand side.
    Right,
    /// What it takes off the other entries.
    Fill,
    /// L
    Lower,
    /// What bodies prepare: their parts of J M⁻¹ Jᵀ and of the right-hand side,
    Prepared,
    /// and what their motion is made of.
    Moving,
    /// The matrix in blocks of four by four, where panels are eliminated.
    Blocks,
    /// The diagonal before they are.
    Scales,
    /// The right-hand side over the pivots, then the unknowns.
    Solution,
    /// One over the pivots.
    Inverse,
    /// W at the first velocity of each mass that an element of an array tells.
    Weight,
    /// What is solved for with a second right-hand side.
    SolutionBeside,
    /// What the elimination takes off that side.
    RightBeside,
    /// v̇, where more is made of it.
    Motion,
    /// What else is made of each velocity, for rows to ask for.
    Load,
    /// What is made of each row alone, for all stages.
    Shared,
    /// What of a gradient many rows or velocities count together.
    Sums,
    /// (δt, δq, δv, δu, δp)
    Tangent(Varied),
    /// A gradient by these.
    Gradient(Varied),
    /// v̇*, what a gradient counts of v̇.
    AccelerationAdjoint,
    /// λ*, what it counts of λ.
    MultiplierAdjoint,
    /// w*, what it counts of a correction.
    CorrectionAdjoint,
    /// Slopes of M⁻¹ h + W J′ᵀ μ, where μ is constant.
    Slopes,
    /// ∂v̇ by these, column by column; before its column is solved for, the right-hand side of that.
    MotionBy(By),
    /// ∂λ by these, column by column.
    MultipliersBy(By),
    /// What one round of a loop keeps for the next.
    Kept,
    /// What the function gives back; in loops over columns, the column of ∂v̇.
    Output,
    /// λ, where the function gives it back beside v̇; in loops over columns, the column of ∂λ.
    Multipliers,
    /// A component of the elements of a parameter that is an array.
    Parameter(usize, usize),
    /// A component of the elements of an input that is an array.
    Input(usize, usize),
    /// The numbers that members of families differ by.
    Numbers,
}

/// A part of a tangent or of a gradient, a field of the runtime's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Varied {
    /// t
    Time,
    /// q
    Coordinate,
    /// v
    Velocity,
    /// u
    Input,
    /// p
    Parameter,
}

impl Varied {
    /// What the runtime calls it.
    pub fn field(self) -> &'static str {
        match self {
            Varied::Time => "t",
            Varied::Coordinate => "q",
            Varied::Velocity => "v",
            Varied::Input => "u",
            Varied::Parameter => "p",
        }
    }
}

/// What a matrix of a linearisation differentiates by, a field of the runtime's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum By {
    /// (q, v)
    State,
    /// u
    Input,
    /// p
    Parameter,
}

impl By {
    /// All, in the order of the columns.
    pub const ALL: [By; 3] = [By::State, By::Input, By::Parameter];

    /// The name of the matrix in the runtime.
    pub fn field(self) -> &'static str {
        match self {
            By::State => "a",
            By::Input => "b",
            By::Parameter => "p",
        }
    }
}

impl Array {
    /// Whether the function is given it.
    pub fn is_argument(self) -> bool {
        matches!(
            self,
            Array::Position
                | Array::Velocity
                | Array::RightHandSide
                | Array::Acceleration
                | Array::AccelerationAdjoint
                | Array::MultiplierAdjoint
                | Array::CorrectionAdjoint
        )
    }
}

/// A leaf, and where it is read from: an array, and which of an item's indices.
pub type Read = (SymbolId, Array, usize);

/// What is done with a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Write {
    /// The first to write there.
    Set(Array, usize),
    /// Added to what stands there.
    Add(Array, usize),
    /// A pivot that must be positive beyond rounding of the next result, in the row of that index.
    Pivot(usize),
    /// The scale a pivot is judged by.
    Diagonal,
    /// Parameters may be such: of what is made of several numbers the first.
    Check(Checked),
    /// The others of them.
    Checked,
    /// An entry of a matrix that the caller takes, in the row and the column of these indices.
    Entry(Matrix, usize, usize),
    /// The rows of one constraint, which speak of the velocities of some indices, and their first entry of J; those of
    /// M⁻¹ Jᵀ follow all of J.
    Block {
        /// The first of the indices.
        first: usize,
        /// How many there are.
        velocities: usize,
    },
    /// The other entries of them.
    Blocked,
}

impl Write {
    /// The array that a result is written or added to.
    pub fn target(self) -> Option<Array> {
        match self {
            Write::Set(array, _) | Write::Add(array, _) => Some(array),
            Write::Pivot(_)
            | Write::Diagonal
            | Write::Check(_)
            | Write::Checked
            | Write::Entry(..)
            | Write::Block { .. }
            | Write::Blocked => None,
        }
    }
}

/// What is made of parameters and must be such as a system can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Checked {
    /// A mass.
    Mass,
    /// The coefficient of a coordinate's acceleration in its own equation; in loops the coordinate is an item's index.
    Coordinate(usize),
    /// A moment of inertia, three of one body, or the lower triangle of a matrix.
    Inertia,
}

impl Checked {
    /// What tells one kind from another.
    fn word(self) -> usize {
        match self {
            Checked::Mass => 0,
            Checked::Coordinate(_) => 1,
            Checked::Inertia => 2,
        }
    }
}

/// Straight-line code that several items share; indices are positions in [`Item::indices`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Kernel {
    /// Leaves that are read from arrays.
    pub reads: Vec<Read>,
    /// The results.
    pub roots: Vec<ExprId>,
    /// Where they go.
    pub writes: Vec<Write>,
}

impl Kernel {
    /// Which of an item's indices stand for places of an array.
    pub(super) fn places_in(&self, array: Array) -> Vec<usize> {
        let reads = self.reads.iter();
        let reads = reads.filter_map(|&(_, from, place)| (from == array).then_some(place));
        let writes = self.writes.iter().filter_map(|write| match *write {
            Write::Set(to, place) | Write::Add(to, place) if to == array => Some(place),
            _ => None,
        });
        reads.chain(writes).collect()
    }

    /// Moves the places of an array behind the others, from this one on, and tells which they were: an index may be that
    /// of other arrays as well.
    fn separate(&mut self, array: Array, first: usize) -> Vec<usize> {
        let mut places = self.places_in(array);
        places.sort_unstable();
        places.dedup();
        let moved = |place: &mut usize| {
            let number = places.binary_search(place);
            *place = number.map_or(*place, |number| first + number);
        };
        for (_, from, place) in &mut self.reads {
            if *from == array {
                moved(place);
            }
        }
        for write in &mut self.writes {
            if let Write::Set(to, place) | Write::Add(to, place) = write
                && *to == array
            {
                moved(place);
            }
        }
        places
    }
}

/// Kernels, and loops over them in the order of execution.
#[derive(Clone, Debug, Default)]
pub struct Routine {
    /// The kernels.
    pub kernels: Vec<Kernel>,
    /// What fills the panels, which are solved then; none where every row is eliminated by a kernel.
    pub assembly: Vec<Loop>,
    /// The loops of one stage after the other.
    pub loops: Vec<Loop>,
    /// The number of values that rounds keep for the next.
    pub kept: usize,
    /// The number of columns that loops over columns are run for.
    pub columns: usize,
}

/// Consecutive loops that are run once, or once for each column.
pub fn by_column(loops: &[Loop]) -> impl Iterator<Item = (bool, &[Loop])> {
    let groups = loops.chunk_by(|one, next| one.per_column == next.per_column);
    groups.map(|group| (group[0].per_column, group))
}

/// Items of one stage, and their kernels.
pub(super) struct Stage<'r> {
    routine: &'r mut Routine,
    known: Map<Vec<usize>, usize>,
    items: Vec<Item>,
}

impl Stage<'_> {
    /// Adds an item, and gives its kernel, which is made for the first of its kind; of what differs in the number of
    /// indices, each has its own.
    pub(super) fn push(
        &mut self,
        mut words: Vec<usize>,
        indices: Vec<usize>,
        make: impl FnOnce() -> Kernel,
    ) -> usize {
        let next = self.routine.kernels.len();
        words.push(indices.len());
        let kernel = *self.known.entry(words).or_insert(next);
        if kernel == next {
            self.routine.kernels.push(make());
        }
        self.items.push(Item { kernel, indices });
        kernel
    }

    /// What was added so far.
    pub(super) fn items(&self) -> &[Item] {
        &self.items
    }

    pub(super) fn kernel(&self, number: usize) -> &Kernel {
        &self.routine.kernels[number]
    }
}

impl Routine {
    /// Adds a stage of the items that `fill` pushes.
    pub(super) fn stage(&mut self, fill: impl FnOnce(&mut Stage<'_>)) {
        self.stage_from(MIN_ROUNDS, fill);
    }

    /// The same with loops from so many rounds on.
    pub(super) fn stage_from(&mut self, rounds: usize, fill: impl FnOnce(&mut Stage<'_>)) {
        let items = self.items(fill);
        self.loops.extend(rerolling::roll(&items, rounds));
    }

    /// Adds a stage of items that wait for no others of it: those of one kernel stand on end.
    pub(super) fn unordered(&mut self, fill: impl FnOnce(&mut Stage<'_>)) {
        let mut items = self.items(fill);
        items.sort_by_key(|item| item.kernel);
        self.loops.extend(rerolling::roll(&items, MIN_ROUNDS));
    }

    fn items(&mut self, fill: impl FnOnce(&mut Stage<'_>)) -> Vec<Item> {
        let mut stage = Stage {
            routine: self,
            known: Map::default(),
            items: Vec::new(),
        };
        fill(&mut stage);
        stage.items
    }

    /// The length of an array, as far as it is read or written.
    pub fn len_of(&self, array: Array) -> usize {
        let mut len = 0;
        self.for_each_place(array, |it, index| {
            let places = (0..it.rounds).map(|round| it.place(index, round));
            len = len.max(1 + places.max().unwrap_or(0));
        });
        len
    }

    fn for_each_place(&self, array: Array, mut visit: impl FnMut(&Loop, Index)) {
        for it in self.assembly.iter().chain(&self.loops) {
            for (kernel, indices) in &it.body {
                for place in self.kernels[*kernel].places_in(array) {
                    visit(it, indices[place]);
                }
            }
        }
    }

    /// Leaves out the places of arrays between those that are used, where no loop runs through them: what
    /// elimination hands on is kept from round to round, and few places are left.
    pub(super) fn compact(&mut self) {
        let handed = [
            Array::Diagonal,
            Array::Right,
            Array::RightBeside,
            Array::Fill,
            Array::Prepared,
        ];
        for array in handed {
            self.compact_array(array);
        }
    }

    fn compact_array(&mut self, array: Array) {
        let mut used: Map<usize, usize> = Map::default();
        let mut runs_through = false;
        self.for_each_place(array, |_, index| match index {
            Index::Constant(place) => {
                let next = used.len();
                used.entry(place).or_insert(next);
            }
            _ => runs_through = true,
        });
        if runs_through || used.iter().all(|(place, number)| place == number) {
            return;
        }
        // Items of one kernel may have indices behind those that it reads: its new ones stand behind them all.
        let mut longest: Map<usize, usize> = Map::default();
        let loops = self.assembly.iter().chain(&self.loops);
        for (number, indices) in loops.flat_map(|it| &it.body) {
            let most = longest.entry(*number).or_default();
            *most = indices.len().max(*most);
        }
        let mut own: Map<usize, Vec<usize>> = Map::default();
        let loops = self.assembly.iter_mut().chain(&mut self.loops);
        for (number, indices) in loops.flat_map(|it| &mut it.body) {
            let (kernel, first) = (&mut self.kernels[*number], longest[number]);
            let places = own
                .entry(*number)
                .or_insert_with(|| kernel.separate(array, first));
            if places.is_empty() {
                continue;
            }
            indices.resize(first, Index::Constant(0));
            for place in places {
                let index = match indices[*place] {
                    Index::Constant(index) => Index::Constant(used[&index]),
                    index => index,
                };
                indices.push(index);
            }
        }
    }

    /// Sets what is the first to be added to a place of a gradient.
    pub(super) fn set_first_sums(&mut self) {
        let mut written: Set<(Array, usize)> = Set::default();
        let mut loops = std::mem::take(&mut self.loops);
        for it in &mut loops {
            let mut later: BTreeSet<(usize, usize)> = BTreeSet::new();
            for round in 0..it.rounds {
                for (item, (kernel, indices)) in it.body.iter().enumerate() {
                    for (k, write) in self.kernels[*kernel].writes.iter().enumerate() {
                        let Write::Add(array @ Array::Gradient(_), at) = *write else {
                            continue;
                        };
                        if !written.insert((array, it.place(indices[at], round))) {
                            later.insert((item, k));
                        }
                    }
                }
            }
            for (item, (number, _)) in it.body.iter_mut().enumerate() {
                let mut kernel = self.kernels[*number].clone();
                for (k, write) in kernel.writes.iter_mut().enumerate() {
                    if let Write::Add(array @ Array::Gradient(_), at) = *write
                        && !later.contains(&(item, k))
                    {
                        *write = Write::Set(array, at);
                    }
                }
                let known = self.kernels.iter().position(|it| *it == kernel);
                *number = known.unwrap_or_else(|| {
                    self.kernels.push(kernel);
                    self.kernels.len() - 1
                });
            }
        }
        self.loops = loops;
    }

    /// Results that nothing is solved for, those of one shape in loops.
    pub fn of_each(system: &System, results: &[ExprId]) -> Routine {
        Routine::of_terms(&system.model.graph, system, results, |i| i, Write::Set)
    }

    /// What must be such as a system can have, each made of the numbers told.
    pub fn checks(system: &System, groups: &[(Checked, Vec<ExprId>)]) -> Routine {
        let graph = &system.model.graph;
        let numbers: Vec<ExprId> = groups.iter().flat_map(|group| group.1.clone()).collect();
        let families = Families::of(graph, system, &numbers);
        Routine::of(|stage| {
            let mut member = 0..;
            for (checked, group) in groups {
                let mut signature = Signature::default();
                signature.words.push(checked.word());
                for number in member.by_ref().take(group.len()) {
                    signature.member(&families, number);
                }
                let Signature { words, slots } = signature;
                let mut indices = indices_of(&slots);
                let mut check = *checked;
                if let Checked::Coordinate(i) = &mut check {
                    indices.push(std::mem::replace(i, slots.len()));
                }
                stage.push(words, indices, || {
                    let others = group[1..].iter().map(|_| Write::Checked);
                    Kernel {
                        reads: reads_of(graph, system, &slots),
                        roots: group.clone(),
                        writes: [Write::Check(check)].into_iter().chain(others).collect(),
                    }
                });
            }
        })
    }

    /// The entries of a descriptor pair, handed out row by row, rows of one shape in loops.
    pub fn descriptor(system: &mut System, rows: Vec<Vec<Entry>>) -> Routine {
        let rows = written_out(system, rows);
        let system = &*system;
        let graph = &system.model.graph;
        let values: Vec<ExprId> = rows.iter().flatten().map(|entry| entry.3).collect();
        let families = Families::of(graph, system, &values);
        let mut routine = Routine::default();
        routine.unordered(|stage| {
            let mut member = 0..;
            for row in &rows {
                let mut signature = Signature::default();
                for (entry, member) in row.iter().zip(member.by_ref()) {
                    signature.words.push(entry.0 as usize);
                    signature.member(&families, member);
                }
                let Signature { words, slots } = signature;
                let mut indices = indices_of(&slots);
                indices.extend(row.iter().flat_map(|entry| [entry.1, entry.2]));
                stage.push(words, indices, || {
                    let places = (slots.len()..).step_by(2);
                    let writes = row.iter().zip(places);
                    Kernel {
                        reads: reads_of(graph, system, &slots),
                        roots: row.iter().map(|entry| entry.3).collect(),
                        writes: writes
                            .map(|(entry, at)| Write::Entry(entry.0, at, at + 1))
                            .collect(),
                    }
                });
            }
        });
        routine
    }

    /// V, summed term by term.
    pub(super) fn potential_energy(derivation: &mut Derivation, system: &System) -> Routine {
        let graph = &mut derivation.graph;
        let terms = system.potential.iter();
        let terms = terms.map(|&term| graph.sum(&[(term, Number::ONE)]));
        let terms: Vec<ExprId> = terms.collect();
        Routine::summed(graph, system, &terms)
    }

    /// Terms, those of one shape summed in loops.
    pub(super) fn summed(graph: &Graph, system: &System, terms: &[ExprId]) -> Routine {
        Routine::of_terms(graph, system, terms, |_| 0, Write::Add)
    }

    /// Terms of one shape in loops, the i-th written to its place.
    pub(super) fn of_terms(
        graph: &Graph,
        system: &System,
        terms: &[ExprId],
        place: impl Fn(usize) -> usize,
        write: fn(Array, usize) -> Write,
    ) -> Routine {
        let families = Families::of(graph, system, terms);
        Routine::of_members(graph, system, &families, terms, place, write)
    }

    /// The same of terms whose families are known.
    pub(super) fn of_members(
        graph: &Graph,
        system: &System,
        families: &Families,
        terms: &[ExprId],
        place: impl Fn(usize) -> usize,
        write: fn(Array, usize) -> Write,
    ) -> Routine {
        Routine::of(|stage| {
            for (i, &term) in terms.iter().enumerate() {
                let slots = &families.slots[i];
                let mut indices = indices_of(slots);
                indices.push(place(i));
                stage.push(vec![families.of[i]], indices, || Kernel {
                    reads: reads_of(graph, system, slots),
                    roots: vec![term],
                    writes: vec![write(Array::Output, slots.len())],
                });
            }
        })
    }

    /// One stage alone.
    pub(super) fn of(fill: impl FnOnce(&mut Stage<'_>)) -> Routine {
        let mut routine = Routine::default();
        routine.stage(fill);
        routine
    }
}

/// Entries with their arms and places put in.
fn written_out(system: &mut System, mut rows: Vec<Vec<Entry>>) -> Vec<Vec<Entry>> {
    let mut graph = std::mem::replace(&mut system.model.graph, Graph::new());
    let values = rows.iter().flatten().map(|entry| entry.3);
    let places = system.places.iter().map(|&(_, place)| place);
    let roots: Vec<ExprId> = values.clone().chain(places).collect();
    let (map, _) = dynamics::put_in(&mut graph, system, &roots);
    let map = graph.substitute(values, map);
    for entry in rows.iter_mut().flatten() {
        entry.3 = map[&entry.3];
    }
    system.model.graph = graph;
    rows
}
