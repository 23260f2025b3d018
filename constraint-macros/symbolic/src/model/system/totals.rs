//! `output momentum;`: the center of mass and the momenta of everything that has a mass.
//!
//! ```text
//! c = Σ m r / Σ m,   p = Σ m ṙ,   L = Σ m (r − c)×ṙ + Σ R I Rᵀ ω
//! ```

use proc_macro2::Ident;

use super::super::value::Value;
use super::statements::SystemBuilder;
use crate::diagnostic::system;
use crate::expr::{CollectVec, ExprId, Number, PushEach};
use crate::syntax::ast::name_of;
use crate::syntax::statement::TOTALS;

/// A mass, its place and its velocity.
type Mass = (ExprId, Vec<ExprId>, Vec<ExprId>);

impl SystemBuilder<'_> {
    /// One of [`TOTALS`]; reports systems without masses, and of masses on lines or in two spaces.
    pub(super) fn total_of(&mut self, name: &Ident) -> Value {
        let heavy = self.heavy();
        let size = heavy.first().map_or(0, |it| it.1.len());
        let is_of_one_space = heavy.iter().all(|it| it.1.len() == size);
        if size < 2 || !is_of_one_space {
            if self.lowering.diagnostics.is_empty() {
                let range = name.span().into();
                let diagnostic = system::total_of_nothing(range, &name_of(name), size == 0);
                self.lowering.report(diagnostic);
            }
            return Value::Poison;
        }
        let moving = heavy.into_iter().map(|(mass, place)| {
            let velocity = place.iter().map(|&it| self.lowering.derivatives(it).0);
            let velocity = velocity.collect_vec();
            (mass, place, velocity)
        });
        let moving: Vec<Mass> = moving.collect_vec();
        let [center, momentum, _] = TOTALS;
        Value::of_components(match name_of(name) {
            name if name == center => self.center(&moving),
            name if name == momentum => self.weighted(&moving, |it| &it.2),
            _ => self.angular_momentum(&moving),
        })
    }

    /// Σ m x
    fn weighted(&mut self, of: &[Mass], get: impl Fn(&Mass) -> &Vec<ExprId>) -> Vec<ExprId> {
        let graph = self.lowering.graph();
        let size = of.first().map_or(0, |it| get(it).len());
        let component = |i: usize| {
            let terms = of
                .iter()
                .map(|it| (graph.mul(it.0, get(it)[i]), Number::ONE));
            let terms: Vec<_> = terms.collect_vec();
            graph.sum(&terms)
        };
        (0..size).map(component).collect_vec()
    }

    fn center(&mut self, of: &[Mass]) -> Vec<ExprId> {
        let sum = self.weighted(of, |it| &it.1);
        let graph = self.lowering.graph();
        let masses: Vec<_> = of.iter().map(|it| (it.0, Number::ONE)).collect_vec();
        let mass = graph.sum(&masses);
        sum.into_iter().map(|it| graph.div(it, mass)).collect_vec()
    }

    fn angular_momentum(&mut self, of: &[Mass]) -> Vec<ExprId> {
        let center = self.center(of);
        let mut terms: Vec<Vec<(ExprId, Number)>> =
            vec![Vec::new(); if center.len() == 3 { 3 } else { 1 }];
        let graph = self.lowering.graph();
        for (mass, place, velocity) in of {
            let arm = place.iter().zip(&center).map(|(&r, &c)| graph.sub(r, c));
            let arm: Vec<ExprId> = arm.collect_vec();
            let turning = match (&arm[..], &velocity[..]) {
                (&[a, b, c], &[x, y, z]) => graph.cross([a, b, c], [x, y, z]).to_vec(),
                (&[a, b], &[x, y]) => {
                    let (ahead, back) = (graph.mul(a, y), graph.mul(b, x));
                    vec![graph.sub(ahead, back)]
                }
                _ => Vec::new(),
            };
            for (terms, turning) in terms.iter_mut().zip(turning) {
                terms.push((graph.mul(*mass, turning), Number::ONE));
            }
        }
        for turning in self.spinning() {
            for (terms, turning) in terms.iter_mut().zip(turning) {
                terms.push((turning, Number::ONE));
            }
        }
        let graph = self.lowering.graph();
        terms.iter().map(|terms| graph.sum(terms)).collect_vec()
    }

    /// R I Rᵀ ω of each body.
    fn spinning(&mut self) -> Vec<Vec<ExprId>> {
        let mut all = Vec::new();
        for i in 0..self.system.inertias.len() {
            let inertia = &self.system.inertias[i];
            let (body, tensor) = (inertia.body, inertia.tensor.clone());
            if let Some(pose) = self.lowering.as_pose(&Value::Body(body)) {
                let axes = pose.axes().to_vec();
                all.push((tensor, pose.own_spin.first, axes));
            }
        }
        let posed = self.system.posed.iter();
        all.push_each(posed.map(|it| (it.tensor.clone(), it.spin.clone(), it.axes.clone())));
        let graph = self.lowering.graph();
        let turned = all.into_iter().map(|(tensor, spin, axes)| {
            let own: Vec<ExprId> = tensor.iter().map(|row| graph.dot(row, &spin)).collect_vec();
            match own.len() {
                3 => (0..3)
                    .map(|i| {
                        let row: Vec<ExprId> = axes.iter().map(|axis| axis[i]).collect_vec();
                        graph.dot(&row, &own)
                    })
                    .collect_vec(),
                _ => own,
            }
        });
        turned.collect_vec()
    }
}
