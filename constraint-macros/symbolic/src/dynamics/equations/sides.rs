//! The rows of one side: gaps g(q, t) ≥ 0, and the slips that friction acts against.

use super::Derivation;
use super::rows::Row;
use crate::diagnostic::{Diagnostics, catalogue, system as messages};
use crate::expr::{CollectVec, ExprId};
use crate::model::{OneSided, System};
use crate::syntax::statement::SideKind;

impl Derivation {
    /// Gaps, then slips; the restitution of each gap, then the friction of each slip; the sizes of the gaps' terms, then zeros.
    pub(super) fn sides(&mut self, system: &System) -> (Vec<Row>, [Vec<ExprId>; 2]) {
        let sides = &system.one_sided;
        let slips = || sides.iter().filter_map(|side| side.friction);
        let gaps = sides.iter().map(|side| side.gap);
        let roots: Vec<ExprId> = gaps.chain(slips().map(|it| it.slip)).collect_vec();
        let rows: Vec<Row> = roots.into_iter().map(|root| self.row(root)).collect_vec();
        let coefficients = sides.iter().map(|side| side.restitution);
        let coefficients = coefficients.chain(slips().map(|it| it.coefficient));
        let mut sizes = vec![self.graph.zero(); rows.len()];
        for (size, row) in sizes.iter_mut().zip(&rows).take(sides.len()) {
            *size = self.graph.size_of_terms(row.value);
        }
        (rows, [coefficients.collect_vec(), sizes])
    }

    /// The gap and the slip of each row with friction, by their places among the rows of one side.
    pub(super) fn rubbing(&self, system: &System) -> Vec<[usize; 2]> {
        let sides = &system.one_sided;
        let rub = sides
            .iter()
            .enumerate()
            .filter(|(_, it)| it.friction.is_some());
        let rub = rub
            .enumerate()
            .map(|(slip, (gap, it))| (gap, sides.len() + slip, it.kind));
        let rub = rub.filter(|&(.., kind)| kind != SideKind::Motor);
        rub.map(|(gap, slip, _)| [gap, slip]).collect_vec()
    }

    /// Reports slips that are not affine in the velocities, and gaps that nothing moves.
    pub(super) fn check_slips(&mut self, system: &System, diagnostics: &mut Diagnostics) {
        for OneSided {
            gap,
            friction,
            range,
            kind,
            ..
        } in &system.one_sided
        {
            if *kind != SideKind::Motor && self.jacobian(*gap).0.is_empty() {
                diagnostics.push(catalogue::row_without_gradient(*range));
            }
            let Some(friction) = friction else {
                continue;
            };
            let (slopes, _) = self.jacobian(friction.slip);
            let is_affine = slopes.iter().all(|&(_, it)| !self.depends_on_velocity(it));
            if !is_affine {
                diagnostics.push(messages::slip_not_affine(friction.range));
            }
        }
    }
}
