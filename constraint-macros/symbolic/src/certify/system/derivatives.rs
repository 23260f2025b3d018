//! Derivatives: certified functions, run over dual numbers along a tangent.
//!
//! ```text
//! jvp          the change of v̇ and λ
//! vjp          times the tangent, it equals v̇*·δv̇ + λ*·δλ
//! linearize    its matrices map (δq, δv), δu and δp to δv̇
//! descriptor   row by row at any v̇ and λ: E ẋ − A x − B δu = δq̇ − δv − ω×δθ, δ(M v̇ − h − Jᵀ λ), −δC
//! ```
//! Outputs and corrections are verified in the same manner. A correction w = G b is right if J w = b, and if M w is
//! orthogonal to all motions that the rows allow, which are a − G J a.

use crate::certify::Gap;
use crate::expr::{CollectVec, SortedMap};
use std::cell::RefCell;

use super::At;
use super::arguments::{Arguments, part};
use crate::certify::checked::{self, Entries, Facts};
use crate::certify::field::Residue;
use crate::certify::linear::dot;
use crate::certify::number::Dual;
use crate::certify::point::{Point, Stop};
use crate::certify::programs::Changing;
use crate::model::Role;
use crate::system::loops::routine::Varied;

type Found = Result<Vec<Residue>, Stop>;

/// Results at the point: changes along the tangent by function and by whether time changes, and the correction.
#[derive(Debug, Default)]
pub struct Known {
    changes: RefCell<SortedMap<(&'static str, bool), Found>>,
    correction: RefCell<Option<Found>>,
}

impl At<'_> {
    /// The expected results of derivatives and corrections, if derivatives are requested.
    pub fn of_derivatives(&self, name: &str, point: &mut Point) -> Result<Facts, Stop> {
        let of = &self.arguments.of_derivatives;
        let without = [
            "correction",
            "free_acceleration",
            "mass_times",
            "projected_motion",
        ];
        if of.tangent.is_empty() && !without.contains(&name) {
            return Err(Stop::Uncovered(Gap::Unknown));
        }
        let n = self.w.len();
        Ok(match name {
            "jvp" => Facts::Values(self.along_tangent(self.solves(), true, point)?),
            "vjp" => {
                let weights = [&of.acceleration[..], &of.multiplier].concat();
                let change = self.along_tangent(self.solves(), true, point)?;
                self.gradient(dot(&weights, &change))
            }
            "linearize" | "linearize_with_multipliers" | "linearize_with_outputs" => {
                let mut motion = self.along_tangent(self.solves(), false, point)?;
                let multipliers = motion.split_off(n);
                let mut groups = vec![motion];
                match name {
                    "linearize_with_multipliers" => groups.push(multipliers),
                    "linearize_with_outputs" => {
                        groups.push(self.along_tangent("outputs", false, point)?);
                    }
                    _ => {}
                }
                self.slopes(groups)
            }
            "outputs_jvp" => Facts::Values(self.along_tangent("outputs", true, point)?),
            "outputs_vjp" => {
                let change = self.along_tangent("outputs", true, point)?;
                self.gradient(dot(&of.outputs, &change))
            }
            "correction" => Facts::Solved(self.correction(point)?),
            "place_correction_vjp" => self.of_correction("constraint", point)?,
            "velocity_correction_vjp" => self.of_correction("constraint_rate", point)?,
            "gaps_vjp" => self.of_sides("gaps", point)?,
            "one_sided_rates_vjp" => self.of_sides("one_sided_rates", point)?,
            "contact_coefficients_vjp" => self.of_sides("contact_coefficients", point)?,
            "one_sided_accelerations_vjp" => {
                let bias = self.along_tangent("one_sided_bias", true, point)?;
                let pushed =
                    self.rows_along_tangent("one_sided_jacobian", &self.arguments.a, point)?;
                self.gradient(dot(&of.sides, &bias) + dot(&of.sides, &pushed))
            }
            "one_sided_responses_vjp" => {
                let moved = self.rows_along_tangent("one_sided_responses", &of.pressed, point)?;
                let mut value = dot(&of.acceleration, &moved);
                if !self.arguments.b.is_empty() {
                    let held =
                        self.rows_along_tangent("one_sided_reactions", &of.pressed, point)?;
                    value = value + dot(&of.multiplier, &held);
                }
                self.gradient(value)
            }
            "projected_motion" => self.projected(point)?,
            "mass_times" => Facts::Values(self.resistance(&self.arguments.a, point)?),
            "free_acceleration" => self.free_motion(point)?,
            "descriptor" => Facts::Entries(self.descriptor(point)?),
            _ => return Err(Stop::Uncovered(Gap::Unknown)),
        })
    }

    /// The gradient of a weighted sum of a number of each row of one side.
    fn of_sides(&self, name: &'static str, point: &mut Point) -> Result<Facts, Stop> {
        let change = self.along_tangent(name, true, point)?;
        Ok(self.gradient(dot(&self.arguments.of_derivatives.sides, &change)))
    }

    /// The product of the change of a matrix along the tangent with x.
    fn rows_along_tangent(&self, name: &'static str, x: &[Residue], point: &mut Point) -> Found {
        let change = self.along_tangent(name, true, point)?;
        let rows = change.chunks(x.len().max(1));
        Ok(rows.map(|row| dot(row, x)).collect_vec())
    }

    /// A gradient whose product with the tangent has this value.
    fn gradient(&self, value: Residue) -> Facts {
        let tangent = &self.arguments.of_derivatives.tangent;
        Facts::Gradient(tangent.clone(), value)
    }

    /// Matrices that map (δq, δv), δu and δp to these values.
    fn slopes(&self, groups: Vec<Vec<Residue>>) -> Facts {
        let part = |of| self.part_of_tangent(of);
        let state = [part(Varied::Coordinate), part(Varied::Velocity)].concat();
        let directions = [state, part(Varied::Input), part(Varied::Parameter)];
        Facts::Slopes(directions.into(), groups)
    }

    fn part_of_tangent(&self, of: Varied) -> Vec<Residue> {
        let tangent = &self.arguments.of_derivatives.tangent;
        tangent[part(self.arguments.system, of)].to_vec()
    }

    /// The change of a verified function along the tangent.
    fn along_tangent(&self, name: &'static str, timed: bool, point: &mut Point) -> Found {
        let mut symbols = self.arguments.system.model.symbols.iter();
        let timed = timed || symbols.all(|it| it.role != Role::Time);
        if let Some(known) = self.derivatives.changes.borrow().get(&(name, timed)) {
            return known.clone();
        }
        let mut tangent = self.arguments.of_derivatives.tangent.clone();
        if !timed {
            tangent[0] = Residue::ZERO;
        }
        let found = self.change(name, &self.arguments.along(&tangent), point);
        let mut known = self.derivatives.changes.borrow_mut();
        known.insert((name, timed), found.clone());
        found
    }

    /// The change of a verified function in a direction.
    fn change(&self, name: &str, changes: &Arguments<'_>, point: &mut Point) -> Found {
        let changing = Changing(&self.arguments, changes);
        checked::change((self, self.functions), name, &changing, point)
    }

    // ---- corrections ----------------------------------------------------------------------------

    /// The function that computes M a − h.
    fn balances(&self) -> &'static str {
        if self.arguments.b.is_empty() {
            "unconstrained_inverse_dynamics"
        } else {
            "inverse_dynamics"
        }
    }

    /// M x
    pub(super) fn resistance(&self, x: &[Residue], point: &mut Point) -> Found {
        let mut changes = self.arguments.still();
        changes.a = x.to_vec();
        self.change(self.balances(), &changes, point)
    }

    /// The matrix whose product with forces f on the rows G of one side is x, or `of_rows` y, of M x = Gᵀ f + Jᵀ y, J x = 0.
    pub(super) fn responded(&self, of_rows: bool, point: &mut Point) -> Result<Facts, Stop> {
        let k = self.pressed.len();
        let mut product = |name: &str| -> Found {
            let matrix: Vec<Residue> = self.values_of(name, &self.arguments, point)?;
            let rows = matrix.chunks(k.max(1));
            Ok(rows.map(|row| dot(row, &self.pressed)).collect_vec())
        };
        let moved = product("one_sided_responses")?;
        let held = match self.arguments.b.is_empty() {
            true => Vec::new(),
            false => product("one_sided_reactions")?,
        };
        let stays = held.is_empty() || {
            let mut changes = self.arguments.still();
            changes.given.v.clone_from(&moved);
            let reached = self.change("constraint_rate", &changes, point)?;
            reached.iter().all(|it| it.is_zero())
        };
        let pushed = dot(&self.resistance(&moved, point)?, &self.w);
        let sides: Vec<Residue> = self.sides(|free, _| free.along);
        let rows: Vec<Residue> = self.free.rows.iter().map(|row| row.along).collect_vec();
        let is_right = stays && pushed == dot(&sides, &self.pressed) + dot(&rows, &held);
        match is_right {
            true => {
                let found = if of_rows { held } else { moved };
                Ok(Facts::Along(self.pressed.clone(), found))
            }
            false => Ok(Facts::Solved(None)),
        }
    }

    /// M⁻¹ h, which does not exist if a coordinate has no mass: rows determine it.
    fn free_motion(&self, point: &mut Point) -> Result<Facts, Stop> {
        let own = self.resistance(&self.arguments.a, point)?;
        if own.iter().any(|it| it.is_zero()) {
            return Err(Stop::Uncovered(Gap::Unknown));
        }
        let found: Vec<Residue> = self.values_of("free_acceleration", &self.arguments, point)?;
        let balance: Vec<Residue> = self.values_of(self.balances(), &self.arguments, point)?;
        let pushed = self.resistance(&found, point)?;
        let missing = own.into_iter().zip(pushed).zip(balance);
        let right = missing.fold(true, |right, ((own, pushed), balance)| {
            right && (own - balance - pushed).is_zero()
        });
        Ok(Facts::Solved(right.then_some(found)))
    }

    /// G b
    fn corrected(&self, b: &[Residue], point: &mut Point) -> Found {
        let mut arguments = self.arguments.clone();
        arguments.b = b.to_vec();
        self.values_of("correction", &arguments, point)
    }

    /// The correction of b, if it is right.
    fn correction(&self, point: &mut Point) -> Result<Option<Vec<Residue>>, Stop> {
        let known = self.derivatives.correction.borrow().clone();
        let found = known.unwrap_or_else(|| {
            let found = self.verified_correction(point);
            *self.derivatives.correction.borrow_mut() = Some(found.clone());
            found
        })?;
        Ok((!found.is_empty()).then_some(found))
    }

    /// The correction of b; empty if it is wrong.
    fn verified_correction(&self, point: &mut Point) -> Found {
        let Arguments { a, b, .. } = &self.arguments;
        let found = self.corrected(b, point)?;
        let mut changes = self.arguments.still();
        changes.given.v.clone_from(&found);
        let reached = self.change("constraint_rate", &changes, point)?;
        let along: Vec<Residue> = self.moved.rows.iter().map(|row| row.along).collect_vec();
        let taken = self.corrected(&along, point)?;
        let pairs = a.iter().zip(&taken);
        let allowed: Vec<Residue> = pairs.map(|(&a, &taken)| a - taken).collect_vec();
        let pushed = self.resistance(&found, point)?;
        let right = reached == *b && dot(&pushed, &allowed).is_zero();
        Ok(if right { found } else { Vec::new() })
    }

    /// The gradient of w*·G r, with r from a function.
    fn of_correction(&self, right: &'static str, point: &mut Point) -> Result<Facts, Stop> {
        self.correction(point)?.ok_or(Stop::UNREAD)?;
        let of = &self.arguments.of_derivatives;
        let mut arguments = self.arguments.clone();
        arguments.b = self.values_of(right, &self.arguments, point)?;
        let mut changes = self.arguments.along(&of.tangent);
        changes.b = self.along_tangent(right, true, point)?;
        let changing = Changing(&arguments, &changes);
        let found: Vec<Dual<Residue>> = self.values_of("correction", &changing, point)?;
        let found: Vec<Residue> = found.iter().map(|it| it.change).collect_vec();
        Ok(self.gradient(dot(&of.correction, &found)))
    }

    /// v − G Ċ, and v̇ at that velocity.
    fn projected(&self, point: &mut Point) -> Result<Facts, Stop> {
        self.correction(point)?.ok_or(Stop::UNREAD)?;
        let rates = self.rows(|row| row.rate);
        let taken = self.corrected(&rates, point)?;
        let mut arguments = self.arguments.clone();
        let pairs = arguments.given.v.iter_mut().zip(taken);
        pairs.for_each(|(v, taken)| *v = *v - taken);
        let motion: Vec<Residue> = self.values_of("acceleration", &arguments, point)?;
        Ok(Facts::Values([arguments.given.v, motion].concat()))
    }

    // ---- descriptor pairs -----------------------------------------------------------------------

    /// The weighted sum of its entries, along ẋ, x and δu with random row weights.
    fn descriptor(&self, point: &mut Point) -> Result<Entries, Stop> {
        let (n, m) = (self.w.len(), self.arguments.b.len());
        let rows = point.draws(2 * n + m);
        let (rates, state) = (point.draws(2 * n + m), point.draws(2 * n + m));
        let inputs = self.part_of_tangent(Varied::Input);
        let mut changes = self.along_state(&state, &inputs);
        changes.a = rates[n..2 * n].to_vec();
        let (moved, weights) = (&rows[..n], &rows[n..2 * n]);
        let kinematic = dot(moved, &self.turning_rates(&rates[..n], &state));
        let balance = self.change(self.balances(), &changes, point)?;
        let pushed = self.pushed(weights, &changes, &state[2 * n..], point)?;
        let held = self.held(&changes, point)?;
        let value = kinematic + dot(weights, &balance) - pushed - dot(&rows[2 * n..], &held);
        let minus = |all: &[Residue]| all.iter().map(|&it| -it).collect_vec();
        Ok(Entries {
            rows,
            columns: [rates, minus(&state), minus(&inputs)],
            value,
        })
    }

    /// The direction (δq, δv, δλ) and δu.
    fn along_state(&self, state: &[Residue], inputs: &[Residue]) -> Arguments<'_> {
        let system = self.arguments.system;
        let n = self.w.len();
        let mut tangent = vec![Residue::ZERO; self.arguments.of_derivatives.tangent.len()];
        tangent[part(system, Varied::Coordinate)].copy_from_slice(&state[..n]);
        tangent[part(system, Varied::Velocity)].copy_from_slice(&state[n..2 * n]);
        tangent[part(system, Varied::Input)].copy_from_slice(inputs);
        self.arguments.along(&tangent)
    }

    /// δq̇ − δv − ω×δθ
    fn turning_rates(&self, rates: &[Residue], state: &[Residue]) -> Vec<Residue> {
        let n = rates.len();
        let pairs = rates.iter().zip(&state[n..2 * n]);
        let mut left: Vec<Residue> = pairs
            .map(|(&rate, &velocity)| rate - velocity)
            .collect_vec();
        let v = &self.arguments.given.v;
        for &first in &self.turning {
            for i in 0..3 {
                let (j, k) = (first + (i + 1) % 3, first + (i + 2) % 3);
                left[first + i] = left[first + i] - (v[j] * state[k] - v[k] * state[j]);
            }
        }
        left
    }

    /// δ(λ·J w) for any λ: J w is the change of Ċ if velocities change by w.
    fn pushed(
        &self,
        w: &[Residue],
        changes: &Arguments<'_>,
        multipliers: &[Residue],
        point: &mut Point,
    ) -> Result<Residue, Stop> {
        if multipliers.is_empty() {
            return Ok(Residue::ZERO);
        }
        let still = self.arguments.still();
        let mut along = still.clone();
        along.given.v = w.to_vec();
        let (own, changed) = (Changing(&self.arguments, &along), Changing(changes, &still));
        let rates: Vec<Dual<Dual<Residue>>> =
            self.values_of("constraint_rate", &Changing(&own, &changed), point)?;
        let pairs = self
            .arguments
            .of_derivatives
            .reaction
            .iter()
            .zip(multipliers);
        let terms = rates.iter().zip(pairs).map(|(rate, (&given, &change))| {
            given * rate.change.change + change * rate.value.change
        });
        Ok(terms.fold(Residue::ZERO, |sum, it| sum + it))
    }

    /// δC; for relations of velocities δΦ.
    fn held(&self, changes: &Arguments<'_>, point: &mut Point) -> Found {
        if self.arguments.b.is_empty() {
            return Ok(Vec::new());
        }
        let [values, rates] =
            ["constraint", "constraint_rate"].map(|name| self.change(name, changes, point));
        let (values, rates) = (values?, rates?);
        let rows = self.free.rows.iter().zip(values.iter().zip(&rates));
        let held =
            rows.map(|(row, (&value, &rate))| if row.is_of_velocities { rate } else { value });
        Ok(held.collect_vec())
    }
}
