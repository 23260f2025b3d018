//! Coordinates without inertia of their own, which constraints determine.

use super::{Derivation, Row};
use crate::diagnostic::{Diagnostics, system as messages};
use crate::expr::{CollectVec, ExprId, Number};
use crate::model::System;

impl Derivation {
    /// Makes M regular by the rows that contain coordinates without inertia: adds Jᵀ D J to M and −Jᵀ D β to h, with D
    /// the effective mass of each row in the coordinates with inertia.
    pub fn augment_mass(&mut self, system: &System, rows: &[Row], diagnostics: &mut Diagnostics) {
        if self.massless.is_empty() {
            return;
        }
        let applied = self.applied.iter().map(|terms| self.graph.sum(terms));
        let applied = applied.collect_vec();
        self.unaugmented = Some((self.mass.clone(), applied));
        let effective_mass: Vec<ExprId> = rows
            .iter()
            .map(|row| self.effective_mass(row))
            .collect_vec();
        for (row, effective_mass) in rows.iter().zip(effective_mass) {
            if !row.own.iter().any(|(i, _)| self.massless.contains(i)) {
                continue;
            }
            for (a, &(i, slope)) in row.own.iter().enumerate() {
                let weighted = self.graph.mul(effective_mass, slope);
                for &(j, other) in &row.own[..=a] {
                    let entry = self.graph.mul(weighted, other);
                    self.mass.add(&mut self.graph, i, j, entry);
                }
                let push = self.graph.mul(weighted, row.bias);
                self.push(i, push, Number::MINUS_ONE);
            }
        }
        for i in self.massless.clone() {
            if self.mass.get(i, i).is_none() {
                let coordinate = &system.coordinates[i];
                let missing = messages::without_inertia(coordinate.range, &coordinate.name);
                diagnostics.push(missing);
            }
        }
        if diagnostics.is_empty() {
            self.check_regular(system, diagnostics);
        }
    }

    /// The effective mass of a row, 1/Σ Jᵢ²/Mᵢᵢ over the coordinates with inertia; 1 if the row has none of them.
    fn effective_mass(&mut self, row: &Row) -> ExprId {
        let mut terms = Vec::new();
        for &(i, slope) in &row.own {
            if let Some(mass) = self.mass.get(i, i) {
                let square = self.graph.powi(slope, 2);
                terms.push((self.graph.div(square, mass), Number::ONE));
            }
        }
        if terms.is_empty() {
            self.graph.number(Number::ONE)
        } else {
            let sum = self.graph.sum(&terms);
            self.graph.recip(sum)
        }
    }
}
