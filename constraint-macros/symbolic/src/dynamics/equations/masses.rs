//! Inertia: M, and the part of h that comes from motion alone.

use super::joined::cost;
use super::{Derivation, posed};
use crate::diagnostic::{Diagnostics, system as messages};
use crate::dynamics::frame::Frame;
use crate::dynamics::inertia::{self, Tensor};
use crate::expr::{
    CollectVec, ExprId, Graph, Map, MapEach, Number, PushEach, Set, SortedMap, Together,
};
use crate::model::{Inertia, System};
use crate::solve::{Sparse, SparseRow};

impl Derivation {
    pub(super) fn bodies(&mut self, system: &System) {
        for inertia in &system.inertias {
            let body = &system.model.bodies[inertia.body];
            let of = |velocity: &ExprId| self.velocities[velocity];
            let linear: Vec<usize> = body.velocity.iter().map(of).collect_vec();
            let angular: Vec<usize> = body.angular_velocity.iter().map(of).collect_vec();
            for &i in &linear {
                self.mass.add(&mut self.graph, i, i, inertia.mass);
            }
            for &i in linear.iter().chain(&angular) {
                self.known_positive[i] = true;
            }
            self.turning_resistance(system, inertia, &angular);
        }
    }

    /// Adds I to M and −ω×(I ω) to h.
    fn turning_resistance(&mut self, system: &System, inertia: &Inertia, columns: &[usize]) {
        let graph = &mut self.graph;
        let spin = &system.model.bodies[inertia.body].angular_velocity;
        let mut frames = self.frames.iter();
        let torque = match (frames.find(|it| it.body == inertia.body), &spin[..]) {
            (Some(frame), &[x, y, z]) => {
                inertia::add_own(graph, &mut self.mass, columns, &inertia.tensor);
                let spin = frame.own(graph, [x, y, z]);
                inertia::own_gyroscopic_torque(graph, &inertia.tensor, spin)
            }
            (_, spin) => {
                let tensor = Tensor::new(graph, inertia);
                tensor.add_to(graph, &mut self.mass, columns);
                match *spin {
                    [x, y, z] => tensor.gyroscopic_torque(graph, [x, y, z]),
                    _ => return,
                }
            }
        };
        for (&i, torque) in columns.iter().zip(torque) {
            self.push(i, torque, Number::ONE);
        }
    }

    pub(super) fn point_masses(&mut self, system: &System) {
        for point in &system.masses {
            let mut squares: SortedMap<usize, Vec<(ExprId, Number)>> = SortedMap::new();
            for &component in &point.place {
                for (i, slope) in self.moved_mass(point.mass, component) {
                    let square = self.graph.powi(slope, 2);
                    squares.entry(i).or_default().push((square, Number::ONE));
                }
            }
            for (i, squares) in squares {
                let sum = self.graph.sum(&squares);
                self.known_positive[i] |= self.graph.is_positive(sum);
            }
        }
    }

    /// One component of a point of mass m: adds m (∂r/∂q)ᵀ (∂r/∂q) to M and −m (∂r/∂q)ᵀ r̈₀ to h; returns ∂r/∂q.
    fn moved_mass(&mut self, mass: ExprId, component: ExprId) -> SparseRow {
        let slopes = self.slopes(component, |d| &d.positions);
        let turning = self.motion.second(&mut self.graph, component);
        let inertial = self.graph.mul(mass, turning);
        for &(i, slope) in &slopes {
            let pushed = self.graph.mul(slope, inertial);
            self.push(i, pushed, Number::MINUS_ONE);
        }
        let row = self.without_places(slopes);
        let row = self.columns(&row, true);
        for (a, &(i, slope)) in row.iter().enumerate() {
            let weighted = self.graph.mul(mass, slope);
            for &(j, other) in &row[..=a] {
                let entry = self.graph.mul(weighted, other);
                self.mass.add(&mut self.graph, i, j, entry);
            }
        }
        row
    }

    pub(super) fn kinetic(&mut self, system: &System, diagnostics: &mut Diagnostics) {
        for &(kinetic, range) in &system.kinetic {
            let momenta = self.slopes(kinetic, |d| &d.velocities);
            self.turned_momenta(system, &momenta);
            for &(i, momentum) in &momenta {
                let entries = self.slopes(momentum, |d| &d.velocities);
                for &(j, entry) in entries.iter().filter(|(j, _)| *j <= i) {
                    if self.depends_on_velocity(entry) {
                        diagnostics.push(messages::kinetic_not_quadratic(range));
                        return;
                    }
                    self.mass.add(&mut self.graph, i, j, entry);
                    (self.kinetic[i], self.kinetic[j]) = (true, true);
                }
                let turning = self.motion.first(&mut self.graph, momentum);
                self.push(i, turning, Number::MINUS_ONE);
            }
            for (i, slope) in self.slopes(kinetic, |d| &d.positions) {
                self.push(i, slope, Number::ONE);
            }
        }
    }

    /// Adds ω×∂T/∂ω to h: the components of the momentum are along axes fixed in space, while T turns with the body.
    fn turned_momenta(&mut self, system: &System, momenta: &SparseRow) {
        let momenta: Map<usize, ExprId> = momenta.iter().copied().collect();
        for body in system.model.bodies.iter() {
            let [x, y, z] = body.angular_velocity[..] else {
                continue;
            };
            let spin = [x, y, z];
            let columns = spin.map_each(|w| self.velocities[&w]);
            for a in 0..3 {
                let (b, c) = ((a + 1) % 3, (a + 2) % 3);
                for (k, j, sign) in [(b, c, Number::ONE), (c, b, Number::MINUS_ONE)] {
                    if let Some(&momentum) = momenta.get(&columns[j]) {
                        let torque = self.graph.mul(spin[k], momentum);
                        self.push(columns[a], torque, sign);
                    }
                }
            }
        }
    }

    pub(super) fn depends_on_velocity(&self, id: ExprId) -> bool {
        let reachable = self.graph.reachable([id]);
        reachable.iter().any(|id| self.velocities.contains_key(id))
    }

    /// T = Σ ½ m ṙ² and the user's kinetic energies.
    pub(super) fn kinetic_energy(&mut self, system: &System) -> ExprId {
        let terms = self.kinetic_terms(system);
        let plain = self.graph.sum(&terms);
        let joined = Together::ALL.map_each(|together| self.graph.joined_in_pairs(plain, together));
        let others = joined.into_iter().filter(|&form| form != plain);
        let priced = others.map(|form| (cost(&self.graph, &[form]), form)).min();
        match priced {
            Some((price, form)) if price < cost(&self.graph, &[plain]) => form,
            _ => plain,
        }
    }

    /// T of a body, term by term.
    pub fn kinetic_terms_of_body(
        &mut self,
        system: &System,
        inertia: &Inertia,
    ) -> Vec<(ExprId, Number)> {
        let body = &system.model.bodies[inertia.body];
        let speed = self.graph.dot(&body.velocity, &body.velocity);
        let moving = self.graph.mul(inertia.mass, speed);
        let tensor = Tensor::new(&mut self.graph, inertia);
        let turning = tensor.doubled_energy(&mut self.graph, &body.angular_velocity);
        let doubled = std::iter::once(moving).chain(turning);
        doubled.map(|term| (term, Number::HALF)).collect_vec()
    }

    /// T, term by term.
    pub fn kinetic_terms(&mut self, system: &System) -> Vec<(ExprId, Number)> {
        let mut terms: Vec<(ExprId, Number)> = Vec::new();
        for point in &system.masses {
            let squares = point.place.iter().map(|&component| {
                let rate = self.motion.first(&mut self.graph, component);
                (self.graph.powi(rate, 2), Number::ONE)
            });
            let squares: Vec<_> = squares.collect_vec();
            let speed = self.graph.sum(&squares);
            let speed = self.graph.joined(speed, |g, id| cost(g, &[id]));
            terms.push((self.graph.mul(point.mass, speed), Number::HALF));
        }
        for inertia in &system.inertias {
            terms.push_each(self.kinetic_terms_of_body(system, inertia));
        }
        for body in &system.posed {
            let doubled = posed::doubled_energy(&mut self.graph, body);
            let doubled = doubled.into_iter();
            let joined = doubled.map(|term| self.graph.joined(term, |g, id| cost(g, &[id])));
            terms.push_each(joined.map(|term| (term, Number::HALF)).collect_vec());
        }
        terms.push_each(system.kinetic.iter().map(|&(term, _)| (term, Number::ONE)));
        terms
    }
}

/// Whether nothing has inertia but bodies and particles with coordinates of their own.
pub fn is_of_declared(system: &System) -> bool {
    let coordinates = system.coordinates.iter();
    let own: Set<ExprId> = coordinates.filter_map(|it| it.position).collect();
    let mut masses = system.masses.iter().flat_map(|mass| &mass.place);
    let placed = !system.places.is_empty() || !system.posed.is_empty();
    !placed && system.kinetic.is_empty() && masses.all(|place| own.contains(place))
}

/// M⁻¹ if M is that of unconnected bodies, and not diagonal.
/// `None` if anything else has inertia there, such as a particle placed on a body.
pub(super) fn inverse(
    graph: &mut Graph,
    system: &System,
    velocities: &Map<ExprId, usize>,
    mass: &Sparse,
    frames: &[Frame],
) -> Option<Sparse> {
    if !is_of_declared(system) || mass.is_diagonal() {
        return None;
    }
    let diagonal = (0..mass.n).map(|i| Some(((i, i), graph.recip(mass.get(i, i)?))));
    let mut inverse = Sparse {
        n: mass.n,
        entries: diagonal.collect::<Option<_>>()?,
    };
    for inertia in system.inertias.iter().filter(|it| !it.axes.is_empty()) {
        let spin = &system.model.bodies[inertia.body].angular_velocity;
        let columns: Vec<usize> = spin.iter().map(|w| velocities[w]).collect_vec();
        columns.iter().for_each(|&i| {
            inverse.entries.remove(&(i, i));
        });
        if frames.iter().any(|frame| frame.body == inertia.body) {
            let own = inertia::own_inverse(graph, inertia);
            inertia::add_own(graph, &mut inverse, &columns, &own);
        } else {
            Tensor::inverse(graph, inertia).add_to(graph, &mut inverse, &columns)
        }
    }
    Some(inverse)
}
