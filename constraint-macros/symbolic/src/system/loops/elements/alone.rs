//! Quantities that every element computes for itself, once for all of its kind: q̇, M a, M a − h, M⁻¹ h and T.

use super::super::coordinates::{kinetic_terms, of_coordinates};
use super::super::eliminated_mass::Pivot;
use super::super::routine::{Array, Kernel, Routine, Write};
use super::contribution::{Contributions, LiveSet};
use super::derivation::{Elements, Pool};
use super::structure::{Element, Site};
use crate::dynamics::{self, Frame};
use crate::expr::{CollectVec, ExprId, Map, Number, PushEach, SortedMap, sort};
use crate::solve::{Quantity, SparseRow};

/// Where the k-th result of an element goes.
type Place = fn(&Element, usize) -> usize;

impl Elements<'_> {
    pub(super) fn of_elements(&mut self, routines: &mut SortedMap<Quantity, Routine>) {
        let position: Place = |element, k| element.positions[k];
        let column: Place = |element, k| element.columns[k];
        let set = |place| Write::Set(Array::Output, place);
        let free = |elements: &mut Self, e: usize| elements.free(e);
        let free = self.each_alone(free, column, set);
        routines.insert(Quantity::Free, free);
        if !self.at_joints() {
            let checks = |elements: &mut Self, e: usize| (elements.own_mass(e).pivots, Vec::new());
            let admitted = self.each_alone(checks, column, set);
            if admitted.kernels.iter().any(|it| !it.roots.is_empty()) {
                routines.insert(Quantity::Quadratic, admitted);
            }
        }
        let is_of_bodies = !self.system.model.bodies.is_empty();
        if !is_of_bodies {
            let mut kinetic = kinetic_terms(self.derivation, self.system);
            let graph = &mut self.derivation.graph;
            self.definitions.put_in(graph, &mut kinetic);
            routines.extend(of_coordinates(
                graph,
                self.system,
                &kinetic,
                &self.mass,
                &self.applied,
            ));
            return;
        }
        let plain = |it: fn(&mut Self, usize) -> Vec<ExprId>| {
            move |elements: &mut Self, e: usize| (Vec::new(), it(elements, e))
        };
        let rates = plain(|elements, e| elements.rates(e, false));
        let resisting = plain(|elements, e| elements.resisting(e, false));
        let missing = plain(|elements, e| elements.resisting(e, true));
        routines.extend([
            (Quantity::Kinematics, self.each_alone(rates, position, set)),
            (Quantity::MassTimes, self.each_alone(resisting, column, set)),
            (
                Quantity::InverseDynamics,
                self.each_alone(missing, column, set),
            ),
            (Quantity::KineticEnergy, self.energy()),
        ]);
    }

    /// T, body by body where it is that of bodies and particles alone, else term by term.
    fn energy(&mut self) -> Routine {
        if !dynamics::is_of_declared(self.system) {
            let mut terms = kinetic_terms(self.derivation, self.system);
            let graph = &mut self.derivation.graph;
            self.definitions.put_in(graph, &mut terms);
            return Routine::summed(graph, self.system, &terms);
        }
        let points = self.points();
        self.each_alone(
            |elements, e| (Vec::new(), vec![elements.kinetic_energy(e, &points)]),
            |_, _| 0,
            |place| Write::Add(Array::Output, place),
        )
    }

    /// Results of each element, made of it and of its accelerations alone, after checks of its pivots.
    fn each_alone(
        &mut self,
        mut make: impl FnMut(&mut Self, usize) -> (Vec<Pivot>, Vec<ExprId>),
        place: Place,
        write: fn(usize) -> Write,
    ) -> Routine {
        let first = self.kinds.first.clone().into_iter();
        let used = first.map(|e| {
            let (pivots, results) = make(self, e);
            let checks = pivots.iter().flat_map(|it| [it.pivot, it.scale]);
            let roots = checks.chain(results).collect_vec();
            (self.live_set(Site::Element(e), roots), pivots)
        });
        let used: Vec<(LiveSet, Vec<Pivot>)> = used.collect_vec();
        let none = Contributions::default();
        Routine::of(|stage| {
            for (e, element) in self.structure.elements.iter().enumerate() {
                let (used, pivots) = &used[self.kinds.of[e]];
                let mut indices = self.indices(used, &none, Site::Element(e));
                let (checks, rows) = self.checks(e, pivots, indices.len());
                indices.push_each(rows);
                let results = indices.len();
                let count = used.roots.len() - checks.len();
                indices.push_each((0..count).map(|k| place(element, k)));
                stage.push(vec![used.shape, results], indices, || Kernel {
                    reads: used.reads.clone(),
                    roots: used.roots.clone(),
                    writes: checks
                        .into_iter()
                        .chain((results..).take(count).map(write))
                        .collect_vec(),
                });
            }
        })
    }

    /// M a, or M a − h, turned to the frame where M stands still and back.
    fn resisting(&mut self, e: usize, without_applied: bool) -> Vec<ExprId> {
        let columns = self.structure.elements[e].columns.clone();
        let given = self.pooled_at(e, Pool::Acceleration);
        let frame = self.frame_of(e);
        let own = dynamics::turned(self.graph(), frame.as_slice(), &given, Frame::own);
        let own: Map<usize, ExprId> = own.into_iter().collect();
        let mut row = SparseRow::new();
        for i in columns {
            let mut terms = Vec::new();
            for (&j, &x) in &own {
                if let Some(entry) = self.mass.get(i, j) {
                    terms.push((j, self.graph().mul(entry, x)));
                }
            }
            sort(&mut terms);
            let mut terms: Vec<_> = terms.iter().map(|it| (it.1, Number::ONE)).collect_vec();
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
            .iter()
            .map(|c| row.get(c).copied().unwrap_or(zero))
            .collect_vec()
    }

    /// M⁻¹ h, turned back from the frame where M stands still.
    pub(super) fn free(&mut self, e: usize) -> (Vec<Pivot>, Vec<ExprId>) {
        let local = self.local(e);
        let free: SparseRow = local
            .mass
            .free
            .iter()
            .map(|(&c, &free)| (c, free))
            .collect_vec();
        let world = self.in_world(&local, &free);
        (local.mass.pivots, self.whole(e, world))
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
            let velocities: Vec<ExprId> = of_one_mass.iter().map(|it| it.1).collect_vec();
            let graph = self.graph();
            let square = graph.dot(&velocities, &velocities);
            terms.push((graph.mul(of_one_mass[0].0, square), Number::HALF));
        }
        let body = self.structure.elements[e].body;
        let mut inertias = self.system.inertias.iter();
        if let Some(inertia) = inertias.find(|it| Some(it.body) == body) {
            terms.push_each(self.derivation.kinetic_terms_of_body(self.system, inertia));
        }
        self.graph().sum(&terms)
    }
}
