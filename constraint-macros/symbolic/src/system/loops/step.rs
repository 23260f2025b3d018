//! One step eliminates one row of J M⁻¹ Jᵀ: it assembles the row and its couplings to later rows, divides, and
//! updates those. Steps of the same kind differ in the places they read and write, nothing else; the order
//! of elimination is known, so the places are numbers, and where they advance evenly no table is needed.

use std::collections::BTreeSet;

use super::elimination::{Elimination, key};
use super::leaves::scratch;
use super::rolling::{Rolling, Side};
use super::routine::{Array, Kernel, Read, Routine, Signature, Slot, Stage, Write};
use crate::expr::{ExprId, Map, Number};
use crate::families::scalar_replacement;
use crate::families::{Item, indices_of, rerolling};
use crate::solve::square_over;

/// About the operations of a step beside its products,
const ROW: usize = 16;
/// and those of a product with the coupling it belongs to.
const PRODUCT: usize = 4;

/// Rows and entries that earlier steps have updated.
#[derive(Default)]
struct Written {
    rows: BTreeSet<usize>,
    entries: BTreeSet<(usize, usize)>,
    weights: BTreeSet<usize>,
}

impl Written {
    /// By the elimination of a row that is coupled with these.
    fn by(&mut self, later: &[usize]) {
        for (a, &i) in later.iter().enumerate() {
            self.rows.insert(i);
            self.entries.extend(later[..a].iter().map(|&k| key(i, k)));
        }
    }
}

/// One step: row j goes, with so many later rows that it updates.
struct Step<'a> {
    written: &'a Written,
    places: &'a Places,
    j: usize,
    later: &'a [usize],
    side: Side,
}

impl Step<'_> {
    /// Whether an earlier step has changed the row.
    fn is_updated(&self) -> bool {
        self.written.rows.contains(&self.j)
    }
}

impl Rolling<'_> {
    /// Elimination with a right-hand side.
    pub(super) fn eliminated(&mut self, side: Side) -> Routine {
        let order = self.elimination.order.clone();
        let mut routine = Routine::of(|forward| {
            let mut written = Written::default();
            for &j in &order {
                self.eliminate(forward, &mut written, j, side);
            }
        });
        self.carry(&mut routine, 0);
        routine
    }

    pub(super) fn carry(&mut self, routine: &mut Routine, from: usize) {
        let (graph, model) = (&mut self.derivation.graph, &mut self.system.model);
        scalar_replacement::replace(routine, from, graph, &mut scratch(&mut model.symbols));
    }

    /// One step: row j goes, and the later rows it is coupled with take over what that leaves.
    ///
    /// ```text
    ///       j    i    k          writes, each over the pivot d
    ///  j  ⎡ d             ⎤     l_i = a_i/d, l_k = a_k/d             Lower
    ///  i  ⎢ a_i  ▪        ⎥     ▪ −= a_i²/d, ▪ −= a_k²/d            Diagonal
    ///  k  ⎣ a_k  ▫    ▪   ⎦     ▫ −= l_k a_i: entries that fill in   Fill
    ///  r    r_j  r_i  r_k       r_i −= l_i r_j, r_k −= l_k r_j      Right
    /// ```
    ///
    /// d, a and r are what the constraints make them, computed in the step itself, minus what earlier steps have
    /// left in those arrays; whether they have is part of the step's kind.
    fn eliminate(&mut self, stage: &mut Stage<'_>, written: &mut Written, j: usize, side: Side) {
        let Signature { mut words, slots } = self.sign_step(written, j, side);
        let later = self.elimination.later[j].clone();
        let weights = self.weights_of(j);
        let new = weights.iter().map(|c| !written.weights.contains(c));
        words.extend(new.map(usize::from));
        let weights: Vec<usize> = weights
            .into_iter()
            .filter(|&c| written.weights.insert(c))
            .collect();
        let places = Places::new(&self.elimination, &slots, j, &later);
        let mut indices = places.indices.clone();
        indices.extend(&weights);
        let making = self.place_making(j, &slots, side == Side::Variation, &mut indices);
        stage.push(words, indices, || {
            let step = Step {
                written,
                places: &places,
                j,
                later: &later,
                side,
            };
            let mut kernel = self.step(&step, &slots);
            self.make_shared(&mut kernel, j, &making);
            for (place, c) in (places.indices.len()..).zip(weights) {
                kernel.push(self.ratios[c], Write::Set(Array::Weight, place));
            }
            kernel
        });
        written.by(&later);
    }

    /// The signature of a step.
    fn sign_step(&self, written: &Written, j: usize, side: Side) -> Signature {
        let later = &self.elimination.later[j];
        let mut signature = Signature::default();
        self.sign_row(&mut signature, j);
        for c in self.rows.records(j) {
            self.sign_load(&mut signature, c, side);
        }
        let updated = written.rows.contains(&j);
        signature.words.extend([usize::from(updated), later.len()]);
        for c in self.rows.records(j) {
            self.sign_ratio(&mut signature, c);
        }
        for &i in later {
            let coupled = self.coupled.contains(&key(i, j));
            let entry = written.entries.contains(&key(i, j));
            let before = written.rows.contains(&i);
            let flags = usize::from(coupled) + 2 * usize::from(entry) + 4 * usize::from(before);
            signature.words.push(flags);
            if coupled {
                self.sign_row(&mut signature, i);
            }
        }
        for (a, &i) in later.iter().enumerate() {
            for &k in &later[..a] {
                let before = written.entries.contains(&key(i, k));
                signature.words.push(usize::from(before));
            }
        }
        signature
    }

    /// About how many operations the steps are written down in.
    pub(super) fn written_steps(&self) -> usize {
        let mut written = Written::default();
        let mut kinds: Map<Vec<usize>, usize> = Map::default();
        let mut operations = Vec::new();
        let mut items = Vec::new();
        for &j in &self.elimination.order {
            let later = &self.elimination.later[j];
            let Signature { words, slots } = self.sign_step(&written, j, Side::Given);
            let next = kinds.len();
            let kernel = *kinds.entry(words).or_insert(next);
            if kernel == next {
                operations.push(ROW + PRODUCT * (later.len() + 1) * (later.len() + 2) / 2);
            }
            let indices = Places::new(&self.elimination, &slots, j, later).indices;
            items.push(Item { kernel, indices });
            written.by(later);
        }
        let loops = rerolling::roll(&items, rerolling::MIN_ROUNDS);
        let bodies = loops.iter().flat_map(|it| &it.body);
        bodies.map(|(kernel, _)| operations[*kernel]).sum()
    }

    /// The kernel of one elimination step.
    fn step(&mut self, step: &Step<'_>, slots: &[Slot]) -> Kernel {
        let mut kernel = Kernel {
            reads: self.reads_of(slots),
            ..Kernel::default()
        };
        let (pivot, right) = self.divide(step, &mut kernel);
        let beside = self.divide_second_side(step, slots, pivot, &mut kernel);
        let entries = self.couplings(step, pivot, &mut kernel);
        self.eliminate_from_later(step, pivot, (right, beside), &entries, &mut kernel);
        kernel
    }

    /// The pivot of a row, and its right-hand side before it is divided by that.
    fn divide(&mut self, step: &Step<'_>, kernel: &mut Kernel) -> (ExprId, ExprId) {
        let (j, side, row) = (step.j, step.side, step.places.row);
        let diagonal = self.delassus(j, j);
        let mut right = self.right_hand_side(j, side, &mut kernel.reads, row);
        let mut pivot = diagonal;
        if step.is_updated() {
            let taken = self.read(&mut kernel.reads, "taken", Array::Diagonal, row);
            pivot = self.minus(pivot, taken);
            let taken = self.read(&mut kernel.reads, "pushed", Array::Right, row);
            right = self.minus(right, taken);
        }
        let graph = &mut self.derivation.graph;
        let solution = graph.div(right, pivot);
        kernel.push(pivot, Write::Pivot(row));
        kernel.push(diagonal, Write::Diagonal);
        kernel.push(solution, Write::Set(Array::Solution, row));
        if side.needs_reciprocals() {
            kernel.push(graph.recip(pivot), Write::Set(Array::Inverse, row));
        }
        (pivot, right)
    }

    /// The second right-hand side of a row, if there is one.
    fn divide_second_side(
        &mut self,
        step: &Step<'_>,
        slots: &[Slot],
        pivot: ExprId,
        kernel: &mut Kernel,
    ) -> Option<ExprId> {
        let (j, row) = (step.j, step.places.row);
        let mut right = match step.side {
            Side::Adjoint => self.adjoint_side(j, slots, &mut kernel.reads, row),
            Side::PlaceCorrection | Side::VelocityCorrection => {
                self.weighed_side(j, slots, &mut kernel.reads)
            }
            _ => return None,
        };
        if step.is_updated() {
            let taken = self.read(&mut kernel.reads, "pulled", Array::RightBeside, row);
            right = self.minus(right, taken);
        }
        let solution = self.derivation.graph.div(right, pivot);
        kernel.push(solution, Write::Set(Array::SolutionBeside, row));
        Some(right)
    }

    /// The entries between a row and later ones, before and after they are divided by the pivot.
    fn couplings(
        &mut self,
        step: &Step<'_>,
        pivot: ExprId,
        kernel: &mut Kernel,
    ) -> Vec<(ExprId, ExprId)> {
        let (j, places) = (step.j, step.places);
        let mut entries = Vec::new();
        for (a, &i) in step.later.iter().enumerate() {
            let coupled = self.coupled.contains(&key(i, j));
            let zero = self.derivation.graph.zero();
            let mut entry = if coupled { self.delassus(i, j) } else { zero };
            if step.written.entries.contains(&key(i, j)) {
                let place = places.couplings[a];
                let taken = self.read(&mut kernel.reads, "filled", Array::Fill, place);
                entry = self.minus(entry, taken);
            }
            let l = self.derivation.graph.div(entry, pivot);
            entries.push((entry, l));
            kernel.push(l, Write::Set(Array::Lower, places.lower[a]));
        }
        entries
    }

    /// Later rows take over what the elimination of this one leaves.
    fn eliminate_from_later(
        &mut self,
        step: &Step<'_>,
        pivot: ExprId,
        (right, beside): (ExprId, Option<ExprId>),
        entries: &[(ExprId, ExprId)],
        kernel: &mut Kernel,
    ) {
        let (written, places) = (step.written, step.places);
        let graph = &mut self.derivation.graph;
        for (a, &i) in step.later.iter().enumerate() {
            let (entry, l) = entries[a];
            let (before, place) = (written.rows.contains(&i), places.later[a]);
            let taken = square_over(graph, entry, pivot);
            kernel.push(taken, write(before, Array::Diagonal, place));
            let pushed = graph.mul(l, right);
            kernel.push(pushed, write(before, Array::Right, place));
            if let Some(right) = beside {
                let pulled = graph.mul(l, right);
                kernel.push(pulled, write(before, Array::RightBeside, place));
            }
            for (b, &k) in step.later[..a].iter().enumerate() {
                let before = written.entries.contains(&key(i, k));
                let filled = graph.mul(l, entries[b].0);
                kernel.push(filled, write(before, Array::Fill, places.fill[&(a, b)]));
            }
        }
    }

    /// The right-hand side of a row as solved; b over its content.
    pub(super) fn right_hand_side(
        &mut self,
        j: usize,
        side: Side,
        reads: &mut Vec<Read>,
        place: usize,
    ) -> ExprId {
        let scaled = self.row(j).scaled.clone();
        if let Side::Rate | Side::VelocityCorrection = side {
            return self.scaled_rate(j);
        }
        if side == Side::PlaceCorrection {
            let value = self.row(j).value;
            return self.derivation.graph.div(value, scaled.content);
        }
        if side == Side::Given {
            let b = self.read(reads, "b", Array::RightHandSide, place);
            return self.derivation.graph.div(b, scaled.content);
        }
        let in_force = side == Side::Force;
        let (mut moving, mut pushing) = (vec![(scaled.bias, Number::MINUS_ONE)], Vec::new());
        for c in self.rows.records(j).collect::<Vec<_>>() {
            let Some(entry) = self.entry(j, c) else {
                continue;
            };
            let loads = if in_force { &self.forced } else { &self.free };
            let pushed = self.derivation.graph.mul(entry, loads.values[c]);
            let terms = if in_force && !self.by_acceleration[c] {
                &mut pushing
            } else {
                &mut moving
            };
            terms.push((pushed, Number::MINUS_ONE));
        }
        let graph = &mut self.derivation.graph;
        let moving = graph.sum(&moving);
        if !in_force {
            return moving;
        }
        pushing.push((graph.div(moving, self.common), Number::ONE));
        graph.sum(&pushing)
    }

    /// An entry of J′ M⁻¹ J′ᵀ, in units of the common inverse mass.
    pub(super) fn delassus(&mut self, i: usize, j: usize) -> ExprId {
        let mut terms = Vec::new();
        for c in self.rows.records(j).collect::<Vec<_>>() {
            if let (Some(a), Some(b)) = (self.entry(i, c), self.entry(j, c)) {
                let graph = &mut self.derivation.graph;
                let weighed = graph.mul(self.ratios[c], a);
                terms.push((graph.mul(weighed, b), Number::ONE));
            }
        }
        self.derivation.graph.sum(&terms)
    }
}

pub(super) fn write(before: bool, array: Array, place: usize) -> Write {
    if before {
        Write::Add(array, place)
    } else {
        Write::Set(array, place)
    }
}

/// The indices of an elimination step and where they stand in its list.
pub(super) struct Places {
    pub(super) indices: Vec<usize>,
    pub(super) row: usize,
    pub(super) later: Vec<usize>,
    pub(super) lower: Vec<usize>,
    /// Entries (later, row) that were filled.
    couplings: Vec<usize>,
    fill: Map<(usize, usize), usize>,
}

impl Places {
    pub(super) fn new(
        elimination: &Elimination,
        slots: &[Slot],
        j: usize,
        later: &[usize],
    ) -> Places {
        let mut places = Places::of_solution(elimination, slots, j, later);
        let filled = |i: usize, k: usize| elimination.fill.get(&key(i, k)).copied();
        for &i in later {
            let coupling = filled(i, j).map_or(0, |index| places.place(index));
            places.couplings.push(coupling);
        }
        for (a, &i) in later.iter().enumerate() {
            for (b, &k) in later[..a].iter().enumerate() {
                if let Some(index) = filled(i, k) {
                    let place = places.place(index);
                    places.fill.insert((a, b), place);
                }
            }
        }
        places
    }

    /// Those of a step that only takes another right-hand side through L: which entries fill in, it does not see.
    pub(super) fn of_solution(
        elimination: &Elimination,
        slots: &[Slot],
        j: usize,
        later: &[usize],
    ) -> Places {
        let mut places = Places {
            indices: indices_of(slots),
            row: 0,
            later: Vec::new(),
            lower: Vec::new(),
            couplings: Vec::new(),
            fill: Map::default(),
        };
        places.row = places.place(j);
        places.later = later.iter().map(|&i| places.place(i)).collect();
        let lower = later.iter().map(|&i| elimination.lower[&(i, j)]);
        places.lower = lower.map(|index| places.place(index)).collect();
        places
    }

    fn place(&mut self, index: usize) -> usize {
        self.indices.push(index);
        self.indices.len() - 1
    }
}
