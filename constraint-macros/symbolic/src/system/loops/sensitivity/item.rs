//! Items at a velocity and of a row, which all derivatives in loops consist of.

use std::collections::BTreeMap;

use super::super::leaves::{self, scratch};
use super::super::rolling::{Rolling, Side};
use super::super::routine::{Array, Kernel, Read, Routine, Signature, Slot, Stage, Varied, Write};
use crate::expr::{ExprId, Graph, Map, Node, Number, SymbolId};
use crate::families::{indices_of, scalar_replacement};
use crate::model::{Parameter, Role, System};

/// The first words of items at velocities and of rows; those of substitutions are smaller.
pub(super) const AT_VELOCITY: usize = 3;
pub(super) const OF_ROW: usize = 4;

/// A leaf that varies, and the place of its part of a tangent or gradient among an item's indices.
pub(super) struct Leaf {
    pub(super) symbol: SymbolId,
    pub(super) of: Varied,
    pub(super) place: usize,
}

/// An item under construction: at a velocity, or of a row.
pub(super) struct Item {
    /// The places of its slots come first.
    pub(super) slots: Vec<Slot>,
    pub(super) leaves: Vec<Leaf>,
    /// Values of the item's rows that the elimination has computed, as leaves.
    pub(super) made: Map<ExprId, ExprId>,
    /// The place of the sum for a gradient by values that many items have in common.
    pub(super) sum: Option<usize>,
    /// Where its further places begin.
    pub(super) further: usize,
    pub(super) reads: Vec<Read>,
    pub(super) roots: Vec<ExprId>,
    pub(super) writes: Vec<Write>,
}

/// Further places of an item, besides its rows and velocities, and further words of its signature.
#[derive(Default)]
pub(super) struct Further {
    pub(super) words: Vec<usize>,
    pub(super) places: Vec<usize>,
}

impl Item {
    pub(super) fn write(&mut self, write: Write, root: ExprId) {
        self.roots.push(root);
        self.writes.push(write);
    }

    pub(super) fn into_kernel(self) -> Kernel {
        Kernel {
            reads: self.reads,
            roots: self.roots,
            writes: self.writes,
        }
    }
}

impl Rolling<'_> {
    /// Scalar replacement from this loop on, then loop-invariant expressions.
    pub(super) fn finish(&mut self, routine: &mut Routine, first: usize) {
        self.carry(routine, first);
        let (graph, model) = (&mut self.derivation.graph, &mut self.system.model);
        scalar_replacement::hoist(routine, graph, &mut scratch(&mut model.symbols));
    }

    /// An item at a velocity; `finish` takes the unknowns of the rows that move it, array by array.
    pub(super) fn at_velocity(
        &mut self,
        stage: &mut Stage<'_>,
        c: usize,
        rows: &[usize],
        unknowns: &[Array],
        finish: impl FnOnce(&mut Self, &mut Item, &[Vec<ExprId>]),
    ) {
        let further = Further::default();
        self.further_at_velocity(stage, (c, rows), further, unknowns, finish);
    }

    pub(super) fn sign_velocity(&self, c: usize, rows: &[usize]) -> Signature {
        let mut signature = Signature::default();
        signature.words.push(AT_VELOCITY);
        signature.slot(Slot::Record(c));
        self.sign_ratio(&mut signature, c);
        self.sign_load(&mut signature, c, Side::Acceleration);
        rows.iter().for_each(|&r| self.sign_row(&mut signature, r));
        signature
    }

    /// The same with further places.
    pub(super) fn further_at_velocity(
        &mut self,
        stage: &mut Stage<'_>,
        (c, rows): (usize, &[usize]),
        further: Further,
        unknowns: &[Array],
        finish: impl FnOnce(&mut Self, &mut Item, &[Vec<ExprId>]),
    ) {
        let Signature { mut words, slots } = self.sign_velocity(c, rows);
        words.extend(further.words);
        let mut indices = indices_of(&slots);
        let first = indices.len();
        indices.extend(rows);
        let weight = self.weights[c].filter(|_| !rows.is_empty());
        indices.extend(weight);
        let made: Vec<usize> = rows
            .iter()
            .map(|&r| self.place_shared(r, &mut indices))
            .collect();
        let leaves = self.leaves(&slots, &mut indices);
        let sum = self.place_sum(self.free.values[c], &mut indices);
        let begin = indices.len();
        indices.extend(further.places);
        stage.push(words, indices, || {
            let mut item = self.item(slots, leaves);
            (item.sum, item.further) = (sum, begin);
            for (&r, place) in rows.iter().zip(made) {
                self.read_shared(&mut item, r, place);
            }
            let mut of_rows = |array: &Array| -> Vec<ExprId> {
                let places = first..first + rows.len();
                places
                    .map(|place| self.read(&mut item.reads, "x", *array, place))
                    .collect()
            };
            let unknowns: Vec<Vec<ExprId>> = unknowns.iter().map(&mut of_rows).collect();
            finish(self, &mut item, &unknowns);
            if weight.is_some() {
                // The elimination has stored the quotient: no second division.
                let place = first + rows.len();
                let weight = self.read(&mut item.reads, "weight", Array::Weight, place);
                let graph = &mut self.derivation.graph;
                let known = [(graph.recip(self.ratios[c]), graph.recip(weight))];
                let known = graph.substitute(item.roots.clone(), known.into_iter().collect());
                item.roots.iter_mut().for_each(|root| *root = known[root]);
            }
            item.into_kernel()
        });
    }

    /// An item of a row, whose place follows the slots; its other parts have been signed before.
    pub(super) fn of_row(
        &mut self,
        stage: &mut Stage<'_>,
        r: usize,
        signature: Signature,
        finish: impl FnOnce(&mut Self, &mut Item, usize),
    ) {
        self.further_of_row(stage, r, (signature, Further::default()), finish);
    }

    /// The same with further places.
    pub(super) fn further_of_row(
        &mut self,
        stage: &mut Stage<'_>,
        r: usize,
        (mut signature, further): (Signature, Further),
        finish: impl FnOnce(&mut Self, &mut Item, usize),
    ) {
        signature.words.push(OF_ROW);
        self.sign_row(&mut signature, r);
        signature.words.extend(further.words);
        let Signature { words, slots } = signature;
        let mut indices = indices_of(&slots);
        let own = indices.len();
        indices.push(r);
        let made = self.place_shared(r, &mut indices);
        let leaves = self.leaves(&slots, &mut indices);
        let scale = self.scale(self.rows.first[self.rows.of[r]]);
        let sum = scale.and_then(|it| self.place_sum(it, &mut indices));
        let begin = indices.len();
        indices.extend(further.places);
        stage.push(words, indices, || {
            let mut item = self.item(slots, leaves);
            (item.sum, item.further) = (sum, begin);
            self.read_shared(&mut item, r, made);
            finish(self, &mut item, own);
            item.into_kernel()
        });
    }

    pub(super) fn item(&mut self, slots: Vec<Slot>, leaves: Vec<Leaf>) -> Item {
        Item {
            reads: self.reads_of(&slots),
            slots,
            leaves,
            made: Map::default(),
            sum: None,
            further: 0,
            roots: Vec::new(),
            writes: Vec::new(),
        }
    }

    /// Where gradients by what many items have in common are summed, if they are.
    pub(super) fn place_sum(&self, of: ExprId, indices: &mut Vec<usize>) -> Option<usize> {
        let number = self.shared.sums.iter().position(|&it| it == of)?;
        indices.push(number);
        Some(indices.len() - 1)
    }

    /// 1/(w c) of a row whose c is a number.
    pub(super) fn scale(&mut self, r: usize) -> Option<ExprId> {
        let content = self.row(r).scaled.content;
        let graph = &mut self.derivation.graph;
        graph.as_number(content)?;
        let unit = graph.recip(self.common);
        Some(graph.div(unit, content))
    }

    /// The leaves of slots, and those that all items share.
    pub(super) fn leaves(&self, slots: &[Slot], indices: &mut Vec<usize>) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        for (place, slot) in slots.iter().enumerate() {
            match *slot {
                Slot::Record(c) => {
                    let varied = self.of_coordinate(c).into_iter();
                    leaves.extend(varied.map(|(of, symbol)| Leaf { symbol, of, place }));
                }
                Slot::Element(symbol, ..) => leaves.extend(self.shared_leaf(symbol, indices)),
            }
        }
        for &(symbol, of, index) in &self.shared.leaves {
            let place = indices.len();
            indices.push(index);
            leaves.push(Leaf { symbol, of, place });
        }
        leaves
    }

    /// The leaves that all items share, and their places in a tangent.
    pub(super) fn shared_leaves(&self) -> Vec<(SymbolId, Varied, usize)> {
        let symbols = (0..self.system.model.symbols.len()).map(SymbolId::new);
        let shared = symbols.filter(|&it| leaves::slot(self.system, it).is_none());
        let shared = shared.chain(self.of_common());
        let placed = |symbol| {
            let (of, index) = varied(self.system, symbol)?;
            Some((symbol, of, index))
        };
        shared.filter_map(placed).collect()
    }

    /// The leaves of a coordinate and of its velocity.
    pub(super) fn of_coordinate(&self, c: usize) -> Vec<(Varied, SymbolId)> {
        let coordinate = &self.system.coordinates[c];
        let position = coordinate.position.map(|it| (Varied::Coordinate, it));
        let velocity = (Varied::Velocity, coordinate.velocity);
        let leaf = |(of, id)| Some((of, symbol(&self.derivation.graph, id)?));
        let both = position.into_iter().chain([velocity]);
        both.filter_map(leaf).collect()
    }

    /// A leaf whose place is known by its role.
    pub(super) fn shared_leaf(&self, symbol: SymbolId, indices: &mut Vec<usize>) -> Option<Leaf> {
        let (of, index) = varied(self.system, symbol)?;
        let place = indices.len();
        indices.push(index);
        Some(Leaf { symbol, of, place })
    }

    /// The elements of arrays in the common inverse mass.
    pub(super) fn of_common(&self) -> Vec<SymbolId> {
        let graph = &self.derivation.graph;
        let below = graph.reachable([self.common]).into_iter();
        let symbols = below.filter_map(|id| symbol(graph, id));
        symbols
            .filter(|&it| leaves::slot(self.system, it).is_some())
            .collect()
    }

    /// How leaves move along the tangent, which is read.
    pub(super) fn seeds(
        &mut self,
        reads: &mut Vec<Read>,
        leaves: &[Leaf],
    ) -> Vec<(ExprId, ExprId, ExprId)> {
        let zero = self.derivation.graph.zero();
        let mut seeds = Vec::new();
        for leaf in leaves {
            let (symbol, change) = self.change(leaf.symbol);
            reads.push((symbol, Array::Tangent(leaf.of), leaf.place));
            seeds.push((self.derivation.graph.symbol(leaf.symbol), change, zero));
        }
        seeds
    }

    /// How a leaf moves along the tangent, as a leaf.
    pub(super) fn change(&mut self, of: SymbolId) -> (SymbolId, ExprId) {
        if let Some(&known) = self.shared.changes.get(&of) {
            return known;
        }
        let name = format!("d_{}", self.system.model.symbols[of.index()].name);
        let change = self.scratch(&name);
        self.shared.changes.insert(of, change);
        change
    }

    /// The elements of an array at a row's velocities, by velocity.
    pub(super) fn at_slots(
        &mut self,
        item: &mut Item,
        name: &str,
        array: Array,
    ) -> BTreeMap<usize, ExprId> {
        let Item { slots, reads, .. } = item;
        let places = slots.iter().enumerate();
        let places = places.filter_map(|(place, slot)| Some((place, slot.record()?)));
        places
            .map(|(place, c)| (c, self.read(reads, name, array, place)))
            .collect()
    }

    /// Whether M⁻¹ h is the same all over the family, and cancels where rows ask for differences: it is left out of
    /// what velocities keep, and rows put it in.
    pub(super) fn is_uniform(&self, c: usize) -> bool {
        self.free.families.slots[c].is_empty()
    }

    pub(super) fn leaf(&mut self, name: &str) -> ExprId {
        self.scratch(name).1
    }
}

/// The leaf that an expression is.
pub(super) fn symbol(graph: &Graph, id: ExprId) -> Option<SymbolId> {
    match *graph.node(id) {
        Node::Symbol(symbol) => Some(symbol),
        _ => None,
    }
}

/// Σ a b
pub(super) fn dot(graph: &mut Graph, pairs: impl IntoIterator<Item = (ExprId, ExprId)>) -> ExprId {
    let terms = pairs.into_iter();
    let terms = terms.map(|(a, b)| (graph.mul(a, b), Number::ONE));
    let terms: Vec<_> = terms.collect();
    graph.sum(&terms)
}

/// The place of a leaf that is no coordinate in a tangent.
pub(in crate::system::loops) fn varied(
    system: &System,
    symbol: SymbolId,
) -> Option<(Varied, usize)> {
    match system.model.symbols.get(symbol.index())?.role {
        Role::Time => Some((Varied::Time, 0)),
        Role::Input(i) => Some((Varied::Input, i)),
        Role::Parameter {
            parameter,
            component,
        } => {
            let before = system.model.parameters[..parameter].iter();
            let first: usize = before.map(Parameter::scalars).sum();
            Some((Varied::Parameter, first + component))
        }
        _ => None,
    }
}
