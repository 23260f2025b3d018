//! Substitution backwards: unknowns from the last joint to the first, and what elements make of them.
//!
//! ```text
//! x = z − Σ Lᵢᵀ xᵢ        λ = x/(w c)
//! ```

use super::super::routine::{Array, Kernel, Routine, Signature, Stage, Write};
use super::contribution::{Contributions, Found, LiveSet, Output, VelocityUpdate};
use super::derivation::{Elements, Pool};
use super::places::{Places, Plan, Target};
use super::structure::Site;
use crate::diff::Taylor;
use crate::expr::{CollectVec, ExprId, Number, PushEach};
use crate::families::indices_of;

/// Where multipliers of rows as they are written go.
#[derive(Clone, Copy)]
pub(super) enum Reported {
    /// λ of unknowns in units of M⁻¹.
    InUnits(Array),
    /// λ of unknowns that are forces.
    Forces(Array),
    /// δλ, of δx and x; added to what elements have written where its scale varies.
    Varied(Array),
    /// ∂λ of one column.
    Column(Array),
}

impl Reported {
    fn array(self) -> Array {
        match self {
            Reported::InUnits(to) | Reported::Forces(to) => to,
            Reported::Varied(to) | Reported::Column(to) => to,
        }
    }
}

/// One substitution backwards.
#[derive(Clone, Copy)]
pub(super) struct Backwards {
    /// The array of the unknowns.
    pub unknowns: Array,
    /// What is reported of λ.
    pub multipliers: Option<Reported>,
    /// The results that elements compute.
    pub moved: VelocityUpdate,
}

impl Backwards {
    /// That of the first unknowns.
    pub fn first(multipliers: Option<Reported>) -> Backwards {
        Backwards {
            unknowns: Array::Solution,
            multipliers,
            moved: |it| &it.outputs,
        }
    }
}

impl Elements<'_> {
    /// Unknown after unknown, the last joint first; elements move when all theirs are known.
    pub(super) fn backwards(
        &mut self,
        routine: &mut Routine,
        contributions: &Contributions,
        places: &mut Places,
        pass: Backwards,
    ) {
        let used = self.movement(contributions, pass.moved);
        let varied = match pass.multipliers.filter(|_| self.panels.is_none()) {
            Some(reported @ (Reported::Varied(_) | Reported::Column(_))) => {
                self.reports_of_joints(reported)
            }
            _ => Vec::new(),
        };
        routine.stage_in(self.order(), |stage| {
            for work in self.backwards_order() {
                match work {
                    Site::Joint(j) => {
                        let kind = self.kinds_of_joints.of.get(j).copied();
                        let varied = kind.and_then(|kind| varied.get(kind));
                        self.substitute_joint(stage, places, j, (pass, varied));
                    }
                    Site::Element(e) => {
                        let moved = (pass.moved)(contributions.of(e));
                        let used = &used[self.kinds.of[e]];
                        if !moved.is_empty() {
                            self.finish(stage, contributions, (used, moved), work);
                        }
                    }
                }
            }
        });
    }

    fn substitute_joint(
        &mut self,
        stage: &mut Stage<'_>,
        places: &mut Places,
        j: usize,
        (pass, varied): (Backwards, Option<&LiveSet>),
    ) {
        let later = self.structure.elimination.later[j].clone();
        if later.is_empty() && pass.multipliers.is_none() {
            return;
        }
        let mut signature = Signature::default();
        if pass.multipliers.is_some() && varied.is_none() {
            for r in self.structure.joints[j].rows.clone() {
                signature.member(&self.rows, r);
            }
        }
        let mut plan = Plan {
            indices: indices_of(&signature.slots),
            words: signature.words,
        };
        let rows = self.structure.joints[j].rows.clone();
        let own: Vec<usize> = rows.clone().map(|r| plan.index(r)).collect_vec();
        plan.words.push_each([own.len(), later.len()]);
        // By row the unknowns and the entries of L that they are multiplied by.
        let mut products: Vec<Vec<(usize, usize)>> = vec![Vec::new(); own.len()];
        for &i in &later {
            for (a, r) in self.structure.joints[i].rows.clone().enumerate() {
                let x = plan.index(r);
                for (b, products) in products.iter_mut().enumerate() {
                    let place = places.lower.place((i, j), (a, b));
                    let known = places.filled.contains(&(Array::Lower, place));
                    plan.words.push(usize::from(known));
                    if known {
                        products.push((x, plan.index(place)));
                    }
                }
            }
        }
        let base = plan.indices.len();
        if let Some(varied) = varied {
            plan.words.push(varied.shape);
            let none = Contributions::default();
            plan.indices
                .push_each(self.indices(varied, &none, Site::Joint(j)));
        }
        let Plan { words, indices } = plan;
        stage.push(words, indices, || {
            let mut kernel = Kernel {
                reads: self.reads_of(&signature.slots),
                ..Kernel::default()
            };
            for (a, ((r, &own), products)) in rows.zip(&own).zip(&products).enumerate() {
                let value = self.substituted(&mut kernel, pass.unknowns, own, products);
                if !later.is_empty() {
                    kernel.push(value, Write::Set(pass.unknowns, own));
                }
                let report = pass.multipliers.map(|reported| match varied {
                    Some(varied) => self.varied_report(&mut kernel, (varied, base), (a, value)),
                    None => self.report(reported, r, value),
                });
                if let (Some((root, adds)), Some(reported)) = (report, pass.multipliers) {
                    let target = Target {
                        array: reported.array(),
                        place: own,
                        before: adds,
                    };
                    kernel.push(root, target.write());
                }
            }
            kernel
        });
    }

    /// What a joint reports of its multipliers, where all unknowns are known.
    pub(super) fn reports(&mut self, at: Site, reported: Reported) -> Vec<Output> {
        let known = self.known_at(at);
        let mut along = match reported {
            Reported::Varied(_) => self.along_at(at),
            _ => Taylor::default(),
        };
        let mut outputs = Vec::new();
        for (a, r) in self.rows_at(at).into_iter().enumerate() {
            let root = match reported {
                Reported::Varied(_) => self.varied_multiplier((a, r), &mut along, &known),
                Reported::Column(_) => self.multiplier_of_column((a, r), &known),
                reported => {
                    let x = self.pooled(Pool::Unknown, a);
                    self.report(reported, r, x).0
                }
            };
            outputs.push((root, reported.array(), Found::Row(a)));
        }
        outputs
    }

    /// The multiplier of a row as it is written, and whether it is added to what elements have written.
    fn report(&mut self, reported: Reported, r: usize, unknown: ExprId) -> (ExprId, bool) {
        let row = self.row(r).scaled.clone();
        let common = self.common();
        let graph = self.graph();
        let unit = match reported {
            Reported::Forces(_) => graph.number(Number::ONE),
            _ => graph.recip(common),
        };
        let multiplier = row.unscaled(graph, unknown, unit);
        let adds = matches!(reported, Reported::Varied(_)) && self.has_varying_scale(r);
        (multiplier, adds)
    }

    /// δλ as a joint computes it, of the δx that it has found.
    fn varied_report(
        &mut self,
        kernel: &mut Kernel,
        (varied, base): (&LiveSet, usize),
        (a, change): (usize, ExprId),
    ) -> (ExprId, bool) {
        if a == 0 {
            kernel.reads.push_each(varied.reads_from(base));
        }
        let leaf = self.pooled(Pool::Second, a);
        let root = varied.roots[a];
        let map = [(leaf, change)].into_iter().collect();
        (self.graph().substitute([root], map)[&root], false)
    }

    fn substituted(
        &mut self,
        kernel: &mut Kernel,
        unknowns: Array,
        own: usize,
        products: &[(usize, usize)],
    ) -> ExprId {
        let z = self.read(kernel, "z", unknowns, own);
        let mut terms = vec![(z, Number::ONE)];
        for &(x, l) in products {
            let known = kernel
                .reads
                .iter()
                .find(|&&(_, array, at)| array == unknowns && at == x);
            let x = match known.copied() {
                Some((symbol, ..)) => self.graph().symbol(symbol),
                None => self.read(kernel, "x", unknowns, x),
            };
            let l = self.read(kernel, "l", Array::Lower, l);
            terms.push((self.graph().mul(l, x), Number::MINUS_ONE));
        }
        self.graph().sum(&terms)
    }
}
