//! Derivatives of v̇ and λ, element by element: the equations are differentiated, never their solution.
//!
//! ```text
//! of an element, in the frame that it is solved in, u its accelerations there:
//!   G = h + J′ᵀ x − M u,     B = β′ + J′ u of each of its rows
//! along   u, f = W δG         A δx = −Σ (δB + J′ f)             δu = f + W J′ᵀ δx,   δv̇ = R δu + δθ×v̇
//! back    y from              A y = Σ J′ W Rᵀ v̇* + λ*/c         g = W (Rᵀ v̇* − J′ᵀ y)
//!         the gradient of     g·G − y·B + v̇*·R u + λ*·x/c,      where g, y, u and x do not vary
//! ```
//! of a correction w in the place of u, whose unknowns are x: h = 0, and −C/c or −Ċ/c is in the place of β′.
//!
//! A leaf moves along a tangent by a rate that is linear in it: a coordinate by its own entry, an arm r = R s of a body by
//! δθ×r + R δs.

use super::super::leaves;
use super::super::routine::{Array, By, Routine, Slot, Varied};
use super::super::sensitivity::varied;
use super::blocks::Backwards;
use super::contribution::{Contribution, Contributions, ElementFrame, Found};
use super::derivation::{Bodies, FEWEST_ROUNDS, Pool, Solved};
use super::places::Places;
use super::second_pass::Arrays;
use super::structure::{Filled, Work};
use crate::diff::{Taylor, gradient};
use crate::dynamics::{self, Frame};
use crate::expr::{ExprId, Map, Number, SymbolId};
use crate::kinematics;
use crate::solve::{SparseRow, divide_terms};

/// What is solved for after the first unknowns.
#[derive(Clone, Copy)]
pub(super) struct Second {
    arrays: Arrays,
    /// Whether multipliers are results, and whether they are added where their scale varies.
    multipliers: Option<bool>,
}

const BESIDE: Arrays = Arrays {
    unknowns: Array::SolutionBeside,
    taken: Array::RightBeside,
    counted: None,
    given: None,
};

/// A variation along a tangent.
pub(super) const ALONG: Second = Second {
    arrays: BESIDE,
    multipliers: Some(true),
};

/// The adjoint equations.
pub(super) const BACK: Second = Second {
    arrays: Arrays {
        counted: Some(Array::MultiplierAdjoint),
        ..BESIDE
    },
    multipliers: None,
};

/// The adjoint equations of a correction.
pub(super) const BACK_FROM_CORRECTION: Second = Second {
    arrays: BESIDE,
    multipliers: None,
};

impl Second {
    fn backwards(self) -> Backwards {
        Backwards {
            unknowns: self.arrays.unknowns,
            multipliers: self.multipliers.map(|_| Array::Multipliers),
            adds_multipliers: self.multipliers == Some(true),
            moved: |it| &it.second.outputs,
        }
    }
}

impl Solved {
    /// The weights of what is solved for.
    fn counted(self) -> Pool {
        match self {
            Solved::Motion => Pool::Counted,
            Solved::PlaceCorrection | Solved::VelocityCorrection => Pool::CountedCorrection,
        }
    }
}

/// The equations of an element.
struct Residual {
    /// G, by velocity.
    motion: SparseRow,
    /// B, row by row.
    rows: Vec<ExprId>,
}

/// How leaves move along a tangent.
struct Moving {
    /// The entries of the tangent, as leaves.
    changes: Vec<ExprId>,
    /// Leaves, and their rates.
    rates: Vec<(ExprId, ExprId)>,
}

impl Bodies<'_> {
    /// The second unknowns of a routine that has solved for the first, and its results.
    pub(super) fn varied(
        &mut self,
        routine: &mut Routine,
        contributions: &Contributions,
        places: &mut Places,
        second: Second,
    ) {
        self.push_second(routine, contributions, places, second.arrays);
        self.backwards(routine, contributions, places, second.backwards());
    }

    fn push_second(
        &mut self,
        routine: &mut Routine,
        contributions: &Contributions,
        places: &mut Places,
        arrays: Arrays,
    ) {
        routine.stage_from(FEWEST_ROUNDS, |stage| {
            let mut filled = Filled::default();
            for work in self.structure.forwards() {
                if let Work::Joint(j) = work {
                    self.push_on(stage, contributions, places, (&mut filled, arrays), j);
                }
            }
        });
    }

    /// Both sweeps for each column, then what is added to the matrices.
    pub(super) fn columns(
        &mut self,
        routine: &mut Routine,
        contributions: &Contributions,
        places: &mut Places,
        multipliers: bool,
    ) {
        let second = Second {
            arrays: Arrays {
                given: Some(Array::Output),
                ..BESIDE
            },
            multipliers: multipliers.then_some(false),
        };
        let begin = routine.loops.len();
        self.varied(routine, contributions, places, second);
        let loops = routine.loops[begin..].iter_mut();
        loops.for_each(|it| it.per_column = true);
        let varied = self.system.given() + self.system.model.varied();
        routine.columns = 2 * self.system.coordinates.len() + varied;
        let used = self.movement(contributions, |it| &it.last);
        routine.stage_from(FEWEST_ROUNDS, |stage| {
            for e in 0..self.structure.elements.len() {
                let last = &contributions.of(e).last;
                if !last.is_empty() {
                    self.finish(stage, contributions, (&used[self.kinds.of[e]], last), e);
                }
            }
        });
    }

    // ---- what varies ------------------------------------------------------------------------------

    /// The entries of a tangent that an element's equations vary with, in the order of its slots; then those that all share.
    pub(super) fn directions(&self, e: usize) -> Vec<(Varied, usize)> {
        let mut directions = Vec::new();
        for &slot in &self.kinds.slots[e] {
            for direction in self.directions_of(slot) {
                if !directions.contains(&direction) {
                    directions.push(direction);
                }
            }
        }
        directions.extend(self.shared_leaves().into_iter().map(|it| it.1));
        directions
    }

    fn directions_of(&self, slot: Slot) -> Vec<(Varied, usize)> {
        match slot {
            Slot::Element(_, Array::Position, i) => {
                let element = &self.structure.elements[self.structure.element_of_position(i)];
                let column = element.columns.start + (i - element.positions.start);
                let spin = self.spin(&element.columns);
                let columns = if column < spin.start {
                    column..column + 1
                } else {
                    spin
                };
                columns.map(|c| (Varied::Coordinate, c)).collect()
            }
            Slot::Element(_, Array::Velocity, c) => vec![(Varied::Velocity, c)],
            Slot::Element(symbol, ..) => varied(self.system, symbol).into_iter().collect(),
            Slot::Record(_) => Vec::new(),
        }
    }

    /// The columns of ω among those of an element.
    fn spin(&self, columns: &std::ops::Range<usize>) -> std::ops::Range<usize> {
        let coordinates = self.system.coordinates[columns.clone()].iter();
        let plain = coordinates.filter(|it| it.position.is_some()).count();
        columns.start + plain..columns.end
    }

    /// Leaves that no element has of its own, and their places in a tangent.
    fn shared_leaves(&self) -> Vec<(SymbolId, (Varied, usize))> {
        let symbols = (0..self.system.model.symbols.len()).map(SymbolId::new);
        let shared = symbols.filter(|&it| leaves::slot(self.system, it).is_none());
        shared
            .filter_map(|it| Some((it, varied(self.system, it)?)))
            .collect()
    }

    /// An entry of a tangent, as a leaf.
    fn change(&mut self, direction: (Varied, usize)) -> ExprId {
        if let Some(&known) = self.changes.get(&direction) {
            return known;
        }
        let (symbol, leaf) = self.scratch("along");
        self.changes.insert(direction, leaf);
        self.direction_of.insert(symbol, direction);
        leaf
    }

    /// How the leaves of an element's equations move.
    fn moving(&mut self, e: usize) -> Moving {
        let directions = self.directions(e);
        let changes: Vec<ExprId> = directions.iter().map(|&it| self.change(it)).collect();
        let mut rates = self.plain_rates(e);
        let mut bodies: Vec<usize> = Vec::new();
        for &(of, c) in &directions {
            if of == Varied::Coordinate && self.system.coordinates[c].position.is_none() {
                bodies.extend(self.structure.elements[self.structure.element_of(c)].body);
            }
        }
        bodies.dedup();
        let mut constants = Taylor::new(self.seeds(&rates));
        for body in bodies {
            self.turning(body, &mut constants, &mut rates);
        }
        Moving { changes, rates }
    }

    /// The leaves that are entries of what a tangent varies.
    fn plain_rates(&mut self, e: usize) -> Vec<(ExprId, ExprId)> {
        let mut rates = Vec::new();
        for (of, c) in self.directions(e) {
            let coordinate = self.system.coordinates.get(c);
            let leaf = match of {
                Varied::Coordinate => coordinate.and_then(|it| it.position),
                Varied::Velocity => coordinate.map(|it| it.velocity),
                _ => None,
            };
            rates.extend(leaf.map(|leaf| (leaf, self.change((of, c)))));
        }
        let slots = self.kinds.slots[e].iter();
        let own = slots.filter_map(|slot| match *slot {
            Slot::Element(symbol, ..) => Some((symbol, varied(self.system, symbol)?)),
            Slot::Record(_) => None,
        });
        let others: Vec<_> = own.chain(self.shared_leaves()).collect();
        for (symbol, direction) in others {
            let leaf = self.graph().symbol(symbol);
            rates.push((leaf, self.change(direction)));
        }
        rates
    }

    fn seeds(&mut self, rates: &[(ExprId, ExprId)]) -> Vec<(ExprId, ExprId, ExprId)> {
        let zero = self.graph().zero();
        rates
            .iter()
            .map(|&(leaf, rate)| (leaf, rate, zero))
            .collect()
    }

    /// The leaves that turn with a body.
    fn turning(&mut self, body: usize, constants: &mut Taylor, rates: &mut Vec<(ExprId, ExprId)>) {
        let element = self.structure.element_of_body(body);
        let spin = self.spin(&self.structure.elements[element].columns);
        let turn: Vec<ExprId> = spin.map(|c| self.change((Varied::Coordinate, c))).collect();
        let model = &self.system.model;
        let graph = &mut self.derivation.graph;
        let rotation = &model.bodies[body].rotation;
        let changes = dynamics::turn_rate(graph, rotation, &turn, false);
        rates.extend(rotation.iter().copied().zip(changes));
        for &arm in &model.bodies[body].arms {
            let arm = &model.arms[arm];
            let fixed = arm.fixed.iter();
            let fixed: Vec<ExprId> = fixed.map(|&it| constants.first(graph, it)).collect();
            let mut changes = kinematics::turning(graph, &turn, &arm.leaves);
            if fixed.iter().any(|&it| !graph.is_zero(it)) {
                let stretched = dynamics::rotated(graph, model, body, &fixed);
                for (change, stretched) in changes.iter_mut().zip(stretched) {
                    *change = graph.add(*change, stretched);
                }
            }
            rates.extend(arm.leaves.iter().copied().zip(changes));
        }
    }

    /// The slopes of a scalar along each direction.
    fn slopes(&mut self, moving: &Moving, scalar: ExprId) -> Vec<ExprId> {
        let leaves: Vec<ExprId> = moving.rates.iter().map(|it| it.0).collect();
        let graph = &mut self.derivation.graph;
        let slopes = gradient(graph, scalar, &leaves);
        let mut terms = vec![Vec::new(); moving.changes.len()];
        for (slope, &(_, rate)) in slopes.into_iter().zip(&moving.rates) {
            if graph.is_zero(slope) {
                continue;
            }
            let along = gradient(graph, rate, &moving.changes);
            for (terms, along) in terms.iter_mut().zip(along) {
                terms.push((graph.mul(slope, along), Number::ONE));
            }
        }
        terms.iter().map(|terms| graph.sum(terms)).collect()
    }

    // ---- the equations ------------------------------------------------------------------------------

    /// G and B, u and x as leaves. Of a correction, h = 0 and −C/c or −Ċ/c is in the place of β′.
    fn residual(&mut self, e: usize, local: &ElementFrame, of: Solved) -> Residual {
        let columns = self.structure.elements[e].columns.clone();
        let motion = |bodies: &mut Self, c: usize| bodies.pooled(Pool::Motion, c - columns.start);
        let accelerations: SparseRow = columns.clone().map(|c| (c, motion(self, c))).collect();
        let mut equations = SparseRow::new();
        for c in columns.clone() {
            let mut terms = Vec::new();
            if of == Solved::Motion {
                terms.push((self.applied[c], Number::ONE));
            }
            for (a, row) in local.jacobian.iter().enumerate() {
                if let Some(&(_, entry)) = row.iter().find(|it| it.0 == c) {
                    let x = self.pooled(Pool::Unknown, a);
                    terms.push((self.graph().mul(entry, x), Number::ONE));
                }
            }
            for &(k, u) in &accelerations {
                if let Some(mass) = self.derivation.mass.get(c, k) {
                    terms.push((self.graph().mul(mass, u), Number::MINUS_ONE));
                }
            }
            equations.push((c, self.graph().sum(&terms)));
        }
        let mut rows = Vec::new();
        for (a, r) in self.rows_of(e).into_iter().enumerate() {
            let bias = self.constant_term(r, of);
            let bias = self.own_terms(r, e, bias);
            let pushed = self.product(&accelerations, &local.jacobian[a]);
            rows.push(self.graph().add(bias, pushed));
        }
        Residual {
            motion: equations,
            rows,
        }
    }

    /// What a row adds to J′ u.
    fn constant_term(&mut self, r: usize, of: Solved) -> ExprId {
        let row = self.row(r).clone();
        let graph = self.graph();
        let value = match of {
            Solved::Motion => return row.scaled.bias,
            Solved::PlaceCorrection => row.value,
            Solved::VelocityCorrection => row.rate,
        };
        let value = divide_terms(graph, value, row.scaled.content);
        graph.neg(value)
    }

    /// u, of x that are read, in the place of its leaves.
    fn accelerations_in_frame(
        &mut self,
        e: usize,
        local: &ElementFrame,
        of: Solved,
        made: &mut Contribution,
    ) -> Map<ExprId, ExprId> {
        let frame = local.frame.clone();
        let frame = frame.map(|frame| self.kept_frame(made, frame));
        let pushed = self.push(e, local, Pool::Unknown, made);
        let is_free = of == Solved::Motion;
        let moved = self.moved_in_frame((local, frame.as_slice()), &pushed, is_free, made);
        let columns = self.structure.elements[e].columns.clone();
        let zero = self.graph().zero();
        let all = columns.clone().map(|c| {
            let found = moved.iter().find(|it| it.0 == c);
            let value = found.map_or(zero, |it| self.graph().whole(it.1));
            (self.pooled(Pool::Motion, c - columns.start), value)
        });
        all.collect()
    }

    /// The unscaled multiplier of a row where its scale varies, and the element is the last one of its joint.
    fn varying_multiplier(&mut self, e: usize, (a, r): (usize, usize)) -> Option<ExprId> {
        let joint = self.structure.joint_of(r);
        let is_last = self.structure.joints[joint].elements.last() == Some(&e);
        if !is_last || !self.has_varying_content(r) {
            return None;
        }
        let row = self.row(r).scaled.clone();
        let x = self.pooled(Pool::Unknown, a);
        let graph = self.graph();
        let one = graph.number(Number::ONE);
        Some(row.unscaled(graph, x, one))
    }

    /// Whether what the entries of a row have in common is no number.
    pub(super) fn has_varying_content(&mut self, r: usize) -> bool {
        let content = self.row(r).scaled.content;
        self.graph().as_number(content).is_none()
    }

    /// Expressions with arms read where they were kept, and leaves replaced by these.
    fn with_kept(
        &mut self,
        made: &mut Contribution,
        roots: &[ExprId],
        mut map: Map<ExprId, ExprId>,
    ) -> Vec<ExprId> {
        map.extend(self.kept_arms(made, roots));
        let there = self.graph().substitute(roots.iter().copied(), map);
        roots.iter().map(|id| there[id]).collect()
    }

    // ---- along a tangent --------------------------------------------------------------------------

    pub(super) fn contribute_variation(
        &mut self,
        e: usize,
        local: &ElementFrame,
        made: &mut Contribution,
    ) {
        let moving = self.moving(e);
        let mut along = Taylor::new(self.seeds(&moving.rates));
        let residual = self.residual(e, local, Solved::Motion);
        let start = self.structure.elements[e].columns.start;
        let graph = &mut self.derivation.graph;
        let mut rates = |it: &(usize, ExprId)| (it.0, along.first(graph, it.1));
        let pushed: SparseRow = residual.motion.iter().map(&mut rates).collect();
        let loads = self.weighted(local, &pushed);
        let loads: SparseRow = loads
            .into_iter()
            .map(|(c, load)| (c, self.graph().whole(load)))
            .collect();
        let mut right = Vec::new();
        for (row, jacobian) in residual.rows.iter().zip(&local.jacobian) {
            let pushed = self.product(&loads, jacobian);
            let graph = &mut self.derivation.graph;
            let change = along.first(graph, *row);
            let sum = graph.add(change, pushed);
            right.push(graph.neg(sum));
        }
        let mut scales = Vec::new();
        for (a, r) in self.rows_of(e).into_iter().enumerate() {
            if let Some(multiplier) = self.varying_multiplier(e, (a, r)) {
                scales.push((a, along.first(&mut self.derivation.graph, multiplier)));
            }
        }
        let solved = self.accelerations_in_frame(e, local, Solved::Motion, made);
        self.vary_motion(e, local, made);
        let loads_of = loads.iter().map(|it| it.1);
        let roots = loads_of.chain(right).chain(scales.iter().map(|it| it.1));
        let roots: Vec<ExprId> = roots.collect();
        let roots = self.with_kept(made, &roots, solved.clone());
        let (loads_there, rest) = roots.split_at(loads.len());
        let (right, scaled) = rest.split_at(rest.len() - scales.len());
        self.keep_motion(e, &solved, made);
        for (&(c, _), &load) in loads.iter().zip(loads_there) {
            let output = (load, Array::Load, Found::Column(c - start));
            made.outputs.push(output);
        }
        for (&(a, _), &scaled) in scales.iter().zip(scaled) {
            let output = (scaled, Array::Multipliers, Found::Row(a));
            made.outputs.push(output);
        }
        self.second_right(made, right);
    }

    /// u as the motion that the second pass reads.
    fn keep_motion(&mut self, e: usize, solved: &Map<ExprId, ExprId>, made: &mut Contribution) {
        for k in 0..self.structure.elements[e].columns.len() {
            let u = solved[&self.pooled(Pool::Motion, k)];
            if !self.graph().is_zero(u) {
                made.outputs.push((u, Array::Motion, Found::Column(k)));
            }
        }
    }

    /// Right-hand sides that are computed with the first motion.
    fn second_right(&mut self, made: &mut Contribution, right: &[ExprId]) {
        made.second.first = Some(made.roots.len());
        for (a, &right) in right.iter().enumerate() {
            if !self.graph().is_zero(right) {
                let number = made.add(right, Array::Prepared);
                made.second.right.insert(a, number);
                made.outputs
                    .push((right, Array::Prepared, Found::Value(number)));
            }
        }
    }

    /// δv̇ = R (f + W J′ᵀ δx) + δθ×R u
    fn vary_motion(&mut self, e: usize, local: &ElementFrame, made: &mut Contribution) {
        let frame = local.frame.clone();
        let frame = frame.map(|frame| self.kept_frame(made, frame));
        let pushed = self.push(e, local, Pool::Second, made);
        let moved = self.moved_in_frame((local, frame.as_slice()), &pushed, false, made);
        let moved: Map<usize, ExprId> = moved.into_iter().collect();
        let columns = self.structure.elements[e].columns.clone();
        let mut own = SparseRow::new();
        for c in columns.clone() {
            let load = self.pooled(Pool::Load, c - columns.start);
            let moved = moved.get(&c).copied();
            let sum = moved.map(|moved| self.graph().add(load, moved));
            own.push((c, sum.unwrap_or(load)));
        }
        let mut world = dynamics::turned(self.graph(), frame.as_slice(), &own, Frame::world);
        if let Some(frame) = &frame {
            let u = frame
                .columns
                .map(|c| self.pooled(Pool::Motion, c - columns.start));
            let turn = frame.columns.map(|c| self.change((Varied::Coordinate, c)));
            let graph = &mut self.derivation.graph;
            let turned = frame.world(graph, u).map(|it| graph.whole(it));
            let change = kinematics::turning(graph, &turn, &turned);
            for (c, entry) in &mut world {
                if let Some(k) = frame.columns.iter().position(|it| it == c) {
                    *entry = graph.add(*entry, change[k]);
                }
            }
        }
        for (c, value) in world {
            let output = (value, Array::Output, Found::Column(c - columns.start));
            made.second.outputs.push(output);
        }
    }

    // ---- gradients ----------------------------------------------------------------------------------

    pub(super) fn contribute_gradient(
        &mut self,
        e: usize,
        local: &ElementFrame,
        of: Solved,
        made: &mut Contribution,
    ) {
        let columns = self.structure.elements[e].columns.clone();
        let counted: SparseRow = columns
            .clone()
            .map(|c| (c, self.pooled(of.counted(), c - columns.start)))
            .collect();
        let plain = local.frame.clone();
        let own = dynamics::turned(self.graph(), plain.as_slice(), &counted, Frame::own);
        let weighted = self.weighted(local, &own);
        for (a, row) in local.jacobian.iter().enumerate() {
            let right = self.product(&weighted, row);
            if !self.graph().is_zero(right) {
                let number = made.add(right, Array::Prepared);
                made.second.right.insert(a, number);
            }
        }
        let solved = self.accelerations_in_frame(e, local, of, made);
        self.keep_motion(e, &solved, made);
        let weights = self.weights_of_equations(e, local, &counted, made);
        let scalar = self.counted_equations(e, local, of);
        let moving = self.moving(e);
        let mut slopes = self.slopes(&moving, scalar);
        self.add_turned(e, local, of, &mut slopes);
        let slopes = self.with_kept(made, &slopes, weights);
        let pairs = self.directions(e).into_iter().zip(slopes).enumerate();
        for (k, ((of, _), slope)) in pairs {
            if !self.graph().is_zero(slope) {
                let output = (slope, Array::Gradient(of), Found::Direction(k));
                made.second.outputs.push(output);
            }
        }
    }

    /// g = W (Rᵀ v̇* − J′ᵀ y), for its leaves.
    fn weights_of_equations(
        &mut self,
        e: usize,
        local: &ElementFrame,
        counted: &SparseRow,
        made: &mut Contribution,
    ) -> Map<ExprId, ExprId> {
        let frame = local.frame.clone();
        let frame = frame.map(|frame| self.kept_frame(made, frame));
        let pushed = self.push(e, local, Pool::Second, made);
        let rest = counted.iter().map(|&(c, counted)| {
            let pushed = pushed.get(&c).copied();
            let rest = pushed.map(|pushed| self.graph().sub(counted, pushed));
            (c, rest.unwrap_or(counted))
        });
        let rest = rest.collect();
        let weights = self.moved_in_frame((local, frame.as_slice()), &rest, false, made);
        let start = self.structure.elements[e].columns.start;
        let weights = weights.into_iter().map(|(c, weight)| {
            let weight = self.graph().whole(weight);
            (self.pooled(Pool::Load, c - start), weight)
        });
        weights.collect()
    }

    /// g·G − y·B + λ*·x/c
    fn counted_equations(&mut self, e: usize, local: &ElementFrame, of: Solved) -> ExprId {
        let residual = self.residual(e, local, of);
        let start = self.structure.elements[e].columns.start;
        let mut terms = Vec::new();
        for (c, equation) in residual.motion {
            let weight = self.pooled(Pool::Load, c - start);
            terms.push((self.graph().mul(weight, equation), Number::ONE));
        }
        for (a, row) in residual.rows.into_iter().enumerate() {
            let y = self.pooled(Pool::Second, a);
            terms.push((self.graph().mul(y, row), Number::MINUS_ONE));
        }
        let rows = self.rows_of(e).into_iter().enumerate();
        for (a, r) in rows.filter(|_| of == Solved::Motion) {
            if let Some(multiplier) = self.varying_multiplier(e, (a, r)) {
                let counted = self.pooled(Pool::CountedMultiplier, a);
                terms.push((self.graph().mul(counted, multiplier), Number::ONE));
            }
        }
        self.graph().sum(&terms)
    }

    /// The gradient of v̇*·R u by the turn δθ, R u×v̇*.
    fn add_turned(&mut self, e: usize, local: &ElementFrame, of: Solved, slopes: &mut [ExprId]) {
        let Some(frame) = &local.frame else { return };
        let start = self.structure.elements[e].columns.start;
        let [u, counted] = [Pool::Motion, of.counted()]
            .map(|pool| frame.columns.map(|c| self.pooled(pool, c - start)));
        let graph = &mut self.derivation.graph;
        let turned = frame.world(graph, u).map(|it| graph.whole(it));
        let by_turn = graph.cross(turned, counted);
        let directions = self.directions(e);
        for (c, by_turn) in frame.columns.into_iter().zip(by_turn) {
            let place = directions
                .iter()
                .position(|it| *it == (Varied::Coordinate, c));
            if let Some(place) = place {
                slopes[place] = self.graph().add(slopes[place], by_turn);
            }
        }
    }

    // ---- column by column ---------------------------------------------------------------------------

    /// The matrix and the column of a direction; none of time.
    fn column(&self, (of, index): (Varied, usize)) -> Option<(By, usize)> {
        match of {
            Varied::Time => None,
            Varied::Coordinate => Some((By::State, index)),
            Varied::Velocity => Some((By::State, self.system.coordinates.len() + index)),
            Varied::Input => Some((By::Input, index)),
            Varied::Parameter => Some((By::Parameter, index)),
        }
    }

    /// The column of a direction of an element.
    pub(super) fn column_at(&self, e: usize, direction: usize) -> usize {
        let column = self.column(self.directions(e)[direction]);
        column.map_or(0, |it| it.1)
    }

    /// The right-hand sides of all columns, to the matrix that ∂v̇ is written to; and what is added to that afterwards.
    ///
    /// ```text
    /// F = W ∂G,   −∂B − J′ F;   by column W J′ᵀ x;   then R F + ∂θ×R u
    /// ```
    pub(super) fn contribute_columns(
        &mut self,
        e: usize,
        local: &ElementFrame,
        with_multipliers: bool,
        made: &mut Contribution,
    ) {
        let moving = self.moving(e);
        let residual = self.residual(e, local, Solved::Motion);
        let columns = self.directions(e).into_iter().map(|it| self.column(it));
        let columns: Vec<Option<(By, usize)>> = columns.collect();
        let motion = residual.motion.iter();
        let motion: Vec<_> = motion
            .map(|&(c, it)| (c, self.slopes(&moving, it)))
            .collect();
        let rows = residual.rows.iter();
        let rows: Vec<_> = rows.map(|&it| self.slopes(&moving, it)).collect();
        let solved = self.accelerations_in_frame(e, local, Solved::Motion, made);
        self.push_by_column(e, local, made);
        let mut sides = Vec::new();
        let mut slopes = Vec::new();
        for (k, column) in columns.iter().enumerate() {
            let Some((by, _)) = *column else { continue };
            let pushed: SparseRow = motion.iter().map(|(c, of)| (*c, of[k])).collect();
            let own = self.slopes_of_motion(local, &pushed);
            for (a, (row, jacobian)) in rows.iter().zip(&local.jacobian).enumerate() {
                let pushed = self.product(&own, jacobian);
                let graph = &mut self.derivation.graph;
                let sum = graph.add(row[k], pushed);
                sides.push((graph.neg(sum), Array::MotionBy(by), Found::SideEntry(k, a)));
            }
            let world = self.slopes_in_world(e, local, &own, k);
            let start = self.structure.elements[e].columns.start;
            let world = world.into_iter().map(|(c, slope)| {
                let at = Found::MotionEntry(k, c - start);
                (slope, Array::MotionBy(by), at)
            });
            slopes.extend(world);
        }
        let mut scales = Vec::new();
        if with_multipliers {
            scales = self.slopes_of_scales(e, &moving, &columns);
        }
        self.add_later(made, [sides, slopes, scales], &solved);
    }

    /// W J′ᵀ x of one column, zeros included: right-hand sides are overwritten.
    fn push_by_column(&mut self, e: usize, local: &ElementFrame, made: &mut Contribution) {
        let frame = local.frame.clone();
        let frame = frame.map(|frame| self.kept_frame(made, frame));
        let pushed = self.push(e, local, Pool::Second, made);
        let moved = self.moved_in_frame((local, frame.as_slice()), &pushed, false, made);
        let world = dynamics::turned(self.graph(), frame.as_slice(), &moved, Frame::world);
        for (k, moved) in self.whole(e, world).into_iter().enumerate() {
            let output = (moved, Array::Output, Found::Column(k));
            made.second.outputs.push(output);
        }
    }

    /// W ∂G
    fn slopes_of_motion(&mut self, local: &ElementFrame, pushed: &SparseRow) -> SparseRow {
        let weighted = self.weighted(local, pushed);
        let graph = self.graph();
        let slopes = weighted.into_iter().map(|(c, it)| (c, graph.whole(it)));
        let slopes: SparseRow = slopes.collect();
        let slopes = slopes.into_iter();
        slopes.filter(|it| !graph.is_zero(it.1)).collect()
    }

    /// R F, and ∂θ×R u by a turn of the element itself.
    fn slopes_in_world(
        &mut self,
        e: usize,
        local: &ElementFrame,
        own: &SparseRow,
        direction: usize,
    ) -> SparseRow {
        let mut world = self.in_world(local, own);
        let Some(frame) = &local.frame else {
            return world;
        };
        let (of, column) = self.directions(e)[direction];
        let axis = frame.columns.iter().position(|&c| c == column);
        let Some(axis) = axis.filter(|_| of == Varied::Coordinate) else {
            return world;
        };
        let start = self.structure.elements[e].columns.start;
        let u = frame.columns.map(|c| self.pooled(Pool::Motion, c - start));
        let graph = &mut self.derivation.graph;
        let turned = frame.world(graph, u).map(|it| graph.whole(it));
        let slopes = kinematics::slopes(graph, &turned);
        for (c, slopes) in frame.columns.into_iter().zip(slopes) {
            let turned = slopes.into_iter().filter(|it| it.0 == axis);
            world.extend(turned.map(|(_, slope)| (c, slope)));
        }
        world
    }

    /// Slopes of λ of rows whose scale varies, by direction and row.
    fn slopes_of_scales(
        &mut self,
        e: usize,
        moving: &Moving,
        columns: &[Option<(By, usize)>],
    ) -> Vec<(ExprId, Array, Found)> {
        let mut found = Vec::new();
        for (a, r) in self.rows_of(e).into_iter().enumerate() {
            let Some(multiplier) = self.varying_multiplier(e, (a, r)) else {
                continue;
            };
            let slopes = self.slopes(moving, multiplier).into_iter().enumerate();
            for (k, slope) in slopes {
                if let Some((by, _)) = columns[k] {
                    found.push((
                        slope,
                        Array::MultipliersBy(by),
                        Found::MultiplierEntry(k, a),
                    ));
                }
            }
        }
        found
    }

    /// What of a contribution is written before all columns, and added after them.
    fn add_later(
        &mut self,
        made: &mut Contribution,
        [sides, slopes, scales]: [Vec<(ExprId, Array, Found)>; 3],
        solved: &Map<ExprId, ExprId>,
    ) {
        let roots = sides.iter().chain(&slopes).map(|it| it.0);
        let roots: Vec<ExprId> = roots.collect();
        let roots = self.with_kept(made, &roots, solved.clone());
        let scaled: Vec<ExprId> = scales.iter().map(|it| it.0).collect();
        let scaled = self.with_kept(made, &scaled, Map::default());
        let (of_sides, of_slopes) = roots.split_at(sides.len());
        made.second.first = Some(made.roots.len());
        let is_zero = |bodies: &Self, root| bodies.derivation.graph.is_zero(root);
        for (&(_, array, at), &root) in sides.iter().zip(of_sides) {
            if !is_zero(self, root) {
                made.outputs.push((root, array, at));
            }
        }
        for (&(_, array, at), &root) in slopes.iter().zip(of_slopes) {
            if is_zero(self, root) {
                continue;
            }
            let number = made.add(root, Array::Slopes);
            made.outputs
                .push((root, Array::Slopes, Found::Value(number)));
            made.last
                .push((self.pooled(Pool::Slope, number), array, at));
        }
        for (&(_, array, at), &root) in scales.iter().zip(&scaled) {
            if !is_zero(self, root) {
                made.last.push((root, array, at));
            }
        }
    }
}
