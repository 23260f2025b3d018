//! The elimination of joints, each a [step](solve::Step) with kernels of its own.

use super::super::routine::{Array, Kernel, Routine, Signature, Stage, Write};
use super::contribution::Contributions;
use super::derivation::{Elements, Side, Wanted};
use super::places::{Eliminated, Entry, Part, Places, Plan, Target};
use super::structure::Site;
use crate::expr::{CollectVec, ExprId, Map, MapEach, Number, PushEach};
use crate::families::indices_of;
use crate::schedule::Matrix;
use crate::solve;

/// A later joint, seen from the one that goes.
struct Later {
    /// B, row by row.
    entries: Vec<Vec<Entry>>,
    lower: Vec<Vec<usize>>,
    diagonal: Vec<Vec<Target>>,
    right: Vec<Target>,
    /// By a joint before it in the list, the targets of what falls between.
    between: Vec<Vec<Vec<Target>>>,
}

/// All that one step does.
pub(super) struct Step {
    /// The position of its first row; the others follow.
    rows: Vec<usize>,
    pivot: Vec<Vec<Entry>>,
    right: Vec<Entry>,
    /// Where A⁻¹ is kept, its lower triangle, row by row.
    inverse: Vec<Vec<usize>>,
    later: Vec<Later>,
}

impl Step {
    /// The arrays and places that it may write.
    pub fn writes(&self) -> impl Iterator<Item = (Array, usize)> + '_ {
        let later = self.later.iter();
        later.flat_map(|later| {
            let diagonal = later.diagonal.iter().flatten().chain(&later.right);
            let all = diagonal.chain(later.between.iter().flatten().flatten());
            let lower = later
                .lower
                .iter()
                .flatten()
                .map(|&place| (Array::Lower, place));
            all.map(|it| (it.array, it.place)).chain(lower)
        })
    }
}

impl Elements<'_> {
    /// Joint after joint goes, its elements prepared before.
    pub(super) fn forwards(
        &mut self,
        routine: &mut Routine,
        contributions: &Contributions,
        wanted: Wanted,
    ) -> Places {
        let used = self.preparation(contributions);
        let side = wanted.side;
        let known = self.eliminated.take();
        let (mut made, mut numbers) = (Eliminated::default(), Map::default());
        routine.stage_in(self.order(), |stage| {
            for work in self.structure.forwards() {
                match (work, &known) {
                    (Site::Element(_), _) if self.at_joints() => {}
                    (Site::Element(e), _) => self.prepare(stage, contributions, &used, e),
                    (Site::Joint(j), Some(known)) if side == Side::Acceleration => {
                        known.repeat(stage, j);
                    }
                    (Site::Joint(j), _) => {
                        self.eliminate_joint(stage, contributions, &mut made.places, j, side);
                        if !self.at_joints() {
                            made.remember(stage, &mut numbers, j);
                        }
                    }
                }
            }
        });
        let places = match &known {
            Some(known) if side == Side::Acceleration => known.places.clone(),
            _ => made.places.clone(),
        };
        self.lower = places.lower.len();
        let is_kept = side == Side::Acceleration && !self.at_joints();
        self.eliminated = known.or(is_kept.then_some(made));
        places
    }

    fn size(&self, j: usize) -> usize {
        self.structure.joints[j].rows.len()
    }

    fn eliminate_joint(
        &mut self,
        stage: &mut Stage<'_>,
        contributions: &Contributions,
        places: &mut Places,
        j: usize,
        side: Side,
    ) {
        let mut plan = Plan::default();
        let Signature { words, slots } = self.sign_step(j, side);
        plan.indices = indices_of(&slots);
        plan.words = words;
        let step = self.planned(&mut plan, contributions, places, j, side);
        let new = self.new_weights(&mut plan, places, j);
        let sharing = self.plan_sharing(&mut plan, j);
        let Plan { words, indices } = plan;
        let places_of = indices.clone();
        let kernel = stage.push(words, indices, || {
            let mut kernel = Kernel {
                reads: self.reads_of(&slots),
                ..Kernel::default()
            };
            self.step(&mut kernel, &step, (j, side));
            self.share_in(&mut kernel, j, sharing);
            for (place, c) in new {
                if let Some(diagonal) = &self.diagonal {
                    kernel.push(diagonal.ratios[c], Write::Set(Array::Weight, place));
                }
            }
            kernel
        });
        for write in &stage.kernel(kernel).writes {
            if let Write::Set(array, place) | Write::Add(array, place) = *write {
                places.filled.insert((array, places_of[place]));
            }
        }
    }

    // ---- the plan: what is read and written, and where ----------------------------------------------

    pub(super) fn planned(
        &self,
        plan: &mut Plan,
        contributions: &Contributions,
        places: &mut Places,
        j: usize,
        side: Side,
    ) -> Step {
        let size = self.size(j);
        let rows = self.structure.joints[j].rows.clone();
        let rows: Vec<usize> = rows.map(|r| plan.index(r)).collect_vec();
        let later = self.structure.elimination.later[j].clone();
        plan.words.push_each([size, later.len()]);
        let pivot = (0..size).map(|a| {
            let row = (0..=a).map(|b| {
                let place = self.structure.diagonal_place(j, (a, b));
                self.entry(
                    plan,
                    contributions,
                    places,
                    ((j, j), (a, b)),
                    (Array::Diagonal, place),
                )
            });
            row.collect_vec()
        });
        let pivot = pivot.collect_vec();
        let right = (0..size).map(|a| self.right(plan, contributions, places, (j, a), side));
        let right = right.collect_vec();
        let kept = if side.needs_inverses() { size } else { 0 };
        let inverse = (0..kept).map(|a| {
            let row = (0..=a).map(|b| plan.index(self.structure.diagonal_place(j, (a, b))));
            row.collect_vec()
        });
        let inverse = inverse.collect_vec();
        let later = later.iter().enumerate();
        let later = later.map(|(k, &i)| {
            let before = self.structure.elimination.later[j][..k].to_vec();
            self.later(plan, contributions, places, (i, j), &before)
        });
        Step {
            rows,
            pivot,
            right,
            inverse,
            later: later.collect_vec(),
        }
    }

    /// Entry (a, b) of block (i, j).
    fn entry(
        &self,
        plan: &mut Plan,
        contributions: &Contributions,
        places: &Places,
        ((i, j), (a, b)): ((usize, usize), (usize, usize)),
        taken: (Array, usize),
    ) -> Entry {
        let mut given = Vec::new();
        let rows = (a, b);
        for &e in &self.structure.joints[i].elements {
            if self.at_joints() || !self.structure.joints[j].elements.contains(&e) {
                continue;
            }
            let (a, b) = (self.local_row(e, i) + a, self.local_row(e, j) + b);
            let blocks = &contributions.of(e).blocks;
            if let Some(&number) = blocks.get(&(a.max(b), a.min(b))) {
                given.push(plan.index(contributions.place(e, number)));
            }
        }
        plan.words.push(given.len());
        let part = self.at_joints() && self.are_coupled(i, j);
        let first = [i, j].map_each(|it| self.structure.joints[it].rows.start);
        let part = part.then_some(Part::Entry(first[0] + rows.0, first[1] + rows.1));
        Entry {
            given,
            part,
            taken: self.taken(plan, places, taken),
        }
    }

    fn taken(
        &self,
        plan: &mut Plan,
        places: &Places,
        (array, place): (Array, usize),
    ) -> Option<(Array, usize)> {
        let taken = places.filled.contains(&(array, place));
        plan.words.push(usize::from(taken));
        taken.then(|| (array, plan.index(place)))
    }

    fn right(
        &self,
        plan: &mut Plan,
        contributions: &Contributions,
        places: &Places,
        (j, a): (usize, usize),
        side: Side,
    ) -> Entry {
        let mut given = Vec::new();
        let joint = &self.structure.joints[j];
        if side != Side::Given && !self.at_joints() {
            for &e in &joint.elements {
                let right = &contributions.of(e).right;
                if let Some(&number) = right.get(&(self.local_row(e, j) + a)) {
                    given.push(plan.index(contributions.place(e, number)));
                }
            }
        }
        plan.words.push(given.len());
        let row = joint.rows.start + a;
        let part = self.at_joints() && side != Side::Given;
        Entry {
            given,
            part: part.then_some(Part::Right(row)),
            taken: self.taken(plan, places, (Array::Right, row)),
        }
    }

    fn target(&self, plan: &mut Plan, places: &Places, array: Array, place: usize) -> Target {
        let before = places.filled.contains(&(array, place));
        plan.words.push(usize::from(before));
        Target {
            array,
            place: plan.index(place),
            before,
        }
    }

    fn later(
        &self,
        plan: &mut Plan,
        contributions: &Contributions,
        places: &mut Places,
        (i, j): (usize, usize),
        before: &[usize],
    ) -> Later {
        let (own, size) = (self.size(i), self.size(j));
        plan.words.push(own);
        let (mut entries, mut lower, mut diagonal, mut right) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for a in 0..own {
            let (mut row, mut lower_row) = (Vec::new(), Vec::new());
            for b in 0..size {
                let place = places.fill_place((i, j), (a, b));
                row.push(self.entry(
                    plan,
                    contributions,
                    places,
                    ((i, j), (a, b)),
                    (Array::Fill, place),
                ));
                let place = places.lower.place((i, j), (a, b));
                lower_row.push(plan.index(place));
            }
            entries.push(row);
            lower.push(lower_row);
            let targets = (0..=a).map(|b| {
                let place = self.structure.diagonal_place(i, (a, b));
                self.target(plan, places, Array::Diagonal, place)
            });
            diagonal.push(targets.collect_vec());
            let row = self.structure.joints[i].rows.start + a;
            right.push(self.target(plan, places, Array::Right, row));
        }
        let mut between = Vec::new();
        for &k in before {
            let rows = (0..own).map(|a| {
                let row = (0..self.size(k)).map(|b| {
                    let place = places.fill_place((i, k), (a, b));
                    self.target(plan, places, Array::Fill, place)
                });
                row.collect_vec()
            });
            between.push(rows.collect_vec());
        }
        Later {
            entries,
            lower,
            diagonal,
            right,
            between,
        }
    }

    /// Where the rows of a joint begin among all of an element's joints.
    pub(super) fn local_row(&self, e: usize, joint: usize) -> usize {
        let joints = self.structure.elements[e].joints.iter();
        let before = joints.take_while(|&&it| it != joint);
        before.map(|&it| self.size(it)).sum()
    }

    // ---- the kernel -----------------------------------------------------------------------------------

    fn step(&mut self, kernel: &mut Kernel, step: &Step, (j, side): (usize, Side)) {
        let size = step.rows.len();
        let mut diagonal = Vec::new();
        let mut pivot = vec![Vec::new(); size];
        for (a, row) in step.pivot.iter().enumerate() {
            for (b, entry) in row.iter().enumerate() {
                let given = self.given(kernel, entry, side);
                if a == b {
                    diagonal.push(given);
                }
                pivot[a].push(self.left(kernel, entry, given));
            }
        }
        let mut right = Vec::new();
        for (a, entry) in step.right.iter().enumerate() {
            let given = match side {
                Side::Given => {
                    let row = self.structure.joints[j].rows.start + a;
                    self.given_side(kernel, row, step.rows[a])
                }
                _ => self.given(kernel, entry, side),
            };
            right.push(self.left(kernel, entry, given));
        }
        let mut entries = Vec::new();
        for entry in step.later.iter().flat_map(|later| later.entries.iter()) {
            let mut row = Vec::new();
            for entry in entry {
                let given = self.given(kernel, entry, side);
                row.push(self.left(kernel, entry, given));
            }
            entries.push(row);
        }
        let keeps = !step.inverse.is_empty();
        let done = solve::Step::of(self.graph(), &pivot, entries, keeps);
        let mut before = self.graph().number(Number::ONE);
        for ((&row, &minor), scale) in step.rows.iter().zip(&done.inverse.minors).zip(diagonal) {
            let scale = self.graph().mul(before, scale);
            kernel.push(minor, Write::Pivot(Matrix::Delassus, row));
            kernel.push(scale, Write::Diagonal);
            before = minor;
        }
        for (row, places) in done.inverse.entries().iter().zip(&step.inverse) {
            for (&entry, &place) in row.iter().zip(places) {
                kernel.push(entry, Write::Set(Array::Inverse, place));
            }
        }
        let solution = done.inverse.times(self.graph(), &right);
        for (z, &row) in solution.into_iter().zip(&step.rows) {
            kernel.push(z, Write::Set(Array::Solution, row));
        }
        let lower = step.later.iter().flat_map(|later| &later.lower);
        for (row, places) in done.lower.iter().zip(lower) {
            for (&l, &place) in row.iter().zip(places) {
                self.set(kernel, l, Write::Set(Array::Lower, place));
            }
        }
        self.update(kernel, step, &done, &right);
    }

    /// b/c of a row, b an argument at that index.
    pub(super) fn given_side(&mut self, kernel: &mut Kernel, r: usize, at: usize) -> ExprId {
        let b = self.read(kernel, "b", Array::RightHandSide, at);
        let content = self.row(r).scaled.content;
        self.graph().div(b, content)
    }

    /// The updates of later joints.
    fn update(&mut self, kernel: &mut Kernel, step: &Step, done: &solve::Step, right: &[ExprId]) {
        // By later joint, where its rows begin among those of all.
        let mut first = vec![0];
        for later in &step.later {
            first.push(first[first.len() - 1] + later.right.len());
        }
        for (later, &own) in step.later.iter().zip(&first) {
            for (a, targets) in later.diagonal.iter().enumerate() {
                for (b, target) in targets.iter().enumerate() {
                    let taken = done.taken(self.graph(), own + a, own + b);
                    self.set(kernel, taken, target.write());
                }
                let taken = done.taken_off_side(self.graph(), own + a, right);
                self.set(kernel, taken, later.right[a].write());
                for (targets, &before) in later.between.iter().zip(&first) {
                    for (b, target) in targets[a].iter().enumerate() {
                        let taken = done.taken(self.graph(), own + a, before + b);
                        self.set(kernel, taken, target.write());
                    }
                }
            }
        }
    }

    /// A result that is not zero.
    fn set(&mut self, kernel: &mut Kernel, root: ExprId, write: Write) {
        if !self.graph().is_zero(root) {
            kernel.roots.push(root);
            kernel.writes.push(write);
        }
    }

    pub(super) fn read(
        &mut self,
        kernel: &mut Kernel,
        name: &str,
        array: Array,
        place: usize,
    ) -> ExprId {
        let (symbol, leaf) = self.scratch(name);
        kernel.reads.push((symbol, array, place));
        leaf
    }

    /// Σ of what elements give.
    pub(super) fn given(&mut self, kernel: &mut Kernel, entry: &Entry, side: Side) -> ExprId {
        if let Some(part) = entry.part {
            return self.part(part, side);
        }
        let mut terms = Vec::new();
        for &place in &entry.given {
            let leaf = self.read(kernel, "given", Array::Prepared, place);
            terms.push((leaf, Number::ONE));
        }
        self.graph().sum(&terms)
    }

    /// The same without what is taken.
    pub(super) fn left(&mut self, kernel: &mut Kernel, entry: &Entry, given: ExprId) -> ExprId {
        match entry.taken {
            Some((array, place)) => {
                let name = match array {
                    Array::Right => "pushed",
                    Array::RightBeside => "pulled",
                    _ => "taken",
                };
                let taken = self.read(kernel, name, array, place);
                self.graph().sub(given, taken)
            }
            None => given,
        }
    }
}
