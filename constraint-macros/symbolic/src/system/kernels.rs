//! Large systems in loops: every family of rows is derived once, every kind of elimination step is written once.
//!
//! A step eliminates one row of J M⁻¹ Jᵀ: it assembles the row and its couplings to later rows, divides, and
//! updates those. Steps of the same kind differ in the places they read and write, nothing else; the order
//! of elimination is known, so the places are numbers, and where they advance evenly no table is needed.

use std::collections::{BTreeMap, BTreeSet};

use super::families::{Families, Slot};
use super::rerolling::{self, Item, Loop};
use super::scalar_replacement;
use crate::diagnostic::Diagnostics;
use crate::dynamics::{self, Derivation, Row};
use crate::expr::{ExprId, Graph, Map, Node, Number, SymbolId};
use crate::model::System;
use crate::solve::{Quantity, common_mass, divide_terms, elimination_order, square_over};

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
    /// The right-hand side over the pivots, then the unknowns.
    Solution,
    /// What one round of a loop keeps for the next.
    Kept,
    /// What the function gives back.
    Output,
    /// λ, where the function gives it back beside v̇.
    Multipliers,
    /// A component of the elements of a parameter that is an array.
    Parameter(usize, usize),
    /// A component of the elements of an input that is an array.
    Input(usize, usize),
}

impl Array {
    /// Whether the function is given it.
    pub fn is_argument(self) -> bool {
        matches!(
            self,
            Array::Position | Array::Velocity | Array::RightHandSide | Array::Acceleration
        )
    }
}

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
}

/// Straight-line code that several items share; indices are positions in [`Item::indices`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Kernel {
    /// Leaves that are read from arrays.
    pub reads: Vec<(SymbolId, Array, usize)>,
    /// The results.
    pub roots: Vec<ExprId>,
    /// Where they go.
    pub writes: Vec<Write>,
}

/// Kernels, and loops over them in the order of execution.
#[derive(Clone, Debug, Default)]
pub struct Routine {
    /// The kernels.
    pub kernels: Vec<Kernel>,
    /// The loops of one stage after the other.
    pub loops: Vec<Loop>,
    /// The number of values that rounds keep for the next.
    pub kept: usize,
}

/// Everything that a rolled system computes.
#[derive(Clone, Debug)]
pub struct Rolled {
    /// The loops of every quantity.
    pub routines: BTreeMap<Quantity, Routine>,
    /// Which rows have the same shape, and where they stand.
    pub families: Families,
    /// The families' first rows, with their equations.
    pub rows: Vec<(usize, Row)>,
    /// The number of entries of L.
    pub lower: usize,
    /// The number of entries that elimination creates.
    pub fill: usize,
}

/// The elimination of the rows, as indices alone.
struct Elimination {
    order: Vec<usize>,
    /// Per row: later rows that it updates, in the order of elimination.
    later: Vec<Vec<usize>>,
    /// Couplings that are there from the beginning.
    coupled: BTreeSet<(usize, usize)>,
    /// The place of an entry of L.
    lower: Map<(usize, usize), usize>,
    /// The place of an update to an entry off the diagonal.
    fill: Map<(usize, usize), usize>,
}

/// What acts on each coordinate, with its families.
struct Loads {
    values: Vec<ExprId>,
    families: Families,
}

/// The right-hand side of an elimination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// −β′ − J′ M⁻¹ h, whose unknowns are wλ
    Acceleration,
    /// −β′/w − J′ W h, whose unknowns are λ
    Force,
    /// b, which is given
    Given,
}

/// The derivation at work.
pub struct Rolling<'a> {
    derivation: &'a mut Derivation,
    system: &'a mut System,
    rows: Families,
    /// M⁻¹ h
    free: Loads,
    /// What enters b in units of force: M⁻¹ h where the load falls, W h elsewhere.
    forced: Loads,
    falls: Vec<bool>,
    /// W, the inverse masses in units of the common one, with their families.
    ratios: Vec<ExprId>,
    ratio_families: Families,
    /// w, the common inverse mass.
    common: ExprId,
    elimination: Elimination,
    derived: BTreeMap<usize, Row>,
}

impl<'a> Rolling<'a> {
    /// Prepares what all routines share; the mass matrix must be diagonal.
    pub fn new(
        derivation: &'a mut Derivation,
        system: &'a mut System,
        rows: Families,
    ) -> Rolling<'a> {
        let n = system.coordinates.len();
        let graph = &mut derivation.graph;
        let one = graph.number(Number::ONE);
        let mass = |i: usize| derivation.mass.get(i, i).unwrap_or(one);
        let masses: Vec<ExprId> = (0..n).map(mass).collect();
        let applied = (0..n).map(|i| graph.sum(&derivation.applied[i]));
        let applied: Vec<ExprId> = applied.collect();
        let pairs = applied.iter().zip(&masses);
        let free: Vec<ExprId> = pairs.map(|(&h, &m)| divide_terms(graph, h, m)).collect();
        let (common, ratios) = common_mass(graph, &masses);
        let pairs = applied.iter().zip(&ratios);
        let pushed: Vec<ExprId> = pairs.map(|(&h, &ratio)| graph.mul(ratio, h)).collect();
        let size = |id: ExprId| graph.reachable([id]).len();
        let pairs = free.iter().zip(&pushed);
        let falls: Vec<bool> = pairs.map(|(&a, &b)| size(a) < size(b)).collect();
        let forced = (0..n).map(|i| if falls[i] { free[i] } else { pushed[i] });
        let loads = |values: Vec<ExprId>| Loads {
            families: Families::of(graph, system, &values),
            values,
        };
        let (forced, free) = (loads(forced.collect()), loads(free));
        let ratio_families = Families::of(graph, system, &ratios);
        let elimination = Elimination::of(&rows);
        Rolling {
            derivation,
            system,
            rows,
            free,
            forced,
            falls,
            ratios,
            ratio_families,
            common,
            elimination,
            derived: BTreeMap::new(),
        }
    }

    /// All routines; mistakes in rows are reported.
    pub fn all(mut self, diagnostics: &mut Diagnostics) -> Rolled {
        for r in self.rows.first.clone() {
            let row = self.derivation.system_row(self.system, r, diagnostics);
            self.derived.insert(r, row);
        }
        let at_coordinates = self.rows_at();
        let alone: Vec<Vec<usize>> = (0..self.rows.of.len()).map(|r| vec![r]).collect();
        let one = self.derivation.graph.number(Number::ONE);
        let accelerating = self.eliminated(Side::Acceleration);
        // Where w = 1, the units are the same.
        let forcing = if self.common == one {
            accelerating.clone()
        } else {
            self.eliminated(Side::Force)
        };
        let mass = self.derivation.graph.recip(self.common);
        let [acceleration, both] = [None, Some(mass)]
            .map(|unit| self.solution(&accelerating, &at_coordinates, unit, Rolling::acceleration));
        let force = self.solution(&forcing, &at_coordinates, None, Rolling::force);
        let multipliers = self.solution(&forcing, &alone, None, |rolling, stage, r, _| {
            rolling.multiplier(stage, r, one, Array::Output);
        });
        let given = self.eliminated(Side::Given);
        let correction = self.solution(&given, &at_coordinates, None, Rolling::corrected);
        let reps = self.rows.first.clone();
        let rows = reps.into_iter().map(|r| (r, self.row(r).clone())).collect();
        let kinetic = self.derivation.kinetic_terms(self.system);
        let kinetic = self.energy(&kinetic);
        let potential = self.system.potential.iter();
        let potential: Vec<_> = potential.map(|&term| (term, Number::ONE)).collect();
        let row_sizes = |rolling: &mut Rolling<'_>, row: &Row| {
            let graph = &mut rolling.derivation.graph;
            dynamics::size(graph, rolling.system, &row.jacobian)
        };
        let routines = BTreeMap::from([
            (Quantity::Acceleration, acceleration),
            (Quantity::AccelerationAndMultipliers, both),
            (Quantity::Force, force),
            (Quantity::Multipliers, multipliers),
            (Quantity::Correction, correction),
            (Quantity::Value, self.per_row(|_, row| row.value)),
            (Quantity::Rate, self.per_row(|_, row| row.rate)),
            (Quantity::Bias, self.per_row(|_, row| row.bias)),
            (Quantity::RowSizes, self.per_row(row_sizes)),
            (Quantity::Jacobian, self.jacobian()),
            (Quantity::KineticEnergy, kinetic),
            (Quantity::PotentialEnergy, self.energy(&potential)),
        ]);
        Rolled {
            routines,
            rows,
            families: self.rows.clone(),
            lower: self.elimination.lower.len(),
            fill: self.elimination.fill.len(),
        }
    }

    /// A row, derived when it is first asked for.
    fn row(&mut self, r: usize) -> &Row {
        if !self.derived.contains_key(&r) {
            // The family's first member has been checked.
            let mut ignored = Diagnostics::default();
            let row = self.derivation.system_row(self.system, r, &mut ignored);
            self.derived.insert(r, row);
        }
        &self.derived[&r]
    }

    /// J′ of a row at a coordinate.
    fn entry(&mut self, r: usize, coordinate: usize) -> Option<ExprId> {
        let row = self.row(r).scaled.jacobian.iter();
        row.copied()
            .find_map(|(c, entry)| (c == coordinate).then_some(entry))
    }

    fn scratch(&mut self, name: &str) -> (SymbolId, ExprId) {
        let symbols = &mut self.system.model.symbols;
        scalar_replacement::new_leaf(&mut self.derivation.graph, symbols, name)
    }
}

// ---- items --------------------------------------------------------------------------------------

/// A signature under construction: what an item is, and the places it speaks of.
#[derive(Default)]
struct Signature {
    /// What must agree for two items to share a kernel.
    words: Vec<usize>,
    /// Each once.
    slots: Vec<Slot>,
}

impl Signature {
    fn slot(&mut self, slot: Slot) {
        let known = self.slots.iter().position(|&other| other == slot);
        let number = known.unwrap_or_else(|| {
            self.slots.push(slot);
            self.slots.len() - 1
        });
        self.words.push(number);
    }

    /// A member of families.
    fn member(&mut self, families: &Families, member: usize) {
        self.words.push(families.of[member]);
        for &slot in &families.slots[member] {
            self.slot(slot);
        }
    }
}

/// Where slots stand in their arrays.
fn indices_of(slots: &[Slot]) -> Vec<usize> {
    slots.iter().map(|slot| slot.index()).collect()
}

/// Items of one stage, and their kernels.
struct Stage<'r> {
    routine: &'r mut Routine,
    known: Map<Vec<usize>, usize>,
    items: Vec<Item>,
}

impl Stage<'_> {
    /// Adds an item; the kernel is made for the first of its kind.
    fn push(&mut self, words: Vec<usize>, indices: Vec<usize>, make: impl FnOnce() -> Kernel) {
        let next = self.routine.kernels.len();
        let kernel = *self.known.entry(words).or_insert(next);
        if kernel == next {
            self.routine.kernels.push(make());
        }
        self.items.push(Item { kernel, indices });
    }
}

impl Routine {
    /// Adds a stage of the items that `fill` pushes.
    fn stage(&mut self, fill: impl FnOnce(&mut Stage<'_>)) {
        let mut stage = Stage {
            routine: self,
            known: Map::default(),
            items: Vec::new(),
        };
        fill(&mut stage);
        let loops = rerolling::roll(&stage.items);
        self.loops.extend(loops);
    }

    /// Results that nothing is solved for, those of one shape in loops.
    pub fn of_each(system: &System, results: &[ExprId]) -> Routine {
        let graph = &system.model.graph;
        let families = Families::of(graph, system, results);
        Routine::of(|stage| {
            for (i, &result) in results.iter().enumerate() {
                let slots = &families.slots[i];
                let mut indices = indices_of(slots);
                indices.push(i);
                stage.push(vec![families.of[i]], indices, || Kernel {
                    reads: reads_of(graph, system, slots),
                    roots: vec![result],
                    writes: vec![Write::Set(Array::Output, slots.len())],
                });
            }
        })
    }

    /// One stage alone.
    fn of(fill: impl FnOnce(&mut Stage<'_>)) -> Routine {
        let mut routine = Routine::default();
        routine.stage(fill);
        routine
    }
}

/// The leaves of slots by their place among an item's indices.
fn reads_of(graph: &Graph, system: &System, slots: &[Slot]) -> Vec<(SymbolId, Array, usize)> {
    let mut reads = Vec::new();
    for (place, &slot) in slots.iter().enumerate() {
        let coordinate = match slot {
            Slot::Element(symbol, array, _) => {
                reads.push((symbol, array, place));
                continue;
            }
            Slot::Coordinate(c) => &system.coordinates[c],
        };
        for (leaf, array) in [
            (coordinate.position, Array::Position),
            (Some(coordinate.velocity), Array::Velocity),
        ] {
            let node = leaf.map(|leaf| graph.node(leaf));
            if let Some(Node::Symbol(symbol)) = node {
                reads.push((*symbol, array, place));
            }
        }
    }
    reads
}

impl Rolling<'_> {
    fn reads_of(&self, slots: &[Slot]) -> Vec<(SymbolId, Array, usize)> {
        reads_of(&self.derivation.graph, self.system, slots)
    }

    fn sign_row(&self, signature: &mut Signature, r: usize) {
        signature.member(&self.rows, r);
    }

    fn sign_ratio(&self, signature: &mut Signature, c: usize) {
        signature.member(&self.ratio_families, c);
    }

    /// What acts on a coordinate, as it enters a right-hand side.
    fn sign_load(&self, signature: &mut Signature, c: usize, side: Side) {
        let loads = match side {
            Side::Acceleration => &self.free,
            Side::Force => &self.forced,
            Side::Given => return,
        };
        let falls = side == Side::Force && self.falls[c];
        signature.words.push(usize::from(falls));
        signature.member(&loads.families, c);
    }

    /// One result per row.
    fn per_row(&mut self, result: impl Fn(&mut Rolling<'_>, &Row) -> ExprId) -> Routine {
        Routine::of(|stage| {
            for r in 0..self.rows.of.len() {
                let mut signature = Signature::default();
                self.sign_row(&mut signature, r);
                let Signature { words, slots } = signature;
                let output = slots.len();
                let mut indices = indices_of(&slots);
                indices.push(r);
                stage.push(words, indices, || {
                    let row = self.row(r).clone();
                    Kernel {
                        reads: self.reads_of(&slots),
                        roots: vec![result(self, &row)],
                        writes: vec![Write::Set(Array::Output, output)],
                    }
                });
            }
        })
    }

    /// J, entry by entry, in an array of columns: row + rows·coordinate.
    fn jacobian(&mut self) -> Routine {
        let count = self.rows.of.len();
        Routine::of(|stage| {
            for r in 0..count {
                let mut signature = Signature::default();
                self.sign_row(&mut signature, r);
                let Signature { words, slots } = signature;
                let mut indices = indices_of(&slots);
                indices.extend(self.rows.coordinates(r).map(|c| r + count * c));
                stage.push(words, indices, || self.entries(r, &slots));
            }
        })
    }

    /// The row's entries of J, to the places that follow the slots, one for each coordinate.
    fn entries(&mut self, r: usize, slots: &[Slot]) -> Kernel {
        let coordinates: Vec<usize> = self.rows.coordinates(r).collect();
        let place = |c| coordinates.iter().position(|&other| other == c);
        let row = self.row(r).jacobian.iter();
        let entries: Vec<(usize, ExprId)> = row
            .filter_map(|&(c, entry)| Some((slots.len() + place(c)?, entry)))
            .collect();
        let writes = entries.iter();
        Kernel {
            reads: self.reads_of(slots),
            roots: entries.iter().map(|&(_, entry)| entry).collect(),
            writes: writes
                .map(|&(place, _)| Write::Set(Array::Output, place))
                .collect(),
        }
    }

    /// A sum, term by term.
    fn energy(&mut self, terms: &[(ExprId, Number)]) -> Routine {
        let graph = &mut self.derivation.graph;
        let terms = terms.iter().map(|&term| graph.sum(&[term]));
        let terms: Vec<ExprId> = terms.collect();
        let families = Families::of(graph, self.system, &terms);
        Routine::of(|stage| {
            for (i, &term) in terms.iter().enumerate() {
                let slots = families.slots[i].clone();
                let mut indices = indices_of(&slots);
                indices.push(0);
                stage.push(vec![families.of[i]], indices, || Kernel {
                    reads: self.reads_of(&slots),
                    roots: vec![term],
                    writes: vec![Write::Add(Array::Output, slots.len())],
                });
            }
        })
    }
}

// ---- elimination --------------------------------------------------------------------------------

impl Elimination {
    fn of(rows: &Families) -> Elimination {
        let n = rows.of.len();
        let mut by_coordinate: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for r in 0..n {
            for c in rows.coordinates(r) {
                by_coordinate.entry(c).or_default().push(r);
            }
        }
        let mut coupled = BTreeSet::new();
        for rows in by_coordinate.values() {
            for (i, &a) in rows.iter().enumerate() {
                coupled.extend(rows[..i].iter().map(|&b| key(a, b)));
            }
        }
        let order = elimination_order(n, coupled.iter().copied());
        let mut position = vec![0; n];
        for (step, &row) in order.iter().enumerate() {
            position[row] = step;
        }
        let mut later: Vec<BTreeSet<(usize, usize)>> = vec![BTreeSet::new(); n];
        let first = |a: usize, b: usize| {
            if position[a] < position[b] {
                (a, b)
            } else {
                (b, a)
            }
        };
        for &(a, b) in &coupled {
            let (a, b) = first(a, b);
            later[a].insert((position[b], b));
        }
        let (mut lower, mut fill) = (Map::default(), Map::default());
        for &k in &order {
            let below: Vec<usize> = later[k].iter().map(|&(_, i)| i).collect();
            for (a, &i) in below.iter().enumerate() {
                let next = lower.len();
                lower.insert((i, k), next);
                for &j in &below[..a] {
                    let (first, second) = first(i, j);
                    later[first].insert((position[second], second));
                    let next = fill.len();
                    fill.entry(key(i, j)).or_insert(next);
                }
            }
        }
        let later = later.into_iter();
        Elimination {
            later: later
                .map(|set| set.into_iter().map(|(_, i)| i).collect())
                .collect(),
            order,
            coupled,
            lower,
            fill,
        }
    }
}

fn key(a: usize, b: usize) -> (usize, usize) {
    (a.max(b), a.min(b))
}

/// First words of the items that share the stage of substitution.
const SUBSTITUTE: usize = 0;
const FINISH: usize = 1;
const UNSCALE: usize = 2;

/// What has been written to so far.
#[derive(Default)]
struct Written {
    rows: BTreeSet<usize>,
    entries: BTreeSet<(usize, usize)>,
}

impl Rolling<'_> {
    /// Elimination with a right-hand side.
    fn eliminated(&mut self, side: Side) -> Routine {
        let order = self.elimination.order.clone();
        let mut routine = Routine::of(|forward| {
            let mut written = Written::default();
            for &j in &order {
                self.eliminate(forward, &mut written, j, side);
            }
        });
        self.carry(&mut routine);
        routine
    }

    fn carry(&mut self, routine: &mut Routine) {
        let (graph, model) = (&mut self.derivation.graph, &mut self.system.model);
        scalar_replacement::replace(routine, graph, &mut model.symbols);
    }

    /// Substitution backwards, and the results as soon as the unknowns of their rows are there, so that they
    /// are computed while the next unknown is waited for.
    ///
    /// `finish` adds the item of one result, which takes the unknowns of its rows; with the `unit` of the unknowns, λ
    /// is given back besides.
    fn solution(
        &mut self,
        eliminated: &Routine,
        rows_of: &[Vec<usize>],
        unit: Option<ExprId>,
        finish: impl Fn(&mut Self, &mut Stage<'_>, usize, &[usize]),
    ) -> Routine {
        let mut missing: Vec<usize> = rows_of.iter().map(Vec::len).collect();
        let mut results_of: Vec<Vec<usize>> = vec![Vec::new(); self.rows.of.len()];
        for (result, rows) in rows_of.iter().enumerate() {
            rows.iter().for_each(|&r| results_of[r].push(result));
        }
        let mut routine = eliminated.clone();
        routine.stage(|backward| {
            for result in (0..rows_of.len()).filter(|&result| rows_of[result].is_empty()) {
                finish(self, backward, result, &[]);
            }
            for j in self.elimination.order.clone().into_iter().rev() {
                self.substitute(backward, j, unit);
                for &result in &results_of[j] {
                    missing[result] -= 1;
                    if missing[result] == 0 {
                        finish(self, backward, result, &rows_of[result]);
                    }
                }
            }
        });
        self.carry(&mut routine);
        routine
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
        let later = self.elimination.later[j].clone();
        let mut signature = Signature::default();
        self.sign_row(&mut signature, j);
        for c in self.rows.coordinates(j) {
            self.sign_load(&mut signature, c, side);
        }
        let updated = written.rows.contains(&j);
        signature.words.extend([usize::from(updated), later.len()]);
        for c in self.rows.coordinates(j) {
            self.sign_ratio(&mut signature, c);
        }
        for &i in &later {
            let coupled = self.elimination.coupled.contains(&key(i, j));
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
        let Signature { words, slots } = signature;
        let places = Places::new(&self.elimination, &slots, j, &later);
        let indices = places.indices.clone();
        stage.push(words, indices, || {
            self.step(written, &slots, &places, j, &later, side)
        });
        for (a, &i) in later.iter().enumerate() {
            written.rows.insert(i);
            written
                .entries
                .extend(later[..a].iter().map(|&k| key(i, k)));
        }
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
        let mut right = self.right_hand_side(j, side, &mut reads, places);
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
        let mut entries = Vec::new();
        for (a, &i) in later.iter().enumerate() {
            let coupled = self.elimination.coupled.contains(&key(i, j));
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

    fn minus(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let terms = [(a, Number::ONE), (b, Number::MINUS_ONE)];
        self.derivation.graph.sum(&terms)
    }

    fn read(
        &mut self,
        reads: &mut Vec<(SymbolId, Array, usize)>,
        name: &str,
        array: Array,
        place: usize,
    ) -> ExprId {
        let (symbol, leaf) = self.scratch(name);
        reads.push((symbol, array, place));
        leaf
    }

    /// The right-hand side of a row as solved; b over its content.
    fn right_hand_side(
        &mut self,
        j: usize,
        side: Side,
        reads: &mut Vec<(SymbolId, Array, usize)>,
        places: &Places,
    ) -> ExprId {
        let scaled = self.row(j).scaled.clone();
        if side == Side::Given {
            let b = self.read(reads, "b", Array::RightHandSide, places.row);
            return self.derivation.graph.div(b, scaled.content);
        }
        let in_force = side == Side::Force;
        let (mut moving, mut pushing) = (vec![(scaled.bias, Number::MINUS_ONE)], Vec::new());
        for c in self.rows.coordinates(j).collect::<Vec<_>>() {
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
    fn delassus(&mut self, i: usize, j: usize) -> ExprId {
        let mut terms = Vec::new();
        for c in self.rows.coordinates(j).collect::<Vec<_>>() {
            if let (Some(a), Some(b)) = (self.entry(i, c), self.entry(j, c)) {
                let graph = &mut self.derivation.graph;
                let weighed = graph.mul(self.ratios[c], a);
                terms.push((graph.mul(weighed, b), Number::ONE));
            }
        }
        self.derivation.graph.sum(&terms)
    }

    /// The unknown of a row from those after it, and λ beside it, where its unit is given.
    fn substitute(&mut self, stage: &mut Stage<'_>, j: usize, unit: Option<ExprId>) {
        let later = self.elimination.later[j].clone();
        let unit = match (later.is_empty(), unit) {
            (true, None) => return,
            (true, Some(unit)) => return self.multiplier(stage, j, unit, Array::Multipliers),
            (false, unit) => unit,
        };
        let mut signature = Signature::default();
        signature.words.extend([SUBSTITUTE, later.len()]);
        if unit.is_some() {
            self.sign_row(&mut signature, j);
        }
        let Signature { words, slots } = signature;
        let mut indices = indices_of(&slots);
        indices.push(j);
        indices.extend(&later);
        indices.extend(later.iter().map(|&i| self.elimination.lower[&(i, j)]));
        stage.push(words, indices, || {
            let mut reads = self.reads_of(&slots);
            let own = slots.len();
            let mut value = self.read(&mut reads, "z", Array::Solution, own);
            for a in 1..=later.len() {
                let x = self.read(&mut reads, "x", Array::Solution, own + a);
                let l = self.read(&mut reads, "l", Array::Lower, own + later.len() + a);
                let product = self.derivation.graph.mul(l, x);
                value = self.minus(value, product);
            }
            let (mut roots, mut writes) = (vec![value], vec![Write::Set(Array::Solution, own)]);
            if let Some(unit) = unit {
                let row = self.row(j).scaled.clone();
                roots.push(row.unscaled(&mut self.derivation.graph, value, unit));
                writes.push(Write::Set(Array::Multipliers, own));
            }
            Kernel {
                reads,
                roots,
                writes,
            }
        });
    }
}

fn write(before: bool, array: Array, place: usize) -> Write {
    if before {
        Write::Add(array, place)
    } else {
        Write::Set(array, place)
    }
}

/// The indices of an elimination step and where they stand in its list.
struct Places {
    indices: Vec<usize>,
    row: usize,
    later: Vec<usize>,
    lower: Vec<usize>,
    /// Entries (later, row) that were filled.
    couplings: Vec<usize>,
    fill: Map<(usize, usize), usize>,
}

impl Places {
    fn new(elimination: &Elimination, slots: &[Slot], j: usize, later: &[usize]) -> Places {
        let mut indices = indices_of(slots);
        let mut place = |index: usize| {
            indices.push(index);
            indices.len() - 1
        };
        let row = place(j);
        let places_of_later = later.iter().map(|&i| place(i)).collect();
        let lower = later
            .iter()
            .map(|&i| place(elimination.lower[&(i, j)]))
            .collect();
        let filled = |i: usize, k: usize| elimination.fill.get(&key(i, k)).copied();
        let couplings = later
            .iter()
            .map(|&i| filled(i, j).map_or(0, &mut place))
            .collect();
        let mut fill = Map::default();
        for (a, &i) in later.iter().enumerate() {
            for (b, &k) in later[..a].iter().enumerate() {
                if let Some(index) = filled(i, k) {
                    fill.insert((a, b), place(index));
                }
            }
        }
        Places {
            row,
            later: places_of_later,
            lower,
            couplings,
            fill,
            indices,
        }
    }
}

// ---- what is made of the unknowns ---------------------------------------------------------------

impl Rolling<'_> {
    fn rows_at(&self) -> Vec<Vec<usize>> {
        let mut rows = vec![Vec::new(); self.system.coordinates.len()];
        for r in 0..self.rows.of.len() {
            self.rows.coordinates(r).for_each(|c| rows[c].push(r));
        }
        rows
    }

    fn acceleration(&mut self, stage: &mut Stage<'_>, c: usize, rows: &[usize]) {
        self.at_coordinate(stage, c, rows, true, |rolling, sum| {
            let graph = &mut rolling.derivation.graph;
            let moved = graph.mul(rolling.ratios[c], sum);
            graph.add(rolling.free.values[c], moved)
        });
    }

    fn corrected(&mut self, stage: &mut Stage<'_>, c: usize, rows: &[usize]) {
        self.at_coordinate(stage, c, rows, false, |rolling, sum| {
            rolling.derivation.graph.mul(rolling.ratios[c], sum)
        });
    }

    fn force(&mut self, stage: &mut Stage<'_>, c: usize, rows: &[usize]) {
        self.at_coordinate(stage, c, rows, false, |_, sum| sum);
    }

    /// What `finish` makes of Σ J′ x at a coordinate.
    fn at_coordinate(
        &mut self,
        stage: &mut Stage<'_>,
        c: usize,
        rows: &[usize],
        free: bool,
        finish: impl Fn(&mut Self, ExprId) -> ExprId,
    ) {
        let mut signature = Signature::default();
        signature.words.extend([FINISH, usize::from(free)]);
        signature.slot(Slot::Coordinate(c));
        self.sign_ratio(&mut signature, c);
        if free {
            self.sign_load(&mut signature, c, Side::Acceleration);
        }
        for &r in rows {
            self.sign_row(&mut signature, r);
        }
        let Signature { words, slots } = signature;
        let mut indices = indices_of(&slots);
        indices.extend(rows);
        stage.push(words, indices, || {
            let mut reads = self.reads_of(&slots);
            let mut terms = Vec::new();
            for (k, &r) in rows.iter().enumerate() {
                let x = self.read(&mut reads, "x", Array::Solution, slots.len() + k);
                if let Some(entry) = self.entry(r, c) {
                    terms.push((self.derivation.graph.mul(entry, x), Number::ONE));
                }
            }
            let sum = self.derivation.graph.sum(&terms);
            Kernel {
                reads,
                roots: vec![finish(self, sum)],
                writes: vec![Write::Set(Array::Output, 0)],
            }
        });
    }

    /// λ of the row as written, from the unknown in that unit.
    fn multiplier(&mut self, stage: &mut Stage<'_>, r: usize, unit: ExprId, to: Array) {
        let mut signature = Signature::default();
        signature.words.push(UNSCALE);
        self.sign_row(&mut signature, r);
        let Signature { words, slots } = signature;
        let mut indices = indices_of(&slots);
        indices.push(r);
        stage.push(words, indices, || {
            let mut reads = self.reads_of(&slots);
            let x = self.read(&mut reads, "x", Array::Solution, slots.len());
            let row = self.row(r).scaled.clone();
            let graph = &mut self.derivation.graph;
            Kernel {
                reads,
                roots: vec![row.unscaled(graph, x, unit)],
                writes: vec![Write::Set(to, slots.len())],
            }
        });
    }
}
