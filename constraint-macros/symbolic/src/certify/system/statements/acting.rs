//! Statements on forces, constraints and outputs.

use super::{Reading, Row, bracketed};
use crate::certify::field::Residue;
use crate::certify::point::Stop;
use crate::certify::series::Series;
use crate::certify::tree::{Found, Value};
use crate::expr::{CollectVec, PushEach};
use crate::syntax::ast::{Expr, ExprKind, name_of};
use crate::syntax::statement::{Declared, OneSided, SideKind};

impl Reading<'_> {
    pub(super) fn force(&mut self, target: &Expr, value: &Expr) -> Found<()> {
        let target = self.reader.value(target)?;
        let force = self.reader.value(value)?;
        let place = match &target {
            Value::Body(body) => &body.place[..],
            other => other.components(),
        };
        // A force along a rate does work on its change with the velocities; places do not depend on them.
        let rate = place.iter().any(|x| x.gaining[0] != Residue::ZERO);
        for (x, f) in place.iter().zip(force.components()) {
            let change = if rate { x.gaining[0] } else { x.along };
            self.found.work = self.found.work - f.value * change;
        }
        Ok(())
    }

    pub(super) fn torque(&mut self, target: &Expr, value: &Expr) -> Found<()> {
        let Value::Body(body) = self.reader.value(target)? else {
            return Err(Stop::UNREAD);
        };
        let torque = self.reader.value(value)?;
        for (spin, torque) in body.spin.iter().zip(torque.components()) {
            self.found.work = self.found.work - torque.value * spin.gaining[0];
        }
        Ok(())
    }

    /// The work and potential of gravity on all masses.
    pub(super) fn weigh(&mut self) {
        let Some(gravity) = self.gravity.take() else {
            return;
        };
        self.found.gravity = gravity.iter().map(|it| it.value).collect_vec();
        for (mass, place) in std::mem::take(&mut self.heavy) {
            for (x, g) in place.iter().zip(&gravity) {
                let weight = mass * g.value;
                self.found.work = self.found.work - weight * x.along;
                self.store(-(weight * x.value));
            }
        }
        if self.driven_gravity {
            self.found.potential = None;
        }
    }

    /// True if an expression contains names that depend on inputs.
    pub(super) fn is_driven(&self, expr: &Expr) -> bool {
        if self.driven.is_empty() {
            return false;
        }
        let mut driven = match &expr.kind {
            ExprKind::Name(name) => self.driven.contains(&name_of(name)),
            // Conservative: the body of a user function is not inspected.
            ExprKind::Call { function, .. } => {
                let name = name_of(function);
                let mut known = self.reader.scope.functions.iter();
                known.any(|it| it.name == name)
            }
            _ => false,
        };
        expr.kind
            .for_each_operand(&mut |operand| driven |= self.is_driven(operand));
        driven
    }

    // ---- constraints and outputs ----------------------------------------------------------------

    pub(super) fn constraint(
        &mut self,
        declared: &Declared,
        indices: &[usize],
        relation: &Expr,
    ) -> Found<()> {
        let first = self.found.rows.len();
        let rows = self.reader.rows(relation)?;
        self.found.rows.push_each(rows.iter().map(Row::new));
        // Only outputs use multipliers.
        if !self.text.system.observed.is_empty() {
            let name = format!("{}{}", name_of(&declared.name), bracketed(indices));
            let name = format!("{}{name}", self.reader.scope.prefix);
            let rows = first..self.found.rows.len();
            self.reader.scope.rows.insert(name, rows);
        }
        Ok(())
    }

    /// The gap of a row of one side with its restitution, and its slip with its friction.
    pub(super) fn one_sided(&mut self, written: &OneSided) -> Found<()> {
        let greater = self.reader.scalar(&written.greater)?;
        let less = self.reader.scalar(&written.less)?;
        let mut property = |name: &str| {
            let mut fields = written.fields.iter();
            let value = fields.find(|(field, _)| field == name);
            value
                .map(|(_, value)| self.reader.scalar(value))
                .transpose()
        };
        let (restitution, friction) = (property("restitution")?, property("friction")?);
        let (slip, most) = (property("slip")?, property("most")?);
        if written.kind == SideKind::Motor {
            let [gaps, slips] = &mut self.found.sides;
            gaps.push(Row::default());
            slips.push(Row::new(&greater.minus(less)));
            let [bounds, frictions] = &mut self.found.coefficients;
            bounds.push(most.ok_or(Stop::UNREAD)?.value);
            frictions.push(Residue::ONE);
            return Ok(());
        }
        let [gaps, slips] = &mut self.found.sides;
        gaps.push(Row::new(&greater.minus(less)));
        slips.push_each(slip.iter().map(Row::new));
        let is_tangent = written.in_plane && friction.is_some() && slip.is_none();
        if is_tangent {
            // Its values follow from those of the gap for other differences.
            self.found.tangents.push((slips.len(), gaps.len() - 1));
            slips.push(Row::default());
        }
        let value = |of: Option<Series>| of.map_or(Residue::ZERO, |it| it.value);
        let [restitutions, frictions] = &mut self.found.coefficients;
        restitutions.push(value(restitution));
        if slip.is_some() || is_tangent {
            frictions.push(value(friction));
        }
        Ok(())
    }

    pub(super) fn output(&mut self, declared: &Declared, value: &Expr) -> Found<()> {
        if self.reader.scope.multipliers.is_none() {
            return Ok(());
        }
        let value = self.reader.value(value)?;
        self.observed(declared, value.components());
        Ok(())
    }

    /// Adds components to an output.
    pub(super) fn observed(&mut self, declared: &Declared, components: &[Series]) {
        if self.reader.scope.multipliers.is_none() {
            return;
        }
        let around = self.within.iter().map(|(name, _)| format!("{name}."));
        let name: String = around.chain([name_of(&declared.name)]).collect();
        let values = components.iter().map(|it| (it.value, Row::new(it)));
        let mut known = self.found.outputs.iter_mut();
        match known.find(|it| it.0 == name) {
            Some((_, all)) => all.push_each(values),
            None => {
                let values = values.collect_vec();
                self.found.outputs.push((name, values));
            }
        }
    }
}
