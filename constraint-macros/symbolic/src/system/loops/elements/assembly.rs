//! Each element's contribution to the equations of its joints, and its motion by their unknowns.

use super::super::eliminated_mass::Pivot;
use super::super::leaves;
use super::super::routine::{Array, Kernel, Stage, Write};
use super::contribution::{
    Contribution, Contributions, ElementFrame, Found, LiveSet, Output, VelocityUpdate,
};
use super::derivation::{Elements, Motion, Pool, Side, Wanted};
use super::structure::Site;
use crate::dynamics::{self, Frame};
use crate::expr::{CollectVec, ExprId, MapEach, Node, Number, PushEach, SortedMap};
use crate::solve::SparseRow;

/// The first word of an element's item, which no joint's item of the stage has.
pub(super) const OF_ELEMENT: usize = usize::MAX;

impl Elements<'_> {
    /// The contributions of all kinds.
    pub(super) fn contributions(&mut self, wanted: Wanted) -> Contributions {
        let first = self.kinds.first.clone();
        let contributions = first.iter().map(|&e| self.contribution(e, wanted));
        Contributions::new(contributions.collect_vec(), self.kinds.of.clone())
    }

    fn contribution(&mut self, e: usize, wanted: Wanted) -> Contribution {
        let mut local = self.local(e);
        let mut made = Contribution::default();
        if wanted.motion.is_varied()
            && let Some(diagonal) = &self.diagonal
        {
            local.mass.free.retain(|&c, _| !diagonal.uniform[c]);
        }
        if self.at_joints() {
            made.second.first = Some(0);
            self.results(e, &local, wanted.motion, &mut made);
            self.read_known(e, &mut made);
            return made;
        }
        made.pivots.clone_from(&local.mass.pivots);
        let weighted: Vec<SparseRow> = local
            .jacobian
            .iter()
            .map(|row| self.weighted(&local, row))
            .collect_vec();
        for (a, weighted) in weighted.iter().enumerate() {
            for (b, row) in local.jacobian[..=a].iter().enumerate() {
                let entry = self.product(weighted, row);
                if !self.graph().is_zero(entry) {
                    let number = made.add(entry, Array::Prepared);
                    made.blocks.insert((a, b), number);
                }
            }
        }
        for (a, r) in self.rows_of(e).into_iter().enumerate() {
            let right = match wanted.side {
                Side::Acceleration | Side::Force | Side::Variation => {
                    self.pushed(e, &local, (a, r))
                }
                Side::Value | Side::Rate => {
                    let row = self.row(r);
                    let content = row.scaled.content;
                    let value = if wanted.side == Side::Value {
                        row.value
                    } else {
                        row.rate
                    };
                    let value = self.own_terms(r, e, value);
                    self.graph().div(value, content)
                }
                Side::Given => continue,
            };
            if !self.graph().is_zero(right) {
                let number = made.add(right, Array::Prepared);
                made.right.insert(a, number);
            }
        }
        self.results(e, &local, wanted.motion, &mut made);
        if wanted.motion == Motion::OwnSlope {
            made.roots = self.of_own_spins(e, &made.roots);
        }
        made
    }

    /// The results that follow from unknowns.
    fn results(&mut self, e: usize, local: &ElementFrame, motion: Motion, made: &mut Contribution) {
        match motion {
            Motion::Variation => self.contribute_variation(e, local, made),
            Motion::Gradient(of) => self.contribute_gradient(e, local, of, made),
            Motion::Columns { multipliers } => {
                self.contribute_columns(e, local, multipliers, made);
            }
            Motion::Projected => {
                self.motion(e, local, motion, made);
                self.contribute_second_pass(e, local, made);
            }
            motion => self.motion(e, local, motion, made),
        }
    }

    pub(super) fn local(&mut self, e: usize) -> ElementFrame {
        let columns = self.structure.elements[e].columns.clone();
        let (mut jacobian, mut world) = (Vec::new(), Vec::new());
        for r in self.rows_of(e) {
            let row = self.row(r).clone();
            let here = |row: &SparseRow| -> SparseRow {
                let entries = row.iter().filter(|(c, _)| columns.contains(c));
                entries.copied().collect_vec()
            };
            jacobian.push(here(&row.scaled.jacobian));
            let entries = here(&row.jacobian).into_iter();
            let content = row.scaled.content;
            world.push(
                entries
                    .map(|(c, it)| (c, self.graph().div(it, content)))
                    .collect_vec(),
            );
        }
        ElementFrame {
            jacobian,
            world,
            mass: self.own_mass(e),
            frame: self.frame_of(e),
        }
    }

    /// The frame that the equations of an element are solved in, if that is its own.
    pub(super) fn frame_of(&self, e: usize) -> Option<Frame> {
        let body = self.structure.elements[e].body;
        let mut frames = self.derivation.frames().iter();
        frames.find(|frame| Some(frame.body) == body).cloned()
    }

    /// The rows of an element's joints.
    pub(super) fn rows_of(&self, e: usize) -> Vec<usize> {
        let joints = self.structure.elements[e].joints.iter();
        let rows = joints.flat_map(|&joint| self.structure.joints[joint].rows.clone());
        rows.collect_vec()
    }

    /// A row in the frame that an element is solved in, turned into the world.
    pub(super) fn in_world(&mut self, local: &ElementFrame, row: &SparseRow) -> SparseRow {
        let frame = local.frame.clone();
        dynamics::turned(self.graph(), frame.as_slice(), row, Frame::world)
    }

    /// W x
    pub(super) fn weighted(&mut self, local: &ElementFrame, x: &SparseRow) -> SparseRow {
        let mut sums: SortedMap<usize, Vec<(ExprId, ExprId)>> = SortedMap::new();
        for &(j, x) in x {
            for (&(i, k), &entry) in &local.mass.inverse {
                if k == j {
                    sums.entry(i).or_default().push((entry, x));
                }
            }
        }
        sums.into_iter()
            .map(|(i, pairs)| (i, self.dot(pairs)))
            .collect_vec()
    }

    /// Σ xᵢ yᵢ
    pub(super) fn product(&mut self, x: &SparseRow, y: &SparseRow) -> ExprId {
        let y: SortedMap<usize, ExprId> = y.iter().copied().collect();
        let pairs = x.iter().filter_map(|&(i, x)| Some((x, *y.get(&i)?)));
        self.dot(pairs.collect_vec())
    }

    /// −β − J M⁻¹ h of an element.
    pub(super) fn pushed(
        &mut self,
        e: usize,
        local: &ElementFrame,
        (a, r): (usize, usize),
    ) -> ExprId {
        let bias = self.row(r).scaled.bias;
        let moving = self.own_terms(r, e, bias);
        let free: SparseRow = local
            .mass
            .free
            .iter()
            .map(|(&c, &free)| (c, free))
            .collect_vec();
        let pushed = self.product(&free, &local.jacobian[a]);
        let sum = self.graph().add(moving, pushed);
        self.graph().neg(sum)
    }

    /// The terms of what a row makes that are an element's own; those of several elements fall to the last one.
    pub(super) fn own_terms(&mut self, r: usize, e: usize, sum: ExprId) -> ExprId {
        let joint = self.structure.joint_of(r);
        let last = self.structure.joints[joint].elements.last().copied();
        let terms = self.graph().terms(sum);
        let own = terms.into_iter().filter(|&(term, _)| {
            let of = self
                .structure
                .elements_in(&self.derivation.graph, self.system, term);
            match of.len() {
                1 => of.contains(&e),
                _ => last == Some(e),
            }
        });
        let own: Vec<_> = own.collect_vec();
        self.graph().sum(&own)
    }

    // ---- motion -----------------------------------------------------------------------------------

    pub(super) fn motion(
        &mut self,
        e: usize,
        local: &ElementFrame,
        motion: Motion,
        made: &mut Contribution,
    ) {
        if motion == Motion::None {
            return;
        }
        let columns = self.structure.elements[e].columns.clone();
        let mut pushed = self.push(e, local, Pool::Unknown, made);
        if motion != Motion::Force {
            pushed = self.moved(e, local, &pushed, motion, made);
        }
        let to = match motion {
            Motion::OwnSlope => Array::Multipliers,
            _ => Array::Output,
        };
        if motion == Motion::Projected {
            for c in columns {
                let velocity = self.system.coordinates[c].velocity;
                let change = pushed.get(&c).copied();
                let moved = change.map(|change| self.graph().sub(velocity, change));
                pushed.insert(c, moved.unwrap_or(velocity));
            }
        }
        for (c, value) in pushed {
            made.outputs.push((value, to, self.column_at(e, c)));
        }
        if motion == Motion::OwnSlope {
            let rates = self.rates(e, self.stepped(e).is_some());
            let rates = rates.into_iter().enumerate();
            made.outputs
                .push_each(rates.map(|(k, rate)| (rate, Array::Output, Found::Position(k))));
        }
    }

    /// The place of a velocity of its own.
    pub(super) fn column_at(&self, e: usize, column: usize) -> Found {
        Found::Column(self.structure.elements[e].place(column))
    }

    /// Jᵀ x, x of that pool.
    pub(super) fn push(
        &mut self,
        e: usize,
        local: &ElementFrame,
        pool: Pool,
        made: &mut Contribution,
    ) -> SortedMap<usize, ExprId> {
        let mut pushed = SortedMap::new();
        for c in self.structure.elements[e].columns.clone() {
            let mut pairs = Vec::new();
            for (a, row) in local.world.iter().enumerate() {
                if let Some(&(_, entry)) = row.iter().find(|&&(column, _)| column == c) {
                    pairs.push((self.keep(made, entry), self.pooled(pool, a)));
                }
            }
            let sum = self.dot(pairs);
            if !self.graph().is_zero(sum) {
                pushed.insert(c, sum);
            }
        }
        pushed
    }

    /// W times what pushes, and what moves freely.
    fn moved(
        &mut self,
        e: usize,
        local: &ElementFrame,
        pushed: &SortedMap<usize, ExprId>,
        motion: Motion,
        made: &mut Contribution,
    ) -> SortedMap<usize, ExprId> {
        let frame = local.frame.clone();
        let frame = frame.map(|frame| self.kept_frame(made, frame));
        let frame = frame.as_slice();
        let is_free = !matches!(motion, Motion::Correction | Motion::Projected);
        let row = self.moved_in_frame((local, frame), pushed, is_free, made);
        let turned = match motion {
            Motion::OwnSlope if !frame.is_empty() => row,
            Motion::OwnSlope => {
                let frame = self.stepped(e).map(|frame| self.kept_frame(made, frame));
                dynamics::turned(self.graph(), frame.as_slice(), &row, Frame::own)
            }
            _ => dynamics::turned(self.graph(), frame, &row, Frame::world),
        };
        turned.into_iter().collect()
    }

    /// The same in the frame that an element is solved in.
    pub(super) fn moved_in_frame(
        &mut self,
        (local, frame): (&ElementFrame, &[Frame]),
        pushed: &SortedMap<usize, ExprId>,
        is_free: bool,
        made: &mut Contribution,
    ) -> SparseRow {
        let row: SparseRow = pushed.iter().map(|(&c, &x)| (c, x)).collect_vec();
        let own = dynamics::turned(self.graph(), frame, &row, Frame::own);
        let mut terms: SortedMap<usize, Vec<(ExprId, Number)>> = SortedMap::new();
        for (j, x) in own {
            for (&(i, k), &entry) in &local.mass.inverse {
                if k == j {
                    let entry = self.keep(made, entry);
                    let product = self.graph().mul(entry, x);
                    terms.entry(i).or_default().push((product, Number::ONE));
                }
            }
        }
        if is_free {
            for (&i, &free) in &local.mass.free {
                let free = self.keep(made, free);
                terms.entry(i).or_default().push((free, Number::ONE));
            }
        }
        let terms = terms.into_iter();
        terms
            .map(|(i, terms)| (i, self.graph().sum(&terms)))
            .collect_vec()
    }

    /// q̇ of an element; `own` where ω is that in its own frame.
    pub(super) fn rates(&mut self, e: usize, own: bool) -> Vec<ExprId> {
        let element = &self.structure.elements[e];
        let columns = element.columns.iter();
        let columns = columns.map(|&c| &self.system.coordinates[c]);
        let plain = columns.filter(|it| it.position.is_some());
        let mut rates: Vec<ExprId> = plain.map(|it| it.velocity).collect_vec();
        if let Some(body) = element.body {
            let body = &self.system.model.bodies[body];
            let graph = &mut self.derivation.graph;
            let (rotation, spin) = (&body.rotation, &body.angular_velocity);
            rates.push_each(dynamics::turn_rate(graph, rotation, spin, own));
        }
        rates
    }

    /// The frame that steps carry an element in: of all bodies whose moments differ.
    fn stepped(&self, e: usize) -> Option<Frame> {
        let element = &self.structure.elements[e];
        let mut inertias = self.system.inertias.iter();
        let inertia = inertias.find(|it| Some(it.body) == element.body)?;
        let columns = element.columns.iter().copied();
        let spin: Vec<usize> = columns
            .filter(|&c| self.system.coordinates[c].position.is_none())
            .collect_vec();
        Frame::of(inertia, &spin)
    }

    pub(super) fn kept_frame(&mut self, made: &mut Contribution, frame: Frame) -> Frame {
        let axes = frame.axes;
        Frame {
            axes: axes.map_each(|axis| axis.map_each(|entry| self.keep(made, entry))),
            ..frame
        }
    }

    /// Expressions in which the leaves of ω stand for Rᵀω.
    fn of_own_spins(&mut self, e: usize, roots: &[ExprId]) -> Vec<ExprId> {
        let near = self.structure.neighbours(e);
        let frames: Vec<Frame> = near
            .into_iter()
            .filter_map(|e| self.stepped(e))
            .collect_vec();
        let velocities: Vec<ExprId> = self
            .system
            .coordinates
            .iter()
            .map(|c| c.velocity)
            .collect_vec();
        let graph = &mut self.derivation.graph;
        let map = dynamics::of_own_spins(graph, &frames, &velocities);
        let map = graph.substitute(roots.iter().copied(), map);
        roots.iter().map(|root| map[root]).collect_vec()
    }

    /// An expression as it is read from where it was kept; what costs nothing stays as it is.
    pub(super) fn keep(&mut self, made: &mut Contribution, id: ExprId) -> ExprId {
        if self.at_joints() {
            return id;
        }
        let (number, rest) = self.graph().split_coefficient(id);
        if !self.is_worth_keeping(rest) {
            return id;
        }
        let leaf = match made.kept.get(&rest) {
            Some(&leaf) => leaf,
            None => {
                let number = made.add(rest, Array::Moving);
                let leaf = self.pooled(Pool::Kept, number);
                made.kept.insert(rest, leaf);
                leaf
            }
        };
        self.graph().scale(leaf, number)
    }

    /// Whether it differs from element to element, and is not there already.
    fn is_worth_keeping(&self, id: ExprId) -> bool {
        let graph = &self.derivation.graph;
        let varies = |id: &ExprId| match *graph.node(*id) {
            Node::Symbol(symbol) => {
                leaves::is_arm(self.system, symbol) || leaves::slot(self.system, symbol).is_some()
            }
            _ => false,
        };
        match *graph.node(id) {
            Node::Symbol(symbol) => leaves::is_arm(self.system, symbol),
            _ => graph.reachable([id]).iter().any(varies),
        }
    }

    // ---- stages -----------------------------------------------------------------------------------

    /// The contributions of elements, kind by kind.
    pub(super) fn preparation(&mut self, contributions: &Contributions) -> Vec<LiveSet> {
        let all = contributions.of_kind.iter().enumerate();
        let used = all.map(|(kind, it)| {
            let first = Site::Element(self.kinds.first[kind]);
            let checks = it.pivots.iter().flat_map(|it| [it.pivot, it.scale]);
            let roots = checks.chain(it.roots[..it.split()].iter().copied());
            self.live_set(first, roots.collect_vec())
        });
        used.collect_vec()
    }

    /// The checks of an element's pivots, the indices of whose rows begin at a place; and these indices.
    pub(super) fn checks(
        &self,
        e: usize,
        pivots: &[Pivot],
        first: usize,
    ) -> (Vec<Write>, Vec<usize>) {
        let writes = pivots.iter().zip(first..);
        let writes = writes.flat_map(|(it, place)| it.check(place).map_each(|it| it.1));
        // They are of the first element of its kind; pivots of M are counted after those of rows.
        let first_of_kind = &self.structure.elements[self.kinds.first[self.kinds.of[e]]];
        let own = &self.structure.elements[e].columns;
        let rows = pivots
            .iter()
            .map(|it| self.rows.of.len() + own[first_of_kind.place(it.row)]);
        (writes.collect_vec(), rows.collect_vec())
    }

    /// The item in which an element computes its contributions.
    pub(super) fn prepare(
        &self,
        stage: &mut Stage<'_>,
        contributions: &Contributions,
        used: &[LiveSet],
        e: usize,
    ) {
        let (used, contribution) = (&used[self.kinds.of[e]], contributions.of(e));
        let mut indices = self.indices(used, contributions, Site::Element(e));
        let (checks, rows) = self.checks(e, &contribution.pivots, indices.len());
        indices.push_each(rows);
        let (base, numbers) = (indices.len(), 0..contribution.split());
        indices.push_each(contributions.places(e, numbers.clone()));
        stage.push(vec![OF_ELEMENT, used.shape], indices, || Kernel {
            reads: used.reads.clone(),
            roots: used.roots.clone(),
            writes: [checks, contribution.writes(base, numbers)].concat(),
        });
    }

    /// How elements move by the unknowns of their joints, kind by kind.
    pub(super) fn movement(
        &mut self,
        contributions: &Contributions,
        moved: VelocityUpdate,
    ) -> Vec<LiveSet> {
        let all = contributions.of_kind.iter().enumerate();
        let used = all.map(|(kind, it)| {
            let roots = moved(it).iter().map(|&(root, ..)| root);
            let first = Site::Element(self.kinds.first[kind]);
            self.live_set(first, roots.collect_vec())
        });
        used.collect_vec()
    }

    /// An element moves by the unknowns of its joints.
    pub(super) fn finish(
        &self,
        stage: &mut Stage<'_>,
        contributions: &Contributions,
        (used, moved): (&LiveSet, &[Output]),
        at: Site,
    ) {
        let mut indices = self.indices(used, contributions, at);
        let outputs = indices.len();
        indices.push_each(self.indices_at(moved.iter().map(|it| it.2), contributions, at));
        let mut words = vec![OF_ELEMENT, used.shape, outputs];
        words.push_each(moved.iter().map(|it| it.1.word_of_result()));
        stage.push(words, indices, || {
            let written = moved.iter().zip(outputs..);
            let written = written.map(|(&(_, to, found), place)| match (to, at, found) {
                (Array::Gradient(_) | Array::Sums, ..) => Write::Add(to, place),
                (Array::MotionBy(_) | Array::MultipliersBy(_), ..) => Write::Add(to, place),
                (_, Site::Joint(_), Found::Column(_)) => Write::Add(to, place),
                _ => Write::Set(to, place),
            });
            Kernel {
                reads: used.reads.clone(),
                roots: used.roots.clone(),
                writes: written.collect_vec(),
            }
        });
    }
}
