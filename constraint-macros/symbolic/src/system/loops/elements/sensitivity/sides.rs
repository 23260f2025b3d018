//! The right-hand sides of all columns of a linearisation, where joints compute their parts themselves.
//!
//! ```text
//! R = −∂B − J′ F       B = β′ + J′ u, u constant; F what elements keep of ∂u
//! ```
//! A row has entries in the columns that it depends on itself, and in those that F of its velocities depends on.

use super::super::super::routine::{Array, By, Kernel, Routine, Stage, Write};
use super::super::contribution::{Contributions, LiveSet};
use super::super::derivation::{Elements, Pool};
use super::super::structure::Site;
use crate::expr::{CollectVec, ExprId, Map, Number, PushEach};

/// The matrix of a column, and which of its columns.
type Column = (By, usize);

/// What the rows of one kind of joints compute.
struct Side {
    /// The slopes of B that are not zero, by direction; then J′, velocity by velocity.
    used: LiveSet,
    directions: Vec<usize>,
    /// The velocities of J′, among those of the joint.
    velocities: Vec<usize>,
}

/// The entries of one row.
#[derive(Default)]
struct Entries {
    /// Each once.
    columns: Vec<Column>,
    /// The columns of its own slopes.
    own: Vec<usize>,
    /// Of F the place, the velocity among those of the joint, and the column.
    of_motion: Vec<(usize, usize, usize)>,
}

impl Entries {
    fn number(&mut self, column: Column) -> usize {
        let known = self.columns.iter().position(|it| *it == column);
        known.unwrap_or_else(|| {
            self.columns.push(column);
            self.columns.len() - 1
        })
    }
}

impl Elements<'_> {
    /// R, row by row.
    pub(super) fn sides_by_column(&mut self, routine: &mut Routine, contributions: &Contributions) {
        let first = self.kinds_of_joints.first.clone().into_iter();
        let sides = first.map(|j| self.side_by_column(j));
        let sides: Vec<Side> = sides.collect_vec();
        routine.stage_in(self.order(), |stage| {
            for j in 0..self.structure.joints.len() {
                let side = &sides[self.kinds_of_joints.of[j]];
                let entries = self.entries_of(j, side, contributions);
                self.push_side(stage, contributions, (side, &entries), j);
            }
        });
    }

    fn side_by_column(&mut self, j: usize) -> Side {
        let at = Site::Joint(j);
        let r = self.structure.joints[j].rows.start;
        let slopes = self.slopes_of_balance(at, r);
        let columns = self.directions(at).into_iter().map(|it| self.column(it));
        let slopes = slopes.into_iter().zip(columns).enumerate();
        let slopes = slopes.filter(|(_, (slope, column))| {
            column.is_some() && !self.derivation.graph.is_zero(*slope)
        });
        let (directions, mut roots): (Vec<usize>, Vec<ExprId>) =
            slopes.map(|(k, (slope, _))| (k, slope)).unzip();
        let all = self.columns_at(at);
        let row = self.row(r).scaled.jacobian.clone();
        let place = |c: usize| all.iter().position(|&it| it == c);
        let mut velocities = Vec::new();
        for (c, entry) in row {
            if let Some(place) = place(c) {
                velocities.push(place);
                roots.push(entry);
            }
        }
        let roots = self.with_known(at, &roots);
        Side {
            used: self.live_set(at, roots),
            directions,
            velocities,
        }
    }

    /// Where a row has entries, and what must agree of these.
    fn entries_of(&self, j: usize, side: &Side, contributions: &Contributions) -> Entries {
        let directions = self.directions(Site::Joint(j));
        let mut entries = Entries::default();
        for &k in &side.directions {
            if let Some(column) = self.column(directions[k]) {
                let number = entries.number(column);
                entries.own.push(number);
            }
        }
        let mut before = 0;
        for &e in &self.structure.joints[j].elements {
            let directions = self.directions(Site::Element(e));
            for &(k, c, number) in &contributions.of(e).slopes {
                let velocity = before + c;
                if let (true, Some(column)) = (
                    side.velocities.contains(&velocity),
                    self.column(directions[k]),
                ) {
                    let column = entries.number(column);
                    let place = contributions.place(e, number);
                    entries.of_motion.push((place, velocity, column));
                }
            }
            before += self.structure.elements[e].columns.len();
        }
        entries
    }

    fn push_side(
        &mut self,
        stage: &mut Stage<'_>,
        contributions: &Contributions,
        (side, entries): (&Side, &Entries),
        j: usize,
    ) {
        let (n, r) = (
            self.system.coordinates.len(),
            self.structure.joints[j].rows.start,
        );
        let mut indices = self.indices(&side.used, contributions, Site::Joint(j));
        let first = indices.len();
        indices.push_each(entries.of_motion.iter().map(|it| it.0));
        let last = indices.len();
        indices.push_each(entries.columns.iter().map(|it| it.1 * n + r));
        let mut words = vec![side.used.shape, entries.own.len(), entries.of_motion.len()];
        words.extend(&entries.own);
        words.push_each(entries.of_motion.iter().flat_map(|it| [it.1, it.2]));
        words.push_each(entries.columns.iter().map(|it| it.0 as usize));
        stage.push(words, indices, || {
            let mut reads = side.used.reads.clone();
            let (own, jacobian) = side.used.roots.split_at(side.directions.len());
            let jacobian = side
                .velocities
                .iter()
                .copied()
                .zip(jacobian.iter().copied());
            let jacobian: Map<usize, ExprId> = jacobian.collect();
            let mut terms: Vec<Vec<(ExprId, Number)>> = vec![Vec::new(); entries.columns.len()];
            for (&column, &slope) in entries.own.iter().zip(own) {
                terms[column].push((slope, Number::MINUS_ONE));
            }
            for (place, &(_, velocity, column)) in (first..).zip(&entries.of_motion) {
                let (symbol, slope) = self.scratch("slope");
                reads.push((symbol, Array::Slopes, place));
                let product = self.graph().mul(jacobian[&velocity], slope);
                terms[column].push((product, Number::MINUS_ONE));
            }
            let mut kernel = Kernel {
                reads,
                ..Kernel::default()
            };
            for ((place, terms), column) in (last..).zip(&terms).zip(&entries.columns) {
                let sum = self.graph().sum(terms);
                kernel.push(sum, Write::Set(Array::MotionBy(column.0), place));
            }
            kernel
        });
    }

    /// The slopes of β′ + J′ u, u constant except for the part of M⁻¹ h that F leaves out.
    fn slopes_of_balance(&mut self, at: Site, r: usize) -> Vec<ExprId> {
        let motion = self.values_at(at, Pool::Motion);
        let row = self.row(r).scaled.clone();
        let uniform = self.uniform_loads(&row.jacobian);
        let graph = &mut self.derivation.graph;
        let mut terms = vec![(row.bias, Number::ONE)];
        for (c, entry) in row.jacobian {
            let along = [Some(motion[&c]), uniform.get(&c).copied()];
            for along in along.into_iter().flatten() {
                terms.push((graph.mul(entry, along), Number::ONE));
            }
        }
        let balance = graph.sum(&terms);
        let moving = self.moving(at);
        self.slopes(&moving, balance)
    }
}
