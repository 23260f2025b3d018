//! The second pass: v̇ at velocities that the first pass has projected onto Ċ = 0, by the same elimination with another
//! right-hand side.
//!
//! ```text
//! forwards, Ċ(v):     L, A⁻¹, z        backwards:  μ, v′ = v − W Jᵀ μ
//! forwards, b(v′):    z = A⁻¹ b        backwards:  λ, v̇
//! ```
//! Arms, and all that depends on places alone, are kept from the first pass.

use std::ops::Range;

use super::super::leaves;
use super::super::routine::{Array, Kernel, Routine, Signature, Solve, Stage, Write};
use super::assembly::OF_ELEMENT;
use super::contribution::{Contribution, Contributions, ElementFrame, LiveSet};
use super::derivation::{Elements, Motion, Side, Solved};
use super::panels::Pull;
use super::places::{Entry, Places, Plan, Target};
use super::structure::{Filled, Site};
use super::substitution::Backwards;
use crate::expr::{CollectVec, ExprId, Map, Node, Number, PushEach};
use crate::families::indices_of;
use crate::solve::Inverse;

impl Elements<'_> {
    /// An element's contribution to the right-hand sides, and its motion, both at the projected velocities.
    pub(super) fn contribute_second_pass(
        &mut self,
        e: usize,
        local: &ElementFrame,
        made: &mut Contribution,
    ) {
        if self.at_joints() {
            let before = std::mem::take(&mut made.outputs);
            self.motion(e, local, Motion::Acceleration, made);
            made.second.outputs = std::mem::replace(&mut made.outputs, before);
            return;
        }
        let rows = self.rows_of(e).into_iter().enumerate();
        let right: Vec<ExprId> = rows.map(|row| self.pushed(e, local, row)).collect_vec();
        let free: Vec<(usize, ExprId)> = local
            .mass
            .free
            .iter()
            .map(|(&c, &it)| (c, it))
            .collect_vec();
        let roots = right.iter().copied().chain(free.iter().map(|it| it.1));
        let roots: Vec<ExprId> = roots.collect_vec();
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
        local.mass.free = free.map(|(c, free)| (c, there[&free])).collect();
        let before = std::mem::take(&mut made.outputs);
        self.motion(e, &local, Motion::Acceleration, made);
        made.second.outputs = std::mem::replace(&mut made.outputs, before);
    }

    /// Leaves that are read where the arms of these expressions were kept.
    pub(super) fn kept_arms(
        &mut self,
        made: &mut Contribution,
        roots: &[ExprId],
    ) -> Map<ExprId, ExprId> {
        let leaves = self.graph().reachable(roots.iter().copied()).into_iter();
        let is_arm = |&id: &ExprId| match *self.derivation.graph.node(id) {
            Node::Symbol(symbol) => leaves::is_arm(self.system, symbol),
            _ => false,
        };
        let arms: Vec<ExprId> = leaves.filter(is_arm).collect_vec();
        arms.into_iter()
            .map(|arm| (arm, self.keep(made, arm)))
            .collect()
    }

    /// Right-hand sides, their elimination, and motion, all at the velocities that the first result holds.
    pub(super) fn second_pass(
        &mut self,
        routine: &mut Routine,
        contributions: &Contributions,
        places: &mut Places,
    ) {
        let before = routine.kernels.len();
        let at_joints = self.at_joints();
        let all = contributions.of_kind.iter().enumerate();
        let used = all.filter(|_| !at_joints).map(|(kind, it)| {
            let first = Site::Element(self.kinds.first[kind]);
            self.live_set(first, it.roots[it.split()..].to_vec())
        });
        let used: Vec<LiveSet> = used.collect_vec();
        self.forwards_again(routine, contributions, places, (SAME, &used));
        let second = Backwards {
            moved: |it| &it.second.outputs,
            ..Backwards::first(None)
        };
        self.backwards(routine, contributions, places, second);
        self.pulls(routine, |elements, at| {
            elements.pulled(at, Pull::on(Array::Output))
        });
        for kernel in &mut routine.kernels[before..] {
            for (_, array, _) in &mut kernel.reads {
                if *array == Array::Velocity {
                    *array = Array::Output;
                }
            }
            for write in &mut kernel.writes {
                if let Write::Set(array @ Array::Output, _) | Write::Add(array @ Array::Output, _) =
                    write
                {
                    *array = Array::Multipliers;
                }
            }
        }
    }

    /// Right-hand sides and their elimination; elements prepare what these sets compute.
    pub(super) fn forwards_again(
        &mut self,
        routine: &mut Routine,
        contributions: &Contributions,
        places: &mut Places,
        (second, used): (Second, &[LiveSet]),
    ) {
        let sides = self.sides_of_joints(second.side);
        routine.stage_in(self.order(), |stage| {
            let mut filled = Filled::default();
            for work in self.structure.forwards() {
                match work {
                    Site::Element(_) if used.is_empty() => {}
                    Site::Element(e) => self.prepare_second_pass(stage, contributions, used, e),
                    Site::Joint(j) => {
                        let second = (second, sides.as_deref());
                        self.push_on(stage, contributions, (places, &mut filled), second, j);
                    }
                }
            }
        });
        if self.panels.is_some() {
            routine.step(match second.unknowns {
                Array::Solution => Solve::Same,
                _ => Solve::Beside,
            } as usize);
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
        let mut indices = self.indices(used, contributions, Site::Element(e));
        let (base, numbers) = (
            indices.len(),
            contribution.split()..contribution.roots.len(),
        );
        indices.push_each(contributions.places(e, numbers.clone()));
        let words = vec![OF_ELEMENT, used.shape, numbers.start, numbers.end];
        stage.push(words, indices, || Kernel {
            reads: used.reads.clone(),
            roots: used.roots.clone(),
            writes: contribution.writes(base, numbers),
        });
    }

    /// One joint of an elimination that has been made.
    fn push_on(
        &mut self,
        stage: &mut Stage<'_>,
        contributions: &Contributions,
        (places, filled): (&mut Places, &mut Filled),
        (second, sides): (Second, Option<&[LiveSet]>),
        j: usize,
    ) {
        let mut signature = Signature::default();
        let is_counted = sides.is_none() && second.side == SecondSide::Adjoint(Solved::Motion);
        if is_counted {
            for r in self.structure.joints[j].rows.clone() {
                signature.member(&self.rows, r);
            }
        }
        let mut plan = Plan {
            indices: indices_of(&signature.slots),
            words: signature.words,
        };
        let filled = (filled, second.taken);
        let step = self.planned_second(&mut plan, contributions, places, filled, j);
        let side = sides.map(|sides| &sides[self.kinds_of_joints.of[j]]);
        let base = plan.indices.len();
        if let Some(side) = side {
            plan.words.push(side.shape);
            let at = Site::Joint(j);
            plan.indices
                .push_each(self.indices(side, contributions, at));
        }
        let Plan { words, indices } = plan;
        stage.push(words, indices, || {
            let mut kernel = self.second_step(&step, j, (second, side));
            kernel.reads.push_each(self.reads_of(&signature.slots));
            if let Some(side) = side {
                kernel.reads.push_each(side.reads_from(base));
            }
            kernel
        });
    }

    fn planned_second(
        &self,
        plan: &mut Plan,
        contributions: &Contributions,
        places: &mut Places,
        (filled, array): (&mut Filled, Array),
        j: usize,
    ) -> SecondStep {
        let rows = self.structure.joints[j].rows.clone();
        let later = self.structure.elimination.later[j].clone();
        plan.words.push_each([rows.len(), later.len()]);
        let own: Vec<usize> = rows.clone().map(|r| plan.index(r)).collect_vec();
        let unknowns = self.index_unknowns(plan, rows.clone(), &own);
        let right = rows.clone().enumerate().map(|(a, r)| {
            let given = self.given_second(plan, contributions, (j, a));
            let taken = filled.contains(&(array, r));
            plan.words.push_each([given.len(), usize::from(taken)]);
            let taken = taken.then(|| (array, plan.index(r)));
            Entry {
                given,
                part: None,
                taken,
            }
        });
        let right = right.collect_vec();
        let kept = if self.panels.is_some() { 0 } else { rows.len() };
        let inverse = (0..kept).map(|a| {
            let row = (0..=a).map(|b| plan.index(self.structure.diagonal_place(j, (a, b))));
            row.collect_vec()
        });
        let inverse = inverse.collect_vec();
        let mut updated = Vec::new();
        for &i in &later {
            for (a, r) in self.structure.joints[i].rows.clone().enumerate() {
                let lower = (0..rows.len()).map(|b| {
                    let known = places.known_lower((i, j), (a, b));
                    plan.words.push(usize::from(known.is_some()));
                    known.map(|place| plan.index(place))
                });
                let lower = lower.collect_vec();
                let before = !filled.insert((array, r));
                plan.words.push(usize::from(before));
                let place = plan.index(r);
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
            unknowns,
            right,
            inverse,
            updated,
        }
    }

    /// The positions of the unknowns of rows whose own are known: the same, unless they are stored in panels.
    fn index_unknowns(&self, plan: &mut Plan, rows: Range<usize>, own: &[usize]) -> Vec<usize> {
        match self.panels {
            Some(_) => rows.map(|r| plan.index(self.unknown(r))).collect_vec(),
            None => own.to_vec(),
        }
    }

    fn second_step(
        &mut self,
        step: &SecondStep,
        j: usize,
        (second, side): (Second, Option<&LiveSet>),
    ) -> Kernel {
        let mut kernel = Kernel::default();
        let mut right = Vec::new();
        for (a, entry) in step.right.iter().enumerate() {
            let mut given = match side {
                Some(side) => side.roots[a],
                None => self.given(&mut kernel, entry, Side::Acceleration),
            };
            if side.is_none() && second.side == SecondSide::Adjoint(Solved::Motion) {
                let counted = Array::MultiplierAdjoint;
                let counted = self.read(&mut kernel, "lambda_bar", counted, step.rows[a]);
                let row = self.structure.joints[j].rows.start + a;
                let row = self.row(row).scaled.clone();
                let graph = self.graph();
                let one = graph.number(Number::ONE);
                let counted = row.unscaled(graph, counted, one);
                given = graph.add(given, counted);
            }
            if second.side == SecondSide::Column {
                given = self.read(&mut kernel, "right", Array::Output, step.rows[a]);
            }
            right.push(self.left(&mut kernel, entry, given));
        }
        let mut inverse = Vec::new();
        for row in &step.inverse {
            let row = row.iter();
            let row = row.map(|&at| self.read(&mut kernel, "inverse", Array::Inverse, at));
            inverse.push(row.collect_vec());
        }
        let solution = match self.panels {
            Some(_) => right.clone(),
            None => Inverse::known(inverse).times(self.graph(), &right),
        };
        for (z, &own) in solution.into_iter().zip(&step.unknowns) {
            kernel.roots.push(z);
            kernel.writes.push(Write::Set(second.unknowns, own));
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
        if self.at_joints() {
            return given;
        }
        for &e in &self.structure.joints[j].elements {
            let right = &contributions.of(e).second.right;
            if let Some(&number) = right.get(&(self.local_row(e, j) + a)) {
                given.push(plan.index(contributions.place(e, number)));
            }
        }
        given
    }
}

/// The right-hand side of a second solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SecondSide {
    /// −β − J M⁻¹ h
    Acceleration,
    /// −δβ′ − δJ′ u − J′ f
    Variation,
    /// J′ W x + λ*/(w c), the latter of the equations of motion alone.
    Adjoint(Solved),
    /// What the column of ∂v̇ holds.
    Column,
}

/// A second solution.
#[derive(Clone, Copy)]
pub(super) struct Second {
    pub side: SecondSide,
    /// The array of its unknowns.
    pub unknowns: Array,
    /// What earlier joints have taken off.
    pub taken: Array,
}

/// In the arrays of the first, which are not needed any more.
const SAME: Second = Second {
    side: SecondSide::Acceleration,
    unknowns: Array::Solution,
    taken: Array::Right,
};

/// One step with a second right-hand side.
struct SecondStep {
    /// The positions of its rows, and of their unknowns.
    rows: Vec<usize>,
    unknowns: Vec<usize>,
    right: Vec<Entry>,
    /// A⁻¹, its lower triangle; nothing where rows are solved for together.
    inverse: Vec<Vec<usize>>,
    /// The updates of later rows, with the entries of L in them.
    updated: Vec<(Target, Vec<Option<usize>>)>,
}
