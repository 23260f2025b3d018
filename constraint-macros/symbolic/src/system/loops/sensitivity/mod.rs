//! Derivatives of v̇ and λ in loops: variations and adjoints solve the same system, with the L that is there.
//!
//! ```text
//! v̇ = M⁻¹ h + W J′ᵀ μ,   J′ v̇ = −β′,   λ = μ/(w c)         A = J′ W J′ᵀ
//! forwards    f = δ(M⁻¹ h) + δ(W J′ᵀ) μ                     at each velocity, μ stands still
//!             A δμ = −δβ′ − δJ′ v̇ − J′ f                    of each row
//!             δv̇ = f + W J′ᵀ δμ
//! backwards   A y = J′ W v̇* + λ*/(w c),   x = v̇* − J′ᵀ y
//!             gradient of x·(M⁻¹ h + W J′ᵀ μ) − y·(J′ v̇ + β′) + λ*·λ,   where x, y, v̇ and μ stand still
//! ```
//! Forwards the second right-hand side is made of the solution; backwards both are known at once.

mod along;
mod back;

use std::collections::BTreeMap;

use super::Rolling;
use super::families::{self, Slot};
use super::routine::{Array, Kernel, Routine, Stage, Varied, Write};
use super::signature::{Signature, indices_of};
use crate::expr::{ExprId, Graph, Node, Number, SymbolId};
use crate::model::{Parameter, Role, System};
use crate::solve::Quantity;

/// First words of items at velocities and of rows, beside those that substitute.
const AT_VELOCITY: usize = 3;
const OF_ROW: usize = 4;

/// A leaf that varies, and the place of its part of a tangent or gradient among an item's indices.
struct Leaf {
    symbol: SymbolId,
    of: Varied,
    place: usize,
}

/// An item under construction: at a velocity, or of a row.
struct Item {
    /// The places of its slots come first.
    slots: Vec<Slot>,
    leaves: Vec<Leaf>,
    reads: Vec<(SymbolId, Array, usize)>,
    roots: Vec<ExprId>,
    writes: Vec<Write>,
}

impl Item {
    fn set(&mut self, array: Array, place: usize, root: ExprId) {
        self.roots.push(root);
        self.writes.push(Write::Set(array, place));
    }

    fn into_kernel(self) -> Kernel {
        Kernel {
            reads: self.reads,
            roots: self.roots,
            writes: self.writes,
        }
    }
}

impl Rolling<'_> {
    /// Derivatives along a tangent, and gradients.
    pub(super) fn sensitivities(&mut self) -> BTreeMap<Quantity, Routine> {
        let rows_at = self.rows_at();
        BTreeMap::from([
            (Quantity::Tangent, self.along(&rows_at)),
            (Quantity::Gradient, self.back(&rows_at)),
        ])
    }

    /// An item at a velocity that the unknowns of these rows move, with Σ J′ x of each of the `unknowns`.
    fn at_velocity(
        &mut self,
        stage: &mut Stage<'_>,
        c: usize,
        rows: &[usize],
        unknowns: &[Array],
        finish: impl FnOnce(&mut Self, &mut Item, &[ExprId]),
    ) {
        let mut signature = Signature::default();
        signature.words.push(AT_VELOCITY);
        signature.slot(Slot::Coordinate(c));
        self.sign_ratio(&mut signature, c);
        self.sign_load(&mut signature, c, super::Side::Acceleration);
        rows.iter().for_each(|&r| self.sign_row(&mut signature, r));
        let Signature { words, slots } = signature;
        let mut indices = indices_of(&slots);
        let first = indices.len();
        indices.extend(rows);
        let weight = self.weights[c].filter(|_| !rows.is_empty());
        indices.extend(weight);
        let leaves = self.leaves(&slots, &mut indices);
        stage.push(words, indices, || {
            let mut item = self.item(slots, leaves);
            let mut sums = Vec::new();
            for &array in unknowns {
                let mut terms = Vec::new();
                for (place, &r) in (first..).zip(rows) {
                    let x = self.read(&mut item.reads, "x", array, place);
                    if let Some(entry) = self.entry(r, c) {
                        terms.push((self.derivation.graph.mul(entry, x), Number::ONE));
                    }
                }
                sums.push(self.derivation.graph.sum(&terms));
            }
            finish(self, &mut item, &sums);
            if weight.is_some() {
                // What elimination has divided by is not divided by again.
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

    /// An item of a row, whose place follows the slots.
    fn of_row(
        &mut self,
        stage: &mut Stage<'_>,
        r: usize,
        finish: impl FnOnce(&mut Self, &mut Item, usize),
    ) {
        let mut signature = Signature::default();
        signature.words.push(OF_ROW);
        self.sign_row(&mut signature, r);
        let Signature { words, slots } = signature;
        let mut indices = indices_of(&slots);
        let own = indices.len();
        indices.push(r);
        let leaves = self.leaves(&slots, &mut indices);
        stage.push(words, indices, || {
            let mut item = self.item(slots, leaves);
            finish(self, &mut item, own);
            item.into_kernel()
        });
    }

    fn item(&mut self, slots: Vec<Slot>, leaves: Vec<Leaf>) -> Item {
        Item {
            reads: self.reads_of(&slots),
            slots,
            leaves,
            roots: Vec::new(),
            writes: Vec::new(),
        }
    }

    /// The leaves of slots, and those that all items share.
    fn leaves(&self, slots: &[Slot], indices: &mut Vec<usize>) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        for (place, slot) in slots.iter().enumerate() {
            match *slot {
                Slot::Coordinate(c) => {
                    let coordinate = &self.system.coordinates[c];
                    let kinds = [Varied::Coordinate, Varied::Velocity];
                    let ids = [coordinate.position, Some(coordinate.velocity)];
                    for (of, id) in kinds.into_iter().zip(ids) {
                        let symbol = id.and_then(|id| symbol(&self.derivation.graph, id));
                        leaves.extend(symbol.map(|symbol| Leaf { symbol, of, place }));
                    }
                }
                Slot::Element(symbol, ..) => {
                    leaves.extend(self.shared_leaf(symbol, indices));
                }
            }
        }
        let symbols = (0..self.system.model.symbols.len()).map(SymbolId::new);
        let shared = symbols.filter(|&it| families::slot(self.system, it).is_none());
        for symbol in shared.chain(self.of_common()) {
            leaves.extend(self.shared_leaf(symbol, indices));
        }
        leaves
    }

    /// A leaf whose place is known by its role.
    fn shared_leaf(&self, symbol: SymbolId, indices: &mut Vec<usize>) -> Option<Leaf> {
        let (of, index) = varied(self.system, symbol)?;
        let place = indices.len();
        indices.push(index);
        Some(Leaf { symbol, of, place })
    }

    /// The elements of arrays that the common inverse mass is made of.
    fn of_common(&self) -> Vec<SymbolId> {
        let graph = &self.derivation.graph;
        let below = graph.reachable([self.common]).into_iter();
        let symbols = below.filter_map(|id| symbol(graph, id));
        symbols
            .filter(|&it| families::slot(self.system, it).is_some())
            .collect()
    }

    /// How leaves move along the tangent.
    fn seeds(&mut self, item: &mut Item) -> Vec<(ExprId, ExprId, ExprId)> {
        let zero = self.derivation.graph.zero();
        let Item { leaves, reads, .. } = item;
        let mut seeds = Vec::new();
        for leaf in leaves.iter() {
            let name = format!("d_{}", self.system.model.symbols[leaf.symbol.index()].name);
            let change = self.read(reads, &name, Array::Tangent(leaf.of), leaf.place);
            seeds.push((self.derivation.graph.symbol(leaf.symbol), change, zero));
        }
        seeds
    }

    /// What stands at the velocities that a row speaks of, by velocity.
    fn at_slots(&mut self, item: &mut Item, name: &str, array: Array) -> BTreeMap<usize, ExprId> {
        let Item { slots, reads, .. } = item;
        let places = slots.iter().enumerate();
        let places = places.filter_map(|(place, slot)| Some((place, slot.coordinate()?)));
        places
            .map(|(place, c)| (c, self.read(reads, name, array, place)))
            .collect()
    }

    /// Σ J′ x of what is known by velocity.
    fn pushed(&mut self, r: usize, x: &BTreeMap<usize, ExprId>) -> ExprId {
        let entries = self.row(r).scaled.jacobian.clone();
        let graph = &mut self.derivation.graph;
        let terms = entries.iter();
        let terms = terms.map(|&(c, entry)| (graph.mul(entry, x[&c]), Number::ONE));
        let terms: Vec<_> = terms.collect();
        graph.sum(&terms)
    }

    /// λ of the row as written, of what is solved for.
    fn told(&mut self, r: usize, x: ExprId) -> ExprId {
        let row = self.row(r).scaled.clone();
        let graph = &mut self.derivation.graph;
        let unit = graph.recip(self.common);
        row.unscaled(graph, x, unit)
    }

    fn leaf(&mut self, name: &str) -> ExprId {
        self.scratch(name).1
    }
}

/// The leaf that an expression is.
fn symbol(graph: &Graph, id: ExprId) -> Option<SymbolId> {
    match *graph.node(id) {
        Node::Symbol(symbol) => Some(symbol),
        _ => None,
    }
}

/// Where a leaf that is no coordinate stands in a tangent.
fn varied(system: &System, symbol: SymbolId) -> Option<(Varied, usize)> {
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
