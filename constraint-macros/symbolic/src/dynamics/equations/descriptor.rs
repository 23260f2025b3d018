//! The linearised equations of motion as a sparse descriptor pair, row by row. No rotation is differentiated, because
//! arms vary with δθ as their rates do with ω.
//!
//! ```text
//! E ẋ = A x + B δu,  x = (δq, δv, δλ)        of index 3: v̇ and λ are given, no linear system is solved
//! δq̇ = δv + ω×δθ                             ω×δθ for rotations in space
//! M δv̇ = −∂F/∂q δq − ∂F/∂v δv + Jᵀ δλ − ∂F/∂u δu,  F = M v̇ − h − Jᵀ λ
//! 0 = ∂C/∂q δq                               for a relation Φ between velocities ∂Φ/∂q δq + ∂Φ/∂v δv
//! ```

use super::{Derivation, Row};
use crate::dynamics::frame::{self, Frame};
use crate::expr::{CollectVec, ExprId, Graph, Map, MapEach, Number, PushEach, SymbolId};
use crate::model::{Role, Symbol, System};
use crate::solve::SparseRow;

/// One of the matrices of a descriptor pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Matrix {
    /// Factor of the rates.
    E,
    /// Factor of the state.
    A,
    /// Factor of the inputs.
    B,
}

/// An entry that may differ from zero: its matrix, row, column and value.
pub type Entry = (Matrix, usize, usize, ExprId);

/// The column of each leaf.
type Leaves = Map<ExprId, usize>;

/// Values supplied by the caller: v̇, λ and the inputs.
struct Given {
    accelerations: Vec<ExprId>,
    multipliers: Vec<ExprId>,
    inputs: Leaves,
}

impl Derivation {
    /// All entries, row by row; derives the rows that are not yet derived.
    pub fn descriptor(&mut self, system: &mut System, rows: &[Row]) -> Vec<Vec<Entry>> {
        let derived: Vec<Row>;
        let rows = if rows.len() < system.model.rows.len() {
            let roots: Vec<ExprId> = system.model.rows.iter().map(|row| row.root).collect_vec();
            derived = roots.into_iter().map(|root| self.row(root)).collect_vec();
            &derived
        } else {
            rows
        };
        let given = Given::new(&mut self.graph, system, rows.len());
        let mut all = self.moving(system);
        all.push_each(self.resisting(rows, &given));
        all.push_each(self.constraining(rows, &given));
        all.retain(|row| !row.is_empty());
        all
    }

    /// δq̇ = δv + ω×δθ
    fn moving(&mut self, system: &System) -> Vec<Vec<Entry>> {
        let (n, one) = (self.mass.n, self.graph.number(Number::ONE));
        let row = |i| vec![(Matrix::E, i, i, one), (Matrix::A, i, n + i, one)];
        let mut rows: Vec<Vec<Entry>> = (0..n).map(row).collect_vec();
        for body in &system.model.bodies {
            let &[x, y, z] = &body.angular_velocity[..] else {
                continue;
            };
            let [i, j, k] = [x, y, z].map_each(|spin| self.velocities[&spin]);
            for (a, b, spin) in [(i, k, y), (j, i, z), (k, j, x)] {
                let minus = self.graph.neg(spin);
                // a = b × c: ω_b δθ_c with one sign, ω_c δθ_b with the other.
                rows[a].push((Matrix::A, a, b, spin));
                rows[b].push((Matrix::A, b, a, minus));
            }
        }
        rows
    }

    /// M δv̇ = −∂F/∂q δq − ∂F/∂v δv + Jᵀ δλ − ∂F/∂u δu
    fn resisting(&mut self, rows: &[Row], given: &Given) -> Vec<Vec<Entry>> {
        let n = self.mass.n;
        let mut pushed: Vec<SparseRow> = vec![SparseRow::new(); n];
        for (r, row) in rows.iter().enumerate() {
            row.jacobian
                .iter()
                .for_each(|&(i, entry)| pushed[i].push((r, entry)));
        }
        let missing = self.missing(given);
        let accelerations = given.accelerations.iter().enumerate();
        let accelerations: Leaves = accelerations.map(|(j, &leaf)| (leaf, j)).collect();
        let row = |(i, (missing, pushed)): (usize, (ExprId, SparseRow))| {
            let mut entries: Vec<Entry> = Vec::new();
            for (j, mass) in self.slopes_in(missing, &accelerations) {
                entries.push((Matrix::E, n + i, n + j, mass));
            }
            let terms = pushed.iter().map(|&(r, entry)| {
                (
                    self.graph.mul(entry, given.multipliers[r]),
                    Number::MINUS_ONE,
                )
            });
            let mut terms: Vec<_> = terms.collect_vec();
            terms.push((missing, Number::ONE));
            let left = self.graph.sum(&terms);
            let left = self.graph.neg(left);
            entries.push_each(self.varied(left, n + i, given));
            entries.push_each(
                pushed
                    .into_iter()
                    .map(|(r, entry)| (Matrix::A, n + i, 2 * n + r, entry)),
            );
            entries
        };
        let all = missing.into_iter().zip(pushed).enumerate();
        all.map(row).collect_vec()
    }

    /// 0 = ∂C/∂q δq, or ∂Φ/∂q δq + ∂Φ/∂v δv
    fn constraining(&mut self, rows: &[Row], given: &Given) -> Vec<Vec<Entry>> {
        let n = self.mass.n;
        let row = |(r, row): (usize, &Row)| {
            let root = if row.holonomic { row.value } else { row.rate };
            self.varied(root, 2 * n + r, given)
        };
        rows.iter().enumerate().map(row).collect_vec()
    }

    /// M v̇ − h, in the frame of the world.
    fn missing(&mut self, given: &Given) -> Vec<ExprId> {
        let Derivation { graph, frames, .. } = self;
        let own = frame::all_turned(graph, frames, &given.accelerations, Frame::own);
        let applied = self.applied.iter().map(|terms| graph.sum(terms));
        let (mass, applied) = match &self.unaugmented {
            Some((mass, applied)) => (mass, applied.clone()),
            None => (&self.mass, applied.collect_vec()),
        };
        let terms = mass.products(graph, &own).into_iter().zip(applied);
        let missing = terms.map(|(mut terms, applied)| {
            terms.push((applied, Number::MINUS_ONE));
            graph.sum(&terms)
        });
        let missing: Vec<ExprId> = missing.collect_vec();
        frame::all_turned(graph, frames, &missing, Frame::world)
    }

    /// The entries of A and B in a row: derivatives with respect to rotations and places, velocities, and inputs.
    fn varied(&mut self, root: ExprId, row: usize, given: &Given) -> Vec<Entry> {
        let n = self.mass.n;
        let slopes = self.slopes(root, |d| &d.positions);
        let slopes = self.without_places(slopes);
        let places = self.columns(&slopes, false).into_iter();
        let velocities = self.slopes(root, |d| &d.velocities).into_iter();
        let inputs = self.slopes_in(root, &given.inputs).into_iter();
        let places = places.map(|(k, slope)| (Matrix::A, row, k, slope));
        let velocities = velocities.map(|(k, slope)| (Matrix::A, row, n + k, slope));
        let inputs = inputs.map(|(k, slope)| (Matrix::B, row, k, slope));
        places.chain(velocities).chain(inputs).collect_vec()
    }
}

impl Given {
    fn new(graph: &mut Graph, system: &mut System, rows: usize) -> Given {
        let symbols = &mut system.model.symbols;
        let known = symbols.iter().enumerate();
        let known: Map<Role, usize> = known.map(|(i, symbol)| (symbol.role, i)).collect();
        let mut leaf = |role: Role, name: String| {
            let symbol = match known.get(&role) {
                Some(&place) => SymbolId::new(place),
                None => Symbol::add(symbols, role, name),
            };
            graph.symbol(symbol)
        };
        let accelerations = 0..system.coordinates.len();
        let accelerations = accelerations.map(|i| leaf(Role::Acceleration(i), format!("a_{i}")));
        let accelerations = accelerations.collect_vec();
        let multipliers = (0..rows).map(|r| leaf(Role::Reaction(r), format!("lambda_{r}")));
        let multipliers = multipliers.collect_vec();
        let inputs = symbols.iter().enumerate();
        let inputs = inputs.filter_map(|(place, symbol)| match symbol.role {
            Role::Input(i) => Some((graph.symbol(SymbolId::new(place)), i)),
            _ => None,
        });
        Given {
            inputs: inputs.collect(),
            accelerations,
            multipliers,
        }
    }
}
