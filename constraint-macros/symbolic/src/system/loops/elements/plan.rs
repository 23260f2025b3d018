//! The order in which joints are eliminated.

use super::super::elimination::Elimination;
use super::super::routine::Signature;
use super::blocks::Step;
use super::contribution::Contributions;
use super::derivation::{Elements, Side};
use super::places::{Places, Plan};
use crate::expr::Map;
use crate::families::{Item, indices_of, rerolling};
use crate::solve::{self, Panels};

/// A step is written down that updates so many later rows at most,
const MOST_LATER: usize = 8;
/// and the steps of all loops in about so many operations: what fits the instruction cache of 32 KB twice.
const MOST_WRITTEN: usize = 2400;
/// About the operations of a step beside its products,
const ROW: usize = 16;
/// and those of a product with the coupling it belongs to.
const PRODUCT: usize = 4;

impl Elements<'_> {
    /// Decides how rows of a diagonal M are eliminated: one by one, where few kinds of steps repeat, with the order of the
    /// fewest operations or from both ends; else in panels.
    pub(super) fn plan(&mut self) {
        if !self.at_joints() {
            return;
        }
        let neighbours = solve::neighbours(self.rows.of.len(), self.coupled_rows());
        let orders = [solve::least_degree_order, solve::order_from_both_ends];
        for order in orders {
            let steps = Elimination::of(&neighbours, order(&neighbours), MOST_LATER);
            let Some(steps) = steps else { continue };
            self.structure.elimination = steps;
            if self.written_steps() <= MOST_WRITTEN {
                return;
            }
        }
        self.panels = Some(Panels::of(&neighbours));
        self.structure.part();
        let count = self.structure.elements.len();
        self.kinds = Elements::kinds_of(count, |e| self.sign_element(e));
    }

    /// About how many operations the steps are written down in.
    fn written_steps(&self) -> usize {
        let (mut places, none) = (Places::default(), Contributions::default());
        let mut kinds: Map<Vec<usize>, usize> = Map::default();
        let mut operations = Vec::new();
        let mut items = Vec::new();
        for &j in &self.structure.elimination.order {
            let Signature { words, slots } = self.sign_step(j, Side::Given);
            let mut plan = Plan {
                indices: indices_of(&slots),
                words,
            };
            let step = self.planned(&mut plan, &none, &mut places, j, Side::Given);
            let next = kinds.len();
            let kernel = *kinds.entry(plan.words).or_insert(next);
            if kernel == next {
                let later = self.structure.elimination.later[j].len();
                operations.push(ROW + PRODUCT * (later + 1) * (later + 2) / 2);
            }
            fill(&mut places, &step, &plan.indices);
            items.push(Item {
                kernel,
                indices: plan.indices,
            });
        }
        let loops = rerolling::roll(&items, rerolling::MIN_ROUNDS);
        let rounds = loops.iter().flat_map(|it| &it.body);
        rounds.map(|(kernel, _)| operations[*kernel]).sum()
    }
}

/// Notes what a step writes.
fn fill(places: &mut Places, step: &Step, indices: &[usize]) {
    for (array, place) in step.writes() {
        places.filled.insert((array, indices[place]));
    }
}
