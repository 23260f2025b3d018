//! All columns of ∂v̇ and ∂λ by (q, v), u and p: one elimination, then two sweeps for each column.
//!
//! ```text
//! once         L, μ, v̇
//!              F = ∂(M⁻¹ h + W J′ᵀ μ) of each velocity, μ is constant
//!              R = −∂β′ − ∂J′ v̇ − J′ F of each row, v̇ is constant
//! by column    A x = r, the column of R:  W J′ᵀ x and x/(w c)
//! once         F and ∂(1/(w c)) μ are added
//! ```
//! F and R have entries only by what a velocity or a row depends on itself. R stands in the matrix that ∂v̇
//! is written to, since there are no more rows than velocities.

use std::collections::BTreeMap;

use super::super::rolling::{Rolling, Side};
use super::super::routine::{Array, By, Routine, Signature, Stage, Varied, Write};
use super::super::step::Places;
use super::item::{Further, Item, Leaf, dot};
use crate::diff::gradient;
use crate::expr::{ExprId, Map, Number};
use crate::families::indices_of;
use crate::solve::Quantity;

/// Of a linearisation: the matrix, and which of its columns.
type Column = (By, usize);

/// A slope that is not zero everywhere: by which of an item's leaves, and its column.
#[derive(Clone, Copy)]
struct Slope {
    leaf: usize,
    column: Column,
    /// Where F has it; nowhere if F leaves it out.
    place: Option<usize>,
}

/// Which slopes are not zero, by the words of a signature.
type Known<T> = Map<Vec<usize>, Vec<T>>;

/// The entries of a row of R, by the numbers of their columns.
#[derive(Default)]
struct Entries {
    /// Each once.
    columns: Vec<Column>,
    /// The columns that the row itself depends on.
    own: Vec<usize>,
    /// The columns that F depends on at each of its velocities.
    of_velocities: Vec<(usize, Vec<usize>)>,
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

impl Rolling<'_> {
    /// ∂v̇, alone and with ∂λ.
    pub(super) fn by_columns(&mut self, rows_at: &[Vec<usize>]) -> Vec<(Quantity, Routine)> {
        if self.rows.of.len() > rows_at.len() {
            // Some row follows from others, and no pivot of it is positive.
            return Vec::new();
        }
        self.share(Rolling::shared_by_columns);
        let slopes = self.slopes_at(rows_at);
        let begun = self.before_columns(rows_at, &slopes);
        let quantities = [
            (Quantity::Linearization, false),
            (Quantity::LinearizationAndMultipliers, true),
        ];
        let routines = quantities.map(|(quantity, with_multipliers)| {
            let mut routine = begun.clone();
            let first = routine.loops.len();
            self.each_column(&mut routine, rows_at, with_multipliers);
            self.after_columns(&mut routine, rows_at, &slopes, with_multipliers);
            self.finish(&mut routine, first);
            (quantity, routine)
        });
        routines.into()
    }

    /// J′ of a row, and the factor of its λ.
    fn shared_by_columns(&mut self, r: usize) -> Vec<ExprId> {
        let entries = self.row(r).scaled.jacobian.iter();
        let mut made: Vec<ExprId> = entries.map(|&(_, entry)| entry).collect();
        made.push(self.unit_multiplier(r));
        made
    }

    /// 1/(w c)
    fn unit_multiplier(&mut self, r: usize) -> ExprId {
        let one = self.derivation.graph.number(Number::ONE);
        self.reported_multiplier(r, one)
    }

    // ---- which slopes there are -----------------------------------------------------------------

    fn column(&self, leaf: &Leaf, indices: &[usize]) -> Option<Column> {
        let index = indices[leaf.place];
        let n = self.system.coordinates.len();
        match leaf.of {
            Varied::Time => None,
            Varied::Coordinate => Some((By::State, index)),
            Varied::Velocity => Some((By::State, n + index)),
            Varied::Input => Some((By::Input, index)),
            Varied::Parameter => Some((By::Parameter, index)),
        }
    }

    /// The columns of leaves, of each once.
    fn columns_of(&self, leaves: &[Leaf], indices: &[usize]) -> Vec<Option<Column>> {
        let mut columns: Vec<Option<Column>> = Vec::new();
        for leaf in leaves {
            let column = self.column(leaf, indices);
            columns.push(column.filter(|_| !columns.contains(&column)));
        }
        columns
    }

    /// Slopes of an expression by leaves.
    fn slopes_by(&mut self, of: ExprId, leaves: &[Leaf]) -> Vec<ExprId> {
        let graph = &mut self.derivation.graph;
        let variables = leaves.iter().map(|leaf| graph.symbol(leaf.symbol));
        let variables: Vec<ExprId> = variables.collect();
        gradient(graph, of, &variables)
    }

    fn are_slopes(&self, slopes: &[ExprId]) -> Vec<bool> {
        let graph = &self.derivation.graph;
        slopes.iter().map(|&it| !graph.is_zero(it)).collect()
    }

    /// The slopes of all velocities: those of F, and those of M⁻¹ h where F leaves it out.
    fn slopes_at(&mut self, rows_at: &[Vec<usize>]) -> Vec<Vec<Slope>> {
        let mut known = Known::<[bool; 2]>::default();
        let (mut all, mut next) = (Vec::new(), 0);
        for (c, rows) in rows_at.iter().enumerate() {
            let Signature { mut words, slots } = self.sign_velocity(c, rows);
            let mut indices = indices_of(&slots);
            let leaves = self.leaves(&slots, &mut indices);
            let columns = self.columns_of(&leaves, &indices);
            words.extend(columns.iter().map(|it| usize::from(it.is_some())));
            if !known.contains_key(&words) {
                let found = self.are_slopes_at(c, rows, &leaves);
                known.insert(words.clone(), found);
            }
            let mut slopes = Vec::new();
            let found = columns.into_iter().zip(&known[&words]).enumerate();
            for (leaf, (column, &[of_sum, of_free])) in found {
                let Some(column) = column.filter(|_| of_sum || of_free) else {
                    continue;
                };
                let place = of_sum.then_some(next);
                next += usize::from(of_sum);
                slopes.push(Slope {
                    leaf,
                    column,
                    place,
                });
            }
            all.push(slopes);
        }
        all
    }

    fn are_slopes_at(&mut self, c: usize, rows: &[usize], leaves: &[Leaf]) -> Vec<[bool; 2]> {
        let unknowns = rows.iter().map(|_| self.leaf("x"));
        let unknowns: Vec<ExprId> = unknowns.collect();
        let moved = self.motion_at(c, rows, &unknowns);
        let free = self.free.values[c];
        let [of_sum, of_free] = [moved, free].map(|it| {
            let slopes = self.slopes_by(it, leaves);
            self.are_slopes(&slopes)
        });
        let is_uniform = self.is_uniform(c);
        let pairs = of_sum.into_iter().zip(of_free);
        pairs
            .map(|(of_sum, of_free)| [of_sum, of_free && is_uniform])
            .collect()
    }

    /// M⁻¹ h + W J′ᵀ μ, without M⁻¹ h where that is the same all over the family.
    fn motion_at(&mut self, c: usize, rows: &[usize], unknowns: &[ExprId]) -> ExprId {
        let mut pairs = Vec::new();
        for (&r, &x) in rows.iter().zip(unknowns) {
            pairs.extend(self.entry(r, c).map(|entry| (entry, x)));
        }
        let is_uniform = self.is_uniform(c);
        let graph = &mut self.derivation.graph;
        let pushed = dot(graph, pairs);
        let moved = graph.mul(self.ratios[c], pushed);
        if is_uniform {
            return moved;
        }
        graph.add(self.free.values[c], moved)
    }

    /// Expressions in which the values shared by the elimination are leaves.
    fn with_made(&mut self, item: &Item, ids: &[ExprId]) -> Vec<ExprId> {
        let graph = &mut self.derivation.graph;
        let known = graph.substitute(ids.iter().copied(), item.made.clone());
        ids.iter().map(|id| known[id]).collect()
    }

    // ---- once, before the columns ---------------------------------------------------------------

    /// The elimination, F and R, and the forward sweep of each column: the same with and without ∂λ.
    fn before_columns(&mut self, rows_at: &[Vec<usize>], slopes: &[Vec<Slope>]) -> Routine {
        let mut routine = self.eliminated(Side::Columns);
        let first = routine.loops.len();
        let unknowns = &[Array::Solution];
        let solved = |rolling: &mut Self, stage: &mut Stage<'_>, c: usize, rows: &[usize]| {
            rolling.moved_by_columns(stage, c, rows, &slopes[c]);
        };
        self.substituted(&mut routine, unknowns, rows_at, None, solved);
        routine.stage(|sides| self.sides(sides, slopes));
        let begin = routine.loops.len();
        let order = self.elimination.order.clone();
        routine.stage(|forward| {
            let mut updated = vec![false; order.len()];
            for &j in &order {
                self.push_column(forward, &mut updated, j);
            }
        });
        mark_per_column(&mut routine, begin);
        let varied = self.system.given() + self.system.model.varied();
        routine.columns = 2 * rows_at.len() + varied;
        self.finish(&mut routine, first);
        routine
    }

    /// v̇ and F.
    fn moved_by_columns(
        &mut self,
        stage: &mut Stage<'_>,
        c: usize,
        rows: &[usize],
        slopes: &[Slope],
    ) {
        let kept = slopes.iter().filter_map(|it| Some((it.leaf, it.place?)));
        let (leaves, places): (Vec<usize>, Vec<usize>) = kept.unzip();
        let further = Further {
            words: leaves.clone(),
            places,
        };
        let unknowns = &[Array::Solution];
        self.further_at_velocity(stage, (c, rows), further, unknowns, |rolling, item, x| {
            let moved = rolling.motion_at(c, rows, &x[0]);
            let slopes = rolling.slopes_by(moved, &item.leaves);
            let slopes: Vec<ExprId> = leaves.iter().map(|&leaf| slopes[leaf]).collect();
            let made = rolling.with_made(item, &[&[moved], &slopes[..]].concat());
            item.write(Write::Set(Array::Motion, 0), made[0]);
            for (place, &slope) in (item.further..).zip(&made[1..]) {
                item.write(Write::Set(Array::Slopes, place), slope);
            }
        });
    }

    /// R
    fn sides(&mut self, stage: &mut Stage<'_>, slopes: &[Vec<Slope>]) {
        let mut known = Known::default();
        for r in 0..self.rows.of.len() {
            self.side(stage, r, slopes, &mut known);
        }
    }

    fn side(
        &mut self,
        stage: &mut Stage<'_>,
        r: usize,
        slopes: &[Vec<Slope>],
        known: &mut Known<bool>,
    ) {
        let mut signature = Signature::default();
        self.sign_uniform_loads(&mut signature, r);
        let (own, further) = self.own_slopes(&signature, r, known, Rolling::balance_of);
        let (side, further) = self.entries_of(r, &own, slopes, further);
        self.further_of_row(stage, r, (signature, further), |rolling, item, _| {
            let mut terms: Vec<Vec<(ExprId, Number)>> = vec![Vec::new(); side.columns.len()];
            let motion = rolling.at_slots(item, "v_dot", Array::Motion);
            let balance = rolling.balance(r, &motion);
            let slopes = rolling.slopes_by(balance, &item.leaves);
            let slopes: Vec<ExprId> = own.iter().map(|it| slopes[it.leaf]).collect();
            let made = rolling.with_made(item, &slopes);
            for (&column, slope) in side.own.iter().zip(made) {
                terms[column].push((slope, Number::MINUS_ONE));
            }
            let mut place = item.further;
            for (c, of_velocity) in &side.of_velocities {
                let entry = rolling.made_entry(item, r, *c);
                for &column in of_velocity {
                    if let Some(entry) = entry {
                        let reads = &mut item.reads;
                        let slope = rolling.read(reads, "slope", Array::Slopes, place);
                        let product = rolling.derivation.graph.mul(entry, slope);
                        terms[column].push((product, Number::MINUS_ONE));
                    }
                    place += 1;
                }
            }
            for ((place, terms), column) in (place..).zip(terms).zip(&side.columns) {
                let sum = rolling.derivation.graph.sum(&terms);
                item.write(Write::Set(Array::MotionBy(column.0), place), sum);
            }
        });
    }

    /// In which columns a row has entries, and what must agree of these; the places of F stand before those of R.
    fn entries_of(
        &self,
        r: usize,
        own: &[Slope],
        slopes: &[Vec<Slope>],
        mut further: Further,
    ) -> (Entries, Further) {
        let mut entries = Entries::default();
        for slope in own {
            let number = entries.number(slope.column);
            entries.own.push(number);
        }
        for c in self.rows.records(r) {
            let of_sum = slopes[c].iter().filter(|it| it.place.is_some());
            let of_sum: Vec<usize> = of_sum.map(|it| entries.number(it.column)).collect();
            further.words.push(of_sum.len());
            further.words.extend(&of_sum);
            further
                .places
                .extend(slopes[c].iter().filter_map(|it| it.place));
            entries.of_velocities.push((c, of_sum));
        }
        further.words.extend(&entries.own);
        let columns = &entries.columns;
        further.words.extend(columns.iter().map(|it| it.0 as usize));
        let n = self.system.coordinates.len();
        further.places.extend(columns.iter().map(|it| it.1 * n + r));
        (entries, further)
    }

    /// The slopes of a row, and what must agree besides for rows to share a kernel.
    fn own_slopes(
        &mut self,
        signature: &Signature,
        r: usize,
        known: &mut Known<bool>,
        of: fn(&mut Self, usize) -> ExprId,
    ) -> (Vec<Slope>, Further) {
        let mut all = Signature::default();
        all.words.extend(&signature.words);
        self.sign_row(&mut all, r);
        let Signature { mut words, slots } = all;
        let mut indices = indices_of(&slots);
        let leaves = self.leaves(&slots, &mut indices);
        let columns = self.columns_of(&leaves, &indices);
        words.extend(columns.iter().map(|it| usize::from(it.is_some())));
        if !known.contains_key(&words) {
            let of = of(self, r);
            let slopes = self.slopes_by(of, &leaves);
            known.insert(words.clone(), self.are_slopes(&slopes));
        }
        let found = columns.into_iter().zip(&known[&words]).enumerate();
        let found = found.filter(|(_, (_, is_slope))| **is_slope);
        let slopes = found.filter_map(|(leaf, (column, _))| {
            Some(Slope {
                leaf,
                column: column?,
                place: None,
            })
        });
        let slopes: Vec<Slope> = slopes.collect();
        let further = Further {
            words: slopes.iter().map(|it| it.leaf).collect(),
            places: Vec::new(),
        };
        (slopes, further)
    }

    /// β′ + J′ v̇, v̇ constant except for the part of M⁻¹ h that F leaves out.
    fn balance_of(&mut self, r: usize) -> ExprId {
        let coordinates: Vec<usize> = self.rows.records(r).collect();
        let motion = coordinates.into_iter().map(|c| (c, self.leaf("v_dot")));
        let motion = motion.collect();
        self.balance(r, &motion)
    }

    fn balance(&mut self, r: usize, motion: &BTreeMap<usize, ExprId>) -> ExprId {
        let row = self.row(r).scaled.clone();
        let mut terms = vec![(row.bias, Number::ONE)];
        for (c, entry) in row.jacobian {
            let mut along = vec![motion[&c]];
            along.extend(self.is_uniform(c).then_some(self.free.values[c]));
            let graph = &mut self.derivation.graph;
            terms.extend(
                along
                    .into_iter()
                    .map(|it| (graph.mul(entry, it), Number::ONE)),
            );
        }
        self.derivation.graph.sum(&terms)
    }

    // ---- column by column -----------------------------------------------------------------------

    /// The backward sweep, and the columns of ∂v̇ and ∂λ without what is added later.
    fn each_column(
        &mut self,
        routine: &mut Routine,
        rows_at: &[Vec<usize>],
        with_multipliers: bool,
    ) {
        let (n, begin) = (rows_at.len(), routine.loops.len());
        let mut results = rows_at.to_vec();
        if with_multipliers {
            results.extend((0..self.rows.of.len()).map(|r| vec![r]));
        }
        let unknowns = &[Array::SolutionBeside];
        let finish =
            |rolling: &mut Self, stage: &mut Stage<'_>, result: usize, rows: &[usize]| match result
                .checked_sub(n)
            {
                None => rolling.pushed_motion(stage, result, rows),
                Some(r) => rolling.pushed_multiplier(stage, r),
            };
        self.substituted(routine, unknowns, &results, None, finish);
        mark_per_column(routine, begin);
    }

    /// A step of the forward sweep with r.
    fn push_column(&mut self, stage: &mut Stage<'_>, updated: &mut [bool], j: usize) {
        let words = self.sign_updates(updated, j);
        let later = self.elimination.later[j].clone();
        let places = Places::of_solution(&self.elimination, &[], j, &later);
        stage.push(words, places.indices.clone(), || {
            let mut item = self.item(Vec::new(), Vec::new());
            let right = self.read(&mut item.reads, "right", Array::Output, places.row);
            self.update_later(&mut item, updated, j, &places, right);
            item.into_kernel()
        });
        later.iter().for_each(|&i| updated[i] = true);
    }

    /// W J′ᵀ x
    fn pushed_motion(&mut self, stage: &mut Stage<'_>, c: usize, rows: &[usize]) {
        let unknowns = &[Array::SolutionBeside];
        self.at_velocity(stage, c, rows, unknowns, |rolling, item, x| {
            let pairs = rows.iter().zip(&x[0]);
            let pairs: Vec<_> = pairs
                .filter_map(|(&r, &x)| Some((rolling.made_entry(item, r, c)?, x)))
                .collect();
            let graph = &mut rolling.derivation.graph;
            let pushed = dot(graph, pairs);
            let moved = graph.mul(rolling.ratios[c], pushed);
            item.write(Write::Set(Array::Output, 0), moved);
        });
    }

    /// x/(w c)
    fn pushed_multiplier(&mut self, stage: &mut Stage<'_>, r: usize) {
        self.of_row(stage, r, Signature::default(), |rolling, item, own| {
            let x = rolling.read(&mut item.reads, "x", Array::SolutionBeside, own);
            let by = rolling.unit_multiplier(r);
            let by = rolling.as_made(item, by);
            let graph = &mut rolling.derivation.graph;
            let by = graph.whole(by);
            item.write(Write::Set(Array::Multipliers, own), graph.mul(x, by));
        });
    }

    // ---- once, after the columns ----------------------------------------------------------------

    /// Adds F and the slopes of the factors of λ.
    fn after_columns(
        &mut self,
        routine: &mut Routine,
        rows_at: &[Vec<usize>],
        slopes: &[Vec<Slope>],
        with_multipliers: bool,
    ) {
        routine.stage(|last| {
            for (c, rows) in rows_at.iter().enumerate() {
                self.add_slopes(last, c, rows, &slopes[c]);
            }
            if with_multipliers {
                let mut known = Known::default();
                let rows = 0..self.rows.of.len();
                rows.for_each(|r| self.add_multiplier_slopes(last, r, &mut known));
            }
        });
    }

    /// Adds F, and the slopes of M⁻¹ h that it leaves out.
    fn add_slopes(&mut self, stage: &mut Stage<'_>, c: usize, rows: &[usize], slopes: &[Slope]) {
        if slopes.is_empty() {
            return;
        }
        let n = self.system.coordinates.len();
        let mut further = Further::default();
        for slope in slopes {
            let (by, column) = slope.column;
            let word = [by as usize, slope.leaf, usize::from(slope.place.is_some())];
            further.words.extend(word);
            further.places.push(column * n + c);
            further.places.extend(slope.place);
        }
        self.further_at_velocity(stage, (c, rows), further, &[], |rolling, item, _| {
            let is_uniform = rolling.is_uniform(c);
            let free = rolling.slopes_by(rolling.free.values[c], &item.leaves);
            let mut place = item.further;
            for slope in slopes {
                let to = Write::Add(Array::MotionBy(slope.column.0), place);
                let mut terms = Vec::new();
                place += 1;
                if slope.place.is_some() {
                    let kept = rolling.read(&mut item.reads, "slope", Array::Slopes, place);
                    terms.push((kept, Number::ONE));
                    place += 1;
                }
                terms.extend(is_uniform.then_some((free[slope.leaf], Number::ONE)));
                item.write(to, rolling.derivation.graph.sum(&terms));
            }
        });
    }

    /// Adds ∂(1/(w c)) μ.
    fn add_multiplier_slopes(&mut self, stage: &mut Stage<'_>, r: usize, known: &mut Known<bool>) {
        let signature = Signature::default();
        let (slopes, mut further) = self.own_slopes(&signature, r, known, Rolling::unit_multiplier);
        if slopes.is_empty() {
            return;
        }
        let rows = self.rows.of.len();
        let columns = slopes.iter().map(|it| it.column);
        further
            .words
            .extend(columns.clone().map(|it| it.0 as usize));
        further.places.extend(columns.map(|it| it.1 * rows + r));
        self.further_of_row(stage, r, (signature, further), |rolling, item, own| {
            let x = rolling.read(&mut item.reads, "x", Array::Solution, own);
            let by = rolling.unit_multiplier(r);
            let found = rolling.slopes_by(by, &item.leaves);
            let found: Vec<ExprId> = slopes.iter().map(|it| found[it.leaf]).collect();
            let made = rolling.with_made(item, &found);
            for ((place, slope), by) in (item.further..).zip(&slopes).zip(made) {
                let product = rolling.derivation.graph.mul(x, by);
                let to = Write::Add(Array::MultipliersBy(slope.column.0), place);
                item.write(to, product);
            }
        });
    }
}

/// Marks the loops from this one on as run for each column.
fn mark_per_column(routine: &mut Routine, from: usize) {
    let loops = routine.loops[from..].iter_mut();
    loops.for_each(|it| it.per_column = true);
}
