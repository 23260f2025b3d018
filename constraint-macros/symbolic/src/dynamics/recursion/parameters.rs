//! Forces as a linear function of the inertial parameters of the links.
//!
//! ```text
//! m, m c, I        of a link about the origin of its frame, I = tr S − S: ten a link, and M a − h = Y θ
//! a hinge          ω′ along u: a rod on the axis moves as well with the link before, so that Y_m, u·Y_mc and the moments of
//!                  the rod, |u|² 1 − u uᵀ, are combinations of the columns of that link
//! a slider         turns with the link before: so are all its moments
//! ```

use super::masses::Masses;
use super::newton_euler::Motion;
use super::symmetric::Symmetric;
use super::tree::{Given, Link, Tree};
use super::vector::{Vector, sum};
use crate::expr::{CollectVec, ExprId, Graph, MapEach, Number};

/// The parameters of a link.
pub const PARAMETERS: [&str; 10] = [
    "m", "mx", "my", "mz", "ixx", "ixy", "ixz", "iyy", "iyz", "izz",
];

/// The places of m, mx, my and izz among them: the others have no effect in the plane.
pub const PLANE: [usize; 4] = [0, 1, 2, 9];

/// The place of Iₓₓ among them.
const INERTIA: usize = 4;

/// One number for each parameter of a link.
pub type Parameters = [ExprId; 10];

/// A column that follows from others at every motion.
#[derive(Clone, Debug)]
pub struct Relation {
    /// Its parameter.
    pub of: usize,
    /// The other columns of its link.
    pub own: Vec<(usize, ExprId)>,
    /// Those of the link before it, if it is not the world.
    pub before: Option<(usize, Parameters)>,
}

impl Masses {
    /// m, m c and I.
    pub fn parameters(&self, graph: &mut Graph) -> Parameters {
        let inertia = turned_inside(graph, &self.second, Number::ONE);
        let [x, y, z] = self.first;
        let [xx, xy, xz, yy, yz, zz] = inertia.0;
        [self.mass, x, y, z, xx, xy, xz, yy, yz, zz]
    }

    /// One parameter is 1, the others are 0.
    fn unit(graph: &mut Graph, parameter: usize) -> Masses {
        let (zero, one) = (graph.zero(), graph.number(Number::ONE));
        let mut all = [zero; 10];
        all[parameter] = one;
        let [mass, x, y, z, inertia @ ..] = all;
        Masses {
            mass,
            first: [x, y, z],
            second: turned_inside(graph, &Symmetric(inertia), Number::HALF),
        }
    }
}

/// factor tr X − X: I of S with the factor 1, S of I with ½.
fn turned_inside(graph: &mut Graph, of: &Symmetric, factor: Number) -> Symmetric {
    let trace = [0, 1, 2].map_each(|k| (of.get(k, k), factor));
    Symmetric::from(|(i, j)| {
        let entry = (of.get(i, j), Number::MINUS_ONE);
        if i != j {
            return graph.sum(&[entry]);
        }
        graph.sum(&[&trace[..], &[entry]].concat())
    })
}

impl Tree {
    /// The columns of Y, one for each parameter of the links with bodies, with an entry for each velocity.
    pub fn regressor(
        &self,
        graph: &mut Graph,
        velocities: usize,
        given: Given<'_>,
    ) -> Vec<Vec<ExprId>> {
        let motions = self.motions(graph, given);
        let mut columns = Vec::new();
        for (i, motion) in motions.iter().enumerate() {
            if self.links[i].name.is_none() {
                continue;
            }
            for load in unit_loads(graph, motion) {
                columns.push(self.forces_of(graph, velocities, i, load));
            }
        }
        columns
    }

    /// The forces that hold a load at a link.
    fn forces_of(
        &self,
        graph: &mut Graph,
        velocities: usize,
        mut at: usize,
        mut load: [Vector; 2],
    ) -> Vec<ExprId> {
        let mut terms = vec![Vec::new(); velocities];
        loop {
            let link = &self.links[at];
            for column in link.columns() {
                let power = link.virtual_power(graph, column, &load);
                terms[column].push((power, Number::ONE));
            }
            let Some(before) = link.from else {
                return terms.iter().map(|terms| graph.sum(terms)).collect_vec();
            };
            load = link.passed(graph, &load);
            at = before;
        }
    }

    /// The columns of a link that follow from others, for the reasons above.
    pub fn relations(&self, graph: &mut Graph, link: usize) -> Vec<Relation> {
        let link = &self.links[link];
        let before =
            |graph: &mut Graph, masses: &Masses| Some((link.from?, masses.parameters(graph)));
        let (zero, one) = (graph.zero(), graph.number(Number::ONE));
        if link.turn.is_fixed() {
            return (INERTIA..PARAMETERS.len())
                .map(|of| {
                    let turned = Masses::unit(graph, of).out(graph, &link.turn, &[zero; 3]);
                    Relation {
                        of,
                        own: Vec::new(),
                        before: before(graph, &turned),
                    }
                })
                .collect_vec();
        }
        let Some(axis) = link.axis(graph) else {
            return Vec::new();
        };
        let outside = link.turn.fixed_out(graph, &axis);
        let moments =
            [0, 1, 2].map_each(|k| [0, 1, 2].map_each(|i| if i == k { one } else { zero }));
        let relations = moments.map(|moments| {
            let own = Masses::rod(graph, moments, &axis).parameters(graph);
            let moved = Masses::rod(graph, moments, &outside).moved(graph, &link.place);
            let of = (0..PARAMETERS.len()).rev().find(|&k| {
                let is_mixed = [INERTIA + 1, INERTIA + 2, INERTIA + 4].contains(&k);
                !is_mixed && graph.as_number(own[k]).is_some_and(|it| !it.is_zero())
            })?;
            let scale = graph.recip(own[of]);
            let rest = (0..PARAMETERS.len()).filter(|&k| k != of && !graph.is_zero(own[k]));
            let rest: Vec<usize> = rest.collect_vec();
            let rest = rest.into_iter().map(|k| {
                let part = graph.mul(scale, own[k]);
                (k, graph.neg(part))
            });
            Some(Relation {
                of,
                own: rest.collect_vec(),
                before: before(graph, &moved)
                    .map(|(link, all)| (link, all.map_each(|it| graph.mul(scale, it)))),
            })
        });
        relations.into_iter().flatten().collect_vec()
    }
}

impl Link {
    /// The axis about which it turns, in its own frame, if that and its origin are fixed in the frame before it.
    fn axis(&self, graph: &Graph) -> Option<Vector> {
        let [(_, axis)] = self.spin_columns[..] else {
            return None;
        };
        let is_constant = axis.iter().all(|&it| graph.as_number(it).is_some());
        (is_constant && self.is_still(graph)).then_some(axis)
    }
}

/// Force and torque about the origin for each parameter of a link: a for m, B eₖ and eₖ×a for m c, and I ω̇ + ω×(I ω).
fn unit_loads(graph: &mut Graph, motion: &Motion) -> [[Vector; 2]; 10] {
    let (zero, one) = (graph.zero(), graph.number(Number::ONE));
    let none = [zero; 3];
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map_each(|parameter| {
        let mut all = [zero; 10];
        all[parameter] = one;
        let [mass, x, y, z, inertia @ ..] = all;
        let first = [x, y, z];
        if mass == one {
            return [motion.acceleration, none];
        }
        if first.contains(&one) {
            let lever = graph.cross(first, motion.acceleration);
            return [motion.pulled(graph, &first), lever];
        }
        let inertia = Symmetric(inertia);
        let onward = inertia.times(graph, &motion.spin_rate);
        let momentum = inertia.times(graph, &motion.spin);
        let turning = graph.cross(motion.spin, momentum);
        [none, sum(graph, [&onward, &turning])]
    })
}
