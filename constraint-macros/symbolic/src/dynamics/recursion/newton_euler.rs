//! Forces and torques of a motion: once forth through the tree, once back.

use super::tree::{Columns, Given, Link, Tree};
use super::vector::{Pair, Vector, others, scaled, sum};
use crate::expr::{CollectVec, ExprId, Graph, MapEach, Number, PushEach};

/// The motion of a link's frame, in that frame.
#[derive(Clone, Debug)]
pub struct Motion {
    /// ω
    pub spin: Vector,
    /// B = ω̇× + (ω×)²
    pull: [Vector; 3],
    /// ω̇
    pub spin_rate: Vector,
    /// a of its origin.
    pub acceleration: Vector,
}

impl Motion {
    fn new(graph: &mut Graph, spin: Vector, spin_rate: Vector, acceleration: Vector) -> Motion {
        Motion {
            pull: pull(graph, &spin, &spin_rate),
            spin,
            spin_rate,
            acceleration,
        }
    }

    /// All its components.
    pub fn expressions_mut(&mut self) -> impl Iterator<Item = &mut ExprId> {
        let vectors = [&mut self.spin, &mut self.spin_rate, &mut self.acceleration];
        let vectors = vectors.into_iter().flatten();
        vectors.chain(self.pull.as_flattened_mut())
    }

    /// The acceleration of a point at rest in the frame, less that of the origin: B r.
    pub fn pulled(&self, graph: &mut Graph, r: &Vector) -> Vector {
        self.pull.map_each(|row| graph.dot(&row, r))
    }
}

/// B = ω̇× + (ω×)², by rows.
fn pull(graph: &mut Graph, w: &Vector, rate: &Vector) -> [Vector; 3] {
    let squares = w.map_each(|it| graph.powi(it, 2));
    [0, 1, 2].map_each(|i| {
        [0, 1, 2].map_each(|j| {
            if i == j {
                let [a, b] = others(i).map_each(|k| (squares[k], Number::MINUS_ONE));
                return graph.sum(&[a, b]);
            }
            let product = graph.mul(w[i], w[j]);
            let sign = if (i + 1) % 3 == j {
                Number::MINUS_ONE
            } else {
                Number::ONE
            };
            graph.sum(&[(product, Number::ONE), (rate[3 - i - j], sign)])
        })
    })
}

impl Tree {
    /// The forces on the coordinates that a motion takes, by column and term by term.
    pub fn forces(&self, graph: &mut Graph, given: Given<'_>) -> Vec<(usize, ExprId)> {
        let motions = self.motions(graph, given);
        self.loaded(graph, &motions, &[]).0
    }

    /// The same of known motions and of loads that hang on links, and the load on what is before the first links, if that is
    /// another tree.
    pub fn loaded(
        &self,
        graph: &mut Graph,
        motions: &[Motion],
        hung: &[(usize, Pair)],
    ) -> (Vec<(usize, ExprId)>, Pair) {
        let zero = graph.zero();
        let loads = self.links.iter().zip(motions);
        let mut loads: Vec<[Vec<Vector>; 2]> = loads
            .map(|(link, motion)| own_load(graph, link, motion).map(|it| vec![it]))
            .collect_vec();
        for (link, load) in hung {
            (0..2).for_each(|k| loads[*link][k].push(load[k]));
        }
        let end = loads.len();
        loads.push(Default::default());
        let mut found = Vec::new();
        for (i, link) in self.links.iter().enumerate().rev() {
            let [force, torque] = [0, 1].map_each(|k| {
                let parts = std::mem::take(&mut loads[i][k]);
                total(graph, zero, &parts)
            });
            let [force_before, torque_before] =
                [&force, &torque].map_each(|it| link.turn.out(graph, it));
            for (column, spin) in &link.spin_columns {
                found.push((*column, graph.dot(spin, &torque)));
            }
            for (column, rate) in &link.place_columns {
                found.push((*column, graph.dot(rate, &force_before)));
            }
            if let Some(before) = link.from.or(self.hangs.then_some(end)) {
                let lever = graph.cross(link.place, force_before);
                loads[before][0].push(force_before);
                loads[before][1].push_each([torque_before, lever]);
            }
        }
        let end = loads.pop().unwrap_or_default();
        (found, end.map(|parts| total(graph, zero, &parts)))
    }

    /// The motions of the links.
    pub fn motions(&self, graph: &mut Graph, given: Given<'_>) -> Vec<Motion> {
        let zero = graph.zero();
        let gravity = self.gravity.filter(|_| given.has_motion());
        let against = gravity.map_or([zero; 3], |it| it.map_each(|g| graph.neg(g)));
        let world = Motion::new(graph, [zero; 3], [zero; 3], against);
        self.motions_after(graph, &world, given)
    }

    /// The same for a given motion of the base on which the first links hang.
    pub fn motions_after(&self, graph: &mut Graph, base: &Motion, given: Given<'_>) -> Vec<Motion> {
        let mut motions: Vec<Motion> = Vec::with_capacity(self.links.len());
        for link in &self.links {
            let before = link.from.map_or(base, |before| &motions[before]);
            let motion = link.motion(graph, before, given);
            motions.push(motion);
        }
        motions
    }
}

impl Link {
    fn motion(&self, graph: &mut Graph, before: &Motion, given: Given<'_>) -> Motion {
        let link = self;
        let [own, own_rate] = given.of(graph, &link.spin, &link.spin_columns);
        let [sliding, sliding_rate] = given.of(graph, &link.place_rates, &link.place_columns);

        let carried = link.turn.own(graph, &before.spin);
        let carried_rate = link.turn.own(graph, &before.spin_rate);
        let across = graph.cross(carried, own);
        let spin = sum(graph, [&carried, &own]);
        let spin_rate = sum(graph, [&carried_rate, &across, &own_rate]);

        let pulled = before.pulled(graph, &link.place);
        let deflected = graph.cross(before.spin, sliding);
        let deflected = deflected.map_each(|it| graph.scale(it, Number::integer(2)));
        let acceleration = sum(
            graph,
            [&before.acceleration, &pulled, &deflected, &sliding_rate],
        );
        let acceleration = link.turn.own(graph, &acceleration);
        Motion::new(graph, spin, spin_rate, acceleration)
    }
}

impl Given<'_> {
    /// A rate relative to the link before, and its derivative: second + Σ column v̇.
    fn of(self, graph: &mut Graph, rates: &[Vector; 2], columns: &Columns) -> [Vector; 2] {
        let zero = graph.zero();
        let [first, second] = match self.has_motion() {
            true => *rates,
            false => [[zero; 3]; 2],
        };
        let mut terms = second.map(|it| vec![(it, Number::ONE)]);
        if let Some(accelerations) = self.accelerations() {
            for (column, slopes) in columns {
                for (terms, &slope) in terms.iter_mut().zip(slopes) {
                    terms.push((graph.mul(slope, accelerations[*column]), Number::ONE));
                }
            }
        }
        [first, terms.map(|terms| graph.sum(&terms))]
    }
}

/// The force m a + B s and the torque s×a + (B S)^ that move a link's own mass.
fn own_load(graph: &mut Graph, link: &Link, motion: &Motion) -> [Vector; 2] {
    let masses = &link.masses;
    let carried = scaled(graph, masses.mass, &motion.acceleration);
    let pulled = motion.pulled(graph, &masses.first);
    let force = sum(graph, [&carried, &pulled]);
    let lever = graph.cross(masses.first, motion.acceleration);
    let turning = [0, 1, 2].map_each(|i| {
        let [j, k] = others(i);
        let row = |of: usize| [0, 1, 2].map_each(|l| masses.second.get(of, l));
        let (plus, minus) = (
            graph.dot(&motion.pull[k], &row(j)),
            graph.dot(&motion.pull[j], &row(k)),
        );
        graph.sub(plus, minus)
    });
    [force, sum(graph, [&lever, &turning])]
}

fn total(graph: &mut Graph, zero: ExprId, parts: &[Vector]) -> Vector {
    match parts {
        [] => [zero; 3],
        _ => [0, 1, 2].map_each(|i| {
            let terms: Vec<_> = parts.iter().map(|it| (it[i], Number::ONE)).collect_vec();
            graph.sum(&terms)
        }),
    }
}
