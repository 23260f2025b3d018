//! The second pass: v̇ at velocities that the first pass has projected onto Ċ = 0, by the same elimination with another
//! right-hand side.
//!
//! ```text
//! forwards, Ċ(v):     L, A⁻¹, z        backwards:  μ, v′ = v − W Jᵀ μ
//! forwards, b(v′):    z = A⁻¹ b        backwards:  λ, v̇
//! ```
//! Arms, and all that depends on places alone, are kept from the first pass.

use super::super::leaves;
use super::super::routine::{Array, Kernel, Routine, Stage, Write};
use super::assembly::OF_ELEMENT;
use super::contribution::{Contribution, Contributions, ElementFrame, LiveSet, VelocityUpdate};
use super::derivation::{Bodies, FEWEST_ROUNDS, Motion, Wanted};
use super::inverse::Inverse;
use super::places::{Entry, Places, Plan, Target};
use super::structure::{Filled, Work};
use crate::expr::{ExprId, Map, Node};

impl Bodies<'_> {
    /// An element's contribution to the right-hand sides, and its motion, both at the projected velocities.
    pub(super) fn contribute_second_pass(
        &mut self,
        e: usize,
        local: &ElementFrame,
        made: &mut Contribution,
    ) {
        let rows = self.rows_of(e).into_iter().enumerate();
        let right: Vec<ExprId> = rows.map(|row| self.pushed(e, local, row)).collect();
        let free: Vec<(usize, ExprId)> = local.free.iter().map(|(&c, &it)| (c, it)).collect();
        let roots = right.iter().copied().chain(free.iter().map(|it| it.1));
        let roots: Vec<ExprId> = roots.collect();
        let arms = self.kept_arms(made, &roots);
        let there = self.graph().substitute(roots, arms);
        made.second.first = Some(made.roots.len());
        for (a, right) in right.into_iter().enumerate() {
            if !self.graph().is_zero(right) {
                let number = made.add(there[&right], Array::Prepared);
                made.second.right.insert(a, number);
            }
        }
        let free = free.into_iter();
        let mut local = local.clone();
        local.free = free.map(|(c, free)| (c, there[&free])).collect();
        let before = std::mem::take(&mut made.outputs);
        self.motion(e, &local, Motion::Acceleration, made);
        made.second.outputs = std::mem::replace(&mut made.outputs, before);
    }

    /// Leaves that are read where the arms of these expressions were kept.
    fn kept_arms(&mut self, made: &mut Contribution, roots: &[ExprId]) -> Map<ExprId, ExprId> {
        let leaves = self.graph().reachable(roots.iter().copied()).into_iter();
        let is_arm = |&id: &ExprId| match *self.derivation.graph.node(id) {
            Node::Symbol(symbol) => leaves::is_arm(self.system, symbol),
            _ => false,
        };
        let arms: Vec<ExprId> = leaves.filter(is_arm).collect();
        arms.into_iter()
            .map(|arm| (arm, self.keep(made, arm)))
            .collect()
    }

    /// Right-hand sides, their elimination, and motion, all at the velocities that stand in the first result.
    pub(super) fn second_pass(
        &mut self,
        routine: &mut Routine,
        contributions: &Contributions,
        places: &mut Places,
        wanted: Wanted,
    ) {
        let before = routine.kernels.len();
        let all = contributions.of_kind.iter().enumerate();
        let used = all.map(|(kind, it)| self.live_set(kind, it.roots[it.split()..].to_vec()));
        let used: Vec<LiveSet> = used.collect();
        routine.stage_from(FEWEST_ROUNDS, |stage| {
            let mut filled = Filled::default();
            for work in self.structure.forwards() {
                match work {
                    Work::Element(e) => self.prepare_second_pass(stage, contributions, &used, e),
                    Work::Joint(j) => self.push_on(stage, contributions, places, &mut filled, j),
                }
            }
        });
        let second = (
            wanted,
            Motion::Acceleration,
            (|it| &it.second.outputs) as VelocityUpdate,
        );
        self.backwards(routine, contributions, places, second);
        for kernel in &mut routine.kernels[before..] {
            for (_, array, _) in &mut kernel.reads {
                if *array == Array::Velocity {
                    *array = Array::Output;
                }
            }
            for write in &mut kernel.writes {
                if let Write::Set(array @ Array::Output, _) = write {
                    *array = Array::Multipliers;
                }
            }
        }
    }

    fn prepare_second_pass(
        &self,
        stage: &mut Stage<'_>,
        contributions: &Contributions,
        used: &[LiveSet],
        e: usize,
    ) {
        let (used, contribution) = (&used[self.kinds.of[e]], contributions.of(e));
        let mut indices = used.indices(&self.kinds.slots[e]);
        let (base, all) = (indices.len(), 0..contribution.roots.len());
        let numbers = contribution.split()..all.end;
        indices.extend(contributions.places(e, all));
        let words = vec![OF_ELEMENT, used.shape, numbers.start, numbers.end];
        stage.push(words, indices, || {
            let mut reads = used.reads.clone();
            reads.extend(contribution.kept_from(base));
            Kernel {
                reads,
                roots: used.roots.clone(),
                writes: contribution.writes(base + numbers.start, numbers),
            }
        });
    }

    /// One joint of an elimination that has been made.
    fn push_on(
        &mut self,
        stage: &mut Stage<'_>,
        contributions: &Contributions,
        places: &mut Places,
        filled: &mut Filled,
        j: usize,
    ) {
        let mut plan = Plan::default();
        let step = self.planned_second(&mut plan, contributions, places, filled, j);
        let Plan { words, indices } = plan;
        stage.push(words, indices, || self.second_step(&step));
    }

    fn planned_second(
        &self,
        plan: &mut Plan,
        contributions: &Contributions,
        places: &mut Places,
        filled: &mut Filled,
        j: usize,
    ) -> SecondStep {
        let rows = self.structure.joints[j].rows.clone();
        let later = self.structure.elimination.later[j].clone();
        plan.words.extend([rows.len(), later.len()]);
        let own = rows.clone().map(|r| plan.index(r)).collect();
        let right = rows.clone().enumerate().map(|(a, r)| {
            let given = self.given_second(plan, contributions, (j, a));
            let taken = filled.contains(&(Array::Right, r));
            plan.words.extend([given.len(), usize::from(taken)]);
            let taken = taken.then(|| (Array::Right, plan.index(r)));
            Entry { given, taken }
        });
        let right = right.collect();
        let inverse = (0..rows.len()).map(|a| {
            let row = (0..=a).map(|b| plan.index(self.structure.diagonal_place(j, (a, b))));
            row.collect()
        });
        let inverse = inverse.collect();
        let mut updated = Vec::new();
        for &i in &later {
            for (a, r) in self.structure.joints[i].rows.clone().enumerate() {
                let lower = (0..rows.len()).map(|b| {
                    let known = places.known_lower((i, j), (a, b));
                    plan.words.push(usize::from(known.is_some()));
                    known.map(|place| plan.index(place))
                });
                let lower = lower.collect();
                let before = !filled.insert((Array::Right, r));
                plan.words.push(usize::from(before));
                let (array, place) = (Array::Right, plan.index(r));
                let target = Target {
                    array,
                    place,
                    before,
                };
                updated.push((target, lower));
            }
        }
        SecondStep {
            rows: own,
            right,
            inverse,
            updated,
        }
    }

    fn second_step(&mut self, step: &SecondStep) -> Kernel {
        let mut kernel = Kernel::default();
        let mut right = Vec::new();
        for entry in &step.right {
            let given = self.given(&mut kernel, entry);
            right.push(self.left(&mut kernel, entry, given));
        }
        let mut inverse = Vec::new();
        for row in &step.inverse {
            let row = row.iter();
            let row = row.map(|&at| self.read(&mut kernel, "inverse", Array::Inverse, at));
            inverse.push(row.collect());
        }
        let solution = Inverse::known(inverse).times(self.graph(), &right);
        for (z, &own) in solution.into_iter().zip(&step.rows) {
            kernel.roots.push(z);
            kernel.writes.push(Write::Set(Array::Solution, own));
        }
        for (target, lower) in &step.updated {
            let mut pairs = Vec::new();
            for (place, &r) in lower.iter().zip(&right) {
                if let Some(place) = *place {
                    pairs.push((self.read(&mut kernel, "l", Array::Lower, place), r));
                }
            }
            let taken = self.dot(pairs);
            kernel.roots.push(taken);
            kernel.writes.push(target.write());
        }
        kernel
    }

    /// The places of what elements give to a row.
    fn given_second(
        &self,
        plan: &mut Plan,
        contributions: &Contributions,
        (j, a): (usize, usize),
    ) -> Vec<usize> {
        let mut given = Vec::new();
        for &e in &self.structure.joints[j].elements {
            let right = &contributions.of(e).second.right;
            if let Some(&number) = right.get(&(self.local_row(e, j) + a)) {
                given.push(plan.index(contributions.place(e, number)));
            }
        }
        given
    }
}

/// One step with a second right-hand side.
struct SecondStep {
    /// The positions of its rows.
    rows: Vec<usize>,
    right: Vec<Entry>,
    /// A⁻¹, its lower triangle.
    inverse: Vec<Vec<usize>>,
    /// The updates of later rows, with the entries of L in them.
    updated: Vec<(Target, Vec<Option<usize>>)>,
}
