//! Systems with rows in loops: elements, which move on their own, and the joints between them.
//!
//! An element is a particle, a body or a coordinate, or several coordinates that M couples; a joint consists of the rows of one constraint, or of one row where M is
//! diagonal. Joints are eliminated one after the other; elements move when the unknowns of all their joints are known.
//!
//! ```text
//! forwards, along the order of elimination:
//!   joint j    A = Σ K − earlier updates      → A⁻¹ by one reciprocal, L, z = A⁻¹ r
//! backwards; elements after the last of their joints:
//!   joint j    x = z − Σ Lᵀ x
//!   element e  v̇ = M⁻¹h + W Jᵀ x
//! ```
//! The parts K = Jᵢ W Jⱼᵀ of the matrix, and those of right-hand sides, are computed in one of two places.
//! - By elements, where M is not diagonal or depends on coordinates: an element computes the parts for all of its joints at once, before the
//!   first of them (`assembly`). In a chain, a round of the forward loop is a body and its joint: K stays in registers, and
//!   while one joint waits for its reciprocal the next body is computed.
//! - By joints, where M is diagonal and constant (`diagonal`, `joints`): what the two ends of a rod have in common is computed once, and a
//!   weight that pulls at both cancels. What several stages ask for of a row is shared (`shared`). Where no two steps are
//!   alike, the matrix is assembled in blocks and eliminated by tables instead (`panels`).
//!
//! A [site](sites) is either of both: kernels are made for the first site of a kind, and read for the others what the same
//! leaves are there. All solutions with the same matrix take the same steps: projected velocities (`second_pass`), variations,
//! adjoints and columns (`sensitivity`).

mod alone;
mod assembly;
mod blocks;
mod contribution;
mod derivation;
mod diagonal;
mod joints;
mod own_mass;
mod panels;
mod places;
mod plan;
mod quantities;
mod responses;
mod second_pass;
mod sensitivity;
mod shared;
mod sites;
mod structure;
mod substitution;

pub(in crate::system) use derivation::Elements;
pub(in crate::system) use structure::can_be;

use super::Rolled;
use super::leaves::scratch;
use super::routine::{Array, Routine};
use crate::diagnostic::Diagnostics;
use crate::expr::{CollectVec, Number, PushEach, SortedMap};
use crate::families::scalar_replacement;
use crate::solve::Quantity;
use contribution::Contributions;
use derivation::{Motion, Side, Solved, Wanted};
use places::Places;
use second_pass::SecondSide;
use substitution::{Backwards, Reported};

impl Elements<'_> {
    /// Elements prepare, joints are eliminated and substituted, elements move.
    fn solved(&mut self, wanted: Wanted) -> Routine {
        self.share_for(wanted.motion);
        let contributions = self.contributions(wanted);
        let (mut routine, mut places, done) = self.begun(&contributions, wanted);
        let reported = wanted.multipliers.map(|to| match wanted.side {
            Side::Force => Reported::Forces(to),
            _ => Reported::InUnits(to),
        });
        let first = Backwards::first(reported);
        self.backwards(&mut routine, &contributions, &mut places, first);
        self.pulls(&mut routine, |elements, at| {
            elements.first_pulls(at, wanted.motion, reported)
        });
        match wanted.motion {
            Motion::Projected => self.second_pass(&mut routine, &contributions, &mut places),
            Motion::Variation => {
                let side = SecondSide::Variation;
                self.varied(&mut routine, &contributions, &mut places, side);
            }
            Motion::Gradient(of) => {
                let side = SecondSide::Adjoint(of);
                self.varied(&mut routine, &contributions, &mut places, side);
            }
            Motion::Columns { multipliers } => {
                self.columns(&mut routine, &contributions, &mut places, multipliers);
            }
            _ => {}
        }
        let is_varied = self.at_joints() && wanted.motion.is_varied();
        let (graph, model) = (&mut self.derivation.graph, &mut self.system.model);
        scalar_replacement::replace(&mut routine, done, graph, &mut scratch(&mut model.symbols));
        if is_varied {
            scalar_replacement::hoist(&mut routine, graph, &mut scratch(&mut model.symbols));
        }
        if let Motion::Gradient(_) = wanted.motion {
            routine.set_first_terms();
        }
        routine.compact();
        routine
    }

    /// The elimination, and how many of its loops need no scalar replacement any more.
    fn begun(&mut self, contributions: &Contributions, wanted: Wanted) -> (Routine, Places, usize) {
        let mut routine = Routine::default();
        if !self.at_joints() {
            let places = self.forwards(&mut routine, contributions, wanted);
            return (routine, places, 0);
        }
        // What elements do afterwards makes no difference there.
        let is_shared = !wanted.motion.is_varied();
        let known = self.begun.get(&wanted.side).filter(|_| is_shared);
        if let Some((routine, places)) = known {
            return (routine.clone(), places.clone(), routine.loops.len());
        }
        let places = match self.panels {
            Some(_) => self.by_panels(&mut routine, wanted.side),
            None => self.forwards(&mut routine, contributions, wanted),
        };
        let (graph, model) = (&mut self.derivation.graph, &mut self.system.model);
        scalar_replacement::replace(&mut routine, 0, graph, &mut scratch(&mut model.symbols));
        if is_shared {
            let begun = (routine.clone(), places.clone());
            self.begun.insert(wanted.side, begun);
        }
        let done = routine.loops.len();
        (routine, places, done)
    }

    /// All routines; mistakes in rows are reported. `None` where what differs from row to row is not seen in them.
    pub fn all(mut self, diagnostics: &mut Diagnostics) -> Option<Rolled> {
        for r in self.rows.first.clone() {
            self.checked_row(r, diagnostics);
        }
        self.plan();
        let mut routines: SortedMap<Quantity, Routine> = SortedMap::new();
        for (quantity, wanted) in self.asked() {
            let routine = self.solved(wanted);
            routines.insert(quantity, routine);
        }
        self.rolled(routines)
    }

    /// The quantities that need a solution, and how.
    fn asked(&mut self) -> Vec<(Quantity, Wanted)> {
        let wanted = |side, motion, multipliers| Wanted {
            side,
            motion,
            multipliers,
        };
        let (forward, given, rate) = (Side::Acceleration, Side::Given, Side::Rate);
        // Where w = 1, the units are the same.
        let common = self.common();
        let one = self.graph().number(Number::ONE);
        let force = if common == one { forward } else { Side::Force };
        let moved = Motion::Acceleration;
        let (multipliers, output) = (Some(Array::Multipliers), Some(Array::Output));
        let mut asked = vec![
            (Quantity::Acceleration, wanted(forward, moved, None)),
            (
                Quantity::AccelerationAndMultipliers,
                wanted(forward, moved, multipliers),
            ),
            (Quantity::Force, wanted(force, Motion::Force, None)),
            (Quantity::Multipliers, wanted(force, Motion::None, output)),
            (
                Quantity::Correction,
                wanted(given, Motion::Correction, None),
            ),
            (
                Quantity::ProjectedMotion,
                wanted(rate, Motion::Projected, None),
            ),
        ];
        // Bodies whose steps stay in their own frames.
        if self.system.inertias.iter().any(|it| it.frame.is_some()) {
            asked.push((Quantity::OwnSlope, wanted(forward, Motion::OwnSlope, None)));
        }
        if crate::system::sensitivity::are_asked(self.system) {
            let varied = |(quantity, side, motion)| (quantity, wanted(side, motion, None));
            asked.push_each(self.derivatives().into_iter().map(varied));
        }
        asked
    }

    /// The derivatives, with the sides of their first solutions.
    fn derivatives(&self) -> Vec<(Quantity, Side, Motion)> {
        let (along, of) = (Side::Variation, Motion::Gradient);
        let mut all = vec![
            (Quantity::Tangent, along, Motion::Variation),
            (Quantity::Gradient, along, of(Solved::Motion)),
            (
                Quantity::PlaceCorrectionGradient,
                Side::Value,
                of(Solved::PlaceCorrection),
            ),
            (
                Quantity::VelocityCorrectionGradient,
                Side::Rate,
                of(Solved::VelocityCorrection),
            ),
        ];
        // Of more rows some follow from others, and no pivot of them is positive.
        if self.rows.of.len() <= self.system.coordinates.len() {
            let columns = |multipliers| Motion::Columns { multipliers };
            all.push_each([
                (Quantity::Linearization, along, columns(false)),
                (Quantity::LinearizationAndMultipliers, along, columns(true)),
            ]);
        }
        all
    }

    /// With the quantities that need no solution.
    fn rolled(mut self, mut routines: SortedMap<Quantity, Routine>) -> Option<Rolled> {
        self.state(&mut routines);
        let mut rows = self.first_rows();
        self.write_out_arms(&mut routines, &mut rows);
        let columns = (0..self.rows.of.len()).map(|r| self.columns_like(r, &rows));
        let columns: Vec<Vec<usize>> = columns.collect_vec();
        let has_all = |(&family, columns): (&usize, &Vec<usize>)| {
            columns.len() == rows[family].1.jacobian.len()
        };
        let has_columns = self.rows.of.iter().zip(&columns).all(has_all);
        let complete = has_columns && self.reads_everything(&routines);
        complete.then(|| Rolled {
            columns,
            lower: self.lower,
            routines,
            rows,
            families: self.rows.clone(),
            panels: self.panels.take(),
        })
    }
}
