//! Second right-hand sides that joints compute themselves, of the leaves of their rows, and δλ.

use super::super::contribution::LiveSet;
use super::super::derivation::{Elements, Pool, Side, Solved};
use super::super::places::Part;
use super::super::second_pass::SecondSide;
use super::super::structure::Site;
use super::super::substitution::Reported;
use crate::diff::Taylor;
use crate::expr::{CollectVec, ExprId, Map, MapEach, Number, PushEach};
use crate::solve::SparseRow;

impl Elements<'_> {
    /// The second right-hand sides of joints, kind by kind, where they compute them themselves.
    pub(in super::super) fn sides_of_joints(&mut self, side: SecondSide) -> Option<Vec<LiveSet>> {
        if !self.at_joints() || side == SecondSide::Column {
            return None;
        }
        let first = self.kinds_of_joints.first.clone().into_iter();
        let sides = first.map(|j| self.side_of_joint(j, side));
        Some(sides.collect_vec())
    }

    pub(super) fn side_of_joint(&mut self, j: usize, side: SecondSide) -> LiveSet {
        let at = Site::Joint(j);
        let rows = self.rows_at(at).into_iter().enumerate();
        let mut along = match side {
            SecondSide::Variation => self.along_at(at),
            _ => Taylor::default(),
        };
        let roots = rows.map(|(a, r)| match side {
            SecondSide::Variation => self.varied_side(at, r, &mut along),
            SecondSide::Adjoint(of) => self.adjoint_side(at, (a, r), of),
            _ => self.part(Part::Right(r), Side::Acceleration),
        });
        let roots: Vec<ExprId> = roots.collect_vec();
        let roots = self.with_known(at, &roots);
        self.live_set(at, roots)
    }

    /// Derivatives along the tangent, of what a site's leaves make.
    pub(in super::super) fn along_at(&mut self, at: Site) -> Taylor {
        let moving = self.moving(at);
        Taylor::new(self.seeds(&moving.rates))
    }

    /// −δβ′ − δJ′ u − J′ f
    pub(super) fn varied_side(&mut self, at: Site, r: usize, along: &mut Taylor) -> ExprId {
        let [motion, loads] = [Pool::Motion, Pool::Load].map(|pool| self.values_at(at, pool));
        let row = self.row(r).scaled.clone();
        let uniform = self.uniform_loads(&row.jacobian);
        let graph = &mut self.derivation.graph;
        let mut terms = vec![(along.first(graph, row.bias), Number::MINUS_ONE)];
        for (c, entry) in row.jacobian {
            let change = along.first(graph, entry);
            let mut pairs = vec![(change, motion[&c]), (entry, loads[&c])];
            if let Some(&free) = uniform.get(&c) {
                pairs.push_each([(change, free), (entry, along.first(graph, free))]);
            }
            for (a, b) in pairs {
                terms.push((graph.mul(a, b), Number::MINUS_ONE));
            }
        }
        graph.sum(&terms)
    }

    /// M⁻¹ h that derivatives leave out of what a velocity keeps.
    pub(super) fn uniform_load(&self, c: usize) -> Option<ExprId> {
        let diagonal = self.diagonal.as_ref()?;
        diagonal.uniform[c].then_some(diagonal.free[c])
    }

    /// The same of a row.
    pub(in super::super) fn uniform_loads(&self, row: &SparseRow) -> Map<usize, ExprId> {
        let columns = row.iter().map(|it| it.0);
        let uniform = columns.filter_map(|c| Some((c, self.uniform_load(c)?)));
        uniform.collect()
    }

    /// J′ W x + λ*/(w c)
    pub(super) fn adjoint_side(&mut self, at: Site, (a, r): (usize, usize), of: Solved) -> ExprId {
        let counted = self.values_at(at, of.counted());
        let row = self.row(r).scaled.clone();
        let mut terms = Vec::new();
        if let Some(diagonal) = &self.diagonal {
            let graph = &mut self.derivation.graph;
            for &(c, entry) in &row.jacobian {
                let weighted = graph.mul(diagonal.ratios[c], entry);
                terms.push((graph.mul(weighted, counted[&c]), Number::ONE));
            }
        }
        if of == Solved::Motion {
            let counted = self.pooled(Pool::CountedMultiplier, a);
            let common = self.common();
            let graph = self.graph();
            let unit = graph.recip(common);
            terms.push((row.unscaled(graph, counted, unit), Number::ONE));
        }
        self.graph().sum(&terms)
    }

    /// What joints report of multipliers, kind by kind: δλ made of x and δx, or of a column y/(w c).
    pub(in super::super) fn reports_of_joints(&mut self, reported: Reported) -> Vec<LiveSet> {
        let first = self.kinds_of_joints.first.clone().into_iter();
        let sets = first.map(|j| {
            let at = Site::Joint(j);
            let reports = self.reports(at, reported).into_iter();
            let roots = reports.map(|it| it.0).collect_vec();
            self.live_set(at, roots)
        });
        sets.collect_vec()
    }

    pub(in super::super) fn multiplier_of_column(
        &mut self,
        (a, r): (usize, usize),
        known: &Map<ExprId, ExprId>,
    ) -> ExprId {
        let (y, unit) = (self.pooled(Pool::Second, a), self.unit_multiplier(r));
        let graph = self.graph();
        let unit = known.get(&unit).copied().unwrap_or(unit);
        let unit = graph.whole(unit);
        graph.mul(y, unit)
    }

    pub(in super::super) fn varied_multiplier(
        &mut self,
        (a, r): (usize, usize),
        along: &mut Taylor,
        known: &Map<ExprId, ExprId>,
    ) -> ExprId {
        let [x, change] = [Pool::Unknown, Pool::Second].map_each(|pool| self.pooled(pool, a));
        let (content, common) = (self.row(r).scaled.content, self.common());
        let scale = self.unit_multiplier(r);
        let graph = &mut self.derivation.graph;
        if graph.as_number(content).is_some() {
            // Rows have their scale in common, and so its rate.
            let rate = along.first(graph, scale);
            let pairs = [(change, scale), (x, rate)];
            let terms = pairs.map_each(|(by, of)| {
                let of = graph.whole(of);
                (graph.mul(by, of), Number::ONE)
            });
            return graph.sum(&terms);
        }
        let zero = graph.zero();
        let rate = along.first(graph, content);
        let [content, rate] = [content, rate].map_each(|it| known.get(&it).copied().unwrap_or(it));
        along.seed(x, change, zero);
        along.seed(content, rate, zero);
        let unit = graph.recip(common);
        let multiplier = graph.div(x, content);
        let multiplier = graph.mul(multiplier, unit);
        along.first(graph, multiplier)
    }

    /// Expressions in which values that rows share are read.
    pub(in super::super) fn with_known(&mut self, at: Site, roots: &[ExprId]) -> Vec<ExprId> {
        let known = self.known_at(at);
        let map = self.graph().substitute(roots.iter().copied(), known);
        roots.iter().map(|id| map[id]).collect_vec()
    }

    /// The values of a pool at the velocities of a site.
    pub(in super::super) fn values_at(&mut self, at: Site, pool: Pool) -> Map<usize, ExprId> {
        let columns = self.columns_at(at).into_iter().enumerate();
        columns.map(|(k, c)| (c, self.pooled(pool, k))).collect()
    }
}
