//! Parts of the equations that joints compute themselves, of the leaves of their rows: where M is diagonal.

use super::super::routine::{Array, Signature};
use super::derivation::{Elements, Side};
use super::places::{Part, Places, Plan};
use super::structure::Site;
use crate::expr::{CollectVec, ExprId, MapEach, Number, PushEach, SortedSet};

impl Elements<'_> {
    /// A joint with its elements.
    pub(super) fn sign_joint(&self, j: usize, with_loads: bool) -> Signature {
        let mut signature = Signature::default();
        self.sign_joint_in(&mut signature, j, with_loads);
        signature
    }

    pub(super) fn sign_joint_in(&self, signature: &mut Signature, j: usize, with_loads: bool) {
        let joint = &self.structure.joints[j];
        let columns = self.columns_at(Site::Joint(j));
        for r in joint.rows.clone() {
            signature.member(&self.rows, r);
            // Velocities are read by their places, and x of one row may be what y, or x of another element, is of another.
            let place = |c: usize| columns.iter().position(|&it| it == c);
            signature
                .words
                .push_each(self.rows.records(r).filter_map(place));
        }
        for &e in &joint.elements {
            self.sign_mass(signature, e);
            let columns = self.structure.elements[e].columns.clone();
            for c in columns.into_iter().filter(|_| with_loads) {
                signature.member(&self.applied_families, c);
            }
        }
    }

    /// The pairs of rows that speak of one element, the later one first.
    pub(super) fn coupled_rows(&self) -> SortedSet<(usize, usize)> {
        let mut coupled = SortedSet::new();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.structure.elements.len()];
        for (i, joint) in self.structure.joints.iter().enumerate() {
            for &e in &joint.elements {
                coupled.extend(before[e].iter().map(|&j| (i, j)));
                before[e].push(i);
            }
        }
        coupled
    }

    /// What a step computes of the leaves of rows.
    pub(super) fn sign_step(&self, j: usize, side: Side) -> Signature {
        if !self.at_joints() {
            let mut signature = Signature::default();
            // b is divided by what rows have in common.
            let rows = self.structure.joints[j].rows.clone();
            for r in rows.filter(|_| side == Side::Given) {
                signature.member(&self.rows, r);
            }
            return signature;
        }
        let mut signature = self.sign_joint(j, side.has_loads());
        for &i in &self.structure.elimination.later[j] {
            let coupled = self.are_coupled(i, j);
            signature.words.push(usize::from(coupled));
            if coupled {
                for r in self.structure.joints[i].rows.clone() {
                    signature.member(&self.rows, r);
                }
            }
        }
        signature
    }

    pub(super) fn are_coupled(&self, i: usize, j: usize) -> bool {
        let [a, b] = [i, j].map_each(|it| &self.structure.joints[it].elements);
        a.iter().any(|e| b.contains(e))
    }

    /// A part of a joint's equations.
    pub(super) fn part(&mut self, part: Part, side: Side) -> ExprId {
        match (part, side) {
            (Part::Entry(r, s), _) => self.delassus(r, s),
            (Part::Right(r), Side::Value | Side::Rate) => {
                let row = self.row(r);
                let content = row.scaled.content;
                let value = if side == Side::Value {
                    row.value
                } else {
                    row.rate
                };
                self.graph().div(value, content)
            }
            (Part::Right(r), _) => self.free_side(r, side),
        }
    }

    /// An entry of J′ W J′ᵀ.
    fn delassus(&mut self, r: usize, s: usize) -> ExprId {
        let [a, b] = [r, s].map(|r| self.row(r).scaled.jacobian.clone());
        let mut terms = Vec::new();
        for (c, entry) in a {
            if let (Some(&(_, other)), Some(diagonal)) =
                (b.iter().find(|it| it.0 == c), &self.diagonal)
            {
                let graph = &mut self.derivation.graph;
                let weighted = graph.mul(diagonal.ratios[c], entry);
                terms.push((graph.mul(weighted, other), Number::ONE));
            }
        }
        self.graph().sum(&terms)
    }

    /// −β′ − J′ M⁻¹ h, or in units of force −β′/w − J′ W h.
    fn free_side(&mut self, r: usize, side: Side) -> ExprId {
        let row = self.row(r).scaled.clone();
        let is_force = side == Side::Force;
        let (mut moving, mut pushing) = (vec![(row.bias, Number::MINUS_ONE)], Vec::new());
        let Some(diagonal) = &self.diagonal else {
            return row.bias;
        };
        let graph = &mut self.derivation.graph;
        for (c, entry) in row.jacobian {
            let loads = if is_force {
                &diagonal.forced
            } else {
                &diagonal.free
            };
            let pushed = graph.mul(entry, loads[c]);
            let terms = if is_force && !diagonal.by_acceleration[c] {
                &mut pushing
            } else {
                &mut moving
            };
            terms.push((pushed, Number::MINUS_ONE));
        }
        let moving = graph.sum(&moving);
        if !is_force {
            return moving;
        }
        pushing.push((graph.div(moving, diagonal.common), Number::ONE));
        graph.sum(&pushing)
    }

    /// The velocities whose W is divided and kept in the step of a joint, each with its place among the indices.
    pub(super) fn new_weights(
        &self,
        plan: &mut Plan,
        places: &mut Places,
        j: usize,
    ) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for c in self.rows_columns(j) {
            let Some(first) = self.weight_of(c) else {
                continue;
            };
            let is_new = places.filled.insert((Array::Weight, first));
            plan.words.push(usize::from(is_new));
            if is_new {
                found.push((plan.index(first), c));
            }
        }
        found
    }

    /// The velocities that a joint's elements have.
    fn rows_columns(&self, j: usize) -> Vec<usize> {
        let elements = self.structure.joints[j].elements.iter();
        let columns = elements.flat_map(|&e| self.structure.elements[e].columns.clone());
        columns.collect_vec()
    }
}
