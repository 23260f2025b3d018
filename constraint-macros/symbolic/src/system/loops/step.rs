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

/// What has been written to so far.
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
            let mut kernel = self.step(written, &slots, &places, j, &later, side);
            self.make_shared(&mut kernel, j, &making);
            for (place, c) in (places.indices.len()..).zip(weights) {
                kernel.roots.push(self.ratios[c]);
                kernel.writes.push(Write::Set(Array::Weight, place));
            }
            kernel
        });
        written.by(&later);
    }

    /// What must agree for two steps to share a kernel.
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
    fn step(
        &mut self,
        written: &Written,
        slots: &[Slot],
        places: &Places,
        j: usize,
        later: &[usize],
        side: Side,
    ) -> Kernel {
        let mut reads = self.reads_of(slots);
        let updated = written.rows.contains(&j);
        let diagonal = self.delassus(j, j);
        let mut right = self.right_hand_side(j, side, &mut reads, places.row);
        let mut pivot = diagonal;
        if updated {
            let taken = self.read(&mut reads, "taken", Array::Diagonal, places.row);
            pivot = self.minus(pivot, taken);
            let taken = self.read(&mut reads, "pushed", Array::Right, places.row);
            right = self.minus(right, taken);
        }
        let graph = &mut self.derivation.graph;
        let solution = graph.div(right, pivot);
        let mut roots = vec![pivot, diagonal, solution];
        let mut writes = vec![
            Write::Pivot(places.row),
            Write::Diagonal,
            Write::Set(Array::Solution, places.row),
        ];
        if side.is_solved_again() {
            roots.push(graph.recip(pivot));
            writes.push(Write::Set(Array::Inverse, places.row));
        }
        let right_beside = match side {
            Side::Adjoint => Some(self.adjoint_side(j, slots, &mut reads, places.row)),
            Side::PlaceCorrection | Side::VelocityCorrection => {
                Some(self.weighed_side(j, slots, &mut reads))
            }
            _ => None,
        };
        let beside = right_beside.map(|mut right| {
            if updated {
                let taken = self.read(&mut reads, "pulled", Array::RightBeside, places.row);
                right = self.minus(right, taken);
            }
            roots.push(self.derivation.graph.div(right, pivot));
            writes.push(Write::Set(Array::SolutionBeside, places.row));
            right
        });
        let mut entries = Vec::new();
        for (a, &i) in later.iter().enumerate() {
            let coupled = self.coupled.contains(&key(i, j));
            let zero = self.derivation.graph.zero();
            let mut entry = if coupled { self.delassus(i, j) } else { zero };
            if written.entries.contains(&key(i, j)) {
                let taken = self.read(&mut reads, "filled", Array::Fill, places.couplings[a]);
                entry = self.minus(entry, taken);
            }
            let l = self.derivation.graph.div(entry, pivot);
            entries.push((entry, l));
            roots.push(l);
            writes.push(Write::Set(Array::Lower, places.lower[a]));
        }
        for (a, &i) in later.iter().enumerate() {
            let graph = &mut self.derivation.graph;
            let (entry, l) = entries[a];
            let before = written.rows.contains(&i);
            let taken = square_over(graph, entry, pivot);
            roots.extend([taken, graph.mul(l, right)]);
            writes.push(write(before, Array::Diagonal, places.later[a]));
            writes.push(write(before, Array::Right, places.later[a]));
            if let Some(right) = beside {
                roots.push(graph.mul(l, right));
                writes.push(write(before, Array::RightBeside, places.later[a]));
            }
            for (b, &k) in later[..a].iter().enumerate() {
                let before = written.entries.contains(&key(i, k));
                roots.push(self.derivation.graph.mul(l, entries[b].0));
                writes.push(write(before, Array::Fill, places.fill[&(a, b)]));
            }
        }
        Kernel {
            reads,
            roots,
            writes,
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
            let terms = if in_force && !self.falls[c] {
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
        let mut places = Places::again(elimination, slots, j, later);
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
    pub(super) fn again(
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
