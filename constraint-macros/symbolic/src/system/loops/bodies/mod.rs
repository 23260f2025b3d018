//! Systems with bodies in loops.
//!
//! The contribution of a body to J M⁻¹ Jᵀ depends on that body and its joints alone. So the matrix is assembled element by
//! element, and eliminated joint by joint: the rows of a joint form a block.
//!
//! ```text
//! forwards, along the order of elimination; bodies before the first of their joints:
//!   body e     R, M⁻¹h and arms once          → Kᵢⱼ = Jᵢ W Jⱼᵀ for its joints i, j, its part of their
//!                                               right-hand sides, and the values for its motion
//!   joint j    A = Σ K − earlier updates      → A⁻¹ by one reciprocal, L, z = A⁻¹ r
//! backwards; bodies after the last of their joints:
//!   joint j    x = z − Σ Lᵀ x
//!   body e     v̇ = M⁻¹h + W Jᵀ x
//! ```
//! In a chain, a round of the forward loop is a body and its joint: K stays in registers, and while one joint waits for its
//! reciprocal the next body is computed.

mod assembly;
mod blocks;
mod contribution;
mod derivation;
mod elements;
mod inverse;
mod places;
mod quantities;
mod responses;
mod second_pass;
mod sensitivity;
mod structure;

pub(in crate::system) use derivation::Bodies;

use std::collections::BTreeMap;

use super::leaves::scratch;
use super::rolling::Rolled;
use super::routine::{Array, Routine};
use crate::diagnostic::Diagnostics;
use crate::families::scalar_replacement;
use crate::solve::Quantity;
use blocks::Backwards;
use derivation::{Motion, Side, Solved, Wanted};
use sensitivity::{ALONG, BACK, BACK_FROM_CORRECTION};

impl Bodies<'_> {
    /// Elements prepare, joints are eliminated and substituted, elements move.
    fn solved(&mut self, wanted: Wanted) -> Routine {
        let contributions = self.contributions(wanted);
        let mut routine = Routine::default();
        let mut places = self.forwards(&mut routine, &contributions, wanted);
        let first = Backwards::first(wanted.multipliers);
        self.backwards(&mut routine, &contributions, &mut places, first);
        match wanted.motion {
            Motion::Projected => self.second_pass(&mut routine, &contributions, &mut places),
            Motion::Variation => self.varied(&mut routine, &contributions, &mut places, ALONG),
            Motion::Gradient(Solved::Motion) => {
                self.varied(&mut routine, &contributions, &mut places, BACK);
            }
            Motion::Gradient(_) => {
                self.varied(
                    &mut routine,
                    &contributions,
                    &mut places,
                    BACK_FROM_CORRECTION,
                );
            }
            Motion::Columns { multipliers } => {
                self.columns(&mut routine, &contributions, &mut places, multipliers);
            }
            _ => {}
        }
        let (graph, model) = (&mut self.derivation.graph, &mut self.system.model);
        scalar_replacement::replace(&mut routine, 0, graph, &mut scratch(&mut model.symbols));
        routine.compact();
        routine
    }

    /// All routines; mistakes in rows are reported. `None` where what differs from row to row is not seen in them.
    pub fn all(mut self, diagnostics: &mut Diagnostics) -> Option<Rolled> {
        for r in self.rows.first.clone() {
            let row = self.derivation.system_row(self.system, r, diagnostics);
            self.derived.insert(r, row);
        }
        let wanted = |side, motion, multipliers| Wanted {
            side,
            motion,
            multipliers,
        };
        let (forward, given) = (Side::Acceleration, Side::Given);
        let mut asked = vec![
            (
                Quantity::Acceleration,
                wanted(forward, Motion::Acceleration, None),
            ),
            (
                Quantity::AccelerationAndMultipliers,
                wanted(forward, Motion::Acceleration, Some(Array::Multipliers)),
            ),
            (Quantity::Force, wanted(forward, Motion::Force, None)),
            (
                Quantity::Multipliers,
                wanted(forward, Motion::None, Some(Array::Output)),
            ),
            (
                Quantity::Correction,
                wanted(given, Motion::Correction, None),
            ),
            (
                Quantity::ProjectedMotion,
                wanted(Side::Rate, Motion::Projected, None),
            ),
        ];
        // Bodies whose steps stay in their own frames.
        if self.system.inertias.iter().any(|it| it.frame.is_some()) {
            asked.push((Quantity::OwnSlope, wanted(forward, Motion::OwnSlope, None)));
        }
        if crate::system::sensitivity::are_asked(self.system) {
            let varied = |side, motion| wanted(side, motion, None);
            asked.extend([
                (
                    Quantity::Tangent,
                    varied(Side::Variation, Motion::Variation),
                ),
                (
                    Quantity::Gradient,
                    varied(Side::Variation, Motion::Gradient(Solved::Motion)),
                ),
                (
                    Quantity::PlaceCorrectionGradient,
                    varied(Side::Value, Motion::Gradient(Solved::PlaceCorrection)),
                ),
                (
                    Quantity::VelocityCorrectionGradient,
                    varied(Side::Rate, Motion::Gradient(Solved::VelocityCorrection)),
                ),
            ]);
            if self.rows.of.len() <= self.system.coordinates.len() {
                let columns = |multipliers| Motion::Columns { multipliers };
                asked.extend([
                    (
                        Quantity::Linearization,
                        varied(Side::Variation, columns(false)),
                    ),
                    (
                        Quantity::LinearizationAndMultipliers,
                        varied(Side::Variation, columns(true)),
                    ),
                ]);
            }
        }
        let mut routines: BTreeMap<Quantity, Routine> = BTreeMap::new();
        for (quantity, wanted) in asked {
            let routine = self.solved(wanted);
            routines.insert(quantity, routine);
        }
        self.state(&mut routines);
        let mut rows = self.first_rows();
        self.write_out_arms(&mut routines, &mut rows);
        let columns = (0..self.rows.of.len()).map(|r| self.columns_like(r, &rows));
        let columns = columns.collect();
        let complete = self.reads_everything(&routines);
        complete.then(|| Rolled {
            columns,
            lower: self.lower,
            routines,
            rows,
            families: self.rows.clone(),
            panels: None,
        })
    }
}
