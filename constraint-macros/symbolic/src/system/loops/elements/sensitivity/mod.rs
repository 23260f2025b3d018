//! Derivatives of v̇ and λ, element by element: the equations are differentiated, never their solution.
//!
//! ```text
//! of an element, in the frame that it is solved in, u its accelerations there:
//!   G = h + J′ᵀ x − M u,     B = β′ + J′ u of each of its rows
//! along   u, f = W δG         A δx = −Σ (δB + J′ f)             δu = f + W J′ᵀ δx,   δv̇ = R δu + δθ×v̇
//! back    y from              A y = Σ J′ W Rᵀ v̇* + λ*/c         g = W (Rᵀ v̇* − J′ᵀ y)
//!         the gradient of     g·G − y·B + v̇*·R u + λ*·x/c,      where g, y, u and x do not vary
//! ```
//! of a correction w in the place of u, whose unknowns are x: h = 0, and −C/c or −Ċ/c is in the place of β′.
//!
//! Where joints compute their parts (M diagonal): u = M⁻¹ h + W J′ᵀ x instead of G, f = δu, g = W (v̇* − J′ᵀ y), the sides of
//! δx and y row by row, and the gradient of x J′ g − y (J′ u + β′) too. Where rows are solved for together, `pulls` has what
//! joints add.

mod along;
mod back;
mod columns;
mod common;
mod directions;
mod joints;
mod pulls;
mod residual;
mod rows;
mod sides;

use super::super::routine::{Array, Routine};
use super::contribution::Contributions;
use super::derivation::{Elements, Pool, Solved};
use super::places::Places;
use super::second_pass::{Second, SecondSide};
use super::structure::Site;
use super::substitution::{Backwards, Reported};
use crate::expr::ExprId;
use crate::solve::SparseRow;

/// A second solution beside the first, which is needed still.
fn beside(side: SecondSide) -> Second {
    Second {
        side,
        unknowns: Array::SolutionBeside,
        taken: Array::RightBeside,
    }
}

impl Solved {
    /// The weights of what is solved for.
    fn counted(self) -> Pool {
        match self {
            Solved::Motion => Pool::Counted,
            Solved::PlaceCorrection | Solved::VelocityCorrection => Pool::CountedCorrection,
        }
    }
}

/// The equations of an element.
struct Residual {
    /// G, by velocity.
    motion: SparseRow,
    /// B, row by row.
    rows: Vec<ExprId>,
}

/// How leaves move along a tangent.
pub(super) struct Moving {
    /// The entries of the tangent, as leaves.
    changes: Vec<ExprId>,
    /// Leaves, and their rates.
    rates: Vec<(ExprId, ExprId)>,
}

impl Elements<'_> {
    /// The second unknowns of a routine that has solved for the first, and its results.
    pub(super) fn varied(
        &mut self,
        routine: &mut Routine,
        contributions: &Contributions,
        places: &mut Places,
        side: SecondSide,
    ) {
        let multipliers = (side == SecondSide::Variation).then_some(Array::Multipliers);
        self.solve_beside(routine, contributions, places, (side, multipliers));
        if let SecondSide::Adjoint(of) = side {
            self.last(routine, contributions);
            self.gradients_of_joints(routine, of);
        }
    }

    pub(super) fn solve_beside(
        &mut self,
        routine: &mut Routine,
        contributions: &Contributions,
        places: &mut Places,
        (side, multipliers): (SecondSide, Option<Array>),
    ) {
        let second = beside(side);
        self.forwards_again(routine, contributions, places, (second, &[]));
        let pass = Backwards {
            unknowns: second.unknowns,
            multipliers: multipliers.map(|to| match side {
                SecondSide::Variation => Reported::Varied(to),
                _ => Reported::Column(to),
            }),
            moved: |it| &it.second.outputs,
        };
        self.backwards(routine, contributions, places, pass);
        self.pulls(routine, |elements, at| {
            elements.second_pulls(at, side, pass.multipliers)
        });
    }

    /// What elements add when all else is known.
    fn last(&mut self, routine: &mut Routine, contributions: &Contributions) {
        let used = self.movement(contributions, |it| &it.last);
        routine.stage_in(self.order(), |stage| {
            for e in 0..self.structure.elements.len() {
                let last = &contributions.of(e).last;
                if !last.is_empty() {
                    let used = (&used[self.kinds.of[e]], &last[..]);
                    self.finish(stage, contributions, used, Site::Element(e));
                }
            }
        });
    }

    /// Both sweeps for each column, then what is added to the matrices.
    pub(super) fn columns(
        &mut self,
        routine: &mut Routine,
        contributions: &Contributions,
        places: &mut Places,
        multipliers: bool,
    ) {
        if self.at_joints() {
            self.sides_by_column(routine, contributions);
        }
        if self.panels.is_some() {
            self.sides_of_pairs(routine);
        }
        let begin = routine.loops.len();
        let multipliers = multipliers.then_some(Array::Multipliers);
        self.solve_beside(
            routine,
            contributions,
            places,
            (SecondSide::Column, multipliers),
        );
        let loops = routine.loops[begin..].iter_mut();
        loops.for_each(|it| it.per_column = true);
        let varied = self.system.given() + self.system.model.varied();
        routine.columns = 2 * self.system.coordinates.len() + varied;
        self.last(routine, contributions);
        let has_multipliers = multipliers.is_some();
        self.pulls(routine, |elements, at| {
            elements.last_pulls(at, has_multipliers)
        });
    }
}
