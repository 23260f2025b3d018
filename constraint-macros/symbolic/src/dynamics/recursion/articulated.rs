//! M x = h without M, by articulated bodies: once back through the tree, once forth.
//!
//! ```text
//! back    U = Λ S,   D = Sᵀ U,   u = h − Sᵀ p        Λ₋ += Λ − U D⁻¹ Uᵀ,   p₋ += p + U D⁻¹ u
//! forth   x = D⁻¹ (u − Uᵀ a₋),   a = a₋ + S x
//! ```
//! Λ is the inertia that a link has for the link before it, with all that hangs on it, where joints beyond move as they like: it
//! takes the force Λ a + p to accelerate it by a = (linear, angular). S are the joint's columns. h holds what velocities and
//! weight take, so that p begins at 0. D are the pivots of M, eliminated from the last link to the first. Featherstone, *Rigid
//! Body Dynamics Algorithms*, chapter 7.

use super::masses::Masses;
use super::symmetric::Symmetric;
use super::tree::{Link, Tree};
use super::turn::Turn;
use super::vector::{Pair, Vector, others, scaled, sum, sum_of_pairs};
use crate::expr::{CollectVec, ExprId, Graph, MapEach, Number};
use crate::solve::Sparse;

/// f = A a + B α, n = Bᵀ a + C α
#[derive(Clone, Debug)]
pub struct Inertia {
    linear: Symmetric,
    /// B, by rows.
    mixed: [Vector; 3],
    angular: Symmetric,
}

/// M⁻¹ h
#[derive(Clone, Debug)]
pub struct Unconstrained {
    /// v̇ of each velocity.
    pub accelerations: Vec<ExprId>,
    /// The pivots of M, with the numbers of their velocities.
    pub pivots: Vec<(usize, ExprId)>,
}

/// Joints eliminated back through a tree.
#[derive(Debug)]
pub struct Back {
    /// Of each link, the last link first.
    joints: Vec<Vec<Eliminated>>,
    /// Λ
    pub inertia: Inertia,
    /// and p of the whole for what is before the first links, if that is another tree.
    pub load: Pair,
}

impl Back {
    /// The pivots of M, with the numbers of their velocities.
    pub fn pivots(&self) -> impl Iterator<Item = (usize, ExprId)> {
        let eliminated = self.joints.iter().flatten();
        eliminated.map(|it| (it.number, it.pivot))
    }
}

/// A velocity that is eliminated.
#[derive(Debug)]
struct Eliminated {
    /// Its number.
    number: usize,
    /// S
    moves: Pair,
    /// U
    load: Pair,
    /// D
    pivot: ExprId,
    /// D⁻¹
    inverse: ExprId,
    /// D⁻¹ u
    share: ExprId,
}

impl Tree {
    /// x of M x = h and the pivots. To the M of the tree comes the diagonal matrix `rest`. `None` if two joints share a velocity or
    /// `rest` is not diagonal.
    pub fn solve(&self, graph: &mut Graph, rest: &Sparse, h: &[ExprId]) -> Option<Unconstrained> {
        let zero = graph.zero();
        let moved = self.moved(h.len())?;
        if !rest.is_diagonal() {
            return None;
        }
        let back = self.back(graph, (rest, h), &[]);
        let mut x = vec![zero; h.len()];
        for i in (0..h.len()).filter(|&i| !moved[i]) {
            x[i] = graph.div(h[i], rest.get(i, i)?);
        }
        self.forth(graph, &back, [[zero; 3]; 2], &mut x);
        Some(Unconstrained {
            accelerations: x,
            pivots: back.pivots().collect_vec(),
        })
    }

    /// Eliminates the joints, with inertias that hang on links.
    pub fn back(
        &self,
        graph: &mut Graph,
        (rest, h): (&Sparse, &[ExprId]),
        hung: &[(usize, Inertia)],
    ) -> Back {
        let still = [[graph.zero(); 3]; 2];
        let inertias = self.links.iter().map(|it| Inertia::of(graph, &it.masses));
        let mut inertias: Vec<Inertia> = inertias.collect_vec();
        for (link, inertia) in hung {
            inertias[*link] = inertias[*link].plus(graph, inertia);
        }
        let end = inertias.len();
        inertias.push(Inertia::none(graph));
        let mut loads = vec![still; end + 1];
        let mut joints = Vec::with_capacity(end);
        for (i, link) in self.links.iter().enumerate().rev() {
            let before = link.from.or(self.hangs.then_some(end));
            let own = (&mut inertias[i], &mut loads[i]);
            joints.push(link.eliminated(graph, own, (rest, h), before.is_some()));
            if let Some(before) = before {
                let out = inertias[i].out(graph, &link.turn, &link.place);
                inertias[before] = inertias[before].plus(graph, &out);
                let passed = link.passed(graph, &loads[i]);
                loads[before] = sum_of_pairs(graph, [&loads[before], &passed]);
            }
        }
        Back {
            joints,
            inertia: inertias.swap_remove(end),
            load: loads[end],
        }
    }

    /// Writes x, given the acceleration of the base on which the first links hang; returns the motions of the links.
    pub fn forth(&self, graph: &mut Graph, back: &Back, base: Pair, x: &mut [ExprId]) -> Vec<Pair> {
        let mut motions: Vec<Pair> = Vec::with_capacity(self.links.len());
        for (link, joint) in self.links.iter().zip(back.joints.iter().rev()) {
            let before = link.from.map_or(base, |from| motions[from]);
            motions.push(link.accelerated(graph, &before, joint, x));
        }
        motions
    }

    /// The velocities that move a link; `None` if one moves two.
    fn moved(&self, count: usize) -> Option<Vec<bool>> {
        let mut moved = vec![false; count];
        for column in self.links.iter().flat_map(Link::columns) {
            if std::mem::replace(&mut moved[column], true) {
                return None;
            }
        }
        Some(moved)
    }
}

impl Link {
    /// Eliminates its velocities; the inertia and the load are those for the link before it then.
    fn eliminated(
        &self,
        graph: &mut Graph,
        (inertia, load): (&mut Inertia, &mut Pair),
        (rest, h): (&Sparse, &[ExprId]),
        hangs: bool,
    ) -> Vec<Eliminated> {
        let zero = graph.zero();
        let mut found = Vec::new();
        let numbers = self.columns();
        for &number in &numbers {
            let [turning, sliding] = self.slopes(zero, number);
            let moves = [self.turn.own(graph, &sliding), turning];
            let pushed = inertia.times(graph, &moves);
            let pivot = power(graph, &moves, &pushed);
            let pivot = rest
                .get(number, number)
                .map_or(pivot, |entry| graph.add(pivot, entry));
            let given = power(graph, &moves, load);
            let u = graph.sub(h[number], given);
            let inverse = graph.recip(pivot);
            let share = graph.mul(inverse, u);
            if hangs || Some(&number) != numbers.last() {
                inertia.release(graph, &pushed, inverse);
                if rest.get(number, number).is_none() {
                    inertia.clear(graph, &moves);
                }
                *load = [0, 1].map_each(|k| {
                    let own = scaled(graph, share, &pushed[k]);
                    sum(graph, [&load[k], &own])
                });
            }
            found.push(Eliminated {
                number,
                moves,
                load: pushed,
                pivot,
                inverse,
                share,
            });
        }
        found
    }

    /// Its motion, after that of the link before it; the velocities eliminated last come first.
    fn accelerated(
        &self,
        graph: &mut Graph,
        [linear, angular]: &Pair,
        joint: &[Eliminated],
        x: &mut [ExprId],
    ) -> Pair {
        let swept = graph.cross(*angular, self.place);
        let carried = sum(graph, [linear, &swept]);
        let mut motion = [&carried, angular].map_each(|it| self.turn.own(graph, it));
        for it in joint.iter().rev() {
            let taken = power(graph, &motion, &it.load);
            let taken = graph.mul(it.inverse, taken);
            x[it.number] = graph.sub(it.share, taken);
            motion = [0, 1].map_each(|k| {
                let own = scaled(graph, x[it.number], &it.moves[k]);
                sum(graph, [&motion[k], &own])
            });
        }
        motion
    }
}

/// Sᵀ f of a motion and a load.
fn power(graph: &mut Graph, moves: &Pair, load: &Pair) -> ExprId {
    let parts = [0, 1].map_each(|k| (graph.dot(&moves[k], &load[k]), Number::ONE));
    graph.sum(&parts)
}

impl Inertia {
    /// Of masses that move as one: f = m a − s×α, n = s×a + (tr S − S) α.
    fn of(graph: &mut Graph, masses: &Masses) -> Inertia {
        let zero = graph.zero();
        let [x, y, z] = masses.first;
        let [minus_x, minus_y, minus_z] = masses.first.map_each(|it| graph.neg(it));
        let second = &masses.second;
        Inertia {
            linear: Symmetric::from(|(i, j)| if i == j { masses.mass } else { zero }),
            mixed: [[zero, z, minus_y], [minus_z, zero, x], [y, minus_x, zero]],
            angular: Symmetric::from(|(i, j)| match i == j {
                true => {
                    let [k, l] = others(i).map_each(|k| second.get(k, k));
                    graph.add(k, l)
                }
                false => graph.neg(second.get(i, j)),
            }),
        }
    }

    /// 0
    pub fn none(graph: &mut Graph) -> Inertia {
        let zero = graph.zero();
        Inertia {
            linear: Symmetric([zero; 6]),
            mixed: [[zero; 3]; 3],
            angular: Symmetric([zero; 6]),
        }
    }

    /// All its entries.
    pub fn expressions_mut(&mut self) -> impl Iterator<Item = &mut ExprId> {
        let symmetric = [&mut self.linear, &mut self.angular];
        let symmetric = symmetric.into_iter().flat_map(|it| &mut it.0);
        symmetric.chain(self.mixed.as_flattened_mut())
    }

    fn mixed_column(&self, k: usize) -> Vector {
        self.mixed.map_each(|row| row[k])
    }

    /// The load that a motion takes.
    fn times(&self, graph: &mut Graph, [linear, angular]: &Pair) -> Pair {
        let force = self.linear.times(graph, linear);
        let torque = self.angular.times(graph, angular);
        let by_turning = [0, 1, 2].map_each(|i| graph.dot(&self.mixed[i], angular));
        let by_moving = [0, 1, 2].map_each(|k| graph.dot(&self.mixed_column(k), linear));
        [
            sum(graph, [&force, &by_turning]),
            sum(graph, [&torque, &by_moving]),
        ]
    }

    /// Λ − U D⁻¹ Uᵀ.
    fn release(&mut self, graph: &mut Graph, [force, torque]: &Pair, inverse: ExprId) {
        let [of_force, of_torque] = [force, torque].map_each(|it| scaled(graph, inverse, it));
        let less = |graph: &mut Graph, entry: ExprId, a: ExprId, b: ExprId| {
            let product = graph.mul(a, b);
            graph.sub(entry, product)
        };
        let (linear, angular) = (self.linear.clone(), self.angular.clone());
        self.linear =
            Symmetric::from(|(i, j)| less(graph, linear.get(i, j), of_force[i], force[j]));
        self.angular =
            Symmetric::from(|(i, j)| less(graph, angular.get(i, j), of_torque[i], torque[j]));
        let mixed = self.mixed;
        self.mixed = [0, 1, 2]
            .map_each(|i| [0, 1, 2].map_each(|k| less(graph, mixed[i][k], of_force[i], torque[k])));
    }

    /// Nothing is left along the axis of a joint without inertia of its own.
    fn clear(&mut self, graph: &mut Graph, moves: &Pair) {
        let (zero, one) = (graph.zero(), graph.number(Number::ONE));
        let unit = |k: usize| [0, 1, 2].map_each(|i| if i == k { one } else { zero });
        let still = [zero; 3];
        for k in 0..3 {
            if *moves == [still, unit(k)] {
                self.angular.clear_axis(zero, k);
                self.mixed.iter_mut().for_each(|row| row[k] = zero);
            }
            if *moves == [unit(k), still] {
                self.linear.clear_axis(zero, k);
                self.mixed[k] = still;
            }
        }
    }

    /// In the frame before the link, about its origin: with P = p×, B − A P and C + P (B − A P) − Bᵀ P.
    fn out(&self, graph: &mut Graph, turn: &Turn, place: &Vector) -> Inertia {
        let linear = turn.out_symmetric(graph, &self.linear);
        let angular = turn.out_symmetric(graph, &self.angular);
        let columns = [0, 1, 2].map_each(|k| turn.out(graph, &self.mixed_column(k)));
        let turned = [0, 1, 2].map_each(|i| turn.out(graph, &columns.map_each(|column| column[i])));
        // Row i of A P is −p×Aᵢ = Aᵢ×p.
        let mixed = [0, 1, 2].map_each(|i| {
            let row = [0, 1, 2].map_each(|k| linear.get(i, k));
            let swept = graph.cross(row, *place);
            [0, 1, 2].map_each(|k| graph.sub(turned[i][k], swept[k]))
        });
        // Column j of P B′ is p×B′ⱼ, row i of Bᵀ P is Bᵀᵢ×p.
        let lifted = [0, 1, 2].map_each(|j| graph.cross(*place, mixed.map_each(|row| row[j])));
        let swept = [0, 1, 2].map_each(|i| graph.cross(turned.map_each(|row| row[i]), *place));
        let angular = Symmetric::from(|(i, j)| {
            let terms = [
                (angular.get(i, j), Number::ONE),
                (lifted[j][i], Number::ONE),
                (swept[i][j], Number::MINUS_ONE),
            ];
            graph.sum(&terms)
        });
        Inertia {
            linear,
            mixed,
            angular,
        }
    }

    fn plus(&self, graph: &mut Graph, other: &Inertia) -> Inertia {
        Inertia {
            linear: self.linear.plus(graph, &other.linear),
            mixed: [0, 1, 2].map_each(|i| sum(graph, [&self.mixed[i], &other.mixed[i]])),
            angular: self.angular.plus(graph, &other.angular),
        }
    }
}
