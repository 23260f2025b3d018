//! `gravity [0, -g];`: the weight of everything that has a mass.

use super::super::Role;
use super::Force;
use super::statements::SystemBuilder;
use crate::diagnostic::{SourceRange, system};
use crate::expr::{CollectVec, ExprId, Number};
use crate::syntax::ast::Expr;

/// The acceleration of free fall.
#[derive(Debug)]
pub(super) struct Gravity {
    components: Vec<ExprId>,
    range: SourceRange,
}

impl SystemBuilder<'_> {
    /// Records gravity, which also acts on masses declared after it.
    pub fn gravity(&mut self, value: &Expr, keyword: SourceRange) {
        if !self.indices.is_empty() {
            self.lowering.report(system::gravity_is_everywhere(keyword));
            return;
        }
        if self.gravity.is_some() {
            self.lowering.report(system::gravity_twice(keyword));
            return;
        }
        let components = self.lowering.value(value).components().to_vec();
        if components.is_empty() {
            return;
        }
        let everywhere =
            |role| matches!(role, Role::Parameter { .. } | Role::Time | Role::Input(_));
        let mut each = components.iter();
        if each.all(|&id| self.independent(id, "gravity", value.range, everywhere)) {
            let range = value.range;
            self.gravity = Some(Gravity { components, range });
        }
    }

    /// Adds the weights: a potential −m g·r, or, if g depends on an input, forces without a potential.
    pub fn weigh(&mut self) {
        let Some(Gravity { components, range }) = self.gravity.take() else {
            return;
        };
        let heavy = self.heavy();
        let other = heavy.iter().find(|it| it.1.len() != components.len());
        let mistake = match other {
            Some((_, place)) => system::gravity_shape(range, components.len(), place.len()),
            None if heavy.is_empty() => system::gravity_on_nothing(range),
            None => {
                self.weights(heavy, &components);
                self.system.gravity = components;
                return;
            }
        };
        if self.lowering.diagnostics.is_empty() {
            self.lowering.report(mistake);
        }
    }

    /// All masses, each with its place.
    pub fn heavy(&self) -> Vec<(ExprId, Vec<ExprId>)> {
        let points = self.system.masses.iter();
        let points = points.map(|it| (it.mass, it.place.clone()));
        let bodies = self.system.inertias.iter();
        let bodies = bodies.map(|it| {
            let body = &self.lowering.model.bodies[it.body];
            (it.mass, body.position.clone())
        });
        let posed = self.system.posed.iter();
        let posed = posed.map(|it| (it.mass, it.place.clone()));
        points.chain(bodies).chain(posed).collect_vec()
    }

    fn weights(&mut self, heavy: Vec<(ExprId, Vec<ExprId>)>, gravity: &[ExprId]) {
        let given = |role| !matches!(role, Role::Input(_));
        let mut components = gravity.iter();
        let driven = components.any(|&id| self.lowering.depends(id, given).is_some());
        self.system.gravity_is_driven = driven;
        for (mass, place) in heavy {
            let weight = gravity.iter().map(|&g| self.lowering.graph().mul(mass, g));
            let weight: Vec<ExprId> = weight.collect_vec();
            if driven {
                let value = weight;
                self.system.forces.push(Force { place, value });
                continue;
            }
            let graph = self.lowering.graph();
            let pairs = place.iter().zip(weight);
            let terms: Vec<_> = pairs
                .map(|(&x, weight)| (graph.mul(weight, x), Number::MINUS_ONE))
                .collect_vec();
            let term = graph.sum(&terms);
            self.system.potential.push(term);
        }
    }
}
