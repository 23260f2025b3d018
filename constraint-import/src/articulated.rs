//! Inertias of trees of joints, from the last joints to the first: each in a time proportional to the number of joints.
//!
//! Featherstone, Rigid Body Dynamics Algorithms (2008), section 7.2: the articulated inertia A of a joint is what its subtree
//! resists while the joints in it move freely, D = sᵀ A s the pivot of M in the order from the ends to the root. Twists and
//! wrenches are in the axes of the world, about the origin of the frame that the joint moves; rotations come first. Coordinates
//! that follow others count as free.

use std::collections::HashMap;

use crate::forward::{Motion, Moved, WORLD};
use crate::robot::{Base, Robot, Step};
use crate::spatial::{self, Inertia, Vector, apply, cross, subtract, unit};

/// A twist or a wrench.
pub type Six = [f64; 6];
/// A map between them.
type SixBySix = [Six; 6];

const ZERO: SixBySix = [[0.0; 6]; 6];

/// A frame that moves: by a coordinate, or freely.
struct Joint {
    /// The one before, unless that is the world.
    parent: Option<usize>,
    /// Its origin.
    point: Vector,
    /// Its coordinate, and the twist of a unit rate.
    moved: Option<(usize, Six)>,
    /// The inertia of everything fixed to it.
    rigid: SixBySix,
}

/// The joints of a robot at a state, each after the one that it is placed from.
pub struct Joints {
    joints: Vec<Joint>,
    armatures: Vec<f64>,
    /// The joint that moves each link; `None` in the world.
    of_links: Vec<Option<usize>>,
    /// For each frame that moves freely its number, from 0.
    free: HashMap<usize, usize>,
}

/// What the elimination of a joint leaves.
#[derive(Clone, Copy)]
struct Pivot {
    /// A s
    wrench: Six,
    /// D, zero if no mass resists.
    size: f64,
}

/// A coordinate that nothing resists.
#[derive(Clone, Debug)]
pub struct Loose {
    /// The coordinate.
    pub coordinate: usize,
    /// True if mass moves with it while the joints after it are at rest.
    pub moves_mass: bool,
    /// Rates of it, and of coordinates after it, at which no mass moves.
    pub rates: Vec<(usize, f64)>,
}

/// Fraction of the sum of the terms of a pivot below which it is rounding noise.
const NOISE: f64 = 1e-10;

impl Joints {
    /// The joints at a state.
    pub fn of(robot: &Robot, motion: &Motion, exact: bool) -> Joints {
        let mut joints: Vec<Joint> = Vec::new();
        // For each link its joint and its frame.
        let mut placed: Vec<(Option<usize>, Moved)> = Vec::new();
        let mut free = motion.free.iter();
        for link in &robot.links {
            let (mut last, mut frame) = match link.base {
                Base::World => (None, WORLD),
                Base::Link(base) => placed[base],
                Base::Free => {
                    let frame = free.next().copied().unwrap_or(WORLD);
                    joints.push(Joint::new(None, frame.placement.place, None));
                    (Some(joints.len() - 1), frame)
                }
            };
            for step in &link.steps {
                frame = robot.stepped(frame, step, motion, exact);
                if let Some(twist) = twist(step, &frame) {
                    let place = frame.placement.place;
                    joints.push(Joint::new(last, place, Some(twist)));
                    last = Some(joints.len() - 1);
                }
            }
            if let (Some(last), Some(inertial)) = (last, &link.inertial) {
                let joint = &mut joints[last];
                let inertia = inertial.in_link(exact).seen(&frame.placement);
                let resistance = link.resistance.armature;
                add(&mut joint.rigid, &rigid(&inertia, joint.point, resistance));
            }
            placed.push((last, frame));
        }
        let armatures = robot.coordinates.iter().map(|it| it.armature);
        let free = (0..joints.len()).filter(|k| joints[*k].moved.is_none());
        let free = free.enumerate().map(|(number, k)| (k, number)).collect();
        Joints {
            joints,
            armatures: armatures.collect(),
            of_links: placed.iter().map(|it| it.0).collect(),
            free,
        }
    }

    /// The joints from a link to the root.
    pub fn path(&self, link: usize) -> Vec<usize> {
        let mut path = Vec::new();
        let mut next = self.of_links[link];
        while let Some(joint) = next {
            path.push(joint);
            next = self.joints[joint].parent;
        }
        path
    }

    /// The coordinates of a joint with their twists; those of free frames come after all coordinates of the robot.
    pub fn twists(&self, joint: usize) -> Vec<(usize, Six)> {
        if let Some(moved) = self.joints[joint].moved {
            return vec![moved];
        }
        let first = self.armatures.len() + 6 * self.free[&joint];
        let twists = (0..6).map(|i| {
            let mut twist = [0.0; 6];
            twist[i] = 1.0;
            (first + i, twist)
        });
        twists.collect()
    }

    /// A frame that moves with a twist of a joint.
    pub fn moved(&self, joint: usize, twist: &Six, frame: Moved) -> Moved {
        let [x, y, z, u, v, w] = *twist;
        let arm = subtract(frame.placement.place, self.joints[joint].point);
        Moved {
            velocity: spatial::add([u, v, w], cross([x, y, z], arm)),
            spin: [x, y, z],
            ..frame
        }
    }

    /// The entries of M on its diagonal.
    pub fn inertias(&self) -> Vec<f64> {
        let mut inertias = vec![0.0; self.armatures.len()];
        let mut composite: Vec<SixBySix> = self.joints.iter().map(|it| it.rigid).collect();
        for (k, joint) in self.joints.iter().enumerate().rev() {
            if let Some((coordinate, twist)) = &joint.moved {
                let own = dot(twist, &times(&composite[k], twist));
                inertias[*coordinate] = own + self.armatures[*coordinate];
            }
            if let Some(parent) = joint.parent {
                let carried = self.carried(k, parent, &composite[k]);
                add(&mut composite[parent], &carried);
            }
        }
        inertias
    }

    /// The entries of M⁻¹ on its diagonal; infinite or no number where M is singular.
    ///
    /// Kreutz-Delgado, Jain, Rodriguez 1992: the inverse inertia Λ of a link, from the root to the ends.
    pub fn mobilities(&self) -> Vec<f64> {
        let mut mobilities = vec![0.0; self.armatures.len()];
        let (pivots, articulated, _) = self.eliminated();
        let mut inverse: Vec<SixBySix> = Vec::new();
        for (k, joint) in self.joints.iter().enumerate() {
            let before = joint.parent.map_or(ZERO, |parent| {
                let shift = shift(subtract(joint.point, self.joints[parent].point));
                product(&product(&shift, &inverse[parent]), &transposed(&shift))
            });
            let (Some((coordinate, twist)), Some(Pivot { wrench, size })) =
                (joint.moved, pivots[k])
            else {
                inverse.push(inverted(&articulated[k]));
                continue;
            };
            let moved = times(&before, &wrench);
            mobilities[coordinate] = (1.0 + dot(&wrench, &moved) / size) / size;
            // (1 − s uᵀ/D) Λ (1 − u sᵀ/D) + s sᵀ/D with u = A s.
            let mut own = before;
            add_outer(&mut own, &twist, &moved, -1.0 / size);
            add_outer(&mut own, &moved, &twist, -1.0 / size);
            add_outer(&mut own, &twist, &twist, mobilities[coordinate]);
            inverse.push(own);
        }
        mobilities
    }

    /// jᵀ M⁻¹ j of a row j with few entries.
    pub fn mobility(&self, row: &[(usize, f64)]) -> f64 {
        let (pivots, articulated, _) = self.eliminated();
        let mut forces = vec![0.0; self.armatures.len()];
        for (k, force) in row {
            forces[*k] += force;
        }
        // The forces that remain for the joints before: j without what the joints after take.
        let mut wrenches: Vec<Six> = vec![[0.0; 6]; self.joints.len()];
        let mut rates = vec![0.0; self.joints.len()];
        for (k, joint) in self.joints.iter().enumerate().rev() {
            let mut left = wrenches[k];
            if let (Some((coordinate, twist)), Some(pivot)) = (&joint.moved, &pivots[k]) {
                rates[k] = (forces[*coordinate] - dot(twist, &left)) / pivot.size;
                left = [0, 1, 2, 3, 4, 5].map(|i| left[i] + rates[k] * pivot.wrench[i]);
            }
            let Some(parent) = joint.parent else {
                continue;
            };
            let shift = shift(subtract(joint.point, self.joints[parent].point));
            let carried = times(&transposed(&shift), &left);
            wrenches[parent] = [0, 1, 2, 3, 4, 5].map(|i| wrenches[parent][i] + carried[i]);
        }
        let mut sum = 0.0;
        let mut moved: Vec<Six> = Vec::new();
        for (k, joint) in self.joints.iter().enumerate() {
            let mut own = joint.parent.map_or([0.0; 6], |parent| {
                let shift = shift(subtract(joint.point, self.joints[parent].point));
                times(&shift, &moved[parent])
            });
            match (&joint.moved, &pivots[k]) {
                (Some((coordinate, twist)), Some(pivot)) => {
                    let rate = rates[k] - dot(&pivot.wrench, &own) / pivot.size;
                    sum += rate * forces[*coordinate];
                    own = [0, 1, 2, 3, 4, 5].map(|i| own[i] + rate * twist[i]);
                }
                _ => own = times(&inverted(&articulated[k]), &wrenches[k]).map(|x| -x),
            }
            moved.push(own);
        }
        sum
    }

    /// The coordinates that nothing resists, in the order of the joints.
    pub fn loose(&self) -> Vec<Loose> {
        let (pivots, _, sizes) = self.eliminated();
        let is_loose = |k: &usize| pivots[*k].is_some_and(|it| it.size == 0.0);
        let loose: Vec<usize> = (0..self.joints.len()).filter(is_loose).collect();
        if loose.is_empty() {
            return Vec::new();
        }
        let inertias = self.inertias();
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.joints.len()];
        for (k, joint) in self.joints.iter().enumerate() {
            if let Some(parent) = joint.parent {
                children[parent].push(k);
            }
        }
        let found = loose.into_iter().filter_map(|k| {
            let (coordinate, _) = self.joints[k].moved?;
            Some(Loose {
                coordinate,
                moves_mass: inertias[coordinate] > 0.0 && sizes[k] > 0.0,
                rates: self.at_rest_but(k, &children, &pivots),
            })
        });
        found.collect()
    }

    /// The rates with a unit rate of one joint at which the joints after it keep all mass at rest.
    fn at_rest_but(
        &self,
        first: usize,
        children: &[Vec<usize>],
        pivots: &[Option<Pivot>],
    ) -> Vec<(usize, f64)> {
        let Some((coordinate, twist)) = self.joints[first].moved else {
            return Vec::new();
        };
        let mut rates = vec![(coordinate, 1.0)];
        let mut waiting = vec![(first, twist)];
        while let Some((parent, moving)) = waiting.pop() {
            for &k in &children[parent] {
                let joint = &self.joints[k];
                let shift = shift(subtract(joint.point, self.joints[parent].point));
                let mut own = times(&shift, &moving);
                if let (Some((coordinate, twist)), Some(pivot)) = (&joint.moved, &pivots[k])
                    && pivot.size > 0.0
                {
                    let rate = -dot(&pivot.wrench, &own) / pivot.size;
                    rates.push((*coordinate, rate));
                    own = [0, 1, 2, 3, 4, 5].map(|i| own[i] + rate * twist[i]);
                }
                waiting.push((k, own));
            }
        }
        rates
    }

    /// For each joint its pivot and its articulated inertia, and the sum of the terms of the pivot without cancellation.
    fn eliminated(&self) -> (Vec<Option<Pivot>>, Vec<SixBySix>, Vec<f64>) {
        let mut pivots = vec![None; self.joints.len()];
        let mut terms = vec![0.0; self.joints.len()];
        let mut articulated: Vec<SixBySix> = self.joints.iter().map(|it| it.rigid).collect();
        // All that was added, reduced by the same eliminations: what a rounding error may be a part of.
        let mut sizes = articulated.clone();
        for (k, joint) in self.joints.iter().enumerate().rev() {
            let whole = articulated[k];
            let (mut left, mut size) = (whole, sizes[k]);
            if let Some((coordinate, twist)) = &joint.moved {
                let armature = self.armatures[*coordinate];
                let (wrench, of_size) = (times(&whole, twist), times(&size, twist));
                let square = dot(twist, &of_size);
                let pivot = dot(twist, &wrench) + armature;
                terms[k] = square + armature;
                let is_noise = pivot <= NOISE * terms[k];
                pivots[k] = Some(Pivot {
                    wrench,
                    size: if is_noise { 0.0 } else { pivot },
                });
                if !is_noise {
                    add_outer(&mut left, &wrench, &wrench, -1.0 / pivot);
                    add_outer(&mut size, &wrench, &of_size, -1.0 / pivot);
                    add_outer(&mut size, &of_size, &wrench, -1.0 / pivot);
                    add_outer(&mut size, &wrench, &wrench, square / (pivot * pivot));
                }
            }
            add(&mut size, &whole);
            if let Some(parent) = joint.parent {
                let carried = self.carried(k, parent, &left);
                add(&mut articulated[parent], &carried);
                let carried = self.carried(k, parent, &size);
                add(&mut sizes[parent], &carried);
            }
        }
        (pivots, articulated, terms)
    }

    /// An inertia of a joint about the origin of the joint before.
    fn carried(&self, joint: usize, parent: usize, inertia: &SixBySix) -> SixBySix {
        let [own, before] = [joint, parent].map(|it| self.joints[it].point);
        let shift = shift(subtract(own, before));
        product(&product(&transposed(&shift), inertia), &shift)
    }
}

impl Joint {
    fn new(parent: Option<usize>, point: Vector, moved: Option<(usize, Six)>) -> Joint {
        Joint {
            parent,
            point,
            moved,
            rigid: ZERO,
        }
    }
}

/// The coordinate of a step, and the twist of the frame after it for a unit rate.
fn twist(step: &Step, frame: &Moved) -> Option<(usize, Six)> {
    let direction = |axis: Vector| apply(&frame.placement.turn, unit(axis));
    match *step {
        Step::Hinge(axis, k) => {
            let [x, y, z] = direction(axis);
            Some((k, [x, y, z, 0.0, 0.0, 0.0]))
        }
        Step::Slide(axis, k) => {
            let [x, y, z] = direction(axis);
            Some((k, [0.0, 0.0, 0.0, x, y, z]))
        }
        Step::Place(_) | Step::Turn(..) => None,
    }
}

/// The inertia of a body about a point, with the terms that resist every velocity equally.
fn rigid(inertia: &Inertia, point: Vector, resistance: f64) -> SixBySix {
    let about = inertia.about(point);
    let r = subtract(inertia.centre, point).map(|x| inertia.mass * x);
    let mut whole = ZERO;
    for i in 0..3 {
        for j in 0..3 {
            whole[i][j] = about[i][j];
        }
        let mut axis = [0.0; 3];
        axis[i] = 1.0;
        // m r × v
        let moment = cross(r, axis);
        for j in 0..3 {
            (whole[j][i + 3], whole[i + 3][j]) = (moment[j], moment[j]);
        }
        whole[i][i] += resistance;
        whole[i + 3][i + 3] = inertia.mass + resistance;
    }
    whole
}

/// The twist at a point that is d away: v + ω × d.
fn shift(d: Vector) -> SixBySix {
    let mut shift = ZERO;
    for i in 0..3 {
        let mut axis = [0.0; 3];
        axis[i] = 1.0;
        let moved = cross(axis, d);
        (shift[i][i], shift[i + 3][i + 3]) = (1.0, 1.0);
        for j in 0..3 {
            shift[j + 3][i] = moved[j];
        }
    }
    shift
}

fn dot(a: &Six, b: &Six) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn times(a: &SixBySix, x: &Six) -> Six {
    [0, 1, 2, 3, 4, 5].map(|i| dot(&a[i], x))
}

fn transposed(a: &SixBySix) -> SixBySix {
    let mut transposed = ZERO;
    for (i, row) in a.iter().enumerate() {
        for (j, x) in row.iter().enumerate() {
            transposed[j][i] = *x;
        }
    }
    transposed
}

fn product(a: &SixBySix, b: &SixBySix) -> SixBySix {
    let mut product = ZERO;
    for (row, of_a) in product.iter_mut().zip(a) {
        for (x, of_b) in of_a.iter().zip(b) {
            if *x != 0.0 {
                for (sum, y) in row.iter_mut().zip(of_b) {
                    *sum += x * y;
                }
            }
        }
    }
    product
}

fn add(sum: &mut SixBySix, more: &SixBySix) {
    for (sum, more) in sum.iter_mut().flatten().zip(more.iter().flatten()) {
        *sum += more;
    }
}

/// Adds factor·a bᵀ.
fn add_outer(sum: &mut SixBySix, a: &Six, b: &Six, factor: f64) {
    for (row, x) in sum.iter_mut().zip(a) {
        for (sum, y) in row.iter_mut().zip(b) {
            *sum += factor * x * y;
        }
    }
}

/// The inverse of a positive definite matrix, by elimination without exchanges.
fn inverted(a: &SixBySix) -> SixBySix {
    let (mut a, mut inverse) = (*a, ZERO);
    for (i, row) in inverse.iter_mut().enumerate() {
        row[i] = 1.0;
    }
    for k in 0..6 {
        let pivot = 1.0 / a[k][k];
        let (row, right) = (a[k].map(|x| x * pivot), inverse[k].map(|x| x * pivot));
        for i in 0..6 {
            let factor = a[i][k];
            for j in 0..6 {
                a[i][j] -= factor * row[j];
                inverse[i][j] -= factor * right[j];
            }
        }
        (a[k], inverse[k]) = (row, right);
    }
    inverse
}
