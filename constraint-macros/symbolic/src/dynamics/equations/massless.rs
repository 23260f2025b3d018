//! Coordinates that constraints carry.

use super::{Derivation, Row};
use crate::diagnostic::{Diagnostics, system as messages};
use crate::expr::{ExprId, Number};
use crate::model::System;

impl Derivation {
    /// Makes M regular by the rows that carry coordinates without inertia: Jᵀ D J to M and −Jᵀ D β to h, D the mass
    /// that a row meets in the other coordinates.
    pub fn carry(&mut self, system: &System, rows: &[Row], diagnostics: &mut Diagnostics) {
        if self.carried.is_empty() {
            return;
        }
        let applied = self.applied.iter().map(|terms| self.graph.sum(terms));
        let applied = applied.collect();
        self.uncarried = Some((self.mass.clone(), applied));
        let met: Vec<ExprId> = rows.iter().map(|row| self.met(row)).collect();
        for (row, met) in rows.iter().zip(met) {
            if !row.own.iter().any(|(i, _)| self.carried.contains(i)) {
                continue;
            }
            for (a, &(i, slope)) in row.own.iter().enumerate() {
                let weighed = self.graph.mul(met, slope);
                for &(j, other) in &row.own[..=a] {
                    let entry = self.graph.mul(weighed, other);
                    self.mass.add(&mut self.graph, i, j, entry);
                }
                let push = self.graph.mul(weighed, row.bias);
                self.push(i, push, Number::MINUS_ONE);
            }
        }
        for i in self.carried.clone() {
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

    /// 1/Σ Jᵢ²/Mᵢᵢ over the coordinates with inertia; 1 where the row has none of them.
    fn met(&mut self, row: &Row) -> ExprId {
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
