//! Quantities that every element computes for itself, once for all of its kind: q̇, M a, M a − h, M⁻¹ h and T.

use std::collections::BTreeMap;

use super::super::coordinates::{kinetic_terms, of_coordinates};
use super::super::routine::{Array, Kernel, Routine, Write};
use super::contribution::{Contributions, LiveSet};
use super::derivation::{Elements, Pool};
use super::structure::{Element, Site};
use crate::dynamics::{self, Derivation, Frame};
use crate::expr::{ExprId, Map, Number};
use crate::solve::{Quantity, SparseRow};

/// Where the k-th result of an element goes.
type Place = fn(&Element, usize) -> usize;

impl Elements<'_> {
    pub(super) fn of_elements(&mut self, routines: &mut BTreeMap<Quantity, Routine>) {
        let position: Place = |element, k| element.positions.start + k;
        let column: Place = |element, k| element.columns.start + k;
        let set = |place| Write::Set(Array::Output, place);
        if self.at_joints() {
            let free = self.each_alone(|elements, e| elements.free(e), column, set);
            routines.insert(Quantity::Free, free);
            let kinetic = kinetic_terms(self.derivation, self.system);
            let Derivation { graph, mass, .. } = &mut *self.derivation;
            routines.extend(of_coordinates(
                graph,
                self.system,
                &kinetic,
                mass,
                &self.applied,
            ));
            return;
        }
        let points = self.points();
        let rates = self.each_alone(|elements, e| elements.rates(e, false), position, set);
        let resisting = self.each_alone(|elements, e| elements.resisting(e, false), column, set);
        let missing = self.each_alone(|elements, e| elements.resisting(e, true), column, set);
        let free = self.each_alone(|elements, e| elements.free(e), column, set);
        let energy = self.each_alone(
            |elements, e| vec![elements.kinetic_energy(e, &points)],
            |_, _| 0,
            |place| Write::Add(Array::Output, place),
        );
        routines.extend([
            (Quantity::Kinematics, rates),
            (Quantity::MassTimes, resisting),
            (Quantity::InverseDynamics, missing),
            (Quantity::Free, free),
            (Quantity::KineticEnergy, energy),
        ]);
    }

    /// Results of each element, made of it and of its accelerations alone.
    fn each_alone(
        &mut self,
        mut make: impl FnMut(&mut Self, usize) -> Vec<ExprId>,
        place: Place,
        write: fn(usize) -> Write,
    ) -> Routine {
        let first = self.kinds.first.clone().into_iter();
        let used = first.map(|e| {
            let roots = make(self, e);
            self.live_set(Site::Element(e), roots)
        });
        let used: Vec<LiveSet> = used.collect();
        let none = Contributions::default();
        Routine::of(|stage| {
            for (e, element) in self.structure.elements.iter().enumerate() {
                let used = &used[self.kinds.of[e]];
                let mut indices = self.indices(used, &none, Site::Element(e));
                let results = indices.len();
                indices.extend((0..used.roots.len()).map(|k| place(element, k)));
                stage.push(vec![used.shape, results], indices, || Kernel {
                    reads: used.reads.clone(),
                    roots: used.roots.clone(),
                    writes: (results..).take(used.roots.len()).map(write).collect(),
                });
            }
        })
    }

    /// M a, or M a − h, turned to the frame where M stands still and back.
    fn resisting(&mut self, e: usize, without_applied: bool) -> Vec<ExprId> {
        let columns = self.structure.elements[e].columns.clone();
        let given = columns.clone().enumerate();
        let given: SparseRow = given
            .map(|(k, c)| (c, self.pooled(Pool::Acceleration, k)))
            .collect();
        let frame = self.frame_of(e);
        let own = dynamics::turned(self.graph(), frame.as_slice(), &given, Frame::own);
        let own: Map<usize, ExprId> = own.into_iter().collect();
        let mut row = SparseRow::new();
        for i in columns.clone() {
            let mut terms = Vec::new();
            for (&j, &x) in &own {
                if let Some(entry) = self.derivation.mass.get(i, j) {
                    terms.push((j, self.graph().mul(entry, x)));
                }
            }
            terms.sort_unstable();
            let mut terms: Vec<_> = terms.iter().map(|it| (it.1, Number::ONE)).collect();
            if without_applied {
                terms.push((self.applied[i], Number::MINUS_ONE));
            }
            row.push((i, self.graph().sum(&terms)));
        }
        let row = dynamics::turned(self.graph(), frame.as_slice(), &row, Frame::world);
        self.whole(e, row)
    }

    /// All entries of a row at an element.
    pub(super) fn whole(&mut self, e: usize, row: SparseRow) -> Vec<ExprId> {
        let row: Map<usize, ExprId> = row.into_iter().collect();
        let columns = self.structure.elements[e].columns.clone();
        let zero = self.graph().zero();
        columns
            .map(|c| row.get(&c).copied().unwrap_or(zero))
            .collect()
    }

    /// M⁻¹ h, turned back from the frame where M stands still.
    pub(super) fn free(&mut self, e: usize) -> Vec<ExprId> {
        let local = self.local(e);
        let free: SparseRow = local.free.iter().map(|(&c, &free)| (c, free)).collect();
        let world = self.in_world(&local, &free);
        self.whole(e, world)
    }

    /// By element its masses at points, with their velocities there.
    fn points(&self) -> Vec<Vec<(ExprId, ExprId)>> {
        let mut points = vec![Vec::new(); self.structure.elements.len()];
        let coordinates = self.system.coordinates.iter().enumerate();
        let columns = coordinates.filter_map(|(c, it)| Some((it.position?, (c, it.velocity))));
        let columns: Map<ExprId, (usize, ExprId)> = columns.collect();
        for point in &self.system.masses {
            let moved = point.place.iter().filter_map(|place| columns.get(place));
            for &(c, velocity) in moved {
                points[self.structure.element_of(c)].push((point.mass, velocity));
            }
        }
        points
    }

    fn kinetic_energy(&mut self, e: usize, points: &[Vec<(ExprId, ExprId)>]) -> ExprId {
        let mut terms = Vec::new();
        for of_one_mass in points[e].chunk_by(|a, b| a.0 == b.0) {
            let velocities: Vec<ExprId> = of_one_mass.iter().map(|it| it.1).collect();
            let graph = self.graph();
            let square = graph.dot(&velocities, &velocities);
            terms.push((graph.mul(of_one_mass[0].0, square), Number::HALF));
        }
        let body = self.structure.elements[e].body;
        let mut inertias = self.system.inertias.iter();
        if let Some(inertia) = inertias.find(|it| Some(it.body) == body) {
            terms.extend(self.derivation.kinetic_terms_of_body(self.system, inertia));
        }
        self.graph().sum(&terms)
    }
}
