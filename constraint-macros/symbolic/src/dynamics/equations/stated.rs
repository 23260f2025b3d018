//! The equations of motion of a system, with the definitions of its arms and places substituted.

use super::super::frame::{self, Frame};
use super::super::rotation;
use super::regressor::Regressor;
use super::rows::Row;
use crate::dynamics::recursion::{Tree, Unconstrained};
use crate::expr::{CollectVec, ExprId, Graph, Map, PushEach};
use crate::model::System;
use crate::solve::Sparse;

/// All equations derived from the model.
#[derive(Clone, Debug)]
pub struct Equations {
    /// M; like h and M⁻¹, in the bodies' own frames for those in `frames`.
    pub mass: Sparse,
    /// M⁻¹, if M consists of separate blocks of bodies and is not diagonal.
    pub inverse: Option<Sparse>,
    /// h
    pub applied: Vec<ExprId>,
    /// The bodies whose equations are solved in their own frames.
    pub frames: Vec<Frame>,
    /// The bodies that integrators keep in their own frames during a step: all with unequal moments of inertia.
    pub stepped: Vec<Frame>,
    /// q̇ = N(q) v; empty if that is v itself.
    pub kinematics: Vec<ExprId>,
    /// N(q) v with leaves of ω that are components in those frames.
    pub own_kinematics: Vec<ExprId>,
    /// The constraints.
    pub rows: Vec<Row>,
    /// The rows of one side: gaps, then slips.
    pub sides: Vec<Row>,
    /// The restitution of each gap, then the friction of each slip.
    pub coefficients: Vec<ExprId>,
    /// Σ |terms| of each gap, then zeros for slips.
    pub gap_sizes: Vec<ExprId>,
    /// The rows with friction: their gap and their slip, both among `sides`.
    pub rubbing: Vec<[usize; 2]>,
    /// Σᵢ |Jᵢ qᵢ| of each row
    pub row_sizes: Vec<ExprId>,
    /// The outputs that the user declares; λ and v̇ in them are leaves.
    pub outputs: Vec<ExprId>,
    /// ∂ẏ/∂v of the outputs y, row by row, zeros included; none if it is not requested.
    pub output_jacobian: Vec<ExprId>,
    /// ÿ at v̇ = 0 of the outputs.
    pub output_bias: Vec<ExprId>,
    /// T
    pub kinetic: ExprId,
    /// V
    pub potential: ExprId,
    /// The masses, which must be positive.
    pub masses: Vec<ExprId>,
    /// The coordinates with a constant diagonal entry of M that must be positive.
    pub must_be_positive: Vec<usize>,
    /// The inertias of bodies: one moment, three, or the lower triangle of a matrix, row by row.
    pub inertias: Vec<Vec<ExprId>>,
    /// The coordinates without inertia that constraints determine: then M and h contain Jᵀ D J and −Jᵀ D β.
    pub massless: Vec<usize>,
    /// M and h without these terms, if there are such coordinates.
    pub(super) unaugmented: Option<(Sparse, Vec<ExprId>)>,
    /// M a − h by recursion, for a tree of posed bodies.
    pub required: Option<Required>,
    /// How these are found.
    pub recursion: Option<Recursion>,
    /// M⁻¹ h by articulated bodies, for a large tree of posed bodies without rows.
    pub unconstrained: Option<Unconstrained>,
    /// Y and θ of M a − h = Y θ + …, if it is requested and there is such a tree.
    pub regressor: Option<Regressor>,
    /// The coordinates of the part of M with user-defined kinetic energies whose definiteness is not known from signs.
    pub quadratic: Vec<usize>,
    /// For each coordinate: true if the diagonal entry of M is positive whenever the masses are.
    pub known_positive: Vec<bool>,
    /// 0
    pub zero: ExprId,
}

/// A tree of posed bodies as recursion goes through it, and the parts of M and h of everything else.
#[derive(Clone, Debug)]
pub struct Recursion {
    /// The links.
    pub tree: Tree,
    /// M without the links; like h, in the bodies' own frames for those in `frames`.
    pub mass: Sparse,
    /// h without the links.
    pub applied: Vec<ExprId>,
}

impl Recursion {
    fn expressions_mut(&mut self) -> Vec<&mut ExprId> {
        let mut all = self.tree.expressions_mut();
        all.push_each(self.mass.entries.values_mut().chain(&mut self.applied));
        all
    }
}

/// M a − h and M a of accelerations that are given, like h in the bodies' own frames for those in `frames`.
#[derive(Clone, Debug)]
pub struct Required {
    /// The leaves of a.
    pub(super) accelerations: Vec<ExprId>,
    /// M a − h
    pub forces: Vec<ExprId>,
    /// M a
    pub resisting: Vec<ExprId>,
}

impl Required {
    /// One of them for these accelerations.
    pub fn of(
        &self,
        graph: &mut Graph,
        forces: &[ExprId],
        accelerations: &[ExprId],
    ) -> Vec<ExprId> {
        let leaves = self.accelerations.iter().copied();
        let map = leaves.zip(accelerations.iter().copied()).collect();
        let map = graph.substitute(forces.iter().copied(), map);
        forces.iter().map(|it| map[it]).collect_vec()
    }
}

impl Equations {
    /// M and h of M v̇ = h + Jᵀλ, bodies in their own frames, without the terms Jᵀ D J and −Jᵀ D β of constraints.
    pub fn of_motion(&self) -> (&Sparse, &[ExprId]) {
        match &self.unaugmented {
            Some((mass, applied)) => (mass, applied),
            None => (&self.mass, &self.applied),
        }
    }

    /// The constant diagonal entries of M that must be positive, except masses.
    pub fn inertias_of_coordinates(&self) -> impl Iterator<Item = ExprId> {
        self.must_be_positive
            .iter()
            .filter_map(|&i| self.mass.get(i, i))
    }

    /// The coordinates at which a diagonal mass matrix may be singular.
    pub fn needs_guard(&self) -> Vec<usize> {
        let needs_guard = |&i: &usize| {
            let entry = self.mass.get(i, i);
            let needs_guard = entry.is_some_and(|entry| !self.masses.contains(&entry));
            needs_guard && !self.known_positive[i] && !self.must_be_positive.contains(&i)
        };
        if self.mass.is_diagonal() {
            (0..self.known_positive.len())
                .filter(needs_guard)
                .collect_vec()
        } else {
            Vec::new()
        }
    }

    /// Replaces the leaves of places and arms by their definitions.
    pub(super) fn substitute(&mut self, graph: &mut Graph, system: &mut System, in_loops: bool) {
        if system.places.is_empty() && system.model.arms.is_empty() {
            return;
        }
        let frames = self.frames.iter().chain(&self.stepped);
        let axes = frames.flat_map(|frame| frame.axes.as_flattened());
        let axes: Vec<ExprId> = axes.copied().filter(|_| !in_loops).collect_vec();
        let mut all: Vec<&mut ExprId> = self.outputs.iter_mut().collect_vec();
        all.push_each(self.output_jacobian.iter_mut().chain(&mut self.output_bias));
        if !in_loops {
            all.push_each(self.mass.entries.values_mut());
            let inverse = self.inverse.iter_mut();
            all.push_each(inverse.flat_map(|inverse| inverse.entries.values_mut()));
            all.push_each(&mut self.applied);
            if let Some((mass, applied)) = &mut self.unaugmented {
                all.push_each(mass.entries.values_mut().chain(applied));
            }
            let required = self.required.iter_mut();
            all.push_each(required.flat_map(|it| it.forces.iter_mut().chain(&mut it.resisting)));
            if let Some(motion) = &mut self.unconstrained {
                all.push_each(&mut motion.accelerations);
                all.push_each(motion.pivots.iter_mut().map(|it| &mut it.1));
            }
            let regressor = self.regressor.iter_mut();
            all.push_each(regressor.flat_map(Regressor::expressions_mut));
            all.push_each(&mut self.row_sizes);
            all.push_each([&mut self.kinetic, &mut self.potential]);
            let rows = self.rows.iter_mut().chain(&mut self.sides);
            all.push_each(rows.flat_map(Row::expressions_mut));
            all.push_each(self.coefficients.iter_mut().chain(&mut self.gap_sizes));
            all.push_each(
                self.recursion
                    .iter_mut()
                    .flat_map(Recursion::expressions_mut),
            );
        }
        let mut names = std::mem::take(&mut system.model.names);
        all.push_each(names.iter_mut().map(|(id, _)| id));
        let roots = all.iter().map(|id| **id);
        let places = system.places.iter().map(|&(_, place)| place);
        let roots: Vec<ExprId> = roots.chain(places).chain(axes).collect_vec();
        let (mut map, arm_names) = definitions(graph, system, &roots);
        map = graph.substitute(all.iter().map(|id| **id), map);
        all.into_iter().for_each(|id| *id = map[id]);
        for frames in [&mut self.frames, &mut self.stepped] {
            frame::substitute(frames, &map);
        }
        names.push_each(arm_names);
        system.model.names = names;
    }
}

/// Definitions to substitute for the arms and places in `roots`, and the names of the arms.
pub fn definitions(
    graph: &mut Graph,
    system: &System,
    roots: &[ExprId],
) -> (Map<ExprId, ExprId>, Vec<(ExprId, String)>) {
    let (mut map, names) = rotation::arms(&system.model, graph, roots);
    // A place depends on earlier leaves at most.
    for &(leaf, place) in &system.places {
        map = graph.substitute([place], map);
        map.insert(leaf, map[&place]);
    }
    (map, names)
}
